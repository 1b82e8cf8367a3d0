"""The layers of the package: a room imports only from floors below, and never a private name.

import-linter could check the order of floors, 30 lines of this file, but nothing else: imports of the
top-level package or by string, private names, relative imports, cycles of files, and case distinctions
between games. ruff's SLF001 knows nothing of rooms, and would forbid private names within one.
"""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from folders import PYTHON

TOP = "provably_fair"
OUTSIDER = "pytest_provably_fair"

# Rooms are folders or single files, from the lowest floor to the highest. Rooms on one floor don't import
# each other.
FLOORS = [
    ["_core"],
    ["sources", "seeds", "beacons", "walkthrough"],
    ["distribution"],
    ["bets"],
    ["games"],
    ["cards"],
    ["operators"],
    ["names"],
    ["statistics"],
    ["readings", "ports"],
    ["verification"],
    ["plot", "auditing", "monitoring", "certification", "locating"],
    ["identification", "certificates", "dask"],
    ["cli"],
    # One unit: modules that only re-export, and what uses the package as its users do.
    ["__init__", "__main__", "_cli_entry", "_demo", "errors"],
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
THE_TOP = "the top"
FLOOR |= {THE_TOP: len(FLOORS) - 1, OUTSIDER: len(FLOORS) - 1}

# Independent rooms within a room.
APART = {"cards": ("video_poker", "blackjack")}

# Underscored names that other classes document as their interface.
OFFERED = {"_asdict", "_fields", "_make", "_replace", "_getframe"}

# Words that have no place in the lowest layers.
OF_GAMES = {"game", "games", "mines", "plinko", "jackpot", "overgo", "x50", "blackjack", "poker", "casino"}

# The kinds of games, which only their own room may distinguish.
KINDS = dict.fromkeys(
    ("Mines", "Tower", "Slot", "Plinko", "Dice", "Double", "Jackpot", "Crash", "Overgo", "X50"), "operators"
) | {"VideoPoker": "cards", "Blackjack": "cards"}
NAMES = {kind.lower(): kind for kind in KINDS}

# Places where a text selects a system.
MAY_TELL = {("names", "Blackjack")}


class File:
    """A file of the package: its room, syntax tree, nodes, and imported files."""

    def __init__(self, root: Path, path: Path) -> None:
        self.path = path
        self.parts = path.relative_to(root).with_suffix("").parts
        self.module = ".".join(self.parts[:-1] if self.parts[-1] == "__init__" else self.parts)
        self.package = ".".join(self.parts[:-1])
        self.room = room_of(self.module)
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.nodes = list(ast.walk(self.tree))
        self.imports: list[tuple[str, str | None, ast.AST]] = []


def room_of(module: str) -> str:
    """The room of a module."""
    first, _, rest = module.partition(".")
    if first == OUTSIDER:
        return OUTSIDER
    room = rest.partition(".")[0] or "__init__"
    return THE_TOP if room in FLOORS[-1] else room


def private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def read(root: Path) -> dict[str, File]:
    """All files of the package and of its pytest plugin, by module."""
    paths = sorted(path for name in (TOP, OUTSIDER) for path in (root / name).rglob("*.py"))
    gc.disable()  # among so many nodes the collector takes as long as all else
    try:
        files = {file.module: file for file in (File(root, path) for path in paths)}
        for file in files.values():
            file.imports = [*imports_of(file, files)]
    finally:
        gc.enable()
    return files


def is_module(module: str, files: dict[str, File]) -> bool:
    return module in files or module == f"{TOP}._engine"


def imports_of(file: File, files: dict[str, File]) -> Iterator[tuple[str, str | None, ast.AST]]:
    """All imports within the package, lazy and type-only ones included, as (module, name or None, node).

    A name that is a module itself counts as an import of that module.
    """
    for node in file.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, None, node
        elif isinstance(node, ast.ImportFrom):
            module = absolute(file, node)
            for alias in node.names:
                if is_module(f"{module}.{alias.name}", files):
                    yield f"{module}.{alias.name}", None, node
                else:
                    yield module, alias.name, node
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called not in ("import_module", "__import__", "optional"):
                continue
            asked = node.args[0]
            if isinstance(asked, ast.Constant) and isinstance(asked.value, str):
                name = asked.value
                yield (f"{file.package}{name}" if name.startswith(".") else name), None, node
            elif file.room not in (THE_TOP, "_core"):
                yield "?", None, node


def arrows(file: File) -> Iterator[str]:
    """Imports that go up, sideways, or along a forbidden way."""
    for module, name, node in file.imports:
        if module == "?":
            yield f"{file.room} imports a module whose name can't be read"
            continue
        if module.partition(".")[0] not in (TOP, OUTSIDER):
            continue
        through_face = isinstance(node, ast.ImportFrom) and node.module == TOP
        if module == f"{TOP}._engine":
            if name is None and through_face:
                yield f"{file.room} imports _engine through the package's face"
            elif isinstance(node, ast.ImportFrom) and node.level:
                yield f"{file.room} imports _engine by a relative import"
            continue
        room = room_of(module)
        if room not in FLOOR:
            yield f"{file.room} -> {room}, which is on no floor"
            continue
        own = room == file.room
        if not own and FLOOR[room] >= FLOOR[file.room] and file.room != OUTSIDER:
            yield f"{file.room} -> {room}: {'upward' if FLOOR[room] > FLOOR[file.room] else 'sideways'}"
        relative = isinstance(node, ast.ImportFrom) and node.level > 0
        if own and room not in (THE_TOP, OUTSIDER) and isinstance(node, ast.ImportFrom) and not relative:
            yield f"{file.room} imports itself by an absolute import"
        if relative and not own:
            yield f"{file.room} imports {room} by a relative import"
        for apart in [APART.get(room, ())] if own else []:
            here = next((part for part in file.module.split(".") if part in apart), None)
            there = next((part for part in module.split(".") if part in apart), None)
            if here and there and here != there:
                yield f"{room}: {here} -> {there}: sideways"


def names_of(room: str, files: dict[str, File]) -> set[str]:
    """Underscored names defined by a room's files: variables, functions, attributes, slots."""
    found: set[str] = set()
    for file in files.values():
        if file.room != room:
            continue
        for node in file.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.id if isinstance(node, ast.Name) else node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)  # as in __slots__ and object.__setattr__
    return {name for name in found if private(name)}


