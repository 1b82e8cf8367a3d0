"""The rounds of a game of the engine's catalog."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer, integers, is_single
from provably_fair._engine import CatalogEntry, Fields, Game as Engine, catalog
from provably_fair.seeds.schemes import engine_scheme

from .constant_seeds import BLOCK_HASHES
from .kind import AnyGame
from .parameters import parameters_of, widest
from .rounds import Output, Rounds, rounds_of

if TYPE_CHECKING:
    from provably_fair._core.progress import Report
    from provably_fair.distribution import Distribution, Tally

    from .looks import Of
    from .series import Series

# numpy's types of the engine's single values.
_SCALARS: dict[type, Any] = {int: np.int64, float: np.float64}

CATALOG: Mapping[str, CatalogEntry] = MappingProxyType({entry.name: entry for entry in catalog()})
"""The engine's games by name: parameters, and blocks with constant seeds."""


class EngineRounds(Rounds):
    """The rounds of a game of the engine's catalog, under any scheme."""

    vectorized = False  # the engine asks draws for one round at a time
    may_run_out: bool = True  # whether the words of a round may be used up

    def __init__(self, game: AnyGame, line: str) -> None:
        super().__init__(game)
        self.engine = Engine(line, list(game.parameters.values()))
        self.decimals = self.engine.decimals
        self.unit = 100 if self.decimals else 1

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome."""
        return tuple(self.engine.shape)

    @cached_property
    def dtype(self) -> np.dtype:
        """The dtype of outcomes: int64, or float64 if they have decimals."""
        return np.dtype(np.float64 if self.engine.decimals else np.int64)

    @property
    def steps(self) -> tuple[tuple[int, int], int]:
        """The bounds that the engine states; outcomes with decimals are hundredths."""
        return self.engine.bounds, self.unit

    def is_as_wide(self, dtype: np.dtype) -> bool:
        """Return False: the engine's bounds say whether a dtype takes its outcomes."""
        return False

    def parameters(self, named: Mapping[str, object]) -> dict[str, object]:
        """Return the parameters among named arguments; refuse those that must be the same in all rounds."""
        known, fields = parameters_of(self.game), self.game.scheme.fields
        found = {n: v for n, v in named.items() if n in known and n not in fields}
        widest(self.game, **found)
        return found

    def play(self, seeds: tuple[object, ...], named: Mapping[str, object], wanted: Output) -> Any:
        """See `Game.play`."""
        out = wanted.out
        if isinstance(out, np.ndarray):  # the engine writes to it while it reads the fields
            given = dict(zip(self.game.scheme.fields, seeds, strict=False)) | dict(named)
            for name, values in given.items():
                if isinstance(values, np.ndarray) and np.shares_memory(out, values):
                    raise BadValue("out", f"must not share memory with {name}")
        return super().play(seeds, named, wanted)

    def count(
        self,
        made: Series,
        of: Callable[[np.ndarray], np.ndarray],
        threads: int | None,
        report: Report | None,
    ) -> Tally:
        """Count the values of a function of the outcomes of simulated rounds."""
        if not made.parameters:
            return super().count(made, of, threads, report)
        from provably_fair.distribution import Tally

        outcomes = self.simulate(made, Output(threads=threads, report=report))
        return Tally(*np.unique(of(outcomes), return_counts=True), made.rounds, open_ended=True)

    def tally(self, made: Series, bins: object, threads: int | None, report: Report | None) -> Tally:
        """Count the outcomes of simulated rounds."""
        from provably_fair.distribution import Tally

        game, varying = self._varying(made.parameters)
        edges = None if bins is None else rounds_of(game).edges(bins)
        values, counts = rounds_of(game).engine.tally(
            engine_scheme(game.scheme),
            # Parameters by round are as many as the rounds, so that outcomes fit into memory as well.
            made.fields(0, 0) if varying else made.fields(),
            bins=edges,
            threads=threads,
            progress=None if varying else report,
        )
        if varying:
            outcomes = self.simulate(made, Output(threads=threads, report=report))
            last = [values[-1] + 1] if edges is None else edges[-1:]
            counts = np.histogram(outcomes, np.array([*values.tolist(), *last]))[0]
        counts = counts.astype(np.int64)
        if counts.size != values.size:
            counts = counts.reshape(-1, values.size)
        return Tally(
            values if self.unit == 1 else values / self.unit, counts, made.rounds, binned=edges is not None
        )

    def law(self, drawn: bool, of: Of | None) -> Distribution:
        """Return the exact law of the outcome, or of a function of it, computed by the engine."""
        from .engine_laws import general_law

        return general_law(self.game, drawn, of)

    def outcome(self, draws: Any) -> Any:
        """Return the outcome of one round from any source of draws."""
        cells = np.array(self.engine.answer(draws), dtype=np.int64).reshape(self.shape)[()]
        return cells if self.unit == 1 else cells / self.unit

    def outcomes(self, held: Fields, threads: int | None, report: Report | None) -> np.ndarray:
        """Return the outcomes of all rounds, in the game's dtype."""
        found: np.ndarray = self.fill(held, {}, Output(threads=threads, report=report)).reshape(
            -1, *self.shape
        )
        return found

    def fill(self, held: Fields, parameters: Mapping[str, object], wanted: Output) -> Any:
        """Return the outcomes of many rounds, or of one, in the requested form."""
        game, varying = self._varying(parameters)
        out = wanted.out
        into: Any = rounds_of(game).wanted_dtype(wanted)
        if out is not None:
            # If rounds may run out of words, `out` must then stay as it was.
            into = np.empty(out.shape, out.dtype) if self.may_run_out else out
        effort = wanted.threads, wanted.report, None
        filled: np.ndarray = rounds_of(game).engine.fill(
            engine_scheme(game.scheme), held, varying=varying, into=into, effort=effort
        )
        if out is None:
            return filled[()] if filled.ndim == 0 else filled
        if filled is not out:
            out[...] = filled
        return out

    def _varying(self, parameters: Mapping[str, object]) -> tuple[Any, tuple[int, np.ndarray] | None]:
        """Return the game whose dtype holds the outcomes of all rounds, and the parameter that varies."""
        varying = None
        game = widest(self.game, **parameters) if parameters else self.game
        for name, value in parameters.items():
            if value is not None and not is_single(value):
                varying = list(parameters_of(game)).index(name), integers(name, value)
        return game, varying

    def edges(self, bins: object) -> list[int]:
        """Return the edges of bins over all outcomes."""
        if self.shape or self.unit > 1:
            return super().edges(bins)
        if is_single(bins):
            least, most = self.bounds
            width = most - least + 1
            bins = integer("bins", bins, 1, min(width, 1 << 24))
            # The least integers at or above the edges of equal bins.
            return [least - (-i * width // bins) for i in range(bins)] + [most + 1]
        found: list[int] = integers("bins", bins).tolist()
        return found


class SaltedRounds(EngineRounds):
    """Rounds under the document's scheme: some games have constant seeds, and single rounds a shortcut."""

    as_document = True
    may_run_out = False

    def __init__(self, game: AnyGame, line: str) -> None:
        super().__init__(game, line)
        self._fields: tuple[str, ...] = game.scheme.fields
        if (blocks := CATALOG[line].blocks) is not None:
            first, second = blocks
            self.constant = BLOCK_HASHES[first], BLOCK_HASHES[second]

    def one(self, seeds: tuple[object, ...], named: Mapping[str, object]) -> Any:
        if self.constants and not seeds:
            named = {**self.constants, **named}
        try:
            outcome = self.engine.one(*seeds, **named)  # None if a field is an array
        except TypeError:
            return None  # `play` has parameters as well, and tells what is wrong
        scalar = _SCALARS.get(type(outcome))
        return scalar(outcome) if scalar else outcome

    def parameters(self, named: Mapping[str, object]) -> dict[str, object]:
        found = {name: value for name, value in named.items() if name not in self._fields}
        widest(self.game, **found)
        return found

    def bind(
        self, seeds: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[tuple[object, ...], dict[str, object], dict[str, object]]:
        cls, fields = type(self.game).__name__, self._fields
        if len(seeds) > len(fields):
            raise BadType("seeds", sentence=f"{cls} takes {', '.join(fields)}, got {len(seeds)} values")
        for name in fields[: len(seeds)]:
            if name in named:
                raise BadType(name, "must not be given twice")
        given = dict(zip(fields, seeds, strict=False)) | dict(named)
        values = {name: given.pop(name, None) for name in fields}
        parameters = self.parameters(given)
        for place, name in enumerate(fields[:2]):
            if values[name] is None:
                if self.constant is None:
                    raise BadType(name, f"must be given: {cls} has no constant seeds")
                values[name] = self.constant[place]
        if values["salt"] is None:
            raise BadType("salt", "must be given: the salt of the round, or one for each round")
        return (), values, parameters
