"""Amounts of rules and paytables."""

from __future__ import annotations

import math
from numbers import Rational
from typing import Any

import numpy as np

from provably_fair._core.errors import BadType
from provably_fair._core.numbers import exactly


def plain_number(name: str, value: object, *others: type) -> Any:
    """Return a number as one of Python's, checked; a float stands for its shortest decimal: 1.2 is 6/5.

    Infinities and NaN stay floats; values of `others` stay as they are.
    """
    number: Any = np.asarray(value)[()] if getattr(value, "ndim", None) == 0 else value
    if isinstance(number, (float, np.floating)):
        return exactly(number) if math.isfinite(number) else float(number)
    number = number.item() if isinstance(number, np.generic) else number
    if isinstance(number, bool) or not isinstance(number, (int, float, Rational, *others)):
        raise BadType(name, f"must be a number, got {type(value).__name__}")
    return number
