"""The operations of a program: typed, with constants, and how numpy performs each of them.

An operation's shape and axes are those of one round. It is performed on the arrays of many rounds, whose
first axis is that of the rounds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from .draws import Draws

__all__ = ["ALONG", "DRAWS", "EFFECTS", "SHAPING", "Constant", "Operation", "performed"]

Index = tuple[Any, ...]


class Constant(NamedTuple):
    """A number, text or array as it is written in a rule; it can be hashed, and -0.0 isn't 0.0."""

    dtype: str
    """The name of a numpy dtype; or "int", "float", "bool", "str" for a value of Python's."""
    shape: tuple[int, ...] | None
    """None for a value of Python's."""
    data: bytes

    @classmethod
    def of(cls, value: Any) -> Constant:
        """Return a value of Python's or numpy's as a constant; raise TypeError for others."""
        for kind in (bool, str):
            if isinstance(value, kind):
                return cls(kind.__name__, None, repr(value).encode())
        if isinstance(value, (np.generic, np.ndarray)):
            if value.dtype.kind not in "biuf":
                raise TypeError(f"an array of {value.dtype}")
            return cls(value.dtype.name, value.shape, value.tobytes())
        if isinstance(value, int):
            return cls("int", None, repr(int(value)).encode())
        if isinstance(value, float):
            return cls("float", None, float.hex(value).encode())
        raise TypeError(type(value).__name__)

    @property
    def value(self) -> Any:
        """The value; an array is read-only."""
        return _value(self)

    def __repr__(self) -> str:
        value = self.value
        if self.shape is None or value.ndim == 0:
            return repr(value.item() if self.shape is not None else value)
        return np.array2string(value, separator=", ", threshold=16, edgeitems=3, max_line_width=10_000)


@lru_cache(maxsize=4096)
def _value(constant: Constant) -> Any:
    if constant.shape is None:
        text = constant.data.decode()
        return float.fromhex(text) if constant.dtype == "float" else ast.literal_eval(text)
    return np.frombuffer(constant.data, dtype=constant.dtype).reshape(constant.shape)


class Operation(NamedTuple):
    """One operation of a program.

    Attributes
    ----------
    name : str
        A method of `Draws`, a ufunc of numpy's, or another function of numpy's in the table below.
    inputs : tuple of int or Constant
        The places of earlier operations in the program, and constants.
    options : tuple of (str, value)
        What else it is told, such as an axis: texts, integers, and tuples of them.
    shape, dtype : tuple of int, and str
        Those of its value in one round: "int64", "float64" or "bool"; "" if it has no value.
    """

    name: str
    inputs: tuple[int | Constant, ...]
    options: tuple[tuple[str, Any], ...]
    shape: tuple[int, ...]
    dtype: str

    @property
    def told(self) -> dict[str, Any]:
        """The options by name."""
        return dict(self.options)


DRAWS = ("below", "coin", "weighted", "number", "sample", "shuffle", "swaps", "distinct")
"""Operations that draw."""

EFFECTS = (*DRAWS, "skip", "label", "note", "part")
"""Operations that are performed in order, even if no other one uses them."""


def _along(function: Callable[..., Any]) -> Callable[..., Any]:
    def perform(values: Any, axis: tuple[int, ...], keepdims: bool = False) -> Any:
        axes = tuple(one + 1 for one in axis)
        return function(
            values, axis=axes[0] if len(axes) == 1 else axes, **({"keepdims": True} if keepdims else {})
        )

    return perform


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum": np.sum,
    "prod": np.prod,
    "min": np.min,
    "max": np.max,
    "mean": np.mean,
    "any": np.any,
    "all": np.all,
    "argmin": np.argmin,
    "argmax": np.argmax,
    "count_nonzero": np.count_nonzero,
    "sort": np.sort,
    "argsort": np.argsort,
    "diff": np.diff,
    "cumsum": np.cumsum,
    "cumprod": np.cumprod,
    "cummin": np.minimum.accumulate,
    "cummax": np.maximum.accumulate,
}
ALONG = {name: _along(function) for name, function in _FUNCTIONS.items()}
"""Operations along axes."""


