"""What a system is: the fields of its logs, and how rows are recomputed and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ..columns import MALFORMED, MISSING, Text, blank, cells, flat, is_missing, text

FIELD = "outcome"
"""The field of the logged outcome, in every system."""

COMMITMENTS = {"commitment": "server_seed", "salt_commitment": "salt"}
"""Optional fields with the SHA-256 of a seed that was published before the round, and whose."""

Wrong = tuple[str, str, Any]
"""A cell that can't be read: its field, the kind of failure, what was found."""


class BadCellsError(ValueError):
    """Cells because of which a row can't be recomputed; `found` has what they hold, by field."""

    def __init__(self, reason: str, **found: Any) -> None:
        super().__init__(reason)
        self.found = found


@dataclass
class Group:
    """Rows of a batch that were recomputed together."""

    rows: np.ndarray
    expected: Any
    """An array (rows, *shape), or a list."""


class System:
    """How logs of one system are checked."""

    name: str
    texts: Mapping[str, bool]
    """Fields of text, and whether a log must have them."""
    numbers: Mapping[str, tuple[int, int]]
    """Optional fields of whole numbers that vary from row to row, and their limits."""
    others: tuple[str, ...] = ()
    """Optional fields of any other kind."""
    unique: tuple[str, ...] = ()
    """Fields that should not be the same, together, in two rows."""
    called: Mapping[str, str] = MappingProxyType({})
    """Second names of fields, under which their columns are looked for first."""

    def read_text(self, name: str, column: Any) -> Text:
        """Read a column of text. `TypeError` and `ValueError` refuse the whole of it."""
        return text(column)

    def parameters(self) -> dict[str, Any]:
        """Return what the verdict depends on besides the log."""
        raise NotImplementedError

    def recompute(
        self,
        texts: dict[str, Text],
        numbers: dict[str, np.ndarray],
        others: dict[str, list[Any]],
        rows: np.ndarray,
        threads: int | None,
    ) -> Iterator[Group]:
        """Recompute clean rows; `rows` are their positions in the log."""
        raise NotImplementedError

    def compare(self, expected: Any, column: Any, count: int) -> tuple[np.ndarray, dict[int, list[Wrong]]]:
        """Return which rows differ, and the cells that can't be read at all, by row."""
        raise NotImplementedError

    def check_column(self, column: Any) -> None:
        """Refuse a column of outcomes whose type can't tell outcomes apart."""

    def expected_at(self, expected: Any, row: int, found: Any) -> Any:
        """Return what a cell should have been, in the form in which it was logged."""
        return expected[row].tolist()

    def explain(self, row: Mapping[str, Any]) -> Any:
        """Return the walk-through of a row."""
        raise NotImplementedError


class RowByRow(System):
    """A system whose rows are recomputed one at a time."""

    numbers: Mapping[str, tuple[int, int]] = MappingProxyType({})

    def right(self, row: dict[str, Any]) -> Any:
        """Return what is right for a row.

        `BadCellsError` says which cells are to blame if there is no such thing, any other `ValueError`
        that it is nothing but the outcome, where there should be none.
        """
        raise NotImplementedError

    def agrees(self, right: Any, found: Any) -> bool:
        """Tell whether a cell is right. `ValueError` and `TypeError` mean that it can't be read.

        As in `right`, `BadCellsError` blames other cells.
        """
        raise NotImplementedError

    def recompute(
        self,
        texts: dict[str, Text],
        numbers: dict[str, np.ndarray],
        others: dict[str, list[Any]],
        rows: np.ndarray,
        threads: int | None,
    ) -> Iterator[Group]:
        right = []
        for i, place in enumerate(rows.tolist()):
            row: dict[str, Any] = {name: column.bytes_at(i) for name, column in texts.items()}
            row |= {name: column[i] for name, column in others.items()}
            try:
                right.append(self.right(row | {"row": place}))
            except ValueError as error:
                right.append(error)
        yield Group(np.arange(len(rows)), right)

    def compare(self, expected: Any, column: Any, count: int) -> tuple[np.ndarray, dict[int, list[Wrong]]]:
        differs = np.zeros(count, dtype=bool)
        unreadable = {}
        for i, (right, found) in enumerate(zip(expected, cells(column, count), strict=True)):
            try:
                if isinstance(right, ValueError):
                    raise right
                if is_missing(found):
                    raise ValueError
                differs[i] = not self.agrees(right, found)
            except BadCellsError as error:
                unreadable[i] = [_wrong(name, cell) for name, cell in error.found.items()]
            except (ValueError, TypeError, RecursionError):
                unreadable[i] = [_wrong(FIELD, found)]
        return differs, unreadable

    def expected_at(self, expected: Any, row: int, found: Any) -> Any:
        right = expected[row]
        return None if isinstance(right, ValueError) else self.in_form(right, found)

    def in_form(self, right: Any, found: Any) -> Any:
        """Return what is right in the form of a logged cell, or in the usual one if that can't be read."""
        return right


def _wrong(name: str, cell: Any) -> Wrong:
    return name, MISSING if blank(cell) or flat(cell) == [] else MALFORMED, cell
