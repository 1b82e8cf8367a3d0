"""A watch of 200 games beside verification, on the same Parquet file.

    python benches/bench_watch.py [rows]

Each runs in its own process, on all threads; memory is the peak. The file has thirty days of dice with seeds,
games, channels, groups of players, stakes and payouts. The last result is kept in watch.json.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
from bench_audit import dice, write
from peers import alone

GAMES = 200
RESULTS = Path(__file__).with_name("watch.json")

ALONE = """
import json, sys, time
import provably_fair as pf
GAMES = int(sys.argv[4])
bet = pf.Dice().bet(2, over=51)
start = time.perf_counter()
if sys.argv[1] == "verify":
    assert pf.verify(sys.argv[2], "dice").ok
else:
    options = json.loads(sys.argv[5])
    watch = pf.monitoring.Watch({f"game {i}": bet for i in range(GAMES)}, state=sys.argv[3], **options)
    assert not watch.update(sys.argv[2]).alarms
found = [time.perf_counter() - start]
"""

ALL, DAYS, ROUNDS = ["all"], ["all", "1d", "30d"], ["all", "1000r", "5000r"]
BY = ["channel", "group"]
WATCHES = {
    "verify": {},
    "watch": {"windows": ALL},
    "days": {"windows": DAYS},
    "rounds": {"windows": ROUNDS},
    "by two columns": {"windows": ALL, "by": BY},
    "by, days": {"windows": DAYS, "by": BY},
    "by, rounds": {"windows": ROUNDS, "by": BY},
}
"""The cases: options of the watch."""


def bets(start: int, count: int) -> dict[str, pa.Array]:
    """Return the columns of rows `start` and following."""
    rng = np.random.default_rng(start)
    columns = dice(start, count)
    stakes = rng.choice([0.5, 1, 2, 10], count)
    rows = np.arange(start, start + count)
    return columns | {
        "game": pa.array([f"game {number}" for number in range(GAMES)]).take(
            pa.array(rng.integers(GAMES, size=count))
        ),
        "channel": pa.array(["app", "web", "kiosk"]).take(pa.array(rng.integers(3, size=count))),
        "group": pa.array([f"group {number}" for number in range(8)]).take(
            pa.array(rng.integers(8, size=count))
        ),
        "stake": pa.array(stakes),
        "payout": pa.array(np.where(np.asarray(columns["outcome"]) > 51, 2 * stakes, 0.0)),
        "time": pa.array(rows * (30 * 86_400) // ROWS),
    }


ROWS = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000


def main() -> None:
    """Print seconds and megabytes of each case."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.parquet")
        write(path, bets, ROWS)
        results = []
        print(f"{ROWS:,} rows of {GAMES} games; seconds, MB")
        for what, options in WATCHES.items():
            state = Path(folder, f"{what}.db")
            seconds, memory = alone(ALONE, what, path, state, GAMES, json.dumps(options))
            print(f"{what:16} {seconds:6.1f} {memory:6.0f}", flush=True)
            results.append(
                {"what": what, **options, "seconds": round(seconds, 1), "megabytes": round(memory)}
            )
    kept = {
        "command": f"python benches/bench_watch.py {ROWS}",
        "rows": ROWS,
        "games": GAMES,
        "results": results,
    }
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
