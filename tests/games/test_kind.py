"""Kinds of games: what a class states follows into questions, documentation, pickles and errors."""

from __future__ import annotations

import inspect
import pickle
import re
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from folders import PYTHON
from provably_fair.games import kinds
from provably_fair.games.kind import questions_of
from provably_fair.operators import stake
from provably_fair.operators.registry import all_games

ROOM = PYTHON / "provably_fair" / "games"
MADE = [*pf.operators.salted.GAMES.values(), *all_games().values()]
each_class = pytest.mark.parametrize("made", MADE, ids=lambda made: made.name)


def named(function):
    """Return what a function takes by name alone, with the annotation and the default."""
    taken = inspect.signature(function).parameters.values()
    return {one.name: (one.annotation, one.default) for one in taken if one.kind is one.KEYWORD_ONLY}


def test_every_base_has_games():
    bases = {base for made in MADE for base in made.__mro__}
    assert {getattr(kinds, name) for name in kinds.__all__} <= bases


@each_class
def test_methods_have_the_questions_as_arguments(made):
    asked = named(made.distribution)
    assert [*questions_of(made)] == [*asked]
    assert inspect.signature(made().kind.view).bind(**asked)
    for method in made.observe, made.bet, made.tally:
        if method not in (pf.Game.bet, pf.games.Deal.bet, pf.games.Deal.tally):  # of any kind, or any table
            assert asked.items() - named(method).items() <= {("payout", asked.get("payout"))}
    documented = re.findall(r"^(\w+) : ", inspect.getdoc(made.distribution), re.MULTILINE)
    assert documented[: len(asked) + 1] == ["law", *asked]
    for name in "distribution", "observe", "bet", "tally":
        assert ">>> " in inspect.getdoc(getattr(made, name))


@each_class
def test_every_kind_is_a_value(made):
    kind = made().kind
    assert pickle.loads(pickle.dumps(kind)) == kind


class Board(kinds.BoardGame):
    def outcome(self, draws):
        return draws.sample(9, 2)


class OfAttribute(Board):
    cells = 9


class OfParameter(Board):
    cells: int


class OfDefault(Board):
    cells: int = 9


class OfProperty(Board):
    side: int = 3

    @property
    def cells(self):
        return self.side**2


@pytest.mark.parametrize("game", [OfAttribute(), OfParameter(9), OfDefault(), OfProperty()], ids=repr)
def test_a_class_states_the_facts_of_its_kind(game):
    assert (game.kind.cells, game.kind.first) == (9, 0)
    assert game.kind.bounds() == (0, 8)
    assert game.distribution(reveals=3).mean(exact=True) == Fraction(2, 3)
    assert game.survival(3, exact=True) == Fraction(6 * 5, 9 * 8)
    assert game.bet(2, reveals=3, law="ideal").exact_rtp == 2 * Fraction(5, 12)
    assert not game.ordered
    for call in game.distribution, lambda **asked: game.observe([[0, 1]], **asked), game.bet:
        with pytest.raises(TypeError, match=r"has no option 'revealz': did you mean reveals\?"):
            call(revealz=3)
    with pytest.raises(ValueError, match=r"reveals must be from 0 to 9, got 10"):
        game.bet(2, reveals=10)


def test_facts_of_few_bits_are_plain_integers():
    class Small(OfAttribute):
        cells, first = np.uint8(9), np.int8(0)

    assert {type(Small().kind.cells), type(Small().kind.first)} == {int}


def test_a_fact_that_no_class_states_is_named():
    with pytest.raises(TypeError, match=r"^Board.cells must be stated, the number of cells$"):
        Board().distribution(reveals=3)
    with pytest.raises(TypeError, match=r"^cells must be given: OfParameter has the parameters cells$"):
        OfParameter()
    with pytest.raises(TypeError, match=r"^OfAttribute has no parameters, got 'cells'"):
        OfAttribute(cells=9)


def test_what_a_class_states_is_held_to():
    class Wrong(OfAttribute):
        shape = (3,)

    with pytest.raises(ValueError, match=r"must return outcomes of the shape \(3,\) that the class states"):
        Wrong().play("server", "client", "salt")


def test_kinds_survive_pickling():
    cloudpickle = pytest.importorskip("cloudpickle")
    assert pickle.loads(pickle.dumps(stake.Wheel(30))).kind.sectors == 30

    class Coin(kinds.WheelGame):
        """A class that only this function knows."""

        sectors: int = 2

        def outcome(self, draws):
            return draws.below(self.sectors)

    other = pickle.loads(cloudpickle.dumps(Coin(3)))
    assert other.kind.sectors == 3
    assert other.distribution(sectors=[0]).mean(exact=True) == Fraction(1, 3)


@pytest.mark.parametrize("game", [pf.Dice(), stake.Dice(), pf.Crash(), stake.Crash()], ids=repr)
def test_a_game_is_small(game):
    names = dir(game)
    assert sum(not name.startswith("_") for name in names) <= 24
    assert sum(name.startswith("_") and not name.startswith("__") for name in names) <= 18


def test_the_room_is_read_in_one_go():
    for file in ROOM.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 700, file.name
        assert not re.search(r"^(?:import|from) re\b", text, re.MULTILINE), file.name


def test_what_a_rule_of_its_own_takes_is_asked_without_the_questions_of_the_kind():
    class Paid(OfAttribute):
        def pays(self, outcomes, *, stake=1):
            return stake * (outcomes == 0).any(axis=1)

    assert Paid().bet(stake=3, law="ideal").exact_rtp == 3 * Fraction(2, 9)
    for asked, other in [({"reveals": 3}, "reveals"), ({"payout": 2}, "payout"), ({"of": len}, "of")]:
        with pytest.raises(TypeError, match=f"^stake isn't supported with {other}: ask one of them$"):
            Paid().bet(stake=3, **asked)
