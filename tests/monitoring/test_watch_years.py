"""Years of watching fair games: the kept measurements, and that they use the watch's own statistics."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import folders
import measure_watch_windows
import numpy as np
import pytest
from measure_watch import (
    LAWS,
    LEVEL,
    RESULTS,
    SHORT,
    STAKES,
    Games,
    bands,
    evidence,
    fair_years,
    most_evidence,
)
from provably_fair.bets import Bet
from provably_fair.monitoring import Watch
from scipy import stats

DAY = 86_400


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "follow"), [("coin", "days"), ("slot", ""), ("slot", "days"), ("slot", "bets")]
)
def test_evidence_by_totals_is_the_watchs(name, follow):
    days, bets = 35, 40
    group = Games(LAWS[name], follow)
    rng = np.random.default_rng(7)
    watch = Watch(Bet(LAWS[name], None), windows=["all", "1d", "30d"])  # type: ignore[arg-type]
    outcomes = group.values[rng.choice(len(group.values), (days, bets), p=group.chances)]
    stakes, before = np.ones((days, bets)), 1.0
    for day in range(days):
        if follow == "bets":
            for bet in range(1, bets):
                stakes[day, bet] = min(2 * stakes[day, bet - 1], 64) if outcomes[day, bet - 1] < 1 else 1
        elif follow:
            stakes[day] = before
            before = min(2 * before, 64) if outcomes[day].mean() < group.mean else 1.0
    kinds = [stakes == stake for stake in STAKES]
    many = np.stack([kind.sum(axis=1) for kind in kinds], axis=-1)[np.newaxis].astype(float)
    off = np.stack([((outcomes - group.mean) * kind).sum(axis=1) for kind in kinds], axis=-1)[np.newaxis]
    if follow != "bets":
        counts = np.stack([(outcomes == value).sum(axis=1) for value in group.values], axis=-1)[np.newaxis]
        for one, other in zip(group.by_day(counts), (many, off), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-9)
    most = 0.0
    paths, z = group.paths(many, off)
    spread = (outcomes - group.mean) * stakes
    for day, found in enumerate(evidence(paths[0]).tolist()):
        payouts = outcomes[day] * stakes[day]
        watch.update({"payout": payouts, "stake": stakes[day], "time": np.full(bets, DAY * day)}, f"{day}")
        most = max(most, found)
        if day % 7 == 6:
            (segment,) = watch.report().segments
            assert math.log(segment.evalue) == pytest.approx(most, abs=1e-9)
        window = slice(max(0, day - 29), day + 1)
        deviation = group.deviation * math.sqrt((stakes[window] ** 2).sum())
        assert z[0, day] == pytest.approx(spread[window].sum() / deviation)


def test_stakes_that_follow_bets_are_doubled_after_each_that_lost():
    group = Games(LAWS["coin"], "bets")
    many, off = group.days(np.random.default_rng(1), 50, 40, 30)
    assert (many.sum(axis=2) == 30).all()
    # Half of all bets follow a win, and a quarter follow a loss that follows a win.
    np.testing.assert_allclose(many.mean(axis=(0, 1))[1:4] / 30, [0.25, 0.125, 0.0625], rtol=0.1)
    assert abs(off.sum()) < 4 * group.deviation * math.sqrt(many.sum())


def test_the_quick_bound_is_above_the_evidence():
    group = Games(LAWS["double"], "days")
    paths, _ = group.paths(*group.days(np.random.default_rng(3), 30, 60, 500))
    assert (most_evidence(paths) >= [evidence(path).max() for path in paths]).all()


def test_bands_are_left_by_as_many_years_as_the_level_allows():
    largest = np.random.default_rng(2).gumbel(size=(1000, 3)) * [1, 2, 30]
    widths = bands(largest)
    outside = largest > widths
    assert outside.any(axis=1).sum() <= 10
    assert len(set(outside.sum(axis=0).tolist())) == 1
    assert outside.sum() >= 9


def test_years_go_by_again():
    years = fair_years(np.random.default_rng(5), [Games(LAWS["coin"], "days")], 2, [4], 40, 100)
    assert not years["alarms"].any()
    assert (years["largest"] > 1).all()


def test_false_alarms_of_a_thousand_years_keep_their_level():
    kept = json.loads(Path(RESULTS).read_text(encoding="utf-8"))
    assert RESULTS.parent == folders.MEASUREMENTS
    assert (kept["years"], kept["games"], kept["days"], kept["level"]) == (1000, 200, 365, LEVEL)
    assert set(kept["laws"]) == set(LAWS)
    assert kept["interval"][1] <= LEVEL
    # In each year, some fair game leaves the usual band.
    assert kept["years_outside_the_z_band"] == kept["years"]
    # One band per distribution; together they are left no more often than the level.
    assert 1 <= kept["years_outside_the_z_bands_of_the_laws"] <= LEVEL * kept["years"]
    assert set(kept["z_bands"]) == set(LAWS)
    assert kept["z_bands"]["coin"] < 6 < 20 < kept["z_bands"]["jackpot of 1 in 1,000,000"]
    faults = kept["median_day_of_a_fault_of_one_point"]
    assert set(faults) == set(LAWS)
    for days in faults.values():
        known, seen, band = (
            days[name] or math.inf
            for name in ("likelihood_ratio_that_knows_it", "evidence", "z_band_of_the_law")
        )
        assert known <= seen <= band
    assert faults["coin"]["evidence"] <= 200


def test_stakes_that_follow_single_bets_keep_the_level():
    kept = json.loads(Path(RESULTS).read_text(encoding="utf-8"))["stakes_that_follow_bets"]
    assert {name: kept[name] for name in SHORT} == SHORT
    # The probability of at least this many years with an alarm, if the level held exactly.
    assert stats.binom.sf(kept["years_with_alarm"] - 1, kept["years"], LEVEL) > 0.05


def kept_windows():
    return json.loads(measure_watch_windows.RESULTS.read_text(encoding="utf-8"))


def test_the_table_of_windows_is_what_was_measured():
    kept, page = kept_windows(), (folders.ROOT / "docs/howto/watch.md").read_text(encoding="utf-8")
    assert kept["command"] in page
    lines = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| `")]
    table = {re.sub('[`"]|, the default', "", line[0]).strip(): line[1:] for line in lines}
    for place, (name, law) in enumerate(kept["laws"].items()):
        amounts, weights = zip(*measure_watch_windows.WATCHED[name], strict=True)
        fair = float(weights[1])
        true = fair - kept["fault"] / float(amounts[1])
        entropy = true * math.log(true / fair) + (1 - true) * math.log((1 - true) / (1 - fair))
        assert law["bound"] == round(-math.log(kept["level"]) / entropy)
        assert f" {law['bound']:,} |" in page
        for window, found in law["windows"].items():
            days = int(window[:-1]) if window[-1] == "d" and "," not in window else 0
            shown = window + (f", {days * kept['bets_a_day']:,} bets" if days else "")
            told = f"({found['seen']} of {kept['runs']} runs)"
            if found["median"]:
                told = f"{found['median']:,.0f}"
            assert table[shown][place].strip() == told
            # Average detection beats the evidence bound at most by chance, and the full history is at most
            # twice as late.
            assert found["mean"] is None or found["mean"] >= law["bound"]
        assert law["windows"]["all"]["median"] <= 2 * law["bound"]


def test_windows_of_a_few_runs_are_measured_again():
    """A fault is detected in days by the windows that contain it."""
    rng = np.random.default_rng(3)
    times = measure_watch_windows.first_alarms(rng, measure_watch_windows.WATCHED["coin"], 2, 100, 20_000)
    assert (times["1d"] > times["all"]).all()
    assert (times["all"] < 1_000_000).all()
