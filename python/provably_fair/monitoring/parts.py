"""Counts of a batch, which any process can make and a watch adds to its state.

A segment's counts say how often each stake returned each amount, by the hour or day. They are whole numbers,
so they don't depend on how a file is read, and their size doesn't grow with its rows.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field as column, replace
from typing import Any, NamedTuple, Unpack

import numpy as np

from provably_fair._core.arguments import BadType, BadValue
from provably_fair._core.counts import bincount
from provably_fair._core.printable import listed
from provably_fair.bets.observed import Observed
from provably_fair.distribution import Distribution
from provably_fair.sources import Evidence, MissingColumnError, StoredFile, Wanted, has_url, name_of
from provably_fair.verification import Log
from provably_fair.verification.amounts import AmountColumns, paid_columns, read_paid
from provably_fair.verification.log import LogOptions, settled, with_log_options, with_options

KEPT_ROWS = 100
_ROWS_AT_A_TIME = 1 << 20
_NOTHING = np.zeros(0, np.int64)


class Counted(NamedTuple):
    """Numbers of bets by bucket (an hour, a day, or 0), stake and place of the return among the outcomes."""

    buckets: np.ndarray
    stakes: np.ndarray
    places: np.ndarray
    counts: np.ndarray


@dataclass
class SegmentPart:
    """The rows of a batch in one segment: those of a game, or of one value of a column."""

    game: str
    field: str
    value: str
    stake: float
    first: int
    largest: float = 0.0
    last: int = -1
    rows: np.ndarray = column(default_factory=_NOTHING.copy)  # the first of them
    impossible: int = 0  # the number of rows whose payouts are impossible
    impossible_rows: np.ndarray = column(default_factory=_NOTHING.copy)  # the first of these
    last_impossible: int = -1
    refunded: int = 0  # number of bets annulled, with their stakes returned
    counted: list[Counted] = column(default_factory=list)  # all other rows
    # Their stakes and places, row by row: for windows of rounds alone
    in_order: list[tuple[np.ndarray, np.ndarray]] = column(default_factory=list)
    _bucket: int = -(1 << 62)

    def take(self, seen: _CountedRows, ordered: bool) -> None:
        """Add rows."""
        if seen.refunds.any():
            self.refunded += int(seen.refunds.sum())
            seen = seen.some(~seen.refunds)
            if not len(seen.rows):
                return
        self.largest = max(self.largest, float(seen.stakes.max()))
        self.last = int(seen.rows[-1])
        if len(self.rows) < KEPT_ROWS:
            self.rows = np.concatenate([self.rows, seen.rows[: KEPT_ROWS - len(self.rows)]])
        # Late rows count in the bucket in which they arrive.
        buckets = np.maximum.accumulate(np.maximum(seen.buckets, self._bucket))
        self._bucket = int(buckets[-1])
        stakes, places, right = seen.stakes, seen.places, seen.places >= 0
        if not right.all():
            wrong = seen.rows[~right]
            self.impossible += len(wrong)
            self.last_impossible = int(wrong[-1])
            self.impossible_rows = np.concatenate([self.impossible_rows, wrong])[:KEPT_ROWS]
            buckets, stakes, places = buckets[right], stakes[right], places[right]
        if len(places):
            self.counted.append(count_rows(buckets, stakes, places))
            if ordered:
                self.in_order.append((stakes, places.astype(np.int32)))

    def finished(self) -> SegmentPart:
        """Join the counts of all pieces, and return the part."""
        if len(self.counted) > 1:
            self.counted = [_joined(self.counted)]
        if len(self.in_order) > 1:
            stakes, places = zip(*self.in_order, strict=True)
            self.in_order = [(np.concatenate(stakes), np.concatenate(places))]
        return self


@dataclass(frozen=True)
class Part:
    """The counts of a batch, for `Watch.add`."""

    rules: str  # the fingerprint of the watch that it was read for
    source: str  # name of the batch in records
    name: str | None  # name that distinguishes the batch from others with equal rows, if it was given one
    # Whether its rows are told apart by a time, a number or an id, so that no other batch reads like it
    apart: bool
    digest: str  # the hash of what its rows say, in all columns
    files: str  # the hash of the bytes of its files; "" if it isn't in files
    rows: int
    segments: tuple[SegmentPart, ...]  # by game, column, and where values first appear


class _CountedRows(NamedTuple):
    rows: np.ndarray
    stakes: np.ndarray
    places: np.ndarray
    buckets: np.ndarray
    refunds: np.ndarray

    def some(self, which: np.ndarray) -> _CountedRows:
        return _CountedRows(*(values[which] for values in self))


def _with_hint(paid: Iterator[AmountColumns]) -> Iterator[AmountColumns]:
    """Yield amounts; if the log lacks times, name windows that need none in the error."""
    try:
        yield from paid
    except MissingColumnError as error:
        if "time" not in error.columns:
            raise
        hint = '; windows=["all"], and those of rounds such as "1000r", need no times'
        raise MissingColumnError(*error.args, hint, columns=error.columns) from None


@dataclass(frozen=True)
class Reader:
    """Counts batches for a watch, in this process or another."""

    rules: str
    laws: Mapping[str, Distribution]
    by: tuple[str, ...]  # the columns whose values are watched
    named: bool  # whether rows name their game
    unit: int  # length of a bucket in microseconds; 0 without windows of time
    ordered: bool  # whether there are windows of rounds
    within: float  # the largest rounding error of an amount

    @property
    def columns(self) -> list[str]:
        """The columns that it reads besides amounts and times."""
        return ["game"] * self.named + [name for name in self.by if name != "stake"]

    def wanted_columns(self, log: object, **options: Any) -> Wanted:
        """Return the columns that it reads of a log."""
        return paid_columns(log, others=self.columns, timed=bool(self.unit), every=True, **options)

    @with_log_options
    def read(self, batch: object, name: str | None = None, **options: Unpack[LogOptions]) -> Part:
        """Count a batch, for `Watch.add`, with the options of `Log`."""
        checked_name(name)
        batch = with_options(batch, options)
        if not self.named and settled(batch, None, {}).options["game_column"] is not None:
            raise BadValue("game_column", "must be of a watch with bets by the names of games, got one bet")
        columns = self.columns
        texts: dict[str, dict[str, int]] = {name: {} for name in columns}
        identity, rows = _Identity(), 0
        # By game and column; within these as they first appear.
        segments: dict[tuple[str, str], dict[str, SegmentPart]] = {
            (game, field): {} for game in self.laws for field in ("", *self.by)
        }
        paid = _with_hint(read_paid(batch, others=columns, timed=bool(self.unit), every=True))
        for block in _blocks(identity.taking(paid)):
            names = ("returns", "stakes", "refunds", *(("times",) if self.unit else ()))
            returns, stakes, refunds, *times = (
                np.concatenate([getattr(part, name) for part in block]) for name in names
            )
            buckets = times[0] // self.unit if times else np.zeros(len(returns), np.int64)
            codes = {
                name: np.concatenate([_codes(known, *part.others[name]) for part in block])
                for name, known in texts.items()
            }
            values = {name: list(known) for name, known in texts.items()}
            for title, cells in {"payout": returns, "stake": stakes, **codes}.items():
                identity.add(title, cells, rows)
            games = values["game"] if self.named else [""]
            if unknown := [game for game in games if game not in self.laws]:
                watched = listed(self.laws, 5)
                allowed = f"must be of games that are watched, {watched}, got {unknown[0]!r:.80}"
                raise BadValue("batch", allowed)
            for number, among in _groups(codes.get("game", np.zeros(len(returns), np.int32))):
                law, game = self.laws[games[number]], games[number]
                found = Observed(law, returns[among], stakes[among], self.within, rows=rows + among)
                here = found.rows - rows
                seen = _CountedRows(found.rows, found.stakes, found.places, buckets[here], refunds[here])
                fields = {name: (values[name], numbers[here]) for name, numbers in codes.items()}
                for field, value, some in self._split(seen, fields):
                    group = segments[game, field]
                    if value not in group:
                        first = float(some.stakes[0]), int(some.rows[0])
                        group[value] = SegmentPart(game, field, value, *first)
                    group[value].take(some, self.ordered)
            rows += len(returns)
        if not rows:
            raise BadValue("batch", "must not be empty")
        if name is None and not identity.apart:
            name = _name_of_file(batch)
        digest = identity.digest({name: list(known) for name, known in texts.items()})
        parts = tuple(one.finished() for group in segments.values() for one in group.values())
        return Part(self.rules, _named(batch), name, identity.apart, digest, identity.files, rows, parts)

    def _split(
        self, seen: _CountedRows, fields: Mapping[str, tuple[list[str], np.ndarray]]
    ) -> Iterator[tuple[str, str, _CountedRows]]:
        """Yield a game's rows as segments: all of them, and those of each value of a watched column."""
        if not len(seen.rows):
            return
        yield "", "", seen
        for name in self.by:
            if name == "stake":
                different, numbers = np.unique(seen.stakes, return_inverse=True)
                values = [f"{stake:.12g}" for stake in different.tolist()]
            else:
                values, numbers = fields[name]
            for number, among in _groups(numbers):
                yield name, values[number], seen.some(among)


