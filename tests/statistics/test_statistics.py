"""The fairness tests compared with scipy and plain Python, and the defects that they find."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.statistics import avalanche, holm

stats = pytest.importorskip("scipy.stats")

measure_fairness = pytest.importorskip("measure_fairness")
DEFECTS, SIZES = measure_fairness.DEFECTS, measure_fairness.SIZES
MEASURED = json.loads(measure_fairness.RESULTS.read_text(encoding="utf-8"))
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
    return pf.seeds.random_numbers("server", "client", pf.salts(1200, "numbers"))


@pytest.fixture(scope="module")
def of_numbers(numbers):
    return pf.fairness_report(numbers)


class Case:
    """Values and the report on them, with ranges and scores computed in plain Python."""

    def __init__(self, values, law, report):
        self.values, self.law, self.report = values, law, report

    def cut(self, kinds):
        """The values as ranges of about equal probability, with the probabilities of the ranges."""
        if self.law is None:
            return [int(value * kinds) for value in self.values], [Fraction(1, kinds)] * kinds
        below, places, sizes = Fraction(0), [], Counter()
        for chance in self.law:
            places.append(math.floor((below + chance / 2) * kinds))
            sizes[places[-1]] += chance
            below += chance
        # Ranges that contain no value's midpoint are left out.
        kept = sorted(sizes)
        return [kept.index(places[value]) for value in self.values], [sizes[kind] for kind in kept]

    def scores(self):
        """Ranks standardized to mean 0 and variance 1."""
        if self.law is None:
            return [(value - 0.5) * math.sqrt(12) for value in self.values]
        below = [sum(self.law[:rank], Fraction(0)) for rank in range(len(self.law))]
        ranks = [b + p / 2 - Fraction(1, 2) for b, p in zip(below, self.law, strict=True)]
        deviation = math.sqrt(sum(p * rank**2 for p, rank in zip(self.law, ranks, strict=True)))
        return [float(ranks[value]) / deviation for value in self.values]


@pytest.fixture(scope="module", params=["even", "uneven", "continuous"])
def case(request, wheel, of_wheel, numbers, of_numbers):
    if request.param == "even":
        return Case(wheel.tolist(), [Fraction(1, 54)] * 54, of_wheel)
    if request.param == "continuous":
        return Case(numbers.ravel().tolist(), None, of_numbers)
    game = pf.Plinko(pins=8)
    buckets = game.simulate(ROUNDS, seed="uneven")
    law = [Fraction(math.comb(8, bucket), 256) for bucket in range(9)]
    return Case(buckets.ravel().tolist(), law, pf.fairness_report(buckets, game))


def pearson(counts, law, total):
    """Pearson's statistic, neighbors merged up to an expectation of 5, and its degrees of freedom."""
    cells, observed, expected = [], 0, 0.0
    for count, chance in zip(counts, law, strict=True):
        observed, expected = observed + count, expected + float(chance) * total
        if expected >= 5:
            cells.append([observed, expected])
            observed, expected = 0, 0.0
    cells[-1][0] += observed
    cells[-1][1] += expected
    result = stats.chisquare([c[0] for c in cells], [c[1] for c in cells], sum_check=False)
    return result.statistic, result.pvalue


def same(test, statistic, pvalue):
    assert test.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-9)
    assert test.pvalue == pytest.approx(pvalue, rel=1e-7)


def test_frequency_is_scipys(case):
    # Of numbers, each of 960 ranges is expected ten times.
    codes, law = case.cut(960) if case.law is None else (case.values, case.law)
    counts = Counter(codes)
    expected = [float(chance * len(codes)) for chance in law]
    found = stats.chisquare([counts[kind] for kind in range(len(law))], expected)
    same(case.report["chi-square (equidistribution)"], found.statistic, found.pvalue)


def test_kolmogorov_is_scipys(numbers, of_numbers):
    expected = stats.kstest(numbers.ravel(), stats.uniform.cdf)
    same(of_numbers["Kolmogorov-Smirnov"], expected.statistic, expected.pvalue)


