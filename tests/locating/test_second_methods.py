"""The p-value beside exact fractions in plain Python."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from fractions import Fraction

import provably_fair as pf
import pytest

# Every alignment with every place, in the model that `src/locating/model.rs` states.

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
