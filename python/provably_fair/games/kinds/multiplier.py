"""Multipliers: players bet that the multiplier reaches their cash-out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadValue
from provably_fair._core.numbers import hundredth

from .. import asking
from ..game import Game
from ..kind import Kind, fact, kind_property, one_of
from ..looks import MIN_CASH_OUT, Look, Of, Paid, UpTo, View

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


def cash_out_view(cash_out: float, table: Sequence[float] | None) -> View:
    """Return the view of a bet with a cash-out, one of the table's multipliers if there is a table."""
    if table is not None and hundredth("cash_out", cash_out) / 100 not in table[1:]:
        known = ", ".join(map(str, table[1:]))
        raise BadValue("cash_out", f"must be one of the level's multipliers, {known}, got {cash_out!r:.80}")
    reached = hundredth("cash_out", cash_out, MIN_CASH_OUT) / 100
    return View(Paid(reached), wins=reached, pays=True, values=(0.0, reached))


@dataclass(frozen=True)
class Multiplier(Kind):
    """The kind of games whose outcome is a multiplier, such as crash."""

    name: ClassVar[str] = "multiplier"
    asked_alone: ClassVar[tuple[str, ...]] = ("cash_out",)
    needs: ClassVar[str] = "cash_out"
    tail: int | None
    table: Sequence[float] | None

    def view(self, *, cash_out: float | None = None, of: Of | None = None) -> View:
        one_of({"cash_out": cash_out, "of": of})
        return View(of) if cash_out is None else cash_out_view(cash_out, self.table)

    def agreed(self, outcomes: np.ndarray) -> dict[str, Any]:
        return {} if self.table is None else {"table": np.isin(outcomes, self.table)}

    def looks(self, *, bias: bool = False) -> tuple[Look, ...] | None:
        return None if self.tail is None else (Look(f"up to {self.tail}", {"of": UpTo(self.tail)}),)


class MultiplierGame(Game):
    """A multiplier; players bet that it reaches their cash-out.

    A class may state `tail`, the multiplier from which tests pool all larger ones, and `table`, the possible
    multipliers, if a bet must name one of them; the first is the one before any step.

    Examples
    --------
    >>> class Bust(pf.games.kinds.MultiplierGame):
    ...     def outcome(self, draws):
    ...         return np.floor(9900 / (draws.below(100) + 1)) / 100
    >>> Bust().bet(cash_out=3, law="ideal").exact_rtp
    Fraction(99, 100)
    """

    tail = fact("the multiplier from which tests pool all larger ones", None)
    table = fact("the possible multipliers", None)

    if TYPE_CHECKING:

        def _outcome(self) -> np.float64: ...

    kind = kind_property(Multiplier)

    def distribution(
        self, law: str = "ideal", *, cash_out: float | None = None, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of the multiplier, or of the payout of a bet of 1 with a cash-out.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        cash_out : number, optional
            The multiplier at which to cash out, at least 1.01, with two decimals. The bet wins if the outcome
            is at least that.
        of : callable, optional
            A function to take the law of instead: from multipliers, an array (N,), to values, (N,).

        Returns
        -------
        Distribution
            Of the multiplier; of a bet `cash_out` where it is cashed out, else 0.

        Examples
        --------
        >>> pf.Crash().distribution(cash_out=2.0).mean()
        0.95238
        >>> round(pf.operators.bustabit.V2().bet(cash_out=2).rtp, 9)
        0.99
        """
        return asking.distribution(self, law, cash_out=cash_out, of=of)

    def observe(
        self, outcomes: ArrayLike, *, cash_out: float | None = None, of: Of | None = None
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.Crash().observe([1.5, 2.7], cash_out=2)
        array([0., 2.])
        """
        return asking.observe(self, outcomes, cash_out=cash_out, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        cash_out: float | None = None,
        of: Of | None = None,
    ) -> Bet:
        """Return a bet of 1 with a cash-out; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.Crash().bet(cash_out=2.0).rtp
        0.95238
        """
        return asking.bet(self, payout, law=law, cash_out=cash_out, of=of)

    def tally(
        self, rounds: int, *, cash_out: float | None = None, of: Of | None = None, **options: Any
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.Crash().tally(1000, cash_out=2).outcomes
        array([0., 2.])
        """
        return asking.tally(self, rounds, {"cash_out": cash_out, "of": of}, **options)
