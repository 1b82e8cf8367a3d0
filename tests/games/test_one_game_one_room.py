"""One game, one room: every game has every view, and no other room tells games apart."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from folders import PYTHON
from provably_fair.auditing.grinding import estimate_grinding
from provably_fair.games import EngineGame, Kind, asking
from provably_fair.games.looks import Look, View
from provably_fair.games.naming import typed_name
from provably_fair.walkthrough import Mark

ROUNDS = 3000


@dataclass(frozen=True)
class Sum:
    times: int

    def __call__(self, buckets: np.ndarray) -> np.ndarray:
        return buckets.sum(axis=1) * self.times


def law_of_sum(game, drawn, of):
    total = pf.Plinko(pins=game.pins).distribution("as_drawn" if drawn else "ideal").sum(game.balls)
    return total.map(lambda buckets: of.times * buckets)


class WallKind(Kind):
    """The kind of walls, whose question is twice the sum."""

    name = "wall"

    def view(self, *, doubled: bool = False) -> View:
        return View(Sum(1 + doubled))

    def looks(self, *, bias: bool = False) -> tuple[Look, ...]:
        return Look("sum"), Look("twice the sum", {"doubled": True})


class Wall(EngineGame, catalog="plinko"):
    """The buckets of three balls: a game of several values in one class, using the engine's rule of Plinko.

    Its law is of the sum of the buckets.
    """

    pins: int = 12
    balls: int = 3

    laws = (law_of_sum,)
    kind = property(WallKind.of)

    def distribution(self, law: str = "ideal", *, doubled: bool = False) -> pf.Distribution:
        return asking.distribution(self, law, doubled=doubled)

    def observe(self, outcomes, *, doubled: bool = False) -> np.ndarray:
        return asking.observe(self, outcomes, doubled=doubled)


class Pair(pf.Game):
    """Two dice, in Python."""

    sides: int = 6

    def outcome(self, draws):
        return np.stack([draws.below(self.sides), draws.below(self.sides)], axis=1) + 1


GAMES = [make() for make in pf.operators.salted.GAMES.values()]
OWN = [Wall(), Pair()]
ALL = [*GAMES, *OWN]

each = pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)


# ---- every view of every game ----


def view_walkthrough(game):
    walk = game.explain("server", "client", "salt")
    assert np.array_equal(walk.outcome, game.play("server", "client", "salt"))
    assert str(walk.outcome.tolist()) in str(walk)
    lines = list(game.kind.picture(walk.outcome, walk.steps))
    if game.shape and type(game) in pf.operators.salted.GAMES.values():
        assert lines
    assert all(isinstance(piece, (str, Mark)) for line in lines for piece in line)


def view_laws(game):
    outcomes = game.simulate(ROUNDS, seed="views")
    looks = pf.games.fairness.looks_of(game)
    assert looks
    assert len({look.title for look in looks}) == len(looks)
    for look in (*looks, *pf.games.fairness.looks_of(game, bias=True)):
        ideal = game.distribution(**look.subject)
        assert ideal == game.distribution("ideal", **look.subject)
        drawn = game.distribution("as_drawn", **look.subject)
        assert drawn.outcomes.tolist() == ideal.outcomes.tolist()
        assert drawn.total_variation(ideal) < 1e-9
        seen = game.observe(outcomes, **look.subject)
        assert seen.ndim == 1
        assert len(seen) % ROUNDS == 0
        assert np.isin(seen, ideal.outcomes).all()
        law, values = pf.games.fairness.look_law(game, look, outcomes)
        assert np.isin(values, law.outcomes).all()
    with pytest.raises(ValueError, match="law must be"):
        getattr(game, "distribution")("uniform", **looks[0].subject)  # noqa: B009


def view_biases(game):
    (bias,) = pf.statistics.bias_table([game])
    assert bias.game == game
    assert 0 <= abs(bias.relative) < Fraction(1, 10**9)


def view_fairness(game):
    pytest.importorskip("scipy")
    rounds = game.simulate(ROUNDS, seed="fairness")
    report = pf.fairness_report(rounds, game)
    assert report.ok, str(report)
    assert report.game == typed_name(game)
    assert not pf.fairness_report(rounds[[0] * ROUNDS], game).ok


def view_plugin(game):
    pytest.importorskip("scipy")
    from pytest_provably_fair import assert_fair

    rounds = game.simulate(ROUNDS, seed="views")
    assert assert_fair(rounds, game) > 1e-6
    with pytest.raises(AssertionError, match="differ from its law"):
        assert_fair(rounds[[0] * ROUNDS], game)


def view_verification(game):
    salts = pf.salts(3)
    log = {"server_seed": "s", "client_seed": "c", "salt": salts, "outcome": game.play("s", "c", salts)}
    assert pf.verify(log, game).ok
    wrong = log | {"outcome": np.roll(log["outcome"], 1) + 1}
    assert not pf.verify(wrong, game).ok


def view_grinding(game):
    ground = estimate_grinding(game, lambda outcomes: outcomes.reshape(len(outcomes), -1)[:, 0], 2, 50)
    assert pf.verify(ground.log, game).ok
    assert ground.payouts.shape == (50,)


def view_pictures(game):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert game.plot(game.explain("server", "client", "salt"), ax=ax) is ax
    assert ax.patches or ax.lines
    shown = pf.games.fairness.example_of(type(game))
    assert isinstance(shown.game, type(game))
    assert shown.title
    law = shown.game.distribution(**shown.subject)
    assert np.isin(shown.game.observe(shown.game.simulate(50), **shown.subject), law.outcomes).all()


VIEWS = {name.removeprefix("view_"): view for name, view in globals().items() if name.startswith("view_")}


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("view", VIEWS)
@each
def test_every_game_has_every_view(game, view):
    VIEWS[view](game)


def test_dask_takes_any_game():
    pytest.importorskip("dask.array")
    import provably_fair.dask  # noqa: F401

    for game in ALL:
        lazy = pf.dask.simulate(game, 20, chunk=7)
        assert np.array_equal(lazy.compute(scheduler="threads"), game.simulate(20))


def test_the_catalog_is_the_engines():
    from provably_fair._engine import catalog

    entries = {entry.name: entry for entry in catalog()}
    assert list(pf.operators.salted.GAMES) == list(entries)
    for name, make in pf.operators.salted.GAMES.items():
        assert make.__module__ == f"provably_fair.operators.salted.{name}"
        assert getattr(pf, make.__name__) is make
        assert [
            (p.name, p.default, p.least, p.most) for p in pf.games.parameters.parameters_of(make).values()
        ] == [(p.name, p.default, p.least, p.most) for p in entries[name].parameters]
        assert make().parameters == {p.name: p.default for p in entries[name].parameters}


@each
def test_laws_have_real_signatures(game):
    law, seen = (inspect.signature(getattr(type(game), name)) for name in ("distribution", "observe"))
    for signature in (law, seen):
        kinds = {parameter.kind for parameter in list(signature.parameters.values())[2:]}
        assert kinds <= {inspect.Parameter.KEYWORD_ONLY}
    assert list(law.parameters)[2:] == list(seen.parameters)[2:]
    assert list(law.parameters)[1] == "law"
    if type(game) in pf.operators.salted.GAMES.values():
        text = inspect.getdoc(type(game).distribution)
        for name, parameter in list(law.parameters.items())[1:]:
            assert parameter.annotation is not inspect.Parameter.empty
            assert name in text
    with pytest.raises(TypeError, match="no_such_subject"):
        game.distribution(no_such_subject=1)


def test_own_games_have_names_of_their_own():
    assert Wall().name == "test_one_game_one_room.wall"
    assert Pair().name == "test_one_game_one_room.pair"
    assert "plinko" in pf.operators.salted.GAMES
    assert pf.operators.salted.GAMES["plinko"] is pf.Plinko
    assert np.array_equal(Wall(pins=9).simulate(50), pf.Plinko(pins=9, balls=3).simulate(50))
    assert Wall(pins=9) != pf.Plinko(pins=9, balls=3)
    with pytest.raises(ValueError, match="pins must be from 8 to 16"):
        Wall(pins=7)


def test_what_is_no_game_yet_is_refused():
    class Unnamed(EngineGame):
        pass

    for kind, message in [
        (pf.Game, "Game must be made by the class of a game"),
        (EngineGame, "EngineGame must be made by the class of a game"),
        (Unnamed, "Unnamed must name its line of the catalog"),
    ]:
        with pytest.raises(TypeError, match=f"^{message}"):
            kind()


def test_a_game_of_several_values_says_what_its_law_is_of():
    class Silent(EngineGame, catalog="plinko"):
        pins: int = 8
        balls: int = 2

    with pytest.raises(TypeError, match="Silent must state a kind, which says what its laws are of"):
        Silent().distribution()
    with pytest.raises(TypeError, match="Silent must state a kind, which says what its laws are of"):
        view_laws(Silent())


def looking(*looks):
    """Return the kind of walls with other looks."""
    return property(type("Looking", (WallKind,), {"looks": lambda self, **_: looks}).of)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", looking()),
        ("kind", looking(Look("sum"), Look("sum"))),
        ("observe", lambda self, outcomes, *, doubled=False: outcomes[:, 0] - 1),
        ("distribution", lambda self, law="ideal", *, doubled=False: pf.Distribution([0], [1])),
    ],
)
def test_a_view_that_is_wrong_is_noticed(name, value):
    broken = type("Broken", (Wall,), {name: value})
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        view_laws(broken())


# ---- no other room tells games apart ----

TITLES = {make.__name__ for make in pf.operators.salted.GAMES.values()}
# Numbers of outcomes, or of a reel's stops, that only one game has.
SIZES = {len(pf.Dice().distribution()), len(pf.X50().distribution()), len(pf.Slot().distribution(reel=4))}
STOPS = tuple(len(pf.Slot().distribution(reel=reel)) for reel in range(5))


def known_of_games(source: str) -> list[str]:
    """Return the facts of single games in a file that only the files of these games may state."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass"):
            kinds = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
            kinds |= {n.attr for n in ast.walk(node.args[1]) if isinstance(n, ast.Attribute)}
            found += [f"a ladder over {kind}" for kind in kinds & TITLES]
        elif isinstance(node, ast.MatchClass):
            kind = getattr(node.cls, "id", getattr(node.cls, "attr", ""))
            found += [f"a ladder over {kind}"] * (kind in TITLES)
        elif isinstance(node, ast.Compare):
            asked = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
            texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
            if asked & {"below", "rule"}:  # a scheme's rule is called as a game is
                texts = [text for text in texts if text != "double"]
            found += [f"a comparison with {text!r}" for text in texts if text in pf.operators.salted.GAMES]
        elif isinstance(node, ast.MatchValue):
            text = getattr(node.value, "value", None)
            found += [f"a comparison with {text!r}"] * (text in pf.operators.salted.GAMES)
        elif isinstance(node, ast.Dict):
            keys = {key.value for key in node.keys if isinstance(key, ast.Constant)}
            named = keys & set(pf.operators.salted.GAMES)
            found += [f"a table over {sorted(named)}"] * (len(named) > 1)
        elif isinstance(node, (ast.Tuple, ast.List)):
            values = tuple(getattr(item, "value", None) for item in node.elts)
            found += ["the stops of a slot"] * (values == STOPS)
        elif isinstance(node, ast.Constant) and type(node.value) is int and node.value in SIZES:
            found.append(f"the size {node.value}")
        elif isinstance(node, ast.alias) and node.name == "SLOT_STOPS":
            found.append("the stops of a slot")
        elif isinstance(node, ast.Constant) and node.value == "reels":
            found.append("the field reels")
    return found


