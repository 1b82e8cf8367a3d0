"""Exact sums of whole numbers, which don't depend on how rows are cut into batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from provably_fair._core.counts import widened
from provably_fair._engine import count_numbers, reduce_groups

from .finding import KEPT_ROWS
from .records import RowSets, whole

How = Literal["sum", "min", "max", "first", "last"]


def rows_of(mask: np.ndarray) -> np.ndarray | slice:
    """Return an index of the rows where a mask is set: a slice, which copies nothing, for all rows."""
    return slice(None) if mask.all() else np.flatnonzero(mask)


class ValueCounts(NamedTuple):
    """Different numbers in rising order, and their counts."""

    numbers: np.ndarray
    counts: np.ndarray


def tally(numbers: np.ndarray, most: int) -> ValueCounts:
    """Return the different numbers from 0 to `most` - 1, and their counts; others aren't counted."""
    if most > 4 * numbers.size:
        return ValueCounts(*np.unique(numbers[numbers >= 0], return_counts=True))
    counts = count_numbers(widened(numbers), most)
    which = widened(np.flatnonzero(counts))
    return ValueCounts(which, counts[which])


class NumberedRows(NamedTuple):
    """Rows of a key and a number, for the engine's `Runs`: a key for each set of rows, or for each row."""

    keys: list[np.ndarray]
    numbers: np.ndarray
    places: np.ndarray
    there: np.ndarray
    spelled: list[np.ndarray] | None = None
    """Fingerprints of the keys as written, if several spellings mean the same."""
    times: np.ndarray | None = None
    sets: RowSets | None = None


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


class Counted:
    """Counts of rows, which merge: what `state` names is added up, by its type."""

    state: ClassVar[tuple[str, ...]] = ()

    def merge(self, later: Any, rows: int) -> None:
        """Append the state of later rows, whose positions count from 0: `rows` come before them."""
        for name in self.state:
            setattr(self, name, _merged(getattr(self, name), getattr(later, name), rows))


def _merged(mine: Any, later: Any, rows: int) -> Any:
    """Return the sum of numbers, the union of sets and of truths; what has parts is merged in place."""
    if isinstance(mine, dict):
        for name, other in later.items():
            mine[name] = _merged(mine[name], other, rows)
    elif isinstance(mine, (list, tuple)):
        for one, other in zip(mine, later, strict=True):
            one.merge(other, rows)
    elif hasattr(mine, "merge"):
        mine.merge(later, rows)
    elif hasattr(mine, "append"):  # of the engine
        mine.append(later, rows)
    else:
        return mine | later if isinstance(mine, (bool, set)) else mine + later
    return mine


class FirstRows:
    """The number of some rows, and the positions of the first."""

    def __init__(self) -> None:
        self.count: int = 0
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


class BetTotals(Counted):
    """Totals of some bets: their number, how many won, and the return due for stakes of 1, in parts."""

    state = ("count", "won", "parts", "shown")

    def __init__(self) -> None:
        self.count: int = 0
        self.won: int = 0
        self.parts: int = 0
        self.shown: FirstRows = FirstRows()  # the first wins, if wins are counted; otherwise the first bets

    def add(self, places: np.ndarray, parts: np.ndarray | None, above: int | None = None) -> None:
        """Add bets in rising order, with returns in parts if known; count those above a number as wins."""
        self.count += len(places)
        if parts is not None:
            self.parts += exact_sum(parts)
            if above is not None:
                places = places[parts > above]
                self.won += len(places)
        self.shown.add(places)


class RowNumbers:
    """Numbers from 0 to 254 of a log's first rows, of which some are counted later.

    `values` has the shape (rows, numbers of a row), with `NONE` where a row has none.
    """

    MOST = 1 << 24  # the largest number of rows that are kept
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
        few = int(np.searchsorted(places, self.MOST))
        if not few:
            return
        places, values = places[:few], values.reshape(len(places), -1)[:few]
        self._grow(int(places[-1]) + 1, values.shape[1])
        if places[-1] - places[0] == few - 1:
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
        self.put(np.arange(rows, rows + later._rows, dtype=np.int64), later.values)

    def __getstate__(self) -> dict[str, object]:
        return {"_values": self.values.copy(), "_rows": self._rows}


class _Reduced(NamedTuple):
    """Different keys in rising order, and a value of each column for each."""

    keys: np.ndarray
    columns: dict[str, np.ndarray]

    def some(self, which: slice | np.ndarray) -> _Reduced:
        """Return some of the keys."""
        return _Reduced(self.keys[which], {name: column[which] for name, column in self.columns.items()})


