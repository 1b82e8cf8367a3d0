"""The gallery: every planted fraud is found with its rows, and honest logs are clean."""

from __future__ import annotations

import gzip
import json

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.auditing import gallery
from tools import make_gallery

HONEST, CHEATS = gallery.honest(), gallery.cheats()


@pytest.fixture(autouse=True)
def short_chains(monkeypatch):
    """Walks back along a chain that doesn't end where it should take seconds: here it isn't that long."""
    monkeypatch.setattr("provably_fair.seeds.chains._LONGEST_CHAIN", 20_000)


def named(exhibit):
    return exhibit.name


def test_the_file_is_what_the_oracle_makes():
    kept = json.loads(gzip.decompress(make_gallery.FILE.read_bytes()))
    assert kept == json.loads(json.dumps(make_gallery.content()))


def test_there_are_twenty_schemes_of_fraud():
    assert len({expected.kind for exhibit in CHEATS for expected in exhibit.expected}) >= 20
    assert len({exhibit.name for exhibit in HONEST + CHEATS}) == len(HONEST + CHEATS)
    assert not any(exhibit.expected or exhibit.failed for exhibit in HONEST)
    assert all(exhibit.expected for exhibit in CHEATS)


def verified(exhibit):
    terminating = exhibit.options.get("terminating")
    constants = {} if terminating is None else {"terminating": terminating}
    return pf.verify(exhibit.log, exhibit.game, constants=constants)


@pytest.mark.parametrize("exhibit", HONEST + CHEATS, ids=named)
def test_rounds_are_what_the_oracle_says(exhibit):
    """Row by row nothing is wrong but where the fraud shows in single rows."""
    report = verified(exhibit)
    assert report.checked == exhibit.rounds
    assert sorted({failure.row for failure in report.failures}) == list(exhibit.failed)


def test_rows_that_are_paid_are_paid_by_the_bet():
    """What honest logs pay is what their bet pays: counted by the exact law's amounts."""
    for exhibit in HONEST:
        if exhibit.bet is None or exhibit.name == "honest_rounded":
            continue
        by_one = np.array(exhibit.log["payout"]) / np.array(exhibit.log["stake"])
        amounts = exhibit.bet.law.outcomes
        assert np.abs(by_one[:, np.newaxis] - amounts).min(axis=1).max() < 1e-9, exhibit.name
