"""Recording of a rule: its code is called once, with values whose operations are written down.

A recorded value looks to the code like an array of rounds, and has one, of few rounds: numpy itself thus
finds shapes and types. Whatever isn't known is refused, and stays refused if the code catches the error.
"""

from __future__ import annotations

import linecache
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from traceback import walk_tb
from types import FrameType, TracebackType
from typing import Any, NoReturn

import numpy as np

from ._probes import RandomDraws
from .draws import Draws
from .operations import ALONG, Constant, Index, Operation

__all__ = ["Recorder", "RecordingDraws", "RefusedError", "Value", "line_of"]

ROUNDS = 67
"""The rounds of recorded arrays: no number of dice, cells or cards, so tables aren't taken for rounds."""

_TYPES = {np.dtype(name): name for name in ("bool", "int64", "float64")}
_ARRAY = (
    "makes an array of drawn values: write numpy.take_along_axis(table, value, axis=0) for table[value], "
    "numpy.stack([...], axis=1) for several values, and numpy.where in place of assignments"
)


class RefusedError(TypeError):
    """Code does what can't be recorded."""


class Recorder:
    """The operations that were recorded, and the first reason why some can't be."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.refused: tuple[str, str] | None = None
        """The reason and the line."""

    def refuse(self, reason: str) -> NoReturn:
        """Refuse what the code does."""
        if self.refused is None:
            self.refused = reason, line_of(sys._getframe(1))
        raise RefusedError(self.refused[0])

    def add(
        self, name: str, found: Any, inputs: Iterable[Any] = (), base: Value | None = None, /, **options: Any
    ) -> Value:
        """Record an operation and the value that numpy found; `base` is what the value is a view of."""
        dtype = _TYPES.get(found.dtype) if isinstance(found, np.ndarray) else None
        if dtype is None:
            kind = found.dtype.name if isinstance(found, (np.ndarray, np.generic)) else type(found).__name__
            self.refuse(f"has values of type {kind}: whole numbers are int64, others float64")
        if found.shape[:1] != (ROUNDS,):
            self.refuse(f"{name} joins rounds: it must keep the first axis")
        self.effect(name, inputs, found.shape[1:], dtype, **options)
        value = Value(self, len(self.operations) - 1, found)
        if base is not None:
            value._shared = base._shared = True
        return value

    def effect(
        self,
        name: str,
        inputs: Iterable[Any],
        shape: tuple[int, ...] = (),
        dtype: str = "",
        /,
        **options: Any,
    ) -> None:
        """Record an operation."""
        places = tuple(one._place if type(one) is Value else one for one in inputs)
        self.operations.append(Operation(name, places, tuple(options.items()), shape, dtype))

    def own(self, value: Value) -> Value:
        """Return a value of this recording; refuse one that was kept from another."""
        if value._recorder is not self:
            self.refuse("uses a value of an earlier call")
        return value

    def given(self, value: Any) -> Any:
        """Return an argument that must be a recorded value."""
        if type(value) is not Value:
            self.refuse(_ARRAY)
        return self.own(value)

    def constant(self, value: Any, ndim: int | None = None) -> Constant:
        """Return what isn't drawn as a constant; arrays have at most `ndim` dimensions, with the rounds'."""
        if isinstance(value, (list, tuple, range)):
            value = np.asarray(value)
        if isinstance(value, np.ndarray) and ndim is not None and value.ndim >= ndim:
            if value.ndim > ndim or len(value) not in (1, ROUNDS):
                self.refuse(f"joins an array of shape {value.shape} with values of {ndim} dimensions")
            if len(value) == ROUNDS and value.tobytes() != np.broadcast_to(value[:1], value.shape).tobytes():
                self.refuse("has an array that differs by round, and isn't drawn")
            value = value[:1]
        try:
            return Constant.of(value)
        except TypeError as error:
            self.refuse(f"computes with {error}")

    def elementwise(
        self, name: str, function: Callable[..., Any], operands: Sequence[Any], **options: Any
    ) -> Value:
        """Record an operation on each element; values must have the same number of dimensions."""
        values = [self.own(one) for one in operands if type(one) is Value]
        ndim = max(value._array.ndim for value in values)
        if any(value._array.ndim != ndim for value in values):
            shapes = " and ".join(sorted({str(("rounds", *value._array.shape[1:])) for value in values}))
            self.refuse(
                f"joins values of the shapes {shapes}: write value[:, numpy.newaxis]".replace("'", "")
            )
        inputs = [one if type(one) is Value else self.constant(one, ndim) for one in operands]
        found = function(*map(array_of, operands))
        if found.ndim != ndim:
            self.refuse(f"{name} changes the number of dimensions")
        return self.add(name, found, inputs, **options)

    def axis(self, axis: Any, ndim: int) -> int:
        """Return an axis of one round from numpy's; refuse that of the rounds."""
        try:
            place = operator.index(axis)
        except TypeError:
            self.refuse(f"has axis={axis!r}: name the axes of one round, such as axis=1")
        place = place + ndim if place < 0 else place
        if place == 0:
            self.refuse("works along the axis of the rounds: name another, such as axis=1")
        if not 0 < place < ndim:
            self.refuse(f"has axis={axis}, and {ndim} dimensions")
        return place - 1

    def along(self, name: str, value: Value, axis: Any, keepdims: bool = False) -> Value:
        """Record an operation along axes."""
        if axis is None:
            self.refuse(f"{name} takes all rounds together: name an axis, such as axis=1")
        ndim = self.own(value)._array.ndim
        axes = tuple(self.axis(one, ndim) for one in (axis if isinstance(axis, tuple) else (axis,)))
        options = {"axis": axes} | ({"keepdims": True} if keepdims else {})
        return self.add(name, np.asarray(ALONG[name](value._array, **options)), [value], **options)


