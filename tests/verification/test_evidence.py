"""The evidence behind a verdict: every file, byte and row, and the handling of unreadable ones."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import provably_fair as pf
import pytest
from oracles import salted as oracle, video_poker
from provably_fair.cli import run
from provably_fair.operators import crypto_games
from provably_fair.sources import Wanted, files_of, open_log

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

SALTS = oracle.salts(60)
OUTCOMES = [oracle.dice("a", "b", salt) for salt in SALTS]
HEADER = "server_seed,client_seed,salt,outcome\n"


def columns(first=0, last=60):
    return {
        "server_seed": ["a"] * (last - first),
        "client_seed": ["b"] * (last - first),
        "salt": SALTS[first:last],
        "outcome": OUTCOMES[first:last],
    }


def lines(first, last):
    rows = zip(SALTS[first:last], OUTCOMES[first:last], strict=True)
    return [f"a,b,{salt},{outcome}" for salt, outcome in rows]


def as_csv(first, last):
    return HEADER + "\n".join(lines(first, last)) + "\n"


def json_lines(log):
    rows = zip(*log.values(), strict=True)
    return "".join(json.dumps(dict(zip(log, row, strict=True))) + "\n" for row in rows)


def as_json(first, last):
    return json_lines(columns(first, last))


def exit_code(*arguments):
    return run(["verify", *map(str, arguments), "--game", "dice"])


def found(report):
    return [(failure.row, failure.kind) for failure in report.failures]


def test_files_are_told_one_by_one(tmp_path):
    """A broken file affects only itself, and what isn't read is named."""
    table = pa.table(columns(20, 30))
    (tmp_path / "a.csv").write_text(as_csv(0, 10))
    (tmp_path / "b.csv").write_bytes(as_csv(10, 20).encode() + b"a,b,\xff,1\n" + as_csv(0, 5).encode())
    parquet.write_table(table, tmp_path / "c.parquet")
    data = (tmp_path / "c.parquet").read_bytes()
    (tmp_path / "d.parquet").write_bytes(data[:-9])
    with pa.ipc.new_stream(str(tmp_path / "e.arrow"), table.schema) as writer:
        writer.write_table(table, max_chunksize=5)
    stream = (tmp_path / "e.arrow").read_bytes()
    (tmp_path / "e.arrow").write_bytes(stream[: len(stream) * 4 // 5])
    (tmp_path / "f.jsonl").write_bytes(as_json(30, 40).encode() + b'{"salt": "\xff"}\n')
    (tmp_path / "g.jsonl").write_text(as_json(40, 50))
    (tmp_path / "h.csv").write_text("salt,outcome\n1,2\n")
    for name in ("i.csv.xz", "j.log", "k.docx"):
        (tmp_path / name).write_bytes(b"?")
    os.symlink(tmp_path / "a.csv", tmp_path / "l.csv")
    (tmp_path / "m").mkdir()
    report = pf.verify(tmp_path, "dice")
    assert (report.ok, report.complete, report.failed) == (False, False, 0)
    told = {os.path.basename(file.file): (file.rows, file.error is None) for file in report.files}
    assert told == {
        "a.csv": (10, True),
        "b.csv": (10, False),
        "c.parquet": (10, True),
        "d.parquet": (0, False),
        "e.arrow": (5, False),
        "f.jsonl": (10, False),
        "g.jsonl": (10, True),
        "h.csv": (0, False),
    }
    assert report.checked == sum(rows for rows, _ in told.values()) == 55
    for file in report.files:
        with open(file.file, "rb") as opened:
            digest = hashlib.sha256(opened.read()).hexdigest()
        assert file.sha256 == (digest if file.error is None else None)
    assert "line 12" in report.files[1].error
    assert {os.path.basename(name) for name in report.passed_over} == {"i.csv.xz", "j.log", "k.docx", "l.csv"}
    assert str(report).startswith("verdict      NOT VERIFIED: not all was read (5 of 8 files can't be)")
    assert json.loads(report.to_json())["passed_over"][str(tmp_path / "l.csv")] == "a link"
    assert report.files[0].lines == 11
    # A single broken file is an error, whose report has the rows before it.
    with pytest.raises(pf.LogError, match=r"b\.csv: line 12: not UTF-8") as caught:
        pf.verify(tmp_path / "b.csv", "dice")
    assert caught.value.report.checked == 10
    assert exit_code(tmp_path) == 2


def test_the_report_names_columns_commitments_and_versions(tmp_path):
    log = columns() | {"commitment": [hashlib.sha256(b"a").hexdigest()] * 60, "stake": [1] * 60}
    log["commitment"][5] = hashlib.sha256(b"c").hexdigest()
    log["commitment"][6] = None
    log = {"game_salt" if name == "salt" else name: column for name, column in log.items()}
    report = pf.verify(log, "dice", columns={"salt": "game_salt"})
    assert found(report) == [(5, "commitment"), (6, "missing")]
    assert report.parameters["columns"] == {
        "server_seed": "server_seed",
        "client_seed": "client_seed",
        "salt": "game_salt",
        "outcome": "outcome",
        "commitment": "commitment",
        "salt_commitment": None,
    }
    assert report.committed == {"commitment": 59, "salt_commitment": 0}
    assert report.unread == ["stake"]
    assert report.run.versions["provably_fair"] == pf.__version__
    assert report.run.versions["pyarrow"] == pa.__version__
    text = str(report)
    for shown in ("salt from game_salt", "no column", "salt_commitment", "in 59 rows", "not read", "stake"):
        assert shown in text
    # A misspelled commitment column is ignored; the report says that nothing was compared.
    misnamed = {"comitment" if name == "commitment" else name: column for name, column in log.items()}
    report = pf.verify(misnamed, "dice", columns={"salt": "game_salt"})
    assert report.ok
    assert report.parameters["columns"]["commitment"] is None
    assert "comitment" in report.unread
    with pytest.raises(pf.LogError, match="no column 'comittment'"):
        pf.verify(log, "dice", columns={"salt": "game_salt", "commitment": "comittment"})


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_all_failures_go_to_a_file(ending, tmp_path, monkeypatch):
    monkeypatch.setattr("provably_fair.verification.counts.KEPT_FAILURES", 5)
    log = columns()
    log["outcome"] = [outcome + (row % 2) for row, outcome in enumerate(log["outcome"])]
    log["salt"][10] = log["salt"][8]  # both a replay and a mismatch
    path = tmp_path / f"failures{ending}"
    report = pf.verify(log, "dice", failures=path, repeats="fail")
    read = {".csv": pd.read_csv, ".parquet": pd.read_parquet, ".jsonl": lambda p: pd.read_json(p, lines=True)}
    frame = read[ending](path)
    expected = {(row, "mismatch") for row in range(1, 60, 2)} | {(10, "mismatch"), (10, "repeated")}
    assert set(zip(frame["row"], frame["kind"], strict=True)) == expected
    assert len(frame) == sum(report.counts.values()) == 32
    assert (len(report.failures), report.failed) == (5, 31)
    assert os.listdir(tmp_path) == [path.name]


def test_the_mask_is_that_of_the_failed_rows():
    log = columns()
    log["outcome"][7] += 1
    log["salt"][9] = None
    log["salt"][50], log["outcome"][50] = log["salt"][3], log["outcome"][3]
    frame = pd.DataFrame(log)
    assert np.flatnonzero(pf.verify(frame, "dice").mask).tolist() == [7, 9]
    mask = pf.verify(frame, "dice", repeats="fail").mask
    assert frame[mask].index.tolist() == [7, 9, 50]
    assert pf.verify(frame.iloc[:0], "dice").mask.shape == (0,)


def test_a_report_never_replaces_an_input(tmp_path, capsys):
    path = tmp_path / "log.csv"
    path.write_text(as_csv(0, 60))
    os.symlink(path, tmp_path / "link.json")
    for target in (tmp_path / "link.json", tmp_path / "nowhere" / "report.json"):
        assert exit_code(path, "--report", target) == 2
        assert capsys.readouterr().out == ""  # before any verification
    assert path.read_text() == as_csv(0, 60)
    with pytest.raises(ValueError, match="failures must be another file"):
        pf.verify(path, "dice", failures=path)


def test_files_that_a_log_is_read_from(tmp_path, monkeypatch):
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "log.csv"
    path.write_text("salt\nx\n")
    local = fsspec.filesystem("file")
    with open(path, "rb") as file:
        logs = [
            path,
            "log.csv",
            [path],
            tmp_path,
            file,
            pf.Files(path),
            pf.Files(str(path), filesystem=local),
            fsspec.open(f"file://{path}"),
            f"file://{path}",
            f"simplecache::file://{path}",
            pf.Query("select 1", f"sqlite:///{path}?mode=ro"),
            pf.Query("select 1", "duckdb:///log.csv"),
        ]
        for log in logs:
            (found,) = files_of(log)
            assert found.samefile(path), log
    memory = [None, {"salt": ["x"]}, [{"salt": "x"}], "s3://bucket/log.csv", "-", sys.stdin.buffer]
    for log in [*memory, pf.Query("select 1", "postgresql://me@localhost/casino")]:
        assert not any(file.exists() for file in files_of(log))


# ---- files that change while they are read ----


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_file_of_columns_that_changes_is_found_or_not_read(ending, small, tmp_path, limits):
    """The bytes hashed are those parsed: replacing the file has no effect, changing it is detected."""
    limits(
        BATCH=5, BATCHES_AHEAD=1, SMALL_FILE=1 << 25 if small else 0, BLOCK=512, CSV_BLOCK=512, BLOCKS_KEPT=1
    )
    path = tmp_path / f"log.{ending}"

    def write(to, salts):
        table = pa.table(columns() | {"salt": salts})
        if ending == "parquet":
            parquet.write_table(table, to, row_group_size=5, compression="none", use_dictionary=False)
        else:
            with pa.ipc.new_file(str(to), table.schema) as writer:
                writer.write_table(table, max_chunksize=5)

    for replaced in (True, False):
        write(path, SALTS)
        honest = hashlib.sha256(path.read_bytes()).hexdigest()
        other = tmp_path / "other"
        write(other, SALTS[::-1])
        pieces = open_log(path, Wanted(columns())).pieces()
        piece = next(pieces)
        batches = piece.batches()
        rows = [next(batches)]
        if replaced:
            os.replace(other, path)
        else:
            path.write_bytes(other.read_bytes())
        if not (replaced or small):
            with pytest.raises(pf.LogError, match="it was changed while it was read"):
                list(batches)
        else:
            rows += list(batches)
            assert [str(salt) for batch in rows for salt in batch.columns["salt"]] == SALTS
            assert piece.evidence.sha256 == honest
        pieces.close()


class Growing(io.BytesIO):
    """An open remote file that grows after the first read."""

    name = "log.parquet"
    more = b""

    def read(self, size=-1):
        found, more, self.more = super().read(size), self.more, b""
        if more:
            place = self.tell()
            self.seek(0, os.SEEK_END)
            self.write(more)
            self.seek(place)
        return found

    def readinto(self, buffer):
        found = self.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)


@pytest.mark.parametrize("more", [b"", b"more"])
def test_an_open_file_that_grows_while_it_is_read_is_refused(more):
    """The size at opening differs from the final one, so not all of the file was hashed."""
    file = Growing()
    parquet.write_table(pa.table(columns()), file)
    file.seek(0)
    file.more = more
    if more:
        with pytest.raises(pf.LogError, match="it was changed while it was read"):
            pf.verify(file, "dice")
    else:
        (evidence,) = pf.verify(file, "dice").files
        assert evidence.sha256 == hashlib.sha256(file.getvalue()).hexdigest()


def test_json_lines_that_change_between_their_readings_are_found(tmp_path, monkeypatch, limits):
    limits(BLOCK=64, CSV_BLOCK=64)
    path = tmp_path / "log.jsonl"
    path.write_text(as_json(0, 60))
    from provably_fair.sources import json_lines

    real = json_lines.json_names

    def names(*arguments):
        found = real(*arguments)
        path.write_text(as_json(0, 60).replace(SALTS[40], SALTS[41]))
        return found

    monkeypatch.setattr(json_lines, "json_names", names)
    with pytest.raises(pf.LogError, match="it was changed while it was read"):
        pf.verify(path, "dice")


# ---- narrow types, doubled names ----


def test_one_float_is_compared_as_its_type():
    one = {name: column[:1] for name, column in columns().items() if name != "outcome"}
    for outcome, right in ((np.float32(OUTCOMES[0]), True), (np.float32(OUTCOMES[1]), False)):
        assert pf.verify(one | {"outcome": outcome}, "dice").ok == right
        assert pf.verify(one, "dice", constants={"outcome": outcome}).ok == right
    for number in ([0.5], np.array([0.5], "f4")):  # the outcome is a number, not a list
        assert pf.verify(one | {"outcome": [number]}, "dice").counts == {"malformed": 1}


def test_two_columns_of_one_name_are_refused_everywhere(tmp_path):
    names = [*columns(), "outcome"]
    table = pa.table([*map(pa.array, columns().values()), pa.array([0.0] * 60)], names=names)
    parquet.write_table(table, tmp_path / "log.parquet")
    with pa.ipc.new_file(str(tmp_path / "log.arrow"), table.schema) as writer:
        writer.write_table(table)
    with pa.ipc.new_stream(str(tmp_path / "stream.arrow"), table.schema) as writer:
        writer.write_table(table)
    (tmp_path / "log.csv").write_text(
        ",".join(names) + "\n" + "".join(f"{line},0\n" for line in lines(0, 60))
    )
    (tmp_path / "log.tsv").write_text((tmp_path / "log.csv").read_text().replace(",", "\t"))
    frame = pd.concat([pd.DataFrame(columns()), pd.DataFrame({"outcome": [0.0] * 60})], axis=1)
    logs = [table, table.to_batches()[0], table.to_reader(), frame]
    logs += [tmp_path / name for name in ("log.parquet", "log.arrow", "stream.arrow", "log.csv", "log.tsv")]
    for log in logs:
        with pytest.raises(pf.LogError, match="the column 'outcome' occurs 2 times"):
            pf.verify(log, "dice")
    # In an unread column it doesn't matter.
    twice = table.rename_columns([*columns(), "note"]).append_column("note", table["salt"])
    assert pf.verify(twice, "dice").ok


def test_a_key_twice_in_a_json_line_fails_that_line(tmp_path):
    rows = as_json(0, 60).splitlines()
    for name, doubled in (("one", [7]), ("all", range(60))):
        written = list(rows)
        for row in doubled:
            written[row] = written[row][:-1] + ', "o\\u0075tcome": 0}'
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(written))
        assert found(pf.verify(path, "dice")) == [(row, "malformed") for row in doubled]


