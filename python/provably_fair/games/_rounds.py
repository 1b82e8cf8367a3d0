"""How rounds are played: what a game has, by its kind; chosen when its scheme is set.

A game in Python is asked for its outcomes, with draws of many rounds; one of the engine's catalog is played
by the engine, whatever the scheme.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    check_type,
    integer,
    integers,
    is_single,
    threads_of,
)
from provably_fair._core.errors import ArgumentError, placed
from provably_fair._core.progress import Report
from provably_fair._engine import Fields
from provably_fair.seeds.rounds import SimulatedRounds
from provably_fair.seeds.schemes import SALTED, bind_fields, draws, engine_scheme

from ._streams import CountedDraws, RandomDraws, StreamDraws
from .draws import MAX_DRAWS_ASKED, MAX_DRAWS_TRIED, Draws, EndlessRoundError, SingleDraws
from .parameters import parameters_of

if TYPE_CHECKING:
    from provably_fair.distribution import Tally
    from provably_fair.walkthrough import Walkthrough

__all__ = ["EngineRounds", "PythonRounds", "Series"]

# Rounds that are drawn together: their draws stay in the cache of a core.
_ROUNDS_AT_A_TIME = 1 << 13
_ROUNDS_COUNTED_AT_A_TIME = 1 << 18
_ROUNDS_TOLD = 256  # of those that are played one by one
_VALUES_AT_A_TIME = 1 << 22
_MAX_AHEAD = 1 << 12
# Two counts of rounds: no outcome has both as the number of its values.
_TRIED = (2, 3)
# A float type is taken where it tells all outcomes apart: integers up to these are exact in it.
_EXACT_INTEGERS = {np.dtype(np.float32): 2**24, np.dtype(np.float64): 2**53}
# The types of single values, as the engine gives them and as users see them.
_SCALARS: dict[type, Any] = {int: np.int64, float: np.float64}
# The type of outcomes, by the kind of what `outcome` returns.
_TYPES: dict[str, Any] = {"b": np.int64, "i": np.int64, "u": np.int64, "f": np.float64}
_SALTED = ("server_seed", "client_seed", "salt")


class Series(SimulatedRounds):
    """Rounds that are simulated: their fields, and the parameters of the game that are given with them."""

    def __init__(
        self,
        game: Any,
        rounds: object,
        seed: object,
        start: object,
        fields: Mapping[str, Any],
        parameters: Mapping[str, object],
    ) -> None:
        super().__init__(game.scheme, rounds, seed, start, fields)
        self.parameters: dict[str, object] = {
            name: value for name, value in parameters.items() if value is not None
        }

    def columns(self) -> dict[str, Any]:
        """Return the columns of the log of these rounds, without the outcome."""
        return self.values() | self.parameters


class PythonRounds:
    """The rounds of a game in Python: draws of many rounds at once are answered with arrays."""

    def __init__(self, game: Any) -> None:
        self.game = game

    # What is known of outcomes beforehand: what the class states, and else what trials show

    @cached_property
    def trial(self) -> tuple[tuple[int, ...], np.dtype, int]:
        """The shape and the type of outcomes in trial rounds, and how many numbers a round uses."""
        try:
            return self._try(CountedDraws)
        except EndlessRoundError:  # constant draws may never be what a loop waits for
            pass
        try:
            return self._try(RandomDraws)
        except EndlessRoundError as error:
            sentence = (
                f"{error}. This was a trial round: if rounds need more, state `shape` and `dtype` in the "
                f"class {type(self.game).__name__}, such as `shape = (3,)` and `dtype = int`, which isn't "
                "tried then"
            )
            raise BadValue("outcome", sentence=sentence) from None

    def _try(self, draws_of: type[CountedDraws]) -> tuple[tuple[int, ...], np.dtype, int]:
        """Play trial rounds, whose draws are the least and the largest or random."""
        counts = _TRIED if self.game.vectorized else (1, 1)
        tried = [draws_of(first, rounds) for first, rounds in enumerate(counts)]
        one, other = (self.run(draws) for draws in tried)
        if one.shape[1:] != other.shape[1:]:
            raise self._shape_error(one.shape[1:], other.shape[1:])
        return one.shape[1:], np.result_type(one, other), max(draws.numbers for draws in tried)

    @cached_property
    def stated_shape(self) -> tuple[int, ...] | None:
        """The shape of one outcome that the class states, if it does."""
        stated = self.game._stated_shape
        if stated is None:
            return None
        place = f"{type(self.game).__name__}."
        if not isinstance(stated, tuple):
            problem = f"must be a tuple such as (3,), or () for one value, got {stated!r:.50}"
            raise BadType("shape", problem, place=place)
        return tuple(integer("shape", size, 0, place=place) for size in stated)

    @cached_property
    def stated_dtype(self) -> np.dtype | None:
        """The type of outcomes that the class states, if it does; int64 where it states the shape alone."""
        stated = self.game._stated_dtype
        if stated is None:
            return None if self.stated_shape is None else np.dtype(np.int64)
        try:
            kind = np.dtype(stated).kind
        except (TypeError, ValueError):
            kind = ""
        if kind not in _TYPES:
            place = f"{type(self.game).__name__}."
            raise BadType("dtype", f"must be int or float, got {stated!r:.50}", place=place)
        dtype: np.dtype = np.dtype(_TYPES[kind])
        return dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome."""
        return self.trial[0] if self.stated_shape is None else self.stated_shape

    @property
    def dtype(self) -> np.dtype:
        """The type of outcomes."""
        return self.trial[1] if self.stated_dtype is None else self.stated_dtype

    @property
    def bounds(self) -> tuple[Any, Any]:
        """The least and the largest number that an outcome can hold: those of its type."""
        if self.dtype.kind == "f":
            return -np.inf, np.inf
        limits = np.iinfo(np.int64)
        return int(limits.min), int(limits.max)

    decimals = 0

    def between(self) -> str:
        """Say between which numbers outcomes are, where that is known."""
        return ""

    def check_dtype(self, argument: str, dtype: np.dtype) -> None:
        """Refuse a type that may not hold the outcomes: those of a game in Python aren't known beforehand."""
        fits = dtype.kind in "iuf" and np.can_cast(self.dtype, dtype, "same_kind")
        if not fits or dtype.itemsize < self.dtype.itemsize:
            raise BadValue(argument, f"must hold every outcome of {self.game!r}: {self.dtype}, got {dtype}")

    def check_values(self) -> None:
        """Refuse outcomes without values, of which there is nothing to compare, count or draw."""
        if 0 in self.shape:
            sentence = f"{self.game!r:.60} has outcomes without values, of the shape {self.shape}"
            raise BadValue("game", sentence=sentence)

    # Rounds

    def play(
        self,
        seeds: tuple[object, ...],
        named: Mapping[str, object],
        dtype: DTypeLike | None,
        out: np.ndarray | None,
        threads: object,
    ) -> Any:
        """Return the outcome of a round, or of many, by the fields of the scheme."""
        held = bind_fields(self.game.scheme, seeds, named)
        return self._deliver(self.outcomes(held, threads_of(threads), None), held.many, dtype, out)

    def series(self, rounds: object, seed: object, start: object, fields: Mapping[str, object]) -> Series:
        """Return what makes the fields of simulated rounds."""
        return Series(self.game, rounds, seed, start, fields, {})

    def simulate(
        self,
        made: Series,
        dtype: DTypeLike | None,
        out: np.ndarray | None,
        threads: int | None,
        report: Report | None,
    ) -> Any:
        """Return the outcomes of simulated rounds."""
        held = made.fields()
        return self._deliver(self.outcomes(held, threads, report), held.many, dtype, out)

    def count(
        self,
        made: Series,
        of: Callable[[np.ndarray], np.ndarray],
        threads: int | None,
        report: Report | None,
    ) -> Tally:
        """Count what a function makes of the outcomes of simulated rounds."""
        from provably_fair.distribution import Tally

        total, size = None, self._pieces(_ROUNDS_COUNTED_AT_A_TIME)
        for first in range(0, max(made.rounds, 1), size):
            now = min(size, made.rounds - first)
            values = of(self.outcomes(made.fields(first, now), threads, None))
            part = Tally(*np.unique(values, return_counts=True), now, open_ended=True)
            total = part if total is None else total + part
            if report is not None:
                report(first + now)
        assert total is not None
        return total

    def tally(self, made: Series, bins: object, threads: int | None, report: Report | None) -> Tally:
        """Count the outcomes of simulated rounds."""
        if bins is not None:
            raise BadType("bins", sentence=f"{self.game!r:.60} doesn't support bins: it counts every outcome")
        self.check_values()
        return self.count(made, lambda outcomes: outcomes, threads, report)

    def explain(self, seeds: tuple[object, ...], named: Mapping[str, object]) -> Walkthrough:
        """Return the walk-through of a round."""
        return self._explained(seeds, named)

    def _explained(
        self, seeds: tuple[object, ...], named: Mapping[str, object], *, salted: bool = False
    ) -> Walkthrough:
        from .explaining import explain_under

        scheme = self.game.scheme
        held = bind_fields(scheme, seeds, named)
        fields = dict(zip(scheme.fields, seeds, strict=False)) | dict(named)
        if held.many:
            name = next(name for name, value in fields.items() if np.ndim(value))
            raise BadType(
                name,
                f"must be one {'text' if salted else 'value'}: {type(self.game).__name__}.explain "
                "is of one round",
            )
        return explain_under(self.game, held, fields, self.run, salted)

    # From draws to outcomes

    def run(self, draws: Draws) -> np.ndarray:
        """Return what `outcome` makes of draws, checked: one outcome for each of their rounds."""
        if not self.game.vectorized:
            return self._one_by_one(draws)
        return self._as_outcomes(self._ask(draws), draws.rounds)

    def _ask(self, draws: object) -> object:
        """Return what `outcome` returns; its errors name the game."""
        try:
            return self.game.outcome(draws)
        except (TypeError, ValueError) as error:
            if isinstance(error, ArgumentError) and error.place.startswith("draws."):
                raise placed(error, f"{self.game._title()}.outcome: ") from error
            endless = isinstance(error, EndlessRoundError)
            if self.game.vectorized and not endless and self._plays(1) and not self._plays(2):
                raise TypeError(
                    f"{type(self.game).__name__}.outcome uses an array of all rounds where Python wants one "
                    "value (`if`, `and`, `while`, int(), an index of a list): write np.where(...) and & | ~, "
                    "index np.array([...]), or set `vectorized = False` to be called for one round at a time"
                ) from error
            raise

    def _plays(self, rounds: int) -> bool:
        """Tell whether `outcome` takes a round with single values, or several with arrays."""
        draws = CountedDraws(0, rounds)
        try:
            self.game.outcome(SingleDraws(draws) if rounds == 1 else draws)
        except Exception:  # whatever a user's code raises
            return False
        return True

    def _one_by_one(self, draws: Draws) -> np.ndarray:
        if draws.rounds != 1:
            raise BadValue("games", "that take rounds one by one have draws of one round")
        return self._as_outcomes([self._ask(SingleDraws(draws))], 1)

    def _as_outcomes(self, found: object, rounds: int) -> np.ndarray:
        cls = type(self.game).__name__
        try:
            array = np.asarray(found)
        except ValueError:
            raise BadValue(
                "outcome", "must return one array, got rows of different lengths", place=f"{cls}."
            ) from None
        if array.dtype.kind not in _TYPES:
            raise BadType("outcome", f"must return numbers, got {_describe(found, array)}", place=f"{cls}.")
        if array.ndim == 0 or len(array) != rounds:
            cure = ": write np.stack([...], axis=1)" if array.ndim > 1 and array.shape[1] == rounds else ""
            raise BadValue(
                "outcome",
                f"must return one outcome for each of {rounds} rounds, an array of shape "
                f"({rounds}, ...), got the shape {array.shape}{cure}",
                place=f"{cls}.",
            )
        if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
            raise BadValue("outcome", f"must return numbers below 2**63, got {array.max()}", place=f"{cls}.")
        shape, dtype = array.shape[1:], np.dtype(_TYPES[array.dtype.kind])
        if self.stated_shape not in (None, shape):
            raise BadValue(
                "outcome",
                f"must return outcomes of the shape {self.stated_shape} that the class states, got {shape}",
                place=f"{cls}.",
            )
        if dtype.kind == "f" and self.stated_dtype == np.int64:
            raise BadType(
                "outcome",
                f"must return whole numbers, as the class states, got {array.dtype}: write "
                "`dtype = float` in the class",
                place=f"{cls}.",
            )
        return array.astype(self.stated_dtype or dtype, copy=False)

    def _shape_error(self, one: tuple[int, ...], other: tuple[int, ...]) -> ValueError:
        problem = f"must return outcomes of one shape, got {one} and {other}"
        return BadValue("outcome", problem, place=f"{type(self.game).__name__}.")

    def outcomes(self, held: Fields, threads: int | None, report: Report | None) -> np.ndarray:
        """Return the outcomes of all rounds of some fields, in their own type."""
        # Words that each round is known to use are computed together, as far as there is room for them.
        numbers = min(self.trial[2], _MAX_AHEAD) if self.stated_shape is None else 0
        try:
            outcomes = np.empty((len(held), *self.shape), dtype=self.dtype)
        except (MemoryError, ValueError):
            raise MemoryError(f"the outcomes of {len(held)} rounds don't fit into memory") from None
        most = min(self.game._max_draws, MAX_DRAWS_TRIED if self.game.vectorized else MAX_DRAWS_ASKED)
        size = self._pieces(_ROUNDS_AT_A_TIME, numbers) if self.game.vectorized else 1

        def fill(first: int) -> int:
            now = min(size, len(outcomes) - first)
            streams = draws(self.game.scheme, held, first, now, ahead=numbers)
            found = self.run(StreamDraws(streams, most))
            if found.shape[1:] != self.shape:
                raise self._shape_error(self.shape, found.shape[1:])
            if found.dtype.kind == "f" and outcomes.dtype.kind != "f":
                problem = (
                    f"must return numbers of one type, got whole numbers for some rounds and {found.dtype} "
                    "for others: return floats for all"
                )
                raise BadType("outcome", problem, place=f"{type(self.game).__name__}.")
            outcomes[first : first + now] = found
            return first + now

        firsts = range(0, len(outcomes), size)
        for done in _on_threads(fill, firsts, threads if self.game.vectorized else 1):
            if report is not None and (size > 1 or done % _ROUNDS_TOLD == 0 or done == len(outcomes)):
                report(done)
        return outcomes

    def _pieces(self, rounds: int, numbers: int = 1) -> int:
        """Return how many rounds are played together: fewer where each has many values or numbers."""
        return max(1, min(rounds, _VALUES_AT_A_TIME // max(math.prod(self.shape), numbers, 1)))

    def _wanted_dtype(self, dtype: DTypeLike | None, out: np.ndarray | None) -> np.dtype | None:
        """Return the type that outcomes are asked in, if any, which is that of `out`."""
        if dtype is None:
            return None
        wanted = np.dtype(dtype)
        self.check_dtype("dtype", wanted)
        if out is not None and out.dtype != wanted:
            raise BadValue("out", f"must be of the given dtype {wanted}, got {out.dtype}")
        return wanted

    def _deliver(
        self, outcomes: np.ndarray, many: bool, dtype: DTypeLike | None, out: np.ndarray | None
    ) -> Any:
        """Return outcomes as they are asked for: in another type, in the caller's array, or of one round."""
        wanted = outcomes if many else outcomes[0]
        dtype = self._wanted_dtype(dtype, out)
        if out is None:
            return wanted if dtype is None else wanted.astype(dtype)
        check_type("out", out, np.ndarray, "a numpy array")
        if out.shape != np.shape(wanted):
            raise BadValue("out", f"must have the shape {np.shape(wanted)}, got {out.shape}")
        self.check_dtype("out", out.dtype)
        out[...] = wanted
        return out


class EngineRounds(PythonRounds):
    """The rounds of a game of the engine's catalog, under any scheme."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.engine = game._engine
        self.salted = game.scheme == SALTED
        self.constant = game._constant_seeds

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome."""
        return tuple(self.engine.shape)

    @cached_property
    def dtype(self) -> np.dtype:
        """The type of outcomes: int64, or float64 where they have decimals."""
        return np.dtype(np.float64 if self.engine.decimals else np.int64)

    @cached_property
    def bounds(self) -> tuple[Any, Any]:
        """The least and the largest number that an outcome can hold."""
        least, most = self.engine.bounds
        return (least, most) if self.unit == 1 else (least / self.unit, most / self.unit)

    @property
    def decimals(self) -> int:
        """How many decimals outcomes have."""
        found: int = self.engine.decimals
        return found

    @cached_property
    def unit(self) -> int:
        """How many steps of outcomes there are in 1: 100 where they have two decimals."""
        return 100 if self.engine.decimals else 1

    def between(self) -> str:
        """Say between which numbers outcomes are."""
        least, most = self.bounds
        return f" from {least} to {most}"

    def check_dtype(self, argument: str, dtype: np.dtype) -> None:
        """Refuse a type that doesn't hold all outcomes or doesn't tell them apart."""
        least, most = self.engine.bounds
        if dtype.kind in "iu" and self.unit == 1:
            limits = np.iinfo(dtype)
            if limits.min <= least and most <= limits.max:
                return
        elif most <= _EXACT_INTEGERS.get(dtype.newbyteorder("="), -1):
            return
        unit = self.unit
        bounds = f"{least} to {most}" if unit == 1 else f"{least / unit:.2f} to {most / unit:.2f}"
        raise BadValue(argument, f"must hold every outcome from {bounds}, got {dtype}")

    def play(
        self,
        seeds: tuple[object, ...],
        named: Mapping[str, object],
        dtype: DTypeLike | None,
        out: np.ndarray | None,
        threads: object,
    ) -> Any:
        """Return the outcome of a round, or of many, by the fields of the scheme."""
        parameters: dict[str, object] = {}
        if self.salted:
            bound = seeds
            if named or len(seeds) != 3:
                bound, parameters = self._bind_salted(seeds, named)
            if dtype is None and out is None and threads is None and not parameters:
                # The direct way of a single round: there is an outcome if all three are single texts.
                outcome = self.engine.one(*bound)
                if outcome is not None:
                    scalar = _SCALARS.get(type(outcome))
                    return scalar(outcome) if scalar else outcome
            if bound is seeds:
                bound, parameters = self._bind_salted(seeds, named)
            named, seeds = dict(zip(_SALTED, bound, strict=True)), ()
        else:
            self._refuse_parameters(named)
        scheme = self.game.scheme
        if isinstance(out, np.ndarray):
            given = dict(zip(scheme.fields, seeds, strict=False)) | dict(named) | parameters
            for name, values in given.items():
                if isinstance(values, np.ndarray) and np.shares_memory(out, values):
                    raise BadValue("out", f"must not share memory with {name}")
        held = bind_fields(scheme, seeds, named)
        return self._fill(held, dtype, out, threads_of(threads), parameters, None)

    def series(self, rounds: object, seed: object, start: object, fields: Mapping[str, object]) -> Series:
        """Return what makes the fields of simulated rounds."""
        game = self.game
        parameters: dict[str, object] = {}
        if self.salted:
            parameters = {name: value for name, value in fields.items() if name not in game.scheme.fields}
            game._widest(**parameters)  # which refuses what may not vary
        else:
            self._refuse_parameters(fields)
        constant = dict(zip(_SALTED, self.constant or (), strict=False))
        given = {n: value for n, value in fields.items() if value is not None and n not in parameters}
        return Series(game, rounds, seed, start, constant | given, parameters)

    def simulate(
        self,
        made: Series,
        dtype: DTypeLike | None,
        out: np.ndarray | None,
        threads: int | None,
        report: Report | None,
    ) -> Any:
        """Return the outcomes of simulated rounds."""
        return self._fill(made.fields(), dtype, out, threads, made.parameters, report)

    def count(
        self,
        made: Series,
        of: Callable[[np.ndarray], np.ndarray],
        threads: int | None,
        report: Report | None,
    ) -> Tally:
        """Count what a function makes of the outcomes of simulated rounds."""
        if not made.parameters:
            return super().count(made, of, threads, report)
        from provably_fair.distribution import Tally

        outcomes = self.simulate(made, None, None, threads, report)
        return Tally(*np.unique(of(outcomes), return_counts=True), made.rounds, open_ended=True)

    def tally(self, made: Series, bins: object, threads: int | None, report: Report | None) -> Tally:
        """Count the outcomes of simulated rounds."""
        from provably_fair.distribution import Tally

        game, varying = self._varying(made.parameters)
        edges = None if bins is None else game._rounds.edges(bins)
        values, counts = game._engine.tally(
            engine_scheme(game.scheme),
            # What varies by round is as long as the rounds: their outcomes may be too.
            made.fields(0, 0) if varying else made.fields(),
            bins=edges,
            threads=threads,
            progress=None if varying else report,
        )
        if varying:
            outcomes = self.simulate(made, None, None, threads, report)
            last = [values[-1] + 1] if edges is None else edges[-1:]
            counts = np.histogram(outcomes, np.array([*values.tolist(), *last]))[0]
        counts = counts.astype(np.int64)
        if counts.size != values.size:
            counts = counts.reshape(-1, values.size)
        return Tally(
            values if self.unit == 1 else values / self.unit, counts, made.rounds, binned=edges is not None
        )

    def explain(self, seeds: tuple[object, ...], named: Mapping[str, object]) -> Walkthrough:
        """Return the walk-through of a round."""
        if not self.salted:
            self._refuse_parameters(named)
            return super().explain(seeds, named)
        seeds, parameters = self._bind_salted(seeds, named)
        rounds: EngineRounds = self.game.with_parameters(**parameters)._rounds
        return rounds._explained(seeds, {}, salted=True)

    def outcomes(self, held: Fields, threads: int | None, report: Report | None) -> np.ndarray:
        """Return the outcomes of all rounds of some fields."""
        found: np.ndarray = self._fill(held, None, None, threads, {}, report).reshape(-1, *self.shape)
        return found

    def outcomes_of_cells(self, cells: object) -> np.ndarray:
        """Return outcomes of the engine's cells."""
        outcomes = np.asarray(cells, dtype=np.int64).reshape(-1, *self.shape)
        return outcomes if self.unit == 1 else outcomes / self.unit

    # Within

    def _refuse_parameters(self, named: Mapping[str, object]) -> None:
        """Refuse parameters by round: only salted rounds take them."""
        for name in named:
            if name in parameters_of(self.game):
                raise BadType(name, "must be given to the game under another scheme than the salted rounds'")

    def _bind_salted(
        self, seeds: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[tuple[object, ...], dict[str, object]]:
        """Return the three seeds of salted rounds, and the parameters that are given with them."""
        if len(seeds) > len(_SALTED):
            sentence = f"{type(self.game).__name__} takes {', '.join(_SALTED)}, got {len(seeds)} values"
            raise BadType("seeds", sentence=sentence)
        for name in _SALTED[: len(seeds)]:
            if name in named:
                raise BadType(name, "must not be given twice")
        return self._complete(*seeds, **named)

    def _complete(
        self,
        server_seed: object = None,
        client_seed: object = None,
        salt: object = None,
        **parameters: object,
    ) -> tuple[tuple[object, ...], dict[str, object]]:
        """Add the constant seeds where the game has some and none are given."""
        if server_seed is None or client_seed is None:
            if self.constant is None:
                name = _SALTED[0 if server_seed is None else 1]
                kind = type(self.game).__name__
                raise BadType(name, f"must be given: {kind} has no constant seeds")
            server, client = self.constant
            server_seed = server if server_seed is None else server_seed
            client_seed = client if client_seed is None else client_seed
        if salt is None:
            raise BadType("salt", "must be given: the salt of the round, or one for each round")
        if parameters:
            self.game._widest(**parameters)  # which refuses what may not vary
        return (server_seed, client_seed, salt), parameters

    def _fill(
        self,
        held: Fields,
        dtype: DTypeLike | None,
        out: np.ndarray | None,
        threads: int | None,
        parameters: Mapping[str, object],
        report: Report | None,
    ) -> Any:
        game, varying = self._varying(parameters)
        if out is not None and not isinstance(out, np.ndarray):
            raise BadType("out", f"must be a numpy array, got {type(out).__name__}")
        dtype = game._rounds._wanted_dtype(dtype, out)
        target = out
        if out is not None:
            game._rounds.check_dtype("out", out.dtype)
            if game.scheme != SALTED:  # rounds may have no words, and nothing must be written then
                target = np.empty(out.shape, out.dtype)
        filled: np.ndarray = game._engine.fill(
            engine_scheme(game.scheme),
            held,
            varying=varying,
            dtype=dtype,
            out=target,
            threads=threads,
            progress=report,
        )
        if out is not None:
            if filled is not out:
                out[...] = filled
            return out
        return filled[()] if filled.ndim == 0 else filled

    def _varying(self, parameters: Mapping[str, object]) -> tuple[Any, tuple[int, np.ndarray] | None]:
        """Return the game whose type holds all rounds' outcomes, and what varies."""
        varying = None
        game = self.game._widest(**parameters) if parameters else self.game
        for name, value in parameters.items():
            if value is not None and not is_single(value):
                varying = list(parameters_of(game)).index(name), integers(name, value)
        return game, varying

    def edges(self, bins: object) -> list[int]:
        """Return the edges of bins over all outcomes."""
        if self.shape or self.unit > 1:
            raise BadType(
                "bins", sentence=f"{type(self.game).__name__} doesn't support bins: it counts every outcome"
            )
        if is_single(bins):
            least, most = self.bounds
            width = most - least + 1
            bins = integer("bins", bins, 1, min(width, 1 << 24))
            # The least integers at or above the edges of bins of equal width.
            return [least - (-i * width // bins) for i in range(bins)] + [most + 1]
        found: list[int] = integers("bins", bins).tolist()
        return found


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
