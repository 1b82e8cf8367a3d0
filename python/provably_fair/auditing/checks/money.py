"""Stakes, payouts and outcomes: whether what was paid is what the bet pays."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._engine import sum_by_hour
from provably_fair.verification import VerificationReport

from ..amounts import AGREES, DECIMALS, UNIT, levels
from ..check import Check, Context
from ..claims import MAX_CELLS, Claim, Settled, amount_text
from ..evidence import Against, sum_pvalue
from ..finding import KEPT_ROWS, Finding
from ..records import Records
from ..sums import Groups, How, exact_sums, halves, rows_of, totals

FIELDS = ("stake", "payout", "outcome")

_LEVELS = AGREES + 2  # from -1 on
_SHOWN = 5
_CENTS = 2
_LARGE = 100
_LOSS = 0.001
"""What rounding may keep of the stakes before it is worth a note."""
_HOURS = 24
_STRETCHES = (1, 2, 3, 4, 6, 8, 12)
_PLAYERS = 10_000
_LONGEST_NAME = 200
_NEVER = np.iinfo(np.int64).max


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    claim = context.claim
    if claim is None:
        return [NoBet()]
    payments = Payments(claim)
    return [payments, Returns(claim, payments)] if claim.says_returns else [payments]


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
        return ["no bet= says what is paid: neither payouts nor returns can be checked"]


class Payments(Check):
    """Whether each row was paid what the bet pays, and which pay table the log implies.

    How far amounts are rounded is only known at the end, by the smallest decimal place that the log uses: so
    what differs is counted by the number of decimals to which it agrees.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.compared = 0
        self._written = 0
        """The decimals that the log's amounts have."""
        self._most = 0
        """The largest stake."""
        self._staked = 0
        self._rounded = np.zeros((_LEVELS, _LEVELS, 2), np.int64)
        """By the decimals to which it agrees, to which twice the difference does, and the side."""
        self._kept_by_level = [0] * _LEVELS
        self._as_profit = np.zeros(_LEVELS, np.int64)
        self._negative = 0
        self._rows: list[np.ndarray] = [np.zeros((0, 2), np.int64)] * _LEVELS
        """The first rows by their level, each with its line of the pay table."""
        lines = len(claim.table_lines)
        self._lines = lines if lines <= MAX_CELLS else 0
        self._right = np.zeros(self._lines, np.int64)
        self._first = np.full(self._lines, _NEVER)
        self._last = np.full(self._lines, -1, np.int64)
        self._off = Groups(
            {
                **dict.fromkeys(("bets", "paid_high", "paid_low", "staked_high", "staked_low"), "sum"),
                **dict.fromkeys(("least", "lowest"), "min"),
                **dict.fromkeys(("most", "highest"), "max"),
                "first": "first",
                "last": "last",
            }
        )

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        settled = self.claim.settle(records)
        money = settled.money
        if money is None or money.first is None:
            return
        self.compared += int(money.octaves["bets"].sum())
        self._written = max(self._written, money.decimals)
        self._most = max(self._most, int(money.octaves["most"].max()))
        self._staked += sum(totals(money.octaves, "staked"))
        self._right += money.right["bets"]
        self._first = np.minimum(self._first, money.right["first"])
        self._last = np.maximum(self._last, money.right["last"])
        if money.odd["row"].size:
            self._add_odd(money.odd, settled)

    def _add_odd(self, odd: dict[str, np.ndarray], settled: Settled) -> None:
        unit = self.claim.unit * self.claim.bets
        rows, stakes, paid, off, level = (odd[name] for name in ("row", "stake", "paid", "off", "level"))
        places = settled.places[rows]
        doubled = levels(2 * np.minimum(np.abs(off), 2**61) - 1, unit)
        kinds = np.ravel_multi_index(
            (level + 1, doubled + 1, (off < 0).astype(np.int64)), self._rounded.shape
        )
        self._rounded += np.bincount(kinds, minlength=self._rounded.size).reshape(self._rounded.shape)
        kept = exact_sums(level + 1, off, _LEVELS)
        self._kept_by_level = [mine + new for mine, new in zip(self._kept_by_level, kept, strict=True)]
        self._as_profit += np.bincount(levels(off - stakes * unit, unit) + 1, minlength=_LEVELS)
        self._negative += int((paid < 0).sum())
        which = np.full(rows.size, -1) if settled.lines is None else settled.lines[rows]
        for one in np.flatnonzero(np.bincount(level + 1)).tolist():
            earlier, new = self._rows[one], level == one - 1
            if len(earlier) < KEPT_ROWS or places[new].min() < earlier[-1, 0]:
                self._rows[one] = _first(earlier, np.stack([places[new], which[new]], axis=1))
        if settled.lines is not None:
            each = paid / stakes
            self._off.add(
                which * 16 + level + 1,
                bets=np.ones(rows.size, np.int64),
                **halves("paid", paid),
                **halves("staked", stakes),
                first=places,
                last=places,
                least=stakes,
                most=stakes,
                lowest=each,
                highest=each,
            )

    def merge(self, later: Payments, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        self.compared += later.compared
        self._written = max(self._written, later._written)
        self._most = max(self._most, later._most)
        self._staked += later._staked
        self._rounded += later._rounded
        both = zip(self._kept_by_level, later._kept_by_level, strict=True)
        self._kept_by_level = [mine + other for mine, other in both]
        self._as_profit += later._as_profit
        self._negative += later._negative
        self._rows = [
            _first(mine, other + np.array([rows, 0]))
            for mine, other in zip(self._rows, later._rows, strict=True)
        ]
        self._right += later._right
        self._first = np.minimum(self._first, np.where(later._right > 0, later._first + rows, _NEVER))
        self._last = np.maximum(self._last, np.where(later._right > 0, later._last + rows, -1))
        self._off.merge(later._off, rows)

    @property
    def digits(self) -> int:
        """To how many decimals amounts may be rounded.

        To those that the log has; but to fewer than two only where stakes are large beside such a place, as
        in currencies that have no smaller one. Else 1.9 would pass for 1.98.
        """
        if self._written < _CENTS and self._most < _LARGE * 10 ** (DECIMALS - self._written):
            return _CENTS
        return self._written

    @property
    def profits(self) -> bool:
        """Whether the payouts are profits: what came back, less the stake."""
        right = int(self._as_profit[self.digits + 1 :].sum())
        return self._negative > 0 and right == self.compared

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return rows that weren't paid what they are due, and the pay table that the log implies."""
        wrong = int(self._rounded[: self.digits + 1].sum())
        found = []
        if wrong and not self.profits:
            rows = np.sort(np.concatenate(self._rows[: self.digits + 1])[:, 0])[:KEPT_ROWS]
            hint = ""
            if int(self._as_profit[self.digits + 1 :].sum()) >= wrong:
                hint = "; with the stake added they would be, so that the column may have profits"
            text = (
                f"{wrong:,} of {self.compared:,} rows weren't paid what the bet pays of their outcome and "
                f"stake{hint}. {self._rounding()}"
            )
            figure = {"compared": self.compared, "decimals": self.digits, "rounding": self._way()}
            found.append(
                Finding("payout_mismatch", "proof", text, tuple(rows.tolist()), wrong, figure, fields=FIELDS)
            )
            table = self._table()
            if table is not None:
                found.append(table)
        kept = float(Fraction(self.rounded, self.claim.unit * self.claim.bets * max(self._staked, 1)))
        if kept > _LOSS and not self.profits:
            place = amount_text(10.0**-self.digits)
            text = f"Payouts are rounded down to {place}, which keeps {kept:.2%} of all stakes."
            found.append(Finding("payout_mismatch", "note", text, figure={"kept": kept}, fields=FIELDS))
        return found

    @property
    def withheld(self) -> int:
        """What rows were due beyond what they were paid, in parts of a unit, beyond rounding."""
        return 0 if self.profits else sum(self._kept_by_level[: self.digits + 1])

    @property
    def rounded(self) -> int:
        """The same where rounding explains it."""
        return sum(self._kept_by_level[self.digits + 1 :])

    def unknown(self) -> list[str]:
        """Return why payouts can't be compared."""
        if not self.compared:
            return ["no stakes and payouts: what was paid can't be compared with the bet"]
        if not self.claim.says_returns:
            return [
                "what a hand brings back depends on how it is played: returns can't be tested, and of "
                "payouts only whether the bet can bring back such an amount"
            ]
        if self.profits:
            return [
                "payouts agree with the bet as profits, without the stake: returns were taken from outcomes"
            ]
        return []

    def _way(self) -> str:
        """Return how amounts are rounded."""
        rounded = self._rounded[self.digits + 1 :]
        if not rounded.sum():
            return "none"
        near = int(rounded[:, self.digits + 1 :].sum()) == int(rounded.sum())
        less, more = int(rounded[..., 0].sum()), int(rounded[..., 1].sum())
        if near:
            return "nearest" if more else "down or nearest"
        return "both" if less and more else "up" if more else "down"

    def _rounding(self) -> str:
        way = self._way()
        place = amount_text(10.0**-self.digits)
        said = {
            "none": "No amount had to be rounded",
            "nearest": f"The others agree, rounded to the nearest {place}",
            "down or nearest": f"The others agree, rounded down, or to the nearest {place}",
            "down": f"The others agree, rounded down to {place}",
            "up": f"The others agree, rounded up to {place}",
            "both": f"The others agree within {place}",
        }
        return f"{said[way]}."

    def _table(self) -> Finding | None:
        """Return how the pay table of the log differs from the claimed one, where it does so regularly."""
        keys, columns = self._off.keys, self._off.columns
        wrong = keys % 16 <= self.digits  # by one more than the level
        lines: list[dict[str, Any]] = []
        numbers: list[int] = []
        for line in np.unique(keys[wrong] // 16).tolist():
            those = wrong & (keys // 16 == line)
            value = {name: column[those] for name, column in columns.items()}
            bets = int(value["bets"].sum())
            implied = _ratio(value)
            spread = float(value["highest"].max() - value["lowest"].min())
            place = 10 ** (DECIMALS - self.digits)
            label, claimed = self.claim.table_lines[line]
            # Rows that agree by their rounding alone may agree with the other table, too.
            right, first, last = (int(each[line]) for each in (self._right, self._first, self._last))
            begin, end = int(value["first"].min()), int(value["last"].max())
            # Where rows as claimed come between, nothing tells a table and its rounding from odd amounts.
            between = right and first < end and last > begin
            rounding = 0.0 if between else 2 * place / float(value["least"].min())
            highest = float(value["highest"].max()) + (0.0 if between else place / float(value["most"].max()))
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
        when = ""
        if claimed_rows:
            if all(one["last_as_claimed"] < begin for one in claimed_rows):
                when = f" from row {begin:,} on"
            elif all(one["first_as_claimed"] > end for one in claimed_rows):
                when = f" up to row {end:,}"
            else:
                when = " in some rows"
        lines.sort(key=lambda one: -one["rows"])
        shown = ", ".join(
            f"{amount_text(one['implied'])} instead of {amount_text(one['claimed'])} for {_called(one)}"
            for one in lines[:_SHOWN]
        )
        more = f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
        kept = np.concatenate(self._rows[: self.digits + 1])
        rows = np.sort(kept[np.isin(kept[:, 1], numbers), 0])[:KEPT_ROWS]
        pays = {one["outcome"]: one["implied"] for one in lines}
        table = [
            {"outcome": label, "claimed": float(due), "implied": pays.get(label, float(due))}
            for label, due in self.claim.table_lines
        ]
        figure: dict[str, Any] = {
            "lines": lines,
            "table": table,
            "from_row": begin if when.endswith(" on") else None,
            "claimed_return": self.claim.law.mean(),
        }
        if not self.claim.bets > 1 and len(table) == len(self.claim.values):
            chances = self.claim.values.probabilities
            figure["implied_return"] = float(chances @ np.array([one["implied"] for one in table]))
        text = f"The pay table of the log isn't the claimed one{when}: it pays {shown}{more}."
        count = sum(one["rows"] for one in lines)
        return Finding("paytable_differs", "proof", text, tuple(rows.tolist()), count, figure, fields=FIELDS)


def _first(rows: np.ndarray, more: np.ndarray) -> np.ndarray:
    """Return the first rows of both, by their positions."""
    both = np.concatenate([rows, more])
    return both[np.argsort(both[:, 0], kind="stable")][:KEPT_ROWS]


def _ratio(value: dict[str, np.ndarray]) -> float:
    paid, staked = (
        (int(value[f"{name}_high"].sum()) << 32) + int(value[f"{name}_low"].sum())
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


def _called(line: dict[str, Any]) -> str:
    outcome = line["outcome"]
    return f"outcome {outcome:g}" if isinstance(outcome, float) else f"outcome {outcome}"


class Returns(Check):
    """What bets brought back, against its exact law: all together, by stake, by hour of day, by player."""

    def __init__(self, claim: Claim, payments: Payments) -> None:
        self.claim, self._payments = claim, payments
        self.bets = self._parts = 0
        self._paid = 0
        sums: dict[str, How] = {"bets": "sum", "parts": "sum"}
        self._hours = Groups(sums)
        self._players = Groups(sums | {"first": "first"}, most=_PLAYERS)
        self._names: dict[int, str] = {}
        staked: dict[str, How] = {"staked_high": "sum", "staked_low": "sum", "least": "min", "most": "max"}
        self._octaves = Groups(sums | staked | {"first": "first"})
        """By the power of two that is the next above the stake."""
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
        if settled.money is not None and settled.money.first is not None:
            columns = dict(settled.money.octaves)
            self._octaves.add(columns.pop("bits"), **columns)
            self._first = min(self._first, settled.money.first)
            self._paid += settled.money.returned
        if records.has("player"):
            self._add_players(records, settled)

    def _add_players(self, records: Records, settled: Settled) -> None:
        prints = records.print("player")[settled.rows]
        there = rows_of(prints != b"")
        keys, places, known = prints[there], settled.places[there], self._players.keys
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
        columns = self._octaves.columns
        return int(columns["least"].min(initial=_NEVER)) % _NEVER, int(columns["most"].max(initial=0))

    def _all(self, against: Against) -> list[Finding]:
        law, expected = self.claim.law, against.mean
        returned = Fraction(self._parts, self._unit)
        least, most = self._stakes
        if least == most and least:
            returned -= Fraction(self._payments.withheld, self._unit * least)
        each = float(returned) / self.bets
        figure = {"bets": self.bets, "returned": each, "expected": expected, "stakes": "each bet as one"}
        text = (
            f"{self.bets:,} bets brought back {each:.6g} of a stake on average, where the claimed law says "
            f"{expected:.6g}."
        )
        low, high = (sum_pvalue(law, self.bets, returned, side) for side in ("less", "greater"))
        found = _both((low, high), text, figure)
        if least == most or self._payments.profits:
            return found
        classes = [
            np.array(values, np.float64)
            for values in (
                *(self._octaves.columns[name] for name in ("bets", "least", "most")),
                totals(self._octaves.columns, "staked"),
            )
        ]
        staked = sum(totals(self._octaves.columns, "staked"))
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
        text = (
            f"Of all stakes, {amount_text(staked / UNIT)} together, {share:.6g} came back, where the claimed "
            f"law says {expected:.6g}."
        )
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
        from_stake = int(columns["least"][place:].min()) / UNIT
        listed = zip(*(columns[name].tolist() for name in ("least", "bets", "parts")), strict=True)
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
        text = (
            f"{bets:,} bets of {amount_text(from_stake)} or more brought back {each:.6g} of the stake on "
            f"average, where the claimed law says {against.mean:.6g}."
        )
        rows = (int(columns["first"][place:].min()),)
        return [_evidence("return_by_stake", float(weighed[place]), text, figure, rows, bets)]

    def _stands_out(self, against: Against, bets: np.ndarray, back: np.ndarray) -> np.ndarray:
        """Return p-values of groups that return too little or too much, if all others don't just as much."""
        others = against.apart(bets, back, self.bets, self._parts / self._unit)
        found: np.ndarray = np.maximum(against.pvalues(bets, back), others)
        return found

    def _by_hour(self, against: Against) -> list[Finding]:
        # Of any stretch of the day: as many hours from each hour on.
        hours = np.zeros((2, _HOURS), np.int64)
        hours[:, self._hours.keys] = self._hours.columns["bets"], self._hours.columns["parts"]
        sums = np.concatenate([np.zeros((2, 1), np.int64), hours, hours], axis=1).cumsum(axis=1)
        parts = []
        for length in _STRETCHES:
            for hour in range(_HOURS):
                bets, back = (sums[:, hour + length] - sums[:, hour]).tolist()
                if bets:
                    parts.append((f"{hour:02}:00-{(hour + length) % _HOURS:02}:00", bets, back))
        (found,) = self._groups("return_by_hour", "the hours {} (UTC)", parts, against, None)
        each = [
            {"hour": hour, "bets": int(bets), "returned": float(back) / self._unit / int(bets)}
            for hour, (bets, back) in enumerate(hours.T.tolist())
            if bets
        ]
        return [replace(found, figure={**found.figure, "by_hour": each})]

    def _by_player(self, against: Against) -> list[Finding]:
        columns = self._players.columns
        names = [self._names.get(key, "") for key in self._players.keys.tolist()]
        parts = list(zip(names, columns["bets"].tolist(), columns["parts"].tolist(), strict=True))
        return self._groups("return_by_player", "player {}", parts, against, columns["first"])

    def _groups(
        self,
        kind: str,
        named: str,
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
        text = (
            f"{bets[worst]:,} bets of {named.format(groups[worst][0])} brought back {each:.6g} of a stake on "
            f"average, where the claimed law says {against.mean:.6g}."
        )
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
