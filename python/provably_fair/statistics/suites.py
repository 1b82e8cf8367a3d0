"""The external test batteries: how to run each program and read its tables."""

from __future__ import annotations

import ctypes.util
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from provably_fair._core.arguments import BadValue, choice
from provably_fair._core.table import displayed
from provably_fair._core.tails import binomial_tail

__all__ = ["SUITES", "BatteryResult", "Suite"]

SMOKE = ("0", "8", "15", "100", "101")
"""Test numbers of a short Dieharder run, which reads about 64 MB."""

# Repetitions per test in a short run; Dieharder's default is 100.
_SMOKE_OPTIONS = ("-p", "40")


@displayed
@dataclass(frozen=True)
class BatteryResult:
    """One line of a battery's table.

    Attributes
    ----------
    test : str
        The test's name.
    ntup : int or None
        Dieharder's parameter: bits, dimensions or lag.
    tsamples, psamples : int or None
        Dieharder's samples of a run, and the number of runs, each with one p-value; for NIST's suite
        `psamples` is the number of sequences.
    pvalue : float or None
        The p-value: for Dieharder and NIST's suite that of all runs together. None where PractRand gives
        none.
    assessment : str
        "PASSED", "WEAK" or "FAILED".
    first : BatteryResult or None
        The first, weak result, if this result is the repetition of a test.
    """

    test: str
    ntup: int | None
    tsamples: int | None
    psamples: int | None
    pvalue: float | None
    assessment: str
    first: BatteryResult | None = None


def assess(pvalue: float, *, low_only: bool = False) -> str:
    """Return Dieharder's word for a p-value: WEAK for the outer 1 %, FAILED for the outer 2 in a million."""
    end = pvalue if low_only else min(pvalue, 1 - pvalue)
    return "FAILED" if end < 1e-6 else "WEAK" if end < 0.005 else "PASSED"


_Tests = str | Iterable[int | str]
_HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Suite:
    """A test battery: its program and the format of its tables.

    Attributes
    ----------
    program, install : str
        Default program, and advice if it is missing.
    header, version : re.Pattern
        Patterns of the start of one run's output, and of the program's version, as a group.
    runs : callable
        ``runs(tests, options)``: the arguments of each run.
    again : callable or None
        ``again(result, options)``: the arguments that repeat one test; None where the whole run is repeated.
    command : callable
        ``command(path, arguments)``: the command line. It reads bytes from its standard input.
    read : callable
        ``read(text)``: the results in the output of one run.
    find : callable
        ``find(program)``: the program's path, or None.
    """

    program: str
    install: str
    header: re.Pattern[str]
    version: re.Pattern[str]
    runs: Callable[[_Tests, Sequence[str]], list[list[str]]]
    again: Callable[[BatteryResult, Sequence[str]], list[str]] | None = None
    command: Callable[[str, Sequence[str]], list[str]]
    read: Callable[[str], list[BatteryResult]]
    find: Callable[[str], str | None] = shutil.which


def _named(**choices: list[str]) -> Callable[[_Tests, Sequence[str]], list[list[str]]]:
    """Return the runs of a battery that can't run single tests."""

    def runs(tests: _Tests, options: Sequence[str]) -> list[list[str]]:
        choice("tests", tests, choices)
        return [[*choices[str(tests)], *options]]

    return runs


# --- Dieharder

# Match spaces and tabs only: a result never spans lines, so the search stays linear.
_DIEHARDER_LINE = re.compile(
    r"^[ \t]*([A-Za-z]\w*)[ \t]*\|[ \t]*(\d{1,9})[ \t]*\|[ \t]*(\d{1,18})[ \t]*\|[ \t]*(\d{1,18})[ \t]*"
    r"\|[ \t]*(\d+\.\d*(?:[eE][+-]?\d+)?|nan)[ \t]*\|[ \t]*(PASSED|WEAK|FAILED)",
    re.MULTILINE | re.ASCII,
)


def _dieharder_results(text: str) -> list[BatteryResult]:
    return [
        BatteryResult(test, int(ntup), int(tsamples), int(psamples), float(pvalue), assessment)
        for test, ntup, tsamples, psamples, pvalue, assessment in _DIEHARDER_LINE.findall(text)
    ]


def _dieharder_runs(tests: _Tests, options: Sequence[str]) -> list[list[str]]:
    if tests == "all":
        return [["-a", *options]]
    if isinstance(tests, str) and tests != "smoke":
        raise BadValue("tests", f'must be "all", "smoke" or numbers of tests, got {tests!r}')
    smoke = tests == "smoke"
    return [
        ["-d", str(test), *(_SMOKE_OPTIONS if smoke else ()), *options]
        for test in (SMOKE if smoke else tests)
    ]


def _dieharder_again(result: BatteryResult, options: Sequence[str]) -> list[str]:
    return ["-d", result.test, "-n", str(result.ntup), *options]


# --- PractRand

