"""Nothing is remembered of a rule for longer than what it reads stays as it is."""

from __future__ import annotations

import contextvars
import dataclasses
import enum
import functools
import sys
import types
from typing import NamedTuple

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.games import Untraced, program_of, rounds_of
from provably_fair.games.looks import Total
from provably_fair.games.reads import is_plain

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


def ruled(outcome):
    """A class of games with this rule."""
    return type("Rule", (pf.Game,), {"outcome": outcome})


def ways():
    """A game for each way in which a rule may read something, and what changes it."""
    inner = 1

    class ByAttribute(pf.Game):
        factor = 1

        def outcome(self, draws):
            return self.scaled(draws.below(100))

        def scaled(self, values):
            return values * type(self).factor

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

    own = {
        "global": (lambda _, draws: draws.below(100) * FACTOR, lambda: globals().update(FACTOR=1000)),
        "function": (lambda _, draws: helped(draws.below(100)), lambda: globals().update(FACTOR=1000)),
        "closure": (lambda _, draws: draws.below(100) * inner, close),
        "class": (lambda _, draws: draws.below(100) * Settings.factor, put(Settings, "factor", 1000)),
        "module": (lambda _, draws: draws.below(100) * settings.factor, put(settings, "factor", 1000)),
        "table": (lambda _, draws: np.take_along_axis(TABLE, draws.below(100), axis=0), multiply(TABLE)),
        "long table": (lambda _, draws: np.take_along_axis(LONG, draws.below(100), axis=0), multiply(LONG)),
        "list": (lambda _, draws: draws.below(100) * LIST[0], lambda: LIST.__setitem__(0, 1000)),
        "object": (lambda _, draws: draws.below(100) * odd.factor, put(odd, "factor", 1000)),
    }
    itself, reloaded = (ruled(lambda _, draws: draws.below(100)) for _ in range(2))
    return {name: (ruled(rule), change) for name, (rule, change) in own.items()} | {
        "attribute": (ByAttribute, put(ByAttribute, "factor", 1000)),
        "outcome": (itself, put(itself, "outcome", thousand)),
        "code": (reloaded, put(reloaded.outcome, "__code__", thousand.__code__)),
        "outcome of a derived class": (Derived, put(Derived, "outcome", thousand)),
    }


