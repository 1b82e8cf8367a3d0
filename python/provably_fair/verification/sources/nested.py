"""Rows that are nested by one level: an object within a row, and pages that hold rows as a list."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

_BLANK = re.compile(r"[ \t\r\n]*")
_scan = json.JSONDecoder().raw_decode


def flat(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row with the values of objects in it beside its own: ``bet.nonce`` is that of its ``bet``."""
    if not any(isinstance(value, Mapping) for value in row.values()):
        return row
    inner = {
        f"{name}.{key}": value
        for name, values in row.items()
        if isinstance(values, Mapping)
        for key, value in values.items()
    }
    return {**inner, **row}


def rows_of_page(page: Mapping[str, Any], wanted: Collection[str]) -> list[Mapping[str, Any]] | None:
    """Return the rows that a page holds: its one list of objects, where it has no column of its own."""
    own = flat(page)
    lists = [
        value
        for value in own.values()
        if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value)
    ]
    return lists[0] if len(lists) == 1 and not any(name in wanted for name in own) else None


def array_in(text: str, wanted: Collection[str]) -> str | None:
    """Return the rows of a page that is JSON text, as the JSON list that they are written as."""
    try:
        page, _ = _scan(text, _after(text, 0))
        rows = rows_of_page(page, wanted) if isinstance(page, dict) else None
        return None if rows is None else _written(text, _after(text, 0), rows)
    except (ValueError, RecursionError):
        return None


def _written(text: str, place: int, rows: object) -> str | None:
    """Return how a value is written that an object has, or one within it."""
    place += 1
    while text[place := _after(text, place)] != "}":
        if text[place] == ",":
            place = _after(text, place + 1)
        _, place = _scan(text, place)
        start = _after(text, _after(text, place) + 1)  # behind the colon
        value, place = _scan(text, start)
        if value == rows:
            return text[start:place]
        if isinstance(value, dict) and (inner := _written(text, start, rows)) is not None:
            return inner
    return None


def _after(text: str, place: int) -> int:
    """Return where the blanks end that begin here."""
    blank = _BLANK.match(text, place)
    return place if blank is None else blank.end()
