"""One conformance suite for every game of the catalog, held to the oracle.

A new game joins by its line in `reference.GAMES`; sets of parameters worth trying go to `PARAMETERS`.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import pickle
import random

import numpy as np
import provably_fair as pf
import pytest
from comparing import same
from hypothesis import given, strategies as st
from oracles import salted as reference
from provably_fair._core.counts import bincount
from provably_fair.games.rounds import simulated_rounds

GAMES = pf.operators.salted.GAMES
NAMES = tuple(GAMES)
MULTI_PLAYER = tuple(reference.CONSTANT_SEEDS)
SINGLE_PLAYER = tuple(name for name in NAMES if name not in MULTI_PLAYER)
FLOAT_GAMES = ("dice", "crash", "overgo")
FULL = 20_011

# Sets of parameters, the default first.
PARAMETERS: dict[str, list[dict]] = {
    "mines": [{}, *({"mines": mines} for mines in range(1, 25))],
    "tower": [{}, *({"mines": mines} for mines in range(1, 5))],
    "slot": [{}, {"spins": 1}, {"spins": 2}, {"spins": 7}, {"spins": 180}],
    "plinko": [
        {},
        *({"pins": pins} for pins in range(8, 17)),
        {"pins": 8, "balls": 3},
        {"pins": 9, "balls": 100},
        {"balls": 2},
    ],
    "jackpot": [
        {},
        *({"tickets": n} for n in (1, 2, 3, 10, 127, 128, 1000, 2380, 2**32, 10**15 + 37, 2**53 - 1, 2**53)),
    ],
}
# The parameters of the long run; others have the defaults.
LONG_RUN = {"tower": {"mines": 2}, "slot": {"spins": 2}, "plinko": {"pins": 12}}
# The range of every parameter.
RANGES = {
    "mines": {"mines": (1, 24)},
    "tower": {"mines": (1, 4)},
    "slot": {"spins": (1, 180)},
    "plinko": {"pins": (8, 16), "balls": (1, 100)},
    "jackpot": {"tickets": (1, 2**53)},
}
CASES = [
    pytest.param(name, parameters, id=f"{name}-{'-'.join(f'{k}={v}' for k, v in parameters.items())}")
    for name in NAMES
    for parameters in PARAMETERS.get(name, [{}])
]

each_game = pytest.mark.parametrize("name", NAMES)
each_case = pytest.mark.parametrize(("name", "parameters"), CASES)


def outcome_dtype(name):
    return np.dtype(np.float64 if name in FLOAT_GAMES else np.int64)


def play_by_oracle(name, seeds, parameters):
    """An array of the outcomes of rounds given as (server seed, client seed, salt)."""
    rule, shape = reference.GAMES[name], reference.outcome_shape(name, parameters)
    outcomes = [rule(*one, **parameters) for one in seeds]
    return np.array(outcomes, dtype=outcome_dtype(name)).reshape(len(outcomes), *shape)


@functools.cache
def long_run(name):
    """The seeds of 20,011 rounds and the oracle's outcomes, worked out once."""
    server, client = reference.simulation_seeds(name, seed=20)
    salts = reference.salts(FULL, seed=20, start=3)
    expected = play_by_oracle(name, [(server, client, salt) for salt in salts], LONG_RUN.get(name, {}))
    expected.setflags(write=False)
    return server, client, salts, expected


def long_game(name):
    return GAMES[name](**LONG_RUN.get(name, {}))


# ---- the catalog ----


def test_catalog():
    assert set(reference.GAMES) == set(GAMES)
    names = "Mines Tower Slot Plinko Dice Double Jackpot Crash Overgo X50"
    assert [cls.__name__ for cls in GAMES.values()] == names.split()
    for name, cls in GAMES.items():
        assert cls.__name__.lower() == name
        assert cls.__name__ in pf.__all__
    with pytest.raises(TypeError):
        GAMES["another"] = pf.Dice


