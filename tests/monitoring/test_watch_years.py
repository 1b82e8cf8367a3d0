"""Years of watching fair games: what was measured, and that it is measured by what a watch adds up."""

from __future__ import annotations

import json
import math
from pathlib import Path

import folders
import numpy as np
import pytest
from provably_fair.bets import Bet
from provably_fair.monitoring import Watch
from tools.measure_watch import LAWS, LEVEL, RESULTS, Games, evidence, fair_years, most_evidence

DAY = 86_400


@pytest.mark.parametrize(("name", "follow"), [("coin", True), ("slot", False), ("slot", True)])
def test_evidence_by_totals_is_the_watchs(name, follow):
    days, bets = 35, 40
    group = Games(LAWS[name], follow)
    counts = group.counts(np.random.default_rng(7), 1, days, bets)
    stakes, _ = group._stakes(counts @ group.values - bets * group.mean)
    watch = Watch(Bet(LAWS[name], None), windows=["all", "1d", "30d"])  # type: ignore[arg-type]
    most = 0.0
    paths, _ = group.paths(counts)
    for day, found in enumerate(evidence(paths[0]).tolist()):
        payouts = np.repeat(group.values, counts[0, day]) * stakes[0, day]
        watch.update(
            {"payout": payouts, "stake": np.full(bets, stakes[0, day]), "time": np.full(bets, DAY * day)}
        )
        most = max(most, found)
        (segment,) = watch.report().segments
        assert math.log(segment.evalue) == pytest.approx(most, abs=1e-9)


def test_the_quick_bound_is_above_the_evidence():
    group = Games(LAWS["double"], True)
    paths, _ = group.paths(group.counts(np.random.default_rng(3), 30, 60, 500))
    assert (most_evidence(paths) >= [evidence(path).max() for path in paths]).all()


def test_years_go_by_again():
    years = fair_years(np.random.default_rng(5), [Games(LAWS["coin"], True)], 2, [4], 40, 100)
    assert not years["alarms"].any()
    assert (years["largest"] > 1).all()


def test_false_alarms_of_a_thousand_years_keep_their_level():
    kept = json.loads(Path(RESULTS).read_text(encoding="utf-8"))
    assert RESULTS.parent == folders.VECTORS
    assert (kept["years"], kept["games"], kept["days"], kept["level"]) == (1000, 200, 365, LEVEL)
    assert set(kept["laws"]) == set(LAWS)
    assert kept["interval"][1] <= LEVEL
    # The usual band is left by some fair game in every year.
    assert kept["years_outside_the_z_band"] == kept["years"]
    days = kept["median_day_of_a_fault_of_one_point"]["coin"]
    assert days["likelihood_ratio_that_knows_it"] <= days["evidence"] <= 200
    assert days["z_band_with_as_many_false_alarms"] is None
