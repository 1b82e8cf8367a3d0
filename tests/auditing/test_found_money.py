"""Money under other names: stakes and payouts that audits must find, and bets that columns state."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import OF_OUTCOMES, dice_log, finding, kinds_of, reports_in_pieces
from provably_fair.sources import MissingColumnError
from provably_fair.verification.likely import likely_fields

DICE = pf.Dice().bet(1.98, under=50)
STAKE = pf.operators.stake
ROWS = 200


def named(log: dict[str, Any], **names: str) -> dict[str, Any]:
    """Return a log with other names of columns."""
    return {names.get(name, name): column for name, column in log.items()}


def withheld(log: dict[str, Any]) -> dict[str, Any]:
    """Return a log in which every win was withheld."""
    return log | {"payout": [0.0] * len(log["outcome"])}


def notes_of(report: Any) -> list[Any]:
    """Return the notes on payouts."""
    return [one for one in report.findings if (one.kind, one.severity) == ("payout_mismatch", "note")]


# ---- stakes and payouts are required ----

SPELLED = ["amount", "Amount", "AMOUNT", "wager", "Wager", "bet", "Bet", "bet_amount", "betAmount"]
SPELLED += ["Bet Amount", "BetAmount", "BET AMOUNT", "BET_AMOUNT", "bet-amount", "Stake", "STAKE"]
SPELLED += ["Bet_Amount"]


@pytest.mark.parametrize("name", SPELLED)
def test_withheld_wins_are_found_under_any_usual_name_of_the_stake(name: str) -> None:
    log = named(withheld(dice_log(ROWS, 1)), stake=name)
    assert "payout_mismatch" in kinds_of(pf.audit(log, "dice", bet=DICE))
    assert kinds_of(pf.audit(named(dice_log(ROWS, 1), stake=name), "dice", bet=DICE)) == set()


@pytest.mark.parametrize("name", ["Bet Size", "amount_usd", "Amount (BTC)", "wagered", "Stakes", "buy_in"])
def test_likely_stakes_are_suggested(name: str) -> None:
    log = named(withheld(dice_log(ROWS, 1)) | {"Note": "-", "More": "-"}, stake=name)
    for bet in (DICE, None):  # beside payouts, stakes are required without a bet as well
        with pytest.raises(MissingColumnError) as error:
            pf.audit(log, "dice", bet=bet)
        assert error.value.columns == ("stake",)
        assert f"did you mean columns={{'stake': {name!r}}}?" in str(error.value)
        assert "constants={'stake': 1} says that all stakes are 1" in str(error.value)
    report = pf.audit(log, "dice", bet=DICE, columns={"stake": name})
    assert "payout_mismatch" in kinds_of(report)


@pytest.mark.parametrize("name", ["Paid", "Won", "Winnings", "payout_usd", "Returned"])
def test_likely_payouts_are_suggested(name: str) -> None:
    with pytest.raises(MissingColumnError) as error:
        pf.audit(named(dice_log(ROWS, 1), payout=name), "dice", bet=DICE)
    assert error.value.columns == ("payout",)
    assert f"columns={{'payout': {name!r}}}" in str(error.value)


def test_a_log_without_amounts_must_say_so() -> None:
    log = dice_log(ROWS, 2)
    without = {name: column for name, column in log.items() if name not in ("stake", "payout")}
    with pytest.raises(MissingColumnError) as error:
        pf.audit(without, "dice", bet=DICE)
    assert error.value.columns == ("stake", "payout")
    assert "constants={'stake': 1, 'payout': None}" in str(error.value)
    for said in (OF_OUTCOMES["constants"], {"stake": None, "payout": None}, {"stake": "", "payout": ""}):
        report = pf.audit(without, "dice", bet=DICE, constants=said)
        assert report.ok
        assert any("no stakes and payouts" in text for text in report.unknown)
        assert "outcomes_unfair" in {test.kind for test in report.tests}
    assert pf.audit(without, "dice").ok
    ones = {name: column for name, column in log.items() if name != "stake"}
    for one in (1, "1", 1.0):
        assert pf.audit(ones, "dice", bet=DICE, constants={"stake": one}).ok
        assert "payout_mismatch" in kinds_of(
            pf.audit(withheld(ones), "dice", bet=DICE, constants={"stake": one})
        )


def test_a_column_of_the_stakes_name_without_numbers_is_none() -> None:
    log = withheld(dice_log(ROWS, 3)) | {"bet": ["under 50"] * ROWS}
    assert "payout_mismatch" in kinds_of(pf.audit(log, "dice", bet=DICE))
    with pytest.raises(MissingColumnError, match=r"no column 'stake'"):
        pf.audit(named(log, stake="Einsatz"), "dice", bet=DICE)
    both = named(log, stake="wager") | {"amount": [1] * ROWS}
    with pytest.raises(pf.LogError, match=r"'amount', 'wager' may all be 'stake'"):
        pf.audit(both, "dice", bet=DICE)


# ---- what wasn't read ----


def test_audits_say_what_they_did_not_read() -> None:
    log = dice_log(ROWS, 5) | {"member": ["a"] * ROWS, "rotated_at": ["2020-01-01"] * ROWS, "Mood": "-"}
    log["Payout"] = [0.0] * ROWS
    for bet in (DICE, None):
        report = pf.audit(log, "dice", bet=bet)
        text, page = str(report), report.to_html()
        assert report.likely_columns == {"player": "member", "reveal_time": "rotated_at", "payout": "Payout"}
        assert report.to_dict()["likely_columns"] == report.likely_columns
        for shown in (text, page.replace("&#x27;", "'")):
            assert "member, rotated_at, Mood, Payout" in shown
            assert "member, which may be the player: columns={'player': 'member'}" in shown
            assert "Payout, which may be the payout: columns={'payout': 'Payout'}" in shown
    assert "not read" not in str(pf.audit(dice_log(ROWS, 5), "dice", bet=DICE))


@pytest.mark.parametrize(
    ("field", "column"),
    [
        ("player", "user"),
        ("player", "UserName"),
        ("player", "account_id"),
        ("reveal_time", "revealed_at"),
        ("commitment_time", "committedAt"),
        ("time", "created_at"),
        ("currency", "coin"),
        ("status", "state"),
        ("payout", "Win Amount"),
        ("stake", "Bet size (EUR)"),
        ("cash_out", "auto cashout"),
    ],
)
def test_fields_of_unread_columns(field: str, column: str) -> None:
    assert likely_fields({field: None, "outcome": "roll"}, ["mood", column]) == {field: column}


# ---- bets that columns state ----


def crash_log(rows: int = 400, seed: int = 1) -> dict[str, Any]:
    """Bets on Stake's crash, each with a cash-out of its own."""
    rng = np.random.default_rng(seed)
    hashes = pf.HashChain().generate(f"secret {seed}", games=rows)
    log = {"game_hash": hashes, "outcome": STAKE.Crash().play(hashes).tolist()}
    log["cash_out"] = rng.choice(["1.5", "2", "3", "10"], rows).tolist()
    log["stake"] = rng.choice([1.0, 2.5, 0.1], rows).tolist()
    log["payout"] = [
        float(Fraction(str(stake)) * Fraction(goal)) if bust >= float(goal) else 0.0
        for bust, goal, stake in zip(log["outcome"], log["cash_out"], log["stake"], strict=True)
    ]
    return log


