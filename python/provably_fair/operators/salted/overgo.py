"""Overgo: a multiplier from 1.00."""

from __future__ import annotations

import numpy as np

from provably_fair.games.draws import Draws

from ._multiplier import Rising


class Overgo(Rising, catalog="overgo"):
    """Overgo: a multiplier from 1.00, float64.

    Outcome: ``1_000_000 / (draw + 1) * (1 - 0.03)`` of a draw below 1,000,000, at least 1, rounded to two
    decimals as JavaScript's ``toFixed(2)`` does.

    Examples
    --------
    >>> float(pf.Overgo().play("", "", ""))
    2.06
    """

    def outcome(self, draws: Draws) -> np.ndarray:
        """Round ``np.maximum(1, 1_000_000 / (draws.below(1_000_000) + 1) * (1 - 0.03))`` to two decimals."""
        multiplier = np.maximum(1, 1_000_000 / (draws.below(1_000_000) + 1) * (1 - 0.03))
        # At each of the million steps equal to JavaScript's toFixed(2), which rounds the exact value.
        return np.floor(100 * multiplier + 0.5) / 100
