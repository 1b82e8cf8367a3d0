"""Tail probabilities of sums of independent bets.

The law of a sum is the inverse Fourier transform of its characteristic function. A transform errs by about
1e-16 of the largest probability, which would bury a small tail. So each bet's law is first tilted: weighted
by exp(t x), with t such that the mean of the sum lies where the tail begins (Esscher 1932). The tilted tail
has a probability near one half, and dividing each term by exp(t x) again gives the tail wanted, with all its
digits.

`distribution.sums` has the generating functions and Chernoff bounds of both. It lists every outcome of a sum
with a bound on its error, and takes several tilts for that. A tail needs a single tilt, and may be read from
a coarser grid, with an estimated error, when the law has too many places to list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.errors import BadValue
from provably_fair._core.numbers import over_one_denominator
from provably_fair._core.tails import bisected, halved
from provably_fair.distribution import Distribution
from provably_fair.distribution.sums import chernoff, log_mean_exp

# The probability that a transform's window may leave out at each end, as a negative logarithm.
_LEFT_OUT = 64 * math.log(2)
# Limit on the places of all transforms of a sum together; above it the grid is coarsened.
_MAX_PLACES = 1 << 22
# A coarser grid may widen the sum's variance by this factor, which the estimated error covers.
_MOST_SPREAD = 1.1
# Bets that differ in stake alone are merged with their nearest stakes down to this many kinds.
_MAX_KINDS = 32
# A double can number the places of a grid up to about 2**50.
_FINEST = 50
# Up to this many bets and partial sums, sums are enumerated directly instead of transformed.
_MAX_BETS, _MAX_SUMS = 64, 1 << 13
_EPSILON = float(np.finfo(np.float64).eps)
_LEAST_WEIGHT = 1e-300
# The logarithm of the smallest positive double.
_LEAST_POWER = math.log(5e-324)
# Tolerance for amounts given as floats: absolute below 1, relative above.
_NEAR = 1e-9


class Tail(NamedTuple):
    """A probability, the method that gave it, and a bound or an estimate of its absolute error."""

    probability: float
    method: str
    error: float


class _Bets(NamedTuple):
    """Independent bets of one kind: possible returns, in steps above the least, and the number of bets."""

    places: np.ndarray  # float64, increasing from 0; whole numbers unless the grid is coarser than the law
    probabilities: np.ndarray
    many: int

    def logarithm(self, tilt: float) -> float:
        """Return the logarithm of the mean of exp(tilt * place)."""
        return log_mean_exp(tilt, self.places, self.probabilities)

    def tilt_by(self, tilt: float) -> _Bets:
        terms = np.log(self.probabilities) + tilt * self.places
        weights = np.maximum(np.exp(terms - terms.max()), _LEAST_WEIGHT)  # avoids log(0)
        return self._replace(probabilities=weights / weights.sum())

    def mirror(self) -> _Bets:
        return _Bets((self.places[-1] - self.places)[::-1], self.probabilities[::-1], self.many)

    @property
    def mean(self) -> float:
        return float(self.places @ self.probabilities)

    @property
    def variance(self) -> float:
        return float((self.places - self.mean) ** 2 @ self.probabilities)


class BetSum:
    """The sum of independent bets."""

    def __init__(
        self, laws: Sequence[Distribution], stakes: Sequence[Fraction], counts: Sequence[int]
    ) -> None:
        amounts = []
        for law, stake in zip(laws, stakes, strict=True):
            values, unit = over_one_denominator(
                [x for x, weight in zip(law.outcomes.tolist(), law.weights, strict=True) if weight]
            )
            amounts.append(([value * stake.numerator for value in values], unit * stake.denominator))
        common = math.lcm(*(unit for _, unit in amounts))
        whole = [[value * (common // unit) for value in values] for values, unit in amounts]
        # All sums are a multiple of this step above the least one.
        step = math.gcd(*(value - values[0] for values in whole for value in values)) or 1
        # If doubles can't number the places of the grid, coarsen it; places near the edge then count as
        # inside.
        width = sum((values[-1] - values[0]) * count for values, count in zip(whole, counts, strict=True))
        finer = width // step >> _FINEST
        self._slack = sum(counts) if finer else 0
        step *= finer + 1
        self._least = sum(values[0] * count for values, count in zip(whole, counts, strict=True))
        self._step, self._common = step, common
        self._grid, self._estimates = _MAX_PLACES, True
        self._bets, self._stakes = [], []
        for law, values, stake, count in zip(laws, whole, stakes, counts, strict=True):
            places = np.array([(value - values[0] + step // 2) // step for value in values], dtype=np.float64)
            possible = np.array([weight > 0 for weight in law.weights])
            if len(places) > 1:
                self._bets.append(_Bets(places, law.probabilities[possible], count))
                self._stakes.append(float(stake))

    @property
    def mean(self) -> float:
        """The mean of the sum."""
        above = math.fsum(bets.mean * bets.many for bets in self._bets)
        return float(Fraction(self._least, self._common)) + above * self._step / self._common

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The smallest and the largest sum."""
        above = sum(int(bets.places[-1]) * bets.many for bets in self._bets)
        return Fraction(self._least, self._common), Fraction(self._least + above * self._step, self._common)

    @property
    def step(self) -> Fraction:
        """The distance between neighboring sums, or that of the grid if it is coarser."""
        return Fraction(self._step, self._common)

    def nearest(self, amount: Fraction, within: float = 0.0) -> Fraction:
        """Return the sum that a rounded amount stands for, or the amount itself if no sum is that near."""
        least, last = self.ends
        near = min(max(least + round((amount - least) / self.step) * self.step, least), last)
        close = abs(amount - near) <= Fraction(_NEAR) * max(Fraction(1), abs(amount)) + Fraction(within)
        return near if close and not self._slack else amount

    def tilt(self, tilt: float) -> BetSum:
        """Return the same bets with the return x of a bet of 1 made exp(tilt x) times as likely."""
        tilted = copy(self)
        tilted._bets = [
            one.tilt_by(tilt * float(self.step) / stake)
            for one, stake in zip(self._bets, self._stakes, strict=True)
        ]
        return tilted

    def without_errors(self, places: int = _MAX_PLACES) -> BetSum:
        """Return the same bets on a grid of at most `places` places, without error estimates."""
        rough = copy(self)
        rough._grid, rough._estimates = places, False
        return rough

    def at_least(self, amount: Fraction) -> Tail:
        """Return the probability that the sum is at least `amount`."""
        place = math.ceil((amount * self._common - self._least) / self._step) - self._slack
        # A single bet may return that much. Take those bets out exactly; what remains is a tail of smaller
        # ones.
        kept, left = _cap(self._bets, lambda places: places < place)
        tail = self._tail(kept, place)
        probability = -math.expm1(left) + math.exp(left) * tail.probability
        return self._with_rounding(tail, probability, math.exp(left))

    def at_most(self, amount: Fraction) -> Tail:
        """Return the probability that the sum is at most `amount`."""
        place = math.floor((amount * self._common - self._least) / self._step) + self._slack
        if place < 0:
            return Tail(0.0, "convolution", 0.0)
        kept, left = _cap(self._bets, lambda places: places <= place)
        last = math.fsum(float(bets.places[-1]) * bets.many for bets in kept)
        tail = self._tail([bets.mirror() for bets in kept], last - place)
        return self._with_rounding(tail, math.exp(left) * tail.probability, math.exp(left))

    def _tail(self, bets: list[_Bets], least: float) -> Tail:
        """Return the probability that the bets return at least `least` steps above their minimum.

        The error comes from coarsening the grid, and from rounding the exponents of the tilt.
        """
        last = math.fsum(float(one.places[-1]) * one.many for one in bets)
        if least <= 0 or least > last:
            return Tail(1.0 if least <= 0 else 0.0, "convolution", 0.0)
        few = _one_by_one(bets, least)
        if few is not None:
            return Tail(few, "convolution", 0.0)
        together, shift = _together(bets, _MAX_KINDS)
        probability, coarse, rounding = _by_transform(together, least + shift, self._grid)
        if len(together) == len(bets) and not coarse:
            return Tail(probability, "convolution", rounding)
        if not self._estimates:
            return Tail(probability, "approximation", math.nan)
        # Estimate the error by halving both the places and the kinds.
        together, shift = _together(bets, _MAX_KINDS // 2)
        other, *_ = _by_transform(together, least + shift, self._grid // 2)
        return Tail(probability, "approximation", abs(probability - other) + rounding)

    def _with_rounding(self, tail: Tail, probability: float, factor: float) -> Tail:
        bets = sum(one.many for one in self._bets)
        return Tail(
            min(probability, 1.0),
            tail.method,
            factor * tail.error + 8 * _EPSILON * (bets + 100) * probability,
        )

    def edge(self, level: float) -> tuple[Fraction, Fraction]:
        """Return the largest amount with P(sum <= amount) <= level, and the next larger one."""
        least, step = self.ends[0], self.step
        last = sum(math.ceil(float(bets.places[-1])) * bets.many for bets in self._bets)

        def is_below(place: int) -> bool:
            tail = self.at_most(least + place * step)
            return tail.probability + tail.error <= level

        low, high = bisected(is_below, -1, last)
        return least + low * step, least + high * step

    def masses(self) -> tuple[Fraction, Fraction, np.ndarray]:
        """Return the first amount, the step between amounts, and the probability of each.

        The grid is coarser than the law's own if that would take too many places.
        """
        least = Fraction(self._least, self._common)
        if not self._bets:
            return least, self.step, np.ones(1)
        bets, coarser, low, high = _on_grid(self._bets, _MAX_PLACES)
        return least + low * coarser * self.step, coarser * self.step, _transform(bets, low, high)


def _cap(bets: list[_Bets], fits: Callable[[np.ndarray], np.ndarray]) -> tuple[list[_Bets], float]:
    """Condition each bet on places that `fits` accepts; return these bets and the log probability of that."""
    kept, left = [], 0.0
    for one in bets:
        inside = fits(one.places)
        if inside.all():
            kept.append(one)
            continue
        share = float(one.probabilities[inside].sum())
        outside = float(one.probabilities[~inside].sum())
        left += one.many * (
            math.log1p(-outside) if outside < 0.5 else math.log(share) if share else -math.inf
        )
        if inside.sum() > 1:
            kept.append(_Bets(one.places[inside], one.probabilities[inside] / share, one.many))
    return kept, left


def _one_by_one(bets: list[_Bets], least: float) -> float | None:
    """Return the tail probability by direct enumeration; None if there are too many bets or sums."""
    if sum(one.many for one in bets) > _MAX_BETS:
        return None
    sums: np.ndarray = np.zeros(1)
    probabilities: np.ndarray = np.ones(1)
    for one in bets:
        for _ in range(one.many):
            joined = np.add.outer(sums, one.places).ravel()
            sums, which = np.unique(joined, return_inverse=True)
            both = np.multiply.outer(probabilities, one.probabilities).ravel()
            probabilities = bincount(which, both)
            if len(sums) > _MAX_SUMS or sums[-1] >= 2.0**53:
                return None
    return math.fsum(probabilities[sums >= least].tolist())


def _by_transform(bets: list[_Bets], least: float, places: int) -> tuple[float, bool, float]:
    """Return the tail probability, whether the grid was coarsened, and a bound on the rounding error."""
    tilt = _tilt_to(bets, least)
    tilted, coarser, low, high = _on_grid([one.tilt_by(tilt) for one in bets], places)
    masses = _transform(tilted, low, high)
    # On a coarser grid, mass just inside the edge may have moved one step down.
    first = max(math.ceil(least / coarser) - (coarser > 1), low)
    masses = masses[first - low :]
    above = (np.arange(first, first + len(masses)) - least / coarser) * coarser
    mean = math.fsum(one.many * one.logarithm(tilt) for one in bets)
    probability = float(np.exp(mean - tilt * least - tilt * above) @ masses)
    return probability, coarser > 1, 8 * _EPSILON * (abs(mean) + tilt * least) * probability


def _tilt_to(bets: list[_Bets], mean: float) -> float:
    """Return the smallest tilt of at least 0 at which the mean of the sum is at least `mean`."""

    def short(tilt: float) -> bool:
        return math.fsum(one.tilt_by(tilt).mean * one.many for one in bets) < mean

    if not short(0.0):
        return 0.0
    low, high = 0.0, 1 / max(float(one.places[-1]) for one in bets)
    # No finite tilt has its mean at the largest sum.
    while short(high) and high < 1e3:
        low, high = high, 2 * high
    return halved(short, low, high, 40)[1]


def _window(bets: list[_Bets]) -> tuple[int, int]:
    """Return the places between which the sum lies except with negligible probability."""
    high = _reach(bets)
    last = sum(math.ceil(float(one.places[-1])) * one.many for one in bets)
    low = last - _reach([one.mirror() for one in bets])
    return max(math.floor(low), 0), min(math.ceil(high), last)


def _reach(bets: list[_Bets]) -> float:
    """Return a place that the sum exceeds with a probability of at most 2**-64."""

    def cumulants(tilt: float) -> float:
        return math.fsum(one.many * one.logarithm(tilt) for one in bets)

    return chernoff(cumulants, max(float(one.places[-1]) for one in bets), _LEFT_OUT, -30.0)


def _on_grid(bets: list[_Bets], places: int) -> tuple[list[_Bets], int, int, int]:
    """Return bets on a grid on which all transforms fit into `places`, the steps of one, and the window."""
    low, high = _window(bets)
    coarser = max(1, (1 << (high - low + 1).bit_length()) * len(bets) // places)
    if coarser > 1:
        spread = math.fsum(one.many * one.variance for one in bets)
        bets = [_coarse(one, coarser) for one in bets]
        if math.fsum(one.many * one.variance for one in bets) * coarser**2 > _MOST_SPREAD * spread:
            problem = (
                "must be fewer: the sum of so many bets of more than two returns isn't known well enough"
            )
            raise BadValue("rounds", problem)
        low, high = _window(bets)
    return bets, coarser, low, high


def _coarse(bets: _Bets, steps: int) -> _Bets:
    """Move bets onto a grid `steps` times as coarse, splitting masses between neighbors to keep the mean."""
    below = np.floor(bets.places / steps)
    up = bets.places / steps - below
    places, which = np.unique(np.concatenate([below, below + 1]), return_inverse=True)
    split = np.concatenate([bets.probabilities * (1 - up), bets.probabilities * up])
    probabilities = bincount(which, split)
    kept = probabilities > 0
    return _Bets(places[kept], probabilities[kept], bets.many)


def _transform(bets: list[_Bets], low: int, high: int) -> np.ndarray:
    """Return the probabilities of the places `low` to `high`, outside which the sum has negligible mass."""
    size = 1 << (high - low + 1).bit_length()
    transforms = []
    shift, live = 0, np.ones(size // 2 + 1, dtype=bool)
    for one in bets:
        # Center each bet near 0: large powers of the transform then keep the accuracy of their phase.
        middle = round(one.mean)
        shift += middle * one.many
        density = bincount(((one.places - middle) % size).astype(np.int64), one.probabilities, size)
        transforms.append(np.fft.rfft(density))
        # With many bets the power underflows at most frequencies; skip these.
        live &= np.abs(transforms[-1]) > math.exp(_LEAST_POWER / one.many)
    powers = np.zeros(size // 2 + 1, dtype=np.complex128)
    powers[live] = np.exp(
        sum(one.many * np.log(each[live]) for one, each in zip(bets, transforms, strict=True))
    )
    masses = np.fft.irfft(powers, size)
    return np.asarray(np.maximum(masses[(np.arange(low, high + 1) - shift) % size], 0.0))


def _together(bets: list[_Bets], most: int) -> tuple[list[_Bets], float]:
    """Merge bets of nearly equal stakes down to `most` kinds; return them and the shift of the mean.

    Each merged kind has the quadratic mean of its stakes, which keeps the variance.
    """
    if len(bets) <= most:
        return bets, 0.0
    alike: dict[bytes, list[_Bets]] = {}
    for one in sorted(bets, key=lambda one: float(one.places[-1])):
        alike.setdefault(one.probabilities.tobytes(), []).append(one)
    each = max(1, most // len(alike))
    merged, moved = [], 0.0
    for kinds in alike.values():
        spread = np.array([one.many * one.variance for one in kinds])
        # Groups with equal shares of the variance.
        group = np.minimum((np.cumsum(spread) - spread / 2) / spread.sum() * each, each - 1).astype(np.int64)
        for number in np.unique(group).tolist():
            inside = [kinds[place] for place in np.flatnonzero(group == number).tolist()]
            count = sum(one.many for one in inside)
            # Within a group the amounts differ by a factor, the stake.
            square = sum(one.places**2 * one.many for one in inside) / count
            merged.append(_Bets(np.sqrt(square), inside[0].probabilities, count))
            moved += merged[-1].mean * count - math.fsum(one.mean * one.many for one in inside)
    return merged, moved
