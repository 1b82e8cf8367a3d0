"""Logs with planted defects: each is found in its row and nothing else is, in any container."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import itertools
import json
import pickle
import random
import subprocess
import sys
import threading
import tracemalloc

import numpy as np
import provably_fair as pf
import pytest
from oracles import salted as reference
from provably_fair._engine import read_csv
from provably_fair.names import parse_game
from provably_fair.operators import fpclub
from provably_fair.sources import Wanted, open_log
from writing import write_csv

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")


def test_lists_that_would_merge_are_told_apart():
    """Texts that would be two lists, or half of one, if rows were concatenated."""
    salts = pf.salts(3)
    right = pf.Mines(2).play("a", "b", salts).tolist()
    texts = [f"[{right[0][0]},", f"{right[0][1]}]", f"{right[1]},{right[2]}"]
    report = pf.verify({"server_seed": "a", "client_seed": "b", "salt": salts, "outcome": texts}, pf.Mines(2))
    assert report.counts == {"malformed": 3}


def test_subjects_as_text():
    """Subjects may be given in the notation of the command line."""
    for text in ("dice", "mines:mines=5", "crash", "Plinko: pins=8"):
        game = parse_game(text)
        seeds = {} if game.multiplayer else {"server_seed": "a", "client_seed": "b"}
        log = seeds | {"salt": pf.salts(5), "outcome": game.play(**seeds, salt=pf.salts(5))}
        assert pf.verify(log, text) == pf.verify(log, game)
    dice = {"first": ["31"], "second": ["45"], "outcome": ["16"]}
    assert pf.verify(dice, "combined-dice") == pf.verify(dice, fpclub.Combined)
    with pytest.raises(ValueError, match="game must be one of"):
        pf.verify(dice, "roulette")


def small_report(tmp_path, rows=5):
    salts = [salt.decode() for salt in pf.salts(rows)]
    outcomes = pf.Dice().play("a", "b", salts).tolist()
    outcomes[2] = 200.0
    path = write_csv(
        tmp_path / "log.csv", {"server_seed": "a", "client_seed": "b", "salt": salts, "outcome": outcomes}
    )
    return path, pf.verify(path, pf.Dice())


def test_the_report_is_evidence(tmp_path):
    path, report = small_report(tmp_path)
    before = path.read_bytes()
    (file,) = report.files
    assert (file.file, file.bytes) == (str(path), len(before))
    assert file.sha256 == hashlib.sha256(before).hexdigest()
    assert path.read_bytes() == before
    data = json.loads(report.to_json())
    assert data["version"] == pf.__version__
    assert (data["ok"], data["checked"], data["failed"], data["counts"]) == (False, 5, 1, {"mismatch": 1})
    assert (data["failures"][0]["found"], data["failures"][0]["file_row"]) == ("200.0", 2)
    assert "doesn't prove" in data["meaning"]
    assert "<table " in report._repr_html_()
    with pytest.raises(pf.VerificationError, match="row 2") as caught:
        report.raise_if_failed()
    assert caught.value.report is report
    again = pickle.loads(pickle.dumps(report))
    assert again.to_dict() == report.to_dict()
    with pytest.raises(pf.VerificationError, match="no rows"):
        pf.verify({"salt": [], "outcome": []}, pf.Crash()).raise_if_failed()


def test_rows_are_explained(tmp_path):
    _, report = small_report(tmp_path)
    salts = [salt.decode() for salt in pf.salts(5)]
    for row, salt in enumerate(salts):
        assert str(report.explain(row)) == str(pf.Dice().explain("a", "b", salt))
    assert str(report.explain()) == str(report.explain(2))
    with pytest.raises(IndexError, match="row must be from 0 to 4"):
        report.explain(5)


def test_hostile_text_is_shown_not_obeyed():
    hostile = "<script>alert(1)</script>\x1b[31m[red]\u202e"
    log = {"server_seed": "a", "client_seed": "b", "salt": [hostile], "outcome": [hostile]}
    report = pf.verify(log, pf.Dice())
    assert "<script>" not in report._repr_html_()
    for shown in (str(report), report._repr_html_()):
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_progress_and_threads():
    calls = []
    salts = pf.salts(1000)
    log = {"server_seed": "a", "client_seed": "b", "salt": salts, "outcome": pf.Dice().play("a", "b", salts)}
    report = pf.verify(log, pf.Dice(), progress=lambda done, total: calls.append((done, total)), threads=1)
    assert report.ok
    assert calls[-1] == (1000, 1000)


# ---- hostile files ----


HEADER = "server_seed,client_seed,salt,outcome\n"


def test_seeds_in_csv_stay_as_they_are_written(tmp_path):
    for salt in ("007", "NULL", "1e5", "true", "", " ", 'a"b', "2020-01-01", "ü,€"):
        path = tmp_path / "log.csv"
        outcome = reference.dice("0", "nan", salt)
        write_csv(path, {"server_seed": "0", "client_seed": "nan", "salt": [salt], "outcome": outcome})
        assert pf.verify(path, pf.Dice()).ok, salt


def hostile_files(tmp_path):
    from pyarrow import parquet

    table = pa.table(
        {"server_seed": ["a"] * 99, "client_seed": ["b"] * 99, "salt": ["c"] * 99, "outcome": [1.0] * 99}
    )
    parquet.write_table(table, tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    feather = tmp_path / "whole.arrow"
    with pa.ipc.new_file(str(feather), table.schema) as writer:
        writer.write_table(table)
    ipc = feather.read_bytes()
    damaged = bytearray(whole)
    for i in range(20, 200):
        damaged[i] ^= 0x55
    bad_text = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(np.array([0, 1, 2], np.int32)), pa.py_buffer(b"a\xff")]
    )
    with pa.ipc.new_file(str(tmp_path / "text.arrow"), pa.schema([("salt", pa.string())])) as writer:
        writer.write_batch(pa.record_batch({"salt": bad_text}))
    yield "truncated.parquet", whole[: len(whole) // 2], ""
    yield "damaged.parquet", bytes(damaged), ""
    yield "no.parquet", b"hello", ""
    yield "empty.parquet", b"", ""
    yield "truncated.arrow", ipc[: len(ipc) // 2], ""
    yield "noise.arrow", random.Random(1).randbytes(5000), ""
    yield "text.arrow", (tmp_path / "text.arrow").read_bytes(), "row 1"
    yield "empty.csv", b"", "empty"
    yield "missing.csv", b"server_seed,client_seed,outcome\na,b,1\n", "salt"
    yield "twice.csv", b"server_seed,client_seed,salt,salt,outcome\na,b,1,1,2\n", "2 times"
    yield "nul.csv", HEADER.encode() + b"a,b,c,1\na,b,\0,1\n", "line 3"
    yield "nul.jsonl", b'{"salt": "a"}\n\0\n', "line 2"
    yield "utf16.csv", (HEADER + "a,b,c,1\n").encode("utf-16"), ""
    yield "latin.csv", HEADER.encode() + b"a,b,c,1\na,b,\xfc,1\n", "line 3: not UTF-8"
    yield "latin.jsonl", b'{"salt": "a"}\n{"salt": "\xfc"}\n', "line 2: not UTF-8"
    yield "no.gz", b"", "ending"
    yield "broken.csv.gz", gzip.compress(HEADER.encode() * 1000)[:30], ""
    yield "noise.csv.gz", b"noise", ""
    yield "noise.csv.zst", b"noise", ""
    yield "wrong.parquet.gz", gzip.compress(whole), "within"
    yield "objects.json", b"[]", "no column"


def test_hostile_files_are_refused_with_a_message(tmp_path, capfd):
    for name, data, hint in hostile_files(tmp_path):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(pf.LogError) as caught:
            pf.verify(path, pf.Dice())
        message = str(caught.value)
        assert name in message, name
        assert hint in message, (name, message)
        assert "\n" not in message
    assert capfd.readouterr().err == ""


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(pf.LogError, match="no such file"):
        pf.verify(tmp_path / "nothing.csv", pf.Dice())
    with pytest.raises(pf.LogError, match="holds no file of a known kind"):
        pf.verify(tmp_path, pf.Dice())


def test_unreadable_lines_keep_their_places(tmp_path):
    """Unreadable lines may be anywhere in many blocks, or be all there is."""
    rng, path = random.Random(4), tmp_path / "log.csv"
    salt = "x" * 300
    good = f"s,c,{salt},{pf.Dice().play('s', 'c', salt)}\n"
    lines = [good if rng.random() < 0.7 else f"line {i}\n" for i in range(12_000)]
    lines[5000:7000] = ["a\n"] * 2000
    for some in (lines, lines[4990:7500], lines[5000:7000], lines[:5500]):
        path.write_text(HEADER + "".join(some))
        report = pf.verify(path, pf.Dice())
        expected = [i for i, line in enumerate(some) if line != good]
        assert [failure.row for failure in report.failures] == expected
        assert (report.checked, report.failed, report.ok) == (len(some), len(expected), False)


def test_as_many_unreadable_lines_as_others(tmp_path):
    """The work is linear in the number of lines, not quadratic."""
    path = tmp_path / "log.csv"
    path.write_text(HEADER + ",,,\na\n" * 30_000)
    report = pf.verify(path, pf.Dice())
    assert (report.checked, report.failed) == (60_000, 60_000)
    assert report.counts == {"missing": 30_000, "malformed": 30_000}


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_one_endless_line_takes_no_memory(ending, tmp_path):
    path = tmp_path / f"line.{ending}"
    with open(path, "wb") as file:
        file.write(HEADER.encode() if ending == "csv" else b'{"salt": "')
        for _ in range(100):
            file.write(b"a" * (1 << 20))
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    with pytest.raises(pf.LogError, match=r"line\.(csv|jsonl)"):
        pf.verify(path, pf.Dice())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6
    assert pa.total_allocated_bytes() - before < 30e6


BROKEN = {
    "line.csv": HEADER.encode() + b"a" * (1 << 25),
    "quote.csv": HEADER.encode() + b'a,"' + b"b,c,1\n" * (1 << 22),
    "latin.csv": HEADER.encode() + b"a,b,c,1\n" * 50_000 + b"\xfc",
    "line.jsonl": b"a" * (1 << 25),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", BROKEN)
def test_a_process_ends_well_after_a_log_that_breaks_off(name, tmp_path):
    # No thread may be reading a Python stream at exit, or the interpreter would abort.
    (tmp_path / name).write_bytes(BROKEN[name])
    code = (
        "import sys, provably_fair as pf\n"
        "try: ok = pf.verify(sys.argv[1], pf.Dice()).ok\n"
        "except pf.LogError: ok = False\n"
        "print('verified' if ok else 'refused')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, tmp_path / name], capture_output=True, text=True, timeout=120
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "refused\n", "")


def test_a_log_that_is_left_early_leaves_no_thread(tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(HEADER.encode() + b"a,b,c,1\n" * 500_000)
    before = threading.active_count()
    pieces = open_log(path, Wanted({"salt"})).pieces()
    next(next(pieces).batches())
    pieces.close()
    assert threading.active_count() == before


def test_columns_of_json_lines_are_those_of_the_whole_file(tmp_path, limits):
    # However batches are cut, a column that occurs in any row is missing in the others.
    limits(JSON_BATCH=4)
    game, salts = pf.Jackpot(tickets=50), [f"salt {i}" for i in range(9)]
    rows = [
        {"server_seed": "s", "client_seed": "c", "salt": salt, "outcome": int(game.play("s", "c", salt))}
        for salt in salts
    ]
    rows[-1]["tickets"] = 50
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert pf.verify(path, game).counts == pf.verify(rows, game).counts == {"missing": 8}
    none = ["?", "?", "[1, 2]", "{" * 100_000, json.dumps(rows[0])[:30]]
    path.write_text("\n".join([*none, *map(json.dumps, rows[:3])]), encoding="utf-8")
    report = pf.verify(path, game)
    assert report.counts == {"malformed": 5}
    assert report.checked == 8


def test_a_file_listed_twice_is_refused(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(HEADER + "a,b,c,1\n", encoding="utf-8")
    with pytest.raises(pf.LogError, match=r"log\.csv: it is listed twice"):
        pf.verify([path, path], pf.Dice())


def test_seeds_that_begin_with_a_byte_order_mark(tmp_path, limits):
    # Only the byte order mark at the start of the file is dropped.
    salts = [f"\ufeff{i}" for i in range(200)]
    outcomes = pf.Dice().play("\ufeffs", "c", salts).tolist()
    lines = [f"\ufeffs,c,{salt},{outcome}\n" for salt, outcome in zip(salts, outcomes, strict=True)]
    path = tmp_path / "log.csv"
    path.write_text("\ufeff" + HEADER + "".join(lines), encoding="utf-8")
    assert pf.verify(path, pf.Dice()).ok
    limits(BLOCK=64, CSV_BLOCK=64)
    report = pf.verify(path, pf.Dice())
    assert report.ok
    assert report.checked == 200


def _is_torn(text):
    """Tell whether a multi-line cell continues after its closing quote."""
    at = 0
    while at < len(text):
        if text[at] == '"':
            start, at = at, text.find('"', at + 1)
            while at >= 0 and text[at + 1 : at + 2] == '"':
                at = text.find('"', at + 2)
            at += 1
            if at and text[at : at + 1] not in ("", ",", "\n", "\r") and set("\r\n") & set(text[start:at]):
                return True
        while at < len(text) and text[at] not in ",\r\n":
            at += 1
        at += 1
    return False


def test_any_text_is_read_as_python_reads_csv():
    rng = random.Random(13)
    for _ in range(2000):
        text = "".join(
            rng.choices('x,"\n\rü', (3, 3, 2, 2, 1, 1), k=rng.randrange(1, 40))
        ).encode()  # some end within quotes
        found = read_csv(text + b"\n", ord(","), 2, [1, 0])
        if found.open or _is_torn(text.decode()):
            continue
        rows = [*filter(None, csv.reader(io.StringIO(text.decode(), newline="")))]
        second, first = (
            [bytes(cells[start:end]).decode() for start, end in itertools.pairwise(ends)]
            for cells, ends in found.columns
        )
        assert [*map(list, zip(first, second, strict=True))] == [row for row in rows if len(row) == 2], text
        uneven = {place: row for place, row in enumerate(rows) if len(row) != 2}
        assert {
            place: next(csv.reader(io.StringIO(text[start:end].decode(), newline="")))
            for place, start, end in found.unreadable
        } == uneven, text


@pytest.mark.parametrize("game", [pf.Plinko(), pf.Mines(mines=1)])
def test_a_list_of_one_outcome_may_be_that_outcome(game, tmp_path):
    pd = pytest.importorskip("pandas")
    salts = [f"salt {i}" for i in range(9)]
    outcome = game.play("s", "c", salts)[:, 0]
    frame = pd.DataFrame({"server_seed": "s", "client_seed": "c", "salt": salts, "outcome": outcome})
    frame.loc[4, "outcome"] += 1
    frame.to_csv(tmp_path / "log.csv", index=False)
    frame.to_json(tmp_path / "log.jsonl", orient="records", lines=True)
    frame.to_parquet(tmp_path / "log.parquet")
    logs = [frame, frame.astype({"outcome": object}), frame.to_dict("list"), frame.to_dict("records")]
    for log in [*logs, *(tmp_path / f"log.{ending}" for ending in ("csv", "jsonl", "parquet"))]:
        report = pf.verify(log, game)
        assert [(f.row, f.kind) for f in report.failures] == [(4, "mismatch")]


# ---- the sample logs, and the other systems ----


def samples():
    from tools.make_sample_logs import FOLDER

    for name, log in json.loads((FOLDER / "defects.json").read_text(encoding="utf-8")).items():
        yield pytest.param(FOLDER / name, log, id=name)


@pytest.mark.parametrize(("path", "log"), list(samples()))
def test_sample_logs_have_the_planted_defects_and_no_other(path, log):
    from provably_fair.names import parse_subject

    report = pf.verify(path, parse_subject(log["game"]))
    assert [[f.row, f.kind] for f in report.failures] == log["defects"]
    assert report.checked == log["rows"]
    for row, kind in log["defects"]:
        if kind in ("mismatch", "commitment"):
            assert str(report.explain(row))


def test_sample_logs_are_what_the_script_makes():
    from tools.make_sample_logs import FOLDER, LOGS

    for name, (make, write) in LOGS.items():
        data = (FOLDER / name).read_bytes()
        made = write(make()[1])
        if name.endswith(".gz"):  # the same text, since compressors differ
            data, made = gzip.decompress(data), gzip.decompress(made)
        assert data == made


def test_a_column_called_as_a_parameter_in_words_is_told():
    class Wheel(pf.Game):
        risk: str = pf.games.Choice(("low", "high"), default="low")

        def outcome(self, draws):
            return draws.below(50) * (2 if self.risk == "high" else 1)

    rounds = {"server_seed": "server", "client_seed": "client", "salt": list("abc")}
    log = {**rounds, "outcome": Wheel("high").play(**rounds), "risk": ["high"] * 3}
    (note,) = pf.verify(log, Wheel("high")).notes
    assert note == "column 'risk' isn't read: all rows are played with risk='high'"
