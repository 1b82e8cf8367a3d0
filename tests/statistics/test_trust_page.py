"""The figures on the page about trust in the tests are the measured ones."""

from __future__ import annotations

import json
import re

import pytest
from folders import ROOT
from provably_fair.statistics import holm

PAGE = ROOT / "docs" / "explanation" / "trust.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="needs the source's folder")
measure_fairness = pytest.importorskip("measure_fairness")
DEFECTS = measure_fairness.DEFECTS
MEASURED = json.loads(measure_fairness.RESULTS.read_text(encoding="utf-8"))
SINGLE = [row for row in MEASURED["calibration"] if row["test"] != "any (Holm)"]
LEVELS = MEASURED["levels"]


def text():
    return " ".join(PAGE.read_text("utf-8").split())


def test_no_test_accuses_too_often():
    assert {row["rounds"] for row in SINGLE} == {20, 100, 500, 5000}
    uniform = [row["uniform"] for row in SINGLE]
    assert f"gives {min(uniform):.4f} as its least p-value, {min(holm(uniform)):.3f} after Holm's" in text()
    assert f"{len(SINGLE)} tests in all" in text()


def test_no_report_accuses_too_often():
    assert len({row["subject"] for row in LEVELS}) == 11
    assert len({row["rounds"] for row in LEVELS}) == 5
    rejected, sets = (sum(row[name] for row in LEVELS) for name in ("rejected", "sets"))
    assert f"{rejected} of {sets:,} fair data sets are rejected" in text()
    assert f"{100 * rejected / sets:.2f} % of {sets:,} fair data sets" in text()
    large = max(LEVELS, key=lambda row: row["sets"])
    assert large["sets"] == 10_000
    assert f"{large['rejected']} are" in text()
    assert f"between {100 * large['low']:.2f} % and {100 * large['high']:.2f} %" in text()


def test_the_table_of_power_is_what_was_found():
    rows = re.findall(r"^\| (.+?) \| (\d.*?) \| (.+?) \|$", PAGE.read_text("utf-8"), re.M)
    assert [defect for defect, *_ in rows] == list(DEFECTS)
    for defect, found, by in rows:
        power = [row for row in MEASURED["power"] if row["defect"] == defect]
        assert {row["sets"] for row in power} == {50}
        assert found == "; ".join(f"{row['rounds']:,}: {row['found']}" for row in power)
        # By the most powerful single test, at the smallest size where it differs most.
        most = max(row["found"] for row in power)
        smallest = next(row for row in power if row["found"] == most)
        assert smallest["tests"][by.strip('"')] == most


def test_what_the_three_new_tests_see():
    at = {(row["defect"], row["rounds"]): row["tests"] for row in MEASURED["power"]}
    sector, echo, cycle = (
        next(name for name in DEFECTS if word in name) for word in ("percentage", "100 rounds", "cycle")
    )
    seen = [at[sector, 5000][name] for name in ("largest cell", "chi-square (equidistribution)")]
    assert "in {} of 50 data sets, chi-square in {}".format(*seen) in text()
    alone = [name for rounds in (2000, 5000, 10_000) for name, n in at[echo, rounds].items() if n > 5]
    assert set(alone) == {"serial correlation, all lags"}
    assert {name for name, n in at[cycle, 1005].items() if n > 5} == {"block repeats"}
