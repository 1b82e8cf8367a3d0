"""What little else objects promise: how they print, compare, and refuse."""

from __future__ import annotations

import json

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.dieharder import battery, parse_report

TABLE = """\
#=============================================================================#
        test_name   |ntup| tsamples |psamples|  p-value |Assessment
#=============================================================================#
   diehard_birthdays|   0|       100|     100|0.58907351|  PASSED
          sts_serial|  16|    100000|     100|0.00000000|  FAILED
"""


def test_a_batterys_report_as_data():
    pytest.importorskip("pandas")
    report = parse_report(TABLE)
    content = json.loads(report.to_json())
    assert content == json.loads(json.dumps(report.to_dict()))
    frame = report.to_pandas()
    assert frame["test"].tolist() == ["diehard_birthdays", "sts_serial"]
    assert frame["ntup"].tolist() == [0, 16]
    assert frame["pvalue"].tolist() == [0.58907351, 0.0]
    assert frame["assessment"].tolist() == ["PASSED", "FAILED"]
    assert frame["repeated"].tolist() == [False, False]
    with pytest.raises(TypeError, match="text must be str, got bytes"):
        parse_report(TABLE.encode())


def test_a_battery_that_fails(tmp_path):
    path = tmp_path / "program"
    path.write_text("#!/bin/sh\necho no such test\nexit 3\n")
    path.chmod(0o755)
    with pytest.raises(RuntimeError, match="dieharder ended with code 3: no such test"):
        battery(program=str(path))
    with pytest.raises(ValueError, match="tests must name at least one test"):
        battery([], program=str(path))
    with pytest.raises(ValueError, match="threads must be"):
        battery(program=str(path), threads=0)


def test_distributions_print_and_do_not_change():
    law = pf.Double().distribution()
    assert repr(law) == "<Distribution of 15 outcomes from 0 to 14, total weight 15>"
    assert "total weight about 2**64" in repr(pf.Double().distribution("as_drawn"))
    with pytest.raises(AttributeError, match="can't be deleted"):
        del law.total
    assert law != 15
    assert law == pf.Double().distribution()


def test_tallies_compare_and_add():
    tally = pf.Double().tally(100)
    assert tally != 100
    assert tally == pf.Double().tally(100)
    with pytest.raises(TypeError):
        tally + 100
    with pytest.raises(ValueError, match="same outcomes"):
        tally + pf.X50().tally(100)
    both = tally + pf.Double().tally(100, start=100)
    assert np.array_equal(both.counts, pf.Double().tally(200).counts)


def test_reports_of_repeated_rows():
    salts = ["a", "b", "c", "b", "a"]
    log = {"server_seed": "s", "client_seed": "c", "salt": salts, "outcome": pf.Dice().play("s", "c", salts)}
    report = pf.verify(log, pf.Dice())
    assert report.repeats.count == 2
    assert "2 rows, the first is row 3 (as row 1)" in str(report)
    assert repr(report).startswith("<VerificationReport: 5 rows of dice, ")
    clean = {name: column if isinstance(column, str) else column[:3] for name, column in log.items()}
    with pytest.raises(ValueError, match="row must be given: no row failed"):
        pf.verify(clean, pf.Dice()).explain()
