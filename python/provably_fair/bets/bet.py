"""A bet: what a stake of 1 brings back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from provably_fair._core.arguments import threads_of
from provably_fair._core.numbers import over_one_denominator
from provably_fair._core.table import LONGEST, Sheet, Tabular, short
from provably_fair.distribution import Distribution
from provably_fair.distribution.showing import law_strip
from provably_fair.seeds.series import series

from .estimate import RtpEstimate, estimate
from .paths import BankrollPaths, simulate_paths
from .returns import ObservedReturns, Subject, paid_values, table_of

__all__ = ["Bet", "bet_on"]

Draw = Callable[..., np.ndarray]
"""Rounds, ``seed``, ``start`` and ``threads`` to what they bring back in parts, (rounds, bets of a round)."""


_FEW = 4  # amounts that are named one by one


@dataclass(frozen=True, repr=False)
class Bet(Tabular):
    """A bet of 1: the law of what it brings back, and rounds of it. Made by `bet` of a game.

    A bet is a value: frozen, hashable, equal to another on the same that pays the same.

    Attributes
    ----------
    law : Distribution or None
        The exact law of what a stake of 1 brings back; None where it isn't known.
    sampler : callable
        Simulates rounds: a function of their number, ``seed``, ``start`` and ``threads``, to an array of what
        they bring back, shape (rounds, bets of a round), in whole parts.
    unit : int
        How many parts make 1, so that all that is brought back is counted in whole parts.
    mean : fractions.Fraction or None
        The exact mean, where it is known without the law.
    on : str
        What is bet on, in a few words.

    Examples
    --------
    >>> import provably_fair as pf
    >>> bet = pf.Double().bet({0: 14}, law="ideal")
    >>> bet
    <Bet on Double(): pays 0 or 14, return 0.9333>
    >>> bet.law.weights, bet.rtp, bet.std
    ((14, 1), 0.9333333333333333, 3.492213560989012)
    """

    law: Distribution | None
    sampler: Draw
    unit: int = field(default=1, kw_only=True)
    mean: Fraction | None = field(default=None, kw_only=True)
    on: str = field(default="", kw_only=True)

    @classmethod
    def on_values(
        cls,
        game: Any,
        values: Distribution,
        payout: Any,
        *,
        subject: Mapping[str, object],
        wins: Any = None,
        pays: bool = False,
    ) -> Bet:
        """Make a bet on what a game's subject is observed to be.

        Parameters
        ----------
        game : object
            It has ``simulate`` and ``observe``.
        values : Distribution
            The law of the subject.
        payout : callable, mapping, sequence, number or None
            What a bet of 1 brings back, by value; a number is paid where the bet wins.
        subject : mapping
            What is observed, as the game's ``observe`` takes it.
        wins : object
            The value that wins, where the subject is won or lost.
        pays : bool
            Whether the values are what a bet of 1 is paid, so that `payout` may be left out.

        Returns
        -------
        Bet
            The bet.

        Examples
        --------
        >>> import provably_fair as pf
        >>> from provably_fair.bets import Bet
        >>> game = pf.Dice()
        >>> Bet.on_values(game, game.distribution(under=50), 1.98, subject={"under": 50}, wins=1).exact_rtp
        Fraction(9900, 10001)
        """
        paid = paid_values(values, payout, wins=wins, pays=pays)
        table, unit = table_of(paid)
        held = Subject(subject)
        sampler = ObservedReturns(game, held, values, tuple(table.tolist()))
        on = ", ".join(filter(None, (repr(game), str(held))))
        return cls(values.map(paid), sampler, unit=unit, on=on)

    @cached_property
    def exact_rtp(self) -> Fraction | None:
        """The return to player as a Fraction; None where it isn't known."""
        return self.mean if self.law is None else self.law.mean(exact=True)

    @property
    def rtp(self) -> float:
        """The return to player: what a stake of 1 brings back on average."""
        return math.nan if self.exact_rtp is None else float(self.exact_rtp)

    @property
    def exact_house_edge(self) -> Fraction | None:
        """What the house keeps of a stake of 1 on average, as a Fraction."""
        return None if self.exact_rtp is None else 1 - self.exact_rtp

    @property
    def house_edge(self) -> float:
        """What the house keeps of a stake of 1 on average."""
        return math.nan if self.exact_house_edge is None else float(self.exact_house_edge)

    @cached_property
    def _central(self) -> tuple[float, float, float]:
        """The standard deviation, and the third and fourth central moments in units of it."""
        if self.law is None:
            return math.nan, math.nan, math.nan
        values, _ = over_one_denominator(self.law.outcomes.tolist())
        total, weights = self.law.total, self.law.weights
        mean = sum(w * v for w, v in zip(weights, values, strict=True))
        # In parts so small that the mean is a whole number of them.
        off = [value * total - mean for value in values]
        second, third, fourth = (
            Fraction(sum(w * x**k for w, x in zip(weights, off, strict=True)), total) for k in (2, 3, 4)
        )
        if not second:
            return 0.0, math.nan, math.nan
        skew = math.sqrt(third**2 / second**3) * (1 if third > 0 else -1)
        return self.law.std(), skew, float(fourth / second**2) - 3

    @property
    def std(self) -> float:
        """The standard deviation of what a stake of 1 brings back; NaN where the law isn't known."""
        return self._central[0]

    @property
    def skew(self) -> float:
        """The skewness of what a stake of 1 brings back: above 0 where wins are rare and large."""
        return self._central[1]

    @property
    def kurtosis(self) -> float:
        """The excess kurtosis of what a stake of 1 brings back: 0 for a normal law."""
        return self._central[2]

    @property
    def hit_frequency(self) -> float:
        """The probability that anything comes back."""
        return math.nan if self.law is None else float(self.law.sf(0))

    @property
    def volatility(self) -> float:
        """The volatility index, 1.645 standard deviations of one bet.

        Divided by the square root of n, it is how far the return of n bets strays from `rtp` in one of ten
        histories, if n is large.
        """
        return NormalDist().inv_cdf(0.95) * self.std

    def __repr__(self) -> str:
        about = f" on {self.on}" if self.on else ""
        paid = "no exact law" if self.law is None else f"pays {_amounts(self.law)}"
        ending = f": {paid}, return {short(self.rtp)}>"
        return f"<Bet{about[: LONGEST - 4 - len(ending)]}{ending}"

    def _sheet(self) -> Sheet:
        facts = {
            "return to player": self.rtp,
            "house edge": self.house_edge,
            "standard deviation": self.std,
            "skewness": self.skew,
            "hit frequency": self.hit_frequency,
            "volatility index": self.volatility,
        }
        rows = [(name, short(value)) for name, value in facts.items() if not math.isnan(value)]
        law = self.law
        rows.insert(0, ("brings back", "no exact law" if law is None else _amounts(law)))
        title = f"Bet of 1 on {self.on}" if self.on else "Bet of 1"
        return Sheet(title, ("", ""), rows, "lr", None if law is None else lambda: law_strip(law))

    def _columns(self) -> dict[str, Any]:
        law = self.law
        amounts, shares = ([], []) if law is None else (law.outcomes, law.probabilities)
        return {"brings_back": amounts, "probability": shares}

    def draw(
        self, rounds: int, *, seed: int | str = 0, start: int = 0, threads: int | None = None
    ) -> np.ndarray:
        """Return what rounds bring back in whole parts, of which `unit` make 1.

        Parameters
        ----------
        rounds, seed, start, threads
            See `simulate`.

        Returns
        -------
        numpy.ndarray
            Shape (rounds, bets of a round): of several balls or spins, each is a bet.

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> bet = pf.Double().bet({0: 14, 1: 0.5})
        >>> bet.unit, np.unique(bet.draw(1000)).tolist()
        (2, [0, 1, 28])
        """
        return self.sampler(rounds, seed=seed, start=start, threads=threads)

    def simulate(
        self, rounds: int, *, seed: int | str = 0, start: int = 0, threads: int | None = None
    ) -> np.ndarray:
        """Return what a stake of 1 brings back in each of many rounds.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        seed : int or str
            The name of their series.
        start : int
            The number of the first round.
        threads : int, optional
            The most threads to use.

        Returns
        -------
        numpy.ndarray
            Shape (rounds,), float64. The balls or spins of a round share its stake.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().bet({0: 14}).simulate(10)
        array([0., 0., 0., 0., 0., 0., 0., 0., 0., 0.])
        """
        rounds, name, start = series(rounds, seed, start)
        parts = self.sampler(rounds, seed=name, start=start, threads=threads_of(threads))
        back: np.ndarray = (parts.mean(axis=1) / self.unit).astype(np.float64)
        return back

    def estimate(
        self,
        rounds: int,
        *,
        bet: object = 1,
        seed: int | str = 0,
        confidence: float = 0.95,
        threads: int | None = None,
    ) -> RtpEstimate:
        """Simulate the bet, and set what it returns beside what it should; see `estimate_rtp`.

        Parameters
        ----------
        rounds, bet, seed, confidence, threads
            See `estimate_rtp`.

        Returns
        -------
        RtpEstimate
            ``.rtp``, ``.low``, ``.high``, ``.exact_rtp``.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().bet({0: 14}).estimate(1000).covers
        True
        """
        return estimate(self, rounds, bet=bet, seed=seed, confidence=confidence, threads=threads)

    def paths(
        self,
        rounds: int,
        *,
        paths: int = 100,
        bankroll: float = 100.0,
        bet: float | Callable[[np.ndarray], object] = 1.0,
        seed: int | str = 0,
        threads: int | None = None,
    ) -> BankrollPaths:
        """Simulate bankrolls that bet round after round; see `bankroll_paths`.

        Parameters
        ----------
        rounds, paths, bankroll, bet, seed, threads
            See `bankroll_paths`.

        Returns
        -------
        BankrollPaths
            ``.values``, shape (paths, rounds + 1), and ``.plot()``.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().bet({0: 14}).paths(50, paths=20).values.shape
        (20, 51)
        """
        return simulate_paths(
            self, rounds, paths=paths, bankroll=bankroll, bet=bet, seed=seed, threads=threads
        )


