"""The operations that a value of a program needs, or one of its rows, and the draws among them."""

from __future__ import annotations

import bisect
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .operations import ALONG, DRAWS, TABLES, Constant, Operation

WHOLE = -1
"""The place of all values along the first axis."""

Key = tuple[int, int]
"""The place of an operation, and of the row of its values that is needed."""


def needed(
    operations: Sequence[Operation], result: int, row: int = WHOLE, effects: Iterable[str] = ()
) -> dict[Key, Operation]:
    """Return the operations that a value needs, or one of its rows, the values along its first axis.

    Their inputs are keys. Those with effects are kept, and so is the input of a function.
    """
    rows: defaultdict[int, list[int]] = defaultdict(list, {result: [row]})
    for place, one in enumerate(operations if effects else operations[:1]):
        if one.name in effects or one.name == "input":
            rows[place].append(WHOLE)
    made: dict[Key, Operation] = {}
    for place in range(len(operations) - 1, -1, -1):
        if place in rows:
            for asked in rows[place]:  # to which the whole may be added
                if (place, asked) not in made:
                    made[place, asked] = _row(operations, place, asked, WHOLE in rows[place])
                    for of in made[place, asked].inputs:
                        if not isinstance(of, Constant):
                            rows[of[0]].append(of[1])
    return made


def renamed(made: dict[Key, Operation], result: Key) -> tuple[tuple[Operation, ...], int]:
    """Return operations in order, with places as inputs, and the place of the result."""
    names: dict[Key, int] = {}
    kept: list[Operation] = []
    for key, one in sorted(made.items()):
        inputs: Any = tuple(of if isinstance(of, Constant) else names[of] for of in one.inputs)
        same = kept[inputs[0]] if one.name == "move" and len(inputs) == 1 else one
        if same is not one and (same.shape, same.dtype, None) == (one.shape, one.dtype, one.told["places"]):
            names[key] = inputs[0]  # it moves nothing
        else:
            names[key] = len(kept)
            kept.append(one._replace(inputs=inputs))
    return tuple(kept), names[result]


def draws_among(made: dict[Key, Operation], starts: Sequence[int]) -> tuple[int, ...]:
    """Return the places of the draws among needed operations, by where those of each operation start."""
    found: list[int] = []
    for (place, row), one in sorted(made.items()):
        if one.name in DRAWS:
            first, end = starts[place], starts[place + 1]
            count = end - first if row == WHOLE else math.prod(one.shape)
            first += max(row, 0) * count
            found += range(first, first + count)
    return tuple(found)


def _row(operations: Sequence[Operation], place: int, row: int, whole: bool) -> Operation:
    """Return an operation, or what makes one of its rows, with pairs of operation and row as inputs."""
    one = operations[place]
    if row == WHOLE:
        return one._replace(
            inputs=tuple(of if isinstance(of, Constant) else (of, WHOLE) for of in one.inputs)
        )
    if one.name == "move":
        return _moved_row(operations, one, row)
    name, told, shape = one.name, one.told, one.shape[1:]

    def made(inputs: Iterable[Any], **changed: Any) -> Operation:
        return Operation(name, tuple(inputs), tuple((told | changed).items()), shape, one.dtype)

    def of_input(of: Any) -> Any:
        if not isinstance(of, Constant):
            return of, row if operations[of].shape[0] > 1 else 0
        return of if name in TABLES else _row_of_constant(of, len(shape), row)

    axis = told.get("axis")
    axes = axis if isinstance(axis, tuple) else (axis or 0,)
    if "each" in told and not whole:
        times = told.pop("each")[2]
        return made((), each=(times, None, None)) if times else made(())
    rounded = one.dtype == "float64" and name in ("sum", "mean", "prod", "cumsum", "cumprod")
    if name in ALONG and 1 not in axes and not rounded:  # numpy adds doubles in an order of its own
        lower = tuple(each - 1 for each in axes)
        return made([of_input(one.inputs[0])], axis=lower if isinstance(axis, tuple) else lower[0])
    if name == "take_along_axis" and isinstance(one.inputs[0], Constant):
        table = one.inputs[0].value
        return made(
            [Constant.of(table.reshape(table.shape[1:])), of_input(one.inputs[1])], axis=told["axis"] - 1
        )
    if name not in (*ALONG, *DRAWS, "exchange", "take_along_axis", "input"):
        return made(map(of_input, one.inputs))
    size = math.prod(shape)
    places = tuple(range(row * size, (row + 1) * size))
    return Operation("move", ((place, WHOLE),), (("places", places),), shape, one.dtype)


def _row_of_constant(constant: Constant, ndim: int, row: int) -> Constant:
    """Return what of a constant is joined with one row of values, which has `ndim` dimensions in a round."""
    value = constant.value
    if np.ndim(value) <= ndim:
        return constant
    axis = np.ndim(value) - ndim - 1
    return Constant.of(np.take(value, row if value.shape[axis] > 1 else 0, axis=axis))


def _moved_row(operations: Sequence[Operation], one: Operation, row: int) -> Operation:
    """Return what moves the rows of which one row of moved values is made."""
    size = math.prod(one.shape[1:])
    places = one.told["places"] or range(math.prod(one.shape))
    sizes = [math.prod(operations[of].shape) for of in one.inputs]
    starts = [0, *itertools.accumulate(sizes)]
    used: dict[tuple[int, int], int] = {}
    moved, length = [], 0
    for place in places[row * size : (row + 1) * size]:
        which = bisect.bisect_right(starts, place) - 1
        of, shape = one.inputs[which], operations[one.inputs[which]].shape
        long = sizes[which] // shape[0] if shape else 1
        in_row, rest = divmod(place - starts[which], long)
        key = of, in_row if shape else WHOLE
        if key not in used:
            used[key], length = length, length + long
        moved.append(used[key] + rest)
    kept = None if moved == [*range(length)] else tuple(moved)
    return Operation("move", tuple(used), (("places", kept),), one.shape[1:], one.dtype)
