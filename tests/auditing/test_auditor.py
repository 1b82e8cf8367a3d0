"""Audits: the findings of each check in small, handmade logs, and their wording."""

from __future__ import annotations

import copy
import datetime
import hashlib
import itertools
import json
import pickle
import random
import time
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import measure_honest_logs
import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import reports_in_pieces
from oracles.gallery import sha256
from provably_fair.auditing import auditor as auditor_module
from provably_fair.sources import limits
from provably_fair.sources.times import Times
from provably_fair.statistics import holm

STAKE = pf.operators.stake.Dice()
CRASH = pf.operators.stake.Crash()
KINDS = measure_honest_logs.games()


def dice_log(seeds, nonces, **columns):
    """A log of dice with nonces in which every row is right."""
    log = {"server_seed": seeds, "client_seed": ["a client seed"] * len(seeds), "nonce": nonces}
    log |= {name: column for name, column in columns.items() if name in log}
    outcome = STAKE.play(log["server_seed"], log["client_seed"], np.array(log["nonce"]))
    return log | columns | {"outcome": outcome}


def found(log, game=STAKE, **options):
    """The findings by kind in a log whose rows are all right."""
    report = pf.audit(log, game, **options)
    return {finding.kind: finding for finding in report.findings}


def proofs(log, game=STAKE, **options):
    return {
        kind: finding.rows
        for kind, finding in found(log, game, **options).items()
        if finding.severity == "proof"
    }


# ---- honest logs ----


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("number", range(len(KINDS)), ids=lambda number: repr(KINDS[number])[:30])
def test_honest_logs_of_every_system_get_no_proof(number):
    rng = random.Random(f"test {number}")
    log, options = measure_honest_logs.honest(KINDS[number], rng, 60)
    report = pf.audit(log, KINDS[number], **options)
    assert report.verification.ok
    assert [finding for finding in report.findings if finding.severity == "proof"] == []


# ---- sequences ----


def test_rounds_that_are_missing_in_several_lives():
    log = dice_log(["s"] * 4 + ["t"] * 4, [0, 1, 3, 4, 7, 8, 9, 12])
    finding = found(log)["nonce_gap"]
    assert (finding.rows, finding.count, finding.details) == ((2, 7), 2, {"missing": 3, "gaps": 2})


def test_an_excerpt_has_no_gap_at_its_ends():
    assert proofs(dice_log(["s"] * 4, [17, 18, 19, 20])) == {}
    assert proofs(dice_log(["s"] * 4, [20, 19, 18, 17])) == {}
    assert found(dice_log(["s"] * 4, [18, 17, 20, 19]))["nonce_order"].severity == "note"


def test_nonces_against_the_time_of_play():
    times = [datetime.datetime(2026, 1, 1, 12, minute, 30) for minute in (0, 1, 5, 4, 6)]
    assert proofs(dice_log(["s"] * 5, [0, 1, 2, 3, 4], time=times)) == {"nonce_order": (3,)}
    # Also with shuffled rows, and with equal or missing times.
    order = [3, 0, 4, 2, 1]
    mixed = dice_log(["s"] * 5, [[0, 1, 2, 3, 4][i] for i in order], time=[times[i] for i in order])
    assert proofs(mixed) == {"nonce_order": (0,)}
    right = [times[0], times[0], None, times[3], times[4]]
    assert proofs(dice_log(["s"] * 5, [0, 1, 2, 3, 4], time=right)) == {}


def test_nonces_that_go_back_in_rows_without_a_time():
    times = [datetime.datetime(2026, 1, 1, 12, minute) for minute in (0, 1, 4, 2, 3)]
    timed = dice_log(["s"] * 5, [0, 1, 4, 2, 3], time=times)
    assert "nonce_order" not in found(timed)
    order = found(timed | {"time": [*times[:2], None, *times[3:]]})["nonce_order"]
    assert (order.severity, order.rows) == ("note", (3,))


def test_rounds_of_several_draws_a_nonce():
    coin = pf.operators.bcgame.CoinFlip()
    log = {"server_seed": ["s"] * 6, "client_seed": ["a client"] * 6}
    log |= {"nonce": np.array([0, 0, 1, 1, 1, 2]), "round": np.array([1, 2, 1, 2, 3, 1])}
    log["outcome"] = coin.play(**log)
    assert proofs(log, coin) == {}
    log["round"] = np.array([1, 2, 1, 2, 2, 1])
    log["outcome"] = coin.play(*(log[name] for name in coin.scheme.fields))
    assert proofs(log, coin) == {"nonce_repeated": (4,)}


