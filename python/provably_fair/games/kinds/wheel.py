"""Wheels: a game that stops at a sector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import distinct

from .. import asking
from ..game import Game
from ..kind import Kind, fact, kind_property, one_of
from ..looks import Among, Numbers, Of, View

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


@dataclass(frozen=True)
class Wheel(Kind):
    """The kind of wheel games."""

    name: ClassVar[str] = "wheel"
    asked_alone: ClassVar[tuple[str, ...]] = ("sectors",)
    sectors: int

    def view(self, *, sectors: Numbers | None = None, of: Of | None = None) -> View:
        one_of({"sectors": sectors, "of": of})
        if sectors is None:
            return View(of)
        chosen = distinct("sectors", sectors, self.sectors - 1)
        return View(Among(tuple(chosen.tolist())), wins=1, values=(0, 1))

    def bounds(self) -> tuple[int, int]:
        return 0, self.sectors - 1

    def agreed(self, outcomes: np.ndarray) -> dict[str, Any]:
        return {"sectors": (outcomes >= 0) & (outcomes < self.sectors)}


class WheelGame(Game):
    """A wheel that stops at a sector: the outcome is its number.

    A class states `sectors`, their number.

    Examples
    --------
    >>> class Coin(pf.games.kinds.WheelGame):
    ...     sectors = 2
    ...     def outcome(self, draws):
    ...         return draws.below(2)
    >>> Coin().bet(1.98, sectors=1, law="ideal").exact_rtp
    Fraction(99, 100)
    """

    sectors = fact("the number of sectors")

    if TYPE_CHECKING:

        def _outcome(self) -> np.int64: ...

    kind = kind_property(Wheel)

    def distribution(
        self, law: str = "ideal", *, sectors: Numbers | None = None, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of the sector, or of winning a bet on some of them.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        sectors : int or collection of int, optional
            The sectors that are bet on.
        of : callable, optional
            A function to take the law of instead: from sectors, an array (N,), to values, (N,).

        Returns
        -------
        Distribution
            Of the sector; of a bet 1 where it wins, else 0.

        Examples
        --------
        >>> pf.Double().distribution(sectors=[0, 1]).mean(exact=True)
        Fraction(2, 15)
        """
        return asking.distribution(self, law, sectors=sectors, of=of)

    def observe(
        self, outcomes: ArrayLike, *, sectors: Numbers | None = None, of: Of | None = None
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.Double().observe([3, 14], sectors=[3, 4])
        array([1, 0])
        """
        return asking.observe(self, outcomes, sectors=sectors, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        sectors: Numbers | None = None,
        of: Of | None = None,
    ) -> Bet:
        """Return a bet of 1 on some sectors; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.Double().bet(14, sectors=0, law="ideal").exact_rtp
        Fraction(14, 15)
        """
        return asking.bet(self, payout, law=law, sectors=sectors, of=of)

    def tally(
        self, rounds: int, *, sectors: Numbers | None = None, of: Of | None = None, **options: Any
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.Double().tally(1000, sectors=[0, 1]).outcomes
        array([0, 1])
        """
        return asking.tally(self, rounds, {"sectors": sectors, "of": of}, **options)
