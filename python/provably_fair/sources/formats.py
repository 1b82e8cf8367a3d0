"""Kinds of files: extensions, first bytes, and the reader of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from .source import Batch, Evidence, LogError, first_line
from .stored import StoredFile
from .wanted import Wanted

if TYPE_CHECKING:
    from .opened import HashedFile
    from .text import TextFile


@dataclass
class FileReading:
    """The reading of a file: wanted columns, and the evidence collected meanwhile."""

    path: StoredFile
    wanted: Wanted
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


@cache
def _loaded(name: str) -> Any:
    """Return a function of another file, which is imported with the first log that needs it."""
    return resolve_name(f"{__package__}.{name}")


@dataclass(frozen=True)
class Text:
    """A kind of text, possibly compressed, that is read from beginning to end."""

    endings: tuple[str, ...]
    read: str  # the reader of its rows, as "file:function"
    twice: bool = False
    starts: tuple[bytes, ...] = ()

    def rows(self, reading: FileReading) -> Iterator[Batch]:
        """Yield the rows of a file; its evidence is complete at the end."""
        from .opened import HashedFile

        with HashedFile(reading.path, reading.stopped, twice=self.twice) as raw:
            try:
                yield from _loaded(self.read)(reading, raw)
                reading.evidence.sha256 = raw.finish()
                reading.evidence.lines = reading.texts[-1].lines
            finally:
                reading.evidence.bytes = raw.size


@dataclass(frozen=True)
class Whole:
    """A kind of file that needs random access."""

    endings: tuple[str, ...]
    read: str
    opened: str  # the class of its files, as "file:class"
    starts: tuple[bytes, ...] = ()

    def rows(self, reading: FileReading) -> Iterator[Batch]:
        """Yield the rows of a file; its evidence is complete at the end."""
        path = reading.path
        if path.compression is not None:
            raise LogError(
                f"{path}: {path.kind} files are compressed within, not by {path.compression} around them"
            )
        with closing(_loaded(self.opened)(path, reading.stopped)) as file:
            reading.evidence.bytes = file.size
            yield from _loaded(self.read)(reading, file)
            reading.evidence.sha256 = file.finish()


FORMATS: dict[str, Text | Whole] = {
    "csv": Text((".csv", ".tsv"), "csv:csv_rows"),
    "parquet": Whole((".parquet", ".pq"), "columnar:parquet_rows", "columnar:Columnar", (b"PAR1",)),
    "json": Text((".jsonl", ".ndjson", ".json"), "json_lines:json_rows", twice=True),
    "ipc": Whole(
        (".arrow", ".ipc", ".feather"),
        "columnar:ipc_rows",
        "columnar:Columnar",
        (b"ARROW1", b"\xff\xff\xff\xff"),
    ),
    "xlsx": Whole((".xlsx",), "excel:excel_rows", "opened:Sealed"),
}
ENDINGS = {ending: kind for kind, known in FORMATS.items() for ending in known.endings} | {".zip": "zip"}
"""Kinds of files by extension."""


def error_text(error: Exception, path: StoredFile) -> str:
    """Return an error's text for the report."""
    return str(error) if isinstance(error, LogError) else f"{path}: {first_line(error)}"
