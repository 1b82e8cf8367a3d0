"""The verdict on a log, with what it rests on."""

from __future__ import annotations

import platform
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from provably_fair._core.arguments import BadValue, integer
from provably_fair._core.optional import optional
from provably_fair._core.printable import counted, html, shortened
from provably_fair._core.report import Case, Report, section
from provably_fair._core.table import facts_html, html_table
from provably_fair._core.types import Columns, JsonDict
from provably_fair._engine import __version__
from provably_fair.sources import Evidence

from .counts import Counts
from .failure import Failure, plain, to_text
from .failures import table_of
from .systems import compared_by

if TYPE_CHECKING:
    import pandas

    from provably_fair.walkthrough import Walkthrough

    from .blocks import Block
    from .suggestions import Diagnosis, Suggestion

SCHEMA = "provably_fair.verification/3"
"""The version of what `VerificationReport.to_dict` returns."""

MEANING = (
    "A pass proves that each logged outcome is what its seeds give. It doesn't prove that the seeds and "
    "salts were chosen fairly: that takes a hash of each, published before the round."
)


_SHARED = ("commitment", "salt_commitment", "terminating", "beacon_signature", "block_header")
"""Kinds of failures that rows with the same seed share."""

_WRONG = {
    "mismatch": "the logged outcome isn't the recomputed one",
    "missing": "a required cell is empty",
    "malformed": "a cell, or the whole line, can't be read",
    "commitment": "the hash of the server seed isn't the published one",
    "salt_commitment": "the hash of the salt isn't the published one",
    "terminating": "the game's hash doesn't lead to the published end of its chain",
    "beacon_signature": "the signature isn't that of the beacon's round",
    "block_header": "the header isn't that of the block",
    "repeated": "the round is that of an earlier row",
}
_LISTED = 10
"""Failures that text, and a test case of JUnit's XML, lists."""
_EXPLAINED = 5
"""Rows that a page explains step by step."""

_REASONS = {
    "unrevealed": "their seed isn't revealed yet",
    "other game": "they are of games that are passed over",
}


class VerificationError(AssertionError):
    """A log that doesn't agree with its seeds. `report` is the `VerificationReport`."""

    def __init__(self, report: VerificationReport) -> None:
        super().__init__(str(report))
        self.report = report

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.report,)


@dataclass(frozen=True)
class Run:
    """The time of a verification, and the versions of libraries."""

    started: str  # when it began, in UTC
    seconds: float
    versions: dict[str, str]


def versions() -> dict[str, str]:
    """Return the versions of libraries that read logs."""
    found = {"provably_fair": __version__, "python": platform.python_version(), "numpy": np.__version__}
    pyarrow = sys.modules.get("pyarrow")
    return found if pyarrow is None else found | {"pyarrow": pyarrow.__version__}


NO_ROOM = "no room in memory, nor in the temporary folder (TMPDIR)"
"""The reason why rows weren't compared."""


@dataclass(frozen=True)
class Repeats:
    """Rows that repeat the round of an earlier row: the same bytes are hashed, whatever their spelling.

    They are found by 87 bits of the rounds' own hashes. Among a billion rounds, the probability that any two
    different rounds are confused is below one in a hundred million.

    Attributes
    ----------
    compared : int
        The number of rows compared: all readable ones, unless there was no room.
    count : int
        The number of rows that repeat an earlier round.
    rows : list of (int, int)
        The first 1,000 of these: the earliest row with the round, and the row.
    every : numpy.ndarray or None
        The positions of all of them, where they fail and the log is in memory.
    """

    compared: int = 0
    count: int = 0
    rows: list[tuple[int, int]] = field(default_factory=list)
    every: Any = field(default=None, repr=False, compare=False)

    _repr_html_ = facts_html