def checked_name(name: object) -> str | None:
    """Return a batch's name, checked; None if it has none."""
    if name is None:
        return None
    if not isinstance(name, str):
        raise BadType("name", f"must be text, got {type(name).__name__}")
    if not name.strip():
        raise BadValue("name", "must not be empty")
    return name


class _Identity:
    """The identity of a batch: hashes of its columns, however they are read, and of its files."""

    def __init__(self) -> None:
        self._columns: dict[str, tuple[Any, int]] = {}
        self._evidence: list[Evidence] = []
        self._rows = self._new = 0
        self._last = np.zeros(0, np.uint64)

    def taking(self, paid: Iterator[AmountColumns]) -> Iterator[AmountColumns]:
        """Hash the fingerprints of each piece, and yield the piece without them."""
        for part in paid:
            if part.evidence is not None and all(part.evidence is not one for one in self._evidence):
                self._evidence.append(part.evidence)
            cells = part.cells or {}
            for name, values in cells.items():
                self.add(name, values, self._rows)
            self._count([cells[name] for name in part.telling], len(part.returns))
            self._rows += len(part.returns)
            yield replace(part, cells=None)

    def add(self, name: str, values: np.ndarray, first: int) -> None:
        """Add the values of rows to a column's hash; rows before its first one count as empty."""
        known, rows = self._columns.get(name, (None, 0))
        known = known or hashlib.sha256()
        known.update(bytes((first - rows) * values[:1].nbytes))
        known.update(np.ascontiguousarray(values).data)
        self._columns[name] = known, first + len(values)

    def _count(self, telling: Sequence[np.ndarray], rows: int) -> None:
        """Count the rows that differ from the row before in an identifying field."""
        if not rows:
            return
        cells = np.hstack(telling) if telling else np.zeros((rows, 0), np.uint64)
        before = self._last if self._last.shape == cells[0].shape else np.zeros_like(cells[0])
        new = cells != np.vstack([before, cells[:-1]])
        self._new += int((new & (cells != 0)).any(axis=1).sum())
        self._last = cells[-1]

    @property
    def apart(self) -> bool:
        """Whether more than half of the rows differ from the row before in an identifying field."""
        return 2 * self._new > self._rows

    @property
    def files(self) -> str:
        """The hash of the files' hashes; "" without files, or if one wasn't read to its end."""
        each = [one.sha256 for one in self._evidence]
        return "" if not each or None in each else hashlib.sha256(repr(each).encode()).hexdigest()

    def digest(self, texts: Mapping[str, Sequence[str]]) -> str:
        """Return the hash of all columns, in any order, and of the texts that codes stand for."""
        found = hashlib.sha256(repr((self._rows, sorted(texts.items()))).encode())
        for name, (known, rows) in sorted(self._columns.items()):
            found.update(repr((name, rows, known.hexdigest())).encode())
        return found.hexdigest()


