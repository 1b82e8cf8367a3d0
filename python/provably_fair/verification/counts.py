"""Counts of a log, which merge: rows, kept failures, columns, files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.errors import placed
from provably_fair._core.printable import plain
from provably_fair.sources import Evidence, LogError
from provably_fair.sources.foreign import Constant, cell, joined_texts

from .columns import Columns
from .failure import Failure, kept_cell, to_json_value
from .failures import Failures
from .spread import Spread
from .systems import COMMITMENT, KINDS, Found, chains

KEPT_FAILURES = 10_000
"""The largest number of failures that a report keeps; its counts have all of them."""
MALFORMED, REPEATED = "malformed", "repeated"
_KEPT_ROWS = 100
_TIMES = (b"x", b"X", "×".encode())


P = TypeVar("P", bound="RowCounts | KeptRows | ReadColumns | ReadFiles | Spread")


@dataclass
class RowCounts:
    """Numbers of rows and findings."""

    rows: int = 0
    failed: int = 0
    kinds: Counter[str] = field(default_factory=Counter)  # failures by kind
    unchecked: Counter[str] = field(default_factory=Counter)  # rows that aren't checkable, by reason
    # Rows and failed rows by game, in a log of several
    games: Counter[str] = field(default_factory=Counter)
    failed_games: Counter[str] = field(default_factory=Counter)
    committed: Counter[str] = field(default_factory=Counter)  # commitments that were compared, by field
    # Rows whose outcome has another notation than the game's own, by notation
    notations: Counter[str] = field(default_factory=Counter)
    assumed: int = 0
    unknown_seeds: int = 0  # the number of rows that name a seed which the table of seeds lacks
    differing_seeds: int = 0  # the number of rows for which it has another seed or commitment than the log

    def add(self, columns: Columns, found: Found, failed_rows: np.ndarray) -> None:
        """Count the rows of a batch: all, failed and unreadable ones."""
        batch = columns.batch
        self.rows += batch.rows + len(batch.unreadable)
        self.failed += len(failed_rows) + len(batch.unreadable)
        codes = bincount(found.numbers * np.int64(len(KINDS)) + found.kinds)
        for code, count in enumerate(codes.tolist()):
            if count:
                number, kind = divmod(code, len(KINDS))
                self.kinds[kind_of_failure(kind, found.fields[number])] += count
        if batch.unreadable:
            self.kinds[MALFORMED] += len(batch.unreadable)
        for reason, rows in found.unchecked.items():
            self.unchecked[reason] += len(rows)
        for game, rows in found.games.items():
            self.games[game] += len(rows)
            self.failed_games[game] += int(np.isin(failed_rows, rows).sum())
        for name, count in zip(found.fields, found.committed, strict=False):
            self.committed[name] += count
        self.notations += found.notations
        self.assumed += found.assumed
        if columns.joined is not None:
            self.unknown_seeds += columns.joined.unknown
            self.differing_seeds += columns.joined.differing

    def add_times(self, columns: Columns) -> None:
        """Count outcomes with an x, such as 2.5x, which are read as plain numbers."""
        texts = joined_texts(columns.logged) or b""
        if times := sum(map(texts.count, _TIMES)):
            rows = columns.batch.rows if isinstance(columns.logged, Constant) else 1
            self.notations["times"] += times * rows

    def merge(self, later: RowCounts) -> None:
        """Append the counts of later rows."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(later, one.name))


