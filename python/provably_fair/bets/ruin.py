"""Ruin: the exact probability that a bankroll no longer covers a stake of 1.

There are three questions, each with an algorithm that adds only nonnegative numbers where it can, so that
small probabilities keep their digits:

- within a number of rounds, the law of the bankroll is followed round by round, and ruined mass is counted
  and removed;
- before a target there are finitely many heights. They are eliminated from the highest down: from each height
  the walk eventually falls below it or reaches the target, and where it first lands below is a mean over the
  heights above. Long walks go by blocks of heights, in matrices;
- without either, the lowest point of a rising walk is a sum of independent ladder heights (Feller, vol. 2,
  XII). The generating function of one is the factor of the characteristic polynomial whose roots lie inside
  the unit circle (Wiener-Hopf). One real root is found by itself; the rest comes from the Fourier series of a
  logarithm, which needs no other root.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, integer
from provably_fair._core.progress import Progress, progress_bar
from provably_fair._core.tails import halved
from provably_fair.distribution import Distribution

from .walk import Walk, amount, rounds_played

# Limits on states times steps of an interval, and on the length of a transform.
_MAX_STATES = 1 << 22
_MAX_TRANSFORM = 1 << 22
# Without a number of rounds, follow this many at most, until this share of ruin is left; a larger rest is
# refused.
_MAX_ROUNDS = 1 << 17
_LEFT, _LATE = 2.0**-50, 1e-6
# Below this probability, ruin without end is computed by single falls, which keep all digits, up to this
# many.
_SMALL, _MAX_FALLS = 1e-3, 1 << 25
_EPSILON = float(np.finfo(np.float64).eps)


def ruin(
    law: Distribution,
    bankroll: object,
    rounds: object = None,
    target: object = None,
    *,
    exact: bool = False,
    progress: Progress = False,
) -> Any:
    """Return the probability of ruin; see `Bet.ruin`."""
    walk, height, climb, rounds = _question(law, bankroll, rounds, target)
    sure = _certain(walk, height, climb, rounds)
    if sure is not None:
        return Fraction(sure) if exact else float(sure)
    if rounds is not None:
        return _within(walk, height, climb, rounds, exact, progress)
    if climb is not None:
        return _before_target(walk, height, height + climb, exact)
    if exact:
        raise BadValue("exact", "must be False without rounds or target: ruin without end is no fraction")
    return _forever(walk, height)


def ruin_time(
    law: Distribution, bankroll: object, rounds: object = None, target: object = None
) -> Distribution:
    """Return the law of the round of ruin, given ruin; see `Bet.ruin_time`."""
    walk, height, climb, rounds = _question(law, bankroll, rounds, target)
    if height < 0:
        return Distribution([0], [1])
    if _certain(walk, height, climb, rounds) == 0:
        raise BadValue("bankroll", "must be one that this bet can ruin")
    exact = rounds is not None and _is_small(walk, rounds)
    whole = float(ruin(law, bankroll, rounds, target)) if rounds is None else math.inf
    ruined: list[Any] = []
    come: Any = 0
    for done in rounds_played(walk, height, climb, rounds, exact=exact):
        ruined.append(sum(done.ruined_masses.tolist()) if exact else float(done.ruined_masses.sum()))
        come += ruined[-1]
        if rounds is None and (whole - come <= _LEFT * whole or len(ruined) == _MAX_ROUNDS):
            break
    if exact:
        # The masses of round n are over total**n: bring all over one denominator.
        weights = [mass * walk.total ** (len(ruined) - at) for at, mass in enumerate(ruined, 1)]
        kept = [at for at, weight in enumerate(weights) if weight]
        return Distribution([at + 1 for at in kept], [weights[at] for at in kept])
    left = max(whole - come, 0.0) if rounds is None else 0.0
    if left > _LATE * come:
        raise BadValue(
            "rounds", f"must be given: after {len(ruined)}, {left / whole:.2g} of ruin is yet to come"
        )
    if not come:
        raise BadValue("rounds", "must be larger: the probability of ruin within so few rounds underflows")
    shares = np.array(ruined) / (come + left)
    error = len(ruined) * (len(walk.steps) + 1) * _EPSILON * float(shares.max())
    kept = np.flatnonzero(shares).tolist()
    return Distribution.from_probabilities(
        [at + 1 for at in kept],
        shares[kept],
        probability_error=error,
        truncation_error=left / (come + left) + 1e-20,
    )


def law_of_bankroll(
    law: Distribution, rounds: object, bankroll: object = 100, target: object = None
) -> Distribution:
    """Return the law of a bankroll after some rounds; see `Bet.bankroll`."""
    played = integer("rounds", rounds, 1)
    walk, height, climb, _ = _question(law, bankroll, played, target)
    have = amount("bankroll", bankroll)
    if height < 0 or (climb is not None and climb <= 0):
        return Distribution([_number(have, law)], [1])
    if climb is None and height + played * walk.steps[0] >= 0:
        moved: Distribution = law.sum(played) + _number(have - played, law)
        return moved
    exact = _is_small(walk, played)
    ends: dict[int, Any] = {}
    scale = 1
    for left, done in enumerate(rounds_played(walk, height, climb, played, exact=exact, whole=True), 1):
        if exact:
            ends = {at: mass * walk.total for at, mass in ends.items()}
            scale *= walk.total
        stopped = [(done.ruined, done.ruined_masses), (done.reached, done.reached_masses)]
        if left == played:
            stopped.append((done.going, done.going_masses))
        for at, masses in stopped:
            for place, mass in zip(at.tolist(), masses.tolist(), strict=True):
                if mass:
                    ends[place] = ends.get(place, 0) + mass
    places = sorted(ends)
    values = [_number(have + (place - height) * walk.unit, law) for place in places]
    if exact:
        return Distribution(values, [ends[place] for place in places])
    shares = np.array([ends[place] for place in places])
    error = played * (len(walk.steps) + 1) * _EPSILON * float(shares.max())
    return Distribution.from_probabilities(
        values, shares, probability_error=error, truncation_error=played * 1e-30
    )


def _question(
    law: Distribution, bankroll: object, rounds: object, target: object
) -> tuple[Walk, int, int | None, int | None]:
    """Return the walk, the units above ruin, the units below the target, and the rounds, checked."""
    have = amount("bankroll", bankroll)
    goal = None if target is None else amount("target", target)
    played = None if rounds is None else integer("rounds", rounds, 0)
    walk = Walk.of(law)
    return walk, walk.height(have), walk.climb(have, goal), played


def _certain(walk: Walk, height: int, climb: int | None, rounds: int | None) -> int | None:
    """Return 0 or 1 if ruin is impossible or certain; else None."""
    if height < 0:
        return 1
    if (climb is not None and climb <= 0) or walk.steps[0] >= 0:
        return 0
    if rounds is not None:
        return 0 if height + rounds * walk.steps[0] >= 0 else None
    # A walk that never rises reaches no target.
    if walk.steps[-1] <= 0 or (climb is None and walk.drift <= 0):
        return 1
    return None


def _is_small(walk: Walk, rounds: int) -> bool:
    """Return whether exact integer masses are cheap enough."""
    cells = rounds * (walk.steps[-1] - walk.steps[0]) // walk.stride + 1
    return rounds * cells * len(walk.steps) <= 1 << 15 and rounds * walk.total.bit_length() <= 1 << 13


def _number(value: Fraction, law: Distribution) -> Any:
    """Return an amount in the number type of the law's outcomes if that is exact, else as a Fraction."""
    if value.denominator == 1:
        return int(value)
    return float(value) if law.outcomes.dtype.kind == "f" and Fraction(repr(float(value))) == value else value


