"""The rules of the ten games in Python are those of the engine, which plays them."""

from __future__ import annotations

import ast
import inspect
import itertools
import json
import math
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from comparing import same
from folders import VECTORS
from oracles import salted as reference
from provably_fair.games import EngineGame
from provably_fair.games.draws import Answers
from provably_fair.games.parameters import parameters_of
from provably_fair.games.rounds import rounds_of
from provably_fair.names import parse_game
from test_value_stability import SEEDS

CLASSES = tuple(pf.operators.salted.GAMES.values())
ROUNDS, MANY = 10_000, 100_000
ALL_VALUES = 24
"""A parameter of at most so many values is tried with all of them."""


class Rule(pf.Game):
    """A game of the catalog whose rounds are played in Python, by its class's rule."""

    game: pf.Game

    def outcome(self, draws: Any) -> Any:
        return self.game.outcome(draws)


def ruled(game: pf.Game) -> pf.Game:
    return Rule(game).with_scheme(game.scheme)


def games() -> Iterator[pf.Game]:
    """Yield every game with its default, least and largest parameters, each with those of the others."""
    for make in CLASSES:
        values = []
        for limits in parameters_of(make).values():
            count = limits.most - limits.least + 1
            some = range(limits.least, limits.most + 1) if count <= ALL_VALUES else ()
            values.append(sorted({limits.least, limits.default, limits.most, *some}))
        yield from (make(*chosen) for chosen in itertools.product(*values))


GAMES = list(games())
HASHED = pf.Hash("sha256", "{client_seed}:{salt}:{cursor}", key="{server_seed}")
OTHERS = [
    pf.Scheme(HASHED, bits=bits, below=below, **more)
    for bits, below, more in [
        (64, "reject", {"words": 3}),  # digests that end within a ball, a spin and a row
        (32, "scale", {}),
        (52, "multiply", {"digits": None}),
        (32, "modulo", {"words": 1}),
        (32, "reject_last", {}),
        (32, "nearest", {}),
        (32, "digest", {}),
        (32, "double", {}),
    ]
]

each_class = pytest.mark.parametrize("make", CLASSES, ids=lambda make: make.name)
each_game = pytest.mark.parametrize("game", GAMES, ids=repr)


def compare(game: pf.Game, rounds: int, seed: str) -> None:
    """Play rounds of the same seeds by the engine and by the rule; fewer if each has many values."""
    rounds //= 20 if math.prod(game.shape) > 50 else 1
    server, client = (reference.sha256_hex(f"{seed}:{name}") for name in ("server", "client"))
    fields = {"seed": seed, "server_seed": server, "client_seed": client}
    for first in range(0, rounds, ROUNDS):
        now = min(ROUNDS, rounds - first)
        found = ruled(game).simulate(now, start=first, **fields)
        expected = game.simulate(now, start=first, **fields)
        same(found, expected)
        assert found.tobytes() == expected.tobytes()


# ---- random rounds ----


@each_game
def test_a_rule_is_the_engines(game):
    compare(game, ROUNDS, "rules")


@pytest.mark.thorough
@each_game
def test_a_rule_is_the_engines_in_many_rounds(game):
    compare(game, MANY, "many rules")


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("scheme", OTHERS, ids=lambda scheme: scheme.below)
@each_class
def test_a_rule_is_the_engines_under_another_scheme(make, scheme):
    compare(make().with_scheme(scheme), ROUNDS, "other rules")


@pytest.mark.thorough
@each_game
def test_a_rule_is_the_engines_under_another_scheme_in_many_rounds(game):
    compare(game.with_scheme(OTHERS[0]), MANY, "many other rules")


# ---- kept rounds ----


def test_rules_give_the_oracles_rounds():
    tried = set()
    for line in (VECTORS / "oracle_salted.tsv").read_text(encoding="utf-8").splitlines():
        kind, name, *rest = line.split("\t")
        if kind not in ("round", "series"):
            continue
        game = pf.operators.salted.GAMES[name](*map(int, filter(None, rest[0].split(","))))
        seeds = rest[1:4] if kind == "round" else ("server", "client", reference.salts(40))
        found = ruled(game).play(*seeds)
        unit = 10**game.decimals
        assert (np.ravel(found) * unit).round().astype(int).tolist() == [int(x) for x in rest[-1].split(",")]
        tried.add(name)
    assert tried == set(pf.operators.salted.GAMES)


# Of this package's own games: those of operators have a point in their names.
KEPT = [path for path in sorted((VECTORS / "rounds").glob("*.json")) if "." not in path.stem]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_rule_gives_the_rounds_of_ports(path):
    """Among them are rounds of constructed digests, next to changes of the outcome."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    rule = ruled(parse_game(kept["game"]))
    for one in kept["rounds"]:
        seeds = one["fields"] if "fields" in one else {"digests": one["digests"]}
        assert pf.readings.play_round(rule, seeds).tolist() == one["outcome"]


def test_ports_have_rounds_of_every_game():
    assert {path.stem.partition("-")[0] for path in KEPT} == set(pf.operators.salted.GAMES)


# ---- every answer ----


class Every(Answers):
    """Draws of a round for each answer of its one draw."""

    def answer_below(self, n: Any) -> np.ndarray:
        self.rounds = n
        return np.arange(n)

    def answer_number(self) -> np.ndarray:
        raise NotImplementedError


@pytest.mark.parametrize("make", [pf.Crash, pf.Overgo])
def test_every_step_of_a_multiplier(make):
    """Two steps of Crash and seven of Overgo are rounded otherwise by `numpy.round`."""
    hundredths, _ = rounds_of(make()).engine.steps()
    assert len(hundredths) == 1_000_000
    same(make().outcome(Every()), hundredths / 100)


@pytest.mark.parametrize("make", [pf.Dice, pf.Double, pf.X50, pf.Jackpot])
def test_every_answer_of_a_draw(make):
    same(make().outcome(Every()), np.array(make().distribution().outcomes))


# ---- what a rule is ----


@each_class
def test_a_rule_can_be_traced(make):
    """It only calls functions of values: it has no branch, no store into an array, no number of rounds."""
    rule = ast.parse(textwrap.dedent(inspect.getsource(make.outcome)))
    branches = ast.If | ast.IfExp | ast.While | ast.Compare | ast.BoolOp | ast.Assert
    for node in ast.walk(rule):
        assert not isinstance(node, branches)
        assert not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store))
        assert not (isinstance(node, ast.Attribute) and node.attr == "rounds")


@each_class
def test_help_shows_the_rule(make):
    shown = re.findall(r"``(.+?)``", make.outcome.__doc__)
    statements = inspect.getsource(make.outcome).split('"""')[2].strip()
    assert shown
    assert all(one in statements for one in shown)
    if "\n" not in statements:
        assert statements == f"return {shown[0]}"


def test_a_class_without_a_rule_asks_the_engine():
    class Board(EngineGame, catalog="mines"):
        mines: int = 3

    class Least:
        def below(self, n):
            return 0

        def skip(self, count):
            assert count == 21

    board = Board()
    assert (board.vectorized, pf.Mines().vectorized) == (False, True)
    assert board.outcome(Least()).tolist() == [0, 1, 2]
    assert board.explain(*SEEDS).steps == pf.Mines().explain(*SEEDS).steps
