"""Conversions of laws to JSON and scipy."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.numbers import exact_number
from provably_fair._core.optional import optional

# Values without a JSON type are encoded as an object with one entry.
_NAMED: dict[str, Callable[[Any], Any]] = {
    "integer": int,
    "fraction": lambda text: exact_number(text, "data"),
    "decimal": Decimal,
    "tuple": lambda items: tuple(from_json(item) for item in items),
}


def to_json(value: object) -> Any:
    """Encode an outcome or a weight for JSON."""
    if isinstance(value, bool | str | float) or (type(value) is int and abs(value) < 2**53):
        return value
    for name, kind in ("integer", int), ("fraction", Fraction), ("decimal", Decimal):
        if isinstance(value, kind):
            return {name: str(value)}
    if isinstance(value, tuple):
        return {"tuple": [to_json(item) for item in value]}
    raise BadType("outcomes", f"must be numbers, text or tuples of them for JSON, got {type(value).__name__}")


def from_json(value: object, name: str = "data") -> Any:
    """Decode the result of `to_json`."""
    if not isinstance(value, dict):
        return value
    form, *more = value.items()
    if more or form[0] not in _NAMED:
        raise BadValue(name, f"must be a result of to_dict, got {value!r:.80}")
    return _NAMED[form[0]](form[1])


def to_scipy(outcomes: np.ndarray, probabilities: np.ndarray) -> Any:
    """Return a frozen `scipy.stats.rv_discrete` (needs scipy)."""
    stats = optional("scipy.stats", "stats", "to_scipy")
    try:
        values = outcomes.astype(np.float64) if outcomes.dtype == object else outcomes
    except (TypeError, ValueError):
        raise BadType("outcomes", "must be numbers for scipy, and they aren't") from None
    # Calling it without arguments freezes it; an argument would be taken as the location.
    return stats.rv_discrete(name="provably_fair", values=(values, probabilities))()
