"""Blackjack: how long exact analysis takes, how fast rounds are played, and the long checks.

    python benches/bench_blackjack.py            # timings, on one thread
    python benches/bench_blackjack.py --check    # the long checks, on all threads

The long checks: 10^6 shoes against a Python loop, 10^8 random and 10^7 hashed rounds against the exact edge.
The timings of analyses are of the CPU, in a process of its own each, so that nothing is known before.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import subprocess
import sys
import time

import numpy as np
import provably_fair as pf

RUNS = 5

ANALYSIS = """
import time, provably_fair as pf
game = pf.crypto_games.Blackjack()
game.settle("Kh Kd 9s 8s", ["stand"])
start = time.process_time(); edge = game.analyze({strategy!r}).house_edge
print(time.process_time() - start, edge)
"""


def analyses() -> None:
    for strategy, allowed in (("optimal", 0.3), ("basic", 2)):
        runs = []
        for _ in range(RUNS):
            command = [sys.executable, "-c", ANALYSIS.format(strategy=strategy)]
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            taken, edge = map(float, output.split())
            runs.append(taken)
        print(
            f"{strategy} strategy for the document's rules ({edge:.4%}): {statistics.median(runs):.3f} s "
            f"({min(runs):.3f} to {max(runs):.3f}; at most {allowed})"
        )


def rounds() -> None:
    game = pf.crypto_games.Blackjack()
    game.analyze("basic")
    for shoes in ("hashed", "random"):
        runs = []
        for run in range(RUNS):
            start = time.process_time()
            game.tally(200_000, shoes=shoes, seed=run, threads=1)
            runs.append((time.process_time() - start) / 200_000 * 1e9)
        median = statistics.median(runs)
        print(f"{shoes} rounds: {median:.0f} ns each ({min(runs):.0f} to {max(runs):.0f})")


def check_shoes(count: int) -> None:
    """The document's procedure against the engine, for as many pairs of seeds."""
    game = pf.crypto_games.Blackjack()
    short = 0
    for first in range(0, count, 50_000):
        servers = [f"server {i}" for i in range(first, first + 50_000)]
        clients = [f"client {i * i}" for i in range(first, first + 50_000)]
        dealt = game.shoe(servers, clients, cards=52)
        short += int((dealt[:, -1] == -1).sum())
        for server, client, cards in zip(servers, clients, dealt.tolist(), strict=True):
            digest = hashlib.sha512((server + client).encode()).digest()
            found = [*dict.fromkeys(byte for byte in digest if byte <= 207)][:52]
            assert cards == found + [-1] * (52 - len(found)), (server, client)
    print(f"{count:,} shoes of 52 cards equal a plain Python loop; {short / count:.2%} run short")


def check_rounds(shoes: str, count: int, strategy: str) -> None:
    game = pf.crypto_games.Blackjack()
    exact = game.analyze(strategy)
    start = time.perf_counter()
    tally = game.tally(count, strategy=strategy, shoes=shoes, seed="long check")
    errors = (tally.house_edge - exact.house_edge) / tally.standard_error
    found = f"{tally.house_edge:.5%} +- {tally.standard_error:.5%}, std {tally.std():.5f}"
    print(
        f"{count:,} {shoes} rounds, {strategy} strategy: {found}; "
        f"exact {exact.house_edge:.5%}, std {exact.std:.5f}: {errors:+.2f} standard errors; "
        f"{tally.exhausted} ran out of cards; {time.perf_counter() - start:.0f} s"
    )
    assert abs(errors) < 4
    # How far the spread of a sample can be off, of results whose fourth moment is what it was here.
    net = tally.outcomes - tally.mean()
    kurtosis = float(np.average(net**4, weights=tally.counts)) / float(tally.std()) ** 4
    assert abs(tally.std() - exact.std) < 4 * exact.std * ((kurtosis - 1) / 4 / count) ** 0.5 + 2e-4


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="run the long checks instead")
    if parser.parse_args().check:
        check_shoes(10**6)
        for strategy in ("optimal", "basic"):
            check_rounds("random", 10**8, strategy)
            check_rounds("hashed", 10**7, strategy)
    else:
        analyses()
        rounds()
