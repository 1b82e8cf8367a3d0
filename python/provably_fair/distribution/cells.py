"""Cells for Pearson's chi-square: neighbors merged until each expects at least 5."""

from __future__ import annotations

import numpy as np

_MIN_EXPECTED = 5.0


def merge_cells(expected: np.ndarray) -> np.ndarray:
    """Return the start index of each cell; neighbors are merged until a cell expects at least 5.

    A rest that expects less joins the last cell. Sums over the cells are ``np.add.reduceat(values, begins)``.
    """
    if (expected >= _MIN_EXPECTED).all():
        return np.arange(len(expected))
    begins, inside, begin = [0], 0.0, True
    for place, value in enumerate(expected.tolist()):
        if begin and place:
            begins.append(place)
        inside += value
        begin = inside >= _MIN_EXPECTED
        if begin:
            inside = 0.0
    if not begin and len(begins) > 1:
        begins.pop()
    return np.array(begins)
