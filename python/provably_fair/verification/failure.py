"""Failures of single rows, and cells in the form that a report keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np

from provably_fair._core.printable import decoded, plain as plain_text, repr_of
from provably_fair._core.table import displayed
from provably_fair.sources.foreign import cell, is_empty

_LONGEST_KEPT = 200
_AS_TEXT = (Decimal, UUID, date, datetime, time)
"""Types of cells whose text is enough to restore them."""


@displayed
@dataclass(frozen=True)
class Failure:
    """A failure of one row of a log.

    Attributes
    ----------
    row : int
        The row's position in the log, from 0. In a folder the count runs through all files.
    kind : str
        "mismatch": the logged outcome isn't the recomputed one. "commitment" or "salt_commitment": the
        SHA-256 of the server seed or of the salt isn't the published one. "terminating": a game's hash
        doesn't lead to the published end of its chain. "beacon_signature" or "block_header": the signature
        isn't that of the round, or the header isn't that of the block. "missing": a required
        cell is empty. "malformed": a cell, or the whole line, can't be read, or a published value is
        spelled otherwise than published. "repeated": the round is that of an earlier row, with
        ``repeats="fail"``.
    expected : object
        The recomputed outcome or hash; of decisions at a table the forms that a cell may have, or the cards
        of the hand; None if a missing or malformed cell prevents it.
    found : object
        The value in the log.
    column : str
        The column's name; empty for a whole line.
    file : str or None
        The file; None in memory.
    file_row : int
        The row's position in its file, from 0, not counting a header.
    kept : mapping of str to object
        The row's cells in the columns that the option ``keep`` names; None where they are empty. Nothing if
        the line can't be read.

    Examples
    --------
    >>> log = {"salt": ["a", "b"], "outcome": [1.17, 5.0], "bet": [71, 72]}
    >>> failure = pf.verify(log, pf.Crash(), keep="bet").failures[0]
    >>> failure.kept
    {'bet': 72}
    >>> print(failure)
    row 1 (bet 72): mismatch in column 'outcome': found 5.0, expected 1.5
    """

    row: int
    kind: str
    expected: Any
    found: Any
    column: str = ""
    file: str | None = None
    file_row: int = 0
    kept: Mapping[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """The row in words: its file and position, and the cells that were kept."""
        where = f"row {self.row}" if self.file is None else f"{plain(self.file)}, row {self.file_row}"
        kept = ", ".join(
            f"{plain_text(name)} {plain(to_text(cell))}"
            for name, cell in self.kept.items()
            if cell is not None
        )
        return f"{where} ({kept})" if kept else where

    def __str__(self) -> str:
        where = self.place
        if self.kind == "repeated":
            return f"{where}: repeated: {self.found}"
        column = f" in column '{plain_text(self.column)}'" if self.column else ""
        text = f"{where}: {self.kind}{column}: found {plain(to_text(self.found))}"
        return text if self.expected is None else f"{text}, expected {plain(to_text(self.expected))}"


def plain(text: str) -> str:
    """Return text that is safe to show, without shortening it."""
    return plain_text(text, None)


def kept_cell(column: Any, row: int) -> Any:
    """Return a cell of a column in the form that a report keeps; None if it is empty."""
    value = cell(column, row)
    return None if is_empty(value) else to_json_value(value)


def to_json_value(value: object) -> Any:
    """Return a cell in the form that a report keeps: a JSON type, with long text shortened."""
    value = decoded(value)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, str):
        value = value.encode("utf-8", "backslashreplace").decode("utf-8", "backslashreplace")
        return value if len(value) <= _LONGEST_KEPT else value[:_LONGEST_KEPT] + "..."
    if isinstance(value, np.generic):
        value = float(str(value)) if isinstance(value, np.float32) else value.item()
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else repr(value)
    if isinstance(value, (list, tuple)) and len(value) <= 1000 and _flat_numbers(value):
        return list(value)
    shown = repr_of(value, str if isinstance(value, _AS_TEXT) else repr)
    return shown if len(shown) <= _LONGEST_KEPT else shown[:_LONGEST_KEPT] + "..."


def _flat_numbers(value: Any) -> bool:
    """Whether a list holds whole numbers, or lists of them."""
    return all(
        type(item) is int or (isinstance(item, list) and all(type(number) is int for number in item))
        for item in value
    )


def to_text(value: object) -> str:
    """Return a kept value as text."""
    return value if isinstance(value, str) else repr(value)
