"""The verdict on a log, with what it rests on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from provably_fair._core.arguments import integer
from provably_fair._core.optional import optional
from provably_fair._core.printable import html as html_text
from provably_fair._core.printable import plain as plain_text
from provably_fair._core.table import Framed, short_repr, text_table
from provably_fair._engine import __version__
from provably_fair.walkthrough import Walkthrough

from .sources import Evidence

SCHEMA = "provably_fair.verification/1"
"""The version of what `VerificationReport.to_dict` returns."""

COMPARED_FOR_REPEATS = 1 << 24
"""The most rows that are compared with each other for repeated salts or seed pairs."""

MEANING = (
    "A pass proves that each logged outcome is what its seeds give. It doesn't prove that the seeds and "
    "salts were chosen fairly: that takes a hash of each, published before the round."
)


class VerificationError(AssertionError):
    """A log that doesn't agree with its seeds. `report` is the `VerificationReport`."""

    def __init__(self, report: VerificationReport) -> None:
        super().__init__(str(report))
        self.report = report

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.report,)


@dataclass(frozen=True, repr=False)
class Failure:
    """One thing wrong with one row of a log.

    Attributes
    ----------
    row : int
        The row's position in the log, from 0. In a folder the count runs through all files.
    kind : str
        "mismatch": the logged outcome isn't the recomputed one. "commitment" or "salt_commitment": the
        SHA-256 of the server seed or of the salt isn't the published one. "missing": a cell that is
        needed is empty. "malformed": a cell, or the whole line, can't be read.
    expected : object
        The recomputed outcome or hash; None where a missing or malformed cell allows none.
    found : object
        What the log has.
    column : str
        The column's name; empty for a whole line.
    file : str or None
        The file; None in memory.
    file_row : int
        The row's position in its file, from 0, not counting a header.
    """

    row: int
    kind: str
    expected: Any
    found: Any
    column: str = ""
    file: str | None = None
    file_row: int = 0

    __repr__ = short_repr

    def __str__(self) -> str:
        where = f"row {self.row}" if self.file is None else f"{plain(self.file)}, row {self.file_row}"
        column = f" in column '{plain(self.column)}'" if self.column else ""
        text = f"{where}: {self.kind}{column}: found {plain(_shown(self.found))}"
        return text if self.expected is None else f"{text}, expected {plain(_shown(self.expected))}"


def plain(text: str) -> str:
    """Return text that is safe to show, whole: what a report keeps is short enough."""
    return plain_text(text, None)


def html(text: str) -> str:
    """Return text that is safe in HTML, whole."""
    return html_text(text, None)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


