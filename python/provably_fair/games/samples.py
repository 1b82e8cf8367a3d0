"""How many of a sample are among some: a law by counting, where trying every sample would take forever."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, distinct
from provably_fair._engine import Game as Engine
from provably_fair.seeds.schemes import Scheme, engine_scheme

from .draws import Draws

__all__ = ["Cell", "Hits", "hits"]


@dataclass(frozen=True, repr=False)
class Hits:
    """How many values of an outcome are among some: a function for ``of=``; made by `hits`."""

    chosen: tuple[int, ...]

    def __call__(self, outcomes: ArrayLike) -> np.ndarray:
        """Return the counts of outcomes, shape (N, ...), as int64 of shape (N,)."""
        outcomes = np.asarray(outcomes)
        found = np.isin(outcomes, self.chosen).astype(np.int64)
        counts: np.ndarray = found.sum(axis=tuple(range(1, found.ndim)))
        return counts

    def __repr__(self) -> str:
        return f"hits({{{', '.join(map(str, self.chosen))}}})"


def hits(chosen: object) -> Hits:
    """Return the function that counts how many values of an outcome are among those chosen.

    Parameters
    ----------
    chosen : set or array-like of int
        Different whole numbers.

    Returns
    -------
    callable
        For ``of=`` of `Game.distribution` and `Game.observe`: from outcomes, shape (N, ...), to counts, (N,).

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.hits({1, 2, 3})([[1, 5, 2], [4, 5, 6]])
    array([2, 0])
    """
    return Hits(tuple(sorted(distinct("chosen", chosen, 2**53).tolist())))


def values_of(of: Callable[[np.ndarray], object], outcomes: np.ndarray) -> np.ndarray:
    """Return the values that a function has for outcomes, one a row."""
    if not callable(of):
        raise BadType("of", f"must be a function of outcomes, got {type(of).__name__}")
    values = np.asarray(of(outcomes))
    if values.shape != outcomes.shape[:1]:
        raise BadValue("of", f"must return a value for each of {len(outcomes)} outcomes, got {values.shape}")
    return values


@dataclass(frozen=True, repr=False)
class Cell:
    """One value of outcomes that have several: a function for ``of=``."""

    place: int

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return outcomes.reshape(len(outcomes), int(np.prod(outcomes.shape[1:])))[:, self.place]

    def __repr__(self) -> str:
        return f"value {self.place}"


class _Relabelled(Draws):
    """Answers one sample with labels in place of its elements, and nothing else."""

    def __init__(self, rounds: int, labels: Callable[[int], np.ndarray]) -> None:
        self.rounds = rounds
        self._labels = labels
        self.asked: list[tuple[int, int]] = []
        self.by_swaps = False

    def _number(self) -> np.ndarray:
        raise _NoSampleError

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        raise _NoSampleError

    def _skip(self, count: int) -> None:
        raise _NoSampleError

    def _take(self, n: int, k: int, skipped: int) -> np.ndarray:
        return self._answer(n, k)

    def shuffle(self, n: int, k: int | None = None) -> np.ndarray:
        return self._answer(n, n if k is None else k)

    def _swap(self, n: int) -> np.ndarray:
        self.by_swaps = True
        return self._answer(n, n)

    def _answer(self, n: int, k: int) -> np.ndarray:
        if self.asked or k > _MAX_SAMPLE:
            raise _NoSampleError
        self.asked.append((n, k))
        return self._labels(k).copy()


class _NoSampleError(Exception):
    pass


_MAX_SAMPLE = 1 << 12
_MAX_CELLS = 1 << 22
_COUNTED = int(Engine("mines", [1]).bounds[1]) + 1  # the engine's board


def _sample(outcome: Callable[[Draws], np.ndarray]) -> tuple[int, np.ndarray, np.ndarray] | None:
    """Return of how many the outcome is a sample, what was drawn, and what came of it.

    What is drawn are labels, any numbers, so that what only moves them about can't be mistaken for a formula;
    then every element at every place, and random samples, so that none can be treated in a way of its own.
    """
    first = _Relabelled(8, _labels)
    try:
        made = outcome(first)
    except Exception:  # whatever it says, no sample alone was asked for
        return None
    if len(first.asked) != 1:
        return None
    ((n, k),) = first.asked
    if n > _MAX_SAMPLE or n * k > _MAX_CELLS:
        return None
    turned = (np.arange(n)[:, np.newaxis] + np.arange(k)) % n
    mixed = np.stack([np.random.default_rng(row).permutation(n)[:k] for row in range(64)])
    elements = np.concatenate([turned, mixed])
    try:
        found = outcome(_Relabelled(len(elements), lambda count: elements[:, :count]))
    except Exception:
        return None
    if found.shape[1:] != made.shape[1:]:
        return None
    return n, np.concatenate([_labels(k), elements]), np.concatenate([made, found])


@lru_cache
def _labels(count: int) -> np.ndarray:
    """Return rows of different labels."""
    rows = [np.random.default_rng(row).choice(1 << 20, count, replace=False) for row in range(8)]
    return np.stack(rows)


def sample_of(outcome: Callable[[Draws], np.ndarray], *, in_order: bool) -> tuple[int, int] | None:
    """Return of how many the outcome is a sample without replacement, and from which number; else None."""
    sample = _sample(outcome)
    if sample is None or sample[2].ndim != 2 or not sample[2].size:
        return None
    n, drawn, found = sample
    if found.shape[1] > drawn.shape[1] or not (in_order or found.shape == drawn.shape):
        return None
    if not in_order:
        found, drawn = np.sort(found, axis=1), np.sort(drawn, axis=1)
    apart = found - drawn[:, : found.shape[1]]
    return (n, int(apart[0, 0])) if (apart == apart[0, 0]).all() else None


def hits_law(
    outcome: Callable[[Draws], np.ndarray], of: object, shape: tuple[int, ...]
) -> tuple[list[int], list[int]] | None:
    """Return the ideal law of hits, or of one value, of a sample; None where the outcome isn't one."""
    sample = sample_of(outcome, in_order=True)
    if not isinstance(of, Hits):
        return None if sample is None else (list(range(sample[1], sample[1] + sample[0])), [1] * sample[0])
    sample = sample or sample_of(outcome, in_order=False)
    if sample is None:
        return None
    n, first = sample
    taken, among = shape[0], sum(first <= value < first + n for value in of.chosen)
    counts = range(max(0, taken + among - n), min(taken, among) + 1)
    return list(counts), [math.comb(among, c) * math.comb(n - among, taken - c) for c in counts]


def drawn_hits_law(
    scheme: Scheme, outcome: Callable[[Draws], np.ndarray], of: object, shape: tuple[int, ...]
) -> tuple[list[int], list[int]] | None:
    """Return the law as drawn of hits of a sample by removal, where the engine can count it; else None."""
    sample = sample_of(outcome, in_order=True) or sample_of(outcome, in_order=False)
    if not isinstance(of, Hits) or sample is None or sample[0] != _COUNTED or shape[0] >= _COUNTED:
        return None
    asked = _Relabelled(1, lambda count: np.arange(count)[np.newaxis])
    outcome(asked)
    if asked.by_swaps:
        return None
    among = sum(1 << (value - sample[1]) for value in of.chosen if 0 <= value - sample[1] < _COUNTED)
    values, digits = Engine("mines", [shape[0]]).law(engine_scheme(scheme), among=among)
    return values.tolist(), [int.from_bytes(weight, "little") for weight in digits]
