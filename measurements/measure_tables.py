"""Measures time and memory of `Distribution.from_table` on weighted tables of ten million rows.

    python measurements/measure_tables.py [rows]

It writes a table like a slot studio's, with an id, a weight and a payout in hundredths, as CSV, zstd of that
and Parquet, and reads each in its own process, whose peak memory Linux reports. The law is compared with sums
in Python. Results are kept in `measurements/tables.json`. It takes a minute.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np

RESULTS = folders.MEASUREMENTS / "tables.json"
ROWS = 10_000_000
VALUES = 8000

READ = """
import json, sys, time
import provably_fair as pf

begin = time.perf_counter()
law = pf.Distribution.from_table(sys.argv[1], value="payout", weight="weight", unit="0.01")
seconds = time.perf_counter() - begin
# The most memory of this program alone: what `resource` says begins with that of the program that started it.
with open("/proc/self/status") as status:
    most = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
mean = law.mean(exact=True)
print(json.dumps({"seconds": round(seconds, 1), "megabytes": round(most), "values": len(law),
                  "total": law.total, "paid": str(mean * law.total * 100)}))
"""


def written(folder: Path, rows: int) -> tuple[dict[str, Path], int, int]:
    """Return the files, the sum of the weights, and that of weights times payouts."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    rng = np.random.default_rng(7)
    payouts = (rng.integers(0, VALUES, rows) ** 2) // 40 * (rng.random(rows) < 0.4)
    weights = rng.integers(1, 2**34, rows)
    table = pa.table({"id": np.arange(rows), "weight": weights, "payout": payouts})
    files = {"CSV": folder / "table.csv", "Parquet": folder / "table.parquet"}
    pyarrow.csv.write_csv(table, files["CSV"])
    pyarrow.parquet.write_table(table, files["Parquet"])
    files["CSV, zstd"] = folder / "table.csv.zst"
    with pa.output_stream(files["CSV, zstd"], compression="zstd") as out:
        out.write(files["CSV"].read_bytes())
    paid = sum(int(w) * int(p) for w, p in zip(weights.tolist(), payouts.tolist(), strict=True))
    return files, int(weights.sum()), paid


def main(rows: int) -> None:
    """Read each file, and write the time and memory that it took."""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        files, total, paid = written(Path(folder), rows)
        for name, path in files.items():
            done = subprocess.run(
                [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True
            )
            one = json.loads(done.stdout)
            assert (one.pop("total"), int(one.pop("paid"))) == (total, paid), name
            results[name] = {**one, "file megabytes": round(path.stat().st_size / 2**20)}
            print(name, results[name])
    kept = {"command": "python measurements/measure_tables.py", "rows": rows, "read": results}
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
