"""Sums of independent copies: exact while the weights are small enough, by FFT beyond that."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.numbers import exactly, over_one_denominator
from provably_fair._core.optional import optional

__all__ = ["Sum", "sum_of_copies"]

# Sums of copies are exact while the integer that holds all their weights has no more bits than this.
_MAX_BITS = 1 << 22
# The most outcomes of a sum that is worked out by FFT.
_MAX_FFT = 1 << 24
# What is cut off from each end of such a sum has at most this probability.
_CUT = 2.0**-64
# The total weight of a sum that was worked out in floats.
_FFT_TOTAL = 1 << 60


class Sum(NamedTuple):
    """Outcomes and weights of a sum, a bound on the error of each probability, and one on what was cut."""

    outcomes: Any
    weights: list[int]
    error: float
    cut: float


def sum_of_copies(
    n: int, outcomes: np.ndarray, weights: tuple[int, ...], probabilities: np.ndarray, error: float
) -> Sum:
    """Return the law of the sum of `n` independent copies.

    Examples
    --------
    >>> import numpy as np
    >>> from provably_fair.distribution.sums import sum_of_copies
    >>> coins = sum_of_copies(2, np.array([0, 1]), (1, 1), np.array([0.5, 0.5]), 0.0)
    >>> coins.outcomes, coins.weights, coins.error
    ([0, 1, 2], [1, 2, 1], 0.0)
    """
    numerators, denominator = over_one_denominator(outcomes.tolist())
    first = numerators[0]
    step = math.gcd(*(value - first for value in numerators)) or 1
    places = [(value - first) // step for value in numerators]
    size = places[-1] * n + 1
    total = sum(weights)
    slot = (total**n).bit_length() if n * total.bit_length() < _MAX_BITS else _MAX_BITS
    cut = 0.0
    if error == 0.0 and size * slot <= _MAX_BITS:
        made = _exact(n, places, weights, size, slot)
    elif size <= _MAX_FFT:
        made, error = _by_fft(n, places, probabilities, error, size)
        # Beyond these places there is nothing but the noise of the transforms.
        low, high = _reach(n, places, probabilities, -1), _reach(n, places, probabilities, 1)
        cut = ((low > 0) + (high < size - 1)) * _CUT
        made[:low], made[high + 1 :] = [0] * low, [0] * (size - 1 - high)
    else:
        raise ValueError(f"n must leave at most {_MAX_FFT} outcomes of the sum, {n} would make {size}")
    sums = [first * n + step * place for place, weight in enumerate(made) if weight]
    values = _of_kind(sums, denominator, outcomes.dtype.kind)
    return Sum(values, [weight for weight in made if weight], error, cut)


def _of_kind(sums: list[int], denominator: int, kind: str) -> list[Any]:
    """Return sums as numbers of the kind of the outcomes, where these hold them exactly."""
    if kind == "f":
        floats = [value / denominator for value in sums]
        unit = next((10**d for d in range(16) if 10**d % denominator == 0), 10**16)
        # Decimals of fifteen digits are all told apart by doubles, and shown as themselves.
        easy = max(map(abs, sums)) * unit < 10**15 * denominator
        if easy or all(
            exactly(value) == Fraction(exact, denominator) for value, exact in zip(floats, sums, strict=True)
        ):
            return floats
    if denominator == 1:
        return sums
    return [Fraction(value, denominator) for value in sums]


def _exact(n: int, places: list[int], weights: tuple[int, ...], size: int, slot: int) -> list[int]:
    """Raise the polynomial of the weights to a power, as one integer with a slot for each place."""
    width = -(-slot // 8)
    digits = bytearray(width * (places[-1] + 1))
    for place, weight in zip(places, weights, strict=True):
        digits[place * width : (place + 1) * width] = weight.to_bytes(width, "little")
    power = int.from_bytes(digits, "little") ** n
    digits = bytearray(power.to_bytes(width * size, "little"))
    return [int.from_bytes(digits[i : i + width], "little") for i in range(0, len(digits), width)]


def _by_fft(
    n: int, places: list[int], probabilities: np.ndarray, error: float, size: int
) -> tuple[list[int], float]:
    convolve = optional("scipy.signal", "stats", "sum").fftconvolve
    one = np.zeros(places[-1] + 1)
    one[places] = probabilities
    epsilon = np.finfo(np.float64).eps

    def join(a: tuple[np.ndarray, float], b: tuple[np.ndarray, float]) -> tuple[np.ndarray, float]:
        # Errors of the factors add up, as the other factor's probabilities sum to 1; a transform of
        # L places errs by about eps log2 L of the product of the norms, here taken eight times.
        joined = np.maximum(convolve(a[0], b[0]), 0.0)
        own = 8 * epsilon * math.log2(max(len(joined), 2)) * np.linalg.norm(a[0]) * np.linalg.norm(b[0])
        return joined, a[1] + b[1] + float(own)

    result, power, left = None, (one, error + float(epsilon)), n
    while True:
        if left & 1:
            result = power if result is None else join(result, power)
        left >>= 1
        if not left:
            break
        power = join(power, power)
    assert result is not None
    pmf, error = result
    weights = np.rint(pmf[:size] * _FFT_TOTAL).astype(np.int64).tolist()
    return weights, error + abs(1 - sum(weights) / _FFT_TOTAL) + 1 / _FFT_TOTAL


def _reach(n: int, places: list[int], probabilities: np.ndarray, sign: int) -> int:
    """Return the place that a sum passes with a probability of at most `_CUT`, upward or downward.

    By Chernoff's bound: for any tilt t above 0, P(sum >= a) <= exp(n log E[exp(t x)] - t a), which is
    `_CUT` for an a that the tilt makes as small as it can.
    """
    width = places[-1] or 1
    x = sign * np.array(places, dtype=np.float64) / width
    with np.errstate(divide="ignore"):
        logs = np.log(probabilities)

    def passed(log_tilt: float) -> float:
        tilt = math.exp(log_tilt)
        terms = logs + tilt * x
        top = float(terms.max())
        return (n * (top + math.log(np.exp(terms - top).sum())) - math.log(_CUT)) / tilt

    left, right = -30.0, 40.0
    for _ in range(120):
        third = (right - left) / 3
        if passed(left + third) < passed(right - third):
            right -= third
        else:
            left += third
    reached = passed((left + right) / 2) * width
    if sign > 0:
        return min(math.ceil(reached), n * places[-1])
    return max(math.floor(-reached), 0)
