"""Logs in memory: columns, rows, frames or Arrow data, whole or in parts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, check_code_points, is_masked

from . import limits
from .arrow import record_batches
from .databases import Fetched, cells_of, gives_cursors, rows_of
from .foreign import (
    Constant,
    Parts,
    Stream,
    as_seeds,
    cut,
    frame_of,
    packed_numbers,
    parts_of,
    row_of,
    stream_of,
    with_items,
)
from .names import NAMELESS, Name
from .nested import flat, rows_of_page
from .source import Batch, Evidence, LogError, Source, check_once, first_line, in_memory
from .stored import naming, unreadable
from .wanted import Wanted, read_of


def memory_source(log: Any, wanted: Wanted) -> Source:
    """Return the source of a log that isn't in files."""
    if isinstance(log, Mapping):
        page = rows_of_page(log, wanted)
        return _mapping(log, wanted) if page is None else memory_source(page, wanted)
    frame = frame_of(log)
    if frame is not None:
        check_once(frame.names, wanted, "log")
        columns = {name: frame.column(frame.names.index(name)) for name in read_of(frame.names, wanted)}
        return _table(columns, frame.rows, frame.names)
    if isinstance(log, (list, tuple)) and all(isinstance(row, Mapping) for row in log):
        log = list(map(flat, log))
        keys = dict.fromkeys(name for row in log for name in row)
        return _table(_columns_of(log, read_of(keys, wanted)), len(log), names_of(keys))
    fetched = _raise_log_errors(lambda: rows_of(log, limits.FETCHED))
    if fetched is not None:
        return fetched_source(fetched, wanted)
    parts = _raise_log_errors(lambda: parts_of(log, wanted, limits.BATCH))
    if parts is not None:
        return _parts(parts, wanted)
    stream = _raise_log_errors(lambda: stream_of(log, wanted, limits.BATCH))
    if stream is not None:
        return stream_source(stream, wanted)
    hint = ""
    if gives_cursors(log):
        hint = "; a connection or an engine needs a query: Query(sql, connection)"
    kinds = "a path, a file, a query, columns, rows, a data frame, Arrow data, a cursor, or a list of these"
    raise BadType("log", f"must be {kinds}, got {type(log).__name__}{hint}")


def names_of(keys: Iterable[object]) -> tuple[str, ...]:
    """Return the names of columns as text."""
    return tuple(map(str, keys))


def _columns_of(rows: Sequence[Mapping[str, Any]], names: Iterable[str]) -> dict[str, list[Any]]:
    return {name: as_seeds([row.get(name) for row in rows]) for name in names}


# ---- parts ----


def _parts(parts: Parts, wanted: Wanted) -> Source:
    if parts.names is not None:
        check_once(parts.names, wanted, "log")

    def read() -> Iterator[Batch]:
        done = 0
        first: set[str] | None = None
        try:
            for batch in _batches_of_parts(parts, wanted):
                there = {name for name in batch.columns if name in wanted}
                if first is not None and there != first:
                    name = min(there ^ first)
                    change = "there, and wasn't before" if name in there else "no longer there"
                    raise LogError(
                        f"from row {done} on the column {name!r:.80} is {change}",
                        subject="log",
                        kind="columns",
                    )
                first = there
                yield replace(batch, places=batch.places + done, names=parts.names or batch.names)
                done += batch.rows
        except _BrokenOffError as error:
            raise unreadable(NAMELESS, error, f"after row {done}: ") from error.__cause__
        if first is None:
            names = parts.names or ()
            yield Batch({name: [] for name in read_of(names, wanted)}, 0, 0, names=names)

    return in_memory(read, None, parts.again, masked=parts.names is not None)


def _batches_of_parts(parts: Parts, wanted: Wanted) -> Iterator[Batch]:
    """Yield the batches of parts, with positions from 0 in each; gather single rows."""
    keys: dict[str, None] = {}
    for part in _gathered(parts.items()):
        if isinstance(part, _YieldedRows):
            keys |= dict.fromkeys(name for row in part for name in row)
            yield Batch(_columns_of(part, read_of(keys, wanted)), len(part), 0, names=names_of(keys))
        else:
            with closing(memory_source(part, wanted).batches()) as batches:
                # Positions start at 0 in each batch.
                yield from (replace(batch, places=0) for batch in batches)


class _BrokenOffError(Exception):
    """The iterator of parts raised an error."""


class _YieldedRows(list[Mapping[str, Any]]):
    """Rows that an iterator yielded one by one."""


def _gathered(items: Iterable[Any]) -> Iterator[Any]:
    """Yield parts unchanged, and single rows gathered to batches."""
    rows = _YieldedRows()
    iterator = iter(items)
    while True:
        try:
            item = next(iterator)
        except StopIteration:
            break
        except LogError:
            raise
        except Exception as error:
            if rows:
                yield rows
            raise _BrokenOffError(first_line(error)) from error
        row = row_of(item)
        if row is not None:
            rows.append(flat(row))
        if rows and (row is None or len(rows) == limits.FETCHED):
            yield rows
            rows = _YieldedRows()
        if row is None:
            yield item
    if rows:
        yield rows


