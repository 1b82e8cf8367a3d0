"""Plots of laws beside simulated frequencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from provably_fair._core.arguments import BadValue, probability
from provably_fair._core.drawing import COLORS, at_least, axes, band, bars, stairs
from provably_fair._core.printable import label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MAX_BARS", "draw_law", "draw_survival"]

MAX_BARS = 200
"""Up to this many outcomes are drawn as single bars."""


def draw_law(
    outcomes: np.ndarray,
    probabilities: np.ndarray,
    observed: np.ndarray | None = None,
    rounds: int = 0,
    *,
    confidence: float = 0.95,
    ax: Axes | None = None,
) -> Axes:
    """Draw a law, and the frequencies of `rounds` rounds with their pointwise confidence band."""
    confidence = probability("confidence", confidence)
    if observed is not None and rounds <= 0:
        raise BadValue("counts", f"must have a sum above 0, got {rounds}")
    ax = axes(ax, 6, 3.4)
    numeric = outcomes.dtype.kind in "iuf"
    x = outcomes if numeric else np.arange(outcomes.size)
    each = x.size <= MAX_BARS
    if numeric:
        expected = f"mean {x @ probabilities:.4g}"
        simulated = "" if observed is None else f", simulated {x @ observed / rounds:.4g}"
        ax.set_title(expected + simulated, fontsize=10)
    if each:
        bars(ax, x, probabilities, label="exact")
        if outcomes.dtype.kind in "iu":
            ax.locator_params(axis="x", integer=True)
    else:
        probabilities = at_least(probabilities)
        stairs(ax, x, probabilities, label="exact")
    if not numeric:
        ax.set_xticks(x, [label(str(outcome), 20) for outcome in outcomes])
    if observed is not None:
        from statistics import NormalDist  # slow to import

        half = NormalDist().inv_cdf((1 + confidence) / 2) * np.sqrt(
            probabilities * np.maximum(1 - probabilities, 0) / rounds
        )
        low, high = np.maximum(probabilities - half, 0), np.minimum(probabilities + half, 1)
        band(ax, x, low, high, each=each, label=f"{confidence:.0%} of samples of {rounds:,}")
        frequencies = (observed if each else at_least(observed)) / rounds
        if each:
            ax.plot(x, frequencies, ".", color="black", markersize=5, label="simulated")
            # Leave space for the legend above the bars, without fixing the limits.
            ax.margins(y=0.4)
        else:
            ax.plot(x, frequencies, color="black", linewidth=0.8, label="simulated")
        ax.legend(fontsize=8)
    ax.set_xlabel("outcome")
    ax.set_ylabel("probability" if each else "probability of at least this")
    return ax


def draw_survival(
    values: np.ndarray,
    counts: np.ndarray,
    outcomes: np.ndarray | None = None,
    probabilities: np.ndarray | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw observed and exact probabilities of at least x, on logarithmic axes."""
    ax = axes(ax, 6, 3.8)
    rounds = counts.sum()
    if outcomes is not None and probabilities is not None:
        ax.plot(outcomes, at_least(probabilities), color=COLORS["sky"], linewidth=5, label="exact")
    name = f"{int(rounds):,} simulated rounds"
    ax.plot(values, at_least(counts) / rounds, color="black", linewidth=1.2, label=name)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("multiplier x")
    ax.set_ylabel("probability of at least x")
    ax.grid(alpha=0.3)
    ax.legend(fontsize=8)
    half = np.searchsorted(-at_least(counts), -rounds / 2, side="right") - 1
    ax.set_title(f"half of the rounds reach {values[half]:.4g}", fontsize=10)
    return ax