_PRACTRAND_LINE = re.compile(
    r"^  (\S+)[ \t]+R[=<>][^p\n]*?(?:p[ ~=]+(1-)?(\d[\d.]*(?:e[+-]?\d+)?)[ \t]+)?"
    r"([A-Za-z][A-Za-z ]*?)[ \t!]*$",
    re.MULTILINE | re.ASCII,
)
# PractRand's own words decide: its p-values are approximate, and thresholds differ by test.
_PRACTRAND_WORDS = {"normal": "PASSED", "normalish": "PASSED", "pass": "PASSED", "FAIL": "FAILED"}


def _practrand_results(text: str) -> list[BatteryResult]:
    # PractRand prints a table at each doubling of the data, about all data so far.
    table = text[max(text.rfind("\nlength="), 0) :]
    return [
        BatteryResult(
            test,
            None,
            None,
            None,
            None if not pvalue else 1 - float(pvalue) if upper else float(pvalue),
            _PRACTRAND_WORDS.get(word, "WEAK"),
        )
        for test, upper, pvalue, word in _PRACTRAND_LINE.findall(table)
    ]


# --- TestU01

_TESTU01_LINE = re.compile(r"^provably_fair: ([^|\n]+)\|(\d\.\d+(?:e-\d+)?)$", re.MULTILINE | re.ASCII)


def _testu01_results(text: str) -> list[BatteryResult]:
    pvalues = [(test, float(pvalue)) for test, pvalue in _TESTU01_LINE.findall(text)]
    return [BatteryResult(test, None, None, None, pvalue, assess(pvalue)) for test, pvalue in pvalues]


# --- NIST SP 800-22

_NIST_LINE = re.compile(
    r"^(?:[ \t]*\d{1,9}){10}[ \t]+(\d\.\d+|-{4})[ \t*]+(?:(\d{1,9})/(\d{1,9})|-{6})[ \t*]+([A-Za-z]+)[ \t]*$",
    re.MULTILINE | re.ASCII,
)


def _nist_results(text: str) -> list[BatteryResult]:
    results = []
    for uniformity, passed, sequences, test in _NIST_LINE.findall(text):
        if not sequences:
            continue
        number = int(sequences)
        if uniformity != "----":
            pvalue = float(uniformity)
            results.append(BatteryResult(test, None, None, number, pvalue, assess(pvalue, low_only=True)))
        # Each sequence passes with probability 0.99; an excess of passes isn't a failure.
        pvalue = binomial_tail(number - int(passed), number, 0.01)
        results.append(
            BatteryResult(f"{test} (proportion)", None, None, number, pvalue, assess(pvalue, low_only=True))
        )
    return results


def _nist_program(program: str) -> str | None:
    path = shutil.which(program)
    # The program reads template files beside it.
    return path if path is not None and (Path(path).resolve().parent / "templates").is_dir() else None


def _library(program: str) -> str | None:
    return program if "/" in program and Path(program).is_file() else ctypes.util.find_library(program)


_DIEHARDER_VERSION = re.compile(r"dieharder version (\S+)")
_PRACTRAND_VERSION = re.compile(r"RNG_test using PractRand version (\S+)")

SUITES = {
    "dieharder": Suite(
        program="dieharder",
        install="dieharder is not installed: apt-get install dieharder (Debian, Ubuntu), "
        "brew install dieharder",
        header=_DIEHARDER_VERSION,
        version=_DIEHARDER_VERSION,
        runs=_dieharder_runs,
        again=_dieharder_again,
        command=lambda path, arguments: [path, "-g", "200", *arguments],
        read=_dieharder_results,
    ),
    "practrand": Suite(
        program="RNG_test",
        install="RNG_test of PractRand is not on the path: build it from https://pracrand.sourceforge.net",
        header=_PRACTRAND_VERSION,
        version=_PRACTRAND_VERSION,
        runs=_named(
            smoke=["-tlmin", "64MB", "-tlmax", "64MB"],
            all=["-tlmin", "1GB", "-tlmax", "1TB"],
        ),
        command=lambda path, arguments: [path, "stdin32", "-a", *arguments],
        read=_practrand_results,
    ),
    "testu01": Suite(
        program="testu01",
        install="TestU01's library is not installed: apt-get install libtestu01-0 (Debian, from non-free)",
        header=re.compile(r"^provably_fair: TestU01's", re.MULTILINE),
        version=re.compile(r"Version:[ \t]+TestU01 (\S+)"),
        runs=_named(
            smoke=["SmallCrush"],
            all=["BigCrush"],
            SmallCrush=["SmallCrush"],
            Crush=["Crush"],
            BigCrush=["BigCrush"],
        ),
        command=lambda path, arguments: [sys.executable, "-I", str(_HERE / "testu01.py"), path, *arguments],
        read=_testu01_results,
        find=_library,
    ),
    "nist": Suite(
        program="assess",
        install="assess of NIST's statistical test suite is not on the path, or the folder templates isn't "
        "beside it: build it from https://csrc.nist.gov",
        header=re.compile(r"RESULTS FOR THE UNIFORMITY OF P-VALUES"),
        # The program doesn't print its version.
        version=re.compile(r"(?!)()"),
        runs=_named(smoke=["55"], all=["1000"]),
        command=lambda path, arguments: [sys.executable, "-I", str(_HERE / "nist.py"), path, *arguments],
        read=_nist_results,
        find=_nist_program,
    ),
}
"""The batteries by name."""
