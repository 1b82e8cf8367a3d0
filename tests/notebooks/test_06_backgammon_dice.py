"""The claims of notebook 06 on FPClub's dice: dice that nobody steers, and leaks of the hash."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import numpy as np
from provably_fair.operators import fpclub


def test_nobody_steers_the_combined_dice(ran):
    for weights in ran["opponents"].values():
        law = fpclub.combined_law(ran["honest"], weights)
        assert [Fraction(weight, law.total) for weight in law.weights] == [Fraction(1, 6)] * 6
    share = np.bincount(ran["combined"], minlength=7)[1:] / len(ran["combined"])
    assert np.abs(share - 1 / 6).max() < 4 * np.sqrt(5 / 36 / len(ran["combined"]))


def test_the_printed_log_has_lost_a_die(ran):
    printed, repaired = ran["check_of_dice"], ran["repaired"]
    assert not printed.ok
    assert len(printed.digits) == 477
    place = printed.repair
    assert (place.kind, place.index, place.die) == ("insert", 195, 4)
    assert 180 <= place.index < 270  # the third line of 90 dice
    assert repaired.rolls.shape == (239, 2)
    assert hashlib.md5(repaired.digits.encode()).hexdigest() == "b87c09208b90f00776b8978c1bd41ccc"
    assert ran["statistic"] < 20.5  # true of 999 in 1,000 fair samples


def test_the_hash_gives_away_the_last_seven(ran):
    assert ran["found"] == [ran["repaired"].digits[-7:]]
    assert ran["record"].check().ok


def test_the_cell_to_copy_finds_the_lost_die(copied):
    (record,) = fpclub.parse_log(copied["text"])
    checked = record.check()
    assert not checked.ok
    assert checked.repaired.digits == "31562435"
