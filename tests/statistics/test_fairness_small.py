"""Fairness tests without asymptotics: small samples, rare outcomes, other distributions, blocks and lags."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from hypothesis import example, given, settings, strategies as st
from provably_fair._core.counts import as_places, bincount
from provably_fair.distribution.sequences import LawSequence
from provably_fair.operators import fpclub
from provably_fair.statistics import resampling
from provably_fair.statistics.registry import TESTS as ALL, reported_results
from provably_fair.statistics.resampling import Limit, Trial, categorical, judge
from provably_fair.statistics.sequence_tests import Scores
from provably_fair.statistics.sequences import material_of

stats = pytest.importorskip("scipy.stats")

measure_fairness = pytest.importorskip("measure_fairness")
FAIR = measure_fairness.FAIR
MEASURED = json.loads(measure_fairness.RESULTS.read_text(encoding="utf-8"))
X50 = pf.X50()
TESTS = {test.name: test.function for test in ALL if test.reported and not test.of}


def sequence(codes, law):
    return LawSequence("values", np.array(codes), np.array([float(chance) for chance in law]))


# Samples of any size


@pytest.mark.parametrize("rounds", [10, 20, 60, 200])
@pytest.mark.parametrize("subject", FAIR)
def test_small_samples_have_a_report(subject, rounds):
    report = pf.fairness_report(**FAIR[subject](rounds, "small"))
    assert report.ok
    assert report.rounds == rounds
    names = {(test.name, test.sequence) for test in report.tests}
    assert not names & {(test.name, test.sequence) for test in report.skipped}
    for test in report.tests:
        assert 0 <= test.pvalue_below <= test.pvalue <= test.adjusted <= 1


def test_a_report_names_what_the_sample_is_too_small_for():
    report = pf.fairness_report(X50.simulate(30), X50)
    needed = {test.name: test.needed for test in report.skipped}
    assert needed["overlaps"] == 64  # eight ranges: each pair is expected once
    assert needed["serial correlation, all lags"] == 40
    assert "Too few values for: " in report.verdict
    assert "overlaps (outcomes, from 64)" in report.verdict
    assert report.to_dict()["skipped"][0] == {"name": "overlaps", "sequence": "outcomes", "needed": 64}
    # From that size on, the test is available.
    for name, least in needed.items():
        assert name in {test.name for test in pf.fairness_report(X50.simulate(least), X50).tests}
    assert pf.fairness_report(X50.simulate(200), X50).skipped == ()


EVEN = pf.Distribution(range(10_001), [1] * 10_001)
WEIGHTS = st.one_of(
    st.integers(1, 200).map(lambda kinds: [1] * kinds),
    st.lists(st.integers(1, 50), min_size=1, max_size=90),
    st.builds(lambda rare, kinds: [10**rare] + [1] * kinds, st.integers(1, 25), st.integers(1, 40)),
    st.integers(2, 60).map(lambda kinds: [2**place for place in range(kinds)]),
)
SIZES = st.one_of(st.integers(1, 130), st.sampled_from([200, 499, 500, 700]))
ORDERS = {
    "fair": lambda law, n, rng: np.asarray(law.rvs(n, rng=rng)),
    "one": lambda law, n, rng: np.full(n, rng.integers(len(law))),
    "each": lambda law, n, rng: np.arange(n) % len(law),
    "other": lambda law, n, rng: rng.integers(len(law), size=n),
}


def verdicts(data, law):
    """Each test's verdict: the number of values it needs, or a p-value, of which both ends are checked."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:  # fewer fair samples: their number isn't tested here
        patch.setattr(resampling, "_MOST_SAMPLES", 300)
        patch.setattr(resampling, "_FEWEST_SAMPLES", 150)
        results = list(reported_results(material_of(data, law)))
    for test, _, said in results:
        if isinstance(said, int):
            assert said > len(data)
        else:
            assert 0 <= said.below <= said.pvalue * (1 + 1e-9) <= 1 + 1e-9, test.name
        found[test.name] = said if isinstance(said, int) else "p-value"
    return found


