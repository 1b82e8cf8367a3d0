"""What a log hides: rounds before the first and after the last one of a pair, seeds not revealed."""

from __future__ import annotations

import random

import pytest
from auditing.logs_of_rounds import audited, finding, raised
from oracles import gallery as oracle


def hide(rows, servers):
    return [
        {**row, "server_seed": None if row["server_seed"] in servers else row["server_seed"]} for row in rows
    ]


def servers_of(rows):
    return list(dict.fromkeys(row["server_seed"] for row in rows))


# ---- seeds that aren't revealed ----


@pytest.mark.parametrize(("kind", "wins"), [("unrevealed_high", True), ("unrevealed_low", False)])
def test_pairs_that_are_left_unrevealed_and_won_or_lost_more(kind, wins):
    rows = oracle.nonce_rows(random.Random("left unrevealed"), 400, rounds=(25, 45))
    servers = servers_of(rows)
    hidden = set(servers[-4:])
    assert raised(audited(hide(rows, hidden), unrevealed="report")) == set()
    for row in rows:
        if row["server_seed"] in hidden:  # nobody can recompute what is logged of them
            row["outcome"] = row["outcome"] % 50 + (0 if wins else 50)
            row["payout"] = oracle.paid(row["stake"], "1.98" if wins else "0")
    report = audited(hide(rows, hidden), unrevealed="report")
    found = finding(report, kind)
    assert found.severity == "evidence"
    assert found.pvalue < 1e-9
    assert found.rows == tuple(place for place, row in enumerate(rows) if row["server_seed"] in hidden)


def test_the_text_counts_rows_that_could_not_be_checked():
    rows = oracle.nonce_rows(random.Random("counted"), 60)
    log = hide(rows, servers_of(rows)[-1:])
    report = audited(log, unrevealed="report")
    count = sum(row["server_seed"] is None for row in log)
    line = f"{count} more: their seed isn't revealed yet"
    assert line in str(report)
    assert "isn&#x27;t revealed yet" in report.to_html()
    assert str(60 - count) + ", 0 of them failed" in str(report)
