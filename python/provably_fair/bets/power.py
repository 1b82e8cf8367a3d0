"""Sample sizes: the number of bets that tell two laws apart.

Power isn't monotone in the number of bets: sums of a lattice law jump over the critical value. The power of
the randomized test is monotone, and an upper bound. So its root is bracketed and bisected, and the search for
the test itself starts there, over few numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from statistics import NormalDist

import numpy as np

from provably_fair._core.arguments import BadValue, integer, probability, reals
from provably_fair._core.numbers import exactly
from provably_fair._core.tails import bisected
from provably_fair.distribution import Distribution
from provably_fair.distribution.moments import mean_of

from .convolution import BetSum

MAX_ROUNDS = 1 << 40
# Smaller levels use tilted tails; the rounding of a plain transform is too coarse for them.
_SMALL = 1e-9
_NORMAL = NormalDist()


def power(law: Distribution, other: Distribution, bets: int, level: float) -> float:
    """Return the probability that a one-sided test rejects `law` where `other` holds; see `Bet.power`."""
    return _power(law, other, integer("n", bets, 1, MAX_ROUNDS), probability("level", level))[0]


def rounds_needed(law: Distribution, other: Distribution, level: float, power: float) -> int:
    """Return the least number of bets at which the test has this power; see `Bet.rounds_needed`.

    A few larger numbers may have slightly less power.
    """
    level, wanted = probability("level", level), probability("power", power)
    off = abs(float(mean_of(other) - mean_of(law)))
    if not off:
        raise BadValue("alternative", "must have another mean than the bet: sums can't tell them apart")

    # The randomized test's power increases with the number of bets and bounds that of the test itself, so
    # start the search at its root.
    @cache
    def missing(bets: int) -> float:
        reached = min(max(_power(law, other, bets, level)[1], 1e-12), 1 - 1e-12)
        return _NORMAL.inv_cdf(wanted) - _NORMAL.inv_cdf(reached)

    guess = (-_NORMAL.inv_cdf(level) * law.std() + _NORMAL.inv_cdf(wanted) * other.std()) / off
    near = min(max(math.ceil(guess**2), 1), MAX_ROUNDS)
    low, high = _bracket(missing, near)
    while high - low > 1:
        # The normal quantile of the power grows about as the square root of the number of bets.
        share = missing(low) / (missing(low) - missing(high)) if low else 0.5
        middle = round((math.sqrt(low) + share * (math.sqrt(high) - math.sqrt(low))) ** 2)
        middle, near = min(max(middle, low + 1), high - 1), max((high - low) // 64, 1)
        for place in (middle, middle + near, middle - near):
            if low < place < high:
                low, high = (place, high) if missing(place) > 0 else (low, place)
    while _power(law, other, high, level)[0] < wanted:
        high += 1
    return high


def rounds_within(law: Distribution, margin: object, wanted: object) -> int:
    """Return the least number of bets whose mean is within `margin` of the law's; see `Bet.rounds_within`.

    The probability increases with the number of bets in the long run, but jumps up and down as sums enter and
    leave the margin. So numbers are tried in turn, but for those that can't be enough: see `_stride`.
    """
    wanted, off = probability("probability", wanted), reals("margin", margin)
    if off.ndim or not 0 < off < np.inf:
        raise BadValue("margin", f"must be one number above 0, got {margin!r:.50}")
    near = exactly(margin, "margin")
    wanted *= 1 - 1e-12  # sums of masses may miss it
    if law.var() == 0:
        return 1
    low, bets = 0, 1
    while (stride := _stride(law, bets, near, wanted)) is not None:
        if not stride:
            return bets
        low, bets = bets, _at_most(bets + stride)
    while _surely_inside(law, bets, near) < wanted:
        low, bets = bets, _at_most(math.ceil(1.2 * bets))
    return bisected(lambda bets: _surely_inside(law, bets, near) < wanted, low, bets)[1]


def _at_most(bets: int) -> int:
    """Return a number of bets that a margin may need."""
    if bets > MAX_ROUNDS:
        raise BadValue("margin", f"must be so large that {MAX_ROUNDS:,} bets are enough for it")
    return bets


def _stride(law: Distribution, bets: int, margin: Fraction, wanted: float) -> int | None:
    """Return how many further bets are needed at least; None where the grid was coarsened.

    Two bounds hold for any law. More bets concentrate their sum in no interval of given length: where none of
    the margin's length has the probability, the margin must become longer first. And counted from the
    likeliest outcome, only the other ones move a sum, while the places inside the margin are the same, or
    fewer, until the next place enters at either end: until then, sums outside must be moved inside.
    """
    total = BetSum([law], [Fraction(1)], [bets])
    first, step, masses = total.masses()
    below = np.concatenate([[0.0], np.cumsum(masses)])
    if step != total.step:
        return None
    low, high = ((mean_of(law) * bets + sign * margin * bets - first) / step for sign in (-1, 1))
    last, begin = (min(max(place, 0), len(masses)) for place in (math.floor(high) + 1, math.ceil(low)))
    reached = float(below[last] - below[begin]) if last > begin else 0.0
    if reached >= wanted:
        return 0
    ends = np.searchsorted(below, below + wanted)
    shortest = int((ends - np.arange(len(below)))[ends < len(below)].min(initial=len(masses))) - 1
    likeliest = int(np.argmax(law.probabilities))
    off = mean_of(law) - exactly(law.outcomes[likeliest])
    rates = [(margin + side * off) / step for side in (-1, 1)]
    enters = min(math.ceil((rate * bets // 1 + 1) / rate) for rate in rates if rate > 0) - bets
    share = (wanted - reached) / (1 - reached)
    moved = int(share / np.delete(law.probabilities, likeliest).sum())
    return max(1, min(enters, moved), math.ceil(shortest * step / (2 * margin)) - bets)


def _surely_inside(law: Distribution, bets: int, margin: Fraction) -> float:
    """Return a lower bound of P(mean within margin) on a coarse grid: each sum is spread over a step."""
    first, step, masses = BetSum([law], [Fraction(1)], [bets]).masses()
    below = np.concatenate([[0.0], np.cumsum(masses)])
    middle, reach = float((mean_of(law) * bets - first) / step) + 0.5, float(margin * bets / step) - 0.5
    low, high = np.interp([middle - reach, middle + reach], np.arange(len(below)), below)
    return float(high - low)


def _bracket(missing: Callable[[int], float], near: int) -> tuple[int, int]:
    """Return a number of bets that doesn't suffice (or 0), and one that does."""
    low, high = 0, near
    while missing(high) > 0:
        low, high = high, math.ceil(1.3 * high)
        if high > MAX_ROUNDS:
            raise BadValue("alternative", f"must differ so much that {MAX_ROUNDS:,} bets show it")
    while not low and high > 1:
        less = math.floor(high / 1.3)
        low, high = (less, high) if missing(less) > 0 else (low, less)
    return low, high


