"""The bet on a hand of video poker."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from provably_fair._core.errors import BadType, BadValue
from provably_fair._engine import canonical_deals
from provably_fair.bets import Bet
from provably_fair.bets.returns import table_of
from provably_fair.distribution import Distribution

from .analysis import HoldStrategy, analyze, strategy_holds
from .paytable import Paytable, engine_of
from .rounds import settle

Dealer = Callable[..., np.ndarray]
"""Rounds, ``seed``, ``start`` and ``threads`` to ten cards each, (rounds, 10)."""

_SUITS, _RANKS = 4, 13
_HANDS_AT_A_TIME = 1 << 14


@dataclass(frozen=True)
class HashDealer:
    """Deals the cards of Crypto.Games video poker."""

    game: Any

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Deal ten cards to each round."""
        # Where nothing is held, the final hand is of the five cards to draw from.
        played = self.game.simulate(rounds, hold=[], seed=seed, start=start, threads=threads)
        return np.concatenate([played.hand, played.final], axis=1)


@dataclass(frozen=True)
class _Pays:
    """What rounds are paid, in parts, by the row of the paytable; where a hash ran out, the stake."""

    paytable: Paytable
    strategy: tuple[Any, ...] | HoldStrategy | None
    dealer: Dealer

    @cached_property
    def _table(self) -> np.ndarray:
        # A round whose hash ran out has the row -1.
        return table_of([*(pay for _, pay in self.paytable.rows), 1], "paytable")[0]

    @cached_property
    def _holds(self) -> _Holds:
        assert self.strategy is not None
        return _Holds(self.paytable, strategy_holds(self.paytable, self.strategy))

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        cards = self.dealer(rounds, seed=seed, start=start, threads=threads)
        hold = None if self.strategy is None else self._holds.of(cards[:, :5])
        played = settle(self.paytable, cards, hold, threads)
        paid: np.ndarray = self._table[played.row][:, np.newaxis]
        return paid

    def __reduce__(self) -> tuple[object, ...]:
        return _Pays, (self.paytable, self.strategy, self.dealer)


class _Holds:
    """What a strategy holds of any hand, found by that of the hands that differ in suits."""

    def __init__(self, paytable: Paytable, holds: np.ndarray) -> None:
        self._suits = list(engine_of(paytable).suits)
        keys, order = self._without_suits(canonical_deals(engine_of(paytable))[0])
        held = (holds[:, np.newaxis] >> order & 1).astype(bool)
        by_key = np.argsort(keys)
        self._keys, self._held = keys[by_key], held[by_key]

    def of(self, hands: np.ndarray) -> np.ndarray:
        """Return what is held of hands, (N, 5) bool."""
        found = np.zeros(hands.shape, dtype=bool)
        for first in range(0, len(hands), _HANDS_AT_A_TIME):
            keys, order = self._without_suits(hands[first : first + _HANDS_AT_A_TIME])
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            np.put_along_axis(found[first : first + len(keys)], order, self._held[places], axis=1)
        return found

    def _without_suits(self, hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a number for each hand, the same however suits are exchanged, and its cards in order."""
        suits, ranks = np.divmod(hands, _RANKS)
        # Jokers are of a suit of their own; one of two is as good as the other.
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


def bet_on_hands(paytable: Paytable, strategy: Any, dealer: Dealer, on: str) -> Bet:
    """Return the bet on hands that are played as well as possible, or by a strategy."""
    if strategy is None or (isinstance(strategy, str) and strategy == "optimal"):
        strategy = None
    elif isinstance(strategy, str):
        raise BadValue("strategy", f'must be "optimal", rules or a function, got {strategy!r}')
    elif not callable(strategy):
        try:
            strategy = tuple(strategy)
        except TypeError:
            got = type(strategy).__name__
            raise BadType("strategy", f'must be "optimal", rules or a function, got {got}') from None
    rows = analyze(paytable, strategy, 0).rows
    law = Distribution([row.pays for row in rows], [row.combinations for row in rows])
    unit = table_of([pay for _, pay in paytable.rows], "paytable")[1]
    played = "" if strategy is None else ", by a strategy"
    return Bet(law, _Pays(paytable, strategy, dealer), unit=unit, on=f"{on}{played}")
