"""The same rows with planted defects get the same report from every source."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path

import provably_fair as pf
import pytest
from oracles import salted as oracle
from provably_fair.cli import run as run_here

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
parquet = pytest.importorskip("pyarrow.parquet")

ROWS = 3000


def planted(rows: int) -> tuple[dict[str, list], list[tuple[int, str]]]:
    """A log of dice by the oracle with defects, and the defective rows."""
    rng = random.Random(rows)
    salts = oracle.salts(rows)
    outcomes = [oracle.dice("server", "client", salt) for salt in salts]
    wrong = sorted(rng.sample(range(rows), 40))
    for row in wrong[:20]:
        outcomes[row] = (outcomes[row] + 0.01) % 100
    for row in wrong[20:]:
        salts[row] += "x"
    right = [oracle.dice("server", "client", salt) for salt in salts]
    found = [(row, "mismatch") for row in wrong if round(outcomes[row], 2) != right[row]]
    return {
        "server_seed": ["server"] * rows,
        "client_seed": ["client"] * rows,
        "salt": salts,
        "outcome": [round(outcome, 2) for outcome in outcomes],
    }, found


LOG, DEFECTS = planted(ROWS)
FRAME = pd.DataFrame(LOG)
TABLE = pa.table(LOG)
RECORDS = FRAME.to_dict("records")
CSV = FRAME.to_csv(index=False).encode()


def told(report):
    """The whole report, except for the name of its source; CSV cells are text."""
    failures = [(f.row, f.kind, f.expected, float(f.found), f.column) for f in report.failures]
    facts = report.to_dict()
    kept = ("checked", "failed", "counts", "repeats", "committed", "unread", "notes", "complete", "error")
    columns = facts["parameters"]["columns"]
    return failures, {name: facts[name] for name in kept}, columns


EXPECTED = told(pf.verify(LOG, "dice"))


def test_what_is_expected_is_what_was_planted():
    assert [(row, kind) for row, kind, *_ in EXPECTED[0]] == DEFECTS
    assert len(DEFECTS) > 30


def parquet_bytes(table=TABLE) -> bytes:
    file = io.BytesIO()
    parquet.write_table(table, file, row_group_size=500)
    return file.getvalue()


def arrow_bytes(make=None) -> bytes:
    file = io.BytesIO()
    with (make or pa.ipc.new_stream)(file, TABLE.schema) as writer:
        writer.write_table(TABLE, max_chunksize=700)
    return file.getvalue()


def json_array(indent=None) -> bytes:
    return json.dumps(RECORDS, indent=indent, ensure_ascii=False).encode()


def json_lines(rows=RECORDS) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/1.csv", FRAME[:1000].to_csv(index=False))
        archive.writestr("a/2.parquet", parquet_bytes(TABLE.slice(1000, 500)))
        archive.writestr("b/1.json", json.dumps(RECORDS[1500:2000]))
        archive.writestr("b/2.jsonl.gz", gzip.compress(json_lines(RECORDS[2000:])))
        archive.writestr("notes.txt", "nothing")
        archive.writestr("__MACOSX/a/._1.csv", b"\0\1")
    return file.getvalue()


def excel_bytes(frame=FRAME) -> bytes:
    pytest.importorskip("openpyxl")
    file = io.BytesIO()
    frame.to_excel(file, index=False)
    return file.getvalue()


class Unseekable(io.RawIOBase):
    """A stream without seeking, as from a network."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        return self._file.readinto(memoryview(buffer)[:1000])


def written(data: bytes, name: str):
    def write(folder: Path) -> Path:
        (folder / name).write_bytes(data)
        return folder / name

    return write


def hive(folder: Path) -> Path:
    for number in range(3):
        part = folder / "bets" / "server_seed=server" / f"day=2026-01-0{number + 1}"
        part.mkdir(parents=True)
        FRAME[number * 1000 : (number + 1) * 1000].drop(columns="server_seed").to_csv(
            part / "1.csv", index=False
        )
    return folder / "bets"


def dask_frame(folder: Path) -> object:
    return pytest.importorskip("dask.dataframe").from_pandas(FRAME, npartitions=4)


