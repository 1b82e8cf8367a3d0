"""Where rows fail: runs of failing rows, and cells of some of them and of right ones, in bounded memory."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._engine import column_fingerprints
from provably_fair.sources.foreign import Constant, cells_in, cells_of, take

from .again import places_of
from .columns import Columns
from .systems import FIELD

_RUNS = 1 << 12
_CODED = 1 << 15
_KEPT = 1 << 12
"""The most runs, failing rows whose values are compared, and rows whose cells are kept, of each kind."""
_APART = 64
"""Failing rows that are farther apart are kept as groups of their own."""
_GROUPS = 64
"""The most groups of a batch; the last one has the rest."""
_OF_GROUP, _BESIDE = 128, 72
"""The failing rows kept of a group, and the right ones among them: together what a block is explained by."""
_ELSEWHERE, _AMONG, _FEW = 8, 2048, 256
"""The right rows kept of a batch without failures, and of one with some, at first and once many are kept."""


@dataclass
class Spread:
    """Where rows fail. Runs have exact ends; cells are those of rows that are spread over the log."""

    # Runs of failing rows: the first and the last one, and how many fail; the nearest are joined
    runs: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    # The positions of failing rows: all, or one of each `thin` at random
    rows: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    thin: int = 1
    # A code of the value that each of these rows has in each field: equal for equal texts, 0 for none
    codes: dict[str, np.ndarray] = field(default_factory=dict)
    failed: dict[int, dict[str, Any]] = field(default_factory=dict)  # cells of failing rows, by position
    # Cells of right rows, by position, and the number of rows that each stands for
    right: dict[int, tuple[float, dict[str, Any]]] = field(default_factory=dict)

    def add(self, columns: Columns, failed: np.ndarray, offset: int) -> None:
        """Add the failing rows of a batch."""
        batch = columns.batch
        if not len(failed) and not batch.unreadable:
            self._keep_right(columns, np.arange(batch.rows), _ELSEWHERE, offset)
            return
        places = places_of(batch) + offset
        failing = places[failed]
        if batch.unreadable:
            failing = np.sort(np.append(failing, np.array(list(batch.unreadable)) + offset))
        self._join(failing)
        while len(self.rows) + len(failed) // self.thin > _CODED:
            self._halve()
        thinned = failed[_one_of_each(self.thin, len(failed))]
        codes = {name: codes_of(column, thinned) for name, column in columns.cells.items() if name != FIELD}
        self._code(places[thinned], codes)
        among = _AMONG if len(self.right) < _KEPT else _FEW
        fails = np.zeros(batch.rows, bool)
        fails[failed] = True
        right = np.flatnonzero(~fails)
        self._keep_right(columns, right, among, offset)
        kept, beside = [], []
        for group in np.split(failed, np.flatnonzero(np.diff(failed) > _APART)[:_GROUPS] + 1):
            if len(self.failed) < _KEPT and len(group):
                begin, end = int(group[0]), int(group[-1]) + 1
                kept.append(group[evenly(len(group), _OF_GROUP)])
                inside = begin + np.flatnonzero(~fails[begin:end])
                beside += inside[evenly(len(inside), _BESIDE)].tolist()
                beside += [row for row in (begin - 1, end) if 0 <= row < batch.rows and not fails[row]]
        rows = np.concatenate([failed[:0], *kept])
        self.failed |= zip(places[rows].tolist(), _cells(columns.cells, rows), strict=True)
        rows = np.array(beside, np.int64)
        for row, cells in zip(places[rows].tolist(), _cells(columns.cells, rows), strict=True):
            self.right.setdefault(row, (0.0, cells))

    def _keep_right(self, columns: Columns, right: np.ndarray, most: int, offset: int) -> None:
        """Keep some of a batch's right rows, which stand for all of them."""
        if not len(right):
            return
        step = -(-len(right) // most)
        rows = right[_one_of_each(step, len(right), columns.batch.place(0) + offset)]
        for row, cells in zip(rows.tolist(), _cells(columns.cells, rows), strict=True):
            self.right[columns.batch.place(row) + offset] = len(right) / len(rows), cells
        self._thin_right()

    def _thin_right(self) -> None:
        """Let go of right rows, if there are too many: those that stand for few, more likely than others.

        Each of as many stretches of equal weight has one row that stands for it, at random. Of rows that
        stand for none, every other one is kept.
        """
        while len(self.right) > 2 * _KEPT:
            rows = sorted(self.right)
            weights = np.array([self.right[row][0] for row in rows])
            ends, step = np.cumsum(weights), weights.sum() / _KEPT
            points = (np.arange(_KEPT) + _fractions(rows[-1], _KEPT)) * step
            hits = bincount(np.searchsorted(ends[:-1], points, "right"), minlength=len(rows))
            kept = (hits > 0) | ((weights == 0) & (np.cumsum(weights == 0) % 2 == 1))
            self.right = {
                row: (float(hit * step), self.right[row][1])
                for row, hit, keep in zip(rows, hits.tolist(), kept.tolist(), strict=True)
                if keep
            }

    def some_right(self, most: int) -> list[dict[str, Any]]:
        """Return the cells of right rows that are spread evenly over those of the log."""
        kept = [self.right[row] for row in sorted(self.right)]
        ends = np.cumsum([weight for weight, _ in kept])
        places = np.searchsorted(ends, (np.arange(most) + 0.5) / most * ends[-1]) if kept else []
        return [kept[place][1] for place in np.unique(places)]

    def _join(self, rows: np.ndarray) -> None:
        """Append failing rows as runs."""
        begins = np.flatnonzero(np.diff(rows, prepend=-2) > 1)
        ends = np.append(begins[1:], len(rows))
        runs = np.stack([rows[begins], rows[ends - 1], ends - begins], axis=1)
        self.runs = _joined(np.concatenate([self.runs, runs]))

    def _code(self, rows: np.ndarray, codes: Mapping[str, np.ndarray]) -> None:
        """Append the codes of failing rows; if there are too many, let go of one of each two."""
        none, more = np.zeros(len(self.rows), np.uint64), np.zeros(len(rows), np.uint64)
        self.codes = {
            name: np.concatenate([self.codes.get(name, none), codes.get(name, more)])
            for name in {**self.codes, **codes}
        }
        self.rows = np.concatenate([self.rows, rows])
        while len(self.rows) > _CODED:
            self._halve()

    def _halve(self) -> None:
        self.thin *= 2
        kept = _one_of_each(2, len(self.rows))
        self.rows = self.rows[kept]
        self.codes = {name: codes[kept] for name, codes in self.codes.items()}

    def merge(self, later: Spread, rows_before: int) -> None:
        """Append later rows."""
        while self.thin < later.thin:
            self._halve()
        kept = _one_of_each(self.thin // later.thin, len(later.rows))
        self._code(later.rows[kept] + rows_before, {name: each[kept] for name, each in later.codes.items()})
        self.runs = _joined(np.concatenate([self.runs, later.runs + np.array([rows_before, rows_before, 0])]))
        for row, cells in list(later.failed.items())[: max(_KEPT - len(self.failed), 0)]:
            self.failed[row + rows_before] = cells
        self.right |= {row + rows_before: kept for row, kept in later.right.items()}
        self._thin_right()


def codes_of(column: Any, rows: np.ndarray) -> np.ndarray:
    """Return a code for the value of each of these rows."""
    if isinstance(column, Constant):
        return np.repeat(codes_of([column.value], np.zeros(1, np.int64)), len(rows))
    if not len(rows):
        return np.zeros(0, np.uint64)
    if isinstance(column, (np.ndarray, list)):
        column, rows = take(column, rows), np.arange(len(rows))
    codes = column_fingerprints("", column, len(column))[:, 0]
    return codes[rows] if len(codes) == len(column) else np.repeat(codes, len(rows))  # one text of all rows


def _joined(runs: np.ndarray) -> np.ndarray:
    """Return runs in order, adjacent ones joined; if there are too many, also the nearest ones."""
    gaps = runs[1:, 0] - runs[:-1, 1]
    least = 1 if len(runs) <= 2 * _RUNS else max(1, int(np.partition(gaps, -_RUNS)[-_RUNS]))
    begins = np.flatnonzero(np.concatenate([[True], gaps > least])[: len(runs)])
    if len(begins) == len(runs):
        return runs
    ends = np.append(begins[1:], len(runs)) - 1
    return np.stack([runs[begins, 0], runs[ends, 1], np.add.reduceat(runs[:, 2], begins)], axis=1)


def _one_of_each(step: int, count: int, seed: int = 0) -> np.ndarray:
    """Return one of each `step` of `count` places, at random: the values of rows may alternate."""
    places: np.ndarray = np.arange(0, count, step, dtype=np.int64)
    places += (_fractions(seed, len(places)) * step).astype(np.int64)
    return places.clip(max=count - 1)


def _fractions(seed: int, count: int) -> np.ndarray:
    """Return random numbers from 0 to 1, always the same ones for a seed."""
    source = random.Random(int(seed))  # to load `numpy.random` takes longer than a small log
    return np.array([source.random() for _ in range(count)])


def evenly(count: int, most: int) -> np.ndarray:
    """Return at most so many of `count` places, spread over all, the first and the last among them."""
    return np.linspace(0, count - 1, min(count, most)).astype(np.int64)


def _cells(columns: Mapping[str, Any], rows: np.ndarray) -> Iterator[dict[str, Any]]:
    """Yield the cells of rows."""
    cells = [
        [column.value] * len(rows)
        if isinstance(column, Constant)
        else cells_of(take(column, rows), len(rows))
        if isinstance(column, (np.ndarray, list))
        else cells_in(column, rows)
        for column in columns.values()
    ]
    return (dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True))
