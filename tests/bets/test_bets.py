"""Simulated bets compared with game outcomes, scipy, fractions, and exact distributions of sums."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import pickle
import re
from decimal import Decimal
from fractions import Fraction

import measure_rtp_coverage
import numpy as np
import pandas as pd
import provably_fair as pf
import pytest
from provably_fair._core.tails import binomial_interval, binomial_tail, hypergeometric_tail, student_quantile
from provably_fair.bets import Bet
from provably_fair.bets.errors import ErrorLaw
from provably_fair.operators import bustabit, crypto_games, stake
from scipy import stats

ROW = [110, 41, 10, 5, 3, 1.5, 1, 0.5, 0.3, 0.5, 1, 1.5, 3, 5, 10, 41, 110]


# ---- estimates ----


def test_estimates_of_returns():
    estimate = pf.Crash().bet(cash_out=2).estimate(50_000)
    assert estimate.exact == estimate.exact_rtp
    assert "50,000 rounds" in str(estimate)
    plinko = pf.Plinko(balls=2).bet(ROW).estimate(20_000)
    assert float(plinko.exact_rtp) == pytest.approx(
        sum(math.comb(16, k) * ROW[k] for k in range(17)) / 2**16, rel=1e-12
    )
    buckets = pf.Plinko(balls=2).simulate(20_000)
    assert plinko.rtp == pytest.approx(np.array(ROW)[buckets].mean(), rel=1e-12)
    martingale = pf.Dice().bet({0: 0, 1: 1.98}, under=50).estimate(20_000, stake=lambda i: 2.0 ** (i % 4))
    assert martingale.covers


def test_games_of_a_chain_that_are_drawn_in_pieces(monkeypatch):
    """Each piece had the last hashes of the chain, the same rounds again."""
    bet = bustabit.V3().bet(cash_out=2)
    monkeypatch.setattr("provably_fair.bets.estimate._ROUNDS_AT_A_TIME", 100)
    monkeypatch.setattr("provably_fair.bets.paths._DRAWN_AT_ONCE", 100)
    pieces = [bet.simulate(100, start=start) for start in (0, 100, 200)]
    assert not any(np.array_equal(one, other) for one, other in itertools.combinations(pieces, 2))
    assert bet.estimate(300).rtp == pytest.approx(np.mean(pieces), rel=1e-12)
    gains = np.diff(bet.paths(100, paths=3, bankroll=1000).values) + 1
    assert gains.tolist() == np.array(pieces).tolist()


def test_stakes_that_are_refused_by_name():
    for bet in ([1, 2, 3], np.ones(11), np.ones((10, 1)), lambda rounds: np.ones(3), []):
        with pytest.raises(ValueError, match=r"^stake must be one number or 10, one for each round, got"):
            pf.Double().bet({0: 14}).estimate(10, stake=bet)
    for bet in (np.ones(3), lambda bankrolls: np.ones(3), np.ones((5, 1))):
        with pytest.raises(ValueError, match=r"^stake must be one number or 5, one for each round, got"):
            pf.Double().bet({0: 14}).paths(10, paths=5, stake=bet)
    staked = pf.Double().bet({0: 14}).estimate(10, stake=np.arange(10))
    won = (pf.Double().simulate(10) == 0) * 14 @ np.arange(10) / 45
    assert staked.rtp == pytest.approx(won, abs=1e-15)


UNPAID = [pf.Double(), pf.Dice(), pf.Crash(), pf.Jackpot(), pf.Plinko(), pf.X50(), pf.Slot()]
UNPAID += [stake.Hilo(), stake.Zoo(), stake.Diamonds(10), stake.Darts(), stake.Wheel()]
UNPAID += [stake.Plinko(8), stake.Keno()]
UNWON = [(pf.Dice(), {"under": 50}), (pf.Dice(), {"over": 50}), (pf.Double(), {"sectors": [0]})]
UNWON += [(pf.Mines(), {"reveals": 3}), (pf.Tower(), {})]


@pytest.mark.parametrize(
    ("game", "subject", "says"),
    [
        *((game, {}, "") for game in UNPAID),
        *((game, subject, ".* where the bet wins") for game, subject in UNWON),
        *((pf.Slot(), subject, "") for subject in ({"reel": 4}, {"of": "window"})),
    ],
)
def test_nothing_is_paid_where_nothing_says_what(game, subject, says):
    with pytest.raises(TypeError, match=rf"^payout must be given{says}"):
        game.bet(**subject)


WON = {
    "under": (pf.Dice(), {"under": 49.5}, lambda x: x < 49.5),
    "over": (pf.Dice(), {"over": 49.5}, lambda x: x > 49.5),
    "sectors": (pf.X50(), {"sectors": [0, 7]}, lambda x: np.isin(x, [0, 7])),
    "share": (pf.Jackpot(tickets=100), {"share": (1, 30)}, lambda x: x <= 30),
    "cash-out": (pf.Overgo(), {"cash_out": 3.5}, lambda x: x >= 3.5),
    "cells": (pf.Mines(3), {"cells": [0, 8]}, lambda x: ~np.isin(x, [0, 8]).any(axis=1)),
    "reveals": (pf.Mines(3), {"reveals": 5}, lambda x: ~(x < 5).any(axis=1)),
    "rows": (pf.Tower(), {"rows": 2, "positions": 3}, lambda x: ~(x[:, :2] == 3).any(axis=(1, 2))),
}


@pytest.mark.parametrize("name", WON)
def test_a_number_is_paid_where_the_bet_wins(name):
    game, subject, wins = WON[name]
    estimate = game.bet(2.5, **subject).estimate(2000)
    won = wins(game.simulate(2000))
    assert estimate.rtp == 2.5 * won.sum() / 2000
    assert estimate.method == "binomial"
    bet = game.bet(2.5, **subject)
    assert bet.simulate(2000).tolist() == np.where(won, 2.5, 0).tolist()
    low, high = binomial_interval(int(won.sum()), 2000)
    assert (estimate.low, estimate.high) == (2.5 * low, 2.5 * high)
    assert estimate.covers


def test_blackjack_is_bet_on():
    game = crypto_games.Blackjack()
    estimate = game.bet().estimate(20_000)
    # The blackjack analysis uses floating point.
    assert estimate.exact_rtp is None
    edge = game.table.analyze("basic").house_edge
    assert estimate.law_rtp == game.bet().rtp == pytest.approx(1 - edge, rel=1e-15)
    assert "by the law" in str(estimate)
    assert estimate.method == "law"
    assert estimate.covers
    # Strategies without an analysis have no law.
    bet = game.bet(strategy=lambda decision: "stand")
    stands = bet.estimate(500)
    assert stands.method == "student"
    nets = game.simulate(500, strategy=lambda decision: "stand").net
    half = stats.t.ppf(0.975, 499) * nets.std() / math.sqrt(499)
    assert stands.high - stands.rtp == pytest.approx(half, rel=1e-6)
    assert stands.exact_rtp is None
    assert stands.covers is None
    assert "exactly" not in str(stands)
    assert math.isnan(bet.rtp)
    with pytest.raises(TypeError, match=r"^strategy isn't supported with a bet on the cards"):
        game.bet({1: 2}, strategy="basic")


SYMBOLS = ["AABACDABCA" * 3, "ABCD" * 7 + "AB", "ABBACDDABC" * 3, "A" * 10 + "BC" * 10, "ABCDE" * 8 + "A"]
LEFT = np.array([0, 0, 0, 2.5, 10, 100])


def from_the_left(symbols):
    """Pay for the run of equal symbols from the left."""
    return LEFT[np.cumprod(symbols == symbols[:, :1], axis=1).sum(axis=1)]


def test_slots_are_bet_on_by_symbols():
    slot = pf.Slot(reels=SYMBOLS)
    bet = slot.bet(from_the_left, of="symbols", law="ideal")
    # Hand-counted: how often each symbol occurs on each reel.
    sizes = [len(reel) for reel in SYMBOLS]
    chance = Fraction(0)
    for length in (3, 4, 5):
        for symbol in "ABCDE":
            run = math.prod(Fraction(SYMBOLS[i].count(symbol), sizes[i]) for i in range(length))
            if length < 5:
                run *= 1 - Fraction(SYMBOLS[length].count(symbol), sizes[length])
            chance += run * Fraction(LEFT[length])
    assert bet.exact_rtp == chance
    drawn = slot.bet(from_the_left, of="symbols")
    window = slot.bet(lambda window: from_the_left(window[:, 1]), of="window")
    assert drawn.law == window.law
    assert drawn.simulate(500).tolist() == window.simulate(500).tolist()
    assert drawn.simulate(500).tolist() == from_the_left(slot.symbols(slot.simulate(500)[:, 0])).tolist()
    table = slot.bet({"AAAAA": 50, ("B", "B", "B", "B", "B"): 1}, of="symbols", law="ideal")
    five = {s: math.prod(Fraction(reel.count(s), len(reel)) for reel in SYMBOLS) for s in "AB"}
    assert table.exact_rtp == 50 * five["A"] + five["B"]
    for wrong in ({"AAAA": 5}, {5: 2}, [1, 2]):
        with pytest.raises((TypeError, ValueError), match=r"^payout must be"):
            slot.bet(wrong, of="symbols")
    with pytest.raises(ValueError, match="reels must be given"):
        pf.Slot().bet(from_the_left, of="symbols")


class Faces(pf.Game):
    """Two dice, paying for at least the given sum."""

    def outcome(self, draws):
        return np.stack([draws.below(6), draws.below(6)], axis=1) + 1

    def pays(self, faces, *, least, payout=2):
        return np.where(faces.sum(axis=1) >= least, payout, 0)


def test_games_of_ones_own_say_what_they_pay():
    bet = Faces().bet(least=9, law="ideal")
    assert bet.exact_rtp == 2 * Fraction(10, 36)
    assert bet == Faces().bet(least=9, law="ideal")
    assert bet != Faces().bet(least=8, law="ideal")
    assert Faces().bet(3, least=9, law="ideal").exact_rtp == 3 * Fraction(10, 36)
    assert pickle.loads(pickle.dumps(bet)) == bet
    faces = Faces().simulate(200)
    assert bet.simulate(200).tolist() == np.where(faces.sum(axis=1) >= 9, 2, 0).tolist()
    with pytest.raises(TypeError, match="most"):
        Faces().bet(most=5)


def test_any_function_of_ones_own_game_is_bet_on():
    doubles = Faces().bet(5.5, of=lambda faces: faces[:, 0] == faces[:, 1], law="ideal")
    assert doubles.exact_rtp == Fraction(11, 12)
    total = Faces().bet({7: 5}, of=lambda faces: faces.sum(axis=1), law="ideal")
    assert total.exact_rtp == Fraction(5, 6)
    with pytest.raises(TypeError, match=r"^payout must be a table"):
        Faces().bet(5, of=lambda faces: faces.sum(axis=1))
    # Outcomes with several values are tuples, in tables too.
    snake = Faces().bet({(1, 1): 30, (6, 6): 3}, of=None, law="ideal")
    assert snake.exact_rtp == Fraction(33, 36)
    paid = [{(1, 1): 30, (6, 6): 3}.get(tuple(row), 0) for row in Faces().simulate(300).tolist()]
    assert snake.simulate(300).tolist() == paid


def test_returns_of_given_outcomes():
    """Returns of given outcomes are their payouts, row by row, and those of the bet's own rounds."""
    double = pf.Double()
    bet = double.bet({0: 14, 7: 2.5})
    assert bet.returns(range(15)).tolist() == [14, *[0] * 6, 2.5, *[0] * 7]
    assert bet.rounded("1").returns([7, 0, 1]).tolist() == [2, 14, 0]
    assert bet.returns(np.zeros(0, np.int64)).tolist() == []
    buckets = pf.Plinko(balls=3).simulate(300)
    paid = np.array(ROW)[buckets].mean(axis=1)
    assert pf.Plinko(balls=3).bet(ROW).returns(buckets) == pytest.approx(paid, rel=1e-12)
    keno = pf.operators.stake.Keno()
    drawn = keno.simulate(300)
    hits = np.isin(drawn, [0, 1, 39]).sum(axis=1)
    paid = [[0, 1, 3.1, 10.4][count] for count in hits]
    assert keno.bet([0, 1, 3.1, 10.4], hits={0, 1, 39}).returns(drawn).tolist() == paid
    for wrong, says in (
        ([15], "outcomes[0] must be an outcome of Double()"),
        ([[3]], "outcomes must have the shape"),
    ):
        with pytest.raises(ValueError, match=re.escape(says)):
            bet.returns(wrong)
    for other in (Bet(bet.law), bet.rounded().tilted(0.9), crypto_games.Blackjack().bet()):
        with pytest.raises(TypeError, match="it isn't on outcomes of a game"):
            other.returns([0])


