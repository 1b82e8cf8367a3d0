"""Distributions: probabilities, sums, look-ups and tests, checked with fractions and scipy."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import provably_fair as pf
import pytest
from own_games import game_of
from provably_fair.distribution.sampling import below
from provably_fair.distribution.sequences import shuffle_material
from scipy import stats

# The level of chi-square tests with fixed seeds: a fair sample fails with probability one in a million.
LEVEL = 1e-6


def test_construction_and_identity():
    d = pf.Distribution([3, 1, 2, 1], [1, 2, 3, 4])
    assert (d.outcomes.tolist(), d.weights, d.total) == ([1, 2, 3], (6, 3, 1), 10)
    assert all(type(weight) is int for weight in d.weights)
    assert d == pf.Distribution([1, 2, 3], np.array([6, 3, 1]))
    assert hash(d) == hash(copy.deepcopy(d))
    assert pickle.loads(pickle.dumps(d)) == d
    assert d != pf.Distribution([1, 2, 3], [12, 6, 2])
    with pytest.raises(AttributeError):
        d.total = 5
    with pytest.raises(ValueError, match="read-only"):
        d.outcomes[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        d.probabilities[0] = 1
    assert d.cumulative == (0, 6, 9, 10)
    jackpot = pf.Jackpot(tickets=10).distribution("as_drawn")
    assert pickle.loads(pickle.dumps(jackpot)) == jackpot
    assert pf.Distribution(["b", "a"], [1, 2]).outcomes.tolist() == ["a", "b"]


def test_probabilities_and_quantiles():
    d = pf.Distribution([0.1, 0.2, 0.5], [1, 2, 1])
    np.testing.assert_array_equal(d.pmf([0.1, 0.15, 0.5, 9]), [0.25, 0, 0.25, 0])
    np.testing.assert_array_equal(d.cdf([0, 0.1, 0.3, 0.5]), [0, 0.25, 0.75, 1])
    np.testing.assert_array_equal(d.sf([0, 0.1, 0.3, 0.5]), [1, 0.75, 0.25, 0])
    assert d.quantile([0, 0.25, 0.26, 0.75, 0.76, 1]).tolist() == [0.1, 0.1, 0.2, 0.2, 0.5, 0.5]
    assert d.mean(exact=True) == Fraction(1, 4)
    assert isinstance(d.mean(), float)
    tenths = pf.Distribution(range(10), [1] * 10)
    assert tenths.quantile(0.3) == 2  # exactly, not 0.3's binary neighbor
    with pytest.raises(ValueError, match="q must"):
        d.quantile(1.5)


def test_payouts():
    d = pf.Distribution([1, 2, 3], [1, 1, 2])
    assert d.expect({3: 0.1}, exact=True) == Fraction(1, 20)
    assert d.expect([1, 0, 0], exact=True) == Fraction(1, 4)
    assert d.expect(lambda x: x * x) == 5.75
    assert d.rtp({1: 4}, stake=2, exact=True) == Fraction(1, 2)
    assert d.map(lambda x: x % 2).weights == (1, 3)
    for bad, error in [({9: 1}, ValueError), ([1], ValueError), (5, TypeError), (lambda x: "a", TypeError)]:
        with pytest.raises(error):
            d.expect(bad)


def test_chisquare_merges_cells_and_matches_scipy():
    d = pf.Distribution(range(4), [1, 1, 4, 4])
    found = d.chisquare([4, 5, 12, 9])  # 30 rounds: 3 and 3 expected are merged, then 12 and 12
    textbook = stats.chisquare([9, 12, 9], [6, 12, 12])
    assert (found.dof, found.cells) == (2, 3)
    assert found.statistic == pytest.approx(textbook.statistic, rel=1e-12)
    assert found.pvalue == pytest.approx(textbook.pvalue, rel=1e-12)
    assert d.chisquare({7: 1, 0: 3}).pvalue == 0
    with pytest.raises(ValueError, match="row"):
        pf.Slot().distribution(reel=0).chisquare(pf.Slot().tally(10))


def test_an_array_of_outcomes_may_have_impossible_ones():
    law = pf.Dice().distribution()
    rolls = np.array([0.5, 100.01, 99.0, -1.0])
    for test in (law.chisquare, law.ks):
        assert test(rolls) == test({0.5: 1, 100.01: 1, 99.0: 1, -1.0: 1})
        assert test(rolls).pvalue == 0
        for other in (np.array([0.5, np.nan]), np.array([200.0, 300.0])):
            with pytest.raises(TypeError, match="must be outcomes or integers"):
                test(other)


def test_floats_are_outcomes_of_a_law_of_fractions():
    """As those of Stake's snakes are, where products have more digits than doubles."""
    law = pf.Distribution([0, Fraction("1.1"), Fraction(254194901951, 312500000)], [1, 2, 1])
    seen = np.array([0, 1.1, 1.1, 813.4236862432, 0])
    assert law.chisquare(seen) == law.chisquare(counts=[2, 2, 1])
    assert law.ks(seen).pvalue == law.ks(counts=[2, 2, 1]).pvalue
    many = np.resize([0, 1.1, 813.4236862432, 1.1], 400)
    assert pf.fairness_report(many, law)["chi-square (equidistribution)"].statistic == 0
    for test in (law.chisquare, lambda seen: pf.fairness_report(seen, law)):
        with pytest.raises(ValueError, match=r"got 1\.1000000000000003, which is 1\.1 but for rounding"):
            test(np.resize([1.1, 1.1000000000000003], 40))


