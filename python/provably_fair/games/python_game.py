"""Games in Python: one function from draws to an outcome, and every view of it."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from inspect import get_annotations, signature
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.arguments import threads_of
from provably_fair._core.printable import plain
from provably_fair._core.progress import Progress, ProgressBar, Report
from provably_fair._core.table import known_frame, log_frame
from provably_fair.seeds.rounds import SimulatedRounds
from provably_fair.seeds.schemes import SALTED, Scheme, bind_fields, draws

from ._game import BaseGame, Example, Look, as_drawn
from ._laws import Of, combinations_of, law_of, law_of_ranges, remembered_law
from ._samples import Cell, values_of
from ._streams import CountedDraws, StreamDraws
from .draws import Draws, SingleDraws

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally
    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.walkthrough import Walkthrough


__all__ = ["Game"]

# Rounds that are drawn together: their draws stay in the cache of a core.
_ROUNDS_AT_A_TIME = 1 << 13
_ROUNDS_COUNTED_AT_A_TIME = 1 << 18
_RANGES = 100
_ROUNDS_TOLD = 256  # of those that are played one by one
_TRIED = 1009
# What a game has, and a parameter may be called: a pay table, or how many decimals are shown.
_FREE = ("pays", "decimals")
# What Python and numpy say where an array stands for one value.
_ONE_VALUE = re.compile(
    r"truth value of an array|only (0-dimensional|length-1|size-1|integer scalar) arrays|ndarray"
)
_OPTIONS = ("scheme", "vectorized", "monotone", "name")


class Game(BaseGame):
    """A game. A subclass with a method `outcome` can do all that the ten games can.

    A subclass is made a frozen dataclass; its annotated attributes are the game's parameters.

    Attributes
    ----------
    scheme : Scheme
        Where its numbers come from; `SALTED` if the class doesn't say. Written without annotation, since it
        is no parameter, and so are:
    vectorized : bool
        Whether `outcome` takes all rounds at once, as it does by default. With ``vectorized = False`` it is
        called for each round by itself, with plain ints: any Python, but slower.
    monotone : bool
        Whether the outcome rises or falls with its one draw (crash, limbo): its law is then found by
        bisection.
    name : str
        What it is called; by default the module's and the class's name in lower case, "mymodule.keno".

    Examples
    --------
    >>> import provably_fair as pf
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

    def __init_subclass__(cls, **options: object) -> None:
        annotated = [name for name, kind in get_annotations(cls).items() if "ClassVar" not in str(kind)]
        for name in _OPTIONS:
            if name in annotated:
                raise TypeError(
                    f"{cls.__name__}.{name} must have no annotation, which would make it a parameter: "
                    f"write `{name} = ...`"
                )
        for name in annotated:
            if hasattr(Game, name) and name not in _FREE:
                raise TypeError(
                    f"{cls.__name__}.{name} must have another name: every game has a {name!r} of its own"
                )
        super().__init_subclass__(**options)
        if not isinstance(cls.name, str):
            raise TypeError(f"{cls.__name__}.name must be str, got {type(cls.name).__name__}")
        try:
            signature(cls.outcome).bind(None, None)
        except (TypeError, ValueError):
            raise TypeError(
                f"{cls.__name__}.outcome must be a method of draws: def outcome(self, draws)"
            ) from None
        if not isinstance(cls.scheme, Scheme):
            raise TypeError(f"{cls.__name__}.scheme must be a Scheme, got {type(cls.scheme).__name__}")
        for name in ("vectorized", "monotone"):
            if not isinstance(getattr(cls, name), bool):
                raise TypeError(f"{cls.__name__}.{name} must be True or False, got {getattr(cls, name)!r}")

    def __post_init__(self) -> None:
        if type(self) is Game:
            raise TypeError(
                "Game must be made by the class of a game: Mines, Dice, ..., or one of your own that has a "
                "method outcome"
            )
        super().__post_init__()

    @abstractmethod
    def outcome(self, draws: Any) -> Any:
        """Return the outcomes of all rounds, made of draws: to be defined by a subclass.

        Parameters
        ----------
        draws : Draws
            What there is to draw: each call answers with an array, one answer a round. With
            ``vectorized = False`` it answers for one round, with ints.

        Returns
        -------
        array-like of numbers
            One value or array for each round: shape (rounds,) or (rounds, ...).

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> class Wheel(pf.Game):
        ...     def outcome(self, draws):
        ...         return np.where(draws.below(10) < 3, 2.5, 0)
        >>> Wheel().distribution().mean()
        0.75
        """
        raise NotImplementedError

    # What it is

    @cached_property
    def _trial(self) -> tuple[np.ndarray, int]:
        """The outcomes of the least and the largest draws, and how many numbers a round uses."""
        # As many rounds as no outcome has values by chance, so that a value is never taken for a round.
        tried = [CountedDraws(0, _TRIED)] if self.vectorized else [CountedDraws(end, 1) for end in (0, 1)]
        outcomes = [self.run(draws) for draws in tried]
        if outcomes[0].shape[1:] != outcomes[-1].shape[1:]:
            raise self._shape_error(outcomes[0].shape[1:], outcomes[-1].shape[1:])
        return np.concatenate(outcomes), max(draws.numbers for draws in tried)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome; () for a single value."""
        return self._trial[0].shape[1:]

    @property
    def dtype(self) -> np.dtype:
        """The type of outcomes: int64 or float64."""
        return self._trial[0].dtype

    @property
    def bounds(self) -> tuple[Any, Any]:
        """The least and the largest number that an outcome can hold: those of its type."""
        if self.dtype.kind == "f":
            return -np.inf, np.inf
        limits = np.iinfo(np.int64)
        return int(limits.min), int(limits.max)

    @property
    def decimals(self) -> int:
        """How many decimals outcomes are shown with, where that is known; 0 for as many as they have."""
        return 0

    # Rounds

    def play(
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
            The fields of the scheme, in its order or by name: text, whole numbers, or N of them each.
            Arrays broadcast as numpy's do, to one axis.
        dtype : dtype, optional
            The type of the outcomes, one that holds them all; int64 or float64 by default.
        out : numpy.ndarray, optional
            Where to write: an array of the result's shape and of a type that holds the outcomes.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        numpy scalar or numpy.ndarray
            One round of single values: an outcome. N rounds: an array of shape (N,) + the game's shape.

        Raises
        ------
        TypeError, ValueError
            When a field is missing or isn't what it should be. The message names it, and in arrays the row.

        Examples
        --------
        >>> import provably_fair as pf
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> Die().play("server", "client", ["salt 1", "salt 2"])
        array([1, 2])
        """
        held = bind_fields(self.scheme, seeds, named)
        return self._many(held, dtype, out, threads_of(threads), None)

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
        """Return the outcomes of many rounds whose seeds anyone can make again, from a name.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        seed : int or str
            The name of the series.
        start : int
            The number of the first round: where a scheme has a nonce, it counts from here; salts are those
            of `salts`.
        dtype, out, threads
            See `play`.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the rounds done and the rounds in all.
        as_frame : {"pandas", "polars"}, optional
            A data frame instead: the log of these rounds, as `verify` takes it, with a column for each field
            of the scheme, and ``outcome``. Seeds and salts are text in it.
        **fields
            Fields of the scheme. By default server seed and client seed are the SHA-256 of
            ``f"{seed}:server"`` and ``f"{seed}:client"`` in hexadecimal; fields of any other name than
            these, ``nonce``, ``salt`` and ``game_hash`` must be given.

        Returns
        -------
        numpy.ndarray
            Shape (rounds,) + the game's shape; or a frame.

        Examples
        --------
        >>> import provably_fair as pf
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> Die().simulate(6).tolist()
        [2, 6, 5, 3, 3, 5]
        >>> log = Die().simulate(6, as_frame="pandas")
        >>> log.columns.tolist(), log["outcome"].tolist()
        (['server_seed', 'client_seed', 'salt', 'outcome'], [2, 6, 5, 3, 3, 5])
        """
        known_frame(as_frame)
        made = self.simulated_rounds(rounds, seed, start, **fields)
        with ProgressBar(made.rounds, progress) as report:
            outcomes: np.ndarray = self._many(made.fields(), dtype, out, threads_of(threads), report)
        if as_frame is None:
            return outcomes
        return log_frame(as_frame, made.values() | {"outcome": outcomes}, made.rounds)

    def simulated_fields(
        self, rounds: int, seed: int | str = 0, start: int = 0, **fields: object
    ) -> dict[str, Any]:
        """Return the fields of simulated rounds, as `play` takes them.

        Parameters
        ----------
        rounds, seed, start, **fields
            See `simulate`, whose rounds these are.

        Returns
        -------
        dict
            Texts for what all rounds share, arrays for what differs by round.

        Examples
        --------
        >>> import provably_fair as pf
        >>> fields = pf.Dice().simulated_fields(2)
        >>> (pf.Dice().play(**fields) == pf.Dice().simulate(2)).all()
        np.True_
        """
        return self.simulated_rounds(rounds, seed, start, **fields).values()

    def simulated_rounds(
        self, rounds: int, seed: int | str = 0, start: int = 0, **fields: object
    ) -> SimulatedRounds:
        """Return what makes the fields of simulated rounds, in pieces.

        Parameters
        ----------
        rounds, seed, start, **fields
            See `simulate`, whose rounds these are.

        Examples
        --------
        >>> import provably_fair as pf
        >>> rounds = pf.Dice().simulated_rounds(1000)
        >>> bool(rounds.values(first=998, count=1)["salt"][0] == pf.salts(1000)[998])
        True
        """
        return SimulatedRounds(self.scheme, rounds, seed, start, fields)

    def tally(
        self,
        rounds: int,
        *,
        seed: int | str = 0,
        start: int = 0,
        threads: int | None = None,
        progress: Progress = False,
        **fields: object,
    ) -> Tally:
        """Count the outcomes of many rounds, in memory that doesn't grow with them.

        Parameters
        ----------
        rounds, seed, start, threads, progress, **fields
            See `simulate`, whose outcomes are counted.

        Returns
        -------
        Tally
            The values that came up and their counts; of outcomes of several values, all of them together.

        Examples
        --------
        >>> import provably_fair as pf
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> Die().tally(6000).outcomes.tolist()
        [1, 2, 3, 4, 5, 6]
        """
        from provably_fair.distribution import Tally

        made = self.simulated_rounds(rounds, seed, start, **fields)
        rounds, most = made.rounds, threads_of(threads)
        total = Tally(np.empty(0, self.dtype), np.empty(0, np.int64), 0, open_ended=True)
        with ProgressBar(rounds, progress) as report:
            for first in range(0, rounds, _ROUNDS_COUNTED_AT_A_TIME):
                now = min(_ROUNDS_COUNTED_AT_A_TIME, rounds - first)
                outcomes = self._many(made.fields(first, now), None, None, most, None)
                total += Tally(*np.unique(outcomes, return_counts=True), now, open_ended=True)
                if report is not None:
                    report(first + now)
        return total

    def explain(self, *seeds: object, **named: object) -> Walkthrough:
        """Return the walk-through of one round: how its seeds become its outcome.

        Parameters
        ----------
        *seeds, **named
            The fields of the scheme, in its order or by name, of one round.

        Returns
        -------
        Walkthrough
            Key, message and bytes of each hash, the words, each draw, and the game's notes.

        Examples
        --------
        >>> import provably_fair as pf
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> print(Die().explain("server", "client", "salt 2"))  # doctest: +ELLIPSIS
        Die(): 2
        ...
        """
        from .explaining import explain_under

        held = bind_fields(self.scheme, seeds, named)
        if held.many:
            raise TypeError(
                f"{type(self).__name__}.explain is of one round: its fields must be single values"
            )
        return explain_under(self, held, dict(zip(self.scheme.fields, seeds, strict=False)) | named, self.run)

    # Its law

    def distribution(self, law: str = "ideal", *, of: Of | None = None) -> Distribution:
        """Return the exact law of the outcome, or of something about it.

        Every combination of draws is tried, each with its weight, up to 10**8 of them.

        Parameters
        ----------
        law : str
            "ideal": the answers of a draw are equally likely (and numbers are any of 2**53 steps in [0, 1)).
            "as_drawn": they weigh as many words as the scheme makes them of.
        of : callable, optional
            A function from outcomes, an array (N, ...), to values, (N,). `hits` makes one, whose ideal law
            is counted where the outcome is a sample of too many combinations to try: that it is one is
            checked with every element at every place, and on random samples.

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
        >>> import provably_fair as pf
        >>> class Keno(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.sample(40, 10)
        >>> Keno().distribution(of=pf.hits({1, 2})).pmf([0, 1, 2]).round(4)
        array([0.5577, 0.3846, 0.0577])
        """
        drawn = as_drawn(law)
        try:
            return remembered_law(self, drawn, of)
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
        return law_of(self, drawn, of)

    @property
    def combinations(self) -> int | None:
        """How many combinations of draws a round has, by the ranges of its first answers; None without end.

        A law that is found by trying them all takes as long as there are combinations.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.stake.Roulette().combinations, pf.operators.stake.Mines(mines=2).combinations
        (37, 600)
        """
        return combinations_of(self)

    def observe(self, outcomes: ArrayLike, *, of: Of | None = None) -> np.ndarray:
        """Return, for simulated outcomes, the values that `distribution` is of.

        Parameters
        ----------
        outcomes : array-like, shape (N,) + the game's shape
            As `simulate` returns them.
        of : callable, optional
            See `distribution`.

        Returns
        -------
        numpy.ndarray
            Shape (N,), or the outcomes themselves.

        Examples
        --------
        >>> import provably_fair as pf
        >>> class Keno(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.sample(40, 3)
        >>> Keno().observe([[1, 5, 8], [2, 4, 1]], of=pf.hits({1, 2}))
        array([1, 2])
        """
        checked = self.check_outcomes(outcomes)
        return checked if of is None else values_of(of, checked)

    # Bets on it

    pays: ClassVar[Any] = None
    """A game's own rule of what is paid, if it has one: a method from outcomes to what a stake of 1 brings
    back, whose keyword arguments are those of `bet`. See `bet`."""

    def bet(self, payout: object = None, *, law: str = "as_drawn", **subject: object) -> Bet:
        """Return a bet of 1 on the outcome, or on a function of it.

        A class may say itself what is paid: by a method ``pays(outcomes, *, ...)``, which is given outcomes,
        an array (N, ...), and what `bet` is given by name, and returns what a stake of 1 brings back, (N,).

        Parameters
        ----------
        payout : callable, mapping, sequence or number, optional
            What a bet of 1 brings back, the stake included, by the value of ``of``, or by outcome (see
            `Distribution.expect`). A number is paid where ``of`` is true, or 1, and else nothing is.
            May be left out where the class has ``pays``, and is handed to it where it takes a ``payout``.
        law : str
            "as_drawn" or "ideal".
        **subject
            ``of``, see `distribution`; or what the class's ``pays`` takes.

        Returns
        -------
        Bet
            Its law, its return, and rounds of it.

        Raises
        ------
        TypeError
            When nothing says what is paid.

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        ...     def pays(self, faces, *, least):
        ...         return np.where(faces >= least, 5.8 / (7 - least), 0)
        >>> Die().bet(least=5, law="ideal").exact_rtp
        Fraction(29, 30)
        >>> Die().bet(1.9, of=lambda faces: faces % 2 == 0, law="ideal").exact_rtp
        Fraction(19, 20)
        """
        return super().bet(payout, law=law, **subject)

    def _by_rule(self, payout: object, subject: Mapping[str, object]) -> object:
        if not callable(self.pays) or "of" in subject:
            return None
        named = dict(subject)
        if payout is not None:
            if "payout" not in signature(self.pays).parameters:
                return None
            named["payout"] = payout
        from provably_fair.bets.returns import RulePays, Subject

        return RulePays(self, Subject(named))

    def _win_value(self, subject: Mapping[str, object], values: Distribution) -> int | None:
        return 1 if "of" in subject and set(values.outcomes.tolist()) <= {0, 1} else None

    def with_scheme(self, scheme: Scheme) -> Any:  # which fields it takes, the scheme says
        """Return the same game with its numbers from another scheme.

        Parameters
        ----------
        scheme : Scheme
            Where its numbers come from.

        Returns
        -------
        Game
            A game of the same class and parameters; its scheme counts when it is compared.

        Examples
        --------
        >>> import provably_fair as pf
        >>> hashed = pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}")
        >>> pf.Mines(mines=3).with_scheme(pf.Scheme(hashed, bits=32)).play("a", "b", nonce=0)
        array([16,  0,  6])
        """
        if not isinstance(scheme, Scheme):
            raise TypeError(f"scheme must be a Scheme, got {type(scheme).__name__}")
        game = type(self)(*self._values())
        if scheme != type(self).scheme:
            object.__setattr__(game, "scheme", scheme)
        return game

    def changed(self, **values: object) -> Self:
        game: Self = super().changed(**values).with_scheme(self.scheme)
        return game

    def _identity(self) -> tuple[object, ...]:
        return *self._values(), self.scheme

    def _between(self) -> str:
        return ""

    def _seeds_shown(self) -> list[tuple[str, str]]:
        if self.scheme == SALTED:
            return super()._seeds_shown()
        return [("scheme", plain(repr(self.scheme))), ("fields", ", ".join(self.scheme.fields))]

    def __repr__(self) -> str:
        under = f".with_scheme({self.scheme!r})" if "scheme" in self.__dict__ else ""
        return super().__repr__() + under

    def __reduce__(self) -> tuple[object, ...]:
        if "scheme" in self.__dict__:
            return _restore, (type(self), self._values(), self.scheme)
        return super().__reduce__()

    # Its looks

    def looks(self) -> tuple[Look, ...]:
        """Return what tests of outcomes look at: the outcome, or each of its cells.

        Examples
        --------
        >>> import provably_fair as pf
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> [look.title for look in Die().looks()]
        ['outcomes']
        """
        if not self.shape:
            return super().looks()
        return tuple(Look(f"value {place}", {"of": Cell(place)}) for place in range(int(np.prod(self.shape))))

    @classmethod
    def example(cls) -> Example:
        game = cls()
        look = game.looks()[0]
        title = f"{cls.__name__}: {look.title}" if game.shape else cls.__name__
        return Example(game, title, look.subject)

    def look_law(self, look: Look, outcomes: np.ndarray) -> tuple[Distribution, np.ndarray]:
        """Return the law of a look and its values in outcomes: ranges of a monotone game's, if they are many.

        Parameters
        ----------
        look, outcomes
            See the method of all games.

        Examples
        --------
        >>> import provably_fair as pf
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> len(Die().look_law(Die().looks()[0], Die().simulate(10))[0])
        6
        """
        ranges = law_of_ranges(self, _RANGES) if self.monotone and not self.shape else None
        if ranges is None:
            return super().look_law(look, outcomes)
        law, edges = ranges
        return law, np.searchsorted(edges, self.observe(outcomes), side="right") - 1

    def _material(self, values: np.ndarray) -> FairnessMaterial:
        from provably_fair.distribution.sequences import shuffle_material

        from ._samples import sample_of

        sample = sample_of(self.run, in_order=True)
        if sample is not None and sample[0] > 1:
            size, first = sample
            # The last of a permutation is what is left.
            return shuffle_material(values[:, : size - 1] - first, size, repr(self), None)
        return super()._material(values)

    # Within

    def run(self, draws: Draws) -> np.ndarray:
        """Return what `outcome` makes of draws, checked: one outcome for each of their rounds.

        Examples
        --------
        >>> import provably_fair as pf
        >>> from provably_fair.games.draws import Draws
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> class Sixes(Draws):
        ...     rounds = 2
        ...     def below(self, n):
        ...         return np.full(self.rounds, n - 1)
        ...     number = _below = _skip = None
        >>> import numpy as np
        >>> Die().run(Sixes())
        array([6, 6])
        """
        if not self.vectorized:
            return self._one_by_one(draws)
        return self._as_outcomes(self._ask(draws), draws.rounds)

    def _ask(self, draws: object) -> object:
        """Return what `outcome` returns; its errors name the game."""
        try:
            return self.outcome(draws)
        except (TypeError, ValueError) as error:
            if str(error).startswith("draws."):
                raise type(error)(f"{BaseGame.__repr__(self)}.outcome: {error}") from error
            if self.vectorized and _ONE_VALUE.search(str(error)):
                raise TypeError(
                    f"{type(self).__name__}.outcome uses an array of all rounds where Python wants one value "
                    "(`if`, `and`, `while`, int(), an index of a list): write np.where(...) and & | ~, index "
                    "np.array([...]), or set `vectorized = False` to be called for one round at a time"
                ) from error
            raise

    def _one_by_one(self, draws: Draws) -> np.ndarray:
        if draws.rounds != 1:
            raise ValueError("games that take rounds one by one have draws of one round")
        return self._as_outcomes([self._ask(SingleDraws(draws))], 1)

    def _as_outcomes(self, found: object, rounds: int) -> np.ndarray:
        cls = type(self).__name__
        try:
            array = np.asarray(found)
        except ValueError:
            raise ValueError(f"{cls}.outcome must return one array, got rows of different lengths") from None
        if array.dtype.kind == "b":
            array = array.astype(np.int64)
        if array.dtype.kind not in "iuf":
            raise TypeError(f"{cls}.outcome must return numbers, got {_describe(found, array)}")
        if array.ndim == 0 or len(array) != rounds:
            cure = ": write np.stack([...], axis=1)" if array.ndim > 1 and array.shape[1] == rounds else ""
            raise ValueError(
                f"{cls}.outcome must return one outcome for each of {rounds} rounds, an array of shape "
                f"({rounds}, ...), got the shape {array.shape}{cure}"
            )
        if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
            raise ValueError(f"{cls}.outcome must return numbers below 2**63, got {array.max()}")
        return array.astype(np.float64 if array.dtype.kind == "f" else np.int64, copy=False)

    def _shape_error(self, one: tuple[int, ...], other: tuple[int, ...]) -> ValueError:
        return ValueError(
            f"{type(self).__name__}.outcome must return outcomes of one shape, got {one} and {other}"
        )

    def _many(
        self,
        held: Any,
        dtype: DTypeLike | None,
        out: np.ndarray | None,
        threads: int | None,
        report: Report | None,
    ) -> Any:
        """Return the outcomes of all rounds of some fields."""
        numbers = self._trial[1]
        try:
            outcomes = np.empty((len(held), *self.shape), dtype=self.dtype)
        except (MemoryError, ValueError):
            raise MemoryError(f"the outcomes of {len(held)} rounds don't fit into memory") from None
        size = _ROUNDS_AT_A_TIME if self.vectorized else 1

        def fill(first: int) -> int:
            now = min(size, len(outcomes) - first)
            found = self.run(StreamDraws(draws(self.scheme, held, first, now, ahead=numbers)))
            if found.shape[1:] != self.shape:
                raise self._shape_error(self.shape, found.shape[1:])
            if found.dtype.kind == "f" and outcomes.dtype.kind != "f":
                raise TypeError(
                    f"{type(self).__name__}.outcome must return numbers of one type, got whole numbers "
                    f"for some rounds and {found.dtype} for others: return floats for all"
                )
            outcomes[first : first + now] = found
            return first + now

        firsts = range(0, len(outcomes), size)
        for done in _on_threads(fill, firsts, threads if self.vectorized else 1):
            if report is not None and (size > 1 or done % _ROUNDS_TOLD == 0 or done == len(outcomes)):
                report(done)
        return self._deliver(outcomes, held.many, dtype, out)

    def _deliver(
        self, outcomes: np.ndarray, many: bool, dtype: DTypeLike | None, out: np.ndarray | None
    ) -> object:
        """Return outcomes as they are asked for: in another type, in the caller's array, or of one round."""
        wanted = outcomes if many else outcomes[0]
        if dtype is not None:
            dtype = np.dtype(dtype)
            self.check_dtype("dtype", dtype)
            if out is not None and out.dtype != dtype:
                raise ValueError(f"out must be of the given dtype {dtype}, got {out.dtype}")
        if out is None:
            return wanted if dtype is None else wanted.astype(dtype)
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out must be a numpy array, got {type(out).__name__}")
        if out.shape != np.shape(wanted):
            raise ValueError(f"out must have the shape {np.shape(wanted)}, got {out.shape}")
        self.check_dtype("out", out.dtype)
        out[...] = wanted
        return out

    def check_dtype(self, argument: str, dtype: np.dtype) -> None:
        """Refuse a type that may not hold the outcomes: those of a game in Python aren't known beforehand.

        Parameters
        ----------
        argument : str
            What the message names.
        dtype : numpy.dtype
            The type.

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> Die().check_dtype("dtype", np.dtype("float64"))
        """
        fits = dtype.kind in "iuf" and np.can_cast(self.dtype, dtype, "same_kind")
        if not fits or dtype.itemsize < self.dtype.itemsize:
            raise ValueError(f"{argument} must hold every outcome of {self!r}: {self.dtype}, got {dtype}")


def _on_threads(work: Callable[[int], int], pieces: range, threads: int | None) -> Iterator[int]:
    """Do the pieces of some work, and give how far it has come after each."""
    count = min(len(pieces), threads or _processors())
    if count <= 1:
        yield from map(work, pieces)
        return
    with ThreadPoolExecutor(count) as pool:
        try:
            yield from pool.map(work, pieces)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _processors() -> int:
    import os

    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _describe(found: object, array: np.ndarray) -> str:
    return "None" if found is None else f"an array of {array.dtype}"


def _restore(cls: type[Game], values: tuple[object, ...], scheme: Scheme) -> Game:
    game: Game = cls(*values).with_scheme(scheme)
    return game