def test_documents_rounds(vectors):
    facts = vectors("salted_rounds")
    empty = facts["empty_round"]
    cases = [case | dict.fromkeys(("server_seed", "client_seed", "salt"), "") for case in empty["outcomes"]]
    for case in cases + facts["public_rounds"]:
        game = GAMES[case["game"]](**case["parameters"])
        server, client, salt = case["server_seed"], case["client_seed"], case["salt"]
        assert np.asarray(game.play(server, client, salt)).tolist() == case["outcome"]
        assert game.play(server, client, [salt, salt]).tolist() == [case["outcome"]] * 2
        assert game.play(server_seed=server, client_seed=client, salt=salt).tolist() == case["outcome"]


# ---- outcomes: single == bulk == oracle ----


@pytest.mark.one_case_in(3)
@each_game
def test_many_rounds_one_by_one(name):
    server, client, salts, expected = long_run(name)
    play = long_game(name).play
    found = [play(server, client, salt) for salt in salts]
    same(np.array(found), expected)


@each_game
def test_rounds_of_seeds_of_every_length(name):
    """Different lengths side by side, on every argument, single and bulk."""
    rng = random.Random(name)
    game = long_game(name)
    alphabet = "abcdef0123456789ж種🎲"
    rounds = [
        tuple("".join(rng.choices(alphabet, k=rng.randrange(200))) for _ in range(3)) for _ in range(1000)
    ]
    expected = play_by_oracle(name, rounds, LONG_RUN.get(name, {}))
    servers, clients, salts = map(list, zip(*rounds, strict=True))
    same(game.play(servers, clients, salts), expected)
    same(np.array([game.play(*seeds) for seeds in rounds]), expected)


@each_case
def test_parameters(name, parameters):
    game = GAMES[name](**parameters)
    shape = reference.outcome_shape(name, parameters)
    size = int(np.prod(shape))
    seeds = [("server", "client", salt) for salt in reference.salts(40 if size > 50 else 300, seed=1)]
    expected = play_by_oracle(name, seeds, parameters)
    salts = [salt for _, _, salt in seeds]
    bulk = game.play("server", "client", salts)
    same(bulk, expected)
    assert bulk.flags.c_contiguous
    assert bulk.flags.writeable
    for salt, outcome in zip(salts[:40], expected, strict=False):
        one = game.play("server", "client", salt)
        assert one.shape == shape
        assert one.dtype == outcome_dtype(name)
        if not shape:
            assert isinstance(one, np.generic)
        same(np.asarray(one), np.asarray(outcome))


@each_game
def test_every_number_of_rounds(name):
    """No round is lost where lanes or blocks end."""
    server, client, salts, expected = long_run(name)
    game = long_game(name)
    salts = np.array(salts, "S64")
    for rounds in [*range(70), 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 20001]:
        same(game.simulate(rounds, seed=20, start=3), expected[:rounds])
        if rounds < 5000:
            same(game.play(server, client, salts[:rounds]), expected[:rounds])


@each_game
@pytest.mark.parametrize("threads", [None, 1, 2, 16])
def test_threads_do_not_change_a_round(name, threads):
    server, client, salts, expected = long_run(name)
    game = long_game(name)
    same(game.play(server, client, salts, threads=threads), expected)
    same(game.simulate(FULL, seed=20, start=3, threads=threads), expected)
    same(game.play(server, client, salts[:5], threads=threads), expected[:5])
    assert np.array_equal(game.play(server, client, salts[0], threads=threads), expected[0])


@pytest.mark.parametrize("name", ["slot", "plinko"])
def test_many_cursors_with_long_client_seeds(name):
    """The cursor's digits push the message over the end of a hash block."""
    parameters = {"slot": {"spins": 180}, "plinko": {"balls": 100}}[name]
    game = GAMES[name](**parameters)
    for length in range(106, 112):
        seeds = [("s", "c" * length, salt) for salt in ("", "salt")]
        expected = play_by_oracle(name, seeds, parameters)
        same(game.play("s", "c" * length, ["", "salt"]), expected)
        same(game.play(*seeds[0]), expected[0])


# ---- which game needs which seeds ----