def array_of(value: Any) -> Any:
    """Return the array of a recorded value; others as they are."""
    return value._array if type(value) is Value else value


_HERE = Path(__file__).parent
_OWN = tuple(map(str, (_HERE, _HERE.parent / "_core", Path(np.__file__).parent)))
"""Where code isn't that of a rule."""


def line_of(frame: FrameType | TracebackType | None) -> str:
    """Return the innermost line of the rule's own code, as "file.py:12: code"."""
    frames: list[tuple[FrameType, int]] = []
    if isinstance(frame, TracebackType):
        frames = list(walk_tb(frame))[::-1]
    else:
        while frame is not None:
            frames.append((frame, frame.f_lineno))
            frame = frame.f_back
    for one, number in frames:
        file = Path(one.f_code.co_filename)
        if not str(file).startswith(_OWN):
            code = linecache.getline(str(file), number, one.f_globals).strip()
            return f"{file.name}:{number}: {code}"
    return ""


def _refusing(reason: str) -> Callable[..., NoReturn]:
    def method(self: Value, *_arguments: Any, **_named: Any) -> NoReturn:
        self._recorder.refuse(reason)

    return method


class Value(np.lib.mixins.NDArrayOperatorsMixin):
    """A recorded value: to the code an array of rounds."""

    __slots__ = ("_array", "_place", "_recorder", "_shared")
    __hash__ = None  # type: ignore[assignment]  # as of arrays

    def __init__(self, recorder: Recorder, place: int, array: np.ndarray) -> None:
        self._recorder = recorder
        self._place = place
        self._array = array
        self._shared = False
        """Whether it is a view, or has one: in numpy, both change in place."""

    @property
    def __class__(self) -> Any:
        # A test for an array finds one, as in a real round.
        return np.ndarray

    @__class__.setter
    def __class__(self, value: Any) -> None:
        self._recorder.refuse("changes the class of a value")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        recorder, name = self._recorder, ufunc.__name__
        of: Any = ufunc
        out = named.pop("out", None)
        if method == "reduce" and name in _REDUCED and isinstance(inputs[0], Value):
            axis, keepdims = named.pop("axis", 0), named.pop("keepdims", False)
            if named or out is not None:
                recorder.refuse(f"numpy.{name}.reduce can't be recorded with {', '.join(named) or 'out'}")
            return recorder.along(_REDUCED[name], inputs[0], axis, keepdims)
        if method == "accumulate" and name in _ACCUMULATED and not named.keys() - {"axis"} and out is None:
            return recorder.along(_ACCUMULATED[name], inputs[0], named.get("axis", 0))
        if (
            method != "__call__"
            or named
            or ufunc.nout != 1
            or ufunc.signature
            or getattr(np, name, None) is not ufunc
        ):
            told = f" with {', '.join(named)}" if named else ""
            recorder.refuse(
                f"numpy.{name}{'' if method == '__call__' else '.' + method} can't be recorded{told}"
            )
        found = recorder.elementwise(name, of, inputs)
        return found if out is None else self._assigned(out[0], found)

    def _assigned(self, out: Any, found: Value) -> Value:
        """Let a value be another from here on, as ``value += 1`` does."""
        recorder = self._recorder
        if type(out) is not Value:
            recorder.refuse("changes an array in place: write total = total + value")
        if out._shared:
            recorder.refuse("changes a value in place of which there is a view: write value = value + 1")
        if (out._array.shape, out._array.dtype) != (found._array.shape, found._array.dtype):
            recorder.refuse("changes a value in place to one of another shape or type")
        out._place, out._array = found._place, found._array
        return out

    def __array_function__(self, function: Any, types: Any, inputs: Any, named: Any) -> Any:
        handler = HANDLERS.get(function)
        if handler is None:
            self._recorder.refuse(f"numpy.{function.__name__} can't be recorded")
        try:
            return handler(self._recorder, *inputs, **named)
        except TypeError as error:
            if isinstance(error, RefusedError) or error.__traceback__ is None or error.__traceback__.tb_next:
                raise
            # The handler doesn't know an argument.
            self._recorder.refuse(f"numpy.{function.__name__} can't be recorded with these arguments")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._recorder.refuse(f"a drawn value's .{name} can't be recorded")

    __array__ = _refusing(_ARRAY)
    __bool__ = _refusing("branches on a drawn value: use numpy.where, and & | ~ in place of and, or, not")
    __int__ = __float__ = __complex__ = _refusing(
        "makes a number of Python's of drawn values: write value.astype(int), or numpy's functions for math's"
    )
    __index__ = _refusing(
        "uses drawn values as an index or a count: write numpy.take_along_axis(table, value, axis=0)"
    )
    __iter__ = _refusing("loops over the values of all rounds: each operation is done for all rounds at once")
    __contains__ = _refusing("asks whether a drawn value is among others: use numpy.isin")
    __setitem__ = __delitem__ = _refusing("writes into a value: use numpy.where or numpy.stack")
    __reduce_ex__ = __copy__ = __deepcopy__ = _refusing("copies or keeps a drawn value")
    __matmul__ = __rmatmul__ = _refusing("numpy.matmul can't be recorded: write (value * table).sum(axis=1)")

    def __len__(self) -> int:
        return len(self._array)

    def __repr__(self) -> str:
        self._recorder.refuse("makes text of drawn values")

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        self._recorder.refuse("makes text of drawn values")

    def __getitem__(self, index: Any) -> Value:
        recorder, array = self._recorder, self._array
        parts = list(index) if isinstance(index, tuple) else [index]
        if any(part is Ellipsis for part in parts):
            place = next(place for place, part in enumerate(parts) if part is Ellipsis)
            told = sum(part is not None and part is not Ellipsis for part in parts)
            parts[place : place + 1] = [slice(None)] * (array.ndim - told)
        first, *rest = parts or [None]
        if len(rest) == 1 and type(rest[0]) is Value and _is_arange(first):
            chosen = recorder.own(rest[0])[:, np.newaxis]
            return _take_along_axis(recorder, self, chosen, 1)[:, 0]
        if not isinstance(first, slice) or first != slice(None):
            recorder.refuse(
                "selects rounds: an index begins with a colon, value[:, 0]; use numpy.where for a mask"
            )
        made: Index = tuple(self._part_of_index(part) for part in rest)
        is_view = not any(isinstance(part, tuple) and part[0] == "list" for part in made)
        if not is_view:
            rest = [
                list(part[1:]) if isinstance(part, tuple) and part[0] == "list" else one
                for part, one in zip(made, rest, strict=True)
            ]
        if sum(isinstance(part, tuple) and part[0] == "list" for part in made) > 1:
            recorder.refuse("has an index of several lists")
        found = array[(slice(None), *rest)]
        return recorder.add("getitem", found, [self], self if is_view else None, index=made)

    def _part_of_index(self, part: Any) -> Any:
        """Return one part of an index as it is kept."""
        recorder = self._recorder
        if part is None:
            return None
        if isinstance(part, slice):
            ends = (part.start, part.stop, part.step)
            return ("slice", *(None if end is None else self._integer(end) for end in ends))
        if isinstance(part, (list, tuple, range)) or (type(part) is np.ndarray and part.ndim):
            numbers = np.asarray(part)
            if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
                recorder.refuse("has an index of other numbers than a list of integers")
            return ("list", *numbers.tolist())
        return self._integer(part)

    def _integer(self, part: Any) -> int:
        if isinstance(part, (bool, np.bool_)):
            self._recorder.refuse("has a bool as an index")
        try:
            return operator.index(part)
        except TypeError as error:
            self._recorder.refuse(str(error))

    # The attributes and methods of arrays that can be recorded

    @property
    def shape(self) -> tuple[int, ...]:
        """As of an array."""
        return self._array.shape

    @property
    def ndim(self) -> int:
        """As of an array."""
        return self._array.ndim

    @property
    def dtype(self) -> np.dtype:
        """As of an array."""
        return self._array.dtype

    def astype(self, dtype: Any, copy: bool = True) -> Value:
        """As of an array."""
        found = self._array.astype(dtype)
        if not copy and found.dtype == self._array.dtype:
            return self
        return self._recorder.add("astype", found, [self], dtype=found.dtype.name)

    def copy(self) -> Value:
        """As of an array."""
        return Value(self._recorder, self._place, self._array)

    def reshape(self, *shape: Any) -> Value:
        """As of an array."""
        return _reshape(self._recorder, self, shape[0] if len(shape) == 1 else shape)

    def take(self, indices: Any, axis: Any = None) -> Value:
        """As of an array."""
        return _take(self._recorder, self, indices, axis)

    def clip(self, min: Any = None, max: Any = None) -> Value:
        """As of an array."""
        return _clip(self._recorder, self, min, max)

    def round(self, decimals: int = 0) -> Value:
        """As of an array."""
        return _round(self._recorder, self, decimals)

    def swapaxes(self, axis1: Any, axis2: Any) -> Value:
        """As of an array."""
        return _swapaxes(self._recorder, self, axis1, axis2)

    def repeat(self, repeats: int, axis: Any = None) -> Value:
        """As of an array."""
        return _repeat(self._recorder, self, repeats, axis)

    def squeeze(self, axis: Any = None) -> Value:
        """As of an array."""
        return _squeeze(self._recorder, self, axis)

    def sort(self, axis: Any = -1) -> None:
        """As of an array."""
        self._assigned(self, self._recorder.along("sort", self, axis))


