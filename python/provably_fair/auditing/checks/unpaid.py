"""Bets whose stake or payout isn't an amount to compare, and bets whose stake was given back."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from provably_fair._core.printable import counted
from provably_fair.verification import VerificationReport

from ..amounts import UNIT, Amounts
from ..check import Check
from ..claims import Apart, Claim
from ..evidence import sum_pvalue
from ..finding import Finding, Severity
from ..records import Records
from ..sums import FirstRows, exact_sum
from .payments import Payments, money_text
from .wording import MONEY, evidence, sentence

_WINS = {
    "wins_refunded": "Of {n} bet[|s] whose stake was returned, {won:,} would have won. "
    "The return due was {each:.6g} of the stake on average; the claimed law's mean is {mean:.6g}.",
    "wins_unstaked": "Of {n} bet[|s] without a payout and without a stake that can be compared, {won:,} won. "
    "The return due was {each:.6g} of the stake on average; the claimed law's mean is {mean:.6g}.",
}


class _Bets:
    """How many bets there are of some kind, how many won, what stakes of 1 were due, and the first rows."""

    def __init__(self) -> None:
        self.count = self.won = self.parts = 0
        self.shown = FirstRows()

    def add(self, places: np.ndarray, parts: np.ndarray | None, won: np.ndarray | None) -> None:
        """Take in bets; the rows that are kept are of those that won, where that is known."""
        self.count += len(places)
        if parts is not None and won is not None:
            self.won += int(won.sum())
            self.parts += exact_sum(parts)
            places = places[won]
        self.shown.add(places)

    def merge(self, later: _Bets, rows: int) -> None:
        """Append those of the rows that follow."""
        self.count += later.count
        self.won += later.won
        self.parts += later.parts
        self.shown.merge(later.shown, rows)


class Unpaid(Check):
    """Bets whose stake or payout isn't an amount to compare, and bets whose stake was given back.

    Both are what the log says, so both are counted, and whether more of them won than chance allows is
    tested: what an honest log leaves out has nothing to do with outcomes.
    """

    def __init__(self, claim: Claim, payments: Payments) -> None:
        self.claim: Claim = claim
        self._payments = payments
        self._missing, self._unstaked, self._unpaid, self._returned = _Bets(), _Bets(), _Bets(), _Bets()
        self._due: dict[str, int] = {}
        """By currency what bets without a payout were due, in parts of a unit."""
        self._stakes = np.zeros(2, np.int64)
        """How many stakes are 0, and how many negative."""

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        settled = self.claim.settle(records)
        for apart in settled.apart:
            self._add(apart)
        if settled.returned is not None and self.claim.looks:
            rows = np.flatnonzero(settled.returned)
            parts = settled.parts[rows]
            self._returned.add(settled.places[rows], parts, parts > self.claim.unit * self.claim.bets)

    def _add(self, apart: Apart) -> None:
        won = None if apart.parts is None else apart.parts > 0
        amounts = Amounts.of(apart.stakes)
        staked = (apart.stakes > 0) & np.isfinite(apart.stakes) & ~(amounts.there & (amounts.units == 0))
        unpaid = ~staked & ~(np.isfinite(apart.paid) & (apart.paid != 0))
        for bets, which in (self._missing, staked), (self._unstaked, ~staked), (self._unpaid, unpaid):
            some = None if apart.parts is None else apart.parts[which]
            bets.add(apart.places[which], some, None if won is None else won[which])
        self._stakes += int((apart.stakes == 0).sum()), int((apart.stakes < 0).sum())
        if apart.parts is not None:
            wins = staked & (apart.parts > 0)
            columns = (amounts.units, amounts.there, apart.stakes, apart.parts)
            due = sum(
                (units if there else int(stake) * UNIT) * parts
                for units, there, stake, parts in zip(*(one[wins].tolist() for one in columns), strict=True)
            )
            self._due[apart.currency] = self._due.get(apart.currency, 0) + due

    def merge(self, later: Unpaid, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        for name in "_missing", "_unstaked", "_unpaid", "_returned":
            getattr(self, name).merge(getattr(later, name), rows)
        for currency, due in later._due.items():
            self._due[currency] = self._due.get(currency, 0) + due
        self._stakes += later._stakes

    @property
    def _amounts_due(self) -> str:
        unit = self.claim.unit * self.claim.bets * UNIT
        amounts = {currency: due / unit for currency, due in sorted(self._due.items()) if due}
        return " and ".join(money_text(amount, currency) for currency, amount in amounts.items())

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return wins without a payout, stakes that were given back, and whether these won too often."""
        found = []
        missing, returned = self._missing, self._returned
        if missing.won:
            text = sentence(
                missing.won,
                "{n} winning bet[|s] [has|have] no payout that is an amount; {due} [was|were] due.",
                due=self._amounts_due,
            )
            # A log without any payouts doesn't show them; in one that has some, those of wins are missing.
            severity: Severity = "evidence" if self._payments.compared else "note"
            figure = {"won": missing.won, "rows": missing.count}
            rows = tuple(missing.shown.rows)
            found.append(Finding("payout_missing", severity, text, rows, missing.won, figure, fields=MONEY))
        if returned.count:
            text = sentence(
                returned.count,
                "The stake[|s] of {n} bet[|s] [was|were] returned, as the status says; "
                "{won:,} would have won.",
                won=returned.won,
            )
            figure = {"bets": returned.count, "won": returned.won}
            rows, fields = tuple(returned.shown.rows), (*MONEY, "status")
            found.append(Finding("bets_refunded", "note", text, rows, returned.count, figure, fields=fields))
        found += self._test("wins_refunded", returned)
        return found + self._test("wins_unstaked", self._unpaid)

    def _test(self, kind: str, bets: _Bets) -> list[Finding]:
        if not (bets.count and self.claim.looks):
            return []
        law, due = self.claim.law, Fraction(bets.parts, self.claim.unit * self.claim.bets)
        each = float(due / bets.count)
        text = sentence(bets.count, _WINS[kind], won=bets.won, each=each, mean=law.mean())
        figure = {"bets": bets.count, "won": bets.won, "due": each, "expected": law.mean()}
        high = sum_pvalue(law, bets.count, due, "greater")
        return [evidence(kind, high, text, figure, bets.shown.rows, bets.count)]

    def unknown(self) -> list[str]:
        """Return which rows couldn't be compared."""
        said = []
        missing, unstaked = self._missing, self._unstaked
        if missing.count:
            won = f": {missing.won:,} of them won" if self.claim.looks else ""
            due = (
                sentence(missing.won, ", and {due} [was|were] due", due=self._amounts_due)
                if missing.won
                else ""
            )
            said.append(f"{counted(missing.count, 'row')} without a payout that is an amount{won}{due}")
        if unstaked.count:
            zero, negative = self._stakes.tolist()
            others = unstaked.count - zero - negative
            won = f": {unstaked.won:,} of them won, of which {self._unpaid.won:,} got no payout"
            said.append(
                f"{counted(unstaked.count, 'row')} without a stake that can be compared ({zero:,} of 0, "
                f"{negative:,} negative, {others:,} without an amount){won if self.claim.looks else ''}"
            )
        return said
