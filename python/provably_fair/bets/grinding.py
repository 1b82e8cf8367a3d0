"""Grinding of payouts: an operator draws several salts and plays the one that pays least.

The worst of k independent returns has the law `minimum(k)`, so grinding in a share of rounds is a mixture of
two known laws. The log-likelihood of the share is concave, hence the maximum and both ends of the interval
are single roots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from provably_fair._core.arguments import BadValue, integer, probability
from provably_fair._core.counts import bincount
from provably_fair._core.numbers import exactly
from provably_fair._core.table import Sheet, Tabular, displayed, short
from provably_fair._core.tails import binomial_interval, halved, student_quantile
from provably_fair._core.types import Columns
from provably_fair.distribution import Distribution

from .observed import Observed

_MAX_SALTS = 1_000_000


def grinding_law(law: Distribution, salts: int, share: Fraction) -> Distribution:
    """Return the law of a bet when a share of rounds plays the worst of several salts."""
    worst = law.minimum(salts)
    return worst if share == 1 else Distribution.mixture([(1 - share, law), (share, worst)])


@dataclass(frozen=True)
class GroundReturns:
    """The returns of bets where an operator draws `salts` and plays the worst, in a `share` of the rounds.

    `sampler` simulates honest rounds, of another series.
    """

    sampler: Callable[..., np.ndarray]
    salts: int
    share: Fraction

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Sample the returns of `rounds` rounds, in parts, shape (rounds, 1)."""
        tried = self.salts
        parts = self.sampler(rounds * tried, seed=seed, start=start * tried, threads=threads)
        if parts.shape[1] != 1:
            raise BadValue("game", "must have one bet a round for grinding: one ball, one spin")
        each: np.ndarray = parts.reshape(rounds, tried)
        if self.share == 1:
            return np.asarray(each.min(axis=1, keepdims=True))
        # Whether a round is ground comes from a stream of its own, addressed by the round's number.
        ground = uniforms(f"ground:{seed}", start, rounds) < float(self.share)
        return np.where(ground, each.min(axis=1), each[:, 0])[:, np.newaxis]


def uniforms(seed: str, start: int, count: int) -> np.ndarray:
    """Return `count` numbers in [0, 1) of a series, from number `start` on."""
    words = np.frombuffer(seed.encode(), dtype=np.uint8)
    bits = np.random.Philox(np.random.SeedSequence(words.tolist()))
    bits.advance(start // 4)  # a step of Philox yields four words
    drawn = bits.random_raw(start % 4 + count)[start % 4 :]
    return (drawn >> np.uint64(11)) / 2.0**53


@displayed
@dataclass(frozen=True)
class GrindingEstimate(Tabular):
    """The share of rounds in which an operator ground, estimated from payouts.

    Attributes
    ----------
    share : float
        The most likely share, 0 to 1.
    low, high : float
        Its confidence interval.
    confidence : float
        The level.
    salts : int
        The number of salts assumed in a ground round.
    bets : int
        The number of bets.
    method : str
        "binomial": exact, for bets that pay one amount or nothing. "likelihood": the likelihood ratio
        interval, whose coverage is approximate.
    """

    share: float
    low: float
    high: float
    confidence: float
    salts: int
    bets: int
    method: str

    def _sheet(self) -> Sheet:
        rows = [
            ("grinding share", f"{self.share:.2%}"),
            (f"{self.confidence:.0%} interval", f"{self.low:.2%} to {self.high:.2%}"),
        ]
        return Sheet(f"Grinding of {self.salts} salts in {short(self.bets)} bets", ("", ""), rows)

    def _columns(self) -> Columns:
        return {name: [getattr(self, name)] for name in self.__dataclass_fields__}


def share_of(share: object) -> Fraction:
    """Return the share of rounds as a Fraction, checked."""
    exact = exactly(share, "share")
    if not 0 <= exact <= 1:
        raise BadValue("share", f"must be from 0 to 1, got {share}")
    return exact


def salts_of(salts: object) -> int:
    """Return the number of salts, checked."""
    return integer("salts", salts, 1, _MAX_SALTS)


def estimate_share(law: Distribution, observed: Observed, salts: int, confidence: float) -> GrindingEstimate:
    """Return the most likely share of ground rounds, with its interval; see `Bet.grinding_share`."""
    confidence = probability("confidence", confidence)
    if observed.impossible.size:
        raise BadValue("returns", "must be an amount that the bet can return", index=observed.impossible[0])
    if not len(observed):
        raise BadValue("returns", "must be of at least one bet")
    return share_of_counts(law, bincount(observed.places, minlength=len(law)), salts, confidence)


def share_of_counts(
    law: Distribution, counts: np.ndarray, salts: int, confidence: float = 0.95
) -> GrindingEstimate:
    """Return the most likely share by how often each amount was returned."""
    honest = law.probabilities
    worst = np.asarray(law.minimum(salts).pmf(law.outcomes))
    if np.array_equal(honest, worst):
        raise BadValue("salts", "must change the payouts: at least 2 salts, and a bet with several amounts")
    bets = int(counts.sum())
    possible = np.flatnonzero(honest)
    if len(possible) == 2:
        top = possible[1]
        chances = float(honest[top]), float(worst[top])
        low, high = binomial_interval(int(counts[top]), bets, confidence)
        shares = [(chances[0] - win) / (chances[0] - chances[1]) for win in (counts[top] / bets, high, low)]
        share, least, most = (min(max(float(value), 0.0), 1.0) for value in shares)
        return GrindingEstimate(share, least, most, confidence, salts, bets, "binomial")
    seen = np.flatnonzero(counts)
    # The likelihood ratio of a ground round for each amount.
    gain, many = worst[seen] / honest[seen] - 1, counts[seen]

    def logarithm(share: float) -> float:
        with np.errstate(divide="ignore"):
            return float(many @ np.log1p(share * gain))

    def slope(share: float) -> float:
        with np.errstate(divide="ignore"):
            return float(many @ (gain / (1 + share * gain)))

    # The log-likelihood is concave, so its derivative has one root at most.
    share = _root(slope, 0.0, 1.0)
    # The squared normal quantile is that of chi-square with one degree of freedom (likelihood-ratio
    # interval).
    limit = logarithm(share) - student_quantile(confidence, 2 * 10**6) ** 2 / 2
    low = 0.0 if logarithm(0.0) >= limit else _root(lambda s: limit - logarithm(s), 0.0, share)
    high = 1.0 if logarithm(1.0) >= limit else _root(lambda s: logarithm(s) - limit, share, 1.0)
    return GrindingEstimate(share, low, high, confidence, salts, bets, "likelihood")


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a decreasing function, or the end beyond which it lies."""
    if falling(low) <= 0:
        return low
    if falling(high) >= 0:
        return high
    low, high = halved(lambda share: falling(share) > 0, low, high)
    return (low + high) / 2
