"""Made records of games on a chain: holes, swapped neighbors, either direction, one outcome changed."""

from __future__ import annotations

import hashlib
import hmac
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import provably_fair as pf
from oracles.schemes import to_precision

GAMES: dict[str, Any] = {
    "blaze.double": pf.operators.blaze.Double(),
    "blaze.crash": pf.operators.blaze.Crash(),
    "bustabit.v1": pf.operators.bustabit.V1(),
    "bustabit.v2": pf.operators.bustabit.V2(),
    "stake.crash": pf.operators.stake.Crash(),
}
LENGTH = 20_000
"""The games of a chain."""
_AROUND, _BEYOND = 8, 60
_SWAPS = 1.5
"""Swapped pairs of a record, on average."""


@cache
def chain(name: str, length: int = LENGTH) -> tuple[str, np.ndarray]:
    """Return the last hash of a chain, and all outcomes, the newest first."""
    game = GAMES[name]
    hashes = game.kind.chain.generate(name, length)[::-1]
    return hashes[0].decode(), np.asarray(game.play(game_hash=hashes), np.float64)


@dataclass
class Record:
    """A record, with the place of each row."""

    name: str
    rows: np.ndarray
    places: np.ndarray
    changed: int
    swapped: list[int]

    @property
    def between_neighbors(self) -> bool:
        """Whether the changed row lies between its neighbors on the chain, undisturbed."""
        row = self.changed
        around = range(row - _AROUND - 1, row + _AROUND + 1)
        if not 0 < row < len(self.rows) - 1 or set(around) & set(self.swapped):
            return False
        return abs(int(self.places[row + 1] - self.places[row - 1])) == 2

    @property
    def chance(self) -> float:
        """The posterior probability that the changed row was changed, if records are made as by `planted`.

        It is a sum over all alignments of the rows around this one with the chain. Holes and swapped pairs
        are as frequent as in `planted`; each row was changed with a probability of one over their number, as
        nothing in a record shows that only one was. Rows farther away have their true places, unless the
        record ends before them.
        """
        first, last = max(self.changed - _AROUND, 0), min(self.changed + _AROUND, len(self.rows) - 1)
        step = 1 if self.places[last] > self.places[first] else -1
        before, after = (_BEYOND * end for end in (first == 0, last == len(self.rows) - 1))
        places = np.arange(self.places[first] - step * before, self.places[last] + step * (after + 1), step)
        places = places[(places >= 0) & (places < LENGTH)]
        outcomes = chain(self.name)[1]
        rows, games = self.rows[first : last + 1, None], outcomes[places]
        one = 1 / len(self.rows)
        missing = 1 - (len(self.rows) - 1) / abs(int(self.places[-1] - self.places[0]))
        steps = np.arange(len(places)) - np.arange(len(places))[:, None]
        holes = np.where(steps > 0, (1 - missing) * missing ** np.maximum(steps - 1.0, 0), 0)
        frequency = np.array([np.mean(outcomes == row) for row in rows.ravel()])[:, None]
        shown = np.where(rows == games, 1 - one, one * frequency)
        changed = shown.copy()
        changed[self.changed - first, rows[self.changed - first] == games] = 0

        def likelihood(shown: np.ndarray) -> float:
            came = np.full(len(places), 1.0)
            if first > 0:
                came = np.where(places == self.places[first], came, 0)
            pairs = np.zeros(len(places))
            for row, now in enumerate(shown):
                here = (1 - _SWAPS * one) * came * now
                if row > 0:
                    here += pairs @ holes * shown[row - 1]
                if row + 1 < len(shown):
                    pairs = _SWAPS * one * came * shown[row + 1] * (rows[row] != rows[row + 1])
                came = here @ holes
            return float(here.sum() if after else here[places == self.places[last]].sum())

        return likelihood(changed) / likelihood(shown)


def planted(name: str, seed: int) -> Record:
    """Return a record with one changed outcome: 100 to 5,000 rows, up to a fifth of the games missing."""
    rng = np.random.default_rng([seed, *name.encode()])
    outcomes = chain(name)[1]
    rows = round(np.exp(rng.uniform(np.log(100), np.log(5000))))
    missing = rng.uniform(0, 0.2)
    there = np.flatnonzero(rng.random(LENGTH - 1) >= missing) + 1
    first = int(rng.integers(0, len(there) - rows))
    places = there[first : first + rows]
    swapped: list[int] = []
    for row in rng.integers(0, rows - 1, rng.integers(0, 4)).tolist():
        apart = all(abs(row - other) > 2 for other in swapped)
        if apart and outcomes[places[row]] != outcomes[places[row + 1]]:
            swapped.append(row)
            places[[row, row + 1]] = places[[row + 1, row]]
    changed = int(rng.integers(rows))
    record = outcomes[places].copy()
    others = outcomes[outcomes != record[changed]]
    record[changed] = rng.choice(others)
    if rng.random() < 0.5:
        record, places, changed = record[::-1].copy(), places[::-1].copy(), rows - 1 - changed
        swapped = [rows - 2 - row for row in swapped]
    return Record(name, record, places, changed, sorted(swapped))


def locate(name: str, rows: Any, **options: Any) -> pf.locating.Location:
    """Return the location of rows on the chain of a game."""
    return pf.locate(rows, GAMES[name], anchor=chain(name)[0], limit=LENGTH - 1, **options)


def found(record: Record) -> pf.locating.Location:
    """Return the location of a record."""
    return locate(record.name, record.rows)


def random_series(name: str, rows: int, seed: int) -> np.ndarray:
    """Return independent outcomes of a game."""
    return np.asarray(GAMES[name].simulate(rows, seed=seed), np.float64)


