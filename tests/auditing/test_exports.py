"""Logs as exported: duplicated rows, times of mixed precision, empty client seeds."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import finding, kinds_of
from oracles import gallery as oracle

STAKE = pf.operators.stake
DICE = STAKE.Dice()
BET = DICE.bet(1.98, under=50)


def rounds(lives: int = 3, nonces: int = 40, game: Any = DICE) -> dict[str, list[Any]]:
    """Rounds of one player, a minute apart, with a rotating server seed."""
    count = lives * nonces
    log: dict[str, Any] = {
        "server_seed": [f"server {life}" for life in range(lives) for _ in range(nonces)],
        "client_seed": ["client"] * count,
        "nonce": list(range(nonces)) * lives,
        "time": [f"2026-03-02T12:{row // 60:02}:{row % 60:02}.{37 * row % 1000:03}Z" for row in range(count)],
        "player": ["anna"] * count,
        "stake": [float(1 + row % 3) for row in range(count)],
    }
    log["outcome"] = game.play(log["server_seed"], log["client_seed"], np.array(log["nonce"])).tolist()
    log["payout"] = [
        1.98 * stake if outcome < 50 else 0.0
        for stake, outcome in zip(log["stake"], log["outcome"], strict=True)
    ]
    return log


def part(log: dict[str, list[Any]], start: int, stop: int) -> dict[str, list[Any]]:
    return {name: column[start:stop] for name, column in log.items()}


def both(one: dict[str, list[Any]], other: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {name: one[name] + other[name] for name in one}


# ---- columns as exports call them ----


@pytest.mark.parametrize(
    "called",
    [
        {"stake": "Stake", "payout": "Payout", "time": "Date", "player": "Player"},
        {"stake": "STAKE", "payout": "PAYOUT", "time": "Timestamp", "player": "player"},
        {"stake": "stake", "payout": "payout", "time": "date", "player": "PLAYER"},
    ],
)
def test_amounts_and_times_are_found_however_they_are_spelled(called: dict[str, str]) -> None:
    log = rounds()
    log["payout"][7] += 1
    spelled = {called.get(name, name): column for name, column in log.items()}
    report, plain = (pf.audit(one, DICE, bet=BET) for one in (spelled, log))
    wrong = finding(report, "payout_mismatch")
    assert wrong.rows == (7,)
    assert wrong.text.startswith(f"1 of {len(log['payout'])} rows wasn't paid what the bet pays")
    assert report.unknown == plain.unknown
    assert report.dates == plain.dates is not None


def test_of_columns_that_may_both_be_a_field_the_caller_chooses() -> None:
    log = rounds()
    log["Date"] = log["Timestamp"] = log.pop("time")
    with pytest.raises(pf.LogError, match=r"the columns 'Date', 'Timestamp' may all be 'time'; columns="):
        pf.audit(log, DICE)
    assert pf.audit(log, DICE, columns={"time": "Date"}).dates is not None
    # A column with the field's own name takes precedence.
    log["time"] = log["Date"]
    assert pf.audit(log, DICE).dates is not None


# ---- exports that overlap ----


@pytest.mark.parametrize(("start", "stop"), [(0, 120), (30, 75), (60, 100)])
def test_exports_that_overlap_are_one_note(start: int, stop: int) -> None:
    log = both(part(rounds(), 0, stop), part(rounds(), start, 120))
    report = pf.audit(log, DICE, bet=BET)
    assert kinds_of(report) == set()
    found = finding(report, "rows_overlap")
    assert (found.severity, found.count) == ("note", stop - start)
    assert found.rows == tuple(range(stop, 2 * stop - start))


def test_a_payout_of_minus_nothing_is_one_of_nothing() -> None:
    later = part(rounds(), 30, 75)
    later["payout"] = [paid or -0.0 for paid in later["payout"]]
    report = pf.audit(both(part(rounds(), 0, 75), later), DICE, bet=BET)
    assert kinds_of(report) == set()
    assert finding(report, "rows_overlap").count == 45


def test_exports_of_salted_rounds_overlap() -> None:
    game = pf.Dice()
    log: dict[str, Any] = {
        "server_seed": ["s"] * 50,
        "client_seed": ["c"] * 50,
        "salt": pf.salts(50, seed=3).astype("U").tolist(),
        "time": list(range(1_700_000_000, 1_700_000_050)),
    }
    log["outcome"] = game.play(log["server_seed"], log["client_seed"], log["salt"]).tolist()
    report = pf.audit(both(part(log, 0, 30), part(log, 20, 50)), game)
    assert kinds_of(report) == set()
    assert finding(report, "rows_overlap").count == 10


@pytest.mark.parametrize("name", ["time", "stake", "player", "payout"])
def test_a_round_that_is_played_again_is_no_overlap(name: str) -> None:
    """Rows of an overlap that differ in any value are reported."""
    later = part(rounds(), 30, 120)
    other = {"time": "2026-03-03T00:00:00Z", "stake": 50.0, "player": "boris", "payout": 7.0}
    later[name] = list(later[name])
    later[name][5] = other[name]
    report = pf.audit(both(part(rounds(), 0, 75), later), DICE)
    assert finding(report, "rows_overlap").count == 44
    found = finding(report, "nonce_repeated")
    assert (found.severity, found.count, found.rows) == ("proof", 1, (80,))


def test_without_times_rows_that_are_there_twice_are_seeds_used_again() -> None:
    log = rounds()
    del log["time"]
    assert "nonce_repeated" in kinds_of(pf.audit(both(log, log), DICE))


def test_overlaps_are_found_at_every_report_among_rows_with_the_same_fields() -> None:
    log = rounds()
    bare = {name: column for name, column in part(log, 0, 20).items() if name not in ("stake", "payout")}
    auditor, found = pf.Auditor(DICE), []
    for piece in part(log, 0, 40), part(log, 30, 60), bare, part(log, 50, 90), bare:
        report = auditor.update(piece).report()
        found.append([one.rows for one in report.findings if one.kind == "rows_overlap"])
    first, second, third = (tuple(range(start, stop)) for start, stop in [(40, 50), (90, 100), (130, 150)])
    assert found == [[], [first], [first], [first + second], [first + second + third]]


@pytest.mark.parametrize("missing", [0, 1, 3])
def test_overlaps_are_the_same_in_any_order_of_players(missing: int) -> None:
    log = both(rounds(), rounds())
    order = np.random.default_rng(missing).permutation(240).tolist()
    log["player"] = [f"player {life // 40}" for life in range(120)] * 2
    for row in order[:missing]:
        log["time"][row] = None
    report = pf.audit({name: [column[row] for row in order] for name, column in log.items()}, DICE)
    assert kinds_of(report) == set()
    found = finding(report, "rows_overlap")
    again = {row: later for later, row in enumerate(order) if row < 120}
    expected = sorted(max(again[row], order.index(row + 120)) for row in range(120))
    assert list(found.rows) == expected[: len(found.rows)]
    assert found.count == 120
    assert ("lacks" in found.text) == (missing > 0)


# ---- which of the duplicated rows are listed ----


def listed_again(log: dict[str, list[Any]], rows: list[int]) -> dict[str, list[Any]]:
    return {name: column + [column[row] for row in rows] for name, column in log.items()}


def raw(report: Any, kind: str) -> list[float]:
    return [test.raw for test in report.tests if test.kind == kind]


@pytest.mark.parametrize("lost", [True, False])
@pytest.mark.parametrize("bet", [BET, None])
def test_rows_that_are_listed_twice_by_their_outcome_are_evidence(lost: bool, bet: Any) -> None:
    log = rounds(3, 60)
    rows = [row for row, outcome in enumerate(log["outcome"]) if (outcome >= 50) == lost][:49]
    all_lost = sum(outcome >= 50 for outcome in log["outcome"])
    report = pf.audit(listed_again(log, rows), DICE, bet=bet)
    found = finding(report, "doubles_chosen")
    assert (found.severity, found.count, found.rows) == ("evidence", 49, tuple(range(180, 229)))
    assert found.details == {
        "listed_again": 49,
        "lost": 49 if lost else 0,
        "rows": 180,
        "all_lost": all_lost,
    }
    exact = Fraction(math.comb(all_lost if lost else 180 - all_lost, 49), math.comb(180, 49))
    assert raw(report, "doubles_chosen") == [pytest.approx(float(2 * exact), rel=1e-6)]


def test_rows_that_are_listed_thrice_count_once() -> None:
    log = rounds()
    rows = [row for row, outcome in enumerate(log["outcome"]) if outcome >= 50][:4]
    once = pf.audit(listed_again(log, rows), DICE, bet=BET)
    often = pf.audit(listed_again(log, rows * 12), DICE, bet=BET)
    assert raw(once, "doubles_chosen") == raw(often, "doubles_chosen")
    assert "doubles_chosen" not in kinds_of(often)


def test_all_rows_listed_twice_say_nothing() -> None:
    report = pf.audit(both(rounds(), rounds()), DICE, bet=BET)
    assert raw(report, "doubles_chosen") == [1.0]


def test_copies_leave_the_test_of_outcomes_as_it_is() -> None:
    log = rounds(3, 60)
    report = pf.audit(log, DICE, bet=BET)
    for rows in [7], [*range(40, 120)], [*range(180)] * 3:
        for timed in True, False:
            again = listed_again(log, rows)
            if not timed:
                del again["time"]
            copied = pf.audit(again, DICE, bet=BET)
            assert raw(copied, "outcomes_unfair") == raw(report, "outcomes_unfair")
            assert not [text for text in copied.unknown if "whether outcomes follow" in text]


@pytest.mark.parametrize("most", ["rows", "repeats"])
def test_of_too_many_copies_the_first_rows_are_tested(most: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are more copies than are kept, the rows before that point are still tested."""
    log = rounds(3, 60)
    copied = listed_again(log, [7, 8, 9])
    first = pf.audit(part(log, 0, 100) if most == "rows" else log, DICE, bet=BET)
    if most == "rows":
        monkeypatch.setattr("provably_fair.auditing.sums.RowNumbers.MOST", 100)
    else:
        monkeypatch.setattr("provably_fair.verification.concluding._KEPT_REPEATS", 1)
        monkeypatch.setattr("provably_fair.auditing.report._KEPT_REPEATS", 2)
    report = pf.audit(copied, DICE, bet=BET)
    assert raw(report, "outcomes_unfair") == raw(first, "outcomes_unfair")
    tested = 100 if most == "rows" else 180
    text = f"too many rows: whether outcomes follow their law was tested in {tested} rounds alone"
    assert (text in report.unknown) == (most == "rows")


