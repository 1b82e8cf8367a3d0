"""The programs in `examples`."""

import hashlib
import runpy
import subprocess
import sys

import provably_fair as pf
from folders import ROOT

OPERATOR = ROOT / "examples" / "salted_operator.py"


def is_won(number):
    return number < 49.5


def test_an_operator_commits_to_each_salt():
    operator = runpy.run_path(str(OPERATOR))["Operator"](pf.Dice(), "the player's")
    for _ in range(5):
        published = operator.commitment
        row = operator.play()
        assert row["salt_commitment"] == published == hashlib.sha256(row["salt"].encode()).hexdigest()
    assert len({row["salt"] for row in operator.rows}) == 5
    report = pf.verify(operator.log(), pf.Dice())
    assert report.ok
    assert report.committed["salt_commitment"] == report.checked == 5


def test_swapped_salts_are_caught():
    operator = runpy.run_path(str(OPERATOR))["Operator"](pf.Dice(), "the player's")
    first_ones = []
    for _ in range(40):
        first_ones.append(pf.Dice().play(**operator.seeds, salt=operator._salt))
        operator.play_for_the_house(is_won)
    swapped = [row for row, number in enumerate(first_ones) if is_won(number)]
    report = pf.verify(operator.log(), pf.Dice())
    assert report.counts == {"salt_commitment": len(swapped)}
    assert [failure.row for failure in report.failures] == swapped[: len(report.failures)]
    assert not any(map(is_won, operator.log()["outcome"]))


def test_the_operator_shows_both():
    shown = subprocess.run([sys.executable, OPERATOR], capture_output=True, text=True, check=True).stdout
    assert "An honest operator" in shown
    assert "One that tries salts" in shown
