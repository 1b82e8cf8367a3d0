"""The gallery: every planted fraud is found with its rows, and honest logs are clean."""

from __future__ import annotations

import gzip
import json
import pickle

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.auditing import gallery
from tools import make_gallery

HONEST, CHEATS = gallery.honest(), gallery.cheats()


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
    unrevealed = exhibit.options.get("unrevealed")
    return pf.verify(exhibit.log, exhibit.game, constants=constants, unrevealed=unrevealed)


@pytest.mark.parametrize("exhibit", HONEST + CHEATS, ids=named)
def test_rounds_are_what_the_oracle_says(exhibit):
    """Row by row nothing is wrong but where the fraud shows in single rows."""
    report = verified(exhibit)
    assert report.checked + sum(report.unchecked.values()) == exhibit.rounds
    assert sorted({failure.row for failure in report.failures}) == list(exhibit.failed)


def test_rows_that_are_paid_are_paid_by_the_bet():
    """What honest logs pay is what their bet pays: counted by the exact law's amounts."""
    otherwise = {"honest_rounded", "honest_currencies", "honest_refunds", "honest_free_rounds"}
    for exhibit in HONEST:
        if exhibit.bet is None or exhibit.name in otherwise:
            continue
        by_one = np.array(exhibit.log["payout"]) / np.array(exhibit.log["stake"])
        amounts = exhibit.bet.law.outcomes
        assert np.abs(by_one[:, np.newaxis] - amounts).min(axis=1).max() < 1e-9, exhibit.name


# ---- audits ----


def raised(report):
    """What is more than a note."""
    return [finding for finding in report.findings if finding.severity != "note"]


@pytest.mark.parametrize("exhibit", HONEST, ids=named)
def test_honest_logs_are_clean(exhibit):
    report = exhibit.audit()
    assert raised(report) == []
    assert report.ok


@pytest.mark.parametrize("exhibit", CHEATS, ids=named)
def test_every_planted_fraud_is_found_with_its_rows_and_nothing_else(exhibit):
    report = exhibit.audit()
    found = {(finding.kind, finding.severity): finding for finding in raised(report)}
    for kind, severity, rows in exhibit.expected:
        assert (kind, severity) in found, str(report)
        finding = found.pop((kind, severity))
        if rows is not None:
            assert finding.rows == rows
        assert finding.pvalue is None or (severity == "evidence" and finding.pvalue <= 0.01)
    assert {kind for kind, _ in found} <= exhibit.allowed
    assert not report.ok
    assert report.verification.failed == len(exhibit.failed)


def in_pieces(exhibit, sizes, travels=False):
    """The report of a log that comes in pieces of these sizes, over and over."""
    auditor = pf.Auditor(exhibit.game, exhibit.bet, **exhibit.options)
    start, turn = 0, 0
    while start < exhibit.rounds:
        size = sizes[turn % len(sizes)]
        auditor.update({name: column[start : start + size] for name, column in exhibit.log.items()})
        start, turn = start + size, turn + 1
        if travels:
            auditor = pickle.loads(pickle.dumps(auditor))
    return auditor.report(last=True)


def merged(exhibit, size):
    """The report of pieces that were audited apart."""
    whole = pf.Auditor(exhibit.game, exhibit.bet, **exhibit.options)
    for start in range(0, exhibit.rounds, size):
        part = pf.Auditor(exhibit.game, exhibit.bet, **exhibit.options)
        part.update({name: column[start : start + size] for name, column in exhibit.log.items()})
        whole.merge(part)
    return whole.report(last=True)


def said(report):
    """Everything that a report finds, as data."""
    content = report.to_dict()
    return {name: content[name] for name in ("ok", "findings", "tests", "unknown", "level")}


SMALL = [exhibit for exhibit in HONEST + CHEATS if exhibit.rounds <= 2000]


@pytest.mark.parametrize("exhibit", SMALL, ids=named)
def test_a_log_in_pieces_gives_the_same_findings(exhibit):
    whole = said(exhibit.audit())
    assert said(in_pieces(exhibit, [61], travels=True)) == whole
    assert said(in_pieces(exhibit, [1, 40, 7, 0, 95])) == whole
    assert said(merged(exhibit, 53)) == whole


def test_a_log_in_single_rows_gives_the_same_findings():
    for exhibit in (HONEST[3], CHEATS[0], CHEATS[10]):
        assert said(in_pieces(exhibit, [1])) == said(exhibit.audit())


def test_a_log_on_dask_gives_the_same_findings():
    pd, dd = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    import dask

    for exhibit in SMALL[::7]:
        frame = dd.from_pandas(pd.DataFrame(exhibit.log), npartitions=4, sort=False)
        with dask.config.set(scheduler="threads"):
            report = pf.dask.audit(frame, exhibit.game, bet=exhibit.bet, **exhibit.options)
        assert said(report) == said(exhibit.audit())


def test_a_log_in_a_file_gives_the_same_findings(tmp_path):
    for exhibit in (*HONEST[:1], HONEST[8], *CHEATS[:6]):
        exhibit.to_csv(tmp_path / f"{exhibit.name}.csv")
        report = pf.audit(tmp_path / f"{exhibit.name}.csv", exhibit.game, bet=exhibit.bet, **exhibit.options)
        assert said(report) == said(exhibit.audit()), exhibit.name


def test_numbers_may_be_written_as_people_write_them():
    """Decimal commas, signs and marks of multipliers: what is audited is what they mean."""
    for exhibit in (
        HONEST[0],
        *(cheat for cheat in CHEATS if cheat.name in ("payouts_shaved", "player_loses")),
    ):
        log = dict(exhibit.log)
        log["outcome"] = [f"{value:.2f}x".replace(".", ",") for value in log["outcome"]]
        log["stake"] = [f"{value:.2f} €".replace(".", ",") for value in log["stake"]]
        log["payout"] = [f"{value:.2f} €".replace(".", ",") for value in log["payout"]]
        report = pf.audit(log, exhibit.game, bet=exhibit.bet, **exhibit.options)
        assert said(report) == said(exhibit.audit()), exhibit.name


def test_seeds_that_are_not_revealed_are_not_one_seed():
    exhibit = next(one for one in HONEST if one.name == "honest_interleaved")
    hidden = set(list(dict.fromkeys(exhibit.log["server_seed"]))[-4:])
    log = dict(exhibit.log)
    log["server_seed"] = [None if server in hidden else server for server in log["server_seed"]]
    report = pf.audit(log, exhibit.game, bet=exhibit.bet, unrevealed="report")
    assert raised(report) == []
