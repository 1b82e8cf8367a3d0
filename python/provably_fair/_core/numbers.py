"""Numbers read exactly: a float is the decimal that it is shown as."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from .arguments import BadType, BadValue, is_single, rectangular, unbox
from .errors import within

__all__ = [
    "comparable",
    "doubles",
    "exact_number",
    "exact_sums",
    "exactly",
    "hundredth",
    "hundredths",
    "over_one_denominator",
    "simplest_number",
]

# Decimals below this, as whole numbers, differ as doubles too: each is the one that its double is shown as.
_DIGITS = 10**15


def exactly(value: object, name: str = "values") -> Fraction:
    """Return a number as a fraction; a float stands for the decimal that it is shown as."""
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise BadValue(name, f"must be finite, got {value}")
        # A double is a float of Python's; those of other lengths are shown by numpy, with their own digits.
        return Fraction(repr(float(value)) if isinstance(value, float) else str(value))
    if isinstance(value, (np.integer, np.bool_)):
        return Fraction(int(value))
    if isinstance(value, (int, Fraction, Decimal)):
        return Fraction(value)
    raise BadType(name, f"must be numbers, got {type(value).__name__}")


# A number in text, as `Decimal` and `Fraction` read it; one with a longer exponent would fill all memory.
_TEXT = re.compile(
    r"\s*[-+]?([0-9]{1,4000}/[0-9]{1,4000}"
    r"|([0-9]{1,4000}\.?|[0-9]{0,4000}\.[0-9]{1,4000})([eE][-+]?[0-9]{1,3})?)\s*"
)


def exact_number(value: object, name: str, index: object = None) -> Fraction:
    """Return a single number as `exactly` does; text is read as `decimal` and `fractions` read it."""
    value = unbox(value)
    try:
        if isinstance(value, str) and _TEXT.fullmatch(value):
            return Fraction(value)
        if not isinstance(value, (bool, np.bool_, str)):
            return exactly(value, name)
    except BadType:
        pass
    except (ValueError, OverflowError, ZeroDivisionError):
        raise BadValue(name, f"must be a finite number, got {value!r:.60}", index=index) from None
    if isinstance(value, str):
        raise BadValue(name, f"must be a number such as '0.01', got {value!r:.60}", index=index)
    raise BadType(name, f"must be a number, or text such as '0.01', got {type(value).__name__}", index=index)


def simplest_number(value: Fraction) -> int | float | Fraction:
    """Return a number as an integer or as a float, where the decimal that this is shown as is the number."""
    if value.denominator == 1:
        return value.numerator
    try:
        near = float(value)
    except OverflowError:
        return value
    return near if exactly(near) == value else value


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
    """Return numbers as float64; those of shorter floats as the decimals that these are shown as."""
    if array.dtype.kind == "f" and array.dtype.itemsize < 8:
        return array.astype(str).astype(np.float64)
    return array.astype(np.float64)


def over_one_denominator(values: list[Any], name: str = "outcomes") -> tuple[list[int], int]:
    """Return numbers as integers over one denominator."""
    if all(type(value) is int for value in values):
        return values, 1
    if all(type(value) is float for value in values):
        # Nearly always hundredths; then there is no need for a fraction for each.
        array = np.array(values)
        with np.errstate(invalid="ignore", over="ignore"):
            cents = np.rint(array * 100)
            if (np.abs(cents) < _DIGITS).all() and (cents / 100 == array).all():
                return cents.astype(np.int64).tolist(), 100
            if np.isfinite(array).all():  # without a fraction for each, which would take four times as long
                return _over_lcm([Decimal(repr(value)).as_integer_ratio() for value in values])
    return _over_lcm([exactly(value, name).as_integer_ratio() for value in values])


def _over_lcm(ratios: list[tuple[int, int]]) -> tuple[list[int], int]:
    denominator = math.lcm(*{below for _, below in ratios})
    return [above * (denominator // below) for above, below in ratios], denominator


_LOW = 26  # bits: sums of as many in doubles stay exact for 2**27 rows


def exact_sums(groups: np.ndarray, values: np.ndarray, count: int) -> list[int]:
    """Return the sum of the int64 values of each group, 0 to `count` - 1, as Python's integers."""
    high = np.bincount(groups, values >> _LOW, count).astype(np.int64).tolist()
    low = np.bincount(groups, values & ((1 << _LOW) - 1), count).astype(np.int64).tolist()
    return [(above << _LOW) + below for above, below in zip(high, low, strict=True)]


# How far from a hundredth a number may be that means one; of numbers above 1 so much of them.
_NEAR = Fraction(1, 10**9)
# The largest of many amounts, in hundredths: they are int64.
_LARGE = 2**62


def hundredth(name: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """Return an amount with two decimals in hundredths; `least` and `most` are limits, in hundredths.

    What differs from a hundredth only by the rounding of floats is one.
    """
    value = unbox(value)
    if isinstance(value, (bool, np.bool_)):
        raise BadType(name, f"must be a number, got {value!r}")
    exact = exactly(value, name)
    cents = round(exact * 100)
    apart = abs(exact - Fraction(cents, 100)) > _NEAR * max(Fraction(1), abs(exact))
    if apart or (least is not None and cents < least) or (most is not None and cents > most):
        raise BadValue(name, f"must be {_limits(least, most)} with two decimals, got {value}")
    return cents


def hundredths(name: str, values: object, least: int | None = None, most: int | None = None) -> Any:
    """Return one amount as `hundredth` does, or many as an int64 array in their shape."""
    if is_single(values):
        return hundredth(name, values, least, most)
    if isinstance(values, (list, tuple)) and any(_short(value) for value in values):
        array = np.array(values, dtype=object)  # numpy would read their digits as those of doubles
    else:
        array = rectangular(name, values)
    flat = array.ravel()
    if array.dtype.kind in "iuf":
        wide = doubles(flat)
        lowest, highest = -_DIGITS if least is None else least, _DIGITS if most is None else most
        with np.errstate(invalid="ignore", over="ignore"):
            nearest = np.rint(wide * 100)
            sure = np.abs(wide - nearest / 100) <= float(_NEAR) * np.maximum(1, np.abs(wide))
            sure &= (lowest <= nearest) & (nearest <= highest) & (np.abs(nearest) < _DIGITS)
        cents = np.where(sure, nearest, 0).astype(np.int64)
    else:
        sure, cents = np.zeros(flat.shape, dtype=bool), np.zeros(flat.shape, dtype=np.int64)
    # What isn't sure in doubles is decided exactly, or refused with its place.
    for place in np.flatnonzero(~sure).tolist():
        with within(index=place):
            value = hundredth(name, flat[place], least, most)
        if abs(value) > _LARGE:
            raise BadValue(name, f"must be at most {_LARGE / 100:g}, got {flat[place]}", index=place)
        cents[place] = value
    return cents.reshape(array.shape)


def _short(value: object) -> bool:
    """Tell numbers of the shorter float types of numpy."""
    return isinstance(value, np.floating) and not isinstance(value, float)


def _limits(least: int | None, most: int | None) -> str:
    if least is not None and most is not None:
        return f"from {least / 100:.2f} to {most / 100:.2f}"
    return "a number" if least is None else f"at least {least / 100:.2f}"
