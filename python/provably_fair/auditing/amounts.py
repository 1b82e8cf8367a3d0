"""Amounts of money in logs: decimals, counted in whole units of 1e-8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from provably_fair._engine import AMOUNT_DECIMALS, amount_levels, compare_amounts, count_amounts

__all__ = [
    "AGREES",
    "DECIMALS",
    "FAR",
    "LEVELS",
    "UNIT",
    "Amounts",
    "Bets",
    "FirstStake",
    "Payouts",
    "amount_of",
    "levels",
]

DECIMALS = AMOUNT_DECIMALS
"""Decimals of the smallest unit."""

UNIT = 10**DECIMALS
"""Units in an amount of 1."""

AGREES = DECIMALS + 1
"""The level of an amount that is exact, without any rounding."""

FAR = 2**61
"""The largest difference, in parts of a unit, that is counted as it is."""

LEVELS = AGREES + 2
"""The number of levels, from -1 on."""


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
        Mask of the amounts that are whole numbers of units: decimals of at most eight digits after the point.
    """

    units: np.ndarray
    there: np.ndarray
    whole: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray) -> Amounts:
        """Convert doubles to units; NaN is no amount."""
        return cls(*count_amounts(values))


class FirstStake(NamedTuple):
    """The position of the first row with a stake, and that stake in units."""

    place: int
    stake: int


class Bets(NamedTuple):
    """Stakes and payouts of rows, which are divided by `scale`, and the payout due for a stake of 1.

    Attributes
    ----------
    places, stakes, paid : numpy.ndarray
        Their positions in the log, what was staked, and what was paid.
    possible : numpy.ndarray
        Whether the outcome is possible.
    parts : numpy.ndarray
        Payout due, in parts of which `unit` make 1.
    exact : numpy.ndarray, optional
        Where parts are rounded, what is due in doubles, of which `exact_unit` make 1.
    lines : numpy.ndarray, optional
        The line of the paytable, of `line_count`.
    """

    places: np.ndarray
    stakes: np.ndarray
    paid: np.ndarray
    possible: np.ndarray
    parts: np.ndarray
    unit: int
    exact: np.ndarray | None = None
    exact_unit: float = 1.0
    lines: np.ndarray | None = None
    line_count: int = 0
    scale: float = 1.0

    def some(self, which: np.ndarray | slice, scale: int) -> Bets:
        """Return some of the rows, with amounts to be divided by a power of ten."""
        return self._replace(
            places=self.places[which],
            stakes=self.stakes[which],
            paid=self.paid[which],
            possible=self.possible[which],
            parts=self.parts[which],
            exact=None if self.exact is None else self.exact[which],
            lines=None if self.lines is None else self.lines[which],
            scale=10.0**scale,
        )


@dataclass(frozen=True)
class Payouts:
    """Payouts compared with those due, in rows with a stake, a payout and a possible outcome.

    Attributes
    ----------
    first : FirstStake or None
        The first of them.
    returned : int
        Total payout, in units.
    decimals : int
        Number of decimals of the amounts.
    octaves : dict of numpy.ndarray
        Columns of rows whose stakes have as many ``bits`` in units: how many ``bets``, their ``parts``, what
        was staked in units, as `halves`, the ``least`` and the ``most`` of it, the ``first`` position; int64.
    right : dict of numpy.ndarray
        Columns of rows that were paid exactly what they are due, by their line of the paytable: how many
        ``bets``, the ``first`` and the ``last`` position; int64.
    odd : dict of numpy.ndarray
        Columns of those that weren't: the ``row``; its ``stake`` and what was ``paid``, in units; what is due
        less that, ``off``, in parts of a unit; to how many decimals these agree, see `levels`; and the
        ``doubt``, how far ``off`` may be from what is meant, since amounts are 32-bit floats; int64.
    apart : numpy.ndarray
        Rows whose outcome can come up, but whose stake or payout can't be counted in units; int64.
    loose : int
        The number of rows whose amounts doubles don't hold to a unit, and that agree but for more than one.
    played : list of tuple, or None
        The different stakes of the others as logged, their counts, and the sums of the returns due on stakes
        of 1, in parts; None if there are more than the engine's `MOST_PLAYED`.
    """

    first: FirstStake | None
    returned: int
    decimals: int
    octaves: dict[str, np.ndarray]
    right: dict[str, np.ndarray]
    odd: dict[str, np.ndarray]
    apart: np.ndarray
    loose: int
    played: list[tuple[float, int, int]] | None

    @classmethod
    def of(cls, rows: Bets) -> Payouts:
        """Compare payouts with those due."""
        found = compare_amounts(rows)
        first = found["first"] and FirstStake(*found["first"])
        return cls(**found | {"first": first})


def amount_of(units: int, unit: int = UNIT) -> float:
    """Return an amount as the nearest double, or as a whole number where that would be infinite."""
    try:
        return units / unit
    except OverflowError:
        return units // unit


def levels(off: np.ndarray, parts: int) -> np.ndarray:
    """Return the decimals to which amounts agree, by their differences."""
    return amount_levels(off, parts)
