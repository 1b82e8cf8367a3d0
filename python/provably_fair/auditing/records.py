"""Records: a batch of a log for checks, whose columns are read once, on demand."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeGuard, TypeVar

import numpy as np

from provably_fair._core.counts import as_places
from provably_fair._core.errors import BadValue
from provably_fair._engine import (
    column_doubles,
    column_fingerprints,
    column_wholes,
    derived_seeds,
    is_folded,
    joined_fingerprints,
    reduce_groups,
    row_sets,
    run_starts,
)
from provably_fair.sources import LogError
from provably_fair.sources.foreign import (
    HALVES,
    Constant,
    as_written,
    cell,
    cells_in,
    has_halves,
    is_numeric,
    joined_texts,
    take,
)
from provably_fair.sources.times import Masked, turned_back
from provably_fair.verification.systems import (
    COMMITMENT,
    FIELD,
    KINDS,
    SALT_COMMITMENT,
    UNREVEALED,
    Field,
    Found,
)
from provably_fair.verification.systems.chains import TERMINATING

_EMPTY = Constant("")  # stands for a field without a column
_HASH = re.compile(r"(0x)?([0-9a-f]{2}){16,64}", re.IGNORECASE)
NEVER = np.iinfo(np.int64).min
"""Stands for the time of a row without one, as in the engine."""


T = TypeVar("T")


IDENTIFYING = ("server_seed", "client_seed", COMMITMENT, "player")
"""Fields that say on which seeds a bet is, and whose: most checks look at them once for all rows alike."""


class BothPrints(NamedTuple):
    """Fingerprints of cells as text and as hexadecimal text, the same array if these agree."""

    text: np.ndarray
    folded: np.ndarray


@dataclass(eq=False)
class RowSets:
    """Sets of rows that are alike in some fields: runs of rows, or the rows of players who take turns.

    Rows of different sets may be alike, too, so what is said of sets mustn't depend on how rows are divided.
    """

    firsts: np.ndarray  # the first row of each set, int64 in rising order
    rows: int
    counts: np.ndarray
    which: np.ndarray | None = None  # the set of each row, uint32; None where each set is a run of rows
    # The rows in the order of their sets, int64; None where that is their order already
    order: np.ndarray | None = None
    # The fingerprints of the sets' cells, by field; empty where each row is a set by itself
    prints: Mapping[str, BothPrints] = field(default_factory=dict)

    @property
    def are_rows(self) -> bool:
        """Whether each row is a set by itself."""
        return len(self.firsts) == self.rows

    def first(self, values: np.ndarray) -> np.ndarray:
        """Return the values of the first rows."""
        return values if self.are_rows else values[self.firsts]

    def reduced(self, how: np.ufunc, values: np.ndarray) -> np.ndarray:
        """Return a value for each set, made from those of its rows."""
        if self.are_rows:
            return values
        starts, ordered = self.firsts, values
        if self.order is not None:
            starts, ordered = np.cumsum(self.counts) - self.counts, values.take(as_places(self.order))
        found: np.ndarray = how.reduceat(ordered, as_places(starts))
        return found

    def ends(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the values of the sets of the first and the last row."""
        return values[0], values[-1 if self.which is None else self.which[-1]]

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Return for each row the value of its set."""
        if self.are_rows:
            return values
        if self.which is None:
            return np.repeat(values, as_places(self.counts), axis=0)
        return values.take(as_places(self.which), 0)


@dataclass(eq=False)
class Records:
    """Some rows of a log, and what `verify` found in them."""

    columns: Mapping[str, Any]
    count: int
    places: np.ndarray  # their positions in the log, int64
    found: Found
    # Of games on a chain that lead to its terminating hash their numbers, int64; 0 of others
    games: np.ndarray
    outcome: tuple[tuple[int, ...], np.dtype[Any]] | None  # the shape and the type of the game's outcomes
    threads: int | None
    of_salts: bool = False  # whether `commitment` is of the salts, as logs of sessions had it once
    worded: Mapping[str, Field] = field(default_factory=dict)  # the fields of words
    # The times of each field that has any, int64 in microseconds since 1970 in UTC, and where there is one
    times: Mapping[str, Masked] = field(default_factory=dict)
    local: Collection[str] = ()  # the fields whose times are without a zone
    _read: dict[tuple[object, str], Any] = field(default_factory=dict)

    def has(self, field: str) -> bool:
        """Return whether a field has a column, or one value for all rows."""
        return field in self.columns

    def of_games(self, names: Collection[str] | None) -> np.ndarray:
        """Return a mask of the rows of some of several games, or of all rows for None."""
        mask = np.full(self.count, names is None)
        for name in names or ():
            mask[self.found.games.get(name, [])] = True
        return mask

    def rows_with(self, kind: str | None, fields: Collection[str]) -> np.ndarray:
        """Return the rows with a kind of failure, or any, in one of these fields, in rising order."""
        found = self.found
        if not len(found.rows):
            return found.rows
        numbers = [number for number, name in enumerate(found.fields) if name in fields]
        there = found.kinds > 0 if kind is None else found.kinds == KINDS.index(kind)
        there &= np.isin(found.numbers, numbers)
        rows = np.sort(found.rows[there])
        first: np.ndarray = rows[np.diff(rows, prepend=-1) > 0]  # `np.unique` loads masked arrays, in 40 ms
        return first

    def no_hashes(self, field: str) -> np.ndarray:
        """Return the rows whose commitment can't be compared, since it isn't a hash in hexadecimal."""

        def found() -> np.ndarray:
            rows = self.rows_with("commitment", (field,))
            odd = [_HASH.fullmatch(text.strip()) is None for text in self.texts(field, rows)]
            return np.compress(odd, rows)

        return self.kept("no hashes", field, found)

    @cached_property
    def wrong(self) -> np.ndarray:
        """A mask of rows that failed verification, or have no outcome to test; of cards the latter alone.

        Which hands fail depends on their cards: without actions, those of blackjacks don't.
        """
        wrong = self.undealt.copy()
        wrong[self.unread] = True
        if self.found.hands is None:
            wrong[self.found.rows[self.found.kinds > 0]] = True
        return wrong

    @cached_property
    def undealt(self) -> np.ndarray:
        """A mask of rows of cards that the seeds don't give, since they aren't revealed or can't be read."""
        undealt = np.full(self.count, self.found.hands is not None)
        for rows, _ in () if self.found.hands is None else self.found.hands.dealt:
            undealt[rows] = False
        return undealt

    @cached_property
    def hands(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Whether each row's hand is settled, its return and all of its bets in units; see `Hands`."""
        known, returned, staked = (np.zeros(self.count, kind) for kind in (bool, np.int64, np.int64))
        if (hands := self.found.hands) is not None:
            known[hands.rows], returned[hands.rows], staked[hands.rows] = True, hands.returned, hands.staked
        return known, returned, staked

    @cached_property
    def unrevealed(self) -> np.ndarray:
        """The rows that can't be checked, since their seed isn't revealed."""
        return self.found.unchecked.get(UNREVEALED, np.zeros(0, np.int64))

    @property
    def unread(self) -> np.ndarray:
        """The rows among these whose outcome only their seeds tell, since the log has it in another form."""
        return self.unrevealed[: 0 if self.found.outcomes is None else None]

    @cached_property
    def unplayed(self) -> np.ndarray:
        """A mask of rows that failed verification in more than commitments, or have no outcome to test."""
        found = self.found
        published = [name in (COMMITMENT, SALT_COMMITMENT, TERMINATING) for name in found.fields]
        unplayed = np.zeros(self.count, bool)
        unplayed[self.unread] = True
        unplayed[found.rows[(found.kinds > 0) & ~np.array([*published, False])[found.numbers]]] = True
        return unplayed

    @property
    def untold(self) -> np.ndarray:
        """A mask of rows whose outcome a bet can't be settled by: `unplayed` ones, of cards `wrong` ones."""
        return self.unplayed if self.found.hands is None else self.wrong

    @cached_property
    def _alike(self) -> RowSets:
        """Sets of rows that are alike in all identifying fields."""
        each = [name for name in IDENTIFYING if not self._is_constant(name)]
        columns = [(name, self._column(name)[0]) for name in each]
        firsts, counts, which, order, found = row_sets(columns, self.count)
        prints = {name: BothPrints(*both) for name, both in zip(each, found, strict=True)}
        for name in {*IDENTIFYING} - {*each}:
            both = (self._own_fingerprints(name, hexadecimal) for hexadecimal in (False, True))
            prints[name] = BothPrints(*(np.broadcast_to(one[:1], (len(firsts), 2)) for one in both))
        return RowSets(firsts, self.count, counts, which, order, prints)

    def sets(self, *fields: str) -> RowSets:
        """Return sets of rows alike in some fields: each row by itself, unless all fields are identifying."""
        if all(name in IDENTIFYING for name in fields):
            return self._alike
        one = np.broadcast_to(np.int64(1), self.count)
        return self.kept("sets", "", lambda: RowSets(np.arange(self.count, dtype=np.int64), self.count, one))

    def starts(self, field: str) -> np.ndarray:
        """Return the first row, and each row whose text in a field isn't that of the row before."""
        sets = self.sets(field)
        if sets.which is not None:
            return run_starts([self.fingerprints(field)])
        found: np.ndarray = sets.firsts[run_starts([self.prints(sets, field)])]
        return found

    def prints(self, sets: RowSets, field: str, *, hexadecimal: bool = False) -> np.ndarray:
        """Return fingerprints of a field's cells in each of some sets, as `fingerprints` does of rows."""
        if field in sets.prints:
            both = sets.prints[field]
            return both.folded if hexadecimal else both.text
        return self.fingerprints(field, hexadecimal=hexadecimal)

    def joined(self, sets: RowSets, fields: Collection[str], folded: Collection[str] = ()) -> np.ndarray:
        """Return joint fingerprints of several fields for each set, of those `folded` as hexadecimal."""
        prints = [self.prints(sets, name, hexadecimal=name in folded) for name in fields]
        # They are often the same as text and as hexadecimal, and wanted by several checks.
        other = [name for name, own in zip(fields, prints, strict=True) if own is not sets.prints[name].text]
        how = f"joined {other}"
        return self.kept(how, " ".join(fields), lambda: joined_fingerprints(prints, len(sets.firsts)))

    def fingerprints(self, field: str, *, hexadecimal: bool = False) -> np.ndarray:
        """Return fingerprints of a field's cells, uint64 of shape (count, 2): 0 where a cell is empty.

        The same text has the same fingerprint in every storage. Of text in hexadecimal neither case nor
        spaces around it count. A field without a column, as of one game among several, has empty cells.
        """
        if field not in IDENTIFYING or self._is_constant(field):
            return self._own_fingerprints(field, hexadecimal)
        sets = self._alike
        own = self.prints(sets, field, hexadecimal=hexadecimal)
        return self.kept(f"fingerprints {hexadecimal}", field, lambda: sets.spread(own))

    def _own_fingerprints(self, field: str, hexadecimal: bool) -> np.ndarray:
        if hexadecimal:  # which may be the same as text
            hexadecimal = not self.kept("folded", field, lambda: is_folded(field, *self._column(field)))
        read = partial(column_fingerprints, field, hexadecimal=hexadecimal)
        how = f"fingerprints {hexadecimal}"
        return self.kept(how, field, lambda: self._by_row(read(*self._column(field))))

    def number(self, field: str) -> np.ndarray:
        """Return a field's numbers, float64: NaN where there is none."""
        return self.kept("number", field, lambda: self._by_row(_doubles(field, *self._column(field))))

    @property
    def money(self) -> list[np.ndarray]:
        """The stakes and the payouts as doubles; none if the log lacks either."""
        both = ("stake", "payout")
        return [self.number(name) for name in both] if all(map(self.has, both)) else []

    def doubt(self, field: str, rows: np.ndarray) -> np.ndarray:
        """Return how far some rows' numbers may be from what was meant: by a rounding to 32-bit floats."""
        column, found = self.columns[field], np.zeros(len(rows))
        if isinstance(column, Constant):
            cells = np.array([column.value] * len(rows), object)
        elif isinstance(column, np.ndarray):
            cells = column[rows]
        else:
            cells = np.array(take(column, rows) if isinstance(column, list) else [], object)
        there = [isinstance(cell, np.float32) for cell in cells] if cells.dtype == object else None
        if there is not None or cells.dtype.char == "f":
            which = np.flatnonzero(there) if there is not None else slice(None)
            singles = cells[which].astype(np.float32)
            apart = np.abs(self.number(field)[rows][which] - singles)
            found[which] = np.spacing(np.abs(singles)) / 2 + apart
        return found

    def whole(self, field: str) -> Masked:
        """Return a field's whole numbers, int64, and where there is one."""

        def found() -> Masked:
            values, there = column_wholes(field, *self._column(field))
            return self._by_row(values), self._by_row(there)

        return self.kept("whole", field, found)

    def of_parameters(self, values: Mapping[str, int]) -> np.ndarray:
        """Return a mask of the rows whose columns don't give other values to some parameters."""
        found = np.ones(self.count, bool)
        for name, value in values.items():
            if self.has(name):
                numbers, there = self.whole(name)
                found &= ~there | (numbers == value)
        return found

    def order(self, field: str) -> Masked:
        """Return a field's times as far as they tell which came first: see `turned_back`."""
        if field not in self.local:
            return self.times[field]
        values, there = self.times[field]
        return self.kept("order", field, lambda: (turned_back(values), there))

    def has_times(self, field: str) -> bool:
        """Return whether any row has a time in a field."""
        return self.has(field) and bool(self.times[field][1].any())

    def has_nonces(self) -> bool:
        """Return whether any row has a whole number as its nonce, which may be text or missing."""
        return self.has("nonce") and bool(self.whole("nonce")[1].any())

    def large_nonces(self) -> int:
        """Return the number of rows with a nonce of 2**63 or more, which is played, but isn't counted."""
        if not self.has("nonce") or (there := self.whole("nonce")[1]).all():
            return 0
        odd = np.setdiff1d(np.flatnonzero(~there), self.rows_with(None, ("nonce",)))
        return sum(text.strip().isdigit() for text in self.texts("nonce", odd))

    def words(self, field: str) -> tuple[np.ndarray, list[str]]:
        """Return each row's word in a field as an index into a list of words in small letters."""

        def found() -> tuple[np.ndarray, list[str]]:
            fingerprints = self.fingerprints(field)
            keys, (first,) = reduce_groups(fingerprints, [(np.arange(self.count, dtype=np.int64), "min")])
            which = np.searchsorted(whole(keys), whole(fingerprints))
            texts = [text.strip().casefold() for text in self.texts(field, first)]
            for text, row in zip(texts, first.tolist(), strict=True):
                if text not in (self.worded[field].words or {}):
                    at = int(self.places[row])
                    raise LogError(f"row {at} {self.worded[field].unknown_word(text)}", row=at)
            return which, texts

        return self.kept("words", field, found)

    def refuse_unread(self, field: str, called: str, written: Any) -> None:
        """Raise `LogError` for the first of a field's cells that has digits, but isn't read as a number."""
        kinds = {*map(type, written)} if isinstance(written, list) else {None}
        if has_halves(written):
            raise LogError(f"column {called!r:.80} {HALVES}")
        if kinds <= {int, float, type(None)} or (None in kinds and is_numeric(written)):
            return
        unread = np.flatnonzero(np.isnan(self.number(field)))
        if joined_texts(written) is not None:  # among other cells there may be lists, without fingerprints
            unread = unread[self.fingerprints(field)[unread].any(axis=1)]
        for row, value in zip(unread.tolist(), cells_in(written, unread), strict=True):
            text = as_written(value)
            if any(map(str.isdigit, text)):
                at = int(self.places[row])
                raise LogError(
                    f"row {at}: column {called!r:.80} has {text!r:.40}, which isn't read as a number: give "
                    "plain ones, and of amounts a column 'currency'",
                    row=at,
                )

    def meaning(self, field: str, word: str) -> Any:
        """Return the meaning of a word in a field."""
        return (self.worded[field].words or {})[word]

    def value(self, field: str, row: int) -> Any:
        """Return a cell as a Python object."""
        return cell(self.columns[field], row)

    def text(self, field: str, row: int) -> str:
        """Return a cell as text: "" where it is empty."""
        return as_written(self.value(field, row))

    def texts(self, field: str, rows: np.ndarray) -> list[str]:
        """Return a field's cells in some rows as text: "" where they are empty."""
        return [as_written(value) for value in cells_in(self.columns[field], rows)]

    def derived(self, rows: np.ndarray, keys: list[np.ndarray]) -> np.ndarray:
        """Return which seed of some rows is derived from the other: 1, the client's; 2, the server's; else 0.

        The keys are fingerprints of both, and of the commitment, in the rows.
        """
        names = ("client_seed", "server_seed", COMMITMENT)
        given = {name: self.columns.get(name, Constant("")) for name in names}
        seeds = {name: as_written(c.value) if isinstance(c, Constant) else c for name, c in given.items()}
        return derived_seeds(SimpleNamespace(**seeds, rows=self.count), keys, rows, self.threads)

    @cached_property
    def outcomes(self) -> np.ndarray:
        """The outcomes in the game's type and shape; unreadable ones are 0, and `wrong`.

        Those of cards are what the seeds deal: a cell may have other cards, or what was won with them.
        """
        if self.outcome is None:
            raise BadValue("outcomes", "must be those of a game")
        shape, dtype = self.outcome
        width = math.prod(shape)
        if self.found.hands is not None:
            dealt = np.zeros((self.count, *shape), dtype)
            for which, cards in self.found.hands.dealt:
                dealt[which] = cards[:, :width]
            return dealt
        if self.found.outcomes is None:
            column, rows = self._column(FIELD)
        else:
            column, rows = self.found.outcomes(), self.count
        if _is_array(column, dtype, rows * width):
            values = column
        else:
            values = _doubles(FIELD, column, rows, width)
            if dtype.kind in "iu":
                values = np.nan_to_num(values)
        read = values.astype(dtype, copy=False).reshape(rows, *shape)
        if self.found.drawn is not None:
            which, drawn = self.found.drawn
            read = np.array(np.broadcast_to(read, (self.count, *shape)))
            read[which] = drawn
            return read
        return self._by_row(read)

    def _is_constant(self, field: str) -> bool:
        return isinstance(self.columns.get(field, _EMPTY), Constant)

    def _column(self, field: str) -> tuple[Any, int]:
        column = self.columns.get(field, _EMPTY)
        if isinstance(column, Constant):
            return [column.value], 1
        return (column, self.count) if self.count else ([], 0)

    def _by_row(self, values: np.ndarray) -> np.ndarray:
        """Return values for each row, of which there may be one for all."""
        return (
            values if len(values) == self.count else np.broadcast_to(values, (self.count, *values.shape[1:]))
        )

    def kept(self, how: object, field: str, find: Callable[[], T]) -> T:
        """Return what is found of a field in some way, and keep it."""
        kept: T | None = self._read.get((how, field))
        if kept is None:
            kept = self._read[how, field] = find()
        return kept


def whole(fingerprints: np.ndarray) -> np.ndarray:
    """Return fingerprints as values of 16 bytes, which compare and sort; b"" for an empty cell."""
    found: np.ndarray = np.ascontiguousarray(fingerprints).view("S16")[:, 0]
    return found


def _doubles(field: str, column: Any, rows: int, width: int = 1) -> np.ndarray:
    """Return numbers as doubles; arrays of doubles aren't copied."""
    if _is_array(column, np.dtype(np.float64), rows * width):
        return column.ravel()
    return column_doubles(field, column, rows, width)


def _is_array(column: Any, dtype: np.dtype[Any], size: int) -> TypeGuard[np.ndarray]:
    """Whether a column is an unmasked numpy array of a type and a size."""
    return type(column) is np.ndarray and column.dtype == dtype and column.size == size
