"""Every public function and method with every kind of bad argument: the exception names the argument.

`CALLS` has a valid call of each, with the kind of each argument; `KINDS` has the bad values of a kind. Their
product is tested. Functions and arguments missing from `CALLS` are failures as well.
"""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import provably_fair as pf
import pytest
from provably_fair import beacons, cards
from provably_fair._core.errors import ArgumentError
from provably_fair.auditing import grinding
from provably_fair.games.fairness import fairness_material
from provably_fair.games.rounds import check_outcomes, simulated_rounds
from provably_fair.games.tables import Table
from provably_fair.operators import crypto_games, fpclub

pf_dask = pytest.importorskip("provably_fair.dask", exc_type=ImportError)
MODULES = [
    pf,
    *(pf.bets, pf.certification, pf.distribution, pf.games, pf.readings, pf.seeds, pf.statistics),
    *(
        pf.auditing,
        pf.verification,
        pf.walkthrough,
        pf.operators.salted,
        beacons,
        crypto_games,
        fpclub,
        cards,
    ),
    *(grinding, pf_dask),
]
ROOMS = ("cards", "dask")
"""Rooms whose names stand before those of their functions and classes."""
DOCUMENTED = (TypeError, ValueError, MemoryError, IndexError)
SURROGATE = "\ud800"


class Opaque:
    """A value of a type that no function accepts."""

    def __repr__(self) -> str:
        return "<opaque>"


class Unhelpful:
    """A value whose conversions all fail, each in its own way."""

    def __index__(self) -> int:
        raise TypeError("no index")

    def __array__(self, *arguments: object, **options: object) -> np.ndarray:
        raise TypeError("no array")


def optional(bad: list[Any]) -> list[Any]:
    """Bad values of an argument that may be None."""
    return [value for value in bad if value is not None]


NAN, INFINITE = float("nan"), float("inf")
NOT_INTEGERS = [
    1.5,
    NAN,
    "5",
    b"5",
    None,
    True,
    np.True_,
    1j,
    Fraction(3, 2),
    [],
    {},
    Opaque(),
    Unhelpful(),
    np.float64(3),
]
NO_INTEGER = [value for value in NOT_INTEGERS if not isinstance(value, list)]
NOT_NUMBERS = ["five", None, Opaque(), [], {}, 1j, b"5", np.complex64(1j), np.datetime64("2026-01-01")]
NOT_TEXT = [5, 1.5, None, Opaque(), SURROGATE, True, {"a": 1}]
NOT_TEXTS = [
    *(5, NAN, None, True, Opaque(), SURROGATE, {"a": 1}),
    *([1, 2], ["a", None], ["a", SURROGATE], np.arange(3), np.array(5)),
]
NOT_MANY_TEXTS = [np.array([["a", "b"]]), np.array(["a", 5.5], object), np.array(["2026-01-01"], "M8[D]")]

# Bad values for each kind of argument.
KINDS: dict[str, list[Any]] = {
    # Anything is allowed, or another library checks the value (matplotlib's axes).
    "any": [],
    "text": NOT_TEXT,
    "optional text": optional(NOT_TEXT),
    "texts": [*NOT_TEXTS, *NOT_MANY_TEXTS],
    "seeds": [*NOT_TEXTS, *NOT_MANY_TEXTS[1:]],  # seeds may be multidimensional
    "optional texts": [*optional(NOT_TEXTS), *NOT_MANY_TEXTS],
    "name": [5, 1.5, None, True, [], {}, Opaque(), "", "no such thing", b"stops", SURROGATE],
    "count": [*NOT_INTEGERS, -1, -(2**70), 2**70],
    "rounds": [*NOT_INTEGERS, -1, 2**62, 2**70],
    "tallied rounds": [*NOT_INTEGERS, -1, 2**70],
    "start": [*NOT_INTEGERS, -1, 2**64, 2**70],
    "positive": [*NOT_INTEGERS, 0, -1, 2**70],
    "small": [*NOT_INTEGERS, 0, -1, 2**62, 2**63, 2**70],
    "index": [*NOT_INTEGERS, -1, 10**6, 2**63, 2**70],
    "optional index": [*optional(NOT_INTEGERS), -1, 10**6, 2**70],
    "threads": [*optional(NOT_INTEGERS), 0, -1, 1025, 2**70],
    "library": [5, True, "Pandas", "", [], {}, Opaque(), SURROGATE, np.zeros(2)],
    "optional seed": [1.5, True, SURROGATE, b"seed", [], Opaque(), NAN],
    "seed": [1.5, None, True, SURROGATE, b"seed", [], Opaque(), NAN],
    "law": [5, None, [], "Ideal", "", "asdrawn", SURROGATE, Opaque()],
    "law of a bet": [5, [], "Ideal", "", "asdrawn", SURROGATE, Opaque()],
    "dtype": [bool, object, str, "S8", complex, "M8[s]", "V8", [("a", "i8")], np.float16],
    "out": [5, "out", [0] * 3, np.zeros(4, object), np.zeros((3, 1, 1, 1)), np.zeros(3, bool), Opaque(), {}],
    "game": [5, None, "minez", "", "mines:mines=25", SURROGATE, pf.Mines, [], Opaque()],
    "card": [*NOT_INTEGERS, -2, 208, 2**70],
    "real card": [*NOT_INTEGERS, -1, 208, 2**70],
    "real": [*NOT_NUMBERS, NAN],
    "cash-out": [*NOT_NUMBERS, NAN, INFINITE, -INFINITE, -1, 0.5],
    "chance": [*NOT_NUMBERS, NAN, INFINITE, -0.5, 1.5],
    "share of one": [*NOT_NUMBERS, NAN, -0.1, 1, 2],
    "sequence": [5, None, "x", [], Opaque(), Unhelpful()],
    "faces": [0, 7, -1, 1.5, None, "x", [[1, 7]], np.array([1.0]), Opaque(), True, SURROGATE, {}],
    "hash name": [5, None, "sha1", "", [], SURROGATE, Opaque()],
    "hex hash": [5, 1.5, "zz" * 64, "ab", "ab" * 65, ["zz" * 64], Opaque(), SURROGATE, ["ab" * 64, None]],
    "hand": [
        5,
        None,
        "J♣",
        "J♣ 5♥ 8♣ A♣ XX",
        [1, 2, 3, 4],
        [1, 1, 2, 3, 4],
        [0, 1, 2, 3, 52],
        [0, 1, 2, 3, -2],
        [0.5] * 5,
        Opaque(),
        np.zeros((2, 2, 5), int),
        [[0, 1, 2, 3, 4], [0, 0, 2, 3, 4]],
    ],
    "hold": [5, "yes", [6], [0], [-1], [None], [True], [1, 1], [0.5], Opaque(), [True] * 6, SURROGATE],
    "actions": ["fly", ["fly"], [5], 5, [None], [SURROGATE], Opaque()],
    "file": ["/no/such/folder/file", "/", Opaque(), 1.5, "a\0b"],
    "log text": [5, None, [], Opaque(), "no log", b"\xff\xfe\x00"],
    "table": [5, "x", None, Opaque(), {}],
    "choice": [5, None, "x", Opaque()],
    "mapping": [5, "x", [1], {"nothing": "a"}, {5: 5}, Opaque()],
    "level": ["x", None, 0, 1, 2, NAN, Opaque()],
    "some": [*NOT_INTEGERS, 0, -1],
    "none or some": [*NOT_INTEGERS, -1],
    "stakes": ["x", None, -1, [1, 2, 3], NAN, Opaque()],
    "within": ["x", None, -1, NAN, [0, 0], Opaque()],
    "known game": [5, None, "no such game", Opaque()],
}

# The kinds of arguments by name, unless a call overrides them.
USUAL = {
    "server_seed": "optional texts",
    "client_seed": "optional texts",
    "salt": "optional texts",
    "threads": "threads",
    "seed": "seed",
    "start": "start",
    "as_frame": "library",
    "rounds": "rounds",
    "dtype": "dtype",
    "out": "out",
    "law": "law",
    "ax": "any",
    "exact": "any",
    "progress": "any",
    "nonce": "texts",
    "hash": "hex hash",
    "cards": "small",
    "commitment": "optional text",
    "hold": "hold",
    "actions": "actions",
    "game": "game",
    "rng": "any",
    **dict.fromkeys(("columns", "constants"), "mapping"),
    **dict.fromkeys(("repeats", "alternative", "valid", "rounding"), "choice"),
    **dict.fromkeys(("level", "confidence"), "level"),
    **dict.fromkeys(("limit", "sets"), "some"),
    "longest_searched": "none or some",
    "stakes": "stakes",
    "within": "within",
}


