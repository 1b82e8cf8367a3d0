"""How likely independent bets return at least so much, or at most.

A sum's law is the inverse Fourier transform of its characteristic function. So that a tail keeps its digits
however small it is, each bet's law is tilted first, by exp(t x), until the sum's mean lies where the tail
begins (Esscher); what was tilted is taken back term by term.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from provably_fair._core.numbers import over_one_denominator
from provably_fair._core.tails import halved
from provably_fair.distribution import Distribution

__all__ = ["Tail", "Total"]

# What a transform leaves out at each end of a law has at most this probability, in logarithms.
_LEFT_OUT = 64 * math.log(2)
# The most places of all transforms together; beyond it the grid is made coarser.
_MAX_PLACES = 1 << 22
# Bets whose stakes differ are put together, neighbor to neighbor, until they are no more kinds than this.
_MAX_KINDS = 32
# Grids of more places than 2**50 are too fine for doubles.
_FINEST = 50
# A few bets are added up one after the other, as long as there are no more sums than this.
_MAX_BETS, _MAX_SUMS = 64, 1 << 13
_EPSILON = float(np.finfo(np.float64).eps)
_LEAST_WEIGHT = 1e-300
# The logarithm of the least number that a double holds.
_LEAST_POWER = math.log(5e-324)
# An amount in floats is rounded by less, relatively for large ones.
_NEAR = 1e-9


class Tail(NamedTuple):
    """A probability, how it was found, and a bound or an estimate of its absolute error."""

    probability: float
    method: str
    error: float


class _Bets(NamedTuple):
    """Bets of one kind: what they may return, in steps above the least amount, and how many bets."""

    places: np.ndarray  # float64, rising from 0: whole numbers, but where a grid is coarser than the law
    probabilities: np.ndarray
    many: int

    def logarithm(self, tilt: float) -> float:
        """Return the logarithm of the mean of exp(tilt * place)."""
        terms = np.log(self.probabilities) + tilt * self.places
        top = float(terms.max())
        return top + math.log(float(np.exp(terms - top).sum()))

    def tilt_by(self, tilt: float) -> _Bets:
        terms = np.log(self.probabilities) + tilt * self.places
        weights = np.maximum(np.exp(terms - terms.max()), _LEAST_WEIGHT)  # it has a logarithm
        return self._replace(probabilities=weights / weights.sum())

    def mirror(self) -> _Bets:
        return _Bets((self.places[-1] - self.places)[::-1], self.probabilities[::-1], self.many)

    @property
    def mean(self) -> float:
        return float(self.places @ self.probabilities)

    @property
    def variance(self) -> float:
        return float((self.places - self.mean) ** 2 @ self.probabilities)


class Total:
    """The sum of independent bets.

    Attributes
    ----------
    mean : float
        The mean of the sum.
    """

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
        # Wherever a sum starts, it goes on in steps.
        step = math.gcd(*(value - values[0] for values in whole for value in values)) or 1
        # A grid too fine for doubles is made coarser; what is near its edge counts.
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
        """The least and the largest sum."""
        above = sum(int(bets.places[-1]) * bets.many for bets in self._bets)
        return Fraction(self._least, self._common), Fraction(self._least + above * self._step, self._common)

    @property
    def step(self) -> Fraction:
        """How far a sum is from the next one, or that of the grid where it is coarser."""
        return Fraction(self._step, self._common)

    def nearest(self, amount: Fraction, within: float = 0.0) -> Fraction:
        """Return the sum that a float or rounded amount stands for; an amount that is no sum stays."""
        least, last = self.ends
        near = least + round((amount - least) / self.step) * self.step
        near = least if near < least else last if near > last else near
        close = abs(amount - near) <= Fraction(_NEAR) * max(Fraction(1), abs(amount)) + Fraction(within)
        return near if close and not self._slack else amount

    def tilt(self, tilt: float) -> Total:
        """Return the same bets, of which the return of a bet of 1 is exp(tilt x) times as likely."""
        made = copy(self)
        made._bets = [
            one.tilt_by(tilt * float(self.step) / stake)
            for one, stake in zip(self._bets, self._stakes, strict=True)
        ]
        return made

    def without_errors(self, places: int = _MAX_PLACES) -> Total:
        """Return the same bets on a grid of at most this many places, with no estimate of errors."""
        made = copy(self)
        made._grid, made._estimates = places, False
        return made

    def at_least(self, amount: Fraction) -> Tail:
        """Return the probability of at least so much."""
        place = math.ceil((amount * self._common - self._least) / self._step) - self._slack
        # One bet alone may bring it back: what is left is the tail of those that don't.
        kept, left = _cap(self._bets, lambda places: places < place)
        tail = self._tail(kept, place)
        found = -math.expm1(left) + math.exp(left) * tail.probability
        return self._with_rounding(tail, found, math.exp(left))

    def at_most(self, amount: Fraction) -> Tail:
        """Return the probability of at most so much."""
        place = math.floor((amount * self._common - self._least) / self._step) + self._slack
        if place < 0:
            return Tail(0.0, "convolution", 0.0)
        kept, left = _cap(self._bets, lambda places: places <= place)
        last = math.fsum(float(bets.places[-1]) * bets.many for bets in kept)
        tail = self._tail([bets.mirror() for bets in kept], last - place)
        return self._with_rounding(tail, math.exp(left) * tail.probability, math.exp(left))

    def _tail(self, bets: list[_Bets], least: float) -> Tail:
        """Return the probability that bets are at least this many steps above the least that they can be.

        The error is what a coarser grid makes of it, and rounding in the exponents of a tilt.
        """
        last = math.fsum(float(one.places[-1]) * one.many for one in bets)
        if least <= 0 or least > last:
            return Tail(1.0 if least <= 0 else 0.0, "convolution", 0.0)
        few = _one_by_one(bets, least)
        if few is not None:
            return Tail(few, "convolution", 0.0)
        together, shift = _together(bets, _MAX_KINDS)
        found, coarse, rounding = _by_transform(together, least + shift, self._grid)
        if len(together) == len(bets) and not coarse:
            return Tail(found, "convolution", rounding)
        if not self._estimates:
            return Tail(found, "approximation", math.nan)
        # Its error is estimated with half of the places and of the kinds.
        together, shift = _together(bets, _MAX_KINDS // 2)
        other, *_ = _by_transform(together, least + shift, self._grid // 2)
        return Tail(found, "approximation", abs(found - other) + rounding)

    def _with_rounding(self, tail: Tail, found: float, factor: float) -> Tail:
        bets = sum(one.many for one in self._bets)
        return Tail(min(found, 1.0), tail.method, factor * tail.error + 8 * _EPSILON * (bets + 100) * found)

    def edge(self, level: float) -> tuple[Fraction, Fraction]:
        """Return the last amount up to which there is at most this probability, and the one that follows."""
        least, step = Fraction(self._least, self._common), Fraction(self._step, self._common)
        last = sum(math.ceil(float(bets.places[-1])) * bets.many for bets in self._bets)
        low, high = -1, last
        while high - low > 1:
            middle = (low + high) // 2
            tail = self.at_most(least + middle * step)
            low, high = (middle, high) if tail.probability + tail.error <= level else (low, middle)
        return least + low * step, least + high * step

    def masses(self) -> tuple[Fraction, Fraction, np.ndarray]:
        """Return the first amount, the step to the next ones, and the probability of each.

        The grid is coarser than the law's own where that would have too many places.
        """
        step = Fraction(self._step, self._common)
        if not self._bets:
            return Fraction(self._least, self._common), step, np.ones(1)
        low, high = _window(self._bets)
        coarser = _coarser(self._bets, high - low, _MAX_PLACES)
        bets = [_coarse(one, coarser) for one in self._bets]
        low, high = (low, high) if coarser == 1 else _window(bets)
        first = Fraction(self._least, self._common) + low * coarser * step
        return first, coarser * step, _transform(bets, low, high)


def _cap(bets: list[_Bets], fits: Callable[[np.ndarray], np.ndarray]) -> tuple[list[_Bets], float]:
    """Return bets given that each stays within what fits, and the logarithm of how likely all do."""
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
    """Return the same by adding one bet after the other; None where there are too many of them."""
    if sum(one.many for one in bets) > _MAX_BETS:
        return None
    sums: np.ndarray = np.zeros(1)
    probabilities: np.ndarray = np.ones(1)
    for one in bets:
        for _ in range(one.many):
            joined = np.add.outer(sums, one.places).ravel()
            sums, which = np.unique(joined, return_inverse=True)
            both = np.multiply.outer(probabilities, one.probabilities).ravel()
            probabilities = np.bincount(which, both)
            if len(sums) > _MAX_SUMS or sums[-1] >= 2.0**53:
                return None
    return math.fsum(probabilities[sums >= least].tolist())


def _by_transform(bets: list[_Bets], least: float, places: int) -> tuple[float, bool, float]:
    """Return the tail, whether its grid is coarser than the law's own, and a bound on what rounding does."""
    tilt = _tilt_to(bets, least)
    tilted = [one.tilt_by(tilt) for one in bets]
    low, high = _window(tilted)
    coarser = _coarser(tilted, high - low, places)
    if coarser > 1:
        tilted = [_coarse(one, coarser) for one in tilted]
        low, high = _window(tilted)
    masses = _transform(tilted, low, high)
    # On a coarser grid what lies at the edge may have moved down one step.
    first = max(math.ceil(least / coarser) - (coarser > 1), low)
    masses = masses[first - low :]
    above = (np.arange(first, first + len(masses)) - least / coarser) * coarser
    mean = math.fsum(one.many * one.logarithm(tilt) for one in bets)
    found = float(np.exp(mean - tilt * least - tilt * above) @ masses)
    return found, coarser > 1, 8 * _EPSILON * (abs(mean) + tilt * least) * found


