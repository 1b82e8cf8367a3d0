"""Writes the gallery of logs, tests/vectors/gallery.json.gz, with the oracles alone.

python tests/tools/make_gallery.py
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracles.gallery
from folders import GALLERY


def described(log: oracles.gallery.Made) -> dict:
    """Return a log in the format of the file."""
    return {
        "name": log.name,
        "what": log.what,
        "game": log.game,
        "claimed": log.claimed or log.game,
        "bet": log.bet,
        "options": log.options,
        "expected": [[kind, severity, log.marked(kind) or None] for kind, severity in log.planted.items()],
        "allowed": log.also,
        "failed": log.marked(oracles.gallery.FAILS),
        "log": log.columns(),
    }


def content() -> dict:
    """Return the content of the file."""
    return {
        "honest": [described(log) for log in oracles.gallery.honest()],
        "cheats": [described(log) for log in oracles.gallery.cheats()],
    }


if __name__ == "__main__":
    text = json.dumps(content(), separators=(",", ":"))
    GALLERY.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{GALLERY.name}: {GALLERY.stat().st_size:,} bytes")
