"""Double: the sector of a wheel of 15."""

from __future__ import annotations

import numpy as np

from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kinds.wheel import WheelGame


class Double(WheelGame, EngineGame, catalog="double"):
    """Double: the sector of a wheel, 0 to 14. A multi-player game of constant seeds.

    Examples
    --------
    >>> int(pf.Double().play("", "", ""))
    7
    """

    sectors, shows_law = 15, True

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return ``draws.below(15)``."""
        return draws.below(15)