def test_returns_of_one_outcome():
    """The outcome of a single round, as `play` gives it, has the return that it has among others."""
    for bet in (
        pf.Double().bet({0: 14, 7: 2.5}),
        pf.Double().bet({0: 14, 7: 2.5}).rounded("1"),
        stake.Dice().bet(under=50),
        stake.Plinko(rows=16).bet(risk="high"),
        stake.Keno().bet([0, 1, 3.1, 10.4], hits={0, 1, 39}),
        pf.Plinko(balls=3).bet(ROW),
        pf.Mines(mines=3).bet(2, reveals=5),
        pf.Double().bet({0: 2**40, 7: Fraction(1, 10**6)}),
    ):
        outcomes = bet.sampler.game.simulate(20) if hasattr(bet.sampler, "game") else [0, 7, 3]
        many = bet.returns(outcomes)
        for outcome, back in zip(outcomes, many, strict=True):
            found = bet.returns(outcome)
            assert type(found) is np.float64
            assert found == back
    three = pf.Plinko(balls=3).bet(ROW)
    assert three.returns([0, 8, 16]) == pytest.approx((ROW[0] + ROW[8] + ROW[16]) / 3)
    assert three.returns([[0, 8, 16]]).shape == (1,)


def test_returns_of_several_balls_follow_the_law_of_a_round():
    """Three balls share a stake: n such rounds return a third of what 3 n rounds of one ball do."""
    one, three = (pf.Plinko(balls=balls).bet(ROW) for balls in (1, 3))
    back = three.simulate(200)
    for options in ({}, {"alternative": "less"}):
        by_ball = one.test(total=round(back.sum() * 3, 6), rounds=600, **options)
        assert three.test(back, **options) == pytest.approx(by_ball, rel=1e-9)
        assert three.test(total=back.sum(), rounds=200, **options) == pytest.approx(by_ball, rel=1e-9)
        assert pf.bets.check_returns([three] * 200, back, **options) == pytest.approx(by_ball, rel=1e-9)
    assert three.rounds_needed(rtp=0.95) == pytest.approx(one.rounds_needed(rtp=0.95) / 3, abs=1)
    assert three.power(three.tilted(0.9), 50) == pytest.approx(one.power(one.tilted(0.9), 150), rel=1e-9)
    low, high = three.interval(back)
    assert low < three.rtp < high
    assert three.monitor().update(back).pvalue > 0.01
    assert three.grinding_share(three.simulate(2000)).low == 0
    watch = pf.monitoring.Watch(three, windows=["all"])
    assert not watch.update({"stake": 3.0, "payout": back * 3}, "day 1").alarms
    assert watch.update({"stake": [3.0], "payout": [0.1]}, "day 2").alarms[0].impossible == 1


