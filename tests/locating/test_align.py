"""Alignments against a plain sum over every possible record, and p-values against exact fractions."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from provably_fair._engine import align_chain

# The model as `src/locating/model.rs` states it.
MISREAD, SWAP, TWICE, FOREIGN = (Fraction(1, 10**power) for power in (3, 4, 8, 10))
JUMP, LEAVE, ENTER, BEGIN = Fraction(1, 10**5), Fraction(1, 10**6), Fraction(1, 1000), Fraction(99, 100)
AGAIN = Fraction(1, 2)
GO_ON, GO_ON_FOREIGN = 1 - TWICE - FOREIGN - JUMP - LEAVE, 1 - AGAIN - LEAVE
MODEL = (0.3, 2.0)


@cache
def hole(games: int, share: Any = MODEL[0], mean: Any = MODEL[1]) -> Any:
    """The probability that this many games are missing between two rows: a fraction if the model's are."""
    if games == 0:
        return 1 - share
    short = Fraction(998, 1000) / mean * (1 - 1 / mean) ** (games - 1)
    return share * (short + Fraction(2, 1000) / 60 * Fraction(59, 60) ** (games - 1))


Path = list[tuple[int, int, bool]]
Places = dict[tuple[int, int], float]


class Oracle:
    """The likelihood of a record as a sum over all sequences of states, slow and without shortcuts."""

    def __init__(self, rows: list[int], chain: list[int], laws: list[float]) -> None:
        self.rows, self.chain, self.laws = rows, chain, laws
        self.places: dict[tuple[int, int], float] = {}
        self.swapped = [0.0] * len(rows)
        self.total = 0.0

    def worth(self, row: int, place: int, *, must_match: bool = False) -> float:
        symbol = self.rows[row]
        if symbol < 0:
            return 0.0 if must_match else 1.0
        matched = (1 - MISREAD) / self.laws[symbol] + MISREAD
        return matched if symbol == self.chain[place] else 0.0 if must_match else MISREAD

    def run(self) -> Oracle:
        self._step(0, ("start", -1), 1.0, [])
        return self

    def _end(self, weight: float, path: Path) -> None:
        self.total += weight
        for row, place, _ in path:
            self.places[row, place] = self.places.get((row, place), 0.0) + weight
        for row in {row for row, _, first in path if first}:
            self.swapped[row] += weight

    def _next(self, row: int, came: dict[int, float], weight: float, path: Path) -> None:
        """Place the row wherever it may lie, by itself or as the first of a swapped pair."""
        for place, chance in came.items():
            here = weight * chance
            self._step(
                row + 1,
                ("on", place),
                here * (1 - SWAP) * self.worth(row, place),
                [*path, (row, place, False)],
            )
            pair = row + 1 < len(self.rows) and -1 < self.rows[row] != self.rows[row + 1] > -1
            if not pair:
                continue
            # The next row is here, and this one at a later place.
            second = here * SWAP * self.worth(row + 1, place)
            for later in range(place + 1, len(self.chain)):
                both = second * hole(later - place - 1) * self.worth(row, later)
                self._step(row + 2, ("on", later), both, [*path, (row, later, True), (row + 1, place, False)])

    def _step(self, row: int, state: tuple[str, int], weight: float, path: Path) -> None:
        if weight == 0:
            return
        if row == len(self.rows):
            self._end(weight, path)
            return
        kind, at = state
        everywhere = dict.fromkeys(range(len(self.chain)), 1 / len(self.chain))
        after = {place: hole(place - at - 1) for place in range(at + 1, len(self.chain))}
        if kind == "start":
            self._next(row, everywhere, weight * BEGIN, path)
            self._step(row + 1, ("off", -1), weight * (1 - BEGIN), path)
        elif kind == "off":
            self._next(row, everywhere, weight * ENTER, path)
            self._step(row + 1, ("off", -1), weight * (1 - ENTER), path)
        elif kind == "foreign":
            self._next(row, after, weight * GO_ON_FOREIGN, path)
            self._step(row + 1, ("foreign", at), weight * AGAIN, path)
            self._step(row + 1, ("off", -1), weight * LEAVE, path)
        else:
            self._next(row, after, weight * GO_ON, path)
            self._next(row, everywhere, weight * JUMP, path)
            again = weight * TWICE * self.worth(row, at, must_match=True)
            self._step(row + 1, ("on", at), again, [*path, (row, at, False)])
            self._step(row + 1, ("foreign", at), weight * FOREIGN, path)
            self._step(row + 1, ("off", -1), weight * LEAVE, path)