def test_rounds_that_several_players_bet_on_are_tested_once() -> None:
    """With one row per bet, a round counts once: many bets on few bad rounds aren't evidence."""
    game = STAKE.Crash()
    log: dict[str, Any] = {"game_hash": oracle.chain("shared", 300)[1:]}
    log["outcome"] = game.play(log["game_hash"]).tolist()
    alone = pf.audit(log, game)
    bets = [row for row, outcome in enumerate(log["outcome"]) for _ in range(1 if outcome > 1.2 else 30)]
    report = pf.audit({name: [column[row] for row in bets] for name, column in log.items()}, game)
    assert raw(report, "outcomes_unfair") == raw(alone, "outcomes_unfair") != []


# ---- times ----


def revealed(reveal: list[str], times: list[str] | None = None) -> Any:
    log = part(rounds(2, 4), 0, 8)
    log["time"] = times or [f"2026-03-02T12:00:0{row}.500Z" for row in range(8)]
    log["reveal_time"] = [reveal[row // 4] for row in range(8)]
    return pf.audit(log, DICE)


def test_seconds_and_parts_of_them_are_compared_by_the_second() -> None:
    """The last round of the first seed is played at 3.5 s; clocks may differ by a second."""
    for second, close in (3, "1 row"), (2, "2 rows"):
        report = revealed([f"2026-03-02T12:00:0{second}Z", "2026-03-02T12:00:09Z"])
        assert kinds_of(report) == set()
        assert any(f"{close} whose seed was revealed, too close to tell" in text for text in report.unknown)
    found = finding(revealed(["2026-03-02T12:00:01Z", "2026-03-02T12:00:09Z"]), "seed_used_after_reveal")
    assert found.rows == (3,)
    # With milliseconds, one second more is reported.
    report = revealed(["2026-03-02T12:00:02.499Z", "2026-03-02T12:00:09.001Z"])
    assert finding(report, "seed_used_after_reveal").rows == (3,)
    assert kinds_of(revealed(["2026-03-02T12:00:02.500Z", "2026-03-02T12:00:09.001Z"])) == set()


def test_days_are_compared_by_the_day() -> None:
    assert kinds_of(revealed(["2026-03-02", "2026-03-02"])) == set()
    assert finding(revealed(["2026-03-01", "2026-03-02"]), "seed_used_after_reveal").rows == (0, 1, 2, 3)


def test_commitments_of_the_same_second_arent_late() -> None:
    log = part(rounds(2, 4), 0, 8)
    log["commitment_time"] = [1772452800.25 + row // 4 * 4 for row in range(8)]
    log["time"] = [1772452800 + row for row in range(8)]
    report = pf.audit(log, DICE)
    assert kinds_of(report) == set()
    assert any(
        "2 rows with a commitment that was published, too close to tell" in text for text in report.unknown
    )
    log["commitment_time"] = [1772452802.25 + row // 4 * 4 for row in range(8)]
    assert finding(pf.audit(log, DICE), "commitment_late").rows == (0, 4)


# ---- client seeds ----


def test_client_seeds_may_be_empty_where_the_scheme_says_so() -> None:
    scheme = dataclasses.replace(STAKE.SCHEME, defaults={"client_seed": ""})
    game = DICE.with_scheme(scheme)
    log = rounds(2, 30)
    log["client_seed"] = [""] * 30 + ["mine"] * 30
    log["outcome"] = DICE.play(log["server_seed"], log["client_seed"], np.array(log["nonce"])).tolist()
    assert kinds_of(pf.audit(log, DICE)) == {"client_seed_empty"}
    report = pf.audit(log, game)
    assert report.verification.ok
    found = finding(report, "client_seed_empty")
    assert (found.severity, found.count) == ("note", 30)
    without = {name: column for name, column in log.items() if name != "client_seed"}
    report = pf.audit(part(without, 0, 30), game)
    assert report.verification.ok
    assert kinds_of(report) == set()
