"""Missing money, next to honest logs that look like it, checked row by row."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from auditing import logs_of_rounds
from auditing.logs_of_bets import dice_log, finding, kinds_of, reports_in_pieces, said_in
from oracles import gallery as oracle
from provably_fair.sources import LogError

DICE = pf.Dice().bet(1.98, under=50)
ROWS = 400


def log_of(seed: int = 1, stakes: Any = 1.0, rows: int = ROWS) -> dict[str, Any]:
    """A log of dice with lists as columns, and the rows that won."""
    log = dice_log(rows, seed, stakes=stakes)
    return {name: value if isinstance(value, str) else value.tolist() for name, value in log.items()}


def won_in(log: dict[str, Any]) -> list[int]:
    return [row for row, outcome in enumerate(log["outcome"]) if outcome < 50]


def due_in(log: dict[str, Any]) -> list[float]:
    pairs = zip(log["stake"], log["outcome"], strict=True)
    return [1.98 * stake if outcome < 50 else 0.0 for stake, outcome in pairs]


def audited(log: Any, **options: Any) -> Any:
    return pf.audit(log, pf.Dice(), bet=DICE, **options)


def as_profits(log: dict[str, Any]) -> dict[str, Any]:
    """The log with the stake taken from its payouts."""
    pairs = zip(log["payout"], log["stake"], strict=True)
    return log | {"payout": [round(paid - stake, 8) for paid, stake in pairs]}


def said_of(report: Any, words: str) -> str:
    (text,) = [text for text in report.unknown if words in text]
    return text


# ---- missing money ----


@pytest.mark.parametrize("cell", [None, "", "pending", "null", float("nan"), float("inf")])
def test_wins_without_a_payout_are_evidence_and_named(cell: object) -> None:
    log = log_of()
    rows = won_in(log)[5:8]
    for row in rows:
        log["payout"][row] = cell
    if isinstance(cell, str):
        log["payout"] = [value if isinstance(value, str) else str(value) for value in log["payout"]]
    report = audited(log)
    found = finding(report, "payout_missing")
    assert (found.severity, found.rows, found.count) == ("evidence", tuple(rows), 3)
    assert "5.94 were due" in found.text
    assert "3 rows" in said_of(report, "without a payout")
    assert "3 of them won, and 5.94 were due" in said_of(report, "without a payout")
    assert not report.ok


@pytest.mark.parametrize("stake", [1e-6, 1, 1e15, 1e21])
@pytest.mark.parametrize("times", [1e9, 1e12, 1e17, 1e25, -1e25])
def test_losses_that_are_paid_however_much_are_wrong(stake: float, times: float) -> None:
    """Also where no scale fits the stake and the payout."""
    log = log_of()
    lost = next(row for row in range(ROWS) if row not in won_in(log))
    log["payout"][lost] = times
    log |= {name: [cell * stake for cell in log[name]] for name in ("stake", "payout")}
    report = audited(log)
    assert finding(report, "payout_mismatch").rows == (lost,)
    assert not any("without a payout" in text for text in report.unknown)


@pytest.mark.parametrize("unit", [1e-7, 1.0, 1e21])
@pytest.mark.parametrize("stakes", [[1.0], [1.0, 5.0, 2.0, 25.0], list(range(1, 9))])
def test_losses_without_a_payout_are_counted_alone(unit: float, stakes: list[float]) -> None:
    log = log_of(stakes=np.resize(stakes, ROWS) * unit)
    log["payout"] = [due or None for due in due_in(log)]
    report = audited(log)
    assert kinds_of(report) == set()
    assert said_of(report, "without a payout").endswith("0 of them won")


def test_wins_that_stakes_follow_are_seen_without_the_payouts_of_losses() -> None:
    log = log_of()
    log["stake"] = [
        1.0 if outcome < 50 else 1.0 + 4.0 * (row % 2) for row, outcome in enumerate(log["outcome"])
    ]
    log["payout"] = [due or None for due in due_in(log)]
    whole = audited(log)
    assert {"return_by_amount", "return_low"} <= kinds_of(whole)
    for report in reports_in_pieces(log, [1, 70, 300], pf.Dice(), DICE):
        assert report.findings == whole.findings


def test_a_log_that_shows_no_payouts_at_all_is_noted() -> None:
    report = audited(log_of() | {"payout": [None] * ROWS})
    assert report.ok
    assert finding(report, "payout_missing").severity == "note"
    assert "rows without a payout" in said_of(report, "without a payout")


@pytest.mark.parametrize("stake", [123e9, 5e13, 1e18, 7.25e21, 3e27])
def test_amounts_in_satoshis_and_wei_are_compared(stake: float) -> None:
    log = dice_log(ROWS, 2, stakes=stake)
    log["payout"] = np.where(log["outcome"] < 50, log["stake"] * 1.98, 0)
    assert kinds_of(audited(log)) == set()
    won = np.flatnonzero(log["outcome"] < 50)[[3, 7]]
    log["payout"][won[0]], log["payout"][won[1]] = 0, stake * 1.97
    report = audited(log)
    found = finding(report, "payout_mismatch")
    assert (found.severity, found.rows) == ("proof", tuple(won.tolist()))
    assert found.details["compared"] == ROWS


def test_large_and_small_stakes_stand_side_by_side() -> None:
    """900,000.55 exceeds the exact range and is counted on a coarser scale than the amounts beside it."""
    bet = pf.Dice().bet(500_000, under=0.02)
    log = dice_log(20_000, 3, stakes=900_000.55)
    won = np.flatnonzero(log["outcome"] < 0.02)
    assert won.size
    log["payout"] = np.where(log["outcome"] < 0.02, log["stake"] * 500_000, 0)
    assert "payout_mismatch" not in kinds_of(pf.audit(log, pf.Dice(), bet=bet))
    log["payout"][won[0]] *= 0.99
    assert "payout_mismatch" in kinds_of(pf.audit(log, pf.Dice(), bet=bet))


def test_what_is_withheld_of_large_stakes_is_summed_exactly() -> None:
    from provably_fair.auditing.checks.payments import Payments
    from provably_fair.auditing.claims import Claim

    whole = [10**18, 2, 9 * 10**10, 4 * 10**24]
    auditor = pf.Auditor(pf.Dice(), DICE)
    log = log_of(rows=40)
    rows = won_in(log)[:4]
    picked = {
        name: value if isinstance(value, str) else [value[row] for row in rows] for name, value in log.items()
    }
    auditor.update(picked | {"stake": [float(stake) for stake in whole], "payout": [0.0] * 4})
    (payments,) = [check for check in auditor._checks if isinstance(check, Payments)]
    unit = Claim(DICE).unit
    assert payments.compared == 4
    assert Fraction(payments.withheld, unit * 10**8) == sum(map(Fraction, whole)) * Fraction("1.98")


@pytest.mark.parametrize(
    ("stake", "what"), [(0.0, "3 of 0"), (-1.0, "3 negative"), (None, "3 without"), (1e-12, "3 without")]
)
def test_wins_without_a_stake_are_counted(stake: object, what: str) -> None:
    log = log_of()
    for row in won_in(log)[:3]:
        log["stake"][row], log["payout"][row] = stake, 0.0
    report = audited(log)
    text = said_of(report, "without a stake")
    assert what in text
    assert "3 of them won, of which 3 got no payout" in text


# ---- rounding ----


def test_rounding_is_judged_by_each_stake_also() -> None:
    """One stake of a million would hide the amounts withheld from four hundred small ones."""
    log = log_of(stakes=1.0)
    log["stake"][0] = 1_000_000.0
    log["payout"] = [float(int(amount)) for amount in due_in(log)]
    found = finding(audited(log), "payout_mismatch")
    assert found.severity == "evidence"
    assert found.details["kept"] < 0.001
    assert found.details["kept_of_a_stake"] > 0.4


def test_rounding_that_keeps_little_is_noted_with_the_sum() -> None:
    log = log_of(stakes=np.random.default_rng(1).integers(100, 300, ROWS))
    log["payout"] = [float(int(amount)) for amount in due_in(log)]
    found = finding(audited(log), "payout_mismatch")
    assert found.severity == "note"
    assert found.details["amount"] > 0


def rounded_log(**cents: tuple[str, str]) -> dict[str, Any]:
    """A log of players with one stake each, and their payouts for wins."""
    names = list(cents)
    log = log_of(3) | {"player": [names[row % len(names)] for row in range(ROWS)]}
    log["stake"] = [cents[name][0] for name in log["player"]]
    won = set(won_in(log))
    log["payout"] = [cents[name][1] if row in won else "0.00" for row, name in enumerate(log["player"])]
    return log


def test_rounding_up_makes_up_for_nothing_that_is_rounded_down() -> None:
    """0.099 is due: one player is paid 0.09, another 0.10."""
    log = rounded_log(one=("0.05", "0.09"), insider=("0.05", "0.10"))
    report = audited(log)
    found = finding(report, "payout_mismatch")
    down = sum(1 for row in won_in(log) if log["player"][row] == "one")
    assert found.severity == "evidence"
    assert found.details["amount"] == pytest.approx(0.009 * down)
    assert found.details["kept"] == pytest.approx(0.009 * down / (0.05 * ROWS))
    assert "rounding_by_player" in kinds_of(report)
    # Rounding to the nearest cent pays 0.10 to all, and withholds nothing.
    assert kinds_of(audited(rounded_log(one=("0.05", "0.10"), insider=("0.05", "0.10")))) == set()


@pytest.mark.parametrize(("other", "unlike"), [("0.74", True), ("0.73", False)])
def test_rounding_is_compared_by_player(other: str, unlike: bool) -> None:
    """0.7326 is due: all are paid 0.73, except an insider who gets 0.74."""
    log = rounded_log(one=("0.37", "0.73"), insider=("0.37", other), two=("0.37", "0.73"))
    report = audited(log)
    assert ("rounding_by_player" in kinds_of(report)) == unlike
    if unlike:
        found = finding(report, "rounding_by_player")
        rows = [row for row in won_in(log) if log["player"][row] == "insider"]
        assert (found.rows, found.count, found.details["down"]) == ((rows[0],), len(rows), 0)
        assert found.details["all_rows"] == len(won_in(log))
        assert found.details["all_down"] == len(won_in(log)) - len(rows)
    assert kinds_of(audited(log | {"currency": "BTC", "display_currency": "USD"})) == set()


@pytest.mark.parametrize(
    ("one", "two", "unlike"),
    [
        (("0.23", "0.45"), ("0.20", "0.40"), True),  # 0.4554 down, 0.396 to the nearest cent
        (("0.37", "0.73"), ("0.41", "0.82"), True),  # 0.7326 down, 0.8118 up
        (("0.23", "0.45"), ("0.20", "0.39"), False),
        (("0.23", "0.46"), ("0.20", "0.40"), False),
        (("0.37", "0.73"), ("0.20", "0.40"), False),  # to the nearest, one below and one above
        (("0.37", "0.74"), ("0.20", "0.40"), False),
    ],
)
def test_players_are_rounded_by_one_rule_whatever_they_stake(one: Any, two: Any, unlike: bool) -> None:
    report = audited(rounded_log(one=one, two=two))
    assert ("rounding_by_player" in kinds_of(report)) == unlike


# ---- honest logs ----


def test_currencies_have_their_own_decimals() -> None:
    """Two satoshis less, among yen and dollars; and amounts whose currencies nobody says."""
    rows = oracle.currency_rows(random.Random("currencies"), 300)
    row = next(row for row in oracle.won_in(rows) if row["currency"] == "BTC")
    row["payout"] = f"{Decimal(row['payout']) - Decimal('0.00000002'):f}"
    found = finding(logs_of_rounds.audited(rows), "payout_mismatch")
    assert (found.severity, found.rows) == ("proof", (rows.index(row),))
    rows = oracle.currency_rows(random.Random("currencies"), 300)
    for row in rows:
        del row["currency"]
    assert "payout_mismatch" in kinds_of(logs_of_rounds.audited(rows))


def test_a_currency_isnt_rounded_beyond_its_decimals() -> None:
    log = log_of(stakes=1000.0) | {"currency": "USD"}
    log["payout"] = [float(int(amount)) for amount in log["payout"]]
    assert kinds_of(audited(log)) == set()  # 1980 is whole
    log = log_of(stakes=1001.0) | {"currency": "USD"}
    log["payout"] = [float(int(amount)) for amount in log["payout"]]
    report = audited(log)  # amounts may be in cents
    assert kinds_of(report) == set()
    assert [one.severity for one in report.findings if one.kind == "payout_mismatch"] == ["note"]
    assert kinds_of(audited(log, constants={"currency": {"USD": 0}})) == set()
    log["stake"][7] = 1001.5
    assert "payout_mismatch" in kinds_of(audited(log))


def test_currencies_that_nobody_knows_are_refused_by_name() -> None:
    log = log_of() | {"currency": ["USD"] * 7 + ["Gold"] * (ROWS - 7)}
    with pytest.raises(LogError, match=r"row 7 has the currency 'gold'.*constants=\{'currency': \{'gold'"):
        audited(log)
    assert audited(log, constants={"currency": {"GOLD": 2}}).ok
    with pytest.raises(
        ValueError, match=r"constants\['currency'\] must map words to one of 0, 1, .*'gold': -1"
    ):
        audited(log, constants={"currency": {"gold": -1}})
    with pytest.raises(ValueError, match=r"constants\['status'\].*'played', 'returned', got 'x': 'won'"):
        audited(log, constants={"status": {"x": "won"}})


def test_amounts_that_were_converted_for_display() -> None:
    rate = 61_234.5678
    log = log_of(5)
    coins = np.random.default_rng(2).integers(100, 5000, ROWS) / 1e7
    won = np.array(log["outcome"]) < 50
    log["stake"] = (coins * rate).round(2).tolist()
    log["payout"] = np.where(won, coins * 1.98 * rate, 0).round(2).tolist()
    assert "payout_mismatch" in kinds_of(audited(log))
    log |= {"currency": "BTC", "display_currency": "USD"}
    report = audited(log)
    assert kinds_of(report) == set()
    assert f"{ROWS} rows" in said_of(report, "converted for display")
    # An error beyond the last decimals of both is still a mismatch.
    row = won_in(log)[9]
    log["payout"][row] = round(log["payout"][row] - 0.05, 2)
    assert finding(audited(log), "payout_mismatch").rows == (row,)


@pytest.mark.parametrize("word", ["void", "Refunded", "CANCELLED", "canceled"])
def test_stakes_that_were_given_back_are_noted(word: str) -> None:
    log = log_of(6)
    log["status"] = ["settled"] * ROWS
    chosen = np.random.default_rng(3).choice(ROWS, 20, replace=False).tolist()
    for row in chosen:
        log["status"][row], log["payout"][row] = word, log["stake"][row]
    report = audited(log)
    assert kinds_of(report) == set()
    found = finding(report, "bets_refunded")
    won = sorted(set(chosen) & set(won_in(log)))
    assert (found.severity, found.count, found.rows) == ("note", 20, tuple(won))
    assert f"{len(won)} would have won" in found.text
    del log["status"]
    assert "payout_mismatch" in kinds_of(audited(log))


@pytest.mark.parametrize("written", [dict, as_profits])
def test_large_wins_are_not_outvoted_by_small_losses_beside_them(written: Any) -> None:
    """In every 60 refunds as many bets lost as won, but the wins were due 60,000 of 60,060."""
    log = log_of(6) | {"status": ["settled"] * ROWS}
    won = won_in(log)[:60]
    lost = [row for row in range(ROWS) if log["outcome"][row] >= 50][:60]
    for row in won + lost:
        log["stake"][row] = 1000.0 if row in won else 1.0
        log["status"][row], log["payout"][row] = "void", log["stake"][row]
    written_log = written(log)
    for report in audited(written_log), *reports_in_pieces(written_log, [7, 150], pf.Dice(), DICE):
        found = finding(report, "wins_refunded")
        assert (found.severity, found.count, found.rows) == ("evidence", 120, tuple(won))
        assert found.details["staked"] == 60_060
        assert found.details["due"] == pytest.approx(60 * 1980 / 60_060)
        assert [test.raw > 0.1 for test in report.tests if test.kind == "wins_refunded"] == [True, False]
        assert finding(report, "bets_refunded").details == {"bets": 120, "won": 60}


@pytest.mark.parametrize("written", [dict, as_profits])
def test_refunds_are_judged_by_currency(written: Any) -> None:
    """Losses of a thousand yen don't make up for wins of one bitcoin."""
    log = log_of(6, stakes=1.0) | {"status": ["settled"] * ROWS, "currency": ["BTC"] * ROWS}
    won = won_in(log)[:40]
    lost = [row for row in range(ROWS) if log["outcome"][row] >= 50][:40]
    for row in won + lost:
        log["status"][row] = "void"
        if row in lost:
            log["stake"][row], log["currency"][row] = 1000.0, "JPY"
        log["payout"][row] = log["stake"][row]
    found = finding(audited(written(log)), "wins_refunded")
    assert (found.details["currency"], found.details["staked"], found.count) == ("BTC", 40, 40)


