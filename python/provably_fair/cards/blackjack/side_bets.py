"""Bets on the first cards of a deal: pairs, 21+3, and any function of the cards."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer
from provably_fair._core.numbers import exactly
from provably_fair._engine import Streams
from provably_fair.bets import Bet
from provably_fair.bets.returns import ObservedReturns, Subject, table_of
from provably_fair.distribution import Distribution
from provably_fair.games import Deal, Pack
from provably_fair.games.reads import Reads, while_read_alike
from provably_fair.seeds.rounds import SimulatedRounds
from provably_fair.seeds.schemes import SALTED, draws

from ..names import Hand
from .rules import need_decks

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
    """A sampler of the returns of rounds by their first cards, in `parts` of a bet: those of all deals."""

    decks: float
    payout: Payout
    cards: int
    parts: np.ndarray = field(compare=False, repr=False)

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        streams = _drawn(rounds, seed, start, threads)
        if self.decks == math.inf:
            dealt = np.stack([streams.below(_KINDS) for _ in range(self.cards)], axis=1)
        else:
            dealt = streams.sample(_KINDS * int(self.decks), self.cards) % _KINDS
        return np.asarray(self.parts[dealt @ _KINDS ** np.arange(self.cards)[::-1]])[:, np.newaxis]


@dataclass(frozen=True)
class _FirstCards:
    """The return of a side bet, in parts of it, by the first cards of a deal's outcomes."""

    pack: Pack
    payout: Payout
    cards: int
    parts: np.ndarray = field(compare=False, repr=False)

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        dealt = self.pack.at_table(outcomes)[:, : self.cards] % _KINDS
        return np.asarray(self.parts[dealt @ _KINDS ** np.arange(self.cards)[::-1]])


def on_deal(bet: Bet, deal: Deal) -> Bet:
    """Return a side bet as one on the cards of a deal's rounds; other bets as they are."""
    sampler, pack = bet.sampler, deal.kind.pack
    if not isinstance(sampler, _DealReturns) or bet.law is None:
        return bet
    if sampler.decks != pack.decks:
        problem = f"must be a side bet on {pack.decks} decks, as the game deals, got {sampler.decks}"
        raise BadValue("bet", f"{problem}: game.table.side_bet(...) is one")
    subject = Subject({"of": _FirstCards(pack, sampler.payout, sampler.cards, sampler.parts)})
    parts = bet.law.map(lambda amount: int(exactly(amount) * bet.unit))
    observed = ObservedReturns(deal, subject, parts, tuple(parts.outcomes.tolist()))
    return Bet(bet.law, observed, unit=bet.unit, on=repr(deal))


def _drawn(rounds: int, seed: int | str, start: int, threads: int | None) -> Streams:
    """Return the draws of simulated salted rounds: a table has no seeds of its own."""
    made = SimulatedRounds(SALTED, rounds, seed, start, {})
    return draws(SALTED, made.fields(), threads=threads)


@while_read_alike(lambda payout, cards: Reads(None, payout), 8)  # noqa: ARG005
def _paid(payout: Payout, cards: int) -> tuple[object, ...]:
    """Return the returns of all deals, the last card changing first."""
    deals = itertools.product(range(_KINDS), repeat=cards)
    return tuple(payout(Hand.of_numbers(deal)) for deal in deals)


def _ways(decks: float, cards: int) -> np.ndarray:
    """Return the number of ways to deal each deal, the last card changing first."""
    deals = np.indices((_KINDS,) * cards).reshape(cards, -1)
    ways = np.ones(deals.shape[1], np.int64)
    if decks != math.inf:
        for place in range(cards):
            ways *= int(decks) - (deals[:place] == deals[place]).sum(axis=0)
    return ways


def side_bet(table: Any, payout: str | Payout, cards: object) -> Bet:
    """Return a bet on the first cards, with the law of the shoe's composition."""
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
    decks = need_decks(table.rules)
    paid = _paid(function, count)
    parts, unit = table_of(list(paid))
    weights: Counter[int] = Counter()
    for part, ways in zip(parts.tolist(), _ways(decks, count).tolist(), strict=True):
        weights[part] += ways
    dealt = {Fraction(part, unit): ways for part, ways in weights.items() if ways}
    shared = math.gcd(*dealt.values())
    values = [float(value) if exactly(float(value)) == value else value for value in dealt]
    law = Distribution(values, [ways // shared for ways in dealt.values()])
    name = payout if isinstance(payout, str) else getattr(payout, "__name__", "a function")
    return Bet(law, _DealReturns(decks, function, count, parts), unit=unit, on=f"{name} of {table!r}")


@dataclass(frozen=True)
class _Insured:
    """A sampler of the returns of insurance: 3 if the hole card counts ten."""

    tens: int
    cards: int

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        hole = _drawn(rounds, seed, start, threads).below(self.cards)
        return np.where(hole < self.tens, 3, 0)[:, np.newaxis]


def insurance_bet(table: Any, cards: Hand) -> Bet:
    """Return a bet on a dealer's blackjack under an ace, with these cards removed as well."""
    ranks = Counter(card % _RANKS for card in cards)
    if -1 in cards:
        raise BadValue("cards", "must be cards, got -1")
    ranks[0] += 1
    decks = need_decks(table.rules)
    endless = decks == math.inf
    if not endless and max(ranks.values()) > 4 * decks:
        raise BadValue("cards", f"must be of {decks} decks with the dealer's ace, got {cards}")
    gone = {} if endless else ranks
    whole = 1 if endless else int(decks)
    tens = 16 * whole - sum(count for rank, count in gone.items() if rank >= _TEN)
    left = 52 * whole - sum(gone.values())
    shared = math.gcd(tens, left)
    law = Distribution([0.0, 3.0], [(left - tens) // shared, tens // shared])
    known = f" with {cards}" if cards else ""
    return Bet(law, _Insured(tens, left), on=f"insurance{known} of {table!r}")
