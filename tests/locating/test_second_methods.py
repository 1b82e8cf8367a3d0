"""The p-value, and what can be known of a changed row, beside exact fractions in plain Python."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import provably_fair as pf
import pytest
from locating.records import GAMES, LENGTH, Record, chain, planted

# ---- the p-value: every alignment with every place, in the model that `src/locating/model.rs` states ----

MISREAD, SWAP, TWICE, FOREIGN = (Fraction(1, 10**power) for power in (3, 4, 8, 10))
JUMP, LEAVE, ENTER, BEGIN = Fraction(1, 10**5), Fraction(1, 10**6), Fraction(1, 1000), Fraction(99, 100)
AGAIN = Fraction(1, 2)
GO_ON, GO_ON_FOREIGN = 1 - TWICE - FOREIGN - JUMP - LEAVE, 1 - AGAIN - LEAVE
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


def hole(games: int, share: Fraction, mean: Fraction) -> Fraction:
    """The probability that this many games are missing between two rows."""
    if games == 0:
        return 1 - share
    short = Fraction(998, 1000) / mean * (1 - 1 / mean) ** (games - 1)
    return share * (short + Fraction(2, 1000) / 60 * Fraction(59, 60) ** (games - 1))


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


# ---- what can be known of a changed row ----

AROUND, BEYOND, LEAST = 10, 25, Fraction(1, 10**12)


def chance_of(record: Record) -> float:
    """The posterior probability that the changed row was changed, to compare with `Record.chance`."""
    outcomes, count = chain(record.name)[1].tolist(), len(record.rows)
    rows, places, changed = record.rows.tolist(), record.places.tolist(), record.changed
    if places[0] > places[-1]:
        rows, places, changed = rows[::-1], places[::-1], count - 1 - changed
    first, last = max(changed - AROUND, 0), min(changed + AROUND, count - 1)
    assert first > 0
    at_end = last == count - 1  # then the last row may be that of a later game
    end = places[last] + (BEYOND if at_end else 0)
    one, swap = Fraction(1, count), Fraction(3, 2 * count)
    missing = 1 - Fraction(count - 1, max(places) - min(places))
    missing = missing.limit_denominator(10**6)
    frequencies = Counter(outcomes)

    def likelihood(only_changed: bool) -> Fraction:
        def shows(row: int, place: int) -> Fraction:
            if rows[row] == outcomes[place]:
                return Fraction(0) if only_changed and row == changed else 1 - one
            return one * Fraction(frequencies[rows[row]], LENGTH)

        @cache
        def rest(row: int, start: int) -> Fraction:
            """All ways to place this row and those after it, from a first place on."""
            if row > last:
                return Fraction(at_end or start == end + 1)
            found, before = Fraction(0), 1 - missing
            for place in range(start, end + 1) if row > first else [start]:
                found += before * (1 - swap) * shows(row, place) * rest(row + 1, place + 1)
                if row < last and rows[row] != rows[row + 1]:
                    between = before * swap * shows(row + 1, place) * (1 - missing)
                    for later in range(place + 1, end + 1):
                        found += between * shows(row, later) * rest(row + 2, later + 1)
                        between *= missing
                before *= missing
                if before < LEAST:
                    break
            return found

        return rest(first, places[first])

    return float(likelihood(only_changed=True) / likelihood(only_changed=False))


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize(
    ("seed", "told"),
    [(2, True), (5, False), (60, False), (245, False), (370, False), (445, False), (586, False)],
)
def test_what_can_be_known_of_a_changed_row(seed: int, told: bool) -> None:
    record: Any = planted(list(GAMES)[seed % len(GAMES)], seed)
    assert record.between_neighbors
    assert record.chance == pytest.approx(chance_of(record), rel=1e-4)
    assert (record.chance >= 0.999) is told
