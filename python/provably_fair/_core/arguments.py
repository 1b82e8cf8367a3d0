"""Validation of arguments."""

from __future__ import annotations

import operator
import sys
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from .errors import BadType as BadType, BadValue as BadValue
from .types import Text


def unbox(text: object) -> Any:
    """Return the item of a 0-d array, which counts as a single value; a masked one, or else, unchanged."""
    return text.item() if isinstance(text, np.ndarray) and text.ndim == 0 and not is_masked(text) else text


def check_code_points(name: str, texts: object) -> None:
    """Refuse numpy strings with code points above U+10FFFF, which Python's strings can't hold."""
    if isinstance(texts, (list, tuple)) and np.str_ in set(map(type, texts)):
        texts = np.array([text if isinstance(text, np.str_) else "" for text in texts])
    elif isinstance(texts, np.str_):
        texts = np.asarray(texts)
    if not isinstance(texts, np.ndarray) or texts.dtype.kind != "U" or not texts.nbytes:
        return
    native = np.asarray(texts).astype(texts.dtype.newbyteorder("="), order="C", copy=False)
    points = np.ascontiguousarray(native).reshape(-1).view(np.uint32)
    if (beyond := points > sys.maxunicode).any():
        row = int(beyond.argmax()) * native.size // points.size if texts.ndim else None
        problem = "must be text that UTF-8 can encode, got text with a code point above U+10FFFF"
        raise BadValue(name, problem, index=row)


def check_type(
    name: str, value: object, kind: Any, words: str | None = None, *, index: object = None, place: str = ""
) -> None:
    """Refuse a value that isn't of the given type or types; `words` describes what is allowed."""
    if not isinstance(value, kind):
        allowed = words or getattr(kind, "__name__", str(kind))
        raise BadType(name, f"must be {allowed}, got {type(value).__name__}", index=index, place=place)


def encode_text(name: str, text: Text) -> bytes:
    """Return text or bytes as UTF-8 bytes."""
    check_code_points(name, text)
    text = unbox(text)
    if isinstance(text, bytes):
        return text
    check_type(name, text, str, "str or bytes")
    return utf8(name, text)


def utf8(name: str, text: str) -> bytes:
    """Return text as UTF-8 bytes, refusing lone surrogates."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise BadValue(name, "must be text that UTF-8 can encode, got text with a lone surrogate") from None


def integer(
    name: str,
    value: object,
    least: int | None = None,
    most: int | None = None,
    *,
    index: object = None,
    place: str = "",
) -> int:
    """Return an integer, checked; numpy integers are accepted, booleans aren't."""
    if type(value) is int and (least is None or value >= least) and (most is None or value <= most):
        return value  # almost always
    if isinstance(value, (bool, np.bool_)):
        raise BadType(name, f"must be an integer, got {value!r}", index=index, place=place)
    refuse_masked(name, value)
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        got = type(value).__name__
        raise BadType(name, f"must be an integer, got {got}", index=index, place=place) from None
    if (least is not None and number < least) or (most is not None and number > most):
        allowed = f"at least {least}" if most is None else f"from {least} to {most}"
        raise BadValue(name, f"must be {allowed}, got {number}", index=index, place=place)
    return number


def is_masked(value: object) -> bool:
    """Return whether a value is an array with masked elements."""
    # numpy loads the module of masked arrays on demand: without it there are none.
    return "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value)


def refuse_masked(name: str, value: Any) -> None:
    """Refuse an array with masked elements, of which numpy would take what is behind the mask."""
    if is_masked(value):
        row = int(np.argwhere(np.ma.getmaskarray(value))[0, 0]) if value.ndim else None
        raise BadValue(name, "must have a value, got a masked element", index=row)


def refuse_nan(name: str, values: np.ndarray) -> None:
    """Refuse NaN in an array of numbers: a missing value, which isn't a wrong one."""
    if values.dtype.kind == "f" and (missing := np.isnan(values)).any():
        raise BadValue(name, "must have a value, got nan", index=int(np.argwhere(missing)[0, 0]))


