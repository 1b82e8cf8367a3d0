"""Exact probability distributions: outcomes with integer weights.

Weights are Python integers and stay exact; floats appear only in what is returned to the user.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np

from provably_fair._core.arguments import integer
from provably_fair._core.optional import optional

from .cells import merged_cells
from .tally import Tally

__all__ = ["ChiSquare", "Distribution"]

Payout = Mapping[Any, Any] | Callable[[Any], Any] | Sequence[Any] | np.ndarray
"""What each outcome pays: a function, a table by outcome (nothing where it has none), or a row of values
in the order of the outcomes."""

# Sums of copies are exact while the integer that holds all their weights has no more bits than this.
_MOST_BITS = 1 << 22
# The most outcomes of a sum that is worked out by FFT.
_MOST_FFT = 1 << 24
# The total weight of a sum that was worked out in floats.
_FFT_TOTAL = 1 << 60


class ChiSquare(NamedTuple):
    """The result of a chi-square test: `statistic`, `pvalue`, and `dof`, the degrees of freedom.

    `cells` is the number of cells that were compared, after merging.
    """

    statistic: float
    pvalue: float
    dof: int
    cells: int


def exactly(value: Any, name: str = "values") -> Fraction:
    """Return a number as a fraction; a float stands for the decimal that it is shown as (0.1 is 1/10)."""
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{name} must be finite, got {value}")
        return Fraction(repr(float(value)))
    if isinstance(value, (np.integer, np.bool_)):
        return Fraction(int(value))
    if isinstance(value, (int, Fraction, Decimal)):
        return Fraction(value)
    raise TypeError(f"{name} must be numbers, got {type(value).__name__}")


def comparable(value: Any) -> Fraction | float | None:
    """Return a number as a fraction, or as an infinite float; None for anything else, NaN among it."""
    try:
        return exactly(value)
    except TypeError:
        return None
    except (ValueError, OverflowError):
        number = math.nan if isinstance(value, Decimal) and value.is_nan() else float(value)
        return None if math.isnan(number) else number


class Distribution:
    """An exact distribution: outcomes, and for each an integer weight.

    The probability of an outcome is its weight divided by `total`. Distributions are immutable,
    hashable values; two are equal where outcomes and weights are. Outcomes that are floats stand for
    the decimals that they are shown as: 0.1 is one tenth in every exact result.

    Parameters
    ----------
    outcomes : array-like
        The outcomes, shape (N,): numbers, or any objects that can be sorted. They are put in increasing
        order, and the weights of equal ones are added.
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

    __slots__ = ("_cache", "_error", "_outcomes", "_total", "_weights")

    _outcomes: np.ndarray
    _weights: tuple[int, ...]
    _total: int
    _error: float
    _cache: dict[str, Any]

    def __init__(self, outcomes: Any, weights: Iterable[Any], *, error: float = 0.0) -> None:
        values = _outcome_array(outcomes)
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
            values, exact = _merge(values, exact)
        total = sum(exact)
        if total == 0:
            raise ValueError("weights must not all be 0")
        if not isinstance(error, (int, float, np.number)):
            raise TypeError(f"error must be a number, got {type(error).__name__}")
        if not 0 <= error < math.inf:
            raise ValueError(f"error must be at least 0 and finite, got {error}")
        self._set(values, tuple(exact), total, float(error))

    def _set(self, outcomes: np.ndarray, weights: tuple[int, ...], total: int, error: float) -> None:
        outcomes.flags.writeable = False
        fields = {"_outcomes": outcomes, "_weights": weights, "_total": total, "_error": error, "_cache": {}}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Distribution can't be changed: {name} can't be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Distribution can't be changed: {name} can't be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.outcomes, self.weights, self._error)

    @property
    def outcomes(self) -> np.ndarray:
        """The outcomes in increasing order, shape (N,), read-only."""
        return self._outcomes

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each outcome, N Python integers."""
        return self._weights

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return self._total

    @property
    def error(self) -> float:
        """A bound on the absolute error of each probability: 0.0 where they are exact."""
        return self._error

    def __len__(self) -> int:
        return len(self.outcomes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self.weights == other.weights and np.array_equal(self.outcomes, other.outcomes)

    def __hash__(self) -> int:
        return hash((self.weights, tuple(self.outcomes.tolist())))

    def __repr__(self) -> str:
        first, last = self.outcomes[0], self.outcomes[-1]
        total = self.total if self.total < 10**15 else f"about 2**{self.total.bit_length() - 1}"
        return f"<Distribution of {len(self)} outcomes from {first} to {last}, total weight {total}>"

    # Probabilities

    def pmf(self, x: Any) -> Any:
        """Return the probability of an outcome; 0 for what isn't one.

        Parameters
        ----------
        x : scalar or array-like
            Values to look at.

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
        if self.outcomes.dtype == object:
            asked = self._objects(x)
            places = [self._place(value) for value in asked.ravel().tolist()]
        else:
            asked = np.asarray(x)
            if asked.dtype.kind in "biuf":
                place = np.searchsorted(self.outcomes, asked)
                inside = np.minimum(place, len(self) - 1)
                return np.where(self.outcomes[inside] == asked, self._pmf()[inside], 0.0)[()]
            places = [self._place_of_number(value) for value in asked.ravel().tolist()]
        # The place of what is no outcome is the last, a zero.
        found = np.append(self._pmf(), 0.0)[np.array(places, dtype=np.intp)]
        return found.reshape(asked.shape)[()]

    def cdf(self, x: Any) -> Any:
        """Return the probability of an outcome of at most `x`.

        Parameters
        ----------
        x : scalar or array-like
            Values to look at.

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
        return self._cdf()[self._below(x, "x", or_equal=True)][()]

    def sf(self, x: Any) -> Any:
        """Return the probability of an outcome above `x`: 1 - cdf, without loss where that is small.

        Parameters
        ----------
        x : scalar or array-like
            Values to look at.

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
        return self._sf()[self._below(x, "x", or_equal=True)][()]

    def quantile(self, q: Any) -> Any:
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
        array = np.asarray(q)
        sums = self._sums()
        places = []
        for item in array.ravel().tolist():
            share = exactly(item, "q")
            if not 0 <= share <= 1:
                raise ValueError(f"q must be from 0 to 1, got {item}")
            # At least 1, so that the quantile of 0 is an outcome that can occur.
            needed = max(1, math.ceil(share * self.total))
            places.append(bisect.bisect_left(sums, needed) - 1)
        found = self.outcomes[np.array(places, dtype=np.intp)]
        return found.reshape(array.shape) if array.ndim else found[0]

    def share(self, first: Any, last: Any) -> Fraction:
        """Return the exact probability of an outcome from `first` to `last`, both included.

        Parameters
        ----------
        first, last : number, or what the outcomes are
            The least and the largest outcome of the range.

        Returns
        -------
        fractions.Fraction
            0 where the range is empty.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Dice().distribution().share(0, 49.99)
        Fraction(5000, 10001)
        """
        low = self._below(first, "first", or_equal=False)
        high = self._below(last, "last", or_equal=True)
        for name, place in (("first", low), ("last", high)):
            if place.ndim:
                raise TypeError(f"{name} must be one value, got an array of the shape {place.shape}")
        sums = self._sums()
        return Fraction(max(sums[int(high)] - sums[int(low)], 0), self.total)

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
            The mean of the outcomes.

        Examples
        --------
        >>> import provably_fair as pf
        >>> die = pf.Distribution(range(1, 7), [1] * 6)
        >>> die.mean(), die.mean(exact=True)
        (3.5, Fraction(7, 2))
        """
        mean = self._moments()[0]
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
            The variance of the outcomes.

        Examples
        --------
        >>> import provably_fair as pf
        >>> die = pf.Distribution(range(1, 7), [1] * 6)
        >>> die.var(exact=True)
        Fraction(35, 12)
        >>> die.var() == 35 / 12
        True
        """
        variance = self._moments()[1]
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

    def expect(self, payout: Payout | None = None, *, exact: bool = True) -> Any:
        """Return the expected value of a function of the outcome, exactly.

        Parameters
        ----------
        payout : callable, mapping, or sequence, optional
            A function of an outcome; a table by outcome (0 where it has none); or a value for each
            outcome in their order. The outcome itself by default.
        exact : bool
            Whether to return a Fraction rather than the nearest float. A float that `payout` gives
            stands for the decimal that it is shown as.

        Returns
        -------
        fractions.Fraction or float
            The expected value.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().distribution().expect({0: 14})
        Fraction(14, 15)
        """
        if payout is None:
            return self.mean(exact=exact)
        numerators, denominator = _common(self._payouts(payout), "payout")
        expected = Fraction(
            sum(w * v for w, v in zip(self.weights, numerators, strict=True)), self.total * denominator
        )
        return expected if exact else float(expected)

    def rtp(self, payout: Payout | None = None, *, bet: Any = 1, exact: bool = True) -> Any:
        """Return the return to player: the expected payout for each unit that is bet.

        Parameters
        ----------
        payout : callable, mapping, or sequence, optional
            What an outcome pays, the stake included; as of `expect`.
        bet : number
            The stake that `payout` is for.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        fractions.Fraction or float
            The return to player; 1 is a fair bet.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Dice().distribution().rtp(lambda number: 1.98 if number < 50 else 0)
        Fraction(9900, 10001)
        """
        stake = exactly(bet, "bet")
        if stake <= 0:
            raise ValueError(f"bet must be above 0, got {bet}")
        rtp = self.expect(payout) / stake
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
        return Distribution(self._payouts(function, "function"), self.weights, error=self._error)

    def sum(self, n: int) -> Distribution:
        """Return the distribution of the sum of `n` independent copies.

        Exact while the weights are small enough; `error` is then 0.0. Beyond that it is worked out by
        FFT convolution (needs scipy), with `error` a bound on the absolute error of each probability,
        typically below 1e-13; probabilities smaller than that are not to be relied on.

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
        numerators, denominator = _common([exactly(value) for value in self.outcomes.tolist()])
        first = numerators[0]
        step = math.gcd(*(value - first for value in numerators)) or 1
        places = [(value - first) // step for value in numerators]
        size = places[-1] * n + 1
        slot = (self.total**n).bit_length() if n * self.total.bit_length() < _MOST_BITS else _MOST_BITS
        if self._error == 0.0 and size * slot <= _MOST_BITS:
            weights, error = self._exact_sum(n, places, size, slot), 0.0
        elif size <= _MOST_FFT:
            weights, error = self._fft_sum(n, places, size)
        else:
            raise ValueError(f"n must leave at most {_MOST_FFT} outcomes of the sum, {n} would make {size}")
        kept = [place for place, weight in enumerate(weights) if weight]
        sums = np.array([first * n + step * place for place in kept], dtype=np.int64)
        kind = self.outcomes.dtype.kind
        if denominator == 1 and kind == "f":
            outcomes: Any = sums.astype(np.float64)
        elif denominator == 1:
            outcomes = sums
        elif kind == "f":
            outcomes = sums / denominator
        else:
            outcomes = [Fraction(value, denominator) for value in sums.tolist()]
        return Distribution(outcomes, [weights[place] for place in kept], error=error)

    def _exact_sum(self, n: int, places: list[int], size: int, slot: int) -> list[int]:
        """Raise the polynomial of the weights to a power, as one integer with a slot for each place."""
        width = -(-slot // 8)
        digits = bytearray(width * (places[-1] + 1))
        for place, weight in zip(places, self.weights, strict=True):
            digits[place * width : (place + 1) * width] = weight.to_bytes(width, "little")
        power = int.from_bytes(digits, "little") ** n
        digits = bytearray(power.to_bytes(width * size, "little"))
        return [int.from_bytes(digits[i : i + width], "little") for i in range(0, len(digits), width)]

    def _fft_sum(self, n: int, places: list[int], size: int) -> tuple[list[int], float]:
        convolve = optional("scipy.signal", "stats", "sum").fftconvolve
        one = np.zeros(places[-1] + 1)
        one[places] = self._pmf()
        epsilon = np.finfo(np.float64).eps

        def join(a: tuple[np.ndarray, float], b: tuple[np.ndarray, float]) -> tuple[np.ndarray, float]:
            # Errors of the factors add up, as the other factor's probabilities sum to 1; a transform of
            # L places errs by about eps log2 L of the product of the norms, here taken eight times.
            joined = np.maximum(convolve(a[0], b[0]), 0.0)
            own = 8 * epsilon * math.log2(max(len(joined), 2)) * np.linalg.norm(a[0]) * np.linalg.norm(b[0])
            return joined, a[1] + b[1] + float(own)

        result, power, left = None, (one, self._error + float(epsilon)), n
        while True:
            if left & 1:
                result = power if result is None else join(result, power)
            left >>= 1
            if not left:
                break
            power = join(power, power)
        assert result is not None
        pmf, error = result
        weights = np.rint(pmf[:size] * _FFT_TOTAL).astype(np.int64).tolist()
        return weights, error + abs(1 - sum(weights) / _FFT_TOTAL) + 1 / _FFT_TOTAL

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
        mine = dict(zip(self.outcomes.tolist(), self.weights, strict=True))
        theirs = dict(zip(other.outcomes.tolist(), other.weights, strict=True))
        scale = math.gcd(self.total, other.total)
        by, of = other.total // scale, self.total // scale
        apart = sum(abs(mine.get(x, 0) * by - theirs.get(x, 0) * of) for x in mine.keys() | theirs.keys())
        distance = Fraction(apart, 2 * self.total * by)
        return distance if exact else float(distance)

    def chisquare(self, counts: Tally | Mapping[Any, int] | Any) -> ChiSquare:
        """Test whether counts fit this distribution, by Pearson's chi-square (needs scipy).

        Neighbouring outcomes are merged into cells, from the least on, each just large enough to expect
        at least 5; what is left at the end joins the last cell.

        Parameters
        ----------
        counts : Tally, mapping, or array-like of int
            A tally of these outcomes, or one with bins that cover them all; counts by outcome; or counts
            in the order of `outcomes`.

        Returns
        -------
        ChiSquare
            ``.statistic``, ``.pvalue``, ``.dof`` (cells - 1), ``.cells``. Counts of what isn't an outcome
            give an infinite statistic.

        Raises
        ------
        ValueError
            When the counts have another shape than the outcomes, are negative, or are none at all.

        Examples
        --------
        >>> import provably_fair as pf
        >>> result = pf.Double().distribution().chisquare(pf.Double().tally(100_000))
        >>> result.dof, result.pvalue > 0.001
        (14, True)
        """
        if isinstance(counts, Tally) and counts.binned:
            if not isinstance(self._largest(), (int, np.integer)):
                raise ValueError("counts must be of outcomes: a tally of bins is for laws of integers")
            if int(counts.counts.sum()) != counts.rounds:
                raise ValueError("counts must be of bins that cover all outcomes")
            return self._binned(counts.outcomes.tolist()).chisquare(counts.counts)
        observed, outside = self._aligned(counts)
        rounds = int(observed.sum()) + outside
        if rounds == 0:
            raise ValueError("counts must have a sum above 0")
        expected = self._pmf() * rounds
        begins = merged_cells(expected)
        dof = len(begins) - 1
        if outside:
            return ChiSquare(math.inf, 0.0, dof, len(begins))
        cells = np.add.reduceat(expected, begins)
        statistic = float(((np.add.reduceat(observed, begins) - cells) ** 2 / cells).sum())
        pvalue = float(optional("scipy.stats", "stats", "chisquare").chi2.sf(statistic, dof)) if dof else 1.0
        return ChiSquare(statistic, pvalue, dof, len(begins))

    def _largest(self) -> Any:
        return self.outcomes[-1]

    def _binned(self, edges: list[int]) -> Distribution:
        """Return the law of the lower edge of an outcome's bin; the first bin takes what is below too."""
        largest = self._largest()
        ends = [edge - 1 for edge in edges[1:]] + [largest]
        shares = [self.share(first, min(end, largest)) for first, end in zip(edges, ends, strict=True)]
        total = self.total
        weights = [int(share * total) for share in shares]
        weights[0] += total - sum(weights)
        return Distribution(edges, weights)

    def _aligned(self, counts: Any) -> tuple[np.ndarray, int]:
        """Return counts in the order of the outcomes, and how many were of anything else."""
        if isinstance(counts, Tally):
            if counts.binned:
                raise ValueError("counts must be of outcomes, got a tally of bins")
            if counts.counts.ndim != 1:
                raise ValueError(
                    f"counts must be of one row, got a tally of shape {counts.counts.shape}: "
                    "take the row that this distribution is about"
                )
            counts = dict(zip(counts.outcomes.tolist(), counts.counts.tolist(), strict=True))
        if isinstance(counts, Mapping):
            known = self._places()
            aligned, outside = np.zeros(len(self), dtype=np.int64), 0
            for outcome, count in counts.items():
                count = integer(f"counts[{outcome!r}]", count, 0)
                if outcome in known:
                    aligned[known[outcome]] += count
                else:
                    outside += count
            return aligned, outside
        array = np.asarray(counts)
        if array.dtype.kind not in "iu":
            raise TypeError(f"counts must be integers, got an array of {array.dtype}")
        if array.shape != self.outcomes.shape:
            raise ValueError(f"counts must have the shape {self.outcomes.shape}, got {array.shape}")
        if array.size and array.min() < 0:
            raise ValueError(f"counts must be at least 0, got {array.min()}")
        return array.astype(np.int64), 0

    # Other forms

    def to_scipy(self) -> Any:
        """Return a frozen view as `scipy.stats.rv_discrete` (needs scipy).

        Returns
        -------
        scipy.stats.rv_discrete
            With these outcomes and probabilities, in floats.

        Examples
        --------
        >>> import provably_fair as pf
        >>> bool(abs(pf.Plinko().distribution().to_scipy().mean() - 8) < 1e-12)
        True
        """
        stats = optional("scipy.stats", "stats", "to_scipy")
        return stats.rv_discrete(name="provably_fair", values=(self.outcomes, self._pmf()))

    def to_pandas(self) -> Any:
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
        pandas = optional("pandas", "stats", "to_pandas")
        return pandas.Series(
            self._pmf(), index=pandas.Index(self.outcomes, name="outcome"), name="probability"
        )

    def plot(
        self,
        ax: Any = None,
        *,
        counts: Tally | Mapping[Any, int] | Any = None,
        confidence: float = 0.95,
    ) -> Any:
        """Draw the probabilities, and simulated frequencies beside them (needs matplotlib).

        Up to 200 outcomes are drawn one by one; more as the probability of at least each outcome.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.
        counts : Tally, mapping, or array-like of int, optional
            Counts as of `chisquare`, drawn as frequencies, with the band that each of them keeps to with
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
        from provably_fair.plot import law

        return law(self, counts, confidence=confidence, ax=ax)

    # What is worked out once, when it is asked for first

    def _below(self, x: Any, name: str, *, or_equal: bool) -> np.ndarray:
        """Return how many outcomes are below each value, or at most as large."""
        side: Literal["left", "right"] = "right" if or_equal else "left"
        if self.outcomes.dtype == object:
            try:
                return np.asarray(np.searchsorted(self.outcomes, self._objects(x), side=side))
            except TypeError:
                raise TypeError(f"{name} must be comparable with the outcomes, got {x!r:.50}") from None
        array = np.asarray(x)
        if array.dtype.kind in "biuf":
            if array.dtype.kind == "f" and np.isnan(array).any():
                raise ValueError(f"{name} must be numbers, got nan")
            return np.asarray(np.searchsorted(self.outcomes, array, side=side))
        # Objects: fractions, decimals, integers beyond int64.
        find = bisect.bisect_right if or_equal else bisect.bisect_left
        places = []
        for value in array.ravel().tolist():
            number = comparable(value)
            if number is None:
                raise TypeError(f"{name} must be numbers, as the outcomes are, got {x!r:.50}")
            places.append(find(self.outcomes, number, key=exactly))
        return np.array(places, dtype=np.intp).reshape(array.shape)

    def _objects(self, x: Any) -> np.ndarray:
        """Return values as objects; where outcomes are tuples, a tuple is one value and not a row of them."""
        if not isinstance(self.outcomes[0], tuple) or not isinstance(x, (tuple, list)):
            return np.asarray(x, dtype=object)
        array = np.empty(len(x) if isinstance(x, list) else (), dtype=object)
        if isinstance(x, tuple):
            array[()] = x
        else:
            for place, value in enumerate(x):
                array[place] = value
        return array

    def _places(self) -> dict[Any, int]:
        return self._once("places", lambda: {x: i for i, x in enumerate(self.outcomes.tolist())})

    def _place(self, value: Any) -> int:
        """Return the place of an outcome, -1 for what isn't one."""
        try:
            return self._places().get(value, -1)
        except TypeError:  # what can't be hashed
            return -1

    def _place_of_number(self, value: Any) -> int:
        number = comparable(value)
        if number is None:
            return -1
        place = bisect.bisect_left(self.outcomes, number, key=exactly)
        return place if place < len(self) and exactly(self.outcomes[place]) == number else -1

    def _once(self, name: str, compute: Callable[[], Any]) -> Any:
        if name not in self._cache:
            self._cache[name] = compute()
        return self._cache[name]

    def _sums(self) -> list[int]:
        """Return the weight of the first 0, 1, 2, ... outcomes."""
        return self._once("sums", lambda: [0, *itertools.accumulate(self.weights)])

    def _pmf(self) -> np.ndarray:
        return self._once("pmf", lambda: np.array([w / self.total for w in self.weights]))

    def _cdf(self) -> np.ndarray:
        return self._once("cdf", lambda: np.array([s / self.total for s in self._sums()]))

    def _sf(self) -> np.ndarray:
        """Return the probability of all but the first 0, 1, 2, ... outcomes."""
        return self._once("sf", lambda: np.array([(self.total - s) / self.total for s in self._sums()]))

    def _moments(self) -> tuple[Fraction, Fraction]:
        def compute() -> tuple[Fraction, Fraction]:
            values, denominator = _common(self.outcomes.tolist())
            first = sum(w * v for w, v in zip(self.weights, values, strict=True))
            second = sum(w * v * v for w, v in zip(self.weights, values, strict=True))
            mean = Fraction(first, self.total * denominator)
            return mean, Fraction(second, self.total * denominator**2) - mean**2

        return self._once("moments", compute)

    def _payouts(self, payout: Payout, name: str = "payout") -> list[Any]:
        """Return the value of a payout for each outcome."""
        outcomes = self.outcomes.tolist()
        if isinstance(payout, Mapping):
            unknown = payout.keys() - set(outcomes)
            if unknown:
                raise ValueError(f"{name} must be for outcomes alone, got one for {next(iter(unknown))!r}")
            return [payout.get(outcome, 0) for outcome in outcomes]
        if callable(payout):
            return [payout(outcome) for outcome in outcomes]
        if isinstance(payout, str) or not hasattr(payout, "__len__"):
            raise TypeError(f"{name} must be a function, a table or a sequence, got {type(payout).__name__}")
        values = payout.tolist() if isinstance(payout, np.ndarray) else list(payout)
        if len(values) != len(outcomes):
            raise ValueError(f"{name} must have {len(outcomes)} values, one an outcome, got {len(values)}")
        return values


