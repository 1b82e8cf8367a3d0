"""Stake's games of uniform numbers: dice, roulette, rock paper scissors, flips and darts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from provably_fair.games import Range
from provably_fair.games.draws import Draws
from provably_fair.games.kind import kind_property
from provably_fair.games.kinds import PartsGame, WheelGame
from provably_fair.games.kinds.dice import DiceGame, PaidDice
from provably_fair.games.looks import Binned

from .schemes import StakeGame


class _Dice(PaidDice):
    def pays(self, chance: int) -> Fraction:
        """Return 99 divided by the winning chance in percent."""
        return Fraction(9_900, chance)


class Dice(DiceGame, StakeGame):
    """Stake's dice: a number from 0.00 to 100.00.

    ``floor(f * 10001) / 100`` of the first number f. By default, as in the operator's rule, a winning bet
    pays 99 divided by the winning chance in percent that the operator states: `under`, or 100 - `over`.

    Notes
    -----
    Checked on 21 published rounds: 16 bets of 2019, 5 of the calculator.

    Examples
    --------
    >>> seeds = "f2ac89b608eeb01312d115bce6741b32", "86ff027f15c48241af7f54a726690ee7"
    >>> pf.operators.stake.Dice().play(*seeds, [0, 1, 2])
    array([28.07, 29.02,  5.86])
    >>> bet = pf.operators.stake.Dice().bet(over=50.5, law="ideal")
    >>> bet.law.outcomes, bet.exact_rtp  # 4,950 of 10,001 numbers pay 2
    (array([0, 2]), Fraction(9900, 10001))
    """

    least, most, unit = 0, 10_000, 100

    kind = kind_property(_Dice)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(10_001) / 100


class Roulette(WheelGame, StakeGame):
    """Stake's roulette: a number from 0 to 36, ``floor(f * 37)``.

    Notes
    -----
    Checked on 21 published rounds: 16 bets of 2019, 5 of the calculator.

    Examples
    --------
    >>> seeds = "f7b51b19a4563681f2c1e00ef747884a", "94ffb08138facf8cffa9c376d703aaed"
    >>> pf.operators.stake.Roulette().play(*seeds, [0, 1, 2])
    array([33,  6, 22])
    """

    sectors = 37

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(37)


class RockPaperScissors(PartsGame, StakeGame):
    """Stake's rock paper scissors: the house's hand, 0 rock, 1 paper, 2 scissors: ``floor(f * 3)``.

    Parameters
    ----------
    rounds : int
        The number of throws, 1 to 1000.

    Notes
    -----
    Checked on 1 published round, of the calculator: ten throws.

    Examples
    --------
    >>> seeds = "b3f276eca635f24d58e8f3822ba1d15c", "ae8378fe6eadaa711af43746ea6766e0"
    >>> pf.operators.stake.RockPaperScissors(rounds=5).play(*seeds, 0)
    array([1, 0, 2, 0, 1])
    """

    rounds: int = Range(1, 1000, default=20)
    part_name = "throw"

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(self.rounds, "throw").below(3)


class Flip(PartsGame, StakeGame):
    """Stake's flip: 0 tails, 1 heads: ``floor(f * 2)``.

    Parameters
    ----------
    rounds : int
        The number of flips, 1 to 1000.

    Notes
    -----
    Checked on 1 published round, of the calculator: twenty flips.

    Examples
    --------
    >>> seeds = "8b9c7cf18c001dfb7ea6f6fe52f3df95", "247e90a65d07b3c4d629ada402918f03"
    >>> pf.operators.stake.Flip(rounds=6).play(*seeds, 0)
    array([1, 1, 1, 1, 0, 1])
    """

    rounds: int = Range(1, 1000, default=20)
    part_name, words = "flip", {"heads": 1, "tails": 0, "true": 1, "false": 0}

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(self.rounds, "flip").below(2)


class Darts(PartsGame, StakeGame):
    """Stake's darts: the angle and the distance at which a dart hits, two numbers f.

    The picture of the board is unknown.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026, which show three decimals.

    Examples
    --------
    >>> seeds = "e1865fe1e308c311d932bb00b2ff3e4b", "4543e84c4eb767373f78a35a6dee2787"
    >>> pf.operators.stake.Darts().play(*seeds, 0).round(3)
    array([0.709, 0.91 ])
    """

    part_name, gathered = "number", Binned(100)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(2, "number").number()
