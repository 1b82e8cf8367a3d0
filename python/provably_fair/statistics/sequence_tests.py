"""Tests of one sequence of independent values.

Every test compares a statistic with its law for a fair generator. The sequence's own law is known exactly, so
nothing is estimated from the data. Tests that need few classes group the values and use the exact probability
of each class, which needn't be equal.

A test is a function of a sequence that returns a `Trial`; the number of values it needs, if there are too
few; or None if it doesn't apply. Statistics are computed for many samples at once, one a row.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.optional import optional
from provably_fair.distribution.cells import merge_cells
from provably_fair.distribution.sequences import LawSequence

from .resampling import MEDIUM, SMALL, Limit, Trial, categorical, simulated

_HAND = 5
_LAGS = 10
# Longer sets and gaps are counted together.
_LONGEST = 64
# Up to this many distinct cell probabilities, the joint law is computed.
_MAX_KINDS = 64
# Number of classes of continuous values in which repeated blocks are sought.
_BLOCK_KINDS = 64
# Longer repeated blocks have a probability of 0 in doubles, or a law that is all but constant.
_LONGEST_BLOCK = 20_000


def _special() -> Any:
    return optional("scipy.special", "stats", "fairness_report")


def chi_square(statistic: np.ndarray, dof: np.ndarray | int) -> np.ndarray:
    """Return the chi-square p-values of statistics; 1 without degrees of freedom."""
    degrees = np.asarray(dof)
    return np.where(degrees > 0, _special().chdtrc(np.maximum(degrees, 1), statistic), 1.0)


def _pearson_rows(counts: np.ndarray, chances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Pearson's statistics of rows of counts, and their degrees of freedom.

    Neighbors are merged until a cell expects at least 5.
    """
    totals = counts.sum(axis=1)
    statistic, dof = np.zeros(len(counts)), np.zeros(len(counts), dtype=np.int64)
    for total in np.unique(totals).tolist():
        if not total:
            continue
        rows = np.flatnonzero(totals == total)
        begins = merge_cells(chances * total)
        expected = np.add.reduceat(chances * total, begins)
        observed = np.add.reduceat(counts[rows], begins, axis=1)
        statistic[rows] = ((observed - expected) ** 2 / expected).sum(axis=1)
        dof[rows] = len(begins) - 1
    return statistic, dof


def _fit_or(counts: np.ndarray, chances: np.ndarray, without: Callable[[], Limit]) -> Limit:
    """Return Pearson's test of rows of counts, with another limit for rows without counts."""
    statistic, dof = _pearson_rows(counts, chances)
    fit = Limit(statistic, chi_square(statistic, dof), f"chi2({dof[0]})")
    empty = counts.sum(axis=1) == 0
    if not empty.any():
        return fit
    other = without()
    return Limit(
        np.where(empty, other.statistic, fit.statistic),
        np.where(empty, other.pvalue, fit.pvalue),
        other.null if empty[0] else fit.null,
        np.where(empty, other.below, fit.pvalue),  # type: ignore[arg-type]
        bool(empty[0]),
    )


def multinomial_trial(*parts: tuple[np.ndarray, np.ndarray]) -> Trial:
    """Return Pearson's test of independent rows of as many counts, each with its chances, added up.

    Fair samples are from the multinomial law.
    """
    total = int(parts[0][0].sum())
    cells = [np.add.reduceat(chances, merge_cells(chances * total)) for _, chances in parts]
    dof = sum(len(each) - 1 for each in cells)
    added = math.fsum(float(_pearson_rows(counts[None], chances)[0][0]) for counts, chances in parts)

    def limit(statistic: np.ndarray) -> Limit:
        return Limit(statistic, chi_square(statistic, dof), f"chi2({dof})", sure=True)

    def fair(random: np.random.Generator, samples: int) -> np.ndarray:
        sums = np.zeros(samples)
        for each in cells:
            shares = each / each.sum()
            expected = shares * total
            counts = random.multinomial(total, shares, size=samples)
            sums += ((counts - expected) ** 2 / expected).sum(axis=1)
        return sums

    needed = max(_uneven(each / each.sum()) for each in cells)
    return Trial(limit(np.array([added])), total, simulated(limit, fair), 8 * sum(map(len, cells)), needed)


