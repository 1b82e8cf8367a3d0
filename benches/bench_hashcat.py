"""Salted dice beside hashcat's HMAC-SHA512, and simulated dice beside played ones: wall time, on all cores.

    python benches/bench_hashcat.py [turns]

Needs hashcat with an OpenCL device of the CPU, pocl for one. The three take turns, and the medians of their
ratios are kept in hashcat.json.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median

import provably_fair as pf
from provably_fair import _engine
from provably_fair.games import rounds_of
from provably_fair.games.rounds import Output, simulated_rounds

RESULTS = Path(__file__).with_name("hashcat.json")
ROUNDS, SECONDS = 1 << 20, 5


def rate(play: partial[object]) -> float:
    """Return millions of rounds a second."""
    begin, played = time.perf_counter(), 0
    while time.perf_counter() < begin + SECONDS:
        play()
        played += ROUNDS
    return played / (time.perf_counter() - begin) / 1e6


def hashcat() -> float:
    """Return millions of HMAC-SHA512, keyed with what varies, a second."""
    told = subprocess.run(["hashcat", "-b", "-m", "1750", "-D", "1"], capture_output=True, text=True).stdout
    speeds = re.findall(r"Speed\.#\d+\.*: *([\d.]+) ([kMG]?)H/s", told)
    if not speeds:
        raise SystemExit(f"hashcat says no speed:\n{told}")
    return sum(float(number) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[unit] for number, unit in speeds) / 1e6


def main() -> None:
    """Measure in turns; print and keep the rates."""
    dice = pf.Dice()
    played = partial(rounds_of(dice).fill, simulated_rounds(dice, ROUNDS).fields(), {}, Output())
    turns = [
        {"dice": rate(played), "hashcat": hashcat(), "simulate": rate(partial(dice.simulate, ROUNDS))}
        for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
    ]
    kept = {
        "path": _engine.paths()[0],
        "millions_a_second": {name: round(median(turn[name] for turn in turns), 2) for name in turns[0]},
        "dice_of_hashcat": round(median(turn["dice"] / turn["hashcat"] for turn in turns), 3),
        "simulate_of_dice": round(median(turn["simulate"] / turn["dice"] for turn in turns), 3),
    }
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
