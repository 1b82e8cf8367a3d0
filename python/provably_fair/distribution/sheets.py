"""Displays of laws and tallies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.table import Sheet, bar_strip, short

__all__ = ["law_sheet", "law_strip", "tally_columns", "tally_sheet"]

_MAX_ROWS = 24
_QUANTILES = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
_BARS = 70
_TOO_MANY = 1 << 22  # a strip of more outcomes isn't worth waiting for


class Law(Protocol):
    """What is shown of a law."""

    @property
    def outcomes(self) -> np.ndarray:
        """The outcomes in increasing order."""

    @property
    def probabilities(self) -> np.ndarray:
        """The probability of each."""

    def __len__(self) -> int: ...
    def quantile(self, q: ArrayLike) -> Any:
        """Return the least outcome up to which there is so much."""

    def mean(self) -> Any:
        """Return the mean."""

    def std(self) -> Any:
        """Return the standard deviation."""


class Counted(Protocol):
    """What is shown of a tally."""

    @property
    def outcomes(self) -> np.ndarray:
        """The values that were counted."""

    @property
    def counts(self) -> np.ndarray:
        """Their counts, in rows where they are kept apart."""

    @property
    def frequencies(self) -> np.ndarray:
        """The counts divided by their sum."""


def law_sheet(law: Law, title: str) -> Sheet:
    """Return the table of a law: every outcome where they are few, else quantiles."""
    if len(law) <= _MAX_ROWS:
        rows = list(zip(law.outcomes.tolist(), law.probabilities.tolist(), strict=True))
        columns, align = ("outcome", "probability"), "lr"
    else:
        rows = [(f"{q:.0%}", law.quantile(q)) for q in _QUANTILES]
        columns, align = ("quantile", "outcome"), "rr"
    notes = _moments(law)
    return Sheet(title, columns, rows, align, lambda: law_strip(law), (notes,) if notes else ())


def _moments(law: Law) -> str:
    if len(law) > _TOO_MANY:
        return ""
    try:
        return f"mean {short(law.mean())}, standard deviation {short(law.std())}"
    except (
        TypeError,
        ValueError,
        OverflowError,
    ):  # outcomes that aren't numbers, or are too large for floats
        return ""


def law_strip(law: Law) -> str:
    """Return the strip of a law: bars of all outcomes where they are few, else of equal ranges."""
    if len(law) > _TOO_MANY:
        return ""
    outcomes, probabilities = law.outcomes, law.probabilities
    if len(outcomes) <= 2 * _BARS or outcomes.dtype == object:
        return bar_strip(
            probabilities,
            first=_end(outcomes[0]),
            last=_end(outcomes[-1]),
            title="probability of each outcome",
        )
    # A long tail would leave nothing to be seen of the rest.
    last = law.quantile(0.99)
    heights, edges = np.histogram(
        outcomes.astype(np.float64),
        bins=_BARS,
        range=(float(outcomes[0]), float(last)),
        weights=probabilities,
    )
    title = f"probability of outcomes in {_BARS} equal ranges from {short(edges[0])} to the 99 % quantile"
    return bar_strip(heights, first=_end(outcomes[0]), last=f"{short(last)} (99 %)", title=title)


def _end(outcome: object) -> str:
    return short(outcome, 20)


def tally_sheet(tally: Counted, title: str, columns: Mapping[str, object]) -> Sheet:
    """Return the table of a tally, and a strip of its counts; of counts kept apart, the sums."""
    rows = list(zip(*(np.asarray(values).tolist() for values in columns.values()), strict=True))
    notes: tuple[str, ...] = ()
    if len(rows) > _MAX_ROWS:
        half = _MAX_ROWS // 2
        notes = (f"{len(rows) - 2 * half} rows in between are left out",)
        rows = [*rows[:half], *rows[-half:]]
    counts = tally.counts.reshape(-1, tally.counts.shape[-1]).sum(axis=0)

    def strip() -> str:
        if not len(counts):
            return ""
        ends = _end(tally.outcomes[0]), _end(tally.outcomes[-1])
        return bar_strip(counts, first=ends[0], last=ends[1], title="count of each outcome")

    return Sheet(title, tuple(columns), rows, "lr", strip, notes)


def tally_columns(tally: Counted) -> dict[str, Any]:
    """Return the columns of a tally: outcome, count and frequency; `part` first where counts are by part."""
    counts = tally.counts
    parts = counts.reshape(-1, counts.shape[-1]).shape[0]
    columns = {
        "outcome": np.tile(tally.outcomes, parts),
        "count": counts.ravel(),
        "frequency": tally.frequencies.ravel(),
    }
    return (
        columns if counts.ndim == 1 else {"part": np.repeat(np.arange(parts), len(tally.outcomes)), **columns}
    )
