"""Exact laws, held to integers and fractions in plain Python, to textbooks, and to simulations."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles import salted as reference
from oracles.salted import counts
from own_games import game_of
from scipy import stats

WORDS = 2**64
# Chi-square tests of fixed seeds: a fair one fails this level once in a million.
LEVEL = 1e-6


@pytest.mark.parametrize(
    ("game", "n"), [(pf.Double(), 15), (pf.Dice(), 10_001), (pf.X50(), 54), (pf.Jackpot(tickets=1000), 1000)]
)
def test_as_drawn_deviations_of_a_single_draw(game, n):
    law = game.distribution("as_drawn")
    assert law.weights == tuple(counts(n))
    deviations = [Fraction(count, WORDS) - Fraction(1, n) for count in counts(n)]
    assert sum(deviations) == 0
    assert any(deviations)
    ideal = game.distribution()
    assert ideal.weights == (1,) * n
    assert law.total_variation(ideal, exact=True) == sum(map(abs, deviations)) / 2


def test_as_drawn_deviation_of_the_plinko_coin():
    tails, heads = counts(2)
    assert heads > tails  # words just below 2**63 round up to one half
    law = pf.Plinko(pins=8).distribution("as_drawn")
    assert law.total == WORDS**8
    assert law.weights == tuple(math.comb(8, k) * heads**k * tails ** (8 - k) for k in range(9))


def test_as_drawn_mines_depend_on_the_cells():
    def hit(cells):
        weight = Counter()
        for path in itertools.product(range(25), range(24)):
            left = list(range(25))
            taken = [left.pop(index) for index in path]
            ways = counts(25)[path[0]] * counts(24)[path[1]]
            weight[len(set(taken) & set(cells))] += ways
        return weight

    game = pf.Mines(mines=2)
    for cells in ([0], [24], [3, 4, 20], range(0, 25, 2)):
        law = game.distribution("as_drawn", cells=list(cells))
        assert dict(zip(law.outcomes.tolist(), law.weights, strict=True)) == dict(hit(cells))
    assert game.survival(cells=[0], law="as_drawn") != game.survival(cells=[24], law="as_drawn")


def test_as_drawn_tower_rows():
    game = pf.Tower(mines=2)
    safe = Counter()
    for path in itertools.product(range(5), range(4)):
        left = list(range(5))
        taken = [left.pop(index) for index in path]
        for position in set(range(5)) - set(taken):
            safe[position] += counts(5)[path[0]] * counts(4)[path[1]]
    positions = [0, 4, 2]
    law = game.distribution("as_drawn", positions=positions, rows=3)
    chances = [Fraction(safe[position], WORDS**2) for position in positions]
    expected = [
        1 - chances[0],
        chances[0] * (1 - chances[1]),
        chances[0] * chances[1] * (1 - chances[2]),
        chances[0] * chances[1] * chances[2],
    ]
    assert [share for _, share in law] == expected
    assert law.total == WORDS**6


SUBJECTS = {
    "mines": {"cells": [0, 6, 12, 18, 24]},
    "tower": {"positions": [0, 1, 2, 3, 4] * 2},
    "slot": {"reel": 4},
}


@pytest.mark.parametrize("name", pf.operators.salted.GAMES)
@pytest.mark.parametrize("law", ["ideal", "as_drawn"])
def test_weights_add_up(name, law):
    distribution = pf.operators.salted.GAMES[name]().distribution(law, **SUBJECTS.get(name, {}))
    assert sum(distribution.weights) == distribution.total
    draws = {"mines": 3, "tower": 10, "plinko": 16}.get(name, 1)
    if law == "as_drawn":
        assert distribution.total == WORDS**draws
    else:
        ranges = {
            "mines": 25 * 24 * 23, "tower": 5**10, "slot": 41, "plinko": 2**16, "dice": 10_001, "double": 15,
            "jackpot": 1000, "crash": 10**6, "overgo": 10**6, "x50": 54,
        }  # fmt: skip
        assert distribution.total == ranges[name]


# ---- textbook laws ----


@pytest.mark.parametrize("pins", [8, 13, 16])
def test_plinko_is_binomial(pins):
    for law in ("ideal", "as_drawn"):
        distribution = pf.Plinko(pins=pins, balls=3).distribution(law)
        np.testing.assert_allclose(
            distribution.pmf(range(pins + 1)), stats.binom(pins, 0.5).pmf(range(pins + 1)), rtol=1e-12
        )
    assert pf.Plinko(pins=pins).distribution().var(exact=True) == Fraction(pins, 4)


@pytest.mark.parametrize(("mines", "cells"), [(1, 1), (3, 5), (10, 12), (24, 13), (24, 25), (5, 0)])
def test_mines_are_hypergeometric(mines, cells):
    textbook = stats.hypergeom(25, cells, mines)
    for chosen in (range(cells), range(25 - cells, 25)):
        for law in ("ideal", "as_drawn"):
            distribution = pf.Mines(mines=mines).distribution(law, cells=chosen)
            np.testing.assert_allclose(
                distribution.pmf(range(26)), textbook.pmf(range(26)), rtol=1e-12, atol=1e-15
            )


@pytest.mark.parametrize("mines", [1, 2, 3, 4])
def test_tower_rows_are_geometric(mines):
    safe = Fraction(5 - mines, 5)
    law = pf.Tower(mines=mines).distribution()
    assert [share for _, share in law] == [safe**k * (1 - safe) for k in range(10)] + [safe**10]


def test_wheels_and_dice():
    assert pf.Dice().distribution().mean(exact=True) == 50
    assert pf.Dice().distribution().var(exact=True) == Fraction(10_001**2 - 1, 12 * 100**2)
    assert pf.Dice().distribution(under=49.5).probability_between(1, 1, exact=True) == Fraction(4950, 10_001)
    assert pf.Dice().distribution(over=49.5).probability_between(1, 1, exact=True) == Fraction(5050, 10_001)
    assert pf.Double().distribution(sectors=[0, 1]).mean(exact=True) == Fraction(2, 15)
    assert pf.X50().distribution().var(exact=True) == Fraction(54**2 - 1, 12)


def test_jackpot_shares():
    for law in ("ideal", "as_drawn"):
        game = pf.Jackpot(tickets=1000)
        listed = game.distribution(law)
        for first, last in [(1, 1), (1, 1000), (17, 400), (1000, 1000)]:
            exact = Fraction(sum(listed.weights[first - 1 : last]), listed.total)
            assert game.probability_between(first, last, law, exact=True) == exact
            assert listed.probability_between(first, last, exact=True) == exact
            assert game.distribution(law, share=(first, last)).mean(exact=True) == exact
    large = pf.Jackpot(tickets=2**53)
    assert large.probability_between(1, 2**52, exact=True) == Fraction(1, 2)
    assert large.probability_between(1, 2**53, "as_drawn", exact=True) == 1
    last = large.probability_between(2**53, 2**53, "as_drawn", exact=True)
    assert large.distribution("as_drawn").probability_between(2**53, 2**53, exact=True) == last > 0
    listed = pf.Distribution(range(1, 1001), [1] * 1000)
    for first, last, tickets in [
        (0, 500, 500),
        (-5, 0, 0),
        (5, 4, 0),
        (1001, 2000, 0),
        (1000, 2000, 1),
        (-math.inf, 10, 10),
        (991, math.inf, 10),
        (-math.inf, math.inf, 1000),
        (math.inf, -math.inf, 0),
        (Fraction(5, 2), Fraction(7, 2), 1),
        (Fraction(5, 2), Fraction(14, 5), 0),
        (2.5, 4.0, 2),
        (Decimal("2.5"), 10**30, 998),
    ]:
        assert pf.Jackpot().distribution().probability_between(first, last, exact=True) == Fraction(
            tickets, 1000
        )
        assert listed.probability_between(first, last, exact=True) == Fraction(tickets, 1000)
    assert large.distribution().probability_between(0, 2**53 + 1, exact=True) == 1
    for wrong, error in [("a", TypeError), (None, TypeError), (math.nan, ValueError)]:
        for law in (large.distribution(), listed):
            with pytest.raises(error, match=r"^low must be"):
                law.probability_between(wrong, 5)
            with pytest.raises(error, match=r"^high must be"):
                law.probability_between(5, wrong)
    with pytest.raises(ValueError, match="tickets"):
        large.distribution().expect(lambda ticket: ticket)
    assert large.distribution().mean(exact=True) == Fraction(2**53 + 1, 2)
    with pytest.raises(ValueError, match="high"):
        large.probability_between(5, 4)


def test_laws_of_jackpots_are_values():
    law, small = pf.Jackpot(tickets=10**9).distribution(), pf.Jackpot(tickets=3).distribution()
    assert law == pf.Jackpot(tickets=10**9).distribution() == pickle.loads(pickle.dumps(law))
    assert hash(law) == hash(pf.Jackpot(tickets=10**9).distribution()) == hash(copy.deepcopy(law))
    assert law != pf.Jackpot(tickets=10**9 + 1).distribution()
    assert law != pf.Jackpot(tickets=10**9).distribution("as_drawn")
    assert law != "tickets"
    listed = pf.Distribution([1, 2, 3], [1, 1, 1])
    assert listed == small
    assert small == listed
    assert hash(small) == hash(listed)
    assert small != pf.Distribution([1, 2, 3], [1, 1, 2])
    assert law != listed
    assert listed != law


@pytest.mark.thorough
def test_slot_payouts():
    slot = pf.Slot(spins=3)
    for law in ("ideal", "as_drawn"):
        reels = [slot.distribution(law, reel=reel) for reel in range(5)]
        same = slot.distribution(law, payout=lambda stops: (stops[:, :4] == stops[:, 1:]).all(axis=1) * 100)
        equal = sum(math.prod(reel.weights[stop] for reel in reels) for stop in range(30))
        assert same.weights == (same.total - equal, equal)
        assert same.total == math.prod(reel.total for reel in reels)
    assert reels[4].weights == tuple(counts(41))


@pytest.mark.thorough
def test_slot_tables_and_windows():
    slot = pf.Slot()
    by_stops = slot.distribution(payout={(1, 2, 3, 4, 40): 5000, (0, 0, 0, 0, 0): 0.5})
    assert by_stops.expect(exact=True) == Fraction(50005, 10) / (30**4 * 41)
    top = slot.distribution(payout=lambda window: (window[:, 0, 4] == 40).astype(float), of="window")
    assert top.mean(exact=True) == Fraction(1, 41)
    with pytest.raises(ValueError, match="payout"):
        slot.distribution(payout=lambda stops: 1)


# ---- simulations ----


ROUNDS = 200_000


@pytest.mark.parametrize("name", pf.operators.salted.GAMES)
def test_many_rounds_fit_the_law(name):
    game = pf.operators.salted.GAMES[name]()
    if not game.shape or name == "plinko":
        law = game.distribution("as_drawn")
        result = law.chisquare(game.tally(ROUNDS, seed="law"))
    else:
        subject = SUBJECTS[name]
        law = game.distribution("as_drawn", **subject)
        observed = game.observe(game.simulate(ROUNDS, seed="law", dtype=np.int8), **subject)
        result = law.chisquare(Counter(observed.tolist()))
    assert result.dof >= 3
    assert LEVEL < result.pvalue < 1 - LEVEL


def test_a_wrong_law_is_noticed():
    tally = pf.Double().tally(100_000)
    # Sectors 15 to 53 never came up; no sector stands for those after it.
    found = pf.X50().distribution().chisquare(tally)
    expected = stats.chisquare([*tally.counts.tolist(), *[0] * 39])
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert (found.dof, found.pvalue) == (53, 0)
    # Sectors that Double doesn't have are impossible.
    assert pf.Double().distribution().chisquare(pf.X50().tally(1000)).statistic == math.inf
    crash = pf.Crash().tally(200_000)
    assert pf.Overgo().distribution().chisquare(crash).pvalue < LEVEL


# ---- crash ----


@pytest.mark.thorough
@pytest.mark.parametrize("game", [pf.Crash(), pf.Overgo()])
def test_crash_is_counted_step_by_step(game):
    law = game.distribution()
    expected = Counter(reference.all_coefficients_in_cents(game.name))
    assert dict(zip(np.rint(law.outcomes * 100).astype(int).tolist(), law.weights, strict=True)) == expected
    cash_outs = game.cash_outs("ideal")
    assert cash_outs.exact_atom == Fraction(expected[100], 10**6)
    for cents in (101, 150, 200, 201, 1000, 9900, 95_000_000):
        reached = sum(count for value, count in expected.items() if value >= cents)
        assert cash_outs.survival(cents / 100, exact=True) == Fraction(reached, 10**6)
        assert cash_outs.rtp(cents / 100, exact=True) == Fraction(reached * cents, 10**8)
        assert game.distribution(cash_out=cents / 100).mean(exact=True) == Fraction(reached * cents, 10**8)
    near = {cents: count for cents, count in expected.items() if cents <= 300}
    far = 10**6 - sum(near.values())
    returns = {
        cents: cents * (far + sum(count for value, count in near.items() if value >= cents))
        for cents in range(101, 301)
    }
    lowest, highest = cash_outs.extremes(1.01, 3.0, exact=True)
    assert (round(lowest[0] * 100), lowest[1] * 10**8) == min(
        returns.items(), key=lambda item: (item[1], item[0])
    )
    assert (round(highest[0] * 100), highest[1] * 10**8) == max(
        returns.items(), key=lambda item: (item[1], -item[0])
    )
    grid, rtps = cash_outs.rtps(1.01, 3.0)
    np.testing.assert_allclose(rtps, [returns[round(100 * x)] / 10**8 for x in grid], rtol=1e-14)


def test_crash_is_not_exponential():
    exponential, pareto = pf.Crash().cash_outs("as_drawn").exponential_distance()
    assert exponential > 0.1
    assert pareto < 0.01


@pytest.mark.parametrize(
    ("game", "ties"),
    [(pf.Crash(), [78.13, 390.63]), (pf.Overgo(), [3.13, 12.13, 60.63, 78.13, 303.13, 1515.63, 7578.13])],
)
def test_what_rounding_changes(game, ties):
    rounding = game.cash_outs().rounding()
    assert rounding.ties.tolist() == ties
    assert rounding.raised + rounding.lowered + rounding.kept == rounding.steps == 10**6
    assert 0 < rounding.largest < 0.005


@pytest.mark.parametrize(
    ("game", "outcomes", "error"),
    [
        (pf.Plinko(8, 2), [[99, 1]], ValueError),
        (pf.Plinko(8, 2), [[1, -1]], ValueError),
        (pf.Plinko(8, 2), [[1.0, 2.5]], ValueError),
        (pf.Dice(), ["a"], TypeError),
        (pf.Dice(), [True], TypeError),
        (pf.Dice(), [None], TypeError),
        (pf.Dice(), [50.0, 100.01], ValueError),
        (pf.Dice(), [math.nan], ValueError),
        (pf.Crash(), [0.99], ValueError),
        (pf.Crash(), [math.inf], ValueError),
        (pf.Double(), [15], ValueError),
        (pf.Double(), [1 + 1j], TypeError),
        (pf.Jackpot(tickets=5), [0], ValueError),
        (pf.X50(), [54], ValueError),
    ],
)
def test_what_no_game_gives_is_not_observed(game, outcomes, error):
    with pytest.raises(error, match=r"^outcomes"):
        game.observe(outcomes)


def test_what_no_board_shows_is_not_observed():
    with pytest.raises(ValueError, match=r"^outcomes\[1\] must be an outcome of Plinko"):
        pf.Plinko(8, 2).observe([[8, 1], [99, 1]], payout=range(9))
    for game, wrong, subject in [
        (pf.Mines(), 25, {"cells": [1]}),
        (pf.Tower(), 5, {"positions": 0}),
        (pf.Slot(), 30, {"reel": 4}),
    ]:
        with pytest.raises(ValueError, match=r"^outcomes\[2\] must be"):
            game.observe(np.stack([*game.simulate(2), np.full(game.shape, wrong)]), **subject)
    assert pf.Slot().observe([[[29, 29, 29, 29, 40]]], reel=4).tolist() == [40]
    # Whole numbers, as a file of numbers may hold them.
    assert pf.Plinko(8, 2).observe([[1.0, 2.0]], payout=range(9)).tolist() == [1, 2]
    assert pf.Dice().observe([0, 100], under=50).tolist() == [1, 0]
    assert pf.Mines().observe(np.zeros((0, 3)), cells=[1]).shape == (0,)


def test_ranges_that_are_refused_by_name():
    cash_outs = pf.Crash().cash_outs()
    for call in (cash_outs.extremes, cash_outs.rtps):
        with pytest.raises(ValueError, match=r"^most must be"):
            call(5, 2)


def test_cash_outs_are_values():
    cash_outs = pf.Crash().cash_outs("as_drawn")
    assert pickle.loads(pickle.dumps(cash_outs)) == cash_outs != pf.Crash().cash_outs("ideal")
    assert len({cash_outs, pf.Crash().cash_outs("as_drawn")}) == 1


def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    for game in (pf.Double(), pf.Crash()):
        ax = pyplot.subplots()[1]
        assert game.distribution().plot(game.tally(1000), ax=ax) is ax
        assert ax.has_data()
    ax = pf.Crash().cash_outs().plot(most=5)
    assert ax.has_data()


# ---- subjects, biases, simulations of bets ----


def test_a_law_of_a_slot_is_of_a_reel_or_a_payout():
    with pytest.raises(TypeError, match="reel"):
        pf.Slot().distribution()


def test_bias_table():
    table = pf.statistics.bias_table()
    assert [bias.game.name for bias in table] == list(pf.operators.salted.GAMES)
    assert all(0 < abs(bias.relative) < Fraction(1, 10**9) for bias in table)
    double = table[list(pf.operators.salted.GAMES).index("double")]
    biases = [Fraction(count * 15, WORDS) - 1 for count in counts(15)]
    assert abs(double.relative) == max(map(abs, biases))


def test_cash_outs_as_a_frame():
    cash_outs = pf.Crash().cash_outs()
    frame = cash_outs.to_pandas()
    assert frame["reached"].tolist() == cash_outs.survival(frame["cash-out"].to_numpy()).tolist()
    assert np.allclose(frame["return"], frame["cash-out"] * frame["reached"], rtol=1e-12)


# ---- laws by programs, beside a count of all answers ----


def _law_of(rule, *ranges):
    """Return the ideal law of a rule, a function of draws below n, by trying all answers."""
    counted = {}
    with np.errstate(all="ignore"):
        for answers in itertools.product(*map(range, ranges)):
            value = rule(*(np.array([answer], np.int64) for answer in answers)).tolist()[0]
            counted[value] = counted.get(value, 0) + Fraction(1, math.prod(ranges))
    return counted


@pytest.mark.parametrize(
    "rule",
    [
        lambda a, b, c: np.minimum(1 / a + b, 5.0) + c,  # 1 / 0 on the way
        lambda a, b, c: np.where(np.isnan(a / b), 7.0, np.minimum(a / b, 9.0)) + c,
        lambda a, b, c: np.copysign(1.0, (a - 1) * (0.0 * b)) + c,  # zeros of both signs
        lambda a, b, c: np.maximum(1 / ((a - 1) * (0.0 * b)), -9.0).clip(-9.0, 9.0) * (c + 1),
        lambda a, b, c: a * 0.1 + b * 0.1 + c * 0.1,  # sums that are rounded
        lambda a, b, c: a * 2**62 + b * 2**62 + c * 2**62,  # integers that overflow
        lambda a, b, c: (a + b) * (a - c),  # draws that both factors have
        lambda a, b, c: (a > 0) | (b > 0) & (c > 1),
    ],
)
def test_laws_by_programs_are_those_of_all_answers(rule):
    class Own(pf.Game):
        def outcome(self, draws):
            with np.errstate(all="ignore"):
                return rule(draws.below(3), draws.below(4), draws.below(2))

    assert dict(Own().distribution()) == _law_of(rule, 3, 4, 2)


class Exchanged(pf.games.kinds.SampleGame):
    """Three of thirty numbers, the last of which is another one in a single case."""

    size, count = 30, 3

    def outcome(self, draws):
        drawn = draws.sample(30, 3)
        case = (drawn == np.array([4, 8, 15])).all(axis=1)
        return np.where(case[:, np.newaxis], np.array([4, 8, 0]), drawn)


def test_hits_are_counted_by_formula_only_of_what_is_a_sample():
    assert Exchanged().distribution(hits={0}).weights == (21923, 2437)


def test_outcomes_from_the_least_to_the_largest_integer_are_listed():
    least, most = -(2**63), 2**63 - 1
    ends = np.array([most, least])  # where numpy's own integers have 32 bits, `np.where` cuts those of Python
    game = game_of(lambda draws: ends[draws.each(2).coin()])
    assert game.distribution().outcomes[1:3].tolist() == [(least, most), (most, least)]


def test_values_of_weight_0_stay_in_sums():
    pair = game_of(lambda draws: np.stack([draws.weighted([0, 3, 0, 5]), draws.weighted([1, 0, 1])], axis=1))
    law = pair.distribution(of=lambda pair: pair.sum(axis=1))
    assert (law.outcomes.tolist(), law.weights) == ([0, 1, 2, 3, 4, 5], (0, 3, 0, 8, 0, 5))


def test_infinite_outcomes_and_functions_that_bend_are_told_as_before():
    class Odds(pf.Game):
        def outcome(self, draws):
            with np.errstate(all="ignore"):
                return 1 / draws.below(4) + draws.below(2)

    with pytest.raises(pf.games.UnlistedLawError, match="its outcome may be infinite"):
        Odds().distribution()
    assert Odds().distribution(of=lambda odds: np.minimum(odds, 9)).outcomes[-1] == 9
    with pytest.raises(pf.games.UnlistedLawError, match="its outcome may be infinite"):
        game_of(lambda draws: -1 / draws.below(3)).distribution()
    with pytest.raises(pf.games.UnlistedLawError, match="its outcome may be NaN"):
        game_of(lambda draws: np.sqrt(draws.below(3) - 1)).distribution()
    for rule in (lambda draws: draws.below(3), lambda draws: draws.each(2).below(3)[:, 0]):
        with pytest.raises(ValueError, match=r"^of must return finite values, got inf"):
            game_of(rule).distribution(of=lambda outcomes: np.where(outcomes == 0, np.inf, 1.0))

    tens = game_of(lambda draws: np.floor(draws.number() * 10))
    with pytest.raises(pf.games.UnlistedLawError, match="asks for number"):
        tens.distribution(of=lambda tens: np.array([value % 2 for value in tens.tolist()]))
    # The payout of 2 changes at each of the nine steps of the number.
    steps = tens.bet({1: 2}, of=lambda tens: tens % 2, law="ideal").law_error
    once = tens.bet({1: 2}, of=lambda tens: tens > 4, law="ideal").law_error
    assert steps == 9 * once > 0


def test_the_own_laws_of_parts_make_the_law_of_all():
    for flips in (1, 5):
        law = pf.operators.betkyo.Koban(flips=flips).distribution()
        assert (len(law), law.total) == (2**flips, 2**flips)
    assert pf.operators.stake.Tarot().bet().law_kind == "as_drawn"
    assert float(pf.operators.stake.Packs().bet().rtp) == pytest.approx(0.9995, abs=1e-4)


def test_a_reshape_that_changes_nothing_keeps_parts_apart():
    coins = game_of(lambda draws: draws.each(60).below(2))
    law = coins.distribution(of=lambda coins: coins.reshape(len(coins), -1).sum(axis=1))
    assert law.weights == tuple(math.comb(60, heads) for heads in range(61))


class _ByType(pf.Game):
    choice: object = 1
    vectorized = False

    def outcome(self, draws):
        return draws.below(2) + ["0", "1", "True", "1.0", "0.0", "-0.0"].index(repr(self.choice))


class _ReadByType(_ByType):
    vectorized = True

    def __repr__(self):
        return "ReadByType"


@pytest.mark.parametrize("cls", [_ByType, _ReadByType])
def test_equal_games_of_other_types_have_laws_of_their_own(cls):
    choices = (1, True, 1.0, 0.0, -0.0)
    laws = [cls(choice).distribution().outcomes.tolist() for choice in choices]
    assert laws == [[least, least + 1] for least in range(1, 6)]


def test_a_function_that_cannot_be_read_is_called_with_the_outcomes_of_a_law():
    calls = []

    def paid(outcomes):
        calls.append(len(outcomes))
        return [min(value, 5.0) // 2 for value in outcomes.tolist()]

    game = pf.operators.stake.Limbo()
    law = game.distribution(of=paid)
    assert law == game.distribution(of=lambda outcomes: np.minimum(outcomes, 5) // 2)
    assert sum(calls) < 1 << 20  # of 2**24 answers


def test_values_of_a_function_have_room_whatever_type_outcomes_have():
    def hundreds(sectors):
        return abs(sectors - 7) * 100

    double = pf.Double()
    for dtype in ("uint8", "uint64"):
        sectors = double.simulate(20, seed="of", dtype=dtype)
        assert double.observe(sectors, of=hundreds).tolist() == hundreds(sectors.astype(int)).tolist()
    keno = pf.operators.stake.Keno().bet(lambda drawn: drawn[:, 0] * 100, law=None)
    drawn = keno.sampler.game.simulate(9, dtype="uint8")
    assert keno.returns(drawn).tolist() == (drawn[:, 0].astype(int) * 100).tolist()
    for game in (double, pf.operators.stake.Roulette()):
        with pytest.raises(ValueError, match="of must return what int64 holds"):
            game.distribution(of=lambda sectors: 10 ** (sectors + 6))
    assert pf.operators.stake.Roulette().distribution(of=lambda pocket: pocket**12).outcomes[-1] == 36**12
    assert double.distribution(of=lambda sectors: 10.0 ** (sectors + 6)).outcomes[-1] == 1e20
    assert double.distribution(of=lambda sectors: 10 ** (sectors + 4)).outcomes[-1] == 10**18