_WAITING = 1 << 10
"""The smallest number of rows that are joined with known ones."""


class Groups:
    """Sums, minima and maxima of columns by key.

    Rows wait until they are about as many as the keys that are known, so that keys which don't come back cost
    no more than others, and are no fewer than `_WAITING`, since joining a few takes as long.
    """

    def __init__(self, how: Mapping[str, How], most: int | None = None) -> None:
        self._how = dict(how)
        self._most = most
        self._known = _Reduced(np.zeros(0, np.int64), {name: np.zeros(0, np.int64) for name in how})
        self._waiting: list[_Reduced] = []
        self._left_out = False

    @property
    def keys(self) -> np.ndarray:
        """The keys in rising order: whole numbers, or fingerprints of 16 bytes."""
        return self._joined().keys

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """A value of each column for each key."""
        return self._joined().columns

    @property
    def left_out(self) -> bool:
        """Whether there were more keys than are kept."""
        self._joined()
        return self._left_out

    def __getstate__(self) -> dict[str, object]:
        self._joined()
        return self.__dict__

    def add(self, keys: np.ndarray, **columns: np.ndarray) -> _Reduced:
        """Add rows: their keys, and a value per row of each column. Return them, joined by key."""
        rows = _Reduced(widened(keys), {name: widened(column) for name, column in columns.items()})
        if self._is_full:
            rows = rows.some(rows_of(self.keeps(keys)))
        if not len(rows.keys):
            return rows
        rows = self._reduced(rows)
        self._waiting.append(rows)
        if sum(len(some.keys) for some in self._waiting) >= max(len(self._known.keys), _WAITING):
            self._joined()
        return rows

    @property
    def _is_full(self) -> bool:
        return self._most is not None and len(self._known.keys) >= self._most

    def keeps(self, keys: np.ndarray) -> np.ndarray:
        """Return a mask of the keys to keep: the smallest, if there are too many."""
        if not self._is_full:
            return np.ones(len(keys), bool)
        inside: np.ndarray = keys <= self._known.keys[-1]
        self._left_out |= not inside.all()
        return inside

    def merge(self, later: Groups, rows: int = 0) -> None:
        """Append the groups of later rows, whose positions count from 0: `rows` come before them."""
        shifted = {
            name: value + rows if self._how[name] in ("first", "last") else value
            for name, value in later.columns.items()
        }
        self._left_out |= later.left_out
        self.add(later.keys, **shifted)

    def _joined(self) -> _Reduced:
        """Return all keys, those of waiting rows included."""
        if not self._waiting:
            return self._known
        parts = [self._known, *self._waiting] if len(self._known.keys) else self._waiting
        self._waiting = []
        if len(parts) > 1:
            columns = {name: _concatenated([part.columns[name] for part in parts]) for name in self._how}
            parts = [self._reduced(_Reduced(np.concatenate([part.keys for part in parts]), columns))]
        self._known = parts[0]
        if self._most is not None and len(self._known.keys) > self._most:
            self._left_out = True
            self._known = self._known.some(slice(self._most))
        return self._known

    def _reduced(self, rows: _Reduced) -> _Reduced:
        """Return the different keys of rows. A column of one value, except of sums, stays one."""
        ways = {"first": "min", "last": "max"}
        same = [name for name, how in self._how.items() if how != "sum" and _is_same(rows.columns[name])]
        names = [name for name in self._how if name not in same]
        given = [(rows.columns[name], ways.get(self._how[name], self._how[name])) for name in names]
        if rows.keys.dtype.kind == "S":
            words, reduced = reduce_groups(rows.keys.view(np.uint64).reshape(-1, 2), given)
            keys = whole(words)
        else:
            keys, reduced = reduce_groups(rows.keys, given)
        columns = dict(zip(names, reduced, strict=True))
        columns |= {name: np.broadcast_to(rows.columns[name][0], len(keys)) for name in same}
        return _Reduced(keys, {name: columns[name] for name in self._how})


def _is_same(column: np.ndarray) -> bool:
    """Return whether a column is one value, broadcast to its rows."""
    return column.strides == (0,)


def _concatenated(columns: list[np.ndarray]) -> np.ndarray:
    """Concatenate columns; the same value in all of them stays one."""
    if all(_is_same(column) and column[0] == columns[0][0] for column in columns):
        return np.broadcast_to(columns[0][0], sum(map(len, columns)))
    return np.concatenate(columns)
