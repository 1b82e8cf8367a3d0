"""What a log can be checked against: for each system, the columns it needs and how it recomputes rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from . import _engine
from ._columns import Text, flat, number_array, scalar
from .games import Game

FIELD = "outcome"
"""The field of the logged outcome, in every system."""

COMMITMENTS = {"commitment": "server_seed", "salt_commitment": "salt"}
"""Optional fields with the SHA-256 of a seed that was published before the round, and whose."""


@dataclass
class Part:
    """Rows of a batch that were recomputed together."""

    rows: np.ndarray
    expected: Any
    """An array (rows, *shape)."""


class Subject:
    """How logs of one system are checked."""

    name: str
    texts: Mapping[str, bool]
    """Fields of text, and whether a log must have them."""
    numbers: Mapping[str, tuple[int, int]]
    """Optional fields of whole numbers that vary from row to row, and their limits."""
    unique: tuple[str, ...]
    """Fields that should not be the same, together, in two rows."""

    def parameters(self) -> dict[str, Any]:
        """Return what the verdict depends on besides the log."""
        raise NotImplementedError

    def recompute(
        self, texts: dict[str, Text], numbers: dict[str, np.ndarray], count: int, threads: int | None
    ) -> Iterator[Part]:
        """Recompute clean rows."""
        raise NotImplementedError

    def compare(self, expected: Any, column: Any, count: int) -> tuple[np.ndarray, dict[int, Any]]:
        """Return which rows differ, and the cells that can't be read at all."""
        raise NotImplementedError

    def check_column(self, column: Any) -> None:
        """Refuse a column of outcomes whose type can't tell outcomes apart."""

    def explain(self, row: Mapping[str, Any]) -> Any:
        """Return the walk-through of a row."""
        raise NotImplementedError


class SaltedGame(Subject):
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
        catalog = {name: parameters for name, parameters, _ in _engine.catalog()}[game.name]
        self.numbers = {name: (least, most) for name, _, least, most, _ in catalog}
        # Whether a parameter may differ within one call of `play`; the others change the shape.
        self._varying = {name for name, *_, per_round in catalog if per_round}

    def parameters(self) -> dict[str, Any]:
        kept = (field.name for field in fields(self.game) if field.name != "reels")
        return {"game": self.game.name, **{name: getattr(self.game, name) for name in kept}}

    def recompute(
        self, texts: dict[str, Text], numbers: dict[str, np.ndarray], count: int, threads: int | None
    ) -> Iterator[Part]:
        shaping = [name for name in numbers if name not in self._varying]
        if not shaping:
            yield Part(np.arange(count), self._play(self.game, texts, numbers, count, threads))
            return
        table = np.stack([numbers[name] for name in shaping], axis=1)
        kinds, which = np.unique(table, axis=0, return_inverse=True)
        for kind, values in enumerate(kinds.tolist()):
            game = replace(self.game, **dict(zip(shaping, values, strict=True)))
            if len(kinds) == 1:
                yield Part(np.arange(count), self._play(game, texts, numbers, count, threads))
                return
            rows = np.flatnonzero(which.reshape(-1) == kind)
            some = {name: column.take(rows) for name, column in texts.items()}
            varying = {name: column[rows] for name, column in numbers.items()}
            yield Part(rows, self._play(game, some, varying, len(rows), threads))

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
            self.game._check_dtype(FIELD, column.dtype)

    def compare(self, expected: np.ndarray, column: Any, count: int) -> tuple[np.ndarray, dict[int, Any]]:
        shape = expected.shape[1:]
        found = number_array(column, shape, count)
        table = expected.reshape(count, -1)
        if found is not None:
            if found.dtype.kind == "f" and found.dtype != np.float64:
                table = table.astype(found.dtype)
            differs = table[:, 0] != found[:, 0] if table.shape[1] == 1 else (table != found).any(axis=1)
            return differs, {}
        differs = np.zeros(count, dtype=bool)
        unreadable: dict[int, Any] = {}
        cells = column.tolist() if isinstance(column, np.ndarray) else column
        if not isinstance(cells, list):
            cells = cells.to_pylist()
        single = not shape
        for row, (right, cell) in enumerate(zip(table.tolist(), cells, strict=True)):
            if single:
                number = scalar(cell)
                if number is None:
                    unreadable[row] = cell
                else:
                    differs[row] = number != right[0]
            else:
                numbers = flat(cell)
                if numbers is None:
                    unreadable[row] = cell
                else:
                    differs[row] = numbers != right
        return differs, unreadable

    def explain(self, row: Mapping[str, Any]) -> Any:
        game: Any = replace(self.game, **{name: row[name] for name in self.numbers if name in row})
        return game.explain(**{name: row[name] for name in self.texts if name in row})


def subject_of(value: Any) -> Subject:
    """Return how logs of a game, or of another system, are checked."""
    if isinstance(value, Subject):
        return value
    if isinstance(value, Game):
        return SaltedGame(value)
    raise TypeError(f"subject must be a game, such as pf.Dice(), got {type(value).__name__}")