def _uneven(cells: np.ndarray) -> float:
    """Return the number of values at which the variance of Pearson's statistic is within 2 % of its limit."""
    dof = len(cells) - 1
    if not dof:
        return 0.0
    return abs(float((1 / cells).sum()) - len(cells) ** 2 - 2 * dof) / (0.02 * 2 * dof)


def impossible(dof: int) -> Trial:
    """Return the result for data that no fair generator can produce."""
    return Trial(Limit(np.array([math.inf]), np.array([0.0]), f"chi2({dof})"), 0)


def _normal(z: np.ndarray) -> np.ndarray:
    """Return two-sided normal p-values."""
    return np.asarray(_special().erfc(np.abs(z) / math.sqrt(2)))


def _normal_count(count: np.ndarray, mean: Any, variance: Any) -> Limit:
    """Compare counts with a normal law, with continuity correction of half a unit."""
    deviation = np.sqrt(variance)
    apart = np.abs(count - mean)
    inner = _normal(np.maximum(apart - 0.5, 0) / deviation)
    outer = _normal((apart + 0.5) / deviation)
    return Limit((count - mean) / deviation, inner, "N(0, 1), two-sided, half-unit correction", outer)


def _by_codes(
    sequence: LawSequence, kinds: int, limit: Callable[[np.ndarray, np.ndarray], Limit]
) -> tuple[Limit, Callable[[np.random.Generator, int], np.ndarray], np.ndarray]:
    """Return a sequence's limit, a function that simulates it, and the probabilities of its classes."""
    codes, chances = sequence.classes(kinds)
    draw = simulated(
        lambda rows: limit(rows, chances),
        lambda random, samples: categorical(random, chances, (samples, len(codes))),
    )
    return limit(codes[None], chances), draw, chances


def _row_counts(codes: np.ndarray, kinds: int) -> np.ndarray:
    """Count the codes of each row."""
    rows = np.arange(len(codes))[:, None] * kinds
    return bincount((codes + rows).ravel(), minlength=len(codes) * kinds).reshape(-1, kinds)


def counts_of(sequence: LawSequence) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return counts of values or classes, their probabilities, and whether all values are possible."""
    if sequence.uniform is not None:
        size = sequence.size
        cells = min(1000, size // 10) if size >= SMALL else max(2, min(50, size // 5))
        possible = bool(((sequence.uniform >= 0) & (sequence.uniform < 1)).all())
        counts = bincount(sequence.classes(cells)[0], minlength=cells)
        return counts, np.full(cells, 1 / cells), possible
    places, pmf = sequence.ranks
    counts = bincount(places + 1, minlength=len(pmf) + 1)  # index 0 counts impossible values
    return counts[1:], pmf, not counts[0]


def frequencies(sequence: LawSequence) -> Trial:
    """Compare the counts of all values with their law: Pearson's chi-square."""
    counts, chances, possible = counts_of(sequence)
    if not possible:
        return impossible(len(merge_cells(chances * sequence.size)) - 1)
    return multinomial_trial((counts, chances))


