"""Rules that the engine plays as programs, beside numpy, which performs the same operations on arrays."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from own_games import game_of
from provably_fair import _engine
from provably_fair.games import program_of, rounds_of
from provably_fair.games._streams import StreamDraws
from provably_fair.games.program import Program
from provably_fair.games.rounds import simulated_rounds
from provably_fair.names import named_games
from provably_fair.operators.registry import LISTED
from provably_fair.seeds.schemes import engine_scheme

LEAST, MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
SMALL = (0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -1.0, 3.0, -7.25, 1 / 3, 5e-324, -5e-324, 0.285, 2.675)
LARGE = (1e300, -1e300, 2.0**52, 2.0**53 + 2, 2.0**63, -(2.0**63), 2.0**62, 4503599627370497.5)
DOUBLES = np.array([*SMALL, *LARGE, np.inf, -np.inf, np.nan])
FEW = (0, 1, -1, 2, -2, 3, 7, -7, 10, 62, 63, 64, 65, -64)
WHOLES = np.array([*FEW, 2**31, 2**53 + 1, MOST, MOST - 1, LEAST, LEAST + 1])
ROUNDS = 4000
SCHEME = pf.Scheme(pf.Hash("sha256", "{nonce}:{cursor}"), bits=32)


def pairs(rule: Any, *tables: np.ndarray) -> pf.Game:
    """A game of two values of tables, joined by a rule."""

    def joined(draws: Any) -> Any:
        return rule(*(np.take_along_axis(table, draws.below(len(table)), axis=0) for table in tables))

    return game_of(joined, scheme=SCHEME)


def rows(rule: Any, table: np.ndarray = WHOLES) -> pf.Game:
    """A game of a row of values of a table, of which a rule makes an outcome."""
    return game_of(
        lambda draws: rule(np.take_along_axis(table[np.newaxis], draws.each(6).below(len(table)), axis=1)),
        scheme=SCHEME,
    )


def check(game: pf.Game, rounds: int = ROUNDS, paths: Any = None) -> None:
    """The engine plays what numpy plays, bit by bit, except the bits of NaN."""
    program = program_of(game)
    assert isinstance(program, Program), program
    held = simulated_rounds(game, rounds, "instructions").fields()
    in_engine = program.in_engine
    assert in_engine is not None
    streams = _engine.Streams(engine_scheme(game.scheme), held, 0, rounds, path="scalar")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = np.asarray(game.outcome(StreamDraws(streams)))
    wanted = wanted.astype(np.int64) if wanted.dtype == bool else wanted
    for path in paths or _engine.paths():
        out = np.empty((rounds, *program.shape), program.dtype)
        in_engine.play(engine_scheme(game.scheme), held, out, path=path)
        for found in (out, wanted) if wanted.dtype == float else ():
            found[np.isnan(found)] = np.nan
        assert out.tobytes() == wanted.tobytes(), path


ARITHMETIC = [np.add, np.subtract, np.multiply, np.floor_divide, np.remainder, np.maximum, np.minimum]
COMPARED = [np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal]
LOGICAL = [np.logical_and, np.logical_or, np.logical_xor]
BITS = [np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift]


@pytest.mark.parametrize("function", [*ARITHMETIC, np.divide, *COMPARED, *LOGICAL])
def test_doubles(function: Any) -> None:
    check(pairs(function, DOUBLES, DOUBLES))


@pytest.mark.parametrize("function", [*ARITHMETIC, np.divide, *COMPARED, *LOGICAL, *BITS])
def test_whole_numbers(function: Any) -> None:
    check(pairs(function, WHOLES, WHOLES))


@pytest.mark.parametrize("function", [*ARITHMETIC, np.divide, *COMPARED, np.where])
def test_mixed_types(function: Any) -> None:
    rule = (lambda one, other: np.where(one, other, one)) if function is np.where else function
    check(pairs(rule, WHOLES, DOUBLES))


JOINED = {
    "truths": lambda draws: draws.coin() == 1,
    "wholes": lambda draws: draws.below(6) - 3,
    "doubles": lambda draws: draws.number(),
    "constants": lambda draws: np.full(draws.rounds, 7),
}


@pytest.mark.parametrize("join", ["stack", "column_stack", "concatenate"])
@pytest.mark.parametrize("one", JOINED)
@pytest.mark.parametrize("other", JOINED)
def test_joined_values_have_their_common_type(join: str, one: str, other: str) -> None:
    def rule(draws: Any) -> Any:
        columns = [JOINED[one](draws), JOINED[other](draws), draws.below(2)]
        if join.endswith("stack"):
            return getattr(np, join)(columns, **({"axis": 1} if join == "stack" else {}))
        return np.concatenate([column[:, np.newaxis] for column in columns], axis=1)

    check(game_of(rule))
    check(game_of(lambda draws: rule(draws).cumsum(axis=1) / 2))


@pytest.mark.parametrize(
    "function",
    [
        *(np.floor, np.ceil, np.trunc, np.rint, np.sqrt, np.absolute, np.negative, np.positive, np.square),
        *(np.logical_not, np.round, lambda x: np.round(x, 2), lambda x: np.round(x, -1)),
        *(
            lambda x: x.astype(int),
            lambda x: x.astype(bool),
            lambda x: np.clip(x, 0, 3),
            lambda x: np.clip(x, -0.0, 2.5),
        ),
        *(lambda x: np.clip(x, 1e300, 2**63 - 1), lambda x: np.clip(x, -(2**63), 2**63)),
        *(lambda x: np.maximum(x, 0), lambda x: np.minimum(0.0, x), lambda x: np.isin(x, [0, 1.5, 3])),
        lambda x: np.searchsorted([0, 0.5, 1, 1, 3], x),
        lambda x: np.searchsorted([0, 1, 1], x, side="right"),
        lambda x: np.searchsorted(np.arange(40) / 4, x, side="right"),
    ],
)
@pytest.mark.parametrize("table", [DOUBLES, WHOLES], ids=["doubles", "wholes"])
def test_one_value(function: Any, table: np.ndarray) -> None:
    game = pairs(function, table)
    if program_of(game).in_engine is None:  # type: ignore[union-attr]
        pytest.skip("left to numpy")
    check(game)


@pytest.mark.parametrize(
    "function",
    [
        *(lambda v: v.sum(axis=1), lambda v: v.prod(axis=1)),
        *(lambda v: v.max(axis=1), lambda v: v.min(axis=1)),
        *(lambda v: v.cumsum(axis=1), lambda v: np.sort(v, axis=1), lambda v: v.argmax(axis=1)),
        *(lambda v: v.argmin(axis=1), lambda v: (v > 3).any(axis=1), lambda v: (v > 3).all(axis=1)),
        *(lambda v: np.count_nonzero(v, axis=1), lambda v: np.maximum.accumulate(v, axis=1)),
        *(lambda v: v.reshape(-1, 2, 3).sum(axis=2), lambda v: v.reshape(-1, 2, 3).max(axis=(1, 2))),
        *(lambda v: v[:, ::-1] + np.arange(6), lambda v: v - v.max(axis=1, keepdims=True)),
        *(lambda v: np.stack([v[:, 0], v[:, 1] + [5]], axis=1), lambda v: ~(v > 0) & (v < 3)),
        lambda v: np.take_along_axis(v, np.argmax(v, axis=1)[:, np.newaxis], axis=1),
        lambda v: np.take_along_axis(v, np.remainder(v, 6), axis=1),
    ],
)
def test_rows(function: Any) -> None:
    check(rows(function))


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_rows_of_doubles(name: str) -> None:
    check(rows(lambda values: getattr(np, name)(values, axis=1), DOUBLES))


@pytest.mark.parametrize(
    "rule",
    [
        lambda v: v.sum(axis=1),
        lambda v: np.power(v[:, 0], 2),
        lambda v: np.exp(v[:, 0]),
        lambda v: v.mean(axis=1),
        lambda v: np.sort(v, axis=1),
    ],
)
def test_numpy_keeps_what_it_alone_knows(rule: Any) -> None:
    game = rows(rule, np.array([0.1, -0.0, 0.0, 0.7]))
    program = program_of(game)
    assert isinstance(program, Program)
    assert program.in_engine is None
    held = simulated_rounds(game, 100, "instructions").fields()
    streams = _engine.Streams(engine_scheme(game.scheme), held)
    found = rounds_of(game).outcomes(held, 1, None)
    assert found.tobytes() == np.asarray(game.outcome(StreamDraws(streams))).tobytes()


def test_a_long_table_is_no_part_of_many_instructions() -> None:
    few, many = (
        game_of(lambda draws, k=k: draws.each(k).weighted(range(1, 30_001)).max(axis=1)) for k in (3, 40)
    )
    assert program_of(few).in_engine is not None
    assert program_of(many).in_engine is None
    assert many.play("server", "client", ["a", "b"]).shape == (2,)


DRAWN: list[Callable[[Any], Any]] = [
    lambda draws: draws.swaps(1),
    lambda draws: draws.sample(1, 1),
    lambda draws: draws.sample(40, 10),
    lambda draws: draws.sample(3, 3),
    lambda draws: draws.shuffle(9),
    lambda draws: draws.shuffle(9, 4) * 10 + draws.below(10)[:, np.newaxis],
    lambda draws: draws.swaps(7),
    lambda draws: draws.exchange(5, [0, 1], [draws.below(5), 1 + draws.below(4)]),
    lambda draws: draws.weighted([3, 0, 1, 5]),
    lambda draws: draws.each(3, times=2).below(7).sum(axis=2),
    lambda draws: draws.each(4).number(),
    lambda draws: (draws.skip(3), draws.number())[1],
    lambda draws: draws.coin() + (draws.each(2).weighted([1, 1, 2]) > 1).any(axis=1),
]

HASH = pf.Hash("sha256", "{nonce}:{cursor}")
SCHEMES = {
    "scale": SCHEME,
    "modulo": pf.Scheme(pf.Hash("sha512", "{nonce}", key="{nonce}:{cursor}"), bits=36, below="modulo"),
    "reject": pf.Scheme(HASH, bits=8, below="reject", read_on=1),
    "reject_last": pf.Scheme(HASH, bits=12, words=3, below="reject_last", read_on=1),
    "range": pf.Scheme(pf.Hash("sha1", "{nonce}:{cursor}"), bits="range", below="reject"),
    "multiply": pf.Scheme(HASH, bits=32, below="multiply"),
    "digest": pf.Scheme(HASH, bits=32, below="digest"),
    "double": pf.Scheme(pf.Hash("sha512", "x", key="{nonce}:{cursor}"), bits=32, below="double"),
    "nearest": pf.Scheme(pf.Hash("sha512", "{nonce}", key="{cursor}"), bits=52, below="nearest"),
    "digits": pf.Scheme(HASH, bits=52, digits=9),
    "salted": pf.SALTED,
    "again": pf.Scheme(pf.Hash("sha256", "{nonce}"), bits=32, read_on=pf.Hash("sha256", "{digest}")),
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("drawn", DRAWN)
def test_draws_under_schemes(scheme: str, drawn: Any) -> None:
    game = game_of(drawn, scheme=SCHEMES[scheme])
    # A few rounds are read one by one, others in tiles, whose last one is a part.
    for rounds in (3, 1500):
        check(game, rounds)


@pytest.mark.parametrize("below", ["scale", "modulo"])
@pytest.mark.parametrize("bits", [8, 32, 36, 52])
@pytest.mark.parametrize(
    "n", [1, 2, 3, 255, 256, 2**21 - 1, 2**21, 2**21 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**50 + 3]
)
def test_draws_below_any_number(below: str, bits: int, n: int) -> None:
    """Held to Python's own integers and doubles."""
    scheme = pf.Scheme(pf.Hash("sha256", "{nonce}"), bits=bits, words=1, below=below)
    game = game_of(lambda draws: draws.below(n), scheme=scheme)
    assert game._rounds._in_engine is not None
    digests = [hashlib.sha256(str(nonce).encode()).digest() for nonce in range(500)]
    words = [int.from_bytes(digest) >> 256 - bits for digest in digests]
    expected = [int(word / 2**bits * n) if below == "scale" else word % n for word in words]
    assert game.play(nonce=range(500)).tolist() == expected


def test_a_round_that_lacks_words_is_told() -> None:
    short = pf.Scheme(pf.Hash("sha256", "{nonce}"), bits=32)

    game = game_of(lambda draws: draws.each(9).below(5), scheme=short)
    with pytest.raises(ValueError, match="round 0 needs more than the 8 words of its one digest"):
        game.play(range(100))
    with pytest.raises(ValueError, match="the round needs more than the 8 words"):
        game.play(3)


@pytest.mark.thorough
@pytest.mark.parametrize("operator", LISTED)
def test_every_game(operator: str) -> None:
    for game in named_games(operator).values():
        program = None if rounds_of(game).engine else program_of(game)
        if isinstance(program, Program) and program.in_engine is not None:
            rounds = 1_000 if game.scheme.function else 100_000  # a function in Python has no lanes
            check(game, max(200, rounds // (program.least_numbers or 1)))
