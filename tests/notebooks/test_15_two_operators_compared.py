"""The claims of notebook 15 on three games of crash, and on tests that can or can't tell them apart."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("pandas")
pytest.importorskip("scipy")


def test_returns_are_flat(ran):
    for name, back in {"Stake": 0.99, "bustabit": 0.99, "Duel": 0.999}.items():
        for cash_out in 1.5, 2, 10, 100:
            assert ran["games"][name].bet(cash_out=cash_out).rtp == pytest.approx(back, rel=1e-5)


def test_how_far_apart_they_are(ran, notebook):
    distances = ran["distances"]
    assert f"Duel's by {100 * distances['Stake']['Duel']:.2f} %" in notebook.text
    assert distances["bustabit"]["Duel"] == pytest.approx(distances["Stake"]["Duel"], rel=1e-4)
    assert distances["Stake"]["bustabit"] == pytest.approx(4e-6, rel=0.05)
    stake, duel = (ran["laws"][name] for name in ("Stake", "Duel"))
    assert [round(100 * float(law.pmf(1.0)), 1) for law in (stake, duel)] == [2.0, 1.0]
    assert (stake.pmf(0.99), round(1000 * float(duel.pmf(0.99)))) == (0, 1)


def test_scipys_test_rejects_fair_games(ran):
    of_fair, law = ran["of_fair"], ran["law"]
    assert (of_fair["kstest"] <= 0.05).all()
    assert f"{float(law.pmf(1.0)):.4f}" == "0.0198"
    for name in "kstest, spread", "chi-square":
        assert (of_fair[name] <= 0.05).sum() <= 11  # true of 99 % of a hundred tests at 5 %
        assert abs(of_fair[name].mean() - 0.5) < 4 / math.sqrt(12 * 100)


def test_two_samples_are_not_accused(ran):
    from scipy import stats

    pairs = zip(ran["fair"][:50, :2000], ran["fair"][50:, :2000], strict=True)
    pvalues = [stats.ks_2samp(one, other).pvalue for one, other in pairs]
    assert np.mean(np.array(pvalues) <= 0.05) < 0.1


def test_how_many_games_it_takes(ran):
    found = {name: dict(zip(ran["sizes"], shares, strict=True)) for name, shares in ran["found"].items()}
    assert found["chi-square"][4000] == 0.99
    assert found["chi-square"][4000] > 1 - 0.999**4000 - 0.05
    assert found["kstest, spread"][4000] < 0.2


def test_bustabit_shows_what_stake_can_not(ran, notebook):
    """Counted word by word of 32 bits, in integers."""
    least = ran["LEAST"]
    kept, total = 99 * 2**32, 2**52

    def at_bustabit(hundredths):
        return (kept << 20) // hundredths - (kept << 20) // (hundredths + 1)

    shown = Counter(kept // word for word in range(1, kept // least + 1))
    assert all(kept // each > kept // (each + 1) for each in range(101, least))
    possible = sum(map(at_bustabit, shown))
    impossible = ((kept << 20) // least - possible) / total
    assert ran["impossible"] == pytest.approx(impossible, rel=1e-6)
    assert f"once in {1 / impossible:,.0f} games" in notebook.text.replace("\n", " ")
    assert 1 - (1 - impossible) ** 46_000 > 0.99
    assert ran["gaps"][0] == next(n for n in itertools.count(least) if kept // n == kept // (n + 1))
    # The distance is what Stake's law has above bustabit's.
    more = sum(max(0, (times << 20) - at_bustabit(each)) for each, times in shown.items())
    for each in range(101, least):
        more += max(0, ((kept // each - kept // (each + 1)) << 20) - at_bustabit(each))
    more += max(0, (kept << 20) // 101 - ((kept // 101) << 20))
    assert ran["distance"] == pytest.approx(more / total, rel=1e-4)
    assert f"{1e6 * ran['distance']:.0f} in a million" in notebook.text
    assert 7 < len(ran["places"]) < 18  # ten are expected


def test_below_1000_no_test_tells_them_in_a_hundred_million_games(ran):
    stake, other = (ran["laws"][name].probabilities for name in ("Stake", "bustabit"))
    square = ((stake - other) ** 2 / other).sum()
    # The distance of n games is at most the root of n times the square, halved.
    assert math.sqrt(1e8 * square) / 2 < 0.9


def test_the_cell_to_copy_keeps_its_level(copied):
    law = copied["pf"].operators.stake.Limbo().distribution(of=lambda x: np.minimum(x, 100))
    samples = np.minimum(copied["pf"].operators.stake.Limbo().simulate(100_000), 100).reshape(50, -1)
    pvalues = [list(copied["goodness_of_fit"](sample, law).values()) for sample in samples]
    assert (np.mean(np.array(pvalues) <= 0.05, axis=0) < 0.16).all()
