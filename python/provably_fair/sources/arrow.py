"""Arrow's record batches, cut into batches of a log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import limits
from .foreign import pyarrow, to_readable
from .source import Batch, LogError, first_line
from .wanted import Wanted, read_of


def record_batches(
    batches: Iterator[object],
    schema: object,
    wanted: Wanted,
    names: tuple[str, ...],
    file: str | None = None,
) -> Iterator[Batch]:
    """Yield record batches in pieces of at most `limits.BATCH` rows; an empty one if there are none."""
    done = 0
    for whole in _one_at_least(batches, schema):
        for start in range(0, max(whole.num_rows, 1), limits.BATCH):
            batch = whole.slice(start, limits.BATCH)
            there = batch.schema.names
            columns = [(there.index(name), name) for name in read_of(there, wanted)]
            # Files may be malformed: offsets out of bounds, text that isn't UTF-8.
            if file is not None:
                _validate([batch.column(i) for i, _ in columns], batch.num_rows, file, done)
            yield Batch(
                {name: to_readable(batch.column(i)) for i, name in columns}, batch.num_rows, done, names=names
            )
            done += batch.num_rows


def _validate(columns: list[Any], rows: int, file: str, first: int) -> None:
    for column in columns:
        try:
            column.validate(full=True)
        except Exception as error:
            # Bisect for the row; reading ends here anyway.
            low, high = 0, rows
            while high - low > 1:
                middle = (low + high) // 2
                try:
                    column.slice(low, middle - low).validate(full=True)
                    low = middle
                except Exception:
                    high = middle
            raise LogError(f"{file}: row {first + low}: {first_line(error)}", row=first + low) from None


def _one_at_least(batches: Iterator[object], schema: Any) -> Iterator[Any]:
    """Yield the batches; if there are none, an empty one with the columns."""
    none = True
    for batch in batches:
        none = False
        yield batch
    if none:
        yield pyarrow().RecordBatch.from_arrays(
            [pyarrow().array([], field.type) for field in schema], schema=schema
        )
