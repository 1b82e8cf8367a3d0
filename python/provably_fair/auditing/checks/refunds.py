"""Bets whose stake was returned, and whether too many of them would have won."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from provably_fair.distribution.moments import mean_of
from provably_fair.verification import VerificationReport

from ..amounts import amount_of
from ..check import Check
from ..claims import Claim
from ..evidence import Against
from ..finding import Finding
from ..records import Records
from ..sums import BetTotals
from .payments import Payments
from .unpaid import wins
from .wording import MONEY, evidence, facts, money_text, sentence

_RETURNED = "The stake[|s] of {n} bet[|s] [was|were] returned, as the status says{would}."
_WOULD = "; {won:,} would have won"
_UNSEEN = "{n} bet[|s] whose stake was returned: whether [it|they] would have won"
_WON = "Of {n} bet[|s] whose stake was returned, {won:,} would have won. "
_MONEY = (
    "Bets whose stake was returned, {staked} in total, were due {each:.6g} of these stakes; "
    "the claimed law's mean is {mean:.6g}."
)


class _Tested(NamedTuple):
    """The test of the returned stakes of a currency; sorts by p-value."""

    pvalue: float
    currency: str
    staked: float
    due: float
    bets: int


class Refunded(Check):
    """Bets whose stake was returned.

    That is what the log says, so they are counted, and whether more of them would have won than chance allows
    is tested. Stakes that were given back are known, so this is asked of their money as well: small bets that
    lost must not outvote large ones that won.
    """

    state = ("_as_payouts", "_as_profits")

    def __init__(self, claim: Claim, payments: Payments) -> None:
        self.claim: Claim = claim
        self._payments = payments
        self._as_payouts, self._as_profits = BetTotals(), BetTotals()

    @property
    def _returned(self) -> BetTotals:
        return self._as_profits if self._payments.profits else self._as_payouts

    def update(self, records: Records) -> None:
        settled = self.claim.settle(records)
        masks = (settled.returned, settled.unprofited)
        for bets, mask in zip((self._as_payouts, self._as_profits), masks, strict=True):
            if mask is not None and self.claim.looks:
                rows = np.flatnonzero(mask)
                bets.add(settled.places[rows], settled.parts[rows], self.claim.whole)
        if settled.given_back is not None:
            self._as_payouts.add(settled.given_back, None)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        returned, fields = self._returned, (*MONEY, "status")
        count, won, rows = returned.count, returned.won, returned.shown.rows
        figure = {"bets": count} | ({"won": won} if self.claim.looks else {})
        would = _WOULD.format(won=won) if self.claim.looks else ""
        said: dict[str, Any] = {"figure": figure, "would": would}
        found = facts("bets_refunded", "note", _RETURNED, rows, *fields, count=count, **said)
        return found + wins("wins_refunded", _WON, returned, self.claim) + self._test_money()

    def unknown(self) -> list[str]:
        if self.claim.looks or not self._returned.count:
            return []
        return [sentence(self._returned.count, _UNSEEN)]

    def _test_money(self) -> list[Finding]:
        """Return the tests, by currency, of the payouts that were due for returned stakes."""
        refunds = self._payments.refunds
        sizes = {size for stakes, _ in refunds.values() for size in stakes.extremes}
        if not (self.claim.looks and self.claim.says_returns) or len(sizes) < 2:
            return []
        law, unit = self.claim.law, self.claim.whole
        against, mean = Against(law), mean_of(law)
        tested = []
        for currency in sorted(refunds):
            stakes, beyond = refunds[currency]
            staked, due = stakes.staked, stakes.staked + Fraction(beyond, unit)
            high = stakes.pvalues(against, due - mean * staked).high
            tested.append(_Tested(high, currency, amount_of(staked), float(due / staked), stakes.bets))
        worst = min(tested)
        staked_text = money_text(worst.staked, worst.currency)
        text = _MONEY.format(staked=staked_text, each=worst.due, mean=law.mean())
        figure = {"bets": worst.bets, "staked": worst.staked, "currency": worst.currency.upper()}
        figure |= {"due": worst.due, "expected": law.mean()}
        pvalue, rows = worst.pvalue * len(tested), self._returned.shown.rows
        return [evidence("wins_refunded", pvalue, text, figure, rows, worst.bets)]