class Call(NamedTuple):
    """A function or method, with valid arguments and their kinds."""

    function: Callable[..., Any]
    right: dict[str, Any]
    kinds: dict[str, str | list[Any]]


CALLS: dict[str, Call] = {}


def call_as(
    label: str, called: Callable[..., Any], right: dict[str, Any] | None = None, /, **kinds: Any
) -> None:
    parameters = inspect.signature(called).parameters.values()
    names = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD]
    if len(names) == len(parameters):  # kinds may be given for a group of functions
        kinds = {name: kind for name, kind in kinds.items() if name in names}
    CALLS[label] = Call(called, right or {}, {name: USUAL.get(name, "any") for name in names} | kinds)


def call(called: Callable[..., Any], right: dict[str, Any] | None = None, /, **kinds: Any) -> None:
    """Enter a function under its name, a method under its class's and its own."""
    owner = getattr(called, "__self__", None)
    cls = owner if owner is None or inspect.isclass(owner) else type(owner)
    name = called.__name__ if cls is None else f"{cls.__name__}.{called.__name__}"
    room = (cls or called).__module__.partition(".")[2].partition(".")[0]
    call_as(f"{room}.{name}" if room in ROOMS else name, called, right, **kinds)


SEEDS = {"server_seed": "s", "client_seed": "c"}
SALTED = SEEDS | {"salt": "x"}
ONE_TEXT = {"server_seed": "optional text", "client_seed": "optional text", "salt": "optional text"}
TEXT = {"server_seed": "text", "client_seed": "text"}
HASHED = fpclub.HashedDice("1234")
LOG = {name: [] for name in (*pf.SALTED.fields, "outcome")}
POKER, BLACKJACK = crypto_games.VideoPoker(), crypto_games.Blackjack()
COINS = pf.Distribution([0, 1, 2], [1, 2, 1])

# The generator and seeds
for name in "random_bytes", "random_numbers":
    call(
        getattr(pf.seeds, name),
        SALTED,
        server_seed="texts",
        client_seed="texts",
        salt="texts",
        cursor="start",
        count=[*NOT_INTEGERS, -1, 2**40],
    )
call(pf.salts, {"n": 3}, n="rounds")

# Schemes
NONCES = [
    *NO_INTEGER,
    -1,
    2**64,
    [1.5],
    [None],
    [-1],
    ["5"],
    np.zeros(2),
    [[1]],
]
HASH = pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}")
SCHEME = pf.Scheme(HASH, bits=32)
TEMPLATES = [5, b"x", [], Opaque(), SURROGATE, "{", "}", "{}", "{0}", "{a b}", "{a.b}", "{a!r}", "{a:hex}"]
call(
    pf.Hash,
    {"name": "sha256", "message": "{server_seed}"},
    name=[value for value in KINDS["hash name"] if value != "sha1"],
    message=[*TEMPLATES, None],
    key=TEMPLATES,
    raw=[5, None, "x", Opaque()],
)
call(
    pf.Scheme,
    {"hash": HASH, "bits": 32},
    hash=[5, None, "sha256", pf.Hash, {}, Opaque(), pf.Hash("sha256", "x")],
    bits=[*NOT_INTEGERS, 0, 3, 10, 60, 68, 2**70],
    words=[*optional(NOT_INTEGERS), 0, 9, 2**70],
    below=[5, None, "floor", "", b"scale", Opaque(), SURROGATE],
    first_cursor="start",
    fields=[5, "nonce", [], ["nonce"], [1, 2, 3], Opaque(), [*SCHEME.fields, "x"], [*SCHEME.fields, "nonce"]],
    defaults=[5, "x", ["nonce"], None, Opaque(), {"x": 1}, {5: 1}, {"client_seed": 5}],
    commitment=[5, "sha256", Opaque(), pf.Hash("md5", "{x}"), pf.Hash("md5", "{nonce}{cursor}")],
    read_on=[0, -1, 2**70, 1.5, "x", Opaque(), 1, pf.Hash("sha256", "{nonce}"), pf.Hash("md5", "{digest}")],
    beacon=[5, Opaque()],
    function=[5, "x", Opaque()],
)
call(
    pf.Scheme.of,
    {"function": iter, "bits": 32, "fields": ["nonce"]},
    function=[5, "x", Opaque()],
    bits=[*NOT_INTEGERS, 0, 65, 2**70],
    fields=[5, None, "nonce", [], [1, 2], Opaque(), ["a b"], ["cursor"], ["a", "a"]],
    below=[5, None, "floor", "digest", b"scale", Opaque(), SURROGATE],
    defaults=[5, "x", ["nonce"], Opaque(), {"x": 1}, {5: 1}],
    commitment=[5, "sha256", Opaque(), pf.Hash("md5", "{x}")],
    beacon=[5, Opaque()],
)
FIELDS = {"server_seed": "texts", "client_seed": "texts", "nonce": NONCES}
ONE_ROUND = SEEDS | {"nonce": 1}
call(SCHEME.random_bytes, ONE_ROUND, cursor="start", label=[5], **FIELDS)
call(HASH.hexdigest, ONE_ROUND, cursor="start", label=[5], **FIELDS)
call(SCHEME.random_numbers, ONE_ROUND, count=[*NOT_INTEGERS, -1, 2**40], **FIELDS)
DATA = [5, None, "x", [], Opaque(), {}, {"bits": 32}, {"name": "md5"}, {"x": 5}]
call(pf.Scheme.from_dict, {"data": SCHEME.to_dict()}, data=DATA)
call(pf.Hash.from_dict, {"data": HASH.to_dict()}, data=DATA)
call(pf.Scheme.load, {"path": "scheme.toml"}, path=[5, None, 1.5, Opaque(), [], "a\0b", __file__])
call(pf.HashChain, hash=[5, None, "sha256", HASH, pf.Hash("md5", "x"), Opaque()])
# Beacons
NOT_HEX = [5, 1.5, None, True, Opaque(), SURROGATE, "", "zz" * 48, "ab", b"ab", {}]
ROUND_NUMBERS = [*NO_INTEGER, 0, -1, 2**70, [0], [1.5], [[1]]]
call(beacons.Drand, chain=[5, None, "", "slownet", [], {}, {"public_key": "ab"}, Opaque(), SURROGATE])
call(
    beacons.Drand().verify,
    {"round": 1, "signature": "ab" * 48},
    round=ROUND_NUMBERS,
    signature=[*NOT_HEX, ["ab"], [5], [None]],
    previous_signature=["ab" * 48],
)
call(beacons.Drand().randomness, {"signature": "ab" * 48}, signature=NOT_HEX)
call(beacons.Drand().time, {"round": 1}, round=ROUND_NUMBERS)
call(beacons.Drand().round_at, {"time": 2e9}, time=["now", None, Opaque(), [], NAN, INFINITE, 5])
VX = beacons.Vx(beacons.Drand("default").public_key)
call(beacons.Vx, {"public_key": VX.public_key}, public_key=[*NOT_HEX, "ab" * 48])
call(
    VX.verify,
    {"message": "m", "signature": "ab" * 96},
    message="texts",
    signature=[*NOT_HEX, ["ab"], [5], [None]],
)
call(beacons.BitcoinHeader, {"header": bytes(80)}, header=NOT_HEX)
call(beacons.EosHeader, {"header": bytes(116)}, header=NOT_HEX)

GAME_HASHES = [5, None, "", "ab", "zz" * 32, "ab" * 31, Opaque(), SURROGATE, [], ["ab" * 32]]
CHAIN = pf.HashChain()
call(CHAIN.previous, {"game_hash": "ab" * 32, "count": 2}, game_hash=GAME_HASHES, count="rounds")
call(
    CHAIN.steps,
    {"game_hash": "ab" * 32, "terminating": "ab" * 32, "limit": 5},
    game_hash=GAME_HASHES,
    terminating=[*GAME_HASHES, "cd" * 32],
    limit=[*NOT_INTEGERS, -1, 2**70],
)
call(
    CHAIN.generate,
    {"seed": "s", "games": 5},
    games=[*NOT_INTEGERS, -1, 2**70],
    start=[*NOT_INTEGERS, 0, -1, 6, 2**70],
    count=[*optional(NOT_INTEGERS), -1, 6, 2**70],
)
call(
    CHAIN.terminating,
    {"hashes": "ab" * 32},
    hashes=[*(value for value in GAME_HASHES if value != ["ab" * 32]), ["ab"], {}, [5]],
)
call(pf.commitment, seed="text")
call(pf.check_commitment, {"seed": "s", "commitment": "c"}, seed="text", commitment="text")
call(
    pf.seeds.joined_seeds,
    {"rounds": [1], "seeds": ["a"], "order": "weight", "weights": [1]},
    rounds=[5, [[1]], [1, 2]],
    seeds=[5, None, [[1]], [1], Opaque()],
    weights=[5, None, [1.5], ["x"], [None], [1, 2]],
    order=[5, None, "first", [], Opaque()],
    separator=[5, None, Opaque()],
    written=[5, None, "", Opaque()],
)