@dataclass(repr=False)
class VerificationReport(Report):
    """The verdict on a log, with what it rests on. Made by `verify`.

    Attributes
    ----------
    game : str
        The game, as it can be typed: "stake.dice", "mines:mines=5".
    parameters : dict
        The game with its parameters, and the column of each field, None if the log has none; also the table
        ``about`` of a config.
    repeats : Repeats
        Rows that have the round of an earlier row. By itself that is no failure, since a log of bets has a
        row for each bet of a round. If each round should be there once, use ``repeats="fail"``.
    uncompared : int
        The number of rows that weren't compared for repeats, for lack of memory and temporary disk space.
        With ``repeats="fail"`` such a report isn't complete, and so not ok.
    unknown : list of str
        Facts that couldn't be shown, with reasons: for example, that the hash of a game leads to the
        terminating hash.
    notes : list of str
        Other assumptions of the verdict: choices that were assumed, rolls that the log lacks.
    error : str or None
        Why a log in memory was read only in part.
    run : Run
        When the log was checked, and by which versions.
    version : str
        The package's version.
    """

    game: str
    parameters: dict[str, Any]
    _counts: Counts = field(default_factory=Counts)
    repeats: Repeats = field(default_factory=Repeats)
    uncompared: int = 0
    unknown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    error: str | None = None
    run: Run | None = field(default=None, compare=False)
    version: str = __version__
    again: Any = field(default=None, repr=False, compare=False)
    """How the log was read, by which its rows are read again."""
    _repeats_fail: bool = field(default=False, repr=False)
    _progress: bool = field(default=False, repr=False, compare=False)

    _what = "Verification"

    @property
    def checked(self) -> int:
        """The number of rows that could be checked."""
        return self._counts.tally.rows - self._counts.tally.unchecked.total()

    @property
    def failed(self) -> int:
        """The number of rows with at least one failure."""
        return self._counts.tally.failed

    @property
    def counts(self) -> dict[str, int]:
        """The number of failures by kind."""
        return dict(sorted(self._counts.tally.kinds.items()))

    @property
    def failures(self) -> list[Failure]:
        """The failures by row, up to the first 10,000; `counts` counts all."""
        return self._counts.kept.failures

    @property
    def unchecked(self) -> dict[str, int]:
        """The number of further rows that couldn't be checked, by reason; they are neither right nor wrong.

        "unrevealed" if the seed isn't revealed yet, "other game" if the row's game is mapped to None.
        """
        return dict(self._counts.tally.unchecked)

    @property
    def games(self) -> dict[str, dict[str, int]]:
        """In a log of several games, the rows ``checked`` and ``failed`` of each.

        Rows that fail only because they repeat a round aren't counted by game.
        """
        tally = self._counts.tally
        return {
            game: {"checked": count, "failed": tally.failed_games[game]}
            for game, count in sorted(tally.games.items())
        }

    @property
    def notations(self) -> dict[str, int]:
        """The number of rows by notation of the outcome, if it isn't the game's own.

        "cards" (names), "path" (letters), "bucket" (in place of the path), "percent", "times" (1.98x),
        "words", "truths" (of coins), "set" (the right values in another order than drawn), and "single"
        (32-bit floats); at a table what was compared, "dealt" (all cards), "part" (the first ones, fewer than
        the hand has), "final" (the final hand), "net" (what was won or paid), and "unplayed" (cards with
        actions that they don't allow).
        """
        return dict(sorted(self._counts.tally.notations.items()))

    @property
    def committed(self) -> dict[str, int]:
        """For each field of commitments, the number of rows in which one was compared with its seed."""
        return dict(self._counts.tally.committed)

    @property
    def unread(self) -> list[str]:
        """Columns of the log that weren't used."""
        return [name for name in self._counts.columns.unread if name not in self._keep]

    @property
    def _keep(self) -> list[str]:
        """The columns whose cells are shown with each failure."""
        return list(self.parameters.get("keep", ()))

    @property
    def files(self) -> list[Evidence]:
        """The files read, or the query: how much of each, how many rows failed, and why it breaks off.

        Rows that only repeat a round aren't among the failed ones.
        """
        return self._counts.files.files

    @property
    def passed_over(self) -> dict[str, str]:
        """Files in folders that were skipped, and why."""
        return self._counts.files.passed_over

    @property
    def ok(self) -> bool:
        """Whether there were rows, none failed, everything was read, and nothing required is `unknown`."""
        return self.checked > 0 and self.failed == 0 and self.complete

    @property
    def complete(self) -> bool:
        """Whether every file was read to its end, and everything requested was checked.

        False if something is `unknown` or, with ``repeats="fail"``, if rows weren't compared for repeats.
        """
        return self._all_read and not self.unknown and not (self._repeats_fail and self.uncompared)

    @property
    def _all_read(self) -> bool:
        return self.error is None and all(file.error is None for file in self.files)

    @property
    def mask(self) -> np.ndarray:
        """A boolean mask of the failed rows of a log in memory: ``frame[report.mask]`` selects them.

        Of a log in files, the option ``failures`` of `verify` writes all failures to a file.
        """
        bits = self._counts.kept.mask
        if bits is None:
            raise BadValue("mask", "is for logs in memory: verify(log, ..., failures=path) writes files")
        parts = (np.unpackbits(packed, count=size).astype(bool) for packed, size in bits)
        mask = np.concatenate([np.zeros(0, bool), *parts])
        if self.repeats.every is not None:
            mask[self.repeats.every] = True
        return mask

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Failures that aren't spread as chance would have them: blocks of rows, by the first one.

        Runs of rows, rows with one value of any column of the log, or rows of one time if the log has a
        column of times, whose failures are so close together that chance puts them so with a probability
        below 10**-6, all descriptions counted. The first time that this is asked for, changes of a field
        that a block's rows share are tried on up to 200 of them: one character replaced, missing, doubled or
        exchanged with its neighbor, blanks, capitals, quotes, a nonce shifted by a constant, the value of
        rows before or after, seeds exchanged, what a float or a spreadsheet makes of a number or a date,
        another known salt. That takes at most 30 seconds. A change is a block's ``cure`` if all its rows
        agree, which they would by chance with a probability below 10**-9, all changes counted. It explains
        the rows; they still fail.
        """
        if self.again is None or not self.failed:
            return ()
        from .blocks import blocks_of

        return blocks_of(self._counts, self.again, self._progress)

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """Readings that would make failed rows right: another game, other columns, another scheme.

        If at least three rows fail, about 20 of them are tried under the readings of the game (`readings`),
        or up to 100 if outcomes have few values. A reading is suggested if the probability that a wrong one
        matches as many rows, times the number of readings tried, is below 10**-6. If few rows fail, or more
        than 20 are tried, it must match the other rows too. A match shows how the log was probably written,
        not that the bets were fair; the verdict doesn't change.
        """
        return self._diagnosis.suggestions if self._diagnosis else ()

    @cached_property
    def _diagnosis(self) -> Diagnosis | None:
        kept, again = self._counts.kept, self.again
        if again is None or not kept.failed:
            return None
        from .suggestions import UNREAD, diagnose

        failed = sorted(kept.failed)
        return diagnose(
            again.plan.system,
            [kept.failed[row] for row in failed],
            self._counts.spread.some_right,
            2 * self.failed > self.checked,
            self.parameters.get("columns", {}),
            lambda count: again.others(failed[:count], list(self._counts.columns.unread)[:UNREAD]),
        )

    def explain(self, row: int | None = None) -> Walkthrough:
        """Explain a row: return the walk-through from its seeds to its outcome.

        Parameters
        ----------
        row : int, optional
            The row's position in the log; the first failed row by default.

        Returns
        -------
        Walkthrough
            Print it, display it in a notebook, or convert it with `~Walkthrough.to_dict`. For FPClub's dice
            it includes the comparison with the row's hash (and the repair, if there is one) or throws.

        Raises
        ------
        IndexError
            If the log has no such row.
        ValueError
            If the row's seeds can't be read, or the log can't be read again.

        Examples
        --------
        >>> log = {"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "55"]}
        >>> report = pf.verify(log, pf.operators.fpclub.Combined)
        >>> report.explain()
        <Walkthrough of FPClub's combined dice: 13>
        >>> report.explain(0).outcome
        '16'
        """
        if row is None:
            if not self.failures:
                raise BadValue("row", "must be given: no row failed")
            row = self.failures[0].row
        row = integer("row", row)
        rows = self._counts.tally.rows
        if not 0 <= row < rows:
            raise IndexError(f"row must be from 0 to {rows - 1}, got {row}")
        values = self._counts.kept.failed.get(row)
        if values is None:
            values = self.cells(row)
        try:
            walkthrough: Walkthrough = self.again.plan.system.explain(values)
            likeliest = self._diagnosis if any(f.row == row for f in self.failures) else None
            other = None if likeliest is None else likeliest.explain(values)
            return walkthrough if other is None else replace(walkthrough, beside=other)
        except (ValueError, TypeError) as error:
            raise BadValue("row", f"{row} can't be explained: {plain(str(error))}") from None

    def cells(self, row: int) -> dict[str, Any]:
        """Read a row of the log again, and return its cells by field.

        Parameters
        ----------
        row : int
            The row's position in the log.

        Raises
        ------
        ValueError
            If the log can't be read again.

        Examples
        --------
        >>> log = {"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "13"]}
        >>> pf.verify(log, pf.operators.fpclub.Combined).cells(1)
        {'first': '23', 'second': '56', 'outcome': '13'}
        """
        cells: dict[str, Any] = self.again.row(row)
        return cells

    def raise_if_failed(self) -> VerificationReport:
        """Raise `VerificationError` unless the report is ok; then return it."""
        if not self.ok:
            raise VerificationError(self)
        return self

    def to_dict(self) -> JsonDict:
        """Return the report as JSON's types; ``schema`` tells what the keys mean, and changes with it."""
        return {
            "schema": SCHEMA,
            "ok": self.ok,
            "complete": self.complete,
            "game": self.game,
            "parameters": self.parameters,
            "checked": self.checked,
            "failed": self.failed,
            "counts": dict(self.counts),
            "failures": [dict(vars(failure)) for failure in self.failures],
            "failures_left_out": self._left_out,
            "repeats": {
                "compared": self.repeats.compared,
                "count": self.repeats.count,
                "rows": [list(pair) for pair in self.repeats.rows],
            },
            "uncompared": self.uncompared,
            "unchecked": dict(self.unchecked),
            "games": {game: dict(counts) for game, counts in self.games.items()},
            "notations": dict(self.notations),
            "committed": dict(self.committed),
            "unread": list(self.unread),
            "unknown": list(self.unknown),
            "notes": list(self.notes),
            "blocks": [block.to_dict() for block in self.blocks],
            "suggestions": [suggestion.to_dict() for suggestion in self.suggestions],
            "files": [dict(vars(file)) for file in self.files],
            "passed_over": dict(self.passed_over),
            "error": self.error,
            "run": None if self.run is None else dict(vars(self.run)),
            "version": self.version,
            "meaning": MEANING,
        }

    def to_pandas(self) -> pandas.DataFrame:
        """Return the kept failures as a pandas DataFrame, one row each.

        If there were more, ``attrs["failures_left_out"]`` and a warning say how many.
        """
        pd = optional("pandas", "arrow", "to_pandas")
        data: dict[str, Any] = dict(self._columns())
        for name in ("expected", "found"):  # values of any type
            data[name] = pd.Series(data[name], dtype=object)
        frame: pandas.DataFrame = pd.DataFrame(data)
        frame.attrs["failures_left_out"] = self._left_out
        return frame

    @property
    def _left_out(self) -> int:
        """The number of failures that were counted but not kept."""
        return sum(self.counts.values()) - len(self.failures)

    def _columns(self) -> Columns:
        if self._left_out:
            warnings.warn(
                f"these are the first {len(self.failures):,} failures, {self._left_out:,} are left out: "
                "verify(log, ..., failures=path) writes all of them to a file",
                stacklevel=3,
            )
        return table_of(self.failures, self._keep)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.failed:
            verdict = f"FAILED: {self.failed:,} of {self.checked:,} rows"
        else:
            verdict = "verified" if self.checked else "nothing to verify: no rows"
            if self.unchecked and not self.checked:
                verdict = "NOT VERIFIED: no row could be checked"
        if self.unknown and self._all_read:
            verdict = "NOT VERIFIED: not all is shown" + (f"; {verdict}" if self.failed else "")
        elif not self.complete and self._all_read:
            verdict = "NOT VERIFIED: not all rows were compared" + (f"; {verdict}" if self.failed else "")
        if not self._all_read:
            broken = sum(file.error is not None for file in self.files)
            files = f" ({broken:,} of {len(self.files):,} files can't be)" if self.files else ""
            verdict = f"NOT VERIFIED: not all was read{files}" + (f"; {verdict}" if self.failed else "")
        if self.unchecked and self.checked:
            verdict += f"; {sum(self.unchecked.values()):,} more rows aren't checkable"
        if self.repeats.count:
            earlier, row = self.repeats.rows[0]
            rows = counted(self.repeats.count, "row")
            verdict += f"; repeated rounds in {rows}, the first is row {row} (as row {earlier})"
        return verdict

    def unchecked_lines(self) -> list[tuple[str, str]]:
        """Return lines with the numbers of rows that couldn't be checked, by reason."""
        return [
            ("not checkable", f"{count:,} more: {_REASONS[why]}") for why, count in self.unchecked.items()
        ]

    def _tone(self) -> Literal["good", "bad", "open"]:
        return "good" if self.ok else "bad" if self.failed else "open"

    def _about(self) -> str:
        return self.game

    def _lines(self) -> list[tuple[str, str]]:
        columns = self.parameters.get("columns", {})
        constants = self.parameters.get("constants", {})
        read = [
            name if name == column else f"{name} from {shortened(column)}"
            for name, column in columns.items()
            if column
        ]
        lines = header_of(self)
        lines += [
            (plain(game), f"{counts['checked']:,} rows, {counts['failed']:,} failed")
            for game, counts in self.games.items()
        ]
        lines += [(kind, f"{count:,}") for kind, count in sorted(self.counts.items())]
        lines.append(("columns", ", ".join(read) or "none"))
        if self._keep:
            lines.append(("kept", ", ".join(map(shortened, self._keep))))
        if constants:
            lines.append(("constants", ", ".join(constants)))
        without = [name for name, column in columns.items() if not column]
        if without:
            lines.append(("no column", ", ".join(without)))
        lines += unread_lines(self)
        if by := compared_by(self.notations):
            lines.append(("compared", by))
        lines += [(f"checked {name}s", f"in {rows:,} rows") for name, rows in self.committed.items() if rows]
        if self.uncompared:
            rows = f"{self.uncompared:,} rows, whether they repeat a round: {NO_ROOM}"
            lines.append(("not compared", rows))
        lines += [("unknown", text) for text in self.unknown]
        lines += [("note", note) for note in self.notes]
        lines += [("block", block.text) for block in self.blocks]
        lines += [("suggestion", suggestion.text) for suggestion in self.suggestions]
        if self._diagnosis and self._diagnosis.note:
            lines.append(("no suggestion", self._diagnosis.note))
        elif self.suggestions:
            from .suggestions import MEANING as SUGGESTED

            lines.append(("that is", SUGGESTED))
        return lines

    def _mistakes(self) -> list[tuple[Failure, str]]:
        """Return lines of kept failures; equal failures of several rows are one line, with their number."""
        alike: dict[object, list[Failure]] = {}
        for failure in self.failures:
            shared = failure.kind in _SHARED
            key = (failure.kind, failure.column, repr(failure.found), repr(failure.expected))
            alike.setdefault(key if shared else failure.row, []).append(failure)
        told = []
        for failures in alike.values():
            first = failures[0]
            if first.kind not in _SHARED:
                told += [(failure, "") for failure in failures]
                continue
            least = "at least " if self._left_out else ""
            told.append((first, f"in {least}{len(failures):,} rows" if len(failures) > 1 else ""))
        return told

    def _details(self) -> str:
        shown = []
        if self.failures:
            told = self._mistakes()
            shown += [f"{failure}{f', {rows}' if rows else ''}" for failure, rows in told[:_LISTED]]
            more = len(told) - _LISTED + self._left_out
            if more > 0:
                shown.append(f"and {more:,} more")
            shown.append("")
        return "\n".join([*shown, MEANING])

    def _sections(self) -> str:
        parts = ""
        if self.failures:
            columns = ("row", *self._keep, "rows", "file", "kind", "expected", "found")
            rows = [
                (
                    str(f.row),
                    *("" if cell is None else to_text(cell) for cell in map(f.kept.get, self._keep)),
                    rows,
                    (f.file or "") if len(self.files) > 1 else "",
                    f.kind,
                    to_text(f.expected),
                    to_text(f.found),
                )
                for f, rows in self._mistakes()[:20]
            ]
            first = 1 + len(self._keep)  # the columns for the number of rows and their file, if known
            used = [i for i in range(len(columns)) if i not in (first, first + 1) or any(r[i] for r in rows)]
            table = html_table([columns[i] for i in used], [[row[i] for i in used] for row in rows], "l")
            parts = section("The first rows that failed", table, wide=True)
        return f"{parts}<p>{html(MEANING, None)}</p>"

    def _page_sections(self) -> str:
        return self._sections() + walkthroughs_html(self)

    def _cases(self) -> list[Case]:
        return cases_of(self)

    def __repr__(self) -> str:
        verdict = "ok" if self.ok else f"{self.failed} failed" if self.checked else "nothing to verify"
        if self.unchecked:
            verdict += f", {sum(self.unchecked.values())} not checkable"
        if not self.complete:
            lacking = "is shown" if self.unknown else "was compared"
            verdict += f", not all {lacking}" if self._all_read else ", not all was read"
        return f"<VerificationReport: {self.checked} rows of {plain(self.game)}, {verdict}>"


def about_lines(about: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return lines with the config's description of a log."""
    return [("about", f"{name}: {text}") for name, text in list(about.items())[:20]]


def header_of(report: VerificationReport) -> list[tuple[str, str]]:
    """Return the header's lines: what was checked, when and by which versions."""
    title = report.parameters.get("title")
    lines = [("game", f"{report.game}: {title}" if title else report.game), ("rows", f"{report.checked:,}")]
    lines += report.unchecked_lines()
    if report.error is not None:
        lines.append(("broken", report.error))
    shown = sorted(report.files, key=lambda file: file.error is None)[:10]
    for file in shown:
        count = f", {file.lines:,} lines" if file.lines is not None else ""
        size = f"{file.bytes:,} bytes, " if file.bytes or file.sha256 else ""  # queries have neither
        lines.append(("log", f"{file.file} ({size}{file.rows:,} rows{count})"))
        if file.error is not None:
            lines.append(("broken", file.error))
        elif file.sha256 is not None:
            lines.append(("SHA-256", file.sha256))
    lines += about_lines(report.parameters.get("about", {}))
    if len(report.files) > len(shown):
        lines.append(("logs", f"{len(report.files) - len(shown):,} more"))
    for name, reason in list(report.passed_over.items())[:10]:
        lines.append(("passed over", f"{name}: {reason}"))
    if len(report.passed_over) > 10:
        lines.append(("passed over", f"{len(report.passed_over) - 10:,} more"))
    if report.run is not None:
        lines.append(("checked", f"{report.run.started}, {report.run.seconds:.1f} s"))
    by = {"provably_fair": report.version} | ({} if report.run is None else report.run.versions)
    lines.append(("by", ", ".join(f"{name} {text}" for name, text in by.items())))
    return lines


def unread_lines(report: VerificationReport) -> list[tuple[str, str]]:
    """Return the line with the columns that weren't read, if there are any."""
    shown = ", ".join(map(shortened, report.unread[:20])) + ("..." if len(report.unread) > 20 else "")
    return [("not read", shown)] if report.unread else []


def walkthroughs_html(report: VerificationReport) -> str:
    """Return a section of a page: the first rows that failed, step by step, each to be unfolded."""
    shown: dict[int, str] = {}
    for failure, _ in report._mistakes():
        if failure.row in shown or failure.row not in report._counts.kept.failed:
            continue
        with suppress(ValueError):  # a cell of the row can't be read
            summary = html(f"{failure.place}: {failure.kind}", None)
            inside = report.explain(failure.row)._repr_html_()
            shown[failure.row] = f"<details><summary>{summary}</summary>{inside}</details>"
        if len(shown) == _EXPLAINED:
            break
    return section("The first failures, step by step", "".join(shown.values())) if shown else ""


def cases_of(report: VerificationReport) -> list[Case]:
    """Return JUnit's test cases: for the rows, each kind of failure, and what wasn't checked."""
    nothing = report.complete and not report.checked
    cases = [Case("rows", "failure" if nothing else "passed", report.verdict, output=str(report))]
    committed = [name for name, rows in report.committed.items() if rows]
    kinds = ["mismatch", "missing", "malformed", *committed, *report.counts]
    if report._repeats_fail:
        kinds.append("repeated")
    for kind in dict.fromkeys(kinds):
        count = report.counts.get(kind, 0)
        if not count:
            cases.append(Case(kind))
            continue
        first = [str(failure) for failure in report.failures if failure.kind == kind][:_LISTED]
        more = [f"and {count - len(first):,} more"] if count > len(first) else []
        said = f"{counted(count, 'failure')} in {report.checked:,} rows: {_WRONG[kind]}"
        cases.append(Case(kind, "failure", said, "\n".join([*first, *more])))
    if not report.complete:
        cases.append(Case("complete", "error", report.verdict, "\n".join(report.unknown)))
    return cases
