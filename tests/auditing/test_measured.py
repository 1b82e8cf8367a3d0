"""What was measured of audits, as `measurements/` keeps it, is what audits promise."""

from __future__ import annotations

import json

from folders import MEASUREMENTS


def read(name):
    return json.loads((MEASUREMENTS / f"{name}.json").read_text(encoding="utf-8"))


ROWS = read("audit_tests")["rows"]  # of measure_audit_tests.py
MEASURED = read("audits")  # of measure_audits.py


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


def test_no_honest_log_has_a_proof_and_few_have_evidence():
    honest = MEASURED["honest"]
    assert (honest["logs"], honest["with_proof"]) == (1000, 0)
    assert honest["with_evidence"] <= honest["level"] * honest["logs"]


def test_ground_logs_are_found_at_the_size_that_it_takes():
    for ground in MEASURED["ground"]:
        # Three standard errors below the promised power.
        spread = (ground["power"] * (1 - ground["power"]) * ground["logs"]) ** 0.5
        assert ground["found"] >= ground["power"] * ground["logs"] - 3 * spread


def test_a_board_that_verifies_and_is_unfair_is_found():
    board = MEASURED["board"]
    assert (board["rounds"], board["failed"], board["returns"]) == (1_000_000, 0, [0.98984, 0.98])
    assert {"outcomes_unfair", "return_low"} <= set(board["evidence"])
    assert not board["proof"]


def test_two_thousand_honest_logs_were_audited():
    kept = read("honest_logs")
    assert kept["logs"] >= 2000
    assert kept["proofs"] == {}
    assert sum(kept["evidence"].values()) <= 0.01 * kept["logs"]  # the level of audits
    assert len(kept["systems"]) >= 40
