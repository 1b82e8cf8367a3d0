"""How often a watch of fair games alarms in a year of daily looks, beside the usual 30-day z-band.

    python tests/tools/measure_watch.py [years] [games] [days] [bets a day]

Years are simulated by totals: of each game and day the counts of each amount, of laws from a coin to one
that pays one in 600,000. It writes `tests/vectors/watch_years.json`: the years with any alarm, with an exact
interval, and the years and looks with a 30-day return outside of 2.576 deviations; then the day by which a
fault of one point of return in one game is seen, by the evidence and by the z-band.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders
import numpy as np
import provably_fair as pf
from provably_fair._core.tails import binomial_interval
from provably_fair.bets.wagers import WAGERS, Looks

RESULTS = folders.VECTORS / "watch_years.json"
LEVEL, WINDOW, Z = 0.01, 30, 2.5758293035489004
LAWS = [
    pf.Distribution([0, 1.98], [1, 1]),
    pf.Distribution([0, 14], [14, 1]),
    pf.Distribution([0, 95], [99, 1]),
    pf.Distribution([0, 1, 1000], [6000, 3997, 3]),
    pf.Distribution([0, 1, 10**5], [599_999, 400_000, 1]),
]


class Segment:
    """A game's evidence: of the whole history, and of windows that begin each day and last thirty."""

    def __init__(self, law: pf.Distribution) -> None:
        self.values = law.outcomes.astype(float)
        self.chances, self.mean, self.deviation = law.probabilities, law.mean(), law.std()
        market = Looks(law)
        self.prices = market.price(np.concatenate([-WAGERS, WAGERS]) / self.deviation)
        self.wagers = np.concatenate([-WAGERS, WAGERS]) / self.deviation

    def year(
        self, rng: np.random.Generator, days: int, bets: int, chances: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Return each day's evidence, in logarithms, and the deviations of its last thirty days."""
        sums = rng.multinomial(bets, chances, size=days) @ self.values - bets * self.mean
        steps = np.outer(sums, self.wagers) - bets * self.prices
        path = np.vstack([np.zeros(len(self.wagers)), np.cumsum(steps, axis=0)])
        whole = np.logaddexp.reduce(path[1:], axis=1) - math.log(len(self.wagers))
        rolling = np.full(days, -np.inf)
        for begun in range(days):
            end = min(begun + WINDOW, days)
            wealth = np.logaddexp.reduce(path[begun + 1 : end + 1] - path[begun], axis=1) - math.log(
                len(self.wagers)
            )
            wealth = np.concatenate([wealth, np.full(days - end, wealth[-1])])
            share = -math.log((begun + 1) * (begun + 2))
            rolling[begun:] = np.logaddexp(rolling[begun:], wealth + share)
        rolling = np.logaddexp(rolling, -np.log(np.arange(days) + 2))  # who hasn't begun
        total = np.concatenate([[0.0], np.cumsum(sums)])
        first = np.maximum(np.arange(1, days + 1) - WINDOW, 0)
        count = (np.arange(1, days + 1) - first) * bets
        z = (total[1:] - total[first]) / (self.deviation * np.sqrt(count))
        return np.logaddexp(whole, rolling) - math.log(2), z


def main(years: int = 1000, games: int = 200, days: int = 365, bets: int = 2000) -> None:
    """Simulate years, and write what came of them."""
    rng = np.random.default_rng(44)
    segments = [Segment(LAWS[place % len(LAWS)]) for place in range(games)]
    limit = math.log(games / LEVEL)
    alarmed = z_years = z_looks = 0
    for _ in range(years):
        found = [segment.year(rng, days, bets, segment.chances) for segment in segments]
        alarmed += any(evidence.max() >= limit for evidence, _ in found)
        outside = np.array([np.abs(z) > Z for _, z in found])
        z_years += bool(outside.any())
        z_looks += int(outside.sum())
    fault = segments[0]
    lower = fault.chances + np.array([1, -1]) * 0.01 / 1.98  # a point of return less
    seen: dict[str, list[int]] = {"evidence": [], "z_band_at_equal_false_alarms": []}
    # As many deviations as a whole year of this many games passes as rarely, by Bonferroni's bound.
    from statistics import NormalDist

    wide = NormalDist().inv_cdf(1 - LEVEL / (2 * games * days))
    for _ in range(200):
        evidence, z = fault.year(rng, days, bets, lower)
        for name, hit in (
            ("evidence", evidence >= limit),
            ("z_band_at_equal_false_alarms", np.abs(z) > wide),
        ):
            seen[name].append(int(hit.argmax()) + 1 if hit.any() else days + 1)
    result = {
        "years": years, "games": games, "days": days, "bets_a_day": bets, "level": LEVEL,
        "years_with_alarm": alarmed, "interval": binomial_interval(alarmed, years),
        "years_with_z_band_passed": z_years,
        "share_of_looks_outside_z_band": z_looks / (years * games * days),
        "median_day_of_a_fault_of_one_point": {name: float(np.median(of)) for name, of in seen.items()},
    }  # fmt: skip
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
