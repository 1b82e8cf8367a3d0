"""The tables printed by PractRand, TestU01 and NIST SP 800-22.

The kept tables come from PractRand 0.95, TestU01 1.2.3 and NIST's suite, slightly shortened: for the
package's stream (good), for RANDU (randu) and for biased bits (biased). `make battery` runs them.
"""

from __future__ import annotations

import json
import math
import sys

import pytest
from folders import MEASUREMENTS, ROOT, VECTORS
from provably_fair.statistics.dieharder import battery, parse_report

KEPT = {
    "practrand_good": {"PASSED": 7, "WEAK": 0, "FAILED": 0},
    "practrand_biased": {"PASSED": 3, "WEAK": 4, "FAILED": 4},
    "practrand_randu": {"PASSED": 0, "WEAK": 0, "FAILED": 8},
    "testu01_good": {"PASSED": 15, "WEAK": 0, "FAILED": 0},
    "testu01_randu": {"PASSED": 4, "WEAK": 0, "FAILED": 11},
    "nist_good": {"PASSED": 40, "WEAK": 0, "FAILED": 0},
}


def kept(name):
    text = (VECTORS / "batteries" / f"{name}.txt").read_text(encoding="ascii")
    return parse_report(text, suite=name.split("_")[0])


@pytest.mark.parametrize("name", KEPT)
def test_tables_are_read(name):
    report = kept(name)
    assert report.counts == KEPT[name]
    assert report.suite == name.split("_")[0]
    assert report.version == {"practrand": "0.95-planet36", "testu01": "1.2.3", "nist": ""}[report.suite]
    assert json.loads(report.to_json())["counts"] == KEPT[name]
    assert len(str(report).splitlines()) == sum(KEPT[name].values()) + 2
    assert "ntup" not in str(report)


def test_p_values_of_practrand():
    found = {r.test: (r.pvalue, r.assessment) for r in kept("practrand_good").results}
    assert found["BCFN(2+0,13-3,T)"] == (0.858, "PASSED")
    assert found["BRank(12):128(4)"] == (0.18, "PASSED")
    assert found["[Low1/32]FPF-14+6/16:all"] == (1 - 1.4e-3, "PASSED")
    found = {r.test: (r.pvalue, r.assessment) for r in kept("practrand_biased").results}
    assert found["Gap-16:B"] == (2.8e-4, "WEAK")
    assert found["[Low8/32]FPF-14+6/16:(5,14-5)"] == (1.3e-11, "WEAK")
    assert found["DC6-9x1Bytes-1"] == (0.0, "FAILED")
    # Only the last table counts; a test in it may say just pass or fail.
    text = "RNG_test\nlength= 1\n  A  R= 1  p = 0   FAIL !!\nlength= 2\n  A  R= 1   pass\n"
    (result,) = parse_report(text, suite="practrand").results
    assert (result.pvalue, result.assessment) == (None, "PASSED")
    assert "-  PASSED" in str(parse_report(text, suite="practrand"))


def test_p_values_of_testu01():
    found = {r.test: (r.pvalue, r.assessment) for r in kept("testu01_randu").results}
    assert found["MaxOft AD"] == (1.0, "FAILED")
    assert found["HammingIndep"] == (2.112982011581721e-09, "FAILED")
    assert found["MatrixRank"] == (0.9151288556086756, "PASSED")


def test_p_values_of_nist():
    def proportion(passed, sequences):
        """The probability of so few passing sequences, by summing the binomial distribution."""
        return sum(math.comb(sequences, k) * 0.99**k * 0.01 ** (sequences - k) for k in range(passed + 1))

    good = [r for r in kept("nist_good").results if r.test.startswith("LongestRun")]
    assert [(r.test, r.psamples) for r in good] == [("LongestRun", 55), ("LongestRun (proportion)", 55)]
    assert good[0].pvalue == 0.028817
    assert good[1].pvalue == pytest.approx(proportion(52, 55), rel=1e-12)
    # With ten sequences, tests that apply to fewer than ten have no uniformity p-value.
    few = [r for r in kept("nist_ten_sequences").results if r.test.startswith("RandomExcursions")]
    assert [r.test.endswith("(proportion)") for r in few] == [True] * 4
    biased = kept("nist_biased")
    assert not any(r.test.startswith("RandomExcursions") for r in biased.results)
    found = {r.test: (r.pvalue, r.assessment) for r in biased.results}
    assert found["Frequency"] == (0.0, "FAILED")
    assert found["BlockFrequency (proportion)"] == (pytest.approx(proportion(7, 10), rel=1e-12), "WEAK")
    assert found["LongestRun"] == (0.350485, "PASSED")


