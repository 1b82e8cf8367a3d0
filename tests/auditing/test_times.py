"""Times in logs: formats inferred from a whole column, and rows without a time."""

from __future__ import annotations

import pickle
import random
from datetime import UTC, datetime, timedelta

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import reports_in_pieces
from oracles import gallery as oracle
from provably_fair.sources.times import Times, instants_of, turned_back

STAKE = pf.operators.stake.Dice()
BET = STAKE.bet(1.98, under=50)
JUNE = datetime(2024, 6, 11, tzinfo=UTC)


def rows_of(count=8, **columns):
    """Rounds of one pair of seeds, with additional columns."""
    rows = {"server_seed": "server", "client_seed": "client", "nonce": list(range(count))}
    return rows | {"outcome": STAKE.play(**rows)} | columns


def micros(*times):
    return [oracle.epoch(time) for time in times]


# ---- formats ----


@pytest.mark.parametrize("name", oracle.FORMATS)
def test_a_column_is_read_in_the_format_that_fits_all_rows(name):
    """Days up to the twelfth are ambiguous until the last row shows which number is the month."""
    days = [JUNE + timedelta(days=number, hours=5 * number, microseconds=250_000) for number in range(8)]
    write = oracle.FORMATS[name][1]
    values, there = Times({}).read("time", [*map(write, days), "n/a", None, ""], 11)
    assert values.tolist()[:8] == micros(*days)
    assert there.tolist() == [True] * 8 + [False] * 3


@pytest.mark.parametrize("unit", ["M", "D", "s", "us", "ns", "ps", "fs"])
def test_datetimes_are_read_in_every_unit(unit):
    values, there = instants_of(np.array(["1970-01-01", "NaT"], f"M8[{unit}]"))
    assert (values.tolist(), there.tolist()) == ([0, 0], [True, False])


@pytest.mark.parametrize("write", [float, str])
def test_days_of_spreadsheets_are_refused(write):
    """As seconds they would all be of one day of 1970, and no bet would be late."""
    log = rows_of(2, time=[write(46_106.25), write(46_107.5)])
    with pytest.raises(pf.LogError, match=r"'46106.25', a day as spreadsheets count them: write dates"):
        pf.audit(log, STAKE)
    assert pf.audit(log, STAKE, time_formats={"time": "epoch"}).dates[0] == "1970-01-01T12:48:26"


def test_days_that_may_be_months_are_refused_with_the_option_that_says_it():
    log = rows_of(2, time=["1/2/2024 10:00", "3/2/2024"])
    with pytest.raises(pf.LogError) as raised:
        pf.audit(log, STAKE)
    assert str(raised.value) == (
        "log: column 'time' has the time '1/2/2024 10:00', which may be 2024-02-01T10:00:00 by "
        "time_formats={'time': 'day-first'}, or 2024-01-02T10:00:00 by time_formats={'time': 'month-first'}"
    )
    for form, dates in (
        ("day-first", ("2024-02-01T10:00:00", "2024-02-03T00:00:00")),
        ("month-first", ("2024-01-02T10:00:00", "2024-03-02T00:00:00")),
    ):
        assert pf.audit(log, STAKE, time_formats={"time": form}).dates == dates
        config = {"game": "stake.dice", "time_formats": {"time": form}}
        assert pf.audit(log, config=config).dates == dates
    assert pf.audit(rows_of(2, time=["3/3/2024", "13/3/2024"]), STAKE).dates[1] == "2024-03-13T00:00:00"
    # Equal in both orders, so there is no ambiguity.
    assert pf.audit(rows_of(2, time=["3/3/2024", "4/4/2024"]), STAKE).dates[1] == "2024-04-04T00:00:00"


