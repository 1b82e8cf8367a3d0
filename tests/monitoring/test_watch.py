"""Watching returns: evidence, Holm's method, windows, persistent and shared state, and crashes."""

from __future__ import annotations

import functools
import json
import math
import os
import pickle
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import provably_fair as pf
import pyarrow as pa
import pytest
from provably_fair.bets import Bet
from provably_fair.bets.wagers import WAGERS, Looks
from provably_fair.cli import run
from provably_fair.monitoring import Watch, load_rules, parts
from provably_fair.monitoring.state import State
from provably_fair.sources import MissingColumnError
from provably_fair.verification import amounts
from provably_fair.verification.amounts import read_paid
from scipy import special, stats

DICE = pf.Dice().bet(1.98, under=50)
SKEWED = Bet(pf.Distribution([0, 1, 1000], [6000, 3997, 3]), None)  # type: ignore[arg-type]
DAY = 86_400


def batch(day, rows=400, game="dice", bet=DICE, rng=None, **more):
    rng = rng or np.random.default_rng(day)
    times = day * DAY + np.sort(rng.integers(DAY, size=rows))
    return {"game": game, "time": times, "payout": bet.law.rvs(rows, rng), **more}


def everything(path):
    with sqlite3.connect(path) as base:
        names = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(base.execute(f"SELECT * FROM {name}").fetchall()) for name in names}


def test_evidence_of_the_whole_history_is_that_of_its_definition():
    rng = np.random.default_rng(1)
    watch = Watch(SKEWED, windows=["all"])
    law, off, ratios = SKEWED.law, [], []
    largest = None
    for name in "abc":
        stakes = rng.choice([1.0, 2.0, 5.0], 50)
        returns = law.rvs(50, rng)
        watch.update({"payout": returns * stakes, "stake": stakes}, name)
        largest = stakes[0] if largest is None else largest
        off.append((returns - law.mean()) / law.std())
        ratios.append(np.minimum(stakes / largest, 1))
        largest = max(largest, stakes.max())
    off, ratios = np.concatenate(off), np.concatenate(ratios)
    wealths = []
    for sign in (-1, 1):
        for wager in sign * WAGERS:
            for shares in (ratios, np.ones(150)):
                steps = [
                    wager * share * x
                    - math.log(
                        float(
                            law.probabilities
                            @ np.exp(wager * share * (law.outcomes - law.mean()) / law.std())
                        )
                    )
                    for share, x in zip(shares, off, strict=True)
                ]
                wealths.append(sum(steps))
    expected = special.logsumexp(wealths) - math.log(len(wealths))
    looks = watch._state.ask("SELECT logarithm FROM looks ORDER BY batch")
    assert looks[-1]["logarithm"] == pytest.approx(expected, rel=1e-9)


def test_windows_are_mixtures_of_those_who_begin_each_day():
    watch = Watch(DICE, windows=["2d"])
    days = [0, 1, 2, 5]
    for day in days:
        watch.update(batch(day, 50) | {"game": "x"})
    one = Watch(DICE, windows=["all"])
    steps = {}
    for day in days:
        one = Watch(DICE, windows=["all"])
        one.update({"payout": batch(day, 50)["payout"]}, "day")
        steps[day] = np.frombuffer(one._state.ask("SELECT steps FROM segments")[0]["steps"])
    wealth = lambda *of: special.logsumexp(sum(steps[d] for d in of)) - math.log(len(steps[0]))  # noqa: E731
    begun = [wealth(0, 1), wealth(1, 2), wealth(2), wealth(5)]
    weights = [1 / 2, 1 / 6, 1 / 12, 1 / 20]
    expected = math.log(sum(w * math.exp(x) for w, x in zip(weights, begun, strict=True)) + 1 / 5)
    assert watch._state.ask("SELECT logarithm FROM looks WHERE batch = 4")[0]["logarithm"] == pytest.approx(
        expected
    )


