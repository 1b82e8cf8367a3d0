"""The holds of a strategy, for any hand.

A strategy is asked about one of all deals that differ by an exchange of suits. A dealt hand is brought to the
same form, by trying the exchanges that the paytable allows, and looked up.
"""

from __future__ import annotations

import itertools

import numpy as np

from provably_fair._engine import canonical_deals

from .paytable import Paytable, engine_of

_SUITS, _RANKS = 4, 13
_HANDS_AT_A_TIME = 1 << 14


class Holds:
    """The holds of a strategy, looked up by hand up to an exchange of suits."""

    def __init__(self, paytable: Paytable, holds: np.ndarray) -> None:
        self._suits = list(engine_of(paytable).suits)
        keys, order = self._without_suits(canonical_deals(engine_of(paytable))[0])
        held = (holds[:, np.newaxis] >> order & 1).astype(bool)
        by_key = np.argsort(keys)
        self._keys, self._held = keys[by_key], held[by_key]

    def of(self, hands: np.ndarray) -> np.ndarray:
        """Return the holds of hands, (N, 5) bool."""
        found = np.zeros(hands.shape, dtype=bool)
        for first in range(0, len(hands), _HANDS_AT_A_TIME):
            keys, order = self._without_suits(hands[first : first + _HANDS_AT_A_TIME])
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            np.put_along_axis(found[first : first + len(keys)], order, self._held[places], axis=1)
        return found

    def _without_suits(self, hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return keys of hands, which an exchange of suits doesn't change, and the order of their cards."""
        suits, ranks = np.divmod(hands, _RANKS)
        # Jokers have a suit of their own; a single joker counts as the first.
        jokers = suits == _SUITS
        ranks[jokers & (jokers.sum(axis=1, keepdims=True) == 1)] = 0
        least = np.full(len(hands), np.iinfo(np.int64).max)
        order = np.zeros(hands.shape, dtype=np.int64)
        digits = ((_SUITS + 1) * _RANKS) ** np.arange(hands.shape[1])
        for exchange in itertools.permutations(range(_SUITS)):
            if [self._suits[suit] for suit in exchange] != self._suits:
                continue
            cards = np.array([*exchange, _SUITS])[suits] * _RANKS + ranks
            rising = np.argsort(cards, axis=1)
            keys = np.take_along_axis(cards, rising, axis=1) @ digits
            better = keys < least
            least[better], order[better] = keys[better], rising[better]
        return least, order
