"""Randomly damaged logs: exactly the facts planted are found, with their rows, in one or several pieces."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import provably_fair as pf
import pytest
from auditing.logs_of_bets import reports_in_pieces
from oracles import audits, gallery

STAKE = pf.operators.stake
BET = STAKE.Dice().bet(payout=1.98, under=50)


def damaged_nonces(rng):
    """Dice rounds with nonces, and random damage to some rows."""
    rows = gallery.nonce_rows(rng, rng.randint(20, 150), players=rng.randint(1, 3), rounds=(5, 20))
    for row in rows:
        row.pop("player", None)
    servers = gallery.servers_of(rows)
    damages = rng.sample(
        [leave_out, repeat, shave, recommit, share, forget, late, told, shuffle], rng.randint(0, 4)
    )
    for damage in damages:
        damage(rng, rows, servers)
    return rows


def some(rng, rows, share=0.1):
    return [row for row in rows if rng.random() < share]


def leave_out(rng, rows, servers):
    for row in some(rng, rows):
        rows.remove(row)


def repeat(rng, rows, servers):
    """Play nonces again, one second later, since equal rows would count as duplicates."""
    for row in some(rng, rows, 0.05):
        later = gallery.text_of(datetime.fromisoformat(row["time"]) + timedelta(seconds=1))
        rows.insert(rng.randrange(len(rows) + 1), row | {"time": later})


def play_again(rng, rows, servers):
    """Play games again after others have been played."""
    for game in rng.sample(rows[:-3], min(3, len(rows) - 3)):
        rows.insert(rng.randrange(rows.index(game) + 2, len(rows)), dict(game))


def shave(rng, rows, servers):
    for row in some(rng, rows):
        row["payout"] = round(row["payout"] + rng.choice([0.01, 1, 0]), 2)


def recommit(rng, rows, servers):
    for server in rng.sample(servers, min(2, len(servers))):
        other = audits.sha256(f"another than {server}")
        own = [row for row in rows if row["server_seed"] == server]
        for row in own[: rng.randint(0, len(own))]:
            row["commitment"] = other


def share(rng, rows, servers):
    first, *others = rng.sample(servers, min(3, len(servers)))
    for row in rows:
        if row["server_seed"] in others:
            row["commitment"] = audits.sha256(first)


def forget(rng, rows, servers):
    for row in some(rng, rows):
        row["commitment"] = None


def late(rng, rows, servers, name="commitment_time"):
    server = rng.choice(servers)
    own = [row for row in rows if row["server_seed"] == server]
    if own:
        published = rng.choice(own)["time"]
        for row in own:
            row[name] = published


def told(rng, rows, servers):
    late(rng, rows, servers, "reveal_time")


def shuffle(rng, rows, servers):
    rng.shuffle(rows)


def columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


def facts(report):
    """The proofs by kind. Rows that happen to be paid alike may also look like a paytable."""
    proofs = [one for one in report.findings if one.severity == "proof" and one.kind != "paytable_differs"]
    return {one.kind: list(one.rows) for one in proofs}


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("seed", range(30))
def test_damaged_logs_of_nonces(seed):
    rng = random.Random(f"damage {seed}")
    rows = damaged_nonces(rng)
    expected = {kind: found for kind, found in audits.facts_of_nonces(rows) if found}
    log = columns(rows)
    report = pf.audit(log, STAKE.Dice(), bet=BET)
    assert facts(report) == expected
    cuts = sorted(rng.randint(0, len(rows)) for _ in range(5))
    for report in reports_in_pieces(log, cuts, STAKE.Dice(), BET):
        assert facts(report) == expected


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("seed", range(20))
def test_damaged_logs_of_a_chain(seed):
    rng = random.Random(f"chain {seed}")
    hashes = gallery.chain(f"damage {seed}", 120)
    numbers = {game_hash: number for number, game_hash in enumerate(hashes)}
    first = rng.randint(1, 40)
    rows = gallery.chain_rows(hashes, first, first + rng.randint(5, 80))
    told = {"terminating": hashes[0]} if rng.random() < 0.5 else {}
    # In an unordered log, a replayed game looks like one with bets of several players. Without the
    # terminating hash games have no numbers, so gaps are only known in logs in one direction.
    if rng.random() < 0.5:
        leave_out(rng, rows, [])
    order = rng.choice([None, list.reverse, play_again, shuffle] if told else [None, list.reverse])
    if order is list.reverse:
        rows.reverse()
    elif order is not None:
        order(rng, rows, [])
    expected = {
        "round_missing": audits.missing_games(rows, numbers),
        "hash_reused": audits.again(rows, lambda row: row["game_hash"]),
    }
    expected = {kind: found for kind, found in expected.items() if found}
    log = columns(rows)
    assert facts(pf.audit(log, STAKE.Crash(), **told)) == expected
    cuts = sorted(rng.randint(0, len(rows)) for _ in range(5))
    for report in reports_in_pieces(log, cuts, STAKE.Crash(), **told):
        assert facts(report) == expected
