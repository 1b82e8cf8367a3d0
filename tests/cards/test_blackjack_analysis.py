"""Blackjack: the exact worth of strategies, charts, and simulations that agree with it."""

from __future__ import annotations

import copy
import hashlib
import itertools
import math
import pickle
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles import blackjack as oracle, salted
from provably_fair._core.numbers import exactly
from provably_fair.cards import Blackjack, Chart, Rules
from provably_fair.operators import crypto_games, stake

DOCUMENT = Rules(decks=4)
# Usual rules elsewhere: 3:2, a peek, one card to split aces, no surrender.
COMMON = Rules(
    decks=8,
    soft_17="stand",
    hole_card="peek",
    blackjack_pays=Fraction(3, 2),
    split_hands=4,
    split_aces="one_card",
    ten_ace_after_split="21",
    surrender="none",
)


def percent(rules, strategy="optimal"):
    return 100 * Blackjack(rules).analyze(strategy).house_edge


def deal_of(table):
    """A deal with as many decks as a table, the only thing that random shoes depend on."""
    decks = table.rules.decks
    deals = {4: crypto_games.Blackjack(), math.inf: stake.Blackjack()}
    return (deals[decks] if decks in deals else pf.cards.Shoe(decks=decks)).with_table(table)


# ---- figures ----


@pytest.mark.parametrize(
    ("decks", "surrender", "ten_ace", "optimal", "basic"),
    [
        (4, "none", "21", 1.9084, 1.9139),
        (4, "early", "21", 1.1885, 1.1898),
        (4, "none", "blackjack", 1.8013, 1.8067),
        (4, "early", "blackjack", 1.0814, 1.0827),
        (math.inf, "none", "21", 2.0659, 2.0659),
        (math.inf, "early", "21", 1.3346, 1.3346),
        (math.inf, "none", "blackjack", 1.9520, 1.9520),
        (math.inf, "early", "blackjack", 1.2208, 1.2208),
    ],
)
def test_the_documents_rules(decks, surrender, ten_ace, optimal, basic):
    rules = Rules(decks=decks, surrender=surrender, ten_ace_after_split=ten_ace)
    assert percent(rules) == pytest.approx(optimal, abs=5.1e-5)
    assert percent(rules, "basic") == pytest.approx(basic, abs=5.1e-5)


@pytest.mark.parametrize(
    ("changes", "published"),
    [
        ({}, 0.430581),
        ({"decks": 6, "soft_17": "hit"}, 0.615389),
        ({"decks": math.inf}, 0.511734),
        ({"decks": 4, "soft_17": "hit", "blackjack_pays": Fraction(6, 5), "split_hands": 2}, 1.971470),
    ],
)
def test_figures_published_elsewhere(changes, published):
    assert percent(replace(COMMON, **changes)) == pytest.approx(published, abs=5.1e-7)


def test_dealer_chances_equal_the_oracle():
    analysis = Blackjack(decks=4).analyze()
    full = oracle.full_shoe(4)
    for upcard in analysis.upcards:
        rank = 1 if upcard.upcard == "A" else int(upcard.upcard)
        expected = oracle.dealer_chances(oracle.without(full, rank), rank, rank == 1, 1)
        assert upcard.probability == pytest.approx(full[rank - 1] / 208, abs=1e-15)
        assert sum(upcard.dealer.values()) == pytest.approx(1, abs=1e-13)
        for result, chance in upcard.dealer.items():
            key = int(result) if result.isdigit() else result
            assert chance == pytest.approx(float(expected.get(key, 0)), abs=1e-13)


MORE = [
    {},
    {"charlie": 4},
    {"charlie": 3, "double_cards": "any"},
    {"dealer_22": "push"},
    {"double_cards": "any", "double": "hard 9-11, soft 13-18"},
    {"double": "soft", "dealer_22": "push", "charlie": 5, "surrender": "early 10"},
]