def is_equal(one: Any, other: Any) -> bool:
    """Return whether two values, or containers of them, are equal, without raising.

    Arrays and frames are compared whole, with missing values equal to each other. Values that can't be
    compared, or whose comparison isn't a truth value, are equal only if they are the same object.
    """
    if one is other:
        return True
    try:
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            return one.keys() == other.keys() and all(is_equal(one[key], other[key]) for key in one)
        if isinstance(one, (list, tuple)) and type(one) is type(other):
            return len(one) == len(other) and all(map(is_equal, one, other))
        if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
            return type(one) is type(other) and _is_equal_array(one, other)
        if hasattr(type(one), "equals"):  # of pandas, Polars and Arrow
            return type(one) is type(other) and bool(one.equals(other))
        return bool(one == other or (one != one and other != other))
    except Exception:  # whatever the types of other libraries raise
        return False


def _is_equal_array(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two arrays have the same type, shape, mask and values."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if is_masked(one) or is_masked(other):
        mask = np.ma.getmaskarray(one)
        if not np.array_equal(mask, np.ma.getmaskarray(other)):
            return False
        one, other = np.asarray(one)[~mask], np.asarray(other)[~mask]
    if one.dtype.kind == "O":
        return is_equal(one.tolist(), other.tolist())
    one, other = np.asarray(one), np.asarray(other)
    return bool(((one == other) | ((one != one) & (other != other))).all())


def integers(name: str, value: object) -> np.ndarray:
    """Return a one-dimensional int64 array of integers, checked."""
    refuse_masked(name, value)
    try:
        array = np.asarray(value)
    except ValueError:
        raise BadValue(name, "must be one-dimensional, got rows of different lengths") from None
    except TypeError:
        raise BadType(name, f"must be integers, got {type(value).__name__}") from None
    if array.ndim != 1:
        raise BadValue(name, f"must be an integer or one-dimensional, got {array.ndim} dimensions")
    limits = np.iinfo(np.int64)
    if array.dtype.kind == "O" or (array.dtype.kind == "u" and array.dtype.itemsize == 8):
        checked = np.empty(array.size, dtype=np.int64)
        for row, item in enumerate(array.tolist()):
            checked[row] = integer(name, item, int(limits.min), int(limits.max), index=row)
        return checked
    if array.dtype.kind not in "iu" and array.size:
        raise BadType(name, f"must be integers, got an array of {array.dtype}")
    # Also aligned: arrays from files or other processes may not be.
    return np.require(array, np.int64, ["C", "A"])


def threads_of(value: object) -> int | None:
    """Return the number of threads, checked; None stands for all processors."""
    return None if value is None else integer("threads", value, 1, 1024)


def choice(name: str, value: object, known: Collection[str]) -> None:
    """Refuse a text that isn't one of the known ones."""
    words = f"one of {', '.join(map(repr, known))}"
    if not isinstance(value, str):
        raise BadType(name, f"must be str, got {type(value).__name__}: {words}")
    if value not in known:
        raise BadValue(name, f"must be {words}, got {value!r:.80}{did_you_mean(value, known)}")


def did_you_mean(value: object, known: Iterable[str], alike: float = 0.6) -> str:
    """Return ": did you mean ...?" for a match that is close, on a scale from 0 to 1, or "" without any."""
    names = {name.casefold(): name for name in known}
    close = get_close_matches(str(value).casefold(), names, 1, alike)
    return f": did you mean {names[close[0]]!r}?" if close else ""


def probability(name: str, value: Any) -> float:
    """Return a probability strictly between 0 and 1, checked."""
    try:
        # numpy orders complex numbers.
        inside = bool(0 < (value.item() if isinstance(value, np.generic) else value) < 1)
    except (TypeError, ValueError):
        raise BadType(name, f"must be a number above 0 and below 1, got {type(value).__name__}") from None
    except ArithmeticError:  # decimal refuses to compare NaN
        inside = False
    if not inside:
        raise BadValue(name, f"must be above 0 and below 1, got {value}")
    return float(value)


def doubles(array: np.ndarray) -> np.ndarray:
    """Return numbers as float64; shorter floats by their shortest decimals."""
    if array.dtype.kind == "f" and array.dtype.itemsize < 8:
        return array.astype(str).astype(np.float64)
    return array.astype(np.float64, copy=False)


def reals(name: str, value: object) -> np.ndarray:
    """Return numbers as float64, in their own shape; shorter floats by their shortest decimals."""
    refuse_masked(name, value)
    try:
        given = np.asarray(value)
        if given.dtype.kind in "biuf":
            return doubles(given)
        if given.dtype.kind not in "cmMV":  # numpy would take dates, and the real part of complex numbers
            return np.asarray(value, dtype=np.float64)
    except OverflowError:
        raise BadValue(name, "must be nearer to 0: whole numbers are larger than any float") from None
    except (TypeError, ValueError):
        pass
    raise BadType(name, f"must be numbers, got {value!r:.50}")


def is_single(value: Any) -> bool:
    """Return whether a value is single rather than a sequence; ragged lists are sequences."""
    if isinstance(value, (list, tuple)):
        return False
    try:
        return np.ndim(value) == 0
    except (TypeError, ValueError):  # not convertible to an array
        return True


def unwrapped(value: Any) -> Any:
    """Return an array, or a series of pandas or Polars, as a list; other values unchanged."""
    return np.asarray(value).tolist() if hasattr(value, "__array__") else value


def number(name: str, value: Any, words: str = "a number", index: object = None) -> Any:
    """Return a number unchanged, checked; numpy numbers are accepted, booleans aren't."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise BadType(name, f"must be {words}, got {type(value).__name__}", index=index)
    return value


def each_of(name: str, value: object, count: int, what: str) -> np.ndarray:
    """Return one number, or one for each of `count` things, as float64."""
    numbers = reals(name, value)
    if numbers.shape not in ((), (count,)):
        raise BadValue(name, f"must be one number or {count}, one for each {what}, got {numbers.shape}")
    return numbers


def numbers_below(name: str, values: object, below: int) -> np.ndarray:
    """Return integers from 0 to below - 1, checked, in their own shape."""
    array = rectangular(name, values)
    if array.dtype.kind not in "iu":
        raise BadType(name, f"must be integers, got an array of {array.dtype}")
    if array.size and (array.min() < 0 or array.max() >= below):
        raise BadValue(name, f"must be from 0 to {below - 1}, got {array.min()} to {array.max()}")
    return array


def distinct(name: str, value: Any, most: int, least: int = 0) -> np.ndarray:
    """Return one or several distinct integers from `least` to `most`, checked."""
    if isinstance(value, (set, frozenset, range)):
        value = sorted(value)
    if np.ndim(value) == 0:
        value = [value]
    chosen = integers(name, value)
    if chosen.size and ((chosen < least) | (chosen > most)).any():
        raise BadValue(name, f"must be from {least} to {most}, got {chosen.tolist()}")
    ordered = np.sort(chosen)  # np.unique would import numpy.ma, which takes longer than a law
    if (ordered[1:] == ordered[:-1]).any():
        raise BadValue(name, f"must be distinct, got {chosen.tolist()}")
    return chosen


def rectangular(name: str, values: object) -> np.ndarray:
    """Return values as an array, refusing rows of different lengths, and masked elements."""
    refuse_masked(name, values)
    try:
        return np.asarray(values)
    except ValueError:
        raise BadValue(name, "must be an array, got rows of different lengths") from None
    except TypeError:
        raise BadType(name, f"must be an array, got {type(values).__name__}") from None
