"""Arrays of outcomes: integers, floats, or any sortable values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, doubles, refuse_masked
from provably_fair._core.numbers import exactly

_INTEGERS = (bool, int, np.integer, np.bool_)
_FLOATS = (float, np.floating)

# Every integer up to here is a double that prints as itself.
_EXACT = 10**15

# The largest common denominator over which fractions are compared.
_LARGE = 2**256


def number_array(values: object, name: str = "x") -> np.ndarray:
    """Return `np.array(values)`, but with dtype object if conversion would lose precision.

    Examples are integers that become doubles, and floats of other widths, which stand for their shortest
    decimal.
    """
    refuse_masked(name, values)
    array = np.asarray(values)
    if array.dtype.kind != "f":
        return array
    if not isinstance(values, np.ndarray | float):
        items = np.array(values, dtype=object)
        if any(_is_lossy(item) for item in items.ravel().tolist()):
            return items
    return doubles(array)


def _is_lossy(value: object) -> bool:
    """Return whether numpy's double would change a number."""
    if isinstance(value, _INTEGERS):
        return abs(int(value)) > _EXACT
    return isinstance(value, np.floating) and not isinstance(value, float)


def is_series(values: Any) -> bool:
    """Return whether values are a Series of pandas."""
    return hasattr(values, "iloc") and values.ndim == 1


def other_labels(series: Any, outcomes: list[Any], rows: int) -> list[Any] | None:
    """Return the index of a Series, unless it numbers this many rows, or has the outcomes in order."""
    labels: list[Any] = series.index.tolist()
    return None if labels in ([*range(rows)], outcomes) else labels


def refuse_other_order(name: str, values: Any, outcomes: np.ndarray) -> None:
    """Refuse values that aren't in the outcomes' order, as those of a set or a Series of `value_counts`."""
    if isinstance(values, (set, frozenset, Mapping)):
        raise BadType(name, f"must be a sequence, got {type(values).__name__}")
    if is_series(values):
        listed = outcomes.tolist()
        labels = other_labels(values, listed, len(listed))
        if labels is not None and {*labels} == {*listed}:
            problem = "must have the outcomes in order, got a Series with another order of them as index"
            raise BadValue(name, f"{problem}: give that index as outcomes")


def outcome_array(outcomes: Any) -> np.ndarray:
    """Return a new array of outcomes: int64 or float64 if exact, else objects."""
    refuse_masked("outcomes", outcomes)
    if not isinstance(outcomes, np.ndarray):
        try:
            listed = list(outcomes)
        except TypeError:
            listed = None
        if listed is None or isinstance(outcomes, (set, frozenset)):
            raise BadType("outcomes", f"must be a sequence, got {type(outcomes).__name__}")
        for outcome in listed:
            refuse_masked("outcomes", outcome)
        array = _of_list(listed)
    elif outcomes.dtype.kind in "bi":
        array = outcomes.astype(np.int64)
    elif outcomes.dtype.kind == "u":
        whole = outcomes.size and int(outcomes.max()) >= 2**63
        array = outcomes.astype(object if whole else np.int64)
    elif outcomes.dtype.kind == "f":
        array = doubles(outcomes)
    else:
        array = outcomes.astype(object)
    if array.ndim != 1:
        raise BadValue("outcomes", f"must have one dimension, got {array.ndim}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise BadValue("outcomes", "must be finite")
    return array


def _of_list(listed: list[Any]) -> np.ndarray:
    if set(map(type, listed)) == {float}:
        return np.array(listed)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    if all(isinstance(value, _INTEGERS) for value in listed):
        listed = [int(value) for value in listed]
        array[:] = listed
        return array.astype(np.int64) if all(-(2**63) <= value < 2**63 for value in listed) else array
    if all(isinstance(value, _INTEGERS + _FLOATS) for value in listed):
        numbers = [_double(value) if isinstance(value, _FLOATS) else int(value) for value in listed]
        if all(isinstance(value, float) or abs(value) <= _EXACT for value in numbers):
            return np.array(numbers, dtype=np.float64)
        array[:] = numbers
    return array


def _double(value: Any) -> float:
    """Return a float of any width as the Python float with the same shortest decimal."""
    return float(value if isinstance(value, float) else str(value))


def as_tuple(value: object) -> object:
    """Return a row of values as laws store it: nested tuples."""
    return tuple(map(as_tuple, value)) if isinstance(value, list) else value


def are_numbers(values: Sequence[object]) -> bool:
    """Return whether all values are real numbers."""
    return all(isinstance(value, Number) and not isinstance(value, complex) for value in values)


def _over_one(keys: np.ndarray) -> np.ndarray:
    """Return fractions as integers over one denominator, which sort faster, unless it is too large."""
    below = 1
    for denominator in {key.denominator for key in keys if isinstance(key, Fraction)}:
        below = math.lcm(below, denominator)
        if below > _LARGE:
            return keys
    whole = np.empty(len(keys), dtype=object)
    whole[:] = [key.numerator * (below // key.denominator) for key in keys]
    return whole


def merge(values: np.ndarray, weights: list[int]) -> tuple[np.ndarray, list[int]]:
    """Sort outcomes and merge equal ones, adding their weights."""
    keys: Any = values
    try:
        if values.dtype == object and are_numbers(values.tolist()):
            # Compare floats by their shortest decimal.
            for value in values.tolist():
                if isinstance(value, (float, Decimal)) and not math.isfinite(value):
                    raise BadValue("outcomes", "must be finite")
            keys = np.empty(len(values), dtype=object)
            keys[:] = [exactly(value, "outcomes") for value in values.tolist()]
            if all(isinstance(value, Fraction) and value.denominator == 1 for value in keys):
                # Integral outcomes become integers, whatever their type was.
                values = _of_list([int(value) for value in keys])
            keys = _over_one(keys)
        order = np.argsort(keys, kind="stable")
    except TypeError:
        raise BadType("outcomes", "must be of one kind that can be sorted") from None
    kept: list[int] = []
    merged: list[int] = []
    for place in order.tolist():
        if kept and keys[kept[-1]] == keys[place]:
            merged[-1] += weights[place]
        else:
            kept.append(place)
            merged.append(weights[place])
    return values[kept], merged
