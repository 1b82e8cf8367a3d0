"""Fingerprints of cells that are equal for equal values in every kind of storage."""

from __future__ import annotations

from typing import Any

import numpy as np

from provably_fair._engine import TIME_FORMATS, column_doubles, column_fingerprints
from provably_fair.sources.foreign import Constant, as_written, cells_in, is_empty, packed_numbers
from provably_fair.sources.times import instants_of, read_times

# Whole numbers below this are exact as doubles.
_EXACT = 2.0**53
# Formats of times that all kinds of files share; other times are compared as text.
_PLAIN_TIMES = sum(1 << TIME_FORMATS.index(form) for form in ("year-first", "epoch"))


def fingerprints_of(name: str, column: Any, rows: int, *, timed: bool = False) -> np.ndarray:
    """Return 128 bits of each cell, uint64 of shape (rows, 2): of numbers and times the value, else a hash.

    Numbers in text are numbers; with `timed`, times in text are times. Empty cells have 0.
    """
    if isinstance(column, Constant):
        return np.broadcast_to(fingerprints_of(name, [column.value], 1, timed=timed), (rows, 2))
    if not rows:
        return np.zeros((0, 2), np.uint64)
    column = packed_numbers(column)
    instants = instants_of(column)
    if instants is not None:
        return _of_times(*instants)
    if timed:
        (micros, there), *_ = read_times(name, column, rows, _PLAIN_TIMES)
        if there.all():
            return _of_times(micros, there)
    values = column_doubles(name, column, rows)
    exact = np.abs(values) < _EXACT  # not NaN
    found = np.zeros((rows, 2), np.uint64)
    if not exact.all():
        found[:] = column_fingerprints(name, column, rows)
        odd = np.flatnonzero(~exact & (found[:, 0] == 0))
        others = [(row, as_written(cell)) for row, cell in _filled(column, odd)]
        if others:
            places, texts = zip(*others, strict=True)
            found[list(places)] = column_fingerprints(name, list(texts), len(texts))
    # Fingerprints of text have no word that is 0, unlike those of numbers. Adding 0.0 turns -0 into 0.
    found[exact, 0] = (values[exact] + 0.0).view(np.uint64) + np.uint64(1)
    found[exact, 1] = 0
    if timed:
        found[there] = _of_times(micros, there)[there]
    return found


def _of_times(micros: np.ndarray, there: np.ndarray) -> np.ndarray:
    found = np.zeros((len(micros), 2), np.uint64)
    found[there, 1] = micros[there].view(np.uint64) ^ np.uint64(1 << 63)
    return found


def _filled(column: Any, rows: np.ndarray) -> list[tuple[int, Any]]:
    """Return the nonempty cells of these rows, with their rows; arrays as lists."""
    cells = cells_in(column, rows) if len(rows) else []
    plain = (cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in cells)
    return [(row, cell) for row, cell in zip(rows.tolist(), plain, strict=True) if not is_empty(cell)]
