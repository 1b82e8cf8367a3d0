"""Probabilities in doubles, for laws too large for integer weights."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np


class Doubles:
    """The probabilities of a law in doubles, with cumulative sums from both ends."""

    def __init__(self, probabilities: np.ndarray) -> None:
        self.probabilities: np.ndarray = probabilities
        self.up_to: np.ndarray = np.append(0.0, np.minimum(np.cumsum(probabilities), 1.0))
        # Sum from the upper end, so that small tails keep their digits.
        self.above: np.ndarray = np.append(np.minimum(np.cumsum(probabilities[::-1])[::-1], 1.0), 0.0)
        for array in (probabilities, self.up_to, self.above):
            array.flags.writeable = False

    def weights(self) -> tuple[int, ...]:
        """Return the doubles as integers, scaled by a common power of two."""
        mantissas, exponents = np.frexp(self.probabilities)
        whole = (mantissas * 2.0**53).astype(np.int64).tolist()
        shifts = (exponents - int(exponents.min())).tolist()
        scaled = [value << shift for value, shift in zip(whole, shifts, strict=True)]
        spare = math.gcd(*scaled)
        return tuple(value // spare for value in scaled)

    def place(self, share: float | Fraction) -> int:
        """Return the first index at which the cumulative probability reaches a share.

        Shares just below 1 are compared from the upper end, where small probabilities aren't rounded away.
        """
        if share <= 0.5 or (isinstance(share, float) and share < 1):
            index = np.searchsorted(self.up_to[1:], float(share))
        else:
            index = len(self.above) - 1 - np.searchsorted(self.above[:0:-1], float(1 - share), side="right")
        return min(max(int(index), 0), len(self.probabilities) - 1)