@pytest.mark.parametrize("name", MULTI_PLAYER)
def test_multi_player_games_know_their_seeds(name):
    game = GAMES[name]()
    server, client = reference.CONSTANT_SEEDS[name]
    salts = reference.salts(20)
    rule = reference.GAMES[name]
    for salt in salts:
        assert game.play(salt=salt) == game.play(None, None, salt) == rule(server, client, salt)
        assert game.play("", "", salt) == rule("", "", salt)
        assert game.play("", salt=salt) == rule("", client, salt)
        assert game.play(client_seed="mine", salt=salt) == rule(server, "mine", salt)
    same(game.play(salt=salts), play_by_oracle(name, [(server, client, salt) for salt in salts], {}))
    same(game.play(client_seed=salts, salt=salts[::-1]), game.play([server] * 20, salts, salts[::-1]))


@pytest.mark.parametrize("name", SINGLE_PLAYER)
def test_single_player_games_need_their_seeds(name):
    game = GAMES[name]()
    for salt in "x", ["x", "y"]:
        with pytest.raises(TypeError, match=r"\bserver_seed\b"):
            game.play(salt=salt)
        with pytest.raises(TypeError, match=r"\bserver_seed\b"):
            game.play(None, "c", salt)
        with pytest.raises(TypeError, match=r"\bclient_seed\b"):
            game.play("s", salt=salt)
        with pytest.raises(TypeError, match=r"\bclient_seed\b"):
            game.play("s", None, salt)


@each_game
def test_every_round_needs_a_salt(name):
    for arguments in [(), ("s", "c"), ("s", "c", None)]:
        with pytest.raises(TypeError, match=r"\b(salt|server_seed)\b"):
            GAMES[name]().play(*arguments)
    with pytest.raises(TypeError, match=r"\bsalt\b"):
        GAMES[name]().play("s", "c")


@each_game
@pytest.mark.parametrize("argument", ["server_seed", "client_seed", "salt"])
@pytest.mark.parametrize("bad", [None, float("nan"), 7, "\ud800"], ids=repr)
def test_bad_seeds_leave_no_partial_output(name, argument, bad):
    game = GAMES[name]()
    salts = [*reference.salts(5000), bad, *reference.salts(10)]
    seeds = {"server_seed": "s", "client_seed": "c", "salt": "x"} | {argument: salts}
    out = np.full((len(salts), *reference.outcome_shape(name, {})), 77, dtype=outcome_dtype(name))
    with pytest.raises((TypeError, ValueError), match=rf"\b{argument}\[5000\]"):
        game.play(**seeds, out=out)
    assert (out == 77).all()


@each_game
def test_rounds_of_different_lengths(name):
    with pytest.raises(ValueError, match=r"\b(client_seed|salt)\b"):
        GAMES[name]().play("s", ["a", "b"], ["x", "y", "z"])


# ---- games are values ----


@each_case
def test_games_are_values(name, parameters):
    cls = GAMES[name]
    game, twin = cls(**parameters), cls(**parameters)
    assert game == twin
    assert not (game != twin)  # noqa: SIM202
    assert hash(game) == hash(twin)
    assert len({game, twin}) == 1
    assert game != name
    for other in NAMES:
        if other != name:
            assert game != GAMES[other]()
    for key, value in parameters.items():
        assert getattr(game, key) == value
        assert type(getattr(game, key)) is int
        with pytest.raises((AttributeError, TypeError)):
            setattr(game, key, value)
    with pytest.raises((AttributeError, TypeError)):
        game.anything = 1
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(game, protocol)) == game
    for clone in copy.copy(game), copy.deepcopy(game):
        assert clone == game
        assert type(clone) is cls
        same(np.asarray(clone.play("s", "c", "x")), np.asarray(game.play("s", "c", "x")))
    assert repr(game).startswith(f"{cls.__name__}(")
    assert eval(repr(game), {cls.__name__: cls}) == game


@each_game
def test_different_parameters_are_different_games(name):
    games = [GAMES[name](**parameters) for parameters in PARAMETERS.get(name, [{}])[1:]]
    assert len(set(games)) == len({repr(game) for game in games})
    for i, game in enumerate(games):
        for other in games[:i]:
            assert (game == other) == (repr(game) == repr(other))


