"""The power of tests, compared with simulations and limits by numpy and scipy."""

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


@pytest.mark.thorough
def test_rounds_needed_are_about_those_of_the_noncentral_limit():
    def loaded(rounds, rng):
        return rng.choice(np.arange(1, 7), rounds, p=np.array([5, 5, 5, 5, 5, 6]) / 31)

    needed = pf.statistics.rounds_needed("chi-square", FAIR, loaded, 0.8, sets=400)
    true = np.array([5, 5, 5, 5, 5, 6]) / 31
    each = ((true - 1 / 6) ** 2 * 6).sum()
    power = stats.ncx2.sf(stats.chi2.isf(0.01, 5), 5, each * np.array([0.85, 1.15]) * needed.rounds)
    assert power[0] < 0.8 < power[1]
    assert needed.power >= 0.8


def limit(law, other, rounds, level):
    """The noncentral limit if no cells are merged, with its noncentrality in Fractions."""
    each = sum((q - p) ** 2 / p for (_, p), (_, q) in zip(law, other, strict=True))
    dof = len(law) - 1
    return stats.ncx2.sf(stats.chi2.isf(level, dof), dof, float(each * rounds))


@pytest.mark.parametrize(
    ("law", "other"),
    [
        (FAIR, LOADED),
        # 10,001 values from 2**64 words: a bias of about 2**-64, invisible in doubles.
        (pf.Dice().distribution("ideal"), pf.Dice().distribution("as_drawn")),
        (pf.operators.stake.Dice().distribution("ideal"), pf.operators.stake.Dice().distribution("as_drawn")),
    ],
)
def test_rounds_that_chi_square_needs_for_two_laws_are_computed(law, other):
    needed = pf.statistics.rounds_needed("chi-square", law, other, 0.9, level=0.001)
    assert (
        needed.power
        == needed.low
        == needed.high
        == pytest.approx(limit(law, other, needed.rounds, 0.001), abs=1e-9)
    )
    assert (needed.test, needed.level, needed.sets) == ("chi-square", 0.001, 0)
    assert needed.power >= 0.9 > limit(law, other, int(needed.rounds * 0.9999), 0.001)


def test_chi_square_of_two_laws_merges_cells_as_the_test_does():
    """Two of the outcomes are expected fewer than five times at any size."""
    law = pf.Distribution([0, 1, 2, 3], [90_000, 9_990, 8, 2])
    other = pf.Distribution([0, 1, 2, 3], [89_000, 10_990, 8, 2])
    needed = pf.statistics.rounds_needed("chi-square", law, other)
    simulated = pf.statistics.power("chi-square", law, other, needed.rounds, sets=200, seed=3)
    assert simulated.low < needed.power < simulated.high
    merged = [pf.Distribution([0, 1], [one.weights[0], sum(one.weights[1:])]) for one in (law, other)]
    assert 10 * needed.rounds < 5 * 10**5  # otherwise there are three cells
    assert needed.power == pytest.approx(limit(*merged, needed.rounds, 0.01))


def test_laws_that_no_chi_square_tells_apart_are_refused():
    chi_square = ("chi-square", FAIR)
    with pytest.raises(ValueError, match="alternative must differ from the game's law"):
        pf.statistics.rounds_needed(*chi_square, pf.Distribution(range(1, 7), [7] * 6))
    with pytest.raises(ValueError, match="alternative must give outcomes of the game, got 7"):
        pf.statistics.rounds_needed(*chi_square, pf.Distribution([1, 7], [1, 1]))
    never = pf.Distribution(range(1, 8), [1] * 6 + [0])
    with pytest.raises(ValueError, match="alternative must give outcomes of the game, got 7"):
        pf.statistics.rounds_needed("chi-square", never, pf.Distribution([1, 7], [1, 1]))
    # The test takes more outcomes as continuous, in a thousand cells.
    large = [pf.Jackpot(tickets=10**5).distribution(kind) for kind in ("ideal", "as_drawn")]
    with pytest.raises(ValueError, match=r"game must have at most 65,536 outcomes, .* laws of ranges"):
        pf.statistics.rounds_needed("chi-square", *large)


@pytest.mark.thorough
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


@pytest.mark.thorough
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
