"""What is loaded, and when: names of rooms on first use, and no more than is needed."""

from __future__ import annotations

import ast
from importlib import import_module

import pytest
from folders import PYTHON

ROOMS = [
    ".".join(path.parent.relative_to(PYTHON).parts)
    for path in sorted((PYTHON / "provably_fair").rglob("__init__.py"))
    if "_FILES = {" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("room", ROOMS)
def test_type_checkers_find_what_a_room_loads(room):
    module = import_module(room)
    tree = ast.parse((PYTHON / room.replace(".", "/") / "__init__.py").read_text(encoding="utf-8"))
    block = next(
        node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom) and node.level]
    imported = {(node.module, alias.name) for node in imports for alias in node.names}
    for file in [file for file, name in imported if name == "*"]:
        imported.remove((file, "*"))
        imported |= {(file, name) for name in import_module(f"{room}.{file}").__all__}
    shown = {(file, name) for file, names in module._FILES.items() for name in names.split()}
    shown |= {(None, file) for file, names in module._FILES.items() if not names}  # files themselves
    assert shown == imported
    for _, name in shown:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing
