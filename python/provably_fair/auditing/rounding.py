"""Differences between players in the direction of rounding.

A rule rounds down, up or to the nearest, whoever bets. So of all amounts that are nearer to the place below,
and of those nearer to the one above, each rule rounds all in one direction. Where both directions come up, no
one rule was followed; were it chance, how many amounts of a player go down would have a hypergeometric law.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .amounts import LEVELS
from .evidence import drawn_pvalue
from .records import whole
from .sums import Counted, Groups

_MOST = 80_000
"""The largest number of pairs of a player and a way of rounding."""
_CODE = np.uint64(0xFF)
"""The bits of a player's fingerprint that are replaced by the way of rounding."""
_BILLIONTHS = 10**9
_LEAST_SHARE = 1000
"""The mean change, in billionths of the stake, below which it may be floating point's error."""


WAYS = 2 * LEVELS * LEVELS
"""The number of ways in which payouts differ from those due."""


class Ways(NamedTuple):
    """Ways in which payouts differ from those due: levels of the difference and its double; its sign."""

    level: np.ndarray
    doubled: np.ndarray
    more: np.ndarray

    @property
    def codes(self) -> np.ndarray:
        """A code for each way, larger for larger payouts."""
        codes: np.ndarray = self.levels * LEVELS + self.doubled + 1
        return codes

    @property
    def levels(self) -> np.ndarray:
        """A code for each side and level."""
        levels: np.ndarray = self.more * LEVELS + self.level + 1
        return levels

    @classmethod
    def of(cls, codes: np.ndarray) -> Ways:
        """Return the ways that codes stand for."""
        rest, doubled = np.divmod(codes, LEVELS)
        more, level = np.divmod(rest, LEVELS)
        return cls(level - 1, doubled - 1, more == 1)


@dataclass(frozen=True)
class Unlike:
    """The test of whether players' payouts are rounded alike, and the player who differs most."""

    pvalue: float  # for all players, and both directions
    first: int  # the first row of the player
    # The player's payouts that are rounded down, and those that may be rounded either way
    down: int
    rows: int
    all_down: int  # the same of all players
    all_rows: int


class PlayersRounding(Counted):
    """Ways of rounding by player."""

    state = ("_groups",)

    def __init__(self) -> None:
        self._groups = Groups({"rows": "sum", "billionths": "sum", "first": "first"}, most=_MOST)

    def __bool__(self) -> bool:
        return len(self._groups.keys) > 0

    def add(self, players: np.ndarray, ways: Ways, shares: np.ndarray, places: np.ndarray) -> None:
        """Add rows: fingerprints of players, ways, changes as shares of the stake, and positions."""
        there = players[:, 0] != 0
        keys = players[there]
        keys[:, 1] = keys[:, 1] & ~_CODE | (ways.codes[there] + 1).astype(np.uint64)
        billionths = np.rint(np.minimum(np.abs(shares[there]), 1) * _BILLIONTHS).astype(np.int64)
        rows = np.ones(len(keys), np.int64)
        self._groups.add(whole(keys), rows=rows, billionths=billionths, first=places[there])

    def test(self, digits: int) -> Unlike | None:
        """Return the test of amounts rounded to this number of decimals; None if one rule explains all."""
        if not len(self._groups.keys):
            return None
        keys = self._groups.keys.view(np.uint64).reshape(-1, 2).copy()
        codes = (keys[:, 1] & _CODE).astype(np.int64) - 1
        keys[:, 1] &= ~_CODE
        players, ways = whole(keys), Ways.of(codes)
        kept = ways.level >= digits
        if self._groups.left_out:  # the last player's rows may be incomplete
            kept &= players != players[-1]
        # For amounts nearer to the next place above, rounding up is to nearest, and rounding down is
        # truncation.
        above, down = (ways.doubled >= digits) == ways.more, ~ways.more
        tested = [
            one
            for nearer in (kept & above, kept & ~above)
            for one in self._compared(players, nearer, nearer & down)
        ]
        if not tested:
            return None
        # Equal p-values may differ in their last digits; the first row decides.
        worst = min(tested, key=lambda one: (float(f"{one.pvalue:.9g}"), one.first))
        return replace(worst, pvalue=min(1.0, worst.pvalue * len(tested)))

    def _compared(self, players: np.ndarray, among: np.ndarray, down: np.ndarray) -> list[Unlike]:
        """Return the p-value of each player, from amounts that every rule rounds in one direction."""
        rows, billionths, first = (self._groups.columns[name] for name in ("rows", "billionths", "first"))
        all_rows, all_down = int(rows[among].sum()), int(rows[down].sum())
        if all_down in (0, all_rows):
            return []
        found = []
        for player in np.unique(players[among]).tolist():
            own = among & (players == player)
            many, low = int(rows[own].sum()), int(rows[own & down].sum())
            pvalue = drawn_pvalue(low, many, all_down, all_rows)
            if billionths[own].sum() < _LEAST_SHARE * many:
                pvalue = 1.0
            found.append(Unlike(pvalue, int(first[own].min()), low, many, all_down, all_rows))
        return found
