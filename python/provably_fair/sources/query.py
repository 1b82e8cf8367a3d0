"""Rows of a query on any database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from provably_fair._core.arguments import BadType, BadValue, check_type
from provably_fair._core.table import facts_html

from . import limits
from .databases import gives_cursors, kind_of, run, url_of
from .memory import fetched_source
from .names import Name, name_of
from .source import Evidence, Source
from .stored import naming
from .wanted import Wanted


@dataclass(frozen=True)
class Query:
    """A query whose rows are a log.

    Wherever a log is taken, this is, too. The rows are read some thousand at a time where the database's
    driver can do that: PostgreSQL's, DuckDB's, SQLite's, ADBC's. Nothing is changed in the database.

    Parameters
    ----------
    sql : str
        The query. Its columns are found by their names, as those of files are.
    database : str or connection
        The database's URL, such as ``"postgresql://me@localhost/casino"`` (by SQLAlchemy;
        ``"duckdb:///file"`` by DuckDB); or a connection that is open: of any driver with ``cursor()``, of
        DuckDB, or an engine, connection or session of SQLAlchemy.
    parameters : mapping or sequence, optional
        Values of the query's placeholders: ``:name`` if SQLAlchemy runs it, otherwise in the driver's own
        style.

    Examples
    --------
    >>> import sqlite3
    >>> connection = sqlite3.connect(":memory:")
    >>> _ = connection.execute("create table throws (a text, b text, made text)")
    >>> _ = connection.execute("insert into throws values ('31', '45', '16'), ('23', '56', '55')")
    >>> query = pf.Query("select a as first, b as second, made as outcome from throws", connection)
    >>> report = pf.verify(query, "combined-dice")
    >>> report.checked, report.failed
    (2, 1)
    """

    sql: str
    database: Any
    parameters: Any = None

    _repr_html_ = facts_html

    def __post_init__(self) -> None:
        check_type("sql", self.sql, str, "text")
        if isinstance(self.database, str):
            if "://" not in self.database:
                raise BadValue("database", "must be a URL, such as sqlite:///casino.db, or a connection")
        elif not gives_cursors(self.database):
            got = type(self.database).__name__
            raise BadType("database", f"must be a URL, a connection or an engine, got {got}")

    def _facts(self) -> dict[str, object]:
        return {"sql": self.sql, "database": _database(self.database).shown}

    def __repr__(self) -> str:
        return f"Query({_one_line(self.sql)!r}, {_database(self.database).shown!r})"


def query_source(query: Query, wanted: Wanted) -> Source:
    """Return the source of a query's rows."""
    database = _database(query.database)
    title = Name(f"{database}: {_one_line(query.sql)}", database.secrets)
    with naming(title, unchanged=ImportError):  # of the driver
        fetched = run(query.sql, query.database, query.parameters, limits.FETCHED)
    return fetched_source(fetched, wanted, title, Evidence(str(title)))


def _database(database: Any) -> Name:
    url = url_of(database)
    return Name(kind_of(database)) if url is None else name_of(url, database=True)


def _one_line(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= limits.SHOWN else line[: limits.SHOWN] + "..."