# Games in Python
call(pf.hits, {"chosen": [1, 2]}, chosen=[-1, 1.5, "x", [0.5], [1, 1], None, Opaque()])
call(
    pf.difference,
    {"a": pf.Dice(), "b": pf.Dice(), "rounds": 10},
    a=["die", None, Opaque(), 5],
    b=["die", None, Opaque(), 5, pf.Mines()],
    rounds=[*NOT_INTEGERS, 0, -1, 2**70],
)


class Own(pf.Game):
    sides: int = 6

    def outcome(self, draws):
        return draws.below(self.sides) + 1


def fields_of(game: pf.Game, rounds: int, seed: int | str = 0, start: int = 0, **fields: Any) -> Any:
    return simulated_rounds(game, rounds, seed, start, **fields).values()


NO_FUNCTION = [5, "x", [1], lambda faces: 0, lambda faces: faces[:0], Opaque()]
for name, own in {
    "Own": Own(),
    "Own with a scheme": Own().with_scheme(SCHEME),
    "Mines with a scheme": pf.Mines().with_scheme(SCHEME),
}.items():
    seeds = SALTED if own.scheme == pf.SALTED else ONE_ROUND
    kinds = {field: "texts" for field in seeds if field != "nonce"}
    kinds = {"salt": "any"} | kinds  # other schemes have no salt
    single = {field: kind.removesuffix("s") for field, kind in kinds.items()}
    of_rounds = {field: "seeds" if kind == "texts" else kind for field, kind in kinds.items()}
    call_as(f"{name}.play", own.play, seeds, **of_rounds)
    call_as(f"{name}.simulate", own.simulate, {"rounds": 3})
    call_as(f"{name}.tally", own.tally, {"rounds": 3}, rounds="tallied rounds")
    call_as(f"{name}.simulated_rounds", partial(fields_of, own), {"rounds": 3})
    call_as(f"{name}.explain", own.explain, seeds, **single)
    call_as(
        f"{name}.with_scheme", own.with_scheme, {"scheme": SCHEME}, scheme=[5, "sha256", None, HASH, Opaque()]
    )
call(Own().distribution, of=NO_FUNCTION)
call(Own().observe, {"outcomes": [1]}, outcomes=[5, "x", None, [[1], [2, 3]]], of=NO_FUNCTION)
call(Own, sides=[np.array([1])])

# Games
PARAMETERS = {
    "Mines": {"mines": "small"},
    "Tower": {"mines": "small"},
    "Slot": {"spins": "small", "reels": [5, "x", [1], ["ab"] * 5, Opaque(), [[]] * 5]},
    "Plinko": {"pins": "small", "balls": "small"},
    "Jackpot": {"tickets": [*NOT_INTEGERS, 0, -1, 2**53 + 1, 2**70]},
}
SUBJECTS: dict[str, dict[str, Any]] = {
    "mines": {"cells": [None, -1, 25, [0, 0], [25], 0.5, ["a"], Opaque(), [[0], [1]], True]},
    "tower": {
        "positions": ["x", 5, -1, [0], [7] * 10, 0.5, Opaque()],
        "rows": [*optional(NOT_INTEGERS), 0, 11],
    },
    "slot": {"reel": [5, -1, 0.5, "x", Opaque()], "payout": [5, "x", {}, Opaque(), [1, 2], lambda rows: 0]},
    "plinko": {"payout": [5, "x", [1, 2], Opaque()]},
    "jackpot": {"share": [5, "x", (1,), (0, 5), (5, 4), (1, 1001), (1.5, 3), Opaque()]},
    "crash": {"cash_out": optional(KINDS["cash-out"])},
}
SUBJECTS["overgo"] = SUBJECTS["crash"]
SUBJECTS["double"] = SUBJECTS["x50"] = {"sectors": [-1, 99, [99], 0.5, ["a"], Opaque(), [0, 0]]}
SUBJECTS["dice"] = {
    "under": ["five", Opaque(), [], 1j, b"5", NAN],
    "over": ["five", Opaque(), [], 1j, b"5", NAN],
}
NEEDED = {"mines": {"cells": [0]}, "slot": {"reel": 0}}
NO_OUTCOMES = [5, "x", None, Opaque(), np.zeros((2, 7, 7)), [[1], [2, 3]]]
NO_PICTURE = [-5, 1e9, "x", None, Opaque(), np.zeros((2, 7, 7), int), [[1], [2, 3]]]
NO_STEP = [*optional(NOT_INTEGERS), 0, 25]
MAKES = sorted(pf.operators.salted.GAMES.values(), key=lambda make: make.__name__)
BINS = [-1, 0, 1001, 1.5, "x", [], [1], [2, 1], [5, 5], [[1, 2]], [[1, 2], [3]], [1.5, 2.5], Opaque(), True]
for deal in POKER, BLACKJACK:
    outcomes = deal.simulate(2)
    label = f"{type(deal).__name__}.fairness_material"
    call_as(label, partial(fairness_material, deal), {"data": outcomes}, data=[*NO_OUTCOMES, [[0, 1]]])
for make in MAKES:
    title, game = make.__name__, make()
    if title in PARAMETERS:
        call(make, **PARAMETERS[title])
    call(game.play, SALTED | {"salt": ["x", "y", "z"]})
    call(game.simulate, {"rounds": 3})
    call(game.tally, {"rounds": 3}, rounds="tallied rounds", bins=BINS)
    call(game.explain, SALTED, **ONE_TEXT)
    subject = NEEDED.get(game.name, {})
    call(game.distribution, subject, **SUBJECTS[game.name])
    outcomes = game.simulate(2)
    call(game.observe, {"outcomes": outcomes} | subject, **SUBJECTS[game.name], outcomes=NO_OUTCOMES)
    call_as(
        f"{title}.check_outcomes", partial(check_outcomes, game), {"outcomes": outcomes}, outcomes=NO_OUTCOMES
    )
    call_as(
        f"{title}.fairness_material", partial(fairness_material, game), {"data": outcomes}, data=NO_OUTCOMES
    )
    call(game.plot, {"outcome": game.explain("", "", "")}, outcome=NO_PICTURE, step=NO_STEP)
call(pf.Game)
REVEALS = [*NO_INTEGER, -1, 26, [-1], [0.5], "two"]
for name in "fair_multiplier", "survival":
    bad = [*REVEALS, [26]] if name == "survival" else [*REVEALS, [25]]
    call(getattr(pf.Mines(), name), {"reveals": 1}, reveals=bad)
TICKET = [*NOT_INTEGERS, 0, -1, 1001]
call(pf.Jackpot().probability_between, {"low": 1, "high": 1000}, low=TICKET, high=TICKET)
STOPS = [5, "x", None, Opaque(), [1, 2], [0, 0, 0, 0, 99], [-1, 0, 0, 0, 0], [0.5] * 5]
SLOT = pf.Slot(reels=tuple(tuple(range(n)) for n in (30, 30, 30, 30, 41)))
for name in "symbols", "window":
    call(getattr(SLOT, name), stops=STOPS)
for game in pf.Crash(), pf.Overgo():
    call(game.cash_outs)
call(pf.games.CashOuts, {"game": pf.Crash()}, game=[*KINDS["game"], pf.Dice()])
# An empty list isn't the same as None.
CASH_OUTS = [value for value in KINDS["cash-out"] if not (isinstance(value, list) and not value)]
for name in "rtp", "survival":
    call(getattr(pf.Crash().cash_outs(), name), cash_out=[*CASH_OUTS, [2.0, 1.005], ["x"]])
for name in "rtps", "extremes", "plot":
    call(getattr(pf.Crash().cash_outs(), name), least="cash-out", most="cash-out")

