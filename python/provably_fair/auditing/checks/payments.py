"""Payouts compared with the bet, row by row.

Sums are kept by currency, whether amounts were converted to it, and scale, since each has decimals and a
rounding of its own; in a `Ledger` by the line of the paytable, of which `paytables` and `roundings` say more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from provably_fair._core.printable import counted
from provably_fair.sources import LogError
from provably_fair.verification import VerificationReport

from ..check import Check
from ..claims import Claim, Currency, RowClaim, Settled, amount_text
from ..finding import KEPT_ROWS, Finding, Severity
from ..ledger import Ledger, OddRows
from ..records import Records
from ..row_bets import COLUMNS
from ..stakes import PlayedStake, PlayedStakes, Stakes
from ..sums import FirstRows, Groups
from .paytables import differs
from .roundings import rounded
from .wording import MONEY, facts, sentence

_WRONG = "{n} of {compared:,} rows [wasn't|weren't] paid what the bet pays for [its|their] outcome and stake."
_PROFITS = "With the stake added they are right, so the column may hold profits."
_NEGATIVE = "{n} payout[|s] [is|are] below 0, and a payout includes the stake."
_OTHERWISE = (
    "{n} payout[|s] [agrees|agree] with another bet than the given one: with what the log says itself in "
    '{names}. bet="columns" compares each row with that.'
)
_UNPAID = "{n} row[|s] [wasn't|weren't] paid, though the bet won."
_UNSTATED = (
    "{n} row[|s] [wasn't|weren't] paid, though the given bet would have won; others state other bets in "
    "{names}, and [this one states|these state] none."
)
_UNSTATED_WON = (
    "{n} row[|s] [wasn't|weren't] paid, though the given bet won: [it states|they state] no bet in {names}, "
    "as other rows that were paid."
)
_LOOSE = (
    "of more digits than a double holds: what payouts differ by from those due, which is less than a "
    "billionth of these"
)
_SINGLE = "in 32-bit floats: what payouts differ by from those due, as rounding to such floats may explain"
_CONVERTED = (
    "that were converted for display: payouts agree with the bet to the last places of stake and payout"
)
_ROUNDED = {
    "none": "No amount had to be rounded.",
    "nearest": "The others agree, rounded to the nearest {place}.",
    "down or nearest": "The others agree, rounded down or to the nearest multiple of {place}.",
    "down": "The others agree, rounded down to multiples of {place}.",
    "up": "The others agree, rounded up to multiples of {place}.",
    "both": "The others agree within {place}.",
}


class Payments(Check):
    """The check of payouts: what each row was due, how it was rounded, and which paytable the log implies."""

    state = ("_negative", "_others", "_as_claimed", "_read")

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._ledgers: dict[tuple[str, bool, int], Ledger] = {}
        """By currency, whether amounts are converted to it, and scale."""
        self._negative = self._others = self._read = 0
        self._unread: tuple[int, str] | None = None
        """The first row whose columns state no bet that can be read, and why."""
        self._as_claimed = Groups({"bets": "sum", "first": "first", "last": "last"})
        """Rows with exact payouts, by line of the paytable."""
        self.beside: Payments | None = None
        """The payments of the other rows, if some state another bet: all are profits, or none is."""

    def update(self, records: Records) -> None:
        self.add(self.claim.settle(records), records)

    def add(self, settled: Settled, records: Records) -> None:
        """Add settled rows of a batch."""
        self._others += settled.others
        self._read += len(settled.parts)
        self._unread = self._unread or settled.unread
        players = records.fingerprints("player")[settled.rows] if records.has("player") else None
        for money in settled.money:
            if money.compared.first is None:
                continue
            self._ledger(money.currency, money.scale).add(money, settled, players)
            lines = np.flatnonzero(money.compared.right["bets"])
            right = {name: column[lines] for name, column in money.compared.right.items()}
            self._as_claimed.add(lines, **right)
            self._negative += int((money.compared.odd["paid"] < 0).sum())

    def merge(self, later: Any, rows: int) -> None:
        super().merge(later, rows)
        for ledger in later._ledgers.values():
            self._ledger(ledger.currency, ledger.scale).merge(ledger, rows)
        if self._unread is None and later._unread is not None:
            self._unread = later._unread[0] + rows, later._unread[1]

    def _ledger(self, currency: Currency, scale: int) -> Ledger:
        key = currency.name, currency.converted, scale
        if key not in self._ledgers:
            self._ledgers[key] = Ledger(self.claim.whole, currency, scale)
        return self._ledgers[key]

    @property
    def _all(self) -> list[Ledger]:
        return [ledger for _, ledger in sorted(self._ledgers.items())]

    @property
    def compared(self) -> int:
        """The number of rows compared."""
        return sum(ledger.compared for ledger in self._all)

    @property
    def wrong(self) -> int:
        """The number of rows with wrong payouts."""
        return sum(ledger.wrong for ledger in self._all)

    @property
    def currencies(self) -> list[str]:
        """The known currencies of amounts, in capitals."""
        return sorted({ledger.currency.name.upper() for ledger in self._all})

    @property
    def may_be_profits(self) -> bool:
        """Whether all payouts are right as profits, whatever their sign."""
        right = sum(ledger.right_as_profit + ledger.unprofited.bets for ledger in self._all)
        return right == self.compared

    @property
    def profits(self) -> bool:
        """Whether the payouts are profits: what came back, less the stake."""
        all_rows = [self] if self.beside is None else [self, self.beside]
        return any(one._negative for one in all_rows) and all(one.may_be_profits for one in all_rows)

    @property
    def _paid_with_stake(self) -> bool:
        """Whether any winning row was paid in full: 5 for 6 is no profit where 4 are paid for 4."""
        lines = self.claim.table_lines
        return any(line < len(lines) and lines[line].due > 0 for line in self._as_claimed.keys.tolist())

    def findings(self, verified: VerificationReport) -> list[Finding]:
        if self._unread is not None and not self._read:  # nothing would be compared
            (row, cells), names = self._unread, ", ".join(map(repr, self.claim.questions))
            why = f"no row states a bet that can be read in the columns {names}: row {row} has {cells}"
            raise LogError(f'bet="{COLUMNS}": {why}', row=row)
        if self.profits:
            return [one for ledger in self._all for one in rounded(self.claim, ledger.as_profits)]
        if not self._ledgers:
            return []
        wrong = self.wrong
        main = max(self._all, key=lambda ledger: ledger.compared)
        found = []
        if wrong:
            rows = np.sort(OddRows.joined(ledger.rows for ledger in self._all).places)[:KEPT_ROWS]
            said = [sentence(wrong, _WRONG, compared=self.compared)]
            if sum(ledger.right_as_profit for ledger in self._all) >= wrong and not self._paid_with_stake:
                said.append(_PROFITS)
            if self._negative:
                said.append(sentence(self._negative, _NEGATIVE))
            said.append(_ROUNDED[main.way].format(place=amount_text(main.place)))
            text = " ".join(said)
            figure: dict[str, Any] = {"compared": self.compared, "decimals": main.digits}
            figure["rounding"] = main.way
            found.append(
                Finding("payout_mismatch", "proof", text, tuple(rows.tolist()), wrong, figure, fields=MONEY)
            )
            found += differs(self.claim, self._all, self._as_claimed)
        return found + [one for ledger in self._all for one in rounded(self.claim, ledger)]

    @property
    def played(self) -> list[PlayedStake] | None:
        """The bets of each stake, in all currencies; None if they are too many."""
        played = PlayedStakes()
        for ledger in self._all:
            played.add(ledger.played.each)
        return played.each

    @property
    def refunds(self) -> dict[str, tuple[Stakes, int]]:
        """Returned stakes by currency, and the payouts due beyond them, in parts of a unit."""
        found: dict[str, tuple[Stakes, int]] = {}
        for ledger in self._all:
            returned, beyond = ledger.refunds(self.profits)
            if returned.bets:
                stakes, known = found.get(ledger.currency.name, (Stakes(), 0))
                stakes.merge(returned, 0)
                found[ledger.currency.name] = stakes, known + beyond
        return found

    @property
    def withheld(self) -> int:
        """The total shortfall of payouts beyond rounding and returned stakes, in parts of a unit."""
        return 0 if self.profits else sum(ledger.withheld for ledger in self._all)

    @property
    def explained(self) -> int:
        """The total shortfall that rounding and returned stakes explain, in parts of a unit."""
        return sum(ledger.rounded + ledger.given_back for ledger in self._all)

    def unknown(self) -> list[str]:
        said = []
        if not (self.compared or self._others):
            said.append("no stakes and payouts: what was paid can't be compared with the bet")
        elif self.compared and not self.claim.says_returns:
            said.append(self.claim.untested)
        return said + self.limits()

    def limits(self) -> list[str]:
        """Return what comparing the payouts took for granted, or couldn't tell."""
        said = []
        if self.profits:
            taken = ": returns were taken from outcomes" if self.claim.says_returns else ""
            said.append(f"payouts agree with the bet as profits, without the stake{taken}")
            if any(ledger.by_player for ledger in self._all):
                said.append("payouts as profits: whether those of all players are rounded alike")
        if self._others:
            said.append(f"{counted(self._others, 'row')} {self.claim.others}: what they are due")
        counts = {
            _LOOSE: sum(ledger.loose for ledger in self._all),
            _SINGLE: sum(ledger.single for ledger in self._all),
            _CONVERTED: sum(ledger.compared for ledger in self._all if ledger.currency.converted),
        }
        return said + [f"{counted(rows, 'row')} with amounts {text}" for text, rows in counts.items() if rows]