def test_floats_that_may_be_counts_or_unrounded_outcomes_are_refused():
    wheel = pf.Distribution(range(37), [1] * 37)
    counts = np.random.default_rng(1).multinomial(1000, [1 / 37] * 37).astype(float)
    assert {*counts} & {*range(37)}
    prices = pf.Distribution([0, 3.3], [1, 1])
    for name in ("chisquare", "ks"):
        with pytest.raises(TypeError, match=r"integers of shape \(37,\), got float64"):
            getattr(wheel, name)(counts)
        with pytest.raises(ValueError, match=r"got 3\.3000000000000003, which is 3\.3 but for rounding"):
            getattr(prices, name)(np.array([0, 3 * 1.1, 0, 3.3]))
        assert getattr(prices, name)(np.array([0, 3.31, np.inf, 3.3])).pvalue == 0


def test_chisquare_of_bins():
    for tickets in (1000, 2**53):
        game = pf.Jackpot(tickets=tickets)
        law = game.distribution("as_drawn")
        result = law.chisquare(game.tally(20_000, bins=7))
        assert result.dof == 6
        assert result.pvalue > LEVEL
    small = pf.Jackpot(tickets=1000).distribution()
    by_hand = np.histogram(pf.Jackpot().simulate(20_000), bins=[1, 101, 1001])[0]
    expected = stats.chisquare(by_hand, [2000, 18_000])
    found = small.chisquare(pf.Jackpot().tally(20_000, bins=[1, 101, 1001]))
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
    with pytest.raises(ValueError, match="bins"):
        small.chisquare(pf.Jackpot().tally(1000, bins=[1, 500]))
    # Edges beyond the range; the second bin of both starts at ticket 500.
    tickets = pf.Jackpot().simulate(20_000)
    below = int((tickets < 500).sum())
    expected = stats.chisquare([below, 20_000 - below], [20 * 499, 20 * 501])
    for edges in ([0, 500, 1001], [-5, 500, 2000]):
        found = small.chisquare(pf.Jackpot().tally(20_000, bins=edges))
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
        assert (found.dof, found.cells) == (1, 2)


def test_only_tallies_of_bins_are_taken_for_bins():
    binned, listed = pf.Jackpot(tickets=10).tally(500, bins=5), pf.Jackpot(tickets=10).tally(500)
    assert (binned.binned, listed.binned) == (True, False)
    assert not pf.Plinko().tally(10).binned
    assert (binned + binned).binned
    assert not (listed + listed).binned
    copied = pickle.loads(pickle.dumps(binned))
    assert copied == binned
    assert copied.binned
    law = pf.Jackpot(tickets=10).distribution()
    # The same counts, passed by hand, only count the tickets 1, 3, 5, 7, 9.
    by_hand = pf.distribution.Tally(binned.outcomes, binned.counts, binned.rounds)
    assert law.chisquare(binned).dof == 4
    expected = stats.chisquare(np.stack([binned.counts, np.zeros(5)], axis=1).ravel())
    assert law.chisquare(by_hand).statistic == pytest.approx(expected.statistic, rel=1e-12)
    with pytest.raises(ValueError, match=r"^counts must be of outcomes"):
        pf.Dice().distribution().chisquare(binned)
    assert pf.distribution.Tally(np.arange(3), np.ones(3, dtype=np.int64), 3) == pf.distribution.Tally(
        np.arange(3), np.ones(3, dtype=np.int64), 3, binned=True
    )


