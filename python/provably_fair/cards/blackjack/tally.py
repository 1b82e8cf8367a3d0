"""Counts of results."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from provably_fair._core.table import Sheet
from provably_fair.distribution.tally import Tally

from ..frozen import Frozen


@dataclass(frozen=True, eq=False, repr=False)
class BlackjackTally(Tally):
    """The counts of results in a simulation.

    Attributes
    ----------
    outcomes : numpy.ndarray
        The observed results, in bets, float64, in increasing order.
    counts : numpy.ndarray
        Their counts, int64.
    rounds : int
        The number of rounds, including those that ran out of cards.
    exhausted : int
        The number of rounds that needed more cards than their hash has. They aren't counted.
    nets : mapping of Fraction to int
        The counts by the exact result.

    Examples
    --------
    >>> tally = pf.operators.crypto_games.Blackjack().tally(1000, strategy="basic")
    >>> tally.rounds, int(tally.counts.sum()) + tally.exhausted
    (1000, 1000)
    """

    exhausted: int = 0
    nets: Mapping[Fraction, int] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BlackjackTally):
            return NotImplemented
        return (self.rounds, self.exhausted, self.nets) == (other.rounds, other.exhausted, other.nets)

    __hash__: ClassVar[None]

    def __add__(self, other: Tally) -> BlackjackTally:
        """Join two tallies."""
        if not isinstance(other, BlackjackTally):
            return NotImplemented
        nets = {net: self.nets.get(net, 0) + other.nets.get(net, 0) for net in {*self.nets, *other.nets}}
        return tally_of(nets, self.rounds + other.rounds, self.exhausted + other.exhausted)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, in bets; NaN for less than two rounds."""
        played = int(self.counts.sum())
        return float(self.std()) / math.sqrt(played - 1) if played > 1 else math.nan

    @property
    def house_edge(self) -> float:
        """The player's average loss, as a fraction of the bet."""
        return -float(self.mean())

    def __repr__(self) -> str:
        edge = f": house edge {self.house_edge:.4%}" if self.counts.any() else ""
        return f"<BlackjackTally of {self.rounds} rounds{edge}>"

    def _columns(self) -> dict[str, Any]:
        return {"net result": self.outcomes, "count": self.counts, "frequency": self.frequencies}

    def _sheet(self) -> Sheet:
        notes = (f"{self.exhausted:,} rounds ran out of cards and are left out",) if self.exhausted else ()
        title = f"{self.rounds:,} rounds"
        if self.counts.any():
            title += (
                f": house edge {self.house_edge:.4%} +- {self.standard_error:.4%}, std {self.std():.4f} bets"
            )
        sheet = super()._sheet()
        rows = [(f"{net:+.3f}", f"{count:,}", f"{share:.6f}") for net, count, share in sheet.rows]
        return replace(sheet, title=title, rows=rows, notes=(*notes, *sheet.notes), align="r")


def tally_of(nets: Mapping[Fraction, int], rounds: int, exhausted: int) -> BlackjackTally:
    """Make a tally of exact results and their counts."""
    ordered = {net: nets[net] for net in sorted(nets)}
    return BlackjackTally(
        np.array([float(net) for net in ordered]),
        np.array(list(ordered.values()), dtype=np.int64),
        rounds,
        exhausted,
        Frozen(ordered),
    )