def test_the_measured_levels():
    """The package's stream never fails and rarely is weak; each bad generator fails."""
    measured = json.loads((MEASUREMENTS / "batteries.json").read_text(encoding="utf-8"))
    assert set(measured) == {"dieharder", "nist", "practrand", "testu01"}
    for found in measured.values():
        assert found["failed"] == 0
        assert found["first_weak"] <= max(1, 0.02 * found["results"])
        assert found["randu"]["FAILED"] > 0
        assert found["biased"]["FAILED"] > 0


FAKE = """\
#!{python}
import sys
taken = sys.stdin.buffer.read(64)
weak = taken == bytes(64)
print("RNG_test using PractRand version 9")
print("length= 1")
print("  A  R=  +0.1  p = 0.3  normal")
print("  B  R=  +0.1  p = 3e-4 ", "unusual" if weak else "normal")
print("  C  R=  +0.1  p = 3e-4 ", "unusual" if weak else "FAIL !!")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a script as a program")
def test_the_whole_run_is_repeated_once(tmp_path):
    program = tmp_path / "RNG_test"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(0o755)
    asked = []

    def source(series):
        asked.append(series)
        while True:
            yield bytes([0 if len(asked) == 1 else 1]) * 1000

    report = battery("smoke", suite="practrand", program=str(program), source=source, seed=5)
    assert asked == ["5:0", "5:again:1"]
    assert [r.assessment for r in report.results] == ["PASSED", "PASSED", "FAILED"]
    assert [r.first is not None for r in report.results] == [False, True, True]
    assert report.command == f"{program} stdin32 -a -tlmin 64MB -tlmax 64MB"
    assert parse_report(report.raw, runs=1, suite="practrand").results == report.results
    with pytest.raises(ValueError, match="at most 1 repetitions, got 2"):
        parse_report(report.raw + report.raw, runs=2, suite="practrand")


def test_bad_arguments(tmp_path):
    with pytest.raises(ValueError, match="suite must be"):
        battery(suite="ent")
    with pytest.raises(ValueError, match="suite must be"):
        parse_report("", suite="ent")
    for suite, says in (
        ("practrand", "RNG_test of"),
        ("testu01", "TestU01's library"),
        ("nist", "assess of"),
    ):
        with pytest.raises(FileNotFoundError, match=says):
            battery("smoke", suite=suite, program=str(tmp_path / "nothing"))
        with pytest.raises(ValueError, match=f"text must hold a table of {suite}"):
            parse_report("nothing", suite=suite)
    # Without templates, NIST's program would prompt for them.
    program = tmp_path / "assess"
    program.touch(mode=0o755)
    with pytest.raises(FileNotFoundError, match="templates"):
        battery("smoke", suite="nist", program=str(program))
    (tmp_path / "lib").touch()
    with pytest.raises(TypeError, match="tests must be str, got list"):
        battery([1], suite="testu01", program=str(tmp_path / "lib"))
    with pytest.raises(ValueError, match=r"tests must be .*SmallCrush.*got 'Medium'"):
        battery("Medium", suite="testu01", program=str(tmp_path / "lib"))
    with pytest.raises(TypeError, match="source must be a function"):
        battery("smoke", program=sys.executable, source=b"")


@pytest.mark.skipif(not (ROOT / "docs").exists(), reason="needs the source's folder")
def test_the_page_says_what_was_measured():
    page = (ROOT / "docs" / "explanation" / "randomness.md").read_text(encoding="utf-8")
    measured = json.loads((MEASUREMENTS / "batteries.json").read_text(encoding="utf-8"))
    names = {
        "dieharder": "Dieharder",
        "practrand": "PractRand",
        "testu01": "TestU01",
        "nist": "NIST SP 800-22",
    }
    for suite, name in names.items():
        found = measured[suite]
        bad = [f"{found[of]['FAILED']} of {sum(found[of].values())}" for of in ("randu", "biased")]
        cells = [name, f"{found['results']:,}", str(found["first_weak"]), str(found["failed"]), *bad]
        assert f"| {' | '.join(cells)} |" in page
    nist = measured["nist"]
    assert f"{nist['below_0.01']} of {nist['pvalues']} are below 0.01" in page
