"""The fairness tests against scipy and plain Python, and what they catch."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.calibration import DEFECTS, calibrate, defective
from provably_fair.statistics import avalanche, holm

stats = pytest.importorskip("scipy.stats")

ROUNDS = 6000
X50 = pf.X50()


@pytest.fixture(scope="module")
def wheel():
    return X50.simulate(ROUNDS, seed="wheel")


@pytest.fixture(scope="module")
def of_wheel(wheel):
    return pf.fairness_report(wheel, X50)


@pytest.fixture(scope="module")
def numbers():
    return pf.random_numbers("server", "client", pf.salts(1200, "numbers"))


@pytest.fixture(scope="module")
def of_numbers(numbers):
    return pf.fairness_report(numbers)


def cut(wheel, kinds):
    """Sectors as ranges of about equal probability, with exact probabilities."""
    sizes = Counter(int(Fraction(2 * sector + 1, 108) * kinds) for sector in range(54))
    codes = [int(Fraction(2 * sector + 1, 108) * kinds) for sector in wheel.tolist()]
    return codes, [Fraction(sizes[kind], 54) for kind in range(kinds)]


def pearson(counts, law, total):
    """Pearson's statistic with neighbours merged up to 5 expected ones, and its degrees of freedom."""
    cells, seen, awaited = [], 0, 0.0
    for count, chance in zip(counts, law, strict=True):
        seen, awaited = seen + count, awaited + float(chance) * total
        if awaited >= 5:
            cells.append([seen, awaited])
            seen, awaited = 0, 0.0
    cells[-1][0] += seen
    cells[-1][1] += awaited
    result = stats.chisquare([c[0] for c in cells], [c[1] for c in cells], sum_check=False)
    return result.statistic, result.pvalue


def same(test, statistic, pvalue):
    assert test.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-9)
    assert test.pvalue == pytest.approx(pvalue, rel=1e-7)


def test_frequency_is_scipys(wheel, of_wheel):
    expected = stats.chisquare(np.bincount(wheel, minlength=54))
    same(of_wheel["chi-square (equidistribution)"], expected.statistic, expected.pvalue)


def test_kolmogorov_is_scipys(numbers, of_numbers):
    expected = stats.kstest(numbers.ravel(), stats.uniform.cdf)
    same(of_numbers["Kolmogorov-Smirnov"], expected.statistic, expected.pvalue)


def test_overlaps(wheel, of_wheel):
    codes, law = cut(wheel, 8)
    n = len(codes)
    pairs = Counter(zip(codes, [*codes[1:], codes[0]], strict=True))
    singles = Counter(codes)
    both = sum(
        (pairs[a, b] - n * law[a] * law[b]) ** 2 / (n * law[a] * law[b])
        for a, b in itertools.product(range(8), repeat=2)
    )
    alone = sum((singles[a] - n * law[a]) ** 2 / (n * law[a]) for a in range(8))
    same(of_wheel["overlaps"], float(both - alone), stats.chi2.sf(float(both - alone), 56))


def test_coupon_collector(wheel, of_wheel):
    codes, law = cut(wheel, 4)
    lengths, seen, length = [], set(), 0
    for code in codes:
        seen.add(code)
        length += 1
        if len(seen) == 4:
            lengths.append(length)
            seen, length = set(), 0
    # The law by walking through the sets of kinds that were seen.
    state, chances, before = {frozenset(): 1.0}, [], 0.0
    for _ in range(63):
        after: dict = {}
        for kinds, weight in state.items():
            for kind in range(4):
                key = kinds | {kind}
                after[key] = after.get(key, 0.0) + weight * float(law[kind])
        state = after
        done = state.pop(frozenset(range(4)), 0.0)
        before += done
        chances.append(done)
    chances = [*chances[3:], 1 - before]
    counts = Counter(min(length, 64) for length in lengths)
    expected = pearson([counts[4 + i] for i in range(61)], chances, len(lengths))
    same(of_wheel["coupon collector"], *expected)


