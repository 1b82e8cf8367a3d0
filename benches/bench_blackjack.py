"""Blackjack: the time of exact analysis and of simulated rounds, and the long checks.

    python benches/bench_blackjack.py                    # timings
    python benches/bench_blackjack.py --check            # the long checks, on all threads
    python benches/bench_blackjack.py --check insurance  # only for rules with this word in their repr

The long checks compare 10^6 shoes with a Python loop, and 10^8 random and 10^7 hashed rounds with the exact
law of the net win, cell by cell. Results are kept in blackjack_rounds.json, by rules. Timings of analyses are
CPU times of all threads, each in a fresh process without cached results.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from peers import timed
from provably_fair import verify
from provably_fair.cards import Blackjack, Chart, Shoe
from provably_fair.operators import crypto_games, stake

RUNS = 5

ANALYSIS = """
import math, time, provably_fair as pf
game = pf.cards.Blackjack({rules})
game.settle("Kh Kd 9s 8s", ["stand"])
start = time.process_time(); edge = game.analyze({strategy!r}).house_edge
print(time.process_time() - start, edge)
"""
CHOICES: dict[str, list[Any]] = {
    "decks": [1, 2, 4, 6, 8, 16, math.inf],
    "soft_17": ["hit", "stand"],
    "hole_card": ["peek", "all_bets", "original_bet", "busted_bets_plus_one"],
    "blackjack_pays": [1.2, 1.5],
    "double": ["any", "9-11", "hard 9-11, soft 13-18"],
    "double_after_split": [True, False],
    "split_hands": [2, 3, 4, "2 A, 4 2-10"],
    "split_aces": ["one_card", "hit", "hit_and_double"],
    "resplit_aces": [True, False],
    "ten_ace_after_split": ["blackjack", "21"],
    "surrender": ["none", "late", "early", "early 10, late A"],
    "double_cards": ["two", "any"],
    "charlie": [None, 5, 7],
    "dealer_22": ["bust", "push"],
    "split_unlike_tens": [True, False],
    "surrender_after_split": [False, True],
    "insurance": [False, True],
    "even_money": [False, True],
}
"""The options from which random rules are drawn."""


def time_of(strategy: str, rules: str = "decks=4") -> tuple[float, float]:
    """Return the CPU seconds of an analysis, and the house edge."""
    command = [sys.executable, "-c", ANALYSIS.format(strategy=strategy, rules=rules)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    taken, edge = map(float, output.split())
    return taken, edge


def analyses() -> None:
    for strategy, allowed in (("optimal", 0.05), ("basic", 0.5)):
        runs, edges = zip(*(time_of(strategy) for _ in range(RUNS)), strict=True)
        print(
            f"{strategy} strategy for the document's rules ({edges[0]:.4%}): {statistics.median(runs):.3f} s "
            f"({min(runs):.3f} to {max(runs):.3f}; at most {allowed})"
        )


def random_rules(count: int) -> None:
    choice = random.Random(1)
    for strategy in ("optimal", "basic"):
        taken = []
        while len(taken) < count:
            rules = {name: choice.choice(values) for name, values in CHOICES.items()}
            if rules["hole_card"] == "busted_bets_plus_one" and rules["decks"] != math.inf:
                rules["split_hands"] = 2  # an exact analysis allows no more
            text = ", ".join(f"{name}={value!r}" for name, value in rules.items()).replace(
                "=inf", "=math.inf"
            )
            taken.append((time_of(strategy, text)[0], text))
        slowest, rules_of_it = max(taken)
        median = statistics.median(seconds for seconds, _ in taken)
        print(
            f"{strategy} strategy for {count} random rule sets: median {median:.3f} s, "
            f"at most {slowest:.3f} (0.5 allowed): {rules_of_it}"
        )


def rounds() -> None:
    game = crypto_games.Blackjack()
    game.table.analyze("basic")
    for shoes in ("hashed", "random"):
        tally = partial(game.tally, 200_000, strategy="basic", shoes=shoes, threads=1)
        runs = [timed(partial(tally, seed=run)) / 200_000 * 1e9 for run in range(RUNS)]
        median = statistics.median(runs)
        print(f"{shoes} rounds: {median:.0f} ns each ({min(runs):.0f} to {max(runs):.0f})")


def given_seeds() -> None:
    """Time hands of given seeds, one by one and many, and the verification of their log."""
    count = 100_000
    for game in (crypto_games.Blackjack(), stake.Blackjack()):
        servers, clients = [f"{i:064x}" for i in range(count)], [f"client {i}" for i in range(count)]
        seeds = dict(zip(game.scheme.fields, (servers, clients, list(range(count))), strict=True))
        log = game.replay(**seeds, strategy="basic", as_frame="pandas")
        actions = [words.split() for words in log["actions"]]
        one = {name: values[0] for name, values in seeds.items()}
        for named, rounds, work in (
            ("play", count, partial(game.play, **seeds, threads=1)),
            ("basic strategy", count, partial(game.replay, **seeds, strategy="basic", threads=1)),
            ("actions", count, partial(game.replay, **seeds, actions=actions, threads=1)),
            ("verification", count, partial(verify, log, game, threads=1)),
            ("one hand", 1, partial(game.replay, **one, strategy="basic")),
        ):
            least = min(timed(work) for _ in range(RUNS if rounds > 1 else 1000)) / rounds
            print(f"{game!r} of given seeds, {named}: {1e6 * least:.2f} us each")


def check_shoes(count: int) -> None:
    """Compare the engine with the document's procedure, for `count` pairs of seeds."""
    game = crypto_games.Blackjack(cards=52)
    short = 0
    for first in range(0, count, 50_000):
        servers = [f"server {i}" for i in range(first, first + 50_000)]
        clients = [f"client {i * i}" for i in range(first, first + 50_000)]
        dealt = game.play(servers, clients)
        short += int((dealt[:, -1] == -1).sum())
        for server, client, cards in zip(servers, clients, dealt.tolist(), strict=True):
            digest = hashlib.sha512((server + client).encode()).digest()
            expected = [*dict.fromkeys(byte for byte in digest if byte <= 207)][:52]
            assert cards == expected + [-1] * (52 - len(expected)), (server, client)
    print(f"{count:,} shoes of 52 cards equal a plain Python loop; {short / count:.2%} run short")


