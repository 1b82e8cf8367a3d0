"""The display of values: short reprs, tables as text and HTML, bar strips, data frames.

Host pages style tables in their own ways, so columns keep their layout by inline styles; colors are
inherited, or legible on white and on black. No scripts, no style sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import printable
from .arguments import choice, is_single, unbox
from .optional import optional
from .types import Columns

if TYPE_CHECKING:
    import pandas

_Shown = TypeVar("_Shown")

LONGEST = 200
"""The maximal length of a repr."""

BAR = "#4a90c2"
"""The color of bars, visible on white and on black."""

_TABLE = "font-family:monospace;border-collapse:collapse"
_CELL = "padding:0.1em 0.7em;text-align:"
_SIDES = {"l": "left", "r": "right", "c": "center"}
# Inline, because host pages style cells themselves.
_KEEPS = ";white-space:pre"
_AT_BLANKS = ";white-space:pre-wrap"
_BREAKS = f"{_AT_BLANKS};overflow-wrap:anywhere"
_LONG_CELL = 24
_LONGEST_CELL = 10_000
"""The number of characters shown of a cell."""


def short(value: object, longest: int = 48) -> str:
    """Return a short text for a value: numbers with four digits, hundredths unchanged."""
    if isinstance(value, np.ndarray) and value.ndim:
        return (
            f"<{'x'.join(map(str, value.shape))} {value.dtype}>" if value.size > 8 else short(value.tolist())
        )
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.item()
    if value is None or isinstance(value, (bool, complex)):
        return str(value)
    if isinstance(value, int):
        sign = "-" if value < 0 else ""
        return str(value) if abs(value) < 2**63 else f"about {sign}2**{value.bit_length() - 1}"
    if isinstance(value, (float, Fraction)):
        return _number(value)
    if isinstance(value, (str, bytes)):
        return repr(printable.plain(value, longest)) if longest > 0 else "..."
    if isinstance(value, (tuple, list, set, frozenset)) and type(value).__repr__ in _BUILT_IN:
        inside = ", ".join(short(item, longest) for item in list(value)[:longest])
        first, last = _BRACKETS.get(type(value).__name__, ("{", "}"))
        comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
        whole = f"{first}{inside}{comma}{last}"
        return whole if len(whole) <= longest else f"<{len(value)} items>"
    if isinstance(value, Mapping):
        some = islice(value.items(), longest)
        whole = "{" + ", ".join(f"{short(key, longest)}: {short(item, longest)}" for key, item in some) + "}"
        return whole if len(whole) <= longest else f"<{len(value)} items>"
    whole = " ".join(repr(value).split())
    return whole if len(whole) <= longest else f"<{type(value).__name__}>"


_BRACKETS = {"tuple": ("(", ")"), "list": ("[", "]")}
_BUILT_IN = (tuple.__repr__, list.__repr__, set.__repr__, frozenset.__repr__)


def _number(value: float | Fraction) -> str:
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return short(value.numerator)
        try:
            value = float(value)
        except OverflowError:
            return short(int(value))
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if (
        abs(value) < 1e15
        and abs(value * 100 - round(value * 100)) < 1e-9 * max(1.0, abs(value))
        and (value == 0 or abs(value) >= 0.01)
    ):
        shown = f"{value:.2f}"
        return shown.rstrip("0").rstrip(".") or "0"
    return f"{value:.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.4g}"


def repr_of(name: str, facts: Mapping[str, object]) -> str:
    """Return ``Name(fact=value, ...)`` on one line of at most `LONGEST` characters."""
    shown = ""
    for longest in (48, 24, 12):
        shown = f"{name}({', '.join(f'{fact}={short(value, longest)}' for fact, value in facts.items())})"
        if len(shown) <= LONGEST:
            return shown
    return shown[: LONGEST - 4] + "...)"


def displayed(cls: type[_Shown]) -> type[_Shown]:
    """Give a dataclass or named tuple a short repr, and an HTML display of its text or fields."""
    shown: Any = cls
    shown.__repr__ = lambda value: repr_of(type(value).__name__, _fields_of(value))
    if not hasattr(cls, "_repr_html_"):
        shown._repr_html_ = facts_html if cls.__str__ is object.__str__ else text_html
    return cls


def _fields_of(value: Any) -> dict[str, Any]:
    names = [field.name for field in fields(value) if field.repr] if is_dataclass(value) else value._fields
    return {name: getattr(value, name) for name in names}


def facts_html(value: Any) -> str:
    """Return what `_facts` says, or the fields, as a table in HTML; classes use it as ``_repr_html_``."""
    facts = value._facts() if hasattr(value, "_facts") else _fields_of(value)
    rows = [(name.replace("_", " "), fact) for name, fact in facts.items() if fact is not None]
    return Sheet(type(value).__name__, ("", ""), rows, "l").html()


def text_html(value: object) -> str:
    """Return a value's text as HTML with its line breaks; classes use it as ``_repr_html_``."""
    lines = "\n".join(printable.html(line, None) for line in str(value).splitlines())
    return f'<div style="font-family:monospace;white-space:pre-wrap;overflow-wrap:anywhere">{lines}</div>'


