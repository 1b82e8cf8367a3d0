"""What becomes of many bets: views of the law of one."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from provably_fair.distribution import Distribution

from .growth import growth, kelly
from .ruin import law_of_bankroll, ruin, ruin_time
from .runs import drawdown, longest_losing_run
from .systems import ruin_of_system

__all__ = ["LongRun"]


class LongRun:
    """Totals, runs, ruin and growth of whatever has the law of a bet.

    Amounts are counted in stakes, and are exact: a float is the decimal that it is shown as. A bankroll is
    ruined when what is left doesn't cover one stake.
    """

    law: Distribution | None

    def _known(self) -> Distribution:
        if self.law is None:
            raise ValueError(
                "law must be known exactly, and of this bet it isn't: simulate, estimate and paths need none"
            )
        return self.law

    def sum(self, n: int) -> Distribution:
        """Return the law of what `n` bets bring back together; see `Distribution.sum`.

        Parameters
        ----------
        n : int
            The number of bets, from 1.

        Returns
        -------
        Distribution
            Exact while it is small; else each probability within `probability_error`, tails included.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().bet({0: 14}, law="ideal").sum(100).mean()
        93.33333333333333
        """
        return self._known().sum(n)

    def maximum(self, n: int) -> Distribution:
        """Return the law of the most that one of `n` bets brings back; see `Distribution.maximum`.

        Parameters
        ----------
        n : int
            The number of bets, from 1.

        Returns
        -------
        Distribution
            Exact while it is small.

        Examples
        --------
        >>> import provably_fair as pf
        >>> round(float(pf.Double().bet({0: 14}, law="ideal").maximum(10).pmf(14)), 6)
        0.498388
        """
        return self._known().maximum(n)

    def minimum(self, n: int) -> Distribution:
        """Return the law of the least that one of `n` bets brings back; see `Distribution.minimum`.

        Parameters
        ----------
        n : int
            The number of bets, from 1.

        Returns
        -------
        Distribution
            Exact while it is small.

        Examples
        --------
        >>> import provably_fair as pf
        >>> round(float(pf.Dice().bet(under=50, payout=1.98).minimum(2).pmf(0)), 6)
        0.75005
        """
        return self._known().minimum(n)

    def longest_losing_run(self, n: int) -> Distribution:
        """Return the law of the longest losing run among `n` bets.

        A bet is lost that brings back less than the stake.

        Parameters
        ----------
        n : int
            The number of bets, from 1.

        Returns
        -------
        Distribution
            Exact while it is small; else what is too unlikely, within `truncation_error`, isn't listed.

        Examples
        --------
        >>> import provably_fair as pf
        >>> runs = pf.Dice().bet(under=50, payout=1.98).longest_losing_run(1000)
        >>> int(runs.quantile(0.5)), round(float(runs.sf(15)), 4)
        (9, 0.0075)
        """
        return longest_losing_run(self._known(), n)

    def ruin(
        self,
        bankroll: Any,
        rounds: int | None = None,
        target: Any = None,
        *,
        system: Any = None,
        exact: bool = False,
    ) -> Any:
        """Return the chance that a bankroll falls below one stake.

        Parameters
        ----------
        bankroll : number
            What there is at first, in stakes. Below 1 it is ruined from the start.
        rounds : int, optional
            Within how many rounds; without end by default.
        target : number, optional
            An amount at which betting stops for good: the chance is that of ruin before it is reached. It is
            0 where the bankroll is there already.
        system : BettingSystem or callable, optional
            How much is bet: see `BettingSystem`, or a function of the history, the tuple of what a stake of 1
            brought back in each round so far. Ruin is then that what is left doesn't cover the next stake.
            One stake in every round by default.
        exact : bool
            Whether to return a Fraction: within rounds, or with a target without a system.

        Returns
        -------
        float or fractions.Fraction
            Within rounds, what is worked out round by round. With a target, the solution for every amount in
            between. Without end: 1 where the bet returns no more than the stake on average, unless it never
            loses; else by all roots of the characteristic polynomial, within 1e-12.

        Raises
        ------
        ValueError
            When the law isn't known, or a betting system has neither rounds nor a target.

        Examples
        --------
        >>> import provably_fair as pf
        >>> bet = pf.Dice().bet(under=50, payout=1.98)
        >>> round(bet.ruin(100, target=200), 6), round(bet.ruin(100, rounds=1000), 6), bet.ruin(100)
        (0.888273, 0.003975, 1.0)
        >>> even = pf.Dice().bet(under=50, payout=2, law="ideal")
        >>> round(even.ruin(63, target=64, system=pf.Martingale()), 6)  # six losses: (5001 / 10001)**6
        0.015634
        """
        if system is not None:
            return ruin_of_system(self._known(), system, bankroll, rounds, target, exact=exact)
        return ruin(self._known(), bankroll, rounds, target, exact=exact)

    def ruin_time(self, bankroll: Any, rounds: int | None = None, target: Any = None) -> Distribution:
        """Return the law of the round in which ruin comes, given that it comes.

        Parameters
        ----------
        bankroll, target
            See `ruin`.
        rounds : int, optional
            Given that it comes within this many rounds; by default as many as matter, up to 2**17.

        Returns
        -------
        Distribution
            The number of the round, from 1; 0 where the bankroll is ruined from the start.

        Raises
        ------
        ValueError
            When ruin can't come; or `rounds` are not given, and too many ruins come later than can be
            followed.

        Examples
        --------
        >>> import provably_fair as pf
        >>> time = pf.Double().bet({0: 14}).ruin_time(20, rounds=1000)
        >>> int(time.median()), round(float(time.pmf(20)), 4)
        (48, 0.2692)
        """
        return ruin_time(self._known(), bankroll, rounds, target)

    def bankroll(self, rounds: int, bankroll: Any = 100, target: Any = None) -> Distribution:
        """Return the law of a bankroll after some rounds of betting 1, until ruin or a target.

        Parameters
        ----------
        rounds : int
            The number of rounds, from 1.
        bankroll, target
            See `ruin`.

        Returns
        -------
        Distribution
            What is left. It is the exact law of where `paths` end.

        Examples
        --------
        >>> import provably_fair as pf
        >>> dict(pf.Double().bet({0: 2, 1: 2}, law="ideal").bankroll(2, bankroll=1))
        {0: Fraction(13, 15), 1: Fraction(26, 225), 3: Fraction(4, 225)}
        """
        return law_of_bankroll(self._known(), rounds, bankroll, target)

    def drawdown(self, rounds: int, *, unit: Any = 1) -> Distribution:
        """Return the law of the largest fall of a bankroll from its highest point so far.

        Every round is bet, whatever is left.

        Parameters
        ----------
        rounds : int
            The number of rounds, from 1.
        unit : number
            What falls are counted in: whole units, rounded down.

        Returns
        -------
        Distribution
            The fall in stakes, a multiple of `unit`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> falls = pf.Double().bet({0: 14}).drawdown(100)
        >>> int(falls.median()), round(float(falls.sf(60)), 4)
        (38, 0.1193)
        """
        return drawdown(self._known(), rounds, unit)

    def kelly(self) -> float:
        """Return the fraction of a bankroll whose bet lets it grow most: Kelly's.

        Returns
        -------
        float
            0 where the bet returns no more than the stake on average; at most 1, which is what a bet that
            can't lose all is worth at best.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().bet({0: 14}).kelly(), round(pf.Double().bet({0: 16}, law="ideal").kelly(), 12)
        (0.0, 0.004444444444)
        """
        return kelly(self._known())

    def growth(self, fraction: ArrayLike) -> Any:
        """Return how a bankroll grows that bets a fraction of itself.

        Parameters
        ----------
        fraction : float or array-like
            From 0 to 1.

        Returns
        -------
        float or numpy.ndarray
            The mean change of its logarithm in a round, in the shape of `fraction`; minus infinity where all
            can be lost.

        Examples
        --------
        >>> import provably_fair as pf
        >>> bet = pf.Double().bet({0: 16}, law="ideal")
        >>> round(bet.growth(bet.kelly()), 9), bet.growth(0.02) < 0, bet.growth(1)
        (0.000145174, True, -inf)
        """
        return growth(self._known(), fraction)