def largest_cell(sequence: LawSequence) -> Trial:
    """Test the largest deviation of a single cell from its binomial law."""
    counts, chances, _ = counts_of(sequence)
    n = int(counts.sum())
    if not n:  # all values are impossible
        return impossible(len(counts) - 1)
    tails = np.ones(len(counts))
    observed = counts > 0
    tails[observed] = _special().bdtrc(counts[observed] - 1.0, n, chances[observed])
    place, least = int(tails.argmin()), float(tails.min())
    # For each probability, bisect for the smallest count that is as improbable.
    kinds, number = np.unique(chances, return_counts=True)
    low, high = np.zeros(len(kinds), dtype=np.int64), np.full(len(kinds), n + 1)
    while (high - low > 1).any():
        middle = (low + high) // 2
        rare = _special().bdtrc(middle - 1.0, n, kinds) <= least
        low, high = np.where(rare, low, middle), np.where(rare, middle, high)
    farther = high + (_special().bdtrc(high - 1.0, n, kinds) == least)
    expected = n * chances[place]
    spread = math.sqrt(expected * (1 - chances[place])) or 1.0
    statistic = np.array([(counts[place] - expected) / spread])
    pvalue, below = (np.array([_any_reaches(limits, n, kinds, number)]) for limits in (high, farther))
    return Trial(Limit(statistic, pvalue, f"least tail of {len(chances)} binomial counts", below), n)


def _any_reaches(limits: np.ndarray, n: int, kinds: np.ndarray, number: np.ndarray) -> float:
    """Return the probability that the count of some cell reaches its limit; `number` cells of each kind.

    The sum over cells is an upper bound, and accurate while it is small. Otherwise the joint law is computed,
    unless there are too many kinds: multinomial counts are independent Poisson counts given their sum.
    """
    tails = np.where(limits > n, 0.0, _special().bdtrc(np.minimum(limits, n) - 1.0, n, kinds))
    together = min(float((number * tails).sum()), 1.0)
    if together < 1e-4 or len(kinds) > _MAX_KINDS:
        return together
    total = _Counts(0.0, 0, np.ones(1))
    for limit, chance, times in zip(limits.tolist(), kinds.tolist(), number.tolist(), strict=True):
        if not chance:
            continue
        cell = _Counts.below(limit, n * chance)
        # By repeated squaring: log2(cells) convolutions.
        while times:
            if times & 1:
                total = total.plus(cell)
            times >>= 1
            if times:
                cell = cell.plus(cell)
    inside = total.at(n) / math.exp(n * math.log(n) - n - math.lgamma(n + 1))
    return min(max(1 - inside, 0.0), 1.0)


@dataclass(frozen=True, eq=False)
class _Counts:
    """Poisson probabilities of consecutive counts around a mean, without negligible tails."""

    mean: float
    first: int
    chances: np.ndarray

    @classmethod
    def below(cls, limit: int, mean: float) -> _Counts:
        """Return the Poisson probabilities of the counts below a limit."""
        reach = 9 * math.sqrt(mean) + 30
        low = max(0, math.floor(mean - reach))
        counts = np.arange(low, max(min(limit, math.ceil(mean + reach)), low + 1))
        chances = np.exp(counts * math.log(mean) - mean - _special().gammaln(counts + 1))
        return cls(mean, low, np.where(counts < limit, chances, 0.0))

    def plus(self, other: _Counts) -> _Counts:
        """Return the probabilities of the sum with independent counts."""
        small = len(self.chances) * len(other.chances) < 1 << 20
        join = np.convolve if small else optional("scipy.signal", "stats", "fairness_report").fftconvolve
        mean, first = self.mean + other.mean, self.first + other.first
        if not self.chances.size or not other.chances.size:  # the limit lies in a negligible tail
            return _Counts(mean, first, np.zeros(0))
        chances = join(self.chances, other.chances)
        reach = 9 * math.sqrt(mean) + 30
        skipped = max(0, math.floor(mean - reach) - first)
        kept = chances[skipped : max(0, math.ceil(mean + reach) - first) + 1]
        return _Counts(mean, first + skipped, kept)

    def at(self, count: int) -> float:
        """Return the probability of a count."""
        place = count - self.first
        return max(float(self.chances[place]), 0.0) if 0 <= place < len(self.chances) else 0.0


