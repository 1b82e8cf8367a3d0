"""Moments of a law, and expected payouts."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, Literal, overload

import numpy as np

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.numbers import exactly, over_one_denominator

from .joined import root
from .payouts import Payout, payouts
from .weighted import WeightedOutcomes


class Moments(WeightedOutcomes):
    """A law with moments, exact if its weights or the terms that it is a sum of are."""

    # If a law in doubles is a sum, its terms (copies, law): cumulants add up, so its moments stay exact.
    _terms: tuple[tuple[int, Moments], ...]

    # `exact` is an argument, not a view of the law (`law.exact.mean()`): a view would be a second class
    # with the same methods and the same documentation. Overloads cost three lines a method instead.

    @overload
    def mean(self, exact: Literal[False] = ...) -> float: ...
    @overload
    def mean(self, exact: Literal[True]) -> Fraction: ...
    @overload
    def mean(self, exact: bool) -> float | Fraction: ...
    def mean(self, exact: bool = False) -> float | Fraction:
        """Return the mean.

        Parameters
        ----------
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            The mean of the outcomes; exact for a `sum`, too.

        Raises
        ------
        ValueError
            When `exact` is true and the probabilities aren't exact.

        Examples
        --------
        >>> die = pf.Distribution(range(1, 7), [1] * 6)
        >>> die.mean(), die.mean(exact=True)
        (3.5, Fraction(7, 2))
        """
        return self._as_asked("mean", self._moments[0], exact, self._has_exact_moments)

    @overload
    def var(self, exact: Literal[False] = ...) -> float: ...
    @overload
    def var(self, exact: Literal[True]) -> Fraction: ...
    @overload
    def var(self, exact: bool) -> float | Fraction: ...
    def var(self, exact: bool = False) -> float | Fraction:
        """Return the variance; see `mean`.

        Examples
        --------
        >>> die = pf.Distribution(range(1, 7), [1] * 6)
        >>> die.var(exact=True)
        Fraction(35, 12)
        >>> die.var() == 35 / 12
        True
        """
        return self._as_asked("variance", self._moments[1], exact, self._has_exact_moments)

    @overload
    def std(self, exact: Literal[False] = ...) -> float: ...
    @overload
    def std(self, exact: Literal[True]) -> Fraction: ...
    @overload
    def std(self, exact: bool) -> float | Fraction: ...
    def std(self, exact: bool = False) -> float | Fraction:
        """Return the standard deviation; see `mean`. An irrational one isn't `exact`, which is a ValueError.

        Examples
        --------
        >>> pf.Distribution([0, 10], [1, 1]).std()
        5.0
        """
        if not exact:
            return math.sqrt(self.var())
        return self._as_asked("standard deviation", self._root("std"), exact, self._has_exact_moments)

    @overload
    def skew(self, exact: Literal[False] = ...) -> float: ...
    @overload
    def skew(self, exact: Literal[True]) -> Fraction: ...
    @overload
    def skew(self, exact: bool) -> float | Fraction: ...
    def skew(self, exact: bool = False) -> float | Fraction:
        """Return the skewness: the third central moment in units of the standard deviation; see `mean`.

        It is nan for a single outcome. An irrational one isn't `exact`, which is a ValueError.

        Examples
        --------
        >>> pf.Distribution([0, 1], [4, 1]).skew(), pf.Distribution([0, 1], [4, 1]).skew(exact=True)
        (1.5, Fraction(3, 2))
        """
        variance, third = self._moments[1], self._third_and_fourth[0]
        if not exact:
            return math.copysign(math.sqrt(third**2 / variance**3), third) if variance else math.nan
        if third or not variance:
            third = third / self._spread("skew") / self._root("skew")
        return self._as_asked("skewness", third, exact, self._has_exact_moments)

    @overload
    def kurtosis(self, exact: Literal[False] = ...) -> float: ...
    @overload
    def kurtosis(self, exact: Literal[True]) -> Fraction: ...
    @overload
    def kurtosis(self, exact: bool) -> float | Fraction: ...
    def kurtosis(self, exact: bool = False) -> float | Fraction:
        """Return the excess kurtosis: the fourth central moment in units of the squared variance, less 3.

        It is 0 for a normal law, and nan for a single outcome. See `mean`.

        Examples
        --------
        >>> pf.Distribution([0, 1], [1, 1]).kurtosis()
        -2.0
        """
        variance, fourth = self._moments[1], self._third_and_fourth[1]
        if not exact:
            return float(fourth / variance**2) if variance else math.nan
        standardized = fourth / self._spread("kurtosis") ** 2
        return self._as_asked("kurtosis", standardized, exact, self._has_exact_moments)

    def entropy(self, base: float | None = None) -> float:
        """Return the entropy, the average information of an outcome.

        Parameters
        ----------
        base : float, optional
            2 for bits; e by default, as in scipy.

        Returns
        -------
        float
            0 for a single outcome.

        Examples
        --------
        >>> pf.Distribution([0, 1, 2], [1, 2, 1]).entropy(base=2)
        1.5
        """
        if base is not None and (not isinstance(base, Real | np.number) or isinstance(base, bool)):
            raise BadType("base", f"must be a number, got {type(base).__name__}")
        if base is not None and not (0 < base < math.inf and base != 1):
            raise BadValue("base", f"must be above 0 and not 1, got {base}")
        shares = self.probabilities[self.probabilities > 0]
        nats = abs(math.fsum(shares * np.log(shares)))
        return nats if base is None else nats / math.log(base)

    @overload
    def expect(self, payout: Payout | None = ..., *, exact: Literal[False] = ...) -> float: ...
    @overload
    def expect(self, payout: Payout | None = ..., *, exact: Literal[True]) -> Fraction: ...
    @overload
    def expect(self, payout: Payout | None = ..., *, exact: bool) -> float | Fraction: ...
    def expect(self, payout: Payout | None = None, *, exact: bool = False) -> float | Fraction:
        """Return the expected value of a function of the outcome.

        Parameters
        ----------
        payout : callable, mapping, or sequence, optional
            A function of an outcome; a table by outcome (0 for others); or a value for each outcome in order.
            The outcome itself by default. A float stands for the decimal it is shown as.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            The expected value.

        Raises
        ------
        ValueError
            When `exact` is true and the probabilities aren't exact.

        Examples
        --------
        >>> pf.Double().distribution().expect({0: 14}, exact=True)
        Fraction(14, 15)
        """
        return self._expected(payout, Fraction(1), exact)

    def _expected(self, payout: Payout | None, stake: Fraction, exact: bool) -> float | Fraction:
        """Return the expected payout of a stake."""
        if payout is None:
            known = self._has_exact_moments
            return self._as_asked("expected value", self._moments[0] / stake, exact, known)
        numerators, denominator = over_one_denominator(payouts(self.outcomes.tolist(), payout), "payout")
        expected = Fraction(
            sum(w * v for w, v in zip(self.weights, numerators, strict=True)), self.total * denominator
        )
        return self._as_asked("expected value", expected / stake, exact)

    @overload
    def rtp(
        self, payout: Payout | None = ..., *, stake: object = ..., exact: Literal[False] = ...
    ) -> float: ...
    @overload
    def rtp(self, payout: Payout | None = ..., *, stake: object = ..., exact: Literal[True]) -> Fraction: ...
    @overload
    def rtp(self, payout: Payout | None = ..., *, stake: object = ..., exact: bool) -> float | Fraction: ...
    def rtp(
        self, payout: Payout | None = None, *, stake: object = 1, exact: bool = False
    ) -> float | Fraction:
        """Return the return to player: the expected payout for each unit staked; see `expect`.

        The `payout` of a `stake` includes it; a return of 1 is a fair bet.

        Examples
        --------
        >>> pf.Dice().distribution().rtp(lambda number: 1.98 if number < 50 else 0, exact=True)
        Fraction(9900, 10001)
        """
        staked = exactly(stake, "stake")
        if staked <= 0:
            raise BadValue("stake", f"must be above 0, got {stake}")
        return self._expected(payout, staked, exact)

    @property
    def _has_exact_moments(self) -> bool:
        """Whether the moments are exact, as its probabilities or those of its terms are."""
        if self._terms:
            return all(law._has_exact_moments for _, law in self._terms)
        return self._is_exact

    # Cached values

    @cached_property
    def _moments(self) -> tuple[Fraction, Fraction]:
        """The mean and the variance."""
        if self._terms:
            return self._add_up(lambda law: law._moments)
        values, denominator = over_one_denominator(self.outcomes.tolist())
        first = sum(w * v for w, v in zip(self.weights, values, strict=True))
        second = sum(w * v * v for w, v in zip(self.weights, values, strict=True))
        mean = Fraction(first, self.total * denominator)
        return mean, Fraction(second, self.total * denominator**2) - mean**2

    @cached_property
    def _third_and_fourth(self) -> tuple[Fraction, Fraction]:
        """The third and fourth cumulants, which add up over terms like mean and variance."""
        if self._terms:
            return self._add_up(lambda law: law._third_and_fourth)
        values, denominator = over_one_denominator(self.outcomes.tolist())
        mean = self._moments[0] * denominator
        # In units that make the mean an integer.
        unit, center = mean.denominator, mean.numerator
        third = fourth = 0
        for weight, value in zip(self.weights, values, strict=True):
            apart = value * unit - center
            cubed = weight * apart * apart * apart
            third += cubed
            fourth += cubed * apart
        scale = denominator * unit
        return (
            Fraction(third, self.total * scale**3),
            Fraction(fourth, self.total * scale**4) - 3 * self._moments[1] ** 2,
        )

    def _add_up(self, of: Callable[[Moments], tuple[Any, Any]]) -> tuple[Any, Any]:
        """Return the sums of two cumulants, or ends, over the terms of this law."""
        each = [(copies, of(law)) for copies, law in self._terms]
        first, second = (sum((copies * pair[i] for copies, pair in each), Fraction(0)) for i in (0, 1))
        return first, second

    def _spread(self, name: str) -> Fraction:
        """Return the variance, refusing 0, for use as a divisor."""
        if not self._moments[1]:
            raise BadValue(name, "needs two outcomes, this law has one")
        return self._moments[1]

    def _root(self, name: str) -> Fraction:
        """Return the standard deviation as a Fraction."""
        deviation = root(self._moments[1])
        if deviation is None:
            raise BadValue(name, "is no fraction here, so exact must be False (var(exact=True) is one)")
        return deviation

    @property
    def _support(self) -> tuple[Any, Any]:
        """The smallest and largest possible outcome, listed or truncated."""
        if not self._terms:
            if self._truncated:
                return -math.inf, math.inf
            return exactly(self.outcomes[0], "outcomes"), exactly(self.outcomes[-1], "outcomes")
        return self._add_up(lambda law: law._support)


def mean_of(law: Moments) -> Fraction:
    """Return the mean as a Fraction, of floating-point probabilities if the exact ones aren't known."""
    return law._moments[0]


def has_exact_mean(law: Moments) -> bool:
    """Return whether a law's mean is known exactly."""
    return law._has_exact_moments
