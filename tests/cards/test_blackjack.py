"""Blackjack: shoes of one SHA-512, rounds, explanations."""

from __future__ import annotations

import math
import pickle
import random
from dataclasses import FrozenInstanceError, asdict
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from oracles import blackjack as oracle
from provably_fair.cards import Blackjack, Rules
from provably_fair.operators import crypto_games

SERVER, CLIENT = "Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn"
COMMITMENT = "581b31f8cd6e5d4bb510ac0e53a440af7baab92f8f1f220eff14e20201e0b1f6"
HASH = (
    "2b87fbc5eac7368ef393c8ab292f71a0251702f6db028ca8a855bfaa541b78df"
    "3ae996ad22ac022588a46231ed32180d5cbde86dff5d2368cbb7658332bbb9bc"
)
GAME = crypto_games.Blackjack()
SHOE = "5♣ 6♦ 3♣ 5♣ 3♠ K♦ 5♣ 6♣ 3♥ 3♣ 9♣ 10♠ 5♠ Q♦ J♥ 3♠ J♦ K♠ 8♦ 10♦"
CHANGES = {
    "doc": {},
    "s17": {"soft_17": "stand"},
    "peek": {"hole_card": "peek"},
    "obo": {"hole_card": "original_bet"},
    "late": {"surrender": "late"},
    "none": {"surrender": "none"},
    "das-": {"double_after_split": False},
    "three": {"split_hands": 3},
    "four": {"split_hands": 4},
    "aces1": {"split_aces": "one_card"},
    "acesh": {"split_aces": "hit"},
    "re": {"resplit_aces": True},
    "21": {"ten_ace_after_split": "21"},
    "d9": {"double": "9-11"},
    "d10": {"double": "10-11"},
}


def rules_of(text):
    changes = {}
    for word in text.split("+"):
        if word.startswith("pay="):
            changes["blackjack_pays"] = Fraction(word.removeprefix("pay="))
        else:
            changes |= CHANGES[word]
    return Rules(**changes)


