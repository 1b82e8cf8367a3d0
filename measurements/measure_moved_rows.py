"""Measure what `locate` says of honest records in which rows were moved.

    python measurements/measure_moved_rows.py

It plays records of 300 rows with the package itself (`moved` of `tests/locating/records.py`) and writes
`measurements/moved_rows.json`. Of each game, kind of move and share of missing games: "records", "placed"
rows, rows placed "elsewhere" than they lie, rows called "misread" or "doubtful", none of which is, and rows
named as "moved". The seeds are others than those by which the limits in `locating/moved.py` were chosen.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
from locating.records import MOVES, found, moved

RESULTS = folders.MEASUREMENTS / "moved_rows.json"
RECORDS, FIRST_SEED = 30, 1000
NAMES = ("bustabit.v2", "stake.crash", "blaze.double")
MISSING = (0.0, 0.05)


def measured(name: str, how: str, missing: float) -> dict[str, object]:
    """Return counts over records of one kind."""
    counts = dict.fromkeys(("placed", "elsewhere", "misread", "doubtful", "moved"), 0)
    for seed in range(FIRST_SEED, FIRST_SEED + RECORDS):
        record = moved(name, how, seed, missing)
        location = found(record)
        there = location.rows >= 0
        counts["placed"] += location.placed
        counts["elsewhere"] += int((location.rows[there] != record.places[there]).sum())
        counts["misread"] += len(location.misread)
        counts["doubtful"] += len(location.doubtful)
        counts["moved"] += len(location.moved)
    return {"game": name, "moves": how, "missing": missing, "records": RECORDS, **counts}


def main() -> None:
    records = []
    for missing in MISSING:
        for how in MOVES:
            for name in NAMES:
                records.append(measured(name, how, missing))
                print(json.dumps(records[-1]), flush=True)
    kept = {"command": "python measurements/measure_moved_rows.py", "records": records}
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
