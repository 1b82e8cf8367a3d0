"""The convention of commits in CONTRIBUTING.md, as the hook checks it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from folders import ROOT
from tools.check_commits import mistakes

HOOK = ROOT / "tests" / "tools" / "check_commits.py"


@pytest.mark.parametrize(
    "message",
    [
        "audits: count overlapping exports once",
        "src/schemes: `below` refuses 0\n\nBecause a remainder by 0 is none.\n\n# a comment of git's",
        "Merge branch 'times'",
        "\n\nbets: add rounded returns",
    ],
)
def test_messages_that_follow_it_pass(message):
    assert mistakes(message) == []


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("", "must not be empty"),
        ("# only comments", "must not be empty"),
        ("Counts that may be empty are compared by one function", "area: imperative"),
        ("audits: Count overlapping exports once", "lower case"),
        ("Audits: count overlapping exports once", "lower case"),
        ("audits: count overlapping exports once.", "full stop"),
        ("audits: " + "x" * 65, "at most 72 characters, got 73"),
        ("audits: count once\nbecause", "blank line"),
    ],
)
def test_others_are_refused(message, said):
    assert any(said in mistake for mistake in mistakes(message))


def test_the_hook_reads_the_file_that_git_gives(tmp_path):
    for text, code in [("audits: count once\n", 0), ("Audits counted\n", 1)]:
        (tmp_path / "message").write_text(text)
        run = subprocess.run([sys.executable, HOOK, tmp_path / "message"], capture_output=True, timeout=60)
        assert run.returncode == code, run.stderr
