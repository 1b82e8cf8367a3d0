"""Totals, runs, ruin, growth and betting systems, against enumeration in Fractions."""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import measure_ruin
import numpy as np
import provably_fair as pf
import pytest
from oracles.laws import exact, likely
from provably_fair.bets import systems
from provably_fair.bets.growth import growth, kelly
from provably_fair.bets.ruin import law_of_bankroll, ruin, ruin_time
from provably_fair.bets.runs import drawdown, longest_losing_run
from provably_fair.bets.systems import ruin_of_system
from provably_fair.operators import crypto_games

# A small bet for each game and system: its returns and weights, by hand where there are few.
ROW = [9, 4, 1.5, 0.5, 0.5, 0.5, 1.5, 4, 9]
BETS = {
    "dice": pf.Dice().bet(under=50, payout=1.8),
    "dice, ideal": pf.Dice().bet(under=90, payout=1.1, law="ideal"),
    "double": pf.Double().bet({0: 14}),
    "x50": pf.X50().bet({0: 2.5, 1: 1}),
    "crash": pf.Crash().bet(cash_out=1.5),
    "overgo": pf.Overgo().bet(cash_out=3),
    "plinko": pf.Plinko(pins=8).bet(dict(enumerate(ROW))),
    "mines": pf.Mines(3).bet(reveals=2, payout=1.25),
    "tower": pf.Tower().bet(4, rows=3),
    "jackpot": pf.Jackpot(tickets=10).bet({1: 6, 2: 3}),
    "slot": pf.Slot().bet({7: 30, 1: 5}, reel=4),
    "video poker": crypto_games.VideoPoker().bet(),
    "blackjack": crypto_games.Blackjack().bet(strategy="basic"),
    "backgammon dice": pf.operators.fpclub.Dice().bet({7: 5, 2: 3}, of="sum"),
}
# Laws that no game has: losses beyond the stake or of part of it, and a positive mean.
LAWS = {
    "fair": pf.Distribution([0, 2], [1, 1]),
    "half a loss": pf.Distribution([0.5, 1, 2.5], [5, 2, 1]),
    "more than the stake": pf.Distribution([-7, -1, 0, 1, 2, 3], [1, 3, 20, 9, 20, 4]),
    "thirds": pf.Distribution([0, Fraction(1, 3), Fraction(8, 3)], [3, 2, 2]),
    "good": pf.Distribution([0, 1.5], [3, 8]),
    "rare": pf.Distribution([0, 50], [49, 1]),
}
ALL = {name: bet.law for name, bet in BETS.items()} | LAWS
BANKROLLS = [0.99, 1, 1.5, 3, Fraction(10, 3)]


def play(law, bankroll, rounds, target=None, stake=lambda history: 1):
    """All histories in Fractions: probability, amounts, and the round of ruin if any."""
    outcomes = likely(law).items()
    going = [(Fraction(1), (exact(bankroll),), ())]
    ended = []
    for played in range(rounds + 1):
        onward = []
        for chance, amounts, history in going:
            have, bet = amounts[-1], exact(stake(history))
            if target is not None and have >= target:
                ended.append((chance, amounts, None))
            elif have < bet:
                ended.append((chance, amounts, played))
            elif played == rounds:
                ended.append((chance, amounts, None))
            else:
                onward += [(chance * p, (*amounts, have + bet * (x - 1)), (*history, x)) for x, p in outcomes]
        going = onward
    return ended


def small(law, rounds):
    return len(law) ** rounds <= 4000


@pytest.mark.one_case_in(7)
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("target", [None, 4, 5.5])
def test_ruin_within_rounds(name, target):
    law = ALL[name]
    for bankroll, rounds in itertools.product(BANKROLLS, (0, 1, 3, 6)):
        if not small(law, rounds):
            continue
        expected = sum(p for p, _, ruined in play(law, bankroll, rounds, target) if ruined is not None)
        assert ruin(law, bankroll, rounds, target, exact=True) == expected
        assert ruin(law, bankroll, rounds, target) == pytest.approx(float(expected), abs=1e-15, rel=1e-13)
        by_system = ruin_of_system(law, pf.bets.Flat(), bankroll, rounds, target, exact=True)
        assert by_system == expected


