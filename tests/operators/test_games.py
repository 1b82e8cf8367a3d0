"""Games of operators: their laws against plain Python, their bets, and every view of each."""

from __future__ import annotations

import hmac
import inspect
import itertools
import json
import math
import pickle
import tracemalloc
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from own_games import game_of
from provably_fair._core.counts import bincount
from provably_fair.games.fairness import looks_of
from provably_fair.names import parse_game, parse_subject
from provably_fair.operators.published import PublishedRound
from published_rounds import (
    GAMES,
    ROUNDS,
    betkyo,
    bustabit,
    duel,
    liqd,
    primedice,
    stake,
)

ids = "{0.__module__}.{0.__name__}".format


# ---- laws, with the rules once more in plain Python; those of bets are in test_exact_laws ----


OF_BETKYO = (betkyo.Roulette(), betkyo.SicBo(), betkyo.Koban(7))


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (0, (0, 1, 0)),
        # Where the one rounding decides: below a third, a half and 1 (a tie goes to the even double).
        ((2**64 - 1) // 3, (12, 3, 0)),
        (2**63 - 513, (18, 3, 0)),
        (2**63 - 512, (18, 4, 1)),
        (2**64 - 1025, (36, 6, 1)),
        (2**64 - 1, (36, 6, 1)),
    ],
)
def test_betkyos_numbers_at_their_ends(head: int, expected: tuple[int, int, int]) -> None:
    scheme = pf.Scheme.of(lambda nonce: 7 * divmod(head, 2**32), bits=32, fields=["nonce"])
    for game, value in zip(OF_BETKYO, expected, strict=True):
        assert set(np.ravel(game.with_scheme(scheme).play(nonce=0)).tolist()) == {value}


@pytest.mark.parametrize("game", [duel.Dice(), liqd.Dice(), duel.Mines(3), duel.VideoPoker()], ids=repr)
def test_no_answer_is_more_probable_where_words_are_passed_over(game: pf.Game) -> None:
    subject = looks_of(game)[0].subject
    drawn = game.distribution("as_drawn", **subject)
    assert len(set(drawn.weights)) == 1
    assert drawn.total_variation(game.distribution(**subject)) == 0


# ---- games by the operator's tables ----

TABLES = json.loads((VECTORS / "stake_tables.json").read_text(encoding="utf-8"))
LEVELS = ("easy", "medium", "hard", "expert")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("cls", "places"), [(stake.Chicken, 20), (stake.Pump, 25)], ids=str)
def test_paths_have_the_multipliers_of_the_table(cls: Any, places: int, level: str) -> None:
    game = cls(level)
    assert list(game.multipliers) == TABLES[game.name.removeprefix("stake.")][level]
    ends = {"easy": 1, "medium": 3, "hard": 5, "expert": 10}[level]
    for passed, multiplier in enumerate(game.multipliers[1:], 1):
        reached = Fraction(math.comb(places - passed, ends), math.comb(places, ends))
        bet = game.bet(cash_out=multiplier, law="ideal")
        assert bet.exact_rtp == reached * Fraction(str(multiplier))
        assert abs(bet.rtp - 0.98) < 0.0051 * reached + 1e-12  # rounded to cents
        assert game.bet(cash_out=multiplier).rtp == pytest.approx(bet.rtp, abs=1e-6)
    with pytest.raises(ValueError, match="cash_out must be one of the level's multipliers"):
        game.bet(cash_out=1.01)


@pytest.mark.parametrize("game", [stake.Chicken("medium"), stake.Pump("medium")], ids=repr)
def test_laws_of_paths_are_those_of_all_draws(game: pf.Game) -> None:
    own = game_of(game.outcome, scheme=game.scheme)
    for law in ("ideal", "as_drawn"):
        assert [*game.distribution(law)] == [*own.distribution(law)]
    assert game.distribution(of=lambda x: x > 2).mean(exact=True) == own.distribution(
        of=lambda x: x > 2
    ).mean(exact=True)


@pytest.mark.parametrize("level", LEVELS)
def test_cases_tarot_and_bars_return_what_the_operator_names(level: str) -> None:
    game = stake.Bars(level, 3)
    paid = game.simulate(200)[:, :3].sum(axis=1)
    assert game.bet().simulate(200).round(9).tolist() == paid.round(9).tolist()
    for bet in (stake.Cases(level).bet(), stake.Tarot(level).bet(), stake.Bars(level).bet()):
        assert 0.9798 < bet.rtp < 0.98


