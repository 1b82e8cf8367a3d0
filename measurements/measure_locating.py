"""What `locate` names in records with one changed outcome, and whether it places random series.

    python measurements/measure_locating.py

It plays records with the package itself and writes `measurements/locating.json`:

- "planted": records of 100 to 5,000 rows, in either direction, with up to a fifth of the games missing and
  up to three swapped pairs, in which one outcome was changed. "named": the changed row, where its neighbors
  are its neighbors on the chain and no other row can be the changed one. "accused": rows that were named and
  hadn't been changed. "elsewhere": rows with a place that isn't theirs. At such a place they show the
  outcome: the record is, to the last row, also that of other games;
- "random": series of independent outcomes of each game's law, and how many were placed;
- "short": genuine series of a few rows without holes, among a million games, and how many were placed.

It takes about 25 minutes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf
from locating.records import GAMES, LENGTH, chain, found, planted, random_series

RESULTS = folders.MEASUREMENTS / "locating.json"
PLANTED, RANDOM, ROWS, SHORT = 1000, 10_000, 200, 20
MILLION = 1_000_000
LENGTHS = (4, 6, 8, 10, 12, 14, 16, 20)
NAMES = tuple(GAMES)
_OTHER = "elsewhere_with_another_outcome"


def planted_changes(records: int) -> dict[str, int]:
    """Return what was named in records with one changed outcome."""
    counts: Counter[str] = Counter(records=records)
    for seed in range(records):
        record = planted(NAMES[seed % len(NAMES)], seed)
        location = found(record)
        there = np.flatnonzero(location.rows >= 0)
        named = record.changed in location.misread
        told = record.between_neighbors and record.is_told
        wrong = there[location.rows[there] != record.places[there]]
        wrong = wrong[wrong != record.changed]
        shown = chain(record.name)[1][location.rows[wrong]] == record.rows[wrong]
        counts += Counter(
            rows=len(record.rows),
            placed=len(there),
            series_placed=location.game is not None,
            told=told,
            told_and_named=told and named,
            others_named=not told and named,
            accused=len(set(location.misread.tolist()) - {record.changed}),
            elsewhere=len(wrong),
            **{_OTHER: int((~shown).sum())},
        )
    names = (
        "told",
        "told_and_named",
        "others_named",
        "accused",
        "elsewhere",
        "elsewhere_with_another_outcome",
    )
    return {name: counts[name] for name in ("records", "rows", "placed", "series_placed", *names, _OTHER)}


def random_placed(series: int) -> dict[str, int]:
    """Return how many series of independent outcomes were placed."""
    counts = {"series": series, "rows": ROWS, "placed": 0, "with_a_pvalue_below_0.01": 0}
    for seed in range(series):
        name = NAMES[seed % len(NAMES)]
        rows = random_series(name, ROWS, seed)
        location = pf.locate(rows, GAMES[name], anchor=chain(name)[0], limit=LENGTH - 1)
        counts["placed"] += location.game is not None
        counts["with_a_pvalue_below_0.01"] += location.pvalue < 0.01
    return counts


def short_placed(series: int) -> list[dict[str, object]]:
    """Return how many short series were placed, by game and number of rows."""
    found = []
    for name in ("blaze.double", "blaze.crash"):
        anchor, outcomes = chain(name, MILLION)
        for rows in LENGTHS:
            placed = right = 0
            for place in np.linspace(1000, MILLION - 1000, series).astype(int).tolist():
                given = outcomes[place : place + rows]
                location = pf.locate(given, GAMES[name], anchor=anchor, limit=MILLION - 1)
                placed += location.game is not None
                there = location.rows >= 0
                right += bool((location.rows[there] == np.arange(place, place + rows)[there]).all())
            found.append({"game": name, "rows": rows, "series": series, "placed": placed, "right": right})
    return found


def main() -> None:
    results = {
        "command": "python measurements/measure_locating.py",
        "planted": planted_changes(PLANTED),
        "random": random_placed(RANDOM),
        "short": short_placed(SHORT),
    }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
