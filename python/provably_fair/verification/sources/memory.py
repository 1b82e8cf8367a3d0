"""Logs in memory: columns, rows, frames, Arrow data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..foreign import Constant, Stream, cut, frame_of, stream_of, with_items
from . import limits
from .arrow import record_batches
from .source import Batch, LogError, Source, check_once, first_line, in_memory


def memory_source(log: Any, wanted: set[str]) -> Source:
    """Return the source that reads a log that isn't in files."""
    if isinstance(log, Mapping):
        return _mapping(log, wanted)
    frame = frame_of(log)
    if frame is not None:
        check_once(frame.names, wanted, "log")
        columns = {name: frame.column(i) for i, name in enumerate(frame.names) if name in wanted}
        return _table(columns, frame.rows, frame.names)
    stream = _raise_log_errors(lambda: stream_of(log, wanted, limits.BATCH))
    if stream is not None:
        return _batches(stream, wanted)
    if isinstance(log, (list, tuple)) and all(isinstance(row, Mapping) for row in log):
        keys = dict.fromkeys(name for row in log for name in row)
        columns = {name: [row.get(name) for row in log] for name in keys if name in wanted}
        return _table(columns, len(log), tuple(map(str, keys)))
    raise TypeError(
        "log must be a path, a mapping of columns, a list of rows, a pandas or Polars frame or Arrow data, "
        f"got {type(log).__name__}"
    )


def _batches(stream: Stream, wanted: set[str]) -> Source:
    names = tuple(stream.schema.names)
    try:
        check_once(names, wanted, "log")
    except LogError:
        stream.close()
        raise

    def read() -> Iterator[Batch]:
        done = 0
        pieces = record_batches(iter(_raise_log_errors(stream.batches)), stream.schema, wanted, names)
        while (batch := _raise_log_errors(lambda: next(pieces, None), done)) is not None:
            yield batch
            done += batch.rows

    return in_memory(read, stream.rows, stream.again, stream.close)


def _raise_log_errors(step: Callable[[], object], done: int | None = None) -> Any:
    """Turn what Arrow raises about a broken stream into a `LogError`."""
    try:
        return step()
    except LogError:
        raise
    except Exception as error:
        arrow = type(error).__module__.startswith("pyarrow")
        if not arrow and not isinstance(error, (OSError, ValueError, RuntimeError, NotImplementedError)):
            raise
        where = "log" if done is None else f"log: after row {done}"
        raise LogError(f"{where}: {first_line(error)}") from error


def _mapping(log: Mapping[object, object], wanted: set[str]) -> Source:
    names = tuple(str(name) for name in log)
    check_once(names, wanted, "log")
    columns: dict[str, Any] = {}
    length: tuple[str, int] | None = None
    for name, column in log.items():
        name = str(name)
        if name not in wanted:
            continue
        if isinstance(column, np.ndarray) and column.ndim == 0:
            column = column[()]
        if column is None or isinstance(column, (str, bytes, int, float, np.generic)):
            columns[name] = Constant(column)
            continue
        column = with_items(column)
        columns[name] = column = column if hasattr(column, "__getitem__") else list(column)
        if length is not None and len(column) != length[1]:
            raise LogError(
                f"log: column {name!r} has {len(column)} rows but {length[0]!r} has {length[1]}: "
                "all columns must be equally long"
            )
        length = name, len(column)
    if length is None and columns:
        raise LogError("log: it has no column of rows, only single values")
    return _table(columns, 0 if length is None else length[1], names)


def _table(columns: Mapping[str, object], rows: int, names: tuple[str, ...]) -> Source:
    def batches() -> Iterator[Batch]:
        for start in range(0, rows, limits.BATCH) or [0]:
            stop = min(rows, start + limits.BATCH)
            cuts = {name: cut(column, start, stop) for name, column in columns.items()}
            yield Batch(cuts, stop - start, start, names=names)

    return in_memory(batches, rows)
