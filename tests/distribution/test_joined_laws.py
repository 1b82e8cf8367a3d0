"""Operations on distributions: sums, mixtures, extremes, conditioning, samples, plain data."""

from __future__ import annotations

import itertools
import json
import math
import pickle
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from operator import add

import numpy as np
import provably_fair as pf
import pytest
from oracles.laws import exact, joined, likely

DIE = pf.Distribution(range(1, 7), [1] * 6)
SKEWED = pf.Distribution([0, 0.5, 1.98, 30], [50, 30, 19, 1])
SIGNED = pf.Distribution([-7, -1, 0, 1, 2.5], [1, 40, 10, 40, 9])
LAWS = {"die": DIE, "skewed": SKEWED, "signed": SIGNED, "one": pf.Distribution([3], [2])}


@pytest.mark.parametrize("name", LAWS)
def test_what_goes_over_a_law(name):
    law = LAWS[name]
    assert len(list(law)) == len(law) == len(dict(law))
    assert [x for x, _ in law] == law.outcomes.tolist()
    assert {exact(x): p for x, p in dict(law).items()} == likely(law)
    assert sum(p for _, p in law) == 1
    assert sum(exact(x) * p for x, p in law) == law.mean(exact=True)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(LAWS, LAWS)))
def test_sums_of_two(a, b):
    law = LAWS[a] + LAWS[b]
    assert likely(law) == joined([likely(LAWS[a]), likely(LAWS[b])])
    assert law.probability_error == law.truncation_error == 0
    assert law == LAWS[b] + LAWS[a] == LAWS[a].convolve(LAWS[b])
    assert law.total == LAWS[a].total * LAWS[b].total


def test_sums_with_numbers_and_of_lists():
    for number in (2, 0.5, Fraction(1, 3), Decimal("0.25"), np.int64(2), np.float64(0.5)):
        moved = {
            x + exact(number if not isinstance(number, np.floating) else float(number)): p
            for x, p in likely(SKEWED).items()
        }
        assert likely(SKEWED + number) == likely(number + SKEWED) == moved
    assert sum([DIE, DIE, DIE]) == DIE.sum(3)
    for other in ("a", None, [1], True):
        with pytest.raises(TypeError):
            DIE + other
    with pytest.raises(TypeError, match="outcomes"):
        pf.Distribution(["a"], [1]) + DIE


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("n", [1, 2, 4])
def test_sums_and_extremes_of_copies(name, n):
    law = LAWS[name]
    for found, function in (law.sum(n), add), (law.maximum(n), max), (law.minimum(n), min):
        assert likely(found) == joined([likely(law)] * n, function)
    assert law.maximum(n).total == law.minimum(n).total == law.total**n


@pytest.mark.parametrize("n", [30, 3000, 10**6])
@pytest.mark.parametrize("name", LAWS)
def test_extremes_in_doubles_keep_their_error(name, n):
    law = LAWS[name]
    # Enough copies to make the weights large; the probabilities stay equal.
    large = pf.Distribution(law.outcomes, [w << 4000 for w in law.weights])
    for got, counted in (
        (large.maximum(n), [law.cumulative, 1]),
        (large.minimum(n), [[law.total - w for w in law.cumulative[::-1]], -1]),
    ):
        cumulative, sign = counted
        found = dict(zip(got.outcomes.tolist(), got.probabilities.tolist(), strict=True))
        for place, outcome in enumerate(law.outcomes.tolist()[::sign]):
            # With a hundred digits.
            before, after = (Decimal(cumulative[place + i]) / law.total for i in (0, 1))
            expected = float(after**n - before**n)
            error = got.probability_error + got.truncation_error
            assert abs(found.get(outcome, 0) - expected) <= max(error, 1e-30), (name, n, outcome)
            if expected > 1e-290:
                assert found[outcome] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("wins", "of", "n"), [(1, 2, 20_000), (99, 200, 100_000), (1, 50, 50_000)])
