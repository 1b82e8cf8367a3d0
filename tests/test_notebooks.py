"""Every notebook runs from top to bottom, and is committed with its outputs."""

from __future__ import annotations

import os
import re
from pathlib import Path

import provably_fair as pf
import pytest
from folders import NOTEBOOKS

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
# What a machine left behind: a folder of its own, or where an object lay in memory.
LEFT_BEHIND = re.compile(r"/(?:home|root|tmp|work|Users)/|0x[0-9a-f]{8,16}\b| at 0x")


def source(notebook):
    return nbformat.read(notebook, as_version=4)


def test_there_are_notebooks():
    assert PATHS


@pytest.mark.parametrize("notebook", PATHS, ids=lambda notebook: notebook.stem)
def test_notebook_runs(notebook, monkeypatch):
    # The package that is tested, in the environment that runs the tests.
    package = Path(pf.__file__).resolve().parent.parent
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")]))
    # In notebooks the inline backend draws, whatever the shell asked for.
    monkeypatch.delenv("MPLBACKEND", raising=False)
    client = nbclient.NotebookClient(
        source(notebook), timeout=240, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOKS)}}
    )
    client.execute()


@pytest.mark.parametrize("notebook", PATHS, ids=lambda notebook: notebook.stem)
def test_notebook_is_committed_as_it_ran(notebook):
    cells = [cell for cell in source(notebook).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs), "no picture"
    for output in outputs:
        assert output.output_type != "error"
        assert output.get("name") != "stderr", output.get("text")
        texts = [output.get("text", "")]
        texts += [text for kind, text in output.get("data", {}).items() if kind.startswith("text/")]
        for text in texts:
            assert not LEFT_BEHIND.search(text), text
