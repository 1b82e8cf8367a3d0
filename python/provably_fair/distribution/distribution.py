"""Exact probability distributions: outcomes with integer weights.

Weights are Python integers and stay exact; floats appear only in what is returned to the user.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import integer
from provably_fair._core.numbers import comparable, exactly, over_one_denominator
from provably_fair._core.table import Sheet, Tabular, short
from provably_fair._core.types import Columns

from .chisquare import ChiSquare, in_order, pearson
from .forms import to_pandas, to_scipy
from .lookup import Lookup
from .outcomes import merge, number_array, outcome_array
from .payouts import Payout, payouts
from .showing import law_sheet
from .sums import sum_of_copies
from .tally import Tally

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

__all__ = ["Distribution"]


class Distribution(Tabular):
    """An exact distribution: outcomes, and for each an integer weight.

    The probability of an outcome is its weight divided by `total`. Distributions are immutable,
    hashable values; two are equal where outcomes and weights are. Outcomes that are floats stand for
    the decimals that they are shown as: 0.1 is one tenth in every exact result.

    Parameters
    ----------
    outcomes : array-like
        The outcomes, shape (N,): numbers, or any objects that can be sorted. They are put in increasing
        order, and the weights of equal ones are added. Integers beyond int64 are kept as objects.
    weights : iterable of int
        Their weights, N integers from 0 on, not all 0.
    error : float, optional
        A bound on the absolute error of each probability, where weights are rounded; 0 by default.

    Examples
    --------
    >>> import provably_fair as pf
    >>> coins = pf.Distribution([0, 1, 2], [1, 2, 1])
    >>> coins.mean(), coins.var(exact=True), float(coins.pmf(1))
    (1.0, Fraction(1, 2), 0.5)
    """

    _outcomes: np.ndarray
    _weights: tuple[int, ...]
    _error: float
    # Of a sum that was worked out in floats: its exact mean and variance, the least and the largest outcome
    # that can occur, and a bound on the probability of those that are not listed.
    _known: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction], float] | None

    def __init__(self, outcomes: Any, weights: Iterable[object], *, error: float = 0.0) -> None:
        values = outcome_array(outcomes)
        try:
            numbers = weights.tolist() if isinstance(weights, np.ndarray) else list(weights)
        except TypeError:
            raise TypeError(f"weights must be a sequence, got {type(weights).__name__}") from None
        exact = [w if type(w) is int else integer(f"weights[{i}]", w) for i, w in enumerate(numbers)]
        if len(exact) != len(values):
            raise ValueError(f"weights must be {len(values)}, one for each outcome, got {len(exact)}")
        if not exact:
            raise ValueError("outcomes must be at least one, got none")
        if min(exact) < 0:
            raise ValueError(f"weights must be at least 0, got {min(exact)}")
        if values.dtype == object or not (values[:-1] < values[1:]).all():
            values, exact = merge(values, exact)
        if not any(exact):
            raise ValueError("weights must not all be 0")
        if not isinstance(error, (int, float, np.number)):
            raise TypeError(f"error must be a number, got {type(error).__name__}")
        if not 0 <= error < math.inf:
            raise ValueError(f"error must be at least 0 and finite, got {error}")
        values.flags.writeable = False
        fields = {"_outcomes": values, "_weights": tuple(exact), "_error": float(error), "_known": None}
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Distribution can't be changed: {name} can't be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Distribution can't be changed: {name} can't be deleted")

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.outcomes, self.weights, self._error, self._known)

    @property
    def outcomes(self) -> np.ndarray:
        """The outcomes in increasing order, shape (N,), read-only."""
        return self._outcomes

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each outcome, N Python integers."""
        return self._weights

    @cached_property
    def total(self) -> int:
        """The sum of all weights.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().distribution("as_drawn").total == 2**64
        True
        """
        return sum(self.weights)

    @cached_property
    def probabilities(self) -> np.ndarray:
        """The probability of each outcome, shape (N,), read-only: the nearest float64 to the exact one.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).probabilities
        array([0.25, 0.5 , 0.25])
        """
        return _floats(self.weights, self.total)

    @cached_property
    def cumulative(self) -> tuple[int, ...]:
        """The weight of the first 0, 1, 2, ... outcomes, N + 1 Python integers.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).cumulative
        (0, 1, 3, 4)
        """
        return (0, *itertools.accumulate(self.weights))

    @property
    def error(self) -> float:
        """A bound on the absolute error of each probability: 0.0 where they are exact."""
        return self._error

    @property
    def cut(self) -> float:
        """A bound on the probability of outcomes too unlikely to be listed: 0.0 where all of them are.

        Only `sum` leaves outcomes out, at both ends of laws that it works out in floats.
        """
        return 0.0 if self._known is None else self._known[2]

    def __len__(self) -> int:
        return len(self.outcomes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self.weights == other.weights and np.array_equal(self.outcomes, other.outcomes)

    def __hash__(self) -> int:
        return hash((self.weights, tuple(self.outcomes.tolist())))

    def __repr__(self) -> str:
        first, last = (short(outcome, 40) for outcome in (self.outcomes[0], self.outcomes[-1]))
        total = short(self.total)
        within = f", each probability within {self.error:.1g}" if self.error else ""
        cut = f", tails below {self.cut:.1g} cut" if self.cut else ""
        about = f"{len(self)} outcomes from {first} to {last}, total weight {total}"
        return f"<Distribution of {about}{within}{cut}>"

    def _sheet(self) -> Sheet:
        return law_sheet(self, repr(self).strip("<>"))

    def _columns(self) -> Columns:
        return {"outcome": self.outcomes, "probability": self.probabilities}

    # Probabilities

    def pmf(self, x: ArrayLike) -> Any:
        """Return the probability of an outcome; 0 for what isn't one.

        Parameters
        ----------
        x : scalar or array-like
            Values to look at, compared exactly.

        Returns
        -------
        float64, or numpy.ndarray of float64
            In the shape of `x`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().distribution().pmf([0, 14, 15])
        array([0.06666667, 0.06666667, 0.        ])
        """
        return self._pmf(x)[()]

    def cdf(self, x: ArrayLike) -> Any:
        """Return the probability of an outcome of at most `x`.

        Parameters
        ----------
        x : scalar or array-like
            Values to look at, compared exactly.

        Returns
        -------
        float64, or numpy.ndarray of float64
            In the shape of `x`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).cdf([-1, 0, 1, 1.5, 2])
        array([0.  , 0.25, 0.75, 0.75, 1.  ])
        """
        return self._cdf(x)[()]

    def sf(self, x: ArrayLike) -> Any:
        """Return the probability of an outcome above `x`: 1 - cdf, without loss where that is small.

        Parameters
        ----------
        x : scalar or array-like
            Values to look at, compared exactly.

        Returns
        -------
        float64, or numpy.ndarray of float64
            In the shape of `x`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).sf([-1, 0, 1, 1.5, 2])
        array([1.  , 0.75, 0.25, 0.25, 0.  ])
        >>> rare = pf.Distribution([0, 1], [10**20 - 1, 1])
        >>> float(rare.sf(0)), float(1 - rare.cdf(0))
        (1e-20, 0.0)
        """
        return self._sf(x)[()]

    def quantile(self, q: ArrayLike) -> Any:
        """Return the least outcome whose `cdf` is at least `q`.

        Parameters
        ----------
        q : number or array-like
            Probabilities from 0 to 1, compared exactly: a float stands for the decimal it is shown as.

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
        >>> import provably_fair as pf
        >>> pf.Dice().distribution().quantile([0.25, 0.5]).tolist()
        [25.0, 50.0]
        """
        array = number_array(q)
        found = [self._at_weight(needed) for needed in self._needed(array)]
        if not array.ndim:
            return found[0]
        outcomes = np.empty(len(found), dtype=self._dtype)
        outcomes[:] = found
        return outcomes.reshape(array.shape)

    def median(self, *, exact: bool = False) -> Any:
        """Return the median: the least outcome whose `cdf` is at least one half.

        Parameters
        ----------
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            One of the outcomes, which must be numbers.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Plinko().distribution().median()
        8.0
        """
        median = exactly(self._at_weight(-(-self.total // 2)), "outcomes")
        return median if exact else float(median)

    def share(self, first: object, last: object, *, exact: bool = False) -> Any:
        """Return the probability of an outcome from `first` to `last`, both included.

        Parameters
        ----------
        first, last : number, or what the outcomes are
            The least and the largest outcome of the range.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            0 where the range is empty.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Dice().distribution().share(0, 49.99, exact=True)
        Fraction(5000, 10001)
        """
        share = Fraction(max(self._weight(first, last), 0), self.total)
        return share if exact else float(share)

    # Moments and payouts

    def mean(self, exact: bool = False) -> Any:
        """Return the mean.

        Parameters
        ----------
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            The mean of the outcomes; of a `sum`, always the exact one.

        Examples
        --------
        >>> import provably_fair as pf
        >>> die = pf.Distribution(range(1, 7), [1] * 6)
        >>> die.mean(), die.mean(exact=True)
        (3.5, Fraction(7, 2))
        """
        mean = self._moments[0]
        return mean if exact else float(mean)

    def var(self, exact: bool = False) -> Any:
        """Return the variance.

        Parameters
        ----------
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            The variance of the outcomes; of a `sum`, always the exact one.

        Examples
        --------
        >>> import provably_fair as pf
        >>> die = pf.Distribution(range(1, 7), [1] * 6)
        >>> die.var(exact=True)
        Fraction(35, 12)
        >>> die.var() == 35 / 12
        True
        """
        variance = self._moments[1]
        return variance if exact else float(variance)

    def std(self) -> float:
        """Return the standard deviation, a float.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Distribution([0, 10], [1, 1]).std()
        5.0
        """
        return math.sqrt(self.var())

    def expect(self, payout: Payout | None = None, *, exact: bool = False) -> Any:
        """Return the expected value of a function of the outcome.

        Parameters
        ----------
        payout : callable, mapping, or sequence, optional
            A function of an outcome; a table by outcome (0 where it has none); or a value for each
            outcome in their order. The outcome itself by default. A float stands for the decimal that
            it is shown as.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            The expected value.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().distribution().expect({0: 14}, exact=True)
        Fraction(14, 15)
        """
        if payout is None:
            return self.mean(exact=exact)
        numerators, denominator = over_one_denominator(payouts(self.outcomes.tolist(), payout), "payout")
        expected = Fraction(
            sum(w * v for w, v in zip(self.weights, numerators, strict=True)), self.total * denominator
        )
        return expected if exact else float(expected)

    def rtp(self, payout: Payout | None = None, *, bet: object = 1, exact: bool = False) -> Any:
        """Return the return to player: the expected payout for each unit that is bet.

        Parameters
        ----------
        payout : callable, mapping, or sequence, optional
            What an outcome pays, the stake included; see `expect`.
        bet : number
            The stake that `payout` is for.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            The return to player; 1 is a fair bet.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Dice().distribution().rtp(lambda number: 1.98 if number < 50 else 0, exact=True)
        Fraction(9900, 10001)
        """
        stake = exactly(bet, "bet")
        if stake <= 0:
            raise ValueError(f"bet must be above 0, got {bet}")
        rtp = self.expect(payout, exact=True) / stake
        return rtp if exact else float(rtp)

    def map(self, function: Payout) -> Distribution:
        """Return the distribution of a function of the outcome.

        Parameters
        ----------
        function : callable, mapping, or sequence
            As `payout` of `expect`; the values may be anything that can be sorted.

        Returns
        -------
        Distribution
            Weights of outcomes with the same value are added; the total stays.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().distribution().map(lambda sector: sector % 2).weights
        (8, 7)
        """
        values = payouts(self.outcomes.tolist(), function, "function")
        return Distribution(values, self.weights, error=self.error)

    def sum(self, n: int) -> Distribution:
        """Return the distribution of the sum of `n` independent copies.

        Exact while the weights are small enough; `error` is then 0.0. Beyond that it is worked out by
        FFT convolution (needs scipy), with `error` a bound on the absolute error of each probability,
        typically below 1e-13; probabilities smaller than that are not to be relied on. What is too
        unlikely at both ends isn't listed, and `cut` bounds its probability. Mean and variance are
        exact in any case.

        Parameters
        ----------
        n : int
            The number of copies, from 1.

        Returns
        -------
        Distribution
            Where exact, the total weight is ``total ** n``.

        Raises
        ------
        ValueError
            When the sum would have more than 2**24 equally spaced outcomes.

        Examples
        --------
        >>> import provably_fair as pf
        >>> balls = pf.Plinko(pins=8).distribution().sum(3)
        >>> balls.total == 2**24, balls.mean(exact=True)
        (True, Fraction(12, 1))
        """
        n = integer("n", n, 1)
        if n == 1:
            return self
        made = sum_of_copies(n, self.outcomes, self.weights, self.probabilities, self.error)
        known = None
        if made.error:
            mean, variance = self._moments
            cut = made.cut + n * self.cut
            known = ((n * mean, n * variance), tuple(n * end for end in self._support), cut)
        return _restore(made.outcomes, made.weights, made.error, known)

    # Comparisons

    def total_variation(self, other: Distribution, exact: bool = False) -> Any:
        """Return the total variation distance to another distribution: half the sum of differences.

        Parameters
        ----------
        other : Distribution
            What to compare with.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            0 for equal probabilities, 1 for distributions without a common outcome.

        Examples
        --------
        >>> import provably_fair as pf
        >>> double = pf.Double()
        >>> double.distribution("ideal").total_variation(double.distribution("as_drawn")) < 1e-15
        True
        """
        if not isinstance(other, Distribution):
            raise TypeError(f"other must be a Distribution, got {type(other).__name__}")
        mine, theirs = (dict(zip(law.outcomes.tolist(), law.weights, strict=True)) for law in (self, other))
        scale = math.gcd(self.total, other.total)
        by, of = other.total // scale, self.total // scale
        apart = sum(abs(mine.get(x, 0) * by - theirs.get(x, 0) * of) for x in mine.keys() | theirs.keys())
        distance = Fraction(apart, 2 * self.total * by)
        return distance if exact else float(distance)

    def chisquare(self, counts: Tally | Mapping[object, int] | object) -> ChiSquare:
        """Test whether counts fit this distribution, by Pearson's chi-square (needs scipy).

        Neighboring outcomes are merged into cells, from the least on, each just large enough to expect
        at least 5; what is left at the end joins the last cell. An outcome that can't occur, of weight 0
        or none at all, makes the statistic infinite and the p-value 0.

        Parameters
        ----------
        counts : Tally, mapping, or array-like of int
            A tally of these outcomes, or one with bins that cover them all; counts by outcome; or counts
            in the order of `outcomes`. An array that could as well hold outcomes is refused.

        Returns
        -------
        ChiSquare
            ``.statistic``, ``.pvalue``, ``.dof`` (cells - 1), ``.cells``.

        Raises
        ------
        ValueError
            When the counts have another shape than the outcomes, are negative or none at all, or can't be
            told from outcomes.

        Examples
        --------
        >>> import provably_fair as pf
        >>> result = pf.Double().distribution().chisquare(pf.Double().tally(100_000))
        >>> result.dof, result.pvalue > 0.001
        (14, True)
        >>> pf.Dice().distribution(under=0).chisquare([95, 5]).pvalue  # no number is below 0
        0.0
        """
        if isinstance(counts, Tally) and counts.binned:
            weights = self._of_bins(counts)
            impossible = sum(c for c, w in zip(counts.counts.tolist(), weights, strict=True) if not w)
            return pearson(counts.counts, _floats(weights, self.total), impossible)
        observed, outside = in_order(counts, self._lookup)
        impossible = sum(outside.values())
        if not self.error:
            impossible += sum(c for c, w in zip(observed.tolist(), self.weights, strict=True) if not w)
        else:
            # A weight of 0 is a rounded one, and what was cut belongs to the ends.
            least, most = self._support
            for value, count in outside.items():
                number = comparable(value)
                if number is not None and least <= number <= most:
                    observed[self._lookup.nearest(number)] += count
                    impossible -= count
        return pearson(observed, self.probabilities, impossible)

    # Other forms

    def to_scipy(self) -> Any:
        """Return a frozen distribution of scipy (needs scipy).

        Returns
        -------
        scipy.stats.rv_discrete, frozen
            With these outcomes and probabilities, in floats.

        Examples
        --------
        >>> import provably_fair as pf
        >>> frozen = pf.Plinko().distribution().to_scipy()
        >>> bool(abs(frozen.mean() - 8) < 1e-12), frozen.rvs(5, random_state=1).shape
        (True, (5,))
        """
        return to_scipy(self.outcomes, self.probabilities)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the probabilities as a series by outcome (needs pandas).

        Returns
        -------
        pandas.Series
            Named "probability", float64, indexed by "outcome".

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).to_pandas()
        outcome
        0    0.25
        1    0.50
        2    0.25
        Name: probability, dtype: float64
        """
        return to_pandas(self.outcomes, self.probabilities)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        counts: Tally | Mapping[object, int] | object = None,
        confidence: float = 0.95,
    ) -> Axes:
        """Draw the probabilities, and simulated frequencies beside them (needs matplotlib).

        Up to 200 outcomes are drawn one by one; more as the probability of at least each outcome.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.
        counts : Tally, mapping, or array-like of int, optional
            Counts, see `chisquare`, drawn as frequencies, with the band that each of them keeps to with
            a probability of `confidence`.
        confidence : float
            Above 0, below 1.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Raises
        ------
        ValueError
            When `confidence` isn't between 0 and 1.

        Examples
        --------
        >>> import provably_fair as pf
        >>> plinko = pf.Plinko()
        >>> plinko.distribution().plot(counts=plinko.tally(1000)).get_ylabel()
        'probability'
        """
        from .picture import draw_law

        observed, rounds = None, 0
        if counts is not None:
            observed, outside = in_order(counts, self._lookup)
            rounds = int(observed.sum()) + sum(outside.values())
        return draw_law(self.outcomes, self.probabilities, observed, rounds, confidence=confidence, ax=ax)

    # How values are looked up

    def _pmf(self, x: ArrayLike) -> np.ndarray:
        found: np.ndarray = self._padded[self._lookup.places(x)]
        return found

    def _cdf(self, x: ArrayLike) -> np.ndarray:
        found: np.ndarray = self._up_to[self._lookup.below(x, "x")]
        return found

    def _sf(self, x: ArrayLike) -> np.ndarray:
        found: np.ndarray = self._above[self._lookup.below(x, "x")]
        return found

    def _weight(self, first: Any, last: Any) -> int:
        """Return the weight of the outcomes from `first` to `last`; below 0 where the range is empty."""
        low = self._lookup.below(first, "first", or_equal=False)
        high = self._lookup.below(last, "last")
        for name, place in (("first", low), ("last", high)):
            if place.ndim:
                raise TypeError(f"{name} must be one value, got an array of the shape {place.shape}")
        return self.cumulative[int(high)] - self.cumulative[int(low)]

    def _needed(self, q: np.ndarray) -> Iterable[int]:
        """Return the weight that each quantile has to reach."""
        for item in q.ravel().tolist():
            share = exactly(item, "q")
            if not 0 <= share <= 1:
                raise ValueError(f"q must be from 0 to 1, got {item}")
            # At least 1, so that the quantile of 0 is an outcome that can occur.
            yield max(1, math.ceil(share * self.total))

    def _at_weight(self, needed: int) -> object:
        """Return the least outcome up to which there is so much weight."""
        return self.outcomes[bisect.bisect_left(self.cumulative, needed) - 1]

    # What is worked out once, when it is asked for first

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self.outcomes)

    @cached_property
    def _up_to(self) -> np.ndarray:
        """The probability of the first 0, 1, 2, ... outcomes."""
        return _floats(self.cumulative, self.total)

    @cached_property
    def _above(self) -> np.ndarray:
        """The probability of all but the first 0, 1, 2, ... outcomes."""
        return _floats([self.total - weight for weight in self.cumulative], self.total)

    @cached_property
    def _padded(self) -> np.ndarray:
        """The probabilities, and behind them that of what is no outcome: 0."""
        return np.append(self.probabilities, 0.0)

    @cached_property
    def _moments(self) -> tuple[Fraction, Fraction]:
        """The mean and the variance."""
        if self._known is not None:
            return self._known[0]
        values, denominator = over_one_denominator(self.outcomes.tolist())
        first = sum(w * v for w, v in zip(self.weights, values, strict=True))
        second = sum(w * v * v for w, v in zip(self.weights, values, strict=True))
        mean = Fraction(first, self.total * denominator)
        return mean, Fraction(second, self.total * denominator**2) - mean**2

    @property
    def _support(self) -> tuple[Any, Any]:
        """The least and the largest outcome that can occur, listed or cut."""
        if self._known is not None:
            return self._known[1]
        return exactly(self.outcomes[0], "outcomes"), exactly(self.outcomes[-1], "outcomes")

    def _of_bins(self, counts: Tally) -> list[int]:
        """Return the weight of each bin of a tally; the first one takes what is below it too."""
        largest = self._largest()
        if not isinstance(largest, (int, np.integer)):
            raise ValueError("counts must be of outcomes: a tally of bins is for laws of integers")
        if int(counts.counts.sum()) != counts.rounds:
            raise ValueError("counts must be of bins that cover all outcomes")
        edges = counts.outcomes.tolist()
        ends = [edge - 1 for edge in edges[1:]] + [largest]
        weights = [max(self._weight(e, min(end, largest)), 0) for e, end in zip(edges, ends, strict=True)]
        weights[0] += self.total - sum(weights)
        return weights

    def _largest(self) -> object:
        return self.outcomes[-1]

    @property
    def _dtype(self) -> np.dtype:
        return self.outcomes.dtype


def _restore(outcomes: ArrayLike, weights: Iterable[int], error: float, known: object = None) -> Distribution:
    made = Distribution(outcomes, weights, error=error)
    made.__dict__["_known"] = known
    return made


def _floats(weights: Iterable[int], total: int) -> np.ndarray:
    """Return weights as probabilities: Python divides integers of any size with one rounding."""
    shares = np.array([weight / total for weight in weights])
    shares.flags.writeable = False
    return shares
