"""The gallery: every planted fraud is found with its rows, and honest logs raise nothing."""

from __future__ import annotations

import gzip
import json
import pickle
from functools import cache

import gallery
import numpy as np
import provably_fair as pf
import pytest
from folders import GALLERY
from oracles import gallery as oracle
from provably_fair.auditing.sums import Counted
from tools import make_gallery

HONEST, CHEATS = gallery.honest(), gallery.frauds()


def named(case):
    return case.name


@cache
def whole(case):
    """The report of a log audited in one go."""
    return case.audit()


@pytest.mark.thorough
def test_the_file_is_what_the_oracle_makes():
    kept = json.loads(gzip.decompress(GALLERY.read_bytes()))
    assert kept == json.loads(json.dumps(make_gallery.content()))


def test_there_are_twenty_schemes_of_fraud():
    assert len({expected.kind for case in CHEATS for expected in case.expected}) >= 20
    assert len({case.name for case in HONEST + CHEATS}) == len(HONEST + CHEATS)
    assert not any(case.expected or case.failed for case in HONEST)
    assert all(case.expected for case in CHEATS)


def verified(case):
    terminating = case.options.get("terminating")
    constants = {} if terminating is None else {"terminating": terminating}
    unrevealed = case.options.get("unrevealed")
    return pf.verify(case.log, case.game, constants=constants, unrevealed=unrevealed)


@pytest.mark.parametrize("case", HONEST + CHEATS, ids=named)
def test_rounds_are_what_the_oracle_says(case):
    """Every row verifies, unless the fraud shows in single rows."""
    report = verified(case)
    assert report.checked + sum(report.unchecked.values()) == case.rounds
    assert sorted({failure.row for failure in report.failures}) == list(case.failed)


def test_rows_that_are_paid_are_paid_by_the_bet():
    """The payouts of honest logs follow the bet's exact distribution."""
    otherwise = {"honest_rounded", "honest_currencies", "honest_refunds", "honest_nearest"}
    otherwise |= {"honest_free_rounds", "honest_free_rounds_paid"}
    for case in HONEST:
        if case.bet is None or case.name in otherwise:
            continue
        by_one = np.array(case.log["payout"]) / np.array(case.log["stake"])
        amounts = case.bet.law.outcomes
        assert np.abs(by_one[:, np.newaxis] - amounts).min(axis=1).max() < 1e-9, case.name


# ---- audits ----


def raised(report):
    """The findings that are more than notes."""
    return [finding for finding in report.findings if finding.severity != "note"]


@pytest.mark.parametrize("case", HONEST, ids=named)
def test_honest_logs_are_clean(case):
    report = whole(case)
    assert raised(report) == []
    assert report.ok


@pytest.mark.parametrize("case", CHEATS, ids=named)
def test_every_planted_fraud_is_found_with_its_rows_and_nothing_else(case):
    report = whole(case)
    found = {(finding.kind, finding.severity): finding for finding in raised(report)}
    for kind, severity, rows in case.expected:
        assert (kind, severity) in found, str(report)
        finding = found.pop((kind, severity))
        if rows is not None:
            assert finding.rows == rows
        assert finding.pvalue is None or (severity == "evidence" and finding.pvalue <= 0.01)
    assert {kind for kind, _ in found} <= case.allowed
    assert not report.ok
    assert report.verification.failed == len(case.failed)


@pytest.mark.parametrize(
    ("name", "kind", "bets"),
    [
        ("large_bets_lose", "return_by_stake", "bets of 50 or more"),
        ("nights_lose", "return_by_hour", "bets at 00:00-03:00 UTC"),
        ("player_loses", "return_by_player", "bets of player clara"),
    ],
)
def test_bets_that_return_too_little_are_named(name, kind, bets):
    case = next(case for case in CHEATS if case.name == name)
    (found,) = [one for one in whole(case).findings if one.kind == kind]
    assert f"{found.count} {bets} returned" in found.text


def in_pieces(case, sizes, travels=False):
    """The report of a log fed in pieces of these sizes, repeated."""
    auditor = pf.Auditor(case.game, case.bet, **case.options)
    start, turn = 0, 0
    while start < case.rounds:
        size = sizes[turn % len(sizes)]
        auditor.update({name: column[start : start + size] for name, column in case.log.items()})
        start, turn = start + size, turn + 1
        if travels:
            auditor = pickle.loads(pickle.dumps(auditor))
    return auditor.report(last=True)


def merged(case, size):
    """The merged reports of pieces audited separately."""
    auditor = pf.Auditor(case.game, case.bet, **case.options)
    for start in range(0, case.rounds, size):
        part = pf.Auditor(case.game, case.bet, **case.options)
        part.update({name: column[start : start + size] for name, column in case.log.items()})
        auditor.merge(part)
    return auditor.report(last=True)


def said(report):
    """All findings of a report as plain data."""
    content = report.to_dict()
    return {name: content[name] for name in ("ok", "findings", "tests", "unknown", "level")}


SMALL = [case for case in HONEST + CHEATS if case.rounds <= 2000]