@pytest.mark.one_case_in(6)
@pytest.mark.parametrize("changes", MORE, ids=str)
def test_values_equal_the_oracle(changes):
    """The values for one deck, dealing every card in turn, in fractions."""
    game = Blackjack(decks=1, **changes)
    analysis = game.analyze()
    rules = oracle.DOCUMENT | changes
    hands = [((10, 6), 10), ((1, 6), 6)]
    if "any" in changes.values():  # low totals, which take most of the time, are doubled after more cards
        hands.append(((5, 4), 7))
    for hand, upcard in hands:
        left = oracle.without(oracle.full_shoe(1), *hand, upcard)
        label = ",".join("A" if rank == 1 else str(rank) for rank in hand)
        values = dict(analysis.values[label, "A" if upcard == 1 else str(upcard)])
        given_up = values.pop("surrender", None)
        assert given_up == (-0.5 if oracle.surrender_against(rules, upcard - 1) == "early" else None)
        expected = oracle.plays_by(rules, left, hand, upcard)
        assert values == pytest.approx({name: float(value) for name, value in expected.items()}, abs=1e-13)


def test_a_dealers_22_has_a_chance_of_its_own():
    pushes, loses = (Blackjack(decks=4, dealer_22=word).analyze() for word in ("push", "bust"))
    for with_22, without in zip(pushes.upcards, loses.upcards, strict=True):
        assert sum(with_22.dealer.values()) == pytest.approx(1, abs=1e-13)
        assert with_22.dealer["22"] + with_22.dealer["bust"] == pytest.approx(
            without.dealer["bust"], abs=1e-13
        )
        assert "22" not in without.dealer
    assert "dealer 22" in str(pushes)


def test_lists_of_totals_and_upcards_are_the_words_they_spell():
    for word, spelled in (("9-11", "hard 9-11"), ("soft", "soft 12-20"), ("any", "hard 4-20, soft 12-20")):
        assert percent(Rules(decks=4, double=word)) == percent(Rules(decks=4, double=spelled))
    assert percent(Rules(decks=4, surrender="early A, early 2-10")) == percent(DOCUMENT)
    assert (
        percent(Rules(decks=4, surrender="early A"))
        > percent(Rules(decks=4, surrender="early 10, early A"))
        > percent(DOCUMENT)
    )


def test_the_report_is_consistent():
    for strategy in ("optimal", "basic"):
        analysis = Blackjack(decks=4).analyze(strategy)
        assert sum(first.probability for first in analysis.hands) == pytest.approx(1, abs=1e-13)
        total = sum(first.probability * first.value for first in analysis.hands)
        assert analysis.house_edge == pytest.approx(-total, abs=1e-14)
        assert analysis.value == -analysis.house_edge
        total = sum(upcard.probability * upcard.value for upcard in analysis.upcards)
        assert analysis.house_edge == pytest.approx(-total, abs=1e-14)
        for first in analysis.hands:
            if first.action is None:
                assert first.hand == "A,10"
                assert not first.values
            else:
                assert first.value == first.values[first.action]
                if strategy == "optimal":
                    assert first.value == max(first.values.values())


def test_optimal_play_is_known_basic_strategy():
    """Every book on these rules says: double eleven, split aces, surrender to an ace."""
    chart = Blackjack(decks=4).analyze("basic").chart.rows
    assert chart["hard 11"]["6"] == "DH"
    assert set(chart["pair A"].values()) == {"P"}
    assert chart["hard 16"]["A"] == "RH"
    assert chart["hard 17"]["A"] == "RS"
    assert chart["hard 12"]["3"] == "H"
    assert chart["hard 12"]["4"] == "S"
    assert set(chart["pair 10"].values()) == {"S"}
    common = Blackjack(COMMON).analyze("basic").chart.rows
    assert "".join(common["hard 16"].values()) == "SSSSSHHHHH"
    assert list(common["soft 18"].values()) == ["S", "DS", "DS", "DS", "DS", "S", "S", "H", "H", "H"]
    assert list(common["pair 8"].values()) == ["P"] * 10
    assert list(common["pair 9"].values()) == ["P", "P", "P", "P", "P", "S", "P", "P", "S", "S"]
    # Against a ten the composition of sixteen matters: with a four or a five fewer in the shoe, standing is
    # best.
    optimal = Blackjack(replace(COMMON, decks=1)).analyze()
    assert optimal.values["10,6", "10"]["hit"] > optimal.values["10,6", "10"]["stand"]


