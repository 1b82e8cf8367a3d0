"""Crash: a multiplier from 1.00."""

from __future__ import annotations

import numpy as np

from provably_fair.games.draws import Draws

from ._multiplier import Rising


class Crash(Rising, catalog="crash"):
    """Crash: a multiplier from 1.00, float64. A multi-player game of constant seeds.

    Outcome: ``1_000_000 / (draw + 1) * (1 - 0.05)`` of a draw below 1,000,000, at least 1, rounded to two
    decimals as JavaScript's ``toFixed(2)`` does.

    Examples
    --------
    >>> float(pf.Crash().play("", "", ""))
    2.02
    """

    def outcome(self, draws: Draws) -> np.ndarray:
        """Round ``np.maximum(1, 1_000_000 / (draws.below(1_000_000) + 1) * (1 - 0.05))`` to two decimals."""
        multiplier = np.maximum(1, 1_000_000 / (draws.below(1_000_000) + 1) * (1 - 0.05))
        # At each of the million steps equal to JavaScript's toFixed(2), which rounds the exact value.
        return np.floor(100 * multiplier + 0.5) / 100
