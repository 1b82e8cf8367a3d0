"""The dialect of a log in text: separator, encoding, and the marks within numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from provably_fair._core.arguments import BadValue, check_type
from provably_fair._core.mistakes import Mistakes

SEPARATORS = (",", ";", "\t", "|")
"""Separators that are recognized in the first line."""

THOUSANDS = (",", ".", " ", "'", "’", "\u00a0", "\u202f", "\u2009")
"""Marks between groups of three digits."""

_CALLED = {"tab": "\t", "space": " "}


@dataclass(frozen=True)
class Dialect:
    """The dialect of CSV and of numbers in text; None for entries to be inferred from the log."""

    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None

    @classmethod
    def read(cls, value: Any) -> Dialect:
        """Return the dialect that an argument ``csv`` describes, checked."""
        if value is None:
            return cls()
        names = [field.name for field in fields(cls)]
        check_type("csv", value, Mapping, f"a mapping of {', '.join(names)}")
        mistakes = Mistakes()
        known = {}
        for name, text in value.items():
            with mistakes.of(name):
                check_type("csv", name, str, "a mapping of text")
                if name not in names:
                    raise BadValue("csv", f"may name {', '.join(names)}, got {name!r:.80}")
                check_type("csv", text, str | None, "text", index=name)
                known[name] = None if text is None else _CALLED.get(text, text)
        found = cls(**known)
        separator, decimal, thousands = found.separator, found.decimal, found.thousands
        with mistakes.of("separator"):
            if separator is not None and (
                len(separator) != 1
                or not separator.isascii()
                or separator.isalnum()
                or separator in '"\r\n\0'
            ):
                problem = f"must be a mark like ';', or 'tab', got {separator!r}"
                raise BadValue("csv", problem, index="separator")
        with mistakes.of("decimal"):
            if decimal not in (None, ".", ","):
                raise BadValue("csv", f"must be '.' or ',', got {decimal!r}", index="decimal")
        with mistakes.of("thousands"):
            if thousands not in (None, *THOUSANDS):
                marks = ", ".join(map(repr, THOUSANDS))
                raise BadValue("csv", f"must be one of {marks}, got {thousands!r}", index="thousands")
            if thousands == (decimal or ""):
                raise BadValue("csv", f"must differ from decimal, got {decimal!r}", index="thousands")
        with mistakes.of("encoding"):
            try:
                "".encode("utf-8" if found.encoding is None else found.encoding)
            except (LookupError, ValueError):
                problem = f"must be an encoding of Python, such as 'cp1252', got {found.encoding!r:.80}"
                raise BadValue("csv", problem, index="encoding") from None
        mistakes.tell()
        return found

    def given(self) -> dict[str, str]:
        """Return the entries that were given."""
        return {name: text for name, text in vars(self).items() if text is not None}