def indirect_ways():
    """As `ways`, where a rule reads by another name than a global of its own, or without any."""
    listed, looked_up, variable = [1], {"k": 1}, contextvars.ContextVar("k", default=1)
    get, plain, module = looked_up.get, types.SimpleNamespace(k=1), types.ModuleType("imported_in_a_rule")
    module.k = plain.k
    sys.modules[module.__name__] = module

    class Parent:
        k = 1

        @classmethod
        def times(cls, values):
            return values * cls.k

    class Child(Parent):
        pass

    class Meta(type):
        k = 1

    class OfMeta(metaclass=Meta):
        pass

    class Members(enum.Enum):
        ONE = listed

    @dataclasses.dataclass(frozen=True)
    class Held:
        k: int

        @property
        def from_list(self):
            return listed[0]

        def __getitem__(self, place):
            return listed[place]

    @dataclasses.dataclass(unsafe_hash=True)
    class Unfrozen:
        k: int

    held, unfrozen = Held(1), Unfrozen(1)
    rows = np.array([(1, 2)], dtype=[("k", int), ("j", int)])
    row, read = rows[0], getattr

    def default(values, k=1):
        return values * k

    def of_list(values, k=listed):
        return values * k[0]

    def by_name(values, *, k=1):
        return values * k

    def by_attribute(values):
        return values * by_attribute.k

    by_attribute.k = 1
    by_keyword = functools.partial(lambda values, k: values * k, k=1)
    functions = {"a": lambda values: values * listed[0]}
    hidden = np.frompyfunc(lambda value: int(value) * listed[0], 1, 1)
    itself = [1]
    itself.append(itself)
    whole = np.ones(100, np.int64)
    part = whole[:]
    whole.setflags(write=False)
    long = np.ones(10_000, np.int64)
    long.setflags(write=False)

    @functools.wraps(np.where)
    def wrapped(values):
        return values * listed[0]

    class Inner(pf.Game):
        def outcome(self, draws):
            return draws.below(100) * listed[0]

    class Derived(Inner):
        def outcome(self, draws):
            return super().outcome(draws)

    class ByParameter(pf.Game):
        given: object = Held(1)

        def outcome(self, draws):
            return draws.below(100) * self.given.from_list

    class Order(pf.Game):
        k = 1

        def outcome(self, draws):
            return draws.below(100) * self.k * module.k

    class Named(pf.Game):
        k = 1

        def outcome(self, draws):
            return draws.below(100) * getattr(self, "k")  # noqa: B009

    class Importing(pf.Game):
        def outcome(self, draws):
            from imported_in_a_rule import k

            return draws.below(100) * k

    class Missing(pf.Game):
        def outcome(self, draws):
            values = draws.below(100)
            try:
                return values * not_there_yet
            except NameError:
                return values

    class OtherParent:
        k = 1000

    class OfBases(Parent, pf.Game):
        def outcome(self, draws):
            return draws.below(100) * self.k

    def put():
        listed[0] = 1000

    def unlock():
        long.setflags(write=True)
        long[0] = 1000

    inner = Inner()
    rules = {
        "default": (lambda v: default(v), lambda: setattr(default, "__defaults__", (1000,))),
        "default list": (lambda v: of_list(v), put),
        "default by name": (lambda v: by_name(v), lambda: by_name.__kwdefaults__.update(k=1000)),
        "attribute of a function": (lambda v: by_attribute(v), lambda: setattr(by_attribute, "k", 1000)),
        "keyword of a partial": (lambda v: by_keyword(v), lambda: by_keyword.keywords.update(k=1000)),
        "function in a dict": (lambda v: functions["a"](v), put),
        "numpy's function of a function": (lambda v: hidden(v).astype(int), put),
        "wrapper of numpy's": (lambda v: wrapped(v), put),
        "inherited": (lambda v: v * Child.k, lambda: setattr(Parent, "k", 1000)),
        "classmethod": (lambda v: Child.times(v), lambda: setattr(Child, "k", 1000)),
        "metaclass": (lambda v: v * OfMeta.k, lambda: setattr(Meta, "k", 1000)),
        "member": (lambda v: v * Members.ONE.value[0], put),
        "frozen": (lambda v: v * held.k, lambda: object.__setattr__(held, "k", 1000)),
        "property of a frozen one": (lambda v: v * held.from_list, put),
        "operator of a frozen one": (lambda v: v * held[0], put),
        "hash by value": (lambda v: v * unfrozen.k, lambda: setattr(unfrozen, "k", 1000)),
        "context": (lambda v: v * variable.get(), lambda: variable.set(1000)),
        "builtin method": (lambda v: v * get("k"), lambda: looked_up.update(k=1000)),
        "list in itself": (lambda v: v * itself[0], lambda: itself.__setitem__(0, 1000)),
        "view": (lambda v: v * whole[0], lambda: part.__setitem__(0, 1000)),
        "unlocked": (lambda v: v * long[0], unlock),
        "row": (lambda v: v * int(row["k"]), lambda: rows["k"].__setitem__(0, 1000)),
        "getattr by another name": (lambda v: v * read(Parent, "k"), lambda: setattr(Parent, "k", 1000)),
        "variables": (lambda v: v * vars(plain)["k"], lambda: setattr(plain, "k", 1000)),
    }

    def game_of(rule):
        return ruled(lambda _, draws: rule(draws.below(100)))

    return {name: (game_of(rule), change) for name, (rule, change) in rules.items()} | {
        "super": (Derived, put),
        "another game": (
            game_of(lambda v: inner.outcome(types.SimpleNamespace(below=lambda _: v))),
            put,
        ),
        "parameter": (ByParameter, put),
        "name of two": (Order, lambda: setattr(module, "k", 1000)),
        "name as text": (Named, lambda: setattr(Named, "k", 1000)),
        "imported in the rule": (Importing, lambda: setattr(module, "k", 1000)),
        "not there yet": (Missing, lambda: globals().update(not_there_yet=1000)),
        "bases": (OfBases, lambda: setattr(OfBases, "__bases__", (OtherParent, pf.Game))),
    }


@pytest.fixture
def _as_before():
    global FACTOR
    tables, factors = (TABLE.copy(), LONG.copy()), FACTOR
    yield
    FACTOR, Settings.factor, settings.factor, odd.factor, LIST[0] = factors, 1, 1, 1, 1
    TABLE[:], LONG[:] = tables
    globals().pop("not_there_yet", None)
    sys.modules.pop("imported_in_a_rule", None)


@pytest.mark.usefixtures("_as_before")
@pytest.mark.parametrize("way", [*ways(), *indirect_ways()])
def test_a_change_of_what_a_rule_reads_is_seen(way):
    cls, change = (ways() | indirect_ways())[way]
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
    program = program_of(game)
    assert isinstance(program, Untraced) or program.bounds[1] >= 1000


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
    def two(self, draws):
        return np.stack([draws.below(6), draws.below(6) / 2], axis=1)

    game = ruled(lambda _, draws: draws.below(6))()
    assert (game.shape, game.dtype, game.play("a", "b", ["c"]).shape) == ((), np.int64, (1,))
    type(game).outcome = two
    assert game.play("a", "b", ["c"]).shape == (1, 2)
    assert (game.shape, game.dtype) == ((2,), np.float64)


