"""What both kinds of FPClub dice share: faces, digits and randomness."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provably_fair._core.arguments import BadType, BadValue, encode_text, rectangular
from provably_fair._engine import fpclub_check_faces, fpclub_digits_from_bytes, fpclub_parse_digits
from provably_fair.distribution.sampling import Rng, generator

Pair: TypeAlias = tuple[int, int]


def faces(argument: str, value: ArrayLike) -> np.ndarray:
    """Return faces 1 to 6, or the digits of a text, as a contiguous integer array in native byte order."""
    if isinstance(value, (str, bytes)):
        return faces_of(digits(argument, value))
    array = rectangular(argument, value)
    if array.size == 0 and array.dtype == np.float64:  # numpy's dtype for an empty list
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise BadType(argument, f"must be integers from 1 to 6, got {_describe(value, array)}")
    # ascontiguousarray would make a single number an array of one.
    array = array.astype(array.dtype.newbyteorder("="), order="C", copy=False)
    fpclub_check_faces(argument, array)
    return array


def _describe(value: object, array: np.ndarray) -> str:
    return f"an array of {array.dtype}" if array.ndim else type(value).__name__


def digits(argument: str, value: object, dice: int | None = None) -> str:
    """Return dice as text of digits 1 to 6, from such text with any white space, or from faces."""
    if isinstance(value, (str, bytes)):
        return fpclub_parse_digits(argument, encode_text(argument, value), dice)
    array = faces(argument, value)  # type: ignore[arg-type]
    if dice is not None and array.size != dice:
        raise BadValue(argument, f"must hold {dice} dice, got {array.size}")
    return (array.astype(np.uint8) + np.uint8(ord("0"))).tobytes().decode("ascii")


def file_at(path: Any) -> Path:
    """Return the path of a file."""
    try:
        return Path(path)
    except TypeError:
        raise BadType("path", f"must be str or os.PathLike, got {type(path).__name__}") from None


def pairs_of(digits: str) -> NDArray[np.int64]:
    """Return dice two by two as a read-only array (n, 2); an odd last die is left out."""
    values = faces_of(digits[: len(digits) // 2 * 2])
    values.flags.writeable = False
    return values.reshape(-1, 2)


def in_pairs(digits: str) -> str:
    """Return dice as text, two by two: "16 13"."""
    return " ".join(digits[start : start + 2] for start in range(0, len(digits), 2))


def faces_of(digits: str) -> NDArray[np.int64]:
    """Return dice as faces."""
    return np.frombuffer(digits.encode("ascii"), np.uint8).astype(np.int64) - ord("0")


def random_bytes(rng: Rng) -> Callable[[int], bytes]:
    """Return a function from a number to that many random bytes, by default the operating system's."""
    return os.urandom if rng is None else generator(rng).bytes


def random_digits(dice: int, rng: Rng) -> str:
    """Return `dice` uniform, independent dice."""
    source = random_bytes(rng)
    made = ""
    while missing := dice - len(made):
        # One byte in 64 is rejected on average; the extra ones make a second round rare.
        made += fpclub_digits_from_bytes(source(missing + missing // 32 + 16), missing)
    return made
