"""Checking logs: every row recomputed, every difference reported."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np

from provably_fair._core.arguments import threads_of
from provably_fair._core.progress import Progress, ProgressBar
from provably_fair._engine import Replays

from .failures import Failures, failure_file
from .foreign import Constant, cell, is_empty, typed
from .report import Failure, Run, VerificationReport, plain, to_json_value, versions
from .sources import Batch, Evidence, LogError, Source, open_log
from .systems import COMMITMENT, KINDS, SALT_COMMITMENT, Field, Found, Rows, System, system_of

__all__ = ["verify"]

KEPT_FAILURES = 10_000
"""The most failures that a report keeps one by one; it counts them all."""

MALFORMED, REPEATED = "malformed", "repeated"

_BYTES_SHOWN = re.compile(r"b(['\"]).*\1", re.DOTALL)

_KEPT_ROWS = 100
_KEPT_REPEATS = 1000


def verify(
    log: object,
    subject: object,
    columns: Mapping[str, str] | None = None,
    progress: Progress = False,
    *,
    constants: Mapping[str, object] | None = None,
    repeats: Literal["report", "fail"] = "report",
    failures: object = None,
    threads: int | None = None,
) -> VerificationReport:
    """Recompute every row of a log, and report what differs.

    Parameters
    ----------
    log : path, list of paths, mapping, frame or Arrow data
        A file or a folder (CSV, Parquet, JSON lines, Arrow IPC; CSV and JSON lines also as .gz, .zst or
        .bz2), read batch by batch in memory that doesn't grow with it, and never written to; or a
        mapping of columns (single values stand for every row), a list of rows as mappings, a pandas or
        Polars frame, an Arrow table, dataset or scanner, or anything with ``__arrow_c_stream__``.
    subject : Game, VideoPoker, Blackjack, HashedDice, Combined or str
        What the log is of: a salted-round game with its parameters; of `crypto_games` a `VideoPoker` or
        `Blackjack` with its paytable or rules; of `fpclub` the class `HashedDice` or `Combined`, where
        each row has dice of its own, or one sequence of them, whose roll i row i of the log has. Or text
        that names one of these, as the command takes it: "dice", "mines:mines=5", "stake.dice",
        "video-poker".
    columns : mapping of str to str, optional
        The log's column for each field whose column isn't called like the field. The fields depend on
        the subject; Notes lists them.
    progress : bool or callable
        Whether to show a progress bar (by tqdm), or a function of the rows done and the rows in all
        (0 where that isn't known beforehand).
    constants : mapping of str to text or int, optional
        Fields that are the same for all rows and have no column.
    repeats : {"report", "fail"}
        What a row means whose round is that of an earlier row: it is reported, or it fails.
    failures : path, optional
        A file to write all failures to, a row for each: .parquet, .csv or .jsonl. The report itself keeps
        the first 10,000.
    threads : int, optional
        The most threads to use; as many as the machine has by default.

    Returns
    -------
    VerificationReport
        The verdict, the failures, and what they rest on.

    Raises
    ------
    LogError
        (a ValueError) If the log can't be read or lacks a column. Rows that can't be read don't raise:
        they are failures. Of several files, one that can't be read to its end is named in the report,
        whose verdict is then that not all was read; a log of one file raises, and ``error.report`` has
        the verdict on what was read.
    TypeError, ValueError
        If an argument isn't what it should be.

    Notes
    -----
    What the subject is, which fields its log has, and what ``outcome`` may be:

    a salted-round game
        ``server_seed``, ``client_seed`` (both not needed for multi-player games), ``salt``, ``outcome``;
        where the log has them, the game's own parameters (``mines``, ``spins``, ``pins``, ``balls``,
        ``tickets``), which go before the subject's, and ``commitment`` and ``salt_commitment``: SHA-256
        of the server seed and of the salt. (Where a log has no ``salt_commitment`` and the first of its
        commitments is a salt's, ``commitment`` is read as that of the salts, as sessions logged it once.)
        Outcomes may be numbers, text ("2.02"), and where an outcome has several values lists or JSON
        lists ("[11, 8, 18]"), nested or flat. Numbers are compared as exact values, not their spelling:
        2.020 is 2.02.
    any other game: an operator's, one of one's own, one under another scheme
        The fields of its scheme, ``outcome``, and where the log has them the game's whole-number parameters
        and ``commitment``, as the scheme defines it. Of a game on a chain also ``terminating``, the hash
        before the first game's: it is announced beforehand, and each game's hash must lead to it.
    `VideoPoker`
        ``server_seed``, ``client_seed``, ``outcome``; where the log has them, ``nonce``, ``hold`` (five
        booleans or positions from 1, as a list or JSON; the best hold where it is empty or missing) and
        ``commitment``. The outcome is the ten cards dealt, the final hand of five, or what it pays; a pay
        may be a fraction, also as text ("6/5").
    `Blackjack`
        The same with ``actions`` instead of ``hold``: a list, a JSON list, or words with commas or spaces
        between them. The outcome is the first cards of the shoe, as many as are logged, or the net win in
        bets that the actions lead to, a number or a fraction.
    the class `HashedDice`
        ``digits``, and as the outcome the published hash, MD5 or SHA-256 by its length. The field is
        called ``hash`` or ``outcome``, in the log and in ``columns``; ``hash`` is looked for first.
    the class `Combined`
        ``first`` and ``second``, the players' faces, and ``outcome``, the throws they make. All dice,
        those of ``digits`` too, may be text, whole numbers or lists of faces.
    a `HashedDice` or a `Combined`
        ``outcome`` alone: the two faces of each roll, in order.

    Cards are numbers, or names such as "10♣": in lists, in JSON lists, or as text with spaces between
    them. Names of blackjack's cards don't tell the decks of the shoe apart, so only rank and suit are
    compared then.

    Two rows have the same round where the same bytes are hashed, however the log spells them.

    Examples
    --------
    >>> import provably_fair as pf
    >>> log = {
    ...     "server_seed": "server",
    ...     "client_seed": "client",
    ...     "salt": ["salt 1", "salt 2", "salt 3"],
    ...     "outcome": [0.05, 24.44, 77.77],
    ... }
    >>> report = pf.verify(log, pf.Dice())
    >>> report.ok, report.checked, report.failed
    (False, 3, 1)
    >>> print(report.failures[0])
    row 2: mismatch in column 'outcome': found 77.77, expected 29.59

    Throws of combined dice, of which the second row's are wrong:

    >>> throws = {"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "55"]}
    >>> print(pf.verify(throws, pf.fpclub.Combined).failures[0])
    row 1: mismatch in column 'outcome': found 55, expected 13
    """
    check = Check(system_of(subject), columns or {}, constants or {}, threads_of(threads), repeats)
    return check.run(log, progress, failures)


class Check:
    """How a log is checked."""

    def __init__(
        self,
        system: System,
        columns: Mapping[str, str],
        constants: Mapping[str, object],
        threads: int | None,
        repeats: str = "report",
    ) -> None:
        if repeats not in ("report", "fail"):
            raise ValueError(f'repeats must be "report" or "fail", got {repeats!r}')
        self.system = system
        self.threads = threads
        self.repeats_fail = repeats == "fail"
        self.fields = {field.name: field for field in system.fields}
        self.given = self._by_field("columns", columns)
        for name, column in self.given.items():
            if not isinstance(column, str):
                raise TypeError(f"columns[{name!r}] must be a column's name, got {type(column).__name__}")
        self.constants = {}
        for name, value in self._by_field("constants", constants).items():
            try:
                self.constants[name] = system.constant(name, value)
            except (TypeError, ValueError) as error:
                raise LogError(f"log: column {name!r}: {error}") from None
        taken = set(self.given.values())
        self.candidates: dict[str, list[str]] = {}
        """The columns that may be a field's: the first of them that a log has is."""
        for name, field in self.fields.items():
            if name in self.given:
                self.candidates[name] = [self.given[name]]
            elif name not in self.constants:
                # A column that is named for one field isn't taken for the field it happens to be called like.
                self.candidates[name] = [called for called in field.names if called not in taken]
        self.source: Source | None = None

    def _by_field(self, argument: str, mapping: Mapping[str, object]) -> dict[str, Any]:
        """Return an argument with the fields' own names, checked."""
        if not isinstance(mapping, Mapping):
            raise TypeError(f"{argument} must be a mapping of fields, got {type(mapping).__name__}")
        known = {name: field for field in self.fields.values() for name in field.names}
        found: dict[str, Any] = {}
        for name, value in mapping.items():
            field = known.get(name)
            if field is None:
                raise ValueError(f"{argument} may name the fields {', '.join(known)}, got {name!r}")
            if field.name in found:
                both = " and ".join(map(repr, field.names))
                raise ValueError(f"{argument} must name a field once: {both} are the same one")
            found[field.name] = value
        return found

    @property
    def wanted_columns(self) -> set[str]:
        """The columns that a log may have."""
        return {name for names in self.candidates.values() for name in names}

    def columns(self, batch: Batch | None = None) -> dict[str, str | None]:
        """Return each field's column in a batch; None where there is none."""
        there = {} if batch is None else batch.columns
        return {
            field: next((name for name in names if name in there), None)
            for field, names in self.candidates.items()
        }

    def without_log(self) -> Check:
        """Return the same check without the log."""
        copy = object.__new__(Check)
        copy.__dict__ = self.__dict__ | {"source": None}
        return copy

    def run(self, log: object, progress: Progress = False, failures: object = None) -> VerificationReport:
        """Check a log, and report."""
        if failures is None:
            return self.totals(log, progress).conclude(self)
        with failure_file(failures, log) as file:
            return self.totals(log, progress, file).conclude(self, file)

    def totals(self, log: object, progress: Progress = False, failures: Failures | None = None) -> Totals:
        """Check all rows of a log."""
        self.source = source = open_log(log, self.wanted_columns)
        totals = Totals(source.rows is not None)
        totals.passed_over = source.passed_over
        with ProgressBar(source.rows or 0, progress) as report, closing(source.pieces()) as pieces:
            for piece in pieces:
                totals.begin(piece.evidence)
                try:
                    for batch in piece.batches():
                        self._batch(batch, totals, failures)
                        if report is not None:
                            report(totals.checked)
                except LogError as error:
                    totals.break_off(error)
        return totals

    def row(self, row: int) -> dict[str, Any]:
        """Read one row again."""
        if self.source is None or not self.source.again:
            raise ValueError(f"row {row} wasn't kept, and the log can't be read again")
        done = 0
        with closing(self.source.pieces()) as pieces:
            for piece in pieces:
                for batch in self._readable(piece.batches()):
                    count = batch.rows + len(batch.unreadable)
                    if row < done + count:
                        places = [batch.place(i) for i in range(batch.rows)]
                        place = min([*places[:1], *batch.unreadable]) + row - done
                        if place in batch.unreadable:
                            raise ValueError(f"row {row} can't be explained: its line can't be read")
                        return self._values(self._columns(batch), places.index(place))
                    done += count
        raise ValueError(f"row {row} can't be read again")

    @staticmethod
    def _readable(batches: Iterator[Batch]) -> Iterator[Batch]:
        """Give batches as long as they can be read."""
        try:
            yield from batches
        except LogError:
            return

    def _columns(self, batch: Batch) -> dict[str, Any]:
        """Return the column of each field that there is one of."""
        columns: dict[str, Any] = {}
        for name, field in self.fields.items():
            if name in self.constants:
                columns[name] = Constant(self.constants[name])
                continue
            candidates = self.candidates[name]
            column = next((column for column in candidates if column in batch.columns), None)
            if column is not None:
                columns[name] = batch.columns[column]
            elif field.needed or name in self.given:
                usual = field.names[0]
                hint = (
                    "" if name in self.given else f"; columns={{{usual!r}: ...}} says how it is called there"
                )
                raise LogError(f"no column {' or '.join(map(repr, candidates or [usual]))}{hint}")
            elif field.default is not None:
                columns[name] = Constant(field.default)
        return columns

    def _batch(self, batch: Batch, totals: Totals, failures: Failures | None) -> None:
        columns, found = self.verify(batch, totals)
        totals.add(self, batch, columns, found, failures)

    def verify(self, batch: Batch, totals: Totals, every: bool = False) -> tuple[dict[str, Any], Found]:
        """Return the columns of a batch by field, and what is found in it; of right rows too if asked for."""
        try:
            columns = self._columns(batch)
        except LogError as error:
            raise LogError(f"{totals.where}: {error}") from None
        rows = Rows(
            {name: _argument(self.fields[name], column, batch.rows) for name, column in columns.items()},
            batch.rows,
            batch.places + totals.offset,
            totals.replays,
            totals.is_of_salts(columns, batch.rows),
            every,
            self.threads,
        )
        try:
            return columns, self.system.verify(rows)
        except (TypeError, ValueError) as error:
            name = str(error).partition(" ")[0]
            called = self.columns(batch).get(name) or name
            where = f"{totals.where}: column {called!r}" if name in self.fields else totals.where
            raise LogError(f"{where}: {error}") from None

    def _values(self, columns: Mapping[str, object], row: int) -> dict[str, Any]:
        """Return a row's cells by field."""
        return {name: cell(column, row) for name, column in columns.items()}


def _argument(field: Field, column: object, rows: int) -> object:
    """Return a column as the engine takes it: one text may stand for all rows."""
    if not isinstance(column, Constant):
        if not rows:
            return []  # whatever type its library gives to nothing
        # A list of numbers is refused where text is needed, as an array of them is.
        return typed(column) if field.text else column
    value = column.value
    return value if field.text or isinstance(value, (str, bytes)) else [value] * rows


class Totals:
    """What has come up so far."""

    def __init__(self, in_memory: bool) -> None:
        self.checked = 0
        self.failed = 0
        self.counts: Counter[str] = Counter()
        self.failures: list[Failure] = []
        self.rows: dict[int, dict[str, Any]] = {}
        self.columns: dict[str, str | None] = {}
        """The column of each field, in the last batch that has one."""
        self.unread: dict[str, None] = {}
        """Columns of the log that no field is read from."""
        self.committed: Counter[str] = Counter()
        self.assumed = 0
        self.replays = Replays()
        self.files: list[Evidence] = []
        self.passed_over: dict[str, str] = {}
        self.starts: list[int] = []
        """Where each file begins."""
        self.error: LogError | None = None
        """The first thing that couldn't be read."""
        self.mask: list[tuple[np.ndarray, int]] | None = [] if in_memory else None
        """Which rows failed, in bits; of logs in memory."""
        self._of_salts: bool | None = None
        self._started = datetime.now(UTC)
        self._clock = time.perf_counter()

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"replays": self.replays.to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state | {"replays": Replays.from_bytes(state["replays"])}

    # ---- files ----

    def begin(self, evidence: Evidence | None) -> None:
        """Begin with a file, or with a log in memory."""
        if evidence is not None:
            self.files.append(evidence)
            self.starts.append(self.checked)

    @property
    def offset(self) -> int:
        """Where the file that is read begins in the log."""
        return self.starts[-1] if self.starts else 0

    @property
    def where(self) -> str:
        """What errors are about."""
        return plain(self.files[-1].file) if self.files else "log"

    def break_off(self, error: LogError) -> None:
        """Note that the rest of a file, or of a log, can't be read."""
        if self.files:
            file = self.files[-1]
            file.sha256 = None
            if file.error is None:
                file.error = str(error)
            else:  # where text breaks off, columns may be missing that the rest has
                error = LogError(file.error)
        self.error = self.error or error

    def is_of_salts(self, columns: Mapping[str, object], rows: int) -> bool:
        """Tell whether `commitment` is of the salts: the first one that is of either seed says it."""
        if COMMITMENT not in columns or SALT_COMMITMENT in columns or "salt" not in columns:
            return False
        for row in range(rows if self._of_salts is None else 0):
            published, server, salt = (
                cell(columns[name], row) for name in (COMMITMENT, "server_seed", "salt")
            )
            if is_empty(published):
                continue
            of_server, of_salt = _is_commitment(published, server), _is_commitment(published, salt)
            if of_server or of_salt:
                self._of_salts = not of_server
                break
        return bool(self._of_salts)

    # ---- rows ----

    def add(
        self,
        check: Check,
        batch: Batch,
        columns: Mapping[str, object],
        found: Found,
        failures: Failures | None,
    ) -> None:
        """Count a batch's rows and failures, in the order of the rows."""
        called = check.columns(batch)
        self.columns = self.columns | {name: column for name, column in called.items() if column}
        self.unread |= dict.fromkeys(name for name in batch.names if name not in called.values())
        for name, count in zip(found.fields, found.committed, strict=False):
            self.committed[name] += count
        self.assumed += found.assumed
        offset, start = self.offset, self.checked
        numbers, kinds, places = found.numbers, found.kinds, found.rows
        failed_rows = places[np.diff(places, prepend=-1) > 0]
        for code, count in enumerate(np.bincount(numbers * np.int64(len(KINDS)) + kinds).tolist()):
            if count:
                number, kind = divmod(code, len(KINDS))
                self.counts[_kind(kind, found.fields[number])] += count
        failed = len(failed_rows) + len(batch.unreadable)
        if batch.unreadable:
            self.counts[MALFORMED] += len(batch.unreadable)
        if failed:
            room = None if failures is not None else KEPT_FAILURES - len(self.failures)
            if room is None or room > 0:
                new = self._failures(batch, columns, called, found, room)
                self.failures += new[: KEPT_FAILURES - len(self.failures)]
                if failures is not None:
                    failures.write(new)
            for row in failed_rows[: _KEPT_ROWS - len(self.rows)].tolist():
                values = {name: cell(column, row) for name, column in columns.items()}
                self.rows[batch.place(row) + offset] = values
        self.checked += batch.rows + len(batch.unreadable)
        self.failed += failed
        if self.mask is not None:
            bits = np.zeros(self.checked - start, bool)
            bits[failed_rows] = True
            self.mask.append((np.packbits(bits), len(bits)))
        if self.files:
            evidence = self.files[-1]
            evidence.rows += batch.rows + len(batch.unreadable)
            evidence.failed += failed
            evidence.columns = called

    def _failures(
        self,
        batch: Batch,
        columns: Mapping[str, object],
        called: Mapping[str, str | None],
        found: Found,
        most: int | None,
    ) -> list[Failure]:
        """Return the first failures of a batch, by row."""
        file, offset = (self.files[-1].file, self.offset) if self.files else (None, 0)
        made = []
        fields = found.fields
        for i, (row, number, kind) in enumerate(
            zip(
                found.rows[:most].tolist(),
                found.numbers[:most].tolist(),
                found.kinds[:most].tolist(),
                strict=True,
            )
        ):
            name = fields[number]
            value = to_json_value(cell(columns[name], row)) if name in columns else None
            place = batch.place(row)
            made.append(
                Failure(
                    place + offset,
                    _kind(kind, name),
                    found.expected(i),
                    value,
                    called.get(name) or name,
                    file,
                    place,
                )
            )
        for place, line in list(batch.unreadable.items())[:most]:
            made.append(Failure(place + offset, MALFORMED, None, to_json_value(line), "", file, place))
        made.sort(key=lambda failure: failure.row)
        return made[:most]

    def merge(self, other: Totals) -> None:
        """Append the totals of the rows that follow."""
        offset = self.checked
        self.failures += [
            # Only a file has rows of its own: in memory they count through the whole log.
            replace(f, row=f.row + offset, file_row=f.file_row + (offset if f.file is None else 0))
            for f in other.failures[: KEPT_FAILURES - len(self.failures)]
        ]
        for row, values in other.rows.items():
            if len(self.rows) < _KEPT_ROWS:
                self.rows[row + offset] = values
        self.replays.append(other.replays, offset)
        self.checked += other.checked
        self.failed += other.failed
        self.counts += other.counts
        self.columns |= other.columns
        self.unread |= other.unread
        self.committed += other.committed
        self.assumed += other.assumed
        self.files += other.files
        self.starts += [start + offset for start in other.starts]
        self.error = self.error or other.error
        self.mask = None
        if None not in (self._of_salts, other._of_salts) and self._of_salts != other._of_salts:
            raise LogError("log: some of its commitments are of server seeds, others of salts")
        self._of_salts = other._of_salts if self._of_salts is None else self._of_salts

    # ---- the verdict ----

    def conclude(self, check: Check, failures: Failures | None = None) -> VerificationReport:
        """Return the verdict; raise where the log, or its one file, couldn't be read to its end."""
        report = self._report(check)
        self._repeats(check, report, failures)
        if self.error is not None and (len(self.files) < 2 or not self.checked):
            self.error.report = report if self.checked else None
            raise self.error
        return report

    def _report(self, check: Check) -> VerificationReport:
        parameters = check.system.parameters()
        parameters["columns"] = {name: self.columns.get(name) for name in check.candidates}
        if check.constants:
            parameters["constants"] = {name: to_json_value(value) for name, value in check.constants.items()}
        notes = check.system.notes(self.checked, self.assumed)
        notes += [
            f"{name} has cells such as {to_json_value(value)}, which is how Python shows bytes: "
            "seeds must be written to files as text, salts.astype(str) or seed.decode()"
            for name, value in self._shown_bytes().items()
        ]
        if self._of_salts:
            notes.append("commitment is read as that of the salts, as logs of sessions had it once")
        return VerificationReport(
            check.system.name,
            parameters,
            checked=self.checked,
            failed=self.failed,
            counts={kind: self.counts[kind] for kind in sorted(self.counts)},
            failures=self.failures,
            committed={name: self.committed[name] for name in _commitments(check.fields)},
            unread=list(self.unread),
            notes=notes,
            files=self.files,
            passed_over=self.passed_over,
            run=Run(
                self._started.isoformat(timespec="seconds"), time.perf_counter() - self._clock, versions()
            ),
            error=None if self.error is None or self.files else str(self.error),
            _check=check,
            _rows=self.rows,
            _mask=self.mask,
        )

    def _shown_bytes(self) -> dict[str, Any]:
        """Return the first cell of each field that is text such as b'...', of rows that failed."""
        cells = ((name, value) for row in self.rows.values() for name, value in row.items())
        found: dict[str, Any] = {}
        for name, value in cells:
            text = value.decode(errors="replace") if isinstance(value, bytes) else value
            if isinstance(text, str) and _BYTES_SHOWN.fullmatch(text):
                found.setdefault(name, text)
        return found

    def _repeats(self, check: Check, report: VerificationReport, failures: Failures | None) -> None:
        every = check.repeats_fail and (failures is not None or self.mask is not None)
        most = KEPT_FAILURES if check.repeats_fail else _KEPT_REPEATS
        repeated, right, first, pairs = self.replays.find(most, every)
        report.compared_for_repeats = self.replays.compared
        report.repeated, report.repeats = repeated, first[:_KEPT_REPEATS]
        if not check.repeats_fail or not repeated:
            return
        report.counts = dict(sorted((report.counts | {REPEATED: repeated}).items()))
        report.failed += right
        report.failures = sorted(
            report.failures + [self._repeat(*pair) for pair in first], key=lambda failure: failure.row
        )[:KEPT_FAILURES]
        if failures is not None:
            failures.write([self._repeat(*pair) for pair in sorted(pairs, key=lambda pair: pair[1])])
        if self.mask is not None:
            report.repeated_rows = np.array([row for _, row in pairs], dtype=np.int64)

    def _repeat(self, earlier: int, row: int) -> Failure:
        place = int(np.searchsorted(self.starts, row, side="right")) - 1
        file, start = (self.files[place].file, self.starts[place]) if place >= 0 else (None, 0)
        return Failure(row, REPEATED, None, f"the round of row {earlier}", "", file, row - start)


def _kind(kind: int, field: str) -> str:
    return field if KINDS[kind] == COMMITMENT else KINDS[kind]


def _commitments(fields: Mapping[str, Field]) -> list[str]:
    return [name for name in (COMMITMENT, SALT_COMMITMENT) if name in fields]


def _is_commitment(published: Any, seed: Any) -> bool:
    """Tell whether one text is the SHA-256 of another, whatever cells these are."""
    try:
        published, seed = (text if isinstance(text, bytes) else text.encode() for text in (published, seed))
    except (AttributeError, UnicodeEncodeError):
        return False
    return hmac.compare_digest(hashlib.sha256(seed).hexdigest().encode(), published.strip().lower())