def test_rules_whose_tables_can_be_compared_are_played_by_the_engine():
    def in_engine(way):
        return rounds_of(ways()[way][0]())._in_engine is not None

    assert in_engine("table")
    assert not in_engine("long table")
    LONG.setflags(write=False)
    try:
        assert in_engine("long table")
    finally:
        LONG.setflags(write=True)


@dataclasses.dataclass(frozen=True)
class Frozen:
    factor: int


frozen = Frozen(7)


def test_what_is_told_by_its_value_stays():
    by_value = ruled(lambda _, draws: draws.below(6) * frozen.factor)
    assert rounds_of(by_value())._in_engine is not None
    assert program_of(by_value()) is program_of(by_value())


def test_a_dict_that_stays_is_read_once():
    by_dict = ruled(lambda _, draws: draws.below(6) * SETTINGS["factor"][0])
    game = by_dict()
    assert rounds_of(game)._in_engine is not None
    assert program_of(game) is program_of(by_dict())
    assert rounds_of(game).program is rounds_of(game).program


SETTINGS = {"factor": [7], "other": {"name": 1.5}}


def test_a_changed_type_of_a_constant_is_seen():
    constants = [1, 0.0]

    signed = ruled(lambda _, draws: np.copysign(1, constants[1]) + draws.below(6) * constants[0])()
    whole = ruled(lambda _, draws: draws.below(6) * constants[0])()
    before = signed.distribution().mean()
    assert whole.play("a", "b", ["c"]).dtype == np.int64
    constants[:] = [1.0, -0.0]
    assert signed.distribution().mean() == before - 2
    assert whole.play("a", "b", ["c"]).dtype == whole.dtype == np.float64


def test_attributes_of_one_game_are_its_own():
    class ByAttribute(pf.Game):
        faces: int = 6
        factor = 1

        def outcome(self, draws):
            return draws.below(self.faces) * self.factor

    game, equal = ByAttribute(), ByAttribute()
    before, law = game.simulate(20).tolist(), game.distribution()
    object.__setattr__(game, "factor", 1000)
    assert game.simulate(20).tolist() == [1000 * value for value in before]
    assert (game.distribution().mean(), program_of(game).bounds[1]) == (1000 * law.mean(), 5000)
    assert (equal.distribution(), equal.simulate(20).tolist()) == (law, before)
    object.__setattr__(equal, "faces", 600)
    assert equal.simulate(20).tolist() == ByAttribute(600).simulate(20).tolist()
    assert equal.distribution() == ByAttribute(600).distribution()


@dataclasses.dataclass(frozen=True)
class Alike:
    factor: int = dataclasses.field(compare=False, repr=False)

    def __call__(self, outcomes):
        return outcomes * self.factor


def test_equal_objects_that_differ_arent_taken_for_each_other():
    class ByObject(pf.Game):
        times: Alike

        def outcome(self, draws):
            return self.times(draws.below(6))

    game = pf.operators.stake.Roulette()
    for factor in (1, 1000):
        assert ByObject(Alike(factor)).distribution().mean() == 2.5 * factor
        assert game.distribution(of=Alike(factor)).mean() == 18 * factor


def test_the_payouts_of_a_rule_of_ones_own_may_change():
    factor = 1

    class Paying(pf.Game):
        def outcome(self, draws):
            return draws.below(6)

        def pays(self, outcomes):
            return outcomes * factor

    before = Paying().bet().rtp
    factor = 3
    assert Paying().bet().rtp == pytest.approx(3 * before)


class Pair(NamedTuple):
    k: int
    j: int


@dataclasses.dataclass(frozen=True, slots=True)
class Slots:
    k: int


PAIR, SLOTS = Pair(7, 1), Slots(7)


def test_ordinary_values_leave_a_rule_to_the_engine():
    class ByValues(pf.Game):
        @staticmethod
        def scaled(values):
            return values * PAIR.k

        @classmethod
        def moved(cls, values):
            import math

            return values + math.floor(SLOTS.k)

        def outcome(self, draws):
            return self.moved(self.scaled(draws.below(6)))

    assert rounds_of(ByValues())._in_engine is not None
    assert program_of(ByValues()) is program_of(ByValues())


def test_threads_may_share_a_game():
    """What another thread keeps in a game, while this one reads its attributes, is no attribute."""

    class Shared:
        _beside = ()

        @property
        def _names(self):
            vars(self)["kept"] = 1
            return ("sides",)

    game = Shared()
    vars(game)["sides"] = 6
    assert is_plain(game)