class PaidOtherwise(Check):
    """Payments of rows whose columns state another bet than the given one, and which are nearer to that.

    Whoever writes a log writes these columns, so that they prove nothing; but they say which bet it was.
    """

    state = ("_payments", "_rows", "_unstated", "_won", "_differ", "_asked")

    def __init__(self, claim: Claim, stated: RowClaim, payments: Payments) -> None:
        self.claim = claim
        self._payments = Payments(stated)
        self._payments.beside, payments.beside = payments, self._payments
        self._rows, self._unstated = FirstRows(), FirstRows()
        self._won = False  # whether any row that states no bet was paid
        self._differ = 0  # the number of rows that state another bet
        self._asked: set[str] = set()  # the questions that the columns answer

    def update(self, records: Records) -> None:
        settled = self.claim.settle(records)
        if settled.unstated is None:
            return
        self._asked |= {name for name in self.claim.questions if records.has(name)}
        self._differ += settled.left_out
        self._unstated.add(settled.unstated)
        self._won |= settled.unstated_won
        if settled.otherwise is not None:
            self._payments.add(settled.otherwise, records)
            self._rows.add(settled.otherwise.places)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        found, wrong = self._payments.findings(verified), self._payments.wrong
        wrong = 0 if self._payments.profits else wrong
        asked = [name for name in self.claim.questions if name in self._asked]
        names, fields = ", ".join(asked), (*MONEY, *asked)
        said: dict[str, Any]
        if self._rows.count > wrong:
            right, rows = self._rows.count - wrong, self._rows.rows
            said = {"figure": {"rows": self._rows.count, "wrong": wrong, "columns": asked}, "names": names}
            found += facts("payout_mismatch", "note", _OTHERWISE, rows, *fields, count=right, **said)
        severity: Severity = "proof"
        text = _UNPAID
        if self._differ:  # an empty cell may mean that the bet was lost, whichever it was, unless some won
            severity, text = ("evidence", _UNSTATED_WON) if self._won else ("note", _UNSTATED)
        said = {"figure": {"rows": self._unstated.count, "columns": asked}, "names": names}
        return found + facts("payout_mismatch", severity, text, self._unstated, *fields, **said)
