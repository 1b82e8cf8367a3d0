"""The verdict of an audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from provably_fair._core.arguments import BadValue, integer
from provably_fair._core.printable import counted, html, plain
from provably_fair._core.report import Case, Report, section
from provably_fair._core.table import html_table
from provably_fair._core.types import Columns, JsonDict
from provably_fair._engine import __version__
from provably_fair.statistics.corrections import holm
from provably_fair.verification import VerificationReport
from provably_fair.verification.concluding import conclude as conclude_log
from provably_fair.verification.failures import Failures
from provably_fair.verification.likely import likely_fields
from provably_fair.verification.report import (
    NO_ROOM,
    cases_of,
    header_of,
    unread_lines,
    walkthroughs_html,
)
from provably_fair.verification.systems import read_as
from provably_fair.verification.verified import Verified

from .check import Check, Context
from .finding import Finding
from .html import FindingRows, finding_html

SCHEMA = "provably_fair.audit/3"
"""The version of what `AuditReport.to_dict` returns."""

_ORDER = ("proof", "evidence", "note")
_KEPT_REPEATS = 1 << 20
"""The largest number of repeated rounds that are excluded from tests."""
_NOT_ALL = "not all rows were read and compared"


@dataclass(frozen=True)
class AuditTest:
    """One statistical test of an audit, whether it found anything or not."""

    __test__ = False  # pytest would collect it

    kind: str  # the kind of the finding that it raises
    text: str  # the sentence of its finding
    raw: float  # its p-value for the rows at this look
    pvalue: float  # the adjusted p-value: valid at every look, and corrected for all tests by Holm's method
    raised: bool  # whether it is at most the report's level, so there is a finding


@dataclass(repr=False)
class AuditReport(Report):
    """The verdict of an audit. Made by `audit` and `Auditor.report`.

    Attributes
    ----------
    verification : VerificationReport
        The report of `verify` on single rows.
    game : str
        The game, as it can be typed.
    findings : list of Finding
        The findings: proofs, then evidence, then notes.
    tests : list of AuditTest
        All statistical tests, including those without a finding.
    unknown : list of str
        Facts that this log can't show, with reasons.
    looks : int
        The number of reports with new rows, including this one.
    level : float
        The level of the tests.
    complete : bool
        Whether every file was read to its end, and every row compared. False if there was no room to compare
        rows; `unknown` then says so.
    dates : (str, str) or None
        The times of the first and the last bet, if the log has times.
    version : str
        The package's version.
    seed : int
        The seed that chose what was looked at where there is too much of it.
    last : bool
        Whether this is the last report on the log, as that of `audit` is.
    """

    verification: VerificationReport
    findings: list[Finding]
    tests: list[AuditTest]
    unknown: list[str]
    looks: int
    level: float
    complete: bool = True
    dates: tuple[str, str] | None = None
    version: str = __version__
    seed: int = 0
    last: bool = True
    game: str = field(init=False)

    _what = "Audit"

    def __post_init__(self) -> None:
        self.game = self.verification.game

    @property
    def ok(self) -> bool:
        """Whether all rows are verified and compared, without proof or evidence against the log."""
        return (
            self.complete
            and self.verification.ok
            and all(finding.severity == "note" for finding in self.findings)
        )

    @property
    def likely_columns(self) -> dict[str, str]:
        """Columns of the log that weren't read, by the field that each may be."""
        return likely_fields(self.verification.parameters.get("columns", {}), self.verification.unread)

    def to_dict(self) -> JsonDict:
        """Return the report as JSON's types; ``schema`` tells what the keys mean, and changes with it."""
        return {
            "schema": SCHEMA,
            "ok": self.ok,
            "complete": self.complete,
            "findings": [finding.to_dict() for finding in self.findings],
            "tests": [dict(vars(test)) for test in self.tests],
            "unknown": list(self.unknown),
            "likely_columns": self.likely_columns,
            "looks": self.looks,
            "level": self.level,
            "dates": None if self.dates is None else list(self.dates),
            "verification": self.verification.to_dict(),
            "version": self.version,
        }

    def _columns(self) -> Columns:
        names = ("kind", "severity", "text", "count", "pvalue")
        columns: dict[str, Any] = {name: [getattr(one, name) for one in self.findings] for name in names}
        return columns | {"rows": [list(one.rows) for one in self.findings]}

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        count = Counter(finding.severity for finding in self.findings)
        notes = counted(count["note"], "note") if count["note"] else ""
        if self.ok:
            return f"nothing found but {notes}" if notes else "nothing found"
        if not self.verification.checked:
            return "nothing to audit: no rows"
        parts = [] if self.complete else [f"NOT AUDITED: {_NOT_ALL}"]
        if not self.verification.ok:
            parts.append("FOUND: rows that aren't verified")
        found = count["proof"] + count["evidence"]
        if found:
            pieces = f"{count['evidence']} piece{'s' * (count['evidence'] != 1)} of evidence"
            parts.append(f"FOUND: {counted(found, 'finding')}: {counted(count['proof'], 'proof')}, {pieces}")
        return "; ".join([*parts, *([notes] if notes else [])])

    def _tone(self) -> Literal["good", "bad", "open"]:
        found = self.verification.failed or any(finding.severity != "note" for finding in self.findings)
        return "good" if self.ok else "bad" if found else "open"

    def _about(self) -> str:
        return self.game

    def _lines(self) -> list[tuple[str, str]]:
        found = self.verification
        rows = ("rows", f"{found.checked:,}, {found.failed:,} of them failed")
        lines = [rows if line[0] == "rows" else line for line in header_of(found)]
        lines += [("note", note) for note in read_as(found.notations)]
        if self.dates is not None:
            lines.append(("bets", f"from {self.dates[0]} to {self.dates[1]}"))
        lines += unread_lines(found)
        lines += [
            ("not read", f"{column}, which may be the {name}: columns={{{name!r}: {column!r}}}")
            for name, column in self.likely_columns.items()
        ]
        if self.tests:
            raised = sum(test.raised for test in self.tests)
            look = f", at look {self.looks}" if self.looks > 1 else ""
            lines.append(("tests", f"{len(self.tests)}, {raised} below {self.level:g}{look}"))
        return lines

    def _details(self) -> str:
        parts = []
        for finding in self.findings:
            parts += ["", plain(str(finding), None)]
            if finding.rows:
                parts.append(f"  rows {_shown_rows(finding)}")
            if finding.pvalue is not None:
                parts.append(f"  p-value {finding.pvalue:.3g}")
        if self.unknown:
            parts += ["", "What this log can't show:", *(f"- {plain(text, None)}" for text in self.unknown)]
        return "\n".join(parts).strip()

    def _sections(self) -> str:
        parts = [section("", finding_html(one)) for one in self.findings]
        tests = [
            (test.kind, test.text, f"{test.pvalue:.3g}", "raised" if test.raised else "")
            for test in self.tests
        ]
        if tests:
            table = html_table(("test of", "what it found", "p-value", ""), tests, "l")
            parts.append(section("All tests", table, wide=True))
        if self.unknown:
            listed = "".join(f"<li>{html(text, None)}</li>" for text in self.unknown)
            parts.append(section("What this log can't show", f"<ul>{listed}</ul>"))
        parts.append(section("Row by row", self.verification._repr_html_()))
        return "".join(parts)

    def _page_sections(self) -> str:
        return self._sections() + walkthroughs_html(self.verification)

    def _cases(self) -> list[Case]:
        unknown = "\n".join(self.unknown)
        first, *others = (case for case in cases_of(self.verification) if case.name != "complete")
        cases = [replace(first, output=f"{first.output}\n{unknown}"), *others]
        if not self.complete:
            cases.append(Case("complete", "error", _NOT_ALL, unknown))
        for finding in self.findings:
            outcome: Literal["skipped", "failure"] = "skipped" if finding.severity == "note" else "failure"
            text = f"{finding.severity}; rows {_shown_rows(finding)}"
            cases.append(Case(finding.kind, outcome, finding.text, text))
        return cases

    def __repr__(self) -> str:
        verdict = "ok" if self.ok else ", ".join(finding.kind for finding in self.findings) or "not verified"
        if not self.complete:
            verdict += ", not all rows were compared"
        found = self.verification
        return f"<AuditReport: {found.checked} rows of {plain(self.game)}, {plain(verdict)}>"

    def explain(self, finding: Finding | str | None = None, *, rows: int = 3) -> FindingRows:
        """Return rows of a finding, with their cells in the log and their walk-throughs.

        Parameters
        ----------
        finding : Finding or str, optional
            One of `findings`, or its kind; by default the first one with rows.
        rows : int
            The number of its rows to show, from the first one on.

        Returns
        -------
        FindingRows
            Print it, or display it in a notebook. Rows that can't be read again are listed with the reason.

        Raises
        ------
        ValueError
            When there is no such finding.

        Examples
        --------
        >>> bet = pf.Dice().bet(1.98, under=50)
        >>> log = {"server_seed": "a", "client_seed": "b", "salt": ["c", "d"], "outcome": [33.26, 35.87]}
        >>> report = pf.audit(log | {"stake": [10, 10], "payout": [19, 19.8]}, "dice", bet=bet)
        >>> shown = report.explain("payout_mismatch")
        >>> shown, shown.logged[0]["payout"], float(shown.walkthroughs[0].outcome)
        (<FindingRows of payout_mismatch: rows 0>, 19, 33.26)
        """
        count = integer("rows", rows, 1)
        chosen = [one for one in self.findings if finding in (None, one, one.kind)]
        if not chosen:
            known = ", ".join(dict.fromkeys(one.kind for one in self.findings)) or "none"
            raise BadValue("finding", f"must be one of the report's or a kind, {known}, got {finding!r:.80}")
        shown = next((one for one in chosen if one.rows), chosen[0])
        logged: dict[int, Any] = {}
        walkthroughs, left_out = {}, {}
        for row in shown.rows[:count]:
            try:
                logged[row] = self.verification.cells(row)
                walkthroughs[row] = self.verification.explain(row)
            except (ValueError, IndexError) as error:
                left_out[row] = str(error)
        return FindingRows(shown, logged, walkthroughs, left_out)


