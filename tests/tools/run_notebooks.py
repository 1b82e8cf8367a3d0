"""Runs notebooks and keeps their outputs: python tests/tools/run_notebooks.py 03 12."""

from __future__ import annotations

import sys
from pathlib import Path

import nbclient
import nbformat

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"

for start in sys.argv[1:]:
    for path in sorted(FOLDER.glob(f"{start}*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        where = {"metadata": {"path": str(FOLDER)}}
        options = {"resources": where, "record_timing": False, "coalesce_streams": True}
        nbclient.NotebookClient(notebook, **options).execute()
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        nbformat.write(notebook, path)
        print(path.name)
