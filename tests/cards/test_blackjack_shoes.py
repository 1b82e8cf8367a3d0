"""Blackjack: shoes with a cut card, counts, effects of removal, insurance, shoes of other schemes."""

from __future__ import annotations

import hashlib
import hmac
import math
import pickle
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles import blackjack as oracle
from provably_fair.cards import Blackjack, Chart, Shoe, ShoeRounds
from provably_fair.operators import crypto_games

STAKE = pf.operators.stake
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


# ---- shoes with a cut card ----

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def shuffled(name, shoe, decks):
    """A shoe in plain Python: SplitMix64, and Fisher and Yates from the end."""
    key = int.from_bytes(hashlib.sha256(f"{name}:shoes".encode()).digest()[:8])
    state = mix(key + shoe * GAMMA & MASK)
    cards = [rank for rank in range(13) for _ in range(4 * decks)]
    for left in range(len(cards), 1, -1):
        while True:
            state = state + GAMMA & MASK
            product = (mix(state) >> 32) * left
            if product & 0xFFFFFFFF >= 2**32 % left:
                break
        place = product >> 32
        cards[left - 1], cards[place] = cards[place], cards[left - 1]
    return cards


def test_shoes_equal_plain_python():
    game = Shoe(decks=2).with_table(Blackjack(surrender="late"))
    chart = Chart(hard={11: "DH", 16: "RH"}, pairs={"A": "P", 8: "P"})
    played = game.simulate_shoes(4, penetration=0.6, strategy=chart, seed="plain", start=7)
    rules = oracle.DOCUMENT | {"decks": 2, "surrender": "late"}

    def choose(hand, upcard, actions):
        total, soft = oracle.total(hand)
        pair = len(hand) == 2 and oracle.rank(hand[0]) == oracle.rank(hand[1])
        if pair and oracle.rank(hand[0]) in (1, 8) and "split" in actions:
            return "split"
        wanted = {11: "double", 16: "surrender"}.get(total, "hit") if not soft else "hit"
        if wanted in actions and total < (18 if soft else 17):
            return wanted
        return "hit" if total < (18 if soft else 17) else "stand"

    place = 0
    for shoe in range(4):
        cards, dealt = shuffled("plain", 7 + shoe, 2), 0
        while dealt < round(0.6 * 104):
            assert played.shoe[place] == shoe
            assert played.seen[place].tolist() == [cards[:dealt].count(rank) for rank in range(13)]
            low, high = (
                sum(1 for card in cards[:dealt] if card in ranks) for ranks in (range(1, 6), TENS_ACE)
            )
            assert played.running[place] == low - high
            assert played.decks[place] == pytest.approx(2 - dealt / 52)
            one = oracle.play(rules, cards[dealt:], choose)
            assert played.nets[place] == float(sum(one["nets"]))
            dealt += sum(map(len, one["hands"])) + len(one["dealer"])
            place += 1
    assert place == len(played)


TENS_ACE = (0, 9, 10, 11, 12)


