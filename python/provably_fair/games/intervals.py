"""The ranges of a program's values, and whether its outcome only rises or only falls with its one draw.

Ranges are found from those of the inputs, element by element, at whose ends numpy performs the same
operation: what is monotone in exact numbers is monotone in doubles too, as they are rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .operations import ALONG, SHAPING, Constant, Operation, performed

__all__ = ["Interval", "directions_of", "intervals_of"]

_INT64 = np.iinfo(np.int64)
_BELOW_ONE = float(np.nextafter(1.0, 0.0))
_EPSILON = 2.0**-52


class Interval(NamedTuple):
    """The least and the largest value of each element, in arrays of one round, shape (1, ...).

    Those of floats are doubles, others Python's integers, which don't overflow.
    """

    low: np.ndarray
    high: np.ndarray
    zero: bool = False
    """Whether a zero may be -0.0."""


def intervals_of(operations: Sequence[Operation]) -> list[Interval | None]:
    """Return the range of each operation's values; None where it isn't known, or where they may be NaN."""
    found: list[Interval | None] = []
    with np.errstate(all="ignore"):
        for operation in operations:
            inputs = [_constant(one) if isinstance(one, Constant) else found[one] for one in operation.inputs]
            interval = _interval(operation, inputs) if operation.dtype else None
            found.append(_kept(interval, operation))
    return found


def _kept(interval: Interval | None, operation: Operation) -> Interval | None:
    """Return a range in the shape and type of its operation; None if it overflows, or may be NaN."""
    if operation.dtype == "bool":
        interval = interval or _between(0, 1)
    if interval is None:
        return None
    is_float = operation.dtype == "float64"
    low, high = (np.asarray(end, dtype=np.float64 if is_float else object) for end in interval[:2])
    if is_float and (np.isnan(low).any() or np.isnan(high).any()):
        return None
    if not is_float and low.size and (low.min() < _INT64.min or high.max() > _INT64.max):
        return None
    shape = (1, *operation.shape)
    return Interval(np.broadcast_to(low, shape), np.broadcast_to(high, shape), interval.zero and is_float)


def _between(low: Any, high: Any, zero: bool = False) -> Interval:
    return Interval(np.asarray(low, dtype=object), np.asarray(high, dtype=object), zero)


def _constant(constant: Constant) -> Interval | None:
    if constant.dtype == "str":
        return None
    value = np.asarray(constant.value)
    ends = value if value.dtype.kind == "f" else value.astype(object)
    zero = value.dtype.kind == "f" and bool((np.signbit(value) & (value == 0)).any())
    return None if value.dtype.kind == "f" and np.isnan(value).any() else Interval(ends, ends, zero)


def _drawn(operation: Operation, inputs: Sequence[Interval | None]) -> Interval | None:
    """Return the range of what is drawn."""
    options = operation.told
    match operation.name:
        case "below" if inputs:
            return None if inputs[0] is None else _between(0, inputs[0].high - 1)
        case "below" | "sample" | "shuffle" | "swaps" | "exchange":
            return _between(0, options["n"] - 1)
        case "distinct":
            return _between(-1, options["n"] - 1)
        case "coin":
            return _between(0, 1)
        case "weighted":
            return _between(0, len(options["weights"]) - 1)
        case "number":
            return Interval(np.asarray(0.0), np.asarray(1.0 if options.get("rounded") else _BELOW_ONE))
    return None


def _interval(operation: Operation, inputs: list[Interval | None]) -> Interval | None:
    name, is_float = operation.name, operation.dtype == "float64"
    if name in SHAPING or name == "constant":
        return _moved(operation, inputs)
    if name in ALONG:
        return _along(operation, inputs[0])
    if name in _SELDOM:
        return _SELDOM[name](operation, inputs)
    if any(one is None for one in inputs):
        return None
    known = [one for one in inputs if one is not None]
    if not known:
        return _drawn(operation, inputs)
    if name in _COMPARED:
        return _compared(_COMPARED[name], _alike(known))
    if operation.dtype == "bool":
        return None
    if is_float:
        known = [_floats(one) for one in known]
    rule = _ELEMENTWISE.get(name)
    return _drawn(operation, inputs) if rule is None else rule(operation, known)


def _floats(one: Interval) -> Interval:
    return Interval(one.low.astype(np.float64), one.high.astype(np.float64), one.zero)


def _alike(known: list[Interval]) -> list[Interval]:
    """Return ranges as floats if one of them has floats, as numpy compares them."""
    if any(one.low.dtype.kind == "f" for one in known):
        return [_floats(one) for one in known]
    return known


def _ends(one: Any) -> tuple[np.ndarray, np.ndarray]:
    return one.low, one.high


def _extremes(found: Sequence[Any], zero: bool) -> Interval:
    """Return the least and the largest of values at all ends; NaN stays."""
    low = high = found[0]
    for one in found[1:]:
        low, high = np.minimum(low, one), np.maximum(high, one)
    return Interval(low, high, zero)


# ---- operations on each element ----


def _rising(operation: Operation, known: list[Interval]) -> Interval:
    """Return the range of what rises with all of its inputs, from numpy itself."""
    low, high = (
        performed(operation, [getattr(one, end) for one in known], None, 1) for end in ("low", "high")
    )
    zero = operation.name in ("ceil", "rint", "trunc", "round") or any(one.zero for one in known)
    return Interval(low, high, zero)


def _whole(operation: Operation, known: list[Interval]) -> Interval:
    """Return the range of rounded values; integers stay as they are."""
    return known[0] if known[0].low.dtype == object else _rising(operation, known)


def _is_infinite(one: Interval) -> bool:
    return one.low.dtype.kind == "f" and bool((np.isinf(one.low) | np.isinf(one.high)).any())


def _add(_operation: Operation, known: list[Interval]) -> Interval | None:
    one, other = known
    if _is_infinite(one) and _is_infinite(other):
        return None  # inf - inf
    return Interval(one.low + other.low, one.high + other.high, one.zero and other.zero)


def _subtract(_operation: Operation, known: list[Interval]) -> Interval | None:
    one, other = known
    if _is_infinite(one) and _is_infinite(other):
        return None
    return Interval(one.low - other.high, one.high - other.low, one.zero)


def _negative(_operation: Operation, known: list[Interval]) -> Interval:
    return Interval(-known[0].high, -known[0].low, True)


def _absolute(_operation: Operation, known: list[Interval]) -> Interval:
    one = known[0]
    crosses = (one.low <= 0) & (one.high >= 0)
    found = _extremes([abs(one.low), abs(one.high)], False)
    return found._replace(low=np.where(crosses, 0, found.low))


def _multiply(_operation: Operation, known: list[Interval]) -> Interval | None:
    one, other = known
    for infinite, zero in (known, known[::-1]):
        if _is_infinite(infinite) and ((zero.low <= 0) & (zero.high >= 0)).any():
            return None  # 0 * inf
    negative = any((of.low < 0).any() or of.zero for of in known)
    return _extremes([a * b for a, b in product(_ends(one), _ends(other))], bool(negative))


def _divide(operation: Operation, known: list[Interval]) -> Interval | None:
    one, other = known
    whole = operation.name == "floor_divide"
    if _is_infinite(one) and _is_infinite(other):
        return None
    if whole and operation.dtype == "float64":
        return None
    if ((other.low < 0) & (other.high > 0)).any() or (other.high == 0).any():
        return None
    if (other.low == 0).any() and (whole or other.zero or (one.low <= 0).any()):
        return None  # 0 / 0, or the sign of an infinity
    pairs = product(_ends(one), _ends(other))
    negative = any((of.low < 0).any() or of.zero for of in known)
    return _extremes([a // b if whole else a / b for a, b in pairs], bool(negative))


def _remainder(operation: Operation, known: list[Interval]) -> Interval | None:
    one, other = known
    if not (other.low > 0).all() or (
        operation.dtype == "float64" and not np.isfinite([one.low, one.high]).all()
    ):
        return None
    inside = ((one.low >= 0) & (one.high < other.low)).all()
    return one if inside else Interval(0 * other.low, other.high - (operation.dtype != "float64"), one.zero)


def _left_shift(_operation: Operation, known: list[Interval]) -> Interval | None:
    one, other = known
    if (other.low < 0).any() or (other.high > 63).any():
        return None
    return _extremes([a * 2**b for a, b in product(_ends(one), _ends(other))], False)


def _right_shift(_operation: Operation, known: list[Interval]) -> Interval | None:
    one, other = known
    if (other.low < 0).any() or (other.high > 63).any():
        return None
    return _extremes([a // 2**b for a, b in product(_ends(one), _ends(other))], False)


def _bits(operation: Operation, known: list[Interval]) -> Interval | None:
    one, other = known
    if (one.low < 0).any() or (other.low < 0).any():
        return None
    if operation.name == "bitwise_and":
        return Interval(0 * one.low, np.minimum(one.high, other.high))
    most = np.maximum(one.high, other.high)
    full = np.frompyfunc(lambda value: (1 << int(value).bit_length()) - 1, 1, 1)(most)
    return Interval(np.maximum(one.low, other.low) if operation.name == "bitwise_or" else 0 * one.low, full)


def _sign(_operation: Operation, known: list[Interval]) -> Interval:
    ends = [np.where(end > 0, 1, np.where(end < 0, -1, 0)) for end in _ends(known[0])]
    return Interval(ends[0], ends[1], True)


def _square_root(operation: Operation, known: list[Interval]) -> Interval | None:
    return _rising(operation, known) if (known[0].low >= 0).all() else None


def _astype(operation: Operation, known: list[Interval]) -> Interval | None:
    one = known[0]
    if operation.dtype == "float64" or one.low.dtype == object:
        return one
    if not (one.low > -(2.0**63)).all() or not (one.high < 2.0**63).all():
        return None
    low, high = (np.frompyfunc(int, 1, 1)(end) for end in _ends(one))
    return Interval(low, high)


_ELEMENTWISE: dict[str, Callable[[Operation, list[Interval]], Interval | None]] = {
    "add": _add,
    "subtract": _subtract,
    "negative": _negative,
    "positive": lambda _operation, known: known[0],
    "absolute": _absolute,
    "multiply": _multiply,
    "divide": _divide,
    "floor_divide": _divide,
    "remainder": _remainder,
    "left_shift": _left_shift,
    "right_shift": _right_shift,
    "bitwise_and": _bits,
    "bitwise_or": _bits,
    "bitwise_xor": _bits,
    "sign": _sign,
    "sqrt": _square_root,
    "astype": _astype,
    "maximum": _rising,
    "minimum": _rising,
    "clip": _rising,
    **dict.fromkeys(("floor", "ceil", "trunc", "rint", "round"), _whole),
}

_COMPARED = {
    "less": (0, 1, False),
    "less_equal": (0, 1, True),
    "greater": (1, 0, False),
    "greater_equal": (1, 0, True),
}
"""Which input is less than which, and whether they may be equal."""


def _compared(how: tuple[int, int, bool], known: list[Interval]) -> Interval:
    less, more, equal = known[how[0]], known[how[1]], how[2]
    always = less.high <= more.low if equal else less.high < more.low
    maybe = less.low <= more.high if equal else less.low < more.high
    return Interval(always.astype(int).astype(object), maybe.astype(int).astype(object))


def _where(operation: Operation, inputs: list[Interval | None]) -> Interval | None:
    _, one, other = inputs
    if one is None or other is None:
        return None
    if operation.dtype == "float64":
        one, other = _floats(one), _floats(other)
    return Interval(np.minimum(one.low, other.low), np.maximum(one.high, other.high), one.zero or other.zero)


def _take(operation: Operation, inputs: list[Interval | None]) -> Interval | None:
    """Return the range of values of a table, those that the range of the index has if it is known."""
    table = operation.inputs[0].value  # type: ignore[union-attr]
    chosen = inputs[1]
    if table.dtype.kind == "f" and np.isnan(table).any():
        return None
    kept = table if table.dtype.kind == "f" else table.astype(object)
    if chosen is None or (chosen.low < 0).any() or (chosen.high >= len(table)).any():
        return Interval(kept.min(), kept.max(), True)
    low, high = np.empty_like(chosen.low), np.empty_like(chosen.low)
    for place in np.ndindex(low.shape):
        some = kept[chosen.low[place] : chosen.high[place] + 1]
        low[place], high[place] = some.min(), some.max()
    return Interval(low, high, True)


def _searchsorted(operation: Operation, inputs: list[Interval | None]) -> Interval | None:
    table, one = operation.inputs[0].value, inputs[1]  # type: ignore[union-attr]
    side = operation.told["side"]
    if one is None or (table[1:] < table[:-1]).any():
        return _between(0, len(table))
    dtype = np.float64 if one.low.dtype.kind == "f" else np.int64
    low, high = (np.searchsorted(table, end.astype(dtype), side=side).astype(object) for end in _ends(one))
    return Interval(low, high)


def _take_along_axis(operation: Operation, inputs: list[Interval | None]) -> Interval | None:
    one, axis = inputs[0], operation.told["axis"] + 1
    if one is None:
        return None
    return Interval(one.low.min(axis=axis, keepdims=True), one.high.max(axis=axis, keepdims=True), one.zero)


def _choose(operation: Operation, inputs: list[Interval | None]) -> Interval | None:
    found: Interval | None = inputs[1]
    for one in inputs[2:]:
        found = _where(operation, [None, found, one])
    return found


_SELDOM: dict[str, Callable[[Operation, list[Interval | None]], Interval | None]] = {
    "where": _where,
    "take": _take,
    "take_along_axis": _take_along_axis,
    "searchsorted": _searchsorted,
    "choose": _choose,
    "exchange": lambda operation, _inputs: _drawn(operation, []),
}
"""Operations that need to know only some of their inputs."""


# ---- operations on several elements ----


def _moved(operation: Operation, inputs: list[Interval | None]) -> Interval | None:
    if any(one is None for one in inputs):
        return None
    known = [one for one in inputs if one is not None]
    if operation.dtype == "float64":
        known = [_floats(one) for one in known]
    if operation.name == "constant":
        return known[0]
    low, high = (
        performed(operation, [getattr(one, end) for one in known], None, 1) for end in ("low", "high")
    )
    return Interval(low, high, any(one.zero for one in known))


def _along(operation: Operation, one: Interval | None) -> Interval | None:
    name, options = operation.name, operation.told
    if name in ("argmin", "argmax", "argsort", "count_nonzero"):
        # All values along the axes are no less than the shape of one round has.
        return None if one is None else _between(0, _count(one, options) - (name != "count_nonzero"))
    if one is None or name in ("prod", "cumprod", "any", "all"):
        return None
    if name in ("diff", "sum", "cumsum", "mean") and _is_infinite(one):
        return None
    if name == "diff":
        axis = options["axis"][0] + 1
        lower, upper = (np.moveaxis(end, axis, 0) for end in _ends(one))
        return Interval(
            np.moveaxis(lower[1:] - upper[:-1], 0, axis), np.moveaxis(upper[1:] - lower[:-1], 0, axis), True
        )
    low, high = (ALONG[name](end, **options) for end in _ends(one))
    if operation.dtype == "float64" and name in ("sum", "cumsum", "mean"):
        # The order in which floats are added is numpy's own.
        off = 2 * _count(one, options) * _EPSILON * np.maximum(abs(one.low), abs(one.high)).sum()
        low, high = low - off, high + off
    return Interval(low, high, one.zero)


def _count(one: Interval, options: Mapping[str, Any]) -> int:
    return int(np.prod([one.low.shape[axis + 1] for axis in options["axis"]]))


Switched = Callable[[int, int], "tuple[Any, Any] | None"]
"""From the places of a condition that rises or falls and of another value, this value just before the
condition changes, and from there on; None where it never changes."""

# ---- whether values rise or fall with the only draw ----

_RISE = {
    "floor",
    "ceil",
    "trunc",
    "rint",
    "round",
    "astype",
    "sqrt",
    "positive",
    "add",
    "maximum",
    "minimum",
    "clip",
}
_RISE |= {"bitwise_and", "bitwise_or", "logical_and", "logical_or"}  # of bools
_RISE |= {*SHAPING, "sum", "min", "max", "any", "all", "sort"}
"""Operations that rise with all their inputs."""


def directions_of(
    operations: Sequence[Operation],
    intervals: Sequence[Interval | None],
    switched: Switched,
) -> list[int | None]:
    """Return whether each value rises (1), falls (-1) or stays (0) with the only draw; None where unknown.

    Where a condition changes, found with `switched`, the value of a choice must go the same way.
    """
    found: list[int | None] = []
    for operation in operations:
        ways = [0 if isinstance(one, Constant) else found[one] for one in operation.inputs]
        known = [_constant(one) if isinstance(one, Constant) else intervals[one] for one in operation.inputs]
        if operation.name == "where" and ways[0] != 0:
            switching = intervals[len(found)] is not None  # NaN neither rises nor falls
            found.append(_switching(operation, len(found), ways, switched) if switching else None)
        else:
            found.append(_direction(operation, ways, known, intervals[len(found)]))
    return found


def _direction(
    operation: Operation,
    ways: list[int | None],
    known: list[Interval | None],
    itself: Interval | None,
) -> int | None:
    name = operation.name
    if name in ("below", "coin", "number", "weighted") and not operation.inputs:
        return 1
    if all(way == 0 for way in ways) and (ways or name == "constant"):
        return 0
    if any(way is None for way in ways) or itself is None or any(one is None for one in known):
        return None  # a value that overflows, or is NaN, is known to do nothing
    turned = [way or 0 for way in ways]
    signs = [_sign_of(one) for one in known if one is not None]
    match name:
        case "bitwise_and" | "bitwise_or" if operation.dtype != "bool":
            return None
        case "astype" | "any" | "all" | "add" | "logical_and" | "logical_or" | "logical_not" if (
            operation.dtype == "bool" and signs != [1] * len(signs)
        ):
            return None  # what is true on both sides of 0
        case _ if name in _RISE or name == "where":  # here of a condition that never changes
            return _together(turned)
        case "negative" | "logical_not" | "invert":
            return -turned[0]
        case "subtract" | "greater" | "greater_equal":
            return _together([turned[0], -turned[1]])
        case "less" | "less_equal":
            return _together([-turned[0], turned[1]])
        case "multiply":
            return _together([_by(turned[0], signs[1]), _by(turned[1], signs[0])])
        case "divide" | "floor_divide":
            return _together([_by(turned[0], signs[1]), _by(-turned[1], signs[0])])
        case "left_shift" | "right_shift" if turned[1] == 0:
            return turned[0]
        case "remainder" if _is_inside(known[0], known[1]):
            return turned[0]
        case "take":
            table, chosen = operation.inputs[0].value, known[1]  # type: ignore[union-attr]
            rises = _table_direction(table)
            inside = chosen is not None and bool((chosen.low >= 0).all())
            return None if rises is None or not inside else rises * turned[1]
        case "searchsorted":
            rises = _table_direction(operation.inputs[0].value)  # type: ignore[union-attr]
            return turned[1] if rises is not None and rises >= 0 else None
    return None


def _is_inside(one: Interval | None, other: Interval | None) -> bool:
    """Return whether values are less than their divisors, so that remainders are the values."""
    return one is not None and other is not None and bool(((one.low >= 0) & (one.high < other.low)).all())


def _together(ways: Sequence[int | None]) -> int | None:
    """Return the direction of what rises with several values."""
    if any(way is None for way in ways):
        return None
    which = {way for way in ways if way}
    return which.pop() if len(which) == 1 else None if which else 0


def _by(way: int, sign: int | None) -> int | None:
    """Return the direction of a product with what has a sign."""
    return 0 if way == 0 else None if sign is None else way * sign


def _sign_of(one: Interval) -> int | None:
    return 1 if (one.low >= 0).all() else -1 if (one.high <= 0).all() else None


def _table_direction(table: np.ndarray) -> int | None:
    if (table[1:] >= table[:-1]).all():
        return 0 if len(table) < 2 else 1
    return -1 if (table[1:] <= table[:-1]).all() else None


def _switching(operation: Operation, place: int, ways: list[int | None], switched: Switched) -> int | None:
    """Return the direction of a choice: both values must go one way, and so must the step between them."""
    condition, way = operation.inputs[0], _together(ways[1:])
    if ways[0] is None or way is None or isinstance(condition, Constant) or operation.shape:
        return None
    ends = switched(condition, place)
    return way if ends is None else _together([way, int(ends[0] < ends[1]) - int(ends[0] > ends[1])])
