"""Measures the false alarms of tests that standards name, and the biases that each detects.

    python measurements/measure_standard_tests.py [share of the data sets]

Results go to `measurements/standard_tests.json`. A row of "levels" is a test on fair data of one kind and
size: the number of p-values of at most 5 % and 1 %, with the Clopper-Pearson intervals of these shares. A row
of "biases" is a bias: the number of data sets in which each test detects it at 1 %. Each bias is made for one
test, at a size at which the others don't notice it. It takes about ten minutes.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
from measure_fairness import FAIR
from provably_fair._core.tails import binomial_interval
from provably_fair.distribution.sequences import FairnessMaterial
from provably_fair.statistics.registry import results_of
from provably_fair.statistics.resampling import Judgment
from provably_fair.statistics.sequences import material_of

RESULTS = folders.MEASUREMENTS / "standard_tests.json"
TESTS = ("order statistic", "subsequences", "Poisson", "spectral", "interplay", "adjacency")
LEVELS = (0.05, 0.01)
# Rounds of a fair data set, and the number of sets.
SIZES = {100: 1000, 1000: 500, 10_000: 500, 100_000: 200}
BIASED_SETS = 100
PLAY = 5

Biased = Callable[[np.random.Generator, np.ndarray], None]


def count(pvalues: list[float], level: float) -> dict[str, Any]:
    """Count the p-values up to a level."""
    rejected = sum(pvalue <= level for pvalue in pvalues)
    low, high = binomial_interval(rejected, len(pvalues))
    return {"count": rejected, "low": round(low, 5), "high": round(high, 5)}


def pvalues(test: str, material: FairnessMaterial) -> list[float]:
    """Return the p-values of a test, one for each sequence that it applies to."""
    return [result.pvalue for result, _ in results_of(test, material) if isinstance(result, Judgment)]


def levels(kind: str, size: int, sets: int) -> list[dict[str, Any]]:
    """Count the tests' rejections of fair data of one kind and size."""
    pvalues_of: dict[str, list[float]] = {test: [] for test in TESTS}
    for number in range(sets):
        data = FAIR[kind](size, f"standards:{number}")
        material = material_of(data.pop("data"), data.pop("game", None), **data)
        for test in TESTS:
            pvalues_of[test] += pvalues(test, material)
    return [
        {
            "test": test,
            "kind": kind,
            "rounds": size,
            "tested": len(pvalues_of[test]),
            **{str(level): count(pvalues_of[test], level) for level in LEVELS},
        }
        for test in TESTS
        if pvalues_of[test]
    ]


def parity(_rng: np.random.Generator, plays: np.ndarray) -> None:
    """Put an even number of each five values into the upper half: any four are independent."""
    upper = plays >= 0.5
    odd = upper.sum(axis=1) % 2 == 1
    plays[odd, -1] = (plays[odd, -1] + 0.5) % 1


def seventh(rng: np.random.Generator, plays: np.ndarray) -> None:
    """In a seventh of the cases, repeat the value seven places before."""
    values = plays.ravel()
    for place in range(7, len(values), 7):
        if rng.random() < 1 / 7:
            values[place] = values[place - 7]


def one_a_block(rng: np.random.Generator, plays: np.ndarray) -> None:
    """Put exactly one of each 16 values into the lowest sixteenth."""
    blocks = plays.ravel()[: plays.size // 16 * 16].reshape(-1, 16)
    blocks[:] = 1 / 16 + blocks * 15 / 16
    rows = np.arange(len(blocks))
    blocks[rows, rng.integers(16, size=len(rows))] = rng.random(len(rows)) / 16


def period(rng: np.random.Generator, plays: np.ndarray) -> None:
    """Replace one value in 16 by a sawtooth with a period of 7.3891."""
    values = plays.ravel()
    taken = rng.random(values.size) < 1 / 16
    values[taken] = np.flatnonzero(taken) / math.e**2 % 1


def places(rng: np.random.Generator, plays: np.ndarray) -> None:
    """In an eighth of the plays, copy the first value to the fourth and 1 minus the second to the fifth."""
    for first, second, mirrored in ((0, 3, False), (1, 4, True)):
        taken = rng.random(len(plays)) < 1 / 8
        plays[taken, second] = 1 - plays[taken, first] if mirrored else plays[taken, first]


def neighbors(rng: np.random.Generator, plays: np.ndarray) -> None:
    """In a sixth of the pairs, shift the second value by 0.2113 from the first: they stay uncorrelated."""
    pairs = plays.ravel()[: plays.size // 2 * 2].reshape(-1, 2)
    taken = rng.random(len(pairs)) < 1 / 6
    pairs[taken, 1] = (pairs[taken, 0] + (1 - math.sqrt(1 / 3)) / 2) % 1


BIASES: dict[str, tuple[Biased, int]] = {
    "order statistic": (parity, 4000),
    "subsequences": (seventh, 6000),
    "Poisson": (one_a_block, 1000),
    "spectral": (period, 10_000),
    "interplay": (places, 3000),
    "adjacency": (neighbors, 3000),
}
"""For each test the bias made for it: the change of uniform values, and the number of plays of five."""


def biases(made_for: str, sets: int) -> dict[str, Any]:
    """Count the data sets with a bias in which each test finds it."""
    change, size = BIASES[made_for]
    rejections: dict[str, list[float]] = {test: [] for test in TESTS}
    for number in range(sets):
        rng = np.random.default_rng([number, size])
        plays = rng.random((size, PLAY))
        change(rng, plays)
        material = material_of(plays)
        for test in TESTS:
            rejections[test] += pvalues(test, material)
    assert change.__doc__
    return {
        "made_for": made_for,
        "bias": change.__doc__,
        "plays": size,
        "sets": sets,
        "found_at_0.01": {test: count(rejections[test], 0.01) for test in TESTS},
    }


def main(share: float = 1.0) -> None:
    """Measure, and write the results."""
    rows = []
    for size, sets in SIZES.items():
        for kind in FAIR:
            rows += levels(kind, size, max(round(share * sets), 1))
            print(size, kind, file=sys.stderr, flush=True)
    result = {
        "command": " ".join(["python measurements/measure_standard_tests.py", *sys.argv[1:]]),
        "levels": rows,
        "biases": [biases(test, max(round(share * BIASED_SETS), 1)) for test in TESTS],
    }
    RESULTS.write_text(written(result), encoding="utf-8")


def written(result: dict) -> str:
    """Return a result as JSON with a line for each row."""
    text = {
        name: "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
        if isinstance(value, list)
        else json.dumps(value)
        for name, value in result.items()
    }
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {value}" for name, value in text.items()) + "\n}\n"


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
