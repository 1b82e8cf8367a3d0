"""Safe display of untrusted text, and fixed-point numbers.

Seeds, salts and logs come from outside, so they may contain anything. Everything that shows such text uses
this module: `plain` for text and terminals, `html` for notebooks, `label` for plots.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

LONGEST = 200
"""The number of characters shown of a text by default."""

# Combining marks allowed per letter; more would spill over neighboring lines.
_MAX_MARKS = 2

_RIGHT_TO_LEFT = {"R", "AL", "AN"}

# Enough digits for any double.
_JAVASCRIPT = Context(prec=2000, rounding=ROUND_HALF_UP)


def decoded(value: Any) -> Any:
    """Return bytes decoded as UTF-8, with escapes for invalid ones; anything else unchanged."""
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else value


def bare_hex(text: str) -> str:
    """Return hex text without blanks around it and 0x in front: neither changes what it proves."""
    text = text.strip()
    return text[2:] if text.startswith(("0x", "0X")) else text


def repr_of(value: object, shown: Callable[[object], str] = repr) -> str:
    """Return how an object shows itself, or Python's own text for one whose method raises an error."""
    try:
        return shown(value)
    except Exception:  # of a class of the caller's, which may fail in any way
        return object.__repr__(value)


def plain(text: str | bytes, longest: int | None = LONGEST) -> str:
    r"""Return text that is safe to show, with control, invisible and reordering characters escaped.

    Escapes are those of Python and JSON strings (``\x1b``, ``\u202e``, ``\U000e0041``); backslashes and
    double quotes are escaped too, so that different texts never look the same. Letters of right-to-left
    scripts are escaped, since they reorder adjacent colons and digits.
    """
    if isinstance(text, bytes):
        # Undecodable bytes become lone surrogates, which valid text can't contain; `_visible` reverses that.
        text = text.decode("utf-8", "surrogateescape")
    return _visible(text if longest is None else shortened(text, longest))


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return text without its middle if it is longer than this, and its length."""
    if len(text) <= longest:
        return text
    return f"{text[: longest - longest // 2]}...{text[len(text) - longest // 2 :]} ({len(text)} characters)"


def _visible(text: str) -> str:
    shown = []
    marks = _MAX_MARKS  # a mark at the start would combine with the quote before it
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
    """Return untrusted names on one line: the first ones, and the number of others."""
    names = list(names)
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(f"'{plain(name, 60)}'" for name in names[:most]) + more


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def html(text: str | bytes, longest: int | None = LONGEST) -> str:
    """Return text escaped for an HTML element or attribute."""
    from html import escape

    return escape(plain(text, longest))


def label(text: str | bytes, longest: int | None = 60) -> str:
    r"""Return text escaped for a matplotlib title or label, which reads ``$...$`` as TeX."""
    return plain(text, longest).replace("$", "\\$")


def to_fixed(value: float, digits: int) -> str:
    """Return JavaScript's ``value.toFixed(digits)``: of the exact binary value, ties rounded up."""
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), context=_JAVASCRIPT):f}"
