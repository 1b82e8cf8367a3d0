"""Bets as they are paid: payouts rounded to whole units of money.

A payout of x for a stake of s is paid as round(x s / u) u, with the unit u, so the return depends on the
stake. All arithmetic is in integers: payouts over their common denominator, weights as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, choice
from provably_fair._core.currencies import CURRENCIES
from provably_fair._core.drawing import COLORS, axes
from provably_fair._core.numbers import exact_number, over_one_denominator, simplest_number
from provably_fair._core.table import Sheet, Tabular, short
from provably_fair._core.types import Columns
from provably_fair.distribution import Distribution

from .returns import whole_array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FARTHEST = 10**40
"""Limit on a stake or unit and on its reciprocal, which keeps the integers small."""
_MOST_STEPS = 10**7
"""Limit on the products that a search for a stake may take: a few seconds."""


_ROUNDINGS: dict[str, Callable[[int, int], int]] = {
    "down": lambda above, below: above // below,
    "up": lambda above, below: -(-above // below),
    "half_up": lambda above, below: (2 * above + below) // (2 * below),
    # A tie goes up if the whole part below it is odd.
    "half_even": lambda above, below: (2 * above + below - 1 + above // below % 2) // (2 * below),
}
"""Rounding of a nonnegative fraction, given as two integers, by the names that `decimal` uses."""


def _amount(name: str, value: object, index: int | None = None) -> Fraction:
    """Return an amount of money as a Fraction, refusing what isn't above 0."""
    money = exact_number(value, name, index)
    if not Fraction(1, _FARTHEST) <= money <= _FARTHEST:
        raise BadValue(name, f"must be above 0, from 1e-40 to 1e40, got {value!r:.60}", index=index)
    return money


@dataclass(frozen=True)
class MoneyRounding:
    """A unit of money and a rule for rounding payouts to it.

    `way` is down, up, half_up or half_even, as `decimal` has them: "down" is toward 0, "up" away from it.
    """

    unit: Fraction
    mode: str

    @classmethod
    def read(cls, unit: object, rounding: object) -> MoneyRounding:
        """Return the rule for the arguments `unit` and `rounding`, checked."""
        choice("rounding", rounding, _ROUNDINGS)
        return cls(_amount("unit", unit), str(rounding))

    def units(self, parts: Iterable[int], one: int, stake: Fraction) -> list[int]:
        """Return payouts at a stake in units; payouts are in parts, of which `one` make 1."""
        each = stake / self.unit
        scale, below = each.numerator, one * each.denominator
        rounded = _ROUNDINGS[self.mode]
        return [rounded(p * scale, below) if p >= 0 else -rounded(-p * scale, below) for p in parts]


def unit_of(unit: object, currency: object) -> object:
    """Return the smallest unit of money: `unit`, or that of `currency`, or a cent if both are None."""
    if currency is None:
        return "0.01" if unit is None else unit
    if unit is not None:
        raise BadValue("currency", "isn't supported with unit: it has its own")
    if not isinstance(currency, str):
        raise BadType("currency", f"must be a code such as 'BTC', got {type(currency).__name__}")
    decimals = CURRENCIES.get(currency.casefold())
    if decimals is None:
        problem = f"must be a known code such as 'EUR' or 'BTC', got {currency!r:.40}; or give unit"
        raise BadValue("currency", problem)
    return Fraction(1, 10**decimals)


# ---- one stake ----


