"""Logs in files: which they are, of what kind, and how one is read after the other."""

from __future__ import annotations

import os
import queue
import stat
import threading
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from . import limits
from .columnar import Columnar, ipc_rows, parquet_rows
from .csv import csv_rows
from .json_lines import json_names, json_rows
from .opened import Hashed, StoppedError
from .source import Batch, Evidence, LogError, Piece, Source, first_line
from .text import TextFile

FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".arrow": "ipc",
    ".ipc": "ipc",
    ".feather": "ipc",
}
"""What kind of file each ending stands for."""

COMPRESSED = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
"""Endings of compressed CSV and JSON-lines files."""


# ---- which files ----


def is_path(log: Any) -> bool:
    """Whether a log is given as a path, or as a list of them."""
    several = isinstance(log, (list, tuple)) and len(log) > 0
    return all(isinstance(item, (str, os.PathLike)) for item in (log if several else [log]))


def files_of(log: object) -> list[Path]:
    """Return the files of a log that is given by paths; a folder's files by name."""
    return find_files(log)[0]


def find_files(log: object) -> tuple[list[Path], dict[str, str]]:
    """Return the files of a log, and those of its folders that are passed over, with the reason."""
    if not is_path(log):
        raise TypeError(f"log must be a path or a list of paths, got {type(log).__name__}")
    files: list[Path] = []
    passed: dict[str, str] = {}
    for path in map(Path, log if isinstance(log, (list, tuple)) else [log]):
        if not path.exists():
            raise LogError(f"{path}: no such file or folder")
        if not path.is_dir():
            files.append(path)
            continue
        inside = []
        for entry in sorted(path.rglob("*"), key=lambda entry: entry.parts):
            reason = _reason_against(entry)
            if reason is None:
                inside.append(entry)
            elif reason:
                passed[str(entry)] = reason
        if not inside:
            raise LogError(f"{path}: the folder holds no file of a known kind: {_endings()}")
        files += inside
    seen: set[str] = set()
    for path in files:
        real = os.path.realpath(path)
        if real in seen:
            raise LogError(f"{path}: it is listed twice")
        seen.add(real)
    return files, passed


def _reason_against(entry: Path) -> str | None:
    """Return why an entry of a folder isn't read; nothing for a folder, None for a file that is."""
    try:
        if entry.is_symlink():
            return "a link"
        mode = entry.stat().st_mode
    except OSError as error:
        return first_line(error)
    if stat.S_ISDIR(mode):
        return ""
    if not stat.S_ISREG(mode):
        return "no regular file"
    return None if _format(entry) is not None else "its ending isn't that of a log"


