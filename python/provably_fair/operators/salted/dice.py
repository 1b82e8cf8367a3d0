"""Dice: a number from 0.00 to 100.00."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.faces import DiceGame
from provably_fair.games.kind import Kind
from provably_fair.games.kinds import dice
from provably_fair.games.looks import Example

__all__ = ["Dice"]


class Dice(DiceGame, EngineGame, catalog="dice"):
    """Dice: a number from 0.00 to 100.00, float64.

    Examples
    --------
    >>> float(pf.Dice().play("", "", ""))
    47.1
    """

    kind: ClassVar[Kind] = dice(0, 10_000, unit=100, shows_law=True, example=Example("at least x"))

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return ``draws.below(10_001) / 100``."""
        return draws.below(10_001) / 100
