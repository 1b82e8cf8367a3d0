"""The verdict of an audit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from xml.etree import ElementTree

from provably_fair._core.arguments import integer
from provably_fair._core.printable import plain
from provably_fair._core.table import Framed, html_table, text_table
from provably_fair._core.types import Columns, JsonDict
from provably_fair._engine import __version__
from provably_fair.statistics import holm
from provably_fair.verification import VerificationReport
from provably_fair.verification.report import NO_ROOM
from provably_fair.verification.totals import Totals

from .check import Check, Context
from .finding import Finding
from .showing import FindingRows, finding_html, page

SCHEMA = "provably_fair.audit/1"
"""The version of what `AuditReport.to_dict` returns."""

_ORDER = ("proof", "evidence", "note")
_NOT_ALL = "not all rows were read and compared"


@dataclass(frozen=True)
class Test:
    """One statistical test of an audit, whether it found anything or not.

    Attributes
    ----------
    kind : str
        The kind of the finding that it raises.
    text : str
        What it found.
    raw : float
        Its p-value, of the rows at this look.
    pvalue : float
        The p-value that counts: valid at every look, and adjusted for all tests by Holm's rule.
    raised : bool
        Whether that is at most the report's level, so that there is a finding.
    """

    __test__ = False  # pytest would collect it

    kind: str
    text: str
    raw: float
    pvalue: float
    raised: bool


@dataclass
class AuditReport(Framed):
    """The verdict of an audit. Made by `audit` and `Auditor.report`.

    Attributes
    ----------
    verification : VerificationReport
        What `verify` says of the rows one by one.
    findings : list of Finding
        What the rows show together: proofs, then evidence, then notes.
    tests : list of Test
        All statistical tests, those that found nothing among them.
    unknown : list of str
        What this log can't show, and why.
    looks : int
        How many reports with new rows there were, this one among them.
    level : float
        The level of the tests.
    complete : bool
        Whether every file was read to its end, and every row compared: False where there was no room for
        rows, as `unknown` says then.
    version : str
        The package's version.
    """

    verification: VerificationReport
    findings: list[Finding]
    tests: list[Test]
    unknown: list[str]
    looks: int
    level: float
    complete: bool = True
    version: str = __version__
    _context: Any = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        # The log itself stays behind, as it does of a verification report.
        context = self._context
        kept = None if context is None else replace(context, plan=context.plan.without_log())
        return self.__dict__ | {"_context": kept}

    @property
    def ok(self) -> bool:
        """Whether all rows are verified and compared, with neither proof nor evidence against the log."""
        return (
            self.complete
            and self.verification.ok
            and all(finding.severity == "note" for finding in self.findings)
        )

    def to_dict(self) -> JsonDict:
        """Return the report as JSON's types.

        Returns
        -------
        dict
            Its ``schema`` names what the other keys mean and changes when they do.

        Examples
        --------
        >>> import provably_fair as pf
        >>> log = {"salt": pf.salts(4), "outcome": pf.Crash().simulate(4)}
        >>> pf.audit(log, pf.Crash()).to_dict()["schema"]
        'provably_fair.audit/1'
        """
        return {
            "schema": SCHEMA,
            "ok": self.ok,
            "complete": self.complete,
            "findings": [finding.to_dict() for finding in self.findings],
            "tests": [dict(vars(test)) for test in self.tests],
            "unknown": list(self.unknown),
            "looks": self.looks,
            "level": self.level,
            "verification": self.verification.to_dict(),
            "version": self.version,
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the report as JSON text.

        Parameters
        ----------
        indent : int, optional
            See `json.dumps`.

        Examples
        --------
        >>> import json
        >>> import provably_fair as pf
        >>> log = {"salt": pf.salts(4), "outcome": pf.Crash().simulate(4)}
        >>> json.loads(pf.audit(log, pf.Crash()).to_json())["ok"]
        True
        """
        return json.dumps(self.to_dict(), indent=indent)

    def to_junit(self) -> str:
        """Return the report as JUnit's XML, as continuous integration reads it.

        Returns
        -------
        str
            A test case for the rows, and one for each finding: proofs and evidence fail, notes are skipped.
            Rows that weren't compared are an error; what the log can't show is the output of the first case.

        Examples
        --------
        >>> import provably_fair as pf
        >>> log = {"salt": pf.salts(4), "outcome": pf.Crash().simulate(4)}
        >>> "<failure" in pf.audit(log, pf.Crash()).to_junit()
        False
        """
        failed = sum(finding.severity != "note" for finding in self.findings) + (not self.verification.ok)
        suite = ElementTree.Element(
            "testsuite",
            name=f"audit of {plain(self.verification.subject, None)}",
            tests=str(len(self.findings) + 1),
            failures=str(failed),
            skipped=str(sum(finding.severity == "note" for finding in self.findings)),
            errors=str(int(not self.complete)),
        )
        rows = ElementTree.SubElement(suite, "testcase", classname="provably_fair.audit", name="verification")
        if not self.verification.ok:
            failure = ElementTree.SubElement(
                rows,
                "failure",
                message=f"{self.verification.failed} of {self.verification.checked} rows failed",
            )
            failure.text = _for_xml(str(self.verification))
        if not self.complete:
            ElementTree.SubElement(rows, "error", message=_NOT_ALL)
        if self.unknown:
            ElementTree.SubElement(rows, "system-out").text = _for_xml("\n".join(self.unknown))
        for finding in self.findings:
            case = ElementTree.SubElement(
                suite, "testcase", classname="provably_fair.audit", name=f"{finding.kind}"
            )
            called = "skipped" if finding.severity == "note" else "failure"
            node = ElementTree.SubElement(case, called, message=_for_xml(finding.text))
            node.text = _for_xml(f"{finding.severity}; rows {_shown_rows(finding)}")
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)

    def _columns(self) -> Columns:
        names = ("kind", "severity", "text", "count", "pvalue", "rows")
        return {
            name: [
                list(value) if isinstance(value := getattr(one, name), tuple) else value
                for one in self.findings
            ]
            for name in names
        }

    def _verdict(self) -> str:
        if self.ok:
            return "nothing found" if not self.findings else "nothing found but notes"
        if not self.verification.checked:
            return "nothing to audit: no rows"
        counts = [
            f"{count} {name}{'s' if name == 'proof' and count > 1 else ''}"
            for name in _ORDER[:2]
            if (count := sum(finding.severity == name for finding in self.findings))
        ]
        if not self.verification.ok:
            counts.insert(0, "rows that aren't verified")
        parts = [] if self.complete else [f"NOT AUDITED: {_NOT_ALL}"]
        return "; ".join(parts + (["FOUND: " + ", ".join(counts)] if counts else []))

    def _lines(self) -> list[tuple[str, str]]:
        found = self.verification
        lines = [
            ("verdict", self._verdict()),
            ("subject", found.subject),
            ("rows", f"{found.checked:,}, {found.failed:,} of them failed"),
            *found.unchecked_lines(),
        ]
        if self.tests:
            raised = sum(test.raised for test in self.tests)
            look = f", at look {self.looks}" if self.looks > 1 else ""
            lines.append(("tests", f"{len(self.tests)}, {raised} below {self.level:g}{look}"))
        lines += [("unknown", text) for text in self.unknown]
        return lines

    def __str__(self) -> str:
        parts = [text_table(("", ""), self._lines(), "l")]
        for finding in self.findings:
            parts += ["", plain(str(finding), None)]
            if finding.rows:
                parts.append(f"  rows {_shown_rows(finding)}")
            if finding.pvalue is not None:
                parts.append(f"  p-value {_shown_pvalue(finding)}")
        return "\n".join(parts)

    def __repr__(self) -> str:
        verdict = "ok" if self.ok else ", ".join(finding.kind for finding in self.findings) or "not verified"
        if not self.complete:
            verdict += ", not all rows were compared"
        found = self.verification
        return f"<AuditReport: {found.checked} rows of {plain(found.subject)}, {plain(verdict)}>"

    def _repr_html_(self) -> str:
        return html_table(("", ""), self._lines(), "l", labels=True) + "".join(
            map(finding_html, self.findings)
        )

    def to_html(self) -> str:
        """Return the report as one page that needs nothing else: findings with their pictures, tests, rows.

        Returns
        -------
        str
            A whole HTML document, to be written to a file; it is light or dark as the reader has it.

        Examples
        --------
        >>> import provably_fair as pf
        >>> log = {"salt": pf.salts(4), "outcome": pf.Crash().simulate(4)}
        >>> pf.audit(log, pf.Crash()).to_html().startswith("<!doctype html>")
        True
        """
        facts = [line for line in self._lines() if line[0] != "unknown"]
        tests = [
            (test.kind, test.text, f"{test.pvalue:.3g}", "raised" if test.raised else "")
            for test in self.tests
        ]
        return page(
            self.verification.subject,
            html_table(("", ""), facts, "l", labels=True),
            self.findings,
            tests,
            self.unknown,
            self.verification._repr_html_(),
        )

    def explain(self, finding: Finding | str | None = None, *, rows: int = 3) -> FindingRows:
        """Return rows of a finding, with what the log has of them and their walk-throughs.

        Parameters
        ----------
        finding : Finding or str, optional
            One of `findings`, or its kind; by default the first one that names rows.
        rows : int
            How many of its rows, from the first one on.

        Returns
        -------
        FindingRows
            Print it, or show it in a notebook. Rows that can't be read again are named, with the reason.

        Raises
        ------
        ValueError
            When there is no such finding.

        Examples
        --------
        >>> import provably_fair as pf
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
            raise ValueError(
                f"finding must be one of the report's, or its kind: {known}; got {finding!r:.80}"
            )
        shown = next((one for one in chosen if one.rows), chosen[0])
        logged: dict[int, Any] = {}
        walkthroughs, left_out = {}, {}
        for row in shown.rows[:count]:
            try:
                logged[row] = self._context.plan.row(row)
                walkthroughs[row] = self.verification.explain(row)
            except (ValueError, IndexError) as error:
                left_out[row] = str(error)
        return FindingRows(shown, logged, walkthroughs, left_out)


def _shown_rows(finding: Finding) -> str:
    shown = ", ".join(map(str, finding.rows[:10]))
    return shown + (", ..." if len(finding.rows) > 10 else "")


def _shown_pvalue(finding: Finding) -> str:
    return "" if finding.pvalue is None else f"{finding.pvalue:.3g}"


def _for_xml(text: str) -> str:
    """Return text without characters that XML can't hold."""
    return plain(text.replace("\n", " | "), None)