def test_bankrolls_bet_on_rounds_of_all_their_balls():
    """The balls share the stake of a round: a bankroll is safer than one that bets on single balls."""
    pays = [5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6]
    one, three = (pf.Plinko(pins=8, balls=balls).bet(pays, law="ideal") for balls in (1, 3))
    mean = pf.bets.Bet(one.law.sum(3).map(lambda back: Fraction(str(back)) / 3))
    for asked in (
        lambda bet: bet.ruin(3, rounds=40),
        lambda bet: bet.ruin(3, rounds=20, system=pf.bets.Martingale()),
        lambda bet: bet.ruin_time(3, rounds=40),
        lambda bet: bet.bankroll(10, bankroll=3),
        lambda bet: bet.drawdown(10),
        lambda bet: bet.growth(0.5),
        lambda bet: bet.kelly(),
    ):
        assert asked(three) == asked(mean)
    assert three.ruin(3, rounds=40) < one.ruin(3, rounds=40)
    rounded = three.rounded("0.01", stake="0.07")
    assert not rounded.test(rounded.simulate(50)).impossible


@pytest.mark.parametrize("name", ["dice", "crash", "plinko", "slot", "own", "mines"])
def test_returns_are_those_of_its_rounds(name):
    bet = BETS[name]()
    outcomes = bet.sampler.game.simulate(500, seed="given")
    assert bet.returns(outcomes).tolist() == bet.simulate(500, seed="given").tolist()
    least = bet.rounded("0.01", "0.07")
    assert least.returns(outcomes).tolist() == least.simulate(500, seed="given").tolist()


