"""Many hands of given seeds: equal to single hands, and to programs that share no code with the package."""

from __future__ import annotations

import hashlib
import hmac
import math
import pickle
import random
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles import blackjack as oracle, video_poker as reference
from provably_fair.games import Deal, Pack, Range
from provably_fair.operators import crypto_games, duel, liqd, stake

SHORT = pf.Scheme(pf.Hash("md5", "{server_seed}{nonce}"), bits=8, below="reject", defaults={"nonce": ""})
MANY = pytest.param(100_000, marks=pytest.mark.thorough)
STAKE_RULES = oracle.DOCUMENT | {
    "soft_17": "stand",
    "hole_card": "peek",
    "blackjack_pays": Fraction(3, 2),
    "split_aces": "one_card",
    "ten_ace_after_split": "21",
    "surrender": "none",
    "insurance": True,
}


def stake_cards(server, client, nonce, cards=64):
    """Stake's cards as the package names them, from its published formula: rank by rank, diamonds first."""
    found, cursor = [], 0
    while len(found) < cards:
        message = f"{client}:{nonce}:{cursor}".encode()
        digest = hmac.new(server.encode(), message, hashlib.sha256).digest()
        for four in range(0, 32, 4):
            share = sum(Fraction(byte, 256**place) for place, byte in enumerate(digest[four : four + 4], 1))
            rank, suit = divmod(math.floor(share * 52), 4)
            found.append((2, 1, 0, 3)[suit] * 13 + (rank + 1) % 13)
        cursor += 1
    return found


def seeds(game, rounds):
    """Seeds of rounds, as lists: each has its own."""
    fields = {
        "server_seed": [hashlib.sha256(f"server {i // 50}".encode()).hexdigest() for i in range(rounds)],
        "client_seed": [f"client {i // 50}" for i in range(rounds)],
        "nonce": list(range(rounds)),
    }
    return {name: fields[name] for name in game.scheme.fields}


def one_of(given, row):
    return {name: values[row] for name, values in given.items()}


RANDOM = random.Random(5)


def at_random(decision):
    return RANDOM.choice(decision.legal)


BLACKJACK = {
    "crypto_games": (crypto_games.Blackjack(), 100_000),
    "stake": (stake.Blackjack(), 100_000),
    "liqd": (liqd.Blackjack().with_table(pf.cards.Blackjack(surrender="late")), 100),
    "shoe": (pf.cards.Shoe(decks=6).with_scheme(stake.SCHEME), 2000),
    "split often": (stake.Blackjack().with_table(pf.cards.Blackjack(split_hands=4, insurance=True)), 20_000),
}
POKER = {
    "crypto_games": crypto_games.VideoPoker(),
    "stake": stake.VideoPoker().with_table(pf.cards.VideoPoker()),
    "duel": duel.VideoPoker().with_table(pf.cards.VideoPoker("deuces_wild")),
}


@pytest.mark.parametrize("rounds", [250, MANY])
@pytest.mark.parametrize("name", BLACKJACK)
def test_many_rounds_of_blackjack_are_the_single_ones(name, rounds):
    game, most = BLACKJACK[name]
    rounds = min(rounds, most)
    given = seeds(game, rounds)
    for strategy in ("basic", at_random):
        many = game.replay(**given, strategy=strategy)
        actions, exact = many.actions, many.exact_net
        assert len(many) == rounds
        for row, one in enumerate(many):
            chosen = {"strategy": strategy} if strategy == "basic" else {"actions": actions[row]}
            assert one == game.replay(**one_of(given, row), **chosen)
            assert many.cards[row].tolist() == [*one.cards] + [-1] * (many.cards.shape[1] - len(one.cards))
            assert (many.net[row], exact[row], actions[row]) == (one.net, one.exact_net, one.actions)
        by_actions = game.replay(**given, actions=actions)
        assert by_actions.net.tolist() == many.net.tolist()
        assert by_actions.cards.tolist() == many.cards.tolist()
        assert [*by_actions.actions] == [*actions]
        assert [*many[:50].hands] == [one.hands for one in many[:50]]


