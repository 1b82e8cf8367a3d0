"""Blackjack: analyses of small shoes, against every deal of them in plain Python."""

from __future__ import annotations

from fractions import Fraction

import provably_fair as pf
import pytest
from oracles import blackjack as oracle
from provably_fair._core.numbers import exactly
from provably_fair.cards import Blackjack, Chart, Decision

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
VALUES = RANKS[:10]
TENS = {0: 2, 9: 5, 10: 4}
EIGHTS = {7: 4, 5: 3, 9: 4}
ACES = {0: 4, 8: 3, 9: 6}
MIXED = {0: 2, 4: 3, 6: 3, 9: 5}


def player(analysis):
    """Return the decisions of an analysis, in the form that the oracle asks for."""
    known = {}

    def choose(hand, upcard, actions, split, hands):
        key = (tuple(sorted(map(oracle.rank, hand))), oracle.rank(upcard), tuple(actions), split, hands)
        if key not in known:
            total, soft = oracle.total(hand)
            cards = pf.cards.Hand(hand)
            decision = Decision(
                hands=(cards,) * hands,
                turn=0,
                upcard=upcard,
                legal=tuple(actions),
                total=total,
                soft=soft,
                pair=VALUES[oracle.rank(hand[0]) - 1]
                if len(hand) == 2 and oracle.rank(hand[0]) == oracle.rank(hand[1])
                else None,
                split_from=None if split is None else VALUES[split - 1],
                upcard_value=VALUES[oracle.rank(upcard) - 1],
            )
            known[key] = analysis(decision)
        return known[key]

    choose.sees_hands = True
    return choose


SMALL = [
    (EIGHTS, {}),
    (MIXED, {"hole_card": "peek", "insurance": True, "even_money": True, "blackjack_pays": "3/2"}),
    (ACES, {"hole_card": "all_bets", "insurance": True, "even_money": True, "surrender": "late"}),
    (ACES, {"hole_card": "peek", "insurance": True, "surrender": "early A", "resplit_aces": True}),
    (EIGHTS, {"surrender_after_split": True, "surrender": "early"}),
    (EIGHTS, {"surrender_after_split": True, "surrender": "late", "hole_card": "original_bet"}),
    (TENS, {"split_unlike_tens": False, "hole_card": "peek"}),
    (TENS, {"split_unlike_tens": False, "hole_card": "all_bets", "surrender": "none"}),
    (TENS, {"hole_card": "busted_bets_plus_one", "surrender": "none"}),
    (MIXED, {"hole_card": "busted_bets_plus_one", "double_cards": "any", "surrender": "late"}),
    (EIGHTS, {"hole_card": "busted_bets_plus_one", "surrender_after_split": True, "surrender": "early"}),
    (ACES, {"split_hands": "2 A, 1 2-10", "hole_card": "busted_bets_plus_one", "insurance": True}),
]


ALL_SPLIT = Chart(pairs=dict.fromkeys(VALUES, "P"))
# Every shoe with optimal play, and with one of the other strategies in turn.
PLAYED = [(shoe, changes, "optimal") for shoe, changes in SMALL]
PLAYED += [(shoe, changes, ("basic", ALL_SPLIT)[turn % 2]) for turn, (shoe, changes) in enumerate(SMALL)]


def test_the_law_of_an_insured_hand_that_busts():
    """The card that busts it is gone from those among which the dealer's blackjack may be."""
    rules = {"hole_card": "all_bets", "surrender": "none", "insurance": True, "double": "none"}
    insuring = Chart(hard=dict.fromkeys(range(4, 17), "H " * 9 + "IH"))
    test_the_law_of_every_deal({0: 2, 6: 4, 9: 6}, rules, insuring)


@pytest.mark.thorough
@pytest.mark.parametrize(("shoe", "changes", "strategy"), PLAYED, ids=lambda part: str(part)[:60])
def test_the_law_of_every_deal(shoe, changes, strategy):
    """The mean and every cell, from the strategy played through every order of the cards."""
    game = Blackjack(decks=4, **changes)
    analysis = game.analyze(strategy, shoe={RANKS[rank]: count for rank, count in shoe.items()})
    rules = oracle.DOCUMENT | changes
    rules["blackjack_pays"] = Fraction(rules["blackjack_pays"])
    law = oracle.every_round(rules, shoe, player(analysis))
    mean = sum(net * chance for net, chance in law.items())
    assert analysis.value == pytest.approx(float(mean), abs=1e-13)
    found = {
        exactly(net): chance
        for net, chance in zip(analysis.net.outcomes, analysis.net.probabilities, strict=True)
    }
    assert found == pytest.approx({net: float(chance) for net, chance in law.items()}, abs=1e-13)


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize(
    "changes", [{}, {"split_unlike_tens": False}, {"surrender_after_split": True}], ids=str
)
def test_three_hands_of_every_deal(changes):
    """The mean is exact; the law of so few cards isn't, and is refused."""
    shoe = {0: 2, 7: 6, 9: 4, 10: 3}
    game = Blackjack(decks=4, split_hands=3, split_aces="one_card", surrender="late", **changes)
    chart = Chart(pairs={8: "P", 10: "P"}, hard={12: "RS", 16: "RS", 18: "RS"})
    analysis = game.analyze(chart, shoe={RANKS[rank]: count for rank, count in shoe.items()})
    rules = oracle.DOCUMENT | {"split_hands": 3, "split_aces": "one_card", "surrender": "late"} | changes
    law = oracle.every_round(rules, shoe, player(analysis))
    mean = sum(net * chance for net, chance in law.items())
    assert analysis.value == pytest.approx(float(mean), abs=1e-13)
    assert "std" not in repr(analysis)
    with pytest.raises(ValueError, match=r"^shoe must have at least 52 cards"):
        analysis.net


