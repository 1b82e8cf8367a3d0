"""The class `Game`: a value with parameters, and every view of its one function from draws to outcomes.

Playing rounds is left to the object `Game._rounds`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, dataclass_transform, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    check_type,
    choice,
    integer,
    is_single,
    threads_of,
)
from provably_fair._core.cached import unlocked_property
from provably_fair._core.table import known_frame, log_frame
from provably_fair.seeds.schemes import SALTED, Scheme

from . import asking
from .classes import check_complete, check_values, complete
from .grids import flattened
from .kind import STATED, Kind, Outcome, Typed
from .naming import call_of, has_own_scheme, sheet_of
from .parameters import Choice, Range, choices_of, parameters_of, per_round, widest
from .rounds import PLAIN, Output, Rounds, check_outcomes

if TYPE_CHECKING:
    # Imported at run time by the methods that need them: every program imports games, few import bets.
    from matplotlib.axes import Axes

    from provably_fair._core.progress import Progress
    from provably_fair._core.types import Single
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally
    from provably_fair.walkthrough import Walkthrough

__all__ = ["Game", "refuse_unmade"]


@dataclass_transform(frozen_default=True, field_specifiers=(Range, Choice, field))
@dataclass(frozen=True)
class Game:
    """A game. A subclass with a method `outcome` has everything that the built-in games have.

    A game is a value: frozen, hashable, picklable. A subclass becomes a frozen dataclass, and its annotated
    attributes are the game's parameters.

    Attributes
    ----------
    scheme : Scheme
        The source of its numbers; `SALTED` by default. No parameter: write it without an annotation.
    vectorized : bool
        Whether `outcome` takes all rounds at once (the default). With ``vectorized = False`` it is called
        once per round with plain ints, which allows any Python but is slower.
    monotone : bool
        Whether the outcome only rises or only falls with its one draw (crash, limbo). Its law is then found
        by bisection.
    ordered : bool
        Whether the order of an outcome's values matters (the default). With ``ordered = False`` they are a
        set, and a log may list them in any order.
    shape, dtype : tuple of int, and int or float
        The shape of one outcome, () for a single value, and its type; int by default. A class may state
        them, as values or as properties of its parameters; outcomes must then fit. Without, trial rounds
        show both, which may draw 10,000 times; others 100,000 times, or 10,000 times if `vectorized`.
    name : str
        Its name; by default the module's and the class's in lower case, "mymodule.keno".

    Examples
    --------
    >>> class Keno(pf.Game):
    ...     picks: int = 10
    ...     def outcome(self, draws):
    ...         return draws.sample(40, self.picks)
    >>> Keno(picks=5).play("server seed", "client seed", "salt").tolist()
    [18, 27, 12, 20, 25]
    """

    scheme: ClassVar[Scheme] = SALTED
    vectorized: ClassVar[bool] = True
    monotone: ClassVar[bool] = False
    ordered: ClassVar[bool] = True
    name: ClassVar[str]

    @unlocked_property
    def kind(self) -> Kind:
        """What may be asked, logged and shown of the game: a `Kind`, with the facts that its class states."""
        return Kind.of(self)

    _names: ClassVar[tuple[str, ...]] = ()
    """The names of the parameters."""

    _stated: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """The shape and the dtype that a class states."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        complete(cls, Game)

    def __new__(cls, *values: Any, **named: Any) -> Self:
        check_values(cls, values, named)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if type(self) is Game:
            raise TypeError(
                "Game must be made by the class of a game: Mines, Dice, ..., or one of your own that has a "
                "method outcome"
            )
        for name, value in zip(self._names, self._field_values(), strict=True):
            if isinstance(value, np.ndarray):
                raise BadType(
                    name,
                    "must be a value that doesn't change, such as a tuple, got an array",
                    place=f"{type(self).__name__}.",
                )
        check_complete(type(self))
        for name, known in choices_of(self).items():
            choice(name, getattr(self, name), known)
        for name, limits in parameters_of(self).items():
            given = getattr(self, name)
            value = integer(name, given, limits.least, limits.most)
            if value is not given:
                object.__setattr__(self, name, value)

    _beside: ClassVar[Mapping[str, str]] = MappingProxyType({"scheme": "with_scheme"})
    """Settings of a single game that aren't parameters, and the method that changes each."""

    def __reduce__(self) -> tuple[object, ...]:
        if beside := self._own_beside():
            return _restore, (type(self), self._field_values(), beside)
        return type(self), self._field_values()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()

    def __hash__(self) -> int:
        try:
            return hash((type(self), self._identity()))
        except TypeError as error:
            raise TypeError(f"{self!r} can't be hashed, {error}: give it a tuple instead") from None

    def _field_values(self) -> tuple[object, ...]:
        """Return the values of the parameters, in order."""
        return tuple([getattr(self, name) for name in self._names])

    def _identity(self) -> tuple[object, ...]:
        """Return the values by which games of a class are equal."""
        return *self._field_values(), *(getattr(self, name) for name in self._beside)

    def __repr__(self) -> str:
        beside = self._own_beside().items()
        return call_of(self) + "".join(f".{self._beside[name]}({value!r})" for name, value in beside)

    def _own_beside(self) -> dict[str, Any]:
        """Return the game's settings, other than parameters, that differ from its class's."""
        own = {name: vars(self)[name] for name in self._beside if name in vars(self)}
        if own.get("scheme") is not None and has_own_scheme(self):  # the parameters choose the scheme
            del own["scheme"]
        return own

    def _with_beside(self, beside: Mapping[str, Any]) -> Self:
        """Return the same game with these settings, which aren't parameters."""
        game = type(self)(*self._field_values())
        for name, value in beside.items():
            if value != getattr(game, name):
                object.__setattr__(game, name, value)
        return game

    def __dir__(self) -> list[str]:
        # The kind shows what a class states of its games.
        hidden = {*STATED, *(one.name for one in fields(self.kind))} - {one.name for one in fields(self)}
        return sorted({*super().__dir__()} - hidden)

    def _repr_html_(self) -> str:
        return sheet_of(self).html()

    @unlocked_property
    def _rounds(self) -> Rounds:
        """The object that plays the game's rounds, in Python or by the engine."""
        from ._python_rounds import PythonRounds

        return PythonRounds(self)

    # The game itself

    @abstractmethod
    def outcome(self, draws: Any) -> Any:
        """Return the outcomes of all rounds, computed from draws. To be defined by a subclass.

        Parameters
        ----------
        draws : Draws
            The source of draws: each call returns an array with one value per round. With
            ``vectorized = False`` it returns an int, for one round.

        Returns
        -------
        array-like of numbers
            One value or array for each round: shape (rounds,) or (rounds, ...).

        Examples
        --------
        >>> class Wheel(pf.Game):
        ...     def outcome(self, draws):
        ...         return np.where(draws.below(10) < 3, 2.5, 0)
        >>> Wheel().distribution().mean()
        0.75
        """
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome; () for a single value."""
        return self._rounds.shape

    @property
    def dtype(self) -> np.dtype:
        """The type of outcomes: int64, or float64 where they have decimals."""
        return self._rounds.dtype

    @property
    def decimals(self) -> int:
        """The number of decimals with which outcomes are shown, if known; 0 for as many as they have."""
        return self._rounds.decimals

    @property
    def parameters(self) -> dict[str, int]:
        """The whole numbers that decide outcomes, by name."""
        return {name: getattr(self, name) for name in parameters_of(self)}

    @property
    def multiplayer(self) -> bool:
        """Whether many players share a round, which then has the constant seeds of `BLOCK_HASHES`."""
        return self._rounds.constant is not None

    # Rounds

    @overload
    def play(self: Typed[Outcome], *seeds: Single, **named: Single | None) -> Outcome: ...
    @overload
    def play(self, *seeds: Single, dtype: DTypeLike = ..., **named: Single | None) -> Any: ...
    @overload
    def play(
        self, *seeds: object, out: np.ndarray | None = ..., threads: int | None = ..., **named: object
    ) -> np.ndarray: ...
    def play(  # type: ignore[misc]  # its options are among what is named
        self,
        *seeds: object,
        dtype: DTypeLike | None = None,
        out: np.ndarray | None = None,
        threads: int | None = None,
        **named: object,
    ) -> Any:
        """Return the outcome of one round, or of many.

        Parameters
        ----------
        *seeds, **named
            The fields of the scheme, in its order or by name: text, whole numbers, or N of them each in
            any sequence. Arrays broadcast like numpy's, of several dimensions too.
        dtype : dtype, optional
            The type of the outcomes, one that holds them all; int64 or float64 by default.
        out : numpy.ndarray, optional
            Where to write: an array of the result's shape and of a type that holds the outcomes.
        threads : int, optional
            The largest number of threads; by default as many as the machine has.

        Returns
        -------
        numpy scalar or numpy.ndarray
            One round of single values: an outcome. N rounds: an array of shape (N,) + the game's shape; of
            arrays of several dimensions, their common shape + the game's.

        Raises
        ------
        TypeError, ValueError
            When a field is missing or invalid. The message names the field and, in arrays, the row.

        Examples
        --------
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> Die().play("server", "client", ["salt 1", "salt 2"])
        array([1, 2])
        >>> servers = np.array([["server"], ["another"]])
        >>> pf.operators.stake.Dice().play(servers, "client", range(3))
        array([[87.83, 53.46, 90.24],
               [46.63, 82.43,  7.89]])
        """
        plain = dtype is None and out is None and threads is None
        if plain and (outcome := self._rounds.one(seeds, named)) is not None:
            return outcome
        grid = flattened(self.scheme.fields, seeds, named)
        if grid is None:
            wanted = PLAIN if plain else Output(dtype, out, threads_of(threads))
            return self._rounds.play(seeds, named, wanted)
        seeds, named, shape = grid
        found = self._rounds.play(seeds, named, Output(threads=threads_of(threads)))
        return self._rounds.deliver(found.reshape(shape + self.shape), Output(dtype, out))

    @overload
    def simulate(
        self,
        rounds: int,
        *,
        seed: int | str = 0,
        start: int = 0,
        dtype: DTypeLike | None = None,
        out: np.ndarray | None = None,
        threads: int | None = None,
        progress: Progress = False,
        as_frame: None = None,
        **fields: object,
    ) -> np.ndarray: ...
    @overload
    def simulate(self, rounds: int, *, as_frame: Literal["pandas", "polars"], **options: Any) -> Any: ...
    def simulate(
        self,
        rounds: int,
        *,
        seed: int | str = 0,
        start: int = 0,
        dtype: DTypeLike | None = None,
        out: np.ndarray | None = None,
        threads: int | None = None,
        progress: Progress = False,
        as_frame: Literal["pandas", "polars"] | None = None,
        **fields: object,
    ) -> Any:
        """Simulate many rounds, and return their outcomes.

        Two calls give the same rounds unless `seed` differs, on any machine.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        seed : int or str
            The seed of the series.
        start : int
            The number of the first round. Nonces count from here, and salts are those of `salts`. A chain of
            games is made from its end, so that each start has another chain.
        dtype, out, threads
            See `play`.
        progress : bool or callable
            Whether to show a progress bar (with tqdm), or a function of the rounds done and the total.
        as_frame : {"pandas", "polars"}, optional
            Return a data frame instead: a log of the rounds, as `verify` takes it, with a column for each
            field of the scheme and ``outcome``. Its seeds and salts are text.
        **fields
            Fields of the scheme. By default ``server_seed`` and ``client_seed`` are the SHA-256 of
            ``f"{seed}:server"`` and ``f"{seed}:client"`` in hexadecimal. Fields other than these two,
            ``nonce``, ``salt`` and ``game_hash`` have no default.

        Returns
        -------
        numpy.ndarray
            Shape (rounds,) + the game's shape; or a frame.

        Examples
        --------
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> Die().simulate(6).tolist()
        [2, 6, 5, 3, 3, 5]
        >>> log = Die().simulate(6, as_frame="pandas")
        >>> log.columns.tolist(), log["outcome"].tolist()
        (['server_seed', 'client_seed', 'salt', 'outcome'], [2, 6, 5, 3, 3, 5])
        """
        from provably_fair._core.progress import progress_bar

        known_frame(as_frame)
        made = self._rounds.series(rounds, seed, start, fields)
        with progress_bar(made.rounds, progress) as report:
            outcomes = self._rounds.simulate(made, Output(dtype, out, threads_of(threads), report))
        if as_frame is None:
            return outcomes
        return log_frame(as_frame, made.columns() | {"outcome": outcomes}, made.rounds)

    def tally(
        self,
        rounds: int,
        *,
        of: Any = None,
        bins: int | Sequence[int] | np.ndarray | None = None,
        seed: int | str = 0,
        start: int = 0,
        threads: int | None = None,
        progress: Progress = False,
        **fields: Any,
    ) -> Tally:
        """Count the outcomes of many simulated rounds, in constant memory.

        Two calls give the same rounds unless `seed` differs.

        Parameters
        ----------
        rounds, seed, start, threads, progress, **fields
            See `simulate`. The questions of `distribution`, such as ``hits=``, ``under=`` or ``bucket=``, are
            taken too; the values of `observe` are then counted.
        of : callable, optional
            A function from outcomes, an array (N, ...), to values, (N,), which are counted instead; see
            `distribution`.
        bins : int or array-like of int, optional
            For built-in games with one integer: the number of bins of equal width over all outcomes, or
            increasing edges. As in `numpy.histogram`, a bin includes its lower edge, the last one its upper
            edge too, and outcomes outside the edges aren't counted (`Tally.rounds` counts every round).
            Required for a Jackpot of more than 2**24 tickets.

        Returns
        -------
        Tally
            Outcomes, counts, rounds. Games with several values count each of them: Mines the cells, Tower the
            positions by row, Slot the stops by reel; Plinko the buckets.

        Examples
        --------
        >>> pf.Plinko(pins=8).tally(10_000).counts
        array([  38,  323, 1071, 2265, 2739, 2111, 1087,  311,   55])
        >>> pf.Jackpot(tickets=10**12).tally(1000, bins=4).counts
        array([259, 245, 264, 232])
        """
        return asking.tally(
            self,
            rounds,
            {"of": of},
            bins=bins,
            seed=seed,
            start=start,
            threads=threads,
            progress=progress,
            **fields,
        )

    def explain(self, *seeds: object, **named: object) -> Walkthrough:
        """Explain one round: return the walk-through from its seeds to its outcome.

        Parameters
        ----------
        *seeds, **named
            The fields of the scheme, in its order or by name, of one round.

        Returns
        -------
        Walkthrough
            Print it, display it in a notebook, or convert it with `~Walkthrough.to_dict`.

        Raises
        ------
        TypeError, ValueError
            When an argument is missing or invalid.

        Examples
        --------
        >>> print(pf.Double().explain(salt="some salt"))  # doctest: +ELLIPSIS
        Double(): 8
        ...
        """
        return self._rounds.explain(seeds, named)

    def with_parameters(self, **parameters: object) -> Self:
        """Return the game with other values for parameters that may differ from round to round.

        Parameters
        ----------
        **parameters
            Whole numbers by name; None for the game's own.

        Returns
        -------
        Game
            A game of the same class.

        Raises
        ------
        TypeError, ValueError
            When the game has no such parameter, or it sets the outcome's shape.

        Examples
        --------
        >>> pf.Plinko(balls=3).with_parameters(pins=8)
        Plinko(pins=8, balls=3)
        """
        for name, value in parameters.items():
            per_round(self, name)
            if not is_single(value):
                raise BadValue(name, "must be one integer, the same for all rounds")
        return widest(self, **parameters)

    def with_scheme(self, scheme: Scheme) -> Any:  # its fields depend on the scheme
        """Return the same game under another scheme.

        Parameters
        ----------
        scheme : Scheme
            The source of the game's numbers.

        Returns
        -------
        Game
            A game of the same class and parameters. Games under different schemes aren't equal.

        Examples
        --------
        >>> hashed = pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}")
        >>> pf.Mines(mines=3).with_scheme(pf.Scheme(hashed, bits=32)).play("a", "b", nonce=0)
        array([16,  0,  6])
        """
        check_type("scheme", scheme, Scheme, "a Scheme")
        self.kind.check_scheme(scheme)
        return self._with_beside(self._own_beside() | {"scheme": scheme})

    # The law

    def distribution(self, law: str = "ideal", *, of: Any = None) -> Distribution:
        """Return the exact probability distribution (the law) of the outcome, or of a function of it.

        Every combination of draws is tried with its exact weight, up to 10**8 of them, which take half a
        minute; a million take less than a second. The ideal law of `hits` is found by a formula if the
        outcome is a sample with too many combinations to try, which is checked with every element at every
        place, and on random samples.

        Parameters
        ----------
        law : str
            "ideal": all values of a draw are equally likely (and numbers are any of 2**53 steps in [0, 1)).
            "as_drawn": the weight of a value is the number of words from which the scheme makes it. A law is
            that of the rule as it is stated, so ideal by default; a `bet` is on rounds as they are drawn. The
            law says which one it is, and how far they are apart (`Distribution.bias`).
        of : callable, optional
            A function from outcomes, an array (N, ...), to values, (N,).

        Returns
        -------
        Distribution
            Outcomes of several values are tuples.

        Raises
        ------
        ValueError
            When there are too many combinations; the message says how many.

        Examples
        --------
        >>> class Keno(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.sample(40, 10)
        >>> Keno().distribution(of=pf.hits({1, 2})).pmf([0, 1, 2]).round(4)
        array([0.5577, 0.3846, 0.0577])
        """
        return asking.distribution(self, law, of=of)

    def observe(self, outcomes: ArrayLike, *, of: Any = None) -> np.ndarray:
        """Return the values of simulated outcomes whose law is `distribution`.

        Parameters
        ----------
        outcomes : array-like, shape (N,) + the game's shape
            As `simulate` returns them. Impossible outcomes raise an error.
        of
            As in `distribution`.

        Returns
        -------
        numpy.ndarray
            Shape (N,), or the outcomes themselves; several balls or spins follow one another.

        Examples
        --------
        >>> pf.Double().observe([3, 14])
        array([ 3, 14])
        >>> pf.Mines(mines=3).observe([[11, 8, 18]], cells=[8, 9, 10, 11])
        array([2])
        """
        return asking.observe(self, outcomes, of=of)

    # Bets

    # The widest signature for type checkers: a kind narrows it.
    def bet(self, payout: Any = None, *args: Any, **options: Any) -> Bet:
        """Return a bet of 1 on the outcome, or on a function of it.

        A class may have its own payouts: a method ``pays(outcomes, *, ...)``, which takes outcomes, an array
        (N, ...), and the named arguments of `bet`, and returns the payouts of bets of 1, (N,). What a bet on
        any game pays for given outcomes is `Bet.returns`.

        Parameters
        ----------
        payout : callable, mapping, sequence or number, optional
            The payout of a bet of 1, the stake included: a function of an array of values (N,), a table by
            value (0 for others), or one payout per value in their order. A single number is paid if the bet
            wins: if ``of`` is true, if every reveal of Mines is safe, if every row of a tower is climbed. May
            be omitted if the value is itself the payout: with a cash-out, or a function ``of`` with other
            values than 0 and 1.
        law : str or None
            "as_drawn", "ideal", or "best": as drawn if that can be listed; otherwise ideal, if every draw is
            within 2**-30 of uniform. A bet is on rounds as they are drawn, and has this law by default; a
            `distribution` is of the rule as it is stated, so ideal by default. The bet's ``law_kind`` says
            which law it has. None for a bet without a law, if none can be listed: it is simulated,
            and pays given rounds, in payouts to eight decimals.
        *args, **options
            As in `distribution`: ``of``, and the other questions that may be asked of the game.

        Returns
        -------
        Bet
            The bet, with its law, its return and simulated rounds.

        Raises
        ------
        TypeError
            When the payouts aren't given.

        Examples
        --------
        >>> pf.Mines(mines=3).bet(2, reveals=5).rtp, pf.Crash().bet(cash_out=2.0).rtp
        (0.991304347826087, 0.95238)
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        ...     def pays(self, faces, *, least):
        ...         return np.where(faces >= least, 5.8 / (7 - least), 0)
        >>> Die().bet(least=5, law="ideal").exact_rtp
        Fraction(29, 30)
        """
        return asking.bet(self, payout, *args, **options)

    # Pictures

    def plot(self, outcome: Any, *, ax: Axes | None = None) -> Axes:
        """Draw the outcome of a round (needs matplotlib).

        Parameters
        ----------
        outcome : array-like, or Walkthrough
            The outcome, as returned by `play`, or the walk-through of the round.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Examples
        --------
        >>> ax = pf.Dice().plot(47.1)
        >>> ax.texts[0].get_text()
        '47.1'
        """
        from provably_fair._core.drawing import axes, board, tile

        self._rounds.check_values()
        outcome = getattr(outcome, "outcome", outcome)
        cells = check_outcomes(self, [outcome], "outcome")[0]
        rows = cells.reshape(-1, *cells.shape[-1:]) if cells.ndim else cells.reshape(1, 1)
        ax = axes(ax, 1 + 0.6 * rows.shape[1], 1 + 0.6 * rows.shape[0])
        for place, row in enumerate(rows.tolist()):
            for column, value in enumerate(row):
                tile(ax, (column, len(rows) - 1 - place), str(value))
        board(ax, rows.shape[1], len(rows))
        return ax


asking.naming_options(Game)


def _restore(cls: type[Game], values: tuple[object, ...], beside: Mapping[str, Any]) -> Game:
    return cls(*values)._with_beside(beside)


def refuse_unmade(name: str, value: object) -> None:
    """Refuse a class or a module given as a game, and name a game of it."""
    if isinstance(value, type) and issubclass(value, Game):
        raise BadType(name, f"must be a game such as {value.__name__}(), got the class {value.__name__}")
    if isinstance(value, ModuleType):
        room = value.__name__
        # Modules load the names in `__all__` on access.
        offered = [getattr(value, one, None) for one in getattr(value, "__all__", vars(value))]
        kinds = [one for one in offered if isinstance(one, type) and issubclass(one, Game)]
        own = [one.__name__ for one in kinds if one.__module__.startswith(room)]
        such = f" such as {room}.{own[0]}()" if own else ""
        raise BadType(name, f"must be a game{such}, got the module {room}")