def test_overlaps(case):
    codes, law = case.cut(8)
    n, kinds = len(codes), range(len(law))
    pairs = Counter(zip(codes, [*codes[1:], codes[0]], strict=True))
    singles = Counter(codes)
    both = sum(
        (pairs[a, b] - n * law[a] * law[b]) ** 2 / (n * law[a] * law[b])
        for a, b in itertools.product(kinds, repeat=2)
    )
    alone = sum((singles[a] - n * law[a]) ** 2 / (n * law[a]) for a in kinds)
    freedom = len(law) * (len(law) - 1)
    same(case.report["overlaps"], float(both - alone), stats.chi2.sf(float(both - alone), freedom))


def test_coupon_collector(case):
    codes, law = case.cut(4)
    assert len(law) == 4
    lengths, seen, length = [], set(), 0
    for code in codes:
        seen.add(code)
        length += 1
        if len(seen) == 4:
            lengths.append(length)
            seen, length = set(), 0
    # The distribution by dynamic programming over the set of kinds seen so far.
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
    same(case.report["coupon collector"], *expected)


def test_runs(case):
    codes, _ = case.cut(2)
    runs = len(list(itertools.groupby(codes)))
    ones, n = sum(codes), len(codes)
    mean = Fraction(2 * ones * (n - ones), n) + 1
    variance = (mean - 1) * (mean - 2) / (n - 1)
    z = float(runs - mean) / math.sqrt(variance)
    half = 0.5 / math.sqrt(variance)
    test = case.report["runs"]
    same(test, z, 2 * stats.norm.sf(max(abs(z) - half, 0)))
    assert test.pvalue_below == pytest.approx(2 * stats.norm.sf(abs(z) + half))


def test_serial_correlation(case):
    scores = case.scores()

    def lag(k):
        return sum(a * b for a, b in zip(scores, scores[k:], strict=False)) / math.sqrt(len(scores) - k)

    same(case.report["serial correlation"], lag(1), 2 * stats.norm.sf(abs(lag(1))))
    joint = sum(lag(k) ** 2 for k in range(2, 11))
    same(case.report["serial correlation, lags 2-10"], joint, stats.chi2.sf(joint, 9))


def test_neighbours(case):
    if case.law is None:
        with pytest.raises(KeyError):
            case.report["neighbours equal"]
        return
    equal = sum(a == b for a, b in itertools.pairwise(case.values))
    # Mean and variance by dynamic programming along the sequence: for each last value, its probability and
    # the moments of the count so far.
    law = np.array([float(chance) for chance in case.law])
    none, once, twice = law, 0 * law, 0 * law
    for _ in case.values[1:]:
        stay = law * none, law * once, law * twice
        none, once, twice = law * none.sum(), law * once.sum(), law * twice.sum()
        twice = twice + 2 * stay[1] + stay[0]
        once = once + stay[0]
    mean = once.sum()
    deviation = math.sqrt(twice.sum() - mean**2)
    z, half = (equal - mean) / deviation, 0.5 / deviation
    test = case.report["neighbours equal"]
    assert test.statistic == pytest.approx(z, rel=1e-5)
    assert test.pvalue == pytest.approx(2 * stats.norm.sf(max(abs(z) - half, 0)), rel=1e-5)


def test_gap(case):
    codes, law = case.cut(4)
    visits = [i for i, code in enumerate(codes) if code == 0]
    gaps = Counter(min(b - a - 1, 64) for a, b in itertools.pairwise(visits))
    chances = [*stats.geom.pmf(np.arange(1, 65), float(law[0])), stats.geom.sf(64, float(law[0]))]
    same(case.report["gap"], *pearson([gaps[i] for i in range(65)], chances, len(visits) - 1))