@pytest.mark.parametrize(
    ("name", "parameter"), [(name, parameter) for name in RANGES for parameter in RANGES[name]]
)
def test_parameters_out_of_range(name, parameter):
    cls = GAMES[name]
    least, most = RANGES[name][parameter]
    for inside in least, most:
        assert getattr(cls(**{parameter: inside}), parameter) == inside
    for kind in (np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64):
        assert repr(cls(**{parameter: kind(least)})) == repr(cls(**{parameter: least}))
    for outside in least - 1, most + 1, -1, -(2**63), 2**63, 2**64 + least, 10**30, np.int64(most + 1):
        with pytest.raises(ValueError, match=rf"(?s)\b{parameter}\b.*{least}"):
            cls(**{parameter: outside})


# ---- dtype ----

SMALLEST = {"mines": 24, "tower": 4, "slot": 40, "plinko": 16, "double": 14, "x50": 53, "jackpot": 1000}


@pytest.mark.parametrize("name", SMALLEST)
@pytest.mark.parametrize(
    "dtype",
    [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, "u1", "<i4", int],
    ids=str,
)
def test_integer_dtypes(name, dtype):
    game = GAMES[name]()
    salts = reference.salts(50)
    wide = game.play("s", "c", salts)
    if SMALLEST[name] > np.iinfo(dtype).max:
        for call in (
            lambda: game.play("s", "c", salts, dtype=dtype),
            lambda: game.play("s", "c", salts[0], dtype=dtype),
            lambda: game.simulate(50, dtype=dtype),
        ):
            with pytest.raises(ValueError, match=r"\bdtype\b"):
                call()
        return
    same(game.play("s", "c", salts, dtype=dtype), wide.astype(dtype))
    same(np.asarray(game.play("s", "c", salts[0], dtype=dtype)), wide[0].astype(dtype))
    assert game.play("s", "c", salts[0], dtype=dtype).dtype == np.dtype(dtype)
    same(game.simulate(50, dtype=dtype), game.simulate(50).astype(dtype))
    assert game.play("s", "c", [], dtype=dtype).dtype == np.dtype(dtype)


@pytest.mark.parametrize("name", FLOAT_GAMES)
def test_float_dtypes(name):
    game = GAMES[name]()
    same(game.simulate(50, dtype=np.float64), game.simulate(50))
    same(game.simulate(50, dtype=float), game.simulate(50))
    if name == "dice":  # 10,001 outcomes that stay different
        same(game.simulate(1000, dtype=np.float32), game.simulate(1000).astype(np.float32))
        assert type(game.play("", "", "", dtype=np.float32)) is np.float32
    for dtype in int, np.int64, np.uint8, np.float16:
        with pytest.raises(ValueError, match=r"\bdtype\b"):
            game.simulate(50, dtype=dtype)
        with pytest.raises(ValueError, match=r"\bdtype\b"):
            game.play("s", "c", "x", dtype=dtype)


@each_game
@pytest.mark.parametrize("bad", [bool, object, str, "S8", complex, "M8[s]", "V8", [("a", "i8")]], ids=repr)
def test_dtypes_that_are_no_numbers(name, bad):
    """Of a single round, which has a way of its own."""
    with pytest.raises((TypeError, ValueError), match=r"\bdtype\b"):
        GAMES[name]().play("s", "c", "x", dtype=bad)


# ---- out ----


@each_game
def test_out_is_filled_and_returned(name):
    server, client, salts, expected = long_run(name)
    game = long_game(name)
    out = np.full_like(expected[:999], 77)
    assert game.play(server, client, salts[:999], out=out) is out
    same(out, expected[:999])
    out = np.full_like(expected[:999], 77)
    assert game.simulate(999, seed=20, start=3, out=out) is out
    same(out, expected[:999])
    # A window of a larger array, and nothing around it.
    large = np.full_like(expected[:1001], 77)
    window = large[1:-1]
    assert game.simulate(999, seed=20, start=3, out=window) is window
    same(large[1:-1], expected[:999])
    assert (large[[0, -1]] == 77).all()
    nothing = expected[:0].copy()
    assert game.simulate(0, out=nothing) is nothing