def test_a_round_under_another_spelling():
    dice = pf.operators.duel.Dice()
    seed = "ab" * 32
    log = {"server_seed": [seed, seed, seed.upper()], "client_seed": ["me"] * 3, "nonce": np.array([0, 1, 0])}
    log["outcome"] = dice.play(**log)
    assert proofs(log, dice) == {"duplicate_round": (2,)}


def test_bets_on_one_round_are_noted():
    salts = np.repeat(pf.salts(5), 2)
    finding = found({"salt": salts, "outcome": pf.Crash().play(salt=salts)}, pf.Crash())["duplicate_round"]
    assert (finding.severity, finding.rows) == ("note", (1, 3, 5, 7, 9))
    log = {"server_seed": "s", "client_seed": "a client", "salt": salts}
    log["outcome"] = pf.Dice().play("s", "a client", salts)
    assert proofs(log, pf.Dice()) == {"duplicate_round": (1, 3, 5, 7, 9)}


@pytest.mark.parametrize("by", ["seed", "commitment", "column"])
def test_seeds_that_had_been_revealed(by):
    times = ["2026-01-01T00:00:00Z", "2026-01-01T00:10:00Z", "2026-01-01T00:20:00Z", "2026-01-01T00:30:00Z"]
    log = dice_log(["s", "s", "t", "t"], [0, 1, 0, 1], time=times)
    log["commitment"] = [sha256(seed) for seed in log["server_seed"]]
    told = "2026-01-01 00:05"
    if by == "column":
        log["reveal_time"] = [told, told, None, None]
        assert proofs(log) == {"seed_used_after_reveal": (1,)}
    else:
        key = "s" if by == "seed" else sha256("s").upper()
        spelled = [key] if by == "seed" else [key, f"0x{key}", f" 0X{key}"]
        for one in spelled:
            assert proofs(log, reveal_times={one: told, "v": told}) == {"seed_used_after_reveal": (1,)}
            twice = {f"0x{key}": "2026-01-01 00:15", key: told, key.swapcase(): "2026-01-01 00:15"}
            assert proofs(log, reveal_times=twice) == {"seed_used_after_reveal": (1,)}
        log["commitment"] = [f"0x{sha256(seed)}" for seed in log["server_seed"]]
        assert proofs(log, reveal_times={key: told}) == {"seed_used_after_reveal": (1,)}
        # Of other seeds they show nothing.
        lacking = "no times of reveals: whether seeds were used after they had been revealed"
        assert lacking in pf.audit(log, STAKE, reveal_times={"v": told}).unknown


def test_seeds_that_had_been_revealed_by_another_row():
    """The seed comes back with another client seed, or goes on, when rows say that it had been revealed."""
    times = np.datetime64("2026-01-01T00:00:00") + 60 * np.arange(6)
    reveals = np.repeat(times[[2, 5]] + 30, 3)
    for seeds, clients, nonces, count in (
        (["s"] * 6, ["c"] * 3 + ["d"] * 3, [0, 1, 2] * 2, 1),
        (["s"] * 6, ["c"] * 6, range(6), 1),
        (["s"] * 3 + ["t"] * 3, ["c"] * 3 + ["d"] * 3, [0, 1, 2] * 2, 0),
    ):
        log = dice_log(seeds, [*nonces], client_seed=clients, time=times, reveal_time=reveals)
        log = {name: np.asarray(column) for name, column in log.items()}
        for report in (pf.audit(log, STAKE), *reports_in_pieces(log, [2, 4], STAKE)):
            late = [one for one in report.findings if one.kind == "seed_used_after_reveal"]
            assert [(one.severity, one.rows, one.count) for one in late] == [("evidence", (5,), 1)] * count


# ---- chains ----


def chain_log(games, count=60):
    hashes = pf.HashChain().generate("audited", games=count).astype("U")
    log = {"game_hash": hashes[games]}
    return log | {"outcome": CRASH.play(log["game_hash"])}, pf.HashChain().terminating(hashes)


@pytest.mark.parametrize("told", [True, False])
def test_games_of_a_chain(told):
    def named(games, **columns):
        log, end = chain_log(games)
        return proofs(log | columns, CRASH, **({"terminating": end} if told else {}))

    # One row per bet: a game may be missing, or occur once per player.
    bets = {"player": ["a", "b", "a", "b", "a"], "stake": [1] * 5}
    assert named([1, 1, 5, 5, 6], **bets) == {}
    if told:
        assert named([1, 1, 5, 5, 1], **bets) == {"hash_reused": (4,)}


