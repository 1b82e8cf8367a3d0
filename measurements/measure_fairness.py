"""Measures the tests of `fairness_report`: their rates of false alarms, and their power.

    python measurements/measure_fairness.py [share of the data sets]

Results go to `measurements/fairness.json`: of each test its false alarms ("calibration"), of whole reports
the fair data sets that they reject ("levels"), and how often each defect is found ("power"). It takes about
twenty minutes, and scipy.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from provably_fair._core.tails import binomial_interval
from provably_fair.distribution import Distribution
from provably_fair.games import Game
from provably_fair.operators.crypto_games import VideoPoker
from provably_fair.operators.salted import X50, Crash, Dice, Jackpot, Mines, Plinko, Slot, Tower
from provably_fair.seeds.generator import random_numbers, salts
from provably_fair.statistics.report import FairnessReport, fairness_report
from provably_fair.statistics.resampling import SMALL
from scipy import stats

RESULTS = Path(__file__).with_name("fairness.json")

LEVELS = (0.05, 0.01)
"""Levels at which false alarms are counted."""


SIZES = (20, 100, 500, 5000)
"""Numbers of rounds at which the tests are calibrated."""


def fair_reports(seed: str, rounds: int) -> list[FairnessReport]:
    """Return the reports of one fair data set of each kind."""
    rows = max(rounds // 5, 10)
    return [
        fairness_report(X50().simulate(rounds, seed=seed), X50()),
        fairness_report(Mines(mines=3).simulate(rounds, seed=seed), Mines(mines=3)),
        fairness_report(random_numbers(f"{seed}:server", f"{seed}:client", salts(rows, seed))),
    ]


def calibrate(sets: int, sizes: Sequence[int] = SIZES, name: str = "calibration") -> list[dict[str, Any]]:
    """Count the false alarms of every test over fair data sets, and test its p-values.

    P-values of discrete statistics are randomized uniformly over their steps, with a seeded generator.
    "alarms" has by level the count, the ends of the exact 99.9 % binomial interval, and whether it is within;
    "uniform" is the p-value of a Kolmogorov-Smirnov test of all p-values. "any (Holm)" is the number of
    reports rejected at 1 %, which has an upper bound alone.
    """
    rows = []
    for rounds in sizes:
        rows += _calibrate(sets, rounds, name)
        print(f"{sets} fair data sets of {rounds} rounds", flush=True)
    return rows


def _calibrate(sets: int, rounds: int, name: str) -> list[dict[str, Any]]:
    spread = np.random.default_rng(0)
    pvalues_by_test: dict[tuple[str, str], list[float]] = {}
    rejected: dict[str, int] = {}
    for i in range(sets):
        for report in fair_reports(f"{name}:{i}", rounds):
            rejected[report.game] = rejected.get(report.game, 0) + (not report.ok)
            for test in report.tests:
                share = spread.random() * (test.pvalue - test.pvalue_below)
                pvalues_by_test.setdefault((report.game, test.name), []).append(test.pvalue - share)
    rows: list[dict[str, Any]] = []
    for (subject, test_name), pvalues in pvalues_by_test.items():
        alarms = {}
        for level in LEVELS:
            count = int((np.array(pvalues) <= level).sum())
            least, most = (int(stats.binom.ppf(q, sets, level)) for q in (0.0005, 0.9995))
            alarms[str(level)] = _alarms(count, least, most)
        uniform = float(stats.kstest(pvalues, "uniform").pvalue)
        head = {"rounds": rounds, "subject": subject, "test": test_name, "sets": sets}
        rows.append({**head, "alarms": alarms, "uniform": uniform})
    for subject, count in rejected.items():
        most = int(stats.binom.ppf(0.9995, sets, 0.01))
        head = {"rounds": rounds, "subject": subject, "test": "any (Holm)", "sets": sets}
        rows.append({**head, "alarms": {"0.01": _alarms(count, 0, most)}, "uniform": None})
    return rows


def _alarms(count: int, least: int, most: int) -> dict[str, Any]:
    return {"count": count, "least": least, "most": most, "within": least <= count <= most}


def _game(game: Game) -> Callable[[int, str], dict[str, Any]]:
    return lambda rounds, seed: {"data": game.simulate(rounds, seed=seed), "game": game}


def _numbers(rounds: int, seed: str) -> dict[str, Any]:
    return {"data": random_numbers(f"{seed}:server", f"{seed}:client", salts(rounds, seed))}


def _tickets(rounds: int, seed: str) -> dict[str, Any]:
    tickets = np.random.default_rng(list(seed.encode())).integers(1, 50, size=rounds)
    return {
        "data": Jackpot().simulate(rounds, seed=seed, tickets=tickets),
        "game": Jackpot(),
        "tickets": tickets,
    }


def _hands(rounds: int, seed: str) -> dict[str, Any]:
    return {"data": VideoPoker().play(salts(rounds, seed), "client"), "game": VideoPoker()}


def _rare(rounds: int, seed: str) -> dict[str, Any]:
    choice = np.random.default_rng(list(seed.encode()))
    law = Distribution([0, 2, 1000], [900, 99, 1])
    return {"data": choice.choice(law.outcomes, p=[0.9, 0.099, 0.001], size=rounds), "game": law}


FAIR: dict[str, Callable[[int, str], dict[str, Any]]] = {
    "54 equal outcomes": _game(X50()),
    "a bell curve of nine outcomes": _game(Plinko(pins=8)),
    "many outcomes, a long tail": _game(Crash()),
    "10,001 equal outcomes": _game(Dice()),
    "shuffles": _game(Mines(mines=3)),
    "ten shuffles a round": _game(Tower(mines=2)),
    "five reels": _game(Slot()),
    "ten cards of a deck": _hands,
    "eight numbers a round": _numbers,
    "tickets by round": _tickets,
    "three outcomes, one of them rare": _rare,
}
"""Fair data by kind: functions of rounds and seed that return arguments of `fairness_report`."""


def level_kept(
    sets: int,
    sizes: Sequence[int] = (10, 30, 100, 500, 2000),
    subjects: Iterable[str] = FAIR,
    name: str = "level",
    level: float = 0.01,
) -> list[dict[str, Any]]:
    """Count the fair data sets that are rejected, by kind and size, with the 95 % interval of the share."""
    rows = []
    for subject in subjects:
        for rounds in sizes:
            data_sets = (FAIR[subject](rounds, f"{name}:{i}") for i in range(sets))
            rejected = sum(not fairness_report(**data, level=level).ok for data in data_sets)
            low, high = binomial_interval(rejected, sets)
            rows.append(
                {
                    "subject": subject,
                    "rounds": rounds,
                    "sets": sets,
                    "level": level,
                    "rejected": rejected,
                    "low": low,
                    "high": high,
                }
            )
            print(f"{subject}, {rounds} rounds: {rejected} of {sets} rejected", flush=True)
    return rows


_SECTORS = len(X50().distribution())


def _sector(rounds: int, seed: str, choice: np.random.Generator) -> tuple[Any, Any]:
    outcomes = X50().simulate(rounds, seed=seed)
    # Of n sectors, 1/n + (n - 1)/n * moved is 1/n + 0.01.
    outcomes[choice.random(rounds) < 0.01 * _SECTORS / (_SECTORS - 1)] = 7
    return outcomes, X50()


def _repeat(rounds: int, seed: str, choice: np.random.Generator) -> tuple[Any, Any]:
    series = salts(rounds, seed)
    late = np.arange(999, rounds, 1000)
    series[late] = series[choice.integers(late)]
    return random_numbers(f"{seed}:server", f"{seed}:client", series), None


def _echo(rounds: int, seed: str, choice: np.random.Generator, *, share: float, lag: int) -> tuple[Any, Any]:
    outcomes = X50().simulate(rounds, seed=seed)
    for row in np.flatnonzero(choice.random(rounds - lag) < share) + lag:
        outcomes[row] = outcomes[row - lag]
    return outcomes, X50()


def _cycle(rounds: int, seed: str, _choice: np.random.Generator) -> tuple[Any, Any]:
    return np.resize(X50().simulate(997, seed=seed), rounds), X50()


def _modulo(rounds: int, _seed: str, choice: np.random.Generator) -> tuple[Any, Any]:
    return choice.integers(256, size=rounds) % _SECTORS, X50()


def _short(rounds: int, seed: str, _choice: np.random.Generator) -> tuple[Any, Any]:
    numbers = random_numbers(f"{seed}:server", f"{seed}:client", salts(rounds, seed), count=1).ravel()
    return (numbers * (_SECTORS - 1)).astype(np.int64), X50()


DEFECTS: dict[str, tuple[Callable[[int, str, np.random.Generator], tuple[Any, Any]], tuple[int, ...]]] = {
    "one X50 sector 1 percentage point too likely": (_sector, (2000, 5000, 10_000, 20_000)),
    "every 1,000th salt is an earlier one again": (_repeat, (500, 1000, 2000, 5000)),
    "1 % of outcomes repeat the one before": (partial(_echo, share=0.01, lag=1), (1000, 2000, 5000, 10_000)),
    "8 % of outcomes repeat that of 100 rounds before": (
        partial(_echo, share=0.08, lag=100),
        (2000, 5000, 10_000, 20_000),
    ),
    "outcomes in a cycle of 997": (_cycle, (1000, 1005, 1500, 1994)),
    "X50 as a byte modulo 54": (_modulo, (1000, 2000, 5000, 10_000)),
    "X50 of 53 sectors (off by one)": (_short, (500, 1000, 2000, 5000)),
}
"""The defects, each with the numbers of rounds at which its detection is measured."""


def defective(defect: str, rounds: int, name: str) -> tuple[Any, Any]:
    """Return seeded data with a defect, and the game to test them against."""
    generator = np.random.default_rng(list(f"{defect}:{name}".encode()))
    return DEFECTS[defect][0](rounds, name, generator)


def power(sets: int, name: str = "power") -> list[dict[str, Any]]:
    """Count how often each defect is detected, by sample size: by reports at 1 %, and by each test."""
    rows = []
    for defect, (_, sizes) in DEFECTS.items():
        for rounds in sizes:
            rejected, by = 0, dict[str, int]()
            for i in range(sets):
                report = fairness_report(*defective(defect, rounds, f"{name}:{i}"))
                rejected += not report.ok
                for test in report.tests:
                    by[test.name] = by.get(test.name, 0) + test.rejected
            best = max(by, key=by.__getitem__)
            rows.append(
                {
                    "defect": defect,
                    "rounds": rounds,
                    "sets": sets,
                    "found": rejected,
                    "by": best if by[best] else None,
                    "tests": {test: count for test, count in by.items() if count},
                }
            )
        print(defect, flush=True)
    return rows


def main() -> None:
    """Measure all, and keep it."""
    sets = max(1, round(1000 * float(sys.argv[1] if len(sys.argv) > 1 else 1)))
    content = {
        "calibration": calibrate(sets),
        # Ten times as many at the smallest size with asymptotic p-values.
        "levels": [*level_kept(10 * sets, [SMALL], [next(iter(FAIR))]), *level_kept(sets)],
        "power": power(max(1, sets // 20)),
    }
    RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
