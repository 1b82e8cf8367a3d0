"""Plots of rounds and laws (needs matplotlib, of the extra ``plot``).

Every function draws on the given axes, or on new ones, and returns them; nothing is shown or saved. The
colors are distinguishable for color-blind readers, and no picture relies on color alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from provably_fair import cards
from provably_fair._core import drawing
from provably_fair._core.arguments import BadType, BadValue, check_type, integer
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.printable import label
from provably_fair.distribution import Distribution, Tally
from provably_fair.distribution.picture import draw_law, draw_survival
from provably_fair.games.fairness import example_of
from provably_fair.operators.salted import GAMES, Mines, Plinko, Slot, Tower
from provably_fair.walkthrough import Walkthrough

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from provably_fair.cards import VideoPoker

__all__ = [
    "gallery",
    "holds",
    "law",
    "mines",
    "plinko",
    "residuals",
    "slot",
    "survival",
    "tower",
]
__dir__: Lister = lister_of(__all__)

_COLORS = drawing.COLORS
"""The colors of all pictures: Okabe and Ito's palette, and two greys."""


def mines(outcome: ArrayLike | Walkthrough, *, step: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the board of a round of Mines, the shuffle behind it, or the shares of many rounds.

    Parameters
    ----------
    outcome : array-like of int, or Walkthrough
        The cells of the mines, such as `Mines.play` returns; or a round's walk-through, which has the
        whole shuffle. Mines are numbered in the order in which they were drawn. Of many rounds, of shape
        (N, mines), the share of rounds in which each cell hides one.
    step : int, optional
        Draw the board after this many steps of the shuffle, 1 to 24, with the cell that was taken last
        in a frame; cells that were taken and aren't mines show their place in the order, "#4". Needs a
        walk-through.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

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
    >>> walk = pf.Mines(mines=3).explain("", "", "")
    >>> pf.plot.mines(walk, step=2).get_title()
    'step 2: index 8 of 24 left is cell 8'
    """
    return Mines().plot(outcome, step=step, ax=ax)


def tower(outcome: ArrayLike | Walkthrough, *, ax: Axes | None = None) -> Axes:
    """Draw the ten rows of a round of Tower, the first one at the bottom.

    Parameters
    ----------
    outcome : array-like of int, shape (10, mines), or Walkthrough
        The positions of the mines, such as `Tower.play` returns, or a round's walk-through.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.plot.tower(pf.Tower(mines=2).play("", "", "")).get_ylabel()
    'row'
    """
    return Tower().plot(outcome, ax=ax)


def slot(game: Slot, stops: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Draw the window of one spin: three rows of five reels, the center line in a frame.

    Parameters
    ----------
    game : Slot
        The slot; its symbols are shown where it has `reels`, and stops where it hasn't.
    stops : array-like of int, shape (5,)
        One spin of an outcome.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.plot.slot(pf.Slot(), [14, 10, 21, 20, 39]).get_xlabel()
    'reel'
    """
    # Any kind of slot has a window.
    if not hasattr(game, "window"):
        raise BadType("game", f"must be a Slot, got {type(game).__name__}")
    if np.ndim(stops) != 1:
        raise BadValue("stops", f"must be of one spin, got the shape {np.shape(stops)}")
    return game.plot(stops, ax=ax)


def plinko(walk: Walkthrough, *, ax: Axes | None = None) -> Axes:
    """Draw the pins of a round of Plinko, the paths of its balls, and the buckets they fall into.

    Parameters
    ----------
    walk : Walkthrough
        The round's walk-through.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.plot.plinko(pf.Plinko(pins=8).explain("", "", "")).get_xlabel()
    'bucket'
    """
    check_type("walk", walk, Walkthrough, "a Walkthrough")
    return Plinko().plot(walk, ax=ax)


def law(
    law: Distribution,
    counts: Tally | Mapping[object, int] | ArrayLike | None = None,
    *,
    confidence: float = 0.95,
    ax: Axes | None = None,
) -> Axes:
    """Draw a law, and simulated frequencies with the band in which they should lie.

    Up to 200 outcomes are drawn one by one; more as the probability of at least each outcome.

    Parameters
    ----------
    law : Distribution, or tuple of (outcomes, weights)
        An exact law, as `Game.distribution` returns it.
    counts : Tally, mapping, or array-like of int, optional
        Number of rounds with each outcome; see `Distribution.chisquare`. With a tuple, in the order of its
        outcomes.
    confidence : float
        The probability that a single frequency lies in the band, above 0 and below 1.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    TypeError, ValueError
        When the law isn't one, the counts don't belong to it, or `confidence` isn't between 0 and 1.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.plot.law(pf.Plinko().distribution(), pf.Plinko().tally(1000)).get_ylabel()
    'probability'
    >>> pf.plot.law(pf.Dice().distribution()).get_ylabel()
    'probability of at least this'
    """
    if isinstance(law, Distribution):
        drawn: Axes = law.plot(ax, counts=counts, confidence=confidence)
        return drawn
    outcomes, probabilities = _law(law)
    observed = None if counts is None else _counts_of(counts, outcomes)
    rounds = 0 if observed is None else int(observed.sum())
    return draw_law(outcomes, probabilities, observed, rounds, confidence=confidence, ax=ax)


def residuals(
    law: object, counts: Tally | Mapping[object, int] | ArrayLike, *, ax: Axes | None = None
) -> Axes:
    """Draw the residual of each count against its law, in standard errors.

    Fair counts lie within 2 standard errors 95 % of the time, and beyond 3 once in 370; the band is from -3
    to 3. Outcomes that are expected less than 5 times are left out, since their counts aren't normal.

    Parameters
    ----------
    law, counts
        See `law`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.plot.residuals(pf.Plinko().distribution(), pf.Plinko().tally(1000)).get_ylabel()
    'standard errors from the law'
    """
    if isinstance(law, Distribution) and isinstance(counts, (Tally, Mapping)):
        if isinstance(counts, Tally):
            counts = dict(zip(counts.outcomes.tolist(), counts.counts.tolist(), strict=True))
        by_outcome = dict(counts.items())
        counts = [by_outcome.get(outcome, 0) for outcome in law.outcomes.tolist()]
    outcomes, probabilities = _law(law)
    observed = _counts_of(counts, outcomes)
    rounds = int(observed.sum())
    if rounds <= 0:
        raise BadValue("counts", f"must have a sum above 0, got {rounds}")
    kept = (probabilities * rounds >= 5) & (probabilities < 1)
    expected = probabilities[kept] * rounds
    off = (observed[kept] - expected) / np.sqrt(expected * (1 - probabilities[kept]))
    ax = drawing.axes(ax, 6, 3)
    numeric = outcomes.dtype.kind in "iuf"
    x = (outcomes if numeric else np.arange(outcomes.size))[kept]
    ax.axhspan(-3, 3, color=_COLORS["pale"], zorder=0)
    ax.axhline(0, color="black", linewidth=0.8)
    if x.size <= 200:
        ax.vlines(x, 0, off, color=_COLORS["sky"], linewidth=2)
    ax.plot(x, off, "o", markersize=5 if x.size <= 200 else 1.5, color=_COLORS["blue"])
    if not numeric:
        ax.set_xticks(x, [label(str(outcome), 20) for outcome in outcomes[kept]])
    reach = max(4.0, float(np.abs(off).max(initial=0.0)) * 1.1)
    ax.set(xlabel="outcome", ylabel="standard errors from the law", ylim=(-reach, reach))
    if off.size:
        most = int(np.abs(off).argmax())
        name = label(str(outcomes[kept][most]), 20)
        ax.set_title(f"farthest off: {off[most]:+.1f} standard errors at {name}", fontsize=10)
    return ax


def survival(outcomes: ArrayLike | Tally, law: object = None, *, ax: Axes | None = None) -> Axes:
    """Draw the share of outcomes of at least x on logarithmic axes, for Crash and Overgo.

    Parameters
    ----------
    outcomes : array-like of float, or Tally
        Simulated multipliers, above 0.
    law : Distribution, or tuple of (outcomes, weights), optional
        The exact law, drawn beside them.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.plot.survival(pf.Crash().simulate(1000)).get_xscale()
    'log'
    """
    if isinstance(outcomes, Tally):
        values, counts = outcomes.outcomes, outcomes.counts
        values, counts = values[counts > 0], counts[counts > 0]
    else:
        values, counts = np.unique(np.asarray(outcomes, dtype=np.float64), return_counts=True)
    if values.ndim != 1 or not values.size or values[0] <= 0:
        raise BadValue("outcomes", "must be at least one number above 0")
    known = (None, None) if law is None else _law(law)
    return draw_survival(values, counts, *known, ax=ax)


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
    >>> import provably_fair as pf
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
            survival(outcomes, exact, ax=ax)
        else:
            values, counts = np.unique(outcomes, return_counts=True)
            law(exact, dict(zip(values.tolist(), counts.tolist(), strict=True)), ax=ax)
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


def holds(table: VideoPoker, hand: ArrayLike | str, *, most: int = 32, ax: Axes | None = None) -> Axes:
    """Draw the values of the holds of a video poker hand, the best one at the top.

    Parameters
    ----------
    table : cards.VideoPoker
        The table, which has the paytable.
    hand : array-like of int, or str
        Five cards, as numbers or as names separated by spaces.
    most : int
        The number of holds to show, 1 to 32.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> import provably_fair as pf
    >>> ax = pf.plot.holds(pf.cards.VideoPoker(), "J♣ 5♥ 8♣ A♣ 2♣")
    >>> ax.get_yticklabels()[0].get_text()
    'J♣ 8♣ A♣ 2♣'
    """
    most = integer("most", most, 1, 32)
    values = np.asarray(table.hold_values(hand))
    if values.shape != (32,):
        raise BadValue("hand", f"must be five cards, got hands of the shape {values.shape[:-1]}")
    names = str(cards.Hand(hand if isinstance(hand, str) else np.asarray(hand).tolist())).split()
    order = np.argsort(-values, kind="stable")[:most]
    ax = drawing.axes(ax, 5, 0.6 + 0.2 * most)
    best = values[order] == values.max()
    ax.barh(
        range(most), values[order], color=[_COLORS["vermilion"] if top else _COLORS["sky"] for top in best]
    )
    held = [" ".join(name for i, name in enumerate(names) if hold >> i & 1) for hold in order.tolist()]
    ax.set_yticks(range(most), [text or "nothing" for text in held], fontsize=8)
    for place, value in enumerate(values[order].tolist()):
        ax.text(value, place, f" {value:.4f}", va="center", fontsize=7)
    ax.set_xlim(0, values.max() * 1.15)
    ax.set_ylim(most - 0.4, -0.6)
    ax.set_xlabel("worth in bets")
    ax.set_title(f"hold {held[0] or 'nothing'}: worth {values.max():.4f} bets", fontsize=10)
    ax.set_ylabel("cards held")
    return ax


def _law(law: object) -> tuple[np.ndarray, np.ndarray]:
    """Return a law's outcomes and their probabilities."""
    if isinstance(law, Distribution):
        return law.outcomes, law.probabilities
    if isinstance(law, tuple) and len(law) == 2:
        outcomes, weights = law
    else:
        raise BadType("law", f"must be a Distribution or (outcomes, weights), got {type(law).__name__}")
    weights = [int(weight) for weight in weights]
    total = sum(weights)
    # Python divides integers of any size with correct rounding.
    return np.asarray(outcomes), np.array([weight / total for weight in weights])


def _counts_of(counts: object, outcomes: np.ndarray) -> np.ndarray:
    """Return counts in the order of the outcomes."""
    observed = np.asarray(counts.counts if isinstance(counts, Tally) else counts)
    if observed.shape != outcomes.shape:
        raise BadValue("counts", f"must have the shape {outcomes.shape}, got {observed.shape}")
    return observed
