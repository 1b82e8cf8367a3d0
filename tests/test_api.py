"""The public interface: one table of names, and one meaning per word."""

from __future__ import annotations

import importlib
import inspect
import operator
import pkgutil
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import provably_fair as pf
import pytest
from provably_fair._core.lazy import listed
from provably_fair.operators.registry import all_games

FACE = Path(pf.__file__)
# The document's games are also available at the top level.
TWICE = {"Crash", "Dice", "Double", "Jackpot", "Mines", "Overgo", "Plinko", "Slot", "Tower", "X50"}
FACE_TEXT = """
Crash Dice Double Jackpot Mines Overgo Plinko Slot Tower X50
Game Scheme Hash HashChain SALTED Distribution
Log Files Query LogError VerificationError
verify check identify locate audit Auditor certify fairness_report difference separating_rounds
commitment check_commitment new_seed salts hits
auditing beacons bets cards dask errors games monitoring operators plot ports seeds statistics __version__
"""
SHOWN = sorted(FACE_TEXT.split())
NAMES = [name for name, of in listed("provably_fair").items() if of != "provably_fair"]
ROOMS = sorted(name for name, of in listed("provably_fair").items() if of == "provably_fair")


@pytest.mark.usefixtures("every_room")
def test_shown_is_what_is_public():
    assert dir(pf) == sorted(pf.__all__) == SHOWN
    for name in SHOWN:
        assert getattr(pf, name) is not None
    # The result doesn't depend on earlier imports.
    import provably_fair.sources.foreign  # noqa: F401

    assert dir(pf) == SHOWN


@pytest.mark.usefixtures("every_room")
def test_every_room_shows_what_it_offers():
    """`dir` and completion don't list what a room's files import."""
    rooms = [importlib.import_module(f"provably_fair.{room}") for room in ROOMS]
    for module in rooms:  # grows
        assert dir(module) == sorted(module.__all__), module
        values = (getattr(module, name) for name in module.__all__)
        within = f"{module.__name__}."
        rooms += [one for one in values if inspect.ismodule(one) and one.__name__.startswith(within)]
    assert pf.operators.stake in rooms
    assert pf.cards in rooms


def test_every_room_is_found():
    there = {module.name for module in pkgutil.iter_modules(pf.__path__) if not module.name.startswith("_")}
    assert set(ROOMS) == there


def offered(module):
    """Everything that rooms and their modules list, with its path."""
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        path = f"{module.__name__}.{name}"
        if inspect.ismodule(value) and value.__name__ == path:
            yield from offered(value)
        elif not inspect.ismodule(value):
            yield path, value


@pytest.mark.usefixtures("every_room")
def test_every_thing_has_one_door():
    doors: dict[int, list[str]] = {}
    for module in (pf, *(getattr(pf, room) for room in ROOMS)):
        for path, value in offered(module):
            if path.startswith("provably_fair.errors."):  # it shows those of all rooms
                continue
            if inspect.isclass(value) or inspect.isroutine(value):
                doors.setdefault(id(value), []).append(path)
    found = [sorted(set(paths)) for paths in doors.values() if len(set(paths)) > 1]
    assert sorted(name.rpartition(".")[2] for name, *_ in found) == sorted(TWICE), found


def test_a_game_of_an_operator_says_whose_it_is():
    with pytest.raises(AttributeError, match=r"'Keno': it is pf\.operators\.stake\.Keno$"):
        pf.Keno
    with pytest.raises(AttributeError, match=r" or pf\.operators\.stake\.Limbo$"):
        pf.Limbo
    with pytest.raises(AttributeError, match=r"'stake': it is pf\.operators\.stake$"):
        pf.stake
    for game in all_games().values():
        if game.__name__ not in pf.__all__:
            with pytest.raises(AttributeError) as refused:
                getattr(pf, game.__name__)
            places = re.findall(r"pf\.operators\.(\S+)", str(refused.value))
            assert game in [operator.attrgetter(place)(pf.operators) for place in places]


