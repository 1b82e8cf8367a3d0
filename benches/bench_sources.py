"""Verification of a large log in a database and in a bucket.

    python benches/bench_sources.py [rows] [--keep]

A table of dice in PostgreSQL and a folder of Hive partitions in S3 (by moto), both served on loopback, are
verified in a process each. Its time and peak memory are printed; `--keep` writes them to sources.json, with
the command. Needs PostgreSQL, and the extras sql and cloud.
"""

from __future__ import annotations

import datetime
import io
import json
import os
import platform
import sys
from pathlib import Path
from urllib.parse import quote

import numpy as np
import provably_fair as pf
import pyarrow as pa
from peers import alone
from pyarrow import csv, parquet

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from tools import servers

PIECE = 100_000
PROMISED = 500
"""Limit in megabytes."""
RESULTS = Path(__file__).with_name("sources.json")

ALONE = """
import sys, time
import provably_fair as pf
log = pf.Query(*sys.argv[1:]) if len(sys.argv) > 2 else sys.argv[1]
start = time.perf_counter()
report = pf.verify(log, "dice")
found = report.checked, time.perf_counter() - start
assert report.ok and not report.repeats.count, report
"""


def piece(start: int, rows: int) -> pa.Table:
    salts = pf.salts(rows, start=start)
    text = pa.array(salts, pa.binary()).cast(pa.string())
    outcomes = pf.Dice().play("server", "client", salts)
    names = ["server_seed", "client_seed", "salt", "outcome"]
    return pa.table([pa.array(["server"] * rows), pa.array(["client"] * rows), text, outcomes], names)


def pieces(rows: int):
    for start in range(0, rows, PIECE):
        yield piece(start, min(PIECE, rows - start))


def measured(name: str, rows: int, *arguments: str) -> dict[str, object]:
    checked, seconds, megabytes = alone(ALONE, *arguments)
    assert checked == rows, checked
    print(f"{name:30} {rows:>12,} rows {seconds:8.1f} s {rows / seconds:>12,.0f} rows/s {megabytes:6.0f} MB")
    assert megabytes < PROMISED, f"{name} took {megabytes:.0f} MB, more than {PROMISED}"
    return {"source": name, "rows": rows, "seconds": round(seconds, 1), "peak_megabytes": round(megabytes)}


def in_postgresql(rows: int) -> dict[str, object]:
    import psycopg

    with servers.postgres() as how:
        with psycopg.connect(**how) as connection, connection.cursor() as cursor:
            cursor.execute(
                "create table bets (server_seed text, client_seed text, salt text, outcome double precision)"
            )
            with cursor.copy("copy bets from stdin (format csv)") as copy:
                for table in pieces(rows):
                    out = io.BytesIO()
                    csv.write_csv(table, out, csv.WriteOptions(include_header=False))
                    copy.write(out.getvalue())
        url = f"postgresql://{how['user']}:{quote(how['password'], safe='')}@127.0.0.1:{how['port']}/postgres"
        return measured("PostgreSQL, a table", rows, "select * from bets", url)


def in_s3(rows: int) -> dict[str, object]:
    import s3fs

    with servers.s3() as environment:
        os.environ.update(environment)
        system = s3fs.S3FileSystem()
        system.mkdir("casino")
        for number, table in enumerate(pieces(rows)):
            out = io.BytesIO()
            parquet.write_table(table.drop_columns("server_seed"), out)
            place = f"casino/bets/server_seed=server/part={number:03}/bets.parquet"
            system.pipe(place, out.getvalue())
        return measured("S3, a folder of partitions", rows, "s3://casino/bets/")


def main() -> None:
    arguments = [word for word in sys.argv[1:] if word != "--keep"]
    rows = int(arguments[0]) if arguments else 10**6
    results = [in_postgresql(rows), in_s3(rows)]
    if "--keep" in sys.argv:
        versions = {"provably_fair": pf.__version__, "python": platform.python_version()}
        versions |= {"pyarrow": pa.__version__, "numpy": np.__version__}
        kept = {
            "command": f"python benches/bench_sources.py {rows} --keep",
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "versions": versions,
            "promised_megabytes": PROMISED,
            "results": results,
        }
        RESULTS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
