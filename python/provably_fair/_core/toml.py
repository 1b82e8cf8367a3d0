"""TOML from others, within bounds, and texts for it."""

from __future__ import annotations

import re
from typing import Any

# The standard library takes a time that grows with the square of a key's parts.
_MOST_PARTS = 100
_TEXTS = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|\'\'\'.*?\'\'\''
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\n]*\'|#[^\n]*',
    re.DOTALL,
)
_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]+[ \t]*\.[ \t]*){{{_MOST_PARTS}}}")


def toml_of(text: str) -> dict[str, Any]:
    """Return the entries of TOML text; raise ValueError if it isn't TOML, or nests too deeply."""
    import tomllib

    if _LONG_KEY.search(_TEXTS.sub("text", text)):
        raise ValueError(f"a key has more than {_MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("arrays or tables are nested too deeply") from None


def toml_text(text: str) -> str:
    """Return text as a string of TOML on one line, for keys and values."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in '\\"':
        return "\\" + character
    code = ord(character)
    return character if character.isprintable() else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
