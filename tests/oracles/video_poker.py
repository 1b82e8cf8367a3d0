"""Video poker in plain Python and numpy, written from the document and independent of the engine."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from fractions import Fraction

import numpy as np

RANK_NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
CARD_NAMES = [rank + suit for suit in "♠♥♦♣" for rank in RANK_NAMES]

# Pays: royal flush, straight flush, (pay of four of a kind by rank and kicker, ace = 1), full house, flush,
# straight, three of a kind, two pair, high pair; the lowest rank of a high pair (ace = 14).
PAYTABLES = {
    "jacks_or_better": (500, 75, lambda rank, kicker: 20, 9, 6, 4, 3, 2, 1, 11),
    "tens_or_better": (500, 75, lambda rank, kicker: 22, 6, 5, 4, 3, 2, 1, 10),
    "bonus_poker": (
        500,
        45,
        lambda rank, kicker: 70 if rank == 1 else 35 if rank <= 4 else 25,
        *(8, 5, 4, 3, 2, 1, 11),
    ),
    "double_bonus_10_7": (
        800,
        50,
        lambda rank, kicker: 160 if rank == 1 else 80 if rank <= 4 else 50,
        *(10, 7, 5, 3, 1, 1, 11),
    ),
    "double_double_bonus_9_6": (
        800,
        50,
        lambda rank, kicker: (
            (400 if 2 <= kicker <= 4 else 160)
            if rank == 1
            else ((160 if kicker <= 4 else 80) if rank <= 4 else 50)
        ),
        *(9, 6, 4, 3, 1, 1, 11),
    ),
}


def digest(server_seed: str, client_seed: str, nonce: str = "") -> str:
    return hashlib.sha512((server_seed + client_seed + nonce).encode()).hexdigest()


def deal(hexadecimal: str, jokers: int = 0) -> list[int]:
    """The document's loop: two characters at a time, keeping the last two digits if at most 51 and new.

    Jokers, which aren't in the document, are 52 and 53.
    """
    cards: list[int] = []
    position = 0
    while len(cards) < 10 and position < 128:
        number = int(hexadecimal[position : position + 2], 16) % 100
        if number <= 51 + jokers and number not in cards:
            cards.append(number)
        position += 2
    return cards + [-1] * (10 - len(cards))


def category(hand: list[int]) -> str:
    """The category of five cards."""
    ranks = sorted(card % 13 + 1 for card in hand)
    copies = sorted(Counter(ranks).values(), reverse=True)
    flush = len({card // 13 for card in hand}) == 1
    low = copies[0] == 1 and ranks[4] - ranks[0] == 4
    high = ranks == [1, 10, 11, 12, 13]
    if flush and high:
        return "royal flush"
    if flush and low:
        return "straight flush"
    if copies[0] == 4:
        return "four of a kind"
    if copies == [3, 2]:
        return "full house"
    if flush:
        return "flush"
    if low or high:
        return "straight"
    if copies[0] == 3:
        return "three of a kind"
    if copies == [2, 2, 1]:
        return "two pair"
    return "pair" if copies[0] == 2 else "nothing"


def paid(name: str, hand: list[int]) -> int:
    """Return what an oracle's paytable pays for a hand."""
    royal, straight_flush, four, full_house, flush, straight, three, two_pair, pair, least = PAYTABLES[name]
    ranks = [card % 13 + 1 for card in hand]
    most = max(ranks, key=ranks.count)
    kind = category(hand)
    if kind == "four of a kind":
        return four(most, min(ranks, key=ranks.count))
    if kind == "pair":
        return pair if (14 if most == 1 else most) >= least else 0
    return {
        "royal flush": royal,
        "straight flush": straight_flush,
        "full house": full_house,
        "flush": flush,
        "straight": straight,
        "three of a kind": three,
        "two pair": two_pair,
        "nothing": 0,
    }[kind]