def _getitem(values: Any, index: Index) -> Any:
    return values[(slice(None), *map(_part_of_index, index))]


def _part_of_index(part: Any) -> Any:
    if not isinstance(part, tuple):
        return part  # an integer, or None for a new axis
    kind, *numbers = part
    return slice(*numbers) if kind == "slice" else list(numbers)


def _stack(*values: Any, axis: int) -> Any:
    return np.stack(values, axis=axis + 1)


def _concatenate(*values: Any, axis: int) -> Any:
    return np.concatenate(values, axis=axis + 1)


def _reshape(values: Any, shape: tuple[int, ...]) -> Any:
    return values.reshape((len(values), *shape))


def _broadcast(values: Any, shape: tuple[int, ...]) -> Any:
    return np.broadcast_to(values, (len(values), *shape))


def _transpose(values: Any, axes: tuple[int, ...]) -> Any:
    return values.transpose((0, *(axis + 1 for axis in axes)))


def _flip(values: Any, axis: int) -> Any:
    return np.flip(values, axis + 1)


def _roll(values: Any, shift: int, axis: int) -> Any:
    return np.roll(values, shift, axis + 1)


def _repeat(values: Any, repeats: int, axis: int) -> Any:
    return np.repeat(values, repeats, axis + 1)


SHAPING: dict[str, Callable[..., Any]] = {
    "getitem": _getitem,
    "stack": _stack,
    "concatenate": _concatenate,
    "reshape": _reshape,
    "broadcast": _broadcast,
    "transpose": _transpose,
    "flip": _flip,
    "roll": _roll,
    "repeat": _repeat,
}
"""Operations that only move values about."""


def _take(table: Any, values: Any) -> Any:
    return np.take(table, values)


def _take_along(values: Any, indices: Any, axis: int) -> Any:
    return np.take_along_axis(values, indices, axis + 1)


def _astype(values: Any, dtype: str) -> Any:
    return values.astype(dtype)


def _choose(values: Any, *choices: Any) -> Any:
    return np.choose(values, choices)


_OTHERS: dict[str, Callable[..., Any]] = {
    "where": np.where,
    "clip": np.clip,
    "round": np.round,
    "isin": np.isin,
    "searchsorted": np.searchsorted,
    "take": _take,
    "take_along_axis": _take_along,
    "astype": _astype,
    "choose": _choose,
}


def performed(operation: Operation, values: Sequence[Any], draws: Draws | None, rounds: int) -> Any:
    """Perform an operation on the values of its inputs, for many rounds."""
    name, options = operation.name, operation.told
    if name in SHAPING or name == "constant":
        # Constants have one row, or as many dimensions as one round.
        values = [
            _for_rounds(value, of, operation, rounds)
            for value, of in zip(values, operation.inputs, strict=True)
        ]
        return values[0] if name == "constant" else SHAPING[name](*values, **options)
    if name in ALONG:
        return ALONG[name](*values, **options)
    if name in _OTHERS:
        return _OTHERS[name](*values, **options)
    if name in EFFECTS or name == "exchange":
        return _drawn(draws, name, values, options)
    return getattr(np, name)(*values)


def _for_rounds(value: Any, of: int | Constant, operation: Operation, rounds: int) -> Any:
    """Return the value of an input as an array of many rounds."""
    if not isinstance(of, Constant):
        return value
    array = np.asarray(value)
    if operation.name == "constant":
        return np.broadcast_to(array, (rounds, *operation.shape)).astype(operation.dtype)
    return np.broadcast_to(array, (rounds, *array.shape[1:]))


def _drawn(draws: Any, name: str, values: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Ask draws; numbers such as n are options, values of rounds are inputs."""
    if name == "exchange":
        return draws.exchange(options["n"], options["places"], values)
    asked = {key: value for key, value in options.items() if key != "rounded"}
    return getattr(draws, name)(*values, *asked.values())
