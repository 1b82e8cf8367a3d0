"""Audits of stakes, payouts and outcomes."""

from __future__ import annotations

import math
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_UP, Decimal
from fractions import Fraction
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
    finding,
    kinds_of,
    reports_in_pieces,
    rounds_of,
    said_in,
)
from provably_fair.bets import Bet

DICE = pf.Dice().bet(1.98, under=50)


STAKES = np.round(np.random.default_rng(5).lognormal(0, 1.5, 4000), 2) + 0.01


@pytest.mark.parametrize(
    ("way", "rounding"), [(ROUND_DOWN, "down"), (ROUND_HALF_EVEN, "nearest"), (ROUND_UP, "up")]
)
def test_rounding_to_the_smallest_place_isnt_a_mismatch(way: str, rounding: str) -> None:
    log = board_log(4000, 1, stakes=STAKES)
    due = [
        Decimal(str(stake)) * Decimal(str(TABLE[bucket]))
        for stake, bucket in zip(log["stake"].round(2).tolist(), log["outcome"].tolist(), strict=True)
    ]
    log["payout"] = [str(amount.quantize(Decimal("0.01"), way)) for amount in due]
    report = pf.audit(log, BOARD, bet=BET)
    assert kinds_of(report) == set()
    # One cent less in one row is a mismatch that no rounding of the other rows explains.
    log["payout"][17] = str(due[17].quantize(Decimal("0.01"), ROUND_DOWN) - Decimal("0.01"))
    found = finding(pf.audit(log, BOARD, bet=BET), "payout_mismatch")
    assert (found.severity, found.rows, found.count) == ("proof", (17,), 1)
    assert found.details["rounding"] == rounding
    assert found.details["decimals"] == 2


@pytest.mark.parametrize("storage", ["floats", "text", "decimals", "arrow"])
def test_mismatches_are_found_in_any_storage(storage: str) -> None:
    log = dice_log(500, 2, stakes=STAKES[:500])
    payouts = log["payout"]
    won = np.flatnonzero(payouts > 0.5)[[3, 30]]
    payouts[won[0]] -= 0.02
    payouts[won[1]] = 0
    if storage == "text":
        log["payout"] = [f"{payout:.2f}" for payout in payouts]
    elif storage == "decimals":
        log["payout"] = [Decimal(f"{payout:.2f}") for payout in payouts]
    elif storage == "arrow":
        pa = pytest.importorskip("pyarrow")
        log = {
            name: pa.array([value] * 500 if isinstance(value, str) else value) for name, value in log.items()
        }
        log = pa.table(log)
    report = pf.audit(log, pf.Dice(), bet=DICE)
    assert report.verification.ok
    assert not report.ok
    assert finding(report, "payout_mismatch").rows == tuple(won.tolist())


def test_rows_that_arent_verified_or_have_no_stake_arent_compared() -> None:
    log = dice_log(300, 3)
    log["outcome"] = log["outcome"].copy()
    log["outcome"][5] = 12.34
    log["payout"][5] = 77
    log["stake"][6], log["payout"][6] = np.nan, 5
    report = pf.audit(log, pf.Dice(), bet=DICE)
    assert report.verification.failed == 1
    assert kinds_of(report) == set()


def test_a_table_that_changes_is_found_with_the_row() -> None:
    other = [5.6, 2.1, 1.0, 1, 0.5, 1, 1.0, 2.1, 5.6]
    first, second = board_log(3000, 4), board_log(6000, 4, table=other)
    log = second | {"payout": np.concatenate([first["payout"], second["payout"][3000:]])}
    report = pf.audit(log, BOARD, bet=BET)
    found = finding(report, "paytable_differs")
    changed = 3000 + np.flatnonzero(np.isin(log["outcome"][3000:], [2, 6]))
    assert finding(report, "payout_mismatch").rows == tuple(changed[:1000].tolist())
    assert found.severity == "proof"
    assert found.count == len(changed)
    assert found.details["from_row"] == changed[0]
    assert f"From row {changed[0]:,} on" in found.text
    assert [line["implied"] for line in found.details["table"]] == other
    assert [line["claimed"] for line in found.details["table"]] == TABLE
    assert found.details["implied_return"] == pytest.approx(0.98984375 - 0.1 * 56 / 256)


def test_a_table_that_isnt_the_claimed_one_is_implied_by_rounded_payouts() -> None:
    stakes = np.round(np.random.default_rng(1).uniform(0.1, 30, 2000), 2)
    report = pf.audit(dice_log(2000, 5, stakes=stakes, pays=1.95), pf.Dice(), bet=DICE)
    found = finding(report, "paytable_differs")
    assert [line["implied"] for line in found.details["table"]] == [0, 1.95]
    assert "1.95 instead of 1.98" in found.text
    assert found.details["from_row"] is None


