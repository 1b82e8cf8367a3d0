"""Databases, cursors and results: the only module that recognizes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import Any

from provably_fair._core.errors import BadValue
from provably_fair._core.optional import optional

from .foreign import Stream, as_seeds, library_of
from .wanted import Wanted, read_of

_LIBRARIES = ("sqlalchemy", "duckdb", "psycopg", "psycopg2", "sqlite3")

_NUMBERS = count()
"""Numbers server-side cursors, so that each has its own name."""


@dataclass(frozen=True)
class Cursor:
    """Rows of a database, fetched in portions."""

    names: tuple[str, ...]
    fetch: Callable[[int], Sequence[Any]]  # fetch at most this number of rows; none at the end
    close: Callable[[], None] = lambda: None  # release what was opened for it


Fetched = Cursor | Stream


def rows_of(log: Any, size: int, close: Callable[[], None] = lambda: None) -> Fetched | None:
    """Return the rows of a cursor, a result or a relation; None for other logs."""
    in_duckdb = library_of(log, _LIBRARIES) == "duckdb"
    if in_duckdb and not hasattr(log, "fetchmany"):  # a relation
        named = ("to_arrow_reader", "fetch_arrow_reader")  # the second before DuckDB 1.4
        read = next(getattr(log, name) for name in named if hasattr(log, name))
        return _stream(read(size), close)
    if hasattr(log, "fetch_record_batch") and not in_duckdb:  # ADBC's cursors, which give Arrow data instead
        return _stream(log.fetch_record_batch(), close)
    if not callable(getattr(log, "fetchmany", None)):
        return None
    if hasattr(log, "description"):
        if log.description is None:
            raise BadValue("log", sentence="the cursor has no rows: a query must be executed first")
        return Cursor(tuple(column[0] for column in log.description), log.fetchmany, close)
    return Cursor(tuple(log.keys()), log.fetchmany, close) if hasattr(log, "keys") else None


def _stream(reader: Any, close: Callable[[], None]) -> Stream:
    return Stream(reader.schema, lambda: reader, again=False, close=close)


def database_at(path: Path) -> str | None:
    """Return the URL of a database file on disk; None for other files."""
    with path.open("rb") as file:
        start = file.read(16)
    kind = "sqlite" if start == b"SQLite format 3\0" else "duckdb" if start[8:12] == b"DUCK" else None
    return None if kind is None else f"{kind}:///{path}"


def gives_cursors(log: Any) -> bool:
    """Whether this is a connection or an engine, which can run a query."""
    return any(
        callable(getattr(log, name, None)) for name in ("cursor", "exec_driver_sql", "connect", "get_bind")
    )


def cells_of(rows: Sequence[Any], names: Iterable[str], wanted: Wanted) -> dict[str, list[Any]]:
    """Return the wanted columns of rows, as tuples or as mappings."""
    by_name = bool(rows) and isinstance(rows[0], Mapping)
    keys = {str(name): name if by_name else number for number, name in enumerate(names)}
    return {name: as_seeds(list(map(itemgetter(keys[name]), rows))) for name in read_of(keys, wanted)}


# ---- queries ----


def url_of(database: Any) -> str | None:
    """Return the URL of a database, with its password; None if it has no URL."""
    if isinstance(database, str):
        return database
    if library_of(database, _LIBRARIES) in ("psycopg", "psycopg2"):
        info = database.info  # built without the password
        return f"postgresql://{info.user}@{info.host}:{info.port}/{info.dbname}"
    bind = database.get_bind() if hasattr(database, "get_bind") else database
    url: Any = getattr(getattr(bind, "engine", bind), "url", None)
    return url.render_as_string(hide_password=False) if hasattr(url, "render_as_string") else None


def kind_of(database: Any) -> str:
    """Return the name of a database without a URL."""
    return library_of(database, _LIBRARIES) or type(database).__module__.partition(".")[0]


def run(sql: str, database: Any, parameters: Any, size: int) -> Fetched:
    """Run a query; its rows come in portions if the database can do that."""
    if isinstance(database, str):
        if database.partition(":")[0] == "duckdb":
            return _run_in_duckdb_file(sql, database, parameters, size)
        engine = _engine(database)
        return _run_in_sqlalchemy(sql, engine, parameters, size, engine.dispose)
    library = library_of(database, _LIBRARIES)
    if library == "sqlalchemy":
        return _run_in_sqlalchemy(sql, database, parameters, size)
    if library == "duckdb":
        return _run_in_duckdb(sql, database, parameters, size)
    if library in ("psycopg", "psycopg2"):
        # A named cursor leaves the rows on the server. They stay there where each statement is a
        # transaction of its own.
        hold = {"withhold": True} if database.autocommit else {}
        cursor = database.cursor(name=f"provably_fair_{next(_NUMBERS)}", **hold)
    else:
        cursor = database.cursor()
    try:
        cursor.execute(sql) if parameters is None else cursor.execute(sql, parameters)
        return _found(rows_of(cursor, size, cursor.close))
    except BaseException:
        cursor.close()
        raise


def _found(rows: Fetched | None) -> Fetched:
    if rows is None:
        raise BadValue("log", sentence="the query gives no rows")
    return rows


def _engine(url: str) -> Any:
    sqlalchemy = optional("sqlalchemy", "sql", "log: a database by its URL")
    parsed = sqlalchemy.engine.make_url(url)
    if parsed.drivername in ("postgres", "postgresql"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() == "sqlite":
        path = parsed.database
        if path and path != ":memory:" and not path.startswith("file:"):
            with open(path, "rb"):
                pass  # refuses a missing file, which SQLite would create
    try:
        return sqlalchemy.create_engine(parsed, poolclass=sqlalchemy.pool.NullPool)
    except ModuleNotFoundError as error:
        raise ImportError(
            f"log: {parsed.drivername}:// needs {error.name}: pip install {error.name}"
        ) from None


def _run_in_sqlalchemy(
    sql: str, bind: Any, parameters: Any, size: int, close: Callable[[], None] = lambda: None
) -> Fetched:
    sqlalchemy = optional("sqlalchemy", "sql", "log")
    own = None
    if hasattr(bind, "connect"):
        bind = own = bind.connect()
    elif hasattr(bind, "get_bind"):  # a session
        bind = bind.connection()

    def done() -> None:
        if own is not None:
            own.close()  # so that nothing is changed
        close()

    # Without parameters a colon is literal.
    text = sqlalchemy.text(sql if parameters is not None else sql.replace(":", r"\:"))
    try:
        result = bind.execute(text, parameters, execution_options={"yield_per": size})
        if not result.returns_rows:
            raise BadValue("log", sentence="the query gives no rows")
        names = tuple(result.keys())
    except BaseException:
        done()
        raise

    def finish() -> None:
        result.close()
        done()

    return Cursor(names, result.fetchmany, finish)


def _run_in_duckdb_file(sql: str, url: str, parameters: Any, size: int) -> Fetched:
    duckdb = optional("duckdb", "sql", "log: duckdb://")
    path = url.partition("://")[2].removeprefix("/") or ":memory:"
    connection = duckdb.connect(path, read_only=path != ":memory:")
    try:
        return _run_in_duckdb(sql, connection, parameters, size, connection.close)
    except BaseException:
        connection.close()
        raise


def _run_in_duckdb(
    sql: str, connection: Any, parameters: Any, size: int, close: Callable[[], None] = lambda: None
) -> Fetched:
    # A relation streams its rows; a result of `execute` is materialized first.
    relation = connection.sql(sql, params=parameters)
    return _found(None if relation is None else rows_of(relation, size, close))
