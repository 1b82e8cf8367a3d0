"""Tests required by standards: their level on fair data, and a bias that each detects."""

from __future__ import annotations

import json

import numpy as np
import pytest
from measure_fairness import FAIR
from measure_standard_tests import BIASES, LEVELS, RESULTS, SIZES, TESTS, biases, levels
from provably_fair.distribution.sequences import LawSequence, uniform_sequence
from provably_fair.statistics.registry import BY_NAME
from provably_fair.statistics.resampling import Judgment, judge
from scipy import stats

MEASURED = json.loads(RESULTS.read_text(encoding="utf-8"))
NEW = ("order statistic", "adjacency", "Poisson", "spectral", "subsequences")


def pvalue(name, sequence):
    found = BY_NAME[name].function(sequence)
    found = found if isinstance(found, Judgment) else judge(found, sequence.values, name)
    return found.pvalue


def fair(kind, rng, size):
    if kind == "numbers":
        return LawSequence("numbers", None, None, rng.random(size))
    if kind == "skewed":
        pmf = np.array([0.9, 0.09, 0.01])
        return LawSequence("skewed", rng.choice(3, size, p=pmf), pmf)
    return uniform_sequence("values", rng.integers(kind, size=size), kind)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("kind", ["numbers", "skewed", 2, 54])
def test_fair_data_are_rejected_as_rarely_as_it_says(name, kind):
    rng = np.random.default_rng(11)
    # With a rare value, peaks need more values, as the test's documentation says.
    size = 20_000 if (name, kind) == ("spectral", "skewed") else 6000
    rejected = sum(pvalue(name, fair(kind, rng, size)) <= 0.05 for _ in range(30))
    assert stats.binom.sf(rejected - 1, 30, 0.05) > 1e-3


def test_an_impossible_value_is_found_by_each():
    values = uniform_sequence("dice", np.append(np.arange(3000) % 6, 7), 6)
    for name in ("order statistic", "adjacency", "Poisson"):
        assert pvalue(name, values) == 0


@pytest.mark.filterwarnings("error")
def test_equal_values_have_no_peak():
    assert pvalue("spectral", LawSequence("rare", np.zeros(60, int), np.array([0.999, 0.001]))) > 0.5


def test_few_values_are_refused_with_how_many_it_takes():
    for name in NEW:
        needed = BY_NAME[name].function(uniform_sequence("dice", np.arange(10) % 6, 6))
        assert isinstance(needed, int)
        assert needed > 10


def test_levels_that_were_measured_are_those_that_the_tests_have():
    """No measured share of p-values up to a level exceeds the level by more than chance."""
    rows = MEASURED["levels"]
    assert {row["kind"] for row in rows} == set(FAIR)
    assert {row["rounds"] for row in rows} == set(SIZES)
    together: dict[tuple[str, int], np.ndarray] = {}
    for row in rows:
        counts = np.array([row["tested"], *(row[str(level)]["count"] for level in LEVELS)])
        named = row["test"], row["rounds"]
        together[named] = together.get(named, 0) + counts
        for level, count in zip(LEVELS, counts[1:].tolist(), strict=True):
            low, high = stats.binomtest(count, row["tested"]).proportion_ci(0.95, "exact")
            assert (row[str(level)]["low"], row[str(level)]["high"]) == pytest.approx((low, high), abs=1e-5)
            assert stats.binom.sf(count - 1, row["tested"], level) > 0.01 / (len(LEVELS) * len(rows))
    assert set(together) == {(test, size) for test in TESTS for size in SIZES}
    for tested, *counts in together.values():
        for level, count in zip(LEVELS, counts, strict=True):
            assert stats.binom.sf(count - 1, tested, level) > 0.01 / (len(LEVELS) * len(together))


@pytest.mark.thorough
def test_a_short_measurement_is_the_same_again():
    again = levels("54 equal outcomes", 100, 20)
    assert again == levels("54 equal outcomes", 100, 20)
    assert {row["test"] for row in again} == {"order statistic", "subsequences", "spectral", "adjacency"}
    (kept,) = [row for row in MEASURED["biases"] if row["made_for"] == "Poisson"]
    assert biases("Poisson", kept["sets"]) == kept


@pytest.mark.parametrize("made_for", TESTS)
def test_each_test_finds_a_bias_that_the_others_miss(made_for):
    (row,) = [row for row in MEASURED["biases"] if row["made_for"] == made_for]
    assert row["plays"] == BIASES[made_for][1]
    for test, found in row["found_at_0.01"].items():
        if test == made_for:
            assert found["count"] == row["sets"]
        else:
            assert found["high"] < 0.1