@pytest.mark.parametrize("name", ALL)
def test_laws_of_bankrolls_and_of_the_time_of_ruin(name):
    law = ALL[name]
    for bankroll, rounds, target in itertools.product(BANKROLLS, (1, 2, 5), (None, 4)):
        if not small(law, rounds):
            continue
        histories = play(law, bankroll, rounds, target)
        ends, times = Counter(), Counter()
        for p, amounts, ruined in histories:
            ends[amounts[-1]] += p
            if ruined is not None:
                times[ruined] += p
        found = law_of_bankroll(law, rounds, bankroll, target)
        assert {exact(x): p for x, p in found} == ends
        if times:
            whole = sum(times.values())
            assert dict(ruin_time(law, bankroll, rounds, target)) == {
                at: p / whole for at, p in times.items()
            }
        else:
            with pytest.raises(ValueError, match="bankroll"):
                ruin_time(law, bankroll, rounds, target)


def test_bankrolls_of_bets_in_units_of_an_eighteenth_decimal():
    # In such units, which int64 doesn't hold, all amounts of the bet of 2 move by next to nothing.
    for fine in (Decimal("2.000000000000000001"), 2 + Fraction(1, 10**30)):
        law = pf.Distribution([0, fine], [51, 49])
        for bankroll, target in itertools.product((3, 8), (None, 14)):
            plain = pf.Distribution([0, 2 + Fraction(1, 10**6)], [51, 49])
            near, found = (law_of_bankroll(one, 12, bankroll, target) for one in (plain, law))
            assert [float(x) for x, _ in found] == pytest.approx([float(x) for x, _ in near], abs=2e-5)
            assert found.probabilities.tolist() == pytest.approx(near.probabilities.tolist(), rel=1e-12)
            assert ruin(law, bankroll, 12, target) == pytest.approx(ruin(plain, bankroll, 12, target))


def test_bankrolls_of_too_many_heights_are_refused():
    law = pf.Distribution([0, 1.00000001, 1000], [500, 400, 1])
    for follow in (ruin, lambda law, have, rounds: law_of_bankroll(law, rounds, have)):
        with pytest.raises(ValueError, match=r"^rounds must be fewer for this bet, whose amounts lie 1e-08 "):
            follow(law, 3, 5)


def solved(law, bankroll, target):
    """The probability of ruin before the target, from the linear equations of all reachable amounts."""
    outcomes = likely(law).items()
    found, rows = {exact(bankroll): 0}, []
    waiting = list(found)
    for have in waiting:
        row = Counter()
        for x, p in outcomes:
            after = have + x - 1
            if after < 1:
                row[None] += p
            elif after < target:
                if after not in found:
                    found[after] = len(found)
                    waiting.append(after)
                row[found[after]] += p
        rows.append(row)
    places = range(len(rows))
    table = np.array([[Fraction(i == j) - row[j] for j in (*places, None)] for i, row in enumerate(rows)])
    table[:, -1] *= -1
    for i in places:
        table[i] /= table[i, i]
        for other in places:
            if other != i and table[other, i]:
                table[other] -= table[other, i] * table[i]
    return table[0, -1]


@pytest.mark.parametrize("name", ALL)
def test_ruin_before_a_target(name):
    law = ALL[name]
    cases = [(1, 2), (1.5, 3), (2, 3), (Fraction(7, 3), Fraction(11, 3))]
    for bankroll, target in cases[:1] if name == "blackjack" else cases:  # its weights are long
        expected = solved(law, bankroll, exact(target))
        assert ruin(law, bankroll, target=target, exact=True) == expected
        assert ruin(law, bankroll, target=target) == pytest.approx(float(expected), rel=1e-12)


