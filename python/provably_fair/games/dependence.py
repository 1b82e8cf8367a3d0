"""On which draws each value of a program depends, and the operations of one of its parts."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from .operations import ALONG, DRAWS, SHAPING, Constant, Operation, performed

__all__ = ["dependence_of", "selected"]


def dependence_of(operations: Sequence[Operation], counts: Sequence[int | None]) -> list[np.ndarray] | None:
    """Return for each operation the draws on which its elements depend, as bits, in arrays of one round.

    `counts` has the number of draws of each operation; None if one of them depends on answers.
    """
    found: list[np.ndarray] = []
    drawn = 0
    known: Any
    for operation, count in zip(operations, counts, strict=True):
        if count is None:
            return None
        given = [_no_draws(one) if isinstance(one, Constant) else found[one] for one in operation.inputs]
        shape = (1, *operation.shape)
        if operation.name in DRAWS:
            known = _of_draws(operation, drawn, count)
            drawn += count
            if given:  # a range that depends on answers
                known = known | given[0]
        elif operation.name in SHAPING:
            known = performed(operation, given, None, 1)
        elif operation.name in ALONG:
            axes = tuple(axis + 1 for axis in operation.told["axis"])
            kept = operation.name not in _REDUCING or "keepdims" in operation.told
            known = _joined(given[0], axes, kept)
        elif operation.name == "take_along_axis":
            axis = operation.told["axis"] + 1
            known = _joined(given[0], (axis,), True) | given[1]
        elif operation.name == "exchange":
            known = functools.reduce(np.bitwise_or, given)[:, np.newaxis]
        else:
            of = [
                one for one, by in zip(given, operation.inputs, strict=True) if not isinstance(by, Constant)
            ]
            known = functools.reduce(np.bitwise_or, of) if of else np.zeros(shape, dtype=object)
        found.append(np.broadcast_to(np.asarray(known, dtype=object), shape))
    return found


_REDUCING = ("sum", "prod", "min", "max", "mean", "any", "all", "argmin", "argmax", "count_nonzero")


def _joined(known: np.ndarray, axes: tuple[int, ...], keepdims: bool) -> Any:
    return np.bitwise_or.reduce(known, axis=axes, keepdims=keepdims)  # type: ignore[call-overload]


def _no_draws(constant: Constant) -> np.ndarray:
    return np.zeros(constant.shape or (), dtype=object)


def _of_draws(operation: Operation, first: int, count: int) -> np.ndarray:
    """Return the draws of each value that is drawn."""
    every = (1 << count) - 1
    if not operation.shape:
        return np.array([every << first], dtype=object)
    values = operation.shape[0]
    if operation.name == "swaps":
        found = [every] * values
    else:  # by removal: each value depends on those taken before it
        found = [every & ((1 << place + 1) - 1) for place in range(values)]
    return np.array([[mask << first for mask in found]], dtype=object)


def selected(operations: list[Operation], node: int, place: int) -> int:
    """Add the operations of one value along the first axis of another's values; return their last place."""
    operation = operations[node]
    name, options, shape = operation.name, operation.told, operation.shape[1:]

    def add(inputs: Sequence[int | Constant], **changed: Any) -> int:
        told = tuple((options | changed).items())
        operations.append(Operation(name, tuple(inputs), told, shape, operation.dtype))
        return len(operations) - 1

    def of(one: int) -> int:
        return selected(operations, one, place if operations[one].shape[0] > 1 else 0)

    axis: Any = options.get("axis")
    if name == "stack" and axis == 0 and not isinstance(operation.inputs[place], Constant):
        return int(operation.inputs[place])  # type: ignore[arg-type]
    if name == "concatenate" and axis == 0:
        left = place
        for one in operation.inputs:
            size = one.value.shape[1] if isinstance(one, Constant) else operations[one].shape[0]
            if left < size and not isinstance(one, Constant):
                return selected(operations, one, left)
            if left < size:
                break
            left -= size
    if name == "getitem" and options["index"] and isinstance(options["index"][0], tuple):
        (kind, *numbers), *rest = options["index"]
        (one,) = operation.inputs
        size = operations[one].shape[0]  # type: ignore[index]
        which = range(size)[slice(*numbers)][place] if kind == "slice" else numbers[place] % size
        chosen = selected(operations, one, which)  # type: ignore[arg-type]
        return add([chosen], index=tuple(rest)) if rest else chosen
    if (
        name in ALONG
        and 0 not in axis
        and not (operation.dtype == "float64" and name in ("sum", "mean", "prod"))
    ):
        return add([of(operation.inputs[0])], axis=tuple(one - 1 for one in axis))  # type: ignore[arg-type]
    if name not in (*SHAPING, *ALONG, *DRAWS, "constant", "exchange", "take_along_axis", "input"):
        tables = name in ("take", "searchsorted", "isin")
        return add(
            [
                (one if tables else _selected_constant(one, len(shape) + 1, place))
                if isinstance(one, Constant)
                else of(one)
                for one in operation.inputs
            ]
        )
    operations.append(Operation("getitem", (node,), (("index", (place,)),), shape, operation.dtype))
    return len(operations) - 1


def _selected_constant(constant: Constant, ndim: int, place: int) -> Constant:
    """Return what of a constant is joined with one part of values of `ndim` dimensions in a round."""
    value = constant.value
    if constant.shape is None or len(constant.shape) < ndim:
        return constant
    axis = len(constant.shape) - ndim
    return Constant.of(np.ascontiguousarray(np.take(value, place if value.shape[axis] > 1 else 0, axis=axis)))