def test_fourteen_digits_may_be_a_day_and_a_time_of_it():
    for cells in (["20231114221320"], [20231114221320]):
        with pytest.raises(pf.LogError, match=r"may be 2023-11-14T22:13:20 by .*'year-first'.*'epoch'"):
            pf.audit(rows_of(1, time=cells), STAKE)
        dates = pf.audit(rows_of(1, time=cells), STAKE, time_formats={"time": "year-first"}).dates
        assert dates == ("2023-11-14T22:13:20",) * 2


def test_times_in_two_formats_are_refused():
    log = rows_of(2, time=["2024-01-02", 1704153600])
    with pytest.raises(pf.LogError, match=r"'2024-01-02' and '1704153600', which no one format fits"):
        pf.audit(log, STAKE)
    report = pf.audit(log, STAKE, time_formats={"time": "epoch"})
    assert report.dates == ("2024-01-02T00:00:00",) * 2
    assert any(
        text.startswith("1 row of 2 without a time that can be read (first: row 0, '2024-01-02')")
        for text in report.unknown
    )


def batches(log, *sizes):
    start = 0
    for size in sizes:
        yield {
            name: column[start : start + size] if isinstance(column, list) else column
            for name, column in log.items()
        }
        start += size


@pytest.mark.parametrize("as_generator", [True, False])
def test_formats_are_narrowed_batch_by_batch(as_generator):
    """Ambiguous rows come first; the format isn't guessed from any one batch."""
    log = rows_of(4, time=["3/3/2024", "4/4/2024", "1/5/2024", "25/5/2024"])
    log["outcome"] = log["outcome"].tolist()

    def audited(*sizes):
        if as_generator:
            return pf.audit(map(pytest.importorskip("pandas").DataFrame, batches(log, *sizes)), STAKE)
        auditors = [pf.Auditor(STAKE).update(part) for part in batches(log, *sizes)]
        whole = auditors[0]
        for other in auditors[1:]:
            whole = pickle.loads(pickle.dumps(whole)).merge(other)
        return whole.report(last=True)

    for sizes in ((4,), (2, 2), (1, 1, 2)):
        assert audited(*sizes).dates == ("2024-03-03T00:00:00", "2024-05-25T00:00:00")
    with pytest.raises(pf.LogError, match=r"1/5/2024.*time_formats="):
        audited(3, 1)
    log["time"][2:] = ["25/5/2024", "5/25/2024"]
    for sizes in ((4,), (3, 1), (2, 1, 1)):
        with pytest.raises(pf.LogError, match=r"no one format fits"):
            audited(*sizes)


@pytest.mark.parametrize(
    ("stakes", "refused"),
    [(["1.234", "0,50"], "decimal commas, as '0,50', in different parts"), (["$5", "€5"], "currencies")],
)
def test_numbers_of_all_parts_are_in_one_notation(stakes, refused):
    """Read by itself, one part would take 1.234 for a little more than 1."""
    log = rows_of(2, stake=stakes, payout=["0", "0"])
    log["outcome"] = log["outcome"].tolist()
    first, second = (pf.Auditor(STAKE, STAKE.bet(1.98, under=1)).update(part) for part in batches(log, 1, 1))
    with pytest.raises(pf.LogError, match=rf"^log: .*{refused}"):
        first.merge(second)
    assert first.rows == first.report(last=True).verification.checked == 1


def test_amounts_of_all_files_are_in_one_currency(tmp_path):
    for nonce, sign in enumerate("$€$"):
        outcome = STAKE.play("server", "client", nonce)
        text = (
            f"server_seed,client_seed,nonce,outcome,stake,payout\nserver,client,{nonce},{outcome},{sign}5,0\n"
        )
        (tmp_path / f"{nonce}.csv").write_text(text, encoding="utf-8")
    report = pf.audit(tmp_path, STAKE, bet=STAKE.bet(1.98, under=1))
    errors = [file.error for file in report.verification.files]
    assert (errors[0], errors[2]) == (None, None)
    assert "amounts are of several currencies, such as '$5' and '€5'" in errors[1]
    # The nonce that is missing may be in the file that wasn't read.
    assert [(one.kind, one.severity) for one in report.findings] == [("nonce_gap", "note")]
    parts = [pf.Auditor(STAKE, STAKE.bet(1.98, under=1)).update(tmp_path / f"{i}.csv") for i in (0, 1)]
    with pytest.raises(pf.LogError, match="several currencies"):
        parts[0].merge(parts[1])


