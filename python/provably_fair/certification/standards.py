"""The requirements of standards on generators, clause by clause, in our own words. Data only."""

from __future__ import annotations

from typing import NamedTuple


class Demand(NamedTuple):
    """A clause: its number, its requirement, and the test for it.

    `answer` is the name of a test of `statistics.registry`, or "scaling", or "nothing" if no test of a
    sequence applies. `of` is the data to test: "all", "raw" or "outcomes". `missing` is the part of the
    requirement that can't be shown here. `by_symbol` is whether each symbol must be tested.
    """

    number: str
    text: str
    answer: str
    of: str = "all"
    missing: str = ""
    by_symbol: bool = False


class Standard(NamedTuple):
    """A standard: its level, its clauses, and whether each test is judged on its own at that level."""

    level: float
    clauses: tuple[Demand, ...]
    each: bool = False


_PENNSYLVANIA = (
    ("chi-square", "Chi-square test."),
    ("frequency", "Frequency test: counts of single values."),
    ("gap", "Gap test: lengths between returns to a range."),
    ("overlaps", "Overlaps test: overlapping tuples."),
    ("poker", "Poker test: kinds of hands of five values."),
    ("coupon collector", "Coupon collector's test: length until all values have appeared."),
    ("permutation", "Permutation test: order of tuples."),
    ("Kolmogorov-Smirnov", "Kolmogorov-Smirnov test."),
    ("adjacency", "Adjacency test: how neighbors agree."),
    ("order statistic", "Order statistic test: largest or smallest of groups."),
    ("runs", "Runs test."),
    ("interplay", "Interplay correlation test: between the positions of one play."),
    ("serial correlation", "Serial correlation test: between plays."),
    ("subsequences", "Tests on subsequences: again on every k-th value."),
    ("Poisson", "Poisson test: counts of rare events in blocks."),
)

_CLASS_II = (
    ("chi-square", "Chi-square test."),
    ("runs", "Runs test."),
    ("serial correlation", "Serial correlation test."),
    ("frequency", "Equi-distribution (frequency) test."),
    ("gap", "Gap test."),
    ("poker", "Poker test."),
    ("coupon collector", "Coupon collector's test."),
    ("permutation", "Permutation test."),
    ("spectral", "Spectral test."),
    ("subsequences", "Tests on subsequences."),
)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")

_FOUR = (
    ("chi-square", "Chi-square test of each symbol.", "symbol", "one test of all symbols together"),
    ("runs", "Runs test of each symbol.", "symbol", "runs above and below the middle, of all symbols"),
    (
        "interplay",
        "Correlation of each pair of symbols within one play.",
        "pair of symbols",
        "one test of all pairs of places together",
    ),
    (
        "serial correlation",
        "Correlation of each symbol with the same one in a previous play.",
        "symbol",
        "the correlation of the ranks of a play and the one before",
    ),
)


def _four(number: str) -> tuple[Demand, ...]:
    """Return the four tests that two standards require of each symbol."""
    literal = "taken literally, 1 - 0.99^54 = 42 % of fair games of 54 symbols fail"
    return tuple(
        Demand(
            number,
            text,
            answer,
            missing=f"it is asked of each {what} by itself ({literal}); run instead: {instead}. The smallest "
            f"p-value by {what} is shown too if symbols can be listed",
            by_symbol=True,
        )
        for answer, text, what, instead in _FOUR
    )


_STRATEGY = (
    ("chi-square", "raw", "Raw output is tested: frequencies."),
    ("Kolmogorov-Smirnov", "raw", "Raw output is tested: distribution."),
    ("runs", "raw", "Raw output is tested: runs."),
    ("serial correlation", "raw", "Raw output is tested: dependence."),
    ("spectral", "raw", "Raw output is tested: periods."),
    ("runs", "outcomes", "Scaled or shuffled output is tested: runs."),
    ("overlaps", "outcomes", "Scaled or shuffled output is tested: overlaps."),
    ("interplay", "outcomes", "Scaled or shuffled output is tested: positions."),
    ("spectral", "outcomes", "Scaled or shuffled output is tested: periods."),
)
_SOURCE = "requires a person who reviews the source"

STANDARDS: dict[str, Standard] = {
    "58 Pa. Code 810a.5": Standard(
        0.05,
        tuple(
            Demand(f"810a.5(c)({number})", text, answer)
            for number, (answer, text) in enumerate(_PENNSYLVANIA, 1)
        ),
    ),
    "25 CFR 547.14(b)(2)": Standard(
        0.01,
        tuple(
            Demand(f"547.14(b)(2)({number})", text, answer)
            for number, (answer, text) in zip(_ROMAN, _CLASS_II, strict=True)
        ),
        each=True,
    ),
    "W. Va. Code 29-22B-909": Standard(0.01, _four("29-22B-909")),
    "AGCO 21.1.2": Standard(0.01, _four("21.1.2")),
    "RTS 7": Standard(
        0.01,
        (
            Demand("RTS 7", "Outcomes come with their theoretical probabilities.", "chi-square", "outcomes"),
            Demand("RTS 7", "An outcome doesn't predict the next one.", "serial correlation", "outcomes"),
            Demand(
                "RTS 7", "An outcome doesn't predict later ones.", "serial correlation, all lags", "outcomes"
            ),
            Demand(
                "RTS 7",
                "No cycles.",
                "cycles",
                missing="cycles longer than the data, which the hash has to rule out",
            ),
            Demand("RTS 7", "No two streams alike.", "duplicates", missing="streams that aren't in the data"),
            Demand(
                "RTS 7",
                "Seeding keeps the qualities of the generator.",
                "nothing",
                missing="how the operator draws its seeds; an audit of a log looks for reused, weak and "
                "chosen ones",
            ),
            Demand("RTS 7", "Scaling keeps the qualities of the generator.", "scaling"),
            *(Demand("testing strategy 3", text, answer, of) for answer, of, text in _STRATEGY),
            Demand("testing strategy 3", "The source is reviewed.", "nothing", missing=_SOURCE),
        ),
    ),
}
"""Standards by name, each with its level and its clauses."""

SEEN = "Clauses are paraphrased, as far as their texts were available."
