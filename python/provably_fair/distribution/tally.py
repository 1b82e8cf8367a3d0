"""Counts of simulated outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair._core.table import LONGEST, Sheet, Tabular, bar_strip, short
from provably_fair._core.types import Columns

_MAX_ROWS = 24


@dataclass(frozen=True, eq=False, repr=False)
class Tally(Tabular):
    """Counts of simulated outcomes.

    Attributes
    ----------
    outcomes : numpy.ndarray
        The counted values in increasing order, including those that never came up (except for games in
        Python, whose possible values are unknown). With bins, the lower edge of each.
    counts : numpy.ndarray
        Their counts, int64; for games that count by row or reel, a row of counts for each.
    rounds : int
        The number of rounds.
    binned : bool
        Whether `outcomes` are the lower edges of bins.
    open_ended : bool
        Whether `outcomes` are only those that came up; such tallies can be added whatever they counted.

    Examples
    --------
    >>> tally = pf.Double().tally(1000)
    >>> tally.outcomes.shape, int(tally.counts.sum()), tally.rounds
    ((15,), 1000, 1000)
    """

    outcomes: np.ndarray
    counts: np.ndarray
    rounds: int
    binned: bool = field(default=False, kw_only=True, repr=False)
    open_ended: bool = field(default=False, kw_only=True, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return (
            self.rounds == other.rounds
            and np.array_equal(self.outcomes, other.outcomes)
            and np.array_equal(self.counts, other.counts)
        )

    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __repr__(self) -> str:
        among = (
            "" if not len(self.outcomes) else f" from {short(self.outcomes[0])} to {short(self.outcomes[-1])}"
        )
        kind = "bins" if self.binned else "outcomes"
        apart = "" if self.counts.ndim == 1 else f", {self.counts[..., 0].size} parts"
        about = f"{self.rounds} rounds: {len(self.outcomes)} {kind}{among}{apart}"
        return f"<{type(self).__name__} of {about}>"[:LONGEST]

    def _sheet(self) -> Sheet:
        columns = self._columns()
        rows = list(zip(*(np.asarray(values).tolist() for values in columns.values()), strict=True))
        notes: tuple[str, ...] = ()
        if len(rows) > _MAX_ROWS:
            half = _MAX_ROWS // 2
            notes = (f"{len(rows) - 2 * half} rows in between are left out",)
            rows = [*rows[:half], *rows[-half:]]
        counts = self.counts.reshape(-1, self.counts.shape[-1]).sum(axis=0)

        def strip() -> str:
            if not len(counts):
                return ""
            first, last = (short(self.outcomes[end], 20) for end in (0, -1))
            return bar_strip(counts, first=first, last=last, title="count of each outcome")

        title = f"{type(self).__name__} of {self.rounds:,} rounds"
        return Sheet(title, tuple(columns), rows, "lr", strip, notes)

    def _columns(self) -> Columns:
        parts = self.counts.reshape(-1, self.counts.shape[-1]).shape[0]
        columns = {
            "outcome": np.tile(self.outcomes, parts),
            "count": self.counts.ravel(),
            "frequency": self.frequencies.ravel(),
        }
        if self.counts.ndim == 1:
            return columns
        return {"part": np.repeat(np.arange(parts, dtype=np.int64), len(self.outcomes)), **columns}

    def __add__(self, other: Tally) -> Tally:
        """Join two tallies of the same outcomes."""
        if not isinstance(other, Tally):
            return NotImplemented
        if self.open_ended and other.open_ended:
            outcomes = np.union1d(self.outcomes, other.outcomes)
            counts = np.zeros(len(outcomes), dtype=np.int64)
            for part in (self, other):
                counts[np.searchsorted(outcomes, part.outcomes)] += part.counts
            return Tally(outcomes, counts, self.rounds + other.rounds, open_ended=True)
        if not np.array_equal(self.outcomes, other.outcomes) or self.counts.shape != other.counts.shape:
            raise BadValue("tallies", "must count the same outcomes to be added")
        return Tally(
            self.outcomes,
            self.counts + other.counts,
            self.rounds + other.rounds,
            binned=self.binned or other.binned,
        )

    def __radd__(self, other: object) -> Tally:
        """Support `sum`, which starts from 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    @property
    def frequencies(self) -> np.ndarray:
        """The counts divided by their sum (row by row if counted by row or reel), float64."""
        total = self.counts.sum(axis=-1, keepdims=True)
        shares: np.ndarray = np.zeros(self.counts.shape)
        return np.asarray(np.divide(self.counts, total, out=shares, where=total > 0))

    def mean(self) -> float | np.ndarray:
        """Return the mean of the counted values (of each row if counted by row or reel)."""
        mean = self.frequencies @ self.outcomes
        return float(mean) if mean.ndim == 0 else mean

    def std(self) -> float | np.ndarray:
        """Return the standard deviation of the counted values (of each row if counted by row or reel)."""
        deviation = self.outcomes - np.expand_dims(self.mean(), -1)
        std = np.sqrt((self.frequencies * deviation**2).sum(axis=-1))
        return float(std) if std.ndim == 0 else std