@pytest.mark.parametrize("field", ["nonce", "game_hash", "game_number", "terminating"])
def test_rows_that_cant_be_read_are_not_missing(tmp_path, field):
    log, game, options = dice_log(["s"] * 9, range(9)), STAKE, {}
    if field != "nonce":
        (log, end), game = chain_log([*range(9)]), CRASH
        log |= {"game_number": range(1, 10), "terminating": [end] * 9}
    rows = [[str(cell) for cell in row] for row in zip(*log.values(), strict=True)]
    place, path = [*log].index(field), tmp_path / "log.csv"
    for unread in [*rows[4], "more"], [*rows[4][:place], "?", *rows[4][place + 1 :]]:
        for gone in (0, 2):
            lines = map(",".join, [[*log], *rows[:4], unread, *rows[5 + gone :]])
            path.write_text("\n".join(lines), encoding="utf-8")
            report = pf.audit(path, game, **options)
            kinds = [one.kind for one in report.findings if one.severity == "proof"]
            kinds = [kind for kind in kinds if kind != "terminating_missed"]
            assert (report.verification.failed, len(kinds)) == (1, gone > 0), kinds


def test_games_are_missing_however_far_their_chain_is_followed():
    log, end = chain_log([*range(5), *range(7, 9)])
    report = pf.audit(log, CRASH, terminating=end, chain_steps=1)
    assert not report.verification.complete  # though every row was read
    assert [one.severity for one in report.findings if one.kind == "round_missing"] == ["proof"]


def test_a_terminating_hash_is_the_same_in_any_spelling():
    log, end = chain_log([*range(5), *range(7, 12)])
    for other in f" {end}", end.upper(), f"0x{end}", f"0X{end.upper()}":
        log["terminating"] = [end] * 5 + [other] * 5
        assert proofs(log, CRASH) == {"round_missing": (5,)}


def test_games_are_those_of_their_own_batch(monkeypatch):
    """A check sees a batch while the next one is being verified, and unrevealed rows have no game."""
    log, end = chain_log([*range(20), *range(22, 40)])
    look = auditor_module._update
    monkeypatch.setattr(auditor_module, "_update", lambda *looked: (time.sleep(0.02), look(*looked)))
    monkeypatch.setattr("provably_fair.sources.limits.BATCH", 5)
    assert proofs(log, CRASH, terminating=end) == {"round_missing": (20,)}
    hidden = np.isin(np.arange(38), [11, *range(33, 38)])  # a missing game, and today's games
    log["game_hash"] = np.where(hidden, "", log["game_hash"])
    report = pf.audit(log, CRASH, terminating=end, unrevealed="report")
    assert report.verification.unchecked == {"unrevealed": 6}
    (finding,) = (finding for finding in report.findings if finding.severity == "proof")
    assert (finding.kind, finding.rows, finding.details["missing"]) == ("round_missing", (12, 20), 3)


@pytest.mark.parametrize(
    ("field", "cell", "expected"), [("game_hash", "?", {}), ("game_number", -1, {"round_missing": (5,)})]
)
def test_cells_that_cant_be_read_break_no_chain(field, cell, expected):
    log, _ = chain_log([*range(5), *range(7, 12)])
    log |= {"game_number": [*range(1, 6), *range(8, 13)]}
    log = {name: np.array(column, object) for name, column in log.items()}
    log[field][5] = cell
    whole = pf.audit(log, CRASH)
    assert {one.kind: one.rows for one in whole.findings if one.severity == "proof"} == expected
    for report in reports_in_pieces(log, [5, 6], CRASH):
        assert report.findings == whole.findings


@pytest.mark.parametrize("numbered", [True, False])
def test_games_of_a_chain_of_bytes(numbered):
    """Without an end, games follow each other by the chain of their own game."""
    game = pf.operators.bustabit.V3()
    hashes = game.kind.chain.previous("5" * 64, 40)[::-1].astype("U")
    log = {"game_hash": hashes, "outcome": game.play(hashes)}
    if numbered:
        log["game_number"] = np.arange(game.kind.before_first + 1, game.kind.before_first + 41)
    for rows, expected in (
        ([*range(40)], {}),
        ([*range(9), *range(12, 40)], {"round_missing": (9,)}),
        ([7, 3, 30], {}),
    ):
        assert proofs({name: column[rows] for name, column in log.items()}, game) == expected
    log["game_hash"][20] = "6" * 64
    log["outcome"] = game.play(log["game_hash"])
    assert found(log, game)["chain_broken"].severity == ("proof" if numbered else "note")


