"""Tables of Stake's games, as the operator's page of game events listed them in March 2026.

Copied from github.com/Kyran121/provably-fair-verifierform-stake. The tables of cases, tarot, packs and bars
reproduce results of the operator's own calculator. Those of chicken and pump follow from a formula, so they
aren't listed. Those of plinko, keno and diamonds have other sources, named below them.
"""

from __future__ import annotations

from collections.abc import Mapping

LEVELS = ("easy", "medium", "hard", "expert")

ENDS = {"easy": 1, "medium": 3, "hard": 5, "expert": 10}
"""The number of places that end the path of chicken and pump."""

Levels = Mapping[str, str]
"""For each level, thresholds with values, "0.5:2 0:1": a number f has that of the first threshold <= f."""

BARS: Levels = {
    "easy": "0.98000001:9 0.93000001:3 0.85000001:1.5 0.70000001:1.2 0.35000001:0.6 0:0.4",
    "medium": "0.99500001:33 0.98000001:6 0.95000001:3 0.85000001:1.4 0.70000001:1.2 0.35000001:0.6 0:0.3",
    "hard": "0.99980001:705 0.99800001:75 0.99000001:12 0.96000001:6 0.90000001:2.4 0.78000001:1.2 "
    "0.47000001:0.3 0:0.1",
    "expert": "0.99995001:3000 0.99980001:1200 0.99900001:150 0.99500001:30 0.98500001:9 0.96000001:6 "
    "0.90000001:1.5 0.50000001:0.2 0:0",
}
"""The values of a bar."""

CASES: Levels = {
    "easy": "0.99000001:23 0.97000001:10 0.93000001:3 0.86000001:2 0.76000001:1.09 0.41000001:0.4 0:0.1",
    "medium": "0.99900001:115 0.99750001:41 0.99350001:15 0.98500001:10 0.97000001:7.5 0.94000001:3.5 "
    "0.88000001:2 0.75000001:1.5 0.57000001:0.4 0.30000001:0.2 0:0",
    "hard": "0.99995001:1000 0.99985001:495 0.99970001:250 0.99940001:100 0.99900001:50 0.99700001:35 "
    "0.99400001:15 0.99000001:10 0.97000001:8 0.92000001:3 0.82000001:1.5 0.72000001:0.8 0.60000001:0.4 "
    "0.35000001:0.2 0:0",
    "expert": "0.99999801:10000 0.99999201:3500 0.99998001:1500 0.99995001:850 0.99990001:460 0.99980001:250 "
    "0.99960001:100 0.99930001:75 0.99890001:50 0.99690001:20 0.99190001:15 0.98390001:10 0.96390001:7 "
    "0.93390001:5 0.85390001:1.5 0.70390001:0.7 0.55390001:0.3 0.35390001:0.15 0:0",
}
"""The payouts of a case."""

MINOR: Levels = {
    "easy": "0.90000001:2 0.80000001:1.5 0.70000001:1.1 0.10000001:0.4 0:0",
    "medium": "0.93000001:4 0.84000001:2 0.69000001:0.6 0.19000001:0.3 0:0",
    "hard": "0.95000001:7 0.86000001:2 0.66000001:0.55 0.26000001:0.15 0:0",
    "expert": "0.97000001:10 0.87000001:3 0.67000001:0.35 0.47000001:0.15 0:0",
}
"""The multipliers of tarot's minor arcana, the first and the third card."""

MAJOR: Levels = {
    "easy": "0.93000001:5 0.83000001:4 0.73000001:3 0.51000001:2 0:1",
    "medium": "0.97000001:10 0.91000001:5 0.78000001:3 0.55000001:2 0:1",
    "hard": "0.99000001:24 0.96000001:8 0.86000001:4 0.60000001:2 0:1",
    "expert": "0.99500001:50 0.98000001:10 0.90000001:5 0.60000001:2 0:1",
}
"""The multipliers of tarot's major arcana, the second card."""

PACKS_WIDTHS = (
    "9:1 245:2 500:2 300:5 1_000:5 2_400:5 6_000:5 20_000:15 30_000:5 60_000:15 30_000:20 200_000:30 "
    "300_000:30 500_000:50 1_100_000:20 1_200_000:29 1_200_001:1"
)
"""The widths of the ranges of numbers f of packs' cards, from card 1 at the top downward, in units of 1e-8,
each with the number of successive cards that have it."""

PACKS_PAYS = (
    "10000:1 1000:2 650:2 500:5 150:5 75:5 50:5 15:5 32:1 12:4 10:5 8:5 4:5 3:5 2:5 1.2:10 1:10 0.8:10 "
    "0.5:10 0.3:10 0.2:10 0.15:10 0.1:10 0.04:20 0.03:30 0.02:20 0.01:30"
)
"""The payouts of packs' cards, from card 1, each with the number of successive cards that pay it."""

