"""Generates the reference: a page for each public name, grouped by module, all derived from `__all__`.

A "room" is a public module directly below the package, or a module that one of them lists. Each name has one
page; top-level names of the package have it under their short path, `provably_fair.Mines`, in the room that
they come from. Each operator has one page for all of its games, without inherited members. Sphinx's
autosummary wants these lists written out.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import itertools
import pkgutil
import pprint
import re
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import provably_fair
from provably_fair._core.lazy import listed
from provably_fair.games.kind import STATED
from provably_fair.games.naming import typed_name
from provably_fair.names import named_games
from provably_fair.operators.registry import LISTED
from provably_fair.ports.modules import refusal_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


PACKAGE = "provably_fair"
# The package's top-level names, by room.
FACE = {
    name: of.removeprefix(f"{PACKAGE}.")
    for name, of in listed(PACKAGE).items()
    if of not in (PACKAGE, f"{PACKAGE}._engine")
}
FOLDER = "generated"
# Constants up to this many characters are shown in full.
LONGEST = 3000
# Width of code in columns.
WIDTH = 76
PROPERTIES = (property, functools.cached_property)
DESCRIPTORS = (*PROPERTIES, classmethod, staticmethod)
# Methods of games for players, in order of use; others follow.
USERS = (
    "play",
    "simulate",
    "tally",
    "replay",
    "explain",
    "distribution",
    "bet",
    "survival",
    "fair_multiplier",
    "observe",
    "plot",
)
# The same for laws.
OF_LAWS = (
    "pmf",
    "cdf",
    "mean",
    "quantile",
    "rvs",
    "sf",
    "probability_between",
    "std",
    "var",
    "median",
    "interval",
    "expect",
    "rtp",
    "sum",
    "convolve",
    "map",
    "given",
    "chisquare",
    "ks",
    "plot",
    "plot_residuals",
    "plot_survival",
    "to_scipy",
    "to_pandas",
    "to_polars",
)
IN_ORDER = {provably_fair.Game: USERS, provably_fair.Distribution: OF_LAWS}
# Rooms with a single page.
TOGETHER = "operators."
# Members of games that are documented at `Game`, or at `distribution`.
OF_EVERY_GAME = ("kind", "outcome", "observe", "bet", "tally", "plot")
EVERY_GAME = """Every game plays, simulates, explains and bets as :py:obj:`Game <provably_fair.Game>` says,
those at a table as :py:obj:`Deal <provably_fair.games.Deal>`. `bet`, `observe` and `tally` take what
`distribution` may be asked.
"""
KINDS = provably_fair.games.kinds.__all__
# For authors of games; shown on the pages of games only.
AUTHORS = ("outcome", "shape", "dtype", "decimals", "parameters", "multiplayer")
# For authors of tables: what deals call on a table.
OF_DEALS = provably_fair.games.Table.__abstractmethods__
# Rooms with a handwritten page.
ELSEWHERE = ("cli",)
TITLES = {
    "operators.salted": "The games of the salted rounds",
    "dask": "Dask",
    "operators.bcgame": "Operators: BC.Game",
    "operators.crypto_games": "Operators: Crypto.Games",
    "operators.fpclub": "Operators: FPClub",
    "operators.liqd": "Operators: LIQD",
    "operators.skinclub": "Operators: skin.club",
}
# The order of rooms; others follow by name.
ORDER = (
    "operators.salted",
    "games",
    "operators.crypto_games",
    "operators.fpclub",
    "operators.stake",  # defines games that others derive from
    "operators",
    "seeds",
    "beacons",
    "distribution",
    "walkthrough",
    "bets",
    "verification",
    "auditing",
    "certificates",
    "monitoring",
    "certification",
    "readings",
    "statistics",
    "names",
    "plot",
    "ports",
    "cards",
    "dask",
)


def rooms() -> dict[str, ModuleType]:
    """Return the package's public modules with an `__all__`, in the order of their pages.

    A module that a room lists has a page of its own.
    """
    modules: dict[str, ModuleType] = {}

    def enter(room: str) -> None:
        module = importlib.import_module(f"{PACKAGE}.{room}")
        offered = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
        if any(not isinstance(value, ModuleType) for value in offered.values()) or room in FACE.values():
            modules[room] = module
        for name, value in offered.items():
            if isinstance(value, ModuleType) and value.__name__ == f"{PACKAGE}.{room}.{name}":
                enter(f"{room}.{name}")

    for module in pkgutil.iter_modules(provably_fair.__path__):
        if not module.name.startswith("_") and module.name not in ELSEWHERE:
            enter(module.name)
    order = {name: place for place, name in enumerate(ORDER)}

    def place(room: str) -> tuple[int, str]:
        return order.get(room, order.get(room.partition(".")[0], len(order))), room

    return {room: modules[room] for room in sorted(modules, key=place)}


def home(name: str, value: object, room: str) -> str:
    """Return the module from which users import a name."""
    at_the_top = name in FACE and getattr(provably_fair, name) is value
    return PACKAGE if at_the_top else f"{PACKAGE}.{room}"


def contents() -> dict[str, list[tuple[str, str, object]]]:
    """Return each room's names as (module, name, value), top-level names of the package first."""
    table: dict[str, list[tuple[str, str, object]]] = {}
    # Exceptions have their pages in the rooms that raise them; `errors` has those of none.
    of_rooms = {
        name for room, module in rooms().items() if room != "errors" for name in module.__all__
    } | FACE.keys()
    for room, module in rooms().items():
        shown = [name for name, its_room in FACE.items() if its_room == room]
        table[room] = [(PACKAGE, name, getattr(provably_fair, name)) for name in shown]
        for name in module.__all__:
            value = getattr(module, name)
            is_elsewhere = room == "errors" and name in of_rooms
            if name not in shown and not is_elsewhere and not isinstance(value, ModuleType):
                table[room].append((f"{PACKAGE}.{room}", name, value))
    missing = FACE.keys() - {name for names in table.values() for owner, name, _ in names if owner == PACKAGE}
    if missing:
        raise RuntimeError(f"{', '.join(sorted(missing))} of {PACKAGE} are in no room, so they have no page")
    # Constants follow what uses them.
    return {
        room: sorted(names, key=lambda one: is_constant(one[2])) for room, names in table.items() if names
    }


