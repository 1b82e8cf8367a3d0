"""CSV: blocks of whole rows, parsed by Arrow."""

from __future__ import annotations

import codecs
import csv as standard_csv
import io
import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..columns import normalized
from . import limits
from .source import Batch, LogError, Source, first_line
from .text import needed, opened


def csv_rows(path: Path, compression: str | None, wanted: set[str], source: Source) -> Generator[Batch]:
    """Give the rows of a file."""
    with opened(path, compression, source) as stream:
        yield from _csv(stream, path, wanted)


def _csv(stream: io.BufferedReader, path: Path, wanted: set[str]) -> Iterator[Batch]:
    pa = needed(path)
    from pyarrow import csv

    tabs = ".tsv" in [suffix.lower() for suffix in path.suffixes]
    delimiter = "\t" if tabs else ","
    header = stream.readline().removeprefix(codecs.BOM_UTF8)
    try:
        names = next(standard_csv.reader([header.decode().rstrip("\r\n")], delimiter=delimiter), [])
    except standard_csv.Error as error:
        raise LogError(f"{path}: the first line must name the columns: {error}") from None
    if not names:
        raise LogError(f"{path}: the file is empty: its first line must name the columns")
    used = [name for name in dict.fromkeys(names) if name in wanted]
    twice = [name for name in used if names.count(name) > 1]
    if twice:
        raise LogError(f"{path}: the column {twice[0]!r} is there {names.count(twice[0])} times")
    if not used:
        yield Batch({}, np.arange(0), str(path))
        return
    options: dict[str, Any] = {
        "parse_options": csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        # Seeds stay as they are written: no 007 that becomes 7, no text that becomes null.
        "convert_options": csv.ConvertOptions(
            include_columns=used,
            column_types=dict.fromkeys(used, pa.string()),
            strings_can_be_null=False,
        ),
    }
    done = 0
    for block in _whole_rows(stream, delimiter, path):
        skipped: dict[int, str] = {}

        def unreadable(row: Any, skipped: dict[int, str] = skipped) -> str:
            skipped[row.number - 1] = row.text[:200]
            return "skip"

        options["parse_options"].invalid_row_handler = unreadable
        # Arrow's threads get memory of Arrow's own: one of them that is still in a stream or bytes of
        # Python's when the interpreter ends takes the process down.
        memory = pa.BufferOutputStream()
        memory.write(codecs.BOM_UTF8)  # which is taken off: another one belongs to the first cell
        memory.write(block)
        read = csv.ReadOptions(use_threads=False, block_size=memory.tell(), column_names=names)
        try:
            table = csv.read_csv(pa.BufferReader(memory.getvalue()), read, **options)
        except pa.ArrowInvalid as error:
            if "Empty CSV" not in str(error):
                raise LogError(f"{path}: after row {done}: {first_line(error)}") from error
            continue
        rows = np.arange(done, done + table.num_rows + len(skipped))
        lost = {done + row: text for row, text in skipped.items()}
        columns = {name: normalized(table.column(name)) for name in used}
        yield Batch(columns, rows[~np.isin(rows, list(lost))], str(path), lost)
        done += len(rows)
    if not done:
        yield Batch({name: [] for name in used}, np.arange(0), str(path))


def _whole_rows(stream: io.BufferedReader, delimiter: str, path: Path) -> Iterator[bytes]:
    """Cut CSV after the ends of rows, which aren't the line ends within quotes."""
    # A quote counts at the beginning of a field only, as it does for Arrow.
    field = rf'(?:"[^"]*+(?:""[^"]*+)*+"|(?!"))[^{delimiter}\r\n]*+'
    rows = re.compile(rf"(?:{field}(?:{delimiter}{field})*+(?:\r?\n|\r(?!\n|\Z)))*+".encode())
    block = b""
    while data := stream.read(max(limits.BLOCK, len(block))):
        block += data
        end = 0 if b'"' in block else block.rfind(b"\n") + 1
        if not end:
            whole = rows.match(block)
            end = whole.end() if whole else 0
        if end:
            yield block[:end]
            block = block[end:]
        elif len(block) > limits.LONGEST_LINE:
            start = block[:40].decode(errors="replace")
            longest = f"{limits.LONGEST_LINE >> 20} MB"
            raise LogError(f"{path}: a row longer than any can be ({longest}): {start!r}...")
    if block:
        yield block
