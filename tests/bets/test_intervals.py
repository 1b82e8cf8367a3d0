"""Tests of a claimed return, from rows or totals, against scipy and enumeration."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles.laws import joined, tails
from provably_fair.bets import Bet
from provably_fair.bets.power import rounds_within
from scipy import optimize, stats

DICE = pf.Dice().bet(1.98, under=50)
PLINKO = pf.Plinko(pins=8).bet([10, 3, 1, 0.5, 0.4, 0.5, 1, 3, 10])
THREE = pf.Distribution([0, 1, 5], [6, 3, 1])
BET = Bet(THREE, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_totals_say_what_their_rows_say(alternative):
    for bet in DICE, PLINKO:
        returns = bet.simulate(500)
        rows = bet.test(returns, alternative)
        # A floating-point sum, which isn't exact.
        assert bet.test(total=returns.sum(), rounds=500, alternative=alternative) == rows
        stakes = np.where(np.arange(500) % 3, 1, 2.5)
        rows = bet.test(returns * stakes, alternative, stakes=stakes)
        total = float(returns @ stakes)
        assert bet.test(total=total, rounds=500, stakes=stakes, alternative=alternative) == rows


def test_totals_of_several_bets():
    first, second = DICE.simulate(40), PLINKO.simulate(30)
    bets, stakes = [DICE] * 40 + [PLINKO] * 30, [2.0] * 40 + [0.5] * 30
    returns = np.concatenate([2 * first, 0.5 * second])
    rows = pf.bets.check_returns(bets, returns, stakes=stakes, alternative="less")
    options = {"rounds": [40, 30], "stakes": [2, 0.5], "alternative": "less"}
    assert pf.bets.check_returns([DICE, PLINKO], total=returns.sum(), **options) == pytest.approx(
        rows, rel=1e-12
    )
    each = [2 * first.sum(), 0.5 * second.sum()]
    assert pf.bets.check_returns([DICE, PLINKO], total=each, **options) == pytest.approx(rows, rel=1e-12)


def test_a_total_between_two_sums_is_tested_as_it_is():
    chance = float(DICE.law.sf(0))
    assert DICE.test(total=3, rounds=10, alternative="less") == pytest.approx(stats.binom.cdf(1, 10, chance))
    assert DICE.test(total=3, rounds=10, alternative="greater") == pytest.approx(
        stats.binom.sf(1, 10, chance)
    )
    assert DICE.test(total=3.96 + 1e-3, rounds=10, within=0.005) == DICE.test(total=3.96, rounds=10)


@pytest.mark.parametrize("total", [-0.01, 19.9])
def test_a_total_that_no_rounds_can_bring_back(total):
    found = DICE.test(total=total, rounds=10)
    assert (found, found.method) == (0, "impossible")
    interval = DICE.interval(total=total, rounds=10)
    assert interval.method == "impossible"
    assert math.isnan(interval.low)
    assert not interval.covers


@pytest.mark.parametrize(
    ("wins", "rounds"), [(0, 100), (49, 100), (100, 100), (517, 1000), (50_000, 100_000)]
)
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
def test_the_interval_of_wins_is_clopper_and_pearsons(wins, rounds, confidence):
    found = DICE.interval(total=1.98 * wins, rounds=rounds, confidence=confidence)
    exact = stats.binomtest(wins, rounds).proportion_ci(confidence, "exact")
    assert tuple(found) == pytest.approx((1.98 * exact.low, 1.98 * exact.high), rel=1e-9)
    assert found.method == "binomial"
    assert (found[0], found[1], len(found)) == (found.low, found.high, 2)


def ends_of_three(stakes, returned, level):
    """The means of tilted laws at which the tail of a total has half of a level as its probability."""

    def tilted(tilt):
        weights = np.array([6, 3, 1]) * np.exp(tilt * np.array([0, 1, 5]))
        return weights / weights.sum()

    def surplus(tilt, side):
        chances = tilted(tilt)
        parts = [dict(zip((0, stake, 5 * stake), chances, strict=True)) for stake in stakes]
        return tails(joined(parts), returned)[side] - level / 2

    ends = [0.0, 5.0]
    for place, side in enumerate((1, 0)):
        if returned != ends[place] * sum(stakes):
            ends[place] = tilted(optimize.brentq(surplus, -20, 20, (side,), xtol=1e-13)) @ [0, 1, 5]
    return ends


@pytest.mark.parametrize("returned", [0, 3, 7, 29, 30])
def test_the_interval_of_other_bets_inverts_the_test_of_tilted_laws(returned):
    found = BET.interval(total=returned, rounds=6, confidence=0.9)
    assert tuple(found) == pytest.approx(ends_of_three([1] * 6, returned, 0.1), rel=1e-6)
    assert found.method == "tilted law"


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(12))
def test_intervals_of_any_bets_against_convolutions(number):
    """Random distributions, bets, totals and levels: tails by convolution, ends by Brent's method."""
    rng = np.random.default_rng([7, number])
    amounts = np.sort(rng.choice(60, size=rng.integers(3, 9), replace=False))
    weights = rng.integers(1, 10 ** rng.integers(1, 6), size=len(amounts))
    bets, confidence = int(rng.integers(2, 150)), float(rng.choice([0.5, 0.9, 0.95, 0.999]))
    law = pf.Distribution([Fraction(int(amount), 10) for amount in amounts], weights.tolist())
    returned = int(amounts[rng.choice(len(amounts), bets, p=weights / weights.sum())].sum())

    def tilted(tilt):
        logarithms = np.log(weights) + tilt * (amounts - amounts.max() * (tilt > 0))
        found = np.exp(logarithms - logarithms.max())
        return found / found.sum()

    def tail(tilt, at_least):
        chances = np.zeros(amounts.max() + 1)
        chances[amounts] = tilted(tilt)
        sums = np.ones(1)
        for _ in range(bets):
            sums = np.convolve(sums, chances)
        return (sums[returned:] if at_least else sums[: returned + 1]).sum() - (1 - confidence) / 2

    ends = [float(amounts[0]), float(amounts[-1])]
    for place, at_least in enumerate((True, False)):
        if returned != ends[place] * bets:
            ends[place] = tilted(optimize.brentq(tail, -30, 30, args=(at_least,), xtol=1e-14)) @ amounts
    found = Bet(law, None).interval(total=returned / 10, rounds=bets, confidence=confidence)  # type: ignore
    assert found.method == "tilted law"
    assert tuple(found) == pytest.approx([end / 10 for end in ends], rel=3e-6)
    assert found.low <= returned / 10 / bets <= found.high


