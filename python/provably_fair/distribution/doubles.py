"""Probabilities as doubles, for laws too large for integer weights."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

__all__ = ["Doubles"]


class Doubles:
    """The probabilities of a law in doubles, and sums of them from both ends."""

    def __init__(self, probabilities: np.ndarray) -> None:
        self.probabilities: np.ndarray = probabilities
        self.up_to: np.ndarray = np.append(0.0, np.minimum(np.cumsum(probabilities), 1.0))
        # From the other end, so that small ones aren't lost.
        self.above: np.ndarray = np.append(np.minimum(np.cumsum(probabilities[::-1])[::-1], 1.0), 0.0)
        for array in (probabilities, self.up_to, self.above):
            array.flags.writeable = False

    def weights(self) -> tuple[int, ...]:
        """Return the doubles as integers, by one factor."""
        mantissas, exponents = np.frexp(self.probabilities)
        whole = (mantissas * 2.0**53).astype(np.int64).tolist()
        shifts = (exponents - int(exponents.min())).tolist()
        found = [value << shift for value, shift in zip(whole, shifts, strict=True)]
        spare = math.gcd(*found)
        return tuple(value // spare for value in found)

    def place(self, share: float | Fraction) -> int:
        """Return the place of the least outcome up to which there is this share.

        A float below 1 is compared with `up_to`, which rounds small probabilities from the other end away.
        """
        if share <= 0.5 or (isinstance(share, float) and share < 1):
            found = np.searchsorted(self.up_to[1:], float(share))
        else:
            found = len(self.above) - 1 - np.searchsorted(self.above[:0:-1], float(1 - share), side="right")
        return min(max(int(found), 0), len(self.probabilities) - 1)