@pytest.mark.parametrize(("row", "number", "broken"), [(20, 22, (20, 21)), (0, 9, (1,)), (29, 9, (29,))])
def test_numbers_of_games_that_follow_each_other(row, number, broken):
    """Without an end, too, numbers must say how the hashes follow."""
    log, _ = chain_log(np.arange(30))
    log["game_number"] = np.arange(30) + 1
    assert proofs(log, CRASH) == {}
    log["game_number"][row] = number
    assert proofs(log, CRASH) == {"chain_broken": broken}
    for use in pf.Auditor.update, lambda auditor, part: auditor.merge(pf.Auditor(CRASH).update(part)):
        auditor = pf.Auditor(CRASH)
        for one in range(30):
            use(auditor, {name: column[one : one + 1] for name, column in log.items()})
        assert [finding.rows for finding in auditor.report().findings] == [broken]


def test_hashed_dice_that_another_game_had_are_noted():
    dice = [pf.operators.fpclub.HashedDice.generate(20, rng=number) for number in range(4)]
    games = {"digits": [one.digits for one in dice], "hash": [one.hash for one in dice]}
    assert not pf.audit(games, pf.operators.fpclub.HashedDice).findings
    games["digits"] += [" ".join(games["digits"][1])]
    games["hash"] += [games["hash"][1].upper()]
    report = pf.audit(games, pf.operators.fpclub.HashedDice)
    (again,) = report.findings
    assert (again.kind, again.severity, again.rows) == ("duplicate_round", "note", (4,))


# ---- commitments and seeds ----


def test_commitments_may_be_in_capitals():
    log = dice_log(["s"] * 3 + ["t"] * 3, [0, 1, 2, 0, 1, 2])
    assert proofs(log | {"commitment": [sha256(seed).upper() for seed in log["server_seed"]]}) == {}


@pytest.mark.parametrize("written", ["-", "pending", "sha256:{}", b"\x92\xed", "ku04c4kBWxo="])
def test_commitments_that_are_no_hashes_prove_nothing(written):
    log = dice_log(["s"] * 3 + ["t"] * 3 + ["u"] * 3, [0, 1, 2] * 3)
    right = [sha256(seed) for seed in log["server_seed"]]
    odd = [written.format(one) if isinstance(written, str) else written for one in right]
    log["commitment"] = right[:3] + odd[3:]
    auditor = pf.Auditor(STAKE)
    for start in range(0, 9, 4):
        auditor.update({name: column[start : start + 4] for name, column in log.items()})
    unread = "6 rows whose commitment isn't a hash in hexadecimal: whether it is that of what was revealed"
    for report in (pf.audit(log, STAKE), auditor.report()):
        assert not [one for one in report.findings if one.severity == "proof"]
        assert not report.ok
        assert unread in report.unknown


def test_commitments_of_salts_under_their_former_name():
    salts = pf.salts(5).astype("U").tolist()
    log = {"server_seed": "s", "client_seed": "a client", "salt": salts}
    log["outcome"] = pf.Dice().play(**log)
    assert proofs(log | {"commitment": [sha256(salt) for salt in salts]}, pf.Dice()) == {}


def test_client_seeds():
    def named(client, server="5e" * 32):
        return set(proofs(dice_log([server] * 2, [0, 1], client_seed=[client] * 2)))

    server = "0123456789abcdef" * 4
    derived = {"client_seed_from_server"}
    assert named(server, server) == named(server[5:20].upper(), server) == derived
    assert named(sha256(server)[:12], server) == named(sha256(server), server) == derived
    assert named(hashlib.sha512(server.encode()).hexdigest(), server) == derived
    assert named("mine", sha256("mine").upper()) == {"server_seed_from_client"}
    assert named("mine", hashlib.sha512(b"mine").hexdigest()[:64]) == {"server_seed_from_client"}
    assert named("00ff10aa", hashlib.md5(b"\0\xff\x10\xaa").hexdigest()) == {"server_seed_from_client"}
    assert named("mine", sha256("yours")) == named("mine", sha256("mine")[:9]) == set()
    assert named("0123", server) == named("a client seed", server) == named(sha256("x"), server) == set()
    assert named("") == {"client_seed_empty"}


def test_one_client_seed_for_several_server_seeds_is_noted():
    finding = found(dice_log(["s", "s", "t", "t"], [0, 1, 0, 1]))["client_seed_shared"]
    assert (finding.severity, finding.rows, finding.details["client_seeds"]) == ("note", (2,), 1)


