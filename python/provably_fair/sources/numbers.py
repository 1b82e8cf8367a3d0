"""Numbers as people write them, ``1.234,56``, ``5 USD``, ``1.17x``, turned into Python's form: ``1234.56``.

A mark's meaning is inferred if it is unambiguous, and asked for otherwise. A cell that doesn't fit is no
number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from provably_fair._core.currencies import CURRENCIES

from .dialect import THOUSANDS, Dialect
from .foreign import different_texts, joined_texts, with_texts
from .source import LogError, Option

_MARKS = "".join(re.escape(mark) for mark in THOUSANDS)
_NUMBER = re.compile(
    r"(?P<sign>[-+\u2212]?)\s*(?P<before>[$€£¥₿xX×]|[A-Za-z]{3,8}|)\s*(?P<inner>[-+\u2212]?)"
    rf"(?P<body>[.,]?[0-9](?:[0-9{_MARKS}]*[0-9])?)(?P<power>[eE][-+]?[0-9]{{1,3}}|)"
    r"\s*(?P<after>[xX×$€£¥₿]|[A-Za-z]{3,8}|)"
)
_GROUPS = re.compile(rf"[1-9][0-9]{{0,2}}(?:(?P<mark>[{_MARKS}])[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*)?|[0-9]+")
_TIMES = ("", "x", "X", "×")
_AS_PYTHON_WRITES = b"0123456789+-.eE/"
_LISTS = re.compile(rb"\[[^][]*\]")
_NO_NUMBER = "?"


class Numbers:
    """The notation of a file's numbers, as far as its rows show it."""

    def __init__(self, dialect: Dialect, currencies: dict[str, str] | None = None) -> None:
        self.decimal = dialect.decimal or {",": ".", ".": ","}.get(dialect.thousands or "")
        self._given = self.decimal is not None
        self._shown: dict[str, str] = {}  # an example cell by decimal mark
        # An example cell by sign or code: of this file, and of all files
        self._signs: dict[str, str] = {}
        self.currencies: dict[str, str] = {} if currencies is None else currencies
        self._thousands = dialect.thousands
        self.note: str | None = None  # a note for the report

    def read(
        self, columns: Mapping[str, Any], called: Mapping[str, str | None], whole: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return columns of numbers in Python's form; points in `whole` numbers may be between thousands."""
        read = {name: joined_texts(_texts_of(column)) for name, column in columns.items()}
        texts = {name: _LISTS.sub(b"", text) for name, text in read.items() if text is not None}
        unusual = [name for name, text in texts.items() if text.translate(None, _AS_PYTHON_WRITES)]
        pointed = [name for name, text in texts.items() if b"." in text]
        if not self._given and (unusual or (pointed and self.decimal == ",")):
            self.decimal = self._find_out({called.get(name) or name: columns[name] for name in texts})
        elif self.decimal is None and pointed:
            # Otherwise points are assumed to be decimal ones, in all later rows too.
            self.decimal = self._of_points(columns, called, pointed, whole) if whole else "."
        if self.decimal == ",":
            unusual = [name for name in texts if name in {*unusual, *pointed}]
        found = {name: with_texts(columns[name], self._written) for name in unusual}
        self.see(self._signs)
        return {**columns, **found}

    def merge(self, later: Numbers) -> None:
        """Append what later rows show, which were read by themselves."""
        self._shown = later._shown | self._shown
        if {".", ","} == {self.decimal, later.decimal}:
            raise self._mixed(" in different parts")
        self.see(later.currencies)
        self.decimal = self.decimal or later.decimal

    def see(self, currencies: Mapping[str, str]) -> None:
        """Add currencies of other rows; refuse amounts of several, which can't be added."""
        found = {**self.currencies, **currencies}
        if len(found) > 1:
            one, other, *_ = found.values()
            raise LogError(
                f"amounts are of several currencies, such as {one!r:.40} and {other!r:.40}: give plain "
                "numbers, and a column 'currency'"
            )
        self.currencies.update(found)

    def _mixed(self, where: str) -> LogError:
        point, comma = (f", as {self._shown[mark]!r:.40}," if self._shown.get(mark) else "" for mark in ".,")
        return LogError(
            f"numbers have decimal points{point} and decimal commas{comma}{where}: give ",
            Option("csv", {"decimal": "."}),
            " or ",
            Option("csv", {"decimal": ","}),
            ", by which the others are malformed",
        )

    def _written(self, text: str) -> str:
        """Return a number in Python's form, and keep its currency."""
        if "[" in text:  # a list, among the outcomes of several games
            return text
        number = _number(text)
        marks = [number["before"], number["after"]] if number else []
        if "" in marks and (mark := "".join(marks)) not in _TIMES:  # with two it is no number
            self._signs.setdefault(mark.casefold(), text)
        return as_python_writes(text, self.decimal or ".", self._thousands)

    def _find_out(self, columns: Mapping[str, Any]) -> str | None:
        """Return the decimal mark that some cells show; None without any. Refuse columns that show both."""
        shown = dict.fromkeys([self.decimal] if self.decimal else [], ("", ""))
        unclear: dict[str, tuple[str, str]] = {}
        for name, column in columns.items():
            for text in different_texts(column):
                marks = _decimal_marks(text)
                for mark in marks:
                    (shown if len(marks) == 1 else unclear).setdefault(mark, (name, text))
        for mark, (_, text) in shown.items():
            self._shown[mark] = self._shown.get(mark) or text
        if len(shown) == 2:
            name = next(name for name, _ in shown.values() if name)
            raise self._mixed(f" in column {name!r:.80}")
        if "." in shown and "," in unclear:
            self.note = (
                f"numbers such as {unclear[','][1]!r:.40} are read with commas between thousands, "
                "since others have decimal points"
            )
        if shown:
            return next(iter(shown))
        if "," in unclear:
            raise _unclear(*unclear[","])
        return "." if unclear else None

    def _of_points(
        self,
        columns: Mapping[str, Any],
        called: Mapping[str, str | None],
        pointed: Sequence[str],
        whole: Collection[str],
    ) -> str | None:
        """Return the mark of the first cell that shows it, if points are the only marks; None without one."""
        unclear: LogError | None = None
        for name in pointed:
            for text in different_texts(columns[name]):
                marks = _decimal_marks(text)
                if len(marks) == 1:
                    return marks
                if marks and name in whole and unclear is None:
                    unclear = _unclear(called.get(name) or name, text)
        if unclear is not None:
            raise unclear
        return None


def _texts_of(column: Any) -> Any:
    """Return the texts of a list that has other cells too; other columns unchanged."""
    kinds = {*map(type, column)} if isinstance(column, list) else set()
    if kinds <= {str, bytes, type(None)} or kinds.isdisjoint({str, bytes}):
        return column
    return [cell for cell in column if isinstance(cell, (str, bytes))]


def _unclear(name: str, text: str) -> LogError:
    """Return the error for a cell that may be two numbers."""
    first, second = (as_python_writes(text, decimal, None) for decimal in ".,")
    return LogError(
        f"column {name!r:.80} has {text!r:.40}, which may be {first} or {second}; for {first} give ",
        Option("csv", {"decimal": "."}),
        f", for {second} give ",
        Option("csv", {"decimal": ","}),
    )


@lru_cache(1 << 16)
def _number(text: str) -> re.Match[str] | None:
    """Return a number's parts; a word beside it must be a currency."""
    number = _NUMBER.fullmatch(text.strip())
    words = [number["before"], number["after"]] if number else []
    return number if all(len(word) < 2 or word.casefold() in CURRENCIES for word in words) else None


def _decimal_marks(text: str) -> str:
    """Return the possible decimal marks of a number: point, comma or both; "" if it has neither."""
    number = _number(text) if "." in text or "," in text else None
    if number is None or not {".", ","} & {*number["body"]}:
        return ""
    return "".join(mark for mark in ".," if _parts(number, mark, None) is not None)


def _parts(number: re.Match[str], decimal: str, thousands: str | None) -> tuple[str, str] | None:
    """Return the digits before and after the decimal mark; None if the marks don't fit."""
    before, mark, behind = number["body"].partition(decimal)
    if number["power"]:
        thousands = ""  # 1.500e3 has none
    if mark and not behind.isdigit():
        return None
    groups = _GROUPS.fullmatch(before or "0")
    if (
        groups is None
        or groups["mark"] == decimal
        or (groups["mark"] and thousands not in (None, groups["mark"]))
    ):
        return None
    return re.sub(r"[^0-9]", "", before), behind


@lru_cache(1 << 16)
def as_python_writes(text: str, decimal: str, thousands: str | None) -> str:
    """Return a number in Python's form; other text unchanged, unless it would be mistaken for a number."""
    number = _number(text)
    parts = _parts(number, decimal, thousands) if number else None
    if number is None or parts is None:
        return _NO_NUMBER if decimal == "," and "." in text else text
    if thousands is None and " " in number["body"] and not parts[1] and text.strip() == number["body"]:
        return text  # may be numbers of cards: 5 123 210
    sign = number["sign"] + number["inner"]
    if len(sign) > 1 or (number["before"] and number["after"]):
        return _NO_NUMBER
    point = "." if parts[1] else ""
    return ("-" if sign and sign != "+" else "") + parts[0] + point + parts[1] + number["power"]
