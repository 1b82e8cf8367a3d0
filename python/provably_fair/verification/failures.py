"""Files of all failures of a log, written during verification."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

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


class Failures(Protocol):
    """A destination of failures."""

    def write(self, failures: Sequence[Failure]) -> None:
        """Write some failures."""


class FailureFile:
    """A file to which failures are written during verification."""

    def __init__(self, path: Path, part: Path, keep: Sequence[str]) -> None:
        self._keep = keep
        self._file = _MAKERS[path.suffix.lower()](part, [*_COLUMNS, *_titles(keep)])

    def write(self, failures: Sequence[Failure]) -> None:
        """Write some failures."""
        if failures:
            columns = table_of(failures, self._keep).values()
            self._file.write([[_cell(value) for value in row] for row in zip(*columns, strict=True)])

    def close(self) -> None:
        """Complete the file."""
        self._file.close()


@contextmanager
def failure_file(
    path: Any, log: object, inputs: Sequence[Path], keep: Sequence[str]
) -> Iterator[FailureFile | None]:
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
    if path.suffix.lower() not in _MAKERS:
        raise BadValue("failures", f"must end in {', '.join(_MAKERS)}, got {str(path)!r}")
    check_no_input("failures", path, [*files_of(log), *inputs])
    if path.is_file() and not overwrite:
        raise BadValue("failures", f"must be a new file, got {str(path)!r}: overwrite replaces it")
    with write_beside(path) as part, closing(FailureFile(path, part, keep)) as file:
        yield file


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


class _Csv:
    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._file = open(path, "w", newline="", encoding="utf-8")  # noqa: SIM115
        self._writer = csv.writer(self._file)
        self._writer.writerow(map(_as_text, names))

    def write(self, rows: list[list[object]]) -> None:
        self._writer.writerows([_as_text(cell) for cell in row] for row in rows)

    def close(self) -> None:
        self._file.close()


class _JsonLines:
    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._file = open(path, "w", encoding="utf-8")  # noqa: SIM115
        self._names = names

    def write(self, rows: list[list[object]]) -> None:
        for row in rows:
            self._file.write(json.dumps(dict(zip(self._names, row, strict=True))) + "\n")

    def close(self) -> None:
        self._file.close()


class _Parquet:
    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._pa = pa = optional("pyarrow", "arrow", "failures: Parquet")
        parquet = optional("pyarrow.parquet", "arrow", "failures: Parquet")
        whole = ("row", "file_row")
        self._schema = pa.schema([(name, pa.int64() if name in whole else pa.string()) for name in names])
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def write(self, rows: list[list[object]]) -> None:
        columns = []
        for field, column in zip(self._schema, zip(*rows, strict=True), strict=True):
            text = self._pa.types.is_string(field.type)
            cells = [str(cell) if text and cell is not None else cell for cell in column]
            columns.append(self._pa.array(cells, field.type))
        self._file.write_batch(self._pa.record_batch(columns, schema=self._schema))

    def close(self) -> None:
        self._file.close()


_MAKERS: dict[str, Callable[[Path, Sequence[str]], Any]] = {
    ".parquet": _Parquet,
    ".csv": _Csv,
    ".jsonl": _JsonLines,
    ".ndjson": _JsonLines,
}
