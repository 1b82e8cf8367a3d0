"""Stakes, payouts and outcomes."""

from __future__ import annotations

from ..check import Check, Context


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    return []
