"""Blackjack in plain Python: the oracle of the tests.

It is independent of the package. Cards are numbers, ranks are 1 (ace) to 10, results are fractions.
"""

from __future__ import annotations

import functools
import hashlib
import math
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
    "double_cards": "two",
    "charlie": None,
    "dealer_22": "bust",
    "split_unlike_tens": True,
    "surrender_after_split": False,
    "insurance": False,
    "even_money": False,
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
"""The rules that tests choose from."""
MORE_CHOICES = CHOICES | {
    "double": ["any", "hard", "soft", "9-11", "none", "hard 9-11, soft 13-18", "soft 17"],
    "surrender": ["none", "late", "early", "early 10", "early A, late 2-10", "late 9-10"],
    "double_cards": ["two", "any"],
    "charlie": [None, 3, 4, 5],
    "dealer_22": ["bust", "push"],
    "hole_card": ["peek", "all_bets", "original_bet", "busted_bets_plus_one"],
    "split_hands": [1, 2, 3, 4, "2 A, 4 2-10", "1 2-5, 3 6-10", "4 A, 2 10"],
    "split_unlike_tens": [True, False],
    "surrender_after_split": [False, True],
    "insurance": [False, True],
    "even_money": [False, True],
}
"""These and the rules that are asked for elsewhere."""


def shoe(server_seed: str, client_seed: str, nonce: str = "", cards: int = 20) -> list[int]:
    """Cards from the hash as in the document, two characters at a time."""
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


def play(rules: dict, cards: list[int], choose: Callable[..., str]) -> dict:
    """Play a round; `choose` receives the hand, the upcard and the sorted legal actions.

    With ``sees_hands`` it also receives the value of the pair that was split, and the number of hands.
    """
    chooser = choose

    def choose(hand: list[int], upcard: int, actions: list[str]) -> str:
        if not getattr(chooser, "sees_hands", False):
            return chooser(hand, upcard, actions)
        return chooser(hand, upcard, actions, hands[place]["split"], len(hands))

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
    insured, place = False, 0
    if dealer_blackjack and rules["hole_card"] == "peek" and total(first)[0] != 21:
        asked = rank(dealer[0]) == 1 and rules.get("insurance")
        early = surrender_against(rules, dealer[0]) == "early"
        if asked:
            action = choose(first, dealer[0], sorted([*legal(rules, hands[0], hands, dealer[0]), "insure"]))
            taken.append(action)
            insured = action == "insure"
        if insured or (early and not asked):
            action = choose(first, dealer[0], legal(rules, hands[0], hands, dealer[0]))
            taken.append(action)
        if (asked or early) and action == "surrender":
            lost = Fraction(-1, 2) if early else Fraction(-1)
            return outcome([{**hands[0], "end": "surrendered"}], dealer, [lost], taken, insured)
        return outcome([{**hands[0], "end": "stood"}], dealer, [Fraction(-1)], taken, insured)

    while place < len(hands):
        hand = hands[place]
        if len(hand["cards"]) == 1:
            hand["cards"].append(deal())
        while hand["end"] is None:
            two_card_21 = len(hand["cards"]) == 2 and total(hand["cards"])[0] == 21
            untouched = hand["split"] is None and len(hand["cards"]) == 2
            first_choices = []
            if untouched and rank(dealer[0]) == 1 and not insured:
                if rules.get("insurance"):
                    first_choices.append("insure")
                if rules.get("even_money") and two_card_21:
                    first_choices.append("even_money")
            if first_choices and two_card_21:
                action = choose(hand["cards"], dealer[0], sorted(["stand", *first_choices]))
                taken.append(action)
                insured = action == "insure"
                hand["end"] = "even_money" if action == "even_money" else "blackjack"
                break
            if two_card_21 and (hand["split"] is None or rules["ten_ace_after_split"] == "blackjack"):
                hand["end"] = "blackjack"
                break
            allowed = sorted(legal(rules, hand, hands, dealer[0]) + first_choices)
            if allowed == ["stand"]:
                hand["end"] = "stood"
                break
            action = choose(hand["cards"], dealer[0], allowed)
            taken.append(action)
            if action == "insure":
                insured = True
                continue
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

    if any(hand["end"] == "stood" and not is_charlie(rules, hand["cards"]) for hand in hands):
        while True:
            count, soft = total(dealer)
            if count > 17 or (count == 17 and not (soft and rules["soft_17"] == "hit")):
                break
            dealer.append(deal())
    count = total(dealer)[0]

    nets = []
    for hand in hands:
        if hand["end"] == "even_money":
            nets.append(Fraction(1))
        elif hand["end"] == "surrendered":
            lost = dealer_blackjack and surrender_against(rules, dealer[0]) == "late"
            nets.append(Fraction(-1) if lost else Fraction(-1, 2))
        elif hand["end"] == "bust":
            nets.append(Fraction(-hand["bets"]))
        elif hand["end"] == "blackjack":
            nets.append(Fraction(0) if dealer_blackjack else rules["blackjack_pays"])
        elif dealer_blackjack:
            nets.append(Fraction(-hand["bets"]))
        elif is_charlie(rules, hand["cards"]):
            nets.append(Fraction(hand["bets"]))
        elif count == 22 and rules.get("dealer_22") == "push":
            nets.append(Fraction(0))
        else:
            mine = total(hand["cards"])[0]
            sign = 1 if count > 21 or mine > count else -1 if mine < count else 0
            nets.append(Fraction(sign * hand["bets"]))
    alone = len(hands) == 1 and hands[0]["end"] in ("blackjack", "even_money", "surrendered")
    if dealer_blackjack and rules["hole_card"] in ("peek", "original_bet") and not alone:
        nets = [Fraction(-1)] + [Fraction(0)] * (len(hands) - 1)
    if dealer_blackjack and rules["hole_card"] == "busted_bets_plus_one" and not alone:
        early = surrender_against(rules, dealer[0]) == "early"
        due = Fraction(1)
        for place, hand in enumerate(hands):
            if hand["end"] == "bust" or (hand["end"] == "stood" and total(hand["cards"])[0] > 21):
                nets[place] = Fraction(-hand["bets"])
            elif hand["end"] == "surrendered" and early:
                nets[place] = Fraction(-1, 2)
            else:
                nets[place], due = -due, Fraction(0)
    return outcome(hands, dealer, nets, taken, insured)