BETS = {
    "dice": lambda: pf.Dice().bet(1.98, under=50),
    "crash": lambda: pf.Crash().bet(cash_out=2),
    "mines": lambda: pf.Mines().bet(2, cells=np.array([1, 2])),
    "plinko": lambda: pf.Plinko().bet(ROW),
    "slot": lambda: pf.Slot(reels=SYMBOLS).bet(from_the_left, of="symbols"),
    "own": lambda: Faces().bet(least=9),
    "poker": lambda: crypto_games.VideoPoker().bet(),
    "blackjack": lambda: crypto_games.Blackjack().bet(),
    "backgammon": lambda: pf.operators.fpclub.Dice().bet(5, of="doubles"),
}


@pytest.mark.parametrize("name", BETS)
def test_a_bet_is_a_value(name):
    bet, same = BETS[name](), BETS[name]()
    again = pickle.loads(pickle.dumps(bet))
    bet.simulate(10)
    assert bet == same == again
    assert len({bet, same, again}) == 1
    assert bet not in (BETS["dice"]() if name != "dice" else BETS["mines"](), 5)
    with pytest.raises(AttributeError):
        bet.unit = 3
    assert len(repr(bet)) <= 200
    assert repr(bet).startswith("<Bet on ")


def test_a_bets_moments_are_those_of_its_law():
    for bet in (pf.Plinko().bet(ROW), pf.Crash().bet(cash_out=50), pf.Dice().bet(lambda x: x / 50)):
        mean, variance, skew, kurtosis = bet.law.to_scipy().stats("mvsk")
        got = (bet.rtp, bet.std**2, bet.skew, bet.kurtosis)
        assert got == pytest.approx((mean, variance, skew, kurtosis), rel=1e-6)
        assert bet.volatility == pytest.approx(stats.norm.ppf(0.95) * bet.std, rel=1e-12)
    assert pf.Crash().bet(cash_out=2).hit_frequency == pf.Crash().bet(cash_out=2).rtp / 2
    assert pf.Double().bet([2] * 15).std == 0
    blackjack = crypto_games.Blackjack()
    assert blackjack.bet().std == blackjack.table.analyze("basic").std
    assert math.isnan(blackjack.bet(strategy=lambda decision: "stand").std)