def test_runs(wheel, of_wheel):
    codes = [sector >= 27 for sector in wheel.tolist()]
    runs = len(list(itertools.groupby(codes)))
    ones, n = sum(codes), len(codes)
    mean = Fraction(2 * ones * (n - ones), n) + 1
    variance = (mean - 1) * (mean - 2) / (n - 1)
    z = float(runs - mean) / math.sqrt(variance)
    half = 0.5 / math.sqrt(variance)
    same(of_wheel["runs"], z, 2 * stats.norm.sf(abs(z) - half))
    assert of_wheel["runs"].pvalue_below == pytest.approx(2 * stats.norm.sf(abs(z) + half))


def test_serial_correlation(wheel, of_wheel):
    scores = [(sector - 26.5) / math.sqrt((54**2 - 1) / 12) for sector in wheel.tolist()]

    def lag(k):
        return sum(a * b for a, b in zip(scores, scores[k:], strict=False)) / math.sqrt(len(scores) - k)

    same(of_wheel["serial correlation"], lag(1), 2 * stats.norm.sf(abs(lag(1))))
    joint = sum(lag(k) ** 2 for k in range(2, 11))
    same(of_wheel["serial correlation, lags 2-10"], joint, stats.chi2.sf(joint, 9))


def test_neighbours(wheel, of_wheel):
    equal = sum(a == b for a, b in itertools.pairwise(wheel.tolist()))
    # For equal probabilities the comparisons are independent: a binomial law.
    mean, variance = (ROUNDS - 1) / 54, (ROUNDS - 1) * 53 / 54**2
    z = (equal - mean) / math.sqrt(variance)
    half = 0.5 / math.sqrt(variance)
    same(of_wheel["neighbours equal"], z, 2 * stats.norm.sf(max(abs(z) - half, 0)))


def test_gap(wheel, of_wheel):
    codes, law = cut(wheel, 4)
    visits = [i for i, code in enumerate(codes) if code == 0]
    gaps = Counter(min(b - a - 1, 64) for a, b in itertools.pairwise(visits))
    chances = [*stats.geom.pmf(np.arange(1, 65), float(law[0])), stats.geom.sf(64, float(law[0]))]
    same(of_wheel["gap"], *pearson([gaps[i] for i in range(65)], chances, len(visits) - 1))


