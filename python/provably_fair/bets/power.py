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
    leave the margin. Spreading each sum evenly over a lattice step gives an upper and a lower bound, both
    smooth and increasing; candidates between the points where these cross are tried one by one.
    """
    wanted, off = probability("probability", wanted), reals("margin", margin)
    if off.ndim or not 0 < off < np.inf:
        raise BadValue("margin", f"must be one number above 0, got {margin!r:.50}")
    near = exactly(margin, "margin")
    if law.var() == 0:
        return 1

    @cache
    def inside(bets: int) -> tuple[float, float, float, bool]:
        return _inside(law, bets, near)

    def first_from(low: int, enough: Callable[[int], bool]) -> int:
        high = low + 1
        while not enough(high):
            low, high = high, math.ceil(1.2 * high)
            if high > MAX_ROUNDS:
                raise BadValue("margin", f"must be so large that {MAX_ROUNDS:,} bets are enough for it")
        return bisected(lambda bets: not enough(bets), low, high)[1]

    bets = first_from(0, lambda bets: inside(bets)[0] >= wanted)
    while inside(bets)[2] < wanted:
        bets += 1
        if inside(bets)[3]:  # the grid was coarsened, so only the bounds hold
            return first_from(bets - 1, lambda bets: inside(bets)[1] >= wanted)
    return bets


def _inside(law: Distribution, bets: int, margin: Fraction) -> tuple[float, float, float, bool]:
    """Return an upper and a lower bound of P(mean within margin), its value, and whether only bounds hold."""
    total = BetSum([law], [Fraction(1)], [bets])
    first, step, masses = total.masses()
    low, high = ((mean_of(law) * bets + sign * margin * bets - first) / step for sign in (-1, 1))
    below = np.concatenate([[0.0], np.cumsum(masses)])

    def spread(place: float) -> float:
        """Return the cumulative probability at a place, with each sum spread evenly around its own."""
        return float(np.interp(place + 0.5, np.arange(len(below)), below))

    middle, reach = float(low + high) / 2, float(high - low) / 2
    outer, inner = (spread(middle + reach + more) - spread(middle - reach - more) for more in (0.5, -0.5))
    last, begin = (min(max(place, 0), len(masses)) for place in (math.floor(high) + 1, math.ceil(low)))
    probability = float(masses[begin:last].sum()) if last > begin else 0.0
    return outer, inner, probability, step != total.step


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