def aligned(rows: list[int], chain: list[int], laws: list[float]) -> tuple[float, Places, np.ndarray]:
    everywhere = [((0, len(rows)), (0, len(chain)))]
    log, at, places, chances, swapped, _ = align_chain(
        (np.array(chain, np.int32), np.array(rows, np.int32), 1 / np.array(laws)),
        [(1.0, *MODEL)],
        everywhere,
        float(len(chain)),
    )
    found = dict(zip(zip(at.tolist(), places.tolist(), strict=True), chances.tolist(), strict=True))
    return log, found, swapped


CHAIN = [0, 2, 1, 2, 0, 3, 1]
LAWS = [0.3, 0.2, 0.4, 0.1]


@pytest.mark.parametrize(
    "rows",
    [
        [0, 2, 1, 2],
        [2, 0, 3],
        [0, 2, 0, 3],
        [2, 1, 0, 2],
        [3, 0, 1],
        [0, 0, 2, 1],
        [1, -1, 0],
        [2, 2],
        [0, 2, 3, 1, 2],
    ],
)
def test_alignments_are_the_sum_over_all_records(rows: list[int]) -> None:
    oracle = Oracle(rows, CHAIN, LAWS).run()
    log, places, swapped = aligned(rows, CHAIN, LAWS)
    assert math.exp(log) == pytest.approx(oracle.total, rel=1e-6)
    assert swapped == pytest.approx(np.array(oracle.swapped) / oracle.total, abs=1e-6)
    for key, weight in oracle.places.items():
        assert places.get(key, 0.0) == pytest.approx(weight / oracle.total, abs=2e-5)


@pytest.mark.parametrize("chain", [[0, 1, 1, 0, 0, 1] * 9, [0] * 40, [1, 0] * 30, [1] * 50])
def test_the_mean_over_independent_outcomes_is_at_most_one(chain: list[int]) -> None:
    laws = [0.3, 0.7]
    mean = 0.0
    for rows in itertools.product((0, 1), repeat=6):
        log, _, _ = aligned(list(rows), chain, laws)
        mean += math.prod(laws[row] for row in rows) * math.exp(log)
    # Below 1, since records that end beyond the chain are left out.
    assert 0.7 < mean <= 1 + 1e-9


def test_long_records_are_read_in_blocks() -> None:
    rng = np.random.default_rng(1)
    chain = rng.integers(0, 15, 14_000).astype(np.int32)
    kept = np.flatnonzero(rng.random(14_000) > 0.2)[:9000]
    rows = chain[kept]
    log, at, places, chances, _, on = align_chain(
        (chain, rows, np.full(15, 15.0)), [(0.5, 0.02, 2.0), (0.5, 0.25, 2.0)], [((0, 20), (0, 60))], 14_000.0
    )
    assert log > 9000
    assert on.min() > 0.99
    sure = chances > 0.999
    assert (kept[at[sure]] == places[sure]).all()
    assert len(np.unique(at[sure])) > 8000
    assert np.bincount(at, chances) == pytest.approx(1, abs=1e-2)


# ---- the p-value ----

HOLES = [
    (Fraction(share), Fraction(mean))
    for share, mean in (
        ("0.001", "2"),
        ("0.02", "2"),
        ("0.1", "1.5"),
        ("0.25", "2"),
        ("0.5", "2.5"),
        ("0.7", "3.3"),
        ("0.85", "8"),
    )
]
ROLLS = 15


