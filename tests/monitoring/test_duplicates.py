"""A batch passed twice is refused; different batches with equal content aren't."""

from __future__ import annotations

import io
import json
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import provably_fair as pf
import pyarrow as pa
import pyarrow.parquet
import pytest
from provably_fair.cli import run
from provably_fair.monitoring import DuplicateBatch, Watch, parts
from provably_fair.sources import limits
from writing import write_csv

# Pays 9.3 with probability 0.1: a return of 0.93.
BET = pf.Dice().bet(9.3, under=10)
RULES = 'state = "state.db"\nwindows = ["all"]\n[bet]\non = "dice"\nunder = 10\npayout = 9.3\n'


def watching(**options):
    return Watch(BET, **({"windows": ["all"]} | options))


def fair_batches(number, rows, seed):
    return [BET.law.rvs(rows, np.random.default_rng([seed, i])) for i in range(number)]


# ---- fair batches with equal content ----


def test_of_fair_batches_that_read_alike_none_is_dropped():
    """Dropping batches by content would drop mostly losses, and inflate the return of the rest."""
    batches = fair_batches(300, 4, 57)
    assert len({tuple(one) for one in batches}) < 60
    watch = watching()
    for day, payouts in enumerate(batches):
        with pytest.raises(ValueError, match=r"^name must be given") as raised:
            watch.update({"payout": payouts})
        assert not isinstance(raised.value, DuplicateBatch)
        watch.update({"payout": payouts}, name=f"day {day}")
    report = watch.report()
    assert (report.batches, report.bets, report.ok) == (300, 1200, True)
    # The evidence equals that of all bets at once.
    whole = watching().update({"payout": np.concatenate(batches)}, "all")
    looks = [one._state.ask("SELECT logarithm FROM looks")[-1][0] for one in (watch, whole)]
    assert looks[0] == pytest.approx(looks[1], abs=1e-9)
    assert report.segments[0].evalue < 10
    (segment,) = report.segments
    assert segment.returned == pytest.approx(sum(map(sum, batches)))


def test_whether_a_batch_needs_a_name_is_no_matter_of_what_it_won():
    for payouts in ([0, 0], [9.3, 0], [0, 0]):
        with pytest.raises(ValueError, match="name must be given, such as '2026-01-02'"):
            watching().update({"payout": payouts, "stake": [1, 1], "player": ["a", "b"]})


@pytest.mark.parametrize("field", ["time", "number", "nonce", "id", "bet_id", "game_number", "salt"])
@pytest.mark.parametrize("windows", [["all"], ["20r"]])
def test_batches_that_differ_by_what_tells_bets_apart_alone(field, windows):
    watch = watching(windows=windows)
    for first in (0, 5, 10):
        rows = {"payout": [0.0] * 5, field: [str(first + i) for i in range(5)]}
        watch.update(rows)
        with pytest.raises(DuplicateBatch):
            watch.update(rows)
    assert watch.report().bets == 15


def test_batches_that_differ_in_a_column_of_no_field():
    watch = watching()
    for shop in "ab":
        watch.update({"payout": [0, 0], "nonce": [1, 2], "shop": [shop, shop]})
    assert watch.report().batches == 2


def test_another_column_may_be_the_id():
    watch = watching()
    for first in (1, 3):
        rows = {"payout": [0, 0], "Ticket": [first, first + 1]}
        watch.update(pf.Log(rows, columns={"id": "Ticket"}))
        with pytest.raises(DuplicateBatch):
            watch.update(pf.Log(rows, columns={"id": "Ticket"}))


@pytest.mark.parametrize(
    "apart", [["2026-01-02"] * 4, ["a", "a", "a", "b"], [None] * 4, "2026-01-02", ["1", "1", "2", "2"]]
)
def test_what_is_the_same_in_most_rows_tells_none_apart(apart):
    with pytest.raises(ValueError, match=r"^name must be given"):
        watching().update({"payout": [0] * 4, "time": apart, "id": apart})


# ---- the same batch ----


ROWS = {
    "bet_id": [f"b{i}" for i in range(100)],
    "time": [f"2026-01-02T10:{i // 60:02}:{i % 60:02}" for i in range(100)],
    "payout": [9.3 if i % 10 == 0 else 0.0 for i in range(100)],
    "multiplier": [i / 8 for i in range(100)],
    "player": [i % 7 for i in range(100)],
    "hand": ["" if i % 2 else "A♠" for i in range(100)],
}