_REDUCED = {
    "add": "sum",
    "multiply": "prod",
    "minimum": "min",
    "maximum": "max",
    "logical_and": "all",
    "logical_or": "any",
}
_ACCUMULATED = {"add": "cumsum", "multiply": "cumprod", "minimum": "cummin", "maximum": "cummax"}


def _along_method(name: str, default: Any) -> Callable[..., Value]:
    def method(self: Value, axis: Any = default, *, keepdims: bool = False) -> Value:
        return self._recorder.along(name, self, axis, keepdims)

    method.__doc__ = "As of an array."
    return method


def _along_function(name: str, default: Any) -> Callable[..., Value]:
    def handler(recorder: Recorder, value: Any, axis: Any = default, *, keepdims: bool = False) -> Value:
        return recorder.along(name, recorder.given(value), axis, keepdims)

    return handler


def _is_arange(value: Any) -> bool:
    return type(value) is np.ndarray and value.shape == (ROUNDS,) and bool((value == np.arange(ROUNDS)).all())


def _take_along_axis(recorder: Recorder, value: Any, indices: Any, axis: Any = -1) -> Value:
    """Record a choice by drawn indices among drawn values, or in a table, (k,) or (1, k)."""
    found = np.take_along_axis(array_of(value), recorder.given(indices)._array, axis)
    if type(value) is Value:
        place = recorder.axis(axis, recorder.own(value)._array.ndim)
        return recorder.add("take_along_axis", found, [value, indices], axis=place)
    if value.ndim > 1 and (value.size != value.shape[-1] or axis not in (-1, value.ndim - 1)):
        recorder.refuse(
            "numpy.take_along_axis of a table can be recorded along the only axis of several values"
        )
    return recorder.add("take", found, [recorder.constant(value.ravel()), indices])


