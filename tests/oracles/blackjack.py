"""Blackjack once more, in plain Python: the oracle of the tests.

Nothing here comes from the package. Cards are numbers, ranks are 1 (ace) to 10, results are fractions.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from fractions import Fraction

DOCUMENT = {
    "decks": 4,
    "soft_17": "hit",
    "hole_card": "all_bets",
    "blackjack_pays": Fraction(6, 5),
    "double": "any",
    "double_after_split": True,
    "split_hands": 2,
    "split_aces": "hit_and_double",
    "resplit_aces": False,
    "ten_ace_after_split": "blackjack",
    "surrender": "early",
}
CHOICES = {
    "decks": [4],
    "soft_17": ["hit", "stand"],
    "hole_card": ["peek", "all_bets", "original_bet"],
    "blackjack_pays": [Fraction(6, 5), Fraction(3, 2), Fraction(1)],
    "double": ["any", "9-11", "10-11", "none"],
    "double_after_split": [True, False],
    "split_hands": [1, 2, 3, 4],
    "split_aces": ["one_card", "hit", "hit_and_double"],
    "resplit_aces": [True, False],
    "ten_ace_after_split": ["blackjack", "21"],
    "surrender": ["none", "late", "early"],
}
"""What tests choose rules from."""


def shoe(server_seed: str, client_seed: str, nonce: str = "", cards: int = 20) -> list[int]:
    """Cards from the hash as the document walks through it, two characters at a time."""
    digest = hashlib.sha512((server_seed + client_seed + nonce).encode()).hexdigest()
    found: list[int] = []
    for position in range(0, 128, 2):
        number = int(digest[position : position + 2], 16)
        if number <= 207 and number not in found:
            found.append(number)
    return (found + [-1] * cards)[:cards]


def rank(card: int) -> int:
    return min(card % 13 + 1, 10)


def total(cards: list[int]) -> tuple[int, bool]:
    low = sum(rank(card) for card in cards)
    if low <= 11 and any(rank(card) == 1 for card in cards):
        return low + 10, True
    return low, False


class OutOfCardsError(Exception):
    pass


def play(rules: dict, cards: list[int], choose: Callable[[list[int], int, list[str]], str]) -> dict:
    """Plays a round; `choose` gets the hand, the upcard and the sorted legal actions."""
    rest = iter(cards)

    def deal() -> int:
        card = next(rest, None)
        if card is None:
            raise OutOfCardsError
        return card

    first, dealer = [deal(), deal()], [deal(), deal()]
    dealer_blackjack = total(dealer)[0] == 21
    taken: list[str] = []
    hands: list[dict] = [{"cards": first, "split": None, "bets": 1, "end": None}]
    if dealer_blackjack and rules["hole_card"] == "peek" and total(first)[0] != 21:
        if rules["surrender"] == "early":
            action = choose(first, dealer[0], legal(rules, hands[0], hands))
            taken.append(action)
            if action == "surrender":
                return outcome([{**hands[0], "end": "surrendered"}], dealer, [Fraction(-1, 2)], taken)
        return outcome([{**hands[0], "end": "stood"}], dealer, [Fraction(-1)], taken)

    place = 0
    while place < len(hands):
        hand = hands[place]
        if len(hand["cards"]) == 1:
            hand["cards"].append(deal())
        while hand["end"] is None:
            two_card_21 = len(hand["cards"]) == 2 and total(hand["cards"])[0] == 21
            if two_card_21 and (hand["split"] is None or rules["ten_ace_after_split"] == "blackjack"):
                hand["end"] = "blackjack"
                break
            allowed = legal(rules, hand, hands)
            if allowed == ["stand"]:
                hand["end"] = "stood"
                break
            action = choose(hand["cards"], dealer[0], allowed)
            taken.append(action)
            if action == "split":
                pair = rank(hand["cards"][0])
                moved = {"cards": [hand["cards"].pop()], "split": pair, "bets": 1, "end": None}
                hand["split"] = pair
                hands.insert(place + 1, moved)
                hand["cards"].append(deal())
                continue
            if action == "surrender":
                hand["end"] = "surrendered"
            elif action == "stand":
                hand["end"] = "stood"
            else:
                hand["cards"].append(deal())
                if action == "double":
                    hand["bets"], hand["end"] = 2, "stood"
                if total(hand["cards"])[0] > 21:
                    hand["end"] = "bust"
        place += 1

    if any(hand["end"] == "stood" for hand in hands):
        while True:
            count, soft = total(dealer)
            if count > 17 or (count == 17 and not (soft and rules["soft_17"] == "hit")):
                break
            dealer.append(deal())
    count = total(dealer)[0]

    nets = []
    for hand in hands:
        if hand["end"] == "surrendered":
            lost = dealer_blackjack and rules["surrender"] == "late"
            nets.append(Fraction(-1) if lost else Fraction(-1, 2))
        elif hand["end"] == "bust":
            nets.append(Fraction(-hand["bets"]))
        elif hand["end"] == "blackjack":
            nets.append(Fraction(0) if dealer_blackjack else rules["blackjack_pays"])
        elif dealer_blackjack:
            nets.append(Fraction(-hand["bets"]))
        else:
            mine = total(hand["cards"])[0]
            sign = 1 if count > 21 or mine > count else -1 if mine < count else 0
            nets.append(Fraction(sign * hand["bets"]))
    natural = len(hands) == 1 and hands[0]["end"] == "blackjack"
    given_up = hands[0]["end"] == "surrendered"
    if dealer_blackjack and rules["hole_card"] != "all_bets" and not natural and not given_up:
        nets = [Fraction(-1)] + [Fraction(0)] * (len(hands) - 1)
    return outcome(hands, dealer, nets, taken)


def outcome(hands: list[dict], dealer: list[int], nets: list[Fraction], taken: list[str]) -> dict:
    return {
        "hands": [tuple(hand["cards"]) for hand in hands],
        "bets": [hand["bets"] for hand in hands],
        "dealer": tuple(dealer),
        "nets": nets,
        "actions": tuple(taken),
    }


def legal(rules: dict, hand: dict, hands: list[dict]) -> list[str]:
    cards, split = hand["cards"], hand["split"]
    count = total(cards)[0]
    if count >= 21:
        return ["stand"]
    actions = {"stand"}
    two = len(cards) == 2
    if two and rank(cards[0]) == rank(cards[1]) and len(hands) < rules["split_hands"]:
        aces_again = rank(cards[0]) == 1 and split is not None
        if not aces_again or rules["resplit_aces"]:
            actions.add("split")
    if not (split == 1 and rules["split_aces"] == "one_card"):
        actions.add("hit")
        range_ = {"any": (0, 21), "9-11": (9, 11), "10-11": (10, 11), "none": (1, 0)}[rules["double"]]
        allowed = split is None or rules["double_after_split"]
        if split == 1 and rules["split_aces"] != "hit_and_double":
            allowed = False
        if two and allowed and range_[0] <= count <= range_[1]:
            actions.add("double")
        if two and split is None and rules["surrender"] != "none":
            actions.add("surrender")
    return sorted(actions)


# ---- exact expectations, slowly: four decks, the document's rules ----


def full_shoe(decks: int) -> tuple[int, ...]:
    return tuple([4 * decks] * 9 + [16 * decks])


def without(left: tuple[int, ...], *ranks: int) -> tuple[int, ...]:
    counts = list(left)
    for one in ranks:
        counts[one - 1] -= 1
    return tuple(counts)


@functools.cache
def dealer_chances(left: tuple[int, ...], low: int, ace: bool, cards: int) -> dict[object, Fraction]:
    """How the dealer's hand ends: 17 to 21, "bust", "blackjack". He hits soft 17."""
    soft = ace and low <= 11
    count = low + 10 if soft else low
    if cards == 2 and count == 21:
        return {"blackjack": Fraction(1)}
    if count > 21:
        return {"bust": Fraction(1)}
    if count > 17 or (count == 17 and not soft):
        return {count: Fraction(1)}
    chances: dict[object, Fraction] = {}
    for one in range(1, 11):
        if left[one - 1]:
            chance = Fraction(left[one - 1], sum(left))
            ends = dealer_chances(without(left, one), low + one, ace or one == 1, cards + 1)
            for end, part in ends.items():
                chances[end] = chances.get(end, Fraction(0)) + chance * part
    return chances