def test_the_analysis_prints_and_converts():
    analysis = Blackjack(decks=4).analyze("basic")
    text = str(analysis)
    assert "house edge 1.0827%" in text
    assert "hard 16" in text
    assert "dealer blackjack" in text
    assert "<table " in analysis._repr_html_()
    assert analysis.to_dict()["chart"]["hard 16"]["9"] == "RH"
    assert "house edge 1.0814%" in repr(Blackjack(decks=4).analyze())
    frame = pytest.importorskip("pandas") and analysis.to_pandas()
    assert (frame["probability"] * frame["value"]).sum() == pytest.approx(-analysis.house_edge, abs=1e-14)
    assert analysis.chart.to_pandas().loc["hard 16", "9"] == "RH"


def test_charts_are_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    ax = Blackjack(decks=4).analyze("basic").plot()
    assert len(ax.texts) == 380
    other = Blackjack(decks=4).analyze().chart.plot(ax=matplotlib.pyplot.figure().add_subplot())
    assert len(other.texts) == 540


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("strategy", ["optimal", "basic", Chart(hard={16: "S"})], ids=str)
def test_analyses_are_values(strategy):
    game = Blackjack(Rules(decks=4, surrender="none"))
    analysis = game.analyze(strategy)
    for again in pickle.loads(pickle.dumps(analysis)), copy.deepcopy(analysis), copy.copy(analysis):
        assert again == analysis
        assert hash(again) == hash(analysis)
        assert again.to_dict() == analysis.to_dict()
        assert deal_of(game).tally(500, strategy=again) == deal_of(game).tally(500, strategy=analysis)
    assert analysis != Blackjack(decks=4).analyze(strategy)
    assert analysis != game.analyze(Chart())
    for part in analysis.chart, analysis.hands[7], analysis.upcards[3]:
        assert pickle.loads(pickle.dumps(part)) == copy.deepcopy(part) == part
        assert type(pickle.loads(pickle.dumps(part))) is type(part)
    assert hash(analysis.chart) == hash(copy.deepcopy(analysis.chart))
    assert analysis.chart != Chart()


# ---- charts ----


def test_charts_are_values():
    chart = Chart(
        hard={16: "S S S S S H H H H H", 11: ["DH"] * 10}, soft={18: "DS"}, pairs={"A": "P", 8: "RP"}
    )
    assert chart.rows["hard 16"]["6"] == "S"
    assert chart.rows["hard 16"]["A"] == "H"
    assert chart.rows["soft 18"]["2"] == "DS"
    assert chart.rows["pair 8"]["10"] == "RP"
    assert chart.rows["hard 12"]["2"] == "H"
    assert chart.rows["hard 17"]["2"] == "S"
    assert chart != Chart()
    assert pickle.loads(pickle.dumps(chart)) == chart
    assert hash(chart) == hash(pickle.loads(pickle.dumps(chart)))
    with pytest.raises(FrozenInstanceError):
        chart.rows = {}
    assert "pair A" in str(chart)
    assert "first that is allowed" in chart._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"hard": {22: "S"}}, ValueError, "hard must have keys among 4, 5"),
        ({"soft": {11: "S"}}, ValueError, "soft must have keys among 12, 13"),
        ({"pairs": {"K": "S"}}, ValueError, "pairs must have keys among A, 2"),
        ({"hard": {16: "D"}}, ValueError, r"hard\[16\] must have H or S"),
        ({"hard": {16: "X"}}, ValueError, r"hard\[16\] must be made of the letters"),
        ({"hard": {16: "H S"}}, ValueError, r"hard\[16\] must have one cell or ten, .* got 2"),
        ({"hard": {16: 5}}, TypeError, r"hard\[16\] must be str or ten of them, got 5"),
    ],
)
def test_charts_that_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Chart(**arguments)