def test_windows_of_rounds_are_mixtures_of_those_who_begin_at_each_tenth():
    returns = DICE.law.rvs(73, np.random.default_rng(5))
    watch = Watch(DICE, windows=["50r", "20r"])  # in tenths of ten rounds, so one by one
    watch.update({"payout": returns}, "day")
    market = Looks(DICE.law)
    steps = [
        market.steps(np.ones(1), np.ones(1), np.array([amount - DICE.law.mean()]), 1.0)[0]
        for amount in returns
    ]
    found = []
    for length in (50, 20):
        wealths = [
            market.logarithm(sum(steps[begin : begin + length])) - math.log((begin + 1) * (begin + 2))
            for begin in range(73)
        ]
        found.append(special.logsumexp([*wealths, -math.log(74)]))
    expected = special.logsumexp(found) - math.log(2)
    (look,) = watch._state.ask("SELECT logarithm FROM looks")
    assert look["logarithm"] == pytest.approx(expected, rel=1e-9)
    assert [band.bets for band in watch.report().segments[0].bands] == [73, 50, 20]


def test_windows_of_rounds_do_not_depend_on_how_bets_come():
    """Closed windows are equal; evidence has been looked at once more, so its maximum may differ."""
    returns = DICE.law.rvs(1000, np.random.default_rng(6))
    whole, parted = (Watch(DICE, windows=["200r"]) for _ in range(2))
    whole.update({"payout": returns}, "whole")
    for first in range(0, 1000, 70):
        parted.update({"payout": returns[first : first + 70]}, f"from {first}")
    ask = "SELECT bucket, begun, counts FROM buckets ORDER BY bucket"
    assert [tuple(row) for row in whole._state.ask(ask)] == [tuple(row) for row in parted._state.ask(ask)]
    looks = [watch._state.ask("SELECT logarithm FROM looks")[-1][0] for watch in (whole, parted)]
    assert looks[0] == pytest.approx(looks[1], rel=1e-9)


def test_a_fault_of_some_rounds_within_one_batch_is_seen():
    returns = DICE.law.rvs(20_000, np.random.default_rng(7))
    returns[9000:9300] = 0
    assert Watch(DICE, windows=["1000r"]).update({"payout": returns}, "day").alarms


def test_parts_that_others_count(tmp_path):
    options = {"by": ["channel"], "windows": ["all", "1d", "100r"]}
    batches = [batch(day, channel=["web", "app"] * 200) for day in range(3)]
    whole = Watch({"dice": DICE}, state=tmp_path / "whole.db", **options)
    for rows in batches:
        whole.update(rows)
    parted = Watch({"dice": DICE}, state=tmp_path / "parted.db", **options)
    reader = pickle.loads(pickle.dumps(parted.reader))
    for part in [pickle.loads(pickle.dumps(reader.read(rows))) for rows in batches]:
        parted.add(part)
    assert everything(tmp_path / "whole.db") == everything(tmp_path / "parted.db")
    with pytest.raises(ValueError, match=r"^batch must be new"):
        parted.add(reader.read(batches[1]))
    with pytest.raises(ValueError, match=r"^part must be read for the same bets"):
        Watch({"dice": DICE}, **(options | {"by": []})).add(reader.read(batches[1]))
    with pytest.raises(TypeError, match=r"^part must be what a watch's reader returns, got dict"):
        parted.add({})


def test_how_a_file_is_read_changes_nothing(tmp_path, monkeypatch):
    rows = batch(0, channel=["web", "app", "web", "shop"] * 100, stake=[1.0, 2.5] * 200)
    rows["payout"] = rows["payout"] * rows["stake"]
    rows["payout"][[5, 333]] = 0.7
    for name, most in (("whole", 1 << 20), ("parted", 30)):
        monkeypatch.setattr(parts, "_ROWS_AT_A_TIME", most)
        monkeypatch.setattr(parts, "read_paid", functools.partial(in_pieces, size=most))
        options = {"by": ["channel", "stake"], "windows": ["all", "6h", "40r"]}
        Watch({"dice": DICE}, state=tmp_path / f"{name}.db", **options).update(rows)
    assert everything(tmp_path / "whole.db") == everything(tmp_path / "parted.db")


def test_amounts_may_lie_anywhere_in_memory():
    lying = np.frombuffer(b"." + np.arange(3.0).tobytes(), np.uint8)[1:].view(np.float64)
    assert not lying.flags.aligned
    (paid,) = amounts.read_paid({"payout": lying})
    assert paid.returns.tolist() == [0, 1, 2]


