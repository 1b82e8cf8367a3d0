"""Mutants of game rules: each rule in slow, plain Python with one thing changed.

It is independent of the package. A rule is data that `play` interprets: the parts of key and message, how a
digest is cut, how a word becomes a number or one of n, and a game with its constants. A mutant has one entry
changed, but never so that the rule is equivalent: changes that can't matter to a game (the cursor's start if
the message has no cursor, the second digest if only one is read) are left out of the lists below, with the
reason.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import json
import math
import random
import struct
import unicodedata
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, ROUND_UP, Decimal
from typing import Any, NamedTuple

Data = dict[str, Any]
Part = tuple[str, str]


class Mutant(NamedTuple):
    """A rule with one change."""

    name: str
    rule: Data
    hashes: bool
    """Whether it is what is hashed that changed, so that it shows only in rounds that are hashed."""


# ---- a round ----


def part_bytes(rule: Data, part: Part, fields: Mapping[str, Any], cursor: int) -> bytes:
    kind, name = part
    if kind == "literal":
        return name.encode()
    if kind == "cursor":
        return rule["cursor_text"](cursor)
    value = fields[name]
    if isinstance(value, int):
        return rule["number_text"](value)
    value = rule["texts"].get(name, str)(value)
    if kind == "bytes":
        return bytes.fromhex(value)
    if kind == "utf8":
        return bytes.fromhex(value).decode(errors="replace").encode()
    if kind == "latin":
        return bytes.fromhex(value).decode("latin-1").encode()
    if kind == "base64":
        return base64.b64encode(bytes.fromhex(value))
    if kind == "last first":
        return bytes.fromhex(value)[::-1]
    if kind == "large":
        return value.upper().encode()
    return value.encode(rule["encoding"], errors="replace")


def digest_of(rule: Data, fields: Mapping[str, Any], cursor: int) -> bytes:
    key, message = (
        None
        if rule[side] is None
        else b"".join(part_bytes(rule, part, fields, cursor) for part in rule[side])
        for side in ("key", "message")
    )
    if rule["key_hash"] is not None:
        key = rule["key_hash"](key)
    return rule["hash"](key, message)


def hmac_of(name: str) -> Callable[[bytes, bytes], bytes]:
    return lambda key, message: hmac.new(key, message, name).digest()


def words_of(rule: Data, digest: bytes) -> list[int]:
    digest = rule["digest"](digest)
    digits = digest.hex()[rule["offset"] :]
    width = rule["width"]
    found = [int(digits[at : at + width], 16) for at in range(0, len(digits) - width + 1, width)]
    return rule["words"](found)[: rule["of_each"]]


class Draws:
    """The successive numbers of a round."""

    def __init__(self, rule: Data, digest: Callable[[int], bytes]) -> None:
        self.rule, self.digest = rule, digest
        self.cursor = rule["first_cursor"]
        self.left: list[int] = []

    def word(self) -> int:
        if not self.left:
            self.left = words_of(self.rule, self.digest(self.cursor))
            self.cursor += self.rule["cursor_step"]
        for _ in range(self.rule["passed_over"]):
            self.left.pop(0)
        return self.left.pop(0)

    def number(self) -> float:
        return self.rule["number"](self.word(), 4 * self.rule["width"])

    def below(self, n: int) -> int:
        n = self.rule["range"](n)
        while True:
            found = self.rule["below"](self, n)
            if found is not None:
                return found

    def skip(self, count: int) -> None:
        for _ in range(count):
            self.word()


def play(rule: Data, fields: Mapping[str, Any] | None = None, digests: list[bytes] | None = None) -> Any:
    """Return the outcome of a round, from its fields or from given digests."""
    if digests is None:
        assert fields is not None
        draws = Draws(rule, lambda cursor: digest_of(rule, fields, cursor))
    else:
        given = digests
        draws = Draws(rule, lambda cursor: given[cursor - rule["first_cursor"]])
    draws.skip(rule["skipped"])
    return rule["shown"](rule["told"](rule["game"](draws, rule)))


def wrong(rule: Data, round: Mapping[str, Any]) -> bool:
    """Whether a rule fails on a round, or can't play it."""
    try:
        digests = None if "fields" in round else [bytes.fromhex(one) for one in round["digests"]]
        return play(rule, round.get("fields", {}) | rule["constant"], digests) != round["outcome"]
    except (ValueError, ArithmeticError, LookupError, TypeError):
        return True


def survivors(mutants: Sequence[Mutant], rounds: Sequence[Data]) -> list[Mutant]:
    """Return the mutants that get every round right. Only rounds with fields test the hashed text."""
    return [
        mutant
        for mutant in mutants
        if not any(wrong(mutant.rule, one) for one in rounds if "fields" in one or not mutant.hashes)
    ]


# ---- the rules ----