def test_numbers_of_any_kind_are_looked_up_exactly():
    d = pf.Double().distribution()
    fifteenth = 1 / 15
    for one in (1, 1.0, Fraction(1), Decimal(1), np.uint8(1), True, np.array(1, dtype=object)):
        assert d.pmf(one) == fifteenth
        assert d.cdf(one) == 2 / 15
        assert d.sf(one) == 13 / 15
    assert d.pmf(np.array([0, 1], dtype=object)).tolist() == [fifteenth] * 2
    assert d.pmf([0, 2**64]).tolist() == [fifteenth, 0]
    assert d.pmf([[0, Fraction(1, 2)], [-(2**70), 14]]).tolist() == [[fifteenth, 0], [0, fifteenth]]
    assert d.cdf([Decimal("-0.5"), 2**70, -math.inf]).tolist() == [0, 1, 0]
    assert d.sf([Decimal("inf"), Decimal("-inf")]).tolist() == [0, 1]
    for none in (
        math.nan,
        Decimal("nan"),
        Decimal("sNaN"),
        Decimal("inf"),
        "a",
        None,
        (),
        1j,
        Fraction(1, 3),
    ):
        assert np.all(d.pmf(none) == 0)
    # A float outcome stands for its shortest decimal, whatever it is compared with.
    tenths = pf.Distribution([0.1, 0.2, 0.3], [1, 2, 4])
    for tenth in (Fraction(1, 10), Decimal("0.1"), 0.1):
        assert tenths.pmf(tenth) == 1 / 7
        assert tenths.cdf(tenth) == 1 / 7
        assert tenths.probability_between(tenth, Fraction(3, 10), exact=True) == 1
        assert tenths.probability_between(0, tenth, exact=True) == Fraction(1, 7)
    assert tenths.pmf(Fraction(0.1)) == 0
    for wrong in ("a", None, [Fraction(1), "a"]):
        with pytest.raises(TypeError, match=r"^x must be numbers"):
            d.cdf(wrong)
    with pytest.raises(TypeError, match=r"^low must be one value"):
        d.probability_between([1, 2], 3)


def test_outcomes_that_are_texts_or_tuples():
    texts = pf.Distribution(["a", "b"], [1, 2])
    assert texts.pmf(5) == 0
    assert texts.pmf(["b", 5, None, ("a",)]).tolist() == [2 / 3, 0, 0, 0]
    assert texts.probability_between("a", "a", exact=True) == Fraction(1, 3)
    pairs = pf.Distribution([(0, 0), (0, 1), (1, 1)], [1, 2, 5])
    assert pairs.pmf((0, 1)) == 0.25
    assert pairs.pmf([(1, 1), (5, 5), 3, "a", [0, 0]]).tolist() == [0.625, 0, 0, 0, 0]
    assert pairs.cdf((0, 5)) == 0.375
    assert pairs.sf([(0, 0), (1, 1)]).tolist() == [0.875, 0]
    assert pairs.probability_between((0, 1), (1, 1), exact=True) == Fraction(7, 8)
    assert pairs.probability_between((1, 1), (0, 0), exact=True) == 0
    for law in (texts, pairs):
        with pytest.raises(TypeError, match=r"^x must be comparable"):
            law.cdf(5)
        with pytest.raises(TypeError, match=r"^high must be comparable"):
            law.probability_between(law.outcomes[0], 5)


def test_frames_of_laws_and_of_bets_are_alike():
    pytest.importorskip("polars")
    law, bet = pf.Double().distribution(), pf.Double().bet({0: 14})
    for named, value in (("outcome", law), ("return", bet)):
        assert value.to_pandas().columns.tolist() == [named, "probability"] == value.to_polars().columns
    assert law.to_pandas()["outcome"].tolist() == law.outcomes.tolist()


# ---- values that aren't outcomes or counts ----


def test_an_outcome_that_cannot_be_is_no_neighbor_of_one_that_can():
    result = pf.Dice().distribution(under=0).chisquare([95, 5])
    assert (result.statistic, result.pvalue) == (math.inf, 0.0)
    # Also in the middle, where neighbors would have been merged.
    law = pf.Distribution(range(5), [5, 0, 5, 0, 5])
    assert law.chisquare([50, 1, 50, 0, 50]).pvalue == 0
    assert law.chisquare([50, 0, 50, 0, 50]).pvalue == 1
    assert law.chisquare({0: 50, 2: 50, 4: 50, 3: 0, 9: 0}).pvalue == 1
    bins = pf.distribution.Tally(np.array([0, 1, 2, 3, 4]), np.array([50, 1, 50, 0, 50]), 151, binned=True)
    assert law.chisquare(bins).pvalue == 0


def test_weights_in_another_order_than_outcomes_are_refused():
    pd = pytest.importorskip("pandas")
    found = pd.Series([2, 2, 2, 1, 1, 0]).value_counts()
    law = pf.Distribution([0, 1, 2], [1, 2, 3])
    assert pf.Distribution(found.index, found) == law == pf.Distribution.from_counts(found)
    assert pf.Distribution(range(3), found.sort_index()) == law
    with pytest.raises(ValueError, match=r"^weights must have the outcomes in order, got a Series"):
        pf.Distribution(range(3), found)
    with pytest.raises(ValueError, match=r"^probabilities must have the outcomes in order, got a Series"):
        pf.Distribution.from_probabilities(range(3), found / 6)
    for weights in {1: 2, 2: 3, 3: 5}, {1, 2, 3}:
        with pytest.raises(TypeError, match=r"^weights must be a sequence, got (dict|set)$"):
            pf.Distribution(range(3), weights)
    with pytest.raises(TypeError, match=r"^outcomes must be a sequence, got set$"):
        pf.Distribution({1, 2}, [1, 2])


