"""The claims of notebook 08 on the generator, and on the included run of Dieharder."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("scipy")


def test_outcomes_pass_and_a_sector_too_likely_does_not(ran):
    for name in "wheel", "mines", "numbers":
        assert ran[name].ok, name
    assert not ran["rigged"].ok


def test_a_choice_among_fair_outcomes_passes(ran):
    assert ran["chosen"].ok
    assert abs(ran["wins"] - 0.25) < 4 * math.sqrt(0.25 * 0.75 / ran["rounds"])


def test_every_line_of_dieharder_was_read(ran):
    first, report = ran["first"], ran["report"]
    run, *repetitions = ran["raw"].split("dieharder version")[1:]
    printed = [line for line in run.splitlines() if line.count("|") == 5 and "ntup" not in line]
    assert [f"{result.pvalue:.8f}" for result in first] == [line.split("|")[4].strip() for line in printed]
    repeated = [result for result in report.results if result.first is not None]
    assert len(repetitions) == len(ran["weak"]) == len(repeated)
    assert (report.version, len(first)) == ("3.31.1", 114)
    assert report.counts == {"PASSED": 114, "WEAK": 0, "FAILED": 0}
    assert ran["pairs"] + ran["lagged"] > ran["document"]


def test_half_the_bits_flip(ran):
    for effect in ran["effects"]:
        assert effect.pvalue > 0.001
        assert abs(effect.mean - 256) < 4 * math.sqrt(128 / effect.samples)


def test_the_cell_to_copy_finds_nothing_in_a_fair_die(copied):
    assert copied["die"].ok
