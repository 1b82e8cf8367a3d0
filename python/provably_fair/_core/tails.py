"""Tails of the binomial and of Student's law, and what intervals are made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

__all__ = ["binomial_error", "binomial_interval", "binomial_tail", "student_quantile"]


def binomial_tail(least: int, trials: int, probability: float) -> float:
    """Return the probability of at least `least` successes, to a relative error of `binomial_error`.

    Examples
    --------
    >>> from provably_fair._core.tails import binomial_tail
    >>> round(binomial_tail(2, 3, 0.5), 12)
    0.5
    """
    if least <= 0:
        return 1.0
    if least > trials or probability <= 0:
        return 0.0
    if probability >= 1:
        return 1.0
    return _beta(least, trials - least + 1, probability)


def binomial_error(trials: int) -> float:
    """Return a bound on the relative error of `binomial_tail`, which is that of differences of factorials.

    Examples
    --------
    >>> from provably_fair._core.tails import binomial_error
    >>> binomial_error(1000) < 1e-11 < binomial_error(10**9) < 1e-4
    True
    """
    return 1e-12 + 2.0**-50 * math.lgamma(trials + 2)


def binomial_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the exact (Clopper-Pearson) interval of a probability.

    Both ends are tested at (1 - confidence) / 2, so that it covers at least as often as it says.

    Examples
    --------
    >>> from provably_fair._core.tails import binomial_interval
    >>> [round(end, 4) for end in binomial_interval(0, 100)]
    [0.0, 0.0362]
    """
    alpha = (1 - confidence) / 2
    low, high = 0.0, 1.0
    if successes > 0:
        low = _solve(lambda p: binomial_tail(successes, trials, p), alpha)
    if successes < trials:
        high = _solve(lambda p: binomial_tail(successes + 1, trials, p), 1 - alpha)
    return low, high


def student_quantile(confidence: float, freedom: int) -> float:
    """Return between which bounds, from -t to t, Student's law has this probability.

    Examples
    --------
    >>> from provably_fair._core.tails import student_quantile
    >>> round(student_quantile(0.95, 10), 4)
    2.2281
    """
    if freedom > 10**6:  # where they no longer differ
        return NormalDist().inv_cdf((1 + confidence) / 2)
    x = _solve(lambda x: _beta(freedom / 2, 0.5, x), 1 - confidence)
    return math.sqrt(freedom * (1 / x - 1))


def _solve(rising: Callable[[float], float], target: float) -> float:
    """Return where a function that rises from 0 to 1 reaches the target."""
    # By powers of two first: what is looked for may be small.
    low, high = 0.5, 1.0
    while low > 1e-300 and rising(low) >= target:
        low, high = low / 2, low
    for _ in range(60):
        middle = (low + high) / 2
        if rising(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(a: float, b: float, x: float) -> float:
    """Return the regularized incomplete beta function, by its continued fraction (Lentz's method)."""
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x > (a + 1) / (a + b + 2):
        return 1 - front * _fraction(b, a, 1 - x) / b
    return front * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 100_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + numerator / c
            c = c if abs(c) > tiny else tiny
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value