def test_charts_side_by_side():
    one, other = Chart(hard={16: "S"}), Chart(hard={16: "S S S S S H H H H H"}, pairs={"A": "P"})
    changes = one.changes(other)
    assert [cell[0] for cell in changes.cells] == ["hard 16"] * 5 + ["pair A"] * 10
    assert tuple(changes.cells[0]) == ("hard 16", "7", "S", "H")
    assert tuple(changes.cells[-1]) == ("pair A", "A", "", "P")
    assert "S > H" in str(changes)
    assert "- &gt; P" in changes._repr_html_()
    assert len(one.changes(one)) == 0
    assert pickle.loads(pickle.dumps(changes)) == changes
    assert [tuple(cell)[:1:-1] for cell in other.changes(one).cells] == [
        tuple(cell)[2:] for cell in changes.cells
    ]
    late, early = (Blackjack(decks=4, surrender=word).analyze() for word in ("late", "early"))
    differ = late.chart.changes(early.chart).cells
    assert {cell.upcard for cell in differ} == {"10", "A"}
    with pytest.raises(TypeError, match=r"^other must be a HandChart as this one is, got Chart"):
        late.chart.changes(one)


def test_a_best_chart_given_back_is_worth_the_same():
    game = Blackjack(decks=4)
    basic = game.analyze("basic")
    again = game.analyze(basic.chart)
    assert (again.house_edge, again.std, again.strategy) == (basic.house_edge, basic.std, "chart")
    assert again.chart == basic.chart
    for other in (Chart(), Chart(hard={16: "S"}), Chart(pairs={"A": "P", 8: "P", 9: "P"})):
        assert game.analyze(other).house_edge > basic.house_edge
    with pytest.raises(ValueError, match="strategy must be"):
        game.analyze("best")
    with pytest.raises(TypeError, match="strategy must be"):
        game.analyze(None)


def with_row(chart, label, change):
    """Return a chart with every cell of a row changed."""
    parts = {"hard": {}, "soft": {}, "pair": {}}
    for name, row in chart.rows.items():
        kind, key = name.split()
        parts[kind][key] = [change(cell) if name == label else cell for cell in row.values()]
    return Chart(hard=parts["hard"], soft=parts["soft"], pairs=parts["pair"])


ANY_PLAY = [lambda _, play=play: play for play in ("H", "S", "DH", "RS", "PH")]
HIT_FOR_STAND = [lambda cell: cell[:-1] + ("S" if cell[-1] == "H" else "H")]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "kinds", "changes"),
    [
        (Rules(decks=math.inf), ("hard", "soft", "pair"), ANY_PLAY),
        # With one deck, the composition of a total matters. Without splits and doubling, the hands of a total
        # include the low pairs, which are all hit.
        (Rules(decks=1, split_hands=1), ("hard", "soft"), ANY_PLAY[:4]),
        (Rules(decks=1), ("hard", "soft"), HIT_FOR_STAND),
        (replace(COMMON, decks=1), ("hard",), HIT_FOR_STAND),
    ],
    ids=["infinite", "no splits", "one deck", "four hands"],
)
def test_no_change_of_one_cell_makes_the_best_chart_better(rules, kinds, changes):
    """Upcards are independent, so the cells of a row are changed together."""
    game = Blackjack(rules)
    best = game.analyze("basic")
    for label in best.chart.rows:
        if label.startswith(kinds):
            for change in changes:
                changed = game.analyze(with_row(best.chart, label, change))
                for was, now in zip(best.upcards, changed.upcards, strict=True):
                    assert now.value <= was.value + 1e-13, (label, was.upcard)


# ---- rules ----


