"""Lines of a walk-through as pieces, from which both text and HTML are rendered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


class Styled(str):
    """A piece of a line that renders differently in HTML; as text it is the string itself."""

    def as_text(self) -> str:
        """Return the piece for a line of text."""
        return str(self)

    def as_html(self) -> str:
        """Return the piece for a page, escaped."""
        return escape(self)


class CardName(Styled):
    """The name of a card; in HTML, in the color of its suit."""

    def as_html(self) -> str:
        """Return the name on a white background, red for hearts and diamonds."""
        color = "#c00" if self[-1:] in ("♥", "♦") else "#000"
        return f'<span style="background:#fff;color:{color}">{super().as_html()}</span>'


class Mark(Styled):
    """A highlighted piece: in brackets, and in color where that is possible."""

    def as_text(self) -> str:
        """Return the piece in brackets."""
        return f"[{self}]"

    def as_html(self) -> str:
        """Return the piece in brackets, highlighted."""
        return f"<mark>[{escape(self)}]</mark>"


Line = Sequence[str]
"""The pieces of a line: plain strings or `Styled`s."""

# Pages style preformatted text in their own ways (JupyterLab wraps it), so inline styles keep the columns.
# Colors are inherited, which suits light and dark themes.
_STYLE = "font-family:monospace;white-space:pre;line-height:1.25;overflow-x:auto"


def as_text(line: Line) -> str:
    """Return a line as text."""
    return "".join(piece.as_text() if isinstance(piece, Styled) else piece for piece in line)


def as_html(lines: Iterable[Line]) -> str:
    """Return lines as an HTML element that keeps its columns on any page.

    The pieces are printable already, so only HTML's special characters are escaped.
    """
    shown = "\n".join(
        "".join(piece.as_html() if isinstance(piece, Styled) else escape(piece) for piece in line).rstrip()
        for line in lines
    )
    return f'<pre style="{_STYLE}">{shown}</pre>'
