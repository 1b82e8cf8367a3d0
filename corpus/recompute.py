"""Recomputes every round of the corpus: `make corpus`, or `python corpus/recompute.py [NAME ...]`.

Prints a line a series. A run of all series writes what it found to `recomputed.json`, of which the site makes
its page. The exit code is 1 if a round is wrong, unless its series says that so many are.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
from provably_fair.games.naming import typed_name
from provably_fair.operators.published import PublishedRound

sys.path.insert(0, str(Path(__file__).resolve().parent))
from series import FOLDER, Series, every

KEPT = "recomputed.json"
IN_PART = ("the first values", "three decimals")
"""Parts of outcomes that are known in series that `verify` can't compare."""


@dataclass(frozen=True)
class Recomputed:
    """The result of recomputing a series."""

    name: str
    rows: int
    right: int
    how: str
    """Inputs of the recomputation: seeds; hashes, and whether these lead to the announced end of the
    chain and lie below the anchor; game numbers, or places that were found, below the anchor."""
    reasons: tuple[str, ...]
    """Why rows aren't right; empty if as many aren't as the series says."""
    seconds: float


def recompute(one: Series) -> Recomputed:
    """Recompute the rounds of a series."""
    begin = time.perf_counter()
    if one.has_fields or "anchor" not in one.config:  # `verify` says what is missing
        right, how, reasons = _from_fields(one)
    elif one.field("game_number") is not None:
        right, how, reasons = _from_numbers(one)
    else:
        right, how, reasons = _from_outcomes(one)
    rows, seconds = len(one.values("outcome")), time.perf_counter() - begin
    if rows - right == one.about.get("wrong"):
        reasons = ()
    return Recomputed(one.name, rows, right, how, reasons, seconds)


def _from_fields(one: Series) -> tuple[int, str, tuple[str, ...]]:
    """Recompute rounds that come with seeds or hashes: `verify` does it, or each is played."""
    report = pf.verify(config=one.folder / "series.toml")
    reasons = [str(failure) for failure in report.failures]
    right, how = report.checked - report.failed, "seeds"
    if one.about.get("known") in IN_PART:
        # What wasn't published is a mismatch to `verify`, and all that may be one.
        differing = ("mismatch", "malformed")
        reasons = [str(failure) for failure in report.failures if failure.kind not in differing]
        wrong = [row for row, round in enumerate(one.rounds()) if not round.agrees()]
        reasons += [f"row {row} differs in what is known of it" for row in wrong]
        right = len(one.values("outcome")) - len(reasons)
    hashes, numbers = one.field("game_hash"), one.field("game_number")
    if hashes is not None:
        how = "hashes, end" if "terminating" in one.constants else "hashes"
        if report.unknown:  # such as games from which the announced hash isn't reached
            right, reasons = 0, reasons + list(report.unknown)
    if hashes is not None and numbers is not None and "anchor" in one.config:
        how += ", anchor"
        there = _hashes_of(one, [int(number) for number in numbers]).tolist()
        off = [row for row, pair in enumerate(zip(hashes, there, strict=True)) if pair[0] != pair[1]]
        reasons += [f"row {row} isn't on the anchor's chain" for row in off]
        right = min(right, len(hashes) - len(off))
    return right, how, tuple(reasons)


def _hashes_of(one: Series, numbers: list[int]) -> np.ndarray:
    """Return the hashes of games by number, from the anchor down."""
    (game,) = one.games.values()
    anchor, anchor_number = one.config["anchor"], one.config["anchor_number"]
    before = game.kind.chain.previous(anchor, anchor_number - min(numbers))
    chain = np.concatenate([np.array([anchor], before.dtype), before])
    return chain[anchor_number - np.array(numbers)].astype(str)


def _from_numbers(one: Series) -> tuple[int, str, tuple[str, ...]]:
    """Recompute outcomes with game numbers: the anchor's hash gives each game's."""
    (game,) = one.games.values()
    hashes = _hashes_of(one, [int(number) for number in one.field("game_number") or ()])
    report = pf.verify({"game_hash": hashes, "outcome": one.values("outcome")}, game)
    return report.checked - report.failed, "numbers, anchor", tuple(map(str, report.failures))


