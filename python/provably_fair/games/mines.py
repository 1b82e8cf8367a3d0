"""Mines: where the mines lie on a board of 5x5 cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import distinct, integer, integers, is_single
from provably_fair._core.drawing import axes, board, frame, tile
from provably_fair._engine import Game as Engine
from provably_fair.distribution import Distribution
from provably_fair.distribution.sequences import FairnessMaterial, shuffle_material

from ._boards import board_values, mark_cells, walk_of
from ._engine_game import EngineGame, engine_law
from ._game import Example, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from provably_fair.walkthrough import Step, Walkthrough
    from provably_fair.walkthrough.lines import Line

__all__ = ["Mines"]

_CELLS = Engine("mines", [1]).bounds[1] + 1
_SIDE = math.isqrt(_CELLS)


class Mines(EngineGame, catalog="mines"):
    """Mines: where the mines lie on a board of 5x5 cells.

    Outcome: the cells of the mines, shape (mines,), 0 to 24 row by row from the top left, in the order
    in which the shuffle drew them.

    Parameters
    ----------
    mines : int
        The number of mines, 1 to 24.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.Mines(mines=5).play("", "", "")
    array([11,  8, 18, 16, 24])
    """

    mines: int = 3

    # Its law

    def distribution(
        self, law: str = "ideal", *, cells: ArrayLike | None = None, reveals: int | None = None
    ) -> Distribution:
        """Return the exact law of how many of some cells hide a mine.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn". As drawn it depends on which cells they are.
        cells : int or array-like of int
            Which cells, 0 to 24.
        reveals : int
            How many cells, 0 to 25, instead of which: the first ones.

        Returns
        -------
        Distribution
            Of the number of mines.

        Raises
        ------
        TypeError, ValueError
            When neither cells nor their number is given, or they aren't on the board.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).distribution(cells=[0, 1]).pmf([0, 1, 2])
        array([0.77, 0.22, 0.01])
        """
        return engine_law(self, law, among=_mask(_choose_cells(cells, reveals)))

    def observe(
        self, outcomes: ArrayLike, *, cells: ArrayLike | None = None, reveals: int | None = None
    ) -> np.ndarray:
        """Return, for simulated outcomes, how many of some cells hide a mine.

        Parameters
        ----------
        outcomes : array-like of int, shape (N, mines)
            As `simulate` returns them.
        cells, reveals
            As in `distribution`.

        Returns
        -------
        numpy.ndarray
            Shape (N,).

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).observe([[11, 8, 18]], cells=[8, 9, 10, 11])
        array([2])
        """
        looked_at = np.zeros(_CELLS, bool)
        looked_at[_choose_cells(cells, reveals)] = True
        found: np.ndarray = looked_at[self.check_outcomes(outcomes)].sum(axis=-1)
        return found

    def _win_value(self, subject: Mapping[str, object], values: Distribution) -> int:
        return 0  # none of the cells hides a mine

    def survival(
        self,
        reveals: Any = None,
        law: str = "ideal",
        *,
        cells: ArrayLike | None = None,
        exact: bool = False,
    ) -> Any:
        """Return the probability that no revealed cell hides a mine.

        Parameters
        ----------
        reveals : int or array-like of int
            How many cells are revealed, 0 to 25. As drawn it depends on which: a number then stands for
            the first cells.
        law : str
            "ideal" or "as_drawn".
        cells : int or array-like of int
            Which cells are revealed, 0 to 24, instead of how many.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction, or numpy.ndarray of them
            In the shape of `reveals`; 0 where there are fewer safe cells.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).survival(2), pf.Mines(mines=3).survival(2, exact=True)
        (0.77, Fraction(77, 100))
        >>> pf.Mines(mines=3).survival([1, 2, 3])
        array([0.88      , 0.77      , 0.66956522])
        """
        if reveals is None or is_single(reveals):
            mines = self.distribution(law, cells=cells, reveals=reveals)
            # No mines are the least outcome, where that can be at all.
            safe = Fraction(mines.weights[0] if mines.outcomes[0] == 0 else 0, mines.total)
            return safe if exact else float(safe)
        if cells is not None:
            raise TypeError("cells and reveals must not be given both")
        counted = integers("reveals", np.ravel(reveals))
        known = {count: self.survival(count, law, exact=exact) for count in np.unique(counted).tolist()}
        found = np.empty(counted.shape, dtype=object if exact else np.float64)
        for place, count in enumerate(counted.tolist()):
            found[place] = known[count]
        return found.reshape(np.shape(reveals))

    def fair_multiplier(
        self,
        reveals: Any = None,
        law: str = "ideal",
        *,
        cells: ArrayLike | None = None,
        exact: bool = False,
    ) -> Any:
        """Return the multiplier that makes revealing these cells a fair bet: 1 / survival.

        Parameters
        ----------
        reveals, law, cells, exact
            As in `survival`.

        Returns
        -------
        float or fractions.Fraction, or numpy.ndarray of them
            At least 1.

        Raises
        ------
        ValueError
            When the reveals can't be survived.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).fair_multiplier(1, exact=True)
        Fraction(25, 22)
        """
        survival = self.survival(reveals, law, cells=cells, exact=True)
        if not np.all(np.asarray(survival, dtype=object) > 0):
            named = "cells" if reveals is None else "reveals"
            raise ValueError(f"{named} must leave a chance: with {self.mines} mines there is none")
        fair = Fraction(1) / survival
        if exact:
            return fair
        return fair.astype(np.float64) if isinstance(fair, np.ndarray) else float(fair)

    # Its looks and its sequences

    def looks(self) -> tuple[Look, ...]:
        return tuple(Look(f"cell {cell}", {"cells": [cell]}) for cell in range(_CELLS))

    @classmethod
    def example(cls) -> Example:
        return Example(cls(mines=5), f"{cls.__name__}: in the top row", {"cells": range(_SIDE)})

    def _material(self, values: np.ndarray) -> FairnessMaterial:
        return shuffle_material(values, _CELLS, self, None)

    # Its pictures

    def picture_lines(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        yield ["the board, mines in brackets"]
        mines = set(outcome.tolist())
        for row in range(_SIDE):
            yield ["  ", *mark_cells(range(_SIDE * row, _SIDE * (row + 1)), mines, width=2)]

    def plot(
        self, outcome: ArrayLike | Walkthrough, *, ax: Axes | None = None, step: int | None = None
    ) -> Axes:
        """Draw the board of a round, or the shuffle behind it at one of its steps (needs matplotlib).

        Parameters
        ----------
        outcome : array-like of int, or Walkthrough
            The cells of the mines, such as `play` returns; or a round's walk-through, which has the
            whole shuffle. Mines are numbered in the order in which they were drawn.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.
        step : int, optional
            Draw the board after this many steps of the shuffle, 1 to 24, with the cell that was taken
            last in a frame; cells that were taken and aren't mines show their place in the order, "#4".
            Needs a walk-through.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Raises
        ------
        TypeError, ValueError
            When the outcome isn't one of Mines, or the step isn't one of the shuffle's.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.Mines(mines=3)
        >>> game.plot(game.explain("", "", ""), step=2).get_title()
        'step 2: index 8 of 24 left is cell 8'
        """
        walk = walk_of(outcome, type(self))
        if walk is not None:
            shuffle: Any = walk.steps[0]
            mines = list(shuffle.permutation[: shuffle.taken])
            taken = mines
            if step is not None:
                step = integer("step", step, 1, len(shuffle.picks))
                taken = list(shuffle.permutation[:step])
                pick = shuffle.picks[step - 1]
                title = f"step {step}: index {pick.draw.result} of {len(pick.left)} left is cell {taken[-1]}"
        else:
            if step is not None:
                raise TypeError("step must be left out: only a walk-through has the steps of the shuffle")
            cells = board_values("outcome", outcome, _CELLS)
            if cells.ndim != 1:
                raise ValueError(
                    f"outcome must be one round's cells, of the shape (mines,), got {cells.shape}"
                )
            taken = mines = cells.tolist()
        if step is None:
            title = f"mines in {' '.join(map(str, mines))}"
        ax = axes(ax, 3.4, 3.6)
        for cell in range(_CELLS):
            at = _place(cell)
            if cell in mines and cell in taken:
                tile(ax, at, f"mine\n{taken.index(cell) + 1}", color="vermilion")
            elif cell in taken:
                tile(ax, at, f"#{taken.index(cell) + 1}", color="grey")
            else:
                tile(ax, at, str(cell))
        if step is not None:
            x, y = _place(taken[-1])
            frame(ax, (x - 0.5, y - 0.5), line=2.5)
        board(ax, _SIDE, _SIDE)
        ax.set_title(title, fontsize=9)
        return ax


def _choose_cells(cells: object, reveals: Any) -> np.ndarray:
    """Return the cells that a law is of: those that are given, or the first ones, by their number."""
    if cells is not None and reveals is not None:
        raise TypeError("cells and reveals must not be given both")
    if reveals is not None:
        return np.arange(integer("reveals", reveals, 0, _CELLS))
    if cells is None:
        raise TypeError("cells must be given: which cells are looked at; or reveals, how many of them")
    return distinct("cells", cells, _CELLS - 1)


def _mask(cells: np.ndarray) -> int:
    return sum(1 << cell for cell in cells.tolist())


def _place(cell: int) -> tuple[int, int]:
    return cell % _SIDE, _SIDE - 1 - cell // _SIDE
