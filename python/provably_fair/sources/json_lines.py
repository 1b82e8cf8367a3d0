"""JSON: one object per row, in lines or in an array."""

from __future__ import annotations

import codecs
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from itertools import chain
from typing import Any

import numpy as np

from . import limits
from .formats import FileReading, error_text
from .nested import after_blanks, array_in, flat
from .opened import HashedFile, StoppedError
from .source import Batch, LogError
from .stored import StoredFile
from .text import TextFile, excerpt
from .wanted import Wanted


def json_names(
    text: TextFile, path: StoredFile, wanted: Wanted
) -> tuple[set[str], tuple[str, ...], Exception | None]:
    """Return the wanted columns that occur, all columns of the first lines, and the error that broke it off.

    A name that is nowhere in the text, not even within a value, is no column; only lines that have one
    of the others are parsed. Text that breaks off counts as far as it goes: its rows are read, too.
    """
    # Of a nested name its last part, which several may share.
    missing = {
        name: json.dumps(name, ensure_ascii=False).encode()[1:].rpartition(b".")[2] for name in sorted(wanted)
    }
    names: dict[str, None] = {}
    first = True
    broken: list[Exception] = []
    for block in _as_far_as_it_goes(_lines_of(_array_lines(text, path, wanted)), broken):
        # Names may contain escapes.
        escaped = b"\\" in block
        if not (first or wanted.every or escaped or any(part in block for part in missing.values())):
            continue
        for line in filter(None, block.split(b"\n")):
            named = any(part in line for part in missing.values())
            if not (first or wanted.every or (escaped and b"\\" in line) or named):
                continue
            if not line.strip():
                continue
            value = _object(line, _decode)
            if value is not None:
                there = flat(value)
                names |= dict.fromkeys(there)
                missing = {name: written for name, written in missing.items() if name not in there}
            elif first and line.lstrip().startswith(b"["):
                raise LogError(
                    f"{path}: there is no column: each row must be a JSON object, got an array",
                    kind="columns",
                )
            first = False
            if not missing and not wanted.every:
                return wanted, tuple(names), None
    found = set(names) if wanted.every else wanted - set(missing)
    return found, tuple(names), broken[0] if broken else None


def json_rows(reading: FileReading, raw: HashedFile) -> Iterator[Batch]:
    """Yield the rows of a file."""
    path, wanted = reading.path, reading.wanted
    # Columns may appear anywhere in the file, so a first pass finds them.
    columns, names, given_up = json_names(reading.text(raw), path, wanted)
    if given_up is not None:
        reading.evidence.error = error_text(given_up, path)
    raw.again()
    places: list[int] = []
    objects: list[Mapping[str, Any]] = []
    unreadable: dict[int, str] = {}
    row = 0

    def batch() -> Batch:
        cells = {name: [o.get(name) for o in objects] for name in columns}
        contiguous = not unreadable and places
        where: int | np.ndarray = places[0] if contiguous else np.array(places, dtype=np.int64)
        return Batch(cells, len(places), where, dict(unreadable), names)

    given = False
    broken: list[Exception] = []
    for block in _as_far_as_it_goes(_lines_of(_array_lines(reading.text(raw), path, wanted)), broken):
        for line in filter(None, block.split(b"\n")):
            if line.isspace():
                continue
            value = _object(line)
            if value is not None:
                places.append(row)
                objects.append(flat(value))
            else:
                unreadable[row] = excerpt(line)
            row += 1
            if len(places) + len(unreadable) == limits.JSON_BATCH:
                yield batch()
                given = True
                places, objects, unreadable = [], [], {}
            elif not row % 1024 and reading.stopped():
                raise StoppedError
    if places or unreadable or not (given or broken):
        yield batch()
    if broken:
        raise broken[0]


def _as_far_as_it_goes(blocks: Iterator[bytes], broken: list[Exception]) -> Iterator[bytes]:
    """Yield blocks up to an error, which is kept."""
    try:
        yield from blocks
    except (LogError, OSError, EOFError, zlib.error) as error:
        broken.append(error)