def _where(recorder: Recorder, condition: Any, *choices: Any) -> Value:
    if len(choices) != 2:
        recorder.refuse("numpy.where of a condition alone selects rounds: give it two values")
    return recorder.elementwise("where", np.where, (condition, *choices))


def _clip(
    recorder: Recorder, value: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None
) -> Value:
    least = min if a_min is None else a_min
    most = max if a_max is None else a_max
    if least is None or most is None:
        name = "minimum" if least is None else "maximum"
        return recorder.elementwise(name, getattr(np, name), (value, most if least is None else least))
    return recorder.elementwise("clip", np.clip, (value, least, most))


def _round(recorder: Recorder, value: Any, decimals: int = 0) -> Value:
    places = operator.index(decimals)
    return recorder.elementwise("round", lambda array: np.round(array, places), (value,), decimals=places)


def _isin(recorder: Recorder, element: Any, test_elements: Any, *, invert: bool = False) -> Value:
    if isinstance(test_elements, (set, frozenset)) or type(test_elements) is Value:
        recorder.refuse("numpy.isin can be recorded of a list or an array of constants")
    among = recorder.constant(test_elements)
    found = np.isin(recorder.given(element)._array, among.value, invert=bool(invert))
    return recorder.add("isin", found, [element, among], **({"invert": True} if invert else {}))


