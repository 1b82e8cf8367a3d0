"""Conversion of columns to rows for the engine, and of rows to findings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from provably_fair._core.errors import argument_of, placed
from provably_fair.sources import LogError
from provably_fair.sources.foreign import HALVES, Constant, cell, has_halves, is_empty, typed
from provably_fair.sources.numbers import Numbers
from provably_fair.sources.times import Times

from .columns import Columns
from .plan import Plan
from .systems import COMMITMENT, FIELD, SALT_COMMITMENT, UNREVEALED, Field, Found, Notations, Rows, among

_LOOKED_AT = 1000
"""The number of commitments tried to find out whether they are hashes of seeds or of salts."""


class Formats:
    """The formats of a file's cells, as far as its rows show them."""

    def __init__(self, plan: Plan, before: Formats | None = None) -> None:
        self.numbers: Numbers = Numbers(plan.csv, None if before is None else before.numbers.currencies)
        self.times: Times = Times(plan.time_formats)
        self.notations: Notations = Notations()

    def merge(self, later: Formats) -> None:
        """Append the formats of later rows; refuse them if no one format fits all rows."""
        self.numbers.merge(later.numbers)
        self.times.merge(later.times)


class SaltCommitments:
    """Decides whether `commitment` is of the salts, by the first one that matches a seed or a salt."""

    def __init__(self) -> None:
        self.found: bool | None = None
        self._looked_at = 0

    def see(self, columns: Mapping[str, object], rows: int) -> bool:
        """Return whether it is of the salts, from these rows and earlier ones."""
        if COMMITMENT not in columns or SALT_COMMITMENT in columns or "salt" not in columns:
            return False
        for row in range(rows):
            if self.found is not None or self._looked_at == _LOOKED_AT:
                break
            published, server, salt = (
                cell(columns[name], row) for name in (COMMITMENT, "server_seed", "salt")
            )
            if is_empty(published):
                continue
            self._looked_at += 1
            of_server, of_salt = _is_commitment(published, server), _is_commitment(published, salt)
            if of_server or of_salt:
                self.found = not of_server
        return bool(self.found)

    def merge(self, later: SaltCommitments) -> None:
        """Append the state of later rows."""
        if None not in (self.found, later.found) and self.found != later.found:
            raise LogError("some of its commitments are of server seeds, others of salts", subject="log")
        self.found = later.found if self.found is None else self.found


def _is_commitment(published: Any, seed: Any) -> bool:
    """Return whether one cell is the SHA-256 of another, as text."""
    from provably_fair.seeds.commitments import check_commitment  # few logs need it

    try:
        return check_commitment(seed, published)
    except (TypeError, ValueError):
        return False


def arguments_of(plan: Plan, columns: Columns) -> dict[str, Any]:
    """Return the columns of a batch for the engine, by field."""
    return {
        field.name: _argument(
            field, columns.cells[field.name], columns.batch.rows, columns.called.get(field.name)
        )
        for field in plan.system.fields
        if field.name in columns.cells
    }


def _argument(field: Field, column: object, rows: int, called: str | None) -> object:
    """Return a column for the engine; one text may stand for all rows."""
    if not isinstance(column, Constant):
        if not rows:
            return []  # of any type, since all cells are empty
        if field.number and field.name != FIELD and has_halves(column):
            raise LogError(f"column {called!r:.80} {HALVES}", argument=field.name)
        # Lists of numbers are refused for text, like arrays of them.
        return typed(column) if field.text else column
    value = column.value
    whole = isinstance(value, (str, bytes)) or (field.text and value is not None)
    return value if whole else [value] * rows


def found_in(plan: Plan, columns: Columns, rows: Rows, where: str) -> Found:
    """Return the findings of rows; errors of the system become errors of the log `where` they are."""
    try:
        if plan.secrets:
            hidden = columns.unrevealed(plan)
            hidden &= plan.system.concerns(columns.cells, rows.count)
            if hidden.any():
                shown = np.flatnonzero(~hidden)
                part = plan.system.verify(rows.some(shown))
                return among(rows.count, shown, part, {UNREVEALED: np.flatnonzero(hidden)})
        return plan.system.verify(rows)
    except LogError as error:
        raise placed(error, f"{where}: ") from None
    except (TypeError, ValueError) as error:
        name = argument_of(error)
        called = columns.called.get(name) or name
        place = f"{where}: column {called!r:.80}" if name in plan.fields else where
        texts = [field.name for field in plan.system.fields if field.text]
        cure = "; read the file with dtype=str" if name in texts and isinstance(error, TypeError) else ""
        row = getattr(error, "row", None)
        at = None if row is None else rows.place(row)
        raise LogError(
            f"{place}: {error}{cure}", argument=name if name in plan.fields else "", row=at
        ) from None