def in_pieces(log, size, **options):
    (whole,) = amounts.read_paid(log, **options)
    for first in range(0, len(whole.returns), size):
        some = slice(first, first + size)
        others = {name: (texts, codes[some]) for name, (texts, codes) in whole.others.items()}
        cells = {name: values[some] for name, values in whole.cells.items()}
        columns = (whole.returns[some], whole.stakes[some], whole.refunds[some], first, others)
        yield amounts.AmountColumns(*columns, whole.times[some], None, cells, whole.telling)


def test_rows_are_counted_where_their_buckets_stakes_and_amounts_are_too_many_for_a_key():
    rng = np.random.default_rng(1)
    rows = 70_000
    buckets, stakes = np.arange(rows), rng.permutation(rows) + 1.0
    places = rng.integers(0, 2**31 - 1, rows)
    assert rows**2 * int(places.max()) > 2**63
    counted = parts.count_rows(np.repeat(buckets, 2), np.repeat(stakes, 2), np.repeat(places, 2))
    for found, expected in zip(counted, (buckets, stakes, places, np.full(rows, 2)), strict=True):
        assert np.array_equal(found, expected)


@pytest.mark.parametrize("window", ["15r", "0r", "5m", "r", "1.5d", 5])
def test_windows_that_are_none(window):
    with pytest.raises(ValueError, match=r'^windows must be "all", hours, days or a multiple of ten rounds'):
        Watch(DICE, windows=[window])
    with pytest.raises(ValueError, match=r'^windows must be "all", .* got 5'):
        Watch(DICE, windows=5)  # type: ignore[arg-type]
    for by in (5, ["channel", ""]):  # a segment without a column is a whole game
        with pytest.raises(TypeError, match=r"^by must be different names of columns, got "):
            Watch(DICE, by=by)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^windows of rounds must be at most 1,000 times"):
        Watch(DICE, windows=["10r", "10010r"])


def test_a_fault_is_found_with_its_batch_and_rows():
    watch = Watch({"dice": DICE, "other": DICE}, by=["channel"])
    channels = {"channel": ["web", "app"] * 200}
    for day in range(4):
        watch.update(batch(day, **channels))
        watch.update(batch(day, game="other", rng=np.random.default_rng(day + 50), **channels))
    assert watch.report().ok
    for day in range(4, 8):
        rows = batch(day, **channels)
        rows["payout"][1::2] *= np.random.default_rng(day).random(200) < 0.6  # one channel pays less
        watch.update(rows)
    alarm = next(alarm for alarm in watch.alarms if alarm.field)
    assert (alarm.game, alarm.field, alarm.value) == ("dice", "channel", "app")
    assert alarm.evalue >= 100
    assert all(row % 2 for row in alarm.rows)
    assert alarm.first >= 3200
    assert not any(alarm.value == "web" or alarm.game == "other" for alarm in watch.alarms)


def test_holm_leaves_the_share_of_who_alarmed_to_the_others():
    watch = Watch({"a": DICE, "b": DICE}, windows=["all"], level=0.05)
    watch.update({"game": ["a"] * 60, "payout": [0.0] * 60}, "all")
    assert [alarm.game for alarm in watch.alarms] == ["a"]
    losses, evidence = 0, []
    while len(watch.alarms) < 2:
        losses += 1
        watch.update({"game": ["b"], "payout": [0.0]}, f"loss {losses}")
        evidence.append(watch.report().segments[1].evalue)
    assert evidence[-2] < 20 <= evidence[-1] < 40  # 1/0.05, no longer 2/0.05


def test_an_impossible_payout_is_an_alarm_at_once():
    watch = Watch(DICE, windows=["all"])
    watch.update({"payout": [0, 1.98, 1.97, 0]}, "day")
    assert watch.alarms[0].evalue == math.inf
    assert watch.alarms[0].rows == (2,)
    assert json.loads(watch.report().to_json())["alarms"][0]["evalue"] == "inf"
    assert Watch(DICE, windows=["all"], within=0.01).update({"payout": [1.97], "id": 1}).report().ok


def stakes_of(rows, rng):
    stakes = rng.choice([1.0, 2.0, 0.5], rows)
    return stakes, DICE.law.rvs(rows, rng) * stakes


@pytest.mark.parametrize(
    "name", ["amount", "Amount", "wager", "Bet", "bet_amount", "Bet_Amount", "BetAmount", "STAKE"]
)
def test_stakes_under_their_usual_names(name):
    stakes, paid = stakes_of(3000, np.random.default_rng(3))
    report = Watch(DICE, by=["stake"], windows=["all"]).update({name: stakes, "payout": paid}, "day").report()
    assert report.ok
    assert report.segments[0].bets == 3000
    assert report.segments[0].staked == stakes.sum()