# ---- lists ----


def test_lists_nested_otherwise_than_the_outcome_are_wrong(tmp_path):
    tower = [oracle.tower("a", "b", salt, 2) for salt in SALTS]
    mines = [oracle.mines("a", "b", salt, 4) for salt in SALTS]

    def verdicts(cells, game):
        log = columns() | {"outcome": cells}
        table = pa.table(log)
        parquet.write_table(table, tmp_path / "log.parquet")
        text = log | {"outcome": [json.dumps(cell) for cell in cells]}
        (tmp_path / "log.jsonl").write_text(json_lines(log))
        pd.DataFrame(text).to_csv(tmp_path / "log.csv", index=False)
        forms = [log, table, text, pd.DataFrame(log), pl.DataFrame(log)]
        forms += [tmp_path / name for name in ("log.parquet", "log.jsonl", "log.csv")]
        with suppress(ValueError):  # ragged
            forms.append(log | {"outcome": np.array(cells)})
        return [pf.verify(form, game).counts for form in forms]

    def flat(cells):
        return [cell for row in cells for cell in row]

    def each(change, cells):
        return [change(cell) for cell in cells]

    for good in (tower, each(flat, tower)):
        assert all(counts == {} for counts in verdicts(good, "tower:mines=2"))
    assert all(counts == {} for counts in verdicts(mines, "mines:mines=4"))
    bad = [
        (each(lambda cell: [cell], tower), "tower:mines=2"),
        (each(lambda cell: [[row] for row in cell], tower), "tower:mines=2"),
        (each(lambda cell: [flat(cell)], tower), "tower:mines=2"),
        (each(lambda cell: [[cards] for cards in flat(cell)], tower), "tower:mines=2"),
        (each(lambda cell: [cell[0][:1], cell[0][1:], *cell[1:]], tower), "tower:mines=2"),
        (each(lambda cell: [cell], mines), "mines:mines=4"),
        (each(lambda cell: [[number] for number in cell], mines), "mines:mines=4"),
        (each(lambda cell: [cell[:2], cell[2:]], mines), "mines:mines=4"),
        (each(lambda cell: [cell[:1], cell[1:]], mines), "mines:mines=4"),
    ]
    for cells, game in bad:
        assert all(counts == {"mismatch": 60} for counts in verdicts(cells, game)), cells[0]
    # JSON allows mixed types, unlike Arrow.
    mixed = [json.dumps([cell[0], cell[1:]]) for cell in mines]
    assert pf.verify(columns() | {"outcome": mixed}, "mines:mines=4").counts == {"mismatch": 60}
    dice = {"first": ["31"], "second": ["45"]}
    for outcome, right in (([1, 6], True), ([[1, 6]], True), ([[1], [6]], False), ([[[1, 6]]], False)):
        for form in ([outcome], [json.dumps(outcome)], np.array([outcome]), pa.array([outcome])):
            report = pf.verify(dice | {"outcome": form}, "combined-dice")
            assert report.counts == ({} if right else {"malformed": 1}), outcome


