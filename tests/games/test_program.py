"""Rules read as programs: operations beside numpy's, what is refused, and what follows from a program."""

from __future__ import annotations

import math
import operator
import pickle
import random
import re
import time
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from hypothesis import given, settings, strategies as st
from own_games import game_of
from provably_fair.games._probes import EndDraws, ProbedDraws, RandomDraws
from provably_fair.games.draws import SingleDraws
from provably_fair.games.operations import EFFECTS, Constant
from provably_fair.games.program import Program, Untraced, _of, function_of, program_of
from provably_fair.operators.registry import all_games

ROUNDS = 10_000


def traced(game: Any) -> Program:
    """The program of a game, which must play as the game does."""
    program = program_of(game)
    assert isinstance(program, Program), str(program)
    for make in (lambda: RandomDraws(ROUNDS, 5), lambda: EndDraws(4), lambda: RandomDraws(1, 6)):
        played, again = program.play(make()), make()
        found = np.asarray(game.outcome(again))
        found = found.astype(np.int64) if found.dtype == bool else found
        assert (played.dtype, played.shape) == (found.dtype, found.shape)
        assert played.tobytes() == found.tobytes()
        assert played.shape[1:] == program.shape
        assert played.dtype == program.dtype
        if (bounds := program.bounds) is not None and played.size:
            assert bounds[0] <= played.min() <= played.max() <= bounds[1]
        assert program.numbers in (None, again.numbers)
        ranges = tuple(one[-1] if isinstance(one, tuple) else one for one in again.ranges)
        assert program.draws in (None, ranges)
    assert pickle.loads(pickle.dumps(program)) == program
    assert str(program).endswith(f"return {str(program).splitlines()[-1][7:]}")
    return program


TABLE = np.array([3.5, 1.0, 2.0, -0.0, 9.0, 1.5])
COUNTS = np.arange(6)