def file_of(name: str, names: Iterable[str]) -> str:
    """Return the file name of a name's page, also for file systems that ignore case (`avalanche`)."""
    alike = sorted(other for other in names if other.lower() == name.lower())
    return name if alike.index(name) == 0 else f"{name}-{alike.index(name)}"


def is_constant(value: object) -> bool:
    """Return whether a value is a constant, for which Python keeps no docstring."""
    return not (inspect.isclass(value) or inspect.isroutine(value))


def text_of(name: str, value: object, room: str) -> str:
    """Return the documentation of a name: its docstring, or the string below a constant's assignment."""
    if not is_constant(value):
        return inspect.getdoc(value) or ""
    module = importlib.import_module(f"{PACKAGE}.{room}")
    path = Path(module.__file__ or "")
    for file in sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]:
        body = ast.parse(file.read_text(encoding="utf-8")).body
        for statement, after in itertools.pairwise(body):
            assigned = statement.targets if isinstance(statement, ast.Assign) else [statement]
            names = [getattr(target, "target", target) for target in assigned]
            if not any(isinstance(target, ast.Name) and target.id == name for target in names):
                continue
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                return inspect.cleandoc(str(after.value.value))
    # A constant of one of our types also shows the type's docstring; that of a builtin would only say what a
    # dict is.
    return (inspect.getdoc(type(value)) or "") if type(value).__module__.startswith(PACKAGE) else ""


def summary(text: str) -> str:
    """Return the first sentence of a docstring, on one line."""
    return re.split(r"(?<=\.)\s+(?=[A-Z])", " ".join(text.split("\n\n")[0].split()))[0]


def underline(title: str, mark: str = "=") -> str:
    """Return a title in reStructuredText."""
    return f"{title}\n{mark * len(title)}\n"


