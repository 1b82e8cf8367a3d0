"""The power of tests of outcomes, held to simulations and limits by numpy and scipy alone."""

from __future__ import annotations

import numpy as np
import provably_fair as pf
import pytest
from scipy import stats

FAIR = pf.Distribution(range(1, 7), [1] * 6)
LOADED = pf.Distribution(range(1, 7), [5, 5, 5, 5, 5, 6])


def test_the_power_of_chi_square_is_that_of_samples_by_numpy():
    rounds = 2500
    found = pf.statistics.power("chi-square", FAIR, LOADED, rounds, sets=600)
    true = np.array([5, 5, 5, 5, 5, 6]) / 31
    samples = np.random.default_rng(8).multinomial(rounds, true, size=100_000)
    share = (stats.chisquare(samples, axis=1).pvalue <= 0.01).mean()
    effect = rounds * ((true - 1 / 6) ** 2 * 6).sum()
    limit = stats.ncx2.sf(stats.chi2.isf(0.01, 5), 5, effect)
    assert share == pytest.approx(limit, abs=0.02)
    assert stats.binomtest(round(found.power * 600), 600, share).pvalue > 1e-3
    assert found.low < found.power < found.high


def test_rounds_needed_are_about_those_of_the_noncentral_limit():
    needed = pf.statistics.rounds_needed("chi-square", FAIR, LOADED, 0.8, sets=400)
    true = np.array([5, 5, 5, 5, 5, 6]) / 31
    each = ((true - 1 / 6) ** 2 * 6).sum()
    power = stats.ncx2.sf(stats.chi2.isf(0.01, 5), 5, each * np.array([0.85, 1.15]) * needed.rounds)
    assert power[0] < 0.8 < power[1]
    assert needed.power >= 0.8


def test_a_function_is_an_alternative_and_a_seed_repeats_it():
    def sticky(rounds, rng):
        values = rng.integers(54, size=rounds)
        again = np.flatnonzero(rng.random(rounds - 1) < 0.3) + 1
        values[again] = values[again - 1]
        return values

    found = [
        pf.statistics.power("serial correlation", pf.X50(), sticky, 300, sets=50, seed="a") for _ in range(2)
    ]
    assert found[0] == found[1]
    assert found[0].power > 0.9
    assert pf.statistics.power("chi-square", pf.X50(), sticky, 300, sets=50).power < 0.5


def test_a_game_against_itself_is_rejected_as_rarely_as_the_level_says():
    found = pf.statistics.power("runs", pf.X50(), pf.X50(), 500, level=0.05, sets=300)
    assert found.low <= 0.05 <= found.high


@pytest.mark.parametrize("test", ["interplay", "duplicates", "any"])
def test_tests_of_whole_rounds(test):
    def same(rounds, rng):
        return np.repeat(rng.integers(25, size=(rounds, 1)), 3, axis=1) // 9 * 9 + [0, 3, 6]

    assert pf.statistics.power(test, pf.Mines(3), same, 200, sets=5).power == 1


def test_what_no_test_sees_is_said():
    with pytest.raises(ValueError, match=r"alternative must differ more: 5,242,880 rounds have power"):
        pf.statistics.rounds_needed(
            "interplay", pf.X50(), lambda rounds, rng: np.zeros(rounds, np.int64), sets=1
        )


def test_an_alternative_that_is_no_outcome_is_refused():
    with pytest.raises(ValueError, match="alternative must give outcomes of the game"):
        pf.statistics.power("runs", pf.Mines(3), pf.Crash(), 100, sets=2)