@pytest.mark.parametrize("name", ["Bet Size", "amount_usd", "Stakes", "wagered", "total_stake (EUR)"])
def test_a_stake_of_1_must_be_said_beside_what_may_be_one(name):
    stakes, paid = stakes_of(300, np.random.default_rng(3))
    rows, watch = {name: stakes, "payout": paid}, Watch(DICE, windows=["all"])
    with pytest.raises(MissingColumnError) as error:
        watch.update(rows, "day")
    assert error.value.columns == ("stake",)
    assert f"columns={{'stake': {name!r}}}" in str(error.value)
    assert "constants={'stake': 1} says that all stakes are 1" in str(error.value)
    assert watch.report().batches == 0
    assert watch.update(pf.Log(rows, columns={"stake": name}), "day").report().ok
    ones = {name: stakes, "payout": DICE.law.rvs(300, np.random.default_rng(4))}
    report = Watch(DICE, windows=["all"]).update(pf.Log(ones, constants={"stake": 1}), "day").report()
    assert report.ok
    assert "all 1: the logs say so, or have none" in str(report)


def test_impossible_payouts_are_an_alarm_of_their_own(tmp_path):
    rng = np.random.default_rng(5)
    paid = DICE.law.rvs(400, rng)
    paid[[7, 9]] = 0.7, 1.97
    rows = {"game": "dice", "channel": ["web", "app"] * 200, "payout": paid, "stake": [1.0] * 400}
    rows["stake"][3] = 0.0
    state = tmp_path / "state.db"
    watch = Watch({"dice": DICE}, by=["channel"], windows=["all"], state=state)
    watch.update(rows, "Monday").update(rows | {"payout": DICE.law.rvs(400, rng)}, "Tuesday")
    report = watch.report()
    (alarm,) = report.alarms  # not one for each column's value
    assert (alarm.segment, alarm.impossible, alarm.rows, alarm.batch) == ("dice", 2, (7, 9), 1)
    assert (alarm.first, alarm.last, alarm.evalue) == (7, 9, math.inf)
    assert report.segments[0].evalue < 10
    # Every row is a bet that counts, or one that is said not to.
    assert (report.bets, report.segments[0].bets) == (800, 796)
    for text in (str(report), report.to_html().replace("&#x27;", "'")):
        assert "dice: 2 payouts that the bet can't make, first at batch 1" in text
        assert "2 impossible payouts, 2 rows without a stake" in text
    # Evidence is an alarm beside it.
    watch.update(rows | {"payout": [0.0] * 400}, "Wednesday")
    assert [one.impossible for one in watch.alarms if one.game == "dice" and not one.field] == [2, 0]
    watch.close()
    again = Watch({"dice": DICE}, by=["channel"], windows=["all"], state=state)
    assert again.report() == Watch({"dice": DICE}, by=["channel"], windows=["all"], state=state).report()
    assert len(again.alarms) == 4


def test_a_refund_is_no_impossible_payout(tmp_path):
    rows = {
        "nonce": range(6),
        "payout": [1, 0, 1.98, 2, 2, 0],
        "stake": [1, 1, 1, 2, 2, 1],
        "status": ["void", "lost", "", "Refunded ", "settled", "void"],
    }
    watch = Watch(DICE, by=["status"], windows=["all", "10r"], state=tmp_path / "state.db").update(rows)
    # The fifth row's status isn't a refund, nor is the sixth row's payout.
    (alarm,) = (alarm for alarm in watch.alarms if not alarm.field)
    assert alarm.rows == (4,)
    whole, *others = watch.report().segments
    assert (whole.bets, whole.staked, whole.refunded, whole.impossible) == (3, 3, 2, 1)
    assert {one.value: (one.bets, one.refunded) for one in others} == {
        "void": (1, 1), "lost": (1, 0), "": (1, 0), "Refunded ": (0, 1), "settled": (0, 0)
    }  # fmt: skip
    fair = Watch(DICE, windows=["all"]).update({name: cells[:4] for name, cells in rows.items()})
    assert fair.report().ok
    assert fair.report().to_dict()["segments"][0]["refunded"] == 2