def by_terms(word: int, bits: int) -> float:
    """The number of a word: exact, or for eight bytes the floating-point sum of their terms, kept below 1."""
    if bits <= 52:
        return word / 2**bits
    value = 0.0
    for place in range(bits // 8):
        value += (word >> (bits - 8 * place - 8) & 255) / 256.0 ** (place + 1)
    return min(value, math.nextafter(1.0, 0.0))


def scale(draws: Draws, n: int) -> int | None:
    return math.floor(draws.number() * n)


def modulo(draws: Draws, n: int) -> int | None:
    return draws.word() % n


def pop(left: list[int], index: int) -> int:
    """Remove the item at the number's index."""
    return left.pop(index)


def keep(values: Any) -> Any:
    return values


def board(draws: Draws, rule: Data) -> list[int]:
    left = list(range(rule["first"], rule["first"] + rule["cells"]))
    return [rule["take"](left, draws.below(len(left) + rule["more"])) for _ in range(rule["picks"])]


def dice(draws: Draws, rule: Data) -> float:
    return rule["cents"](draws.below(rule["sides"]) + rule["plus"]) / rule["over"]


def pins(draws: Draws, rule: Data) -> int:
    return sum(rule["right"](draws.below(rule["sides"])) for _ in range(rule["picks"])) + rule["plus"]


def wheel(draws: Draws, rule: Data) -> int:
    return draws.below(rule["sides"]) + rule["plus"]


def multiplier(draws: Draws, rule: Data) -> float:
    steps = rule["steps"]
    value = rule["first"] * steps / (draws.below(steps) + rule["plus"]) * rule["share"]
    return (
        rule["cents"](max(rule["least"], value))
        if rule["clamp_first"]
        else max(rule["least"], rule["cents"](value))
    )


def bust(draws: Draws, rule: Data) -> float:
    left = rule["first"] - rule["side"](draws.number())
    return max(rule["least"], rule["cents"](rule["share"] / left))


def floor_cents(value: float) -> float:
    return math.floor(value * 100) / 100


def to_fixed(value: float) -> float:
    """JavaScript's toFixed(2): ties are rounded up."""
    return float(Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP))


def floor_whole(value: float) -> float:
    return math.floor(value) / 100


TEXT, CURSOR = "text", ("cursor", "")
HASHED: Data = {
    "hash": hmac_of("sha256"), "key_hash": None, "texts": {}, "encoding": "utf-8",
    "number_text": lambda value: str(value).encode(), "cursor_text": lambda value: str(value).encode(),
    "first_cursor": 0, "cursor_step": 1, "digest": keep, "offset": 0, "width": 8, "words": keep,
    "of_each": 99, "passed_over": 0, "skipped": 0, "number": by_terms, "range": keep, "below": scale,
    "told": keep, "shown": keep, "constant": {},
}  # fmt: skip


def texts(*names: str) -> list[Part]:
    """The fields as text, joined by colons."""
    parts: list[Part] = []
    for name in names:
        parts += [("literal", ":"), CURSOR if name == "cursor" else (TEXT, name)]
    return parts[1:]


def sha256_text(key: bytes) -> bytes:
    return hashlib.sha256(key).hexdigest().encode()


SALTED = HASHED | {
    "hash": hmac_of("sha512"), "key_hash": sha256_text, "key": texts("server_seed", "salt"),
    "message": texts("client_seed", "cursor"), "width": 16,
}  # fmt: skip
STAKE = HASHED | {"key": texts("server_seed"), "message": texts("client_seed", "nonce", "cursor")}
BUSTABIT = HASHED | {"key": texts("salt"), "message": [("bytes", "game_hash")], "width": 13}
DUEL = HASHED | {
    "key": [("bytes", "server_seed")], "message": [("utf8", "beacon_signature"), ("literal", ":0")],
    "below": modulo,
}  # fmt: skip
BOARD = {"game": board, "first": 0, "cells": 25, "picks": 3, "take": pop, "more": 0}
MULTIPLIER = {"game": multiplier, "first": 1, "plus": 1, "least": 1.0, "clamp_first": False}
CONSTANT = {
    "crash": {
        "server_seed": "00000000000000000011b3e92e82e0f9939093dccc3614647686c20e5ebe3aa6",
        "client_seed": "000000000000000000223b7a2298fb1c6c75fb0efc28a4c56853ff4112ec6bc9",
    },
    "bustabit.v2": {"salt": "0000000000000000004d6ec16dafe9d8370958664c1dc422f452892264c59526"},
}
"""Fields that have the same value in all rounds of a game."""
RULES: dict[str, Data] = {
    "dice": SALTED | {"game": dice, "sides": 10_001, "plus": 0, "cents": keep, "over": 100},
    "mines": SALTED | BOARD,
    "plinko": SALTED
    | {"game": pins, "sides": 2, "picks": 16, "plus": 0, "right": keep, "shown": lambda bucket: [bucket]},
    "crash": SALTED
    | MULTIPLIER
    | {"steps": 10**6, "share": 1 - 0.05, "cents": to_fixed, "clamp_first": True},
    "stake.limbo": STAKE | MULTIPLIER | {"steps": 10**8, "share": 0.99, "least": 0.0, "cents": floor_cents},
    "stake.mines": STAKE | BOARD,
    "stake.keno": STAKE | BOARD | {"cells": 40, "picks": 10},
    "stake.wheel": STAKE | {"game": wheel, "sides": 10, "plus": 0},
    "bustabit.v2": BUSTABIT
    | {
        "constant": CONSTANT["bustabit.v2"],
        "game": bust,
        "first": 1,
        "share": 99,
        "least": 1.0,
        "cents": floor_whole,
        "side": keep,
    },
    "duel.crash": DUEL | MULTIPLIER | {"steps": 2**32, "share": 0.999, "least": 0.0, "cents": floor_cents},
}


