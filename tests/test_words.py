"""Replaced words don't return to docstrings, comments, pages and notebooks.

Names in code and printed texts aren't checked, since some are part of the interface, such as "neighbours
equal".
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize

import pytest
from folders import ROOT

pytestmark = pytest.mark.skipif(not (ROOT / "Cargo.toml").exists(), reason="needs the source's folder")

# Patterns of replaced words, and their replacements.
REPLACED = {
    r"as of `": "see `",
    r"so many\b(?! (as|that)\b)": "this many; a number of",
    r"but for\b": "except for; without",
    r"anew\b": "again",
    r"seldom\b": "rarely",
    r"mend(s|ed|ing)?\b": "fix, repair",
    r"for ever\b": "forever",
    r"any more(?=[.,;:])": "no longer; anymore",
    r"as of (another|the same) (function|method)": "see",
    r"strangers?\b": "untrusted text; what is unexpected",
    r"awaited\b": "expected",
    r"what is to be known of": "the thing itself",
    r"its head says": "the top of the file says",
    r"\w*colour\w*": "color",
    r"centred?\b": "center",
    r"neighbour\w*": "neighbor",
    r"behaviour\w*": "behavior",
    r"favour\w*": "favor",
    r"honour\w*": "honor",
    r"licences?\b": "license",
    r"catalogues?\b": "catalog",
    r"judgement": "judgment",
    r"artefact": "artifact",
    r"labell(ed|ing)": "labeled, labeling",
    r"modell(ed|ing)": "modeled, modeling",
    r"cancell(ed|ing)": "canceled, canceling",
    r"analys(e|ed|ing)\b": "analyze",
    r"(normal|standard|recogn|organ|optim|minim|maxim|real|initial|random|serial|summar|util|visual|vector|"
    r"character|emphas|general|special|equal|final|parallel|penal|priorit)"
    r"is(e|es|ed|ing|ation|er|ers)\b": "-ize",
    r"whilst\b": "while",
    r"towards\b": "toward",
    r"fulfil\b": "fulfill",
    r"pay tables?\b": "paytable",
}
PATTERN = re.compile(rf"\b(?:{'|'.join(REPLACED)})", re.IGNORECASE)
# Quoted code contains names rather than words; its first backtick is kept.
CODE = re.compile(r"``[^`]*``|(?<!`)`[^`\n]*`(?!`)|\"neighbours equal\"|https?://\S+")

RUST_COMMENT = re.compile(r"//[^\n]*")
PLAIN_COMMENT = re.compile(r"(?:^|\s)#[^\n]*", re.MULTILINE)


def python_texts(source):
    """Comments, and docstrings without their examples."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    # Strings on their own: docstrings of definitions and of variables.
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield re.sub(r"^\s*(>>>|\.\.\.).*$", "", str(node.value.value), flags=re.MULTILINE)


def notebook_texts(source):
    for cell in json.loads(source)["cells"]:
        if cell["cell_type"] == "markdown":
            yield "".join(cell["source"])


TEXTS = {
    ".py": python_texts,
    ".pyi": python_texts,
    ".rs": lambda source: RUST_COMMENT.findall(source),
    ".toml": lambda source: PLAIN_COMMENT.findall(source),
    ".yml": lambda source: PLAIN_COMMENT.findall(source),
    ".md": lambda source: [re.sub(r"```.*?```", "", source, flags=re.DOTALL)],
    ".ipynb": notebook_texts,
}
FOLDERS = ("python", "src", "tests", "docs", "notebooks", "examples", "benches", "fuzz", "corpus", ".github")


def files():
    for path in ROOT.iterdir():
        if path.suffix in TEXTS and path.is_file() and path.name != "CHANGELOG.md":
            yield path
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            generated = {"generated", "__pycache__", ".ipynb_checkpoints"} & set(path.parts)
            linked = path.is_relative_to(ROOT / "docs" / "notebooks")
            if path.suffix in TEXTS and not generated and not linked and path.name != "test_words.py":
                yield path


def replaced(text):
    """The replaced words in a text."""
    return [match[0] for match in PATTERN.finditer(CODE.sub("`", text))]


def test_replaced_words_stay_away():
    found = {}
    for path in files():
        source = path.read_text(encoding="utf-8")
        # What isn't in a file isn't in its comments: to take it apart takes longest.
        texts = TEXTS[path.suffix](source) if PATTERN.search(source) else ()
        words = [word for text in texts for word in replaced(text)]
        if words:
            found[path.relative_to(ROOT).as_posix()] = words
    assert found == {}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('"""As of `play`."""', ["As of `"]),
        ("colour = 'centre'", []),
        ("x = 1  # a neighbouring line, standardised", ["neighbouring", "standardised"]),
        ('def f():\n    """Otherwise raised, promised."""', []),
    ],
)
def test_words_are_found(source, words):
    assert [word for text in python_texts(source) for word in replaced(text)] == words
