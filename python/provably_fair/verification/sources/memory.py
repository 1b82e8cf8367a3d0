"""Logs in memory: columns, rows, frames, Arrow data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..columns import Constant, cut, foreign, pyarrow
from . import limits
from .arrow import pieces, then_if_none
from .source import Batch, LogError, Source


def of_memory(log: Any, wanted: set[str]) -> Source:
    """Return the source that reads a log that isn't in files."""
    if isinstance(log, Mapping):
        return _mapping({name: column for name, column in log.items() if name in wanted})
    module = type(log).__module__.split(".")[0]
    if module == "pandas" and hasattr(log, "columns"):
        return _table({str(name): log[name] for name in log.columns if name in wanted}, len(log))
    if module == "polars" and hasattr(log, "get_columns"):
        return _table({c.name: c for c in log.get_columns() if c.name in wanted}, log.height)
    if module == "polars" and hasattr(log, "collect"):
        return of_memory(log.collect(), wanted)
    pa = pyarrow()
    if pa is not None:
        if isinstance(log, pa.RecordBatch):
            log = pa.Table.from_batches([log])
        if isinstance(log, pa.Table):
            return Source(
                lambda _: pieces(then_if_none(iter(log.to_batches()), log.schema), wanted),
                log.num_rows,
                True,
            )
        if hasattr(log, "to_batches"):
            return Source(lambda _: pieces(log.to_batches(batch_size=limits.BATCH), wanted), None, True)
        if hasattr(log, "__arrow_c_stream__"):
            reader = pa.RecordBatchReader.from_stream(log)
            return Source(lambda _: pieces(then_if_none(iter(reader), reader.schema), wanted), None, False)
    elif hasattr(log, "__arrow_c_stream__"):
        raise ImportError("log: Arrow data needs pyarrow: pip install 'provably_fair[arrow]'")
    if isinstance(log, (list, tuple)) and all(isinstance(row, Mapping) for row in log):
        names = {name for row in log for name in row} & wanted
        return _table({name: [row.get(name) for row in log] for name in names}, len(log))
    raise TypeError(
        "log must be a path, a mapping of columns, a list of rows, a pandas or Polars frame or Arrow data, "
        f"got {type(log).__name__}"
    )


def _mapping(log: Mapping[Any, Any]) -> Source:
    columns: dict[str, Any] = {}
    length: tuple[str, int] | None = None
    for name, column in log.items():
        name = str(name)
        if column is None or isinstance(column, (str, bytes, int, float, np.generic)):
            columns[name] = Constant(column.item() if isinstance(column, np.generic) else column)
            continue
        if not hasattr(column, "__len__") or not hasattr(column, "__getitem__"):
            column = foreign(column)
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
    return _table(columns, length[1])


def _table(columns: dict[str, Any], rows: int) -> Source:
    def batches(_: Source) -> Iterator[Batch]:
        for start in range(0, rows, limits.BATCH):
            stop = min(rows, start + limits.BATCH)
            yield Batch({n: cut(c, start, stop) for n, c in columns.items()}, np.arange(start, stop))
        if not rows:
            yield Batch({n: cut(c, 0, 0) for n, c in columns.items()}, np.arange(0))

    return Source(batches, rows, True)
