"""JSON lines: an object for each row."""

from __future__ import annotations

import codecs
import json
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from . import limits
from .source import Batch, LogError, Source
from .text import lines_of, opened


def json_rows(path: Path, compression: str | None, wanted: set[str], source: Source) -> Generator[Batch]:
    """Give the rows of a file."""
    with opened(path, compression, source) as stream:
        # Which columns there are is a matter of the whole file, and is looked for first.
        yield from _json(stream, path, _json_names(lines_of(path, compression), path) & wanted)


def _json_names(lines: Iterable[bytes], path: Path) -> set[str]:
    """Return the names that any line's object has."""
    names: set[str] = set()
    for row, value in _json_lines(lines):
        if isinstance(value, dict):
            names |= value.keys()
        elif row == 0 and value.lstrip().startswith(b"["):
            raise LogError(f"{path}: there is no column: each line must be a JSON object, got an array")
    return names


def _json(lines: Iterable[bytes], path: Path, names: set[str]) -> Iterator[Batch]:
    rows: list[int] = []
    objects: list[dict[str, Any]] = []
    unreadable: dict[int, str] = {}

    def batch() -> Batch:
        columns = {name: [o.get(name) for o in objects] for name in names}
        return Batch(columns, np.array(rows, dtype=np.int64), str(path), dict(unreadable))

    yielded = False
    for row, value in _json_lines(lines):
        if isinstance(value, dict):
            rows.append(row)
            objects.append(value)
        else:
            unreadable[row] = value[:200].decode(errors="replace").rstrip()
        if len(rows) + len(unreadable) == limits.JSON_BATCH:
            yield batch()
            yielded = True
            rows, objects, unreadable = [], [], {}
    if rows or unreadable or not yielded:
        yield batch()


def _json_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any] | bytes]]:
    """Give each line's row and its object; the line itself where it holds none."""
    row = 0
    for line in lines:
        if row == 0:
            line = line.removeprefix(codecs.BOM_UTF8)
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode())
        except (ValueError, RecursionError):
            value = None
        yield row, value if isinstance(value, dict) else line
        row += 1
