"""The law of a crash game, fitted to made histories; `measurements/measure_crash_fit.py` makes thousands."""

from __future__ import annotations

import json
import math
import sys

import numpy as np
import provably_fair as pf
import pytest
from folders import MEASUREMENTS, ROOT
from provably_fair.operators.crash.fitting import Fitted
from scipy import stats

sys.path.insert(0, str(MEASUREMENTS))
import measure_crash_fit as measure

fit = pf.operators.crash.fit
KEPT = json.loads((MEASUREMENTS / "crash_fit.json").read_text(encoding="utf-8"))


def made(rows, *numbers, seed=0, **named):
    return measure.made(np.random.default_rng([rows, seed]), rows, *numbers, **named)


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("cell", measure.CELLS)
def test_honest_histories(cell):
    counts = measure.honest(cell, 8)
    assert counts["covered"] >= 6
    assert not counts["with a note"]
    assert not counts["divisor wrong"]
    assert not counts["cap wrong"]


def test_kept_results_hold_what_is_promised():
    cells = KEPT["honest"]
    assert {cell["cell"] for cell in cells} == {*measure.CELLS}
    assert all(cell["covered"] >= 0.9 * cell["histories"] for cell in cells)
    covered, of = (
        sum(cell[name] for cell in cells) for name in ("of these covered", "of half a percent or more")
    )
    assert 0.93 <= covered / of <= 0.98
    page = (ROOT / "docs" / "howto" / "only_the_numbers.md").read_text(encoding="utf-8")
    least = min(cell["covered"] for cell in cells)
    assert (
        f"covered the edge of {sum(cell['covered'] for cell in cells):,}, and of at least {least} of" in page
    )
    assert sum(cell["with a note"] for cell in cells) <= 0.01 * sum(cell["histories"] for cell in cells)
    assert not any(cell["divisor wrong"] or cell["cap wrong"] for cell in cells)
    for one in KEPT["true families"]:
        assert stats.binomtest(one["rejected at"]["5 %"], one["histories"], 0.05, "greater").pvalue > 1e-3
        assert stats.binomtest(one["rejected at"]["1 %"], one["histories"], 0.01, "greater").pvalue > 1e-3
    measured = [one for one in KEPT["power"] if "histories" in one]
    assert len(measured) >= 3
    for one in measured:
        assert one["excluded"] >= 0.9 * one["histories"]
        assert one.get("family rejected at 5 %", one["histories"]) >= 0.9 * one["histories"]
    for one in KEPT["altered"]:
        # A history that is hardly altered is as often missed as an honest one.
        assert one.get("silent, and wrong", 0) <= 0.05 * one["histories"]
    assert {one["chain"] for one in KEPT["chains"]} == {*measure.CHAINS}
    assert all(one["chain"] in one["families"] and not one["notes"] for one in KEPT["chains"])


@pytest.mark.parametrize("how", measure.ALTERATIONS)
def test_altered_histories(how):
    counts = measure.altered(how, 3)
    assert counts.get("told", 0) == 3 or how in ("only from 1.01", "only below 100", "tenths")
    assert counts.get("silent, and wrong", 0) <= 1


def test_laws_of_the_forms_are_those_of_games():
    """P(at least k) = (1 - edge) * 100 / (k - shift), exactly."""
    cash_outs = np.array([101, 102, 150, 199, 200, 1000, 12345])
    for game, left, shift in (
        (pf.operators.crash.Raw("0.03"), 0.97, 0),
        (pf.operators.crash.Divisible(33, 1.0), 0.99 * 32 / 33, 1),
        (Fitted(0.05, 0.5), 0.95, 0.5),
        (Fitted(0.05, 1, instants=0.02), 0.95, 1),
    ):
        chances = [game.bet(cash_out=k / 100).rtp * 100 / k for k in cash_outs.tolist()]
        assert chances == pytest.approx(left * 100 / (cash_outs - shift), rel=1e-12)


def test_a_fitted_law_with_a_cap_and_instant_busts():
    game = Fitted(0.05, 0.0, 10, 0.02, 20.0)
    law = game.distribution(of=lambda busts: np.minimum(busts, 1.2))
    assert law.outcomes.tolist() == [0, 1, 1.1, 1.2]
    assert law.probabilities == pytest.approx(
        [0.02, 0.98 - 0.95 / 1.1, 0.95 / 1.1 - 0.95 / 1.2, 0.95 / 1.2], rel=1e-9
    )
    assert float(game.distribution(of=lambda busts: busts >= 20).mean()) == pytest.approx(0.95 / 20)


def test_the_interval_is_that_of_the_count_if_the_rounding_is_known():
    """With a million rows the shift is all but certain; then mid-p bounds are a binomial's."""
    rows = made(1_000_000, "bustabit", divisor=15, instant=0.0)
    found = fit(rows)
    reached = int((rows >= 1.01).sum())
    for form in found._rows.forms:
        assert form.top == pytest.approx(100 / (101 - form.shift))
    bounds = [stats.beta.ppf(q, reached + 0.5, len(rows) - reached + 0.5) for q in (0.025, 0.5, 0.975)]
    assert found.low <= 1 - bounds[1] <= found.high
    assert found.high == pytest.approx(1 - bounds[0], abs=2e-5)


@pytest.mark.parametrize("divisor", [10, 33, 101])
def test_instant_busts_at_zero(divisor):
    found = fit(made(100_000, "bustabit", divisor=divisor, instant=0.0))
    assert found.instant_at == 0.0
    assert found.instant == pytest.approx(1 / divisor, rel=0.15)
    assert divisor in found.divisors or not found.divisors
    assert isinstance(found.game, pf.operators.crash.Divisible)