def _shown_rows(finding: Finding) -> str:
    shown = ", ".join(map(str, finding.rows[:10]))
    return shown + (", ..." if len(finding.rows) > 10 else "")


def conclude(
    context: Context,
    log: Verified,
    checks: Sequence[Check],
    looks: int,
    last: bool,
    failures: Failures | None,
    dates: tuple[str, str] | None,
) -> AuditReport:
    """Return the report: all facts, and the tests that are significant after correction for looks and tests.

    The k-th look multiplies p-values by k (k + 1), the last one by k: the reciprocals of these numbers add up
    to 1 wherever it ends, so that the chance that any look ever falls below a level is at most that level.
    Then Holm's rule for all tests.
    """
    verified = conclude_log(log, failures)
    if verified.repeats.count:
        all_known = len(verified.repeats.rows) == verified.repeats.count
        pairs = verified.repeats.rows if all_known else log.first_repeats(_KEPT_REPEATS)
        again = np.array([row for _, row in pairs], np.int64)
        for check in checks:
            check.leave_out(again)
    found = [finding for check in checks for finding in check.findings(verified)]
    facts = [finding for finding in found if finding.pvalue is None]
    tested = [(finding, float(finding.pvalue)) for finding in found if finding.pvalue is not None]
    charge = looks if last else looks * (looks + 1)
    adjusted = holm([min(1.0, p * charge) for _, p in tested])
    tests = [
        AuditTest(finding.kind, finding.text, p, adjusted_p, adjusted_p <= context.level)
        for (finding, p), adjusted_p in zip(tested, adjusted, strict=True)
    ]
    raised = [
        replace(finding, pvalue=test.pvalue)
        for (finding, _), test in zip(tested, tests, strict=True)
        if test.raised
    ]
    findings = sorted(facts + raised, key=lambda finding: _ORDER.index(finding.severity))
    repeated = (verified.uncompared, "whether rounds come again")
    lost = [one for one in (repeated, *(check.uncompared() for check in checks)) if one[0]]
    unknown = [f"{NO_ROOM}, for {count:,} rows: {what}" for count, what in lost]
    unknown += [text for check in checks for text in check.unknown()]
    complete = verified.complete and not lost
    unknown = list(dict.fromkeys([*verified.unknown, *unknown]))
    seen = looks, context.level, complete, dates
    return AuditReport(verified, findings, tests, unknown, *seen, seed=context.seed, last=last)