def _amounts(law: Distribution) -> str:
    """Return what a law's bet brings back, in a few words."""
    if len(law) > _FEW:
        return f"{len(law)} amounts from {short(law.outcomes[0])} to {short(law.outcomes[-1])}"
    *first, last = (short(amount) for amount in law.outcomes.tolist())
    return f"{', '.join(first)} or {last}" if first else last


def bet_on(game: object, payout: object = None, **subject: object) -> Bet:
    """Return the bet on a game, or on anything that makes bets; a bet is one itself.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.bets.bet import bet_on
    >>> bet_on(pf.Crash(), cash_out=2, law="ideal").exact_rtp
    Fraction(47619, 50000)
    """
    if isinstance(game, Bet):
        given = ["payout"] * (payout is not None) + list(subject)
        if given:
            raise TypeError(f"{given[0]} must be left out: a Bet says itself what it is on and what it pays")
        return game
    make = getattr(game, "bet", None)
    if isinstance(game, type) or not callable(make):
        got = f"the class {game.__name__}" if isinstance(game, type) else type(game).__name__
        raise TypeError(
            "game must be one that can be bet on, such as Mines(), VideoPoker() or Blackjack(), or a Bet, "
            f"got {got}"
        )
    bet: Bet = make(payout, **subject) if payout is not None else make(**subject)
    return bet
