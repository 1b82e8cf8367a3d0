"""Simulated estimates of the return to player, with intervals that stay valid for skewed bets."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, each_of, integer, probability, threads_of
from provably_fair._core.table import Sheet, Tabular, displayed
from provably_fair._core.tails import binomial_interval, student_quantile
from provably_fair._core.types import Columns
from provably_fair.distribution import Distribution
from provably_fair.seeds.series import series

from .errors import ErrorLaw
from .returns import Returns, rtp_if_exact

_ROUNDS_AT_A_TIME = 1 << 18


@displayed
@dataclass(frozen=True)
class RtpEstimate(Tabular):
    """A simulated return to player with its confidence interval, beside the exact return.

    Attributes
    ----------
    rtp : float
        The total payout divided by the total stake.
    low, high : float
        The confidence interval.
    confidence : float
        Its level.
    exact_rtp : fractions.Fraction or None
        The return by the law, if known exactly.
    rounds : int
        The number of rounds.
    method : str
        The method of the interval. "binomial": exact, for bets that pay one amount or nothing. "law": from
        the exact law of the mean of that many bets. "student": from Student's t and the simulated variance,
        if no law is known.
    law_rtp : float
        The return by the law, which may be computed in floating point; NaN if unknown.
    """

    rtp: float
    low: float
    high: float
    confidence: float
    exact_rtp: Fraction | None
    rounds: int
    method: str = "student"
    law_rtp: float = math.nan

    @property
    def exact(self) -> Fraction | None:
        """The exact return to player; None if unknown."""
        return self.exact_rtp

    @property
    def covers(self) -> bool | None:
        """Whether the interval contains the exact return; None if that is unknown."""
        if math.isnan(self.law_rtp):
            return None
        # The ends are floats, so that an end at the return is the float of it.
        return self.low <= self.law_rtp <= self.high

    def __str__(self) -> str:
        how = "by the law" if self.exact_rtp is None else "exactly"
        exact = "" if math.isnan(self.law_rtp) else f", {how} {self.law_rtp:.6f}"
        return (
            f"{self.rtp:.6f} ({self.confidence:.0%}: {self.low:.6f} to {self.high:.6f}) "
            f"of {self.rounds:,} rounds{exact}"
        )

    def _sheet(self) -> Sheet:
        rows = [
            ("simulated", f"{self.rtp:.6f}"),
            (f"{self.confidence:.0%} interval", f"{self.low:.6f} to {self.high:.6f}"),
        ]
        if not math.isnan(self.law_rtp):
            how = "by the law" if self.exact_rtp is None else "exact"
            rows += [(how, f"{self.law_rtp:.6f}")]
            rows += [("interval holds it", "yes" if self.covers else "no")]
        return Sheet(f"Return to player of {self.rounds:,} rounds", ("", ""), rows)

    def _columns(self) -> Columns:
        names = ("rtp", "low", "high", "confidence", "rounds", "method")
        exact = math.nan if self.exact_rtp is None else float(self.exact_rtp)
        return {name: [getattr(self, name)] for name in names} | {"exact_rtp": [exact]}


def stakes_of(stake: object, count: int) -> np.ndarray:
    """Return `count` stakes, checked."""
    stakes = each_of("stake", stake, count, "round")
    if (stakes < 0).any() or not np.isfinite(stakes).all():
        raise BadValue("stake", "must be finite and at least 0 in every round")
    return np.broadcast_to(stakes, count)


def estimate(
    bet: Returns, rounds: int, stake: Any, seed: int | str, confidence: float, threads: int | None
) -> RtpEstimate:
    """Simulate rounds of a bet and estimate its return; see `Bet.estimate`."""
    rounds, seed, _ = series(integer("rounds", rounds, 2), seed, 0)
    confidence = probability("confidence", confidence)
    threads = threads_of(threads)
    flat = not callable(stake) and np.ndim(stake) == 0
    total = _Flat(bet, stakes_of(stake, 1)) if flat else _Staked(bet, _by_round(stake, rounds))
    for start in range(0, rounds, _ROUNDS_AT_A_TIME):
        now = min(_ROUNDS_AT_A_TIME, rounds - start)
        total.add(start, bet.draw(now, seed=seed, start=start, threads=threads))
    low, high, method = total.interval(confidence)
    known = math.nan if bet.law is None else bet.law.mean()
    return RtpEstimate(total.rtp, low, high, confidence, rtp_if_exact(bet.law), rounds, method, known)


def _by_round(stake: object, rounds: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function from round numbers to stakes."""
    if callable(stake):
        return lambda numbers: stakes_of(stake(numbers), len(numbers))
    stakes = stakes_of(stake, rounds)
    return lambda numbers: stakes[numbers]


