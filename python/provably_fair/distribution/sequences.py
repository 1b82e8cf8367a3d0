"""Sequences of independent values with known laws: the input of the fairness tests.

Fairness tests want independent uniform values, which games rarely give. A value is replaced by its rank among
the possible ones, and many ranks are grouped into classes of about equal probability. Laws with many
outcomes, or laws that differ by row, are made uniform by the randomized probability integral transform, whose
random part is a hash of the values, so that the same data always give the same result. A shuffle is converted
back to the draws that made it (its Lehmer code), which are independent although its values aren't.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from provably_fair._core.counts import bincount, length
from provably_fair._core.errors import BadValue

from .chisquare import refuse_unrounded
from .distribution import Distribution
from .lookup import Lookup

# Laws with more outcomes are treated as continuous.
MOST_LISTED = 1 << 16


@dataclass(frozen=True, eq=False)
class LawSequence:
    """Independent values of a known law, in order.

    `places` are the ranks among the possible values, -1 for impossible ones, and `pmf` the probabilities of
    the ranks. Continuous values have `uniform`, in [0, 1), and no ranks.
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
        """The ranks and their probabilities; only for laws with ranks."""
        assert self.places is not None
        assert self.pmf is not None
        return self.places, self.pmf

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.values)

    def classes(self, wanted: int) -> tuple[np.ndarray, np.ndarray]:
        """Return classes of about equal probability, `wanted` or so, and their probabilities."""
        if self.uniform is not None:
            inside = np.clip(self.uniform, 0, 1 - 2**-53)
            return (inside * wanted).astype(np.int64), np.full(wanted, 1 / wanted)
        places, pmf = self.ranks
        middle = np.cumsum(pmf) - pmf / 2
        # A midpoint exactly on a border goes up, despite rounding of the sums.
        cut = np.minimum((middle * wanted + 1e-9).astype(np.int64), wanted - 1)
        # Drop classes that contain no midpoint.
        kept, cut = np.unique(cut, return_inverse=True)
        return cut[np.maximum(places, 0)], bincount(cut, weights=pmf, minlength=len(kept))

    def scores(self) -> np.ndarray:
        """Standardized ranks: mean 0 and variance 1 by the exact law, whatever its tail."""
        if self.uniform is not None:
            return (self.uniform - 0.5) * math.sqrt(12)
        places, pmf = self.ranks
        middle = np.cumsum(pmf) - pmf / 2 - 0.5
        return np.asarray(middle[np.maximum(places, 0)] / math.sqrt(float((pmf * middle**2).sum())))


@dataclass(frozen=True, eq=False)
class FairnessMaterial:
    """The sequences of a log that the fairness tests look at.

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

    @property
    def compared(self) -> str:
        """The law that the data are compared with, and its distance from equally likely values."""
        own = "The tests compare with the game's own law"
        listed = [
            (one.name, one.pmf) for one in self.sequences if one.pmf is not None and len(one.pmf) < 1000
        ]
        far = {name: float(np.abs(pmf - 1 / len(pmf)).sum()) / 2 for name, pmf in listed}
        if not far:
            return f"{own}, whose distance from equally likely values isn't computed."
        name, most = max(far.items(), key=lambda one: one[1])
        if most < 1e-12:
            return f"{own}, by which values are equally likely."
        return f"{own}, whose values are {most:.2%} from equally likely ones in total variation ({name})."


def numbers_material(
    sequence: LawSequence, columns: list[LawSequence], rounds: int, bits: int = 32
) -> FairnessMaterial:
    """Return uniform numbers in [0, 1) as material: as one sequence, and column by column.

    Two numbers are the same if they agree in the leading bits, at most 32.
    """
    leading = np.clip(sequence.values * 2.0**bits, 0, 2.0**bits - 1).astype(np.uint32)
    return FairnessMaterial("numbers", rounds, [sequence], columns, (leading, 2.0**-bits))


def uniform_sequence(name: str, values: np.ndarray, kinds: int) -> LawSequence:
    """Return integers uniform on 0 to kinds - 1 as a sequence; other values have place -1."""
    inside = (values >= 0) & (values < kinds)
    return LawSequence(name, np.where(inside, values, -1), np.full(kinds, 1 / kinds))


def law_sequence(name: str, values: np.ndarray, law: Distribution) -> LawSequence:
    """Return outcomes of a distribution as a sequence; other values have place -1.

    Laws of more than 2**16 outcomes become continuous, by `quantile_sequence`.
    """
    if length(law) > MOST_LISTED:
        return quantile_sequence(name, values, *probabilities(values, [(np.arange(len(values)), law)]))
    pmf = np.asarray(law.pmf(law.outcomes))
    # Outcomes of weight 0 count as impossible.
    possible = pmf > 0
    ranks = np.append(np.where(possible, np.cumsum(possible) - 1, -1), -1)
    places = ranks[Lookup(law.outcomes).places(values)]
    refuse_unrounded("data", values[places < 0], law.outcomes)
    return LawSequence(name, places, pmf[possible])


def probabilities(
    values: np.ndarray, laws: Iterable[tuple[np.ndarray, Distribution]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return P(less than the outcome) and P(the outcome), under a law that may differ by row."""
    below, itself = np.zeros(values.shape), np.zeros(values.shape)
    for rows, law in laws:
        itself[rows] = law.pmf(values[rows])
        below[rows] = law.cdf(values[rows]) - itself[rows]
    return below, itself


def quantile_sequence(name: str, values: np.ndarray, below: np.ndarray, itself: np.ndarray) -> LawSequence:
    """Return outcomes as a sequence that is uniform on [0, 1), under a law that may differ by row.

    By the randomized probability integral transform an outcome becomes a number between P(less) and P(at
    most). The random part is a hash of the values themselves, so that the same data always give the same
    numbers. An outcome of probability 0 becomes -1.
    """
    # Hash values rather than bytes, so that the type of the column doesn't matter.
    digest = hashlib.sha256(values.astype(np.float64).tobytes()).digest()
    random = np.random.Generator(np.random.SFC64(np.frombuffer(digest, np.uint32).tolist()))
    # Rounding may reach the upper end, which is excluded.
    inside = np.clip(below + itself * random.random(values.shape), 0, 1 - 2**-53)
    return LawSequence(name, None, None, np.where(itself > 0, inside, -1).ravel())


def shuffle_material(values: np.ndarray, kinds: int, game: object, rows: int | None) -> FairnessMaterial:
    """Return shuffles of 0 to kinds - 1 as material: the draws that made them, by position."""
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
    # Also pack the draws of a round into one integer of up to 62 bits.
    key, space = np.zeros(len(values), dtype=np.int64), 1
    for column, size in enumerate(sizes):
        if space * size > 1 << 62:
            break
        key, space = key * size + per_round[:, column], space * size
    return FairnessMaterial(repr(game), len(values), [sequence], columns, (key, 1 / space), (shuffles, kinds))


def lehmer_indices(values: np.ndarray) -> np.ndarray:
    """Return the Lehmer code: independent indices of each value among those not yet drawn."""
    indices = values.copy()
    for place in range(1, values.shape[1]):
        indices[:, place] -= (values[:, :place] < values[:, place, np.newaxis]).sum(axis=1)
    return indices