def outcome(
    hands: list[dict], dealer: list[int], nets: list[Fraction], taken: list[str], insured: bool = False
) -> dict:
    insurance = (Fraction(1) if total(dealer[:2])[0] == 21 else Fraction(-1, 2)) if insured else None
    return {
        "insurance": insurance,
        "hands": [tuple(hand["cards"]) for hand in hands],
        "bets": [hand["bets"] for hand in hands],
        "dealer": tuple(dealer),
        "nets": nets,
        "actions": tuple(taken),
    }


def surrender_against(rules: dict, upcard: int) -> str:
    if rules["surrender"] in ("none", "late", "early"):
        return rules["surrender"]
    return word_of(rules["surrender"], rank(upcard)) or "none"


def most_hands(limit: int | str, pair: int) -> int:
    return limit if isinstance(limit, int) else int(word_of(limit, pair) or 1)


def word_of(items: str, wanted: int) -> str | None:
    """The word of the first item whose ranks include one: late, in "early A, late 2-10", for 2 to 10."""
    for item in items.split(", "):
        word, ranks = item.split()
        low, _, high = ranks.replace("A", "1").partition("-")
        if int(low) <= wanted <= int(high or low):
            return word
    return None


def is_charlie(rules: dict, cards: list[int]) -> bool:
    return rules.get("charlie") is not None and len(cards) >= rules["charlie"]


def may_double(rule: str, count: int, soft: bool) -> bool:
    if rule in ("any", "none"):
        return rule == "any"
    for item in rule.split(", "):
        kind, _, totals = item.rpartition(" ") if " " in item else ("hard", "", item)
        if item in ("hard", "soft"):
            kind, totals = item, "4-20"
        low, _, high = totals.partition("-")
        if (kind == "soft") == soft and int(low) <= count <= int(high or low):
            return True
    return False


def legal(rules: dict, hand: dict, hands: list[dict], upcard: int) -> list[str]:
    cards, split = hand["cards"], hand["split"]
    count, soft = total(cards)
    if count >= 21 or is_charlie(rules, cards):
        return ["stand"]
    actions = {"stand"}
    two = len(cards) == 2
    alike = rank(cards[0]) == rank(cards[1]) if two else False
    if alike and rank(cards[0]) == 10 and not rules.get("split_unlike_tens", True):
        alike = cards[0] % 13 == cards[1] % 13
    if alike and len(hands) < most_hands(rules["split_hands"], rank(cards[0])):
        aces_again = rank(cards[0]) == 1 and split is not None
        if not aces_again or rules["resplit_aces"]:
            actions.add("split")
    if not (split == 1 and rules["split_aces"] == "one_card"):
        actions.add("hit")
        allowed = split is None or rules["double_after_split"]
        if split == 1 and rules["split_aces"] != "hit_and_double":
            allowed = False
        enough = two or rules.get("double_cards") == "any"
        if enough and allowed and may_double(rules["double"], count, soft):
            actions.add("double")
        first = split is None or rules.get("surrender_after_split")
        if two and first and surrender_against(rules, upcard) != "none":
            actions.add("surrender")
    return sorted(actions)


