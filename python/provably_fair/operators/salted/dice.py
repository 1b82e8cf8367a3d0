"""Dice: a number from 0.00 to 100.00."""

from __future__ import annotations

import numpy as np

from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kinds.dice import DiceGame
from provably_fair.games.looks import Example


class Dice(DiceGame, EngineGame, catalog="dice"):
    """Dice: a number from 0.00 to 100.00, float64.

    Examples
    --------
    >>> float(pf.Dice().play("", "", ""))
    47.1
    """

    least, most, unit = 0, 10_000, 100
    shows_law, pictured = True, Example("at least x")

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return ``draws.below(10_001) / 100``."""
        return draws.below(10_001) / 100
