"""Verification of a log: from batches to columns, rows, findings and counts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from provably_fair._core.printable import plain
from provably_fair._core.progress import Progress, Report, progress_bar
from provably_fair._engine import Replays
from provably_fair.sources import LogError, Piece, Source, open_log

from .columns import MAX_MESSAGE, Columns, columns_of
from .counts import Counts, KeptRows, ReadFiles
from .failures import Failures
from .plan import Plan
from .rows import Formats, SaltCommitments, arguments_of, found_in
from .systems import FIELD, Found, Rows


class Checked(NamedTuple):
    """A batch, read and checked."""

    columns: Columns
    rows: Rows
    found: Found


class Verified:
    """The verified part of a log: counts of findings, and rounds for the search for repeats."""

    def __init__(self, plan: Plan, source: Source | None = None) -> None:
        self.plan = plan
        self.source = source  # the source of the log; None after it was merged or pickled
        passed_over = {} if source is None else source.passed_over
        mask = KeptRows(mask=[] if source is not None and source.masked else None)
        self.counts: Counts = Counts(kept=mask, files=ReadFiles(passed_over=passed_over))
        self.replays: Replays = Replays()
        self.salts: SaltCommitments = SaltCommitments()
        self.formats: Formats = Formats(plan)  # the formats of the current file's cells
        self.started: datetime = datetime.now(UTC)
        self.clock: float = time.perf_counter()
        # Whether a bar shows how far it is, and how far the search for what explains its failures
        self.progress: bool = False

    @classmethod
    def of(cls, plan: Plan, log: object) -> Verified:
        """Open a log for the columns of its plan, before verification."""
        return cls(plan, open_log(log, plan.wanted_columns))

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"source": None}

    @property
    def again(self) -> bool:
        """Whether the log can be read a second time."""
        return self.source is not None and self.source.again

    def pieces(
        self, progress: Progress = False, failures: Failures | None = None, every: bool = False
    ) -> Iterator[CheckedPiece]:
        """Yield the files, each to be checked before the next; with `every`, findings include right rows."""
        assert self.source is not None
        with (
            progress_bar(self.source.rows or 0, progress) as report,
            closing(self.source.pieces()) as pieces,
        ):
            for piece in pieces:
                self.counts.files.begin(piece.evidence, self.counts.tally.rows)
                self.formats = Formats(self.plan, self.formats)
                yield CheckedPiece(self, piece, report, failures, every)

    def walk(self, progress: Progress = False, failures: Failures | None = None) -> Verified:
        """Verify all rows."""
        self.progress = progress is True
        for piece in self.pieces(progress, failures):
            with piece:
                for _ in piece.batches():
                    pass
        return self

    def merge(self, later: Verified) -> None:
        """Append later rows."""
        self.source = None
        with self.counts.files.naming_source():
            if self.counts.files.files or later.counts.files.files:  # files have formats of their own
                self.formats.numbers.see(later.formats.numbers.currencies)
            else:
                self.formats.merge(later.formats)
        self.replays.append(later.replays, self.counts.tally.rows)
        self.counts.merge(later.counts)
        self.salts.merge(later.salts)

    def first_repeats(self, most: int) -> list[tuple[int, int]]:
        """Return the first repeats in rising order: the earlier row, and the row."""
        return self.replays.find(most, False, self.plan.threads)[2]


@dataclass
class CheckedPiece(AbstractContextManager["CheckedPiece", bool]):
    """A file of a log, or the whole, with verified batches; as a context it ends at errors of the log.

    Findings of a batch are counted when the next one is requested.
    """

    _log: Verified
    _piece: Piece
    _report: Report | None
    _failures: Failures | None
    _every: bool

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        if isinstance(error, LogError):
            self._log.counts.files.break_off(error)
        return isinstance(error, LogError)

    def batches(self) -> Iterator[Checked]:
        """Yield the batches, verified."""
        log = self._log
        field = log.plan.fields.get(FIELD)
        numbered = field is not None and field.number
        for batch in self._piece.batches():
            files = log.counts.files
            with files.naming_source():
                columns = columns_of(log.plan, batch, MAX_MESSAGE - len(files.where) - 2)
                columns = columns.with_numbers(log.plan, log.formats.numbers)
            if log.formats.numbers.note is not None:
                log.counts.columns.notes[f"{files.where}: {plain(log.formats.numbers.note)}"] = None
            rows = Rows(
                arguments_of(log.plan, columns),
                batch.rows,
                batch.places + files.offset,
                log.salts.see(columns.cells, batch.rows),
                log.formats.notations,
                self._every,
                log.plan.threads,
                log.plan.chain_steps,
                log.plan.ordered,
                None if self._report is None else self._show,
                columns.rewritten,
                log.plan.csv.decimal,
            )
            found = found_in(log.plan, columns, rows, files.where)
            yield Checked(columns, rows, found)
            for verdicts in found.verdicts:
                log.replays.keep(verdicts)
            log.counts.add(columns, found, numbered, self._failures)
            self._show()

    def _show(self, *_: object) -> None:
        if self._report is not None:
            self._report(self._log.counts.tally.rows)
