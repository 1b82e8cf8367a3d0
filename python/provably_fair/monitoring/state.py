"""The state of a watch in SQLite: plain numbers and texts, committed batch by batch."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.errors import BadValue

from .parts import Part
from .rules import Clock, changes
from .segments import Bucket, Series, WatchedSegment, numbers, packed

__all__ = ["Added", "Standing", "State"]

# What this version writes; SQLite keeps the number in the file's header. Those without one are 0.
_FORMAT = 4
_TABLES = f"""
BEGIN IMMEDIATE;
PRAGMA user_version = {_FORMAT};
CREATE TABLE IF NOT EXISTS rules (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS batches (
    batch INTEGER PRIMARY KEY, name TEXT UNIQUE, digest TEXT NOT NULL, files TEXT NOT NULL,
    source TEXT NOT NULL, first INTEGER NOT NULL, rows INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS digests ON batches (digest);
CREATE INDEX IF NOT EXISTS files ON batches (files);
CREATE TABLE IF NOT EXISTS segments (
    segment INTEGER PRIMARY KEY, game TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL,
    weight REAL NOT NULL, largest REAL NOT NULL, steps BLOB NOT NULL, frozen BLOB NOT NULL,
    begun BLOB NOT NULL, best REAL NOT NULL, bets INTEGER NOT NULL, staked REAL NOT NULL,
    returned REAL NOT NULL, impossible INTEGER NOT NULL, refunded INTEGER NOT NULL,
    stakes BLOB NOT NULL, counts BLOB NOT NULL,
    UNIQUE (game, field, value));
CREATE TABLE IF NOT EXISTS buckets (
    segment INTEGER NOT NULL, clock TEXT NOT NULL, bucket INTEGER NOT NULL, begun INTEGER NOT NULL,
    steps BLOB NOT NULL, stakes BLOB NOT NULL, counts BLOB NOT NULL, returned REAL NOT NULL,
    PRIMARY KEY (segment, clock, bucket));
CREATE TABLE IF NOT EXISTS looks (
    batch INTEGER NOT NULL, segment INTEGER NOT NULL, logarithm REAL NOT NULL, bets INTEGER NOT NULL,
    staked REAL NOT NULL, returned REAL NOT NULL, PRIMARY KEY (batch, segment));
CREATE TABLE IF NOT EXISTS alarms (
    segment INTEGER PRIMARY KEY, batch INTEGER NOT NULL, logarithm REAL NOT NULL, first INTEGER NOT NULL,
    last INTEGER NOT NULL, rows BLOB NOT NULL);
COMMIT;
"""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT)
# What a watch never writes: each query gives a row where it is so.
_DAMAGE = {
    "batches are missing": """
        SELECT 1 FROM (SELECT count(*) AS n, max(batch) AS last, sum(rows) AS rows, max(first + rows) AS until
        FROM batches) WHERE n > 0 AND (n <> last OR rows <> until)
        UNION SELECT 1 FROM looks WHERE batch NOT IN (SELECT batch FROM batches)""",
    "rules are missing": "SELECT 1 FROM batches WHERE NOT EXISTS (SELECT 1 FROM rules)",
    "its segments aren't those of its last looks": """
        SELECT 1 FROM segments LEFT JOIN
        (SELECT segment, max(bets) AS seen FROM looks GROUP BY segment) USING (segment) WHERE seen IS NOT bets
        UNION SELECT 1 FROM looks WHERE segment NOT IN (SELECT segment FROM segments)
        UNION SELECT 1 FROM alarms WHERE segment NOT IN (SELECT segment FROM segments)
        UNION SELECT 1 FROM buckets WHERE segment NOT IN (SELECT segment FROM segments)""",
    "its numbers are cut off": """
        SELECT 1 FROM segments WHERE length(steps) % 8 OR length(frozen) % 8 OR length(begun) % 8
        OR length(stakes) % 8 OR length(stakes) <> length(counts)
        UNION SELECT 1 FROM buckets WHERE length(steps) % 8 OR length(stakes) <> length(counts)""",
}


class Added(NamedTuple):
    """A batch that is being added."""

    batch: int
    first: int
    """The number of its first row in the whole history."""


class Standing(NamedTuple):
    """How a segment stands beside the others."""

    segment: int
    weight: float
    best: float
    alarmed: bool


class State:
    """A database of a watch; without a path it is in memory."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = path
        name = ":memory:" if path is None else os.fspath(path)
        self.lock = threading.RLock()
        """Held while the state is changed, and while what belongs together is read of it."""
        there = path is not None and os.path.isfile(name)
        if there and not os.path.getsize(name):
            raise BadValue("state", f"must be a watch's database; {name!r} is empty: restore or delete it")
        try:
            # Whole transactions alone: begun by hand, and on disk before they count.
            self._base = sqlite3.connect(name, isolation_level=None, timeout=60, check_same_thread=False)
            self._base.row_factory = sqlite3.Row
            if there:
                self._check(str(name))
            self._base.execute("PRAGMA synchronous = FULL")
            if not there:
                self._base.executescript(_TABLES)
        except sqlite3.DatabaseError as error:
            raise BadValue("state", f"must be a database of a watch, got {name!r}: {error}") from None

    def _check(self, name: str) -> None:
        """Refuse a database that another version wrote, or another program, or that is damaged."""
        try:
            self._check_format(name)
            ((pages,),), ((size,),) = self.ask("PRAGMA page_count"), self.ask("PRAGMA page_size")
            found = [] if pages * size == os.path.getsize(name) else ["it is cut off"]
            if not found:
                checked = " ".join(str(self.ask("PRAGMA quick_check(1)")[0][0]).split())
                found += [] if checked == "ok" else [checked]
            found += [said for said, query in _DAMAGE.items() if not found and self.ask(f"{query} LIMIT 1")]
            if found:
                raise BadValue("state", f"must be whole, got {name!r}, which is damaged: {found[0]}")
        except ValueError:
            self._base.close()
            raise

    def _check_format(self, name: str) -> None:
        (version,) = self.ask("PRAGMA user_version")[0]
        schema = "SELECT name, sql FROM sqlite_master"
        tables = {one["name"]: one["sql"] for one in self.ask(f"{schema} WHERE sql IS NOT NULL")}
        with closing(sqlite3.connect(":memory:")) as fresh:
            fresh.executescript(_TABLES)
            expected = fresh.execute(f"{schema} WHERE sql IS NOT NULL").fetchall()
        if version == _FORMAT and any(table in tables for table, _ in expected):
            lost = [table for table, sql in expected if tables.get(table) != sql]
            if lost:
                raise BadValue("state", f"must be whole, got {name!r}, which lacks {', '.join(lost)}")
            return
        if not {"rules", "batches"} <= set(tables):
            has = f"other tables: {', '.join(sorted(tables))[:80]}" if tables else "no tables"
            raise BadValue("state", f"must be a database of a watch, or a new file; {name!r} has {has}")
        kind = f"the later format {version}" if version > _FORMAT else "an earlier format"
        cure = "use the version that wrote it, or a new file"
        raise BadValue("state", f"must be of format {_FORMAT}, got {name!r} of {kind}: {cure}")

    @contextmanager
    def changed(self) -> Iterator[None]:
        """Change the state as a whole: after an error, or the death of the process, nothing is changed."""
        with self.lock:
            self.ask("BEGIN IMMEDIATE")
            try:
                yield
                self.ask("COMMIT")
            except BaseException:
                self._base.execute("ROLLBACK")
                raise

    def ask(self, question: str, *values: object) -> list[Any]:
        """Return the rows that answer a question."""
        with self.lock, self._in_words():
            return self._base.execute(question, values).fetchall()

    def put(self, table: str, **values: object) -> int:
        """Write a row, in place of one with the same key; return its number."""
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        with self.lock, self._in_words():
            written = self._base.execute(
                f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})",
                tuple(values.values()),
            )
        return int(written.lastrowid or 0)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Say that the database is damaged, where SQLite or its texts show that."""
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if isinstance(error, sqlite3.ProgrammingError) or code not in _DAMAGED:
                raise
            name = os.fspath(self.path or "")
            raise BadValue("state", f"must be a database of a watch, got {name!r}: {error}") from None

    def adopt(self, rules: Mapping[str, str]) -> None:
        """Write down what is watched; a state whose batches are of other rules is refused."""
        with self.changed():
            known = {one["name"]: one["value"] for one in self.ask("SELECT * FROM rules")}
            begun = self.ask("SELECT batch FROM batches LIMIT 1")
            if not begun and known != rules:  # nothing was added by the ones that are there
                self.ask("DELETE FROM rules")
                for name, value in rules.items():
                    self.put("rules", name=name, value=value)
        if begun and known != rules:
            file, differences = os.fspath(self.path or ""), changes(known, rules)
            cure = "restore the rules, or name a new file"
            raise BadValue("state", f"must be of the same rules, but of {file!r} {differences}: {cure}")

    def batches_named(self, name: str) -> list[Any]:
        """Return the batch of this name, if there is one."""
        return self.ask("SELECT * FROM batches WHERE name = ?", name)

    def batches_alike(self, part: Part) -> list[Any]:
        """Return batches with the same rows, or of the same files."""
        ask = "SELECT batch FROM batches WHERE digest = ? OR (files = ? AND files <> '')"
        return self.ask(ask, part.digest, part.files)

    def totals(self) -> tuple[int, int]:
        """Return how many batches were added, and how many rows."""
        ((batches, rows),) = self.ask("SELECT count(*), coalesce(sum(rows), 0) FROM batches")
        return batches, rows

    def add_batch(self, part: Part) -> Added:
        """Write down that a batch comes."""
        batches, first = self.totals()
        self.put(
            "batches", batch=batches + 1, name=part.name, digest=part.digest, files=part.files,
            source=part.source, first=first, rows=part.rows,
        )  # fmt: skip
        return Added(batches + 1, first)

    def segments(
        self, clocks: Sequence[Clock], where: str = "TRUE", *values: str
    ) -> Iterator[WatchedSegment]:
        """Give segments with their buckets, in the order in which they first came."""
        for row in self.ask(f"SELECT * FROM segments WHERE {where} ORDER BY segment", *values):
            arrays = {name: numbers(row[name]) for name in ("steps", "frozen")}
            found = WatchedSegment(**dict(row) | arrays | {"begun": numbers(row["begun"], np.int64)})
            found.series = [Series(clock, self._buckets(row["segment"], clock)) for clock in clocks]
            yield found

    def find(self, clocks: Sequence[Clock], game: str, field: str, value: str) -> WatchedSegment | None:
        """Return a segment, if it came before."""
        where = "game = ? AND field = ? AND value = ?"
        return next(self.segments(clocks, where, game, field, value), None)

    def count_segments(self, game: str, field: str) -> int:
        """Return how many values of a column came with a game."""
        ask = "SELECT count(*) AS n FROM segments WHERE game = ? AND field = ?"
        found: int = self.ask(ask, game, field)[0]["n"]
        return found

    def _buckets(self, segment: int, clock: Clock) -> list[Bucket]:
        ask = (
            "SELECT bucket, begun, steps, stakes, counts, returned FROM buckets "
            "WHERE segment = ? AND clock = ? ORDER BY bucket"
        )
        rows = self.ask(ask, segment, clock.kind)
        return [Bucket(**dict(row) | {"steps": numbers(row["steps"])}) for row in rows]

    def keep(self, segment: WatchedSegment, batch: int, logarithm: float) -> int:
        """Write a segment down, its buckets that changed, and a look at it; return its number."""
        values = {name: value for name, value in vars(segment).items() if name != "series"}
        arrays = {name: packed(values[name]) for name in ("steps", "frozen")}
        number = self.put("segments", **values | arrays | {"begun": packed(segment.begun, np.int64)})
        for series in segment.series:
            if series.buckets:
                self._keep_buckets(number, series)
        look = {name: values[name] for name in ("bets", "staked", "returned")}
        self.put("looks", batch=batch, segment=number, logarithm=logarithm, **look)
        return number

    def _keep_buckets(self, segment: int, series: Series) -> None:
        """Write down the buckets that changed; what no window needs is dropped."""
        first = series.buckets[-1].bucket - series.clock.longest + 1
        clock = series.clock.kind
        self.ask("DELETE FROM buckets WHERE segment = ? AND clock = ? AND bucket < ?", segment, clock, first)
        for one in series.buckets:
            if one.changed and one.bucket >= first:
                self.put(
                    "buckets", segment=segment, clock=clock, bucket=one.bucket, begun=one.begun,
                    steps=packed(one.steps), stakes=one.stakes, counts=one.counts, returned=one.returned,
                )  # fmt: skip

    def standings(self) -> list[Standing]:
        """Return how all segments stand."""
        ask = (
            "SELECT segment, weight, best, alarms.segment IS NOT NULL FROM segments "
            "LEFT JOIN alarms USING (segment) ORDER BY segment"
        )
        return [Standing(*row) for row in self.ask(ask)]

    def raise_alarm(self, one: Standing, batch: int, rows: np.ndarray, ends: tuple[int, int]) -> None:
        """Write down an alarm, with the rows of its segment in the batch that raised it."""
        self.put(
            "alarms", segment=one.segment, batch=batch, logarithm=one.best, first=ends[0], last=ends[1],
            rows=packed(rows, np.int64),
        )  # fmt: skip

    def alarms(self) -> list[Any]:
        """Return alarms, with the names of their segments and batches, in the order in which they rose."""
        return self.ask(
            "SELECT alarms.*, game, field, value, source FROM alarms "
            "JOIN segments USING (segment) JOIN batches USING (batch) ORDER BY batch, logarithm DESC, segment"
        )

    def close(self) -> None:
        """Close the database."""
        with self.lock:
            self._base.close()
