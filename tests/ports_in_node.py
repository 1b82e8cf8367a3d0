"""Ports run in node: rounds of every kind, and what node makes of them, doubles by their 64 bits.

`play` runs the ports of many games in one process. `fields_like` makes rounds that are easily read wrongly,
`random_scheme` schemes of any parts, and `RULES` games that use every operation of a port.
"""

from __future__ import annotations

import json
import random
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import PYTHON
from provably_fair import names
from provably_fair.operators.registry import LISTED
from provably_fair.ports.expressions import WRITTEN
from provably_fair.ports.modules import javascript, refusal_of
from provably_fair.seeds.schemes import hex_fields, kind_of, spelled, widths

PORTS = PYTHON / "provably_fair" / "ports"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

_PLAYER = """
import { readFileSync, writeFileSync } from "node:fs";
const bits = (value) => {
  if (Array.isArray(value)) return value.map(bits);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
};
const jobs = JSON.parse(readFileSync(process.argv[2], "utf8"));
const found = [];
for (const { module, what, rounds } of jobs) {
  let played;
  try {
    const port = await import(module);
    played = rounds.map((fields) => {
      try {
        const result = port[what](fields);
        return { result: what === "outcome" ? bits(result) : result };
      } catch (error) {
        return { error: String(error), field: error.field };
      }
    });
  } catch (error) {
    played = { error: String(error) };
  }
  found.push(played);
}
writeFileSync(process.argv[3], JSON.stringify(found));
"""


def play(
    ports: Sequence[pf.Game | str],
    rounds: Sequence[Sequence[Mapping[str, Any]]],
    what: str = "outcome",
    timeout: float = 3600,
) -> list[Any]:
    """Return what the ports of games, or texts of ports, make of their rounds: results, or errors."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        install_hashes(folder)
        (folder / "play.mjs").write_text(_PLAYER, encoding="utf-8")
        jobs = []
        for place, (port, of) in enumerate(zip(ports, rounds, strict=True)):
            module = folder / f"port{place}.mjs"
            module.write_text(port if isinstance(port, str) else javascript(port), encoding="utf-8")
            own = [{key: exact(value) for key, value in one.items()} for one in of]
            jobs.append({"module": str(module), "what": what, "rounds": own})
        (folder / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
        command = ["node", "play.mjs", "jobs.json", "found.json"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=timeout)
        found: list[Any] = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    return found


def install_hashes(folder: Path) -> None:
    """Put @noble/hashes, as it is bundled, where node finds it."""
    package = folder / "node_modules" / "@noble" / "hashes"
    package.mkdir(parents=True)
    about = {"name": "@noble/hashes", "type": "module", "exports": {"./*.js": "./hashes.js"}}
    (package / "package.json").write_text(json.dumps(about), encoding="utf-8")
    exported = f"export {{ {', '.join(HASHES)} }};"
    (package / "hashes.js").write_text(f"{hashes()}\n{exported}\n", encoding="utf-8")


HASHES = [name for of in WRITTEN["noble"].values() for name in of]


def hashes() -> str:
    """Return the bundled hashes as constants."""
    bundle = (PORTS / "hashes.js").read_text(encoding="utf-8")
    return f"{bundle}\nconst {{ {', '.join(HASHES)} }} = HASHES;"


def exact(value: Any) -> Any:
    """Return a field as JSON holds it: whole numbers beyond 2**53 as text."""
    value = value.item() if isinstance(value, np.generic) else value
    return str(value) if isinstance(value, int) and value > 2**53 else value


def bits(outcome: Any) -> Any:
    """Return an outcome with each number as its 64 bits; -0 is 0."""
    plain = np.asarray(outcome).tolist()
    if isinstance(plain, list):
        return [bits(one) for one in plain]
    return struct.pack(">d", float(plain) + 0).hex()


def expected(game: pf.Game, rounds: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return what the package makes of rounds, each alone: bits, or None where it raises."""
    try:
        columns = {name: [one[name] for one in rounds] for name in rounds[0]}
        return [bits(one) for one in np.asarray(game.play(**columns))]
    except (ValueError, TypeError, KeyError, OverflowError):
        return [_alone(game, one) for one in rounds]


