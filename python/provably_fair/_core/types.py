"""Types that several rooms name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np

__all__ = ["Amount", "Columns", "JsonDict", "Text", "Texts"]


class SupportsArray(Protocol):
    """What numpy makes an array of: a pandas or Polars series."""

    def __array__(self) -> np.ndarray: ...


class SupportsArrowArray(Protocol):
    """An Arrow array, of any library."""

    def __arrow_c_array__(self, requested_schema: object = None) -> object: ...


class SupportsArrowStream(Protocol):
    """An Arrow array in pieces, of any library."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Amount: TypeAlias = float | Fraction | Decimal
"""An amount of money; a float is the decimal that it is shown as."""

Text: TypeAlias = str | bytes
"""One seed."""

Texts: TypeAlias = Text | Sequence[Text] | SupportsArray | SupportsArrowArray | SupportsArrowStream
"""One seed, or one for each round: a list, an array, a pandas or Polars series, Arrow data."""

JsonDict: TypeAlias = dict[str, Any]
"""What JSON can hold: text, numbers, truth values, None, lists and dicts of them."""

Columns: TypeAlias = Mapping[str, Sequence[object] | np.ndarray]
"""The columns of a table, by name."""