def underscores(file: File, files: dict[str, File], own: set[str]) -> Iterator[str]:
    """Underscored names that a file takes from elsewhere."""
    for module, name, _ in file.imports:
        if module.partition(".")[0] not in (TOP, OUTSIDER):
            continue
        if name is not None and private(name) and module != file.module:
            yield f"{file.room} imports {name} of {room_of(module)}"
        inside = [part for part in module.split(".")[1:] if private(part)]
        if room_of(module) != file.room and any(part not in ("_core", "_engine") for part in inside):
            yield f"{file.room} imports {inside[-1]} of {room_of(module)}"
    # The local names of modules: `module._name` is foreign even if this file has a `_name` of its own.
    modules = {
        (alias.asname or alias.name.partition(".")[0])
        for node in file.nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if isinstance(node, ast.Import) or is_module(f"{absolute(file, node)}.{alias.name}", files)
    }
    for node in file.nodes:
        if isinstance(node, ast.Attribute) and private(node.attr) and node.attr not in OFFERED:
            of_module = isinstance(node.value, ast.Name) and node.value.id in modules
            if of_module and node.attr in ("_engine", "_core"):
                continue
            if of_module or node.attr not in own:
                yield f"{file.room} reaches for {node.attr}"


def classes_of(
    files: dict[str, File],
) -> dict[tuple[str, str], tuple[File, ast.ClassDef, list[tuple[str, str]]]]:
    """All classes by module and name, with their base classes from the package."""
    taken: dict[str, dict[str, tuple[str, str | None]]] = {}
    for module, file in files.items():
        taken[module] = {
            name or of.rpartition(".")[2]: (of, name) for of, name, _ in file.imports if of in files
        }

    def where(module: str, name: str) -> tuple[str, str]:
        """The defining module of a class that another module re-exports."""
        of, there = taken.get(module, {}).get(name, (module, None))
        return (module, name) if there is None else where(of, there)

    def base_of(module: str, base: ast.expr) -> tuple[str, str]:
        if isinstance(base, ast.Attribute):
            of, _ = taken[module].get(text(base.value), ("", None))
            return where(of, base.attr)
        return where(module, text(base))

    return {
        (module, node.name): (file, node, [base_of(module, base) for base in node.bases])
        for module, file in files.items()
        for node in file.nodes
        if isinstance(node, ast.ClassDef)
    }


