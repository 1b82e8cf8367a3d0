"""Types shared by rooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np


class SupportsArray(Protocol):
    """Anything that numpy converts, such as a pandas or Polars series."""

    def __array__(self) -> np.ndarray: ...


class SupportsArrowArray(Protocol):
    """An Arrow array of any library."""

    def __arrow_c_array__(self, requested_schema: object = None) -> object: ...


class SupportsArrowStream(Protocol):
    """A chunked Arrow array of any library."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Amount: TypeAlias = float | Fraction | Decimal
"""An amount of money; a float stands for its shortest decimal."""

Text: TypeAlias = str | bytes
"""A single seed."""

Texts: TypeAlias = Text | Sequence[Text] | SupportsArray | SupportsArrowArray | SupportsArrowStream
"""A seed, or one for each round: a list, an array, a pandas or Polars series, Arrow data."""

Single: TypeAlias = Text | int | np.integer[Any]
"""A field of one round: a seed, or a number."""

JsonDict: TypeAlias = dict[str, Any]
"""Values of JSON: text, numbers, booleans, None, lists and dicts."""

Columns: TypeAlias = Mapping[str, Sequence[object] | np.ndarray]
"""The columns of a table, by name."""
