"""Hits in a sample: laws by counting, as there are far too many samples to try."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, distinct, doubles
from provably_fair._core.counts import widened
from provably_fair._engine import Game as Engine
from provably_fair.seeds.schemes import Scheme, engine_scheme

from .draws import Draws


@dataclass(frozen=True, repr=False)
class Hits:
    """The number of an outcome's values among those chosen: a function for ``of=``; made by `hits`."""

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
    >>> pf.hits({1, 2, 3})([[1, 5, 2], [4, 5, 6]])
    array([2, 0])
    """
    return hits_among("chosen", chosen)


def hits_among(name: str, chosen: object) -> Hits:
    """Return `hits` of an argument of another name."""
    return Hits(tuple(sorted(distinct(name, chosen, 2**53).tolist())))


def check_of(of: object, name: str = "of") -> None:
    """Refuse what is no function of outcomes."""
    if of is not None and not callable(of):
        raise BadType(name, f"must be a function of outcomes, got {type(of).__name__}")


def values_of(of: Any, outcomes: np.ndarray, name: str = "of") -> np.ndarray:
    """Return a function's values for outcomes, one per row; for None the outcomes themselves."""
    check_of(of, name)
    if of is None:
        return outcomes
    values = widened(np.asarray(of(outcomes)))
    values = doubles(values) if values.dtype.kind == "f" else values  # as `check_outcomes` reads outcomes
    if values.shape != outcomes.shape[:1]:
        raise BadValue(name, f"must return a value for each of {len(outcomes)} outcomes, got {values.shape}")
    if values.dtype.kind == "i" and values.size and max(-int(values.min()), int(values.max())) > 2**53:
        from provably_fair.distribution.payouts import wraps

        if wraps(of, outcomes, values):
            raise BadValue(name, "must return what int64 holds, and returns others for floats: use these")
    return values


def joint_values(of: object, outcomes: np.ndarray) -> Any:
    """Return a function's values for outcomes of several values; for None the outcomes as tuples."""
    return list(map(tuple, outcomes.tolist())) if of is None else values_of(of, outcomes)


@dataclass(frozen=True, repr=False)
class Cell:
    """One value of an outcome of several: a function for ``of=``."""

    place: int

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return outcomes.reshape(len(outcomes), int(np.prod(outcomes.shape[1:])))[:, self.place]

    def __repr__(self) -> str:
        return f"value {self.place}"


class _Relabeled(Draws):
    """Answers a single sample with given rows, and refuses any other draw."""

    def __init__(self, rounds: int, rows: Callable[[int], np.ndarray]) -> None:
        self.rounds = rounds
        self._rows = rows
        self.asked: list[tuple[int, int]] = []  # the sizes n and k of the samples that were asked for
        self.by_swaps = False

    def _number(self) -> np.ndarray:
        raise _NoSampleError

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        raise _NoSampleError

    def _skip(self, count: int) -> None:
        raise _NoSampleError

    def _take(self, n: int, k: int, skipped: int) -> np.ndarray:
        if self.asked or k > _MAX_SAMPLE:
            raise _NoSampleError
        self.asked.append((n, k))
        return self._rows(k).copy()

    def shuffle(self, n: int, k: int | None = None) -> np.ndarray:
        return self._take(n, n if k is None else k, 0)

    def _swap(self, n: int) -> np.ndarray:
        self.by_swaps = True
        return self._take(n, n, 0)


class _NoSampleError(Exception):
    pass


_MAX_SAMPLE = 1 << 12
_MAX_CELLS = 1 << 22
_LABELED, _MIXED, _MOST_MIXED = 8, 64, 1 << 20  # rows of a trial, and the most elements that are mixed
_COUNTED = int(Engine("mines", [1]).bounds[1]) + 1  # the engine's board


class Sample(NamedTuple):
    """An outcome that is a sample without replacement of the `size` numbers from `first` on."""

    size: int
    first: int
    in_order: bool  # whether its values are the first ones drawn, in the order drawn
    by_swaps: bool


def sample_of(outcome: Callable[[Draws], np.ndarray], *, recorded: bool = True) -> Sample | None:
    """Return the sample that an outcome is; None if it isn't one.

    A formula must not rest on a guess. So the outcome is called with rows in place of the sample it draws:
    with arbitrary labels, so that it can only move values about; then with every element at every place and
    with random samples, so that no element can be a special case. Of a rule that isn't recorded, these are so
    many that two elements can hardly be one either.
    """
    asked = _Relabeled(_LABELED, _labels)
    try:
        made = outcome(asked)
        ((n, k),) = asked.asked
        if n > _MAX_SAMPLE or n * k > _MAX_CELLS:
            return None
        turned = (np.arange(n)[:, np.newaxis] + np.arange(k)) % n
        rows = _MIXED if recorded else max(_MIXED, min(8 * n * n, _MOST_MIXED // n))
        mixed = np.random.default_rng(0).permuted(np.tile(np.arange(n), (rows, 1)), axis=1)[:, :k]
        elements = np.concatenate([turned, mixed])
        found = outcome(_Relabeled(len(elements), lambda count: elements[:, :count]))
    except Exception:  # anything raised means that it isn't a single sample
        return None
    if found.shape[1:] != made.shape[1:] or made.ndim != 2 or not 0 < made.shape[1] <= k:
        return None
    values, drawn = np.concatenate([made, found]), np.concatenate([_labels(k), elements])
    apart = values - drawn[:, : made.shape[1]]
    in_order = bool((apart == apart[0, 0]).all())
    if not in_order:
        if made.shape[1] != k:
            return None
        apart = np.sort(values, axis=1) - np.sort(drawn, axis=1)
        if (apart != apart[0, 0]).any():
            return None
    return Sample(n, int(apart[0, 0]), in_order, asked.by_swaps)


@lru_cache
def _labels(count: int) -> np.ndarray:
    """Return rows of distinct labels."""
    rng = np.random.default_rng(0)
    return np.stack([rng.choice(1 << 20, count, replace=False) for _ in range(_LABELED)])


def hits_law(
    sample: Sample | None, of: Hits | Cell, shape: tuple[int, ...], scheme: Scheme | None
) -> tuple[list[int], list[int]] | None:
    """Return the law of hits or of one value in a sample, ideal or as drawn under a scheme.

    None if the outcome isn't a sample, or as drawn if it isn't one that the engine can count.
    """
    if sample is None:
        return None
    n, first = sample.size, sample.first
    if not isinstance(of, Hits):
        ideal = sample.in_order and scheme is None
        return (list(range(first, first + n)), [1] * n) if ideal else None
    taken, among = shape[0], [value - first for value in of.chosen if first <= value < first + n]
    if scheme is None:
        counts = range(max(0, taken + len(among) - n), min(taken, len(among)) + 1)
        weights = [math.comb(len(among), c) * math.comb(n - len(among), taken - c) for c in counts]
        return list(counts), weights
    of_digests = scheme.below in ("digest", "double")  # which the engine doesn't weigh
    if n != _COUNTED or sample.by_swaps or taken >= n or of_digests:
        return None
    bits = sum(1 << place for place in among)
    values, digits = Engine("mines", [taken]).law(engine_scheme(scheme), among=bits)
    return values.tolist(), [int.from_bytes(weight, "little") for weight in digits]