def _alone(game: pf.Game, one: Mapping[str, Any]) -> Any:
    try:
        return bits(game.play(**one))
    except (ValueError, TypeError):
        return None


def differing(game: pf.Game, rounds: Sequence[Any], found: Any) -> list[Any]:
    """Return the rounds in which node and the package differ, with both outcomes."""
    if isinstance(found, dict):
        return [found["error"]]
    wanted = expected(game, rounds)
    return [
        (one, got, want)
        for one, got, want in zip(rounds, found, wanted, strict=True)
        if got.get("result") != want
    ]


def all_games() -> list[pf.Game]:
    """The games of `provably-fair games` that can be ported."""
    games = [game for operator in LISTED for game in names.named_games(operator).values()]
    return [game for game in games if refusal_of(game) is None]


_TEXTS: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: f"{rng.getrandbits(256):064x}",
    lambda rng: f" Zürich {rng.random()} 🎲\t",
    lambda _: "",
    lambda rng: "A" * rng.randrange(300),
    lambda rng: "".join(chr(rng.randrange(1, 0x800)) for _ in range(20)),
    lambda rng: f"{rng.getrandbits(64)}",
)


def fields_like(game: pf.Game, count: int, seed: Any = 1) -> list[dict[str, Any]]:
    """Return rounds of a game, with seeds and numbers of many forms."""
    rng, scheme = random.Random(f"{game!r} {seed}"), game.scheme
    others = [one for one in (scheme.read_on,) if isinstance(one, pf.Hash)]
    of_bytes = {name for one in (scheme.hash, *others) for name in hex_fields(one)}
    rounds = []
    for _ in range(count):
        row: dict[str, Any] = {}
        for name in scheme.fields:
            if name in scheme.defaults and rng.random() < 0.5:
                row[name] = scheme.defaults[name]
            elif name in spelled(scheme):
                row[name] = f"{rng.getrandbits(256):064x}"
            elif name in of_bytes:
                text = rng.randbytes(rng.choice([0, 8, 32, 32, 100])).hex()
                row[name] = text.upper() if rng.random() < 0.2 else text
            elif name in widths(scheme) or kind_of(scheme, name) == "number":
                most = widths(scheme).get(name, 2**64 - 1)
                row[name] = min(
                    most, rng.choice([rng.randrange(20), rng.getrandbits(32), rng.getrandbits(64)])
                )
            else:
                row[name] = rng.choice(_TEXTS)(rng)
        rounds.append(row)
    return rounds


# ---- schemes of any parts ----

_ALGORITHMS = ("md5", "sha1", "sha256", "sha384", "sha512", "sha3_256", "sha3_384", "sha3_512")
_ALGORITHMS += ("keccak256", "blake2b", "blake3")
_PARTS = ("{server_seed}", "{client_seed}", "{nonce}", "{cursor}", ":", '`${x}`\\ "', "{server_seed:bytes}")
_PARTS += (
    "{nonce:08}",
    "{nonce:u32le}",
    "{cursor:u16be}",
    "{cursor:03}",
    "{label}",
    "{beacon:utf8}",
    "{{}}",
    "é",
)
_BELOW = ("scale", "modulo", "reject", "reject_last", "multiply", "digest", "double", "nearest", "decimal")


def random_template(rng: random.Random, depth: int = 0) -> Any:
    parts: list[Any] = []
    for _ in range(rng.randrange(1, 5)):
        if depth < 2 and rng.random() < 0.2:
            parts.append(random_hash(rng, depth + 1))
        else:
            parts.append("".join(rng.choice(_PARTS) for _ in range(rng.randrange(1, 4))))
    return parts


def random_hash(rng: random.Random, depth: int = 0) -> pf.Hash:
    key = random_template(rng, depth) if rng.random() < 0.5 else None
    return pf.Hash(rng.choice(_ALGORITHMS), random_template(rng, depth), key=key, raw=rng.random() < 0.5)


