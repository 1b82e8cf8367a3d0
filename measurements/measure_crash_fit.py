"""Measure `operators.crash.fit` on made histories, whose laws are known.

    python measurements/measure_crash_fit.py [PART ...]

Histories are made in plain numpy by the rules as operators publish them, and share no code with the fit. It
writes `measurements/crash_fit.json`: of each cell of 200 honest histories how many intervals cover the edge,
which notes there are, and how many divisors are right, open or wrong; how often families are rejected that
are false, at the number of rounds that `rounds_needed` says, and those that are true; what is said of
histories that were filtered, sorted, cut or doubled; the eight chains of notebook 14, with a processor's
seconds. Of named parts it writes these anew.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
from provably_fair.names import given_game

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders

RESULTS = folders.MEASUREMENTS / "crash_fit.json"
HISTORIES, ALTERED, SETS, MOST_ROWS = 200, 100, 200, 200_000
fit = pf.operators.crash.fit


def made(
    random: np.random.Generator,
    rows: int,
    rule: str,
    edge: float = 0.0,
    divisor: int | None = None,
    instant: float = 0.0,
    cap: float | None = None,
) -> np.ndarray:
    """Return a history by a rule: "down", "nearest" or "bustabit", whose first one has an edge of its own."""
    left = 1 - random.random(rows)
    if rule == "bustabit":
        busts = np.floor((100 - (1 - left)) / left) / 100
    elif rule == "down":
        busts = np.maximum(np.floor(100 * (1 - edge) / left), 100) / 100
    else:
        busts = np.maximum(np.floor(100 * (1 - edge) / left + 0.5), 100) / 100
    if cap is not None:
        busts = np.minimum(busts, cap)
    if divisor is not None:
        busts = np.where(random.integers(divisor, size=rows) == 0, instant, busts)
    return busts


def true_edge(rule: str, edge: float = 0.0, divisor: int | None = None, **_: Any) -> float:
    """Return the edge: P(at least x) is (1 - edge) / x for large x."""
    left = 0.99 if rule == "bustabit" else 1 - edge
    return 1 - left * (1 if divisor is None else 1 - 1 / divisor)


CELLS: dict[str, tuple[float, float, str, bool, float | None, bool]] = {
    # rows from, to; rule; an edge or not; the value of instant busts; caps
    "down, few rows": (300, 2_000, "down", True, None, False),
    "down": (2_000, 20_000, "down", True, None, False),
    "down, many rows": (20_000, 100_000, "down", True, None, False),
    "nearest": (300, 100_000, "nearest", True, None, False),
    "bustabit's first rule, few rows": (300, 3_000, "bustabit", False, 0.0, False),
    "bustabit's first rule, many rows": (3_000, 100_000, "bustabit", False, 0.0, False),
    "instant busts at 1.00": (300, 100_000, "bustabit", False, 1.0, False),
    "an edge, and instant busts at 0": (300, 100_000, "down", True, 0.0, False),
    "down, with a cap": (300, 100_000, "down", True, None, True),
    "instant busts, with a cap": (300, 100_000, "bustabit", False, 0.0, True),
}


def drawn(random: np.random.Generator, cell: str) -> tuple[int, dict[str, Any]]:
    """Return the rows and numbers of a history of a cell."""
    low, high, rule, has_edge, instant, has_cap = CELLS[cell]
    rows = int(np.exp(random.uniform(np.log(low), np.log(high))))
    numbers: dict[str, Any] = {"rule": rule}
    if has_edge:
        numbers["edge"] = int(random.integers(0, 21)) / 200
    if instant is not None:
        numbers |= {"divisor": int(random.integers(10, 121)), "instant": instant}
    if has_cap:
        numbers["cap"] = float(random.choice([10, 25, 50, 100, 500, 1000, 10_000]))
    return rows, numbers


def honest(cell: str, count: int = HISTORIES) -> dict[str, Any]:
    """Return counts over honest histories of a cell."""
    counts: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    for number in range(count):
        random = np.random.default_rng([*cell.encode(), number])
        rows, numbers = drawn(random, cell)
        found, edge = fit(made(random, rows, **numbers)), true_edge(**numbers)
        covered = found.low <= edge <= found.high
        counts["covered"] += covered
        if edge >= 0.005:
            counts["of half a percent or more"] += 1
            counts["of these covered"] += covered
        counts["with a note"] += bool(found.notes)
        notes.update(found.notes)
        divisor = numbers.get("divisor")
        counts["divisor right"] += divisor in found.divisors
        counts["divisor open"] += not found.divisors
        counts["divisor wrong"] += bool(found.divisors) and divisor not in found.divisors
        counts["cap found"] += "cap" in numbers and found.cap == numbers["cap"]
        counts["cap wrong"] += found.cap not in (None, numbers.get("cap"))
    kept = {name: int(value) for name, value in counts.items()}
    return {"cell": cell, "histories": count, **kept, "notes": dict(notes)}


TRUE = {
    "bustabit.v1": {"rule": "bustabit", "divisor": 101, "instant": 0.0},
    "bustabit.v2": {"rule": "down", "edge": 0.01},
    "blaze.crash": {"rule": "bustabit", "divisor": 15, "instant": 0.0},
    "roobet.crash": {"rule": "bustabit", "divisor": 33, "instant": 1.0},
    "stake.slide": {"rule": "down", "edge": 0.02},
}


def true_family(name: str, rows: int) -> dict[str, Any]:
    """Return how often a family that is true is rejected."""
    low = {"5 %": 0, "1 %": 0}
    for number in range(SETS):
        pvalue = fit(made(np.random.default_rng([rows, number]), rows, **TRUE[name])).families[name]
        for level, chance in (("5 %", 0.05), ("1 %", 0.01)):
            low[level] += pvalue < chance
    return {"family": name, "rows": rows, "histories": SETS, "rejected at": low}


FALSE = {0.015: "", 0.02: "stake.slide", 0.03: "overgo", 0.04: "", 0.05: "crash", 0.1: ""}


def power(edge: float, family: str) -> dict[str, Any]:
    """Return how often the needed rounds of an edge of 1 % exclude another edge, and reject its family."""
    random = np.random.default_rng(7)
    rows = fit(made(random, 10_000, "down", 0.01)).rounds_needed(edge=edge)
    found = {"edge": edge, "rows": rows}
    if rows > MOST_ROWS:
        return found
    counts = Counter[str]()
    for _ in range(SETS):
        one = fit(made(random, rows, "down", 0.01))
        counts["excluded"] += not one.low <= edge <= one.high
        if family:
            counts["family rejected at 5 %"] += one.families[family] < 0.05
    return {**found, "histories": SETS, **counts}


def repeated(busts: np.ndarray) -> np.ndarray:
    """Return pages of 50 rows, each of which begins with the last ten of the one before."""
    return np.concatenate([busts[max(first - 10, 0) : first + 40] for first in range(0, len(busts), 40)])


ALTERATIONS: dict[str, Any] = {
    "only from 2": lambda busts: busts[busts >= 2],
    "only from 1.2": lambda busts: busts[busts >= 1.2],
    "only from 1.01": lambda busts: busts[busts >= 1.01],
    "sorted": lambda busts: np.sort(busts),
    "sorted, largest first": lambda busts: np.sort(busts)[::-1],
    "pages of 50 sorted": lambda busts: np.concatenate(
        [np.sort(busts[first : first + 50]) for first in range(0, len(busts), 50)]
    ),
    "only below 100": lambda busts: busts[busts < 100],
    "only below 10": lambda busts: busts[busts < 10],
    "tenths": lambda busts: np.floor(np.rint(busts * 100) / 10) / 10,
    "each row twice": lambda busts: np.repeat(busts, 2),
    "all rows twice": lambda busts: np.tile(busts, 2),
    "all rows twice, shuffled": lambda busts: np.random.default_rng(busts.size).permutation(
        np.tile(busts, 2)
    ),
    "overlapping pages": repeated,
}


def altered(how: str, count: int = ALTERED) -> dict[str, Any]:
    """Return what is said of altered histories: told, silent with a right interval, or a wrong claim."""
    counts: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    for number in range(count):
        random = np.random.default_rng([99, *how.encode(), number])
        rows = int(np.exp(random.uniform(np.log(300), np.log(50_000))))
        numbers: dict[str, Any] = {"rule": "down", "edge": int(random.integers(0, 21)) / 200}
        if number % 2:
            instant = float(random.integers(2))
            numbers = {"rule": "bustabit", "divisor": int(random.integers(10, 121)), "instant": instant}
        found = fit(ALTERATIONS[how](made(random, rows, **numbers)))
        notes.update(found.notes)
        right = found.low <= true_edge(**numbers) <= found.high
        counts["told" if found.notes else "silent, and right" if right else "silent, and wrong"] += 1
    return {"altered": how, "histories": count, **counts, "notes": dict(notes)}


CHAINS = {
    "bustabit.v1": (
        1_000_000,
        "e302c7f0419c88df837df4eee345cefb3c35520a49019e3d3494e8adcd0ad5b0",
        4_541_411 - 4_294_810,
    ),
    "ethercrash.crash": (
        1_000_000,
        "728a08f46db8c7499635fae5dacce168240fb7acc289c276c7f675f8d2ded00e",
        408_856,
    ),
    "stake.crash": (1_000_000, "5844bf329a6334074778ab8a5f0960e24f9eec43f83bbd98ac0a9f8bcd87184e", 0),
    "bustabit.v2": (1_000_000, "cfcf238d48ab956c6eb9b39879cfe488fa670cfdbb6c645d30b4c8e1afb2221a", 1_857_840),
    "roobet.crash": (815_326, "822960e79ac367834756e031ed88a5e3a55bd649eb4975e151beb43148711d4a", 0),
    "blaze.crash": (1_000_000, "16fcfdf842d6bfef2ad44ad2a24827fe4dff265c8dbf0e2ee720363a1a0480ae", 354_430),
    "bustabit.v3": (351_333, "0bc786d9ac5a34def3d16f8e6d2bee7f8df2a6d798ebad828647ddd594b471fb", 0),
    "bcgame.crash": (1_000_000, "50fe7c9b26deb719b1b0db09f13f066c6b35a2ec5a87bdd5fb78635befa7866d", 0),
}
"""The chains of notebook 14: the number of games, an anchor, and how many games lie between."""


def chain(name: str) -> dict[str, Any]:
    """Return what a fit says of a chain's games, without their hashes."""
    games, anchor, between = CHAINS[name]
    game = given_game("game", name)
    busts = game.play(game.kind.chain.previous(anchor, between + games)[between:])[::-1]
    begin = time.process_time()
    found = fit(busts)
    seconds = time.process_time() - begin
    likely = [other for other, pvalue in found.families.items() if pvalue >= 0.01]
    return {
        "chain": name,
        "rows": games,
        "edge": [round(value, 5) for value in (found.low, found.edge, found.high)],
        "game": found.to_dict()["game"],
        "divisors": list(found.divisors),
        "families": likely,
        "notes": list(found.notes),
        "seconds": round(seconds, 2),
    }


def main() -> None:
    kept: dict[str, Any] = {"command": "python measurements/measure_crash_fit.py"}
    if sys.argv[1:]:  # some parts anew
        kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    parts: dict[str, Any] = {
        "honest": [(honest, (cell,)) for cell in CELLS],
        "true families": [(true_family, (name, rows)) for name in TRUE for rows in (300, 3000, 30_000)],
        "power": [(power, one) for one in FALSE.items()],
        "altered": [(altered, (how,)) for how in ALTERATIONS],
        "chains": [(chain, (name,)) for name in CHAINS],
    }
    for part in sys.argv[1:] or parts:
        kept[part] = []
        for function, arguments in parts[part]:
            kept[part].append(function(*arguments))
            print(json.dumps(kept[part][-1]), flush=True)
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