def members(value: type) -> dict[str, tuple[type, object]]:
    """Return the documented public members of a class, each with the class that documents it.

    Its own members come first, in source order, then those of its bases within the package.
    """
    by_name: dict[str, tuple[type, object]] = {}
    for base in value.__mro__:
        if base.__module__.startswith(PACKAGE):
            for name, member in vars(base).items():
                hidden = name.startswith("_") or (name in STATED and issubclass(value, provably_fair.Game))
                called = inspect.isroutine(member) and callable(member)
                documented = (called or isinstance(member, DESCRIPTORS)) and inspect.getdoc(member)
                if not hidden and name not in by_name and documented:
                    by_name[name] = (base, member)
    return by_name


@functools.cache
def with_pages() -> frozenset[str]:
    """Return the full names that have pages."""
    return frozenset(f"{owner}.{name}" for names in contents().values() for owner, name, _ in names)


def owner_of(module: str, value: type, base: type) -> str:
    """Return the class whose page documents an inherited member: the base, if it has a page."""
    _, *parts = base.__module__.split(".")
    places = (home(base.__name__, base, ".".join(parts[:end])) for end in range(len(parts), 0, -1))
    paths = (f"{place}.{base.__name__}" for place in places)
    return next((path for path in paths if path in with_pages()), f"{module}.{value.__name__}")


def in_order(value: type) -> list[str]:
    """Return the members of a class, the most used first."""
    order = next((names for base, names in IN_ORDER.items() if issubclass(value, base)), ())
    return sorted(members(value), key=lambda name: order.index(name) if name in order else len(order))


def methods(module: str, value: type) -> list[str]:
    """Return the tables of a class's members, own and inherited: for users, then for authors."""
    documented, names = members(value), in_order(value)
    is_game = issubclass(value, provably_fair.Game)
    authors = AUTHORS if is_game else OF_DEALS if issubclass(value, provably_fair.games.Table) else ()
    parts = {
        "Methods": [name for name in names if name not in authors],
        f"For authors of {'games' if is_game else 'tables'}": [name for name in names if name in authors],
    }
    lines = []
    for title, shown in parts.items():
        if shown:
            rows = [
                (f":py:obj:`{name} <{owner_of(module, value, owner)}.{name}>`", inspect.getdoc(member) or "")
                for name in shown
                for owner, member in [documented[name]]
            ]
            lines += ["", f".. rubric:: {title}", "", *table(rows)]
    return [*lines, ""] if lines else []