def best(rules, left, hand, upcard, *, split=False):
    """The best play except splitting; hands of a split are surrendered where that is best and allowed."""
    values = oracle.plays_by(rules, left, hand, upcard)
    if split and rules["surrender_after_split"] and oracle.total_of_ranks(hand)[0] < 21:
        values["surrender"] = Fraction(-1, 2)
    return max(values.values())


@pytest.mark.thorough
@pytest.mark.parametrize("changes", [{}, {"surrender_after_split": True, "insurance": True}], ids=str)
def test_optimal_play_of_a_small_shoe(changes):
    """Every first action of every hand, followed by the best play, dealing every card in turn."""
    shoe = (3, 1, 0, 2, 2, 0, 3, 0, 2, 6)
    names = {RANKS[rank]: count for rank, count in enumerate(shoe) if count}
    game = Blackjack(decks=4, ten_ace_after_split="21", **changes)
    analysis = game.analyze(shoe=names)
    rules = oracle.DOCUMENT | {"ten_ace_after_split": "21"} | changes
    checked = 0
    for (label, up), values in analysis.values.items():
        hand = tuple(VALUES.index(name) + 1 for name in label.split(","))
        upcard = VALUES.index(up) + 1
        left = oracle.without(shoe, *hand, upcard)
        expected = {}
        if oracle.total_of_ranks(hand)[0] < 21:
            expected = oracle.plays_by(rules, left, hand, upcard) | {"surrender": Fraction(-1, 2)}
        if hand[0] == hand[1]:
            seconds = [second for second in range(1, 11) if left[second - 1]]
            one = sum(
                Fraction(left[second - 1], sum(left))
                * best(rules, oracle.without(left, second), (hand[0], second), upcard, split=True)
                for second in seconds
            )
            expected["split"] = 2 * one
        if upcard == 1 and "insurance" in changes:
            tens = Fraction(left[9], sum(left))
            natural = rules["blackjack_pays"] * (1 - tens)
            expected = expected or {"stand": natural}
            expected["insure"] = max(expected.values()) + (3 * tens - 1) / 2
        assert values == pytest.approx({name: float(value) for name, value in expected.items()}, abs=1e-13)
        checked += len(values)
    assert checked > 400


@pytest.mark.thorough
def test_tens_may_be_worth_one_split_and_no_more():
    # Two decks, tens against a 5, blackjack 2:1 also after splits: in fractions, by the cards left.
    upcard, ten = 5, 10
    start = oracle.without(oracle.full_shoe(2), ten, ten, upcard)
    shoes = [oracle.without(start, *[ten] * more) for more in range(3)]

    def chance(shoe, card):
        return Fraction(shoe[card - 1], sum(shoe))

    def standing(shoe, card):
        """Return the expectation of standing on a ten and this card."""
        left = oracle.without(shoe, card)
        return 2 if card == 1 else oracle.stand_by(oracle.DOCUMENT, left, (ten, card), upcard)

    def hand(shoe, cards):
        """Return the expectation of standing on a ten and one of these cards."""
        return sum(chance(shoe, card) * standing(shoe, card) for card in cards)

    for card in range(2, 11):  # it is played optimally, knowing only the pair
        plays = oracle.plays_by(
            oracle.DOCUMENT | {"double": "none"}, oracle.without(start, card), (ten, card), upcard
        )
        assert max(plays.values()) == standing(start, card)
    anything = [hand(shoe, range(1, 11)) for shoe in shoes]
    no_ten = [hand(shoe, range(1, 10)) for shoe in shoes]
    again, then = chance(shoes[0], ten), chance(shoes[1], ten)
    once = 2 * anything[0]
    # The first hand gets a ten; or the second one does, and the first didn't; or none.
    always = (
        3 * again * anything[1]
        + again * (no_ten[1] + 2 * (anything[1] - then * anything[2]))
        + 2 * (no_ten[0] - again * no_ten[1])
    )
    stand = oracle.stand_by(oracle.DOCUMENT, start, (ten, ten), upcard)
    assert once > always > stand
    rules = {"decks": 2, "soft_17": "hit", "hole_card": "peek", "blackjack_pays": 2, "resplit_aces": True}
    rules |= {"split_aces": "one_card", "double": "10-11", "surrender": "late"}
    found = Blackjack(**rules, split_hands=3).analyze()
    (tens,) = [one for one in found.hands if (one.hand, one.upcard) == ("10,10", "5")]
    assert tens.values["split"] == pytest.approx(float(once), rel=1e-12)
    assert tens.values["stand"] == pytest.approx(float(stand), rel=1e-12)
    # A program that always resplits tens if it splits them is off by this much.
    assert found.value == pytest.approx(0.02206904, abs=5e-9)
    assert found.value - tens.probability * float(once - always) == pytest.approx(0.02205581, abs=5e-9)
