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
from .segments import Bucket, Buckets, StakeTally, WatchedSegment, numbers, packed

# The version of the format, which SQLite keeps in the file's header (0 in files that have none).
_FORMAT = 5
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
CREATE TABLE IF NOT EXISTS impossible (
    segment INTEGER PRIMARY KEY, batch INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    rows BLOB NOT NULL);
COMMIT;
"""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT)
# Signs of damage: a query returns a row if the database shows it.
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
        UNION SELECT 1 FROM impossible WHERE segment NOT IN (SELECT segment FROM segments)
        UNION SELECT 1 FROM buckets WHERE segment NOT IN (SELECT segment FROM segments)""",
    "its numbers aren't those of bets": """
        SELECT 1 FROM segments WHERE NOT (weight > 0 AND weight <= 1)
        UNION SELECT 1 FROM (SELECT sum(weight) AS whole FROM segments) WHERE whole > 1 + 1e-9
        UNION SELECT 1 FROM segments WHERE NOT (largest >= 0 AND best >= 0 AND bets >= 0 AND staked >= 0
        AND impossible >= 0 AND refunded >= 0)
        UNION SELECT 1 FROM segments WHERE 'text' IN (typeof(weight), typeof(largest), typeof(best),
        typeof(bets), typeof(staked), typeof(returned), typeof(impossible), typeof(refunded))""",
    "its numbers are cut off": """
        SELECT 1 FROM segments WHERE length(steps) % 8 OR length(frozen) % 8 OR length(begun) % 8
        OR length(stakes) % 8 OR length(stakes) <> length(counts)
        UNION SELECT 1 FROM buckets WHERE length(steps) % 8 OR length(stakes) <> length(counts)""",
}


class Standing(NamedTuple):
    """A segment's share of the level, its evidence, and whether it has alarmed."""

    segment: int
    weight: float
    best: float
    alarmed: bool