def test_statuses_are_read_as_in_audits():
    rows = {"nonce": [0, 1], "payout": [1, 0], "status": ["closed early", "lost"]}
    watch = Watch(DICE, windows=["all"])
    said = r"^log: row 0 has the status 'closed early'; the known words are '', 'settled', .*'returned'$"
    with pytest.raises(pf.LogError, match=said):
        watch.update(rows)
    log = pf.Log(rows, constants={"status": {"closed early": "returned"}})
    assert watch.update(log).report().ok


@pytest.mark.thorough
def test_one_watch_in_eight_threads():
    batches = [batch(day, 40, channel=["web", "app"] * 20) for day in range(64)]
    watch = Watch({"dice": DICE}, by=["channel"], windows=["all"])

    def add(first):
        for rows in batches[first::8]:
            watch.update(rows)
            assert watch.report().segments
            assert watch.alarms == ()

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(add, first) for first in range(8)]:
            done.result(timeout=60)
    one = Watch({"dice": DICE}, by=["channel"], windows=["all"])
    for rows in batches:
        one.update(rows)
    found, expected = watch.report(), one.report()
    assert (found.batches, found.bets) == (64, 2560)
    assert {s.value: (s.bets, round(s.returned, 6)) for s in found.segments} == {
        s.value: (s.bets, round(s.returned, 6)) for s in expected.segments
    }


def test_another_process_goes_on_to_the_same_state(tmp_path):
    options = {"by": ["stake"], "windows": ["all", "1d", "3d"]}
    batches = [batch(day, stake=np.random.default_rng(day).choice([1.0, 2.5], 400)) for day in range(6)]
    for rows in batches:
        rows["payout"] = rows["payout"] * rows["stake"]
    whole = Watch({"dice": DICE}, state=tmp_path / "whole.db", **options)
    for rows in batches:
        whole.update(rows)
        parted = Watch({"dice": DICE}, state=tmp_path / "parted.db", **options)
        parted.update(rows)
        parted.close()
    assert everything(tmp_path / "whole.db") == everything(tmp_path / "parted.db")
    assert b"pickle" not in (tmp_path / "whole.db").read_bytes()


@pytest.mark.parametrize(
    ("bets", "options", "said"),
    [
        ({"dice": SKEWED}, {}, "bets['dice'] pay otherwise"),
        ({"dice": DICE, "more": DICE}, {}, "bets['more'] were not watched"),
        ({"other": DICE}, {}, "bets['dice'] are missing; bets['other'] were not watched"),
        (DICE, {}, "bets['dice'] are missing; bets were not watched"),
        ({"dice": DICE}, {"level": 0.05}, "level was 0.01, not 0.05"),
        ({"dice": DICE}, {"by": ["channel"]}, "by was [], not ['channel']"),
        ({"dice": DICE}, {"windows": ["all"]}, "windows was ['all', '1d', '30d'], not ['all']"),
    ],
)
def test_a_state_of_other_rules_is_refused(tmp_path, bets, options, said):
    path = tmp_path / "state.db"
    Watch(bets, state=path, **options).close()
    # Nothing has been added, so the rules may still change.
    Watch({"dice": DICE}, state=path).update(batch(0)).close()
    with pytest.raises(ValueError, match=r"^state must be of the same rules") as raised:
        Watch(bets, state=path, **options)
    assert f"{said}: restore the rules, or name a new file" in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_state_of_another_format_is_refused(tmp_path):
    path = tmp_path / "state.db"
    Watch({"dice": DICE}, state=path).update(batch(0)).close()
    with sqlite3.connect(path) as base:
        (now,) = base.execute("PRAGMA user_version").fetchone()
    for version, kind in ((0, "an earlier format"), (now + 1, f"the later format {now + 1}")):
        with sqlite3.connect(path) as base:
            base.execute(f"PRAGMA user_version = {version}")
        before = everything(path)
        said = rf"^state must be of format {now}, got '.*state.db' of {kind}: .* or a new file"
        with pytest.raises(ValueError, match=said):
            Watch({"dice": DICE}, state=path)
        assert everything(path) == before


