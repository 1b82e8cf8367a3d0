"""The state of a watch in SQLite: plain numbers and texts, committed batch by batch."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

__all__ = ["State", "numbers", "packed"]

# What this version writes; SQLite keeps the number in the file's header. Those without one are 0.
_FORMAT = 4
_TABLES = f"""
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
    returned REAL NOT NULL, impossible INTEGER NOT NULL, stakes BLOB NOT NULL, counts BLOB NOT NULL,
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
"""


class State:
    """A database of a watch; without a path it is in memory."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = path
        name = ":memory:" if path is None else os.fspath(path)
        try:
            # Whole transactions alone: begun by hand, and on disk before they count.
            self._base = sqlite3.connect(name, isolation_level=None, timeout=60, check_same_thread=False)
            self._base.row_factory = sqlite3.Row
            self._check_format(name)
            self._base.execute("PRAGMA synchronous = FULL")
            self._base.executescript(_TABLES)
        except sqlite3.DatabaseError as error:
            raise ValueError(f"state must be a database of a watch, got {name!r}: {error}") from None

    def _check_format(self, name: str) -> None:
        """Refuse a database that another version wrote, or another program, before anything is changed."""
        (version,) = self.ask("PRAGMA user_version")[0]
        tables = {one["name"] for one in self.ask("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables or (version == _FORMAT and "batches" in tables):
            return
        self._base.close()
        if not {"rules", "batches"} <= tables:
            raise ValueError(
                f"state must be a database of a watch, or a new file; {name!r} has other tables: "
                f"{', '.join(sorted(tables))[:80]}"
            )
        kind = f"the later format {version}" if version > _FORMAT else "an earlier format"
        raise ValueError(
            f"state must be of format {_FORMAT}, got {name!r} of {kind}: go on with the version of "
            "provably_fair that wrote it, or name a new file and add all batches again"
        )

    @contextmanager
    def changed(self) -> Iterator[None]:
        """Change the state as a whole: after an error, or the death of the process, nothing is changed."""
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._base.execute("COMMIT")
        except BaseException:
            self._base.execute("ROLLBACK")
            raise

    def ask(self, question: str, *values: object) -> list[Any]:
        """Return the rows that answer a question."""
        return self._base.execute(question, values).fetchall()

    def put(self, table: str, **values: object) -> int:
        """Write a row, in place of one with the same key; return its number."""
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        written = self._base.execute(
            f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})",
            tuple(values.values()),
        )
        return int(written.lastrowid or 0)

    def close(self) -> None:
        """Close the database."""
        self._base.close()


def packed(values: Any, dtype: type = np.float64) -> bytes:
    """Return numbers as bytes, little-endian whatever the machine."""
    array: np.ndarray = np.asarray(values, dtype)
    return array.astype(array.dtype.newbyteorder("<")).tobytes()


def numbers(data: bytes, dtype: type = np.float64) -> np.ndarray:
    """Return the numbers of `packed`."""
    return np.frombuffer(data, np.dtype(dtype).newbyteorder("<")).astype(dtype)
