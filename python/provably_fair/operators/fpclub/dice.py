"""Faces, digits and randomness, shared by combined and hashed dice.

A die shows a face, 1 to 6. Dice are written as text, one digit each; hashes are taken of that text.
"""

from __future__ import annotations

import os
import re
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provably_fair._core.arguments import BadType, BadValue, encode_text, rectangular
from provably_fair.distribution.sampling import Rng, generator

Pair: TypeAlias = tuple[int, int]

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_OTHER_THAN_DICE = re.compile(rb"[^1-6 \t-\r]")
_LINE_END = re.compile(rb"\r\n|\r|\n")


def faces(argument: str, value: ArrayLike) -> np.ndarray:
    """Return faces 1 to 6, or the digits of a text, as an integer array in native byte order."""
    if isinstance(value, (str, bytes)):
        return faces_of(digits(argument, value))
    array = rectangular(argument, value)
    if array.size == 0 and array.dtype == np.float64:  # numpy's dtype for an empty list
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        got = f"an array of {array.dtype}" if array.ndim else type(value).__name__
        raise BadType(argument, f"must be integers from 1 to 6, got {got}")
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    if array.size and not (array.min() >= 1 and array.max() <= 6):
        index = tuple(np.argwhere((array < 1) | (array > 6))[0].tolist())
        problem = f"must be a face from 1 to 6, got {array[index]}"
        raise BadValue(argument, problem, index=index or None)
    return array


def digits(argument: str, value: object, dice: int | None = None) -> str:
    """Return dice as text of digits 1 to 6, from such text with any white space, or from faces."""
    if isinstance(value, (str, bytes)):
        return parse_digits(argument, encode_text(argument, value), dice)
    array = faces(argument, value)  # type: ignore[arg-type]
    if dice is not None and array.size != dice:
        raise BadValue(argument, f"must hold {dice} dice, got {array.size}")
    return _text_of(array)


def parse_digits(argument: str, text: bytes, dice: int | None = None) -> str:
    """Return the digits of a text, as many as `dice` if that is given; errors name line and column."""
    start = len(_BYTE_ORDER_MARK) * text.startswith(_BYTE_ORDER_MARK)
    if wrong := _OTHER_THAN_DICE.search(text, start):
        problem = f"must be a digit from 1 to 6 or white space, got {seen_at(text, wrong.start())}"
        raise error_at(argument, text, wrong.start(), problem)
    found = b"".join(text[start:].split()).decode("ascii")
    if dice is not None and len(found) < dice:
        problem = f"must go on: it ends after {len(found)} digits of {dice}"
        raise error_at(argument, text, len(text), problem)
    if dice is not None and len(found) > dice:
        surplus = [digit.start() for digit in re.finditer(rb"[1-6]", text)][dice]
        raise error_at(argument, text, surplus, f"must end: it holds more than {dice} digits")
    return found


def error_at(argument: str, text: bytes, offset: int, problem: str) -> BadValue:
    """Return the error of one place of a text, with line and column from 1; columns count characters."""
    before = text[:offset].removeprefix(_BYTE_ORDER_MARK)
    *lines, last = _LINE_END.split(before)
    column = 1 + len(re.sub(rb"[\x80-\xbf]", b"", last))  # without the later bytes of UTF-8 characters
    return BadValue(argument, f"line {len(lines) + 1}, column {column} {problem}")


def seen_at(text: bytes, offset: int) -> str:
    """Return the character at an offset, for messages."""
    rest = text[offset : offset + 4]
    if not rest:
        return "the end"
    character = rest.decode("utf-8", "ignore")[:1]
    if rest.startswith(character.encode()) and character:
        return repr(character)
    return f"the byte 0x{rest[0]:02x}, which is not UTF-8"


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


def _text_of(faces: np.ndarray) -> str:
    return (faces.astype(np.uint8) + np.uint8(ord("0"))).tobytes().decode("ascii")


def random_digits(dice: int, rng: Rng) -> str:
    """Return uniform, independent dice: ``byte mod 6 + 1`` of each random byte below 252."""
    source = os.urandom if rng is None else generator(rng).bytes
    made = ""
    while missing := dice - len(made):
        # One byte in 64 is rejected on average; the extra ones make a second round rare.
        values = np.frombuffer(source(missing + missing // 32 + 16), np.uint8)
        made += _text_of(values[values < 252] % 6 + 1)[:missing]  # 252 is 42 * 6
    return made
