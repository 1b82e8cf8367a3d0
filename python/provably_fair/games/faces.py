"""The questions of each kind, as signatures for type checkers and editors.

A test holds them to the questions. At run time they add nothing; `BoardGame` has methods of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, integers, is_single

from .game import Game

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution

    Of = Callable[[np.ndarray], Any]
    Numbers = Any
    Payout = Callable[[np.ndarray], Any] | Mapping[Any, Any] | Sequence[Any]

__all__ = ["BoardGame", "DiceGame", "MultiplierGame", "PegsGame", "SampleGame", "TowerGame", "WheelGame"]


class BoardGame(Game):
    """Mines on a board: the outcome is the cells that hide them, a sample without replacement."""

    if TYPE_CHECKING:

        def distribution(
            self,
            law: str = "ideal",
            *,
            cells: Numbers | None = None,
            reveals: int | None = None,
            of: Of | None = None,
        ) -> Distribution: ...
        def observe(
            self,
            outcomes: ArrayLike,
            *,
            cells: Numbers | None = None,
            reveals: int | None = None,
            of: Of | None = None,
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            cells: Numbers | None = None,
            reveals: int | None = None,
            of: Of | None = None,
        ) -> Bet: ...

    def survival(
        self,
        reveals: Any = None,
        law: str = "ideal",
        *,
        cells: Any = None,
        exact: bool = False,
    ) -> Any:
        """Return the probability that no revealed cell hides a mine.

        Parameters
        ----------
        reveals : int or array-like of int
            The number of revealed cells. The law as drawn depends on the cells: a number then means the first
            ones.
        law : str
            "ideal" or "as_drawn".
        cells : collection of int
            The revealed cells, instead of their number.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction, or numpy.ndarray of them
            In the shape of `reveals`; 0 if there are fewer safe cells.

        Examples
        --------
        >>> pf.Mines(mines=3).survival(2), pf.Mines(mines=3).survival(2, exact=True)
        (0.77, Fraction(77, 100))
        >>> pf.operators.stake.Mines(mines=3).survival([1, 2, 3])
        array([0.88      , 0.77      , 0.66956522])
        """
        if reveals is None or is_single(reveals):
            mines = self.distribution(law, cells=cells, reveals=reveals)
            # Zero mines, if possible, is the smallest outcome.
            safe = Fraction(mines.weights[0] if mines.outcomes[0] == 0 else 0, mines.total)
            return safe if exact else float(safe)
        if cells is not None:
            raise BadType("cells", "must not be given together with reveals")
        counted = integers("reveals", np.ravel(reveals))
        known = {count: self.survival(count, law, exact=exact) for count in np.unique(counted).tolist()}
        found = np.empty(counted.shape, dtype=object if exact else np.float64)
        for place, count in enumerate(counted.tolist()):
            found[place] = known[count]
        return found.reshape(np.shape(reveals))

    def fair_multiplier(
        self,
        reveals: Any = None,
        law: str = "ideal",
        *,
        cells: Any = None,
        exact: bool = False,
    ) -> Any:
        """Return the multiplier that makes revealing these cells a fair bet: 1 / `survival`, asked alike.

        Reveals that can't be survived are a ValueError.

        Examples
        --------
        >>> pf.Mines(mines=3).fair_multiplier(1, exact=True)
        Fraction(25, 22)
        """
        survival = self.survival(reveals, law, cells=cells, exact=True)
        if not np.all(np.asarray(survival, dtype=object) > 0):
            named = "cells" if reveals is None else "reveals"
            raise BadValue(named, f"must leave a chance to survive: with {self.shape[0]} mines there is none")
        fair = Fraction(1) / survival
        if exact:
            return fair
        return fair.astype(np.float64) if isinstance(fair, np.ndarray) else float(fair)


class DiceGame(Game):
    """A number; players bet that it is below another, or above."""

    if TYPE_CHECKING:

        def distribution(
            self,
            law: str = "ideal",
            *,
            under: float | None = None,
            over: float | None = None,
            of: Of | None = None,
        ) -> Distribution: ...
        def observe(
            self,
            outcomes: ArrayLike,
            *,
            under: float | None = None,
            over: float | None = None,
            of: Of | None = None,
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            under: float | None = None,
            over: float | None = None,
            of: Of | None = None,
        ) -> Bet: ...


class MultiplierGame(Game):
    """A multiplier; players bet that it reaches their cash-out."""

    if TYPE_CHECKING:

        def distribution(
            self, law: str = "ideal", *, cash_out: float | None = None, of: Of | None = None
        ) -> Distribution: ...
        def observe(
            self, outcomes: ArrayLike, *, cash_out: float | None = None, of: Of | None = None
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            cash_out: float | None = None,
            of: Of | None = None,
        ) -> Bet: ...


class WheelGame(Game):
    """A wheel that stops at a sector."""

    if TYPE_CHECKING:

        def distribution(
            self, law: str = "ideal", *, sectors: Numbers | None = None, of: Of | None = None
        ) -> Distribution: ...
        def observe(
            self, outcomes: ArrayLike, *, sectors: Numbers | None = None, of: Of | None = None
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            sectors: Numbers | None = None,
            of: Of | None = None,
        ) -> Bet: ...


class SampleGame(Game):
    """Numbers drawn without replacement; players bet on some of them."""

    if TYPE_CHECKING:

        def distribution(
            self, law: str = "ideal", *, hits: Numbers | None = None, of: Of | None = None
        ) -> Distribution: ...
        def observe(
            self, outcomes: ArrayLike, *, hits: Numbers | None = None, of: Of | None = None
        ) -> np.ndarray: ...
        def bet(
            self, payout: Any = None, *, law: str = "best", hits: Numbers | None = None, of: Of | None = None
        ) -> Bet: ...


class PegsGame(Game):
    """A ball that falls left or right at each row of pins, into a bucket."""

    if TYPE_CHECKING:

        def distribution(
            self,
            law: str = "ideal",
            *,
            bucket: bool = True,
            payout: Payout | None = None,
            of: Of | None = None,
        ) -> Distribution: ...
        def observe(
            self,
            outcomes: ArrayLike,
            *,
            bucket: bool = True,
            payout: Payout | None = None,
            of: Of | None = None,
        ) -> np.ndarray: ...
        def bet(
            self, payout: Any = None, *, law: str = "best", bucket: bool = True, of: Of | None = None
        ) -> Bet: ...


class TowerGame(Game):
    """A tower: the player chooses a position in each row, and climbs on or falls."""

    if TYPE_CHECKING:

        def distribution(
            self,
            law: str = "ideal",
            *,
            positions: ArrayLike | None = None,
            rows: int | None = None,
            of: Of | None = None,
        ) -> Distribution: ...
        def observe(
            self,
            outcomes: ArrayLike,
            *,
            positions: ArrayLike | None = None,
            rows: int | None = None,
            of: Of | None = None,
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            positions: ArrayLike | None = None,
            rows: int | None = None,
            of: Of | None = None,
        ) -> Bet: ...
