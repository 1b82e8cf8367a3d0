"""Rounds hidden before the first or after the last logged one, and unrevealed seeds."""

from __future__ import annotations

import hashlib
import random

import gallery
import provably_fair as pf
import pytest
from auditing.logs_of_bets import finding, kinds_of
from auditing.logs_of_rounds import DICE, audited
from oracles import gallery as oracle


def hide(rows, servers):
    return [
        {**row, "server_seed": None if row["server_seed"] in servers else row["server_seed"]} for row in rows
    ]


# ---- seeds that aren't revealed ----


@pytest.mark.parametrize(("kind", "wins"), [("unrevealed_high", True), ("unrevealed_low", False)])
def test_pairs_that_are_left_unrevealed_and_won_or_lost_more(kind, wins):
    rows = oracle.nonce_rows(random.Random("left unrevealed"), 400, rounds=(25, 45))
    servers = oracle.servers_of(rows)
    hidden = set(servers[-4:])
    assert kinds_of(audited(hide(rows, hidden), unrevealed="report")) == set()
    for row in rows:
        if row["server_seed"] in hidden:  # logged values that can't be recomputed
            row["outcome"] = row["outcome"] % 50 + (0 if wins else 50)
            row["payout"] = oracle.paid(row["stake"], "1.98" if wins else "0")
    report = audited(hide(rows, hidden), unrevealed="report")
    found = finding(report, kind)
    assert found.severity == "evidence"
    assert found.pvalue < 1e-9
    assert found.rows == tuple(place for place, row in enumerate(rows) if row["server_seed"] in hidden)


def test_the_text_counts_rows_that_could_not_be_checked():
    rows = oracle.nonce_rows(random.Random("counted"), 60)
    log = hide(rows, oracle.servers_of(rows)[-1:])
    report = audited(log, unrevealed="report")
    count = sum(row["server_seed"] is None for row in log)
    line = f"{count} more: their seed isn't revealed yet"
    assert line in str(report)
    assert "isn&#x27;t revealed yet" in report.to_html()
    assert str(60 - count) + ", 0 of them failed" in str(report)


# ---- first and last nonces ----


def lines(report, *words):
    return [line for line in report.unknown if all(word in line for word in words)]


def test_pairs_that_begin_late_are_told():
    rows = oracle.nonce_rows(random.Random("late"), 200, rounds=(25, 45))
    second = oracle.servers_of(rows)[1]
    cut = [row for row in rows if row["server_seed"] != second or row["nonce"] > 3]
    report = audited(cut)
    found = finding(report, "nonces_begin_late")
    assert (found.severity, found.count) == ("note", 1)
    assert found.rows == (next(place for place, row in enumerate(cut) if row["server_seed"] == second),)
    assert lines(report, "1 pair", "first rounds")
    assert lines(report, "last nonce")
    whole = audited(rows)
    assert not [found for found in whole.findings if found.kind == "nonces_begin_late"]
    assert lines(whole, "last nonce")
    assert not lines(whole, "first")


@pytest.mark.parametrize("starts", [0, 1, 2])
def test_first_nonces_are_those_of_the_game(starts):
    nonces = [*range(starts, 30)]
    log = {"server_seed": "server", "client_seed": "client", "nonce": nonces}
    report = pf.audit(log | {"outcome": DICE.play(**log)}, DICE)
    assert bool([found for found in report.findings if found.kind == "nonces_begin_late"]) == (starts == 2)
    other = pf.operators.skinclub.Ticket()
    report = pf.audit(log | {"outcome": other.play(**log)}, other)
    assert report.findings == []
    assert lines(report, "first nonces aren't known")


def test_pairs_of_two_players_are_the_same_in_one_piece_and_in_several():
    first, second = sorted(("ann", "bob"), key=lambda name: hashlib.sha256(name.encode()).digest())[::-1]
    log = {"server_seed": list("aab"), "client_seed": list("xxy"), "nonce": [0, 1, 5]}
    log |= {"outcome": DICE.play(**log).tolist(), "player": [first, second, first]}
    log["time"] = [f"2026-01-0{day}" for day in (1, 2, 3)]
    whole = finding(pf.audit(log, DICE), "nonces_begin_late")
    auditor = pf.Auditor(DICE)
    for row in range(3):
        auditor.update({name: column[row : row + 1] for name, column in log.items()})
    assert finding(auditor.report(last=True), "nonces_begin_late") == whole
    assert whole.details["not_first_of_player"] == 0


