"""Files that are opened once: what is parsed is what is hashed."""

from __future__ import annotations

import bisect
import hashlib
import io
import os
import stat
from collections.abc import Callable
from typing import Any

from . import limits
from .source import LogError
from .stored import StoredFile


class StoppedError(Exception):
    """The rest of a file is no longer needed."""


def _size_now(opened: Any) -> int | None:
    """Return the bytes that an open file has, if it is one on disk."""
    try:
        status = os.fstat(opened.fileno())
    except (AttributeError, OSError):  # of what is no file of the system
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


class _Whole:
    """Whether all bytes of an open file are read."""

    def __init__(self, file: StoredFile, opened: Any) -> None:
        self._file = file
        self._opened = opened
        self._before = _size_now(opened)

    def check(self, size: int) -> None:
        """Refuse a file of which fewer bytes came than there are, or were when it was opened."""
        known = self._file.size
        if known is not None and size != known:
            raise LogError(f"{self._file}: only {size:,} of its {known:,} bytes could be read")
        if self._before is not None and (size < self._before or size != _size_now(self._opened)):
            raise LogError(
                f"{self._file}: it was changed while it was read: {size:,} bytes could be read, of "
                f"{self._before:,} when it was opened and {_size_now(self._opened):,} at the end"
            )


class _Opened(io.RawIOBase):
    """What an open file is read through; they are closed together."""

    # Where opening it failed or was interrupted: Python closes this all the same, when it goes.
    _file: Any = None

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        super().close()


class Hashed(_Opened):
    """A file that is hashed as it is read, from its beginning to its end."""

    def __init__(self, file: StoredFile, stopped: Callable[[], bool], twice: bool = False) -> None:
        self._file = file.open(anywhere=twice)
        self._stored = file
        self._whole = _Whole(file, self._file)
        self._stopped = stopped
        self._hash = hashlib.sha256()
        self._before: str | None = None
        self.size: int = 0

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes."""
        if self._stopped():
            raise StoppedError
        count = self._file.readinto(buffer) or 0
        self._hash.update(memoryview(buffer)[:count])
        self.size += count
        return count

    def again(self) -> None:
        """Start again, once everything was read: the file must still hold the same."""
        self._before = self.finish()
        self._file.seek(0)
        self._hash = hashlib.sha256()
        self.size = 0

    def finish(self) -> str:
        """Read what is left, and return the hash of it all."""
        while self.read(limits.BLOCK):
            pass
        self._whole.check(self.size)
        digest = self._hash.hexdigest()
        if self._before is not None and digest != self._before:
            raise LogError(f"{self._stored}: it was changed while it was read")
        return digest


class Sealed(_Opened):
    """A file that is hashed first, and then read anywhere: every block must be the one that was hashed.

    The hash's state is kept at the end of each block, so that any block can be checked by itself.
    """

    def __init__(self, file: StoredFile, stopped: Callable[[], bool]) -> None:
        self._file = file.open(anywhere=True)
        self._stored = file
        whole = _Whole(file, self._file)
        self._stopped = stopped
        self._ends = [0]
        self._states = [hashlib.sha256()]
        self._cached: dict[int, bytes] = {}
        self._place = 0
        while block := self._read_block():
            state = self._states[-1].copy()
            state.update(block)
            self._states.append(state)
            self._ends.append(self._ends[-1] + len(block))
        whole.check(self.size)

    def _read_block(self) -> bytes:
        if self._stopped():
            raise StoppedError
        block = bytearray()
        while len(block) < limits.BLOCK and (more := self._file.read(limits.BLOCK - len(block))):
            block += more
        return bytes(block)

    @property
    def size(self) -> int:
        """The bytes of the file."""
        return self._ends[-1]

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file."""
        return self._states[-1].hexdigest()

    def _block(self, number: int) -> bytes:
        block = self._cached.pop(number, None)
        if block is None:
            self._file.seek(self._ends[number])
            block = self._read_block()
            state = self._states[number].copy()
            state.update(block)
            if state.digest() != self._states[number + 1].digest():
                raise LogError(f"{self._stored}: it was changed while it was read")
            if len(self._cached) >= limits.BLOCKS_KEPT:
                del self._cached[next(iter(self._cached))]
        self._cached[number] = block  # the latest is last
        return block

    def seekable(self) -> bool:
        """Tell that any place can be read."""
        return True

    def tell(self) -> int:
        """Return the place of the next byte."""
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self.size}[whence]
        self._place = max(0, base + offset)
        return self._place

    def read(self, size: int | None = -1) -> bytes:
        """Read `size` bytes, or all that are left."""
        end = self.size if size is None or size < 0 else min(self.size, self._place + size)
        parts = []
        while self._place < end:
            number = bisect.bisect_right(self._ends, self._place) - 1
            start = self._place - self._ends[number]
            part = self._block(number)[start : start + end - self._place]
            parts.append(part)
            self._place += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
