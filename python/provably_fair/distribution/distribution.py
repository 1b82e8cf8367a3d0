"""Exact probability distributions: outcomes with integer weights.

Weights are Python integers and stay exact; floats appear only in returned results.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, check_type, integer, reals, unbox
from provably_fair._core.counts import length
from provably_fair._core.numbers import comparable, exactly, over_one_denominator
from provably_fair._core.table import Sheet
from provably_fair._core.types import JsonDict

from .chisquare import ChiSquare, in_order, pearson
from .comparing import ALIKE, LawDifference, law_difference, units_apart
from .forms import from_json, to_json, to_scipy
from .joined import Event, event_mask, extreme_probabilities, extreme_weights
from .kolmogorov import KolmogorovSmirnov, kolmogorov
from .moments import Moments
from .outcomes import outcome_array, refuse_other_order
from .payouts import Payout, payouts
from .sheets import law_sheet
from .sums import Term, independent_sum
from .tally import Tally
from .weighted import Doubles, error_bound, floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Distribution(Moments):
    """An exact probability distribution (a law): outcomes with integer weights.

    Made by `distribution` of a game, of outcomes and weights as below, or by `from_probabilities`,
    `from_counts`, `from_table` or `mixture`. What is needed most:

    - `pmf`, `cdf` and `sf`: the probability of an outcome, up to it, and above it.
    - `mean`, `std` and `quantile`: the average, the spread, and the outcome at a probability.
    - `map` and `sum`: the law of a function of the outcome, and of the sum of independent ones.
    - `chisquare` and `plot`: whether counts fit the law, and its picture.

    The probability of an outcome is its weight divided by `total`. Distributions are immutable, hashable
    values; two are equal if their outcomes and weights are. A float outcome stands for the decimal it is
    shown as: 0.1 is one tenth in every exact result.

    Parameters
    ----------
    outcomes : array-like
        The outcomes, shape (N,): numbers, or any objects that can be sorted. They are sorted, and the weights
        of equal ones are added. Integers beyond int64 are kept as objects.
    weights : iterable of int or fractions.Fraction
        Their weights, N nonnegative numbers, not all 0. Fractions are brought to a common denominator.
    probability_error : float, optional
        A bound on the absolute error of each probability, if weights are rounded; 0 by default.
    truncation_error : float, optional
        A bound on the probability of unlisted outcomes; 0 by default.

    Examples
    --------
    >>> coins = pf.Distribution([0, 1, 2], [1, 2, 1])
    >>> coins.mean(), coins.var(exact=True), float(coins.pmf(1))
    (1.0, Fraction(1, 2), 0.5)

    Adding laws gives the law of the sum of independent values. Iteration gives pairs of an outcome and its
    probability.

    >>> (coins + coins).weights, dict(coins)
    ((1, 4, 6, 4, 1), {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)})
    """

    _terms: tuple[tuple[int, Distribution], ...]

    __array_ufunc__ = None  # makes numpy scalars use __radd__, like Python's numbers

    @classmethod
    def _of_doubles(
        cls,
        outcomes: ArrayLike,
        probabilities: np.ndarray,
        error: float,
        truncation_error: float,
        terms: tuple[tuple[int, Distribution], ...] = (),
    ) -> Distribution:
        """Return a law of increasing outcomes with positive probabilities in doubles."""
        law = cls.__new__(cls)
        values = outcome_array(outcomes)
        values.flags.writeable = False
        law.__dict__.update(
            _outcomes=values,
            _error=error,
            _truncated=truncation_error,
            _doubles=Doubles(probabilities),
            _terms=terms,
        )
        return law

    def __reduce__(self) -> tuple[object, ...]:
        if self._doubles is None:
            law = partial(Distribution, probability_error=self._error, truncation_error=self._truncated)
            return law, (self.outcomes, self.weights)
        state = (self.outcomes, self._doubles.probabilities, self._error, self._truncated, self._terms)
        return Distribution._of_doubles, state

    def __add__(self, other: object) -> Distribution:
        """Return the law of the sum with an independent value, or with a number."""
        if isinstance(other, Distribution):
            return self.convolve(other)
        if isinstance(other, Real | Decimal | np.number) and not isinstance(other, bool | np.bool_):
            return self if other == 0 else self.convolve(Distribution([other], [1]))
        return NotImplemented

    __radd__ = __add__

    def _sheet(self) -> Sheet:
        return law_sheet(self, repr(self).strip("<>"))

    # Laws of transformed and combined values

    def map(self, function: Payout) -> Distribution:
        """Return the distribution of a function of the outcome.

        Parameters
        ----------
        function : callable, mapping, or sequence
            As `payout` of `expect`; the values may be anything that can be sorted.

        Returns
        -------
        Distribution
            Weights of outcomes with the same value are added; the total is unchanged, and so is what was
            truncated.

        Examples
        --------
        >>> pf.Double().distribution().map(lambda sector: sector % 2).weights
        (8, 7)
        """
        values = payouts(self.outcomes.tolist(), function, "function")
        if self._terms and values == self.outcomes.tolist():
            return self  # keeps the terms of a sum, by which its moments are exact
        law = Distribution(values, self.weights, truncation_error=self._truncated)
        if self._error:  # the errors of merged outcomes add up
            law.__dict__["_error"] = self._error * (1 + length(self) - length(law))
        return law

    def sum(self, n: int) -> Distribution:
        """Return the distribution of the sum of `n` independent copies.

        The sum is exact while weights are small enough; `probability_error` is then 0.0. Beyond that, it is
        computed by Fourier transforms in doubles, and `probability_error` bounds the error of each
        probability, usually below 1e-13. Exponential tilting keeps small probabilities in the tails accurate,
        except for about their last six digits. Outcomes less likely than 1e-154 aren't listed, nor others if
        there are too many; `truncation_error` bounds their probability. Mean, variance, skewness and kurtosis
        are always exact. Time goes by the number of outcomes: with 13 million, as of 60,000 dice from 0.00 to
        100.00, it takes 17 seconds. Outcomes that are rounded first, by `map`, are fewer.

        Parameters
        ----------
        n : int
            The number of copies, from 1.

        Returns
        -------
        Distribution
            If exact, the total weight is ``total ** n``.

        Raises
        ------
        ValueError
            When the sum would list more than 2**24 equally spaced outcomes.

        Examples
        --------
        >>> balls = pf.Plinko(pins=8).distribution().sum(3)
        >>> balls.total == 2**24, balls.mean(exact=True)
        (True, Fraction(12, 1))
        >>> many = pf.Distribution([0, 1], [1, 1]).sum(10_000)
        >>> many.probability_error < 1e-12, f"{many.sf(6000):.4e}"  # far less than the error in the middle
        (True, '5.7957e-90')
        """
        n = integer("n", n, 1)
        return self if n == 1 else _sum(((n, self),))

    def convolve(self, other: Distribution) -> Distribution:
        """Return the distribution of the sum with an independent value; the same as ``+``. See `sum`.

        Examples
        --------
        >>> coin, die = pf.Distribution([0, 1], [1, 1]), pf.Distribution(range(1, 7), [1] * 6)
        >>> coin.convolve(die).weights
        (1, 2, 2, 2, 2, 2, 1)
        """
        return _sum(((1, self), (1, _law("other", other))))

    def maximum(self, n: int) -> Distribution:
        """Return the distribution of the largest of `n` independent copies.

        Parameters
        ----------
        n : int
            The number of copies, from 1.

        Returns
        -------
        Distribution
            Exact while weights are small enough, with total weight ``total ** n``; beyond that, in doubles,
            with `probability_error` as a bound on the error of each probability.

        Examples
        --------
        >>> pf.Distribution([0, 1], [1, 1]).maximum(3).weights
        (1, 7)
        """
        return self._extreme(integer("n", n, 1), 1)

    def minimum(self, n: int) -> Distribution:
        """Return the distribution of the least of `n` independent copies; see `maximum`.

        This is the law of a round whose salt was chosen among `n` by somebody who prefers small outcomes.

        Examples
        --------
        >>> pf.Distribution([0, 1], [1, 1]).minimum(3).weights
        (7, 1)
        """
        return self._extreme(integer("n", n, 1), -1)

    def given(self, event: Event) -> Distribution:
        """Return the distribution of the outcome, given an event.

        Parameters
        ----------
        event : callable, collection or array-like of bool
            A predicate of an outcome, a collection of outcomes, or a truth value for each outcome in order.

        Returns
        -------
        Distribution
            The event's outcomes with their weights.

        Raises
        ------
        ValueError
            When the event has probability 0.

        Examples
        --------
        >>> die = pf.Distribution(range(1, 7), [1] * 6)
        >>> die.given(lambda x: x > 4).outcomes, die.given({1, 2, 3}).mean()
        (array([5, 6]), 2.0)
        """
        kept = np.flatnonzero(event_mask(self._lookup, event))
        weights = [self.weights[place] for place in kept.tolist()]
        if not any(weights):
            raise BadValue("event", "must have a probability above 0, and none of its outcomes can occur")
        # The normalizer errs by at most the sum of all errors, plus what is truncated.
        by = self.total / sum(weights)
        error = (self._error * (1 + len(kept)) + self._truncated) * by
        return Distribution(
            self.outcomes[kept], weights, probability_error=error, truncation_error=self._truncated * by
        )

    def truncate(self, low: object = None, high: object = None) -> Distribution:
        """Return the distribution of the outcome, given that it is from `low` to `high`; see `given`.

        Both ends are included; by default the range is unbounded. One of probability 0 is a ValueError.

        Examples
        --------
        >>> pf.Distribution(range(1, 7), [1] * 6).truncate(low=5).outcomes
        array([5, 6])
        """
        first, last = self._places(
            self.outcomes[0] if low is None else low, self.outcomes[-1] if high is None else high
        )
        if not any(self.weights[first:last]):
            raise BadValue("low", "to high must have a probability above 0")
        places = np.arange(len(self))
        return self.given((places >= first) & (places < last))

    def _extreme(self, n: int, sign: int) -> Distribution:
        """Return the law of the largest (`sign` 1) or smallest (-1) of `n` copies."""
        if n == 1:
            return self
        if self._is_exact:
            counted = self.cumulative if sign > 0 else [self.total - w for w in self.cumulative[::-1]]
            weights = extreme_weights(counted, n)
            if weights is not None:
                return Distribution(self.outcomes, weights[::sign])
        up_to, above = (self._up_to, self._above) if sign > 0 else (self._above[::-1], self._up_to[::-1])
        shares, error = extreme_probabilities(self.probabilities[::sign], up_to, above, n)
        shares, kept = shares[::sign], np.flatnonzero(shares[::sign])
        # At most n times the error of one copy, and likewise for the cumulative sum.
        error += n * self._error * (1 + length(self))
        lost = math.ulp(0.0) * length(self) + n * self._truncated
        return Distribution._of_doubles(self.outcomes[kept], shares[kept], error, lost)

    # Laws made from other laws

    @classmethod
    def mixture(cls, parts: Iterable[tuple[object, Distribution]]) -> Distribution:
        """Return the distribution of a value that follows one law or another.

        Parameters
        ----------
        parts : iterable of (number, Distribution)
            The mixing weights, in any proportion, and the laws. A float stands for the decimal it is shown
            as.

        Returns
        -------
        Distribution
            The probability of an outcome is the mean of those of the laws.

        Examples
        --------
        >>> fair, loaded = pf.Distribution([0, 1], [1, 1]), pf.Distribution([0, 1], [3, 1])
        >>> pf.Distribution.mixture([(0.9, fair), (0.1, loaded)]).probabilities
        array([0.525, 0.475])
        """
        try:
            listed = [(share, law) for share, law in parts]
        except (TypeError, ValueError):
            raise BadType("parts", "must be pairs of a number and a Distribution") from None
        if not listed:
            raise BadValue("parts", "must not be empty")
        shares = [exactly(unbox(share), "parts") for share, _ in listed]
        laws = [_law("parts", law) for _, law in listed]
        if min(shares) < 0 or not any(shares):
            raise BadValue("parts", "must have numbers from 0 on, and not all 0")
        each = [share / law.total for share, law in zip(shares, laws, strict=True)]
        factors, _ = over_one_denominator(each, "weights")
        weights = [
            factor * weight for factor, law in zip(factors, laws, strict=True) for weight in law.weights
        ]
        outcomes = [outcome for law in laws for outcome in law.outcomes.tolist()]
        # Merge parts with the same law, so that its error counts once.
        followed = [float(share / sum(shares)) for share in shares]
        error = math.fsum(share * law._error for share, law in zip(followed, laws, strict=True))
        lost = math.fsum(share * law._truncated for share, law in zip(followed, laws, strict=True))
        return cls(outcomes, weights, probability_error=error, truncation_error=lost)

    @classmethod
    def from_probabilities(
        cls,
        outcomes: ArrayLike,
        probabilities: ArrayLike,
        *,
        probability_error: float = 0.0,
        truncation_error: float = 0.0,
    ) -> Distribution:
        """Return the distribution with probabilities given as floats.

        Parameters
        ----------
        outcomes : array-like
            Numbers in increasing order.
        probabilities : array-like
            Their probabilities, which must sum to 1 within rounding and the two errors. Zeros are left out.
        probability_error : float
            A bound on the absolute error of each probability.
        truncation_error : float
            A bound on the probability of unlisted outcomes.

        Returns
        -------
        Distribution
            The distribution; its weights are the probabilities scaled to integers.

        Examples
        --------
        >>> pf.Distribution.from_probabilities([0, 1], [0.25, 0.75]).weights
        (1, 3)
        """
        values, shares = outcome_array(outcomes), reals("probabilities", probabilities)
        refuse_other_order("probabilities", probabilities, values)
        if shares.shape != values.shape:
            raise BadValue("probabilities", f"must be {len(values)}, one an outcome, got {shares.shape}")
        error = error_bound("probability_error", probability_error)
        truncated = error_bound("truncation_error", truncation_error)
        if not (values[:-1] < values[1:]).all():
            raise BadValue("outcomes", "must be in increasing order")
        off = 1e-9 + truncated + error * len(shares)
        if not (shares >= 0).all() or not abs(shares.sum() - 1) <= off:
            raise BadValue("probabilities", "must be at least 0, and have a sum of 1")
        kept = np.flatnonzero(shares)
        return cls._of_doubles(values[kept], shares[kept], error, truncated)

    @classmethod
    def from_counts(cls, counts: object) -> Distribution:
        """Return the empirical distribution of counts.

        Parameters
        ----------
        counts : Tally, mapping or pandas Series
            Counts by outcome, such as a game's `tally`, a `collections.Counter` or pandas' `value_counts`.

        Returns
        -------
        Distribution
            The distribution with the counts as weights.

        Examples
        --------
        >>> from collections import Counter
        >>> pf.Distribution.from_counts(Counter([1, 1, 0, 1])).mean()
        0.75
        """
        if isinstance(counts, Tally):
            if counts.binned or counts.counts.ndim != 1:
                raise BadValue("counts", "must be of outcomes and of one row, got a tally of bins or of rows")
            return cls(counts.outcomes, counts.counts)
        listed = getattr(counts, "items", None)
        if not callable(listed):
            raise BadType("counts", f"must be a Tally or a mapping, got {type(counts).__name__}")
        items = list(listed())
        if not items:
            raise BadValue("counts", "must not be empty")
        weights = [integer("counts", count, 0, index=outcome) for outcome, count in items]
        if not any(weights):
            raise BadValue("counts", "must have a sum above 0")
        return cls([outcome for outcome, _ in items], weights)

    # Comparisons

    @classmethod
    def from_table(cls, source: object, *, value: str, weight: str, unit: object = 1) -> Distribution:
        """Return the distribution of a weighted table, such as the lookup table of a slot.

        The table is read batch by batch, and equal values merge: memory is that of the different values. All
        is exact: weights are whole numbers of any size, and values the decimals that are written there.

        Parameters
        ----------
        source : path, file, list of them, Query, mapping, frame, Arrow data, cursor, iterator or Log
            The table, whatever `Log` takes as its source: CSV, Parquet, JSON lines, ..., also as .gz, .zst or
            .bz2. A `Log` says how CSV is written: ``pf.Log("table.csv", csv={"separator": ";"})``.
        value : str
            The column of the values, such as payouts.
        weight : str
            The column of their weights, whole numbers from 0 on. Rows of one value add up.
        unit : number or str
            Value of 1 in the column of values: ``"0.01"`` for a table in hundredths. A whole number above 1
            is the number of units in 1: 100.

        Returns
        -------
        Distribution
            ``pf.bets.Bet(law)`` is the bet on it: its return, ruin, intervals and monitors.

        Raises
        ------
        LogError
            (a ValueError) If the table can't be read, or a row has no value, or no weight that is a whole
            number from 0 on: ``error.row`` is its number from 0, without the header, ``error.argument`` is
            "value" or "weight".

        See Also
        --------
        difference : What differs between two tables.

        Examples
        --------
        >>> table = {"id": [1, 2, 3, 4], "weight": [70, 20, 6, 4], "payout": [0, 150, 500, 500]}
        >>> law = pf.Distribution.from_table(table, value="payout", weight="weight", unit="0.01")
        >>> law.outcomes.tolist(), law.weights
        ([0.0, 1.5, 5.0], (70, 20, 10))
        >>> pf.bets.Bet(law).exact_rtp
        Fraction(4, 5)
        """
        from .tables import weights_in

        weights = weights_in(source, value, weight, unit)
        return cls(list(weights), weights.values())

    @overload
    def total_variation(self, other: Distribution, exact: Literal[False] = ...) -> float: ...
    @overload
    def total_variation(self, other: Distribution, exact: Literal[True]) -> Fraction: ...
    @overload
    def total_variation(self, other: Distribution, exact: bool) -> float | Fraction: ...
    def total_variation(self, other: Distribution, exact: bool = False) -> float | Fraction:
        """Return the total variation distance to another distribution: half the sum of differences.

        Parameters
        ----------
        other : Distribution
            The other distribution.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            0 for equal probabilities, 1 for distributions without a common outcome. A warning says if the
            outcomes seem to be in different units, such as 28.61 and 2861.

        Raises
        ------
        ValueError
            When `exact` is true and the probabilities of one aren't exact.

        Examples
        --------
        >>> double = pf.Double()
        >>> double.distribution("ideal").total_variation(double.distribution("as_drawn")) < 1e-15
        True
        """
        other = _law("other", other)
        listed = [law.outcomes.tolist() for law in (self, other)]
        if object in (self.outcomes.dtype, other.outcomes.dtype):  # dictionaries don't find one tenth by 0.1
            listed = [[x if (own := comparable(x)) is None else own for x in values] for values in listed]
        weights = self.weights, other.weights
        mine, theirs = (dict(zip(*each, strict=True)) for each in zip(listed, weights, strict=True))
        scale = math.gcd(self.total, other.total)
        by, of = other.total // scale, self.total // scale
        apart = sum(abs(mine.get(x, 0) * by - theirs.get(x, 0) * of) for x in mine.keys() | theirs.keys())
        distance = Fraction(apart, 2 * self.total * by)
        if distance > ALIKE and (said := units_apart(self, other)):
            warnings.warn(said, stacklevel=2)
        half: float | Fraction = (self if other._is_exact else other)._as_asked("distance", distance, exact)
        return half

    @overload
    def bias(self, exact: Literal[False] = ...) -> float: ...
    @overload
    def bias(self, exact: Literal[True]) -> Fraction: ...
    @overload
    def bias(self, exact: bool) -> float | Fraction: ...
    def bias(self, exact: bool = False) -> float | Fraction:
        """Return the bias of a game's draws: the distance of its law as drawn from the ideal one.

        The law comes from `distribution` of a game, and may be either of the two. No event's probabilities
        differ by more than this total variation distance.

        Parameters
        ----------
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            0 where draws have no bias.

        Raises
        ------
        ValueError
            When the law isn't that of a game, or the other one can't be listed.

        Examples
        --------
        >>> 0 < pf.Double().distribution().bias() < 1e-15
        True
        >>> pf.operators.stake.Roulette().distribution().bias(exact=True)
        Fraction(105, 79456894976)
        """
        if self._origin is None:
            raise BadValue(
                "law",
                "must be that of a game to have a bias, as its method distribution returns it: laws that are "
                "made of others have none",
            )
        return self.total_variation(self._origin.other(), exact)

    def difference(self, other: Distribution) -> LawDifference:
        """Return what differs in another distribution of numbers: which outcomes, and how much of the mean.

        Parameters
        ----------
        other : Distribution
            The other distribution.

        Returns
        -------
        LawDifference
            A row for each outcome whose probability differs, those that change the mean most first.

        Examples
        --------
        >>> asked = pf.Distribution([0, 1.5, 5], [70, 20, 10])
        >>> made = pf.Distribution([0, 1.5, 5], [72, 20, 8])
        >>> print(asked.difference(made))
        2 outcomes differ; the mean is 0.7 instead of 0.8 (-0.100000)
        outcome  probability  in the other  part of the mean
              5          0.1          0.08         -0.100000
              0          0.7          0.72         +0.000000
        """
        return law_difference(self, _law("other", other))

    def chisquare(
        self, observed: Tally | Mapping[object, int] | object = None, *, counts: object = None
    ) -> ChiSquare:
        """Test whether outcomes, or their counts, fit this law, by Pearson's chi-square (needs scipy).

        Neighboring outcomes are merged, from the least, into cells with an expected count of at least 5; any
        remainder joins the last cell. An observed outcome of probability 0 makes the statistic infinite and
        the p-value 0.

        Parameters
        ----------
        observed : Tally, mapping, or array-like
            A tally of these outcomes, or one with bins that cover them all; counts by outcome; counts in the
            order of `outcomes`, as many; or a numpy array, of any other length or with decimals, of outcomes
            themselves, all of them the law's. An array of this length that could be either is refused.
        counts : array-like of int
            Instead of `observed`: counts in the order of `outcomes`.

        Returns
        -------
        ChiSquare
            ``.statistic``, ``.pvalue``, ``.dof`` (cells - 1), ``.cells``.

        Raises
        ------
        ValueError
            When counts don't match the outcomes' shape, are negative or all 0, or can't be told from
            outcomes.

        Examples
        --------
        >>> result = pf.Double().distribution().chisquare(pf.Double().tally(100_000))
        >>> result.dof, result.pvalue > 0.001
        (14, True)
        >>> pf.Double().distribution().chisquare(pf.Double().simulate(100_000)) == result
        True
        >>> pf.Dice().distribution(under=0).chisquare([95, 5]).pvalue  # no number is below 0
        0.0
        """
        data = _either(observed, counts)
        if isinstance(data, Tally) and data.binned:
            weights = self._of_bins(data)
            impossible = sum(c for c, w in zip(data.counts.tolist(), weights, strict=True) if not w)
            return pearson(data.counts, floats(weights, self.total), impossible)
        seen, impossible = self._counted(observed, counts)
        return pearson(seen, self.probabilities, impossible)

    def ks(
        self, observed: Tally | Mapping[object, int] | object = None, *, counts: object = None
    ) -> KolmogorovSmirnov:
        """Test whether outcomes, or their counts, fit this law, by Kolmogorov and Smirnov.

        The p-value is the one for this law, whatever its lumps, and this number of outcomes: exact up to
        rounding, about 1e-12; below 1e-10 it is a bound. An observed outcome of probability 0 makes it 0.
        Tests that are made for laws without lumps, such as ``scipy.stats.kstest``, reject fair outcomes.

        This test is best at shifts of outcomes up or down, `chisquare` at single outcomes that are off.

        Parameters
        ----------
        observed : Tally, mapping, or array-like
            As for `chisquare`, but no bins. The order of outcomes matters: they should be numbers.
        counts : array-like of int
            See `chisquare`.

        Returns
        -------
        KolmogorovSmirnov
            ``.statistic``, ``.pvalue``, and ``.location`` and ``.sign`` of the largest difference.

        Raises
        ------
        ValueError
            As for `chisquare`.

        Notes
        -----
        A convolution is made for each outcome. With 10,000 outcomes, 100,000 rounds take a second and
        1,000,000 rounds four; with twenty outcomes, any number of rounds takes less than a second.

        Examples
        --------
        >>> law = pf.Plinko().distribution()
        >>> law.ks(pf.Plinko().tally(100_000)).pvalue > 0.001
        True
        >>> biased = pf.Distribution([0, 1], [1, 1]).ks({0: 430, 1: 570})
        >>> biased.statistic, round(biased.pvalue, 8)
        (0.07, 1.071e-05)
        """
        seen, impossible = self._counted(observed, counts)
        error = 0.0 if self._is_exact else self._error * length(self) + self._truncated
        return kolmogorov(self.outcomes, seen, self.cumulative, error, impossible)

    def _counted(self, observed: object, counts: object) -> tuple[np.ndarray, int]:
        """Return counts in the order of the outcomes, and the number of values that aren't outcomes."""
        data = _either(observed, counts)
        if isinstance(data, Tally) and isinstance(self.outcomes[0], tuple) and data.outcomes.dtype != object:
            problem = "must be of whole outcomes, such as {}: a tally counts each value, give simulate(...)"
            raise BadValue("observed" if counts is None else "counts", problem.format(self.outcomes[0]))
        seen, outside = in_order(data, self._lookup, are_counts=observed is None)
        impossible = sum(outside.values())
        if self._is_exact:
            never = (count for count, weight in zip(seen.tolist(), self.weights, strict=True) if not weight)
            return seen, impossible + sum(never)
        # A zero weight may have been rounded down, and truncated outcomes belong to the ends.
        least, most = self._support
        for value, count in outside.items():
            number = comparable(value)
            if number is not None and least <= number <= most:
                seen[self._lookup.nearest(number)] += count
                impossible -= count
        return seen, impossible

    def _of_bins(self, counts: Tally) -> list[int]:
        """Return the weight of each bin of a tally; the first bin includes everything below it."""
        largest = self._largest()
        if not isinstance(largest, (int, np.integer)):
            raise BadValue("counts", "must be of outcomes: a tally of bins is for laws of integers")
        if int(counts.counts.sum()) != counts.rounds:
            raise BadValue("counts", "must be of bins that cover all outcomes")
        edges = counts.outcomes.tolist()
        ends = [edge - 1 for edge in edges[1:]] + [largest]
        weights = [max(self._weight(e, min(end, largest)), 0) for e, end in zip(edges, ends, strict=True)]
        weights[0] += self.total - sum(weights)
        return weights

    # Conversions

    def to_dict(self) -> JsonDict:
        """Return the law as JSON types, for `from_dict`; integers that a double can't represent are text."""
        form: dict[str, Any] = {"outcomes": [to_json(value) for value in self.outcomes.tolist()]}
        if self._doubles is None:
            form["weights"] = [to_json(weight) for weight in self.weights]
            errors = {"probability_error": self._error, "truncation_error": self._truncated}
            return form | {name: error for name, error in errors.items() if error}
        form |= {"probabilities": self.probabilities.tolist(), "probability_error": self._error}
        form["truncation_error"] = self._truncated
        return form | {"sum_of": [[copies, law.to_dict()] for copies, law in self._terms]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Distribution:
        """Return the law from the result of `to_dict`, also after JSON.

        Examples
        --------
        >>> import json
        >>> law = pf.Crash().distribution("as_drawn")
        >>> pf.Distribution.from_dict(json.loads(json.dumps(law.to_dict()))) == law
        True
        """
        check_type("data", data, Mapping, "a mapping")
        fields = ["outcomes", "weights"] if "weights" in data else ["outcomes", "probabilities", "sum_of"]
        errors = ("probability_error", "truncation_error")
        if set(data) - {*errors} != {*fields}:
            raise BadValue(
                "data", f"must have {', '.join(fields)} (maybe {' and '.join(errors)}), got {[*data]}"
            )
        outcomes = [from_json(value, "data") for value in data["outcomes"]]
        error, lost = (error_bound(name, data.get(name, 0.0)) for name in errors)
        if "weights" in data:
            weights = [from_json(weight, "data") for weight in data["weights"]]
            return cls(outcomes, weights, probability_error=error, truncation_error=lost)
        terms = tuple((integer("data", n, 1), cls.from_dict(law)) for n, law in data["sum_of"])
        shares = np.array(data["probabilities"], dtype=np.float64)
        return cls._of_doubles(outcomes, shares, error, lost, terms)

    def to_scipy(self) -> Any:
        """Return a frozen `scipy.stats.rv_discrete` with the same probabilities, as floats (needs scipy)."""
        return to_scipy(self.outcomes, self.probabilities)

    def plot(
        self,
        counts: Tally | Mapping[object, int] | object = None,
        *,
        confidence: float = 0.95,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the probabilities, optionally with simulated frequencies (needs matplotlib).

        Up to 200 outcomes are drawn one by one; for more, the survival function is drawn.

        Parameters
        ----------
        counts : Tally, mapping, or array-like of int, optional
            Counts, see `chisquare`, drawn as frequencies. Each lies in its band with probability
            `confidence`.
        confidence : float
            Above 0, below 1.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.

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
        >>> plinko = pf.Plinko()
        >>> plinko.distribution().plot(plinko.tally(1000)).get_ylabel()
        'probability'
        """
        from .picture import draw_law

        observed, rounds = (None, 0) if counts is None else self._observed(counts)
        return draw_law(self, observed, rounds, confidence, ax)

    def plot_residuals(
        self, counts: Tally | Mapping[object, int] | object, *, ax: Axes | None = None
    ) -> Axes:
        """Draw how far each count is off, in standard errors; see `plot`.

        Fair counts lie within 2 standard errors 95 % of the time, and beyond 3 once in 370; the band is from
        -3 to 3. Outcomes expected less than 5 times are left out, since their counts aren't normal.

        Examples
        --------
        >>> pf.Plinko().distribution().plot_residuals(pf.Plinko().tally(1000)).get_ylabel()
        'standard errors from the law'
        """
        from .picture import draw_residuals

        return draw_residuals(self, *self._observed(counts), ax)

    def plot_survival(self, outcomes: ArrayLike | Tally | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the probability of at least x on logarithmic axes, as for multipliers; see `plot`.

        The shares of simulated `outcomes`, an array of them or a `Tally`, all above 0, are drawn beside it.

        Examples
        --------
        >>> pf.Crash().distribution().plot_survival(pf.Crash().simulate(1000)).get_xscale()
        'log'
        """
        from .picture import draw_survival

        return draw_survival(self, outcomes, ax)

    def _observed(self, counts: object) -> tuple[np.ndarray, int]:
        """Return counts in the order of the outcomes, and how many rounds they are of."""
        observed, outside = in_order(counts, self._lookup)
        return observed, int(observed.sum()) + sum(outside.values())


def _sum(terms: tuple[tuple[int, Distribution], ...]) -> Distribution:
    """Return the law of a sum of independent copies of laws."""
    lost = math.fsum(n * law.truncation_error for n, law in terms)
    # Flatten: replace a sum by the terms it was made of.
    terms = tuple((n * m, one) for n, law in terms for m, one in (law._terms or ((1, law),)))
    added = independent_sum([_term(n, law) for n, law in terms])
    if added.weights is not None:
        return Distribution(added.outcomes, added.weights, truncation_error=lost)
    lost += added.cut
    return Distribution._of_doubles(added.outcomes, added.probabilities, added.error, lost, terms)


def _term(n: int, law: Distribution) -> Term:
    weights = law.weights if law._doubles is None else ()
    return Term(n, law.outcomes, weights, law.probabilities, law.probability_error)


def _either(observed: object, counts: object) -> object:
    if (observed is None) == (counts is None):
        raise BadType("observed", "or counts must be given, one of them")
    return counts if observed is None else observed


def _law(name: str, law: object) -> Distribution:
    if not isinstance(law, Distribution):
        raise BadType(name, f"must be a Distribution, got {type(law).__name__}")
    return law