def members(folder: Path) -> object:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.pipe("/sources/a.csv", CSV)
    return "memory://sources/"


def pyarrow_system(folder: Path) -> pf.Files:
    pytest.importorskip("fsspec")
    return pf.Files(str(hive(folder)), filesystem=pytest.importorskip("pyarrow.fs").LocalFileSystem())


SOURCES = {
    "list of frames": lambda folder: [FRAME[:1000], FRAME[1000:]],
    "list of batches": lambda folder: TABLE.to_batches(max_chunksize=999),
    "frames of both libraries": lambda folder: (FRAME[:1], pl.from_pandas(FRAME[1:])),
    "chunks of pandas": lambda folder: pd.read_csv(io.BytesIO(CSV), chunksize=700),
    "slices of Polars": lambda folder: pl.from_pandas(FRAME).iter_slices(700),
    "lazy Polars": lambda folder: pl.from_pandas(FRAME).lazy(),
    "lazy Polars of a file": lambda folder: pl.scan_csv(written(CSV, "a.csv")(folder)),
    "Dask": dask_frame,
    "generator of rows": lambda folder: (row for row in RECORDS),
    "generator of lists of rows": lambda folder: (RECORDS[i : i + 99] for i in range(0, ROWS, 99)),
    "named tuples": lambda folder: FRAME.itertuples(index=False),
    "generator of Arrow batches": lambda folder: iter(TABLE.to_batches(max_chunksize=700)),
    "generator of paths": lambda folder: iter(sorted(hive(folder).rglob("*.csv"))),
    "pattern": lambda folder: f"{hive(folder)}/*/day=2026-01-0[1-3]/*.csv",
    "pattern of any depth": lambda folder: hive(folder).parent / "**" / "?.csv",
    "BytesIO of CSV": lambda folder: io.BytesIO(CSV),
    "StringIO": lambda folder: io.StringIO(CSV.decode()),
    "BytesIO of CSV, gzip": lambda folder: io.BytesIO(gzip.compress(CSV)),
    "BytesIO of CSV, bz2": lambda folder: io.BytesIO(bz2.compress(CSV)),
    "BytesIO of JSON lines": lambda folder: io.BytesIO(json_lines()),
    "BytesIO of JSON": lambda folder: io.BytesIO(json_array()),
    "BytesIO of Parquet": lambda folder: io.BytesIO(parquet_bytes()),
    "BytesIO of Arrow": lambda folder: io.BytesIO(arrow_bytes()),
    "BytesIO of Feather": lambda folder: io.BytesIO(arrow_bytes(pa.ipc.new_file)),
    "BytesIO of ZIP": lambda folder: io.BytesIO(zipped()),
    "BytesIO of Excel": lambda folder: io.BytesIO(excel_bytes()),
    "network, CSV": lambda folder: Unseekable(CSV),
    "network, JSON": lambda folder: Unseekable(json_array(2)),
    "network, Parquet": lambda folder: Unseekable(parquet_bytes()),
    "network, ZIP": lambda folder: Unseekable(zipped()),
    "network, Excel": lambda folder: Unseekable(excel_bytes()),
    "open file": lambda folder: written(CSV, "a.csv")(folder).open(encoding="utf-8"),
    "open file of bytes": lambda folder: written(parquet_bytes(), "log")(folder).open("rb"),
    "format that is told": lambda folder: pf.Files(written(CSV, "log.txt")(folder), format="csv"),
    "JSON array": written(json_array(), "a.json"),
    "JSON array, indented": written(json_array(1), "a.json"),
    "JSON array, gzip": written(gzip.compress(json_array()), "a.json.gz"),
    "ZIP": written(zipped(), "a.zip"),
    "Excel": lambda folder: written(excel_bytes(), "a.xlsx")(folder),
    "Hive": hive,
    "fsspec": members,
    "pyarrow's file system": pyarrow_system,
}


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_tells_the_same(name, tmp_path, limits):
    limits(BATCH=256, JSON_BATCH=256, FETCHED=256, BLOCK=4096, CSV_BLOCK=4096)
    log = SOURCES[name](tmp_path)
    report = pf.verify(log, "dice")
    failures, facts, columns = told(report)
    facts["unread"] = [column for column in facts["unread"] if column != "day"]
    assert (failures, facts, columns) == EXPECTED
    for file in report.files:
        assert len(file.sha256) == 64
    assert report.explain().outcome == failures[0][2]
    if hasattr(log, "close"):
        log.close()


