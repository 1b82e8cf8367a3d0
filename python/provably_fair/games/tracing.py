"""Recording of a rule: its code is called once, with values whose operations are written down.

A recorded value looks to the code like an array of rounds, and has one, of few rounds: numpy's own functions
are called with it, and so find shapes and types. Whatever isn't known is refused, and stays refused if the
code catches the error.
"""

from __future__ import annotations

import inspect
import linecache
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from traceback import walk_stack, walk_tb
from types import CodeType, FrameType, TracebackType
from typing import Any, NoReturn

import numpy as np

from provably_fair._core.counts import widened

from ._probes import RandomDraws
from .draws import Draws, Each
from .operations import ALONG, DRAWS, TABLES, Constant, Operation

ROUNDS = 67
"""The rounds of recorded arrays: no number of dice, cells or cards, so tables aren't taken for rounds."""

_MOST = 4096
"""The most operations of a program."""

_TYPES = {np.dtype(name): name for name in ("bool", "int64", "float64")}
_ARRAY = (
    "makes an array of drawn values: write numpy.take_along_axis(table, value, axis=0) for table[value], "
    "numpy.stack([...], axis=1) for several values, and numpy.where in place of assignments"
)

_MOVING = (
    *("stack", "concatenate", "column_stack", "hstack", "reshape", "swapaxes", "moveaxis", "transpose"),
    *("flip", "roll", "repeat", "tile", "take", "squeeze", "expand_dims", "broadcast_to", "delete", "copy"),
)
"""Functions that only move the values of their first argument about: of one array, or of a list of them."""

_LIKE = ("zeros_like", "ones_like", "full_like", "shape", "ndim")
"""Functions of a value's shape and type alone."""

_ARGUMENTS = {
    "where": ("condition x y", ""),
    "clip": ("a a_min a_max", ""),
    "round": ("a", "decimals"),
    "isin": ("element test_elements", ""),
    "searchsorted": ("a v", "side"),
    "take_along_axis": ("arr indices", "axis"),
} | dict.fromkeys(ALONG, ("a", "axis keepdims"))
"""The arguments of other functions that can be recorded, in order: values and constants, and options."""

_METHODS = {*ALONG, *_MOVING, "round"} - {"count_nonzero", "sort", "stack", "concatenate", "reshape"}

# Of longer samples, trial rounds would take seconds, and each value costs the engine a look at all before it.
_TAKEN, _MOST_TAKEN = {"sample", "shuffle", "distinct"}, 4096


class RefusedError(TypeError):
    """Code does what can't be recorded."""


