"""The ranges of a program's values, and whether its outcome only rises or only falls with its one draw.

Most operations rise or fall with each of their inputs. Their least and largest value is then at the ends of
the inputs' ranges, where numpy performs the same operation: what is monotone in exact numbers is so in
doubles too, as they are rounded. A few operations have a rule of their own; of others nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .operations import DRAWS, Constant, Operation, performed

_BELOW_ONE = float(np.nextafter(1.0, 0.0))
_OVERFLOWS = 2.0**62
"""Where whole numbers may be too large, as doubles tell, which are rounded."""


class Interval(NamedTuple):
    """The least and the largest value of each element, in arrays of one round, shape (1, ...).

    A least value of -0.0 says that zeros may be negative ones; one of 0.0, that they aren't.
    """

    low: Any
    high: Any


_RISING = {
    *("add", "maximum", "minimum", "clip", "floor", "ceil", "trunc", "rint", "round", "sqrt"),
    *("sign", "positive"),
    *("astype", "move", "constant", "min", "max", "sort", "sum", "cumsum"),
    *("minimum.accumulate", "maximum.accumulate"),
}
"""Operations that rise with all of their inputs; sums, of whole numbers."""

_OF_BOOLS = {"bitwise_and", "bitwise_or", "logical_and", "logical_or", "any", "all", "move", "constant"}
"""Operations that rise if they are of bools."""

_COMPARED = {"less": -1, "less_equal": -1, "greater": 1, "greater_equal": 1}
"""Comparisons, by their direction in the first input."""

_BY_SIGN = {"multiply", "divide", "floor_divide"}
"""Operations that rise or fall with each input, by the sign of the other one."""

_OVERFLOWING = {"add", "subtract", "multiply", "floor_divide", "negative", "absolute", "sum", "cumsum"}
"""Operations on whole numbers that may overflow."""

_SIGNED_ZERO = {"add", "subtract", "astype", "move", "number", "constant"}
"""Operations that have the signs of zeros that their ends tell."""


def intervals_of(operations: Sequence[Operation]) -> list[Interval | None]:
    """Return the range of each operation's values; None where it isn't known, or where they may be NaN."""
    found: list[Interval | None] = []
    with np.errstate(all="ignore"):
        for one in operations:
            known = [_range_of(of) if isinstance(of, Constant) else found[of] for of in one.inputs]
            found.append(_kept(_interval(one, known), one) if one.dtype else None)
    return found


def _range_of(constant: Constant) -> Interval | None:
    value = np.asarray(constant.value)
    # numpy.where takes 2**63 beside int64 as -2**63.
    unknown = value.dtype.kind not in "biuf" or value.dtype == np.uint64 or np.isnan(value).any()
    return None if unknown else Interval(value, value)


def _kept(interval: Interval | None, one: Operation) -> Interval | None:
    """Return a range in the shape and type of its operation; None if it may be NaN."""
    if interval is None:
        interval = Interval(*np.array([False, True])) if one.dtype == "bool" else None
    if interval is None or np.isnan(interval.low).any() or np.isnan(interval.high).any():
        return None
    low, high = (np.asarray(end).astype(one.dtype) for end in interval)
    if one.dtype == "float64" and one.name not in _SIGNED_ZERO:
        low, high = np.where(low == 0, -0.0, low), np.where(high == 0, 0.0, high)
    shape = (1, *one.shape)
    return Interval(np.broadcast_to(low, shape), np.broadcast_to(high, shape))


def _interval(one: Operation, known: list[Interval | None]) -> Interval | None:
    if one.name in (*DRAWS, "exchange"):
        return _drawn(one, known)
    if one.name == "searchsorted" and known[1] is None:
        return _between(0, len(one.inputs[0].value))
    ranges = [of for of in known if of is not None]
    if len(ranges) < len(known):
        return None
    if one.dtype != "bool":
        ranges = [Interval(*(end + 0 if end.dtype == bool else end for end in of)) for of in ranges]
    turns = _turns(one, ranges)
    if one.name in _RULES and (turns is None or None in turns):
        return None if one.dtype == "bool" else _RULES[one.name](one, ranges)
    if turns is None or not _is_defined(one, ranges):
        return None
    ends = [tuple(of[turn != up] for of, turn in zip(ranges, turns, strict=True)) for up in (1, -1)]
    if one.name in _BY_SIGN:
        ends = [*product(*ranges)]
    values = [performed(one, each, None, 1) for each in ends]
    if one.dtype == "int64" and one.name in _OVERFLOWING:
        doubles = [performed(one, [end.astype(np.float64) for end in each], None, 1) for each in ends]
        if (np.abs(doubles) >= _OVERFLOWS).any():
            return None
    if len(values) == 2:
        return Interval(*values)
    return Interval(np.minimum.reduce(values), np.maximum.reduce(values))


def _turns(one: Operation, known: Sequence[Interval]) -> list[int | None] | None:
    """Return for each input whether an operation rises (1) or falls (-1) with it; None where unknown."""
    name, count = one.name, len(one.inputs)
    if name in _COMPARED:
        return [_COMPARED[name], -_COMPARED[name]]
    if name == "where":
        return [None, 1, 1]
    if name in ("sum", "cumsum") and one.dtype == "float64":
        return None  # numpy adds doubles in an order of its own
    if one.dtype == "bool" and any(of.low.dtype != bool for of in known):
        return None  # what is true on both sides of 0
    if name in (_OF_BOOLS if one.dtype == "bool" else _RISING):
        return [1] * count
    if name in ("negative", "invert", "logical_not", "subtract"):
        return [-1] if count == 1 else [1, -1]
    if name == "remainder" and _is_inside(known[0], known[1].low):
        return [1, None]  # remainders are the values
    if name in _BY_SIGN:
        first, second = map(_sign, known)
        return [second, first if name == "multiply" or first is None else -first]
    if name in ("searchsorted", "take_along_axis") and isinstance(one.inputs[0], Constant):
        table, is_search = known[0].low.ravel(), name == "searchsorted"
        if is_search or _is_inside(known[1], len(table)):
            if (table[1:] >= table[:-1]).all():
                return [1, 1]
            if (table[1:] <= table[:-1]).all() and not is_search:
                return [1, -1]
    return None


def _is_inside(one: Interval, end: Any) -> bool:
    return bool(((one.low >= 0) & (one.high < end)).all())


def _sign(one: Interval) -> int | None:
    return 1 if (one.low >= 0).all() else -1 if (one.high <= 0).all() else None


def _is_defined(one: Operation, known: Sequence[Interval]) -> bool:
    """Return whether an operation gives no NaN between the ends of ranges, and stays monotone."""
    infinite = [bool((np.isinf(of.low) | np.isinf(of.high)).any()) for of in known]
    zero = [bool(((of.low <= 0) & (of.high >= 0)).any()) for of in known]
    match one.name:
        case "add" | "subtract":
            return not all(infinite)
        case "multiply":
            return not (infinite[0] and zero[1]) and not (infinite[1] and zero[0])
        case "divide" if zero[1]:  # by zeros that aren't negative ones
            return not zero[0] and not np.signbit(known[1].low).any()
        case "floor_divide":
            return not zero[1] and one.dtype == "int64"
        case "sqrt":
            return bool((known[0].low >= 0).all())
        case "astype" if one.dtype == "int64":
            return bool((np.abs(known) < _OVERFLOWS).all())
        case "round":
            return bool(abs(one.told.get("decimals", 0)) < 99)
    return True


def _between(low: Any, high: Any) -> Interval:
    return Interval(np.asarray(low), np.asarray(high))


def _drawn(one: Operation, known: list[Interval | None]) -> Interval | None:
    """Return the range of what is drawn."""
    told = one.told
    match one.name:
        case "number":
            return _between(0.0, 1.0 if told.get("rounded") else _BELOW_ONE)
        case "weighted":
            drawn = [place for place, weight in enumerate(told["weights"]) if weight]
            return _between(drawn[0], drawn[-1])
        case "below" if known:
            return None if known[0] is None else _between(0, known[0].high - 1)
    return _between(-1 if one.name == "distinct" else 0, told.get("n", 2) - 1)


# ---- operations with a rule of their own ----


def _where(_one: Operation, known: list[Interval]) -> Interval:
    _, first, other = known
    return Interval(np.minimum(first.low, other.low), np.maximum(first.high, other.high))


def _absolute(_one: Operation, known: list[Interval]) -> Interval | None:
    low, high = known[0]
    positive = Interval(np.maximum(0, np.maximum(low, -high)), np.maximum(high, -low))
    return None if (low <= -_OVERFLOWS).any() else positive


def _remainder(one: Operation, known: list[Interval]) -> Interval | None:
    first, other = known
    is_known = (other.low > 0).all() and np.isfinite(first).all()
    return Interval(0 * other.low, other.high - (one.dtype != "float64")) if is_known else None


def _counted(one: Operation, known: list[Interval]) -> Interval:
    count = known[0].low.size // max(1, np.sum(known[0].low, axis=one.told["axis"]).size)
    return _between(0, count - (one.name != "count_nonzero"))


def _left_shift(_one: Operation, known: list[Interval]) -> Interval | None:
    first, by = known
    if (by.low < 0).any() or (by.high > 62).any():
        return None
    if (np.abs([end * 2.0**by.high for end in first]) >= _OVERFLOWS).any():
        return None
    ends = [end << shift for end in first for shift in by]
    return Interval(np.minimum.reduce(ends), np.maximum.reduce(ends))


def _right_shift(_one: Operation, known: list[Interval]) -> Interval | None:
    first, by = known
    if (by.low < 0).any() or (by.high > 62).any() or (first.low < 0).any():
        return None
    return Interval(first.low >> by.high, first.high >> by.low)


def _of_bits(one: Operation, known: list[Interval]) -> Interval | None:
    """Return the range of an operation on the bits of numbers, none of which is below 0."""
    if any((of.low < 0).any() for of in known):
        return None
    highs = np.broadcast_arrays(*(of.high for of in known))
    if one.name == "bitwise_and":
        return Interval(0 * highs[0], np.minimum(*highs))
    # All bits up to the highest one of both.
    widest = [(1 << int(high).bit_length()) - 1 for high in np.maximum(*highs).ravel()]
    return Interval(0 * highs[0], np.array(widest).reshape(highs[0].shape))


_RULES: dict[str, Callable[[Operation, list[Interval]], Interval | None]] = {
    "where": _where,
    "absolute": _absolute,
    "remainder": _remainder,
    "searchsorted": lambda _one, known: _between(0, known[0].low.size),
    "left_shift": _left_shift,
    "right_shift": _right_shift,
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), _of_bits),
    "take_along_axis": lambda _one, known: _between(known[0].low.min(), known[0].high.max()),
    **dict.fromkeys(("argmin", "argmax", "argsort", "count_nonzero"), _counted),
}


def directions_of(
    operations: Sequence[Operation], intervals: Sequence[Interval | None], drawn: int
) -> list[int | None]:
    """Return whether each value rises (1), falls (-1) or stays (0) with one draw; None where unknown.

    `drawn` is the place of the operation that draws it. All other draws stay as they are.
    """
    found: list[int | None] = []
    for place, one in enumerate(operations):
        ways = [0 if isinstance(of, Constant) else found[of] for of in one.inputs]
        known = [_range_of(of) if isinstance(of, Constant) else intervals[of] for of in one.inputs]
        ranges = [of for of in known if of is not None]
        if one.name in DRAWS and place != drawn:
            found.append(0)
        elif one.name in ("below", "coin", "number", "weighted") and not ways:
            found.append(1)
        elif all(way == 0 for way in ways):
            found.append(0 if ways else None)
        elif None in ways or len(ranges) < len(ways) or intervals[place] is None:
            found.append(None)  # a value that overflows, or is NaN, is known to do nothing
        else:
            found.append(_together(ways, _turns(one, ranges)))
    return found


def _together(ways: Sequence[int | None], turns: Sequence[int | None] | None) -> int | None:
    """Return the direction of what goes with several values, each of which turns it."""
    if turns is None:
        return None
    found = {
        None if way is None or turn is None else way * turn
        for way, turn in zip(ways, turns, strict=True)
        if way != 0
    }
    return found.pop() if len(found) == 1 else None if found else 0
