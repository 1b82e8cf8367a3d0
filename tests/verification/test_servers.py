"""Real servers: 10,000 rows with planted defects in databases and buckets are judged as in memory."""

from __future__ import annotations

import http.server
import importlib.util
import io
import json
import os
import random
import subprocess
import sys
import threading
from contextlib import closing
from urllib.parse import quote

import provably_fair as pf
import pytest
from oracles import salted as oracle
from provably_fair.cli import run
from tools import servers

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
parquet = pytest.importorskip("pyarrow.parquet")

ROWS = 10_000
DEFECTS = 50
QUERY = "select server_seed, client_seed, salt, outcome from bets order by id"


@pytest.fixture(scope="module")
def log():
    """A log of dice by the oracle with defects, as a frame, and the defective rows."""
    salts = oracle.salts(ROWS)
    outcomes = [oracle.dice("server", "client", salt) for salt in salts]
    wrong = sorted(random.Random(26).sample(range(ROWS), DEFECTS))
    for row in wrong:
        outcomes[row] = round((outcomes[row] + 50) % 100, 2)
    columns = {"id": range(ROWS), "server_seed": "server", "client_seed": "client", "salt": salts}
    return pd.DataFrame(columns | {"outcome": outcomes}), wrong


@pytest.fixture(scope="module")
def expected(log):
    report = pf.verify(log[0], "dice")
    assert [failure.row for failure in report.failures] == log[1]
    return told(report)


def told(report):
    """The whole report, except for the name of its source and unread columns."""
    failures = [(f.row, f.kind, f.expected, float(f.found), f.column) for f in report.failures]
    facts = report.to_dict()
    kept = (
        "checked",
        "failed",
        "counts",
        "repeats",
        "committed",
        "notes",
        "complete",
        "error",
        "parameters",
    )
    return failures, {name: facts[name] for name in kept}