def _restore(outcomes: np.ndarray, weights: tuple[int, ...], error: float) -> Distribution:
    return Distribution(outcomes, weights, error=error)


def _outcome_array(outcomes: Any) -> np.ndarray:
    """Return a new array of outcomes: int64, float64, or objects."""
    if not isinstance(outcomes, np.ndarray):
        try:
            listed = list(outcomes)
        except TypeError:
            raise TypeError(f"outcomes must be a sequence, got {type(outcomes).__name__}") from None
        array = np.empty(len(listed), dtype=object)
        array[:] = listed
        types = {type(value) for value in listed}
        if all(issubclass(kind, (bool, int, np.integer, np.bool_)) for kind in types):
            if all(-(2**63) <= value < 2**63 for value in listed):
                array = array.astype(np.int64)
        elif all(issubclass(kind, (bool, int, float, np.number, np.bool_)) for kind in types):
            array = array.astype(np.float64)
    elif outcomes.dtype.kind in "biu":
        array = outcomes.astype(np.int64)
    elif outcomes.dtype.kind == "f":
        array = outcomes.astype(np.float64)
    else:
        array = outcomes.astype(object)
    if array.ndim != 1:
        raise ValueError(f"outcomes must have one dimension, got {array.ndim}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("outcomes must be finite")
    return array


def _merge(values: np.ndarray, weights: list[int]) -> tuple[np.ndarray, list[int]]:
    """Sort outcomes, and add the weights of equal ones."""
    try:
        order = np.argsort(values, kind="stable")
    except TypeError:
        raise TypeError("outcomes must be of one kind that can be sorted") from None
    kept: list[int] = []
    merged: list[int] = []
    for place in order.tolist():
        if kept and values[kept[-1]] == values[place]:
            merged[-1] += weights[place]
        else:
            kept.append(place)
            merged.append(weights[place])
    return values[kept], merged


def _common(values: list[Any], name: str = "outcomes") -> tuple[list[int], int]:
    """Return numbers as integers over one denominator."""
    if all(type(value) is int for value in values):
        return values, 1
    if all(type(value) is float for value in values):
        # Nearly always hundredths; then there is no need for a fraction for each.
        array = np.array(values)
        with np.errstate(invalid="ignore", over="ignore"):
            hundredths = np.rint(array * 100)
            if (np.abs(hundredths) < 2**53).all() and (hundredths / 100 == array).all():
                return hundredths.astype(np.int64).tolist(), 100
    fractions = [exactly(value, name) for value in values]
    denominator = math.lcm(*(fraction.denominator for fraction in fractions))
    return [f.numerator * (denominator // f.denominator) for f in fractions], denominator
