"""Schemes in plain Python: the oracle of the tests.

It is independent of the package and uses the standard library only. Templates are filled in by hand, hashed
by hashlib and hmac, cut by slicing hex digits, and read word by word.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

Value = str | bytes | int


class RanOutError(Exception):
    """The words of a round are exhausted."""


def text_of(value: Value) -> bytes:
    if isinstance(value, int):
        return str(value).encode("ascii")
    return value if isinstance(value, bytes) else value.encode("utf-8")


def number_text(form: str, value: Value) -> bytes:
    """A whole number as text of minimum width, or as bytes in some order."""
    number = int(value)
    if form[0] == "0":
        return str(number).zfill(int(form)).encode()
    order = "little" if form.endswith("le") else "big"
    return number.to_bytes({"u8": 1, "u16": 2, "u32": 4, "u64": 8}[form.rstrip("lbe")], order)


def fill(template: object, fields: dict[str, Value], cursor: int) -> bytes:
    """Fill in the placeholders of a template; `fields` may contain a label."""
    if isinstance(template, dict):
        inner = digest(template, fields, cursor)
        return inner if template.get("raw") else inner.hex().encode()
    if not isinstance(template, str):
        return b"".join(fill(part, fields, cursor) for part in template)
    fields = fields | {"cursor": cursor}
    filled = b""
    for part in re.findall(r"\{\{|\}\}|\{[^{}]*\}|[^{}]+", template):
        if part in ("{{", "}}"):
            filled += part[0].encode()
        elif part[0] != "{":
            filled += part.encode("utf-8")
        else:
            name, _, form = part[1:-1].partition(":")
            if form in ("bytes", "utf8"):
                read = bytes.fromhex(text_of(fields[name]).decode())
                filled += read if form == "bytes" else read.decode(errors="replace").encode("utf-8")
            elif form:
                filled += number_text(form, fields[name])
            else:
                filled += text_of(fields[name])
    return filled


def keccak(message: bytes, size: int, suffix: int) -> bytes:
    """Keccak with digests of `size` bytes: suffix 6 for SHA-3, 1 for the original."""

    def turn(lane: int, by: int) -> int:
        return (lane << by | lane >> (64 - by)) % 2**64 if by else lane

    rate = 200 - 2 * size
    padded = bytearray(message) + bytes([suffix]) + bytes(-(len(message) + 1) % rate)
    padded[-1] |= 0x80
    lanes = [[0] * 5 for _ in range(5)]
    for start in range(0, len(padded), rate):
        for i in range(rate // 8):
            lanes[i % 5][i // 5] ^= int.from_bytes(padded[start + 8 * i : start + 8 * i + 8], "little")
        register = 1
        for _ in range(24):
            sums = [lanes[x][0] ^ lanes[x][1] ^ lanes[x][2] ^ lanes[x][3] ^ lanes[x][4] for x in range(5)]
            for x in range(5):
                for y in range(5):
                    lanes[x][y] ^= sums[x - 1] ^ turn(sums[(x + 1) % 5], 1)
            x, y, current = 1, 0, lanes[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                current, lanes[x][y] = lanes[x][y], turn(current, (t + 1) * (t + 2) // 2 % 64)
            for y in range(5):
                row = [lanes[x][y] for x in range(5)]
                for x in range(5):
                    lanes[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]) % 2**64
            for j in range(7):
                register = (register << 1 ^ (register >> 7) * 0x71) % 256
                if register & 2:
                    lanes[0][0] ^= 1 << (1 << j) - 1
    return b"".join(lanes[i % 5][i // 5].to_bytes(8, "little") for i in range(size // 8))


BLAKE3_START = (
    0x6A09E667,
    0xBB67AE85,
    0x3C6EF372,
    0xA54FF53A,
    0x510E527F,
    0x9B05688C,
    0x1F83D9AB,
    0x5BE0CD19,
)
BLAKE3_ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)


def blake3(message: bytes) -> bytes:
    """BLAKE3: a binary tree over chunks of 1,024 bytes."""

    def compress(chain: Sequence[int], words: list[int], counter: int, length: int, flags: int) -> list[int]:
        v = [*chain, *BLAKE3_START[:4], counter, 0, length, flags]

        def mix(a: int, b: int, c: int, d: int, x: int, y: int) -> None:
            for word, by, other in ((x, 16, 12), (y, 8, 7)):
                v[a] = (v[a] + v[b] + word) % 2**32
                v[d] = (v[d] ^ v[a]) >> by | (v[d] ^ v[a]) << (32 - by) & 0xFFFFFFFF
                v[c] = (v[c] + v[d]) % 2**32
                v[b] = (v[b] ^ v[c]) >> other | (v[b] ^ v[c]) << (32 - other) & 0xFFFFFFFF

        for _ in range(7):
            for i in range(4):
                mix(i, 4 + i, 8 + i, 12 + i, words[2 * i], words[2 * i + 1])
            for i in range(4):
                mix(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, words[8 + 2 * i], words[9 + 2 * i])
            words = [words[place] for place in BLAKE3_ORDER]
        return [v[i] ^ v[i + 8] for i in range(8)]

    def chunk(data: bytes, counter: int, root: int) -> list[int]:
        chain = list(BLAKE3_START)
        blocks = [data[i : i + 64] for i in range(0, len(data), 64)] or [b""]
        for number, block in enumerate(blocks):
            last = number == len(blocks) - 1
            words = [int.from_bytes(block.ljust(64, b"\0")[i : i + 4], "little") for i in range(0, 64, 4)]
            chain = compress(
                chain, words, counter, len(block), (number == 0) | last << 1 | (last and root) << 3
            )
        return chain

    def tree(first: int, end: int, root: int) -> list[int]:
        if end - first == 1:
            return chunk(message[1024 * first : 1024 * end], first, root)
        middle = first + (1 << (end - first - 1).bit_length() - 1)
        return compress(BLAKE3_START, tree(first, middle, 0) + tree(middle, end, 0), 0, 64, 4 | root << 3)

    return b"".join(word.to_bytes(4, "little") for word in tree(0, max(1, -(-len(message) // 1024)), 1))


# Hashes missing from hashlib, with their block sizes.
OTHERS = {"keccak256": (lambda message: keccak(message, 32, 1), 136), "blake3": (blake3, 64)}


def digest(definition: dict, fields: dict[str, Value], cursor: int = 0) -> bytes:
    """The digest under a hash in the form of `Hash.to_dict`."""
    name = definition["name"]
    message = fill(definition["message"], fields, cursor)
    key = definition.get("key")
    if name == "none":
        return message
    if key is not None:
        key = fill(key, fields, cursor)
    if name not in OTHERS:
        return hashlib.new(name, message).digest() if key is None else hmac.digest(key, message, name)
    plain, block = OTHERS[name]
    if key is None:
        return plain(message)
    key = (plain(key) if len(key) > block else key).ljust(block, b"\0")
    inner = plain(bytes(byte ^ 0x36 for byte in key) + message)
    return plain(bytes(byte ^ 0x5C for byte in key) + inner)


def words(digest: bytes, bits: int) -> list[int]:
    """All words of a digest, in order."""
    digits = digest.hex()
    width = bits // 4
    return [int(digits[at : at + width], 16) for at in range(0, len(digits) - width + 1, width)]


def number(word: int, bits: int) -> float:
    """The number of a word: exact for up to 52 bits, a sum of eight terms for 64."""
    if bits <= 52:
        return float(Fraction(word, 2**bits))
    value = 0.0
    for place, byte in enumerate(word.to_bytes(8, "big"), 1):
        value += byte / 256**place
    return min(value, math.nextafter(1.0, 0.0))


def nearest_of(word: int, bits: int, n: int) -> int:
    """JavaScript's Math.round(word / (largest / (n - 1)))."""
    exact = word / ((2**bits - 1) / (n - 1)) if n > 1 else 0.0
    return math.floor(exact) + (exact - math.floor(exact) >= 0.5)