def test_poker(case):
    codes, law = case.cut(5)
    hands = Counter(len(set(codes[i : i + 5])) for i in range(0, len(codes) // 5 * 5, 5))
    chances = [Fraction(0)] * 6
    for hand in itertools.product(range(len(law)), repeat=5):
        chances[len(set(hand))] += math.prod(law[kind] for kind in hand)
    same(case.report["poker"], *pearson([hands[i] for i in range(1, 6)], chances[1:], sum(hands.values())))


def test_permutation(case):
    def order(a, b, c):
        """The comparison of each pair: -1, 0 or 1."""
        return tuple((x > y) - (x < y) for x, y in ((a, b), (a, c), (b, c)))

    if case.law is None:
        chances = {order(*triple): Fraction(1, 6) for triple in itertools.permutations(range(3))}
    else:
        total, ways = math.lcm(*(chance.denominator for chance in case.law)), Counter()
        weights = [int(chance * total) for chance in case.law]
        for triple in itertools.product(range(len(weights)), repeat=3):
            ways[order(*triple)] += math.prod(weights[value] for value in triple)
        assert len(ways) == 13
        chances = {kind: Fraction(count, total**3) for kind, count in ways.items()}
    values = case.values
    counts = Counter(order(*values[i : i + 3]) for i in range(0, len(values), 3))
    kinds = sorted(chances)
    expected = pearson([counts[kind] for kind in kinds], [chances[kind] for kind in kinds], len(values) // 3)
    same(case.report["permutation"], *expected)


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


@pytest.mark.parametrize(
    ("game", "space"), [(pf.Slot(), 30**4 * 41), (pf.Mines(mines=3), 25 * 24 * 23)], ids=["slot", "mines"]
)
def test_duplicates_of_rounds(game, space):
    outcomes = game.simulate(600, seed="rounds")
    outcomes[500] = outcomes[20]
    test = pf.fairness_report(outcomes, game)["duplicates"]
    rounds = Counter(tuple(outcome.ravel().tolist()) for outcome in outcomes)
    pairs = sum(math.comb(count, 2) for count in rounds.values())
    assert test.statistic == pairs >= 1
    assert test.pvalue == pytest.approx(stats.poisson.sf(pairs - 1, math.comb(600, 2) / space))


def test_interplay_of_a_shuffle():
    game = pf.Mines(mines=3)
    outcomes = game.simulate(2000, seed="interplay")
    draws = []
    for mines in outcomes.tolist():
        left = list(range(25))
        draws.append([])
        for mine in mines:
            draws[-1].append(left.index(mine))
            left.remove(mine)
    columns = [
        [(index - (size - 1) / 2) / math.sqrt((size**2 - 1) / 12) for index in column]
        for column, size in zip(zip(*draws, strict=True), (25, 24, 23), strict=True)
    ]
    total = sum(
        sum(a * b for a, b in zip(one, other, strict=True)) ** 2 / 2000
        for one, other in itertools.combinations(columns, 2)
    )
    same(pf.fairness_report(outcomes, game)["interplay correlation"], total, stats.chi2.sf(total, 3))


def test_interplay(numbers, of_numbers):
    scores = (numbers - 0.5) * math.sqrt(12)
    total = sum(
        (sum(a * b for a, b in zip(scores[:, i].tolist(), scores[:, j].tolist(), strict=True))) ** 2
        for i, j in itertools.combinations(range(8), 2)
    )
    same(of_numbers["interplay correlation"], total / len(numbers), stats.chi2.sf(total / len(numbers), 28))


def test_position_by_value_is_the_quadratic_form_of_its_covariance():
    """The closed form, compared with a pseudo-inverse of the covariance over all shuffles."""
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


def test_position_by_value_of_numbers(numbers, of_numbers):
    statistic = 0.0
    for column in numbers.T.tolist():
        counts = Counter(math.floor(value * 120) for value in column)
        statistic += stats.chisquare([counts[cell] for cell in range(120)]).statistic
    same(of_numbers["position x value"], statistic, stats.chi2.sf(statistic, 8 * 119))


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


def test_cards():
    poker, blackjack = pf.operators.crypto_games.VideoPoker(), pf.operators.crypto_games.Blackjack()
    cards = poker.play(pf.salts(2000, "cards"), "client")
    assert pf.fairness_report(cards, poker).ok
    assert pf.fairness_report(blackjack.play(pf.salts(2000, "shoe"), "client"), blackjack).ok
    # One card that stays in place in one of ten deals.
    cards[::10] = np.sort(cards[::10], axis=1)
    report = pf.fairness_report(cards, poker)
    assert report["position x value"].rejected
    cards[5, 3] = cards[5, 4]
    with pytest.raises(ValueError, match=r"data\[5\]"):
        pf.fairness_report(cards, poker)


def test_cards_that_a_used_up_digest_lacks():
    whole = pf.operators.crypto_games.Blackjack(cards=208)
    shoes = whole.simulate(300)
    dealt = int((shoes >= 0).sum(axis=1).min())
    report = pf.fairness_report(shoes, whole)
    assert report.ok
    assert report["gap"].sequence == f"first of {dealt}"
    shoes[7, 3] = -1  # before other cards
    with pytest.raises(ValueError, match=r"data\[7\] must hold different values"):
        pf.fairness_report(shoes, whole)


def test_the_bias_of_cards_that_a_used_up_digest_lacks():
    shoe = pf.operators.crypto_games.Blackjack(cards=40)
    (bias,) = pf.statistics.bias_table([shoe])
    dealt = shoe.distribution("as_drawn", dealt=True)
    assert (bias.subject, bias.relative) == ("of=value 39", -dealt.probability_between(0, 39, exact=True))


def test_a_whole_pack():
    class Pack(pf.games.kinds.CardsGame):
        choice, pack, swaps = "hold", pf.operators.duel.VideoPoker().pack, 51
        scheme = pf.operators.stake.SCHEME

        def outcome(self, draws):
            return draws.swaps(52)

    assert pf.fairness_report(Pack().simulate(200), Pack()).ok


CAUGHT = [(row["defect"], row["rounds"]) for row in MEASURED["power"] if row["found"] == row["sets"]]


@pytest.mark.thorough
@pytest.mark.parametrize(("defect", "rounds"), CAUGHT)
def test_defects_are_caught_where_the_table_says_always(defect, rounds):
    report = pf.fairness_report(*measure_fairness.defective(defect, rounds, "tabulated"))
    assert not report.ok
    assert "aren't like rounds of its own law: " in report.verdict or not report.compared


def test_the_table_of_power():
    rows = MEASURED["power"]
    assert [(row["defect"], row["rounds"]) for row in rows] == [
        (defect, rounds) for defect, (_, sizes) in DEFECTS.items() for rounds in sizes
    ]
    # At its largest size each defect is always found.
    assert {(defect, sizes[-1]) for defect, (_, sizes) in DEFECTS.items()} <= set(CAUGHT)


def interval(sets, level):
    """The 0.05 % and 99.95 % quantiles of a binomial distribution."""
    chance, half, below, quantiles = Fraction(str(level)), Fraction(1, 2000), Fraction(0), []
    for count in range(sets + 1):
        below += math.comb(sets, count) * chance**count * (1 - chance) ** (sets - count)
        for share in (half, 1 - half)[len(quantiles) :]:
            if below >= share:
                quantiles.append(count)
    return tuple(quantiles)


def test_the_measured_calibration():
    """1,000 fair data sets of each kind and size: the stated rate of false alarms, and uniform p-values."""
    single = [row for row in MEASURED["calibration"] if row["test"] != "any (Holm)"]
    assert {row["subject"] for row in single} == {"x50", "mines", "numbers"}
    for rounds in SIZES:
        tests = {
            (report.game, test.name)
            for report in measure_fairness.fair_reports("names", rounds)
            for test in report.tests
        }
        assert {(row["subject"], row["test"]) for row in single if row["rounds"] == rounds} == tests
    expected = {"0.05": interval(1000, 0.05), "0.01": interval(1000, 0.01)}
    for row in single:
        assert row["sets"] == 1000
        for level, alarm in row["alarms"].items():
            assert (alarm["least"], alarm["most"]) == expected[level]
            assert alarm["least"] <= alarm["count"] <= alarm["most"]
    assert min(holm(row["uniform"] for row in single)) > 0.01
    for row in MEASURED["calibration"]:
        if row["test"] == "any (Holm)":
            assert row["alarms"]["0.01"]["count"] <= expected["0.01"][1]


def test_what_is_no_outcome_is_never_fair(wheel):
    wrong = wheel.copy()
    wrong[17] = 54
    report = pf.fairness_report(wrong, X50)
    assert report["chi-square (equidistribution)"].statistic == math.inf
    assert not report.ok
    read = json.loads(report.to_json(), parse_constant=lambda text: pytest.fail(f"{text} is no JSON"))
    assert read["tests"][0]["statistic"] == "inf"


DAMAGE = {
    "constant": lambda data: np.repeat(data[:1], len(data), axis=0),
    "constant, the last": lambda data: np.repeat(data[-1:], len(data), axis=0),
    "halved": lambda data: data // 2 if data.dtype.kind == "i" else data / 2,
    "out of range": lambda data: np.full_like(data, 10**12),
    "negative": lambda data: -1 - data,
}
OF_EVERY_KIND = [
    *(make() for make in pf.operators.salted.GAMES.values()),
    pf.Jackpot(tickets=10**9),
    pf.Plinko(8, 3),
    None,
]


@pytest.mark.thorough
@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("game", OF_EVERY_KIND, ids=repr)
def test_plainly_unfair_data_are_rejected(game, damage):
    numbers = pf.seeds.random_numbers("server", "client", pf.salts(1000, "damage"), 1)[:, 0]
    fair = numbers if game is None else game.simulate(1000, seed="damage")
    assert pf.fairness_report(fair, game).ok
    damaged = DAMAGE[damage](fair)
    if isinstance(game, (pf.Mines, pf.Tower)):
        # Rows that aren't permutations have no distribution to compare with.
        shuffles = damaged.reshape(-1, damaged.shape[-1]).tolist()
        kinds = set(range(25 if isinstance(game, pf.Mines) else 5))
        if not all(set(s) <= kinds and len(set(s)) == len(s) for s in shuffles):
            with pytest.raises(ValueError, match=r"data\[\d+\] must hold different values"):
                pf.fairness_report(damaged, game)
            return
    report = pf.fairness_report(damaged, game)
    assert not report.ok
    first = report["chi-square (equidistribution)"]
    assert first.rejected
    assert (first.statistic == math.inf) >= (damage in ("out of range", "negative"))
    for test in report.tests:
        assert 0 <= test.pvalue_below <= test.pvalue <= test.adjusted <= 1
    json.loads(report.to_json())
    assert "REJECTED" in str(report)


@pytest.mark.parametrize(
    ("data", "game"),
    [
        (np.full(1000, 7), X50),
        (np.full(1000, 99), X50),
        (X50.simulate(5000) % 27, X50),
        (pf.Dice().simulate(5000) / 2, pf.Dice()),
        (np.minimum(pf.Crash().simulate(5000), 1.2), pf.Crash()),
        (np.zeros(1000), None),
        (np.full(1000, math.inf), pf.Crash()),
    ],
)
def test_data_that_never_visit_a_range_are_rejected(data, game):
    report = pf.fairness_report(data, game)
    assert report["chi-square (equidistribution)"].rejected
    assert report["coupon collector"].rejected


def test_no_full_set_and_no_gap_have_the_probability_of_that():
    # Four ranges of the wheel's sectors: limits 13.5, 27 and 40.5 leave 14, 13, 14 and 13 sectors.
    low, rest = Fraction(14, 54), Fraction(40, 54)
    data = np.full(500, 20)
    for visits in (0, 1):
        data[:visits] = 3
        report = pf.fairness_report(data, X50)
        few = sum(math.comb(500, k) * low**k * rest ** (500 - k) for k in range(visits + 1))
        gap = report["gap"]
        assert gap.statistic == visits
        assert gap.pvalue == pytest.approx(float(few), rel=1e-9)
        assert gap.pvalue_below == pytest.approx(
            float(few - math.comb(500, visits) * low**visits * rest ** (500 - visits))
        )
        # Some kind is missing: by dynamic programming over the set of kinds seen so far.
        state = {frozenset(): Fraction(1)}
        for _ in range(500):
            after = Counter()
            for kinds, weight in state.items():
                for kind, sectors in enumerate((14, 13, 14, 13)):
                    after[kinds | {kind}] += weight * sectors
            state = after
        missing = sum(weight for kinds, weight in state.items() if len(kinds) < 4) / 54**500
        collector = report["coupon collector"]
        assert collector.statistic == 0
        assert collector.pvalue == pytest.approx(float(missing), rel=1e-9)


@pytest.mark.thorough
def test_calibration_rows_hold_the_binomial_interval():
    rows = measure_fairness.calibrate(40, [100, 5000], "suite")
    for row in rows:
        for level, alarm in row["alarms"].items():
            least, most = interval(40, level)
            assert (alarm["least"], alarm["most"]) == (0 if row["test"] == "any (Holm)" else least, most)
            assert alarm["within"] == (alarm["least"] <= alarm["count"] <= alarm["most"])
            assert alarm["within"]
    assert {row["subject"] for row in rows} == {"x50", "mines", "numbers"}
    assert all(row["uniform"] is None or row["uniform"] > 1e-4 for row in rows)


def test_avalanche():
    for result in avalanche(3000, seed="avalanche"):
        assert sum(result.counts) == result.samples == 3000
        mean = sum(bits * count for bits, count in enumerate(result.counts)) / 3000
        assert result.mean == pytest.approx(mean)
        assert abs(mean - 256) < 5 * math.sqrt(128 / 3000)
        assert result.pvalue > 1e-4


def test_views(of_wheel):
    content = json.loads(of_wheel.to_json())
    assert content["ok"] is True
    assert len(content["tests"]) == len(of_wheel.tests) == len(of_wheel.to_pandas())
    assert str(of_wheel).count("\n") == len(of_wheel.tests) + 7
    assert of_wheel.to_html().count("<tr") == len(of_wheel.tests) + 5
    assert of_wheel.to_junit().count("<testcase") == len(of_wheel.tests)
    assert "doesn't prove" in of_wheel.verdict
    with pytest.raises(KeyError):
        of_wheel["no such test"]


@pytest.mark.parametrize(
    ("data", "game", "error", "says"),
    [
        (np.zeros(9, int), X50, ValueError, "at least 10"),
        (np.zeros((600, 2), int), X50, ValueError, "shape"),
        (np.zeros(600), X50, TypeError, "outcomes"),
        (np.zeros(600), ["x50", None], TypeError, "game"),
        (np.zeros(600, int), None, TypeError, "numbers"),
        (np.full(600, np.nan), None, ValueError, "finite"),
        (np.append(pf.Dice().simulate(600), np.nan), pf.Dice(), ValueError, r"data\[600\] must have a value"),
        (np.array([1, 2, np.nan] * 9), pf.Distribution([1, 2], [1, 1]), ValueError, r"data\[2\] must have"),
        (np.zeros((600, 3), int), pf.Mines(3), ValueError, r"data\[0\]"),
    ],
)
def test_bad_data(data, game, error, says):
    with pytest.raises(error, match=says):
        pf.fairness_report(data, game)


class Swaps(pf.Game):
    """A naive shuffle of four cards: each is exchanged with any."""

    vectorized = False

    def outcome(self, draws):
        cards = [0, 1, 2, 3]
        for place in range(4):
            other = int(draws.below(4))
            cards[place], cards[other] = cards[other], cards[place]
        return np.array(cards)


def test_a_verdict_says_which_law_is_fair():
    counts = Counter()
    for swaps in itertools.product(range(4), repeat=4):
        cards = [0, 1, 2, 3]
        for place, other in enumerate(swaps):
            cards[place], cards[other] = cards[other], cards[place]
        counts[cards[0]] += 1
    far = sum(abs(count / 256 - 1 / 4) for count in counts.values()) / 2
    report = pf.fairness_report(Swaps().simulate(2000), Swaps())
    assert report.ok
    assert f"own law, whose values are {far:.2%} from equally likely ones" in report.verdict
    assert report.to_dict()["compared"] in report.verdict
    even = pf.fairness_report(pf.Mines(3).simulate(500), pf.Mines(3))
    assert even.compared.endswith("own law, by which values are equally likely.")
    assert pf.fairness_report(np.random.default_rng(1).random(500)).compared == ""
    assert "isn't computed" in pf.fairness_report(pf.Crash().simulate(500), pf.Crash()).compared


def test_outcomes_without_a_game_are_refused_with_the_way_out():
    with pytest.raises(TypeError, match="or outcomes of a game, which `game=` names, got int64"):
        pf.fairness_report(np.arange(1000) % 7)


def test_a_card_leaves_a_notebooks_headings_alone(of_wheel):
    assert "<h2>" in of_wheel.to_html()
    assert "<h2" not in of_wheel._repr_html_()
    assert "<h5>All tests</h5>" in of_wheel._repr_html_()