def test_bytes_that_are_read_are_the_bytes_that_are_hashed(tmp_path):
    for log in (io.BytesIO(CSV), Unseekable(CSV), written(CSV, "a.csv")(tmp_path), io.StringIO(CSV.decode())):
        assert pf.verify(log, "dice").files[0].sha256 == hashlib.sha256(CSV).hexdigest()
    for data in (zipped(), parquet_bytes(), excel_bytes()):
        evidence = pf.verify(io.BytesIO(data), "dice").files
        if len(evidence) == 1:
            assert evidence[0].sha256 == hashlib.sha256(data).hexdigest()
    names = [file.file for file in evidence]
    assert names == ["BytesIO"]
    report = pf.verify(written(zipped(), "z.zip")(tmp_path), "dice")
    archive = zipfile.ZipFile(tmp_path / "z.zip")
    for file in report.files:
        inside = file.file.removeprefix(f"{tmp_path}/z.zip/")
        assert file.sha256 == hashlib.sha256(archive.read(inside)).hexdigest()
    assert sorted(Path(name).name for name in report.passed_over) == ["._1.csv", "notes.txt"]


def test_a_file_is_read_from_where_it_stands_and_stays_open():
    file = io.BytesIO(b"something before\n" + CSV)
    file.readline()
    assert told(pf.verify(file, "dice")) == EXPECTED
    assert not file.closed
    file.seek(0)
    assert file.readline() == b"something before\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_are_read(tmp_path):
    for name, data in (("a.csv", CSV), ("nameless", json_array()), ("b.parquet", parquet_bytes())):
        os.mkfifo(tmp_path / name)
        writer = threading.Thread(target=(tmp_path / name).write_bytes, args=(data,))
        writer.start()
        assert told(pf.verify(tmp_path / name, "dice")) == EXPECTED
        writer.join()


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "provably_fair", "verify", *map(str, arguments)]


def run(*arguments: object, data: bytes | None = None, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        command(*arguments),
        input=data,
        capture_output=True,
        check=False,
        env=os.environ | environment,
        timeout=60,
    )


def test_stdin(tmp_path):
    options = ("--game", "dice", "--json", "--failures", tmp_path / "failures.csv", "--overwrite")
    for data, more in ((gzip.compress(CSV), ()), (parquet_bytes(), ("--format", "parquet"))):
        done = run("-", *options, *more, data=data)
        report = json.loads(done.stdout)
        assert (done.returncode, report["failed"], report["files"][0]["file"]) == (1, len(DEFECTS), "stdin")
        assert report["files"][0]["sha256"] == hashlib.sha256(data).hexdigest()
    assert len(pd.read_csv(tmp_path / "failures.csv")) == len(DEFECTS)
    done = run("-", "--game", "dice", data=b"")
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.skipif(os.name == "nt", reason="needs SIGINT")
def test_an_interrupt_ends_the_wait_for_a_pipe():
    words = command("-", "--game", "dice", "--format", "csv")
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(CSV + b"server," * (1 << 17))  # more than a block
    process.stdin.flush()
    time.sleep(1)
    start = time.monotonic()
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert time.monotonic() - start < 20
    assert b"verified" not in process.stdout.read()
    assert b"Fatal" not in process.stderr.read()
    assert process.returncode != 0
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def test_the_command_asks_a_database(tmp_path, capsys):
    sqlite3 = pytest.importorskip("sqlite3")
    pytest.importorskip("sqlalchemy")
    with sqlite3.connect(tmp_path / "a.db") as connection:
        FRAME.to_sql("bets", connection, index=False)
    connection.close()
    url = f"sqlite:///{tmp_path / 'a.db'}"
    done = run("select * from bets where salt <> ':x'", "--db", url, "--game", "dice", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["failed"]) == (1, len(DEFECTS))
    assert report["files"][0]["file"] == f"{url}: select * from bets where salt <> ':x'"
    refused = {
        ("select * from bets limit 0", "--db", url): "so nothing was verified",
        ("select * from nowhere", "--db", url): "no such table: nowhere",
        ("select 1", "--db", f"{url}x"): "No such file",
        ("select 1", "--db", "a.db"): "--db must be a URL",
        ("select 1", "select 2", "--db", url): "LOG must be one query",
        ("select 1", "--db", url, "--format", "csv"): "--format isn't supported",
        ("delete from bets", "--db", url): "the query gives no rows",
        ("log.csv", "--format", "xls"): "format must be one of",
    }
    for arguments, message in refused.items():
        assert run_here(["verify", *arguments, "--game", "dice"]) == 2
        shown = capsys.readouterr()
        assert message in shown.err
        assert shown.err.count("\n") == 1
        assert "verified" not in shown.out.replace("nothing to verify", "")
    assert not (tmp_path / "a.dbx").exists()
    with sqlite3.connect(tmp_path / "a.db") as connection:
        assert connection.execute("select count(*) from bets").fetchone() == (ROWS,)
    connection.close()


