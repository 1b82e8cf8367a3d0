"""Properties of a game log, ``NAME[value][value]...``, read from text and written as text.

`DH` is the hash of a sequence, `MI` has facts about the game, `DS` the digits. Other properties are kept as
they are. A record ends where one of the three comes again. Text is read once from the left, so the time is
linear in it, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from provably_fair._core.arguments import BadValue

from .dice import error_at, seen_at

Algorithm = Literal["md5", "sha256"]
_BY_LENGTH: dict[int, Algorithm] = {32: "md5", 64: "sha256"}

Property = tuple[str, tuple[str, ...]]
"""The name and the values of a property, escapes undone."""

_ONCE, _NEEDED = ("DH", "MI", "DS"), ("DH", "DS")
_WIDTH, _LONGEST_NAME = 88, 32

_SPACE = re.compile(r"[ \t-\r]*")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_VALUE = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
_WITHOUT_ESCAPES = re.compile(r"\[([^\]]*+)\]")


def parse_hash(argument: str, text: bytes) -> tuple[str, Algorithm]:
    """Return a hash in lowercase hexadecimal, and its algorithm by its length."""
    if wrong := re.search(rb"[^0-9A-Fa-f]", text):
        problem = f"must be a hexadecimal digit, got {seen_at(text, wrong.start())}"
        raise error_at(argument, text, wrong.start(), problem)
    if len(text) not in _BY_LENGTH:
        raise BadValue(argument, f"must have 32 hexadecimal digits (MD5) or 64 (SHA-256), got {len(text)}")
    return text.decode().lower(), _BY_LENGTH[len(text)]


def text_of(properties: Iterable[Property]) -> str:
    """Return the text of a record, with the digits on lines of their own."""
    lines = [""]
    for name, values in properties:
        if name == "DS":
            lines += [f"DS[{_wrapped(values[0])}]", ""]
        else:
            escaped = (re.sub(r"[\]\\]", r"\\\g<0>", value) for value in values)
            lines[-1] += name + "".join(f"[{value}]" for value in escaped)
    return "".join(f"{line}\n" for line in lines if line)


def _wrapped(digits: str) -> str:
    return "\n".join(digits[start : start + _WIDTH] for start in range(0, len(digits), _WIDTH))


class _MistakeError(Exception):
    """A mistake in a log or a record: its offset and a description."""

    def __init__(self, offset: int, problem: str) -> None:
        super().__init__(problem)
        self.offset, self.problem = offset, problem


def records_of(argument: str, data: bytes) -> list[tuple[Property, ...]]:
    """Return the properties of each record of a log; errors name line and column."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        problem = f"must be UTF-8 text, got {seen_at(data, error.start)}"
        raise error_at(argument, data, error.start, problem) from None
    try:
        return [*_split(text)]
    except _MistakeError as mistake:
        offset = len(text[: mistake.offset].encode())
        raise error_at(argument, data, offset, mistake.problem) from None


def checked_record(properties: list[tuple[str, list[str]]]) -> tuple[Property, ...]:
    """Return the properties of one record as a log would have them."""
    names = [name for name, _ in properties]
    count = max(1, *(names.count(name) for name in _ONCE)) if names else 0
    if count != 1:
        raise BadValue("properties", f"must make one record, got {count}")
    if lacking := _lacking(names):
        raise BadValue("properties", f"must have {lacking}, which the record lacks")
    checked = []
    for index, (name, values) in enumerate(properties):
        try:
            checked.append(_checked(name, values))
        except _MistakeError as mistake:
            raise BadValue("properties", mistake.problem, index=index) from None
    return tuple(checked)


def _split(text: str) -> Iterator[tuple[Property, ...]]:
    """Yield the properties of each record."""
    record: list[Property] = []
    names: set[str] = set()
    start = 0
    for at, name, values in _properties(text):
        if record and (not name or (name in _ONCE and name in names)):
            if lacking := _lacking(names):
                raise _MistakeError(start, f"must start a record with {lacking}[...], which it lacks")
            yield tuple(record)
            record, names = [], set()
        if not record:
            start = at
        record.append((name, values))
        names.add(name)


def _properties(text: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield the properties of a log with their offsets, escapes undone; at the end one without a name."""
    at = _after_space(text, int(text.startswith("\ufeff")))
    while at < len(text):
        start, name = at, _name_at(text, at)
        at = _after_space(text, at + len(name))
        if not text.startswith("[", at):
            raise _MistakeError(at, f"must be '[' after {name}, got {_seen(text, at)}")
        values: list[str] = []
        while text.startswith("[", at):
            if values and name in _NEEDED:
                raise _MistakeError(at, f"must not give {name} a second value")
            found = (_WITHOUT_ESCAPES if name in _NEEDED else _VALUE).match(text, at)
            if not found:
                raise _MistakeError(at, "must be closed: this '[' has no ']'")
            value = found[1] if name in _NEEDED else re.sub(r"(?s)\\(.)", r"\1", found[1])
            values.append(_value_of(name, value, at + 1))
            at = _after_space(text, found.end())
        yield start, name, tuple(values)
    yield at, "", ()


def _after_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _seen(text: str, at: int) -> str:
    return repr(text[at]) if at < len(text) else "the end"


def _name_at(text: str, at: int) -> str:
    """Return the name of the property that begins at an offset."""
    found = _NAME.match(text, at, at + _LONGEST_NAME + 1)
    if not found:
        raise _MistakeError(at, f"must be a property such as DH[...], got {_seen(text, at)}")
    if len(found[0]) > _LONGEST_NAME:
        raise _MistakeError(at, f"must be a property's name of at most {_LONGEST_NAME} characters")
    return found[0]


def _checked(name: str, values: list[str]) -> Property:
    """Return a property as a log would have it."""
    if _name_at(name, 0) != name:
        raise _MistakeError(0, f"must be a property of letters and digits, got {name!r}")
    if not values:
        raise _MistakeError(0, f"must give {name} a value")
    if len(values) > 1 and name in _NEEDED:
        raise _MistakeError(0, f"must not give {name} a second value")
    return name, tuple(_value_of(name, value, 0) for value in values)


def _value_of(name: str, value: str, at: int) -> str:
    """Return a value as records have it: a hash in lowercase, digits without white space."""
    if name not in _NEEDED:
        return value
    others, wanted = {
        "DH": (r"[^0-9A-Fa-f \t-\r]", "a hexadecimal digit"),
        "DS": (r"[^1-6 \t-\r]", "a digit from 1 to 6 or white space"),
    }[name]
    if wrong := re.search(others, value):
        raise _MistakeError(at + wrong.start(), f"must be {wanted}, got {wrong[0]!r}")
    bare = "".join(value.split())
    if name == "DH":
        try:
            return parse_hash("", bare.encode())[0]
        except BadValue as error:
            raise _MistakeError(at, error.problem) from None
    if not bare:
        raise _MistakeError(at, "must be a digit from 1 to 6: the sequence is empty")
    return bare


def _lacking(names: Collection[str]) -> str:
    """Return the name of a property that a record needs and doesn't have; "" if it has both."""
    return next((name for name in _NEEDED if name not in names), "")
