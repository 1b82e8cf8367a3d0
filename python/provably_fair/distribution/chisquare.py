"""Pearson's chi-square: whether counts fit an exact law."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.arguments import integer
from provably_fair._core.optional import optional
from provably_fair._core.table import short_repr

from .cells import merge_cells
from .lookup import Lookup
from .tally import Tally

__all__ = ["ChiSquare", "in_order", "pearson"]


class ChiSquare(NamedTuple):
    """The result of a chi-square test: `statistic`, `pvalue`, and `dof`, the degrees of freedom.

    `cells` is the number of cells that were compared, after merging.
    """

    statistic: float
    pvalue: float
    dof: int
    cells: int

    def __repr__(self) -> str:
        return short_repr(self)


def in_order(counts: object, lookup: Lookup) -> tuple[np.ndarray, dict[Any, int]]:
    """Return counts in the order of a law's outcomes, and those of anything else by what it is.

    Examples
    --------
    >>> import numpy as np
    >>> from provably_fair.distribution.chisquare import in_order
    >>> from provably_fair.distribution.lookup import Lookup
    >>> in_order({0: 3, 2: 1, 7: 1}, Lookup(np.array([0, 1, 2])))
    (array([3, 0, 1]), {7: 1})
    """
    outcomes = lookup.outcomes
    if isinstance(counts, Tally):
        if counts.binned:
            raise ValueError("counts must be of outcomes, got a tally of bins")
        if counts.counts.ndim != 1:
            raise ValueError(
                f"counts must be of one row, got a tally of shape {counts.counts.shape}: "
                "take the row that this distribution is about"
            )
        counts = dict(zip(counts.outcomes.tolist(), counts.counts.tolist(), strict=True))
    if isinstance(counts, Mapping):
        aligned, outside = np.zeros(len(outcomes), dtype=np.int64), {}
        for outcome, count in counts.items():
            count = integer(f"counts[{outcome!r}]", count, 0)
            place = lookup.place(outcome)
            if place >= 0:
                aligned[place] += count
            elif count:
                outside[outcome] = count
        return aligned, outside
    array = np.asarray(counts)
    cure = "outcomes themselves are counted by a game's tally, or by collections.Counter"
    if array.dtype.kind not in "iu":
        raise TypeError(f"counts must be integers, got an array of {array.dtype}: {cure}")
    if array.shape != outcomes.shape:
        raise ValueError(f"counts must have the shape {outcomes.shape}, got {array.shape}: {cure}")
    if array.min() < 0:
        raise ValueError(f"counts must be at least 0, got {array.min()}")
    if outcomes.dtype.kind in "iu" and array.any() and (lookup.places(array) >= 0).all():
        raise ValueError(
            f"counts can't be told from outcomes: each of these {array.size} integers may be one. Give the "
            f"Tally that a game's tally returns, or a mapping from outcomes to counts; {cure}"
        )
    return array.astype(np.int64), {}


def pearson(observed: np.ndarray, probabilities: np.ndarray, impossible: int = 0) -> ChiSquare:
    """Compare counts with probabilities; that any of them is `impossible` makes the statistic infinite.

    Examples
    --------
    >>> import numpy as np
    >>> from provably_fair.distribution.chisquare import pearson
    >>> pearson(np.array([60, 40]), np.array([0.5, 0.5])).statistic
    4.0
    """
    rounds = int(observed.sum())
    if rounds + impossible == 0:
        raise ValueError("counts must have a sum above 0")
    expected = probabilities * rounds
    begins = merge_cells(expected)
    dof = len(begins) - 1
    if impossible:
        return ChiSquare(math.inf, 0.0, dof, len(begins))
    cells = np.add.reduceat(expected, begins)
    statistic = float(((np.add.reduceat(observed, begins) - cells) ** 2 / cells).sum())
    pvalue = float(optional("scipy.stats", "stats", "chisquare").chi2.sf(statistic, dof)) if dof else 1.0
    return ChiSquare(statistic, pvalue, dof, len(begins))
