"""Exponential tilting: a bet's law with another return to player."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from provably_fair._core.arguments import BadValue, unbox
from provably_fair._core.numbers import exactly
from provably_fair.distribution import Distribution

from .grinding import uniforms
from .interval import Tilts
from .returns import table_of


def tilted_law(law: Distribution, rtp: object) -> Distribution:
    """Return the exponentially tilted law with mean `rtp`; see `Bet.tilted`."""
    wanted = exactly(unbox(rtp), "rtp")
    possible = [(x, w) for x, w in zip(law.outcomes.tolist(), law.weights, strict=True) if w]
    amounts = [exactly(x, "law") for x, _ in possible]
    if not amounts[0] < wanted < amounts[-1]:
        ends = f"{possible[0][0]} and below {possible[-1][0]}"
        raise BadValue("rtp", f"must be above {ends}, the bet's smallest and largest amount, got {rtp}")
    if wanted == law.mean(exact=True):
        return law
    tilts = Tilts(law)
    shares = [Fraction(float(share)) for share in tilts.law(tilts.place(float(wanted)))]
    total = sum(shares)
    off = wanted * total - sum(x * share for x, share in zip(amounts, shares, strict=True))
    # Doubles miss the mean slightly: shift the difference between the two likeliest amounts.
    first, second = sorted(sorted(range(len(shares)), key=lambda place: -shares[place])[:2])
    moved = off / (amounts[second] - amounts[first])
    shares[first] -= moved
    shares[second] += moved
    return Distribution([x for x, _ in possible], shares)


@dataclass(frozen=True)
class LawReturns:
    """Returns of bets sampled from their `law`."""

    law: Distribution

    @cached_property
    def _table(self) -> tuple[np.ndarray, int]:
        return table_of(self.law.outcomes.tolist())

    @property
    def unit(self) -> int:
        """The number of parts in 1."""
        return self._table[1]

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Sample the returns of `rounds` rounds, in parts, shape (rounds, 1)."""
        ends = np.cumsum(self.law.probabilities)[:-1]
        places = np.searchsorted(ends, uniforms(f"law:{seed}", start, rounds), side="right")
        return np.asarray(self._table[0][places][:, np.newaxis])