TRACED = {
    "die": lambda d: d.below(6) + 1,
    "sum of dice": lambda d: sum(d.below(6) + 1 for _ in range(3)),
    "zeros of rounds": lambda d: np.zeros(d.rounds, dtype=np.int64) + d.below(6),
    "zeros of rows": lambda d: np.zeros((d.rounds, 3)) + d.each(3).number(),
    "where": lambda d: np.where(d.below(10) < 3, 2.5, 0),
    "int and float": lambda d: d.below(7) * 2 / 3 - 0.5,
    "bool": lambda d: d.below(7) > 3,
    "bools": lambda d: (d.below(7) > 3) & ~(d.coin() == 1) | (d.number() <= 0.25),
    "bool sum": lambda d: (d.each(5).below(6) == 5).sum(axis=1),
    "strong constants": lambda d: d.below(7) + np.float64(1) + np.array([2]) + np.int64(3),
    "floor": lambda d: np.floor(0.99 / (1 - d.number()) * 100) / 100,
    "clip": lambda d: np.clip(d.below(100), 20, 40.5),
    "clip one side": lambda d: d.below(100).clip(20),
    "round": lambda d: np.round(d.number() * 10, 2),
    "rows": lambda d: np.stack([d.below(6), d.coin(), d.below(3)], axis=1),
    "columns": lambda d: np.column_stack([d.below(6), d.sample(5, 2)]),
    "concatenated": lambda d: np.concatenate([d.sample(5, 2), d.shuffle(4)], axis=1),
    "hstack": lambda d: np.hstack([d.sample(5, 2), d.swaps(4)]),
    "pairs of draws": lambda d: d.each(3, "roll", 2).below(6).sum(axis=2),
    "words of numbers": lambda d: (lambda v: v[..., 0] / 2.0**32 + v[:, :, 1])(d.each(3, None, 2).below(9)),
    "each of drawn ranges": lambda d: d.each(2).below(d.below(5) + 1),
    "grid": lambda d: np.stack([d.sample(5, 2) for _ in range(3)], axis=1),
    "last axis": lambda d: np.stack([d.sample(5, 2) for _ in range(3)], axis=-1),
    "columns of a sample": lambda d: d.sample(9, 5)[:, [4, 0, 2]],
    "slices": lambda d: d.swaps(9)[:, 1:8:2] + d.shuffle(9, 4)[:, ::-1],
    "ellipsis": lambda d: d.sample(9, 5)[..., 2],
    "new axis": lambda d: d.below(6)[:, np.newaxis] == np.arange(6),
    "pairs alike": lambda d: (lambda v: (v[:, :, None] == v[:, None, :]).sum(axis=(1, 2)))(
        d.each(5).below(7)
    ),
    "methods": lambda d: (lambda v: v.min(axis=1) + v.max(axis=1) * v.prod(axis=1) - v.argmax(axis=1))(
        d.each(3).below(9)
    ),
    "accumulate": lambda d: np.minimum.accumulate(d.each(4).below(9), axis=1).cumsum(axis=1),
    "any and all": lambda d: (d.each(3).coin() == 1).any(axis=1) + (d.each(3).coin() == 1).all(axis=1) * 2,
    "sort": lambda d: np.sort(d.sample(9, 4)),
    "mean": lambda d: d.each(3).below(6).mean(axis=1, keepdims=True),
    "table": lambda d: np.take_along_axis(TABLE, d.below(6), axis=0),
    "table of rows": lambda d: np.take_along_axis(TABLE[np.newaxis], d.each(4).below(6), axis=1),
    "search": lambda d: np.searchsorted([0.25, 0.5, 0.75], d.number(), side="right"),
    "isin": lambda d: np.isin(d.sample(9, 4), [1, 5]).sum(axis=1),
    "digits": lambda d: (lambda v: v << 4 | v >> 2 ^ v & 5)(d.below(1 << 20)),
    "remainders": lambda d: (d.below(1000) - 500) % 7 + (d.below(1000) - 500) // 7,
    "in place": lambda d: (lambda v: operator.iadd(v, 3))(d.below(6)),
    "an alias in place": lambda d: (lambda v, w: (operator.iadd(v, 3), w)[1])(*[d.below(6)] * 2),
    "ranges": lambda d: d.below(d.below(5) + 1),
    "weighted": lambda d: d.weighted([70, 25, 0, 5]),
    "distinct": lambda d: d.distinct(9, 4),
    "skip and notes": lambda d: (
        *(d.part("row", 0), d.skip(3), d.note("one half", 0.5), d.note("text", "t"), d.label("a")),
        d.coin(),
    )[-1],
    "notes of values": lambda d: (lambda v: (d.note("before", v), v * 2)[1])(d.below(5)),
    "reshaped": lambda d: d.sample(9, 6).reshape(d.rounds, 2, 3).swapaxes(1, 2),
    "reshaped by -1": lambda d: d.sample(9, 6).reshape(-1, 6)[:, np.newaxis, :].squeeze(axis=1),
    "like": lambda d: (lambda v: np.zeros_like(v) + np.full_like(v, 3) * v)(d.below(6)),
    "constant": lambda d: np.full(d.rounds, 2.5),
    "broadcast": lambda d: np.broadcast_to(d.below(6)[:, None], (d.rounds, 3)) + 0,
    "isinstance": lambda d: (lambda v: v + 1 if isinstance(v, np.ndarray) else v - 1)(d.below(6)),
    "exchange": lambda d: d.exchange(9, range(3), [place + d.below(9 - place) for place in range(3)])[:, :3],
    "flip, roll, repeat": lambda d: np.flip(np.roll(np.repeat(d.sample(9, 3), 2, axis=1), 1, axis=1), axis=1),
    "lengths": lambda d: np.zeros(len(d.below(6))) + d.number(),
}


@pytest.mark.parametrize("name", TRACED)
def test_a_program_plays_as_its_rule_does(name: str) -> None:
    traced(game_of(TRACED[name]))


def branches(draws: Any) -> Any:
    return 1 if draws.coin() else 0


def draws_again(draws: Any) -> Any:
    found = draws.below(6)
    while (found == 5).any():
        found = np.where(found == 5, draws.below(6), found)
    return found


