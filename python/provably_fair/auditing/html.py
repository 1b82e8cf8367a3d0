"""HTML of audits: findings with pictures, and their rows with walk-throughs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from provably_fair._core.printable import html, plain
from provably_fair._core.table import html_table, short, svg_bars, text_table
from provably_fair._core.types import JsonDict

from .finding import Finding

if TYPE_CHECKING:
    from provably_fair.walkthrough import Walkthrough

_WIDTH, _HEIGHT = 640, 120
_LINES = 40
_LETTER = 7
_LONGEST_LABEL = 9


@dataclass(frozen=True)
class FindingRows:
    """Some rows of a finding: what the log has of them, and their walk-throughs. See `AuditReport.explain`.

    Attributes
    ----------
    finding : Finding
        The finding.
    logged : dict of int to dict
        The cells of each row, by field.
    walkthroughs : dict of int to Walkthrough
        Walk-throughs from the seeds of rows to their outcomes.
    left_out : dict of int to str
        Rows that can't be explained, and why.
    """

    finding: Finding
    logged: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    walkthroughs: Mapping[int, Walkthrough] = field(default_factory=dict)
    left_out: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.logged)

    def __repr__(self) -> str:
        rows = ", ".join(map(str, self.logged))
        return f"<FindingRows of {self.finding.kind}: {f'rows {rows}' if rows else 'no rows'}>"

    def __str__(self) -> str:
        parts = [plain(str(self.finding), None)]
        for row, cells in self.logged.items():
            parts += ["", f"row {row}", text_table(("", ""), _cells(cells), "l")]
            if row in self.walkthroughs:
                parts += ["", str(self.walkthroughs[row])]
        parts += [f"row {row}: {plain(reason, None)}" for row, reason in self.left_out.items()]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        parts = [f"<p><strong>{html(str(self.finding), None)}</strong></p>"]
        for row, cells in self.logged.items():
            parts.append(html_table(("", ""), _cells(cells), "l", caption=f"row {row}", labels=True))
            if row in self.walkthroughs:
                parts.append(self.walkthroughs[row]._repr_html_())
        parts += [f"<p>row {row}: {html(reason, None)}</p>" for row, reason in self.left_out.items()]
        return f"<div>{''.join(parts)}</div>"

    def to_dict(self) -> JsonDict:
        """Return the rows as JSON's types."""
        return {
            "finding": self.finding.to_dict(),
            "rows": [
                {
                    "row": row,
                    "logged": {name: short(value) for name, value in cells.items()},
                    "walkthrough": self.walkthroughs[row].to_dict() if row in self.walkthroughs else None,
                }
                for row, cells in self.logged.items()
            ],
            "left_out": {str(row): reason for row, reason in self.left_out.items()},
        }


def _cells(cells: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, value if isinstance(value, str) else short(value)) for name, value in cells.items()]


def picture(finding: Finding) -> str:
    """Return a finding's figures as inline SVG or a table; "" if there is nothing to show."""
    figure = finding.details
    if counts := figure.get("counts"):
        names, bars, lines = zip(
            *((one["from"], one["observed"], one["expected"]) for one in counts), strict=True
        )
        return _bars(names, bars, lines, "bars: observed; lines: expected")
    if table := figure.get("table"):
        rows = [(*one.values(), "differs" if one["implied"] != one["claimed"] else "") for one in table]
        rows.sort(key=lambda row: not row[-1])
        more = f"; {len(rows) - _LINES} more lines" if len(rows) > _LINES else ""
        caption = f"the paytable, claimed and as the log implies it{more}"
        return html_table(("outcome", "claimed", "paid", ""), rows[:_LINES], "lrrl", caption=caption)
    for key, name in ("by_hour", "hour"), ("by_stake", "from_stake"), ("worst", "group"):
        if groups := figure.get(key):
            names, bars = zip(*((one[name], one["returned"]) for one in groups), strict=True)
            said = "bars: mean return; lines: the claimed law's mean"
            return _bars(names, bars, [figure["expected"]] * len(bars), said)
    return ""


def _bars(names: Sequence[Any], bars: Sequence[float], lines: Sequence[float], said: str) -> str:
    """Return bars with a line across each."""
    top = max([*bars, *lines]) or 1.0
    width = min(_WIDTH, max(160, 60 * len(bars)))
    step = width / len(bars)
    # As many labels as fit.
    every = math.ceil((_LETTER * max(len(_label(name)) for name in names) + _LETTER) / step)
    shown = []
    for place, (name, bar, line) in enumerate(zip(names, bars, lines, strict=True)):
        tooltip = f"{short(name)}: {short(bar)}, expected {short(line)}"
        tall, at = ((_HEIGHT - 4) * max(height, 0) / top for height in (bar, line))
        shown.append(((place + 0.15) * step, 0.7 * step, tall, tooltip, at))
    texts = [((place + 0.5) * step, "middle", _label(names[place])) for place in range(0, len(bars), every)]
    return f'{svg_bars(shown, texts, said, width, _HEIGHT)}<div style="font-size:0.85em">{html(said)}</div>'


def _label(name: Any) -> str:
    text = name if isinstance(name, str) else short(name)
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


def finding_html(finding: Finding) -> str:
    """Return a finding as HTML: its sentence, its picture, its rows."""
    called = f"{finding.severity}: {finding.kind}"
    parts = [
        f"<p><strong>{html(called)}</strong><br>{html(finding.text, None)}</p>",
        picture(finding),
    ]
    if finding.pvalue is not None:
        pvalue = f'<span style="white-space:nowrap">{finding.pvalue:.3g}</span>'
        parts.append(f"<p>p-value, for all tests and at every look: {pvalue}</p>")
    if finding.rows:
        few = ", ".join(f"{row:,}" for row in finding.rows[:20])
        more = f" and others, {finding.count:,} in all" if finding.count > min(len(finding.rows), 20) else ""
        parts.append(f"<p>rows: {few}{more}</p>")
    return "".join(parts)
