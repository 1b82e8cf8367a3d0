"""Further tests that laboratory standards name, in the form of `sequence_tests`.

Each is a function of a sequence, as there.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.tails import log_choose
from provably_fair.distribution.sequences import LawSequence, quantile_sequence

from .resampling import MEDIUM, Judgment, Limit, Trial, judge
from .sequence_tests import (
    Scores,
    distribution_function,
    frequencies,
    grouped_trial,
    impossible,
    runs,
    serial_correlation,
)

_OF = 5
_CELLS = 50
_DISTANCES = 8
_RARE = 1 / 16
_STEPS = range(2, 11)
_AGAIN = {
    "chi-square (equidistribution)": frequencies,
    "runs": runs,
    "serial correlation": serial_correlation,
}


def order_statistic(sequence: LawSequence) -> Trial | int:
    """Compare the largest of each five values with its law: the fifth power of the distribution function."""
    groups = sequence.size // _OF
    if groups < 20:
        return 20 * _OF
    largest = sequence.values[: groups * _OF].reshape(-1, _OF).max(axis=1)
    if sequence.uniform is not None:
        cells = min(_CELLS, groups // 10)
        quantiles = np.clip(largest, 0, 1 - 2**-53) ** _OF
        counts = bincount((quantiles * cells).astype(np.int64), minlength=cells)
        law = np.full(cells, 1 / cells)
    else:
        law = np.diff(np.cumsum(sequence.ranks[1]) ** _OF, prepend=0.0)
        counts = bincount(np.maximum(largest, 0), minlength=len(law))
    return _compared(counts, law, sequence, _OF)


def adjacency(sequence: LawSequence) -> Trial | int:
    """Compare distances of neighbors, in disjoint pairs, by eight classes of values."""
    codes, chances = sequence.classes(_DISTANCES)
    if sequence.size < 40:
        return 40
    pairs = codes[: len(codes) // 2 * 2].reshape(-1, 2)
    apart = np.abs(np.subtract.outer(np.arange(len(chances)), np.arange(len(chances))))
    law = bincount(apart.ravel(), np.outer(chances, chances).ravel())
    counts = bincount(np.abs(pairs[:, 0] - pairs[:, 1]), minlength=len(law))
    return _compared(counts, law, sequence, 2)


def poisson(sequence: LawSequence) -> Trial | int:
    """Compare counts of a rare event in blocks with their law, nearly Poisson with mean 1.

    The event is a value in a rare class, or a run of values in one class that is as rare.
    """
    codes, chances = sequence.classes(round(1 / _RARE))
    if len(chances) < 2:
        return impossible(0)
    # Take the likeliest of the rare classes; without one, the class that needs the shortest run.
    kind = int(np.argmax(np.where(chances <= _RARE * (1 + 1e-9), chances, 0)))
    if chances[kind] > _RARE * (1 + 1e-9):
        kind = int(np.argmin(chances))
    chance = float(chances[kind])
    length = max(1, math.ceil(math.log(_RARE) / math.log(chance) - 1e-9))
    rare = chance**length
    block = round(1 / rare)
    blocks = sequence.size // (length * block)
    if blocks < 20:
        return 20 * length * block
    events = (codes[: blocks * block * length].reshape(blocks, block, length) == kind).all(axis=2).sum(axis=1)
    law = np.array(
        [
            math.exp(log_choose(block, k) + k * math.log(rare) + (block - k) * math.log1p(-rare))
            for k in range(min(block, 30) + 1)
        ]
    )
    counts = bincount(np.minimum(events, len(law) - 1), minlength=len(law))
    law[-1] = max(1 - law[:-1].sum(), 0.0)
    return _compared(counts, law, sequence, length * block)


def _compared(counts: np.ndarray, law: np.ndarray, sequence: LawSequence, each: int) -> Trial:
    """Compare counts of groups of `each` values with their law."""
    if sequence.uniform is None and (sequence.values < 0).any():
        return impossible(len(law) - 1)
    return grouped_trial(counts, law, each, sequence)


def spectral(sequence: LawSequence) -> Trial | int:
    """Find the highest peak of the periodogram, to detect periods.

    The powers at different frequencies are asymptotically independent and exponential.
    """
    n = sequence.size
    if n < 20:
        return 20
    frequencies = (n - 1) // 2

    def limit(scores: np.ndarray) -> Limit:
        transformed = np.fft.rfft(scores, axis=1)[:, 1 : frequencies + 1]
        peak = (transformed.real**2 + transformed.imag**2).max(axis=1) / n
        with np.errstate(divide="ignore"):  # equal values have no peak
            pvalue = -np.expm1(frequencies * np.log1p(-np.exp(-peak)))
        return Limit(peak, pvalue, f"largest of {frequencies} exponential ones")

    return replace(Scores(sequence).trial(limit, 300, 8), limited=MEDIUM + 1)


def kolmogorov(sequence: LawSequence) -> Trial:
    """Compare the distribution function with the law's; discrete values are randomized within steps."""
    if sequence.uniform is None:
        places, pmf = sequence.ranks
        itself = np.where(places < 0, 0.0, pmf[places])
        below = (np.cumsum(pmf) - pmf)[places]
        sequence = quantile_sequence(sequence.name, places, below, itself)
    trial = distribution_function(sequence)
    assert isinstance(trial, Trial)
    return trial


def subsequences(sequence: LawSequence) -> Judgment | int:
    """Test every second value, every third one, up to every tenth.

    Chi-square, runs and serial correlation of each subsequence; the smallest p-value counts, times the number
    of tests (Bonferroni).
    """
    results: list[tuple[Judgment, str]] = []
    needed = [20 * _STEPS[0]]
    for step in _STEPS:
        places, uniform = (
            None if column is None else column[::step] for column in (sequence.places, sequence.uniform)
        )
        part = replace(sequence, places=places, uniform=uniform)
        if part.size < 20:
            break
        for name, test in _AGAIN.items():
            judged = judge(test(part), part.values, f"{name} {step}")
            if isinstance(judged, Judgment):
                results.append((judged, f"{name} of every {step}th value"))
            elif judged is not None:
                needed.append(judged * step)
    if not results:
        return max(needed)
    least, name = min(results, key=lambda one: one[0].pvalue)
    pvalue, below = (min(1.0, len(results) * p) for p in (least.pvalue, least.below))
    return Judgment(
        least.statistic, f"least of {len(results)} p-values, that of {name}: {least.null}", pvalue, below
    )
