"""The rounds of a game of the engine's catalog."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from provably_fair._core.arguments import BadType, BadValue, integer, integers, is_single, threads_of
from provably_fair._core.progress import Report
from provably_fair._engine import CatalogEntry, Fields, catalog
from provably_fair._engine import Game as Engine
from provably_fair.seeds.schemes import SALTED, bind_fields, engine_scheme

from .constant_seeds import BLOCK_HASHES
from .engine_laws import general_law
from .looks import Of
from .parameters import parameters_of, widest
from .rounds import Rounds, Series, rounds_of

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution, Tally
    from provably_fair.walkthrough import Walkthrough

__all__ = ["EngineRounds"]

# A float type is taken where it tells all outcomes apart: integers up to these are exact in it.
_EXACT_INTEGERS = {np.dtype(np.float32): 2**24, np.dtype(np.float64): 2**53}
# The types of single values, as the engine gives them and as users see them.
_SCALARS: dict[type, Any] = {int: np.int64, float: np.float64}
_SALTED = ("server_seed", "client_seed", "salt")


CATALOG: Mapping[str, CatalogEntry] = MappingProxyType({entry.name: entry for entry in catalog()})
"""What the engine knows of each of its games: the parameters, and the blocks of constant seeds."""


class _Fields:
    """How fields of rounds are given, and parameters with them: as any scheme takes them."""

    constant: tuple[str, str] | None = None

    def __init__(self, rounds: EngineRounds, line: CatalogEntry) -> None:
        self.rounds = rounds
        self.game = rounds.game

    def single(self, seeds: tuple[object, ...], named: Mapping[str, object]) -> Any:
        """Return the outcome of a single round where there is a direct way to it; else None."""
        return None

    def parameters(self, fields: Mapping[str, object]) -> dict[str, object]:
        """Return the parameters among what is given by name; what may not vary is refused."""
        known = parameters_of(self.game)
        found = {n: v for n, v in fields.items() if n in known and n not in self.game.scheme.fields}
        widest(self.game, **found)
        return found

    def bind(
        self, seeds: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[tuple[object, ...], dict[str, object], dict[str, object]]:
        """Return fields in order, fields by name, and parameters."""
        parameters = self.parameters(named)
        return seeds, {name: value for name, value in named.items() if name not in parameters}, parameters

    def style(self) -> Any:
        """Return how walk-throughs look."""
        from .explaining import ANY_SCHEME

        return ANY_SCHEME


class _DocumentFields(_Fields):
    """As the document's games take them: some have constant seeds, and single rounds have a direct way."""

    def __init__(self, rounds: EngineRounds, line: CatalogEntry) -> None:
        super().__init__(rounds, line)
        if line.blocks is not None:
            first, second = line.blocks
            self.constant = BLOCK_HASHES[first], BLOCK_HASHES[second]

    def single(self, seeds: tuple[object, ...], named: Mapping[str, object]) -> Any:
        if named or len(seeds) != 3:
            if not named.keys() <= set(_SALTED):  # parameters, as arrays of rounds have them
                return None
            seeds = tuple(self.bind(seeds, named)[1].values())
        # There is an outcome if all three are single texts.
        outcome = self.rounds.engine.one(*seeds)
        scalar = _SCALARS.get(type(outcome))
        return scalar(outcome) if scalar else outcome

    def parameters(self, fields: Mapping[str, object]) -> dict[str, object]:
        found = {name: value for name, value in fields.items() if name not in self.game.scheme.fields}
        widest(self.game, **found)
        return found

    def bind(
        self, seeds: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[tuple[object, ...], dict[str, object], dict[str, object]]:
        cls = type(self.game).__name__
        if len(seeds) > len(_SALTED):
            sentence = f"{cls} takes {', '.join(_SALTED)}, got {len(seeds)} values"
            raise BadType("seeds", sentence=sentence)
        for name in _SALTED[: len(seeds)]:
            if name in named:
                raise BadType(name, "must not be given twice")
        given = dict(zip(_SALTED, seeds, strict=False)) | dict(named)
        values = {name: given.pop(name, None) for name in _SALTED}
        for place, name in enumerate(_SALTED[:2]):
            if values[name] is None:
                if self.constant is None:
                    raise BadType(name, f"must be given: {cls} has no constant seeds")
                values[name] = self.constant[place]
        if values["salt"] is None:
            raise BadType("salt", "must be given: the salt of the round, or one for each round")
        return (), values, self.parameters(given)

    def style(self) -> Any:
        from .explaining import DOCUMENT

        return DOCUMENT


class EngineRounds(Rounds):
    """The rounds of a game of the engine's catalog, under any scheme."""

    def __init__(self, game: Any, line: str) -> None:
        super().__init__(game)
        self.engine = Engine(line, list(game.parameters.values()))
        self.given = (_DocumentFields if game.scheme == SALTED else _Fields)(self, CATALOG[line])
        self.constant = self.given.constant

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
        if dtype is None and out is None and threads is None:
            outcome = self.given.single(seeds, named)
            if outcome is not None:
                return outcome
        seeds, named, parameters = self.given.bind(seeds, named)
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
        parameters = self.given.parameters(fields)
        constant = dict(zip(_SALTED, self.constant or (), strict=False))
        given = {n: value for n, value in fields.items() if value is not None and n not in parameters}
        return Series(self.game, rounds, seed, start, constant | given, parameters)

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
        edges = None if bins is None else rounds_of(game).edges(bins)
        values, counts = rounds_of(game).engine.tally(
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

    def law(self, drawn: bool, of: Of | None) -> Distribution:
        """Return the exact law of the outcome, or of a function of it, as the engine works it out."""
        return general_law(self.game, drawn, of)

    def outcome(self, draws: Any) -> Any:
        """Return the outcome of one round whose draws are answered by any source."""
        return self.outcomes_of_cells(self.engine.answer(draws))[0]

    def explain(self, seeds: tuple[object, ...], named: Mapping[str, object]) -> Walkthrough:
        """Return the walk-through of a round."""
        published, given = self.apart(named)
        seeds, given, parameters = self.given.bind(seeds, given)
        game = self.game.with_parameters(**parameters)
        return rounds_of(game).explain_held(seeds, given, published, self.given.style())

    def outcomes(self, held: Fields, threads: int | None, report: Report | None) -> np.ndarray:
        """Return the outcomes of all rounds of some fields."""
        found: np.ndarray = self._fill(held, None, None, threads, {}, report).reshape(-1, *self.shape)
        return found

    def outcomes_of_cells(self, cells: object) -> np.ndarray:
        """Return outcomes of the engine's cells."""
        outcomes = np.asarray(cells, dtype=np.int64).reshape(-1, *self.shape)
        return outcomes if self.unit == 1 else outcomes / self.unit

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
        dtype = rounds_of(game).wanted_dtype(dtype, out)
        target = out
        if out is not None:
            rounds_of(game).check_dtype("out", out.dtype)
            if game.scheme != SALTED:  # rounds may have no words, and nothing must be written then
                target = np.empty(out.shape, out.dtype)
        filled: np.ndarray = rounds_of(game).engine.fill(
            engine_scheme(game.scheme),
            held,
            varying=varying,
            into=dtype if target is None else target,
            effort=(threads, report, None),
        )
        if out is not None:
            if filled is not out:
                out[...] = filled
            return out
        return filled[()] if filled.ndim == 0 else filled

    def _varying(self, parameters: Mapping[str, object]) -> tuple[Any, tuple[int, np.ndarray] | None]:
        """Return the game whose type holds all rounds' outcomes, and what varies."""
        varying = None
        game = widest(self.game, **parameters) if parameters else self.game
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
