"""A program as the engine plays it: instructions on single values of a round.

An array of a round is an array of registers, so that what only moves values about is nothing to do, and what
goes along an axis is done value by value. Where numpy's result isn't known to be the engine's, bit by bit,
there are no instructions: numpy then plays the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from provably_fair._engine import Program as EngineProgram

from .intervals import Interval
from .operations import Constant, Operation

_SAME = (
    "add",
    "subtract",
    "multiply",
    "floor_divide",
    "remainder",
    "maximum",
    "minimum",
    "negative",
    "absolute",
)
_COMPARED = {
    "equal": ("equal", False),
    "not_equal": ("not_equal", False),
    "less": ("less", False),
    "less_equal": ("less_equal", False),
    "greater": ("less", True),
    "greater_equal": ("less_equal", True),
}
"""Comparisons: the engine's, and whether its inputs are exchanged."""

_BITS = ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")
_OF_BOOLS = {
    **{"bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or", "bitwise_xor": "bitwise_xor"},
    **{"add": "bitwise_or", "multiply": "bitwise_and", "maximum": "bitwise_or", "minimum": "bitwise_and"},
    "not_equal": "bitwise_xor",
}
_LOGICAL = {"logical_and": "bitwise_and", "logical_or": "bitwise_or", "logical_xor": "bitwise_xor"}
_ROUNDINGS = ("floor", "ceil", "trunc", "rint")
_REDUCED = {"sum": "add", "prod": "multiply", "min": "minimum", "max": "maximum", "any": "logical_or"}
_REDUCED |= {"all": "logical_and", "count_nonzero": "add"}
_ACCUMULATED = {"cumsum": "add", "cumprod": "multiply"}
_ACCUMULATED |= {"minimum.accumulate": "minimum", "maximum.accumulate": "maximum"}
_MOST_DECIMALS = 15
_MOST_COMPARED = 64
_MOST = 1 << 13
"""The most registers."""
_MOST_TOLD = 1 << 20
"""The most numbers of all instructions together: each has a table of its own."""


class _UnknownError(Exception):
    """An operation has no instructions."""


def engine_program(
    operations: Sequence[Operation], result: int, intervals: Sequence[Interval | None]
) -> EngineProgram | None:
    """Return a program as the engine plays it; None if numpy alone knows one of its operations."""
    if not _is_numpy_as_known():
        return None
    writer = _Writer(operations, intervals)
    try:
        for place in range(len(operations)):
            writer.write(place)
    except _UnknownError:
        return None
    return EngineProgram(writer.instructions, writer.values[result].ravel().tolist())


@lru_cache(maxsize=1)
def _is_numpy_as_known() -> bool:
    """Return whether numpy does here what the C standard leaves open as the engine does it."""
    ends, zeros = np.array([np.nan, np.inf, -np.inf, 1e300]), np.array([0.0, -0.0])
    with np.errstate(all="ignore"):
        casts = ends.astype(np.int64).tolist() == [np.iinfo(np.int64).min] * len(ends)
    second = zeros[::-1].tobytes()
    return casts and all(
        extreme(zeros, zeros[::-1]).tobytes() == second for extreme in (np.maximum, np.minimum)
    )


