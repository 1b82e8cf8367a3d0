"""Checking logs: every row recomputed, every difference reported."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from provably_fair._core.arguments import threads_of
from provably_fair._core.progress import Progress, ProgressBar
from provably_fair.seeds.commitments import check_commitment

from .columns import (
    MALFORMED,
    MISSING,
    Bad,
    Constant,
    Text,
    WrongTypeError,
    cell,
    cells,
    fingerprints,
    integers,
    kept,
    take,
    text,
)
from .report import COMPARED_FOR_REPEATS, Failure, VerificationReport, plain
from .sources import Batch, LogError, Source, open_log
from .systems import COMMITMENTS, FIELD, System, system_of

__all__ = ["verify"]

KEPT_FAILURES = 10_000
"""The most failures that a report keeps one by one; it counts them all."""

_KEPT_ROWS = 100
_KEPT_REPEATS = 1000


def verify(
    log: Any,
    subject: Any,
    columns: Mapping[str, str] | None = None,
    progress: Progress = False,
    *,
    constants: Mapping[str, Any] | None = None,
    threads: int | None = None,
) -> VerificationReport:
    """Recompute every row of a log, and report what differs.

    Parameters
    ----------
    log : path, list of paths, mapping, frame or Arrow data
        A file or a folder (CSV, Parquet, JSON lines, Arrow IPC; CSV and JSON lines also as .gz, .zst or
        .bz2), read batch by batch in memory that doesn't grow with it, and never written to; or a
        mapping of columns (single values stand for every row), a list of rows as mappings, a pandas or
        Polars frame, an Arrow table, or anything with ``__arrow_c_stream__``.
    subject : Game, VideoPoker, Blackjack, HashedDice or Combined
        What the log is of: a salted-round game with its parameters; of `crypto_games` a `VideoPoker` or
        `Blackjack` with its paytable or rules; of `fpclub` the class `HashedDice` or `Combined`, where
        each row has dice of its own, or one sequence of them, whose roll i row i of the log has.
    columns : mapping of str to str, optional
        The log's column for each field whose column isn't called like the field. The fields depend on
        the subject; Notes lists them.
    progress : bool or callable
        Whether to show a progress bar (by tqdm), or a function of the rows done and the rows in all
        (0 where that isn't known beforehand).
    constants : mapping of str to text or int, optional
        Fields that are the same for all rows and have no column.
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
        they are failures.
    TypeError, ValueError
        If an argument isn't what it should be.

    Notes
    -----
    What the subject is, which fields its log has, and what ``outcome`` may be:

    a salted-round game
        ``server_seed``, ``client_seed`` (both not needed for multi-player games), ``salt``, ``outcome``;
        where the log has them, the game's own parameters (``mines``, ``spins``, ``pins``, ``balls``,
        ``tickets``), which go before the subject's, and ``commitment`` and ``salt_commitment``: SHA-256
        of the server seed and of the salt (a ``commitment`` may be the salt's as well, as in the log of a
        session that commits its salts). Outcomes may be numbers, text ("2.02"), and where an outcome has
        several values lists or JSON lists ("[11, 8, 18]"), nested or flat. Numbers are compared, not
        their spelling: 2.020 is 2.02.
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
    check = Check(system_of(subject), columns or {}, constants or {}, threads_of(threads))
    return check.run(log, progress)


