"""Deals at tables: what each deal has, under its own scheme and under others."""

from __future__ import annotations

import hashlib
import itertools
import math
import pickle
import pydoc
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles.laws import likely
from provably_fair.operators import crypto_games, duel, liqd, stake

BLACKJACK, POKER = pf.cards.Blackjack(soft_17="stand"), pf.cards.VideoPoker("deuces_wild")
SHORT = pf.Scheme(pf.Hash("md5", "{server_seed}{nonce}"), bits=8, below="reject", defaults={"nonce": ""})
SERVER = "00ff" * 8
AT_TABLES = {
    "crypto_games": crypto_games.Blackjack().with_table(BLACKJACK),
    "stake": stake.Blackjack().with_table(BLACKJACK),
    "liqd": liqd.Blackjack().with_table(BLACKJACK),
    "shoe": pf.cards.Shoe(decks=2).with_table(BLACKJACK),
    "shoe of stake": pf.cards.Shoe(decks=2).with_scheme(stake.SCHEME).with_table(BLACKJACK),
    "crypto_games under stake's": crypto_games.Blackjack().with_scheme(stake.SCHEME),
    "poker": crypto_games.VideoPoker().with_table(POKER),
    "poker of stake": stake.VideoPoker().with_table(POKER),
    "poker of duel": duel.VideoPoker().with_table(POKER),
    "poker under salted": duel.VideoPoker().with_scheme(pf.SALTED).with_table(POKER),
}
EVERY = pytest.mark.parametrize("name", AT_TABLES)


@pytest.mark.one_case_in(3)
@EVERY
def test_one_round_is_the_same_however_it_is_asked(name):
    """A round that is simulated, replayed, settled from its cards, explained, bet on, and verified."""
    game = AT_TABLES[name]
    strategy = "basic" if game.table.choice == "actions" else "optimal"
    log = game.simulate(25, strategy=strategy, seed="deals", as_frame="pandas")
    assert pf.verify(log, game).ok
    fields = [{field: row[field] for field in game.scheme.fields} for _, row in log.iterrows()]
    played = [game.replay(**each, strategy=strategy) for each in fields]
    results = game.simulate(25, strategy=strategy, seed="deals")
    tally = game.tally(25, strategy=strategy, seed="deals")
    if game.table.choice == "actions":
        won = [one.net for one in played]
        assert results.net.tolist() == log["outcome"].tolist() == won
        assert list(results) == played
        assert [row.split() for row in log["actions"]] == [[*one.actions] for one in played]
        assert tally.nets == Counter(one.exact_net for one in played)
        back = [1 + net for net in won]
    else:
        back = [float(one.pay) for one in played]
        assert list(results) == played
        assert tally.rounds == 25
    assert game.bet(strategy=strategy).simulate(25, seed="deals").tolist() == pytest.approx(back)
    for each, one in zip(fields[:5], played, strict=False):
        chosen = {game.table.choice: one.actions if game.table.choice == "actions" else one.hold}
        assert game.replay(**each, **chosen) == one
        assert game.table.settle(one.cards, *chosen.values()) == one
        walk = game.explain(**each, **chosen)
        assert walk.outcome == one
        assert walk.committed is None
        assert "At the table" in str(walk)
    wrong = log.assign(outcome=[*log["outcome"][1:], log["outcome"].iloc[0]])
    differ = [row for row in range(25) if str(wrong["outcome"].iloc[row]) != str(log["outcome"].iloc[row])]
    assert sorted(failure.row for failure in pf.verify(wrong, game).failures) == differ


@EVERY
def test_deals_are_values(name):
    game = AT_TABLES[name]
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert hash(again) == hash(game)
    assert again.table == game.table
    names = vars(pf) | vars(pf.operators) | vars(pf.cards) | {"math": math}
    if "with_scheme" not in repr(game):
        assert eval(repr(game), names) == game
    other = pf.cards.Blackjack(charlie=5) if game.table.choice == "actions" else pf.cards.VideoPoker()
    assert game.with_table(other) != game
    # The table without the deal's decks, as it was given.
    same = game.table
    if game.table.choice == "actions":
        same = pf.cards.Blackjack(replace(game.table.rules, decks=None))
    assert game.with_table(other).with_table(same) == game
    assert game.with_table(other).play(**seeds_of(game)).tolist() == game.play(**seeds_of(game)).tolist()


def seeds_of(game):
    known = {"server_seed": SERVER, "client_seed": "c", "nonce": 1, "salt": "s"}
    return {name: known[name] for name in game.scheme.fields}