def test_what_the_documents_rules_are_worth():
    values = Blackjack(decks=4).rule_values()
    assert [row.rule for row in values.rows] == [
        "soft_17=hit",
        "hole_card=all_bets",
        "blackjack_pays=6:5",
        "split_aces=hit_and_double",
        "ten_ace_after_split=blackjack",
        "surrender=early",
    ]
    by_rule = {row.rule: row for row in values.rows}
    assert 100 * values.house_edge == pytest.approx(1.0814, abs=5.1e-5)
    assert values.rows[-1].house_edge == pytest.approx(values.house_edge)
    assert 100 * by_rule["surrender=early"].last == pytest.approx(1.8013 - 1.0814, abs=1e-4)
    assert 100 * by_rule["ten_ace_after_split=blackjack"].last == pytest.approx(1.1885 - 1.0814, abs=1e-4)
    for row in values.rows:
        favors = row.rule.startswith(("split_aces", "ten_ace", "surrender"))
        assert (row.alone > 0, row.last > 0) == (favors, favors)
    text = str(values)
    assert "1.17 %" in text
    assert "0.4768% against an ace" in text
    assert "1.0814%" in values._repr_html_()
    assert not Blackjack(COMMON).rule_values().notes


def test_one_bet_in_all_is_worth_the_same_as_a_peek():
    assert percent(COMMON) == percent(replace(COMMON, hole_card="original_bet"))
    assert percent(COMMON) < percent(replace(COMMON, hole_card="all_bets"))


# ---- side bets ----


def color_of(card):
    return "black" if pf.cards.name(card)[-1] in "♣♠" else "red"


def expected_pairs(deal):
    first, second = (pf.cards.name(card) for card in deal)
    if first[:-1] != second[:-1]:
        return 0
    return 26 if first == second else 13 if color_of(deal[0]) == color_of(deal[1]) else 7


@pytest.mark.parametrize("decks", [1, 4, 6, math.inf])
def test_side_bets_are_exact_by_the_composition(decks):
    """Pairs are counted by rank, color and suit; 21+3 equals the published figure for six decks."""
    game = Blackjack(decks=decks)
    n = 1 if decks == math.inf else decks
    rest = 52 * n - (decks != math.inf)
    same, color, other = n - (decks != math.inf), n, 2 * n
    bet = game.side_bet("pairs")
    assert bet.exact_rtp == Fraction(26 * same + 13 * color + 7 * other, rest)
    assert game.side_bet(expected_pairs, cards=2).law == bet.law
    if decks == 6:
        assert game.side_bet("21+3").house_edge == pytest.approx(0.032386, abs=5e-7)
        # The upcard is an ace (rank 0 of 13).
        assert game.side_bet(lambda deal: int(deal[2] % 13 == 0)).exact_rtp == Fraction(1, 13)


def dealt_by_salted_rounds(decks, cards, seed, start, rounds):
    """The first cards of simulated rounds, as numbers of one deck, in plain Python."""
    seeds = salted.simulation_seeds("", seed)
    for salt in salted.salts(rounds, seed, start):
        drawn = salted.random_numbers(*seeds, salt, cards)
        if decks == math.inf:
            yield [salted.below(x, 52) for x in drawn]
        else:
            yield [card % 52 for card in salted.shuffle(drawn, 52 * decks)]


def test_a_payout_that_reads_another_value_is_another_bet():
    pays = {"ace": 12}
    aces = lambda deal: pays["ace"] if deal[0] % 13 == 0 else 0  # noqa: E731
    six = Blackjack(decks=6)
    bet = six.side_bet(aces, cards=1)
    assert bet.exact_rtp == Fraction(12, 13)
    pays["ace"] = 5
    assert six.side_bet(aces, cards=1).exact_rtp == Fraction(5, 13)
    assert bet.simulate(100).max() == 12


@pytest.mark.parametrize("decks", [1, 4, 6, math.inf])
def test_rounds_of_side_bets_are_salted_rounds(decks):
    game = Blackjack(decks=decks)
    bet = game.side_bet("pairs")
    dealt = dealt_by_salted_rounds(decks, cards=2, seed=3, start=10, rounds=200)
    assert bet.simulate(200, seed=3, start=10).tolist() == [expected_pairs(deal) for deal in dealt]
    assert bet.estimate(100_000).covers
    assert bet == pickle.loads(pickle.dumps(bet)) == Blackjack(decks=decks).side_bet("pairs")
    if decks == math.inf:
        return
    with pytest.raises(ValueError, match=r"^cards must be"):
        game.side_bet("pairs", cards=3)
    with pytest.raises(TypeError, match=r"^payout must be numbers"):
        game.side_bet(lambda deal: "won", cards=1)


