"""Stakes of any size, and stakes that are set when the result is known."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import kinds_of, reports_in_pieces, rounds_of

BET = pf.Dice().bet(1.98, under=50)
CENT = 1_000_000_000_000.01
"""A stake of more digits than eight decimals leave in 64 bits."""


def bets_of(stakes: Any, seed: int = 0, *, pays: Any = 1.98) -> dict[str, Any]:
    """A log of bets with these stakes, paid in doubles."""
    log = rounds_of(pf.Dice(), len(stakes), seed)
    staked = np.asarray(stakes, np.float64)
    return log | {"stake": staked, "payout": np.where(log["outcome"] < 50, staked * pays, 0)}


def audited(log: dict[str, Any], **options: Any) -> Any:
    """The report of an audit, which can be written whatever the amounts are."""
    report = pf.audit(log, pf.Dice(), bet=BET, **options)
    assert report.verification.ok
    json.dumps(report.to_dict(), allow_nan=False)
    assert str(report)
    return report


def found_in(log: dict[str, Any], kind: str) -> Any:
    return {one.kind: one for one in audited(log).findings}[kind]


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize(
    "stakes",
    [
        [1e301] + [1.0] * 199,
        [1.0] * 199 + [1e301],
        [8e307] * 5 + [1.0] * 195,
        [8e307, 3e307] * 100,
        [np.finfo(float).max, 1.0] * 100,
        [1e-8] + [1e300] * 199,
        [1e-300] + [1e300] * 199,
        [5e-324] + [1.0] * 199,
        [1e-8, 5.0, 1e12, 1e20, 1e100] * 40,
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "more", [{}, {"player": ["a", "b"] * 100}, {"currency": ["BTC", "JPY"] * 100}], ids=str
)
def test_no_stake_ends_an_audit(stakes: list[float], more: dict[str, Any]) -> None:
    report = audited(bets_of(np.minimum(stakes, 9e307)) | more)
    assert kinds_of(report) - {"server_seed_shared"} == set()
    for paid in 0.0, np.nan:
        audited(bets_of(stakes, pays=paid) | more)
    refunded = {"payout": stakes, "status": ["void"] * 200}
    assert kinds_of(audited(bets_of([1.0] * 200) | {"stake": stakes} | refunded | more)) <= {
        "server_seed_shared"
    }


@pytest.mark.parametrize("ratio", [1e10, 1e19, 1e20, 1e21, 1e40])
@pytest.mark.parametrize("first", [1e-8, 1.0])
def test_a_stake_far_above_the_first_is_no_evidence(first: float, ratio: float) -> None:
    """A coin of wei, then one of ether: sums of both sizes cancel to rounding errors."""
    for seed in range(4):
        for large in slice(1, None), slice(1, 2), slice(-1, None):
            stakes = np.full(60, first)
            stakes[large] = first * ratio
            assert kinds_of(audited(bets_of(stakes, seed))) == set()


@pytest.mark.parametrize("first", [100.0, 0.01, 1e-8, 1e-12])
def test_large_stakes_that_lose_are_evidence_whatever_the_first_was(first: float) -> None:
    stakes = np.array([first] + [100.0, 101.0] * 2000) * 1e6
    log = bets_of(stakes)
    lost = log["outcome"] >= 50
    some = np.append(0, np.flatnonzero(lost)[:1500])  # the first row, and losses
    report = audited({name: value if isinstance(value, str) else value[some] for name, value in log.items()})
    lows = [one.pvalue for one in report.findings if one.kind == "return_low"]
    assert len(lows) == 2
    assert max(lows) < 1e-50


# ---- large amounts ----


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("more", [{}, {"currency": "USD"}, {"currency": "BTC"}], ids=str)
@pytest.mark.parametrize(
    ("stake", "short"),
    [
        (CENT, 1000.01),
        (CENT, 2.5),
        (9e10 + 0.25, 30.0),
        (5e10 + 0.001, 40.0),
        (2e10 + 0.125, 3.0),
        (1e20 + 1e5, 1e11),
    ],
)
def test_payouts_short_by_a_billionth_of_large_stakes_are_found(
    stake: float, short: float, more: dict[str, str], as_text: bool
) -> None:
    log = bets_of([stake] * 200)
    won = log["payout"] > 0
    assert kinds_of(audited(log | more)) == set()
    log["payout"] = np.where(won, log["payout"] - short, 0)
    if as_text:
        log |= {name: [f"{amount:.3f}" for amount in log[name]] for name in ("stake", "payout")}
    found = found_in(log | more, "payout_mismatch")
    assert (found.severity, found.rows) == ("proof", tuple(np.flatnonzero(won).tolist()))


@pytest.mark.parametrize(
    ("stake", "decimals"), [(CENT, 2), (CENT, 0), (9e10 + 0.25, 2), (1e8 + 0.004, 3), (7e9 + 0.5, 1)]
)
@pytest.mark.parametrize("rounded", [np.floor, np.rint, np.ceil])
def test_large_payouts_may_be_rounded(stake: float, decimals: int, rounded: Any) -> None:
    log = bets_of([stake, stake + 10.0] * 100)
    log["payout"] = rounded(log["payout"] * 10**decimals) / 10**decimals
    assert kinds_of(audited(log)) == set()


def test_rows_that_were_compared_less_closely_are_counted() -> None:
    log = bets_of([1.23456789012345e21, 1.0] * 100)
    log["payout"] *= 1 + 1e-13
    won = int((log["payout"][::2] > 0).sum())
    (said,) = [one for one in audited(log).unknown if "than a double holds" in one]
    assert said.startswith(f"{won} rows with amounts of more digits than a double holds")
    for stake in 1.0, 100 / 3, 12345.678, 1e20:
        assert not [one for one in audited(bets_of([stake] * 100)).unknown if "than a double" in one]


def test_a_table_that_differs_in_the_ninth_digit_is_said_as_such() -> None:
    log = bets_of([CENT] * 200)
    text = found_in(log | {"payout": log["payout"] * (1 - 1e-9)}, "paytable_differs").text
    assert "pays 1.97999999" in text
    assert "instead of 1.98." in text


# ---- stakes that follow the result ----


def follow(
    won: np.ndarray, of_won: list[float], of_lost: list[float], share: float, seed: int = 1
) -> np.ndarray:
    """Stakes drawn from one list for wins and another for losses, in a share of the rows."""
    rng = np.random.default_rng(seed)
    by_result = np.where(won, rng.choice(of_won, len(won)), rng.choice(of_lost, len(won)))
    any_ = rng.choice([*of_won, *of_lost], len(won))
    return np.where(rng.random(len(won)) < share, by_result, any_)


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize(
    ("of_won", "of_lost", "share"),
    [
        ([9], [10], 1),
        ([10], [9], 1),
        ([9], [10], 0.2),
        ([1, 2, 5], [1.5, 2.5, 6], 1),
        ([9.99], [10], 1),
        ([1e12], [1.1e12], 1),
        ([0.00000009], [0.0000001], 1),
    ],
)
@pytest.mark.parametrize("more", [{}, {"currency": ["EUR", "usd"] * 1500}], ids=["plain", "currencies"])
def test_stakes_that_follow_the_result_are_found(
    of_won: list[float], of_lost: list[float], share: float, more: dict[str, Any]
) -> None:
    log = bets_of([1.0] * 3000)
    won = log["payout"] > 0
    log["stake"] = follow(won, of_won, of_lost, share)
    log["payout"] = np.where(won, log["stake"] * 1.98, 0)
    found = found_in(log | more, "return_by_amount")
    assert found.severity == "evidence"
    assert found.pvalue < 1e-6
    _, merged = reports_in_pieces(log | more, [1, 1000, 2321], pf.Dice(), BET)
    assert found in merged.findings


@pytest.mark.parametrize("system", ["any", "doubled", "after wins"])
def test_stakes_that_follow_earlier_results_are_honest(system: str) -> None:
    for seed in range(15):
        log = bets_of([1.0] * 400, seed)
        won, stakes = log["payout"] > 0, [1.0]
        rng = np.random.default_rng(seed)
        for before in won[:-1]:
            again = {"any": rng.choice([9.0, 10.0]), "doubled": 1.0 if before else 2 * stakes[-1]}
            stakes.append(again.get(system, 9.0 if before else 10.0))
        log["stake"] = np.array(stakes)
        log["payout"] = np.where(won, log["stake"] * 1.98, 0)
        assert kinds_of(audited(log)) == set()


def test_of_more_stakes_than_are_counted_the_report_says_so() -> None:
    said = [
        [one for one in audited(bets_of(np.arange(1.0, many))).unknown if "set when the result" in one]
        for many in (4000, 5000)
    ]
    assert (len(said[0]), len(said[1])) == (0, 1)


# ---- an insider whose payouts are rounded up ----


@pytest.mark.parametrize("most", [10, 100, 1000, 10_000, 100_000, 800_000])
@pytest.mark.parametrize("honest", [False, True])
def test_an_insider_is_rounded_up_in_whole_units(most: int, honest: bool) -> None:
    rng = np.random.default_rng(most)
    log = bets_of(rng.integers(most // 2, most, 3000))
    log |= {"player": rng.choice(["insider", *(f"p{n}" for n in range(20))], 3000), "currency": "JPY"}
    cents = np.rint(log["payout"] * 100).astype(np.int64)
    insider = (log["player"] == "insider") & (not honest)
    log["payout"] = np.where(insider, -(-cents // 100), cents // 100)
    assert ("rounding_by_player" in kinds_of(audited(log))) != honest


# ---- amounts that their cells can't hold ----


def _cents(low: float, high: float, seed: int = 0) -> dict[str, Any]:
    """A log of bets in cents, with payouts rounded down, as Decimals."""
    rng = np.random.default_rng(seed)
    stakes = [Decimal(f"{stake:.2f}") for stake in np.exp(rng.uniform(np.log(low), np.log(high), 300))]
    log = rounds_of(pf.Dice(), len(stakes), seed)
    due = [stake * Decimal("1.98") * (roll < 50) for stake, roll in zip(stakes, log["outcome"], strict=True)]
    return log | {
        "stake": stakes,
        "payout": [amount.quantize(Decimal("0.01"), "ROUND_DOWN") for amount in due],
    }


def _stored(log: dict[str, Any], store: Any) -> dict[str, Any]:
    amounts = {name: np.array([float(amount) for amount in log[name]]) for name in ("stake", "payout")}
    return log | {name: store(amount) for name, amount in amounts.items()}


@pytest.mark.parametrize("low", [1e6, 2e7, 4e7, 8e7])
@pytest.mark.parametrize("store", [np.array, lambda cells: [f"{cell:.2f}" for cell in cells]])
def test_millions_in_cents_are_cents(low: float, store: Any) -> None:
    """The double of 67251595.76 times 1e8 ends in 1."""
    log = _cents(low, 1.1 * low)
    assert kinds_of(audited(_stored(log, store))) == set()
    won = np.flatnonzero(np.array(log["payout"], float) > 0).tolist()
    log["payout"][won[3]] -= Decimal("0.02")
    assert found_in(_stored(log, store), "payout_mismatch").rows == (won[3],)


@pytest.mark.parametrize("low", [1, 1e9, 1e11, 1e20])
@pytest.mark.parametrize("store", [np.array, np.float32])
def test_profits_of_any_size_are_profits(low: float, store: Any) -> None:
    log = _cents(low, 80 * low)
    log["payout"] = [paid - stake for paid, stake in zip(log["payout"], log["stake"], strict=True)]
    report = audited(_stored(log, store))
    assert kinds_of(report) == set()
    assert any("agree with the bet as profits" in text for text in report.unknown)


@pytest.mark.parametrize("stake", [9_876_543_210_987_654, 50_000_000_000_000_007, 10**18])
def test_profits_in_wei_are_profits(stake: int) -> None:
    log = rounds_of(pf.Dice(), 300, 1) | {"currency": "wei", "stake": [stake] * 300}
    third = pf.Dice().bet(Fraction(300, 101), under=33.33)
    log["payout"] = [stake * 300 // 101 - stake if roll < 33.33 else -stake for roll in log["outcome"]]
    report = pf.audit(log, "dice", bet=third)
    assert kinds_of(report) == set()
    assert any("agree with the bet as profits" in text for text in report.unknown)
    won = int(np.flatnonzero(np.array(log["payout"]) > 0)[3])
    log["payout"][won] -= stake // 10**8
    assert "payout_mismatch" in kinds_of(pf.audit(log, "dice", bet=third))


SINGLES: dict[str, Any] = {
    "numpy": np.float32,
    "big endian": lambda cells: cells.astype(">f4"),
    "list": lambda cells: list(cells.astype("f4")),
    "objects": lambda cells: np.array(list(cells.astype("f4")), object),
    "masked": lambda cells: np.ma.array(cells.astype("f4"), mask=False),
    "arrow": lambda cells: pytest.importorskip("pyarrow").array(cells.astype("f4")),
    "nullable": lambda cells: pytest.importorskip("pandas").Series(cells.astype("f4")).astype("Float32"),
    "polars": lambda cells: pytest.importorskip("polars").Series(cells.astype("f4")),
}


@pytest.mark.parametrize("form", SINGLES)
def test_32_bit_amounts_agree_with_all_that_rounds_to_them(form: str) -> None:
    log = _cents(1, 1e9)
    report = audited(_stored(log, SINGLES[form]))
    assert kinds_of(report) == set()
    (said,) = [one for one in report.unknown if "32-bit" in one]
    assert 30 < int(said.split()[0]) < 150
    won = max(range(300), key=lambda row: log["payout"][row])
    log["payout"][won] -= 128  # two neighbors of 1e9
    found = found_in(_stored(log, SINGLES[form]), "payout_mismatch")
    assert (found.severity, found.rows) == ("proof", (won,))


@pytest.mark.one_case_in(4)
@pytest.mark.parametrize("low", [10, 1e3, 1e6, 1e10, 1e20, 1e23])
@pytest.mark.parametrize(
    "more", [{}, {"currency": ["USD", "EUR", "IDR"] * 100}, {"player": ["a", "b"] * 150}]
)
def test_32_bit_amounts_of_any_size(low: float, more: dict[str, Any]) -> None:
    log = _stored(_cents(low, 90 * low), np.float32) | more
    assert kinds_of(audited(log)) <= {"server_seed_shared"}
    for name in "stake", "payout":  # and one of both alone
        assert kinds_of(audited(_cents(low, 90 * low) | {name: log[name]} | more)) <= {"server_seed_shared"}
    log["payout"] *= np.float32(1 - 1e-6)
    assert "payout_mismatch" in kinds_of(audited(log))


def test_a_32_bit_stake_of_all_rows() -> None:
    log = bets_of([131072.01] * 200)
    del log["stake"]
    assert kinds_of(audited(log, constants={"stake": np.float32(131072.01)})) == set()
    assert kinds_of(audited(log, constants={"stake": 131072.02})) >= {"payout_mismatch"}


def test_a_last_place_that_32_bit_amounts_leave_open_is_told() -> None:
    log = bets_of([10.0] * 200)
    assert not any("32-bit" in text for text in audited(_stored(log, np.float32)).unknown)
    log["payout"][int(np.argmax(np.array(log["payout"], float) > 0))] -= 0.01
    assert any("1 row with amounts in 32-bit" in text for text in audited(_stored(log, np.float32)).unknown)
