"""Confidence intervals for the return of observed bets, by their rows or by totals alone.

For two amounts the interval is Clopper and Pearson's. For other laws it comes from the family of tilted laws,
whose weights are those of the law times exp(t x): the ends are the means of the tilts at which the observed
total or more (or less) has half of the level as its probability. A tail increases with the tilt, so each end
is a single root, found from the normal approximation by false position. The interval for any law is a betting
strategy (Waudby-Smith and Ramdas 2024): a candidate mean is rejected if betting against it, with wagers fixed
before each bet, would have multiplied the stake by 2 / level.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, choice, probability
from provably_fair._core.progress import Progress, Report, progress_bar
from provably_fair._core.table import Sheet, displayed
from provably_fair._core.tails import binomial_interval, halved
from provably_fair.distribution import Distribution

from .convolution import BetSum
from .estimate import RtpEstimate
from .observed import Observed, stakes_in_floats
from .returns import rtp_if_exact
from .totals import Totals

VALID_INTERVALS = ("tilted law", "any law")

_METHODS = {
    "binomial": "exact, by Clopper and Pearson",
    "tilted law": "for tilted laws, in which large amounts are more or less likely",
    "any law": "for any law with amounts between the bet's smallest and its largest",
    "impossible": "none: this return is impossible for the bet",
}
_NORMAL = NormalDist()
# Precision of an end, relative to its distance from the observed return.
_CLOSE = 1e-7
# Number of places of the coarse grid that is searched first.
_ROUGH = 1 << 15
_SUMS = 200
"""The number of sums that the slowest intervals take; most take fewer."""


@displayed
@dataclass(frozen=True)
class ReturnInterval(RtpEstimate):
    """A confidence interval for the true return of bets: a sequence of its two ends.

    Attributes
    ----------
    rtp, low, high, confidence, rounds
        See `RtpEstimate`, of these bets.
    exact_rtp, law_rtp
        The return that the bet claims, see there.
    method : str
        "binomial": exact, for bets with two amounts. "tilted law": the means of the laws that aren't
        rejected, among tilted versions of the bet's own (with larger amounts more or less likely). "any law":
        for any law, or sequence of laws with one mean, with amounts between the bet's least and its largest.
        "impossible": no interval, since the bet can't have returned this.

    Examples
    --------
    >>> low, high = pf.Dice().bet(1.98, under=50).interval(total=97_020, rounds=100_000)
    >>> round(low, 4), round(high, 4)
    (0.9641, 0.9763)
    """

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: Any) -> Any:
        """Return the low or high end by its index."""
        return (self.low, self.high)[place]

    def __str__(self) -> str:
        claimed = f"; claimed {self.law_rtp:.6f}"
        return (
            f"return {self.rtp:.6f} of {self.rounds:,} bets, {100 * self.confidence:.4g}% interval "
            f"{self.low:.6f} to {self.high:.6f} ({_METHODS[self.method]}){claimed}"
        )

    def _sheet(self) -> Sheet:
        rows = [
            ("returned", f"{self.rtp:.6f}"),
            (f"{100 * self.confidence:.4g}% interval", f"{self.low:.6f} to {self.high:.6f}"),
            ("claimed", f"{self.law_rtp:.6f}"),
            ("interval covers it", "yes" if self.covers else "no"),
            ("method", _METHODS[self.method]),
        ]
        return Sheet(f"Return of {self.rounds:,} bets", ("", ""), rows)


@stakes_in_floats()
def interval_of(
    law: Distribution,
    totals: Totals,
    confidence: object,
    valid: str,
    seen: Observed | None = None,
    progress: Progress = False,
) -> ReturnInterval:
    """Return the interval of bets of one law; see `Bet.interval`."""
    level = 1 - probability("confidence", confidence)
    choice("valid", valid, VALID_INTERVALS)
    if valid == "any law" and seen is None:
        raise BadValue("valid", 'must be "tilted law" for totals: "any law" needs the rows')
    if not totals.possible:
        low, high, method = math.nan, math.nan, "impossible"
    elif seen is not None and valid == "any law":
        low, high, method = *_of_any_law(law, seen, level), "any law"
    elif totals.wins is not None:
        low, high, method = *_of_wins(law, totals, level), "binomial"
    else:
        with progress_bar(_SUMS, progress) as report:
            low, high, method = *_of_tilts(law, totals, level, report), "tilted law"
    rtp = float(totals.returned / totals.staked) if totals.staked else math.nan
    bets = sum(totals.counts)
    return ReturnInterval(rtp, low, high, 1 - level, rtp_if_exact(law), bets, method, law.mean())


def _of_wins(law: Distribution, totals: Totals, level: float) -> tuple[float, float]:
    """Return Clopper and Pearson's interval for the probability of a win, as returns."""
    assert totals.wins is not None
    wins, bets = totals.wins[0], totals.counts[0]
    low, high = map(float, law.support())
    # A total between two possible sums may stand for either.
    least, _ = binomial_interval(math.floor(wins), bets, 1 - level)
    _, most = binomial_interval(math.ceil(wins), bets, 1 - level)
    return low + least * (high - low), low + most * (high - low)