# ---- robustness ----


def test_an_unclosed_quote_fails_the_rows_that_it_swallows(tmp_path):
    text = as_csv(0, 60).replace(f"a,b,{SALTS[40]}", f'a,b,"{SALTS[40]}')
    (tmp_path / "log.csv").write_text(text)
    report = pf.verify(tmp_path / "log.csv", "dice")
    assert found(report) == [(row, "malformed") for row in range(40, 60)]
    assert [failure.found for failure in report.failures][1:] == lines(41, 60)
    assert (report.checked, report.files[0].lines) == (60, 61)
    # A file whose rows are all swallowed by one quote.
    (tmp_path / "log.csv").write_text(HEADER + '"' + "\n".join(lines(0, 5)))
    assert found(pf.verify(tmp_path / "log.csv", "dice")) == [(row, "malformed") for row in range(5)]


@pytest.mark.parametrize("block", [1000, 1 << 20])
@pytest.mark.parametrize("closing", ["salt", "whole salt", "note"])
def test_a_quote_that_another_row_closes_fails_the_rows_between(closing, block, tmp_path, limits):
    limits(BLOCK=block, CSV_BLOCK=block)
    rows = [f"{line},a note" for line in lines(0, 60)]
    # Line ends and quotes in unread columns, and quotes inside cells, are fine.
    rows[3] = rows[3].replace("a note", '"two\nlines, ""b"",c,d"')
    rows[4] = rows[4].replace("a note", '"\n"')
    rows[5] += '"'
    good = "".join(f"{row}\n" for row in rows)
    path = tmp_path / "log.csv"
    path.write_text(HEADER.rstrip() + ",note\n" + good)
    report = pf.verify(path, "dice")
    assert (report.ok, report.checked) == (True, 60)
    rows[40] = rows[40].replace("a note", '"a note') if closing == "note" else f'a,b,"{rows[40][4:]}'
    rows[44] = {
        "salt": rows[44].replace(SALTS[44], f'"{SALTS[44]}'),
        "whole salt": rows[44].replace(SALTS[44], f'"{SALTS[44]}"'),
        "note": rows[44].replace("a note", '"a note"'),
    }[closing]
    rows[50] = rows[50].replace("a,b", "a,c")
    path.write_text(HEADER.rstrip() + ",note\n" + "".join(f"{row}\n" for row in rows))
    report = pf.verify(path, "dice")
    assert found(report) == [*((row, "malformed") for row in range(40, 45)), (50, "mismatch")]
    assert [failure.found for failure in report.failures[:5]] == rows[40:45]
    assert (report.checked, report.failed) == (60, 6)