def test_outcomes_are_not_taken_for_counts():
    double = pf.Double()
    for law in (double.distribution(), double.distribution("as_drawn")):
        with pytest.raises(ValueError, match=r"^counts can't be told .*tally"):
            law.chisquare(double.simulate(15))
        with pytest.raises(ValueError, match=r"^counts can't be told .*tally"):
            law.plot(double.simulate(15).tolist())
    with pytest.raises((TypeError, ValueError), match=r"^counts must .*tally"):
        double.distribution().chisquare(pf.Dice().simulate(15))
    assert double.distribution().chisquare(double.simulate(16)).dof == 2  # 16 values can't be counts of 15
    # To pass counts in such a case, say so.
    counts = [7] * 15
    by_outcome = dict(zip(range(15), counts, strict=True))
    assert double.distribution().chisquare(by_outcome).pvalue == 1
    assert (
        double.distribution().chisquare(pf.distribution.Tally(np.arange(15), np.array(counts), 105)).pvalue
        == 1
    )
    # Counts that can't be outcomes are recognized as counts.
    assert double.distribution().chisquare([15] * 15).pvalue == 1
    assert pf.Dice().distribution(under=0).chisquare([5, 0]).pvalue == 1


# ---- large numbers ----


def test_counts_whose_sum_would_wrap_are_refused():
    law = pf.Distribution([0, 1, 2, 3], [1, 1, 1, 1])
    large = [2**61] * 4
    for counts in (large, np.array(large, np.uint64), dict(enumerate(large)), {0: 2**63}):
        for test in (law.chisquare, law.ks):
            with pytest.raises(ValueError, match=r"^counts must have a sum below 2\*\*63$"):
                test(counts)
    assert law.chisquare([2**62, 2**61, 0, 0]).pvalue == 0


def test_sums_beyond_64_bits_are_exact():
    top = 2**62
    law = pf.Distribution([0, top], [1, 1]).sum(4)
    assert law.outcomes.tolist() == [0, top, 2 * top, 3 * top, 4 * top]
    assert law.weights == (1, 4, 6, 4, 1)
    assert law.mean(exact=True) == 2 * top
    assert law.pmf([3 * top, 3 * top + 1]).tolist() == [0.25, 0]
    assert law.cdf(4 * top - 1) == 15 / 16
    assert law.sum(2).outcomes[-1] == 8 * top
    assert pickle.loads(pickle.dumps(law)) == law
    unsigned = pf.Distribution(np.array([1, 2**64 - 1], dtype=np.uint64), [1, 1])
    assert unsigned.outcomes.tolist() == [1, 2**64 - 1]
    # Floats whose sum isn't representable, or has another shortest decimal.
    large = 90071992547409.93
    shown = Fraction(repr(large))
    law = pf.Distribution([0.01, large], [1, 1]).sum(3)
    sums = [i * shown + (3 - i) * Fraction(1, 100) for i in range(4)]
    assert [law.probability_between(x, x, exact=True) for x in sums] == [Fraction(n, 8) for n in (1, 3, 3, 1)]
    assert law.mean(exact=True) == Fraction(3, 2) * (shown + Fraction(1, 100))


@pytest.mark.parametrize("kind", ["i1", "u8", "i8", "f8", "?", "O"])
@pytest.mark.parametrize("asked", [[0, 1, 1], [1, 2, 0], [0, 3, 1], [-1, 0, 1.5], []])
def test_whole_numbers_from_0_on_are_their_own_places(asked, kind):
    law = pf.Distribution([0, 1, 2], [1, 2, 5])
    values = np.array(asked).astype(kind)
    expected = [{0: 1, 1: 2, 2: 5}.get(value, 0) / 8 for value in values.tolist()]
    assert law.pmf(values).tolist() == expected


def test_64_bits_are_not_looked_up_as_doubles():
    large = 2**60
    law = pf.Distribution([large, large + 1], [1, 3])
    for asked in (large + 1, np.int64(large + 1), np.uint64(large + 1), Fraction(large + 1), [large + 1]):
        assert np.all(law.pmf(asked) == 0.75)
    assert law.pmf(np.array([large, large + 1, large + 2], dtype=np.uint64)).tolist() == [0.25, 0.75, 0]
    assert law.cdf(np.array([large - 1, large, large + 1], dtype=np.uint64)).tolist() == [0, 0.25, 1]
    assert law.cdf([-1, 2**63]).tolist() == [0, 1]  # numpy would convert these to doubles
    assert law.pmf([0.5, large + 1]).tolist() == [0, 0.75]
    assert law.cdf([0.5, large]).tolist() == [0, 0.25]
    floats = pf.Distribution([0.5, 2.0**53], [1, 1])
    assert floats.pmf(np.array([2**53, 2**53 + 1])).tolist() == [0.5, 0]
    assert floats.cdf(np.array([2**53 - 1, 2**53])).tolist() == [0.5, 1]
    assert floats.probability_between(2**53 + 1, 2**60) == 0
    # Not even for a mixture of types.
    mixed = pf.Distribution([0.5, large + 1], [1, 1])
    assert mixed.mean(exact=True) == (Fraction(1, 2) + large + 1) / 2
    assert mixed.pmf(large) == 0


