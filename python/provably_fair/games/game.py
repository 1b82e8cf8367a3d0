"""What users see of a game: a value with parameters, and the views of its function from draws to outcomes.

How rounds are played is another matter (`_rounds`): a game has rounds, it isn't one.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, dataclass_transform, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    check_type,
    choice,
    integer,
    integers,
    is_single,
    rectangular,
    threads_of,
    unbox,
)
from provably_fair._core.cached import unlocked_property
from provably_fair._core.printable import plain
from provably_fair._core.progress import Progress, ProgressBar
from provably_fair._core.signatures import annotations_of, signature_of
from provably_fair._core.table import Sheet, known_frame, log_frame, short
from provably_fair.distribution import Distribution
from provably_fair.seeds import HashChain
from provably_fair.seeds.schemes import SALTED, Scheme, distance_bound

from ._laws import UnlistedLawError, draws_error, is_hashable, law_of, law_of_ranges, remembered_law
from ._python_rounds import PythonRounds
from ._rounds import Rounds
from ._samples import Cell, Hits, sample_of, values_of
from .draws import MAX_DRAWS_ASKED
from .grids import flattened
from .looks import Example, Look, Of, View
from .parameters import Choice, Parameter, Range, choices_of, keep_limits, parameters_of
from .questions import check_names, questions_of, show_questions

if TYPE_CHECKING:
    # At run time these are imported by the methods that need them: games are imported always, bets and
    # walk-throughs rarely.
    from matplotlib.axes import Axes

    from provably_fair.bets import Bet
    from provably_fair.distribution import Tally
    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.walkthrough import Step, Walkthrough
    from provably_fair.walkthrough.lines import Line

__all__ = ["Game"]

# How others name what chance is made of.
_OF_OTHERS = ("rng", "random_state", "generator", "key")

# What a class may say of its games, as no parameter; and what a game has that a parameter may be called: a
# paytable, or how many decimals are shown.
_OPTIONS = ("scheme", "vectorized", "monotone", "ordered", "name")
_FREE = ("pays", "decimals")

_OPERATORS = f"{__name__.partition('.')[0]}.operators"
_RANGES = 100
_MAX_LOOKS = 1 << 10  # values of an outcome that are tested one by one
# Draws of more bits are so near to uniform that bets take them for that, where no law as drawn is listed.
_NEARLY_UNIFORM = 30


@dataclass_transform(frozen_default=True, field_specifiers=(Range, Choice))
@dataclass(frozen=True)
class Game:
    """A game. A subclass with a method `outcome` has everything that the built-in games have.

    A game is a value: frozen, hashable, picklable. A subclass becomes a frozen dataclass, and its annotated
    attributes are the game's parameters.

    Attributes
    ----------
    scheme : Scheme
        The source of its numbers; `SALTED` by default. It isn't a parameter, so write it without
        annotation, as the following:
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
        them, as values or as properties of its parameters. Outcomes must then fit. Without them, trial rounds
        with extreme and random draws show both; such a round may draw 10,000 times; others
        100,000 times, or 10,000 times if `vectorized`.
    name : str
        Its name; by default the module's and the class's in lower case, "mymodule.keno".

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
    ordered: ClassVar[bool] = True
    name: ClassVar[str]
    pays: ClassVar[Any] = None
    """A game's own rule of what is paid, if it has one: a method from outcomes to the return of a bet of 1,
    whose keyword arguments are those of `bet`. See `bet`."""

    _words: ClassVar[Mapping[str, int | None]] = MappingProxyType({})
    """What values are called in logs, cards by their names; None of words that may mean either value."""
    _notations: ClassVar[frozenset[str]] = frozenset()
    """How else outcomes are written in logs: "percent", "path", "bucket"."""
    _is_complete: ClassVar[bool] = False  # whether the class itself was found to be
    _max_draws: ClassVar[int] = MAX_DRAWS_ASKED  # how often one of its rounds may draw
    # What a class says of its outcomes, as a value or a property; None where trials show it.
    _stated_shape: ClassVar[Any] = None
    _stated_dtype: ClassVar[Any] = None
    _shows_law: ClassVar[bool] = False  # on pages: only where the law is found at once
    _is_sample: ClassVar[bool] = False  # whether outcomes are known to be samples without replacement
    _knows_law: ClassVar[bool] = False  # whether the class finds laws without trying every draw
    _chain: ClassVar[HashChain] = HashChain()  # where it is played on hashes of games
    _terminating_game: ClassVar[int] = 0  # the number that the end of that chain would have
    _needs: ClassVar[str] = "payout"  # what a bet has to say

    def __init_subclass__(cls, **options: object) -> None:
        annotated = [name for name, kind in annotations_of(cls).items() if "ClassVar" not in str(kind)]
        for name in _OPTIONS:
            if name in annotated:
                problem = f"must have no annotation, which would make it a parameter: write `{name} = ...`"
                raise BadType(name, problem, place=f"{cls.__name__}.")
        for name in annotated:
            if hasattr(Game, name) and name not in _FREE:
                problem = f"must have another name: every game has a {name!r} of its own"
                raise BadType(name, problem, place=f"{cls.__name__}.")
        for name in ("shape", "dtype"):
            if name in cls.__dict__:
                setattr(cls, f"_stated_{name}", cls.__dict__[name])
                delattr(cls, name)
        super().__init_subclass__(**options)
        keep_limits(cls, annotated)
        documented = cls.__doc__
        try:
            dataclass(frozen=True, eq=False, repr=False)(cls)
            cls.__doc__ = documented  # a signature says nothing of a game
        except (TypeError, ValueError) as error:
            raise type(error)(
                f"{cls.__name__} can't be made of its parameters: {error}. Parameters without a default come "
                "first, and a default is a value that doesn't change, such as a tuple"
            ) from None
        if "name" not in cls.__dict__:
            cls.name = f"{cls.__module__.rpartition('.')[2]}.{cls.__name__.lower()}"
        cls._check_class()
        if "distribution" in cls.__dict__ and "_knows_law" not in cls.__dict__:
            cls._knows_law = True
        show_questions(cls)

    @classmethod
    def _check_complete(cls) -> None:
        """Refuse a class that lacks what games have: on first use, since cloudpickle makes classes empty."""
        names = {*dir(cls)} - {"__annotations__"}  # which may name what isn't there
        missing = sorted(n for n in names if getattr(getattr(cls, n, None), "__isabstractmethod__", False))
        if missing:
            raise BadType(cls.__name__, f"must define {', '.join(missing)}, which every game has")
        cls._check_class()
        cls._is_complete = True

    @classmethod
    def _check_class(cls) -> None:
        check_type("name", cls.name, str, place=f"{cls.__name__}.")
        try:
            signature_of(cls.outcome).bind(None, None)
        except (TypeError, ValueError):
            raise BadType(
                "outcome", "must be a method of draws: def outcome(self, draws)", place=f"{cls.__name__}."
            ) from None
        check_type("scheme", cls.scheme, Scheme, "a Scheme", place=f"{cls.__name__}.")
        for name in ("vectorized", "monotone", "ordered"):
            if not isinstance(getattr(cls, name), bool):
                problem = f"must be True or False, got {getattr(cls, name)!r}"
                raise BadType(name, problem, place=f"{cls.__name__}.")

    def __new__(cls, *values: Any, **named: Any) -> Self:
        known = {one.name: one for one in fields(cls)}
        listed = f"the parameters {', '.join(known)}" if known else "no parameters"
        if len(values) > len(known):
            raise BadType("", sentence=f"{cls.__name__} has {listed}, got {len(values)} values for them")
        for name in named:
            if name not in known:
                cure = ""
                if name in vars(cls):
                    cure = (
                        f"; a parameter has an annotation, `{name}: {type(vars(cls)[name]).__name__} = ...`"
                    )
                raise BadType(name, sentence=f"{cls.__name__} has {listed}, got {name!r}{cure}")
        for name in [*known][len(values) :]:
            default = known[name].default, known[name].default_factory
            if name not in named and default == (MISSING, MISSING):
                raise BadType(name, f"must be given: {cls.__name__} has {listed}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if type(self) is Game:
            raise TypeError(
                "Game must be made by the class of a game: Mines, Dice, ..., or one of your own that has a "
                "method outcome"
            )
        for parameter in fields(self):
            if isinstance(getattr(self, parameter.name), np.ndarray):
                raise BadType(
                    parameter.name,
                    "must be a value that doesn't change, such as a tuple, got an array",
                    place=f"{type(self).__name__}.",
                )
        if "_is_complete" not in vars(type(self)):
            self._check_complete()
        for name, known in choices_of(self).items():
            choice(name, getattr(self, name), known)
        for name, limits in parameters_of(self).items():
            value = integer(name, getattr(self, name), limits.least, limits.most)
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[object, ...]:
        if "scheme" in self.__dict__:
            return _restore, (type(self), self._field_values(), self.scheme)
        return type(self), self._field_values()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()

    def __hash__(self) -> int:
        try:
            return hash((type(self), self._identity()))
        except TypeError as error:
            raise TypeError(f"{self!r} can't be hashed, {error}: give it a tuple instead") from None

    def _field_values(self) -> tuple[object, ...]:
        """Return the values of its fields, in order."""
        return tuple(getattr(self, field.name) for field in fields(self))

    def _identity(self) -> tuple[object, ...]:
        """Return what makes two games of a class the same."""
        return *self._field_values(), self.scheme

    def _changed(self, **values: object) -> Self:
        """Return the game with other values of some of its fields."""
        game: Self = replace(self, **values).with_scheme(self.scheme)
        return game

    def __repr__(self) -> str:
        return self._title() + (f".with_scheme({self.scheme!r})" if "scheme" in self.__dict__ else "")

    def _title(self) -> str:
        shown = (f"{f.name}={self._field_text(f.name)}" for f in fields(self) if f.repr)
        # Three operators have a Crash: the name says whose it is, but of those at the package's top.
        package, _, operator = type(self).__module__.rpartition(".")
        whose = f"{operator}." if package == _OPERATORS else ""
        return f"{whose}{type(self).__name__}({', '.join(shown)})"

    def _field_text(self, name: str) -> str:
        """Return the value of a field as text, shortened where it is long."""
        value = getattr(self, name)
        return repr(value) if len(repr(value)) <= 48 else short(value)

    def _repr_html_(self) -> str:
        return self._sheet().html()

    def _sheet(self) -> Sheet:
        count, kind = math.prod(self.shape), "whole number" if self.dtype.kind in "iu" else "number"
        rows = [("outcome", f"{count} {kind}{'s' * (count > 1)}{self._rounds.between()}")]
        if len(self.shape) > 1:
            rows.append(("shape", " x ".join(map(str, self.shape))))
        rows += [
            (p.name, f"{getattr(self, p.name)}, from {p.least} to {p.most}")
            for p in parameters_of(self).values()
        ]
        if self.scheme != SALTED:
            rows += [("scheme", plain(repr(self.scheme))), ("fields", ", ".join(self.scheme.fields))]
        elif self._constant_seeds is not None:
            rows += [("seeds", "constant, with a salt for each round")]
        summary = (type(self).__doc__ or "").strip().splitlines()
        title = f"{self._title()}: {summary[0]}" if summary else self._title()
        return Sheet(title, ("", ""), rows, "l", self._strip if self._shows_law else None)

    def _strip(self) -> str:
        from provably_fair.distribution.sheets import law_strip

        return law_strip(self.distribution())

    @unlocked_property
    def _rounds(self) -> Rounds:
        """How its rounds are played: chosen by its class, for its scheme."""
        return PythonRounds(self)

    # What it is

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
        >>> import numpy as np
        >>> import provably_fair as pf
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
    def _constant_seeds(self) -> tuple[str, str] | None:
        """Server seed and client seed of every round, where they are constant; else None."""
        return None

    @property
    def multiplayer(self) -> bool:
        """Whether many players share a round, which then has the constant seeds of `BLOCK_HASHES`."""
        return self._constant_seeds is not None

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
        >>> import provably_fair as pf
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + 1
        >>> Die().play("server", "client", ["salt 1", "salt 2"])
        array([1, 2])
        >>> import numpy as np
        >>> servers = np.array([["server"], ["another"]])
        >>> pf.operators.stake.Dice().play(servers, "client", range(3))
        array([[87.83, 53.46, 90.24],
               [46.63, 82.43,  7.89]])
        """
        grid = flattened(self.scheme.fields, seeds, named)
        if grid is None:
            return self._rounds.play(seeds, named, dtype, out, threads)
        seeds, named, shape = grid
        found = self._rounds.play(seeds, named, None, None, threads)
        return self._rounds.deliver(found.reshape(shape + self.shape), dtype, out)

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
            The number of the first round. Nonces count from here, and salts are those of `salts`.
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
        made = self._rounds.series(rounds, seed, start, fields)
        with ProgressBar(made.rounds, progress) as report:
            outcomes: np.ndarray = self._rounds.simulate(made, dtype, out, threads_of(threads), report)
        if as_frame is None:
            return outcomes
        return log_frame(as_frame, made.columns() | {"outcome": outcomes}, made.rounds)

    def tally(
        self,
        rounds: int,
        *,
        of: Of | None = None,
        bins: int | Sequence[int] | np.ndarray | None = None,
        seed: int | str = 0,
        start: int = 0,
        threads: int | None = None,
        progress: Progress = False,
        **fields: object,
    ) -> Tally:
        """Count the outcomes of many simulated rounds, in constant memory.

        Two calls give the same rounds unless `seed` differs.

        Parameters
        ----------
        rounds, seed, start, threads, progress, **fields
            See `simulate`. What `distribution` may be asked is taken too, as ``hits=``, ``under=`` or
            ``bucket=``: the values of `observe` are counted then.
        of : callable, optional
            A function from outcomes, an array (N, ...), to values, (N,), which are counted instead.
        bins : int or array-like of int, optional
            For built-in games with one integer: the number of bins of equal width over all outcomes, or
            increasing edges. As in `numpy.histogram`, a bin includes its lower edge, the last one its upper
            edge too, and outcomes outside the edges aren't counted (`Tally.rounds` counts every round).
            Required for a Jackpot of more than 2**24 tickets.

        Returns
        -------
        Tally
            Outcomes, counts, rounds. Built-in games with several values count each of them: Mines the cells,
            Tower the positions by row, Slot the stops by reel, Plinko the buckets. Other games count whole
            outcomes.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Plinko(pins=8).tally(10_000).counts
        array([  38,  323, 1071, 2265, 2739, 2111, 1087,  311,   55])
        >>> pf.Jackpot(tickets=10**12).tally(1000, bins=4).counts
        array([259, 245, 264, 232])
        >>> pf.operators.stake.Keno().tally(1000, hits={1, 2}).outcomes
        array([0, 1, 2])
        """
        asked: dict[str, Any] = {name: fields.pop(name) for name in questions_of(self) if name in fields}
        if of is not None:
            self._view(of=of, **asked)  # which refuses what can't be asked with it
            asked["of"] = of
        made = self._rounds.series(rounds, seed, start, fields)
        with ProgressBar(made.rounds, progress) as report:
            if not asked:
                return self._rounds.tally(made, bins, threads_of(threads), report)
            if bins is not None:
                raise BadType("bins", f"isn't supported with {next(iter(asked))}")

            def counted(outcomes: np.ndarray) -> np.ndarray:
                # A function alone is asked of whole rounds, however many balls or spins they have.
                return self.observe(outcomes, **asked) if of is None else values_of(of, outcomes)

            return self._rounds.count(made, counted, threads_of(threads), report)

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
        >>> import provably_fair as pf
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
        >>> import provably_fair as pf
        >>> pf.Plinko(balls=3).with_parameters(pins=8)
        Plinko(pins=8, balls=3)
        """
        for name, value in parameters.items():
            self._per_round(name)
            if not is_single(value):
                raise BadValue(name, "must be one integer, the same for all rounds")
        return self._widest(**parameters)

    def _widest(self, **parameters: object) -> Self:
        """Return the game of the largest parameters of a call: its outcomes hold those of all rounds."""
        game = self
        for name, value in parameters.items():
            parameter = self._per_round(name)
            if value is None:
                continue
            largest = unbox(value)
            if not is_single(value):
                values = integers(name, value)
                if not values.size or not parameter.least <= values.max() <= parameter.most:
                    continue  # refused with its row, where rounds are played
                largest = int(values.max())
            game = game._changed(**{name: largest})
        return game

    def _per_round(self, name: str) -> Parameter:
        parameter = parameters_of(self).get(name)
        if parameter is None:
            cure = ""
            if name in _OF_OTHERS:
                cure = ": rounds are made of seeds and salts, and another seed= gives another series of them"
            elif varying := [known for known, p in parameters_of(self).items() if p.per_round]:
                cure = f": {', '.join(varying)} may"
            sentence = f"{type(self).__name__} has no parameter {name!r} that may vary by round{cure}"
            raise BadType(name, sentence=sentence)
        if not parameter.per_round:
            raise BadType(name, "must be the same in all rounds of a call: it sets the outcome's shape")
        return parameter

    def with_scheme(self, scheme: Scheme) -> Any:  # which fields it takes, the scheme says
        """Return the same game under another scheme.

        Parameters
        ----------
        scheme : Scheme
            Where its numbers come from.

        Returns
        -------
        Game
            A game of the same class and parameters. Games under different schemes aren't equal.

        Examples
        --------
        >>> import provably_fair as pf
        >>> hashed = pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}")
        >>> pf.Mines(mines=3).with_scheme(pf.Scheme(hashed, bits=32)).play("a", "b", nonce=0)
        array([16,  0,  6])
        """
        check_type("scheme", scheme, Scheme, "a Scheme")
        game = type(self)(*self._field_values())
        if scheme != type(self).scheme:
            object.__setattr__(game, "scheme", scheme)
        return game

    # Its law

    def distribution(self, law: str = "ideal", *, of: Of | None = None) -> Distribution:
        """Return the exact probability distribution (the law) of the outcome, or of a function of it.

        Every combination of draws is tried with its exact weight, up to 10**8 of them: that many take half a
        minute, a million less than a second.

        Parameters
        ----------
        law : str
            "ideal": all values of a draw are equally likely (and numbers are any of 2**53 steps in [0, 1)).
            "as_drawn": the weight of a value is the number of words from which the scheme makes it.
        of : callable, optional
            A function from outcomes, an array (N, ...), to values, (N,). `hits` makes one; its ideal law is
            found by a formula if the outcome is a sample with too many combinations to try. That the outcome
            is such a sample is checked with every element at every place, and on random samples.

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
        return self._law(law, View(of))

    def _view(self, *, of: Of | None = None, **questions: Any) -> View:
        """Return what a question looks at."""
        return View(of)

    def _law(self, law: str, view: View) -> Distribution:
        """Return the law of what a view looks at, with all values that it lists."""
        found = self._law_of(as_drawn(law), view.of)
        missing = [value for value in view.values if value not in found.outcomes]
        if not missing:
            return found
        return Distribution(
            [*found.outcomes.tolist(), *missing],
            [*found.weights, *(0 for _ in missing)],
            probability_error=found.probability_error,
            truncation_error=found.truncation_error,
        )

    def _law_of(self, drawn: bool, of: Of | None) -> Distribution:
        """Return the law of a function of outcomes, by trying draws."""
        return (remembered_law if is_hashable(self, of) else law_of)(self, drawn, of)

    def observe(self, outcomes: ArrayLike, **questions: Any) -> np.ndarray:
        """Return the values of simulated outcomes whose law is `distribution`.

        Parameters
        ----------
        outcomes : array-like, shape (N,) + the game's shape
            As `simulate` returns them. Impossible outcomes raise an error.
        **questions
            As `distribution` takes them.

        Returns
        -------
        numpy.ndarray
            Shape (N,), or the outcomes themselves; several balls or spins follow one another.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().observe([3, 14])
        array([ 3, 14])
        >>> pf.Mines(mines=3).observe([[11, 8, 18]], cells=[8, 9, 10, 11])
        array([2])
        """
        check_names(type(self).__name__, questions, questions_of(self))
        return self._values_of(self._view(**questions).of, self._checked(outcomes))

    def _values_of(self, of: Of | None, outcomes: np.ndarray) -> np.ndarray:
        """Return what a function makes of outcomes."""
        return outcomes if of is None else values_of(of, outcomes)

    def _checked(self, outcomes: ArrayLike, name: str = "outcomes") -> np.ndarray:
        """Return outcomes as an array; what the game can't give is refused, with its row."""
        array = rectangular(name, outcomes)
        if array.shape[1:] != self.shape or array.ndim != 1 + len(self.shape):
            expected = ", ".join(["N", *map(str, self.shape)])
            raise BadValue(name, f"must have the shape ({expected}), got {array.shape}")
        if array.size and array.dtype.kind not in "iuf":
            raise BadType(name, f"must be those of {self!r}, got an array of {array.dtype}")
        wrong = self._impossible(array)
        whole = self.dtype.kind != "f" and array.dtype.kind == "f"  # integers, as a file of numbers has them
        if whole:
            wrong |= array != np.floor(array)
        if wrong.any():
            row = int(np.argwhere(wrong)[0, 0])
            raise BadValue(name, f"must be an outcome of {self!r}, got {array[row].tolist()}", index=row)
        return array.astype(np.int64) if whole else array

    def _impossible(self, outcomes: np.ndarray) -> np.ndarray:
        """Tell which numbers are outside of what the game gives; NaN is."""
        least, most = self._rounds.bounds
        found: np.ndarray = ~((least <= outcomes) & (outcomes <= most))
        return found

    # Bets on it

    def bet(self, payout: object = None, *, law: str = "best", **questions: Any) -> Bet:
        """Return a bet of 1 on the outcome, or on a function of it.

        A class may have its own payouts: a method ``pays(outcomes, *, ...)``, which takes outcomes, an array
        (N, ...), and the named arguments of `bet`, and returns the payouts of bets of 1, (N,).

        Parameters
        ----------
        payout : callable, mapping, sequence or number, optional
            The payout of a bet of 1, the stake included: a function of an array of values (N,), a table by
            value (0 for others), or one payout per value in their order. A single number is paid if the bet
            wins: if ``of`` is true, if every reveal of Mines is safe, if every row of a tower is climbed. May
            be omitted if the value is itself the payout: with a cash-out, or a function ``of`` with other
            values than 0 and 1.
        law : str
            "as_drawn", "ideal", or "best": as drawn if that can be listed; otherwise ideal, if every draw is
            within 2**-30 of uniform.
        **questions
            As `distribution` takes them, or the class's ``pays``.

        Returns
        -------
        Bet
            Its law, its return, and rounds of it.

        Raises
        ------
        TypeError
            When the payouts aren't given.

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> pf.Dice().bet(1.98, under=50, law="ideal").exact_rtp
        Fraction(9900, 10001)
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
        from provably_fair.bets import Bet
        from provably_fair.bets.returns import RulePays, Subject, payout_missing

        rule = signature_of(self.pays).parameters if callable(self.pays) else {}
        takes_any = any(one.kind is one.VAR_KEYWORD for one in rule.values())
        if not takes_any:
            known = questions_of(self) | {
                name: one for name, one in list(rule.items())[1:] if name != "payout"
            }
            check_names(type(self).__name__, questions, known, ["payout", "law"])
        named = questions if payout is None else questions | {"payout": payout}
        if rule and (takes_any or named.keys() <= rule.keys()) and "of" not in questions:
            ruled = RulePays(self, Subject(named))
            values, kind = self._bet_law(law, {"of": ruled})
            return self._known(Bet.on_values(self, values, None, subject={"of": ruled}, pays=True), kind)
        questions = self._bet_questions(payout, questions)
        view, asked = self._view(**questions), questions.get("of")
        payout = view.payout if payout is None else payout
        if payout is None and not view.pays and not callable(asked):
            if self._needs == "payout":
                raise payout_missing(view.wins)
            raise BadType(
                "payout", f"must be given, or {self._needs} must be given: the return of a bet of 1"
            )
        values, kind = self._bet_law(law, questions)
        # Whether something holds is won or lost, and isn't money.
        is_flag = callable(asked) and set(values.outcomes.tolist()) <= {0, 1}
        wins = 1 if is_flag else view.wins
        pays = view.pays or (callable(asked) and not is_flag and not isinstance(asked, Hits))
        bet = Bet.on_values(self, values, payout, subject=questions, wins=wins, pays=pays)
        return self._known(bet, kind)

    def _known(self, bet: Bet, kind: Literal["ideal", "as_drawn"]) -> Bet:
        """Return a bet that says which law it has, and how far its return can be off.

        Draws as the scheme makes them differ from uniform ones in no event by more than the sum of their
        distances, in total variation; so no mean differs by more than that, times the range of what is paid.
        """
        assert bet.law is not None
        paid = bet.law.outcomes
        error = 0.0 if kind == "as_drawn" else draws_error(self) * float(paid[-1] - paid[0])
        return replace(bet, law_kind=kind, law_error=error, note=self._bet_note)

    @property
    def _bet_note(self) -> str:
        """What the return of its bets rests on, where that is less than its rounds show."""
        return ""

    def _bet_questions(self, payout: object, questions: dict[str, Any]) -> dict[str, Any]:
        """Return what a bet is on, where its payout says that."""
        return questions

    def _bet_law(
        self, law: str, questions: Mapping[str, Any]
    ) -> tuple[Distribution, Literal["ideal", "as_drawn"]]:
        """Return the law that is asked for, and which it is; the best is ideal only where that is as good."""
        if law != "best":
            return self.distribution(law, **questions), "as_drawn" if as_drawn(law) else "ideal"
        try:
            return self.distribution("as_drawn", **questions), "as_drawn"
        except UnlistedLawError:
            if distance_bound(self.scheme, 1) >= 2.0**-_NEARLY_UNIFORM:
                raise
            return self.distribution("ideal", **questions), "ideal"

    # The looks that tests, the table of biases and the gallery go through: see the functions of this room

    def _looks(self) -> tuple[Look, ...]:
        if not self.shape:
            return (Look("outcomes"),)
        if (values := math.prod(self.shape)) > _MAX_LOOKS:
            raise ValueError(
                f"{self!r:.60} has outcomes of {values:,} values, of which at most {_MAX_LOOKS:,} can be "
                "looked at one by one"
            )
        return tuple(Look(f"value {place}", {"of": Cell(place)}) for place in range(values))

    def _bias_looks(self) -> tuple[Look, ...]:
        return self._looks()

    def _independent_looks(self) -> tuple[Look, ...]:
        """Return looks at independent parts, which are the whole outcome together."""
        return () if self.shape else (Look("outcomes"),)

    def _look_law(self, look: Look, outcomes: np.ndarray) -> tuple[Distribution, np.ndarray]:
        ranges = law_of_ranges(self, _RANGES) if self.monotone and not self.shape else None
        if ranges is not None:
            law, edges = ranges
            return law, np.searchsorted(edges, self.observe(outcomes), side="right") - 1
        law = self.distribution(**look.subject)
        if self.shape or look.subject:
            return law, self.observe(outcomes, **look.subject)
        return law, outcomes

    @classmethod
    def _example(cls) -> Example:
        game = cls()
        look = game._looks()[0]
        title = f"{cls.__name__}: {look.title}" if game.shape else cls.__name__
        return Example(game, title, look.subject)

    # What tests of fairness work on: see `_fairness`

    def _material(self, values: np.ndarray) -> FairnessMaterial:
        from provably_fair.distribution.sequences import shuffle_material

        from ._fairness import material_by_looks

        sample = sample_of(self._rounds.run, in_order=True)
        if sample is not None and sample[0] > 1:
            size, first = sample
            # The last of a permutation is what is left.
            return shuffle_material(values[:, : size - 1] - first, size, repr(self), None)
        return material_by_looks(self, values)

    def _probabilities(
        self, values: np.ndarray, varying: dict[str, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the probability of less than each outcome, and of itself, by the parameters of its round."""
        from ._fairness import probabilities_by_round

        return probabilities_by_round(self, values, varying)

    # Pictures

    def _picture_lines(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        """Draw the outcome in lines of text, or as much of it as these steps of its walk-through give."""
        return iter(())

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
        >>> import provably_fair as pf
        >>> ax = pf.Dice().plot(47.1)
        >>> ax.texts[0].get_text()
        '47.1'
        """
        from provably_fair._core.drawing import axes, board, tile

        self._rounds.check_values()
        outcome = getattr(outcome, "outcome", outcome)
        cells = self._checked([outcome], "outcome")[0]
        rows = cells.reshape(-1, *cells.shape[-1:]) if cells.ndim else cells.reshape(1, 1)
        ax = axes(ax, 1 + 0.6 * rows.shape[1], 1 + 0.6 * rows.shape[0])
        for place, row in enumerate(rows.tolist()):
            for column, value in enumerate(row):
                tile(ax, (column, len(rows) - 1 - place), str(value))
        board(ax, rows.shape[1], len(rows))
        return ax


show_questions(Game)


def _restore(cls: type[Game], values: tuple[object, ...], scheme: Scheme) -> Game:
    game: Game = cls(*values).with_scheme(scheme)
    return game


def as_drawn(law: object) -> bool:
    """Tell which law is asked for."""
    if law not in ("ideal", "as_drawn"):
        raise BadValue("law", f'must be "ideal" or "as_drawn", got {law!r}')
    return law == "as_drawn"


def game_of(name: str, value: object) -> Any:
    """Return a game; anything else is refused."""
    check_type(name, value, Game, "a game such as Mines()")
    return value
