"""Bets without a stake or payout to compare, and whether too many of them won."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.printable import counted
from provably_fair.verification import VerificationReport

from ..amounts import UNIT, amount_of
from ..check import Check
from ..claims import Claim
from ..evidence import sum_pvalue
from ..finding import Finding, Severity
from ..records import Records
from ..sums import BetTotals
from .hand_payments import HandPayments
from .payments import Payments
from .wording import MONEY, evidence, facts, money_text, sentence

_UNPAID = "Of {n} bet[|s] without a payout and without a stake that can be compared, {won:,} won. "
_UNSTAKED = "Of {n} bet[|s] without a stake that can be compared, whatever was paid, {won:,} won. "
_EACH = "The return due was {each:.6g} of the stake on average; the claimed law's mean is {mean:.6g}."


def wins(kind: str, text: str, bets: BetTotals, claim: Claim) -> list[Finding]:
    """Return the test of whether too many of some bets won, if outcomes tell."""
    if not (bets.count and claim.looks and claim.says_returns):
        return []
    law, due = claim.law, Fraction(bets.parts, claim.whole)
    each = float(due / bets.count)
    text = sentence(bets.count, text + _EACH, won=bets.won, each=each, mean=law.mean())
    figure = {"bets": bets.count, "won": bets.won, "due": each, "expected": law.mean()}
    high = sum_pvalue(law, bets.count, due, "greater")
    return [evidence(kind, high, text, figure, bets.shown.rows, bets.count)]


class MissingPayouts(Check):
    """Bets with a stake, but without a payout."""

    state = ("_missing", "_due")

    def __init__(self, claim: Claim, payments: Payments | HandPayments) -> None:
        self.claim: Claim = claim
        self._payments = payments
        self._missing = BetTotals()
        self._due: defaultdict[str, int] = defaultdict(int)
        """The payouts due for these bets by currency, in parts of a unit."""

    def update(self, records: Records) -> None:
        for apart in self.claim.settle(records).apart:
            staked, parts = apart.staked, apart.parts
            self._missing.add(apart.places[staked], None if parts is None else parts[staked], 0)
            self._due[apart.currency] += apart.due

    @property
    def _amounts_due(self) -> str:
        unit = self.claim.whole * UNIT
        amounts = {currency: amount_of(due, unit) for currency, due in sorted(self._due.items()) if due}
        return " and ".join(money_text(amount, currency) for currency, amount in amounts.items())

    @property
    def _is_due_known(self) -> bool:
        """Whether the amounts are known: not of hands whose stakes or payouts are those of several bets."""
        return not isinstance(self._payments, HandPayments) or self._payments.are_of_first_bets

    def findings(self, verified: VerificationReport) -> list[Finding]:
        missing = self._missing
        text = "{n} winning bet[|s] [has|have] no payout that is an amount"
        text += "; {due} [was|were] due." if self._is_due_known else "."
        # Without any payouts in the log, those of wins prove nothing by being absent.
        severity: Severity = "evidence" if self._payments.compared else "note"
        said: dict[str, Any] = {"due": self._amounts_due, "count": missing.won}
        said["figure"] = {"won": missing.won, "rows": missing.count}
        return facts("payout_missing", severity, text, missing.shown.rows, *MONEY, **said)

    def unknown(self) -> list[str]:
        missing = self._missing
        if not missing.count:
            return []
        won = f": {missing.won:,} of them won" if self.claim.looks else ""
        if missing.won and self._is_due_known:
            won += sentence(missing.won, ", and {due} [was|were] due", due=self._amounts_due)
        return [f"{counted(missing.count, 'row')} without a payout that is an amount{won}"]


class Unstaked(Check):
    """Bets without a stake.

    They are what the log says, so they are counted, and whether more of them won than chance allows is
    tested: what an honest log leaves out has nothing to do with outcomes. Of a bet without a stake nobody
    knows what is due, and a trifle may be paid for a large win: it is asked of all of them, and of those that
    got nothing by themselves.
    """

    state = ("_all", "_unpaid", "_zero", "_negative")

    def __init__(self, claim: Claim) -> None:
        self.claim: Claim = claim
        self._all, self._unpaid = BetTotals(), BetTotals()
        self._zero = self._negative = 0

    def update(self, records: Records) -> None:
        for apart in self.claim.settle(records).apart:
            unpaid = ~apart.staked & ~(np.isfinite(apart.paid) & (apart.paid != 0))
            for bets, which in (self._all, ~apart.staked), (self._unpaid, unpaid):
                bets.add(apart.places[which], None if apart.parts is None else apart.parts[which], 0)
            self._zero += int((apart.stakes == 0).sum())
            self._negative += int((apart.stakes < 0).sum())

    def findings(self, verified: VerificationReport) -> list[Finding]:
        found = wins("wins_unstaked", _UNPAID, self._unpaid, self.claim)
        if self._all.count != self._unpaid.count:
            found += wins("wins_unstaked", _UNSTAKED, self._all, self.claim)
        return found

    def unknown(self) -> list[str]:
        if not self._all.count:
            return []
        others = self._all.count - self._zero - self._negative
        won = f": {self._all.won:,} of them won, of which {self._unpaid.won:,} got no payout"
        return [
            f"{counted(self._all.count, 'row')} without a stake that can be compared ({self._zero:,} of 0, "
            f"{self._negative:,} negative, {others:,} without an amount){won if self.claim.looks else ''}"
        ]