def both_sides(rows: int = 400, seed: int = 2) -> dict[str, Any]:
    """Bets on Stake's dice, over some numbers and under others, at 99 divided by the chance in percent."""
    rng = np.random.default_rng(seed)
    log: dict[str, Any] = {"server_seed": "s", "client_seed": "c", "nonce": np.arange(rows)}
    log["outcome"] = STAKE.Dice().play(**log)
    limits, over = rng.choice([25.0, 50.0, 75.0], rows), rng.random(rows) < 0.5
    log["under"], log["over"] = np.where(over, np.nan, limits), np.where(over, limits, np.nan)
    # Stake's chances are hundredths of 10,001 numbers, and payouts have four decimals.
    chance = np.where(over, 100 - limits, limits)
    won = np.where(over, log["outcome"] > limits, log["outcome"] < limits)
    log["stake"], log["payout"] = np.ones(rows), np.where(won, np.round(99 / chance, 4), 0)
    return log


LOGS = {
    "crash": (crash_log, STAKE.Crash(), {"cash_out": 2}),
    "dice": (both_sides, STAKE.Dice(), {"under": 50}),
}


@pytest.mark.parametrize("kind", LOGS)
def test_payouts_are_compared_with_the_bet_of_each_row(kind: str) -> None:
    made, game, asked = LOGS[kind]
    log = made()
    report = pf.audit(log, game, bet="columns")
    assert report.ok
    assert not notes_of(report)
    assert any("returns aren't tested" in text for text in report.unknown)
    found = [one for one in pf.audit(withheld(log), game, bet="columns").findings if one.severity == "proof"]
    won = np.flatnonzero(np.array(log["payout"]) > 0)
    assert [(one.kind, one.rows) for one in found] == [("payout_mismatch", tuple(won.tolist()))]
    # One bet for all is no proof against rows that state another one.
    report = pf.audit(log, game, bet=game.bet(**asked))
    assert report.ok
    (note,) = notes_of(report)
    names = [name for name in ("cash_out", "under", "over") if name in log]
    assert note.details["columns"] == names
    assert 'bet="columns" compares each row with that' in note.text
    # Payouts that agree with neither are a proof.
    report = pf.audit(withheld(log), game, bet=game.bet(**asked))
    assert "payout_mismatch" in kinds_of(report)


