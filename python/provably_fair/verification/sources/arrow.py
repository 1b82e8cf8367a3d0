"""Arrow's record batches, cut into batches of a log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..columns import normalized, pyarrow
from . import limits
from .source import Batch, LogError, first_line


def pieces(batches: Iterator[Any], wanted: set[str], file: str | None = None) -> Iterator[Batch]:
    """Give Arrow's record batches in pieces of at most so many rows."""
    done = 0
    for whole in batches:
        for start in range(0, max(whole.num_rows, 1), limits.BATCH):
            batch = whole.slice(start, limits.BATCH)
            # Files may hold anything: offsets that point outside, text that isn't UTF-8.
            if file is not None:
                _validated(batch, file, done)
            names = batch.schema.names
            columns = {n: normalized(batch.column(i)) for i, n in enumerate(names) if n in wanted}
            yield Batch(columns, np.arange(done, done + batch.num_rows), file)
            done += batch.num_rows


def _validated(batch: Any, file: str, first: int) -> None:
    try:
        batch.validate(full=True)
    except Exception as error:
        # Which row it is takes a search; it is the end of the reading anyway.
        low, high = 0, batch.num_rows
        while high - low > 1:
            middle = (low + high) // 2
            try:
                batch.slice(low, middle - low).validate(full=True)
                low = middle
            except Exception:
                high = middle
        raise LogError(f"{file}: row {first + low}: {first_line(error)}") from None


def then_if_none(batches: Iterator[Any], schema: Any) -> Iterator[Any]:
    """Give the batches; if there are none, an empty one, which still tells the columns."""
    none = True
    for batch in batches:
        none = False
        yield batch
    if none:
        yield pyarrow().RecordBatch.from_arrays([pyarrow().array([], f.type) for f in schema], schema=schema)
