"""The plot of a fairness report: p-values and their critical levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from provably_fair._core.drawing import COLORS, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Smaller p-values are drawn here: a logarithmic axis has no zero.
_MIN_PVALUE = 1e-12


def pvalues(results: list[tuple[str, float, bool]], level: float, ax: Axes | None) -> Axes:
    """Draw p-values with the critical levels of Holm's method."""
    results = sorted(results, key=lambda result: result[1])
    ax = axes(ax, 6.4, 1.3 + 0.22 * len(results))
    places = np.arange(len(results))
    values = np.array([max(pvalue, _MIN_PVALUE) for _, pvalue, _ in results])
    rejected = np.array([rejected for *_, rejected in results], dtype=bool)
    for chosen, marker, color, name in (
        (~rejected, "o", "blue", "passed"),
        (rejected, "X", "vermilion", "rejected"),
    ):
        if chosen.any():
            ax.plot(values[chosen], places[chosen], marker, color=COLORS[color], markersize=7, label=name)
    name = f"level by Holm, {level:g} in all"
    ax.plot(level / (len(results) - places), places, "--", color="black", linewidth=1, label=name)
    ax.set_yticks(places, [name for name, *_ in results], fontsize=9)
    ax.set(xscale="log", ylim=(len(results) - 0.4, -0.6), xlabel="p-value")
    ax.grid(axis="x", alpha=0.3)
    rejections = int(rejected.sum())
    ax.set_title(f"{rejections or 'none'} of {len(results)} tests rejected", fontsize=10, pad=22)
    # Put the labels outside of the axes, where they can't cover a p-value.
    ax.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False)
    return ax
