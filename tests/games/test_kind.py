"""Kinds as values: what a class states follows into signatures, documentation, faces, pickles and errors."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from folders import PYTHON
from provably_fair.games import faces, kinds
from provably_fair.operators import stake
from provably_fair.operators.registry import all_games

ROOM = PYTHON / "provably_fair" / "games"
KINDS = {
    "BoardGame": kinds.board(25),
    "DiceGame": kinds.dice(0, 10),
    "MultiplierGame": kinds.multiplier(),
    "WheelGame": kinds.wheel(10),
    "SampleGame": kinds.sample(10, 2),
    "PegsGame": kinds.pegs(8),
    "TowerGame": kinds.tower(9, 4, 1),
}
OWN = (stake.Drill, stake.Keno, stake.Plinko, stake.Snakes, stake.Wheel, pf.Jackpot, pf.Slot)
"""Games that may be asked other questions than those of a face."""
KINDS_OF = KINDS | {cls.__name__: cls.kind for cls in OWN}
METHODS = ("distribution", "observe", "bet")
STUBS = {
    (cls.name, one.name): one
    for path in (ROOM / "faces.py", *sorted((PYTHON / "provably_fair" / "operators").rglob("*.py")))
    for cls in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(cls, ast.ClassDef)
    for part in cls.body
    if isinstance(part, ast.If)
    for one in part.body
    if isinstance(one, ast.FunctionDef) and one.name in METHODS
}


def test_every_face_has_its_kind():
    assert set(faces.__all__) == KINDS.keys()
    assert STUBS.keys() == {(name, method) for name in KINDS_OF for method in METHODS}


@pytest.mark.parametrize(("face", "method"), STUBS, ids=".".join)
def test_faces_say_what_kinds_may_be_asked(face, method):
    """The signatures in the source, which type checkers read, equal those at run time."""
    made = type("Made", (pf.Game,), {"kind": KINDS_OF[face], "outcome": lambda self, draws: draws.below(2)})
    runs = inspect.signature(getattr(made, method)).parameters.values()
    stub = STUBS[face, method].args
    read = [(arg.arg, ast.unparse(arg.annotation)) for arg in stub.kwonlyargs if arg.annotation]
    defaults = [ast.unparse(one) for one in stub.kw_defaults if one is not None]
    named = [one for one in runs if one.kind is one.KEYWORD_ONLY]
    if face in KINDS:
        assert [(one.name, one.annotation.strip("'")) for one in named] == read
    assert [one.name for one in named] == [name for name, _ in read]
    assert [repr(one.default) for one in named] == [text.replace('"', "'") for text in defaults]
    assert [one.name for one in runs if one.kind is not one.KEYWORD_ONLY] == [arg.arg for arg in stub.args]


class Bombs(pf.games.faces.BoardGame):
    """A custom board."""

    mines: int = pf.games.Range(1, 8, default=2)
    kind = kinds.board(9, count="mines")

    def outcome(self, draws):
        return draws.sample(9, self.mines)


def test_a_game_of_ones_own_states_a_kind():
    game = Bombs()
    assert game.distribution(reveals=3).mean(exact=True) == Fraction(2, 3)
    assert game.survival(3, exact=True) == Fraction(6 * 5, 9 * 8)
    assert game.bet(2, reveals=3, law="ideal").exact_rtp == 2 * Fraction(5, 12)
    assert not game.ordered
    assert game.kind.facts == {"cells": 9, "first": 0}
    assert game.kind.shape == (2,) == game.shape
    assert Bombs(5).kind.shape == (5,)
    assert [*inspect.signature(Bombs.bet).parameters][1:] == ["payout", "law", "cells", "reveals", "of"]
    assert "reveals : int" in inspect.getdoc(Bombs.observe)
    with pytest.raises(TypeError, match=r"Bombs has no option 'revealz': did you mean reveals\?"):
        game.distribution(revealz=3)
    with pytest.raises(ValueError, match=r"reveals must be from 0 to 9, got 10"):
        game.bet(2, reveals=10)


def test_what_a_kind_states_is_not_found_by_trial_rounds():
    asked = []

    class Watched(Bombs):
        def outcome(self, draws):
            asked.append(draws.rounds)
            return super().outcome(draws)

    game = Watched(3)
    assert (game.shape, game.dtype) == ((3,), np.int64)
    assert not asked
    game.play("server", "client", "salt")
    assert asked == [1]


def test_what_a_kind_states_is_held_to():
    class Wrong(pf.Game):
        kind = kinds.sample(10, 3)

        def outcome(self, draws):
            return draws.sample(10, 2)

    with pytest.raises(ValueError, match=r"must return outcomes of the shape \(3,\) that the class states"):
        Wrong().play("server", "client", "salt")
    wrong = type(
        "Wrong", (pf.Game,), {"kind": kinds.wheel("segmnts"), "outcome": lambda self, draws: draws.below(3)}
    )
    with pytest.raises(ValueError, match=r"^Wrong.kind must name an attribute of Wrong, got 'segmnts'"):
        wrong().bet(2, sectors=1)
    with pytest.raises(TypeError, match=r"^Untrue.kind must be a Kind, got str"):
        type("Untrue", (pf.Game,), {"kind": "board", "outcome": lambda self, draws: draws.below(2)})


def test_kinds_survive_pickling():
    cloudpickle = pytest.importorskip("cloudpickle")
    game = pickle.loads(pickle.dumps(stake.Wheel(30)))
    assert game.kind.facts == {"sectors": 30}

    class Coin(pf.Game):
        """A class that only this function knows."""

        sides: int = 2
        kind = kinds.wheel("sides")

        def outcome(self, draws):
            return draws.below(self.sides)

    other = pickle.loads(cloudpickle.dumps(Coin(3)))
    assert other.kind.facts == {"sectors": 3}
    assert other.distribution(sectors=[0]).mean(exact=True) == Fraction(1, 3)
    assert list(inspect.signature(type(other).bet).parameters)[-2:] == ["sectors", "of"]


MADE = [*pf.operators.salted.GAMES.values(), *all_games().values()]


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.name)
def test_every_kind_is_a_value(made):
    for kind in (made.kind, made().kind):
        assert pickle.loads(pickle.dumps(kind)) == kind


def test_kinds_compose():
    class Crates(pf.games.IndependentGame):
        """Three multipliers; a bet is on one of them."""

        kind = kinds.independent(kinds.multiplier(), 3, name="crate", asked=True)

        def part(self, draws, place):
            return (draws.below(4) + 1) / 1.0

    bet = Crates().bet(cash_out=2, crate=1, law="ideal")
    assert bet.exact_rtp == 2 * Fraction(3, 4)
    assert Crates().kind.needs == "cash_out"
    with pytest.raises(ValueError, match="crate must be from 0 to 2, got 3"):
        Crates().bet(cash_out=2, crate=3)


@pytest.mark.parametrize("game", [pf.Dice(), stake.Dice(), pf.Crash(), stake.Crash()], ids=repr)
def test_a_game_is_small(game):
    names = dir(game)
    assert sum(not name.startswith("_") for name in names) <= 24
    assert sum(name.startswith("_") and not name.startswith("__") for name in names) <= 18


def test_the_room_is_read_in_one_go():
    for file in ROOM.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 700, file.name
        assert not re.search(r"^(?:import|from) re\b", text, re.MULTILINE), file.name
