"""Laws in the forms of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.optional import optional

if TYPE_CHECKING:
    import pandas

__all__ = ["to_pandas", "to_scipy"]


def to_scipy(outcomes: np.ndarray, probabilities: np.ndarray) -> Any:
    """Return a frozen `scipy.stats.rv_discrete` (needs scipy).

    Examples
    --------
    >>> import numpy as np
    >>> from provably_fair.distribution.forms import to_scipy
    >>> float(to_scipy(np.array([0, 1]), np.array([0.5, 0.5])).mean())
    0.5
    """
    stats = optional("scipy.stats", "stats", "to_scipy")
    try:
        values = outcomes.astype(np.float64) if outcomes.dtype == object else outcomes
    except (TypeError, ValueError):
        raise TypeError("outcomes must be numbers for scipy, and they aren't") from None
    # Called without arguments it is frozen: its first argument would be a location otherwise.
    return stats.rv_discrete(name="provably_fair", values=(values, probabilities))()


def to_pandas(outcomes: np.ndarray, probabilities: np.ndarray) -> pandas.DataFrame:
    """Return a series of probabilities by outcome (needs pandas).

    Examples
    --------
    >>> import numpy as np
    >>> from provably_fair.distribution.forms import to_pandas
    >>> to_pandas(np.array([0, 1]), np.array([0.5, 0.5])).name
    'probability'
    """
    pandas = optional("pandas", "stats", "to_pandas")
    return pandas.Series(probabilities, index=pandas.Index(outcomes, name="outcome"), name="probability")
