"""Lazy loading: names of rooms load on first use, and nothing else does."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from importlib import import_module

import provably_fair as pf
import pytest
from folders import PYTHON
from provably_fair._core.lazy import listed

ROOMS = [
    ".".join(path.relative_to(PYTHON).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((PYTHON / "provably_fair").rglob("*.pyi"))
    if path.stem != "_engine"
]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_what_its_stub_lists(room):
    module = import_module(room)
    assert {*module.__all__} <= {*listed(room), "GAMES"}
    for name in listed(room):
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing


def loaded(code: str, *arguments: object) -> set[str]:
    """Return the modules that a fresh process has loaded after running some code."""
    code += "\nimport sys, json; print(json.dumps([*sys.modules]))"
    run = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(run, check=True, timeout=120, capture_output=True, text=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@functools.cache
def of_numpy() -> set[str]:
    """Return the modules that numpy loads, numpy.ma among them before 2.0."""
    return loaded("import numpy")


def of_the_house(modules: set[str]) -> set[str]:
    return {name.removeprefix("provably_fair.") for name in modules if name.startswith("provably_fair.")}


def inside(room: str, modules: set[str]) -> list[str]:
    """Return the loaded files of a room."""
    return sorted(name for name in of_the_house(modules) if name.startswith(f"{room}."))


ELSEWHERE = {
    *("auditing", "certification", "cli", "dask", "locating", "monitoring", "plot", "session", "statistics"),
    *("bets", "certificates", "readings", "walkthrough"),
}
"""Rooms that a log of a game which verifies needs nothing of."""
HANDED_OVER = ("beacons", "cards", "distribution")
"""Rooms that are named there for the sake of a few games: none of their files is loaded."""
OF_VERIFICATION = ("frames", "suggestions")
OTHERS = {
    "concurrent.futures",
    "logging",
    "numpy.ma",
    "numpy.random",
    "pandas",
    "pyarrow",
    "scipy",
    "tomllib",
}
"""Modules that take long to load, and aren't needed."""

ROWS = {"server_seed": "server", "client_seed": "client", "salt": [str(i) for i in range(3)]}


def test_the_package_itself_loads_no_room():
    modules = loaded("import provably_fair")
    assert of_the_house(modules) - {"_engine"} == {"_core", "_core.lazy"}
    assert not {"scipy", "pandas", "matplotlib", "dask", "typer"} & modules


def test_a_first_small_log_loads_what_it_needs():
    rows = ROWS | {"outcome": pf.Dice().play(**ROWS).tolist()}
    modules = loaded(f"import provably_fair as pf; assert pf.verify({rows}, 'dice').ok")
    rooms = {name.partition(".")[0] for name in of_the_house(modules)}
    assert not rooms & ELSEWHERE
    assert [inside(room, modules) for room in HANDED_OVER] == [[], [], []]
    assert inside("operators", modules) == [
        f"operators.{name}" for name in ("registry", "salted", "salted.dice")
    ]
    assert not {f"verification.{name}" for name in OF_VERIFICATION} & of_the_house(modules)
    assert not OTHERS & (modules - of_numpy())
    assert len(of_the_house(modules)) <= 95


def test_a_first_play_loads_no_laws():
    modules = loaded("import provably_fair as pf; pf.Dice().play('server', 'client', 'salt')")
    assert not {f"games.{name}" for name in ("answering", "laws", "program", "tracing")} & of_the_house(
        modules
    )
    assert not OTHERS & (modules - of_numpy())
    assert len(of_the_house(modules)) < 35


def test_a_first_log_that_fails_loads_no_more():
    rows = ROWS | {"outcome": [101.0] * 3}
    code = f"import provably_fair as pf; assert pf.verify({rows}, 'dice').failed == 3"
    needless = {"numpy.ma", "provably_fair.readings", "provably_fair.walkthrough"}
    assert not needless & (loaded(code) - of_numpy())


def test_a_first_audit_loads_what_its_checks_need():
    rows = ROWS | {"outcome": pf.Dice().play(**ROWS).tolist()}
    modules = loaded(f"import provably_fair as pf; assert pf.audit({rows}, 'dice').verification.ok")
    assert [inside(room, modules) for room in ("walkthrough", "cards", "session")] == [[], [], []]
    assert inside("statistics", modules) == ["statistics.corrections"]
    assert not {"bets.bet", "bets.systems", "readings.separating"} & of_the_house(modules)


def test_an_operators_game_loads_no_other_operator():
    modules = loaded("from provably_fair.names import parse_game; parse_game('stake.dice')")
    assert not OTHERS & (modules - of_numpy())
    assert inside("distribution", modules) == []
    shown = {name.split(".")[1] for name in inside("operators", modules)}
    assert shown <= {"stake", "registry", "_names", "salted"}


def test_a_class_of_its_own_never_takes_a_games_name():
    """The class that is loaded first doesn't matter."""
    code = (
        "import provably_fair as pf\n"
        "class Own(pf.games.EngineGame, catalog='dice'): ...\n"
        "assert (Own.name, pf.Dice.name) == ('__main__.own', 'dice')"
    )
    assert "provably_fair.operators.salted.dice" in loaded(code)


# ---- the command ----

COMMAND = "from provably_fair._cli_entry import main; main({})"


def test_the_commands_help_loads_no_command():
    pytest.importorskip("typer")
    modules = loaded(COMMAND.format(["--help"]))
    assert not {"numpy", "rich", *OTHERS} & modules
    assert inside("cli", modules) == ["cli.commands", "cli.frame"]
    assert {
        name for name in of_the_house(modules) if name.startswith(("games.", "operators.", "seeds."))
    } == {
        "operators.salted",
    }


def test_a_command_loads_its_own_file(tmp_path):
    pytest.importorskip("typer")
    log = tmp_path / "log.csv"
    pf_rows = zip(ROWS["salt"], pf.Dice().play(**ROWS).tolist(), strict=True)
    log.write_text(
        "server_seed,client_seed,salt,outcome\n" + "".join(f"server,client,{s},{o}\n" for s, o in pf_rows)
    )
    modules = loaded(COMMAND.format(["verify", str(log), "--game", "dice"]))
    assert inside("cli", modules) == [
        f"cli.{name}" for name in ("commands", "frame", "log_command", "logs", "shared")
    ]
    rooms = {name.partition(".")[0] for name in of_the_house(modules)}
    assert not rooms & (ELSEWHERE - {"cli"})


def test_the_commands_are_listed_with_their_own_words():
    typer = pytest.importorskip("typer")
    from provably_fair.cli.commands import _COMMANDS, app

    made = typer.main.get_command(app).commands
    told = {name: about for commands in _COMMANDS.values() for name, (_, about) in commands.items()}
    assert told == {name: command.get_short_help_str(1000) for name, command in made.items()}


def test_matplotlib_is_loaded_only_to_draw():
    assert "matplotlib" not in loaded("import provably_fair as pf; pf.plot.gallery")
