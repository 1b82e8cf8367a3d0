"""The exact returns of automatic cash-outs in Crash and Overgo.

Outcomes are hundredths, so survival is a table of weights from each hundredth on, and every question is a
look-up. Between neighboring outcomes survival is constant while the payout grows: the return has its largest
values at outcomes and its smallest just after them, so extremes need no search over all cash-outs.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.drawing import axes
from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.numbers import hundredth, hundredths
from provably_fair._core.table import Sheet, Tabular, bar_strip, displayed
from provably_fair._core.types import Columns

from .answering import bet_law
from .kind import AnyGame
from .looks import MIN_CASH_OUT
from .rounds import rounds_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from provably_fair.distribution import Distribution

_SHOWN = (1.01, 1.1, 1.5, 2.0, 3.0, 5.0, 10.0, 100.0, 1000.0, 10000.0)
_COLUMNS = ("cash-out", "reached", "return")


@displayed
class Rounding(NamedTuple):
    """The effect of `toFixed(2)` on the steps of a multiplier, which are equally likely in the ideal law.

    `steps` is their number. `raised`, `lowered` and `kept` count the steps that end above, below and at the
    double before rounding. `largest` is the largest relative change of a multiplier. `ties` are the
    multipliers, in increasing order, that rounding half to even would change.
    """

    steps: int
    raised: int
    lowered: int
    kept: int
    largest: float
    ties: np.ndarray


def _range(least: object, most: object) -> tuple[int, int]:
    """Return the first and the last cash-out of a range, in hundredths."""
    first, last = hundredth("least", least, MIN_CASH_OUT), hundredth("most", most, MIN_CASH_OUT)
    if last < first:
        raise BadValue("most", f"must be at least `least`, here {least}, got {most}")
    return first, last


@dataclass(frozen=True)
class CashOuts(Tabular):
    """Automatic cash-outs of Crash or Overgo: a bet of 1 pays the cash-out if the outcome is at least that.

    The operator's document calls the law exponential. It isn't: the outcome is about 0.95 / u (0.97 / u for
    Overgo) for a uniform u, so that P(outcome >= x) falls as 1 / x, a Pareto tail, with an atom at 1.00.
    If neither u nor the outcome were rounded, every cash-out would have the same return.

    Parameters
    ----------
    game : Crash or Overgo
        The game.
    law : str
        "as_drawn", "ideal", or "best": as drawn if that can be listed; otherwise ideal, if every draw is
        within 2**-30 of uniform.

    Examples
    --------
    >>> crash = pf.Crash().cash_outs("ideal")
    >>> crash.survival(2.0), crash.rtp(2.0), crash.atom
    (0.47619, 0.95238, 0.054727)
    >>> crash.survival(2.0, exact=True)
    Fraction(47619, 100000)
    """

    game: AnyGame
    law: str = "best"

    def __post_init__(self) -> None:
        if isinstance(self.game, type) or not hasattr(self.game, "cash_outs"):
            raise BadType("game", f"must be Crash() or Overgo(), got {self.game!r:.50}")
        object.__setattr__(self, "law", self._law[1])

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.game, self.law)

    def _sheet(self) -> Sheet:
        shown = [x for x in _SHOWN if x <= float(self.distribution.outcomes[-1])]
        rows = [
            (f"{x:.2f}", f"{p:.6f}", f"{r:.6f}")
            for x, p, r in zip(shown, self.survival(shown).tolist(), self.rtp(shown).tolist(), strict=True)
        ]
        law = self.law.replace("_", " ")
        notes = (f"1.00, where nothing is reached, has a probability of {self.atom:.6f}",)
        return Sheet(f"Cash-outs of {self.game!r}, {law}", _COLUMNS, rows, "r", self._strip, notes)

    def _strip(self) -> str:
        survival = self.survival(np.round(np.geomspace(1.01, 100, 70), 2))
        title = "probability that a cash-out is reached, from 1.01 to 100 on a logarithmic scale"
        return bar_strip(survival, first="1.01", last="100", title=title)

    def _columns(self) -> Columns:
        cash_outs, rtps = self.rtps()
        return dict(zip(_COLUMNS, (cash_outs, self.survival(cash_outs), rtps), strict=True))

    @cached_property
    def distribution(self) -> Distribution:
        """The law of the outcome."""
        return self._law[0]

    @cached_property
    def _law(self) -> tuple[Distribution, str]:
        """The law and its kind; unknown kinds are refused."""
        law, kind = bet_law(self.game, self.law, {})
        return law, kind

    @cached_property
    def _outcomes(self) -> np.ndarray:
        """The outcomes, in hundredths."""
        found: np.ndarray = np.rint(self.distribution.outcomes * 100).astype(np.int64)
        return found

    @cached_property
    def _weights(self) -> list[int]:
        """The weight of each outcome and all larger ones."""
        law = self.distribution
        return [law.total - below for below in itertools.accumulate(law.weights, initial=0)]

    @property
    def atom(self) -> float:
        """The probability of 1.00, at which no cash-out is reached."""
        return float(self.exact_atom)

    @property
    def exact_atom(self) -> Fraction:
        """The exact probability of 1.00, at which no cash-out is reached."""
        return Fraction(self._weights[0] - self._weights[1], self._weights[0])

    def survival(self, cash_out: ArrayLike, *, exact: bool = False) -> Any:
        """Return the probability of an outcome of at least `cash_out`.

        Parameters
        ----------
        cash_out : number or array-like
            At least 1.01, with two decimals.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction, or numpy.ndarray of them
            In the shape of `cash_out`; 0 above the largest outcome.

        Examples
        --------
        Overgo's 1,000,000 equally likely steps k = 1, 2, ... give 970000 / k, rounded to two decimals. It is
        at least 1.995, which makes 2.00, for k up to 486,215:

        >>> from fractions import Fraction
        >>> pf.Overgo().cash_outs("ideal").survival(2, exact=True) == Fraction(486215, 10**6)
        True
        >>> pf.Overgo().cash_outs().survival([1.5, 2.0, 4.0]).round(6)
        array([0.648829, 0.486215, 0.242803])
        """
        return self._returns(hundredths("cash_out", cash_out, MIN_CASH_OUT), exact, pays=False)

    def rtp(self, cash_out: ArrayLike, *, exact: bool = False) -> Any:
        """Return the return to player of a cash-out: `cash_out` times its `survival`, which is asked alike.

        Examples
        --------
        >>> pf.Overgo().cash_outs("ideal").rtp(2, exact=True)
        Fraction(97243, 100000)
        """
        return self._returns(hundredths("cash_out", cash_out, MIN_CASH_OUT), exact, pays=True)

    def _returns(self, cents: object, exact: bool, pays: bool) -> object:
        """Return the probability of each cash-out, times the payout if `pays`."""
        array = np.asarray(cents)
        found = np.empty(array.size, dtype=object if exact else np.float64)
        places = np.searchsorted(self._outcomes, array.ravel()).tolist()
        total = self.distribution.total * (100 if pays else 1)
        for i, (place, cash_out) in enumerate(zip(places, array.ravel().tolist(), strict=True)):
            weight = self._weights[place] * (cash_out if pays else 1)
            found[i] = Fraction(weight, total) if exact else weight / total
        return found.reshape(array.shape) if array.ndim else found.tolist()[0]

    def rtps(self, least: object = 1.01, most: object = 100.0) -> tuple[np.ndarray, np.ndarray]:
        """Return the return to player of every cash-out in a range, as floats.

        Parameters
        ----------
        least, most : number
            The range, both included.

        Returns
        -------
        cash_outs, rtps : numpy.ndarray of float64
            Every hundredth in the range, and its return to player.

        Examples
        --------
        >>> cash_outs, rtps = pf.Overgo().cash_outs().rtps(2, 2.02)
        >>> cash_outs, rtps.round(7)
        (array([2.  , 2.01, 2.02]), array([0.97243  , 0.9724179, 0.9724058]))
        """
        first, last = _range(least, most)
        cents = np.arange(first, last + 1, dtype=np.int64)
        survival = np.array([weight / self.distribution.total for weight in self._weights])
        return cents / 100, cents / 100 * survival[np.searchsorted(self._outcomes, cents)]

    def extremes(
        self, least: object = 1.01, most: object = 100.0, *, exact: bool = False
    ) -> tuple[tuple[float, Any], ...]:
        """Return the cash-outs in a range with the lowest and the highest return to player.

        Between neighboring outcomes survival is constant while the payout grows. So the return rises up to
        each outcome and drops after it, by more where outcomes are farther apart.

        Parameters
        ----------
        least, most : number
            The range, both included.
        exact : bool
            Whether to return Fractions rather than the nearest floats.

        Returns
        -------
        lowest, highest : tuple of float and float or Fraction
            A cash-out and its return to player.

        Examples
        --------
        >>> lowest, highest = pf.Crash().cash_outs("ideal").extremes()
        >>> lowest, highest
        ((99.9, 0.9499491), (1.01, 0.95472573))
        """
        first, last = _range(least, most)
        known = self._outcomes
        inside = known[(first <= known) & (known <= last)]
        # The return has its minima just after outcomes, and its maxima at them.
        candidates = np.unique(np.concatenate([[first, last], inside, inside + 1]))
        candidates = candidates[(first <= candidates) & (candidates <= last)]
        places = np.searchsorted(self._outcomes, candidates).tolist()
        returns = [cents * self._weights[p] for cents, p in zip(candidates.tolist(), places, strict=True)]
        low, high = returns.index(min(returns)), returns.index(max(returns))
        total = 100 * self.distribution.total
        return tuple(
            (int(candidates[i]) / 100, Fraction(returns[i], total) if exact else returns[i] / total)
            for i in (low, high)
        )

    def exponential_distance(self) -> tuple[float, float]:
        """Return the distance of the law from an exponential law, and from a Pareto law.

        Each is the largest difference between the survival functions, over all outcomes x above 1. The
        exponential law starts at 1 and has the same median; the Pareto law is P(outcome >= x) = min(1, (1 -
        house edge) / x), with the house edge at the largest outcome.
        """
        x = self.distribution.outcomes[1:]
        survival = np.array([weight / self.distribution.total for weight in self._weights[1:-1]])
        rate = math.log(2) / (float(self.distribution.quantile(0.5)) - 1)
        exponential = np.exp(-rate * (x - 1))
        pareto = np.minimum(1, x[-1] / len(rounds_of(self.game).engine.steps()[0]) / x)
        return float(np.abs(survival - exponential).max()), float(np.abs(survival - pareto).max())

    def rounding(self) -> Rounding:
        """Return the effect of `toFixed(2)`, from a comparison of every step before and after rounding."""
        cents, exact = rounds_of(self.game).engine.steps()
        rounded = cents / 100
        # A double can be an exact tie only at odd multiples of 1/8, in hundredths of 12.5.
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

    def plot(self, ax: Axes | None = None, *, most: object = 100.0) -> Axes:
        """Draw the return of every cash-out up to `most`; see `Distribution.plot`.

        Examples
        --------
        >>> pf.Crash().cash_outs().plot(most=10).get_ylabel()
        'return to player'
        """
        ax = axes(ax)
        cash_outs, rtps = self.rtps(most=most)
        ax.plot(cash_outs, rtps, linewidth=0.8)
        ax.set_xscale("log")
        ax.set_xlabel("cash-out")
        ax.set_ylabel("return to player")
        best = int(rtps.argmax())
        ax.set_title(f"at most {rtps[best]:.4%}, at cash-out {cash_outs[best]:g}", fontsize=10)
        return ax
