"""Outcomes with integer weights: probabilities and quantiles."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, check_type, integer, unbox
from provably_fair._core.counts import length
from provably_fair._core.numbers import exactly, over_one_denominator
from provably_fair._core.table import Tabular, short
from provably_fair._core.types import Columns

from .lookup import Lookup
from .outcomes import merge, number_array, outcome_array, refuse_other_order
from .sampling import Rng, Size, generator, places_by_probability, places_by_weight, shape_of


class Doubles:
    """Probabilities in doubles, of laws too large for integer weights, and sums from both ends."""

    def __init__(self, probabilities: np.ndarray) -> None:
        self.probabilities: np.ndarray = probabilities
        self.up_to: np.ndarray = np.append(0.0, np.minimum(np.cumsum(probabilities), 1.0))
        # Sum from the upper end, so that small tails keep their digits.
        self.above: np.ndarray = np.append(np.minimum(np.cumsum(probabilities[::-1])[::-1], 1.0), 0.0)
        for array in (probabilities, self.up_to, self.above):
            array.flags.writeable = False

    def weights(self) -> tuple[int, ...]:
        """Return the doubles as integers, scaled by a common power of two."""
        mantissas, exponents = np.frexp(self.probabilities)
        whole = (mantissas * 2.0**53).astype(np.int64).tolist()
        shifts = (exponents - int(exponents.min())).tolist()
        scaled = [value << shift for value, shift in zip(whole, shifts, strict=True)]
        spare = math.gcd(*scaled)
        return tuple(value // spare for value in scaled)

    def place(self, share: float | Fraction) -> int:
        """Return the first index at which the cumulative probability reaches a share.

        Shares just below 1 are compared from the upper end, where small probabilities aren't rounded away.
        """
        if share <= 0.5 or (isinstance(share, float) and share < 1):
            index = np.searchsorted(self.up_to[1:], float(share))
        else:
            index = len(self.above) - 1 - np.searchsorted(self.above[:0:-1], float(1 - share), side="right")
        return min(max(int(index), 0), len(self.probabilities) - 1)


class Origin(Protocol):
    """The game and the question that a law is of."""

    @property
    def kind(self) -> str:
        """Which law it is: "ideal" or "as_drawn"."""

    def other(self) -> Any:
        """Return the other one of these laws."""


class WeightedOutcomes(Tabular):
    """Outcomes with integer weights."""

    _outcomes: np.ndarray
    _error: float
    _truncated: float
    # Set if probabilities are doubles; None if they are weights.
    _doubles: Doubles | None
    _origin: Origin | None = None
    """Where a game's law comes from. It says what a law is of: equality, hashes and copies don't have it."""

    def __init__(
        self,
        outcomes: Any,
        weights: Iterable[object],
        *,
        probability_error: float = 0.0,
        truncation_error: float = 0.0,
    ) -> None:
        values = outcome_array(outcomes)
        refuse_other_order("weights", weights, values)
        try:
            numbers = weights.tolist() if isinstance(weights, np.ndarray) else list(weights)
        except TypeError:
            raise BadType("weights", f"must be a sequence, got {type(weights).__name__}") from None
        exact = _whole(numbers)
        if len(exact) != len(values):
            raise BadValue("weights", f"must be {len(values)}, one for each outcome, got {len(exact)}")
        if not exact:
            raise BadValue("outcomes", "must not be empty")
        if min(exact) < 0:
            raise BadValue("weights", f"must be at least 0, got {min(exact)}")
        if values.dtype == object or not (values[:-1] < values[1:]).all():
            values, exact = merge(values, exact)
        if not any(exact):
            raise BadValue("weights", "must not all be 0")
        error = error_bound("probability_error", probability_error)
        truncated = error_bound("truncation_error", truncation_error)
        values.flags.writeable = False
        self.__dict__.update(
            _outcomes=values,
            weights=tuple(exact),
            _error=error,
            _truncated=truncated,
            _doubles=None,
            _terms=(),
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Distribution can't be changed: {name} can't be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Distribution can't be changed: {name} can't be deleted")

    @property
    def outcomes(self) -> np.ndarray:
        """The outcomes in increasing order, shape (N,), read-only."""
        return self._outcomes

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weight of each outcome, N Python integers."""
        assert self._doubles is not None
        return self._doubles.weights()

    @cached_property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.weights)

    @cached_property
    def probabilities(self) -> np.ndarray:
        """The probability of each outcome, shape (N,), read-only: the nearest float64 to the exact one."""
        return floats(self.weights, self.total) if self._doubles is None else self._doubles.probabilities

    @cached_property
    def cumulative(self) -> tuple[int, ...]:
        """The weight of the first 0, 1, 2, ... outcomes, N + 1 Python integers."""
        return (0, *itertools.accumulate(self.weights))

    @property
    def probability_error(self) -> float:
        """A bound on the absolute error of each probability: 0.0 if they are exact."""
        return self._error

    @property
    def truncation_error(self) -> float:
        """A bound on the probability of outcomes too unlikely to be listed: 0.0 if all are listed.

        Laws computed in doubles, such as large sums, omit extremely unlikely outcomes.
        """
        return self._truncated

    @property
    def _is_exact(self) -> bool:
        return not self._error and not self._truncated

    def _as_asked(
        self, what: str, value: float | Fraction, exact: bool, known: bool | None = None
    ) -> float | Fraction:
        """Return a value as a float or a Fraction, which is refused unless it is `known` exactly.

        By default it is known if the probabilities are exact.
        """
        if not exact:
            try:
                return float(value)
            except OverflowError:
                raise BadValue("exact", f"must be True: the {what} is larger than any float") from None
        if self._is_exact if known is None else known:
            return value
        lost = f", and outcomes below {self._truncated:.1g} aren't listed" if self._truncated else ""
        raise BadValue(
            "exact",
            sentence=f"the exact {what} isn't known: this distribution was computed in floating point. Each "
            f"probability is within {self._error:.1g}{lost}; as a float, the {what} is {float(value)!r}",
        )

    def __len__(self) -> int:
        return len(self.outcomes)

    def __iter__(self) -> Iterator[tuple[Any, Fraction]]:
        """Iterate over the outcomes in increasing order, each with its exact probability."""
        for outcome, weight in zip(self.outcomes.tolist(), self.weights, strict=True):
            yield outcome, Fraction(weight, self.total)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeightedOutcomes):
            return NotImplemented
        return self.weights == other.weights and np.array_equal(self.outcomes, other.outcomes)

    def __hash__(self) -> int:
        return hash((self.weights, tuple(self.outcomes.tolist())))

    def __repr__(self) -> str:
        first, last = (short(outcome, 40) for outcome in (self.outcomes[0], self.outcomes[-1]))
        total = "" if self._doubles else f", total weight {short(self.total)}"
        within = f", each probability within {self.probability_error:.1g}" if self._error else ""
        lost = self.truncation_error
        truncated = f", tails below {lost:.1g} truncated" if lost else ""
        about = f"{length(self)} outcomes from {first} to {last}{total}"
        return f"<Distribution of {about}{within}{truncated}{self._which}>"

    @property
    def _which(self) -> str:
        """Which law of a game it is, after a comma."""
        return "" if self._origin is None else f", {self._origin.kind.replace('_', ' ')}"

    def _columns(self) -> Columns:
        return {"outcome": self.outcomes, "probability": self.probabilities}

    def pmf(self, x: ArrayLike) -> Any:
        """Return the probability of an outcome; 0 for any other value.

        Parameters
        ----------
        x : scalar or array-like
            Values, compared exactly.

        Returns
        -------
        float64, or numpy.ndarray of float64
            In the shape of `x`.

        Examples
        --------
        >>> pf.Double().distribution().pmf([0, 14, 15])
        array([0.06666667, 0.06666667, 0.        ])
        >>> pf.Double().distribution().probability_between(14, 14, exact=True)  # as a fraction
        Fraction(1, 15)
        """
        return self._pmf(x)[()]

    def logpmf(self, x: ArrayLike) -> Any:
        """Return the natural logarithm of `pmf`, also where that is too small for a float.

        It is minus infinity for a value that isn't an outcome.

        Examples
        --------
        >>> pf.Distribution([0, 1], [10**400 - 1, 1]).logpmf([0, 1, 2]).round(6)
        array([   0.     , -921.034037,       -inf])
        """
        return self._logpmf(x)[()]

    def cdf(self, x: ArrayLike) -> Any:
        """Return the probability of an outcome of at most `x`; see `pmf`.

        Examples
        --------
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).cdf([-1, 0, 1, 1.5, 2])
        array([0.  , 0.25, 0.75, 0.75, 1.  ])
        """
        return self._cdf(x)[()]

    def sf(self, x: ArrayLike) -> Any:
        """Return the probability of an outcome above `x`: 1 - cdf, but accurate when small. See `pmf`.

        Examples
        --------
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).sf([-1, 0, 1, 1.5, 2])
        array([1.  , 0.75, 0.25, 0.25, 0.  ])
        >>> rare = pf.Distribution([0, 1], [10**20 - 1, 1])
        >>> float(rare.sf(0)), float(1 - rare.cdf(0))
        (1e-20, 0.0)
        """
        return self._sf(x)[()]

    def quantile(self, q: ArrayLike | Fraction) -> Any:
        """Return the least outcome whose `cdf` is at least `q`.

        Parameters
        ----------
        q : number or array-like
            Probabilities from 0 to 1. A float is compared with `cdf`, a float too, so that the quantile of
            ``cdf(x)`` is `x`; 1 gives the largest outcome. Fractions, decimals and integers are compared
            exactly.

        Returns
        -------
        outcome, or numpy.ndarray of outcomes
            In the shape of `q`.

        Raises
        ------
        ValueError
            When `q` is outside 0 to 1.

        Examples
        --------
        >>> pf.Dice().distribution().quantile([0.25, 0.5]).tolist()
        [25.0, 50.0]
        """
        array = number_array(q, "q")
        answers = [self._at_weight(needed) for needed in self._weights_up_to(array)]
        if not array.ndim:
            return answers[0]
        outcomes = np.empty(len(answers), dtype=self._dtype)
        outcomes[:] = answers
        return outcomes.reshape(array.shape)

    def median(self, *, exact: bool = False) -> Any:
        """Return the median: the least outcome whose `cdf` is at least one half.

        Parameters
        ----------
        exact : bool
            Whether to return a Fraction, and to compare probabilities with one half exactly: not as floats,
            as `cdf` and `quantile` do.

        Returns
        -------
        float or fractions.Fraction
            One of the outcomes, which must be numbers.

        Raises
        ------
        ValueError
            When `exact` is true and the errors of the probabilities leave open which outcome it is.

        Examples
        --------
        >>> pf.Plinko().distribution().median()
        8.0
        """
        if not exact:
            return float(exactly(self.quantile(0.5), "outcomes"))
        median = exactly(self.quantile(Fraction(1, 2)), "outcomes")
        # Errors of probabilities may move it to a neighboring outcome.
        off = Fraction(self._error) * length(self) + Fraction(self._truncated)
        low, high = max(Fraction(1, 2) - off, Fraction(0)), min(Fraction(1, 2) + off, Fraction(1))
        known = self.quantile(low) == self.quantile(high)
        return self._as_asked("median", median, exact, known)

    def ppf(self, q: ArrayLike | Fraction) -> Any:
        """Return the least outcome whose `cdf` is at least `q`; for 0, like scipy, the first outcome minus 1.

        That is a TypeError where outcomes aren't numbers. See `quantile`, which gives the least possible one
        for 0.

        Examples
        --------
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).ppf([0.25, 0.26]).tolist()
        [0, 1]
        >>> int(pf.Distribution([0, 1, 2], [1, 2, 1]).ppf(0))
        -1
        """
        return self._or_below(self.quantile(q), number_array(q, "q") == 0, "above 0")

    def isf(self, q: ArrayLike | Fraction) -> Any:
        """Return the least outcome whose `sf` is at most `q`; for 1, like scipy, the first outcome minus 1.

        Probabilities are compared exactly: a float stands for the decimal it is shown as. See `ppf`.

        Examples
        --------
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).isf([0, 0.25, 0.3, 0.75]).tolist()
        [2, 1, 1, 0]
        >>> int(pf.Distribution([0, 1], [10**30 - 1, 1]).isf(1e-31))
        1
        """
        array = number_array(q, "q")
        rest = np.empty(array.shape, dtype=object)
        rest.ravel()[:] = [1 - self._share(item) for item in array.ravel().tolist()]
        return self._or_below(self.quantile(rest if array.ndim else rest[()]), array == 1, "below 1")

    def support(self) -> tuple[Any, Any]:
        """Return the least and the largest outcome with a probability above 0."""
        least, most = (0, 1) if self._doubles is not None else (1, self.total)
        return self._at_weight(least), self._at_weight(most)

    def interval(self, confidence: object) -> tuple[Any, Any]:
        """Return the ends of a central range with a probability of at least `confidence`.

        Parameters
        ----------
        confidence : number
            From 0 to 1.

        Returns
        -------
        low, high : outcome
            The quantiles of (1 - confidence) / 2 and (1 + confidence) / 2.

        Examples
        --------
        >>> low, high = pf.Dice().distribution().interval(0.9)
        >>> float(low), float(high)
        (5.0, 95.0)
        """
        share = exactly(unbox(confidence), "confidence")
        if not 0 <= share <= 1:
            raise BadValue("confidence", f"must be from 0 to 1, got {confidence}")
        return self.quantile((1 - share) / 2), self.quantile((1 + share) / 2)

    def rvs(
        self, size: Size = None, rng: Rng = None, *, random_state: Rng | np.random.RandomState = None
    ) -> Any:
        """Draw random outcomes, others at every call. With exact weights, each has exactly its probability.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape of the result; one outcome by default.
        rng : int, numpy Generator, BitGenerator or SeedSequence, optional
            The source of randomness: by default fresh from the operating system, as in scipy. A number is a
            seed, which gives the same outcomes again.
        random_state : the same, or numpy RandomState, optional
            Another name of `rng`, as `rvs` of scipy has it.

        Returns
        -------
        outcome, or numpy.ndarray of outcomes
            In the shape `size`.

        Raises
        ------
        TypeError
            When both `rng` and `random_state` are given.

        Examples
        --------
        >>> coins = pf.Distribution([0, 1], [1, 3]).rvs(1000, rng=1)
        >>> coins.shape, bool(abs(coins.mean() - 0.75) < 0.05)
        ((1000,), True)
        """
        shape = shape_of(size)
        if rng is not None and random_state is not None:
            raise BadType("rng", "and random_state must not be given both")
        random = generator(rng) if random_state is None else generator(random_state, "random_state")
        drawn = self._draw(math.prod(shape), random)
        return drawn.reshape(shape) if shape else drawn[0]

    @overload
    def probability_between(self, low: object, high: object, *, exact: Literal[False] = ...) -> float: ...
    @overload
    def probability_between(self, low: object, high: object, *, exact: Literal[True]) -> Fraction: ...
    @overload
    def probability_between(self, low: object, high: object, *, exact: bool) -> float | Fraction: ...
    def probability_between(self, low: object, high: object, *, exact: bool = False) -> float | Fraction:
        """Return the probability of an outcome from `low` to `high`, both included.

        Parameters
        ----------
        low, high : number, or of the outcomes' type
            The least and the largest outcome of the range.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            0 if the range is empty.

        Raises
        ------
        ValueError
            When `exact` is true and the probabilities aren't exact.

        Examples
        --------
        >>> pf.Dice().distribution().probability_between(0, 49.99, exact=True)
        Fraction(5000, 10001)
        """
        exact_share = Fraction(max(self._weight(low, high), 0), self.total)
        return self._as_asked("probability", exact_share, exact)

    def _or_below(self, quantiles: Any, nothing: np.ndarray, allowed: str) -> Any:
        """Return quantiles, with the first outcome minus 1 where `nothing` is set."""
        if not np.any(nothing):
            return quantiles
        try:
            below = self._least() - 1
        except TypeError:
            raise BadType("q", f"must be {allowed} where outcomes aren't numbers") from None
        if not nothing.ndim:
            return below
        quantiles[nothing] = below
        return quantiles

    # Lookup

    def _pmf(self, x: ArrayLike) -> Any:
        return self._padding[self._lookup.places(x)]

    def _logpmf(self, x: ArrayLike) -> Any:
        return self._logarithms[self._lookup.places(x)]

    def _cdf(self, x: ArrayLike) -> Any:
        return self._up_to[self._lookup.below(x, "x")]

    def _sf(self, x: ArrayLike) -> Any:
        return self._above[self._lookup.below(x, "x")]

    def _weight(self, first: Any, last: Any) -> int:
        """Return the total weight of the outcomes `first` to `last`; negative if the range is empty."""
        begin, end = self._places(first, last)
        return self.cumulative[end] - self.cumulative[begin]

    def _places(self, low: Any, high: Any) -> tuple[int, int]:
        """Return the slice of outcomes from `low` to `high`."""
        first, last = self._lookup.below(low, "low", or_equal=False), self._lookup.below(high, "high")
        for name, place in {"low": first, "high": last}.items():
            if place.ndim:
                raise BadType(name, f"must be one value, got an array of the shape {place.shape}")
        return int(first), int(last)

    def _weights_up_to(self, q: np.ndarray) -> Iterable[Any]:
        """Return the cumulative weight that each quantile must reach; for doubles, the probability."""
        for item in q.ravel().tolist():
            share = self._share(item)
            if self._doubles is not None:
                yield item if isinstance(item, float) else share
            elif isinstance(item, float) and 0 < item < 1:
                yield _least_weight(item, self.total)
            else:
                # At least 1, so that the quantile of 0 is a possible outcome.
                yield max(1, math.ceil(share * self.total))

    @staticmethod
    def _share(q: object) -> Fraction:
        """Return a probability as a Fraction, checked."""
        share = exactly(q, "q")
        if not 0 <= share <= 1:
            raise BadValue("q", f"must be from 0 to 1, got {q}")
        return share

    def _at_weight(self, needed: Any) -> Any:
        """Return the first outcome with at least this cumulative weight."""
        if self._doubles is not None:
            return self.outcomes[self._doubles.place(needed)]
        return self.outcomes[bisect.bisect_left(self.cumulative, needed) - 1]

    def _draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Return a sample of `count` outcomes."""
        if self._doubles is not None:
            places = places_by_probability(self._doubles.up_to, count, rng)
        else:
            places = places_by_weight(self.cumulative, count, rng)
        return np.asarray(self.outcomes[places])

    def _least(self) -> Any:
        return self.outcomes[0]

    def _largest(self) -> object:
        return self.outcomes[-1]

    @property
    def _dtype(self) -> np.dtype:
        return self.outcomes.dtype

    # Cached values

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self.outcomes)

    @cached_property
    def _up_to(self) -> np.ndarray:
        """The cumulative probabilities of the first 0, 1, 2, ... outcomes."""
        return floats(self.cumulative, self.total) if self._doubles is None else self._doubles.up_to

    @cached_property
    def _above(self) -> np.ndarray:
        """The probabilities of all but the first 0, 1, 2, ... outcomes."""
        if self._doubles is not None:
            return self._doubles.above
        return floats([self.total - weight for weight in self.cumulative], self.total)

    @cached_property
    def _padding(self) -> np.ndarray:
        """The probabilities, followed by a 0 at index -1 for values that aren't outcomes."""
        return np.append(self.probabilities, 0.0)

    @cached_property
    def _logarithms(self) -> np.ndarray:
        """The log probabilities, followed by -inf at index -1."""
        with np.errstate(divide="ignore"):
            logarithms: np.ndarray = np.log(self._padding)
        for place in np.flatnonzero(self.probabilities == 0).tolist():
            if self.weights[place]:  # underflows as a float
                logarithms[place] = math.log(self.weights[place]) - math.log(self.total)
        return logarithms