# Laws
call(
    pf.Distribution,
    {"outcomes": [1, 2], "weights": [1, 1]},
    outcomes=[5, [], [NAN, 1], np.array([[1], [2]]), Opaque(), [INFINITE, 1], [1, "a"]],
    weights=[5, None, [], [1], [0, 0], [-1, 2], [0.5, 0.5], ["a", "b"], Opaque(), [1, None]],
    probability_error=["x", -1, NAN, None, Opaque()],
)
for name in "pmf", "cdf", "sf":
    call(getattr(COINS, name), x=[] if name == "pmf" else ["a", None, Opaque(), {}, ["a"], 1j, NAN])
call(COINS.quantile, q=["a", None, Opaque(), -0.1, 1.1, NAN, [2], {}])
PAYOUT = [5, "x", [1, 2], Opaque(), {0: "x"}, [1, 2, None], [1, NAN, 2], lambda x: "x", lambda x: None]
call(COINS.map, function=[5, "x", [1, 2], Opaque(), None])
call(COINS.expect, payout=PAYOUT)
call(COINS.rtp, payout=PAYOUT, stake=[0, -1, "x", None, NAN, Opaque()])
call(COINS.sum, n=[*NOT_INTEGERS, -1, 2**70])
for name in "maximum", "minimum":
    call(getattr(COINS, name), {"n": 2}, n=[*NOT_INTEGERS, 0, -1])
call(COINS.truncate, low=[NAN, 7, "x", Opaque()], high=[NAN, -1, "x", Opaque()])
call(COINS.convolve, {"other": COINS}, other=[5, None, "x", Opaque(), [1]])
NO_EVENTS = [5, "x", None, Opaque(), [], {7}, [True], lambda x: False]
call(COINS.given, {"event": {1}}, event=NO_EVENTS)
NO_PARTS = [
    5,
    None,
    "x",
    [],
    [5],
    [(1, 5)],
    [(-1, COINS)],
    [(0, COINS)],
    [("x", COINS)],
    [(NAN, COINS)],
    Opaque(),
]
call(pf.Distribution.mixture, {"parts": [(1, COINS)]}, parts=NO_PARTS)
NO_COUNTS = [5, None, "x", [1, 2], Opaque(), {}, {0: -1}, {0: 0.5}, {0: 0}, {0: None}]
call(pf.Distribution.from_counts, {"counts": {0: 1}}, counts=NO_COUNTS)
NO_DATA = [5, None, "x", Opaque(), {}, {"outcomes": [1]}, {"outcomes": [{"a": 1}], "weights": [1], "data": 1}]
call(pf.Distribution.from_dict, {"data": COINS.to_dict()}, data=NO_DATA)
call(
    COINS.rvs,
    size=["x", -1, 1.5, (2, -1), Opaque(), True],
    rng=["x", -1, 1.5, Opaque(), True],
    random_state=["x", -1, 1.5, Opaque(), True],
)
call(COINS.ppf, {"q": 0.5}, q=["a", None, Opaque(), -0.1, 1.1, NAN, [2], {}])
call(COINS.interval, {"confidence": 0.5}, confidence=["a", None, Opaque(), -0.1, 1.1, NAN])
call(
    pf.Distribution.from_probabilities,
    {"outcomes": [0, 1], "probabilities": [0.5, 0.5]},
    outcomes=[5, [NAN, 1], Opaque(), [1, 0], [1]],
    probabilities=["x", [0.5], [0.5, -0.5], [0.1, 0.1], [NAN, 0.5], Opaque(), 5],
    probability_error=["x", -1, NAN, None, Opaque()],
    cut=["x", -1, NAN, None, Opaque()],
)
call(COINS.entropy, base=["a", Opaque(), 0, 1, -2, NAN, INFINITE, True])
COUNTS = [5, "x", None, Opaque(), [1, 2], [1, -2, 3], [0.5] * 3, [0, 0, 0], {0: -1}, {0: "x"}]
call(COINS.chisquare, counts=COUNTS)
call(COINS.ks, counts=COUNTS)
call(COINS.plot, counts=COUNTS[:2], confidence=["x", None, 0, 1, 2, NAN])
call(COINS.plot_residuals, counts=COUNTS)
call(COINS.plot_survival, outcomes=[[], [0.0], "x", ["x"], Opaque()])
call(COINS.total_variation, other=[5, None, "x", Opaque(), [1]])
call(
    COINS.probability_between,
    {"low": 0, "high": 1},
    low=[NAN, None, "x", Opaque()],
    high=[NAN, None, "x", Opaque()],
)
call(pf.statistics.bias_table, games=[5, "x", [5], [pf.Dice], Opaque()])

# Totals and paths of many bets
MANY = pf.Double().bet({0: 14})
AMOUNTS = ["x", None, NAN, INFINITE, Opaque(), [], True]
GIVEN = {"target": optional(AMOUNTS)}
TIMES = {"rounds": [*optional(NOT_INTEGERS), -1]}
SYSTEMS = [5, "martingale", [], Opaque(), pf.bets.Martingale]
for name in "sum", "maximum", "minimum", "longest_losing_run":
    call(getattr(MANY, name), {"n": 3}, n=[*NOT_INTEGERS, 0, -1])
RIGHT = {"bankroll": 5, "rounds": 3}
call(MANY.ruin, RIGHT, bankroll=AMOUNTS, system=SYSTEMS, **GIVEN, **TIMES)
call(MANY.ruin_time, {"bankroll": 2, "rounds": 3}, bankroll=AMOUNTS, **GIVEN, **TIMES)
call(MANY.bankroll, RIGHT, rounds=[*NOT_INTEGERS, 0, -1], bankroll=AMOUNTS, **GIVEN)
call(MANY.drawdown, {"rounds": 3}, rounds=[*NOT_INTEGERS, 0, -1], unit=[*AMOUNTS, 0, -1])
call(MANY.growth, {"fraction": 0.1}, fraction=["x", Opaque(), -0.1, 1.1, NAN, [0.5, 2]])
STAKES = ["x", None, NAN, INFINITE, Opaque(), [], True, 0, -1]
call(pf.bets.Flat, each=STAKES)
call(pf.bets.Martingale, first=STAKES, factor=STAKES, most=optional(STAKES))
call(pf.bets.Proportional, {"fraction": 0.1}, fraction=["x", None, NAN, Opaque(), [], 0, -1, 2])
call(pf.bets.Proportional(0.1).begin, {"bankroll": Fraction(1)})
for system in pf.bets.Flat(), pf.bets.Martingale(), pf.bets.Proportional(0.1):
    call(system.bet, {"state": Fraction(1)})
    call(system.after, {"state": Fraction(1), "back": Fraction(0)})

# Simulation
for make in MAKES:
    if make is pf.Slot:
        continue
    game = make()
    bet = {"payout": lambda value: 2} | NEEDED.get(game.name, {})
    call(game.bet, bet, payout=[5, None, "x", Opaque()] if make is pf.Double else [], law="law of a bet")