def test_intervals_show_progress_and_can_be_stopped():
    seen = []
    shown = PLINKO.interval(total=970, rounds=1000, progress=lambda *done: seen.append(done))
    assert shown == PLINKO.interval(total=970, rounds=1000)
    assert seen == [*((done, 200) for done in range(1, len(seen))), (200, 200)]
    assert 10 < len(seen) < 200

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PLINKO.interval(PLINKO.simulate(100, seed=1), progress=stop)


def test_the_interval_of_rare_large_amounts_against_two_binomials():
    # The grid is long, so the end is searched on a coarser one first.
    weights, amounts, bets, returned = np.array([6000, 3997, 3]), np.array([0, 1, 1000]), 200_000, 138_000

    def law(tilt):
        tilted = weights * np.exp(tilt * amounts)
        return tilted / tilted.sum()

    def tail(tilt, at_least):
        _, one, large = law(tilt)
        many = np.arange(0, 400)
        rest = returned - 1000 * many
        small = stats.binom(bets - many, one / (1 - large))
        below = small.cdf(rest - 1) if at_least else small.cdf(rest)
        found = stats.binom(bets, large).pmf(many) @ below
        return (1 - found if at_least else found) - 0.025

    bet = Bet(pf.Distribution(amounts.tolist(), weights.tolist()), None)  # type: ignore[arg-type]
    found = bet.interval(total=returned, rounds=bets)
    for end, at_least in ((found.low, True), (found.high, False)):
        tilt = optimize.brentq(tail, -0.01, 0.01, args=(at_least,), xtol=1e-15)
        assert end == pytest.approx(law(tilt) @ amounts, rel=1e-6)