def distribution_function(sequence: LawSequence) -> Trial | None:
    """Test the distribution function of continuous values; None for discrete ones."""
    if sequence.uniform is None:
        return None
    result = optional("scipy.stats", "stats", "fairness_report").kstest(sequence.uniform, "uniform")
    name = f"Kolmogorov's, n = {sequence.size}"
    return Trial(Limit(np.array([result.statistic]), np.array([result.pvalue]), name), sequence.size)


def overlaps(sequence: LawSequence) -> Trial | int:
    """Compare overlapping pairs with their law, given the counts of single values."""

    def limit(codes: np.ndarray, chances: np.ndarray) -> Limit:
        kinds, n = len(chances), codes.shape[1]
        pairs = _row_counts(codes * kinds + np.roll(codes, -1, axis=1), kinds * kinds)
        singles = _row_counts(codes, kinds)
        expected = np.outer(chances, chances).ravel() * n
        both = ((pairs - expected) ** 2 / expected).sum(axis=1)
        alone = ((singles - chances * n) ** 2 / (chances * n)).sum(axis=1)
        dof = kinds * kinds - kinds
        return Limit(both - alone, chi_square(np.maximum(both - alone, 0), dof), f"chi2({dof})")

    observed, draw, chances = _by_codes(sequence, 8, limit)
    n = sequence.size
    if n < len(chances) ** 2:
        return len(chances) ** 2
    return Trial(observed, n, draw, n, 5 / chances.min() ** 2)


def coupon_collector(sequence: LawSequence) -> Trial | int:
    """Compare the numbers of values that complete a set of four classes with their law."""
    chances = sequence.classes(4)[1]
    kinds, n = len(chances), sequence.size

    def longer(times: np.ndarray) -> np.ndarray:
        """Return P(a set takes longer), by inclusion-exclusion over the missing classes."""
        survival = np.zeros(len(times))
        for size in range(1, kinds + 1):
            for missing in itertools.combinations(chances.tolist(), size):
                survival += (-1) ** (size + 1) * np.maximum(1 - math.fsum(missing), 0.0) ** times
        return np.clip(survival, 0, 1)

    mean = math.fsum(
        (-1.0) ** (size + 1) / math.fsum(missing)
        for size in range(1, kinds + 1)
        for missing in itertools.combinations(chances.tolist(), size)
    )
    if n < 5 * mean:
        return math.ceil(5 * mean)
    survival = longer(np.arange(kinds - 1, _LONGEST))
    law = np.maximum(np.append(survival[:-1] - survival[1:], survival[-1]), 0)
    zero, none, name = np.zeros(1), longer(np.array([n])), f"sets of {kinds} kinds in {n} values: none"

    def limit(codes: np.ndarray, _: np.ndarray) -> Limit:
        counts = _set_lengths(codes, kinds)
        # If no set is complete, the p-value is the probability of just that.
        return _fit_or(counts, law, lambda: Limit(zero, none, name, zero))

    observed, draw, _ = _by_codes(sequence, 4, limit)
    return Trial(observed, n, draw, 6 * n, 50 * mean)


def _set_lengths(codes: np.ndarray, kinds: int) -> np.ndarray:
    """Count, in each row, the lengths of the runs of values that complete a set of all kinds."""
    samples, n = codes.shape
    places = np.arange(n)
    ends = np.zeros((samples, n), dtype=np.int64)
    for kind in range(kinds):
        # The next occurrence of this kind from each place on; n if there is none.
        following = np.where(codes == kind, places, n)
        following = np.minimum.accumulate(following[:, ::-1], axis=1)[:, ::-1]
        np.maximum(ends, following, out=ends)
    width = _LONGEST - kinds + 1
    if samples == 1:
        lengths, start, row = [], 0, ends[0].tolist()
        while start < n and (last := row[start]) < n:
            lengths.append(min(last + 1 - start, _LONGEST) - kinds)
            start = last + 1
        return bincount(np.array(lengths, dtype=np.int64), minlength=width)[None]
    counts = np.zeros((samples, width), dtype=np.int64)
    rows, begin = np.arange(samples), np.zeros(samples, dtype=np.int64)
    while rows.size:
        end = ends[rows, begin]
        complete = end < n
        rows, begin, end = rows[complete], begin[complete], end[complete]
        counts[rows, np.minimum(end + 1 - begin, _LONGEST) - kinds] += 1
        begin = end + 1
        inside = begin < n
        rows, begin = rows[inside], begin[inside]
    return counts


