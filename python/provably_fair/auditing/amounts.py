"""Amounts of money in logs: decimals, counted in whole units of 1e-8."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from provably_fair._engine import AMOUNT_DECIMALS, amount_levels, compare_amounts, count_amounts

__all__ = ["AGREES", "DECIMALS", "UNIT", "Amounts", "Compared", "levels"]

DECIMALS = AMOUNT_DECIMALS
"""Decimals of the smallest unit that amounts are counted in."""

UNIT = 10**DECIMALS
"""How many units make 1."""

AGREES = DECIMALS + 1
"""The level of an amount that is what it should be, without any rounding."""


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
        """Count doubles in units; NaN is no amount."""
        return cls(*count_amounts(values))


@dataclass(frozen=True)
class Compared:
    """What was paid beside what is due, of rows with a stake and a payout whose outcome can come up.

    Attributes
    ----------
    first : tuple of int, or None
        The position of the first of them, and its stake in units.
    returned : int
        What was paid in all of them together, in units.
    decimals : int
        How many decimals the amounts have, as far as they have any.
    octaves : dict of numpy.ndarray
        Columns of rows whose stakes have as many ``bits`` in units: how many ``bets``, their ``parts``, what
        was staked in units, as `halves`, the ``least`` and the ``most`` of it, the ``first`` position; int64.
    right : dict of numpy.ndarray
        Columns of rows that were paid exactly what they are due, by their line of the paytable: how many
        ``bets``, the ``first`` and the ``last`` position; int64.
    odd : dict of numpy.ndarray
        Columns of those that weren't: the ``row``; its ``stake`` and what was ``paid``, in units; what is due
        less that, ``off``, in parts of a unit; and to how many decimals these agree, see `levels`; int64.
    apart : numpy.ndarray
        Rows whose outcome can come up, but whose stake or payout can't be counted in units; int64.
    """

    first: tuple[int, int] | None
    returned: int
    decimals: int
    octaves: dict[str, np.ndarray]
    right: dict[str, np.ndarray]
    odd: dict[str, np.ndarray]
    apart: np.ndarray

    @classmethod
    def of(
        cls,
        places: np.ndarray,
        staked: np.ndarray,
        paid: np.ndarray,
        possible: np.ndarray,
        parts: np.ndarray,
        unit: int,
        exact: tuple[np.ndarray, float] | None = None,
        lines: tuple[np.ndarray, int] | None = None,
    ) -> Compared:
        """Compare stakes and payouts, of which a stake of 1 is due some parts, `unit` of which make 1.

        Where parts are rounded, `exact` says what is due in doubles, and how many of these make 1. `lines`
        are each row's line of the paytable, and how many it has.
        """
        return cls(**compare_amounts(places, staked, paid, possible, parts, unit, exact, lines))


def levels(off: np.ndarray, parts: int) -> np.ndarray:
    """Return to how many decimals amounts agree, of which it is known how far they are off."""
    return amount_levels(off, parts)