class Check:
    """One run over one log."""

    def __init__(
        self,
        system: System,
        columns: Mapping[str, str],
        constants: Mapping[str, Any],
        threads: int | None,
    ) -> None:
        self.system = system
        self.threads = threads
        seeds = {name: seed for name, seed in COMMITMENTS.items() if seed in system.texts}
        self.fields = [*system.texts, *system.numbers, *system.others, FIELD, *seeds]
        columns = self._by_field("columns", columns)
        constants = self._by_field("constants", constants)
        for name, column in columns.items():
            if not isinstance(column, str):
                raise TypeError(f"columns[{name!r}] must be a column's name, got {type(column).__name__}")
        self.given = columns
        self.constants = {name: Constant(value) for name, value in constants.items()}
        taken = set(columns.values())
        self.candidates: dict[str, list[str]] = {}
        """The columns that may be a field's: the first of them that a log has is."""
        for name in self.fields:
            if name in columns:
                self.candidates[name] = [columns[name]]
            elif name not in self.constants:
                # A column that is named for one field isn't taken for the field it happens to be called like.
                usual = [called for called in self._names(name) if called not in taken]
                if usual:
                    self.candidates[name] = usual
        self.seeds = seeds
        self.source: Source | None = None

    def _names(self, field: str) -> list[str]:
        """Return what a field is called, the usual name first."""
        return [self.system.called[field], field] if field in self.system.called else [field]

    def _by_field(self, argument: str, mapping: Mapping[str, Any]) -> dict[str, Any]:
        """Return an argument with the fields' own names, checked."""
        if not isinstance(mapping, Mapping):
            raise TypeError(f"{argument} must be a mapping of fields, got {type(mapping).__name__}")
        fields = {name: field for field in self.fields for name in self._names(field)}
        found: dict[str, Any] = {}
        for name, value in mapping.items():
            field = fields.get(name)
            if field is None:
                raise ValueError(f"{argument} may name the fields {', '.join(fields)}, got {name!r}")
            if field in found:
                both = " and ".join(map(repr, self._names(field)))
                raise ValueError(f"{argument} must name a field once: {both} are the same one")
            found[field] = value
        return found

    @property
    def wanted(self) -> set[str]:
        """The columns that a log may have."""
        return {name for names in self.candidates.values() for name in names}

    def columns(self, batch: Batch | None = None) -> dict[str, str]:
        """Return each field's column in a batch: the usual one if there is none."""
        there = {} if batch is None else batch.columns
        return {
            field: next((name for name in names if name in there), names[0])
            for field, names in self.candidates.items()
        }

    def without_log(self) -> Check:
        copy = object.__new__(Check)
        copy.__dict__ = self.__dict__ | {"source": None}
        return copy

    def run(self, log: Any, progress: Progress) -> VerificationReport:
        report = self.totals(log, progress).report(self)
        assert self.source is not None
        report.files = self.source.files
        return report

    def totals(self, log: Any, progress: Progress = False) -> Totals:
        """Check all rows of a log."""
        self.source = source = open_log(log, self.wanted)
        totals = Totals()
        with ProgressBar(source.rows or 0, progress) as report:
            for offset, batch in self._placed(source):
                self._batch(batch, offset, totals)
                if report is not None:
                    report(totals.checked)
        return totals

    def new_report(self, columns: dict[str, str]) -> VerificationReport:
        parameters = self.system.parameters() | {"columns": columns}
        if self.constants:
            parameters["constants"] = {name: kept(c.value) for name, c in self.constants.items()}
        return VerificationReport(self.system.name, parameters, _check=self)

    @staticmethod
    def _placed(source: Source) -> Any:
        """Give batches with the position of their file's first row."""
        done = offset = 0
        file = None
        for batch in source.batches():
            if batch.file != file:
                file, offset = batch.file, done
            yield offset, batch
            done += len(batch.rows) + len(batch.unreadable)

    def row(self, row: int) -> dict[str, Any]:
        """Read one row again."""
        if self.source is None or not self.source.again:
            raise ValueError(f"row {row} wasn't kept, and the log can't be read again")
        for offset, batch in self._placed(self.source):
            where = np.flatnonzero(batch.rows == row - offset)
            if row - offset in batch.unreadable:
                break
            if len(where):
                read = self._read(batch)
                if where[0] in read.bad:
                    break
                return read.row(int(where[0]))
        raise ValueError(f"row {row} can't be explained: its seeds can't be read")

    def _column(self, batch: Batch, name: str, needed: bool) -> Any:
        """Return the column of a field; None if the log needs none."""
        if name in self.constants:
            return self.constants[name]
        candidates = self.candidates.get(name, [])
        for column in candidates:
            if column in batch.columns:
                return batch.columns[column]
        if needed or name in self.given:
            where = "log" if batch.file is None else plain(batch.file)
            usual = self._names(name)[0]
            hint = "" if name in self.given else f"; columns={{{usual!r}: ...}} says how it is called there"
            raise LogError(f"{where}: no column {' or '.join(map(repr, candidates or [usual]))}{hint}")
        return None

    def _read(self, batch: Batch) -> _Read:
        """Read a batch's fields."""
        count = len(batch.rows)
        bad: dict[int, list[tuple[str, str, Any]]] = {}

        def note(name: str, cells: Bad) -> None:
            for row, (kind, found) in cells.items():
                bad.setdefault(row, []).append((name, kind, found))

        texts: dict[str, Text] = {}
        numbers: dict[str, np.ndarray] = {}
        for name, needed in self.system.texts.items():
            column = self._column(batch, name, needed)
            if column is not None:
                texts[name] = self._typed(batch, name, partial(self.system.read_text, name), column)
                note(name, texts[name].bad)
        for name, (least, most) in self.system.numbers.items():
            column = self._column(batch, name, False)
            if column is not None:
                numbers[name], wrong = integers(column, count, least, most)
                note(name, wrong)
        others = {}
        for name in self.system.others:
            column = self._column(batch, name, False)
            if column is not None:
                others[name] = cells(column, count)
        outcome = self._column(batch, FIELD, True)
        if isinstance(outcome, Constant):
            outcome = [outcome.value] * count
        self._typed(batch, FIELD, self.system.check_column, outcome)
        return _Read(texts, numbers, others, outcome, bad)

    def _typed(self, batch: Batch, name: str, read: Any, column: Any) -> Any:
        try:
            return read(column)
        except (WrongTypeError, TypeError, ValueError) as error:
            where = "log" if batch.file is None else plain(batch.file)
            called = self.columns(batch).get(name, name)
            raise LogError(f"{where}: column {called!r}: {error}") from None

    def _batch(self, batch: Batch, offset: int, totals: Totals) -> None:
        count = len(batch.rows)
        read = self._read(batch)
        outcome, bad = read.outcome, read.bad
        failures: dict[int, list[tuple[str, str, Any, Any]]] = {}

        def fail(row: int, name: str, kind: str, expected: Any, found: Any) -> None:
            failures.setdefault(row, []).append((name, kind, expected, found))

        for row, wrong in bad.items():
            for name, kind, found in wrong:
                fail(row, name, kind, None, found)
        good = np.arange(count)
        if bad:
            good = np.setdiff1d(good, np.fromiter(bad, np.int64, len(bad)))
            clean = {name: column.take(good) for name, column in read.texts.items()}
            numbers = {name: column[good] for name, column in read.numbers.items()}
            others = {name: take(column, good) for name, column in read.others.items()}
            outcome = take(outcome, good)
        else:
            clean, numbers, others = read.texts, read.numbers, read.others
        if len(good):
            places = batch.rows[good] + offset
            for part in self.system.recompute(clean, numbers, others, places, self.threads):
                whole = len(part.rows) == len(good)
                column = outcome if whole else take(outcome, part.rows)
                differs, unreadable = self.system.compare(part.expected, column, len(part.rows))
                differing = {
                    i: [(FIELD, "mismatch", cell(column, i))] for i in np.flatnonzero(differs).tolist()
                }
                for i, wrong in (differing | unreadable).items():
                    for name, kind, found in wrong:
                        expected = None
                        if name == FIELD:
                            expected = self.system.expected_at(part.expected, i, found)
                        fail(int(good[part.rows[i]]), name, kind, expected, found)
            self._commitments(batch, clean, good, fail)
            repeats = [clean[name] for name in self.system.unique if name in clean]
            totals.fingerprint(places, repeats)
        totals.add(self, batch, offset, failures, read)

    def _commitments(self, batch: Batch, texts: dict[str, Text], good: np.ndarray, fail: Any) -> None:
        for name, seed in self.seeds.items():
            column = self._column(batch, name, False)
            if column is None or seed not in texts:
                continue
            published = self._typed(batch, name, text, column)
            for row, (kind, found) in published.bad.items():
                fail(row, name, kind, None, found)
            hashes: dict[bytes, str] = {}  # seeds mostly stay the same for many rows
            hexes = published.values
            if isinstance(hexes, Constant):
                hexes = [hexes.value] * len(batch.rows)
            secrets = texts[seed].all_bytes(len(good))
            for place, (row, secret) in enumerate(zip(good.tolist(), secrets, strict=True)):
                if row in published.bad:
                    continue
                expected = hashes.get(secret)
                if expected is None:
                    if len(hashes) >= 1000:
                        hashes.clear()
                    expected = hashes[secret] = hashlib.sha256(secret).hexdigest()
                found = cell(hexes, row)
                found = found if isinstance(found, bytes) else found.encode()
                if not found.strip():
                    fail(row, name, MISSING, expected, None)
                elif not hmac.compare_digest(expected.encode(), found.strip().lower()) and not (
                    name == "commitment"
                    and "salt" in texts
                    and check_commitment(texts["salt"].bytes_at(place), found)
                ):
                    fail(row, name, name, expected, found)