class _Writer:
    """The instructions so far, and the registers of each operation's value."""

    def __init__(self, operations: Sequence[Operation], intervals: Sequence[Interval | None]) -> None:
        self.operations = operations
        self.intervals = intervals
        self.instructions: list[tuple[str, Sequence[int], Sequence[int]]] = []
        self.values: list[np.ndarray] = []
        self._registers = self._told = 0
        self._constants: dict[int, int] = {}
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}

    # ---- single values

    def add(self, name: str, inputs: Sequence[int] = (), told: Sequence[int] = (), count: int = 1) -> int:
        """Add an instruction, and return the first register of what it gives."""
        self._told += len(told)
        if self._registers + count > _MOST or self._told > _MOST_TOLD:
            raise _UnknownError
        self.instructions.append((name, inputs, told))
        self._registers += count
        return self._registers - count

    def one(self, name: str, *inputs: int) -> int:
        """Add an operation on single values, once."""
        if (name, inputs) not in self._known:
            self._known[name, inputs] = self.add(name, inputs)
        return self._known[name, inputs]

    def constant(self, value: Any, kind: str) -> int:
        """Return the register of a constant."""
        bits = int(_bits([value], kind)[0])
        if bits not in self._constants:
            self._constants[bits] = self.add("constant", (), [bits])
        return self._constants[bits]

    def cast(self, register: int, kind: str, wanted: str) -> int:
        """Return the register of a value as another type, as `astype` casts it."""
        if kind == wanted or (kind, wanted) == ("b", "i"):
            return register
        if wanted == "b":
            return self.one(f"not_equal_{kind}", register, self.constant(0, kind))
        return self.one("float_of_i" if wanted == "f" else "int_of_f", register)

    # ---- arrays

    def each(self, name: str, *arrays: np.ndarray) -> np.ndarray:
        """Return the registers of an operation on each element of arrays."""
        joined = np.broadcast_arrays(*arrays)
        made = [self.one(name, *each) for each in zip(*(one.ravel().tolist() for one in joined), strict=True)]
        return np.array(made, np.int64).reshape(joined[0].shape)

    def inputs(self, operation: Operation) -> tuple[list[np.ndarray], str]:
        """Return the inputs of an operation in their common type, and its kind."""
        kinds = [self.kind_of(of) for of in operation.inputs]
        common = max(kinds, key="bif".index)
        return self.joined(operation, *[common] * len(kinds)), common

    def joined(self, operation: Operation, *kinds: str) -> list[np.ndarray]:
        """Return the inputs of an operation that joins them, each in a type."""
        axes = max(self.values[of].ndim for of in operation.inputs if not isinstance(of, Constant))
        return [self.input(of, kind, axes) for of, kind in zip(operation.inputs, kinds, strict=True)]

    def kind_of(self, of: Any) -> str:
        """Return the kind of a value's type, "b", "i" or "f"; refuse constants of other types."""
        if not isinstance(of, Constant):
            return {"bool": "b", "int64": "i", "float64": "f"}[self.operations[of].dtype]
        array = np.asarray(of.value)
        if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
            return "f"
        if array.dtype.kind == "b" or (array.dtype.kind in "iu" and np.can_cast(array.dtype, np.int64)):
            return "b" if array.dtype.kind == "b" else "i"
        raise _UnknownError

    def input(self, of: Any, wanted: str, axes: int) -> np.ndarray:
        """Return the registers of an input, cast to a type; constants have at most the axes of one round."""
        kind = self.kind_of(of)
        if not isinstance(of, Constant):
            return self.each_cast(self.values[of], kind, wanted)
        array: np.ndarray = np.asarray(of.value).astype(_TYPES[wanted])
        if array.ndim > axes:  # the first axis is that of rounds
            array = array[0]
        found: np.ndarray = np.vectorize(lambda one: self.constant(one, wanted), otypes=[np.int64])(array)
        return found

    # ---- operations

    def write(self, place: int) -> None:
        """Write the instructions of an operation."""
        operation = self.operations[place]
        name, told, kind = operation.name, operation.told, operation.dtype[:1]
        found: Any = np.empty(0, np.int64)
        if name in ("distinct", "label", "input") or 0 in operation.shape:
            raise _UnknownError
        if name in ("note", "part"):
            pass
        elif name == "skip":
            self.add("skip", (), [told["count"]], 0)
        elif name == "move":
            parts = self.joined(operation, *[kind] * len(operation.inputs))
            joined = np.concatenate(parts, axis=None)
            found = joined if told["places"] is None else joined[[*told["places"]]]
        elif name in ("constant", "astype"):
            found = self.input(operation.inputs[0], kind, len(operation.shape))
        elif name in _DRAWN:
            found = _DRAWN[name](self, operation)
        elif name in _RULES:
            found = _RULES[name](self, operation)
        else:
            found = self.elementwise(place)
        if operation.dtype:
            found = (
                np.broadcast_to(found, operation.shape) if name != "move" else found.reshape(operation.shape)
            )
        self.values.append(found)

    def elementwise(self, place: int) -> np.ndarray:
        """Write an operation of numpy's on each element."""
        operation = self.operations[place]
        name, kind = operation.name, operation.dtype[:1]
        arrays, common = self.inputs(operation)
        if name in _LOGICAL or name == "logical_not":
            arrays = [self.each_cast(one, common, "b") for one in arrays]
            return (
                self.negated(arrays[0])
                if name == "logical_not"
                else self.each(_LOGICAL[name] + "_i", *arrays)
            )
        if common == "b" and name in _OF_BOOLS:
            return self.each(_OF_BOOLS[name] + "_i", *arrays)
        if common == "b" and name == "invert":
            return self.negated(arrays[0])
        if name in _COMPARED and kind == "b":
            known, exchanged = _COMPARED[name]
            return self.each(f"{known}_{_whole(common)}", *(arrays[::-1] if exchanged else arrays))
        if name in ("isfinite", "isnan", "isinf"):
            raise _UnknownError
        if kind == "b":
            raise _UnknownError
        if name == "positive" or (kind == "i" and name in _ROUNDINGS):
            return arrays[0]
        arrays = [self.each_cast(one, common, kind) for one in arrays]
        is_same = name in _SAME or (name in _BITS and kind == "i") or (name == "invert" and kind == "i")
        if is_same or (kind == "f" and name in ("divide", "sqrt", *_ROUNDINGS)):
            if len(arrays) > 2 or (common == "b" and name in ("floor_divide", "remainder")):
                raise _UnknownError
            return self.each(f"{name}_{kind}", *arrays)
        if name == "square":
            return self.each(f"multiply_{kind}", arrays[0], arrays[0])
        raise _UnknownError

    def each_cast(self, array: np.ndarray, kind: str, wanted: str) -> np.ndarray:
        """Return the registers of values as another type."""
        cast = np.vectorize(lambda one: self.cast(one, kind, wanted), otypes=[np.int64])
        found: np.ndarray = cast(array)
        return found

    def negated(self, truths: np.ndarray) -> np.ndarray:
        """Return the registers of what isn't true."""
        return self.each("equal_i", truths, np.array(self.constant(0, "i")))

    def is_within(self, of: Any, low: int, high: int) -> bool:
        """Return whether all values are known to lie in a range."""
        if isinstance(of, Constant):
            return bool((np.asarray(of.value) >= low).all() and (np.asarray(of.value) <= high).all())
        known = self.intervals[of]
        return known is not None and bool((known.low >= low).all() and (known.high <= high).all())


