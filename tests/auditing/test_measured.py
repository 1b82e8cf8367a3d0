"""The kept results of measurements/measure_audit_tests.py."""

from __future__ import annotations

import json

import folders

ROWS = json.loads((folders.MEASUREMENTS / "audit_tests.json").read_text("utf-8"))["rows"]


def test_honest_logs_are_suspected_no_more_often_than_said():
    """The false alarm rate holds, also if players double after losses and stop at will (95 % intervals)."""
    rows = [row for row in ROWS if row["kind"] in ("false", "report")]
    assert len({row["log"] for row in rows}) == 4
    assert {row["test"] for row in rows if "test" in row} >= {
        "return_low",
        "return_high",
        "return_by_stake",
        "return_by_hour",
        "return_by_player",
        "first_rounds_low",
        "salts_ground",
        "outcomes_unfair",
    }
    above = [row for row in rows if row["low"] > row["level"]]
    assert len(above) <= 0.025 * len(rows) + 1
    assert not [row for row in above if row["kind"] == "report"]


def test_frauds_are_found_at_the_length_that_rounds_needed_says():
    rows = [row for row in ROWS if row["kind"] == "power"]
    assert {row["test"] for row in rows} == {
        "return_low",
        "salts_ground",
        "first_rounds_low",
        "outcomes_unfair",
    }
    assert not [row for row in rows if row["high"] < row["power"]]
