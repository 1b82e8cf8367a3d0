"""Comments and docstrings begin with what they speak of. Spelling, which is American, is for `typos`."""

from __future__ import annotations

import ast
import io
import re
import tokenize

import pytest
from folders import ROOT

pytestmark = pytest.mark.skipif(not (ROOT / "Cargo.toml").exists(), reason="needs the source's folder")

# "What is left", "Who hasn't begun": a clause in place of a noun. A question, or a "Whatever ...," before a
# comma, is fine.
WORD = re.compile(r"(What|Who|Whoever|Whatever|Whose)\b")
CLAUSE = re.compile(WORD.pattern + r"[^,?]*(?:[.:;]|$)")
FOLDERS = ("python", "benches", "measurements", "examples", "fuzz", "docs/_ext", "tests")


def files():
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.py"))


def beginnings(source):
    """Return the first lines of comments and docstrings."""
    tokens = [*tokenize.generate_tokens(io.StringIO(source).readline)]
    comments = {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}
    yield from (text.lstrip("# ") for line, text in comments.items() if line - 1 not in comments)
    for node in ast.walk(ast.parse(source)):
        # Also strings below an assignment, which document it.
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value).strip().partition("\n")[0]


def test_sentences_begin_with_a_noun_or_a_verb():
    found = {
        path.relative_to(ROOT).as_posix(): clauses
        for path in files()
        if WORD.search(text := path.read_text(encoding="utf-8"))  # few files are worth parsing
        and (clauses := [*filter(CLAUSE.match, beginnings(text))])
    }
    assert found == {}


@pytest.mark.parametrize(
    ("source", "clauses"),
    [
        ("x = 1  # What is left over.", ["What is left over."]),
        ("# Whatever the order, sums are equal.\n# What follows a line isn't its beginning.\nx = 1", []),
        ('"""What is it?"""', []),
        ('def f():\n    """Who hasn\'t begun yet.\n\n    More.\n    """', ["Who hasn't begun yet."]),
    ],
)
def test_clauses_are_found(source, clauses):
    assert [*filter(CLAUSE.match, beginnings(source))] == clauses
