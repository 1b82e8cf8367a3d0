"""Growth of a bankroll that bets a fixed fraction of itself, and the Kelly fraction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadValue, reals
from provably_fair._core.tails import halved
from provably_fair.distribution import Distribution

from .walk import Walk


def kelly(law: Distribution) -> float:
    """Return the Kelly fraction; see `Bet.kelly`."""
    walk = Walk.of(law)
    nets, mean = _nets(walk), float(walk.drift * walk.unit)
    if mean <= 0:
        return 0.0
    least = float(walk.steps[0] * walk.unit)

    def rises(fraction: float) -> bool:
        grown = 1 + fraction * nets
        if grown[-1] > 2:  # a large win: of the mean, and of what is taken from it below, little remains
            return float(walk.shares @ (nets / grown)) > 0
        # The derivative of the growth, written as the mean minus a remainder so that a small edge keeps its
        # digits.
        return mean > float(walk.shares @ (nets * (fraction * nets / grown)))

    if least > -1 and rises(1.0):
        return 1.0
    return halved(rises, 0.0, 1.0 if least > -1 else -1 / least, 200)[0]


def growth(law: Distribution, fraction: ArrayLike) -> Any:
    """Return the mean logarithm of the factor by which a bet multiplies the bankroll; see `Bet.growth`."""
    walk = Walk.of(law)
    fractions = reals("fraction", fraction)
    if not ((fractions >= 0) & (fractions <= 1)).all():
        raise BadValue("fraction", f"must be from 0 to 1, got {fraction!r:.80}")
    moved = np.multiply.outer(fractions, _nets(walk))
    with np.errstate(divide="ignore"):
        logs = np.log1p(np.maximum(moved, -1.0))
    rate = logs @ walk.shares
    return rate if rate.ndim else float(rate)


def _nets(walk: Walk) -> np.ndarray:
    return np.array([float(step * walk.unit) for step in walk.steps])