def inherited(files: dict[str, File]) -> Iterator[str]:
    """Underscored names that a derived class overrides or uses from a base class in another room."""
    classes = classes_of(files)

    def ancestors(key: tuple[str, str]) -> Iterator[tuple[File, ast.ClassDef]]:
        for base in classes[key][2]:
            if base in classes:
                yield classes[base][:2]
                yield from ancestors(base)

    def members(node: ast.ClassDef) -> set[str]:
        names = {one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
        assigned = [one for one in node.body if isinstance(one, ast.Assign | ast.AnnAssign)]
        names |= {text(part) for one in assigned for part in ast.walk(one) if isinstance(part, ast.Name)}
        return {name for name in names if private(name)}

    for key, (file, node, _) in classes.items():
        above = [*ancestors(key)]
        theirs = {name for other, base in above if other.room != file.room for name in members(base)}
        # The lowest layer declares which names its tables and reports use of their subclasses.
        theirs -= {name for other, base in above if other.room == "_core" for name in members(base)}
        theirs -= {"_repr_html_"}  # called by notebooks
        ours = members(node).union(*(members(base) for other, base in above if other.room == file.room))
        for name in sorted(members(node) & theirs):
            yield f"{file.room}: {node.name} overrides {name} of another room's class"
        used = {
            one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute) and text(one.value) == "self"
        }
        for name in sorted((used & theirs) - ours):
            yield f"{file.room}: {node.name} uses {name} of another room's class"


