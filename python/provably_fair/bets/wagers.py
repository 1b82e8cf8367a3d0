"""Evidence against a law of bets whose stakes follow what came before: bets against it, by money.

A bet whose return X is of the law multiplies what somebody has by exp(w (X - mean)) over the mean of that,
for a wager w that is decided before the bet. What he has stays the same on average if the law holds, so that
by Ville's inequality one over the most that he ever had is a p-value, whatever decides stakes, wagers and the
last bet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from provably_fair.distribution import Distribution

from .observed import Observed

__all__ = ["WAGERS", "Looks", "Wagers", "largest_evidence"]

WAGERS = 2.0 ** -np.arange(-1, 14)
"""By how many standard deviations of the return of a bet one wagers: powers of two, so that one of them
suits a hundred bets, another one a hundred million."""

# Of more different stakes, prices are read from below a chord between some, which is above them.
_FEW_STAKES = 256
_RATIOS = np.append(0.0, 2.0 ** -(np.arange(20 * 16, -1, -1) / 16))
_ROWS_AT_A_TIME = 1 << 14
_PRICES_AT_A_TIME = 1 << 20
_KNOWN_PRICES = 1 << 12
_EPSILON = float(np.finfo(np.float64).eps)


class Wagers:
    """What wagers on a law's returns cost.

    Attributes
    ----------
    mean, deviation : float
        Of the law.
    """

    def __init__(self, law: Distribution) -> None:
        possible = np.array([weight > 0 for weight in law.weights])
        self.mean: float = law.mean()
        self.deviation: float = law.std()
        self._off = law.outcomes[possible].astype(np.float64) - self.mean
        # Where probabilities may be off, at most so much more.
        self._logarithms = np.log(law.probabilities[possible] + law.probability_error)

    def price(self, wagers: np.ndarray) -> np.ndarray:
        """Return the logarithm of the mean of exp(wager * (return - mean))."""
        flat = wagers.ravel()
        found = np.empty(flat.size)
        many = max(1, _PRICES_AT_A_TIME // len(self._off))
        for first in range(0, flat.size, many):
            terms = np.multiply.outer(flat[first : first + many], self._off) + self._logarithms
            top = terms.max(axis=-1)
            found[first : first + many] = top + np.log(np.exp(terms - top[:, np.newaxis]).sum(axis=-1))
        # Never below 0, except for rounding.
        price: np.ndarray = np.maximum(found, 0.0).reshape(wagers.shape)
        return price


def largest_evidence(
    parts: Sequence[tuple[Distribution, Observed]], sides: Sequence[int]
) -> tuple[float, float]:
    """Return the logarithm of the most that one ever has who bets against the laws, and its possible error.

    Half of the wagers are on the money: a bet whose stake is the largest so far, by its standard deviation,
    is wagered on by `WAGERS`, another one in proportion. The others are on bets, whatever is staked on them:
    where stakes are doubled, the few largest hide what is wrong with all.
    """
    markets = [Wagers(law) for law, _ in parts]
    rows = np.concatenate([seen.rows for _, seen in parts])
    order = np.argsort(rows, kind="stable")

    def ordered(columns: list[np.ndarray]) -> np.ndarray:
        found: np.ndarray = np.concatenate(columns)[order]
        return found

    kinds = ordered([np.full(len(seen), kind) for kind, (_, seen) in enumerate(parts)])
    off = ordered(
        [
            (law.outcomes.astype(np.float64)[seen.places] - market.mean) / (market.deviation or 1.0)
            for market, (law, seen) in zip(markets, parts, strict=True)
        ]
    )
    risked = ordered(
        [seen.stakes * market.deviation for market, (_, seen) in zip(markets, parts, strict=True)]
    )
    largest = np.maximum.accumulate(risked)
    ratios = np.divide(risked, largest, out=np.zeros(len(risked)), where=largest > 0)
    # Prices of different stakes are worked out once.
    different = np.unique(np.append(ratios, (0.0, 1.0)))
    if len(different) > _FEW_STAKES:
        different = _RATIOS
    wagers = np.concatenate([side * WAGERS for side in sides])
    prices = [
        market.price(np.multiply.outer(wagers, different) / (market.deviation or 1.0)) for market in markets
    ]
    capital, most, moved = np.zeros(2 * len(wagers)), 0.0, 0.0
    for first in range(0, len(ratios), _ROWS_AT_A_TIME):
        some = slice(first, first + _ROWS_AT_A_TIME)
        which = kinds[some]
        steps = np.concatenate(
            [
                wagers[:, np.newaxis] * (shares * off[some]) - _prices(prices, which, shares, different)
                for shares in (ratios[some], np.ceil(ratios[some]))
            ]
        )
        path = capital[:, np.newaxis] + np.cumsum(steps, axis=1)
        capital, moved = path[:, -1], moved + float(np.abs(steps).sum(axis=1).max())
        most = max(most, float(np.logaddexp.reduce(path, axis=0).max()) - math.log(len(path)))
    return most, 16 * _EPSILON * (1 + moved)


def _prices(
    prices: list[np.ndarray], kinds: np.ndarray, shares: np.ndarray, different: np.ndarray
) -> np.ndarray:
    """Return what the wagers cost on each row, by the kind of its law and its share of a whole wager."""
    found = np.empty((len(prices[0]), len(kinds)))
    for kind, price in enumerate(prices):
        inside = kinds == kind
        found[:, inside] = [np.interp(shares[inside], different, each) for each in price]
    return found


class Looks(Wagers):
    """Evidence that is added up batch by batch, and asked for at the end of each: what that adds.

    Half of the wagers are on the money, as in `largest_evidence`, of which a stake counts at most as much as
    the largest one of the batches before, so that it is decided before the bet. The others are on bets.
    """

    def __init__(self, law: Distribution) -> None:
        super().__init__(law)
        self._wagers = np.concatenate([side * WAGERS for side in (-1, 1)])
        self._known: dict[float, np.ndarray] = {}

    @property
    def size(self) -> int:
        """How many wagers there are."""
        return 2 * len(self._wagers)

    def steps(
        self,
        stakes: np.ndarray,
        counts: np.ndarray,
        off: np.ndarray,
        largest: float,
        groups: np.ndarray | None = None,
        number: int = 1,
    ) -> np.ndarray:
        """Return what the logarithm of each wager's wealth grows by, of each group of bets a row.

        Of each stake of a group it needs how many bets there were, and how far their returns, for a stake
        of 1, were off the mean in all.
        """
        if not self.deviation or not stakes.size:
            return np.zeros((number, self.size))
        if groups is None:
            groups = np.zeros(len(stakes), np.int64)
        whole = np.bincount(groups, counts, number), np.bincount(groups, off, number)
        found = []
        for shares, many, moved, group in (
            (np.minimum(stakes / largest, 1.0), counts, off, groups),
            (np.ones(number), *whole, np.arange(number)),
        ):
            different, kinds = np.unique(shares, return_inverse=True)
            if len(different) <= _FEW_STAKES:
                prices = self._prices(different)
            else:  # a chord between two prices is above what lies between them
                prices = np.array([np.interp(different, _RATIOS, each) for each in self._prices(_RATIOS)])
            money = np.bincount(group, shares * moved, number)
            costs = np.zeros((number, len(self._wagers)))
            each = max(1, _PRICES_AT_A_TIME // len(different))
            edges = np.searchsorted(group, np.arange(0, number + each, each)).tolist()
            for first, (begin, end) in zip(range(0, number, each), pairwise(edges), strict=True):
                height = min(each, number - first)
                places = (group[begin:end] - first) * len(different) + kinds[begin:end]
                table = np.bincount(places, many[begin:end], height * len(different))
                costs[first : first + height] = table.reshape(height, -1) @ prices.T
            found.append(money[:, np.newaxis] * (self._wagers / self.deviation) - costs)
        return np.concatenate(found, axis=1)

    def _prices(self, shares: np.ndarray) -> np.ndarray:
        """Return what the wagers cost on bets of these shares; the same shares come again and again."""
        keys = shares.tolist()
        missing = [key for key in dict.fromkeys(keys) if key not in self._known]
        if missing:
            if len(self._known) > _KNOWN_PRICES:
                self._known, missing = {}, list(dict.fromkeys(keys))
            new = self.price(np.multiply.outer(np.array(missing), self._wagers) / self.deviation)
            self._known |= dict(zip(missing, new, strict=True))
        return np.array([self._known[key] for key in keys]).T

    def logarithm(self, steps: np.ndarray) -> Any:
        """Return the logarithm of the mean of what the wagers have, along the last axis."""
        return np.logaddexp.reduce(steps, axis=-1) - math.log(steps.shape[-1])