@pytest.mark.parametrize("rounds", [400, MANY])
@pytest.mark.parametrize("name", ["crypto_games", "stake"])
def test_blackjack_equals_an_independent_program(name, rounds):
    game, rules = BLACKJACK[name][0], {"crypto_games": oracle.DOCUMENT, "stake": STAKE_RULES}[name]
    given = seeds(game, rounds)
    many = game.replay(**given, strategy=at_random)
    actions = many.actions
    settled = game.replay(**given, actions=[list(words) for words in actions])
    exact = settled.exact_net
    for row in range(rounds):
        server, client, nonce = one_of(given, row).values()
        dealt = stake_cards(server, client, nonce, 40)
        if name == "crypto_games":
            dealt = [card for card in oracle.shoe(server, client, str(nonce), 64) if card >= 0]
        left = iter(actions[row])
        right = oracle.play(rules, dealt, lambda hand, upcard, actions, left=left: next(left))
        assert next(left, None) is None
        assert right["actions"] == actions[row]
        net = sum(right["nets"], right["insurance"] or Fraction(0))
        assert (exact[row], settled.net[row]) == (net, float(net))
        one = settled[row]
        cards = [tuple(getattr(hand.cards, "named", hand.cards)) for hand in one.hands]
        assert cards == right["hands"]
        assert tuple(getattr(one.dealer, "named", one.dealer)) == right["dealer"]
        assert [hand.bets for hand in one.hands] == right["bets"]


@pytest.mark.parametrize("rounds", [250, MANY])
@pytest.mark.parametrize("name", POKER)
def test_many_rounds_of_video_poker_are_the_single_ones(name, rounds):
    game = POKER[name]
    given = seeds(game, rounds)
    holds = np.random.default_rng(3).random((rounds, 5)) < 0.5
    positions = [(np.flatnonzero(hold) + 1).tolist() for hold in holds]
    many = game.replay(**given, hold=holds)
    listed = game.replay(**given, hold=positions)
    singles = [game.replay(**one_of(given, row), hold=hold) for row, hold in enumerate(positions)]
    assert list(many) == list(listed) == singles
    assert many.net.tolist() == [float(one.pay - 1) for one in singles]
    assert many.cards.tolist() == [list(one.cards) for one in singles]
    assert many.final.tolist() == [list(one.final) for one in singles]
    best = game.replay(**given)
    assert list(best) == [game.replay(**one_of(given, row)) for row in range(rounds)]


@pytest.mark.parametrize("rounds", [400, MANY])
def test_video_poker_equals_an_independent_program(rounds):
    game = POKER["crypto_games"]
    given = seeds(game, rounds)
    holds = np.random.default_rng(4).random((rounds, 5)) < 0.5
    many = game.replay(**given, hold=holds)
    for row in range(rounds):
        server, client, nonce = one_of(given, row).values()
        cards = reference.deal(reference.digest(server, client, str(nonce)))
        drawn = iter(cards[5:])
        final = [card if held else next(drawn) for card, held in zip(cards, holds[row], strict=False)]
        assert many.final[row].tolist() == final
        assert many.net[row] == reference.paid("jacks_or_better", final) - 1


def test_arrays_broadcast_as_they_do_in_play():
    game = stake.Blackjack()
    servers = np.array([["server"], ["another"]])
    many = game.replay(servers, "client", range(3), strategy="basic")
    each = [
        game.replay(server, "client", nonce, strategy="basic")
        for server in ("server", "another")
        for nonce in range(3)
    ]
    assert list(many) == each
    assert list(game.replay(["server"], "client", 0, strategy="basic")) == each[:1]
    assert (
        list(game.replay(nonce=np.arange(3), client_seed="client", server_seed="server", strategy="basic"))
        == each[:3]
    )
    assert len(game.replay([], "client", 1, strategy="basic")) == 0
    assert len(game.replay([], "client", 1, actions=[])) == 0
    poker = POKER["stake"]
    dealt = poker.play(servers, "client", range(3))
    assert poker.replay(servers, "client", range(3)).cards.tolist() == dealt.reshape(6, 10).tolist()
    digest = hashlib.sha512(b"x").hexdigest()
    hashed = crypto_games.Blackjack().replay(hash=[digest] * 2, strategy="basic")
    assert list(hashed) == [crypto_games.Blackjack().replay(hash=digest, strategy="basic")] * 2


