"""Video poker: bulk deals against a Python loop over hashlib, and the time of exact analysis.

On one thread. The two sides of a comparison alternate, so that a busy machine slows both; the best run of
each counts.

    python benches/bench_video_poker.py
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from peers import timed
from provably_fair.cards import PAYTABLES, Paytable, VideoPoker
from provably_fair.operators import crypto_games

ROUNDS = 20_000
RUNS = 7


def seconds(work: Callable[[], Any]) -> float:
    return timed(work, time.perf_counter)


def loop(servers: list[str], clients: list[str]) -> list[list[int]]:
    """Return deals by the document's procedure in fast plain Python."""
    dealt = []
    for server, client in zip(servers, clients, strict=True):
        cards: list[int] = []
        for byte in hashlib.sha512((server + client).encode()).digest():
            number = byte % 100
            if number < 52 and number not in cards:
                cards.append(number)
                if len(cards) == 10:
                    break
        dealt.append(cards)
    return dealt


def compare_deals(form: str) -> None:
    game = crypto_games.VideoPoker()
    servers = [f"{i:064x}" for i in range(ROUNDS)]
    clients = [f"client {i}" for i in range(ROUNDS)]
    seeds: Any = (np.array(servers, "S"), np.array(clients, "S")) if form == "numpy S" else (servers, clients)
    assert game.play(*seeds).tolist() == loop(servers, clients)
    times = [
        (seconds(lambda: game.play(*seeds, threads=1)), seconds(lambda: loop(servers, clients)))
        for _ in range(RUNS)
    ]
    engine, python = (min(column) / ROUNDS * 1e9 for column in zip(*times, strict=True))
    print(
        f"deals from {form}: {engine:.0f} ns, Python loop {python:.0f} ns: "
        f"{python / engine:.1f} times as fast (at least 10)"
    )


# In a process of its own, without cached tables.
FIRST = """
import sys, time, provably_fair as pf
game = pf.cards.VideoPoker(sys.argv[1])
start = time.perf_counter(); game.analyze(); print(time.perf_counter() - start)
"""


def analysis() -> None:
    for paytable, limit in (("bonus_poker", 0.3), ("deuces_wild", 1), ("joker_poker", 1)):
        run = [sys.executable, "-c", FIRST, paytable]
        first = min(float(subprocess.run(run, capture_output=True, check=True).stdout) for _ in range(RUNS))
        print(f"analysis of {paytable} as the first, with all tables: {first:.3f} s (at most {limit})")
    VideoPoker().analyze()
    # Paytables that weren't analyzed before.
    games = [VideoPoker(Paytable(flush=7 + i)) for i in range(RUNS)]
    further = min(seconds(game.analyze) for game in games)
    print(f"analysis of a further paytable: {further:.3f} s (at most 0.15)")
    deuces = PAYTABLES["deuces_wild"]
    wild = [VideoPoker(deuces.with_royal_flush(801 + i)) for i in range(RUNS)]
    wild[0].analyze()
    further = min(seconds(game.analyze) for game in wild[1:])
    print(f"analysis of a further paytable with wild cards: {further:.3f} s (at most 0.3)")
    ordered = [VideoPoker(Paytable(800, 50, 25, sequential_royal_flush=9000 + i)) for i in range(RUNS)]
    print(f"with royal flushes in sequence: {min(seconds(game.analyze) for game in ordered):.3f} s")
    analysis = wild[0].analyze()
    for hands in (3, 10):
        print(f"the law of {hands} hands: {seconds(partial(analysis.multi_hand_law, hands)):.2f} s")
    game = VideoPoker()
    rng = np.random.default_rng(1)
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.int8), (2_600_000, 1)), axis=1)
    hands = decks[:, :5].astype(np.int64)
    best = min(seconds(lambda: game.best_hold(hands, threads=1)) for _ in range(3))
    print(f"2.6 million best holds: {best:.2f} s (at most 1.5)")


if __name__ == "__main__":
    compare_deals("numpy S")
    compare_deals("lists of str")
    analysis()
