"""Files of all failures of a log, written during verification."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.files import check_no_input, write_beside
from provably_fair._core.optional import optional
from provably_fair.sources import files_of

from .failure import Failure

_COLUMNS = ("row", "kind", "expected", "found", "column", "file", "file_row")


def table_of(failures: Sequence[Failure], keep: Sequence[str]) -> dict[str, list[Any]]:
    """Return failures as columns, followed by the columns kept of the log."""
    columns = {name: [getattr(failure, name) for failure in failures] for name in _COLUMNS}
    return columns | {
        called: [failure.kept.get(name) for failure in failures]
        for name, called in zip(keep, _titles(keep), strict=True)
    }


def _titles(keep: Sequence[str]) -> list[str]:
    """Return names for columns of the log that differ from those of failures, and from each other."""
    titles: list[str] = []
    for name in keep:
        title = f"kept.{name}" if name in _COLUMNS else name
        while title in titles or (title != name and title in keep):
            title = f"kept.{title}"
        titles.append(title)
    return titles


Failures = Callable[[Sequence[Failure]], object]
"""A function that writes failures."""


@contextmanager
def failure_file(
    path: Any, log: object, inputs: Sequence[Path], keep: Sequence[str]
) -> Iterator[Failures | None]:
    """Open a file of failures, which appears once it is complete; None without a path."""
    if path is None:
        yield None
        return
    overwrite = False
    if isinstance(path, Mapping):
        overwrite = path.get("overwrite", False)
        if not {"path"} <= set(path) <= {"path", "overwrite"} or not isinstance(overwrite, bool):
            allowed = "a path, or {'path': ..., 'overwrite': True}"
            raise BadValue("failures", f"must be {allowed}, got {path!r:.80}")
        path = path["path"]
    try:
        path = Path(path)
    except TypeError:
        raise BadType("failures", f"must be a path, got {type(path).__name__}") from None
    if path.suffix.lower() not in _WRITERS:
        raise BadValue("failures", f"must end in {', '.join(_WRITERS)}, got {str(path)!r}")
    check_no_input("failures", path, [*files_of(log), *inputs])
    if path.is_file() and not overwrite:
        raise BadValue("failures", f"must be a new file, got {str(path)!r}: overwrite replaces it")
    titles = [*_COLUMNS, *_titles(keep)]
    with write_beside(path) as part, _WRITERS[path.suffix.lower()](part, titles) as write:

        def written(failures: Sequence[Failure]) -> None:
            if failures:
                columns = table_of(failures, keep).values()
                write([[_cell(value) for value in row] for row in zip(*columns, strict=True)])

        yield written


def _cell(value: object) -> object:
    """Return a value for the file: whole numbers and text unchanged, anything else as JSON."""
    return value if value is None or type(value) is int or isinstance(value, str) else json.dumps(value)


_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Characters that begin a formula in spreadsheets."""
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def _as_text(cell: object) -> object:
    """Return a cell that no spreadsheet evaluates, since the log's writer may have put a formula there."""
    if isinstance(cell, str) and cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


@contextmanager
def _csv(path: Path, names: Sequence[str]) -> Iterator[_Writer]:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(map(_as_text, names))
        yield lambda rows: writer.writerows([_as_text(cell) for cell in row] for row in rows)


@contextmanager
def _json_lines(path: Path, names: Sequence[str]) -> Iterator[_Writer]:
    with open(path, "w", encoding="utf-8") as file:
        yield lambda rows: file.writelines(
            json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows
        )


@contextmanager
def _parquet(path: Path, names: Sequence[str]) -> Iterator[_Writer]:
    pa = optional("pyarrow", "arrow", "failures: Parquet")
    parquet = optional("pyarrow.parquet", "arrow", "failures: Parquet")
    whole = ("row", "file_row")
    schema = pa.schema([(name, pa.int64() if name in whole else pa.string()) for name in names])

    def write(rows: list[list[object]]) -> None:
        columns = []
        for field, column in zip(schema, zip(*rows, strict=True), strict=True):
            text = pa.types.is_string(field.type)
            cells = [str(cell) if text and cell is not None else cell for cell in column]
            columns.append(pa.array(cells, field.type))
        file.write_batch(pa.record_batch(columns, schema=schema))

    with closing(parquet.ParquetWriter(path, schema, compression="zstd")) as file:
        yield write


_Writer = Callable[[list[list[object]]], object]
_WRITERS: dict[str, Callable[[Path, Sequence[str]], AbstractContextManager[_Writer]]] = {
    ".parquet": _parquet,
    ".csv": _csv,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
}
