"""Measures how many bets a watch needs to detect a return one point lower, by window.

    python measurements/measure_watch_windows.py [runs] [days] [bets a day]

One game pays a point less than its law, by tilting (`Bet.tilted`). Runs are simulated by daily totals, as in
`measure_watch.py`. The evidence is that of a `Watch` of one game with this window alone, and the alarm is at
1 / level. Beside it is the lower bound on the average for any evidence of this level: log(1 / level), divided
by the relative entropy of the two laws. Results go to `measurements/watch_windows.json`.
"""

from __future__ import annotations

import json
import math
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf
from measure_watch import LAWS, LENGTHS, LEVEL, Games, by_window

RESULTS = folders.MEASUREMENTS / "watch_windows.json"
FAULT = Fraction(1, 100)
WATCHED = {
    "coin": LAWS["coin"],
    "one in four": pf.Distribution([0, 3.96], [3, 1]),
    "double": LAWS["double"],
}
DAYS = {"1d": 1, "7d": 7, "30d": 30, "90d": 90, "365d": 365}


def faulty(law: pf.Distribution) -> np.ndarray:
    """Return the probabilities of a law of 0 and another amount whose return is one point lower."""
    win = float((law.mean(exact=True) - FAULT) / Fraction(str(law.outcomes[-1])))
    return np.array([1 - win, win])


def first_alarms(
    rng: np.random.Generator, law: pf.Distribution, runs: int, days: int, bets: int
) -> dict[str, np.ndarray]:
    """Return by window the number of bets of each run until the alarm; infinite without one."""
    group, limit, alarms = Games(law), -math.log(LEVEL), []
    for _ in range(runs):
        paths, _ = group.paths(*group.by_day(rng.multinomial(bets, faulty(law), size=(1, days))))
        whole, *rolling = by_window(paths[0], list(DAYS.values()))
        named = {"all": whole, **dict(zip(DAYS, rolling, strict=True))}
        usual = [whole, *(named[f"{length}d"] for length in LENGTHS)]
        named["all, 1d, 30d"] = np.logaddexp.reduce(usual, axis=0) - math.log(len(usual))
        alarms.append([(np.flatnonzero(path >= limit)[:1] + 1.0) * bets for path in named.values()])
    times = np.array([[time[0] if len(time) else math.inf for time in run] for run in alarms])
    return dict(zip(named, times.T, strict=True))


def bound(law: pf.Distribution) -> float:
    """Return the lower bound on the average number of bets for any evidence of this level."""
    true = faulty(law)
    return -math.log(LEVEL) / float(true @ np.log(true / law.probabilities))


def main(runs: int = 100, days: int = 2500, bets: int = 2000) -> None:
    """Simulate runs of each law, and write the times of their alarms."""
    rng, laws = np.random.default_rng(62), {}
    for name, law in WATCHED.items():
        times = first_alarms(rng, law, runs, days, bets)
        laws[name] = {
            "return": law.mean(),
            "bound": round(bound(law)),
            "windows": {
                window: {
                    "seen": int(np.isfinite(each).sum()),
                    "mean": float(each.mean()) if np.isfinite(each).all() else None,
                    "median": float(np.median(each)) if np.isfinite(each).mean() > 0.5 else None,
                }
                for window, each in times.items()
            },
        }
        print(name, json.dumps(laws[name]), file=sys.stderr, flush=True)
    result = {
        "command": f"python measurements/measure_watch_windows.py {runs} {days} {bets}",
        "runs": runs, "days": days, "bets_a_day": bets, "level": LEVEL, "fault": float(FAULT), "laws": laws,
    }  # fmt: skip
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
