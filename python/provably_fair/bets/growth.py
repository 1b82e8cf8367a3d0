"""How a bankroll grows that bets a fraction of itself, and which fraction lets it grow most."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadValue, reals
from provably_fair.distribution import Distribution

from .walk import Walk

__all__ = ["growth", "kelly"]


def kelly(law: Distribution) -> float:
    """Return the fraction of a bankroll that lets it grow most; see `Bet.kelly`."""
    walk = Walk.of(law)
    nets, mean = _nets(walk), float(walk.drift * walk.unit)
    if mean <= 0:
        return 0.0
    least = float(walk.steps[0] * walk.unit)
    low, high = 0.0, 1.0 if least > -1 else -1 / least

    def rises(fraction: float) -> bool:
        # The derivative of the growth, by what it is less than the mean, so that small edges aren't lost.
        return mean > fraction * float(walk.shares @ (nets**2 / (1 + fraction * nets)))

    if least > -1 and rises(1.0):
        return 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if rises(middle) else (low, middle)
    return low


def growth(law: Distribution, fraction: ArrayLike) -> Any:
    """Return the mean logarithm of what a bet multiplies a bankroll by; see `Bet.growth`."""
    walk = Walk.of(law)
    fractions = reals("fraction", fraction)
    if not ((fractions >= 0) & (fractions <= 1)).all():
        raise BadValue("fraction", f"must be from 0 to 1, got {fraction!r:.80}")
    moved = np.multiply.outer(fractions, _nets(walk))
    with np.errstate(divide="ignore"):
        logs = np.log1p(np.maximum(moved, -1.0))
    found = logs @ walk.shares
    return found if found.ndim else float(found)


def _nets(walk: Walk) -> np.ndarray:
    return np.array([float(step * walk.unit) for step in walk.steps])