def test_a_bet_says_what_its_return_rests_on() -> None:
    note = "that values are divided among tiles rests on one published round, with 4 tiles"
    for law in ("ideal", "best"):
        assert stake.Bars("hard", 7).bet(law=law).note == note
        assert stake.Bars("hard", 1).bet(law=law).note == ""
    assert note in str(stake.Bars("easy", 4).bet())
    assert "note" not in str(stake.Cases().bet())


def test_packs_pay_by_their_table() -> None:
    bet = stake.Packs().bet()
    pays = {card: paid for _, card, paid in TABLES["packs"]}
    hands = stake.Packs().simulate(100, seed="packs")
    assert bet.simulate(100, seed="packs").tolist() == pytest.approx(
        [sum(pays[card] for card in hand) for hand in hands.tolist()]
    )


def test_snakes_multiply() -> None:
    dice = {Fraction(roll): 6 - abs(7 - roll) for roll in range(2, 13)}
    law = stake.Snakes().distribution(**looks_of(stake.Snakes())[4].subject)
    assert dict(zip(map(Fraction, law.outcomes.tolist()), law.weights, strict=True)) == dice
    hard = {2: 7.5, 3: 3, 4: 1.38, 10: 1.38, 11: 3, 12: 7.5}
    assert stake.Snakes().bet(level="hard", law="ideal").exact_rtp == Fraction(98, 100)
    assert stake.Snakes().bet(level="easy", law="ideal").exact_rtp == Fraction(353, 360)
    rolled = stake.Snakes().simulate(50)[:, :2]
    expected = [hard.get(a, 0) * hard.get(b, 0) for a, b in rolled.tolist()]
    assert stake.Snakes().bet(level="hard", rolls=2).simulate(50).tolist() == pytest.approx(expected)
    for wrong in ({"level": "harder"}, {"rolls": 6, "level": "easy"}, {"level": 3}, {}):
        with pytest.raises((TypeError, ValueError), match=next(iter(wrong), "level")):
            stake.Snakes().bet(**wrong)


# ---- published paytables ----


def returned(pays: dict[int, float], ways: dict[int, int]) -> Fraction:
    """Return the mean of decimals, by how often each number comes up."""
    paid = sum(Fraction(str(pays.get(number, 0))) * count for number, count in ways.items())
    return paid / sum(ways.values())