def runs(sequence: LawSequence) -> Trial | int:
    """Count runs of values above and below the median (Wald and Wolfowitz)."""
    if sequence.size < 2:
        return 2

    def limit(codes: np.ndarray, chances: np.ndarray) -> Limit:
        n = codes.shape[1]
        ones = codes.sum(axis=1, dtype=np.int64)  # their products need 64 bits
        zeros = n - ones
        count = 1 + (codes[:, 1:] != codes[:, :-1]).sum(axis=1)
        mixed = (ones > 0) & (zeros > 0)
        mean = 1 + 2 * ones * zeros / n
        variance = (mean - 1) * (mean - 2) / (n - 1)
        normal = _normal_count(count, mean, np.where(variance > 0, variance, 1.0))
        if mixed.all():
            return normal
        # If one class never occurs, the p-value is the probability of just that.
        alone = float((chances**n).sum()) if len(chances) > 1 else 1.0
        return Limit(
            np.where(mixed, normal.statistic, math.inf),
            np.where(mixed, normal.pvalue, alone),
            normal.null,
            np.where(mixed, normal.below, 0.0),  # type: ignore[arg-type]
        )

    observed, draw, chances = _by_codes(sequence, 2, limit)
    return Trial(observed, sequence.size, draw, sequence.size, 100 / chances.min())


class Scores:
    """Standardized ranks, and samples of them."""

    def __init__(self, sequence: LawSequence) -> None:
        self.values: np.ndarray = sequence.scores()[None]
        self.size: int = sequence.size
        self.pmf: np.ndarray | None = sequence.pmf
        self.table: np.ndarray | None = None
        if sequence.pmf is None:
            self.kurtosis: float = 1.8
        else:
            ranks = LawSequence("", np.arange(len(sequence.pmf)), sequence.pmf)
            self.table = ranks.scores()
            self.kurtosis = float((sequence.pmf * self.table**4).sum())

    def draw(self, random: np.random.Generator, samples: int) -> np.ndarray:
        """Draw fair samples, one a row."""
        if self.table is None or self.pmf is None:
            return (random.random((samples, self.size)) - 0.5) * math.sqrt(12)
        return np.asarray(self.table[categorical(random, self.pmf, (samples, self.size))])

    def trial(self, limit: Callable[[np.ndarray], Limit], needed: float, cost: int = 1) -> Trial:
        """Return a trial whose limit needs `needed` values, times the squared kurtosis."""
        draw, enough = simulated(limit, self.draw), needed * self.kurtosis**2
        return Trial(limit(self.values), self.size, draw, cost * self.size, enough)


def _lag(scores: np.ndarray, lag: int) -> np.ndarray:
    products: np.ndarray = (scores[:, :-lag] * scores[:, lag:]).sum(axis=1)
    return products / math.sqrt(scores.shape[1] - lag)


def serial_correlation(sequence: LawSequence) -> Trial | int:
    """Correlate each value with the next one."""
    if sequence.size < 2:
        return 2

    def limit(scores: np.ndarray) -> Limit:
        z = _lag(scores, 1)
        return Limit(z, _normal(z), "N(0, 1), two-sided")

    return Scores(sequence).trial(limit, 30)


def further_lags(sequence: LawSequence) -> Trial | int:
    """Correlate each value with the second to the tenth after it, jointly."""
    if sequence.size < 4 * _LAGS:
        return 4 * _LAGS

    def limit(scores: np.ndarray) -> Limit:
        statistic = np.sum([_lag(scores, lag) ** 2 for lag in range(2, _LAGS + 1)], axis=0)
        return Limit(statistic, chi_square(statistic, _LAGS - 1), f"chi2({_LAGS - 1})")

    return Scores(sequence).trial(limit, 30, 2)


def all_lags(sequence: LawSequence) -> Trial | int:
    """Take the largest correlation over all lags up to a quarter of the sequence."""
    n = sequence.size
    if n < 4 * _LAGS:
        return 4 * _LAGS
    lags = n // 4
    scale = np.sqrt(n - np.arange(1.0, lags + 1))
    length = optional("scipy.fft", "stats", "fairness_report").next_fast_len(n + lags, real=True)

    def limit(scores: np.ndarray) -> Limit:
        spectrum = np.fft.rfft(scores, length, axis=1)
        power = spectrum.real**2 + spectrum.imag**2
        sums = np.fft.irfft(power, length, axis=1)[:, 1 : lags + 1]
        largest = np.abs(sums / scale).max(axis=1)
        with np.errstate(divide="ignore"):
            pvalue = np.abs(np.expm1(lags * np.log1p(-_normal(largest))))
        return Limit(largest, pvalue, f"largest of {lags} |N(0, 1)|")

    # The maximum over many lags converges more slowly than a single lag.
    return replace(Scores(sequence).trial(limit, 300, 8), limited=MEDIUM + 1)


def equal_neighbors(sequence: LawSequence) -> Trial | int | None:
    """Count equal neighbors; None if values are too many for that to happen."""
    pmf, n = sequence.pmf, sequence.size
    if pmf is None or sequence.places is None:
        return None
    second, third = float((pmf**2).sum()), float((pmf**3).sum())
    if (n - 1) * second < 1:
        return math.ceil(1 / second) + 1
    mean = (n - 1) * second
    # The probability that two differ, summed so that it never rounds to 0.
    unequal = 2 * float((pmf[1:] * np.cumsum(pmf)[:-1]).sum())
    # By second differences, which rounding alone can't make negative.
    variance = (n - 1) * second * unequal + 2 * (n - 2) * max(third - second**2, 0.0)
    even = float(np.ptp(pmf)) <= 1e-12

    def limit(places: np.ndarray) -> Limit:
        count = (places[:, 1:] == places[:, :-1]).sum(axis=1)
        if even and mean < 100:
            return _binomial_count(count, n - 1, second)
        return _normal_count(count, mean, variance)

    observed = limit(sequence.places[None])
    if even and mean < 100:
        return Trial(observed, n)
    draw = simulated(limit, lambda random, samples: categorical(random, pmf, (samples, n)))
    return Trial(observed, n, draw, n, 50 / min(second, unequal))


def _binomial_count(count: np.ndarray, n: int, chance: float) -> Limit:
    """Return a two-sided binomial test: counts at least as far from the mean."""
    special = _special()
    mean = n * chance
    apart = np.abs(count - mean)
    pvalues = []
    for step in (1e-9, -1e-9):
        # Bounds that include the counts at exactly this distance, and bounds that exclude them.
        low, high = np.floor(mean - apart + step), np.ceil(mean + apart - step)
        lower = np.where(low >= 0, special.bdtr(np.maximum(low, 0), n, chance), 0.0)
        upper = np.where(high <= 0, 1.0, special.bdtrc(np.clip(high - 1, 0, n), n, chance))
        pvalues.append(np.minimum(lower + np.where(high > n, 0.0, upper), 1.0))
    deviation = math.sqrt(mean * (1 - chance))
    name = f"Binomial({n}, {chance:.3g}), two-sided"
    return Limit((count - mean) / deviation, pvalues[0], name, pvalues[1])


