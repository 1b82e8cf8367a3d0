"""Fields of rounds in arrays of several dimensions, which broadcast like numpy's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, is_single, refuse_masked

_SINGLE = frozenset((str, bytes, int))


def flattened(
    fields: tuple[str, ...], seeds: tuple[object, ...], named: Mapping[str, object]
) -> tuple[tuple[object, ...], dict[str, object], tuple[int, ...]] | None:
    """Return fields flattened to one dimension, and their common shape; None if none has more dimensions.

    Single values stay single: text is the same for all rounds.
    """
    if _SINGLE.issuperset(map(type, (*seeds, *named.values()))):  # the common case, a single round
        return None
    if not any(map(_has_axes, seeds)) and not any(map(_has_axes, named.values())):
        return None
    given: dict[Any, Any] = dict(enumerate(seeds)) | dict(named)
    arrays = {}
    for name, value in given.items():
        if is_single(value) and not isinstance(value, list | tuple):  # ragged ones are refused below
            continue
        called = fields[name] if isinstance(name, int) and name < len(fields) else str(name)
        refuse_masked(called, value)
        try:
            # As objects: numpy would strip trailing NULs of text, and turn mixed numbers into text.
            arrays[name] = value if isinstance(value, np.ndarray) else np.array(value, dtype=object)
        except ValueError:
            raise BadValue(called, "must have rows of one length") from None
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays.values())
        raise BadValue("fields", f"must have shapes that broadcast to one, got {shapes}") from None
    for name, array in arrays.items():
        flat = np.broadcast_to(array, shape).reshape(-1)
        given[name] = flat if array is given[name] else flat.tolist()
    return tuple(given[place] for place in range(len(seeds))), {name: given[name] for name in named}, shape


def _has_axes(value: object) -> bool:
    """Return whether a value is an array of two or more dimensions, or a list of lists."""
    if isinstance(value, np.ndarray):
        return value.ndim > 1
    return (
        isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], (list, tuple, np.ndarray))
    )