def test_bets_follow_a_count():
    game = Shoe(decks=6)
    calls = []

    def bet(running, decks):
        calls.append((running.shape, decks.shape))
        return np.where(running / decks >= 2, 10, 1)

    played = game.simulate_shoes(300, stake=bet, seed="count", threads=1)
    flat = game.simulate_shoes(300, seed="count", threads=2)
    assert calls == [((len(flat),), (len(flat),))]
    assert np.array_equal(played.nets, flat.nets)
    assert np.array_equal(played.stakes, np.where(flat.true_count >= 2, 10, 1))
    assert played.house_edge == pytest.approx(-(played.stakes * flat.nets).sum() / played.stakes.sum())
    lost = [
        -(played.won + played.house_edge * played.stakes)[played.shoe == shoe].sum() for shoe in range(300)
    ]
    error = math.sqrt(sum(one**2 for one in lost) * 300 / 299) / played.stakes.sum()
    assert played.standard_error == pytest.approx(error)
    aces = game.simulate_shoes(300, seed="count", tags={"A": 1, "K": 0.5})
    assert np.array_equal(aces.running, flat.seen[:, 0] + 0.5 * flat.seen[:, 12])
    parts = [game.simulate_shoes(100, seed="count", start=start) for start in (0, 100, 200)]
    assert np.concatenate([part.nets for part in parts]).tolist() == flat.nets.tolist()
    assert pickle.loads(pickle.dumps(flat)) == flat != played
    assert isinstance(flat, ShoeRounds)
    assert "true count" in str(flat)
    assert "<table" in flat._repr_html_()
    assert repr(flat).startswith("<ShoeRounds of 300 shoes")
    empty = game.simulate_shoes(0)
    assert len(empty) == 0
    assert math.isnan(empty.house_edge)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"stake": lambda running, decks: -(running**2) - 1},
            ValueError,
            "stake must return finite numbers from 0",
        ),
        ({"stake": lambda running, decks: running[:3]}, ValueError, "stake must return 59 numbers"),
        ({"stake": lambda running, decks: "one"}, TypeError, "stake must return numbers"),
    ],
)
def test_shoes_that_are_refused(arguments, error, message):
    with pytest.raises(error, match=f"^{message}"):
        Shoe(decks=4).simulate_shoes(**{"shoes": 2} | arguments)


def test_infinitely_many_decks_have_no_cut_card():
    with pytest.raises(TypeError, match=r"^decks must be"):
        Shoe(decks=math.inf)
    with pytest.raises(ValueError, match=r"^decks must be 6, or None, at Shoe\(decks=6, cards=20\), got inf"):
        Shoe(decks=6).with_table(Blackjack(decks=math.inf))
    with pytest.raises(ValueError, match=r"^decks must be finite: .*got math.inf"):
        Blackjack(decks=math.inf).removal_effects()


def test_a_table_that_needs_decks_says_so():
    for call in (
        lambda table: table.analyze(),
        lambda table: table.analyze("basic"),
        lambda table: table.removal_effects(),
        lambda table: table.rule_values(),
        lambda table: table.side_bet("pairs"),
        lambda table: table.insurance_bet(),
    ):
        with pytest.raises(ValueError, match=r"^decks must be given, as in Blackjack\(decks=6\)") as caught:
            call(Blackjack())
        assert caught.value.argument == "decks"
    # Given cards can be settled without a number of decks; the best play needs one.
    assert Blackjack().settle("Kh Qd 9s Ks", ["stand"]).net == 1
    with pytest.raises(ValueError, match=r"^decks must be given"):
        Blackjack().settle("Kh Qd 9s Ks")
    shoe = dict.fromkeys(RANKS, 16)
    assert Blackjack().analyze(shoe=shoe).house_edge == Blackjack(decks=4).analyze().house_edge


def test_a_whole_shoe_may_be_dealt():
    played = Shoe(decks=1).simulate_shoes(2000, penetration=1)
    assert played.exhausted > 0
    assert played.seen.sum(axis=1).max() < 52
    assert f"{played.exhausted:,} rounds had too few cards" in str(played)


# ---- effects of removal, insurance ----


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("strategy", ["basic", "optimal"])
def test_effects_of_removal(strategy):
    game = Blackjack(decks=6)
    effects = game.removal_effects(strategy)
    whole = game.analyze(strategy)
    assert effects.house_edge == whole.house_edge
    full = dict.fromkeys(RANKS, 24)
    for rank in ("A", "5", "K"):
        played = whole.chart if strategy == "basic" else "optimal"
        less = game.analyze(played, shoe=full | {rank: 23})
        assert effects[rank] == less.value - whole.value
    # To first order, removing one card of each rank changes nothing.
    assert abs(sum(row.effect * (4 if row.rank == "10" else 1) for row in effects.rows)) < 5e-4
    by_rank = {row.rank: row.insurance for row in effects.rows}
    assert by_rank["10"] == pytest.approx(3 * (95 / 310 - 96 / 311))
    assert by_rank["A"] == by_rank["7"] == pytest.approx(3 * (96 / 310 - 96 / 311))
    assert [row.rank for row in effects.rows] == list(RANKS[:10])
    assert "10" in str(effects)
    assert pickle.loads(pickle.dumps(effects)) == effects