class _Flat:
    """Running totals of bets at one stake: counts of each payout suffice."""

    def __init__(self, bet: Returns, stake: np.ndarray) -> None:
        if stake[0] == 0:
            raise BadValue("stake", "must be above 0 in some round")
        self.bet = bet
        self.bets = self.parts = self.squares = self.won = 0

    def add(self, start: int, parts: np.ndarray) -> None:
        if parts.dtype != object and parts.size * float(np.abs(parts).max(initial=0)) ** 2 >= 2.0**62:
            parts = parts.astype(object)
        self.bets += parts.size
        self.parts += int(parts.sum())
        self.squares += int((parts * parts).sum())
        self.won += int(np.count_nonzero(parts))

    @property
    def rtp(self) -> float:
        return float(Fraction(self.parts, self.bet.unit * self.bets))

    def interval(self, confidence: float) -> tuple[float, float, str]:
        law, rtp = self.bet.law, self.rtp
        if law is None:
            mean = Fraction(self.parts, self.bets)
            variance = (Fraction(self.squares, self.bets) - mean**2) / self.bet.unit**2
            spread = math.sqrt(variance / (self.bets - 1))
            half = student_quantile(confidence, self.bets - 1) * spread
            return rtp - half, rtp + half, "student"
        least, most = law.support()
        if least == 0 and len(law.weights) - law.weights.count(0) <= 2:
            low, high = binomial_interval(self.won, self.bets, confidence)
            return low * float(most), high * float(most), "binomial"
        errors = _error_range(law, self.bets, confidence)
        return *_within(law, rtp, errors, self.bets), "law"


class _Staked:
    """Running totals of bets whose stakes vary by round."""

    def __init__(self, bet: Returns, stake: Callable[[np.ndarray], np.ndarray]) -> None:
        self.bet, self.stake = bet, stake
        # Sums over rounds of stake, pay, their squares and their product, and counts of each stake.
        self.sums = np.zeros(5)
        self.stakes: dict[float, int] = {}
        self.rounds, self.each = 0, 1

    def add(self, start: int, parts: np.ndarray) -> None:
        rounds, self.each = parts.shape
        stake = self.stake(np.arange(start, start + rounds, dtype=np.int64))
        # All balls or spins of a round have its stake.
        pay = stake * (parts.mean(axis=1) / self.bet.unit).astype(np.float64)
        self.sums += stake.sum(), pay.sum(), stake @ stake, pay @ pay, stake @ pay
        self.rounds += rounds
        for value, count in zip(*(x.tolist() for x in np.unique(stake, return_counts=True)), strict=True):
            self.stakes[value] = self.stakes.get(value, 0) + count
        if len(self.stakes) > _ROUNDS_AT_A_TIME:
            self._together()

    def _together(self) -> None:
        """Merge neighboring stakes; their quadratic mean keeps the variance."""
        stakes = sorted(self.stakes)
        kept: dict[float, int] = {}
        for pair in (stakes[i : i + 64] for i in range(0, len(stakes), 64)):
            count = sum(self.stakes[stake] for stake in pair)
            kept[math.sqrt(math.fsum(self.stakes[stake] * stake**2 for stake in pair) / count)] = count
        self.stakes = kept

    @property
    def rtp(self) -> float:
        bets, pays = self.sums[:2].tolist()
        if bets == 0:
            raise BadValue("stake", "must be above 0 in some round")
        return float(pays / bets)

    def interval(self, confidence: float) -> tuple[float, float, str]:
        rtp, law = self.rtp, self.bet.law
        bets, _, bets2, pays2, product = self.sums.tolist()
        if law is None:
            # The variance of sum(pay - rtp * stake), divided by the total staked (ratio estimator).
            spread = max(pays2 - 2 * rtp * product + rtp * rtp * bets2, 0.0) * self.rounds / (self.rounds - 1)
            half = student_quantile(confidence, self.rounds - 1) * math.sqrt(spread) / bets
            return rtp - half, rtp + half, "student"
        stakes = np.array(list(self.stakes)) / self.each
        counts = np.array(list(self.stakes.values())) * self.each
        return *_within(law, rtp, ErrorLaw(law, stakes, counts, confidence).range, bets), "law"


@lru_cache(maxsize=64)
def _error_range(law: Distribution, bets: int, confidence: float) -> tuple[float, float]:
    """Return the interval of the sampling error of `bets` bets of 1."""
    return ErrorLaw(law, np.ones(1), np.array([bets]), confidence).range


def _within(law: Distribution, rtp: float, errors: tuple[float, float], bets: float) -> tuple[float, float]:
    """Return the interval for the return by the errors of all bets, clipped to what a bet can pay."""
    least, most = map(float, law.support())
    low, high = (min(max(rtp - error / bets, least), most) for error in reversed(errors))
    return low, high