def _within(walk: Walk, height: int, climb: int | None, rounds: int, exact: bool, progress: Progress) -> Any:
    """Return the probability of ruin within a number of rounds, round by round."""
    come: Any = 0
    scale = 1
    with progress_bar(rounds, progress) as report:
        for played, done in enumerate(rounds_played(walk, height, climb, rounds, exact=exact), 1):
            if exact:
                scale *= walk.total
                come = come * walk.total + sum(done.ruined_masses.tolist())
            else:
                come += float(done.ruined_masses.sum())
            if report is not None:
                report(played)
        if report is not None:
            report(rounds)  # once ruin is out of reach, the other rounds aren't played
    return Fraction(come, scale) if exact else float(min(come, 1.0))


def _before_target(walk: Walk, height: int, top: int, exact: bool) -> Any:
    """Return the probability of ruin before a target, eliminating heights from the highest below `top` down.

    From each height the walk eventually falls below it or reaches the target. Where it first lands below is a
    mixture of where it lands from the heights above, so every number is a sum of positive ones.
    """
    down, up = -walk.steps[0], max(min(walk.steps[-1], top), 1)
    if top * max(down, 16) > _MAX_STATES * 16:
        raise BadValue("target", f"must be less far: {top} steps of the bankroll are too many to work out")
    if not exact and max(down, up) <= 256 and top > 4 * max(down, up):
        return _by_blocks(walk, height, top)
    shares: list[Any] = [Fraction(w, walk.total) for w in walk.weights] if exact else walk.shares.tolist()
    zero: Any = Fraction(0) if exact else 0.0
    kind = object if exact else np.float64
    # A height's row: the probability that the walk from it lands first on each of the `down` heights below,
    # indexed by residue modulo `down`. Only the rows of the next `up` heights are kept.
    rows, arrived = np.full((up, down), zero, dtype=kind), np.full(up, zero, dtype=kind)
    falls = np.empty((top, down), dtype=kind)
    for at in range(top - 1, -1, -1):
        here = at % down
        fall, gone = np.full(down, zero, dtype=kind), zero
        for step, share in zip(walk.steps, shares, strict=True):
            if step < 0:
                fall[(at + step) % down] += share
            elif step and at + step < top:
                row = rows[(at + step) % up].copy()
                row[here] = zero
                fall += share * row
                gone += share * arrived[(at + step) % up]
            elif step:
                gone += share
        # A return to this height starts over, so condition on leaving. Its residue is also that of `at -
        # down`, which only a step from here can reach: from above that is out of reach.
        left = fall.sum() + gone
        fall, gone = fall / left, gone / left
        back = rows[:, here].copy()
        rows[:, here] = zero
        rows += back[:, np.newaxis] * fall
        arrived += back * gone
        rows[at % up], arrived[at % up] = fall, gone
        falls[at] = fall
    # All heights below 0 are ruin.
    chances = np.full(down, zero + 1, dtype=kind)
    for at in range(height + 1):
        chances[at % down] = falls[at] @ chances
    chance = chances[height % down]
    return chance if exact else float(chance)