def containers(folder):
    frame = pd.DataFrame(ROWS)
    table = pa.table(ROWS)
    write_csv(folder / "rows.csv", ROWS)
    pyarrow.parquet.write_table(table, folder / "rows.parquet")
    (folder / "rows.jsonl").write_text(
        "".join(json.dumps(dict(row)) + "\n" for row in frame.to_dict("records"))
    )
    dated = frame.assign(time=pd.to_datetime(frame["time"]))
    return {
        "mapping": ROWS,
        "polars": pl.DataFrame(ROWS),
        "polars, lazy": pl.DataFrame(ROWS).lazy(),
        "another order": dict(reversed(ROWS.items())),
        "frame": frame,
        "categories": frame.assign(
            hand=frame["hand"].astype("category"), player=frame["player"].astype("i1")
        ),
        "times": dated,
        "table": table,
        "rows": frame.to_dict("records"),
        "rows of times": dated.to_dict("records"),
        "datetimes": ROWS | {"time": dated["time"].dt.to_pydatetime().tolist()},
        "an iterator": iter([frame[:30], frame[30:]]),
        "csv": folder / "rows.csv",
        "parquet": folder / "rows.parquet",
        "json": folder / "rows.jsonl",
        "open file": io.BytesIO((folder / "rows.csv").read_bytes()),
    }


@pytest.mark.parametrize("one", ["mapping", "csv", "parquet", "json", "times"])
def test_a_batch_is_the_same_in_every_container(tmp_path, one):
    logs = containers(tmp_path)
    watch = watching().update(logs.pop(one))
    for name, log in logs.items():
        with pytest.raises(
            DuplicateBatch, match=r"^batch must be new: it came before, as batch 1$"
        ) as raised:
            watch.update(log)
        assert (raised.value.batch, raised.value.rows, raised.value.differs) == (1, 100, False), name


@pytest.mark.parametrize("column", list(ROWS))
def test_a_change_in_any_column_makes_another_batch(tmp_path, column):
    watch = watching().update(ROWS)
    changed = list(ROWS[column])
    changed[50], changed[51] = changed[51], changed[50]
    if column == "payout":
        changed[50] = 9.3
    watch.update(write_csv(tmp_path / "changed.csv", ROWS | {column: changed}))
    watch.update({name: cells for name, cells in ROWS.items() if name != "hand"})
    assert watch.report().batches == 3


def test_a_file_is_the_same_read_whole_and_in_pieces(tmp_path, monkeypatch):
    path = write_csv(tmp_path / "rows.csv", ROWS)
    (tmp_path / "halves").mkdir()
    for name, some in (("a", slice(60)), ("b", slice(60, None))):
        write_csv(tmp_path / "halves" / f"{name}.csv", {key: cells[some] for key, cells in ROWS.items()})
    watch = watching().update(path)
    for name in ("BLOCK", "CSV_BLOCK", "BATCH"):
        monkeypatch.setattr(limits, name, 64)
    monkeypatch.setattr(parts, "_ROWS_AT_A_TIME", 7)
    for log in (path, tmp_path / "halves", pd.read_csv(path, chunksize=11, keep_default_na=False)):
        with pytest.raises(DuplicateBatch):
            watch.update(log)


def test_the_same_bytes_are_the_same_batch_however_they_are_read(tmp_path):
    path = write_csv(tmp_path / "rows.csv", {"id": [1, 2, 3], "won": [0, 9.3, 0], "net": [9.3, 0, 0]})
    watch = watching().update(pf.Log(path, columns={"payout": "won"}))
    path.rename(tmp_path / "other.csv")
    with pytest.raises(DuplicateBatch):
        watch.update(pf.Log(tmp_path / "other.csv", columns={"payout": "net"}))


def test_cells_of_any_kind_are_told_apart(tmp_path):
    kinds = {
        "lists": [[1, 2], [3, 4], [1, 2]],
        "truth": np.array([True, False, True]),
        "times": np.array(["2026-01-01", "2026-01-02", "2026-01-01"], "M8[ns]"),
        "days": pa.array(np.array(["2026-01-01", "2026-01-02", "2026-01-01"], "M8[D]")),
        "objects": [{"a": 1}, {"a": 2}, {"a": 1}],
        "large": [2**60, 2**60 + 1, 2**60],
        "text": ["7" * 30, "7" * 29 + "8", "7" * 30],
        "boxes": np.array([[0, 1], [2, 3], [0, 1]]),
        "nothing": [None, 0, None],
    }
    for name, cells in kinds.items():
        watch, turned = watching(), cells[1:] if isinstance(cells, list) else cells[1:3]
        watch.update({"payout": [0, 0], "id": [1, 2], name: cells[:2]})
        watch.update({"payout": [0, 0], "id": [1, 2], name: turned})
        with pytest.raises(DuplicateBatch, match="as batch 1"):
            watch.update({"payout": [0, 0], "id": [1, 2], name: cells[:2]})


