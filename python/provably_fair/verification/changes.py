"""Small changes of a field: what a value in a log may have been before it was copied, typed or stored."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from provably_fair.readings.known import known_games
from provably_fair.readings.reread import EDITS
from provably_fair.sources.foreign import as_written

from .systems.system import whole

_SHIFTS = 1000
_NEAREST = 64
"""The largest number by which a number may be off, and the most values of other rows that are tried."""
_HEX, _DIGITS = "0123456789abcdef", "0123456789"
_PRINTABLE = "".join(map(chr, range(32, 127)))
_MOST_DIGITS = 5
"""The digits that a spreadsheet's or a float's number may have lost, all of which are tried."""
_MOST_CAPITALS = 14
"""The most letters each of which may have been a capital."""
_LONGEST = 500
"""The most characters of a text each of which may be wrong: a longer one isn't typed."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SPELLED: Sequence[tuple[str, Callable[[str], str]]] = (
    EDITS["strip"],
    EDITS["lower"],
    EDITS["upper"],
    ("with a capital", str.capitalize),
    EDITS["quotes"],
    ("without 0x", lambda text: re.sub("^0[xX]", "", text)),
    ("without the line end", lambda text: text.rstrip("\r\n")),
    ("without blanks", lambda text: re.sub(r"\s", "", text)),
    ("with a blank behind it", lambda text: f"{text} "),
    ("with a blank before it", lambda text: f" {text}"),
    ("with a line end", lambda text: f"{text}\n"),
    ("with a line end of Windows", lambda text: f"{text}\r\n"),
    ("with quotes around it", lambda text: f'"{text}"'),
    ("with single quotes around it", lambda text: f"'{text}'"),
    ("with 0x", lambda text: f"0x{text}"),
    ("as UTF-8, not Latin 1", lambda text: text.encode("latin-1").decode()),
    ("as UTF-8, not Windows-1252", lambda text: text.encode("cp1252").decode()),
    ("as Latin 1, not UTF-8", lambda text: text.encode().decode("latin-1")),
)


class Change(NamedTuple):
    """A change of fields: for each the field that it is made of, and how; and the value in words."""

    made: Mapping[str, tuple[str, Callable[[Any], Any]]]
    said: Mapping[str, str]
    one: bool  # whether a value stands for that of all rows

    def of(self, columns: Mapping[str, list[Any]], name: str) -> list[Any]:
        """Return a field's cells after the change."""
        source, made = self.made.get(name, (name, None))
        return columns[source] if made is None else [_tried(made, cell) for cell in columns[source]]


def changes_of(
    columns: Mapping[str, list[Any]],
    numbers: Mapping[str, bool],
    added: Mapping[str, tuple[str, int]],
    near: Sequence[Mapping[str, Any]],
) -> Iterator[Change]:
    """Yield the changes of fields to try on rows with these columns, each once, the smallest first.

    `numbers` says of each field to change whether it is a number; `added`, which column it is read from and
    which number is added; `near` are other rows, the nearest first.
    """
    seen = set()
    for change in _all(columns, numbers, added, near):
        key = tuple(change.said.items())
        if key not in seen:
            seen.add(key)
            yield change


def _all(
    columns: Mapping[str, list[Any]],
    numbers: Mapping[str, bool],
    added: Mapping[str, tuple[str, int]],
    near: Sequence[Mapping[str, Any]],
) -> Iterator[Change]:
    texts = {name: list(map(as_written, columns[name])) for name in numbers}
    shared = {name: cells[0] for name, cells in texts.items() if len(set(cells)) == 1}
    for name, text in shared.items():
        for value in [] if numbers[name] else _spellings(text):
            yield _constant({name: value})
    for name, number in numbers.items():
        column, already = added[name]
        if number or all(re.fullmatch("[0-9]{1,18}", text) for text in texts[name]):
            for by in (by for size in range(1, _SHIFTS + 1) for by in (-size, size)):
                more = already + by
                said = f"{column} {'-' if more < 0 else '+'} {abs(more)}" if more else column
                yield Change({name: (name, partial(_shifted, by))}, {name: said}, False)
        if name not in shared and not number:
            zeros = (
                (f"with zeros, {size} digits", lambda text, size=size: text.zfill(size))
                for size in range(2, 33)
            )
            ways: Sequence[tuple[str, Callable[[str], str]]] = (*_SPELLED, *zeros)
            for said, way in ways:
                respelled = name, lambda cell, way=way: way(as_written(cell))
                yield Change({name: respelled}, {name: said}, False)
    others = [{name: as_written(row[name]) for name in shared if name in row} for row in near]
    for name in shared:
        for value in list(dict.fromkeys(row[name] for row in others if name in row))[:_NEAREST]:
            if value != shared[name]:
                yield _constant({name: value})
    for row in others[:_NEAREST]:
        other = {name: value for name, value in row.items() if value != shared[name] and not numbers[name]}
        if len(other) > 1:
            yield _constant(other)
    for one, two in itertools.combinations((name for name in numbers if not numbers[name]), 2):
        swapped = {one: shared.get(two, f"the value of {two}"), two: shared.get(one, f"the value of {one}")}
        made = {one: (two, as_written), two: (one, as_written)}
        yield Change(made, swapped, one in shared and two in shared)
    for name in numbers:
        for salt in dict.fromkeys(game.scheme.defaults.get(name) for game in known_games()):
            if isinstance(salt, str):
                yield _constant({name: salt})


