"""Sequential monitoring of returns, valid at every look.

The evidence is an e-value: the capital of a gambler who bets against the law at its own odds. It is a
martingale if the law holds, so by Ville's inequality it ever exceeds 1 / level with a probability of at most
the level, however often one looks. With few amounts the gambler's bets are a mixture of Dirichlet-multinomial
likelihoods over the likelihood of the law, updated count by count. With many amounts the capital bets on the
deviation from the mean, and the interval holds the candidate means against which such bets haven't won.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadValue, integer, probability
from provably_fair._core.counts import as_places, bincount
from provably_fair._core.table import Sheet, Tabular, displayed, facts_html, short
from provably_fair._core.tails import student_quantile
from provably_fair._core.types import Columns
from provably_fair.distribution import Distribution

from .observed import Observed, known_law

# Up to this many amounts are counted one by one; with more, only the mean is bet against.
_FEW = 64
_SCALES = 8.0 ** np.arange(6)
_ROWS_AT_A_TIME = 1 << 12
_CANDIDATES = 80  # on each side of the law's mean
# A simulated monitor without an alarm after this many bets is abandoned.
_MOST_BETS = 1 << 20
_FIRST_LOOK = 256


class Monitor(Tabular):
    """Evidence against the law of a bet, bet by bet and valid at every look. Made by `Bet.monitor`.

    Its size doesn't grow with the number of bets, and its results don't depend on how they are split into
    updates. The bets must be independent, and their stakes chosen before the outcome.

    Parameters
    ----------
    law : Distribution
        The law of the return of a bet of 1.
    confidence : float
        The level of `interval`.

    Notes
    -----
    The e-value is the wealth of a gambler who starts with 1 and bets against the law. If the law holds, it
    ever reaches 20 with a probability of at most 1/20 (Ville's inequality). For laws of up to 64 amounts it
    is the likelihood of mixtures of laws around it (Dirichlet-multinomial) divided by its own, and the
    interval holds the means of all laws that the same mixtures don't reject. For more amounts, the gambler
    bets on the difference from the mean, up and down, with stakes by the variance so far (Waudby-Smith and
    Ramdas), and the interval holds those of 161 trial means against which this doesn't win.

    Examples
    --------
    >>> bet = pf.Dice().bet(1.98, under=50)
    >>> monitor = bet.monitor()
    >>> monitor.update(bet.simulate(1000)).pvalue > 0.05
    True
    >>> bet.monitor().update(bet.after_grinding(2).simulate(200)).evalue > 1000
    True
    """

    def __init__(self, law: Distribution, *, confidence: float = 0.95) -> None:
        self._law = known_law(law, "a monitor")
        self.confidence: float = probability("confidence", confidence)
        kind = _CountMixture if len(law.weights) - law.weights.count(0) <= _FEW else _Capital
        self._evidence = kind(law, self.confidence)
        self.bets: int = 0
        self.impossible: int = 0
        self._returned = self._highest = 0.0

    def __copy__(self) -> Monitor:
        return deepcopy(self)  # or what one takes in would be evidence of the other

    def update(self, returns: ArrayLike, *, stakes: object = 1, within: float = 0.0) -> Monitor:
        """Take in the returns of more bets, as `Bet.test` takes them, and return the monitor itself.

        Examples
        --------
        >>> pf.Double().bet({0: 14}).monitor().update([0, 0, 14]).bets
        3
        """
        seen = Observed(self._law, returns, stakes, within)
        self.bets += len(seen)
        self.impossible += seen.impossible.size
        right = seen.places[seen.places >= 0]
        if right.size:
            self._returned += float(self._law.outcomes[right].astype(np.float64).sum())
            self._highest = max(self._highest, *(float(path.max()) for path in self._paths(right)))
        return self

    def _paths(self, places: np.ndarray) -> Iterator[np.ndarray]:
        """Take in amounts in blocks, and yield the log evidence after each amount of a block."""
        for first in range(0, len(places), _ROWS_AT_A_TIME):
            yield self._evidence.add(places[first : first + _ROWS_AT_A_TIME])

    @property
    def evalue(self) -> float:
        """The evidence against the law: above 1 is against it, and 20 corresponds to a p-value of 0.05."""
        if self.impossible:
            return math.inf
        return math.exp(min(self._evidence.logarithm, 709.0))

    @property
    def pvalue(self) -> float:
        """The p-value that is valid at every look: 1 over the largest e-value so far."""
        return 0.0 if self.impossible else math.exp(-self._highest)

    @property
    def rtp(self) -> float:
        """The average return of a stake of 1; NaN before the first bet."""
        counted = self.bets - self.impossible
        return self._returned / counted if counted else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the average return of a bet of 1.

        It is valid at all looks together, at `confidence`. NaN if the bet can't have returned what was
        observed.
        """
        return (math.nan, math.nan) if self.impossible else self._evidence.interval()

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"<Monitor of {self.bets} bets: e-value {short(self.evalue)}, return {short(self.rtp)} "
            f"({short(low)} to {short(high)})>"
        )

    def _sheet(self) -> Sheet:
        low, high = self.interval
        rows = [
            ("returned", short(self.rtp)),
            ("expected", short(self._law.mean())),
            (f"{self.confidence:.0%} interval", f"{short(low)} to {short(high)}"),
            ("e-value", short(self.evalue)),
            ("p-value", short(self.pvalue)),
        ]
        if self.impossible:
            rows.append(("impossible returns", short(self.impossible)))
        return Sheet(f"Monitor of {self.bets:,} bets", ("", ""), rows)

    def _columns(self) -> Columns:
        low, high = self.interval
        facts = {"bets": self.bets, "rtp": self.rtp, "low": low, "high": high}
        facts |= {"evalue": self.evalue, "pvalue": self.pvalue, "impossible": self.impossible}
        return {name: [value] for name, value in facts.items()}