def _format(path: Path) -> tuple[str, str | None] | None:
    """Return the kind of a file and its compression, by its name."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compression = COMPRESSED.get(suffixes[-1]) if suffixes else None
    if compression is not None:
        suffixes.pop()
    kind = FORMATS.get(suffixes[-1]) if suffixes else None
    return None if kind is None else (kind, compression)


def _endings() -> str:
    return f"{', '.join(FORMATS)}; CSV and JSON lines also with {', '.join(COMPRESSED)}"


def files_source(paths: list[Path], passed_over: dict[str, str], wanted: set[str]) -> Source:
    """Return the source that reads these files, one after the other."""
    for path in paths:
        if _format(path) is None:
            raise LogError(f"{path}: the ending must be one of {_endings()}")

    def pieces() -> Generator[Piece]:
        with closing(_Ahead([_LogFile(path, wanted) for path in paths])) as ahead:
            yield from ahead.pieces()

    return Source(pieces, passed_over=passed_over)


# ---- one file ----


class _LogFile:
    """A file of a log, and what is known of it."""

    def __init__(self, path: Path, wanted: set[str]) -> None:
        self.path = path
        self.wanted = wanted
        self.evidence = Evidence(str(path))
        self.given_up = False
        """Whether nobody wants the rest of it."""

    def batches(self, stopped: Callable[[], bool]) -> Generator[Batch]:
        """Read the file; the evidence is complete at its end."""
        kind, compression = _format(self.path) or ("", None)
        with _raise_log_errors(self.path):
            if kind in ("csv", "json"):
                yield from self._text(kind, compression, stopped)
            elif compression is not None:
                raise LogError(
                    f"{self.path}: {kind} files are compressed within, not by {compression} around them"
                )
            else:
                yield from self._columns(kind, stopped)

    def _text(self, kind: str, compression: str | None, stopped: Callable[[], bool]) -> Iterator[Batch]:
        with Hashed(self.path, stopped) as raw:
            try:
                if kind == "json":
                    # Which columns there are is a matter of the whole file, and is looked for first.
                    before = TextFile(raw, self.path, compression, stopped)
                    columns, names, broken = json_names(before, self.path, self.wanted)
                    if broken is not None:
                        self.evidence.error = _error_text(broken, self.path)
                    raw.again()
                    text = TextFile(raw, self.path, compression, stopped)
                    yield from json_rows(text, columns, names, stopped)
                else:
                    text = TextFile(raw, self.path, compression, stopped)
                    yield from csv_rows(text, self.path, self.wanted)
                self.evidence.sha256 = raw.finish()
                self.evidence.lines = text.lines
            finally:
                self.evidence.bytes = raw.size

    def _columns(self, kind: str, stopped: Callable[[], bool]) -> Iterator[Batch]:
        with closing(Columnar(self.path, stopped)) as file:
            self.evidence.bytes = file.size
            yield from (parquet_rows if kind == "parquet" else ipc_rows)(file, self.wanted)
            self.evidence.sha256 = file.sha256


@contextmanager
def _raise_log_errors(path: Path) -> Iterator[None]:
    """Turn what readers raise about a bad file into a `LogError` that names it."""
    try:
        yield
    except (LogError, StoppedError):
        raise
    except (
        OSError,
        EOFError,
        ValueError,
        RuntimeError,
        NotImplementedError,
        MemoryError,
        zlib.error,
    ) as error:
        raise LogError(_error_text(error, path)) from error
    except Exception as error:
        if not type(error).__module__.startswith("pyarrow"):
            raise
        raise LogError(_error_text(error, path)) from error


def _error_text(error: Exception, path: Path) -> str:
    """Return what a report says of an error."""
    return str(error) if isinstance(error, LogError) else f"{path}: {first_line(error)}"


# ---- one after the other ----


class _Ahead:
    """Reads files in a thread, a few batches ahead of their check."""

    def __init__(self, files: list[_LogFile]) -> None:
        self._files = files
        self._read: queue.Queue[Batch | BaseException | None] = queue.Queue(limits.BATCHES_AHEAD)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def pieces(self) -> Iterator[Piece]:
        """Give the files."""
        self._thread.start()
        for file in self._files:
            batches = self._batches()
            yield Piece(partial(iter, batches), file.evidence)
            file.given_up = True
            with suppress(Exception):
                for _ in batches:  # what was read of it already
                    pass

    def _batches(self) -> Iterator[Batch]:
        """Give the batches of the next file."""
        while True:
            item = self._read.get()
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item

    def _run(self) -> None:
        for file in self._files:
            try:
                with closing(file.batches(partial(self._stopped, file))) as batches:
                    for batch in batches:
                        self._put(batch)
                self._put(None)
            except StoppedError:
                if self._stop.is_set():
                    return
                self._put(None)
            except BaseException as error:
                self._put(error)

    def _stopped(self, file: _LogFile) -> bool:
        return file.given_up or self._stop.is_set()

    def _put(self, item: Batch | BaseException | None) -> None:
        while not self._stop.is_set():
            with suppress(queue.Full):
                self._read.put(item, timeout=0.05)
                return

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        while self._thread.is_alive():
            with suppress(queue.Empty):
                self._read.get_nowait()
            self._thread.join(0.01)