def gap(sequence: LawSequence) -> Trial | int:
    """Compare the gaps between returns to a class with the geometric law."""
    chances = sequence.classes(4)[1]
    chance, n = float(chances[0]), sequence.size
    if n * chance < 10:
        return math.ceil(10 / chance)
    law = np.append(chance * (1 - chance) ** np.arange(_LONGEST), (1 - chance) ** _LONGEST)

    def limit(codes: np.ndarray, _: np.ndarray) -> Limit:
        at = np.flatnonzero(codes.ravel() == 0)
        rows = at // n
        together = rows[1:] == rows[:-1]
        gaps = np.minimum(np.diff(at)[together] - 1, _LONGEST)
        width = _LONGEST + 1
        counts = bincount(rows[1:][together] * width + gaps, minlength=len(codes) * width)
        counts = counts.reshape(-1, width)

        # If there are too few gaps, test the number of values in the class instead.
        def few_values() -> Limit:
            special, few = _special(), bincount(rows, minlength=len(codes)).astype(float)
            below = np.where(few > 0, special.bdtr(np.maximum(few - 1, 0), n, chance), 0.0)
            name = f"Binomial({n}, {chance:.3g}), this few or fewer"
            return Limit(few, special.bdtr(few, n, chance), name, below)

        return _fit_or(counts, law, few_values)

    observed, draw, _ = _by_codes(sequence, 4, limit)
    return Trial(observed, n, draw, 3 * n, 100 / chance)


def poker(sequence: LawSequence) -> Trial | int:
    """Compare the numbers of distinct values in hands of five with their law."""
    codes, chances = sequence.classes(5)
    kinds = len(chances)
    hands = codes[: len(codes) // _HAND * _HAND].reshape(-1, _HAND)
    every = np.array(list(itertools.product(range(kinds), repeat=_HAND)))
    weight = np.prod(chances[every], axis=1)
    law = bincount(_different(every), weights=weight, minlength=_HAND + 1)[1:]
    return _group(bincount(_different(hands), minlength=_HAND + 1)[1:], law, _HAND, sequence)


def _different(hands: np.ndarray) -> np.ndarray:
    """Return the number of distinct values in each hand."""
    ordered = np.sort(hands, axis=1)
    return np.asarray(1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1))


