"""Tests of observed returns, against sums in fractions, scipy, and simulations."""

from __future__ import annotations

import copy
import decimal
import itertools
import json
import math
import pickle
import re
from fractions import Fraction

import measure_bet_proofs
import numpy as np
import pandas as pd
import provably_fair as pf
import pytest
from oracles.laws import joined, likely, tails
from provably_fair._core.numbers import exactly
from provably_fair._core.tails import binomial_interval
from provably_fair.bets import wagers
from provably_fair.bets.convolution import BetSum
from provably_fair.bets.grinding import grinding_law
from provably_fair.bets.power import power
from provably_fair.bets.pvalue import pvalue_of_total
from provably_fair.distribution import Distribution
from scipy import optimize, stats

HIGH_RISK = [1000, 130, 26, 9, 4, 2, 0.2, 0.2, 0.2, 0.2, 0.2, 2, 4, 9, 26, 130, 1000]
LOW = [5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6]


REELS = ["AABACDABCA" * 3, "ABCD" * 7 + "AB", "ABBACDDABC" * 3, "A" * 10 + "BC" * 10, "ABCDE" * 8 + "A"]


def runs(symbols):
    """Pay for the run of equal letters from the left."""
    return np.array([0, 0.5, 3, 10, 40, 300])[np.cumprod(symbols == "A", axis=1).sum(axis=1)]


BETS = {
    "dice": lambda: pf.Dice().bet(1.98, under=50),
    "crash": lambda: pf.Crash().bet(cash_out=3.3),
    "overgo": lambda: pf.Overgo().bet(lambda x: min(x, 4) if x >= 1.5 else 0),
    "double": lambda: pf.Double().bet({0: 14, 1: 0.5}),
    "x50": lambda: pf.X50().bet(lambda sector: [0, 2, 3, 5][sector % 4]),
    "jackpot": lambda: pf.Jackpot(tickets=100).bet(9.5, share=(1, 10)),
    "mines": lambda: pf.Mines(3).bet([3, 1, 0.5, 0.25], reveals=5),
    "tower": lambda: pf.Tower().bet(lambda rows: 1.2**rows if rows > 2 else 0, rows=4),
    "plinko": lambda: pf.Plinko(pins=8).bet(LOW),
    "slot": lambda: pf.Slot(reels=REELS).bet(runs, of="symbols"),
    "poker": lambda: pf.operators.crypto_games.VideoPoker().bet(),
    "backgammon": lambda: pf.operators.fpclub.Dice().bet({7: 5, 2: 1.5}, of="sum"),
}


@pytest.mark.parametrize("name", BETS)
def test_what_a_few_bets_returned_is_as_likely_as_by_fractions(name):
    bet = BETS[name]()
    law = bet.law
    if len(law) > 20:  # the limit of the oracle in fractions
        law = Distribution(law.outcomes[::800], np.array(law.weights, dtype=object)[::800])
        bet = pf.bets.Bet(law, bet.sampler)
    n = 4 if len(law) > 4 else 7
    found = joined([likely(law)] * n)
    amounts = law.outcomes.tolist()
    rng = np.random.default_rng(1)
    cases = [[amounts[0]] * n, [amounts[-1]] * n, *rng.choice(amounts, (5, n)).tolist()]
    for returns in cases:
        less, greater = tails(found, sum(Fraction(str(value)) for value in returns))
        assert bet.test(returns, "less") == pytest.approx(float(less), rel=1e-11, abs=1e-300)
        assert bet.test(returns, "greater") == pytest.approx(float(greater), rel=1e-11, abs=1e-300)
        if len(law) > 2:
            assert bet.test(returns) == pytest.approx(min(1, 2 * float(min(less, greater))), rel=1e-11)


def test_stakes_and_bets_that_vary_by_row():
    dice = {limit: pf.Dice().bet(99 / limit, under=limit) for limit in (25, 50)}
    rows = [dice[25], dice[50], dice[50], BETS["plinko"](), dice[25]]
    stakes = [1, 2.5, 0.1, 3, 7]
    returns = [0, 4.95, 0, 1.5, 27.72]
    exact = joined(likely(bet.law, Fraction(str(stake))) for bet, stake in zip(rows, stakes, strict=True))
    less, greater = tails(exact, sum(Fraction(str(value)) for value in returns))
    found = pf.bets.check_returns(rows, returns, stakes=stakes, alternative="greater")
    assert found == pytest.approx(float(greater), rel=1e-11)
    assert pf.bets.check_returns(rows, returns, stakes=stakes) == pytest.approx(2 * float(min(less, greater)))
    assert (found.bets, found.method) == (5, "convolution")
    assert found.returned == pytest.approx(sum(returns))
    mean = sum(bet.rtp * stake for bet, stake in zip(rows, stakes, strict=True))
    assert found.expected == pytest.approx(mean)
    # The same as stakes on a single bet.
    one = dice[50].test([4.95, 0, 2.97], "less", stakes=[2.5, 0.1, 1.5])
    exact = joined(likely(dice[50].law, Fraction(tenths, 10)) for tenths in (25, 1, 15))
    assert one == pytest.approx(float(tails(exact, Fraction(792, 100))[0]), rel=1e-11)
    # Rows without a stake don't count.
    assert dice[50].test([4.95, 0, 0], "less", stakes=[2.5, 0.1, 0]).bets == 2


