"""Simulated bets: the return to player beside its exact value, and what becomes of a bankroll."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import integer, probability, reals
from provably_fair._core.numbers import exactly
from provably_fair._core.optional import optional
from provably_fair._core.table import Sheet, Tabular, bar_strip, short, short_repr
from provably_fair.distribution import Distribution
from provably_fair.distribution.payouts import Payout, payouts
from provably_fair.games import game_of

if TYPE_CHECKING:
    from provably_fair.games import Game

__all__ = ["BankrollPaths", "RtpEstimate", "bankroll_paths", "estimate_rtp"]

_ROUNDS_AT_A_TIME = 1 << 18
_MAX_ROUNDS = 1 << 40  # of all paths together; memory ends long before


@dataclass(frozen=True, repr=False)
class RtpEstimate(Tabular):
    """A simulated return to player beside the exact one.

    Attributes
    ----------
    rtp : float
        What was paid, divided by what was bet.
    low, high : float
        The confidence interval.
    confidence : float
        Its level.
    exact : fractions.Fraction
        The exact return as drawn.
    rounds : int
        The number of bets.
    """

    rtp: float
    low: float
    high: float
    confidence: float
    exact: Fraction
    rounds: int

    @property
    def covers(self) -> bool:
        """Whether the interval holds the exact value."""
        return self.low <= self.exact <= self.high

    __repr__ = short_repr

    def __str__(self) -> str:
        return (
            f"{self.rtp:.6f} ({self.confidence:.0%}: {self.low:.6f} to {self.high:.6f}) "
            f"of {self.rounds:,} rounds, exactly {float(self.exact):.6f}"
        )

    def _sheet(self) -> Sheet:
        rows: list[tuple[str, str]] = [
            ("simulated", f"{self.rtp:.6f}"),
            (f"{self.confidence:.0%} interval", f"{self.low:.6f} to {self.high:.6f}"),
            ("exact", f"{float(self.exact):.6f}"),
            ("interval holds it", "yes" if self.covers else "no"),
        ]
        return Sheet(f"Return to player of {self.rounds:,} rounds", ("", ""), rows)

    def _columns(self) -> dict[str, Any]:
        facts = {name: getattr(self, name) for name in ("rtp", "low", "high", "confidence", "rounds")}
        return {name: [value] for name, value in {**facts, "exact": float(self.exact)}.items()}


@dataclass(frozen=True, eq=False, repr=False)
class BankrollPaths(Tabular):
    """What became of bankrolls.

    Attributes
    ----------
    values : numpy.ndarray
        Shape (paths, rounds + 1), float64: each bankroll before the first round and after each.
    exact_rtp : fractions.Fraction
        The exact return to player of the bet.
    """

    values: np.ndarray
    exact_rtp: Fraction

    @property
    def ruined(self) -> float:
        """The share of paths that end with nothing."""
        return float((self.values[:, -1] <= 0).mean())

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

    def _columns(self) -> dict[str, Any]:
        paths, rounds = self.values.shape
        return {
            "path": np.repeat(np.arange(paths), rounds),
            "round": np.tile(np.arange(rounds), paths),
            "bankroll": self.values.ravel(),
        }

    def plot(self, ax: Any = None, *, most: int = 100) -> Any:
        """Draw the paths and their median (needs matplotlib).

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.
        most : int
            The largest number of paths that are drawn.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Examples
        --------
        >>> import provably_fair as pf
        >>> paths = pf.bankroll_paths(pf.Dice(), {1: 1.98}, rounds=50, paths=20, under=50)
        >>> paths.plot(most=5).get_ylabel()
        'bankroll'
        """
        most = integer("most", most, 1)
        if ax is None:
            ax = optional("matplotlib.pyplot", "plot", "plot").subplots()[1]
        ax.plot(self.values[:most].T, color="tab:blue", alpha=0.25, linewidth=0.7)
        ax.plot(np.median(self.values, axis=0), color="black", label="median")
        ax.set_xlabel("round")
        ax.set_ylabel("bankroll")
        ax.legend()
        return ax


def _paid(distribution: Distribution, payout: Payout | None) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function from observed values to what a bet of 1 pays."""
    values = (
        distribution.outcomes.tolist() if payout is None else payouts(distribution.outcomes.tolist(), payout)
    )
    table = np.array([float(exactly(value, "payout")) for value in values])
    return lambda observed: table[np.searchsorted(distribution.outcomes, observed)]


def _stakes(bet: Any, count: int) -> np.ndarray:
    """Return one stake for each of so many bets, checked."""
    stakes = reals("bet", bet)
    if stakes.shape not in ((), (count,)):
        raise ValueError(f"bet must be one stake or {count}, got the shape {stakes.shape}")
    if (stakes < 0).any() or not np.isfinite(stakes).all():
        raise ValueError("bet must be finite and at least 0 in every round")
    return np.broadcast_to(stakes, count)