def _searchsorted(recorder: Recorder, a: Any, v: Any, side: str = "left") -> Value:
    if type(a) is Value:
        recorder.refuse("searches among drawn values")
    table = recorder.constant(np.asarray(a))
    found = np.searchsorted(table.value, recorder.given(v)._array, side=side)  # type: ignore[call-overload]
    return recorder.add("searchsorted", found, [table, v], side=side)


def _take(recorder: Recorder, a: Any, indices: Any, axis: Any = None) -> Value:
    if type(indices) is Value or axis is None:
        recorder.refuse("takes by drawn values, or of all rounds: use numpy.take_along_axis")
    place = recorder.axis(axis, recorder.given(a)._array.ndim)
    found: Value = a[(*[slice(None)] * (place + 1), indices)]
    return found


def _choose(recorder: Recorder, a: Any, choices: Any) -> Value:
    return recorder.elementwise(
        "choose", lambda value, *of: np.choose(value, of), (recorder.given(a), *choices)
    )


def _select(recorder: Recorder, condlist: Any, choicelist: Any, default: Any = 0) -> Value:
    dtype = np.select([*map(array_of, condlist)], [*map(array_of, choicelist)], array_of(default)).dtype
    found = default
    for condition, choice in reversed([*zip(condlist, choicelist, strict=True)]):
        found = _where(recorder, condition, choice, found)
    chosen: Value = recorder.given(found).astype(dtype, copy=False)
    return chosen


def _stack(recorder: Recorder, arrays: Any, axis: Any = 0) -> Value:
    return _joined(recorder, "stack", np.stack, arrays, axis, 1)


def _concatenate(recorder: Recorder, arrays: Any, axis: Any = 0) -> Value:
    return _joined(recorder, "concatenate", np.concatenate, arrays, axis, 0)


def _hstack(recorder: Recorder, tup: Any) -> Value:
    return _concatenate(recorder, tup, 1)


def _column_stack(recorder: Recorder, tup: Any) -> Value:
    columns = [array[:, np.newaxis] if np.ndim(array_of(array)) == 1 else array for array in tup]
    return _concatenate(recorder, columns, 1)


def _joined(recorder: Recorder, name: str, function: Any, arrays: Any, axis: Any, more: int) -> Value:
    arrays = list(arrays)
    shadows = [np.asarray(array_of(array)) for array in arrays]
    if any(array.shape[:1] != (ROUNDS,) for array in shadows):
        recorder.refuse(f"{name}s arrays of other lengths than rounds")
    place = recorder.axis(axis, shadows[0].ndim + more)
    inputs = [
        recorder.own(one) if type(one) is Value else recorder.constant(array, array.ndim)
        for one, array in zip(arrays, shadows, strict=True)
    ]
    return recorder.add(name, function(shadows, axis=place + 1), inputs, axis=place)


