"""Verification beside play: every promised speed, measured side by side in one run.

    python benches/bench_verify.py [rows] [words of a title ...]

On one thread, alternating with what it is compared with; the median of the ratios counts. Times are CPU times
of all threads, so that other programs disturb little. For files, which are read in a separate thread, the
wall time is printed too. Many small files, and memory, are measured in a process of their own. Seeds and
salts have 64 characters.
"""

from __future__ import annotations

import hashlib
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import provably_fair as pf
import pyarrow as pa
from peers import alone, timed
from pyarrow import csv, parquet

PIECE = 1 << 18
REPEATS = 5
COLUMNS = ["server_seed", "client_seed", "salt", "outcome"]

ALONE = """
import sys, time
import provably_fair as pf
import pyarrow.csv, pyarrow.parquet
start = time.perf_counter()
report = pf.verify(sys.argv[1], "dice", threads=1)
found = [time.perf_counter() - start]
assert report.ok, report
"""


def side_by_side(
    work: Callable[[], object],
    *others: Callable[[], object],
    clock: Callable[[], float] = time.process_time,
) -> tuple[float, float]:
    """Return the seconds of the work, and its ratio to the total of the alternatives."""
    seconds, ratios = [], []
    for _ in range(REPEATS):
        seconds.append(timed(work, clock))
        ratios.append(seconds[-1] / sum(timed(other, clock) for other in others))
    return statistics.median(seconds), statistics.median(ratios)


def text(column: np.ndarray) -> pa.Array:
    return pa.array(column, pa.binary()).cast(pa.string())


def dice_table(rows: int, own_seeds: bool = False, start: int = 0) -> pa.Table:
    salts = pf.salts(rows, start=start)
    server = pf.salts(rows, "server", start) if own_seeds else np.full(rows, b"0" * 64)
    outcomes = pf.Dice().play(server, "client", salts)
    return pa.table([text(server), pa.array(["client"] * rows), text(salts), pa.array(outcomes)], COLUMNS)


def right(log: object, subject: object = "dice") -> Callable[[], None]:
    def verify() -> None:
        assert pf.verify(log, subject, threads=1).ok

    return verify


def play(rows: int, own_seeds: bool = False) -> Callable[[], object]:
    salts = pf.salts(rows)
    server = pf.salts(rows, "server") if own_seeds else "0" * 64
    out = np.empty(rows)
    return lambda: pf.Dice().play(server, "client", salts, out=out, threads=1)


# ---- the rates that the documentation promises ----


def share(rows: int, work: Callable[[], object], other: Callable[[], object], least: float) -> str:
    seconds, ratio = side_by_side(work, other)
    return f"{rows / seconds:,.0f} rows/s, {1 / ratio:.0%} of the rate of play; at least {least:.0%}"


def arrow(rows: int, _folder: Path) -> str:
    return share(rows, right(dice_table(rows)), play(rows), 0.8)


def own_seeds(rows: int, _folder: Path) -> str:
    return share(rows, right(dice_table(rows, own_seeds=True)), play(rows, own_seeds=True), 0.6)


class OwnDice(pf.Game):
    """A game of dice written in Python."""

    def outcome(self, draws: pf.games.Draws) -> object:
        """Return the roll, in hundredths."""
        return draws.below(10001)


def in_python(rows: int, _folder: Path, game: pf.Game, field: str, least: float) -> str:
    rows = min(rows, 1_000_000)
    own = pf.salts(rows) if field == "salt" else np.arange(rows)
    outcomes = game.play("0" * 64, "client", own)
    out = np.empty_like(outcomes)
    columns = ["0" * 64] * rows, ["client"] * rows, text(own) if field == "salt" else own, outcomes
    table = pa.table([pa.array(column) for column in columns], [*COLUMNS[:2], field, "outcome"])
    played = lambda: game.play("0" * 64, "client", own, out=out, threads=1)  # noqa: E731
    return share(rows, right(table, game), played, least)


def commitments(rows: int, _folder: Path) -> str:
    table = dice_table(rows)
    hashes = [hashlib.sha256(salt).hexdigest() for salt in pf.salts(rows).tolist()]
    table = table.append_column("salt_commitment", pa.array(hashes))
    return share(rows, right(table), play(rows), 0.45)