def test_the_interval_of_stakes_that_vary():
    found = BET.interval([5, 2, 0], stakes=[1, 2, 2])
    assert tuple(found) == pytest.approx(ends_of_three([1, 2, 2], 7, 0.05), rel=1e-6)


def test_the_interval_of_any_law_holds_where_the_law_is_another_one():
    # The same mean from other amounts, for which the tilted distributions aren't exact.
    rng = np.random.default_rng(3)
    missed = sum(
        not (found := BET.interval(rng.choice([0, 5], 200, p=[0.84, 0.16]), valid="any law")).low
        <= 0.8
        <= found.high
        for _ in range(100)
    )
    assert missed <= 8


@pytest.mark.parametrize(
    ("outcomes", "weights", "margin", "wanted"),
    [
        *(([0, 2], [1, 1], *asked) for asked in (("1/2", 0.9), ("1/5", 0.8), ("1/10", 0.9))),
        *[([0, 2, 13], [2, 2, 5], "23/50", 0.3), ([0, 3, 5], [1000, 2, 1000], "41/50", 0.97)],
    ],
)
def test_rounds_within_of_a_bet_whose_sums_jump_is_the_least_number(outcomes, weights, margin, wanted):
    total, one, sums, bets = sum(weights), np.zeros(max(outcomes) + 1), np.ones(1), 0
    one[outcomes] = np.array(weights) / total
    mean, inside = Fraction(sum(np.multiply(outcomes, weights).tolist()), total), 0
    while inside < wanted:
        sums, bets = np.convolve(sums, one), bets + 1
        low, high = (bets * (mean + sign * Fraction(margin)) for sign in (-1, 1))
        inside = sums[max(math.ceil(low), 0) : math.floor(high) + 1].sum()
    assert rounds_within(pf.Distribution(outcomes, weights), Fraction(margin), wanted) == bets


def test_rounds_within_of_a_jackpot():
    def inside(bets):
        low, high = (bets * (0.9 + margin) / 900_000 for margin in (-0.1, 0.1))
        below = stats.binom.cdf([math.floor(high), math.ceil(low) - 1], bets, 1e-6)
        return below[0] - below[1]

    found = rounds_within(pf.Distribution([0, 900_000], [999_999, 1]), Fraction(1, 10), 0.8)
    assert inside(found - 1) < 0.8 <= inside(found)


def test_rounds_within_of_a_skewed_bet():
    bet = Bet(pf.Distribution([0, 1, 100], [600, 395, 5]), None)
    found = bet.rounds_within(0.05, 0.95)
    mean = bet.law.mean(exact=True)

    def inside(bets):
        law = bet.law.sum(bets)
        return law.probability_between(
            math.ceil(bets * (mean - Fraction(1, 20))), math.floor(bets * (mean + Fraction(1, 20)))
        )

    assert inside(found) >= 0.95 - 1e-9
    assert inside(found - 1) < 0.95


def test_what_is_given_twice_or_not_at_all_is_refused():
    with pytest.raises(TypeError, match=r"^returns must be given"):
        DICE.test()
    with pytest.raises(TypeError, match=r"^rounds must be given"):
        DICE.interval(total=5)
    with pytest.raises(TypeError, match=r"^total isn't supported"):
        DICE.test([0], total=1, rounds=1)
    with pytest.raises(ValueError, match=r"^valid must be"):
        DICE.interval(total=0, rounds=5, valid="any law")