@each_game
def test_out_of_a_smaller_dtype(name):
    _, _, _, expected = long_run(name)
    dtype = {"dice": np.float32, "crash": np.float64, "overgo": np.float64}.get(name, np.int16)
    out = np.zeros(expected[:99].shape, dtype)
    assert long_game(name).simulate(99, seed=20, start=3, out=out) is out
    same(out, expected[:99].astype(dtype))
    assert long_game(name).simulate(99, seed=20, start=3, out=out, dtype=dtype) is out


@each_game
def test_out_that_does_not_fit(name):
    game = GAMES[name]()
    shape, dtype = reference.outcome_shape(name, {}), outcome_dtype(name)
    salts = reference.salts(6)
    read_only = np.full((6, *shape), 77, dtype)
    read_only.setflags(write=False)
    bad = {
        "too short": np.full((5, *shape), 77, dtype),
        "too long": np.full((7, *shape), 77, dtype),
        "one axis more": np.full((6, *shape, 1), 77, dtype),
        "flat": np.full((6 * int(np.prod(shape)) + 1,), 77, dtype),
        "one round's": np.full(shape, 77, dtype),
        "read-only": read_only,
        "bool": np.ones((6, *shape), bool),
        "object": np.full((6, *shape), 77, object),
        "a list": [77] * 6,
        "a string": "out",
    }
    for reason, out in bad.items():
        before = copy.deepcopy(out)
        for call in (
            lambda out=out: game.play("s", "c", salts, out=out),
            lambda out=out: game.simulate(6, out=out),
        ):
            with pytest.raises((TypeError, ValueError), match=r"\bout\b"):
                call()
        assert np.array_equal(out, before), reason


@each_game
def test_out_in_other_layouts(name):
    """Rows in steps, in reverse, transposed, byte-swapped or unaligned, and nothing beside them."""
    server, client, salts, expected = long_run(name)
    game, n = long_game(name), 3000
    if name == "dice":  # more than is copied at a time
        n, salts = 70000, reference.salts(70000, seed=20, start=3)
        expected = game.play(server, client, salts)
        same(expected[:FULL], long_run(name)[3])
    shape, kind = expected.shape[1:], expected.dtype
    large = np.full((2 * n, *shape), 77, kind)
    out = large[::2]
    assert game.simulate(n, seed=20, start=3, out=out) is out
    same(out, expected[:n])
    assert (large[1::2] == 77).all()
    out = np.empty((n, *shape), kind)[::-1]
    assert game.play(server, client, salts[:n], out=out) is out
    same(out, expected[:n])
    out = np.empty((*shape[::-1], 100), kind).T
    assert game.simulate(100, seed=20, start=3, out=out) is out
    same(out, expected[:100])
    out = np.empty((100, *shape), kind.newbyteorder())
    assert game.simulate(100, seed=20, start=3, out=out) is out
    assert out.dtype == kind.newbyteorder()
    assert (out == expected[:100]).all()
    records = np.zeros((100, *shape), dtype=[("flag", "u1"), ("outcome", kind)])
    out = records["outcome"]
    assert not out.flags.aligned
    assert game.simulate(100, seed=20, start=3, out=out) is out
    same(out, expected[:100])
    assert not records["flag"].any()


@each_game
def test_out_and_dtype_must_agree(name):
    out = np.zeros((3, *reference.outcome_shape(name, {})), outcome_dtype(name))
    other = np.float32 if name == "dice" else np.int16
    with pytest.raises((TypeError, ValueError), match=r"\b(out|dtype)\b"):
        GAMES[name]().simulate(3, out=out, dtype=other)


@pytest.mark.parametrize("name", ["jackpot", "crash", "dice"])
def test_out_too_small_for_the_outcomes(name):
    small = np.zeros(3, {"jackpot": np.int8, "crash": np.int64, "dice": np.int64}[name])
    with pytest.raises((TypeError, ValueError), match=r"\b(out|dtype)\b"):
        GAMES[name]().simulate(3, out=small)
    assert not small.any()


@pytest.mark.parametrize("name", [name for name in NAMES if reference.outcome_shape(name, {})])
def test_out_of_one_round(name):
    server, client, salts, expected = long_run(name)
    out = np.full_like(expected[0], 77)
    assert long_game(name).play(server, client, salts[0], out=out) is out
    same(out, expected[0])


