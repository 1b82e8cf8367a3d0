"""Dice: a number from 0.00 to 100.00."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kind import kind_property
from provably_fair.games.kinds.dice import Dice as Kind, DiceGame
from provably_fair.games.looks import Example


class _Dice(Kind):
    shows_law: ClassVar[bool] = True
    example: ClassVar[Example | None] = Example("at least x")


class Dice(DiceGame, EngineGame, catalog="dice"):
    """Dice: a number from 0.00 to 100.00, float64.

    Examples
    --------
    >>> float(pf.Dice().play("", "", ""))
    47.1
    """

    least, most, unit = 0, 10_000, 100

    kind = kind_property(_Dice)

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return ``draws.below(10_001) / 100``."""
        return draws.below(10_001) / 100
