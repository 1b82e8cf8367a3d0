"""Wheels of the catalog: games of one sector."""

from __future__ import annotations

from typing import Any, ClassVar

from provably_fair.games.engine_game import EngineGame
from provably_fair.games.faces import WheelGame
from provably_fair.games.kind import Kind
from provably_fair.games.kinds import wheel
from provably_fair.games.rounds import rounds_of

__all__ = ["EngineWheel"]


def _sectors(game: Any) -> int:
    """Return the number of sectors of the engine's wheel."""
    return int(rounds_of(game).bounds[1]) + 1


class EngineWheel(WheelGame, EngineGame):
    """Base of Double and X50: a sector of a wheel."""

    kind: ClassVar[Kind] = wheel(_sectors, shows_law=True)
