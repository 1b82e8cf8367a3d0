"""Statements of a class are held to its program: form, direction, and the facts of its kind."""

import contextlib
import sys

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.games.laws import outcome_distance
from provably_fair.games.program import Program, program_of
from provably_fair.operators.registry import all_games

kinds = pf.games.kinds


def made(base, rule, **stated):
    return type("Own", (base,), {"outcome": lambda _self, draws: rule(draws), **stated})()


def rows_of_three(draws):
    return np.stack([draws.sample(3, 1) for _ in range(4)], axis=1)


CONTRADICTED = [
    (kinds.BoardGame, lambda draws: draws.sample(25, 3), "cells", {"cells": 9}),
    (kinds.BoardGame, lambda draws: draws.sample(25, 3), "cells", {"cells": 24}),
    (kinds.BoardGame, lambda draws: draws.sample(25, 3), "first", {"cells": 25, "first": 1}),
    (kinds.WheelGame, lambda draws: draws.below(37), "sectors", {"sectors": 36}),
    (kinds.WheelGame, lambda draws: draws.below(37) - 1, "sectors", {"sectors": 37}),
    (kinds.DiceGame, lambda draws: draws.below(6) + 1, "most", {"least": 1, "most": 5}),
    (kinds.DiceGame, lambda draws: draws.below(6), "least", {"least": 1, "most": 6}),
    (kinds.DiceGame, lambda draws: draws.below(101) / 100, "most", {"least": 0, "most": 99, "unit": 100}),
    (kinds.SampleGame, lambda draws: draws.sample(40, 10), "count", {"size": 40, "count": 9}),
    (kinds.SampleGame, lambda draws: draws.sample(40, 10) + 1, "size", {"size": 39, "count": 10}),
    (kinds.PegsGame, lambda draws: draws.each(8).below(2), "rows", {"rows": 9}),
    (kinds.PegsGame, lambda draws: draws.each(8).below(3), "path", {"rows": 8}),
    (kinds.PegsGame, lambda draws: draws.each(8).below(2).sum(axis=1), "rows", {"rows": 7, "path": False}),
    (kinds.PegsGame, lambda draws: draws.each(8).below(2), "path", {"rows": 8, "path": False}),
    (kinds.TowerGame, rows_of_three, "rows", {"rows": 5, "positions": 3, "count": 1}),
    (kinds.TowerGame, rows_of_three, "count", {"rows": 4, "positions": 3, "count": 2}),
    (kinds.TowerGame, rows_of_three, "positions", {"rows": 4, "positions": 2, "count": 1}),
    (kinds.MultiplierGame, lambda draws: draws.below(3) + 1.0, "table", {"table": (1.0, 2.0)}),
    (pf.Game, lambda draws: draws.sample(9, 2), "outcome", {"shape": (3,)}),
    (pf.Game, lambda draws: draws.below(9) / 2, "outcome", {"dtype": int}),
    (pf.Game, lambda draws: (draws.below(9) - 4) ** 2, "Own", {"monotone": True}),
    (pf.Game, lambda draws: np.sin(draws.number() * 4), "Own", {"monotone": True}),
]


@pytest.mark.parametrize(("base", "rule", "name", "stated"), CONTRADICTED)
def test_a_contradicted_statement_is_refused_by_its_name(base, rule, name, stated):
    game = made(base, rule, **stated)
    with pytest.raises((pf.errors.BadValue, pf.errors.BadType), match=r"^Own\b") as caught:
        game.distribution(of=lambda outcomes: outcomes.reshape(len(outcomes), -1)[:, 0])
    assert caught.value.argument == name


def test_the_sentence_shows_an_outcome():
    game = made(kinds.WheelGame, lambda draws: draws.below(37), sectors=36)
    expected = r"Own\.sectors must hold in every round, got 36, and an outcome is 36"
    with pytest.raises(pf.errors.BadValue, match=expected):
        game.play("server", "client", "salt")