def _reshape(recorder: Recorder, a: Any, shape: Any) -> Value:
    found = recorder.given(a)._array.reshape(shape)
    if found.shape[:1] != (ROUNDS,):
        recorder.refuse(
            "changes the shape of all rounds together: the first axis must stay that of the rounds"
        )
    if found.shape == a._array.shape:
        return a
    return recorder.add("reshape", found, [a], a, shape=found.shape[1:])


def _broadcast_to(recorder: Recorder, array: Any, shape: Any) -> Value:
    found = np.broadcast_to(recorder.given(array)._array, shape)
    if found.ndim != array.ndim:
        recorder.refuse("broadcasts values to more dimensions: write value[:, numpy.newaxis]")
    return recorder.add("broadcast", found, [array], array, shape=found.shape[1:])


def _swapaxes(recorder: Recorder, a: Any, axis1: Any, axis2: Any) -> Value:
    ndim = recorder.given(a)._array.ndim
    one, other = recorder.axis(axis1, ndim), recorder.axis(axis2, ndim)
    axes = [*range(ndim - 1)]
    axes[one], axes[other] = axes[other], axes[one]
    return recorder.add("transpose", a._array.swapaxes(one + 1, other + 1), [a], a, axes=tuple(axes))


def _flip(recorder: Recorder, m: Any, axis: Any = None) -> Value:
    place = recorder.axis(axis, recorder.given(m)._array.ndim)
    return recorder.add("flip", np.flip(m._array, place + 1), [m], m, axis=place)


def _roll(recorder: Recorder, a: Any, shift: Any, axis: Any = None) -> Value:
    place = recorder.axis(axis, recorder.given(a)._array.ndim)
    by = operator.index(shift)
    return recorder.add("roll", np.roll(a._array, by, place + 1), [a], shift=by, axis=place)


def _repeat(recorder: Recorder, a: Any, repeats: Any, axis: Any = None) -> Value:
    place = recorder.axis(axis, recorder.given(a)._array.ndim)
    times = operator.index(repeats)
    return recorder.add("repeat", np.repeat(a._array, times, place + 1), [a], repeats=times, axis=place)


def _expand_dims(recorder: Recorder, a: Any, axis: Any) -> Value:
    place = recorder.axis(axis, recorder.given(a)._array.ndim + 1)
    found: Value = a[(slice(None), *[slice(None)] * place, None)]
    return found


def _squeeze(recorder: Recorder, a: Any, axis: Any = None) -> Value:
    place = recorder.axis(axis, recorder.given(a)._array.ndim)
    if a.shape[place + 1] != 1:
        recorder.refuse("squeezes an axis of several values")
    found: Value = a[(slice(None), *[slice(None)] * place, 0)]
    return found


def _like(recorder: Recorder, a: Any, dtype: Any = None, *, filled: Any = 0) -> Value:
    found = np.full_like(recorder.given(a)._array, filled, dtype=dtype)
    return recorder.add("constant", found, [recorder.constant(found, found.ndim)])


def _full_like(recorder: Recorder, a: Any, fill_value: Any, dtype: Any = None) -> Value:
    return _like(recorder, a, dtype, filled=recorder.constant(fill_value).value)


def _ones_like(recorder: Recorder, a: Any, dtype: Any = None) -> Value:
    return _like(recorder, a, dtype, filled=1)


def _diff(recorder: Recorder, a: Any, n: int = 1, axis: Any = -1) -> Value:
    if n != 1:
        recorder.refuse("numpy.diff can be recorded with n=1")
    return recorder.along("diff", recorder.given(a), axis)