@pytest.mark.parametrize(
    ("rounds", "part"),
    [(8, lambda words: words[:8]), (70_000, lambda words: words[::8][::-1])],
    ids=["as a whole", "in steps, from the far end"],
)
def test_out_may_not_be_the_seeds(rounds, part):
    """Overlapping memory is copied or refused, never read after it is overwritten."""
    memory = np.zeros(rounds * 64, "u1")
    salts = memory.view("S64")
    salts[:] = pf.salts(rounds)
    expected = pf.Double().play("s", "c", pf.salts(rounds))
    with contextlib.suppress(ValueError):
        same(pf.Double().play("s", "c", salts, out=part(memory.view(np.int64))).copy(), expected)


# ---- parameters that change from round to round ----

PER_ROUND = {"jackpot": "tickets", "plinko": "pins"}


def per_round_values(name, rounds):
    rng = random.Random(name)
    if name == "plinko":
        return [rng.randint(8, 16) for _ in range(rounds)]
    return [min(2**53, 1 + int(2 ** rng.uniform(0, 53))) for _ in range(rounds)]


@pytest.mark.parametrize("name", PER_ROUND)
def test_per_round_parameters(name):
    parameter = PER_ROUND[name]
    game, salts, values = GAMES[name](), reference.salts(3000), per_round_values(name, 3000)
    rule = reference.GAMES[name]
    expected = np.array(
        [rule("s", "c", salt, **{parameter: value}) for salt, value in zip(salts, values, strict=True)]
    )
    for given_values in (
        values,
        tuple(values),
        np.array(values),
        np.array(values, dtype=np.uint64),
        np.array(values)[::-1][::-1],
        np.repeat(values, 2)[::2],
        np.array(values).astype(">i8"),
    ):
        same(game.play("s", "c", salts, **{parameter: given_values}), expected)
    same(game.play("s", "c", salts, threads=3, **{parameter: values}), expected)
    same(game.simulate(3000, seed=0, server_seed="s", client_seed="c", **{parameter: values}), expected)
    pd = pytest.importorskip("pandas")
    series = pd.Series(values, index=range(3000, 0, -1))
    same(game.play("s", "c", salts, **{parameter: series}), expected)


@pytest.mark.parametrize("name", PER_ROUND)
def test_per_round_parameters_broadcast(name):
    parameter, cls = PER_ROUND[name], GAMES[name]
    values = per_round_values(name, 20)
    fixed = [cls(**{parameter: value}) for value in values]
    for value, game in zip(values, fixed, strict=True):
        one = cls().play("s", "c", "x", **{parameter: value})
        same(np.asarray(one), np.asarray(game.play("s", "c", "x")))
        same(cls().play("s", "c", ["x", "y"], **{parameter: value}), game.play("s", "c", ["x", "y"]))
        same(cls().play("s", "c", ["x", "y"], **{parameter: [value]}), game.play("s", "c", ["x", "y"]))
    expected = np.array([game.play("s", "c", "x") for game in fixed])
    same(cls().play("s", "c", "x", **{parameter: values}), expected)
    same(cls().play("s", "c", ["x"], **{parameter: values}), expected)
    assert len(cls().play("s", "c", [], **{parameter: []})) == 0
    same(cls().play("s", "c", ["x", "y"], **{parameter: None}), cls().play("s", "c", ["x", "y"]))


@pytest.mark.parametrize("name", PER_ROUND)
def test_bad_per_round_parameters(name):
    parameter, game = PER_ROUND[name], GAMES[name]()
    least, most = RANGES[name][parameter]
    for bad in least - 1, most + 1, -1:
        values = np.full(10, most)
        values[4] = bad
        for given_values in values, values.tolist():
            with pytest.raises(ValueError, match=rf"\b{parameter}\[4\]"):
                game.play("s", "c", reference.salts(10), **{parameter: given_values})
        with pytest.raises(ValueError, match=rf"\b{parameter}\b"):
            game.play("s", "c", "x", **{parameter: bad})
    arrays = np.array([8.0]), np.array([True]), np.array(["8"])
    for bad in (["8"], [8.0], [True], *arrays, [None], "8", 8.0, True):
        with pytest.raises(TypeError, match=rf"\b{parameter}\b"):
            game.play("s", "c", ["x"], **{parameter: bad})
    with pytest.raises(ValueError, match=rf"\b({parameter}|salt)\b"):
        game.play("s", "c", ["x", "y", "z"], **{parameter: [8, 8]})
    for bad in [[8, 2**64]], [[8], [8, 8]]:
        with pytest.raises((TypeError, ValueError), match=rf"\b{parameter}\b"):
            game.play("s", "c", ["x", "y"], **{parameter: bad})
    for rounds in 1, 3, 5:
        with pytest.raises(ValueError, match=rf"\b{parameter}\b"):
            game.simulate(rounds, **{parameter: [8, 8, 8, 8][: 2 if rounds < 5 else 4]})