def with_origin(law: Any, origin: Origin) -> Any:
    """Return the same law with the game and the question that it is of."""
    cls: Any = type(law)
    same = cls.__new__(cls)
    same.__dict__.update(law.__dict__, _origin=origin)
    return same


def _least_weight(share: float, total: int) -> int:
    """Return the smallest weight whose share, rounded to a float, is at least `share`."""
    # Shares above the midpoint to the float below round to `share`.
    half = (Fraction(math.nextafter(share, 0.0)) + Fraction(share)) / 2
    weight = max(1, math.ceil(half * total))
    return weight if weight / total >= share else weight + 1


def _whole(weights: list[Any]) -> list[int]:
    """Return weights as integers in the same proportion."""
    kinds = set(map(type, weights))
    if kinds == {int}:
        return weights
    fractions = {kind for kind in kinds if issubclass(kind, Fraction)}
    known = {int} | fractions
    exact = [w if type(w) in known else integer("weights", w, index=i) for i, w in enumerate(weights)]
    return over_one_denominator(exact, "weights")[0] if fractions else exact


def error_bound(name: str, value: Any) -> float:
    """Return a bound on an error, checked."""
    check_type(name, value, int | float | np.number, "a number")
    if not 0 <= value < math.inf:
        raise BadValue(name, f"must be at least 0 and finite, got {value}")
    return float(value)


def floats(weights: Iterable[int], total: int) -> np.ndarray:
    """Return weights as probabilities, each rounded once (Python divides integers of any size correctly)."""
    shares = np.array([weight / total for weight in weights])
    shares.flags.writeable = False
    return shares
