"""Whether each row was paid what the bet pays, and which paytable the log implies.

Sums are kept by currency, whether amounts were converted to it, and scale, since each has decimals and a
rounding of its own; in a `Ledger` by the line of the paytable, so that a line that regularly pays another
amount shows itself as another paytable rather than as many wrong rows.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.printable import counted
from provably_fair.verification import VerificationReport

from ..amounts import DECIMALS
from ..check import Check
from ..claims import MAX_CELLS, Claim, amount_text
from ..finding import KEPT_ROWS, Finding, Severity
from ..ledger import Ledger
from ..records import Records
from ..rounding import Unlike
from ..stakes import Stakes
from ..sums import totals
from .wording import MONEY, evidence, sentence

_WRONG = (
    "{n} of {compared:,} row[|s] [wasn't|weren't] paid what the bet pays for [its|their] outcome and stake."
)
_PROFITS = "With the stake added they are right, so the column may hold profits."
_NEGATIVE = "{n} payout[|s] [is|are] below 0, and a payout includes the stake."
_ROUNDED = {
    "none": "No amount had to be rounded.",
    "nearest": "The others agree, rounded to the nearest {place}.",
    "down or nearest": "The others agree, rounded down or to the nearest multiple of {place}.",
    "down": "The others agree, rounded down to multiples of {place}.",
    "up": "The others agree, rounded up to multiples of {place}.",
    "both": "The others agree within {place}.",
}
_KEPT = (
    "Payouts are rounded down to multiples of {place}. This keeps {amount}: {share:.2%} of all stakes, and "
    "{each:.2%} of the stake of an average bet.",
    "Some payouts are rounded down to multiples of {place}, others up, and no one rule explains which. Those "
    "rounded down keep {amount}: {share:.2%} of all stakes, and {each:.2%} of the stake of an average bet.",
)
"""By one rule, and by none."""
_AT_STAKES = (
    " At the stakes that were played, the exact return of the bet, as it is rounded, is "
    "{return_at_stakes:.6f} instead of {claimed_return:.6f}."
)
_OTHERS = (
    "All payouts in {currency} agree with the bet in multiples of {place}, but not in its smallest unit, "
    "{unit}. If amounts are in whole or minor units, such as cents, "
    "constants={{'currency': {{'{currency}': {digits}}}}} states it."
)
_UNLIKE = (
    "Of {rows:,} payouts of the player of row {first} that any one rule rounds in one direction, to "
    "multiples of {place}, {down:,} were rounded down; of those of all players {all_down:,} of {all_rows:,}."
)
_TABLES = {
    "all": "The log's paytable isn't the claimed one: {lines}.",
    "from": "From row {begin:,} on, the log's paytable isn't the claimed one: {lines}.",
    "until": "Up to row {end:,}, the log's paytable isn't the claimed one: {lines}.",
    "some": "In some rows, the log's paytable isn't the claimed one: {lines}.",
}
_LINE = "{outcome} pays {implied} instead of {claimed}"

_SHOWN = 5
_LOSS = 0.001
"""What rounding may keep of the stakes before it is worth a note."""
_LARGE_LOSS = 0.01
"""And before it is evidence."""
_NEVER = np.iinfo(np.int64).max


@dataclass
class Refunds:
    """Stakes of a currency that were given back, and what was due beyond them, in parts of a unit."""

    stakes: Stakes = field(default_factory=Stakes)
    beyond: int = 0


class Payments(Check):
    """Whether each row was paid what the bet pays, and which paytable the log implies."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._ledgers: dict[tuple[str, bool, int], Ledger] = {}
        """By currency, whether amounts are converted to it, and scale."""
        self._negative = 0
        self._without_profit = self._others = 0
        lines = len(claim.table_lines)
        self._lines = lines if lines <= MAX_CELLS else 0
        self._right = np.zeros(self._lines, np.int64)
        self._first = np.full(self._lines, _NEVER)
        self._last = np.full(self._lines, -1, np.int64)

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        settled = self.claim.settle(records)
        self._others += settled.others
        self._without_profit += settled.without_profit
        players = records.fingerprints("player")[settled.rows] if records.has("player") else None
        for money in settled.money:
            if money.compared.first is None:
                continue
            key = money.currency, money.converted, money.scale
            if key not in self._ledgers:
                unit = self.claim.unit * self.claim.bets
                self._ledgers[key] = Ledger(unit, money.decimals, money.scale, money.converted)
            self._ledgers[key].add(money, settled, players)
            self._right += money.compared.right["bets"]
            self._first = np.minimum(self._first, money.compared.right["first"])
            self._last = np.maximum(self._last, money.compared.right["last"])
            odd = money.compared.odd
            self._negative += int((odd["paid"] < 0).sum())

    def merge(self, later: Payments, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        for key, ledger in later._ledgers.items():
            self._ledgers.setdefault(key, ledger.empty()).merge(ledger, rows)
        self._negative += later._negative
        self._without_profit += later._without_profit
        self._others += later._others
        self._right += later._right
        self._first = np.minimum(self._first, np.where(later._right > 0, later._first + rows, _NEVER))
        self._last = np.maximum(self._last, np.where(later._right > 0, later._last + rows, -1))

    @property
    def _all(self) -> list[Ledger]:
        return [ledger for _, ledger in sorted(self._ledgers.items())]

    @property
    def compared(self) -> int:
        """How many rows were compared."""
        return sum(ledger.compared for ledger in self._all)

    @property
    def currencies(self) -> list[str]:
        """What amounts are in, as far as that is told, in capitals."""
        return sorted({currency.upper() for currency, *_ in self._ledgers})

    @property
    def profits(self) -> bool:
        """Whether the payouts are profits: what came back, less the stake."""
        right = sum(ledger.right_as_profit for ledger in self._all) + self._without_profit
        return self._negative > 0 and right == self.compared

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return rows that weren't paid what they are due, and the paytable that the log implies."""
        if not self._ledgers or self.profits:
            return []
        wrong = sum(ledger.wrong for ledger in self._all)
        main = max(self._all, key=lambda ledger: ledger.compared)
        found = []
        if wrong:
            rows = np.sort(np.concatenate([ledger.rows for ledger in self._all])[:, 0])[:KEPT_ROWS]
            said = [sentence(wrong, _WRONG, compared=self.compared)]
            if sum(ledger.right_as_profit for ledger in self._all) >= wrong:
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
            table = self._table()
            if table is not None:
                found.append(table)
        for (currency, *_), ledger in sorted(self._ledgers.items()):
            if ledger.others is not None and ledger.decimals is not None:
                found.append(_agrees_otherwise(currency.upper(), ledger, ledger.others, ledger.decimals))
            unlike = ledger.by_player
            if unlike is not None:
                found.append(_rounded_unlike(unlike, currency, ledger.place))
            amount, share, each = ledger.kept
            severity: Severity = "evidence" if max(share, each) > _LARGE_LOSS else "note"
            if severity == "note" and share <= _LOSS:
                continue
            place, kept = amount_text(ledger.place), money_text(amount, currency)
            text = _KEPT[ledger.mixed].format(place=place, amount=kept, share=share, each=each)
            figure = {
                "kept": share,
                "kept_of_a_stake": each,
                "amount": amount,
                "currency": currency.upper(),
            }
            exact = ledger.exact_return(self.claim.law) if self.claim.is_exact else None
            if exact is not None:
                figure |= {"exact_return": str(exact), "return_at_stakes": float(exact)}
                figure |= {"claimed_return": self.claim.law.mean()}
                text += _AT_STAKES.format(**figure)
            found.append(Finding("payout_mismatch", severity, text, details=figure, fields=MONEY))
        return found

    @property
    def refunds(self) -> dict[str, Refunds]:
        """The stakes that were given back, by currency."""
        found: dict[str, Refunds] = {}
        for (currency, *_), ledger in sorted(self._ledgers.items()):
            if ledger.returned.bets:
                known = found.setdefault(currency, Refunds())
                known.stakes.merge(ledger.returned, 0)
                known.beyond += ledger.given_back
        return found

    @property
    def withheld(self) -> int:
        """What rows were due beyond what they were paid, in parts of a unit, beyond rounding."""
        return 0 if self.profits else sum(ledger.withheld for ledger in self._all)

    @property
    def rounded(self) -> int:
        """The same where rounding explains it."""
        return sum(ledger.rounded for ledger in self._all)

    def unknown(self) -> list[str]:
        """Return what of payouts can't be compared."""
        said = []
        if self._others:
            said.append(
                f"{counted(self._others, 'row')} of other parameters than the bet's: what they are due"
            )
        if not self.compared:
            said.append("no stakes and payouts: what was paid can't be compared with the bet")
        elif not self.claim.says_returns:
            said.append(
                "the return of a hand depends on how it is played: returns can't be tested, and of "
                "payouts only whether the bet can return such an amount"
            )
        elif self.profits:
            said.append(
                "payouts agree with the bet as profits, without the stake: returns were taken from outcomes"
            )
        converted = sum(ledger.compared for (_, shown, _), ledger in self._ledgers.items() if shown)
        if converted:
            said.append(
                f"{counted(converted, 'row')} with amounts that were converted for display: payouts agree "
                "with the bet to the last places of stake and payout"
            )
        return said

    def _table(self) -> Finding | None:
        """Return how the paytable of the log differs from the claimed one, where it does so regularly."""
        lines: list[dict[str, Any]] = []
        numbers: list[int] = []
        ledgers = {ledger: ledger.odd_lines() for ledger in self._all}
        for line in sorted({line for found in ledgers.values() for line in found}):
            those = {ledger: found[line] for ledger, found in ledgers.items() if line in found}
            value = {
                name: np.concatenate([columns[name] for columns in those.values()])
                for name in next(iter(those.values()))
            }
            bets = int(value["bets"].sum())
            implied = _ratio(those)
            spread = float(value["highest"].max() - value["lowest"].min())
            least, most = (
                [
                    10.0**DECIMALS * ledger.place / 10.0**ledger.scale / float(way(columns[name]))
                    for ledger, columns in those.items()
                ]
                for name, way in (("least", np.min), ("most", np.max))
            )
            label, claimed = self.claim.table_lines[line]
            # Rows that agree by their rounding alone may agree with the other table, too.
            right, first, last = (int(each[line]) for each in (self._right, self._first, self._last))
            begin, end = int(value["first"].min()), int(value["last"].max())
            # Where rows as claimed come between, nothing tells a table and its rounding from odd amounts.
            between = right and first < end and last > begin
            rounding = 0.0 if between else 2 * max(least)
            highest = float(value["highest"].max()) + (0.0 if between else min(most))
            simple = _simplest(implied, float(value["lowest"].min()), highest)
            if bets < 2 or spread > max(1e-9 * abs(implied), rounding) or simple == float(claimed):
                continue
            numbers.append(line)
            lines.append(
                {
                    "outcome": label,
                    "claimed": float(claimed),
                    "implied": simple,
                    "rows": bets,
                    "first_row": begin,
                    "last_row": end,
                    "rows_as_claimed": right,
                    "first_as_claimed": first if right else None,
                    "last_as_claimed": last if right else None,
                }
            )
        if not lines:
            return None
        begin, end = min(one["first_row"] for one in lines), max(one["last_row"] for one in lines)
        claimed_rows = [one for one in lines if one["rows_as_claimed"]]
        when = "all"
        if claimed_rows:
            if all(one["last_as_claimed"] < begin for one in claimed_rows):
                when = "from"
            elif all(one["first_as_claimed"] > end for one in claimed_rows):
                when = "until"
            else:
                when = "some"
        lines.sort(key=lambda one: -one["rows"])
        shown = [_LINE.format(**_amounts_of(one)) for one in lines[:_SHOWN]]
        if len(lines) > _SHOWN:
            shown.append(f"{counted(len(lines) - _SHOWN, 'line')} more")
        kept = np.concatenate([ledger.rows for ledger in self._all])
        rows = np.sort(kept[np.isin(kept[:, 1], numbers), 0])[:KEPT_ROWS]
        pays = {one["outcome"]: one["implied"] for one in lines}
        table = [
            {"outcome": label, "claimed": float(due), "implied": pays.get(label, float(due))}
            for label, due in self.claim.table_lines
        ]
        figure: dict[str, Any] = {
            "lines": lines,
            "table": table,
            "from_row": begin if when == "from" else None,
            "claimed_return": self.claim.law.mean(),
        }
        if not self.claim.bets > 1 and len(table) == len(self.claim.values):
            chances = self.claim.values.probabilities
            figure["implied_return"] = float(chances @ np.array([one["implied"] for one in table]))
        text = _TABLES[when].format(begin=begin, end=end, lines="; ".join(shown))
        count = sum(one["rows"] for one in lines)
        return Finding("paytable_differs", "proof", text, tuple(rows.tolist()), count, figure, fields=MONEY)


def _agrees_otherwise(currency: str, ledger: Ledger, others: int, decimals: int) -> Finding:
    """Return the note that amounts have other decimals than their currency."""
    figure = {"currency": currency, "decimals": max(others - ledger.scale, 0)}
    text = _OTHERS.format(
        currency=currency,
        place=amount_text(ledger.place),
        unit=amount_text(10.0**-decimals) if decimals <= DECIMALS else f"1e-{decimals}",
        digits=figure["decimals"],
    )
    return Finding("payout_mismatch", "note", text, details=figure, fields=MONEY)


def _rounded_unlike(unlike: Unlike, currency: str, place: float) -> Finding:
    """Return the finding of the test of whether payouts are rounded alike for all players."""
    figure = asdict(unlike)
    text = _UNLIKE.format(**figure, place=money_text(place, currency))
    figure["currency"] = currency.upper()
    rows, pvalue = (unlike.first,), figure.pop("pvalue")
    return evidence("rounding_by_player", pvalue, text, figure, rows, unlike.rows)


def money_text(amount: float, currency: str) -> str:
    """Return an amount with its currency."""
    return f"{amount_text(amount)} {currency.upper()}".rstrip()


def _ratio(lines: dict[Ledger, dict[str, np.ndarray]]) -> float:
    """Return what was paid of all stakes."""
    paid, staked = (
        sum(sum(totals(columns, name)) * 10**ledger.scale for ledger, columns in lines.items())
        for name in ("paid", "staked")
    )
    return float(Fraction(paid, staked))


def _simplest(value: float, low: float, high: float) -> float:
    """Return the decimal of fewest places between two numbers, as near to a value as it can be."""
    for places in range(DECIMALS + 1):
        rounded = round(value, places)
        if low - 1e-12 <= rounded <= high + 1e-12:
            return rounded
    return value


def _amounts_of(line: dict[str, Any]) -> dict[str, str]:
    """Return what is said of a line of the paytable."""
    outcome = line["outcome"]
    shown = f"{outcome:g}" if isinstance(outcome, float) else str(outcome)
    amounts = {name: amount_text(line[name]) for name in ("implied", "claimed")}
    return {"outcome": f"outcome {shown}", **amounts}