def _by_blocks(walk: Walk, height: int, top: int) -> float:
    """Return the same as `_before_target`, by blocks of heights as wide as the longest step."""
    width = max(-walk.steps[0], walk.steps[-1])
    # Transition probabilities from a block's heights to the block below, itself, and the block above.
    around = np.zeros((width, 3 * width))
    for step, share in zip(walk.steps, walk.shares.tolist(), strict=True):
        around[np.arange(width), width + step + np.arange(width)] += share
    below, within = around[:, :width], around[:, width : 2 * width]
    # Only the last heights of a block reach the block above, and only its first ones.
    up = min(walk.steps[-1], width)
    above = around[width - up :, 2 * width : 2 * width + up]
    blocks = -(-top // width)
    last = top - (blocks - 1) * width
    # `falls[i]` maps the ruin probabilities of the block below to those of block i.
    falls = [np.linalg.solve(np.eye(last) - within[:last, :last], below[:last])]
    identity = np.eye(width)
    for _ in range(blocks - 1):
        stay = identity - within
        reached = falls[-1][:up]
        stay[width - up :] -= above[:, : len(reached)] @ reached
        falls.append(np.linalg.solve(stay, below))
    chances = np.ones(width)
    for fall in reversed(falls[-(height // width + 1) :]):
        chances = fall @ chances
    return float(min(chances[height % width], 1.0))


def _forever(walk: Walk, height: int) -> float:
    """Return the probability that a walk with positive drift is ever ruined.

    The lowest point of the walk is a sum of independent falls (ladder heights). The generating function of
    one fall is the factor of the characteristic polynomial with all roots inside the unit circle: one real
    root, found by bisection, and the rest, whose logarithm is a Fourier series (its positive and negative
    powers are the Wiener-Hopf factors).
    """
    steps, shares = np.array(walk.steps, dtype=np.float64), walk.shares
    drift = float(walk.drift)
    decay = _decay(steps, shares, drift)
    root, rest = math.exp(-decay), -math.expm1(-decay)
    reach = max(-walk.steps[0], walk.steps[-1])
    length = 1 << max((8 * reach).bit_length(), 10)
    while True:
        if length > _MAX_TRANSFORM:
            raise BadValue("bankroll", f"must be of fewer steps: a bet moves it by up to {reach}")
        series = _logarithm(steps, shares, drift, root, rest, length)
        middle = series[3 * length // 8 : 5 * length // 8]
        if np.abs(middle).max() < 1e-15 * max(1.0, float(np.abs(series).max())):
            break
        length *= 2
    # The negative powers, which belong to the falls, are at the end of the series.
    powers = np.zeros(length)
    powers[1 : length // 2] = series[: length // 2 : -1]
    on_circle = np.fft.rfft(powers)
    law = np.fft.irfft(np.exp(powers.sum() - on_circle), length)
    by_root_alone = 1 - root * np.exp(-2j * math.pi / length * np.arange(length // 2 + 1))
    kept = np.flatnonzero(np.abs(law) > 1e-16)  # smaller values are rounding
    law = law[: kept[-1] + 1]
    # Convolve with the geometric law of the real root, summed up to the height.
    low = law[: height + 1]
    geometric = np.exp(-decay * (height + 1 - np.arange(len(low))))
    chance = float(low @ geometric + law[height + 1 :].sum())
    down = -walk.steps[0]
    if chance < _SMALL and height * max(down, 1024) <= _MAX_FALLS:
        falls = np.fft.irfft(by_root_alone * np.exp(on_circle), length)
        chance = _by_falls(-falls[down:0:-1], height)
    return min(max(chance, 0.0), 1.0)


def _by_falls(falls: np.ndarray, height: int) -> float:
    """Return the probability of ruin by recursion over falls; all terms are positive."""
    down = len(falls)
    falls = np.maximum(falls, 0.0)
    chances = np.ones(down + height + 1)
    for at in range(down, len(chances)):
        chances[at] = falls @ chances[at - down : at]
    return float(chances[-1])


def _decay(steps: np.ndarray, shares: np.ndarray, drift: float) -> float:
    """Return the adjustment coefficient: the decay > 0 with E[exp(-decay step)] = 1."""

    def above(decay: float) -> float:
        # (E[exp(-y) - 1 + y] - decay drift) / decay, by series near 0, where terms cancel.
        y = decay * steps
        small = np.abs(y) < 0.5
        with np.errstate(over="ignore"):
            curved = np.where(small, 0.0, np.expm1(-y) + y)
        term = np.where(small, y * y / 2, 0.0)
        for k in range(3, 24):
            curved = curved + term
            term = -term * y / k
        return float(shares @ curved) / decay - drift

    high = drift / float(shares @ steps**2)
    while above(high) < 0:
        high *= 2
    low = high / 2
    while above(low) > 0:
        low /= 2
    low, high = halved(lambda decay: above(decay) < 0, low, high, 200)
    return (low + high) / 2


def _logarithm(
    steps: np.ndarray, shares: np.ndarray, drift: float, root: float, rest: float, length: int
) -> np.ndarray:
    """Return the Fourier series of log(1 - E[x**-step]) without the factors of its roots 1 and 1 / root."""
    angles = 2 * math.pi / length * np.arange(length // 2 + 1)
    real, imaginary = np.zeros(len(angles)), np.zeros(len(angles))
    near = angles * float(np.abs(steps).max()) < 0.5
    for step, share in zip(steps.tolist(), shares.tolist(), strict=True):
        turned = angles * step
        real += share * 2 * np.sin(turned / 2) ** 2
        # Near 0 the sines cancel down to the drift, so subtract their linear terms exactly.
        bent = np.where(near, -(turned**3) / 6, np.sin(turned))
        term = np.where(near, turned**5 / 120, 0.0)
        for k in range(6, 20, 2):
            bent += term
            term = -term * turned**2 / (k * (k + 1))
        imaginary += share * bent
    imaginary[near] += angles[near] * drift
    up = 2 * np.sin(angles / 2) ** 2
    by_root = rest + root * (up - 1j * np.sin(angles))
    by_one = up + 1j * np.sin(angles)
    quotient = np.empty(len(angles), dtype=np.complex128)
    quotient[0] = drift / rest
    quotient[1:] = (real + 1j * imaginary)[1:] / by_root[1:] / by_one[1:]
    logarithm = np.log(np.abs(quotient)) + 1j * np.unwrap(np.angle(quotient))
    series: np.ndarray = np.fft.irfft(logarithm, length)
    return series