SNAKES: Mapping[str, tuple[float, ...]] = {
    "easy": (2, 1.3, 1.2, 1.1, 1.01, 0, 1.01, 1.1, 1.2, 1.3, 2),
    "medium": (4, 2.5, 1.4, 1.11, 0, 0, 0, 1.11, 1.4, 2.5, 4),
    "hard": (7.5, 3, 1.38, 0, 0, 0, 0, 0, 1.38, 3, 7.5),
    "expert": (10, 3.82, 0, 0, 0, 0, 0, 0, 0, 3.82, 10),
    "master": (17.64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17.64),
}
"""The multipliers of a roll of snakes, for the sums 2 to 12."""

STOPS = (30, 30, 30, 30, 41)
"""The numbers of stops of the reels of slots."""

SCATTER, SCATTERS, FREE_SPINS, MAX_SPINS = "*", 3, 15, 180
"""The scatter; how many in sight win free spins; how many these are; and the most spins of a round."""

REELS = (
    "5QT3JA4TQ29T*QJWQA2K1Q5K4T193T",
    "QJ3QAWQJ59Q3K1J2T19*A4TK2JQ5J4",
    "K95T3KJWQT39J1AT4AK19T2Q94K59*",
    "K95A2J1T4J3Q5JT4AQ*TK3J49A29AW",
    "3TJ2KTWK91T5AJ*9A4QA4T5Q39WJ2QK5JT3Q491A9",
)
"""The symbols of scarab spins' reels in order: T J Q K A 9 ranks, 1 to 5 pictures, W wild, * scatter."""

PLINKO: Mapping[str, Mapping[int, tuple[float, ...]]] = {
    "low": {
        8: (5.6, 2.1, 1.1, 1, 0.5),
        9: (5.6, 2, 1.6, 1, 0.7),
        10: (8.9, 3, 1.4, 1.1, 1, 0.5),
        11: (8.4, 3, 1.9, 1.3, 1, 0.7),
        12: (10, 3, 1.6, 1.4, 1.1, 1, 0.5),
        13: (8.1, 4, 3, 1.9, 1.2, 0.9, 0.7),
        14: (7.1, 4, 1.9, 1.4, 1.3, 1.1, 1, 0.5),
        15: (15, 8, 3, 2, 1.5, 1.1, 1, 0.7),
        16: (16, 9, 2, 1.4, 1.4, 1.2, 1.1, 1, 0.5),
    },
    "medium": {
        8: (13, 3, 1.3, 0.7, 0.4),
        9: (18, 4, 1.7, 0.9, 0.5),
        10: (22, 5, 2, 1.4, 0.6, 0.4),
        11: (24, 6, 3, 1.8, 0.7, 0.5),
        12: (33, 11, 4, 2, 1.1, 0.6, 0.3),
        13: (43, 13, 6, 3, 1.3, 0.7, 0.4),
        14: (58, 15, 7, 4, 1.9, 1, 0.5, 0.2),
        15: (88, 18, 11, 5, 3, 1.3, 0.5, 0.3),
        16: (110, 41, 10, 5, 3, 1.5, 1, 0.5, 0.3),
    },
    "high": {
        8: (29, 4, 1.5, 0.3, 0.2),
        9: (43, 7, 2, 0.6, 0.2),
        10: (76, 10, 3, 0.9, 0.3, 0.2),
        11: (120, 14, 5.2, 1.4, 0.4, 0.2),
        12: (170, 24, 8.1, 2, 0.7, 0.2, 0.2),
        13: (260, 37, 11, 4, 1, 0.2, 0.2),
        14: (420, 56, 18, 5, 1.9, 0.3, 0.2, 0.2),
        15: (620, 83, 27, 8, 3, 0.5, 0.2, 0.2),
        16: (1000, 130, 26, 9, 4, 2, 0.2, 0.2, 0.2),
    },
}
"""The payouts of plinko's buckets by the number of rows, from the left to the middle; the right half mirrors
them.

As github.com/AnsonH/plinko-game had them in November 2024. The tables of March 2026 are the same except for
one number, 27 for 26 with 16 rows of high risk, which would return 0.9934 where all others return 0.989 to
0.992.
"""

