"""Measures the coverage of the 95 % intervals of `Bet.estimate`.

    python measurements/measure_rtp_coverage.py [part of a name]

For skewed bets and several numbers of rounds, it repeats estimates and writes
`measurements/rtp_coverage.json`: how many intervals hold the exact value, with the Clopper-Pearson interval
of that share; their average and largest width, relative to the normal interval with the law's variance; and
the coverage of that interval. It takes some minutes.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
from pathlib import Path
from statistics import NormalDist

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf
from provably_fair._core.tails import binomial_interval

RESULTS = folders.MEASUREMENTS / "rtp_coverage.json"

HIGH_RISK = [1000, 130, 26, 9, 4, 2, 0.2, 0.2, 0.2, 0.2, 0.2, 2, 4, 9, 26, 130, 1000]
# A slot that pays runs of its first stops on the center line, from the left.
RUNS = np.array([0, 0.5, 3, 10, 40, 300])


def slot_pays(stops: np.ndarray) -> np.ndarray:
    """Return the payout of a spin: how many reels from the left show one of their first eight stops."""
    return RUNS[np.cumprod(stops < 8, axis=1).sum(axis=1)]


BETS = {
    "Crash, cash-out 2": lambda: pf.Crash().bet(cash_out=2),
    "Crash, cash-out 10": lambda: pf.Crash().bet(cash_out=10),
    "Crash, cash-out 100": lambda: pf.Crash().bet(cash_out=100),
    "Crash, cash-out 1000": lambda: pf.Crash().bet(cash_out=1000),
    "Jackpot, one of 1000 tickets for 950": lambda: pf.Jackpot(tickets=1000).bet(950, share=(1, 1)),
    "Plinko, 16 rows of high risk": lambda: pf.Plinko(pins=16).bet(HIGH_RISK),
    "Slot, runs of eight stops of each reel": lambda: pf.Slot().bet(slot_pays),
    "Video poker, jacks or better": lambda: pf.operators.crypto_games.VideoPoker().bet(),
    "Blackjack, basic strategy": lambda: pf.operators.crypto_games.Blackjack().bet(),
}
# Rounds of an estimate, and the number of estimates.
SIZES = {100: 10_000, 1000: 10_000, 10_000: 10_000}


def measure(name: str, rounds: int, estimates: int) -> dict[str, object]:
    """Return the results of repeated estimates; series i is named after the bet."""
    bet = BETS[name]()
    exact = bet.exact_rtp
    covered = normal_held = 0
    width = widest = 0.0
    half = math.nan
    if bet.law is not None:
        half = NormalDist().inv_cdf(0.975) * bet.law.std() / math.sqrt(rounds)
    for i in range(estimates):
        estimate = bet.estimate(rounds, seed=f"coverage:{name}:{i}", threads=2)
        covered += estimate.covers
        normal_held += abs(estimate.rtp - exact) <= half
        width += estimate.high - estimate.low
        widest = max(widest, estimate.high - estimate.low)
    low, high = binomial_interval(covered, estimates)
    row: dict[str, object] = {
        "bet": name,
        "rounds": rounds,
        "estimates": estimates,
        "method": estimate.method,
        "held": covered,
        "coverage": round(covered / estimates, 4),
        "coverage_low": round(low, 4),
        "coverage_high": round(high, 4),
    }
    if bet.law is not None:
        row["width_to_normal"] = round(width / estimates / (2 * half), 3)
        row["widest_to_normal"] = round(widest / (2 * half), 3)
        row["normal_coverage"] = round(normal_held / estimates, 4)
    return row


def main(part: str = "") -> None:
    """Measure the bets whose name contains `part`, such as "Plinko" or "x 1000", and write the results.

    Other results are kept.
    """
    known = json.loads(RESULTS.read_text(encoding="utf-8"))["rows"] if part else []
    rows = {(row["bet"], row["rounds"]): row for row in known}
    for rounds, estimates in SIZES.items():
        for name in BETS:
            if (name, rounds) in rows and part not in f"{name} x {rounds}":
                continue
            rows[name, rounds] = measure(name, rounds, estimates)
            print(rows[name, rounds], flush=True)
            ordered = [rows[key] for key in itertools.product(BETS, SIZES) if key in rows]
            results = {"command": "python measurements/measure_rtp_coverage.py", "confidence": 0.95}
            text = json.dumps(results | {"rows": ordered}, indent=1) + "\n"
            RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