call(
    pf.Slot().bet,
    {"payout": dict.fromkeys(range(30), 2), "reel": 0},
    payout=[5, None, "x", Opaque(), {0: "x"}],
    reel=[5, -1, 0.5, "x", Opaque()],
    law="law of a bet",
)
BANK = {"bankroll": ["x", None, NAN, -1, Opaque()], "bet": ["x", None, NAN, -1, Opaque()]}
call(
    pf.Double().bet({0: 14}).estimate,
    {"rounds": 100},
    rounds=[*NOT_INTEGERS, -1, 0],
    stake=["x", None, 0, -1, NAN, Opaque()],
)
RETURNED = ["x", None, [[0.0]], [0, NAN], ["x"], Opaque()]
DICE_BET = pf.Dice().bet(2, under=49.5)
PAST = {"returns": [0, 2], "stakes": 1, "within": 0}
ALTERNATIVES, CONFIDENCE = KINDS["choice"], KINDS["level"]
TOTAL = ["x", NAN, INFINITE, Opaque(), [1, 2, 3], b"5"]
ROUNDS = [*optional(NOT_INTEGERS), -1]
TOTALS = {"total": 2, "rounds": 3, "stakes": 1, "within": 0}
OF_TOTALS = {"total": TOTAL, "rounds": ROUNDS, "stakes": [-1, NAN, "x", [1, 2], Opaque()]}
BESIDE = {"total": TOTAL, "rounds": ROUNDS}
call(DICE_BET.test, PAST, returns=RETURNED, **BESIDE)
call_as("Bet.test of totals", DICE_BET.test, TOTALS, **OF_TOTALS)
call(DICE_BET.interval, PAST, returns=RETURNED, **BESIDE)
call_as(
    "Bet.interval of totals",
    DICE_BET.interval,
    TOTALS,
    **OF_TOTALS,
)
call(
    DICE_BET.rounds_within,
    {"margin": 0.5, "probability": 0.9},
    margin=["x", None, 0, -1, NAN, [0.1, 0.2], Opaque()],
    probability=CONFIDENCE,
)
TABLE = {"payout": [0, 2], "weight": [1, 1]}
call(
    pf.Distribution.from_table,
    {"source": TABLE, "value": "payout", "weight": "weight"},
    source=[5, None, Opaque(), {}, {"payout": 1, "weight": 1}, {"payout": [], "weight": []}],
    value=[5, None, "no such column", "weight", Opaque(), b"payout"],
    weight=[5, None, "no such column", "payout", Opaque(), b"weight"],
    unit=["x", None, 0, -1, 1.5, NAN, INFINITE, True, Opaque(), []],
)
call(COINS.difference, {"other": COINS}, other=[5, None, [1], "x", Opaque()])
MONEY = ["x", None, 0, -1, "-0.01", NAN, INFINITE, True, 1j, [], Opaque(), "1e99", "1/0"]
call(DICE_BET.rounded, unit=MONEY, stake=MONEY)
call(
    DICE_BET.rtp_by_stake,
    {"stakes": ["0.01", 1]},
    stakes=[5, None, "0.01", [], [0], ["x"], [None], Opaque()],
    unit=MONEY,
)
call(
    DICE_BET.least_stake,
    {"within": "0.01"},
    within=[value for value in MONEY if value not in (INFINITE, "1e99")] + [INFINITE],
    unit=optional(MONEY),
    currency=[5, "XXX", "", Opaque(), SURROGATE],
    lasting=[5, None, "x", Opaque()],
)
call(DICE_BET.rtp_by_stake(["1"]).plot)
call(
    pf.certify,
    {"subject": pf.Double(), "standard": "AGCO 21.1.2", "rounds": 200},
    subject=[5, None, "no such game", Opaque(), pf.Double],
    standard=[5, None, "GLI-19", Opaque(), []],
    log=[5, Opaque(), {"outcome": ["x"]}],
    rounds=[*NOT_INTEGERS, -1, 9],
    level=optional(CONFIDENCE),
)
call(
    pf.identify,
    {"log": {"a": [1]}},
    log=[5, Opaque()],
    repeats="any",
    games=[5, "no.such.module", Opaque(), [5]],
    columns=[5, Opaque(), {"nonce": "no such column"}, {"nonce": 5}],
    constants=[5, Opaque(), {5: 5}, {"salt": None}],
    csv=[5, Opaque(), {"decimal": "x"}],
    seeds=[5, Opaque(), {"server_seed": ["a"]}],
    seeds_by=[5, "a", Opaque()],
    game_column=[5, "b", Opaque()],
    unrevealed=[5, "x", Opaque()],
)
call(
    pf.separating_rounds(pf.operators.duel.Dice(), limit=2).mistakes,
    {"port": pf.operators.duel.Dice().play},
    port=[5, None, "duel.dice", pf.operators.duel.Dice(), Opaque()],
)
call(
    pf.separating_rounds(pf.operators.duel.Dice(), limit=2).to_pytest,
    {"path": "/no/such/folder/test_port.py"},
    path=[5, None, 1.5, Opaque(), [], "/"],
    overwrite=[5, None, "yes", Opaque()],
)
call(
    pf.locate,
    {"outcomes": [1.5, 2.0], "game": "bustabit.v2", "anchor": "ab" * 32, "limit": 100},
    outcomes=[5, None, [], ["x"], [[1.5]], Opaque()],
    game=[5, "no such game", Opaque(), pf.Double(), []],
    anchor=[5, None, "ab", b"ab", Opaque()],
    columns=[5, "x", [1], {5: 5}, Opaque()],  # a list of outcomes has no fields
    anchor_number=[*optional(NOT_INTEGERS), -1],
    threads=[0, -1, "x"],
)
call_as("readings", pf.readings, {"game": pf.Double()}, game="known game")
call(pf.separating_rounds, {"game": pf.Double()}, game="known game", readings=[5, "x", [5], Opaque()])
call(DICE_BET.monitor)
call(DICE_BET.monitor().update, PAST, returns=RETURNED)
call(DICE_BET.power, {"alternative": DICE_BET.after_grinding(2), "n": 10}, n=[*NOT_INTEGERS, 0])
call(
    DICE_BET.rounds_needed,
    {"alternative": DICE_BET.after_grinding(2), "level": 0.01, "power": 0.9},
    alternative=[*ALTERNATIVES, DICE_BET],
    power=CONFIDENCE,
    rtp=[0.5, "x"],
)
call(DICE_BET.tilted, {"rtp": 0.5}, rtp=["x", None, Opaque(), -1, 0, 100, float("nan")])
call(
    DICE_BET.rounds_until_alarm,
    {"alternative": DICE_BET.after_grinding(2), "sets": 2},
    alternative=[*ALTERNATIVES, DICE_BET],
    sets=[*NOT_INTEGERS, 0, 1],
)
call(DICE_BET.after_grinding, salts=[*NOT_INTEGERS, 0], share=["x", None, -1, 2, NAN, Opaque()])
call(DICE_BET.grinding_share, PAST, returns=[*RETURNED, [1.5], []], salts=[*NOT_INTEGERS, 0, 1])
call(
    pf.bets.check_returns,
    PAST | {"bets": [DICE_BET, DICE_BET]},
    bets=[5, None, [5, 5], [DICE_BET], "xy", Opaque()],
    returns=[*RETURNED, [0]],
    **BESIDE,
)
call(pf.Double().bet({0: 14}).simulate, {"rounds": 5})
call(
    pf.Double().bet({0: 14}).returns,
    {"outcomes": [1]},
    outcomes=[15, "x", None, [15], [-1], [0.5], [NAN], [[1]], [[1], [2, 3]], ["x"], Opaque()],
)
call(pf.statistics.avalanche, {"samples": 2}, samples=[*NOT_INTEGERS, 0, -1, 2**70])
for fitted in (pf.statistics.fit_uniform, pf.statistics.fit_buckets):
    call(
        fitted,
        {"outcomes": [1] * 30},
        outcomes=[5, None, "x", [], ["x"] * 30, [NAN] * 30, [-1] * 30, [[1]] * 30, [1] * 3, {}, Opaque()],
    )
call(
    pf.statistics.holm,
    {"pvalues": [0.5]},
    pvalues=[5, "x", ["x"], [NAN], [2], [-1], [[0.5]], {0.5}, Opaque()],
)
call(
    pf.Double().bet({0: 14}).paths,
    {"rounds": 5, "paths": 2},
    paths="small",
    rounds=[*NOT_INTEGERS, -1, 2**62],
    **BANK,
)
PATHS = pf.Double().bet({0: 14}).paths(2, paths=2)
call(
    pf.fairness_report,
    {"data": pf.Double().simulate(200), "game": pf.Double()},
    data=["x", 5, Opaque(), [[1, 2]], [0.5], ["a"] * 200],
    game=[5, "roulette", pf.Double, [], Opaque()],
    level=[*NOT_NUMBERS, NAN, 0, 1, 2, -0.1],
)
PLANNED = {"test": "runs", "game": pf.Double(), "alternative": pf.Double(), "sets": 2}
BAD_PLANS: dict[str, Any] = {
    "test": [5, None, "no such test", Opaque(), []],
    "game": [5, "roulette", pf.Double, [], Opaque()],
    "alternative": [5, "roulette", pf.Double, [], Opaque(), lambda rounds, rng: [1, 2]],
    "level": optional(CONFIDENCE),
    "sets": [*NOT_INTEGERS, 0, -1],
    "seed": "seed",
}
call(pf.statistics.power, PLANNED | {"rounds": 100}, rounds=[*NOT_INTEGERS, -1, 9], **BAD_PLANS)
call(
    pf.statistics.rounds_needed,
    PLANNED | {"alternative": lambda rounds, rng: np.zeros(rounds, np.int64)},
    power=optional(CONFIDENCE),
    **BAD_PLANS,
)
call(
    pf.seeds.random_stream,
    {"out": io.BytesIO(), "numbers": 4},
    numbers=[*optional(NOT_INTEGERS), -1, 2**70],
    width=[*NOT_INTEGERS, 16, -32],
    order=["little", "", 5, None, []],
    server_seed="optional text",
    client_seed="optional text",
)
call(PATHS.plot, most=[-1, 0, "x", None, 1.5])
call(PATHS.quantiles, q=[-1, 2, "x", NAN, [0.5, 2], Opaque()])
call(grinding.grinding_chance, {"chance": "0.5", "salts": 2}, chance="chance", salts=[*NOT_INTEGERS, 0, -1])
GRIND = {"game": pf.Dice(), "payout": lambda x: x < 5, "salts": 2, "rounds": 3}
call(
    grinding.estimate_grinding,
    GRIND,
    payout=[5, "x", None, Opaque(), lambda x: 1, lambda x: ["a"] * len(x)],
    salts="small",
    rounds=[*NOT_INTEGERS, 0, -1, 2**62],
)