def _tilt_to(bets: list[_Bets], mean: float) -> float:
    """Return the tilt from 0 on that gives the sum this mean, if it hasn't more without one."""

    def short(tilt: float) -> bool:
        return math.fsum(one.tilt_by(tilt).mean * one.many for one in bets) < mean

    if not short(0.0):
        return 0.0
    low, high = 0.0, 1 / max(float(one.places[-1]) for one in bets)
    # Where even the last amount is asked for, no tilt reaches it.
    while short(high) and high < 1e3:
        low, high = high, 2 * high
    return halved(short, low, high, 40)[1]


def _window(bets: list[_Bets]) -> tuple[int, int]:
    """Return the places beyond which a sum hardly ever lies, by Chernoff's bound."""
    high = _reach(bets)
    last = sum(math.ceil(float(one.places[-1])) * one.many for one in bets)
    low = last - _reach([one.mirror() for one in bets])
    return max(math.floor(low), 0), min(math.ceil(high), last)


def _reach(bets: list[_Bets]) -> float:
    """Return the place that a sum passes with a probability of at most 2**-64.

    For any tilt t above 0, P(sum >= a) <= exp(sum of log E[exp(t x)] - t a); the best tilt is looked for.
    """
    scale = max(float(one.places[-1]) for one in bets)

    def passed(log_tilt: float) -> float:
        tilt = math.exp(log_tilt) / scale
        return (math.fsum(one.many * one.logarithm(tilt) for one in bets) + _LEFT_OUT) / tilt

    left, right = -30.0, 12.0
    # Any tilt gives a bound: a near one is as good as the best.
    for _ in range(30):
        third = (right - left) / 3
        left, right = (
            (left, right - third) if passed(left + third) < passed(right - third) else (left + third, right)
        )
    return passed((left + right) / 2)


