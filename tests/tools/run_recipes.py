"""Runs the recipes for other tools, `docs/howto/other_tools.md`, with the tools themselves.

The page's blocks that are files run one by one, each in its own process, with their assertions::

    python tests/tools/run_recipes.py PYTHON

PYTHON has pandera, Great Expectations, Spark and pyarrow; `make recipes` creates one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from folders import ROOT
from test_pages import blocks_of

PAGE = ROOT / "docs" / "howto" / "other_tools.md"


def recipes() -> dict[str, str]:
    """Return the page's files by name."""
    blocks = blocks_of(PAGE.read_text(encoding="utf-8"))
    return {block.caption: block.code for block in blocks if block.caption is not None}


def main(python: str) -> None:
    # Otherwise Spark starts its workers with the first Python on the path.
    own = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYSPARK_PYTHON": python}
    with tempfile.TemporaryDirectory() as folder:
        for name, code in recipes().items():
            (Path(folder) / name).write_text(code, encoding="utf-8")
            done = subprocess.run(
                [python, name], cwd=folder, env=own, capture_output=True, text=True, timeout=600
            )
            if done.returncode:
                sys.exit(f"{name}: {done.stderr[-3000:]}")
            print(f"{name}: {done.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
