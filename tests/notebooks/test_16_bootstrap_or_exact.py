"""The claims of notebook 16 on bootstraps: their coverage, next to exact distributions."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("pandas")
pytest.importorskip("polars")


def test_both_tables_return_99_percent(ran):
    for risk, pays in ran["PAYS"].items():
        by_hand = sum(math.comb(16, bucket) * each for bucket, each in enumerate(pays)) / 2**16
        assert ran["bets"][risk].rtp == pytest.approx(by_hand)
        assert f"{by_hand:.0%}" == "99%"


def test_frames_have_what_was_simulated(ran):
    paid = ran["paid_in_log"]
    assert ran["log"]["paid"].to_numpy().tolist() == paid.tolist()
    assert ran["frame"]["paid"].tolist() == paid.tolist()


def test_the_log_has_none_of_the_large_payouts(ran):
    assert ran["paid_in_log"].max() == 26
    chances = {pays: ran["bets"]["high risk"].law.pmf(pays) for pays in (130, 1000)}
    assert {pays: round(5000 * chance, 2) for pays, chance in chances.items()} == {130: 2.44, 1000: 0.15}
    part = sum(pays * chance for pays, chance in chances.items()) / ran["bets"]["high risk"].rtp
    assert 0.09 < part < 0.1


def test_how_often_each_is_right(ran, notebook):
    shares = ran["shares"]
    low, high = (shares[shares.index.str.startswith(risk)] for risk in ("low", "high"))
    assert (
        f"in {100 * high['bootstrap'].iloc[0]:.0f} and {100 * high['bootstrap'].iloc[1]:.0f} of"
        in notebook.text
    )
    # 200 intervals with 95 % coverage hold in 179 to 199 cases, with probability 0.999.
    assert ((shares["bet.interval"] >= 0.895) & (shares["bet.interval"] <= 0.995)).all()
    assert ((low["bootstrap"] >= 0.895) & (low["bootstrap"] <= 0.995)).all()
    assert {round(100 * share) for share in shares["bet.interval"]} <= {95, 96, 97, 98}
    assert (low["bootstrap"] >= 0.93).all()
    assert (ran["widths"]["bootstrap"] < ran["widths"]["bet.interval"]).all()
    assert 4 < ran["widths"]["bet.interval"]["high risk, 500 bets"] < 6


def test_an_interval_holds_the_return_if_the_total_is_ordinary(ran):
    """These are the last logs, of 5,000 bets at high risk."""
    rtp = ran["bets"]["high risk"].rtp
    holds = [interval.low <= rtp <= interval.high for interval in ran["of_ten"]]
    totals = ran["totals"][:10]
    assert holds == ((ran["least"] <= totals) & (totals <= ran["most"])).tolist()


def test_the_exact_interval_reaches_further_up(ran):
    interval = ran["interval"]
    assert interval.low < ran["bets"]["high risk"].rtp < interval.high
    assert interval.high - ran["high"] > 0.2


def test_the_cell_to_copy_has_both(copied):
    assert copied["one_bet"].mean() == pytest.approx(1.55)
    low, high = np.quantile(copied["drawn"], [0.025, 0.975])
    assert low < 1.55 < high
