"""Checks of arguments."""

from __future__ import annotations

import operator
import sys
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any

import numpy as np

from .errors import BadType as BadType
from .errors import BadValue as BadValue
from .types import Text


def unbox(text: object) -> Any:
    """Return what a 0-d array holds, which is one seed as well; anything else as it is."""
    return text.item() if isinstance(text, np.ndarray) and text.ndim == 0 else text


def check_code_points(name: str, texts: object) -> None:
    """Refuse numpy's texts with code points that don't exist, which no text in Python can have."""
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
    """Refuse a value that isn't of a type, or of one of several; `words` names what is allowed."""
    if not isinstance(value, kind):
        allowed = words or getattr(kind, "__name__", str(kind))
        raise BadType(name, f"must be {allowed}, got {type(value).__name__}", index=index, place=place)


def encode_text(name: str, text: Text, index: object = None) -> bytes:
    """Return a text argument as UTF-8."""
    check_code_points(name, text)
    text = unbox(text)
    if isinstance(text, bytes):
        return text
    check_type(name, text, str, "str or bytes", index=index)
    return utf8(name, text, index)


def utf8(name: str, text: str, index: object = None) -> bytes:
    """Return text as UTF-8, which has no lone surrogates."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        problem = "must be text that UTF-8 can encode, got text with a lone surrogate"
        raise BadValue(name, problem, index=index) from None


def integer(
    name: str,
    value: object,
    least: int | None = None,
    most: int | None = None,
    *,
    index: object = None,
    place: str = "",
) -> int:
    """Return a whole number; numpy's count, booleans don't."""
    if isinstance(value, (bool, np.bool_)):
        raise BadType(name, f"must be an integer, got {value!r}", index=index, place=place)
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        got = type(value).__name__
        raise BadType(name, f"must be an integer, got {got}", index=index, place=place) from None
    if (least is not None and number < least) or (most is not None and number > most):
        allowed = f"at least {least}" if most is None else f"from {least} to {most}"
        raise BadValue(name, f"must be {allowed}, got {number}", index=index, place=place)
    return number


def integers(name: str, value: object) -> np.ndarray:
    """Return a one-dimensional int64 array of whole numbers."""
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
    # Aligned too: arrays that come from files or other processes may not be.
    return np.require(array, np.int64, ["C", "A"])


def threads_of(value: object) -> int | None:
    """Return the number of threads, None for as many as the machine has."""
    return None if value is None else integer("threads", value, 1, 1024)


def choice(name: str, value: object, known: Collection[str]) -> None:
    """Refuse a text that isn't among some."""
    if not isinstance(value, str):
        raise BadType(name, f"must be str, got {type(value).__name__}")
    if value not in known:
        got = f"got {value!r:.80}{did_you_mean(value, known)}"
        raise BadValue(name, f"must be one of {', '.join(map(repr, known))}, {got}")


def did_you_mean(value: object, known: Iterable[str]) -> str:
    """Return the end of an error's sentence that names what is likely meant; empty if nothing is near."""
    names = {name.casefold(): name for name in known}
    close = get_close_matches(str(value).casefold(), names, 1)
    return f": did you mean {names[close[0]]!r}?" if close else ""


def probability(name: str, value: Any) -> float:
    """Return a probability above 0 and below 1."""
    try:
        inside = bool(0 < value < 1)
    except (TypeError, ValueError):
        raise BadType(name, f"must be a number above 0 and below 1, got {type(value).__name__}") from None
    except ArithmeticError:  # a NaN of decimal's
        inside = False
    if not inside:
        raise BadValue(name, f"must be above 0 and below 1, got {value}")
    return float(value)


def reals(name: str, value: object) -> np.ndarray:
    """Return numbers as float64, in the shape that they come in."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadType(name, f"must be numbers, got {value!r:.50}") from None


def is_single(value: Any) -> bool:
    """Tell a single value from many, ragged lists included."""
    if isinstance(value, (list, tuple)):
        return False
    try:
        return np.ndim(value) == 0
    except (TypeError, ValueError):  # no array at all
        return True


def number(name: str, value: Any, words: str = "a number", index: object = None) -> Any:
    """Return a number as it is; numpy's count, booleans don't."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise BadType(name, f"must be {words}, got {type(value).__name__}", index=index)
    return value


def each_of(name: str, value: object, count: int, what: str) -> np.ndarray:
    """Return numbers as float64: one, or one for each of some things."""
    numbers = reals(name, value)
    if numbers.shape not in ((), (count,)):
        raise BadValue(name, f"must be one number or {count}, one for each {what}, got {numbers.shape}")
    return numbers


def numbers_below(name: str, values: object, below: int) -> np.ndarray:
    """Return integers from 0 to below - 1, in the shape that they come in."""
    array = rectangular(name, values)
    if array.dtype.kind not in "iu":
        raise BadType(name, f"must be integers, got an array of {array.dtype}")
    if array.size and (array.min() < 0 or array.max() >= below):
        raise BadValue(name, f"must be from 0 to {below - 1}, got {array.min()} to {array.max()}")
    return array


def distinct(name: str, value: Any, most: int, least: int = 0) -> np.ndarray:
    """Return distinct integers from `least` to `most`, of one or several."""
    if isinstance(value, (set, frozenset, range)):
        value = sorted(value)
    if np.ndim(value) == 0:
        value = [value]
    chosen = integers(name, value)
    if chosen.size and ((chosen < least) | (chosen > most)).any():
        raise BadValue(name, f"must be from {least} to {most}, got {chosen.tolist()}")
    ordered = np.sort(chosen)  # numpy's unique imports its masked arrays, which takes longer than a law
    if (ordered[1:] == ordered[:-1]).any():
        raise BadValue(name, f"must be distinct, got {chosen.tolist()}")
    return chosen


def rectangular(name: str, values: object) -> np.ndarray:
    """Return values as an array; rows of different lengths are refused."""
    try:
        return np.asarray(values)
    except ValueError:
        raise BadValue(name, "must be an array, got rows of different lengths") from None
    except TypeError:
        raise BadType(name, f"must be an array, got {type(values).__name__}") from None
