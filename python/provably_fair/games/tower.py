"""Tower: where the mines lie in ten rows of five positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import integer, integers
from provably_fair._core.drawing import axes, board, tile
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

__all__ = ["Tower"]

_LEAST = Engine("tower", [1])
_ROWS = _LEAST.shape[0]
_POSITIONS = _LEAST.bounds[1] + 1


class Tower(EngineGame, catalog="tower"):
    """Tower: where the mines lie in ten rows of five positions.

    Outcome: shape (10, mines), positions 0 to 4 in each row, in the order in which the shuffle drew
    them.

    Parameters
    ----------
    mines : int
        The number of mines in each row, 1 to 4.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.Tower().play("", "", "").ravel()
    array([2, 4, 2, 1, 4, 3, 0, 2, 2, 1])
    """

    mines: int = 1

    # Its law

    def distribution(
        self, law: str = "ideal", *, positions: ArrayLike = 0, rows: int = _ROWS
    ) -> Distribution:
        """Return the exact law of the rows climbed before a mine is hit.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        positions : int or array-like of int
            The position that the player chooses in every row, 0 to 4; or one for each row.
        rows : int
            At how many rows the player stops, 1 to 10.

        Returns
        -------
        Distribution
            Of 0 to `rows`.

        Raises
        ------
        TypeError, ValueError
            When positions or rows aren't those of a tower.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Tower().distribution(rows=2).pmf([0, 1, 2])
        array([0.2 , 0.16, 0.64])
        """
        chosen = _choose_positions(positions, rows)
        weights: list[int] = []
        climbed = 1
        for row, position in enumerate(chosen.tolist()):
            hit = engine_law(self, law, part=row, among=1 << position)
            safe = dict(zip(hit.outcomes.tolist(), hit.weights, strict=True)).get(0, 0)
            weights = [weight * hit.total for weight in weights]
            weights.append(climbed * (hit.total - safe))
            climbed *= safe
        return Distribution(range(len(chosen) + 1), [*weights, climbed])

    def observe(self, outcomes: ArrayLike, *, positions: ArrayLike = 0, rows: int = _ROWS) -> np.ndarray:
        """Return, for simulated outcomes, the rows climbed before a mine is hit.

        Parameters
        ----------
        outcomes : array-like of int, shape (N, 10, mines)
            As `simulate` returns them.
        positions, rows
            As in `distribution`.

        Returns
        -------
        numpy.ndarray
            Shape (N,).

        Examples
        --------
        >>> import provably_fair as pf
        >>> tower = pf.Tower()
        >>> round = tower.play("", "", "")  # its mines: 2 4 2 1 4 3 0 2 2 1
        >>> tower.observe([round], positions=0).tolist()
        [6]
        """
        chosen = _choose_positions(positions, rows)
        climbed = self.check_outcomes(outcomes)[..., : len(chosen), :]
        hit = (climbed == chosen[:, np.newaxis]).any(axis=-1)
        return np.where(hit.any(axis=-1), hit.argmax(axis=-1), len(chosen))

    def _win_value(self, subject: Mapping[str, Any], values: Distribution) -> int:
        return int(subject.get("rows", _ROWS))

    # Its looks and its sequences

    def looks(self) -> tuple[Look, ...]:
        return tuple(
            Look(f"rows climbed at position {position}", {"positions": position})
            for position in range(_POSITIONS)
        )

    def bias_looks(self) -> tuple[Look, ...]:
        return tuple(
            Look(f"position {position}", {"positions": position, "rows": 1}) for position in range(_POSITIONS)
        )

    @classmethod
    def example(cls) -> Example:
        return Example(cls(), f"{cls.__name__}: rows climbed")

    def _material(self, values: np.ndarray) -> FairnessMaterial:
        return shuffle_material(values, _POSITIONS, self, _ROWS)

    # Its pictures

    def picture_lines(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        yield [f"the tower from row {_ROWS} down to row 1, mines in brackets"]
        for row in reversed(outcome.tolist()):
            yield ["  ", *mark_cells(range(_POSITIONS), set(row))]

    def plot(self, outcome: ArrayLike | Walkthrough, *, ax: Axes | None = None) -> Axes:
        """Draw the ten rows of a round, the first one at the bottom (needs matplotlib).

        Parameters
        ----------
        outcome : array-like of int, shape (10, mines), or Walkthrough
            The positions of the mines, such as `play` returns, or a round's walk-through.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.Tower(mines=2)
        >>> game.plot(game.play("", "", "")).get_ylabel()
        'row'
        """
        walk = walk_of(outcome, type(self))
        rows = board_values("outcome", outcome if walk is None else walk.outcome, _POSITIONS)
        if rows.ndim != 2 or rows.shape[0] != _ROWS:
            raise ValueError(f"outcome must have the shape ({_ROWS}, mines), got {rows.shape}")
        ax = axes(ax, 2.8, 5)
        for row, mines in enumerate(rows.tolist()):
            for position in range(_POSITIONS):
                if position in mines:
                    tile(ax, (position, row), "mine", color="vermilion")
                else:
                    tile(ax, (position, row), str(position))
        board(ax, _POSITIONS, _ROWS)
        ax.set_yticks(range(_ROWS), [str(row) for row in range(1, _ROWS + 1)])
        ax.set_ylabel("row")
        ax.set_title(f"{rows.shape[1]} of {_POSITIONS} mined in each row", fontsize=10)
        return ax


def _choose_positions(positions: Any, rows: object) -> np.ndarray:
    """Return the position that is chosen in each row."""
    rows = integer("rows", rows, 1, _ROWS)
    last = _POSITIONS - 1
    if np.ndim(positions) == 0:
        return np.full(rows, integer("positions", positions, 0, last))
    chosen = integers("positions", positions)
    if chosen.size < rows or ((chosen < 0) | (chosen > last)).any():
        raise ValueError(f"positions must be one for each of {rows} rows, from 0 to {last}")
    return chosen[:rows]