def test_audits_tests_and_seeds_are_of_every_source(tmp_path, capsys):
    from pytest_provably_fair import assert_rounds

    sqlite3 = pytest.importorskip("sqlite3")
    sqlalchemy = pytest.importorskip("sqlalchemy")
    right = FRAME.drop(index=[row for row, _ in DEFECTS])
    hashed = hashlib.sha256(b"server").hexdigest()
    with sqlite3.connect(tmp_path / "a.db") as connection:
        FRAME.to_sql("bets", connection, index=False)
        right.assign(server_seed=None, commitment=hashed).to_sql("right", connection, index=False)
        pd.DataFrame({"seed": ["server"]}).to_sql("seeds", connection, index=False)
    query = pf.Query("select * from bets", connection)
    with sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'a.db'}").connect() as open_there:
        assert pf.verify(pf.Query("select * from bets", open_there), "dice").failed == len(DEFECTS)
    findings = [str(finding) for finding in pf.audit(FRAME, "dice").findings]
    for log in (query, iter(RECORDS), io.BytesIO(CSV)):
        report = pf.audit(log, "dice")
        assert (report.verification.failed, [str(f) for f in report.findings]) == (len(DEFECTS), findings)
    with pytest.raises(AssertionError, match=f"{len(DEFECTS)} of {ROWS:,} rows"):
        assert_rounds(query, "dice")
    assert assert_rounds((row for row in right.to_dict("records")), "dice").checked == len(right)
    seeds = pf.Query("select seed as server_seed from seeds", connection)
    joined = pf.verify(pf.Query("select * from right", connection), "dice", seeds=seeds)
    assert (joined.ok, joined.checked) == (True, len(right))
    connection.close()
    url = f"sqlite:///{tmp_path / 'a.db'}"
    assert run_here(["audit", "select * from bets", "--db", url, "--game", "dice", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verification"]["failed"] == len(DEFECTS)


def parts_of(folder: Path, *names: str) -> None:
    """Write a part of the log under each name, in this order."""
    for place, name in enumerate(names):
        part = folder / name
        part.parent.mkdir(parents=True, exist_ok=True)
        FRAME[place * 500 : place * 500 + 500].to_csv(part, index=False)


def test_patterns_find_what_a_shell_finds(tmp_path):
    parts_of(tmp_path, "a/2.csv", "a/10.csv", "b/c/1.csv", "a/.3.csv", ".d/4.csv", "b/.e/5.csv")
    (tmp_path / "a" / "notes.txt").write_text("nothing")

    def found(pattern):
        report = pf.verify(f"{tmp_path}/{pattern}", "dice")
        names = [os.path.relpath(file.file, tmp_path) for file in report.files]
        return [name.replace(os.sep, "/") for name in names], [Path(name).name for name in report.passed_over]

    assert found("*/*.csv") == (["a/10.csv", "a/2.csv"], [])
    assert found("a/[0-9]*") == (["a/10.csv", "a/2.csv"], [])
    assert found("a/*") == (["a/10.csv", "a/2.csv"], ["notes.txt"])
    assert found("**/?.csv") == (["a/2.csv", "b/c/1.csv"], [])
    assert found("**") == found("[ab]") == (["a/10.csv", "a/2.csv", "b/c/1.csv"], ["notes.txt"])
    # Hidden files are found only by patterns that say so.
    assert found("*/.*.csv") == (["a/.3.csv"], [])
    assert found(".*/*.csv") == ([".d/4.csv"], [])
    for pattern, what in (
        ("*/9.csv", "no file or folder matches this pattern"),
        ("a/*.txt", "the pattern matches no file of a known kind"),
    ):
        with pytest.raises(pf.LogError, match=re.escape(f"{tmp_path / pattern}: {what}")):
            pf.verify(f"{tmp_path}/{pattern}", "dice")


@pytest.mark.skipif(os.name == "nt", reason="needs names with any characters")
def test_files_whose_names_look_like_patterns_go_first(tmp_path):
    parts_of(tmp_path, "day[1].csv", "day1.csv", "a[1]/rounds*.csv", "a[1]/rounds2.csv")
    for name, expected in (
        ("day[1].csv", "day[1].csv"),
        ("day[12].csv", "day1.csv"),
        ("a[1]", "rounds*.csv"),
    ):
        report = pf.verify(f"{tmp_path}/{name}", "dice")
        assert Path(report.files[0].file).name == expected
    # The folder of a config is no part of the pattern in it.
    config = tmp_path / "a[1]" / "log.toml"
    for name, files in (("rounds*.csv", 1), ("rounds?.csv", 2), ("*", 2)):
        config.write_text(f'game = "dice"\nlogs = "{name}"\n')
        assert len(pf.verify(config=config).files) == files


def test_everything_that_reads_logs_takes_patterns(tmp_path, capsys):
    parts_of(tmp_path, "1.csv", "2.csv")
    pattern = f"{tmp_path}/?.csv"
    failed = pf.verify(FRAME[:1000], "dice").failed
    assert run_here(["verify", pattern, "--game", "dice", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["failed"] == failed > 0
    assert run_here(["verify", f"{tmp_path}/?.json", "--game", "dice"]) == 2
    assert "no file or folder matches this pattern" in capsys.readouterr().err
    assert pf.audit(pattern, "dice").verification.failed == failed
    assert pf.identify(pattern).best.game == "dice"
    with pytest.raises(ValueError, match="failures"):
        pf.verify(pattern, "dice", failures=tmp_path / "1.csv")
    game = pf.operators.roobet.Crash()
    hashes = pf.HashChain().generate("an operator's secret", games=400)
    for place in range(2):
        lines = "".join(f"{bust:.2f}\n" for bust in game.play(hashes[place * 50 : place * 50 + 50]))
        (tmp_path / f"busts {place}.csv").write_text(f"bust\n{lines}")
    located = pf.locate(f"{tmp_path}/busts ?.csv", "roobet.crash", anchor=hashes[-1])
    assert located.rows.tolist() == list(range(399, 299, -1))


def test_a_config_may_name_a_url(tmp_path, capsys):
    members(tmp_path)
    (tmp_path / "log.toml").write_text('game = "dice"\nlogs = "memory://sources/a.csv"\n')
    assert run_here(["verify", "--config", str(tmp_path / "log.toml"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["files"][0]["file"] == "memory://sources/a.csv"


def test_names_hide_what_is_secret():
    shown = {
        "s3://bucket/a=b/c@d.csv": "s3://bucket/a=b/c@d.csv",
        "https://me:secret@host:80/x.csv?key=open&to=csv": "https://me:***@host:80/x.csv?key=***&to=***",
        "https://host:80/x@y/z.csv": "https://host:80/x@y/z.csv",
        "https://host/x?open-sesame": "https://host/x?***",
        "postgresql://me:a/b@c:d?e@host/name": "postgresql://me:***@host/name",
        "simplecache::s3://key:secret@bucket/x": "simplecache::s3://key:***@bucket/x",
        "mysql+pymysql://me@host/name": "mysql+pymysql://me@host/name",
        "postgresql://me:p@ss@host/name": "postgresql://me:***@host/name",
        "postgresql://me@corp:p@ss@host/name": "postgresql://me@corp:***@host/name",
        "postgresql://host/name?password=p&ss;w@rd&user=me": "postgresql://host/name?password=***&***;***&user=***",
    }
    for url, name in shown.items():
        assert repr(pf.Files(url, format="csv")) == f"Files({name!r}, format='csv')"
        if not url.startswith("https://host:80"):  # no database has an "@" in its path
            assert repr(pf.Query("select 1", url)) == f"Query('select 1', {name!r})"
    assert (
        repr(pf.Query("select 1", "mysql://me:12/ab@host/name"))
        == "Query('select 1', 'mysql://me:***@host/name')"
    )
    assert repr(pf.Files(["a"] * 9)) == "Files(['a', 'a', 'a', ...])"


@pytest.mark.parametrize("password", ["p@ssw0rd", "hunter2@9", "a:b@secret7", "1/x@quux77", "per%40cent9"])
def test_a_database_that_cannot_be_reached_hides_every_part_of_its_password(password):
    """Drivers treat everything after the first "@" as the host, and put it into their message."""
    pytest.importorskip("sqlalchemy")
    pytest.importorskip("psycopg")
    for user in ("me", "me@corp"):
        query = pf.Query("select 1", f"postgresql://{user}:{password}@127.0.0.1:1/name")
        with pytest.raises(pf.LogError) as refused:
            pf.verify(query, "dice")
        for part in re.split("[@/:]|%40", password):
            assert len(part) < 4 or part not in str(refused.value) + repr(query)
        assert "***" in str(refused.value)


# ---- interrupted and refused sources ----


def broken_after(parts: Iterator, error: Exception):
    yield from parts
    raise error


@pytest.mark.parametrize(
    "log",
    [
        lambda: broken_after((row for row in RECORDS[:500]), OSError("the line is dead")),
        lambda: broken_after(iter([FRAME[:500]]), RuntimeError("the line is dead")),
        lambda: io.BytesIO(json_array()[: len(json_array()) // 6]),
        lambda: Dying(CSV),
    ],
)
def test_what_was_read_before_it_broke_off_is_told_and_nothing_is_verified(log, limits):
    limits(BLOCK=4096, CSV_BLOCK=4096)
    with pytest.raises(pf.LogError, match=r"dead|breaks off") as caught:
        pf.verify(log(), "dice")
    report = caught.value.report
    assert 400 < report.checked <= 500
    assert [(f.row, f.kind) for f in report.failures] == [d for d in DEFECTS if d[0] < report.checked]
    assert (report.ok, report.complete) == (False, False)
    assert "\n" not in str(caught.value)
    assert "NOT VERIFIED: not all was read" in str(report).splitlines()[0]


@pytest.mark.parametrize("data", [CSV, json_array()])
def test_a_small_compressed_file_that_breaks_off_is_verified_up_to_there(data):
    packed = gzip.compress(data)
    for end, least, most in ((len(packed) * 9 // 10, 0.85 * ROWS, ROWS - 1), (-4, ROWS, ROWS)):
        with pytest.raises(pf.LogError, match="ended before") as caught:
            pf.verify(io.BytesIO(packed[:end]), "dice")
        report = caught.value.report
        assert least <= report.checked <= most
        assert [(f.row, f.kind) for f in report.failures] == [d for d in DEFECTS if d[0] < report.checked]
        assert (report.ok, report.complete) == (False, False)


@pytest.mark.parametrize("kind", [OSError, ImportError, MemoryError])
def test_a_source_that_fails_at_once_is_an_error_of_the_log(kind):
    error = kind("the line is dead\nfor good")
    with pytest.raises(pf.LogError, match=r"^log: the line is dead$") as caught:
        pf.verify(broken_after(iter(()), error), "dice")
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("kind", [KeyError, ImportError])
def test_an_open_file_that_fails_is_an_error_of_the_log(kind):
    class Failing(io.BytesIO):
        def read(self, size=-1):
            raise kind("no codec")

    with pytest.raises(pf.LogError, match=r"^Failing: '?no codec'?$"):
        pf.verify(Failing(CSV), "dice")


@pytest.mark.parametrize("buffering", [0, -1])
def test_an_open_file_is_read_from_where_it_stands(buffering, tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(b"exported today\n" + CSV)
    with open(path, "rb", buffering) as file:
        file.seek(15)
        report = pf.verify(file, "dice")
    assert (report.checked, report.files[0].bytes) == (ROWS, len(CSV))


class Dying(Unseekable):
    """A connection that breaks in the middle of row 490."""

    def readinto(self, buffer) -> int:
        if self._file.tell() > len(b"".join(CSV.splitlines(keepends=True)[:490])):
            raise ConnectionResetError("the line is dead")
        return super().readinto(buffer)


def test_columns_stay_the_same_in_all_parts():
    late = FRAME.assign(commitment="x")
    for parts in ([FRAME, late], [late, FRAME], [FRAME.to_dict("records"), late.to_dict("records")]):
        with pytest.raises(pf.LogError, match=r"from row 3000 on the column 'commitment' is"):
            pf.verify(iter(parts), "dice")
    # A row may lack a cell, which is then missing.
    commitment = hashlib.sha256(b"server").hexdigest()
    rows = [row | {"commitment": commitment} for row in RECORDS[:10]]
    del rows[7]["commitment"]
    report = pf.verify(iter(rows), "dice")
    assert (7, "missing") in [(f.row, f.kind) for f in report.failures]


def test_nothing_at_all_has_no_columns():
    for log in (iter([]), [], io.BytesIO(b"[]"), (row for row in ())):
        with pytest.raises(pf.LogError, match="no column"):
            pf.verify(log, "dice")
    assert pf.verify(iter([FRAME[:0]]), "dice").checked == 0
    for log in (iter([5]), [FRAME, 5], iter(["no", 5])):
        with pytest.raises(TypeError, match="log must be a path"):
            pf.verify(log, "dice")


ARRAYS = {
    b"[]": "no column",
    b"[1, 2]": "there are no columns at all",
    b"[[1], [2]]": "each row must be a JSON object",
    b'[{"salt": "x"} {"salt": "y"}]': "row 1: the array breaks off here, or isn't JSON",
    b'[{"salt": "x"},': "row 1: the array breaks off",
    b'[{"salt": "x"': "row 0: the array breaks off",
    b'[{"salt": "x"}] []': "after row 1: something follows",
}


@pytest.mark.parametrize("text", ARRAYS)
def test_arrays_that_are_none(text, tmp_path):
    for log in (io.BytesIO(text), written(text, "a.json")(tmp_path)):
        with pytest.raises(pf.LogError, match=ARRAYS[text]):
            pf.verify(log, "dice", constants={"server_seed": "s", "client_seed": "c", "outcome": 1})


def test_rows_of_an_array_that_are_no_objects_are_malformed(limits):
    rows = [*RECORDS[:20], 5, [], None, "]", {**RECORDS[20], "client_seed": '},\\"]\n'}, *RECORDS[21:40]]
    for block in (7, 100, 1 << 20):
        limits(BLOCK=block, CSV_BLOCK=block)
        for indent in (None, 3):
            report = pf.verify(io.BytesIO(json.dumps(rows, indent=indent).encode()), "dice")
            malformed = [f.row for f in report.failures if f.kind == "malformed"]
            assert (report.checked, malformed) == (44, [20, 21, 22, 23])


def test_partitions_are_the_games_parameters(tmp_path):
    for mines in (3, 5):
        salts = oracle.salts(40)
        boards = [json.dumps(oracle.mines("s", "c", salt, mines)) for salt in salts]
        folder = tmp_path / f"mines={mines}" / "who=a%20b"
        folder.mkdir(parents=True)
        frame = pd.DataFrame({"server_seed": "s", "client_seed": "c", "salt": salts, "outcome": boards})
        frame.to_csv(folder / "a.csv", index=False)
        parquet.write_table(pa.table(frame), folder / "b.parquet")
    report = pf.verify(tmp_path, "mines")
    assert (report.ok, report.checked) == (True, 160)
    assert report.parameters["columns"]["mines"] == "mines"
    assert report.unread == ["who"]
    assert not pf.verify(tmp_path, "mines", columns={"mines": "who"}).ok


def test_other_sheets_are_named(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for name, cells in (("bets", LOG), ("more", {"note": ["x"]}), ("empty", {})):
        sheet = book.active if name == "bets" else book.create_sheet()
        sheet.title = name
        if cells:
            sheet.append(list(cells))
            for row in itertools.islice(zip(*cells.values(), strict=True), 50):
                sheet.append(row)
                sheet.append([])
    book.save(tmp_path / "a.xlsx")
    report = pf.verify(tmp_path / "a.xlsx", "dice")
    assert report.checked == 50
    assert report.passed_over == {f"{tmp_path}/a.xlsx: sheet 'more'": "only the first sheet is read"}
    (tmp_path / "b.xlsx").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "c.zip").write_bytes(zipped()[:-300])
    (tmp_path / "d.csv").write_bytes(CSV)
    report = pf.verify(tmp_path, "dice")
    assert [file.error is None for file in report.files] == [True, False, False, True]
    assert not report.complete
    for name in "b.xlsx", "c.zip":
        with pytest.raises(pf.LogError, match=name):
            pf.verify(tmp_path / name, "dice")


@pytest.mark.parametrize("stated", [b"A1:D9", b"A1", b"A1:XFD1048576"])
def test_all_rows_of_a_sheet_are_read_whatever_size_it_states(stated):
    found = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(excel_bytes(FRAME[:50]))) as book, zipfile.ZipFile(found, "w") as other:
        for name in book.namelist():
            other.writestr(name, re.sub(rb'(?<=<dimension ref=")[A-Z0-9:]+', stated, book.read(name)))
    found.seek(0)
    assert pf.verify(found, "dice").checked == 50


def test_bytes_before_a_nul_are_looked_at(tmp_path):
    data = CSV[:5000] + b"\xff" + CSV[5000:9000] + b"\0" + CSV[9000:]
    with pytest.raises(pf.LogError, match="not UTF-8") as caught:
        pf.verify(io.BytesIO(data), "dice")
    assert caught.value.report.checked == CSV[:5000].count(b"\n") - 1


def test_members_that_are_damaged_or_locked(tmp_path):
    data = bytearray(zipped())
    data[data.index(b"PK\1\2") + 8] |= 1
    report = pf.verify(written(bytes(data), "a.zip")(tmp_path), "dice")
    assert "encrypted" in report.files[0].error
    assert [file.error is None for file in report.files] == [False, True, True, True]
    data = bytearray(zipped())
    data[200] ^= 255
    report = pf.verify(written(bytes(data), "a.zip")(tmp_path), "dice")
    assert [file.error is None for file in report.files] == [False, True, True, True]
    assert not report.complete


@pytest.mark.thorough
def test_memory_does_not_grow_with_what_is_read():
    """Memory stays bounded for a generator, an open file, a JSON array and a pipe."""

    class Endless(io.RawIOBase):
        """CSV rows generated while they are read."""

        def __init__(self, rows: int, start: bytes, row: bytes, end: bytes) -> None:
            self._left, self._row, self._end, self._rest = rows, row, end, start

        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:
            while len(self._rest) < len(buffer) and self._left:
                self._rest += self._row * 100
                self._left -= 100
                if not self._left:
                    self._rest += self._end
            data, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
            buffer[: len(data)] = data
            return len(data)

    note = "x" * 1000
    row = {"first": "31", "second": "45", "outcome": "16", "note": note}
    text = json.dumps(row).encode()
    logs = {
        "rows": lambda rows: (row | {"note": note[:-5] + str(i)} for i in range(rows)),
        "CSV": lambda rows: Endless(
            rows, b"first,second,outcome,note\n", b"31,45,16," + note.encode() + b"\n", b""
        ),
        "JSON": lambda rows: Endless(rows, b"[", text + b",", text + b"]"),
    }
    for name, log in logs.items():
        pf.verify(log(1000), "combined-dice")
        tracemalloc.start()
        try:
            assert pf.verify(log(60_000), "combined-dice").failed == 0
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 40 << 20, (name, peak)  # of the 60 MB read