def to_precision(number: float, digits: int) -> float:
    """JavaScript's toPrecision: the nearest decimal of some digits, ties going up."""
    return float(Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(Decimal(number)))


class Round:
    """A round under a scheme in the form of `Scheme.to_dict`, read word by word.

    `label` is the label of its draws; `given` has its words if they come from a function.
    """

    def __init__(
        self,
        scheme: dict,
        fields: dict[str, Value],
        label: str | None = None,
        given: list[int] | None = None,
    ) -> None:
        self.scheme, self.fields, self.given = scheme, dict(fields), given
        self.fields["label"] = scheme.get("defaults", {}).get("label", "") if label is None else label
        self.by_range = scheme["bits"] == "range"
        self.bits = 8 if self.by_range else scheme["bits"]
        self.rule = scheme.get("below", "scale")
        self.digits = scheme.get("digits")
        self.read_on = scheme.get("read_on")
        self.block, self.index = 0, 0
        self.known: dict[tuple[int, int], bytes] = {}
        self.cut: dict[tuple[int, int], list[int]] = {}
        self.has_cursor = "{cursor" in str(scheme["hash"])

    def digest_at(self, cursor: int, again: int) -> bytes:
        if (cursor, again) not in self.known:
            if again:
                before = self.digest_at(cursor, again - 1).hex()
                found = digest(self.read_on, self.fields | {"digest": before}, cursor)
            else:
                found = digest(self.scheme["hash"], self.fields, cursor)
            self.known[cursor, again] = found
        return self.known[cursor, again]

    def place_of(self, block: int) -> tuple[int, int]:
        if self.has_cursor:
            return self.scheme.get("first_cursor", 0) + block, 0
        if block and not isinstance(self.read_on, dict):
            raise RanOutError
        return 0, block

    def all_words(self, place: tuple[int, int] | None = None) -> list[int]:
        if self.given is not None:
            return self.given
        place = place or self.place_of(self.block)
        if place not in self.cut:
            self.cut[place] = words(self.digest_at(*place), self.bits)
        return self.cut[place]

    def used(self) -> int:
        return self.scheme.get("words") or max(1, len(self.all_words()))

    def step(self, count: int = 1) -> None:
        """Skip this number of words, continuing with the next digest if necessary."""
        self.index += count
        if self.given is None and self.scheme["hash"]["name"] != "none" and self.index >= self.used():
            self.block, self.index = self.block + 1, 0

    def word(self, count: int = 1) -> int:
        """The next words, combined."""
        joined = 0
        for _ in range(count):
            found = self.all_words()
            if self.index >= len(found):
                raise RanOutError
            joined = joined << self.bits | found[self.index]
            self.step()
        return joined

    def skip(self, count: int) -> None:
        for _ in range(count):
            self.index += 1
            if self.index >= (self.scheme.get("words") or self.digest_words()):
                self.block, self.index = self.block + 1, 0

    def digest_words(self) -> int:
        size = 8 * len(digest(self.scheme["hash"], self.fields))
        return size // self.bits

    def number(self) -> float:
        exact = self.exact_number()
        return exact if self.digits is None else to_precision(exact, self.digits)

    def exact_number(self) -> float:
        if self.by_range:
            return float(Fraction(self.word(7) >> 4, 2**52))
        return number(self.word(), self.bits)

    def below(self, n: int) -> int:
        if self.rule == "scale":
            return math.floor(self.exact_number() * n)
        if self.rule == "nearest":
            return nearest_of(self.word(), self.bits, n)
        count = max(1, -(-(n - 1).bit_length() // 8)) if self.by_range else 1
        bits = count * self.bits
        if self.rule in ("digest", "double"):
            whole = int.from_bytes(self.digest_at(*self.place_of(self.block)), "big")
            found = (int(float(whole)) if self.rule == "double" else whole) % n
            self.word()
            return found
        if self.rule in ("modulo", "multiply"):
            word = self.word(count)
            return word % n if self.rule == "modulo" else word * n >> bits
        if self.rule == "decimal":
            return self.accept([word for word in range(256) if word % 100 < n]) % 100
        limit = 2**bits // n * n
        if self.rule == "reject_last":
            limit = 2**bits - 1 - (2**bits - 1) % n
        if self.by_range or self.given is not None:
            while (word := self.word(count)) >= limit:
                pass
            return word % n
        return self.accept(range(limit)) % n

    def accept(self, good: Sequence[int]) -> int:
        """The next acceptable word in the digest, or beyond it if the scheme reads on."""
        place = self.place_of(self.block)
        for tried in range(1000):
            found = self.all_words(place)
            if self.index >= len(found):
                raise RanOutError
            for passed, word in enumerate(found[self.index :]):
                if word in good:
                    self.step(passed + 1 if place == self.place_of(self.block) else 10**9)
                    return word
            if self.read_on is None:
                self.step(10**9)  # the digest is exhausted
                raise RanOutError
            streaming = self.used() == len(found) and (
                self.read_on == 1 or (isinstance(self.read_on, dict) and not self.has_cursor)
            )
            if streaming:
                self.block, self.index = self.block + 1, 0
                place = self.place_of(self.block)
                continue
            start = self.place_of(self.block)
            if isinstance(self.read_on, dict):
                place = start[0], tried + 1
            else:
                place = start[0] + (tried + 1) * self.read_on, 0
            self.index = 0
        raise RanOutError

    def distinct(self, n: int, k: int) -> list[int]:
        """Draw until there are k different values; -1 once words run out."""
        taken: list[int] = []
        try:
            while len(taken) < k:
                if (drawn := self.below(n)) not in taken:
                    taken.append(drawn)
        except RanOutError:
            pass
        return taken + [-1] * (k - len(taken))

    def sample(self, n: int, k: int) -> list[int]:
        pool = list(range(n))
        return [pool.pop(self.below(len(pool))) for _ in range(k)]

    def swaps(self, n: int) -> list[int]:
        cells = list(range(n))
        for last in range(n - 1, 0, -1):
            other = self.below(last + 1)
            cells[last], cells[other] = cells[other], cells[last]
        return cells
