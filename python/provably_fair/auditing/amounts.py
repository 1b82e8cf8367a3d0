"""Amounts of money in logs: decimals, counted in whole units of 1e-8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from provably_fair._engine import AMOUNT_DECIMALS, compare_amounts, count_amounts

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
    """Amounts in whole units."""

    units: np.ndarray  # the nearest whole number of units, int64; 0 where there is no amount
    there: np.ndarray  # where there is an amount that isn't too large to be counted
    # Mask of the amounts that are whole numbers of units: decimals of at most eight digits after the point
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
    """Stakes and payouts of rows, which are divided by `scale`, and the payout due for a stake of 1."""

    places: np.ndarray  # their positions in the log
    stakes: np.ndarray
    paid: np.ndarray
    possible: np.ndarray  # whether the outcome is possible
    parts: np.ndarray  # payout due, in parts of which `unit` make 1
    unit: int
    # Where parts are rounded, what is due in doubles, of which `exact_unit` make 1
    exact: np.ndarray | None = None
    exact_unit: float = 1.0
    lines: np.ndarray | None = None  # the line of the paytable, of `line_count`
    line_count: int = 0
    scale: float = 1.0

    def some(self, which: np.ndarray | slice, scale: int) -> Bets:
        """Return some of the rows, with amounts to be divided by a power of ten."""
        each = self._asdict().items()
        some: dict[str, Any] = {name: one[which] for name, one in each if isinstance(one, np.ndarray)}
        return self._replace(**some | {"scale": 10.0**scale})


@dataclass(frozen=True)
class Payouts:
    """Payouts compared with those due, in rows with a stake, a payout and a possible outcome."""

    first: FirstStake | None
    returned: int  # total payout, in units
    decimals: int  # of the amounts
    # Columns of rows whose stakes have as many ``bits`` in units: how many ``bets``, their ``parts``, what
    # was staked in units, as `halves`, the ``least`` and the ``most`` of it, the ``first`` position; int64
    octaves: dict[str, np.ndarray]
    # Columns of rows that were paid exactly what they are due, by their line of the paytable: how many
    # ``bets``, the ``first`` and the ``last`` position; int64
    right: dict[str, np.ndarray]
    # Columns of those that weren't: the ``row``; its ``stake`` and what was ``paid``, in units; what is due
    # less that, ``off``, in parts of a unit; to how many decimals these agree, see `amount_levels`; and
    # the ``doubt``, how far ``off`` may be from what is meant, since amounts are 32-bit floats; int64
    odd: dict[str, np.ndarray]
    # Rows whose outcome can come up, but whose stake or payout can't be counted in units; int64
    apart: np.ndarray
    # The number of rows whose amounts doubles don't hold to a unit, and that agree but for more than one
    loose: int
    # The different stakes of the others as logged, their counts, and the sums of the returns due on stakes of
    # 1, in parts; None if there are more than the engine's `MOST_PLAYED`
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