def _coarser(bets: list[_Bets], width: int, places: int) -> int:
    """Return how many steps are put together so that all transforms have no more places."""
    size = 1 << (width + 1).bit_length()
    return max(1, size * len(bets) // places)


def _coarse(bets: _Bets, steps: int) -> _Bets:
    """Return bets on a coarser grid: what lies between two places is split so that the mean stays."""
    if steps == 1:
        return bets
    below = np.floor(bets.places / steps)
    up = bets.places / steps - below
    places, which = np.unique(np.concatenate([below, below + 1]), return_inverse=True)
    split = np.concatenate([bets.probabilities * (1 - up), bets.probabilities * up])
    probabilities = np.bincount(which, split)
    kept = probabilities > 0
    return _Bets(places[kept], probabilities[kept], bets.many)


def _transform(bets: list[_Bets], low: int, high: int) -> np.ndarray:
    """Return the probabilities of the places from `low` to `high`; hardly anything lies outside of them."""
    size = 1 << (high - low + 1).bit_length()
    transforms = []
    shift, live = 0, np.ones(size // 2 + 1, dtype=bool)
    for one in bets:
        # Nearly centered, so that a large power keeps its phase.
        middle = round(one.mean)
        shift += middle * one.many
        density = np.bincount(((one.places - middle) % size).astype(np.int64), one.probabilities, size)
        transforms.append(np.fft.rfft(density))
        # Of many bets most frequencies have no power that a double can hold: they are left out.
        live &= np.abs(transforms[-1]) > math.exp(_LEAST_POWER / one.many)
    powers = np.zeros(size // 2 + 1, dtype=np.complex128)
    powers[live] = np.exp(
        sum(one.many * np.log(each[live]) for one, each in zip(bets, transforms, strict=True))
    )
    masses = np.fft.irfft(powers, size)
    found: np.ndarray = np.maximum(masses[(np.arange(low, high + 1) - shift) % size], 0.0)
    return found


def _together(bets: list[_Bets], most: int) -> tuple[list[_Bets], float]:
    """Put bets of nearly the same amounts together, until there are no more kinds than that.

    The variance stays; how much that moves the mean of the sum is returned, too.
    """
    if len(bets) <= most:
        return bets, 0.0
    alike: dict[bytes, list[_Bets]] = {}
    for one in sorted(bets, key=lambda one: float(one.places[-1])):
        alike.setdefault(one.probabilities.tobytes(), []).append(one)
    each = max(1, most // len(alike))
    made, moved = [], 0.0
    for kinds in alike.values():
        spread = np.array([one.many * one.variance for one in kinds])
        # As much of the variance in each.
        group = np.minimum((np.cumsum(spread) - spread / 2) / spread.sum() * each, each - 1).astype(np.int64)
        for number in np.unique(group).tolist():
            inside = [kinds[place] for place in np.flatnonzero(group == number).tolist()]
            count = sum(one.many for one in inside)
            # Amounts differ by the stake alone.
            square = sum(one.places**2 * one.many for one in inside) / count
            made.append(_Bets(np.sqrt(square), inside[0].probabilities, count))
            moved += made[-1].mean * count - math.fsum(one.mean * one.many for one in inside)
    return made, moved
