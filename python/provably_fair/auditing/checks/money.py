"""Stakes, payouts and outcomes: whether what was paid is what the bet pays.

A log has too many bets to keep, so each check keeps sums under small keys, which merge by adding. Whether
payouts are right is in `payments`, what isn't paid or is given back in `unpaid`, what is listed twice in
`doubles`, what comes back in `returns`.
"""

from __future__ import annotations

from provably_fair.verification import VerificationReport

from ..check import Check, Context
from ..finding import Finding
from ..records import Records
from .doubles import Doubles
from .overlaps import Overlaps
from .payments import Payments
from .returns import Returns
from .unpaid import Unpaid


def checks(context: Context, overlaps: Overlaps) -> list[Check]:
    """Return the checks of this subject."""
    claim = context.claim
    doubles = Doubles(claim, overlaps)
    if claim is None:
        return [NoBet(), doubles]
    payments = Payments(claim)
    found: list[Check] = [payments, Unpaid(claim, payments), doubles]
    return [*found, Returns(claim, payments)] if claim.says_returns else found


class NoBet(Check):
    """Nobody said what is bet on and paid."""

    def update(self, records: Records) -> None:
        """Look at nothing."""

    def merge(self, later: NoBet, rows: int) -> None:
        """Take in nothing."""

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return nothing."""
        return []

    def unknown(self) -> list[str]:
        """Return what is missing."""
        return ["no bet was given (bet=): neither payouts nor returns can be checked"]
