"""Walk-throughs of dice: from faces to throws, and from dice to the hash published before the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from provably_fair._core.types import JsonDict
from provably_fair.walkthrough import Mark, Step
from provably_fair.walkthrough.lines import Line
from provably_fair.walkthrough.sections import Section, View

DICE_SHOWN = 40
"""Dice that the text and the page of a walk-through show."""


@dataclass(frozen=True)
class CombinedDie(Step):
    """A die that the faces of two players make.

    Attributes
    ----------
    index : int
        Its place, from 0.
    first, second : int
        The players' faces.
    result : int
        The die.
    logged : int or None
        What the log says; None where there is none to compare with.
    """

    index: int
    first: int
    second: int
    result: int
    logged: int | None = None

    @property
    def differs(self) -> bool:
        """Whether the log says something else."""
        return self.logged not in (None, self.result)

    def to_dict(self) -> JsonDict:
        """Return the die as plain values, for JSON."""
        return {
            "kind": "combined",
            "index": self.index,
            "first": self.first,
            "second": self.second,
            "result": self.result,
            "logged": self.logged,
        }


@dataclass(frozen=True)
class Rule(Section):
    """Each die from its faces."""

    def lines(self, view: View) -> Iterator[Line]:
        """Return a line for each die; those that the log has wrong are marked, and never left out."""
        dice = [step for step in view.steps if isinstance(step, CombinedDie)]
        shown = dice if view.full else [die for die in dice if die.index < DICE_SHOWN or die.differs]
        width = len(str(len(dice)))
        for die in shown:
            total = die.first + die.second
            made = f"die {die.index:>{width}}: ({die.first} + {die.second} - 1) mod 6 + 1"
            line = [f"{made} = {total - 1} mod 6 + 1 = ", str(die.result)]
            yield [*line, "   the log has ", Mark(die.logged)] if die.differs else line
        if len(shown) < len(dice):
            yield [f"... {len(dice) - len(shown)} more dice: text(full=True) or to_dict() has all"]

    def to_dict(self, view: View) -> JsonDict:
        """Return every die."""
        return {"steps": [step.to_dict() for step in view.every_step]}