def files(rows: int, folder: Path, ending: str) -> str:
    path = folder / f"log.{ending}"
    schema = dice_table(1).schema
    maker = parquet.ParquetWriter if ending == "parquet" else csv.CSVWriter
    with maker(path, schema) as writer:
        for start in range(0, rows, PIECE):
            writer.write_table(dice_table(min(PIECE, rows - start), start=start))

    def read() -> None:
        if ending == "parquet":
            parquet.read_table(path, columns=COLUMNS, use_threads=False)
        else:
            types = csv.ConvertOptions(column_types=dict.fromkeys(COLUMNS, pa.string()))
            csv.read_csv(path, csv.ReadOptions(use_threads=False), convert_options=types)

    def digest() -> None:
        with path.open("rb") as file:
            hashlib.file_digest(file, "sha256")

    seconds, ratio = side_by_side(right(path), read, play(rows))
    _, elapsed = side_by_side(right(path), read, play(rows), clock=time.perf_counter)
    _, hashed = side_by_side(right(path), read, play(rows), digest)
    hashing = min(timed(digest) for _ in range(REPEATS))
    _, megabytes = alone(ALONE, path)
    return (
        f"{rows / seconds:,.0f} rows/s, {elapsed:.2f} times pyarrow's reading and play ({ratio:.2f} of the "
        f"CPU; {hashed:.2f} with hashing the file, which is {hashing / seconds:.0%}); at most 1.1; "
        f"{megabytes:.0f} MB; at most 400"
    )


def small_files(_rows: int, folder: Path) -> str:
    many = folder / "many"
    many.mkdir()
    table = dice_table(600_000)
    for number in range(3000):
        csv.write_csv(table.slice(200 * number, 200), many / f"{number:04}.csv")
    seconds = min(alone(ALONE, many)[0] for _ in range(3))
    return f"{seconds:.2f} s; at most 3"


def all_wrong(rows: int, _folder: Path) -> str:
    table = dice_table(rows)
    wrong = table.set_column(3, "outcome", pa.array((table["outcome"].to_numpy() + 1) % 100))

    def verify() -> None:
        assert pf.verify(wrong, "dice", threads=1).failed == rows

    _, ratio = side_by_side(verify, right(table))
    return f"{ratio:.2f} times an honest log; at most 2"


def poker(rows: int, _folder: Path) -> str:
    rows = min(rows, 1_000_000)
    game = pf.operators.crypto_games.VideoPoker()
    clients = pf.salts(rows, "client")
    rounds = game.replay("server", clients)
    table = pa.table(
        {
            "server_seed": pa.array(["server"] * rows),
            "client_seed": text(clients),
            "hold": pa.array(np.asarray(rounds.hold).tolist()),
            "outcome": pa.array(rounds.pay),
        }
    )
    seconds = statistics.median(timed(right(table, game)) for _ in range(3))
    return f"{rows / seconds:,.0f} rows/s; at least 300,000"


def blackjack(rows: int, _folder: Path) -> str:
    rows = min(rows, 1_000_000)
    game = pf.operators.crypto_games.Blackjack()
    # Repeat a few thousand rounds of basic strategy with other nonces.
    played = [game.replay("server", f"client {number}", strategy="basic") for number in range(2000)]
    of = np.arange(rows) % len(played)
    table = pa.table(
        {
            "server_seed": pa.array(["server"] * rows),
            "client_seed": pa.array([f"client {number}" for number in of]),
            "actions": pa.array([" ".join(played[number].actions) for number in of]),
            "outcome": pa.array(np.array([float(play.net) for play in played])[of]),
        }
    )
    seconds = statistics.median(timed(right(table, game)) for _ in range(3))
    return f"{rows / seconds:,.0f} rows/s; at least 300,000"


def mines(rows: int, _folder: Path) -> str:
    rows = min(rows, 1_000_000)
    game, salts = pf.Mines(3), pf.salts(rows)
    boards = game.play("server", "client", salts).tolist()
    log = {"server_seed": "server", "client_seed": "client", "salt": text(salts)}
    written = pa.array([json.dumps(board) for board in boards])
    listed = right(log | {"outcome": pa.array(boards)}, game)
    seconds, ratio = side_by_side(right(log | {"outcome": written}, game), listed)
    return f"{rows / seconds:,.0f} rows/s, {1 / ratio:.0%} of the rate of lists; at least 50%"


PROMISES: dict[str, Callable[[int, Path], str]] = {
    "an Arrow table in memory": arrow,
    "another server seed in every row": own_seeds,
    "dice of an operator": lambda rows, folder: in_python(
        rows, folder, pf.operators.stake.Dice(), "nonce", 0.35
    ),
    "a game in Python": lambda rows, folder: in_python(rows, folder, OwnDice(), "salt", 0.35),
    "salt commitments": commitments,
    "a Parquet file": lambda rows, folder: files(rows, folder, "parquet"),
    "a CSV file": lambda rows, folder: files(rows, folder, "csv"),
    "3,000 files of 200 rows": small_files,
    "a log whose rows are all wrong": all_wrong,
    "video poker with holds and pays": poker,
    "blackjack with actions": blackjack,
    "Mines as JSON text": mines,
}


def main(rows: int, *words: str) -> None:
    for title, measure in PROMISES.items():
        if all(word in title for word in words):
            with tempfile.TemporaryDirectory() as folder:
                print(f"{title}: {measure(rows, Path(folder))}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000, *sys.argv[2:])
