"""Sequences of independent values with a known law: what a game gives to the fairness tests.

Tests of fairness want independent uniform values, and games give neither. A value is replaced by its rank
among the possible ones; many ranks are joined to classes of about equal probability. Laws with many or with
differing outcomes are made uniform by the randomized probability transform, whose chance is a hash of the
values themselves, so that the same data always give the same result. A shuffle is undone to the draws that
made it (its Lehmer code), which are independent although its values aren't.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from provably_fair._core.errors import BadValue

from .distribution import Distribution

__all__ = [
    "FairnessMaterial",
    "LawSequence",
    "law_sequence",
    "numbers_material",
    "quantile_sequence",
    "shuffle_material",
    "uniform_sequence",
]

# Laws of more outcomes are those of continuous values.
_MOST_LISTED = 1 << 16


@dataclass(frozen=True, eq=False)
class LawSequence:
    """Independent values of one known law, in order.

    `places` are the values' ranks among the possible ones, -1 for what isn't possible, and `pmf` the
    probabilities of the ranks. Continuous values have `uniform`, in [0, 1), and no ranks.
    """

    name: str
    places: np.ndarray | None
    pmf: np.ndarray | None
    uniform: np.ndarray | None = None

    @property
    def values(self) -> np.ndarray:
        """The ranks, or the continuous values."""
        values = self.places if self.uniform is None else self.uniform
        assert values is not None
        return values

    @property
    def ranks(self) -> tuple[np.ndarray, np.ndarray]:
        """The ranks and their probabilities, of a law that has them."""
        assert self.places is not None
        assert self.pmf is not None
        return self.places, self.pmf

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.values)

    def classes(self, wanted: int) -> tuple[np.ndarray, np.ndarray]:
        """Cut into about `wanted` ranges of about equal probability: classes, their probabilities."""
        if self.uniform is not None:
            inside = np.clip(self.uniform, 0, 1 - 2**-53)
            return (inside * wanted).astype(np.int64), np.full(wanted, 1 / wanted)
        places, pmf = self.ranks
        middle = np.cumsum(pmf) - pmf / 2
        # Middles that are exactly on a border belong above it, however the sums were rounded.
        cut = np.minimum((middle * wanted + 1e-9).astype(np.int64), wanted - 1)
        # Ranges that no value's middle falls into are left out.
        kept, cut = np.unique(cut, return_inverse=True)
        return cut[np.maximum(places, 0)], np.bincount(cut, weights=pmf, minlength=len(kept))

    def scores(self) -> np.ndarray:
        """Standardized ranks: mean 0 and variance 1 by the exact law, however long its tail."""
        if self.uniform is not None:
            return (self.uniform - 0.5) * math.sqrt(12)
        places, pmf = self.ranks
        middle = np.cumsum(pmf) - pmf / 2 - 0.5
        found: np.ndarray = middle[np.maximum(places, 0)] / math.sqrt(float((pmf * middle**2).sum()))
        return found


@dataclass(frozen=True, eq=False)
class FairnessMaterial:
    """What the tests of fairness work on.

    `sequences` go through every test of a sequence. `columns` are the places of a round of several values,
    independent of each other. `duplicates` has a value for each round and the probability that two rounds
    share it. `shuffles` are the shuffles one by one, shape (N, places), with the number of kinds.

    A game gives it by a method ``fairness_material(outcomes)``, which takes an array of any shape and type
    and refuses what can't be its outcomes. Parameters that differ from row to row follow by name.
    """

    subject: str
    rounds: int
    sequences: list[LawSequence]
    columns: list[LawSequence] = field(default_factory=list)
    duplicates: tuple[np.ndarray, float] | None = None
    shuffles: tuple[np.ndarray, int] | None = None


def numbers_material(sequence: LawSequence, columns: list[LawSequence], rounds: int) -> FairnessMaterial:
    """Return raw numbers in [0, 1) to test: all in order, and by their places in a round."""
    leading = np.clip(sequence.values * 2.0**32, 0, 2.0**32 - 1).astype(np.uint32)
    return FairnessMaterial("numbers", rounds, [sequence], columns, (leading, 2.0**-32))


def uniform_sequence(name: str, values: np.ndarray, kinds: int) -> LawSequence:
    """Return integers from 0 to kinds - 1, all equally probable, as a sequence; the rest has the place -1."""
    inside = (values >= 0) & (values < kinds)
    return LawSequence(name, np.where(inside, values, -1), np.full(kinds, 1 / kinds))


def law_sequence(name: str, values: np.ndarray, law: Distribution) -> LawSequence:
    """Return outcomes of a distribution as a sequence; what is none of them has the place -1.

    Outcomes of a law of more than 2**16 are continuous values, by `quantile_sequence`.
    """
    if len(law) > _MOST_LISTED:
        return quantile_sequence(name, values, *probabilities(values, [(np.arange(len(values)), law)]))
    pmf = np.asarray(law.pmf(law.outcomes))
    # Outcomes without weight are none.
    outcomes, pmf = law.outcomes[pmf > 0], pmf[pmf > 0]
    places = np.minimum(np.searchsorted(outcomes, values), len(outcomes) - 1)
    return LawSequence(name, np.where(outcomes[places] == values, places, -1), pmf)


def probabilities(
    values: np.ndarray, laws: Iterable[tuple[np.ndarray, Distribution]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the probability of less than each outcome, and of itself, by laws that differ by row."""
    below, itself = np.zeros(values.shape), np.zeros(values.shape)
    for rows, law in laws:
        itself[rows] = law.pmf(values[rows])
        below[rows] = law.cdf(values[rows]) - itself[rows]
    return below, itself


