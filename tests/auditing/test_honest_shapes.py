"""Honest logs that look like frauds at first sight, each next to a real fraud of the same shape."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import ROUND_DOWN, Decimal
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import reports_in_pieces
from oracles.gallery import chain, sha256

DICE = pf.operators.stake.Dice()
TIMES = ("time", "commitment_time", "reveal_time")
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Sydney", "America/Santiago")
Rows = list[dict[str, Any]]


def log_of(rows: Rows, game: Any = DICE) -> dict[str, Any]:
    """Convert rows to columns, with the game's outcomes added."""
    log = {name: [row[name] for row in rows] for name in rows[0]}
    fields = [name for name in game.scheme.fields if name in log]
    given = [np.array(log[name]) if name == "nonce" else log[name] for name in fields]
    return log | {"outcome": game.play(**dict(zip(fields, given, strict=True))).tolist()}


def lives(times: list[Any], each: int = 10) -> Rows:
    """Rounds at the given times, with a new server seed every few rounds, committed right before."""
    rows = []
    for number, time in enumerate(times):
        life, nonce = divmod(number, each)
        server = sha256(f"server {life}")
        row = {"server_seed": server, "client_seed": "client", "nonce": nonce, "time": time}
        begin, end = times[life * each], times[min((life + 1) * each, len(times) - 1)]
        rows.append(row | {"commitment": sha256(server), "commitment_time": begin, "reveal_time": end})
    return rows


def severities(report: Any) -> dict[str, tuple[int, ...]]:
    return {one.kind: one.rows for one in report.findings if one.severity != "note"}


# ---- clocks ----


def test_clocks_of_two_machines_differ_by_less_than_a_second() -> None:
    """Two clocks may differ by 0.9 s, whether or not that crosses a full second."""
    start = datetime(2026, 3, 4, 12, tzinfo=UTC)
    rng = random.Random("clocks")
    for off in (timedelta(seconds=0.9), -timedelta(seconds=0.9)):
        times = [start]
        for _ in range(79):
            times.append(times[-1] + timedelta(seconds=rng.choice([0, 0.2, 3.3])))
        rows = lives(times)
        for row in rows:
            for name in ("commitment_time", "reveal_time"):
                row[name] += off
        for precision in ("milliseconds", "seconds", "minutes"):
            log = log_of(rows)
            for name in TIMES:
                log[name] = [time.isoformat(timespec=precision) for time in log[name]]
            report = pf.audit(log, DICE)
            assert severities(report) == {}
            if precision == "milliseconds":
                assert any("clocks that may differ by a second" in text for text in report.unknown)
    rows = lives(times)
    for row in rows[20:30]:
        row["commitment_time"] = rows[23]["time"] + timedelta(seconds=1.001)
    late = [place for place in range(20, 30) if rows[place]["time"] <= rows[23]["time"]]
    assert severities(pf.audit(log_of(rows), DICE)) == {"commitment_late": tuple(late)}


def test_nonces_within_a_second_may_be_in_any_order_of_time() -> None:
    start = datetime(2026, 3, 4, 12, tzinfo=UTC)
    rng = random.Random("order")
    true = [start + timedelta(seconds=0.3 * number) for number in range(200)]
    logged = [time + timedelta(seconds=rng.uniform(0, 0.9)) for time in true]
    rows = [
        {"server_seed": "server", "client_seed": "client", "nonce": nonce, "time": time}
        for nonce, time in enumerate(logged)
    ]
    assert sorted(logged) != logged
    assert severities(pf.audit(log_of(rows), DICE)) == {}
    rng.shuffle(rows)
    assert severities(pf.audit(log_of(rows), DICE)) == {}


def test_nonces_against_the_order_of_play_are_found_however_fast_it_is() -> None:
    """Two rounds a second with descending nonces: no two are a second apart."""
    start = datetime(2026, 3, 4, 12, tzinfo=UTC)
    rows = [
        {"server_seed": "s", "client_seed": "c", "nonce": n, "time": start - timedelta(seconds=0.5 * n)}
        for n in range(8)
    ]
    assert severities(pf.audit(log_of(rows), DICE)) == {"nonce_order": (3, 4, 5, 6, 7)}
    _, merged = reports_in_pieces(log_of(rows), [*range(1, 8)], DICE)
    assert severities(merged) == {"nonce_order": (3, 4, 5, 6, 7)}


# ---- local times ----


