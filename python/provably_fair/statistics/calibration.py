"""How often the tests of `fairness_report` raise a false alarm, and what they catch: measured.

From a shell, which takes some minutes::

    python -m provably_fair.calibration --sets 1000 --out calibration.json
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from provably_fair._core.arguments import integer
from provably_fair._core.optional import optional
from provably_fair._core.progress import Report
from provably_fair.games import X50, Mines
from provably_fair.seeds.generator import random_numbers, salts
from provably_fair.seeds.series import seed_text

from .report import FairnessReport, fairness_report

__all__ = ["DEFECTS", "calibrate", "defective", "power"]

LEVELS = (0.05, 0.01)
"""Levels whose false alarms are counted."""


def _fair(seed: str) -> list[FairnessReport]:
    """Return the reports of one fair data set of each kind."""
    numbers = random_numbers(f"{seed}:server", f"{seed}:client", salts(1000, seed))
    return [
        fairness_report(X50().simulate(5000, seed=seed), X50()),
        fairness_report(Mines(mines=3).simulate(5000, seed=seed), Mines(mines=3)),
        fairness_report(numbers),
    ]


def calibrate(
    sets: int = 1000, *, seed: int | str = "calibration", progress: Report | None = None
) -> list[dict[str, Any]]:
    """Count the false alarms of every test over fair data sets, and test its p-values (needs scipy).

    A data set is 5,000 rounds of X50, 5,000 of Mines, and 1,000 rounds of eight numbers. The p-values of
    counts with few values have steps; they are spread evenly over each step, by a seeded generator.

    Parameters
    ----------
    sets : int
        How many data sets.
    seed : int or str
        Data set i is of the series ``f"{seed}:{i}"``.
    progress : callable, optional
        Called with the number of data sets done.

    Returns
    -------
    list of dict
        For each test: ``subject``, ``test``, ``sets``, ``alarms`` (a dict by level: ``count``, ``least``
        and ``most`` of the exact 99.9 % binomial interval, ``within``), and ``uniform``, the p-value of a
        Kolmogorov-Smirnov test of all its p-values. For each subject also the test "any (Holm)": the
        reports that are rejected at 1 %, whose number has no least.

    Examples
    --------
    >>> from provably_fair.calibration import calibrate
    >>> rows = calibrate(20)
    >>> rows[0]["subject"], rows[0]["test"], rows[0]["alarms"]["0.01"]["most"]
    ('X50()', 'chi-square (equidistribution)', 3)
    """
    sets = integer("sets", sets, 1)
    name = seed_text(seed)
    stats = optional("scipy.stats", "stats", "calibration")
    spread = np.random.default_rng(0)
    found: dict[tuple[str, str], list[float]] = {}
    rejected: dict[str, int] = {}
    for i in range(sets):
        for report in _fair(f"{name}:{i}"):
            rejected[report.subject] = rejected.get(report.subject, 0) + (not report.ok)
            for test in report.tests:
                share = spread.random() * (test.pvalue - test.pvalue_below)
                found.setdefault((report.subject, test.name), []).append(test.pvalue - share)
        if progress is not None:
            progress(i + 1)
    rows: list[dict[str, Any]] = []
    for (subject, test_name), pvalues in found.items():
        alarms = {}
        for level in LEVELS:
            count = int((np.array(pvalues) <= level).sum())
            least, most = (int(stats.binom.ppf(q, sets, level)) for q in (0.0005, 0.9995))
            alarms[str(level)] = {
                "count": count,
                "least": least,
                "most": most,
                "within": least <= count <= most,
            }
        uniform = float(stats.kstest(pvalues, "uniform").pvalue)
        rows.append(
            {"subject": subject, "test": test_name, "sets": sets, "alarms": alarms, "uniform": uniform}
        )
    for subject, count in rejected.items():
        most = int(stats.binom.ppf(0.9995, sets, 0.01))
        alarm = {"count": count, "least": 0, "most": most, "within": count <= most}
        rows.append(
            {
                "subject": subject,
                "test": "any (Holm)",
                "sets": sets,
                "alarms": {"0.01": alarm},
                "uniform": None,
            }
        )
    return rows


_SECTORS = X50().bounds[1] + 1


def _sector(rounds: int, seed: str, choice: np.random.Generator) -> tuple[Any, Any]:
    outcomes = X50().simulate(rounds, seed=seed)
    # Of n sectors 1/n + (n - 1)/n * moved is 1/n + 0.01.
    outcomes[choice.random(rounds) < 0.01 * _SECTORS / (_SECTORS - 1)] = 7
    return outcomes, X50()


def _repeat(rounds: int, seed: str, choice: np.random.Generator) -> tuple[Any, Any]:
    series = salts(rounds, seed)
    late = np.arange(999, rounds, 1000)
    series[late] = series[choice.integers(late)]
    return random_numbers(f"{seed}:server", f"{seed}:client", series), None


def _dependent(rounds: int, seed: str, choice: np.random.Generator) -> tuple[Any, Any]:
    outcomes = X50().simulate(rounds, seed=seed)
    for row in np.flatnonzero(choice.random(rounds - 1) < 0.01) + 1:
        outcomes[row] = outcomes[row - 1]
    return outcomes, X50()


def _modulo(rounds: int, seed: str, choice: np.random.Generator) -> tuple[Any, Any]:
    return choice.integers(256, size=rounds) % _SECTORS, X50()


def _short(rounds: int, seed: str, choice: np.random.Generator) -> tuple[Any, Any]:
    numbers = random_numbers(f"{seed}:server", f"{seed}:client", salts(rounds, seed), count=1).ravel()
    return (numbers * (_SECTORS - 1)).astype(np.int64), X50()


DEFECTS: dict[str, tuple[Callable[[int, str, np.random.Generator], tuple[Any, Any]], tuple[int, ...]]] = {
    "one X50 sector 1 percentage point too likely": (_sector, (2000, 5000, 10_000, 20_000)),
    "every 1,000th salt is an earlier one again": (_repeat, (500, 1000, 2000, 5000)),
    "1 % of outcomes repeat the one before": (_dependent, (1000, 2000, 5000, 10_000)),
    "X50 as a byte modulo 54": (_modulo, (1000, 2000, 5000, 10_000)),
    "X50 of 53 sectors (off by one)": (_short, (500, 1000, 2000, 5000)),
}
"""The defects whose detection is measured, and the numbers of rounds."""


def defective(defect: str, rounds: int, *, seed: int | str = 0) -> tuple[Any, Any]:
    """Return seeded data with a defect, and the game to test them as.

    Parameters
    ----------
    defect : str
        One of `DEFECTS`.
    rounds : int
        How many rounds.
    seed : int or str
        The name of the series of salts.

    Returns
    -------
    tuple
        The two arguments of `fairness_report`.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.calibration import defective
    >>> pf.fairness_report(*defective("X50 of 53 sectors (off by one)", 5000)).ok
    False
    """
    if defect not in DEFECTS:
        raise ValueError(f"defect must be one of {', '.join(map(repr, DEFECTS))}, got {defect!r}")
    name = seed_text(seed)
    choice = np.random.default_rng(list(f"{defect}:{name}".encode()))
    return DEFECTS[defect][0](integer("rounds", rounds, 1), name, choice)


def power(
    sets: int = 100, *, seed: int | str = "power", progress: Callable[[str], object] | None = None
) -> list[dict[str, Any]]:
    """Measure how often each defect is found, by sample size (needs scipy).

    Parameters
    ----------
    sets : int
        Data sets for each defect and size.
    seed : int or str
        Data set i is of the series ``f"{seed}:{i}"``.
    progress : callable, optional
        Called with each defect, once it is measured.

    Returns
    -------
    list of dict
        ``defect``, ``rounds``, ``sets``, ``found`` (reports rejected at a family-wise 1 %), ``by`` (the
        test that rejected most often, or None).

    Examples
    --------
    >>> from provably_fair.calibration import power
    >>> rows = power(1)
    >>> len(rows), rows[-1]["defect"], rows[-1]["rounds"], rows[-1]["sets"]
    (20, 'X50 of 53 sectors (off by one)', 5000, 1)
    """
    sets = integer("sets", sets, 1)
    name = seed_text(seed)
    rows = []
    for defect, (_, sizes) in DEFECTS.items():
        for rounds in sizes:
            found, by = 0, dict[str, int]()
            for i in range(sets):
                report = fairness_report(*defective(defect, rounds, seed=f"{name}:{i}"))
                found += not report.ok
                for test in report.tests:
                    by[test.name] = by.get(test.name, 0) + test.rejected
            best = max(by, key=by.__getitem__)
            rows.append(
                {
                    "defect": defect,
                    "rounds": rounds,
                    "sets": sets,
                    "found": found,
                    "by": best if by[best] else None,
                }
            )
        if progress is not None:
            progress(defect)
    return rows
