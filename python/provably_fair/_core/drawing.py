"""Drawing primitives on matplotlib axes, and the colors of all pictures.

Needs matplotlib, of the extra ``plot``. Nothing is shown or saved. The colors are distinguishable for
color-blind readers, and no picture relies on color alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .optional import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = {
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "grey": "#999999",
    "pale": "#EDEDED",
}
"""The colors of all pictures: Okabe and Ito's palette, and two greys."""

TEXT = "#555555"
"""The text color on a pale tile."""


def axes(ax: Axes | None, width: float | None = None, height: float | None = None) -> Axes:
    """Return the given axes, or new ones of this size in inches."""
    if ax is not None:
        return ax
    pyplot = optional("matplotlib.pyplot", "plot", "plot")
    size = None if width is None or height is None else (width, height)
    drawn: Axes = pyplot.subplots(figsize=size, layout="constrained")[1]
    return drawn


def tile(
    ax: Axes,
    at: tuple[float, float],
    text: str = "",
    *,
    color: str = "pale",
    text_color: str | None = None,
) -> None:
    """Draw a cell of a board centered at a point; its color is a key of `COLORS` or one of matplotlib's."""
    from matplotlib.patches import Rectangle

    x, y = at
    if text_color is None:
        text_color = {"vermilion": "white", "blue": "white", "pale": TEXT}.get(color, "black")
    face = COLORS.get(color, color)
    ax.add_patch(Rectangle((x - 0.46, y - 0.46), 0.92, 0.92, facecolor=face, linewidth=0))
    ax.text(x, y, text, ha="center", va="center", color=text_color)


def frame(ax: Axes, corner: tuple[float, float], width: float = 1, line: float = 2) -> None:
    """Draw a black frame of height 1 with this lower left corner and width."""
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle(corner, width, 1, fill=False, linewidth=line, edgecolor="black"))


def board(ax: Axes, columns: int, rows: int) -> None:
    """Set up axes for a board of tiles with integer centers, without lines and ticks; texts scaled to fit."""
    shown = ax.get_window_extent()
    side = min(shown.width / columns, shown.height / rows) * 72 / ax.figure.dpi
    for text in ax.texts:
        lines = text.get_text().splitlines() or [""]
        # A letter is about 0.6 of the font size wide, and a line 1.3 high.
        text.set_fontsize(side * min(0.3, 1.3 / max(map(len, lines)), 0.6 / len(lines)))
    ax.set_xlim(-0.6, columns - 0.4)
    ax.set_ylim(-0.6, rows - 0.4)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def bars(ax: Axes, x: np.ndarray, heights: np.ndarray, **style: Any) -> None:
    """Draw a bar at each place, slightly narrower than the smallest distance between two."""
    width = 0.8 * (np.diff(x).min() if x.size > 1 else 1)
    ax.bar(x, heights, **{"width": width, "color": COLORS["sky"], **style})


def stairs(ax: Axes, x: np.ndarray, heights: np.ndarray, **style: Any) -> None:
    """Draw a step function that holds each height up to its place, such as P(at least x)."""
    ax.step(x, heights, **{"where": "pre", "color": COLORS["sky"], "linewidth": 3, **style})


def band(
    ax: Axes, x: np.ndarray, low: np.ndarray, high: np.ndarray, *, each: bool = True, **style: Any
) -> None:
    """Draw a confidence band: a vertical line at each place, or one area."""
    if each:
        middle = (low + high) / 2
        style = {"color": COLORS["blue"], "linewidth": 2.5, "alpha": 0.7, **style}
        ax.errorbar(x, middle, yerr=[middle - low, high - middle], fmt="none", **style)
    else:
        style = {"color": COLORS["blue"], "alpha": 0.3, **style}
        ax.fill_between(x, low, high, step="pre", **style)


def at_least(values: np.ndarray) -> np.ndarray:
    """Return cumulative sums from the end."""
    return values[::-1].cumsum()[::-1]