def _check_names(names: tuple[str, ...], wanted: Wanted, title: Name, close: Callable[[], None]) -> None:
    """Refuse a duplicate wanted column, and release the rows' source."""
    try:
        check_once(names, wanted, str(title))
    except LogError:
        close()
        raise


# ---- rows of databases ----


def fetched_source(
    fetched: Fetched, wanted: Wanted, title: Name = NAMELESS, evidence: Evidence | None = None
) -> Source:
    """Return the source of a cursor's rows."""
    if isinstance(fetched, Stream):
        return stream_source(fetched, wanted, title, evidence)
    names = names_of(fetched.names)
    _check_names(names, wanted, title, fetched.close)

    def read() -> Iterator[Batch]:
        done = 0
        while True:
            with naming(title, f"after row {done}: "):
                rows = fetched.fetch(limits.FETCHED)
            if rows or not done:
                columns = cells_of(rows, fetched.names, wanted)
                yield Batch(columns, len(rows), done, names=names)
            if not rows:
                return
            done += len(rows)

    return in_memory(read, None, False, fetched.close, evidence)


# ---- Arrow data ----


def stream_source(
    stream: Stream, wanted: Wanted, title: Name = NAMELESS, evidence: Evidence | None = None
) -> Source:
    """Return the source of a stream of record batches."""
    names = tuple(stream.schema.names)
    _check_names(names, wanted, title, stream.close)

    def read() -> Iterator[Batch]:
        done = 0
        pieces = record_batches(
            iter(_raise_log_errors(stream.batches, title=title)), stream.schema, wanted, names
        )
        while (batch := _raise_log_errors(lambda: next(pieces, None), done, title)) is not None:
            yield batch
            done += batch.rows

    return in_memory(read, stream.rows, stream.again, stream.close, evidence)


def _raise_log_errors(step: Callable[[], object], done: int | None = None, title: Name = NAMELESS) -> Any:
    """Turn errors of Arrow about a broken stream into a `LogError`."""
    try:
        return step()
    except LogError:
        raise
    except Exception as error:
        library = type(error).__module__.startswith(("pyarrow", "polars"))
        if not library and not isinstance(error, (OSError, ValueError, RuntimeError, NotImplementedError)):
            raise
        raise unreadable(title, error, "" if done is None else f"after row {done}: ") from error


# ---- columns ----


def _mapping(log: Mapping[object, object], wanted: Wanted) -> Source:
    names = names_of(log)
    check_once(names, wanted, "log")
    read = set(read_of(names, wanted))
    columns: dict[str, Any] = {}
    length: tuple[str, int] | None = None
    for name, column in log.items():
        name = str(name)
        if name not in read:
            continue
        if isinstance(column, np.ndarray) and column.ndim == 0:
            check_code_points(name, column)
            column = None if is_masked(column) else column[()]
        if _is_single(column):
            columns[name] = Constant(column)
            continue
        got = type(column).__name__
        column = with_items(column)
        has_rows = hasattr(column, "__getitem__") or hasattr(column, "__iter__")
        if isinstance(column, (Mapping, Set)) or frame_of(column) is not None or not has_rows:
            raise BadType("log", sentence=f"column {name!r:.80} must have a value for each row, got {got}")
        sliced = hasattr(column, "__getitem__") and not isinstance(column, deque)
        columns[name] = column = column if sliced else list(column)
        if length is not None and len(column) != length[1]:
            raise LogError(
                f"column {name!r:.80} has {len(column)} rows but {length[0]!r:.80} has {length[1]}: "
                "all columns must be equally long",
                subject="log",
                kind="columns",
            )
        length = name, len(column)
    if length is None and (columns or all(map(_is_single, log.values()))):
        one = "".join(
            f": {name!r:.80}: [...], a list of one value, makes it a log of one row" for name in names[-1:]
        )
        raise LogError(f"it has no column of rows, only single values{one}", subject="log", kind="columns")
    return _table(columns, 0 if length is None else length[1], names)


def _is_single(column: object) -> bool:
    """Whether a value stands for all rows."""
    return column is None or isinstance(column, (str, bytes, int, float, np.generic))


def _table(columns: Mapping[str, object], rows: int, names: tuple[str, ...]) -> Source:
    columns = {name: packed_numbers(column) for name, column in columns.items()}
    for name, column in columns.items():
        try:
            check_code_points(name, column.value if isinstance(column, Constant) else column)
        except ValueError as error:
            raise LogError(f"log: column {error}") from None

    def batches() -> Iterator[Batch]:
        for start in range(0, rows, limits.BATCH) or [0]:
            stop = min(rows, start + limits.BATCH)
            cuts = {name: cut(column, start, stop) for name, column in columns.items()}
            yield Batch(cuts, stop - start, start, names=names)

    return in_memory(batches, rows)
