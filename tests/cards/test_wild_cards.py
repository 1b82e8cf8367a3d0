"""Video poker with wild cards, against an oracle that tries every card that a wild one may stand for."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import pickle
import random
from collections import Counter

import folders
import numpy as np
import provably_fair as pf
import pytest
from oracles import wild_cards as brute_force
from provably_fair.cards import PAYTABLES, Paytable, VideoPoker
from provably_fair.operators import crypto_games

DEUCES = PAYTABLES["deuces_wild"]
JOKER = PAYTABLES["joker_poker"]
BRUTE_FORCE = json.loads((folders.VECTORS / "wild_cards.json").read_text(encoding="utf-8"))
TABLES = {
    "deuces wild": DEUCES,
    "joker poker": JOKER,
    "two jokers": Paytable(
        800, 50, 20, wild="joker", jokers=2, wild_royal_flush=100, five_of_a_kind={"A": 400, "2-K": 200}
    ),
    "aces wild": Paytable(800, 20, 10, 4, 3, 2, 1, None, None, wild="A", four_wild={"K": 400, "2-Q": 100}),
    "suits": Paytable({"h": 2000, "s,d,c": 800}, 50, 25, {"A": 12, "2-K": 9}),
}


def is_wild(paytable, card):
    return card >= 52 if paytable.jokers else paytable.wild is not None and card % 13 == rank(paytable.wild)


def rank(name):
    return pf.cards.rank(pf.cards.parse(f"{name}s"))


def grouped(pays, member):
    """The pay of the group that has a rank or a suit; a single pay applies to all."""
    if not hasattr(pays, "items"):
        return pays
    order = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    for group, pay in pays.items():
        for part in group.split(","):
            first, _, last = part.partition("-")
            known = order if first in order else ["s", "h", "d", "c"]
            if known.index(first) <= member <= known.index(last or first):
                return pay
    raise AssertionError((pays, member))


def natural_pay(table, hand):
    """Return the pay of five cards without wild ones; a card may occur twice."""
    ranks = Counter(card % 13 for card in hand)
    flush = len({card // 13 for card in hand}) == 1
    held = set(ranks)
    straight = len(held) == 5 and (max(held) - min(held) == 4 or held == {0, 9, 10, 11, 12})
    (most, count), *others = ranks.most_common()
    if straight and flush:
        return "royal" if held == {0, 9, 10, 11, 12} else table.straight_flush
    if count == 5:
        return (
            grouped(table.five_of_a_kind, most)
            if table.five_of_a_kind
            else grouped(table.four_of_a_kind, most)
        )
    if count == 4:
        return grouped(table.four_of_a_kind, most)
    if count == 3 and others[0][1] == 2:
        return grouped(table.full_house, most)
    if flush:
        return table.flush
    if straight:
        return table.straight
    if count == 3:
        return table.three_of_a_kind
    if count == 2 and others[0][1] == 2:
        return table.two_pair or 0
    high = count == 2 and (most or 13) >= (rank(table.minimum_pair) or 13)
    return (table.high_pair or 0) if high else 0


def best_pay(table, hand):
    """Return the pay of a hand: the largest over all cards that its wild ones may stand for."""
    natural = [card for card in hand if not is_wild(table, card)]
    wild = 5 - len(natural)
    found = []
    if max(hand) < 52 and natural_pay(table, hand) == "royal":
        found.append(grouped(table.royal_flush, hand[0] // 13))
    if wild == 4 and not table.jokers and table.four_wild is not None:
        found.append(grouped(table.four_wild, natural[0] % 13))
    # Trying three wild cards is enough: the fourth stands for the only natural card.
    for stand_in in itertools.combinations_with_replacement(range(52), min(wild, 3)):
        whole = [*natural, *stand_in, *([natural[0]] if wild == 4 else [])]
        pay = natural_pay(table, whole)
        if pay == "royal":
            if wild:
                pay = table.straight_flush if table.wild_royal_flush is None else table.wild_royal_flush
            else:
                pay = grouped(table.royal_flush, whole[0] // 13)
        found.append(pay)
    return max(found) if wild else found[-1]


def hands(table, count, seed):
    """Random hands, most of them with wild cards."""
    rng = random.Random(seed)
    deck = range(52 + table.jokers)
    wild = [card for card in deck if is_wild(table, card)]
    for _ in range(count):
        taken = rng.sample(wild, min(len(wild), rng.choice([0, 1, 1, 2, 2, 3, 4]))) if wild else []
        others = rng.sample([card for card in deck if card not in taken], 5 - len(taken))
        yield rng.sample(taken + others, 5)


@pytest.mark.thorough
@pytest.mark.parametrize("name", TABLES)
def test_what_hands_pay(name):
    table = TABLES[name]
    game = VideoPoker(table)
    # Three and four wild cards cost the oracle thousands of hands each.
    dealt = [hand for hand in hands(table, 400, name) if sum(is_wild(table, card) for card in hand) < 3]
    dealt += [hand for hand in hands(table, 60, name) if sum(is_wild(table, card) for card in hand) > 2][:6]
    rest = [[card for card in range(52) if card not in hand][:5] for hand in dealt]
    played = game.settle(np.hstack([dealt, rest]), [1, 2, 3, 4, 5])
    assert played.pay.tolist() == [best_pay(table, hand) for hand in dealt]


def test_published_counts():
    # Published on the scale of all deals times all draws. Straight flushes and lower hands depend on a choice
    # between two holds of the same value.
    rows = {row.hand: row.combinations for row in VideoPoker("deuces_wild").analyze().rows}
    published = {
        "royal flush": 440_202_756,
        "four deuces": 4_060_462_824,
        "wild royal flush": 35_796_957_696,
        "five of a kind": 63_818_309_856,
        "four of a kind": 1_294_427_430_576,
        "full house": 423_165_297_240,
    }
    assert {hand: 12 * rows[hand] for hand in published} == published


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["deuces_wild", "joker_poker"])
def test_every_hold_of_every_deal_by_brute_force(name):
    # All deals up to an exchange of suits; the oracle says how the sums were computed.
    found = BRUTE_FORCE[name]
    deals, weights = brute_force.classes(brute_force.hands(brute_force.DECKS[name]))
    assert (len(deals), weights.sum()) == (found["deals"], found["hands"])
    game = VideoPoker(name)
    ways = [math.comb(brute_force.DECKS[name] - 5, 5 - hold.bit_count()) for hold in range(32)]
    # Sums are integers far below 2**53, so rounding recovers them from the means.
    sums = np.rint(game.hold_values(deals.astype(np.int64)) * ways).astype("<i8")
    assert hashlib.sha256(sums.tobytes()).hexdigest() == found["sums of the pays of 32 holds each, SHA-256"]
    analysis = game.analyze()
    scale = found["hands"] * brute_force.common_draws(brute_force.DECKS[name]) // analysis.total
    assert [scale * row.combinations for row in analysis.rows] == found["counts of optimal play"]


def test_suited_royal_flushes():
    table = TABLES["suits"]
    by_suit = VideoPoker(table).analyze()
    alike = VideoPoker(Paytable(1100, 50, 25, {"A": 12, "2-K": 9})).analyze()
    assert by_suit.rows[0].hand == "royal flush h"
    assert by_suit.total == alike.total * (by_suit.total // alike.total)
    # A suit that pays more is drawn to more often, so that the return is higher than that of the mean pay.
    assert by_suit.exact_rtp > alike.exact_rtp


def test_rounds_with_jokers():
    game = VideoPoker("joker_poker")
    deal = crypto_games.VideoPoker().with_table(game)
    assert deal.simulate(2000).max() == 52
    rounds = deal.simulate(2000, strategy="optimal")
    assert rounds.hand.max() == 52
    played = game.settle("joker 5h 8c Ac 2c 3d 5d Jd 9h 6c", hold=[1, 3, 4, 5])
    assert (str(played.final), played.category) == ("joker 3♦ 8♣ A♣ 2♣", "kings or better")
    assert str(played.held) == "joker 8♣ A♣ 2♣"
    assert deal.tally(500, strategy="optimal").rounds == 500
    bet = deal.bet()
    assert bet.exact_rtp == game.analyze().exact_rtp
    assert abs(bet.simulate(20_000).mean() - bet.rtp) < 5 * bet.std / 20_000**0.5


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["joker poker", "two jokers", "suits"])
def test_bets_by_rules(name):
    # Holds are looked up by hand, ignoring an exchange of suits or of jokers.
    rules = ["straight", "three of a kind", "pair", "3 to a flush", "1 wild card", "1 high card"]
    bet = crypto_games.VideoPoker().with_table(VideoPoker(TABLES[name])).bet(strategy=rules)
    back = bet.simulate(20_000, seed=name)
    assert abs(back.mean() - bet.rtp) < 4 * bet.std / back.size**0.5


def test_strategies_in_words():
    game = VideoPoker("deuces_wild")
    rules = [
        "4 wild cards",
        "royal flush",
        "five of a kind",
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "4 to a royal flush",
        "4 to a straight flush with 1 wild card",
        "3 wild cards",
        "2 wild cards",
        "1 wild card",
        "pair",
        "nothing",
    ]
    simple = game.analyze(rules)
    assert simple.exact_cost == game.analyze().exact_rtp - simple.exact_rtp > 0
    assert simple.mistakes
    assert simple.optimal == game.analyze()


def test_hands_drawn_from_one_hold():
    # Published for 9/6 jacks or better: 1.966391, of counts with six digits.
    analysis = VideoPoker("jacks_or_better_9_6").analyze()
    assert analysis.covariance == pytest.approx(1.966391, abs=5e-6)
    assert analysis.multi_hand_variance(1, exact=True) == analysis.exact_variance
    assert analysis.multi_hand_variance(10) == pytest.approx(10 * 19.5147 + 90 * 1.9664, abs=0.01)
    # With all cards held, the two hands are the same.
    stand = VideoPoker("joker_poker").analyze(lambda hand: [1, 2, 3, 4, 5])
    assert stand.exact_covariance == stand.exact_variance
    # With no card held, they have almost nothing in common.
    redraw = VideoPoker("deuces_wild").analyze(lambda hand: [])
    assert 0 < redraw.exact_covariance < redraw.exact_variance / 100


@pytest.mark.parametrize("name", ["jacks_or_better_8_5", "illinois_deuces"])
def test_progressive_jackpots(name):
    game = VideoPoker(name)
    jackpot = game.break_even(exact=True)
    assert game.break_even() == float(jackpot)
    # A hundredth more or less puts the return above or below 1.
    below, above = (round(float(jackpot) + step, 2) for step in (-0.01, 0.01))
    assert game.with_jackpot(below).analyze().exact_rtp < 1 < game.with_jackpot(above).analyze().exact_rtp
    assert game.with_jackpot(800) == game


def test_wild_tables_are_values():
    for table in TABLES.values():
        assert pickle.loads(pickle.dumps(table)) == table
        assert eval(repr(table), {"Paytable": Paytable}) == table
        assert hash(table) == hash(pickle.loads(pickle.dumps(table)))
    assert Paytable(800, 9, 5, 3, 2, 2, 1, None, None, wild="3", four_wild=200) != DEUCES
    assert repr(Paytable(wild="joker")) == repr(Paytable(wild="JOKER", jokers=1))


@pytest.mark.parametrize(
    ("error", "message", "arguments"),
    [
        (ValueError, "five_of_a_kind isn't supported without wild cards, got 15", {"five_of_a_kind": 15}),
        (ValueError, "four_wild isn't supported with jokers", {"wild": "joker", "four_wild": 9}),
        (ValueError, 'jokers isn\'t supported unless wild is "joker", got 1', {"jokers": 1}),
        (
            ValueError,
            "wild_royal_flush must pay at least what straight_flush pays, which it always is, got 10 and 75",
            {"wild": "2", "wild_royal_flush": 10},
        ),
        (
            ValueError,
            "five_of_a_kind must pay at least what four_of_a_kind",
            {"wild": "joker", "five_of_a_kind": 5},
        ),
        (
            ValueError,
            "three_of_a_kind must pay at least what two_pair pays, which it may be with wild cards, got 1",
            {"wild": "joker", "three_of_a_kind": 1, "high_pair": 0},
        ),
        (ValueError, "royal_flush must name groups of suits", {"royal_flush": {"x": 1}}),
        (
            ValueError,
            "royal_flush must give every royal flush a pay, got none for clubs",
            {"royal_flush": {"s,h,d": 1}},
        ),
        (ValueError, "full_house must give every full house a pay, got none for 2", {"full_house": {"A": 9}}),
        (ValueError, "four_wild must give every four wild a pay", {"wild": "2", "four_wild": {"A": 400}}),
        (
            ValueError,
            "sequential_royal_flush must pay at least what royal_flush pays, which it always is, got 700",
            {"royal_flush": {"h": 800, "s,d,c": 500}, "sequential_royal_flush": 700},
        ),
        (ValueError, "reversible needs a pay for sequential_royal_flush", {"reversible": True}),
    ],
)
def test_what_contradicts_itself_is_refused(error, message, arguments):
    with pytest.raises(error, match=message):
        Paytable(**arguments)
