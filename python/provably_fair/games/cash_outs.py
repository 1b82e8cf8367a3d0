"""Automatic cash-outs of Crash and Overgo: what they return, exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from provably_fair._core.optional import optional
from provably_fair.distribution.distribution import Distribution

from .laws import hundredths

if TYPE_CHECKING:
    from .games import Game

__all__ = ["CashOuts", "Rounding"]


class Rounding(NamedTuple):
    """What `toFixed(2)` does to the steps of a multiplier, which are equally likely in the ideal law.

    `steps` is their number; `raised`, `lowered` and `kept` say how many end above, below and at the
    double that was rounded; `largest` is the largest change of a multiplier, relative to it; `ties` are
    the multipliers, in increasing order, where rounding half to even would give another one.
    """

    steps: int
    raised: int
    lowered: int
    kept: int
    largest: float
    ties: np.ndarray


def _range(least: Any, most: Any) -> tuple[int, int]:
    """Return the first and the last cash-out of a range, in hundredths."""
    first, last = hundredths(least, "least"), hundredths(most, "most")
    if last < first:
        raise ValueError(f"most must be at least `least`, here {least}, got {most}")
    return first, last


@dataclass(frozen=True)
class CashOuts:
    """Automatic cash-outs of Crash or Overgo: a bet of 1 pays the cash-out if the outcome is at least that.

    The operator's document calls the law exponential. It isn't: the outcome is about 0.95 / u (0.97 / u
    for Overgo) for a uniform u, so that P(outcome >= x) falls as 1 / x, a Pareto tail, with an atom at
    1.00. Were it not for rounding, every cash-out would return the same.

    Parameters
    ----------
    game : Crash or Overgo
        The game.
    law : str
        "ideal" or "as_drawn".

    Examples
    --------
    >>> import provably_fair as pf
    >>> crash = pf.Crash().cash_outs()
    >>> crash.survival(2.0), crash.rtp(2.0), crash.atom
    (Fraction(47619, 100000), Fraction(47619, 50000), Fraction(54727, 1000000))
    """

    game: Game
    law: str = "ideal"

    def __post_init__(self) -> None:
        if isinstance(self.game, type) or not hasattr(self.game, "cash_outs"):
            raise TypeError(f"game must be Crash() or Overgo(), got {self.game!r:.50}")
        distribution = self.game.distribution(self.law)
        # Not fields: they follow from the game and the law.
        self.__dict__["_distribution"] = distribution
        self.__dict__["_cents"] = np.rint(distribution.outcomes * 100).astype(np.int64)
        # The weight of outcomes from each one on.
        self.__dict__["_from"] = [distribution.total - below for below in distribution.cumulative]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.law)

    @property
    def distribution(self) -> Distribution:
        """The law of the outcome."""
        return self.__dict__["_distribution"]

    @property
    def _outcomes(self) -> np.ndarray:
        """In hundredths."""
        return self.__dict__["_cents"]

    @property
    def _weights(self) -> list[int]:
        """The weight of outcomes from each one on."""
        return self.__dict__["_from"]

    @property
    def atom(self) -> Fraction:
        """The probability of 1.00, where no cash-out is reached."""
        return self.distribution.share(1.0, 1.0, exact=True)

    def survival(self, cash_out: Any) -> Fraction:
        """Return the exact probability of an outcome of at least `cash_out`.

        Parameters
        ----------
        cash_out : number
            At least 1.01, with two decimals.

        Returns
        -------
        fractions.Fraction
            0 above the largest outcome.

        Examples
        --------
        Overgo's 1,000,000 equally likely steps k = 1, 2, ... give 970000 / k, rounded to two decimals. It is
        at least 1.995, which makes 2.00, for k up to 486,215:

        >>> from fractions import Fraction
        >>> import provably_fair as pf
        >>> pf.Overgo().cash_outs().survival(2) == Fraction(486215, 10**6)
        True
        """
        place = int(np.searchsorted(self._outcomes, hundredths(cash_out)))
        return Fraction(self._weights[place], self.distribution.total)

    def rtp(self, cash_out: Any) -> Fraction:
        """Return the exact return to player of a cash-out: `cash_out` times its `survival`.

        Parameters
        ----------
        cash_out : number
            At least 1.01, with two decimals.

        Returns
        -------
        fractions.Fraction
            0 above the largest outcome.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Overgo().cash_outs().rtp(2)
        Fraction(97243, 100000)
        """
        return Fraction(hundredths(cash_out), 100) * self.survival(cash_out)

    def rtps(self, least: Any = 1.01, most: Any = 100.0) -> tuple[np.ndarray, np.ndarray]:
        """Return the return of every cash-out of a range, in floats.

        Parameters
        ----------
        least, most : number
            The range, both included.

        Returns
        -------
        cash_outs, rtps : numpy.ndarray of float64
            Every hundredth of the range, and its return to player.

        Examples
        --------
        >>> import provably_fair as pf
        >>> cash_outs, rtps = pf.Overgo().cash_outs().rtps(2, 2.02)
        >>> cash_outs, rtps.round(7)
        (array([2.  , 2.01, 2.02]), array([0.97243  , 0.9724179, 0.9724058]))
        """
        first, last = _range(least, most)
        cents = np.arange(first, last + 1)
        survival = np.array([weight / self.distribution.total for weight in self._weights])
        return cents / 100, cents / 100 * survival[np.searchsorted(self._outcomes, cents)]

    def extremes(self, least: Any = 1.01, most: Any = 100.0) -> tuple[tuple[float, Fraction], ...]:
        """Return the cash-outs of a range that return the least and the most, with their exact returns.

        Between two neighbouring outcomes survival stays as it is while the payout grows, so the returns
        rise up to each outcome and drop after it; the farther apart outcomes are, the more.

        Parameters
        ----------
        least, most : number
            The range, both included.

        Returns
        -------
        lowest, highest : tuple of float and Fraction
            A cash-out and its return to player.

        Examples
        --------
        >>> import provably_fair as pf
        >>> lowest, highest = pf.Crash().cash_outs().extremes()
        >>> lowest[0], float(lowest[1]), highest[0], float(highest[1])
        (99.9, 0.9499491, 1.01, 0.95472573)
        """
        first, last = _range(least, most)
        known = self._outcomes
        inside = known[(first <= known) & (known <= last)]
        # The return is least just after an outcome, and most at one.
        candidates = np.unique(np.concatenate([[first, last], inside, inside + 1]))
        candidates = candidates[(first <= candidates) & (candidates <= last)]
        places = np.searchsorted(self._outcomes, candidates).tolist()
        returns = [cents * self._weights[p] for cents, p in zip(candidates.tolist(), places, strict=True)]
        low, high = returns.index(min(returns)), returns.index(max(returns))
        total = 100 * self.distribution.total
        return tuple((int(candidates[i]) / 100, Fraction(returns[i], total)) for i in (low, high))

    def exponential_distance(self) -> tuple[float, float]:
        """Return how far the law is from the best-meant exponential one, and from a Pareto law.

        The exponential law starts at 1 and has the same median; the Pareto law is
        P(outcome >= x) = min(1, (1 - house edge) / x), the edge taken from the largest outcome.

        Returns
        -------
        exponential, pareto : float
            The largest difference between the probabilities of at least x, over all outcomes x above 1.

        Examples
        --------
        >>> import provably_fair as pf
        >>> exponential, pareto = pf.Crash().cash_outs().exponential_distance()
        >>> round(exponential, 3), round(pareto, 4)
        (0.145, 0.0047)
        """
        x = self.distribution.outcomes[1:]
        survival = np.array([weight / self.distribution.total for weight in self._weights[1:-1]])
        rate = math.log(2) / (float(self.distribution.quantile(0.5)) - 1)
        exponential = np.exp(-rate * (x - 1))
        pareto = np.minimum(1, x[-1] / len(self.game._core.steps()[0]) / x)
        return float(np.abs(survival - exponential).max()), float(np.abs(survival - pareto).max())

    def rounding(self) -> Rounding:
        """Return what `toFixed(2)` changes: a comparison of every step with what was rounded.

        Returns
        -------
        Rounding
            How many steps it moves, how far, and where its ties matter.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Crash().cash_outs().rounding().ties.tolist()
        [78.13, 390.63]
        """
        cents, exact = self.game._core.steps()
        rounded = cents / 100
        # Exact ties of a double are at odd multiples of 1/8 (hundredths: 12.5), of which it holds all.
        eighths = exact * 8
        ties = (eighths == np.rint(eighths)) & (np.rint(eighths) % 2 == 1) & (cents % 2 == 1)
        return Rounding(
            steps=len(cents),
            raised=int((rounded > exact).sum()),
            lowered=int((rounded < exact).sum()),
            kept=int((rounded == exact).sum()),
            largest=float((np.abs(rounded - exact) / exact).max()),
            ties=np.unique(rounded[ties]),
        )

    def plot(self, ax: Any = None, *, most: Any = 100.0) -> Any:
        """Draw the return of every cash-out (needs matplotlib).

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.
        most : number
            The largest cash-out drawn.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Crash().cash_outs().plot(most=10).get_ylabel()
        'return to player'
        """
        if ax is None:
            ax = optional("matplotlib.pyplot", "plot", "plot").subplots()[1]
        cash_outs, rtps = self.rtps(most=most)
        ax.plot(cash_outs, rtps, linewidth=0.8)
        ax.set_xscale("log")
        ax.set_xlabel("cash-out")
        ax.set_ylabel("return to player")
        return ax
