"""Simulated bankrolls over many rounds of betting."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadValue, integer, reals, threads_of, unbox
from provably_fair._core.drawing import COLORS, axes
from provably_fair._core.numbers import exactly, over_one_denominator
from provably_fair._core.progress import Progress, Report, progress_bar
from provably_fair._core.table import Sheet, Tabular, bar_strip, short
from provably_fair._core.types import Columns
from provably_fair.distribution import Distribution
from provably_fair.distribution.moments import mean_of
from provably_fair.seeds.series import series

from .estimate import stakes_of
from .returns import Returns, rtp_if_exact
from .systems import BettingSystem, SystemStakes
from .walk import Walk, rounds_played

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_ROUNDS = 1 << 40  # rounds of all paths together; memory runs out long before
_DRAWN_AT_ONCE = 1 << 20
_MAX_PARTS = 1 << 62  # fits into int64
_MAX_STEPS = 1 << 30  # limit for the exact mean: takes a few seconds


@dataclass(frozen=True, eq=False, repr=False)
class BankrollPaths(Tabular):
    """Simulated bankrolls. Made by `Bet.paths`.

    Attributes
    ----------
    values : numpy.ndarray
        Shape (paths, rounds + 1), float64: each bankroll before the first round and after each.
    exact_rtp : fractions.Fraction or None
        The return to player of the bet, if known exactly.
    is_ruined : numpy.ndarray
        Shape (paths,), bool: whether the bankroll no longer covers a stake.
    law : Distribution or None
        The law of the return of a bet of 1, where it is known.
    stake : fractions.Fraction or None
        The stake, if it is the same in all rounds.
    """

    values: np.ndarray
    exact_rtp: Fraction | None
    is_ruined: np.ndarray
    law: Distribution | None = None
    stake: Fraction | None = None

    @cached_property
    def exact_mean(self) -> np.ndarray | None:
        """The exact mean of the bankroll at the start and after each round, ruin included.

        float64, shape (rounds + 1,); None if the law is unknown, stakes vary, or it is too much work.
        """
        if self.law is None or not self.stake:
            return None
        have, rounds = exactly(float(self.values[0, 0])), self.values.shape[1] - 1
        walk = Walk.of(self.law)
        height = walk.height(have / self.stake)
        if rounds * (max(height, 0) + rounds * -min(walk.steps[0], 0)) * len(walk.steps) > _MAX_STEPS:
            return None
        # The expected loss of each round, over the paths that can still bet.
        betting = np.zeros(rounds)
        going = 1.0 if height >= 0 else 0.0
        betting[0] = going
        played = rounds_played(walk, height, None, rounds - 1) if going else ()
        done = 0
        for done, each in enumerate(played, 1):
            going -= float(each.ruined_masses.sum())
            betting[done] = going
        betting[done + 1 :] = betting[done]
        edge = float((mean_of(self.law) - 1) * self.stake)
        return float(have) + edge * np.concatenate([[0.0], np.cumsum(betting)])

    @property
    def ruined(self) -> float:
        """The share of paths that end with less than one stake."""
        return float(self.is_ruined.mean())

    def quantiles(self, q: ArrayLike = (0.05, 0.25, 0.5, 0.75, 0.95)) -> np.ndarray:
        """Return quantiles of the bankroll across paths, at the start and after each round.

        Parameters
        ----------
        q : float or array-like
            Shares, 0 to 1.

        Returns
        -------
        numpy.ndarray
            Shape of `q` + (rounds + 1,): a line for each share; the first and the last are a band.

        Examples
        --------
        >>> paths = pf.Dice().bet(1.98, under=50).paths(50, paths=200)
        >>> low, high = paths.quantiles([0.05, 0.95])[:, -1]
        >>> low < 100 < high
        np.True_
        """
        shares = reals("q", q)
        if not ((shares >= 0) & (shares <= 1)).all():
            raise BadValue("q", f"must be from 0 to 1, got {q!r:.50}")
        return np.asarray(np.quantile(self.values, shares, axis=0))

    def __repr__(self) -> str:
        paths, rounds = self.values.shape[0], self.values.shape[1] - 1
        ends = f"median end {short(float(np.median(self.values[:, -1])))}, ruined {self.ruined:.4g}"
        return f"<BankrollPaths: {paths} paths of {rounds} rounds, {ends}>"

    def _sheet(self) -> Sheet:
        ends = self.values[:, -1]
        shares = (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)
        rows = [(f"{q:.0%}", float(end)) for q, end in zip(shares, np.quantile(ends, shares), strict=True)]
        notes = (f"ruined {self.ruined:.2%}, mean {short(float(ends.mean()))}",)
        title = f"{len(ends):,} bankrolls after {self.values.shape[1] - 1:,} rounds"
        return Sheet(title, ("quantile", "bankroll"), rows, "r", self._strip, notes)

    def _strip(self) -> str:
        counts, edges = np.histogram(self.values[:, -1], bins=40)
        return bar_strip(counts, first=edges[0], last=edges[-1], title="how many paths end in each range")

    def _columns(self) -> Columns:
        paths, rounds = self.values.shape
        return {
            "path": np.repeat(np.arange(paths, dtype=np.int64), rounds),
            "round": np.tile(np.arange(rounds, dtype=np.int64), paths),
            "bankroll": self.values.ravel(),
        }

    def plot(self, ax: Axes | None = None, *, most: int = 100) -> Axes:
        """Draw at most `most` paths, their median, and the bands of the middle 50 % and 90 % of all.

        Needs matplotlib; `ax` is as in `Distribution.plot`.

        Examples
        --------
        >>> paths = pf.Dice().bet(1.98, under=50).paths(50, paths=20)
        >>> paths.plot(most=5).get_ylabel()
        'bankroll'
        """
        most = integer("most", most, 1)
        ax = axes(ax)
        ax.plot(self.values[:most].T, color=COLORS["sky"], alpha=0.35, linewidth=0.7)
        low, lower, median, upper, high = self.quantiles()
        rounds = np.arange(len(median))
        style: dict[str, Any] = {"color": COLORS["orange"], "linewidth": 0}
        ax.fill_between(rounds, low, high, alpha=0.2, label="nine of ten", **style)
        ax.fill_between(rounds, lower, upper, alpha=0.3, label="half", **style)
        ax.plot(median, color="black", label="median")
        if self.exact_mean is not None:
            ax.plot(self.exact_mean, color=COLORS["vermilion"], linestyle="--", label="exact mean")
        ax.set(xlabel="round", ylabel="bankroll")
        ax.legend()
        return ax


def simulate_paths(
    bet: Returns,
    rounds: int,
    paths: int,
    bankroll: object,
    stake: object,
    seed: int | str,
    threads: int | None,
    progress: Progress,
) -> BankrollPaths:
    """Simulate bankrolls; see `Bet.paths`."""
    rounds, paths = integer("rounds", rounds, 1), integer("paths", paths, 1)
    if rounds * paths > _MAX_ROUNDS:
        raise BadValue("rounds", f"times paths must be at most {_MAX_ROUNDS}, got {rounds} times {paths}")
    _, seed, _ = series(rounds * paths, seed, 0)
    have = exactly(unbox(bankroll), "bankroll")
    if have <= 0:
        raise BadValue("bankroll", f"must be above 0, got {bankroll}")
    values = np.empty((paths, rounds + 1))
    stakes = _by_bankroll(stake, paths, have)
    purse = _Purse(have, bet.unit, paths)
    values[:, 0] = float(have)
    with progress_bar(rounds * paths, progress) as report:
        # The gain of each bet in parts; a lost bet gains -unit.
        gains = _drawn(bet, rounds, paths, seed, threads_of(threads), report) - bet.unit
        for i in range(rounds):
            covered = purse.bet(stakes(purse.amounts()), gains[i])
            if isinstance(stakes, SystemStakes):
                stakes.learn(gains[i] + bet.unit, bet.unit, covered)
            values[:, i + 1] = purse.amounts()
            if report is not None:
                report((rounds + i + 1) * paths // 2)
    ruined = purse.ruined(stakes(purse.amounts()))
    flat = not isinstance(stake, BettingSystem) and not callable(stake) and np.ndim(stake) == 0  # type: ignore[arg-type]
    fixed = exactly(unbox(stake), "stake") if flat else None
    return BankrollPaths(values, rtp_if_exact(bet.law), ruined, bet.law, fixed)


def _drawn(
    bet: Returns, rounds: int, paths: int, seed: int | str, threads: int | None, report: Report | None
) -> np.ndarray:
    """Return the gross return of each bet, in parts, shape (rounds, paths)."""
    whole = rounds * paths
    returned = np.empty(whole, dtype=np.int64)
    for start in range(0, whole, _DRAWN_AT_ONCE):
        more = min(_DRAWN_AT_ONCE, whole - start)
        parts = bet.draw(more, seed=seed, start=start, threads=threads)
        if parts.shape[1] != 1:
            raise BadValue("game", "must be of one bet a round: one ball, one spin")
        if returned.dtype != parts.dtype:
            returned = returned.astype(parts.dtype)
        returned[start : start + more] = parts[:, 0]
        if report is not None:
            report((start + more) // 2)
    return np.ascontiguousarray(returned.reshape(paths, rounds).T)


def _by_bankroll(stake: object, paths: int, bankroll: Fraction) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function from bankrolls to stakes."""
    if isinstance(stake, BettingSystem):
        return SystemStakes(stake, paths, bankroll)
    if callable(stake):
        return lambda have: stakes_of(stake(have.copy()), paths)
    stakes = stakes_of(stake, paths)
    return lambda _: stakes