def test_single_wrong_rows_among_stated_bets() -> None:
    log = crash_log()
    game = STAKE.Crash()
    row = next(row for row, goal in enumerate(log["cash_out"]) if goal == "3" and log["payout"][row])
    log["payout"][row] += 0.01
    for bet in ("columns", game.bet(cash_out=2)):
        proofs = [one for one in pf.audit(log, game, bet=bet).findings if one.severity == "proof"]
        assert [(one.kind, one.rows) for one in proofs] == [("payout_mismatch", (row,))]


def test_rows_of_another_bet_are_profits_only_if_all_rows_are() -> None:
    """A stake that is taken twice looks like a profit, beside payouts."""
    log, game = both_sides(), STAKE.Dice()
    log |= {"under": [50] * len(log["outcome"]), "over": [None] * len(log["outcome"])}
    log["payout"] = np.where(np.less(log["outcome"], 50), 1.98, 0)
    (row, *_) = np.flatnonzero((log["outcome"] >= 49) & (log["outcome"] < 50)).tolist()
    log["under"][row], log["payout"][row] = 49, -1
    assert finding(pf.audit(log, game, bet=game.bet(under=50)), "payout_mismatch").rows == (row,)
    profits = log | {"payout": np.where(np.less(log["outcome"], log["under"]), 0.98, -1)}
    report = pf.audit(profits, game, bet=game.bet(under=50))
    assert report.ok
    assert [note.details["rows"] for note in notes_of(report)] == [1]


def test_stakes_of_other_bets_that_were_returned_are_counted_whatever_came_up() -> None:
    log, game = both_sides(1000), STAKE.Dice()
    void = np.random.default_rng(4).random(1000) < 0.3
    log |= {"status": np.where(void, "void", ""), "payout": np.where(void, 1, log["payout"])}
    report = pf.audit(log, game, bet=game.bet(under=50))
    assert report.ok
    found = finding(report, "bets_refunded")
    assert found.details == {"bets": void.sum(), "won": (void & (log["outcome"] < 50)).sum()}


@pytest.mark.parametrize("profits", [False, True])
def test_bets_of_columns_beside_the_given_one_at_stakes_of_all_sizes(profits: bool) -> None:
    game, rng = STAKE.Dice(), np.random.default_rng(3)
    log = {"server_seed": "server", "client_seed": "client", "nonce": np.arange(4000)}
    log["outcome"] = game.play("server", "client", log["nonce"])
    log["under"], stake = rng.choice([50, 33, 20, 10], 4000), rng.choice([1, 5, 2, 25], 4000)
    log |= {"odds": 99 / log["under"], "stake": stake, "status": np.where(rng.random(4000) < 0.1, "void", "")}
    back = stake * (log["outcome"] < log["under"]) * log["odds"]
    log["payout"] = np.where(log["status"] == "void", stake, back).round(8) - stake * profits
    # Void bets state none.
    log |= {name: np.where(log["status"] == "void", "", log[name].astype(str)) for name in ("under", "odds")}
    report = pf.audit(log, game, bet=game.bet(1.98, under=50))
    assert report.ok
    assert any("another bet than the given one" in note.text for note in notes_of(report))
    won = (log["status"] == "void") & (log["outcome"] < 50)
    assert finding(report, "bets_refunded").details["won"] == won.sum()


def test_lost_bets_may_state_no_cash_out() -> None:
    log, game = crash_log(), STAKE.Crash()
    paid = np.array(log["payout"]) > 0
    log["cash_out"] = [goal if won else "" for goal, won in zip(log["cash_out"], paid, strict=True)]
    report = pf.audit(log, game, bet="columns")
    assert report.ok
    lost = int((~paid).sum())
    assert any(f"{lost} rows whose columns don't state a bet" in text for text in report.unknown)
    report = pf.audit(log, game, bet=game.bet(cash_out=2))
    assert report.ok
    unpaid = np.flatnonzero(~paid & (np.array(log["outcome"]) >= 2))
    (note,) = [one for one in notes_of(report) if "these state none" in one.text]
    assert note.rows == tuple(unpaid.tolist())
    # Where no row states another bet, these rows are of the given one.
    twos = log | {"cash_out": [goal and "2" for goal in log["cash_out"]]}
    twos["payout"] = [2 * stake if won else 0.0 for stake, won in zip(log["stake"], paid, strict=True)]
    found = [
        one for one in pf.audit(twos, game, bet=game.bet(cash_out=2)).findings if one.severity == "proof"
    ]
    assert tuple(unpaid.tolist()) in [one.rows for one in found]


