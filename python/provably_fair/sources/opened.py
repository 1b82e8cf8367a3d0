"""Files that are opened once, so that the bytes parsed are the bytes hashed."""

from __future__ import annotations

import hashlib
import io
import os
import stat
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from provably_fair._core.threads import Workers

from . import limits
from .source import LogError
from .stored import StoredFile


class StoppedError(Exception):
    """The rest of a file is no longer needed."""


def _size_now(opened: Any) -> int | None:
    """Return the size of an open file, if it is on disk."""
    try:
        status = os.fstat(opened.fileno())
    except (AttributeError, OSError):  # not a file of the operating system
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


class _Opened(io.RawIOBase):
    """A raw stream over an open file, which closes with it."""

    # After a failed or interrupted open: Python closes this object anyway when it is collected.
    _file: Any = None

    def __init__(self, file: StoredFile, stopped: Callable[[], bool], anywhere: bool) -> None:
        self._file = file.open(anywhere=anywhere)
        self._stored = file
        self._stopped = stopped
        self._at_first = _size_now(self._file)

    def _check(self, size: int) -> None:
        """Raise an error if fewer bytes were read than the file has, or had when it was opened."""
        known, before = self._stored.size, self._at_first
        if known is not None and size != known:
            raise LogError(f"{self._stored}: only {size:,} of its {known:,} bytes could be read")
        if before is not None and (size < before or size != _size_now(self._file)):
            raise self._changed(
                f": {size:,} bytes could be read, of {before:,} when it was opened and "
                f"{_size_now(self._file):,} at the end"
            )

    def _changed(self, how: str = "") -> LogError:
        return LogError(f"{self._stored}: it was changed while it was read{how}", kind="changed")

    def readable(self) -> bool:
        """Return True: the file is readable."""
        return True

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        super().close()


class HashedFile(_Opened):
    """A file that is hashed while it is read from beginning to end."""

    def __init__(self, file: StoredFile, stopped: Callable[[], bool], twice: bool = False) -> None:
        super().__init__(file, stopped, anywhere=twice)
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
        """Start again after a complete pass; the content must not have changed."""
        self._before = self.finish()
        self._file.seek(0)
        self._hash = hashlib.sha256()
        self.size = 0

    def finish(self) -> str:
        """Read the rest, and return the SHA-256 of the file."""
        while self.read(limits.BLOCK):
            pass
        self._check(self.size)
        digest = self._hash.hexdigest()
        if self._before is not None and digest != self._before:
            raise self._changed()
        return digest


class Sealed(_Opened):
    """A file with random access whose blocks are hashed in order meanwhile: the bytes read are those hashed.

    A block that is read is hashed as it is, in a thread, with those before it; far ahead of them, as the end
    of a Parquet file is, it waits for its turn. One that was let go of is read again, and must be the one
    that was hashed: the hash's state is kept at the end of each block.
    """

    def __init__(self, file: StoredFile, stopped: Callable[[], bool]) -> None:
        self._hashing = Workers(1)
        super().__init__(file, stopped, anywhere=True)
        self.size: int = self._file.seek(0, os.SEEK_END)  # the size of the file
        self._check(self.size)
        self._states: list[Future[Any]] = []  # the hash state after each block, as a future
        self._kept: dict[int, bytes] = {}  # cached blocks that are hashed, the latest last
        self._early: dict[int, bytes] = {}  # blocks that wait to be hashed
        self._place = 0

    def finish(self) -> str:
        """Hash the rest, and return the SHA-256 of the file."""
        while len(self._states) * limits.BLOCK < self.size:
            self._hash_next()
        self._check(self.size)
        self._file.seek(self.size)
        if self._file.read(1):  # a remote file of unknown size
            raise self._changed()
        return str(self._state(len(self._states)).hexdigest())

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._hashing.shutdown(cancel_futures=True)
        super().close()

    def _state(self, blocks: int) -> Any:
        """Return the hash state after the first blocks."""
        return self._states[blocks - 1].result() if blocks > 0 else hashlib.sha256()

    def _read_block(self, number: int) -> bytes:
        if self._stopped():
            raise StoppedError
        start = number * limits.BLOCK
        self._file.seek(start)
        block = bytearray()
        size = min(limits.BLOCK, self.size - start)
        while len(block) < size and (more := self._file.read(size - len(block))):
            if len(more) == size:
                return bytes(more)
            block += more
        if len(block) < size:
            self._check(start + len(block))  # has a more precise error for files on disk
            raise self._changed()
        return bytes(block)

    def _hash_next(self) -> None:
        """Submit the next block for hashing in a thread; a bounded number wait."""
        number = len(self._states)
        block = self._early.pop(number, None) or self._read_block(number)
        self._state(number - limits.BLOCKS_AHEAD)
        self._states.append(self._hashing.submit(self._state_after, number, block))
        self._keep(number, block)

    def _state_after(self, number: int, block: bytes) -> Any:
        state = self._state(number).copy()
        state.update(block)
        return state

    def _keep(self, number: int, block: bytes) -> None:
        self._kept[number] = block  # the latest is last
        if len(self._kept) > limits.BLOCKS_KEPT:
            del self._kept[next(iter(self._kept))]

    def _block(self, number: int) -> bytes:
        if number in self._early:
            return self._early[number]
        hashed = len(self._states)
        if number >= hashed + limits.BLOCKS_AHEAD and len(self._early) < limits.BLOCKS_KEPT:
            early = self._early[number] = self._read_block(number)
            return early
        while number >= len(self._states):
            self._hash_next()
        block = self._kept.pop(number, None)
        if block is None:
            block = self._read_block(number)
            if self._state_after(number, block).digest() != self._state(number + 1).digest():
                raise self._changed()
        self._keep(number, block)
        return block

    def seekable(self) -> bool:
        """Return True: the file is seekable."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move to a position."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self.size}[whence]
        self._place = max(0, base + offset)
        return self._place

    def read(self, size: int | None = -1) -> bytes:
        """Read `size` bytes, or the rest."""
        end = self.size if size is None or size < 0 else min(self.size, self._place + size)
        parts = []
        while self._place < end:
            number, start = divmod(self._place, limits.BLOCK)
            part = memoryview(self._block(number))[start : start + end - self._place]
            parts.append(part)
            self._place += len(part)
        return b"".join(parts)