def table():
    for line in (VECTORS / "blackjack_hands.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield pytest.param(*(field.strip() for field in line.split("|")), id=line)


# ---- the document's hand ----


def test_the_documents_shoe():
    shoe = GAME.play(SERVER, CLIENT)
    assert shoe.dtype == np.int64
    assert str(pf.cards.Hand(shoe)) == SHOE
    assert GAME.play(hash=HASH).tolist() == shoe.tolist()
    # The hash has 49 cards.
    assert crypto_games.Blackjack(cards=52).play(SERVER, CLIENT).tolist()[48:].count(-1) == 3


def test_the_documents_hand():
    played = GAME.replay(SERVER, CLIENT, actions=["double"])
    assert str(played.hands[0].cards) == "5♣ 6♦ 3♠"
    assert (played.hands[0].total, played.hands[0].bets, played.hands[0].outcome) == (14, 2, "loss")
    assert str(played.dealer) == "3♣ 5♣ K♦"
    assert played.dealer_total == 18
    assert played.net == -2
    assert played.exact_net == Fraction(-2)
    assert played.cards == pf.cards.Hand(crypto_games.Blackjack(cards=6).play(SERVER, CLIENT))
    assert played == GAME.replay(hash=HASH, actions=["double"])
    assert played == crypto_games.Blackjack(cards=1).replay(SERVER, CLIENT, actions=["double"])
    assert "net      -2 bets" in str(played)
    assert "K♦" in played._repr_html_()


def test_the_documents_walk_through():
    explanation = GAME.explain(SERVER, CLIENT, actions=["double"], commitment=COMMITMENT)
    assert explanation.committed is True
    rows = [(step.place, step.passed, step.word, step.result) for step in explanation.steps]
    assert rows == [
        (0, (), 43, 43),
        (1, (), 135, 135),
        (3, (251,), 197, 197),
        (5, (234,), 199, 199),
        (6, (), 54, 54),
        (7, (), 142, 142),
    ]
    assert explanation.outcome == GAME.replay(SERVER, CLIENT, actions=["double"])
    text = str(explanation)
    for line in (
        " 43  5♣  player",
        "135  6♦  player",
        "197  3♣  dealer, upcard",
        "199  5♣  dealer, hole card",
        " 54  3♠  player",
        "142  K♦  dealer",
        "passed over before it: 251",
    ):
        assert any(row.strip() == line.strip() for row in text.splitlines()), line
    assert HASH in text
    assert SERVER + CLIENT in text
    assert SERVER in text
    assert "-2 bets" in text
    assert HASH in explanation._repr_html_()
    assert explanation.to_dict()["committed"] is True


def test_explaining_without_actions_shows_the_shoe():
    explanation = GAME.explain(SERVER, CLIENT)
    assert explanation.to_dict()["cards"] == SHOE.split()
    assert explanation.outcome.tolist() == [step.result for step in explanation.steps]
    # Bytes of no card, and those of cards that were dealt before, are passed over.
    read = [word for step in explanation.steps for word in (*step.passed, step.word)]
    assert bytes(read).hex() == HASH[: 2 * len(read)]
    passed = [word for step in explanation.steps for word in step.passed]
    assert any(word < 208 for word in passed)
    assert all(word > 207 or word in explanation.outcome for word in passed)
    split = GAME.explain(hash=of_cards("8s 8h 6s 10s 10h Js Qs"), actions=["split", "stand", "stand"])
    rows = str(split).split("Cards, and where they were dealt\n")[1].split("\n\n")[0].splitlines()
    roles = [row.split(maxsplit=2)[2] for row in rows]
    assert roles[4:] == ["player, hand 1", "player, hand 2", "dealer"]


# ---- settling ----


@pytest.mark.parametrize(("rules", "cards", "actions", "expected"), list(table()))
def test_hands_settled_by_hand(rules, cards, actions, expected):
    ranks = cards.split()
    suits = "shdc"
    named = [rank + suits[place % 4] for place, rank in enumerate(ranks)]
    game = Blackjack(rules_of(rules))
    played = game.settle(named, [] if actions == "-" else actions.split())
    assert [hand.exact_net for hand in played.hands] == [Fraction(net) for net in expected.split()]
    assert played.exact_net == sum(Fraction(net) for net in expected.split())
    # All cards of the example are needed.
    assert len(played.cards) == len(ranks)


def test_outcomes_have_names():
    def outcomes(rules, cards, actions):
        return [hand.outcome for hand in Blackjack(rules_of(rules)).settle(cards, actions).hands]

    assert outcomes("doc", "Ah Kh 9s 8s", []) == ["blackjack"]
    assert outcomes("doc", "Kh Kd 9s 8s", ["stand"]) == ["win"]
    assert outcomes("doc", "Ah Kh Ad Kd", []) == ["push"]
    assert outcomes("doc", "9h 8h 9d 9s", ["stand"]) == ["loss"]
    assert outcomes("doc", "9h 8h 9d 9s Kh", ["hit"]) == ["bust"]
    assert outcomes("doc", "9h 8h 9d 9s", ["surrender"]) == ["surrender"]
    assert outcomes("late", "9h 8h Ad Ks", ["surrender"]) == ["loss"]
    assert outcomes("obo", "8h 8d Ad Ks Kd Kc", ["split", "stand", "stand"]) == ["loss", "returned"]


@pytest.mark.parametrize(
    ("choices", "rounds"), [(oracle.CHOICES, 1000), (oracle.MORE_CHOICES, 2000)], ids=["usual", "more"]
)
def test_random_rounds_equal_the_oracle(choices, rounds):
    choice = random.Random(5)
    exhausted = 0
    for number in range(rounds):
        rules = {name: choice.choice(values) for name, values in choices.items()}
        game = Blackjack(Rules(**rules))
        # Few kinds of cards, so that pairs, aces and blackjacks are common.
        kinds = [*choice.sample(range(13), 4), 0, 9]
        cards = [choice.choice(kinds) + 13 * choice.randrange(16) for _ in range(choice.choice([8, 40]))]
        style = choice.random()

        def choose(hand, upcard, legal, style=style, choice=choice):
            if "split" in legal and style < 0.8:
                return "split"
            return choice.choice(legal)

        state = choice.getstate()
        try:
            expected = oracle.play(rules, cards, choose)
        except oracle.OutOfCardsError:
            exhausted += 1
            choice.setstate(state)
            with pytest.raises(ValueError, match=r"cards has only \d+ cards, and this round needs more"):
                game.settle(cards, lambda d, choose=choose: choose(None, None, sorted(d.legal)))
            continue
        after = choice.getstate()
        choice.setstate(state)
        played = game.settle(cards, lambda d, choose=choose: choose(None, None, sorted(d.legal)))
        found = {
            "hands": [tuple(hand.cards) for hand in played.hands],
            "bets": [hand.bets for hand in played.hands],
            "dealer": tuple(played.dealer),
            "nets": [hand.exact_net for hand in played.hands],
            "actions": played.actions,
            "insurance": played.insurance,
        }
        assert found == expected, (number, rules, cards)
        assert choice.getstate() == after
        assert game.settle(cards, played.actions) == played
    assert 0 < exhausted < 1000


# ---- shoes ----


def test_shoes_equal_the_oracle():
    game = crypto_games.Blackjack(cards=52)
    seeds = [(f"server {i}", f"client {i * i}") for i in range(2000)]
    servers, clients = map(list, zip(*seeds, strict=True))
    dealt = game.play(servers, clients)
    assert dealt.tolist() == [oracle.shoe(s, c, "", 52) for s, c in seeds]
    short = (dealt[:, -1] == -1).mean()
    assert 0.9 < short < 1
    nonces = [str(i) for i in range(100)]
    expected = [oracle.shoe("s", "c", nonce) for nonce in nonces]
    assert GAME.play("s", "c", nonce=nonces).tolist() == expected
    assert GAME.play("s", "c", nonces, dtype="int16", threads=2).tolist() == expected
    assert GAME.play("s", "c", range(100)).tolist() == expected


def of_cards(cards):
    """A hash that deals these cards and no others."""
    copies = {}
    numbers = []
    for name in cards.split():
        card = pf.cards.parse(name)
        numbers.append(card + 52 * copies.get(card, 0))
        copies[card] = copies.get(card, 0) + 1
    return bytes(numbers + [255] * (64 - len(numbers))).hex()


def test_a_shoe_that_runs_out():
    game = GAME
    assert crypto_games.Blackjack(cards=3).play(hash="ff" * 64).tolist() == [-1, -1, -1]
    for cards, actions in [
        ("8h 8d 6s", ["stand"]),
        ("8h 8d 6s Ks", ["stand"]),
        ("8h 8d 6s Ks", ["split", "stand", "stand"]),
        ("8h 3d 6s Ks", ["double"]),
    ]:
        with pytest.raises(ValueError, match=r"the deal has only \d cards, and this round needs more"):
            game.replay(hash=of_cards(cards), actions=actions)
    # Cards that are not needed are not missed.
    assert game.replay(hash=of_cards("Kh Qd 9s Ks"), actions=["stand"]).net == 1
    explanation = game.explain(hash=of_cards("8h 8d 6s"))
    assert [step.result for step in explanation.steps] == [20, 33, 5]
    assert explanation.outcome.tolist() == [20, 33, 5] + [-1] * 17


# ---- refused arguments ----


def test_actions_that_are_refused():
    game = Blackjack()

    def message(actions, cards="5c 6d 3c 5h 3s Kd", error=ValueError):
        with pytest.raises(error) as caught:
            game.settle(cards, actions)
        return str(caught.value)

    assert message(["split"]).startswith("actions[0] must be one of hit, stand, double, surrender")
    assert "(hand 1, 5♣ 6♦ (11) against 3♣)" in message(["split"])
    assert message([]).endswith("can be followed by one of hit, stand, double, surrender")
    assert message(["hit"]).endswith("5♣ 6♦ 3♠ (14) against 3♣ can be followed by one of hit, stand")
    assert message(["hit", "double"]).startswith("actions[1] must be one of hit, stand (")
    assert message(["double", "stand"]) == "actions must end with the round, after 1, got 2"
    assert message(["fly"]).startswith("actions must be words (hit, stand, double,")
    assert message(["fly"]).endswith("apart or together, got ['fly']")
    assert message(["\ud800"]).startswith("actions must be words")
    assert message(lambda _: "\ud800").startswith("the strategy's action must be one of")
    assert message([1]).endswith("got [1]")
    assert message(7, error=TypeError) == "actions must be text, a sequence of str or a callable, got int"
    assert message(lambda _: "split").startswith("the strategy's action must be one of hit, stand, double")
    assert message(lambda _: None, error=TypeError).endswith("got NoneType")
    assert message(lambda _: 1 / 0, error=ZeroDivisionError) == "division by zero"
    assert message([], [1, -1]) == "cards must be numbers or names of cards, got -1 at index 1"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("blackjack_pays", 0),
        ("blackjack_pays", "6:5"),
        ("double", "9"),
        ("surrender", "early 11"),
        ("surrender", "never 10"),
        ("surrender", "late 9-2"),
        ("double", "hard 3"),
        ("double", "soft 21"),
        ("double", "hard 9 11"),
    ],
)
def test_rules_that_are_refused(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be"):
        Rules(**{name: value})


def test_rules_are_values():
    rules = Rules()
    assert asdict(rules) == oracle.DOCUMENT | {"decks": None}
    assert asdict(GAME.table.rules) == oracle.DOCUMENT
    for pays in (1.2, "6/5", Fraction(12, 10), np.float64(1.2)):
        assert Rules(blackjack_pays=pays) == rules
    assert hash(Rules(decks=np.int64(4))) == hash(Rules(decks=4))
    for decks in (None, 4, math.inf):
        assert pickle.loads(pickle.dumps(Rules(decks=decks))) == Rules(decks=decks)
    assert len({Rules(decks=decks) for decks in (None, 4, math.inf)}) == 3
    with pytest.raises(FrozenInstanceError):
        rules.decks = 6
    game = pickle.loads(pickle.dumps(Blackjack(Rules(surrender="none"))))
    assert game == Blackjack(Rules(surrender="none")) != Blackjack()
    assert len({game, Blackjack(), Blackjack(Rules())}) == 2
    played = GAME.replay(SERVER, CLIENT, actions=["double"])
    assert pickle.loads(pickle.dumps(played)) == played


def test_single_rules_are_arguments_of_the_game():
    assert Blackjack(decks=6) == Blackjack(Rules(decks=6))
    assert Blackjack(Rules(decks=6), surrender="none").rules == Rules(decks=6, surrender="none")
    better, usual = Blackjack(decks=4, blackjack_pays=1.5), Blackjack(decks=4)
    assert better.analyze().house_edge < usual.analyze().house_edge
    assert repr(Blackjack(decks=6)) == repr(Blackjack(Rules(decks=6)))
    with pytest.raises(TypeError, match=r"^deck isn't a rule; the rules are decks, soft_17"):
        Blackjack(deck=6)


def test_a_strategy_sees_the_whole_decision():
    seen = []

    def strategy(decision):
        seen.append(decision)
        return "split" if "split" in decision.legal else "stand"

    Blackjack().settle("Kh Jd 6s 10s Ah 5c Qd", strategy)
    first, second = seen
    assert (first.total, first.soft, first.pair, first.split_from) == (20, False, "10", None)
    assert (first.turn, first.upcard, first.upcard_value) == (0, 5, "6")
    assert first.legal == ("hit", "stand", "double", "split", "surrender")
    # The first hand of the split was a blackjack, with which there is no decision.
    assert (second.turn, second.total, second.split_from, str(second.hand)) == (1, 15, "10", "J♦ 5♣")
    assert [str(hand) for hand in second.hands] == ["K♥ A♥", "J♦ 5♣"]
    assert str(second) == "J♦ 5♣ (15) against 6♠: hit, stand, double"
