"""Notebooks are committed as run, short, and have a picture, an answer, and a cell to copy.

`test_notebook_claims.py` runs them, and holds what they say to what their cells find.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib

import pytest
from folders import NOTEBOOKS, ROOT

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
# Traces of the machine: its folders, and memory addresses.
LEFT_BEHIND = re.compile(r"/(?:home|root|tmp|work|Users)/|0x[0-9a-f]{8,16}\b| at 0x")


def test_each_has_its_tests():
    claims = (ROOT / "tests" / "test_notebook_claims.py").read_text(encoding="utf-8")
    assert {path.stem for path in PATHS} == {*re.findall(r"^def test_(\w+)", claims, re.M)}


def test_their_extra_has_what_they_import_and_read():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = {re.match(r"\w+", one)[0] for one in project["optional-dependencies"]["notebooks"]}
    code = "\n".join(text for path in PATHS for text in sources(path))
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", code, re.M)) - sys.stdlib_module_names
    # IPython comes with JupyterLab, numpy with the package.
    assert imported - {"IPython", "numpy", "provably_fair", "pytest_provably_fair"} <= extra
    assert "pyarrow" in extra or not re.search(r"\b(verify|audit)\(\s*\"[^\"]+\.csv\"", code)


def sources(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in code_of(cells)]


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def cells(request):
    return json.loads(request.param.read_text(encoding="utf-8"))["cells"]


def code_of(cells):
    return [cell for cell in cells if cell["cell_type"] == "code"]


def text_of(cells):
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_it_is_committed_as_it_ran(cells):
    code = code_of(cells)
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert any("image/png" in output.get("data", {}) for output in outputs), "no picture"
    for output in outputs:
        assert output["output_type"] != "error"
        assert output.get("name") != "stderr", output.get("text")
        texts = [output.get("text", [])]
        texts += [text for kind, text in output.get("data", {}).items() if kind.startswith("text/")]
        for text in map("".join, texts):
            # The plain text form of table objects contains an address.
            shown = re.sub(r"<pandas\.io\.formats\.style\.Styler at 0x\w+>", "", text)
            assert not LEFT_BEHIND.search(shown), text


def test_it_is_short_and_hides_nothing(cells):
    code = code_of(cells)
    assert len(code) <= 25
    assert len("".join(code[0]["source"]).splitlines()) <= 12
    for cell in code:
        assert "tags" not in cell["metadata"]
        assert "jupyter" not in cell["metadata"]
        assert not re.search(r"^\s*assert\b|\bdef check\(", "".join(cell["source"]), re.M)


def test_it_begins_with_a_picture_or_a_table(cells):
    first = next(output for cell in code_of(cells) for output in cell["outputs"])
    data = first.get("data", {})
    assert "image/png" in data or "<table" in "".join(data.get("text/html", ""))


def test_it_asks_one_question_and_answers_in_bold(cells):
    text = text_of(cells)
    assert len(re.findall(r"\*\*The question: [^*]+\?\*\*", text)) == 1
    assert len(re.findall(r"\*\*The answer[ :]", text)) == 1
    questions = re.findall(r"^## .+\?$", text, re.M)
    # Each question in the text has its own answer.
    assert len(questions) <= len(re.findall(r"^\*\*[A-Z].+", text, re.M))
    assert re.search(r"^## The answers?\n", text, re.M)


def test_it_has_a_cell_to_copy(cells):
    texts = ["".join(cell["source"]) for cell in cells]
    if all("import provably_fair as pf" in "".join(cell["source"]) for cell in code_of(cells)):
        return  # each cell is independent
    place = next(i for i, text in enumerate(texts) if re.search(r"^## A cell to copy$", text, re.M))
    assert cells[place + 1]["cell_type"] == "code"
    assert re.search(r"^(import|from) ", texts[place + 1], re.M)


def test_pictures_say_what_they_show(cells):
    for cell in code_of(cells):
        if any("image/png" in output.get("data", {}) for output in cell["outputs"]):
            assert len(cell["metadata"]["mystnb"]["image"]["alt"]) > 20
