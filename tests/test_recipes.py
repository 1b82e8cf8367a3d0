"""The recipes for other tools compile, and their make target installs all imports."""

from __future__ import annotations

import ast

import pytest
from folders import ROOT
from tools.run_recipes import recipes

pytestmark = pytest.mark.skipif(not (ROOT / "Makefile").exists(), reason="needs the source's folder")


def test_the_target_installs_what_the_recipes_import():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    target = makefile[makefile.index("\nrecipes:") :].split("\n\n")[0]
    assert "tests/tools/run_recipes.py" in target
    needed = set()
    for name, code in recipes().items():
        tree = ast.parse(code, name)
        compile(tree, name, "exec")
        assert any(isinstance(node, ast.Assert) for node in tree.body)
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            needed |= {name.split(".")[0] for name in names}
    assert {"pandera", "great_expectations", "pyspark"} <= needed
    # pandas is a dependency of pandera.
    assert all(name in target for name in needed - {"pandas", "provably_fair"})