def _constant(of: Any) -> Constant:
    """Return an input that must be a constant."""
    if not isinstance(of, Constant):
        raise _UnknownError
    return of


_TYPES = {"b": np.bool_, "i": np.int64, "f": np.float64}


def _whole(kind: str) -> str:
    """Return the kind as whose an operation on bools is done."""
    return "f" if kind == "f" else "i"


def _bits(values: Any, kind: str) -> np.ndarray:
    """Return the bits of values as whole numbers."""
    array = np.asarray(values)
    return array.astype(np.float64).view(np.int64) if kind == "f" else array.astype(np.int64)


def _repeated(draw: Callable[[_Writer], int]) -> Callable[[_Writer, Operation], np.ndarray]:
    """Return the writer of a draw, made as often as `each` says."""

    def write(writer: _Writer, operation: Operation) -> np.ndarray:
        count = int(np.prod(operation.shape, dtype=int))
        return np.array([draw(writer) for _ in range(count)], np.int64).reshape(operation.shape)

    return write


def _below(writer: _Writer, operation: Operation) -> np.ndarray:
    if operation.inputs:
        raise _UnknownError
    n = operation.told["n"] if operation.name == "below" else 2
    return _repeated(lambda to: to.add("below", (), [n]))(writer, operation)


def _weighted(writer: _Writer, operation: Operation) -> np.ndarray:
    ends = np.cumsum(operation.told["weights"]).tolist()

    def draw(to: _Writer) -> int:
        return to.add("search_right_i", [to.add("below", (), [ends[-1]])], ends)

    return _repeated(draw)(writer, operation)


def _taken(writer: _Writer, operation: Operation) -> np.ndarray:
    """Write `sample` or `shuffle`."""
    n, k = operation.told["n"], operation.told["k"]
    k = n if k is None else k
    shuffled = operation.name == "shuffle"
    drawn = min(k, n - 1) if shuffled else k
    places = [writer.add("below", (), [n - step]) for step in range(drawn)]
    if shuffled:
        writer.add("skip", (), [n - 1 - drawn], 0)
    if drawn < k:  # the last one is left over
        places.append(writer.constant(0, "i"))
    first = writer.add("take", places, count=k)
    return np.arange(first, first + k)


def _swapped(writer: _Writer, operation: Operation) -> np.ndarray:
    n = operation.told["n"]
    places = range(n - 1, 0, -1)
    by = [writer.add("below", (), [place + 1]) for place in places]
    first = writer.add("exchange", by, [n, *places], n)
    return np.arange(first, first + n)


