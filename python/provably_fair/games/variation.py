"""The variation of what is paid along the number that a part of an outcome is drawn from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .looks import Of, OfPart, Ones, Total
from .part_laws import MAX_JOINT, combinations
from .samples import joint_values, values_of

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution


def varied_by_part(
    parts: Sequence[Distribution], of: Of | None, values: Distribution, paid: np.ndarray, along: float
) -> float:
    """Return a bound on the variation of what values of a function of parts pay, along any one part.

    Parts rise or fall with their draws. `along` is the variation along the values of the function, from the
    least to the largest. NaN if parts have too many values together.
    """
    if isinstance(of, OfPart):
        return varied_by_one(parts[of.place], of.of, values, paid)
    if isinstance(of, Ones | Total):
        added = [values_of(of.of, law.outcomes).astype(np.float64) for law in parts]
        return max(_varied_by_total(one, values, paid, along) for one in added)
    if math.prod(map(len, parts)) > MAX_JOINT:
        return math.nan
    observed = joint_values(of, combinations(parts))
    amounts = _paid(observed, values, paid).reshape([*map(len, parts)])
    axes = range(amounts.ndim)
    return max(float(np.abs(np.diff(amounts, axis=axis)).sum(axis=axis).max()) for axis in axes)


def varied_by_one(law: Distribution, of: Of | None, values: Distribution, paid: np.ndarray) -> float:
    """Return the variation of what values of a function pay, along an outcome that rises or falls."""
    return float(np.abs(np.diff(_paid(values_of(of, law.outcomes), values, paid))).sum())


def _paid(observed: Any, values: Distribution, paid: np.ndarray) -> np.ndarray:
    """Return what is paid for observed values."""
    from provably_fair.distribution.lookup import Lookup

    found: np.ndarray = paid[Lookup(values.outcomes).places(observed)]
    return found


def _varied_by_total(added: np.ndarray, totals: Distribution, paid: np.ndarray, along: float) -> float:
    """Return a bound on the variation of what totals pay, along a part that adds these values to them."""
    steps = np.diff(added)
    signs = np.sign(steps[steps != 0])
    # While what the part adds rises, or while it falls, the total passes each value once at most.
    by_runs = along * (1 + int((signs[1:] != signs[:-1]).sum()))
    slopes = np.abs(np.diff(paid) / np.diff(totals.outcomes.astype(np.float64)))
    return min(by_runs, max(along, float(slopes.max(initial=0.0)) * float(np.abs(steps).sum())))