# ---- exact expectations, slowly; dealer blackjacks take all bets ----


def full_shoe(decks: int) -> tuple[int, ...]:
    return tuple([4 * decks] * 9 + [16 * decks])


def without(left: tuple[int, ...], *ranks: int) -> tuple[int, ...]:
    counts = list(left)
    for one in ranks:
        counts[one - 1] -= 1
    return tuple(counts)


@functools.cache
def dealer_chances(
    left: tuple[int, ...], low: int, ace: bool, cards: int, pushes: bool = False
) -> dict[object, Fraction]:
    """The probabilities of the dealer's totals, "bust", "blackjack", and "22" if it pushes; hits soft 17."""
    soft = ace and low <= 11
    count = low + 10 if soft else low
    if cards == 2 and count == 21:
        return {"blackjack": Fraction(1)}
    if count > 21:
        return {"22" if pushes and count == 22 else "bust": Fraction(1)}
    if count > 17 or (count == 17 and not soft):
        return {count: Fraction(1)}
    chances: dict[object, Fraction] = {}
    for one in range(1, 11):
        if left[one - 1]:
            chance = Fraction(left[one - 1], sum(left))
            ends = dealer_chances(without(left, one), low + one, ace or one == 1, cards + 1, pushes)
            for end, part in ends.items():
                chances[end] = chances.get(end, Fraction(0)) + chance * part
    return chances


def stand_by(rules: dict, left: tuple[int, ...], hand: tuple[int, ...], upcard: int) -> Fraction:
    count = total_of_ranks(hand)[0]
    value = Fraction(0)
    for end, chance in dealer_chances(left, upcard, upcard == 1, 1, rules["dealer_22"] == "push").items():
        if end == "blackjack":
            value -= chance
        elif is_charlie(rules, list(hand)) or end == "bust" or (isinstance(end, int) and end < count):
            value += chance
        elif isinstance(end, int) and end > count:
            value -= chance
    return value


def total_of_ranks(hand: tuple[int, ...]) -> tuple[int, bool]:
    soft = 1 in hand and sum(hand) <= 11
    return sum(hand) + (10 if soft else 0), soft


def plays_by(rules: dict, left: tuple[int, ...], hand: tuple[int, ...], upcard: int) -> dict[str, Fraction]:
    """The expectation of each action but splitting and surrendering, playing optimally afterwards."""
    hand = tuple(sorted(hand))
    return dict(_plays(tuple(rules.items()), left, hand, upcard))


@functools.cache
def _plays(
    rules: tuple, left: tuple[int, ...], hand: tuple[int, ...], upcard: int
) -> tuple[tuple[str, Fraction], ...]:
    table = dict(rules)
    values = {"stand": stand_by(table, left, hand, upcard)}
    count, soft = total_of_ranks(hand)
    if count == 21 or is_charlie(table, list(hand)):
        return tuple(values.items())
    doubled = len(hand) == 2 or table["double_cards"] == "any"
    actions = ["hit", "double"] if doubled and may_double(table["double"], count, soft) else ["hit"]
    for action in actions:
        value = Fraction(0)
        for one in range(1, 11):
            if left[one - 1]:
                more, rest = tuple(sorted((*hand, one))), without(left, one)
                if sum(more) > 21:
                    after = Fraction(-1)
                elif action == "double":
                    after = stand_by(table, rest, more, upcard)
                else:
                    after = max(value for _, value in _plays(rules, rest, more, upcard))
                value += Fraction(left[one - 1], sum(left)) * after * (2 if action == "double" else 1)
        values[action] = value
    return tuple(values.items())


# ---- all deals of a small shoe ----


def every_round(rules: dict, shoe: dict[int, int], choose: Callable[..., str]) -> dict[Fraction, Fraction]:
    """The distribution of a round's result over all orders of a shoe with these counts of ranks 0 to 12."""
    whole = sum(shoe.values())
    ways: dict[tuple[Fraction, int], int] = {}

    def deal(cards: list[int], left: dict[int, int], orders: int) -> None:
        if len(cards) >= 4:
            try:
                played = play(rules, cards, choose)
            except OutOfCardsError:
                pass
            else:
                key = sum(played["nets"]) + (played["insurance"] or 0), len(cards)
                ways[key] = ways.get(key, 0) + orders
                return
        for rank_dealt, count in left.items():
            if count:
                deal([*cards, rank_dealt], left | {rank_dealt: count - 1}, orders * count)

    deal([], shoe, 1)
    law: dict[Fraction, Fraction] = {}
    for (net, cards), orders in ways.items():
        law[net] = law.get(net, Fraction(0)) + Fraction(orders, math.perm(whole, cards))
    assert sum(law.values()) == 1
    return law