def test_a_shoe_is_the_decks_it_holds():
    for decks in (1, 6):
        game = Blackjack(decks=decks, insurance=True)
        same = Blackjack(decks=math.inf, insurance=True).analyze(shoe=dict.fromkeys(RANKS, 4 * decks))
        assert same.house_edge == game.analyze().house_edge
        assert same.values == game.analyze().values
        assert pickle.loads(pickle.dumps(same)) == same != game.analyze()
    with pytest.raises(ValueError, match=r"^shoe must have cards that count at least 86 in all"):
        Blackjack(decks=4).analyze(shoe={"10": 8})
    only = Blackjack(decks=4, surrender="none").analyze(shoe={"10": 4, "J": 8})
    assert (only.house_edge, only.net.outcomes.tolist(), only.std) == (0, [0], 0)
    assert "std 0.0000 bets" in str(only)
    assert [upcard.upcard for upcard in only.upcards] == ["10"]


def test_what_cannot_be_exact_is_refused():
    game = Blackjack(decks=4, split_hands=3, hole_card="busted_bets_plus_one")
    with pytest.raises(ValueError, match=r"^split_hands must be at most 2 to analyze hole_card="):
        game.analyze()
    assert Blackjack(game.rules, decks=math.inf).analyze().house_edge > 0
    # Rounds can be settled nonetheless.
    cards = "8h 8d Ah Kd 10s 6c 10h"
    played = game.settle(cards, ["split", "stand", "hit"])
    assert [(hand.net, hand.outcome) for hand in played.hands] == [(-1, "loss"), (-1, "bust")]


def test_insurance_is_a_bet_of_its_own():
    game = Blackjack(decks=4)
    assert game.insurance_bet().exact_rtp == 3 * Fraction(64, 207)
    assert game.insurance_bet("Ah 9d").exact_rtp == 3 * Fraction(64, 205)
    assert game.insurance_bet("Ah Kd").exact_rtp == 3 * Fraction(63, 205)
    assert Blackjack(decks=math.inf).insurance_bet("Ah Kd").exact_rtp == Fraction(12, 13)
    bet = game.insurance_bet()
    assert bet.estimate(100_000).covers
    assert bet.simulate(50, seed=1)[20:].tolist() == bet.simulate(30, seed=1, start=20).tolist()
    assert pickle.loads(pickle.dumps(bet)) == bet
    with pytest.raises(ValueError, match=r"^cards must be of 1 decks"):
        Blackjack(decks=1).insurance_bet("Ah Ad As Ac")
    with pytest.raises(ValueError, match=r"^cards must be cards, got -1"):
        game.insurance_bet([-1])
    values = Blackjack(decks=4, insurance=True).analyze().values
    for hand, cards in (("8,8", "8h 8d"), ("10,10", "Kh Jd"), ("10,2", "10h 2d")):
        insured = values[hand, "A"]
        other = max(value for action, value in insured.items() if action != "insure")
        assert 2 * (insured["insure"] - other) == pytest.approx(float(game.insurance_bet(cards).rtp) - 1)