def stores(draws: Any) -> Any:
    found = np.empty((draws.rounds, 2))
    found[:, 0] = draws.number()
    return found


def stores_into_values(draws: Any) -> Any:
    found = draws.sample(5, 2)
    found[:, 0] = 1
    return found


def changes_a_view(draws: Any) -> Any:
    found = draws.sample(5, 2)
    part = found[:, 0]
    part += 1
    return found


def hides_refusals(draws: Any) -> Any:
    found = draws.below(6)
    try:
        return np.array([0, 1, 2, 3, 4, 5])[found]
    except TypeError:
        return found * 0


CALLS: list[Any] = []
KEPT: list[Any] = []


def counts_calls(draws: Any) -> Any:
    CALLS.append(1)
    return draws.below(6) + len(CALLS)


def keeps_values(draws: Any) -> Any:
    KEPT.append(draws.below(6))
    return KEPT[0] + 0 * draws.below(6)


def adds_in_place(draws: Any) -> Any:
    total = np.zeros(draws.rounds, dtype=np.int64)
    total += draws.below(6)
    return total


REFUSED = {
    "branch": (branches, "use numpy.where", "if draws.coin()"),
    "loop that draws again": (draws_again, "axis", ".any()"),
    "store into an array": (stores, "numpy.stack", "found[:, 0] = draws.number()"),
    "store into a value": (stores_into_values, "writes into a value", "found[:, 0] = 1"),
    "view in place": (changes_a_view, "of which there is a view", "part += 1"),
    "caught refusal": (hides_refusals, "take_along_axis", "[found]"),
    "calls": (counts_calls, "otherwise", ""),
    "kept values": (keeps_values, "otherwise", ""),
    "array in place": (adds_in_place, "write total = total", "total +="),
    "table by index": (lambda d: TABLE[d.below(6)], "take_along_axis", ""),
    "list by index": (lambda d: [1, 2, 3][d.below(3)], "take_along_axis", ""),
    "numpy.take": (lambda d: np.take(TABLE, d.below(6)), "take_along_axis", ""),
    "asarray": (lambda d: np.asarray(d.below(6)), "makes an array", ""),
    "array of values": (lambda d: np.array([d.coin(), d.coin()]).T, "numpy.stack", ""),
    "list of values": (lambda d: [d.coin(), d.coin()], "returns list", ""),
    "max of Python": (lambda d: max(d.coin(), d.coin()), "branches", ""),
    "int": (lambda d: int(d.coin()), "astype", ""),
    "math": (lambda d: math.sqrt(d.coin()), "functions for math's", ""),
    "loop over rounds": (lambda d: np.stack([one + 1 for one in d.coin()]), "loops over", ""),
    "objects": (lambda d: d.below(6) * Fraction(1, 2), "computes with Fraction", ""),
    "object array": (lambda d: d.below(6) + np.array(["a"], dtype=object), "an array of object", ""),
    "astype object": (lambda d: d.below(6).astype(object), "type object", ""),
    "small types": (lambda d: d.below(6).astype(np.int8), "type int8", ""),
    "numpy.random": (
        lambda d: d.coin() * 0 + np.random.randint(2),  # noqa: NPY002
        "random numbers of its own",
        "",
    ),
    "random": (lambda d: np.where(d.coin() == 1, random.random(), 0), "random numbers of its own", ""),
    "a generator": (lambda d: d.coin() + np.random.default_rng().random(d.rounds), "differs by round", ""),
    "a generator's number": (lambda d: d.coin() + np.random.default_rng().random(), "otherwise", ""),
    "time": (lambda d: d.coin() + time.perf_counter_ns() % 1_000_000_007, "otherwise", ""),
    "number of rounds": (lambda d: d.coin() + d.rounds, "otherwise", ""),
    "length": (lambda d: d.coin() + len(d.coin()), "otherwise", ""),
    "shape": (lambda d: d.coin() * d.coin().shape[0], "otherwise", ""),
    "rows of numbers": (lambda d: d.coin() + np.arange(d.rounds), "differs by round", ""),
    "first round": (lambda d: d.coin() - d.coin()[0], "selects a|selects rounds", ""),
    "some rounds": (lambda d: d.coin()[1:], "selects rounds", ""),
    "a mask": (lambda d: (lambda v: v[v > 2])(d.below(6)), "selects rounds", ""),
    "sum of rounds": (lambda d: d.coin() - np.sum(d.coin()), "name an axis", ""),
    "mean of rounds": (lambda d: d.coin() - d.coin().mean(axis=0), "axis of the rounds", ""),
    "sorted rounds": (lambda d: np.sort(d.below(100)), "axis of the rounds", ""),
    "stacked rounds": (lambda d: np.stack([d.coin(), d.coin()]), "axis of the rounds", ""),
    "reversed rounds": (lambda d: d.coin()[::-1], "selects rounds", ""),
    "shapes": (lambda d: d.coin() + d.sample(5, 1), "numpy.newaxis", ""),
    "transposed": (lambda d: d.sample(5, 2).T, r"\.T can't", ""),
    "unknown function": (lambda d: np.unique(d.coin()), "numpy.unique", ""),
    "product of matrices": (lambda d: d.sample(5, 2) @ np.array([1, 2]), "matmul", ""),
    "two results": (lambda d: np.divmod(d.below(9), 2)[0], "divmod", ""),
    "text": (lambda d: np.full(d.rounds, len(str(d.coin()))), "makes text", ""),
    "set": (lambda d: d.coin() in {1, 2}, "unhashable", ""),
    "list's in": (lambda d: d.coin() in [1, 2], "branches", ""),
    "hasattr": (lambda d: d.coin() + hasattr(d.coin(), "flat"), r"\.flat", ""),
    "nothing": (lambda d: None, "returns NoneType", ""),
    "one number": (lambda d: 3, "returns int", ""),
    "bad parameters": (lambda d: d.sample(3, 5), "k must be", ""),
    "unknown draw": (lambda d: d.roll(6), "draws has no 'roll'", ""),
    "endless": (lambda d: [d.coin() for _ in range(10**9)][-1], "at most", ""),
    "ranges by round": (lambda d: d.below(np.arange(1, d.rounds + 1)), "differs by round", ""),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.filterwarnings("ignore")
def test_what_cannot_be_recorded_says_why(name: str) -> None:
    rule, reason, line = REFUSED[name]
    CALLS.clear()
    KEPT.clear()
    found = program_of(game_of(rule))
    assert isinstance(found, Untraced), str(found)
    assert re.search(reason, found.reason), found
    assert line in found.line
    if not re.search("otherwise|random numbers|returns", reason):
        assert "test_program.py:" in found.line


def test_what_a_rule_returns_is_refused_where_the_rule_begins() -> None:
    class Two(pf.Game):
        def outcome(self, draws):
            return [draws.coin(), draws.coin()]

    found = program_of(Two())
    assert isinstance(found, Untraced)
    assert found.line.endswith(": def outcome(self, draws):")


def test_classes_in_plain_python_have_no_program() -> None:
    found = program_of(game_of(lambda draws: draws.coin(), vectorized=False))
    assert isinstance(found, Untraced)
    assert "vectorized = False" in str(found)


def test_games_that_cannot_be_hashed_have_programs() -> None:
    class Own(pf.Game):
        sizes: Any = ()

        def outcome(self, draws: Any) -> Any:
            return draws.below(self.sizes[0])

    assert traced(Own([6])).draws == (6,)
    assert program_of(Own((6,))) is program_of(Own((6,)))


def test_equal_games_of_other_types_have_programs_of_their_own() -> None:
    class Own(pf.Game):
        scale: float = 1

        def outcome(self, draws: Any) -> Any:
            return draws.below(6) * self.scale

    assert Own(2) == Own(2.0)
    assert [traced(Own(scale)).dtype for scale in (2, 2.0, np.int64(2))] == [int, float, int]
    assert traced(Own(0.0)) != traced(Own(-0.0))


@pytest.mark.parametrize("name", all_games())
def test_operators_games_have_programs(name: str) -> None:
    game = all_games()[name]()
    program = traced(game)
    assert (program.shape, program.dtype) == (game.shape, game.dtype)
    if game.monotone:
        assert program.direction in (1, -1)


EXTREME = [
    *(pf.operators.stake.Mines(mines) for mines in (1, 24)),
    *(pf.operators.liqd.Mines(mines) for mines in (1, 24)),
    *(pf.operators.liqd.Blackjack(cards) for cards in (1, 416)),
    *(pf.operators.betkyo.Koban(flips) for flips in (1, 100)),
    *(pf.operators.crash.Divisible(divisor, instant) for divisor, instant in ((2, 1.0), (1_000_000, 0.0))),
    pf.operators.crash.Raw("0", 9),
    pf.operators.duel.Beef(19),
    pf.operators.stake.Chicken("expert"),
    pf.operators.stake.ScarabSpins(180),
]


@pytest.mark.parametrize("game", EXTREME, ids=repr)
def test_extreme_parameters_have_programs(game: Any) -> None:
    traced(game)


def test_facts_of_draws() -> None:
    draws = {
        (40, 39, 38): lambda d: d.sample(40, 3),
        (5, 4, 3, 2): lambda d: d.shuffle(5),
        (6, 5, 4, 3, 2): lambda d: d.swaps(6),
        (2, None, 100): lambda d: d.coin() + d.number() + d.weighted([70, 25, 5]),
        None: lambda d: d.below(d.below(5) + 1),
    }
    for expected, rule in draws.items():
        assert traced(game_of(rule)).draws == expected
    assert traced(game_of(lambda d: d.distinct(9, 4))).numbers is None
    assert traced(game_of(lambda d: (d.skip(3), d.coin())[1])).numbers == 4


def test_the_text_of_a_program() -> None:
    program = traced(
        game_of(lambda d: (lambda v: (d.note("the die", v), np.where(v > 3, 2.5, v))[1])(d.below(6) + 1))
    )
    assert str(program).splitlines() == [
        "v1 = below(6)",
        "v2 = v1 + 1",
        "# the die: v2",
        "v3 = v2 > 3",
        "v4 = where(v3, 2.5, v2)",
        "return v4",
    ]


@pytest.mark.parametrize(
    ("rule", "direction"),
    [
        (lambda d: d.number(), 1),
        (lambda d: -d.below(6), -1),
        (lambda d: 1 / (1 - d.number()), 1),
        (lambda d: (lambda v: np.where(v < 3, v, v - 2))(d.below(9)), None),
        (lambda d: np.where([False], d.below(9), d.below(9)), None),
        (lambda d: (lambda v: np.where([False], 2 * v, v))(d.below(9)), 1),
        (lambda d: np.maximum(1, d.below(9) - 5), 1),
        (lambda d: d.below(9) < 5, -1),
        (lambda d: (lambda v: v * (9 - v))(d.below(9)), None),
        (lambda d: d.below(9) % 5, None),
        (lambda d: d.below(9) % 10, 1),
        (lambda d: d.below(1 << 53) * (1 << 20), None),
        (lambda d: np.take_along_axis(np.array([9, 5, 5, 1]), d.below(4), axis=0), -1),
        (lambda d: np.take_along_axis(np.array([9, 5, 6, 1]), d.below(4), axis=0), None),
        (lambda d: np.take_along_axis(np.array([1, 5, 6, 9]), d.below(4) - 1, axis=0), None),
        (lambda d: np.searchsorted([0.2, 0.5], -d.number()), -1),
        (lambda d: d.below(9) // -2, -1),
        (lambda d: d.coin() + d.coin(), None),
        (lambda d: np.sin(d.number()), None),
        (lambda d: np.abs(d.below(9) - 4), None),
        (lambda d: np.full(d.rounds, 3), 0),
        (lambda d: d.each(1).below(6), None),
        (lambda d: np.where(d.below(9) > 3, np.nan, 1.0), None),
        (lambda d: np.where(False, d.below(9), np.nan), None),
        (lambda d: (d.below(9) - 4).astype(bool), None),
        (lambda d: np.logical_not(d.below(9) > 3), -1),
        (lambda d: np.logical_or(d.below(9) - 4, False), None),
        (lambda d: d.weighted([1, 0, 3]) * 2, 1),
    ],
)
def test_directions(rule: Any, direction: int | None) -> None:
    assert traced(game_of(rule)).direction == direction


@pytest.mark.filterwarnings("ignore")
def test_bounds_hold_the_ends() -> None:
    assert traced(game_of(lambda d: d.below(6) + 1)).bounds == (1, 6)
    assert traced(game_of(lambda d: 1 / d.number())).bounds == (1 / np.nextafter(1, 0), np.inf)
    assert traced(game_of(lambda d: d.number() / d.number())).bounds is None
    assert traced(game_of(lambda d: d.below(1 << 53) * (1 << 20))).bounds is None
    assert traced(game_of(lambda d: -d.number() * 0.0)).bounds == (0, 0)
    assert traced(game_of(lambda d: 6 / d.weighted([0, 2, 1, 0]))).bounds == (3, 6)
    wrapped = program_of(game_of(lambda d: np.where(d.coin(), 1, 2**63)))  # which numpy refuses from 2.5 on
    assert getattr(wrapped, "bounds", None) is None


def test_parts_that_are_alike_are_equal() -> None:
    program = traced(pf.operators.stake.Plinko(rows=16))
    assert program.disjoint
    assert program.depends == tuple((place,) for place in range(16))
    assert len({program.part(place) for place in range(16)}) == 1
    later = traced(
        game_of(
            lambda d: np.stack([d.below(6), d.coin(), d.below(6)], axis=1)[:, ::-1] * 2 + np.array([1, 2, 1])
        )
    )
    assert later.depends == ((2,), (1,), (0,))
    assert later.part(0) == later.part(2) != later.part(1)
    assert later.part(0).draws == (6,)
    assert later.part(0).play(EndDraws(2)).tolist() == [1, 11]
    shared = traced(game_of(lambda d: (lambda v: np.stack([v + d.coin(), v], axis=1))(d.below(3))))
    assert not shared.disjoint
    assert shared.part(0).draws == (3, 2)
    assert shared.part(1).draws == (3,)


def test_draws_of_a_thousand_parts_are_one_operation() -> None:
    program = traced(pf.operators.stake.Flip(1000))
    assert len(program.operations) == 1
    assert program.draws == (2,) * 1000
    assert (
        program.part(7) == program.part(999) == Program(traced(game_of(lambda d: d.below(2))).operations, 0)
    )
    assert hash(pickle.loads(pickle.dumps(program))) == hash(program)
    used_twice = traced(game_of(lambda d: (lambda v: v - v.max(axis=1, keepdims=True))(d.each(4).below(6))))
    assert not used_twice.disjoint
    assert used_twice.part(2).draws == (6,) * 4
    whole_words = traced(pf.operators.betkyo.Koban(1000))
    assert whole_words.disjoint
    assert whole_words.part(3).draws == (1 << 32,) * 2


@pytest.mark.parametrize("name", TRACED)
def test_parts_are_those_of_the_outcome(name: str) -> None:
    program = traced(game_of(TRACED[name]))
    if not program.shape or program.draws is None:
        return
    # All draws are kept, so that they answer alike.
    outcomes = program.play(RandomDraws(50, 1))
    assert program.depends is not None
    for place in range(program.shape[0]):
        part = _of(program.operations, program.result, place, EFFECTS)
        assert part.play(RandomDraws(50, 1)).tobytes() == np.ascontiguousarray(outcomes[:, place]).tobytes()
        count = 0 if program.part(place).draws is None else len(program.part(place).draws or ())
        assert count >= len(program.depends[place])


@pytest.mark.parametrize("name", TRACED)
def test_values_change_only_with_draws_on_which_they_depend(name: str) -> None:
    program = traced(game_of(TRACED[name]))
    if program.draws is None or program.depends is None:
        return
    shares = np.random.default_rng(1).random((200, len(program.draws)))

    def played(of: np.ndarray) -> np.ndarray:
        return program.play(ProbedDraws(200, lambda draw: of[:, draw].copy())).reshape(200, -1)

    before = played(shares)
    rows = program.shape[0] if program.shape else 1
    for draw in range(len(program.draws)):
        changed = shares.copy()
        changed[:, draw] = np.random.default_rng(2).random(200)
        moved = (played(changed) != before).any(axis=0).reshape(rows, -1).any(axis=1)
        assert all(draw in program.depends[row] for row in np.flatnonzero(moved))


def test_functions_of_outcomes_are_programs() -> None:
    game = pf.operators.stake.Keno()
    program = traced(game)
    hits = function_of(lambda cells: np.isin(cells, [1, 2, 3]).sum(axis=1), program.shape, program.dtype)
    assert isinstance(hits, Program)
    joined = program.then(hits)
    expected = np.isin(game.outcome(RandomDraws(100, 1)), [1, 2, 3]).sum(axis=1)
    assert joined.play(RandomDraws(100, 1)).tolist() == expected.tolist()
    assert joined.bounds == (0, 10)
    same = function_of(lambda cells: cells, program.shape, program.dtype)
    assert isinstance(same, Program)
    assert program.then(same) == program
    assert isinstance(function_of(lambda cells: cells.tolist(), (), np.int64), Untraced)


def test_constants_keep_their_type_and_sign() -> None:
    values = [1, 1.0, True, np.int64(1), np.float64(1), np.array([1]), 0.0, -0.0, np.inf, "1"]
    assert len({Constant.of(value) for value in values}) == len(values)
    for value in values:
        again = pickle.loads(pickle.dumps(Constant.of(value))).value
        assert type(again) is type(value) or isinstance(again, (np.ndarray, np.generic))
        assert again == value


class _Listing(RandomDraws):
    """Draws that keep what they are told."""

    def __init__(self) -> None:
        super().__init__(3, 1)
        self.told: list[Any] = []

    def part(self, name: str, index: int, draws: str = "draw") -> None:
        self.told.append((name, index))


@pytest.mark.parametrize(
    ("name", "arguments"), [("below", (6,)), ("coin", ()), ("weighted", ([3, 1],)), ("number", ())]
)
def test_each_is_single_calls(name: str, arguments: tuple[Any, ...]) -> None:
    draws, singly = _Listing(), _Listing()
    found = getattr(draws.each(4, "row"), name)(*arguments)
    expected = []
    for row in range(4):
        singly.part("row", row)
        expected.append(getattr(singly, name)(*arguments))
    assert found.tolist() == np.stack(expected, axis=1).tolist()
    assert draws.told == singly.told
    assert draws.ranges == singly.ranges
    twice, again = RandomDraws(3, 1), RandomDraws(3, 1)
    pairs = getattr(again.each(8), name)(*arguments).reshape(3, 4, 2)
    assert getattr(twice.each(4, times=2), name)(*arguments).tolist() == pairs.tolist()
    pairs = getattr(SingleDraws(RandomDraws(1, 1)).each(4, times=2), name)(*arguments)
    assert pairs == getattr(RandomDraws(1, 1).each(4, times=2), name)(*arguments)[0].tolist()
    one = getattr(SingleDraws(RandomDraws(1, 1)).each(4), name)(*arguments)
    again = SingleDraws(RandomDraws(1, 1))
    assert one == [getattr(again, name)(*arguments) for _ in range(4)]


def test_exchange_swaps_places() -> None:
    draws, other = RandomDraws(20, 1), RandomDraws(20, 1)
    by = [draws.below(place + 1) for place in range(8, 0, -1)]
    assert draws.exchange(9, range(8, 0, -1), by).tolist() == other.swaps(9).tolist()
    assert SingleDraws(RandomDraws(1, 1)).exchange(4, [0, 1], [3, 1]) == [3, 1, 2, 0]
    for arguments, match in [
        ((0, [], []), "n must be"),
        ((4, [0], []), "by must have 1"),
        ((4, [4], [1]), "places must be from 0 to 3"),
        ((4, [1], [-1]), "by must be from 0 to 3"),
    ]:
        with pytest.raises(ValueError, match=match):
            draws.exchange(*arguments)


UNARY = [np.negative, np.absolute, np.floor, np.ceil, np.rint, np.trunc, np.sign, np.sqrt, np.square]
BINARY = [
    *(np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.remainder),
    *(np.maximum, np.minimum, np.less, np.greater_equal, np.equal),
    *(np.left_shift, np.bitwise_and, np.bitwise_or),
]
CONSTANTS = (0, 1, 3, -2, 0.5, -0.0, 2.0, np.float64(0.1), np.int64(7), 10**6, True)
DRAWN = ("below", "number", "coin", "weighted", "big")
LEAVES = st.sampled_from([*(("draw", one) for one in DRAWN), *(("constant", one) for one in CONSTANTS)])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(UNARY), inner),
        st.tuples(st.sampled_from(BINARY), inner, inner),
        st.tuples(st.just("where"), inner, inner, inner),
        st.tuples(st.just("int"), inner),
        st.tuples(st.just("clip"), inner),
    ),
    max_leaves=10,
)


