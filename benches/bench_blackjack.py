"""Blackjack: how long exact analysis takes, how fast rounds are played, and the long checks.

    python benches/bench_blackjack.py            # timings, on one thread
    python benches/bench_blackjack.py --check    # the long checks, on all threads

The long checks: 10^6 shoes against a Python loop, 10^8 random and 10^7 hashed rounds against the exact law of
what a round wins, cell by cell. What came out is kept in blackjack_rounds.json.
The timings of analyses are of the CPU, in a process of its own each, so that nothing is known before.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

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
    for strategy, allowed in (("optimal", 0.05), ("basic", 0.5)):
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


def check_rounds(shoes: str, count: int, strategy: str, rules: dict[str, Any]) -> dict[str, Any]:
    """Rounds against the law: every result within 3.5 standard errors, the mean within 4."""
    game = pf.crypto_games.Blackjack(**rules)
    law = game.analyze(strategy).net
    start = time.perf_counter()
    tally = game.tally(count, strategy=strategy, shoes=shoes, seed="long check")
    off = (tally.mean() - law.mean()) / tally.standard_error
    counts = dict(zip(tally.outcomes.tolist(), tally.counts.tolist(), strict=True))
    results, chances = np.array(law.outcomes, float), law.probabilities
    observed = np.array([counts.pop(float(net), 0) for net in results])
    errors = (observed - count * chances) / np.sqrt(count * chances * (1 - chances))
    # Where less than ten are expected, standard errors say nothing.
    common = count * chances >= 10
    most = float(np.abs(errors[common]).max())
    print(
        f"{count:,} {shoes} rounds of {game}, {strategy}: mean {tally.mean():.5%}, exact {law.mean():.5%}, "
        f"{off:+.2f} standard errors; of {len(results)} results the farthest {most:.2f}; "
        f"{tally.exhausted} ran out of cards; {time.perf_counter() - start:.0f} s"
    )
    assert not counts
    assert abs(off) < 4
    assert most < 3.5
    return {
        "game": repr(game),
        "strategy": strategy,
        "shoes": shoes,
        "rounds": count,
        "standard_errors_of_the_mean": round(float(off), 3),
        "results": [
            {
                "net": float(net),
                "probability": float(chance),
                "observed": int(seen),
                "standard_errors": round(float(error), 3),
            }
            for net, chance, seen, error in zip(results, chances, observed, errors, strict=True)
        ],
    }


RULES: tuple[dict[str, Any], ...] = (
    {},
    {
        "decks": 6,
        "hole_card": "peek",
        "blackjack_pays": "3/2",
        "split_hands": 4,
        "split_aces": "one_card",
        "surrender": "late",
    },
    {"decks": 1, "soft_17": "stand", "split_hands": 3, "resplit_aces": True},
    {"charlie": 5, "double_cards": "any"},
    {"decks": 8, "dealer_22": "push", "hole_card": "peek", "surrender": "late"},
    {"decks": 16, "double": "hard 9-11, soft 13-18", "surrender": "early 10, late A, late 2-9"},
)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="run the long checks instead")
    if parser.parse_args().check:
        check_shoes(10**6)
        found = [check_rounds("hashed", 10**7, strategy, {}) for strategy in ("basic", "optimal")]
        found += [
            check_rounds("random", 10**8, strategy, rules)
            for rules in RULES
            for strategy in ("optimal", "basic")
        ]
        Path(__file__).with_name("blackjack_rounds.json").write_text(json.dumps(found, indent=1) + "\n")
    else:
        analyses()
        rounds()
