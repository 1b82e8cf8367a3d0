"""Excel workbooks: the rows of the first sheet."""

from __future__ import annotations

from collections.abc import Iterator

from provably_fair._core.optional import optional

from . import limits
from .formats import FileReading
from .opened import Sealed
from .source import Batch, LogError, check_once, first_line
from .stored import StoredFile, naming
from .wanted import read_of


def excel_rows(reading: FileReading, file: Sealed) -> Iterator[Batch]:
    """Yield the rows of a workbook's first sheet; record the names of others."""
    path, wanted = reading.path, reading.wanted
    openpyxl = optional("openpyxl", "excel", f"log: reading {path.name}")
    with naming(path.title):  # the file may hold anything
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        first, *others = book.worksheets or [None]
        for sheet in others:
            if any(True for _ in sheet.iter_rows(max_row=1)):
                reading.passed_over[f"{path}: sheet {sheet.title!r}"] = "only the first sheet is read"
        if first is not None:
            first.reset_dimensions()  # those that the file states may be too small
        rows = first.iter_rows(values_only=True) if first is not None else iter(())
    lines = _filled(rows, path)
    header = next(lines, None)
    if header is None:
        raise LogError(
            f"{path}: the first sheet is empty: its first row must name the columns", kind="columns"
        )
    names = tuple("" if cell is None else str(cell) for cell in header)
    check_once(names, wanted, str(path))
    used = {name: names.index(name) for name in read_of(names, wanted)}
    done = 0
    batch: list[tuple[object, ...]] = []
    for line in lines:
        batch.append(line)
        if len(batch) == limits.JSON_BATCH:
            yield _batch(batch, used, done, names)
            done += len(batch)
            batch = []
    if batch or not done:
        yield _batch(batch, used, done, names)


def _filled(rows: Iterator[tuple[object, ...]], path: StoredFile) -> Iterator[tuple[object, ...]]:
    """Yield the nonempty rows."""
    count = 0
    try:
        for count, row in enumerate(rows, 1):  # noqa: B007  # errors say how many there were
            if any(cell is not None for cell in row):
                yield row
    except LogError:
        raise
    except Exception as error:
        raise LogError(f"{path}: after line {count}: {first_line(error)}") from None


def _batch(rows: list[tuple[object, ...]], used: dict[str, int], done: int, names: tuple[str, ...]) -> Batch:
    columns = {
        name: [row[number] if number < len(row) else None for row in rows] for name, number in used.items()
    }
    return Batch(columns, len(rows), done, names=names)
