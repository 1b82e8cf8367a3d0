"""Simulated bets: the return to player beside its exact value, and what becomes of a bankroll."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from provably_fair.distribution.payouts import Payout

from .bet import Bet, bet_on
from .estimate import RtpEstimate
from .paths import BankrollPaths
from .systems import BettingSystem

__all__ = ["bankroll_paths", "estimate_rtp"]


def estimate_rtp(
    game: object,
    payout: Payout | float | None = None,
    *,
    rounds: int,
    stake: object = 1,
    seed: int | str = 0,
    confidence: float = 0.95,
    threads: int | None = None,
    law: str = "as_drawn",
    **subject: object,
) -> RtpEstimate:
    """Simulate a bet, and set its return to player beside the exact value.

    Two calls give the same rounds unless `seed` differs.

    Parameters
    ----------
    game : Game, VideoPoker, Blackjack or Bet
        What is bet on.
    payout : callable, mapping, sequence or number, optional
        The return of a bet of 1, the stake included, by the value of the subject (see
        `Distribution.expect`); a number where the bet wins, and else nothing. May be left out where the
        subject is paid itself: a cash-out, a hand of video poker, a round of blackjack.
    rounds : int
        The number of rounds, at least 2.
    stake : number, array-like or callable
        The stake: the same in all rounds, one for each round, or a function of the round's number, an
        int64 array, to stakes.
    seed : int or str
        The series of salts, see `Game.simulate`.
    confidence : float
        The level of the interval.
    threads : int, optional
        The most threads to use.
    law : str
        "as_drawn" or "ideal": which law the exact value is of.
    **subject
        What is bet on, see `Game.distribution`: ``cash_out=2``, ``under=50``, ...

    Returns
    -------
    RtpEstimate
        ``.rtp``, ``.low``, ``.high``, ``.exact_rtp``.

    Raises
    ------
    TypeError
        When nothing says what is paid.

    Notes
    -----
    Of a bet that pays one amount or nothing, the interval is the exact binomial one. Of others it comes
    from the exact law of one bet: the mean of all bets is that close to the law's own, except in both tails.
    It holds for skewed bets too, at any number of rounds. Where no law is known, as of blackjack, it comes
    from Student's law and the simulated variance.

    Examples
    --------
    >>> import provably_fair as pf
    >>> estimate = pf.estimate_rtp(pf.Crash(), rounds=100_000, cash_out=2)
    >>> round(float(estimate.exact_rtp), 10), abs(estimate.rtp - estimate.exact_rtp) < 0.01
    (0.95238, True)
    >>> pf.estimate_rtp(pf.Dice(), 1.98, rounds=1000, under=50).covers
    True
    """
    return _bet(game, payout, law, subject).estimate(
        rounds, stake=stake, seed=seed, confidence=confidence, threads=threads
    )


def bankroll_paths(
    game: object,
    payout: Payout | float | None = None,
    *,
    rounds: int,
    paths: int = 100,
    bankroll: float = 100.0,
    stake: float | Callable[[np.ndarray], object] | BettingSystem = 1.0,
    seed: int | str = 0,
    threads: int | None = None,
    law: str = "as_drawn",
    **subject: object,
) -> BankrollPaths:
    """Simulate bankrolls that bet round after round, until the last round or ruin.

    Two calls give the same rounds unless `seed` differs.

    Amounts are exact: floats stand for the decimals that they are shown as. A bankroll that doesn't cover
    its stake bets nothing.

    Parameters
    ----------
    game : Game, VideoPoker, Blackjack or Bet
        What is bet on, one bet a round: a Plinko of one ball, a Slot of one spin.
    payout : callable, mapping, sequence or number, optional
        See `estimate_rtp`.
    rounds : int
        The number of rounds of each path.
    paths : int
        The number of paths. Path i takes the salts from number i * rounds on.
    bankroll : float
        What each path starts with.
    stake : float, callable or BettingSystem
        The stake; a function of the bankrolls, shape (paths,), to stakes; or a betting system, which
        remembers what happened before.
    seed : int or str
        The series of salts, see `Game.simulate`.
    threads : int, optional
        The most threads to use.
    law : str
        "as_drawn" or "ideal": which law the exact return is of.
    **subject
        What is bet on, see `Game.distribution`.

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
    >>> float(pf.bankroll_paths(pf.Dice(), 2, rounds=10, bankroll=1.0, stake=0.1, under=0).values[0, -1])
    0.0
    """
    return _bet(game, payout, law, subject).paths(
        rounds, paths=paths, bankroll=bankroll, stake=stake, seed=seed, threads=threads
    )


def _bet(game: object, payout: object, law: str, subject: Mapping[str, object]) -> Bet:
    # The default is every bet's own.
    return bet_on(game, payout, **subject, **({} if law == "as_drawn" else {"law": law}))