@pytest.mark.parametrize("before", ["", as_json(0, 1)])
def test_empty_lines_are_not_looked_at_one_by_one(before, tmp_path, monkeypatch):
    from provably_fair.sources import json_lines as module

    split = []
    real = module._lines_of
    monkeypatch.setattr(
        module, "_lines_of", lambda blocks: (split.append(block) or block for block in real(blocks))
    )
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(before.encode()) + gzip.compress(b"\n" * (1 << 23)) * 4)
    if before:
        assert pf.verify(path, "dice").checked == 1
    else:
        with pytest.raises(pf.LogError, match="no column"):
            pf.verify(path, "dice")
    assert sum(map(len, split)) < 1 << 22  # of 2 x 32 MB


def test_a_file_that_ends_itself_has_no_hash_however_fast_it_is_read(tmp_path, monkeypatch):
    """The reader thread may reach the end of a file while its first rows are still being refused."""
    from provably_fair.sources.opened import HashedFile

    finish = HashedFile.finish
    monkeypatch.setattr(HashedFile, "finish", lambda self: (finish(self), time.sleep(0.05))[0])
    (tmp_path / "a.csv").write_text(as_csv(0, 3))
    (tmp_path / "b.csv").write_text("salt,outcome\n1,2\n")
    report = pf.verify(tmp_path, "dice")
    assert [(file.error is None, file.sha256 is None) for file in report.files] == [
        (True, False),
        (False, True),
    ]


