"""CSV: blocks of whole rows, which the engine parses into columns."""

from __future__ import annotations

import csv as standard_csv
import re
from collections.abc import Callable, Iterator

import numpy as np

from provably_fair._engine import CsvRows, read_csv

from . import limits
from .dialect import SEPARATORS
from .formats import FileReading
from .opened import HashedFile
from .source import Batch, LogError, Option, check_once
from .stored import StoredFile
from .text import excerpt, require_pyarrow
from .wanted import Wanted, read_of


def csv_rows(reading: FileReading, raw: HashedFile) -> Iterator[Batch]:
    """Yield the rows of a file."""
    text, path, wanted = reading.text(raw), reading.path, reading.wanted
    pa = require_pyarrow(path)
    text.encoding = wanted.csv.encoding or "utf-8"
    blocks = _header_apart(text.blocks())
    header = next(blocks, b"").decode().rstrip("\r\n")
    separator = wanted.csv.separator
    if header[:4] == "sep=" and len(header) == 5:  # a line that spreadsheets write, such as sep=;
        separator = separator or header[4]
        blocks = _header_apart(blocks)
        header = next(blocks, b"").decode().rstrip("\r\n")
    if not header:
        raise LogError(f"{path}: the file is empty: its first line must name the columns", kind="columns")
    delimiter, names = _names(header, separator, path, wanted)
    check_once(names, wanted, str(path))
    used = read_of(names, wanted)
    if not used:
        yield Batch({}, 0, 0, names=tuple(names))
        return
    places = [names.index(name) for name in used]
    done = 0
    for block, found in _whole_rows(
        _gathered(blocks), lambda block: read_csv(block, ord(delimiter), len(names), places)
    ):
        if found is None:
            for batch in _lines(block, done, used, tuple(names)):
                yield batch
                done += len(batch.unreadable)
        elif found.rows or found.unreadable:
            columns = {
                name: pa.StringArray.from_buffers(found.rows, *map(pa.py_buffer, (ends, cells)))
                for name, (cells, ends) in zip(used, found.columns, strict=True)
            }
            batch = Batch(columns, found.rows, *_places(found, block, done, delimiter), tuple(names))
            yield batch
            done += batch.rows + len(batch.unreadable)
    if not done:
        yield Batch({name: [] for name in used}, 0, 0, names=tuple(names))


def _names(header: str, separator: str | None, path: StoredFile, wanted: Wanted) -> tuple[str, list[str]]:
    """Return the separator, if not given what separates most wanted names, and the names without blanks."""
    tabs = ".tsv" in [suffix.lower() for suffix in path.suffixes]
    found = []
    for mark in SEPARATORS if separator is None else [separator]:
        try:
            names = next(standard_csv.reader([header], delimiter=mark), [])
        except standard_csv.Error as error:
            raise LogError(f"{path}: the first line must name the columns: {error}", kind="columns") from None
        names = [name if name in wanted else name.strip() for name in names]
        rank = len(names) > 1 and sum(name in wanted for name in names), tabs and mark == "\t", len(names)
        found.append((rank, mark, names))
    found.sort(key=lambda one: one[0], reverse=True)
    (best, mark, names), *others = found
    if others and others[0][0] == best and best[2] > 1:
        raise LogError(
            f"{path}: what separates its columns, {mark!r} or {others[0][1]!r}? give ",
            Option("csv", {"separator": mark}),
            " or ",
            Option("csv", {"separator": others[0][1]}),
        )
    if best[2] == 1 and tabs:
        mark = "\t"
    return mark, names


def _places(
    found: CsvRows, block: bytes, done: int, delimiter: str
) -> tuple[int | np.ndarray, dict[int, str]]:
    """Return the positions of rows, and unreadable lines by position.

    A quote that is closed by another row's makes one row of many lines: each of them is a row that is lost.
    Where quotes are closed as they should be, line ends within them are text, and the row is one.
    """
    mark = re.escape(delimiter.encode())
    cells = re.compile(rb'(?:"((?:[^"]|"")*)"([^%b\r\n]*)|[^%b\r\n]*)(?:%b|$)' % (mark, mark, mark))
    if not found.unreadable:
        return done, {}
    lost: dict[int, str] = {}
    count = found.rows + len(found.unreadable)
    shifts = np.zeros(count + 1, np.int64)
    kept = np.ones(count, bool)
    shift = 0
    for number, start, end in found.unreadable:
        row = block[start:end]
        torn = any(cell[2] and any(end in cell[1] for end in b"\r\n") for cell in cells.finditer(row))
        lines = _lines_of(row) if torn else [row]
        for i, line in enumerate(lines):
            lost[done + number + shift + i] = excerpt(line)
        shift += len(lines) - 1
        shifts[number + 1] = len(lines) - 1
        kept[number] = False
    return done + (np.arange(count, dtype=np.int64) + np.cumsum(shifts[:-1]))[kept], lost


def _gathered(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield blocks joined to larger ones; before an error, yield what came first."""
    some: list[bytes] = []
    try:
        for block in blocks:
            some.append(block)
            if sum(map(len, some)) >= limits.CSV_BLOCK:
                yield b"".join(some)
                some = []
    except Exception:
        yield b"".join(some)
        raise
    yield b"".join(some)


def _header_apart(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the first line that isn't empty, then the rest in blocks."""
    header = b""
    for block in blocks:
        header = (header + block).lstrip(b"\r\n")
        if end := re.search(rb"[\r\n]", header):
            yield header[: end.end()]
            yield header[end.end() :]
            yield from blocks
            return
    if header:
        yield header


def _whole_rows(
    blocks: Iterator[bytes], read: Callable[[bytes], CsvRows]
) -> Iterator[tuple[bytes, CsvRows | None]]:
    """Yield blocks of whole rows with the number of rows; None for unreadable lines.

    A row within quotes that are never closed, or not for longer than any row can be, can't be read, and
    neither can the lines that these quotes swallow.
    """
    rest, swallowed = b"", False
    for block in blocks:
        rest += block
        if swallowed:
            quote = rest.find(b'"')
            end = rest.find(b"\n", quote) + 1 if quote >= 0 else 0
            swallowed = not end
            lines = end or rest.rfind(b"\n", 0, quote if quote >= 0 else None) + 1
            if lines:
                yield rest[:lines], None
                rest = rest[lines:]
            if swallowed:
                continue
        found = read(rest)
        yield rest, found
        rest = rest[found.end :]
        if found.open and len(rest) > limits.LONGEST_LINE:
            swallowed = True
            lines = rest.rfind(b"\n") + 1
            yield rest[:lines], None
            rest = rest[lines:]
    if rest:
        last = None if swallowed else read(rest + b"\n")
        yield rest, None if last is None or last.open else last


def _lines(block: bytes, done: int, used: list[str], names: tuple[str, ...]) -> Iterator[Batch]:
    """Yield unreadable lines."""
    lines = _lines_of(block)
    for start in range(0, len(lines), limits.BATCH):
        some = lines[start : start + limits.BATCH]
        lost = {done + start + i: excerpt(line) for i, line in enumerate(some)}
        yield Batch({name: [] for name in used}, 0, done + start, lost, names)


def _lines_of(block: bytes) -> list[bytes]:
    return [line for line in block.splitlines() if line]
