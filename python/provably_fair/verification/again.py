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

from .columns import Columns, columns_of
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
        for places, columns, unreadable in self._walk():
            if row in unreadable:
                raise BadValue("row", f"{row} can't be explained: its line can't be read")
            at = int(np.searchsorted(places, row))
            if at < len(places) and places[at] == row:
                return {name: cell(column, at) for name, column in columns.cells.items()}
        raise BadValue("row", f"{row} can't be read again")

    def _walk(self) -> Iterator[tuple[np.ndarray, Columns, set[int]]]:
        """Yield the columns of batches, with the positions of their rows and of lines that can't be read."""
        assert self.source is not None
        for batch, before, numbers in self._batches(self.source):
            columns = columns_of(self.plan, batch).with_numbers(self.plan, numbers)
            yield before + places_of(batch), columns, {before + place for place in batch.unreadable}

    def _batches(self, source: Source) -> Iterator[tuple[Batch, int, Numbers]]:
        """Yield batches, each with the lines before its file, and how the numbers of this are written."""
        before = 0
        with closing(source.pieces()) as pieces:
            for piece in pieces:
                numbers, count = Numbers(self.plan.csv), 0
                for batch in _readable(piece.batches()):
                    count += batch.rows + len(batch.unreadable)
                    yield batch, before, numbers
                before += count

    def columns(self, first: int, last: int) -> Iterator[tuple[np.ndarray, Columns]]:
        """Yield the columns of batches with rows from the first to the last, and which these are."""
        for places, columns, _ in self._walk():
            which = np.flatnonzero((places >= first) & (places <= last))
            if len(which):
                yield which, columns
            if len(places) and places[-1] >= last:
                break

    @property
    def is_readable(self) -> bool:
        """Whether the log can be read a second time."""
        return self.source is not None and self.source.again

    def kept(
        self, rows: Sequence[int] | np.ndarray, names: Sequence[str] | None = None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield cells of rows in rising order, by default those to keep; skip unreadable ones."""
        wanted, source = np.asarray(rows, np.int64), self.source
        if source is None or not source.again or not len(wanted):
            return
        if names is not None:
            if source.other is None:
                return
            # Columns that were read are read again: one text for all rows may happen to have as many
            # characters.
            source = source.other({*self.plan.wanted_columns, *names})
        for batch, before, _ in self._batches(source):
            if not batch.rows:
                continue
            places = before + places_of(batch)
            first, end = np.searchsorted(wanted, (places[0], places[-1] + 1))
            shown = [name for name in names or self.plan.keep if names is None or name in batch.columns]
            for i in np.flatnonzero(np.isin(places, wanted[first:end])).tolist():
                yield int(places[i]), {name: kept_cell(batch.columns[name], i) for name in shown}
            if places[-1] >= wanted[-1]:
                return

    def others(self, rows: Sequence[int] | np.ndarray, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return cells of unread columns, for rows in rising order."""
        found: dict[int, dict[str, Any]] = {}
        with suppress(ValueError, OSError):  # the log may have changed
            found.update(self.kept(rows, names) if names else ())
        return [found.get(int(row), {}) for row in rows]


def places_of(batch: Batch) -> np.ndarray:
    """Return the position of each row in its file."""
    if not isinstance(batch.places, int):
        return batch.places
    return np.arange(batch.rows, dtype=np.int64) + batch.places


def _readable(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Yield batches up to the first error."""
    try:
        yield from batches
    except LogError:
        return
