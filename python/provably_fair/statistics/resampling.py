"""P-values of tests: from the law of the statistic, or from fair samples if that law is only a limit.

A sample from a known law can be made again and again, so that any statistic has an exact p-value: the rank
of what was observed among fair samples (Barnard 1963). Besag and Clifford (1991) stop as soon as enough fair
samples were as extreme, which keeps it exact and makes unremarkable data cheap. The generator's seed is a
hash of the data: the same data always have the same p-value.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

__all__ = ["MEDIUM", "SMALL", "Found", "Limit", "Trial", "categorical", "judge"]

SMALL = 500
"""Samples of fewer values have all p-values by fair samples, where the law isn't exact."""

MEDIUM = 2000
"""Samples of up to this many have their small p-values by fair samples."""

# P-values up to this are small.
_SUSPICIOUS = 0.05
# Those below need no fair samples: limits are wrong by factors, not by this much.
_CERTAIN = 1e-9
# This number of fair samples that are as extreme is enough to know a p-value.
_ENOUGH = 30
_MOST_SAMPLES = 10_000
# Fewer can't tell the p-values that Holm's method compares.
_FEWEST_SAMPLES = 5000
# Numbers drawn for one p-value at most, and at a time.
_MOST_DRAWN = 200_000_000
_AT_A_TIME = 1 << 19


@dataclass(frozen=True)
class Limit:
    """Statistics and p-values of samples, one sample a row, and the law of the first one's statistic.

    `below` are the p-values of a statistic farther out, where the law has steps. `sure` is whether the
    first one's p-value is tiny only where the exact one is.
    """

    statistic: np.ndarray
    pvalue: np.ndarray
    null: str
    below: np.ndarray | None = None
    sure: bool = False


@dataclass(frozen=True)
class Trial:
    """One test of some data.

    `draw` makes a number of fair samples and returns the p-values that the limit gives them, None where
    the law is exact; `cost` are the numbers it draws for one. `size` is the number of values, and
    `needed` the number from which the limit holds for their law. `limited` is the number from which
    p-values are by the limit; `accurate` that up to which small ones are by fair samples even so.
    """

    limit: Limit
    size: int
    draw: Callable[[np.random.Generator, int], np.ndarray] | None = None
    cost: int = 1
    needed: float = 0
    accurate: int = MEDIUM
    limited: int = SMALL


@dataclass(frozen=True)
class Found:
    """A statistic, its law, and its p-value."""

    statistic: float
    null: str
    pvalue: float
    below: float


def judge(trial: Trial | Found | int | None, data: Any, name: str) -> Found | int | None:
    """Return the result of a test, or how many values it takes, where these are too few.

    What a test found by itself, or that there is nothing to find, stays as it is.
    """
    if not isinstance(trial, Trial):
        return trial
    limit = trial.limit
    pvalue = float(limit.pvalue[0])
    below = pvalue if limit.below is None else float(limit.below[0])
    found = Found(float(limit.statistic[0]), limit.null, pvalue, below)
    if trial.draw is None:
        return found
    samples = min(_MOST_SAMPLES, _MOST_DRAWN // trial.cost)
    affordable = samples >= _FEWEST_SAMPLES
    trusted = trial.size >= trial.needed
    if not trusted and trial.size > MEDIUM and not affordable:
        return math.ceil(trial.needed)
    if trial.size >= trial.limited and (
        pvalue > _SUSPICIOUS
        or (pvalue < _CERTAIN and (trusted or limit.sure))
        or (trusted and trial.size > trial.accurate)
    ):
        return found
    if not affordable:
        return found
    digest = hashlib.sha256(name.encode() + b"\0" + np.ascontiguousarray(data).tobytes()).digest()
    random = np.random.Generator(np.random.SFC64(list(np.frombuffer(digest, np.uint32))))
    pvalue, below = _rank(pvalue, trial.draw, random, trial.cost, samples)
    return Found(found.statistic, f"{limit.null}; by fair samples", pvalue, below)


def _rank(
    observed: float,
    draw: Callable[[np.random.Generator, int], np.ndarray],
    random: np.random.Generator,
    cost: int,
    samples: int,
) -> tuple[float, float]:
    """Return the share of fair samples that are as extreme, and of those that are more so."""
    # Sums in another order differ in their last digits: equal ones are to be told as equal.
    as_extreme, more = observed * (1 + 1e-9), observed * (1 - 1e-9)
    drawn = ties = beyond = 0
    count = 4 * _ENOUGH
    while drawn < samples:
        count = max(1, min(count, samples - drawn, _AT_A_TIME // cost))
        pvalues = draw(random, count)
        extreme = pvalues <= as_extreme
        before = ties
        ties += int(extreme.sum())
        if ties >= _ENOUGH:
            last = int(np.flatnonzero(extreme)[_ENOUGH - before - 1])
            drawn += last + 1
            beyond += int((pvalues[: last + 1] < more).sum())
            return _ENOUGH / drawn, beyond / (drawn + 1)
        beyond += int((pvalues < more).sum())
        drawn += count
        count *= 2
    return (ties + 1) / (drawn + 1), beyond / (drawn + 1)


def categorical(random: np.random.Generator, chances: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Draw categories by their probabilities."""
    kinds = len(chances)
    if np.ptp(chances) <= 1e-12:
        return random.integers(kinds, size=shape)
    uniform = random.random(shape)
    if kinds > 16:
        shares, others = _aliases(chances.tobytes())
        uniform *= kinds
        column = uniform.astype(np.int64)
        uniform -= column
        return np.where(uniform < shares[column], column, others[column])
    ends = np.cumsum(chances)[:-1] / chances.sum()
    codes = np.zeros(shape, dtype=np.int64)
    for end in ends.tolist():
        codes += uniform >= end
    return codes


@lru_cache(maxsize=8)
def _aliases(chances: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return Walker's tables: of equally probable columns, what share is their own, and whose the rest is."""
    weights = np.frombuffer(chances)
    shares = (weights * (len(weights) / weights.sum())).tolist()
    others = list(range(len(shares)))
    small = [place for place, share in enumerate(shares) if share < 1]
    large = [place for place, share in enumerate(shares) if share >= 1]
    while small and large:
        low, high = small.pop(), large[-1]
        others[low] = high
        shares[high] -= 1 - shares[low]
        if shares[high] < 1:
            small.append(large.pop())
    return np.array(shares), np.array(others)