def test_far_targets_go_by_blocks_and_by_rows():
    even = pf.Distribution([0, 2], [51, 49])
    ratio = Fraction(51, 49)
    for have, goal in [(5, 10), (100, 200), (30, 1000)]:
        expected = (ratio**have - ratio**goal) / (1 - ratio**goal)
        assert ruin(even, have, target=goal) == pytest.approx(float(expected), rel=1e-12)
    # A large step with tiny probability hardly changes the result.
    longer = pf.Distribution([0, 2, 5000], [51 << 80, 49 << 80, 1])
    assert ruin(longer, 100, target=200) == pytest.approx(ruin(even, 100, target=200), rel=1e-12)


def roots_of(law, bankroll):
    """Ultimate ruin from the roots inside the unit circle, polished by Newton's method."""
    nets = [(x - 1, p) for x, p in likely(law).items()]
    unit = Fraction(math.gcd(*(int(x * 60) for x, _ in nets)), 60)
    steps = [(int(x / unit), p) for x, p in nets]
    down, up = -min(s for s, _ in steps), max(s for s, _ in steps)
    coefficients = [0.0] * (down + up + 1)
    for s, p in steps:
        coefficients[down + s] += float(p)
    coefficients[down] -= 1
    found = sorted(np.roots(coefficients[::-1]), key=abs)[:down]
    polished = []
    for z in found:
        for _ in range(60):
            value = sum(float(p) * z ** (s + down) for s, p in steps) - z**down
            slope = sum(float(p) * (s + down) * z ** (s + down - 1) for s, p in steps) - down * z ** (
                down - 1
            )
            z = z - value / slope
        polished.append(z)
    assert all(abs(z) < 1 for z in polished)
    height = math.floor((exact(bankroll) - 1) / unit)
    chance = 0
    for i, z in enumerate(polished):
        term = z ** (height + 1)
        for k, other in enumerate(polished):
            if k != i:
                term *= (1 - 1 / other) / (1 / z - 1 / other)
        chance += term
    return chance.real


GOOD = {
    "coin": pf.Distribution([0, 2], [9, 11]),
    "good": LAWS["good"],
    "more than the stake": pf.Distribution([-7, -1, 0, 1, 2, 3], [1, 3, 15, 9, 20, 14]),
    "many": pf.Distribution([0, 0.5, 1, 1.5, 3], [3, 1, 2, 3, 2]),
    "long loss": pf.Distribution([-4, 1.25], [1, 25]),
    "long win": pf.Distribution([0, 40], [29, 1]),
    "thirds": pf.Distribution([0, Fraction(1, 3), Fraction(8, 3)], [2, 2, 3]),
}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("bankroll", [1, 2.4, 7, 40, 300])
def test_ruin_forever_by_all_roots(name, bankroll):
    law = GOOD[name]
    found = ruin(law, bankroll)
    assert 0 < found < 1
    assert abs(found - roots_of(law, bankroll)) < 1e-12
    # Small probabilities decay geometrically with the bankroll, however small they are.
    if bankroll >= 300:
        here, there, beyond = (ruin(law, bankroll + k * 5) for k in range(3))
        assert there / here == pytest.approx(beyond / there, rel=1e-6)
    # A target so far away that it hardly matters.
    if bankroll < 10 and name != "long win":
        assert found == pytest.approx(ruin(law, bankroll, target=1500), abs=1e-12)


def test_ruin_forever_with_hardly_an_edge():
    for total in (10**6, 10**7, 10**8):
        wins = total // 2 + 1
        loses = total - wins
        law = pf.Distribution([0, 2], [loses, wins])
        for bankroll in (1, 100, 10_000):
            expected = math.exp(bankroll * math.log1p(-2 / wins))
            assert ruin(law, bankroll) == pytest.approx(expected, abs=1e-12)
    large = pf.Distribution([0, 2], [1, 3])
    assert ruin(large, 500) == pytest.approx(3.0**-500, rel=1e-9)


