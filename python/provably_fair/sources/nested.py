"""Rows nested by one level: objects within rows, and pages with a list of rows."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

_BLANK = re.compile(r"[ \t\r\n]*")
_scan = json.JSONDecoder().raw_decode


def flat(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Flatten a row: ``bet.nonce`` is the ``nonce`` of its object ``bet``."""
    if not any(isinstance(value, Mapping) for value in row.values()):
        return row
    inner = {
        f"{name}.{key}": value
        for name, values in row.items()
        if isinstance(values, Mapping)
        for key, value in values.items()
    }
    return {**inner, **row}


def rows_of_page(
    page: Mapping[str, Any], wanted: Collection[str], later: bool = False
) -> list[Mapping[str, Any]] | None:
    """Return the rows of a page: its only list of objects, if it has no wanted column itself.

    A page after others may have none: it often says that there are no more.
    """
    own = flat(page)
    lists = [
        value
        for value in own.values()
        if isinstance(value, list) and all(isinstance(row, Mapping) for row in value)
    ]
    lists = [*filter(None, lists)] or (lists if later else [])
    return lists[0] if len(lists) == 1 and not any(name in wanted for name in own) else None


def array_in(text: str, wanted: Collection[str], later: bool = False) -> str | None:
    """Return the rows of a page of JSON as the text of their list."""
    try:
        page, _ = _scan(text, after_blanks(text, 0))
        rows = rows_of_page(page, wanted, later) if isinstance(page, dict) else None
        return None if rows is None else _written(text, after_blanks(text, 0), rows)
    except (ValueError, RecursionError):
        return None


def _written(text: str, place: int, rows: object) -> str | None:
    """Return the text of the page's list within the object at a position, or within one nested in it."""
    place += 1
    while text[place := after_blanks(text, place)] != "}":
        if text[place] == ",":
            place = after_blanks(text, place + 1)
        _, place = _scan(text, place)
        start = after_blanks(text, after_blanks(text, place) + 1)  # after the colon
        value, place = _scan(text, start)
        if value == rows:
            return text[start:place]
        if isinstance(value, dict) and (inner := _written(text, start, rows)) is not None:
            return inner
    return None


def after_blanks(text: str, place: int) -> int:
    """Return the end of the whitespace at a position."""
    blank = _BLANK.match(text, place)
    return place if blank is None else blank.end()
