"""Measures false alarms of a watch in a year of daily looks, beside the usual 30-day z-band.

    python measurements/measure_watch.py [years] [games] [days] [bets a day]

Years are simulated by totals: for each game and day the counts of each amount, under laws from a coin to a
jackpot of one in a million. In every second game stakes follow outcomes: the stake doubles after a losing
day, up to 64 times the first. Results go to `measurements/watch_years.json`: the years with any alarm, with
an interval; the years and looks with a 30-day return outside of 2.576 deviations; and the day on which a
return one point lower in one game is detected, by the evidence, by z-bands for each law which together keep
the level, and by the likelihood ratio that knows the alternative. A few years of a few games whose stakes
double after each losing bet of a day are simulated bet by bet.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf
from provably_fair._core.tails import binomial_interval
from provably_fair.bets.wagers import WAGERS, Looks

RESULTS = folders.MEASUREMENTS / "watch_years.json"
LEVEL, Z = 0.01, 2.5758293035489004
# The default windows of a `Watch`: everything, a day, and 30 days.
LENGTHS = (1, 30)
LARGEST_STAKE = 64
STAKES = 2.0 ** np.arange(7)
# For the years simulated bet by bet.
SHORT = {"years": 200, "games": 60, "days": 365, "bets": 200}
LAWS = {
    "coin": pf.Distribution([0, 1.98], [1, 1]),
    "double": pf.Distribution([0, 14], [14, 1]),
    "one in a hundred": pf.Distribution([0, 95], [99, 1]),
    "slot": pf.Distribution([0, 1, 1000], [6000, 3997, 3]),
    "jackpot of 1 in 600,000": pf.Distribution([0, 1, 10**5], [599_999, 400_000, 1]),
    "jackpot of 1 in 1,000,000": pf.Distribution([0, 1, 2 * 10**5], [299_999, 700_000, 1]),
}


class Games:
    """Games of one law: the capital of a watch's wagers on each of them, day by day.

    Stakes are powers of two up to `LARGEST_STAKE`: always 1, or doubled after losing "days" or "bets".
    """

    def __init__(self, law: pf.Distribution, follow: str = "") -> None:
        self.values, self.chances = law.outcomes.astype(float), law.probabilities
        self.mean, self.deviation, self.follow = law.mean(), law.std(), follow
        self.market = Looks(law)
        self.wagers = np.concatenate([-WAGERS, WAGERS])
        # Prices of the wagers on stakes of each share of the largest one, in increasing order.
        self.prices = self.market.price(
            np.multiply.outer(STAKES / LARGEST_STAKE, self.wagers / self.deviation)
        )

    def days(
        self, rng: np.random.Generator, games: int, days: int, bets: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the number of bets and the sum of their deviations from the mean, by game, day and stake."""
        if self.follow != "bets":
            return self.by_day(rng.multinomial(bets, self.chances, size=(games, days)))
        ends = np.cumsum(self.chances)[:-1]
        many, off = np.zeros((2, games * days, len(STAKES)))
        rows, stakes = np.arange(games * days), np.zeros(games * days, int)
        for _ in range(bets):
            returned = self.values[np.searchsorted(ends, rng.random(len(rows)), side="right")]
            many[rows, stakes] += 1
            off[rows, stakes] += returned - self.mean
            stakes = np.where(returned < 1, np.minimum(stakes + 1, len(STAKES) - 1), 0)
        return many.reshape(games, days, -1), off.reshape(games, days, -1)

    def by_day(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the result of `days` from counts of each amount, if all bets of a day have one stake."""
        bets = counts[0, 0].sum()
        moved = counts @ self.values - bets * self.mean
        stakes = np.zeros(moved.shape, int)
        for day in range(1, moved.shape[1] if self.follow else 0):
            doubled = np.minimum(stakes[:, day - 1] + 1, len(STAKES) - 1)
            stakes[:, day] = np.where(moved[:, day - 1] < 0, doubled, 0)
        here = stakes[..., np.newaxis] == np.arange(len(STAKES))
        return here * float(bets), here * moved[..., np.newaxis]

    def paths(self, many: np.ndarray, off: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return each wager's log capital, by game and day from 0, and the 30-day deviations."""
        # A stake counts as at most the largest one of earlier days.
        largest = np.where(many > 0, np.arange(len(STAKES)), 0).max(axis=2)
        largest = np.maximum.accumulate(largest, axis=1)
        largest[:, 1:], largest[:, 0] = largest[:, :-1].copy(), 0
        bets, money = np.zeros_like(many), np.zeros(many.shape[:2])
        for top in np.unique(largest).tolist():
            here = largest == top
            shares = np.minimum(np.arange(len(STAKES)) - top, 0) + len(STAKES) - 1
            for stake, share in enumerate(shares.tolist()):
                bets[here, share] += many[here, stake]
                money[here] += STAKES[share] / LARGEST_STAKE * off[here, stake]
        by_money = (money / self.deviation)[..., np.newaxis] * self.wagers - bets @ self.prices
        whole = many.sum(axis=2)[..., np.newaxis] * self.prices[-1]
        by_bets = (off.sum(axis=2) / self.deviation)[..., np.newaxis] * self.wagers - whole
        steps = np.concatenate([by_money, by_bets], axis=-1)
        path = np.concatenate([np.zeros_like(steps[:, :1]), np.cumsum(steps, axis=1)], axis=1)
        days = np.arange(1, off.shape[1] + 1)
        first = np.maximum(days - LENGTHS[-1], 0)
        total, squares = (
            np.concatenate([np.zeros((len(off), 1)), np.cumsum(values, axis=1)], axis=1)
            for values in (off @ STAKES, many @ STAKES**2)
        )
        z = (total[:, days] - total[:, first]) / (
            self.deviation * np.sqrt(squares[:, days] - squares[:, first])
        )
        return path, z


def mean_wealth(path: np.ndarray) -> np.ndarray:
    """Return the logarithm of the mean capital of the wagers."""
    wealth: np.ndarray = np.logaddexp.reduce(path, axis=-1) - math.log(path.shape[-1])
    return wealth


def by_window(path: np.ndarray, lengths: Sequence[int]) -> list[np.ndarray]:
    """Return a game's log evidence at the end of each day: over all days, then by window."""
    days = len(path) - 1
    by_length = [-np.log(np.arange(days) + 2) for _ in lengths]  # bettors that haven't started
    for begun in range(days):
        longest = mean_wealth(path[begun + 1 : begun + max(lengths) + 1] - path[begun])
        share = math.log((begun + 1) * (begun + 2))
        for logarithms, length in zip(by_length, lengths, strict=True):
            wealth = longest[:length]
            wealth = np.concatenate([wealth, np.full(days - begun - len(wealth), wealth[-1])])
            logarithms[begun:] = np.logaddexp(logarithms[begun:], wealth - share)
    return [mean_wealth(path[1:]), *by_length]


def evidence(path: np.ndarray) -> np.ndarray:
    """Return a game's log evidence at the end of each day: the mixture over all windows."""
    windows = by_window(path, LENGTHS)
    mixed: np.ndarray = np.logaddexp.reduce(windows, axis=0) - math.log(len(windows))
    return mixed


def most_evidence(paths: np.ndarray) -> np.ndarray:
    """Return a cheap upper bound on the largest evidence of each game.

    Whatever its start and end, a window never has more than the largest rise of each wager.
    """
    whole = mean_wealth(paths).max(axis=1)
    rises = (paths - np.minimum.accumulate(paths, axis=1)).max(axis=1)
    bound: np.ndarray = np.maximum(whole, mean_wealth(rises))
    return bound


def fair_years(
    rng: np.random.Generator, groups: list[Games], years: int, each: list[int], days: int, bets: int
) -> dict[str, np.ndarray]:
    """Return each year's alarms, largest deviations by group, and looks outside."""
    limit = math.log(sum(each) / LEVEL)
    alarms, largest, outside = np.zeros(years, bool), np.zeros((years, len(groups))), np.zeros(years, int)
    for year in range(years):
        for place, (group, games) in enumerate(zip(groups, each, strict=True)):
            paths, z = group.paths(*group.days(rng, games, days, bets))
            for game in np.flatnonzero(most_evidence(paths) >= limit).tolist():
                alarms[year] |= evidence(paths[game]).max() >= limit
            largest[year, place] = np.abs(z).max()
            outside[year] += int((np.abs(z) > Z).sum())
        if year % 20 == 19:
            print(f"{year + 1} years, {alarms.sum()} with an alarm", file=sys.stderr, flush=True)
    return {"alarms": alarms, "largest": largest, "outside": outside}


def days_of_a_fault(
    rng: np.random.Generator, group: Games, games: int, days: int, bets: int, band: float, runs: int
) -> dict[str, float | None]:
    """Return the median day on which a return one point lower is detected; None if most runs miss it."""
    chances = group.chances.copy()
    chances[:2] += np.array([1, -1]) * 0.01 / group.values[1]
    counts = rng.multinomial(bets, chances, size=(runs, days))
    paths, z = group.paths(*group.by_day(counts))
    limit = math.log(games / LEVEL)
    ratio = np.cumsum(counts @ np.log(chances / group.chances), axis=1)
    seen = {
        "evidence": np.array([evidence(path) >= limit for path in paths]),
        "z_band_of_the_law": np.abs(z) > band,
        "likelihood_ratio_that_knows_it": ratio >= limit,
    }
    by_day: dict[str, float | None] = {}
    for name, hits in seen.items():
        first = np.where(hits.any(axis=1), hits.argmax(axis=1) + 1.0, np.inf)
        median = float(np.median(first))
        by_day[name] = median if math.isfinite(median) else None
    return by_day


def bands(largest: np.ndarray) -> np.ndarray:
    """Return z-bands for each law with equal rates of false alarms, which together keep the level."""
    ordered = np.sort(largest, axis=0)[::-1]
    allowed = [
        limits for limits in ordered[1:]
        if (largest > limits).any(axis=1).sum() <= LEVEL * len(largest)
    ]  # fmt: skip
    return np.asarray(allowed[-1] if allowed else ordered[0])


def grouped(games: int, follows: tuple[str, ...]) -> tuple[list[Games], list[int]]:
    """Return games of all laws and kinds of stakes, with the number of each."""
    groups = [Games(law, follow) for law in LAWS.values() for follow in follows]
    return groups, [games // len(groups) + (place < games % len(groups)) for place in range(len(groups))]


def main(years: int = 1000, games: int = 200, days: int = 365, bets: int = 2000) -> None:
    """Simulate years, and write the results."""
    groups, each = grouped(games, ("", "days"))
    fair = fair_years(np.random.default_rng(44), groups, years, each, days, bets)
    alarmed, passed = int(fair["alarms"].sum()), int((fair["outside"] > 0).sum())
    # Both kinds of stakes of a law share a band.
    largest = fair["largest"].reshape(years, len(LAWS), 2).max(axis=2)
    widths = dict(zip(LAWS, bands(largest).tolist(), strict=True))
    rng = np.random.default_rng(45)
    faults = {
        name: days_of_a_fault(rng, Games(law), games, 3 * days, bets, widths[name], 100)
        for name, law in LAWS.items()
    }
    some, several = grouped(SHORT["games"], ("bets",))
    short = fair_years(np.random.default_rng(46), some, SHORT["years"], several, SHORT["days"], SHORT["bets"])
    after_bets = int(short["alarms"].sum())
    result = {
        "command": f"python measurements/measure_watch.py {years} {games} {days} {bets}",
        "years": years, "games": games, "days": days, "bets_a_day": bets, "level": LEVEL,
        "laws": list(LAWS), "games_with_stakes_that_follow_days": sum(each[1::2]),
        "years_with_alarm": alarmed, "interval": binomial_interval(alarmed, years),
        "years_outside_the_z_band": passed,
        "share_of_looks_outside_the_z_band": int(fair["outside"].sum()) / (years * games * days),
        "z_bands": widths,
        "years_outside_the_z_bands_of_the_laws": int((largest > list(widths.values())).any(axis=1).sum()),
        "median_day_of_a_fault_of_one_point": faults,
        "stakes_that_follow_bets": SHORT | {
            "years_with_alarm": after_bets, "interval": binomial_interval(after_bets, SHORT["years"])
        },
    }  # fmt: skip
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
