"""What was paid in one currency, beside what was due, until it is known how far its amounts are rounded.

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

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from provably_fair._core.numbers import exact_sums
from provably_fair.bets.rounding import MoneyRounding
from provably_fair.distribution import Distribution

from .amounts import AGREES, DECIMALS, UNIT, levels
from .finding import KEPT_ROWS
from .rounding import PlayersRounding, Unlike
from .stakes import PlayedStakes, Stakes
from .sums import Groups, halves, totals

if TYPE_CHECKING:
    from .claims import Money, Settled

LEVELS = AGREES + 2  # from -1 on
_CENTS = 2
_LARGE = 100
_FAR = 2**61
_SHARES = 10**9
_MOST_SHARES = 10**15
_SIDES = 2


class Ledger:
    """Rows of one currency that are counted on one scale.

    How far amounts are rounded is only known at the end, where no currency says it: by the smallest decimal
    place that the log uses. So what differs is counted by the number of decimals to which it agrees.
    """

    def __init__(self, unit: int, decimals: int | None, scale: int, converted: bool) -> None:
        self._unit, self._converted = unit, converted
        self.decimals: int | None = decimals
        self.scale: int = scale
        self.compared: int = 0
        self.staked: int = 0
        self._written = 0
        """The decimals that the log's amounts have."""
        self._most = 0
        """The largest stake."""
        self._rounded = np.zeros((LEVELS, LEVELS, 2), np.int64)
        """By the decimals to which it agrees, to which twice the difference does, and the side."""
        self._kept = [0] * (_SIDES * LEVELS)
        """By side and level what rows were due beyond what they were paid."""
        self._shares = [0] * (_SIDES * LEVELS)
        """The same with each stake as one, in billionths."""
        self._given_back = 0
        """The same of stakes that were given back."""
        self.returned: Stakes = Stakes()
        """The stakes that were given back."""
        self.played: PlayedStakes = PlayedStakes()
        """The stakes of all rows, as they are written."""
        self._by_player = PlayersRounding(self._rounded.shape)
        self._as_profit = np.zeros(LEVELS, np.int64)
        self._rows: list[np.ndarray] = [np.zeros((0, 2), np.int64)] * LEVELS
        """The first rows by their level, each with its line of the paytable."""
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
        """Take in rows of a batch, and the fingerprints of the settled rows' players, if there are any."""
        compared = money.compared
        self.compared += int(compared.octaves["bets"].sum())
        self.staked += sum(totals(compared.octaves, "staked"))
        self._written = max(self._written, compared.decimals)
        self._most = max(self._most, int(compared.octaves["most"].max()))
        self.played.add(money.stakes)
        if money.returned is not None:
            self.returned.add(money.returned, self.scale)
        odd = compared.odd
        if settled.returned is not None and odd["row"].size:
            back = settled.returned[odd["row"]]
            off = {name: column[back] for name, column in odd.items()}
            self._given_back += sum(self._exact_kept(off, settled, np.zeros(len(off["row"]), np.int64)))
            odd = {name: column[~back] for name, column in odd.items()}
        if odd["row"].size:
            self._add_odd(odd, settled, players)

    def _add_odd(self, odd: dict[str, np.ndarray], settled: Settled, players: np.ndarray | None) -> None:
        rows, stakes, paid, off, level = (odd[name] for name in ("row", "stake", "paid", "off", "level"))
        unit, places, due = self._unit, settled.places[rows], settled.parts[rows]
        if self._converted and self.decimals is not None:
            # The stake is rounded as well: what it was may be due up to a last place more or less.
            place = 10 ** max(DECIMALS - self.decimals, 0)
            beyond = levels(np.maximum(np.abs(off) - np.abs(due) * place, 0), unit)
            level = np.maximum(level, np.minimum(beyond, min(self.decimals, DECIMALS)))
        doubled = levels(2 * np.minimum(np.abs(off), _FAR) - 1, unit)
        side = (off < 0).astype(np.int64)
        kinds = np.ravel_multi_index((level + 1, doubled + 1, side), self._rounded.shape)
        self._rounded += np.bincount(kinds, minlength=self._rounded.size).reshape(self._rounded.shape)
        groups, share = side * LEVELS + level + 1, due / unit - paid / stakes
        self._kept = _added(self._kept, self._exact_kept(odd, settled, groups))
        parts = np.rint(np.clip(share * _SHARES, -_MOST_SHARES, _MOST_SHARES)).astype(np.int64)
        self._shares = _added(self._shares, exact_sums(groups, parts, _SIDES * LEVELS))
        if players is not None and not self._converted:
            self._by_player.add(players[rows], kinds, share, places)
        self._as_profit += np.bincount(levels(off - stakes * unit, unit) + 1, minlength=LEVELS)
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

    def _exact_kept(self, odd: dict[str, np.ndarray], settled: Settled, groups: np.ndarray) -> list[int]:
        """Return what rows of each group were due beyond what they were paid, in parts of a unit."""
        sums = exact_sums(groups, odd["off"], _SIDES * LEVELS)
        for row in np.flatnonzero(np.abs(odd["off"]) >= _FAR).tolist():  # which the engine cuts off
            due = int(odd["stake"][row]) * int(settled.parts[odd["row"][row]])
            sums[groups[row]] += due - int(odd["paid"][row]) * self._unit - int(odd["off"][row])
        return sums

    def empty(self) -> Ledger:
        """Return a ledger like this one, without rows."""
        return Ledger(self._unit, self.decimals, self.scale, self._converted)

    def merge(self, later: Ledger, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        self.compared += later.compared
        self.staked += later.staked
        self._written = max(self._written, later._written)
        self._most = max(self._most, later._most)
        self._rounded += later._rounded
        self._kept, self._shares = _added(self._kept, later._kept), _added(self._shares, later._shares)
        self._given_back += later._given_back
        self.returned.merge(later.returned, rows)
        self.played.merge(later.played)
        self._by_player.merge(later._by_player, rows)
        self._as_profit += later._as_profit
        self._rows = [
            _first(mine, other + np.array([rows, 0]))
            for mine, other in zip(self._rows, later._rows, strict=True)
        ]
        self._off.merge(later._off, rows)

    @property
    def digits(self) -> int:
        """To how many decimals amounts may be rounded, on this scale.

        To those of the currency, or else to those that the log has; and to these as well where all rows
        agree to them alone, as with whole forints, or cents for dollars. But to fewer than two only where
        stakes are large beside such a place: else 1.9 is 1.98, rounded.
        """
        return self._stated if self.others is None else self.others

    @property
    def others(self) -> int | None:
        """The decimals to which all rows agree, where they don't all agree to those of the currency."""
        if not self._wrong(self._stated) or self._wrong(self._written) or self._is_small:
            return None
        return self._written

    @property
    def _stated(self) -> int:
        if self.decimals is not None or self.scale:
            return min((self.decimals or 0) + self.scale, AGREES if self.scale else DECIMALS)
        return _CENTS if self._written < _CENTS and self._is_small else self._written

    @property
    def _is_small(self) -> bool:
        """Whether all stakes are small beside the last place that the log has."""
        return self._most < _LARGE * int(10 ** (DECIMALS - self._written))

    def _wrong(self, digits: int) -> int:
        """Return how many rows don't agree to a number of decimals."""
        return int(self._rounded[: digits + 1].sum())

    @property
    def place(self) -> float:
        """The last place that amounts are rounded to."""
        return float(10.0 ** (self.scale - self.digits))

    @property
    def wrong(self) -> int:
        """How many rows weren't paid what they are due."""
        return self._wrong(self.digits)

    @property
    def right_as_profit(self) -> int:
        """How many rows were paid what they are due less the stake, of those that differ otherwise."""
        return int(self._as_profit[self.digits + 1 :].sum())

    @property
    def rows(self) -> np.ndarray:
        """The first rows that weren't paid what they are due, each with its line of the paytable."""
        return np.concatenate(self._rows[: self.digits + 1])

    @property
    def withheld(self) -> int:
        """What rows were due beyond what they were paid, in parts of 1e-8, beyond rounding."""
        kept = sum(sum(side[: self.digits + 1]) for side in _sides(self._kept))
        return kept * int(10**self.scale) + self.given_back

    @property
    def given_back(self) -> int:
        """What bets whose stake was given back were due beyond it, in parts of 1e-8."""
        return self._given_back * int(10**self.scale)

    @property
    def rounded(self) -> int:
        """The same where rounding explains it."""
        return sum(sum(side[self.digits + 1 :]) for side in _sides(self._kept)) * int(10**self.scale)

    @property
    def kept(self) -> tuple[float, float, float]:
        """What rounding keeps: the amount, its share of all stakes, and the share with each stake as one.

        Where no one rule explains the rounding, nothing that is rounded up makes up for what is rounded down.
        """
        kept, shares = (
            sum(sum(side[self.digits + 1 :]) for side in _sides(sums)[: 1 if self.mixed else _SIDES])
            for sums in (self._kept, self._shares)
        )
        amount = kept * int(10**self.scale) / (self._unit * UNIT)
        return amount, kept / (self._unit * max(self.staked, 1)), shares / (_SHARES * max(self.compared, 1))

    @property
    def mixed(self) -> bool:
        """Whether no one rule explains which amounts are rounded down and which up: see `rounding`."""
        rounded = self._rounded[self.digits + 1 :].sum(axis=0)
        far, near = rounded[: self.digits + 1].sum(axis=0), rounded[self.digits + 1 :].sum(axis=0)
        return not self._converted and bool((near[0] and far[1]) or (far[0] and near[1]))

    def exact_return(self, law: Distribution) -> Fraction | None:
        """Return the exact return of the stakes that were played, by the one rule that rounds payouts.

        None where there is none: amounts were converted, or rounded in both directions.
        """
        way = {"down": "down", "down or nearest": "down", "nearest": "half_up", "up": "up"}.get(self.way)
        if way is None or self._converted or self.mixed or self.digits < 0:
            return None
        return self.played.exact_return(law, MoneyRounding(Fraction(10**self.scale, 10**self.digits), way))

    @property
    def by_player(self) -> Unlike | None:
        """The test of whether payouts are rounded alike for all players."""
        return self._by_player.test(self.digits)

    @property
    def way(self) -> str:
        """How amounts are rounded."""
        rounded = self._rounded[self.digits + 1 :]
        if not rounded.sum():
            return "none"
        near = int(rounded[:, self.digits + 1 :].sum()) == int(rounded.sum())
        less, more = int(rounded[..., 0].sum()), int(rounded[..., 1].sum())
        if near:
            return "nearest" if more else "down or nearest"
        return "both" if less and more else "up" if more else "down"

    def odd_lines(self) -> dict[int, dict[str, np.ndarray]]:
        """Return by line of the paytable what was paid in rows that weren't paid what they are due."""
        keys, columns = self._off.keys, self._off.columns
        wrong = keys % 16 <= self.digits  # by one more than the level
        found = {}
        for line in np.unique(keys[wrong] // 16).tolist():
            those = wrong & (keys // 16 == line)
            found[line] = {name: column[those] for name, column in columns.items()}
        return found


def _sides(sums: list[int]) -> tuple[list[int], list[int]]:
    """Return the sums by level of rows that were paid less than they are due, and more."""
    return sums[:LEVELS], sums[LEVELS:]


def _added(one: list[int], other: list[int]) -> list[int]:
    return [mine + more for mine, more in zip(one, other, strict=True)]


def _first(rows: np.ndarray, more: np.ndarray) -> np.ndarray:
    """Return the first rows of both, by their positions."""
    both = np.concatenate([rows, more])
    return both[np.argsort(both[:, 0], kind="stable")][:KEPT_ROWS]
