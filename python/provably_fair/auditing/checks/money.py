"""Stakes, payouts and outcomes: whether what was paid is what the bet pays.

A log has too many bets to keep, so each check keeps sums under small keys, which merge by adding:

- payouts (`Payments`): by currency, whether amounts were converted to it, and scale, since each has decimals
  and a rounding of its own; in a `Ledger` by the line of the paytable, so that a line that regularly pays
  another amount shows itself as another paytable rather than as many wrong rows;
- stakes (`Returns`): by the power of two above the stake, and the scale. Whether large bets lose is asked
  from each power on, so a threshold of the operator's is met within a factor of two, and few sums are enough;
- times: by the hour of the day, from which any stretch of a day follows by adding; players: by fingerprint.

Returns are exact: a stake of 1 is due a whole number of parts, of which the claim's `unit` make 1, and the
sum of parts has an exact law. Where stakes vary, that law is the one of the bets by themselves, each as one;
in money the bound of `evidence` holds for any stakes that don't depend on outcomes to come.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.printable import counted
from provably_fair._engine import sum_by_hour
from provably_fair.verification import VerificationReport

from ..amounts import DECIMALS, UNIT, Amounts
from ..check import Check, Context
from ..claims import MAX_CELLS, Apart, Claim, Settled, amount_text
from ..evidence import Against, sum_pvalue
from ..finding import KEPT_ROWS, Finding, Severity
from ..ledger import Ledger
from ..records import Records, whole
from ..sums import FirstRows, Groups, How, exact_sum, rows_of, totals
from .wording import sentence

FIELDS = ("stake", "payout", "outcome")

_WRONG = (
    "{n} of {compared:,} row[|s] [wasn't|weren't] paid what the bet pays for [its|their] outcome and stake."
)
_PROFITS = "With the stake added they are right, so the column may hold profits."
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
    "{each:.2%} of the stake of an average bet."
)
_TABLES = {
    "all": "The log's paytable isn't the claimed one: {lines}.",
    "from": "From row {begin:,} on, the log's paytable isn't the claimed one: {lines}.",
    "until": "Up to row {end:,}, the log's paytable isn't the claimed one: {lines}.",
    "some": "In some rows, the log's paytable isn't the claimed one: {lines}.",
}
_LINE = "{outcome} pays {implied} instead of {claimed}"
_RETURNS = {
    "each": "{bets:,} bets returned {each:.6g} of the stake on average; "
    "the claimed law's mean is {mean:.6g}.",
    "money": "Payouts are {each:.6g} of all stakes ({staked} in total); "
    "the claimed law's mean is {mean:.6g}.",
    "currencies": "Payouts are {each:.6g} of all stakes; the claimed law's mean is {mean:.6g}.",
    "return_by_stake": "{bets:,} bets of {group} or more returned {each:.6g} of the stake on average; "
    "the claimed law's mean is {mean:.6g}.",
    "return_by_hour": "{bets:,} bets at {group} UTC returned {each:.6g} of the stake on average; "
    "the claimed law's mean is {mean:.6g}.",
    "return_by_player": "{bets:,} bets of player {group} returned {each:.6g} of the stake on average; "
    "the claimed law's mean is {mean:.6g}.",
}
_WINS = {
    "wins_refunded": "Of {n} bet[|s] whose stake was returned, {won:,} would have won. "
    "The return due was {each:.6g} of the stake on average; the claimed law's mean is {mean:.6g}.",
    "wins_unstaked": "Of {n} bet[|s] without a payout and without a stake that can be compared, {won:,} won. "
    "The return due was {each:.6g} of the stake on average; the claimed law's mean is {mean:.6g}.",
}

_SHOWN = 5
_LOSS = 0.001
"""What rounding may keep of the stakes before it is worth a note."""
_LARGE_LOSS = 0.01
"""And before it is evidence."""
_BITS = 64
_HOURS = 24
_LENGTHS = (1, 2, 3, 4, 6, 8, 12)
_PLAYERS = 10_000
_LONGEST_NAME = 200
_NEVER = np.iinfo(np.int64).max


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    claim = context.claim
    if claim is None:
        return [NoBet()]
    payments = Payments(claim)
    found = [payments, Unpaid(claim, payments)]
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
        for money in settled.money:
            if money.compared.first is None:
                continue
            key = money.currency, money.converted, money.scale
            if key not in self._ledgers:
                unit = self.claim.unit * self.claim.bets
                self._ledgers[key] = Ledger(unit, money.decimals, money.scale)
            self._ledgers[key].add(money, settled)
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
            said.append(_ROUNDED[main.way].format(place=amount_text(main.place)))
            text = " ".join(said)
            figure = {"compared": self.compared, "decimals": main.digits, "rounding": main.way}
            found.append(
                Finding("payout_mismatch", "proof", text, tuple(rows.tolist()), wrong, figure, fields=FIELDS)
            )
            table = self._table()
            if table is not None:
                found.append(table)
        for (currency, *_), ledger in sorted(self._ledgers.items()):
            amount, share, each = ledger.kept
            severity: Severity = "evidence" if max(share, each) > _LARGE_LOSS else "note"
            if severity == "note" and share <= _LOSS:
                continue
            place, kept = amount_text(ledger.place), _money(amount, currency)
            text = _KEPT.format(place=place, amount=kept, share=share, each=each)
            figure = {"kept": share, "kept_of_a_stake": each, "amount": amount, "currency": currency.upper()}
            found.append(Finding("payout_mismatch", severity, text, details=figure, fields=FIELDS))
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
        return Finding("paytable_differs", "proof", text, tuple(rows.tolist()), count, figure, fields=FIELDS)


def _money(amount: float, currency: str) -> str:
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
        return " and ".join(_money(amount, currency) for currency, amount in amounts.items())

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
            found.append(Finding("payout_missing", severity, text, rows, missing.won, figure, fields=FIELDS))
        if returned.count:
            text = sentence(
                returned.count,
                "The stake[|s] of {n} bet[|s] [was|were] returned, as the status says; "
                "{won:,} would have won.",
                won=returned.won,
            )
            figure = {"bets": returned.count, "won": returned.won}
            rows, fields = tuple(returned.shown.rows), (*FIELDS, "status")
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
        return [_evidence(kind, high, text, figure, bets.shown.rows, bets.count)]

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


class Returns(Check):
    """The returns of bets, against its exact law: all together, by stake, by hour of day, by player."""

    def __init__(self, claim: Claim, payments: Payments) -> None:
        self.claim: Claim = claim
        self._payments = payments
        self.bets: int = 0
        self._parts = 0
        self._paid = 0
        sums: dict[str, How] = {"bets": "sum", "parts": "sum"}
        self._hours = Groups(sums)
        self._players = Groups(sums | {"first": "first"}, most=_PLAYERS)
        self._names: dict[int, str] = {}
        staked: dict[str, How] = {"staked_high": "sum", "staked_low": "sum", "least": "min", "most": "max"}
        self._octaves = Groups(sums | staked | {"first": "first"})
        """By the power of two that is the next above the stake, and the scale that it is counted on."""
        self._first = _NEVER, 0
        """The position of the first row with a stake, and the stake."""

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        settled = self.claim.settle(records)
        parts = settled.parts
        if not len(parts):
            return
        self.bets += len(parts)
        self._parts += settled.total
        if records.has("time"):
            times, there = (values[settled.rows] for values in records.time("time"))
            hours, bets, back = sum_by_hour(times, there, parts)
            self._hours.add(hours, bets=bets, parts=back)
        for money in settled.money:
            if money.compared.first is not None:
                columns, scale = dict(money.compared.octaves), 10**money.scale
                self._octaves.add(columns.pop("bits") + _BITS * (money.scale // DECIMALS), **columns)
                place, stake = money.compared.first
                self._first = min(self._first, (place, stake * scale))
                self._paid += money.compared.returned * scale
        if records.has("player"):
            self._add_players(records, settled)

    def _add_players(self, records: Records, settled: Settled) -> None:
        fingerprints = whole(records.fingerprints("player"))[settled.rows]
        there = rows_of(fingerprints != b"")
        keys, places, known = fingerprints[there], settled.places[there], self._players.keys
        self._players.add(keys, bets=np.ones(len(keys), np.int64), parts=settled.parts[there], first=places)
        new = ~np.isin(self._players.keys, known, assume_unique=True)
        rows = np.searchsorted(records.places, self._players.columns["first"][new])
        for key, row in zip(self._players.keys[new].tolist(), rows.tolist(), strict=True):
            self._names[key] = records.text("player", row)[:_LONGEST_NAME]
        if len(self._names) > len(self._players.keys):
            self._names = {key: self._names[key] for key in self._players.keys.tolist()}

    def merge(self, later: Returns, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        self.bets += later.bets
        self._parts += later._parts
        self._paid += later._paid
        self._first = min(self._first, (later._first[0] + (rows if later._first[1] else 0), later._first[1]))
        for mine, other in (
            (self._hours, later._hours),
            (self._octaves, later._octaves),
            (self._players, later._players),
        ):
            mine.merge(other, rows)
        names = later._names | self._names
        self._names = {key: names[key] for key in self._players.keys.tolist()}

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return the tests of what came back."""
        if not self.bets:
            return []
        against = Against(self.claim.law)
        found = self._all(against)
        found += self._by_stake(against)
        if self._hours.keys.size:
            found += self._by_hour(against)
        if len(self._players.keys) > 1:
            found += self._by_player(against)
        return found

    def unknown(self) -> list[str]:
        """Return what isn't there."""
        if not self.bets:
            return []
        said = []
        if self._stakes[0] == self._stakes[1] > 0:
            said.append("all stakes are the same: whether large bets lose more can't be seen")
        if not self._hours.keys.size:
            said.append("no times of bets: returns by hour of day can't be seen")
        if not len(self._players.keys):
            said.append("no players: returns by player can't be seen")
        elif self._players.left_out:
            said.append(f"of more than {_PLAYERS:,} players {_PLAYERS:,} were looked at one by one")
        return said

    @property
    def _unit(self) -> int:
        return self.claim.unit * self.claim.bets

    @property
    def _stakes(self) -> tuple[int, int]:
        """The least and the largest stake; 0 where there are none."""
        least, most = self._units("least"), self._units("most")
        return min(least, default=0), max(most, default=0)

    def _units(self, name: str) -> list[int]:
        """Return amounts of each class of stakes, in units."""
        columns = self._octaves.columns
        values = totals(columns, name) if name == "staked" else columns[name].tolist()
        scales = (self._octaves.keys // _BITS * DECIMALS).tolist()
        return [value * 10**scale for value, scale in zip(values, scales, strict=True)]

    def _all(self, against: Against) -> list[Finding]:
        law, expected = self.claim.law, against.mean
        returned = Fraction(self._parts, self._unit)
        least, most = self._stakes
        if least == most and least:
            returned -= Fraction(self._payments.withheld, self._unit * least)
        each = float(returned) / self.bets
        figure = {"bets": self.bets, "returned": each, "expected": expected, "stakes": "each bet as one"}
        text = _RETURNS["each"].format(bets=self.bets, each=each, mean=expected)
        low, high = (sum_pvalue(law, self.bets, returned, side) for side in ("less", "greater"))
        found = _both((low, high), text, figure)
        if least == most or self._payments.profits:
            return found
        names = ("least", "most", "staked")
        classes = [
            self._octaves.columns["bets"].astype(np.float64),
            *(np.array([float(value) for value in self._units(name)]) for name in names),
        ]
        staked = sum(self._units("staked"))
        paid = Fraction(self._paid) + Fraction(self._payments.rounded, self._unit)
        mean = law.mean(exact=True)
        off = float(paid - mean * staked)
        share = float(paid / staked)
        figure = {
            "bets": int(self._octaves.columns["bets"].sum()),
            "staked": staked / UNIT,
            "returned": share,
            "expected": expected,
            "stakes": "in money",
        }
        said = _RETURNS["currencies" if len(self._payments.currencies) > 1 else "money"]
        text = said.format(each=share, staked=amount_text(staked / UNIT), mean=expected)
        return found + _both(against.staked_pvalues(classes, off, float(self._first[1])), text, figure)

    def _by_stake(self, against: Against) -> list[Finding]:
        columns = self._octaves.columns
        classes = len(self._octaves.keys)
        if classes < 2:
            return []
        # From each class of stakes on. The j-th that comes up has a share of 1 / (j (j + 1)) of the level:
        # players who lost may stake more, so that how many there are says something of what came before.
        upper_bets, upper_parts = (columns[name][::-1].cumsum()[::-1] for name in ("bets", "parts"))
        pvalues = self._stands_out(against, upper_bets, upper_parts / self._unit)[:, 0]
        rank = np.argsort(np.argsort(columns["first"])) + 1.0
        weighed = np.where(np.arange(classes) > 0, pvalues * rank * (rank + 1), 1.0)
        place = int(np.argmin(weighed))
        bets, each = int(upper_bets[place]), float(upper_parts[place] / self._unit / upper_bets[place])
        least = self._units("least")
        from_stake = min(least[place:]) / UNIT
        listed = zip(least, *(columns[name].tolist() for name in ("bets", "parts")), strict=True)
        figure = {
            "from_stake": from_stake,
            "bets": bets,
            "returned": each,
            "expected": against.mean,
            "by_stake": [
                {"from_stake": stake / UNIT, "bets": many, "returned": parts / self._unit / many}
                for stake, many, parts in listed
            ],
        }
        text = _RETURNS["return_by_stake"].format(
            bets=bets, group=amount_text(from_stake), each=each, mean=against.mean
        )
        rows = (int(columns["first"][place:].min()),)
        return [_evidence("return_by_stake", float(weighed[place]), text, figure, rows, bets)]

    def _stands_out(self, against: Against, bets: np.ndarray, back: np.ndarray) -> np.ndarray:
        """Return p-values of groups that return too little or too much, if all others don't just as much."""
        others = against.apart(bets, back, self.bets, self._parts / self._unit)
        found: np.ndarray = np.maximum(against.pvalues(bets, back), others)
        return found

    def _by_hour(self, against: Against) -> list[Finding]:
        # Of any part of the day: as many hours from each hour on.
        hours = np.zeros((2, _HOURS), np.int64)
        hours[:, self._hours.keys] = self._hours.columns["bets"], self._hours.columns["parts"]
        sums = np.concatenate([np.zeros((2, 1), np.int64), hours, hours], axis=1).cumsum(axis=1)
        parts = []
        for length in _LENGTHS:
            for hour in range(_HOURS):
                bets, back = (sums[:, hour + length] - sums[:, hour]).tolist()
                if bets:
                    parts.append((f"{hour:02}:00-{(hour + length) % _HOURS:02}:00", bets, back))
        (found,) = self._groups("return_by_hour", parts, against, None)
        each = [
            {"hour": hour, "bets": int(bets), "returned": float(back) / self._unit / int(bets)}
            for hour, (bets, back) in enumerate(hours.T.tolist())
            if bets
        ]
        return [replace(found, details={**found.details, "by_hour": each})]

    def _by_player(self, against: Against) -> list[Finding]:
        columns = self._players.columns
        names = [self._names.get(key, "") for key in self._players.keys.tolist()]
        parts = list(zip(names, columns["bets"].tolist(), columns["parts"].tolist(), strict=True))
        return self._groups("return_by_player", parts, against, columns["first"])

    def _groups(
        self,
        kind: str,
        groups: list[tuple[str, int, Any]],
        against: Against,
        first: np.ndarray | None,
    ) -> list[Finding]:
        """Return the test of whether any group returns too little, or too much."""
        bets = np.array([many for _, many, _ in groups], np.int64)
        back = np.array([float(Fraction(int(parts), self._unit)) for *_, parts in groups])
        pvalues = self._stands_out(against, bets, back)
        tests = pvalues.size
        # Those that hold for all groups and both sides, the worst first.
        order = np.argsort(pvalues.min(axis=1), kind="stable")
        worst = int(order[0])
        least = float(pvalues[worst].min())
        listed = [
            {"group": groups[place][0], "bets": int(bets[place]), "returned": back[place] / bets[place]}
            | {"pvalue": min(1.0, float(pvalues[place].min()) * tests)}
            for place in order[:10].tolist()
        ]
        each = back[worst] / bets[worst]
        text = _RETURNS[kind].format(bets=bets[worst], group=groups[worst][0], each=each, mean=against.mean)
        rows = () if first is None else (int(first[worst]),)
        figure = {"groups": len(groups), "expected": against.mean, "worst": listed}
        return [_evidence(kind, min(1.0, least * tests), text, figure, rows, int(bets[worst]))]


def _evidence(
    kind: str, pvalue: float, text: str, figure: dict[str, Any], rows: Iterable[int] = (), count: int = 0
) -> Finding:
    known = min(1.0, max(0.0, pvalue)) if not math.isnan(pvalue) else 1.0
    return Finding(kind, "evidence", text, tuple(rows), count, figure, known, FIELDS)


def _both(pvalues: tuple[float, float], text: str, figure: dict[str, Any]) -> list[Finding]:
    kinds = ("return_low", "return_high")
    return [
        _evidence(kind, pvalue, text, figure, (), figure["bets"])
        for kind, pvalue in zip(kinds, pvalues, strict=True)
    ]