@dataclass
class KeptRows:
    """Kept failures, and cells of some rows."""

    failures: list[Failure] = field(default_factory=list)
    failed: dict[int, dict[str, Any]] = field(default_factory=dict, compare=False)
    """The cells of the first rows that failed, by position."""
    mask: list[tuple[np.ndarray, int]] | None = field(default=None, compare=False)
    """A bit mask of failed rows, for logs in memory."""

    def add(
        self, columns: Columns, found: Found, failed_rows: np.ndarray, files: ReadFiles, file: Failures | None
    ) -> None:
        """Keep failures of a batch; write all of them to a file, if there is one."""
        batch = columns.batch
        if self.mask is not None:
            bits = np.zeros(batch.rows + len(batch.unreadable), bool)
            bits[failed_rows] = True
            self.mask.append((np.packbits(bits), len(bits)))
        if not len(failed_rows) and not batch.unreadable:
            return
        room = None if file is not None else KEPT_FAILURES - len(self.failures)
        if room is None or room > 0:
            new = _failures(columns, found, files, room)
            self.failures += new[: KEPT_FAILURES - len(self.failures)]
            if file is not None:
                file(new)
        for row in failed_rows[: _KEPT_ROWS - len(self.failed)].tolist():
            cells = {name: cell(column, row) for name, column in columns.cells.items()}
            self.failed[batch.place(row) + files.offset] = cells

    def add_repeats(self, repeats: list[Failure]) -> None:
        """Keep rows that fail because they repeat an earlier round."""
        failures = sorted(self.failures + repeats, key=lambda failure: failure.row)
        self.failures = failures[:KEPT_FAILURES]

    def merge(self, later: KeptRows, rows_before: int) -> None:
        """Append the failures and cells kept of later rows."""
        self.failures += [
            # Rows are counted per file; in memory they are counted through the whole log.
            replace(f, row=f.row + rows_before, file_row=f.file_row + (rows_before if f.file is None else 0))
            for f in later.failures[: KEPT_FAILURES - len(self.failures)]
        ]
        for row, values in later.failed.items():
            if len(self.failed) < _KEPT_ROWS:
                self.failed[row + rows_before] = values
        self.mask = None


@dataclass
class ReadColumns:
    """The columns that were read, and notes on them."""

    # The column of each field, in the last batch that has one
    called: dict[str, str | None] = field(default_factory=dict)
    # The column, and the number that is added to it, of fields that were given so
    added: dict[str, tuple[str, int]] = field(default_factory=dict)
    unread: dict[str, None] = field(default_factory=dict)  # columns of the log that no field is read from
    keys: dict[str, None] = field(default_factory=dict)  # columns that name seeds in a table of their own
    notes: dict[str, None] = field(default_factory=dict)  # notes for the report

    def add(self, columns: Columns) -> None:
        """Record the columns of a batch."""
        called, batch = columns.called, columns.batch
        self.called = self.called | {name: column for name, column in called.items() if column}
        if columns.joined is not None:
            self.keys[columns.joined.key] = None
        self.added |= columns.added
        read = {*called.values(), *self.keys, *(column for column, _ in self.added.values())}
        self.unread |= dict.fromkeys(name for name in batch.names if name not in read)

    def merge(self, later: ReadColumns) -> None:
        """Append the columns of later rows."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) | getattr(later, one.name))


@dataclass
class ReadFiles:
    """The files that were read, and how far each was."""

    files: list[Evidence] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # the position in the log at which each begins
    passed_over: dict[str, str] = field(default_factory=dict)  # files that aren't read, and why
    error: LogError | None = field(default=None, compare=False)  # the first thing that couldn't be read

    def begin(self, evidence: Evidence | None, rows_before: int) -> None:
        """Begin a file, or a log in memory."""
        if evidence is not None:
            self.files.append(evidence)
            self.starts.append(rows_before)

    @property
    def offset(self) -> int:
        """The position in the log at which the current file begins."""
        return self.starts[-1] if self.starts else 0

    @property
    def where(self) -> str:
        """The subject of errors: the current file, or the log."""
        return plain(self.files[-1].file, None) if self.files else "log"

    @contextmanager
    def naming_source(self) -> Iterator[None]:
        """Add the current file's name to errors of the log."""
        try:
            yield
        except LogError as error:
            raise placed(error, f"{self.where}: ") from None

    def file_of(self, row: int) -> tuple[str | None, int]:
        """Return the file of a row, and the row's position in it."""
        place = int(np.searchsorted(self.starts, row, side="right")) - 1
        return (self.files[place].file, row - self.starts[place]) if place >= 0 else (None, row)

    def add(self, columns: Columns, failed: int) -> None:
        """Count the rows of a batch in the current file."""
        if self.files:
            evidence, batch = self.files[-1], columns.batch
            evidence.rows += batch.rows + len(batch.unreadable)
            evidence.failed += failed
            evidence.columns = columns.called

    def break_off(self, error: LogError) -> None:
        """Record that the rest of a file, or of a log, can't be read."""
        if self.files:
            file = self.files[-1]
            file.sha256 = None
            if file.error is None:
                file.error = str(error)
            else:  # truncated text may lack columns that its rest has
                error = LogError(file.error)
        self.error = self.error or error

    def merge(self, later: ReadFiles, rows_before: int) -> None:
        """Append the files that follow."""
        self.files += later.files
        self.starts += [start + rows_before for start in later.starts]
        self.error = self.error or later.error