def test_what_ruin_is_certain_of():
    fair, good = LAWS["fair"], LAWS["good"]
    never = pf.Distribution([1, 2], [1, 1])
    push = pf.Distribution([1], [1])
    assert ruin(fair, 100) == 1.0
    assert ruin(fair, 100, exact=True) == Fraction(1)
    for law in (never, push):
        assert ruin(law, 1) == ruin(law, 5, 10) == ruin(law, 5, target=9) == 0.0
        assert ruin(law, 0.5) == 1.0
    assert ruin(fair, 0.999, 0) == 1.0
    assert ruin(fair, 1, 0) == 0.0
    assert ruin(fair, 10, target=10) == ruin(fair, 10, target=3) == 0.0
    assert ruin(good, 5, target=3) == 0.0
    for loss in ([0, 0.9], [0.5, 1]):  # without a step upward a far target is never reached
        assert ruin(pf.Distribution(loss, [2, 1]), 100, target=200) == 1.0
    with pytest.raises(ValueError, match="exact"):
        ruin(good, 5, exact=True)
    # Amounts are exact to hundredths: ten bets of a tenth don't add up to one bet of 1.
    tenth = pf.Distribution([0.9, 1.1], [1, 1])
    assert ruin(tenth, 1.1, 2, exact=True) == Fraction(1, 4)
    assert ruin(tenth, 1.0 + 0.1 + 0.1 - 0.1, 1, exact=True) == 0


@pytest.mark.parametrize("name", ["dice", "double", "plinko", "more than the stake"])
def test_falls_against_simulated_paths(name):
    law = ALL[name]
    rng = np.random.default_rng(20)
    paths, rounds = 20_000, 200
    steps = (law.rvs((paths, rounds), rng).astype(float) - 1).cumsum(axis=1)
    falls = (np.maximum.accumulate(np.maximum(steps, 0), axis=1) - steps).max(axis=1)
    law_of_falls = drawdown(law, rounds)
    for deep in (5, 10, 20):
        expected = float(law_of_falls.sf(deep - 1))
        measured = float((falls >= deep - 1e-9).mean())
        assert abs(measured - expected) < 4.5 * math.sqrt(expected * (1 - expected) / paths) + 1e-9


PATHS = json.loads(measure_ruin.RESULTS.read_text(encoding="utf-8"))


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("row", PATHS, ids=lambda row: row["case"])
def test_ruin_against_a_million_paths(row):
    of, *asked = measure_ruin.CASES[row["case"]]
    expected = measure_ruin.exact(measure_ruin.LAWS[of], *asked)
    assert row["paths"] == 10**6
    assert row["exact"] == pytest.approx(expected, rel=1e-9)
    assert abs(row["ruined"] / row["paths"] - expected) < 4 * math.sqrt(
        expected * (1 - expected) / row["paths"]
    )


def test_all_paths_are_measured_and_go_on_as_they_began():
    assert [row["case"] for row in PATHS] == list(measure_ruin.CASES)
    row = measure_ruin.measure("double at 14: 10, target 15", 2000)
    assert abs(row["ruined"] / 2000 - row["exact"]) < 4.5 * math.sqrt(0.25 / 2000)


# ---- runs ----