def random_rounds(name: str, count: int, seed: int) -> list[Data]:
    """Rounds as people play them: hex seeds, words as client seeds, ascending nonces."""
    rng = random.Random(f"{name} {seed}")
    server, client = rng.randbytes(32).hex(), "player" + rng.randbytes(3).hex()
    rounds = []
    for nonce in range(1, count + 1):
        made = {"nonce": nonce, "server_seed": server, "client_seed": client}
        made |= {"salt": rng.randbytes(32).hex(), "game_hash": rng.randbytes(32).hex()}
        made["beacon_signature"] = rng.randbytes(48).hex()
        if name == "duel.crash":  # every round has its own seed
            made["server_seed"] = rng.randbytes(32).hex()
        fields = {field: made[field] for field in fields_of(RULES[name])} | CONSTANT.get(name, {})
        rounds.append({"fields": fields, "outcome": play(RULES[name], fields)})
    return rounds


def fields_of(rule: Data) -> list[str]:
    parts = [*(rule["key"] or ()), *rule["message"]]
    return list(dict.fromkeys(name for kind, name in parts if kind not in ("literal", "cursor")))


# ---- the mutants ----

SEPARATORS = ("", "-", "|", " ", "::", ";", "_", ",", "/", "\0", "\n", ".", "+", "#")
ALGORITHMS = (
    "sha3_384",
    "sha1",
    "md5",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha3_256",
    "sha3_512",
    "blake2b",
    "blake2s",
)
TEXTS: dict[str, Callable[[str], str]] = {
    "in lower case": str.lower,
    "in upper case": str.upper,
    "stripped": str.strip,
    "stripped on the left": str.lstrip,
    "stripped on the right": str.rstrip,
    "without quotes": lambda text: text.strip("\"'"),
    "without any blanks": lambda text: text.replace(" ", ""),
    "blanks collapsed": lambda text: " ".join(text.split(" ")).replace("  ", " "),
    "cut to 32 characters": lambda text: text[:32],
    "cut to 8 characters": lambda text: text[:8],
    "as JSON": json.dumps,
    "as JSON without its quotes": lambda text: json.dumps(text)[1:-1],
    "escaped for HTML": html.escape,
    "escaped for addresses": urllib.parse.quote,
    "unescaped from addresses": urllib.parse.unquote_plus,
    "backward": lambda text: text[::-1],
    "as a Python literal": repr,
    "without what isn't ASCII": lambda text: text.encode("ascii", errors="ignore").decode(),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "composed": lambda text: unicodedata.normalize("NFC", text),
    "its first letter large": str.capitalize,
    "with a line feed": lambda text: text + "\n",
    "with a carriage return": lambda text: text + "\r\n",
    "with a zero byte": lambda text: text + "\0",
    "with 0x before": lambda text: "0x" + text,
    "with 00 before": lambda text: "00" + text,
    "with 00 after": lambda text: text + "00",
    "without its first two digits": lambda text: text[2:],
    "without its last two digits": lambda text: text[:-2],
    "hashed before": lambda text: hashlib.sha256(text.encode()).hexdigest(),
    "with a byte order mark": lambda text: "\ufeff" + text,
    "as its length and itself": lambda text: f"{len(text)}:{text}",
}
HEX_TEXTS = (
    "cut to 32 characters", "cut to 8 characters", "backward", "with 0x before", "with 00 before",
    "with 00 after", "without its first two digits", "without its last two digits", "hashed before",
)  # fmt: skip
NUMBERS: dict[str, Callable[[int], bytes]] = {
    "one less": lambda value: str(value - 1).encode(),
    "one more": lambda value: str(value + 1).encode(),
    "in hex": lambda value: f"{value:x}".encode(),
    "of two digits": lambda value: f"{value:02}".encode(),
    "of eight digits": lambda value: f"{value:08}".encode(),
    "with one decimal": lambda value: f"{value}.0".encode(),
    "in binary": lambda value: f"{value:b}".encode(),
    "of 32 bits": lambda value: str(value % 2**32).encode(),
    "of 31 bits": lambda value: str(value % 2**31).encode(),
    "of 16 bits": lambda value: str(value % 2**16).encode(),
    "of 8 bits": lambda value: str(value % 2**8).encode(),
    "signed, of 32 bits": lambda value: str((value + 2**31) % 2**32 - 2**31).encode(),
    "of single precision": lambda value: str(int(struct.unpack("f", struct.pack("f", value))[0])).encode(),
    "as four bytes": lambda value: (value % 2**32).to_bytes(4, "big"),
    "as eight bytes": lambda value: value.to_bytes(8, "big"),
    "as eight bytes, the least first": lambda value: value.to_bytes(8, "little"),
    "with groups of thousands": lambda value: f"{value:,}".encode(),
    "in scientific notation": lambda value: f"{value:g}".encode(),
    "with a sign": lambda value: f"{value:+}".encode(),
}


def rest(word: int, n: int, limit: int) -> int | None:
    return None if word >= limit else word % n