@dataclass
class Counts:
    """The counts of a log so far, for the report; those of later rows can be merged."""

    tally: RowCounts = field(default_factory=RowCounts)
    kept: KeptRows = field(default_factory=KeptRows)
    columns: ReadColumns = field(default_factory=ReadColumns)
    files: ReadFiles = field(default_factory=ReadFiles)
    chains: dict[str, chains.Seen] | None = None  # the counts of each chain; None if games aren't on one
    spread: Spread = field(default_factory=Spread, compare=False)

    def add(self, columns: Columns, found: Found, numbered: bool, file: Failures | None) -> None:
        """Count the findings of a batch; `numbered` says that outcomes are single numbers."""
        failed_rows = found.rows[np.diff(found.rows, prepend=-1) > 0]
        self.columns.add(columns)
        self.chains = chains.merged(self.chains, None if found.chained is None else found.chained.chains)
        self.kept.add(columns, found, failed_rows, self.files, file)
        self.spread.add(columns, failed_rows, self.files.offset)
        self.tally.add(columns, found, failed_rows)
        if numbered:
            self.tally.add_times(columns)
        self.files.add(columns, len(failed_rows) + len(columns.batch.unreadable))

    def merge(self, later: Counts) -> None:
        """Append the counts of later rows."""
        before = self.tally.rows
        self.chains = chains.merged(self.chains, later.chains, before)
        self.kept.merge(later.kept, before)
        self.spread.merge(later.spread, before)
        self.tally.merge(later.tally)
        self.columns.merge(later.columns)
        self.files.merge(later.files, before)

    def copied(self) -> Counts:
        """Return a copy of the counts, which later rows don't change."""
        parts = (_copied(self.tally), _copied(self.kept), _copied(self.columns), _copied(self.files))
        return Counts(*parts, chains=copy(self.chains), spread=_copied(self.spread))


def kind_of_failure(kind: int, field: str) -> str:
    """Return the name of a kind of finding in reports: for commitments, the field."""
    return field if KINDS[kind] == COMMITMENT else KINDS[kind]


def _copied(part: P) -> P:
    """Return a part of counts with containers of its own."""
    return replace(part, **{one.name: copy(getattr(part, one.name)) for one in fields(part)})


def _failures(columns: Columns, found: Found, files: ReadFiles, most: int | None) -> list[Failure]:
    """Return the first failures of a batch, by row."""
    file, offset = (files.files[-1].file, files.offset) if files.files else (None, 0)
    batch, written, failures = columns.batch, columns.written, []
    findings = zip(found.rows[:most], found.numbers[:most], found.kinds[:most], strict=True)
    for i, (row, number, kind) in enumerate(findings):
        name = found.fields[number]
        value = to_json_value(cell(written[name], int(row))) if name in written else None
        place = batch.place(int(row))
        column = columns.called.get(name) or name
        kind_name = kind_of_failure(kind, name)
        kept = {title: kept_cell(cells, int(row)) for title, cells in columns.kept.items()}
        failures.append(
            Failure(place + offset, kind_name, found.expected(i), value, column, file, place, kept)
        )
    for place, line in list(batch.unreadable.items())[:most]:
        failures.append(Failure(place + offset, MALFORMED, None, to_json_value(line), "", file, place))
    failures.sort(key=lambda failure: failure.row)
    return failures[:most]