@dataclass(frozen=True)
class RoundedReturns:
    """Sampled rounds of a bet whose payouts are rounded at a stake; `sampler` is without, of `parts` in 1."""

    sampler: Callable[..., np.ndarray]
    parts: int
    rounding: MoneyRounding
    stake: Fraction

    @property
    def unit(self) -> int:
        """The number of parts in 1."""
        return (self.rounding.unit / self.stake).denominator

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Sample the payouts of `rounds` rounds, in parts, shape (rounds, bets of a round)."""
        return self._rounded(self.sampler(rounds, seed=seed, start=start, threads=threads))

    @property
    def of(self) -> Callable[[np.ndarray], np.ndarray] | None:
        """The function from given rounds to payouts in parts; None if the bet without rounding has none."""
        unrounded = getattr(self.sampler, "of", None)
        return None if unrounded is None else lambda outcomes: self._rounded(unrounded(outcomes))

    def _rounded(self, drawn: np.ndarray) -> np.ndarray:
        different, places = np.unique(drawn, return_inverse=True)
        each = (self.rounding.unit / self.stake).numerator
        units = self.rounding.units(different.tolist(), self.parts, self.stake)
        paid: np.ndarray = whole_array([each * count for count in units])[places]
        return paid.reshape(drawn.shape)


def rounded_returns(
    law: Distribution | None,
    sampler: Callable[..., np.ndarray],
    parts: int,
    rounding: MoneyRounding,
    stake: object,
) -> tuple[Distribution | None, RoundedReturns, str]:
    """Return the law and the sampler of a bet rounded at a stake, and a description of the rounding."""
    returns = RoundedReturns(sampler, parts, rounding, _amount("stake", stake))
    description = (
        f"stake {short(returns.stake)}, paid in units of {short(rounding.unit)}, rounded {rounding.mode}"
    )
    if law is None:
        return None, returns, description
    values, one = over_one_denominator(law.outcomes.tolist(), "law")
    units = rounding.units(values, one, returns.stake)
    each = rounding.unit / returns.stake
    return law.map([simplest_number(each * count) for count in units]), returns, description


# ---- many stakes ----


@dataclass(frozen=True, eq=False, repr=False)
class ReturnsByStake(Tabular):
    """The return of a bet as it is paid, by stake. Made by `Bet.rtp_by_stake`.

    Attributes
    ----------
    stake : tuple
        The stakes as they were given.
    exact_rtp : tuple of fractions.Fraction
        The return at each stake; None for bets whose law is computed in floating point.
    rtp : numpy.ndarray
        The same in float64.
    claimed : float
        The return without rounding.
    unit : fractions.Fraction
        The smallest amount that is paid.
    rounding : str
        Rounding of payouts.
    """

    stake: tuple[Any, ...]
    exact_rtp: tuple[Fraction | None, ...]
    rtp: np.ndarray
    claimed: float
    unit: Fraction
    rounding: str

    def __len__(self) -> int:
        return len(self.stake)

    def __repr__(self) -> str:
        ends = f"from {short(self.stake[0])} to {short(self.stake[-1])}"
        return f"<ReturnsByStake of {len(self)} stakes {ends}, claimed return {short(self.claimed)}>"

    def _sheet(self) -> Sheet:
        title = f"Return by stake, paid in units of {short(self.unit)}, rounded {self.rounding}"
        rows = [(str(stake), f"{rtp:.6f}") for stake, rtp in zip(self.stake, self.rtp.tolist(), strict=True)]
        return Sheet(title, ("stake", "return"), rows, "r", notes=(f"without rounding {self.claimed:.6f}",))

    def _columns(self) -> Columns:
        return {"stake": list(self.stake), "rtp": self.rtp, "exact_rtp": list(self.exact_rtp)}

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the return by stake, beside the return without rounding; see `Distribution.plot`.

        Examples
        --------
        >>> bet = pf.Dice().bet(1.98, under=50)
        >>> bet.rtp_by_stake(["0.01", "0.1", "1"]).plot().get_ylabel()
        'return'
        """
        stakes = np.array([float(exact_number(one, "stakes")) for one in self.stake])
        order, ax = np.argsort(stakes, kind="stable"), axes(ax, 6, 3.4)
        ax.plot(stakes[order], self.rtp[order], marker=".", color=COLORS["blue"], label="as it is paid")
        ax.axhline(self.claimed, linestyle="--", color=COLORS["vermilion"], label="without rounding")
        ax.set(xscale="log", xlabel="stake", ylabel="return")
        ax.legend()
        return ax


