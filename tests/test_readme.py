"""The README's Python runs as it stands, from top to bottom, as one session."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks():
    """Every Python block with the number of its first line."""
    text = README.read_text(encoding="utf-8")
    return [(text.count("\n", 0, match.start(1)) + 1, match[1]) for match in BLOCK.finditer(text)]


def run_session(line, code, namespace):
    """Blocks written as an interactive session: what is shown must be what comes out."""
    example = doctest.DocTestParser().get_doctest(
        code, namespace, f"README line {line}", str(README), line - 1
    )
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    output: list[str] = []
    example.globs = namespace  # not a copy: later blocks go on from here
    runner.run(example, out=output.append, clear_globs=False)
    assert not runner.failures, "".join(output)


def test_readme_has_examples():
    assert blocks()


def test_readme_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    namespace: dict = {"__name__": "__main__"}
    for line, code in blocks():
        if ">>>" in code:
            run_session(line, code, namespace)
            continue
        try:
            # Blank lines in front make a traceback show the README's own line numbers.
            exec(compile("\n" * (line - 1) + code, str(README), "exec"), namespace)
        except Exception as error:
            pytest.fail(f"README line {line}: {type(error).__name__}: {error}\n\n{code}")
