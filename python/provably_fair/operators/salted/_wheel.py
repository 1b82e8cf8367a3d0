"""Wheels of the catalog: games of one sector."""

from __future__ import annotations

from typing import ClassVar

from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kind import kind_property
from provably_fair.games.kinds.wheel import Wheel, WheelGame
from provably_fair.games.rounds import rounds_of


class _Wheel(Wheel):
    shows_law: ClassVar[bool] = True


class EngineWheel(WheelGame, EngineGame):
    """Base of Double and X50: a sector of a wheel."""

    @property
    def sectors(self) -> int:
        """The number of sectors of the engine's wheel."""
        return int(rounds_of(self).bounds[1]) + 1

    kind = kind_property(_Wheel)
