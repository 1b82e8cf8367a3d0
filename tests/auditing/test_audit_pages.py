"""Audits as pages, and as tables of findings by row."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import BET, BOARD, board_log, dice_log, pieces
from markup import WellFormed

DICE = pf.Dice().bet(1.98, under=50)
OTHER = [5.6, 2.1, 1.0, 1, 0.5, 1, 1.0, 2.1, 5.6]
HOSTILE = "<script>alert(1)</script>\u202e & \x1b[31m"


def many_findings() -> Any:
    """A report with every kind of picture."""
    rounds = 6000
    log = board_log(rounds, 1, table=OTHER, stakes=np.where(np.arange(rounds) % 2, 1.0, 40.0))
    lost = np.isin(log["outcome"], [3, 4, 5])
    kept = lost | (np.arange(rounds) % 3 > 0)
    log = {name: value if isinstance(value, str) else value[kept] for name, value in log.items()}
    rounds = len(log["outcome"])
    log["player"] = np.array(["anna", HOSTILE, "clara"])[np.arange(rounds) % 3]
    log["time"] = 1_700_000_000 + 60 * np.arange(rounds)
    return pf.audit(log, BOARD, bet=BET), log


@pytest.fixture(scope="module")
def shown() -> Any:
    return many_findings()


def test_a_page_needs_nothing_else_and_shows_every_finding(shown: Any) -> None:
    report, _ = shown
    text = report.to_html()
    page = WellFormed(text)
    assert not {"src", "href", "action"} & {name for name, _ in page.attributes}
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert "color-scheme" in text
    for finding in report.findings:
        assert f"{finding.severity}: {finding.kind}" in text
    assert page.tags.count("svg") >= 1
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "<script" not in text
    WellFormed(report._repr_html_())


def test_tables_and_outcomes_have_their_pictures(shown: Any) -> None:
    from provably_fair.auditing.html import picture

    report, _ = shown
    found = {finding.kind: picture(finding) for finding in report.findings}
    assert "differs" in found["paytable_differs"]
    assert found["outcomes_unfair"].count("<rect") == 9
    hours = next(test for test in report.tests if test.kind == "return_by_hour")
    assert "average" in hours.text


def test_rows_of_a_finding_are_explained_with_what_was_logged(shown: Any) -> None:
    report, log = shown
    rows = report.explain("payout_mismatch", rows=2)
    first = rows.finding.rows[0]
    assert list(rows.logged) == list(rows.finding.rows[:2]) == list(rows.walkthroughs)
    assert rows.logged[first]["payout"] == log["payout"][first]
    assert rows.walkthroughs[first].outcome == log["outcome"][first]
    assert str(rows).startswith("proof: payout_mismatch: ")
    assert f"row {first}" in str(rows)
    WellFormed(rows._repr_html_())
    assert json.loads(json.dumps(rows.to_dict()))["rows"][0]["row"] == first
    assert repr(report.explain(rows.finding)) == repr(report.explain("payout_mismatch"))
    with pytest.raises(ValueError, match="payout_mismatch"):
        report.explain("nonce_gap")
    with pytest.raises(ValueError, match="rows must be"):
        report.explain(rows=0)


def test_rows_that_cant_be_read_again_are_named() -> None:
    log = dice_log(100, 3)
    log["payout"][[4, 70]] = 0.77
    auditor = pf.Auditor(pf.Dice(), DICE)
    for piece in pieces(log, [50]):
        auditor.update(piece)
    for report in auditor.report(), pickle.loads(pickle.dumps(pf.audit(log, pf.Dice(), bet=DICE))):
        rows = report.explain()
        assert list(rows.left_out) == [4, 70]
        assert "can't be read again" in str(rows)