@pytest.mark.parametrize("game", [crypto_games.Blackjack(), crypto_games.VideoPoker()], ids=repr)
def test_a_hash_takes_the_place_of_seeds(game):
    one, two = "00" * 64, ["00" * 64, "01" * 64]
    assert game.play(hash=two).tolist() == [game.play(hash=hash_).tolist() for hash_ in two]
    assert game.play(hash=[one]).tolist() == game.play(hash=np.array([one])).tolist()
    for function in game.play, game.replay, game.explain:
        with pytest.raises(TypeError, match=r"^fields must be hash, got 2 values for them"):
            function("s", "c", hash=one)
        for name in ("server_seed", "client_seed", "nonce"):
            with pytest.raises(TypeError, match=rf"^fields must be among hash, got '{name}'"):
                function(hash=one, **{name: "a"})
        with pytest.raises(ValueError, match=r"^hash must be a SHA-512 of 128 hexadecimal digits, got 127"):
            function(hash=one[1:])


def test_tables_of_deals():
    assert crypto_games.Blackjack().table == pf.cards.Blackjack(decks=4)
    assert crypto_games.VideoPoker().table == pf.cards.VideoPoker("jacks_or_better")
    assert stake.Blackjack().table.rules.decks == math.inf
    assert pf.cards.Shoe(decks=3).table == pf.cards.Blackjack(decks=3)
    assert liqd.Blackjack().with_table(BLACKJACK).table == pf.cards.Blackjack(BLACKJACK.rules, decks=8)
    # Passing the operator's own table gives the same deal.
    same = crypto_games.Blackjack().with_table(pf.cards.Blackjack(decks=4))
    assert same == crypto_games.Blackjack() == crypto_games.Blackjack().with_table(pf.cards.Blackjack())
    assert repr(same) == repr(crypto_games.Blackjack())


def test_other_decks_are_refused_with_their_cure():
    for decks in (1, 6):
        with pytest.raises(
            ValueError, match=rf"^decks must be 4, .*pf\.cards\.Shoe\(decks={decks}\)"
        ) as caught:
            crypto_games.Blackjack().with_table(pf.cards.Blackjack(decks=decks))
        assert caught.value.argument == "decks"
        pf.cards.Shoe(decks=decks).with_table(pf.cards.Blackjack(decks=decks))
    with pytest.raises(ValueError, match=r"^decks must be 8, or None, at liqd.Blackjack"):
        liqd.Blackjack().with_table(pf.cards.Blackjack(decks=4))


def test_tables_of_another_game_are_refused():
    for game, table in ((crypto_games.Blackjack(), POKER), (stake.VideoPoker(), BLACKJACK)):
        with pytest.raises(TypeError, match=r"^table must be of the game that"):
            game.with_table(table)
    with pytest.raises(TypeError, match=r"^table must be a table such as pf.cards.Blackjack\(\), got Rules"):
        crypto_games.Blackjack().with_table(pf.cards.Rules())
    with pytest.raises(TypeError, match=r"^hold isn't supported with blackjack"):
        crypto_games.Blackjack().replay("s", "c", hold=[1])
    with pytest.raises(TypeError, match=r"^actions isn't supported with video poker"):
        crypto_games.VideoPoker().replay("s", "c", actions=["hit"])


@pytest.mark.parametrize("game", [liqd.Blackjack(), stake.VideoPoker(), duel.VideoPoker()], ids=repr)
def test_without_a_table_the_error_says_how_to_get_one(game):
    assert game.table is None
    cure = "Blackjack" if game.kind.choice == "actions" else "VideoPoker"
    for ask in (
        lambda: game.replay(**seeds_of(game)),
        lambda: game.simulate(2, strategy="optimal"),
        lambda: game.tally(2, strategy="optimal"),
        lambda: game.bet(strategy="optimal"),
        lambda: game.explain(**seeds_of(game), **{game.kind.choice: [1]}),
    ):
        with pytest.raises(
            ValueError, match=rf"^table must be given.*\.with_table\(pf\.cards\.{cure}\("
        ) as caught:
            ask()
        assert caught.value.argument == "table"
    assert game.explain(**seeds_of(game)).outcome.tolist() == game.play(**seeds_of(game)).tolist()


# ---- laws, and digests that are used up ----


class Few(pf.games.Deal):
    """Three distinct cards of five, from the four words of an MD5."""

    scheme = pf.Scheme(pf.Hash("md5", "{server_seed}"), bits=32, below="reject")
    choice, pack = "actions", pf.games.Pack(math.inf, tuple(range(5)))

    def outcome(self, draws):
        return draws.distinct(5, 3)


class Increasing(Few):
    """Three distinct cards of five, the least first."""

    scheme = stake.SCHEME

    def outcome(self, draws):
        return np.sort(draws.sample(5, 3), axis=1)


def test_a_rule_that_moves_cards_has_laws_of_its_own():
    game, first = Increasing(), Counter(map(min, itertools.combinations(range(5), 3)))
    assert likely(game.distribution(card=0)) == {card: Fraction(n, 10) for card, n in first.items()}
    assert game.distribution(dealt=True).outcomes.tolist() == [3]
    assert game.bet({0: 1}, card=0, law="ideal").exact_rtp == Fraction(3, 5)
    assert pf.fairness_report(game.simulate(2_000), game).ok  # a deal in another order isn't unfair


