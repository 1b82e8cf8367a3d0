"""Evidence against a law of bets whose stakes follow what came before: bets against it, by money.

A bet whose return X is of the law multiplies what somebody has by exp(w (X - mean)) over the mean of that,
for a wager w that is decided before the bet. What he has stays the same on average if the law holds, so that
by Ville's inequality one over the most that he ever had is a p-value, whatever decides stakes, wagers and the
last bet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from provably_fair.distribution import Distribution

from .observed import Observed

__all__ = ["WAGERS", "Wagers", "largest_evidence"]

WAGERS = 2.0 ** -np.arange(-1, 14)
"""By how many standard deviations of what a bet brings back one wagers: powers of two, so that one of them
suits a hundred bets, another one a hundred million."""

# Of more different stakes, prices are read from below a chord between some, which is above them.
_FEW_STAKES = 256
_RATIOS = np.append(0.0, 2.0 ** -(np.arange(20 * 16, -1, -1) / 16))
_ROWS_AT_A_TIME = 1 << 14
_PRICES_AT_A_TIME = 1 << 20
_EPSILON = float(np.finfo(np.float64).eps)


class Wagers:
    """What wagers on a law's returns cost.

    Parameters
    ----------
    law : Distribution
        What a stake of 1 brings back.

    Attributes
    ----------
    mean, deviation : float
        Of the law.

    Examples
    --------
    >>> import numpy as np
    >>> import provably_fair as pf
    >>> from provably_fair.bets.wagers import Wagers
    >>> coin = Wagers(pf.Distribution([0, 2], [1, 1]))
    >>> np.exp(coin.price(np.array([0.0, 1.0]))).round(6).tolist()  # the hyperbolic cosine
    [1.0, 1.543081]
    """

    def __init__(self, law: Distribution) -> None:
        possible = np.array([weight > 0 for weight in law.weights])
        self.mean, self.deviation = law.mean(), law.std()
        self._off = law.outcomes[possible].astype(np.float64) - self.mean
        # Where probabilities may be off, at most so much more.
        self._logarithms = np.log(law.probabilities[possible] + law.error)

    def price(self, wagers: np.ndarray) -> np.ndarray:
        """Return the logarithm of the mean of exp(wager * (return - mean)).

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> from provably_fair.bets.wagers import Wagers
        >>> Wagers(pf.Distribution([0, 2], [1, 1])).price(np.zeros((2, 1))).tolist()
        [[0.0], [0.0]]
        """
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

    Parameters
    ----------
    parts : sequence of tuple
        Laws, and what was observed of their bets, all of it possible. Bets are in the order of their rows.
    sides : sequence of int
        1 for more than the law's mean, -1 for less; half of what there is on each, where there are both.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.bets.observed import Observed
    >>> from provably_fair.bets.wagers import largest_evidence
    >>> coin = pf.Distribution([0, 2], [1, 1])
    >>> most, _ = largest_evidence([(coin, Observed(coin, [0] * 20, [1, 2] * 10))], [-1])
    >>> 8 < most < 14  # at best it doubles each time: 20 log 2
    True
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
