"""The Kolmogorov-Smirnov test for discrete laws, by the exact law of its statistic.

The largest difference between the distribution functions of sample and law occurs at one of the law's
outcomes. So the statistic is below d if the count of values up to each outcome stays within n d of its
expectation. If the sample size were Poisson with mean n, counts between outcomes would be independent Poisson
counts: one convolution per outcome, cut to its band, gives the joint probability of staying within all bands
and of n values in the end. Dividing by the probability of n values conditions on exactly n. Conover (1972)
and Gleser (1985) have the test for discontinuous laws; Moscovich and Nadler (2017) have the Poisson counts
and the FFTs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.arguments import BadValue
from provably_fair._core.table import displayed

# The p-value is computed as 1 minus a float; below this it would be all rounding error.
_LEAST = 1e-10
# Above this many multiplications a convolution by FFT is faster.
_DIRECT = 1 << 20


@displayed
class KolmogorovSmirnov(NamedTuple):
    """The result of a Kolmogorov-Smirnov test.

    `statistic` is the largest difference of the distribution functions, `pvalue` the probability of one at
    least as large, `location` the outcome where it is, and `sign` 1 if the sample has more up to there, else
    -1.
    """

    statistic: float
    pvalue: float
    location: Any
    sign: int


def kolmogorov(
    outcomes: np.ndarray, observed: np.ndarray, cumulative: Sequence[int], error: float, impossible: int
) -> KolmogorovSmirnov:
    """Compare counts with cumulative weights; `impossible` values make the p-value 0."""
    rounds, total = int(observed.sum()), cumulative[-1]
    if rounds + impossible == 0:
        raise BadValue("counts", "must have a sum above 0")
    # In integers, so that rounding can't make a difference as large as the observed one look smaller.
    counts = np.cumsum(observed).tolist()
    expected = [rounds * weight for weight in cumulative[1:]]
    off = [count * total - mean for count, mean in zip(counts, expected, strict=True)]
    place = max(range(len(off)), key=lambda one: abs(off[one]))
    largest = abs(off[place])
    statistic = largest / (total * rounds) if rounds else 1.0
    sign, pvalue = 1 if off[place] >= 0 else -1, 0.0
    if not impossible:
        within = largest - 1 - math.ceil(error * total * rounds)
        pvalue = _tail(expected, total, rounds, within, statistic)
    return KolmogorovSmirnov(statistic, pvalue, outcomes[place], sign)


def _tail(expected: list[int], total: int, rounds: int, within: int, statistic: float) -> float:
    """Return `total` times the probability that some count is more than `within` from its expectation."""
    if within < 0:
        return 1.0
    first, before, inside = 0, 0, np.ones(1)
    for mean in expected:
        low = max(first, -((within - mean) // total))
        high = min(rounds, (mean + within) // total)
        if high < low:
            return 1.0
        if mean > before:
            least, kernel = _poisson((mean - before) / total)
            inside = _convolved(inside, kernel)
            first, before = first + least, mean
        inside = inside[max(low - first, 0) : high + 1 - first]
        first = max(first, low)
        if not inside.size:
            return 1.0
    least, exactly = _poisson(float(rounds))
    pvalue = 1 - float(inside[rounds - first]) / float(exactly[rounds - least])
    if pvalue >= _LEAST:
        return min(pvalue, 1.0)
    # The Dvoretzky-Kiefer-Wolfowitz bound with Massart's constant (1990) holds for any law.
    return min(_LEAST, 2 * math.exp(-2 * rounds * statistic**2))


def _poisson(mean: float) -> tuple[int, np.ndarray]:
    """Return the first count with a probability above about 1e-20, and the probabilities from there on."""
    reach = 10 * math.sqrt(mean) + 30
    first, last = max(0, math.floor(mean - reach)), math.ceil(mean + reach)
    # Multiply ratios up from the first one: factorials of large numbers would cancel.
    steps = np.log(mean) - np.log(np.arange(first + 1, last + 1))
    logarithms = np.concatenate([[0.0], np.cumsum(steps)])
    shares = np.exp(logarithms - logarithms.max())
    return first, shares / shares.sum()


def _convolved(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    if len(one) * len(other) <= _DIRECT:
        return np.convolve(one, other)
    length = len(one) + len(other) - 1
    size = 1 << (length - 1).bit_length()
    product: np.ndarray = np.fft.irfft(np.fft.rfft(one, size) * np.fft.rfft(other, size), size)[:length]
    np.maximum(product, 0.0, out=product)
    return product
