"""The lines of a file of text: hashed as they are read, unpacked, refused where they aren't text."""

from __future__ import annotations

import codecs
import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from provably_fair._core.optional import optional

from . import limits
from .source import Evidence, LogError, Source


def needed(path: Path) -> Any:
    """Return pyarrow, without which this file can't be read."""
    return optional("pyarrow", "arrow", f"log: reading {path.name}")


class _Hashed(io.RawIOBase):
    """A file that is hashed as it is read."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115
        self._hash = hashlib.sha256()
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer) or 0
        self._hash.update(memoryview(buffer)[:count])
        self._read += count
        return count

    def evidence(self, path: Path) -> Evidence:
        """Read what is left, and tell the whole file's size and hash."""
        while self.read(limits.BLOCK):
            pass
        return Evidence(str(path), self._read, self._hash.hexdigest())

    def close(self) -> None:
        self._file.close()
        super().close()


class _Watched(io.RawIOBase):
    """Text on its way to a reader, refused where it isn't lines of text in UTF-8."""

    def __init__(self, stream: Any, path: Path) -> None:
        self._stream = stream
        self._path = path
        self._lines = 0
        self._since = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        try:
            self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            row = self._lines + error.object.count(b"\n", 0, error.start)
            raise LogError(f"{self._path}: line {row + 1}: not UTF-8 ({error.reason})") from None
        nul = data.find(b"\0")
        if nul >= 0:
            row = self._lines + data.count(b"\n", 0, nul)
            raise LogError(f"{self._path}: line {row + 1}: a NUL byte, so this isn't a text file in UTF-8")
        newlines = data.count(b"\n")
        self._lines += newlines
        self._since = len(data) - data.rfind(b"\n") - 1 if newlines else self._since + len(data)
        if self._since > limits.LONGEST_LINE:
            raise LogError(
                f"{self._path}: line {self._lines + 1}: longer than any row can be "
                f"({limits.LONGEST_LINE >> 20} MB)"
            )
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def opened(path: Path, compression: str | None, source: Source) -> Iterator[io.BufferedReader]:
    """Open the lines of a file; once they are read, the source has the evidence."""
    with _Hashed(path) as raw:
        yield _text(raw, path, compression)
        source.files.append(raw.evidence(path))


def lines_of(path: Path, compression: str | None) -> Iterator[bytes]:
    """Give the lines of a file, without any evidence."""
    with open(path, "rb", buffering=0) as file:
        yield from _text(file, path, compression)


def _text(raw: io.RawIOBase, path: Path, compression: str | None) -> io.BufferedReader:
    """Return the lines of a file, whatever it is compressed by."""
    stream: Any = io.BufferedReader(raw, limits.BLOCK)
    if compression == "zstd":
        stream = needed(path).input_stream(stream, compression="zstd")
    elif compression == "gzip":
        import gzip

        stream = gzip.GzipFile(fileobj=stream)
    elif compression == "bz2":
        import bz2

        stream = bz2.BZ2File(stream)
    lines: Any = _Watched(stream, path)
    return io.BufferedReader(lines, limits.BLOCK)
