"""P-values of audits: never smaller than they may be, by trying everything that can come up."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.auditing.evidence import Against, fit, groups_of, sum_pvalue
from provably_fair.auditing.sums import Groups, exact_sum, exact_sums


def holds(pvalues: list[tuple[float, Fraction]]) -> None:
    """Whether p-values, with their probabilities, fall to a level or below no more often than it says."""
    assert sum(weight for _, weight in pvalues) == 1
    ordered = sorted(pvalues)
    reached = Fraction(0)
    for (pvalue, weight), (following, _) in zip(ordered, [*ordered[1:], (2.0, 0)], strict=True):
        reached += weight
        if following > pvalue:
            assert reached <= Fraction(pvalue) * Fraction(1 + 1e-9) or pvalue >= 1


@pytest.mark.parametrize("weights", [[1, 1], [1, 2, 1], [3, 1, 1, 3], [1, 9, 0, 2]])
@pytest.mark.parametrize("rounds", [1, 4, 9])
def test_fit_holds(weights: list[int], rounds: int) -> None:
    total, found = sum(weights), []
    for counts in itertools.product(range(rounds + 1), repeat=len(weights)):
        if sum(counts) == rounds:
            ways = math.factorial(rounds)
            weight = Fraction(1)
            for count, one in zip(counts, weights, strict=True):
                ways //= math.factorial(count)
                weight *= Fraction(one, total) ** count
            found.append((fit(np.array(counts), weights), ways * weight))
    holds(found)


def test_fit_finds_what_differs() -> None:
    law = pf.Plinko(pins=8).distribution()
    fair = np.array(law.weights) * 1000
    assert fit(fair, list(law.weights)) == 1
    for moved in range(8):
        # Eight standard deviations, from one bucket into the next.
        other, many = fair.copy(), round(8 * math.sqrt(max(fair[moved], fair[moved + 1])))
        other[moved], other[moved + 1] = other[moved] + many, other[moved + 1] - many
        assert fit(other, list(law.weights)) < 1e-8


def test_groups_have_about_the_same_weight() -> None:
    law = pf.Crash().distribution()
    begins = groups_of(law)
    shares = np.add.reduceat(law.probabilities, begins)
    # Only outcomes that are likelier than a group weigh more.
    assert len(begins) <= 64
    assert np.median(shares) < 2 / 64
    assert abs(shares.sum() - 1) < 1e-12


@pytest.mark.parametrize(
    "law", [pf.Distribution([0, 2], [1, 1]), pf.Distribution([0, 1, 5], [6, 3, 1])], ids=["coin", "three"]
)
def test_evidence_holds_whenever_a_player_stops(law: pf.Distribution) -> None:
    """Every history of ten bets, stopped where the p-value is least."""
    against = Against(law)
    amounts = law.outcomes.tolist()
    depth = 10 if len(amounts) == 2 else 7
    table = [
        [
            against.pvalues(np.array([bets]), np.array([back]))[0].tolist()
            for back in range(max(amounts) * bets + 1)
        ]
        for bets in range(depth + 1)
    ]
    for side in 0, 1:
        found = []
        for history in itertools.product(range(len(amounts)), repeat=depth):
            sums = np.cumsum([amounts[place] for place in history]).tolist()
            least = min(table[bets + 1][back][side] for bets, back in enumerate(sums))
            weight = math.prod(Fraction(law.weights[place], law.total) for place in history)
            found.append((least, weight))
        holds(found)


def test_evidence_holds_for_players_who_double_after_losses() -> None:
    law = pf.Distribution([0, 2], [1, 1])
    against = Against(law)
    found: dict[float, Fraction] = {}
    for history in itertools.product([0, 2], repeat=9):
        stakes = [1]
        for back in history[:-1]:
            stakes.append(1 if back else 2 * stakes[-1])
        classes = np.unique(np.frexp(stakes)[1])
        rows = [[stake for stake in stakes if np.frexp(stake)[1] == one] for one in classes]
        off = sum(stake * (back - 1) for stake, back in zip(stakes, history, strict=True))
        columns = [np.array([f(row) for row in rows], float) for f in (len, min, max, sum)]
        low, _ = against.staked_pvalues(columns, float(off), float(stakes[0]))
        found[low] = found.get(low, Fraction(0)) + Fraction(1, 2**9)
    holds(list(found.items()))


def test_stakes_of_a_class_cost_at_least_what_each_would() -> None:
    law = pf.Plinko(pins=8).distribution(payout=[5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6])
    against = Against(law)
    stakes = np.random.default_rng(1).integers(64, 128, 500).astype(np.float64)
    one = [np.array([value]) for value in (500.0, stakes.min(), stakes.max(), stakes.sum())]
    each = [np.ones(500), stakes, stakes, stakes]
    for off in (-8000.0, 8000.0):
        together = against.staked_pvalues(one, off, 100.0)
        apart = against.staked_pvalues(each, off, 100.0)
        assert all(a >= b for a, b in zip(together, apart, strict=True))
        assert min(together) < 5 * min(apart) < 0.05  # and hardly more


def test_sum_is_the_exact_tail() -> None:
    law = pf.Distribution([0, 1, 5], [6, 3, 1])
    exact = law.sum(30)
    for returned in 0, 10, 24, 60:
        low = sum_pvalue(law, 30, Fraction(returned), "less")
        assert low == pytest.approx(float(exact.cdf(returned)), rel=1e-9)
        high = sum_pvalue(law, 30, Fraction(returned), "greater")
        assert high == pytest.approx(float(exact.sf(returned - 1)), rel=1e-9)


def test_sums_are_exact_and_dont_depend_on_batches() -> None:
    rng = np.random.default_rng(0)
    keys, values = rng.integers(0, 40, 5000), rng.integers(-(2**61), 2**61, 5000)
    expected = [sum(values[keys == key].tolist()) for key in range(40)]
    assert exact_sums(keys, values, 40) == expected
    assert exact_sum(values) == sum(expected)
    whole = Groups({"bets": "sum", "first": "min"}, most=17)
    rows, ones = np.arange(5000), np.ones(5000, np.int64)
    whole.add(keys, bets=ones, first=rows)
    for size in 1, 7, 4999:
        some = Groups({"bets": "sum", "first": "min"}, most=17)
        for start in range(0, 5000, size):
            part = slice(start, start + size)
            some.add(keys[part], bets=ones[part], first=rows[part])
        assert some.keys.tolist() == whole.keys.tolist() == list(range(17))
        assert all((some.columns[name] == whole.columns[name]).all() for name in whole.columns)