# ---- simulations ----


@pytest.mark.parametrize("shoes", ["hashed", "random"])
def test_simulations_do_not_depend_on_threads_or_pieces(shoes):
    game, basic = crypto_games.Blackjack(), {"strategy": "basic", "shoes": shoes}
    whole = game.tally(20_000, **basic, seed="pieces", threads=1)
    assert whole == game.tally(20_000, **basic, seed="pieces", threads=3)
    parts = game.tally(7000, **basic, seed="pieces")
    parts += game.tally(13_000, **basic, seed="pieces", start=7000)
    assert parts == whole
    assert np.array_equal(parts.counts, whole.counts)
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert whole != game.tally(20_000, **basic, seed="others")


def stand(decision):
    return "stand"


def test_a_simulated_round_is_the_one_that_is_played():
    game = crypto_games.Blackjack()
    seeds = [hashlib.sha256(f"3:{side}".encode()).hexdigest() for side in ("server", "client")]
    chart = Chart(hard={16: "S"})
    for strategy in ("basic", "optimal", chart, game.table.analyze(), stand):
        nets = game.simulate(300, strategy=strategy, seed=3, start=10).net
        assert (nets.shape, nets.dtype) == ((300,), np.float64)
        played = [game.replay(*seeds, number, strategy=strategy) for number in range(10, 310)]
        assert nets.tolist() == [one.net for one in played]
        assert all(one.exact_net == sum(hand.exact_net for hand in one.hands) for one in played)
    best = game.replay(*seeds)
    assert (
        best == game.replay(*seeds, strategy="optimal") == game.replay(*seeds, actions=game.table.analyze())
    )
    assert game.replay(hash=hashlib.sha512("".join(seeds).encode()).hexdigest()) == best


@pytest.mark.parametrize("shoes", ["hashed", "random"])
def test_a_function_plays_what_the_engine_plays(shoes):
    game = crypto_games.Blackjack().with_table(Blackjack(split_hands=4, blackjack_pays="3/2"))
    for strategy in ("basic", "optimal"):
        analysis = game.table.analyze(strategy)
        nets = game.simulate(600, strategy=analysis, shoes=shoes, seed="a function")
        asked = game.simulate(600, strategy=analysis.__call__, shoes=shoes, seed="a function")
        assert np.array_equal(nets, asked)
    assert np.array_equal(
        nets[400:], game.simulate(200, strategy="optimal", shoes=shoes, seed="a function", start=400)
    )
    for threads in (1, 3):
        assert np.array_equal(
            game.simulate(9000, strategy="basic", shoes=shoes, threads=threads)[:5000],
            game.simulate(5000, strategy="basic", shoes=shoes),
        )


def test_what_a_function_does_wrong_is_said():
    game = crypto_games.Blackjack()
    for play in (game.replay, lambda *_, strategy: game.simulate(3, strategy=strategy)):
        with pytest.raises(ValueError, match="the strategy's action must be one of"):
            play("s", "c", strategy=lambda decision: "fly")
        with pytest.raises(TypeError, match="the strategy's action must be a str"):
            play("s", "c", strategy=lambda decision: None)
    calls = []
    game.simulate(1000, strategy=stand, progress=lambda done, rounds: calls.append((done, rounds)))
    assert calls[-1] == (1000, 1000)
    assert len(game.simulate(0, strategy="basic")) == len(game.simulate(0, strategy=stand)) == 0
    assert game.simulate(0).shape == (0, 20)
    empty = game.tally(0, strategy="basic")
    assert (empty.rounds, empty.exhausted, empty.counts.size) == (0, 0, 0)
    assert np.isnan(empty.standard_error)