def test_what_is_between_integers_is_rounded_to_the_right_side():
    law = pf.Distribution(range(4), [1, 1, 1, 1])
    asked = np.array([-0.5, 0.0, 0.5, 1.0, 2.9999999999999996, 3.0, 3.5, np.inf, -np.inf])
    places = [sum(outcome <= x for outcome in range(4)) / 4 for x in asked]
    assert law.cdf(asked).tolist() == places
    assert law.sf(asked).tolist() == [1 - place for place in places]
    assert law.pmf(asked).tolist() == [0, 0.25, 0, 0.25, 0, 0.25, 0, 0, 0]
    assert law.probability_between(0.5, 2.5) == 0.5
    assert law.probability_between(1, 1) == 0.25


def test_floats_are_the_decimals_they_are_shown_as():
    # Doubles of this size are more than a hundredth apart.
    for text in ("90000000000000.1", "89999999999999.98", "4503599627370495.5", "90071992547409.91"):
        law = pf.Distribution([float(text), 0.0], [1, 0])
        assert law.mean(exact=True) == Fraction(repr(float(text)))
        assert law.pmf(Fraction(repr(float(text)))) == 1
        assert law.sum(2).mean(exact=True) == 2 * Fraction(repr(float(text)))


def test_a_short_float_is_one_decimal_everywhere():
    tenth = np.float32(0.1)
    law = pf.Distribution([0.1, 0.2], [1, 3])
    forms = [
        tenth,
        [tenth],
        (tenth,),
        np.array([tenth]),
        np.array(tenth),
        [tenth, 1],
        [[tenth, np.float64(0.1)]],
    ]
    for form in forms:
        assert np.ravel(law.pmf(form))[0] == 0.25
        assert np.ravel(law.cdf(form))[0] == 0.25
        assert np.ravel(law.quantile(form))[0] == 0.1
    assert law.probability_between(tenth, np.float16(0.1)) == 0.25
    for outcomes in ([tenth], np.array([tenth]), [np.float16(0.1)], [0.1], [Decimal("0.1")], (tenth,)):
        assert pf.Distribution(outcomes, [1]).mean(exact=True) == Fraction(1, 10)
    coin = pf.Distribution([0, 1], [1, 1])
    for payout in ({1: tenth}, [0, tenth], np.array([0, tenth], np.float32), lambda x: tenth if x else 0):
        assert coin.expect(payout, exact=True) == Fraction(1, 20)
    assert coin.rtp({1: tenth}, stake=tenth, exact=True) == Fraction(1, 2)
    assert law.chisquare({tenth: 25, 0.2: 75}).pvalue == 1


def test_numbers_of_mixed_kinds_are_one_law():
    law = pf.Distribution([0.5, Fraction(1, 2), Decimal("0.5"), Fraction(1, 3)], [1, 2, 3, 4])
    assert law.weights == (4, 6)
    assert law.pmf([0.5, Fraction(1, 3), 1 / 3]).tolist() == [0.6, 0.4, 0]
    assert law.cdf([0.4, Fraction(1, 2)]).tolist() == [0.4, 1]
    whole = pf.Distribution([Fraction(2), 1.0, Decimal(2)], [1, 1, 1])
    assert whole.outcomes.tolist() == [1, 2]
    for bad in (
        [Decimal("nan"), 1],
        [Decimal("inf"), 1],
        [Fraction(1, 2), math.inf],
        [Fraction(1, 2), math.nan],
    ):
        with pytest.raises(ValueError, match=r"^outcomes must be finite"):
            pf.Distribution(bad, [1, 1])


