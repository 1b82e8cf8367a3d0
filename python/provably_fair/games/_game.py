"""What every game is: a value with parameters, and the views of its one function from draws to an outcome.

What is here holds for any game, wherever its rounds are computed. The ten of the documents are computed by
the engine (`_engine_game`).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import integer, integers, is_single, rectangular, unbox
from provably_fair._core.numbers import doubles
from provably_fair._core.table import Sheet, short
from provably_fair._core.types import Texts
from provably_fair.seeds.series import simulation_seeds

if TYPE_CHECKING:
    # At run time these are imported by the methods that need them: games are imported always, laws and
    # walk-throughs rarely.
    from matplotlib.axes import Axes

    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution
    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.distribution.tally import Tally
    from provably_fair.walkthrough import Step, Walkthrough
    from provably_fair.walkthrough.lines import Line

__all__ = ["BaseGame", "Example", "Look", "Parameter", "game_of"]

# How others name what chance is made of.
_OF_OTHERS = ("rng", "random_state", "generator", "key")

# A float type is taken where it tells all outcomes apart: integers up to these are exact in it.
_EXACT_INTEGERS = {np.dtype(np.float32): 2**24, np.dtype(np.float64): 2**53}


class Parameter(NamedTuple):
    """A whole number that decides what a game is, and its limits."""

    name: str
    default: int
    least: int
    most: int
    per_round: bool
    """Whether it may differ from round to round: it doesn't change the outcome's shape."""


class Look(NamedTuple):
    """Something about a game's outcome: its name, and the subject of `Game.distribution`."""

    title: str
    subject: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Example:
    """What a picture of all games shows of one of them: a game, and something about its outcome."""

    game: BaseGame
    title: str
    subject: Mapping[str, object] = field(default_factory=dict)
    tail: bool = False
    """Whether the probability of at least each outcome tells more, on logarithmic axes."""


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class BaseGame:
    """What all games have in common. Games are made by their own classes: `Mines`, `Dice`, ...

    A game is a value: frozen, hashable, picklable. A subclass becomes a frozen dataclass of its annotated
    parameters.
    """

    name: ClassVar[str]
    """What the game is called: the ten by one word, others with their module, so that no two collide."""
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = MappingProxyType({})
    """The whole numbers that decide outcomes, by name."""
    _unfit: ClassVar[str] = "Game must be made by the class of a game: Mines, Dice, ..."
    """Why no game can be made of the class; "" where one can."""
    _shows_law: ClassVar[bool] = False  # on pages: only where the law is found at once

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
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
        if "_unfit" in cls.__dict__:
            return
        missing = [n for n in dir(cls) if getattr(getattr(cls, n, None), "__isabstractmethod__", False)]
        cls._unfit = (
            f"{cls.__name__} must define {', '.join(missing)}, which every game has" if missing else ""
        )

    def __new__(cls, *values: Any, **named: Any) -> Self:
        known = {one.name: one for one in fields(cls)}
        listed = f"the parameters {', '.join(known)}" if known else "no parameters"
        if len(values) > len(known):
            raise TypeError(f"{cls.__name__} has {listed}, got {len(values)} values for them")
        for name in named:
            if name not in known:
                cure = ""
                if name in vars(cls):
                    cure = (
                        f"; a parameter has an annotation, `{name}: {type(vars(cls)[name]).__name__} = ...`"
                    )
                raise TypeError(f"{cls.__name__} has {listed}, got {name!r}{cure}")
        for name in [*known][len(values) :]:
            default = known[name].default, known[name].default_factory
            if name not in named and default == (MISSING, MISSING):
                raise TypeError(f"{name} must be given: {cls.__name__} has {listed}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for parameter in fields(self):
            if isinstance(getattr(self, parameter.name), np.ndarray):
                raise TypeError(
                    f"{type(self).__name__}.{parameter.name} must be a value that doesn't change, such as a "
                    "tuple, got an array"
                )
        if self._unfit:
            raise TypeError(self._unfit)
        for name, limits in self.PARAMETERS.items():
            value = integer(name, getattr(self, name), limits.least, limits.most)
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._values()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()

    def __hash__(self) -> int:
        try:
            return hash((type(self), self._identity()))
        except TypeError as error:
            raise TypeError(f"{self!r} can't be hashed, {error}: give it a tuple instead") from None

    def _values(self) -> tuple[object, ...]:
        """Return the values of its fields, in order."""
        return tuple(getattr(self, field.name) for field in fields(self))

    def _identity(self) -> tuple[object, ...]:
        """Return what makes two games of a class the same."""
        return self._values()

    def changed(self, **values: object) -> Self:
        """Return the game with other values of some of its fields.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Plinko(balls=3).changed(pins=8)
        Plinko(pins=8, balls=3)
        """
        return replace(self, **values)

    def __repr__(self) -> str:
        shown = (f"{f.name}={self._field_text(f.name)}" for f in fields(self) if f.repr)
        return f"{type(self).__name__}({', '.join(shown)})"

    def _field_text(self, name: str) -> str:
        """Return the value of a field as text, shortened where it is long."""
        value = getattr(self, name)
        return repr(value) if len(repr(value)) <= 48 else short(value)

    def _repr_html_(self) -> str:
        return self._sheet().html()

    def _sheet(self) -> Sheet:
        count, kind = math.prod(self.shape), "whole number" if self.dtype.kind in "iu" else "number"
        rows = [("outcome", f"{count} {kind}{'s' * (count > 1)}{self._between()}")]
        if len(self.shape) > 1:
            rows.append(("shape", " x ".join(map(str, self.shape))))
        rows += [
            (p.name, f"{getattr(self, p.name)}, from {p.least} to {p.most}") for p in self.PARAMETERS.values()
        ]
        rows += self._seeds_shown()
        summary = (type(self).__doc__ or "").strip().splitlines()
        named = BaseGame.__repr__(self)
        title = f"{named}: {summary[0]}" if summary else named
        return Sheet(title, ("", ""), rows, "l", self._strip if self._shows_law else None)

    def _between(self) -> str:
        """Say between which numbers outcomes are, where that is known."""
        least, most = (short(bound) for bound in self.bounds)
        return f" from {least} to {most}"

    def _seeds_shown(self) -> list[tuple[str, str]]:
        """Return what a table says of the seeds."""
        return [("seeds", "constant, with a salt for each round")] if self.constant_seeds is not None else []

    def _strip(self) -> str:
        from provably_fair.distribution.showing import law_strip

        return law_strip(self.distribution())

    # What it is

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome; () for a single value."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[Any, Any]:
        """The least and the largest number that an outcome can hold."""

    @cached_property
    def dtype(self) -> np.dtype:
        """The type of outcomes: int64, or float64 where they have decimals."""
        return np.dtype(np.int64)

    @property
    def parameters(self) -> dict[str, int]:
        """The whole numbers that decide outcomes, by name."""
        return {name: getattr(self, name) for name in self.PARAMETERS}

    @property
    def constant_seeds(self) -> tuple[str, str] | None:
        """Server seed and client seed of every round, where they are constant; else None."""
        return None

    @property
    def multiplayer(self) -> bool:
        """Whether many players share a round, which then has the constant seeds of `BLOCK_HASHES`."""
        return self.constant_seeds is not None

    def simulation_seeds(
        self, name: str, server_seed: Texts | None = None, client_seed: Texts | None = None
    ) -> tuple[Any, Any]:
        """Return both seeds of a simulation.

        Parameters
        ----------
        name : str
            The name of the series of salts.
        server_seed, client_seed : str, bytes, or array-like of them, optional
            Those that are given stay. By default the constant seeds, where the game has some, else the
            SHA-256 of ``f"{name}:server"`` and ``f"{name}:client"`` in hexadecimal.

        Returns
        -------
        tuple
            Server seed and client seed.

        Examples
        --------
        >>> import provably_fair as pf
        >>> server_seed, client_seed = pf.Dice().simulation_seeds("0")
        >>> server_seed == pf.commitment("0:server")  # a SHA-256
        True
        >>> pf.Double().simulation_seeds("0") == pf.Double().constant_seeds
        True
        """
        if self.constant_seeds is None:
            return simulation_seeds(name, server_seed, client_seed)
        server, client = self.constant_seeds
        return server if server_seed is None else server_seed, client if client_seed is None else client_seed

    # Rounds

    @abstractmethod
    def play(self, *seeds: object, **options: object) -> Any:
        """Return the outcome of one round, or of many.

        Parameters
        ----------
        *seeds : str, bytes, or array-like of them
            The seeds of the round, or N of each.
        **options
            Other options of the game.

        Returns
        -------
        numpy scalar or numpy.ndarray
            One round: an outcome, of the game's shape. N rounds: an array of shape (N,) + the game's shape.

        Examples
        --------
        >>> import provably_fair as pf
        >>> games = [pf.Mines(), pf.Tower()]
        >>> [game.play("", "", "").shape for game in games]
        [(3,), (10, 1)]
        """

    @abstractmethod
    def simulate(self, rounds: int, **options: object) -> np.ndarray:
        """Return the outcomes of many rounds, whose seeds are made by number.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        **options
            Other options of the game.

        Returns
        -------
        numpy.ndarray
            Shape (rounds,) + the game's shape.

        Examples
        --------
        >>> import provably_fair as pf
        >>> [game.simulate(100).shape for game in (pf.Mines(), pf.Tower())]
        [(100, 3), (100, 10, 1)]
        """

    @abstractmethod
    def tally(self, rounds: int, **options: object) -> Tally:
        """Count the outcomes of many rounds.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        **options
            As in `simulate`.

        Returns
        -------
        Tally
            Outcomes, counts, rounds.

        Examples
        --------
        >>> import provably_fair as pf
        >>> [int(game.tally(100).counts.sum()) for game in (pf.Double(), pf.X50())]
        [100, 100]
        """

    @abstractmethod
    def explain(self, *seeds: object, **options: object) -> Walkthrough:
        """Return the walk-through of one round: how its seeds become its outcome.

        Parameters
        ----------
        *seeds : str or bytes
            The seeds of the round.
        **options
            As in `play`, for this round.

        Returns
        -------
        Walkthrough
            Its outcome is that of `play`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> [game.explain("", "", "").title for game in (pf.Dice(), pf.Mines())]
        ['Dice()', 'Mines(mines=3)']
        """

    def with_parameters(self, **parameters: object) -> Self:
        """Return the game with other parameters, of those that may differ from round to round.

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
                raise ValueError(f"{name} must be one integer, the same for all rounds")
        return self.widest(**parameters)

    def widest(self, **parameters: object) -> Self:
        """Return the game whose outcomes hold those of all rounds of a call.

        Parameters
        ----------
        **parameters
            As in `play`: whole numbers for all rounds, or one for each; None for the game's own.

        Returns
        -------
        Game
            With the largest value of each parameter.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Jackpot().widest(tickets=[10, 2000, 30])
        Jackpot(tickets=2000)
        """
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
            game = game.changed(**{name: largest})
        return game

    def _per_round(self, name: str) -> Parameter:
        parameter = self.PARAMETERS.get(name)
        if parameter is None:
            cure = ""
            if name in _OF_OTHERS:
                cure = ": rounds are made of seeds and salts, and another seed= gives another series of them"
            elif varying := [known for known, p in self.PARAMETERS.items() if p.per_round]:
                cure = f": {', '.join(varying)} may"
            raise TypeError(f"{type(self).__name__} has no parameter {name!r} that may vary by round{cure}")
        if not parameter.per_round:
            raise TypeError(f"{name} must be the same in all rounds of a call: it sets the outcome's shape")
        return parameter

    # Its law

    @abstractmethod
    def distribution(self, law: str = "ideal") -> Distribution:
        """Return the exact law of the outcome; a game's own class says of what else about it.

        Parameters
        ----------
        law : str
            "ideal": the numbers behind the outcome are uniform on [0, 1). "as_drawn": as they are drawn,
            every rounding included.

        Returns
        -------
        Distribution
            The law.

        Examples
        --------
        >>> import provably_fair as pf
        >>> [len(game.distribution()) for game in (pf.Double(), pf.Plinko())]
        [15, 17]
        """

    def observe(self, outcomes: ArrayLike) -> np.ndarray:
        """Return, for simulated outcomes, the values that `distribution` is of.

        Parameters
        ----------
        outcomes : array-like, shape (N,) + the game's shape
            As `simulate` returns them.

        Returns
        -------
        numpy.ndarray
            Shape (N,): the outcomes themselves. What the game can't give is refused.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().observe([3, 14])
        array([ 3, 14])
        """
        return self.check_outcomes(outcomes)

    def check_outcomes(self, outcomes: ArrayLike, name: str = "outcomes") -> np.ndarray:
        """Return outcomes as an array; what the game can't give is refused.

        Parameters
        ----------
        outcomes : array-like, shape (N,) + the game's shape
            As `simulate` returns them. Integers may be written as floats.
        name : str
            What messages call them.

        Returns
        -------
        numpy.ndarray
            The outcomes.

        Raises
        ------
        TypeError, ValueError
            When their type, their shape or a value isn't one of the game's. The message names the row.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().check_outcomes([3.0, 14.0])
        array([ 3, 14])
        """
        array = rectangular(name, outcomes)
        if array.shape[1:] != self.shape or array.ndim != 1 + len(self.shape):
            expected = ", ".join(["N", *map(str, self.shape)])
            raise ValueError(f"{name} must have the shape ({expected}), got {array.shape}")
        if array.size and array.dtype.kind not in "iuf":
            raise TypeError(f"{name} must be those of {self!r}, got an array of {array.dtype}")
        wrong = self._impossible(array)
        whole = self.dtype.kind != "f" and array.dtype.kind == "f"  # integers, as a file of numbers has them
        if whole:
            wrong |= array != np.floor(array)
        if wrong.any():
            row = int(np.argwhere(wrong)[0, 0])
            raise ValueError(f"{name}[{row}] must be an outcome of {self!r}, got {array[row].tolist()}")
        return array.astype(np.int64) if whole else array

    def _impossible(self, outcomes: np.ndarray) -> np.ndarray:
        """Tell which numbers are outside of what the game gives; NaN is."""
        least, most = self.bounds
        found: np.ndarray = ~((least <= outcomes) & (outcomes <= most))
        return found

    # Bets on it

    def bet(self, payout: object = None, *, law: str = "as_drawn", **subject: object) -> Bet:
        """Return a bet of 1 on the outcome, or on something about it.

        Parameters
        ----------
        payout : callable, mapping, sequence or number, optional
            What a bet of 1 brings back, the stake included, by the value of the subject (see
            `Distribution.expect`). A number is paid where the bet wins: on Mines where every reveal is safe,
            on Tower where every row is climbed; elsewhere nothing is. May be left out where the subject is
            paid itself, as a cash-out is.
        law : str
            "as_drawn" or "ideal".
        **subject
            What is bet on, as `distribution` takes it.

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
        >>> import provably_fair as pf
        >>> pf.Dice().bet(1.98, under=50, law="ideal").exact_rtp
        Fraction(9900, 10001)
        >>> pf.Mines(mines=3).bet(2, reveals=5).rtp, pf.Crash().bet(cash_out=2.0).rtp
        (0.991304347826087, 0.95238)
        """
        from provably_fair.bets import Bet

        ruled = self._by_rule(payout, subject)
        if ruled is not None:
            values, of = self.distribution(law, of=ruled), {"of": ruled}  # type: ignore[call-arg]
            return Bet.on_values(self, values, None, subject=of, pays=True)
        values = self.distribution(law, **subject)
        wins, pays = self._win_value(subject, values), self._is_paid(subject)
        return Bet.on_values(self, values, payout, subject=subject, wins=wins, pays=pays)

    def _by_rule(self, payout: object, subject: Mapping[str, object]) -> object:
        """Return what the game's own rule pays, as a function of outcomes; None where it isn't asked."""
        return None

    def _win_value(self, subject: Mapping[str, object], values: Distribution) -> object:
        """Return the value of a subject that wins a bet; None where it isn't won or lost."""
        return None

    def _is_paid(self, subject: Mapping[str, object]) -> bool:
        """Tell whether the values of a subject are what a bet of 1 brings back."""
        return False

    # The looks that tests, the table of biases and the gallery go through

    def looks(self) -> tuple[Look, ...]:
        """Return what tests of outcomes look at, one after the other.

        Returns
        -------
        tuple of Look
            Of games of one value the outcome. Games of several values look at each cell, row or reel.

        Examples
        --------
        >>> import provably_fair as pf
        >>> [look.title for look in pf.Slot().looks()]
        ['reel 0', 'reel 1', 'reel 2', 'reel 3', 'reel 4']
        """
        return (Look("outcomes"),)

    def bias_looks(self) -> tuple[Look, ...]:
        """Return where the game's largest bias is looked for.

        Returns
        -------
        tuple of Look
            Those of `looks`, where the game doesn't say otherwise.

        Examples
        --------
        >>> import provably_fair as pf
        >>> dict(pf.Tower().bias_looks()[0].subject)
        {'positions': 0, 'rows': 1}
        """
        return self.looks()

    def look_law(self, look: Look, outcomes: np.ndarray) -> tuple[Distribution, np.ndarray]:
        """Return the law of something about an outcome, and its values in outcomes, for a chi-square test.

        Parameters
        ----------
        look : Look
            One of `looks`.
        outcomes : numpy.ndarray
            As `simulate` returns them.

        Returns
        -------
        law : Distribution
            Of a number of values that can be listed: ranges of them where there are more.
        values : numpy.ndarray
            What came up, in the terms of the law; where that is the outcome itself, impossible ones too.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.Jackpot(tickets=10**15)
        >>> law, values = game.look_law(game.looks()[0], game.simulate(1000))
        >>> len(law)
        100
        """
        law = self.distribution(**look.subject)
        if self.shape or look.subject:
            return law, self.observe(outcomes, **look.subject)
        return law, outcomes

    @classmethod
    def example(cls) -> Example:
        """Return what a picture of all games shows of this one.

        Returns
        -------
        Example
            A game, something about its outcome, and a title.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines.example().title
        'Mines: in the top row'
        """
        return Example(cls(), cls.__name__)

    # What tests of fairness work on

    def fairness_material(self, data: ArrayLike, **parameters: object) -> FairnessMaterial:
        """Return outcomes as sequences of independent values whose laws are known, for `fairness_report`.

        Parameters
        ----------
        data : array-like, shape (N,) + the game's shape
            Outcomes, as `simulate` returns them. Values that the game can't give are for the tests to find.
        **parameters
            Those of these rounds, as in `play`: one for all, or one for each.

        Returns
        -------
        FairnessMaterial
            Sequences, the places of a round, and what tells two rounds apart.

        Raises
        ------
        TypeError, ValueError
            When the outcomes don't have the game's type and shape.

        Examples
        --------
        >>> import provably_fair as pf
        >>> material = pf.Plinko(balls=3).fairness_material(pf.Plinko(balls=3).simulate(1000))
        >>> material.sequences[0].name, len(material.columns)
        ('balls', 3)
        """
        values = rectangular("data", data)
        if values.ndim != 1 + len(self.shape) or values.shape[1:] != self.shape:
            raise ValueError(f"data must have the shape (N, *{self.shape}) of {self!r}, got {values.shape}")
        if values.dtype.kind not in ("iuf" if self.dtype.kind == "f" else "iu"):
            raise TypeError(f"data must be outcomes of {self!r}, got an array of {values.dtype}")
        if values.dtype.kind == "f":
            values = doubles(values)
        varying = {
            name: integers(name, value)
            for name, value in parameters.items()
            if value is not None and not is_single(value)
        }
        game = self.with_parameters(**{k: v for k, v in parameters.items() if k not in varying})
        return game._varying_material(values, varying) if varying else game._material(values)

    def _varying_material(self, values: np.ndarray, varying: dict[str, np.ndarray]) -> FairnessMaterial:
        """Give outcomes of rounds whose parameters differ: each of the law of its round."""
        from provably_fair.distribution.sequences import FairnessMaterial, LawSequence, quantile_sequence

        for name, column in varying.items():
            parameter = self._per_round(name)
            if len(column) != len(values):
                raise ValueError(f"{name} must be {len(values)}, one for each row of data, got {len(column)}")
            wrong = (column < parameter.least) | (column > parameter.most)
            if wrong.any():
                row = int(np.flatnonzero(wrong)[0])
                limits = f"from {parameter.least} to {parameter.most}"
                raise ValueError(f"{name}[{row}] must be {limits}, got {column[row]}")
        sequence = quantile_sequence("quantiles", values, *self._probabilities(values, varying))
        numbers = sequence.uniform
        assert numbers is not None
        columns = numbers.reshape(len(values), -1).T
        places = [LawSequence(f"place {i + 1}", None, None, column) for i, column in enumerate(columns)]
        subject = f"{type(self).__name__} with {' and '.join(varying)} by round"
        return FairnessMaterial(subject, len(values), [sequence], places if len(places) > 1 else [])

    def _probabilities(
        self, values: np.ndarray, varying: dict[str, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the probability of less than each outcome, and of itself, by the parameters of its round."""
        from provably_fair.distribution.sequences import probabilities

        kinds, kind = np.unique(np.stack(list(varying.values()), axis=1), axis=0, return_inverse=True)
        order = np.argsort(kind.ravel(), kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(kind.ravel()[order])) + 1)
        laws = (
            (rows, self.with_parameters(**dict(zip(varying, settings, strict=True))).distribution())
            for rows, settings in zip(groups, kinds.tolist(), strict=True)
        )
        return probabilities(values, laws)

    def _material(self, values: np.ndarray) -> FairnessMaterial:
        from provably_fair.distribution.sequences import FairnessMaterial, law_sequence

        sequences = []
        for look in self.looks():
            law, observed = self.look_law(look, values)
            sequences.append(law_sequence(look.title, observed, law))
        return FairnessMaterial(repr(self), len(values), sequences)

    # Pictures

    def picture_lines(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        """Draw the outcome in lines of text, or as much of it as these steps of its walk-through give.

        Parameters
        ----------
        outcome : numpy.ndarray
            The outcome of a round.
        steps : sequence of Step
            The steps that are shown.

        Yields
        ------
        sequence of str
            The pieces of a line; those that are highlighted are a `walkthrough.Mark`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.Mines()
        >>> "".join(next(game.picture_lines(game.play("", "", ""), [])))
        'the board, mines in brackets'
        """
        return iter(())

    def plot(self, outcome: Any, *, ax: Axes | None = None) -> Axes:
        """Draw the outcome of a round (needs matplotlib).

        Parameters
        ----------
        outcome : array-like, or Walkthrough
            The outcome, such as `play` returns, or the round's walk-through.
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

        outcome = getattr(outcome, "outcome", outcome)
        cells = self.check_outcomes([outcome], "outcome")[0]
        rows = cells.reshape(-1, *cells.shape[-1:]) if cells.ndim else cells.reshape(1, 1)
        ax = axes(ax, 1 + 0.6 * rows.shape[1], 1 + 0.6 * rows.shape[0])
        for place, row in enumerate(rows.tolist()):
            for column, value in enumerate(row):
                tile(ax, (column, len(rows) - 1 - place), str(value))
        board(ax, rows.shape[1], len(rows))
        return ax

    # Checks

    def check_dtype(self, argument: str, dtype: np.dtype) -> None:
        """Refuse a type that doesn't hold all outcomes or doesn't tell them apart.

        Parameters
        ----------
        argument : str
            What the message names.
        dtype : numpy.dtype
            The type.

        Raises
        ------
        ValueError
            When outcomes would be lost.

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> pf.Dice().check_dtype("dtype", np.dtype("float32"))
        >>> pf.Dice().check_dtype("dtype", np.dtype("float16"))
        Traceback (most recent call last):
        ...
        ValueError: dtype must hold every outcome from 0.00 to 100.00, got float16
        """
        unit = self._unit
        least, most = (round(bound * unit) for bound in self.bounds)
        if dtype.kind in "iu" and unit == 1:
            limits = np.iinfo(dtype)
            if limits.min <= least and most <= limits.max:
                return
        elif most <= _EXACT_INTEGERS.get(dtype.newbyteorder("="), -1):
            return
        bounds = f"{least} to {most}" if unit == 1 else f"{least / unit:.2f} to {most / unit:.2f}"
        raise ValueError(f"{argument} must hold every outcome from {bounds}, got {dtype}")

    @cached_property
    def _unit(self) -> int:
        """How many steps of outcomes there are in 1: 100 where they have two decimals."""
        return 100 if self.dtype.kind == "f" else 1


def as_drawn(law: object) -> bool:
    """Tell which law is asked for."""
    if law not in ("ideal", "as_drawn"):
        raise ValueError(f'law must be "ideal" or "as_drawn", got {law!r}')
    return law == "as_drawn"


def game_of(name: str, value: object) -> Any:
    """Return a game; anything else is refused."""
    if not isinstance(value, BaseGame):
        raise TypeError(f"{name} must be a game such as Mines(), got {type(value).__name__}")
    return value
