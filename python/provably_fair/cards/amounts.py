"""Amounts of rules and paytables."""

from __future__ import annotations

import math

import numpy as np

from provably_fair._core.numbers import exactly


def to_plain_number(value: object) -> object:
    """Return a number as one of Python's; a float stands for its shortest decimal: 1.2 is 6/5.

    Infinities and NaN stay floats.
    """
    if getattr(value, "ndim", None) == 0:
        value = np.asarray(value)[()]
    if isinstance(value, (float, np.floating)):
        return exactly(value) if math.isfinite(value) else float(value)
    return value.item() if isinstance(value, np.generic) else value
