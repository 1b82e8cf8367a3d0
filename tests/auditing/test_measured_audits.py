"""The results of `measurements/measure_audits.py` meet what audits promise."""

from __future__ import annotations

import json

from folders import MEASUREMENTS

MEASURED = json.loads((MEASUREMENTS / "audits.json").read_text(encoding="utf-8"))


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
