"""Tails of the binomial, hypergeometric and Student's t laws, and intervals from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

from provably_fair._engine import beta_fraction


def binomial_tail(least: int, trials: int, probability: float) -> float:
    """Return the probability of at least `least` successes, with relative error `binomial_error`."""
    if least <= 0:
        return 1.0
    if least > trials or probability <= 0:
        return 0.0
    if probability >= 1:
        return 1.0
    return _beta(least, trials - least + 1, probability)


def log_bound(share: float, trials: float, probability: float) -> float:
    """Return Chernoff's bound on the logarithm of the probability of at least this share of successes."""
    if share <= probability:
        return 0.0
    rest = 0.0 if share == 1 else (1 - share) * math.log((1 - share) / (1 - probability))
    return -trials * (share * math.log(share / probability) + rest)


def binomial_error(trials: int) -> float:
    """Return a bound on the relative error of `binomial_tail`, from the cancellation of log factorials."""
    return 1e-12 + 2.0**-50 * math.lgamma(trials + 2)


def hypergeometric_tail(least: int, drawn: int, marked: int, total: int) -> float:
    """Return P(at least `least` marked in `drawn` of `total`), relative error `binomial_error(total)`."""
    if least <= max(0, drawn + marked - total):
        return 1.0
    if least > min(drawn, marked):
        return 0.0
    if least * total <= drawn * marked:  # below the mean the other tail is shorter
        return 1.0 - hypergeometric_tail(drawn - least + 1, drawn, total - marked, total)
    logarithm = (
        log_choose(marked, least) + log_choose(total - marked, drawn - least) - log_choose(total, drawn)
    )
    term = reached = 1.0
    for number in range(least, min(drawn, marked)):
        rest = total - marked - drawn + number + 1
        term *= (marked - number) / (number + 1) * (drawn - number) / rest
        reached += term
        if term < 1e-18 * reached:
            break
    return math.exp(logarithm) * reached


def log_choose(many: int, few: int) -> float:
    """Return the logarithm of the number of ways to choose `few` out of `many`."""
    return math.lgamma(many + 1) - math.lgamma(few + 1) - math.lgamma(many - few + 1)


def binomial_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a probability, whose coverage is at least the nominal one."""
    alpha = (1 - confidence) / 2
    low, high = 0.0, 1.0
    if successes > 0:
        low = _solve(lambda p: binomial_tail(successes, trials, p), alpha)
    if successes < trials:
        high = _solve(lambda p: binomial_tail(successes + 1, trials, p), 1 - alpha)
    return low, high


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-square variable is at least `statistic`; 1 without freedom."""
    half = statistic / 2
    if not freedom or half <= 0:
        return 1.0
    tail, reached = (math.erfc(math.sqrt(half)), 1) if freedom % 2 else (math.exp(-half), 2)
    for degrees in range(reached, freedom, 2):
        tail += math.exp(degrees / 2 * math.log(half) - half - math.lgamma(degrees / 2 + 1))
    return min(tail, 1.0)


def student_quantile(confidence: float, freedom: int) -> float:
    """Return t such that Student's t lies between -t and t with this probability."""
    if freedom > 10**6:  # indistinguishable from normal
        return NormalDist().inv_cdf((1 + confidence) / 2)
    x = _solve(lambda x: _beta(freedom / 2, 0.5, x), 1 - confidence)
    return math.sqrt(freedom * (1 / x - 1))


def _solve(rising: Callable[[float], float], target: float) -> float:
    """Return where a function that increases from 0 to 1 reaches `target`."""
    # Start with powers of two: the answer may be small.
    low, high = 0.5, 1.0
    while low > 1e-300 and rising(low) >= target:
        low, high = low / 2, low
    low, high = halved(lambda x: rising(x) < target, low, high)
    return (low + high) / 2


def bisected(short: Callable[[int], bool], low: int, high: int, fine: int = 0) -> tuple[int, int]:
    """Bisect for the last whole number for which `short` holds, and the next; to 1 in `fine`, if given."""
    while high - low > max(1, fine and high // fine):
        middle = (low + high) // 2
        low, high = (middle, high) if short(middle) else (low, middle)
    return low, high


def halved(short: Callable[[float], bool], low: float, high: float, times: int = 60) -> tuple[float, float]:
    """Bisect for the place up to which `short` holds: `times` times, or until no double lies between."""
    for _ in range(times):
        middle, before = (low + high) / 2, (low, high)
        low, high = (middle, high) if short(middle) else (low, middle)
        if before == (low, high):
            break
    return low, high


def _beta(a: float, b: float, x: float) -> float:
    """Return the regularized incomplete beta function, by its continued fraction."""
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x > (a + 1) / (a + b + 2):
        return 1 - front * beta_fraction(b, a, 1 - x) / b
    return front * beta_fraction(a, b, x) / a
