"""Numbers read exactly: a float is the decimal that it is shown as."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

__all__ = ["comparable", "doubles", "exactly", "over_one_denominator"]

# Decimals of so many digits at most are told apart by doubles: each is the one that its double is shown as.
_DIGITS = 10**15


def exactly(value: Any, name: str = "values") -> Fraction:
    """Return a number as a fraction; a float stands for the decimal that it is shown as.

    Examples
    --------
    >>> import numpy as np
    >>> from provably_fair._core.numbers import exactly
    >>> exactly(0.1), exactly(np.float32(0.1))
    (Fraction(1, 10), Fraction(1, 10))
    """
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{name} must be finite, got {value}")
        # A double is a float of Python's; those of other lengths are shown by numpy, with their own digits.
        return Fraction(repr(float(value)) if isinstance(value, float) else str(value))
    if isinstance(value, (np.integer, np.bool_)):
        return Fraction(int(value))
    if isinstance(value, (int, Fraction, Decimal)):
        return Fraction(value)
    raise TypeError(f"{name} must be numbers, got {type(value).__name__}")


def comparable(value: Any) -> Fraction | float | None:
    """Return a number as a fraction, or as an infinite float; None for anything else, NaN among it."""
    try:
        return exactly(value)
    except TypeError:
        return None
    except (ValueError, OverflowError):
        number = math.nan if isinstance(value, Decimal) and value.is_nan() else float(value)
        return None if math.isnan(number) else number


def doubles(array: np.ndarray) -> np.ndarray:
    """Return numbers as float64; those of shorter floats as the decimals that these are shown as.

    Examples
    --------
    >>> import numpy as np
    >>> from provably_fair._core.numbers import doubles
    >>> doubles(np.array([0.1, 2.5], np.float32))
    array([0.1, 2.5])
    """
    if array.dtype.kind == "f" and array.dtype.itemsize < 8:
        return array.astype(str).astype(np.float64)
    return array.astype(np.float64)


def over_one_denominator(values: list[Any], name: str = "outcomes") -> tuple[list[int], int]:
    """Return numbers as integers over one denominator.

    Examples
    --------
    >>> from provably_fair._core.numbers import over_one_denominator
    >>> over_one_denominator([0.5, 1.25, 3])
    ([2, 5, 12], 4)
    """
    if all(type(value) is int for value in values):
        return values, 1
    if all(type(value) is float for value in values):
        # Nearly always hundredths; then there is no need for a fraction for each.
        array = np.array(values)
        with np.errstate(invalid="ignore", over="ignore"):
            cents = np.rint(array * 100)
            if (np.abs(cents) < _DIGITS).all() and (cents / 100 == array).all():
                return cents.astype(np.int64).tolist(), 100
    fractions = [exactly(value, name) for value in values]
    denominator = math.lcm(*(fraction.denominator for fraction in fractions))
    return [f.numerator * (denominator // f.denominator) for f in fractions], denominator
