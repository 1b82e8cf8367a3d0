"""P-values by the law of a statistic, or by simulation where that law is only asymptotic.

Samples from a known law can be drawn at will, so any statistic has an exact p-value: the rank of the observed
one among simulated ones (Monte Carlo test, Barnard 1963). Besag and Clifford (1991) stop as soon as enough
simulated statistics are as extreme, which keeps the p-value exact and makes unremarkable data cheap. The
generator's seed is a hash of the data: the same data always have the same p-value.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

SMALL = 500
"""Below this many values, p-values are simulated unless the law is exact."""

MEDIUM = 2000
"""Up to this many values, small p-values are simulated."""

# P-values up to this count as small.
_SUSPICIOUS = 0.05
# Smaller p-values aren't simulated: asymptotic laws are wrong by a factor, but not by that much.
_CERTAIN = 1e-9
# Stop after this many simulated statistics as extreme as the observed one (Besag and Clifford).
_ENOUGH = 30
_MOST_SAMPLES = 10_000
# Fewer samples can't resolve the p-values that Holm's method compares.
_FEWEST_SAMPLES = 5000
# Limits on the numbers drawn for one p-value, and at a time.
_MOST_DRAWN = 200_000_000
_AT_A_TIME = 1 << 19


@dataclass(frozen=True)
class Limit:
    """Statistics and asymptotic p-values, one sample a row, and the name of the law of the first one.

    `below` are the p-values of the next more extreme statistic, for discrete laws. `sure` means that a tiny
    asymptotic p-value implies a tiny exact one.
    """

    statistic: np.ndarray
    pvalue: np.ndarray
    null: str
    below: np.ndarray | None = None
    sure: bool = False


@dataclass(frozen=True)
class Trial:
    """A test of some data, with the means to simulate it.

    `draw` simulates a number of fair samples and returns their asymptotic p-values; None if the law is exact.
    `cost` is the count of random numbers per sample, `size` that of values, and `needed` the size from which
    the asymptotic law holds. From `limited` values on, p-values are asymptotic; up to `accurate`, small ones
    are simulated nevertheless.
    """

    limit: Limit
    size: int
    draw: Callable[[np.random.Generator, int], np.ndarray] | None = None
    cost: int = 1
    needed: float = 0
    accurate: int = MEDIUM
    limited: int = SMALL


def simulated(
    limit: Callable[[np.ndarray], Limit], fair: Callable[[np.random.Generator, int], np.ndarray]
) -> Callable[[np.random.Generator, int], np.ndarray]:
    """Return the `draw` of a trial: p-values by `limit` of the samples that `fair` draws."""
    return lambda random, samples: limit(fair(random, samples)).pvalue


@dataclass(frozen=True)
class Judgment:
    """The result of a test: a statistic, the name of its law, and its p-value."""

    statistic: float
    null: str
    pvalue: float
    below: float


def judge(trial: Trial | Judgment | int | None, data: Any, name: str) -> Judgment | int | None:
    """Return the result of a test, or the number of values it needs if there are too few.

    A result without a trial, or None where there is nothing to test, is returned unchanged.
    """
    if not isinstance(trial, Trial):
        return trial
    limit = trial.limit
    pvalue = float(limit.pvalue[0])
    below = pvalue if limit.below is None else float(limit.below[0])
    result = Judgment(float(limit.statistic[0]), limit.null, pvalue, below)
    if trial.draw is None:
        return result
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
        return result
    if not affordable:
        return result
    digest = hashlib.sha256(name.encode() + b"\0" + np.ascontiguousarray(data).tobytes()).digest()
    random = np.random.Generator(np.random.SFC64(list(np.frombuffer(digest, np.uint32))))
    pvalue, below = _rank(pvalue, trial.draw, random, trial.cost, samples)
    return Judgment(result.statistic, f"{limit.null}; by fair samples", pvalue, below)


def _rank(
    observed: float,
    draw: Callable[[np.random.Generator, int], np.ndarray],
    random: np.random.Generator,
    cost: int,
    samples: int,
) -> tuple[float, float]:
    """Return the share of fair samples as extreme as the observed one, and of more extreme ones."""
    # Equal sums taken in another order differ in their last digits: treat these as ties.
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
    """Draw categories by their probabilities (alias method)."""
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
    """Return the tables of Walker's alias method: each column's own share, and its alias."""
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
