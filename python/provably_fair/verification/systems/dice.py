"""FPClub's dice: of hashed sequences, combined from two players', and the rolls of one sequence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from provably_fair.fpclub import Combined, HashedDice
from provably_fair.fpclub.dice import digits

from ..columns import Constant, Text, cells, flat, is_arrow, pyarrow, text
from .system import FIELD, BadCellsError, RowByRow


class DiceRecords(RowByRow):
    """A system of dice, which may be logged as `digits` of text, as whole numbers or as lists of faces."""

    def read_text(self, name: str, column: Any) -> Text:
        if isinstance(column, Constant):
            value = column.value
            return text(column if isinstance(value, (str, bytes)) else Constant(_faces(name, value)))
        if _lists_or_whole(column):
            column = [_written(cell) for cell in cells(column, len(column))]
        return text(column)


def _lists_or_whole(column: Any) -> bool:
    """Whether a column may hold lists or whole numbers."""
    if is_arrow(column):
        types = pyarrow().types
        return bool(types.is_integer(column.type) or types.is_nested(column.type))
    return isinstance(column, list) or column.dtype.kind in "iu"


def _written(cell: Any) -> Any:
    """Return dice as text; a cell that holds none as it is."""
    if isinstance(cell, (str, bytes)):
        return cell
    try:
        return "" if flat(cell) == [] else _faces(FIELD, cell)
    except (ValueError, TypeError):
        return cell


class HashedRecords(DiceRecords):
    """FPClub's hashed dice: in every row a sequence and the hash that was shown before the game."""

    name = "HashedDice"
    texts: Mapping[str, bool] = MappingProxyType({"digits": True})
    unique = ("digits",)
    called: Mapping[str, str] = MappingProxyType({FIELD: "hash"})

    def parameters(self) -> dict[str, Any]:
        return {"game": "hashed dice"}

    def right(self, row: dict[str, Any]) -> Any:
        try:
            return HashedDice(_faces("digits", row["digits"]))
        except ValueError as error:
            raise BadCellsError(str(error), digits=row["digits"]) from None

    def agrees(self, right: Any, found: Any) -> bool:
        # The search for a repair belongs to `explain`.
        return bool(right.check(_text(found).strip(), longest_searched=0).ok)

    def in_form(self, right: Any, found: Any) -> Any:
        try:
            return right.check(_text(found).strip(), longest_searched=0).computed
        except (ValueError, TypeError):
            return right.hash

    def explain(self, row: Mapping[str, Any]) -> Any:
        return self.right(dict(row)).explain(_text(row[FIELD]).strip())


class CombinedThrows(DiceRecords):
    """FPClub's combined dice: in every row the faces of both players, and the throws they make."""

    name = "Combined"
    texts: Mapping[str, bool] = MappingProxyType({"first": True, "second": True})

    def parameters(self) -> dict[str, Any]:
        return {"game": "combined dice"}

    def right(self, row: dict[str, Any]) -> Any:
        return self._dice(row).digits

    def agrees(self, right: Any, found: Any) -> bool:
        return bool(right == _faces(FIELD, found))

    def explain(self, row: Mapping[str, Any]) -> Any:
        dice = self._dice(row)
        try:
            return dice.explain(_faces(FIELD, row[FIELD]))
        except (KeyError, ValueError, TypeError):  # the log has no such throws to compare with
            return dice.explain()

    def _dice(self, row: Mapping[str, Any]) -> Combined:
        players, reasons = {}, {}
        for name in self.texts:
            try:
                players[name] = _faces(name, row[name])
            except (ValueError, TypeError) as error:
                reasons[name] = str(error)
        if reasons:
            raise BadCellsError("; ".join(reasons.values()), **{name: row[name] for name in reasons})
        try:
            return Combined(**players)
        except ValueError as error:  # not as many dice
            raise BadCellsError(str(error), second=row["second"]) from None


class Rolls(RowByRow):
    """The rolls of one sequence of dice: row i of the log is roll i."""

    texts: Mapping[str, bool] = MappingProxyType({})

    def __init__(self, dice: HashedDice | Combined) -> None:
        self.dice = dice
        self.name = f"the {len(dice.rolls)} rolls of {type(dice).__name__}"

    def parameters(self) -> dict[str, Any]:
        return {"game": f"rolls of {type(self.dice).__name__}", "digits": self.dice.digits}

    def right(self, row: dict[str, Any]) -> Any:
        rolls = self.dice.rolls
        if row["row"] >= len(rolls):
            raise ValueError(f"no roll: there are {len(rolls)}")
        return "".join(map(str, rolls[row["row"]].tolist()))

    def agrees(self, right: Any, found: Any) -> bool:
        return bool(right == _faces(FIELD, found))

    def explain(self, row: Mapping[str, Any]) -> Any:
        return self.dice.explain()


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"the hash must be text, got {type(value).__name__}")
    return value


def _faces(name: str, value: Any) -> str:
    """Read faces, from digits, from a number whose digits they are, or from a list, as digits."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, (str, bytes)) or value.lstrip()[:1] in ("[", b"["):
        value = flat(value)
        if value is None:
            raise ValueError(f"{name} must be dice: digits 1 to 6, or a list of faces")
    read = digits(name, value)
    if not read:
        raise ValueError(f"{name} must hold at least one die, got none")
    return read