def random_scheme(rng: random.Random) -> pf.Scheme:
    """Return a scheme of random parts that go together."""
    while True:
        try:
            hash = random_hash(rng)
            read_on: Any = rng.choice([None, None, 1, 1, 3, 1_000_000])
            if rng.random() < 0.2:
                read_on = pf.Hash(
                    hash.name, ["{digest}", rng.choice(["", "{client_seed}", "{digest:bytes}"])]
                )
            bits: Any = rng.choice([4, 8, 8, 16, 20, 32, 32, 44, 52, 56, 60, 64, 64, "range"])
            return pf.Scheme(
                hash,
                bits=bits,
                words=rng.choice([None, None, 1, 2]),
                below=rng.choice(_BELOW),
                digits=rng.choice([None, None, 3, 9, 15]),
                read_on=read_on,
                first_cursor=rng.choice([0, 0, 1, 7]),
                defaults={"label": "usual"} if rng.random() < 0.8 else {},
            )
        except (ValueError, TypeError):
            continue  # parts that don't go together


# ---- games that use every draw and every operation ----


class Several(pf.Game):
    def outcome(self, draws):
        draws.note("one half", 0.5)
        own = [draws.below(10), draws.coin(), draws.weighted([3, 0, 5]), draws.below(56)]
        return np.stack([*own, draws.below(own[0] + 1)], axis=1)


class Numbers(pf.Game):
    def outcome(self, draws):
        return np.concatenate([draws.each(3).number(), draws.number()[:, np.newaxis]], axis=1)


class Orders(pf.Game):
    def outcome(self, draws):
        first = [draws.sample(9, 4), draws.shuffle(6), draws.shuffle(7, 3)]
        return np.concatenate([*first, draws.swaps(5), draws.shuffle(1)], axis=1)


class Different(pf.Game):
    def outcome(self, draws):
        return draws.distinct(20, 8)


class Labeled(pf.Game):
    def outcome(self, draws):
        found = []
        for label in ("one", "two", "one"):
            draws.label(label)
            found.append(draws.below(50))
        return np.stack(found, axis=1)


class Wide(pf.Game):
    def outcome(self, draws):
        return np.stack([draws.below(n) for n in (1, 200, 256, 257, 70_000, 2**33, 2**53)], axis=1)


class Skipped(pf.Game):
    def outcome(self, draws):
        first = draws.each(3, "row", 2).below(7)
        draws.skip(3)
        return first[:, :, 0] * 10 + draws.below(9)[:, np.newaxis]


class Joined(pf.Game):
    """Truths and numbers beside each other, by vectors and by single values."""

    def outcome(self, draws):
        few = draws.each(3).below(3)
        rows = np.stack([few, few > 1], axis=1).sum(axis=1)
        large = (np.concatenate([few, few + 2**60], axis=1) % 7).astype(float)
        single = np.column_stack([draws.each(2).coin() == 1, draws.below(5), draws.number()])
        return np.concatenate([rows, few > 0, large, single], axis=1)


class Rejected(pf.Game):
    """Half of all words of 52 bits are passed over, so that digests are used up."""

    def outcome(self, draws):
        return draws.each(9).below(2**51 + 1)


RULES = (Several, Numbers, Orders, Different, Labeled, Wide, Skipped, Joined, Rejected)

TABLE = np.array([0.5, 1.25, 2.0, 2.0, 7.75, 9.0, 11.0, 12.5])


class Drawn:
    """The drawn values on which operations are tried."""

    def __init__(self, draws):
        self.a = draws.below(1000) - 500
        self.b = draws.below(7) + 1
        self.big = (self.a + 500) * 2**50 + self.b
        self.f = draws.number() * 20 - 10
        self.r = draws.each(4).below(9)
        self.q = draws.each(5).number()
        self.m = draws.each(2, None, 3).below(10)


