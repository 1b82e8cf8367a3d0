"""Runs of bets: the longest losing run, and the largest drawdown."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, integer
from provably_fair._core.numbers import exactly
from provably_fair.distribution import Distribution

from .walk import Walk, amount

# Up to this many bits in total and bets, use integers; beyond, fixed-point numbers with this many bits and
# guard bits.
_MAX_BITS, _MAX_BETS = 1 << 14, 256
_BITS, _SPARE_BITS = 384, 96
# Runs too short are cut where this many are expected without one (probability about exp(-40)), and runs too
# long where their probability is below this.
_EXPECTED = 40.0
_CUT = 2.0**-128
# Limit on the lengths of a run, and a probability of a win that leaves none to chance.
_MOST_RUNS, _RAREST = 1 << 20, 1e-300
# Limit on the steps of a drawdown's law.
_MAX_WORK = 1 << 33
# A law of fewer depths would say little.
_FEWEST_DEPTHS = 10
# Depths less likely than this are cut; depths are computed in batches of this many numbers.
_DEEP = 1e-17
_CACHED = 1 << 14
_EPSILON = float(np.finfo(np.float64).eps)


def longest_losing_run(law: Distribution, n: object) -> Distribution:
    """Return the law of the longest run of losing bets; see `Bet.longest_losing_run`."""
    bets = integer("n", n, 1)
    total = law.total
    lost = sum(w for x, w in zip(law.outcomes.tolist(), law.weights, strict=True) if exactly(x, "law") < 1)
    if lost in (0, total):
        return Distribution([0 if not lost else bets], [1])
    if bets <= _MAX_BETS and bets * total.bit_length() <= _MAX_BITS and not law.probability_error:
        none = [_weight_without(bets, run, lost, total) for run in range(bets + 2)]
        return Distribution(range(bets + 1), [after - before for before, after in pairwise(none)])
    wins = max((total - lost) / total, _RAREST)
    log, expected = math.log1p(-wins), bets * wins
    first = max(math.floor(math.log(_EXPECTED / expected) / log), 0)
    last = min(max(math.ceil(math.log(_CUT / (expected + 1)) / log), first), bets)
    if last - first > _MOST_RUNS:
        raise BadValue("n", f"must be smaller where wins are so rare, got {bets}: {last - first} lengths")
    won = ((total - lost) << _BITS) // total
    powers = [(lost**first << _BITS) // total**first]
    for _ in range(first, last + 1):
        powers.append(powers[-1] * lost // total)
    none = [_chance_without(bets, run, power, won) for run, power in enumerate(powers, first)]
    shares = np.array([(after - before) / (1 << _BITS) for before, after in pairwise(none)])
    truncated = max(none[0], 0) / (1 << _BITS) + (_CUT if last < bets else 0.0)
    likely = shares > 0
    outcomes = np.arange(first, last + 1, dtype=np.int64)[likely]
    # An error of each bet's probability moves these by at most that of all bets.
    error = 4 * _EPSILON * float(shares.max()) + bets * law.probability_error
    return Distribution.from_probabilities(
        outcomes, shares[likely], probability_error=error, truncation_error=truncated
    )


def _weight_without(bets: int, run: int, lost: int, total: int) -> int:
    """Return the weight, of ``total ** bets``, of sequences without a losing run of length `run`.

    Inclusion-exclusion over the runs, each counted at its start: after a bet that wasn't lost, or at the
    beginning.
    """
    if run > bets:
        return int(total**bets)

    def ends(places: int) -> int:
        power, won = lost**run, total - lost
        return sum(
            (-1) ** k
            * math.comb(places - k * run, k)
            * (won * power) ** k
            * total ** (places - k * (run + 1))
            for k in range(places // (run + 1) + 1)
        )

    return ends(bets) - int(lost**run) * ends(bets - run)


def _chance_without(bets: int, run: int, power: int, won: int) -> int:
    """Return `_weight_without` as a probability times 2**384; `power` is that of a run."""
    if run > bets:
        return 1 << _BITS
    begun = power * won >> _BITS

    def ends(places: int) -> int:
        chance = change = 1 << _BITS
        ways = 1
        for k in range(1, places // (run + 1) + 1):
            before, ways = ways, math.comb(places - k * run, k)
            change = (change * begun * ways // before) >> _BITS
            chance += -change if k % 2 else change
            if change >> _SPARE_BITS == 0:
                break
        return chance

    return ends(bets) - (power * ends(bets - run) >> _BITS)


def drawdown(law: Distribution, rounds: object, unit: object = 1) -> Distribution:
    """Return the law of the largest fall from a peak; see `Bet.drawdown`."""
    played, each = integer("rounds", rounds, 1), amount("unit", unit)
    if each <= 0:
        raise BadValue("unit", f"must be above 0, got {unit}")
    walk = Walk.of(law)
    down = -min(walk.steps[0], 0)
    most = math.floor(played * down * walk.unit / each)
    if not most:
        return Distribution([0], [1])
    deviation = math.sqrt(float(walk.shares @ np.array(walk.steps, dtype=np.float64) ** 2))
    likely = 9.5 * deviation * math.sqrt(played) + played * max(-float(walk.drift), 0) + down
    listed = min(most, math.ceil(likely * float(walk.unit / each)))
    while True:
        fell = _falls(walk, played, each, listed)
        if listed == most or fell[-1] < _DEEP:
            break
        listed = min(most, 2 * listed)
    shares = -np.diff(fell)
    if listed == most:
        shares = np.append(shares, fell[-1])
    shares = np.maximum(shares, 0.0)
    kept = np.flatnonzero(shares).tolist()
    values: list[Any] = [place * each for place in kept]
    if all(value.denominator == 1 for value in values):
        values = [int(value) for value in values]
    elif isinstance(unit, float):
        values = [float(value) for value in values]
    error = played * (len(walk.steps) + 2) * _EPSILON
    return Distribution.from_probabilities(
        values, shares[kept], probability_error=error, truncation_error=0.0 if listed == most else _DEEP
    )


def _falls(walk: Walk, rounds: int, unit: Fraction, listed: int) -> np.ndarray:
    """Return the probabilities of a fall of at least 0, 1, 2, ... units from a peak."""
    limits = _limits(walk, unit, listed)
    cost = rounds * len(walk.steps)
    if cost * sum(limits) > _MAX_WORK:
        depths = f"{listed} depths of {limits[-1]} steps"
        coarser = (Fraction(digit * 10**power) for power in range(-8, 9) for digit in (1, 2, 5))
        for larger in (one for one in coarser if one > unit):
            fewer = math.ceil(listed * unit / larger)
            if fewer >= _FEWEST_DEPTHS and cost * sum(_limits(walk, larger, fewer)) <= _MAX_WORK:
                raise BadValue(
                    "unit", f"is too small for {rounds} rounds: {depths}; unit={float(larger):g} would do"
                )
        raise BadValue("rounds", f"must be fewer for this bet, got {rounds}: {depths}")
    fell = [1.0]
    while len(fell) <= listed:
        # Take a few depths at a time, so that they fit into the processor's cache.
        rows = len(fell)
        while rows <= listed and (rows - len(fell) + 1) * limits[rows] <= _CACHED:
            rows += 1
        fell += _falls_by(walk, rounds, limits[len(fell) : max(rows, len(fell) + 1)])
    return np.array(fell)


def _limits(walk: Walk, unit: Fraction, listed: int) -> list[int]:
    """Return the depths of 0, 1, ... units, in the walk's own."""
    return [math.ceil(place * unit / walk.unit) for place in range(listed + 1)]


def _falls_by(walk: Walk, rounds: int, limits: list[int]) -> list[float]:
    """Return the probability of a fall by each number of steps in `limits`."""
    width = limits[-1] - min(walk.steps[0], 0)
    # Rows are limits, columns the depth below the last peak; a path ends at its limit.
    ended = np.arange(width) >= np.array(limits)[:, np.newaxis]
    depths, after = np.zeros(ended.shape), np.zeros(ended.shape)
    depths[:, 0] = 1.0
    fell = np.zeros(len(limits))
    for played in range(rounds):
        after.fill(0.0)
        for step, share in zip(walk.steps, walk.shares.tolist(), strict=True):
            if step < 0:
                after[:, -step:] += share * depths[:, :step]
            else:
                after[:, : max(width - step, 0)] += share * depths[:, step:]
                after[:, 0] += share * depths[:, :step].sum(axis=1)
        fell += after.sum(axis=1, where=ended)
        after[ended] = 0.0
        depths, after = after, depths
        if played % 64 == 63 and depths.sum() < 1e-18:
            break
    return fell.tolist()
