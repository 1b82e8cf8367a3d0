"""Plots of laws beside simulated frequencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from provably_fair._core.arguments import BadValue, probability, reals
from provably_fair._core.drawing import COLORS, at_least, axes, band, bars, stairs
from provably_fair._core.printable import label

from .moments import Moments
from .tally import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_BARS = 200
"""Up to this many outcomes are drawn as single bars."""


def draw_law(
    law: Moments, observed: np.ndarray | None, rounds: int, confidence: float, ax: Axes | None
) -> Axes:
    """Draw a law, and the frequencies of `rounds` rounds with their pointwise confidence band."""
    confidence = probability("confidence", confidence)
    if observed is not None and rounds <= 0:
        raise BadValue("counts", f"must have a sum above 0, got {rounds}")
    ax = axes(ax, 6, 3.4)
    outcomes, probabilities = law.outcomes, law.probabilities
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
    ax.set(xlabel="outcome", ylabel="probability" if each else "probability of at least this")
    return ax


def draw_residuals(law: Moments, observed: np.ndarray, rounds: int, ax: Axes | None) -> Axes:
    """Draw the residual of each count in standard errors, where at least 5 rounds are expected."""
    if rounds <= 0:
        raise BadValue("counts", f"must have a sum above 0, got {rounds}")
    outcomes, probabilities = law.outcomes, law.probabilities
    kept = (probabilities * rounds >= 5) & (probabilities < 1)
    expected = probabilities[kept] * rounds
    off = (observed[kept] - expected) / np.sqrt(expected * (1 - probabilities[kept]))
    ax = axes(ax, 6, 3)
    numeric = outcomes.dtype.kind in "iuf"
    x = (outcomes if numeric else np.arange(outcomes.size))[kept]
    each = x.size <= MAX_BARS
    ax.axhspan(-3, 3, color=COLORS["pale"], zorder=0)
    ax.axhline(0, color="black", linewidth=0.8)
    if each:
        ax.vlines(x, 0, off, color=COLORS["sky"], linewidth=2)
    ax.plot(x, off, "o", markersize=5 if each else 1.5, color=COLORS["blue"])
    if not numeric:
        ax.set_xticks(x, [label(str(outcome), 20) for outcome in outcomes[kept]])
    reach = max(4.0, float(np.abs(off).max(initial=0.0)) * 1.1)
    ax.set(xlabel="outcome", ylabel="standard errors from the law", ylim=(-reach, reach))
    if off.size:
        most = int(np.abs(off).argmax())
        name = label(str(outcomes[kept][most]), 20)
        ax.set_title(f"farthest off: {off[most]:+.1f} standard errors at {name}", fontsize=10)
    return ax


def draw_survival(law: Moments, observed: object, ax: Axes | None) -> Axes:
    """Draw exact and observed probabilities of at least x, on logarithmic axes."""
    values, counts = law.outcomes, law.probabilities
    if isinstance(observed, Tally):
        values, counts = observed.outcomes[observed.counts > 0], observed.counts[observed.counts > 0]
    elif observed is not None:
        values, counts = np.unique(reals("outcomes", observed), return_counts=True)
    if observed is not None and (values.ndim != 1 or not values.size or values[0] <= 0):
        raise BadValue("outcomes", "must be at least one number above 0")
    ax = axes(ax, 6, 3.8)
    ax.plot(law.outcomes, at_least(law.probabilities), color=COLORS["sky"], linewidth=5, label="exact")
    rounds = counts.sum()
    if observed is not None:
        name = f"{int(rounds):,} simulated rounds"
        ax.plot(values, at_least(counts) / rounds, color="black", linewidth=1.2, label=name)
    ax.set(xscale="log", yscale="log", xlabel="multiplier x", ylabel="probability of at least x")
    ax.grid(alpha=0.3)
    ax.legend(fontsize=8)
    half = np.searchsorted(-at_least(counts), -rounds / 2, side="right") - 1
    ax.set_title(f"half of the rounds reach {values[half]:.4g}", fontsize=10)
    return ax
