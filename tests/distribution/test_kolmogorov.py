"""The Kolmogorov-Smirnov test for discrete distributions, checked by enumerating samples and with scipy."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import provably_fair as pf
import pytest

LAWS = [
    pf.Distribution([0, 1], [1, 1]),
    pf.Distribution([0, 1], [2, 5]),
    pf.Distribution([-1, 0, 3], [1, 1, 1]),
    pf.Distribution([0, 1, 2, 5], [7, 0, 2, 1]),
    pf.Distribution([1.5, 2, 2.5, 3, 9], [1, 4, 6, 4, 1]),
]


def by_trying_all(law, rounds):
    """The probability of each statistic, from all possible counts in fractions."""
    found = Counter()
    shares = [Fraction(weight, law.total) for weight in law.weights]
    up_to = list(itertools.accumulate(shares))
    for ends in itertools.combinations_with_replacement(range(rounds + 1), len(law) - 1):
        counts = [b - a for a, b in itertools.pairwise([0, *ends, rounds])]
        ways = math.factorial(rounds) // math.prod(map(math.factorial, counts))
        chance = ways * math.prod(share**count for share, count in zip(shares, counts, strict=True))
        sums = itertools.accumulate(counts)
        apart = max(abs(Fraction(count, rounds) - p) for count, p in zip(sums, up_to, strict=True))
        found[apart] += chance
        yield counts, apart, found


@pytest.mark.parametrize("law", LAWS, ids=repr)
@pytest.mark.parametrize("rounds", [1, 2, 7, 12])
def test_p_values_are_those_of_all_samples(law, rounds):
    samples = list(by_trying_all(law, rounds))
    chances = samples[-1][2]
    for counts, apart, _ in samples[:: max(1, len(samples) // 60)]:
        if any(count and not weight for count, weight in zip(counts, law.weights, strict=True)):
            assert law.ks(counts=counts).pvalue == 0
            continue
        expected = float(sum(chance for other, chance in chances.items() if other >= apart))
        result = law.ks(counts=counts)
        assert result.statistic == pytest.approx(float(apart), abs=1e-15)
        if expected < 1e-10:  # below that there is only a bound
            assert expected <= result.pvalue <= 1e-10
        else:
            assert result.pvalue == pytest.approx(expected, abs=1e-12), counts


def test_without_lumps_it_is_the_usual_test():
    stats = pytest.importorskip("scipy.stats")
    size, rounds = 20_000, 50
    law = pf.Distribution(range(size), [1] * size)
    sample = law.rvs(rounds, rng=3)
    result = law.ks(sample)
    # With this many outcomes the statistic is within 1 / size of the continuous one.
    usual = stats.kstest((sample + 0.5) / size, "uniform")
    assert result.statistic == pytest.approx(usual.statistic, abs=1 / size)
    assert result.pvalue == pytest.approx(stats.kstwo.sf(result.statistic, rounds), abs=2e-3)
    assert result.location == pytest.approx(usual.statistic_location * size, abs=2)
    assert result.sign == usual.statistic_sign


def test_two_outcomes_are_a_binomial_test():
    stats = pytest.importorskip("scipy.stats")
    coin = pf.Distribution([0, 1], [1, 1])
    for heads, rounds in [(430, 1000), (5_003_000, 10_000_000), (0, 30)]:
        expected = stats.binomtest(heads, rounds).pvalue
        assert coin.ks({0: heads, 1: rounds - heads}).pvalue == pytest.approx(expected, abs=1e-10)


def test_fair_multipliers_pass_where_a_test_without_lumps_rejects_them():
    stats = pytest.importorskip("scipy.stats")
    game = pf.Crash()
    law, sample = game.distribution(), game.simulate(20_000, seed="lumps")
    assert stats.kstest(sample, law.cdf).pvalue < 1e-30
    assert law.ks(sample).pvalue > 0.01
    assert law.ks(sample) == law.ks(Counter(sample.tolist()))


def test_an_outcome_that_is_not_the_law_s():
    law = pf.Distribution([0, 1, 2], [1, 0, 1])
    assert law.ks({0: 5, 3: 1, 2: 5}).pvalue == law.ks(counts=[5, 1, 5]).pvalue == 0
    with pytest.raises(ValueError, match="sum above 0"):
        law.ks(counts=[0, 0, 0])
    with pytest.raises(TypeError, match="observed or counts must be given"):
        law.ks()
    with pytest.raises(ValueError, match="bins"):
        pf.Double().distribution().ks(pf.Double().tally(100, bins=3))


def test_far_away_it_is_a_bound():
    law = pf.Plinko().distribution()
    pvalue = law.ks({0: 100}).pvalue
    assert 0 < pvalue <= 2 * math.exp(-2 * 100 * law.ks({0: 100}).statistic ** 2)


def test_a_law_in_floating_point():
    law = pf.Plinko().distribution().sum(2000)
    assert law.probability_error > 0
    assert 0.001 < law.ks(law.rvs(2000, rng=5)).pvalue < 1