def ratio(rows: list[int], games: list[int], share: Fraction, mean: Fraction) -> Fraction:
    """The likelihood of rolls on the chain, divided by that of independent rolls."""
    count, holes = len(games), [hole(missing, share, mean) for missing in range(len(games))]

    def worth(row: int, place: int) -> Fraction:
        return (1 - MISREAD) * ROLLS + MISREAD if row == games[place] else MISREAD

    def after(values: list[Fraction], place: int) -> Fraction:
        return sum((values[before] * holes[place - before - 1] for before in range(place)), Fraction())

    on, foreign, pairs = ([Fraction()] * count for _ in range(3))
    off: Fraction | None = None
    for number, row in enumerate(rows):
        if off is None:
            enters, off = BEGIN, 1 - BEGIN
        else:
            enters = ENTER * off + JUMP * sum(on)
            off = (1 - ENTER) * off + LEAVE * (sum(on) + sum(foreign))
        goes_on = [GO_ON * here + GO_ON_FOREIGN * none for here, none in zip(on, foreign, strict=True)]
        came = [enters / count + after(goes_on, place) for place in range(count)]
        foreign = [FOREIGN * here + AGAIN * none for here, none in zip(on, foreign, strict=True)]
        on = [
            (1 - SWAP) * came[place] * worth(row, place)
            + (after(pairs, place) * worth(rows[number - 1], place) if number else 0)
            + (TWICE * on[place] * worth(row, place) if row == games[place] else 0)
            for place in range(count)
        ]
        later = rows[number + 1] if number + 1 < len(rows) else row
        pairs = [SWAP * came[place] * worth(later, place) * (later != row) for place in range(count)]
    assert off is not None
    return off + sum(on) + sum(foreign)


def mean_ratio(rows: list[int], games: list[int]) -> Fraction:
    """The mean over models of holes and both directions."""
    ratios = [ratio(order, games, *model) for order in (rows, rows[::-1]) for model in HOLES]
    return sum(ratios, Fraction()) / len(ratios)


def rolls(anchor: str, count: int, salt: str) -> list[int]:
    """The rolls of Blaze's Double from a hash down."""
    found = []
    for _ in range(count):
        digest = int(hmac.new(anchor.encode(), salt.encode(), "sha256").hexdigest(), 16)
        found.append(int(float(digest)) % ROLLS)
        anchor = hashlib.sha256(anchor.encode()).hexdigest()
    return found


ANCHOR = hashlib.sha256(b"x").hexdigest()
DOUBLE = pf.operators.blaze.Double()
GAMES_BELOW = rolls(ANCHOR, 18, str(DOUBLE.scheme.defaults["salt"]))


@pytest.mark.parametrize(
    "rows",
    [
        GAMES_BELOW[4:15],
        GAMES_BELOW[3:8] + GAMES_BELOW[9:14],
        (GAMES_BELOW[5:3:-1] + GAMES_BELOW[6:15])[::-1],
        [*GAMES_BELOW[2:7], 3, *GAMES_BELOW[8:15]],
    ],
    ids=["whole", "hole", "swapped", "misread"],
)
def test_the_pvalue_is_that_of_all_alignments(rows: list[int]) -> None:
    location = pf.locate(rows, DOUBLE, anchor=ANCHOR, limit=len(GAMES_BELOW) - 1)
    exact = float(1 / mean_ratio(rows, GAMES_BELOW))
    # Terms that the engine leaves out make it larger, by a negligible amount.
    assert exact <= location.pvalue * (1 + 1e-12)
    assert location.pvalue == pytest.approx(exact, rel=1e-5)


def test_the_pvalue_pays_for_the_number_of_games() -> None:
    rows, salt = GAMES_BELOW[4:15], "another salt"
    other = DOUBLE.with_scheme(replace(DOUBLE.scheme, defaults={"salt": salt}))
    location = pf.locate(rows, [other, DOUBLE], anchor=ANCHOR, limit=len(GAMES_BELOW) - 1)
    both = [mean_ratio(rows, games) for games in (GAMES_BELOW, rolls(ANCHOR, len(GAMES_BELOW), salt))]
    assert location.game == DOUBLE
    assert location.pvalue == pytest.approx(float(2 / sum(both)), rel=1e-5)