# Logs, and the operator's side
DIALECTS = [
    *(5, "x", [1], {"nothing": ","}, {5: 5}, Opaque(), {"decimal": ";"}, {"decimal": 5}, {"separator": "ab"}),
    *({"separator": "a"}, {"separator": ""}, {"thousands": "x"}, {"thousands": ",", "decimal": ","}),
    *({"encoding": "no such"}, {"encoding": "rot13"}, {"encoding": 5}, {"encoding": "undefined"}),
]
TABLES = [5, Opaque(), [5], "no such file.csv", {"a": [1]}]
FORMATS = [5, "x", [1], {"nothing": "epoch"}, {"time": "x"}, {"time": [5]}, {5: 5}, Opaque()]
HISTORIES = {
    "csv": DIALECTS,
    "time_formats": FORMATS,
    "seeds": TABLES,
    "seeds_by": [5, "x", Opaque()],
    "unrevealed": [5, "x", Opaque()],
    "game_column": [5, "x", Opaque(), b"x"],
    "config": [
        *(
            5,
            Opaque(),
            "no such file.toml",
            {"colums": {}},
            {5: "x"},
            {"columns": "x"},
            {"game": 5},
            {"logs": [5]},
        ),
        *(
            {"game": "no such game"},
            {"games": {"x": "dice"}},
            {"games": {"x": 5}, "game_column": "x"},
            {"repeats": 5},
        ),
        *({"game": "dice", "games": {}},),
    ],
}
CHECKED = {"log": [5, None, Opaque(), [5], {"a": 5}], "game": [5, None, "no such game", pf.Dice, Opaque()]}
# Tables that can't be joined with this log.
UNJOINED = [*TABLES, {"server_seed": ["s"]}, {"id": [1], "server_seed": ["s"]}]
HELD = HISTORIES | {"seeds": UNJOINED, "failures": [5, "x", "x.txt", Opaque()]}
call(pf.verify, {"log": LOG, "game": pf.Dice()}, **CHECKED, **HELD)
HELD = HISTORIES | {"log": [*CHECKED["log"], "log.csv"]}
call(pf.check, {"log": LOG, "game": pf.Dice()}, **CHECKED | HELD)
AUDITED: dict[str, Any] = {
    **{name: HISTORIES[name] for name in ("csv", "time_formats", "seeds_by", "unrevealed")},
    "seeds": TABLES[:5],
    "game": CHECKED["game"],
    "bet": [5, "x", pf.Dice(), Opaque()],
    "terminating": [5, "ab" * 32, Opaque()],
    "reveal_times": [5, "x", [1], {5: 5}, {"a": "no time"}, {"a": None}, Opaque()],
}
LOGS = CHECKED["log"]
call(pf.audit, {"log": LOG, "game": pf.Dice()}, log=LOGS, **AUDITED)
call(pf.Auditor, {"game": pf.Dice()}, **AUDITED)
call(pf.Auditor(pf.Dice()).update, {"log": LOG}, log=LOGS)
AUDITOR = pf.Auditor(pf.Dice())
call(AUDITOR.merge, {"later": AUDITOR}, later=[5, None, Opaque(), pf.Auditor(pf.Mines())])
call(pf.Auditor(pf.Dice()).report)
HANDS_LOG = pf.operators.crypto_games.Blackjack().simulate(3, strategy="basic", as_frame="pandas")
call(
    pf.auditing.find_rules,
    {"log": HANDS_LOG, "game": "blackjack"},
    log=LOGS,
    game=[5, None, "no such game", "video-poker", pf.Dice(), pf.Dice, Opaque()],
)
call(pf.audit(LOG, pf.Dice()).to_json)
UNREAD = dict.fromkeys(("columns", "constants", "repeats"), "any")  # they are checked where a log is read
call(pf.Log, {"source": LOG}, **UNREAD)
call(
    pf.Files,
    {"path": "log.csv"},
    path=[5, None, 1.5, Opaque(), [5], {}],
    format=[5, "xls", "", [], Opaque(), ".csv"],
    filesystem=[5, "s3", Opaque(), []],
)
call(
    pf.Query,
    {"sql": "select 1", "database": "sqlite://"},
    sql=[5, None, b"select 1", [], Opaque()],
    database=[5, None, "casino.db", "", [], Opaque()],
)
REPORT = pf.verify(LOG, pf.Dice())
call(REPORT.explain, row=[-1, 10**6, 1.5, "x", Opaque()])
call(REPORT.to_json)
for called, certified in {"VerificationReport": REPORT, "AuditReport": pf.audit(LOG, pf.Dice())}.items():
    call_as(
        f"certificates.write, {called}",
        pf.certificates.write,
        {"report": certified, "path": "/dev/null"},
        report=[5, None, "report", Opaque(), LOG],
        path=[5, None, b"file", [], Opaque()],
        key=[5, b"short", [], Opaque(), __file__],
    )
call_as(
    "certificates.check",
    pf.certificates.check,
    {"path": __file__, "log": LOG},
    path=[5, None, b"file", [], Opaque()],
    key=[5, "00", "zz" * 32, [], Opaque()],
    chain_steps=[*NOT_INTEGERS, 0, -1, 2**70],
    game="any",
)
for name in "text", "to_html", "to_json":
    call(getattr(pf.Dice().explain("s", "c", "x"), name))
for name in "simulate", "tally":
    call(
        getattr(pf_dask, name),
        {"game": pf.Dice(), "rounds": 3},
        rounds=[*NOT_INTEGERS, -1, 2**70],
        chunk=[*NOT_INTEGERS, 0, -1],
    )
call(pf_dask.verify, {"log": "x.csv", "game": pf.Dice()}, game="known game", **HISTORIES)
call(
    pf_dask.watch,
    {"watch": pf.monitoring.Watch(pf.Double().bet({0: 14}), windows=["all"]), "log": "x.csv"},
    watch=[5, None, "x", pf.Dice(), Opaque()],
    name=[5, "", " ", b"x", Opaque()],
    # The name of the column with the games; and seeds have no effect
    **HISTORIES | {"game_column": "any", "seeds": "any"},
)
call(pf_dask.audit, {"log": "x.csv", "game": pf.Dice()}, **AUDITED)

# Cards
call(cards.name, card="card")
call(cards.parse, name=["", "X♣", 5, None, "1h", "AA", SURROGATE, b"Ah", Opaque()])
call(cards.rank, card="real card")
call(cards.suit, card="real card")
call(cards.Hand, cards=[5, None, [None], [1.5], [208], [-2], Opaque()])

