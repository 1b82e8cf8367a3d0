"""Makes the package's file of published rounds: `python tests/tools/make_published.py`.

They are the rounds of the corpus; for the longest series, its sample.
"""

from __future__ import annotations

import gzip
import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from folders import PYTHON
from published_rounds import ROUNDS

FILE = PYTHON / "provably_fair" / "operators" / "published.json.gz"


def groups() -> list[dict[str, Any]]:
    """Return the rounds, grouped by game, source and date."""
    by_source: dict[str, dict[str, Any]] = {}
    for rounds in ROUNDS.values():
        for one in rounds:
            name = one.game.name
            seeds = {key: value for key, value in one.fields.items() if key in ("server_seed", "client_seed")}
            head = {
                "game": name,
                "parameters": {field.name: getattr(one.game, field.name) for field in fields(one.game)},
                "known": one.known,
                "date": one.date,
                "source": one.source,
                "fields": seeds,
            }
            group = by_source.setdefault(json.dumps(head), {**head, "rounds": []})
            own = {key: value for key, value in one.fields.items() if key not in seeds}
            group["rounds"].append([own, one.outcome])
    return list(by_source.values())


def text() -> str:
    """Return the rounds as JSON."""
    return json.dumps(groups(), ensure_ascii=False)


if __name__ == "__main__":
    FILE.write_bytes(gzip.compress(text().encode(), mtime=0))
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")
