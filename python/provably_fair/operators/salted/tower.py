"""Tower: where the mines lie in ten rows of five positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from provably_fair._core.arguments import BadValue, numbers_below
from provably_fair._core.drawing import axes, board, tile
from provably_fair._engine import Game as Engine
from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kind import kind_property
from provably_fair.games.kinds.tower import Tower as TowerKind, TowerGame
from provably_fair.games.looks import Example, Look

from ._boards import mark_cells, walk_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.walkthrough import Step, Walkthrough
    from provably_fair.walkthrough.lines import Line

_LEAST = Engine("tower", [1])
_ROWS = _LEAST.shape[0]
_POSITIONS = _LEAST.bounds[1] + 1


class _Tower(TowerKind):
    def looks(self, *, bias: bool = False) -> tuple[Look, ...]:
        if bias:
            return tuple(
                Look(f"position {place}", {"positions": place, "rows": 1}) for place in range(_POSITIONS)
            )
        return tuple(
            Look(f"rows climbed at position {place}", {"positions": place}) for place in range(_POSITIONS)
        )

    def material(self, values: np.ndarray) -> FairnessMaterial:
        """Return the draws of the shuffles."""
        from provably_fair.distribution.sequences import shuffle_material

        return shuffle_material(values, _POSITIONS, self.game, _ROWS)

    def picture(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        """Draw the tower in text."""
        yield [f"the tower from row {_ROWS} down to row 1, mines in brackets"]
        for row in reversed(outcome.tolist()):
            yield ["  ", *mark_cells(range(_POSITIONS), set(row))]


class Tower(TowerGame, EngineGame, catalog="tower"):
    """Tower: where the mines lie in ten rows of five positions.

    Outcome: shape (10, mines), positions 0 to 4 in each row: the first ones of a shuffle of all five, in the
    order in which it drew them.

    Parameters
    ----------
    mines : int
        The number of mines in each row, 1 to 4.

    Examples
    --------
    >>> pf.Tower().play("", "", "").ravel()
    array([2, 4, 2, 1, 4, 3, 0, 2, 2, 1])
    """

    mines: int = 1

    rows, positions, always = _ROWS, _POSITIONS, True
    pictured = Example("rows climbed")

    @property
    def count(self) -> int:
        """The number of mines in each row."""
        return self.mines

    kind = kind_property(_Tower)

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return ``np.stack([draws.shuffle(5, self.mines) for _ in range(10)], axis=1)``."""
        return np.stack([draws.shuffle(5, self.mines) for _ in range(10)], axis=1)

    def plot(self, outcome: ArrayLike | Walkthrough, *, ax: Axes | None = None) -> Axes:
        """Draw the ten rows of a round, the first one at the bottom; see `Game.plot`.

        Examples
        --------
        >>> game = pf.Tower(mines=2)
        >>> game.plot(game.play("", "", "")).get_ylabel()
        'row'
        """
        walk = walk_of(outcome, type(self))
        rows = numbers_below("outcome", outcome if walk is None else walk.outcome, _POSITIONS)
        if rows.ndim != 2 or rows.shape[0] != _ROWS:
            raise BadValue("outcome", f"must have the shape ({_ROWS}, mines), got {rows.shape}")
        ax = axes(ax, 2.8, 5)
        for row, position in np.ndindex(_ROWS, _POSITIONS):
            if position in rows[row]:
                tile(ax, (position, row), "mine", color="vermilion")
            else:
                tile(ax, (position, row), str(position))
        board(ax, _POSITIONS, _ROWS)
        ax.set_yticks(range(_ROWS), [str(row) for row in range(1, _ROWS + 1)])
        ax.set_ylabel("row")
        ax.set_title(f"{rows.shape[1]} of {_POSITIONS} mined in each row", fontsize=10)
        return ax
