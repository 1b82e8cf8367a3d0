"""Logs in files: which they are, of what kind, and how one is read after the other."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from .columnar import ipc_rows, parquet_rows
from .csv import csv_rows
from .json_lines import json_rows
from .source import Batch, LogError, Source, first_line

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

READERS: dict[str, Callable[[Path, str | None, set[str], Source], Generator[Batch]]] = {
    "csv": csv_rows,
    "json": json_rows,
    "parquet": parquet_rows,
    "ipc": ipc_rows,
}
"""What reads each kind."""


def named(log: Any) -> bool:
    """Whether a log is given as a path, or as a list of them."""
    several = isinstance(log, (list, tuple)) and len(log) > 0
    return all(isinstance(item, (str, os.PathLike)) for item in (log if several else [log]))


def listed(log: Any) -> list[Path]:
    """Return the files of a log that is given by paths; a folder's files by name."""
    if not named(log):
        raise TypeError(f"log must be a path or a list of paths, got {type(log).__name__}")
    found: list[Path] = []
    for path in map(Path, log if isinstance(log, (list, tuple)) else [log]):
        if not path.exists():
            raise LogError(f"{path}: no such file or folder")
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(p for p in path.rglob("*") if p.is_file() and _format(p) is not None)
        if not inside:
            raise LogError(f"{path}: the folder holds no file of a known kind: {_known()}")
        found += inside
    for place, path in enumerate(found):
        if path in found[:place]:
            raise LogError(f"{path}: it is listed twice")
    return found


def _format(path: Path) -> tuple[str, str | None] | None:
    """Return the kind of a file and its compression, by its name."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compression = COMPRESSED.get(suffixes[-1]) if suffixes else None
    if compression is not None:
        suffixes.pop()
    kind = FORMATS.get(suffixes[-1]) if suffixes else None
    return None if kind is None else (kind, compression)


def _known() -> str:
    return f"{', '.join(FORMATS)}; CSV and JSON lines also with {', '.join(COMPRESSED)}"


def of_files(paths: list[Path], wanted: set[str]) -> Source:
    """Return the source that reads these files, one after the other."""
    for path in paths:
        if _format(path) is None:
            raise LogError(f"{path}: the ending must be one of {_known()}")

    def batches(source: Source) -> Iterator[Batch]:
        for path in paths:
            kind, compression = _format(path) or ("", None)
            with _explained(path):
                yield from _one_ahead(READERS[kind](path, compression, wanted, source))

    return Source(batches, None, True)


def _one_ahead(batches: Generator[Batch]) -> Iterator[Batch]:
    """Read the next batch while one is checked, in a thread that ends before this generator does."""
    with closing(batches), ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = thread.submit(next, batches, None)
            yield batch


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what readers raise about a bad file into a `LogError` that names it."""
    try:
        yield
    except LogError:
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
        raise LogError(f"{path}: {first_line(error)}") from error
    except Exception as error:
        if not type(error).__module__.startswith("pyarrow"):
            raise
        raise LogError(f"{path}: {first_line(error)}") from error
