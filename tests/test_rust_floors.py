"""The layers of the engine: a module uses only modules on lower floors, and only `src/python` uses Python.

A workspace of crates would enforce the same, but it would need 20 manifests, link-time optimization for
inlining across modules, and `pub` on everything that one module takes from another.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from folders import ROOT
from test_floors import circle_in

SOURCES = ROOT / "src"

# From the lowest floor to the highest. Modules on one floor don't use each other. Within a module, files may,
# but without cycles.
FLOORS = (
    ("error", "x86"),
    ("strings", "parallel", "sha2_lanes", "lookup", "beta"),
    ("beacons", "locating", "logs"),
    ("games::draw", "games::rounding", "fpclub"),
    ("games::game",),
    ("games::catalog", "games::views"),
    ("schemes::salted",),
    ("schemes",),
    ("cards",),
    ("python",),
)
FLOOR_OF = {module: floor for floor, modules in enumerate(FLOORS) for module in modules}

# Code that depends on the processor or the system.
PLATFORM = re.compile(
    r"\btarget_(?:arch|feature|endian|pointer_width|os|family|env|vendor)\b|\b(?:cfg|cfg_attr)!?\s*\(\s*(?:unix|windows)\b"
    r"|\bis_\w+_feature_detected\b|\bstd\s*::\s*(?:arch|os)\b"
)
PYTHON_CRATES = re.compile(r"\b(pyo3|numpy|pyo3_arrow|arrow_array|arrow_schema)\s*::")

Files = dict[str, str]
Arrows = dict[str, set[str]]


def files_of(folder: Path) -> Files:
    """The code of each module: `""` is the crate, `games::views` is `games/views/mod.rs`."""
    files = {}
    for path in sorted(folder.rglob("*.rs")):
        parts = list(path.relative_to(folder).with_suffix("").parts)
        if parts[-1] in ("mod", "lib"):
            parts.pop()
        files["::".join(parts)] = bare(path.read_text(encoding="utf-8"))
    return files


def bare(text: str) -> str:
    """Code without comments, literals and tests."""
    text = re.sub(
        r"""//[^\n]*|r#".*?"#|b?"(?:\\.|[^"\\])*"|b?'(?:\\.[^']*|[^'\\\n])'""", " ", text, flags=re.S
    )
    while tests := re.search(r"#\[cfg\(test\)\]\s*(?:pub(?:\([a-z]+\))?\s+)?mod\s+\w+\s*\{", text):
        text = text[: tests.start()] + text[closing(text, tests.end()) :]
    return text


def closing(text: str, start: int) -> int:
    """The position after the closing brace of the one before `start`."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return place + 1
    raise ValueError("a brace is never closed")


def used(tree: str) -> Iterator[list[str]]:
    """The paths in a use tree such as `a::{b, c::{d, e}}`."""
    head, brace, rest = tree.partition("{")
    path = [name for name in re.split(r"\s*::\s*", re.sub(r"\sas\s+\w+", "", head).strip()) if name]
    if not brace:
        yield path
        return
    branch, depth = "", 0
    for letter in rest[: rest.rindex("}")] + ",":
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and not depth:
            if branch.strip():
                yield from (path + names for names in used(branch))
            branch = ""
        else:
            branch += letter


def paths_in(code: str) -> Iterator[tuple[int, list[str]]]:
    """All paths in a file, with their positions."""
    for use in re.finditer(r"\buse\s+([^;]+);", code):
        yield from ((use.start(), path) for path in used(use[1]))
    for path in re.finditer(r"(?:\$?crate|super|self)(?:\s*::\s*\w+)+", code):
        yield path.start(), re.split(r"\s*::\s*", path[0].lstrip("$"))


def arrows_of(files: Files) -> Arrows:
    """The files that each file uses. Re-exports count; module declarations don't."""
    macros = {
        macro: module
        for module, code in files.items()
        for macro in re.findall(r"#\[macro_export\]\s*macro_rules!\s*(\w+)", code)
    }
    arrows: Arrows = {}
    for module, code in files.items():
        arrows[module] = set()
        inline = [
            (found.start(), closing(code, found.end()), found[1])
            for found in re.finditer(r"\bmod\s+(\$?\w+)\s*\{", code)
        ]
        for place, path in paths_in(code):
            here = [*filter(None, module.split("::")), *(name for a, b, name in inline if a < place < b)]
            if path[0] == "crate":
                names = path[1:]
            elif path[0] in ("super", "self"):
                while path and path[0] in ("super", "self"):
                    here = here[:-1] if path[0] == "super" else here
                    path = path[1:]
                names = here + path
            else:
                names = here + path  # an item of this module, or of another crate
            if path and names and names[0] in macros and len(names) == 1:
                arrows[module].add(macros[names[0]])
                continue
            while names and "::".join(names) not in files:
                names = names[:-1]
            target = "::".join(names)
            if target != module and (target or path[0] == "crate"):
                arrows[module].add(target)
    return arrows


