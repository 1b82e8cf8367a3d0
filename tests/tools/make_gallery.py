"""Writes the gallery of logs, python/provably_fair/auditing/gallery.json.gz, with the oracles alone.

python tests/tools/make_gallery.py
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders
import oracles.gallery

FILE = folders.PYTHON / "provably_fair" / "auditing" / "gallery.json.gz"


def described(made: oracles.gallery.Made) -> dict:
    """A log as the file stores it."""
    return {
        "name": made.name,
        "what": made.what,
        "game": made.game,
        "claimed": made.claimed or made.game,
        "bet": made.bet,
        "options": made.options,
        "expected": [[kind, severity, made.marked(kind) or None] for kind, severity in made.planted.items()],
        "allowed": made.also,
        "failed": made.marked(oracles.gallery.FAILS),
        "log": made.columns(),
    }


def content() -> dict:
    """The contents of the file."""
    return {
        "honest": [described(made) for made in oracles.gallery.honest()],
        "cheats": [described(made) for made in oracles.gallery.cheats()],
    }


if __name__ == "__main__":
    text = json.dumps(content(), separators=(",", ":"))
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