# ---- bounds of the error ----


LAWS = {
    "coin": (pf.Distribution([0, 2], [1, 1]), 60),
    "die": (pf.Distribution(range(1, 7), [1] * 6), 40),
    "plinko": (pf.Distribution(ROW, [math.comb(16, k) for k in range(17)]), 30),
    "skewed": (pf.Distribution([0, 1, 5, 40], [50, 40, 9, 1]), 200),
    "rare": (pf.Distribution([0, 1, 100], [599, 400, 1]), 100),
}


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("name", LAWS)
def test_the_range_of_errors_by_the_law_of_the_sum(name, confidence):
    law, n = LAWS[name]
    low, high = ErrorLaw(law, np.ones(1), np.array([n]), confidence).range
    total = law.sum(n)
    mean = n * law.mean(exact=True)
    tail = (1 - confidence) / 2
    below = total.cdf(float(mean) + low - 1e-6)
    above = total.sf(float(mean) + high + 1e-6)
    assert below <= tail
    assert above <= tail
    # The range is less than 5 % wider than the normal one.
    normal = stats.norm.ppf(1 - tail) * math.sqrt(n) * law.std()
    assert mean + low >= total.quantile(tail) - 0.05 * 2 * normal
    assert mean + high <= total.quantile(1 - tail) + 0.05 * 2 * normal


def test_errors_of_stakes_that_vary():
    law = pf.Distribution([0, 1, 5, 40], [50, 40, 9, 1])
    values, probabilities = law.outcomes.astype(float), law.probabilities
    stakes, repeats = np.array([1.0, 3.0, 10.0]), np.array([60, 30, 10])
    low, high = ErrorLaw(law, stakes, repeats, 0.95).range
    rng = np.random.default_rng(5)
    drawn = sum(
        stake * rng.choice(values, p=probabilities, size=(10_000, count)).sum(axis=1)
        for stake, count in zip(stakes, repeats, strict=True)
    )
    off = drawn - law.mean() * float(stakes @ repeats)
    # In simulations, at most 2.5 % lie beyond each end, within four standard errors.
    assert (off < low).mean() < 0.025 + 4 * math.sqrt(0.025 / 10_000)
    assert (off > high).mean() < 0.025 + 4 * math.sqrt(0.025 / 10_000)
    assert ((low <= off) & (off <= high)).mean() < 0.98
    # One stake, passed as a whole or in parts.
    one = ErrorLaw(law, np.array([2.0]), np.array([100]), 0.95).range
    same = ErrorLaw(law, np.array([2.0, 2.0]), np.array([60, 40]), 0.95).range
    assert one == pytest.approx(same, rel=1e-9)
    double = ErrorLaw(law, np.array([1.0]), np.array([100]), 0.95).range
    assert one == pytest.approx([2 * double[0], 2 * double[1]], rel=1e-9)
    # With many stakes and values, outcomes are merged and the bounds still hold.
    many = pf.Dice().distribution()
    stakes = np.linspace(1, 2, 1000)
    low, high = ErrorLaw(many, stakes, np.ones(1000), 0.95).range
    normal = 1.959964 * many.std() * math.sqrt(float(stakes @ stakes))
    assert (low, high) == pytest.approx((-normal, normal), rel=0.03)


