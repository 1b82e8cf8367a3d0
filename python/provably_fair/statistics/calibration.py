"""Calibration of the tests of `fairness_report`: their rates of false alarms, and their power.

From a shell, which takes some minutes::

    provably-fair calibrate --sets 1000 --out calibration.json
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.resources import files
from typing import Any

import numpy as np

from provably_fair._core.arguments import choice, integer
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.optional import optional
from provably_fair._core.types import JsonDict
from provably_fair.distribution import Distribution
from provably_fair.games import Game
from provably_fair.operators.crypto_games import VideoPoker
from provably_fair.operators.salted import X50, Crash, Dice, Jackpot, Mines, Plinko, Slot, Tower
from provably_fair.seeds.generator import random_numbers, salts
from provably_fair.seeds.series import seed_text

from .report import FairnessReport, fairness_report
from .resampling import SMALL

__all__ = [
    "DEFECTS",
    "FAIR",
    "SIZES",
    "calibrate",
    "defective",
    "level_kept",
    "measure",
    "power",
    "recorded_measurement",
]
__dir__: Lister = lister_of(__all__)

LEVELS = (0.05, 0.01)
"""Levels at which false alarms are counted."""


SIZES = (20, 100, 500, 5000)
"""Numbers of rounds at which the tests are calibrated."""


def _fair(seed: str, rounds: int) -> list[FairnessReport]:
    """Return the reports of one fair data set of each kind."""
    rows = max(rounds // 5, 10)
    return [
        fairness_report(X50().simulate(rounds, seed=seed), X50()),
        fairness_report(Mines(mines=3).simulate(rounds, seed=seed), Mines(mines=3)),
        fairness_report(random_numbers(f"{seed}:server", f"{seed}:client", salts(rows, seed))),
    ]


def calibrate(
    sets: int = 1000,
    *,
    sizes: Sequence[int] = SIZES,
    seed: int | str = "calibration",
    progress: Callable[[str], object] | None = None,
) -> list[JsonDict]:
    """Count the false alarms of every test over fair data sets, and test its p-values (needs scipy).

    Each data set has the given number of rounds of X50, the same number of Mines, and a fifth of it of rounds
    of eight numbers. P-values of discrete statistics are randomized uniformly over their steps, with a seeded
    generator.

    Parameters
    ----------
    sets : int
        The number of data sets of each size.
    sizes : sequence of int
        The numbers of rounds.
    seed : int or str
        Data set i uses the series ``f"{seed}:{i}"``.
    progress : callable, optional
        Called with each result as it is measured.

    Returns
    -------
    list of dict
        For each test: ``rounds``, ``subject``, ``test``, ``sets``, ``alarms`` (a dict by level: ``count``,
        ``least`` and ``most`` of the exact 99.9 % binomial interval, ``within``), and ``uniform``, the
        p-value of a Kolmogorov-Smirnov test of all its p-values. For each subject also the test "any
        (Holm)": the number of reports rejected at 1 %, which has only an upper bound.

    Examples
    --------
    >>> from provably_fair.statistics.calibration import calibrate
    >>> rows = calibrate(20, sizes=[1000])
    >>> rows[0]["subject"], rows[0]["test"], rows[0]["alarms"]["0.01"]["most"]
    ('x50', 'chi-square (equidistribution)', 3)
    """
    sets = integer("sets", sets, 1)
    name = seed_text(seed)
    rows: list[JsonDict] = []
    for rounds in sizes:
        rows += _calibrate(sets, integer("sizes", rounds, 10), name)
        if progress is not None:
            progress(f"{sets} fair data sets of {rounds} rounds")
    return rows


def _calibrate(sets: int, rounds: int, name: str) -> list[JsonDict]:
    stats = optional("scipy.stats", "stats", "calibration")
    spread = np.random.default_rng(0)
    pvalues_by_test: dict[tuple[str, str], list[float]] = {}
    rejected: dict[str, int] = {}
    for i in range(sets):
        for report in _fair(f"{name}:{i}", rounds):
            rejected[report.game] = rejected.get(report.game, 0) + (not report.ok)
            for test in report.tests:
                share = spread.random() * (test.pvalue - test.pvalue_below)
                pvalues_by_test.setdefault((report.game, test.name), []).append(test.pvalue - share)
    rows: list[JsonDict] = []
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
        alarm = _alarms(count, 0, most)
        head = {"rounds": rounds, "subject": subject, "test": "any (Holm)", "sets": sets}
        rows.append({**head, "alarms": {"0.01": alarm}, "uniform": None})
    return rows


def _alarms(count: int, least: int, most: int) -> JsonDict:
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
    sets: int = 1000,
    *,
    level: float = 0.01,
    sizes: Sequence[int] = (10, 30, 100, 500, 2000),
    subjects: Iterable[str] = FAIR,
    seed: int | str = "level",
    progress: Callable[[str], object] | None = None,
) -> list[JsonDict]:
    """Count the fair data sets that are rejected, by kind and size (needs scipy).

    Parameters
    ----------
    sets : int
        The number of data sets of each kind and size.
    level : float
        The family-wise level to test.
    sizes : sequence of int
        The numbers of rounds.
    subjects : iterable of str
        Kinds of data: names of `FAIR`.
    seed : int or str
        Data set i uses the series ``f"{seed}:{i}"``.
    progress : callable, optional
        Called with each result as it is measured.

    Returns
    -------
    list of dict
        ``subject``, ``rounds``, ``sets``, ``level``, ``rejected``, and ``low`` and ``high``, the exact 95 %
        interval of the share of rejected data sets (Clopper and Pearson). The test keeps its level if ``low``
        isn't above it.

    Examples
    --------
    >>> from provably_fair.statistics.calibration import level_kept
    >>> (row,) = level_kept(50, sizes=[30], subjects=["54 equal outcomes"])
    >>> row["rejected"], row["low"], round(row["high"], 3)
    (0, 0.0, 0.071)
    """
    sets = integer("sets", sets, 1)
    name = seed_text(seed)
    rows = []
    for subject in subjects:
        choice("subjects", subject, FAIR)
        for rounds in sizes:
            data_sets = (FAIR[subject](integer("sizes", rounds, 10), f"{name}:{i}") for i in range(sets))
            rejected = sum(not fairness_report(**data, level=level).ok for data in data_sets)
            low, high = _clopper_pearson(rejected, sets)
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
            if progress is not None:
                progress(f"{subject}, {rounds} rounds: {rejected} of {sets} rejected")
    return rows


def _clopper_pearson(count: int, sets: int) -> tuple[float, float]:
    """Return Clopper and Pearson's 95 % interval of a share."""
    beta = optional("scipy.stats", "stats", "calibration").beta
    low = float(beta.ppf(0.025, count, sets - count + 1)) if count else 0.0
    high = float(beta.ppf(0.975, count + 1, sets - count)) if count < sets else 1.0
    return low, high


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