def deal_of(table: Blackjack) -> Any:
    """Return a deal with as many decks as a table."""
    decks = table.rules.decks
    deals: dict[Any, Any] = {4: crypto_games.Blackjack(), math.inf: stake.Blackjack()}
    return (deals[decks] if decks in deals else Shoe(decks=decks)).with_table(table)


def check_rounds(shoes: str, count: int, strategy: Any, rules: dict[str, Any]) -> dict[str, Any]:
    """Compare rounds with the law: every result within 3.5 standard errors, the mean within 4."""
    table = Blackjack(**{"decks": 4} | rules)
    game = deal_of(table)
    law = table.analyze(strategy).net
    start = time.perf_counter()
    tally = game.tally(count, strategy=strategy, shoes=shoes, seed="long check")
    off = (tally.mean() - law.mean()) / tally.standard_error
    counts = dict(zip(tally.outcomes.tolist(), tally.counts.tolist(), strict=True))
    results, chances = np.array(law.outcomes, float), law.probabilities
    observed = np.array([counts.pop(float(net), 0) for net in results])
    errors = (observed - count * chances) / np.sqrt(count * chances * (1 - chances))
    # With fewer than ten expected, the normal approximation doesn't hold.
    common = count * chances >= 10
    most = float(np.abs(errors[common]).max())
    print(
        f"{count:,} {shoes} rounds of {table}, {strategy!r}: mean {tally.mean():.5%}, "
        f"exact {law.mean():.5%}, "
        f"{off:+.2f} standard errors; of {len(results)} results the farthest {most:.2f}; "
        f"{tally.exhausted} ran out of cards; {time.perf_counter() - start:.0f} s"
    )
    assert not counts
    assert abs(off) < 4
    assert most < 3.5
    return {
        "game": repr(table),
        "strategy": strategy if isinstance(strategy, str) else "a chart that insures and splits",
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
    {"insurance": True, "even_money": True, "decks": 2, "hole_card": "peek", "blackjack_pays": "6/5"},
    {"surrender_after_split": True, "surrender": "late", "decks": 1, "split_aces": "hit", "double": "10-11"},
    {"split_unlike_tens": False, "decks": 1, "split_hands": 4, "hole_card": "peek"},
    {"split_hands": "2 A, 4 2-10", "resplit_aces": True, "decks": 6, "hole_card": "original_bet"},
    {"hole_card": "busted_bets_plus_one", "decks": 6, "soft_17": "stand", "surrender": "none"},
    {"hole_card": "busted_bets_plus_one", "decks": math.inf, "split_hands": 4, "surrender_after_split": True},
)
STRATEGIES: tuple[Any, ...] = (
    "optimal",
    "basic",
    # A chart that insures every hand, splits whatever it can, and surrenders stiff hands.
    Chart(
        hard={total: "IS" if total > 16 else "IRH" if total > 11 else "IH" for total in range(4, 22)},
        pairs=dict.fromkeys(["A", *range(2, 11)], "IP"),
    ),
)
KEPT = Path(__file__).with_name("blackjack_rounds.json")


def key_of(result: dict[str, Any]) -> tuple[str, ...]:
    return result["game"], result["strategy"], result["shoes"]


def keep(result: dict[str, Any]) -> None:
    """Replace the kept result of the same rules by this one, or add it."""
    known = {key_of(one): one for one in json.loads(KEPT.read_text())} if KEPT.exists() else {}
    KEPT.write_text(json.dumps([*(known | {key_of(result): result}).values()], indent=1) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", nargs="?", const="", help="run the long checks instead")
    parser.add_argument("--rounds", type=int, default=10**8, help="how many random rounds of each rules")
    arguments = parser.parse_args()
    if arguments.check is not None:
        if not arguments.check:
            check_shoes(10**6)
            for strategy in STRATEGIES[:2]:
                keep(check_rounds("hashed", 10**7, strategy, {}))
        for rules in RULES:
            new = {"insurance", "surrender_after_split"} & rules.keys()
            if arguments.check in repr(rules):
                for strategy in STRATEGIES if new else STRATEGIES[:2]:
                    keep(check_rounds("random", arguments.rounds, strategy, rules))
    else:
        analyses()
        random_rules(40)
        rounds()
        given_seeds()