def test_pieces_and_threads_change_nothing():
    game = stake.Blackjack()
    calls = []
    many = game.replay(
        "server",
        "client",
        range(70_000),
        strategy="basic",
        threads=3,
        progress=lambda *done: calls.append(done),
    )
    assert calls == [(32_768, 70_000), (65_536, 70_000), (70_000, 70_000)]
    for rows in slice(32_700, 32_800), slice(69_950, None):
        nonces = range(70_000)[rows]
        assert list(many[rows]) == list(game.replay("server", "client", nonces, strategy="basic", threads=1))
    again = game.replay("server", "client", range(70_000), actions=many.actions, threads=2)
    assert (again.net == many.net).all()
    assert (again.cards == many.cards).all()


HIT = pf.cards.Chart(
    hard=dict.fromkeys(range(4, 21), "H"), soft=dict.fromkeys(range(12, 21), "H"), pairs={"A": "H"}
)


class Low(Deal):
    """Aces and twos alone: hands of up to 21 cards."""

    cards: int = Range(1, 200, default=4)
    choice, pack, house_table = "actions", Pack.of(math.inf), pf.cards.Blackjack
    scheme = stake.SCHEME

    def outcome(self, draws):
        return np.stack([draws.below(8) // 7 for _ in range(self.cards)], axis=1)


def test_rounds_that_need_many_cards_get_them():
    game = Low()
    many = game.replay("server", "client", range(300), strategy=HIT)
    taken = (many.cards >= 0).sum(axis=1)
    assert (taken > 20).any()
    assert many.cards.shape[1] == taken.max()
    by_actions = game.replay("server", "client", range(300), actions=many.actions)
    assert by_actions.cards.tolist() == many.cards.tolist()
    assert list(many) == [game.replay("server", "client", nonce, strategy=HIT) for nonce in range(300)]
    asked = []
    game.replay("server", "client", range(20), strategy=lambda decision: asked.append(decision) or "hit")
    assert len(asked) == sum(map(len, many.actions[:20]))


def test_a_stand_that_answers_no_question_may_be_written():
    game = stake.Blackjack()
    many = game.replay("server", "client", range(3000), strategy="basic")
    aces = [row for row, one in enumerate(many.hands) if len(one) == 2 and one[0].cards.named[0] % 13 == 0]
    assert aces
    actions = [[*words, "stand"] if row in aces else words for row, words in enumerate(many.actions)]
    written = game.replay("server", "client", range(3000), actions=actions)
    assert written.net.tolist() == many.net.tolist()
    for row in aces:
        assert written[row] == game.replay("server", "client", row, actions=actions[row])
        assert written.actions[row] == tuple(actions[row])


def test_rounds_whose_cards_run_out():
    game = crypto_games.Blackjack(cards=6).with_scheme(SHORT)
    many = game.replay("server", range(3000), strategy=HIT)
    short = np.flatnonzero(np.isnan(many.net))
    assert 0 < len(short) < 100
    by_actions = game.replay("server", range(3000), actions=many.actions)
    assert np.flatnonzero(np.isnan(by_actions.net)).tolist() == short.tolist()
    assert np.isnan(many.exact_net[short].astype(float)).all()
    for row in short.tolist():
        with pytest.raises(ValueError, match=r"^the deal has only \d+ cards, and this round needs more"):
            game.replay("server", row, strategy=HIT)
        with pytest.raises(
            ValueError, match=rf"^cards\[{row}\] has only \d+ cards, and this round needs more"
        ) as told:
            many[row]
        assert told.value.row == row
        digest = hashlib.md5(f"server{row}".encode()).digest()
        dealt = [*dict.fromkeys(byte for byte in digest if byte < 208)]
        assert [card for card in many.cards[row].tolist() if card >= 0] == dealt
        assert many.hands[row] == ()
    assert "mean net" in repr(many)
    assert len(many.to_pandas()) == 3000


GIVEN = {"server_seed": "server", "client_seed": [f"client {i}" for i in range(4)]}
RIGHT = [("stand",), ("hit", "stand"), ("stand",), ("stand",)]


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (("fly",), ValueError, "actions[2] must be words (hit, stand, double, split, surrender,"),
        (("hit", "fly"), ValueError, "actions[2] must be words"),
        (("stand", 5), ValueError, "actions[2] must be words"),
        (("split",), ValueError, "actions[2] must be one of hit, stand, double"),
        ((), ValueError, "actions[2] must go on after 0 of them"),
        (("stand", "stand"), ValueError, "actions[2] must end with the round, after 1, got 2"),
        (("hit",) * 300, ValueError, "actions[2] must be at most 200, got 300"),
        ("stand stand", ValueError, "actions[2] must end with the round, after 1, got 2"),
        ("SS", ValueError, "actions[2] must end with the round, after 1, got 2"),
        ("", ValueError, "actions[2] must go on after 0 of them"),
        (None, ValueError, "actions[2] must go on after 0 of them"),
        (["\ud800"], ValueError, "actions[2] must be words"),
        ([[]], ValueError, "actions[2] must be words"),
    ],
)
def test_a_bad_row_is_named(bad, error, message):
    game = crypto_games.Blackjack()
    right = game.replay(**GIVEN, strategy="basic").actions.tolist()
    assert game.replay(**GIVEN, actions=right).actions.tolist() == right
    right[2] = bad
    with pytest.raises(error) as told:
        game.replay(**GIVEN, actions=right)
    assert str(told.value).startswith(message)
    assert (told.value.argument, told.value.row) == ("actions", 2)