def computed(of: Any, draws: Any) -> Any:
    """The value of an expression."""
    kind, *rest = of
    if kind == "constant":
        return rest[0]
    if kind == "draw":
        return {
            "below": lambda: draws.below(10),
            "number": draws.number,
            "coin": draws.coin,
            "weighted": lambda: draws.weighted([1, 0, 5]),
            "big": lambda: draws.below(1 << 52),
        }[rest[0]]()
    values = [computed(one, draws) for one in rest]
    if kind == "where":
        return np.where(np.asarray(values[0]) > 1 if np.isscalar(values[0]) else values[0] > 1, *values[1:])
    if kind == "int":
        return np.floor(values[0]).astype(np.int64)
    if kind == "clip":
        return np.clip(values[0], -3, 40)
    return kind(*values)


class _Once:
    """Answers all draws of a rule with one."""

    def __init__(self, draws: Any) -> None:
        self.answer = draws.below(12)
        self.rounds = draws.rounds

    def below(self, n: int) -> Any:
        return self.answer - 5 if n > 100 else self.answer

    def number(self) -> Any:
        return self.answer / 12

    def coin(self) -> Any:
        return self.answer // 6

    def weighted(self, weights: Any) -> Any:
        return self.answer % 5


def check_direction(game: Any) -> None:
    """A direction that is known must be true of all answers."""
    program = program_of(game)
    if isinstance(program, Program) and program.direction is not None:
        shares = np.arange(12) / 12 + 0.01
        outcomes = program.play(ProbedDraws(12, lambda _: shares))
        rising = outcomes[:: program.direction or 1]
        stays = len(np.unique(outcomes)) == 1  # perhaps NaN
        assert stays or (program.direction and (rising[:-1] <= rising[1:]).all())


@settings(max_examples=100, deadline=None)
@given(EXPRESSIONS)
@pytest.mark.filterwarnings("ignore")
def test_random_expressions(of: Any) -> None:
    def rule(draws: Any) -> Any:
        return computed(of, draws) + 0 * draws.coin()

    game = game_of(rule)
    program = program_of(game)
    if isinstance(program, Untraced):
        return
    check_direction(game_of(lambda draws: computed(of, _Once(draws))))
    for make in (lambda: RandomDraws(2000, 3), lambda: EndDraws(2)):
        expected, found = np.asarray(game.outcome(make())), program.play(make())
        assert found.dtype == expected.dtype or expected.dtype == bool
        assert found.tobytes() == expected.astype(found.dtype).tobytes()
        if program.bounds is not None:
            assert (program.bounds[0] <= found).all()
            assert (found <= program.bounds[1]).all()
