"""Laws of sums of independent values: exact while small, by tilted Fourier transforms beyond.

A transform errs by about 1e-16 of the largest probability, which would bury the tails. So the tails are
transformed separately, under exponential tilts (Esscher 1932): weighting each value x by exp(t x) moves the
bulk of the sum, and so its accuracy, to where the tilt makes it likely. Each probability is taken from the
tilt with the smallest error bound there.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.errors import BadValue
from provably_fair._core.numbers import exactly, over_one_denominator

# A sum is exact if all weights fit into an integer of this many bits, or if adding every pair of values costs
# no more than this (pairs times bits).
_MAX_BITS = 1 << 22
_MAX_PAIRS = 1 << 25
# Sparse values: adding pairs is cheaper than transforming every place between them.
_PAIRS_A_PLACE = 1 << 9
# The least cost of adding a pair, in bits.
_A_PAIR = 1 << 8
# Limit on the places of a transformed sum.
_MAX_PLACES = 1 << 24
# Probabilities that each end may lose; the first that leaves few places is used.
_CUTS = (2.0**-512, 2.0**-256, 2.0**-128, 2.0**-64)
_FEW_PLACES = 1 << 17
# Places must fit into int64.
_MAX_WIDTH = 1 << 62
# Probability that may wrap around at each end of a transform.
_WRAPPED = 2.0**-64
# The logarithm of a transform is off by an epsilon for each copy. From this many copies on, it is summed
# without canceling where a power may be above exp(-_NEAR), if that takes at most so many terms.
_MANY, _NEAR, _MAX_TERMS = 1 << 20, 64, 1 << 22
# An end that a tilted sum passes with more than this probability needs no further tilt.
_REACHED = 2.0**-10
# Distance between the means of neighboring tilts, in standard deviations.
_APART = 6.0
# At larger tilts all mass is at one place.
_MAX_TILT = 64.0
_EPSILON = float(np.finfo(np.float64).eps)


class Term(NamedTuple):
    """Independent copies of a value in a sum: their number, and their law."""

    copies: int
    outcomes: Any
    weights: Sequence[int]
    probabilities: np.ndarray
    error: float

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)


class Sum(NamedTuple):
    """The law of a sum: exact weights, or else probabilities with a bound on the error of each.

    `cut` bounds the probability of outcomes that aren't listed.
    """

    outcomes: Any
    weights: list[int] | None
    probabilities: np.ndarray
    error: float
    cut: float


def independent_sum(terms: Sequence[Term]) -> Sum:
    """Return the law of a sum of independent values."""
    numerators, denominator = over_one_denominator([x for term in terms for x in term.outcomes.tolist()])
    ends = list(itertools.accumulate((len(term.outcomes) for term in terms), initial=0))
    rows = [numerators[begin:end] for begin, end in itertools.pairwise(ends)]
    step = math.gcd(*(value - row[0] for row in rows for value in row)) or 1
    first = sum(term.copies * row[0] for term, row in zip(terms, rows, strict=True))
    # On the common lattice, outcomes are nonnegative multiples of the step.
    steps = [
        term._replace(outcomes=[(value - row[0]) // step for value in row])
        for term, row in zip(terms, rows, strict=True)
    ]
    kind = "f" if any(term.outcomes.dtype.kind == "f" for term in terms) else ""
    size = sum(one.copies * one.outcomes[-1] for one in steps) + 1

    def values(places: list[int]) -> Any:
        return _of_kind(places, first, step, denominator, kind)

    if all(term.weights and not term.error for term in terms):
        exact = _exact(steps, size)
        if exact is not None:
            places = [place for place, weight in exact.items() if weight]
            return Sum(values(places), [exact[place] for place in places], np.empty(0), 0.0, 0.0)
    low, probabilities, error, cut = _transform(steps, size)
    kept = np.flatnonzero(probabilities)
    if not kept.size:  # each is less than its error
        raise _too_wide()
    error += math.fsum(term.copies * term.error for term in terms)
    return Sum(values((kept + low).tolist()), None, probabilities[kept], error, cut)


def _of_kind(places: list[int], first: int, step: int, denominator: int, kind: str) -> object:
    """Return sums in the number type of the outcomes if that is exact, else as fractions."""
    largest = max(abs(first + step * places[0]), abs(first + step * places[-1]))
    if denominator == 1:
        return [first + step * place for place in places]
    if kind == "f":
        unit = next((10**d for d in range(16) if 10**d % denominator == 0), 10**16)
        if largest * unit < 10**15 * denominator and largest < 2**53:
            # Doubles distinguish decimals of up to fifteen digits, and print them as such.
            return (first + step * np.array(places, dtype=np.int64)) / denominator
    sums = [Fraction(first + step * place, denominator) for place in places]
    if (
        kind == "f"
        and largest < denominator << 1023
        and all(exactly(float(value)) == value for value in sums)
    ):
        return [float(value) for value in sums]
    return sums


# Exact sums


def _exact(steps: list[Term], size: int) -> dict[int, int] | None:
    """Return the weight of each place; None if that would be too much work."""
    if sum(one.copies * one.total.bit_length() for one in steps) < _MAX_BITS:
        slot = math.prod(one.total**one.copies for one in steps).bit_length()
        if size * slot <= _MAX_BITS:
            return dict(enumerate(_by_integers(steps, size, slot)))
    return _by_pairs(steps, max(_MAX_PAIRS, _PAIRS_A_PLACE * min(size, _MAX_PLACES)))


def _by_integers(steps: list[Term], size: int, slot: int) -> list[int]:
    """Multiply the weights as polynomials, packed into integers (Kronecker substitution)."""
    width = -(-slot // 8)
    product = 1
    for one in steps:
        digits = bytearray(width * (one.outcomes[-1] + 1))
        for place, weight in zip(one.outcomes, one.weights, strict=True):
            digits[place * width : (place + 1) * width] = weight.to_bytes(width, "little")
        product *= int.from_bytes(digits, "little") ** one.copies
    digits = bytearray(product.to_bytes(width * size, "little"))
    return [int.from_bytes(digits[i : i + width], "little") for i in range(0, len(digits), width)]


def _by_pairs(steps: list[Term], most: int) -> dict[int, int] | None:
    """Add every pair of values, one copy after the other; None if that is too much work."""
    if sum(one.copies for one in steps) > 64:
        return None
    sums, bits, work = {0: 1}, 0, 0
    for one in steps:
        for _ in range(one.copies):
            bits += one.total.bit_length()
            work += len(sums) * len(one.outcomes) * max(bits, _A_PAIR)
            if work > most:
                return None
            added: dict[int, int] = {}
            for place, weight in sums.items():
                for more, by in zip(one.outcomes, one.weights, strict=True):
                    added[place + more] = added.get(place + more, 0) + weight * by
            sums = added
    return dict(sorted(sums.items()))


# Sums by transforms


def _transform(steps: list[Term], size: int) -> tuple[int, np.ndarray, float, float]:
    """Return the first place, the probabilities from there on, a bound on their errors, and the mass cut."""
    if size >= _MAX_WIDTH:
        raise _too_wide()
    law = _Tilted(steps)
    mean, deviation = law.moments(0.0)
    for cut in _CUTS:
        low, high = law.reach(0.0, cut, -1), law.reach(0.0, cut, 1)
        if high - low < _FEW_PLACES:
            break
    if high - low >= _MAX_PLACES:
        raise _too_wide()
    lost = cut * ((low > 0) + (high < size - 1))
    # A ladder of tilts whose means lead from one end to the other.
    tilts = [0.0]
    for sign, end in (-1, low), (1, high):
        at, spread, tilt = mean, deviation, 0.0
        while (end - at) * sign > 0.1 and (
            # A few rare values make a sum vary without leading it to the other end.
            (end - at) * sign > _APART * spread / 2 or (end - law.reach(tilt, _REACHED, sign)) * sign > 0
        ):
            # A sum that hardly varies has its next likely place a whole step away.
            tilt = law.tilt_by(sign * min(max(_APART * spread, 1), abs(end - at) / 2), tilt)
            if abs(tilt) > _MAX_TILT:
                break
            at, spread = law.moments(tilt)
            tilts.append(tilt)
    windows = [law.window(tilt) for tilt in sorted(tilts)]
    probabilities, doubt = np.zeros(high - low + 1), np.full(high - low + 1, np.inf)
    for window in windows:
        begin, end = max(window.low, low), min(window.low + len(window.probabilities) - 1, high)
        if begin > end:
            continue
        here = slice(begin - low, end - low + 1)
        # Undo the tilt: probabilities and their errors are both multiplied by exp(scale).
        scale = window.log_mass - window.tilt * (np.arange(begin, end + 1) - law.center)
        with np.errstate(over="ignore", invalid="ignore"):
            factor = np.exp(scale)
            untilted = window.probabilities[begin - window.low : end - window.low + 1] * factor
            error = window.error * factor + 4 * _EPSILON * (1 + np.abs(scale)) * untilted
        better = error < doubt[here]
        probabilities[here][better], doubt[here][better] = untilted[better], error[better]
    # Places that no window covers are beyond what tilted sums pass, by Chernoff's inequality.
    outside = np.flatnonzero(np.isinf(doubt))
    for window in windows if outside.size else ():
        scale = window.log_mass - window.tilt * (outside + low - law.center)
        doubt[outside] = np.minimum(doubt[outside], _WRAPPED * np.exp(np.minimum(scale, 700)))
    # Places that can't be told from 0 aren't listed.
    blurred = probabilities <= doubt
    lost += float(doubt[blurred].sum())
    probabilities[blurred] = 0.0
    return low, probabilities, float(doubt.max(initial=0.0)), lost


def _too_wide() -> BadValue:
    """Return the error for a sum with too many places."""
    cure = "fewer copies, or outcomes rounded to a common unit, as by map(lambda x: round(x, 2))"
    return BadValue(
        "n", f"must be so small that the sum has at most {_MAX_PLACES} equally spaced outcomes: {cure}"
    )


class _Window(NamedTuple):
    """The law of a tilted sum from place `low` on, with a bound on the error of each probability."""

    tilt: float
    low: int
    probabilities: np.ndarray
    error: float
    log_mass: float


class _Tilted:
    """A sum whose values x are weighted by exp(tilt x).

    Places are relative to a center near the mean, so that phases and exponents stay small.
    """

    def __init__(self, steps: list[Term]) -> None:
        self._steps = []
        self.center = 0
        self._most = 0
        for one in steps:
            likely = one.probabilities > 0
            places = np.array(one.outcomes, dtype=np.int64)[likely]
            shares = one.probabilities[likely]
            middle = round(float(shares @ places))
            self._steps.append((one.copies, places - middle, shares))
            self.center += one.copies * middle
            self._most += one.copies * one.outcomes[-1]
        # If there are hardly more places than values, cutting saves nothing.
        self._is_short = self._most < 8 * sum(len(x) for _, x, _ in self._steps)
        self._widest = max(int(np.abs(x).max()) for _, x, _ in self._steps) or 1

    def _tilt(self, tilt: float) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Return copies, places and tilted probabilities of each term."""
        return [
            (copies, x, shares * np.exp(tilt * x - log_mean_exp(tilt, x, shares)))
            for copies, x, shares in self._steps
        ]

    def log_mass(self, tilt: float) -> float:
        """Return log E[exp(tilt (sum - center))]."""
        return math.fsum(copies * log_mean_exp(tilt, x, shares) for copies, x, shares in self._steps)

    def moments(self, tilt: float) -> tuple[float, float]:
        """Return the mean and standard deviation of the tilted sum."""
        mean, variance = float(self.center), 0.0
        for copies, x, shares in self._tilt(tilt):
            one = float(shares @ x)
            mean += copies * one
            variance += copies * float(shares @ (x - one) ** 2)
        return mean, math.sqrt(variance)

    def tilt_by(self, shift: float, start: float) -> float:
        """Return a tilt beyond `start` that moves the mean by about `shift`."""
        at, spread = self.moments(start)
        step = math.copysign(min(abs(shift) / spread**2, 1), shift)
        for _ in range(40):
            moved = (self.moments(start + step)[0] - at) / shift
            if 0.3 <= moved <= 1.5 or abs(start + step) > _MAX_TILT:
                break
            step *= 0.5 if moved > 1.5 else 1.7
        return start + step

    def reach(self, tilt: float, cut: float, sign: int) -> int:
        """Return a place that the tilted sum passes with a probability of at most `cut`, up or down."""
        if self._is_short:
            return self._most if sign > 0 else 0
        mass = self.log_mass(tilt)
        reached = chernoff(lambda t: self.log_mass(tilt + sign * t) - mass, self._widest, -math.log(cut))
        if sign > 0:
            return min(math.ceil(self.center + reached), self._most)
        return max(math.floor(self.center - reached), 0)

    def window(self, tilt: float) -> _Window:
        """Return the law of the tilted sum, between the places that it passes with negligible probability."""
        low, high = self.reach(tilt, _WRAPPED, -1), self.reach(tilt, _WRAPPED, 1)
        length = _fast_length(high - low + 1)
        terms = self._tilt(tilt)
        half = length // 2 + 1
        logs, most = np.zeros(half, dtype=np.complex128), np.zeros(half)
        each = 4 * _EPSILON * math.log2(length)
        with np.errstate(divide="ignore", invalid="ignore"):
            for copies, x, shares in terms:
                transform = np.fft.rfft(bincount(x % length, shares, length))
                log = np.log(transform)
                # An upper bound of the power, given the errors of the transform and of the logarithm.
                rounding = _EPSILON * (2 + np.abs(np.maximum(log.real, -745) + 1j * log.imag))
                bound = np.log(np.abs(transform) + each * np.linalg.norm(shares)) + rounding
                near = np.flatnonzero(copies * log.real > -_NEAR)
                if copies > _MANY and len(near) * len(x) <= _MAX_TERMS:
                    log[near], rounding = _log_near_1(near, x, shares, length)
                    bound[near] = log[near].real + rounding
                logs += copies * log
                most += copies * bound
            power, size = np.exp(logs), np.exp(logs.real)
            off = np.where(most > -745, -np.exp(np.minimum(most, 0)) * np.expm1(logs.real - most), 0.0)
        masses = np.fft.irfft(power, length)
        own = each * math.sqrt(2 * float((size**2).sum()) / length)
        error = 2 * float(off.sum()) / length + own + 2 * _WRAPPED
        probabilities = np.maximum(np.roll(masses, self.center - low), 0.0)[: high - low + 1]
        return _Window(tilt, low, probabilities, error, self.log_mass(tilt))