@settings(max_examples=40)
@given(
    st.one_of(st.none(), WEIGHTS.map(lambda weights: pf.Distribution(range(len(weights)), weights))),
    SIZES,
    st.sampled_from(sorted(ORDERS)),
    st.integers(0, 99),
)
@example(EVEN, 200, "fair", 6)
@example(EVEN, 200, "each", 0)  # all values differ
@example(None, 1, "fair", 0)
@example(pf.Distribution([0, 1], [10**20, 1]), 30, "other", 0)
def test_every_test_has_a_pvalue_or_too_few_values_whatever_the_data(law, n, order, seed):
    rng = np.random.default_rng(seed)
    if law is None:
        data, other = rng.random(n), np.full(n, 0.5)
    else:
        data, other = ORDERS[order](law, n, rng), law.rvs(n, rng=seed)
    said = verdicts(data, law)
    # Which tests exist depends on the distribution and the number of values only.
    assert said == verdicts(other, law)


LARGE_AND_SMALL = [
    *(pf.Mines(mines=24), pf.Mines(mines=1), pf.Tower(mines=4), pf.Slot(spins=2)),
    *(pf.Plinko(balls=2), pf.Plinko(pins=8)),
    *(pf.Jackpot(tickets=tickets) for tickets in (1, 10, 2**53)),
]


@pytest.mark.parametrize("game", [*(make() for make in pf.operators.salted.GAMES.values()), *LARGE_AND_SMALL])
def test_every_game_has_a_report_of_any_number_of_rounds(game):
    report = pf.fairness_report(game.simulate(2000, seed="report"), game)
    assert report.ok
    assert all(test.null and test.source for test in report.tests)
    for rounds in (10, 27):
        sets = [pf.fairness_report(game.simulate(rounds, seed=seed), game) for seed in range(2)]
        assert len({report.skipped for report in sets}) == 1
        assert all(0 <= test.pvalue <= 1 for report in sets for test in report.tests)


def test_fair_dice_have_a_report():
    """If all values differ the largest count is 1, which all counts reach."""
    dice = pf.Dice()
    data = [dice.simulate(200, seed=seed) for seed in range(60)]
    assert len(np.unique(data[6])) == 200
    assert pf.fairness_report(data[6], dice)["largest cell"].pvalue == 1
    alone = [sample for sample in data if len(np.unique(sample)) == 200]
    # The birthday problem: 200 of 10,001 numbers all differ with probability about one in seven.
    assert 1 < len(alone) < 20
    assert all(pf.fairness_report(sample, dice)["largest cell"].pvalue == 1 for sample in alone)


def test_values_of_which_none_is_possible():
    for test in TESTS.values():
        found = test(sequence([-1] * 50, [Fraction(1, 3)] * 3))
        assert found is None or isinstance(found, int) or 0 <= found.limit.pvalue[0] <= 1
    assert TESTS["largest cell"](sequence([-1] * 5, [Fraction(1, 2)] * 2)).limit.pvalue[0] == 0


def test_the_largest_of_many_kinds_of_cells_is_never_too_small():
    """With too many different cell probabilities to compute, a union bound is used."""
    law = [Fraction(weight, 5050) for weight in range(1, 101)]
    for value in range(100):  # one value only: that of an equally improbable cell
        (pvalue,) = TESTS["largest cell"](sequence([value], law)).limit.pvalue
        assert pvalue >= sum(law[: value + 1]) * Fraction(1 - 1e-9)