def test_laws_of_a_small_pack_equal_brute_force():
    """Every digest of four words, each one of five cards or passed over: 2**32 is 5 * 858,993,459 + 1."""
    words = [(card, Fraction(858_993_459, 2**32)) for card in range(5)] + [(None, Fraction(1, 2**32))]
    law = Counter()
    for digest in itertools.product(words, repeat=4):
        taken = [*dict.fromkeys(card for card, _ in digest if card is not None)][:3]
        law[(*taken, *[-1] * (3 - len(taken)))] += math.prod(chance for _, chance in digest)
    assert sum(law.values()) == 1
    dealt = Counter()
    for cards, chance in law.items():
        dealt[3 - cards.count(-1)] += chance
    assert likely(Few().distribution("as_drawn", dealt=True)) == dealt
    for place in range(3):
        card = Counter()
        for cards, chance in law.items():
            card[cards[place]] += chance
        assert likely(Few().distribution("as_drawn", card=place)) == card


def test_laws_of_a_pack_of_four_decks():
    """The law of cards in a digest of sixteen bytes, word by word, in fractions."""
    game = crypto_games.Blackjack(cards=3).with_scheme(SHORT)
    chances = {0: Fraction(1)}
    for _ in range(16):
        after = Counter()
        for dealt, chance in chances.items():
            new = Fraction(208 - dealt, 256) if dealt < 3 else Fraction(0)
            after[dealt] += chance * (1 - new)
            after[dealt + 1] += chance * new
        chances = {dealt: chance for dealt, chance in after.items() if chance}
    assert likely(game.distribution("as_drawn", dealt=True)) == chances
    for place in range(3):
        missing = sum(chance for dealt, chance in chances.items() if dealt <= place)
        found = likely(game.distribution("as_drawn", card=place))
        assert found == {-1: missing} | dict.fromkeys(range(208), (1 - missing) / 208)
        assert set(game.distribution(card=place).weights) == {1}
    assert game.distribution(dealt=True).outcomes.tolist() == [3]


def test_schemes_whose_digest_is_too_short_are_refused():
    for game, cards in ((crypto_games.Blackjack(), 20), (crypto_games.Blackjack(cards=17), 17)):
        with pytest.raises(
            ValueError, match=rf"^scheme must have {cards} words, one for each card.*got 16"
        ) as caught:
            game.with_scheme(SHORT)
        assert caught.value.argument == "scheme"
    assert crypto_games.Blackjack(cards=16).with_scheme(SHORT).play("s").shape == (16,)
    # Kinds derived from others, and packs that are shuffled completely however few cards are dealt.
    for game, words in ((stake.Blackjack(), 20), (duel.VideoPoker(), 51), (liqd.Blackjack(cards=5), 415)):
        with pytest.raises(ValueError, match=rf"^scheme must have {words} words, one for each .*got 16"):
            game.with_scheme(SHORT)
    assert stake.Blackjack(cards=8).with_scheme(SHORT).play("s").shape == (8,)
    with pytest.raises(ValueError, match=r"\bn must be from 1 to 56, got 208"):
        crypto_games.Blackjack().with_scheme(crypto_games.POKER_SCHEME)


def test_a_used_up_digest_is_told_alike_everywhere():
    """Results are NaN, tallies count it as exhausted, and bets return the stake."""
    game = crypto_games.Blackjack(cards=6).with_scheme(SHORT)
    # Always hitting up to 21 takes many cards; 13 of 16 bytes are cards.
    hit = {"strategy": lambda decision: "hit"}
    nets = game.simulate(3000, seed="short", **hit).net
    short = np.isnan(nets)
    assert 0 < short.sum() < 3000
    tally = game.tally(3000, seed="short", **hit)
    assert tally.exhausted == short.sum()
    assert tally.rounds == 3000
    back = game.bet(**hit).simulate(3000, seed="short")
    assert set(back[short].tolist()) == {1.0}
    assert back[~short].tolist() == pytest.approx((1 + nets[~short]).tolist())


class Backward(pf.Game):
    """Two hands of one digest, of which the first is read backward."""

    limit: int = pf.games.Range(5, 256, default=52)
    scheme = crypto_games.SCHEME

    def outcome(self, draws):
        first = draws.distinct(self.limit, 5)
        second = draws.distinct(200, 5)
        return first[:, ::-1] + 1000 * second