def test_tails_of_large_sums_are_kept(wins, of, n):
    law = pf.Distribution([0, 1.98], [of - wins, wins]).sum(n)
    assert 0 < law.probability_error < 1e-11
    for k in range(0, n + 1, max(n // 400, 1)):
        log = (
            math.lgamma(n + 1)
            - math.lgamma(k + 1)
            - math.lgamma(n - k + 1)
            + k * math.log(wins / of)
            + (n - k) * math.log1p(-wins / of)
        )
        found = float(law.pmf(round(k * 1.98, 2)))
        assert abs(found - math.exp(log)) <= law.probability_error + law.truncation_error
        if log > -340:
            assert math.log(found) == pytest.approx(log, abs=1e-6)  # a relative error of 1e-6
    mean = n * wins / of
    deep = math.floor(mean + 15 * math.sqrt(mean))
    tail = math.fsum(
        math.exp(
            math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
            + k * math.log(wins / of) + (n - k) * math.log1p(-wins / of)
        )
        for k in range(deep + 1, min(deep + 2000, n) + 1)
    )  # fmt: skip
    assert law.sf(round(deep * 1.98, 2)) == pytest.approx(tail, rel=1e-6)
    assert 0 < law.cdf(round((mean - 5 * math.sqrt(mean)) * 1.98, 2)) < 1e-5


@pytest.mark.parametrize(("of", "n"), [(10**9, 1000), (10**9, 10**6), (10**12, 500)])
def test_sums_of_a_rare_win_keep_all_of_its_places(of, n):
    law = pf.Distribution([0, 1000], [of - 1, 1]).sum(n)
    assert 0 < law.probability_error < 1e-8
    assert law.truncation_error < 1e-150
    for k in range(12):
        true = math.comb(n, k) / of**k * math.exp((n - k) * math.log1p(-1 / of))
        assert law.pmf(1000 * k) == pytest.approx(true, rel=1e-9, abs=0)


@pytest.mark.parametrize(("of", "n"), [(10**9, 10**10), (10**6, 10**13)])
def test_sums_of_a_great_many_copies_keep_their_digits(of, n):
    law = pf.Distribution([0, 1], [of - 1, 1]).sum(n)
    mean = n // of
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert law.truncation_error < law.probability_error < 1e-14
    # Half of the law lies above its mean, but for the first terms of Edgeworth's series.
    third = math.sqrt(2 * math.pi * mean) * 6
    assert law.sf(mean) + law.pmf(mean) / 2 == pytest.approx(0.5 - 1 / third, abs=0.1 / mean)
    with localcontext(prec=60):
        true = ((1 - Decimal(1) / of).ln() * n).exp()
        for k in range(60 if mean < 60 else 0):
            assert abs(law.pmf(k) - float(true)) <= law.probability_error
            assert law.pmf(k) == pytest.approx(float(true), rel=1e-12)
            true *= Decimal(n - k) / ((k + 1) * (of - 1))


def test_a_rare_win_takes_no_tail_from_the_other_end():
    law = pf.Distribution([0, 1, 1000], [1000, 1000, 1]).sum(150)
    assert law.probability_error + law.truncation_error < 1e-9
    assert law.pmf(0) == pytest.approx((1000 / 2001) ** 150, rel=1e-6, abs=0)


def test_large_sums_of_a_table_against_integers():
    # A hundred balls, few enough for integer arithmetic.
    row = {0: 11, 1: 3, 2: 1.3, 3: 0.7, 4: 0.4, 5: 0.7, 6: 1.3, 7: 3, 8: 11}
    law = pf.Plinko(pins=8).distribution("ideal", payout=row)
    places = [round(x * 10) - 4 for x in law.outcomes.tolist()]
    weights = [1]
    for _ in range(100):
        longer = [0] * (len(weights) + places[-1])
        for place, weight in zip(places, law.weights, strict=True):
            for at, have in enumerate(weights):
                if have:
                    longer[at + place] += have * weight
        weights = longer
    made = pf.Distribution(law.outcomes, [w << 3000 for w in law.weights]).sum(100)
    assert 0 < made.probability_error < 1e-12
    listed = dict(zip(made.outcomes.tolist(), made.probabilities.tolist(), strict=True))
    missing = 0.0
    for at, weight in enumerate(weights):
        true = weight / 2**800
        found = listed.pop((at + 400) / 10, 0.0)
        assert abs(found - true) <= made.probability_error
        missing += true if not found else 0.0
    assert not listed
    assert missing <= made.truncation_error


def test_sums_of_sums_are_sums():
    coin = pf.Distribution([0, 1], [1, 3])
    once, twice = coin.sum(30_000), coin.sum(10_000).sum(2) + coin.sum(5000).sum(2)
    np.testing.assert_allclose(twice.pmf(once.outcomes), once.probabilities, rtol=1e-6, atol=1e-150)
    for law in (twice, pickle.loads(pickle.dumps(twice)), pf.Distribution.from_dict(twice.to_dict())):
        assert law.mean(exact=True) == 30_000 * coin.mean(exact=True)
        assert law.var(exact=True) == 30_000 * coin.var(exact=True)
        assert law.kurtosis(exact=True) == coin.kurtosis(exact=True) / 30_000
        assert law == twice
        assert law.median() == 22_500
        assert law.quantile([0, 1]).tolist() == law.outcomes[[0, -1]].tolist()
    assert once.quantile(0.3) == pf.Distribution(once.outcomes, once.weights).quantile(0.3)
    assert once.quantile(0.97) == pf.Distribution(once.outcomes, once.weights).quantile(0.97)


@pytest.mark.parametrize("name", LAWS)
def test_higher_moments(name):
    law = LAWS[name]
    shares = likely(law)
    mean = sum(x * p for x, p in shares.items())
    second, third, fourth = (sum((x - mean) ** k * p for x, p in shares.items()) for k in (2, 3, 4))
    if not second:
        assert math.isnan(law.skew())
        assert math.isnan(law.kurtosis())
        for ask in (law.skew, law.kurtosis):
            with pytest.raises(ValueError, match="outcome"):
                ask(exact=True)
        return
    assert law.kurtosis(exact=True) == fourth / second**2 - 3
    assert law.kurtosis() == float(fourth / second**2 - 3)
    assert law.skew() == pytest.approx(float(third) / float(second) ** 1.5, rel=1e-14)
    assert law.sum(3).kurtosis(exact=True) == law.kurtosis(exact=True) / 3


def test_roots_are_exact_or_refused():
    law = pf.Distribution([0, 10], [1, 4])
    assert law.std(exact=True) == 4
    assert law.skew(exact=True) == Fraction(-3, 2)
    assert DIE.skew(exact=True) == 0
    for ask in (DIE.std, SKEWED.skew):
        with pytest.raises(ValueError, match="exact"):
            ask(exact=True)


def test_entropy_and_interval_match_scipy():
    frozen = SKEWED.to_scipy()
    assert SKEWED.entropy() == pytest.approx(float(frozen.entropy()), rel=1e-12)
    assert SKEWED.interval(0.9) == tuple(frozen.interval(0.9))
    assert DIE.entropy(base=6) == pytest.approx(1, rel=1e-15)
    assert LAWS["one"].entropy() == 0


def test_mixtures():
    law = pf.Distribution.mixture([(Fraction(1, 3), DIE), (0.5, SKEWED), (2, SIGNED)])
    parts = [(Fraction(1, 3), DIE), (Fraction(1, 2), SKEWED), (Fraction(2), SIGNED)]
    whole = sum(share for share, _ in parts)
    expected = Counter()
    for share, part in parts:
        for x, p in likely(part).items():
            expected[x] += share / whole * p
    assert likely(law) == dict(expected)
    assert pf.Distribution.mixture({1: DIE}.items()) == DIE
    assert pf.Distribution.mixture([(1, DIE), (0, SIGNED)]).given(DIE.outcomes) == DIE


def test_laws_in_fractions_and_in_floats_are_compared_by_value():
    floats = pf.Distribution([0, 0.1], [1, 2])
    for others in ([Fraction(0), Fraction(1, 10)], [0, Decimal("0.1")]):
        assert floats.total_variation(pf.Distribution(others, [1, 2]), exact=True) == 0
        assert pf.Distribution(others, [1, 2]).total_variation(floats, exact=True) == 0


def test_fractions_as_weights():
    law = pf.Distribution([0, 1, 2], [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)])
    assert law.weights == (3, 2, 1)
    assert pf.Distribution([0, 1], [1, Fraction(1, 2)]).weights == (2, 1)
    assert pf.Distribution(*zip(*SKEWED, strict=True)).map(lambda x: x) == SKEWED


def test_what_is_given():
    law = DIE.given(lambda x: x % 2 == 0)
    assert (law.outcomes.tolist(), law.weights) == ([2, 4, 6], (1, 1, 1))
    assert DIE.given([2, 4, 6]) == DIE.given({2, 4, 6}) == DIE.given(range(2, 7, 2)) == law
    assert DIE.given(DIE.outcomes % 2 == 0) == law == DIE.given([False, True] * 3)
    assert SKEWED.given([1.98, 77]).outcomes.tolist() == [1.98]
    assert pf.Distribution(["a", "b"], [1, 1]).given({"a"}).outcomes.tolist() == ["a"]
    for nothing in (lambda x: x > 6, [], {7}):
        with pytest.raises(ValueError, match="event"):
            DIE.given(nothing)


def test_laws_of_counts():
    law = pf.Distribution([0, 1, 2], [3, 0, 5])
    assert pf.Distribution.from_counts({0: 3, 2: 5, 1: 0}) == law
    assert pf.Distribution.from_counts(Counter([0] * 3 + [2] * 5)).weights == (3, 5)
    tally = pf.Double().tally(1000)
    assert pf.Distribution.from_counts(tally).mean() == pytest.approx(tally.mean())
    assert pf.Distribution.from_counts(tally.to_pandas().set_index("outcome")["count"]) == (
        pf.Distribution.from_counts(tally)
    )
    with pytest.raises(ValueError, match="counts"):
        pf.Distribution.from_counts(pf.Tower().tally(100))


@pytest.mark.parametrize(
    "law",
    [
        *LAWS.values(),
        pf.Crash().distribution("as_drawn"),
        pf.Jackpot(tickets=10).distribution("as_drawn"),
        pf.Distribution([Fraction(1, 3), Fraction(1, 2)], [1, 2**80]),
        pf.Distribution([Decimal("0.1"), 2**70], [1, 2]),
        pf.Distribution([("a", 1), ("b", 2**60)], [1, 2]),
        pf.Distribution([0, 1], [1, 2], probability_error=1e-9),
        DIE.sum(5000),
        DIE.maximum(10**6),
    ],
    ids=lambda law: f"{len(law)}",
)
def test_plain_data_goes_there_and_back(law):
    data = json.loads(json.dumps(law.to_dict()))
    again = pf.Distribution.from_dict(data)
    assert again == law
    assert (again.probability_error, again.truncation_error) == (law.probability_error, law.truncation_error)
    assert pf.Distribution.from_dict(law.to_dict()) == law
    # Whole numbers too large for a reader's doubles are stored as text.
    assert all(not isinstance(w, int) or w < 2**53 for w in data.get("weights", []))


# ---- samples ----


def test_samples_follow_the_law():
    for law in (SKEWED, pf.Distribution(SKEWED.outcomes, [w << 200 for w in SKEWED.weights]), SKEWED.sum(2)):
        drawn = law.rvs(200_000, rng=1)
        counts = Counter(drawn.tolist())
        assert law.chisquare(counts).pvalue > 0.001
        assert drawn.dtype == law.outcomes.dtype
    large = DIE.sum(5000)
    drawn = large.rvs(50_000, rng=np.random.default_rng(3))
    assert abs(drawn.mean() - large.mean()) < 5 * large.std() / 50_000**0.5
    assert abs(drawn.std() / large.std() - 1) < 0.02


def test_shapes_and_sources_of_samples():
    assert DIE.rvs(rng=5) == DIE.rvs(rng=5) in range(1, 7)
    assert np.ndim(DIE.rvs()) == 0
    assert DIE.rvs((2, 3), rng=5).shape == (2, 3)
    assert DIE.rvs(0).shape == (0,)
    assert pf.Distribution(["a", "b"], [1, 0]).rvs(3).tolist() == ["a"] * 3
    for rng in (7, np.random.SeedSequence(7), np.random.PCG64(7), np.random.default_rng(7)):
        assert DIE.rvs(50, rng).tolist() == DIE.rvs(50, 7).tolist()
    assert DIE.rvs(50, None).shape == (50,)
    for state in (7, np.random.default_rng(7)):
        assert DIE.rvs(50, random_state=state).tolist() == DIE.rvs(50, 7).tolist()
    legacy, again = np.random.RandomState(7), np.random.RandomState(7)
    drawn = DIE.rvs(50, random_state=legacy).tolist()
    assert drawn == DIE.rvs(50, random_state=again).tolist()
    assert drawn != DIE.rvs(50, random_state=legacy).tolist()


def test_samples_are_fresh_unless_a_source_is_given():
    # Two samples of 64 rolls are equal with probability 6**-64.
    assert DIE.rvs(64).tolist() != DIE.rvs(64).tolist()
    assert DIE.rvs(64, random_state=None).tolist() != DIE.rvs(64, rng=None).tolist()
    with pytest.raises(TypeError, match="rng and random_state must not be given both"):
        DIE.rvs(3, 1, random_state=1)
    with pytest.raises(TypeError, match="random_state must be an integer"):
        DIE.rvs(3, random_state="1")


def test_tickets_of_a_large_law():
    tickets = pf.Jackpot(tickets=2**40).distribution().rvs(20, rng=1)
    assert ((tickets >= 1) & (tickets <= 2**40)).all()


class Fixed(np.random.Generator):
    """A generator that returns the given 62-bit numbers."""

    def __init__(self, numbers):
        super().__init__(np.random.PCG64(1))
        self.numbers = list(numbers)

    def integers(self, high, size=None, dtype=np.int64):
        assert high == 1 << 62
        found = [self.numbers.pop(0) for _ in range(size or 1)]
        return found[0] if size is None else np.array(found, dtype=np.int64)


def test_a_number_on_the_boundary_is_drawn_further():
    law = pf.Distribution([0, 1], [1, 2])
    edge = 2**62 // 3
    # One third has a periodic binary expansion, so that further 62-bit numbers decide.
    for more, outcome in [([0], 0), ([2**62 - 1], 1), ([edge, 0], 0), ([edge, 2**62 - 1], 1)]:
        assert law.rvs(1, Fixed([edge, *more])).tolist() == [outcome]
    assert law.rvs(3, Fixed([edge - 1, edge + 1, 0])).tolist() == [0, 1, 0]
    assert pf.Distribution([0, 1], [1, 1]).rvs(2, Fixed([2**61 - 1, 2**61])).tolist() == [0, 1]
