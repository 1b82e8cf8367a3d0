"""The base class of reports: a verdict and its reasons as text, page, JSON and JUnit XML."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from .printable import html, plain
from .table import Colored, Framed, html_table, text_table
from .types import JsonDict

Tone = Literal["good", "bad", "open"]
TONES: dict[Tone, str] = {"good": "#1f883d", "bad": "#d1242f", "open": "#9a6700"}
"""Colors of verdicts, legible on white and on black."""
_SHADES: dict[Tone, tuple[str, str]] = {
    "good": ("#1a7f37", "#56d364"),
    "bad": ("#b3171f", "#ff7b72"),
    "open": ("#7d5300", "#e3b341"),
}
"""The colors for light and for dark pages."""
_ANSI: dict[Tone, str] = {"good": "1;32", "bad": "1;31", "open": "1;33"}
_STYLE = (
    ":root{color-scheme:light dark}body{font-family:system-ui,sans-serif;line-height:1.45;max-width:60em;"
    "margin:2em auto;padding:0 1em}section{border-top:1px solid #8888;margin-top:1.5em;padding-top:0.5em}"
    "h1{font-size:1.5em;overflow-wrap:anywhere}h2{font-size:1.15em}svg{max-width:100%;height:auto}"
    "div.wide{overflow-x:auto}div.wide td,div.wide th{vertical-align:top}div.rows table{min-width:44em}"
    "thead th{white-space:nowrap}table{margin-bottom:0.8em}"
    "details{margin:0.4em 0}details details{margin-left:1em}summary{cursor:pointer}"
    "p.verdict{font-size:1.2em;font-weight:bold;border-left:0.3em solid;padding-left:0.6em}"
    + "".join(
        # Cells use the one color that is legible on any page; here the background is known.
        f'p.{tone},[style*="{TONES[tone]}"]{{color:light-dark({light},{dark})!important}}'
        for tone, (light, dark) in _SHADES.items()
    )
)


@dataclass(frozen=True)
class Case:
    """A test case in JUnit XML."""

    name: str
    outcome: Literal["passed", "failure", "error", "skipped"] = "passed"
    message: str = ""
    text: str = ""
    output: str = ""


class Report(Framed):
    """A report: a verdict with its reasons."""

    _what: ClassVar[str]  # the kind of report, such as "Audit"

    @property
    def ok(self) -> bool:
        """Whether the verdict is good."""
        raise NotImplementedError

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        raise NotImplementedError

    def to_dict(self) -> JsonDict:
        """Return the report as JSON's types; ``schema`` tells what the keys mean, and changes with it."""
        raise NotImplementedError

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the report as JSON text.

        Parameters
        ----------
        indent : int, optional
            See `json.dumps`.

        Examples
        --------
        >>> import json
        >>> log = {"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "55"]}
        >>> report = json.loads(pf.verify(log, pf.operators.fpclub.Combined).to_json())
        >>> report["ok"], report["failures"][0]["row"], report["failures"][0]["expected"]
        (False, 1, '13')
        """
        return json_text(self.to_dict(), indent)

    def to_html(self) -> str:
        """Return the report as a self-contained HTML page, light or dark as the reader has it."""
        headline = html(self._headline(), None)
        return page(
            f"{self._what} of {self._about()}",
            f'<p class="verdict {self._tone()}">{headline}</p><div class="wide">{_facts(self._lines())}</div>'
            f"{self._page_sections()}",
        )

    def to_junit(self) -> str:
        """Return the report as JUnit's XML, as continuous integration reads it.

        Each kind of failures that rows may have is a test case, and so is each finding or test: proofs and
        evidence fail, notes are skipped. What wasn't read or compared is an error.
        """
        from xml.etree import ElementTree

        cases = self._cases()
        counts = {
            name: str(sum(case.outcome == outcome for case in cases))
            for name, outcome in {"failures": "failure", "errors": "error", "skipped": "skipped"}.items()
        }
        name = f"{self._what.lower()} of {plain(self._about(), None)}"
        suite = ElementTree.Element("testsuite", {"name": name, "tests": str(len(cases)), **counts})
        for case in cases:
            node = ElementTree.SubElement(
                suite, "testcase", classname=f"provably_fair.{self._what.lower()}", name=_for_xml(case.name)
            )
            if case.outcome != "passed":
                element = ElementTree.SubElement(node, case.outcome, message=_for_xml(case.message))
                element.text = _lines_for_xml(case.text)
            if case.output:
                ElementTree.SubElement(node, "system-out").text = _lines_for_xml(case.output)
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)

    def print(self) -> None:
        """Print the report; on a terminal the verdict is in color."""
        first, line, rest = str(self).partition("\n")
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            first = f"\x1b[{_ANSI[self._tone()]}m{first}\x1b[0m"
        print(first + line + rest)

    def __str__(self) -> str:
        lines = text_table(("", ""), [("verdict", self._headline()), *self._lines()], "l")
        details = self._details()
        return f"{lines}\n\n{details}" if details else lines

    def _repr_html_(self) -> str:
        verdict = Colored(self._headline(), TONES[self._tone()])
        # Headings of a notebook are its reader's own: a card's sections would stand among them.
        sections = self._sections().replace("<h2>", "<h5>").replace("</h2>", "</h5>")
        return f"<div>{_facts([('verdict', verdict), *self._lines()])}{sections}</div>"

    # To be defined by subclasses

    def _headline(self) -> str:
        """Return the verdict in one line."""
        return self.verdict

    def _about(self) -> str:
        """Return the subject of the report, as it can be typed."""
        raise NotImplementedError

    def _tone(self) -> Tone:
        """Return the tone of the verdict; "open" if there is none."""
        return "good" if self.ok else "bad"

    def _lines(self) -> list[tuple[str, str]]:
        """Return facts about the input: names and texts."""
        raise NotImplementedError

    def _details(self) -> str:
        """Return the rest of the text."""
        return ""

    def _sections(self) -> str:
        """Return the rest of the page, as HTML."""
        return ""

    def _page_sections(self) -> str:
        """Return the sections of a standalone page, as HTML."""
        return self._sections()

    def _cases(self) -> Sequence[Case]:
        """Return the test cases for JUnit XML."""
        raise NotImplementedError


def page(title: str, inside: str) -> str:
    """Return a self-contained HTML document."""
    title = html(title, None)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{title}</title><style>{_STYLE}</style>'
        f"</head><body><h1>{title}</h1>{inside}</body></html>\n"
    )


def section(title: str, inside: str, wide: bool = False) -> str:
    """Return a section of a page; a wide table scrolls on small screens."""
    head = f"<h2>{html(title, None)}</h2>" if title else ""
    return f'<section>{head}<div class="wide{" rows" if wide else ""}">{inside}</div></section>'


def _facts(lines: Sequence[tuple[Any, Any]]) -> str:
    return html_table(("", ""), lines, "l", labels=True)


def json_text(values: JsonDict, indent: int | None) -> str:
    """Return a dictionary as JSON, which has no infinities: they are text."""
    return json.dumps(finite(values), indent=indent, allow_nan=False)


def finite(value: Any) -> Any:
    """Return JSON types, with non-finite numbers as text: "inf", "-inf", "nan"."""
    if isinstance(value, dict):
        return {name: finite(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(one) for one in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _lines_for_xml(text: str) -> str:
    """Return lines of text, each without characters that XML can't hold."""
    return "\n".join(line if line.isprintable() else _for_xml(line) for line in text.split("\n"))


def _for_xml(text: str) -> str:
    """Return text without the characters that XML excludes."""
    return plain(text.replace("\n", " | "), None)