def defective(defect: str, rounds: int, *, seed: int | str = 0) -> tuple[Any, Any]:
    """Return seeded data with a defect, and the game to test them against.

    Parameters
    ----------
    defect : str
        One of `DEFECTS`.
    rounds : int
        The number of rounds.
    seed : int or str
        The seed of the series of salts.

    Returns
    -------
    tuple
        The two arguments of `fairness_report`.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.statistics.calibration import defective
    >>> pf.fairness_report(*defective("X50 of 53 sectors (off by one)", 5000)).ok
    False
    """
    choice("defect", defect, DEFECTS)
    name = seed_text(seed)
    generator = np.random.default_rng(list(f"{defect}:{name}".encode()))
    return DEFECTS[defect][0](integer("rounds", rounds, 1), name, generator)


def power(
    sets: int = 100, *, seed: int | str = "power", progress: Callable[[str], object] | None = None
) -> list[JsonDict]:
    """Measure the power of the tests: how often each defect is detected, by sample size (needs scipy).

    Parameters
    ----------
    sets : int
        The number of data sets for each defect and size.
    seed : int or str
        Data set i uses the series ``f"{seed}:{i}"``.
    progress : callable, optional
        Called with each defect as it is measured.

    Returns
    -------
    list of dict
        ``defect``, ``rounds``, ``sets``, ``found`` (reports rejected at a family-wise 1 %), ``by`` (the
        test that rejected most often, or None), ``tests`` (the number of reports in which each test rejects).

    Examples
    --------
    >>> from provably_fair.statistics.calibration import power
    >>> rows = power(1)
    >>> len(rows), rows[-1]["defect"], rows[-1]["rounds"], rows[-1]["sets"]
    (28, 'X50 of 53 sectors (off by one)', 5000, 1)
    """
    sets = integer("sets", sets, 1)
    name = seed_text(seed)
    rows = []
    for defect, (_, sizes) in DEFECTS.items():
        for rounds in sizes:
            rejected, by = 0, dict[str, int]()
            for i in range(sets):
                report = fairness_report(*defective(defect, rounds, seed=f"{name}:{i}"))
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
        if progress is not None:
            progress(defect)
    return rows


def measure(
    sets: int = 1000,
    level_sets: int = 1000,
    power_sets: int = 100,
    *,
    progress: Callable[[str], object] | None = None,
) -> dict[str, list[JsonDict]]:
    """Measure everything: false alarms of each test, the family-wise level, and power.

    Parameters
    ----------
    sets, power_sets : int
        The data sets of `calibrate` and of `power`.
    level_sets : int
        The data sets of `level_kept`; ten times as many at the smallest size with asymptotic p-values.
    progress : callable, optional
        Called with each result as it is measured.

    Returns
    -------
    dict
        ``calibration``, ``levels`` and ``power``: the rows of the three functions.

    Examples
    --------
    >>> from provably_fair.statistics.calibration import measure
    >>> list(measure(1, 1, 1))
    ['calibration', 'levels', 'power']
    """
    return {
        "calibration": calibrate(sets, progress=progress),
        "levels": [
            *level_kept(10 * level_sets, sizes=[SMALL], subjects=[next(iter(FAIR))], progress=progress),
            *level_kept(level_sets, progress=progress),
        ],
        "power": power(power_sets, progress=progress),
    }


def recorded_measurement() -> JsonDict:
    """Return the measurement shipped with the package, which takes minutes to repeat.

    ``provably-fair calibrate --power-sets 50`` made it.

    Returns
    -------
    dict
        As `measure` returns it: "calibration", "levels" and "power", lists of rows.

    Examples
    --------
    >>> import provably_fair as pf
    >>> measured = pf.statistics.calibration.recorded_measurement()
    >>> {row["sets"] for row in measured["calibration"]}  # fair data sets of each kind and size
    {1000}
    """
    text = files("provably_fair.statistics").joinpath("recorded", "calibration.json").read_text("utf-8")
    measured: JsonDict = json.loads(text)
    return measured
