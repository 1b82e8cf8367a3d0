"""Bets on the first cards of a deal: pairs, 21+3, and any function of the cards."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer
from provably_fair._core.numbers import exactly
from provably_fair.bets import Bet
from provably_fair.bets.returns import table_of
from provably_fair.cards import Hand
from provably_fair.distribution import Distribution
from provably_fair.seeds.schemes import SALTED, bind_fields, draws

from ..deal import series_of
from .schemes import columns_of

Payout = Callable[[Hand], float]
"""A function from the first cards to the return of a bet of 1."""

_RANKS, _KINDS = 13, 52
_CLUBS, _SPADES = 0, 3
_TEN = 9


def _is_black(card: int) -> bool:
    return card // _RANKS in (_CLUBS, _SPADES)


def _pairs(deal: Hand) -> int:
    """Pay 25 to 1 for two cards that are the same, 12 to 1 of one color, 6 to 1 for another pair."""
    first, second = deal
    if first % _RANKS != second % _RANKS:
        return 0
    if first == second:
        return 26
    return 13 if _is_black(first) == _is_black(second) else 7


def _twenty_one_plus_three(deal: Hand) -> int:
    """Pay 9 to 1 for a flush, a straight, three of a kind or a straight flush of two cards and the upcard."""
    ranks = sorted(card % _RANKS for card in deal)
    low, middle, high = ranks
    straight = (low + 1, low + 2) == (middle, high) or ranks == [0, 11, 12]
    flush = len({card // _RANKS for card in deal}) == 1
    return 10 if straight or flush or low == high else 0


_NAMED: dict[str, tuple[Payout, int]] = {"pairs": (_pairs, 2), "21+3": (_twenty_one_plus_three, 3)}


@dataclass(frozen=True)
class _DealReturns:
    """The returns of the first cards of hashed rounds, in parts."""

    game: Any
    payout: Payout
    cards: int

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        *seeds, played = series_of(rounds, seed, start, None, None)
        made = columns_of(self.game.scheme, (seeds[0], seeds[1]), played)
        dealt = self.game.shoe(**made, cards=self.cards, threads=threads) % _KINDS
        parts, _ = table_of(list(_paid(self.payout, self.cards)))
        return np.asarray(parts[dealt @ _KINDS ** np.arange(self.cards)[::-1]])[:, np.newaxis]


@lru_cache(maxsize=8)
def _paid(payout: Payout, cards: int) -> tuple[object, ...]:
    """Return what every deal pays, the last card changing first."""
    deals = itertools.product(range(_KINDS), repeat=cards)
    return tuple(payout(Hand.of_numbers(deal)) for deal in deals)


def _ways(decks: int | None, cards: int) -> np.ndarray:
    """Return how many ways there are to deal each, the last card changing first."""
    deals = np.indices((_KINDS,) * cards).reshape(cards, -1)
    ways = np.ones(deals.shape[1], np.int64)
    if decks is not None:
        for place in range(cards):
            ways *= decks - (deals[:place] == deals[place]).sum(axis=0)
    return ways


def side_bet(game: Any, payout: str | Payout, cards: object) -> Bet:
    """Return a bet on the first cards, its law by the composition of the shoe."""
    if isinstance(payout, str):
        if payout not in _NAMED:
            raise BadValue("payout", f'must be "pairs", "21+3" or a function, got {payout!r}')
        function, count = _NAMED[payout]
        if cards is not None and integer("cards", cards) != count:
            raise BadValue("cards", f"must be {count} for {payout!r}, got {cards}")
    elif callable(payout):
        function, count = payout, 3 if cards is None else integer("cards", cards, 1, 3)
    else:
        raise BadType("payout", f'must be "pairs", "21+3" or a function, got {type(payout).__name__}')
    paid = _paid(function, count)
    parts, unit = table_of(list(paid))
    weights: Counter[int] = Counter()
    for part, ways in zip(parts.tolist(), _ways(game.rules.decks, count).tolist(), strict=True):
        weights[part] += ways
    dealt = {Fraction(part, unit): ways for part, ways in weights.items() if ways}
    shared = math.gcd(*dealt.values())
    values = [float(value) if exactly(float(value)) == value else value for value in dealt]
    law = Distribution(values, [ways // shared for ways in dealt.values()])
    name = payout if isinstance(payout, str) else getattr(payout, "__name__", "a function")
    return Bet(law, _DealReturns(game, function, count), unit=unit, on=f"{name} of {game!r}")


@dataclass(frozen=True)
class _Insured:
    """The return of insurance: 3 where the hole card counts ten."""

    tens: int
    cards: int

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        server, client, (first, count) = series_of(rounds, seed, start, None, None)
        salts = [str(salt) for salt in range(first, first + count)]
        held = bind_fields(SALTED, (server, client, salts), {})
        hole = draws(SALTED, held, threads=threads).below(self.cards)
        return np.where(hole < self.tens, 3, 0)[:, np.newaxis]


def insurance_bet(game: Any, cards: Hand) -> Bet:
    """Return a bet on a dealer's blackjack under an ace, these cards being gone as well."""
    ranks = Counter(card % _RANKS for card in cards if card >= 0)
    if len(cards) != sum(ranks.values()):
        raise BadValue("cards", "must be cards, got -1")
    ranks[0] += 1
    decks = game.rules.decks
    if decks is not None and max(ranks.values()) > 4 * decks:
        raise BadValue("cards", f"must be of {decks} decks with the dealer's ace, got {cards}")
    gone = Counter({rank: count for rank, count in ranks.items() if decks is not None})
    tens = 16 * (decks or 1) - sum(count for rank, count in gone.items() if rank >= _TEN)
    left = 52 * (decks or 1) - sum(gone.values())
    shared = math.gcd(tens, left)
    law = Distribution([0.0, 3.0], [(left - tens) // shared, tens // shared])
    known = f" with {cards}" if cards else ""
    return Bet(law, _Insured(tens, left), on=f"insurance{known} of {game!r}")
