"""Exact numbers: a float stands for its shortest decimal."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from .arguments import BadType, BadValue, doubles, is_single, rectangular, unbox
from .counts import bincount
from .errors import within

# Decimals whose integer digits are below this differ as doubles too, and each is its double's shortest
# decimal.
_DIGITS = 10**15
# A double's shortest decimal has fewer digits.
_MOST = 10**17
# The largest exponent of a decimal: a fraction has as many digits, which might fill all memory.
_EXPONENT = 10_000


def exactly(value: object, name: str = "values") -> Fraction:
    """Return a number as a Fraction; a float stands for its shortest decimal."""
    if type(value) is Fraction:
        return value
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise BadValue(name, f"must be finite, got {value}")
        # Doubles print like Python floats; other widths have numpy's own shortest digits.
        return Fraction(repr(float(value)) if isinstance(value, float) else str(value))
    if isinstance(value, (np.integer, np.bool_)):
        return Fraction(int(value))
    if isinstance(value, Decimal) and not value.is_finite():
        raise BadValue(name, f"must be finite, got {value}")
    if isinstance(value, Decimal) and value and abs(value.adjusted()) > _EXPONENT:
        raise BadValue(name, f"must have an exponent from -{_EXPONENT} to {_EXPONENT}, got {value!r:.50}")
    if isinstance(value, (int, Fraction, Decimal)):
        return Fraction(value)
    raise BadType(name, f"must be numbers, got {type(value).__name__}")


# Text that `Decimal` and `Fraction` read as a number, with an exponent too short to fill all memory. Python
# reads and writes integers of up to 4,300 digits.
_TEXT = re.compile(
    r"\s*[-+]?([0-9]{1,4300}/[0-9]{1,4300}"
    r"|([0-9]{1,4300}\.?|[0-9]{0,4300}\.[0-9]{1,4300})([eE][-+]?[0-9]{1,3})?)\s*"
)
_WHOLE = re.compile(r"\s*[-+]?[0-9]{1,4300}\s*")


def exact_number(value: object, name: str, index: object = None) -> Fraction:
    """Return a single number or its text as a Fraction."""
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


def whole_number(text: str) -> int:
    """Return the integer that a text in digits 0 to 9 stands for: `int` takes 1_0, and other digits."""
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


def simplest_number(value: Fraction) -> int | float | Fraction:
    """Return a number as an integer or float if its shortest decimal is exact, else as a Fraction."""
    if value.denominator == 1:
        return value.numerator
    if abs(value.numerator) >= _MOST:
        return value
    try:
        near = float(value)
    except OverflowError:
        return value
    return near if exactly(near) == value else value


def comparable(value: Any) -> Fraction | float | None:
    """Return a number as a Fraction, or a float if infinite; None for anything else, including NaN."""
    try:
        return exactly(value)
    except TypeError:
        return None
    except (ValueError, OverflowError):
        number = math.nan if isinstance(value, Decimal) and value.is_nan() else float(value)
        return None if math.isnan(number) else number


def over_one_denominator(values: list[Any], name: str = "outcomes") -> tuple[list[int], int]:
    """Return numbers as integers over one common denominator."""
    if all(type(value) is int for value in values):
        return values, 1
    if all(type(value) is float for value in values):
        # Fast path: numbers are mostly hundredths.
        array = np.array(values)
        with np.errstate(invalid="ignore", over="ignore"):
            cents = np.rint(array * 100)
            if (np.abs(cents) < _DIGITS).all() and (cents / 100 == array).all():
                return cents.astype(np.int64).tolist(), 100
            if np.isfinite(array).all():  # four times faster than a Fraction each
                return _over_lcm([Decimal(repr(value)).as_integer_ratio() for value in values])
    return _over_lcm([exactly(value, name).as_integer_ratio() for value in values])


def _over_lcm(ratios: list[tuple[int, int]]) -> tuple[list[int], int]:
    denominator = math.lcm(*{below for _, below in ratios})
    return [above * (denominator // below) for above, below in ratios], denominator


_LOW = 26  # bits; sums of 26-bit parts stay exact in doubles for 2**27 rows


def exact_sums(groups: np.ndarray, values: np.ndarray, count: int) -> list[int]:
    """Return exact sums of int64 values by group, 0 to `count` - 1, as Python integers."""
    high = bincount(groups, values >> _LOW, count).astype(np.int64).tolist()
    low = bincount(groups, values & ((1 << _LOW) - 1), count).astype(np.int64).tolist()
    return [(above << _LOW) + below for above, below in zip(high, low, strict=True)]


# Tolerance for rounding to hundredths: absolute up to 1, relative above.
_NEAR = Fraction(1, 10**9)
# Limit on amounts in arrays, in hundredths: they must fit into int64.
_LARGE = 2**62


def hundredth(name: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """Return an amount in hundredths, which floats may miss by rounding; limits are in hundredths."""
    value = unbox(value)
    if isinstance(value, (bool, np.bool_)):
        raise BadType(name, f"must be a number, got {value!r}")
    exact = exactly(value, name)
    cents = round(exact * 100)
    apart = abs(exact - Fraction(cents, 100)) > _NEAR * max(Fraction(1), abs(exact))
    if apart or (least is not None and cents < least) or (most is not None and cents > most):
        raise BadValue(name, f"must be {_limits(least, most)} with two decimals, got {value}")
    return cents


def hundredths(name: str, values: object, least: int | None = None) -> Any:
    """Return one amount as `hundredth` does, or many as an int64 array in their shape."""
    if is_single(values):
        return hundredth(name, values, least)
    kinds = set(map(type, values)) if isinstance(values, (list, tuple)) else set()
    if any(issubclass(kind, np.floating) and not issubclass(kind, float) for kind in kinds):
        # numpy would convert short floats to doubles, with other digits
        array = np.array(values, dtype=object)
    else:
        array = rectangular(name, values)
    flat = array.ravel()
    if array.dtype.kind in "iuf":
        wide = doubles(flat)
        with np.errstate(invalid="ignore", over="ignore"):
            nearest = np.rint(wide * 100)
            sure = np.abs(wide - nearest / 100) <= float(_NEAR) * np.maximum(1, np.abs(wide))
            sure &= (nearest >= (-_DIGITS if least is None else least)) & (np.abs(nearest) < _DIGITS)
        cents = np.where(sure, nearest, 0).astype(np.int64)
    else:
        sure, cents = np.zeros(flat.shape, dtype=bool), np.zeros(flat.shape, dtype=np.int64)
    # Decide doubtful values exactly, or refuse them with their row.
    for place in np.flatnonzero(~sure).tolist():
        with within(index=place):
            value = hundredth(name, flat[place], least)
        if abs(value) > _LARGE:
            raise BadValue(name, f"must be at most {_LARGE / 100:g}, got {flat[place]}", index=place)
        cents[place] = value
    return cents.reshape(array.shape)


def _limits(least: int | None, most: int | None) -> str:
    if least is not None and most is not None:
        return f"from {least / 100:.2f} to {most / 100:.2f}"
    return "a number" if least is None else f"at least {least / 100:.2f}"