def test_no_other_room_knows_single_games():
    said = {}
    for path in sorted(PYTHON.rglob("*.py")):
        room = path.relative_to(PYTHON).parts[1]
        if room not in ("games", "operators") and (found := known_of_games(path.read_text(encoding="utf-8"))):
            said[str(path.relative_to(PYTHON))] = found
    assert not said


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("isinstance(game, Mines)", "a ladder over Mines"),
        ("isinstance(game, pf.Crash | pf.Overgo)", "a ladder over Overgo"),
        ("issubclass(kind, (Tower, int))", "a ladder over Tower"),
        ("match game:\n case Slot():\n  pass", "a ladder over Slot"),
        ("match name:\n case 'slot':\n  pass", "a comparison with 'slot'"),
        ("game.name != 'jackpot'", "a comparison with 'jackpot'"),
        ("name in ('dice', 'other')", "a comparison with 'dice'"),
        ("tested = {'mines': 1, 'tower': 2}", "a table over ['mines', 'tower']"),
        ("stops = (30, 30, 30, 30, 41)", "the stops of a slot"),
        ("from provably_fair._engine import SLOT_STOPS", "the stops of a slot"),
        ("sides = 10_001", "the size 10001"),
        ("field.name != 'reels'", "the field reels"),
    ],
)
def test_what_other_rooms_may_not_say_is_found(source, found):
    assert found in known_of_games(source)


def test_each_game_stands_in_one_file():
    """Only the lists of names mention single games, and the file of a game mentions no other."""
    for name, make in pf.operators.salted.GAMES.items():
        source = (PYTHON / "provably_fair" / "operators" / "salted" / f"{name}.py").read_text(
            encoding="utf-8"
        )
        others = {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name)} & TITLES
        assert others <= {make.__name__}
        aliases = {n.asname or n.name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.alias)}
        assert not aliases & TITLES