def table(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return a table of names with the first sentences of their documentation."""
    lines = [".. list-table::", "   :widths: 35 65", "   :class: names", ""]
    for name, text in rows:
        lines += [f"   * - {name}", f"     - {summary(text)}"]
    return lines


def entry(module: str, name: str, value: object, room: str) -> list[str]:
    """Return the entry of a name on a page."""
    if is_constant(value):
        lines = [f".. py:data:: {module}.{name}\n"]
        lines.append(textwrap.indent(text_of(name, value, room).partition("\nExamples\n")[0], "   "))
        shown = pprint.pformat(
            dict(value) if isinstance(value, Mapping) else value, width=WIDTH, sort_dicts=False
        )
        if "<" not in shown and name not in shown and len(shown) < LONGEST:
            lines.append(f"\n   .. code-block:: python\n\n{textwrap.indent(shown, '      ')}\n")
        return lines
    if not inspect.isclass(value):
        return [f".. autofunction:: {module}.{name}\n"]
    directive = "exception" if issubclass(value, BaseException) else "class"
    lines = [f".. auto{directive}:: {module}.{name}\n   :no-members:\n"]
    apart = OF_EVERY_GAME if is_together(value) and issubclass(value, provably_fair.Game) else ()
    if apart and (kind := next((base for base in value.__mro__ if base.__name__ in KINDS), None)):
        lines.append(f"   Kind: :py:obj:`{kind.__name__} <{owner_of(module, value, kind)}>`.\n")
    if apart and value in playable():
        lines.append(f"   `Verify a round <../../verify.html#{typed_name(value())}>`__ in your browser.\n")
    inherited = members(value)
    for inside in in_order(value):
        base, member = inherited[inside]
        if inside not in apart and (base is value or owner_of(module, value, base) == f"{module}.{name}"):
            directive = "autoproperty" if isinstance(member, PROPERTIES) else "automethod"
            lines.append(f"   .. {directive}:: {module}.{name}.{inside}\n")
    return lines


@functools.cache
def playable() -> frozenset[type]:
    """Return the classes of games on the page where rounds are verified."""
    games = [game for operator in LISTED for game in named_games(operator).values()]
    return frozenset(type(game) for game in games if refusal_of(game) is None)


def is_together(value: type) -> bool:
    """Return whether a class is documented on its operator's page."""
    return value.__module__.startswith(f"{PACKAGE}.{TOGETHER}")


def page(module: str, name: str, value: object, room: str) -> str:
    """Return the page of a name."""
    lines = [underline(name), f".. py:currentmodule:: {module}\n", *entry(module, name, value, room)]
    return "\n".join(lines) + "\n"


def room_page(room: str, names: list[tuple[str, str, object]]) -> str:
    """Return the page of a room: its docstring, and a table of its names or their entries."""
    module = importlib.import_module(f"{PACKAGE}.{room}")
    title = ": ".join(part.replace("_", " ").capitalize() for part in room.split("."))
    lines = [underline(TITLES.get(room, title))]
    lines += [f".. py:module:: {PACKAGE}.{room}\n   :no-index:\n", inspect.getdoc(module) or "", ""]
    shown = [f"{owner.removeprefix(PACKAGE).lstrip('.')}.{name}".lstrip(".") for owner, name, _ in names]
    lines += table(
        (f":py:obj:`{short} <{owner}.{name}>`", text_of(name, value, room))
        for short, (owner, name, value) in zip(shown, names, strict=True)
    )
    if room.startswith(TOGETHER):
        if any(inspect.isclass(value) and issubclass(value, provably_fair.Game) for *_, value in names):
            lines += ["", EVERY_GAME]
        for owner, name, value in names:
            lines += ["", f".. py:currentmodule:: {owner}\n", *entry(owner, name, value, room)]
    else:
        lines += ["", ".. toctree::", "   :hidden:", ""]
        lines += [f"   {room}/{file_of(name, [other for _, other, _ in names])}" for _, name, _ in names]
    return "\n".join(lines) + "\n"


def write(path: Path, text: str) -> None:
    """Write a file if its text changed: unchanged files aren't rebuilt."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def generate(app: Sphinx) -> None:
    """Write the pages, and remove those of deleted names."""
    folder = Path(app.srcdir) / "reference" / FOLDER
    pages = {}
    for room, names in contents().items():
        pages[folder / f"{room}.rst"] = room_page(room, names)
        for owner, name, value in () if room.startswith(TOGETHER) else names:
            file = file_of(name, [other for _, other, _ in names])
            pages[folder / room / f"{file}.rst"] = page(owner, name, value, room)
    for old in folder.rglob("*.rst") if folder.exists() else ():
        if old not in pages and old.parent != folder:
            old.unlink()
    for path, text in pages.items():
        write(path, text)
    listed, modules = contents(), rooms()
    lines = "".join(f"* :doc:`{FOLDER}/{room}`: {summary(modules[room].__doc__ or '')}\n" for room in listed)
    toctree = "".join(f"   {FOLDER}/{room}\n" for room in listed)
    write(folder / "rooms.txt", f"{lines}\n.. toctree::\n   :hidden:\n\n{toctree}")


def table_of(_app: Sphinx, what: str, name: str, value: object, _options: object, lines: list[str]) -> None:
    """Append the tables of members to the documentation of a class with its own page."""
    if what not in ("class", "exception") or not inspect.isclass(value) or is_together(value):
        return
    if value.__module__.startswith(PACKAGE):
        lines += methods(name.rpartition(".")[0], value)


def signature_of(
    _app: Sphinx, _what: str, _name: str, value: object, _options: object, _signature: str, returns: str
) -> tuple[str, str] | None:
    """Return the signature of a game; its class accepts anything, to give better errors."""
    if not (inspect.isclass(value) and issubclass(value, provably_fair.Game)):
        return None
    parameters = inspect.signature(value).parameters.values()
    shown = inspect.Signature([one.replace(annotation=one.empty) for one in parameters])
    return str(shown), returns


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    app.connect("autodoc-process-signature", signature_of)
    app.connect("autodoc-process-docstring", table_of, priority=900)  # after numpydoc
    return {"parallel_read_safe": True, "parallel_write_safe": True}
