"""Questions about many bets, answered from the law of one: sums, runs, ruin and growth."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from provably_fair._core.errors import BadValue
from provably_fair._core.progress import Progress
from provably_fair.distribution import Distribution

from .growth import growth, kelly
from .returns import law_of_round
from .ruin import law_of_bankroll, ruin, ruin_time
from .runs import drawdown, longest_losing_run
from .systems import ruin_of_system


class LongRun:
    """Sums, runs, ruin and growth of anything that has the law of a bet.

    Amounts are in stakes and exact: a float stands for its shortest decimal. A bankroll is ruined when it no
    longer covers one stake. Where balls or spins share the stake of a round, a bankroll bets on rounds, and
    `n` bets are that many balls.
    """

    law: Distribution | None

    def _known(self) -> Distribution:
        if self.law is None:
            raise BadValue("law", "must be known exactly, and isn't: simulate, estimate and paths need none")
        return self.law

    def _of_round(self) -> Distribution:
        """Return the law of a round, whose stake several balls or spins may share."""
        self._known()
        return law_of_round(self, "a round")

    def sum(self, n: int) -> Distribution:
        """Return the law of the total return of `n` bets; see `Distribution.sum`.

        Examples
        --------
        >>> pf.Double().bet({0: 14}, law="ideal").sum(100).mean()
        93.33333333333333
        """
        return self._known().sum(n)

    def maximum(self, n: int) -> Distribution:
        """Return the law of the largest return among `n` bets; see `Distribution.maximum`.

        Examples
        --------
        >>> round(float(pf.Double().bet({0: 14}, law="ideal").maximum(10).pmf(14)), 6)
        0.498388
        """
        return self._known().maximum(n)

    def minimum(self, n: int) -> Distribution:
        """Return the law of the smallest return among `n` bets; see `Distribution.minimum`.

        Examples
        --------
        >>> round(float(pf.Dice().bet(under=50, payout=1.98).minimum(2).pmf(0)), 6)
        0.75005
        """
        return self._known().minimum(n)

    def longest_losing_run(self, n: int) -> Distribution:
        """Return the law of the longest losing run among `n` bets.

        A bet is lost if it returns less than its stake.

        Parameters
        ----------
        n : int
            The number of bets, from 1.

        Returns
        -------
        Distribution
            Exact for small `n`; otherwise outcomes with a total probability of at most `truncation_error` are
            left out.

        Examples
        --------
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
        progress: Progress = False,
    ) -> Any:
        """Return the probability that a bankroll falls below one stake.

        Parameters
        ----------
        bankroll : number
            The initial bankroll, in stakes. Below 1 it is ruined from the start.
        rounds : int, optional
            The number of rounds; unlimited by default.
        target : number, optional
            An amount at which betting stops: the result is the probability of ruin before it is reached, and
            0 if the bankroll is already there.
        system : BettingSystem or callable, optional
            The stakes: a `BettingSystem`, or a function of the history, the tuple of the returns of a bet of
            1 in each round so far. The bankroll is then ruined when it doesn't cover the next stake. By
            default, one stake in every round.
        exact : bool
            Whether to return a Fraction. It takes `rounds`, or a target without a system.
        progress : bool or callable
            With a system or `rounds`: whether to show a progress bar (by tqdm), or a function of the rounds
            done and the most there can be. A system with many states may take half a minute before it is
            refused.

        Returns
        -------
        float or fractions.Fraction
            With `rounds`, computed round by round. With a target, from the linear equations for all amounts
            in between. Otherwise 1 if the expected return is at most the stake, unless the bet never loses;
            else from all roots of the characteristic polynomial, within 1e-12.

        Raises
        ------
        ValueError
            When the law isn't known, a betting system has neither rounds nor a target, or it may come to more
            than 2**19 states, or 2**22 pairs of state and bankroll, as one that remembers a list of stakes
            (Labouchère's) soon does. States are counted first, up to 1,000 rounds ahead, in seconds.

        Examples
        --------
        >>> bet = pf.Dice().bet(under=50, payout=1.98)
        >>> round(bet.ruin(100, target=200), 6), round(bet.ruin(100, rounds=1000), 6), bet.ruin(100)
        (0.888273, 0.003975, 1.0)
        >>> even = pf.Dice().bet(under=50, payout=2, law="ideal")
        >>> round(even.ruin(63, target=64, system=pf.bets.Martingale()), 6)  # six losses: (5001 / 10001)**6
        0.015634
        """
        if system is not None:
            law = self._of_round()
            return ruin_of_system(law, system, bankroll, rounds, target, exact=exact, progress=progress)
        return ruin(self._of_round(), bankroll, rounds, target, exact=exact, progress=progress)

    def ruin_time(self, bankroll: Any, rounds: int | None = None, target: Any = None) -> Distribution:
        """Return the law of the round in which ruin comes, given that it comes.

        Parameters
        ----------
        bankroll, target
            See `ruin`.
        rounds : int, optional
            The condition that ruin comes within this many rounds; by default as many as matter, up to 2**17.

        Returns
        -------
        Distribution
            The number of the round, from 1; 0 where the bankroll is ruined from the start.

        Raises
        ------
        ValueError
            When ruin is impossible; or when `rounds` isn't given and ruin often takes longer than can be
            computed.

        Examples
        --------
        >>> time = pf.Double().bet({0: 14}).ruin_time(20, rounds=1000)
        >>> int(time.median()), round(float(time.pmf(20)), 4)
        (48, 0.2692)
        """
        return ruin_time(self._of_round(), bankroll, rounds, target)

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
            The law of what is left: the exact law of the ends of `paths`.

        Examples
        --------
        >>> dict(pf.Double().bet({0: 2, 1: 2}, law="ideal").bankroll(2, bankroll=1))
        {0: Fraction(13, 15), 1: Fraction(26, 225), 3: Fraction(4, 225)}
        """
        return law_of_bankroll(self._of_round(), rounds, bankroll, target)

    def drawdown(self, rounds: int, *, unit: Any = 1) -> Distribution:
        """Return the law of the largest fall of a bankroll from its highest point so far.

        Betting goes on in every round, whatever is left.

        Parameters
        ----------
        rounds : int
            The number of rounds, from 1.
        unit : number
            The unit in which falls are counted, rounded down.

        Returns
        -------
        Distribution
            The fall in stakes, a multiple of `unit`.

        Examples
        --------
        >>> falls = pf.Double().bet({0: 14}).drawdown(100)
        >>> int(falls.median()), round(float(falls.sf(60)), 4)
        (38, 0.1193)
        """
        return drawdown(self._of_round(), rounds, unit)

    def kelly(self) -> float:
        """Return the Kelly fraction: the fraction of a bankroll to bet so that it grows fastest.

        It is 0 if the expected return is at most the stake, and never above 1, which only bets that can't
        lose everything reach.
        """
        return kelly(self._of_round())

    def growth(self, fraction: ArrayLike) -> Any:
        """Return the growth rate of a bankroll that bets a fraction of itself in every round.

        Parameters
        ----------
        fraction : float or array-like
            From 0 to 1.

        Returns
        -------
        float or numpy.ndarray
            The mean change of the bankroll's logarithm in a round, in the shape of `fraction`; minus infinity
            if everything can be lost.

        Examples
        --------
        >>> bet = pf.Double().bet({0: 16}, law="ideal")
        >>> round(bet.growth(bet.kelly()), 9), bet.growth(0.02) < 0, bet.growth(1)
        (0.000145174, True, -inf)
        """
        return growth(self._of_round(), fraction)