def test_rows_without_a_bet_were_lost_only_if_none_of_them_was_paid() -> None:
    log, game = crash_log(), STAKE.Crash()
    log["cash_out"] = [goal if goal != "2" else "" for goal in log["cash_out"]]
    assert pf.audit(log, game, bet=game.bet(cash_out=2)).ok
    won = [row for row, paid in enumerate(log["payout"]) if paid and not log["cash_out"][row]]
    for row in won[:5]:
        log["payout"][row] = 0.0
    found = pf.audit(log, game, bet=game.bet(cash_out=2)).findings[0]
    assert (found.kind, found.severity, found.rows) == ("payout_mismatch", "evidence", tuple(won[:5]))


def test_a_stated_bet_leaves_the_other_stakes_tested() -> None:
    log = both_sides(1000)
    won = np.less(log["outcome"], 50)
    log |= {"under": np.full(1000, 50.0), "stake": np.where(won, 1, 1 + 99 * (np.arange(1000) % 5 == 0))}
    log |= {"payout": 1.98 * log["stake"] * won, "over": [None] * 1000}
    (row, *_) = np.flatnonzero((log["outcome"] > 50) & (log["outcome"] < 75)).tolist()
    log["under"][row], log["payout"][row] = 75, 1.32 * log["stake"][row]
    bet = STAKE.Dice().bet(under=50)
    whole = pf.audit(log, STAKE.Dice(), bet=bet)
    assert [note.rows for note in notes_of(whole)] == [(row,)]
    assert {"return_low", "return_by_stake", "return_by_amount"} <= kinds_of(whole)
    for report in reports_in_pieces(log, [1, 400], STAKE.Dice(), bet):
        assert report.findings == whole.findings


def test_profits_of_stated_bets_beside_the_given_one_are_the_same_in_small_pieces() -> None:
    log, game = crash_log(30), STAKE.Crash()
    log["payout"] = (np.array(log["payout"]) - log["stake"]).round(8).tolist()
    bet = game.bet(cash_out=1.5)
    whole = pf.audit(log, game, bet=bet)
    assert whole.ok
    for report in reports_in_pieces(log, [*range(1, 30)], game, bet):
        assert report.findings == whole.findings


@pytest.mark.parametrize("name", ["cashout", "cashOut", "Cash Out", "auto_cashout", "CASH_OUT"])
def test_usual_names_of_a_question(name: str) -> None:
    log = named(crash_log(), cash_out=name)
    assert pf.audit(log, "stake.crash", bet="columns").ok
    assert pf.audit(log, "stake.crash", bet=STAKE.Crash().bet(cash_out=2)).ok


@pytest.mark.parametrize("kind", [np.float32, np.float64, str, "arrow", "nullable", "bytes"])
def test_cash_outs_in_any_storage(kind: Any) -> None:
    log, goals = crash_log(seed=4), [1.1, 2.35, 3, 10.07] * 100
    log["payout"] = [
        float(Fraction(str(stake)) * Fraction(str(goal))) if bust >= goal else 0.0
        for bust, goal, stake in zip(log["outcome"], goals, log["stake"], strict=True)
    ]
    if kind == "arrow":
        log["cash_out"] = pytest.importorskip("pyarrow").array(goals, "float")
    elif kind == "nullable":
        log["cash_out"] = pytest.importorskip("pandas").Series(goals, dtype="Float32")
    else:
        log["cash_out"] = np.array(goals).astype("S") if kind == "bytes" else np.array(goals, kind)
    report = pf.audit(log, "stake.crash", bet="columns")
    assert report.ok
    assert not [text for text in report.unknown if "don't state" in text]
    assert "payout_mismatch" in kinds_of(pf.audit(withheld(log), "stake.crash", bet="columns"))