def stand_value(left: tuple[int, ...], count: int, upcard: int) -> Fraction:
    value = Fraction(0)
    for end, chance in dealer_chances(left, upcard, upcard == 1, 1).items():
        if end == "bust" or (isinstance(end, int) and end < count):
            value += chance
        elif end == "blackjack" or (isinstance(end, int) and end > count):
            value -= chance
    return value


def hit_value(left: tuple[int, ...], low: int, ace: bool, upcard: int) -> Fraction:
    """Taking a card, and playing on as is best."""
    value = Fraction(0)
    for one in range(1, 11):
        if left[one - 1]:
            chance = Fraction(left[one - 1], sum(left))
            value += chance * best_value(without(left, one), low + one, ace or one == 1, upcard)
    return value


def best_value(left: tuple[int, ...], low: int, ace: bool, upcard: int) -> Fraction:
    if low > 21:
        return Fraction(-1)
    count = low + 10 if ace and low <= 11 else low
    if count == 21:
        return stand_value(left, count, upcard)
    return max(stand_value(left, count, upcard), hit_value(left, low, ace, upcard))


def double_value(left: tuple[int, ...], low: int, ace: bool, upcard: int) -> Fraction:
    value = Fraction(0)
    for one in range(1, 11):
        if left[one - 1]:
            more, has_ace = low + one, ace or one == 1
            count = more + 10 if has_ace and more <= 11 else more
            after = Fraction(-1) if count > 21 else stand_value(without(left, one), count, upcard)
            value += 2 * Fraction(left[one - 1], sum(left)) * after
    return value