def _from_outcomes(one: Series) -> tuple[int, str, tuple[str, ...]]:
    """Recompute outcomes alone: they are located on the anchor's chain."""
    found = pf.locate(config=one.folder / "series.toml")
    nowhere = np.flatnonzero(found.rows < 0).tolist()
    reasons = [
        f"row {row} has a place that isn't sure, or several"
        if row in found.candidates
        else f"row {row} is nowhere on the chain"
        for row in nowhere
    ]
    if len(nowhere) == len(found.rows):
        return 0, "place, anchor", tuple(reasons)
    report = pf.verify(found.log(), found.game)
    reasons += map(str, report.failures)
    return report.checked - report.failed, "place, anchor", tuple(reasons)


# ---- readings ----


@dataclass(frozen=True)
class Excluded:
    """The readings of a game that its rounds exclude, and those that they leave open."""

    readings: int
    open: tuple[str, ...]


def excluded(rounds: Iterable[PublishedRound]) -> dict[str, Excluded]:
    """Return what rounds exclude, by game: a reading is excluded if it gets a round of the game wrong."""
    by_game: dict[str, list[PublishedRound]] = defaultdict(list)
    for one in rounds:
        by_game[typed_name(type(one.game)())].append(one)
    found = {}
    for name, own in sorted(by_game.items()):
        left: set[str] | None = None
        tried = 0
        for game in dict.fromkeys(one.game for one in own):
            its = [one for one in own if one.game == game]
            readings = pf.readings.readings(game)
            tried = max(tried, len(readings))
            open_ = {reading.text for reading in readings if all(_agrees(one, reading.game) for one in its)}
            left = open_ if left is None else left & open_
        found[name] = Excluded(tried, tuple(sorted(left or ())))
    return found


def _agrees(one: PublishedRound, game: pf.Game) -> bool:
    """Whether a reading gives a round; one that can't play it doesn't."""
    with suppress(Exception):
        return one.agrees(game)
    return False


# ---- the program ----


def line(found: Recomputed) -> str:
    """Return a series as a line."""
    return f"{found.name:31}{found.right:7,} of{found.rows:7,}{found.seconds:6.1f} s  {found.how}"


def kept(results: Iterable[Recomputed], readings: dict[str, Excluded]) -> dict[str, Any]:
    """Return what is kept of a run."""
    return {
        "series": {
            one.name: {"rows": one.rows, "right": one.right, "how": one.how, "reasons": list(one.reasons)}
            for one in results
        },
        "readings": {
            name: {"tried": one.readings, "excluded": one.readings - len(one.open), "open": list(one.open)}
            for name, one in readings.items()
        },
    }


def main(names: list[str], folder: Path = FOLDER) -> int:
    """Recompute the named series, or all; return the exit code."""
    begin = time.perf_counter()
    chosen = [one for one in every(folder) if not names or one.name in names]
    if missing := {*names} - {one.name for one in chosen}:
        sys.exit(f"no series {', '.join(sorted(missing))} in {folder}")
    results = []
    for one in chosen:
        results.append(recompute(one))
        print(line(results[-1]), flush=True)
        for reason in results[-1].reasons[:5]:
            print(f"    {reason}")
    wrong = [one.rows - one.right for one in results]
    known = [one.about.get("wrong", 0) for one in chosen]
    readings = excluded(round for one in chosen for round in one.rounds())
    tried = sum(one.readings for one in readings.values())
    left = sum(len(one.open) for one in readings.values())
    print(
        f"{len(results)} series, {sum(one.rows for one in results):,} rounds, "
        f"{sum(wrong):,} wrong, {sum(known):,} of them known; "
        f"{tried - left:,} of {tried:,} other readings excluded; {time.perf_counter() - begin:.0f} s"
    )
    if not names:
        text = json.dumps(kept(results, readings), indent=1, ensure_ascii=False)
        (folder / KEPT).write_text(text + "\n", "utf-8")
    return 0 if wrong == known else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
