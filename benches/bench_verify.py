"""Verification against play: how much of the rate of `play` a log's check keeps, and its memory.

    python benches/bench_verify.py [rows]

Writes Parquet logs of dice into a temporary folder: one with a single server seed, one with a server
seed of its own in every row. Each is verified on one thread, in a process of its own, in turns with
`play` on salts (and seeds) that are ready in memory. The median rate of each and their ratios are
printed, and the largest resident memory of a verifying process.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import provably_fair as pf

PIECE = 1 << 18
REPEATS = 3

VERIFY = """
import json, pathlib, sys, time
import provably_fair as pf
start = time.perf_counter()
report = pf.verify(sys.argv[1], pf.Dice(), threads=1)
seconds = time.perf_counter() - start
assert report.ok and report.checked == int(sys.argv[2]), report
# Not ru_maxrss: that starts from the size of the process that forked this one.
status = pathlib.Path("/proc/self/status").read_text()
peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
print(json.dumps([seconds, peak]))
"""


def write(path: Path, rows: int, own_seeds: bool) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema(
        [(n, pa.string()) for n in ("server_seed", "client_seed", "salt")] + [("outcome", "f8")]
    )
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, PIECE):
            count = min(PIECE, rows - start)
            salts = pf.salts(count, start=start)
            server = pf.salts(count, "server", start) if own_seeds else np.full(count, b"0" * 64)
            outcomes = pf.Dice().play(server, "client", salts)
            columns = [pa.array(c, pa.binary()).cast(pa.string()) for c in (server, salts)]
            client = pa.array(["client"] * count)
            writer.write_table(pa.table([columns[0], client, columns[1], pa.array(outcomes)], schema=schema))


def play(rows: int, own_seeds: bool) -> float:
    """Seconds of `play` for a number of rows, on ready seeds."""
    rows = min(rows, 2_000_000)
    salts = pf.salts(rows)
    server = pf.salts(rows, "server") if own_seeds else "0" * 64
    out = np.empty(rows)
    start = time.perf_counter()
    pf.Dice().play(server, "client", salts, out=out, threads=1)
    return (time.perf_counter() - start) / rows


def main(rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for title, own_seeds, bound in (
            ("one server seed", False, 0.6),
            ("a server seed per row", True, 0.4),
        ):
            path = Path(folder) / "log.parquet"
            write(path, rows, own_seeds)
            played, checked, memory = [], [], []
            for _ in range(REPEATS):
                played.append(play(rows, own_seeds))
                done = subprocess.run(
                    [sys.executable, "-c", VERIFY, str(path), str(rows)], check=True, capture_output=True
                )
                seconds, megabytes = json.loads(done.stdout)
                checked.append(seconds / rows)
                memory.append(megabytes)
            ratio = statistics.median(p / c for p, c in zip(played, checked, strict=True))
            print(
                f"{title}: play {1 / statistics.median(played):,.0f} rows/s, "
                f"verify {1 / statistics.median(checked):,.0f} rows/s, "
                f"{ratio:.0%} of play (at least {bound:.0%} wanted), {max(memory):.0f} MB resident"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
