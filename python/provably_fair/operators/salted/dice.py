"""Dice: a number from 0.00 to 100.00."""

from __future__ import annotations

from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kinds import Dicing
from provably_fair.games.looks import Example

__all__ = ["Dice"]


class Dice(Dicing, EngineGame, catalog="dice"):
    """Dice: a number from 0.00 to 100.00, float64.

    Examples
    --------
    >>> import provably_fair as pf
    >>> float(pf.Dice().play("", "", ""))
    47.1
    """

    _shows_law = True

    @property
    def _numbers(self) -> tuple[int, int, int]:
        return *self._engine.bounds, 100

    @classmethod
    def _example(cls) -> Example:
        return Example(cls(), f"{cls.__name__}: at least x")