OPERATIONS: dict[str, Callable[[Drawn], Any]] = {
    "sums": lambda d: np.stack([d.a + d.b, d.a - d.b, d.a * d.b, d.a * 0], axis=1) + 1.5,
    "signs of zeros": lambda d: 1.0 / (d.a * 0 + 0.0 * d.b),
    "quotients": lambda d: np.stack([d.a / d.b, (d.a // d.b) * 1.0, (d.a % d.b) / 2, 7 / d.b], axis=1),
    "negative divisors": lambda d: np.stack([(d.a * 1.0) // -d.b, (d.a * 1.0) % -d.b, d.f % -1.5], axis=1),
    "quotients of doubles": lambda d: np.stack([d.f // 1.5, d.f // -0.1, d.f % 1.5, d.f % 0.1], axis=1),
    "ones": lambda d: np.stack([-d.f, abs(d.f), np.floor(d.f), np.ceil(d.f), np.trunc(d.f)], axis=1),
    "roundings": lambda d: np.stack([np.rint(d.f), np.round(d.f, 2), d.f.round(), np.rint(d.b / 2)], axis=1),
    "roots": lambda d: np.stack(
        [np.sqrt(abs(d.f)), np.square(d.f), np.reciprocal(d.f), np.sign(d.f)], axis=1
    ),
    "whole numbers": lambda d: np.stack([-d.a, abs(d.a), np.floor(d.a).astype(int), ~d.a, +d.a], axis=1),
    "shifts": lambda d: np.stack(
        [(d.a + 500) << d.b, (d.a + 500) >> d.b, d.a << 5, (d.a + 500) >> 3], axis=1
    ),
    "bits": lambda d: np.stack([(d.a + 500) & 12, (d.a + 500) | d.b, (d.a + 500) ^ 7], axis=1),
    "many bits": lambda d: ((d.a + 500) << 40) & ((d.b << 42) | 2**41) ^ (2**50 - 1),
    "bounds": lambda d: np.stack([np.maximum(d.a, d.f), np.minimum(d.b, 3.5), np.clip(d.f, -2, 2)], axis=1),
    "bounds of whole ones": lambda d: np.stack([np.clip(d.a, -5, 5), np.maximum(d.a, d.b)], axis=1),
    "choices": lambda d: np.stack([np.where(d.a > 0, d.f, d.b), np.where(d.b - 3, d.f, 1)], axis=1),
    "comparisons": lambda d: np.stack(
        [d.a < d.b, d.a <= 3, d.a > d.f, d.a >= d.b, d.b == 3, d.b != d.a], axis=1
    ),
    "truth": lambda d: np.stack(
        [
            *((d.a > 0) & (d.b > 3), (d.a > 0) | (d.b > 3), (d.a > 0) ^ (d.b > 3), ~(d.a > 0)),
            *(np.logical_and(d.a, d.b - 1), np.logical_not(d.b - 3), np.logical_xor(d.a, d.f)),
        ],
        axis=1,
    ),
    "truth as numbers": lambda d: (
        ((d.a > 0) + (d.b > 3)) * 2 + (d.f > 0) * 0.5 + np.maximum(d.a > 3, d.b > 2)
    ),
    "tables": lambda d: np.stack(
        [
            *(np.take_along_axis(TABLE, d.b, axis=0), np.take_along_axis(TABLE, d.b - 8, axis=0)),
            *(np.searchsorted(TABLE, d.f, side="right") * 1.0, np.searchsorted(TABLE, d.b) * 1.0),
        ],
        axis=1,
    ),
    "members": lambda d: np.isin(d.r, [1, 4, 8]),
    "along": lambda d: np.stack(
        [
            *(d.r.sum(axis=1), d.r.max(axis=1), d.r.min(axis=1), d.r.argmax(axis=1), d.r.argmin(axis=1)),
            *(np.count_nonzero(d.r > 4, axis=1), (d.r > 7).any(axis=1) * 1, (d.r > 1).all(axis=1) * 1),
        ],
        axis=1,
    ),
    "along of doubles": lambda d: np.stack([d.q.mean(axis=1), d.q.sum(axis=1), d.q.prod(axis=1)], axis=1),
    "truth along": lambda d: np.stack([(d.r > 4).min(axis=1), (d.r > 4).max(axis=1)], axis=1),
    "running": lambda d: np.concatenate([np.cumsum(d.r, axis=1), np.sort(d.r, axis=1)], axis=1),
    "running of doubles": lambda d: np.concatenate(
        [np.cumprod(d.q, axis=1), np.minimum.accumulate(d.q, axis=1), np.maximum.accumulate(d.q, axis=1)],
        axis=1,
    ),
    "zeros of quotients": lambda d: np.stack(
        [
            *(1.0 / (d.a % 5), 1.0 / (d.a // 999), 1.0 / (d.f * 0 // -3.0)),
            *(1.0 / (d.a * 0.5 % 1.5), 1.0 / (d.a * 0.5 % -1.5), 1.0 / np.sign(d.f * 0)),
            *(1.0 / np.rint(d.f / 10), 1.0 / np.round(d.f / 10, 1)),
        ],
        axis=1,
    ),
    "quotients of large doubles": lambda d: np.stack(
        [
            *(d.a * 1.0 // np.inf, d.a * 1.0 // -np.inf, d.f * 1e300 // 1e-5),
            *((d.f * 1e17) // (d.b * x) for x in (0.1, 0.3, -0.7, 1.7, 2.3)),
        ],
        axis=1,
    ),
    "first of truth": lambda d: np.stack([(d.r > 4).argmax(axis=1), (d.r > 4).argmin(axis=1)], axis=1),
    "tables beyond doubles": lambda d: np.stack(
        [
            *(np.searchsorted([2**58, 2**58 + 2], 2**58 + d.b - 2, side=s) for s in ("left", "right")),
            *(np.isin(2**58 + d.b, [2**58 + 1]) * 1, np.isin(2**58 + d.b, [2.0**58]) * 1),
        ],
        axis=1,
    ),
    "searches of NaN": lambda d: np.stack(
        [np.searchsorted(TABLE, np.sqrt(d.f), side=side) * 1.0 for side in ("left", "right")], axis=1
    ),
    "not a number": lambda d: np.stack(
        [
            *((np.sqrt(d.q - 0.5)).argmax(axis=1) * 1.0, (np.sqrt(d.q - 0.5)).argmin(axis=1) * 1.0),
            *((np.sqrt(d.q - 0.5)).any(axis=1) * 1.0, np.sort(np.sqrt(d.q - 0.5), axis=1)[:, 0]),
            *(np.where(np.sqrt(d.f), 1.5, 2.5), np.maximum(np.sqrt(d.f), 1.0), np.sqrt(d.f) % 2),
        ],
        axis=1,
    ),
    "orders": lambda d: np.take_along_axis(d.q, np.argsort(d.q, axis=1)[:, :3], axis=1),
    "planes": lambda d: np.concatenate(
        [d.m.sum(axis=1), d.m.max(axis=2), d.m.sum(axis=(1, 2))[:, None]], axis=1
    ),
    "kept axes": lambda d: d.m - d.m.max(axis=1, keepdims=True) * np.array([[1, 2, 3]]),
    "chosen of planes": lambda d: np.take_along_axis(d.m, np.argmax(d.m, axis=1)[:, None, :], axis=1),
    "deep": lambda d: np.concatenate(
        [
            *((d.m * d.m.max(axis=2, keepdims=True)).reshape(-1, 6), np.cumsum(d.m, axis=2).reshape(-1, 6)),
            np.take_along_axis(d.m, np.argmax(d.m, axis=2)[:, :, None], axis=2)[:, :, 0],
            np.take_along_axis(d.m, d.r[:, None, :1] % 3, axis=2)[:, :, 0],
            np.take_along_axis(d.m, d.r[:, :1, None] % 2, axis=1)[:, 0],
        ],
        axis=1,
    ),
    "moves": lambda d: np.concatenate(
        [np.swapaxes(d.m, 1, 2).reshape(-1, 6), np.flip(d.r, axis=1), np.roll(d.r, 1, axis=1), d.r[:, ::2]],
        axis=1,
    ),
    "parts": lambda d: np.stack(
        [d.r[:, 1], d.m[:, 0, 2], d.m[:, :, 1].sum(axis=1), d.r[:, 1:3].sum(axis=1)], axis=1
    ),
    "rows": lambda d: np.stack([d.m[:, 0], d.m[:, 1], d.m[:, 0]], axis=1),
    "none of a row": lambda d: np.concatenate([d.r[:, :0], d.r], axis=1),
    "broadcast": lambda d: d.m * d.r[:, :1, np.newaxis] + np.array([0.5, 1.5, 2.5]),
    "beyond doubles": lambda d: np.stack(
        [
            *(d.big % 7, d.big // 3 % 1000, d.big >> 20, (d.big - 5 * d.b) % 11, (d.big & 2**52) >> 40),
            *((d.big > 2**55) * 1, np.where(d.big > 2**54, d.big, 0) % 13, (-d.big) % 17, -(-d.big // 9) % 5),
        ],
        axis=1,
    ),
    "beyond doubles, as doubles": lambda d: np.stack(
        [d.big.astype(float), d.big / 3, d.big * 0.5, (d.f * 2.0**58).astype(int) % 1000 * 1.0], axis=1
    ),
    "casts": lambda d: np.stack([d.f.astype(int), (d.a > 0).astype(int), d.f.astype(bool) * 1], axis=1),
}


def operation(name: str) -> pf.Game:
    """Return a game whose outcome is what an operation makes of drawn values."""

    class Tried(pf.Game):
        scheme = pf.operators.stake.Dice.scheme

        def outcome(self, draws):
            return OPERATIONS[name](Drawn(draws))

    return Tried()


def random_game(rng: random.Random) -> pf.Game | None:
    """Return a game of `RULES` under a random scheme; None if they don't go together."""
    scheme = random_scheme(rng)
    game = rng.choice(RULES)()
    if isinstance(game, Different) and (scheme.below == "double" or scheme.bits == 4):
        return None  # few values come at all, and would be drawn again and again
    try:
        game = game.with_scheme(scheme)
    except (ValueError, TypeError):
        return None
    return game if refusal_of(game) is None else None


_CURSORS = pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}")
_ONE = pf.Hash("sha256", "{server_seed}:{nonce}")
_AGAIN = pf.Hash("sha256", "{digest}{client_seed}")
SCHEMES: tuple[dict[str, Any], ...] = (
    *({"bits": "range", "below": below} for below in ("modulo", "multiply", "reject")),
    *({"bits": 8, "below": below, "read_on": 1} for below in ("reject", "reject_last", "decimal")),
    *({"bits": 8, "below": below, "read_on": 3, "words": 5} for below in ("reject", "decimal")),
    *({"bits": 8, "below": "reject_last", "words": words, "read_on": 1} for words in (1, 30)),
    {"bits": 8, "below": "reject", "read_on": _AGAIN},
    {"hash": _ONE, "bits": 8, "below": "reject", "read_on": _AGAIN},
    {"hash": _ONE, "bits": 4, "below": "modulo", "read_on": _AGAIN, "words": 3},
    {"hash": _ONE, "bits": 8, "below": "decimal"},
    *({"bits": 32, "below": below, "words": 1} for below in ("nearest", "multiply", "digest", "double")),
    *({"bits": bits, "below": "modulo", "first_cursor": 2} for bits in (12, 20, 44, 60)),
    {"bits": 64, "below": "scale", "digits": 12},
    *({"bits": 52, "below": "reject", "read_on": read_on} for read_on in (1, 3, _AGAIN)),
    *({"bits": 52, "below": "reject_last", "read_on": read_on, "words": 2} for read_on in (1, 3, _AGAIN)),
    *(
        {"hash": _ONE, "bits": 52, "below": "reject", "read_on": _AGAIN, "words": words}
        for words in (None, 2)
    ),
)
"""Parts of schemes of each kind, of which random ones have few."""


def games_of_schemes() -> list[pf.Game]:
    """Return the games of `RULES` under each of `SCHEMES` that has words for them."""
    games = []
    for parts in SCHEMES:
        for rule in RULES:
            few = parts["bits"] == 4 or parts["below"] == "double"  # values that are drawn again and again
            if rule is Labeled or (rule is Different and few):
                continue
            with suppress(ValueError, TypeError):
                game = rule().with_scheme(pf.Scheme(**{"hash": _CURSORS, **parts}))
                if refusal_of(game) is None:
                    games.append(game)
    return games
