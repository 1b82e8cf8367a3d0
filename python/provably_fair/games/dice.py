"""Dice: a number from 0.00 to 100.00."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.numbers import hundredth
from provably_fair.distribution import Distribution

from ._engine_game import EngineGame, engine_law, indicator
from ._game import Example

__all__ = ["Dice"]


class Dice(EngineGame, catalog="dice"):
    """Dice: a number from 0.00 to 100.00, float64.

    Examples
    --------
    >>> import provably_fair as pf
    >>> float(pf.Dice().play("", "", ""))
    47.1
    """

    _shows_law = True

    # Its law

    def distribution(
        self, law: str = "ideal", *, under: float | None = None, over: float | None = None
    ) -> Distribution:
        """Return the exact law of the number, or of whether a bet on it wins.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        under, over : number, optional
            A bet on numbers below, or above, this one: from 0 to 100, with two decimals. Not both.

        Returns
        -------
        Distribution
            Of the number; of a bet 1 where it wins, else 0.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Dice().distribution(under=50).mean(exact=True)
        Fraction(5000, 10001)
        """
        wins = self._bet(under, over)
        number = engine_law(self, law)
        return number if wins is None else indicator(number, wins)

    def observe(
        self, outcomes: ArrayLike, *, under: float | None = None, over: float | None = None
    ) -> np.ndarray:
        """Return, for simulated outcomes, the numbers, or whether a bet on them wins.

        Parameters
        ----------
        outcomes : array-like, shape (N,)
            As `simulate` returns them.
        under, over
            As in `distribution`.

        Returns
        -------
        numpy.ndarray
            Shape (N,).

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Dice().observe([49.99, 50.0], under=50)
        array([1, 0])
        """
        wins = self._bet(under, over)
        numbers = self.check_outcomes(outcomes)
        return numbers if wins is None else wins(numbers).astype(np.int64)

    def _win_value(self, subject: Mapping[str, object], values: Distribution) -> int | None:
        return None if subject.get("under") is None and subject.get("over") is None else 1

    def _bet(self, under: object, over: object) -> Callable[[np.ndarray], np.ndarray] | None:
        """Return which numbers win, None where there is no bet."""
        if under is not None and over is not None:
            raise TypeError("under and over must not be given both")
        least, most = self.engine.bounds
        if under is not None:
            limit = hundredth("under", under, least, most) / self._unit
            return lambda numbers: numbers < limit
        if over is not None:
            limit = hundredth("over", over, least, most) / self._unit
            return lambda numbers: numbers > limit
        return None

    # Its looks

    @classmethod
    def example(cls) -> Example:
        return Example(cls(), f"{cls.__name__}: at least x")