def text_table(columns: Sequence[str], rows: Iterable[Sequence[object]], align: str = "") -> str:
    """Return a table as lines of text; the last letter of `align` (l, r, c by column) applies to the rest."""
    cells = [[printable.plain(_cell(value), _LONGEST_CELL) for value in row] for row in rows]
    heads = [printable.plain(head, None) for head in columns]
    if any(heads):
        cells.insert(0, heads)
    sides = _sides(align, len(heads))
    widths = [max((len(row[place]) for row in cells), default=0) for place in range(len(heads))]
    put = {"l": str.ljust, "r": str.rjust, "c": str.center}
    return "\n".join(
        "  ".join(
            put[side](cell, width) for side, cell, width in zip(sides, row, widths, strict=True)
        ).rstrip()
        for row in cells
    )


class Colored(str):
    """A cell with colors in HTML, and an ordinary string in text."""

    style: str

    def __new__(cls, text: str, color: str = "", background: str = "") -> Colored:
        """Keep the colors beside the text."""
        colored = super().__new__(cls, text)
        colors = {"color": color, "background": background}
        colored.style = "".join(f";{name}:{value}" for name, value in colors.items() if value)
        return colored


def html_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    align: str = "",
    *,
    caption: str = "",
    labels: bool = False,
) -> str:
    """Return a table as escaped HTML that keeps its columns on any page."""
    sides = _sides(align, len(columns))

    def line(tags: Iterable[str], cells: Sequence[object], keeps: str) -> str:
        inside = ""
        for tag, side, value in zip(tags, sides, cells, strict=False):
            text = _html(value)
            breaks = _BREAKS if len(text) > _LONG_CELL and not hasattr(value, "_repr_html_") else keeps
            style = f"{_CELL}{_SIDES[side]}{breaks}{value.style if isinstance(value, Colored) else ''}"
            inside += f'<{tag} style="{style}">{text}</{tag}>'
        return f"<tr>{inside}</tr>"

    title = f'<caption style="text-align:left">{printable.html(caption, None)}</caption>' if caption else ""
    head = f"<thead>{line(repeat('th'), columns, _AT_BLANKS)}</thead>" if any(columns) else ""
    tags = ["th" if labels else "td", *["td"] * len(columns)]
    body = "".join(line(tags, row, _KEEPS) for row in rows)
    return f'<table style="{_TABLE}">{title}{head}<tbody>{body}</tbody></table>'


def _html(value: object) -> str:
    # A float that has a table of its own is a plain number in a cell.
    if hasattr(value, "_repr_html_") and not isinstance(value, float):
        return str(value._repr_html_())
    return printable.html(_cell(value), _LONGEST_CELL)


def _cell(value: object) -> str:
    return value if isinstance(value, str) else short(value)


def _sides(align: str, columns: int) -> str:
    align = align or "lr"
    return (align + align[-1] * columns)[:columns]


def bar_strip(values: object, *, first: object = "", last: object = "", title: str = "") -> str:
    """Return a strip of bars as inline SVG."""
    heights = np.asarray(values, dtype=np.float64)
    if heights.size > 140:
        edges = np.linspace(0, heights.size, 141).astype(np.intp)
        heights = np.add.reduceat(heights, edges[:-1])
    top = float(heights.max(initial=0.0)) or 1.0
    width, height = min(420, max(120, 26 * heights.size)), 56
    step = width / max(heights.size, 1)
    gap = 1.0 if step >= 4 else 0.0
    bars = [
        (place * step, step - gap, (height - 2) * value / top, "", None)
        for place, value in enumerate(heights.tolist())
        if value > 0
    ]
    ends = [(0.0, "start", _cell(first)), (float(width), "end", _cell(last))]
    return svg_bars(bars, ends if first != "" or last != "" else [], title, width, height)


