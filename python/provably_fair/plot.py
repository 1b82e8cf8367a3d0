"""A picture of all games (needs matplotlib, of the extra ``plot``).

Rounds, hands and laws draw themselves: `game.plot`, `table.plot`, `law.plot`. Nothing is shown or saved.
The colors are distinguishable for color-blind readers, and no picture relies on color alone.
"""

from __future__ import annotations

import numpy as np

from provably_fair._core import drawing
from provably_fair._core.arguments import BadValue, integer
from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games.fairness import example_of
from provably_fair.operators.salted import GAMES

__all__ = ["gallery"]
__dir__: Lister = lister_of(__all__)


def gallery(rounds: int = 20_000, *, axes: object = None) -> np.ndarray:
    """Draw the exact laws of the ten games, and simulated rounds beside them.

    Games with several values show a part of them: mines in the top row, rows climbed, the stop of
    the fifth reel, the bucket of a ball.

    Parameters
    ----------
    rounds : int
        Number of rounds of each game to simulate.
    axes : array-like of matplotlib.axes.Axes, optional
        Ten axes to draw on; a new figure by default.

    Returns
    -------
    numpy.ndarray
        The ten axes.

    Examples
    --------
    >>> [ax.get_title() for ax in pf.plot.gallery(rounds=1000)][:3]
    ['Mines: in the top row', 'Tower: rows climbed', 'Slot: fifth reel']
    """
    rounds = integer("rounds", rounds, 1)
    # Bars first, then plots with logarithmic axes.
    shown = sorted((example_of(kind) for kind in GAMES.values()), key=lambda one: one.tail)
    if axes is None:
        figure = drawing.axes(None, 13, 5.2).figure
        figure.clear()
        axes = figure.subplots(2, len(shown) // 2)
    axes = np.asarray(axes, dtype=object).ravel()
    if axes.size != len(shown):
        raise BadValue("axes", f"must be {len(shown)}, got {axes.size}")
    for ax, one in zip(axes, shown, strict=True):
        exact = one.game.distribution(**one.subject)
        outcomes = one.game.observe(one.game.simulate(rounds), **one.subject)
        if one.tail:
            exact.plot_survival(outcomes, ax=ax)
        else:
            values, counts = np.unique(outcomes, return_counts=True)
            exact.plot(dict(zip(values.tolist(), counts.tolist(), strict=True)), ax=ax)
        if ax.get_legend():
            ax.get_legend().remove()
            ax.margins(y=0.05)
        ax.set_title(one.title, fontsize=10)
        ax.set_xlabel("")
        ax.set_ylabel("")
        ax.tick_params(labelsize=8)
    for ax in axes[:: len(axes) // 2]:
        ax.set_ylabel("probability")
    array: np.ndarray = axes
    return array
