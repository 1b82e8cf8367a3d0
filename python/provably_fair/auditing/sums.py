"""Exact sums of whole numbers, which don't depend on how rows are cut into batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np

from provably_fair._engine import reduce_groups

from .finding import KEPT_ROWS
from .records import whole

__all__ = [
    "BetTotals",
    "FirstRows",
    "Groups",
    "How",
    "NumberedRows",
    "RowNumbers",
    "ValueCounts",
    "exact_sum",
    "halves",
    "rows_of",
    "tally",
    "totals",
    "words",
]

How = Literal["sum", "min", "max", "first", "last"]


def rows_of(mask: np.ndarray) -> np.ndarray | slice:
    """Return an index of the rows where a mask is set: a slice, which copies nothing, for all rows."""
    return slice(None) if mask.all() else np.flatnonzero(mask)


class ValueCounts(NamedTuple):
    """Different numbers in rising order, and their counts."""

    numbers: np.ndarray
    counts: np.ndarray


def tally(numbers: np.ndarray, most: int) -> ValueCounts:
    """Return the different numbers, all below `most`, and their counts."""
    if most > 4 * numbers.size:
        return ValueCounts(*np.unique(numbers, return_counts=True))
    counts = np.bincount(numbers, minlength=most)
    which = np.flatnonzero(counts)
    return ValueCounts(which, counts[which])


class NumberedRows(NamedTuple):
    """Rows of a key and a number, for the engine's `Runs`."""

    keys: list[np.ndarray]
    numbers: np.ndarray
    places: np.ndarray
    there: np.ndarray
    spelled: list[np.ndarray] | None = None
    """Fingerprints of the keys as written, if several spellings mean the same."""
    times: np.ndarray | None = None


def exact_sum(values: np.ndarray) -> int:
    """Return the sum of int64 values as a Python integer."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def halves(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """Split int64 values into two columns, whose sums don't overflow."""
    return {f"{name}_high": values >> 32, f"{name}_low": values & 0xFFFFFFFF}


def totals(columns: Mapping[str, np.ndarray], name: str) -> list[int]:
    """Join two columns of `halves`, or sums of them, to values."""
    both = zip(columns[f"{name}_high"].tolist(), columns[f"{name}_low"].tolist(), strict=True)
    return [(high << 32) + low for high, low in both]


def words(name: str, fingerprints: np.ndarray) -> dict[str, np.ndarray]:
    """Return fingerprints as two columns of whole numbers."""
    return {f"{name}_{word}": fingerprints[:, word].view(np.int64) for word in (0, 1)}


class FirstRows:
    """The number of some rows, and the positions of the first."""

    def __init__(self) -> None:
        self.count = 0
        self.rows: list[int] = []

    def add(self, places: np.ndarray) -> None:
        """Add rows in rising order, which may lie before those that are known."""
        if len(places):
            self.count += len(places)
            self._keep(places[:KEPT_ROWS].tolist())

    def merge(self, later: FirstRows, rows: int) -> None:
        """Append the state of later rows, whose positions count from 0: `rows` come before them."""
        self.count += later.count
        self._keep([row + rows for row in later.rows])

    def _keep(self, rows: list[int]) -> None:
        self.rows = sorted([*self.rows, *rows])[:KEPT_ROWS]


class BetTotals:
    """Totals of some bets: their number, how many won, and the return due for stakes of 1, in parts."""

    def __init__(self) -> None:
        self.count = self.won = self.parts = 0
        self.shown = FirstRows()
        """The first wins, if wins are counted; otherwise the first bets."""

    def add(self, places: np.ndarray, parts: np.ndarray | None, won: np.ndarray | None = None) -> None:
        """Add bets in rising order, with returns in parts and wins if known."""
        self.count += len(places)
        if parts is not None:
            self.parts += exact_sum(parts)
        if won is not None:
            self.won += int(won.sum())
            places = places[won]
        self.shown.add(places)

    def merge(self, later: BetTotals, rows: int) -> None:
        """Append the counts of later rows."""
        self.count += later.count
        self.won += later.won
        self.parts += later.parts
        self.shown.merge(later.shown, rows)


