"""The claims of notebook 07 on cheating logs: failing rows, findings of audits, and countermeasures."""

from __future__ import annotations

import pytest

pytest.importorskip("pandas")


def test_its_claims(ran):
    assert sorted({failure.row for failure in ran["report"].failures}) == [17, 50, 83]
    assert (len(ran["cheats"]), sum(ran["verified"].values())) == (12, 11)
    assert not any(report.ok for report in ran["audits"].values())
    found = {one.kind for report in ran["audits"].values() for one in report.findings}
    assert {"nonce_gap", "rotated_every_bet", "commitment_late", "paytable_differs", "wins_refunded"} <= found
    assert ran["fair"].ok
    (by_stake,) = [test.pvalue for test in ran["suspect"].tests if test.kind == "return_by_stake"]
    assert by_stake < 1e-9
    assert ran["blind"].ok
    needed = dict(zip(ran["shares"], ran["needed"], strict=True))
    assert needed[0.1] == pytest.approx(100 * needed[1], rel=0.1)
    assert needed[0.01] == pytest.approx(100 * needed[0.1], rel=0.1)
    assert ran["swapped"].failed == ran["ground"].swapped.sum() > 0
    assert "nonce_repeated" in ran["message"]
    assert ran["alarms"].index(True) == 1


def test_the_cell_to_copy_names_the_wrong_row(copied):
    assert [failure.row for failure in copied["verdict_of_rows"].failures] == [2]
