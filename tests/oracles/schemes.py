"""Schemes once more, in plain Python: the oracle of the tests.

Nothing here comes from the package, and nothing but the standard library is used. A template is filled in by
hand, hashed by hashlib and hmac, cut by slicing hex digits, and read word by word.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
from fractions import Fraction

Value = str | bytes | int


class RanOutError(Exception):
    """A round has no further word that it may take."""


def text_of(value: Value) -> bytes:
    if isinstance(value, int):
        return str(value).encode("ascii")
    return value if isinstance(value, bytes) else value.encode("utf-8")


def fill(template: str, fields: dict[str, Value], cursor: int) -> bytes:
    """The template with its braces filled in."""
    filled = b""
    for part in re.findall(r"\{\{|\}\}|\{[^{}]*\}|[^{}]+", template):
        if part in ("{{", "}}"):
            filled += part[0].encode()
        elif part == "{cursor}":
            filled += str(cursor).encode()
        elif part.endswith(":bytes}"):
            filled += bytes.fromhex(text_of(fields[part[1:-7]]).decode())
        elif part[0] == "{":
            filled += text_of(fields[part[1:-1]])
        else:
            filled += part.encode("utf-8")
    return filled


def digest(definition: dict, fields: dict[str, Value], cursor: int = 0) -> bytes:
    """The digest of a hash that is given as `Hash.to_dict` gives it."""
    message = fill(definition["message"], fields, cursor)
    key = definition.get("key")
    if key is None:
        return hashlib.new(definition["name"], message).digest()
    if isinstance(key, dict):
        key = digest(key, fields, cursor).hex().encode("ascii")
    else:
        key = fill(key, fields, cursor)
    return hmac.digest(key, message, definition["name"])


def words(digest: bytes, bits: int) -> list[int]:
    """All words of a digest, from the front."""
    digits = digest.hex()
    width = bits // 4
    return [int(digits[at : at + width], 16) for at in range(0, len(digits) - width + 1, width)]


def number(word: int, bits: int) -> float:
    """A word's number: exact up to 52 bits, the sum of eight terms for 64."""
    if bits <= 52:
        return float(Fraction(word, 2**bits))
    value = 0.0
    for place, byte in enumerate(word.to_bytes(8, "big"), 1):
        value += byte / 256**place
    return min(value, math.nextafter(1.0, 0.0))


class Round:
    """One round of a scheme that is given as `Scheme.to_dict` gives it, word by word."""

    def __init__(self, scheme: dict, fields: dict[str, Value]) -> None:
        self.scheme, self.fields = scheme, fields
        self.bits = scheme["bits"]
        self.block, self.index = 0, 0
        self.known: dict[int, list[int]] = {}
        self.has_cursor = "{cursor}" in str(scheme["hash"])

    def all_words(self) -> list[int]:
        if self.block and not self.has_cursor:
            raise RanOutError
        if self.block not in self.known:
            cursor = self.scheme.get("first_cursor", 0) + self.block
            self.known = {self.block: words(digest(self.scheme["hash"], self.fields, cursor), self.bits)}
        return self.known[self.block]

    def used(self) -> int:
        return self.scheme.get("words") or len(self.all_words())

    def step(self, count: int = 1) -> None:
        """Goes on by this number of words; beyond those that are used, to the next digest."""
        self.index += count
        if self.index >= self.used():
            self.block, self.index = self.block + 1, 0

    def word(self) -> int:
        word = self.all_words()[self.index]
        self.step()
        return word

    def skip(self, count: int) -> None:
        for _ in range(count):
            self.index += 1
            if self.index >= (self.scheme.get("words") or self.digest_words()):
                self.block, self.index = self.block + 1, 0

    def digest_words(self) -> int:
        size = hashlib.new(self.scheme["hash"]["name"]).digest_size
        return 8 * size // self.bits

    def number(self) -> float:
        return number(self.word(), self.bits)

    def below(self, n: int) -> int:
        rule = self.scheme.get("below", "scale")
        if rule == "scale":
            return math.floor(self.number() * n)
        if rule == "modulo":
            return self.word() % n
        limit = 2**self.bits // n * n
        for passed, word in enumerate(self.all_words()[self.index :]):
            if word < limit:
                self.step(passed + 1)
                return word % n
        raise RanOutError

    def sample(self, n: int, k: int) -> list[int]:
        pool = list(range(n))
        return [pool.pop(self.below(len(pool))) for _ in range(k)]

    def swaps(self, n: int) -> list[int]:
        cells = list(range(n))
        for last in range(n - 1, 0, -1):
            other = self.below(last + 1)
            cells[last], cells[other] = cells[other], cells[last]
        return cells
