"""Small mistakes in the options of logs, and their messages."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
import pytest

DICE = pf.operators.stake.Dice()
BET = DICE.bet(1.98, under=50)


def log_of(rows: int = 40, **columns: Any) -> dict[str, Any]:
    log: dict[str, Any] = {
        "server_seed": ["s"] * rows,
        "client_seed": ["c"] * rows,
        "nonce": list(range(rows)),
    }
    log["outcome"] = DICE.play("s", "c", np.arange(rows)).tolist()
    return log | columns


@pytest.mark.parametrize("level", [math.nan, np.float64("nan"), Decimal("NaN"), Decimal("sNaN")])
def test_a_level_that_is_no_number_is_refused_in_words(level: Any) -> None:
    for call in (
        lambda: pf.audit(log_of(), DICE, level=level),
        lambda: pf.monitoring.Watch(BET, level=level),
    ):
        with pytest.raises(ValueError, match=r"above 0 and below 1, got (?i:s?nan)") as raised:
            call()
        assert raised.value.argument == "level"  # type: ignore[attr-defined]


def test_seeds_that_are_there_twice_are_named() -> None:
    seeds = {"seed_id": [1, 2, 2], "server_seed": ["s", "t", "t"]}
    log = log_of(2, seed_id=[1, 2])
    del log["server_seed"]
    log["outcome"] = DICE.play(["s", "t"], "c", np.array(log["nonce"])).tolist()
    with pytest.raises(pf.LogError, match=r"'seed_id', in which the seeds have '2' more than once"):
        pf.verify(log, DICE, seeds=seeds)
    assert pf.verify(log, DICE, seeds=seeds, seeds_by="seed_id").ok
    with pytest.raises(pf.LogError, match="have empty cells more than once"):
        pf.verify(log, DICE, seeds=seeds | {"seed_id": [1, 2, None]})


@pytest.mark.parametrize("form", ["rows", "lists", "numpy", "pandas"])
def test_a_single_seed_that_is_empty_is_missing_whatever_stands_for_it(form: str) -> None:
    """In pandas an empty cell is NaN, and a column of them is numeric."""
    log = log_of(1, server_seed=[math.nan])
    given: Any = log
    if form == "rows":
        given = [{name: cells[0] for name, cells in log.items()}]
    elif form == "numpy":
        given = log | {"server_seed": np.array([math.nan])}
    elif form == "pandas":
        given = pytest.importorskip("pandas").DataFrame(log)
    report = pf.verify(given, DICE)
    assert (report.counts["missing"], report.failed) == (1, 1)
    assert pf.verify(given, DICE, unrevealed="report").unchecked
    whole = log | {"server_seed": None}  # in all rows
    assert pf.verify(whole, DICE).counts == {"missing": 1}
    assert pf.verify(whole, DICE, unrevealed="report").unchecked
    with pytest.raises(pf.LogError, match="007 isn't 7"):
        pf.verify(log | {"server_seed": [7.0]}, DICE)


def test_series_are_named_with_their_type() -> None:
    pd = pytest.importorskip("pandas")
    for series in (pd.Series([1.5]), pd.Series(["a"], dtype=object)):
        with pytest.raises(TypeError, match=f"nonce .* got a Series of {series.dtype}"):
            DICE.play("s", "c", series)


# ---- certificates ----


def certified(folder: Path, log: Any, *, audit: bool = True) -> Path:
    path = folder / "certificate.json"
    report = pf.audit(log, DICE) if audit else pf.verify(log, DICE)
    pf.certificates.write(report, path)
    return path


def test_a_certificate_without_an_entry_says_which(tmp_path: Path) -> None:
    path = certified(tmp_path, log_of())
    contents = json.loads(path.read_text())
    del contents["verdict"]["level"]
    path.write_text(json.dumps(contents, indent=1) + "\n")
    assert pf.certificates.check(path, log_of()).problems == ("the certificate lacks 'level'",)


def test_what_differs_from_a_certificate_is_said(tmp_path: Path) -> None:
    path = certified(tmp_path, log_of(), audit=False)

    def problems(log: Any) -> tuple[str, ...]:
        return pf.certificates.check(path, log).problems

    assert problems(log_of()) == ()
    others = log_of()
    others["client_seed"][3] = "d"
    others["outcome"][3] = float(DICE.play("s", "d", 3))
    assert problems(others) == ("log isn't what the log gives: some cells of its rows differ",)
    *_, said = problems(log_of(41))
    assert said == "log isn't what the log gives: rows: the certificate has 40, the log 41"


# ---- negative payouts ----


def test_payouts_below_0_are_questioned() -> None:
    rows = 40
    log = log_of(rows, stake=[1.0] * rows)
    log["payout"] = [1.98 if outcome < 50 else 0.0 for outcome in log["outcome"]]
    assert not [text for text in pf.audit(log, DICE).unknown if "below 0" in text]
    log["payout"][7] = -3.0
    told = "1 row with a payout below 0 (first: row 7): whether the column holds profits, without the stake"
    assert told in pf.audit(log, DICE).unknown
    halves = [{name: cells[part] for name, cells in log.items()} for part in (slice(0, 5), slice(5, None))]
    merged = pf.Auditor(DICE).update(halves[0]).merge(pf.Auditor(DICE).update(halves[1]))
    assert told in merged.report(last=True).unknown
    (found,) = [one for one in pf.audit(log, DICE, bet=BET).findings if one.kind == "payout_mismatch"]
    assert "1 payout is below 0, and a payout includes the stake." in found.text
