"""Pearson's chi-square test of counts against an exact law."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer, rectangular
from provably_fair._core.counts import bincount
from provably_fair._core.optional import optional
from provably_fair._core.table import displayed

from .cells import merge_cells
from .lookup import Lookup
from .outcomes import as_tuple, is_series, other_labels
from .tally import Tally

_ROUNDED = 1e-12
"""The largest relative error of floats from a few operations."""


@displayed
class ChiSquare(NamedTuple):
    """The result of a chi-square test: `statistic`, `pvalue`, and `dof`, the degrees of freedom.

    `cells` is the number of cells after merging.
    """

    statistic: float
    pvalue: float
    dof: int
    cells: int


def in_order(
    counts: object, lookup: Lookup, *, are_counts: bool = False
) -> tuple[np.ndarray, dict[Any, int]]:
    """Return counts in the order of a law's outcomes, and counts of values that aren't outcomes.

    A sequence of the law's length holds counts. An array of another length whose values are outcomes of the
    law, or of floats of which some are, holds outcomes; a list never does. Ambiguous input is refused.
    """
    outcomes = lookup.outcomes
    if isinstance(counts, Tally):
        if counts.binned:
            raise BadValue("counts", "must be of outcomes, got a tally of bins")
        if counts.counts.ndim != 1:
            raise BadValue("counts", f"must be of one row, got shape {counts.counts.shape}: take one row")
        counts = dict(zip(counts.outcomes.tolist(), counts.counts.tolist(), strict=True))
    if isinstance(counts, Mapping):
        aligned, outside, total = np.zeros(len(outcomes), dtype=np.int64), {}, 0
        for outcome, count in counts.items():
            count = integer("counts", count, 0, index=outcome)
            total += count
            _refuse_wrapped(total)
            place = lookup.place(outcome)
            if place >= 0:
                aligned[place] += count
            elif count:
                outside[outcome] = count
        return aligned, outside
    if is_series(counts):
        _check_index(counts, lookup)
    array = rectangular("counts", counts)
    cure = "a game's tally or collections.Counter counts anything else"
    if array.dtype.kind not in "iuf" or (array.dtype.kind == "f" and are_counts):
        raise BadType("counts", f"must be integers or outcomes, got an array of {array.dtype}: {cure}")
    may_be_counts = array.shape == outcomes.shape and array.dtype.kind != "f"
    places = np.zeros(0, np.int64) if are_counts else _places(array, lookup)
    there = places >= 0
    # Floats are outcomes even where some are impossible ones, unless they may be counts: whole, and as many.
    whole = array.shape == outcomes.shape and bool((np.rint(array) == array).all())
    only_outcomes = array.dtype.kind == "f" and not whole and not np.isnan(array).any()
    are_outcomes = bool(there.any()) and (only_outcomes or bool(there.all()))
    listed = isinstance(counts, list | tuple | range)
    if are_outcomes and may_be_counts and array.any():
        raise BadValue("counts", "can't be told from outcomes: write counts=..., or give a tally of outcomes")
    if are_outcomes and not may_be_counts and not listed:
        refuse_unrounded("counts", array[~there], outcomes)
        others = map(as_tuple, array[~there].tolist())
        return bincount(places[there], minlength=len(outcomes)), Counter(others)
    if not may_be_counts:
        kind, got = (BadType, array.dtype) if array.dtype.kind == "f" else (BadValue, array.shape)
        raise kind("counts", f"must be outcomes or integers of shape {outcomes.shape}, got {got}: {cure}")
    if array.min() < 0:
        raise BadValue("counts", f"must be at least 0, got {array.min()}")
    _refuse_wrapped(sum(array.tolist()))
    return array.astype(np.int64), {}


def _refuse_wrapped(total: int) -> None:
    """Refuse counts with a sum that would wrap."""
    if total >= 2**63:
        raise BadValue("counts", "must have a sum below 2**63")


def refuse_unrounded(name: str, odd: np.ndarray, outcomes: np.ndarray) -> None:
    """Refuse floats that miss an outcome by no more than arithmetic in floats does, as 3 * 1.1 misses 3.3."""
    if odd.dtype.kind != "f" or not isinstance(outcomes[0], Number):
        return
    values, known = np.unique(odd[np.isfinite(odd)]), np.sort(outcomes.astype(np.float64))
    after = np.searchsorted(known, values).clip(1, max(len(known) - 1, 1))
    for nearest in (known[after - 1], known[np.minimum(after, len(known) - 1)]):
        near = np.abs(nearest - values) <= _ROUNDED * np.abs(values)
        if near.any():
            got, outcome = values[near][0].item(), nearest[near][0].item()
            problem = f"must be outcomes, got {got!r}, which is {outcome!r} but for rounding"
            raise BadValue(name, f"{problem}: round them first")


def _check_index(counts: Any, lookup: Lookup) -> None:
    """Refuse a pandas Series that may be counts by outcome in another order, as `value_counts` returns it."""
    outcomes = lookup.outcomes.tolist()
    labels = other_labels(counts, outcomes, len(counts)) if len(counts) <= len(outcomes) else None
    if labels is None:
        return
    if len({*labels}) == len(labels) and all(lookup.place(label) >= 0 for label in labels):
        cure = "give its to_dict() if these are counts, or its to_numpy() if its values are outcomes"
        raise BadValue(
            "counts", f"must have the outcomes in order, got a Series with outcomes as index: {cure}"
        )


def _places(array: np.ndarray, lookup: Lookup) -> np.ndarray:
    """Return the index of each value among a law's outcomes, or -1 for other values."""
    if array.ndim == 1 and isinstance(lookup.outcomes[0], Number):
        return lookup.places(array)
    if array.ndim > 1 and lookup.outcomes.dtype.kind == "O":
        return np.array([lookup.place(as_tuple(row)) for row in array.tolist()], np.int64)
    return np.full(1, -1)


def pearson(observed: np.ndarray, probabilities: np.ndarray, impossible: int = 0) -> ChiSquare:
    """Compare counts with probabilities; `impossible` values make the statistic infinite."""
    rounds = int(observed.sum())
    if rounds + impossible == 0:
        raise BadValue("counts", "must have a sum above 0")
    expected = probabilities * rounds
    begins = merge_cells(expected)
    dof = len(begins) - 1
    if impossible:
        return ChiSquare(math.inf, 0.0, dof, len(begins))
    cells = np.add.reduceat(expected, begins)
    statistic = float(((np.add.reduceat(observed, begins) - cells) ** 2 / cells).sum())
    pvalue = float(optional("scipy.stats", "stats", "chisquare").chi2.sf(statistic, dof)) if dof else 1.0
    return ChiSquare(statistic, pvalue, dof, len(begins))
