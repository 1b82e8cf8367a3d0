"""FPClub's dice: of hashed sequences, combined from two players', and the rolls of one sequence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from provably_fair._core.arguments import BadValue, check_type
from provably_fair._core.types import JsonDict
from provably_fair._engine import fpclub_read_dice, verify_dice
from provably_fair.operators.fpclub import Combined, HashedDice
from provably_fair.operators.fpclub.dice import digits
from provably_fair.sources.foreign import DType

from .system import FIELD, Field, Found, Rows, System


class _Dice(System):
    """A system of dice, logged as text, as integers or as lists of faces."""

    kind: DType = DType("text")
    system: str
    digits = ""

    def parameters(self) -> JsonDict:
        return {"game": self.name.replace("-", " ")}

    def verify(self, rows: Rows) -> Found:
        return Found.of(verify_dice(self.system, self.digits, rows))

    def constant(self, field: str, value: object) -> Any:
        return value if field == FIELD else _faces(field, value)


class HashedRecords(_Dice):
    """FPClub's hashed dice: each row has a sequence, and the hash that was shown before the game."""

    name = "hashed-dice"
    system = "hashed"
    fields: tuple[Field, ...] = (Field("digits"), Field(FIELD, called="hash"))

    def explain(self, row: Mapping[str, object]) -> Any:
        published: Any = row[FIELD]
        if isinstance(published, bytes):
            published = published.decode()
        check_type("hash", published, str, "text", place="the ")
        return HashedDice(_faces("digits", row["digits"])).explain(published.strip())


class CombinedThrows(_Dice):
    """FPClub's combined dice: each row has the faces of both players, and the resulting throws."""

    name = "combined-dice"
    system = "combined"
    fields: tuple[Field, ...] = (Field("first"), Field("second"), Field(FIELD))

    def explain(self, row: Mapping[str, object]) -> Any:
        dice = Combined(*(_faces(name, row[name]) for name in ("first", "second")))
        try:
            return dice.explain(_faces(FIELD, row[FIELD]))
        except (KeyError, ValueError, TypeError):  # the throws aren't logged, or can't be read
            return dice.explain()


class Rolls(_Dice):
    """The rolls of one sequence of dice: row i of the log is roll i."""

    system = "rolls"
    fields: tuple[Field, ...] = (Field(FIELD),)

    def __init__(self, dice: HashedDice | Combined) -> None:
        self.dice = dice
        self.digits: str = dice.digits
        self.name: str = f"the {len(dice.rolls)} rolls of {type(dice).__name__}"

    def parameters(self) -> JsonDict:
        return {"game": f"rolls of {type(self.dice).__name__}", "digits": self.digits}

    def explain(self, row: Mapping[str, object]) -> Any:
        return self.dice.explain()

    def notes(
        self, checked: int, assumed: int, committed: Mapping[str, int], unread: Collection[str]
    ) -> list[str]:
        rolls = len(self.dice.rolls)
        return [f"the log has {checked:,} of the sequence's {rolls:,} rolls"] if checked < rolls else []


def _faces(name: str, value: object) -> str:
    """Return faces as a text of digits, from digits, a number or a list."""
    if isinstance(value, (str, bytes)) and value.lstrip()[:1] not in ("[", b"["):
        read = digits(name, value)
        if not read:
            raise BadValue(name, "must not be empty")
        return read
    return fpclub_read_dice(name, value)


def system_of_dice(value: object) -> System | None:
    """Return the system of FPClub's dice; None for other games."""
    if value is HashedDice:
        return HashedRecords()
    if value is Combined:
        return CombinedThrows()
    return Rolls(value) if isinstance(value, HashedDice | Combined) else None
