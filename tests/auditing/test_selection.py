"""Selection: audits of seeds and salts chosen with the bet in mind."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import (
    BET,
    BOARD,
    OF_OUTCOMES,
    TABLE,
    board_log,
    dice_log,
    kinds_of,
    reports_in_pieces,
    rounds_of,
)
from provably_fair.auditing.checks.weak import states_of
from provably_fair.auditing.grinding import estimate_grinding

DICE = pf.Dice().bet(2, under=49.5)
NONCED = pf.Dice().with_scheme(pf.operators.stake.SCHEME)


def ground_board(rounds: int, share: float, seed: int) -> dict[str, Any]:
    """A board log in which a share of the salts are the worse of two."""
    pays = np.array(TABLE)
    ground = estimate_grinding(BOARD, lambda outcomes: pays[outcomes[:, 0]], 2, rounds, seed=seed).log
    fair = estimate_grinding(BOARD, lambda outcomes: pays[outcomes[:, 0]], 1, rounds, seed=f"fair {seed}").log
    chosen = np.random.default_rng(seed).random(rounds) < share
    columns = {
        name: np.where(chosen, np.asarray(ground[name]).reshape(-1), np.asarray(fair[name]).reshape(-1))
        for name in ground
    }
    return columns


def nonced_log(seeds: int, length: int, seed: int, *, grind_first: float = 0.0) -> dict[str, Any]:
    """Dice rounds with nonces, several per server seed.

    For a share of the seeds, the worse of two seeds is used, by its first round.
    """
    rng = np.random.default_rng(seed)
    names = np.array([f"server {seed} {number}" for number in range(seeds)])
    others = np.array([f"other {seed} {number}" for number in range(seeds)])
    if grind_first:
        won, lost = (NONCED.play(some, "client", 0) < 49.5 for some in (names, others))
        swap = won & ~lost & (rng.random(seeds) < grind_first)
        names = np.where(swap, others, names)
    log: dict[str, Any] = {"server_seed": np.repeat(names, length), "client_seed": "client"}
    log["nonce"] = np.tile(np.arange(length), seeds)
    log["outcome"] = NONCED.play(log["server_seed"], "client", log["nonce"])
    return log


# Holm's method multiplies the smallest p-value by the number of tests.
LEVEL = 0.01


def test_ground_salts_are_found_at_the_size_that_it_takes() -> None:
    share = 0.05
    tests = len(pf.audit(ground_board(100, 0, 0), BOARD, bet=BET, **OF_OUTCOMES).tests)
    rounds = BET.rounds_needed(BET.after_grinding(2, share=share), level=LEVEL / tests, power=0.9)
    report = pf.audit(ground_board(rounds, share, 1), BOARD, bet=BET, **OF_OUTCOMES)
    assert report.verification.ok
    assert {"salts_ground", "return_low"} <= kinds_of(report)
    (found,) = [one for one in report.findings if one.kind == "salts_ground"]
    assert found.details["low"] < share < found.details["high"]
    assert kinds_of(pf.audit(ground_board(rounds, 0, 2), BOARD, bet=BET, **OF_OUTCOMES)) == set()


def test_first_rounds_are_found_at_the_size_that_it_takes() -> None:
    tests = len(pf.audit(nonced_log(20, 3, 0), NONCED, bet=DICE, **OF_OUTCOMES).tests)
    seeds = DICE.rounds_needed(DICE.after_grinding(2, share=0.5), level=LEVEL / tests, power=0.9)
    report = pf.audit(nonced_log(seeds, 40, 1, grind_first=0.5), NONCED, bet=DICE, **OF_OUTCOMES)
    assert report.verification.ok
    assert "first_rounds_low" in kinds_of(report)
    (found,) = [one for one in report.findings if one.kind == "first_rounds_low"]
    assert found.count == seeds
    assert found.rows == tuple(range(0, 40 * seeds, 40))[:1000]
    fair = pf.audit(nonced_log(seeds, 40, 2), NONCED, bet=DICE, **OF_OUTCOMES)
    assert "first_rounds_low" not in kinds_of(fair)


@pytest.mark.parametrize("cuts", [[1], [120, 121, 122], [240]])
def test_pieces_give_the_same_tests(cuts: list[int]) -> None:
    counted = nonced_log(12, 20, 3)
    salted = dice_log(240, 4) | {"server_seed": np.repeat([f"s{i}" for i in range(12)], 20)}
    salted["outcome"] = pf.Dice().play(salted["server_seed"], "client", salted["salt"])
    for log, game in (counted, NONCED), (salted, pf.Dice()):
        bet = DICE
        log.pop("stake", None)
        whole = pf.audit(log, game, bet=bet, **OF_OUTCOMES)
        assert {"first_rounds_low", "outcomes_unfair"} <= {test.kind for test in whole.tests}
        changes = 12 if game is NONCED else 11  # the first server seed may have started before the log
        assert any(f"{changes} first bets" in test.text for test in whole.tests)
        cuts = [cut for cut in cuts if cut < 240]
        for report in reports_in_pieces(log, cuts, game, bet, **OF_OUTCOMES):
            assert report.tests == whole.tests


@pytest.mark.parametrize(
    "game",
    [pf.Dice(), pf.Mines(mines=3), pf.Slot(), pf.Crash(), pf.Jackpot(), pf.Tower(), pf.Double(), pf.X50()],
    ids=repr,
)
def test_outcomes_of_any_game_are_set_beside_its_law(game: Any) -> None:
    rounds = 6000
    log: dict[str, Any] = (
        {"server_seed": "s", "client_seed": "c"} if pf.games.rounds_of(game).constant is None else {}
    )
    log["salt"] = pf.salts(rounds, seed=1).astype("U")
    log["outcome"] = game.play(**log)
    report = pf.audit(log, game)
    assert kinds_of(report) == set()
    assert [test.kind for test in report.tests if test.kind == "outcomes_unfair"]
    # Drops the rounds with small first numbers among a third of all.
    first = log["outcome"].reshape(rounds, -1)[:, 0]
    kept = ~((first <= np.median(first)) & (np.arange(rounds) % 3 == 0))
    some = {name: value if isinstance(value, str) else value[kept] for name, value in log.items()}
    found = kinds_of(pf.audit(some, game))
    assert found == ({"outcomes_unfair"} if game.shape in ((), (1, 5)) else found)


def test_a_salt_that_the_log_hasnt_cant_be_ground() -> None:
    kinds = {test.kind for test in pf.audit(nonced_log(5, 5, 6), NONCED, bet=DICE, **OF_OUTCOMES).tests}
    assert "salts_ground" not in kinds
    report = pf.audit(rounds_of(pf.Dice(), 50, 7), pf.Dice())
    assert any("no bet was given" in text for text in report.unknown)


def test_honest_logs_raise_hardly_any_evidence() -> None:
    """None of 20 honest logs yields a proof; measurements has the false alarms of larger numbers."""
    raised = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        log = board_log(400, 100 + seed, stakes=np.round(rng.lognormal(0, 1, 400), 2) + 0.01)
        log["player"] = np.array([f"p{i}" for i in rng.integers(0, 9, 400)])
        log["time"] = np.sort(rng.integers(1_700_000_000, 1_701_000_000, 400))
        report = pf.audit(log, BOARD, bet=BET)
        assert not [one for one in report.findings if one.severity == "proof"]
        raised += bool(kinds_of(report))
    assert raised <= 1


# ---- runs of rows ----


def in_runs(rng: np.random.Generator, names: list[str], rows: int) -> list[str]:
    """Return names in runs of one to twelve rows."""
    found: list[str] = []
    while len(found) < rows:
        found += [names[rng.integers(len(names))]] * int(rng.integers(1, 13))
    return found[:rows]


def checks_of(log: dict[str, Any], game: Any, cuts: list[int]) -> dict[str, Any]:
    """Return the checks of an audit of a log in pieces, by the names of their classes."""
    auditor = pf.Auditor(game, bet=DICE, **OF_OUTCOMES)
    for start, end in itertools.pairwise([0, *cuts, len(log["outcome"])]):
        auditor.update({name: column[start:end] for name, column in log.items()})
    return {type(check).__name__: check for check in auditor._checks}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("one_by_one", [False, True])
def test_runs_of_rows_count_as_their_rows_do(seed: int, one_by_one: bool) -> None:
    """Checks that go by runs of a seed or a player, against a loop over rows."""
    rng, rows = np.random.default_rng(seed), 700
    seeds, players = in_runs(rng, list("abcdefgh"), rows), in_runs(rng, ["ann", "bob", "cy", ""], rows)
    if one_by_one:  # each row is a run
        seeds = [f"{name} {row % 2}" for row, name in enumerate(seeds)]
        players = [f"{name} {row % 3}".strip() for row, name in enumerate(players)]
    log: dict[str, Any] = {"server_seed": seeds, "client_seed": ["x"] * rows, "player": players}
    cuts = sorted(rng.choice(rows, 3, replace=False).tolist())

    log["salt"] = pf.salts(rows, f"runs {seed}").astype(str).tolist()
    log["outcome"] = pf.Dice().play(log["server_seed"], log["client_seed"], log["salt"])
    due = [2 if outcome < 49.5 else 0 for outcome in log["outcome"].tolist()]
    last: dict[str, str] = {}
    changed = []
    by_player: dict[str, list[int]] = {}
    for row, (player, server) in enumerate(zip(players, seeds, strict=True)):
        if last.setdefault(player, server) != server:
            changed.append(row)
        last[player] = server
        if player:
            by_player.setdefault(player, []).append(row)
    checks = checks_of(log, pf.Dice(), cuts)
    first, unit = checks["FirstRounds"]._changed, checks["FirstRounds"].claim.unit
    assert first.count == len(changed)
    assert first.parts == unit * sum(due[row] for row in changed)
    assert first.shown.rows == changed[: len(first.shown.rows)]
    returns = checks["ReturnChecks"]
    sums = {name: column.tolist() for name, column in returns._players.columns.items()}
    names = [returns._names[key] for key in returns._players.keys.tolist()]
    found = dict(zip(names, zip(sums["bets"], sums["parts"], sums["first"], strict=True), strict=True))
    assert found == {
        player: (len(own), unit * sum(due[row] for row in own), own[0]) for player, own in by_player.items()
    }

    del log["salt"]
    log["nonce"] = rng.integers(0, 4, rows).tolist()
    log["outcome"] = NONCED.play(log["server_seed"], log["client_seed"], log["nonce"])
    checks = checks_of(log, NONCED, cuts)
    served = {one.place: (one.rows, one.other % 2**64) for one in states_of(checks["Rotation"]._seeds)}
    firsts = {name: seeds.index(name) for name in set(seeds)}
    assert served == {row: (seeds.count(name), log["nonce"][row]) for name, row in firsts.items()}
    values = checks["Values"]
    stays = [row for row in range(1, rows) if seeds[row] == seeds[row - 1]]
    steps = [log["nonce"][row] - log["nonce"][row - 1] for row in stays]
    assert values._rows == rows
    assert (values._direction.up, values._direction.down) == (steps.count(1), steps.count(-1))
    assert {one.place: one.rows for one in states_of(values._sample)} == {
        row: seeds.count(name) for name, row in firsts.items()
    }