def room_of(module: str) -> str | None:
    """The module in `FLOORS` that a file belongs to."""
    rooms = [room for room in FLOOR_OF if module == room or module.startswith(room + "::")]
    return max(rooms, key=len, default=None)


def wrong_arrows(arrows: Arrows) -> list[str]:
    """Uses that don't point to a lower floor."""
    wrong = []
    for module, targets in arrows.items():
        for target in sorted(targets):
            start, end = room_of(module), room_of(target)
            if start is None or end is None:
                wrong.append(f"{module or 'lib.rs'} -> {target or 'lib.rs'}: not in FLOORS")
            elif start != end and FLOOR_OF[end] >= FLOOR_OF[start]:
                wrong.append(f"{module} -> {target}: not downward")
    return wrong


FILES = files_of(SOURCES)
ARROWS = arrows_of(FILES)


def test_no_circle_among_modules() -> None:
    assert circle_in(ARROWS) == []


def test_modules_know_lower_floors_alone() -> None:
    assert wrong_arrows(ARROWS) == []


def test_only_src_python_knows_python() -> None:
    knowing = {module for module, code in FILES.items() if PYTHON_CRATES.search(code)}
    assert {module.split("::")[0] for module in knowing} == {"python"}


def test_few_files_tell_platforms_apart() -> None:
    """The rest is platform-independent, so tests on one processor speak for others."""
    knowing = {module for module, code in FILES.items() if PLATFORM.search(code)}
    assert knowing == {"", "parallel", "sha2_lanes", "x86"}
    assert len(PLATFORM.findall(FILES["parallel"])) == 2  # whether there is a clock
    assert len(PLATFORM.findall(FILES[""])) == 2  # whether `x86` is compiled


def test_arrows_that_are_there_are_found() -> None:
    assert {"games::draw", "schemes::salted::seeds", "sha2_lanes", "strings"} <= ARROWS[
        "schemes::salted::generator"
    ]
    assert "games::catalog" in ARROWS["schemes::salted::compiled"]  # through the macro each_game!
    assert "sha2_lanes" in ARROWS["schemes::sha512"]  # through the macro in_lanes!
    assert "x86" in ARROWS["sha2_lanes"]
    assert "games::catalog::crash" in ARROWS["games::catalog::overgo"]
    assert "cards::blackjack::analysis::table" in ARROWS["cards::blackjack::analysis"]
    assert "python::classes::games" in ARROWS["python"]  # used inside the inline module _engine
    assert ARROWS["error"] == ARROWS[""] == set()


@pytest.mark.parametrize(
    ("module", "planted", "circle"),
    [
        ("games::game", "use super::views::Rounds;", {"games::game", "games::views"}),
        ("schemes::rounds", "use super::tally;", {"schemes::rounds", "schemes::tally"}),
        ("x86", "use crate::{error::Error, sha2_lanes::{Lanes, Path}};", {"x86", "sha2_lanes"}),
        ("error", "fn f() { crate::strings::broadcast(&[]).ok(); }", {"error", "strings"}),
        ("x86", "fn f() { crate::in_lanes!(kernel, lanes => ()) }", {"x86", "sha2_lanes"}),
        ("strings", "mod inner { use super::super::parallel::Tick; }", None),
        ("strings", "#[cfg(test)] mod more { use super::super::games::draw; }", set()),
        ("strings", "// use crate::games::draw;", set()),
    ],
)
def test_a_planted_arrow_is_found(module: str, planted: str, circle: set[str] | None) -> None:
    arrows = arrows_of(FILES | {module: FILES[module] + bare(planted)})
    if circle == set():
        assert arrows == ARROWS
        return
    if circle is None:
        assert len(wrong_arrows(arrows)) == 1
    else:
        assert circle <= set(circle_in(arrows))


def test_a_planted_module_must_be_entered() -> None:
    arrows = arrows_of(FILES | {"novel": "use crate::error::Error;"})
    assert wrong_arrows(arrows) == ["novel -> error: not in FLOORS"]