HANDLERS: dict[Any, Callable[..., Any]] = {
    np.where: _where,
    np.clip: _clip,
    np.round: _round,
    np.around: _round,
    np.isin: _isin,
    np.searchsorted: _searchsorted,
    np.take: _take,
    np.take_along_axis: _take_along_axis,
    np.choose: _choose,
    np.select: _select,
    np.stack: _stack,
    np.concatenate: _concatenate,
    np.hstack: _hstack,
    np.column_stack: _column_stack,
    np.reshape: _reshape,
    np.broadcast_to: _broadcast_to,
    np.swapaxes: _swapaxes,
    np.flip: _flip,
    np.roll: _roll,
    np.repeat: _repeat,
    np.expand_dims: _expand_dims,
    np.squeeze: _squeeze,
    np.zeros_like: _like,
    np.ones_like: _ones_like,
    np.full_like: _full_like,
    np.diff: _diff,
    np.copy: lambda _recorder, a: a.copy(),
    np.shape: lambda _recorder, a: a.shape,
    np.ndim: lambda _recorder, a: a.ndim,
}
for _name in (
    "sum",
    "prod",
    "min",
    "max",
    "mean",
    "any",
    "all",
    "argmin",
    "argmax",
    "count_nonzero",
    "cumsum",
    "cumprod",
):
    HANDLERS[getattr(np, _name)] = _along_function(_name, None)
    if _name != "count_nonzero":
        setattr(Value, _name, _along_method(_name, None))
HANDLERS |= {np.amin: HANDLERS[np.min], np.amax: HANDLERS[np.max]}
for _name in ("sort", "argsort"):
    HANDLERS[getattr(np, _name)] = _along_function(_name, -1)
Value.argsort = _along_method("argsort", -1)  # type: ignore[attr-defined]


class RecordingDraws(Draws):
    """Draws whose answers are recorded values; invalid arguments raise the errors of `Draws`."""

    def __init__(self, recorder: Recorder, rounded: bool) -> None:
        self.rounds = ROUNDS
        self._recorder = recorder
        self._answers = RandomDraws(ROUNDS, 1)
        self._rounded = {"rounded": True} if rounded else {}
        """The option of numbers under a scheme that rounds them to few digits, so that they may be 1."""

    def below(self, n: Any) -> Any:
        if type(n) is Value:
            return self._recorder.add("below", self._answers.below(self._recorder.own(n)._array), [n])
        found = self._answers.below(n)
        if isinstance(n, np.ndarray) and n.ndim and (n != n[0]).any():
            self._recorder.refuse("draws below numbers that differ by round, and aren't drawn")
        return self._recorder.add("below", found, n=int(np.ravel(n)[0]))

    def coin(self) -> Any:
        return self._recorder.add("coin", self._answers.coin())

    def weighted(self, weights: Sequence[int]) -> Any:
        found = self._answers.weighted(weights)
        return self._recorder.add("weighted", found, weights=tuple(map(int, weights)))

    def number(self) -> Any:
        return self._recorder.add("number", self._answers.number(), **self._rounded)

    def sample(self, n: int, k: int) -> Any:
        return self._recorder.add("sample", self._answers.sample(n, k), n=int(n), k=int(k))

    def distinct(self, n: int, k: int) -> Any:
        return self._recorder.add("distinct", self._answers.distinct(n, k), n=int(n), k=int(k))

    def shuffle(self, n: int, k: int | None = None) -> Any:
        found = self._answers.shuffle(n, k)
        return self._recorder.add("shuffle", found, n=int(n), k=int(n if k is None else k))

    def swaps(self, n: int) -> Any:
        return self._recorder.add("swaps", self._answers.swaps(n), n=int(n))

    def exchange(self, n: int, places: Sequence[int], by: Sequence[Any]) -> Any:
        found = self._answers.exchange(n, places, [*map(array_of, by)])
        inputs = [
            self._recorder.own(one) if type(one) is Value else self._recorder.constant(one, 1) for one in by
        ]
        return self._recorder.add("exchange", found, inputs, n=int(n), places=tuple(map(int, places)))

    def skip(self, count: int) -> None:
        self._answers.skip(count)
        self._recorder.effect("skip", (), count=int(count))

    def label(self, name: str) -> None:
        self._answers.label(name)
        self._recorder.effect("label", (), name=name)

    def part(self, name: str, index: int, draws: str = "draw") -> None:
        self._recorder.effect("part", (), name=str(name), index=int(index), draws=str(draws))

    def note(self, name: str, value: object) -> None:
        kept = self._recorder.own(value) if type(value) is Value else self._recorder.constant(value)
        self._recorder.effect("note", (Constant.of(str(name)), kept))

    def _number(self) -> np.ndarray:
        return self._answers.number()

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        return self._answers.below(n)