@pytest.mark.parametrize(("weights", "n"), [((999, 1), 30_000), ((1, 1), 30_000), ((1, 99), 20_000)])
def test_tails_that_were_truncated_are_said(weights, n):
    law = pf.Distribution([0, 1], weights).sum(n)
    assert law.probability_error > 0
    least, most = int(law.outcomes[0]), int(law.outcomes[-1])

    def weight(k):
        return math.comb(n, k) * weights[0] ** (n - k) * weights[1] ** k

    # Beyond each end, terms decay at least geometrically.
    missing = 0
    if least:
        ratio = (least - 1) * weights[0] / ((n - least + 2) * weights[1])
        missing += weight(least - 1) / sum(weights) ** n / (1 - ratio)
    if most < n:
        ratio = (n - most - 1) * weights[1] / ((most + 2) * weights[0])
        missing += weight(most + 1) / sum(weights) ** n / (1 - ratio)
    assert 0 < missing <= law.truncation_error < 2e-19
    assert len(law) < n / 5
    assert "within" in repr(law)
    assert "truncated" in repr(law)
    assert law.sum(2).truncation_error >= 2 * law.truncation_error
    # Truncated values are possible and aren't counted as impossible.
    counts = (law.probabilities * 10**6).astype(int).tolist()
    rounds = dict(zip(law.outcomes.tolist(), counts, strict=True))
    assert law.chisquare(rounds | {0: 1, n: 1}).pvalue > 0
    assert law.chisquare(rounds | {n + 1: 1}).pvalue == 0


@pytest.mark.parametrize("outcomes", [[0, 1 / 3, 1e6], [0, 1, 2**64], [0, 0.5, 1e307]])
def test_sums_of_too_many_places_name_the_cure(outcomes):
    """The steps between these outcomes exceed 64 bits."""
    law = pf.Distribution(outcomes, [1, 1, 1])
    assert len(law.sum(3)) == 10
    with pytest.raises(ValueError, match=r"n must be so small .* equally spaced outcomes: fewer .* rounded"):
        law.sum(60_000)


def test_sums_of_too_many_outcomes_are_refused():
    with pytest.raises(ValueError, match="n must"):
        pf.Crash().distribution().sum(10)


def test_sums_beyond_floats_are_fractions():
    law = pf.Distribution([0.5, 1e307], [1, 1]).sum(60_000)
    steps = [(2 * x - 60_000) / (2 * 10**307 - 1) for x in law.outcomes.tolist()]
    assert all(step.denominator == 1 and 0 <= step <= 60_000 for step in steps)


def test_nothing_is_cut_of_exact_sums():
    law = pf.Plinko().distribution().sum(60)
    assert law.weights == tuple(math.comb(960, k) for k in range(961))
    assert (law.truncation_error, law.probability_error) == (0, 0)
    assert "cut" not in repr(law)
    assert "within" not in repr(law)


# ---- floats, and exact fractions on request ----


def test_methods_give_floats_and_fractions_on_demand():
    law = pf.Distribution([1, 2, 4], [1, 1, 2])
    answers = {
        "mean": (lambda exact: law.mean(exact=exact), Fraction(11, 4)),
        "var": (lambda exact: law.var(exact=exact), Fraction(1 + 4 + 2 * 16, 4) - Fraction(11, 4) ** 2),
        "median": (lambda exact: law.median(exact=exact), Fraction(2)),
        "share": (lambda exact: law.probability_between(1, 2, exact=exact), Fraction(1, 2)),
        "expect": (lambda exact: law.expect({4: 3}, exact=exact), Fraction(3, 2)),
        "rtp": (lambda exact: law.rtp({4: 3}, stake=2, exact=exact), Fraction(3, 4)),
        "total_variation": (
            lambda exact: law.total_variation(pf.Distribution([1], [1]), exact=exact),
            Fraction(3, 4),
        ),
    }
    for name, (ask, exact) in answers.items():
        assert ask(True) == exact, name
        assert type(ask(True)) is Fraction, name
        assert ask(False) == float(exact), name
        assert type(ask(False)) is float, name
    assert type(law.std()) is float
    assert law.probability_between(3, 2, exact=True) == 0


@pytest.mark.parametrize("weights", list(itertools.product([0, 1, 2, 5], repeat=4)))
def test_the_median_is_the_least_outcome_with_half_below(weights):
    if any(weights):
        outcomes = [-3, 0.5, 2, 10]
        shares = [Fraction(w, sum(weights)) for w in weights]
        least = next(x for i, x in enumerate(outcomes) if sum(shares[: i + 1]) >= Fraction(1, 2))
        assert pf.Distribution(outcomes, weights).median() == least


def test_the_form_of_scipy_is_frozen():
    law = pf.Dice().distribution("as_drawn")
    frozen = law.to_scipy()
    assert frozen.rvs(5, random_state=1).shape == (5,)
    assert set(frozen.rvs(50, random_state=1)) <= set(law.outcomes)
    assert pf.Distribution([Fraction(1, 2), Fraction(1, 3)], [1, 1]).to_scipy().mean() == pytest.approx(
        5 / 12
    )
    with pytest.raises(TypeError, match="numbers"):
        pf.Distribution(["a", "b"], [1, 1]).to_scipy()


