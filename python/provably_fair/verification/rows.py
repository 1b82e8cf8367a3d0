"""Conversion of columns to rows for the engine, and of rows to findings."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from provably_fair._core.errors import argument_of, placed
from provably_fair._core.progress import Report
from provably_fair.sources import LogError
from provably_fair.sources.foreign import Constant, cell, is_empty, typed
from provably_fair.sources.numbers import Numbers
from provably_fair.sources.times import Times

from .columns import Columns
from .plan import Plan
from .systems import COMMITMENT, SALT_COMMITMENT, UNREVEALED, Field, Found, Notations, Rows, among

_LOOKED_AT = 1000
"""The number of commitments tried to find out whether they are hashes of seeds or of salts."""


class Formats:
    """The formats of a file's cells, as far as its rows show them."""

    def __init__(self, plan: Plan) -> None:
        self.numbers: Numbers = Numbers(plan.csv)
        self.times: Times = Times(plan.time_formats)
        self.notations: Notations = Notations()


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
    try:
        published, seed = (text if isinstance(text, bytes) else text.encode() for text in (published, seed))
    except (AttributeError, UnicodeEncodeError):
        return False
    return hmac.compare_digest(hashlib.sha256(seed).hexdigest().encode(), published.strip().lower())


def rows_of(
    plan: Plan,
    columns: Columns,
    formats: Formats,
    offset: int = 0,
    *,
    of_salts: bool = False,
    every: bool = False,
    progress: Report | None = None,
) -> Rows:
    """Return the rows of a batch for the engine; its file begins at `offset` in the log."""
    batch = columns.batch
    cells = {
        field.name: _argument(field, columns.cells[field.name], batch.rows)
        for field in plan.system.fields
        if field.name in columns.cells
    }
    return Rows(
        cells,
        batch.rows,
        batch.places + offset,
        of_salts,
        formats.notations,
        every,
        plan.threads,
        plan.chain_steps,
        plan.ordered,
        progress,
    )


def _argument(field: Field, column: object, rows: int) -> object:
    """Return a column for the engine; one text may stand for all rows."""
    if not isinstance(column, Constant):
        if not rows:
            return []  # of any type, since all cells are empty
        # Lists of numbers are refused for text, like arrays of them.
        return typed(column) if field.text else column
    value = column.value
    return value if field.text or isinstance(value, (str, bytes)) else [value] * rows


def found_in(plan: Plan, columns: Columns, rows: Rows, where: str) -> Found:
    """Return the findings of rows; `where` names their file in errors."""
    with _naming_column(plan, columns, rows, where):
        if plan.secrets:
            hidden = columns.unrevealed(plan)
            hidden &= plan.system.concerns(columns.cells, rows.count)
            if hidden.any():
                shown = np.flatnonzero(~hidden)
                part = plan.system.verify(rows.some(shown))
                return among(rows.count, shown, part, {UNREVEALED: np.flatnonzero(hidden)})
        return plan.system.verify(rows)


@contextmanager
def _naming_column(plan: Plan, columns: Columns, rows: Rows, where: str) -> Iterator[None]:
    """Raise errors of the system as errors of the log, with file, column and row."""
    try:
        yield
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
