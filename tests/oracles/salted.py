"""The rules of salted rounds in plain Python: the oracle of the tests.

It is independent of the package and uses the standard library only. Each function follows the published rules
as literally as Python allows, and favors readability over speed. There are two exceptions, so that 100,000
rounds of a game take seconds: the shorter sum in `number`, and reading no more numbers than a game uses.

Seeds are text, hashed as UTF-8, or bytes, hashed as they are.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import itertools
import math
import struct
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

Seed = str | bytes

LARGEST_BELOW_ONE = math.nextafter(1.0, 0.0)

BLOCK_HASHES = {
    500000: "00000000000000000024fb37364cbf81fd49cc2d51c09c75c35433c3a1945d04",
    510000: "000000000000000000152678f83ec36b6951ed3f7e1cc3b04c5828cab8017329",
    520000: "0000000000000000000d26984c0229c9f6962dc74db0a6d525f2f1640396f69c",
    530000: "000000000000000000024e9be1c7b56cab6428f07920f21ad8457221a91371ae",
    540000: "00000000000000000011b3e92e82e0f9939093dccc3614647686c20e5ebe3aa6",
    550000: "000000000000000000223b7a2298fb1c6c75fb0efc28a4c56853ff4112ec6bc9",
    560000: "0000000000000000002c7b276daf6efb2b6aa68e2ce3be67ef925b3264ae7122",
    570000: "0000000000000000000822cf76247f1ecec0a82dbecb3b482ec4d2d154e0cd1d",
}

# The constant server and client seeds of the multiplayer games.
CONSTANT_SEEDS = {
    "double": (BLOCK_HASHES[500000], BLOCK_HASHES[510000]),
    "jackpot": (BLOCK_HASHES[520000], BLOCK_HASHES[530000]),
    "crash": (BLOCK_HASHES[540000], BLOCK_HASHES[550000]),
    "x50": (BLOCK_HASHES[560000], BLOCK_HASHES[570000]),
}


# ---- seeds, bytes, numbers ----


def encode(seed: Seed) -> bytes:
    return seed if isinstance(seed, bytes) else seed.encode("utf-8")


def sha256_hex(text: Seed) -> str:
    return hashlib.sha256(encode(text)).hexdigest()


def key(server_seed: Seed, salt: Seed) -> str:
    """The key of a round: hexadecimal, used as text."""
    return sha256_hex(encode(server_seed) + b":" + encode(salt))


def random_bytes(server_seed: Seed, client_seed: Seed, salt: Seed, cursor: int = 0) -> bytes:
    message = encode(client_seed) + b":" + str(cursor).encode("ascii")
    return hmac.digest(key(server_seed, salt).encode("ascii"), message, "sha512")


def number_term_by_term(block: Sequence[int]) -> float:
    """Convert eight bytes to a number by the loop in the rules, rounding each addition to a double."""
    value = 0.0
    power = 256
    for byte in block:
        value += byte / power
        power *= 256
    return min(value, LARGEST_BELOW_ONE)


def terms(block: Sequence[int]) -> list[float]:
    """The eight terms of that sum, each an exact double."""
    return [byte / 256 ** (place + 1) for place, byte in enumerate(block)]


def number(word: int) -> float:
    """The number of eight bytes, from their big-endian integer.

    The sum of the first six bytes is exact in a double, in any order. Adding the seventh and the eighth byte
    rounds once each.
    """
    value = (word >> 16) * 2.0**-48 + (word >> 8 & 255) * 2.0**-56 + (word & 255) * 2.0**-64
    return value if value < 1.0 else LARGEST_BELOW_ONE


EIGHT_WORDS = struct.Struct(">8Q")


def numbers_at(server_seed: Seed, client_seed: Seed, salt: Seed, cursor: int, count: int = 8) -> list[float]:
    """The first `count` (at most eight) numbers of one cursor."""
    words = EIGHT_WORDS.unpack(random_bytes(server_seed, client_seed, salt, cursor))
    return [number(word) for word in words[:count]]


def random_numbers(server_seed: Seed, client_seed: Seed, salt: Seed, count: int = 8) -> list[float]:
    """The first `count` numbers of a round, across cursors."""
    found: list[float] = []
    cursor = 0
    while len(found) < count:
        found += numbers_at(server_seed, client_seed, salt, cursor, min(8, count - len(found)))
        cursor += 1
    return found


def salts(n: int, seed: object = 0, start: int = 0) -> list[str]:
    return [sha256_hex(f"{seed}:{start + i}") for i in range(n)]


def simulation_seeds(name: str, seed: object = 0) -> tuple[str, str]:
    """The default server and client seeds of simulations."""
    return CONSTANT_SEEDS.get(name, (sha256_hex(f"{seed}:server"), sha256_hex(f"{seed}:client")))


# ---- JavaScript's toFixed ----


def to_fixed(value: float, digits: int) -> str:
    """JavaScript's `value.toFixed(digits)` for 0 <= value < 1e21: the exact binary value, ties rounded up."""
    with localcontext() as context:
        context.prec = 1200  # enough digits for any double
        return f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP):f}"


def to_fixed_by_fractions(value: float, digits: int) -> Fraction:
    """JavaScript's `toFixed` by exact fractions: the nearest n / 10**digits, ties rounded up."""
    scale = 10**digits
    return Fraction(math.floor(Fraction(value) * scale + Fraction(1, 2)), scale)


# ---- draws of the games ----


