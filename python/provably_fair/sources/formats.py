"""Kinds of files: extensions, first bytes, and the reader of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .source import Batch, Evidence, LogError, first_line
from .stored import StoredFile

if TYPE_CHECKING:
    from .columnar import Columnar
    from .opened import HashedFile, Sealed
    from .text import TextFile

# A reader is imported with the first file of its kind.


@dataclass
class FileReading:
    """The reading of a file: wanted columns, and the evidence collected meanwhile."""

    path: StoredFile
    wanted: set[str]
    passed_over: dict[str, str]
    evidence: Evidence
    stopped: Callable[[], bool]
    texts: list[TextFile] = field(default_factory=list)
    """Kept open, since the file is hashed to its end after its rows, and closed then."""

    def text(self, raw: HashedFile) -> TextFile:
        """Return the text of an open file."""
        from .text import TextFile

        self.texts.append(TextFile(raw, self.path, self.path.compression, self.stopped))
        return self.texts[-1]


def _csv(reading: FileReading, raw: HashedFile) -> Iterator[Batch]:
    from .csv import csv_rows

    return csv_rows(reading.text(raw), reading.path, reading.wanted)


def _json(reading: FileReading, raw: HashedFile) -> Iterator[Batch]:
    from .json_lines import json_names, json_rows

    # Columns may appear anywhere in the file, so a first pass finds them.
    columns, names, broken = json_names(reading.text(raw), reading.path, reading.wanted)
    if broken is not None:
        reading.evidence.error = error_text(broken, reading.path)
    raw.again()
    return json_rows(reading.text(raw), reading.path, reading.wanted, columns, names, reading.stopped)


def _excel(reading: FileReading, file: Sealed) -> Iterator[Batch]:
    from .excel import excel_rows

    return excel_rows(file, reading.path, reading.wanted, reading.passed_over)


def _parquet(reading: FileReading, file: Columnar) -> Iterator[Batch]:
    from .columnar import parquet_rows

    return parquet_rows(file, reading.wanted)


def _ipc(reading: FileReading, file: Columnar) -> Iterator[Batch]:
    from .columnar import ipc_rows

    return ipc_rows(file, reading.wanted)


def _columnar(path: StoredFile, stopped: Callable[[], bool]) -> Columnar:
    from .columnar import Columnar

    return Columnar(path, stopped)


def _sealed(path: StoredFile, stopped: Callable[[], bool]) -> Sealed:
    from .opened import Sealed

    return Sealed(path, stopped)


@dataclass(frozen=True)
class Text:
    """A kind of text, possibly compressed, that is read from beginning to end."""

    endings: tuple[str, ...]
    read: Callable[[FileReading, HashedFile], Iterator[Batch]]
    twice: bool = False
    starts: tuple[bytes, ...] = ()

    def rows(self, reading: FileReading) -> Iterator[Batch]:
        """Yield the rows of a file; its evidence is complete at the end."""
        from .opened import HashedFile

        with HashedFile(reading.path, reading.stopped, twice=self.twice) as raw:
            try:
                yield from self.read(reading, raw)
                reading.evidence.sha256 = raw.finish()
                reading.evidence.lines = reading.texts[-1].lines
            finally:
                reading.evidence.bytes = raw.size


@dataclass(frozen=True)
class Whole:
    """A kind of file that needs random access."""

    endings: tuple[str, ...]
    read: Callable[[FileReading, Any], Iterator[Batch]]
    opened: Callable[[StoredFile, Callable[[], bool]], Any]
    starts: tuple[bytes, ...] = ()

    def rows(self, reading: FileReading) -> Iterator[Batch]:
        """Yield the rows of a file; its evidence is complete at the end."""
        path = reading.path
        if path.compression is not None:
            raise LogError(
                f"{path}: {path.kind} files are compressed within, not by {path.compression} around them"
            )
        with closing(self.opened(path, reading.stopped)) as file:
            reading.evidence.bytes = file.size
            yield from self.read(reading, file)
            reading.evidence.sha256 = file.finish()


FORMATS: dict[str, Text | Whole] = {
    "csv": Text((".csv", ".tsv"), _csv),
    "parquet": Whole((".parquet", ".pq"), _parquet, _columnar, starts=(b"PAR1",)),
    "json": Text((".jsonl", ".ndjson", ".json"), _json, twice=True),
    "ipc": Whole((".arrow", ".ipc", ".feather"), _ipc, _columnar, starts=(b"ARROW1", b"\xff\xff\xff\xff")),
    "xlsx": Whole((".xlsx",), _excel, _sealed),
}
ENDINGS = {ending: kind for kind, known in FORMATS.items() for ending in known.endings} | {".zip": "zip"}
"""Kinds of files by extension."""


def error_text(error: Exception, path: StoredFile) -> str:
    """Return an error's text for the report."""
    return str(error) if isinstance(error, LogError) else f"{path}: {first_line(error)}"
