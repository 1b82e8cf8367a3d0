"""Files of logs on disk, in archives, in buckets, or opened by others."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from . import limits
from .names import Name
from .source import LogError, first_line


@dataclass(frozen=True)
class StoredFile:
    """A file of a log: its name, its kind, and how to open it."""

    title: Name
    opened: Callable[[], io.RawIOBase]  # opens it at the beginning
    kind: str = ""
    compression: str | None = None
    # Partition columns in the names of its folders, ``mines=5/``
    partitions: Mapping[str, str | None] = field(default_factory=dict)
    local: Path | None = None  # the file on disk that it is, or is inside of
    size: int | None = None  # its size, if known beforehand
    again: bool = True  # whether it can be opened a second time
    endings: tuple[str, ...] = ()  # extensions to use if its name has none

    def __str__(self) -> str:
        return str(self.title)

    @property
    def name(self) -> str:
        """The last part of its name."""
        return PurePosixPath(str(self)).name if self.local is None else Path(str(self)).name

    @property
    def suffixes(self) -> list[str]:
        """The extensions of its name."""
        return list(self.endings) or PurePosixPath(str(self).partition("?")[0]).suffixes

    def known_size(self) -> int | None:
        """Return its size, if known without reading it."""
        return self.size if self.size is not None or self.local is None else os.stat(self.local).st_size

    def open(self, anywhere: bool = False) -> io.RawIOBase:
        """Open it to be read once, or with random access, through a copy on disk if necessary."""
        raw = self.opened()
        return spooled(raw) if anywhere and not raw.seekable() else raw


class Borrowed(io.RawIOBase):
    """A stream of another library, whose errors become errors of the log."""

    def __init__(
        self,
        inner: Any,
        title: Name,
        *,
        seekable: bool = False,
        start: int = 0,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self._inner = inner
        self._title = title
        self._head = b""  # bytes that were read ahead
        self._seekable = seekable
        self._start = start  # the position at which it begins
        self._close = close
        self._place = 0

    def readable(self) -> bool:
        """Return True: the file is readable."""
        return True

    def seekable(self) -> bool:
        """Return whether it is seekable."""
        return self._seekable

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes."""
        data = self._head[: len(buffer)]
        if not data:
            with self._naming():
                data = self._inner.read(len(buffer))
        self._head = self._head[len(data) :]
        if isinstance(data, str):
            # Text may take four times as many bytes: the rest is kept for the next read.
            data = data.encode("utf-8", "surrogatepass")
            data, self._head = data[: len(buffer)], data[len(buffer) :]
        if not data:
            return 0
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)

    def fileno(self) -> int:
        """Return the descriptor of a file on disk whose bytes are read unchanged, from its beginning."""
        inner = getattr(self._inner, "raw", self._inner)
        return inner.fileno() if isinstance(inner, io.FileIO) and not self._start else super().fileno()

    def unread(self, data: bytes) -> None:
        """Push bytes back to be read next."""
        self._head = data + self._head
        self._place -= len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move to a position."""
        start = self._start if whence == os.SEEK_SET else 0
        with self._naming():
            self._place = self._inner.seek(offset + start, whence) - self._start
        return self._place

    def tell(self) -> int:
        """Return the position."""
        return self._place

    def close(self) -> None:
        """Close it."""
        if not self.closed:
            self._close()
        super().close()

    def _naming(self) -> AbstractContextManager[None]:
        return naming(self._title, f"after byte {self._place}: " if self._place else "", MemoryError)


@contextmanager
def naming(title: Name, where: str = "", unchanged: type[Exception] = LogError) -> Iterator[None]:
    """Turn errors of a library, except `unchanged` ones, into that of a source which can't be read."""
    try:
        yield
    except (LogError, unchanged):
        raise
    except Exception as error:  # each library has its own classes
        raise unreadable(title, error, where) from None


def unreadable(title: Name, error: BaseException, where: str = "") -> LogError:
    """Return the error of a source that can't be read, which names it and hides its secrets."""
    return LogError(f"{title}: {where}{title.without_secrets(first_line(error))}")