def _of_tilts(law: Distribution, totals: Totals, level: float, report: Report | None) -> tuple[float, float]:
    """Return the means of the tilted laws at which the observed tails have half of the level.

    Tails increase with the tilt, so each end is the root of an increasing function.
    """
    first, last = map(float, law.support())
    if not totals.counts or first == last:
        return first, last
    tilts, total, returned = Tilts(law), totals.sum, totals.returned
    least, most = total.ends
    quantile = _NORMAL.inv_cdf(level / 2)
    # The half-width under a normal approximation, in standard deviations of a single return.
    bets = math.fsum(float(s) ** 2 * c for s, c in zip(totals.stakes, totals.counts, strict=True))
    reach = -quantile * math.sqrt(bets) / float(totals.staked)

    worked_out = itertools.count(1)

    def surplus(of: BetSum, tail: Callable[..., Any], sign: int) -> Callable[[float], float]:
        def at(place: float) -> float:
            probability = tail(of.tilt(tilts.at(place)), returned).probability
            if report is not None:
                report(min(next(worked_out), _SUMS - 1))
            return sign * (_NORMAL.inv_cdf(min(max(probability, 1e-300), 1 - 1e-16)) - quantile)

        return at

    middle = tilts.place(float(returned / totals.staked))
    close = _CLOSE * reach * tilts.deviation(middle)
    # If large amounts are rare, a grid as fine as the amounts is long. So search on a coarse grid, and use
    # the fine one only to measure the error of the coarse one, which hardly changes from place to place.
    grids = total.without_errors(_ROUGH), total.without_errors()

    def end(tail: Callable[..., Any], sign: int) -> float:
        rough, fine = (surplus(grid, tail, sign) for grid in grids)
        # `apart` is the assumed distance to the end in standard deviations; it starts outward.
        place, off, apart, before = middle, 0.0, -sign * reach, math.nan

        def corrected(place: float) -> float:
            return rough(place) + off

        while True:
            place = tilts.crossing(corrected, place, apart, -sign, close)
            mean = tilts.mean(place)
            if abs(mean - before) <= close:
                return mean
            better = fine(place) - rough(place)
            if better == off:
                return mean
            off, apart, before = better, (better - off) / quantile * reach, mean

    low = first if returned <= least else end(BetSum.at_least, 1)
    high = last if returned >= most else end(BetSum.at_most, -1)
    if report is not None:
        report(_SUMS)
    return low, high


