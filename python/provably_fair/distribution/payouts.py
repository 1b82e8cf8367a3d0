"""Payouts by outcome: a function, a table, or a sequence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from typing import Any

import numpy as np

from provably_fair._core.arguments import doubles
from provably_fair._core.errors import BadType, BadValue

from .outcomes import is_series, other_labels

Payout = Mapping[Any, Any] | Callable[[Any], Any] | Sequence[Any] | np.ndarray
"""Payouts: a function, a table by outcome (0 where missing), or one value per outcome, in order."""


def payouts(outcomes: list[object], payout: Payout, name: str = "payout") -> list[Any]:
    """Return the payout of each outcome."""
    if isinstance(payout, Mapping):
        unknown = payout.keys() - set(outcomes)
        if unknown:
            raise BadValue(name, f"must have only outcomes as keys, got {next(iter(unknown))!r}")
        return [payout.get(outcome, 0) for outcome in outcomes]
    if callable(payout):
        return [payout(outcome) for outcome in outcomes]
    if isinstance(payout, (str, bytes, Set)) or not hasattr(payout, "__len__"):
        raise BadType(name, f"must be a function, a table or a sequence, got {type(payout).__name__}")
    if getattr(payout, "ndim", 1) != 1:
        raise BadValue(name, f"must have one value an outcome, got the shape {np.shape(payout)}")
    if is_series(payout) and other_labels(payout, outcomes, len(outcomes)) is not None:
        cure = "give its to_dict() as a table by outcome, or its to_numpy()"
        raise BadValue(name, f"must have the outcomes in order, got a Series with another index: {cure}")
    if isinstance(payout, np.ndarray):
        values = (doubles(payout) if payout.dtype.kind == "f" else payout).tolist()
    else:
        values = list(payout)
    if len(values) != len(outcomes):
        raise BadValue(name, f"must have {len(outcomes)} values, one an outcome, got {len(values)}")
    listed: list[Any] = values
    return listed


def at_once(payout: Callable[[Any], Any], outcomes: Any) -> np.ndarray:
    """Return what a function pays for an array of outcomes, one value for each; an empty array if it fails.

    An error on an array doesn't mean that the function fails on single outcomes. It also fails if it pays an
    outcome otherwise by itself, as ``o[0]`` does, or whole numbers otherwise than floats, which int64 wraps.
    """
    array = np.array(outcomes)
    try:
        paid = np.asarray(payout(array))
        ends = slice(1), slice(-1, None)
        fine = paid.shape == (len(array),) and all(_alike(payout(array[one]), paid[one]) for one in ends)
    except Exception:  # a user's function may raise anything
        return np.empty(0)
    if not fine or wraps(payout, array, paid):
        return np.empty(0)
    return doubles(paid) if paid.dtype.kind == "f" else paid


def wraps(function: Callable[[Any], Any], outcomes: np.ndarray, values: np.ndarray) -> bool:
    """Whether a function's values for whole numbers are others for the same as floats: int64 wrapped them."""
    if outcomes.dtype.kind == "i":
        with suppress(Exception), np.errstate(all="ignore"):  # it may take whole numbers alone
            return not _alike(function(outcomes.astype(np.float64)), values)
    return False


def _alike(paid: object, other: np.ndarray) -> bool:
    """Whether amounts are the same but for rounding."""
    amounts = np.asarray(paid)
    if amounts.dtype.kind in "biuf" and other.dtype.kind in "biuf":
        return amounts.shape == other.shape and np.allclose(amounts, other, 1e-9, 0, equal_nan=True)
    return bool(amounts.tolist() == other.tolist())


def payouts_at_once(outcomes: list[object], payout: Payout) -> list[Any]:
    """Return the payout of each outcome, calling a function once with an array of all.

    A function that fails on an array, or doesn't return one value per outcome, is called with each outcome.
    """
    if callable(payout) and len(paid := at_once(payout, outcomes)):
        return list(paid.tolist())
    return payouts(outcomes, payout)
