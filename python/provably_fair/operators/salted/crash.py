"""Crash: a multiplier from 1.00."""

from __future__ import annotations

from ._multiplier import Rising

__all__ = ["Crash"]


class Crash(Rising, catalog="crash"):
    """Crash: a multiplier from 1.00, float64. A multi-player game of constant seeds.

    Examples
    --------
    >>> float(pf.Crash().play("", "", ""))
    2.02
    """