@displayed
@dataclass(frozen=True)
class UntilAlarm:
    """The number of bets of another law until a monitor alarmed, in simulations.

    Attributes
    ----------
    mean : float
        The average number of bets; infinite if a simulation was given up.
    low, high : float
        Its 95 % interval, by Student's t.
    median : float
        The median number of bets; infinite if half of the simulations were given up.
    bound : float
        No evidence that keeps its level at every look alarms sooner on average: the logarithm of 1 / level,
        divided by the relative entropy (Kullback-Leibler divergence) of the other law and the bet's.
    given_up : int
        The simulations without an alarm in 2**20 bets.
    sets : int
        The number of simulations.
    """

    mean: float
    low: float
    high: float
    median: float
    bound: float
    given_up: int
    sets: int

    _repr_html_ = facts_html

    def __str__(self) -> str:
        first = f"after {self.mean:,.0f} bets on average (95% interval {self.low:,.0f} to {self.high:,.0f})"
        if self.given_up:
            first = (
                f"after {self.low:,.0f} bets or more on average: {self.given_up} of {self.sets} simulations "
                f"had no alarm in {_MOST_BETS:,}"
            )
        return f"{first}; none can alarm before {self.bound:,.0f} on average"


def rounds_until_alarm(
    law: Distribution, other: Distribution, level: object, sets: object, rng: np.random.Generator
) -> UntilAlarm:
    """Simulate monitors of a law while bets follow another; see `Bet.rounds_until_alarm`."""
    level, count = probability("level", level), integer("sets", sets, 2)
    chances = dict(zip(law.outcomes.tolist(), law.probabilities.tolist(), strict=True))
    true = [
        (chances.get(x, 0.0), p) for x, p in zip(other.outcomes.tolist(), other.probabilities, strict=True)
    ]
    divergence = math.fsum(p * math.log(p / q) if q else math.inf for q, p in true if p)
    if divergence < 1e-15:
        raise BadValue("alternative", "must differ from the bet's law: evidence can't tell it from itself")
    times = np.array([_until_alarm(law, other, -math.log(level), rng) for _ in range(count)])
    mean, off = float(times.mean()), math.inf
    given_up = int(np.isinf(times).sum())
    if not given_up:
        off = student_quantile(0.95, count - 1) * float(times.std(ddof=1)) / math.sqrt(count)
    low = max(mean - off, 1.0) if not given_up else float(np.minimum(times, _MOST_BETS).mean())
    bound = max(-math.log(level) / divergence, 1.0)
    return UntilAlarm(mean, low, mean + off, float(np.median(times)), bound, given_up, count)


