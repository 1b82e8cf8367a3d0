"""The claims of notebook 02 on the distributions of ten games; each cell runs alone."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest

GAMES = ["Mines", "Tower", "Slot", "Plinko", "Double", "X50", "Jackpot", "Dice", "Crash", "Overgo"]


@pytest.fixture(scope="module")
def alone(notebook):
    """The variables left by each cell when it runs alone."""
    together, *games, as_drawn = [notebook.run(cell) for cell in notebook.code]
    assert together.keys() >= {"pf"}
    return dict(zip(GAMES, games, strict=True)), as_drawn


@pytest.fixture(scope="module")
def games(alone):
    return alone[0]


@pytest.mark.thorough
def test_every_sample_keeps_to_its_law(games):
    assert [type(names["game"]).__name__ for names in games.values()] == GAMES
    assert all(names["rounds"] == 100_000 for names in games.values())
    pvalues = [names["law"].chisquare(names["seen"]).pvalue for names in games.values()]
    assert 0.05 / len(GAMES) < min(pvalues)


def test_the_laws_are_those_that_it_names(games):
    law = {name: names["law"] for name, names in games.items()}
    urn = [Fraction(math.comb(5, k) * math.comb(20, 5 - k), math.comb(25, 5)) for k in range(6)]
    climbed = [Fraction(4, 5) ** rows / 5 for rows in range(10)] + [Fraction(4, 5) ** 10]
    heads = [Fraction(math.comb(16, bucket), 2**16) for bucket in range(17)]
    for name, exact in ("Mines", urn), ("Tower", climbed), ("Plinko", heads):
        assert [Fraction(weight, law[name].total) for weight in law[name].weights] == exact
    assert f"{float(climbed[-1]):.1%}" == "10.7%"
    sizes = {"Slot": 41, "Double": 15, "X50": 54, "Jackpot": 20, "Dice": 10_001}
    assert {name: (len(law[name]), set(law[name].weights)) for name in sizes} == {
        name: (size, {1}) for name, size in sizes.items()
    }
    assert all(len(pf.Slot().distribution(reel=reel)) == 30 for reel in range(4))
    assert pf.Dice().distribution(under=50).mean(exact=True) == Fraction(5000, 10001)


@pytest.mark.parametrize(("name", "kept"), [("Crash", 950_000), ("Overgo", 970_000)])
def test_crash_and_overgo_are_not_exponential(name, kept, games):
    names = games[name]
    k = np.arange(1, 10**6 + 1)
    outcomes, counts = np.unique(np.maximum(np.floor(kept * 100 / k + 0.5), 100), return_counts=True)
    assert np.array_equal(np.rint(100 * names["law"].outcomes.astype(float)), outcomes)
    # Ties of half a hundredth may round either way in floating point.
    assert np.abs(1e6 * names["law"].probabilities - counts).sum() < 50
    for x in 2, 10, 100:
        assert abs(x * names["law"].sf(x - 0.005) - kept / 1e6) < 0.01
    assert 0.045 < names["law"].sf(19) < 0.055
    lump, median = names["lump"], names["median"]
    at_19 = (1 - lump) * ((1 - lump) / 0.5) ** (-(19 - 1) / (median - 1))
    assert at_19 < 1e-5
    farthest = np.abs((names["ratios"] - 1) / (names["width"] / 2)).max()
    assert farthest < 4


def test_the_count_at_57_is_the_farthest(games):
    law, seen = pf.Dice().distribution(of=np.floor), pf.Dice().tally(100_000, of=np.floor)
    chances = law.probabilities
    off = (seen.counts - 1e5 * chances) / np.sqrt(1e5 * chances * (1 - chances))
    assert int(seen.outcomes[np.abs(off).argmax()]) == 57
    assert f"{off.max():.1f}" == "3.6"
    assert len(law) == 101
    assert round(100 * 101 * math.erfc(off.max() / math.sqrt(2))) == 4


def test_doubles_change_nothing_that_shows(alone):
    largest = alone[1]["largest"]
    assert max(largest.values()) < 2e-12
    by_the_package = {bias.game: abs(bias.relative) for bias in pf.statistics.bias_table()}
    assert largest["Dice"] == pytest.approx(by_the_package[pf.Dice()], rel=0.05)
    # No test of n rounds has a power above its level by more than the root of n times this distance, halved.
    ideal, drawn = (pf.Dice().distribution(law) for law in ("ideal", "as_drawn"))
    off = [Fraction(10_001 * weight, drawn.total) - 1 for weight in drawn.weights]
    square = float(sum(each**2 for each in off) / 10_001)
    assert len(ideal) == len(off) == 10_001
    assert math.sqrt(1e25 * square) / 2 < 0.51
    assert max(largest, key=lambda name: largest[name]) == "Dice"


def test_no_cell_uses_names_of_another(notebook):
    assert all("import provably_fair as pf" in cell for cell in notebook.code)
