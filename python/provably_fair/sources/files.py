"""Logs in files, read one after the other."""

from __future__ import annotations

import queue
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial

from . import limits
from .foreign import Constant
from .formats import FORMATS, FileReading, error_text
from .opened import StoppedError
from .source import Batch, Evidence, LogError, Piece, Source
from .stored import StoredFile
from .wanted import Wanted, read_of


def files_source(files: list[StoredFile], passed_over: dict[str, str], wanted: Wanted) -> Source:
    """Return a source of these files in order."""

    def pieces() -> Generator[Piece]:
        with closing(_Ahead([_LogFile(file, wanted, passed_over) for file in files])) as ahead:
            yield from ahead.pieces()

    return Source(pieces, again=all(file.again for file in files), passed_over=passed_over)


# ---- one file ----


class _LogFile:
    """A file of a log, and its evidence."""

    def __init__(self, path: StoredFile, wanted: Wanted, passed_over: dict[str, str]) -> None:
        self.path = path
        self.wanted = wanted
        self.passed_over = passed_over
        self.evidence = Evidence(str(path))
        self.given_up = False  # whether the rest isn't needed

    def batches(self, stopped: Callable[[], bool]) -> Generator[Batch]:
        """Yield the file's batches; its evidence is complete at the end."""
        with _raise_log_errors(self.path):
            reading = FileReading(self.path, self.wanted, self.passed_over, self.evidence, stopped)
            for batch in FORMATS[self.path.kind].rows(reading):
                read = read_of(self.path.partitions, self.wanted)
                batch.folders = tuple(name for name in read if name not in batch.columns)
                for name in batch.folders:
                    value = self.path.partitions[name]
                    batch.columns[name] = [None] * batch.rows if value is None else Constant(value)
                batch.names = (*batch.names, *(n for n in self.path.partitions if n not in batch.names))
                yield batch


@contextmanager
def _raise_log_errors(path: StoredFile) -> Iterator[None]:
    """Turn readers' errors about a bad file into a `LogError` that names it."""
    try:
        yield
    except (LogError, StoppedError):
        raise
    except Exception as error:
        known = (OSError, EOFError, ValueError, RuntimeError, MemoryError, zlib.error, zipfile.BadZipFile)
        if not (isinstance(error, known) or type(error).__module__.startswith("pyarrow")):
            raise
        raise LogError(error_text(error, path)) from error


# ---- several files ----


class _Ahead:
    """Reads files in a thread, a few batches ahead of verification; in the caller where none can start."""

    def __init__(self, files: list[_LogFile]) -> None:
        self._files = files
        self._read: queue.Queue[Batch | BaseException | None] = queue.Queue(limits.BATCHES_AHEAD)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def pieces(self) -> Iterator[Piece]:
        """Yield the files."""
        ahead = True
        try:
            self._thread.start()
        except RuntimeError:  # under a limit of processes, or on WebAssembly
            ahead = False
        for file in self._files:
            batches = self._batches() if ahead else file.batches(partial(self._stopped, file))
            yield Piece(partial(iter, batches), file.evidence)
            file.given_up = True
            with suppress(Exception):
                for _ in batches:  # batches of it that were read already
                    pass
            if file.evidence.error is not None:  # the thread may have finished it meanwhile
                file.evidence.sha256 = None

    def _batches(self) -> Iterator[Batch]:
        """Yield the batches of the next file."""
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
        """End the thread, unless it is blocked on a pipe."""
        self._stop.set()
        end = time.monotonic() + limits.PATIENCE
        while self._thread.is_alive() and time.monotonic() < end:
            with suppress(queue.Empty):
                self._read.get_nowait()
            self._thread.join(0.01)