@pytest.mark.parametrize(
    "law",
    [
        pf.Distribution([0, 1, 2], [1, 2, 1]),
        pf.Distribution([-3, 0.5, 2, 10], [5, 1, 1, 9]),
        pf.Plinko(pins=8).distribution(),
        pf.Distribution([0, 1.98], [1, 1]).sum(5000),  # in floating point
        pf.Distribution([5, 7.5, 20], [1, 2, 1]),
        pf.Distribution([3, 4, 5], [0, 1, 1]),
        pf.Distribution([0, 0.5, 1.98, 30], [50, 30, 19, 1]),
        pf.Dice().distribution(),
        pf.Plinko().distribution(),
    ],
)
def test_tails_logarithms_and_support_are_those_of_scipy(law):
    frozen = law.to_scipy()
    # Between the steps of sf, where rounding doesn't matter.
    steps = np.unique(np.concatenate([[0.0, 1.0], law.sf(law.outcomes)]))
    q = np.concatenate([[0.0, 1.0], (steps[:-1] + steps[1:]) / 2])
    q = q[(q == 0) | (q == 1) | ((q > 1e-9) & (q < 1 - 1e-9))]
    np.testing.assert_allclose(law.isf(q).astype(float), frozen.isf(q), rtol=1e-13)
    assert law.isf(q.reshape(-1, 1)).shape == (len(q), 1)
    x = np.concatenate([law.outcomes.astype(float), [-100.5, 0.25]])
    np.testing.assert_allclose(law.logpmf(x), frozen.logpmf(x), rtol=1e-11)
    assert law.logpmf(float(law.outcomes[0])).shape == frozen.logpmf(float(law.outcomes[0])).shape == ()
    possible = law.outcomes[law.probabilities > 0]
    assert law.support() == (possible[0], possible[-1])
    if len(possible) == len(law):
        assert law.support() == frozen.support()
    shares = [0, 0.01, 0.3, 0.61, 1]
    assert law.ppf(shares).tolist() == pytest.approx(frozen.ppf(shares).tolist())
    assert law.ppf(0) == law.outcomes[0] - 1
    assert law.quantile(0) == possible[0]


def test_tails_and_logarithms_are_exact():
    weights = [3, 0, 10**400, 1, 7 * 10**20, 0]
    law, total = pf.Distribution([0, 1, 2, 5, 6, 9], weights), sum(weights)
    above = [Fraction(sum(weights[place + 1 :]), total) for place in range(6)]
    for q in [Fraction(0), *above, Fraction(1, 3), Fraction(1, 10**390)]:
        least = next(x for x, tail in zip(law.outcomes, above, strict=True) if tail <= q)
        assert law.isf(q) == (-1 if q == 1 else least)
    assert law.isf(1) == -1
    assert law.support() == (0, 6)
    assert law.logpmf(5) == pytest.approx(-400 * math.log(10), rel=1e-14)
    assert law.logpmf([0, 9, 4]).tolist() == [
        pytest.approx(math.log(3) - 400 * math.log(10)),
        -math.inf,
        -math.inf,
    ]
    tickets = pf.Jackpot(tickets=2**53).distribution()
    assert tickets.support() == (1, 2**53)
    assert (tickets.isf(0.25), tickets.isf(1), tickets.ppf([0, 1]).tolist()) == (3 * 2**51, 0, [0, 2**53])
    assert tickets.logpmf(7) == pytest.approx(-53 * math.log(2))
    assert tickets.logpmf(0.5) == -math.inf
    with pytest.raises(ValueError, match=r"q must be from 0 to 1, got 1\.5"):
        law.isf([0.5, 1.5])
    texts = pf.Distribution(["a", "b"], [1, 3])
    assert (texts.isf(0.5), texts.support(), texts.logpmf("c")) == ("b", ("a", "b"), -math.inf)
    with pytest.raises(TypeError, match="q must be below 1 where outcomes aren't numbers"):
        texts.isf(1)
    with pytest.raises(TypeError, match="q must be above 0 where outcomes aren't numbers"):
        texts.ppf([0.5, 0])


def test_laws_of_any_number_of_tickets():
    for tickets in (10, 2**23, 2**53):
        for name in ("ideal", "as_drawn"):
            law = pf.Jackpot(tickets=tickets).distribution(name)
            half = tickets // 2
            assert law.cdf(half) == law.probability_between(1, half)
            assert law.sf([0, half, tickets]).tolist() == [1, law.probability_between(half + 1, tickets), 0]
            assert law.pmf([0, 1, 1.5, tickets, tickets + 1]).tolist() == [
                0,
                law.probability_between(1, 1),
                0,
                law.probability_between(tickets, tickets),
                0,
            ]
            assert law.pmf("a") == 0
            assert law.quantile(0.5) == law.median() in (half, half + 1)
            median = int(law.median(exact=True))
            shares = [law.probability_between(1, end, exact=True) for end in (median - 1, median)]
            assert shares[0] < 0.5 <= shares[1]
            with pytest.raises(TypeError, match=r"^x must be numbers"):
                law.cdf("a")