def test_insurance_and_even_money_in_play():
    game = Blackjack(decks=4, insurance=True, even_money=True)
    lost = game.settle("9h 8h Ad Ks", ["insure", "stand"])
    assert (lost.net, lost.insurance, lost.hands[0].net) == (0, 1, -1)
    won = game.settle("9h 8h Ad 5s Kd Kc", ["insure", "hit"])
    assert (won.net, won.insurance) == (-1.5, Fraction(-1, 2))
    assert ("insurance", "-0.5 bets") in won.rows()
    assert "insurance" in str(won)
    natural = game.settle("Ah Kh Ad Ks", ["even_money"])
    assert (natural.net, natural.hands[0].outcome) == (1, "even_money")
    assert "even money" in str(natural)
    with pytest.raises(ValueError, match=r"^actions\[0\] must be one of hit, stand, double, surrender \("):
        game.settle("9h 8h Kd As", ["insure", "stand"])
    # With a peek the round ends at once, whatever actions are given.
    looks = Blackjack(decks=4, hole_card="peek", insurance=True, surrender="none")
    for actions in ([], ["hit"], ["stand"]):
        assert looks.settle("9h 8h Ad Ks", actions).net == -1
    assert looks.settle("9h 8h Ad Ks", ["insure"]).net == 0


# ---- shoes of other schemes ----


def removed(server, client, nonce, cards, count):
    """Cards drawn by removal with Stake's numbers."""
    left, drawn, cursor, words = list(range(cards)), [], 0, []
    while len(drawn) < count:
        if not words:
            digest = hmac.digest(server.encode(), f"{client}:{nonce}:{cursor}".encode(), "sha256")
            words = [int.from_bytes(digest[place : place + 4]) for place in range(0, 32, 4)]
            cursor += 1
        drawn.append(left.pop(words.pop(0) * len(left) >> 32))
    return drawn


@pytest.mark.parametrize("decks", [1, 6, 16])
def test_shoes_under_a_scheme(decks):
    game = Shoe(decks=decks, cards=40).with_scheme(STAKE.SCHEME)
    shoes = game.play("server", "client", [3, 4])
    assert shoes.tolist() == [removed("server", "client", nonce, 52 * decks, 40) for nonce in (3, 4)]
    assert game.play("server", "client", nonce=4).tolist() == shoes[1].tolist()
    assert game != Shoe(decks=decks, cards=40)


def test_stakes_blackjack_is_settled():
    game = STAKE.Blackjack()
    table = game.table
    assert f"{table.analyze().house_edge:.2%}" == "0.57%"
    assert table.rules.decks == math.inf
    seeds = "abf5e01d286b951bf4ef72b87720aeed3889b467660deeec3a0b1df677282ad6", "oTmxwsdI"
    played = game.replay(*seeds, 1, actions=["stand"])
    assert [str(played.hands[0].cards), str(played.dealer), played.net] == ["Q♠ J♥", "9♠ 4♣ K♥", 1]
    hits = game.with_table(Blackjack(table.rules, soft_17="hit"))
    assert hits.replay(*seeds, 2, actions=["stand"]).dealer_total == 23
    basic = table.analyze("basic")
    for nonce in range(1, 30):
        dealt = STAKE.cards(game.play(*seeds, nonce))
        assert game.replay(*seeds, nonce, strategy=basic) == table.settle(dealt, basic)


@pytest.mark.parametrize(
    "changes",
    [
        {"insurance": True, "even_money": True, "hole_card": "peek"},
        {"split_unlike_tens": False, "hole_card": "busted_bets_plus_one", "insurance": True},
        {"surrender_after_split": True, "split_hands": "2 A, 4 2-10", "resplit_aces": True},
    ],
    ids=str,
)
def test_logs_under_more_rules_are_verified(changes):
    game = crypto_games.Blackjack().with_table(Blackjack(**changes))
    chart = Chart(
        hard={12: "IRH", 14: "IRH", 16: "RS", 20: "IS"},
        soft={21: "EIS"},
        pairs={"10": "IP", 8: "P", "A": "P"},
    )
    log = game.simulate(600, strategy=chart, seed="a log", as_frame="pandas")
    assert pf.verify(log, game).ok
    spoiled = log.assign(outcome=log["outcome"] + (log.index == 17))
    report = pf.verify(spoiled, game)
    assert not report.ok
    said = {action for actions in log["actions"] for action in actions.split()}
    assert said >= ({"insure"} if "insurance" in changes else {"surrender"})
