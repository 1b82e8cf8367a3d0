"""Bets whose stake or payout isn't an amount to compare, and bets whose stake was given back."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from provably_fair._core.printable import counted
from provably_fair.distribution.moments import mean_of
from provably_fair.verification import VerificationReport

from ..amounts import UNIT, Amounts
from ..check import Check
from ..claims import Apart, Claim
from ..evidence import Against, sum_pvalue
from ..finding import Finding, Severity
from ..records import Records
from ..sums import FirstRows, exact_sum
from .payments import Payments, money_text
from .wording import MONEY, evidence, sentence

_WINS = {
    "returned": "Of {n} bet[|s] whose stake was returned, {won:,} would have won. ",
    "unpaid": "Of {n} bet[|s] without a payout and without a stake that can be compared, {won:,} won. ",
    "unstaked": "Of {n} bet[|s] without a stake that can be compared, whatever was paid, {won:,} won. ",
}
_EACH = "The return due was {each:.6g} of the stake on average; the claimed law's mean is {mean:.6g}."
_MONEY = (
    "Bets whose stake was returned, {staked} in total, were due {each:.6g} of these stakes; "
    "the claimed law's mean is {mean:.6g}."
)


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
    tested: what an honest log leaves out has nothing to do with outcomes. Stakes that were given back are
    known, so this is asked of their money as well: small bets that lost must not outvote large ones that
    won. Of a bet without a stake nobody knows what is due, and a trifle may be paid for a large win: it is
    asked of all of them, and of those that got nothing by themselves.
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
        found += self._test("wins_refunded", "returned", returned)
        found += self._test_money(returned)
        found += self._test("wins_unstaked", "unpaid", self._unpaid)
        if self._unstaked.count != self._unpaid.count:
            found += self._test("wins_unstaked", "unstaked", self._unstaked)
        return found

    def _test(self, kind: str, which: str, bets: _Bets) -> list[Finding]:
        """Return the test of whether too many of some bets won."""
        if not (bets.count and self.claim.looks):
            return []
        law, due = self.claim.law, Fraction(bets.parts, self.claim.unit * self.claim.bets)
        each = float(due / bets.count)
        text = sentence(bets.count, _WINS[which] + _EACH, won=bets.won, each=each, mean=law.mean())
        figure = {"bets": bets.count, "won": bets.won, "due": each, "expected": law.mean()}
        high = sum_pvalue(law, bets.count, due, "greater")
        return [evidence(kind, high, text, figure, bets.shown.rows, bets.count)]

    def _test_money(self, bets: _Bets) -> list[Finding]:
        """Return the test of whether too much was due for stakes that were returned, by currency."""
        refunds = self._payments.refunds
        if (
            not self.claim.looks
            or len({size for one in refunds.values() for size in one.stakes.extremes}) < 2
        ):
            return []
        law, unit = self.claim.law, self.claim.unit * self.claim.bets
        against, mean = Against(law), mean_of(law)
        tested = []
        for currency, one in sorted(refunds.items()):
            staked, due = one.stakes.staked, one.stakes.staked + Fraction(one.beyond, unit)
            high = one.stakes.pvalues(against, float(due - mean * staked))[1]
            tested.append((high, currency, staked / UNIT, float(due / staked), one.stakes.bets))
        high, currency, staked, each, count = min(tested)
        text = _MONEY.format(staked=money_text(staked, currency), each=each, mean=law.mean())
        figure = {"bets": count, "staked": staked, "currency": currency.upper(), "due": each}
        figure["expected"] = law.mean()
        return [evidence("wins_refunded", high * len(tested), text, figure, bets.shown.rows, count)]

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