def conclude(
    context: Context, totals: Totals, checks: Sequence[Check], looks: int, *, last: bool
) -> AuditReport:
    """Return the report: facts as they are, and of the tests those that hold at this look, and for all tests.

    The k-th look multiplies p-values by k (k + 1), the last one by k: the reciprocals of these numbers add up
    to 1 wherever it ends, so that the chance that any look ever falls below a level is at most that level.
    Then Holm's rule for all tests.
    """
    verified = totals.conclude()
    found = [finding for check in checks for finding in check.findings(verified)]
    facts = [finding for finding in found if finding.pvalue is None]
    tested = [finding for finding in found if finding.pvalue is not None]
    raw = [float(finding.pvalue) for finding in tested if finding.pvalue is not None]
    charge = looks if last else looks * (looks + 1)
    adjusted = holm([min(1.0, p * charge) for p in raw])
    tests = [
        Test(finding.kind, finding.text, p, adjusted_p, adjusted_p <= context.level)
        for finding, p, adjusted_p in zip(tested, raw, adjusted, strict=True)
    ]
    raised = [
        replace(finding, pvalue=test.pvalue)
        for finding, test in zip(tested, tests, strict=True)
        if test.raised
    ]
    findings = sorted(facts + raised, key=lambda finding: _ORDER.index(finding.severity))
    repeated = (verified.uncompared, "whether rounds come again")
    lost = [one for one in (repeated, *(check.uncompared() for check in checks)) if one[0]]
    unknown = [f"{NO_ROOM}, for {count:,} rows: {what}" for count, what in lost]
    unknown += [text for check in checks for text in check.unknown()]
    complete = verified.complete and not lost
    unknown = list(dict.fromkeys([*verified.unknown, *unknown]))
    return AuditReport(verified, findings, tests, unknown, looks, context.level, complete, _context=context)
