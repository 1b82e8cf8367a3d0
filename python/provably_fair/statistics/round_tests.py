"""Tests of whole rounds: their positions jointly, and repeated rounds.

Each takes all material, and returns None if there is nothing to test.
"""

from __future__ import annotations

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.optional import optional
from provably_fair.distribution.cells import merge_cells
from provably_fair.distribution.sequences import FairnessMaterial, LawSequence

from .resampling import SMALL, Judgment, Limit, Trial, judge, simulated
from .sequence_tests import Scores, chi_square, counts_of, impossible, multinomial_trial


def duplicates(material: FairnessMaterial) -> Judgment | int | None:
    """Count pairs of rounds that are equal in every value; None if that isn't rare."""
    if material.duplicates is None or len(material.duplicates[0]) * material.duplicates[1] >= 1 / 16:
        return None
    keys, same = material.duplicates  # `same` is the probability that two rounds are equal
    special = optional("scipy.special", "stats", "fairness_report")
    n, space = len(keys), round(1 / same)
    mean = n * (n - 1) / 2 * same

    def limit(rows: np.ndarray) -> Limit:
        # After sorting, each value pairs with the equal ones before it.
        ordered = np.sort(rows, axis=1)
        place = np.arange(n)
        begins = np.zeros(ordered.shape, dtype=np.int64)
        begins[:, 1:] = np.where(ordered[:, 1:] != ordered[:, :-1], place[1:], 0)
        pairs = (place - np.maximum.accumulate(begins, axis=1)).sum(axis=1)
        # The upper tail of a Poisson law is the lower tail of a gamma law.
        pvalue = np.where(pairs > 0, special.gammainc(np.maximum(pairs, 1), mean), 1.0)
        name = f"Poisson({mean:.3g}), this many or more"
        return Limit(pairs.astype(float), pvalue, name, special.gammainc(pairs + 1, mean))

    draw = simulated(limit, lambda random, samples: random.integers(space, size=(samples, n)))
    # Triples of equal rounds limit the Poisson approximation.
    trial = Trial(limit(keys[None]), n, draw if n * same > 1 / 64 else None, 5 * n)
    return judge(trial, keys, "duplicates")


def interplay(material: FairnessMaterial) -> Judgment | int | None:
    """Correlate all pairs of values of a round, standardized; None if a round has one value."""
    columns = [column for column in material.columns if not is_constant(column)]
    if len(columns) < 2:
        return None
    scores = [Scores(column) for column in columns]
    n, width = scores[0].size, len(scores)
    dof = width * (width - 1) // 2
    kurtosis = np.array([score.kurtosis for score in scores])
    # Squared correlations have covariances of order 1/n; scale the chi-square if they matter (Satterthwaite).
    variance = 2 * dof + (kurtosis.sum() ** 2 - (kurtosis**2).sum()) / 2 / n - 3 * dof / n
    variance += (width - 1) * (width - 2) * float((kurtosis - 1).sum()) / n
    scale = variance / (2 * dof)
    plain = abs(scale - 1) < 0.01
    name = f"chi2({dof})" if plain else f"{scale:.3f} chi2({dof / scale:.1f})"
    upper = np.triu_indices(width, 1)

    def limit(values: np.ndarray) -> Limit:
        products = np.matmul(values.transpose(0, 2, 1), values)[:, upper[0], upper[1]]
        statistic = (products**2).sum(axis=1) / n
        pvalue = chi_square(statistic, dof) if plain else chi_square(statistic / scale, dof / scale)
        return Limit(statistic, pvalue, name)

    draw = simulated(limit, lambda *asked: np.stack([score.draw(*asked) for score in scores], axis=2))
    values = np.stack([score.values for score in scores], axis=2)
    trial = Trial(limit(values), n, draw, 2 * n * width, 30 * float(kurtosis.max()) ** 2, SMALL)
    return judge(trial, values[0].T, "interplay correlation")


def positions(material: FairnessMaterial) -> Judgment | int | None:
    """Test which value is at which place of a shuffle; None for material without shuffles.

    For a whole shuffle of k the table's covariance is (I - J/k)/(k - 1) in both directions. For its first m <
    k rows the first factor has the inverse (k - 1)(I + J/(k - m)), so this quadratic form is asymptotically a
    chi-square with m(k - 1) degrees of freedom.
    """
    if material.shuffles is None:
        return None
    values, kinds = material.shuffles
    n, places = values.shape
    dof = places * (kinds - 1)

    def limit(tables: np.ndarray) -> Limit:
        apart = tables - n / kinds
        form = (apart**2).sum(axis=(1, 2)) + (apart.sum(axis=1) ** 2).sum(axis=1) / (kinds - places)
        statistic = (kinds - 1) / n * form
        return Limit(statistic, chi_square(statistic, dof), f"chi2({dof})")

    def tables(shuffles: np.ndarray) -> np.ndarray:
        samples = len(shuffles)
        number = np.arange(samples)[:, None, None] * places + np.arange(places)
        table = bincount((number * kinds + shuffles).ravel(), minlength=samples * places * kinds)
        return table.reshape(samples, places, kinds)

    def fair(random: np.random.Generator, samples: int) -> np.ndarray:
        ordered = np.broadcast_to(np.arange(kinds), (samples * n, kinds))
        shuffles = random.permuted(ordered, axis=1)[:, :places]
        return tables(shuffles.reshape(samples, n, places))

    trial = Trial(limit(tables(values[None])), n, simulated(limit, fair), 2 * n * kinds)
    return judge(trial, values, "position x value")


def place_frequencies(material: FairnessMaterial) -> Judgment | int | None:
    """Add the chi-squares of the values at each place of a round; None for shuffles and single values."""
    if material.shuffles is not None or len(material.columns) < 2:
        return None
    counted = [counts_of(column) for column in material.columns]
    if all(possible for *_, possible in counted):
        trial = multinomial_trial(*((counts, chances) for counts, chances, _ in counted))
    else:
        merged = (merge_cells(chances * counts.sum()) for counts, chances, _ in counted)
        trial = impossible(sum(len(begins) - 1 for begins in merged))
    return judge(trial, np.stack([column.values for column in material.columns]), "position x value")


def is_constant(sequence: LawSequence) -> bool:
    """Return whether a sequence has a single possible value."""
    return sequence.pmf is not None and len(sequence.pmf) == 1
