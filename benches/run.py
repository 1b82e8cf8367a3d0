"""Bulk rounds against alternatives: interleaved repetitions, medians, ratios with their spread.

All get the same precomputed salts, and run on one thread. CPU times, so that other programs disturb little.
Prints a table, and writes it as JSON with --json FILE.
"""

import argparse
import hashlib
import hmac
import json
import platform
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
import provably_fair._engine as _engine
from peers import ROOT, Peer, in_turns, own_time, rust_peer
from provably_fair.seeds.schemes import bind_fields, engine_scheme

SERVER, CLIENT = "a" * 64, "b" * 64


def python_hmac(salts: list[str], cursors: int, numbers: int = 1) -> None:
    """Run the obvious loop, with some numbers of each cursor."""
    server, digest, sha256 = SERVER + ":", hmac.digest, hashlib.sha256
    messages = [f"{CLIENT}:{cursor}".encode() for cursor in range(cursors)]
    for salt in salts:
        key = sha256((server + salt).encode()).hexdigest().encode()
        for message in messages:
            block = digest(key, message, "sha512")
            for start in range(0, 8 * numbers, 8):
                number = 0.0
                for i in range(8):
                    number += block[start + i] / 256 ** (i + 1)
                int(number * 10001) / 100


def python_copies(salts: list[str], cursors: int) -> None:
    """Run copies of half-finished hashes, with the numbers in numpy."""
    server = hashlib.sha256((SERVER + ":").encode())
    inner = bytes(x ^ 0x36 for x in range(256))
    outer = bytes(x ^ 0x5C for x in range(256))
    messages = [f"{CLIENT}:{cursor}".encode() for cursor in range(cursors)]
    blocks = bytearray()
    for salt in salts:
        each = server.copy()
        each.update(salt.encode())
        key = each.hexdigest().encode().ljust(128, b"\0")
        keyed_inner, keyed_outer = hashlib.sha512(key.translate(inner)), hashlib.sha512(key.translate(outer))
        for message in messages:
            first, second = keyed_inner.copy(), keyed_outer.copy()
            first.update(message)
            second.update(first.digest())
            blocks += second.digest()[:8]
    weights = 256.0 ** -np.arange(1, 9)
    numbers = np.zeros(len(blocks) // 8)
    for i, column in enumerate(np.frombuffer(blocks, np.uint8).reshape(-1, 8).T):
        numbers += column * weights[i]
    np.floor(numbers * 10001) / 100


def import_time(module: str) -> float:
    """Return the CPU seconds of importing a module in a new interpreter."""
    code = f"import time; begin = time.process_time(); import {module}; print(time.process_time() - begin)"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)


def main() -> None:
    """Measure, print, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rounds = options.rounds
    few, plinko_rounds = rounds // 20, rounds // 100
    salts = pf.salts(rounds)
    texts = [salt.decode() for salt in salts]
    bare = rust_peer("kernel")
    node = Peer(["node", str(ROOT / "benches/peer.js")]) if shutil.which("node") else None
    for peer in filter(None, (bare, node)):
        peer.run(1, 1)  # starts the process

    scheme = engine_scheme(pf.SALTED)

    def fill(game: pf.Game, n: int, path: str | None = None) -> float:
        engine: Any = pf.games.rounds_of(game).engine
        fields = bind_fields(pf.SALTED, (SERVER, CLIENT, salts[:n]), {})
        return own_time(lambda: engine.fill(scheme, fields, effort=(1, None, path))) / n

    dice, mines, plinko = pf.Dice(), pf.Mines(), pf.Plinko(balls=100)
    one = pf.Dice()
    measured: dict[str, Callable[[], float]] = {
        "dice": lambda: fill(dice, rounds),
        "dice, (a) hmac.digest": lambda: own_time(lambda: python_hmac(texts[:few], 1)) / few,
        "dice, (b) hashlib copies": lambda: own_time(lambda: python_copies(texts[:few], 1)) / few,
        "dice, (d) sha2 + hmac": lambda: fill(dice, rounds, "scalar"),
        "dice, (e) bare": lambda: bare.run(rounds, 1) / rounds,
        "dice, simulate": lambda: own_time(lambda: dice.simulate(rounds, threads=1)) / rounds,
        "dice, list of str": lambda: own_time(lambda: dice.play(SERVER, CLIENT, texts, threads=1)) / rounds,
        "salts": lambda: own_time(lambda: pf.salts(rounds, threads=1)) / rounds,
        "mines": lambda: fill(mines, rounds),
        "mines, (d) sha2 + hmac": lambda: fill(mines, rounds, "scalar"),
        "plinko": lambda: fill(plinko, plinko_rounds),
        "plinko, (a) hmac.digest": lambda: own_time(lambda: python_hmac(texts[:50], 200, 8)) / 50,
        "plinko, (d) sha2 + hmac": lambda: fill(plinko, plinko_rounds, "scalar"),
        "plinko, (e) bare": lambda: bare.run(plinko_rounds, 200) / plinko_rounds,
        "one play": lambda: own_time(lambda: [one.play("s", "c", "x") for _ in range(few)]) / few,
        "one round, hmac.digest": lambda: own_time(lambda: [python_hmac(["x"], 1) for _ in range(few)]) / few,
    }
    measured["import numpy"] = lambda: import_time("numpy")
    measured["import provably_fair"] = lambda: import_time("provably_fair")
    if node is not None:
        measured["dice, (c) node"] = lambda: node.run(few, 1) / few

    times = in_turns(measured, options.repetitions)
    rows = []
    for name, seconds in times.items():
        base = next((game for game in ("dice", "mines", "plinko") if name.startswith(f"{game},")), None)
        if name == "one round, hmac.digest":
            base = "one play"
        ratios = [b / a for a, b in zip(times[base], seconds, strict=True)] if base else []
        rows.append(
            {
                "work": name,
                "microseconds": 1e6 * statistics.median(seconds),
                "rounds_per_second": 1 / statistics.median(seconds),
                "times_ours": statistics.median(ratios) if ratios else None,
                "spread": [min(ratios), max(ratios)] if ratios else None,
            }
        )
    print(f"{'work':<28}{'us a round':>12}{'rounds/s':>12}{'x ours':>9}{'from .. to':>18}")
    for row in rows:
        ratio, spread = "", ""
        if row["times_ours"] is not None:
            ratio = f"{row['times_ours']:.2f}"
            spread = f"{row['spread'][0]:.2f} .. {row['spread'][1]:.2f}"
        print(
            f"{row['work']:<28}{row['microseconds']:>12.3f}{row['rounds_per_second']:>12,.0f}"
            f"{ratio:>9}{spread:>18}"
        )
    if options.json:
        machine = {
            "machine": platform.machine(),
            "python": platform.python_version(),
            "path": _engine.paths()[0],
        }
        options.json.write_text(json.dumps({"machine": machine, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
