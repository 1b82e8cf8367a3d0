"""Corrections of p-values for the number of tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from provably_fair._core.arguments import BadType, BadValue, reals


def holm(pvalues: Iterable[float]) -> list[float]:
    """Return p-values adjusted for their number by Holm's method (1979).

    Parameters
    ----------
    pvalues : iterable of float
        The p-values of all tests.

    Returns
    -------
    list of float
        The adjusted p-values, in order. Rejecting those up to a level keeps that family-wise level, whatever
        the dependence among the tests.

    Raises
    ------
    TypeError, ValueError
        When `pvalues` aren't numbers from 0 to 1.

    Examples
    --------
    >>> pf.statistics.holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    try:
        given = reals("pvalues", list(pvalues))
    except TypeError:
        raise BadType("pvalues", f"must be numbers, got {pvalues!r:.50}") from None
    # A set has equal p-values once, and a mapping its names.
    if given.ndim != 1 or isinstance(pvalues, (Set, Mapping)):
        raise BadType("pvalues", f"must be a sequence of numbers, got {pvalues!r:.50}")
    values = given.tolist()
    for row, pvalue in enumerate(values):
        if not 0 <= pvalue <= 1:
            raise BadValue("pvalues", f"must be from 0 to 1, got {pvalue}", index=row)
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = largest
    return adjusted
