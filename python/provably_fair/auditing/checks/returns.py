"""The returns of bets, against the exact law: in total, by stake, by hour of day and by player.

Sums are kept by the power of two above the stake, and the scale: whether large bets lose is asked from each
power on, so a threshold of the operator's is met within a factor of two, and few sums are enough. Those by
the hour of the day give any stretch of a day by adding; players are kept by fingerprint. Of few different
stakes each is looked at by itself as well: one that is set when the result is known wins too often or too
rarely.

Returns are exact: a stake of 1 is due a whole number of parts, of which the claim's `unit` make 1, and the
sum of parts has an exact law. Where stakes vary, that law is the one of the bets by themselves, each as one;
in money the bound of `evidence` holds for any stakes that don't depend on outcomes to come.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.counts import as_places
from provably_fair._engine import MOST_PLAYED, run_starts, sum_by_hour
from provably_fair.distribution.moments import mean_of
from provably_fair.verification import VerificationReport

from ..amounts import DECIMALS, Bets, Payouts, amount_of
from ..check import Check
from ..claims import Apart, Claim, Settled, amount_text
from ..evidence import Against, Sides, sum_pvalue
from ..finding import Finding
from ..records import Records, whole
from ..stakes import PlayedStakes, Stakes
from ..sums import Groups, How, rows_of
from .payments import Payments
from .wording import evidence, on_average, told

_MONEY = "Payouts are {each:.6g} of all stakes{total}{due}; the claimed law's mean is {mean:.6g}."
_DUE = ", with what was due where the payout isn't that of the bet"
_GROUPS = {
    "return_by_stake": "bets of {} or more",
    "return_by_amount": "bets of {}",
    "return_by_hour": "bets at {} UTC",
    "return_by_player": "bets of player {}",
}

_HOURS = 24
_LENGTHS = (1, 2, 3, 4, 6, 8, 12)
_PLAYERS = 10_000
_LONGEST_NAME = 200


class _Group(NamedTuple):
    """A group of bets: its name, their number, the total due, and the first row."""

    name: str
    bets: int
    parts: int
    first: int | None = None


class ReturnChecks(Check):
    """The returns of bets, against the exact law: in total, by stake, by hour of day and by player."""

    state = ("bets", "_parts", "_paid", "_compared", "_others", "_played", "_due", "_hours", "_players")

    def __init__(self, claim: Claim, payments: Payments) -> None:
        self.claim: Claim = claim
        self._payments = payments
        self.bets: int = 0
        self._parts = 0
        self._paid = 0
        sums: dict[str, How] = {"bets": "sum", "parts": "sum"}
        self._hours = np.zeros((2, _HOURS), np.int64)
        """The number of bets by hour of the day, and the returns due on stakes of 1, in parts."""
        self._players = Groups(sums | {"first": "first"}, most=_PLAYERS)
        self._names: dict[int, str] = {}
        # The stakes of bets whose payouts are compared, and those of others: their payout isn't known, or is
        # nearer to that of another bet. Which bets these are depends on outcomes, so they count as well.
        self._compared, self._others = Stakes(), Stakes()
        self._played = PlayedStakes()  # of the others
        self._due = 0  # for the others, in parts of a unit

    @property
    def _stakes(self) -> Stakes:
        """All stakes, if any payout is compared."""
        found = Stakes()
        for stakes in (self._compared, self._others) if self._compared.bets else ():
            found.merge(stakes, 0)
        return found

    def _add_others(self, apart: Apart | None) -> None:
        if apart is None or apart.parts is None:
            return
        none, possible = np.zeros(len(apart.parts)), np.ones(len(apart.parts), bool)
        rows = Bets(apart.places, apart.stakes, none, possible, apart.parts, self.claim.whole)
        left, scale = np.flatnonzero(apart.staked), 0
        while len(left):
            compared = Payouts.of(rows.some(left, scale))
            self._others.add(compared, scale)
            self._played.add(compared.played)
            left, scale = left[compared.apart], scale + DECIMALS
        self._due += apart.due

    def update(self, records: Records) -> None:
        settled = self.claim.settle(records)
        parts = settled.parts
        if not len(parts):
            return
        self.bets += len(parts)
        self._parts += settled.total
        if records.has("time"):
            times, there = (values[settled.rows] for values in records.times["time"])
            hours, bets, back = sum_by_hour(times, there, parts)
            self._hours[:, hours] += bets, back
        for money in settled.money:
            self._compared.add(money.compared, money.scale)
            self._paid += money.compared.returned * 10**money.scale
        for apart in (*settled.apart, settled.aside):
            self._add_others(apart)
        if records.has("player"):
            self._add_players(records, settled)

    def _add_players(self, records: Records, settled: Settled) -> None:
        fingerprints = records.fingerprints("player")[settled.rows]
        starts = run_starts([fingerprints])
        keys = fingerprints[starts]
        sums = {
            "bets": np.diff(starts, append=len(fingerprints)),
            "parts": np.add.reduceat(settled.parts, as_places(starts)),
        }
        there = rows_of(keys[:, 0] != 0)
        columns = {name: column[there] for name, column in (sums | {"first": settled.places[starts]}).items()}
        added = self._players.add(whole(keys[there]), **columns)
        added = added.some(rows_of(self._players.keeps(added.keys)))
        rows = np.searchsorted(records.places, added.columns["first"])
        for key, row in zip(added.keys.tolist(), rows.tolist(), strict=True):
            if key not in self._names:
                self._names[key] = records.text("player", row)[:_LONGEST_NAME]
        if len(self._names) > 2 * _PLAYERS:
            self._names = {key: self._names[key] for key in self._players.keys.tolist()}

    def merge(self, later: Any, rows: int) -> None:
        super().merge(later, rows)
        names = later._names | self._names
        self._names = {key: names[key] for key in self._players.keys.tolist()}

    def findings(self, verified: VerificationReport) -> list[Finding]:
        if not self.bets:
            return []
        against = Against(self.claim.law)
        found = self._all(against)
        found += self._by_stake(against)
        found += self._by_amount(against)
        if self._hours[0].any():
            found.append(self._by_hour(against))
        if len(self._players.keys) > 1:
            found.append(self._by_player(against))
        return found

    def unknown(self) -> list[str]:
        if not self.bets:
            return []
        (least, most), players = self._stakes.extremes, self._players
        said = {
            "all stakes are the same: whether large bets lose more can't be seen": least == most > 0,
            f"more than {MOST_PLAYED:,} different stakes: whether stakes were set when the result was known "
            "is seen from totals alone": most and self._payments.played is None,
            "no times of bets: returns by hour of day can't be seen": not self._hours[0].any(),
            "no players: returns by player can't be seen": not len(players.keys),
            f"of more than {_PLAYERS:,} players {_PLAYERS:,} were looked at one by one": players.left_out,
        }
        return told(said)

    def _all(self, against: Against) -> list[Finding]:
        law, expected = self.claim.law, against.mean
        returned = Fraction(self._parts, self.claim.whole)
        stakes = self._stakes
        least, most = stakes.extremes
        if least == most and least:
            returned -= Fraction(self._payments.withheld, self.claim.whole * least)
        each = float(returned) / self.bets
        figure = {"bets": self.bets, "returned": each, "expected": expected, "stakes": "each bet as one"}
        text = on_average(self.bets, "bets", each, expected)
        sides = Sides(*(sum_pvalue(law, self.bets, returned, side) for side in ("less", "greater")))
        found = _both(sides, text, figure)
        if least == most or self._payments.profits:
            return found
        staked = stakes.staked
        # Returned stakes count as what was due, as the others do: they have tests of their own.
        paid = self._paid + Fraction(self._payments.explained + self._due, self.claim.whole)
        mean = mean_of(law)
        share = float(paid / staked)
        figure = {
            "bets": stakes.bets,
            "staked": amount_of(staked),
            "returned": share,
            "expected": expected,
            "stakes": "in money",
        }
        total = "" if len(self._payments.currencies) > 1 else f" ({amount_text(amount_of(staked))} in total)"
        due = _DUE if self._payments.refunds or self._others.bets else ""
        text = _MONEY.format(each=share, total=total, due=due, mean=expected)
        return found + _both(stakes.pvalues(against, paid - mean * staked), text, figure)

    def _by_stake(self, against: Against) -> list[Finding]:
        stakes = self._stakes
        columns = stakes.columns
        classes = len(columns["bets"])
        if classes < 2:
            return []
        # Stakes from each class on. The j-th class to come up has a share of 1 / (j (j + 1)) of the level:
        # players who lost may stake more, so the number of classes depends on earlier outcomes.
        upper_bets, upper_parts = (columns[name][::-1].cumsum()[::-1] for name in ("bets", "parts"))
        pvalues = self._stands_out(against, upper_bets, upper_parts / self.claim.whole).low
        rank = np.argsort(np.argsort(columns["first"])) + 1.0
        weighed = np.where(np.arange(classes) > 0, pvalues * rank * (rank + 1), 1.0)
        place = int(np.argmin(weighed))
        bets, each = int(upper_bets[place]), float(upper_parts[place] / self.claim.whole / upper_bets[place])
        least = stakes.units("least")
        from_stake = amount_of(min(least[place:]))
        listed = zip(least, *(columns[name].tolist() for name in ("bets", "parts")), strict=True)
        figure = {
            "from_stake": from_stake,
            "bets": bets,
            "returned": each,
            "expected": against.mean,
            "by_stake": [
                {"from_stake": amount_of(stake), "bets": many, "returned": parts / self.claim.whole / many}
                for stake, many, parts in listed
            ],
        }
        group = _GROUPS["return_by_stake"].format(amount_text(from_stake))
        text = on_average(bets, group, each, against.mean)
        rows = (int(columns["first"][place:].min()),)
        return [evidence("return_by_stake", float(weighed[place]), text, figure, rows, bets)]

    def _by_amount(self, against: Against) -> list[Finding]:
        # A gambler may bet on the j-th stake to come up alone, since it is known before each of its bets. How
        # many there are depends on outcomes, but they are never more than this.
        played = PlayedStakes()
        for some in self._payments.played, self._played.each:
            played.add(some)
        groups = [_Group(amount_text(stake), *sums) for stake, *sums in sorted(played.each or ())]
        if len(groups) < 2:
            return []
        return [self._worst("return_by_amount", groups, against, MOST_PLAYED)]

    def _stands_out(self, against: Against, bets: np.ndarray, back: np.ndarray) -> Sides[np.ndarray]:
        """Return p-values of groups that return too little or too much, by law and compared with the rest."""
        own = against.pvalues(bets, back)
        others = against.apart(bets, back, self.bets, self._parts / self.claim.whole)
        return Sides(np.maximum(own.low, others.low), np.maximum(own.high, others.high))

    def _by_hour(self, against: Against) -> Finding:
        # Every part of the day: each number of hours from each hour on.
        bets, parts = self._hours
        groups = []
        for length in _LENGTHS:
            for hour in range(_HOURS):
                those = np.arange(hour, hour + length) % _HOURS
                many, back = int(bets[those].sum()), int(parts[those].sum())
                if many:
                    groups.append(_Group(f"{hour:02}:00-{(hour + length) % _HOURS:02}:00", many, back))
        found = self._worst("return_by_hour", groups, against, len(groups))
        each = [
            {"hour": hour, "bets": many, "returned": float(back) / self.claim.whole / many}
            for hour, (many, back) in enumerate(zip(bets.tolist(), parts.tolist(), strict=True))
            if many
        ]
        return replace(found, details={**found.details, "by_hour": each})

    def _by_player(self, against: Against) -> Finding:
        columns = (self._players.columns[name].tolist() for name in ("bets", "parts", "first"))
        names = [self._names.get(key, "") for key in self._players.keys.tolist()]
        groups = [_Group(*one) for one in zip(names, *columns, strict=True)]
        return self._worst("return_by_player", groups, against, len(groups))

    def _worst(self, kind: str, groups: list[_Group], against: Against, tried: int) -> Finding:
        """Return the test of the group with the most extreme return, of as many as were `tried`."""
        bets = np.array([group.bets for group in groups], np.int64)
        back = np.array([float(Fraction(group.parts, self.claim.whole)) for group in groups])
        pvalues = np.minimum(*self._stands_out(against, bets, back))
        order = np.argsort(pvalues, kind="stable")
        worst = int(order[0])
        # Corrected for all groups and both sides.
        pvalues = np.minimum(1.0, pvalues * (2 * tried))
        listed = [
            {
                "group": groups[place].name,
                "bets": groups[place].bets,
                "returned": back[place] / bets[place],
                "pvalue": float(pvalues[place]),
            }
            for place in order[:10].tolist()
        ]
        each = back[worst] / bets[worst]
        text = on_average(bets[worst], _GROUPS[kind].format(groups[worst].name), each, against.mean)
        first = groups[worst].first
        rows = () if first is None else (first,)
        figure = {"groups": len(groups), "expected": against.mean, "worst": listed}
        return evidence(kind, float(pvalues[worst]), text, figure, rows, int(bets[worst]))


def _both(pvalues: Sides[float], text: str, figure: dict[str, Any]) -> list[Finding]:
    kinds = ("return_low", "return_high")
    return [
        evidence(kind, pvalue, text, figure, (), figure["bets"])
        for kind, pvalue in zip(kinds, pvalues, strict=True)
    ]