# Video poker
PAY = ["x", None, -1, NAN, INFINITE, Opaque(), [], 1j, 10**30]
call(cards.Paytable, **dict.fromkeys(inspect.signature(cards.Paytable).parameters, PAY))
CALLS["cards.Paytable"].kinds.update(
    four_of_a_kind=[*PAY, {}, {"X": 1}, {"A": -1}, {5: 1}, {"A": "x"}],
    minimum_pair=[5, None, "X", "", Opaque(), SURROGATE],
    wild=[5, "X", "", Opaque(), SURROGATE],
    jokers=[1, 2, "x", 0.5, Opaque()],
    **{name: [*PAY[2:], 5, {"A": 1}] for name in ("four_wild", "wild_royal_flush", "five_of_a_kind")},
    sequential_royal_flush=[*PAY[2:], 5, {"h": 9000}],
    reversible=[5, "x", None, True, Opaque()],
)
call_as(
    "Paytable with jokers",
    cards.Paytable,
    {"wild": "joker"},
    jokers=[0, 3, -1, "x", 1.5, Opaque()],
    four_wild=[5, {"A": 1}],
    wild_royal_flush=[*PAY[2:], 10, {"A": 1}],
    five_of_a_kind=[*PAY[2:], 10, {}, {"X": 1}, {"A": 30}, {5: 1}],
)
PAYTABLE = [*KINDS["name"], {"flash": 6}, {"flush": -1}, {5: 5}, {"flush": 5, "Flush": 6}]
PAYTABLE = optional(PAYTABLE)
# An empty list isn't the same as None.
MACHINE = cards.VideoPoker("jacks_or_better")
call(cards.VideoPoker, paytable=PAYTABLE)
call(MACHINE.hold_values, {"hand": [0, 1, 2, 3, 4]}, hand="hand")
call(MACHINE.plot, {"hand": [0, 1, 2, 3, 4]}, hand="hand", most=[-1, 0, 33, "x"])
call(MACHINE.best_hold, {"hand": [0, 1, 2, 3, 4]}, hand="hand")
TEN = [5, None, "J♣", [1, 2, 3], [1] * 10, [*range(9), 52], [0.5] * 10, Opaque(), [[1] * 10]]
call(MACHINE.settle, {"cards": list(range(10)), "hold": [1]}, cards=TEN)
call(MACHINE.with_jackpot, royal_flush=["x", None, -1, NAN, Opaque()])
call(MACHINE.break_even, exact=[])
call(MACHINE.paytable.with_royal_flush, royal_flush=["x", None, -1, NAN, Opaque(), {}])
call(MACHINE.analyze().multi_hand_variance, {"hands": 2}, hands=[*NOT_INTEGERS, 0, -1], exact=[])
call(MACHINE.analyze().multi_hand_law, {"hands": 2}, hands=[*NOT_INTEGERS, 0, -1, 11])
call(MACHINE.find_rules, {"most": 2}, most=[*NOT_INTEGERS, 0, -1, 61])
call(MACHINE.analyze, strategy=[5, "no such", [1], Opaque()], mistakes=[*NOT_INTEGERS, -1])

# Blackjack
RULE = [5, None, "no such", "", Opaque(), SURROGATE, []]
FLAG = ["yes", None, 5, Opaque()]
DECKS = [0, 17, 1.5, "4", True, Opaque(), 2**70, -INFINITE, NAN]
call(
    cards.Rules,
    decks=DECKS,
    soft_17=RULE,
    hole_card=RULE,
    blackjack_pays=["x", None, -1, NAN, INFINITE, Opaque(), 10**30],
    double=RULE,
    double_after_split=FLAG,
    split_hands=[0, 5, 1.5, "2", "5 A", "2 11", "2 9-3", None, True, SURROGATE],
    split_aces=RULE,
    resplit_aces=FLAG,
    ten_ace_after_split=RULE,
    surrender=RULE,
    double_cards=RULE,
    charlie=[0, 2, 11, 1.5, "5", True, Opaque()],
    dealer_22=RULE,
    split_unlike_tens=FLAG,
    surrender_after_split=FLAG,
    insurance=FLAG,
    even_money=FLAG,
)
FELT = cards.Blackjack(decks=4)
call(cards.Blackjack, rules=[5, None, "x", cards.Rules, Opaque()], decks=DECKS)
DEALT = [5, None, [], [1], [1, 2, 3, 300], [0.5] * 4, "XX", [None] * 4, Opaque()]
call(FELT.settle, {"cards": [9, 10, 8, 7, 6, 5], "actions": ["stand"]}, cards=DEALT)
STRATEGY = [5, None, "no such", [1], Opaque()]
call(FELT.side_bet, {"payout": "pairs"}, payout=["x", 5, None, Opaque()], cards=[0, 4, "x"])
COMPOSITION = [
    5,
    "A",
    {"A": -1},
    {"A": 1.5},
    {"1": 4},
    {5: "x"},
    {"A": 10},
    {},
    {"K": 10**9},
    [4] * 13,
    Opaque(),
]
call(FELT.analyze, strategy=STRATEGY, shoe=COMPOSITION)
call(FELT.removal_effects, strategy=STRATEGY)
call(FELT.insurance_bet, cards=[5, [300], "XX", [-1], [0.5], Opaque()])
CELLS = [5, "x", [1], {5: "x"}, {99: "SSSSSSSSSS"}, {5: ["stand"]}, {5: 5}, Opaque()]
call(cards.Chart, hard=CELLS, soft=CELLS, pairs=CELLS)
call(
    cards.Shoe,
    decks=[*optional(NOT_INTEGERS), 0, 17, 2**70],
    cards=[*NOT_INTEGERS, 0, -1, 10**4],
)
call(
    cards.Shoe(decks=4).simulate_shoes,
    {"shoes": 3},
    shoes=[*NOT_INTEGERS, -1],
    penetration=["x", None, 0, -1, 1.5, NAN, True, Opaque()],
    strategy=[*STRATEGY, lambda decision: "stand"],
    stake=["x", None, 0, -1, NAN, True, Opaque(), lambda running, decks: running[:1]],
    tags=[5, None, "x", {"1": 1}, {"A": "x"}, {"A": NAN}, {"A": True}, Opaque()],
)

# Deals
STRATEGY = STRATEGY[:1] + STRATEGY[2:]  # None means not given
HOLDS = ["x", 5, ["x"], [5], Opaque()]
PUBLISHED = [5, Opaque(), SURROGATE]
OWN = pf.operators.stake.VideoPoker().with_table(cards.VideoPoker("deuces_wild"))
ANY_NONCE = [1.5, True, Opaque(), SURROGATE]
call(crypto_games.VideoPoker)
call(crypto_games.Blackjack, cards=[*NOT_INTEGERS, 0, -1, 209])
for name, deal, table, strategies in (
    ("VideoPoker", POKER, MACHINE, HOLDS),
    ("stake.VideoPoker", OWN, MACHINE, HOLDS),
    ("Blackjack", BLACKJACK, FELT, STRATEGY),
):
    right = ONE_ROUND if name.startswith("stake") else SEEDS
    chosen = {deal.kind.choice: "hold" if strategies is HOLDS else "actions"}
    given: dict[str, Any] = {"server_seed": "text", "client_seed": "text", "hash": []}
    if right is SEEDS:
        given["nonce"] = ANY_NONCE
    by_hash = {"hash": "hex hash"} if right is SEEDS else {}
    call_as(f"{name}.play", deal.play, right, **given | {"server_seed": "seeds", "client_seed": "seeds"})
    for method in "replay", "explain":
        other = {"commitment": PUBLISHED} if method == "explain" else {"strategy": strategies}
        call_as(f"{name}.{method}", getattr(deal, method), right, **given, **chosen, **other)
    if by_hash:
        for method in "play", "replay", "explain":
            call_as(f"{name}.{method} of a hash", getattr(deal, method), {"hash": "ab" * 64}, **by_hash)
    call_as(
        f"{name}.with_table",
        deal.with_table,
        {"table": table},
        table=[
            5,
            None,
            "x",
            Opaque(),
            cards.Rules(),
            cards.VideoPoker,
            FELT if table is MACHINE else MACHINE,
        ],
    )
    call_as(
        f"{name}.with_scheme",
        deal.with_scheme,
        {"scheme": pf.operators.stake.SCHEME},
        scheme=[5, None, "x", pf.Scheme(pf.Hash("sha1", "{server_seed}"), bits=32), Opaque()],
    )
    law = ["x", 5, Opaque(), *(["as_drawn"] if right is ONE_ROUND else [])]
    call_as(f"{name}.bet", deal.bet, {}, payout="any", strategy=strategies, law=law)
    for method, rounds in ("simulate", "rounds"), ("tally", "tallied rounds"):
        call_as(
            f"{name}.{method}",
            getattr(deal, method),
            {"rounds": 3, "strategy": "optimal"},
            rounds=rounds,
            strategy=strategies,
            **({"shoes": RULE[:1] + RULE[2:]} if deal is BLACKJACK else {}),
            server_seed="optional text",
            client_seed="optional text",
            threads="threads",
            seed="seed",
            start="start",
        )
NO_CARD = [1.5, "x", Opaque(), -1, 10**6]
for deal in POKER, BLACKJACK, cards.Shoe(decks=4):
    call(deal.distribution, {"card": 0}, card=NO_CARD, dealt="any", of="any")
    call(
        deal.observe,
        {"outcomes": deal.simulate(2), "card": 0},
        outcomes=NO_OUTCOMES,
        card=NO_CARD,
        dealt="any",
        of="any",
    )

