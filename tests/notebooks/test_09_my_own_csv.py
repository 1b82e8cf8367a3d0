"""The claims of notebook 09 on a CSV of bets: wrong rows, short payments, and luck."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pandas")


def test_three_rolls_and_two_payouts_are_named(ran):
    assert [failure.row for failure in ran["report"].failures] == [57, 58, 301]
    found = {finding.kind: finding.rows for finding in ran["audit"].findings}
    assert found == {"payout_mismatch": (12, 199), "client_seed_shared": (250,)}
    assert ran["rows"]["Bet ID"][[12, 199]].tolist() == [9012, 9199]


def test_one_of_the_rolls_mattered(ran):
    wins = {one.row: (float(one.found) < 50, one.expected < 50) for one in ran["report"].failures}
    assert [row for row, (shown, dealt) in wins.items() if shown != dealt] == [301]
    assert ran["report"].failures[2].expected == 22.59


def test_the_player_was_neither_lucky_nor_unlucky(ran):
    assert ran["bet"].rtp == pytest.approx(1.98 * 5000 / 10_001)
    deviations = (ran["won"] - ran["mean"]) / (ran["spread"] / 2)
    assert abs(abs(deviations.iloc[-1]) - 0.25) < 0.07
    assert np.abs(deviations).max() < 2


def test_the_cell_to_copy_names_the_row_that_is_wrong(copied):
    assert [failure.row for failure in copied["of_rows"].failures] == [1]
    assert (copied["of_file"].verification.checked, copied["of_rows"].checked) == (2, 2)