def test_few_decimals_arent_taken_for_rounding() -> None:
    """1.9 isn't 1.98 rounded down with stakes of 1; in a currency without cents it may be."""
    log = dice_log(20_000, 8)
    log["payout"][log["payout"] > 0] = 1.9
    found = kinds_of(pf.audit(log, pf.Dice(), bet=DICE))
    assert found == {"payout_mismatch", "paytable_differs", "return_low"}
    stakes = np.random.default_rng(6).integers(1, 5000, 3000).astype(np.float64)
    log = dice_log(3000, 9, stakes=stakes)
    log["payout"] = np.floor(log["payout"])
    assert kinds_of(pf.audit(log, pf.Dice(), bet=DICE)) == set()
    log = dice_log(3000, 9, stakes=0.05)
    log["payout"] = np.where(log["payout"] > 0, 0.09, 0)
    found = finding(pf.audit(log, pf.Dice(), bet=DICE), "payout_mismatch")
    assert found.severity == "evidence"
    assert "keeps" in found.text


def test_amounts_paid_at_random_are_no_table() -> None:
    log = dice_log(2000, 6)
    won = np.flatnonzero(log["payout"] > 0)
    log["payout"][won[::50]] = np.arange(len(won[::50])) / 100
    report = pf.audit(log, pf.Dice(), bet=DICE)
    assert kinds_of(report) == {"payout_mismatch"}
    assert finding(report, "payout_mismatch").rows == tuple(won[::50].tolist())


def test_a_law_alone_says_which_amounts_come_back() -> None:
    log = dice_log(20_000, 8)
    claims = [DICE.law, pf.bets.Bet(DICE.law), DICE.rounded("0.01")]
    for claimed in claims:
        assert kinds_of(pf.audit(log, pf.Dice(), bet=claimed)) == set()
    log["payout"][log["payout"] > 0] = 1.9
    found = kinds_of(pf.audit(log, pf.Dice(), bet=DICE.law))
    assert {"payout_mismatch", "paytable_differs", "return_low"} <= found
    log["payout"][:] = 0
    for claimed in claims:
        assert "return_low" in kinds_of(pf.audit(log, pf.Dice(), bet=claimed))


def test_balls_of_a_round_share_its_stake() -> None:
    game = pf.Plinko(pins=8, balls=3)
    log = {"server_seed": "s", "client_seed": "c", "salt": pf.salts(3000, seed=9).astype("U")}
    log["outcome"] = game.play(**log)
    log["stake"] = np.full(3000, 3.0)
    log["payout"] = np.array(TABLE)[log["outcome"]].sum(axis=1).round(2)
    report = pf.audit(log, game, bet=game.bet(TABLE))
    assert kinds_of(report) == set()
    log["payout"][[4, 40]] += 0.1
    assert finding(pf.audit(log, game, bet=game.bet(TABLE)), "payout_mismatch").rows == (4, 40)


def test_outcomes_that_the_claimed_game_cant_have_are_named() -> None:
    game = pf.Plinko(pins=9)
    log = rounds_of(game, 2000, 11)
    report = pf.audit(log, game, bet=BET, **OF_OUTCOMES)
    found = finding(report, "outcomes_unfair")
    assert found.rows == tuple(np.flatnonzero(log["outcome"] == 9).tolist())
    assert found.pvalue == 0


@pytest.mark.parametrize("cuts", [[1], [333, 334, 2000], [2999]])
def test_pieces_give_the_same_findings(cuts: list[int]) -> None:
    rng = np.random.default_rng(4)
    other = [5.6, 2.1, 1.0, 1, 0.5, 1, 1.0, 2.1, 5.6]
    log = board_log(3000, 16, stakes=np.round(rng.lognormal(0, 2, 3000), 2) + 0.01, table=other)
    log["player"] = np.array([f"p{i}" for i in rng.integers(0, 20, 3000)])
    log["time"] = rng.integers(1_700_000_000, 1_701_000_000, 3000)
    log["payout"][rng.integers(0, 3000, 5)] += 0.03

    whole = said_in(pf.audit(log, BOARD, bet=BET))
    assert {one["kind"] for one in whole[0]} >= {"payout_mismatch", "paytable_differs"}
    assert [*map(said_in, reports_in_pieces(log, cuts, BOARD, BET))] == [whole] * 2


def test_multipliers_without_end_are_paid_in_doubles() -> None:
    """99 / 33.33 has no finite decimal expansion: payouts derived from it agree up to rounding."""
    game = pf.operators.stake.Dice()
    bet = game.bet(under=33.33)
    log: dict[str, Any] = {"server_seed": "s", "client_seed": "c", "nonce": np.arange(4000)}
    log["outcome"] = game.play(**log)
    log["stake"] = STAKES[:4000].round(2)
    log["payout"] = np.where(log["outcome"] < 33.33, np.floor(log["stake"] * 99 / 33.33 * 1e8) / 1e8, 0)
    assert kinds_of(pf.audit(log, game, bet=bet)) == set()
    won = int(np.flatnonzero(log["payout"])[5])
    log["payout"][won] -= 0.000001
    assert finding(pf.audit(log, game, bet=bet), "payout_mismatch").rows == (won,)
    log["stake"], log["payout"] = np.ones(4000), np.where(log["outcome"] < 33.33, 99 / 33.33, 0)
    assert kinds_of(pf.audit(log, game, bet=bet)) == set()


