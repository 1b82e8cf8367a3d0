"""Selection: audits of seeds and salts chosen with the bet in mind."""

from __future__ import annotations

from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import (
    BET,
    BOARD,
    OF_OUTCOMES,
    TABLE,
    dice_log,
    kinds_of,
    reports_in_pieces,
    rounds_of,
)
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


def test_shared_games_among_several_need_no_client_seed() -> None:
    salts, games = pf.salts(40).astype("U").tolist(), {"crash": pf.Crash(), "double": pf.Double()}
    names = [*games] * 20
    played = [games[name].explain(salt=salt) for name, salt in zip(names, salts, strict=True)]
    log = {"game": names, "salt": salts, "outcome": [walk.outcome for walk in played]}
    for more in {}, {"server_seed": [walk.server_seed for walk in played]}:
        report = pf.audit(log | more, game_column="game")
        assert report.ok, str(report)
        assert not any("constant" in text for text in report.unknown)


def test_seeds_that_replace_constant_ones_are_counted() -> None:
    salts = pf.salts(20).astype("U").tolist()
    servers = ["500000 is another block"] * 3 + [pf.Crash().explain(salt="x").server_seed] * 17
    outcomes = pf.Crash().play(server_seed=servers, salt=salts).tolist()
    log = {"server_seed": servers, "salt": salts, "outcome": outcomes}
    said = "3 rows (first: row 0) with other seeds than the game's constant ones: who chose them, and when"
    auditor = pf.Auditor("crash")
    for first in 0, 2, 10:
        rows = slice(first, {0: 2, 2: 10}.get(first))
        auditor.update({name: column[rows] for name, column in log.items()})
    for report in pf.audit(log, "crash"), auditor.report(last=True):
        assert report.verification.ok
        assert said in report.unknown
    mixed = log | {"game": ["crash"] * 20}
    assert said.replace("rows", "rows of crash") in pf.audit(mixed, game_column="game").unknown
    for name, column in log.items():
        log[name] = column[3:]
    for some in log, {name: log[name] for name in ("salt", "outcome")}:
        assert not any("constant" in text for text in pf.audit(some, "crash").unknown)