class Recorder:
    """The operations that were recorded, and the first reason why some can't be."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.refused: tuple[str, str] | None = None  # the reason and the line

    def refuse(self, reason: str) -> NoReturn:
        """Refuse what the code does."""
        if self.refused is None:
            self.refused = reason, line_of(sys._getframe(1))
        raise RefusedError(self.refused[0])

    def add(self, name: str, inputs: Iterable[Any] = (), found: Any = None, /, **options: Any) -> Any:
        """Record an operation, and return the value that numpy found, if it has one."""
        found = None if found is None else widened(np.asarray(found))
        shape, dtype = np.shape(found), "" if found is None else _TYPES.get(found.dtype)
        if dtype is None:
            self.refuse(f"has values of type {found.dtype}: whole numbers are int64, others float64")
        if dtype and shape[:1] != (ROUNDS,):
            self.refuse(f"{name} joins rounds: it must keep the first axis")
        if len(self.operations) == _MOST:
            self.refuse(f"has more than {_MOST:,} operations, at most: draws.each(k) draws k times at once")
        places = tuple(one._place if type(one) is Value else one for one in inputs)
        self.operations.append(Operation(name, places, tuple(options.items()), shape[1:], dtype))
        return Value(self, len(self.operations) - 1, found) if dtype else None

    def own(self, value: Value) -> Value:
        """Return a value of this recording; refuse one that was kept from another."""
        if value._recorder is not self:
            self.refuse("uses a value of an earlier call")
        return value

    def constant(self, value: Any) -> Constant:
        """Return what isn't drawn as a constant."""
        try:
            return Constant.of(np.asarray(value) if isinstance(value, (list, tuple, range)) else value)
        except TypeError as error:
            self.refuse(f"computes with {error}")

    def known(self, value: Any) -> Any:
        """Return a value of this recording, or a constant; an array of all rounds is a value."""
        if type(value) is Value:
            return self.own(value)
        if not isinstance(value, np.ndarray) or value.shape[:1] != (ROUNDS,):
            return self.constant(value)
        if value.tobytes() != np.broadcast_to(value[:1], value.shape).tobytes():
            self.refuse("has an array that differs by round, and isn't drawn")
        return self.add("constant", [self.constant(value[:1])], value)

    def elementwise(
        self, name: str, function: Callable[..., Any], given: Sequence[Any], **options: Any
    ) -> Any:
        """Record an operation on each element; values must have the same number of dimensions."""
        tables = name in TABLES
        inputs = [
            self.constant(one) if tables and type(one) is not Value else self.known(one) for one in given
        ]
        values = [one for one in inputs if type(one) is Value]
        if tables and len(values) > 1 and name != "take_along_axis":
            self.refuse(f"numpy.{name} can be recorded of a list or an array of constants")
        ndim = max(value.ndim for value in values)
        if any(value.ndim != ndim for value in values):
            shapes = " and ".join(sorted({str(("rounds", *value.shape[1:])) for value in values}))
            self.refuse(
                f"joins values of the shapes {shapes}: write value[:, numpy.newaxis]".replace("'", "")
            )
        found = function(
            *(one.value if isinstance(one, Constant) else one._array for one in inputs), **options
        )
        return self.add(name, inputs, found, **options)

    def along(self, name: str, value: Value, axis: Any, **options: Any) -> Any:
        """Record an operation along axes of one round."""
        if axis is None:
            self.refuse(f"{name} takes all rounds together: name an axis, such as axis=1")
        found = operator.attrgetter(name)(np)(self.own(value)._array, axis=axis, **options)
        axes = tuple(self.axis(one, value.ndim) for one in (axis if isinstance(axis, tuple) else (axis,)))
        return self.add(name, [value], found, axis=axes if len(axes) > 1 else axes[0], **options)

    def axis(self, axis: int, ndim: int) -> int:
        """Return one of `ndim` axes, counted from the first one; refuse that of the rounds."""
        if operator.index(axis) % ndim == 0:
            self.refuse("works along the axis of the rounds: name another, such as axis=1")
        return axis % ndim

    def move(self, function: Callable[..., Any], first: Any, *args: Any, **named: Any) -> Any:
        """Record what only moves values about, by where it moves their places in all rounds together."""
        several = isinstance(first, (list, tuple))
        values = [self.known(one) for one in (first if several else [first])]
        if any(type(one) is Value for one in (*args, *named.values())):
            self.refuse(_ARRAY)
        if any(isinstance(one, Constant) for one in values):
            self.refuse("joins arrays of other lengths than rounds")
        sizes = [int(np.prod(value.shape[1:])) for value in values]
        rows = np.arange(ROUNDS)[:, np.newaxis] * sum(sizes)
        numbered = [
            (rows + np.arange(start, start + size)).reshape(value.shape)
            for value, size, start in zip(values, sizes, np.cumsum([0, *sizes]), strict=False)
        ]
        arrays = [value._array for value in values]
        found, moved = (function(of if several else of[0], *args, **named) for of in (arrays, numbered))
        at = moved.reshape(ROUNDS, -1) - rows if moved.shape[:1] == (ROUNDS,) else np.array([-1])
        if ((at < 0) | (at >= sum(sizes))).any():
            if function is operator.getitem:
                self.refuse("selects rounds: an index begins with a colon, value[:, 0]")
            name = function.__name__
            self.refuse(f"{name} moves values along the axis of the rounds: name another, such as axis=1")
        places = tuple(at[0].tolist())
        kept = None if places == (*range(sum(sizes)),) else places
        made = self.add("move", values, found, places=kept)
        for value in values:
            if np.may_share_memory(found, value._array):
                value._shared = made._shared = True
        return made


_HERE = Path(__file__).parent
_OWN = tuple(map(str, (_HERE, _HERE.parent / "_core", Path(np.__file__).parent)))
"""Where code isn't that of a rule."""


