"""An audit beside verification, on the same files in one run.

    python benches/bench_audit.py [rows] [log ...] [--in-memory | --csv]

Each runs in its own process, on all threads. Printed are wall time, the CPU time of all threads, and peak
memory. The logs are Parquet files, Arrow tables in memory, or CSV. Seeds and salts have 64 characters.

dice       salted dice: a pair of seeds for 100,000 rounds, a salt for each
bets       the same with stakes, payouts, players and times, which verification doesn't read
stake      an operator's dice with nonces and commitments: a pair of seeds for 1,000 rounds
players    the same for 100 players whose rounds are interleaved
rotated    the same with a fresh server seed for every row
money      the same as stake, with stakes, payouts, players and times
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from pathlib import Path

import numpy as np
import provably_fair as pf
import pyarrow as pa
from peers import alone
from pyarrow import csv, parquet

PIECE = 1 << 18
REPEATS = 3

ALONE = """
import sys, time
import provably_fair as pf
import pyarrow.parquet
function = getattr(pf, sys.argv[1])
bets = {"bets": pf.Dice().bet(2, over=51), "money": pf.operators.stake.Dice().bet(over=50.5)}
claimed = {"bet": bets[sys.argv[4]]} if sys.argv[1] == "audit" and sys.argv[4] in bets else {}
log = pyarrow.parquet.read_table(sys.argv[3]) if sys.argv[5] == "--in-memory" else sys.argv[3]
wall, cpu = time.perf_counter(), time.process_time()
report = function(log, sys.argv[2], **claimed)
found = time.perf_counter() - wall, time.process_time() - cpu
verified = report if sys.argv[1] == "verify" else report.verification
assert verified.ok, report
assert not any(f.severity == "proof" for f in getattr(report, "findings", ())), report
"""


def text(column: np.ndarray) -> pa.Array:
    return pa.array(column, pa.binary()).cast(pa.string())


def dice(start: int, count: int) -> dict[str, pa.Array]:
    salts = pf.salts(count, start=start)
    lives = np.arange(start, start + count) // 100_000
    server = pf.salts(int(lives[-1]) + 1, "server")[lives]
    outcome = pf.Dice().play(server, "client", salts)
    columns = {"server_seed": server, "client_seed": np.full(count, b"client"), "salt": salts}
    return {name: text(column) for name, column in columns.items()} | {"outcome": pa.array(outcome)}


def nonces(lives: np.ndarray, numbers: np.ndarray) -> dict[str, pa.Array]:
    servers = pf.salts(int(lives.max()) - int(lives.min()) + 1, "server", int(lives.min()))
    hashes = np.array([hashlib.sha256(seed).hexdigest() for seed in servers.tolist()], "S64")
    own = lives - lives.min()
    server, client = servers[own], np.char.add(b"client ", (lives % 1000).astype("S"))
    outcome = pf.operators.stake.Dice().play(server, client, numbers)
    columns = {"server_seed": server, "client_seed": client, "commitment": hashes[own]}
    return {name: text(column) for name, column in columns.items()} | {
        "nonce": pa.array(numbers),
        "outcome": pa.array(outcome),
    }


def stake(start: int, count: int) -> dict[str, pa.Array]:
    rows = np.arange(start, start + count)
    return nonces(rows // 1000, rows % 1000)


def players(start: int, count: int) -> dict[str, pa.Array]:
    rows = np.arange(start, start + count)
    rounds = rows // 100
    return nonces(rounds // 1000 * 100 + rows % 100, rounds % 1000)


def rotated(start: int, count: int) -> dict[str, pa.Array]:
    return nonces(np.arange(start, start + count), np.zeros(count, np.int64))


def paid(start: int, columns: dict[str, pa.Array], above: float) -> dict[str, pa.Array]:
    outcomes = np.asarray(columns["outcome"])
    rows = np.arange(start, start + len(outcomes))
    stakes = np.random.default_rng(start).choice([0.5, 1, 2, 10], len(outcomes))
    won = outcomes > above
    players = np.char.add(b"player ", (rows // 1000 % 100).astype("S"))
    return columns | {
        "stake": pa.array(stakes),
        "payout": pa.array(np.where(won, 2 * stakes, 0.0)),
        "player": text(players),
        "time": pa.array(np.datetime64("2026-01-01") + (1000 * rows).astype("m8[ms]")),
    }


def bets(start: int, count: int) -> dict[str, pa.Array]:
    return paid(start, dice(start, count), 51)


def money(start: int, count: int) -> dict[str, pa.Array]:
    return paid(start, stake(start, count), 50.5)


LOGS = {
    "dice": (dice, "dice"),
    "bets": (bets, "dice"),
    "stake": (stake, "stake.dice"),
    "players": (players, "stake.dice"),
    "rotated": (rotated, "stake.dice"),
    "money": (money, "stake.dice"),
}


def write(path: Path, make: object, rows: int) -> None:
    writer = None
    for start in range(0, rows, PIECE):
        table = pa.table(make(start, min(PIECE, rows - start)))  # type: ignore[operator]
        if writer is None:
            kind = csv.CSVWriter if path.suffix == ".csv" else parquet.ParquetWriter
            writer = kind(path, table.schema)
        writer.write_table(table)
    writer.close()  # type: ignore[union-attr]


def main() -> None:
    where = next((one for one in ("--in-memory", "--csv") if one in sys.argv), "in a file")
    given = [one for one in sys.argv[1:] if one != where]
    rows = int(float(given[0])) if given else 10_000_000
    chosen = given[1:] or list(LOGS)
    print(f"{rows:,} rows; seconds, seconds of the CPU, MB")
    for name in chosen:
        make, game = LOGS[name]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "log.csv" if where == "--csv" else "log.parquet")
            write(path, make, rows)
            both = "verify", "audit"
            pairs = [[alone(ALONE, what, game, path, name, where) for what in both] for _ in range(REPEATS)]
        verified, audited = (np.median([pair[i] for pair in pairs], axis=0) for i in (0, 1))
        ratio = np.median([audit[:2] / np.array(verify[:2]) for verify, audit in pairs], axis=0)
        print(
            f"{name:8} verify {verified[0]:6.1f} {verified[1]:6.1f} {verified[2]:6.0f}   "
            f"audit {audited[0]:6.1f} {audited[1]:6.1f} {audited[2]:6.0f}   "
            f"{ratio[0]:.2f} and {ratio[1]:.2f} times"
        )


if __name__ == "__main__":
    main()