def spooled(raw: io.RawIOBase) -> Any:
    """Return a temporary copy on disk, deleted when it is closed."""
    copy = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
    with raw:
        while block := raw.read(limits.BLOCK):
            copy.write(block)
    copy.seek(0)
    return copy


# ---- on disk ----


def local_file(path: Path) -> StoredFile:
    """Return a file on disk."""
    return StoredFile(Name(str(path)), partial(open_local, path), local=path)


def open_local(path: Path) -> Any:
    """Open a file on disk."""
    return open(path, "rb", buffering=0)


# ---- in an archive ----


def members_of(archive: StoredFile) -> list[tuple[str, zipfile.ZipInfo]]:
    """Return the files of a ZIP archive by name."""
    try:
        with archive.open(anywhere=True) as raw, zipfile.ZipFile(_seekable(raw)) as opened:
            entries = [entry for entry in opened.infolist() if not entry.is_dir()]
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError) as error:
        raise error if isinstance(error, LogError) else unreadable(archive.title, error) from None
    return sorted(((entry.filename, entry) for entry in entries), key=lambda entry: entry[0].split("/"))


def member_file(archive: StoredFile, entry: zipfile.ZipInfo) -> StoredFile:
    """Return a file in a ZIP archive."""
    title = Name(f"{archive}/{entry.filename}", archive.title.secrets)
    return StoredFile(
        title,
        partial(_open_member, archive, entry, title),
        local=archive.local,
        size=entry.file_size,
        again=archive.again,
    )


def _open_member(archive: StoredFile, entry: zipfile.ZipInfo, title: Name) -> io.RawIOBase:
    raw = archive.open(anywhere=True)
    try:
        opened = zipfile.ZipFile(_seekable(raw))
        return Borrowed(opened.open(entry), title, close=raw.close)
    except BaseException as error:
        raw.close()
        if isinstance(error, (zipfile.BadZipFile, RuntimeError, NotImplementedError)):
            raise unreadable(title, error) from None
        raise


def _seekable(raw: io.RawIOBase) -> Any:
    return io.BufferedReader(raw, limits.BLOCK) if isinstance(raw, io.RawIOBase) else raw


# ---- opened by others ----


def object_file(log: Any, title: Name) -> StoredFile:
    """Return an open file as a stored one; an unseekable file is read once."""
    if isinstance(log, io.TextIOWrapper):
        log = log.buffer
    start = _place(log)
    if start is None:
        return StoredFile(title, _Once(log, title), again=False)
    return StoredFile(title, partial(_from_place, log, start, title))


def _place(log: Any) -> int | None:
    """Return the position of a file that can return to it; text can't."""
    try:
        if not log.seekable() or isinstance(log, io.TextIOBase):
            return None
        return int(log.tell())
    except Exception:
        return None


class _Once:
    """A stream that can be read once, after a look at its first bytes."""

    def __init__(self, stream: Any, title: Name) -> None:
        self._title = title
        self._raw = Borrowed(stream, title)
        self._given = False

    def look(self) -> bytes:
        """Return the first bytes without consuming them."""
        head = _beginning(self._raw)
        self._raw.unread(head)
        return head

    def __call__(self) -> io.RawIOBase:
        if self._given:
            raise LogError(f"{self._title}: it can be read only once")
        self._given = True
        return self._raw


def _from_place(log: Any, start: int, title: Name) -> io.RawIOBase:
    borrowed = Borrowed(log, title, seekable=True, start=start)
    borrowed.seek(0)
    return borrowed


def first_bytes(file: StoredFile) -> bytes:
    """Return the first bytes of a file."""
    if isinstance(file.opened, _Once):
        return file.opened.look()
    with file.open() as raw:
        return _beginning(raw)


def _beginning(raw: io.RawIOBase) -> bytes:
    data = b""
    while len(data) < limits.BLOCK and (more := raw.read(limits.BLOCK - len(data))):
        data += more
    return data
