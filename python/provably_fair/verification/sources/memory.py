"""Logs in memory: columns, rows, frames, Arrow data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..columns import Constant, cut, pyarrow, to_sequence
from . import limits
from .arrow import record_batches
from .source import Batch, LogError, Source, check_once, first_line, in_memory


def memory_source(log: Any, wanted: set[str]) -> Source:
    """Return the source that reads a log that isn't in files."""
    if isinstance(log, Mapping):
        return _mapping(log, wanted)
    module = type(log).__module__.split(".")[0]
    if module == "pandas" and hasattr(log, "columns"):
        names = [name for name in log.columns if isinstance(name, str)]
        check_once(names, wanted, "log")
        columns = {name: log[name] for name in names if name in wanted}
        return _table(columns, len(log), tuple(map(str, log.columns)))
    if module == "polars" and hasattr(log, "get_columns"):
        columns = {column.name: column for column in log.get_columns() if column.name in wanted}
        return _table(columns, log.height, tuple(log.columns))
    if module == "polars" and hasattr(log, "collect"):
        return memory_source(log.collect(), wanted)
    source = _arrow(log, wanted)
    if source is not None:
        return source
    if isinstance(log, (list, tuple)) and all(isinstance(row, Mapping) for row in log):
        keys = dict.fromkeys(name for row in log for name in row)
        columns = {name: [row.get(name) for row in log] for name in keys if name in wanted}
        return _table(columns, len(log), tuple(map(str, keys)))
    raise TypeError(
        "log must be a path, a mapping of columns, a list of rows, a pandas or Polars frame or Arrow data, "
        f"got {type(log).__name__}"
    )


def _arrow(log: Any, wanted: set[str]) -> Source | None:
    pa = pyarrow()
    if pa is None:
        if hasattr(log, "__arrow_c_stream__"):
            raise ImportError("log: Arrow data needs pyarrow: pip install 'provably_fair[arrow]'")
        return None
    if isinstance(log, pa.RecordBatch):
        log = pa.Table.from_batches([log])
    if isinstance(log, pa.Table):
        return _stream(lambda: log.to_batches(), log.schema, wanted, log.num_rows)
    if type(log).__module__.startswith("pyarrow") and hasattr(log, "scanner"):  # a dataset
        check_once(log.schema.names, wanted, "log")
        columns = [name for name in log.schema.names if name in wanted]
        return _stream(
            lambda: log.scanner(columns=columns, batch_size=limits.BATCH).to_reader(), log.schema, wanted
        )
    if hasattr(log, "to_reader"):  # a scanner
        reader = log.to_reader()
        return _stream(lambda: reader, reader.schema, wanted, again=False)
    if hasattr(log, "__arrow_c_stream__"):
        reader = _raise_log_errors(lambda: pa.RecordBatchReader.from_stream(log))
        return _stream(lambda: reader, reader.schema, wanted, again=False)
    return None


def _stream(
    batches: Callable[[], object], schema: Any, wanted: set[str], rows: int | None = None, again: bool = True
) -> Source:
    check_once(schema.names, wanted, "log")
    named = tuple(schema.names)

    def read() -> Iterator[Batch]:
        done = 0
        pieces = record_batches(iter(_raise_log_errors(batches)), schema, wanted, named)
        while (batch := _raise_log_errors(lambda: next(pieces, None), done)) is not None:
            yield batch
            done += batch.rows

    return in_memory(read, rows, again)


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
        if column is None or isinstance(column, (str, bytes, int, float, np.generic)):
            columns[name] = Constant(column.item() if isinstance(column, np.generic) else column)
            continue
        if not hasattr(column, "__len__") or not hasattr(column, "__getitem__"):
            column = to_sequence(column)
        if isinstance(column, np.ndarray) and column.ndim == 0:
            columns[name] = Constant(column.item())
            continue
        columns[name] = column
        if length is not None and len(column) != length[1]:
            raise LogError(
                f"log: column {name!r} has {len(column)} rows but {length[0]!r} has {length[1]}: "
                "all columns must be equally long"
            )
        length = name, len(column)
    if length is None:
        raise LogError("log: it has no column of rows, only single values")
    return _table(columns, length[1], names)


def _table(columns: Mapping[str, object], rows: int, names: tuple[str, ...]) -> Source:
    def batches() -> Iterator[Batch]:
        for start in range(0, rows, limits.BATCH) or [0]:
            stop = min(rows, start + limits.BATCH)
            cuts = {name: cut(column, start, stop) for name, column in columns.items()}
            yield Batch(cuts, stop - start, start, names=names)

    return in_memory(batches, rows)
