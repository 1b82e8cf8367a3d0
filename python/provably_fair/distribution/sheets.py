"""Text and notebook displays of laws."""

from __future__ import annotations

import numpy as np

from provably_fair._core.counts import length
from provably_fair._core.table import Sheet, bar_strip, short

from .moments import Moments

_MAX_ROWS = 24
_QUANTILES = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
_BARS = 70
_TOO_MANY = 1 << 22  # drawing a strip of more outcomes takes too long


def law_sheet(law: Moments, title: str) -> Sheet:
    """Return the table of a law: every outcome if there are few, else quantiles."""
    if length(law) <= _MAX_ROWS:
        rows = list(zip(law.outcomes.tolist(), law.probabilities.tolist(), strict=True))
        columns, align = ("outcome", "probability"), "lr"
    else:
        rows = [(f"{q:.0%}", law.quantile(q)) for q in _QUANTILES]
        columns, align = ("quantile", "outcome"), "rr"
    notes = _moments(law)
    return Sheet(title, columns, rows, align, lambda: law_strip(law), (notes,) if notes else ())


def _moments(law: Moments) -> str:
    if length(law) > _TOO_MANY:
        return ""
    try:
        return f"mean {short(law.mean())}, standard deviation {short(law.std())}"
    except (TypeError, ValueError, OverflowError):  # not numbers, or too large for floats
        return ""


def law_strip(law: Moments) -> str:
    """Return the bar strip of a law: every outcome if there are few, else equal ranges."""
    if length(law) > _TOO_MANY:
        return ""
    outcomes, probabilities = law.outcomes, law.probabilities
    begin, end = short(outcomes[0], 20), short(outcomes[-1], 20)
    if len(outcomes) <= 2 * _BARS or outcomes.dtype == object:
        return bar_strip(probabilities, first=begin, last=end, title="probability of each outcome")
    # Cut the long tail, which would squeeze everything else.
    last = law.quantile(0.99)
    reach = float(outcomes[0]), float(last)
    heights, edges = np.histogram(outcomes.astype(np.float64), _BARS, reach, weights=probabilities)
    title = f"probability of outcomes in {_BARS} equal ranges from {short(edges[0])} to the 99 % quantile"
    return bar_strip(heights, first=begin, last=f"{short(last)} (99 %)", title=title)
