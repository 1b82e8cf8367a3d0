"""Video poker with wild cards by enumeration, in numpy, independent of the engine.

Each hand of the deck is assigned to one of the 32 holds of a deal: the cards that both have in common. Sets
of hands are bit sets, with 64 hands per word.

    python tests/oracles/wild_cards.py

does so for every deal of two games, up to an exchange of suits, and writes the results to
`tests/vectors/wild_cards.json`. It takes some minutes.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).resolve().parents[1] / "vectors" / "wild_cards.json"
COMMAND = "python tests/oracles/wild_cards.py"
# The payouts of each game from the royal flush down, by distinguished hand, and the deck size.
PAYS = {
    "deuces_wild": (800, 200, 25, 15, 9, 5, 3, 2, 2, 1),
    "joker_poker": (800, 200, 100, 50, 20, 7, 5, 3, 2, 1, 1),
}
DECKS = {"deuces_wild": 52, "joker_poker": 53}
WINDOWS = [sum(1 << rank % 13 for rank in range(low, low + 5)) for low in range(10)]
ROYAL = WINDOWS[9]


def hands(deck: int) -> np.ndarray:
    """All hands of a deck, in ascending order."""
    chosen = itertools.chain.from_iterable(itertools.combinations(range(deck), 5))
    return np.fromiter(chosen, np.int8, 5 * math.comb(deck, 5)).reshape(-1, 5)


def rows(game: str, cards: np.ndarray) -> np.ndarray:
    """The rows of hands in the paytable; hands that pay nothing are in the row after the last."""
    wild = cards % 13 == 1 if game == "deuces_wild" else cards == 52
    held = np.zeros((len(cards), 13), np.int8)
    suits = np.zeros(len(cards), np.uint8)
    for place in range(5):
        natural = ~wild[:, place]
        held[np.flatnonzero(natural), cards[natural, place] % 13] += 1
        suits[natural] |= (1 << cards[natural, place] // 13).astype(np.uint8)
    wilds = wild.sum(axis=1)
    ranks = (held > 0) @ (1 << np.arange(13))
    copies = np.sort(held, axis=1)[:, ::-1]
    most, second = copies[:, 0] + wilds, copies[:, 1]
    suited, different = (suits & (suits - 1)) == 0, copies[:, 0] <= 1
    straight = different & np.any([ranks & ~window == 0 for window in WINDOWS], axis=0)
    royal = suited & different & (ranks & ~ROYAL == 0)
    is_a = {
        "royal": royal & (wilds == 0),
        "four deuces": wilds == 4,
        "wild royal": royal,
        "five": most == 5,
        "straight flush": suited & straight,
        "four": most >= 4,
        "full house": (most == 3) & (second == 2),
        "flush": suited,
        "straight": straight,
        "three": most >= 3,
        "two pair": (copies[:, 0] == 2) & (second == 2),
        "kings": (held[:, [0, 12]].max(axis=1) + wilds) >= 2,
    }
    order = (
        "royal,four deuces,wild royal,five,straight flush,four,full house,flush,straight,three"
        if game == "deuces_wild"
        else "royal,five,wild royal,straight flush,four,full house,flush,straight,three,two pair,kings"
    )
    tests = [is_a[name] for name in order.split(",")]
    return np.select(tests, range(len(tests)), len(tests)).astype(np.int64)


def classes(cards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One deal of each class under exchange of suits, and the size of the class."""
    ranks = np.zeros((len(cards), 5), np.uint64)
    for place in range(5):
        card = cards[:, place].astype(np.int64)
        ranks[np.arange(len(cards)), card // 13] |= np.uint64(1) << (card % 13).astype(np.uint64)
    ranks[:, :4].sort(axis=1)
    key = ranks @ (np.uint64(1) << (np.arange(5, dtype=np.uint64) * np.uint64(13)) % np.uint64(64))
    _, first, weights = np.unique(key, return_index=True, return_counts=True)
    order = np.argsort(first)
    return cards[first[order]], weights[order]


class Draws:
    """All draws to a hold, counted."""

    def __init__(self, game: str) -> None:
        self.deck, pays = DECKS[game], PAYS[game]
        self.pays = np.array([*pays, 0])
        cards = hands(self.deck)
        row = rows(game, cards)
        words, self.starts, place = [], [], 0
        for wanted in range(len(pays)):
            paid = cards[row == wanted]
            length = -(-len(paid) // 64)
            member = np.zeros((self.deck + 1, 64 * length), bool)
            for column in range(5):
                member[paid[:, column], np.arange(len(paid))] = True
            member[self.deck, : len(paid)] = True
            words.append(np.packbits(member, axis=1).view(np.uint64))
            self.starts.append(place)
            place += length
        packed = np.concatenate(words, axis=1)
        self.has, self.hand = packed[:-1], packed[-1:]
        self.lacks = ~self.has

    def counts(self, deals: np.ndarray) -> Iterator[np.ndarray]:
        """The number of draws from each of the 32 holds to each row, (32, rows), for each deal."""
        before: list[int] = []
        split = [self.hand] * 6
        ways = np.array([math.comb(self.deck - 5, 5 - hold.bit_count()) for hold in range(32)])
        for deal in deals.tolist():
            same = next(
                (i for i, (a, b) in enumerate(zip(before, deal, strict=False)) if a != b), len(before)
            )
            before = deal
            for place in range(same, 5):
                without, with_it = (
                    split[place] & self.lacks[deal[place]],
                    split[place] & self.has[deal[place]],
                )
                split[place + 1] = np.concatenate([without, with_it])
            paid = np.add.reduceat(np.bitwise_count(split[5]), self.starts, axis=1, dtype=np.int64)
            yield np.column_stack([paid, ways - paid.sum(axis=1)])


def best_hold(game: str, deal: list[int], worth: list[int]) -> int:
    """The best hold; ties prefer more cards, then higher ranks, then higher suits."""
    most = max(worth)
    holds = [hold for hold in range(32) if worth[hold] == most]
    if len(holds) == 1:
        return holds[0]

    def height(card: int) -> int:
        wild = card % 13 == 1 if game == "deuces_wild" else card == 52
        return 14 if wild else card % 13 or 13

    in_suit = {
        card: sorted(
            (height(other) for other in deal if other // 13 == card // 13 and height(other) < 14),
            reverse=True,
        )
        for card in deal
    }
    order = sorted(
        range(5),
        key=lambda i: (height(deal[i]), in_suit[deal[i]] if height(deal[i]) < 14 else []),
        reverse=True,
    )
    return max(holds, key=lambda hold: (hold.bit_count(), [hold >> i & 1 for i in order]))


def common_draws(deck: int) -> int:
    return math.lcm(*(math.comb(deck - 5, drawn) for drawn in range(6)))


def run(game: str) -> dict[str, object]:
    """Enumerate all deals."""
    started, deck = time.perf_counter(), DECKS[game]
    deals, weights = classes(hands(deck))
    draws = Draws(game)
    scale = [common_draws(deck) // math.comb(deck - 5, 5 - hold.bit_count()) for hold in range(32)]
    paid, found = hashlib.sha256(), [0] * len(draws.pays)
    for number, (deal, weight, counts) in enumerate(
        zip(deals.tolist(), weights.tolist(), draws.counts(deals), strict=True)
    ):
        sums = counts @ draws.pays
        paid.update(sums.astype("<i8").tobytes())
        hold = best_hold(game, deal, [int(a) * b for a, b in zip(sums, scale, strict=True)])
        for row, count in enumerate(counts[hold].tolist()):
            found[row] += weight * count * scale[hold]
        if number % 10_000 == 0:
            print(f"{game}: {number:,} of {len(deals):,}, {time.perf_counter() - started:.0f} s", flush=True)
    return {
        "deals": len(deals),
        "hands": math.comb(deck, 5),
        "sums of the pays of 32 holds each, SHA-256": paid.hexdigest(),
        "counts of optimal play": found,
        "minutes": round((time.perf_counter() - started) / 60, 1),
    }


def main() -> None:
    results = {"command": COMMAND, **{game: run(game) for game in sys.argv[1:] or PAYS}}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