def test_outcomes_of_another_client_seed():
    log = dice_log(["s"] * 30, [*range(30)], client_seed=["me"] * 15 + ["the one before"] * 15)
    log["outcome"] = STAKE.play("s", "me", np.arange(30))
    report = pf.audit(log, STAKE)
    (finding,) = (finding for finding in report.findings if finding.severity == "proof")
    assert (finding.kind, finding.details["client_seed"]) == ("client_seed_ignored", "me")
    assert finding.rows == tuple(range(15, 30))
    # If outcomes don't follow from any seed, the client seed isn't to blame.
    log["outcome"] = np.random.default_rng(5).integers(0, 10_001, 30) / 100
    assert proofs(log) == {}


@pytest.mark.parametrize(
    ("salts", "kinds"),
    [
        ([f"salt {n}" for n in range(7, 40)], {"salt_counting", "salt_low_entropy"}),
        ([f"{n:064x}" for n in range(40)], {"salt_counting", "salt_low_entropy"}),
        ([f"{n * n * 7919 % 65536:08x}" for n in range(40)], {"salt_low_entropy"}),
        (pf.salts(40).astype("U").tolist(), set()),
        ([f"{n}" for n in range(5)], set()),  # too few to tell
    ],
)
def test_salts_that_could_be_known(salts, kinds):
    log = {"server_seed": "s", "client_seed": "a client", "salt": salts}
    log["outcome"] = pf.Dice().play("s", "a client", salts)
    evidence = {kind for kind, finding in found(log, pf.Dice()).items() if finding.severity == "evidence"}
    assert evidence == kinds


def test_server_seeds_that_are_empty():
    """They are right rows, whose outcome anybody could compute; wrong rows may just not be revealed."""
    log = dice_log(["s", "", "", "t"], [0, 0, 1, 0])
    finding = found(log)["server_seed_low_entropy"]
    assert (finding.severity, finding.rows) == ("evidence", (1, 2))
    log["outcome"] = (log["outcome"] + 1) % 100
    for options in {}, {"unrevealed": "report"}:
        assert "server_seed_low_entropy" not in found(log, **options)


def test_a_seed_for_every_bet():
    seeds = [f"seed {n}" for n in range(30)]
    finding = found(dice_log(seeds, [0] * 30))["rotated_every_bet"]
    assert (finding.severity, finding.details["single"]) == ("evidence", 30)
    assert "rotated_every_bet" not in found(dice_log(seeds, [*range(30)]))
    # Seeds used for several bets, or one bet with a late nonce, don't hide seeds used only once.
    some = [*seeds, *["stays"] * 50, "late"], [*[0] * 30, *range(50), 7]
    assert found(dice_log(*some))["rotated_every_bet"].details["single"] == 30
    longer = [f"longer {n}" for n in range(9) for _ in range(2)]
    assert "rotated_every_bet" in found(dice_log(seeds + longer, [0] * 30 + [0, 1] * 9))
    longer += [f"longest {n}" for n in range(9) for _ in range(2)]
    assert "rotated_every_bet" not in found(dice_log(seeds + longer, [0] * 30 + [0, 1] * 18))
    # A player's last seed proves nothing, since the player may have left.
    players = [f"player {number}" for number in range(30)]
    assert "rotated_every_bet" not in found(dice_log(seeds, [0] * 30, player=players))
    assert "rotated_every_bet" in found(dice_log(seeds, [0] * 30, player=players[:4] * 7 + players[:2]))
    assert "rotated_every_bet" not in found(dice_log(seeds[:10], [0] * 10))
    # Bets that are listed twice are no further bets; those of another client seed are.
    twice = [*seeds, *seeds], [0] * 60
    assert found(dice_log(*twice))["rotated_every_bet"].details["single"] == 30
    others = {"client_seed": ["c", "d"] * 30, "player": ["a player"] * 60}
    assert "rotated_every_bet" not in found(dice_log(sorted(twice[0]), twice[1], **others))


def test_casual_players_do_not_rotate_every_bet():
    rng = random.Random("casual")
    rows = [(f"player {n}", nonce) for n in range(300) for nonce in range(rng.choice([1, 1, 1, 2]))]
    owners, nonces = map(list, zip(*rows, strict=True))
    seeds = [f"seed of {owner}" for owner in owners]
    for names in {"player": owners}, {"client_seed": owners}, {"player": owners, "client_seed": owners}:
        report = pf.audit(dice_log(seeds, nonces, **names), STAKE)
        assert "rotated_every_bet" not in {finding.kind for finding in report.findings}
        assert any("were one player's" in text for text in report.unknown) == ("player" not in names)
    # Of two bets each, one in eight players changes the seed between them.
    seeds = [f"seed {n}, {half * (n % 8 == 0)}" for n in range(300) for half in range(2)]
    nonces = [half * (n % 8 > 0) for n in range(300) for half in range(2)]
    pairs = [f"player {n}" for n in range(300) for _ in range(2)]
    assert "rotated_every_bet" not in found(dice_log(seeds, nonces, player=pairs))
    # All of them do.
    seeds = [f"seed {n}" for n in range(600)]
    for name in "player", "client_seed":
        assert "rotated_every_bet" in found(dice_log(seeds, [0] * 600, **{name: pairs}))


