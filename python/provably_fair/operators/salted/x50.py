"""X50: the sector of a wheel of 54."""

from __future__ import annotations

import numpy as np

from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kinds.wheel import WheelGame


class X50(WheelGame, EngineGame, catalog="x50"):
    """X50: the sector of a wheel, 0 to 53. A multi-player game of constant seeds.

    Examples
    --------
    >>> int(pf.X50().play("", "", ""))
    25
    """

    sectors, shows_law = 54, True

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return ``draws.below(54)``."""
        return draws.below(54)
