"""Games of one multiplier, at which bets can be cashed out."""

from __future__ import annotations

from typing import Any

from provably_fair.games.cash_outs import CashOuts
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.faces import MultiplierGame
from provably_fair.games.kinds import multiplier
from provably_fair.games.looks import Example

__all__ = ["Rising"]


def _tail(cls: Any) -> Example:
    """Show the tail, which tells more of a multiplier."""
    return Example(cls(), f"{cls.__name__}: at least x", tail=True)


class Rising(MultiplierGame, EngineGame):
    """What Crash and Overgo have in common: a multiplier from 1.00."""

    kind = multiplier(shows_law=True, example=_tail)

    def cash_outs(self, law: str = "best") -> CashOuts:
        """Return the exact chances and returns of automatic cash-outs.

        Parameters
        ----------
        law : str
            "as_drawn", "ideal" or "best", see `bet`.

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