@pytest.mark.parametrize("trials", [1, 2, 9, 100, 10**5])
def test_exact_intervals_of_a_probability(trials):
    for successes in sorted({0, 1, 2, trials // 3, trials // 2, trials - 1, trials}):
        if successes > trials:
            continue
        for confidence in (0.5, 0.95, 0.9999):
            low, high = binomial_interval(successes, trials, confidence)
            tail = (1 - confidence) / 2
            exact_low = stats.beta.ppf(tail, successes, trials - successes + 1) if successes else 0
            exact_high = stats.beta.isf(tail, successes + 1, trials - successes) if successes < trials else 1
            assert (low, high) == pytest.approx((exact_low, exact_high), rel=1e-9)
        for probability in (1e-6, 0.1, 0.5, 0.999):
            exact = stats.binom.sf(successes - 1, trials, probability)
            assert binomial_tail(successes, trials, probability) == pytest.approx(exact, rel=1e-8, abs=1e-300)


@pytest.mark.parametrize(("drawn", "marked", "total"), [(0, 0, 0), (3, 4, 9), (7, 5, 9), (49, 240, 480)])
def test_hypergeometric_tails_are_the_exact_ones(drawn, marked, total):
    ways = [math.comb(marked, hits) * math.comb(total - marked, drawn - hits) for hits in range(drawn + 1)]
    for least in range(-1, drawn + 2):
        exact = Fraction(sum(ways[max(least, 0) :]), math.comb(total, drawn))
        assert hypergeometric_tail(least, drawn, marked, total) == pytest.approx(float(exact), rel=1e-10)


def test_hypergeometric_tails_of_many_rows():
    # Half of 10**7 rows are marked: 49 of 49 with probability about 2**-49, exactly by falling factorials.
    exact = Fraction(1)
    for place in range(49):
        exact *= Fraction(5_000_000 - place, 10**7 - place)
    assert hypergeometric_tail(49, 49, 5_000_000, 10**7) == pytest.approx(float(exact), rel=1e-6)


@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 1000, 10**6, 10**9])
def test_quantiles_of_students_law(freedom):
    for confidence in (0.5, 0.95, 0.9999):
        exact = stats.t.ppf((1 + confidence) / 2, freedom)
        assert student_quantile(confidence, freedom) == pytest.approx(exact, rel=1e-6)


# ---- measured coverage of intervals ----


