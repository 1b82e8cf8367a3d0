"""Reading single rows of a log again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair.sources import Batch, LogError, Source
from provably_fair.sources.foreign import cell
from provably_fair.sources.numbers import Numbers

from .columns import columns_of
from .failure import kept_cell
from .plan import Plan


class Again:
    """Reads single rows of a log again."""

    def __init__(self, plan: Plan, source: Source | None) -> None:
        self.plan = plan
        self.source = source

    def __getstate__(self) -> dict[str, object]:
        # The log itself isn't pickled.
        return {"plan": self.plan, "source": None}

    @property
    def inputs(self) -> list[Path]:
        """The files on disk that were read."""
        return [*self.plan.inputs, *([] if self.source is None else self.source.inputs())]

    def row(self, row: int) -> dict[str, Any]:
        """Return a row's cells by field."""
        if self.source is None or not self.is_readable:
            raise BadValue("row", f"{row} wasn't kept, and the log can't be read again")
        plan, done = self.plan, 0
        with closing(self.source.pieces()) as pieces:
            for piece in pieces:
                numbers = Numbers(plan.csv)
                for batch in _readable(piece.batches()):
                    columns = columns_of(plan, batch).with_numbers(plan, numbers).cells
                    count = batch.rows + len(batch.unreadable)
                    if row < done + count:
                        places = [batch.place(i) for i in range(batch.rows)]
                        place = min([*places[:1], *batch.unreadable]) + row - done
                        if place in batch.unreadable:
                            raise BadValue("row", f"{row} can't be explained: its line can't be read")
                        return {name: cell(column, places.index(place)) for name, column in columns.items()}
                    done += count
        raise BadValue("row", f"{row} can't be read again")

    @property
    def is_readable(self) -> bool:
        """Whether the log can be read a second time."""
        return self.source is not None and self.source.again

    def kept(self, rows: Sequence[int]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the cells to keep of rows in rising order, each with its row; skip unreadable ones."""
        wanted, before = np.asarray(rows, np.int64), 0
        if self.source is None or not self.is_readable:
            return
        with closing(self.source.pieces()) as pieces:
            for piece in pieces:
                count = 0
                for batch in _readable(piece.batches()):
                    count += batch.rows + len(batch.unreadable)
                    if not batch.rows:
                        continue
                    places = before + _places(batch)
                    first, end = np.searchsorted(wanted, (places[0], places[-1] + 1))
                    for i in np.flatnonzero(np.isin(places, wanted[first:end])).tolist():
                        cells = ((name, batch.columns[name]) for name in self.plan.keep)
                        yield int(places[i]), {name: kept_cell(column, i) for name, column in cells}
                before += count

    def others(self, rows: Sequence[int], names: Sequence[str]) -> list[dict[str, Any]]:
        """Return cells of unread columns, for rows of the log's first batch."""
        found: dict[int, dict[str, Any]] = {}
        if not names or self.source is None or not self.source.again or self.source.other is None:
            return [{} for _ in rows]
        with suppress(ValueError, OSError):  # the log may have changed
            # Columns that were read are read again: one text for all rows may happen to have as many
            # characters.
            source = self.source.other({*self.plan.wanted_columns, *names})
            with closing(source.batches()) as batches:
                batch = next(batches, Batch({}, 0, 0))
            there = [name for name in names if name in batch.columns]
            places = _places(batch)
            for i in np.flatnonzero(np.isin(places, rows)).tolist():
                found[int(places[i])] = {name: cell(batch.columns[name], i) for name in there}
        return [found.get(row, {}) for row in rows]


def _places(batch: Batch) -> np.ndarray:
    """Return the position of each row in its file."""
    return np.arange(batch.rows) + batch.places if isinstance(batch.places, int) else batch.places


def _readable(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Yield batches up to the first error."""
    try:
        yield from batches
    except LogError:
        return
