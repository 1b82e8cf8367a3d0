"""Runs notebooks and saves their outputs: python tests/tools/run_notebooks.py 03 12."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import nbclient
import nbformat

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"

for start in sys.argv[1:]:
    for path in sorted(FOLDER.glob(f"{start}*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        # They run in an empty folder: they need no files and leave none.
        with tempfile.TemporaryDirectory() as elsewhere:
            where = {"metadata": {"path": elsewhere}}
            options = {"resources": where, "record_timing": False, "coalesce_streams": True}
            nbclient.NotebookClient(notebook, **options).execute()
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        nbformat.write(notebook, path)
        print(path.name)
