"""Games of operators: their laws against plain Python, their bets, and every view of each."""

from __future__ import annotations

import inspect
import math
import pickle
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.names import parse_game, parse_subject
from published_rounds import GAMES, ROUNDS, bcgame, bustabit, duel, liqd, primedice, skinclub, stake

ids = "{0.__module__}.{0.__name__}".format


# ---- laws, with the rules once more in plain Python ----


def limbo_2019(word: int) -> float:
    return math.floor(1e8 / (math.floor(word / 2**32 * 1e8) + 1) * 0.99 * 100) / 100


def limbo_2026(word: int) -> float:
    return math.floor(2**24 / (math.floor(word / 2**32 * 2**24) + 1) * 0.99 * 100) / 100


def crash(word: int) -> float:
    return max(1, math.floor(2**32 / (word + 1) * 0.99 * 100) / 100)


def slide(word: int) -> float:
    return max(1, math.floor(2**32 / (word + 1) * 0.98 * 100) / 100)


def drill(word: int) -> float:
    number = word / 2**32
    return 1 if number < 0.02 else math.floor(min(0.98 / (1 - number), 2e6) * 100) / 100


def bust(word: int) -> float:
    return max(1, math.floor(99 / (1 - word / 2**52)) / 100)


RULES: dict[pf.Game, tuple[Callable[[int], float], int, bool]] = {
    stake.Limbo("2019"): (limbo_2019, 32, False),
    stake.Limbo("2026"): (limbo_2026, 32, False),
    stake.Crash(): (crash, 32, False),
    stake.Slide(): (slide, 32, False),
    stake.Drill(): (drill, 32, True),
    bustabit.V2(): (bust, 52, True),
}


def reaching(rule: Callable[[int], float], bits: int, rises: bool, target: float) -> int:
    """How many words reach a target, by bisection."""
    low, high = -1, 1 << bits  # below the first word, above the last
    while high - low > 1:
        middle = (low + high) // 2
        if (rule(middle) >= target) == rises:
            high = middle
        else:
            low = middle
    return (1 << bits) - high if rises else high


@pytest.mark.parametrize("game", RULES, ids=repr)
def test_multipliers_are_reached_as_often_as_the_rule_says(game: pf.Game) -> None:
    rule, bits, rises = RULES[game]
    name = "cash_out" if isinstance(game, (stake.Crash, bustabit.V2)) else "target"
    for target in (1.01, 1.5, 2, 1.98, 33.33, 1000, 12345.67, 1e6):
        bet = game.bet(**{name: target})
        expected = Fraction(reaching(rule, bits, rises, target), 1 << bits)
        paid = Fraction(str(target))
        assert bet.exact_rtp == expected * paid, target
        assert bet.law.share(paid, paid, exact=True) == expected
    assert game.bet(3, **{name: 2}).exact_rtp == Fraction(reaching(rule, bits, rises, 2), 1 << bits) * 3
    with pytest.raises(ValueError, match=f"{name} must be at least 1.01 with two decimals, got 1"):
        game.bet(**{name: 1})
    with pytest.raises(TypeError, match=f"{name} must be given"):
        game.bet()


