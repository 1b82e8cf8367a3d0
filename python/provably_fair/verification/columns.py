"""The columns of a batch by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from provably_fair._core.printable import listed

from .foreign import Constant, cells_of, is_empty
from .numbers import Numbers
from .plan import Plan
from .seed_table import Joined
from .sources import Batch, LogError, Option
from .systems import FIELD

MAX_MESSAGE = 400
"""Length limit of the error message about missing columns."""


@dataclass(frozen=True)
class Columns:
    """The columns of a batch by field."""

    batch: Batch
    cells: dict[str, Any]
    """Columns by field; a `Constant` stands for all rows."""
    called: dict[str, str | None]
    """The name of each field's column in the log; None if it has none."""
    joined: Joined | None = None
    """The seeds of the rows, if they are in a table of their own."""
    logged: Any = None
    """The outcomes as written in the log."""
    kept: Mapping[str, Any] = field(default_factory=dict)
    """Columns whose cells are shown with each failure, by their names."""

    def with_numbers(self, plan: Plan, numbers: Numbers) -> Columns:
        """Return the columns with numbers in the notation that the engine reads."""
        those = {name: column for name, column in self.cells.items() if plan.fields[name].number}
        whole = [name for name in those if plan.fields[name].whole]
        return replace(self, cells={**self.cells, **numbers.read(those, self.called, whole)})

    @property
    def written(self) -> dict[str, Any]:
        """The cells to show, with outcomes as written in the log."""
        return self.cells | ({FIELD: self.logged} if FIELD in self.cells else {})

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
    called = {
        field: next((name for name in names if name in batch.columns), None)
        for field, names in plan.candidates.items()
    }
    cells, missing = _cells_by_field(plan, batch)
    if plan.seeds is not None and joined is not None:
        cells = plan.seeds.join(joined, batch, cells)
        missing = [name for name in missing if name not in cells]
    if missing:
        from .missing import missing_columns  # loaded only for logs that lack columns

        raise missing_columns(plan, missing, batch, called, max_message)
    if not batch.columns.keys() >= set(plan.keep):
        from .missing import missing_kept

        raise missing_kept(plan, batch, max_message)
    kept = {name: batch.columns[name] for name in plan.keep}
    return Columns(batch, cells, called, joined, cells.get(FIELD), kept)


def _cells_by_field(plan: Plan, batch: Batch) -> tuple[dict[str, Any], list[str]]:
    """Return the column or constant of each field, and the needed fields that have none."""
    cells: dict[str, Any] = {}
    missing = []
    for name, one in plan.fields.items():
        if name in plan.constants:
            cells[name] = Constant(plan.constants[name])
            continue
        there = [column for column in plan.candidates[name] if column in batch.columns]
        column = there[0] if there else None
        if len(there) > 1 and column in one.aliases:
            raise LogError(
                f"the columns {listed(there)} may all be {name!r}; ",
                Option("columns", {name: column}),
                " says which",
            )
        if column is not None and not (one.needed and batch.holds_objects(column)):
            cells[name] = batch.columns[column]
        elif one.needed or name in plan.given:
            missing.append(name)
        elif one.default is not None:
            cells[name] = Constant(one.default)
    return cells, missing
