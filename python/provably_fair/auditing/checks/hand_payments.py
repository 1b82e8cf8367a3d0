"""Payouts of hands of cards, compared with what their table pays."""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.printable import counted
from provably_fair.verification import VerificationReport

from ..check import Check
from ..claims import ALL_STAKED, UNKNOWN, WAYS, HandsClaim
from ..finding import Finding
from ..records import Records
from .payments import Payments
from .wording import MONEY, facts

_FIRST = WAYS[0]
_READ = {
    "not below 0": "stakes are the first bet of a hand, and no payout is below 0",
    "all paid": "stakes are the first bet of a hand, and payouts what all of its bets return",
    "all": "stakes are all bets of a hand, and payouts what they return",
    "all as profits": "stakes are all bets of a hand, and payouts what they win",
}
_OTHERWISE = "{n} row[|s] of hands with more than one bet agree[s|] if {read}; else {wrong} [doesn't|don't]."
_FEWER = 3
"""Another way of writing money must explain all but one in so many of the wrong rows: the rest are frauds."""
_UNLIKELY = 1e-6
_SIZES = 2200
"""The number of powers of two among stakes."""


class HandPayments(Check):
    """The check of what was paid for hands.

    Hands with more than one bet, doubled, split or insured, are written in several ways. Which of them is the
    log's is known at the end, so they are compared by themselves in each. If stakes are said to be all bets,
    the first bets must look like the stakes of other hands: else doubled hands were paid as if they weren't.
    """

    state = ("_unknown", "_negative", "_plain", "_several", "_free", "_sizes")

    def __init__(self, claim: HandsClaim, table: Any) -> None:
        self._unit = claim.bet_units
        self._plain = Payments(claim)
        self._several = {way: Payments(HandsClaim(table, way)) for way in WAYS}
        self._sizes = dict.fromkeys(("plain", _FIRST, "all"), np.zeros(_SIZES, np.int64))
        """Stakes by the power of two above: of hands with one bet, and of others as the first or all bets."""
        self._free = {way: Payments(HandsClaim(table, way)) for way in UNKNOWN}
        self._unknown = self._negative = 0

    def update(self, records: Records) -> None:
        known, _, bets = records.hands
        self._unknown += int((~records.unplayed & ~known).sum())
        for payments in (self._plain, *self._several.values(), *self._free.values()):
            payments.update(records)
        if money := records.money:
            stakes, paid = money
            self._negative += int((paid < 0).sum())
            several = known & (bets != self._unit)
            first = stakes[several]
            read = (stakes[~several], first, first / (bets[several] / self._unit))
            self._sizes = {
                name: self._sizes[name] + _sizes(one) for name, one in zip(self._sizes, read, strict=True)
            }

    def _read(self, way: str) -> Payments:
        """Return the payments of all hands, those with more than one bet read in a way."""
        found = deepcopy(self._plain)
        found.merge(self._several[way], 0)
        return found

    @property
    def _way(self) -> str:
        """The way in which the log writes hands with more than one bet."""
        plain, *several = (self._sizes[name] for name in ("plain", _FIRST, "all"))
        shares = np.log((plain + 1) / (plain.sum() + _SIZES))
        as_first, as_all = (float(sizes @ shares) for sizes in several)
        wrong = {
            # As profits the hands with one bet are right as well.
            way: -self._plain.wrong if self._read(way).profits else payments.wrong
            for way, payments in self._several.items()
            # The ratio of likelihoods is a bound on the chance that a fair log has such stakes.
            if way not in ALL_STAKED or as_first - as_all < -math.log(_UNLIKELY)
        }
        best = min(wrong, key=lambda way: wrong[way])
        return best if wrong[best] * _FEWER < wrong[_FIRST] else _FIRST

    @property
    def are_of_first_bets(self) -> bool:
        """Whether stakes are the first bets, and the others are taken off payouts."""
        return self._way in WAYS[:2]

    @property
    def compared(self) -> int:
        """The number of rows compared."""
        return sum(one.compared for one in (self._plain, self._several[_FIRST], self._free[UNKNOWN[0]]))

    def findings(self, verified: VerificationReport) -> list[Finding]:
        way = self._way
        known = self._read(way)
        payouts, profits = self._free.values()
        if self._negative and known.may_be_profits and profits.wrong <= payouts.wrong:
            found = [*(known.findings(verified) if known.profits else []), *profits.findings(verified)]
        else:
            found = [*known.findings(verified), *payouts.findings(verified)]
        if way != _FIRST:
            rows, wrong = self._several[way].compared, self._several[_FIRST].wrong
            said: dict[str, Any] = {"read": _READ[way], "wrong": f"{wrong:,}"}
            said["figure"] = {"rows": rows, "read": way}
            found += facts("payout_mismatch", "note", _OTHERWISE, (), *MONEY, count=rows, **said)
        return found

    def unknown(self) -> list[str]:
        if not self.compared:
            return ["no stakes and payouts: what was paid can't be compared with the table"]
        said = self._read(self._way).limits()
        if self._unknown:
            said.append(
                f"{counted(self._unknown, 'row')} whose play isn't known: what they are due, and of their "
                "payouts only whether the table can return such an amount"
            )
        return said


def _sizes(stakes: np.ndarray) -> np.ndarray:
    """Return the numbers of stakes by the power of two above."""
    _, powers = np.frexp(stakes[np.isfinite(stakes) & (stakes > 0)])
    return bincount(powers + _SIZES // 2, minlength=_SIZES)
