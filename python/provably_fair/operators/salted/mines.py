"""Mines: where the mines lie on a board of 5x5 cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer, numbers_below
from provably_fair._core.counts import bincount
from provably_fair._core.drawing import axes, board, frame, tile
from provably_fair._engine import Game as Engine
from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kind import kind_property
from provably_fair.games.kinds.board import Board, BoardGame
from provably_fair.games.looks import Example, Look, View

from ._boards import mark_cells, walk_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.walkthrough import Step, Walkthrough
    from provably_fair.walkthrough.lines import Line

_BLUE = (0, 114, 178)

_CELLS = Engine("mines", [1]).bounds[1] + 1
_SIDE = math.isqrt(_CELLS)


class _Mines(Board):
    def view(self, **asked: Any) -> View:
        """Return the view of cells, which must be given: there are too many boards to list."""
        view = super().view(**asked)
        if view.of is None:
            raise BadType("cells", "must be given: the cells to reveal; or reveals, their number")
        return view

    def looks(self, *, bias: bool = False) -> tuple[Look, ...]:
        return tuple(Look(f"cell {cell}", {"cells": [cell]}) for cell in range(_CELLS))

    def material(self, values: np.ndarray) -> FairnessMaterial:
        """Return the draws of the shuffle."""
        from provably_fair.distribution.sequences import shuffle_material

        return shuffle_material(values, _CELLS, self.game, None)

    def picture(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        """Draw the board in text."""
        yield ["the board, mines in brackets"]
        mines = set(outcome.tolist())
        for row in range(_SIDE):
            yield ["  ", *mark_cells(range(_SIDE * row, _SIDE * (row + 1)), mines, width=2)]


class Mines(BoardGame, EngineGame, catalog="mines"):
    """Mines: where the mines lie on a board of 5x5 cells.

    Outcome: the cells of the mines, shape (mines,), 0 to 24 row by row from the top left: the first ones of a
    shuffle of all 25, in the order in which it drew them.

    Parameters
    ----------
    mines : int
        The number of mines, 1 to 24.

    Examples
    --------
    >>> pf.Mines(mines=5).play("", "", "")
    array([11,  8, 18, 16, 24])
    """

    mines: int = 3
    cells = _CELLS
    pictured = Example("in the top row", {"cells": range(_SIDE)}, {"mines": 5})

    kind = kind_property(_Mines)

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return ``draws.shuffle(25, self.mines)``."""
        return draws.shuffle(25, self.mines)

    def plot(
        self, outcome: ArrayLike | Walkthrough, *, ax: Axes | None = None, step: int | None = None
    ) -> Axes:
        """Draw the board of a round, the shuffle behind it, or how often cells hide a mine in many rounds.

        Parameters
        ----------
        outcome : array-like of int, or Walkthrough
            The cells of the mines, such as `play` returns; or a round's walk-through, which has the
            whole shuffle. Mines are numbered in the order in which they were drawn. Of many rounds, of
            shape (N, mines), the share of rounds in which each cell hides one.
        ax
            See `Game.plot`.
        step : int, optional
            Draw the board after this many steps of the shuffle, 1 to 24, with the cell that was taken
            last in a frame; cells that were taken and aren't mines show their place in the order, "#4".
            Needs a walk-through.

        Raises
        ------
        TypeError, ValueError
            When the outcome isn't one of Mines, or the step isn't one of the shuffle's.

        Examples
        --------
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
                raise BadType("step", "isn't supported with outcomes: only a walk-through has steps")
            cells = numbers_below("outcome", outcome, _CELLS)
            if cells.ndim == 2 and len(cells):
                return _draw_shares(cells, axes(ax, 3.4, 3.6))
            if cells.ndim != 1:
                raise BadValue("outcome", f"must be of shape (mines,) or (N, mines), got {cells.shape}")
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


def _draw_shares(cells: np.ndarray, ax: Axes) -> Axes:
    """Draw the share of rounds in which each cell hides a mine, darker for larger shares."""
    shares = bincount(cells.ravel(), minlength=_CELLS) / len(cells)
    low, high = shares.min(), shares.max()
    for cell, share in enumerate(shares.tolist()):
        shade = 0.1 + 0.5 * (share - low) / (high - low) if high > low else 0.3
        mixed = (round(255 - shade * (255 - part)) for part in _BLUE)
        tile(ax, _place(cell), f"{share:.1%}", color="#" + bytes(mixed).hex(), text_color="black")
    board(ax, _SIDE, _SIDE)
    ax.set_title(f"mines in {len(cells):,} rounds", fontsize=9)
    return ax


def _place(cell: int) -> tuple[int, int]:
    return cell % _SIDE, _SIDE - 1 - cell // _SIDE