def test_no_name_hides_a_module():
    assert not [name for name in NAMES if find_spec(f"provably_fair.{name}")]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Roulette'"):
        pf.Roulette
    with pytest.raises(ImportError):
        from provably_fair import Roulette  # noqa: F401


# Imports each room in a fresh state, except for the engine, which a process can load only once.
ROOMS_ALONE = """
import sys
for room in sys.argv[1:]:
    for name in list(sys.modules):
        if name.partition(".")[0] == "provably_fair" and name != "provably_fair._engine":
            del sys.modules[name]
    import provably_fair as pf
    assert not any(name.startswith(f"provably_fair.{room}") for name in sys.modules), room
    getattr(pf, room).__name__
    assert "matplotlib" not in sys.modules, room
"""


def test_rooms_are_there_from_the_start():
    rooms = [room for room in ROOMS if room not in ("cli", "dask")]
    subprocess.run([sys.executable, "-c", ROOMS_ALONE, *rooms], check=True, timeout=120)


# ---- one word, one meaning ----

# Synonyms that the interface avoids, each with the word that it uses instead.
OTHER_WORDS = {
    **dict.fromkeys(("alpha", "significance", "significance_level"), "level, of tests"),
    **dict.fromkeys(("conf", "confidence_level", "coverage"), "confidence, of intervals"),
    **dict.fromkeys(("n_rounds", "num_rounds", "iterations", "trials"), "rounds"),
    **dict.fromkeys(("num", "amount", "length_of"), "count"),
    **dict.fromkeys(("n_jobs", "jobs", "workers", "num_threads"), "threads"),
    **dict.fromkeys(("random_state", "random_seed"), "seed, or rng"),
    **dict.fromkeys(("exactly", "as_fraction", "fractions"), "exact"),
    **dict.fromkeys(("wager", "amount_bet"), "stake"),
    **dict.fromkeys(("axes", "axis"), "ax"),
}
# Names dictated by other libraries or standards.
ALLOWED = {("gallery", "axes")}


def public_callables():
    """The name and signature of every public function and method."""
    for room in [pf, *(getattr(pf, room) for room in ROOMS if room not in ("cli", "dask"))]:
        for name in getattr(room, "__all__", ()):
            value = getattr(room, name)
            members = vars(value).items() if inspect.isclass(value) else ()
            for label, function in [
                (name, value),
                *((f"{name}.{member}", f) for member, f in members if not member.startswith("_")),
            ]:
                function = getattr(function, "__func__", function)
                if inspect.isfunction(function) or (inspect.isclass(function) and "." not in label):
                    try:
                        yield label, inspect.signature(function)
                    except ValueError:
                        continue


@pytest.mark.usefixtures("every_room")
def test_one_word_for_one_thing():
    found = {
        f"{label}({name}): {OTHER_WORDS[name]}"
        for label, signature in public_callables()
        for name in signature.parameters
        if name in OTHER_WORDS and (label, name) not in ALLOWED
    }
    assert not found


@pytest.mark.usefixtures("every_room")
def test_words_mean_one_thing():
    """An option has the same default, or none, and the same kind of parameter wherever it occurs."""
    defaults: dict[str, set] = {}
    for label, signature in public_callables():
        for name, parameter in signature.parameters.items():
            if name in ("level", "confidence", "exact", "threads"):
                if parameter.default is not parameter.empty:
                    defaults.setdefault(name, set()).add(parameter.default)
                if name in ("confidence", "threads", "level") and parameter.default is not parameter.empty:
                    assert parameter.kind is parameter.KEYWORD_ONLY, label
    assert defaults["confidence"] == {0.95}
    assert defaults["level"] == {0.01, None}  # None: the standard's level
    assert defaults["exact"] == {False}
    assert defaults["threads"] == {None}
