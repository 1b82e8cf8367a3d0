"""Sums of stakes by size, and counts of the different stakes."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from provably_fair._core.numbers import exactly
from provably_fair._engine import MOST_PLAYED
from provably_fair.bets.rounding import MoneyRounding, returns_by_stake
from provably_fair.distribution import Distribution

from .amounts import DECIMALS, FirstStake, Payouts
from .evidence import Against, Sides, StakeClasses
from .sums import Groups, How, totals

_BITS = 64
_MOST_AMOUNTS = 2**21
"""The largest number of payouts that are rounded for one return, in a second or two."""
_NEVER = np.iinfo(np.int64).max


class Stakes:
    """Sums of bets by the next power of two above the stake."""

    def __init__(self) -> None:
        sums: dict[str, How] = dict.fromkeys(("bets", "parts", "staked_high", "staked_low"), "sum")
        self._groups = Groups(sums | {"least": "min", "most": "max", "first": "first"})
        self._first = FirstStake(_NEVER, 0)

    def add(self, compared: Payouts, scale: int) -> None:
        """Add rows with a stake and a payout."""
        if compared.first is None:
            return
        columns, first = dict(compared.octaves), compared.first
        self._groups.add(columns.pop("bits") + _BITS * (scale // DECIMALS), **columns)
        self._first = min(self._first, FirstStake(first.place, first.stake * 10**scale))

    def merge(self, later: Stakes, rows: int) -> None:
        """Append the counts of later rows."""
        self._groups.merge(later._groups, rows)
        if later._first.stake:
            self._first = min(self._first, later._first._replace(place=later._first.place + rows))

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """The sums of each class of stakes, in rising order."""
        return self._groups.columns

    @property
    def bets(self) -> int:
        """The number of bets."""
        return int(self.columns["bets"].sum())

    @property
    def staked(self) -> int:
        """The total stake, in units."""
        return sum(self.units("staked"))

    @property
    def extremes(self) -> tuple[int, int]:
        """The smallest and the largest stake, in units; 0 without bets."""
        return min(self.units("least"), default=0), max(self.units("most"), default=0)

    def units(self, name: str) -> list[int]:
        """Return amounts of each class of stakes, in units."""
        values = totals(self.columns, name) if name == "staked" else self.columns[name].tolist()
        scales = (self._groups.keys // _BITS * DECIMALS).tolist()
        return [value * 10**scale for value, scale in zip(values, scales, strict=True)]

    def pvalues(self, against: Against, off: Fraction) -> Sides[float]:
        """Return the p-values of returns in money, `off` units above their mean."""
        first, largest = self._first.stake, self.extremes[1]
        doubled = largest.bit_length() - first.bit_length()
        least, most, staked = (
            np.array([units / largest for units in self.units(name)]) for name in ("least", "most", "staked")
        )
        classes = StakeClasses(self.columns["bets"].astype(float), least, most, staked)
        return against.staked_pvalues(classes, float(off / largest), (first << doubled) / largest, doubled)


class PlayedStake(NamedTuple):
    """A stake as logged, the number of its bets, and the sum of the returns due on stakes of 1, in parts."""

    stake: float
    bets: int
    parts: int


class PlayedStakes:
    """The bets of each stake, if there are few different stakes."""

    def __init__(self) -> None:
        self._sums: dict[float, PlayedStake] | None = {}

    @property
    def each(self) -> list[PlayedStake] | None:
        """The bets of each stake; None if they are too many."""
        return None if self._sums is None else list(self._sums.values())

    def add(self, played: Iterable[tuple[float, int, int]] | None) -> None:
        """Add bets of different stakes; None if they are too many."""
        if self._sums is None or played is None:
            self._sums = None
            return
        for stake, bets, parts in played:
            _, known, due = self._sums.get(stake, (stake, 0, 0))
            self._sums[stake] = PlayedStake(stake, known + bets, due + parts)
        if len(self._sums) > MOST_PLAYED:
            self._sums = None

    def merge(self, later: PlayedStakes, rows: int = 0) -> None:
        """Append the counts of later rows."""
        self.add(later.each)

    def exact_return(self, law: Distribution, rounding: MoneyRounding) -> Fraction | None:
        """Return the exact mean return of these stakes; None if they are too many."""
        if not self._sums or len(self._sums) * len(law) > _MOST_AMOUNTS:
            return None
        returns = returns_by_stake(law, list(self._sums), rounding).exact_rtp
        staked = [exactly(one.stake) * one.bets for one in self._sums.values()]
        if any(one is None for one in returns):
            return None
        paid = (amount * one for amount, one in zip(staked, returns, strict=True) if one is not None)
        return sum(paid, Fraction(0)) / sum(staked)
