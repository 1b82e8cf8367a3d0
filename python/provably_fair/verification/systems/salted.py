"""Games of the salted rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from provably_fair.games import Game

from ..columns import MALFORMED, MISSING, Text, blank, cells, flat, number_array, scalar
from .system import FIELD, Group, System, Wrong


class SaltedGame(System):
    """A game of the salted-round scheme."""

    unique = ("salt",)

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = repr(game)
        self.texts = {
            "server_seed": not game.multiplayer,
            "client_seed": not game.multiplayer,
            "salt": True,
        }
        self.numbers = {name: (known.least, known.most) for name, known in game.PARAMETERS.items()}
        # Whether a parameter may differ within one call of `play`; the others change the shape.
        self._varying = {name for name, known in game.PARAMETERS.items() if known.per_round}

    def parameters(self) -> dict[str, Any]:
        return {"game": self.game.name, **self.game.parameters}

    def recompute(
        self,
        texts: dict[str, Text],
        numbers: dict[str, np.ndarray],
        others: dict[str, list[Any]],
        rows: np.ndarray,
        threads: int | None,
    ) -> Iterator[Group]:
        count = len(rows)
        shaping = [name for name in numbers if name not in self._varying]
        if not shaping:
            yield Group(np.arange(count), self._play(self.game, texts, numbers, count, threads))
            return
        table = np.stack([numbers[name] for name in shaping], axis=1)
        kinds, which = np.unique(table, axis=0, return_inverse=True)
        for kind, values in enumerate(kinds.tolist()):
            game = replace(self.game, **dict(zip(shaping, values, strict=True)))
            if len(kinds) == 1:
                yield Group(np.arange(count), self._play(game, texts, numbers, count, threads))
                return
            chosen = np.flatnonzero(which.reshape(-1) == kind)
            some = {name: column.take(chosen) for name, column in texts.items()}
            varying = {name: column[chosen] for name, column in numbers.items()}
            yield Group(chosen, self._play(game, some, varying, len(chosen), threads))

    def _play(
        self,
        game: Game,
        texts: dict[str, Text],
        numbers: dict[str, np.ndarray],
        count: int,
        threads: int | None,
    ) -> np.ndarray:
        arguments: dict[str, Any] = {name: column.argument() for name, column in texts.items()}
        arguments |= {name: values for name, values in numbers.items() if name in self._varying}
        outcomes = np.asarray(game.play(**arguments, threads=threads))
        if outcomes.ndim == len(game.shape):  # every argument was the same for all rows
            outcomes = np.broadcast_to(outcomes, (count, *game.shape))
        return outcomes

    def check_column(self, column: Any) -> None:
        if isinstance(column, np.ndarray) and column.dtype.kind == "f" and column.dtype.itemsize < 8:
            self.game.check_dtype(FIELD, column.dtype)

    def compare(
        self, expected: np.ndarray, column: Any, count: int
    ) -> tuple[np.ndarray, dict[int, list[Wrong]]]:
        shape = expected.shape[1:]
        found = number_array(column, shape, count)
        table = expected.reshape(count, -1)
        if found is not None:
            if found.dtype.kind == "f" and found.dtype != np.float64:
                table = table.astype(found.dtype)
            differs = table[:, 0] != found[:, 0] if table.shape[1] == 1 else (table != found).any(axis=1)
            return differs, {}
        differs = np.zeros(count, dtype=bool)
        unreadable: dict[int, list[Wrong]] = {}
        for row, (right, cell) in enumerate(zip(table.tolist(), cells(column, count), strict=True)):
            numbers = flat(cell) if shape else None
            # A list of one outcome may be written as that outcome.
            if len(right) == 1 and numbers is None and (number := scalar(cell)) is not None:
                numbers = [number]
            if numbers is None:
                unreadable[row] = [(FIELD, MISSING if blank(cell) else MALFORMED, cell)]
            else:
                differs[row] = numbers != right
        return differs, unreadable

    def explain(self, row: Mapping[str, Any]) -> Any:
        game = replace(self.game, **{name: row[name] for name in self.numbers if name in row})
        return game.explain(**{name: row[name] for name in self.texts if name in row})
