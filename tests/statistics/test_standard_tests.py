"""Tests that standards name: the level on fair data, and a bias that each is made for."""

from __future__ import annotations

import numpy as np
import pytest
from provably_fair.distribution.sequences import LawSequence, uniform_sequence
from provably_fair.statistics.resampling import Found, judge
from provably_fair.statistics.standard_tests import STANDARD_TESTS
from scipy import stats

NEW = ("order statistic", "adjacency", "Poisson", "spectral", "subsequences")


def pvalue(name, sequence):
    found = STANDARD_TESTS[name][0](sequence)
    found = found if isinstance(found, Found) else judge(found, sequence.values, name)
    return found.pvalue


def fair(kind, rng, size):
    if kind == "numbers":
        return LawSequence("numbers", None, None, rng.random(size))
    if kind == "skewed":
        pmf = np.array([0.9, 0.09, 0.01])
        return LawSequence("skewed", rng.choice(3, size, p=pmf), pmf)
    return uniform_sequence("values", rng.integers(kind, size=size), kind)


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("kind", ["numbers", "skewed", 2, 54])
def test_fair_data_are_rejected_as_rarely_as_it_says(name, kind):
    rng = np.random.default_rng(11)
    # Peaks of values of which one is rare need more of them, as the test says.
    size = 20_000 if (name, kind) == ("spectral", "skewed") else 6000
    rejected = sum(pvalue(name, fair(kind, rng, size)) <= 0.05 for _ in range(30))
    assert stats.binom.sf(rejected - 1, 30, 0.05) > 1e-3


def biased(name, rng, size):
    """Fair values, except for what the test looks for; each value by itself is as likely as it should be."""
    values = rng.random(size)
    if name == "order statistic":  # large values come one to a group
        groups = values.reshape(-1, 5)
        groups[::2] = (rng.permuted(np.tile(np.arange(5), (len(groups[::2]), 1)), axis=1) + groups[::2]) / 5
        return values
    if name == "adjacency":  # neighbors are far apart, or near, in turn
        values[1::4] = (values[::4] + 0.02) % 1
        values[3::4] = (values[2::4] + 0.5) % 1
        return values
    if name == "Poisson":  # rare values come in swarms
        blocks = values.reshape(-1, 16)
        low = np.sort(values)[: size // 16]
        rest = np.sort(values)[size // 16 :]
        rng.shuffle(rest)
        blocks[: size // 256] = low[: size // 256 * 16].reshape(-1, 16)
        blocks[size // 256 :] = np.concatenate([low[size // 256 * 16 :], rest]).reshape(-1, 16)
        rng.shuffle(blocks)
        return blocks.ravel()
    if name == "spectral":
        some = rng.random(size) < 0.1
        return np.where(some, np.arange(size) * 0.137 % 1, values)
    values[::6] = values[::6] ** 0.7
    return values


@pytest.mark.parametrize("name", NEW)
def test_the_bias_that_it_is_made_for_is_found(name):
    values = biased(name, np.random.default_rng(2), 64_000)
    assert pvalue(name, LawSequence("numbers", None, None, values)) < 1e-6


def test_an_impossible_value_is_found_by_each():
    values = uniform_sequence("dice", np.append(np.arange(3000) % 6, 7), 6)
    for name in ("order statistic", "adjacency", "Poisson"):
        assert pvalue(name, values) == 0


def test_few_values_are_refused_with_how_many_it_takes():
    for name in NEW:
        needed = STANDARD_TESTS[name][0](uniform_sequence("dice", np.arange(10) % 6, 6))
        assert isinstance(needed, int)
        assert needed > 10