def test_a_seed_for_every_bet_with_either_of_two_nonces():
    rng = random.Random("two nonces")
    seeds = [f"seed {n}" for n in range(200)]

    def rotated(nonces, log_seeds=seeds):
        return found(dice_log(log_seeds, nonces)).get("rotated_every_bet")

    for first in 0, 1, 7:
        finding = rotated([first + rng.randrange(2) for _ in seeds])
        assert (finding.severity, finding.details["single"], finding.details["nonce"]) == (
            "evidence",
            200,
            first,
        )
        assert f"with nonce {first} or {first + 1}:" in finding.text
    assert rotated([rng.choice([0, 2]) for _ in seeds]) is None
    assert rotated([rng.randrange(3) for _ in seeds]) is None
    # Rows of one game of four, by players who change their seed after one or two bets.
    bets = [(seed, nonce) for seed in seeds * 9 for nonce in range(rng.randint(1, 2))]
    some = [
        (f"{seed}, {place // 300}", nonce) for place, (seed, nonce) in enumerate(bets) if rng.random() < 0.25
    ]
    assert rotated([nonce for _, nonce in some], [seed for seed, _ in some]) is None


# ---- wording and reports ----


def test_what_a_log_cannot_show_is_listed():
    log = dice_log(["s"] * 2, [0, 1])
    unknown = " ".join(pf.audit(log, STAKE).unknown)
    for words in ("no times", "no commitments", "times of reveals"):
        assert words in unknown
    times = ["2026-01-01", "2026-01-02"]
    full = log | dict.fromkeys(("time", "commitment_time", "reveal_time"), times)
    full |= {
        "commitment": [sha256("s")] * 2,
        "commitment_time": ["2025-12-31"] * 2,
        "reveal_time": ["2026-01-03"] * 2,
    }
    assert "no times" not in " ".join(pf.audit(full, STAKE).unknown)
    # Later parts of a log may lack what others have.
    more = full | {"nonce": [2, 3], "outcome": STAKE.play("s", "a client seed", np.array([2, 3]))}
    for lost in "commitment", "time", "commitment_time", "reveal_time":
        part = {name: column for name, column in more.items() if name != lost}
        for parts in (full, part), (part, full):
            auditor = pf.Auditor(STAKE).update(parts[0]).merge(pf.Auditor(STAKE).update(parts[1]))
            (line,) = (text for text in auditor.report().unknown if "parts" in text)
            assert line.startswith(f"2 rows of 4 in parts without a {lost}: ")