def test_distributions_print_and_do_not_change():
    law = pf.Double().distribution()
    assert repr(law) == "<Distribution of 15 outcomes from 0 to 14, total weight 15, ideal>"
    assert repr(pf.Double().distribution("as_drawn")).endswith("total weight about 2**64, as drawn>")
    with pytest.raises(AttributeError, match="can't be deleted"):
        del law.total
    assert law != 15
    assert law == pf.Double().distribution()


def test_sums_of_values_far_apart_by_hand():
    sparse, other = pf.Distribution([0, 1, 10**12], [1, 2, 3]), pf.Distribution([0, 7, 10**13], [5, 1, 4])
    for law, parts in (sparse.sum(3), [sparse] * 3), (sparse + other, [sparse, other]):
        by_hand: Counter[int] = Counter()
        for drawn in itertools.product(*(zip(p.outcomes.tolist(), p.weights, strict=True) for p in parts)):
            by_hand[sum(value for value, _ in drawn)] += math.prod(weight for _, weight in drawn)
        assert dict(zip(law.outcomes.tolist(), law.weights, strict=True)) == dict(sorted(by_hand.items()))


def test_nothing_is_above_the_largest_outcome_in_doubles():
    law = pf.Distribution(range(100), [1] * 100).sum(3000)
    largest = law.outcomes[-1]
    assert law.probability_error > 0
    assert (law.sf(largest), law.sf(largest + 1)) == (0, 0)


def test_a_tally_of_one_position_has_a_float_as_its_deviation():
    assert type(pf.Dice().tally(100).std()) is float


def test_shuffles_are_numbered_one_by_one():
    every = np.array(list(itertools.permutations(range(5), 3)))
    numbers, chance = shuffle_material(every, 5, pf.Mines(), None).duplicates
    assert sorted(numbers.tolist()) == list(range(60))
    assert chance == 1 / 60


def test_whole_numbers_are_drawn_below_a_total_that_is_no_power_of_two():
    rng = np.random.default_rng(46)
    drawn = Counter(below(5, rng) for _ in range(2000))
    assert sorted(drawn) == [0, 1, 2, 3, 4]
    assert pf.Distribution(range(5), [1] * 5).chisquare(drawn).pvalue > 0.01


@pytest.mark.parametrize("exponent", [10_001, -10_001, 400_000_000, -400_000_000])
def test_decimals_of_huge_exponents_are_refused(exponent):
    """Their fractions would fill all memory."""
    value = Decimal(f"1e{exponent}")
    with pytest.raises(ValueError, match=r"must have an exponent from -10000 to 10000|must be finite"):
        pf.Distribution([value, 2], [1, 1]).mean()
    with pytest.raises(ValueError, match=r"^edge must"):
        pf.operators.crash.Raw(edge=value)
    with pytest.raises(ValueError, match=r"^unit must"):
        pf.Dice().bet(1.98, under=50).rounded(unit=value)
    assert pf.Distribution([Decimal(f"0e{exponent}"), 2], [1, 1]).mean() == 1


def test_counts_of_pandas_are_never_read_against_their_index():
    """`value_counts` sorts by count; rows were taken by their place, with a p-value of 0 for a fair game."""
    law = pf.Distribution(range(15), [30, *[1] * 14])
    rolls = pd.Series(law.rvs(1000, rng=1))
    counted = rolls.value_counts()
    assert counted.index.tolist() != [*range(15)]
    few = pd.Series([3, 3, 3, 14, 14, 5]).value_counts()
    for series in (counted, few):
        for given in ({"observed": series}, {"counts": series}):
            with pytest.raises(ValueError, match=r"^counts must have the outcomes in order, .*to_dict\(\)"):
                law.chisquare(**given)
    expected = law.chisquare(Counter(rolls.tolist()))
    for given in (counted.to_dict(), counted.sort_index(), rolls.to_numpy(), rolls, rolls[::-1]):
        assert law.chisquare(given) == expected
    assert expected.pvalue > 0.01
    masked = np.ma.array(rolls.to_numpy(), mask=rolls == 3)
    with pytest.raises(ValueError, match=r"^counts\[\d+\] must have a value, got a masked element$"):
        law.chisquare(masked)


def test_a_tally_of_each_value_is_no_tally_of_whole_outcomes():
    game = game_of(lambda draws: np.stack([draws.below(3), draws.below(2)], axis=1))
    law = game.distribution()
    for test in (law.chisquare, law.ks):
        with pytest.raises(ValueError, match=r"observed must be of whole outcomes, such as \(0, 0\)"):
            test(game.tally(100))
        assert test(game.simulate(2000)).pvalue > 0.001
