"""Files of columns: Parquet, Arrow IPC and Feather."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from . import limits
from .arrow import pieces, then_if_none
from .source import Batch, Evidence, LogError, Source, first_line
from .text import needed


def parquet_rows(path: Path, compression: str | None, wanted: set[str], source: Source) -> Generator[Batch]:
    """Give the rows of a Parquet file."""
    needed(path)
    _seen(path, "parquet", compression, source)
    import pyarrow.parquet

    # One thread, no read-ahead of Arrow's own: memory stays that of a few pages. Arrow reads the file
    # itself: a stream of Python's would be read by Arrow's threads.
    options = {"buffer_size": limits.BLOCK, "pre_buffer": False}
    with pyarrow.parquet.ParquetFile(path, **options) as parquet:
        schema = parquet.schema_arrow
        names = [name for name in schema.names if name in wanted]
        repeating = _repeating(parquet.metadata) & set(names)
    with pyarrow.parquet.ParquetFile(path, read_dictionary=sorted(repeating), **options) as parquet:
        batches = _row_groups(parquet, names)
        yield from pieces(then_if_none(_named_rows(batches, path), schema), wanted, str(path))


def ipc_rows(path: Path, compression: str | None, wanted: set[str], source: Source) -> Generator[Batch]:
    """Give the rows of an Arrow file, or of a stream in a file."""
    pa = needed(path)
    magic = _seen(path, "ipc", compression, source)
    with pa.OSFile(str(path)) as file:
        if magic == b"ARROW1":
            reader = pa.ipc.open_file(file)
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
        else:
            reader = pa.ipc.open_stream(file)
            batches = iter(reader)
        named = then_if_none(_named_rows(batches, path), reader.schema)
        yield from pieces(named, wanted, str(path))


def _seen(path: Path, kind: str, compression: str | None, source: Source) -> bytes:
    """Hash a file, and return its first bytes."""
    if compression is not None:
        raise LogError(f"{path}: {kind} files are compressed within, not by {compression} around them")
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        source.files.append(Evidence(str(path), file.tell(), digest))
        file.seek(0)
        return file.read(6)


def _row_groups(parquet: Any, names: list[str]) -> Iterator[Any]:
    # One group after the other: a reader of them all keeps hold of what it has read.
    for group in range(parquet.num_row_groups):
        yield from parquet.iter_batches(
            batch_size=limits.BATCH, row_groups=[group], use_threads=False, columns=names
        )


def _repeating(metadata: Any) -> set[str]:
    """Return the columns of text that hardly take space, such as a server seed that stays the same."""
    rows = max(metadata.num_rows, 1)
    sizes: dict[str, int] = {}
    for group in range(metadata.num_row_groups):
        for number in range(metadata.num_columns):
            column = metadata.row_group(group).column(number)
            if column.physical_type == "BYTE_ARRAY":
                size = sizes.get(column.path_in_schema, 0)
                sizes[column.path_in_schema] = size + column.total_uncompressed_size
    return {name for name, size in sizes.items() if size < 2 * rows}


def _named_rows(batches: Iterator[Any], path: Path) -> Iterator[Any]:
    """Say how far a file could be read where it breaks off."""
    done = 0
    while True:
        try:
            batch = next(batches)
        except StopIteration:
            return
        except LogError:
            raise
        except Exception as error:
            raise LogError(f"{path}: after row {done}: {first_line(error)}") from error
        done += batch.num_rows
        yield batch