def _log_near_1(
    which: np.ndarray, x: np.ndarray, shares: np.ndarray, length: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithm of a transform near 1, at some frequencies, and a bound on its error."""
    turns = which[:, np.newaxis] * (x % length) % length
    angles = 2 * math.pi / length * np.where(turns > length // 2, turns - length, turns)
    less, turned = 2 * np.sin(angles / 2) ** 2 @ shares, np.sin(angles) @ shares
    log = np.log1p(less * (less - 2) + turned**2) / 2 - 1j * np.arctan2(turned, 1 - less)
    return log, 8 * _EPSILON * (np.abs(angles) @ shares + np.abs(log))


def log_mean_exp(tilt: float, x: np.ndarray, shares: np.ndarray) -> float:
    """Return log E[exp(tilt x)], the cumulant generating function."""
    exponents = tilt * x
    top = float(exponents.max())
    if top < 64:  # a mean near 1 keeps its digits
        return math.log1p(float(shares @ np.expm1(exponents)))
    return top + math.log(float(shares @ np.exp(exponents - top)))


def chernoff(
    cumulants: Callable[[float], float], widest: float, surprise: float, least: float = -16.0
) -> float:
    """Return a place that a variable exceeds with a probability of at most exp(-surprise).

    Chernoff's bound: for any t > 0, P(x >= a) <= exp(log E[exp(t x)] - t a). Setting that to exp(-surprise)
    and minimizing a over t gives the place. Any t gives a valid bound, so a rough minimum will do.
    """

    def exceeded(log_t: float) -> float:
        t = math.exp(log_t) / widest
        return (cumulants(t) + surprise) / t

    return _least(exceeded, least, 16.0)


def _least(function: Callable[[float], float], left: float, right: float) -> float:
    """Return about the minimum of a unimodal function (golden section search)."""
    ratio = (math.sqrt(5) - 1) / 2
    a, b = right - ratio * (right - left), left + ratio * (right - left)
    at_a, at_b = function(a), function(b)
    for _ in range(16):
        if at_a < at_b:
            right, b, at_b = b, a, at_a
            a = right - ratio * (right - left)
            at_a = function(a)
        else:
            left, a, at_a = a, b, at_b
            b = left + ratio * (right - left)
            at_b = function(b)
    return float(min(at_a, at_b))


def _fast_length(size: int) -> int:
    """Return an even length of at least `size` with a fast transform."""
    scale = 1 << max(size.bit_length() - 4, 1)
    return next(scale * f for f in (8, 9, 10, 12, 15, 16, 18, 20) if scale * f >= size)
