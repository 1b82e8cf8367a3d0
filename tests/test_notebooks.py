"""Every notebook runs from top to bottom, and is committed with its outputs."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import provably_fair as pf
import pytest
from folders import NOTEBOOKS

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
jupyter_client = pytest.importorskip("jupyter_client")
pytest.importorskip("ipykernel")

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
# What a machine left behind: a folder of its own, or where an object lay in memory.
LEFT_BEHIND = re.compile(r"/(?:home|root|tmp|work|Users)/|0x[0-9a-f]{8,16}\b| at 0x")


def source(notebook):
    return nbformat.read(notebook, as_version=4)


def test_there_are_notebooks():
    assert PATHS


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """One kernel for all notebooks: most of what a small one takes is imports.

    Kernels choose free ports before they listen on them, so two that start at once may choose the same; files
    in place of ports have names of their own.
    """
    # The package that is tested. In notebooks the inline backend draws, whatever the shell asked for.
    package = Path(pf.__file__).resolve().parent.parent
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    environment["PYTHONPATH"] = os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")])
    where = {"transport": "ipc", "ip": str(tmp_path_factory.mktemp("kernel") / "ipc")}
    manager = jupyter_client.KernelManager(
        kernel_name="python3", **(where if sys.platform == "linux" else {})
    )
    manager.start_kernel(cwd=str(NOTEBOOKS), env=environment)
    yield manager
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("notebook", PATHS, ids=lambda notebook: notebook.stem)
def test_notebook_runs(notebook, kernel):
    content = source(notebook)
    # Without the names of the notebook before, and in the folder.
    for line in f"%cd -q {NOTEBOOKS}", "%reset -f":
        content.cells.insert(0, nbformat.v4.new_code_cell(line))
    client = nbclient.NotebookClient(content, km=kernel, timeout=240, startup_timeout=240)
    client.execute()
    client.kc.stop_channels()


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
