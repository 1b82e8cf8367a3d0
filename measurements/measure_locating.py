"""Measure what `locate` names in records with one changed outcome, and whether it places random series.

    python measurements/measure_locating.py [PART ...]

It plays records with the package itself and writes `measurements/locating.json`; other parts in it stay as
they are. The parts:

- "planted": records of 100 to 5,000 rows, in either direction, with up to a fifth of the games missing and
  up to three swapped pairs, in which one outcome was changed. "between": the neighbors of this row are its
  neighbors on the chain. "told": moreover, the probability that the row was changed is at least 0.999 under
  the distribution from which the records are drawn, computed by a second method (`Record.chance`). Naming
  other rows accuses honest ones as well. "not_named": the rows between their neighbors that weren't named,
  with this probability, that of `Location.doubtful`, and what else the record may be. "doubtful": all rows
  in `Location.doubtful` that weren't changed. "accused": rows that were named but not changed.
  "elsewhere": rows placed elsewhere than they lie, but on a game with the same outcome. The model's constants
  were chosen on other records (`src/locating/model.rs`);
- "random": series of independent outcomes of each game, and how many were placed;
- "short": genuine series of a few rows without holes, among a million games, and how many were placed;
- "clones": simulated clones of both rules, on both kinds of chain: how often `identify` finds the parameters
  from rows with hashes, and from numbers with holes and misread cells and an anchor;
- "large": a million rows with holes and a thousand misread cells, among ten million games.

It takes about an hour of one core.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf
from locating.records import GAMES, LENGTH, Record, chain, clone_of, found, planted, random_series
from provably_fair.games.naming import typed_name
from provably_fair.locating.moved import SURE
from provably_fair.locating.search import BOUND

RESULTS = folders.MEASUREMENTS / "locating.json"
PLANTED, SHORT = 1000, 20
RANDOM = {200: 10_000, 100: 1000, 50: 1000, 20: 1000, 10: 1000, 5: 1000}
"""The number of random series by their number of rows."""
CLONES = {"hashes": 1000, "numbers": 300}
MILLION = 1_000_000
LENGTHS = {"blaze.double": (8, 9, 10, 11, 12, 13), "blaze.crash": (3, 4, 5, 6, 7, 8)}
"""The numbers of rows of short series."""
NAMES = tuple(GAMES)
_OTHER = "elsewhere_with_another_outcome"


def planted_changes(records: int) -> dict[str, object]:
    """Return how often the changed outcome of a record was named, with details where it wasn't."""
    counts: Counter[str] = Counter(records=records)
    not_named = []
    for seed in range(records):
        record = planted(NAMES[seed % len(NAMES)], seed)
        location = found(record)
        there = np.flatnonzero(location.rows >= 0)
        named = record.changed in location.misread
        between = record.between_neighbors
        told = between and record.chance >= SURE
        if between and not named:
            candidates = location.candidates.get(record.changed, location.rows[[record.changed]])
            not_named.append(
                {
                    "seed": seed,
                    "game": record.name,
                    "chance": float(f"{record.chance:.4g}"),
                    "doubtful": float(f"{location.doubtful.get(record.changed, 0):.4g}"),
                    "why": _why(record, location),
                    "place": int(record.places[record.changed]),
                    "candidates": candidates.tolist(),
                }
            )
        wrong = there[location.rows[there] != record.places[there]]
        shown = chain(record.name)[1][location.rows[wrong]] == record.rows[wrong]
        wrong, shown = wrong[wrong != record.changed], shown | np.isin(wrong, location.misread)
        counts += Counter(
            rows=len(record.rows),
            placed=len(there),
            series_placed=location.game is not None,
            between=between,
            between_and_named=between and named,
            told=told,
            told_and_named=told and named,
            others_named=not between and named,
            accused=len(set(location.misread.tolist()) - {record.changed}),
            doubtful=len(location.doubtful.keys() - {record.changed}),
            elsewhere=len(wrong),
            **{_OTHER: int((~shown).sum())},
        )
    names = (
        "between",
        "between_and_named",
        "told",
        "told_and_named",
        "others_named",
        "accused",
        "doubtful",
        "elsewhere",
        "elsewhere_with_another_outcome",
    )
    kept = {name: counts[name] for name in ("records", "rows", "placed", "series_placed", *names)}
    return {**kept, "not_named": not_named}


def _why(record: Record, location: pf.locating.Location) -> str:
    """Return an explanation of the record in which this row wasn't changed."""
    row = record.changed
    if location.rows[row] >= 0:
        return "an honest record with other holes"
    candidates = location.candidates[row]
    shown = candidates[chain(record.name)[1][candidates] == record.rows[row]]
    if np.isin(shown, record.places[[row - 1, row + 1]]).any():
        return "its equal neighbor may be the changed row"
    if len(shown) and not np.isin(shown, record.places).any():
        return "a missing game nearby has its outcome"
    return "the row and a neighbor may be swapped"