@dataclass
class Clone:
    """A simulated clone of one of bustabit's rules, and a record of its games."""

    name: str
    exact: str
    """Its name without rounding, which few rows show."""
    salt: str
    divisor: int | None
    digits: int | None
    anchor: str
    hashes: list[str]
    outcomes: list[float]
    rows: list[float]
    """A record without hashes: with holes, misread cells, in either order."""


def hashes_of(secret: str, games: int, *, of_bytes: bool = False) -> list[str]:
    """Return the hashes of a chain in playing order."""
    text, found = hashlib.sha256(secret.encode()).hexdigest(), []
    for _ in range(games):
        found.append(text)
        text = hashlib.sha256(bytes.fromhex(text) if of_bytes else text.encode()).hexdigest()
    return found[::-1]


def divisible(game_hash: str, salt: str, divisor: int, instant: float) -> float:
    """The first rule in plain Python."""
    digest = int(hmac.new(game_hash.encode(), salt.encode(), "sha256").hexdigest(), 16)
    x = digest >> 204
    return instant if digest % divisor == 0 else math.floor((100 * 2**52 - x) / (2**52 - x)) / 100


def raw(game_hash: str, salt: str, edge: Fraction, reads: str = "bytes", digits: int | None = None) -> float:
    """The second rule in plain Python."""
    message = bytes.fromhex(game_hash) if reads == "bytes" else game_hash.encode()
    number = int(hmac.new(salt.encode(), message, "sha256").hexdigest()[:13], 16) / 2**52
    number = to_precision(number, digits) if digits else number
    return max(1.0, math.floor(float(100 * (1 - edge)) / (1 - number)) / 100)


def record_of(rng: np.random.Generator, outcomes: list[float], misread: int) -> list[float]:
    """Return a record with gaps and some misread cells, in either order."""
    there = np.flatnonzero(rng.random(len(outcomes)) >= rng.uniform(0, 0.15))
    record = np.array(outcomes)[there]
    for row in rng.integers(0, len(record), misread).tolist():
        record[row] = round(record[row] * 10 + 1, 2)
    return record[:: rng.choice([1, -1])].tolist()


def clone_of(seed: int) -> Clone:
    """Return a clone with a divisor from 10 to 120, or an edge of up to 5 %, in plain Python."""
    rng = np.random.default_rng([seed, 4])
    of_bytes, reads = bool(rng.integers(2)), ("text", "bytes")[rng.integers(2)]
    hashes, salt = hashes_of(f"clone {seed}", 3000, of_bytes=of_bytes), f"salt {seed}"
    games = int(rng.integers(100, 1500))
    first = int(rng.integers(0, 3000 - games))
    played = hashes[first : first + games]
    digits = 9 if seed % 4 == 0 else None
    if seed % 2:
        divisor, instant = int(rng.integers(10, 121)), int(rng.integers(2))
        name = f"crash.divisible:divisor={divisor}" + (f",instant={instant}.0" if instant else "")
        name = name.replace("divisor=101,", "").replace(":divisor=101", "")
        outcomes = [divisible(one, salt, divisor, float(instant)) for one in played]
    else:
        divisor, edge = None, int(rng.integers(0, 51))
        name = f"crash.raw:edge={edge / 1000:g}" if edge != 10 else "crash.raw"
        outcomes = [raw(one, salt, Fraction(edge, 1000), reads, digits) for one in played]
    rows, exact = record_of(rng, outcomes, games // 500), name
    if digits:
        name += ("," if ":" in name else ":") + f"digits={digits}"
    return Clone(name, exact, salt, divisor, digits, hashes[-1], played, outcomes, rows)


MOVES = ("late", "rotations", "some", "tens", "pages", "parts")
"""How rows of a record were moved: one came two places late, three each rotated, 3 % moved by 2 to 8 places,
shuffled within tens, pages in reverse order, two parts exchanged."""


def moved(name: str, how: str, seed: int, missing: float = 0.0) -> Record:
    """Return an honest record of 300 rows, of which some were moved; a share of the games is missing."""
    rng = np.random.default_rng([seed, *name.encode(), *how.encode()])
    rows = 300
    there = np.flatnonzero(rng.random(LENGTH - 1) >= missing) + 1
    first = int(rng.integers(0, len(there) - rows))
    order = list(range(rows))
    if how == "late":
        row = int(rng.integers(2, rows - 3))
        order.insert(row + 2, order.pop(row))
    elif how == "rotations":
        for row in rng.choice(rows // 3, 6, replace=False).tolist():
            one = order[3 * row : 3 * row + 3]
            order[3 * row : 3 * row + 3] = one[1:] + one[:1] if rng.random() < 0.5 else one[-1:] + one[:-1]
    elif how == "some":
        for row in rng.choice(rows, 9, replace=False).tolist():
            place = order.index(row)
            order.insert(max(place + int(rng.integers(2, 9) * rng.choice([-1, 1])), 0), order.pop(place))
    elif how == "tens":
        order = [ten + one for ten in range(0, rows, 10) for one in rng.permutation(10).tolist()]
    elif how == "pages":
        size = int(rng.choice([10, 20, 25, 50, 100]))
        order = [page + one for page in reversed(range(0, rows, size)) for one in range(size)]
    elif how == "parts":
        middle = int(rng.integers(50, 250))
        order = order[middle:] + order[:middle]
    places = there[first : first + rows][order]
    if rng.random() < 0.5:
        places = places[::-1].copy()
    return Record(name, chain(name)[1][places], places, -1, [])