def end_of_summer(zone: str) -> datetime:
    """The time in UTC when clocks were set back in 2024."""
    time = datetime(2024, 1, 1, tzinfo=UTC)
    while (time + timedelta(hours=1)).astimezone(ZoneInfo(zone)).utcoffset() >= (  # type: ignore[operator]
        time.astimezone(ZoneInfo(zone)).utcoffset()
    ):
        time += timedelta(hours=1)
    return time + timedelta(hours=1)


FORMS = {
    "iso": lambda time: time.replace(tzinfo=None).isoformat(),
    "naive": lambda time: time.replace(tzinfo=None),
    "german": lambda time: f"{time:%d.%m.%Y %H:%M:%S}",
    "numpy": lambda time: np.datetime64(time.replace(tzinfo=None)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("zone", ZONES)
def test_an_hour_of_local_times_that_comes_twice(zone: str, form: str) -> None:
    turn = end_of_summer(zone)
    times = [turn + timedelta(minutes=3 * number) for number in range(-150, 150)]
    local = [FORMS[form](time.astimezone(ZoneInfo(zone))) for time in times]
    options = {"time_formats": dict.fromkeys(TIMES, "day-first")} if form == "german" else {}
    report = pf.audit(log_of(lives(local)), DICE, **options)
    assert severities(report) == {}
    told = "without a zone, in a night in which clocks may be turned back"
    assert any(told in text for text in report.unknown)


def test_local_times_beside_times_with_a_zone_are_told() -> None:
    start = datetime(2026, 3, 4, 12, tzinfo=UTC)
    log = log_of(lives([start + timedelta(minutes=number) for number in range(20)]))
    log["commitment_time"] = [time.replace(tzinfo=None) for time in log["commitment_time"]]
    told = "commitment_time without a zone, reveal_time and time with one: whether the former is in UTC"
    for report in reports_in_pieces(log, [7], DICE):
        assert any(told in text for text in report.unknown)
    log["time"] = log["reveal_time"] = log["commitment_time"]
    assert not any("zone" in text for text in pf.audit(log, DICE).unknown)


def test_times_with_a_zone_or_of_other_nights_are_in_order() -> None:
    turn = end_of_summer("Europe/Berlin")
    for start, form in (
        (turn, lambda time: time.isoformat()),
        (turn, lambda time: time.timestamp()),
        (turn + timedelta(days=1), FORMS["iso"]),
    ):
        times = [form(start + timedelta(minutes=3 * number)) for number in range(40)]
        times[15], times[16] = times[16], times[15]
        rows = [
            {"server_seed": "server", "client_seed": "client", "nonce": nonce, "time": time}
            for nonce, time in enumerate(times)
        ]
        assert severities(pf.audit(log_of(rows), DICE)) == {"nonce_order": (16,)}


def test_bets_on_games_of_a_chain_in_an_hour_that_comes_twice() -> None:
    crash = pf.operators.stake.Crash()
    end, *games = chain("an hour", 400)
    turn = end_of_summer("Europe/Berlin")
    times = [turn + timedelta(seconds=30 * number - 5000) for number in range(400)]
    log: dict[str, Any] = {"game_hash": games, "player": "anna", "outcome": crash.play(games).tolist()}
    log["time"] = [FORMS["iso"](time.astimezone(ZoneInfo("Europe/Berlin"))) for time in times]
    assert severities(pf.audit(log, crash, terminating=end)) == {}
    log["time"] = [time.isoformat() for time in times]
    assert severities(pf.audit(log, crash, terminating=end)) == {}
    log["time"][100] = times[102].isoformat()
    assert severities(pf.audit(log, crash, terminating=end)) == {"game_over": (100,)}


# ---- amounts ----


def bets_in(
    currency: str, unit: Decimal, stakes: list[Decimal], *, pays: str = "1.98", game: Any = DICE
) -> dict[str, Any]:
    """Dice bets under 50 with the given stakes; payouts are rounded down to multiples of a unit."""
    log = log_of([{"server_seed": "s", "client_seed": "c", "nonce": n} for n in range(len(stakes))], game)
    paid = [
        (stake * Decimal(pays) / unit).to_integral_value(ROUND_DOWN) * unit if outcome < 50 else Decimal(0)
        for stake, outcome in zip(stakes, log["outcome"], strict=True)
    ]
    log |= {"currency": currency, "stake": [f"{stake:f}" for stake in stakes]}
    return log | {"payout": [f"{amount:f}" for amount in paid]}


BET = DICE.bet(1.98, under=50)


@pytest.mark.parametrize(
    ("currency", "what"),
    [
        ("HUF", "whole"),
        ("IDR", "whole"),
        ("USD", "cents"),
        ("BTC", "satoshis"),
        ("ETH", "gwei"),
        ("KWD", "fils"),
    ],
)
def test_amounts_in_whole_or_minor_units(currency: str, what: str) -> None:
    rng = random.Random(f"{currency} {what}")
    most = {"satoshis": 10**9, "gwei": 10**10, "whole": 10**6}.get(what, 10**5)
    stakes = [Decimal(rng.randint(150, most)) for _ in range(300)]
    log = bets_in(currency, Decimal(1), stakes)
    report = pf.audit(log, DICE, bet=BET)
    assert severities(report) == {}
    (note,) = [one for one in report.findings if one.kind == "payout_mismatch"]
    assert note.severity == "note"
    assert f"constants={{'currency': {{'{currency}': 0}}}}" in note.text
    stated = {"constants": {"currency": {currency: 0}}}
    report = pf.audit(log, DICE, bet=BET, **stated)
    assert [one for one in report.findings if one.kind == "payout_mismatch"] == []
    # A single short payment is still wrong, and so is a systematic one.
    row = next(row for row, paid in enumerate(log["payout"]) if paid != "0")
    shaved = log | {"payout": [*log["payout"][:row], "1", *log["payout"][row + 1 :]]}
    for options in ({}, stated):
        report = pf.audit(shaved, DICE, bet=BET, **options)
        assert row in severities(report)["payout_mismatch"]
    shaved = bets_in(currency, Decimal(1), stakes, pays="1.95")
    assert "payout_mismatch" in severities(pf.audit(shaved, DICE, bet=BET))


def test_small_stakes_in_whole_units_arent_rounded_to_them() -> None:
    """Payouts of 1.98 paid as 1: rounding to whole units would explain the loss of half a stake."""
    rng = random.Random("whole dollars")
    log = bets_in("USD", Decimal(1), [Decimal(rng.randint(1, 20)) for _ in range(200)])
    assert "payout_mismatch" in severities(pf.audit(log, DICE, bet=BET))


def test_other_decimals_are_the_same_in_pieces() -> None:
    rng = random.Random("pieces")
    log = bets_in("HUF", Decimal(1), [Decimal(rng.randint(150, 10**5)) for _ in range(120)])
    whole = pf.audit(log, DICE, bet=BET)
    for report in reports_in_pieces(log, [*range(13, 120, 13)], DICE, BET):
        assert report.findings == whole.findings


# ---- exports that overlap, and times that are lost ----


def exports(count: int = 60, start: int = 20, stop: int = 45) -> tuple[Rows, Rows]:
    """Two overlapping exports of one player's rounds."""
    first = datetime(2026, 3, 4, 12, tzinfo=UTC)
    rows = [
        {**row, "stake": "1.50", "payout": "0", "player": "anna"}
        for row in lives([(first + timedelta(seconds=7 * number)).isoformat() for number in range(count)])
    ]
    return [dict(row) for row in rows[:stop]], [dict(row) for row in rows[start:]]


@pytest.mark.parametrize("order", ["as they are", "backward", "shuffled"])
@pytest.mark.parametrize("lost", ["in both", "in the first", "in the second", "elsewhere", "in many"])
def test_a_lost_time_among_rows_that_overlap(lost: str, order: str) -> None:
    one, other = exports()
    for place in range(20, 45, 2) if lost == "in many" else [30]:
        if lost != "in the second":
            one[5 if lost == "elsewhere" else place]["time"] = None
        if lost not in ("in the first", "elsewhere"):
            other[place - 20]["time"] = None
    rows = one + other
    if order == "backward":
        rows.reverse()
    elif order == "shuffled":
        random.Random("shuffled").shuffle(rows)
    report = pf.audit(log_of(rows), DICE)
    assert severities(report) == {}
    (note,) = [found for found in report.findings if found.kind == "rows_overlap"]
    assert note.count == 25
    assert ("it lacks in" in note.text) == (lost != "elsewhere")
    _, merged = reports_in_pieces(log_of(rows), [*range(17, len(rows), 17)], DICE)
    assert merged.findings == report.findings


@pytest.mark.parametrize("name", ["stake", "player", "payout"])
def test_a_round_without_a_time_that_is_played_again_is_no_overlap(name: str) -> None:
    one, other = exports()
    other[10] |= {"time": None, name: {"stake": "2.50", "player": "boris", "payout": "5.00"}[name]}
    found = severities(pf.audit(log_of(one + other), DICE))
    assert found["nonce_repeated"] == (55,)


def test_rounds_with_and_without_a_time_are_one_too_many() -> None:
    one, other = exports()
    again = {**one[7], "time": None}  # exports overlap nowhere else
    assert severities(pf.audit(log_of([*one, again]), DICE))["nonce_repeated"] == (45,)
    one[30]["time"] = None
    later = {**other[10], "time": "2026-03-05T12:00:00+00:00"}  # the third one of a round
    assert severities(pf.audit(log_of([*one, *other, later]), DICE))["nonce_repeated"] == (85,)


# ---- server seeds of an announced chain ----


def of_a_chain(*, announced: bool, times: bool, nonces: int = 3, seeds: int = 15) -> Rows:
    """Rounds whose server seeds form a hash chain, in either direction."""
    rows = []
    for life, server in enumerate(chain("seeds", seeds - 1)[:: 1 if announced else -1]):
        for nonce in range(nonces):
            row = {"server_seed": server, "client_seed": "client", "nonce": nonce}
            when = datetime(2026, 3, 4, 12, tzinfo=UTC) + timedelta(minutes=nonces * life + nonce)
            rows.append(row | ({"time": when} if times else {}))
    return rows


@pytest.mark.parametrize("times", [True, False])
@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("newest_first", [True, False])
def test_seeds_of_an_announced_chain_in_either_order(
    newest_first: bool, announced: bool, times: bool
) -> None:
    rows = of_a_chain(announced=announced, times=times)[:: -1 if newest_first else 1]
    report = pf.audit(log_of(rows), DICE)
    assert set(severities(report)) == (set() if announced else {"server_seed_hashed"})
    auditor = pf.Auditor(DICE)
    for start in range(len(rows)):
        auditor.update(log_of(rows[start : start + 1]))
    assert auditor.report(last=True).findings == report.findings


def test_seeds_of_a_chain_whose_order_nothing_tells_are_noted() -> None:
    for announced in (True, False):
        rows = of_a_chain(announced=announced, times=False, nonces=1)
        for order in (1, -1):
            report = pf.audit(log_of(rows[::order]), DICE)
            assert severities(report) == {}
            notes = [found.text for found in report.findings if found.kind == "server_seed_hashed"]
            assert len(notes) == (announced == (order == -1))
    for announced in (True, False):  # with few seeds, the nonces show that the oldest row is first
        report = pf.audit(log_of(of_a_chain(announced=announced, times=False, nonces=12, seeds=4)), DICE)
        assert severities(report) == {}
        assert ("server_seed_hashed" in {found.kind for found in report.findings}) != announced
    shuffled = of_a_chain(announced=True, times=False)
    random.Random("shuffled").shuffle(shuffled)
    assert severities(pf.audit(log_of(shuffled), DICE)) == {}


# ---- renamed players ----


def named(players: list[str], each: int = 12) -> Rows:
    """Consecutive rounds of these players, where each continues with the seeds of the one before."""
    start = datetime(2026, 3, 4, 12, tzinfo=UTC)
    rows = lives([start + timedelta(seconds=5 * number) for number in range(each * len(players))], each)
    names = [player for player in players for _ in range(each)]
    shift = each // 2
    return [row | {"player": names[max(place - shift, 0)]} for place, row in enumerate(rows)]


@pytest.mark.parametrize("order", ["as they are", "backward", "shuffled", "by player"])
def test_a_player_takes_another_name(order: str) -> None:
    rows = named(["anna", "anna", "anne", "anne", "annabel"])
    if order == "backward":
        rows.reverse()
    elif order == "shuffled":
        random.Random("shuffled").shuffle(rows)
    elif order == "by player":
        rows.sort(key=lambda row: row["player"])
    report = pf.audit(log_of(rows), DICE)
    assert severities(report) == {}
    (note,) = [found for found in report.findings if found.kind == "server_seed_shared"]
    assert note.details["server_seeds"] == 2


def test_players_who_share_seeds_arent_renamed() -> None:
    """Players share seeds alternately, repeatedly, with their own client seeds, or in larger groups."""
    rows = named(["anna"] * 4)
    for change in (
        lambda place, row: {"player": ("anna", "boris")[place % 2]} if row["nonce"] < 12 else {},
        lambda place, row: {"player": ("anna", "boris")[row["nonce"] > 5]},
        lambda place, row: {"player": "boris", "client_seed": "another"} if 5 < place < 12 else {},
    ):
        changed = [row | change(place, row) for place, row in enumerate(rows)]
        assert "server_seed_shared" in severities(pf.audit(log_of(changed), DICE))


# ---- several games ----


def of_several_games(games: dict[str, Any], parts: dict[str, Rows]) -> Any:
    """Audit the rows of several games in one log."""
    logs = [log_of(rows, games[name]) | {"game": [name] * len(rows)} for name, rows in parts.items()]
    rows = [dict(zip(log, row, strict=True)) for log in logs for row in zip(*log.values(), strict=True)]
    names = dict.fromkeys(name for log in logs for name in log)
    whole = {name: [row.get(name) for row in rows] for name in names}
    report = pf.audit(whole, games, game_column="game")
    assert report.verification.ok
    return report


def salted(server: Any, client: str, salt: Any) -> dict[str, str]:
    return {"server_seed": sha256(f"server {server}"), "client_seed": client, "salt": sha256(f"salt {salt}")}


TIMED = [datetime(2026, 3, 4, 12, 0, second, tzinfo=UTC) for second in range(40)]


def test_players_share_rounds_of_a_game_among_others() -> None:
    games: dict[str, Any] = {"Crash": pf.operators.stake.Crash(), "Dice": DICE}
    hashes = games["Crash"].kind.chain.generate("a secret", games=5).tolist()
    parts = {"Crash": [{"game_hash": one.decode()} for one in hashes for _ in "abc"], "Dice": lives(TIMED)}
    report = of_several_games(games, parts)
    assert not severities(report)
    assert any(text.startswith("games on a chain among others") for text in report.unknown)
    parts["Dice"].append(parts["Dice"][5] | {"time": TIMED[6]})
    assert "nonce_repeated" in severities(of_several_games(games, parts))
    parts["Crash"] = [row | {"time": TIMED[place // 3]} for place, row in enumerate(parts["Crash"])]
    assert severities(of_several_games(games, parts))["nonce_repeated"] == (55,)

    games = {"Crash": pf.Crash(), "Dice": pf.Dice()}
    parts = {"Crash": [salted(i, "block", i) for i in range(5) for _ in "abc"]}
    parts["Dice"] = [salted(i, "me", i) for i in range(5)]
    assert not severities(of_several_games(games, parts))
    parts["Dice"].append(parts["Dice"][0])
    assert [*severities(of_several_games(games, parts)).values()] == [(20,)]
    parts["Crash"] *= 80  # more than a verdict lists
    assert [*severities(of_several_games(games, parts)).values()] == [(1205,)]


def test_seeds_of_several_games_are_compared_as_those_of_one() -> None:
    games: dict[str, Any] = {"Dice": DICE, "Limbo": pf.operators.stake.Limbo()}
    rows = [row | {"nonce": number} for number, row in enumerate(lives(TIMED, each=20))]
    parts = {"Dice": rows[::2], "Limbo": rows[1::2]}
    assert [*severities(of_several_games(games, parts))] == ["server_seed_changed"]

    scheme = replace(DICE.scheme, defaults={"client_seed": ""})
    own = {name: game.with_scheme(scheme) for name, game in games.items()}
    empty = {name: [row | {"client_seed": ""} for row in some[:10]] for name, some in parts.items()}
    assert not severities(of_several_games(own, empty))

    pairs = [{name: row[name] for name in ("server_seed", "client_seed", "nonce")} for row in rows[:20]]
    salts = [salted(number, "me", number % 4) for number in range(5)]
    games = {"Dice": DICE, "Salted": pf.Dice()}
    assert [*severities(of_several_games(games, {"Dice": pairs, "Salted": salts}))] == ["salt_reused"]


def test_a_game_among_others_lacks_fields_of_these() -> None:
    dice = [{name: row[name] for name in ("server_seed", "client_seed", "nonce")} for row in lives(TIMED)]
    fresh = [salted(f"of {number}", "me", number) for number in range(40)]  # a server seed a round
    games: dict[str, Any] = {"Dice": DICE, "Salted": pf.Dice()}
    assert not severities(of_several_games(games, {"Dice": dice, "Salted": fresh}))

    roulette = pf.operators.duel.Roulette()  # without client seeds
    alone = [{name: sha256(f"{name} {number}") for name in roulette.scheme.fields} for number in range(40)]
    games = {"Dice": DICE, "Roulette": roulette}
    assert not severities(of_several_games(games, {"Dice": dice, "Roulette": alone}))
    dice[0]["client_seed"] = ""
    report = of_several_games(games, {"Dice": dice, "Roulette": alone})
    assert severities(report)["client_seed_empty"] == (0,)
    games["Crash"] = pf.operators.stake.Crash()
    hashes = games["Crash"].kind.chain.generate("a secret", games=5).tolist()
    parts = {"Crash": [{"game_hash": one.decode()} for one in hashes], "Roulette": alone}
    assert not severities(of_several_games({name: games[name] for name in parts}, parts))