@pytest.mark.parametrize("shoes", ["hashed", "random"])
def test_a_series_is_named_by_an_integer_or_a_text(shoes):
    class Seven:
        def __index__(self):
            return 7

    game, basic = crypto_games.Blackjack(), {"strategy": "basic", "shoes": shoes}
    named = game.tally(2000, **basic, seed=7)
    for same in ("7", np.int64(7), Seven()):
        assert game.tally(2000, **basic, seed=same) == named
    assert game.tally(2000, **basic, seed=8) != named


GIVE_UP = Chart(hard=dict.fromkeys(range(4, 22), "RH"), soft=dict.fromkeys(range(12, 22), "RH"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "strategy"),
    [
        (DOCUMENT, "basic"),
        (DOCUMENT, GIVE_UP),
        (DOCUMENT, Chart(hard={11: "DH"}, pairs={"A": "P", "10": "P"})),
        (replace(COMMON, blackjack_pays=Fraction(7, 3)), "optimal"),
        (Rules(decks=1, split_hands=3, resplit_aces=True, surrender="late", hole_card="peek"), "basic"),
        (Rules(decks=math.inf, split_hands=4, hole_card="original_bet"), "optimal"),
        (replace(COMMON, decks=math.inf, resplit_aces=True, surrender="late"), "basic"),
        (replace(COMMON, decks=2, hole_card="original_bet", surrender="early"), "basic"),
        (replace(COMMON, decks=6, hole_card="all_bets", surrender="late"), "optimal"),
        *itertools.product(
            [
                *(Rules(**{"decks": 2, "hole_card": "peek"} | changes) for changes in MORE),
                Rules(decks=16, hole_card="peek", split_hands=4, surrender="early A, late 2-10"),
            ],
            ["optimal", "basic"],
        ),
    ],
    ids=str,
)
def test_the_law_of_the_net_result(rules, strategy):
    """The law's mean is the analysis's, and simulated rounds agree with the law and with play by hand."""
    game = Blackjack(rules)
    analysis = game.analyze(strategy)
    law = analysis.net
    assert law.mean() == analysis.value
    assert law.std() == analysis.std
    assert law is analysis.net
    nets = deal_of(game).simulate(400, strategy=strategy, shoes="random")
    assert np.array_equal(
        nets, deal_of(game).simulate(400, strategy=analysis.__call__, shoes="random"), equal_nan=True
    )
    bet = deal_of(game).bet(strategy=strategy)
    assert bet.rtp == pytest.approx(1 - analysis.house_edge, rel=1e-15)
    assert bet.law.weights == law.weights
    assert [Fraction(back) for back in bet.law.outcomes[:1]] == [1 + Fraction(law.outcomes[0])]
    rounds = 100_000
    tally = deal_of(game).tally(rounds, strategy=strategy, shoes="random", seed="law")
    assert tally.exhausted == 0
    assert tally.standard_error == pytest.approx(law.std() / rounds**0.5, rel=0.01)
    assert str(tally).startswith("100,000 rounds: house edge")
    expected = dict(zip((exactly(net) for net in law.outcomes), law.probabilities, strict=True))
    assert set(tally.nets) <= set(expected)
    for net, chance in expected.items():
        error = (tally.nets.get(net, 0) - chance * rounds) / max(math.sqrt(chance * (1 - chance) * rounds), 1)
        assert abs(error) < 4.5, net


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"shoes": "random", "server_seed": "s"}, ValueError, "server_seed isn't supported"),
        ({"start": 2**64 - 1}, ValueError, "start must be"),
        ({"shoes": "random", "strategy": None}, TypeError, "shoes isn't supported without a strategy"),
    ],
)
def test_simulations_that_are_refused(arguments, error, message):
    game = crypto_games.Blackjack()
    for simulation in (game.tally, game.simulate):
        with pytest.raises(error, match=f"^{message}"):
            simulation(**{"rounds": 2, "strategy": "basic"} | arguments)