def random_placed(series: dict[int, int]) -> list[dict[str, object]]:
    """Return the number of series of independent outcomes that were placed, by number of rows."""
    found = []
    for rows, count in series.items():
        pvalues = []
        for seed in range(count):
            name = NAMES[seed % len(NAMES)]
            outcomes = random_series(name, rows, seed)
            pvalues.append(pf.locate(outcomes, GAMES[name], anchor=chain(name)[0], limit=LENGTH - 1).pvalue)
        least = float(f"{min(pvalues):.3g}")
        placed = sum(pvalue < BOUND for pvalue in pvalues)
        found.append({"rows": rows, "series": count, "placed": placed, "least_pvalue": least})
    return found


def short_placed(series: int) -> list[dict[str, object]]:
    """Return the number of short series that were placed, by game and number of rows."""
    found = []
    for name, lengths in LENGTHS.items():
        anchor, outcomes = chain(name, MILLION)
        for rows in lengths:
            placed = right = 0
            for place in np.linspace(1000, MILLION - 1000, series).astype(int).tolist():
                given = outcomes[place : place + rows]
                location = pf.locate(given, GAMES[name], anchor=anchor, limit=MILLION - 1)
                placed += location.game is not None
                there = location.rows >= 0
                right += bool((location.rows[there] == np.arange(place, place + rows)[there]).all())
            found.append({"game": name, "rows": rows, "series": series, "placed": placed, "right": right})
    return found


def clones_found(clones: dict[str, int]) -> dict[str, dict[str, int]]:
    """Return how often the parameters of simulated clones were found, and how often wrong ones."""
    found = {}
    for given, count in clones.items():
        counts: Counter[str] = Counter(clones=count)
        for seed in range(count):
            clone = clone_of(seed)
            options: dict[str, Any] = {"constants": {"salt": ["another salt", clone.salt]}}
            log: dict[str, Any] = {"bust": clone.rows}
            if given == "hashes":
                log = {"hash": clone.hashes, "bust": clone.outcomes}
            else:
                options |= {"anchor": clone.anchor, "anchor_limit": LENGTH - 1}
            family = pf.identify(log, **options).family
            game = None if family is None else family.game
            named = game is not None and typed_name(game).partition(" under ")[0]
            divides = clone.divisor is not None
            # Identifying a divisor needs eight instant busts; an edge has no such requirement.
            enough = divides and family is not None and family.instants >= 8
            digits = () if family is None else family.digits
            right = named == (clone.exact if len(digits) > 1 else clone.name)
            counts += Counter(
                divisors=divides,
                enough=enough,
                enough_and_named=enough and right,
                fewer_and_named=divides and not enough and bool(named),
                edges=not divides,
                edges_named=not divides and right,
                digits_told=not divides and len(digits) == 1,
                digits_wrong=not divides and family is not None and clone.digits not in digits,
                wrong=bool(named) and not right,
                silent=family is None,
                divisor_lost=divides and family is not None and clone.divisor not in family.divisors,
            )
        names = (
            "clones",
            "divisors",
            "enough",
            "enough_and_named",
            "fewer_and_named",
            "edges",
            "edges_named",
            "digits_told",
            "digits_wrong",
        )
        found[given] = {name: counts[name] for name in (*names, "wrong", "silent", "divisor_lost")}
    return found


def large_placed(games: int, rows: int) -> dict[str, object]:
    """Return the seconds and the memory of a long record far below the anchor."""
    game = GAMES["bustabit.v1"]
    chain, first = game.kind.chain, games // 100
    played = chain.generate("large", games, start=first + 1, count=rows * 6 // 5)
    anchor = chain.generate("large", games, start=games, count=1)[0].decode()
    outcomes = np.asarray(game.play(played), np.float64)
    rng = np.random.default_rng(1)
    there = np.flatnonzero(rng.random(len(outcomes)) >= 1 / 6)[:rows]
    record, places = outcomes[there], games - 1 - first - there
    changed = rng.choice(len(record), rows // 1000, replace=False)
    record[changed] = np.round(record[changed] + 1, 2)
    del played, outcomes
    before, began = _megabytes(), time.perf_counter()
    location = pf.locate(record, game, anchor=anchor, limit=games - 1)
    seconds = time.perf_counter() - began
    placed = location.rows >= 0
    return {
        "games": games,
        "rows": len(record),
        "placed": location.placed,
        "elsewhere": int((location.rows[placed] != places[placed]).sum()),
        "changed": len(changed),
        "changed_and_named": len(set(changed.tolist()) & set(location.misread.tolist())),
        "accused": len(set(location.misread.tolist()) - set(changed.tolist())),
        "seconds": round(seconds),
        "megabytes_before": round(before),
        "megabytes": round(_megabytes()),
    }


def _megabytes() -> float:
    """Return the peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


PARTS: dict[str, Callable[[], object]] = {
    "large": lambda: large_placed(10 * MILLION, MILLION),  # first, as it measures the whole process
    "planted": lambda: planted_changes(PLANTED),
    "random": lambda: random_placed(RANDOM),
    "short": lambda: short_placed(SHORT),
    "clones": lambda: clones_found(CLONES),
}


def main() -> None:
    parts = sys.argv[1:] or list(PARTS)
    for part in parts:
        made = PARTS[part]()
        print(json.dumps({part: made}, indent=1), flush=True)
        # Other parts may have been measured meanwhile.
        kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        kept |= {"command": "python measurements/measure_locating.py", part: made}
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
