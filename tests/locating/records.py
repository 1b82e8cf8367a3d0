"""Made records of games on a chain: holes, swapped neighbors, either direction, one outcome changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import provably_fair as pf

GAMES: dict[str, Any] = {
    "blaze.double": pf.operators.blaze.Double(),
    "blaze.crash": pf.operators.blaze.Crash(),
    "bustabit.v1": pf.operators.bustabit.V1(),
    "bustabit.v2": pf.operators.bustabit.V2(),
    "stake.crash": pf.operators.stake.Crash(),
}
LENGTH = 20_000
"""The games of a chain."""
_AROUND = 8


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
    def is_told(self) -> bool:
        """Whether one row alone can be the changed one: tried are all places of the rows around it.

        If it shows what a neighbor shows, next to a hole, either of them may be the changed one; and it may
        lie in two places, if a neighbor has two.
        """
        first, last = max(self.changed - _AROUND, 0), min(self.changed + _AROUND, len(self.rows) - 1)
        step = 1 if self.places[last] > self.places[first] else -1
        outcomes, end = chain(self.name)[1], int(self.places[last])
        readings: set[tuple[int, int]] = set()

        def read(row: int, place: int, differs: tuple[int, int] | None) -> None:
            if self.rows[row] != outcomes[place]:
                if differs is not None:
                    return
                differs = (row, place)
            if row == last:
                if differs is not None:
                    readings.add(differs)
                return
            final = end - step * (last - row - 1)
            for after in [end] if row + 1 == last else range(place + step, final + step, step):
                read(row + 1, after, differs)

        read(first, int(self.places[first]), None)
        return readings == {(self.changed, int(self.places[self.changed]))}


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


def found(record: Record, **options: Any) -> pf.locating.Location:
    """Return the location of a record."""
    anchor = chain(record.name)[0]
    return pf.locate(record.rows, GAMES[record.name], anchor=anchor, limit=LENGTH - 1, **options)


def random_series(name: str, rows: int, seed: int) -> np.ndarray:
    """Return independent outcomes of a game."""
    return np.asarray(GAMES[name].simulate(rows, seed=seed), np.float64)