def _power(law: Distribution, other: Distribution, bets: int, level: float) -> tuple[float, float]:
    """Return the power of the one-sided test, and of its randomized version."""
    if mean_of(other) > mean_of(law):  # mirror, so that the test rejects small sums
        law, other = _mirror(law), _mirror(other)
    one = [Fraction(1)]
    if level < _SMALL:
        return _power_by_tails(BetSum([law], one, [bets]), BetSum([other], one, [bets]), level)
    first, step, masses = BetSum([law], one, [bets]).masses()
    below = np.cumsum(masses)
    # The first sum at which the test no longer rejects.
    edge = int(np.searchsorted(below, level * (1 + 1e-12), side="right"))
    if edge == len(below):
        return 1.0, 1.0
    under = float(below[edge - 1]) if edge else 0.0
    part = max(level - under, 0.0) / float(below[edge] - under)
    total = BetSum([other], one, [bets])
    rejected, also = (total.at_most(first + place * step).probability for place in (edge - 1, edge))
    return rejected, rejected + part * (also - rejected)


def _power_by_tails(law: BetSum, other: BetSum, level: float) -> tuple[float, float]:
    """Return the result of `_power` by tilted tails, for levels below the rounding error of a transform."""
    ends = law.edge(level)
    under, at = (law.at_most(end).probability for end in ends)
    rejected, also = (other.at_most(end).probability for end in ends)
    part = min(max((level - under) / (at - under), 0.0), 1.0)
    return rejected, rejected + part * (also - rejected)


@lru_cache(maxsize=64)
def _mirror(law: Distribution) -> Distribution:
    return law.map(lambda amount: -exactly(amount))