def _until_alarm(law: Distribution, other: Distribution, limit: float, rng: np.random.Generator) -> float:
    """Return the number of bets of `other` after which the evidence reaches `limit`."""
    monitor, bets = Monitor(law), 0
    while bets < _MOST_BETS:
        seen = Observed(law, other.rvs(max(bets // 4, _FIRST_LOOK), rng=rng))
        impossible = int(seen.impossible[0]) if seen.impossible.size else len(seen)
        for path in monitor._paths(seen.places[:impossible]):
            if path.max() >= limit:
                return bets + int(np.argmax(path >= limit)) + 1
            bets += len(path)
        if seen.impossible.size:
            return bets + 1
    return math.inf


class _CountMixture:
    """Evidence for few amounts: Dirichlet-multinomial mixture likelihood over the law's likelihood."""

    def __init__(self, law: Distribution, confidence: float) -> None:
        possible = np.array([weight > 0 for weight in law.weights])
        self._place = np.cumsum(possible) - 1
        self._amounts = law.outcomes[possible].astype(np.float64)
        self._chances = law.probabilities[possible]
        # Prior weights: in total half a bet an amount, times several scales, to see both near and far
        # alternatives.
        self._priors = len(self._chances) / 2 * _SCALES
        self._logarithms = np.zeros(len(self._priors))
        self._counts = np.zeros(len(self._chances), dtype=np.int64)
        self._limit = -math.log(1 - confidence)

    @property
    def logarithm(self) -> float:
        return float(_mean_of_logarithms(self._logarithms))

    def add(self, places: np.ndarray) -> np.ndarray:
        """Add amounts, and return the log evidence after each."""
        kinds = self._place[places]
        # Count earlier occurrences of each amount within the block.
        order = np.argsort(kinds, kind="stable")
        many = bincount(kinds, minlength=len(self._counts))
        before = np.empty(len(kinds), dtype=np.int64)
        before[order] = np.arange(len(kinds)) - np.repeat(np.cumsum(many) - many, as_places(many))
        seen = self._counts[kinds] + before
        total = int(self._counts.sum()) + np.arange(len(kinds), dtype=np.int64)
        priors = self._priors[:, np.newaxis]
        chances = self._chances[kinds]
        steps = np.log((priors * chances + seen) / ((priors + total) * chances))
        path = self._logarithms[:, np.newaxis] + np.cumsum(steps, axis=1)
        self._counts += many
        self._logarithms = path[:, -1]
        return _mean_of_logarithms(path)

    def interval(self) -> tuple[float, float]:
        """Return the smallest and largest mean of the laws that aren't rejected."""
        seen = self._counts > 0
        counts = self._counts[seen].astype(np.float64)
        if not counts.size:
            return float(self._amounts[0]), float(self._amounts[-1])
        # A law is rejected if its log-likelihood is below this.
        least = self.logarithm + float(counts @ np.log(self._chances[seen])) - self._limit
        high = _largest_mean(self._amounts[seen], counts, float(self._amounts[-1]), least)
        low = -_largest_mean(-self._amounts[seen], counts, -float(self._amounts[0]), least)
        return low, high


def _mean_of_logarithms(logarithms: np.ndarray) -> np.ndarray:
    """Return the logarithm of the mean of exp(logarithms), along the first axis."""
    mean: np.ndarray = np.logaddexp.reduce(logarithms, axis=0) - math.log(len(logarithms))
    return mean


def _largest_mean(amounts: np.ndarray, counts: np.ndarray, last: float, least: float) -> float:
    """Return the largest mean of a law whose log-likelihood of these counts is at least `least`.

    By Lagrange multipliers, the maximizing law gives each observed amount x a probability proportional to n /
    (v - x), for some v of at least the largest amount; if that amount was never observed, it gets the
    remaining probability.
    """

    def at(gaps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        weights = counts / (last - amounts + gaps[:, np.newaxis])
        laws = weights / weights.sum(axis=1, keepdims=True)
        return np.log(laws) @ counts, laws

    spread = last - float(amounts.min())
    if not spread:  # only the largest amount was observed
        return last
    if (last - amounts).min() > 0:
        logarithms, laws = at(np.zeros(1))
        if logarithms[0] >= least:
            kept = math.exp((least - logarithms[0]) / counts.sum())
            return kept * float(laws[0] @ amounts) + (1 - kept) * last
    low, high = -200.0, 60.0  # logarithms of v - last over the spread; the likelihood increases with them
    while high - low > 1e-12:
        tried = np.linspace(low, high, 66)
        place = int(np.searchsorted(at(spread * np.exp(tried[1:-1]))[0] >= least, True))
        low, high = tried[place], tried[place + 1]
        if place and low == tried[place - 1]:
            break
    return float((at(spread * np.exp(np.array([low])))[1] @ amounts)[0])


class _Capital:
    """Evidence for bounded amounts: the capital of bets on the deviation from each candidate mean."""

    def __init__(self, law: Distribution, confidence: float) -> None:
        self._amounts = law.outcomes.astype(np.float64)
        low, high = float(self._amounts[0]), float(self._amounts[-1])
        mean, deviation = law.mean(), law.std()
        steps = np.geomspace(1e-4, 1.0, _CANDIDATES)
        down = mean - (mean - low) * steps[::-1]
        up = mean + np.minimum(deviation, high - mean) * np.geomspace(
            1e-4, (high - mean) / deviation, _CANDIDATES
        )
        self._means = np.unique(np.concatenate([down, [mean], np.clip(up, low, high)]))
        self._own = int(np.flatnonzero(self._means == mean)[0])
        self._ends = low, high
        self._limit = -math.log(1 - confidence)
        # The law's variance counts as one bet.
        self._count, self._sum, self._squares = 1, mean, law.var() + mean**2
        self._logarithms = np.zeros((2, len(self._means)))
        # The largest wagers that lose at most half of the capital.
        with np.errstate(divide="ignore"):
            self._most = 0.5 / np.stack([self._means - low, high - self._means])

    @property
    def logarithm(self) -> float:
        return float(_mean_of_logarithms(self._logarithms[:, self._own]))

    def add(self, places: np.ndarray) -> np.ndarray:
        """Add amounts, and return the log evidence after each."""
        amounts = self._amounts[places]
        # Wagers are fixed before each bet, from the mean and variance of all earlier ones.
        count = self._count + np.arange(len(amounts), dtype=np.int64)
        total = self._sum + np.concatenate([[0.0], np.cumsum(amounts)])
        squares = self._squares + np.concatenate([[0.0], np.cumsum(amounts**2)])
        variance = np.maximum(squares[:-1] / count - (total[:-1] / count) ** 2, 1e-12 * squares[:-1] / count)
        stake = np.sqrt(2 * (self._limit + math.log(2)) / (variance * count * np.log(count + 1)))
        off = amounts[:, np.newaxis] - self._means
        path = np.empty((2, len(amounts)))
        for side, sign in enumerate((1, -1)):
            won = np.log1p(sign * np.minimum(stake[:, np.newaxis], self._most[side]) * off)
            path[side] = self._logarithms[side, self._own] + np.cumsum(won[:, self._own])
            self._logarithms[side] += won.sum(axis=0)
        self._count += len(amounts)
        self._sum, self._squares = float(total[-1]), float(squares[-1])
        return _mean_of_logarithms(path)

    def interval(self) -> tuple[float, float]:
        """Return the smallest and largest candidate that isn't rejected."""
        evidence = _mean_of_logarithms(self._logarithms)
        kept = np.flatnonzero(evidence < self._limit)
        if not kept.size:
            kept = np.array([np.argmin(evidence)])
        low = self._means[kept[0] - 1] if kept[0] > 0 else self._ends[0]
        high = self._means[kept[-1] + 1] if kept[-1] + 1 < len(self._means) else self._ends[1]
        return float(low), float(high)
