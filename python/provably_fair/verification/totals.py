"""What has come up in a log so far, and the verdict on it."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from provably_fair._core.errors import placed
from provably_fair._core.printable import decoded
from provably_fair._engine import Replays

from .failures import Failures
from .foreign import Constant, cell, is_empty, joined_texts
from .numbers import Numbers
from .plan import Again, Plan
from .report import Failure, Repeats, Run, VerificationReport, plain, to_json_value, versions
from .sources import Batch, Evidence, LogError, Source
from .systems import COMMITMENT, FIELD, KINDS, SALT_COMMITMENT, SAYS, Field, Found, Notations, chains
from .systems.beacons import BEACON_SIGNATURE, BLOCK_HEADER
from .times import Times

KEPT_FAILURES = 10_000
"""The most failures that a report keeps one by one; it counts them all."""

MALFORMED, REPEATED = "malformed", "repeated"

_TIMES = (b"x", b"X", "×".encode())
_BYTES_SHOWN = re.compile(r"b(['\"]).*\1", re.DOTALL)

_KEPT_ROWS = 100
_KEPT_PASSED = 20
_KEPT_REPEATS = 1000
_LOOKED_AT = 1000
"""Commitments that are looked at to find out whose they are."""


class Totals:
    """What has come up so far."""

    def __init__(self, plan: Plan, source: Source | None = None) -> None:
        self.plan = plan
        self._source = source
        self.checked: int = 0
        self.failed: int = 0
        """How many rows there were, and how many of them failed."""
        self.counts: Counter[str] = Counter()
        self.unchecked: Counter[str] = Counter()
        """How many of the rows aren't checkable, by the reason."""
        self.games: Counter[str] = Counter()
        self.failed_games: Counter[str] = Counter()
        """How many rows are of each game, where there are several, and how many of them failed."""
        self.failures: list[Failure] = []
        self.rows: dict[int, dict[str, Any]] = {}
        self.passed: list[dict[str, Any]] = []
        """Some rows that are right, of batches of which others are wrong."""
        self.columns: dict[str, str | None] = {}
        """The column of each field, in the last batch that has one."""
        self.unread: dict[str, None] = {}
        """Columns of the log that no field is read from."""
        self.committed: Counter[str] = Counter()
        self.chains: dict[str, chains.Seen] | None = None
        """What was seen of chains, where games are on one."""
        self.assumed: int = 0
        self.replays: Replays = Replays()
        self.files: list[Evidence] = []
        self.passed_over: dict[str, str] = {} if source is None else source.passed_over
        self.starts: list[int] = []
        """Where each file begins."""
        self.error: LogError | None = None
        """The first thing that couldn't be read."""
        self.mask: list[tuple[np.ndarray, int]] | None = [] if source is not None and source.masked else None
        """Which rows failed, in bits; of logs in memory."""
        self.notations: Notations = Notations()
        """How the outcomes of the file that is read are written."""
        self.written: Counter[str] = Counter()
        """How many rows are written in another way than their game's own, by the way."""
        self.numbers: Numbers = Numbers(plan.csv)
        """How the numbers of the file that is read are written."""
        self.times: Times = Times(plan.time_formats)
        """How its times are."""
        self.keys: dict[str, None] = {}
        """Columns that name seeds in a table of their own."""
        self.unknown_seeds: int = 0
        """How many rows name one that this table doesn't have."""
        self.notes: dict[str, None] = {}
        """What else a report should say."""
        self._of_salts: bool | None = None
        self._looked_at = 0
        self._started = datetime.now(UTC)
        self._clock = time.perf_counter()

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_source": None}

    # ---- files ----

    def begin(self, evidence: Evidence | None) -> None:
        """Begin with a file, or with a log in memory."""
        self.numbers = Numbers(self.plan.csv)
        self.times = Times(self.plan.time_formats)
        self.notations = Notations()
        if evidence is not None:
            self.files.append(evidence)
            self.starts.append(self.checked)

    @property
    def again(self) -> bool:
        """Whether the log can be read a second time."""
        return self._source is not None and self._source.again

    @property
    def offset(self) -> int:
        """Where the file that is read begins in the log."""
        return self.starts[-1] if self.starts else 0

    @property
    def where(self) -> str:
        """What errors are about."""
        return plain(self.files[-1].file) if self.files else "log"

    @contextmanager
    def naming_source(self) -> Iterator[None]:
        """Let errors of the log say which file they are about."""
        try:
            yield
        except LogError as error:
            raise placed(error, f"{self.where}: ") from None

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
        for row in range(rows):
            if self._of_salts is not None or self._looked_at == _LOOKED_AT:
                break
            published, server, salt = (
                cell(columns[name], row) for name in (COMMITMENT, "server_seed", "salt")
            )
            if is_empty(published):
                continue
            self._looked_at += 1
            of_server, of_salt = _is_commitment(published, server), _is_commitment(published, salt)
            if of_server or of_salt:
                self._of_salts = not of_server
        return bool(self._of_salts)

    # ---- rows ----

    def add(
        self,
        batch: Batch,
        columns: Mapping[str, object],
        found: Found,
        games: chains.Games,
        failures: Failures | None,
    ) -> None:
        """Count a batch's rows and failures, in the order of the rows."""
        called = self.plan.columns(batch)
        self.columns = self.columns | {name: column for name, column in called.items() if column}
        read = {*called.values(), *self.keys}
        self.unread |= dict.fromkeys(name for name in batch.names if name not in read)
        for name, count in zip(found.fields, found.committed, strict=False):
            self.committed[name] += count
        self.assumed += found.assumed
        self.written += found.notations
        if FIELD in self.plan.fields and self.plan.fields[FIELD].number:
            # Numbers with an x are read as any others.
            texts = joined_texts(columns[FIELD]) or b""
            if times := sum(map(texts.count, _TIMES)) * (
                batch.rows if isinstance(columns[FIELD], Constant) else 1
            ):
                self.written["times"] += times
        self.chains = chains.merged(self.chains, games.chains)
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
            failing = set(failed_rows[: 2 * _KEPT_ROWS].tolist())  # in order
            right = [row for row in range(min(batch.rows, 2 * _KEPT_ROWS)) if row not in failing]
            for row in right[: max(_KEPT_PASSED - len(self.passed), 0)]:
                self.passed.append({name: cell(column, row) for name, column in columns.items()})
        for reason, rows in found.unchecked.items():
            self.unchecked[reason] += len(rows)
        for game, rows in found.games.items():
            self.games[game] += len(rows)
            self.failed_games[game] += int(np.isin(failed_rows, rows).sum())
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
        if not self.files and not other.files:  # each file has its own formats
            self.times.merge(other.times)
        self._source = None
        self.chains = chains.merged(self.chains, other.chains, offset)
        self.failures += [
            # Only a file has rows of its own: in memory they count through the whole log.
            replace(f, row=f.row + offset, file_row=f.file_row + (offset if f.file is None else 0))
            for f in other.failures[: KEPT_FAILURES - len(self.failures)]
        ]
        for row, values in other.rows.items():
            if len(self.rows) < _KEPT_ROWS:
                self.rows[row + offset] = values
        self.passed = (self.passed + other.passed)[:_KEPT_PASSED]
        self.replays.append(other.replays, offset)
        self.checked += other.checked
        self.failed += other.failed
        self.counts += other.counts
        self.unchecked += other.unchecked
        self.games += other.games
        self.failed_games += other.failed_games
        self.columns |= other.columns
        self.unread |= other.unread
        self.notes |= other.notes
        self.keys |= other.keys
        self.unknown_seeds += other.unknown_seeds
        self.committed += other.committed
        self.assumed += other.assumed
        self.written += other.written
        self.files += other.files
        self.starts += [start + offset for start in other.starts]
        self.error = self.error or other.error
        self.mask = None
        if None not in (self._of_salts, other._of_salts) and self._of_salts != other._of_salts:
            raise LogError("some of its commitments are of server seeds, others of salts", subject="log")
        self._of_salts = other._of_salts if self._of_salts is None else self._of_salts

    # ---- the verdict ----

    def conclude(self, failures: Failures | None = None) -> VerificationReport:
        """Return the verdict; raise where the log, or its one file, couldn't be read to its end."""
        report = self._report()
        self._repeats(report, failures)
        if self.error is not None and (len(self.files) < 2 or not self.checked):
            self.error.report = report if self.checked else None
            raise self.error
        return report

    def _report(self) -> VerificationReport:
        parameters = self.plan.system.parameters()
        parameters["columns"] = {name: self.columns.get(name) for name in self.plan.candidates}
        if self.plan.constants:
            parameters["constants"] = {
                name: to_json_value(value) for name, value in self.plan.constants.items()
            }
        if self.plan.csv.given():
            parameters["csv"] = self.plan.csv.given()
        if self.plan.time_formats:
            parameters["time_formats"] = self.plan.time_formats
        if self.plan.about:
            parameters["about"] = dict(self.plan.about)
        if self.plan.system.title:
            parameters["title"] = self.plan.system.title
        notes = [*self.notes, *self.plan.system.notes(self.checked, self.assumed, self.committed)]
        notes += chains.notes(self.chains)
        notes += [
            f"{name} has cells such as {to_json_value(value)}, which is how Python shows bytes: "
            "seeds must be written to files as text, salts.astype(str) or seed.decode()"
            for name, value in self._first_texts(_BYTES_SHOWN.fullmatch).items()
        ]
        notes += [
            f"{name} has cells with blanks around them, such as {value!r}: they are hashed as they stand"
            for name, value in self._first_texts(_has_blanks_around).items()
            if name in self.plan.fields and self.plan.fields[name].text
        ]
        notes += [f"seeds are joined by the column {key}" for key in self.keys]
        if self.unknown_seeds:
            notes.append(f"{self.unknown_seeds:,} rows name a seed that the table of seeds doesn't have")
        notes += [f"{count:,} rows: {SAYS[way]}" for way, count in sorted(self.written.items())]
        if self._of_salts:
            notes.append("commitment is read as that of the salts, as logs of sessions had it once")
        return VerificationReport(
            self.plan.system.name,
            parameters,
            checked=self.checked - self.unchecked.total(),
            failed=self.failed,
            counts={kind: self.counts[kind] for kind in sorted(self.counts)},
            failures=self.failures,
            unchecked=dict(self.unchecked),
            games={
                game: {"checked": count, "failed": self.failed_games[game]}
                for game, count in sorted(self.games.items())
            },
            notations=dict(sorted(self.written.items())),
            committed={name: self.committed[name] for name in _commitments(self.plan.fields)},
            unread=list(self.unread),
            notes=notes,
            unknown=list(chains.not_shown(self.chains or {}, self.plan.chain_steps)),
            files=self.files,
            passed_over=self.passed_over,
            run=Run(
                self._started.isoformat(timespec="seconds"), time.perf_counter() - self._clock, versions()
            ),
            error=None if self.error is None or self.files else str(self.error),
            _again=Again(self.plan, self._source),
            _repeats_fail=self.plan.repeats_fail,
            _rows=self.rows,
            _passed=self.passed,
            _mask=self.mask,
        )

    def _first_texts(self, fits: Callable[[str], object]) -> dict[str, str]:
        """Return the first cell of each field that is text of some kind, of rows that failed."""
        cells = ((name, value) for row in self.rows.values() for name, value in row.items())
        found: dict[str, str] = {}
        for name, value in cells:
            text = decoded(value)
            if isinstance(text, str) and fits(text):
                found.setdefault(name, to_json_value(text))
        return found

    def _repeats(self, report: VerificationReport, failures: Failures | None) -> None:
        all_pairs = self.plan.repeats_fail and (failures is not None or self.mask is not None)
        most = KEPT_FAILURES if self.plan.repeats_fail else _KEPT_REPEATS
        repeated, right, first, pairs = self.replays.find(most, all_pairs, self.plan.threads)
        every = np.array([row for _, row in pairs], np.int64) if self.plan.repeats_fail else None
        report.repeats = Repeats(self.replays.compared, repeated, first[:_KEPT_REPEATS], every)
        report.uncompared = self.replays.lost
        if not self.plan.repeats_fail or not repeated:
            return
        report.counts = dict(sorted((report.counts | {REPEATED: repeated}).items()))
        report.failed += right
        report.failures = sorted(
            report.failures + [self._repeat(*pair) for pair in first], key=lambda failure: failure.row
        )[:KEPT_FAILURES]
        if failures is not None:
            failures.write([self._repeat(*pair) for pair in sorted(pairs, key=lambda pair: pair[1])])

    def first_repeats(self, most: int) -> list[tuple[int, int]]:
        """Return the first rows that have the round of an earlier one, in rising order: that one, the row."""
        return self.replays.find(most, False, self.plan.threads)[2]

    def _repeat(self, earlier: int, row: int) -> Failure:
        place = int(np.searchsorted(self.starts, row, side="right")) - 1
        file, start = (self.files[place].file, self.starts[place]) if place >= 0 else (None, 0)
        return Failure(row, REPEATED, None, f"the round of row {earlier}", "", file, row - start)


def _kind(kind: int, field: str) -> str:
    return field if KINDS[kind] == COMMITMENT else KINDS[kind]


def _commitments(fields: Mapping[str, Field]) -> list[str]:
    of_all = (COMMITMENT, SALT_COMMITMENT, BEACON_SIGNATURE, BLOCK_HEADER)
    return [name for name in of_all if name in fields]


def _has_blanks_around(text: str) -> bool:
    return "" != text.strip() != text


def _is_commitment(published: Any, seed: Any) -> bool:
    """Tell whether one text is the SHA-256 of another, whatever cells these are."""
    try:
        published, seed = (text if isinstance(text, bytes) else text.encode() for text in (published, seed))
    except (AttributeError, UnicodeEncodeError):
        return False
    return hmac.compare_digest(hashlib.sha256(seed).hexdigest().encode(), published.strip().lower())