# ---- simulate ----


@each_game
@pytest.mark.parametrize("seed", [0, 1, 12345])
@pytest.mark.parametrize("start", [0, 1, 97, 10**9])
def test_simulate_is_play_on_salts(name, seed, start):
    game = long_game(name)
    server, client = reference.simulation_seeds(name, seed)
    salts = reference.salts(111, seed, start)
    expected = play_by_oracle(name, [(server, client, salt) for salt in salts], LONG_RUN.get(name, {}))
    same(game.simulate(111, seed=seed, start=start), expected)
    same(game.play(server, client, pf.salts(111, seed=seed, start=start)), expected)
    same(game.simulate(111, seed=seed, start=start, server_seed="s"), game.play("s", client, salts))
    same(game.simulate(111, seed=seed, start=start, client_seed="c"), game.play(server, "c", salts))
    same(game.simulate(111, seed=seed, start=start, server_seed="", client_seed=""), game.play("", "", salts))


@each_game
def test_simulate_in_parts(name):
    game = long_game(name)
    parts = [game.simulate(n, seed=20, start=3 + at) for at, n in [(0, 1), (1, 0), (1, 998), (999, 4001)]]
    same(np.concatenate(parts), long_run(name)[3][:5000])


@pytest.mark.parametrize(
    "game", [pf.operators.stake.Dice(), pf.Dice(), pf.operators.bustabit.V3(), pf.operators.duel.Crash()]
)
def test_fields_of_later_rounds_are_those_of_all(game):
    series = simulated_rounds(game, 50, "pieces", 7)
    pieces = [series.values(first, count) for first, count in [(0, 1), (1, 30), (31, 19)]]
    for name, whole in series.values().items():
        parts = [piece[name] for piece in pieces]
        assert {*parts} == {whole} if isinstance(whole, str) else np.array_equal(np.concatenate(parts), whole)


@each_game
@pytest.mark.filterwarnings("ignore:.*tqdm.*")
def test_progress_changes_nothing(name, capsys):
    same(long_game(name).simulate(2000, seed=20, start=3, progress=True), long_run(name)[3][:2000])
    same(long_game(name).tally(2000, progress=True).counts, long_game(name).tally(2000).counts)


def test_tallies_of_parameters():
    assert pf.Jackpot().tally(500, tickets=7) == pf.Jackpot(tickets=7).tally(500)
    assert pf.Plinko(balls=3).tally(500, pins=9) == pf.Plinko(pins=9, balls=3).tally(500)
    with pytest.raises(ValueError, match="tickets must be one integer"):
        pf.Jackpot().explain(salt="", tickets=[5, 6])
    with pytest.raises(TypeError, match="mines"):
        pf.Mines().tally(2, mines=4)


@pytest.mark.parametrize("form", ["new", "strided", "byte-swapped"])
def test_progress_counts_all_rounds(form):
    rounds, seen = 150_000, []
    out = {
        "new": None,
        "strided": np.empty((rounds, 2))[:, 0],
        "byte-swapped": np.empty(rounds, dtype=">f8"),
    }[form]
    pf.Dice().simulate(rounds, out=out, threads=1, progress=lambda done, total: seen.append((done, total)))
    done = [each for each, _ in seen]
    assert done == sorted(done)
    assert seen[-1] == (rounds, rounds)


# ---- tally ----


