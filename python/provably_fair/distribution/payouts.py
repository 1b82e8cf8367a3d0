"""Payouts by outcome: a function, a table, or a sequence of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.numbers import doubles

__all__ = ["Payout", "payouts", "payouts_at_once"]

Payout = Mapping[Any, Any] | Callable[[Any], Any] | Sequence[Any] | np.ndarray
"""What each outcome pays: a function, a table by outcome (nothing where it has none), or a row of values
in the order of the outcomes."""


def payouts(outcomes: list[object], payout: Payout, name: str = "payout") -> list[Any]:
    """Return the value of a payout for each outcome."""
    if isinstance(payout, Mapping):
        unknown = payout.keys() - set(outcomes)
        if unknown:
            raise BadValue(name, f"must have only outcomes as keys, got {next(iter(unknown))!r}")
        return [payout.get(outcome, 0) for outcome in outcomes]
    if callable(payout):
        return [payout(outcome) for outcome in outcomes]
    if isinstance(payout, str) or not hasattr(payout, "__len__"):
        raise BadType(name, f"must be a function, a table or a sequence, got {type(payout).__name__}")
    if isinstance(payout, np.ndarray):
        values = (doubles(payout) if payout.dtype.kind == "f" else payout).tolist()
    else:
        values = list(payout)
    if len(values) != len(outcomes):
        raise BadValue(name, f"must have {len(outcomes)} values, one an outcome, got {len(values)}")
    found: list[Any] = values
    return found


def payouts_at_once(outcomes: list[object], payout: Payout) -> list[Any]:
    """Return the value of a payout for each outcome: a function is called with all of them, an array.

    One that takes a single outcome, and fails or gives something else of an array, is called with each.
    """
    if callable(payout):
        try:
            paid = np.asarray(payout(np.array(outcomes)))
        except Exception:  # whatever it says of an array, it may take one
            return payouts(outcomes, payout)
        if paid.shape == (len(outcomes),):
            return list(paid.tolist())
    return payouts(outcomes, payout)
