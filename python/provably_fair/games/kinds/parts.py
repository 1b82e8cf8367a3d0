"""Outcomes of several named parts, each made of its own draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from ..game import Game
from ..kind import AnyGame, Kind, OfArrays, fact, kind_property
from ..looks import Look, Of, OfPart
from ..rounds import rounds_of
from ..samples import Cell


@dataclass(frozen=True)
class Parts(Kind):
    """The kind of games whose outcome has several parts."""

    name: ClassVar[str] = "parts"
    part_name: str
    gathered: Of | None

    @property
    def count(self) -> int:
        """The number of parts."""
        count: int = self.game.shape[0]
        return count

    @property
    def quick(self) -> bool:
        return True

    def looks(self, *, bias: bool = False) -> tuple[Look, ...]:
        return part_looks(self.game, self.part_name, self.gathered)

    def whole_looks(self) -> tuple[Look, ...]:
        one_value = len(self.game.shape) == 1 and self.gathered is None
        return self.looks() if one_value and are_apart(self.game) else ()


def are_apart(game: AnyGame) -> bool:
    """Return whether the parts of an outcome are known to have no draw in common."""
    rounds = rounds_of(game)
    return rounds.engine is not None or (rounds.program is not None and rounds.program.disjoint)


def part_looks(game: AnyGame, name: str, gathered: Callable[..., Any] | None = None) -> tuple[Look, ...]:
    """Return a look at each part, or at each of its values."""
    if len(game.shape) == 1:
        return tuple(
            Look(f"{name} {place}", {"of": OfPart(place, gathered)}) for place in range(game.shape[0])
        )
    count, values = game.shape
    return tuple(
        Look(f"{name} {place}, value {value}", {"of": OfPart(place, Cell(value))})
        for place in range(count)
        for value in range(values)
    )


class PartsGame(OfArrays, Game):
    """An outcome of several parts, each made of its own draws: throws, reels, cards.

    A class may state `part_name`, the name of a part, and `gathered`, a function that maps the values of a
    part to few, if there are too many to list.

    Examples
    --------
    >>> class Pair(pf.games.kinds.PartsGame):
    ...     part_name = "die"
    ...     def outcome(self, draws):
    ...         return draws.each(2).below(6) + 1
    >>> Pair().bet({(6, 6): 36}, law="ideal").exact_rtp
    Fraction(1, 1)
    """

    part_name = fact("the name of a part", "value")
    gathered = fact("a function that maps the values of a part to few", None)

    kind = kind_property(Parts)