@pytest.mark.parametrize("chance", [(1, 1), (1, 3), (99, 1), (5051, 4950)])
def test_bets_that_are_won_or_lost_by_the_binomial_law(chance):
    sizes = (1, 2, 5, 20, 100, 3000)
    for low, n, alternative in itertools.product((0, 1), sizes, ("two-sided", "less", "greater")):
        bet = pf.bets.Bet(Distribution([low, 2], chance), None)
        for wins in range(0, n + 1, max(1, n // 9)):
            found = bet.test([2] * wins + [low] * (n - wins), alternative)
            exact = stats.binomtest(wins, n, chance[1] / sum(chance), alternative=alternative).pvalue
            assert found == pytest.approx(exact, rel=1e-9, abs=1e-290)
            assert found.method == "binomial"


@pytest.mark.parametrize(
    ("weights", "bets"),
    [
        *itertools.product([{0: 50, 1: 40, 5: 9, 40: 1}], [70, 150]),
        # Down to 1e-250, where rounding of the tilted exponents exceeds that of the terms.
        ({0: 3, 2: 5, 3: 1, 6: 2}, 120),
    ],
)
def test_many_bets_by_exact_powers(weights, bets):
    law, last = Distribution(list(weights), list(weights.values())), max(weights) * bets
    # All weights of the sum at once, as the digits of a power of one integer.
    slot, whole = 8 * bets, law.total**bets
    power = sum(weight << slot * value for value, weight in weights.items()) ** bets
    digits = (power >> slot * value & ((1 << slot) - 1) for value in range(last + 1))
    below = [0, *itertools.accumulate(digits)]
    assert below[-1] == whole < 1 << slot
    total = BetSum([law], [Fraction(1)], [bets])
    for value in (*range(0, last - 1, last // 100), last):
        most, least = Fraction(below[value + 1], whole), Fraction(whole - below[value], whole)
        for tail, exact in (total.at_most(Fraction(value)), most), (total.at_least(Fraction(value)), least):
            assert tail.probability == pytest.approx(float(exact), rel=1e-10, abs=1e-300)
            assert abs(tail.probability - float(exact)) <= tail.error + 1e-300
        found = pvalue_of_total(law, bets, Fraction(value), "less")
        if most > Fraction(1, 10**300):
            assert most <= Fraction(found) <= most + 2 * Fraction(found.error) or found == 1


def test_rare_jackpots_are_left_out_of_the_grid():
    # A jackpot of 25,000,000 in hundredths: bets that win it can't be part of the requested sum.
    law = Distribution([0, 0.01, 0.5, 25_000_000], [10**9, 10**9, 10**8, 1])
    total = BetSum([law], [Fraction(1)], [100])
    share = 1 - (1 - 1 / law.total) ** 100
    assert total.at_least(Fraction(25_000_000)).probability == pytest.approx(share, rel=1e-6)
    found = total.at_most(Fraction(2))
    assert found.method == "convolution"
    small = Distribution([0, 1, 50], [10**9, 10**9, 10**8]).sum(100)
    assert found.probability == pytest.approx(float(small.cdf(200)) * (1 - share), rel=1e-9)


def test_many_stakes_are_put_together_with_a_stated_error():
    rng = np.random.default_rng(3)
    stakes = np.round(np.exp(rng.normal(0, 1, 400)), 2) + 0.01
    bet = pf.Dice().bet(1.98, under=50)
    law = bet.law
    won = rng.random((4000, 400)) < law.probabilities[1]
    totals = (won * 1.98) @ stakes
    for quantile in (0.01, 0.2, 0.9):
        row = int(np.argsort(totals)[int(quantile * len(totals))])
        returns = np.round(won[row] * 1.98 * stakes, 10)
        found = bet.test(returns, "less", stakes=stakes)
        assert found.method == "approximation"
        assert found.error < 1e-3
        near = 4 * math.sqrt(quantile * (1 - quantile) / len(totals)) + found.error
        assert abs(found - (totals <= totals[row] + 1e-9).mean()) < near


def test_what_a_bet_cannot_bring_back_is_proof():
    bet = pf.Dice().bet(1.98, under=50)
    for alternative in ("two-sided", "less", "greater"):
        found = bet.test([0, 1.98, 1.97, 0, 2], alternative)
        assert (found, found.method, found.impossible) == (0.0, "impossible", (2, 4))
        assert (found.bets, found.returned) == (5, pytest.approx(5.95))  # all that was returned
    assert bet.test([0, 1.97], within=0.01) > 0
    never = pf.bets.Bet(pf.Distribution([0, 1.97, 1.98], [1, 0, 1]))  # rounds to 1.97, which it never pays
    assert never.test([0, 1.97], within=0.01) > 0
    assert bet.test(np.array([0, 1.98 * (1 + 1e-12)])).method == "binomial"
    assert bet.test([]) == 1.0
    again = pickle.loads(pickle.dumps(bet.test([0, 1.98])))
    assert (again, again.method, again.bets) == (bet.test([0, 1.98]), "binomial", 2)
    assert isinstance(again, float)
    with pytest.raises(ValueError, match="law of the bet must be known"):
        pf.bets.Bet(None, None).test([1])


# ---- power ----


TILTED = {
    "plinko": (lambda: pf.Plinko(pins=8).bet([10, 3, 1, 0.5, 0.4, 0.5, 1, 3, 10]), [0.7, 0.8, 1.2, 5]),
    "high risk": (lambda: pf.Plinko().bet(HIGH_RISK), [0.9, 0.98]),
    "jackpot": (lambda: pf.Double().bet({0: 10**6, 1: 3, 2: 1}), [1, 1000.5]),
    "poker": (lambda: pf.operators.crypto_games.VideoPoker().bet(), [0.95, 0.999]),
}


@pytest.mark.parametrize("name", TILTED)
def test_tilted_bets_have_their_return_and_one_factor(name):
    """The log likelihood ratio is linear in the amount, which defines exponential tilting."""
    make, returns = TILTED[name]
    bet = make()
    likely = {x: p for x, p in bet.law if p}
    for rtp in returns:
        found = bet.tilted(rtp)
        assert found.exact_rtp == Fraction(str(rtp))
        assert sum(exactly(x) * p for x, p in found.law) == Fraction(str(rtp))
        amounts = np.array(found.law.outcomes.tolist(), dtype=float)
        gains = np.array([math.log(q / likely[x]) for x, q in found.law])
        # With scipy: the tilting parameter for this mean.
        chances = np.array([float(likely[x]) for x in found.law.outcomes.tolist()])

        def mean(tilt, chances=chances, amounts=amounts):
            weights = chances * np.exp(tilt * (amounts - amounts[-1] * (tilt > 0)))
            return amounts @ weights / weights.sum()

        width = amounts[-1] - amounts[0]
        tilt = optimize.brentq(
            lambda t, rtp=rtp: mean(t) - rtp, -200 / width, 200 / width, xtol=1e-16 / width
        )
        np.testing.assert_allclose(gains - gains[0], tilt * (amounts - amounts[0]), rtol=1e-6, atol=1e-9)


def test_a_tilted_bet_of_two_amounts_is_the_only_one_with_its_return():
    bet = pf.Dice().bet(1.98, under=50)
    poorer = bet.tilted(0.98)
    assert dict(poorer.law) == {0: Fraction(100, 198), 1.98: Fraction(98, 198)}
    assert bet.tilted(bet.exact_rtp).law == bet.law
    drawn = poorer.draw(20_000, seed="t")
    assert (poorer.draw(500, seed="t", start=1001)[:, 0] == drawn[1001:1501, 0]).all()
    assert stats.binomtest(int((drawn > 0).sum()), 20_000, 98 / 198).pvalue > 1e-3
    assert pickle.loads(pickle.dumps(poorer)) == poorer
    for wrong in (0, 1.98, -1, 2):
        with pytest.raises(ValueError, match=r"rtp must be above 0\.0 and below 1\.98, the bet's smallest"):
            bet.tilted(wrong)


def test_rounds_needed_for_a_return():
    bet = pf.Dice().bet(1.98, under=50)
    needed = bet.rounds_needed(rtp=0.98)
    assert needed == bet.rounds_needed(bet.tilted(0.98), level=0.01, power=0.9)

    def exact(n):
        most = stats.binom.ppf(0.01, n, 5000 / 10001)
        most -= stats.binom.cdf(most, n, 5000 / 10001) > 0.01
        return stats.binom.cdf(most, n, 98 / 198)

    assert exact(needed) >= 0.9 > exact(needed - 1)
    for given in ({}, {"alternative": bet.tilted(0.98), "rtp": 0.98}):
        with pytest.raises(ValueError, match="alternative or rtp must be given, and not both"):
            bet.rounds_needed(**given)


def test_alternatives_that_pay_more():
    fair = pf.Double().bet({0: 15}, law="ideal")
    generous = pf.Double().bet({0: 15, 1: 5}, law="ideal")
    assert 0 < fair.power(generous, 50) < fair.power(generous, 500) < 1
    with pytest.raises(ValueError, match=r"^n must be from 1 to 1099511627776, got 9223372036854775808"):
        fair.power(generous, 2**63)
    n = fair.rounds_needed(generous.law, level=0.05, power=0.8)
    assert fair.power(generous, n, level=0.05) >= 0.8 > fair.power(generous, n - 1, level=0.05)


# ---- monitors ----


def mixture_of(law, counts):
    """The likelihood of counts under Dirichlet priors around a law, worth 1/2, 4, 32, ... bets per amount."""
    priors = [len(counts) / 2 * 8.0**i * law.probabilities for i in range(6)]
    each = [stats.dirichlet_multinomial.logpmf(counts, prior, counts.sum()) for prior in priors]
    return np.logaddexp.reduce(each) - math.log(6)


def test_a_monitor_of_few_amounts_is_a_likelihood_of_a_mixture():
    law = Distribution([0, 1, 5, 40], [50, 40, 9, 1])
    rng = np.random.default_rng(1)
    returns = rng.choice(law.outcomes, size=60, p=law.probabilities)
    monitor = pf.bets.Monitor(law).update(returns)
    counts = np.array([(returns == amount).sum() for amount in law.outcomes])
    honest = stats.multinomial.logpmf(counts, 60, law.probabilities)
    assert monitor.evalue == pytest.approx(math.exp(mixture_of(law, counts) - honest), rel=1e-9)
    # Its expectation over all counts of four bets is 1.
    mean = 0.0
    for chosen in itertools.product(law.outcomes.tolist(), repeat=4):
        chance = math.prod(float(law.pmf(amount)) for amount in chosen)
        mean += chance * pf.bets.Monitor(law).update(chosen).evalue
    assert mean == pytest.approx(1, rel=1e-12)


def test_the_interval_holds_all_means_that_are_not_rejected():
    law = Distribution([0, 1, 5, 40], [50, 40, 9, 1])
    amounts = law.outcomes.astype(float)
    rng = np.random.default_rng(2)
    for n in (5, 200):
        returns = rng.choice(law.outcomes, size=n, p=law.probabilities)
        low, high = pf.bets.Monitor(law).update(returns).interval
        counts = np.array([(returns == amount).sum() for amount in law.outcomes])
        mixture = mixture_of(law, counts)
        ways = stats.multinomial.logpmf(counts, n, np.full(4, 0.25)) + n * math.log(4)
        least = mixture - ways + math.log(0.05)
        seen = counts > 0

        def slack(z, counts=counts, seen=seen, least=least):
            return counts[seen] @ (z - np.logaddexp.reduce(z))[seen] - least

        for end, sign in ((high, -1), (low, 1)):
            best = min(
                optimize.minimize(
                    lambda z, sign=sign: sign * (np.exp(z - np.logaddexp.reduce(z)) @ amounts),
                    rng.normal(0, 1, 4) + np.log(counts + 0.5),
                    constraints={"type": "ineq", "fun": slack},
                    options={"maxiter": 500, "ftol": 1e-13},
                ).fun
                for _ in range(4)
            )
            assert end == pytest.approx(sign * best, rel=1e-4)


@pytest.mark.parametrize("name", ["dice", "plinko", "numbers"])
def test_how_bets_are_divided_changes_nothing(name):
    bet = pf.Dice().bet(lambda number: number / 50.5) if name == "numbers" else BETS[name]()
    returns = bet.simulate(5000)
    whole, parts = bet.monitor().update(returns), bet.monitor()
    for first in range(0, 5000, 777):
        parts = pickle.loads(pickle.dumps(parts.update(returns[first : first + 777])))
        copy.copy(parts).update(returns)
    for fact in ("evalue", "pvalue", "rtp", "bets", "interval"):
        assert getattr(parts, fact) == pytest.approx(getattr(whole, fact), rel=1e-9)
    assert whole.pvalue > 0.05
    assert whole.interval[0] < bet.rtp < whole.interval[1]
    assert whole.rtp == pytest.approx(returns.mean())
    staked = bet.monitor().update(returns * 2.5, stakes=2.5)
    assert staked.evalue == pytest.approx(whole.evalue, rel=1e-9)
    # The state doesn't grow.
    assert len(pickle.dumps(parts)) < len(pickle.dumps(bet.monitor())) + 200


def test_a_monitor_of_a_mean_is_a_fair_bet_against_it():
    # With 66 amounts only the sum is bet against: its expected value after two bets is 1.
    law = Distribution(np.arange(66) / 33, np.arange(1, 67))
    mean = 0.0
    for first, second in itertools.product(law.outcomes.tolist(), repeat=2):
        chance = float(law.pmf(first) * law.pmf(second))
        mean += chance * pf.bets.Monitor(law).update([first, second]).evalue
    assert mean == pytest.approx(1, rel=1e-12)
    short = Distribution(np.arange(66) / 33, np.arange(66, 0, -1))
    rng = np.random.default_rng(1)
    monitor = pf.bets.Monitor(law).update(rng.choice(short.outcomes, size=300, p=short.probabilities))
    assert monitor.pvalue < 1e-6
    assert monitor.interval[1] < law.mean()
    assert monitor.interval[0] < short.mean() < monitor.interval[1]


def test_intervals_where_one_amount_alone_was_seen():
    bet = pf.Crash().bet(cash_out=100)
    low, high = bet.monitor().update([0] * 20).interval
    assert low == 0
    assert 10 < high < 100
    low, high = bet.monitor().update([100] * 20).interval
    assert 0 < low < 100
    assert high == 100


def test_monitors_see_what_cannot_be_and_what_is_ground():
    bet = BETS["dice"]()
    monitor = bet.monitor()
    assert (monitor.evalue, monitor.pvalue, monitor.interval) == (1, 1, (0, 1.98))
    assert math.isnan(monitor.rtp)
    monitor.update(bet.simulate(100)).update([1.5])
    assert (monitor.evalue, monitor.pvalue, monitor.impossible) == (math.inf, 0, 1)
    assert bet.monitor().update(bet.after_grinding(2).simulate(300)).pvalue < 1e-4
    again = bet.monitor().update(bet.after_grinding(2).simulate(300))
    highest = again.pvalue
    assert again.update(bet.simulate(3000)).pvalue <= highest  # evidence once seen isn't lost


# ---- bankrolls ----


def test_the_exact_mean_of_a_bankroll_counts_ruin():
    bet = pf.bets.Bet(
        Distribution([0, 0.5, 3], [5, 3, 1]), lambda rounds, **_: np.zeros((rounds, 1), dtype=np.int64)
    )
    paths = bet.paths(6, paths=2, bankroll=7, stake=2)
    have = {Fraction(7): Fraction(1)}
    means = [Fraction(7)]
    for _ in range(6):
        after: dict[Fraction, Fraction] = {}
        for amount, chance in have.items():
            for back, weight in ((0, 5), (Fraction(1, 2), 3), (3, 1)) if amount >= 2 else ((1, 9),):
                key = amount - 2 + 2 * back
                after[key] = after.get(key, 0) + chance * Fraction(weight, 9)
        have = after
        means.append(sum(amount * chance for amount, chance in have.items()))
    assert paths.exact_mean == pytest.approx([float(mean) for mean in means], rel=1e-12)
    assert bet.paths(6, paths=2, bankroll=1, stake=2).exact_mean.tolist() == [1] * 7
    assert bet.paths(6, paths=2, stake=lambda have: have / 10).exact_mean is None
    dice = pf.Dice().bet(1.98, under=50)
    simulated = dice.paths(200, paths=4000, bankroll=5)
    error = simulated.values.std(axis=0) / math.sqrt(4000)
    assert (np.abs(simulated.values.mean(axis=0) - simulated.exact_mean) <= 4.5 * error + 1e-12).all()
    low, middle, high = simulated.quantiles([0.1, 0.5, 0.9])
    assert (low <= middle).all()
    assert (middle <= high).all()
    assert ((simulated.values <= high).mean(axis=0) >= 0.9).all()


# ---- grinding ----


def test_ground_laws_by_trying_all():
    law = Distribution([0, 1, 5], [6, 3, 1])
    for salts in (1, 2, 3):
        tried = joined([likely(law)] * salts, min)
        for share in (Fraction(1), Fraction(1, 4), Fraction(0)):
            ground = grinding_law(law, salts, share)
            for value, weight in zip([0, 1, 5], [6, 3, 1], strict=True):
                mixed = share * tried[value] + (1 - share) * Fraction(weight, 10)
                assert ground.probability_between(value, value, exact=True) == mixed
    dice = pf.Dice().bet(1, under=49.5, law="ideal")
    left = pf.auditing.grinding.grinding_chance(dice.exact_rtp, 3, exact=True)
    assert dice.after_grinding(3).exact_rtp == left


def test_ground_rounds_are_the_worst_of_their_salts():
    bet = pf.Plinko().bet(HIGH_RISK)
    assert (
        bet.after_grinding(3).simulate(200).tolist() == bet.simulate(600).reshape(200, 3).min(axis=1).tolist()
    )
    some = bet.after_grinding(2, share=0.3)
    back = some.simulate(30_000)
    assert back[1001:].tolist() == some.simulate(28_999, start=1001).tolist()
    assert some.test(back) > 0.001
    assert bet.test(back, "less") < 0.05
    pairs = bet.simulate(60_000).reshape(-1, 2)
    ground = back != pairs[:, 0]
    assert (back[ground] == pairs[ground].min(axis=1)).all()
    with pytest.raises(ValueError, match="one bet a round"):
        pf.Plinko(balls=2).bet(HIGH_RISK).after_grinding(2).simulate(5)


@pytest.mark.parametrize("name", ["dice", "plinko", "poker"])
def test_the_share_of_ground_rounds(name):
    bet = BETS[name]()
    for share in (0, 0.2, 1):
        found = bet.grinding_share(bet.after_grinding(2, share=share).simulate(8000))
        assert found.low <= share <= found.high
        assert found.high - found.low < 0.2
        assert found.method == ("binomial" if name == "dice" else "likelihood")
    # The most likely share, by grid search.
    returns = bet.after_grinding(2, share=0.2).simulate(500)
    laws = [bet.after_grinding(2, share=share).law for share in np.arange(101) / 100]
    likelihoods = [np.log(law.pmf(returns)).sum() for law in laws]
    found = bet.grinding_share(returns)
    assert found.share == pytest.approx(np.argmax(likelihoods) / 100, abs=0.0051)
    inside = [s / 100 for s, value in enumerate(likelihoods) if value > max(likelihoods) - 1.9207]
    if name != "dice":
        assert (found.low, found.high) == pytest.approx((inside[0], inside[-1]), abs=0.0101)


# ---- measured error rates ----

MEASURED = json.loads(measure_bet_proofs.RESULTS.read_text(encoding="utf-8"))["rows"]


def test_what_was_measured_is_what_is_claimed():
    for row in MEASURED:
        low, high = binomial_interval(row["count"], row["logs"])
        assert (row["share"], row["low"]) == (row["count"] / row["logs"], round(low, 5)), row
        if row["kind"] in ("test", "monitor"):
            assert low <= row["level"], row
        elif row["kind"] == "sequence":
            assert high >= row["confidence"], row
        elif row["kind"] == "share":
            # Exact for two amounts; the likelihood ratio is about as often wrong.
            exact = row["bet"].startswith(("Dice", "Crash"))
            assert high >= row["confidence"] - (0 if exact else 0.01), row
        else:
            error = math.sqrt(row["power"] * (1 - row["power"]) / row["logs"])
            assert abs(row["share"] - row["power"]) < 3 * error, row


def test_all_that_is_claimed_is_measured():
    measured = {(row["kind"], row["bet"]) for row in MEASURED}
    assert measured == {
        (kind, name) for kind, (_, names) in measure_bet_proofs.MEASURES.items() for name in names
    }
    assert {row["looks"] for row in MEASURED if row["kind"] == "sequence"} == {1000}


def test_the_measurement_goes_on_as_it_began():
    made = next(measure_bet_proofs.measure_power("Dice under 49.5", np.random.default_rng([3, 0])))
    assert made in MEASURED


@pytest.mark.parametrize("level", [0.01, 1e-8, 1e-12, 1e-14, 1e-20, 1e-60])
def test_power_is_that_of_exact_tails(level):
    dice = pf.Dice().bet(2, under=49.5)
    ground = dice.after_grinding(2)
    for bets in (30, 400):
        wins = np.arange(bets + 1)
        below = stats.binom.cdf(wins, bets, float(dice.law.probabilities[1]))
        rejected = wins[below <= level]
        exact = (
            stats.binom.cdf(rejected.max(), bets, float(ground.law.probabilities[1])) if rejected.size else 0
        )
        assert dice.power(ground, bets, level=level) == pytest.approx(exact, rel=1e-9, abs=1e-300)
    # Three amounts, in fractions: the largest total that is still rejected.
    law, other = Distribution([0, 1, 4], [2, 5, 3]), Distribution([0, 1, 4], [6, 3, 1])
    if level > 1e-14:
        found = joined([likely(law)] * 24)
        edge = max(total for total in found if tails(found, total)[0] <= level)
        exact = float(tails(joined([likely(other)] * 24), edge)[0])
        assert power(law, other, 24, level) == pytest.approx(exact, rel=1e-9)


def test_the_least_number_of_bets_is_what_it_says():
    """One bet fewer is too few; beyond it the power may dip slightly because totals are discrete."""
    dice = pf.Dice().bet(2, under=49.5)
    found = [dice.power(dice.after_grinding(2), bets) for bets in range(1, 70)]
    needed = dice.rounds_needed(dice.after_grinding(2), level=0.01, power=0.9)
    assert needed == 1 + next(place for place, one in enumerate(found) if one >= 0.9)
    assert min(found[needed:]) < 0.9 <= min(found[needed + 4 :])


# ---- stakes that depend on earlier results ----

COIN = Distribution([0, 2], [1, 1])
DICE = pf.Dice().bet(2, under=49.5)


def doubling(won, most=128):
    """Stakes that double after each loss."""
    stakes = [1.0]
    for win in won[:-1]:
        stakes.append(1.0 if win or 2 * stakes[-1] > most else 2 * stakes[-1])
    return np.array(stakes)


def bet_of(law):
    return pf.bets.Bet(law, None)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_an_evalue_holds_for_every_history(alternative):
    """All 2**8 histories of a coin, with stakes that double after losses and shrink after two wins."""
    pvalues = []
    for won in itertools.product([False, True], repeat=8):
        stakes = doubling(won)
        for place in range(2, 8):
            if won[place - 1] and won[place - 2]:
                stakes[place] = 0.01
        returns = np.where(won, 2 * stakes, 0)
        pvalues.append(bet_of(COIN).test(returns, alternative, stakes=stakes, valid="any stakes"))
    for level in pvalues:
        assert sum(pvalue <= level for pvalue in pvalues) <= 2**8 * level
    assert min(pvalues) < 0.2  # the test has power


def test_an_evalue_finds_what_is_unfair_whatever_the_stakes():
    rng = np.random.default_rng(10)
    found = {"all bets": 0, "large stakes": 0}
    for _ in range(40):
        chances = rng.random(1500)
        won = chances < 0.43
        stakes = doubling(won)
        returns = np.where(won, 2 * stakes, 0)
        found["all bets"] += DICE.test(returns, "less", stakes=stakes, valid="any stakes") <= 0.05
        # Payouts are right except on large stakes.
        stakes = rng.choice([1.0, 100.0], 1500, p=[0.9, 0.1])
        returns = np.where(chances < np.where(stakes > 1, 0.3, 0.495), 2 * stakes, 0)
        found["large stakes"] += DICE.test(returns, valid="any stakes", stakes=stakes) <= 0.05
    assert min(found.values()) >= 32, found


def test_an_evalue_by_hand():
    """The gain from betting against a coin, with plain floats."""
    won, stakes = [False, False, True, False, False], [1.0, 3.0, 2.0, 4.0, 4.0]
    have, most, largest = [1.0] * 30, 1.0, 0.0
    for win, stake in zip(won, stakes, strict=True):
        largest = max(largest, stake)
        for place in range(30):
            wager = -(2.0 ** (1 - place % 15)) * (stake / largest if place < 15 else 1)
            have[place] *= math.exp(wager * (1 if win else -1)) / math.cosh(wager)
        most = max(most, sum(have) / 30)
    returns = [2 * stake * win for win, stake in zip(won, stakes, strict=True)]
    found = bet_of(COIN).test(returns, "less", stakes=stakes, valid="any stakes")
    assert found == pytest.approx(1 / most, rel=1e-12)
    assert found.error < 1e-12
    # The unit of money and bets without a stake don't matter.
    more = [*(7.3 * stake for stake in stakes), 0.0]
    again = bet_of(COIN).test([*(7.3 * x for x in returns), 0.0], "less", stakes=more, valid="any stakes")
    assert again == pytest.approx(found, rel=1e-12)
    assert again.bets == 5


def test_an_evalue_of_bets_that_differ_by_row():
    rng = np.random.default_rng(11)
    other = pf.Plinko(pins=8).bet(LOW)
    bets = [DICE if choice else other for choice in rng.integers(0, 2, 300)]
    stakes = np.round(rng.lognormal(0, 1, 300), 2) + 0.01
    returns = np.array([0.0 if bet is DICE else 0.5 for bet in bets]) * stakes
    options = {"stakes": stakes, "alternative": "less", "valid": "any stakes", "within": 1e-9}
    found = pf.bets.check_returns(bets, returns, **options)
    assert found.method == "e-value"
    assert found < 1e-10
    # With a single distribution it equals that bet's own test.
    one = pf.bets.check_returns([DICE] * 5, [0] * 5, stakes=[1, 2, 4, 8, 16], valid="any stakes")
    assert one == DICE.test([0] * 5, stakes=[1, 2, 4, 8, 16], valid="any stakes")
    assert DICE.test([], valid="any stakes") == 1
    impossible = DICE.test([0, 3], valid="any stakes")
    assert (impossible, impossible.method) == (0, "impossible")
    with pytest.raises(ValueError, match="valid must be one of 'fixed stakes', 'any stakes', got"):
        DICE.test([0], valid="always")


def test_prices_of_many_stakes_are_never_too_low(monkeypatch):
    rng = np.random.default_rng(12)
    stakes = rng.lognormal(0, 3, 200)
    returns = np.where(rng.random(200) < 0.4, 2 * stakes, 0)
    options = {"stakes": stakes, "valid": "any stakes", "within": 1e-6}
    exact = DICE.test(returns, "less", **options)
    monkeypatch.setattr(wagers, "_FEW_STAKES", 10)
    bound = DICE.test(returns, "less", **options)
    assert exact * (1 - 1e-12) <= bound <= 1.01 * exact


# ---- error bounds of p-values ----


@pytest.mark.parametrize("bets", [10**3, 10**5, 10**6])
def test_binomial_pvalues_are_raised_by_their_error(bets):
    law = Distribution([0, 2], [63, 1])
    for off in (0, 1, 4, 9):
        wins = int(bets / 64 + off * math.sqrt(bets / 64))
        found = pvalue_of_total(law, bets, Fraction(2 * wins), "greater")
        tail = log_tail(wins, bets, Fraction(1, 64))
        assert tail <= found <= tail + 2 * found.error
        assert found.error < 1e-6 * found


def log_tail(least, trials, chance):
    """A binomial tail in decimals of 50 digits, term by term."""
    with decimal.localcontext(prec=50):
        p = decimal.Decimal(chance.numerator) / chance.denominator
        term = decimal.Decimal(math.comb(trials, least)) * p**least * (1 - p) ** (trials - least)
        total = decimal.Decimal(0)
        for wins in range(least, trials + 1):
            total += term
            term *= decimal.Decimal(trials - wins) / (wins + 1) * p / (1 - p)
            if term < total * decimal.Decimal("1e-30"):
                break
        return float(total)


def test_approximations_are_raised_by_their_error():
    rng = np.random.default_rng(13)
    stakes = np.round(rng.lognormal(0, 2, 200), 2) + 0.01
    law = Distribution([0, 2], [505, 495])
    total = BetSum([law] * 200, [exactly(stake) for stake in stakes.tolist()], [1] * 200)
    returns = np.where(rng.random(200) < 0.45, 2 * stakes, 0)
    found = bet_of(law).test(returns, "less", stakes=stakes)
    tail = total.at_most(sum((exactly(x) for x in returns.tolist()), Fraction(0)))
    assert found.method == tail.method == "approximation"
    assert tail.error > 0
    assert found == pytest.approx(tail.probability + tail.error)


def test_what_is_possible_is_never_a_pvalue_of_0():
    found = pvalue_of_total(Distribution([0, 1, 2], [1, 1, 1]), 2000, Fraction(0), "less")  # 3**-2000
    assert found == math.ulp(0.0)
    returns = np.zeros(5000)
    assert bet_of(COIN).test(returns, valid="any stakes") > 0
    # Nor of more rounds than any array has.
    bet = pf.Dice().bet(1.98, under=50)
    assert bet.test(total=5, rounds=10**30) == math.ulp(0.0)
    # Nor is it small because the digits of a tail are lost, one or six standard deviations from the mean.
    for off, largest in ((1, 1), (6, 0.01)):
        total = round(bet.exact_rtp * 10**18) - round(off * bet.std * 10**9)
        for alternative in ("less", "two-sided"):
            p = bet.test(total=total, rounds=10**18, alternative=alternative)
            assert math.erfc(off / math.sqrt(2)) / 2 < p <= largest


@pytest.mark.thorough
@pytest.mark.parametrize("other", [[0.6, 0.4], [0.35, 0.65]])
def test_bets_until_an_alarm_are_those_of_a_loop(other):
    law = Distribution([0, 1.98], [1, 1])
    true = Distribution([0, 1.98], [Fraction(str(chance)) for chance in other])
    bet = pf.bets.Bet(law, None)  # type: ignore[arg-type]
    found = bet.rounds_until_alarm(true, level=0.05, sets=200, seed="loop")
    assert found == bet.rounds_until_alarm(true, level=0.05, sets=200, seed="loop")
    rng = np.random.default_rng(3)
    times = []
    for _ in range(100):
        monitor = bet.monitor()
        while monitor.pvalue > 0.05:
            monitor.update([1.98 * (rng.random() < other[1])])
        times.append(monitor.bets)
    off = 4 * math.sqrt(np.var(times) / 100 + ((found.high - found.low) / 4) ** 2)
    assert found.mean == pytest.approx(np.mean(times), abs=off)
    entropy = sum(p * math.log(p / 0.5) for p in other)
    assert found.bound == pytest.approx(math.log(20) / entropy)
    assert found.bound < found.mean


def test_wins_are_not_amounts():
    """A column of wins, read as amounts, would have a bet of 1 return 1: impossible, a false alarm."""
    wins = [True, False, True]
    for asked in (
        lambda: DICE.test(wins),
        lambda: DICE.test(np.array(wins), valid="any stakes"),
        lambda: DICE.interval(np.array(wins)),
        lambda: DICE.monitor().update(wins),
        lambda: pf.bets.check_returns([DICE] * 3, wins),
    ):
        with pytest.raises(TypeError, match=r"^returns must be amounts, the stake included, got booleans$"):
            asked()


@pytest.mark.parametrize(
    "returns",
    [
        ["a return"],
        [1.98, pd.NA],
        np.array([1.98, 1j]),
        [np.datetime64("2026-01-01")],
        np.array([2], "m8[s]"),
        pd.Series(pd.to_datetime(["2026-01-01"])),
        np.array([(1.98,)], [("return", "f8")]),
    ],
)
def test_returns_that_are_not_numbers_are_shown_as_given(returns):
    for asked in DICE.test, DICE.interval, DICE.monitor().update:
        with pytest.raises(TypeError, match=re.escape(f"returns must be numbers, got {returns!r:.50}")):
            asked(returns)


@pytest.mark.parametrize(
    ("argument", "asked"),
    [
        ("returns", DICE.test),
        ("returns", DICE.interval),
        ("returns", DICE.monitor().update),
        ("outcomes", DICE.returns),
        ("outcomes", lambda values: pf.Dice().observe(values, under=50)),
        ("outcomes", lambda values: pf.Distribution(values, [1, 2, 3])),
        ("stakes", lambda values: DICE.test([0, 1.98, 0], valid="any stakes", stakes=values)),
        ("data", lambda values: pf.fairness_report(values, "dice")),
        ("cells", lambda values: pf.Mines().distribution(cells=values.astype(int))),
        ("x", pf.Dice().distribution().pmf),
        ("x", pf.Dice().distribution().cdf),
        ("q", lambda values: pf.Dice().distribution().quantile(values / 5)),
        ("rounds", lambda values: pf.seeds.joined_seeds(values, ["a", "b", "c"])),
    ],
)
def test_what_is_behind_a_mask_is_no_number(argument, asked):
    """A masked return of 5 made a p-value of 0."""
    values = np.ma.array([2.0, 5.0, 0.0], mask=[False, True, False])
    with pytest.raises(
        ValueError, match=rf"^{argument}\[1\] must have a value, got a masked element$"
    ) as error:
        asked(values)
    assert error.value.row == 1
    assert DICE.test(np.ma.array([2.0, 0.0])) == DICE.test([2.0, 0.0])
    for single in (lambda: pf.Distribution([1, values[1]], [1, 2]), lambda: DICE.rounded(stake=values[1])):
        with pytest.raises((TypeError, ValueError), match=r"masked|Masked"):
            single()


def test_an_impossible_amount_is_an_alarm_at_its_first_bet():
    bet = pf.Dice().bet(1.98, under=50)
    found = bet.rounds_until_alarm(Distribution([0, 3], [3, 1]), sets=2000)
    assert found.mean == pytest.approx(4, abs=found.high - found.low)  # four standard deviations
    assert found.bound == 1


def test_simulations_that_are_given_up_are_counted(monkeypatch):
    monkeypatch.setattr("provably_fair.bets.monitor._MOST_BETS", 2000)
    bet = pf.Dice().bet(1.98, under=50)
    found = bet.rounds_until_alarm(bet.after_grinding(2, share=0.01), sets=10)
    assert (found.given_up, found.mean, found.high) == (10, math.inf, math.inf)
    assert found.low == 2000
    assert "10 of 10 simulations had no alarm in 2,000" in str(found)
