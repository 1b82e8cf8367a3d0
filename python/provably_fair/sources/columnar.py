"""Columnar files: Parquet, Arrow IPC and Feather."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from provably_fair._core.errors import BadValue

from . import limits
from .arrow import record_batches
from .formats import FileReading
from .opened import HashedFile, Sealed
from .source import Batch, LogError, check_once, first_line
from .stored import StoredFile
from .text import require_pyarrow
from .wanted import read_of


class Columnar:
    """A columnar file: a small one is hashed before it is read, a large one while it is read."""

    def __init__(self, path: StoredFile, stopped: Callable[[], bool]) -> None:
        self.pa: Any = require_pyarrow(path)
        self._sealed: Sealed | None = None
        self.size: int
        size = path.known_size()
        if size is not None and size <= limits.SMALL_FILE:
            # In Arrow's own memory, since its threads may outlive the interpreter.
            with HashedFile(path, stopped) as file:
                data = file.read()
                self.size, self._sha256 = file.size, file.finish()
            memory = self.pa.BufferOutputStream()
            memory.write(data)
            self.source: Any = self.pa.BufferReader(memory.getvalue())
        else:
            self._sealed = Sealed(path, stopped)
            self.size = self._sealed.size
            self.source = self.pa.PythonFile(self._sealed, mode="r")

    def finish(self) -> str:
        """Return the SHA-256 of the file."""
        return self._sha256 if self._sealed is None else self._sealed.finish()

    def close(self) -> None:
        """Close the file."""
        self.source.close()
        if self._sealed is not None:
            self._sealed.close()


def parquet_rows(reading: FileReading, file: Columnar) -> Iterator[Batch]:
    """Yield the rows of a Parquet file."""
    import pyarrow.parquet

    path, wanted = str(reading.path), reading.wanted
    # One thread and no read-ahead keep memory to a few pages.
    options = {"buffer_size": limits.BLOCK, "pre_buffer": False}
    parquet = pyarrow.parquet.ParquetFile(file.source, **options)
    schema = parquet.schema_arrow
    check_once(schema.names, wanted, path)
    columns = read_of(schema.names, wanted)
    repeating = _repetitive_columns(parquet.metadata) & set(columns)
    if repeating:
        parquet = pyarrow.parquet.ParquetFile(file.source, read_dictionary=sorted(repeating), **options)
    # Group by group: a reader of all groups keeps the memory of those it has read.
    groups = (
        parquet.iter_batches(limits.BATCH, row_groups=[group], columns=columns, use_threads=False)
        for group in range(parquet.num_row_groups)
    )
    batches = _locate_errors(chain.from_iterable(groups), path)
    yield from record_batches(batches, schema, wanted, tuple(schema.names), path)


def ipc_rows(reading: FileReading, file: Columnar) -> Iterator[Batch]:
    """Yield the rows of an Arrow file, or of a stream in a file."""
    ipc = file.pa.ipc
    path, wanted = str(reading.path), reading.wanted
    options = ipc.IpcReadOptions(use_threads=False)
    magic = file.source.read(6)
    file.source.seek(0)
    if magic == b"ARROW1":
        reader = ipc.open_file(file.source, options=options)
        batches: Iterator[Any] = (reader.get_batch(i) for i in range(reader.num_record_batches))
    else:
        reader = ipc.open_stream(file.source, options=options)
        batches = _to_the_end(reader, file)
    names = tuple(reader.schema.names)
    check_once(names, wanted, path)
    yield from record_batches(_locate_errors(batches, path), reader.schema, wanted, names, path)


def _to_the_end(reader: Any, file: Columnar) -> Iterator[Any]:
    """Yield the batches of a stream, which must end with its end-of-stream marker at the end of the file."""
    place = file.source.tell()
    for batch in reader:
        place = file.source.tell()
        yield batch
    end = file.source.tell()
    file.source.seek(place)
    if not file.source.read(end - place).endswith(bytes(4)):
        raise BadValue("log", sentence="the stream breaks off here: the mark of its end is missing")
    if end < file.size:
        raise BadValue("log", sentence=f"the stream ends here, and {file.size - end:,} more bytes follow")


def _repetitive_columns(metadata: Any) -> set[str]:
    """Return the columns of text with hardly any bytes per row, such as a constant server seed."""
    rows = max(metadata.num_rows, 1)
    sizes: dict[str, int] = {}
    for group in range(metadata.num_row_groups):
        for number in range(metadata.num_columns):
            column = metadata.row_group(group).column(number)
            if column.physical_type == "BYTE_ARRAY":
                size = sizes.get(column.path_in_schema, 0)
                sizes[column.path_in_schema] = size + column.total_uncompressed_size
    return {name for name, size in sizes.items() if size < 2 * rows}


def _locate_errors(batches: Iterator[Any], path: str) -> Iterator[Any]:
    """Add the number of rows read to errors of a broken file."""
    done = 0
    try:
        for batch in batches:
            done += batch.num_rows
            yield batch
    except LogError:
        raise
    except Exception as error:
        raise LogError(f"{path}: after row {done}: {first_line(error)}") from error