def absolute(file: File, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    above = file.package.split(".")[: len(file.package.split(".")) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """A cycle of modules that use each other, directly or indirectly; none if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def circle_of(files: dict[str, File]) -> list[str]:
    """A cycle of files that import each other."""
    graph = {
        module: {other for other, _, _ in file.imports if other in files and other != module}
        for module, file in files.items()
    }
    return circle_in(graph)


def hidden(file: File, files: dict[str, File]) -> Iterator[str]:
    """Modules shadowed by a function or class of the same name in their package."""
    if file.path.name != "__init__.py":
        return
    for node in file.nodes:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                shown = alias.asname or alias.name
                module = f"{file.module}.{shown}"
                if is_module(module, files) and f"{absolute(file, node)}.{alias.name}" != module:
                    yield f"{file.room} hides its module {shown}"


def foundations(file: File) -> Iterator[str]:
    """Violations in `_core`: imports beyond numpy, and words of games."""
    if file.room != "_core":
        return
    for node in file.tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        for name in names:
            if name.partition(".")[0] not in {*sys.stdlib_module_names, "numpy", TOP}:
                yield f"_core imports {name} at its top"
    words = {
        word.lower()
        for node in file.nodes
        for text in [
            getattr(node, "id", ""),
            getattr(node, "arg", "") or "",
            getattr(node, "name", "") or "",
            node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "",
        ]
        if isinstance(text, str)
        for word in "".join(c if c.isalnum() else " " for c in text).split()
    }
    for word in sorted(words & OF_GAMES):
        yield f"_core knows of {word}"


def ladders(file: File) -> Iterator[str]:
    """Places outside the responsible rooms that distinguish kinds of games: by class, name, or table."""

    def kinds(node: ast.AST) -> set[str]:
        return {text(part) for part in ast.walk(node)} & KINDS.keys()

    def named(nodes: list[ast.expr]) -> set[str]:
        return {NAMES[word] for node in nodes for word in words(node) & NAMES.keys()}

    found: set[str] = set()
    for node in file.nodes:
        if isinstance(node, ast.Call) and text(node.func) in ("isinstance", "issubclass") and node.args[1:]:
            found |= kinds(node.args[1])
        elif isinstance(node, ast.MatchClass):
            found |= kinds(node.cls)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(text(side) == "name" for side in sides):
                found |= named(sides)
            if any(isinstance(operator, ast.Is | ast.IsNot | ast.Eq | ast.NotEq) for operator in node.ops):
                found |= kinds(node)
        elif isinstance(node, ast.Dict):
            keys = [key for key in node.keys if key is not None]
            table = named(keys).union(*map(kinds, keys))
            found |= table if len(table) > 1 else set()
    for kind in sorted(found):
        if file.room not in (KINDS[kind], THE_TOP) and (file.room, kind) not in MAY_TELL:
            yield f"{file.room} tells {kind} apart"


def text(node: ast.AST) -> str:
    """The last component of a name: `name` in `game.name`."""
    return getattr(node, "attr", getattr(node, "id", ""))


def words(node: ast.AST) -> set[str]:
    """The texts in an expression: one, or a group."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def violations(root: Path) -> set[str]:
    """All violations of the layering, one line per kind."""
    files = read(root)
    own = {room: names_of(room, files) for room in {file.room for file in files.values()}}
    found = {*inherited(files)}
    for file in files.values():
        found.update(arrows(file))
        found.update(underscores(file, files, own[file.room]))
        found.update(hidden(file, files))
        found.update(foundations(file))
        found.update(ladders(file))
    return found | {f"a circle of files in {files[module].room}" for module in circle_of(files)}


def test_the_house_stands_in_floors():
    wrong = sorted(violations(PYTHON))
    if any("circle" in line for line in wrong):
        wrong.append(" <-> ".join(circle_of(read(PYTHON))))
    assert not wrong, "\n".join(wrong)


def test_the_floors_are_told_as_they_are():
    """ARCHITECTURE.md states the floor of each room."""
    told = {}
    for line in (PYTHON.parent / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines():
        floor, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if floor.isdecimal():
            told |= {room.strip("`"): int(floor) for room in cells[0].split(", ")}
    there = {path.stem for path in (PYTHON / TOP).glob("*.py")} | {
        path.parent.name for path in (PYTHON / TOP).glob("*/__init__.py")
    }
    assert not there - told.keys() - {"_cli_entry", "_demo"}
    assert told.items() <= FLOOR.items()


# Violations planted into a small package of rooms, to test the test.

HOUSE = {
    "__init__.py": "",
    "_core/__init__.py": "",
    "_core/arguments.py": "import numpy as np\n",
    "distribution/__init__.py": "from .law import Law\n",
    "distribution/law.py": (
        "from provably_fair._core.arguments import np\n"
        "from provably_fair._engine import law\n"
        "class Law:\n    __slots__ = ('_weights',)\n    def total(self):\n        return sum(self._weights)\n"
    ),
    "bets/__init__.py": "",
    "games/__init__.py": "",
    "games/_game.py": "from provably_fair.distribution.law import Law\nclass Game:\n    _core = 1\n",
    "games/mines.py": (
        "from ._game import Game\nclass Mines(Game):\n    def of(self, other):\n        return other._core\n"
    ),
    "operators/__init__.py": "",
    "operators/salted.py": (
        "from provably_fair.games.mines import Mines\ndef known(game):\n    return isinstance(game, Mines)\n"
    ),
    "cards/__init__.py": "from .names import name\n",
    "cards/names.py": "",
    "cards/amounts.py": "",
    "cards/blackjack/__init__.py": (
        "from ..names import name\nfrom provably_fair.games.mines import Mines\n"
        "from ..amounts import amount\n"
    ),
    "cards/video_poker/__init__.py": "",
    "seeds/__init__.py": "",
    "walkthrough/__init__.py": "",
    "plot.py": "from provably_fair.games.mines import Mines\n",
}
PLANTED = {
    "distribution/law.py": [
        ("import provably_fair.games", "distribution -> games: upward"),
        ("def plot():\n    from provably_fair.plot import law", "distribution -> plot: upward"),
        ("from . import Law as Same", "a circle of files in distribution"),
    ],
    "walkthrough/__init__.py": [
        (
            "from typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from provably_fair.games._game import Game",
            "walkthrough -> games: upward",
        ),
        ("from provably_fair.seeds import Scheme", "walkthrough -> seeds: sideways"),
        ("from provably_fair import seeds", "walkthrough -> seeds: sideways"),
    ],
    "_core/arguments.py": [
        ("from importlib import import_module\nimport_module('provably_fair.plot')", "_core -> plot: upward"),
        ("import scipy", "_core imports scipy at its top"),
        ("def game_of(): ...\nx = 'a game'", "_core knows of game"),
    ],
    "bets/__init__.py": [
        (
            "import importlib\nimportlib.import_module(f'provably_fair.{0}')",
            "bets imports a module whose name can't be read",
        ),
    ],
    "games/mines.py": [
        ("import provably_fair as pf", "games -> the top: upward"),
        ("from provably_fair import Law", "games -> the top: upward"),
        ("from provably_fair import _engine", "games imports _engine through the package's face"),
        ("from .._engine import law", "games imports _engine by a relative import"),
        ("from provably_fair.cards import Table", "games -> cards: upward"),
        ("from provably_fair.distribution.law import _merge", "games imports _merge of distribution"),
        ("from ._game import _of", "games imports _of of games"),
        ("from ..distribution import Law", "games imports distribution by a relative import"),
        ("from provably_fair.games._game import Game as Same", "games imports itself by an absolute import"),
    ],
    "cards/blackjack/__init__.py": [
        ("from ..video_poker import pay", "cards: blackjack -> video_poker: sideways")
    ],
    "cellar.py": [("import provably_fair.cellar", "cellar -> cellar, which is on no floor")],
    "games/_game.py": [("def other():\n    from .mines import Mines", "a circle of files in games")],
    "plot.py": [
        ("from provably_fair.games._game import Game", "plot imports _game of games"),
        ("from provably_fair.distribution import law\nlaw._merge()", "plot reaches for _merge"),
        # A name of one's own doesn't hide the module's.
        ("from provably_fair.distribution import law\n_merge = 1\nlaw._merge()", "plot reaches for _merge"),
        ("def law(x):\n    return x._weights", "plot reaches for _weights"),
        ("isinstance(1, (int, Mines))", "plot tells Mines apart"),
        ("isinstance(1, games.Mines | None)", "plot tells Mines apart"),
        ("match 1:\n    case Mines(): pass", "plot tells Mines apart"),
        ("Mines.name == 'dice'", "plot tells Dice apart"),
        ("Mines.name in ('dice', 'x50')", "plot tells X50 apart"),
        ("type(1) is Mines", "plot tells Mines apart"),
        ("{'mines': 25, 'tower': 5}", "plot tells Tower apart"),
        ("{Mines: 25, X50: 54}", "plot tells X50 apart"),
    ],
    "operators/salted.py": [
        (
            "from provably_fair.games.mines import Mines\nclass Own(Mines):\n    _core = 2",
            "operators: Own overrides _core of another room's class",
        ),
        (
            "from provably_fair.games.mines import Mines\n_core = 1\n"
            "class Own(Mines):\n    def of(self):\n        return self._core",
            "operators: Own uses _core of another room's class",
        ),
    ],
    "distribution/__init__.py": [("from .law import Law as law", "distribution hides its module law")],
}


def build(root: Path, extra: dict[str, str]) -> Path:
    for name, text in (HOUSE | extra).items():
        path = root / TOP / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_a_house_in_order_is_left_alone(tmp_path):
    assert violations(build(tmp_path, {})) == set()


@pytest.mark.parametrize(
    ("file", "line", "violation"), [(file, *each) for file, planted in PLANTED.items() for each in planted]
)
def test_what_is_forbidden_is_found(tmp_path, file, line, violation):
    text = HOUSE.get(file, "") + line + "\n"
    assert violation in violations(build(tmp_path, {file: text}))
