"""What was found in rows that were verified apart: some of a batch's, or by several systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .system import KINDS, Found

__all__: list[str] = []


class Findings:
    """What was found in rows that were verified apart, by the rows of all.

    Parameters
    ----------
    parts : sequence of (array of int, Found)
        Rows of the batch, and what was found in them.
    unchecked : mapping of str to array of int
        Rows that couldn't be checked, by the reason.
    games : mapping of str to array of int
        Which rows are of which game.
    """

    def __init__(
        self,
        parts: Sequence[tuple[np.ndarray, Found]],
        unchecked: Mapping[str, np.ndarray] | None = None,
        games: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self.fields = list(dict.fromkeys(name for _, found in parts for name in found.fields))
        none = [np.zeros(0, np.int64)]
        rows = np.concatenate([*none, *(places[found.rows] for places, found in parts)])
        order = np.argsort(rows, kind="stable")
        self.rows = rows[order]
        self.kinds = np.concatenate([*none, *(found.kinds for _, found in parts)])[order]
        numbers = [
            np.array([self.fields.index(name) for name in found.fields], np.int64)[found.numbers]
            for _, found in parts
        ]
        self.numbers = np.concatenate([*none, *numbers])[order]
        self._parts = [found for _, found in parts]
        of = [(part, i) for part, found in enumerate(self._parts) for i in range(len(found.rows))]
        self._of = [of[place] for place in order.tolist()]
        committed: Counter[str] = Counter()
        for found in self._parts:
            committed.update(dict(zip(found.fields, found.committed, strict=False)))
        self.committed = [committed[name] for name in self.fields]
        self.assumed = sum(found.assumed for found in self._parts)
        self.unchecked = dict(unchecked or {})
        self.games = dict(games or {})
        for places, found in parts:
            if isinstance(found, Findings):
                self.unchecked |= {reason: places[rows] for reason, rows in found.unchecked.items()}
                self.games |= {game: places[rows] for game, rows in found.games.items()}

    def expected(self, index: int, /) -> Any:
        """Return what the cell of a finding should have been."""
        part, i = self._of[index]
        return self._parts[part].expected(i)


class Faulty:
    """Rows with a cell that no system can be found by."""

    def __init__(self, field: str, kind: str, rows: np.ndarray) -> None:
        self.rows = np.arange(len(rows))
        self.kinds = np.full(len(rows), KINDS.index(kind))
        self.numbers = np.zeros(len(rows), np.int64)
        self.fields = [field]
        self.committed: list[int] = []
        self.assumed = 0

    def expected(self, index: int, /) -> None:
        """Return that nothing is expected: it can't be known."""