@pytest.mark.parametrize(
    ("name", "stated"), [("unit", {"unit": 0}), ("unit", {"unit": 10}), ("least", {"least": 7})]
)
def test_facts_that_no_dice_have(name, stated):
    game = made(kinds.DiceGame, lambda draws: draws.below(6) + 1, **{"least": 1, "most": 6} | stated)
    for use in (lambda: game.play("server", "client", "salt"), lambda: game.distribution(over=2)):
        with pytest.raises(pf.errors.BadValue, match=rf"^{name} must be") as caught:
            use()
        assert caught.value.argument == name


def test_parameters_are_facts_too():
    class Mines(kinds.BoardGame):
        cells: int = 25

        def outcome(self, draws):
            return draws.sample(25, 3)

    assert Mines().shape == Mines(36).shape == (3,)
    with pytest.raises(pf.errors.BadValue, match=r"Mines\.cells must hold in every round, got 16"):
        _ = Mines(16).shape


def test_what_a_program_leaves_open_is_no_contradiction():
    # Ranges are wider than outcomes: the cells of both cases together are 0 to 24, or -9 to 15.
    folded = made(
        kinds.BoardGame,
        lambda draws: (lambda cell: np.where(cell > 8, cell - 9, cell))(draws.sample(18, 1)),
        cells=9,
    )
    assert folded.shape == (1,)
    assert folded.distribution(reveals=9).outcomes.tolist() == [1]
    # Nothing is known of the direction of this one.
    rising = made(pf.Game, lambda draws: np.floor(np.expm1(draws.number() * 4)), monotone=True)
    assert program_of(rising).direction is None
    assert rising.distribution().outcomes.tolist() == [*range(54)]
    # A board may have more cells than a rule mines, and floats may be whole numbers.
    assert made(kinds.BoardGame, lambda draws: draws.sample(25, 3), cells=30).shape == (3,)
    whole = made(pf.Game, lambda draws: draws.each(2).below(3), shape=(2,), dtype=float)
    assert whole.distribution().outcomes[0] == (0.0, 0.0)
    assert {type(value) for value in whole.distribution(of=lambda pair: pair[:, 0]).outcomes.tolist()} == {
        float
    }


def test_rules_without_a_program_are_taken_at_their_word():
    class Branching(kinds.WheelGame):
        sectors = 3
        vectorized = False

        def outcome(self, draws):
            return draws.below(4) if draws.coin() else 0

    assert Branching().distribution().outcomes.tolist() == [0, 1, 2, 3]


def test_a_parameter_that_is_changed_in_place_changes_the_program():
    class Prizes(pf.Game):
        prizes: list

        def outcome(self, draws):
            return draws.below(len(self.prizes)) + 1

    game = Prizes([1, 2])
    assert game.distribution().outcomes.tolist() == [1, 2]
    game.prizes.append(3)
    assert game.distribution().outcomes.tolist() == [1, 2, 3]
    assert game.distribution(of=lambda prizes: prizes % 2).outcomes.tolist() == [0, 1]
    rounds = pf.games.rounds_of(game)
    assert (rounds.bounds, str(rounds.program)) == ((1, 3), str(program_of(game)))
    assert set(game.simulate(100, seed=1).tolist()) == {1, 2, 3}


@pytest.mark.parametrize("cls", all_games().values(), ids=lambda cls: cls.name)
def test_a_game_with_a_program_plays_no_trial_rounds(cls):
    called = []
    rule = cls.outcome.__code__

    def watch(frame, event, _):  # another rule in its place would be read anew
        if event == "call" and frame.f_code is rule:
            called.append(frame.f_locals["draws"].rounds)

    game = cls()
    assert isinstance(program_of(game), Program)
    assert (game.shape, game.dtype) == (program_of(game).shape, program_of(game).dtype)
    again = cls()
    rounds = pf.games.rounds_of(again)
    sys.setprofile(watch)
    try:
        assert (again.shape, again.dtype, rounds.bounds) == (game.shape, game.dtype, rounds.bounds)
        with contextlib.suppress(pf.games.UnlistedLawError):
            outcome_distance(again)
        assert not called
        again.simulate(3)
    finally:
        sys.setprofile(None)
    assert called == ([3] if rounds.program.in_engine is None else [])