@dataclass
class VerificationReport(Framed):
    """The verdict on a log, with what it rests on. Made by `verify`.

    Attributes
    ----------
    subject : str
        What the log was checked against.
    parameters : dict
        The game and its parameters, and the columns by field.
    checked : int
        The number of rows.
    failed : int
        The number of rows with at least one failure.
    counts : dict of str to int
        The number of failures of each kind that came up.
    failures : list of Failure
        The failures by row; at most the first 10,000, though `counts` counts all.
    repeated : int
        How many rows have the salt (in card games: the seed pair) of an earlier row. That is no failure:
        a log of bets has a row for each bet of a round. But a salt should serve one round only.
    repeats : list of (int, int)
        The first 1,000 of them: the earlier row, the row. They are found by fingerprints of 64 bits;
        that two different salts have the same one is improbable but possible.
    compared_for_repeats : int
        How many rows were compared for that: all, up to 2**24, to keep memory within bounds.
    files : list
        The files read: name, bytes, SHA-256.
    version : str
        The package's version.
    """

    subject: str
    parameters: dict[str, Any]
    checked: int = 0
    failed: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    repeated: int = 0
    repeats: list[tuple[int, int]] = field(default_factory=list)
    compared_for_repeats: int = 0
    files: list[Evidence] = field(default_factory=list)
    version: str = __version__
    _check: Any = field(default=None, repr=False, compare=False)
    _rows: dict[int, dict[str, Any]] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        # The log itself stays behind: only the rows kept with the report can be explained then.
        return self.__dict__ | {"_check": None if self._check is None else self._check.without_log()}

    @property
    def ok(self) -> bool:
        """Whether no row failed."""
        return self.failed == 0

    def explain(self, row: int | None = None) -> Walkthrough:
        """Return what shows how the seeds of a row give its outcome.

        Parameters
        ----------
        row : int, optional
            The row's position in the log; the first failed row by default.

        Returns
        -------
        Walkthrough
            As the game's or the dice's own ``explain`` returns it. Print it, show it in a notebook, or take
            its `~Walkthrough.to_dict`. Of FPClub's dice it is compared with the row: with its hash (and the
            repair, if there is one), or its throws.

        Raises
        ------
        IndexError
            If the log has no such row.
        ValueError
            If the row's seeds can't be read, or the log can't be read again.

        Examples
        --------
        >>> import provably_fair as pf
        >>> log = {"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "55"]}
        >>> report = pf.verify(log, pf.fpclub.Combined)
        >>> report.explain()
        <Walkthrough of FPClub's combined dice: 13>
        >>> report.explain(0).outcome
        '16'
        """
        if row is None:
            if not self.failures:
                raise ValueError("row must be given: no row failed")
            row = self.failures[0].row
        row = integer("row", row)
        if not 0 <= row < self.checked:
            raise IndexError(f"row must be from 0 to {self.checked - 1}, got {row}")
        values = self._rows.get(row)
        if values is None:
            values = self._check.row(row)
        try:
            walkthrough: Walkthrough = self._check.system.explain(values)
            return walkthrough
        except (ValueError, TypeError) as error:
            raise ValueError(f"row {row} can't be explained: {plain(str(error))}") from None

    def raise_if_failed(self) -> VerificationReport:
        """Raise `VerificationError` if a row failed; else return the report itself.

        Examples
        --------
        >>> import provably_fair as pf
        >>> log = {"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "13"]}
        >>> pf.verify(log, pf.fpclub.Combined).raise_if_failed().checked
        2
        """
        if not self.ok:
            raise VerificationError(self)
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON's types.

        Returns
        -------
        dict
            Its ``schema`` names what the other keys mean and changes when they do.

        Examples
        --------
        >>> import provably_fair as pf
        >>> log = {"server_seed": "a", "client_seed": "b", "salt": ["c", "d"], "outcome": [37.36, 1.0]}
        >>> report = pf.verify(log, pf.Dice())
        >>> report.to_dict()["schema"], report.to_dict()["checked"]
        ('provably_fair.verification/1', 2)
        """
        return {
            "schema": SCHEMA,
            "ok": self.ok,
            "subject": self.subject,
            "parameters": self.parameters,
            "checked": self.checked,
            "failed": self.failed,
            "counts": dict(self.counts),
            "failures": [dict(vars(failure)) for failure in self.failures],
            "failures_left_out": sum(self.counts.values()) - len(self.failures),
            "repeated": self.repeated,
            "repeats": [list(pair) for pair in self.repeats],
            "compared_for_repeats": self.compared_for_repeats,
            "files": [dict(vars(file)) for file in self.files],
            "version": self.version,
            "meaning": MEANING,
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
        >>> log = {"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "55"]}
        >>> report = json.loads(pf.verify(log, pf.fpclub.Combined).to_json())
        >>> report["ok"], report["failures"][0]["row"], report["failures"][0]["expected"]
        (False, 1, '13')
        """
        return json.dumps(self.to_dict(), indent=indent)

    def to_pandas(self) -> Any:
        """Return the kept failures as a pandas DataFrame, a row for each.

        Examples
        --------
        >>> import provably_fair as pf
        >>> log = {"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "55"]}
        >>> pf.verify(log, pf.fpclub.Combined).to_pandas()[["row", "kind", "expected", "found"]]
           row      kind expected found
        0    1  mismatch       13    55
        """
        pd = optional("pandas", "arrow", "to_pandas")
        columns = ["row", "kind", "expected", "found", "column", "file", "file_row"]
        data: dict[str, Any] = {name: [getattr(f, name) for f in self.failures] for name in columns}
        for name in ("expected", "found"):  # of any type
            data[name] = pd.Series(data[name], dtype=object)
        return pd.DataFrame(data, columns=columns)

    def _columns(self) -> dict[str, Any]:
        columns = ("row", "kind", "expected", "found", "column", "file", "file_row")
        return {name: [getattr(failure, name) for failure in self.failures] for name in columns}

    def _lines(self) -> list[tuple[str, str]]:
        verdict = "verified" if self.ok else f"FAILED: {self.failed:,} of {self.checked:,} rows"
        if not self.checked:
            verdict = "nothing to verify: no rows"
        lines = [
            ("verdict", verdict),
            ("subject", self.subject),
            ("rows", f"{self.checked:,}"),
        ]
        lines += [(kind, f"{count:,}") for kind, count in sorted(self.counts.items())]
        if self.repeated:
            earlier, row = self.repeats[0]
            lines.append(("repeated", f"{self.repeated:,} rows, the first is row {row} (as row {earlier})"))
        if self.compared_for_repeats >= COMPARED_FOR_REPEATS:
            lines.append(("compared", f"only {self.compared_for_repeats:,} rows were compared for repeats"))
        for file in self.files[:10]:
            lines.append(("file", f"{file.file} ({file.bytes:,} bytes)"))
            lines.append(("SHA-256", file.sha256))
        if len(self.files) > 10:
            lines.append(("files", f"{len(self.files) - 10} more"))
        lines.append(("version", f"provably_fair {self.version}"))
        return lines

    def __str__(self) -> str:
        lines = self._lines()
        shown = [text_table(("", ""), lines, "l")]
        if self.failures:
            shown.append("")
            shown += [str(failure) for failure in self.failures[:10]]
            more = sum(self.counts.values()) - 10
            if more > 0:
                shown.append(f"and {more:,} more")
        return "\n".join([*shown, "", MEANING])

    def __repr__(self) -> str:
        verdict = "ok" if self.ok else f"{self.failed} failed"
        return f"<VerificationReport: {self.checked} rows of {plain(self.subject)}, {verdict}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html(name)}</th><td>{html(value)}</td></tr>" for name, value in self._lines()
        )
        table = ""
        if self.failures:
            head = "".join(f"<th>{name}</th>" for name in ("row", "file", "kind", "expected", "found"))
            body = "".join(
                "<tr>"
                + "".join(
                    f"<td>{html(str(value))}</td>"
                    for value in (f.row, f.file or "", f.kind, _shown(f.expected), _shown(f.found))
                )
                + "</tr>"
                for f in self.failures[:20]
            )
            table = f"<table><tr>{head}</tr>{body}</table>"
        return f"<table>{rows}</table>{table}<p>{html(MEANING)}</p>"
