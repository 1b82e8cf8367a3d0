"""Tables of Stake's games, as the operator's page of game events listed them in March 2026.

Copied from github.com/Kyran121/provably-fair-verifierform-stake. Those of cases, tarot, packs and bars
reproduce results of the operator's own calculator. Those of chicken and pump follow from a formula, and
aren't here.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "BARS",
    "CASES",
    "ENDS",
    "FREE_SPINS",
    "LEVELS",
    "MAJOR",
    "MAX_SPINS",
    "MINOR",
    "PACKS_PAYS",
    "PACKS_WIDTHS",
    "REELS",
    "SCATTER",
    "SCATTERS",
    "SNAKES",
    "STOPS",
]

LEVELS = ("easy", "medium", "hard", "expert")

ENDS = {"easy": 1, "medium": 3, "hard": 5, "expert": 10}
"""How many places end the path of chicken and pump."""

Levels = Mapping[str, tuple[tuple[float, float], ...]]
"""Of each level rows of a threshold and a value: a number f has that of the first threshold <= f."""

BARS: Levels = {
    "easy": (
        (0.98000001, 9),
        (0.93000001, 3),
        (0.85000001, 1.5),
        (0.70000001, 1.2),
        (0.35000001, 0.6),
        (0, 0.4),
    ),
    "medium": (
        (0.99500001, 33),
        (0.98000001, 6),
        (0.95000001, 3),
        (0.85000001, 1.4),
        (0.70000001, 1.2),
        (0.35000001, 0.6),
        (0, 0.3),
    ),
    "hard": (
        (0.99980001, 705),
        (0.99800001, 75),
        (0.99000001, 12),
        (0.96000001, 6),
        (0.90000001, 2.4),
        (0.78000001, 1.2),
        (0.47000001, 0.3),
        (0, 0.1),
    ),
    "expert": (
        (0.99995001, 3000),
        (0.99980001, 1200),
        (0.99900001, 150),
        (0.99500001, 30),
        (0.98500001, 9),
        (0.96000001, 6),
        (0.90000001, 1.5),
        (0.50000001, 0.2),
        (0, 0),
    ),
}
"""What a bar is worth, by its number."""

CASES: Levels = {
    "easy": (
        (0.99000001, 23),
        (0.97000001, 10),
        (0.93000001, 3),
        (0.86000001, 2),
        (0.76000001, 1.09),
        (0.41000001, 0.4),
        (0, 0.1),
    ),
    "medium": (
        (0.99900001, 115),
        (0.99750001, 41),
        (0.99350001, 15),
        (0.98500001, 10),
        (0.97000001, 7.5),
        (0.94000001, 3.5),
        (0.88000001, 2),
        (0.75000001, 1.5),
        (0.57000001, 0.4),
        (0.30000001, 0.2),
        (0, 0),
    ),
    "hard": (
        (0.99995001, 1000),
        (0.99985001, 495),
        (0.99970001, 250),
        (0.99940001, 100),
        (0.99900001, 50),
        (0.99700001, 35),
        (0.99400001, 15),
        (0.99000001, 10),
        (0.97000001, 8),
        (0.92000001, 3),
        (0.82000001, 1.5),
        (0.72000001, 0.8),
        (0.60000001, 0.4),
        (0.35000001, 0.2),
        (0, 0),
    ),
    "expert": (
        (0.99999801, 10000),
        (0.99999201, 3500),
        (0.99998001, 1500),
        (0.99995001, 850),
        (0.99990001, 460),
        (0.99980001, 250),
        (0.99960001, 100),
        (0.99930001, 75),
        (0.99890001, 50),
        (0.99690001, 20),
        (0.99190001, 15),
        (0.98390001, 10),
        (0.96390001, 7),
        (0.93390001, 5),
        (0.85390001, 1.5),
        (0.70390001, 0.7),
        (0.55390001, 0.3),
        (0.35390001, 0.15),
        (0, 0),
    ),
}
"""What a case pays."""

MINOR: Levels = {
    "easy": ((0.90000001, 2), (0.80000001, 1.5), (0.70000001, 1.1), (0.10000001, 0.4), (0, 0)),
    "medium": ((0.93000001, 4), (0.84000001, 2), (0.69000001, 0.6), (0.19000001, 0.3), (0, 0)),
    "hard": ((0.95000001, 7), (0.86000001, 2), (0.66000001, 0.55), (0.26000001, 0.15), (0, 0)),
    "expert": ((0.97000001, 10), (0.87000001, 3), (0.67000001, 0.35), (0.47000001, 0.15), (0, 0)),
}
"""What a card of tarot's minor arcana pays: the first and the third."""

