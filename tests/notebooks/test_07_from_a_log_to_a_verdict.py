"""The claims of notebook 07 on cheating logs: failing rows, findings of audits, and countermeasures."""

from __future__ import annotations

import provably_fair as pf
import pytest

pytest.importorskip("pandas")


def test_three_damaged_rows_are_named(ran):
    assert sorted({failure.row for failure in ran["report"].failures}) == [17, 50, 83]
    assert ran["report"].checked == 100


def test_most_cheats_verify_and_an_audit_finds_all(ran):
    assert sum(ran["verified"].values()) > 0.8 * len(ran["cheats"])
    for cheat in ran["cheats"]:
        found = {one.kind: one.rows for one in ran["audits"][cheat.name].findings}
        for one in cheat.expected:
            assert one.kind in found
            assert one.rows is None or found[one.kind] == one.rows


def test_the_honest_log_of_the_picture_raises_nothing(ran):
    assert ran["fair"].ok
    by_kind = {one.kind: one for one in ran["suspect"].findings}
    assert "return_by_stake" in by_kind
    assert min(test.pvalue for test in ran["suspect"].tests) < 1e-9


def test_an_audit_says_what_it_could_not_see(ran):
    assert ran["blind"].ok
    assert len(ran["blind"].unknown) > 2


def test_a_tenth_of_the_grinding_takes_a_hundred_times_the_rounds(ran):
    needed = dict(zip(ran["shares"], ran["needed"], strict=True))
    assert needed[0.1] == pytest.approx(100 * needed[1], rel=0.1)
    assert needed[0.01] == pytest.approx(100 * needed[0.1], rel=0.1)


def test_commitments_show_every_swapped_salt(ran):
    assert pf.verify(ran["ground"].log, pf.Dice()).ok
    assert ran["swapped"].failed == ran["ground"].swapped.sum() > 0
    assert pf.verify(ran["session"].log(), pf.Dice()).ok


def test_a_test_and_a_watch_find_it_as_well(ran):
    assert "nonce_repeated" in ran["message"]
    assert ran["alarms"] == [False, *[True] * 6]


def test_the_cell_to_copy_names_the_wrong_row(copied):
    assert [failure.row for failure in copied["verdict_of_rows"].failures] == [2]
