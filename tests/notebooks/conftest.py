"""Fixtures for testing notebooks: their text, and the variables they define."""

from __future__ import annotations

import ast
import json
import re
from functools import cached_property
from typing import Any

import pytest
from folders import NOTEBOOKS


class Notebook:
    """A notebook's text, and the variables left by its cells when run here in an empty folder."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        self.sources = [(cell["cell_type"], "".join(cell["source"])) for cell in cells]

    @cached_property
    def text(self) -> str:
        """Everything but code, one line per paragraph."""
        said = "\n\n".join(source for kind, source in self.sources if kind == "markdown")
        return "\n".join(" ".join(part.split()) for part in re.split(r"\n\n|\n(?=- )", said))

    @cached_property
    def code(self) -> list[str]:
        return [source for kind, source in self.sources if kind == "code"]

    @cached_property
    def to_copy(self) -> str:
        """The first code cell below the heading that announces it."""
        place = next(i for i, (_, text) in enumerate(self.sources) if "\n## A cell to copy\n" in f"\n{text}")
        return next(text for kind, text in self.sources[place:] if kind == "code")

    def run(self, *cells: str) -> dict[str, Any]:
        """The variables after these code cells."""
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
    """The notebook with the test module's number."""
    number = re.search(r"test_(\d\d)", request.path.stem)[1]
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    return Notebook(path, tmp_path_factory.mktemp("elsewhere"))


@pytest.fixture(scope="module")
def ran(notebook) -> dict[str, Any]:
    """The variables after all cells of the notebook."""
    return notebook.run(*notebook.code)


@pytest.fixture(scope="module")
def copied(notebook) -> dict[str, Any]:
    """The variables after the cell to copy, run alone."""
    return notebook.run(notebook.to_copy)
