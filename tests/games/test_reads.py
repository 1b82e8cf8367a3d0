"""Nothing is remembered of a rule for longer than what it reads stays as it is."""

from __future__ import annotations

import dataclasses
import functools
import types

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.games import program_of, rounds_of
from provably_fair.games.looks import Total

FACTOR = 1
TABLE = np.arange(100)
LONG = np.arange(10_000)
LIST = [1, 2, 3]


class Settings:
    factor = 1


settings = types.ModuleType("settings")
settings.factor = 1
odd = types.SimpleNamespace(factor=1)


def helped(values):
    return values * FACTOR


def ways():
    """A game for each way in which a rule may read something, and what changes it."""
    inner = 1

    class ByGlobal(pf.Game):
        def outcome(self, draws):
            return draws.below(100) * FACTOR

    class ByFunction(pf.Game):
        def outcome(self, draws):
            return helped(draws.below(100))

    class ByClosure(pf.Game):
        def outcome(self, draws):
            return draws.below(100) * inner

    class ByClass(pf.Game):
        def outcome(self, draws):
            return draws.below(100) * Settings.factor

    class ByModule(pf.Game):
        def outcome(self, draws):
            return draws.below(100) * settings.factor

    class ByAttribute(pf.Game):
        factor = 1

        def outcome(self, draws):
            return self.scaled(draws.below(100))

        def scaled(self, values):
            return values * type(self).factor

    class ByTable(pf.Game):
        def outcome(self, draws):
            return np.take_along_axis(TABLE, draws.below(100), axis=0)

    class ByLongTable(pf.Game):
        def outcome(self, draws):
            return np.take_along_axis(LONG, draws.below(100), axis=0)

    class ByList(pf.Game):
        def outcome(self, draws):
            return draws.below(100) * LIST[0]

    class ByObject(pf.Game):
        def outcome(self, draws):
            return draws.below(100) * odd.factor

    class Itself(pf.Game):
        def outcome(self, draws):
            return draws.below(100)

    class Reloaded(pf.Game):
        def outcome(self, draws):
            return draws.below(100)

    class Base(pf.Game):
        def outcome(self, draws):
            return draws.below(100)

    class Derived(Base):
        pass

    def thousand(self, draws):
        return draws.below(100) * 1000

    def close():
        nonlocal inner
        inner = 1000

    def put(of, name, value):
        return lambda: setattr(of, name, value)

    def multiply(array):
        return lambda: np.multiply(array, 1000, out=array)

    return {
        "global": (ByGlobal, lambda: globals().update(FACTOR=1000)),
        "function": (ByFunction, lambda: globals().update(FACTOR=1000)),
        "closure": (ByClosure, close),
        "class": (ByClass, put(Settings, "factor", 1000)),
        "module": (ByModule, put(settings, "factor", 1000)),
        "attribute": (ByAttribute, put(ByAttribute, "factor", 1000)),
        "table": (ByTable, multiply(TABLE)),
        "long table": (ByLongTable, multiply(LONG)),
        "list": (ByList, lambda: LIST.__setitem__(0, 1000)),
        "object": (ByObject, put(odd, "factor", 1000)),
        "outcome": (Itself, put(Itself, "outcome", thousand)),
        "code": (Reloaded, put(Reloaded.outcome, "__code__", thousand.__code__)),
        "outcome of a derived class": (Derived, put(Derived, "outcome", thousand)),
    }


@pytest.fixture
def _as_before():
    global FACTOR
    tables, factors = (TABLE.copy(), LONG.copy()), FACTOR
    yield
    FACTOR, Settings.factor, settings.factor, odd.factor, LIST[0] = factors, 1, 1, 1, 1
    TABLE[:], LONG[:] = tables


@pytest.mark.usefixtures("_as_before")
@pytest.mark.parametrize("way", ways())
def test_a_change_of_what_a_rule_reads_is_seen(way):
    cls, change = ways()[way]
    game = cls()
    seeds = "server", "client", [f"salt {i}" for i in range(50)]

    def seen():
        return game.play(*seeds).tolist(), [int(game.play(*seeds[:2], salt)) for salt in seeds[2]]

    before, single = seen()
    assert before == single
    simulated, law = game.simulate(50).tolist(), game.distribution()
    change()
    after, single = seen()
    assert after == single == [1000 * value for value in before]
    assert game.simulate(50).tolist() == [1000 * value for value in simulated]
    assert cls().play(*seeds).tolist() == after
    assert game.distribution().mean() == 1000 * law.mean()
    assert program_of(game).bounds[1] >= 1000


def test_a_function_asked_about_may_change():
    factor = 1

    def times(outcomes):
        return outcomes * factor

    game = pf.operators.stake.Roulette()
    before = game.distribution(of=times)
    factor = 3
    assert game.distribution(of=times).mean() == 3 * before.mean()


def test_an_object_that_is_called_may_change():
    class Times:
        factor = 1

        def __call__(self, outcomes):
            return outcomes * self.factor

        def times(self, outcomes):
            return outcomes * self.factor

    times, game = Times(), pf.operators.stake.Roulette()
    for of in (times, times.times, functools.partial(Times.times, times)):
        times.factor = 1
        before = game.distribution(of=of)
        times.factor = 3
        assert game.distribution(of=of).mean() == 3 * before.mean()
    times.factor, mines = 1, pf.operators.stake.Mines(2)
    before = mines.distribution(of=Total(times))
    times.factor = 3
    assert mines.distribution(of=Total(times)).mean() == 3 * before.mean()


def test_the_shape_of_a_changed_rule_is_its_new_one():
    class Growing(pf.Game):
        def outcome(self, draws):
            return draws.below(6)

    def two(self, draws):
        return np.stack([draws.below(6), draws.below(6) / 2], axis=1)

    game = Growing()
    assert (game.shape, game.dtype, game.play("a", "b", ["c"]).shape) == ((), np.int64, (1,))
    Growing.outcome = two
    assert game.play("a", "b", ["c"]).shape == (1, 2)
    assert (game.shape, game.dtype) == ((2,), np.float64)


def test_rules_whose_tables_can_be_compared_are_played_by_the_engine():
    cls, _ = ways()["table"]
    assert rounds_of(cls())._in_engine is not None
    cls, _ = ways()["long table"]
    assert rounds_of(cls())._in_engine is None
    LONG.setflags(write=False)
    try:
        cls, _ = ways()["long table"]
        assert rounds_of(cls())._in_engine is not None
    finally:
        LONG.setflags(write=True)


@dataclasses.dataclass(frozen=True)
class Frozen:
    factor: int


frozen = Frozen(7)


def test_what_is_told_by_its_value_stays():
    class ByValue(pf.Game):
        def outcome(self, draws):
            return draws.below(6) * frozen.factor

    assert rounds_of(ByValue())._in_engine is not None
    assert program_of(ByValue()) is program_of(ByValue())


def test_what_is_called_may_hold_itself():
    def first(draws):
        return np.take(draws.shuffle(8), 0, axis=-1)

    class ByMethod(pf.Game):
        shared = first.__call__

        def outcome(self, draws):
            return draws.below(6) + 0 * len(vars(ByMethod).get("shared", ()).__name__)

    first.itself = first
    assert set(ByMethod().distribution().outcomes.tolist()) == set(range(6))