_SEGMENTS = (10, 20, 30, 40, 50)
_LOW = (1.5, 1.2, 1.2, 1.2, 0, 1.2, 1.2, 1.2, 1.2, 0)
_MEDIUM: Mapping[int, tuple[float, ...]] = {
    10: (1.9, 1.5, 2, 1.5, 3),
    20: (1.5, 2, 2, 2, 1.5, 3, 1.8, 2, 2, 2),
    30: (1.5, 1.5, 2, 1.5, 2, 2, 1.5, 3, 1.5, 2, 2, 1.7, 4, 1.5, 2),
    40: (2, 3, 2, 1.5, 3, 1.5, 1.5, 2, 1.5, 3, 1.5, 2, 2, 1.6, 2, 1.5, 3, 1.5, 2, 1.5),
    50: (2, 1.5, 2, 1.5, 3, 1.5, 1.5, 2, 1.5, 3, 1.5, 2, 1.5, 2, 2, 1.5, 3, 1.5, 2, 1.5, 1.5, 5, 1.5, 2, 1.5),
}
"""The payouts of every other segment, from the first, or of 10 from the second. The others pay nothing."""

WHEEL: Mapping[str, Mapping[int, tuple[float, ...]]] = {
    "low": {segments: _LOW * (segments // 10) for segments in _SEGMENTS},
    "medium": {
        segments: tuple(paid for pay in pays for paid in ((0, pay) if segments == 10 else (pay, 0)))
        for segments, pays in _MEDIUM.items()
    },
    "high": {segments: (0,) * (segments - 1) + (99 * segments / 100,) for segments in _SEGMENTS},
}
"""The payouts of wheel's segments, by their number."""

KENO: Mapping[str, tuple[tuple[float, ...], ...]] = {
    "classic": (
        (0, 3.96),
        (0, 1.9, 4.5),
        (0, 1, 3.1, 10.4),
        (0, 0.8, 1.8, 5, 22.5),
        (0, 0.25, 1.4, 4.1, 16.5, 36),
        (0, 0, 1, 3.68, 7, 16.5, 40),
        (0, 0, 0.47, 3, 4.5, 14, 31, 60),
        (0, 0, 0, 2.2, 4, 13, 22, 55, 70),
        (0, 0, 0, 1.55, 3, 8, 15, 44, 60, 85),
        (0, 0, 0, 1.4, 2.25, 4.5, 8, 17, 50, 80, 100),
    ),
    "low": (
        (0.7, 1.85),
        (0, 2, 3.8),
        (0, 1.1, 1.38, 26),
        (0, 0, 2.2, 7.9, 90),
        (0, 0, 1.5, 4.2, 13, 300),
        (0, 0, 1.1, 2, 6.2, 100, 700),
        (0, 0, 1.1, 1.6, 3.5, 15, 225, 700),
        (0, 0, 1.1, 1.5, 2, 5.5, 39, 100, 800),
        (0, 0, 1.1, 1.3, 1.7, 2.5, 7.5, 50, 250, 1000),
        (0, 0, 1.1, 1.2, 1.3, 1.8, 3.5, 13, 50, 250, 1000),
    ),
    "medium": (
        (0.4, 2.75),
        (0, 1.8, 5.1),
        (0, 0, 2.8, 50),
        (0, 0, 1.7, 10, 100),
        (0, 0, 1.4, 4, 14, 390),
        (0, 0, 0, 3, 9, 180, 710),
        (0, 0, 0, 2, 7, 30, 400, 800),
        (0, 0, 0, 2, 4, 11, 67, 400, 900),
        (0, 0, 0, 2, 2.5, 5, 15, 100, 500, 1000),
        (0, 0, 0, 1.6, 2, 4, 7, 26, 100, 500, 1000),
    ),
    "high": (
        (0, 3.96),
        (0, 0, 17.1),
        (0, 0, 0, 81.5),
        (0, 0, 0, 10, 259),
        (0, 0, 0, 4.5, 48, 450),
        (0, 0, 0, 0, 11, 350, 710),
        (0, 0, 0, 0, 7, 90, 400, 800),
        (0, 0, 0, 0, 5, 20, 270, 600, 900),
        (0, 0, 0, 0, 4, 11, 56, 500, 800, 1000),
        (0, 0, 0, 0, 3.5, 8, 13, 63, 500, 800, 1000),
    ),
}
"""The payouts of keno by the number of hits: of 1 pick, of 2 picks, and so on.

As github.com/tokenwin/verify had them in October 2023, and github.com/JadenB9/casino-simulator, as Stake's,
without a date. Five of the 260 numbers are others in github.com/albertxbrandt/keno-stats of December 2025,
where three tables would return 0.63, 1.04 and 0.994; the tables here all return 0.986 to 0.991.
"""

DIAMONDS = (0, 0.1, 2, 3, 4, 0, 5, 0, 0, 0, 50)
"""The payouts of diamonds by how many pairs of its five gems match: 1 a pair, 2 two pairs, 3 three of a kind,
4 a full house, 6 four and 10 five of a kind.

As github.com/JadenB9/casino-simulator has them, as Stake's, without a date. The operator's guide of March
2024 has the same smallest and largest payout, and its page states the edge that follows, 1.71 %.
"""