def svg_bars(
    bars: Iterable[tuple[float, float, float, str, float | None]],
    texts: Sequence[tuple[float, str, str]],
    title: str,
    width: int,
    height: int,
) -> str:
    """Return bars (left, width, height, tooltip, height of a line) and texts (x, anchor, text) as SVG."""
    shown, lines = "", ""
    for x, wide, tall, tooltip, line in bars:
        shown += f'<rect x="{x:.2f}" y="{height - tall:.2f}" width="{wide:.2f}" height="{tall:.2f}"'
        shown += f"><title>{printable.html(tooltip)}</title></rect>" if tooltip else "/>"
        if line is not None:
            lines += (
                f'<path d="M{x - wide / 7:.2f},{height - line:.2f}h{wide * 9 / 7:.2f}" stroke-width="2"/>'
            )
    labels = "".join(
        f'<text x="{x:.2f}" y="{height + 12}" text-anchor="{anchor}">{printable.html(text)}</text>'
        for x, anchor, text in texts
    )
    named, whole = printable.html(title), height + (16 if texts else 0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{whole}" role="img" '
        f'aria-label="{named}" viewBox="0 0 {width} {whole}" style="display:block;margin:0.4em 0">'
        f'<title>{named}</title><g fill="{BAR}">{shown}</g><g stroke="currentColor">{lines}'
        f'<line x1="0" y1="{height}" x2="{width}" y2="{height}" stroke-opacity="0.5"/></g>'
        f'<g font-family="monospace" font-size="11" fill="currentColor">{labels}</g></svg>'
    )


@dataclass(frozen=True)
class Sheet:
    """The display of a value: a title, a strip of bars in HTML, a table, notes."""

    title: str
    columns: Sequence[str]  # see `text_table`
    rows: Sequence[Sequence[object]]
    align: str = ""
    strip: Callable[[], str] | None = None  # makes the strip of bars, which only pages show
    notes: tuple[str, ...] = ()  # lines below the table

    def text(self) -> str:
        """Return the sheet as lines of text."""
        parts = [printable.plain(self.title, None)]
        if self.rows:
            parts.append(text_table(self.columns, self.rows, self.align))
        return "\n".join([*parts, *(printable.plain(note, None) for note in self.notes)])

    def html(self) -> str:
        """Return the sheet as escaped HTML."""
        title = printable.html(self.title, None)
        parts = [f'<div style="font-weight:bold;overflow-wrap:anywhere">{title}</div>']
        if self.strip is not None:
            parts.append(self.strip())
        if self.rows:
            parts.append(html_table(self.columns, self.rows, self.align))
        parts += [f"<div>{printable.html(note, None)}</div>" for note in self.notes]
        return f"<div>{''.join(parts)}</div>"


class Framed:
    """A value with data frames of its columns, which a class defines by `_columns`."""

    def _columns(self) -> Columns:
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a pandas DataFrame (needs pandas)."""
        return optional("pandas", "stats", "to_pandas").DataFrame(dict(self._columns()))

    def to_polars(self) -> Any:
        """Return the table as a Polars DataFrame (needs polars)."""
        return polars_frame(self._columns())


class Tabular(Framed):
    """A value whose `_sheet` is shown by `str` and notebooks, and whose `_columns` make data frames."""

    def _sheet(self) -> Sheet:
        raise NotImplementedError

    def __str__(self) -> str:
        return self._sheet().text()

    def _repr_html_(self) -> str:
        return self._sheet().html()


def polars_frame(columns: Mapping[str, object]) -> Any:
    """Return columns as a Polars DataFrame; values without a Polars type become text."""
    polars = optional("polars", "arrow", "to_polars")
    return polars.DataFrame({name: _column(values) for name, values in columns.items()})


_TYPES: tuple[set[type], ...] = ({int}, {float}, {str}, {bool})


def _column(values: Any) -> object:
    if isinstance(values, np.ndarray) and values.dtype != object:
        return values
    column = list(values)
    kinds = {type(value) for value in column} - {type(None)}
    if not kinds or kinds in _TYPES or kinds == {list}:
        return column
    if bytes in kinds and kinds <= {bytes, str}:  # seeds that aren't all text
        return [value.encode() if isinstance(value, str) else value for value in column]
    # Keep exact numbers as text: `Fraction` reads "493/500" back.
    return [
        None if value is None else str(value) if isinstance(value, Fraction | Decimal) else _cell(value)
        for value in column
    ]


def known_frame(as_frame: object) -> None:
    """Refuse an unknown library of data frames, before any long work."""
    if as_frame is not None:
        choice("as_frame", as_frame, ("pandas", "polars"))


def log_frame(library: str, columns: Mapping[str, Any], rounds: int) -> Any:
    """Return the log of rounds as a data frame, with text as in files."""
    texts = {name: _log_column(values, rounds) for name, values in columns.items()}
    if library == "pandas":
        return optional("pandas", "stats", "as_frame").DataFrame(texts)
    return polars_frame(texts)


def _log_column(values: Any, rounds: int) -> Any:
    if is_single(values):
        values = [unbox(values)] * rounds
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return values if values.ndim == 1 else values.tolist()
    return [text_of(value) for value in (values.tolist() if hasattr(values, "tolist") else values)]


def text_of(value: Any) -> Any:
    """Return bytes decoded as UTF-8 if valid; anything else unchanged."""
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value
