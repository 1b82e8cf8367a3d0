"""Overgo: a multiplier from 1.00."""

from __future__ import annotations

from ._multiplier import Rising

__all__ = ["Overgo"]


class Overgo(Rising, catalog="overgo"):
    """Overgo: a multiplier from 1.00, float64.

    Examples
    --------
    >>> float(pf.Overgo().play("", "", ""))
    2.06
    """