def line_of(frame: FrameType | TracebackType | None) -> str:
    """Return the innermost line of the rule's own code, as "file.py:12: code"; "" if it has returned."""
    frames = [*walk_tb(frame)][::-1] if isinstance(frame, TracebackType) else walk_stack(frame)
    for one, number in frames:
        if not one.f_code.co_filename.startswith(_OWN):
            return _written(one.f_code, number, one.f_globals)
        if one.f_code.co_name == "_recorded":  # from here on, lines are those of whoever asked
            break
    return ""


def first_line_of(rule: Any) -> str:
    """Return where a rule's code begins; "" if it has none in Python."""
    code = getattr(rule, "__code__", None)
    return "" if code is None else _written(code, code.co_firstlineno, rule.__globals__)


def _written(code: CodeType, number: int, known: dict[str, Any]) -> str:
    line = linecache.getline(code.co_filename, number, known).strip()
    return f"{Path(code.co_filename).name}:{number}: {line}"


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
        self._shared = False  # whether it is a view, or has one: in numpy, both change in place

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        # A test for an array finds one, as in a real round.
        return np.ndarray

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, out: Any = None, axis: Any = 0, **named: Any
    ) -> Any:
        recorder = self._recorder
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        if name in ALONG and not named and out is None:
            return recorder.along(name, inputs[0], axis)
        by_element = method == "__call__" and ufunc.nout == 1 and not ufunc.signature
        if named or not by_element or getattr(np, name, None) != ufunc:
            told = f" with {', '.join(named)}" if named else ""
            recorder.refuse(f"numpy.{name} can't be recorded{told}")
        found = recorder.elementwise(name, ufunc, inputs)
        if out is None:
            return found
        changed = out[0]
        if type(changed) is not Value or changed._shared:
            recorder.refuse(
                "changes an array in place, or one of which there is a view: write total = total + value"
            )
        changed._place, changed._array = found._place, found._array
        return changed

    def __array_function__(self, function: Any, types: Any, args: Any, named: Any) -> Any:
        recorder, name = self._recorder, function.__name__
        if getattr(np, name, None) != function:
            recorder.refuse(f"{function.__module__}.{name} can't be recorded")
        if name in _LIKE and type(args[0]) is Value:
            return function(args[0]._array, *args[1:], **named)
        if name in _MOVING:
            return recorder.move(function, *args, **named)
        if name not in _ARGUMENTS:
            recorder.refuse(f"numpy.{name} can't be recorded")
        arguments, options = (text.split() for text in _ARGUMENTS[name])
        told = dict(zip([*arguments, *options[:1]], args, strict=False)) | named
        if len(args) > len(arguments) + bool(options) or {*told} - {*arguments, *options}:
            recorder.refuse(f"numpy.{name} can't be recorded with these arguments")
        inputs = [told.pop(one, None) for one in arguments]
        if name in ALONG:
            axis = told.pop("axis", -1 if "sort" in name else None)
            return recorder.along(name, inputs[0], axis, **told)
        if name == "where" and inputs[1] is inputs[2] is None:
            recorder.refuse("numpy.where of a condition alone selects rounds: give it two values")
        if name == "clip" and getattr(inputs[0], "dtype", None) == np.int64:  # numpy leaves out such ends
            (low, high), limits = inputs[1:], np.iinfo(np.int64)
            inputs[1] = None if type(low) is int and low <= limits.min else low
            inputs[2] = None if type(high) is int and high >= limits.max else high
        if name == "clip" and (inputs[1] is None or inputs[2] is None):  # numpy then takes these
            end = np.positive if inputs[1] is inputs[2] else np.minimum if inputs[1] is None else np.maximum
            return end(*[one for one in inputs if one is not None])
        if name == "take_along_axis":
            told["axis"] = self._axis_of_choice(inputs[0], told.get("axis", -1))
        return recorder.elementwise(name, function, inputs, **told)

    def _axis_of_choice(self, values: Any, axis: int) -> int:
        """Return the axis of a choice by drawn places: among drawn values, or in a table, (k,) or (1, k)."""
        if type(values) is Value:
            return self._recorder.axis(axis, values.ndim)
        if np.size(values) != np.shape(values)[-1] or axis not in (-1, np.ndim(values) - 1):
            self._recorder.refuse("numpy.take_along_axis of a table can be recorded along its only long axis")
        return np.ndim(values) - 1

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "ndim", "dtype"):
            return getattr(self._array, name)
        if name in _METHODS:
            return partial(getattr(np, name), self)
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
    __repr__ = __str__ = __format__ = _refusing("makes text of drawn values")

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: Any) -> Any:
        if any(type(part) is Value for part in (index if isinstance(index, tuple) else (index,))):
            self._recorder.refuse(
                "selects rounds or values by drawn ones: use numpy.where, or numpy.take_along_axis"
            )
        return self._recorder.move(operator.getitem, self, index)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """As of an array."""
        found = self._array.astype(dtype)
        if not copy and found.dtype == self.dtype:
            return self
        return self._recorder.add("astype", [self], found)

    def clip(self, min: Any = None, max: Any = None) -> Any:
        """As of an array; numpy's function names its bounds otherwise before 2.1."""
        return np.clip(self, min, max)

    def reshape(self, *shape: Any) -> Any:
        """As of an array."""
        return self._recorder.move(np.reshape, self, shape[0] if len(shape) == 1 else shape)