COVERAGE = json.loads(measure_rtp_coverage.RESULTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", COVERAGE["rows"], ids=lambda row: f"{row['bet']} x {row['rounds']}")
def test_the_measured_coverage_is_at_least_what_is_claimed(row):
    low, high = binomial_interval(row["held"], row["estimates"])
    assert (row["coverage_low"], row["coverage_high"]) == (round(low, 4), round(high, 4))
    assert row["coverage_low"] >= 0.94
    # At most twice as wide as the normal interval with the true variance, where that one covers.
    if row.get("normal_coverage", 0) >= 0.94:
        assert row["widest_to_normal"] < 2


def test_all_that_is_claimed_is_measured():
    measured = {(row["bet"], row["rounds"]) for row in COVERAGE["rows"]}
    assert measured == {(bet, n) for bet in measure_rtp_coverage.BETS for n in measure_rtp_coverage.SIZES}


@pytest.mark.parametrize("name", ["Crash, cash-out 1000", "Plinko, 16 rows of high risk"])
def test_the_measurement_goes_on_as_it_began(name):
    row = measure_rtp_coverage.measure(name, 100, 200)
    assert row["held"] >= 180


# ---- bankrolls ----


def exact_paths(returns, bankroll, bet):
    """Bankroll paths in Fractions; a stake that exceeds the bankroll isn't bet."""
    have = [Fraction(str(bankroll))]
    for back in returns:
        stake = Fraction(repr(float(bet(float(have[-1])))))
        have.append(have[-1] + (stake * (Fraction(repr(float(back))) - 1) if stake <= have[-1] else 0))
    return have


BETTING = {
    "one": (100, lambda have: 1.0),
    "a tenth": (1.0, lambda have: 0.1),
    "a third of a hundredth": (0.07, lambda have: 0.0033),
    "half": (10, lambda have: have / 2),
    "a share with many digits": (3.7, lambda have: have * 0.123456789),
    "all": (5.5, lambda have: have),
    "large": (1e15, lambda have: have * 0.01),
}


@pytest.mark.parametrize("name", BETTING)
def test_amounts_are_exact(name):
    bankroll, bet = BETTING[name]
    game, subject = pf.Dice(), {"under": 47.5}
    size = {"rounds": 30, "paths": 20, "bankroll": bankroll}
    paths = game.bet(1.98, **subject).paths(**size, stake=lambda have: np.vectorize(bet)(have))
    returns = game.bet(1.98, **subject).simulate(600).reshape(20, 30)
    ruined = 0
    for path, back in zip(paths.values, returns, strict=True):
        exact = exact_paths(back, bankroll, bet)
        assert path.tolist() == [float(have) for have in exact]
        ruined += exact[-1] <= 0 or Fraction(repr(float(bet(float(exact[-1]))))) > exact[-1]
    assert paths.ruined == ruined / 20
    if name in ("one", "a tenth", "a third of a hundredth"):
        flat = game.bet(1.98, **subject).paths(**size, stake=bet(bankroll))
        assert flat.values.tolist() == paths.values.tolist()
        assert flat.ruined == paths.ruined


def test_payouts_of_any_size_and_kind():
    pays = dict.fromkeys(range(15), Fraction(1, 3))
    third = pf.Double().bet(pays).paths(6, paths=1, bankroll=1, stake=0.1)
    assert third.values[0].tolist() == [float(1 - Fraction(i, 15)) for i in range(7)]
    huge = pf.Double().bet([10**30] * 15).paths(3, paths=2)
    assert huge.values[0].tolist() == [float(100 + i * (10**30 - 1)) for i in range(4)]
    estimate = pf.Double().bet([10**30] * 15).estimate(50)
    assert estimate.rtp == 1e30
    with pytest.raises(ValueError, match=r"^game must be of one bet a round"):
        pf.Plinko(balls=2).bet(ROW).paths(3)


def test_what_a_function_pays_an_outcome_is_what_it_pays_many():
    powers = pf.Double().bet(lambda sector: 10 ** (sector + 6), law="ideal")  # int64 ends before 10**19
    assert powers.exact_rtp == Fraction(sum(10 ** (sector + 6) for sector in range(15)), 15)
    first = pf.operators.stake.Keno().bet(lambda drawn: drawn[0], law=None)
    drawn = pf.operators.stake.Keno().simulate(10)  # as many rounds as a round has numbers
    assert first.returns(drawn).tolist() == first.simulate(10).tolist() == drawn[:, 0].tolist()
    wheel = pf.Double().distribution()
    for joined in (lambda sector: np.max(sector) - sector, lambda sector: sector - np.min(sector)):
        assert pf.Double().bet(joined).rtp == wheel.expect(joined) == 0


def test_a_monitor_is_of_a_law():
    bet = pf.Double().bet({0: 14})
    with pytest.raises(TypeError, match=r"law must be a Distribution, as bet\.law is, got Bet"):
        pf.bets.Monitor(bet)
    assert pf.bets.Monitor(bet.law).update([14.0]).bets == 1


def test_an_estimate_shows_what_is_exact_where_that_is_known():
    known = pf.Double().bet({0: 14}).estimate(100)
    assert "interval holds it" in known._repr_html_()
    assert (
        "interval holds it" not in dataclasses.replace(known, exact_rtp=None, law_rtp=math.nan)._repr_html_()
    )


@pytest.mark.parametrize("stake", [1, [0.1, 0.2, 0.3]])
@pytest.mark.parametrize("paid", [0.9, 2, 0])
def test_a_return_that_is_certain_is_covered(paid, stake):
    bet = pf.Double().bet(paid, sectors=range(15))
    estimate, interval = bet.estimate(3, stake=stake), bet.interval([paid] * 3)
    assert tuple(interval) == (estimate.low, estimate.high) == (paid, paid)
    assert estimate.covers
    assert interval.covers


def test_rounds_that_a_law_lacks_are_refused_not_paid():
    sampler = pf.Double().bet({0: 14}).sampler
    outcomes = pf.Double().simulate(50, seed=1)
    law = pf.Distribution(np.arange(14), [1] * 14)
    sampler = dataclasses.replace(sampler, values=law, table=sampler.table[:14])
    row = outcomes.tolist().index(14)
    assert sampler(row, seed=1, start=0, threads=None)[:, 0].tolist() == [
        14 * (x == 0) for x in outcomes[:row]
    ]
    with pytest.raises(ValueError, match=rf"^outcomes\[{row}\] must be one that the bet's law has"):
        sampler(50, seed=1, start=0, threads=None)


def test_a_series_of_payouts_is_never_read_against_its_index():
    """Its rows were taken by their place, whatever outcomes its index named."""
    game, table = pf.Double(), {outcome: 2 if outcome else 14 for outcome in range(15)}
    expected = game.bet(table)
    for series in (pd.Series(table), pd.Series([*table.values()], index=[float(key) for key in table])):
        assert game.bet(series).law == expected.law
        assert game.distribution().expect(series) == game.distribution().expect(table)
    for series in (pd.Series(table)[::-1], pd.Series({0: 14}), pd.Series([14] * 15, index=range(1, 16))):
        for asked in (game.bet, game.distribution().expect):
            with pytest.raises(ValueError, match=r"outcomes in order, got a Series .* to_dict\(\)"):
                asked(series)
    assert game.bet(pd.Series({0: 14}).to_dict()).exact_rtp == game.bet({0: 14}).exact_rtp


@pytest.mark.parametrize("payout", [pd.DataFrame(np.ones((15, 15))), np.ones((15, 1)), np.ones((1, 15))])
def test_payouts_have_one_axis(payout):
    """A frame was read as the names of its columns: a return of 7."""
    for asked in pf.Double().bet, pf.Double().distribution().expect:
        with pytest.raises(
            ValueError, match=r"^payout must have one value an outcome, got the shape \(15?, "
        ):
            asked(payout)
    with pytest.raises(ValueError, match=r"^payout must have one value an outcome, got the shape \(\)$"):
        pf.Double().distribution().expect(np.array(3.0))


@pytest.mark.parametrize("payout", [{14}, frozenset(range(15)), b"a" * 15, "a" * 15])
def test_payouts_without_an_order_are_refused(payout):
    with pytest.raises(TypeError, match=r"^payout must be a function, a table or a sequence, got "):
        pf.Double().bet(payout)


@pytest.mark.parametrize("payout", [Decimal("1.98"), np.array(1.98), np.float64(1.98), Fraction("1.98")])
def test_one_payout_is_any_number(payout):
    bet, expected = pf.Dice().bet(payout, under=50), pf.Dice().bet(1.98, under=50)
    assert bet.exact_rtp == expected.exact_rtp
    assert bet.test([1.98, 0, 0]) == expected.test([1.98, 0, 0])
    assert (bet.simulate(50) == expected.simulate(50)).all()


@pytest.mark.parametrize("stakes", [8e307, [8e307] * 6, [5e-324, 1] * 3, [1e-300, 1, 1e300] * 2])
@pytest.mark.parametrize("bet", [pf.Dice().bet(1.98, under=50), pf.Plinko().bet(ROW)], ids=["dice", "plinko"])
def test_stakes_whose_sums_no_float_holds(bet, stakes):
    returns = float(bet.law.outcomes[0]) * np.broadcast_to(stakes, 6)
    calls = [
        lambda way=way: bet.test(returns, way, stakes=stakes) for way in ("two-sided", "less", "greater")
    ]
    calls.append(lambda: bet.test(total=float(returns[0]), rounds=6, stakes=stakes))
    if np.ndim(stakes) == 0:
        calls.append(lambda: bet.interval(returns, stakes=stakes).low)
    refused = set()
    for call in calls:
        try:
            assert 0 <= call() <= 1
        except pf.errors.BadValue as error:
            refused.add(error.argument)
    assert refused <= {"stakes"}


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_shorter_floats_are_the_amounts_that_they_print_as(dtype):
    bet = pf.Dice().bet(1.98, under=50)
    back, stakes = np.array([1.98, 0, 0.198, 1.386]), np.array([1, 0.3, 0.1, 0.7])
    wide, short = (
        bet.test(back.astype(kind), stakes=stakes.astype(kind), valid="any stakes")
        for kind in (np.float64, dtype)
    )
    assert (short, short.impossible, short.returned) == (wide, (), wide.returned)
    assert [*bet.interval(back[:2].astype(dtype))] == [*bet.interval(back[:2])]


@pytest.mark.parametrize("least", [5e-324, 1e-320, 1e-310])
def test_returns_of_the_least_floats_are_possible(least):
    bet = pf.Dice().bet(1.98, under=50)
    assert bet.test(np.array([1.98, 0, 1.98, 0]) * least, stakes=least) == bet.test([1.98, 0, 1.98, 0])
    assert bet.test(np.array([1, 0]) * least * 2.98, stakes=least).method == "impossible" or least == 5e-324


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_functions_that_return_short_floats_return_their_decimals(dtype):
    wheel = pf.Double()
    tenths = lambda sectors: (np.asarray(sectors) / 10).astype(dtype)  # noqa: E731
    assert wheel.bet(tenths, law="ideal").exact_rtp == Fraction(7, 10)
    assert wheel.distribution(of=tenths).outcomes.tolist() == [one / 10 for one in range(15)]
    assert wheel.observe([1, 3], of=tenths).tolist() == [0.1, 0.3]
