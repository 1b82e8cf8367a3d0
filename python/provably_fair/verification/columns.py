"""The columns of a batch by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from provably_fair._core.printable import listed
from provably_fair.sources import Batch, LogError, Option
from provably_fair.sources.foreign import Constant, as_written, cells_of, is_empty
from provably_fair.sources.numbers import Numbers, as_python_writes

from .plan import Plan
from .seed_table import Joined
from .systems import FIELD
from .systems.system import whole

_MARKS = dict.fromkeys(map(ord, ",.' \u00a0\u202f"))
"""Marks in numbers, which `float` doesn't know."""

MAX_MESSAGE = 400
"""Length limit of the error message about missing columns."""


@dataclass(frozen=True)
class Columns:
    """The columns of a batch by field."""

    batch: Batch
    cells: dict[str, Any]  # columns by field; a `Constant` stands for all rows
    called: dict[str, str | None]  # the name of each field's column in the log; None if it has none
    joined: Joined | None = None  # the seeds of the rows, if they are in a table of their own
    logged: Any = None  # the outcomes as written in the log
    # Columns whose cells are shown with each failure, by their names
    kept: Mapping[str, Any] = field(default_factory=dict)
    # The column, and the number that is added to it, of each field that is read so
    added: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def with_numbers(self, plan: Plan, numbers: Numbers) -> Columns:
        """Return the columns with numbers in the notation that the engine reads, and with what is added."""
        read = {name for name, field in plan.fields.items() if field.number}
        # What was won at a table may be cards as well, whose commas are read as decimal ones if that is said.
        systems = plan.system.games.values() or [plan.system]
        if plan.csv.decimal == "," and any(one.table is not None for one in systems):
            read.add(FIELD)
        those = {name: column for name, column in self.cells.items() if name in read}
        cells = {**self.cells, **numbers.read(those, self.called)}
        for name, (_, by) in self.added.items():
            cells[name] = added_cells(cells[name], self.batch.rows, by)
        return replace(self, cells=cells)

    @property
    def written(self) -> dict[str, Any]:
        """The cells to show, with outcomes as written in the log."""
        return self.cells | ({FIELD: self.logged} if FIELD in self.cells else {})

    @property
    def rewritten(self) -> Any:
        """The outcomes as written in the log, if numbers among them were read; else None."""
        as_they_are = self.cells.get(FIELD) is self.logged or isinstance(self.logged, Constant)
        return None if as_they_are else self.logged

    def unrevealed(self, plan: Plan) -> np.ndarray:
        """Return the rows that aren't checkable yet, since their seed isn't revealed."""
        rows = self.batch.rows
        hidden = np.zeros(rows, bool)
        for name in plan.secrets:
            if name in self.cells:
                hidden |= np.fromiter(map(is_empty, cells_of(self.cells[name], rows)), bool, rows)
        if self.joined is not None:
            hidden &= self.joined.listed
        return hidden


def columns_of(plan: Plan, batch: Batch, max_message: int = MAX_MESSAGE) -> Columns:
    """Return the column of each field in a batch, and the seeds that are joined to its rows."""
    joined = None if plan.seeds is None else plan.seeds.look_up(batch)
    there = {field: _there(plan, batch, field) for field in plan.candidates}
    called = {field: next(iter(names), None) for field, names in there.items()}
    cells, missing = _cells_by_field(plan, batch, there)
    if plan.seeds is not None and joined is not None:
        cells, differing = plan.seeds.join(joined, batch, cells)
        joined = joined._replace(differing=differing)
        missing = [name for name in missing if name not in cells]
    if missing:
        from .missing import missing_columns  # loaded only for logs that lack columns

        raise missing_columns(plan, missing, batch, called, max_message)
    if not batch.columns.keys() >= set(plan.keep):
        from .missing import missing_kept

        raise missing_kept(plan, batch, max_message)
    kept = {name: batch.columns[name] for name in plan.keep}
    added = {
        name: by for name, by in plan.added.items() if called[name] and called[name] not in batch.columns
    }
    return Columns(batch, cells, called, joined, cells.get(FIELD), kept, added)


def _there(plan: Plan, batch: Batch, name: str) -> list[str]:
    """Return the columns of a batch that may be a field's."""
    field = plan.fields[name]
    there = [column for column in plan.candidates[name] if column in batch.columns]
    if not there and name in plan.added and plan.added[name][0] in batch.columns:
        return [plan.given[name]]
    if field.number and name != FIELD and name not in plan.given:  # a bet may be an amount, or "under 50"
        there = [column for column in there if column not in field.aliases or _has_numbers(batch, column)]
    return there


def added_cells(cells: Any, rows: int, by: int) -> Any:
    """Return cells plus a number; None for one that is no whole number, which mustn't be read as it is."""

    def added(cell: Any) -> int | None:
        try:
            return (cell if type(cell) is int else int(whole(as_written(cell)))) + by
        except ValueError:
            return None

    if isinstance(cells, Constant):
        return Constant(added(cells.value))
    return [added(cell) for cell in cells_of(cells, rows)]


def _has_numbers(batch: Batch, column: str) -> bool:
    """Whether the first cell of a column that isn't empty is a number."""
    first = next((one for one in cells_of(batch.columns[column], batch.rows) if not is_empty(one)), 0)
    try:
        float(as_python_writes(as_written(first).translate(_MARKS), ".", None))
    except ValueError:
        return False
    return True


def _cells_by_field(
    plan: Plan, batch: Batch, there: Mapping[str, list[str]]
) -> tuple[dict[str, Any], list[str]]:
    """Return the column or constant of each field, and the needed fields that have none."""
    cells: dict[str, Any] = {}
    missing = []
    for name, one in plan.fields.items():
        if name in plan.constants:
            cells[name] = Constant(plan.constants[name])
            continue
        column = next(iter(there[name]), None)
        if len(there[name]) > 1 and column in one.aliases:
            raise LogError(
                f"the columns {listed(there[name])} may all be {name!r}; ",
                Option("columns", {name: column}),
                " says which",
            )
        if column is not None and not (one.needed and batch.holds_objects(column)):
            cells[name] = batch.columns[column if column in batch.columns else plan.added[name][0]]
        elif one.needed or name in plan.given:
            missing.append(name)
        elif one.default is not None:
            cells[name] = Constant(one.default)
    lacking = {name for name, one in plan.fields.items() if one.beside in cells} - {*cells, *missing}
    return cells, [name for name in plan.fields if name in missing or name in lacking]
