"""Royal flushes in sequence: every order of the cards that are drawn, one by one."""

from __future__ import annotations

import itertools
import pickle
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest

Paytable, VideoPoker = pf.cards.Paytable, pf.cards.VideoPoker
UP = VideoPoker(Paytable(800, 50, 25, sequential_royal_flush=10_000))
EITHER = VideoPoker(Paytable(800, 50, 25, sequential_royal_flush=10_000, reversible=True))
SUITS = VideoPoker(
    Paytable({"h": 2000, "s,d,c": 800}, 50, 25, sequential_royal_flush=10_000, reversible=True)
)
DEUCES = VideoPoker(
    Paytable(800, 9, 5, 3, 2, 2, 1, None, None, wild="2", four_wild=200, sequential_royal_flush=20_000)
)
GAMES = {"up": UP, "either": EITHER, "suits": SUITS, "deuces": DEUCES}
PLAIN = VideoPoker(Paytable(800, 50, 25))
UPWARD = [9, 10, 11, 12, 0]


def bonus(game, hand):
    """Return the additional pay of five cards for their order."""
    table = game.paytable
    ranks = [card % 13 for card in hand]
    if max(hand) >= 52 or len({card // 13 for card in hand}) > 1:
        return 0
    if ranks != UPWARD and not (table.reversible and ranks == UPWARD[::-1]):
        return 0
    royal = table.royal_flush
    other = (royal["h"] if hand[0] // 13 == 1 else royal["s,d,c"]) if hasattr(royal, "items") else royal
    return table.sequential_royal_flush - other


def without_sequence(game):
    return VideoPoker(
        Paytable(**{**game.paytable._arguments(), "sequential_royal_flush": None, "reversible": False})
    )


HANDS = [
    "T♥ 3♠ Q♥ K♥ A♥",
    "A♥ J♥ Q♥ 3♣ T♥",
    "3♠ J♦ Q♦ 9♦ A♦",
    "K♠ Q♥ Q♠ T♠ A♣",
    "T♣ J♣ Q♣ K♣ A♣",
    "4♠ 8♠ 9♥ 5♥ 6♥",
]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("hand", HANDS)
def test_holds_are_worth_the_mean_of_all_orders_of_the_draw(name, hand):
    game = GAMES[name]
    values, plain = game.hold_values(hand, exact=True), without_sequence(game).hold_values(hand, exact=True)
    cards = list(pf.cards.Hand(hand))
    left = [card for card in range(52) if card not in cards]
    for hold in range(32):
        free = [place for place in range(5) if not hold >> place & 1]
        orders, more = 1, 0
        for place in range(len(free)):
            orders *= 47 - place
        # Only cards of one suit from the ten to the ace can be a royal flush.
        for suit in range(4):
            royal = [card for card in left if card // 13 == suit and card % 13 in UPWARD]
            for drawn in itertools.permutations(royal, len(free)):
                whole = list(cards)
                for place, card in zip(free, drawn, strict=True):
                    whole[place] = card
                more += bonus(game, whole)
        if not free:
            more //= 4
        assert values[hold] == plain[hold] + Fraction(more, orders), hold
    floats = game.hold_values(hand)
    assert floats.tolist() == [float(value) for value in values]
    best = sum(1 << place for place, held in enumerate(game.best_hold(hand)) if held)
    assert values[best] == max(values)


def test_what_is_best_depends_on_where_cards_lie():
    # A pair of kings, or three to a royal flush with every card in its place.
    assert UP.best_hold("T♠ J♠ Q♠ 2♣ 2♦").tolist() == [True, True, True, False, False]
    assert UP.best_hold("Q♠ T♠ 2♣ J♠ K♦").tolist() == PLAIN.best_hold("Q♠ T♠ 2♣ J♠ K♦").tolist()
    assert EITHER.best_hold("A♠ K♠ Q♠ A♣ 2♦").tolist() == [True, True, True, False, False]
    assert UP.best_hold("A♠ K♠ Q♠ A♣ 2♦").tolist() == [True, False, False, True, False]


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize(
    ("pays", "published"),
    # wizardofodds.com/games/video-poker/tables/sequential-royal: 50,000 coins for five.
    [((9, 6), "99.78"), ((8, 5), "97.53"), ((6, 5), "95.23")],
)
def test_published_returns(pays, published):
    analysis = VideoPoker(Paytable(800, 50, 25, *pays, sequential_royal_flush=10_000)).analyze()
    assert f"{100 * analysis.rtp:.2f}" == published


def test_the_published_frequency_of_royal_flushes_in_either_direction():
    # Once in 1.9 million hands, by the same author.
    assert round(1e-6 / EITHER.analyze().rows[0].probability, 1) == 1.9


def test_players_who_do_not_look_where_cards_lie():
    # Whatever is held, one royal flush in 60 is in sequence, so the best play is that for the mean pay.
    plain = VideoPoker(Paytable(800 + Fraction(9200, 60), 50, 25))
    rules = ["two pair", "high pair", "3 to a royal flush", "2 to a royal flush", "1 high card"]
    blind, known = EITHER.analyze(rules, mistakes=3), plain.analyze(rules, mistakes=3)
    assert blind.exact_rtp == known.exact_rtp
    assert blind.mistakes == known.mistakes
    # Considering the positions of cards returns more, but not much.
    assert 0 < blind.optimal.exact_rtp - known.optimal.exact_rtp < Fraction(1, 1000)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["up", "deuces"])
def test_analyses_agree_with_their_totals(name):
    analysis = GAMES[name].analyze()
    assert sum(row.combinations for row in analysis.rows) == analysis.total
    law = analysis.multi_hand_law(2)
    assert law.mean(exact=True) == 2 * analysis.exact_rtp
    assert law.var(exact=True) == analysis.multi_hand_variance(2, exact=True)


def test_optimal_play_of_deals_in_random_orders():
    # The mean of the best holds' values over random deals, compared with the return.
    rng = np.random.default_rng(5)
    deals = np.argsort(rng.random((50_000, 52)), axis=1)[:, :5]
    best = EITHER.hold_values(deals).max(axis=1)
    assert abs(best.mean() - EITHER.analyze().rtp) < 4 * best.std() / len(best) ** 0.5


def test_rounds_are_paid_by_how_they_lie():
    cards = ["T♥ J♥ Q♥ K♥ A♥", "A♥ K♥ Q♥ J♥ T♥", "A♥ J♥ Q♥ K♥ T♥", "T♥ J♥ Q♥ K♥ A♠", "T♥ 3♠ Q♥ K♥ A♥"]
    rest = "J♥ 4♠ 5♠ 6♠ 7♣"
    expected = {
        "up": ["sequential royal flush", "royal flush", "royal flush", "straight", "sequential royal flush"],
        "either": ["sequential royal flush", "sequential royal flush", "royal flush", "straight"],
    }
    for name, categories in expected.items():
        for hand, category in zip(cards, categories, strict=False):
            hold = [1, 3, 4, 5] if "3♠" in hand else [1, 2, 3, 4, 5]
            drawn = rest if "3♠" in hand else rest.replace("J♥", "9♣")
            assert GAMES[name].settle(f"{hand} {drawn}", hold).category == category
    jokers = VideoPoker(Paytable(wild="joker", sequential_royal_flush=10_000))
    assert jokers.settle("T♠ J♠ Q♠ K♠ joker 2♣ 3♣ 4♣ 5♣ 6♣", [1, 2, 3, 4, 5]).category == "straight flush"


def test_bets_and_values():
    deal = pf.operators.crypto_games.VideoPoker().with_table(EITHER)
    assert deal.bet().exact_rtp == EITHER.analyze().exact_rtp
    assert pickle.loads(pickle.dumps(EITHER)) == EITHER != UP
    assert eval(repr(EITHER.paytable), {"Paytable": Paytable}) == EITHER.paytable
    assert EITHER.paytable.rows[:2] == (("sequential royal flush", 10_000), ("royal flush", 800))
