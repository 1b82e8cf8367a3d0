"""Playing rounds: the common part of games in Python and of the engine.

A game in Python is asked for its outcomes, with draws of many rounds (`_python_rounds`); one of the engine's
catalog is played by the engine, whatever the scheme (`_engine_rounds`).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.arguments import BadType, BadValue, check_type, doubles, rectangular
from provably_fair._core.cached import unlocked_property
from provably_fair._core.errors import ArgumentError, placed
from provably_fair._engine import Fields
from provably_fair.seeds.schemes import bind_fields, published_beside

from .draws import Draws, EndlessRoundError, SingleDraws
from .kind import AnyGame
from .naming import call_of

if TYPE_CHECKING:
    from provably_fair._core.progress import Report
    from provably_fair.distribution import Distribution, Tally
    from provably_fair.walkthrough import Walkthrough

    from .looks import Of
    from .program import Program
    from .series import Series

_ROUNDS_COUNTED_AT_A_TIME = 1 << 18
# The largest integers up to which floats are exact.
_EXACT_INTEGERS = {np.dtype(np.float32): 2**24, np.dtype(np.float64): 2**53}
_VALUES_AT_A_TIME = 1 << 22

OUTCOME_TYPES: dict[str, np.dtype] = {
    kind: np.dtype(np.float64 if kind == "f" else np.int64) for kind in "biuf"
}
"""The dtype of outcomes, by the kind of array that `outcome` returns."""


class Output(NamedTuple):
    """Options for returning outcomes: dtype or array, threads, and progress."""

    dtype: DTypeLike | None = None
    out: np.ndarray | None = None
    threads: int | None = None
    report: Report | None = None


PLAIN = Output()


class Rounds(ABC):
    """The rounds of a game, played by the engine or in Python."""

    # Shape and dtype of outcomes, if the class or its kind states them.
    stated_shape: Any = None
    stated_dtype: Any = None
    # Server seed and client seed, if they are the same in every round
    constant: tuple[str, str] | None = None
    engine: Any = None  # the engine's game; None for a game in Python
    decimals: int = 0  # the number of decimals of outcomes; 0 if it is unknown
    as_document: bool = False  # whether walk-throughs have the style of the document of salted rounds

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    @unlocked_property
    def constants(self) -> dict[str, str]:
        """The seeds that are the same in every round, by the names of their fields."""
        return dict(zip(("server_seed", "client_seed"), self.constant or (), strict=False))

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome."""

    @property
    @abstractmethod
    def dtype(self) -> np.dtype:
        """The type of outcomes."""

    @property
    def vectorized(self) -> bool:
        """Whether draws are of many rounds at once."""
        vectorized: bool = self.game.vectorized
        return vectorized

    @property
    @abstractmethod
    def steps(self) -> tuple[tuple[int, int] | None, int]:
        """The least and the largest number of an outcome in steps, if they are known; and how many are 1."""

    @abstractmethod
    def fill(self, held: Fields, parameters: Mapping[str, object], wanted: Output) -> Any:
        """Return the outcomes of many rounds, or of one, in the requested form."""

    @abstractmethod
    def outcomes(self, held: Fields, threads: int | None, report: Report | None) -> np.ndarray:
        """Return the outcomes of all rounds, in the game's dtype."""

    @abstractmethod
    def tally(self, made: Series, bins: object, threads: int | None, report: Report | None) -> Tally:
        """Count the outcomes of simulated rounds."""

    @abstractmethod
    def law(self, drawn: bool, of: Of | None) -> Distribution:
        """Return the exact law of the outcome, or of a function of it."""

    @property
    def bounds(self) -> tuple[Any, Any]:
        """The least and the largest number of an outcome; those of its dtype if they aren't known."""
        known, unit = self.steps
        if known is not None:
            return known if unit == 1 else (known[0] / unit, known[1] / unit)
        if self.dtype.kind == "f":
            return -np.inf, np.inf
        limits = np.iinfo(np.int64)
        return int(limits.min), int(limits.max)

    def check_dtype(self, argument: str, dtype: np.dtype) -> None:
        """Refuse a dtype that can't represent every outcome."""
        if not self.is_held(dtype):
            known, _ = self.steps
            wanted = self.dtype if known is None else "from {} to {}".format(*self.bounds)
            raise BadValue(argument, f"must hold every outcome of {self.game!r}: {wanted}, got {dtype}")

    def is_held(self, dtype: np.dtype) -> bool:
        """Return whether a dtype represents every outcome."""
        known, unit = self.steps
        return self.is_as_wide(dtype) or (known is not None and holds(dtype, *known, unit))

    def is_as_wide(self, dtype: np.dtype) -> bool:
        """Return whether a dtype takes all that the outcomes' own type does."""
        as_wide = dtype.kind in "iuf" and dtype.itemsize >= self.dtype.itemsize
        return as_wide and np.can_cast(self.dtype, dtype, "same_kind")

    def edges(self, bins: object) -> list[int]:
        """Return the edges of bins over all outcomes, whole numbers; refuse bins if outcomes are counted."""
        raise BadType("bins", sentence=f"{self.game!r:.60} doesn't support bins: it counts every outcome")

    # Fields and parameters by round

    def parameters(self, named: Mapping[str, object]) -> dict[str, object]:
        """Return the parameters among named arguments; refuse those that must be the same in all rounds."""
        return {}

    def bind(
        self, seeds: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[tuple[object, ...], dict[str, object], dict[str, object]]:
        """Return the fields of the scheme, positional and named, and the parameters."""
        if not named:
            return seeds, {}, {}
        parameters = self.parameters(named)
        return seeds, {name: value for name, value in named.items() if name not in parameters}, parameters

    def one(self, seeds: tuple[object, ...], named: Mapping[str, object]) -> Any:
        """Return the outcome of a round of single values in one call of the engine, if that can play it."""
        return None

    def play(self, seeds: tuple[object, ...], named: Mapping[str, object], wanted: Output) -> Any:
        """See `Game.play`."""
        seeds, named, parameters = self.bind(seeds, named)
        return self.fill(bind_fields(self.game.scheme, seeds, named), parameters, wanted)

    def series(self, rounds: object, seed: object, start: object, fields: Mapping[str, object]) -> Series:
        """Return simulated rounds, whose fields are generated."""
        parameters = self.parameters(fields)
        given = {n: value for n, value in fields.items() if value is not None and n not in parameters}
        from .series import Series

        return Series(self.game, rounds, seed, start, self.constants | given, parameters)

    def simulate(self, made: Series, wanted: Output) -> Any:
        """Return the outcomes of simulated rounds."""
        return self.fill(made.fields(), made.parameters, wanted)

    def explain(self, seeds: tuple[object, ...], named: Mapping[str, object]) -> Walkthrough:
        """Return the walk-through of a round, and check commitments among named arguments."""
        beside = published_beside(self.game.scheme)
        published = {name: value for name, value in named.items() if name in beside}
        seeds, named, parameters = self.bind(seeds, {n: v for n, v in named.items() if n not in beside})
        from .explaining import explained

        return explained(rounds_of(self.game.with_parameters(**parameters)), seeds, named, published)

    # Checks, counting, and calls of `outcome`, for rounds, laws and walk-throughs

    def check_values(self) -> None:
        """Refuse outcomes without values, which can't be compared, counted or drawn."""
        if 0 in self.shape:
            sentence = f"{self.game!r:.60} has outcomes without values, of the shape {self.shape}"
            raise BadValue("game", sentence=sentence)

    def count(
        self,
        made: Series,
        of: Callable[[np.ndarray], np.ndarray],
        threads: int | None,
        report: Report | None,
    ) -> Tally:
        """Count the values of a function of the outcomes of simulated rounds."""
        from provably_fair.distribution import Tally

        total, size = None, self.pieces(_ROUNDS_COUNTED_AT_A_TIME)
        for first in range(0, max(made.rounds, 1), size):
            now = min(size, made.rounds - first)
            values = of(self.outcomes(made.fields(first, now), threads, None))
            part = Tally(*np.unique(values, return_counts=True), now, open_ended=True)
            total = part if total is None else total + part
            if report is not None:
                report(first + now)
        assert total is not None
        return total

    @property
    def rule(self) -> Callable[[Draws], np.ndarray]:
        """The function from draws to checked outcomes by which laws are found."""
        return self.run

    @property
    def program(self) -> Program | None:
        """The program of the game's rule, if it has one."""
        return None

    def outcome(self, draws: Any) -> Any:
        """Return the outcomes of all rounds of some draws, or of one round if it isn't `vectorized`."""
        return self.game.outcome(draws)

    def run(self, draws: Draws) -> np.ndarray:
        """Return the checked outcomes of all rounds of some draws."""
        if self.vectorized:
            return self._as_outcomes(self._ask(draws), draws.rounds)
        if draws.rounds != 1:
            raise BadValue("draws", "must be of one round, as `vectorized` is False")
        return self._as_outcomes([self._ask(SingleDraws(draws))], 1)

    def _ask(self, draws: object) -> object:
        """Call `outcome`; name the game in its errors."""
        try:
            return self.outcome(draws)
        except (TypeError, ValueError) as error:
            if isinstance(error, ArgumentError) and error.place.startswith("draws."):
                raise placed(error, f"{call_of(self.game)}.outcome: ") from error
            endless = isinstance(error, EndlessRoundError)
            if self.vectorized and not endless and self._plays(1) and not self._plays(2):
                raise TypeError(
                    f"{type(self.game).__name__}.outcome uses an array of all rounds where Python wants one "
                    "value (`if`, `and`, `while`, int(), an index of a list): write np.where(...) and & | ~, "
                    "index np.array([...]), or set `vectorized = False` to be called for one round at a time"
                ) from error
            raise

    def _plays(self, rounds: int) -> bool:
        """Return whether `outcome` accepts one round with scalars, or several with arrays."""
        from ._probes import EndDraws

        draws = EndDraws(rounds)
        try:
            self.outcome(SingleDraws(draws) if rounds == 1 else draws)
        except Exception:  # a user's code may raise anything
            return False
        return True

    def _as_outcomes(self, found: object, rounds: int) -> np.ndarray:
        """Return what `outcome` returned as an array; refuse what can't be the outcomes of these rounds."""
        try:
            array = np.asarray(found)
        except ValueError:
            raise self.wrong("must return one array, got rows of different lengths") from None
        if array.dtype.kind not in OUTCOME_TYPES:
            got = "None" if found is None else f"an array of {array.dtype}"
            raise self.wrong(f"must return numbers, got {got}", BadType)
        if array.ndim == 0 or len(array) != rounds:
            cure = ": write np.stack([...], axis=1)" if array.ndim > 1 and array.shape[1] == rounds else ""
            if array.ndim == 0:
                cure = (
                    ": write np.where for `if` and axis=0 in sums of draws, or vectorized = False above a "
                    "rule of one round at a time"
                )
            raise self.wrong(
                f"must return one outcome for each of {rounds} rounds, an array of shape "
                f"({rounds}, ...), got the shape {array.shape}{cure}"
            )
        if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
            raise self.wrong(f"must return numbers below 2**63, got {array.max()}")
        shape, dtype = array.shape[1:], OUTCOME_TYPES[array.dtype.kind]
        if self.stated_shape not in (None, shape):
            stated = f"the shape {self.stated_shape} that the class states"
            raise self.wrong(f"must return outcomes of {stated}, got {shape}")
        if dtype.kind == "f" and self.stated_dtype == np.int64:
            got = f"{array.dtype}: write `dtype = float` in the class"
            raise self.wrong(f"must return whole numbers, as the class states, got {got}", BadType)
        return array.astype(self.stated_dtype or dtype, copy=False)

    def wrong(self, problem: str, error: type[BadType | BadValue] = BadValue) -> BadType | BadValue:
        """Return the error of outcomes that the game's `outcome` must not return."""
        return error("outcome", problem, place=f"{type(self.game).__name__}.")

    def pieces(self, rounds: int, numbers: int = 1) -> int:
        """Return the number of rounds to play together: fewer if each has many values or numbers."""
        return max(1, min(rounds, _VALUES_AT_A_TIME // max(math.prod(self.shape), numbers, 1)))

    def deliver(self, outcomes: np.ndarray, wanted: Output) -> Any:
        """Return outcomes in the requested dtype or array."""
        dtype, out = self.wanted_dtype(wanted), wanted.out
        if out is None:
            return outcomes if dtype is None else outcomes.astype(dtype)
        if out.shape != np.shape(outcomes):
            raise BadValue("out", f"must have the shape {np.shape(outcomes)}, got {out.shape}")
        out[...] = outcomes
        return out

    def wanted_dtype(self, wanted: Output) -> np.dtype | None:
        """Return the requested dtype, if any; refuse a dtype that can't represent every outcome."""
        dtype, out = wanted.dtype, wanted.out
        if out is not None:
            check_type("out", out, np.ndarray, "a numpy array")
        if dtype is not None:
            dtype = np.dtype(dtype)
            self.check_dtype("dtype", dtype)
            if out is not None and out.dtype != dtype:
                raise BadValue("out", f"must be of the given dtype {dtype}, got {out.dtype}")
        if out is not None:
            self.check_dtype("out", out.dtype)
            if not out.flags.writeable:
                raise BadValue("out", "must be writeable, got a read-only array")
        return dtype


def holds(dtype: np.dtype, least: int, most: int, unit: int = 1) -> bool:
    """Return whether a dtype represents all numbers from `least` to `most` steps, `unit` of which make 1."""
    if dtype.kind in "iu" and unit == 1:
        limits = np.iinfo(dtype)
        return bool(limits.min <= least and most <= limits.max)
    return bool(max(-least, most) <= _EXACT_INTEGERS.get(dtype.newbyteorder("="), -1))


def rounds_of(game: AnyGame) -> Rounds:
    """Return how a game's rounds are played, simulated, counted and explained: by the engine or by Python.

    Examples
    --------
    >>> pf.games.rounds_of(pf.Dice()).bounds, pf.games.rounds_of(pf.operators.stake.Dice()).engine
    ((0.0, 100.0), None)
    """
    rounds: Rounds = game._rounds
    return rounds


def simulated_rounds(
    game: AnyGame, rounds: int, seed: int | str = 0, start: int = 0, **fields: object
) -> Series:
    """Return simulated rounds; their method `values` gives the fields of any piece, as `play` takes them."""
    return rounds_of(game).series(rounds, seed, start, fields)


def check_outcomes(game: AnyGame, outcomes: ArrayLike, name: str = "outcomes") -> np.ndarray:
    """Return outcomes as int64 or floats, with room for what is made of them; refuse impossible ones."""
    array = rectangular(name, outcomes)
    if array.dtype.kind == "f":  # shorter floats stand for their shortest decimals
        array = doubles(array)
    if array.shape[1:] != game.shape or array.ndim != 1 + len(game.shape):
        expected = ", ".join(["N", *map(str, game.shape)])
        raise BadValue(name, f"must have the shape ({expected}), got {array.shape}")
    if array.size and array.dtype.kind not in "iuf":
        raise BadType(name, f"must be numbers, the outcomes of {game!r}, got an array of {array.dtype}")
    possible = game.kind.possible(array)
    if possible is None:
        least, most = rounds_of(game).bounds
        fit = not array.size or bool(least <= array.min() and array.max() <= most)  # NaN doesn't
        wrong = np.zeros(array.shape, bool) if fit else ~((least <= array) & (array <= most))
    else:
        wrong = ~possible
    whole = (
        game.dtype.kind != "f" and array.dtype.kind == "f"
    )  # whole numbers read as floats, as from a CSV file
    if whole:
        wrong |= array != np.floor(array)
    if wrong.any():
        row = int(np.argwhere(wrong)[0, 0])
        raise BadValue(name, f"must be an outcome of {game!r}, got {array[row].tolist()}", index=row)
    return array.astype(np.int64) if whole or array.dtype.kind == "u" or array.dtype.itemsize < 8 else array