def test_times_of_all_kinds_are_the_same():
    pd, pa, pl = (pytest.importorskip(name) for name in ("pandas", "pyarrow", "polars"))
    when = datetime.datetime(2026, 3, 4, 5, 6, 7, 250_000)
    aware = when.replace(tzinfo=datetime.UTC)
    micros = int(aware.timestamp() * 1_000_000)
    zone = aware.astimezone(datetime.timezone(datetime.timedelta(hours=3)))
    columns = [
        [when, None],
        [zone, None],
        [pd.Timestamp(when), pd.NaT],
        [when.isoformat(), ""],
        [zone.isoformat(" "), None],
        [micros / 1e6, float("nan")],
        [micros // 1000, None],
        np.array([when, "NaT"], "M8[ms]"),
        [np.datetime64(when), np.datetime64("NaT")],
        pa.array([when, None], pa.timestamp("ms")),
        pa.array([aware, None], pa.timestamp("us", "Europe/Athens")),
        pa.array([micros * 1000 + 999, None], pa.timestamp("ns")),
        pl.Series([when, None]),
        np.array([when, "NaT"], "M8[ns]"),
    ]
    for column in columns:
        values, there = Times({}).read("time", column, 2)
        assert there.tolist() == [True, False], column
        assert values[0] == micros, column


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_of_arrow_where_none_is_missing(unit):
    pa = pytest.importorskip("pyarrow")
    second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    for kind in pa.timestamp(unit), pa.timestamp(unit, "Europe/Athens"):
        column = pa.array([1, 2 * second, -3 * second], kind)
        for some in column, pa.chunked_array([column]):
            values, there = Times({}).read("time", some[1:], 2)
            assert (values.tolist(), there.all()) == ([2 * 10**6, -3 * 10**6], True)


def test_times_that_are_too_far_away_are_none():
    pa = pytest.importorskip("pyarrow")
    for column in (
        pa.array([10**14, 0, None], pa.timestamp("s")),
        np.array([-(10**14), 0, "NaT"], "M8[s]"),
        np.array([2 * 10**8, 0, "NaT"], "M8[D]"),
        np.array([2**62, 0, "NaT"], "M8[ms]"),
    ):
        values, there = Times({}).read("time", column, 3)
        assert (values.tolist()[1:], there.tolist()) == ([0, 0], [False, True, False])


def test_dates_are_midnights():
    pd, pa, pl = (pytest.importorskip(name) for name in ("pandas", "pyarrow", "polars"))
    day = datetime.date(2026, 3, 4)
    midnight = int(datetime.datetime(2026, 3, 4, tzinfo=datetime.UTC).timestamp() * 1_000_000)
    for column in ([day, None], pa.array([day, None]), pl.Series([day, None]), pa.array([day, day])):
        values, there = Times({}).read("time", column, 2)
        assert (values[0], there[0], values[1]) == (midnight, True, midnight * there[1])
    frame = pd.DataFrame(dice_log(["s"] * 3, range(3)))
    for zone in None, "Europe/Athens":
        frame["time"] = pd.date_range("2026-03-04", periods=3, tz=zone)
        frame["reveal_time"] = frame["time"][1]
        assert proofs(frame) == {"seed_used_after_reveal": (2,)}
    frame["time"] = pd.period_range("2026-03-04", periods=3)
    frame["reveal_time"] = "2026-03-05"
    for log in frame, pa.Table.from_pandas(frame), dict(frame) | {"time": pd.PeriodIndex(frame["time"])}:
        assert proofs(log) == {"seed_used_after_reveal": (2,)}


def test_looks_are_counted_where_there_are_new_rows():
    auditor = pf.Auditor(STAKE)
    assert auditor.report().looks == 1
    auditor.update(dice_log(["s"], [0]))
    auditor.update(dice_log(["s"], [1]))
    assert [auditor.report().looks, auditor.report().looks] == [2, 2]
    assert pickle.loads(pickle.dumps(auditor)).report().looks == 2
    assert not copy.copy(auditor).update(dice_log(["s"], [1])).report().ok
    assert auditor.report().ok  # by rows of its own alone


def test_what_looks_cost():
    """An audit looks once at no cost; the reciprocals of the costs of all looks sum to at most 1."""
    log = dice_log(["s"] * 60, range(60), stake=[1.0] * 60, payout=[0.0] * 60)
    bet = STAKE.bet(2, under=49.5)

    def charges(report):
        return {
            round(test.pvalue / raw)
            for test, raw in zip(report.tests, holm([test.raw for test in report.tests]), strict=True)
            if test.pvalue < 1
        }

    assert charges(pf.audit(log, STAKE, bet=bet)) == {1}
    for looks in range(1, 5):
        auditor, paid = pf.Auditor(STAKE, bet), []
        for look in range(1, looks + 1):
            piece = {name: column[(look - 1) * 15 : look * 15] for name, column in log.items()}
            report = auditor.update(piece).report(last=look == looks)
            (charge,) = charges(report)
            paid.append(Fraction(1, charge))
        assert sum(paid) == 1
        assert auditor.report() == report
        assert charges(pickle.loads(pickle.dumps(auditor)).report()) == {looks}
        for more, rows in (auditor.update, log), (auditor.merge, pf.Auditor(STAKE, bet)):
            with pytest.raises(ValueError, match="the log must end here"):
                more(rows)
    auditor = pf.Auditor(STAKE, bet).update(log)
    assert [charges(auditor.report()), charges(auditor.report(last=True))] == [{2}, {1}]


def test_reports_for_machines():
    report = pf.audit(dice_log(["s"] * 3, [0, 1, 3]) | {"member": ["p"] * 3, "note": [""] * 3}, STAKE)
    data = json.loads(report.to_json())
    assert data["schema"] == "provably_fair.audit/3"
    assert data["ok"] is False
    assert data["findings"][0]["kind"] == "nonce_gap"
    assert data["verification"]["ok"] is True
    assert data["verification"]["unread"] == ["member", "note"]
    assert data["likely_columns"] == {"player": "member"}
    suite = ElementTree.fromstring(report.to_junit())
    assert suite.get("failures") == "1"
    names = [case.get("name") for case in suite]
    assert names[:5] == ["rows", "mismatch", "missing", "malformed", "nonce_gap"]
    assert set(names[5:]) <= {"client_seed_shared"}
    assert pickle.loads(pickle.dumps(report)).findings == report.findings
    assert repr(report) == "<AuditReport: 3 rows of stake.dice, nonce_gap>"
    assert "rows 2" in str(report)


def test_rows_that_fail_are_no_findings_by_themselves():
    log = dice_log(["s"] * 3, [0, 1, 2])
    log["outcome"] = log["outcome"] + 1
    report = pf.audit(log, STAKE)
    assert not report.ok
    assert report.findings == []
    assert ElementTree.fromstring(report.to_junit()).get("failures") == "1"
    assert "aren't verified" in str(report)


def test_a_log_that_breaks_off_raises_with_what_was_read(tmp_path):
    path = tmp_path / "log.jsonl"
    rows = dice_log(["s"] * 3, [0, 1, 2])
    lines = [
        json.dumps(
            {"server_seed": "s", "client_seed": "a client seed", "nonce": n, "outcome": float(outcome)}
        )
        for n, outcome in zip(rows["nonce"], rows["outcome"], strict=True)
    ]
    path.write_text("\n".join(lines) + "\n\0\n", encoding="utf-8")
    with pytest.raises(pf.LogError) as raised:
        pf.audit(path, STAKE)
    assert raised.value.report.checked == 3


def test_parts_in_the_same_memory_are_looked_at_before_the_next_one(monkeypatch):
    pa = pytest.importorskip("pyarrow")
    rows, update = limits.BATCH, auditor_module._update  # shorter parts are joined, and copied
    nonces = np.arange(3 * rows)
    outcomes = STAKE.play("server", "client", nonces)
    payouts = np.where(outcomes > 50.5, 2.0, 0.0)
    memory = {name: np.empty(rows) for name in ("outcome", "payout")}

    def slow(group, records):
        time.sleep(0.02)
        update(group, records)

    def parts():
        for start in range(0, len(nonces), rows):
            part = slice(start, start + rows)
            memory["outcome"][:], memory["payout"][:] = outcomes[part], payouts[part]
            columns = {
                name: pa.Array.from_buffers(pa.float64(), rows, [None, pa.py_buffer(values)])
                for name, values in memory.items()
            }
            yield pa.table(
                {
                    "server_seed": ["server"] * rows,
                    "client_seed": ["client"] * rows,
                    "nonce": nonces[part],
                    "stake": np.ones(rows),
                }
                | columns
            )

    monkeypatch.setattr(auditor_module, "_update", slow)
    assert proofs(parts(), bet=STAKE.bet(over=50.5)) == {}


def test_an_interrupted_auditor_is_not_continued(monkeypatch):
    """The same log again would repeat the rows that its checks have seen."""
    monkeypatch.setattr(limits, "BATCH", 10)

    def interrupt(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    log = dice_log(["s"] * 100, range(100))
    auditor = pf.Auditor(STAKE)
    with pytest.raises(ValueError, match="log"):  # before there are any rows
        auditor.update({})
    with pytest.raises(KeyboardInterrupt):
        auditor.update(log, progress=interrupt)
    for use in lambda: auditor.update(log), auditor.report, lambda: pf.Auditor(STAKE).merge(auditor):
        with pytest.raises(ValueError, match="an update was interrupted"):
            use()


BETS = ["columns", STAKE.bet(1.98, under=50), STAKE.bet(1.98, over=49.99), STAKE.bet(1.9, under=50)]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bet", [{"bet": bet} for bet in BETS]),
        ("level", [{"level": 0.5}]),
        ("seed", [{"seed": 1}]),
        ("words", [{"constants": {"currency": {"gold": 0}}}]),
    ],
)
def test_auditors_with_other_arguments_are_not_merged(name, options):
    """Payouts that agree with either bet would be those of the first one's."""
    for one, other in itertools.permutations([{}, *options], 2):
        with pytest.raises(ValueError, match=f"later must have the {name} .*, got "):
            pf.Auditor(STAKE, **one).merge(pf.Auditor(STAKE, **other))
    for one in options:
        copy = pickle.loads(pickle.dumps(pf.Auditor(STAKE, **one)))
        assert pf.Auditor(STAKE, **one).merge(copy).rows == 0


def test_auditors_of_different_games_are_not_merged():
    with pytest.raises(ValueError, match=r"later must audit dice, got one of mines"):
        pf.Auditor(pf.Dice()).merge(pf.Auditor(pf.Mines()))
    whole = pf.Auditor(STAKE).merge(pf.Auditor(STAKE).update(dice_log(["s"] * 2, [0, 2])))
    assert (whole.rows, whole.report().findings[0].rows) == (2, (1,))