def test_questions_that_no_column_answers() -> None:
    log = named(crash_log(), cash_out="target")
    with pytest.raises(MissingColumnError, match=r"did you mean columns=\{'cash_out': 'target'\}\?") as error:
        pf.audit(log, "stake.crash", bet="columns")
    assert error.value.columns == ("cash_out",)
    assert pf.audit(log, "stake.crash", bet="columns", columns={"cash_out": "target"}).ok
    one = STAKE.Crash().bet(cash_out=2)
    assert pf.audit(log, "stake.crash", bet=one).likely_columns == {"cash_out": "target"}
    log = {name: column for name, column in both_sides().items() if name not in ("under", "over")}
    with pytest.raises(MissingColumnError) as error:
        pf.audit(log, STAKE.Dice(), bet="columns")
    assert error.value.columns == ("under", "over")
    for wrong in ("column", "under=50"):
        with pytest.raises(TypeError, match=r'^bet must be a Bet or the Distribution .*, or "columns", got '):
            pf.audit(log, STAKE.Dice(), bet=wrong)
    with pytest.raises(ValueError, match=r'^bet "columns" isn\'t supported with stake.blackjack'):
        pf.audit({}, "stake.blackjack", bet="columns")


def joined(mark: str) -> Any:
    """Return a function that joins numbers by a mark."""
    return lambda numbers: mark.join(map(str, numbers))


@pytest.mark.parametrize(
    "spell", [list, set, str, lambda row: str(tuple(row)), joined(" "), joined(","), joined("; ")]
)
def test_answers_may_be_lists_and_words(spell: Any) -> None:
    """Keno's picks as lists or text, and its risk in any case."""
    keno, rng, rows = STAKE.Keno(), np.random.default_rng(3), 20
    log: dict[str, Any] = {"server_seed": "s", "client_seed": "c", "nonce": list(range(rows))}
    log["outcome"] = keno.play(**log).tolist()
    picks = [rng.choice(40, 3, replace=False).tolist() for _ in range(rows)]
    risks = rng.choice(["low", "High", "medium"], rows).tolist()
    own = [keno.bet(risk=risk.lower(), hits=hits) for risk, hits in zip(risks, picks, strict=True)]
    drawn = np.array(log["outcome"])
    paid = [bet.sampler.of(drawn[[row]])[0, 0] / bet.unit for row, bet in enumerate(own)]
    log |= {"hits": [spell(row) for row in picks], "risk": risks, "stake": [1] * rows, "payout": paid}
    assert pf.audit(log, keno, bet="columns").ok
    assert "payout_mismatch" in kinds_of(pf.audit(withheld(log), keno, bet="columns"))
    for first in None, "", picks[0][0]:  # what the first row has says nothing of the others
        others = log | {"hits": [first, *log["hits"][1:]], "payout": [None, *paid[1:]]}
        assert "payout_mismatch" not in kinds_of(pf.audit(others, keno, bet="columns"))
        assert "payout_mismatch" in kinds_of(pf.audit(withheld(others), keno, bet="columns"))


