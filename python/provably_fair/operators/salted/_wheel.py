"""Wheels of the catalog: games of one sector."""

from __future__ import annotations

from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kinds import Spinning

__all__ = ["EngineWheel"]


class EngineWheel(Spinning, EngineGame):
    """What Double and X50 have in common: a sector of a wheel."""

    _shows_law = True

    @property
    def _sectors(self) -> int:
        return int(self._engine.bounds[1]) + 1