def test_bad_rows_beyond_the_first_piece_and_the_first_cards():
    game = stake.Blackjack()
    many = game.replay("server", "client", range(40_000), strategy="basic")
    row = int(np.flatnonzero((many.cards[35_000:] >= 0).sum(axis=1) > 9)[0]) + 35_000
    actions = many.actions
    actions[row] = (*actions[row], "hit")
    with pytest.raises(ValueError, match=rf"^actions\[{row}\] must") as told:
        game.replay("server", "client", range(40_000), actions=actions)
    assert told.value.row == row


@pytest.mark.parametrize("actions", [["stand"], "stand", 5, {"stand": 1}, [["stand"]] * 3, np.array("x"), []])
def test_decisions_of_another_number_of_rounds_are_refused(actions):
    with pytest.raises(
        (ValueError, TypeError), match=r"^actions must be a sequence of actions for each of 4 rounds, got"
    ):
        crypto_games.Blackjack().replay(**GIVEN, actions=actions)


def test_columns_of_decisions_in_other_containers():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    game = crypto_games.Blackjack()
    right = game.replay(**GIVEN, strategy="basic")
    lists = [*map(list, right.actions)]
    for actions in pd.Series(right.actions), pl.Series(lists), right.actions.tolist(), tuple(lists):
        assert list(game.replay(**GIVEN, actions=actions)) == list(right)
    stand = np.full((4, 1), "stand")
    assert [*game.replay(**GIVEN, actions=stand).actions] == [("stand",)] * 4
    assert list(game.replay(**GIVEN, actions=lambda decision: "stand")) == list(
        game.replay(**GIVEN, actions=stand)
    )