def test_odds_of_games_whose_rules_do_not_pay() -> None:
    log = dice_log(ROWS, 6) | {"under": [25, 50] * (ROWS // 2)}
    log["payout"] = np.where(log["outcome"] < log["under"], 99 / np.array(log["under"]), 0)
    with pytest.raises(MissingColumnError) as error:
        pf.audit(log, "dice", bet="columns")
    assert error.value.columns == ("odds",)
    log["odds"] = [3.96, 1.98] * (ROWS // 2)
    assert pf.audit(log, "dice", bet="columns").ok
    assert pf.audit(log, "dice", bet=DICE).ok
    assert "payout_mismatch" in kinds_of(pf.audit(withheld(log), "dice", bet="columns"))
    # Odds of 0 in rows that lost say what came up, and not what was bet.
    report = pf.audit(log | {"odds": [*log["odds"][:1], *[0] * (ROWS - 1)]}, "dice", bet="columns")
    assert any(f"{ROWS - 1} rows whose columns don't state a bet" in text for text in report.unknown)
    # Of an export that has them only where bets won, the others' bets are unknown.
    won = log | {"odds": [odds if paid else 0 for odds, paid in zip(log["odds"], log["payout"], strict=True)]}
    assert pf.audit(won, "dice", bet=DICE).ok
    # Without odds, nobody says what the other bet pays.
    del log["odds"]
    report = pf.audit(log, "dice", bet=DICE)
    assert report.ok
    assert any("100 rows of other parameters" in text for text in report.unknown)


def test_a_bet_is_compared_with_rows_of_its_own_parameters() -> None:
    """Those of the log's game, here 16 pins by default, are other ones."""
    salts, pins = pf.salts(200).astype(str).tolist(), [8, 16] * 100
    buckets = [pf.Plinko(count).play("s", "c", salt)[0] for count, salt in zip(pins, salts, strict=True)]
    due = {8: [9, 2, 1.5, 1, 0.5, 1, 1.5, 2, 9], 16: [1] * 17}
    log = {"server_seed": "s", "client_seed": "c", "salt": salts, "pins": pins, "outcome": buckets}
    log |= {"stake": 1, "payout": [due[count][at] for count, at in zip(pins, buckets, strict=True)]}
    bet = pf.Plinko(8).bet(due[8])
    for game in "plinko", "plinko:pins=8", "plinko:pins=9":
        report = pf.audit(log, game, bet=bet)
        assert report.ok, str(report)
        assert any("100 rows of other parameters" in text for text in report.unknown)
        wrong = log | {"payout": [log["payout"][0] + 1, *log["payout"][1:]]}
        assert "payout_mismatch" in kinds_of(pf.audit(wrong, game, bet=bet))


@pytest.mark.parametrize("write", ["{:.2f}x", "{:.2f}"])
@pytest.mark.parametrize("mark", [".", ","])
def test_odds_are_written_as_other_numbers(write: str, mark: str) -> None:
    log = dice_log(ROWS, 6) | {"under": [25, 50] * (ROWS // 2)}
    log["payout"] = np.where(log["outcome"] < log["under"], 99 / np.array(log["under"]), 0)
    log["odds"] = [write.format(odds).replace(".", mark) for odds in [3.96, 1.98] * (ROWS // 2)]
    assert pf.audit(log, "dice", bet="columns").ok
    assert "payout_mismatch" in kinds_of(pf.audit(withheld(log), "dice", bet="columns"))


@pytest.mark.parametrize("cell", ["25%", "under 25", "25 XYZ"])
def test_numbers_of_bets_that_cannot_be_read_are_refused(cell: str) -> None:
    log = dice_log(ROWS, 6) | {"under": [*["50"] * 10, *[cell] * (ROWS - 10)], "odds": ["1.98"] * ROWS}
    with pytest.raises(pf.LogError, match=f"row 10 has the under '{cell}', which isn't read as a number"):
        pf.audit(log, "dice", bet="columns")
    assert pf.audit(log, "dice", bet=DICE).verification.ok
    assert pf.audit(log | {"under": ["50", "-"] * (ROWS // 2)}, "dice", bet="columns").verification.ok


@pytest.mark.parametrize("kind", LOGS)
def test_stated_bets_are_the_same_in_pieces(kind: str) -> None:
    made, game, asked = LOGS[kind]
    log = made()
    log["payout"][7] = 77.0
    for bet in ("columns", game.bet(**asked)):
        whole = pf.audit(log, game, bet=bet)
        for report in reports_in_pieces(log, [1, 150, 151], game, bet):
            assert report.findings == whole.findings


@pytest.mark.parametrize("cell", ["1e400", "nan", "-1", "[" * 3000, "two", "\x00", 1e300, "1e13", True, "0"])
def test_cells_that_state_no_bet(cell: Any) -> None:
    log = crash_log(60)
    log["cash_out"] = [cell] * 30 + log["cash_out"][30:]
    report = pf.audit(log, "stake.crash", bet="columns")
    assert report.ok
    assert any("30 rows whose columns don't state a bet" in text for text in report.unknown)


def test_configs_have_a_bet() -> None:
    log = crash_log()
    assert not notes_of(pf.audit(log, config={"game": "stake.crash", "bet": "columns"}))
    assert notes_of(pf.audit(log, config={"game": "stake.crash", "bet": {"cash_out": 2}}))
    assert not notes_of(pf.audit(log, config={"game": "stake.crash", "bet": {"cash_out": 2}}, bet="columns"))
    with pytest.raises(TypeError, match=r"config's key 'bet' must be \"columns\" or a table"):
        pf.audit(log, config={"game": "stake.crash", "bet": "cash_out=2"})
    assert pf.verify(log, config={"game": "stake.crash", "bet": "columns"}).ok
    board = {"game": "double", "bet": {"payout": {"0": 14}}}
    wheel = {"salt": pf.salts(50).astype("U"), "stake": [1] * 50}
    wheel["outcome"] = pf.Double().play(salt=wheel["salt"])
    wheel["payout"] = np.where(wheel["outcome"] == 0, 14, 0)
    assert pf.audit(wheel, config=board).ok


@pytest.mark.parametrize("dtype", [int, float, "float32", str, object])
def test_single_answers_are_of_any_type(dtype: Any) -> None:
    salts, sectors = pf.salts(60).astype("U"), np.arange(60) % 15
    wheel = {"salt": salts, "outcome": pf.Double().play(salt=salts), "stake": [1] * 60, "odds": [14] * 60}
    wheel |= {"sectors": sectors.astype(dtype), "payout": np.where(wheel["outcome"] == sectors, 14, 0)}
    assert pf.audit(wheel, "double", bet="columns").ok
    assert "payout_mismatch" in kinds_of(pf.audit(withheld(wheel), "double", bet="columns"))


def test_what_is_said_where_columns_state_no_bet_or_payouts_are_profits() -> None:
    log = dice_log(ROWS, 5)
    some = log | {"under": [50, *[None] * (ROWS - 1)], "odds": [1.98] * ROWS}
    report = pf.audit(some, "dice", bet="columns")
    assert f"{ROWS - 1} rows whose columns don't state a bet on the game: what they are due" in report.unknown
    assert not any("no stakes and payouts" in text for text in report.unknown)
    profits = log | {"under": [50] * ROWS, "odds": [1.98] * ROWS}
    profits["payout"] = np.round(np.array(log["payout"]) - np.array(log["stake"]), 8)
    said = "payouts agree with the bet as profits, without the stake"
    assert said in pf.audit(profits, "dice", bet="columns").unknown
    assert any(text.startswith(said) for text in pf.audit(profits, "dice", bet=DICE).unknown)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"risk": "Low Risk"}, "row 0 has risk 'Low Risk' (risk must be one of"),
        ({"risk": "low", "sectors": "red"}, "row 0 has risk 'low', sectors 'red' (risk isn't supported"),
        ({"risk": None}, "row 0 has none (payout must be given"),
        ({"risk": "low"}, ""),
    ],
)
def test_columns_of_which_no_row_states_a_bet_are_refused(cells: dict[str, Any], said: str) -> None:
    """Nothing would be compared; and a piece of a log may state none."""
    wheel, nonces = STAKE.Wheel(), range(20)
    log = {"server_seed": ["server"] * 20, "client_seed": ["client"] * 20, "nonce": list(nonces)}
    log |= {"outcome": wheel.play("server", "client", nonces), "stake": [1] * 20, "payout": [0] * 20}
    log |= {name: [cell] * 20 for name, cell in cells.items()}
    first, second = (pf.Auditor(wheel, "columns").update(log) for _ in range(2))
    if not said:
        assert not any("state a bet" in text for text in first.report().unknown)
        return
    for auditor in first, first.merge(second), pf.Auditor(wheel, "columns").merge(first):
        with pytest.raises(pf.LogError, match=re.escape(said)) as error:
            auditor.report()
        assert error.value.row == 0
    assert first.update(log | {"risk": ["low"] * 20, "sectors": [None] * 20}).report().verification.ok


@pytest.mark.parametrize("default", [(), (1,)], ids=["asked", "with a default"])
def test_columns_answer_what_a_games_own_payout_asks(default):
    class Pick(pf.Game):
        scheme = pf.Scheme(pf.Hash("sha256", "{server_seed}:{nonce}"), bits=32)

        def outcome(self, draws):
            return draws.below(4)

        def pays(self, outcomes, pick):
            return np.where(outcomes == pick, 3.9, 0)

        pays.__defaults__ = default

    rounds = {"server_seed": "server", "nonce": range(60)}
    outcomes, picks = Pick().play(**rounds), np.arange(60) % 4
    log = {**rounds, "outcome": outcomes, "stake": [1] * 60, "pick": picks}
    log["payout"] = np.where(outcomes == picks, 3.9, 0)
    assert pf.audit(log, Pick(), bet="columns").ok
    assert pf.audit({**log, "pick": picks.astype(str)}, Pick(), bet="columns").ok
    wrong = {**log, "payout": np.where(np.arange(60) == 7, 3.9 - log["payout"], log["payout"])}
    (found,) = pf.audit(wrong, Pick(), bet="columns").findings
    assert (found.kind, found.rows) == ("payout_mismatch", (7,))
    if not default:
        with pytest.raises(pf.LogError, match="no column 'pick'"):
            pf.audit({name: log[name] for name in log if name != "pick"}, Pick(), bet="columns")


@pytest.mark.parametrize("write", [list, sorted, joined(" ")])
def test_outcomes_of_other_parameters_have_another_law(write: Any) -> None:
    mines, rows = [1, 3, 5] * 200, {"server_seed": "s", "client_seed": "c"}
    boards = [STAKE.Mines(count).play("s", "c", nonce).tolist() for nonce, count in enumerate(mines)]
    log = {**rows, "nonce": list(range(600)), "mines": mines, "outcome": [write(board) for board in boards]}
    report = pf.audit(log, STAKE.Mines(3))
    assert report.ok, str(report)
    assert "400 rows of other parameters: how often outcomes came up in these" in report.unknown
    money = {"stake": [1] * 600, "payout": [0] * 600, "cells": [[0, 1]] * 600, "odds": [2] * 600}
    with pytest.raises(pf.LogError, match="needs outcomes of one shape, that of stake"):
        pf.audit(log | money, STAKE.Mines(3), bet="columns")


@pytest.mark.parametrize(
    ("game", "count", "said"),
    [
        (STAKE.Mines(3), "reveals", "cells must be stated: reveals doesn't say"),
        (STAKE.Moles(), "rows", "positions must be stated: rows doesn't say"),
        (pf.Tower(), "odds", "no column 'positions', 'rows'"),
    ],
)
def test_numbers_of_choices_do_not_say_what_was_chosen(game: Any, count: str, said: str) -> None:
    """A bet on 2 cells is one on the first ones, and the player may have chosen any."""
    seeds = {name: ["a", "b", "c"] for name in game.scheme.fields}
    log = seeds | ({"nonce": [0, 1, 2]} if "nonce" in seeds else {})
    log |= {"outcome": game.play(**log).tolist(), "odds": 1.5, count: 2, "stake": 1, "payout": [0, 2, 0]}
    with pytest.raises(pf.LogError, match=said):
        pf.audit(log, game, bet="columns")


@pytest.mark.parametrize("more", [{"reveals": 2}, {"reveals": 2, "odds": 1.3}], ids=joined(" "))
def test_numbers_of_choices_hide_no_unpaid_wins_of_a_bet_on_cells(more: dict[str, Any]) -> None:
    mines = STAKE.Mines(3)
    log: dict[str, Any] = {"server_seed": "s", "client_seed": "c", "nonce": list(range(60))}
    log["outcome"] = mines.play(**log).tolist()
    won, other = ([not set(cells) & set(board) for board in log["outcome"]] for cells in ([5, 6], [0, 1]))
    log |= {"stake": 1, "payout": np.where(won, 1.3, 0).tolist()} | more
    bet = mines.bet(1.3, cells=[5, 6])
    assert pf.audit(log, mines, bet=bet).ok
    row = [one and not two for one, two in zip(won, other, strict=True)].index(True)
    log["payout"][row] = 0
    (found,) = pf.audit(log, mines, bet=bet).findings
    assert (found.severity, found.kind, found.rows) == ("proof", "payout_mismatch", (row,))


@pytest.mark.parametrize("nothing", [[], (), "[]"])
def test_lists_of_nothing_state_no_bet(nothing: Any) -> None:
    """Of lost bets an export may have no cells: a bet on none of them would always win."""
    mines, cells = STAKE.Mines(3), [5, 6]
    log: dict[str, Any] = {"server_seed": "s", "client_seed": "c", "nonce": list(range(60))}
    log["outcome"] = mines.play(**log).tolist()
    won = [not set(cells) & set(board) for board in log["outcome"]]
    log |= {"stake": 1, "odds": 1.3, "cells": [type(nothing)(cells) if one else nothing for one in won]}
    report = pf.audit(log | {"payout": np.where(won, 1.3, 0)}, mines, bet="columns")
    assert report.ok, str(report)
    assert any(f"{won.count(False)} rows whose columns don't state a bet" in text for text in report.unknown)


def test_numbers_of_choices_may_stand_beside_these() -> None:
    mines, cells = STAKE.Mines(3), [[5, 6], [1], [2, 3, 4]] * 20
    log: dict[str, Any] = {"server_seed": "s", "client_seed": "c", "nonce": list(range(60))}
    log["outcome"] = mines.play(**log).tolist()
    won = [not set(own) & set(board) for own, board in zip(cells, log["outcome"], strict=True)]
    log |= {
        "stake": 1,
        "payout": np.where(won, 1.3, 0),
        "odds": 1.3,
        "cells": cells,
        "reveals": [2, 1, 3] * 20,
    }
    assert pf.audit(log, mines, bet=mines.bet(1.3, cells=[5, 6])).ok
    assert not notes_of(pf.audit(log, mines, bet="columns"))
    assert "payout_mismatch" in kinds_of(pf.audit(withheld(log), mines, bet="columns"))
    report = pf.audit(log | {"reveals": 1}, mines, bet="columns")
    assert any("40 rows whose columns don't state a bet" in text for text in report.unknown)
