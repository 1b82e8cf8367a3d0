"""Payments in one currency beside those due, kept by level until the log's rounding is known.

Whether 1.98 paid as 1.9 is a defect depends on the currency's last decimal, and a log doesn't say that
one: the most decimals seen anywhere in it are the best guess, known only after the last row. Keeping all
rows until then would take memory without bound. So each row that differs is counted at once under a key
from which every question can be answered later: its *level*, the number of decimals to which paid and due
agree; the level of twice the difference (which tells rounding to the nearest from truncation); and the
side. At the end the decimals split the levels in two: up to them is wrong, beyond them is rounding.

All sums are integers in parts of the smallest unit: doubles would lose cents in logs of 10^9 rows. The
engine adds in 64 bits and clips what doesn't fit; those rare rows are added once more here as Python's
integers.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.numbers import exact_sums
from provably_fair._engine import amount_levels
from provably_fair.bets.rounding import MoneyRounding
from provably_fair.distribution import Distribution

from .amounts import AGREES, DECIMALS, FAR, LEVELS, UNIT, amount_of
from .finding import KEPT_ROWS
from .rounding import WAYS, PlayersRounding, Ways
from .stakes import PlayedStakes, Stakes
from .sums import Counted, Groups, halves, totals

if TYPE_CHECKING:
    from .claims import Currency, Money, Settled

_CENTS = 2
_LARGE = 100
_NEAR = 4e-13
"""The relative error of profits whose digits doubles don't hold."""
_COARSE = 2**53
"""From so many units on, the engine counts amounts in hundredths."""
_HALF = 5e5
"""Units in half a hundredth."""
_SHARES = 10**9
_MOST_SHARES = 10**15
_LINE = 16
"""Lines of the paytable are counted in steps of as many, which have room for a level."""


class OddRows(NamedTuple):
    """Rows with wrong payouts, and the line of the paytable of each; -1 without one."""

    places: np.ndarray
    lines: np.ndarray

    @classmethod
    def joined(cls, parts: Iterable[OddRows]) -> OddRows:
        """Return the rows of all parts."""
        places, lines = zip(*parts, strict=True)
        return cls(np.concatenate(places), np.concatenate(lines))

    def first(self) -> OddRows:
        """Return the first of these rows, by their positions."""
        order = np.argsort(self.places, kind="stable")[:KEPT_ROWS]
        return OddRows(self.places[order], self.lines[order])


class Kept(NamedTuple):
    """The operator's gain by rounding: the amount, its share of all stakes, and the share per bet."""

    amount: float
    share: float
    each: float


class Differences(Counted):
    """Differences of payouts from those due, by the levels that their `Ways` have."""

    state = ("rows", "kept", "shares")

    def __init__(self) -> None:
        # Rows that were paid less than due, and more, by the levels of the difference and of twice it
        self.rows = np.zeros((2, LEVELS, LEVELS), np.int64)
        self.kept = np.zeros((2, LEVELS), object)  # the shortfall of payouts by level, in parts of a unit
        self.shares = np.zeros((2, LEVELS), object)  # the same per stake, in billionths

    def add(self, ways: Ways, kept: list[int], share: np.ndarray) -> None:
        """Add rows: their ways, the shortfall by side and level, and each row's as a share of the stake."""
        self.rows += bincount(ways.codes, minlength=WAYS).reshape(self.rows.shape)
        self.kept += np.array(kept, object).reshape(2, LEVELS)
        parts = np.rint(np.clip(share * _SHARES, -_MOST_SHARES, _MOST_SHARES)).astype(np.int64)
        self.shares += np.array(exact_sums(ways.levels, parts, 2 * LEVELS), object).reshape(2, LEVELS)