def _as_text(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


@dataclass
class _Read:
    """A batch's fields."""

    texts: dict[str, Text]
    numbers: dict[str, np.ndarray]
    others: dict[str, list[Any]]
    outcome: Any
    bad: dict[int, list[tuple[str, str, Any]]]
    """What is wrong with rows before their outcome is looked at: row -> (field, kind, found)."""

    def row(self, row: int) -> dict[str, Any]:
        """Return a row's fields."""
        values: dict[str, Any] = {name: _as_text(column.bytes_at(row)) for name, column in self.texts.items()}
        values |= {name: int(column[row]) for name, column in self.numbers.items()}
        values |= {name: column[row] for name, column in self.others.items()}
        return values | {FIELD: cell(self.outcome, row)}


class Totals:
    """What has come up so far."""

    def __init__(self) -> None:
        self.checked = 0
        self.failed = 0
        self.counts: Counter[str] = Counter()
        self.failures: list[Failure] = []
        self.rows: dict[int, dict[str, Any]] = {}
        self.compared = 0
        self.columns: dict[str, str] = {}
        """The column of each field, in the last batch."""
        self._prints: list[tuple[np.ndarray | int, np.ndarray]] = []

    def add(
        self,
        check: Check,
        batch: Batch,
        offset: int,
        failures: dict[int, list[tuple[str, str, Any, Any]]],
        read: _Read,
    ) -> None:
        """Count a batch's rows and failures, in the order of the rows."""
        self.checked += len(batch.rows) + len(batch.unreadable)
        self.failed += len(failures) + len(batch.unreadable)
        self.columns = check.columns(batch)
        found = []
        for row, wrong in failures.items():
            place = int(batch.rows[row])
            for name, kind, expected, value in wrong:
                self.counts[kind] += 1
                found.append((place, kind, expected, value, self.columns.get(name, name)))
            if row not in read.bad and len(self.rows) < _KEPT_ROWS:
                self.rows[place + offset] = read.row(row)
        for place, line in batch.unreadable.items():
            self.counts[MALFORMED] += 1
            found.append((place, MALFORMED, None, line, ""))
        found.sort(key=lambda failure: failure[0])
        for place, kind, expected, value, column in found[: KEPT_FAILURES - len(self.failures)]:
            self.failures.append(
                Failure(place + offset, kind, expected, kept(value), column, batch.file, place)
            )

    def fingerprint(self, rows: np.ndarray, texts: list[Text]) -> None:
        """Remember the fingerprints of rows, as long as there is room."""
        room = COMPARED_FOR_REPEATS - self.compared
        if room <= 0 or not texts:
            return
        prints = fingerprints(texts, len(rows))[:room]
        self.compared += len(prints)
        first = int(rows[0])
        contiguous = int(rows[-1]) - first + 1 == len(rows)
        self._prints.append((first if contiguous else rows[:room], prints))

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
        for rows, prints in other._prints:
            room = COMPARED_FOR_REPEATS - self.compared
            if room > 0:
                self._prints.append((rows + offset, prints[:room]))
                self.compared += len(prints[:room])
        self.checked += other.checked
        self.failed += other.failed
        self.counts += other.counts
        self.columns |= other.columns

    def report(self, check: Check) -> VerificationReport:
        """Return the verdict."""
        report = check.new_report(self.columns or check.columns())
        report.checked, report.failed = self.checked, self.failed
        report.counts = {kind: self.counts[kind] for kind in sorted(self.counts)}
        report.failures = self.failures
        report._rows = self.rows
        report.compared_for_repeats = self.compared
        report.repeated, report.repeats = self._repeats()
        return report

    def _repeats(self) -> tuple[int, list[tuple[int, int]]]:
        if not self._prints:
            return 0, []
        ordered = np.concatenate([prints for _, prints in self._prints])
        ordered.sort()
        twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
        distinct = len(ordered) - int((ordered[1:] == ordered[:-1]).sum())
        repeated = len(ordered) - distinct
        del ordered
        if not repeated:
            return 0, []
        pairs: list[tuple[int, int]] = []
        first: dict[int, int] = {}
        for rows, prints in self._prints:
            for i in np.flatnonzero(np.isin(prints, twice)).tolist():
                row = rows + i if isinstance(rows, int) else int(rows[i])
                earlier = first.setdefault(int(prints[i]), row)
                if earlier != row:
                    pairs.append((earlier, row))
                    if len(pairs) == _KEPT_REPEATS:
                        return repeated, pairs
        return repeated, pairs