def _constant(values: Mapping[str, str]) -> Change:
    made = {name: (name, lambda _, value=value: value) for name, value in values.items()}
    return Change(made, values, True)


def _shifted(by: int, cell: Any) -> Any:
    shifted = int(whole(cell)) + by
    return str(shifted) if isinstance(cell, str) else shifted


def _tried(made: Callable[[Any], Any], cell: Any) -> Any:
    """Return a changed cell; the cell itself if the change doesn't fit it."""
    try:
        return made(cell)
    except (TypeError, ValueError):
        return cell


def digits_of(text: str) -> str:
    """Return the digits of which a text consists: decimal ones, or else those of hex; "" of other texts."""
    letters = set(text.lower())
    return _DIGITS if letters <= set(_DIGITS) else _HEX if letters <= set(_HEX) else ""


def _spellings(text: str) -> Iterator[str]:
    """Yield texts of which this one may be a slip."""
    for _, change in _SPELLED:
        with suppress(ValueError):
            yield change(text)
    alphabet = digits_of(text) or _PRINTABLE
    if alphabet == _HEX and text != text.lower():
        alphabet = _HEX.upper() if text == text.upper() else _HEX + "ABCDEF"
    alphabet += "".join(sorted(set(text) - set(alphabet)))
    one_by_one = text if len(text) <= _LONGEST else ""
    for place, old in enumerate(one_by_one):
        before, behind = text[:place], text[place + 1 :]
        yield before + behind
        yield before + behind[:1] + old + behind[1:]
        for letter in alphabet:
            yield f"{before}{letter}{behind}"
    for place in range(len(one_by_one) + 1):
        for letter in alphabet:
            yield f"{text[:place]}{letter}{text[place:]}"
    for zeros in range(2, 17):
        yield "0" * zeros + text
    yield from _numbers(text)
    yield from _dates(text)
    if sum(map(str.isalpha, text)) <= _MOST_CAPITALS:
        cases = [dict.fromkeys((letter.lower(), letter.upper())) for letter in text]
        yield from map("".join, itertools.product(*cases))


def _numbers(text: str) -> Iterator[str]:
    """Yield numbers that a float, or a spreadsheet, shows as this one."""
    if re.fullmatch(r"\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,2})?", text) is None:
        return
    value = Decimal(text)
    number = int(value)
    if number != value or not number:
        return
    yield str(number)
    mantissa, power = number, 0
    while mantissa % 10 == 0:  # 12e4 is shown as 120000, or as 1.20E+05
        mantissa, power = mantissa // 10, power + 1
        for form in ("{}e{}", "{}E{}"):
            yield form.format(mantissa, power)
    if number >= 2**53:
        near = int(math.ulp(float(number))) // 2
        for by in range(1, min(near, 10**_MOST_DIGITS) + 1):
            yield from (str(number - by), str(number + by))
    lost = len(str(number)) - 15  # a spreadsheet keeps 15 digits
    if 0 < lost <= _MOST_DIGITS and number % 10**lost == 0:
        for by in range(1, 10**lost):
            yield from (str(number + by), str(number - by))


def _dates(text: str) -> Iterator[str]:
    """Yield texts that a spreadsheet shows as this date: 3-4, MAR4, 3/16."""
    parts = re.split(r"[\s/:-]+", re.sub(r"[ T]00:00(:00)?$", "", text).lower())
    numbers = [
        part if part.isdecimal() else f"{_MONTHS.index(part[:3]) + 1}" if part[:3] in _MONTHS else ""
        for part in parts
    ]
    if not 2 <= len(parts) <= 3 or "" in numbers:
        return
    for chosen in (two for size in (2, 3) for two in itertools.permutations(numbers, size)):
        spelled = [(part, part.lstrip("0"), part.zfill(2), part[-2:]) for part in chosen]
        for each in itertools.product(*map(dict.fromkeys, spelled)):
            for between in "-/. ":
                yield between.join(each)
    for month, other in itertools.permutations(numbers, 2):
        if 1 <= int(month) <= 12:
            word = _MONTHS[int(month) - 1]
            for name in (word, word.upper(), word.capitalize()):
                for number in dict.fromkeys((other, other.lstrip("0"), other.zfill(2), other[-2:])):
                    for between in ("", "-", " "):
                        yield from (f"{name}{between}{number}", f"{number}{between}{name}")