def _codes(known: dict[str, int], values: Sequence[str], codes: np.ndarray) -> np.ndarray:
    """Return codes of cells in the numbering of `known`, which new texts extend."""
    own = np.array([known.setdefault(value, len(known)) for value in values], np.int32)
    found: np.ndarray = own[codes]
    return found


def _blocks(parts: Iterator[AmountColumns]) -> Iterator[list[AmountColumns]]:
    """Join pieces of a log into blocks of about a million rows, so that numpy's calls pay."""
    block: list[AmountColumns] = []
    for part in parts:
        block.append(part)
        if sum(len(one.returns) for one in block) >= _ROWS_AT_A_TIME:
            yield block
            block = []
    if sum(len(one.returns) for one in block):
        yield block


def _groups(numbers: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each number with its positions, in order of first appearance."""
    top = int(numbers.max(initial=0))
    order = np.argsort(numbers.astype(np.uint16) if top < 1 << 16 else numbers, kind="stable")
    ranked = numbers[order]
    cuts = np.flatnonzero(np.diff(ranked)) + 1
    groups = np.split(order, cuts)
    for group in sorted((one for one in groups if one.size), key=lambda one: int(one[0])):
        yield int(numbers[group[0]]), group


def count_rows(buckets: np.ndarray, stakes: np.ndarray, places: np.ndarray) -> Counted:
    """Count rows by bucket, stake and place; buckets must not fall."""
    times = np.concatenate([[0], np.cumsum(np.diff(buckets) > 0, dtype=np.int64)])
    different, which = stakes[:1], np.zeros(len(stakes), np.intp)
    if stakes.min() < stakes.max():
        different, which = np.unique(stakes, return_inverse=True)
    amounts = int(places.max()) + 1
    top = (int(times[-1]) + 1) * len(different) * amounts
    if top > np.iinfo(np.int64).max:  # too many combinations for one int64 key
        return _joined([Counted(buckets, stakes, places.astype(np.int32), np.ones(len(stakes), np.int64))])
    keys = (times * len(different) + which) * amounts + places
    if top <= 8 * len(keys):
        counts = bincount(keys, minlength=top)
        keys = np.flatnonzero(counts)
        counts = counts[keys]
    else:
        keys, counts = np.unique(keys, return_counts=True)
    rest, place = np.divmod(keys, amounts)
    time, stake = np.divmod(rest, len(different))
    starts = np.concatenate([[0], np.flatnonzero(np.diff(times)) + 1])
    return Counted(buckets[starts][time], different[stake], place.astype(np.int32), counts.astype(np.int64))


def _joined(parts: Sequence[Counted]) -> Counted:
    """Sum counts, sorted by bucket, stake and place."""
    buckets, stakes, places, counts = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.lexsort((places, stakes, buckets))
    buckets, stakes, places = buckets[order], stakes[order], places[order]
    new = (np.diff(buckets) != 0) | (np.diff(stakes) != 0) | (np.diff(places) != 0)
    starts = np.concatenate([[0], np.flatnonzero(new) + 1])
    return Counted(buckets[starts], stakes[starts], places[starts], np.add.reduceat(counts[order], starts))


def _name_of_file(batch: object) -> str | None:
    """Return a batch's path or URL, if it has one without secrets that names the same rows later."""
    source = settled(batch, None, {}).source
    if isinstance(source, StoredFile) and source.local is not None:
        return str(source).replace(str(source.local), os.path.realpath(source.local), 1)
    if isinstance(source, (str, StoredFile)) and has_url(source):
        name = source.title if isinstance(source, StoredFile) else name_of(source)
        return None if name.secrets else str(name)
    path = os.path.realpath(source) if isinstance(source, (str, os.PathLike)) else ""
    return path if os.path.isfile(path) or os.path.isdir(path) else None


def _named(batch: object) -> str:
    """Return the name of a batch for the state's records."""
    source = batch.source if isinstance(batch, Log) else batch
    if isinstance(source, StoredFile):
        return str(source)
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else type(source).__name__