def test_poker(wheel, of_wheel):
    codes, law = cut(wheel, 5)
    hands = Counter(len(set(codes[i : i + 5])) for i in range(0, len(codes), 5))
    chances = [Fraction(0)] * 6
    for hand in itertools.product(range(5), repeat=5):
        chances[len(set(hand))] += math.prod(law[kind] for kind in hand)
    same(of_wheel["poker"], *pearson([hands[i] for i in range(1, 6)], chances[1:], ROUNDS // 5))


def test_permutation(wheel, of_wheel):
    def order(triple):
        ranks = sorted(set(triple))
        return tuple(ranks.index(value) for value in triple)

    chances = Counter(order(triple) for triple in itertools.product(range(54), repeat=3))
    values = wheel.tolist()
    counts = Counter(order(values[i : i + 3]) for i in range(0, len(values), 3))
    statistic = sum(
        (counts[kind] - ROUNDS / 3 * ways / 54**3) ** 2 / (ROUNDS / 3 * ways / 54**3)
        for kind, ways in chances.items()
        if ways > 54  # three equal ones: expected less than 5 times, merged below
    )
    test = of_wheel["permutation"]
    assert test.null == "chi2(11)"  # thirteen orders, one of them merged
    merged = of_wheel["permutation"].statistic - statistic
    assert abs(merged) < 3  # what merging one rare cell can change here
    expected = stats.chi2.sf(test.statistic, 11)
    assert test.pvalue == pytest.approx(expected)


def test_permutation_of_numbers(numbers, of_numbers):
    triples = numbers.reshape(-1, 3)
    counts = Counter(map(tuple, np.argsort(triples, axis=1).tolist()))
    expected = stats.chisquare([counts[kind] for kind in itertools.permutations(range(3))])
    same(of_numbers["permutation"], expected.statistic, expected.pvalue)


def test_duplicates(numbers):
    copied = numbers.copy()
    copied[700] = copied[3]
    test = pf.fairness_report(copied)["duplicates"]
    values = [math.floor(value * 2**32) for value in copied.ravel().tolist()]
    pairs = sum(count * (count - 1) // 2 for count in Counter(values).values())
    assert test.statistic == pairs >= 8
    mean = math.comb(len(values), 2) / 2**32
    assert test.pvalue == pytest.approx(stats.poisson.sf(pairs - 1, mean))
    assert test.pvalue_below == pytest.approx(stats.poisson.sf(pairs, mean))
    assert test.rejected


def test_interplay(numbers, of_numbers):
    scores = (numbers - 0.5) * math.sqrt(12)
    total = sum(
        (sum(a * b for a, b in zip(scores[:, i].tolist(), scores[:, j].tolist(), strict=True))) ** 2
        for i, j in itertools.combinations(range(8), 2)
    )
    same(of_numbers["interplay correlation"], total / len(numbers), stats.chi2.sf(total / len(numbers), 28))


def test_position_by_value_is_the_quadratic_form_of_its_covariance():
    """The closed form against a pseudo-inverse of the covariance counted over all shuffles."""
    game = pf.Tower(mines=2)
    outcomes = game.simulate(600)
    every = [list(p)[:2] for p in itertools.permutations(range(5))]
    rows = np.array([[float(place == value) for place in p for value in range(5)] for p in every])
    covariance = np.cov(rows.T, bias=True)
    shuffles = outcomes.reshape(-1, 2)
    table = np.zeros(10)
    for first, second in shuffles.tolist():
        table[first] += 1
        table[5 + second] += 1
    apart = table - len(shuffles) / 5
    statistic = apart @ np.linalg.pinv(covariance, rcond=1e-9) @ apart / len(shuffles)
    assert np.linalg.matrix_rank(covariance) == 8
    test = pf.fairness_report(outcomes, game)["position x value"]
    same(test, statistic, stats.chi2.sf(statistic, 8))


def test_position_by_value_of_reels():
    outcomes = pf.Slot().simulate(3000)
    statistic = sum(
        stats.chisquare(np.bincount(outcomes[:, 0, i], minlength=n)).statistic
        for i, n in enumerate([30, 30, 30, 30, 41])
    )
    test = pf.fairness_report(outcomes, pf.Slot())["position x value"]
    same(test, statistic, stats.chi2.sf(statistic, 4 * 29 + 40))


def test_holm_by_its_definition():
    pvalues = np.random.default_rng(5).random(40) ** 4
    for level in (0.001, 0.01, 0.05, 0.3):
        rejected = set()
        for rank, place in enumerate(np.argsort(pvalues)):
            if pvalues[place] > level / (len(pvalues) - rank):
                break
            rejected.add(int(place))
        assert rejected == {i for i, value in enumerate(holm(pvalues)) if value <= level}
    assert holm([]) == []


@pytest.mark.parametrize(
    "game",
    [
        pf.Mines(mines=24),
        pf.Mines(mines=1),
        pf.Tower(mines=4),
        pf.Slot(spins=2),
        pf.Plinko(balls=2),
        pf.Plinko(pins=8),
        pf.Dice(),
        pf.Double(),
        pf.Jackpot(tickets=1),
        pf.Jackpot(tickets=10),
        pf.Jackpot(tickets=2**53),
        pf.Crash(),
        pf.Overgo(),
        X50,
    ],
    ids=repr,
)
def test_every_game_has_a_report_and_is_fair(game):
    report = pf.fairness_report(game.simulate(2000, seed="report"), game)
    assert report.ok
    for test in report.tests:
        assert 0 <= test.pvalue_below <= test.pvalue <= test.adjusted <= 1
        assert test.null
        assert test.source


def test_cards():
    poker, blackjack = pf.crypto_games.VideoPoker("jacks_or_better"), pf.crypto_games.Blackjack()
    cards = poker.deal(pf.salts(2000, "cards"), "client")
    assert pf.fairness_report(cards, poker).ok
    assert pf.fairness_report(blackjack.shoe(pf.salts(2000, "shoe"), "client"), blackjack).ok
    # A card that keeps to its place in one deal of ten.
    cards[::10] = np.sort(cards[::10], axis=1)
    report = pf.fairness_report(cards, poker)
    assert report["position x value"].rejected
    cards[5, 3] = cards[5, 4]
    with pytest.raises(ValueError, match=r"data\[5\]"):
        pf.fairness_report(cards, poker)


@pytest.mark.parametrize("defect", DEFECTS)
def test_defects_are_caught(defect):
    rounds = DEFECTS[defect][1][-1]
    report = pf.fairness_report(*defective(defect, rounds))
    assert not report.ok
    assert "aren't like fair ones" in report.verdict


def test_what_is_no_outcome_is_never_fair(wheel):
    wrong = wheel.copy()
    wrong[17] = 54
    report = pf.fairness_report(wrong, X50)
    assert report["chi-square (equidistribution)"].statistic == math.inf
    assert not report.ok
    assert json.loads(report.to_json())["tests"][0]["statistic"] == "inf"


def test_calibration_rows_hold_the_binomial_interval():
    rows = calibrate(12)
    alarm = rows[0]["alarms"]["0.05"]
    law = [math.comb(12, k) * 0.05**k * 0.95 ** (12 - k) for k in range(13)]
    assert sum(law[: alarm["most"] + 1]) >= 0.9995 > sum(law[: alarm["most"]])
    assert all(alarm["within"] for row in rows for alarm in row["alarms"].values())
    assert {row["subject"] for row in rows} == {"X50()", "Mines(mines=3)", "numbers"}


def test_avalanche():
    for result in avalanche(3000, seed="avalanche"):
        assert sum(result.counts) == result.samples == 3000
        mean = sum(bits * count for bits, count in enumerate(result.counts)) / 3000
        assert result.mean == pytest.approx(mean)
        assert abs(mean - 256) < 5 * math.sqrt(128 / 3000)
        assert result.pvalue > 1e-4


def test_avalanche_of_one_bit_by_hashlib():
    import hashlib
    import hmac

    def output(client):
        key = hashlib.sha256(b"s:t").hexdigest().encode()
        return int.from_bytes(hmac.new(key, client + b":0", hashlib.sha512).digest(), "big")

    by_hand = bin(output(b"a") ^ output(b"c")).count("1")
    pair = pf.random_bytes("s", ["a", "c"], "t")
    assert int(np.unpackbits(pair[0] ^ pair[1]).sum()) == by_hand


def test_views(of_wheel):
    content = json.loads(of_wheel.to_json())
    assert content["ok"] is True
    assert len(content["tests"]) == len(of_wheel.tests) == len(of_wheel.to_pandas())
    assert str(of_wheel).count("\n") == len(of_wheel.tests) + 1
    assert of_wheel.to_html().count("<tr") == len(of_wheel.tests) + 1
    assert "doesn't prove" in of_wheel.verdict
    with pytest.raises(KeyError):
        of_wheel["no such test"]


def test_plot(of_wheel):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = of_wheel.plot()
    assert len(axes.get_yticklabels()) == len(of_wheel.tests)
    matplotlib.pyplot.close(axes.figure)


@pytest.mark.parametrize(
    ("data", "game", "error", "says"),
    [
        (np.zeros(100, int), X50, ValueError, "at least 500"),
        (np.zeros((600, 2), int), X50, ValueError, "shape"),
        (np.zeros(600), X50, TypeError, "outcomes"),
        (np.zeros(600), "x50", TypeError, "game"),
        (np.zeros(600, int), None, TypeError, "numbers"),
        (np.full(600, np.nan), None, ValueError, "finite"),
        (np.zeros((600, 3), int), pf.Mines(3), ValueError, r"data\[0\]"),
    ],
)
def test_bad_data(data, game, error, says):
    with pytest.raises(error, match=says):
        pf.fairness_report(data, game)


@pytest.mark.parametrize("level", [0, 1, -0.5, "0.01", True, math.nan])
def test_bad_level(wheel, level):
    with pytest.raises(ValueError, match="level"):
        pf.fairness_report(wheel, X50, level=level)