def test_broken_streams_are_log_errors():
    table = pa.table(columns())
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=20)
    data = sink.getvalue().to_pybytes()

    def breaks_off():
        yield table.to_batches()[0]
        raise ValueError("the source is gone")

    for stream, rows in (
        (pa.ipc.open_stream(data[: len(data) * 3 // 4]), 40),
        (pa.RecordBatchReader.from_batches(table.schema, breaks_off()), 60),
    ):
        with pytest.raises(pf.LogError, match=f"log: after row {rows}") as caught:
            pf.verify(stream, "dice")
        assert caught.value.report.checked == rows
        assert not caught.value.report.ok


@pytest.mark.skipif(os.name == "nt", reason="needs SIGINT")
@pytest.mark.parametrize("kind", ["rows", "newlines"])
def test_an_interrupt_ends_json_lines_at_once(kind, tmp_path):
    path = tmp_path / ("log.jsonl" if kind == "rows" else "log.jsonl.gz")
    if kind == "rows":
        path.write_text(as_json(0, 60) * 10_000)
    else:
        path.write_bytes(gzip.compress(b"\n" * (1 << 24), 1) * 200)
    code = (
        "import sys, time, provably_fair as pf\n"
        "print('ready', flush=True)\n"
        "try: pf.verify(sys.argv[1], 'dice')\n"
        "except KeyboardInterrupt: print('interrupted')\n"
        "except pf.LogError: print('read')"
    )
    process = subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    start = time.monotonic()
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert time.monotonic() - start < 20
    assert "interrupted" in process.stdout.read() or process.returncode != 0
    process.stdout.close()


def test_errors_of_a_log_of_dice_name_the_file(tmp_path, capsys):
    path = tmp_path / "dice log.txt"
    for data in (b"DH[zz]", b"\xff\xfe"):
        path.write_bytes(data)
        assert run(["dice-log", str(path)]) == 2
        assert "dice log.txt" in capsys.readouterr().err


def test_output_to_a_terminal_that_is_not_utf_8(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(as_csv(0, 5) + "ä,b,♣,1\n", encoding="utf-8")
    command = [sys.executable, "-m", "provably_fair", "verify", str(path), "--game", "dice"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 1, done.stderr
    assert b"FAILED: 1 of 6 rows" in done.stdout


def test_a_log_of_rolls_that_is_shorter_than_its_sequence_is_told():
    dice = pf.operators.fpclub.HashedDice("123456")
    assert pf.verify({"outcome": ["12", "34"]}, dice).notes == ["the log has 2 of the sequence's 3 rolls"]
    assert pf.verify({"outcome": ["12", "34", "56"]}, dice).notes == []
    assert found(pf.verify({"outcome": ["12", "34", "56", "11"]}, dice)) == [(3, "malformed")]


# ---- check ----


def test_check_answers_in_the_form_of_the_log():
    log = columns(0, 6)
    log["outcome"][1] += 1
    log["salt"][4] = None
    expected = [*OUTCOMES[:4], None, OUTCOMES[5]]
    ok = [True, False, True, True, False, True]
    kinds = [None, "mismatch", None, None, "missing", None]
    frame = pd.DataFrame(log, index=pd.MultiIndex.from_product([["x", "y"], [3, 2, 1]]))
    for index in (frame.index, pd.date_range("2020", periods=6), [0] * 6):
        verdicts = pf.check(frame.set_axis(index), "dice")
        assert verdicts.index.equals(frame.set_axis(index).index)
        assert verdicts["ok"].tolist() == ok
        assert verdicts["kind"].tolist() == kinds
        assert [None if value != value else value for value in verdicts["expected"]] == expected
    table = pa.table(log)
    for form in (table, table.to_batches()[0], table.to_reader()):
        assert pf.check(form, "dice").to_pydict() == {"expected": expected, "ok": ok, "kind": kinds}
    for form in (pl.DataFrame(log), pl.DataFrame(log).lazy()):
        verdicts = pf.check(form, "dice")
        assert isinstance(verdicts, pl.DataFrame)
        assert verdicts.to_dict(as_series=False) == {"expected": expected, "ok": ok, "kind": kinds}
    assert pf.check(log, "dice") == {"expected": expected, "ok": ok, "kind": kinds}
    rows = pf.check(pl.DataFrame(log).to_dicts(), "dice")
    assert rows[1] == {"expected": OUTCOMES[1], "ok": False, "kind": "mismatch"}
    for empty in (frame.iloc[:0], pl.DataFrame(log).head(0), table.slice(0, 0)):
        assert len(pf.check(empty, "dice")) == 0
    with pytest.raises(TypeError, match="log must be in memory"):
        pf.check("log.csv", "dice")

    class Own(pd.DataFrame):
        pass

    assert pf.check(Own(log), "dice")["ok"].tolist() == ok


def test_masked_cells_are_missing():
    log = columns(0, 3)
    masked = np.ma.array(log["outcome"], mask=[True, False, False])
    assert found(pf.verify(log | {"outcome": masked}, "dice")) == [(0, "missing")]
    assert found(pf.verify(log | {"outcome": masked.astype("f4")}, "dice")) == [(0, "missing")]
    with pytest.raises(pf.LogError, match="float16"):
        pf.verify(log | {"outcome": masked.astype("f2")}, "dice")
    mines = np.ma.array([oracle.mines("a", "b", salt, 2) for salt in SALTS[:3]], mask=False)
    mines[1, 0] = np.ma.masked
    assert found(pf.verify(log | {"outcome": mines}, "mines:mines=2")) == [(1, "malformed")]


@pytest.mark.parametrize("field", ["server_seed", "client_seed", "salt"])
@pytest.mark.parametrize("kind", ["U64", "S64", object])
def test_every_masked_text_is_missing(field, kind):
    """The texts behind the masks would verify."""
    log = columns(0, 5)
    log[field] = np.ma.array(
        np.broadcast_to(log[field], 5).astype(kind), mask=[False, True, False, True, True]
    )
    assert found(pf.verify(log, "dice")) == [(1, "missing"), (3, "missing"), (4, "missing")]


def test_check_of_cards_and_pays_in_one_column():
    poker = crypto_games.VideoPoker()
    cards = poker.play("s", "c").tolist()
    log = {"server_seed": ["s"] * 3, "client_seed": ["c"] * 3, "outcome": [str(cards), "0", "x"]}
    log["hold"] = ["[1]", "[1]", None]
    for frame in (pl.DataFrame(log), pa.table(log)):
        verdicts = pf.check(frame, poker)
        assert [str(ok).lower() for ok in verdicts["ok"]][::2] == ["true", "false"]
        first, second, _ = map(str, verdicts["expected"])
        assert json.loads(first) == cards
        assert isinstance(json.loads(second), float)


def test_check_of_repeats():
    log = columns(0, 4)
    log["salt"][3], log["outcome"][3] = log["salt"][1], log["outcome"][1]
    assert pf.check(log, "dice")["ok"] == [True] * 4
    assert pf.check(log, "dice", repeats="fail")["kind"] == [None, None, None, "repeated"]


# ---- replays ----


def test_replays_are_counted_over_files_encodings_and_spellings(tmp_path, limits):
    limits(BATCH=7)
    (tmp_path / "a.csv").write_text(as_csv(0, 20))
    with gzip.open(tmp_path / "b.jsonl.gz", "wt") as file:
        file.write(as_json(15, 35))
    parquet.write_table(pa.table(columns(30, 50)), tmp_path / "c.parquet")
    with open(tmp_path / "d.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["salt", "outcome", "client_seed", "server_seed"])
        writer.writerow([SALTS[49], OUTCOMES[49], "b", "a"])
    expected = [(15 + i, 20 + i) for i in range(5)] + [(35 + i, 40 + i) for i in range(5)] + [(59, 60)]
    report = pf.verify(tmp_path, "dice")
    assert report.ok
    assert (report.repeats.count, report.repeats.rows, report.repeats.compared) == (11, expected, 61)
    assert "repeated rounds in 11 rows, the first is row 20 (as row 15)" in str(report).splitlines()[0]
    report = pf.verify(tmp_path, "dice", repeats="fail")
    assert (report.failed, report.counts) == (11, {"repeated": 11})
    assert found(report) == [(row, "repeated") for _, row in expected]
    # The key hashes server seed, colon and salt, so these are the same bytes.
    log = {"server_seed": ["a:x", "a"], "client_seed": "c", "salt": ["y", "x:y"], "outcome": [0, 0]}
    report = pf.verify(log, "dice")
    assert report.repeats.rows == [(0, 1)]
    assert exit_code(tmp_path) == 0
    assert exit_code(tmp_path, "--fail-repeats") == 1


def test_nonces_that_begin_anew_under_another_seed_are_no_replays():
    def hand(*seeds):
        return video_poker.deal(video_poker.digest(*seeds))

    poker = crypto_games.VideoPoker()
    rows = [(f"day {day}", "c", str(nonce)) for day in range(3) for nonce in range(20)]
    server, client, nonces = zip(*rows, strict=True)
    log = {"server_seed": server, "client_seed": client, "nonce": nonces}
    log["outcome"] = [hand(*row) for row in rows]
    assert pf.verify(log, poker, repeats="fail").ok
    # The hash concatenates the seeds, so a digit may belong to either.
    log = {"server_seed": ["s", "s"], "client_seed": ["c1", "c"], "nonce": ["2", "12"]}
    log["outcome"] = [hand("s", "c12")] * 2
    assert pf.verify(log, poker).repeats.rows == [(0, 1)]


@pytest.mark.parametrize("doubled", [False, True])
def test_streams_of_others_are_let_go_of(doubled):
    """A database connection is released, even after a log was refused."""
    crash = [oracle.crash(*oracle.CONSTANT_SEEDS["crash"], salt) for salt in SALTS]
    columns = [pa.array(SALTS), pa.array(np.array(crash, "f2")), pa.array(crash)]
    table = pa.table(columns, names=["salt", "outcome", "outcome" if doubled else "other"])
    ended = []

    def batches():
        try:
            yield from table.to_batches(max_chunksize=10)
        finally:
            ended.append(True)

    class Result:
        def __arrow_c_stream__(self, requested_schema=None):
            given = batches()
            first = next(given)
            reader = pa.RecordBatchReader.from_batches(
                table.schema, (b for part in ([first], given) for b in part)
            )
            return reader.__arrow_c_stream__(requested_schema)

    with pytest.raises(pf.LogError) as caught:
        pf.verify(Result(), "crash")
    assert ended, caught.value  # while the error and the frames that raised it still exist