class RowNumbers:
    """Numbers from 0 to 254 of a log's first rows, of which some are counted later.

    Attributes
    ----------
    values : numpy.ndarray of uint8
        By position, `NONE` where a row has none; shape (rows, numbers of a row).
    """

    MOST = 1 << 24
    """The largest number of rows that are kept."""
    NONE = 255

    def __init__(self) -> None:
        self._values = np.zeros((0, 1), np.uint8)
        self._rows = 0

    @property
    def values(self) -> np.ndarray:
        """The numbers, by position."""
        return self._values[: self._rows]

    def put(self, places: np.ndarray, values: np.ndarray) -> None:
        """Set the numbers of rows in rising order."""
        if not len(places):
            return
        values = values.reshape(len(places), -1)
        if places[-1] >= self.MOST:
            few = int(np.searchsorted(places, self.MOST))
            places, values = places[:few], values[:few]
        self._grow(int(places[-1]) + 1 if len(places) else 0, values.shape[1])
        if len(places) and places[-1] - places[0] == len(places) - 1:
            self._values[places[0] : places[-1] + 1, : values.shape[1]] = values
        else:
            self._values[places, : values.shape[1]] = values

    def _grow(self, rows: int, width: int) -> None:
        """Make room for this many rows, and numbers per row."""
        room, wide = self._values.shape
        if rows > room or width > wide:
            more = (max(rows, min(2 * room, self.MOST)) if rows > room else room, max(width, wide))
            larger = np.full(more, self.NONE, np.uint8)
            larger[:room, :wide] = self._values
            self._values = larger
        self._rows = max(self._rows, rows)

    def merge(self, later: RowNumbers, rows: int) -> None:
        """Append the state of later rows, whose positions count from 0: `rows` come before them."""
        self.put(np.arange(rows, rows + later._rows), later.values)

    def __getstate__(self) -> dict[str, object]:
        return {"_values": self.values.copy(), "_rows": self._rows}


class Groups:
    """Sums, minima and maxima of columns by key.

    Attributes
    ----------
    keys : numpy.ndarray
        In rising order: whole numbers, or fingerprints of 16 bytes.
    columns : dict of numpy.ndarray
        A value for each key.
    """

    def __init__(self, how: Mapping[str, How], most: int | None = None) -> None:
        self._how = dict(how)
        self._most = most
        self.keys: np.ndarray = np.zeros(0, np.int64)
        self.columns: dict[str, np.ndarray] = {name: np.zeros(0, np.int64) for name in how}
        self.left_out: bool = False

    def add(self, keys: np.ndarray, **columns: np.ndarray) -> None:
        """Add rows: their keys, and a value per row of each column."""
        kept = rows_of(self.keeps(keys))
        keys, columns = keys[kept], {name: value[kept] for name, value in columns.items()}
        if not len(keys):
            return
        rows = self._reduced(keys, columns)
        if len(self.keys):
            both = {name: np.concatenate([self.columns[name], rows[1][name]]) for name in self._how}
            rows = self._reduced(np.concatenate([self.keys, rows[0]]), both)
        self.keys, self.columns = rows
        if self._most is not None and len(self.keys) > self._most:
            self.left_out = True
            self.keys = self.keys[: self._most]
            self.columns = {name: value[: self._most] for name, value in self.columns.items()}

    def keeps(self, keys: np.ndarray) -> np.ndarray:
        """Return a mask of the keys to keep: the smallest, if there are too many."""
        if self._most is None or len(self.keys) < self._most:
            return np.ones(len(keys), bool)
        inside: np.ndarray = keys <= self.keys[-1]
        self.left_out |= not inside.all()
        return inside

    def merge(self, later: Groups, rows: int = 0) -> None:
        """Append the groups of later rows, whose positions count from 0: `rows` come before them."""
        self.left_out |= later.left_out
        shifted = {
            name: value + rows if self._how[name] in ("first", "last") else value
            for name, value in later.columns.items()
        }
        self.add(later.keys, **shifted)

    def _reduced(
        self, keys: np.ndarray, columns: Mapping[str, np.ndarray]
    ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        ways = {"first": "min", "last": "max"}
        given = [(columns[name], ways.get(how, how)) for name, how in self._how.items()]
        if keys.dtype.kind == "S":
            words, reduced = reduce_groups(keys.view(np.uint64).reshape(-1, 2), given)
            return whole(words), dict(zip(self._how, reduced, strict=True))
        keys, reduced = reduce_groups(keys, given)
        return keys, dict(zip(self._how, reduced, strict=True))