@pytest.mark.parametrize("stakes", [1.0, np.resize([1.0, 2.0, 5.0], ROWS)])
def test_returned_stakes_are_no_returns_of_the_bet(stakes: Any) -> None:
    """Whoever gets stakes back gets more than the mean of a bet, whatever chance does."""
    log = log_of(6, stakes=stakes)
    returned = log | {"status": ["" if outcome < 50 else "void" for outcome in log["outcome"]]}
    pairs = zip(log["stake"], log["payout"], strict=True)
    returned["payout"] = [paid or stake for stake, paid in pairs]
    tests, known = (
        [test.raw for test in audited(one).tests if test.kind in ("return_low", "return_high")]
        for one in (returned, log)
    )
    assert tests == pytest.approx(known)


def test_returned_stakes_are_no_payouts_of_a_law_alone() -> None:
    """The law of a return pays no stake back: such rows aren't what is nearest to that."""
    log = log_of(6)
    log["status"] = ["void"] * (ROWS // 2) + [""] * (ROWS // 2)
    log["payout"] = log["stake"][: ROWS // 2] + log["payout"][ROWS // 2 :]
    for report in (
        pf.audit(log, pf.Dice(), bet=DICE.law),
        *reports_in_pieces(log, [7, 150], pf.Dice(), DICE.law),
    ):
        assert kinds_of(report) == set()
        assert finding(report, "bets_refunded").details == {"bets": ROWS // 2}
        assert said_of(report, "whether they would have won").startswith(f"{ROWS // 2} bets")
    log["payout"] = [stake if back else 0.0 for stake, back in zip(log["stake"], log["status"], strict=True)]
    lost = finding(pf.audit(log, pf.Dice(), bet=DICE.law), "return_low")
    assert (lost.count, lost.details["returned"]) == (ROWS // 2, 0)


def test_a_status_excuses_nothing_but_a_stake_given_back() -> None:
    log = log_of(6)
    log["status"] = ["settled"] * ROWS
    zero, none, wrong = won_in(log)[:3]
    for row, payout in (zero, 0.0), (none, None):
        log["status"][row], log["payout"][row] = "void", payout
    log["status"][wrong], log["outcome"][wrong] = "void", 99.0
    report = audited(log)
    assert report.verification.failed == 1
    assert finding(report, "payout_mismatch").rows == (zero,)
    assert finding(report, "payout_missing").rows == (none,)


def test_profits_may_be_voided_too() -> None:
    log = log_of(7)
    log["status"] = ["won" if outcome < 50 else "lost" for outcome in log["outcome"]]
    log["payout"] = [payout - stake for payout, stake in zip(log["payout"], log["stake"], strict=True)]
    for row in 3, 50, 77:
        log["status"][row], log["payout"][row] = "void", 0.0
    assert kinds_of(audited(log)) == set()


def test_other_words_are_refused_by_name() -> None:
    log = log_of() | {"status": ["settled", "", "Won"] + ["pending"] * (ROWS - 3)}
    with pytest.raises(
        LogError, match=r"row 3 has the status 'pending'; the known words are .*'settled'.*'void'"
    ):
        audited(log)
    assert audited(log, constants={"status": {"Pending": "played"}}).ok
    assert pf.verify(log, pf.Dice()).ok  # verification ignores the column


# ---- pieces ----


@pytest.mark.parametrize("cuts", [[1], [133, 134, 250], [399]])
def test_pieces_give_the_same_findings(cuts: list[int]) -> None:
    rng = np.random.default_rng(5)
    log = log_of(10, stakes=rng.choice([1.0, 0.37, 5e11, 4e20], ROWS))
    log["payout"] = due_in(log)
    log["currency"] = rng.choice(["", "USD", "JPY", "BTC"], ROWS).tolist()
    log["display_currency"] = rng.choice(["", "EUR"], ROWS).tolist()
    log["status"] = rng.choice(["", "settled", "void"], ROWS).tolist()
    log["player"] = rng.choice(["one", "two", "three"], ROWS).tolist()
    for row in range(0, ROWS, 7):
        log["payout"][row] = [log["stake"][row], None, 0.0, 0.5][row % 4]
    for row in range(0, ROWS, 11):
        log["stake"][row] = [0.0, -1.0, None][row % 3]

    whole = said_in(audited(log))
    kinds = {one["kind"] for one in whole[0]}
    assert {"payout_mismatch", "payout_missing", "bets_refunded"} <= kinds
    assert [*map(said_in, reports_in_pieces(log, cuts, pf.Dice(), DICE))] == [whole] * 2