# ---- names ----


def test_a_name_is_one_batch(tmp_path):
    watch = watching(state=tmp_path / "state.db").update({"payout": [0, 0]}, name="2026-01-02")
    watch.update({"payout": [0, 0]}, name="2026-01-03").close()
    watch = watching(state=tmp_path / "state.db")
    said = r"^batch must be new: the name '2026-01-02' came before, as batch 1$"
    with pytest.raises(DuplicateBatch, match=said) as raised:
        watch.update({"payout": [0, 0]}, name="2026-01-02")
    assert not raised.value.differs
    said = r"as batch 1, but with other rows \(2 there, 3 here\): if these are other bets, give another name$"
    with pytest.raises(DuplicateBatch, match=said) as raised:
        watch.update({"payout": [0, 9.3, 0]}, name="2026-01-02")
    error = pickle.loads(pickle.dumps(raised.value))
    assert (error.batch, error.rows, error.differs) == (1, 3, True)
    assert watch.report().batches == 2
    for name in ("", " ", 5, b"x"):
        with pytest.raises((TypeError, ValueError), match=r"^name must (be text, got|not be empty)"):
            watch.update({"payout": [0]}, name=name)


def test_rows_that_are_told_apart_are_one_batch_under_any_name():
    watch = watching().update({"payout": [0, 0], "id": [1, 2]}, name="a")
    for name in ("b", None):
        with pytest.raises(DuplicateBatch, match=r"it came before, as batch 1$"):
            watch.update({"payout": [0, 0], "id": [1, 2]}, name=name)


def test_a_file_whose_rows_nothing_tells_apart_is_known_by_its_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("day1.csv", "day2.csv"):
        write_csv(tmp_path / name, {"payout": [0, 0, 0]})
    watch = watching().update("day1.csv").update("day2.csv")
    with pytest.raises(DuplicateBatch, match=r"the name '.*day1.csv' came before, as batch 1$"):
        watch.update(tmp_path / "day1.csv")
    with pytest.raises(ValueError, match=r"^name must be given"):
        watch.update(io.BytesIO((tmp_path / "day1.csv").read_bytes()))
    write_csv(tmp_path / "day1.csv", {"payout": [0, 0, 9.3]})
    with pytest.raises(DuplicateBatch, match="but with other rows"):
        watch.update("day1.csv")
    assert watch.update("day1.csv", name="Wednesday").report().bets == 9


# ---- the command ----


def test_the_command_counts_files_that_read_alike_and_says_what_it_skips(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text(RULES)
    files = []
    for day, payouts in enumerate(fair_batches(40, 4, 3)):
        files.append(write_csv(tmp_path / f"day{day}.csv", {"payout": payouts.tolist()}).name)
    assert len({(tmp_path / name).read_bytes() for name in files}) < 25
    assert run(["watch", "rules.toml", *files, "--skip-known"]) == 0
    shown = capsys.readouterr()
    assert "160 bets in 40 batches" in shown.out
    assert not shown.err
    assert run(["watch", "rules.toml", "--skip-known", *files, "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["bets"] == 160
    assert shown.err == "provably-fair: skipped 40 batches that came before, 160 rows\n"
    assert run(["watch", "rules.toml", files[3]]) == 2
    assert "day3.csv: batch must be new: the name" in capsys.readouterr().err


def test_the_command_takes_a_name_and_never_skips_other_rows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text(RULES)
    today = write_csv(tmp_path / "today.csv", {"payout": [0, 0]})
    assert run(["watch", "rules.toml", "today.csv", "--name", "2026-01-02"]) == 0
    assert run(["watch", "rules.toml", "today.csv", "--name", "2026-01-03"]) == 0
    write_csv(today, {"payout": [0, 9.3]})
    capsys.readouterr()
    assert run(["watch", "rules.toml", "today.csv", "--name", "2026-01-03", "--skip-known"]) == 2
    assert "but with other rows" in capsys.readouterr().err
    assert run(["watch", "rules.toml", "today.csv", "today.csv", "--name", "x"]) == 2
    assert capsys.readouterr().err == "provably-fair: --name must be for one batch, got 2 files\n"


def test_a_column_that_watches_do_not_use_may_be_there_twice_or_come_late(tmp_path):
    (tmp_path / "twice.csv").write_text("id,payout,x,x\n1,0,a,b\n2,0,a,b\n")
    rows = iter([{"id": 3, "payout": 0}] * 6000 + [{"id": 4, "payout": 0, "late": 1}] * 6000)
    watch = watching().update(tmp_path / "twice.csv").update(rows, "late")
    assert watch.report().bets == 12_002
    assert math.isfinite(watch.report().segments[0].evalue)
