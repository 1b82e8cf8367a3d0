"""Games of one multiplier, at which bets can be cashed out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.numbers import hundredth
from provably_fair.distribution import Distribution

from ._engine_game import EngineGame, engine_law, indicator
from ._game import Example
from .cash_outs import MIN_CASH_OUT, CashOuts

__all__ = ["Multiplier"]


class Multiplier(EngineGame):
    """What Crash and Overgo have in common: a multiplier from 1.00."""

    _shows_law = True

    # Its law

    def distribution(self, law: str = "ideal", *, cash_out: float | None = None) -> Distribution:
        """Return the exact law of the multiplier, or of what a bet of 1 pays that is cashed out.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        cash_out : number, optional
            At which multiplier the bet is cashed out, at least 1.01, with two decimals. It is if the
            outcome is at least that.

        Returns
        -------
        Distribution
            Of the multiplier; of a bet `cash_out` where it is cashed out, else 0.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Crash().distribution(cash_out=2.0).mean()
        0.95238
        """
        if cash_out is None:
            return engine_law(self, law)
        least = _least_outcome(cash_out)
        won = indicator(engine_law(self, law), lambda outcomes: outcomes >= least)
        return Distribution([0.0, least], won.weights)

    def observe(self, outcomes: ArrayLike, *, cash_out: float | None = None) -> np.ndarray:
        """Return, for simulated outcomes, the multipliers, or what a bet of 1 pays that is cashed out.

        Parameters
        ----------
        outcomes : array-like, shape (N,)
            As `simulate` returns them.
        cash_out
            As in `distribution`.

        Returns
        -------
        numpy.ndarray
            Shape (N,).

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Crash().observe([1.99, 2.0], cash_out=2)
        array([0., 2.])
        """
        if cash_out is None:
            return self.check_outcomes(outcomes)
        least = _least_outcome(cash_out)
        return np.where(self.check_outcomes(outcomes) >= least, least, 0.0)

    def _win_value(self, subject: Mapping[str, Any], values: Distribution) -> float | None:
        return _least_outcome(subject["cash_out"]) if self._is_paid(subject) else None

    def _is_paid(self, subject: Mapping[str, object]) -> bool:
        return subject.get("cash_out") is not None

    def cash_outs(self, law: str = "as_drawn") -> CashOuts:
        """Return the exact chances and returns of automatic cash-outs.

        Parameters
        ----------
        law : str
            "as_drawn" or "ideal".

        Returns
        -------
        CashOuts
            Survival, returns, and what rounding does to them.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Overgo().cash_outs("ideal").exact_atom  # steps above 970000 / 1.005, which is 965,174.1...
        Fraction(17413, 500000)
        """
        return CashOuts(self, law)

    # Its looks

    @classmethod
    def example(cls) -> Example:
        return Example(cls(), f"{cls.__name__}: at least x", tail=True)


def _least_outcome(cash_out: ArrayLike) -> float:
    return hundredth("cash_out", cash_out, MIN_CASH_OUT) / 100