class RecordingDraws(RandomDraws):
    """Draws whose answers are recorded values; invalid arguments raise the errors of `Draws`."""

    def __init__(self, recorder: Recorder, rounded: bool) -> None:
        super().__init__(ROUNDS, 1)
        self._recorder = recorder
        self._answers = RandomDraws(ROUNDS, 1)  # whose own notes aren't recorded
        self._rounded = {"rounded": True} if rounded else {}
        """The option of numbers under a scheme that rounds them to few digits, so that they may be 1."""

    def each(self, k: int, part: str | None = None, times: int | None = None) -> Each:
        return _RecordedEach(self, *super().each(k, part, times).asked)

    def recorded(self, name: str, asked: dict[str, Any], each: tuple[Any, ...] | None = None) -> Any:
        """Record what is asked; `each` has the arguments of that method."""
        n: Any = asked.get("n")
        if np.ndim(n):
            value = self._recorder.known(n)
            return self._recorder.add("below", [value], self._answers.below(value._array))
        found: Any = getattr(self._answers, name)(**asked)
        if name in _TAKEN and found.shape[-1] > _MOST_TAKEN:
            self._recorder.refuse(f"takes {found.shape[-1]:,} values at once, of at most {_MOST_TAKEN:,}")
        told = {key: _plain(value) for key, value in asked.items()}
        if name == "number":
            told |= self._rounded
        if each is not None:
            told["each"] = each
            found = np.broadcast_to(found, (each[2] or 1, each[0], ROUNDS)).T
            found = found[:, :, 0] if each[2] is None else found
        return self._recorder.add(name, (), found, **told)

    def exchange(self, n: int, places: Sequence[int], by: Sequence[Any]) -> Any:
        inputs = [*map(self._recorder.known, by)]
        found = self._answers.exchange(n, places, [of._array if type(of) is Value else of for of in by])
        return self._recorder.add("exchange", inputs, found, n=int(n), places=_plain(places))

    def note(self, name: str, value: object) -> None:
        self._recorder.add("note", (Constant.of(str(name)), self._recorder.known(value)))


def _plain(value: Any) -> Any:
    """Return an argument of draws as it is kept: a number, a text, None, or a tuple."""
    found = np.asarray(value).tolist()
    return tuple(found) if isinstance(found, list) else found


def _recording(name: str) -> Callable[..., Any]:
    """Return a method of `RecordingDraws`, with the arguments of that of `Draws`."""
    signature = inspect.signature(getattr(Draws, name))

    def method(self: RecordingDraws, *args: Any, **named: Any) -> Any:
        bound = signature.bind(self, *args, **named)
        bound.apply_defaults()
        return self.recorded(name, {key: one for key, one in bound.arguments.items() if key != "self"})

    method.__doc__ = f"Record `Draws.{name}`."
    return method


for _name in (*DRAWS, "skip", "label", "part"):
    setattr(RecordingDraws, _name, _recording(_name))


class _RecordedEach(Each):
    """The draws of `RecordingDraws.each`: one operation each."""

    def _each(self, name: str, **asked: Any) -> Any:
        if np.ndim(asked.get("n", 0)):
            return super()._each(name, **asked)
        return self._draws.recorded(name, asked, self.asked)