def permutation(sequence: LawSequence) -> Trial | int:
    """Compare the orders of three successive values with their law."""
    a, b, c = sequence.values[: sequence.size // 3 * 3].reshape(-1, 3).T
    # The signs of the three comparisons encode the order, with ties.
    kinds = (np.sign(a - b) * 9 + np.sign(a - c) * 3 + np.sign(b - c) + 13).astype(np.int64)
    law = _orders(sequence.pmf)
    possible = law > 0
    counts = bincount(kinds, minlength=27)[possible]
    return _group(counts, law[possible], 3, sequence)


def _orders(pmf: np.ndarray | None) -> np.ndarray:
    """Return the probability of each order of three values, with ties."""
    law = np.zeros(27)
    low = high = three = 0.0
    if pmf is not None:
        before = np.cumsum(pmf) - pmf
        after = 1 - before - pmf
        low = float((pmf**2 * after).sum())  # two equal values below a third
        high = float((pmf**2 * before).sum())
        three = float((pmf**3).sum())
    distinct = (1 - three - 3 * low - 3 * high) / 6
    for triple in itertools.product(range(3), repeat=3):
        x, y, z = (int(v) for v in triple)
        chance = {3: distinct, 1: three}.get(len({x, y, z}))
        if chance is None:
            chance = high if sorted(triple)[1] == max(triple) else low
        # Clip what rounding makes of zeros.
        law[(np.sign(x - y) * 9 + np.sign(x - z) * 3 + np.sign(y - z)) + 13] = max(chance, 0.0)
    return law


def _group(counts: np.ndarray, law: np.ndarray, each: int, sequence: LawSequence) -> Trial | int:
    """Compare counts of groups of `each` values, if there are enough for two cells."""
    groups = 10
    while len(merge_cells(law * groups)) < 2:
        groups += 1 + groups // 10
    if sequence.size < groups * each:
        return groups * each
    if not counts.any():
        # Continuous values are compared by their triples without ties, and here every triple has one.
        return impossible(len(law) - 1)
    return grouped_trial(counts, law, each, sequence)


def grouped_trial(counts: np.ndarray, law: np.ndarray, each: int, sequence: LawSequence) -> Trial:
    """Compare counts of groups of `each` values with their law."""
    trial = multinomial_trial((counts, law))
    # The threshold for simulation counts values, not groups.
    return replace(trial, size=sequence.size, needed=trial.needed * each)


def block_repeats(sequence: LawSequence) -> Trial | int:
    """Find the longest block of values that occurs twice.

    A generator with a short cycle repeats its values from the second period on. The probability that two
    places of an independent sequence begin equal blocks is known, also for overlapping blocks; the expected
    number of such pairs bounds the probability that there is one.
    """
    if sequence.size < 20:
        return 20
    if sequence.uniform is None:
        places, chances = sequence.ranks
        codes = np.maximum(places, 0)
    else:
        codes, chances = sequence.classes(_BLOCK_KINDS)
    longest = _longest_repeat(codes)
    pvalue, below = (
        -math.expm1(-_repeats_expected(chances, len(codes), min(length, _LONGEST_BLOCK)))
        for length in (longest, longest + 1)
    )
    name = "longest of all pairs of blocks, Poisson"
    return Trial(Limit(np.array([float(longest)]), np.array([pvalue]), name, np.array([below])), len(codes))


def _repeats_expected(chances: np.ndarray, n: int, length: int) -> float:
    """Return the expected number of pairs of equal blocks of at least `length` whose predecessors differ."""
    if length == 0:
        return math.inf
    if length >= n:
        return 0.0

    def equal(lags: np.ndarray, length: int) -> np.ndarray:
        """Return P(a block equals the one `lags` later): overlapping places form chains of equal values."""
        short = length // lags + 1
        longer = length % lags  # this many chains have one more place
        return np.asarray(power[short] ** (lags - longer) * power[short + 1] ** longer)

    lags = np.arange(1, min(length, n - length) + 1)
    needed = np.unique(np.concatenate([(length + extra) // lags + one for extra in (0, 1) for one in (1, 2)]))
    power = np.zeros(int(needed.max(initial=0)) + 1)
    power[needed] = [float((chances**exponent).sum()) for exponent in needed.tolist()]
    first = equal(lags, length)
    total = float((first + (n - lags - length) * (first - equal(lags, length + 1))).sum())
    # At larger lags the blocks don't overlap.
    far = n - 2 * length
    if far > 0:
        twice = float((chances**2).sum())
        pairs = far * (far - 1) / 2
        total += twice**length * (far + pairs * (1 - twice))
    return max(total, 0.0)


def _longest_repeat(codes: np.ndarray) -> int:
    """Return the length of the longest block that occurs twice, possibly overlapping."""
    n = len(codes)
    # Number the distinct blocks of each power-of-two length (prefix doubling, as for suffix arrays).
    names = [np.unique(codes, return_inverse=True)[1].astype(np.int64)]

    def join(first: np.ndarray, second: np.ndarray, apart: int) -> np.ndarray:
        count = min(len(first), len(second) - apart)
        keys = first[:count] * (n + 1) + second[apart : apart + count]
        return np.unique(keys, return_inverse=True)[1].astype(np.int64)

    def repeats(numbers: np.ndarray) -> bool:
        return len(numbers) > 0 and int(numbers.max()) + 1 < len(numbers)

    if not repeats(names[0]):
        return 0
    while 2 << (len(names) - 1) < n:
        longer = join(names[-1], names[-1], 1 << (len(names) - 1))
        if not repeats(longer):
            break
        names.append(longer)
    # Take the largest power that repeats, then extend it by smaller powers.
    length, same = 1 << (len(names) - 1), names[-1]
    for power in range(len(names) - 2, -1, -1):
        if length + (1 << power) >= n:
            continue
        longer = join(same, names[power], length)
        if repeats(longer):
            length, same = length + (1 << power), longer
    return length