def estimate_rtp(
    game: Game,
    payout: Payout | None = None,
    *,
    rounds: int,
    bet: Any = 1,
    seed: int | str = 0,
    confidence: float = 0.95,
    threads: int | None = None,
    **subject: Any,
) -> RtpEstimate:
    """Simulate a bet, and set its return to player beside the exact value.

    Parameters
    ----------
    game : Game
        The game that is bet on.
    payout : callable, mapping or sequence, optional
        What a bet of 1 pays, the stake included, by the value of the subject (see
        `Distribution.expect`); the value itself by default.
    rounds : int
        The number of rounds, at least 2.
    bet : number, array-like or callable
        The stake: the same in all rounds, one for each round, or a function of the round's number, an
        int64 array, to stakes.
    seed : int or str
        The series of salts; see `Game.simulate`.
    confidence : float
        The level of the interval.
    threads : int, optional
        The most threads to use.
    **subject
        What is bet on, as `Game.distribution` takes it: ``cash_out=2``, ``under=50``, ...

    Returns
    -------
    RtpEstimate
        ``.rtp``, ``.low``, ``.high``, ``.exact``.

    Notes
    -----
    The interval is the normal one of a ratio. Where rare outcomes carry much of the return, as in Crash
    at large cash-outs, it needs many rounds to be trusted.

    Examples
    --------
    >>> import provably_fair as pf
    >>> estimate = pf.estimate_rtp(pf.Crash(), rounds=100_000, cash_out=2)
    >>> round(float(estimate.exact), 10), abs(estimate.rtp - estimate.exact) < 0.01
    (0.95238, True)
    """
    rounds = integer("rounds", rounds, 2)
    confidence = probability("confidence", confidence)
    distribution = game_of("game", game).distribution("as_drawn", **subject)
    paid = _paid(distribution, payout)
    stakes = None if callable(bet) or np.ndim(bet) == 0 else reals("bet", bet)
    if stakes is not None and stakes.shape != (rounds,):
        raise ValueError(f"bet must be one stake or {rounds}, got the shape {stakes.shape}")
    # Sums over rounds of stake, pay, and their squares and product.
    sums = np.zeros(5)
    for start in range(0, rounds, _ROUNDS_AT_A_TIME):
        now = min(_ROUNDS_AT_A_TIME, rounds - start)
        observed = game.observe(game.simulate(now, seed=seed, start=start, threads=threads), **subject)
        each = len(observed) // now  # balls or spins of a round share its stake
        if callable(bet):
            stake = _stakes(bet(np.arange(start, start + now)), now)
        elif stakes is not None:
            stake = _stakes(stakes[start : start + now], now)
        else:
            stake = _stakes(bet, now)
        pay = stake * paid(observed).reshape(now, each).mean(axis=1)
        sums += stake.sum(), pay.sum(), stake @ stake, pay @ pay, stake @ pay
    bets, pays, bets2, pays2, product = sums.tolist()
    if bets == 0:
        raise ValueError("bet must be above 0 in some round")
    rtp = pays / bets
    # The variance of sum(pay - rtp * stake), divided by what was bet.
    spread = max(pays2 - 2 * rtp * product + rtp * rtp * bets2, 0.0) * rounds / (rounds - 1)
    half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(spread) / bets
    return RtpEstimate(rtp, rtp - half, rtp + half, confidence, distribution.rtp(payout, exact=True), rounds)


def bankroll_paths(
    game: Game,
    payout: Payout | None = None,
    *,
    rounds: int,
    paths: int = 100,
    bankroll: float = 100.0,
    bet: float | Callable[[np.ndarray], Any] = 1.0,
    seed: int | str = 0,
    threads: int | None = None,
    **subject: Any,
) -> BankrollPaths:
    """Simulate bankrolls that bet round after round, until the last round or ruin.

    Parameters
    ----------
    game : Game
        The game that is bet on, of one bet a round: a Plinko of one ball, a Slot of one spin.
    payout : callable, mapping or sequence, optional
        See `estimate_rtp`.
    rounds : int
        The number of rounds of each path.
    paths : int
        The number of paths. Path i takes the salts from number i * rounds on.
    bankroll : float
        What each path starts with.
    bet : float or callable
        The stake, or a function of the bankrolls, shape (paths,), to stakes. Never more than there is.
    seed : int or str
        The series of salts; see `Game.simulate`.
    threads : int, optional
        The most threads to use.
    **subject
        What is bet on; see `Game.distribution`.

    Returns
    -------
    BankrollPaths
        ``.values``, shape (paths, rounds + 1), and ``.plot()``.

    Examples
    --------
    >>> import provably_fair as pf
    >>> paths = pf.bankroll_paths(pf.Double(), {0: 14}, rounds=50, paths=20)
    >>> paths.values.shape, paths.exact_rtp < 1
    ((20, 51), True)
    """
    rounds, paths = integer("rounds", rounds, 1), integer("paths", paths, 1)
    if rounds * paths > _MAX_ROUNDS:
        raise ValueError(f"rounds times paths must be at most {_MAX_ROUNDS}, got {rounds} times {paths}")
    start = reals("bankroll", bankroll)
    if start.ndim or not (math.isfinite(start) and start > 0):
        raise ValueError(f"bankroll must be above 0, got {bankroll}")
    distribution = game_of("game", game).distribution("as_drawn", **subject)
    observed = game.observe(game.simulate(rounds * paths, seed=seed, threads=threads), **subject)
    if len(observed) != rounds * paths:
        raise ValueError("game must be of one bet a round: one ball, one spin")
    gains = _paid(distribution, payout)(observed).reshape(paths, rounds) - 1
    values = np.empty((paths, rounds + 1))
    values[:, 0] = bankroll
    for i in range(rounds):
        now = values[:, i]
        stake = _stakes(bet(now.copy()) if callable(bet) else bet, paths)
        values[:, i + 1] = now + np.minimum(stake, now) * gains[:, i]
    return BankrollPaths(values, distribution.rtp(payout, exact=True))