def below(drawn: float, n: int) -> int:
    return math.floor(drawn * n)


@functools.cache
def counts(n: int) -> list[int]:
    """Return how many of the 2**64 words give each of 0..n-1."""
    starts = [0]
    for answer in range(1, n):
        middle = answer * 2**64 // n
        # Two roundings of at most 2**-53 move a boundary by less than 2**13 words.
        low, high = middle - 2**13, middle + 2**13
        assert below(number(low), n) < answer <= below(number(high), n)
        while low < high:
            word = (low + high) // 2
            low, high = (low, word) if below(number(word), n) >= answer else (word + 1, high)
        starts.append(low)
    return [end - start for start, end in itertools.pairwise([*starts, 2**64])]


def shuffle(drawn: Sequence[float], size: int) -> list[int]:
    """The Fisher-Yates shuffle: each number removes one of the remaining items."""
    left = list(range(size))
    return [left.pop(math.floor(x * len(left))) for x in drawn]


def shuffle_steps(drawn: Sequence[float], size: int) -> list[tuple[int, list[int], list[int]]]:
    """The chosen index, the remaining items, and the permutation so far, for each number."""
    left = list(range(size))
    taken: list[int] = []
    steps = []
    for x in drawn:
        index, before = below(x, len(left)), list(left)
        taken.append(left.pop(index))
        steps.append((index, before, list(taken)))
    return steps


def coefficient_before_rounding(k: int, edge: float) -> float:
    """The coefficient of Crash and Overgo, where `k` is floor(number * 1000000)."""
    return max(1, 1000000 / (k + 1) * (1 - edge))


@functools.lru_cache(maxsize=1 << 20)
def coefficient(k: int, edge: float) -> float:
    return float(to_fixed(coefficient_before_rounding(k, edge), 2))


EDGES = {"crash": 0.05, "overgo": 0.03}


@functools.cache
def all_coefficients_in_cents(name: str) -> list[int]:
    """The million coefficients of Crash or Overgo for k = 0, 1, ..., in cents."""
    edge, cent, up = EDGES[name], Decimal("0.01"), ROUND_HALF_UP
    exact = (Decimal(coefficient_before_rounding(k, edge)) for k in range(1000000))
    return [int(value.quantize(cent, up).scaleb(2)) for value in exact]


# ---- the ten games ----


def mines(server_seed: Seed, client_seed: Seed, salt: Seed, mines: int = 3) -> list[int]:
    return shuffle(random_numbers(server_seed, client_seed, salt, mines), 25)


def tower(server_seed: Seed, client_seed: Seed, salt: Seed, mines: int = 1) -> list[list[int]]:
    drawn = random_numbers(server_seed, client_seed, salt, 40)
    return [shuffle(drawn[4 * row : 4 * row + mines], 5) for row in range(10)]


def slot(server_seed: Seed, client_seed: Seed, salt: Seed, spins: int = 1) -> list[list[int]]:
    stops = []
    for spin in range(spins):
        drawn = numbers_at(server_seed, client_seed, salt, spin, 5)
        stops.append([below(drawn[reel], 41 if reel == 4 else 30) for reel in range(5)])
    return stops


def plinko(server_seed: Seed, client_seed: Seed, salt: Seed, pins: int = 16, balls: int = 1) -> list[int]:
    buckets = []
    for ball in range(balls):
        drawn = numbers_at(server_seed, client_seed, salt, 2 * ball, 8)
        if pins > 8:
            drawn += numbers_at(server_seed, client_seed, salt, 2 * ball + 1, pins - 8)
        buckets.append(sum(below(x, 2) for x in drawn))
    return buckets


def single_number(server_seed: Seed, client_seed: Seed, salt: Seed) -> float:
    return numbers_at(server_seed, client_seed, salt, 0, 1)[0]


def dice(server_seed: Seed, client_seed: Seed, salt: Seed) -> float:
    return below(single_number(server_seed, client_seed, salt), 10001) / 100


def double(server_seed: Seed, client_seed: Seed, salt: Seed) -> int:
    return below(single_number(server_seed, client_seed, salt), 15)


def jackpot(server_seed: Seed, client_seed: Seed, salt: Seed, tickets: int = 1000) -> int:
    return below(single_number(server_seed, client_seed, salt), tickets) + 1


def crash(server_seed: Seed, client_seed: Seed, salt: Seed) -> float:
    return coefficient(below(single_number(server_seed, client_seed, salt), 1000000), EDGES["crash"])


def overgo(server_seed: Seed, client_seed: Seed, salt: Seed) -> float:
    return coefficient(below(single_number(server_seed, client_seed, salt), 1000000), EDGES["overgo"])


def x50(server_seed: Seed, client_seed: Seed, salt: Seed) -> int:
    return below(single_number(server_seed, client_seed, salt), 54)


GAMES: dict[str, Callable] = {
    "mines": mines,
    "tower": tower,
    "slot": slot,
    "plinko": plinko,
    "dice": dice,
    "double": double,
    "jackpot": jackpot,
    "crash": crash,
    "overgo": overgo,
    "x50": x50,
}


def outcome_shape(name: str, parameters: dict) -> tuple[int, ...]:
    """The shape of a round's outcome."""
    return {
        "mines": lambda: (parameters.get("mines", 3),),
        "tower": lambda: (10, parameters.get("mines", 1)),
        "slot": lambda: (parameters.get("spins", 1), 5),
        "plinko": lambda: (parameters.get("balls", 1),),
    }.get(name, tuple)()
