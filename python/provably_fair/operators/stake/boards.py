"""Stake's games of hidden mines, eggs and moles."""

from __future__ import annotations

import numpy as np

from provably_fair._core.arguments import BadValue
from provably_fair.games import Range
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import BoardGame, TowerGame

from .schemes import StakeGame

_ROWS = 9


def _rows(draws: Draws, positions: int, count: int) -> np.ndarray:
    """Return some positions of each row, by removal."""
    found = []
    for row in range(_ROWS):
        draws.part("row", row)
        found.append(draws.sample(positions, count))
    return np.stack(found, axis=1)


class Mines(BoardGame, StakeGame):
    """Stake's mines: the cells with mines, 0 to 24, in the order drawn, by removal from those left.

    Parameters
    ----------
    mines : int
        The number of mines, 1 to 24.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019, whose fields were given in the order of all 24 draws.

    Examples
    --------
    >>> seeds = "e8c495e2af38633f6ad42e0da12c8e3de7420d5284d054e36e83fdd2f13db44d", "huoauPze"
    >>> pf.operators.stake.Mines(mines=3).play(*seeds, 1)
    array([ 2, 12,  5])
    """

    mines: int = Range(1, 24, default=3)
    cells = 25

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(25, self.mines)


class DragonTower(TowerGame, StakeGame):
    """Stake's dragon tower: the eggs in each of nine rows, by removal. Eggs are safe.

    Parameters
    ----------
    tiles : int
        The number of tiles in a row, 2 to 4.
    eggs : int
        The number of tiles with an egg, less than `tiles`.

    Notes
    -----
    Checked on 2 published rounds, of the calculator: 3 of 4, 1 of 2.

    Examples
    --------
    >>> seeds = "f0344667883e7628a041d8e500e6d203", "2a73709723181740d73e64233275c29c"
    >>> pf.operators.stake.DragonTower(tiles=2, eggs=1).play(*seeds, 2).ravel()
    array([0, 0, 0, 1, 0, 1, 0, 0, 1])
    """

    tiles: int = Range(2, 4, default=4)
    eggs: int = Range(1, 3, default=3)
    rows, safe = _ROWS, True

    @property
    def positions(self) -> int:
        """The number of tiles in a row."""
        return self.tiles

    @property
    def count(self) -> int:
        """The number of eggs in a row."""
        return self.eggs

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.eggs >= self.tiles:
            raise BadValue("eggs", f"must be fewer than the {self.tiles} tiles of a row, got {self.eggs}")

    def outcome(self, draws: Draws) -> np.ndarray:
        return _rows(draws, self.tiles, self.eggs)


class Moles(TowerGame, StakeGame):
    """Stake's moles: the moles in each of nine rows of seven holes, drawn by removal. Picking one loses.

    Parameters
    ----------
    moles : int
        The number of moles in a row, 1 to 6.

    Notes
    -----
    Checked on 2 published rounds, of the calculator: 1 and 2 moles.

    Examples
    --------
    >>> seeds = "9ad3b1a17cb0221603ce4e1b84eb54ab", "d92549aa62e5091371536bf5ee9dfb21"
    >>> pf.operators.stake.Moles(moles=2).play(*seeds, 1)[:2]
    array([[1, 5],
           [0, 3]])
    """

    moles: int = Range(1, 6, default=1)
    rows, positions = _ROWS, 7

    @property
    def count(self) -> int:
        """The number of moles in a row."""
        return self.moles

    def outcome(self, draws: Draws) -> np.ndarray:
        return _rows(draws, 7, self.moles)