def _exchanged(writer: _Writer, operation: Operation) -> np.ndarray:
    n = operation.told["n"]
    if not all(writer.kind_of(of) == "i" and writer.is_within(of, 0, n - 1) for of in operation.inputs):
        raise _UnknownError
    by = [int(writer.input(of, "i", 0)) for of in operation.inputs]
    first = writer.add("exchange", by, [n, *operation.told["places"]], n)
    return np.arange(first, first + n)


_DRAWN: dict[str, Callable[[_Writer, Operation], np.ndarray]] = {
    "below": _below,
    "coin": _below,
    "weighted": _weighted,
    "number": _repeated(lambda to: to.add("number")),
    "sample": _taken,
    "shuffle": _taken,
    "swaps": _swapped,
    "exchange": _exchanged,
}


def _where(writer: _Writer, operation: Operation) -> np.ndarray:
    kind = operation.dtype[:1]
    return writer.each("where_i", *writer.joined(operation, "b", kind, kind))


def _clipped(writer: _Writer, operation: Operation) -> np.ndarray:
    """Write numpy's clip between two numbers: values that equal an end stay as they are."""
    ends = operation.inputs[1:]
    if not all(isinstance(of, Constant) and np.ndim(of.value) == 0 and of.value == of.value for of in ends):
        raise _UnknownError
    kind = operation.dtype[:1]
    found, low, high = writer.joined(operation, kind, kind, kind)
    # Before numpy 2.0, a zero that equals an end takes its sign.
    old = np.lib.NumpyVersion(np.__version__) < "2.0.0"
    if kind == "b" or (old and kind == "f" and any(of.value == 0 for of in ends)):
        raise _UnknownError
    found = writer.each("where_i", writer.each(f"less_{kind}", found, low), low, found)
    return writer.each("where_i", writer.each(f"less_{kind}", high, found), high, found)


def _rounded(writer: _Writer, operation: Operation) -> np.ndarray:
    decimals: Any = operation.told.get("decimals", 0)
    (array,), common = writer.inputs(operation)
    kind = operation.dtype[:1]
    if type(decimals) is not int or kind != common or abs(decimals) > _MOST_DECIMALS:
        raise _UnknownError
    if kind == "i" and decimals >= 0:
        return array
    if kind != "f":
        raise _UnknownError
    scale = np.array(writer.constant(10.0 ** abs(decimals), "f"))
    first, last = ("multiply_f", "divide_f") if decimals > 0 else ("divide_f", "multiply_f")
    array = writer.each(first, array, scale) if decimals else array
    array = writer.each("rint_f", array)
    return writer.each(last, array, scale) if decimals else array


def _searched(writer: _Writer, operation: Operation) -> np.ndarray:
    table, value = operation.inputs
    array = np.asarray(_constant(table).value)
    kind = max(writer.kind_of(table), writer.kind_of(value), key="bif".index)
    array = array.astype(_TYPES[kind])
    if kind == "b" or array.ndim != 1 or not (array[1:] >= array[:-1]).all() or np.isnan(array).any():
        raise _UnknownError
    name = f"search_right_{kind}" if operation.told.get("side") == "right" else f"search_{kind}"
    entries = _bits(array, kind).tolist()
    (values,) = writer.joined(operation._replace(inputs=(value,)), kind)
    found = [writer.add(name, [one], entries) for one in values.ravel().tolist()]
    return np.array(found, np.int64).reshape(values.shape)


def _chosen(writer: _Writer, operation: Operation) -> np.ndarray:
    """Write `take_along_axis`, of a table or among drawn values."""
    of, at = operation.inputs
    kind = operation.dtype[:1]
    if isinstance(at, Constant) or writer.kind_of(at) != "i":
        raise _UnknownError
    places = writer.values[at]
    if isinstance(of, Constant):
        array = np.asarray(of.value)
        if writer.kind_of(of) != kind or not writer.is_within(at, -array.size, array.size - 1):
            raise _UnknownError
        entries = _bits(array.ravel(), kind).tolist()
        found = [writer.add("table", [one], entries) for one in places.ravel().tolist()]
        return np.array(found, np.int64).reshape(places.shape)
    axis = operation.told["axis"] - 1
    values = writer.values[of]
    k = values.shape[axis]
    if not writer.is_within(at, 0, k - 1) or k > _MOST_COMPARED:
        raise _UnknownError
    chosen = values.take([0], axis)
    for place in range(1, k):
        is_here = writer.each("equal_i", places, np.array(writer.constant(place, "i")))
        chosen = writer.each("where_i", is_here, values.take([place], axis), chosen)
    return np.broadcast_to(chosen, operation.shape)