def returns_by_stake(law: Distribution, stakes: object, rounding: MoneyRounding) -> ReturnsByStake:
    """Return the return of a bet at each of several stakes."""
    if isinstance(stakes, (str, bytes)) or not isinstance(stakes, Iterable):
        raise BadType("stakes", f"must be a sequence of stakes, got {type(stakes).__name__}")
    given = np.atleast_1d(stakes).tolist() if isinstance(stakes, np.ndarray) else list(stakes)
    if not given:
        raise BadValue("stakes", "must not be empty")
    amounts = [_amount("stakes", stake, row) for row, stake in enumerate(given)]
    parts, one = over_one_denominator(law.outcomes.tolist(), "law")
    returns = []
    for stake in amounts:
        units = rounding.units(parts, one, stake)
        paid = sum(weight * count for weight, count in zip(law.weights, units, strict=True))
        returns.append(paid * rounding.unit / (law.total * stake))
    known = not law.probability_error and not law.truncation_error
    exact = tuple(returns) if known else (None,) * len(returns)
    rtp = np.array([float(one) for one in returns], np.float64)
    claimed = float(sum(w * p for w, p in zip(law.weights, parts, strict=True)) / Fraction(one * law.total))
    return ReturnsByStake(tuple(given), exact, rtp, claimed, rounding.unit, rounding.mode)


# ---- the least stake ----


def least_stake(law: Distribution, within: object, rounding: MoneyRounding, lasting: bool) -> Fraction:
    """Return the least stake in whole units at which rounding moves the return by at most a margin.

    With `lasting`, every larger stake qualifies as well. At k units the return is off by E(k) / k, where E(k)
    < 1 is the mean rounding error in units and has the common denominator of the payouts as its period. So
    one period suffices, or stakes up to 1 / margin.
    """
    margin = exact_number(within, "within")
    if margin <= 0:
        raise BadValue("within", f"must be above 0, got {within!r:.40}")
    errors = _Errors(law, rounding)
    last = min(errors.period, math.ceil(1 / margin))
    if last * len(errors) > _MOST_STEPS:
        problem = f"must be larger for this bet: {last:,} stakes of {len(errors):,} amounts would be tried"
        raise BadValue("within", f"{problem}, got {within!r:.40}")
    if not lasting:
        return rounding.unit * next(k for k in range(1, last + 1) if errors.at(k) <= margin * k)
    # Every stake above E(k) / margin units qualifies; find the last one, of the class of k, that doesn't.
    worst = 0
    for k in range(1, last + 1):
        most = math.ceil(errors.at(k) / margin) - 1
        if most >= k:
            worst = max(worst, most - (most - k) % errors.period)
    return rounding.unit * (worst + 1)


class _Errors:
    """The mean rounding error of a bet at a stake of k units."""

    def __init__(self, law: Distribution, rounding: MoneyRounding) -> None:
        parts, self._one = over_one_denominator(law.outcomes.tolist(), "law")
        self._total = law.total
        self._round = _ROUNDINGS[rounding.mode]
        # Whole payouts need no rounding. Half-even rounding also depends on whether the units are even.
        self.period: int = self._one * (2 if rounding.mode == "half_even" else 1)
        weights: dict[int, int] = {}
        for part, weight in zip(parts, law.weights, strict=True):
            if rest := abs(part) % self.period:
                weights[rest] = weights.get(rest, 0) + (weight if part > 0 else -weight)
        self._weights = [(rest, weight) for rest, weight in weights.items() if rest % self._one and weight]

    def __len__(self) -> int:
        return max(len(self._weights), 1)

    def at(self, units: int) -> Fraction:
        """Return the absolute mean error at a stake of `units` units, in units."""
        one, rounded = self._one, self._round
        off = sum(
            weight * (rounded(rest * units, one) * one - rest * units) for rest, weight in self._weights
        )
        return Fraction(abs(off), one * self._total)