def quantile_sequence(name: str, values: np.ndarray, below: np.ndarray, itself: np.ndarray) -> LawSequence:
    """Return outcomes as a sequence that is uniform on [0, 1), whatever the law of each.

    An outcome becomes a number between the probability of less than it and that of up to it, by chance where
    between (the randomized probability integral transform). The chance is made of the values themselves, so
    that the same data always give the same numbers. What has no probability becomes -1.
    """
    # By their values, whatever the type that holds them.
    digest = hashlib.sha256(values.astype(np.float64).tobytes()).digest()
    random = np.random.Generator(np.random.SFC64(np.frombuffer(digest, np.uint32).tolist()))
    # What lies on the upper end by rounding belongs below it.
    inside = np.clip(below + itself * random.random(values.shape), 0, 1 - 2**-53)
    return LawSequence(name, None, None, np.where(itself > 0, inside, -1).ravel())


def shuffle_material(values: np.ndarray, kinds: int, game: object, rows: int | None) -> FairnessMaterial:
    """Return shuffles of 0 to kinds - 1, one a round or `rows` of them, by the draws that made them."""
    if values.ndim != (2 if rows is None else 3) or values.dtype.kind not in "iu":
        raise BadValue("data", f"must be integers of shape (N, places), got {values.dtype} {values.shape}")
    places = values.shape[-1]
    shuffles = values.reshape(-1, places).astype(np.int64)
    if places >= kinds:
        raise BadValue("data", f"must have fewer than {kinds} places, got {places}")
    bad = (shuffles < 0) | (shuffles >= kinds)
    ordered = np.sort(shuffles, axis=1)
    bad_rows = bad.any(axis=1) | (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if bad_rows.any():
        row = int(np.flatnonzero(bad_rows)[0]) // (rows or 1)
        raise BadValue("data", f"must hold different values from 0 to {kinds - 1}", index=row)
    indices = lehmer_indices(shuffles)
    named = f"first of {places}" if places > 1 else "values"
    sequence = uniform_sequence(named, indices[:, 0], kinds)
    per_round = indices.reshape(len(values), -1)
    sizes = [kinds - place for place in range(places)] * (rows or 1)
    columns = [uniform_sequence(f"draw {i}", per_round[:, i], size) for i, size in enumerate(sizes)]
    # One integer a round, of as many draws as 62 bits hold.
    key, space = np.zeros(len(values), dtype=np.int64), 1
    for column, size in enumerate(sizes):
        if space * size > 1 << 62:
            break
        key, space = key * size + per_round[:, column], space * size
    return FairnessMaterial(repr(game), len(values), [sequence], columns, (key, 1 / space), (shuffles, kinds))


def lehmer_indices(values: np.ndarray) -> np.ndarray:
    """Undo the shuffle: the index of each value among those that were left. They are independent."""
    indices = values.copy()
    for place in range(1, values.shape[1]):
        indices[:, place] -= (values[:, :place] < values[:, place, np.newaxis]).sum(axis=1)
    return indices