def _among(writer: _Writer, operation: Operation) -> np.ndarray:
    value, among = operation.inputs
    kind = max(writer.kind_of(value), writer.kind_of(among), key="bif".index)
    entries = np.unique(np.asarray(_constant(among).value))
    if len(entries) > _MOST_COMPARED:
        raise _UnknownError
    (values,) = writer.joined(operation._replace(inputs=(value,)), kind)
    found = np.full(values.shape, writer.constant(0, "i"))
    for entry in entries:
        equal = writer.each(f"equal_{_whole(kind)}", values, np.array(writer.constant(entry, kind)))
        found = writer.each("bitwise_or_i", found, equal)
    return found


def _along(writer: _Writer, operation: Operation) -> np.ndarray:
    """Write an operation along axes: value by value, in their order."""
    name, told = operation.name, operation.told
    (array,), kind = writer.inputs(operation)
    axes = told["axis"] if isinstance(told["axis"], tuple) else (told["axis"],)
    array = np.moveaxis(array, [axis - 1 for axis in axes], [*range(len(axes))])
    array = array.reshape(-1, *array.shape[len(axes) :])
    if name in ("any", "all", "count_nonzero"):
        array, kind = writer.each_cast(array, kind, "b"), "i"
    if kind == "f" and (name in ("sum", "prod") or not _has_one_zero(writer, operation)):
        raise _UnknownError  # numpy adds doubles in an order of its own
    rows = [*array]
    if name in ("any", "all"):
        made = reduce(lambda one, other: writer.each(f"{_LOGICAL[_REDUCED[name]]}_i", one, other), rows)
    elif name in _REDUCED:
        kind = _whole(kind)
        made = reduce(lambda one, other: writer.each(f"{_REDUCED[name]}_{kind}", one, other), rows)
    elif name in ("argmin", "argmax"):
        made = _first_extreme(writer, rows, _whole(kind), name)
    else:
        if name == "sort":
            rows = _sorted(writer, rows, _whole(kind))
        else:
            for place in range(1, len(rows)):
                rows[place] = writer.each(
                    f"{_ACCUMULATED[name]}_{_whole(kind)}", rows[place - 1], rows[place]
                )
        return np.moveaxis(np.stack(rows), 0, axes[0] - 1)
    return np.reshape(made, operation.shape)


def _has_one_zero(writer: _Writer, operation: Operation) -> bool:
    """Return whether doubles are known to be numbers, and zeros to have one sign, which an order tells."""
    known = writer.intervals[operation.inputs[0]]
    if operation.name in ("cumsum", "cumprod"):
        return True
    return known is not None and bool(
        ((known.low > 0) | (known.high < 0) | ((known.low == 0) & ~np.signbit(known.low))).all()
    )


def _first_extreme(writer: _Writer, rows: list[np.ndarray], kind: str, name: str) -> np.ndarray:
    best, place = rows[0], np.broadcast_to(writer.constant(0, "i"), rows[0].shape)
    for index, row in enumerate(rows[1:], 1):
        is_better = writer.each(f"less_{kind}", *((row, best) if name == "argmin" else (best, row)))
        best = writer.each("where_i", is_better, row, best)
        place = writer.each("where_i", is_better, np.array(writer.constant(index, "i")), place)
    return place


def _sorted(writer: _Writer, rows: list[np.ndarray], kind: str) -> list[np.ndarray]:
    """Write insertion sort, in which all values change places alike."""
    done: list[np.ndarray] = []
    for row in rows:
        for place, other in enumerate(done):
            done[place] = writer.each(f"minimum_{kind}", other, row)
            row = writer.each(f"maximum_{kind}", other, row)
        done.append(row)
    return done


_RULES: dict[str, Callable[[_Writer, Operation], np.ndarray]] = {
    "where": _where,
    "clip": _clipped,
    "round": _rounded,
    "searchsorted": _searched,
    "take_along_axis": _chosen,
    "isin": _among,
    **dict.fromkeys((*_REDUCED, *_ACCUMULATED, "argmin", "argmax", "sort"), _along),
}