@pytest.mark.parametrize(
    ("rounding", "how"), [(np.floor, "down to multiples"), (np.rint, "to the nearest multiple")]
)
def test_the_gain_by_rounding_names_its_direction(rounding: Any, how: str) -> None:
    log = board_log(3000, 1, stakes=0.01) | {"currency": "EUR"}
    due = np.array(TABLE)[log["outcome"]].reshape(-1) * log["stake"]
    log["payout"] = rounding((due * 100).round(6)) / 100
    found = finding(pf.audit(log, BOARD, bet=BET), "payout_mismatch")
    assert found.text.startswith(f"Payouts are rounded {how} of 0.01.")


@pytest.mark.parametrize("profits", [False, True])
def test_all_amounts_of_a_coin_may_be_in_cents(profits: bool) -> None:
    log = dice_log(300, 1, stakes=np.resize([100.11, 250.37], 300)) | {"currency": "USDT"}
    log["payout"] = (log["payout"] - log["stake"] * profits).round(2)
    report = pf.audit(log, pf.Dice(), bet=DICE)
    assert kinds_of(report) == set()
    assert finding(report, "payout_mismatch").details == {"currency": "USDT", "decimals": 2}


def test_bad_bets_are_refused() -> None:
    with pytest.raises(TypeError, match="bet must be a Bet"):
        pf.audit({}, "dice", bet=1.98)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="exact law"):
        pf.audit({}, "dice", bet=Bet(None, DICE.sampler))
    log = rounds_of(pf.Dice(), 5, 0)
    with pytest.raises(ValueError, match="bet must be on outcomes"):
        pf.audit(log, pf.Dice(), bet=pf.Mines().bet(1.1, reveals=1), **OF_OUTCOMES)


def test_a_note_on_rounding_has_the_exact_return_at_the_stakes_that_were_played() -> None:
    """Each payout is cut to the cent at each stake, and all are summed, in fractions."""
    stakes = np.where(np.arange(3000) % 3, 0.07, 0.25)
    log = board_log(3000, 1, stakes=stakes)
    weights = [math.comb(8, bucket) for bucket in range(9)]
    staked = paid = Fraction(0)
    for stake, bets in (Fraction(7, 100), 2000), (Fraction(1, 4), 1000):
        for weight, pays in zip(weights, TABLE, strict=True):
            due = stake * Fraction(str(pays)) * 100
            paid += Fraction(bets * weight * (due.numerator // due.denominator), 25_600)
        staked += bets * stake
    note = finding(pf.audit(log, BOARD, bet=BET), "payout_mismatch")
    assert Fraction(note.details["exact_return"]) == paid / staked
    assert note.details["return_at_stakes"] == float(paid / staked)
    assert f"as it is rounded, is {float(paid / staked):.6f} instead of 0.989844" in note.text
    profits = log | {"payout": (log["payout"] - log["stake"]).round(2)}
    for written in log, profits:
        for report in reports_in_pieces(written, [500, 1100], BOARD, BET):
            assert finding(report, "payout_mismatch").details == note.details
    report = pf.audit(profits | {"player": ["anna", "bert"] * 1500}, BOARD, bet=BET)
    assert "payouts as profits: whether those of all players are rounded alike" in report.unknown
    # If each row has its own stake, there are too many to keep.
    many = pf.audit(board_log(5000, 1, stakes=(np.arange(5000) + 101) / 100), BOARD, bet=BET)
    assert not [one for one in many.findings if "exact_return" in one.details]


@pytest.mark.parametrize("write", [str, lambda amount: f"{amount:.15g}"])
def test_large_amounts_of_15_digits_agree(write: Any) -> None:
    """As R and spreadsheets write doubles: of amounts with more digits the last ones are rounded away."""
    game, salts = pf.Dice(), [f"salt {n:x}" for n in range(1000)]
    outcomes = game.play("server", "client", salts)
    stakes = [6 * 10**14 + n * n * 7919 for n in range(1000)]
    due = [stake * 198 // 100 if outcome < 50 else 0 for stake, outcome in zip(stakes, outcomes, strict=True)]
    log = {"server_seed": "server", "client_seed": "client", "salt": salts, "outcome": outcomes}
    log |= {"stake": list(map(str, stakes)), "payout": list(map(write, due))}
    bet = game.bet(Decimal("1.98"), under=50)
    assert "payout_mismatch" not in {finding.kind for finding in pf.audit(log, game, bet=bet).findings}
    won = next(row for row, amount in enumerate(due) if amount)
    log["payout"][won] = write(due[won] + 10**4)
    assert finding(pf.audit(log, game, bet=bet), "payout_mismatch").rows == (won,)
