"""Wheels: games of one sector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from provably_fair._core.arguments import distinct
from provably_fair.distribution import Distribution

from ._engine_game import EngineGame, engine_law, indicator

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Wheel"]


class Wheel(EngineGame):
    """What Double and X50 have in common: a sector of a wheel."""

    _shows_law = True

    def distribution(self, law: str = "ideal", *, sectors: ArrayLike | None = None) -> Distribution:
        """Return the exact law of the sector, or of whether a bet on some of them wins.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        sectors : int or array-like of int, optional
            The sectors that are bet on.

        Returns
        -------
        Distribution
            Of the sector; of a bet 1 where it wins, else 0.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().distribution(sectors=[0, 1]).mean(exact=True)
        Fraction(2, 15)
        """
        sector = engine_law(self, law)
        if sectors is None:
            return sector
        chosen = self._choose(sectors)
        return indicator(sector, lambda outcomes: np.isin(outcomes, chosen))

    def observe(self, outcomes: ArrayLike, *, sectors: ArrayLike | None = None) -> np.ndarray:
        """Return, for simulated outcomes, the sectors, or whether a bet on some of them wins.

        Parameters
        ----------
        outcomes : array-like of int, shape (N,)
            As `simulate` returns them.
        sectors
            As in `distribution`.

        Returns
        -------
        numpy.ndarray
            Shape (N,).

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().observe([0, 7, 1], sectors=[0, 1])
        array([1, 0, 1])
        """
        if sectors is None:
            return self.check_outcomes(outcomes)
        chosen = self._choose(sectors)
        return np.isin(self.check_outcomes(outcomes), chosen).astype(np.int64)

    def _win_value(self, subject: Mapping[str, object], values: Distribution) -> int | None:
        return None if subject.get("sectors") is None else 1

    def _choose(self, sectors: object) -> np.ndarray:
        return distinct("sectors", sectors, self.bounds[1])
