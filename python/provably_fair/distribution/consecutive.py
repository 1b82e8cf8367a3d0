"""Laws of consecutive integers, possibly too many to list."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.counts import length
from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.numbers import comparable, exactly
from provably_fair._core.tails import bisected

from .distribution import Distribution
from .outcomes import number_array
from .sampling import below

MAX_LISTED = 1 << 22
"""The largest number of outcomes that are listed."""


class Cumulative(Protocol):
    """The cumulative weights that define such a law; hashable and picklable, and equal for equal laws."""

    @property
    def first(self) -> int:
        """The least integer."""

    @property
    def last(self) -> int:
        """The largest integer."""

    @property
    def total(self) -> int:
        """The sum of all weights."""

    def up_to(self, value: int) -> int:
        """Return the weight of the integers from `first` to `value`."""

    def as_list(self) -> Distribution:
        """Return the law with a weight for each integer listed."""

    def moments(self) -> tuple[Fraction, Fraction] | None:
        """Return the mean and the variance if they are known without listing the law; else None."""


class Consecutive(Distribution):
    """A law of consecutive integers, given by its cumulative weights.

    Probabilities, quantiles and shares cost no more for 2**53 integers than for ten. Up to 2**22 outcomes are
    listed if their outcomes or weights are needed.
    """

    _source: Cumulative
    _what: str

    def __init__(self, source: Cumulative, what: str = "outcomes") -> None:
        self.__dict__.update(_source=source, _what=what, _error=0.0, _truncated=0.0, _doubles=None, _terms=())

    def __reduce__(self) -> tuple[object, ...]:
        return Consecutive, (self._source, self._what)

    def __len__(self) -> int:
        return self._source.last - self._source.first + 1

    @cached_property
    def total(self) -> int:
        """The sum of all weights."""
        return self._source.total

    @property
    def outcomes(self) -> np.ndarray:
        """The outcomes in increasing order, shape (N,), read-only."""
        return self._as_list.outcomes

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each outcome, N Python integers."""
        return self._as_list.weights

    @cached_property
    def _as_list(self) -> Distribution:
        if not self._short:
            cure = "probability_between, pmf, cdf, sf and quantile take any number"
            raise BadValue(
                self._what, f"must be at most {MAX_LISTED} to list all, got {length(self)}: {cure}"
            )
        return self._source.as_list()

    @property
    def _short(self) -> bool:
        return length(self) <= MAX_LISTED

    def _pmf(self, x: ArrayLike) -> Any:
        if self._short:
            return super()._pmf(x)
        return self._shares(x, lambda v: self._weight(v, v) if comparable(v) is not None else 0)

    def _logpmf(self, x: ArrayLike) -> Any:
        if self._short:
            return super()._logpmf(x)
        with np.errstate(divide="ignore"):
            return np.log(self._pmf(x))

    def _cdf(self, x: ArrayLike) -> Any:
        if self._short:
            return super()._cdf(x)
        return self._shares(x, lambda value: self._weight_up_to(value, "x"))

    def _sf(self, x: ArrayLike) -> Any:
        if self._short:
            return super()._sf(x)
        return self._shares(x, lambda value: self.total - self._weight_up_to(value, "x"))

    def _shares(self, x: ArrayLike, weight: Callable[[Any], int]) -> np.ndarray:
        """Return a weight for each value, divided by the total weight."""
        values = number_array(x)
        shares = [weight(value) / self.total for value in values.ravel().tolist()]
        return np.array(shares, dtype=np.float64).reshape(values.shape)

    def _weight_up_to(self, value: object, name: str) -> int:
        """Return the weight of the integers up to a number."""
        place = math.floor(max(min(_number(value, name), self._source.last), self._source.first - 1))
        return self._source.up_to(place)

    def _weight(self, first: object, last: object) -> int:
        start = max(min(_number(first, "low"), self._source.last + 1), self._source.first)
        return self._weight_up_to(last, "high") - self._source.up_to(math.ceil(start) - 1)

    def _at_weight(self, needed: int) -> object:
        first, last = self._source.first, self._source.last
        # `bisect` counts with the machine's own integers.
        return np.int64(bisected(lambda place: self._source.up_to(place) < needed, first - 1, last)[1])

    @cached_property
    def _moments(self) -> tuple[Fraction, Fraction]:
        known = self._source.moments()
        return self._as_list._moments if known is None else known

    def _draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        if self._short:
            return super()._draw(count, rng)
        drawn = (below(self.total, rng) for _ in range(count))
        return np.array([self._at_weight(weight + 1) for weight in drawn], dtype=np.int64)

    def _least(self) -> Any:
        return np.int64(self._source.first)

    def _largest(self) -> int:
        return self._source.last

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Consecutive):
            return self._source == other._source or (
                self._short and len(self) == len(other) and super().__eq__(other)
            )
        if not isinstance(other, Distribution):
            return NotImplemented
        return length(self) == len(other) and super().__eq__(other)

    def __hash__(self) -> int:
        # If this law can be listed, it equals a listed law with the same weights.
        return super().__hash__() if self._short else hash(self._source)

    def __repr__(self) -> str:
        return f"<Distribution of {length(self)} {self._what}{self._which}>"

    @property
    def _dtype(self) -> np.dtype:
        return np.dtype(np.int64)


def _number(value: Any, name: str) -> Fraction | float:
    """Return a number as a Fraction, or as a float if it is infinite."""
    if np.ndim(value):
        raise BadType(name, f"must be one value, got an array of the shape {np.shape(value)}")
    number = comparable(value.item() if isinstance(value, np.ndarray) else value)
    return exactly(value, name) if number is None else number
