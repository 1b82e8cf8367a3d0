"""Crypto.Games video poker: the deal, the play, the worth of holds, the exact return."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import pickle
import warnings
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from hypothesis import given, strategies as st
from oracles import video_poker as reference
from provably_fair.cards import PAYTABLES, Hand, Paytable, Rules, VideoPoker
from provably_fair.cards.video_poker.paytable import engine_of
from provably_fair.operators import crypto_games

SERVER = "2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j"
CLIENT = "bc7v9bn70d7n07sn"
COMMITMENT = "64e701539ecf4c03b90ecd957d6675b2f72c3fd84f04dc5eb63eed8b9a58b95b"
DEALT = [49, 17, 46, 39, 40, 28, 30, 36, 21, 44]
PRINTED_HASH = (
    "3a959bbaffd9b3928b28431c2ee688792c67a45f1933b9e11af3c7784a7bbda5674d2e768"
    "ac330a04982b9fa943c4c249968ac330a04982b9fa943c4c2499696d"
)
GAME = crypto_games.VideoPoker()
TABLE = VideoPoker("jacks_or_better")


@pytest.fixture(scope="session")
def every_hand():
    return reference.AllHands()


# The document


def test_the_documents_round():
    assert GAME.play(SERVER, CLIENT).tolist() == DEALT
    played = GAME.replay(SERVER, CLIENT, hold=[True, False, False, True, False])
    assert str(played.hand) == "J♣ 5♥ 8♣ A♣ 2♣"
    assert str(played.final) == "J♣ 3♦ 5♦ A♣ J♦"
    assert (played.category, played.pay) == ("jacks or better", 1)
    assert GAME.replay(SERVER, CLIENT, hold=[1, 4]) == played
    assert pf.check_commitment(SERVER, COMMITMENT)


def test_the_documents_hold_was_not_the_best():
    values = TABLE.hold_values(DEALT[:5])
    assert values[0b01001] == pytest.approx(0.5389, abs=5e-5)
    assert values[0b11101] == 60 / 47 == values.max()
    assert TABLE.best_hold("J♣ 5♥ 8♣ A♣ 2♣").tolist() == [True, False, True, True, True]


def test_the_misprinted_hash():
    assert len(PRINTED_HASH) == 129
    with pytest.raises(ValueError, match=r"^hash must be a SHA-512 of 128 hexadecimal digits, got 129"):
        GAME.play(hash=PRINTED_HASH)
    assert GAME.play(hash=PRINTED_HASH[:128]).tolist() == DEALT
    assert GAME.play(hash=PRINTED_HASH[:128].encode().upper()).tolist() == DEALT


# The deal


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=10))
def test_any_texts_are_seeds(server_seed, client_seed, nonce):
    expected = reference.deal(reference.digest(server_seed, client_seed, nonce))
    assert GAME.play(server_seed, client_seed, nonce=nonce).tolist() == expected


@given(st.binary(min_size=64, max_size=64))
def test_any_hash_can_be_replayed(hash_):
    assert GAME.play(hash=hash_.hex()).tolist() == reference.deal(hash_.hex())


def test_mistakes_in_a_deal_are_named():
    with pytest.raises(TypeError, match=r"^client_seed must be given"):
        GAME.play("a")
    with pytest.raises(ValueError, match=r"^hash\[1\] must be a SHA-512 of 128 hexadecimal digits, got 3"):
        GAME.play(hash=["00" * 64, "abc"])
    with pytest.raises(ValueError, match=r"^hash must be hex text, .* at index 5"):
        GAME.play(hash="0" * 5 + "g" + "0" * 122)
    with pytest.raises(ValueError, match=r"^dtype must hold every outcome of crypto_games.VideoPoker\(\)"):
        GAME.play("a", "b", dtype="uint8")


# Hashes that run out


def test_a_hash_that_runs_out():
    short = bytes([*range(7)] + [255] * 57).hex()
    assert GAME.play(hash=short).tolist() == [*range(7), -1, -1, -1]
    assert GAME.replay(hash=short, hold=[1, 2, 3]).final == (0, 1, 2, 5, 6)
    with pytest.raises(ValueError, match=r"^cards ran out after 7: this hand needs 8"):
        GAME.replay(hash=short, hold=[1, 2])
    with pytest.raises(ValueError, match=r"^cards ran out after 7: this hand needs 8"):
        GAME.explain(hash=short, hold=[1, 2])
    with pytest.raises(ValueError, match=r"^cards ran out after 0: this hand needs 5"):
        GAME.replay(hash="ff" * 64)
    with pytest.raises(ValueError, match=r"^cards ran out after 0: this hand needs 5"):
        GAME.explain(hash="ff" * 64)
    with pytest.raises(ValueError, match=r"^hand must be five cards, got -1: the hash ran out"):
        TABLE.hold_values([0, 1, 2, 3, -1])


def test_rows_whose_hash_runs_out():
    hashes = ["ff" * 64, reference.digest(SERVER, CLIENT)]
    rounds = GAME.replay(hash=hashes)
    assert rounds.final[0].tolist() == [-1] * 5
    assert rounds.row.tolist() == [-1, 9]
    assert rounds.category.tolist() == ["--", "nothing"]
    assert np.isnan(rounds.pay).tolist() == [True, False]
    assert rounds[0].category == "--"
    values = TABLE.hold_values(rounds.hand)
    assert np.isnan(values).all(axis=1).tolist() == [True, False]
    assert rounds.hold[0].tolist() == [False] * 5


# Playing


def test_holds_come_in_many_forms():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    held = [True, False, False, True, False]
    expected = GAME.replay(SERVER, CLIENT, hold=held)
    for hold in np.array(held), pd.Series(held), pl.Series(held), pd.Series([1, 4]), np.array([4, 1]), [held]:
        assert GAME.replay(SERVER, CLIENT, hold=hold) == expected


def test_holds_by_row_of_simulated_rounds():
    holds = np.random.default_rng(2).random((40, 5)) < 0.5
    rounds = GAME.simulate(40, hold=holds)
    for each in holds.tolist(), [(np.flatnonzero(hold) + 1).tolist() for hold in holds]:
        assert list(GAME.simulate(40, hold=each)) == list(rounds)
    assert rounds.hold.tolist() == holds.tolist()
    assert GAME.tally(40, hold=holds).counts.tolist() == np.bincount(rounds.row, minlength=10).tolist()
    assert rounds.net.tolist() == (rounds.pay - 1).tolist()


def test_rounds_print():
    played = GAME.replay(SERVER, CLIENT, hold=[1, 4])
    assert str(played) == "J♣ 5♥ 8♣ A♣ 2♣, hold J♣ A♣: J♣ 3♦ 5♦ A♣ J♦, jacks or better, pays 1"
    assert "jacks or better, pays 1" in played._repr_html_()
    assert pickle.loads(pickle.dumps(played)) == played
    assert hash(played) == hash(GAME.replay(SERVER, CLIENT, hold=[1, 4]))
    assert str(GAME.replay(SERVER, CLIENT, hold=[])).startswith(
        "J♣ 5♥ 8♣ A♣ 2♣, hold nothing: 3♦ 5♦ J♦ 9♥ 6♣"
    )


# Simulations


def test_simulations_do_not_depend_on_threads_or_pieces():
    best = {"strategy": "optimal"}
    whole = GAME.simulate(5000, seed="pieces", threads=1, **best)
    again = GAME.simulate(5000, seed="pieces", threads=3, **best)
    assert (whole.final == again.final).all()
    part = GAME.simulate(100, seed="pieces", start=4900, **best)
    assert (whole.final[4900:] == part.final).all()


def test_tallies_count_simulations():
    best = {"strategy": "optimal"}
    rounds = GAME.simulate(5000, seed="tally", **best)
    tally = GAME.tally(5000, seed="tally", **best)
    assert tally.counts.tolist() == np.bincount(rounds.row, minlength=10).tolist()
    assert tally.outcomes.tolist() == [hand for hand, _ in TABLE.paytable.rows]
    assert tally.rounds == 5000
    assert tally.mean() == pytest.approx(rounds.pay.mean())
    assert tally.std() == pytest.approx(rounds.pay.std())
    parts = GAME.tally(2000, seed="tally", **best)
    parts += GAME.tally(3000, seed="tally", start=2000, threads=2, **best)
    assert parts == tally
    held = GAME.tally(3000, seed="tally", hold=[1, 5])
    rows = GAME.simulate(3000, seed="tally", hold=[1, 5]).row
    assert held.counts.tolist() == np.bincount(rows, minlength=10).tolist()
    with pytest.raises(ValueError, match="same paytable"):
        tally + GAME.with_table(VideoPoker("tens_or_better")).tally(10, **best)


def test_tallies_are_equal_only_with_the_same_pays():
    tally = GAME.tally(100, strategy="optimal")
    assert tally == pickle.loads(pickle.dumps(tally))
    other = GAME.with_table(VideoPoker("jacks_or_better_9_6")).tally(100, hold=[1, 2, 3, 4, 5])
    held = GAME.tally(100, hold=[1, 2, 3, 4, 5])
    assert np.array_equal(other.outcomes, held.outcomes)
    assert np.array_equal(other.counts, held.counts)
    assert other != held
    # Counts without pays aren't equal to it either, on whichever side they stand.
    bare = pf.distribution.Tally(held.outcomes, held.counts, held.rounds)
    assert bare != held
    assert held != bare
    assert held != "a tally"
    with pytest.raises(TypeError, match="unhashable"):
        hash(held)


@pytest.mark.parametrize("played", [{}, {"strategy": "optimal"}, {"hold": [1, 2]}], ids=str)
def test_progress_of_simulations_rises_to_the_end(played):
    seen = []
    GAME.simulate(200_001, **played, threads=1, progress=lambda *now: seen.append(now))
    assert seen == sorted(seen)
    assert seen[-1] == (200_001, 200_001)
    assert {total for _, total in seen} == {200_001}


def test_mistakes_in_a_simulation_are_named():
    for played in {}, {"strategy": "optimal"}:
        with pytest.raises(ValueError, match=r"^start must be"):
            GAME.simulate(2, start=2**64 - 1, **played)
        assert len(GAME.simulate(0, **played)) == 0
    with pytest.raises(ValueError, match=r"^start must be"):
        GAME.tally(2, start=2**64 - 1, strategy="optimal")
    with pytest.raises(MemoryError):
        GAME.simulate(2**60)
    last = {"start": 2**64 - 1, "server_seed": "a", "client_seed": "b"}
    dealt = reference.deal(reference.digest("a", "b", str(2**64 - 1)))
    assert GAME.simulate(1, **last).tolist() == [dealt]
    assert GAME.simulate(1, strategy="optimal", **last).hand.tolist() == [dealt[:5]]


# ---- values of holds ----


@pytest.mark.thorough
def test_holds_equal_brute_force(every_hand):
    hands = reference.random_hands(40, seed=1)
    assert reference.differing_hands(hands, every_hand) == 0


@pytest.mark.thorough
def test_every_hand_ranks_as_it_should(every_hand):
    for name in ("jacks_or_better", "double_double_bonus_9_6"):
        game = VideoPoker(name)
        pays = np.array([pay for _, pay in game.paytable.rows])
        expected = every_hand.pays(name)[every_hand.code]
        for first in range(0, len(expected), 400_000):
            hands = every_hand.cards[first : first + 400_000]
            cards = np.hstack([hands, np.full_like(hands, -1)]).astype(np.int64)
            _, _, rows = engine_of(game.paytable).settle(cards.ravel(), True, np.ones(hands.size, bool))
            assert (pays[rows] == expected[first : first + 400_000]).all()


@given(st.permutations(range(52)), st.permutations(range(5)), st.permutations(range(4)))
def test_worth_depends_on_neither_order_nor_suits(deck, order, suits):
    hand = list(deck[:5])
    changed = [suits[hand[place] // 13] * 13 + hand[place] % 13 for place in order]
    game = VideoPoker("double_bonus_10_7")
    values, other = game.hold_values(hand), game.hold_values(changed)
    masks = [sum(1 << new for new, old in enumerate(order) if mask >> old & 1) for mask in range(32)]
    assert values.tolist() == other[masks].tolist()
    held = game.best_hold(hand)
    best = values[sum(1 << place for place in range(5) if held[place])]
    assert best == values.max()
    # The chosen hold is the same up to cards that only an exchange of suits tells apart.
    ranks = sorted(hand[place] % 13 for place in range(5) if held[place])
    assert ranks == sorted(np.array(changed)[game.best_hold(changed)] % 13)


def test_ties_hold_the_most_cards():
    nothing_pays = VideoPoker(Paytable(*[0] * 9))
    assert nothing_pays.best_hold("2s 9h 7d 5c Jc").all()


def test_hands_come_in_many_forms():
    expected = TABLE.hold_values(DEALT[:5]).tolist()
    for hand in (
        Hand(DEALT[:5]),
        tuple(DEALT[:5]),
        np.array(DEALT[:5], np.int8),
        "J♣ 5♥ 8♣ A♣ 2♣",
        ["Jc", "5h", "8c", "Ac", "2c"],
    ):
        assert TABLE.hold_values(hand).tolist() == expected
    assert TABLE.hold_values([DEALT[:5]] * 3).tolist() == [expected] * 3
    assert TABLE.best_hold(np.zeros((0, 5), int)).shape == (0, 5)
    for threads in (1, 3):
        many = np.tile(DEALT[:5], (5000, 1))
        assert TABLE.best_hold(many, threads=threads).tolist() == [[True, False, True, True, True]] * 5000


def test_hands_that_are_none():
    with pytest.raises(ValueError, match=r"^hand must be five different cards, got 3 \(4♠\) twice"):
        TABLE.hold_values([3, 1, 3, 4, 5])
    with pytest.raises(TypeError, match=r"^hand must be cards as numbers or names, got bytes"):
        TABLE.best_hold(b"\x00\x01\x02\x03\x04")
    for booleans in [True, 17, 46, 39, 40], [[1, 2, 3, 4, 5], [49, 17, 46, np.True_, 40]]:
        with pytest.raises(TypeError, match=r"^hand must be cards as integers or names, got True"):
            TABLE.hold_values(booleans)
    large = np.array([49, 17, 46, 39, 2**64 - 1], dtype=np.uint64)
    with pytest.raises(ValueError, match=r"^hand must be cards from 0 to 51, got 18446744073709551615"):
        TABLE.hold_values(large)
    with pytest.raises(ValueError, match=r"^hand\[1\] must be cards from 0 to 51, got 18446744073709551615"):
        TABLE.hold_values(np.array([[0, 1, 2, 3, 4], large], dtype=np.uint64))
    with pytest.raises(ValueError, match=r"^hand must be one hand"):
        TABLE.hold_values([DEALT[:5]] * 2, exact=True)
    with pytest.raises(ValueError, match=r"^hand must be an array, got rows of different lengths"):
        TABLE.hold_values([[0, 1, 2, 3, 4], [0, 1]])
    assert TABLE.best_hold(np.array(DEALT[:5], np.uint64)).tolist() == TABLE.best_hold(DEALT[:5]).tolist()


# The exact return


def combinations(analysis):
    return [row.combinations for row in analysis.rows]


def test_the_documents_tables():
    # The counts of jacks or better are among the values of `test_value_stability.py`.
    jacks = VideoPoker("jacks_or_better").analyze()
    assert jacks.total == 1_661_102_543_100
    tens = VideoPoker("tens_or_better").analyze()
    assert tens.total == 1_661_102_543_100
    assert [(row.pays, row.combinations) for row in tens.rows] == [
        (500, 38_106_048),
        (75, 187_838_625),
        (22, 3_915_577_076),
        (6, 19_084_542_744),
        (5, 18_600_477_537),
        (4, 20_611_548_487),
        (3, 123_201_590_075),
        (2, 213_933_852_009),
        (1, 420_598_763_532),
        (0, 840_930_246_967),
    ]
    bonus = VideoPoker("bonus_poker").analyze()
    assert bonus.total == 1_661_102_543_100
    assert [(row.pays, row.combinations) for row in bonus.rows] == [
        (500, 35_737_262),
        (45, 172_191_438),
        (70, 325_566_459),
        (35, 875_937_305),
        (25, 2_725_708_639),
        (8, 19_133_720_127),
        (5, 18_714_893_725),
        (4, 18_432_640_328),
        (3, 123_733_729_692),
        (2, 214_762_339_278),
        (1, 358_572_571_638),
        (0, 903_617_507_209),
    ]
    assert [f"{analysis.rtp:.6f}" for analysis in (jacks, tens, bonus)] == [
        "0.979696",
        "0.979657",
        "0.979398",
    ]


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("jacks_or_better_9_6", "0.995439"),
        ("bonus_poker_8_5", "0.991660"),
        ("double_bonus_10_7", "1.001725"),
        ("double_double_bonus_9_6", "0.989808"),
        ("tens_or_better_6_5", "0.991388"),
        ("all_american", "1.007221"),
        ("deuces_wild", "1.007620"),
        ("deuces_wild_15_11", "0.999569"),
        ("not_so_ugly_deuces", "0.997283"),
        ("illinois_deuces", "0.989131"),
        ("joker_poker", "1.006463"),
    ],
)
def test_published_returns(name, published):
    analysis = VideoPoker(name).analyze()
    assert f"{analysis.rtp:.6f}" == published
    assert sum(combinations(analysis)) == analysis.total


def test_analysis_adds_up():
    analysis = TABLE.analyze()
    assert analysis.rows[0].hand == "royal flush"
    assert analysis.rows[-1].hand == "nothing"
    paid = sum(row.pays * row.combinations for row in analysis.rows)
    assert analysis.exact_rtp == Fraction(paid, analysis.total)
    assert analysis.rtp == pytest.approx(sum(row.contribution for row in analysis.rows))
    assert analysis.house_edge == pytest.approx(1 - analysis.rtp)
    squares = sum(row.probability * (row.pays - analysis.rtp) ** 2 for row in analysis.rows)
    assert analysis.variance == pytest.approx(squares)
    assert analysis.hit_frequency == pytest.approx(1 - 0.545408, abs=5e-7)
    json.dumps(analysis.to_dict())
    assert pickle.loads(pickle.dumps(analysis)) == analysis
    page = analysis._repr_html_()
    assert "356,047,418,052" in page
    frame = pytest.importorskip("pandas") and analysis.to_pandas()
    assert frame["combinations"].sum() == analysis.total


def test_pays_in_fractions_change_nothing_but_the_unit():
    half = [Fraction(pay, 2) for _, pay in TABLE.paytable.rows[:-1]]
    analysis = VideoPoker(Paytable(*half)).analyze()
    assert combinations(analysis) == combinations(TABLE.analyze())
    assert analysis.exact_rtp == TABLE.analyze().exact_rtp / 2
    assert VideoPoker(Paytable(*map(float, half))).analyze() == analysis


# Custom strategies


@pytest.mark.thorough
def test_the_best_strategy_makes_no_mistakes():
    def best(hand):
        return best_of[hand]

    hands, _ = pf._engine.canonical_deals()
    best_of = {Hand(hand): hold for hand, hold in zip(hands.tolist(), TABLE.best_hold(hands), strict=True)}
    analysis = TABLE.analyze(best)
    assert combinations(analysis) == combinations(TABLE.analyze())
    assert analysis.mistakes == ()
    assert analysis.cost == 0


def test_holding_all_or_nothing_gives_the_textbook_counts():
    textbook = [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552]
    for strategy in (lambda hand: [True] * 5, ["nothing"]):
        analysis = TABLE.analyze(strategy)
        scale = Fraction(analysis.total, 2_598_960)
        assert combinations(analysis)[:8] == [count * scale for count in textbook]
        assert analysis.optimal == TABLE.analyze()
        assert 0 < analysis.cost < 1


def test_a_strategys_return_is_what_its_holds_are_worth():
    analysis = TABLE.analyze(["nothing"], mistakes=100)
    hands, weights = pf._engine.canonical_deals()
    values = TABLE.hold_values(hands)
    assert analysis.rtp == pytest.approx(values[:, 0] @ weights / weights.sum())
    assert analysis.cost == pytest.approx((values.max(axis=1) - values[:, 0]) @ weights / weights.sum())
    costs = [mistake.cost for mistake in analysis.mistakes]
    assert costs == sorted(costs, reverse=True)
    assert len(costs) == 100
    assert costs[0] == pytest.approx(((values.max(axis=1) - values[:, 0]) * weights).max() / weights.sum())
    worst = analysis.mistakes[0]
    values = TABLE.hold_values(worst.hand)
    held = sum(1 << place for place, card in enumerate(worst.hand) if card in worst.hold)
    best = sum(1 << place for place, card in enumerate(worst.hand) if card in worst.best_hold)
    assert (worst.value, worst.best_value) == (values[held], values[best])
    assert worst.cost == pytest.approx(worst.deals * (worst.best_value - worst.value) / weights.sum())
    assert "best" in str(analysis)
    assert "<ol>" in analysis._repr_html_()


def test_a_strategy_that_reads_another_value_makes_other_holds():
    held = [True] * 5
    game = crypto_games.VideoPoker()
    strategy = lambda hand: held  # noqa: E731
    assert game.simulate(10, strategy=strategy).hold.all()
    held = [False] * 5
    assert not game.simulate(10, strategy=strategy).hold.any()


@pytest.mark.thorough
def test_rules_may_be_functions():
    def made_hands(hand):
        return [1, 2, 3, 4, 5] if reference.category(list(hand)) in ("flush", "straight") else None

    mixed = TABLE.analyze(["straight flush", made_hands, "pair"])
    words = TABLE.analyze(["straight flush", "flush", "straight", "pair"])
    assert combinations(mixed) == combinations(words)


def test_strategies_that_are_none():
    with pytest.raises(ValueError, match=r"^strategy must have rules of these"):
        TABLE.analyze(["5 to a flush"])
    with pytest.raises(TypeError, match=r"^strategy must be callable or a sequence"):
        TABLE.analyze("pair")
    with pytest.raises(TypeError, match=r"^strategy\[0\] must be str or callable"):
        TABLE.analyze([1])
    with pytest.raises(TypeError, match=r"^strategy must return a hold for every hand"):
        TABLE.analyze(lambda hand: None)
    with pytest.raises(ValueError, match=r"^hold must"):
        TABLE.analyze(lambda hand: [0])
    with pytest.raises(ValueError, match=r"^hold must be one hold"):
        TABLE.analyze(lambda hand: [[True] * 5])


# Paytables


def test_names_that_no_paytable_has():
    with pytest.raises(TypeError, match=r"^jacks_or_better isn't a name .* high_pair, minimum_pair, "):
        pf.cards.Paytable(jacks_or_better=1)


def test_paytables_are_values():
    for paytable in PAYTABLES.values():
        assert eval(repr(paytable)) == paytable
        again = pickle.loads(pickle.dumps(paytable))
        assert again == paytable
        assert hash(again) == hash(paytable)
    assert len(set(PAYTABLES.values())) == len(PAYTABLES)
    assert PAYTABLES["jacks_or_better"] == Paytable(
        royal_flush=500,
        straight_flush=75,
        four_of_a_kind=20,
        full_house=9,
        flush=6,
        straight=4,
        three_of_a_kind=3,
        two_pair=2,
        high_pair=1,
        minimum_pair="J",
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        Paytable().flush = 7
    assert Paytable(flush=6.0) == Paytable(flush=np.int64(6)) == Paytable()
    assert Paytable(flush=1.2).flush == Fraction(6, 5)
    assert Paytable(four_of_a_kind={"A": 1, "2-K": 2}) != Paytable(four_of_a_kind={"2-K": 2, "A": 1})


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.array])
def test_floats_are_the_decimals_they_print_as(kind):
    assert Paytable(flush=kind(1.2)).flush == Fraction(6, 5)
    assert Paytable(four_of_a_kind={"2-A": kind(12.5)}).four_of_a_kind["2-A"] == Fraction(25, 2)
    assert Rules(blackjack_pays=kind(1.2)).blackjack_pays == Fraction(6, 5)
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match=r"^flush must be from 0 to"):
            Paytable(flush=kind(bad))
        with pytest.raises(ValueError, match=r"^blackjack_pays must be a"):
            Rules(blackjack_pays=kind(bad))


def test_whole_numbers_of_numpy_are_pays():
    assert Paytable(flush=np.uint8(7)) == Paytable(flush=np.array(7)) == Paytable(flush=7)
    assert Rules(blackjack_pays=np.str_("3/2")).blackjack_pays == Fraction(3, 2)
    for bad in (np.True_, np.array(True), np.array("1"), np.array([1]), 1j, np.complex64(1)):
        with pytest.raises(TypeError, match=r"^flush must be a number"):
            Paytable(flush=bad)


@pytest.mark.parametrize(("one", "other"), [("10", "T"), ("T", "t"), ("J", "j"), ("A", np.str_("a"))])
def test_a_rank_has_one_spelling(one, other):
    first, second = Paytable(minimum_pair=one), Paytable(minimum_pair=other)
    assert first == second
    assert hash(first) == hash(second)
    assert repr(first) == repr(second)
    assert first.minimum_pair == second.minimum_pair
    assert VideoPoker(PAYTABLES["tens_or_better"]) == VideoPoker(
        Paytable(four_of_a_kind=22, full_house=6, flush=5, minimum_pair="t")
    )


def test_games_are_values():
    game = VideoPoker("bonus_poker")
    assert repr(game) == "VideoPoker('bonus_poker')"
    assert pickle.loads(pickle.dumps(game)) == game == VideoPoker(PAYTABLES["bonus_poker"])
    assert hash(game) == hash(VideoPoker("bonus_poker"))
    assert VideoPoker() == VideoPoker("jacks_or_better")
    own = VideoPoker(Paytable(flush=7))
    assert eval(repr(own)) == own
    with pytest.raises(ValueError, match=r"^paytable must be one of 'jacks_or_better'"):
        VideoPoker("deuces")


def test_the_pay_of_four_of_a_kind_depends_on_its_group():
    game = VideoPoker("double_double_bonus_9_6")
    cases = {
        "As Ah Ad Ac 2s": 400,
        "As Ah Ad Ac 5s": 160,
        "3s 3h 3d 3c As": 160,
        "3s 3h 3d 3c 2s": 160,
        "3s 3h 3d 3c Ks": 80,
        "Ks Kh Kd Kc As": 50,
    }
    for hand, pay in cases.items():
        assert game.hold_values(hand)[31] == pay


def test_paytables_that_are_none():
    refused = [
        (ValueError, "flush must be from 0", {"flush": 10**7}),
        (TypeError, "flush must be a number", {"flush": True}),
        (ValueError, "paytable must have pays of a common denominator", {"flush": Fraction(1, 1001)}),
        (ValueError, "minimum_pair must be a rank", {"minimum_pair": "1"}),
        (ValueError, "four_of_a_kind must name groups of ranks", {"four_of_a_kind": {"K-2": 1}}),
        (ValueError, "four_of_a_kind must give every", {"four_of_a_kind": {"A": 1}}),
        (ValueError, "four_of_a_kind must have no group that never", {"four_of_a_kind": {"A-K": 1, "A": 2}}),
    ]
    for error, message, arguments in refused:
        with pytest.raises(error, match=f"^{message}"):
            Paytable(**arguments)


def test_a_paytable_may_be_its_pays():
    pays = {"full_house": 8, "flush": 5}
    assert VideoPoker(pays) == VideoPoker(Paytable(**pays))
    assert VideoPoker({"full house": 8, "flush": 5}) == VideoPoker(pays)
    bonus = PAYTABLES["bonus_poker"]
    four = dict(bonus.four_of_a_kind)
    given = {"straight flush": 45, "four of a kind": four, "full house": 8, "flush": 5}
    assert VideoPoker(given) == VideoPoker("bonus_poker")
    assert repr(VideoPoker(given)) == "VideoPoker('bonus_poker')"
    with pytest.raises(ValueError, match=r"^paytable must have keys among royal_flush, .*, got 'jacks'"):
        VideoPoker({"jacks": 1})
    with pytest.raises(ValueError, match=r"^paytable must have each pay once, got 'full house' again"):
        VideoPoker({"full_house": 8, "full house": 9})
    with pytest.raises(ValueError, match=r"^paytable: flush must be from 0"):
        VideoPoker({"flush": -1})


def test_given_cards_are_settled():
    cards = np.concatenate([GAME.play("server", [f"{n}" for n in range(50)]), GAME.play(SERVER, [CLIENT])])
    rounds = TABLE.settle(cards)
    assert list(rounds)[:50] == list(GAME.replay("server", [f"{n}" for n in range(50)]))
    assert TABLE.settle(cards[50], [1, 4]) == GAME.replay(SERVER, CLIENT, hold=[1, 4])
    assert TABLE.settle("Jc 5h 8c Ac 2c 3d 5d Jd 9h 6c", [1, 4]) == GAME.replay(SERVER, CLIENT, hold=[1, 4])
    short = cards[50].copy()
    short[7:] = -1
    assert TABLE.settle(short, [1, 2, 3]).final == (49, 17, 46, 28, 30)
    with pytest.raises(ValueError, match=r"^cards ran out after 7: this hand needs 8"):
        TABLE.settle(short, [1, 4])
    with pytest.raises(ValueError, match=r"^cards must be different cards"):
        TABLE.settle([1] * 10)
    with pytest.raises(ValueError, match=r"^cards\[1\] must be cards from 0 to 51, or -1"):
        TABLE.settle([range(10), range(-2, 8)])


TIES = {
    "all_american": [26.7993, 26.7998, 26.8178],
    "deuces_wild": [25.8346, 25.8346, 25.8379],
    "deuces_wild_15_11": [25.4983, 25.4989, 25.4996],
    "illinois_deuces": [25.6174, 25.6186, 25.6247],
    "joker_poker": [26.2450, 26.2450, 26.2450],
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", PAYTABLES)
def test_what_the_variance_owes_to_the_rule_for_ties(name):
    """The documentation of `Analysis.exact_variance` gives these figures."""
    paytable = PAYTABLES[name]
    kept = {name: getattr(paytable, name) for name in ("minimum_pair", "wild", "jokers")}
    given = {name: getattr(paytable, name) for name in inspect.signature(Paytable).parameters}
    pays = {hand: pay for hand, pay in given.items() if hand not in kept}
    squares = {
        hand: {group: one**2 for group, one in pay.items()} if isinstance(pay, Mapping) else pay and pay**2
        for hand, pay in pays.items()
    }
    hands, weights = pf._engine.canonical_deals(engine_of(paytable))
    values = VideoPoker(paytable).hold_values(hands)
    second = VideoPoker(Paytable(**squares, **kept)).hold_values(hands)
    best = values.max(axis=1)
    tied = values == best[:, None]
    mean = best @ weights / weights.sum()
    least = np.where(tied, second, np.inf).min(axis=1) @ weights / weights.sum() - mean**2
    most = np.where(tied, second, -np.inf).max(axis=1) @ weights / weights.sum() - mean**2
    variance = VideoPoker(name).analyze().variance
    if name in TIES:
        assert [round(figure, 4) for figure in (least, variance, most)] == TIES[name]
    else:
        assert least == pytest.approx(variance, abs=1e-9)
        assert most == pytest.approx(variance, abs=1e-9)


def test_exact_figures_have_the_floats_names():
    analysis = TABLE.analyze(["pair"])
    for name in ("rtp", "house_edge", "variance", "hit_frequency", "cost"):
        exact = getattr(analysis, f"exact_{name}")
        assert isinstance(exact, Fraction)
        assert getattr(analysis, name) == float(exact)
    assert analysis.exact_rtp + analysis.exact_house_edge == 1
    assert analysis.exact_cost == analysis.optimal.exact_rtp - analysis.exact_rtp


# Explanations


def test_the_documents_walk_through():
    explanation = GAME.explain(SERVER, CLIENT, hold=[1, 4], commitment=COMMITMENT)
    table = [(step.passed, step.word, step.result) for step in explanation.steps[:8]]
    assert table == [
        ((58,), 149, 49),
        ((155, 186, 255), 217, 17),
        ((179,), 146, 46),
        ((), 139, 39),
        ((), 40, 40),
        ((67,), 28, 28),
        ((46,), 230, 30),
        ((), 136, 36),
    ]
    assert explanation.committed is True
    assert [step.result for step in explanation.steps] == DEALT
    assert explanation.outcome == GAME.replay(SERVER, CLIENT, hold=[1, 4])
    results = dict(explanation.results)
    assert results["final hand"] == "J♣ 3♦ 5♦ A♣ J♦"
    assert results["drawn"] == "3♦ 5♦ J♦"
    assert results["result"] == "jacks or better, pays 1"
    text = str(explanation)
    for line in (
        "word 5 of cursor 0, d9 = 217",
        "217 mod 100 = 17",
        "17  5♥  hand, card 2",
        "commitment  matches",
    ):
        assert line in text
    json.dumps(explanation.to_dict())
    assert pickle.loads(pickle.dumps(explanation)) == explanation


def test_a_changed_seed_is_reported():
    explanation = GAME.explain(SERVER + "x", CLIENT, commitment=COMMITMENT)
    assert explanation.committed is False
    text = str(explanation)
    assert "DOES NOT MATCH" in text
    assert COMMITMENT in text
    assert hashlib.sha256((SERVER + "x").encode()).hexdigest() in text
    assert GAME.explain(SERVER, CLIENT).committed is None
    for written in (f"0x{COMMITMENT}", f" 0X{COMMITMENT.upper()}\n", COMMITMENT.encode()):  # as in logs
        assert GAME.explain(SERVER, CLIENT, commitment=written).committed is True
    with pytest.raises(TypeError, match=r"^fields must be among hash, got 'commitment'"):
        GAME.explain(hash=reference.digest(SERVER, CLIENT), commitment=COMMITMENT)


def test_arrays_without_an_axis_are_explained_as_what_they_hold():
    expected = GAME.explain("a", b"b", nonce="x", commitment="00")
    arrays = [np.array(text) for text in ("a", b"b", "x", b"00")]
    arrays[2] = np.array("x", dtype=object)
    server_seed, client_seed, nonce, commitment = arrays
    assert GAME.explain(server_seed, client_seed, nonce=nonce, commitment=commitment) == expected
    assert str(GAME.explain(np.array("a"), np.array("b"))) == str(GAME.explain("a", "b"))
    assert GAME.explain("a", "b", commitment=np.array(pf.commitment("a"))).committed is True
    replayed = GAME.explain(hash=np.array(PRINTED_HASH[:128]))
    assert replayed == GAME.explain(hash=PRINTED_HASH[:128])
    assert replayed.outcome == GAME.replay(hash=PRINTED_HASH[:128])


def test_rounds_that_all_ran_out_are_shown_without_a_warning():
    rounds = crypto_games.VideoPoker().replay(hash=[64 * "05"], hold=[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "mean pay nan" in repr(rounds)
