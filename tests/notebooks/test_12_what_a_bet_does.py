"""The claims of notebook 12 on bets: returns by hand, simulations next to exact probabilities, and tests."""

from __future__ import annotations

import math

import numpy as np
import provably_fair as pf
import pytest


def test_what_it_gives_back(ran, notebook):
    by_hand = sum(math.comb(16, bucket) * pays for bucket, pays in enumerate(ran["TABLE"])) / 2**16
    assert math.isclose(ran["bet"].rtp, by_hand)
    assert ran["estimate"].covers
    assert f"**Answer: {100 * by_hand:.3f} of 100 come back" in notebook.text
    assert f"From {100 * ran['least']:.2f} to {100 * ran['most']:.2f} of 100" in notebook.text
    # The highest payout is at 1.01: 0.95 / 1.01 of the rounds reach it, and a few more by rounding.
    assert ran["highest"] == 1.01
    # By hand, in hundredths: 950,000 / k for k from 1 to a million, rounded, and each cash-out.
    k = np.arange(1, 10**6 + 1)
    reached = np.sort(np.maximum((190_000_000 + k) // (2 * k), 100))
    targets = np.arange(101, 10_001)
    returned = targets * (10**6 - np.searchsorted(reached, targets)) / 1e8
    assert (returned.min(), returned.max()) == pytest.approx((ran["least"], ran["most"]), abs=1e-6)
    assert ran["cash_outs"].rtp(475_000.01) == pytest.approx(0.475, rel=1e-6)


def test_how_far_it_strays(ran, notebook):
    stds = [each.std for each in (ran["bet"], ran["risky"])]
    assert "by {:.2f} of the stake in one bet of low risk, and by {:.2f}".format(*stds) in notebook.text
    for each, std in zip((ran["bet"], ran["risky"]), stds, strict=True):
        assert math.isclose(each.volatility, 1.645 * std, rel_tol=1e-3)
    told = "At low risk {:.1f} % of such histories lie beyond the index, at high risk {:.1f} %"
    assert told.format(*[100 * share for share in ran["beyond"]]) in notebook.text
    paid = np.array([1000, 130, 26, 9, 4, 2, *[0.2] * 5, 2, 4, 9, 26, 130, 1000])
    chances = [math.comb(16, bucket) / 2**16 for bucket in range(17)]
    counts = np.random.default_rng(12).multinomial(1000, chances, 20_000)
    off = np.abs(counts @ paid - 1000 * ran["risky"].rtp)
    assert (off > ran["risky"].volatility * 1000**0.5).mean() == pytest.approx(ran["beyond"][1], abs=0.005)


def test_how_it_ends(ran, notebook):
    bet, risky = ran["bet"], ran["risky"]
    ruined = [each.ruin(20, rounds=1000) for each in (bet, risky)]
    assert "{:.0f} % are ruined at low risk and {:.0f} %".format(*[100 * r for r in ruined]) in notebook.text
    simulated = bet.paths(1000, paths=1000, bankroll=20, seed="ruin").ruined
    assert abs(simulated - ruined[0]) < 4 * math.sqrt(ruined[0] * (1 - ruined[0]) / 1000)
    assert bet.ruin(20) == 1
    assert bet.ruin(20, target=40) > risky.ruin(20, target=40)


def test_how_much_to_bet(ran, notebook):
    generous, fraction = ran["generous"], ran["fraction"]
    assert ran["bet"].kelly() == 0
    assert f"with 5 % on top, {100 * fraction:.0f} % of the bankroll" in notebook.text
    growth = generous.growth(np.linspace(0, 0.995, 200))
    assert (growth <= generous.growth(fraction) + 1e-12).all()


def test_the_martingale(ran, notebook):
    dice = pf.Dice().bet(1.98, under=50)
    martingale = pf.bets.Martingale()
    doubled = [1 - dice.ruin(63, target=126, system=martingale), 1 - dice.ruin(63, target=126)]
    ruined = dice.ruin(63, rounds=200, system=martingale)
    told = (
        "in {:.0f} of 100 cases, where flat bets do in {:.0f}, and is ruined within 200 bets in {:.0f} of 100"
    )
    assert told.format(*[100 * chance for chance in (*doubled, ruined)]) in notebook.text
    # Flat, in fiftieths: 49 are won or 50 lost, and below 50 no stake is left.
    left, gone = {63 * 50: 1.0}, 0.0
    for _ in range(200):
        following: dict[int, float] = {}
        for money, chance in left.items():
            for then, share in ((money + 49, 5000 / 10_001), (money - 50, 5001 / 10_001)):
                following[then] = following.get(then, 0) + chance * share
        gone += sum(chance for money, chance in following.items() if money < 50)
        left = {money: chance for money, chance in following.items() if money >= 50}
    assert f"in {1e6 * gone:.0f} of a million" in notebook.text
    assert dice.ruin(63, rounds=200) == pytest.approx(gone)
    seen = ran["simulated"]["martingale"].ruined
    assert abs(seen - ruined) < 4 * math.sqrt(ruined * (1 - ruined) / 1000)
    assert round(1 / dice.law.probabilities[0] ** 6) == 64


def test_was_it_paid(ran):
    bet = ran["bet"]
    assert bet.test(ran["fair"]) > 0.05
    assert round(float(bet.test(ran["fair"], "less")), 2) == 0.09
    assert 0.5e-6 < bet.test(ran["unfair"], "less") < 2e-6
    # One third of a percent of each stake.
    assert round(300 * (bet.rtp - ran["unfair"].mean())) == 1


def test_grinding(ran):
    needed, power, rejected = (ran[name] for name in ("needed", "power", "rejected"))
    assert needed == {1: 50, 0.2: 1300, 0.05: 20_825}
    assert abs(rejected - power) < 3 * math.sqrt(power * (1 - power) / 200)
    assert ran["found"].low <= 0.1 <= ran["found"].high


def test_looking_at_every_bet(ran):
    assert 0.25 < ran["naive"] < 0.3
    assert ran["watched"] == 0.01


def test_a_tally_does_not_grow(ran):
    peaks = ran["peaks"]
    assert peaks["tally", 1_000_000] < 1.5 * peaks["tally", 10_000] + 1


def test_the_cell_to_copy_is_roulette(copied):
    assert copied["wager"].rtp == pytest.approx(36 / 37)