BELOW: dict[str, Callable[[Draws, int], int | None]] = {
    "rounded": lambda draws, n: math.floor(draws.number() * n + 0.5),
    "rounded to even": lambda draws, n: round(draws.number() * n),
    "rounded, the last kept": lambda draws, n: min(n - 1, round(draws.number() * n)),
    "rounded up": lambda draws, n: math.ceil(draws.number() * n),
    "rounded up, less one": lambda draws, n: math.ceil(draws.number() * n) - 1,
    "of n - 1, rounded": lambda draws, n: round(draws.number() * (n - 1)),
    "of n - 1, floored": lambda draws, n: math.floor(draws.number() * (n - 1)),
    "from the other side": lambda draws, n: n - 1 - math.floor(draws.number() * n),
    "of 1 - x": lambda draws, n: math.floor((1 - draws.number()) * n),
    "of x squared": lambda draws, n: math.floor(draws.number() ** 2 * n),
    "of the root of x": lambda draws, n: math.floor(draws.number() ** 0.5 * n),
    "of the mean of two": lambda draws, n: math.floor((draws.number() + draws.number()) / 2 * n),
    "of whole percents": lambda draws, n: math.floor(math.floor(draws.number() * 100) / 100 * n),
    "of steps of a tenth of a percent": lambda draws, n: math.floor(
        math.floor(draws.number() * 1e3) / 1e3 * n
    ),
    "of four decimals": lambda draws, n: math.floor(math.floor(draws.number() * 1e4) / 1e4 * n),
    "of four decimals, rounded": lambda draws, n: math.floor(round(draws.number(), 4) * n),
    "of six decimals": lambda draws, n: math.floor(math.floor(draws.number() * 1e6) / 1e6 * n),
    "of six decimals, rounded": lambda draws, n: math.floor(round(draws.number(), 6) * n),
    "modulo": modulo,
    "modulo n + 1": lambda draws, n: draws.word() % (n + 1),
    "modulo n - 1": lambda draws, n: draws.word() % max(1, n - 1),
    "modulo, the other side": lambda draws, n: n - 1 - draws.word() % n,
    "modulo, of the lower half": lambda draws, n: draws.word() % 2 ** (2 * draws.rule["width"]) % n,
    "modulo, of the upper half": lambda draws, n: (draws.word() >> 2 * draws.rule["width"]) % n,
    "modulo, of all but the last bit": lambda draws, n: (draws.word() >> 1) % n,
    "modulo, of all but the first bit": lambda draws, n: (
        draws.word() % 2 ** (4 * draws.rule["width"] - 1) % n
    ),
    "modulo, plus one": lambda draws, n: draws.word() % n + 1,
    "scaled": scale,
    "scaled, plus one": lambda draws, n: math.floor(draws.number() * n) + 1,
    "scaled, less one": lambda draws, n: math.floor(draws.number() * n) - 1,
    "scaled, beginning at the second": lambda draws, n: (math.floor(draws.number() * n) + 1) % n,
}
WHOLE = ("scaled", "rounded", "rounded to even", "rounded, the last kept", "rounded up", "modulo n + 1")
STEPS = ("of whole percents", "of steps of a tenth of a percent", "of four decimals", "of six decimals")
ORDERS: dict[str, Callable[[list[int]], list[int]]] = {
    "the halves exchanged": lambda found: found[len(found) // 2 :] + found[: len(found) // 2],
    "the last word first": lambda found: found[::-1],
    "the first word last": lambda found: found[1:] + found[:1],
    "words exchanged in pairs": lambda found: [found[at ^ 1] for at in range(len(found) & ~1)],
    "the first word at the end, the second lost": lambda found: found[2:] + found[:1],
}
NUMBER: dict[str, Callable[[int, int], float]] = {
    "divided by one less than its power of two": lambda word, bits: word / (2**bits - 1),
    "plus one": lambda word, bits: (word + 1) / 2**bits,
    "plus one half": lambda word, bits: (word + 0.5) / 2**bits,
    "without its first bit": lambda word, bits: word % 2 ** (bits - 1) / 2 ** (bits - 1),
    "without its first bit, not stretched": lambda word, bits: word % 2 ** (bits - 1) / 2**bits,
    "signed": lambda word, bits: abs((word + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)) / 2 ** (bits - 1),
    "shifted, and signed": lambda word, bits: ((word + 2 ** (bits - 1)) % 2**bits) / 2**bits,
    "of its first byte": lambda word, bits: (word >> bits - 8) / 256,
    "of its first two bytes": lambda word, bits: (word >> bits - 16) / 2**16,
    "of its first 20 bits": lambda word, bits: (word >> bits - 20) / 2**20,
    "of its first three bytes": lambda word, bits: (word >> bits - 24) / 2**24,
    "of its last byte": lambda word, bits: word % 256 / 256,
    "of its last two bytes": lambda word, bits: word % 2**16 / 2**16,
    "of its last three bytes": lambda word, bits: word % 2**24 / 2**24,
    "its bytes over 255": lambda word, bits: sum(
        (word >> (bits - 8 * place - 8) & 255) / 255 / 256.0**place for place in range(bits // 8)
    ),
    "its bytes by powers of 255": lambda word, bits: sum(
        (word >> (bits - 8 * place - 8) & 255) / 255.0 ** (place + 1) for place in range(bits // 8)
    ),
    "its bytes by powers of 257": lambda word, bits: sum(
        (word >> (bits - 8 * place - 8) & 255) / 257.0 ** (place + 1) for place in range(bits // 8)
    ),
    "its bytes backward": lambda word, bits: (
        int.from_bytes(word.to_bytes(8, "little")[: bits // 8], "big") / 2**bits
    ),
    "its bytes from the second": lambda word, bits: sum(
        (word >> (bits - 8 * place - 8) & 255) / 256.0**place for place in range(1, bits // 8)
    ),
    "its first byte left out of the sum": lambda word, bits: word % 2 ** (bits - 8) / 2**bits,
    "its second byte left out": lambda word, bits: (word & ~(255 << bits - 16)) / 2**bits,
    "its third byte left out": lambda word, bits: (word & ~(255 << bits - 24)) / 2**bits,
    "its digits exchanged in pairs": lambda word, bits: (
        int("".join(f"{word:0{bits // 4}x}"[at : at + 2][::-1] for at in range(0, bits // 4, 2)), 16)
        / 2**bits
    ),
    "its complement": lambda word, bits: (2**bits - 1 - word) / 2**bits,
    "1 less it": lambda word, bits: 1 - by_terms(word, bits),
    "of single precision": lambda word, bits: struct.unpack("f", struct.pack("f", word / 2**bits))[0],
    "over a million": lambda word, bits: word % 10**6 / 10**6,
    "over ten million": lambda word, bits: word % 10**7 / 10**7,
}


def replaced(by: int) -> Callable[[list[int], int], int]:
    """Put another item into the place of the one that is taken."""

    def take(left: list[int], index: int) -> int:
        taken, left[index] = left[index], left[by]
        left.pop(by)
        return taken

    return take


def removed(by: int) -> Callable[[list[int], int], int]:
    """Remove another item than the one that is taken."""

    def take(left: list[int], index: int) -> int:
        taken = left[index]
        left.pop(by)
        return taken

    return take


def arranged(rest: Callable[[list[int], int], list[int]]) -> Callable[[list[int], int], int]:
    """Bring the others into another order."""

    def take(left: list[int], index: int) -> int:
        taken = left.pop(index)
        left[:] = rest(left, index)
        return taken

    return take


TAKES: dict[str, Callable[[list[int], int], int]] = {
    "the last put in its place": replaced(-1),
    "the first put in its place": replaced(0),
    "counted from the end": lambda left, index: left.pop(-1 - index),
    "the next one": lambda left, index: left.pop((index + 1) % len(left)),
    "the one before": lambda left, index: left.pop(index - 1),
    "not removed": lambda left, index: left[index],
    "the index itself": lambda left, index: (left.pop(), index)[1],
    "the rest turned": arranged(lambda left, index: left[index:] + left[:index]),
    "the rest reversed": arranged(lambda left, index: left[::-1]),
    "the last removed for it": removed(-1),
    "the first removed for it": removed(0),
}


def rounded_up(value: float) -> float:
    return float(Decimal(value).quantize(Decimal("0.01"), ROUND_UP))


CENTS: dict[str, Callable[[float], float]] = {
    "floored": floor_cents,
    "rounded": to_fixed,
    "rounded as Python does": lambda value: round(value, 2),
    "rounded up": rounded_up,
    "rounded by its product": lambda value: math.floor(value * 100 + 0.5) / 100,
    "to tenths": lambda value: math.floor(value * 10) / 10,
    "to tenths, rounded": lambda value: round(value, 1),
    "to thousandths": lambda value: math.floor(value * 1000) / 1000,
    "to thousandths, rounded": lambda value: round(value, 3),
    "to whole numbers": lambda value: float(math.floor(value)),
    "not at all": keep,
    "floored, less a cent": lambda value: floor_cents(value) - 0.01,
    "floored, and a cent": lambda value: floor_cents(value) + 0.01,
    "to steps of five cents": lambda value: math.floor(value * 20) / 20,
    "in cents": lambda value: math.floor(value * 100),
    "below ten thousand": lambda value: min(floor_cents(value), 10**4),
}


def mutants(name: str) -> list[Mutant]:
    """Return the mutants of a game's rule, each with one change; equivalent ones are listed once."""
    rule = RULES[name]
    found = [Mutant(what, rule | changed, True) for what, changed in hashed_mutants(rule, name)]
    found += [Mutant(what, rule | changed, False) for what, changed in drawn_mutants(rule)]
    found += [Mutant(what, rule | changed, False) for what, changed in game_mutants(rule)]
    panel = [*random_rounds(name, 12, 1), *forms(name)]
    seen: set[tuple[Any, ...]] = set()
    kept = []
    for mutant in found:
        prints = tuple(print_of(mutant.rule, one) for one in panel)
        # Mutants that agree with the rule on the panel differ rarely, and are all kept.
        if prints not in seen or not any(wrong(mutant.rule, one) for one in panel):
            seen.add(prints)
            kept.append(mutant)
    return kept


def forms(name: str) -> list[Data]:
    """Rounds with unusual texts and numbers, to which the notation matters."""
    rounds = []
    for place, one in enumerate(random_rounds(name, 6, 2)):
        fields = dict(one["fields"])
        if "client_seed" in fields and name not in CONSTANT:
            fields["client_seed"] = (" Zürich é ", '"a  b"', "%41+<&>", "é", "A" * 40, "🎲\t7")[place]
        if "nonce" in fields:
            fields["nonce"] = (0, 7, 2**33 + 5, 2**31 + 1, 70_000, 12_345_678)[place]
        rounds.append({"fields": fields, "outcome": play(RULES[name], fields)})
    return rounds


def print_of(rule: Data, round: Data) -> Any:
    try:
        return repr(play(rule, round["fields"]))
    except (ValueError, ArithmeticError, LookupError, TypeError) as error:
        return type(error).__name__


def hashed_mutants(rule: Data, name: str) -> Iterator[tuple[str, Data]]:
    """Yield changes to the hashed text."""
    constant = CONSTANT.get(name, {})
    has_cursor = CURSOR in rule["message"]
    for side in ("key", "message"):
        parts = rule[side]
        for place, (kind, value) in enumerate(parts):
            if kind == "literal" and value == ":":
                for separator in SEPARATORS:
                    changed = [*parts[:place], ("literal", separator), *parts[place + 1 :]]
                    yield f"{side}: {separator!r} for part {place}", {side: changed}
            for tail in ("\n", "\r\n", "\t", " ", ":", "-", ",", "\0", "0"):
                changed = [*parts[: place + 1], ("literal", tail), *parts[place + 1 :]]
                yield f"{side}: {tail!r} after part {place}", {side: changed}
            for head in (" ", ":", "-", "\n", "0"):
                changed = [*parts[:place], ("literal", head), *parts[place:]]
                yield f"{side}: {head!r} before part {place}", {side: changed}
            if kind != "literal":
                changed = parts[:place] + parts[place + 1 :]
                yield f"{side}: without part {place}", {side: changed}
                yield f"{side}: part {place} twice", {side: [*parts[:place], parts[place], *parts[place:]]}
            if kind in ("bytes", "utf8"):
                yield f"{side}: the text of {value}", {side: _put(parts, place, (TEXT, value))}
                for other in sorted({"bytes", "utf8", "latin", "base64", "last first", "large"} - {kind}):
                    yield f"{side}: {value} as {other}", {side: _put(parts, place, (other, value))}
            elif kind == TEXT and value != "nonce":
                yield f"{side}: the bytes of {value}", {side: _put(parts, place, ("bytes", value))}
        if len(parts) > 1:
            yield f"{side}: backward", {side: parts[::-1]}
    key, message = rule["key"], rule["message"]
    yield "key and message exchanged", {"key": message, "message": key}
    names = [
        (side, place)
        for side in ("key", "message")
        for place, part in enumerate(rule[side])
        if part[0] != "literal"
    ]
    for a in names:
        for b in names:
            if a < b:
                changed = {"key": list(key), "message": list(message)}
                changed[a[0]][a[1]], changed[b[0]][b[1]] = rule[b[0]][b[1]], rule[a[0]][a[1]]
                yield f"{a} and {b} exchanged", changed
    for algorithm in ALGORITHMS:
        own = hmac_of(algorithm)
        if own(b"a", b"b") != rule["hash"](b"a", b"b"):
            yield f"HMAC of {algorithm}", {"hash": own}
        yield (
            f"{algorithm} of key and message",
            {"hash": lambda k, m, a=algorithm: hashlib.new(a, k + m).digest()},
        )
        yield (
            f"{algorithm} of message and key",
            {"hash": lambda k, m, a=algorithm: hashlib.new(a, m + k).digest()},
        )
        if rule["key_hash"] is None:
            yield f"key by {algorithm}", {"key_hash": lambda k, a=algorithm: hashlib.new(a, k).digest()}
            yield (
                f"key by {algorithm}, as text",
                {"key_hash": lambda k, a=algorithm: hashlib.new(a, k).hexdigest().encode()},
            )
        elif algorithm != "sha256":
            yield (
                f"key by {algorithm}, as text",
                {"key_hash": lambda k, a=algorithm: hashlib.new(a, k).hexdigest().encode()},
            )
    for joined in (b":", b"-", b"|"):
        yield (
            f"a plain hash joined by {joined!r}",
            {"hash": lambda k, m, j=joined, own=rule["hash"]: hashlib.new(_name(own), k + j + m).digest()},
        )
    own = rule["hash"]
    yield "hashed twice", {"hash": lambda k, m: hashlib.sha256(own(k, m)).digest()}
    yield "hashed twice, as text", {"hash": lambda k, m: hashlib.sha256(own(k, m).hex().encode()).digest()}
    yield "HMAC of the message's hash", {"hash": lambda k, m: own(k, hashlib.sha256(m).digest())}
    yield "HMAC of the message's hash as text", {"hash": lambda k, m: own(k, sha256_text(m))}
    yield "the digest's text for its bytes", {"hash": lambda k, m: own(k, m).hex().encode()}
    if rule["key_hash"] is not None:
        yield "key not hashed", {"key_hash": None}
        yield "key as bytes", {"key_hash": lambda k: hashlib.sha256(k).digest()}
        yield "key in capitals", {"key_hash": lambda k: sha256_text(k).upper()}
        yield "key cut", {"key_hash": lambda k: sha256_text(k)[:32]}
        yield "key hashed twice", {"key_hash": lambda k: sha256_text(sha256_text(k))}
    for field in fields_of(rule):
        kinds = {kind for side in ("key", "message") for kind, value in rule[side] if value == field}
        if field == "nonce":
            for what, form in NUMBERS.items():
                yield f"nonce {what}", {"number_text": form}
            continue
        # Case doesn't matter in hex digits decoded to bytes; constants contain no blanks or quotes.
        some = HEX_TEXTS if kinds & {"bytes", "utf8"} or field in constant else TEXTS
        for what in some:
            yield f"{field} {what}", {"texts": {field: TEXTS[what]}}
    if any(kind == TEXT and value not in constant and value != "nonce" for kind, value in [*key, *message]):
        for encoding in ("latin-1", "utf-16-le", "utf-16", "utf-32-le", "ascii"):
            yield f"texts in {encoding}", {"encoding": encoding}
    if has_cursor:
        for first in (1, 2, 10):
            yield f"cursors from {first}", {"first_cursor": first}
        for what in (
            "of two digits",
            "with one decimal",
            "as four bytes",
            "as eight bytes",
            "with a sign",
            "one more",
        ):
            yield f"cursor {what}", {"cursor_text": NUMBERS[what]}
        if _digests(rule) > 1:
            yield "cursors in steps of two", {"cursor_step": 2}
            yield "the first cursor again", {"cursor_step": 0}


def _digests(rule: Data) -> int:
    """The number of digests that a round reads."""
    return -(-rule.get("picks", 1) * rule["width"] // (2 * len(rule["hash"](b"", b""))))


def _name(own: Callable[[bytes, bytes], bytes]) -> str:
    return "sha512" if len(own(b"", b"")) == 64 else "sha256"


def _put(parts: list[Part], place: int, part: Part) -> list[Part]:
    return [*parts[:place], part, *parts[place + 1 :]]


def drawn_mutants(rule: Data) -> Iterator[tuple[str, Data]]:
    """Yield changes to how draws are made from digests."""
    size = max(rule["width"] // 2, 1)
    for what, digest in {
        "digests backward": lambda d: d[::-1],
        "the second half of a digest": lambda d: d[len(d) // 2 :],
        "digests with halves added": lambda d: bytes(
            a ^ b for a, b in zip(d, d[len(d) // 2 :], strict=False)
        ),
        "bytes of each word backward": lambda d: b"".join(
            d[at : at + size][::-1] for at in range(0, len(d), size)
        ),
        "pairs of bytes exchanged": lambda d: b"".join(d[at : at + 2][::-1] for at in range(0, len(d), 2)),
    }.items():
        yield what, {"digest": digest}
    for offset in (1, 2, 3, 4, 8, 16, 32):
        yield f"digits from {offset}", {"offset": offset}
    for width in (1, 2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 16):
        if width != rule["width"]:
            yield f"{width} digits", {"width": width}
    for skipped in (1, 2, 3):
        yield f"the first {skipped} passed over", {"skipped": skipped}
    if rule["game"] is not pins:  # it sums all words of its digests, so their order doesn't matter
        for what, words in ORDERS.items():
            yield what, {"words": words}
    if rule.get("picks", 1) > 1:  # a single draw doesn't advance
        yield "every other word", {"passed_over": 1}
        for count in range(1, min(rule["picks"], 6)):  # all the draws that a digest serves
            yield f"{count} words of each digest", {"of_each": count}
        yield "the second word again", {"words": lambda found: [found[0], *found[1:2], *found[1:]]}
        yield "the first word again", {"words": lambda found: [found[0], *found]}
    if rule["below"] is scale or rule["game"] is bust:
        for what, number in NUMBER.items():
            yield f"numbers {what}", {"number": number}
        for decimals in (2, 3, 4, 5, 6, 8):
            yield (
                f"numbers of {decimals} decimals",
                {"number": lambda w, b, d=decimals, own=rule["number"]: round(own(w, b), d)},
            )
    if rule["game"] is bust:  # it uses the number itself, and never draws below n
        return
    for what, below in BELOW.items():
        # With 2**32 answers the word itself comes out in several ways. Steps of a hundredth share their edges
        # with ranges that divide 100.
        same = (rule.get("steps") == 2**32 and what in WHOLE) or (
            100 % rule.get("sides", 3) == 0 and what in STEPS
        )
        if below is not rule["below"] and not same:
            yield f"draws {what}", {"below": below}
    for more in (-2, -1) if rule.get("steps") == 2**32 else (-2, -1, 1, 2, 3):
        yield f"ranges with {more:+}", {"range": lambda n, m=more: max(1, n + m)}
    yield "ranges half as large", {"range": lambda n: max(1, n // 2)}
    if rule.get("steps") != 2**32:
        yield "ranges twice as large", {"range": lambda n: 2 * n}


def game_mutants(rule: Data) -> Iterator[tuple[str, Data]]:
    """Yield changes to the game."""
    game = rule["game"]
    for name in ("plus", "first", "over", "sides", "cells"):
        if name in rule:
            for step in (-2, -1, 1, 2, 10):
                if not (name == "sides" and rule[name] + step < 1):
                    yield f"{name} {step:+}", {name: rule[name] + step}
    if "sides" in rule or "cells" in rule:
        name = "sides" if "sides" in rule else "cells"
        for factor in (2, 3, 10):
            yield f"{name} times {factor}", {name: rule[name] * factor}
    if game is board:
        for what, take in TAKES.items():
            yield f"taken: {what}", {"take": take}
        for more in (-1, 1):
            yield f"ranges {more:+}", {"more": more}
        for picks in (rule["picks"] - 1, rule["picks"] + 1):
            yield f"{picks} picked", {"picks": picks}
        yield "sorted", {"told": sorted}
        yield "sorted downward", {"told": lambda cells: sorted(cells, reverse=True)}
        yield "backward", {"told": lambda cells: cells[::-1]}
        yield "turned", {"told": lambda cells: cells[1:] + cells[:1]}
        side = round(rule["cells"] ** 0.5)
        yield (
            "columns for rows",
            {"told": lambda cells: [cell % side * side + cell // side for cell in cells]},
        )
        yield "from the bottom", {"told": lambda cells: [rule["cells"] - 1 - cell for cell in cells]}
        yield (
            "mirrored",
            {"told": lambda cells: [cell // side * side + side - 1 - cell % side for cell in cells]},
        )
    elif game is dice:
        for what, cents in {
            "rounded to tenths": lambda value: round(value, -1),
            "floored to tenths": lambda value: value // 10 * 10,
            "rounded to whole numbers": lambda value: round(value, -2),
            "floored to whole numbers": lambda value: value // 100 * 100,
            "from the other side": lambda value: 10_000 - value,
            "at most 99.99": lambda value: min(9_999, value),
            "at least 0.01": lambda value: max(1, value),
            "100.00 as 0.00": lambda value: value % 10_000,
            "even": lambda value: value // 2 * 2,
            "99.99 missing": lambda value: value + (value == 9_999),
            "halves exchanged": lambda value: (value + 5_000) % 10_001,
        }.items():  # fmt: skip
            yield what, {"cents": cents}
        for over in (1, 10, 1000):
            yield f"over {over}", {"over": over}
    elif game is pins:
        yield "left for right", {"right": lambda side: 1 - side}
        yield "a step of two", {"right": lambda side: 2 * side}
        for picks in (8, 14, 15, 17, 18):
            yield f"{picks} pins", {"picks": picks}
        yield "at most 15", {"told": lambda bucket: min(15, bucket)}
        yield "at least 1", {"told": lambda bucket: max(1, bucket)}
        yield "at most 12", {"told": lambda bucket: min(12, bucket)}
        yield "at least 4", {"told": lambda bucket: max(4, bucket)}
        yield "from the middle", {"told": lambda bucket: abs(bucket - 8)}
        yield "twice from the middle", {"told": lambda bucket: 2 * bucket - 16}
        yield "halved", {"told": lambda bucket: bucket // 2}
    elif game is wheel:
        yield "backward", {"told": lambda sector: 9 - sector}
        yield "backward from zero", {"told": lambda sector: -sector % 10}
        for most in (7, 8):
            yield f"at most {most}", {"told": lambda sector, m=most: min(m, sector)}
        for least in (1, 2):
            yield f"at least {least}", {"told": lambda sector, m=least: max(m, sector)}
        for a in range(10):
            yield (
                f"{a} and the next exchanged",
                {"told": lambda sector, a=a, b=(a + 1) % 10: {a: b, b: a}.get(sector, sector)},
            )
        yield "odd ones first", {"told": lambda sector: sector // 2 + 5 * (1 - sector % 2)}
        yield "even ones first", {"told": lambda sector: sector // 2 + 5 * (sector % 2)}
    if "cents" in rule and game is not dice:
        busts = game is bust
        for what, cents in CENTS.items():
            # In a million draws the product never rounds to another multiplier.
            same = (busts and what == "floored") or (
                rule["cents"] is to_fixed and what == "rounded by its product"
            )
            if cents is not rule["cents"] and not same:
                yield what, {"cents": (lambda value, c=cents: c(value / 100)) if busts else cents}
        unit = rule["share"] / 100
        for step in (-5, -4, -3, -2, -1, -0.5, -0.1, 0.1, 0.5, 1, 2, 3, 4, 5):
            yield f"share {step:+} %", {"share": rule["share"] + step * unit}
        yield "no share", {"share": 100 if busts else 1}
        for least in sorted({0.0, 0.99, 1.0, 1.01, 1.1, 2.0} - {rule["least"]}):
            # Where multipliers can't be that small, nothing is raised.
            if least > rule["share"] / (100 if busts else 1):
                yield f"at least {least}", {"least": least}
        if rule["least"] == 1.0:
            yield "nothing raised", {"least": 0.0}
        for what, told in {
            "0 for less than 1.01": lambda value: 0.0 if value <= 1.0 else value,
            "less one": lambda value: round(value - 1, 2),
            "its inverse": lambda value: round(1 / value, 2) if value else 0.0,
            "in whole numbers from 100": lambda value: float(int(value)) if value >= 100 else value,
            "in tenths from 10": lambda value: math.floor(value * 10) / 10 if value >= 10 else value,
            "at most 100": lambda value: min(100.0, value),
            "at most 1,000": lambda value: min(1000.0, value),
            "at most 1,000,000": lambda value: min(1e6, value),
        }.items():
            if not (what == "at most 1,000,000" and rule.get("steps") == 10**6):  # it has 950,000 at most
                yield what, {"told": told}
    if "steps" in rule:
        own = rule["steps"]
        for steps in (
            own - 2,
            own - 1,
            own + 1,
            own + 2,
            own // 10,
            own * 10,
            10**4,
            2**24,
            2**20,
            2**31,
            2**30,
        ):
            if steps != own:
                yield f"steps {steps}", {"steps": steps}
    if game is bust:
        yield "the other side", {"side": lambda number: 1 - number}
        yield "the first decimals", {"side": lambda number: math.floor(number * 1e6) / 1e6}
        yield "a step more", {"side": lambda number: number + 2**-52}
