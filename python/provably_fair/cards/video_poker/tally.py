"""Counts of the hands of a paytable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair._core.table import short
from provably_fair.distribution.tally import Tally


@dataclass(frozen=True, eq=False, repr=False)
class PokerTally(Tally):
    """The counts of a paytable's hands in a simulation.

    Attributes
    ----------
    outcomes : numpy.ndarray
        The hands' names, in paytable order, "nothing" last.
    counts : numpy.ndarray
        Their counts, int64.
    rounds : int
        The number of rounds; more than the sum of the counts only if a hash ran out.
    pays : numpy.ndarray
        Their payouts, in bets, float64.

    Examples
    --------
    >>> tally = pf.operators.crypto_games.VideoPoker().tally(1000, strategy="optimal")
    >>> dict(zip(tally.outcomes.tolist(), tally.counts.tolist()))["two pair"]
    124
    """

    pays: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PokerTally):
            # A tally without pays would compare the counts alone.
            return False if isinstance(other, Tally) else NotImplemented
        return super().__eq__(other) and np.array_equal(self.pays, other.pays)

    __hash__: ClassVar[None]

    def __repr__(self) -> str:
        mean = f", mean pay {short(self.mean())} bets" if self.counts.any() else ""
        return f"<PokerTally of {self.rounds} rounds: {len(self.outcomes)} hands{mean}>"

    def _columns(self) -> dict[str, Any]:
        hand = {"hand": self.outcomes, "pays": self.pays}
        return hand | {"count": self.counts, "frequency": self.frequencies}

    def __add__(self, other: Tally) -> PokerTally:
        """Join two tallies of the same paytable."""
        if not isinstance(other, PokerTally):
            return NotImplemented
        if not np.array_equal(self.pays, other.pays):
            raise BadValue("tallies", "must be of the same paytable to be added")
        joined = super().__add__(other)
        return PokerTally(joined.outcomes, joined.counts, joined.rounds, self.pays)

    def mean(self) -> float:
        """Return the mean pay, in bets: the simulated return."""
        return float(self.frequencies @ self.pays)

    def std(self) -> float:
        """Return the standard deviation of a round's pay, in bets."""
        return float(np.sqrt(self.frequencies @ (self.pays - self.mean()) ** 2))
