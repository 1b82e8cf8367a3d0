"""The table of all tests of outcomes, from which reports, standards and power studies take theirs.

Most names come from GLI-19, which lists chi-square, overlaps, coupon collector, runs, interplay correlation,
serial correlation and duplicates; gap, poker, permutation and equidistribution are in Knuth, The Art of
Computer Programming, volume 2, section 3.3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from provably_fair.distribution.sequences import FairnessMaterial

from . import round_tests as rounds, sequence_tests as sequences, standard_tests as standards
from .resampling import Judgment, judge


class Test(NamedTuple):
    """A test: its function, source, and null hypothesis.

    `function` takes a `LawSequence`, or all material, and returns a `Trial`, what was found, or how many
    values it takes. `source` is the document that asks for it, and where its law is from; `asked` its name
    where standards ask for it, if that is another. `of` is the subject of a test of all material, "places",
    "rounds" or "shuffles", and "" for a test of one sequence. `fairness_report` has those `reported`: others
    are asked for by a standard.
    """

    name: str
    function: Callable[[Any], Any]
    source: str
    hypothesis: str
    asked: str = ""
    of: str = ""
    reported: bool = True


_GLI = "GLI-19, RNG requirements"
_KNUTH = "Knuth, TAOCP 2, 3.3.2"

TESTS = (
    Test(
        "chi-square (equidistribution)",
        sequences.frequencies,
        f"{_GLI}; Pearson 1900; cells expect at least 5",
        "every value occurs as often as its law says",
        asked="chi-square",
    ),
    Test(
        "largest cell",
        sequences.largest_cell,
        "exact binomial law of each count; all cells together",
        "no single value occurs too often",
        asked="frequency",
    ),
    Test(
        "Kolmogorov-Smirnov",
        sequences.distribution_function,
        f"{_KNUTH}; exact law by scipy.stats.kstest",
        "the distribution function is the law's",
        asked="Kolmogorov-Smirnov, of continuous values",
    ),
    Test(
        "overlaps",
        sequences.overlaps,
        f"{_GLI}; overlapping pairs, Good 1953: psi2(2) - psi2(1)",
        "overlapping pairs come as often as their law says",
    ),
    Test(
        "coupon collector",
        sequences.coupon_collector,
        f"{_GLI}; {_KNUTH}; law by inclusion-exclusion, 4 kinds",
        "all kinds appear as soon as their law says",
    ),
    Test(
        "runs",
        sequences.runs,
        f"{_GLI}; Wald and Wolfowitz 1940, above and below the middle",
        "values change between above and below the middle as often as by chance",
    ),
    Test(
        "serial correlation",
        sequences.serial_correlation,
        f"{_GLI}; {_KNUTH}; lag 1 of ranks, exact moments",
        "a value doesn't predict the next one",
    ),
    Test(
        "serial correlation, lags 2-10",
        sequences.further_lags,
        f"{_GLI}; Box and Pierce 1970, exact moments",
        "a value doesn't predict the second to the tenth after it",
    ),
    Test(
        "serial correlation, all lags",
        sequences.all_lags,
        "largest of all lags up to n/4, exact moments",
        "a value doesn't predict any later one, up to a quarter of the sequence",
    ),
    Test(
        "neighbours equal",
        sequences.equal_neighbors,
        f"{_GLI} (duplicates); exact mean and variance",
        "neighbors are equal as often as by chance",
    ),
    Test(
        "gap",
        sequences.gap,
        f"{_KNUTH}; geometric law",
        "the lengths between returns to a range are geometric",
    ),
    Test(
        "poker",
        sequences.poker,
        f"{_KNUTH}; values of five in a hand, law by enumeration",
        "hands of five have as many different values as their law says",
    ),
    Test(
        "permutation",
        sequences.permutation,
        f"{_KNUTH}; orders of three, law with ties",
        "all orders of three values are as likely as their law says",
    ),
    Test(
        "block repeats",
        sequences.block_repeats,
        f"{_GLI} (duplicates); longest repeated block, exact expected number",
        "no repeated block of values is longer than chance allows",
        asked="cycles",
    ),
    Test(
        "Kolmogorov-Smirnov",
        standards.kolmogorov,
        f"{_KNUTH}; exact law by scipy.stats.kstest, of quantiles drawn within the law's steps",
        "the distribution function is the law's",
        reported=False,
    ),
    Test(
        "adjacency",
        standards.adjacency,
        "distances of pairs that don't overlap, in eight ranges of values; Pearson 1900",
        "neighbors are as far apart as independent values",
        reported=False,
    ),
    Test(
        "order statistic",
        standards.order_statistic,
        "the largest of five: the fifth power of the distribution function; Pearson 1900",
        "the largest of five values follows its law",
        reported=False,
    ),
    Test(
        "subsequences",
        standards.subsequences,
        "chi-square, runs and serial correlation of every k-th value, by Bonferroni",
        "every k-th value looks like the whole sequence",
        reported=False,
    ),
    Test(
        "Poisson",
        standards.poisson,
        "counts of a rare event in blocks, exact binomial law; Pearson 1900",
        "rare events are spread over blocks as their law says",
        reported=False,
    ),
    Test(
        "spectral",
        standards.spectral,
        "highest peak of the Fourier transform; powers are exponential in the limit",
        "nothing recurs periodically",
        reported=False,
    ),
    Test(
        "interplay correlation",
        rounds.interplay,
        f"{_GLI}; all pairs, exact moments",
        "values of one play don't predict each other",
        asked="interplay",
        of="places",
    ),
    Test(
        "position x value",
        rounds.positions,
        "multinomial limit with a shuffle's exact covariance",
        "every value is at each place as often as its law says",
        of="shuffles",
    ),
    Test(
        "position x value",
        rounds.place_frequencies,
        "sum of independent chi-squares",
        "every value is at each place as often as its law says",
        of="places",
    ),
    # If many rounds agree in every value, equal pairs aren't rare, and other tests detect it.
    Test(
        "duplicates",
        rounds.duplicates,
        f"{_GLI}; pairs of equal rounds, Poisson (birthday problem)",
        "no more plays are equal than by chance",
        of="rounds",
    ),
)
"""All tests, in the order of reports."""

BY_NAME = {test.asked or test.name: test for test in TESTS}
"""The tests by the names that standards and power studies use."""


def reported_results(material: FairnessMaterial) -> Iterator[tuple[Test, str, Judgment | int]]:
    """Yield each test of a report that applies, with its sequence and its result.

    If a sequence is too short for a test, the result is the number of values needed.
    """
    reported = [test for test in TESTS if test.reported]
    for sequence in material.sequences:
        tests = [test for test in reported if not test.of]
        # A sequence with one possible value can only be tested for that value.
        for test in tests[:1] if rounds.is_constant(sequence) else tests:
            result = judge(test.function(sequence), sequence.values, test.name)
            if result is not None:
                yield test, sequence.name, result
    for test in reported:
        result = test.function(material) if test.of else None
        if result is not None:
            yield test, test.of, result


def results_of(name: str, material: FairnessMaterial) -> list[tuple[Judgment | int | None, str]]:
    """Return the result of a test for each sequence of the material, with the sequence's name.

    `name` is a key of `BY_NAME`.
    """
    results: list[tuple[Judgment | int | None, str]] = []
    for test in TESTS:
        if (test.asked or test.name) != name:
            continue
        if test.of:
            of = "the places of a round" if test.of == "places" else test.of
            results.append((test.function(material), of))
            continue
        results += [
            (judge(test.function(sequence), sequence.values, name), sequence.name)
            for sequence in material.sequences
            if not rounds.is_constant(sequence)
        ]
    return results