@pytest.mark.parametrize("limit", [5, 52, 62, 63, 64, 65, 208, 256])
def test_what_is_drawn_first_may_be_used_for_other_outcomes(limit):
    rounds, some = 20_000, [*range(100), 8191, 8192, 19_999]
    expected = []
    for nonce in some:
        digest = iter(hashlib.sha512(f"serverclient{nonce}".encode()).digest())
        hands = []
        for n in (limit, 200):
            hand = []
            while len(hand) < 5:
                byte = next(digest)
                if byte < 256 - 256 % n and byte % n not in hand:
                    hand.append(byte % n)
            hands.append(hand)
        expected.append([low + 1000 * high for low, high in zip(hands[0][::-1], hands[1], strict=True)])
    played = Backward(limit).play("server", "client", [f"{nonce}" for nonce in range(rounds)])
    assert played[some].tolist() == expected


class Twins(pf.games.Deal):
    """Ten cards of which the first two are equal, if the last one is an ace."""

    choice, pack = "hold", pf.games.Pack.of(1)

    def outcome(self, draws):
        cards = draws.sample(52, 10)
        cards[:, 1] = np.where(cards[:, 9] % 13 == 12, cards[:, 0], cards[:, 1])
        return cards


def test_a_hand_that_no_deck_has_is_refused_by_its_round():
    game = Twins().with_table(pf.cards.VideoPoker())
    with pytest.raises(ValueError, match=r"^hand\[2\] must be five different cards, got ") as error:
        game.simulate(10, strategy="optimal")
    assert (error.value.argument, error.value.row) == ("hand", 2)
    assert game.simulate(10, hold=[1]).row[2] >= -1


class AllTwins(Twins):
    """Ten cards of which the first two are equal."""

    def outcome(self, draws):
        cards = draws.sample(52, 10)
        cards[..., 1] = cards[..., 0]
        return cards


def test_a_single_hand_that_no_deck_has_is_refused_without_a_row():
    game = AllTwins().with_table(pf.cards.VideoPoker())
    seeds = "server", "client", "salt"
    for shown in game.replay, game.explain:
        with pytest.raises(ValueError, match=r"^hand must be five different cards, got ") as error:
            shown(*seeds)
        assert (error.value.argument, error.value.row) == ("hand", None)
    with pytest.raises(ValueError, match=r"^hand\[0\] must be five different cards, got "):
        game.replay(["server"], "client", "salt")


class Marred(pf.games.Deal):
    """Cards of which the second is replaced in about one of 40,000 rounds: by the first, or by no card."""

    second: int | None = None

    def outcome(self, draws):
        cards, marred = draws.sample(52, 10), draws.below(40_000) == 7
        if np.ndim(marred):
            cards[marred, 1] = cards[marred, 0] if self.second is None else self.second
        return cards


class MarredPoker(Marred):
    choice, pack = "hold", pf.games.Pack.of(1)


class MarredBlackjack(Marred):
    choice, pack = "actions", pf.games.Pack.of(1)


@pytest.mark.parametrize("second", [None, 52, -2, 2**40])
def test_cards_that_no_pack_has_are_refused_by_the_round_of_all(second):
    """Rounds are settled in pieces, the row is that of the whole."""
    poker = MarredPoker(second).with_table(pf.cards.VideoPoker())
    cards = poker.simulate(60_000)
    marred = cards[:, 1] == (cards[:, 0] if second is None else second)
    row = int(np.flatnonzero(marred)[0])
    assert row > 1 << 15
    calls = [lambda: poker.simulate(60_000, strategy="optimal")]
    if second is not None:
        blackjack = MarredBlackjack(second).with_table(pf.cards.Blackjack())
        calls += [
            lambda: poker.tally(60_000, hold=[1]),
            lambda: blackjack.simulate(60_000, strategy="basic"),
            lambda: blackjack.tally(60_000, strategy=lambda decision: "stand"),
            lambda: blackjack.bet().simulate(60_000),
        ]
    for call in calls:
        with pytest.raises(ValueError, match=rf"^(hand|outcome)\[{row}\] must be ") as error:
            call()
        assert error.value.row == row


@pytest.mark.parametrize(
    ("table", "shown"),
    [
        (BLACKJACK, "analyze insurance_bet removal_effects rule_values rules settle side_bet"),
        (POKER, "analyze best_hold break_even find_rules hold_values paytable plot settle with_jackpot"),
    ],
)
def test_a_table_lists_what_a_reader_of_the_game_knows(table, shown):
    """What deals ask of it is there, but not listed."""
    assert [name for name in dir(table) if not name.startswith("_")] == shown.split()
    assert callable(table.told)
    assert "__init__" in dir(table)
    listed = {name for name in dir(type(table)) if not name.startswith("_")}
    assert listed <= {*shown.split()} <= listed | {"rules"}
    text = pydoc.plain(pydoc.render_doc(type(table)))
    assert "See help(type(self))" not in text
    assert "Parameters\n |  ----------" in text
    assert " told(" not in text
    assert " settle(" in text