def refused(capsys, *arguments: object) -> str:
    """The one-line error of a command that can't verify."""
    assert run(["verify", *map(str, arguments), "--game", "dice"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1, shown.err
    return shown.err


# The extra memory in megabytes for a large log, compared with a small one.
GROWTH = """
import pathlib, sys
import provably_fair as pf
def peak():
    return int(pathlib.Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) >> 10
small, large, database = sys.argv[1:]
def log(text):
    return pf.Query(text, database) if database else text
assert pf.verify(log(small), "combined-dice").ok
before = peak()
report = pf.verify(log(large), "combined-dice")
assert report.ok and report.checked >= 200_000, report
print(peak() - before)
"""


def growth(small: str, large: str, database: str = "", **environment: str) -> int:
    if not sys.platform.startswith("linux"):
        pytest.skip("reads /proc")
    done = subprocess.run(
        [sys.executable, "-c", GROWTH, small, large, database],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


# ---- PostgreSQL ----


@pytest.fixture(scope="module")
def postgres(log):
    psycopg = pytest.importorskip("psycopg")
    if servers.postgres_programs() is None:
        pytest.skip(servers.INSTALL_POSTGRES)
    with servers.postgres() as how:
        with psycopg.connect(**how) as connection, connection.cursor() as cursor:
            cursor.execute(
                "create table bets (id bigint primary key, server_seed text, client_seed text, salt text,"
                " outcome numeric(5, 2))"
            )
            with cursor.copy("copy bets from stdin (format csv)") as copy:
                copy.write(log[0].to_csv(index=False, header=False))
        yield how


def url_of(how, password=servers.PASSWORD, driver="postgresql") -> str:
    user = f"{how['user']}:{quote(password, safe='')}"
    return f"{driver}://{user}@{how['host']}:{how['port']}/{how['dbname']}"


def of_psycopg(how, close, **options):
    connection = importlib.import_module("psycopg").connect(**how, **options)
    close(connection.close)
    return connection


def of_alchemy(how, close):
    engine = pytest.importorskip("sqlalchemy").create_engine(url_of(how, driver="postgresql+psycopg"))
    close(engine.dispose)
    return engine


def of_session(how, close):
    engine = of_alchemy(how, close)
    session = importlib.import_module("sqlalchemy.orm").Session(engine)
    close(session.close)
    return session


def executed(connection, name=""):
    cursor = connection.cursor(name)
    cursor.execute(QUERY)
    return cursor


def of_adbc(how, close):
    connection = importlib.import_module("adbc_driver_postgresql.dbapi").connect(url_of(how))
    close(connection.close)
    return connection


POSTGRES = {
    "URL": lambda how, close: pf.Query(QUERY, url_of(how)),
    "URL with a driver": lambda how, close: pf.Query(QUERY, url_of(how, driver="postgresql+psycopg")),
    "connection": lambda how, close: pf.Query(QUERY, of_psycopg(how, close)),
    "connection that commits": lambda how, close: pf.Query(QUERY, of_psycopg(how, close, autocommit=True)),
    "parameters": lambda how, close: pf.Query(
        QUERY.replace("order", "where id >= %(first)s order"), of_psycopg(how, close), {"first": 0}
    ),
    "cursor": lambda how, close: executed(of_psycopg(how, close)),
    "cursor of the server": lambda how, close: executed(of_psycopg(how, close), "mine"),
    "rows as mappings": lambda how, close: executed(
        of_psycopg(how, close, row_factory=importlib.import_module("psycopg.rows").dict_row)
    ),
    "engine": lambda how, close: pf.Query(QUERY, of_alchemy(how, close)),
    "session": lambda how, close: pf.Query(QUERY, of_session(how, close)),
    "result": lambda how, close: of_session(how, close).execute(
        importlib.import_module("sqlalchemy").text(QUERY)
    ),
    "named parameters": lambda how, close: pf.Query(
        QUERY.replace("order", "where id >= :first order"), of_alchemy(how, close), {"first": 0}
    ),
}
if importlib.util.find_spec("adbc_driver_postgresql"):
    POSTGRES["ADBC"] = lambda how, close: pf.Query(
        QUERY.replace("outcome", "outcome::float8", 1), of_adbc(how, close)
    )


@pytest.mark.parametrize("name", POSTGRES)
def test_postgresql_tells_the_same(name, postgres, expected, request):
    report = pf.verify(POSTGRES[name](postgres, request.addfinalizer), "dice")
    assert told(report) == expected
    for file in report.files:
        assert (file.bytes, file.sha256, file.rows) == (0, None, ROWS)
        assert f"@127.0.0.1:{postgres['port']}/postgres: select " in file.file or name == "ADBC"
    assert servers.PASSWORD not in report.to_json() + str(report) + repr(report)
    assert quote(servers.PASSWORD, safe="") not in report.to_json()


def test_the_report_names_the_database_without_its_password(postgres, capsys):
    query = pf.Query(QUERY + " limit 10", url_of(postgres))
    name = f"postgresql://tester:***@127.0.0.1:{postgres['port']}/postgres"
    assert repr(query) == f"Query('{QUERY} limit 10', '{name}')"
    report = pf.verify(query, "dice")
    assert report.files[0].file == f"{name}: {QUERY} limit 10"
    shown = [line.partition(" ")[0] for line in str(report).splitlines()]
    assert (shown.count("log"), shown.count("SHA-256")) == (1, 0)
    assert run(["verify", QUERY + " limit 10", "--db", url_of(postgres), "--json", "--game", "dice"]) == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["file"] == report.files[0].file


@pytest.mark.parametrize("password", ["wrong secret", "", "***"])
def test_a_wrong_password_is_one_line(password, postgres, capsys):
    url = url_of(postgres, password)
    said = refused(capsys, QUERY, "--db", url)
    assert "password" in said
    with pytest.raises(pf.LogError, match="password") as caught:
        pf.verify(pf.Query(QUERY, url), "dice")
    assert caught.value.report is None
    if password == "wrong secret":
        assert not any(text in said + str(caught.value) for text in (password, quote(password)))


def test_errors_of_the_server_are_one_line(postgres):
    for sql, message in (
        ("select * from nowhere", 'relation "nowhere" does not exist'),
        ("selekt", "syntax error"),
        ("select 1 as x", "no column 'server_seed'"),
        ("create table made ()", "syntax error"),  # in a server-side cursor
        (QUERY.replace("salt", "salt, salt"), "the column 'salt' occurs 2 times"),
        (QUERY.replace("outcome", "1 / (id - 50) as outcome"), "division by zero"),
    ):
        with pytest.raises(pf.LogError) as caught:
            pf.verify(pf.Query(sql, url_of(postgres)), "dice")
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["URL", "connection", "cursor of the server"])
def test_a_connection_that_is_dropped_verifies_nothing(name, postgres, log, request, limits):
    limits(FETCHED=1000)
    rows = POSTGRES[name](postgres, request.addfinalizer)

    def drop(done, total):
        if done == 2000:
            with closing(of_psycopg(postgres, lambda close: None, autocommit=True)) as connection:
                connection.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                    "where pid <> pg_backend_pid() and backend_type = 'client backend'"
                )

    with pytest.raises(pf.LogError, match=r"after row [0-9]+: .*(terminat|closed|lost)") as caught:
        pf.verify(rows, "dice", progress=drop)
    assert "\n" not in str(caught.value)
    report = caught.value.report
    assert 2000 <= report.checked < ROWS
    assert [failure.row for failure in report.failures] == [row for row in log[1] if row < report.checked]
    assert (report.ok, report.complete) == (False, False)
    assert "NOT VERIFIED: not all was read" in str(report)


@pytest.mark.thorough
def test_postgresql_needs_no_memory_for_its_rows(postgres):
    sql = (
        "select '31' as first, '45' as second, '16' as outcome, repeat('x', 400) from generate_series(1, {})"
    )
    assert growth(sql.format(1000), sql.format(200_000), url_of(postgres)) < 60


# ---- DuckDB and SQLite ----


@pytest.fixture(scope="module")
def duck(log, tmp_path_factory):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path_factory.mktemp("duck") / "casino.duckdb"
    frame = log[0]
    with duckdb.connect(path) as connection:
        connection.register("frame", frame)
        connection.execute("create table bets as select * from frame")
    return path


DUCK = {
    "URL": lambda path, connection: pf.Query(QUERY, f"duckdb:///{path}"),
    "connection": lambda path, connection: pf.Query(QUERY, connection),
    "parameters": lambda path, connection: pf.Query(
        QUERY.replace("order", "where id >= ? order"), connection, [0]
    ),
    "executed": lambda path, connection: connection.execute(QUERY),
    "relation": lambda path, connection: connection.sql(QUERY),
}


@pytest.mark.parametrize("name", DUCK)
def test_duckdb_tells_the_same(name, duck, expected):
    with importlib.import_module("duckdb").connect(duck, read_only=True) as connection:
        assert told(pf.verify(DUCK[name](duck, connection), "dice")) == expected


@pytest.fixture(scope="module")
def sqlite(log, tmp_path_factory):
    sqlite3 = pytest.importorskip("sqlite3")
    path = tmp_path_factory.mktemp("sqlite") / "casino.db"
    with closing(sqlite3.connect(path)) as connection:
        log[0].to_sql("bets", connection, index=False)
    return path


SQLITE = {
    "URL": lambda path, connection: pf.Query(QUERY, f"sqlite:///{path}"),
    "connection": lambda path, connection: pf.Query(QUERY, connection),
    "cursor": lambda path, connection: connection.execute(QUERY),
    "rows": lambda path, connection: iter(connection.execute(QUERY).fetchall()),
    "chunks of pandas": lambda path, connection: pd.read_sql_query(QUERY, connection, chunksize=9000),
}


@pytest.mark.parametrize("name", SQLITE)
def test_sqlite_tells_the_same(name, sqlite, expected):
    sqlite3 = importlib.import_module("sqlite3")
    with closing(sqlite3.connect(sqlite)) as connection:
        if name == "rows":
            connection.row_factory = sqlite3.Row
        assert told(pf.verify(SQLITE[name](sqlite, connection), "dice")) == expected


def test_databases_that_cannot_be_asked(sqlite, duck, tmp_path):
    with closing(importlib.import_module("sqlite3").connect(sqlite)) as connection:
        with pytest.raises(TypeError, match=r"needs a query: Query\(sql, connection\)"):
            pf.verify(connection, "dice")
        with pytest.raises(pf.LogError, match="a query must be executed first"):
            pf.verify(connection.cursor(), "dice")
        verdicts = pf.check(pf.Query(QUERY + " limit 5", connection), "dice")
        assert verdicts["ok"].to_pylist() == [True] * 5
    for url, message in (
        (f"sqlite:///{tmp_path}/none.db", "No such file"),
        (f"duckdb:///{tmp_path}/none.db", "none.db"),
        ("nothing://host/name", "nothing"),
        ("://", "URL"),
    ):
        with pytest.raises((pf.LogError, ImportError), match=message):
            pf.verify(pf.Query(QUERY, url), "dice")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(pf.LogError, match=r"sqlite:///.*; databases are asked by Query"):
        pf.verify("sqlite:///casino.db", "dice")


# ---- S3 and web servers ----


@pytest.fixture(scope="module")
def bucket(log):
    pytest.importorskip("moto", reason=servers.INSTALL_MOTO)
    s3fs = pytest.importorskip("s3fs")
    frame = log[0]
    with servers.s3() as environment, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        system = s3fs.S3FileSystem()
        system.mkdir("casino")
        system.pipe("casino/log.csv", frame.to_csv(index=False).encode())
        for number in range(4):
            part = frame[number * ROWS // 4 : (number + 1) * ROWS // 4].drop(columns="server_seed")
            file = io.BytesIO()
            part.to_parquet(file, index=False)
            system.pipe(f"casino/bets/server_seed=server/day={number}/part.parquet", file.getvalue())
        system.pipe("casino/bets/_SUCCESS", b"")
        system.pipe("casino/bets/readme.txt", b"nothing")
        yield system, environment


S3 = {
    "object": lambda system: "s3://casino/log.csv",
    "folder": lambda system: "s3://casino/bets/",
    "pattern": lambda system: "s3://casino/bets/*/*/*.parquet",
    "file system": lambda system: pf.Files("casino/bets", filesystem=system),
    "open object": lambda system: system.open("casino/log.csv"),
    "pyarrow": lambda system: pf.Files(
        "casino/bets",
        filesystem=importlib.import_module("pyarrow.fs").S3FileSystem(
            endpoint_override=os.environ["AWS_ENDPOINT_URL"]
        ),
    ),
}


@pytest.mark.parametrize("name", S3)
def test_s3_tells_the_same(name, bucket, expected, limits):
    limits(SMALL_FILE=1000)  # forces Parquet to be read in blocks
    report = pf.verify(S3[name](bucket[0]), "dice")
    assert told(report)[0] == expected[0]
    assert (report.checked, report.failed, report.complete) == (ROWS, DEFECTS, True)
    assert bucket[1]["AWS_SECRET_ACCESS_KEY"] not in report.to_json()
    for file in report.files:
        assert len(file.sha256) == 64
        assert "casino/" in file.file
    if len(report.files) == 4 and name != "pattern":
        assert [name.rpartition("/")[2] for name in report.passed_over] == ["readme.txt"]


def test_the_command_reads_buckets(bucket, capsys):
    assert run(["verify", "s3://casino/bets/", "--json", "--game", "dice"]) == 1
    assert json.loads(capsys.readouterr().out)["failed"] == DEFECTS
    for url, message in (
        ("s3://casino/none.csv", "no such file or folder"),
        ("s3://nobucket/", "no such file or folder"),
        ("nofs://casino/log.csv", "Protocol not known"),
    ):
        assert message in refused(capsys, url)


@pytest.mark.parametrize("what", ["replaced", "deleted", "cut off"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_an_object_that_changes_while_it_is_read_verifies_nothing(what, kind, bucket, log, limits):
    limits(BATCH=500, SMALL_FILE=1000, BLOCKS_KEPT=1)
    limits(BLOCK=1 << 16, CSV_BLOCK=1 << 16, REMOTE_BLOCK=1 << 16)
    system, place = bucket[0], f"casino/changing.{kind}"
    frame = log[0][:40_000]
    file = io.BytesIO()
    if kind == "csv":
        file.write(frame.to_csv(index=False).encode())
    else:
        frame.to_parquet(file, index=False, row_group_size=1000)
    system.pipe(place, file.getvalue())

    changes = []

    def change(done, total):
        if done >= 2000 and not changes:
            changes.append(what)
            other = importlib.import_module("s3fs").S3FileSystem(skip_instance_cache=True)
            if what == "deleted":
                other.rm(place)
            elif what == "replaced":
                other.pipe(place, file.getvalue()[::-1])
            else:
                other.pipe(place, file.getvalue()[: len(file.getvalue()) // 2])

    with pytest.raises(pf.LogError, match=rf"s3://{place}: ") as caught:
        pf.verify(f"s3://{place}", "dice", progress=change)
    assert "\n" not in str(caught.value)
    assert 2000 <= caught.value.report.checked < 40_000
    assert not caught.value.report.complete


class Web(http.server.BaseHTTPRequestHandler):
    """Serves a log to clients with the key; half of it or none on request."""

    data = b""

    def do_HEAD(self):
        self.answer(False)

    def do_GET(self):
        self.answer(True)

    def answer(self, whole):
        if "key=open-sesame" not in self.path and self.headers.get("Authorization") is None:
            self.send_error(403)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.data)))
        self.end_headers()
        if whole:
            self.wfile.write(self.data[: len(self.data) // 2] if "half" in self.path else self.data)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def web(log):
    pytest.importorskip("aiohttp")
    pytest.importorskip("fsspec")
    Web.data = log[0].to_csv(index=False).encode()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_web_tells_the_same(web, expected):
    report = pf.verify(f"{web}/export?key=open-sesame&to=csv", "dice")
    assert told(report) == expected
    assert report.files[0].file == f"{web}/export?key=***&to=***"
    assert "sesame" not in report.to_json()


@pytest.mark.thorough
def test_what_the_web_refuses_or_breaks_off(web, capsys):
    said = refused(capsys, f"{web}/export.csv?key=wrong-words")
    assert "403" in said
    assert "wrong-words" not in said
    for url in (f"{web}/half.csv?key=open-sesame", f"{web}/half?key=open-sesame"):
        with pytest.raises(pf.LogError) as caught:
            pf.verify(url, "dice")
        assert "sesame" not in str(caught.value)
        assert "\n" not in str(caught.value)
        assert caught.value.report is None or not caught.value.report.complete