@pytest.mark.thorough
@pytest.mark.parametrize("case", SMALL, ids=named)
def test_a_log_in_pieces_gives_the_same_findings(case):
    said_at_once = said(whole(case))
    assert said(in_pieces(case, [1, 40, 7, 0, 95], travels=True)) == said_at_once
    assert said(merged(case, 53)) == said_at_once


def test_what_changes_with_rows_is_merged():
    """The `state` of a check without a `merge` of its own names all that further rows change."""
    forgotten = set()
    for case in SMALL:
        auditor = pf.Auditor(case.game, bet=case.bet, **case.options)
        before = [copies(check) for check in auditor._checks]
        auditor.update(case.log)
        for check, earlier in zip(auditor._checks, before, strict=True):
            if type(check).merge is Counted.merge:
                changed = {name for name, copy in copies(check).items() if copy != earlier[name]}
                forgotten |= {
                    (type(check).__name__, name) for name in changed.difference(check.state, SHARED)
                }
    assert forgotten == set()


SHARED = ("claim", "_overlaps", "_payments")
"""State that several checks look at: it remembers the last batch, or merges as a check of its own."""


def copies(check):
    return {name: pickle.dumps(value) for name, value in vars(check).items()}


def test_a_chain_that_breaks_between_two_pieces_is_found():
    case = next(case for case in CHEATS if case.name == "chain_broken")
    (found,) = [finding for finding in whole(case).findings if finding.kind == "chain_broken"]
    assert said(merged(case, found.rows[0])) == said(whole(case))


def test_a_log_in_single_rows_gives_the_same_findings():
    for case in (CHEATS[0], CHEATS[10]):
        assert said(in_pieces(case, [1])) == said(whole(case))


def test_a_log_on_dask_gives_the_same_findings():
    pd, dd = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    import dask

    for case in SMALL[::8]:  # merged pieces, as above
        frame = dd.from_pandas(pd.DataFrame(case.log), npartitions=3, sort=False)
        with dask.config.set(scheduler="threads"):
            report = pf.dask.audit(frame, case.game, bet=case.bet, **case.options)
        assert said(report) == said(whole(case)), case.name


def test_a_log_in_a_file_gives_the_same_findings(tmp_path):
    for case in (*HONEST[:1], HONEST[8], *CHEATS[:6]):
        case.to_csv(tmp_path / f"{case.name}.csv")
        report = pf.audit(tmp_path / f"{case.name}.csv", case.game, bet=case.bet, **case.options)
        assert said(report) == said(whole(case)), case.name


def test_numbers_may_be_written_as_people_write_them():
    """Decimal commas, currency signs and marks of multipliers don't change the audit."""
    for case in (
        HONEST[0],
        *(cheat for cheat in CHEATS if cheat.name in ("payouts_shaved", "player_loses")),
    ):
        log = dict(case.log)
        log["outcome"] = [f"{value:.2f}x".replace(".", ",") for value in log["outcome"]]
        log["stake"] = [f"{value:.2f} €".replace(".", ",") for value in log["stake"]]
        log["payout"] = [f"{value:.2f} €".replace(".", ",") for value in log["payout"]]
        report = pf.audit(log, case.game, bet=case.bet, **case.options)
        assert said(report) == said(whole(case)), case.name


BY_TIME = {
    "commitment_late",
    "seed_used_after_reveal",
    "commitment_after_beacon",
    "beacon_known_before_bet",
    "game_over",
    "nonce_order",
    "untimed_late",
}
TIMED = [case for case in CHEATS if BY_TIME & {expected.kind for expected in case.expected}]
TIMES = ("time", "commitment_time", "reveal_time")
AMBIGUOUS = ("day-first", "slashes", "american")


@pytest.mark.parametrize("name", oracle.FORMATS)
def test_times_may_be_written_as_people_write_them(name):
    """In the gallery day and month are ambiguous, so the order is given; other formats are inferred."""
    assert len(TIMED) >= 6
    for case in (*TIMED, next(case for case in HONEST if case.name == "honest_times")):
        log, options = dict(case.log), dict(case.options)
        for field in TIMES:
            if field in log:
                log[field] = [
                    text if text in (None, "", "n/a") else oracle.rewritten(text, name) for text in log[field]
                ]
        if "reveal_times" in options:
            told = options["reveal_times"].items()
            options["reveal_times"] = {seed: oracle.rewritten(text, name) for seed, text in told}
        if name in AMBIGUOUS:
            with pytest.raises(ValueError, match="time_formats="):
                pf.audit(log, case.game, bet=case.bet, **options)
            options["time_formats"] = dict.fromkeys(TIMES, oracle.FORMATS[name][0])
        report = pf.audit(log, case.game, bet=case.bet, **options)
        assert said(report) == said(whole(case)), case.name


def test_seeds_that_are_not_revealed_are_not_one_seed():
    case = next(one for one in HONEST if one.name == "honest_interleaved")
    hidden = set(list(dict.fromkeys(case.log["server_seed"]))[-4:])
    log = dict(case.log)
    log["server_seed"] = [None if server in hidden else server for server in log["server_seed"]]
    report = pf.audit(log, case.game, bet=case.bet, unrevealed="report")
    assert raised(report) == []
