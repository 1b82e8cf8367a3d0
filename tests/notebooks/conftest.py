"""A notebook for the tests of its claims: what it says, and the names that it leaves."""

from __future__ import annotations

import ast
import json
import re
from functools import cached_property
from typing import Any

import pytest
from folders import NOTEBOOKS


class Notebook:
    """What a notebook says, and what its cells leave, run in this process and in an empty folder."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        self.sources = [(cell["cell_type"], "".join(cell["source"])) for cell in cells]

    @cached_property
    def text(self) -> str:
        """Everything but code, a line for a paragraph."""
        said = "\n\n".join(source for kind, source in self.sources if kind == "markdown")
        return "\n".join(" ".join(part.split()) for part in re.split(r"\n\n|\n(?=- )", said))

    @cached_property
    def code(self) -> list[str]:
        return [source for kind, source in self.sources if kind == "code"]

    @cached_property
    def to_copy(self) -> str:
        """The first cell of code after the heading that says so."""
        place = next(i for i, (_, text) in enumerate(self.sources) if "\n## A cell to copy\n" in f"\n{text}")
        return next(text for kind, text in self.sources[place:] if kind == "code")

    def run(self, *cells: str) -> dict[str, Any]:
        """The names after these cells of code."""
        matplotlib = pytest.importorskip("matplotlib")
        formatters = pytest.importorskip("IPython.core.formatters")
        matplotlib.use("Agg")
        from matplotlib import pyplot

        show = formatters.DisplayFormatter().format
        names: dict[str, Any] = {"__name__": "__main__"}
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            for number, source in enumerate(cells, 1):
                where = f"{self.path.stem}, cell {number}"
                *body, last = ast.parse(source).body
                if not isinstance(last, ast.Expr):
                    body.append(last)
                exec(compile(ast.Module(body, []), where, "exec"), names)
                if isinstance(last, ast.Expr):
                    show(eval(compile(ast.Expression(last.value), where, "eval"), names))
                for figure in pyplot.get_fignums():
                    pyplot.figure(figure).canvas.draw()
                pyplot.close("all")
        return names


@pytest.fixture(scope="module")
def notebook(request, tmp_path_factory) -> Notebook:
    """The notebook with the number of the module."""
    number = re.search(r"test_(\d\d)", request.path.stem)[1]
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    return Notebook(path, tmp_path_factory.mktemp("elsewhere"))


@pytest.fixture(scope="module")
def ran(notebook) -> dict[str, Any]:
    """The names that the notebook leaves, after all of its cells."""
    return notebook.run(*notebook.code)


@pytest.fixture(scope="module")
def copied(notebook) -> dict[str, Any]:
    """The names that its cell to copy leaves, which needs no other cell."""
    return notebook.run(notebook.to_copy)