def test_what_is_no_state_is_refused(tmp_path):
    (tmp_path / "no.db").write_text("no database, but text that is longer than its header would be" * 30)
    with pytest.raises(ValueError, match=r"^state must be a database of a watch, got"):
        Watch(DICE, state=tmp_path / "no.db")
    with pytest.raises(ValueError, match=r"^state must be a database of a watch, got"):
        Watch(DICE, state=tmp_path / "no such folder" / "state.db")
    with sqlite3.connect(tmp_path / "other.db") as base:
        base.execute("CREATE TABLE casino (name TEXT)")
    with pytest.raises(ValueError, match=r"^state must be a database of a watch, or a new file; .*: casino$"):
        Watch(DICE, state=tmp_path / "other.db")
    assert everything(tmp_path / "other.db") == {"casino": []}
    path = tmp_path / "state.db"
    path.touch()
    with pytest.raises(ValueError, match=r"^state must be .*state.db' is empty: restore or delete it"):
        Watch(DICE, state=path)
    assert path.read_bytes() == b""
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE casino (name TEXT)")
        base.execute("DROP TABLE casino")
    base.close()
    with pytest.raises(
        ValueError, match=r"^state must be a database of a watch, or a new file; .* no tables$"
    ):
        Watch(DICE, state=path)


@pytest.mark.parametrize(
    "change",
    [
        *(f"DROP TABLE {name}" for name in ("rules", "batches", "segments", "buckets", "looks", "alarms")),
        *(f"DELETE FROM {name}" for name in ("rules", "batches", "segments", "looks")),
        "DELETE FROM batches WHERE batch = 1",
        "DELETE FROM looks WHERE batch = 3",
        "UPDATE batches SET rows = 300 WHERE batch = 2",
        "UPDATE segments SET bets = 3",
        "UPDATE segments SET steps = substr(steps, 1, 13)",
        "UPDATE buckets SET counts = x''",
        *(f"UPDATE segments SET weight = {share}" for share in ("0", "-0.5", "2", "1e999", "0.9", "'much'")),
        *(f"UPDATE segments SET {name} = 'x'" for name in ("largest", "best", "staked", "returned")),
        "UPDATE segments SET staked = -1",
        "UPDATE segments SET impossible = -3",
    ],
)
def test_a_state_that_lacks_something_is_refused(tmp_path, change):
    path = tmp_path / "state.db"
    watch = Watch({"dice": DICE}, by=["channel"], state=path)
    for day in range(3):
        watch.update(batch(day, channel=["web", "app"] * 200))
    watch.close()
    with sqlite3.connect(path) as base:
        base.execute(change)
    base.close()
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"^state must be "):
        Watch({"dice": DICE}, by=["channel"], state=path)
    assert path.read_bytes() == before


def test_a_state_with_damaged_bytes_is_refused_or_the_same(tmp_path):
    path = tmp_path / "state.db"
    Watch({"dice": DICE}, state=path).update(batch(0)).update(batch(1)).close()
    whole = path.read_bytes()
    for size in (1, 99, 100, 4096, len(whole) // 2, len(whole) - 4096, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"^state must be "):
            Watch({"dice": DICE}, state=path)
    for page in range(len(whole) // 4096):
        path.write_bytes(whole[: page * 4096] + bytes(4096) + whole[(page + 1) * 4096 :])
        with pytest.raises(ValueError, match=r"^state must be "):
            Watch({"dice": DICE}, state=path)
    path.write_bytes(whole)
    assert Watch({"dice": DICE}, state=path).report().batches == 2


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            {"game": ["chess"], "payout": [0], "time": [0]},
            "games that are watched, 'dice', got 'chess'",
        ),
        ({"game": ["dice"], "payout": ["x"], "time": [0]}, "log: row 0 has a payout that is no number"),
        ({"game": ["dice"], "payout": [0], "time": ["x"]}, "log: row 0 has a time that can't be read"),
        ({"game": ["dice"], "payout": [0]}, "log: no column 'time'"),
        ({"game": [], "payout": [], "time": []}, "batch must not be empty"),
    ],
)
def test_what_cannot_be_read_changes_nothing(tmp_path, rows, said):
    watch = Watch({"dice": DICE}, state=tmp_path / "state.db").update(batch(0))
    before = everything(tmp_path / "state.db")
    with pytest.raises(ValueError, match=said):
        watch.update(rows)
    assert everything(tmp_path / "state.db") == before