@pytest.mark.parametrize("risk", ["low", "medium", "high"])
@pytest.mark.parametrize("rows", range(8, 17))
def test_plinko_pays_by_risk(rows: int, risk: str) -> None:
    plinko = stake.Plinko(rows=rows)
    game, path = plinko.bet(risk=risk, law="ideal"), np.tri(rows + 1, rows, -1, dtype=int)
    pays = dict(enumerate(plinko.observe(path, risk=risk).tolist()))
    mean = returned(pays, {bucket: math.comb(rows, bucket) for bucket in pays})
    assert game.exact_rtp == mean
    assert abs(mean - Fraction(99, 100)) < Fraction(2, 1000)
    assert [*pays.values()] == [*pays.values()][::-1]
    least, most = min(pays.values()), max(pays.values())
    assert (pays[rows // 2], pays[0]) == (least, most)


def test_plinko_pays_what_is_printed() -> None:
    path = np.tri(17, 16, -1, dtype=int)
    half = [1000, 130, 26, 9, 4, 2, 0.2, 0.2]
    assert stake.Plinko(16).observe(path, risk="high").tolist() == [*half, 0.2, *half[::-1]]
    assert stake.Plinko(16).bet(risk="high", law="ideal").rtp == pytest.approx(0.989764404296875, abs=1e-15)
    # With the 27 that a copy has in place of 26, the return would differ from that of all other tables.
    twice_120 = Fraction(2 * math.comb(16, 2), 2**16)
    assert float(stake.Plinko(16).bet(risk="high", law="ideal").exact_rtp + twice_120) > 0.993


@pytest.mark.parametrize("risk", ["low", "medium", "high"])
@pytest.mark.parametrize("segments", [10, 20, 30, 40, 50])
def test_wheel_pays_by_risk(segments: int, risk: str) -> None:
    wheel = stake.Wheel(segments=segments)
    pays = dict(enumerate(wheel.observe(np.arange(segments), risk=risk).tolist()))
    assert returned(pays, dict.fromkeys(pays, 1)) == Fraction(99, 100)
    assert wheel.bet(risk=risk, law="ideal").exact_rtp == Fraction(99, 100)
    zeros = {"low": segments // 5, "medium": segments // 2, "high": segments - 1}
    assert sum(not paid for paid in pays.values()) == zeros[risk]
    assert pays[segments - 1] == (
        99 * segments / 100 if risk == "high" else 3 * (risk == "medium" and segments == 10)
    )


@pytest.mark.parametrize("risk", ["classic", "low", "medium", "high"])
@pytest.mark.parametrize("picks", range(1, 11))
def test_keno_pays_by_risk(picks: int, risk: str) -> None:
    keno = stake.Keno()
    drawn = [[*range(hits), *range(40 - 10 + hits, 40)] for hits in range(picks + 1)]
    pays = dict(enumerate(keno.observe(drawn, risk=risk, hits=range(picks)).tolist()))
    ways = {hits: math.comb(picks, hits) * math.comb(40 - picks, 10 - hits) for hits in pays}
    assert sum(ways.values()) == math.comb(40, 10)
    mean = returned(pays, ways)
    assert keno.bet(risk=risk, hits=range(picks), law="ideal").exact_rtp == mean
    assert Fraction(986, 1000) < mean < Fraction(991, 1000)
    assert [*pays.values()] == sorted(pays.values())


def test_keno_pays_what_is_printed() -> None:
    bet = stake.Keno().bet(risk="classic", hits=[3, 5, 8, 39], law="ideal")
    assert bet.law.outcomes.tolist() == [0, 0.8, 1.8, 5, 22.5]
    assert bet.exact_rtp == Fraction(476, 481)
    drawn = stake.Keno().simulate(500, seed="keno")
    hits = [len({3, 5, 8, 39} & set(row)) for row in drawn.tolist()]
    expected = [[0, 0.8, 1.8, 5, 22.5][hit] for hit in hits]
    assert stake.Keno().observe(drawn, risk="classic", hits=[3, 5, 8, 39]).tolist() == expected
    as_drawn = stake.Keno().bet(risk="classic", hits=[3, 5, 8, 39])
    assert as_drawn.rtp == pytest.approx(476 / 481, abs=1e-6)


def test_diamonds_pays_by_pattern() -> None:
    pays = {(5,): 50, (4, 1): 5, (3, 2): 4, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 0.1}
    ways: dict[float, int] = {}
    for hand in itertools.product(range(7), repeat=5):
        paid = pays.get(tuple(sorted(Counter(hand).values(), reverse=True)), 0)
        ways[paid] = ways.get(paid, 0) + 1
    bet = stake.Diamonds().bet(law="ideal")
    assert dict(zip(bet.law.outcomes.tolist(), bet.law.weights, strict=True)) == ways
    assert bet.exact_rtp == Fraction(16520, 16807)
    assert round(100 * (1 - 16520 / 16807), 2) == 1.71  # the edge that the operator states
    hands = stake.Diamonds().simulate(200, seed="gems").tolist()
    expected = [pays.get(tuple(sorted(Counter(hand).values(), reverse=True)), 0) for hand in hands]
    assert bet.simulate(200, seed="gems").tolist() == expected
    assert len(stake.Diamonds().distribution()) == 7**5


@pytest.mark.parametrize(
    ("game", "asked", "named"),
    [
        (stake.Keno(), {"hits": [1]}, "payout must be given"),
        (stake.Plinko(8), {"risk": "hihg"}, "did you mean 'high'"),
        (stake.Plinko(8), {"risk": "classic"}, "must be one of 'low', 'medium', 'high'"),
        (stake.Plinko(7), {"risk": "low"}, "risk has tables for 8, 9, .*, 16 rows, and the game has 7"),
        (stake.Plinko(8), {"risk": "low", "bucket": False}, "risk isn't supported with bucket=False"),
        (stake.Plinko(8), {"risk": "low", "of": np.sum}, "risk isn't supported with of"),
        (stake.Wheel(15), {"risk": "low"}, "risk has tables for 10, 20, 30, 40, 50 segments"),
        (stake.Wheel(), {"risk": 1}, "risk must be str"),
        (stake.Wheel(), {"risk": "low", "sectors": 1}, "risk isn't supported with sectors"),
        (stake.Keno(), {"risk": "low"}, "hits must be given with risk: 1 to 10 numbers"),
        (stake.Keno(), {"risk": "low", "hits": range(11)}, "hits must be 1 to 10 numbers from 0 to 39"),
        (stake.Keno(), {"risk": "low", "hits": [40]}, "hits must be from 0 to 39"),
        (stake.Keno(), {"risk": "low", "hits": []}, "hits must be 1 to 10 numbers from 0 to 39"),
        (stake.Keno(), {"risk": "low", "hits": [1], "of": np.sum}, "risk isn't supported with of"),
    ],
)
def test_bets_without_a_table_say_so(game: pf.Game, asked: dict[str, Any], named: str) -> None:
    with pytest.raises((TypeError, ValueError), match=named):
        game.bet(**asked)


def test_hits_of_swapped_tiles_and_points() -> None:
    for game, n, k, some in (
        (liqd.Mines(5), 25, 5, {1, 13, 25}),
        (duel.Beef(10), 20, 10, {0, 7, 19}),
    ):
        for law in ("ideal", "as_drawn"):
            assert dict(game.distribution(law, of=pf.hits(some))) == {
                hits: Fraction(math.comb(3, hits) * math.comb(n - 3, k - hits), math.comb(n, k))
                for hits in range(4)
            }
    assert liqd.Mines(24).survival(1) == 0.04
    for wrong in (0, 26):
        with pytest.raises(ValueError, match="cells must be from 1 to 25"):
            liqd.Mines(3).distribution(cells=[wrong])


def test_cards_of_eight_decks() -> None:
    ten = Fraction(8 * 16, 416)
    natural = 2 * Fraction(32, 416) * Fraction(128, 415)

    def aces_with_tens(hands: np.ndarray) -> np.ndarray:
        ranks = hands % 13
        return ((ranks == 0).any(axis=1) & (ranks >= 9).any(axis=1)).astype(int)

    found = liqd.Blackjack(2).distribution("as_drawn", of=aces_with_tens)
    assert found.mean(exact=True) == natural
    first = liqd.Blackjack().distribution(**looks_of(liqd.Blackjack())[0].subject)
    assert sum(first.weights[card] for card in range(52) if card % 13 >= 9) == ten * first.total
    shoe = liqd.Blackjack(416).simulate(3, seed="shoe")
    assert all((bincount(cards) == 8).all() for cards in shoe)
    with pytest.raises(ValueError, match="cards must be from 1 to 416"):
        liqd.Blackjack(417)


# ---- bets ----


@pytest.mark.parametrize("dice", [stake.Dice(), primedice.Dice()], ids=repr)
def test_dice_pay_99_over_the_chance(dice: stake.Dice) -> None:
    over = dice.bet(over=50.5, law="ideal")
    assert over.law.probability_between(2, 2, exact=True) == Fraction(4950, 10001)
    under = dice.bet(under=33, law="ideal")
    assert under.exact_rtp == Fraction(3300, 10001) * 3
    odd = dice.bet(under=0.1 + 0.2, law="ideal")
    assert odd.exact_rtp == Fraction(30, 10001) * 330
    assert dice.bet(1.9, under=50, law="ideal").exact_rtp == Fraction(5000, 10001) * Fraction(19, 10)
    numbers = dice.simulate(1000)
    assert dice.bet(over=50.5).simulate(1000).tolist() == np.where(numbers > 50.5, 2.0, 0.0).tolist()
    for words in ({"under": 5, "over": 5}, {"under": 0}, {"over": 100}, {"under": "5"}, {"under": 1.234}):
        with pytest.raises((TypeError, ValueError), match=r"^(under|over)"):
            dice.bet(**words)
    with pytest.raises(TypeError, match="payout must be given"):
        dice.bet()


def test_bets_play_what_they_are_on() -> None:
    outcomes = stake.Drill().simulate(500)
    paid = stake.Drill().bet(cash_out=2, drill=1).simulate(500)
    assert paid.tolist() == np.where(outcomes[:, 1] >= 2, 2.0, 0.0).tolist()
    busts = bustabit.V2().simulate(500, seed="x")
    assert bustabit.V2().bet(cash_out=1.5).simulate(500, seed="x").sum() == 1.5 * (busts >= 1.5).sum()
    with pytest.raises(ValueError, match="drill must be from 0 to 2, got 3"):
        stake.Drill().bet(cash_out=2, drill=3)


# ---- kinds of games ----


@pytest.mark.parametrize(
    ("cls", "wrong"),
    [
        (stake.Wheel, {"segments": 0}),
        (stake.Plinko, {"rows": 17}),
        (duel.Plinko, {"rows": 0}),
        (stake.Mines, {"mines": 25}),
        (stake.DragonTower, {"tiles": 5}),
        (stake.DragonTower, {"eggs": 4}),
        (stake.DragonTower, {"eggs": 2, "tiles": 2}),
        (stake.Moles, {"moles": 7}),
        (stake.RockPaperScissors, {"rounds": 0}),
        (stake.Diamonds, {"gems": 11}),
        (stake.Hilo, {"cards": True}),
        (stake.Limbo, {"reading": "2020"}),
        (stake.Chicken, {"level": "master"}),
        (stake.Pump, {"level": 1}),
        (stake.Tarot, {"level": ""}),
        (stake.Bars, {"tiles": 31}),
        (stake.ScarabSpins, {"spins": 181}),
        (duel.Beef, {"points": 20}),
        (liqd.Mines, {"mines": 25}),
    ],
    ids=str,
)
def test_wrong_parameters_are_named(cls: type[pf.Game], wrong: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{next(iter(wrong))} must be"):
        cls(**wrong)


def test_names_of_cards_and_gems() -> None:
    ranks = [*"23456789", "10", *"JQKA"]
    assert stake.cards(range(52)) == [rank + suit for rank in ranks for suit in "♦♥♠♣"]
    assert duel.cards is stake.cards
    assert stake.cards(0) == stake.cards(np.int64(0)) == "2♦"
    assert stake.cards([[0, 1], [2, 51]]) == [["2♦", "2♥"], ["2♠", "A♣"]]
    assert stake.gems(range(7)) == ["green", "purple", "yellow", "red", "cyan", "orange", "blue"]
    assert stake.cards([]) == []
    assert liqd.cards(range(52)) == [suit + rank for rank in "♣♥♠♦" for suit in ["A", *ranks[:-1]]]
    assert stake.animals([0, 5]) == ["lion", "penguin"]
    for names in (stake.cards, stake.gems, stake.animals, liqd.cards):
        for wrong in ([-1], [52], 52, "x", None, [0.5], [[0], [0, 1]]):
            with pytest.raises((TypeError, ValueError), match=r"^outcome must be"):
                names(wrong)


def test_they_are_named_by_text() -> None:
    for cls in GAMES:
        assert parse_game(cls.name) == parse_subject(cls.name.upper()) == cls()
    assert parse_game("stake.dragontower:tiles=3,eggs=1") == stake.DragonTower(3, 1)
    assert parse_game("stake.limbo", ["reading=2026"]) == stake.Limbo("2026")
    for text in ("stake.scheme", "stake.tower", "stake.", "nobody.dice", "stake.cards", ".dice"):
        for parse in (parse_game, parse_subject):
            with pytest.raises(ValueError, match=r"or an operator's, such as stake\.dice, got"):
                parse(text)
    log = {"server_seed": "a", "client_seed": "b", "nonce": [1], "outcome": [stake.Dice().play("a", "b", 1)]}
    assert pf.verify(log, "stake.dice").ok


# ---- every view of every game ----


def first_bits(game_hash: str, key: bytes) -> int:
    return int(hmac.new(key, bytes.fromhex(game_hash), "sha256").hexdigest()[:13], 16)


def test_walk_throughs_show_the_formula_of_a_multiplier() -> None:
    def notes(game: Any, *seeds: object, **named: object) -> list[tuple[str, Any]]:
        steps = game.explain(*seeds, **named).to_dict()["steps"]
        return [(step["formula"], step["value"]) for step in steps if step["kind"] == "note"]

    game_hash = "8d3b9726ca7bc5e3637bf2079e09eaf2a9d67df4e6f50ff23a7b593bd802cca6"
    x = first_bits(game_hash, bustabit.V3_SCHEME.defaults["salt"].encode()) / 2**52
    ((formula, value),) = notes(bustabit.V3(), game_hash)
    assert formula == "99 / (1 - draw), in hundredths, before rounding down"
    assert value == pytest.approx(99 / (1 - x))
    assert math.floor(value) == 183

    clone = pf.operators.crash.Divisible(divisor=20, instant=1.0)
    digest = hmac.new(game_hash.encode(), b"salt", "sha256").hexdigest()
    (_, remainder), (_, first), (_, value) = notes(clone, game_hash, "salt")
    assert remainder == int(digest, 16) % 20
    assert first == int(digest[:13], 16)
    assert math.floor(value) / 100 == clone.play(game_hash, "salt") or remainder == 0

    word = int(hmac.new(b"server", b"client:7:0", "sha256").hexdigest()[:8], 16)
    ((_, value),) = notes(stake.Limbo(), "server", "client", 7)
    assert value == pytest.approx(1e8 / (math.floor(word / 2**32 * 1e8) + 1) * 0.99)
    assert math.floor(value * 100) / 100 == stake.Limbo().play("server", "client", 7)


def test_walk_throughs_show_a_bust_at_infinity() -> None:
    class Ones(pf.Game):
        def outcome(self, draws: pf.games.Draws) -> np.ndarray:
            draws.note("1 / 0", np.full(draws.rounds, np.inf))
            return draws.below(2)

    assert "1 / 0 = inf" in str(Ones().explain("server", "client", "salt"))


def test_the_edge_of_a_clone_is_a_number_or_text() -> None:
    raw = pf.operators.crash.Raw
    assert (
        raw(0.03)
        == raw("0.03")
        == raw(np.float64(0.03))
        == raw(Decimal("0.03"))
        == parse_game("crash.raw:edge=0.03")
    )
    assert raw(Fraction(3, 100)).play("6a" * 32, "salt") == raw(0.03).play("6a" * 32, "salt")
    for refused, error in (True, TypeError), (None, TypeError), (1, ValueError), (math.nan, ValueError):
        with pytest.raises(error, match=r"^edge must be"):
            raw(refused)


@pytest.mark.one_case_in(6)
@pytest.mark.parametrize("cls", GAMES, ids=ids)
def test_every_view(cls: type[pf.Game]) -> None:
    game = cls()
    outcomes = game.simulate(300)
    fields = pf.games.rounds.simulated_rounds(game, 300).values()
    assert outcomes.shape == (300, *game.shape)
    assert np.array_equal(game.play(**fields), outcomes)
    values = 1 if game.kind.name == "pegs" else int(np.prod(game.shape))  # the bucket alone
    assert game.tally(300).counts.sum() == 300 * values
    one = (
        ROUNDS[cls][0]
        if cls in ROUNDS
        else PublishedRound(game, {"game_hash": "0" * 64}, None, "all", "", "")
    )
    walk = one.game.explain(**one.fields)
    assert walk.outcome.tolist() == one.game.play(**one.fields).tolist()
    assert str(walk)
    look = looks_of(game)[0]
    law = game.distribution(**look.subject)
    values = game.observe(outcomes, **look.subject)
    assert np.isin(values, law.outcomes).all()
    log = {**fields, "outcome": outcomes}
    if game.scheme.commitment is not None and "salt" not in game.scheme.commitment.fields:
        commitment = game.scheme.commitment
        log["commitment"] = commitment.hexdigest(**{name: fields[name] for name in commitment.fields})
    assert pf.verify(log, game).ok
    outcomes = outcomes.copy()
    outcomes[7] += 1
    report = pf.verify(log | {"outcome": outcomes}, game)
    assert [failure.row for failure in report.failures] == [7]
    assert all(pf.check(log, game)["ok"])
    assert pickle.loads(pickle.dumps(game)) == game
    assert hash(game) == hash(cls())
    assert eval(repr(game), vars(pf.operators) | {cls.__name__: cls}) == game
    operator = cls.__module__.split(".")[2]
    assert game.name == f"{operator}.{cls.__name__.lower()}"
    assert getattr(getattr(pf.operators, operator), cls.__name__) is cls
    assert game._repr_html_()


@pytest.mark.thorough
@pytest.mark.parametrize("cls", GAMES, ids=ids)
def test_simulated_rounds_are_fair(cls: type[pf.Game]) -> None:
    game = cls(3) if cls in (stake.Hilo, stake.Blackjack, stake.Flip, stake.RockPaperScissors) else cls()
    assert pf.fairness_report(game.simulate(2000, seed="fair"), game).ok


def test_parameters_are_described() -> None:
    for cls in GAMES:
        for name in inspect.signature(cls).parameters:
            assert f"\n{name} : " in (inspect.getdoc(cls) or "")


@pytest.mark.parametrize("game", [stake.Flip(), stake.Moles(), stake.Slots()], ids=repr)
def test_laws_of_too_many_outcomes_are_refused_with_the_cure(game):
    """Each of them would list more than a million tuples."""
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"more than 100,000 different.*looks_of\(game\)\[0\]\.subject"):
        game.distribution()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300e6
    assert game.distribution(**looks_of(game)[0].subject).total > 1