class _Purse:
    """Exact bankrolls of many paths, in whole parts fine enough for every stake and gain so far.

    Parts are int64 while they fit, and Python integers afterward.
    """

    def __init__(self, have: Fraction, unit: int, paths: int) -> None:
        self.unit = unit
        self.parts_of_1 = have.denominator
        self.have = np.full(paths, have.numerator, dtype=np.int64 if have.numerator < _MAX_PARTS else object)

    def amounts(self) -> np.ndarray:
        if self.have.dtype == object or self.parts_of_1 >= 2**53:
            return np.array([part / self.parts_of_1 for part in self.have.tolist()])
        return self.have / self.parts_of_1

    def bet(self, stakes: np.ndarray, gains: np.ndarray) -> np.ndarray:
        """Bet the stakes that the bankrolls cover, and return which; gains are in parts of a stake."""
        covered, each = self._cover(stakes, gains)
        self.have = self.have + np.where(covered, each * gains, 0)
        return covered

    def ruined(self, stakes: np.ndarray) -> np.ndarray:
        """Return which bankrolls don't cover another stake; an empty one is always ruined."""
        covered, _ = self._cover(stakes, np.ones(1, dtype=np.int64))
        return ~(covered & (self.have > 0)).astype(bool)

    def _cover(self, stakes: np.ndarray, gains: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which stakes are covered, and one part of each stake in parts of the bankroll."""
        whole, of_stakes = _in_parts(stakes)
        # Refine the parts until they hold both the stakes and a part of each stake.
        parts_of_1 = math.lcm(self.parts_of_1, of_stakes * self.unit)
        finer, per_stake = parts_of_1 // self.parts_of_1, parts_of_1 // of_stakes
        largest = int(np.abs(whole).max(initial=0)) * max(1, int(np.abs(gains).max(initial=0))) * per_stake
        if int(np.abs(self.have).max()) * finer + largest >= _MAX_PARTS and self.have.dtype != object:
            self.have = self.have.astype(object)
        if finer > 1:
            self.have = self.have * finer
        self.parts_of_1 = parts_of_1
        if self.have.dtype == object:
            whole = whole.astype(object)
        return (whole * per_stake <= self.have).astype(bool), whole * (per_stake // self.unit)


def _in_parts(stakes: np.ndarray) -> tuple[np.ndarray, int]:
    """Return stakes as whole parts, and the number of parts in 1; a float stands for its shortest decimal."""
    with np.errstate(invalid="ignore", over="ignore"):
        cents = np.rint(stakes.astype(np.float64) * 100)
        if (cents < 1e15).all() and (cents / 100 == stakes).all():
            if (cents % 100 == 0).all():
                return (cents // 100).astype(np.int64), 1
            return cents.astype(np.int64), 100
    parts, parts_of_1 = over_one_denominator(stakes.tolist(), "stake")
    return np.array(parts, dtype=object), parts_of_1
