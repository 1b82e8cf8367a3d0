"""Histories of outcomes: their units, and what order and repetitions show, whatever the law."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, reals, refuse_masked
from provably_fair._core.counts import bincount
from provably_fair._core.tails import chi_square_tail

from .cells import merge_cells

CHANCE = 1e-4
"""The largest probability at which something is told of an independent history."""
_LAGS, _LIMIT = 10, 4.1  # a normal value is as far off with a probability of 4e-5; there are eleven
_LONGEST = 64
_FEWEST = 20
_LARGEST, _DECIMALS = 1e10, 8


class History(NamedTuple):
    """Outcomes as whole numbers of units: the distinct ones, their counts, and the place of each row."""

    values: np.ndarray
    counts: np.ndarray
    places: np.ndarray
    decimals: int  # a unit is 10**-decimals


def read_history(outcomes: object, decimals: int = 0) -> History:
    """Return outcomes of at least so many decimals, checked; further decimals than eight are rounded."""
    refuse_masked("outcomes", outcomes)
    given = np.asarray(outcomes) if hasattr(outcomes, "dtype") else outcomes
    try:
        numbers = reals("outcomes", given)
    except BadType:
        row = _first_text(given)
        if row is None:
            raise
        wrong = given[row]  # type: ignore[index]
        raise BadType("outcomes", f"must be a number such as 2.5, got {wrong!r:.50}", index=row) from None
    if numbers.ndim != 1 or len(numbers) < _FEWEST:
        raise BadValue("outcomes", f"must be at least {_FEWEST} rows of a number, got {numbers.shape}")
    wrong = ~((numbers >= 0) & (numbers < _LARGEST))
    if wrong.any():
        row = int(wrong.argmax())
        raise BadValue("outcomes", f"must be from 0 to below {_LARGEST:.0e}, got {numbers[row]}", index=row)
    distinct, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    for digits in range(decimals, _DECIMALS + 1):
        units = np.rint(distinct * 10.0**digits)
        if (np.abs(units / 10.0**digits - distinct) <= 2 * np.spacing(distinct)).all():
            break
    values, merged = np.unique(units.astype(np.int64), return_inverse=True)
    sums = bincount(merged, weights=counts).astype(np.int64)
    return History(values, sums, merged[places], digits)


def _first_text(given: object) -> int | None:
    """Return the place of the first text in a sequence that isn't a number, or None."""
    if isinstance(given, list | tuple | np.ndarray):
        for row, value in enumerate(given):
            if isinstance(value, str):
                try:
                    float(value)
                except ValueError:
                    return row
    return None


def order_note(places: np.ndarray, counts: np.ndarray) -> str:
    """Return "sorted", "dependent" or "", of values as places among the distinct ones, with their counts."""
    rows = len(places)
    steps = np.sign(np.diff(places))
    if len(counts) < 2:
        return ""
    if abs(int(steps.sum())) > 0.9 * np.count_nonzero(steps):
        return "sorted"
    ranks = np.cumsum(counts) - (counts - 1) / 2
    for scores, lags in ((ranks, _LAGS), (np.sign(ranks - (rows + 1) / 2), 1)):
        scores = (scores - scores @ counts / rows)[places]
        spread = float(scores @ scores)
        for lag in range(1, lags + 1):
            # Without replacement, two values have a correlation of -1 / (rows - 1).
            pairs = rows - lag
            correlation = float(scores[:-lag] @ scores[lag:]) * rows / spread if spread else 0.0
            if abs(correlation + pairs / (rows - 1)) > _LIMIT * math.sqrt(pairs):
                return "dependent"
    return ""


def has_repeated_block(places: np.ndarray, counts: np.ndarray) -> bool:
    """Return whether a block of rows comes twice that is too long for chance."""
    rows = len(places)
    equal, most = float((counts * (counts - 1.0)).sum()) / max(rows * (rows - 1), 1), counts.max() / rows
    lengths = range(1, min(_LONGEST, rows // 2))
    # The number of pairs that chance makes of blocks apart, and of those of one value that overlap
    chances = (rows**2 / 2 * equal**length + 2 * rows * most ** (length + 1) for length in lengths)
    length = next((length for length, chance in zip(lengths, chances, strict=True) if chance < CHANCE), 0)
    if not length:
        return False
    # Blocks are compared by sums of random numbers, which their author doesn't know.
    random = np.random.default_rng()
    codes = random.integers(1 << 63, size=len(counts), dtype=np.uint64)[places]
    factors = random.integers(1 << 62, size=length, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    sums = np.zeros(rows - length + 1, np.uint64)
    for place, factor in enumerate(factors):
        sums += codes[place : place + len(sums)] * factor
    sums.sort()
    return bool((sums[1:] == sums[:-1]).any())


def pearson_pvalue(counts: np.ndarray, chances: np.ndarray) -> float:
    """Return the p-value of Pearson's test, in cells that expect at least 5; see `Distribution.chisquare`."""
    expected = chances * counts.sum()
    begins = merge_cells(expected)
    cells = np.add.reduceat(expected, begins)
    off = np.add.reduceat(counts, begins) - cells
    return chi_square_tail(float(off @ (off / cells)), len(begins) - 1) if counts.any() else 1.0


def poisson_bound(count: float, mean: float) -> float:
    """Return Chernoff's bound on the probability that a Poisson variable is at least `count`."""
    return math.exp(count - mean - count * math.log(count / mean)) if count > mean > 0 else 1.0