# FPClub
HASH_FACTS = {name: [*NOT_INTEGERS, -1] for name in ("length", "game", "ws", "bs")}
FACES = [0, 7, -1, 1.5, None, "x", [[1, 7]], np.array([1.0]), Opaque(), SURROGATE, [1, None], {}]
call(fpclub.combine, {"first": 1, "second": 2}, first=FACES, second=[*FACES, True])
DICE = [5, None, "7", "0", "x", [7], [[1.5]], Opaque(), SURROGATE, b"\xff", {}]
call_as(
    "fpclub.Dice.bet",
    fpclub.Dice().bet,
    {"payout": {11: 2}, "of": "pair"},
    payout=[5, None, "x"],
    of=["x", 5],
    law="law of a bet",
)
call_as(
    "fairness_report, dice",
    pf.fairness_report,
    {"data": "1234" * 9, "game": fpclub.Dice()},
    data=[*DICE, [HASHED, "x"], [None]],
    game=[fpclub],
)
FILES = [5.5, None, Opaque(), []]
call(fpclub.load_log, path=FILES)
call(fpclub.Combined, {"first": "12", "second": "34"}, first=DICE[1:], second=[*DICE, "123"])
call(fpclub.Combined("12", "34").differences, throws=[*DICE, "123"])
call(fpclub.HashedDice, {"digits": "12"}, digits=[*DICE[1:], ""], hash="hash name")
call(
    fpclub.HashedDice.generate,
    dice=[*NOT_INTEGERS, 0, 1, 3, -2, 2**70],
    rng=["x", 1.5, -1, Opaque()],
    hash="hash name",
)
call(
    HASHED.check,
    {"expected": HASHED.hash},
    expected=[5, None, "", "xyz", "ab" * 15, SURROGATE, Opaque(), b"ab"],
)
call(HASHED.record, **HASH_FACTS)
call(fpclub.Record, properties=[5, None, "x", (), (("DS",),), (("DS", (5,)),), ((5, ("1",)),), Opaque()])
call(HASHED.record().check, longest_searched=[*NOT_INTEGERS, -1])
COMBINED = fpclub.Combined("31", "45")
call(COMBINED.explain, {"throws": "16"}, throws=[5, "7", "1", [1], Opaque(), SURROGATE])
call(
    fpclub.HashedDice("12").explain,
    {"expected": "0" * 32},
    expected=[5, "zz" * 16, "ab", Opaque(), SURROGATE],
)
call(fpclub.parse_log, text=[5, None, [], Opaque(), "no log", b"\xff\xfe\x00", SURROGATE])
call(fpclub.write_log, records=[5, None, [5], "x", Opaque()])
call(
    fpclub.combined_law,
    {"first": [1] * 6},
    first=[5, "x", [1], [-1] * 6, [0] * 6, [0.5] * 6, Opaque(), None],
    second=[5, "x", [1], [-1] * 6, [0] * 6, [0.5] * 6, [[1] * 6] * 6, Opaque()],
)

# Objects made by the package, or without constraints of their own, which have constructors nevertheless.
UNCHECKED = {
    *("AuditReport", "Bet", "BlackjackRounds", "Finding", "FindingKind", "FreeSpins", "Monitor", "PValue"),
    *("PokerRounds", "PokerRules", "Walkthrough", "Draw", "Note", "Part", "Shuffle", "Skip"),
    *("LogError", "UnlistedLawError", "UnreachedHashError", "VerificationError"),
}


def bad_arguments(label: str) -> list[tuple[str, object]]:
    """Each argument of a call with each of its bad values."""
    kinds = CALLS[label].kinds
    return [
        (argument, value)
        for argument, kind in kinds.items()
        for value in (KINDS[kind] if isinstance(kind, str) else kind)
    ]


TABLE = [(label, argument, value) for label in CALLS for argument, value in bad_arguments(label)]


def shown(value: object) -> str:
    """A safe representation of any value, for messages."""
    return f"{type(value).__name__} {value!a:.80}"


def wrong(label: str, argument: str, value: object) -> str | None:
    """The defect in the response to a bad argument, if any."""
    function, right, _ = CALLS[label]
    try:
        answer = function(**(right | {argument: value}))
    except DOCUMENTED as error:
        if isinstance(error, MemoryError) and "memory" in str(error):
            return None
        told = getattr(error, "argument", argument)
        # Mistakes in a config are reported by key; for two incompatible arguments either may be named.
        right_one = told == argument or argument == "config" or told in CALLS[label].kinds
        if not right_one or not re.search(rf"\b({argument}|{told})\b", str(error)):
            return f"{argument} = {shown(value)} isn't named but {told!r}: {error!r:.200}"
        if isinstance(error, (TypeError, ValueError)) and not isinstance(error, ArgumentError):
            return f"{argument} = {shown(value)} isn't told as data: {error!r:.200}"
        row = getattr(error, "row", None)
        if row is not None and not re.search(rf"(\[|row ){row}\b", str(error)):
            return f"{argument} = {shown(value)} has no row {row}: {error!r:.200}"
        return None
    except Exception as error:
        return f"{argument} = {shown(value)} raises {error!r:.200}"
    return f"{argument} = {shown(value)} is taken: {shown(answer)}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("label", CALLS)
def test_bad_arguments_are_refused_by_name(label):
    found = [fault for argument, value in bad_arguments(label) if (fault := wrong(label, argument, value))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("label", CALLS)
def test_arguments_of_another_name(label):
    function, right, _ = CALLS[label]
    with pytest.raises((TypeError, ValueError), match="no_such_argument"):
        function(**right, no_such_argument=1)


def test_the_size_of_the_table(record_property):
    record_property("rows", len(TABLE))
    print(f"{len(TABLE)} rows: {len(CALLS)} functions and methods")
    assert len(TABLE) > 5500


def with_arguments(function: object) -> bool:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    return any(p.kind is not p.VAR_KEYWORD for p in parameters)


def is_checked(cls: type) -> bool:
    """Whether a class has code where its objects are made; other results only hold what they are given."""
    if issubclass(cls, tuple):
        return False
    own = {name for base in cls.__mro__ if base.__module__.startswith("provably_fair") for name in vars(base)}
    made = "__dataclass_params__" in vars(cls) and cls.__dataclass_params__.init and type(cls) is type
    return not made or bool(own & {"__new__", "__post_init__"})


def public_calls() -> set[str]:
    """All public functions, classes and methods with arguments, under their names in `CALLS`."""
    found = set()
    for module in MODULES:
        room = module.__name__.rpartition(".")[2]
        prefix = f"{room}." if room in ROOMS else ""
        for name in module.__all__:
            value = getattr(module, name)
            if not inspect.isclass(value):
                if callable(value) and with_arguments(value):
                    found.add(prefix + name)
                continue
            if name not in UNCHECKED and is_checked(value) and with_arguments(value):
                found.add(prefix + name)
            for method in vars(value):
                if not method.startswith("_") and callable(getattr(value, method)):
                    bound = list(inspect.signature(getattr(value, method)).parameters)
                    if bound if isinstance(vars(value)[method], classmethod) else bound[1:]:
                        found.add(f"{prefix}{name}.{method}")
    return found


def test_every_public_call_is_in_the_table():
    # Classes for authors of games, deals and bets, whose own games and systems are in the table.
    for_authors = {"BettingSystem", "Deal", "Draws", "Game", "Kind", "Pack", "Program", "Table"}
    tables = {
        f"cards.{table}.{name}" for table in ("Blackjack", "VideoPoker") for name in Table.__abstractmethods__
    }
    unchecked = {
        *(f"Distribution.{name}" for name in ("bias", "mean", "median", "var", "std", "skew", "kurtosis")),
        *("cards.Hand.of_numbers", "cards.Hand.some", "cards.PokerRounds.numbered", "cards.Shoe.house_table"),
        *(
            "FreeSpins.mean",
            "FreeSpins.simulate",
            "FreeSpins.var",
            "Draw.working",
            "VerificationReport.cells",
        ),
        *("Bet.draw", "Bet.without_law", "Bet.on_values", "AuditReport.explain", "SeparatingRounds.to_json"),
        *("FairnessReport.plot", "Walkthrough.plot", "cards.BlackjackAnalysis.plot"),
        *("Choice", "Range", "function_of", "program_of", "rounds_of"),
    }
    left = public_calls() - CALLS.keys() - unchecked - tables
    assert not {
        label
        for label in left
        if label.split(".")[-2:][0] not in for_authors and not label.endswith(".outcome")
    }
