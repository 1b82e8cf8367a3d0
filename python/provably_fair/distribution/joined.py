"""Laws made from laws: mixtures, extremes and conditional laws."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.errors import BadType, BadValue

from .lookup import Lookup

Event = Callable[[Any], Any] | Collection[Any] | np.ndarray
"""An event: a predicate, a collection of outcomes, or a boolean per outcome."""

# Limit on the total bits of exact powers of weights.
_MAX_BITS = 1 << 21
_EPSILON = float(np.finfo(np.float64).eps)


def extreme_weights(cumulative: Sequence[int], n: int) -> list[int] | None:
    """Return the weights of the largest of `n` copies; None if they would have too many bits."""
    if len(cumulative) * n * cumulative[-1].bit_length() > _MAX_BITS:
        return None
    powers = [weight**n for weight in cumulative]
    return [after - before for before, after in itertools.pairwise(powers)]


def extreme_probabilities(probabilities: np.ndarray, up_to: np.ndarray, above: np.ndarray, n: int) -> Any:
    """Return the probabilities of the largest of `n` copies, with a bound on the error of each."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.where(above[1:] < 0.5, np.log1p(-above[1:]), np.log(up_to[1:]))
        # (F + p)**n - F**n = F**n ((1 + p/F)**n - 1), without cancellation.
        added = -np.expm1(n * np.log1p(-np.minimum(probabilities / up_to[1:], 1.0)))
        extreme = np.where(probabilities > 0, np.exp(n * log) * added, 0.0)
        error = extreme * (8 * _EPSILON * (4 + n * np.abs(log)))
    return extreme, float(np.nan_to_num(error).max())


def event_mask(lookup: Lookup, event: Event) -> np.ndarray:
    """Return a boolean per outcome: whether the event holds."""
    outcomes = lookup.outcomes
    if callable(event):
        return np.array([bool(event(outcome)) for outcome in outcomes.tolist()])
    if isinstance(event, str | bytes) or not isinstance(event, Collection | np.ndarray):
        raise BadType("event", f"must be a function, outcomes or truth values, got {type(event).__name__}")
    listed = list(event)
    if listed and all(isinstance(value, bool | np.bool_) for value in listed):
        if len(listed) != len(outcomes):
            raise BadValue("event", f"must be truth values of {len(outcomes)} outcomes, got {len(listed)}")
        return np.array(listed, dtype=bool)
    mask = np.zeros(len(outcomes) + 1, dtype=bool)  # the last is for values that aren't outcomes, at -1
    mask[[lookup.place(value) for value in listed]] = True
    return mask[:-1]


def root(value: Fraction) -> Fraction | None:
    """Return the square root of a fraction if it is rational, else None."""
    candidate = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    return candidate if candidate**2 == value else None
