"""p-values of the returns of bets, and of the frequencies of outcomes.

Every p-value here is exact or larger than it need be, never smaller. Of a whole log the number of bets is
given, and the law of their sum is worked out. Of parts of it, such as a player's bets, it isn't: who loses
may stop, and who lost may stake more. There the evidence is what somebody would have who started with 1 and
bet against the law: by Ville's inequality, its inverse is a p-value whenever a player stops, and however
stakes follow what came before.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from provably_fair._core.counts import length
from provably_fair._core.tails import binomial_error, binomial_tail, hypergeometric_tail
from provably_fair.bets.pvalue import pvalue_of_total
from provably_fair.bets.wagers import EPSILON, WAGERS, Wagers
from provably_fair.distribution import Distribution

T = TypeVar("T", float, np.ndarray)

# The sizes of stakes aren't known beforehand, so wagers are powers of two, in units of one over the first.
# Those of these exponents share the first capital, but for a small part that waits for larger stakes.
_SCALES = range(-8, 22)
_WAITING = 2.0**-10
# Beside a larger product of wager and stake rounding hides what is gained.
_FAR_BITS = 60
# The largest number of groups into which outcomes are merged.
_GROUPS = 64


def sum_pvalue(law: Distribution, bets: int, returned: Fraction, side: str) -> float:
    """Return the p-value of a total return of bets of 1, on one side."""
    return float(pvalue_of_total(law, bets, returned, side))


def drawn_pvalue(hits: int, drawn: int, marked: int, total: int) -> float:
    """Return the p-value of the number of marked rows among those drawn of a total, on both sides."""
    tails = (
        hypergeometric_tail(hits, drawn, marked, total),
        hypergeometric_tail(drawn - hits, drawn, total - marked, total),
    )
    return min(1.0, 2 * min(tails) * (1 + 10 * binomial_error(total)))


class Sides(NamedTuple, Generic[T]):
    """Lower and upper p-values of returns."""

    low: T
    high: T


class StakeClasses(NamedTuple):
    """Classes of stakes: the number of bets, the smallest, the largest and the total stake of each.

    Stakes are in any one unit.
    """

    bets: np.ndarray
    least: np.ndarray
    most: np.ndarray
    staked: np.ndarray


class Against:
    """Tests of bets against a law: whether they return less, or more."""

    def __init__(self, law: Distribution) -> None:
        self._wagers = Wagers(law)
        self.mean: float = self._wagers.mean
        self._deviation = self._wagers.deviation

    def pvalues(self, bets: np.ndarray, returned: np.ndarray) -> Sides[np.ndarray]:
        """Return the p-values of groups of bets of 1."""
        if not self._deviation:
            return Sides(np.ones(len(bets)), np.ones(len(bets)))
        many = np.asarray(bets, np.float64)[:, np.newaxis]
        off = np.asarray(returned, np.float64)[:, np.newaxis] - many * self.mean
        found = []
        for side in (-1.0, 1.0):
            wagers = side * WAGERS / self._deviation
            paid = self._wagers.price(wagers) * many
            gained = wagers * off - paid - self._rounding(wagers, many, many)
            found.append(_inverse(gained - math.log(len(wagers))))
        return Sides(*found)

    def _rounding(self, wagers: np.ndarray, bets: Any, staked: Any) -> np.ndarray:
        """Return a bound on the rounding errors of what wagers gain: a difference of numbers of any size."""
        bound: np.ndarray = 16 * EPSILON * (bets + np.abs(wagers) * staked * self._wagers.reach)
        return bound

    def staked_pvalues(
        self, classes: StakeClasses, off: float, first: float, doubled: int = 0
    ) -> Sides[float]:
        """Return the p-values of bets whose stakes differ, which returned `off` above their mean.

        The first stake is `first`, halved as often as the largest is `doubled` from there.

        The price of a wager is convex in the stake, so that a class of stakes costs at most what the same
        total in its least and its largest stake would.
        """
        bets, least, most, staked = classes
        if not self._deviation or not len(bets):
            return Sides(1.0, 1.0)
        spread = np.where(most > least, most - least, 1.0)
        high = np.where(most > least, np.clip((staked - bets * least) / spread, 0.0, bets), 0.0)
        low = bets - high
        found = []
        halved = np.arange(max(_SCALES.start, doubled - _FAR_BITS), _SCALES.stop + doubled)
        later = np.maximum(halved - _SCALES.stop + 1, 1)
        shares = np.where(
            halved < _SCALES.stop, (1 - _WAITING) / len(_SCALES), _WAITING / (later * (later + 1.0))
        )
        for side in (-1.0, 1.0):
            wagers = side * 2.0 ** (doubled - halved) / (self._deviation * first)
            paid = sum(
                (many[:, np.newaxis] * self._wagers.price(np.outer(stakes, wagers))).sum(axis=0)
                for many, stakes in ((low, least), (high, most))
            )
            gained = wagers * off - paid - self._rounding(wagers, bets.sum(), staked.sum())
            found.append(float(_inverse(gained[np.newaxis] + np.log(shares))[0]))
        return Sides(*found)

    def apart(
        self, bets: np.ndarray, returned: np.ndarray, all_bets: int, all_returned: float
    ) -> Sides[np.ndarray]:
        """Return approximate p-values of groups' returns beside those of all other bets.

        It isn't exact, and never stands alone: it says whether what is wrong with a group is wrong with all.
        """
        many = np.asarray(bets, np.float64)
        others = all_bets - many
        alone = others <= 0
        rest = np.where(alone, 1.0, others)
        off = returned / many - (all_returned - returned) / rest
        far = off / np.maximum(self._deviation * np.sqrt(1 / many + 1 / rest), 1e-300)
        less = np.array([0.5 * math.erfc(-one / math.sqrt(2)) for one in far.tolist()])
        return Sides(np.where(alone, 0.0, less), np.where(alone, 0.0, 1 - less))


def _inverse(logarithms: np.ndarray) -> np.ndarray:
    """Return, by row, 1 over the sum of the exponentials of these logarithms, at most 1."""
    found: np.ndarray = np.exp(-np.maximum(np.logaddexp.reduce(logarithms, axis=1), 0.0))
    return found


def groups_of(law: Distribution) -> np.ndarray:
    """Return the edges of groups of neighboring outcomes with about equal probabilities."""
    if length(law) <= _GROUPS:
        return np.arange(len(law))
    before = np.cumsum(law.probabilities) - law.probabilities
    group = np.minimum((before * _GROUPS + 1e-9).astype(np.int64), _GROUPS - 1)
    return np.flatnonzero(np.diff(group, prepend=-1))


def fit(counts: np.ndarray, weights: list[int]) -> float:
    """Return the p-value of the frequencies of outcomes under an exact law.

    Outcomes are halved again and again: how many of those in both halves are in the first is binomial, and
    independent of what was so above. The p-values of all halvings are put together by Fisher's method, the
    smallest by Bonferroni's: half of the level is for each.
    """
    possible = [place for place, weight in enumerate(weights) if weight]
    kept = [int(counts[place]) for place in possible]
    if sum(kept) < int(np.sum(counts)):
        return 0.0
    found = list(_halvings(kept, [weights[place] for place in possible]))
    if not found:
        return 1.0
    return min(1.0, 2 * min(_fisher(found), len(found) * min(found)))


def _halvings(counts: list[int], weights: list[int]) -> list[float]:
    bets, total = sum(counts), sum(weights)
    if len(counts) < 2 or not bets:
        return []
    # The cut that comes nearest to half of the weight.
    before, cut = 0, 1
    for place, weight in enumerate(weights[:-1], 1):
        before += weight
        cut = place
        if 2 * before >= total:
            if place > 1 and 2 * before - total > total - 2 * (before - weight):
                before, cut = before - weight, place - 1
            break
    inside, left = sum(counts[:cut]), total - before
    tails = binomial_tail(inside, bets, before / total), binomial_tail(bets - inside, bets, left / total)
    both = min(1.0, 2 * min(tails) * (1 + binomial_error(bets)))
    return [both, *_halvings(counts[:cut], weights[:cut]), *_halvings(counts[cut:], weights[cut:])]


def _fisher(pvalues: list[float]) -> float:
    """Return Fisher's combined p-value: the probability of a product of uniform numbers as small."""
    if not min(pvalues):
        return 0.0
    far = -math.fsum(map(math.log, pvalues))
    if not far:
        return 1.0
    terms = [number * math.log(far) - math.lgamma(number + 1) for number in range(len(pvalues))]
    return min(1.0, math.exp(float(np.logaddexp.reduce(terms)) - far))