class Tilts:
    """The tilted laws of a law, on a scale of tilts that is linear near 0 and logarithmic far from it."""

    def __init__(self, law: Distribution) -> None:
        possible = np.array([weight > 0 for weight in law.weights])
        self._amounts = law.outcomes[possible].astype(np.float64)
        self._logarithms = np.log(law.probabilities[possible])
        self._width = float(self._amounts[-1] - self._amounts[0])

    def at(self, place: float) -> float:
        """Return the tilt at a place of the scale."""
        return math.sinh(place) / self._width

    def law(self, place: float) -> np.ndarray:
        """Return the probabilities of the possible amounts under the tilt."""
        terms = self._logarithms + self.at(place) * (self._amounts - self._amounts[0])
        weights: np.ndarray = np.exp(terms - terms.max())
        weights /= weights.sum()
        return weights

    def mean(self, place: float) -> float:
        """Return the mean amount under the tilt."""
        return float(self._amounts @ self.law(place))

    def place(self, mean: float) -> float:
        """Return the place whose tilt has this mean, or nearly so at the ends of the scale."""
        return halved(lambda place: self.mean(place) < mean, -25.0, 25.0)[1]

    def deviation(self, place: float) -> float:
        """Return the standard deviation of an amount under the tilt."""
        return math.sqrt(float((self._amounts - self.mean(place)) ** 2 @ self.law(place)))

    def crossing(
        self, rising: Callable[[float], float], start: float, reach: float, outward: int, close: float
    ) -> float:
        """Return the root of an increasing function of the place, to within `close` in means.

        The root lies on the side of `start` that the sign of `reach` gives, about that many standard
        deviations away.
        """
        near, side = start, math.copysign(1, reach)
        at_near = rising(near)
        if at_near * side > 0:  # the root is `start`, up to rounding
            return near
        deviation = self.deviation(start)
        # The derivative of the mean with respect to the tilt is the variance.
        step = reach / deviation if deviation else side
        for _ in range(200):
            far = math.asinh((self.at(start) + step) * self._width)
            at_far = rising(far)
            if at_far * side > 0 or abs(far) > 30:
                break
            near, at_near, step = far, at_far, 1.5 * step
        # False position with the Illinois rule: halve the value at an end that stays.
        while abs(self.mean(far) - self.mean(near)) > close:
            new = (near * at_far - far * at_near) / (at_far - at_near)
            if not min(near, far) < new < max(near, far):
                break
            here = rising(new)
            if here * side > 0:
                far, at_far, at_near = new, here, at_near / 2
            else:
                near, at_near, at_far = new, here, at_far / 2
        # Take the outer end, so that rounding doesn't narrow the interval.
        return max(near, far, key=lambda place: outward * place)


def _of_any_law(law: Distribution, seen: Observed, level: float) -> tuple[float, float]:
    """Return the interval of means that betting against them doesn't reject, for any law on this range.

    For a candidate mean m, the product of 1 + w (x - m), with each wager w fixed before its bet, has mean 1
    if m is the true mean (Waudby-Smith and Ramdas 2024), so it exceeds 2 / level with a probability of at
    most level / 2. It is monotone in m, so the candidates that remain form an interval.
    """
    first, last = map(float, law.support())
    amounts = law.outcomes.astype(np.float64)[seen.places]
    bets = len(amounts)
    if not bets or first == last:
        return first, last
    # Wagers use the mean and variance of earlier bets; the law's own count as one bet.
    count = np.arange(1, bets + 1)
    means = (law.mean() + np.concatenate([[0.0], np.cumsum(amounts)[:-1]])) / count
    squares = (law.var() + np.concatenate([[0.0], np.cumsum((amounts - means) ** 2)[:-1]])) / count
    wagers = np.sqrt(2 * math.log(2 / level) / np.maximum(squares * bets, 1e-300))
    limit = math.log(2 / level)

    def wins(mean: float, sign: int) -> bool:
        most = 0.75 / max(mean - first if sign > 0 else last - mean, 1e-300)
        return float(np.log1p(sign * np.minimum(wagers, most) * (amounts - mean)).sum()) >= limit

    def end(outer: float, sign: int) -> float:
        if not wins(outer, sign):
            return outer
        return halved(lambda mean: not wins(mean, sign), float(amounts.mean()), outer, 50)[1]

    return end(first, 1), end(last, -1)
