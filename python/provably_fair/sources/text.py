"""Text of files: decompressed, and refused if it isn't lines of UTF-8."""

from __future__ import annotations

import bz2
import codecs
import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from provably_fair._core.optional import optional
from provably_fair._engine import scan_text

from . import limits
from .opened import StoppedError
from .source import LogError, Option
from .stored import StoredFile


def require_pyarrow(path: StoredFile) -> Any:
    """Return pyarrow, which this file needs."""
    return optional("pyarrow", "arrow", f"log: reading {path.name}")


class TextFile:
    """The text of a file, block by block."""

    def __init__(
        self, raw: io.RawIOBase, path: StoredFile, compression: str | None, stopped: Callable[[], bool]
    ) -> None:
        self._path = path
        self._stopped = stopped
        self._stream = _decompress(raw, path, compression)
        self._compression = compression
        self._broken: Exception | None = None  # the error that ended the stream
        self.encoding: str | None = None  # its encoding, if it may differ from UTF-8
        self.lines: int = 0  # the number of lines so far
        self.in_rows = True  # whether its lines are rows, which end

    def blocks(self) -> Iterator[bytes]:
        """Yield the text in blocks, up to the last line before invalid text."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        since, ended, first = 0, True, True
        read = self._read
        if self.encoding is not None and codecs.lookup(self.encoding).name != "utf-8":
            read = partial(self._decoded, codecs.getincrementaldecoder(self.encoding)())
        while data := read():
            if self._stopped():  # a few bytes may decompress to many blocks
                raise StoppedError
            newlines, plain = scan_text(data)
            bad = None if plain and not decoder.getstate()[0] else self._bad(data, decoder)
            if bad is not None:
                place, reason = bad
                yield data[: data.rfind(b"\n", 0, max(place, 0)) + 1]
                line = self.lines + data.count(b"\n", 0, max(place, 0)) + 1
                another = (
                    ()
                    if self.encoding is None
                    else ("; ", Option("csv", {"encoding": ...}), " names another")
                )
                raise LogError(f"{self._path}: line {line}: {reason}", *another, kind="unreadable")
            since = len(data) - data.rfind(b"\n") - 1 if newlines else since + len(data)
            self.lines += newlines
            if self.in_rows and since > limits.LONGEST_LINE:
                raise LogError(
                    f"{self._path}: line {self.lines + 1}: longer than any row can be "
                    f"({limits.LONGEST_LINE >> 20} MB)"
                )
            ended = data.endswith(b"\n")
            yield data.removeprefix(codecs.BOM_UTF8) if first else data
            first = False
        if decoder.getstate()[0]:
            raise LogError(f"{self._path}: line {self.lines + 1}: not UTF-8 (unexpected end of data)")
        self.lines += not ended

    def _read(self) -> bytes:
        """Read a block: where a compressed file breaks off, what came before."""
        if self._broken is not None:
            raise self._broken
        part = limits.BLOCK if self._compression is None else limits.PART
        read = self._stream.read1 if self._compression == "gzip" else self._stream.read
        parts = []
        try:
            for data in iter(partial(read, part), b""):
                parts.append(data)
                if len(parts) * part >= limits.BLOCK:
                    break
        except Exception as error:
            self._broken = error
            if not parts:
                raise
        return b"".join(parts)

    def _decoded(self, decoder: codecs.IncrementalDecoder) -> bytes:
        """Transcode a block to UTF-8."""
        while True:
            data = self._read()
            try:
                text = decoder.decode(data, not data)
            except UnicodeDecodeError as error:
                line = self.lines + bytes(error.object).count(b"\n", 0, error.start) + 1
                raise LogError(
                    f"{self._path}: line {line}: not {self.encoding} ({error.reason}); ",
                    Option("csv", {"encoding": ...}),
                    " names another",
                    kind="unreadable",
                ) from None
            if text or not data:
                return text.encode(errors="replace")

    def _bad(self, data: bytes, decoder: Any) -> tuple[int, str] | None:
        """Return where a block is invalid, and why."""
        nul = data.find(b"\0")
        text = data if nul < 0 else data[:nul]
        held = len(decoder.getstate()[0])
        if held or not text.isascii():
            try:
                decoder.decode(text)
            except UnicodeDecodeError as error:
                return error.start - held, f"not UTF-8 ({error.reason})"
        if nul >= 0:
            return nul, "a NUL byte, so this isn't a text file in UTF-8"
        return None


def _decompress(raw: io.RawIOBase, path: StoredFile, compression: str | None) -> Any:
    """Return a stream of a file's decompressed bytes."""
    stream: Any = io.BufferedReader(raw, limits.BLOCK)
    if compression == "zstd":
        return require_pyarrow(path).input_stream(stream, compression="zstd")
    if compression == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=stream)
    return _Bz2(stream) if compression == "bz2" else stream


class _Bz2:
    """Decompresses concatenated bz2 streams; the standard library ignores data after the first."""

    def __init__(self, raw: io.BufferedReader) -> None:
        self._raw = raw
        self._stream = bz2.BZ2Decompressor()

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes; none at the end."""
        while True:
            packed = b""
            if self._stream.eof or self._stream.needs_input:
                packed = self._stream.unused_data or self._raw.read(limits.BLOCK)
            if self._stream.eof:
                if not packed:
                    return b""
                self._stream = bz2.BZ2Decompressor()
            elif self._stream.needs_input and not packed:
                raise EOFError("it breaks off before the end of its bz2 stream")
            if data := self._stream.decompress(packed, size):
                return data


def excerpt(line: bytes) -> str:
    """Return an unreadable line as the report keeps it."""
    return line[: limits.SHOWN].decode(errors="replace").rstrip("\r\n")