def marginal_counts(name, outcomes, parameters):
    """The count of each value, arranged as in this game's tally."""
    if name == "mines":
        return bincount(outcomes.ravel(), minlength=25)
    if name == "tower":
        return np.stack([bincount(outcomes[:, row].ravel(), minlength=5) for row in range(10)])
    if name == "slot":
        return np.stack([bincount(outcomes[:, :, reel].ravel(), minlength=41) for reel in range(5)])
    if name == "plinko":
        return bincount(outcomes.ravel(), minlength=parameters.get("pins", 16) + 1)
    values = support(name, parameters)
    places = np.searchsorted(values, outcomes)
    assert (values[places] == outcomes).all()
    return bincount(places, minlength=len(values))


def support(name, parameters):
    """Every outcome a game can have, in order."""
    if name in reference.EDGES:
        return np.unique(reference.all_coefficients_in_cents(name)) / 100
    if name == "dice":
        return np.arange(10001) / 100
    if name == "jackpot":
        return np.arange(1, parameters.get("tickets", 1000) + 1)
    if name == "plinko":
        return np.arange(parameters.get("pins", 16) + 1)
    return np.arange({"mines": 25, "tower": 5, "slot": 41, "double": 15, "x50": 54}[name])


@each_game
@pytest.mark.parametrize("rounds", [1, 1000, 20000])
def test_tally_counts_what_simulate_yields(name, rounds):
    parameters = LONG_RUN.get(name, {})
    counts = marginal_counts(name, long_run(name)[3][:rounds], parameters)
    for options in {}, {"threads": 1}, {"threads": 3}:
        tally = long_game(name).tally(rounds, seed=20, start=3, **options)
        assert tally.rounds == rounds
        assert type(tally.rounds) is int
        assert tally.counts.dtype == np.int64
        same(tally.outcomes, support(name, parameters))
        same(tally.counts, counts)


@each_case
def test_tally_of_every_set_of_parameters(name, parameters):
    if parameters.get("tickets", 0) > 2**24:
        return
    game = GAMES[name](**parameters)
    tally = game.tally(50, seed=2, server_seed="s", client_seed="c")
    outcomes = game.simulate(50, seed=2, server_seed="s", client_seed="c")
    same(tally.outcomes, support(name, parameters))
    same(tally.counts, marginal_counts(name, outcomes, parameters))


@pytest.mark.parametrize("name", ["double", "x50"])
def test_bins_of_wheels(name):
    outcomes, edges = GAMES[name]().simulate(1000), [0, 1, 7, {"double": 15, "x50": 54}[name]]
    expected, _ = np.histogram(outcomes, edges)
    same(GAMES[name]().tally(1000, bins=edges).counts, expected)


@pytest.mark.parametrize("name", ["mines", "tower", "slot", "plinko", *FLOAT_GAMES])
def test_bins_are_for_games_of_one_integer(name):
    with pytest.raises(TypeError, match=r"\bbins\b"):
        GAMES[name]().tally(10, bins=3)


# ---- any game, any parameters, any seeds ----


@st.composite
def games(draw):
    name = draw(st.sampled_from(NAMES))
    ranges = RANGES.get(name, {})
    return name, {parameter: draw(st.integers(*limits)) for parameter, limits in ranges.items()}


seeds = st.text(max_size=300) | st.binary(min_size=1, max_size=300)


@given(game=games(), server=seeds, client=seeds, salts=st.lists(seeds, min_size=1, max_size=4))
def test_any_round(game, server, client, salts):
    name, parameters = game
    expected = play_by_oracle(name, [(server, client, salt) for salt in salts], parameters)
    found = GAMES[name](**parameters)
    same(found.play(server, client, salts), expected)
    same(np.asarray(found.play(server, client, salts[0])), np.asarray(expected[0]))


def test_tallies_compare_and_add():
    tally = pf.Double().tally(100)
    assert tally != 100
    assert tally == pf.Double().tally(100)
    for add in (lambda: tally + 100, lambda: 1 + tally):
        with pytest.raises(TypeError):
            add()
    with pytest.raises(ValueError, match="same outcomes"):
        tally + pf.X50().tally(100)
    both = tally + pf.Double().tally(100, start=100)
    assert np.array_equal(both.counts, pf.Double().tally(200).counts)
