"""Uniform laws and Plinko's buckets, from made histories."""

from __future__ import annotations

import numpy as np
import provably_fair as pf
import pytest

fit_uniform, fit_buckets = pf.statistics.fit_uniform, pf.statistics.fit_buckets
ROLLS = np.random.default_rng(1).integers(37, size=5000)


@pytest.mark.parametrize("size", [2, 15, 37, 1000, 10_001])
def test_honest_histories_have_no_note(size):
    random = np.random.default_rng(size)
    for rows in (300, 3000, 30_000):
        found = fit_uniform(random.integers(size, size=rows) / 100)
        assert (found.notes, found.holes, found.rounds, round(found.step, 9)) == ((), (), rows, 0.01)
        assert 0 <= found.low <= found.high <= (size - 1) / 100


@pytest.mark.parametrize(("size", "step"), [(1_500_000, 1), (2**21, 0.01), (10**13, 1e-8)])
def test_honest_histories_of_many_values_have_no_note(size, step):
    rows = np.random.default_rng(1).integers(size, size=300_000)
    assert fit_uniform(rows * step).notes == ()


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        (np.sort(ROLLS), "sorted"),
        (np.sort(ROLLS)[::-1], "sorted"),
        (np.repeat(ROLLS, 2), "dependent"),
        (np.tile(ROLLS, 2), "duplicates"),
        (np.tile(np.random.default_rng(2).integers(10_001, size=500), 2), "duplicates"),
        (np.rint(np.random.default_rng(3).random(20_000) * 100), "ends"),
        (np.random.default_rng(5).permutation(10_001)[:600], "filtered"),  # as after `unique`
        (np.where(ROLLS == 13, 14, ROLLS), "holes"),
        (np.where(ROLLS == 13, 14, ROLLS), "excess"),
        (np.minimum(ROLLS, np.roll(ROLLS, 1)), "dependent"),
        (np.random.default_rng(4).choice(36, 20_000, p=np.tile([1.08, 0.92], 18) / 36), "misfit"),
    ],
)
def test_what_is_odd_is_told(rows, note):
    assert note in fit_uniform(rows).notes


def test_holes_are_named():
    found = fit_uniform(np.where(np.isin(ROLLS, (5, 20)), 7, ROLLS) * 2.5)
    assert (found.low, found.high, found.step, found.holes) == (0.0, 90.0, 2.5, (12.5, 50.0))


@pytest.mark.parametrize("rows", range(8, 17))
def test_rows_of_pins_are_found(rows):
    random = np.random.default_rng(rows)
    found = fit_buckets(random.binomial(rows, 0.5, 2000))
    assert (found.rows, found.notes, found.rounds) == (rows, (), 2000)
    assert found.low < 0.5 < found.high
    unfair = fit_buckets(random.binomial(rows, 0.55, 5000))
    assert (unfair.rows, unfair.notes) == (rows, ("unfair",))
    assert unfair.low < 0.55 < unfair.high


def test_pins_that_are_unlike_are_told():
    random = np.random.default_rng(6)
    chances = np.where(random.random(5000) < 0.5, 0.35, 0.65)
    assert "misfit" in fit_buckets(random.binomial(12, chances)).notes


@pytest.mark.parametrize("rows", [[0.5] * 30, [65] * 30, [-1] * 30, [], [1, 2], "x", None])
def test_wrong_buckets_are_refused(rows):
    with pytest.raises((TypeError, ValueError), match="outcomes"):
        fit_buckets(rows)


def test_both_are_shown():
    assert "step" in fit_uniform(ROLLS)._repr_html_()
    assert repr(fit_buckets(np.arange(9).repeat(30))).startswith("BucketsFit(rows=")