@pytest.mark.parametrize(("name", "n"), [(name, n) for name in ALL for n in (1, 2, 5) if small(ALL[name], n)])
def test_losing_runs_falls_totals_and_the_largest(name, n):
    law = ALL[name]
    runs, falls, totals, largest = Counter(), Counter(), Counter(), Counter()
    for items in itertools.product(likely(law).items(), repeat=n):
        p = math.prod(p for _, p in items)
        run = longest = 0
        have = peak = fall = Fraction(0)
        for x, _ in items:
            run = run + 1 if x < 1 else 0
            have += x - 1
            peak = max(peak, have)
            longest, fall = max(longest, run), max(fall, peak - have)
        runs[longest] += p
        falls[fall] += p
        totals[sum(x for x, _ in items)] += p
        largest[max(x for x, _ in items)] += p
    found = longest_losing_run(law, n)
    if not law.probability_error:
        assert {x: p for x, p in found if p} == runs
    # The same distribution with weights too large for integer arithmetic.
    rounded = longest_losing_run(pf.Distribution(law.outcomes, [w << 20_000 for w in law.weights]), n)
    for length, p in runs.items():
        assert float(rounded.pmf(length)) == pytest.approx(float(p), abs=1e-15)
    unit = Fraction(1, 600)
    found = drawdown(law, n, unit)
    for depth, p in falls.items():
        assert float(found.pmf(depth // unit * unit)) == pytest.approx(float(p), abs=1e-14)
    whole = drawdown(law, n)
    for depth in range(n + 1):
        expected = sum(p for fall, p in falls.items() if math.floor(fall) == depth)
        assert float(whole.pmf(depth)) == pytest.approx(float(expected), abs=1e-14)
    bet = pf.bets.Bet(law, lambda *_, **__: None)
    for found, expected in (bet.sum(n), totals), (bet.maximum(n), largest):
        if law.probability_error:  # blackjack's distribution is accurate to 1e-13
            assert all(abs(float(found.pmf(x)) - p) <= found.probability_error for x, p in expected.items())
        else:
            assert {exact(x): p for x, p in found if p} == expected


def test_a_unit_that_is_too_small_names_one_that_would_do():
    bet = pf.operators.stake.Plinko().bet(risk="high")
    with pytest.raises(
        ValueError, match=r"unit is too small for 1000 rounds: .*; unit=(\d+) would do"
    ) as told:
        bet.drawdown(1000)
    unit = int(str(told.value).split("unit=")[1].split()[0])
    assert bet.drawdown(1000, unit=unit).outcomes[1] % unit == 0
    with pytest.raises(ValueError, match="rounds must be fewer for this bet, got 100000"):
        bet.drawdown(100_000)


@pytest.mark.parametrize(
    ("lost", "total", "n"), [(1, 2, 2000), (14, 15, 3000), (1, 50, 5000), (99, 100, 400)]
)
def test_long_runs_by_recursion(lost, total, n):
    found = longest_losing_run(pf.Distribution([0, 5], [lost, total - lost]), n)
    q = lost / total
    for run in sorted({1, 2, 5, 10, 40, int(found.median()), int(found.median()) + 5}):
        # The probability of no such run, by the last bet won.
        none = [1.0] * (n + 1)
        for m in range(run, n + 1):
            none[m] = 1 - q**run if m == run else none[m - 1] - (1 - q) * q**run * none[m - run - 1]
        assert float(found.cdf(run - 1)) == pytest.approx(none[n], abs=1e-11)


def test_runs_that_are_certain():
    assert dict(longest_losing_run(pf.Distribution([1, 3], [1, 1]), 7)) == {0: 1}
    assert dict(longest_losing_run(pf.Distribution([0, 0.5], [1, 1]), 7)) == {7: 1}
    assert dict(drawdown(pf.Distribution([1, 3], [1, 1]), 7)) == {0: 1}


def test_longest_losing_runs_where_wins_are_hardly_possible():
    for of in (10**17, 10**300, 10**400):
        runs = longest_losing_run(pf.Distribution([0, 2], [of - 1, 1]), 300)
        assert runs.pmf(300) == pytest.approx(1, abs=1e-14)
    with pytest.raises(ValueError, match=r"^n must be smaller where wins are so rare, got 1000000000: "):
        longest_losing_run(pf.Distribution([0, 2], [10**6 - 1, 1]), 10**9)


# ---- growth ----


def test_kelly_is_where_growth_is_largest():
    assert kelly(pf.Distribution([0, 2], [45, 55])) == pytest.approx(0.1, rel=1e-14)
    assert kelly(pf.Distribution([0, 11], [9, 1])) == pytest.approx(0.01, rel=1e-13)
    # (p b - q) / b, also with an edge of a millionth.
    assert kelly(pf.Distribution([0, 2], [499_999, 500_001])) == pytest.approx(2e-6, rel=1e-12)
    # And of wins that are so large that their square has no digit of the rest.
    for win in (2**63, 10**24, 1e300):
        assert kelly(pf.Distribution([0, win], [51, 49])) == pytest.approx(0.49, rel=1e-13)
    for name, law in GOOD.items():
        best = kelly(law)
        assert 0 < best < 1, name
        peak = growth(law, best)
        assert peak > 0
        assert (growth(law, [best * 0.99, best * 1.01]) < peak).all()
        slope = sum(float(p) * (float(x) - 1) / (1 + best * (float(x) - 1)) for x, p in likely(law).items())
        assert slope == pytest.approx(0, abs=1e-9)


def test_growth_at_the_ends():
    fair = LAWS["fair"]
    assert kelly(fair) == kelly(BETS["dice"].law) == 0.0
    assert kelly(pf.Distribution([1, 2], [1, 1])) == 1.0
    assert kelly(pf.Distribution([0.9, 4], [1, 1])) == 1.0
    assert growth(fair, 0) == 0.0
    assert growth(fair, 1) == -math.inf
    assert growth(fair, 0.5) == pytest.approx((math.log(1.5) + math.log(0.5)) / 2)
    assert growth(LAWS["more than the stake"], [0.2, 0.05]).tolist()[0] == -math.inf
    assert growth(fair, np.zeros((2, 3))).shape == (2, 3)


# ---- betting systems ----


class OneUp(pf.bets.BettingSystem):
    start = 1

    def bet(self, state):
        return state

    def after(self, state, back):
        return state + 1 if back > 1 else max(state - 1, 1)


def one_up(history):
    stake = 1
    for back in history:
        stake = stake + 1 if back > 1 else max(stake - 1, 1)
    return stake


def doubled(history):
    stake = 1
    for back in history:
        stake = 1 if back > 1 else stake * 2 if back < 1 else stake
    return stake


def capped(history):
    stake = Fraction(1, 2)
    for back in history:
        stake = (
            Fraction(1, 2) if back > 1 or (back < 1 and stake * 3 > 2) else stake * 3 if back < 1 else stake
        )
    return stake


class Labouchere(pf.bets.BettingSystem):
    """Stakes the sum of a list's first and last number; a win removes both, a loss appends the stake."""

    start = (1, 2, 3)

    def bet(self, state):
        return state[0] + state[-1] if len(state) > 1 else state[0]

    def after(self, state, back):
        return (state[1:-1] or self.start) if back > 1 else (*state, self.bet(state))


def of_a_line(history):
    system = Labouchere()
    return system.bet(functools.reduce(system.after, history, system.start))


SYSTEMS = {
    "flat": (pf.bets.Flat(1.5), lambda history: 1.5),
    "martingale": (pf.bets.Martingale(), doubled),
    "capped": (pf.bets.Martingale(0.5, factor=3, most=2), capped),
    "own class": (OneUp(), one_up),
    "own function": (one_up, one_up),
    "lines of stakes": (Labouchere(), of_a_line),
}


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", ["fair", "half a loss", "thirds", "dice", "x50", "more than the stake"])
def test_systems_by_every_history(name, system):
    law, (followed, stake) = ALL[name], SYSTEMS[system]
    for bankroll, rounds, target in itertools.product([0.4, 1, 3, 7.5], (0, 1, 3, 5), (None, 6)):
        if not small(law, rounds):
            continue
        expected = sum(p for p, _, ruined in play(law, bankroll, rounds, target, stake) if ruined is not None)
        assert ruin_of_system(law, followed, bankroll, rounds, target, exact=True) == expected
        assert ruin_of_system(law, followed, bankroll, rounds, target) == pytest.approx(float(expected))


def test_a_martingale_is_ruined_by_losses_in_a_row():
    p = Fraction(49, 100)
    law = pf.Distribution([0, 2], [51, 49])
    # From 63, six straight losses ruin; after a first win the 64 survive six losses, and so on up to 127.
    assert ruin_of_system(law, pf.bets.Martingale(), 63, target=64) == pytest.approx(
        float((1 - p) ** 6), rel=1e-12
    )
    survived = (1 - (1 - p) ** 6) ** 64
    assert ruin_of_system(law, pf.bets.Martingale(), 63, target=127) == pytest.approx(
        float(1 - survived), rel=1e-12
    )
    for system in (pf.bets.Flat(), pf.bets.Martingale()):
        with pytest.raises(ValueError, match="rounds or target"):
            ruin_of_system(law, system, 10)
    assert ruin_of_system(law, pf.bets.Flat(), 10, target=20) == pytest.approx(
        ruin(law, 10, target=20), rel=1e-9
    )


@pytest.mark.parametrize(("factor", "rounds"), [(1.05, 16), (1.05, 22), (1.3, 19)])
def test_systems_whose_amounts_have_almost_as_many_digits_as_int64(factor, rounds):
    bet, system = pf.bets.Bet(pf.Distribution([0, 2], [51, 49])), pf.bets.Martingale(0.1, factor)
    expected = bet.ruin(2, rounds=rounds, system=system, exact=True)
    assert bet.ruin(2, rounds=rounds, system=system) == pytest.approx(float(expected), rel=1e-9)
    stakes = pf.bets.Flat(2**60)
    assert bet.ruin(2**61, rounds=2, system=stakes, exact=True) == Fraction(51, 100) ** 2
    assert bet.ruin(2**61, rounds=2, system=stakes) == pytest.approx(0.51**2)


def test_systems_with_too_many_states_are_refused_with_a_cure(monkeypatch):
    bet = pf.Dice().bet(1.98, under=50)
    monkeypatch.setattr(systems, "_MAX_STATES", 2000)
    cure = r"within \d+ rounds: give fewer rounds, a smaller bankroll or target, or simulate: paths"
    with pytest.raises(ValueError, match=rf"system must have at most 2,000 states, got [\d,]+ {cure}"):
        bet.ruin(100, rounds=1000, system=Labouchere())
    monkeypatch.undo()
    monkeypatch.setattr(systems, "_MAX_CELLS", 2000)
    with pytest.raises(ValueError, match=rf"2,000 pairs of state and bankroll at a time, got [\d,]+ {cure}"):
        bet.ruin(40, target=50, system=Labouchere())


def test_ruin_and_paths_of_systems_show_progress():
    bet, seen = pf.Dice().bet(1.98, under=50), []
    chance = bet.ruin(20, rounds=15, system=pf.bets.Martingale(), progress=lambda *done: seen.append(done))
    assert seen == [(done, 15) for done in range(16)]
    assert chance == bet.ruin(20, rounds=15, system=pf.bets.Martingale())
    seen.clear()
    assert bet.ruin(3, rounds=15, progress=lambda *done: seen.append(done)) == bet.ruin(3, rounds=15)
    assert seen[:10] == [(done, 15) for done in range(1, 11)]
    assert (seen[-1], seen) == ((15, 15), sorted(seen))
    seen.clear()
    bet.paths(10, paths=6, stake=pf.bets.Martingale(), progress=lambda *done: seen.append(done))
    assert [total for _, total in seen] == [60] * len(seen)
    assert sorted(seen) == seen
    assert seen[-1] == (60, 60)


def test_a_long_ruin_of_a_system_can_be_watched_and_stopped():
    """Oscar's grind has 4 million pairs of state and bankroll after 71 rounds."""

    class Grind(pf.bets.BettingSystem):
        start = (0, 1)

        def bet(self, state):
            return state[1]

        def after(self, state, back):
            won, stake = state[0] + (state[1] if back > 1 else -state[1]), state[1]
            return self.start if won > 0 else (won, min(stake + 1, 1 - won) if back > 1 else stake)

    def stop(done, total):
        if done == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pf.Dice().bet(1.98, under=50).ruin(100, target=200, system=Grind(), progress=stop)


@pytest.mark.parametrize(
    "system",
    [
        *(pf.bets.Martingale(1, 3), pf.bets.Proportional(0.07), Labouchere()),
        *(pf.bets.Flat(Fraction(150, 7)), pf.bets.Flat(Fraction(150, 11))),  # no floats
    ],
)
def test_paths_of_systems_are_those_of_single_players(system):
    """Each path has its own state; checked in Fractions."""
    bet = pf.Plinko(pins=8).bet([10, 3, 1, 0.5, 0.4, 0.5, 1, 3, 10])
    rounds, count, bankroll = 60, 25, Fraction(150)
    found = bet.paths(rounds, paths=count, bankroll=150, stake=system, seed="players")
    backs = bet.draw(rounds * count, seed="players").reshape(count, rounds)
    for path in range(count):
        have, state = bankroll, system.begin(bankroll)
        for place, back in enumerate(backs[path].tolist()):
            stake = Fraction(system.bet(state))
            if stake <= have:
                won = Fraction(back, bet.unit)
                have, state = have + stake * (won - 1), system.after(state, won)
            assert found.values[path, place + 1] == float(have)
        assert found.is_ruined[path] == (Fraction(system.bet(state)) > have or have <= 0)


def test_stakes_of_systems_must_be_above_zero():
    for bad in (lambda history: 0, lambda history: -1, lambda history: "x", lambda history: math.nan):
        with pytest.raises((ValueError, TypeError), match="system"):
            ruin_of_system(LAWS["fair"], bad, 10, 2)
    with pytest.raises(ValueError, match="must be"):
        pf.bets.Martingale(2, most=1)


# ---- methods of bets ----


def test_a_bet_asks_its_law(monkeypatch):
    bet = BETS["dice"]
    assert bet.ruin(3, rounds=4, exact=True) == ruin(bet.law, 3, 4, exact=True)
    assert bet.sum(3) == bet.law.sum(3)
    assert bet.maximum(3) == bet.law.maximum(3)
    assert bet.bankroll(500, 1000).mean() == pytest.approx(1000 + 500 * (bet.rtp - 1))
    assert pf.Double().bet({0: 7}).ruin_time(3).truncation_error < 1e-12
    # With hardly any edge, ruin comes late.
    monkeypatch.setattr("provably_fair.bets.ruin._MAX_ROUNDS", 1000)
    with pytest.raises(ValueError, match="rounds"):
        pf.Crash().bet(cash_out=2).ruin_time(1000)


def test_ruin_comes_after_as_many_lost_bets_as_there_are_stakes():
    """For a coin that pays 2, by the ballot theorem: b / n of the paths with (n - b) / 2 wins in n bets."""
    found = ruin_time(pf.Distribution([0, 2], [6, 4]), 3)
    lost, won, whole = 0.6, 0.4, 1.0
    for n in range(3, 60, 2):
        wins = (n - 3) // 2
        chance = 3 / n * math.comb(n, wins) * won**wins * lost ** (n - wins) / whole
        assert found.pmf(n) == pytest.approx(chance, rel=1e-9)
    assert found.outcomes[0] == 3
    assert found.pmf([4, 6]).tolist() == [0, 0]


def test_falls_that_are_all_listed_are_truncated_nowhere():
    coin = pf.Distribution([0, 2], [1, 1])
    assert drawdown(coin, 10).truncation_error == 0
    assert 0 < drawdown(coin, 1000).truncation_error < 1e-12


def test_sums_of_too_many_bets_are_refused_rather_than_widened():
    """A grid so coarse that it widens a law would make each p-value large; before, the normal law holds."""
    bet = pf.bets.Bet(pf.Distribution([0, 1, 3], [40, 45, 15]))

    def below(n: int) -> float:
        return bet.test(total=round(0.9 * n - bet.std * math.sqrt(n)), rounds=n, alternative="less")

    assert below(10**9) == pytest.approx(0.158655, abs=1e-5)
    with pytest.raises(ValueError, match="rounds must be fewer: the sum of so many bets"):
        below(10**12)