def test_what_simulate_gives_is_what_replay_gives():
    for game, strategy in ((stake.Blackjack(), "basic"), (POKER["stake"], "optimal")):
        log = game.simulate(200, strategy=strategy, seed="alike", as_frame="pandas")
        given = {field: log[field] for field in game.scheme.fields}
        simulated = game.simulate(200, strategy=strategy, seed="alike")
        assert list(simulated) == list(game.replay(**given, strategy=strategy))
        again = game.replay(**given, strategy=strategy, as_frame="pandas")
        assert again.to_dict("list") == log.to_dict("list")
        assert pf.verify(game.replay(**given, strategy=strategy, as_frame="polars"), game).ok
    with pytest.raises(TypeError, match=r"^as_frame isn't supported with a single round"):
        stake.Blackjack().replay("server", "client", 1, strategy="basic", as_frame="pandas")
    with pytest.raises(ValueError, match=r"^as_frame must be"):
        stake.Blackjack().replay("server", "client", 1, strategy="basic", as_frame="arrow")


def test_random_shoes_give_rounds_with_cards():
    for game in (stake.Blackjack(), crypto_games.Blackjack(), pf.cards.Shoe(decks=6), BLACKJACK["liqd"][0]):
        many = game.simulate(3000, strategy="basic", shoes="random", seed="cards")
        tally = game.tally(3000, strategy="basic", shoes="random", seed="cards")
        nets, counts = np.unique(many.net, return_counts=True)
        assert (tally.outcomes.tolist(), tally.counts.tolist()) == (nets.tolist(), counts.tolist())
        cards = game.kind.pack.cards(many.cards)
        ranks = np.where(cards < 0, -1, cards % 13)
        assert abs((ranks[:, :4] == 0).mean() - 1 / 13) < 0.02
        for row in range(50):
            named = [int(card) for card in cards[row] if card >= 0]
            assert game.table.settle(named, many.actions[row]).exact_net == many.exact_net[row]
        assert (
            many[100:].net
            == game.simulate(2900, strategy="basic", shoes="random", seed="cards", start=100).net
        ).all()


def test_rounds_are_shown_and_kept():
    many = stake.Blackjack().replay("server", "client", range(12), strategy="basic")
    assert repr(many) == f"<12 rounds of blackjack, mean net {many.net.mean():+.4f}>"
    assert str(many).splitlines()[-1] == "and 2 more"
    assert "rounds of blackjack" in many._repr_html_()
    frame = many.to_pandas()
    assert frame.columns.tolist() == ["cards", "actions", "hands", "net"]
    assert frame["cards"].tolist() == [str(one.cards) for one in many]
    assert frame["actions"].tolist() == [" ".join(one.actions) for one in many]
    assert frame["hands"].tolist() == [len(one.hands) for one in many]
    assert frame["net"].tolist() == many.net.tolist()
    assert many.to_polars().shape == (12, 4)
    assert np.asarray(many).tolist() == many.net.tolist()
    assert float(np.mean(many)) == many.net.mean()
    assert np.asarray(many, dtype=object)[0] == many.net[0]
    assert list(pickle.loads(pickle.dumps(many))) == list(many)
    assert list(many[many.net > 0]) == [one for one in many if one.net > 0]
    assert many[-1] == many[11]
    for index in (12, -13):
        with pytest.raises(IndexError, match=r"^index must be within 12 rounds"):
            many[index]


def test_given_actions_of_simulated_rounds():
    game = stake.Blackjack()
    for shoes in ("hashed", "random"):
        many = game.simulate(500, strategy="basic", shoes=shoes)
        assert list(game.simulate(500, actions=many.actions, shoes=shoes)) == list(many)
        tally = game.tally(500, strategy="basic", shoes=shoes)
        assert game.tally(500, actions=many.actions, shoes=shoes) == tally
    with pytest.raises(
        ValueError, match=r"^actions must be a sequence of actions for each of 3 rounds, got 500"
    ):
        game.simulate(3, actions=many.actions)