class Ledger(Counted):
    """Rows of one currency that are counted on one scale.

    Unless the currency determines the rounding, it is only known at the end, from the smallest decimal place
    that the log uses. So differences are counted by the number of decimals to which amounts agree.
    """

    state = (
        "compared",
        "staked",
        "_given_back",
        "_unprofited_due",
        "returned",
        "unprofited",
        "played",
        "loose",
        "_single",
        "_doubted",
        "_differences",
        "by_player",
        "_profits",
        "_exact_profits",
        "_off",
    )

    def __init__(self, unit: int, currency: Currency, scale: int) -> None:
        self._unit = unit
        self.currency: Currency = currency
        self.scale: int = scale
        self.compared: int = 0
        self.staked: int = 0
        self._written = 0  # the largest number of decimals of an amount in the log
        self._most = 0  # the largest stake
        self._differences = Differences()
        self._given_back = 0  # payouts due beyond stakes that were returned, in parts of a unit
        self._unprofited_due = 0  # payouts due for stakes that were returned if payouts are profits
        self.returned: Stakes = Stakes()  # stakes that were returned
        self.unprofited: Stakes = Stakes()  # the same if payouts are profits
        self.played: PlayedStakes = PlayedStakes()  # the stakes of all rows, as written
        self.loose: int = 0  # the number of rows that agree but for more than a unit, see `Payouts`
        self._single = 0  # the number of rows that agree but for what 32-bit floats round
        # The rows that differ by more, by the level of the difference, and of what of it is certain
        self._doubted = np.zeros((LEVELS, LEVELS), np.int64)
        self.by_player: PlayersRounding = PlayersRounding()
        # The same of rows that aren't paid what is due, as profits; and how many of them are exact
        self._profits = Differences()
        self._exact_profits = 0
        # The first rows by their level
        self._rows = [OddRows(np.zeros(0, np.int64), np.zeros(0, np.int64))] * LEVELS
        self._off = Groups(
            {
                **dict.fromkeys(("bets", "paid_high", "paid_low", "staked_high", "staked_low"), "sum"),
                **dict.fromkeys(("least", "lowest"), "min"),
                **dict.fromkeys(("most", "highest"), "max"),
                "first": "first",
                "last": "last",
            }
        )

    def add(self, money: Money, settled: Settled, players: np.ndarray | None = None) -> None:
        """Add rows of a batch, and fingerprints of the settled rows' players, if known."""
        compared = money.compared
        self.compared += int(compared.octaves["bets"].sum())
        self.staked += sum(totals(compared.octaves, "staked"))
        self._written = max(self._written, compared.decimals)
        self._most = max(self._most, int(compared.octaves["most"].max()))
        self.played.add(compared.played)
        self.loose += compared.loose
        for stakes, back in ((self.returned, money.returned), (self.unprofited, money.unprofited)):
            if back is not None:
                stakes.add(back, self.scale)
        odd = compared.odd
        if settled.unprofited is not None and odd["row"].size:
            self._unprofited_due += self._total_kept(odd, settled, settled.unprofited[odd["row"]])
        if settled.returned is not None and odd["row"].size:
            back = settled.returned[odd["row"]]
            self._given_back += self._total_kept(odd, settled, back)
            odd = {name: column[~back] for name, column in odd.items()}
        if odd["row"].size:
            within = np.abs(odd["off"]) <= odd["doubt"]
            self._single += int(within.sum())
            odd = {name: column[~within] for name, column in odd.items()}
        if odd["row"].size:
            self._add_odd(odd, settled, players)

    def _add_odd(self, odd: dict[str, np.ndarray], settled: Settled, players: np.ndarray | None) -> None:
        rows, stakes, paid, off, level = (odd[name] for name in ("row", "stake", "paid", "off", "level"))
        unit, places, due = self._unit, settled.places[rows], settled.parts[rows]
        doubt = odd["doubt"]
        if doubt.any():
            # The part of a difference that is certain has its sign, and is explained by what explains it all.
            off = np.sign(off) * (np.abs(off) - doubt)
            doubted, level = level, amount_levels(off, unit)
            np.add.at(self._doubted, (doubted + 1, level + 1), 1)
        bets = np.ones(rows.size, np.int64) if settled.bets is None else settled.bets[rows]
        if settled.bets is not None:
            off = np.sign(off) * (np.abs(off) // bets)
            level = amount_levels(off, unit)
        ways, share = self._ways(off, level, due), due / unit - paid / stakes
        level = ways.level
        self._differences.add(ways, self._exact_kept(odd, settled, ways.levels), share)
        if players is not None and not self.currency.converted:
            self.by_player.add(players[rows], ways, share, places)
        profit = odd["off"] - stakes * unit
        for row in np.flatnonzero((np.abs(odd["off"]) >= FAR) | (stakes >= FAR // unit)).tolist():
            apart = int(stakes[row]) * (int(due[row]) - unit) - int(paid[row]) * unit
            profit[row] = max(-FAR, min(apart, FAR))
        if self.scale:
            coarse = _HALF * (np.maximum(stakes, np.abs(paid)) >= _COARSE)
            near = (stakes * _NEAR + 2) * unit + coarse * (unit + np.abs(due - unit))
            doubt = doubt + np.minimum(near, FAR).astype(np.int64)
        profit = np.sign(profit) * np.maximum(np.abs(profit) - doubt, 0)
        played = np.ones(rows.size, bool) if settled.unprofited is None else ~settled.unprofited[rows]
        self._exact_profits += int((played & (profit == 0)).sum())
        played &= profit != 0
        profit = profit[played]
        each = np.sign(profit) * (np.abs(profit) // bets[played])
        ways = self._ways(each, amount_levels(each, unit), due[played])
        kept = exact_sums(ways.levels, profit, 2 * LEVELS)
        self._profits.add(ways, kept, profit / unit / stakes[played])
        which = np.full(rows.size, -1) if settled.lines is None else settled.lines[rows]
        for one in np.flatnonzero(bincount(level + 1)).tolist():
            earlier, new = self._rows[one], level == one - 1
            if len(earlier.places) < KEPT_ROWS or places[new].min() < earlier.places[-1]:
                self._rows[one] = OddRows.joined([earlier, OddRows(places[new], which[new])]).first()
        if settled.lines is not None:
            each = paid / stakes
            self._off.add(
                which * _LINE + level + 1,
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

    def _ways(self, off: np.ndarray, level: np.ndarray, due: np.ndarray) -> Ways:
        """Return the ways in which payouts differ, by the differences and their levels."""
        if self.currency.converted and self.currency.decimals is not None:
            # The stake is rounded as well: the payout due is uncertain by up to one last place of it.
            place = 10 ** max(DECIMALS - self.currency.decimals, 0)
            beyond = amount_levels(np.maximum(np.abs(off) - np.abs(due) * place, 0), self._unit)
            level = np.maximum(level, np.minimum(beyond, min(self.currency.decimals, DECIMALS)))
        return Ways(level, amount_levels(2 * np.minimum(np.abs(off), FAR) - 1, self._unit), off < 0)

    def _total_kept(self, odd: dict[str, np.ndarray], settled: Settled, those: np.ndarray) -> int:
        """Return the shortfall of some of these payouts, in parts of a unit."""
        some = {name: column[those] for name, column in odd.items()}
        return sum(self._exact_kept(some, settled, np.zeros(len(some["row"]), np.int64)))

    def _exact_kept(self, odd: dict[str, np.ndarray], settled: Settled, groups: np.ndarray) -> list[int]:
        """Return the shortfall of each group's payouts, in parts of a unit."""
        sums = exact_sums(groups, odd["off"], 2 * LEVELS)
        for row in np.flatnonzero(np.abs(odd["off"]) >= FAR).tolist():  # the engine truncates these
            due = int(odd["stake"][row]) * int(settled.parts[odd["row"][row]])
            sums[groups[row]] += due - int(odd["paid"][row]) * self._unit - int(odd["off"][row])
        return sums

    def merge(self, later: Ledger, rows: int) -> None:
        """Append the state of later rows."""
        super().merge(later, rows)
        self._written = max(self._written, later._written)
        self._most = max(self._most, later._most)
        self._rows = [
            OddRows.joined([mine, other._replace(places=other.places + rows)]).first()
            for mine, other in zip(self._rows, later._rows, strict=True)
        ]

    @property
    def digits(self) -> int:
        """The decimals to which amounts may be rounded, on this scale.

        To those of the currency, or else to those that the log has; and to these as well where all rows
        agree to them alone, as with whole forints, or cents for dollars. But to fewer than two only where
        stakes are large beside such a place: else 1.9 is 1.98, rounded.
        """
        return self._stated if self.others is None else self.others

    @property
    def others(self) -> int | None:
        """The decimals to which all rows agree, if they don't all agree to those of the currency."""
        if not self._wrong(self._stated) or self._wrong(self._written) or self._is_small:
            return None
        return self._written

    @property
    def _stated(self) -> int:
        decimals = self.currency.decimals
        if decimals is not None or self.scale:
            return min((decimals or 0) + self.scale, AGREES if self.scale else DECIMALS)
        return _CENTS if self._written < _CENTS and self._is_small else self._written

    @property
    def _is_small(self) -> bool:
        """Whether all stakes are small relative to the last place in the log."""
        return self._most < _LARGE * int(10 ** (DECIMALS - self._written))

    def _wrong(self, digits: int) -> int:
        """Return the number of rows that disagree at a number of decimals."""
        return int(self._differences.rows[:, : digits + 1].sum())

    @property
    def place(self) -> float:
        """The last place that amounts are rounded to."""
        return float(10.0 ** (self.scale - self.digits))

    @property
    def wrong(self) -> int:
        """The number of rows with wrong payouts."""
        return self._wrong(self.digits)

    @property
    def single(self) -> int:
        """The number of rows that would be wrong, were it not for what 32-bit floats round."""
        beyond = self.digits + 1
        return self._single + int(self._doubted[:beyond, beyond:].sum())

    @property
    def right_as_profit(self) -> int:
        """The number of wrong payouts that are right as profits, without the stake."""
        found = self.as_profits
        return self._exact_profits + int(found._differences.rows.sum()) - found.wrong

    @property
    def as_profits(self) -> Ledger:
        """These rows with payouts read as profits, without the stake; by player nothing is known of them."""
        found = copy(self)
        found._differences, found.by_player = self._profits, PlayersRounding()
        return found

    @property
    def rows(self) -> OddRows:
        """The first rows with wrong payouts."""
        return OddRows.joined(self._rows[: self.digits + 1])

    @property
    def withheld(self) -> int:
        """The total shortfall of payouts beyond rounding and returned stakes, in parts of 1e-8."""
        return int(self._differences.kept[:, : self.digits + 1].sum()) * int(10**self.scale)

    @property
    def given_back(self) -> int:
        """Payouts due beyond the returned stakes, in parts of 1e-8."""
        return self._given_back * int(10**self.scale)

    def refunds(self, profits: bool) -> tuple[Stakes, int]:
        """Return the returned stakes, and what is due beyond them, where payouts are profits or aren't."""
        if not profits:
            return self.returned, self.given_back
        due = self._unprofited_due * int(10**self.scale)
        return self.unprofited, due - self.unprofited.staked * self._unit

    @property
    def rounded(self) -> int:
        """The total shortfall that rounding explains, in parts of 1e-8."""
        return int(self._differences.kept[:, self.digits + 1 :].sum()) * int(10**self.scale)

    @property
    def kept(self) -> Kept:
        """The operator's gain by rounding.

        If no single rule explains the rounding, amounts rounded up don't offset those rounded down.
        """
        sides, beyond = 1 if self.mixed else 2, self.digits + 1
        both = (self._differences.kept, self._differences.shares)
        kept, shares = (int(sums[:sides, beyond:].sum()) for sums in both)
        return Kept(
            amount_of(kept * int(10**self.scale), self._unit * UNIT),
            kept / (self._unit * max(self.staked, 1)),
            shares / (_SHARES * max(self.compared, 1)),
        )

    @property
    def _rounded(self) -> list[list[int]]:
        """Numbers of rows rounded down and up, by less than half of the last place; the same by more."""
        beyond = self.digits + 1
        by_doubled = self._differences.rows[:, beyond:].sum(axis=1)
        return [part.sum(axis=1).tolist() for part in (by_doubled[:, beyond:], by_doubled[:, :beyond])]

    @property
    def mixed(self) -> bool:
        """Whether no single rule explains which amounts are rounded down and which up; see `rounding`."""
        near, far = self._rounded
        return not self.currency.converted and bool((near[0] and far[1]) or (far[0] and near[1]))

    def exact_return(self, law: Distribution) -> Fraction | None:
        """Return the exact return of the stakes that were played, by the one rule that rounds payouts.

        None where there is none: amounts were converted, or rounded in both directions.
        """
        way = {"down": "down", "down or nearest": "down", "nearest": "half_up", "up": "up"}.get(self.way)
        if way is None or self.currency.converted or self.mixed or self.digits < 0:
            return None
        return self.played.exact_return(law, MoneyRounding(Fraction(10**self.scale, 10**self.digits), way))

    @property
    def way(self) -> str:
        """The rule by which amounts are rounded."""
        near, far = self._rounded
        down, up = map(sum, zip(near, far, strict=True))
        if not down + up:
            return "none"
        if not sum(far):
            return "nearest" if up else "down or nearest"
        return "both" if down and up else "up" if up else "down"

    def odd_lines(self) -> dict[int, dict[str, np.ndarray]]:
        """Return wrong payouts by line of the paytable."""
        keys, columns = self._off.keys, self._off.columns
        wrong = keys % _LINE <= self.digits  # keys end in the level plus 1
        found = {}
        for line in np.unique(keys[wrong] // _LINE).tolist():
            those = wrong & (keys // _LINE == line)
            found[line] = {name: column[those] for name, column in columns.items()}
        return found
