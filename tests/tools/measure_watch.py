"""How often a watch of fair games alarms in a year of daily looks, beside the usual 30-day z-band.

    python tests/tools/measure_watch.py [years] [games] [days] [bets a day]

Years are simulated by totals: of each game and day the counts of each amount, of laws from a coin to a
jackpot of one in a million. In every second game stakes follow outcomes: a day's stake is doubled after a
day that lost, up to 64 times the first. It writes `tests/vectors/watch_years.json`: the years with any alarm,
with an exact interval; the years and looks with a 30-day return outside of 2.576 deviations; and by which day
a fault of one point of return in one game is seen, by the evidence, by a z-band with as many false alarms,
and by the likelihood ratio that knows the fault.
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
LEVEL, Z = 0.01, 2.5758293035489004
# The windows of a `Watch` by default: everything, a day, and 30 days.
LENGTHS = (1, 30)
LARGEST_STAKE = 64
LAWS = {
    "coin": pf.Distribution([0, 1.98], [1, 1]),
    "double": pf.Distribution([0, 14], [14, 1]),
    "one in a hundred": pf.Distribution([0, 95], [99, 1]),
    "slot": pf.Distribution([0, 1, 1000], [6000, 3997, 3]),
    "jackpot of 1 in 600,000": pf.Distribution([0, 1, 10**5], [599_999, 400_000, 1]),
    "jackpot of 1 in 1,000,000": pf.Distribution([0, 1, 2 * 10**5], [299_999, 700_000, 1]),
}


class Games:
    """Games of one law: what the wagers of a watch on each of them have, day by day."""

    def __init__(self, law: pf.Distribution, follow: bool) -> None:
        self.values, self.chances = law.outcomes.astype(float), law.probabilities
        self.mean, self.deviation, self.follow = law.mean(), law.std(), follow
        self.market = Looks(law)
        self.wagers = np.concatenate([-WAGERS, WAGERS])
        shares = LARGEST_STAKE // 2 ** np.arange(7) / LARGEST_STAKE
        self.prices = {
            share: self.market.price(share * self.wagers / self.deviation) for share in shares.tolist()
        }

    def counts(self, rng: np.random.Generator, games: int, days: int, bets: int) -> np.ndarray:
        """Return how often each amount came, by game and day."""
        return rng.multinomial(bets, self.chances, size=(games, days))

    def paths(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the logarithm of each wager's wealth, by game and day from 0, and the 30-day deviations."""
        bets = counts[0, 0].sum()
        off = counts @ self.values - bets * self.mean
        stakes, shares = self._stakes(off)
        price = np.array([self.prices[share] for share in shares.ravel().tolist()]).reshape(*off.shape, -1)
        by_money = (shares * off / self.deviation)[..., np.newaxis] * self.wagers - bets * price
        by_bets = (off / self.deviation)[..., np.newaxis] * self.wagers - bets * self.prices[1.0]
        steps = np.concatenate([by_money, by_bets], axis=-1)
        path = np.concatenate([np.zeros_like(steps[:, :1]), np.cumsum(steps, axis=1)], axis=1)
        days = np.arange(1, off.shape[1] + 1)
        first = np.maximum(days - LENGTHS[-1], 0)
        total, squares = (
            np.concatenate([np.zeros((len(off), 1)), np.cumsum(values, axis=1)], axis=1)
            for values in (stakes * off, stakes**2 * bets)
        )
        z = (total[:, days] - total[:, first]) / (
            self.deviation * np.sqrt(squares[:, days] - squares[:, first])
        )
        return path, z

    def _stakes(self, off: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the stakes of each day, and as shares of the largest one of the days before."""
        stakes, largest = np.ones_like(off), np.ones_like(off)
        for day in range(1, off.shape[1] if self.follow else 0):
            doubled = np.minimum(2 * stakes[:, day - 1], LARGEST_STAKE)
            stakes[:, day] = np.where(off[:, day - 1] < 0, doubled, 1.0)
            largest[:, day] = np.maximum(largest[:, day - 1], stakes[:, day - 1])
        return stakes, np.minimum(stakes / largest, 1.0)


def mean_wealth(path: np.ndarray) -> np.ndarray:
    """Return the logarithm of the mean of what the wagers have."""
    found: np.ndarray = np.logaddexp.reduce(path, axis=-1) - math.log(path.shape[-1])
    return found


def evidence(path: np.ndarray) -> np.ndarray:
    """Return a game's evidence at the end of each day, in logarithms: the mixture of all windows."""
    days = len(path) - 1
    windows = [mean_wealth(path[1:])]
    for length in LENGTHS:
        found = -np.log(np.arange(days) + 2)  # who hasn't begun
        for begun in range(days):
            end = min(begun + length, days)
            wealth = mean_wealth(path[begun + 1 : end + 1] - path[begun])
            wealth = np.concatenate([wealth, np.full(days - end, wealth[-1])])
            found[begun:] = np.logaddexp(found[begun:], wealth - math.log((begun + 1) * (begun + 2)))
        windows.append(found)
    mixed: np.ndarray = np.logaddexp.reduce(windows, axis=0) - math.log(len(windows))
    return mixed


def most_evidence(paths: np.ndarray) -> np.ndarray:
    """Return a bound above the most evidence that each game ever has, which is quick.

    Who begins at a time of his own, and stops at one, never has more than each wager's largest rise.
    """
    whole = mean_wealth(paths).max(axis=1)
    rises = (paths - np.minimum.accumulate(paths, axis=1)).max(axis=1)
    bound: np.ndarray = np.maximum(whole, mean_wealth(rises))
    return bound


def fair_years(
    rng: np.random.Generator, groups: list[Games], years: int, each: list[int], days: int, bets: int
) -> dict[str, np.ndarray]:
    """Return of each year whether there was an alarm, the largest deviation, and looks outside the z-band."""
    limit = math.log(sum(each) / LEVEL)
    alarms, largest, outside = np.zeros(years, bool), np.zeros(years), np.zeros(years, int)
    for year in range(years):
        for group, games in zip(groups, each, strict=True):
            paths, z = group.paths(group.counts(rng, games, days, bets))
            for game in np.flatnonzero(most_evidence(paths) >= limit).tolist():
                alarms[year] |= evidence(paths[game]).max() >= limit
            largest[year] = max(largest[year], np.abs(z).max())
            outside[year] += int((np.abs(z) > Z).sum())
        if year % 20 == 19:
            print(f"{year + 1} years, {alarms.sum()} with an alarm", file=sys.stderr, flush=True)
    return {"alarms": alarms, "largest": largest, "outside": outside}


def days_of_a_fault(
    rng: np.random.Generator, group: Games, games: int, days: int, bets: int, band: float, runs: int
) -> dict[str, float | None]:
    """Return the median day by which a return of a point less is seen; None where it isn't in most runs."""
    chances = group.chances.copy()
    chances[:2] += np.array([1, -1]) * 0.01 / group.values[1]
    counts = rng.multinomial(bets, chances, size=(runs, days))
    paths, z = group.paths(counts)
    limit = math.log(games / LEVEL)
    ratio = np.cumsum(counts @ np.log(chances / group.chances), axis=1)
    seen = {
        "evidence": np.array([evidence(path) >= limit for path in paths]),
        "z_band_with_as_many_false_alarms": np.abs(z) > band,
        "likelihood_ratio_that_knows_it": ratio >= limit,
    }
    found: dict[str, float | None] = {}
    for name, hits in seen.items():
        first = np.where(hits.any(axis=1), hits.argmax(axis=1) + 1.0, np.inf)
        median = float(np.median(first))
        found[name] = median if math.isfinite(median) else None
    return found


def main(years: int = 1000, games: int = 200, days: int = 365, bets: int = 2000) -> None:
    """Simulate years, and write what came of them."""
    rng = np.random.default_rng(44)
    groups = [Games(law, follow) for law in LAWS.values() for follow in (False, True)]
    each = [games // len(groups) + (place < games % len(groups)) for place in range(len(groups))]
    fair = fair_years(rng, groups, years, each, days, bets)
    alarmed, passed = int(fair["alarms"].sum()), int((fair["outside"] > 0).sum())
    # The band that as many fair years leave as the level allows.
    band = float(np.quantile(fair["largest"], 1 - LEVEL, method="higher"))
    faults = {
        name: days_of_a_fault(rng, Games(law, False), games, 3 * days, bets, band, 100)
        for name, law in list(LAWS.items())[:4]
    }
    result = {
        "command": f"python tests/tools/measure_watch.py {years} {games} {days} {bets}",
        "years": years, "games": games, "days": days, "bets_a_day": bets, "level": LEVEL,
        "laws": list(LAWS), "games_with_stakes_that_follow_outcomes": sum(each[1::2]),
        "years_with_alarm": alarmed, "interval": binomial_interval(alarmed, years),
        "years_outside_the_z_band": passed,
        "share_of_looks_outside_the_z_band": int(fair["outside"].sum()) / (years * games * days),
        "z_band_with_as_many_false_alarms": band,
        "median_day_of_a_fault_of_one_point": faults,
    }  # fmt: skip
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