def test_each_file_has_its_own_formats(tmp_path):
    for name, time in (("a.csv", "25/5/2024"), ("b.csv", "2024-05-26T00:00:00Z")):
        nonce = int(name == "b.csv")
        outcome = STAKE.play("server", "client", nonce)
        text = f"server_seed,client_seed,nonce,outcome,time\nserver,client,{nonce},{outcome},{time}\n"
        (tmp_path / name).write_text(text)
    report = pf.audit(tmp_path, STAKE)
    assert report.dates == ("2024-05-25T00:00:00", "2024-05-26T00:00:00")


def test_reveal_times_are_read_as_a_column_is():
    log = rows_of(2, time=["2024-01-31", "2024-02-02"])
    with pytest.raises(
        ValueError, match=r"reveal_times.*'1/2/2024'.*time_formats=\{'reveal_time': 'day-first'\}"
    ):
        pf.audit(log, STAKE, reveal_times={"server": "1/2/2024"})
    for form, rows in (("day-first", (1,)), ("month-first", (0, 1))):
        told = {"reveal_times": {"server": "1/2/2024"}, "time_formats": {"reveal_time": form}}
        (found,) = [one for one in pf.audit(log, STAKE, **told).findings if one.severity == "proof"]
        assert (found.kind, found.rows) == ("seed_used_after_reveal", rows)


def test_a_certificate_says_the_formats(tmp_path):
    log = rows_of(2, time=["1/2/2024", "3/2/2024"])
    pf.certificates.write(
        pf.audit(log, STAKE, time_formats={"time": "day-first"}), tmp_path / "certificate.json"
    )
    assert pf.certificates.check(tmp_path / "certificate.json", log)


# ---- rows without a time ----


def test_rows_without_a_time_are_counted_by_field():
    log = rows_of(
        4,
        time=["2024-01-02", "soon", None, "2024-01-02"],
        commitment=oracle.sha256("server"),
        commitment_time=["x"] * 4,
        reveal_time=["2024-02-01", "2024-02-01", "2024-02-01", ""],
    )
    unknown = pf.audit(log, STAKE).unknown
    for said in (
        "2 rows of 4 without a time that can be read (first: row 1, 'soon')",
        "4 rows of 4 without a commitment_time that can be read (first: row 0, 'x')",
        "1 row of 4 without a reveal_time that can be read (first: row 3, empty)",
    ):
        assert f"{said}: what times show isn't known of them" in unknown
    # An empty time column counts as none.
    assert "no times of commitments: whether commitments were published before the first bet" in unknown
    log["time"] = ["10 o'clock"] * 4
    unknown = pf.audit(log, STAKE).unknown
    assert "no times: whether nonces follow the order of play" in unknown
    assert any("no times of bets" in text for text in unknown)


def test_seeds_that_are_not_revealed_need_no_time_of_it():
    log = rows_of(2, time="2024-01-02", reveal_time=["2024-01-03", None])
    log["server_seed"] = ["server", ""]
    assert not [text for text in pf.audit(log, STAKE, unrevealed="report").unknown if "reveal_time" in text]


def lost(report):
    return {(one.kind, one.severity): one.rows for one in report.findings if one.kind.startswith("untimed")}


def around(cells, reveal, order=1):
    """The audit of rows with these bet times, in seconds, and one seed each."""
    servers = [f"server {row}" for row in range(len(cells))]
    log = {"server_seed": servers, "client_seed": "client", "nonce": 0}
    log["outcome"] = STAKE.play(**log)
    log |= {"time": cells, "reveal_time": reveal}
    return {
        name: column[::order] if not isinstance(column, str | int) else column for name, column in log.items()
    }


