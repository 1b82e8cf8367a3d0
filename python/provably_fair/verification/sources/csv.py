"""CSV: blocks of whole rows, parsed by Arrow."""

from __future__ import annotations

import codecs
import csv as standard_csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from provably_fair._engine import cut_csv

from ..foreign import to_readable
from . import limits
from .source import Batch, LogError, check_once, first_line
from .text import TextFile, excerpt, require_pyarrow

Part = bytes | memoryview


def csv_rows(text: TextFile, path: Path, wanted: set[str]) -> Iterator[Batch]:
    """Give the rows of a file."""
    pa = require_pyarrow(path)
    tabs = ".tsv" in [suffix.lower() for suffix in path.suffixes]
    delimiter = "\t" if tabs else ","
    blocks = _header_apart(text.blocks())
    header = next(blocks, b"")
    try:
        names = next(standard_csv.reader([header.decode().rstrip("\r\n")], delimiter=delimiter), [])
    except standard_csv.Error as error:
        raise LogError(f"{path}: the first line must name the columns: {error}") from None
    if not names:
        raise LogError(f"{path}: the file is empty: its first line must name the columns")
    check_once(names, wanted, str(path))
    used = [name for name in names if name in wanted]
    if not used:
        yield Batch({}, 0, 0, names=tuple(names))
        return
    done = 0
    for parts, readable_rows in _whole_rows(blocks, delimiter):
        if not readable_rows:
            for swallowed in _lines(b"".join(parts), done, used, tuple(names)):
                yield swallowed
                done += len(swallowed.unreadable)
            continue
        batch = _parse(pa, path, parts, names, used, delimiter, done)
        if batch is not None:
            yield batch
            done += batch.rows + len(batch.unreadable)
    if not done:
        yield Batch({name: [] for name in used}, 0, 0, names=tuple(names))


def _parse(
    pa: Any, path: Path, parts: list[Part], names: list[str], used: list[str], delimiter: str, done: int
) -> Batch | None:
    """Parse whole rows, the first of which has this position in the file."""
    from pyarrow import csv

    skipped: list[tuple[int, str]] = []

    def skip(row: Any) -> str:
        skipped.append((row.number - 1, row.text))
        return "skip"

    # Arrow's threads get memory of Arrow's own: one of them that is still in a stream or bytes of
    # Python's when the interpreter ends takes the process down.
    mark = codecs.BOM_UTF8  # which is taken off: another one belongs to the first cell
    memory = pa.allocate_buffer(len(mark) + sum(map(len, parts)))
    with pa.FixedSizeBufferWriter(memory) as file:
        for part in (mark, *parts):
            file.write(part)
    read = csv.ReadOptions(use_threads=False, block_size=memory.size, column_names=names)
    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=skip)
    # Seeds stay as they are written: no 007 that becomes 7, no text that becomes null.
    convert = csv.ConvertOptions(
        include_columns=used, column_types=dict.fromkeys(used, pa.string()), strings_can_be_null=False
    )
    try:
        table = csv.read_csv(pa.BufferReader(memory), read, parse, convert)
    except pa.ArrowInvalid as error:
        if "Empty CSV" not in str(error):
            raise LogError(f"{path}: after row {done}: {first_line(error)}") from error
        return None
    columns = {name: to_readable(table.column(name)) for name in used}
    places, lost = _places(table.num_rows, skipped, done)
    return Batch(columns, table.num_rows, places, lost, tuple(names))


def _places(rows: int, skipped: list[tuple[int, str]], done: int) -> tuple[int | np.ndarray, dict[int, str]]:
    """Return where rows are among those that were skipped, and these by their places.

    A quote that was closed far too late makes one row of many lines: each of them is a row that is lost.
    """
    if not skipped:
        return done, {}
    lost: dict[int, str] = {}
    shifts = np.zeros(rows + len(skipped), np.int64)
    kept = np.ones(rows + len(skipped), bool)
    shift = 0
    for number, text in skipped:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for line in lines:
            lost[done + number + shift] = line[: limits.SHOWN]
            shift += 1
        shift -= 1
        kept[number] = False
        shifts[number + 1 :][:1] += len(lines) - 1
    return done + (np.arange(len(kept)) + np.cumsum(shifts))[kept], lost


def _header_apart(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Give the first line, and then the blocks that follow it."""
    header = b""
    for block in blocks:
        header += block
        end = header.find(b"\n") + 1
        if end:
            yield header[:end]
            yield header[end:]
            yield from blocks
            return
    if header:
        yield header


def _whole_rows(blocks: Iterator[bytes], delimiter: str) -> Iterator[tuple[list[Part], bool]]:
    """Give parts of CSV that end with rows, which isn't at line ends within quotes; say what can be read.

    A row within quotes that are never closed, or not for longer than any row can be, can't be, and
    neither can the lines that these quotes swallow.
    """
    rest, swallowed = b"", False
    for block in blocks:
        end = block.rfind(b"\n") + 1
        if end and not swallowed and b'"' not in block and b'"' not in rest:
            yield [rest, memoryview(block)[:end]], True
            rest = block[end:]
            continue
        rest += block
        if swallowed:
            quote = rest.find(b'"')
            end = rest.find(b"\n", quote) + 1 if quote >= 0 else 0
            swallowed = not end
            lines = end or rest.rfind(b"\n", 0, quote if quote >= 0 else None) + 1
            if lines:
                yield [rest[:lines]], False
                rest = rest[lines:]
            if swallowed:
                continue
        end, is_open = _cut(rest, delimiter)
        if end:
            yield [memoryview(rest)[:end]], True
            rest = rest[end:]
        if is_open and len(rest) > limits.LONGEST_LINE:
            swallowed = True
            lines = rest.rfind(b"\n") + 1
            yield [rest[:lines]], False
            rest = rest[lines:]
    if rest:
        yield [rest], not (swallowed or _cut(rest, delimiter)[1])


def _cut(block: bytes, delimiter: str) -> tuple[int, bool]:
    """Return where the last whole row ends, and whether what follows ends within quotes."""
    return cut_csv(block, ord(delimiter)) if b'"' in block else (block.rfind(b"\n") + 1, False)


def _lines(block: bytes, done: int, used: list[str], names: tuple[str, ...]) -> Iterator[Batch]:
    """Give lines that can't be read as rows."""
    lines = [line for line in block.splitlines() if line]
    for start in range(0, len(lines), limits.BATCH):
        some = lines[start : start + limits.BATCH]
        lost = {done + start + i: excerpt(line) for i, line in enumerate(some)}
        yield Batch({name: [] for name in used}, 0, done + start, lost, names)