class AllHands:
    """All 2,598,960 hands with their categories."""

    def __init__(self) -> None:
        chosen = itertools.chain.from_iterable(itertools.combinations(range(52), 5))
        self.cards = np.fromiter(chosen, np.int8, 5 * 2_598_960).reshape(-1, 5)
        ranks = np.sort(self.cards % 13 + 1, axis=1)
        suits = self.cards // 13
        flush = (suits == suits[:, :1]).all(axis=1)
        same = ranks[:, 1:] == ranks[:, :-1]
        pairs = same.sum(axis=1)
        low = (pairs == 0) & (ranks[:, 4] - ranks[:, 0] == 4)
        high = (ranks == [1, 10, 11, 12, 13]).all(axis=1)
        four_low, four_high = ranks[:, 0] == ranks[:, 3], ranks[:, 1] == ranks[:, 4]
        three = ((ranks[:, 2:] == ranks[:, :-2]).any(axis=1)) & ~four_low & ~four_high
        paired = np.where(same, ranks[:, 1:], 0).max(axis=1)
        # A code per kind of hand: the hundreds for the category, the rest for rank (and kicker).
        self.code = np.zeros(len(ranks), np.int16)
        one_pair = pairs == 1
        self.code[one_pair] = 100 + paired[one_pair]
        self.code[(pairs == 2) & ~three] = 200
        self.code[three & (pairs == 2)] = 300
        self.code[low | high] = 400
        self.code[flush] = 500
        self.code[three & (pairs == 3)] = 600
        self.code[flush & low] = 700
        self.code[flush & high] = 800
        four = four_low | four_high
        kicker = np.where(four_low, ranks[:, 4], ranks[:, 0]).astype(np.int16)
        self.code[four] = 1000 + ranks[four, 2].astype(np.int16) * 16 + kicker[four]
        self.holding = [np.flatnonzero((self.cards == card).any(axis=1)) for card in range(52)]

    SIZE = 1000 + 14 * 16

    def pays(self, name: str) -> np.ndarray:
        """The payout of each code."""
        royal, straight_flush, four, full_house, flush, straight, three, two_pair, pair, least = PAYTABLES[
            name
        ]
        pays = np.zeros(self.SIZE, np.int64)
        for rank in range(1, 14):
            pays[100 + rank] = pair if (14 if rank == 1 else rank) >= least else 0
            for kicker in range(1, 14):
                pays[1000 + rank * 16 + kicker] = four(rank, kicker)
        pays[200:900:100] = two_pair, three, straight, flush, full_house, straight_flush, royal
        return pays

    def by_hold(self, hand: list[int]) -> np.ndarray:
        """The number of final hands of each code for each hold: [hold, code].

        Each hand of the deck has one set of cards in common with the deal, and is counted for that hold only.
        """
        held = np.zeros(len(self.code), np.int64)
        for place, card in enumerate(hand):
            held[self.holding[card]] += 1 << place
        counts = np.bincount(held * self.SIZE + self.code, minlength=32 * self.SIZE)
        return counts.reshape(32, self.SIZE)

    def hold_values(self, counts: np.ndarray, name: str) -> list[Fraction]:
        paid = counts @ self.pays(name)
        return [
            Fraction(int(total), int(draws)) for total, draws in zip(paid, counts.sum(axis=1), strict=True)
        ]


def random_hands(number: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(52), (number, 1)), axis=1)[:, :5]


def differing_hands(hands: np.ndarray, every: AllHands) -> int:
    """The number of (hand, paytable) pairs on which the engine and the oracle disagree."""
    import provably_fair as pf

    wrong = 0
    games = {name: pf.cards.VideoPoker(name) for name in PAYTABLES}
    best = {name: game.best_hold(hands) for name, game in games.items()}
    floats = {name: game.hold_values(hands) for name, game in games.items()}
    for row, hand in enumerate(hands.tolist()):
        counts = every.by_hold(hand)
        for name, game in games.items():
            values = every.hold_values(counts, name)
            chosen = sum(1 << place for place in range(5) if best[name][row][place])
            wrong += not (
                list(game.hold_values(hand, exact=True)) == values
                and floats[name][row].tolist() == [float(value) for value in values]
                and values[chosen] == max(values)
            )
    return wrong
