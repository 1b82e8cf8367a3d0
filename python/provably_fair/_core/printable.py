"""Showing untrusted text, and numbers as the documents print them.

Seeds, salts and logs come from outside, and anyone may have put anything into them. Whatever shows
such text goes through this module: `plain` for text and terminals, `html` for notebooks, `markup` for
rich's markup, `label` for plots.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

__all__ = ["counted", "decoded", "html", "label", "listed", "markup", "plain", "to_fixed"]

LONGEST = 200
"""Characters of one text that are shown by default."""

# Combining marks that one letter may carry; stacks of them spill over neighboring lines.
_MAX_MARKS = 2

_RIGHT_TO_LEFT = {"R", "AL", "AN"}

# Digits enough for any double.
_JAVASCRIPT = Context(prec=2000, rounding=ROUND_HALF_UP)


def decoded(value: Any) -> Any:
    """Return bytes as the text that they are, with escapes for what isn't UTF-8; anything else as it is."""
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else value


def plain(text: str | bytes, longest: int | None = LONGEST) -> str:
    r"""Return text that is safe to show: what would act, hide or reorder is shown as an escape.

    Escapes are those of Python and JSON strings (``\x1b``, ``\u202e``, ``\U000e0041``); a backslash or
    a double quote is escaped as well, so that no two texts look the same. Letters of scripts that run
    from right to left are escaped, since they reorder the colons and digits beside them.
    """
    if isinstance(text, bytes):
        # Undecodable bytes become lone surrogates, which no text can hold and `_visible` undoes.
        text = text.decode("utf-8", "surrogateescape")
    if longest is None or len(text) <= longest:
        return _visible(text)
    ends = _visible(text[: longest - longest // 2]), _visible(text[len(text) - longest // 2 :])
    return f"{ends[0]}...{ends[1]} ({len(text)} characters)"


def _visible(text: str) -> str:
    shown = []
    marks = _MAX_MARKS  # a mark at the beginning would sit on the quote before it
    for character in text:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        hidden = (
            not character.isprintable()
            or marks > _MAX_MARKS
            or unicodedata.bidirectional(character) in _RIGHT_TO_LEFT
        )
        if character in '\\"':
            shown.append("\\" + character)
        elif not hidden:
            shown.append(character)
        elif (code := ord(character)) < 0x100:
            shown.append(f"\\x{code:02x}")
        elif 0xDC80 <= code <= 0xDCFF:
            shown.append(f"\\x{code - 0xDC00:02x}")
        else:
            shown.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    return "".join(shown)


def listed(names: Iterable[str], most: int = 30) -> str:
    """Return names that come from outside in one line: the first of them, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(f"'{plain(name, 60)}'" for name in names[:most]) + more


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def html(text: str | bytes, longest: int | None = LONGEST) -> str:
    """Return text that is safe inside an HTML element or attribute."""
    from html import escape

    return escape(plain(text, longest))


def markup(text: str | bytes, longest: int | None = LONGEST) -> str:
    """Return text that is safe inside rich's markup (needs rich, of the extra ``cli``)."""
    from rich.markup import escape

    return escape(plain(text, longest))


def label(text: str | bytes, longest: int | None = 60) -> str:
    r"""Return text that is safe as a title or a label of matplotlib, which reads ``$...$`` as TeX."""
    return plain(text, longest).replace("$", "\\$")


def to_fixed(value: float, digits: int) -> str:
    """Return JavaScript's ``value.toFixed(digits)``: the exact binary value, ties upward."""
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), context=_JAVASCRIPT):f}"
