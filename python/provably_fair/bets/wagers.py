"""Evidence against a law when stakes may depend on earlier outcomes: the capital of a gambler against it.

A bet whose return X follows the law multiplies the gambler's capital by exp(w (X - mean)) over the mean of
that, for a wager w fixed before the bet. Under the law the capital is a martingale, so by Ville's inequality
one over its maximum is a p-value, however stakes, wagers and the number of bets are chosen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair.distribution import Distribution

from .observed import Observed

WAGERS = 2.0 ** -np.arange(-1, 14)
"""Wagers, in units of one over the standard deviation of a bet's return: powers of two, so that one suits a
hundred bets and another a hundred million.
"""

# For more distinct stakes than this, interpolate prices linearly between fixed shares: a chord of a convex
# function lies above it.
_FEW_STAKES = 256
_RATIOS = np.append(0.0, 2.0 ** -(np.arange(20 * 16, -1, -1) / 16))
_ROWS_AT_A_TIME = 1 << 14
_PRICES_AT_A_TIME = 1 << 20
_KNOWN_PRICES = 1 << 12
EPSILON = float(np.finfo(np.float64).eps)


class Wagers:
    """The prices of wagers on returns that follow a law; `reach` bounds a return's distance from the mean."""

    def __init__(self, law: Distribution) -> None:
        possible = np.array([weight > 0 for weight in law.weights])
        self.mean: float = law.mean()
        self.deviation: float = law.std()
        amounts = law.outcomes[possible].astype(np.float64)
        self.reach: float = float(np.abs(amounts).max()) + abs(self.mean)
        self._off = amounts - self.mean
        # Allow for errors of the probabilities: price them at their upper bounds.
        self._logarithms = np.log(law.probabilities[possible] + law.probability_error)

    def price(self, wagers: np.ndarray) -> np.ndarray:
        """Return the logarithm of the mean of exp(wager * (return - mean))."""
        flat = wagers.ravel()
        prices = np.empty(flat.size)
        many = max(1, _PRICES_AT_A_TIME // len(self._off))
        for first in range(0, flat.size, many):
            terms = np.multiply.outer(flat[first : first + many], self._off) + self._logarithms
            top = terms.max(axis=-1)
            prices[first : first + many] = top + np.log(np.exp(terms - top[:, np.newaxis]).sum(axis=-1))
        # By Jensen's inequality never below 0, except for rounding.
        return np.asarray(np.maximum(prices, 0.0).reshape(wagers.shape))


def largest_evidence(
    parts: Sequence[tuple[Distribution, Observed]], sides: Sequence[int]
) -> tuple[float, float]:
    """Return the logarithm of the largest capital of a gambler against the laws, and its rounding error.

    Half of the wagers are on money: `WAGERS` apply to a bet whose stake, times its standard deviation, is the
    largest so far, and others are scaled down in proportion. The other half ignore the stakes: with a system
    that doubles stakes, the few largest would hide an error common to all bets.
    """
    markets = [Wagers(law) for law, _ in parts]
    order = np.argsort(np.concatenate([seen.rows for _, seen in parts]), kind="stable")
    columns: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for kind, (market, (law, seen)) in enumerate(zip(markets, parts, strict=True)):
        apart = law.outcomes.astype(np.float64)[seen.places] - market.mean
        many = np.full(len(seen), kind)
        columns.append((many, apart / (market.deviation or 1.0), seen.stakes * market.deviation))
    kinds, off, risked = (np.concatenate(column)[order] for column in zip(*columns, strict=True))
    largest = np.maximum.accumulate(risked)
    ratios = np.divide(risked, largest, out=np.zeros(len(risked)), where=largest > 0)
    # Price each distinct stake once.
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
    return most, 16 * EPSILON * (1 + moved)


def _prices(
    prices: list[np.ndarray], kinds: np.ndarray, shares: np.ndarray, different: np.ndarray
) -> np.ndarray:
    """Return the price of each wager on each row, by the row's law and share of a whole wager."""
    by_row = np.empty((len(prices[0]), len(kinds)))
    for kind, price in enumerate(prices):
        inside = kinds == kind
        by_row[:, inside] = [np.interp(shares[inside], different, each) for each in price]
    return by_row


class Looks(Wagers):
    """Evidence that grows batch by batch and is looked at after each one.

    Half of the wagers are on money, as in `largest_evidence`, but a stake is compared with the largest of
    earlier batches, which is known before the bet. The other half are on bets.
    """

    def __init__(self, law: Distribution) -> None:
        super().__init__(law)
        self._wagers = np.concatenate([side * WAGERS for side in (-1, 1)])
        self._known: dict[float, np.ndarray] = {}

    @property
    def size(self) -> int:
        """The number of wagers."""
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
        """Return the growth of each wager's log capital, shape (groups, wagers).

        For each stake of a group, `counts` has the number of bets, and `off` the sum of return minus mean for
        a stake of 1.
        """
        if not self.deviation or not stakes.size:
            return np.zeros((number, self.size))
        if groups is None:
            groups = np.zeros(len(stakes), np.int64)
        whole = bincount(groups, counts, number), bincount(groups, off, number)
        halves = []
        for shares, many, moved, group in (
            (np.minimum(stakes / largest, 1.0), counts, off, groups),
            (np.ones(number), *whole, np.arange(number)),
        ):
            different, kinds = np.unique(shares, return_inverse=True)
            if len(different) <= _FEW_STAKES:
                prices = self._prices(different)
            else:  # the function is convex, so a chord is an upper bound
                prices = np.array([np.interp(different, _RATIOS, each) for each in self._prices(_RATIOS)])
            money = bincount(group, shares * moved, number)
            costs = np.zeros((number, len(self._wagers)))
            each = max(1, _PRICES_AT_A_TIME // len(different))
            edges = np.searchsorted(group, np.arange(0, number + each, each)).tolist()
            for first, (begin, end) in zip(range(0, number, each), pairwise(edges), strict=True):
                height = min(each, number - first)
                places = (group[begin:end] - first) * len(different) + kinds[begin:end]
                table = bincount(places, many[begin:end], height * len(different))
                costs[first : first + height] = table.reshape(height, -1) @ prices.T
            halves.append(money[:, np.newaxis] * (self._wagers / self.deviation) - costs)
        return np.concatenate(halves, axis=1)

    def _prices(self, shares: np.ndarray) -> np.ndarray:
        """Return the prices of the wagers on bets of these shares, cached by share."""
        keys = shares.tolist()
        missing = [key for key in dict.fromkeys(keys) if key not in self._known]
        if missing:
            if len(self._known) > _KNOWN_PRICES:
                self._known, missing = {}, list(dict.fromkeys(keys))
            new = self.price(np.multiply.outer(np.array(missing), self._wagers) / self.deviation)
            self._known |= dict(zip(missing, new, strict=True))
        return np.array([self._known[key] for key in keys]).T

    def logarithm(self, steps: np.ndarray) -> Any:
        """Return the logarithm of the mean capital of the wagers, along the last axis."""
        return np.logaddexp.reduce(steps, axis=-1) - math.log(steps.shape[-1])