def late_by_hand(cells, reveal):
    """The rows without a time that precede a row played after their reveal, in a log with ascending times.

    Times are in seconds; clocks may differ by one.
    """
    return tuple(
        row
        for row, cell in enumerate(cells)
        if cell is None and any(time is not None and time > reveal[row] + 1 for time in cells[:row])
    )


@pytest.mark.thorough
def test_rows_around_convict_those_without_a_time_in_any_pieces():
    rng = random.Random(57)
    for turn in range(30):
        count = rng.randint(3, 14)
        times = sorted(rng.sample(range(1000, 2000), count))
        cells = [None if rng.random() < 0.5 else time for time in times]
        reveal = [time + rng.choice([-300, -20, 20, 300]) for time in times]
        known = [time for time in cells if time is not None]
        expected = late_by_hand(cells, reveal) if len(known) > 1 else ()
        for order in 1, -1:
            log = around(cells, reveal, order)
            rows = expected if order == 1 else tuple(sorted(count - 1 - row for row in expected))
            found = lost(pf.audit(log, STAKE)).get(("untimed_late", "evidence"), ())
            assert found == rows, (turn, cells, reveal)
            cuts = sorted(rng.choices(range(count + 1), k=3))
            for report in reports_in_pieces(log, cuts, STAKE):
                assert lost(report).get(("untimed_late", "evidence"), ()) == rows


def test_a_log_in_no_order_convicts_nobody():
    assert lost(pf.audit(around([1000, 1500, None, 1400], [9000, 9000, 1200, 9000]), STAKE)) == {}
    found = lost(pf.audit(around([1000, 1500, None, 1600], [9000, 9000, 1200, 9000]), STAKE))
    assert found == {("untimed_late", "evidence"): (2,)}


@pytest.mark.thorough
def test_times_that_are_lost_at_random_or_for_a_while_are_no_evidence():
    """In 60 honest logs with times missing in some pattern, tests raise at most their level."""
    raised = 0
    for number in range(60):
        rng = random.Random(f"lost times {number}")
        rows = oracle.nonce_rows(rng, 250, players=rng.randint(1, 4), rounds=(6, 30))
        how, start = number % 4, rng.randrange(200)
        for place, row in enumerate(rows):
            is_lost = (
                rng.random() < 0.2,
                start <= place < start + 60,
                place >= start,
                place <= start,
            )[how]
            for name in (
                rng.sample(["time", "commitment_time", "reveal_time"], 1 + number % 2) if is_lost else ()
            ):
                row[name] = rng.choice([None, "", "n/a"])
        if number % 3 == 0:
            rows.sort(key=lambda row: row.get("player", ""))
        log = {name: [row.get(name) for row in rows] for name in rows[0]}
        report = pf.audit(log, STAKE, bet=BET)
        kinds = {one.severity for one in report.findings}
        assert "proof" not in kinds, (number, report)
        raised += "evidence" in kinds
    assert raised <= 3  # Binomial(60, 0.01) exceeds this with probability 0.003


def test_a_night_that_begins_in_another_month_is_one_night():
    """Local times in order stay in order, and those of a night are all equal, or none of them is."""
    hours = np.arange("2020-01", "2036-01", dtype="M8[h]")
    told = turned_back(hours.astype("M8[us]").view(np.int64)).view("M8[us]")
    assert (np.diff(told) >= np.timedelta64(0, "us")).all()
    for sunday in np.arange("2020-01-05", "2036-01", 7, dtype="M8[D]"):
        night = (hours >= sunday - np.timedelta64(3, "h")) & (hours < sunday + np.timedelta64(5, "h"))
        month = sunday.astype("M8[M]").astype(int) % 12 + 1
        assert len(np.unique(told[night])) == (1 if month in (2, 3, 4, 5, 9, 10, 11) else 8), sunday