def test_a_pair_is_of_both_seeds_whoever_plays():
    log = {"server_seed": "a", "client_seed": list("xxyy"), "nonce": [0, 1, 5, 6]}
    log |= {"outcome": DICE.play(**log).tolist(), "player": "ann"}
    assert finding(pf.audit(log, DICE), "nonces_begin_late").rows == (2,)


def test_pairs_that_end_before_the_reveal_are_noted():
    rows = oracle.nonce_rows(random.Random("open"), 200, rounds=(25, 45))
    second = oracle.servers_of(rows)[1]
    cut = [row for row in rows if row["server_seed"] != second or row["nonce"] < 8]
    found = finding(audited(cut), "pair_open")
    assert found.severity == "note"
    last = max(place for place, row in enumerate(cut) if row["server_seed"] == second)
    assert f"(row {last})" in found.text
    assert last in found.rows


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("order", ["played", "backward", "shuffled"])
@pytest.mark.parametrize("times", [True, False])
def test_server_seeds_that_change_in_mid_pair(players, order, times):
    rng = random.Random("changed")
    rows = oracle.nonce_rows(rng, 200, players=players, times=times, rounds=(25, 45))
    victim = oracle.servers_of(rows)[1]
    own = [row for row in rows if row["server_seed"] == victim]
    other = oracle.server_seed(rng)
    for row in own[12:]:
        row["server_seed"], row["commitment"] = other, oracle.sha256(other)
        oracle.replay(row)
    if order == "backward":
        rows.reverse()
    elif order == "shuffled":
        if not times:
            return
        rng.shuffle(rows)
    found = finding(audited(rows), "server_seed_changed")
    assert found.severity == "evidence"
    assert found.rows == (next(place for place, row in enumerate(rows) if row is own[12]),)
    assert lines(audited(rows), "mid-pair")


def test_pairs_of_one_time_follow_in_the_order_of_the_log():
    clients = [f"client {number}" for number in range(12)]
    fields = {
        "server_seed": [
            f"{half} of {client}" for client in clients for half in ("one", "two") for _ in "abc"
        ],
        "client_seed": [client for client in clients for _ in range(6)],
        "nonce": [*range(6)] * 12,
    }
    log = fields | {"outcome": DICE.play(**fields), "time": ["2026-03-01"] * 72}
    found = finding(pf.audit(log, DICE), "server_seed_changed")
    assert (found.count, found.rows) == (12, tuple(range(3, 72, 6)))


# ---- server seeds of several players ----


@pytest.mark.parametrize(
    ("one", "other", "two"), [("Bob", "bob", False), ("BOB", " bob ", False), ("bob", "bobo", True)]
)
def test_a_name_in_two_spellings_is_no_proof_of_two_players(one, other, two):
    rows = oracle.nonce_rows(random.Random("spelled"), 100)
    for place, row in enumerate(rows):
        row["player"] = other if place % 3 else one
    assert ("server_seed_shared" in kinds_of(audited(rows))) == two


# ---- finished chain games ----


@pytest.mark.parametrize("order", [1, -1])
def test_bets_of_anybody_on_games_that_were_over(order):
    (case,) = (case for case in gallery.frauds() if case.name == "game_over")
    log = {name: column[::order] for name, column in case.log.items()}
    report = pf.audit(log, case.game, bet=case.bet, **case.options)
    rows = [row for row, player in enumerate(log["player"]) if player == "insider"]
    assert list(finding(report, "game_over").rows) == rows
    following = sorted(log["time"])
    log["reveal_time"] = [
        time if player != "insider" else following[following.index(time) - 8]
        for time, player in zip(log["time"], log["player"], strict=True)
    ]
    report = pf.audit(log, case.game, bet=case.bet, **case.options)
    assert list(finding(report, "seed_used_after_reveal").rows) == rows