def test_times_are_read_in_the_one_format_that_fits_them():
    rows = {"game": ["dice"] * 2, "payout": [0.0, 1.98]}
    with pytest.raises(ValueError, match="may be 2024-02-01T00:00:00 by time_formats="):
        Watch({"dice": DICE}).update({**rows, "time": ["1/2/2024", "2/3/2024"]})
    with pytest.raises(ValueError, match="row 1 has a time that can't be read"):
        Watch({"dice": DICE}).update({**rows, "time": ["31.12.2024 10:00:00", "n/a"]})
    told = {**rows, "time": ["31.12.2024 10:00:00", "31.12.2024 11:00:00"]}
    (paid,) = read_paid(told, timed=True)
    assert paid.times.tolist() == [1_735_639_200_000_000, 1_735_642_800_000_000]
    log = pf.Log({**rows, "time": ["1/2/2024", "2/3/2024"]}, time_formats={"time": "month-first"})
    (paid,) = read_paid(log, timed=True)
    assert paid.times.tolist() == [1_704_153_600_000_000, 1_706_918_400_000_000]


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, and a signal that can't be caught")
def test_killed_at_any_of_ten_writes_the_state_is_that_before(tmp_path):
    rows = [batch(day, channel=["web", "app"] * 200) for day in (0, 1)]
    whole = Watch({"dice": DICE}, by=["channel"], state=tmp_path / "whole.db").update(rows[0])
    before = everything(tmp_path / "whole.db")
    whole.update(rows[1])
    after = everything(tmp_path / "whole.db")
    for place in range(10):
        path = tmp_path / f"{place}.db"
        Watch({"dice": DICE}, by=["channel"], state=path).update(rows[0]).close()
        child = os.fork()
        if not child:
            _die_at(place, path, rows[1])
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert everything(path) == before
        Watch({"dice": DICE}, by=["channel"], state=path).update(rows[1])
        assert everything(path) == after


def test_where_the_disk_is_full_the_state_is_that_before(tmp_path):
    state = tmp_path / "state.db"
    watch = Watch({"dice": DICE}, state=state).update(batch(0))
    before = everything(state)
    ((pages,),) = watch._state.ask("PRAGMA page_count")
    watch._state.ask(f"PRAGMA max_page_count = {pages}")

    def go_on():
        nonlocal before
        for day in range(1, 99):
            watch.update(batch(day), str(day))
            before = everything(state)

    with pytest.raises(sqlite3.OperationalError, match="disk is full"):
        go_on()
    assert everything(state) == before