def _lines_of(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield blocks of whole lines, without empty ones."""
    rest = b""
    for block in blocks:
        if not rest and not block.strip():
            continue
        rest += block
        end = rest.rfind(b"\n") + 1
        if end:
            yield rest[:end]
            rest = rest[end:]
    if rest:
        yield rest


def _array_lines(file: TextFile, path: StoredFile, wanted: Wanted) -> Iterator[bytes]:
    """Yield the elements of an array, or of pages, as lines, block by block; other text unchanged."""
    blocks = file.blocks()
    first = next((block for block in blocks if block.strip()), b"")
    if first.lstrip().startswith(b"{"):
        first, pages = _pages(first, blocks, wanted)
        if pages:
            file.in_rows = False
            yield from _page_lines(first, blocks, wanted)
            return
    if not first.lstrip().startswith(b"["):
        yield first
        yield from blocks
        return
    file.in_rows = False
    decode = codecs.getincrementaldecoder("utf-8")().decode
    scan = json.JSONDecoder().raw_decode
    text, row, place = decode(first), 0, first.index(b"[") + 1
    while True:
        lines, ended = [], False
        while True:
            place = start = after_blanks(text, place)
            if text[place : place + 1] == "]":
                ended = True
                break
            if row and text[place : place + 1] == ",":
                start = after_blanks(text, place + 1)
            elif row:
                break
            try:
                _, end = scan(text, start)
            except (ValueError, RecursionError):
                break
            if end == len(text):  # a number's digits may continue
                break
            # Within an element lines can only end at whitespace.
            lines.append(text[start:end].replace("\n", " ").replace("\r", " "))
            place, row = end, row + 1
        if lines:
            yield ("\n".join(lines) + "\n").encode()
        if ended:
            break
        if len(text) - place > limits.LONGEST_LINE or not (block := next(blocks, b"")):
            raise LogError(f"{path}: row {row}: the array breaks off here, or isn't JSON", row=row)
        text, place = text[place:] + decode(block), 0
    if text[place + 1 :].strip() or any(block.strip() for block in blocks):
        raise LogError(f"{path}: after row {row}: something follows the end of the array")


def _pages(first: bytes, blocks: Iterator[bytes], wanted: Wanted) -> tuple[bytes, bool]:
    """Return whether text holds pages, over several lines or one per line, and the text that was read."""
    while b"\n" not in first.lstrip() and len(first) < limits.LONGEST_LINE and (block := next(blocks, b"")):
        first += block
    line = first.lstrip().partition(b"\n")[0]
    if _object(line, _decode) is None:
        while len(first) < limits.LONGEST_LINE and (block := next(blocks, b"")):
            first += block
        line = first
    return first, _rows_of(line, wanted) is not None


def _page_lines(first: bytes, blocks: Iterator[bytes], wanted: Wanted) -> Iterator[bytes]:
    """Yield the rows of pages as lines: of a single object, or of one per line."""
    whole = _object(first, _decode) is not None  # of several lines, or one that ends where its block does
    rest = _lines_of(blocks if whole else chain([first], blocks))
    for page in chain([first] if whole else [], (line for block in rest for line in block.split(b"\n"))):
        array = _rows_of(page, wanted, later=True)
        if array is None:
            yield page + b"\n"  # not a page: reported as an unreadable row
            continue
        place, rows = 1, []
        while array[place := after_blanks(array, place)] != "]":
            place = after_blanks(array, place + (array[place] == ","))
            _, end = json.JSONDecoder().raw_decode(array, place)
            rows.append(array[place:end].replace("\n", " ").replace("\r", " "))
            place = end
        yield ("\n".join(rows) + "\n").encode()


def _rows_of(page: bytes, wanted: Wanted, later: bool = False) -> str | None:
    """Return the text of a page's rows; None if it isn't one page, or has two lists of the same name."""
    text = page.decode(errors="replace")
    rows = array_in(text, wanted, later)
    return None if rows is None or _object(text.replace(rows, "[]", 1).encode()) is None else rows


def _once(pairs: list[tuple[str, object]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key is there twice")
    return value


def _as_written(text: str) -> float | Decimal | str:
    """Return a number as written; as a float if that keeps all digits."""
    number = float(text)
    # At most 15 digits and a point: different numbers of so few digits are different floats.
    if len(text) <= 16 or repr(number) == text:
        return number
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent out of range
        return text


_decode_once = json.JSONDecoder(object_pairs_hook=_once, parse_float=_as_written).decode
_decode = json.JSONDecoder().decode


def _object(line: bytes, decode: Callable[[str], Any] = _decode_once) -> dict[str, Any] | None:
    """Return the object of a line, if it holds one; by default none that has a key twice."""
    try:
        value = decode(line.decode().strip())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