@pytest.mark.parametrize(
    "data",
    [np.full(10, 7), np.arange(40) % 5, np.repeat([1, 50], 15), np.full(12, 99), X50.simulate(60) // 2],
    ids=["constant", "cycle of 5", "two halves", "no outcome", "lower half"],
)
def test_plainly_unfair_small_samples_are_rejected(data):
    assert not pf.fairness_report(data, X50).ok


# P-values by fair samples


def test_ranks_among_fair_samples_are_valid_at_every_level():
    """On fair data, P(p-value <= level) <= level, by exact counting.

    The statistic is the index among equally probable values, so that all ranks are known.
    """
    n, levels = 2000, [0.001, 0.01, 0.05, 0.2, 0.5]
    found = np.array(
        [
            judge(
                Trial(
                    Limit(np.zeros(1), np.array([value]), "law"), 10, lambda random, size: random.random(size)
                ),
                np.array([row]),
                "rank",
            ).pvalue
            for row, value in enumerate(np.random.default_rng(3).random(n))
        ]
    )
    for level in levels:
        assert (found <= level).sum() <= stats.binom.ppf(1 - 1e-4, n, level)
        assert (found <= level).sum() >= stats.binom.ppf(1e-4, n, level * 0.9)


def test_a_rank_is_the_exact_pvalue():
    """Runs of 12 tosses: compared with all 4096 sequences, the ranks match the exact p-values."""
    coin = [Fraction(1, 2)] * 2

    def runs(tosses):
        ones, n = sum(tosses), len(tosses)
        if ones in (0, n):
            return 2.0**-11
        mean = 1 + Fraction(2 * ones * (n - ones), n)
        variance = (mean - 1) * (mean - 2) / (n - 1)
        apart = abs(len(list(itertools.groupby(tosses))) - mean)
        return 2 * stats.norm.sf(max(float(apart) - 0.5, 0) / math.sqrt(variance))

    every = np.array([runs(tosses) for tosses in itertools.product((0, 1), repeat=12)])
    for tosses in ([0, 1] * 6, [0] * 6 + [1] * 6, [0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0]):
        data = sequence(tosses, coin)
        found = judge(TESTS["runs"](data), data.values, "runs")
        exact = float((every <= runs(tosses) * (1 + 1e-9)).mean())
        # Sampling stops at 30 more extreme samples, so their number is negative binomial; five standard
        # deviations.
        assert abs(found.pvalue - exact) < 5 * exact / math.sqrt(30)


def test_limits_hold_for_large_samples_of_even_laws():
    big = pf.fairness_report(X50.simulate(3000, seed="big"), X50)
    assert not any("fair samples" in test.null for test in big.tests)
    small = pf.fairness_report(X50.simulate(100, seed="big"), X50)
    assert "by fair samples" in small["serial correlation"].null


def test_walkers_tables_draw_by_the_probabilities():
    chances = np.arange(1.0, 41) / 820
    drawn = categorical(np.random.default_rng(1), chances, (400, 500))
    assert stats.chisquare(bincount(drawn.ravel(), minlength=40), 200_000 * chances).pvalue > 1e-3
    few = categorical(np.random.default_rng(1), np.array([0.5, 0.0, 0.3, 0.2]), (400, 500))
    counts = bincount(few.ravel(), minlength=4)
    assert counts[1] == 0
    assert stats.chisquare(counts[[0, 2, 3]], [100_000, 60_000, 40_000]).pvalue > 1e-3


def test_a_test_that_neither_limit_nor_samples_can_decide_is_left_out():
    law = [Fraction(1, 10**6), 1 - Fraction(1, 10**6)]
    data = np.ones(200_000, dtype=np.int64)
    trial = TESTS["serial correlation"](sequence(data, law))
    # The fourth moment of the scores is about 1e6; 30 times its square is the size for the limit law.
    assert judge(trial, data, "serial correlation") == pytest.approx(30 * 1e12, rel=1e-4)


# The largest cell


@pytest.mark.parametrize(
    ("law", "n"), [([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], 9), ([Fraction(1, 4)] * 4, 8)]
)
def test_the_largest_cell_against_every_possible_sample(law, n):
    def tail(count, chance):
        return sum(math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(count, n + 1))

    table = {}
    for counts in itertools.product(range(n + 1), repeat=len(law)):
        if sum(counts) == n:
            weight = Fraction(math.factorial(n))
            for count, chance in zip(counts, law, strict=True):
                weight *= chance**count / math.factorial(count)
            least = min(tail(count, chance) for count, chance in zip(counts, law, strict=True) if count)
            table[counts] = least, weight
    for counts, (least, _) in table.items():
        limit = TESTS["largest cell"](sequence(np.repeat(np.arange(len(law)), counts), law)).limit
        exact = float(sum(weight for other, weight in table.values() if other <= least))
        beyond = float(sum(weight for other, weight in table.values() if other < least))
        assert limit.pvalue[0] == pytest.approx(exact, rel=1e-4, abs=1e-12)
        assert limit.below[0] == pytest.approx(beyond, rel=1e-4, abs=1e-12)


@pytest.mark.parametrize(("kinds", "n"), [(25, 2000), (54, 20_000), (1000, 30_000)])
def test_the_law_of_the_largest_cell_is_that_of_simulated_counts(kinds, n):
    random = np.random.default_rng(kinds)
    largest = random.multinomial(n, np.full(kinds, 1 / kinds), size=2000).max(axis=1)
    for share in (0.1, 0.5, 0.9):
        limit = int(np.quantile(largest, share))
        counts = np.full(kinds, 0)
        counts[0] = limit
        rest = n - limit
        counts[1:] = rest // (kinds - 1)
        counts[1 : 1 + rest % (kinds - 1)] += 1
        data = sequence(np.repeat(np.arange(kinds), counts), [Fraction(1, kinds)] * kinds)
        found = float(TESTS["largest cell"](data).limit.pvalue[0])
        seen = int((largest >= limit).sum())
        assert stats.binomtest(seen, 2000, found).pvalue > 1e-3


def test_the_largest_cell_is_between_independent_counts_and_the_sum_over_cells():
    counts = bincount(X50.simulate(5000, seed="cells"), minlength=54)
    counts[7] += 45
    data = np.repeat(np.arange(54), as_places(counts))
    n = len(data)
    tails = stats.binom.sf(counts - 1, n, 1 / 54)
    test = pf.fairness_report(data, X50)["largest cell"]
    within = float(tails.min())
    assert 1 - (1 - within) ** 54 <= test.pvalue * (1 + 1e-9)
    assert test.pvalue <= 54 * within
    assert test.statistic == pytest.approx((counts[7] - n / 54) / math.sqrt(n * 53 / 54**2))


def test_a_biased_sector_is_seen_where_chi_square_does_not_see_it():
    data = X50.simulate(5000, seed="sector1")
    data[np.random.default_rng(1).random(5000) < 0.01] = 7
    report = pf.fairness_report(data, X50)
    assert report["largest cell"].rejected
    assert not report["chi-square (equidistribution)"].rejected


# All lags


def test_all_lags_by_hand():
    data = X50.simulate(3000, seed="lags")
    scores = [(value - 26.5) / math.sqrt((54**2 - 1) / 12) for value in data.tolist()]
    largest = max(
        abs(sum(a * b for a, b in zip(scores, scores[lag:], strict=False))) / math.sqrt(3000 - lag)
        for lag in range(1, 751)
    )
    test = pf.fairness_report(data, X50)["serial correlation, all lags"]
    assert test.statistic == pytest.approx(largest)
    assert test.pvalue == pytest.approx(1 - (1 - 2 * stats.norm.sf(largest)) ** 750)


def test_an_echo_from_far_is_seen():
    data = X50.simulate(4000, seed="echo")
    choice = np.random.default_rng(4)
    for row in range(613, 4000):
        if choice.random() < 0.12:
            data[row] = data[row - 613]
    report = pf.fairness_report(data, X50)
    assert report["serial correlation, all lags"].rejected
    assert not report["serial correlation, lags 2-10"].rejected
    assert not report["neighbours equal"].rejected


def test_the_fourth_moment_of_scores():
    law = [Fraction(7, 10), Fraction(2, 10), Fraction(1, 10)]
    ranks = [
        Fraction(35, 100) - Fraction(1, 2),
        Fraction(80, 100) - Fraction(1, 2),
        Fraction(95, 100) - Fraction(1, 2),
    ]
    second = sum(p * r**2 for p, r in zip(law, ranks, strict=True))
    fourth = sum(p * r**4 for p, r in zip(law, ranks, strict=True))
    assert Scores(sequence([0, 1, 2], law)).kurtosis == pytest.approx(float(fourth / second**2))


# Repeated blocks


def longest_repeat(values):
    n = len(values)
    for length in range(n - 1, 0, -1):
        blocks = [tuple(values[i : i + length]) for i in range(n - length + 1)]
        if len(set(blocks)) < len(blocks):
            return length
    return 0


@pytest.mark.parametrize("kinds", [2, 3, 10, 1000])
def test_the_longest_repeated_block_by_trying_all(kinds):
    random = np.random.default_rng(kinds)
    for size in (20, 21, 33, 64, 65):
        values = random.integers(kinds, size=size)
        limit = TESTS["block repeats"](sequence(values, [Fraction(1, kinds)] * kinds)).limit
        assert limit.statistic[0] == longest_repeat(values.tolist())
    for values in ([3] * 25, [0, 1] * 15, list(range(10)) * 3):
        limit = TESTS["block repeats"](sequence(np.array(values) % kinds, [Fraction(1, kinds)] * kinds)).limit
        assert limit.statistic[0] == longest_repeat([value % kinds for value in values])


@pytest.mark.parametrize("law", [[Fraction(1, 2)] * 2, [Fraction(2, 3), Fraction(1, 3)]])
def test_the_expected_number_of_repeated_blocks_over_all_sequences(law):
    from provably_fair.statistics.sequence_tests import _repeats_expected

    n = 8
    for length in range(1, 8):
        expected = Fraction(0)
        for values in itertools.product(range(2), repeat=n):
            pairs = sum(
                values[i : i + length] == values[j : j + length]
                and (i == 0 or values[i - 1] != values[j - 1])
                for i in range(n)
                for j in range(i + 1, n - length + 1)
            )
            expected += pairs * math.prod(law[value] for value in values)
        found = _repeats_expected(np.array([float(chance) for chance in law]), n, length)
        assert found == pytest.approx(float(expected))


@pytest.mark.thorough
@pytest.mark.parametrize("rounds", [1005, 1400])
@pytest.mark.parametrize("game", [X50, pf.Dice(), pf.Mines(1), pf.Plinko(pins=8), None], ids=repr)
def test_a_cycle_of_997_is_seen_within_two_periods(game, rounds):
    if game is None:
        data = pf.seeds.random_numbers("server", "client", pf.salts(997, "cycle"), 1)
    else:
        data = game.simulate(997, seed="cycle")
    if isinstance(game, pf.Plinko):
        rounds += 20  # nine buckets with most balls in three: longer blocks recur by chance
    report = pf.fairness_report(np.concatenate([data, data])[:rounds], game)
    assert report["block repeats"].rejected
    assert report["block repeats"].statistic >= rounds - 997


# Equal neighbors, exactly


def test_few_equal_neighbors_have_a_binomial_law():
    data = X50.simulate(600, seed="neighbors")
    count = int((data[1:] == data[:-1]).sum())
    test = pf.fairness_report(data, X50)["neighbours equal"]
    mean = Fraction(599, 54)
    law = [Fraction(math.comb(599, k) * 53 ** (599 - k), 54**599) for k in range(600)]
    exact = sum(chance for k, chance in enumerate(law) if abs(k - mean) >= abs(count - mean))
    beyond = sum(chance for k, chance in enumerate(law) if abs(k - mean) > abs(count - mean))
    assert test.pvalue == pytest.approx(float(exact))
    assert test.pvalue_below == pytest.approx(float(beyond))


# Other laws


def test_a_distribution_is_a_law():
    report = pf.fairness_report(pf.Dice().simulate(2000, seed="law"), pf.Dice().distribution())
    of_game = pf.fairness_report(pf.Dice().simulate(2000, seed="law"), pf.Dice())
    assert [test.pvalue for test in report.tests] == [test.pvalue for test in of_game.tests]
    assert report.game == "a distribution of 10,001 outcomes"
    loaded = pf.Distribution([1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 2])
    rolls = np.random.default_rng(1).integers(1, 7, size=(2000, 2))
    assert not pf.fairness_report(rolls, loaded).ok
    fair = pf.fairness_report(rolls, pf.Distribution(range(1, 7), [1] * 6))
    assert fair.ok
    assert "interplay correlation" in {test.name for test in fair.tests}


def test_data_of_another_law_are_refused():
    rolls = fpclub.HashedDice.generate(dice=100, rng=1).rolls
    pairs = DICE.distribution(of=lambda throws: throws @ [10, 1])
    assert pf.fairness_report(rolls @ [10, 1], pairs).ok
    with pytest.raises(ValueError, match="got none of them"):
        pf.fairness_report(rolls, pairs)


def test_an_outcome_without_weight_is_impossible():
    law = pf.Distribution([0, 1, 2], [1, 1, 0])
    report = pf.fairness_report([0, 1] * 50 + [2], law)
    assert report["chi-square (equidistribution)"].statistic == math.inf


def test_laws_by_row():
    coin, die = pf.Distribution([0, 1], [1, 1]), pf.Distribution(range(1, 7), [1] * 6)
    random = np.random.default_rng(8)
    laws = [coin, die] * 500
    data = np.array([law.outcomes[random.integers(len(law))] for law in laws])
    assert pf.fairness_report(data, laws).ok
    # Each distribution belongs to the other row.
    assert not pf.fairness_report(data, laws[::-1]).ok
    games = [pf.Jackpot(tickets=2), pf.Jackpot(tickets=6)] * 500
    winners = data + np.array([1, 0] * 500)
    assert pf.fairness_report(winners, games).tests[0].pvalue > 0.001
    with pytest.raises(TypeError, match="game must be a game"):
        pf.fairness_report(data, [pf.Mines()] * 1000)
    with pytest.raises(ValueError, match="game must be 1000 distributions, one for each row, got 2"):
        pf.fairness_report(data, [coin, die])
    with pytest.raises(TypeError, match=r"game must be a game such as Dice\(\)"):
        pf.fairness_report(data, [coin, 6])
    with pytest.raises(ValueError, match=r"game must be one of mines, .*did you mean 'dice'"):
        pf.fairness_report(data, [coin, "die"])


@pytest.mark.parametrize("most", [5, 2000, 10**15])
def test_tickets_by_round(most):
    tickets = np.random.default_rng(5).integers(1, most + 1, size=3000)
    game = pf.Jackpot()
    winners = game.simulate(3000, seed="by round", tickets=tickets)
    report = pf.fairness_report(winners, game, tickets=tickets)
    assert report.ok
    assert report.game == "jackpot with tickets by round"
    # A tenth of the tickets are shifted by one, but never the last one.
    assert not pf.fairness_report(np.where(winners > tickets * 0.9, 1, winners), game, tickets=tickets).ok
    impossible = winners.copy()
    impossible[100] = tickets[100] + 1
    assert pf.fairness_report(impossible, game, tickets=tickets).tests[0].statistic == math.inf


def test_quantiles_by_round_lie_between_the_laws_probabilities():
    tickets = np.array([2, 5, 10] * 20)
    winners = pf.Jackpot().simulate(60, tickets=tickets)
    (quantiles,) = pf.games.fairness.fairness_material(pf.Jackpot(), winners, tickets=tickets).sequences
    for number, winner, all_tickets in zip(quantiles.uniform, winners, tickets, strict=True):
        assert (winner - 1) / all_tickets <= number < winner / all_tickets


def test_pins_by_round():
    pins = np.random.default_rng(6).integers(8, 17, size=2000)
    game = pf.Plinko(balls=2)
    balls = game.simulate(2000, seed="pins", pins=pins)
    report = pf.fairness_report(balls, game, pins=pins)
    assert report.ok
    assert "interplay correlation" in {test.name for test in report.tests}
    assert not pf.fairness_report(balls, game, pins=16).ok
    assert pf.fairness_report(game.simulate(2000, pins=8), game, pins=8).game == "plinko:pins=8,balls=2"


@pytest.mark.parametrize(
    ("parameters", "error", "says"),
    [
        ({"tickets": [10] * 19}, ValueError, "tickets must be 20, one for each row of data, got 19"),
        ({"tickets": [10] * 19 + [0]}, ValueError, r"tickets\[19\] must be from 1 to"),
        ({"pins": 3}, TypeError, "pins"),
        ({"tickets": [1.5] * 20}, TypeError, "tickets"),
    ],
)
def test_bad_parameters(parameters, error, says):
    with pytest.raises(error, match=says):
        pf.fairness_report(pf.Jackpot().simulate(20), pf.Jackpot(), **parameters)


def test_parameters_are_for_games():
    with pytest.raises(TypeError, match="tickets is for games"):
        pf.fairness_report(np.random.default_rng(1).random(100), tickets=3)


# Dice of FPClub

DICE = fpclub.Dice()


def test_dice_of_fpclub():
    dice = fpclub.HashedDice.generate(dice=3000, rng=7)
    report = pf.fairness_report(dice, DICE)
    assert report.ok
    assert (report.game, report.title, report.rounds) == ("fpclub.dice", "FPClub's dice", 1500)
    assert {test.sequence for test in report.tests} == {"dice", "places"}
    odd_last_die = fpclub.HashedDice(dice.digits + "4")
    assert pf.fairness_report(odd_last_die, DICE) == report
    assert pf.fairness_report(dice.digits, DICE) == report
    faces = [int(digit) for digit in dice.digits]
    assert pf.fairness_report(faces, DICE) == report
    assert pf.fairness_report(np.array(faces), DICE) == report
    assert pf.fairness_report(dice.rolls, DICE) == report
    counts = Counter(faces)
    expected = stats.chisquare([counts[face] for face in range(1, 7)])
    assert report["chi-square (equidistribution)"].pvalue == pytest.approx(expected.pvalue)
    assert not pf.fairness_report(dice.digits.replace("1", "6", 150), DICE).ok


def test_dice_of_several_games_are_one_sequence():
    digits = [fpclub.HashedDice.generate(512, seed).digits for seed in range(4)]
    games = [fpclub.Combined(*digits[:2]), fpclub.Combined(*digits[2:])]
    report = pf.fairness_report(games, DICE)
    assert report.ok
    assert report.rounds == 512
    together = np.concatenate([game.rolls for game in games])
    assert pf.fairness_report(together, DICE) == report
    rigged = pf.fairness_report([fpclub.HashedDice("12" * 256)] * 2, DICE)
    assert not rigged.ok
    with pytest.raises(ValueError, match="data"):
        pf.fairness_report("1234567", DICE)


def test_a_module_is_no_game():
    cure = r"game must be a game such as provably_fair\.operators\.fpclub\.Dice\(\), got the module"
    for refuses in (
        lambda: pf.fairness_report("1234" * 9, fpclub),
        lambda: pf.verify({"outcome": [1]}, fpclub),
        lambda: pf.separating_rounds(fpclub),
    ):
        with pytest.raises(TypeError, match=cure):
            refuses()
    with pytest.raises(TypeError, match=r"such as provably_fair\.operators\.stake\.[A-Z]\w+\(\), got"):
        pf.fairness_report([1.0] * 20, pf.operators.stake)
    with pytest.raises(TypeError, match=r"^game must be a game, got the module math$"):
        pf.fairness_report([1.0] * 20, math)


# The level, as measured


def test_the_measured_level_is_kept():
    """The exact interval of each share of rejected fair sets includes the level or less."""
    rows = MEASURED["levels"]
    assert {row["subject"] for row in rows} == set(FAIR)
    assert {row["rounds"] for row in rows} >= {10, 30, 100, 500, 2000}
    for row in rows:
        count, sets, level = row["rejected"], row["sets"], Fraction(str(row["level"]))
        # Clopper-Pearson limits: probabilities of 2.5 % for that many or more, and for that many or fewer.
        if count:
            assert stats.binom.sf(count - 1, sets, row["low"]) == pytest.approx(0.025)
        else:
            assert row["low"] == 0
        assert stats.binom.cdf(count, sets, row["high"]) == pytest.approx(0.025)
        assert row["low"] <= level
    # Combined, no more than the level, well within chance.
    count, sets = (sum(row[name] for row in rows) for name in ("rejected", "sets"))
    assert stats.binom.sf(count - 1, sets, 0.01) > 0.01
    (most,) = [row for row in rows if row["sets"] == max(row["sets"] for row in rows)]
    assert (most["subject"], most["rounds"]) == ("54 equal outcomes", 500)
    assert most["high"] <= 0.0125


@pytest.mark.thorough
def test_the_level_measured_again():
    subjects = ["54 equal outcomes", "tickets by round"]
    rows = measure_fairness.level_kept(60, [20, 500], subjects, "anew")
    assert [row["sets"] for row in rows] == [60] * 4
    assert all(row["low"] <= 0.01 for row in rows)


def test_fair_samples_are_few_where_nothing_is_remarkable(monkeypatch):
    drawn = []

    def draw(random, size):
        drawn.append(size)
        return random.random(size)

    judge(Trial(Limit(np.zeros(1), np.array([0.6]), "law"), 10, draw), np.zeros(3), "cheap")
    assert sum(drawn) < 500
    assert resampling.SMALL == 500


# Floats of other lengths


def test_float32_is_the_decimal_that_it_is_shown_as():
    data = pf.Dice().simulate(200, seed="float32")
    law = pf.Dice().distribution()
    for game in (pf.Dice(), law, [law] * 200):
        expected = pf.fairness_report(data, game)
        assert pf.fairness_report(data.astype(np.float32), game) == expected
        assert pf.fairness_report(list(data.astype(np.float32)), game) == expected


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_numbers_of_few_bits_are_refused(kind):
    numbers = np.random.default_rng(1).random(1000)
    with pytest.raises(TypeError, match=f"must be float64 numbers, .* got {np.dtype(kind)}"):
        pf.fairness_report(numbers.astype(kind))


def test_outcomes_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"^data must have the shape \(N, 3\) of Mines"):
        pf.fairness_report(range(12), pf.Mines(3))
