"""Checks commit messages: the one in FILE, or with `--since REV` all later ones."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

LONGEST = 72
SUBJECT = re.compile(r"[a-z][a-z0-9_/.+ -]{1,24}: [a-z0-9`_.]")
# Written by git itself; a rebase replaces the messages of `git commit --fixup`.
MADE_BY_GIT = re.compile(r"Merge |Revert |fixup! |squash! |amend! ")


def mistakes(message: str) -> list[str]:
    """Return the mistakes in a commit's message, a sentence each."""
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    while lines and not lines[0].strip():
        del lines[0]
    if not lines:
        return ["the message must not be empty"]
    subject, body = lines[0], lines[1:]
    if MADE_BY_GIT.match(subject):
        return []
    wrong = []
    if len(subject) > LONGEST:
        wrong.append(f"the subject must have at most {LONGEST} characters, got {len(subject)}")
    if not SUBJECT.match(subject):
        wrong.append("the subject must read `area: imperative`, area and first word in lower case")
    if subject.endswith("."):
        wrong.append("the subject must not end in a full stop")
    if body and body[0].strip():
        wrong.append("a blank line must separate subject and body")
    return wrong


def messages_since(revision: str) -> list[str]:
    """Return the messages of all commits after a revision, without merges."""
    log = ["git", "log", "--no-merges", "--format=%B%x00", f"{revision}..HEAD"]
    out = subprocess.run(log, check=True, capture_output=True, text=True).stdout
    return [text.strip() for text in out.split("\0") if text.strip()]


def main(arguments: list[str]) -> int:
    """Check the message in a file, or those of many commits; return 1 if one is wrong."""
    match arguments:
        case ["--since", revision]:
            messages = messages_since(revision)
        case [file]:
            messages = [Path(file).read_text(encoding="utf-8")]
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    wrong = 0
    for message in messages:
        for mistake in mistakes(message):
            wrong = 1
            print(f"{message.splitlines()[0] if message else ''!r}: {mistake}", file=sys.stderr)
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
