"""Texts of which ports and pages are made: the files of this room, and texts that can stand in a script."""

from __future__ import annotations

import json
from importlib.resources import files


def read(name: str) -> str:
    """Return the text of a file of this room."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def json_of(value: object) -> str:
    """Return JSON that can stand in a script."""
    # ASCII, and no "<": no text ends a script or a comment.
    return json.dumps(value).replace("<", "\\u003c")


def bare(text: str) -> str:
    """Return a text without quotes around it, in a line that stays in its comment."""
    return json_of(text)[1:-1].replace('\\"', '"')