@pytest.mark.parametrize("game", [stake.Limbo("2019"), stake.Limbo("2026")], ids=repr)
def test_whole_laws_are_those_of_every_word(game: stake.Limbo) -> None:
    law = game.distribution("as_drawn")
    rule, bits, rises = RULES[game]
    assert law.total == 1 << bits
    for place in [0, 1, 2, len(law) // 2, len(law) - 2, len(law) - 1]:
        value = law.outcomes[place]
        above = law.outcomes[place + 1] if place + 1 < len(law) else math.inf
        expected = reaching(rule, bits, rises, value) - (
            reaching(rule, bits, rises, above) if above < math.inf else 0
        )
        assert law.weights[place] == expected
    assert law.outcomes[0] == 0.99
    assert law.outcomes[-1] == (99e6 if game.reading == "2019" else math.floor(2**24 * 0.99 * 100) / 100)


def scaled(n: int, value: int) -> int:
    """How many words of 32 bits a scaled range takes for a value, in doubles as the rule has it."""

    def first(value: int) -> int:
        words = range(max(value * 2**32 // n - 2, 0), 2**32 + 1)
        return next(word for word in words if word / 2**32 * n >= value)

    return first(value + 1) - first(value)


@pytest.mark.parametrize(
    ("game", "n", "unit"),
    [
        (stake.Dice(), 10_001, 100),
        (primedice.Dice(), 10_001, 100),
        (stake.Roulette(), 37, 1),
        (stake.Wheel(50), 50, 1),
        (bcgame.CoinFlip(), 2, 1),
        (bcgame.Hilo(), 52, 1),
    ],
    ids=lambda value: repr(value),
)
def test_laws_of_scaled_draws(game: pf.Game, n: int, unit: int) -> None:
    law = game.distribution("as_drawn")
    assert (law.outcomes * unit).round(6).tolist() == list(range(n))
    assert law.total == 2**32
    for value in {0, 1, n // 3, n - 1}:
        assert law.weights[value] == scaled(n, value)
    assert set(game.distribution().weights) == {1}


@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        (stake.RockPaperScissors(), [3] * 20),
        (stake.Flip(), [2] * 20),
        (stake.Diamonds(), [7] * 5),
        (stake.Slots(), [30, 30, 30, 30, 41]),
        (stake.Hilo(), [52] * 20),
        (stake.Blackjack(3), [52] * 3),
        (stake.Baccarat(), [52] * 6),
        (stake.Plinko(8), [2] * 8),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_laws_of_one_value_among_many(game: pf.Game, sizes: list[int]) -> None:
    assert len(pf.games.looks_of(game)) == len(sizes)
    for look, n in zip(pf.games.looks_of(game), sizes, strict=True):
        ideal, drawn = (game.distribution(law, **look.subject) for law in ("ideal", "as_drawn"))
        assert ideal.outcomes.tolist() == drawn.outcomes.tolist() == list(range(n))
        assert set(ideal.weights) == {1}
        assert drawn.weights[n - 1] * 2**32 == scaled(n, n - 1) * drawn.total
    values = game.observe(game.simulate(10), **pf.games.looks_of(game)[-1].subject)
    assert values.tolist() == game.simulate(10)[:, -1].tolist()


def test_laws_of_rows() -> None:
    tower = stake.DragonTower(of=4, eggs=3)
    assert len(pf.games.looks_of(tower)) == 27
    for look in pf.games.looks_of(tower)[::7]:
        assert set(tower.distribution(**look.subject).weights) == {6}
    moles = stake.Moles(2)
    law = moles.distribution("as_drawn", **pf.games.looks_of(moles)[3].subject)
    assert law.outcomes.tolist() == list(range(7))
    assert law.total == 2**64
    weight = sum(scaled(7, other) for other in range(1, 7)) * scaled(6, 0)
    assert moles.distribution("as_drawn", **pf.games.looks_of(moles)[1].subject).weights[0] == weight


def test_paths_of_plinko_are_binomial() -> None:
    for game in (stake.Plinko(8), duel.Plinko(8)):
        law = game.distribution(of=lambda paths: paths.sum(axis=1))
        assert law.weights == tuple(math.comb(8, rights) for rights in range(9))


@pytest.mark.parametrize("game", [duel.Dice(), liqd.Dice(), duel.Mines(3), duel.VideoPoker()], ids=repr)
def test_no_answer_is_more_probable_where_words_are_passed_over(game: pf.Game) -> None:
    subject = pf.games.looks_of(game)[0].subject
    drawn = game.distribution("as_drawn", **subject)
    assert len(set(drawn.weights)) == 1
    assert drawn.total_variation(game.distribution(**subject)) == 0


def test_modulo_favors_small_tickets() -> None:
    law = skinclub.Ticket().distribution("as_drawn")
    assert law.outcomes.tolist() == list(range(1, 100_001))
    more = 2**60 % 100_000
    assert law.weights == tuple([2**60 // 100_000 + 1] * more + [2**60 // 100_000] * (100_000 - more))
    assert set(primedice.OldDice().distribution().weights) == {100}


def test_hits_of_keno_and_mines() -> None:
    for game, n, k in ((stake.Keno(), 40, 10), (stake.Mines(5), 25, 5), (duel.Mines(5), 25, 5)):
        law = game.distribution(of=pf.hits({0, 1, 2}))
        assert law.weights == tuple(math.comb(3, hit) * math.comb(n - 3, k - hit) for hit in range(4))


# ---- bets ----


@pytest.mark.parametrize("dice", [stake.Dice(), primedice.Dice()], ids=repr)
def test_dice_pay_99_over_the_chance(dice: stake.Dice) -> None:
    over = dice.bet(over=50.5, law="ideal")
    assert over.law.share(2, 2, exact=True) == Fraction(4950, 10001)
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
    paid = stake.Drill().bet(target=2, drill=1).simulate(500)
    assert paid.tolist() == np.where(outcomes[:, 1] >= 2, 2.0, 0.0).tolist()
    busts = bustabit.V2().simulate(500, seed="x")
    assert bustabit.V2().bet(cash_out=1.5).simulate(500, seed="x").sum() == 1.5 * (busts >= 1.5).sum()
    with pytest.raises(ValueError, match="drill must be from 0 to 2, got 3"):
        stake.Drill().bet(target=2, drill=3)


# ---- what they are ----


@pytest.mark.parametrize(
    ("cls", "wrong"),
    [
        (stake.Wheel, {"segments": 0}),
        (stake.Plinko, {"rows": 17}),
        (duel.Plinko, {"rows": 0}),
        (stake.Mines, {"mines": 25}),
        (duel.Mines, {"mines": "3"}),
        (stake.DragonTower, {"of": 5}),
        (stake.DragonTower, {"eggs": 4}),
        (stake.DragonTower, {"eggs": 2, "of": 2}),
        (stake.Moles, {"moles": 7}),
        (stake.RockPaperScissors, {"rounds": 0}),
        (stake.Flip, {"rounds": 1.5}),
        (stake.Diamonds, {"gems": 11}),
        (stake.Hilo, {"cards": True}),
        (stake.Blackjack, {"cards": None}),
        (stake.Limbo, {"reading": "2020"}),
        (stake.Limbo, {"reading": 2019}),
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
    for names in (stake.cards, stake.gems):
        for wrong in ([-1], [52], 52, "x", None, [0.5], [[0], [0, 1]]):
            with pytest.raises((TypeError, ValueError), match=r"^outcome must be"):
                names(wrong)


def test_simulations_of_chains_play_a_generated_chain() -> None:
    hashes = pf.HashChain().generate("chain", 50)
    for game in (stake.Crash(), stake.Slide(), bustabit.V2()):
        assert game.scheme.fields == ("game_hash", "salt")
        assert game.simulate(50, seed="chain").tolist() == game.play(hashes).tolist()


def test_they_are_named_by_text() -> None:
    for cls in GAMES:
        assert parse_game(cls.name) == parse_subject(cls.name.upper()) == cls()
    assert parse_game("stake.dragontower:of=3,eggs=1") == stake.DragonTower(3, 1)
    assert parse_game("stake.limbo", ["reading=2026"]) == stake.Limbo("2026")
    for text in ("stake.scheme", "stake.tower", "stake.", "nobody.dice", "stake.cards", ".dice"):
        for parse in (parse_game, parse_subject):
            with pytest.raises(ValueError, match=r"or an operator's, such as stake\.dice, got"):
                parse(text)
    log = {"server_seed": "a", "client_seed": "b", "nonce": [1], "outcome": [stake.Dice().play("a", "b", 1)]}
    assert pf.verify(log, "stake.dice").ok


# ---- every view of every game ----


@pytest.mark.parametrize("cls", GAMES, ids=ids)
def test_every_view(cls: type[pf.Game]) -> None:
    game = cls()
    outcomes = game.simulate(300)
    fields = pf.games.simulated_rounds(game, 300).values()
    assert outcomes.shape == (300, *game.shape)
    assert np.array_equal(game.play(**fields), outcomes)
    assert game.tally(300).counts.sum() == 300 * int(np.prod(game.shape))
    one = ROUNDS[cls][0]
    walk = one.game.explain(**one.fields)
    assert walk.outcome.tolist() == one.game.play(**one.fields).tolist()
    assert str(walk)
    look = pf.games.looks_of(game)[0]
    law = game.distribution(**look.subject)
    values = game.observe(outcomes, **look.subject)
    assert np.isin(values, law.outcomes).all()
    log = {**fields, "outcome": outcomes}
    if game.scheme.commitment is not None and "salt" not in game.scheme.commitment.fields:
        log["commitment"] = game.scheme.commitment.hexdigest(fields["server_seed"])
    assert pf.verify(log, game).ok
    outcomes = outcomes.copy()
    outcomes[7] += 1
    report = pf.verify(log | {"outcome": outcomes}, game)
    assert [failure.row for failure in report.failures] == [7]
    assert all(pf.check(log, game)["ok"])
    assert pickle.loads(pickle.dumps(game)) == game
    assert hash(game) == hash(cls())
    assert eval(repr(game), {cls.__name__: cls}) == game
    assert game.name == f"{cls.__module__.rpartition('.')[2]}.{cls.__name__.lower()}"
    assert game._repr_html_()


@pytest.mark.parametrize("cls", GAMES, ids=ids)
def test_sessions_play_them(cls: type[pf.Game]) -> None:
    session = pf.Session(cls())
    outcomes = [session.play().outcome for _ in range(3)]
    session.reveal()
    report = pf.verify(session.log(), cls())
    assert report.ok
    assert report.checked == len(outcomes)


@pytest.mark.parametrize("cls", GAMES, ids=ids)
def test_simulated_rounds_are_fair(cls: type[pf.Game]) -> None:
    game = cls(3) if cls in (stake.Hilo, stake.Blackjack, stake.Flip, stake.RockPaperScissors) else cls()
    assert pf.fairness_report(game.simulate(2000, seed="fair"), game).ok


def test_parameters_are_described() -> None:
    for cls in GAMES:
        for name in inspect.signature(cls).parameters:
            assert f"    {name} : " in (cls.__doc__ or "")


@pytest.mark.parametrize("game", [stake.Flip(), stake.Moles(), stake.Slots()], ids=repr)
def test_laws_of_too_many_outcomes_are_refused_with_the_cure(game):
    """Each of them would list a million tuples and more."""
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"more than 100,000 different.*looks_of\(game\)\[0\]\.subject"):
        game.distribution()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300e6
    assert game.distribution(**pf.games.looks_of(game)[0].subject).total > 1


def test_laws_of_many_outcomes_are_listed():
    flips = pf.operators.stake.Flip(rounds=10).distribution()
    assert (len(flips), flips.total, set(flips.weights)) == (1024, 1024, {1})
