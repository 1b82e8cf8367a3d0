"""Amounts of money in logs: decimals, counted in whole units of 1e-8."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["AGREES", "DECIMALS", "UNIT", "Amounts", "decimals_of", "levels"]

DECIMALS = 8
"""Decimals of the smallest unit that amounts are counted in."""

UNIT = 10**DECIMALS
"""How many units make 1."""

AGREES = DECIMALS + 1
"""The level of an amount that is what it should be, without any rounding."""

_POWERS = 10 ** np.arange(DECIMALS, -1, -1, dtype=np.int64)
_HUNDREDTHS = UNIT // 100
# Doubles below this tell whole units apart.
_EXACT = 2.0**53
_LARGEST = 9e10
# By how much a double may be off the decimal that it means, relatively: what adding a few of them leaves.
_NEAR = 2e-15


@dataclass(frozen=True)
class Amounts:
    """Amounts in whole units.

    Attributes
    ----------
    units : numpy.ndarray
        The nearest whole number of units, int64; 0 where there is no amount.
    there : numpy.ndarray
        Where there is an amount that isn't too large to be counted.
    whole : numpy.ndarray
        Which amounts are whole numbers of units: decimals of at most eight digits after the point.
    """

    units: np.ndarray
    there: np.ndarray
    whole: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray) -> Amounts:
        """Count doubles in units; NaN is no amount.

        Examples
        --------
        >>> import numpy as np
        >>> from provably_fair.auditing.amounts import Amounts
        >>> amounts = Amounts.of(np.array([0.1 + 0.2, 1 / 3, np.nan]))
        >>> amounts.units.tolist(), amounts.whole.tolist(), amounts.there.tolist()
        ([30000000, 33333333, 0], [True, False, True], [True, True, False])
        """
        with np.errstate(invalid="ignore"):
            there = np.abs(values) < _LARGEST
        known = np.where(there, values, 0.0)
        scaled = known * UNIT
        nearest = np.rint(scaled)
        units = nearest.astype(np.int64)
        whole = np.abs(nearest - scaled) <= _NEAR * np.abs(scaled)
        large = np.abs(nearest) >= _EXACT
        if large.any():  # doubles as large have no eight decimals: hundredths, at most
            cents = known[large] * 100
            units[large] = np.rint(cents).astype(np.int64) * _HUNDREDTHS
            whole[large] = np.abs(np.rint(cents) - cents) <= _NEAR * np.abs(cents)
        return cls(units, there, whole)

    def __getitem__(self, some: np.ndarray) -> Amounts:
        """Return some of them."""
        return Amounts(self.units[some], self.there[some], self.whole[some])


def decimals_of(units: np.ndarray, known: int = 0) -> int:
    """Return how many decimals it takes to write amounts, at least as many as are known of others.

    Examples
    --------
    >>> import numpy as np
    >>> from provably_fair.auditing.amounts import decimals_of
    >>> decimals_of(np.array([150_000_000, 20_000_000])), decimals_of(np.array([1]))
    (1, 8)
    """
    while known < DECIMALS and (units % _POWERS[known]).any():
        known += 1
    return known


def levels(off: np.ndarray, parts: int) -> np.ndarray:
    """Return to how many decimals amounts agree, of which it is known how far they are off.

    Parameters
    ----------
    off : numpy.ndarray
        The differences, in parts of a unit.
    parts : int
        How many parts make a unit.

    Returns
    -------
    numpy.ndarray
        The largest number of decimals whose last place is more than the difference, 0 to 8; -1 where none is;
        `AGREES` where there is no difference.

    Examples
    --------
    >>> import numpy as np
    >>> from provably_fair.auditing.amounts import levels
    >>> levels(np.array([0, 500_000, -1_000_000, 200_000_000]), 1).tolist()
    [9, 2, 1, -1]
    """
    away = np.abs(off)
    found = np.full(np.shape(off), DECIMALS)
    for power in _POWERS:  # 10**-d is more than the difference up to some d
        found -= away >= float(parts) * power
    return np.where(away == 0, AGREES, found)