def test_raw_games_have_no_instant_busts():
    found = fit(made(20_000, "down", 0.03))
    assert (found.instant, found.instant_at, found.divisors, found.notes) == (0.0, None, (), ())
    assert found.game == pf.operators.crash.Raw(found.game.edge)
    assert 0.025 < float(found.game.edge) < 0.035
    assert found.families["crash.raw:edge=0.03"] > 0.001 > found.families["bustabit.v2"]
    assert found.families["overgo"] < 0.001  # which rounds to nearest
    assert found.low <= 0.03 <= found.high


def test_a_cap_is_found_and_kept():
    found = fit(made(50_000, "down", 0.02, cap=100.0))
    assert (found.cap, found.notes) == (100.0, ())
    assert found.game.cap == 100.0
    assert found.families["stake.slide"] > 0.001
    assert float(found.game.simulate(5000, seed=1).max()) == 100.0


def test_rounds_needed_fall_with_the_difference():
    found = fit(made(10_000, "down", 0.01))
    needed = [found.rounds_needed(edge=edge) for edge in ("0.03", 0.04, 0.05, 0.1)]
    assert needed == sorted(needed, reverse=True)
    # A plain test of the count, without rounding that is open, takes fewer.
    p, q = (1 - edge for edge in (0.01, 0.04))
    p, q = p / 1.01, q / 1.01
    plain = ((1.96 * math.sqrt(q * (1 - q)) + 1.28 * math.sqrt(p * (1 - p))) / (p - q)) ** 2
    assert plain < needed[1] < 4 * plain


def test_no_claim_is_made_without_rows_at_the_bottom():
    rows = made(300, "down", 0.03)
    found = fit(rows[rows > 1])
    assert math.isnan(found.edge)
    assert (found.low, found.high, found.game, found.divisors, found.families) == (0, 1, None, (), {})
    assert "No edge is claimed" in found.verdict
    with pytest.raises(ValueError, match="claims no edge"):
        found.rounds_needed(edge=0.01)


@pytest.mark.parametrize("rows", [np.ones(300), np.zeros(300), np.full(50, 2.5), [0, 1] * 20, range(1, 400)])
def test_what_is_no_crash_game(rows):
    found = fit(rows)
    assert found.notes
    assert found.game is None
    assert json.loads(found.to_json())["edge"] == "nan"
    assert found.notes[0] in str(found)


def test_other_families_are_told():
    random = np.random.default_rng(4)
    for rows in (random.lognormal(1, 1, 2000).round(2), (1 + random.exponential(2, 2000)).round(2)):
        assert "misfit" in fit(rows).notes


def test_it_is_shown():
    found = fit(made(2000, "bustabit", divisor=20, instant=0.0))
    assert json.loads(found.to_json())["schema"] == "provably_fair.crash_fit/1"
    assert "crash.divisible" in found._repr_html_()
    assert "Crash fit of 2,000 outcomes" in found.to_html()
    assert "<testcase" in found.to_junit()
    frame = found.to_pandas()
    assert list(frame.columns) == ["x", "rows", "law", "power law", "log-normal", "exponential"]
    assert (frame["rows"] - frame["law"]).abs().max() < 0.05
    ax = found.plot()
    assert ax.get_yscale() == "log"
    assert {line.get_label().partition(",")[0] for line in ax.get_lines()} >= {"law", "power law", "2"}


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("cap", [2.0, 4.0, 5.0])
def test_equal_rows_below_a_low_cap_are_no_duplicates(cap):
    notes = [fit(made(300, "down", 0.05, cap=cap, seed=seed)).notes for seed in range(60)]
    assert sum("duplicates" in one for one in notes) <= 1


def test_tenths_to_nearest_are_covered():
    covered = 0
    for seed in range(40):
        found = fit(np.maximum(1, np.rint(9.7 / (1 - np.random.default_rng(seed).random(3000))) / 10))
        assert found.step == 0.1
        covered += found.low <= 0.03 <= found.high
    assert covered >= 34


@pytest.mark.parametrize("rows", [300, 1000, 20_000])
def test_rows_of_which_equal_ones_were_dropped_are_told(rows):
    busts = made(rows, "down", 0.03)
    found = fit(busts[np.sort(np.unique(busts, return_index=True)[1])])
    assert "filtered" in found.notes
    assert found.game is None


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([*["1.98"] * 25, "2.5x"], r"outcomes\[25\] must be a number such as 2.5, got '2.5x'"),
        (np.array([*["1.98"] * 25, "1,234.5"]), r"outcomes\[25\] must be a number"),
        (np.ma.masked_greater(made(300, "down", 0.03), 20), "masked element"),
        (np.rint(made(300, "down", 0.03) * 100), "look like hundredths: divide them by 100"),
        (np.rint(made(300, "bustabit", divisor=33) * 100).astype(int), "look like hundredths"),
    ],
)
def test_what_is_no_column_of_multipliers_is_refused(rows, words):
    with pytest.raises((TypeError, ValueError), match=words):
        fit(rows)


def test_float32_and_finer_steps_are_read():
    rows = made(5000, "down", 0.02)
    assert fit(rows.astype(np.float32)).edge == fit(rows).edge
    exact = 0.98 / (1 - np.random.default_rng(3).random(20_000))
    found = fit(np.maximum(1, exact))
    assert (found.notes, found.step) == ((), 1e-8)
    assert found.low <= 0.02 <= found.high


@pytest.mark.parametrize("edge", [-0.1, 1, 1.5, "x", None, np.nan])
def test_a_wrong_edge_is_refused(edge):
    with pytest.raises((TypeError, ValueError), match="edge"):
        fit(made(500, "down", 0.02)).rounds_needed(edge=edge)