MAJOR: Levels = {
    "easy": ((0.93000001, 5), (0.83000001, 4), (0.73000001, 3), (0.51000001, 2), (0, 1)),
    "medium": ((0.97000001, 10), (0.91000001, 5), (0.78000001, 3), (0.55000001, 2), (0, 1)),
    "hard": ((0.99000001, 24), (0.96000001, 8), (0.86000001, 4), (0.60000001, 2), (0, 1)),
    "expert": ((0.99500001, 50), (0.98000001, 10), (0.90000001, 5), (0.60000001, 2), (0, 1)),
}
"""What a card of tarot's major arcana pays: the second."""

PACKS_WIDTHS = (
    (9, 1),
    (245, 2),
    (500, 2),
    (300, 5),
    (1_000, 5),
    (2_400, 5),
    (6_000, 5),
    (20_000, 15),
    (30_000, 5),
    (60_000, 15),
    (30_000, 20),
    (200_000, 30),
    (300_000, 30),
    (500_000, 50),
    (1_100_000, 20),
    (1_200_000, 29),
    (1_200_001, 1),
)
"""How wide the ranges of numbers are that give packs' cards, from card 1 at the top downward: in units of
1e-8, each with how many cards in a row have it."""

PACKS_PAYS = (
    (10000, 1),
    (1000, 2),
    (650, 2),
    (500, 5),
    (150, 5),
    (75, 5),
    (50, 5),
    (15, 5),
    (32, 1),
    (12, 4),
    (10, 5),
    (8, 5),
    (4, 5),
    (3, 5),
    (2, 5),
    (1.2, 10),
    (1, 10),
    (0.8, 10),
    (0.5, 10),
    (0.3, 10),
    (0.2, 10),
    (0.15, 10),
    (0.1, 10),
    (0.04, 20),
    (0.03, 30),
    (0.02, 20),
    (0.01, 30),
)
"""What packs' cards pay, from card 1, each with how many cards in a row pay it."""

SNAKES = {
    "easy": (2, 1.3, 1.2, 1.1, 1.01, 0, 1.01, 1.1, 1.2, 1.3, 2),
    "medium": (4, 2.5, 1.4, 1.11, 0, 0, 0, 1.11, 1.4, 2.5, 4),
    "hard": (7.5, 3, 1.38, 0, 0, 0, 0, 0, 1.38, 3, 7.5),
    "expert": (10, 3.82, 0, 0, 0, 0, 0, 0, 0, 3.82, 10),
    "master": (17.64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17.64),
}
"""By what a roll of snakes multiplies, for the sums 2 to 12."""

STOPS = (30, 30, 30, 30, 41)
"""How many stops the reels of slots have."""

SCATTER, SCATTERS, FREE_SPINS, MAX_SPINS = "*", 3, 15, 180
"""How many scatters in sight give how many free spins, and how many spins there are at most."""

REELS = (
    "5QT3JA4TQ29T*QJWQA2K1Q5K4T193T",
    "QJ3QAWQJ59Q3K1J2T19*A4TK2JQ5J4",
    "K95T3KJWQT39J1AT4AK19T2Q94K59*",
    "K95A2J1T4J3Q5JT4AQ*TK3J49A29AW",
    "3TJ2KTWK91T5AJ*9A4QA4T5Q39WJ2QK5JT3Q491A9",
)
"""The symbols of scarab spins' reels in order: T J Q K A 9 ranks, 1 to 5 pictures, W wild, * scatter."""
