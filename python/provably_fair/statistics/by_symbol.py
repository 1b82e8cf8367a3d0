"""Tests of single symbols: their counts, runs, repeats and pairs within a play.

Every count has an exact law. The count of a symbol, or of a pair within one play, is binomial. Given that a
symbol appears in k of n plays, all arrangements are equally likely, so the number of its runs is
hypergeometric: r runs occur in C(k - 1, r - 1) C(n - k + 1, r) arrangements. Its repeats in the next play are
k - r.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.optional import optional
from provably_fair.distribution.sequences import FairnessMaterial

from .round_tests import is_constant

_MOST_SHOWN = 1 << 28
"""Limit on plays times symbols, for plays with several symbols."""


class BySymbol(NamedTuple):
    """The smallest two-sided p-value of single symbols, its symbol, and the number of symbols tested.

    The p-value isn't corrected for that number.
    """

    pvalue: float
    symbol: str
    tested: int


def smallest_by_symbol(name: str, material: FairnessMaterial) -> BySymbol | None:
    """Return the smallest p-value of a test of each symbol, or of each pair of symbols within one play.

    `name` is "chi-square", "runs", "serial correlation" or "interplay". None if nothing can be tested.
    """
    by_name = {"chi-square": _counts, "runs": _runs, "serial correlation": _runs, "interplay": _pairs}
    tested = list(by_name[name](material))
    if not tested:
        return None
    least = [int(pvalues.argmin()) for _, pvalues in tested]
    which = min(range(len(tested)), key=lambda place: tested[place][1][least[place]])
    names, pvalues = tested[which]
    return BySymbol(float(pvalues[least[which]]), names[least[which]], sum(len(each) for _, each in tested))


Tested = Iterator[tuple[list[str], np.ndarray]]


def _counts(material: FairnessMaterial) -> Tested:
    """Yield the p-value of the count of each symbol."""
    if material.shuffles is not None:
        values, kinds = material.shuffles
        counts = bincount(values.ravel(), minlength=kinds)
        # A symbol appears at most once a play.
        yield _named(kinds), _binomial(counts, len(values), values.shape[1] / kinds)
        return
    for names, places, pmf, counts in _listed(material):
        yield names, _binomial(counts, len(places), pmf)


def _runs(material: FairnessMaterial) -> Tested:
    """Yield the p-value of the number of runs of each symbol, given its count."""
    if material.shuffles is not None:
        shown = _shown(*material.shuffles)
        if shown is not None:
            repeats = (shown[1:] & shown[:-1]).sum(axis=0)
            yield _named(shown.shape[1]), _repeats(repeats, shown.sum(axis=0), len(shown))
        return
    for names, places, pmf, counts in _listed(material):
        again = places[1:][(places[1:] == places[:-1]) & (places[1:] >= 0)]
        yield names, _repeats(bincount(again, minlength=len(pmf)), counts, len(places))


def _pairs(material: FairnessMaterial) -> Tested:
    """Yield the p-value of the number of plays that contain both symbols of each pair."""
    if material.shuffles is None or material.shuffles[0].shape[1] < 2:
        return
    values, kinds = material.shuffles
    shown = _shown(values, kinds)
    if shown is not None:
        together = np.zeros((kinds, kinds))
        for first in range(0, len(shown), 1 << 20):
            piece = shown[first : first + (1 << 20)].astype(np.float32)  # exact below 2**24
            together += piece.T @ piece
        one, other = np.triu_indices(kinds, 1)
        size = values.shape[1]
        chance = size * (size - 1) / (kinds * (kinds - 1))
        names = [f"{a} with {b}" for a, b in zip(one.tolist(), other.tolist(), strict=True)]
        yield names, _binomial(together[one, other].astype(np.int64), len(values), chance)


def _listed(
    material: FairnessMaterial,
) -> Iterator[tuple[list[str], np.ndarray, np.ndarray, np.ndarray]]:
    """Yield the names, ranks, probabilities and counts of the symbols of each sequence with ranks."""
    for sequence in material.sequences:
        if sequence.places is not None and not is_constant(sequence):
            places, pmf = sequence.ranks
            names = [f"{name} of {sequence.name}" for name in _named(len(pmf))]
            yield names, places, pmf, bincount(places[places >= 0], minlength=len(pmf))


def _named(kinds: int) -> list[str]:
    return [f"number {kind}" for kind in range(kinds)]


def _shown(values: np.ndarray, kinds: int) -> np.ndarray | None:
    """Return which symbols each play contains; None if that takes too much memory."""
    if len(values) * kinds > _MOST_SHOWN:
        return None
    shown = np.zeros((len(values), kinds), dtype=bool)
    shown[np.arange(len(values))[:, np.newaxis], values] = True
    return shown


def _binomial(counts: np.ndarray, n: int, chances: Any) -> np.ndarray:
    """Return two-sided p-values of binomial counts."""
    return _two_sided(counts, optional("scipy.stats", "stats", "certify").binom(n, chances))


def _repeats(repeats: np.ndarray, counts: np.ndarray, n: int) -> np.ndarray:
    """Return two-sided p-values of the numbers of plays that repeat a symbol of the play before."""
    # Runs occupy some of the gaps between the n - k plays without the symbol.
    law = optional("scipy.stats", "stats", "certify").hypergeom(n, n - counts + 1, counts)
    return np.where(counts > 0, _two_sided(counts - repeats, law), 1.0)


def _two_sided(counts: np.ndarray, law: Any) -> np.ndarray:
    return np.asarray(np.minimum(1.0, 2 * np.minimum(law.cdf(counts), law.sf(counts - 1))))