class State:
    """A database of a watch; without a path it is in memory."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = path
        name = ":memory:" if path is None else os.fspath(path)
        self.lock: threading.RLock = threading.RLock()
        """Held during changes, and during reads of several tables that must agree."""
        there = path is not None and os.path.isfile(name)
        if there and not os.path.getsize(name):
            raise BadValue("state", f"must be a watch's database; {name!r} is empty: restore or delete it")
        try:
            # Transactions are begun by hand, and each is on disk before it counts.
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
        """Refuse a database of another version or program, or one that is damaged."""
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
        """Run a transaction: after an error, or if the process dies, nothing has changed."""
        with self.lock:
            self.ask("BEGIN IMMEDIATE")
            try:
                yield
                self.ask("COMMIT")
            except BaseException:
                if self._base.in_transaction:  # SQLite itself rolls back where the disk is full
                    self._base.execute("ROLLBACK")
                raise

    def ask(self, question: str, *values: object) -> list[Any]:
        """Return the rows of a query."""
        with self.lock, self._in_words():
            return self._base.execute(question, values).fetchall()

    def put(self, table: str, **values: object) -> int:
        """Insert or replace a row; return its number."""
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
        """Turn errors that a damaged database causes into a ValueError."""
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if isinstance(error, sqlite3.ProgrammingError) or code not in _DAMAGED:
                raise
            name = os.fspath(self.path or "")
            raise BadValue("state", f"must be a database of a watch, got {name!r}: {error}") from None

    def adopt(self, rules: Mapping[str, str]) -> None:
        """Store the rules; refuse a state whose batches were added under other ones."""
        with self.changed():
            known = {one["name"]: one["value"] for one in self.ask("SELECT * FROM rules")}
            begun = self.ask("SELECT batch FROM batches LIMIT 1")
            if not begun and known != rules:  # no batch was added under the stored rules
                self.ask("DELETE FROM rules")
                for name, value in rules.items():
                    self.put("rules", name=name, value=value)
        if begun and known != rules:
            file, differences = os.fspath(self.path or ""), changes(known, rules)
            cure = "restore the rules, or name a new file"
            raise BadValue("state", f"must be of the same rules, but of {file!r} {differences}: {cure}")

    def batches_named(self, name: str | None) -> list[Any]:
        """Return the batch of this name, if there is one."""
        return self.ask("SELECT * FROM batches WHERE name = ?", name)

    def batches_alike(self, part: Part) -> list[Any]:
        """Return batches with the same rows, or of the same files."""
        ask = "SELECT * FROM batches WHERE digest = ? OR (files = ? AND files <> '')"
        return self.ask(ask, part.digest, part.files)

    def totals(self) -> tuple[int, int]:
        """Return the number of batches added, and the number of rows."""
        ((batches, rows),) = self.ask("SELECT count(*), coalesce(sum(rows), 0) FROM batches")
        return batches, rows

    def add_batch(self, part: Part) -> tuple[int, int]:
        """Record a batch; return its number, and that of its first row in the whole history."""
        batches, first = self.totals()
        values = {name: getattr(part, name) for name in ("name", "digest", "files", "source", "rows")}
        return self.put("batches", batch=batches + 1, first=first, **values), first

    def segments(self, clocks: Sequence[Clock]) -> Iterator[WatchedSegment]:
        """Yield all segments in order of first appearance."""
        return (self._whole(row, clocks) for row in self.ask("SELECT * FROM segments ORDER BY segment"))

    def find(self, clocks: Sequence[Clock], *name: str) -> WatchedSegment | None:
        """Return the segment of a game, field and value; None if it is new."""
        ask = "SELECT * FROM segments WHERE game = ? AND field = ? AND value = ?"
        return next((self._whole(row, clocks) for row in self.ask(ask, *name)), None)

    def _whole(self, row: Any, clocks: Sequence[Clock]) -> WatchedSegment:
        """Return a segment with its buckets."""
        of = "bucket, begun, steps, stakes, counts, returned FROM buckets WHERE segment = ? AND clock = ?"
        ask = f"SELECT {of} ORDER BY bucket"
        series = [
            Buckets(clock, [Bucket(**_unpacked(one)) for one in self.ask(ask, row["segment"], clock.kind)])
            for clock in clocks
        ]
        begun = numbers(row["begun"], np.int64)
        return WatchedSegment(**_unpacked(row) | {"begun": begun, "series": series})

    def count_segments(self, game: str, field: str) -> int:
        """Return the number of segments of a game's column."""
        ask = "SELECT count(*) FROM segments WHERE game = ? AND field = ?"
        ((found,),) = self.ask(ask, game, field)
        return int(found)

    def keep(self, segment: WatchedSegment, batch: int, logarithm: float) -> int:
        """Store a segment, its changed buckets and this look at it; return its number."""
        number = self.put("segments", **_packed(segment))
        for clock, buckets in [(one.clock, one.buckets) for one in segment.series if one.buckets]:
            # Buckets that no window needs any longer.
            first, key = buckets[-1].bucket - clock.longest + 1, {"segment": number, "clock": clock.kind}
            drop = "DELETE FROM buckets WHERE segment = ? AND clock = ? AND bucket < ?"
            self.ask(drop, *key.values(), first)
            for one in buckets:
                if one.changed and one.bucket >= first:
                    self.put("buckets", **key, **_packed(one))
        look = {name: getattr(segment, name) for name in ("bets", "staked", "returned")}
        self.put("looks", batch=batch, segment=number, logarithm=logarithm, **look)
        return number

    def standings(self) -> list[Standing]:
        """Return the standings of all segments."""
        ask = (
            "SELECT segment, weight, best, alarms.segment IS NOT NULL FROM segments "
            "LEFT JOIN alarms USING (segment) ORDER BY segment"
        )
        return [Standing(*row) for row in self.ask(ask)]

    def raise_alarm(self, one: Standing, batch: int, rows: np.ndarray, first: int, last: int) -> None:
        """Record an alarm, with its segment's rows in the batch that raised it."""
        values = {"segment": one.segment, "logarithm": one.best, "rows": packed(rows)}
        self.put("alarms", batch=batch, first=first, last=last, **values)

    def note_impossible(self, segment: int, batch: int, rows: np.ndarray, first: int, last: int) -> None:
        """Record the first impossible payouts of a segment."""
        if not self.ask("SELECT 1 FROM impossible WHERE segment = ?", segment):
            values = {"segment": segment, "batch": batch, "rows": packed(rows)}
            self.put("impossible", first=first, last=last, **values)

    def alarms(self) -> list[dict[str, Any]]:
        """Return the alarms in the order in which they were raised, with logarithms of e-values."""
        of = "SELECT game, field, value, batch, source, {} AS evalue, {} AS impossible, one.rows, one.first"
        rest = ", last FROM {} AS one JOIN segments USING (segment) JOIN batches USING (batch)"
        found = self.ask(
            f"{of.format('9e999', 'impossible')}{rest.format('impossible')} UNION ALL "
            f"{of.format('logarithm', '0')}{rest.format('alarms')} ORDER BY batch, evalue DESC"
        )
        return [dict(one) | {"rows": tuple(numbers(one["rows"], np.int64).tolist())} for one in found]

    def close(self) -> None:
        """Close the database."""
        with self.lock:
            self._base.close()


def _packed(tally: StakeTally) -> dict[str, Any]:
    """Return a segment or a bucket as columns of its table."""
    values = {name: value for name, value in vars(tally).items() if name not in ("series", "changed")}
    return {name: packed(one) if isinstance(one, np.ndarray) else one for name, one in values.items()}


def _unpacked(row: Any) -> dict[str, Any]:
    """Return a table's row as a mapping, with packed logarithms as arrays."""
    values = dict(row)
    return values | {name: numbers(values[name]) for name in ("steps", "frozen") if name in values}
