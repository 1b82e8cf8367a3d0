"""Dice: players bet that a number is below another, or above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import integer
from provably_fair._core.errors import BadValue

from .. import asking
from ..game import Game
from ..kind import Kind, fact, kind_property, one_of
from ..looks import Compared, Of, View

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


@dataclass(frozen=True)
class Dice(Kind):
    """The kind of games whose outcome is a number, such as dice."""

    name: ClassVar[str] = "dice"
    asked_alone: ClassVar[tuple[str, ...]] = ("under", "over")
    least: int
    most: int
    unit: int

    def __post_init__(self) -> None:
        if self.unit not in (1, 100):
            raise BadValue("unit", f"must be 1, or 100 where numbers have two decimals, got {self.unit}")
        if self.least > self.most:
            raise BadValue("least", f"must be at most {self.most}, the largest number, got {self.least}")

    def view(self, *, under: float | None = None, over: float | None = None, of: Of | None = None) -> View:
        one_of({"under": under, "over": over, "of": of})
        if under is not None:
            steps, limit = self._limit("under", under)
            return self._chance(Compared("below", limit), steps - self.least)
        if over is not None:
            steps, limit = self._limit("over", over)
            return self._chance(Compared("above", limit), self.most - steps)
        return View(of)

    def _limit(self, name: str, asked: Any) -> tuple[int, float]:
        """Return a limit in steps, and in the unit of outcomes."""
        if self.unit == 1:
            steps = integer(name, asked, self.least, self.most)
            return steps, steps
        from provably_fair._core.numbers import hundredth

        steps = hundredth(name, asked, self.least, self.most)
        return steps, steps / self.unit

    def _chance(self, of: Compared, chance: int) -> View:
        """Return the view of a bet that wins in some steps, with its payout by the rule, if any."""
        return View(of, wins=1, values=(0, 1), payout=self.pays(chance) if chance else None)

    def pays(self, chance: int) -> Any:
        """Return the payout of a bet that wins in so many steps, if it is part of the rule."""
        return None

    def bounds(self) -> tuple[int, int]:
        return self.least, self.most

    def agreed(self, outcomes: np.ndarray) -> dict[str, Any]:
        return {"least": outcomes >= self.least / self.unit, "most": outcomes <= self.most / self.unit}

    @property
    def steps(self) -> tuple[tuple[int, int], int]:
        return self.bounds(), self.unit

    @property
    def notations(self) -> frozenset[str]:
        return frozenset({"percent"} if self.unit > 1 else ())


@dataclass(frozen=True)
class PaidDice(Dice):
    """Dice whose rule says what a bet pays, by the number of steps that win."""

    needs: ClassVar[str] = "under or over"

    def bet_on(self, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Refuse a bet that can't win: its payout would be that of a chance of 0."""
        from provably_fair._core.numbers import hundredth

        for name, low, high in ("under", self.least + 1, self.most), ("over", self.least, self.most - 1):
            if asked.get(name) is not None:
                hundredth(name, asked[name], low, high)
        return payout, asked


class DiceGame(Game):
    """A number; players bet that it is below another, or above.

    A class states `least` and `most`, the least and the largest number in steps, and `unit`, the number of
    steps in 1, if it isn't 1 but 100.

    Examples
    --------
    >>> class Die(pf.games.kinds.DiceGame):
    ...     least, most = 1, 6
    ...     def outcome(self, draws):
    ...         return draws.below(6) + 1
    >>> Die().distribution(over=4).mean(exact=True)
    Fraction(1, 3)
    """

    least = fact("the least number, in steps")
    most = fact("the largest number, in steps")
    unit = fact("the number of steps in 1", 1)

    if TYPE_CHECKING:

        def _outcome(self) -> np.float64 | np.int64: ...

    kind = kind_property(Dice)

    def distribution(
        self,
        law: str = "ideal",
        *,
        under: float | None = None,
        over: float | None = None,
        of: Of | None = None,
    ) -> Distribution:
        """Return the exact law of the number, or of winning a bet on it.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        under : number, optional
            Bet on numbers below this one, with two decimals if numbers have them.
        over : number, optional
            Bet on numbers above this one, instead.
        of : callable, optional
            A function to take the law of instead: from numbers, an array (N,), to values, (N,).

        Returns
        -------
        Distribution
            Of the number; of a bet 1 where it wins, else 0.

        Examples
        --------
        >>> pf.Dice().distribution(under=50).mean(exact=True)
        Fraction(5000, 10001)
        """
        return asking.distribution(self, law, under=under, over=over, of=of)

    def observe(
        self,
        outcomes: ArrayLike,
        *,
        under: float | None = None,
        over: float | None = None,
        of: Of | None = None,
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.Dice().observe([12.34, 87.1], over=50)
        array([0, 1])
        """
        return asking.observe(self, outcomes, under=under, over=over, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        under: float | None = None,
        over: float | None = None,
        of: Of | None = None,
    ) -> Bet:
        """Return a bet of 1 on the number; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.Dice().bet(1.98, under=50, law="ideal").exact_rtp
        Fraction(9900, 10001)
        """
        return asking.bet(self, payout, law=law, under=under, over=over, of=of)

    def tally(
        self,
        rounds: int,
        *,
        under: float | None = None,
        over: float | None = None,
        of: Of | None = None,
        **options: Any,
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.Dice().tally(1000, under=50).outcomes
        array([0, 1])
        """
        return asking.tally(self, rounds, {"under": under, "over": over, "of": of}, **options)