def _die_at(place, path, rows):
    """Add a batch in a separate process that dies at a given write."""
    try:
        put, left = State.put, iter(range(place))

        def deadly(self, table, **values):
            if next(left, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return put(self, table, **values)

        watch = Watch({"dice": DICE}, by=["channel"], state=path)
        State.put = deadly
        watch.update(rows)
    finally:
        os._exit(1)


def test_a_verdict_of_one_agrees_with_it():
    watch = Watch({"dice": DICE}, windows=["all"])
    assert "no alarm in 1 segment, 1 bet in 1 batch: " in watch.update(batch(0, rows=1)).report().verdict
    watch.update({"game": "dice", "payout": [5.0], "id": [1]})
    assert "1 alarm in 1 segment, 2 bets in 2 batches: " in watch.report().verdict


def test_bands_beside_the_evidence():
    watch = Watch(SKEWED, windows=["all"]).update({"payout": SKEWED.law.rvs(500, 4)}, "day")
    band = watch.report().segments[0].bands[0]
    wins = stats.binom(500, 3e-4)
    # A win of 1000 lies outside 2.576 standard deviations: nearly the probability of two or more.
    assert band.z_wrong == pytest.approx(float(wins.sf(1)), rel=0.2)
    assert band.high > band.z_high
    assert band.low >= 0


def test_rules_in_a_file(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        'state = "watch.db"\nwindows = ["all"]\nby = ["channel"]\nlevel = 0.001\n'
        '[bets.Dice]\non = "dice"\nunder = 50\npayout = 1.98\n'
        '[bets.Double]\non = "double"\npayout = {0 = 14}\n'
    )
    watch = load_rules(rules)
    assert watch.bets == {"Dice": DICE, "Double": pf.Double().bet({0: 14})}
    assert (watch.level, watch.by) == (0.001, ("channel",))
    assert (tmp_path / "watch.db").exists()
    for text, said in (
        ("level = 1", "there must be a table bets"),
        ("[bets.x]\nunder = 5", "bets.x must be a table with on"),
        ('[bets.x]\non = "dice"\nunder = 200\npayout = 2', "rules.toml: bets.x: under must be from"),
        ('[bets.x]\non = "dcie"', "rules.toml: bets.x: game must be one of .* did you mean 'dice'"),
        ('[bets.x]\non = "double"\npayout = {red = 2}', "bets.x: payout must be by outcomes, .* 'red'"),
        ('[bet]\non = "dice"', "rules.toml: bet: payout must be given"),
    ):
        rules.write_text(text)
        with pytest.raises((TypeError, ValueError), match=said):
            load_rules(rules)


def test_segments_are_named_as_cells_are_written_in_every_container():
    """Blank is a name too, and so are bytes that aren't valid text."""
    cells, paid = [None, "", " ", "a", "b"], [0.0, 14, 0, 0, 0]
    logs = [
        {"payout": paid, "field": cells},
        pd.DataFrame({"payout": paid, "field": cells}),
        pa.table({"payout": paid, "field": pa.array(cells)}),
        pa.table({"payout": paid, "field": pa.array(cells).dictionary_encode()}),
        {"payout": paid, "field": [None, b"", b" ", b"a", "b"]},
    ]
    for log in logs:
        (rows,) = read_paid(log, others=["field"])
        names, codes = rows.others["field"]
        assert [names[code] for code in codes] == ["", "", " ", "a", "b"]
    (rows,) = read_paid({"payout": [0.0, 14], "field": [b"\xff", "a"]}, others=["field"])
    assert rows.others["field"][0] == [r"\xff", "a"]


@pytest.mark.parametrize("option", ["--html", "--report"])
def test_a_report_never_replaces_an_input_or_the_state(option, tmp_path, monkeypatch, capsys):
    """Inputs and the state are refused before counting as well as after."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text(
        'state = "watch.db"\nwindows = ["all"]\n[bets.Dice]\non = "dice"\nunder = 50\npayout = 1.98\n'
    )
    (tmp_path / "log.toml").write_text('columns = {payout = "paid"}\n')
    (tmp_path / "bets.csv").write_text("game,paid\nDice,1.98\nDice,0\n")
    (tmp_path / "more.csv").write_text("game,paid\nDice,1.98\nDice,1.98\n")
    load_rules("rules.toml").close()
    command = ["watch", "rules.toml", "bets.csv", "more.csv", "--config", "log.toml", option]
    for target in "bets.csv", str(tmp_path / "more.csv"), "log.toml", "rules.toml", "watch.db":
        before = {path: path.read_bytes() for path in tmp_path.glob("*.[ct]*")}
        assert run([*command, target]) == 2
        assert f"{option} must be another file than the inputs" in capsys.readouterr().err
        assert {path: path.read_bytes() for path in before} == before
        assert load_rules("rules.toml").report().bets == 0
    assert run([*command, "watch.out"]) == 0
    assert load_rules("rules.toml").report().bets == 4
    assert run(["watch", "rules.toml", option, "watch.db"]) == 2
    assert load_rules("rules.toml").report().bets == 4


def test_a_log_without_times_is_told_of_windows_that_need_none():
    payouts = DICE.simulate(100).tolist()
    with pytest.raises(pf.LogError, match=r"no column 'time'; .*; windows=\[\"all\"\], and those of rounds"):
        Watch(DICE).update({"bet_id": range(100), "payout": payouts})
    with pytest.raises(pf.LogError, match=r"no column 'payout'") as caught:
        Watch(DICE, windows=["all"]).update({"bet_id": range(100), "paid": payouts})
    assert "windows" not in str(caught.value)


def test_columns_are_found_however_they_are_spelled():
    payouts = (2 * DICE.simulate(100)).tolist()
    plain = {"bet_id": range(100), "stake": [2] * 100, "payout": payouts, "time": ["2026-01-01"] * 100}
    names = {"bet_id": "Bet ID", "stake": "Stake", "payout": "Payout", "time": "Date"}
    one, other = (
        Watch(DICE).update({names[name] if spelled else name: column for name, column in plain.items()})
        for spelled in (True, False)
    )
    assert str(one.report()) == str(other.report())
