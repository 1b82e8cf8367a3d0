"""The tests: of one sequence, and of whole rounds.

The document behind most of the names is GLI-19, which lists chi-square, overlaps, coupon collector, runs,
interplay correlation, serial correlation and duplicates; gap, poker, permutation and equidistribution are
in Knuth, The Art of Computer Programming, volume 2, section 3.3.2.

Every test works on a sequence of independent values whose law is known exactly, so nothing is estimated
from the data. Tests that need few classes cut the values into ranges and use the exact probability of
each range; no equal probabilities are assumed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from provably_fair._core.optional import optional
from provably_fair.distribution.chisquare import pearson
from provably_fair.distribution.sequences import FairnessMaterial, LawSequence

__all__ = ["Found", "all_tests"]

_HAND = 5
_LAGS = 10


@dataclass(frozen=True)
class Found:
    """A statistic, its law with the degrees of freedom if it has any, and its p-value."""

    statistic: float
    null: str
    pvalue: float
    below: float | None = None
    dof: int = 0


def _chi(statistic: float, dof: int) -> Found:
    pvalue = float(_stats().chi2.sf(statistic, dof)) if dof else 1.0
    return Found(float(statistic), f"chi2({dof})", pvalue, dof=dof)


def _impossible(dof: int) -> Found:
    """Return the result of data that no fair generator makes."""
    return Found(math.inf, f"chi2({dof})", 0.0, dof=dof)


def _tail(z: float) -> float:
    return math.erfc(z / math.sqrt(2))


def _normal(statistic: float) -> Found:
    return Found(float(statistic), "N(0, 1), two-sided", _tail(abs(statistic)))


def _normal_count(count: int, mean: float, variance: float) -> Found:
    """Compare a count with a normal law: its step reaches half a unit to both sides."""
    deviation = math.sqrt(variance)
    apart = abs(count - mean)
    outer = _tail((apart + 0.5) / deviation)
    inner = _tail(max(apart - 0.5, 0.0) / deviation)
    return Found((count - mean) / deviation, "N(0, 1), two-sided, half-unit correction", inner, outer)


def _fit(counts: np.ndarray, chances: np.ndarray, outside: int = 0) -> Found:
    """Compare counts of categories with their probabilities; `outside` counts what is in none of them."""
    found = pearson(counts.astype(np.int64), chances, outside + int(counts[chances == 0].sum()))
    return Found(found.statistic, f"chi2({found.dof})", found.pvalue, dof=found.dof)


def _stats() -> Any:
    return optional("scipy.stats", "stats", "fairness_report")


# The tests of one sequence


def _frequency(data: LawSequence) -> Found:
    if data.uniform is not None:
        cells = min(1000, data.size // 10)
        found = _fit(np.bincount(data.classes(cells)[0], minlength=cells), np.full(cells, 1 / cells))
        outside = (data.uniform < 0) | (data.uniform >= 1)
        return _impossible(found.dof) if outside.any() else found
    assert data.places is not None
    assert data.pmf is not None
    counts = np.bincount(data.places + 1, minlength=len(data.pmf) + 1)  # -1, no outcome, comes first
    return _fit(counts[1:], data.pmf, outside=int(counts[0]))


def _kolmogorov(data: LawSequence) -> Found | None:
    if data.uniform is None:
        return None
    result = _stats().kstest(data.uniform, "uniform")
    return Found(float(result.statistic), f"Kolmogorov's, n = {data.size}", float(result.pvalue))


def _overlaps(data: LawSequence) -> Found:
    codes, chances = data.classes(8)
    kinds, n = len(chances), len(codes)
    pairs = np.bincount(codes * kinds + np.roll(codes, -1), minlength=kinds * kinds)
    singles = np.bincount(codes, minlength=kinds)
    expected = np.outer(chances, chances).ravel() * n
    both = float(((pairs - expected) ** 2 / expected).sum())
    alone = float(((singles - chances * n) ** 2 / (chances * n)).sum())
    return _chi(both - alone, kinds * kinds - kinds)


def _collector(data: LawSequence) -> Found:
    codes, chances = data.classes(4)
    kinds = len(chances)
    lengths = []
    wanted, seen, begin = (1 << kinds) - 1, 0, 0
    bits = (1 << codes).tolist()
    for place, bit in enumerate(bits):
        seen |= bit
        if seen == wanted:
            lengths.append(place + 1 - begin)
            seen, begin = 0, place + 1

    def longer(times: np.ndarray) -> np.ndarray:
        """P(a set takes longer): inclusion and exclusion over the sets of kinds that are still missing."""
        survival = np.zeros(len(times))
        for size in range(1, kinds + 1):
            for missing in itertools.combinations(chances.tolist(), size):
                survival += (-1) ** (size + 1) * np.maximum(1 - sum(missing), 0.0) ** times
        return np.clip(survival, 0, 1)

    if not lengths:
        # No lengths to compare with their law: what tells is that there are none.
        none = float(longer(np.array([len(codes)]))[0])
        return Found(0.0, f"sets of {kinds} kinds in {len(codes)} values: none", none, 0.0)
    longest = 64
    survival = longer(np.arange(kinds - 1, longest))
    law = np.append(survival[:-1] - survival[1:], survival[-1])
    counts = np.bincount(np.minimum(lengths, longest) - kinds, minlength=len(law))
    return _fit(counts, np.maximum(law, 0))


def _runs(data: LawSequence) -> Found:
    codes, _ = data.classes(2)
    ones = int(codes.sum())
    zeros = len(codes) - ones
    n = ones + zeros
    if not ones or not zeros:
        return Found(math.inf, "N(0, 1), two-sided, half-unit correction", 0.0)
    mean = 1 + 2 * ones * zeros / n
    variance = (mean - 1) * (mean - 2) / (n - 1)
    count = 1 + int((codes[1:] != codes[:-1]).sum())
    return _normal_count(count, mean, variance)


def _lag(scores: np.ndarray, lag: int) -> float:
    return float(scores[:-lag] @ scores[lag:]) / math.sqrt(len(scores) - lag)


def _serial(data: LawSequence) -> Found:
    return _normal(_lag(data.scores(), 1))


def _serial_lags(data: LawSequence) -> Found:
    scores = data.scores()
    return _chi(sum(_lag(scores, lag) ** 2 for lag in range(2, _LAGS + 1)), _LAGS - 1)


def _repeats(data: LawSequence) -> Found | None:
    """Neighbors that are equal, where values are few enough for that to happen."""
    if data.pmf is None or data.places is None:
        return None
    n = data.size
    second, third = float((data.pmf**2).sum()), float((data.pmf**3).sum())
    if n * second < 50:
        return None
    count = int((data.places[1:] == data.places[:-1]).sum())
    variance = (n - 1) * second * (1 - second) + 2 * (n - 2) * (third - second**2)
    return _normal_count(count, (n - 1) * second, variance)


def _gap(data: LawSequence) -> Found:
    codes, chances = data.classes(4)
    visits = np.flatnonzero(codes == 0)
    gaps = np.diff(visits) - 1
    chance = float(chances[0])
    if not gaps.size:
        # No gaps to compare with their law: what tells is how few values are in the range.
        law_of_visits = _stats().binom(len(codes), chance)
        name = f"Binomial({len(codes)}, {chance:.3g}), this few or fewer"
        few = len(visits)
        return Found(float(few), name, float(law_of_visits.cdf(few)), float(law_of_visits.cdf(few - 1)))
    longest = 64
    law = np.append(chance * (1 - chance) ** np.arange(longest), (1 - chance) ** longest)
    return _fit(np.bincount(np.minimum(gaps, longest), minlength=longest + 1), law)


def _poker(data: LawSequence) -> Found:
    codes, chances = data.classes(5)
    kinds = len(chances)
    hands = codes[: len(codes) // _HAND * _HAND].reshape(-1, _HAND)
    every = np.array(list(itertools.product(range(kinds), repeat=_HAND)))
    weight = np.prod(chances[every], axis=1)
    law = np.bincount(_different(every), weights=weight, minlength=_HAND + 1)[1:]
    return _fit(np.bincount(_different(hands), minlength=_HAND + 1)[1:], law)


def _different(hands: np.ndarray) -> np.ndarray:
    """How many different values each hand has."""
    ordered = np.sort(hands, axis=1)
    found: np.ndarray = 1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1)
    return found


def _permutation(data: LawSequence) -> Found:
    values = data.places if data.uniform is None else data.uniform
    assert values is not None
    a, b, c = values[: len(values) // 3 * 3].reshape(-1, 3).T
    # The signs of the three comparisons name the order, ties included.
    kinds = (np.sign(a - b) * 9 + np.sign(a - c) * 3 + np.sign(b - c) + 13).astype(np.int64)
    law = np.zeros(27)
    if data.pmf is None:
        low = high = three = 0.0
    else:
        before = np.cumsum(data.pmf) - data.pmf
        after = 1 - before - data.pmf
        low = float((data.pmf**2 * after).sum())  # two equal ones below a third
        high = float((data.pmf**2 * before).sum())
        three = float((data.pmf**3).sum())
    distinct = (1 - three - 3 * low - 3 * high) / 6
    for triple in itertools.product(range(3), repeat=3):
        x, y, z = (int(v) for v in triple)
        chance = {3: distinct, 1: three}.get(len({x, y, z}))
        if chance is None:
            chance = high if sorted(triple)[1] == max(triple) else low
        law[(np.sign(x - y) * 9 + np.sign(x - z) * 3 + np.sign(y - z)) + 13] = max(chance, 0.0)
    possible = law > 0
    counts = np.bincount(kinds, minlength=27)[possible]
    if not counts.any():
        # Continuous values are compared by the triples without ties, which are rare: here every one has some.
        return _impossible(int(possible.sum()) - 1)
    return _fit(counts, law[possible])


_GLI = "GLI-19, RNG requirements"
_KNUTH = "Knuth, TAOCP 2, 3.3.2"
_SEQUENCE_TESTS: tuple[tuple[str, Callable[[LawSequence], Found | None], str], ...] = (
    ("chi-square (equidistribution)", _frequency, f"{_GLI}; Pearson 1900; cells expect at least 5"),
    ("Kolmogorov-Smirnov", _kolmogorov, f"{_KNUTH}; exact law by scipy.stats.kstest"),
    ("overlaps", _overlaps, f"{_GLI}; overlapping pairs, Good 1953: psi2(2) - psi2(1)"),
    ("coupon collector", _collector, f"{_GLI}; {_KNUTH}; law by inclusion-exclusion, 4 kinds"),
    ("runs", _runs, f"{_GLI}; Wald and Wolfowitz 1940, above and below the middle"),
    ("serial correlation", _serial, f"{_GLI}; {_KNUTH}; lag 1 of ranks, exact moments"),
    ("serial correlation, lags 2-10", _serial_lags, f"{_GLI}; Box and Pierce 1970, exact moments"),
    ("neighbours equal", _repeats, f"{_GLI} (duplicates); exact mean and variance"),
    ("gap", _gap, f"{_KNUTH}; geometric law"),
    ("poker", _poker, f"{_KNUTH}; values of five in a hand, law by enumeration"),
    ("permutation", _permutation, f"{_KNUTH}; orders of three, law with ties"),
)


# The tests of whole rounds


def _duplicates(rounds: np.ndarray, same: float) -> Found:
    """Count pairs of equal rounds; `same` is the probability that two are."""
    _, counts = np.unique(rounds, return_counts=True)
    counts = counts.astype(np.int64)
    pairs = int((counts * (counts - 1) // 2).sum())
    n = len(rounds)
    law = _stats().poisson(n * (n - 1) / 2 * same)
    name = f"Poisson({n * (n - 1) / 2 * same:.3g}), this many or more"
    return Found(float(pairs), name, float(law.sf(pairs - 1)), float(law.sf(pairs)))


def _interplay(columns: np.ndarray) -> Found:
    """Correlate all pairs of columns of standardized, independent values."""
    n, width = columns.shape
    products = columns.T @ columns / math.sqrt(n)
    return _chi(float((products[np.triu_indices(width, 1)] ** 2).sum()), width * (width - 1) // 2)


def _positions(values: np.ndarray, kinds: int) -> Found:
    """Position x value of shuffles of which the first places are known; values shape (N, places).

    The table's covariance is (I - J/k)/(k - 1) in both directions, for a whole shuffle of k. Of its first
    m < k rows the first factor has the inverse (k - 1)(I + J/(k - m)), so this form is a chi-square
    with m(k - 1) degrees of freedom in the limit.
    """
    n, places = values.shape
    table = np.stack([np.bincount(values[:, place], minlength=kinds) for place in range(places)])
    apart = table - n / kinds
    form = float((apart**2).sum() + (apart.sum(axis=0) ** 2).sum() / (kinds - places))
    return _chi((kinds - 1) / n * form, places * (kinds - 1))


def all_tests(material: FairnessMaterial) -> Iterator[tuple[str, str, Found, str]]:
    """Yield the results of all tests: name, sequence, what was found, source.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.statistics.sequences import material_of
    >>> from provably_fair.statistics.tests import all_tests
    >>> len(list(all_tests(material_of(pf.X50().simulate(10_000), pf.X50()))))
    10
    """
    for sequence in material.sequences:
        # A law of one value leaves nothing to test but that it is the value.
        constant = sequence.pmf is not None and len(sequence.pmf) == 1
        for name, test, source in _SEQUENCE_TESTS[:1] if constant else _SEQUENCE_TESTS:
            found = test(sequence)
            if found is not None:
                yield name, sequence.name, found, source
    if len(material.columns) > 1:
        scores = np.stack([column.scores() for column in material.columns], axis=1)
        yield "interplay correlation", "places", _interplay(scores), f"{_GLI}; all pairs, exact moments"
    if material.shuffles is not None:
        found = _positions(*material.shuffles)
        yield "position x value", "shuffles", found, "multinomial limit with a shuffle's exact covariance"
    elif len(material.columns) > 1:
        parts = [_frequency(column) for column in material.columns]
        found = _chi(sum(part.statistic for part in parts), sum(part.dof for part in parts))
        yield "position x value", "places", found, "sum of independent chi-squares"
    # Where many rounds share every value, pairs aren't rare, and the other tests see them.
    if material.duplicates is not None and len(material.duplicates[0]) * material.duplicates[1] < 1 / 16:
        found = _duplicates(*material.duplicates)
        yield "duplicates", "rounds", found, f"{_GLI}; pairs of equal rounds, Poisson (birthday problem)"
