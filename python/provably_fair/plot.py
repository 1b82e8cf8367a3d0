"""Pictures of rounds and laws (needs matplotlib, of the extra ``plot``).

Every function draws on the axes it is given, or on new ones, and returns them; nothing is shown or saved.
The colours are told apart by colour-blind readers, and no picture says anything by colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair import cards
from provably_fair._core.arguments import integer, probability
from provably_fair._core.optional import optional
from provably_fair._core.printable import label
from provably_fair.distribution.distribution import Distribution
from provably_fair.distribution.tally import Tally
from provably_fair.games.games import X50, Crash, Dice, Double, Jackpot, Mines, Overgo, Plinko, Slot, Tower
from provably_fair.walkthrough import Shuffle, Walkthrough
from provably_fair.walkthrough.steps import results_by_part

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from provably_fair.crypto_games import VideoPoker

__all__ = [
    "COLOURS",
    "gallery",
    "holds",
    "law",
    "mines",
    "plinko",
    "slot",
    "survival",
    "tower",
]

COLOURS = {
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "grey": "#999999",
    "pale": "#EDEDED",
}
"""The colours of all pictures: those of Okabe and Ito, and two greys."""

MOST_BARS = 200
"""Outcomes that `law` draws one by one."""


def mines(outcome: ArrayLike | Walkthrough, *, step: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the board of a round of Mines, or the shuffle behind it at one of its steps.

    Parameters
    ----------
    outcome : array-like of int, or Walkthrough
        The cells of the mines, such as `Mines.play` returns; or a round's walk-through, which has the
        whole shuffle. Mines are numbered in the order in which they were drawn.
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
    title = ""
    if isinstance(outcome, Walkthrough):
        shuffle = _of(outcome, Mines).steps[0]
        assert isinstance(shuffle, Shuffle)
        marked = list(shuffle.permutation[: shuffle.taken])
        taken = marked
        if step is not None:
            step = integer("step", step, 1, len(shuffle.picks))
            taken = list(shuffle.permutation[:step])
            pick = shuffle.picks[step - 1]
            title = f"step {step}: index {pick.draw.result} of {len(pick.left)} left is cell {taken[-1]}"
    else:
        if step is not None:
            raise TypeError("step must be left out: only a walk-through has the steps of the shuffle")
        cells = _integers("outcome", outcome, 25)
        if cells.ndim != 1:
            raise ValueError(f"outcome must be one round's cells, of the shape (mines,), got {cells.shape}")
        taken = marked = cells.tolist()
    ax = _axes(ax, 3.4, 3.6)
    for cell in range(25):
        at = cell % 5, 4 - cell // 5
        if cell in marked and cell in taken:
            _tile(ax, at, COLOURS["vermilion"], f"mine\n{taken.index(cell) + 1}", "white")
        elif cell in taken:
            _tile(ax, at, COLOURS["grey"], f"#{taken.index(cell) + 1}", "black")
        else:
            _tile(ax, at, COLOURS["pale"], str(cell), "#555555")
    if step is not None:
        from matplotlib.patches import Rectangle

        corner = taken[-1] % 5 - 0.5, 4 - taken[-1] // 5 - 0.5
        ax.add_patch(Rectangle(corner, 1, 1, fill=False, linewidth=2.5, edgecolor="black"))
    _board(ax, 5, 5)
    ax.set_title(title, fontsize=9)
    return ax


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
    if isinstance(outcome, Walkthrough):
        outcome = _of(outcome, Tower).outcome
    rows = _integers("outcome", outcome, 5)
    if rows.ndim != 2 or rows.shape[0] != 10:
        raise ValueError(f"outcome must have the shape (10, mines), got {rows.shape}")
    ax = _axes(ax, 2.8, 5)
    for row, positions in enumerate(rows.tolist()):
        for position in range(5):
            mine = position in positions
            colour = COLOURS["vermilion"] if mine else COLOURS["pale"]
            _tile(
                ax, (position, row), colour, "mine" if mine else str(position), "white" if mine else "#555555"
            )
    _board(ax, 5, 10)
    ax.set_yticks(range(10), [str(row) for row in range(1, 11)])
    ax.set_ylabel("row")
    return ax


def slot(game: Slot, stops: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Draw the window of one spin: three rows of five reels, the centre line in a frame.

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
    if not isinstance(game, Slot):
        raise TypeError(f"game must be a Slot, got {type(game).__name__}")
    window = game.window(stops)
    if window.shape != (3, 5):
        raise ValueError(f"stops must be those of one spin, of the shape (5,), got {np.shape(stops)}")
    ax = _axes(ax, 4, 2.7)
    from matplotlib.patches import Rectangle

    for row in range(3):
        for reel in range(5):
            centre = row == 1
            colour = COLOURS["blue"] if centre else COLOURS["pale"]
            text = label(str(window[row, reel]), 8)
            _tile(ax, (reel, 2 - row), colour, text, "white" if centre else "#555555", size=12)
    ax.add_patch(Rectangle((-0.5, 0.5), 5, 1, fill=False, linewidth=2, edgecolor="black"))
    _board(ax, 5, 3)
    ax.set_xticks(range(5), [str(reel) for reel in range(1, 6)])
    ax.set_yticks(range(3), ["below", "centre", "above"])
    ax.set_xlabel("reel")
    return ax


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
    game = _of(walk, Plinko).game
    assert isinstance(game, Plinko)
    pins = game.pins
    ax = _axes(ax, 5, 4.2)
    # A ball that went right r times of k hangs at 2 r - k; the buckets are numbered by r.
    heights = np.concatenate([np.full(row + 1, pins - row) for row in range(pins)])
    sides = np.concatenate([2 * np.arange(row + 1) - row for row in range(pins)])
    ax.plot(sides, heights, "o", color=COLOURS["grey"], markersize=4, zorder=1)
    names = ["blue", "vermilion", "green", "orange", "sky"]
    for ball, turns in enumerate(results_by_part(walk.steps)):
        path = np.concatenate([[0], np.cumsum(2 * np.array(turns) - 1)])
        ax.plot(
            # A little to the side of the pins, and each ball a little apart from the others.
            path + 0.12 * (ball % 5 - min(2, (walk.outcome.size - 1) / 2)),
            np.arange(pins + 1, 0, -1) - 0.45,
            color=COLOURS[names[ball % 5]],
            linewidth=2,
            alpha=1 if walk.outcome.size <= 5 else 0.4,
            zorder=2,
        )
    buckets, counts = np.unique(walk.outcome, return_counts=True)
    for bucket, count in zip(buckets.tolist(), counts.tolist(), strict=True):
        text = "ball" if walk.outcome.size == 1 else str(count)
        ax.text(2 * bucket - pins, 0.05, text, ha="center", va="center", fontsize=8, fontweight="bold")
    ax.set_xticks(2 * np.arange(pins + 1) - pins, [str(bucket) for bucket in range(pins + 1)])
    ax.set_xlim(-pins - 1, pins + 1)
    ax.set_ylim(-0.4, pins + 1)
    ax.set_yticks([])
    ax.set_xlabel("bucket")
    for side in "left", "right", "top":
        ax.spines[side].set_visible(False)
    return ax


def law(
    law: Any,
    counts: Tally | Mapping[Any, int] | ArrayLike | None = None,
    *,
    confidence: float = 0.95,
    ax: Axes | None = None,
) -> Axes:
    """Draw a law, and simulated frequencies with the band that they should keep to.

    Up to 200 outcomes are drawn one by one; more as the probability of at least each outcome.

    Parameters
    ----------
    law : Distribution, or tuple of (outcomes, weights)
        An exact law, as `Game.distribution` or `fpclub.face_law` returns it.
    counts : Tally, mapping, or array-like of int, optional
        How often each outcome came up, as of `Distribution.chisquare`; beside a tuple, in the order of
        its outcomes.
    confidence : float
        The probability with which each single frequency keeps to the band, above 0 and below 1.
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
    outcomes, probabilities = _law(law)
    confidence = probability("confidence", confidence)
    if counts is not None:
        observed, rounds = _observed(law, counts, outcomes)
    ax = _axes(ax, 6, 3.4)
    numeric = outcomes.dtype.kind in "iuf"
    x = outcomes if numeric else np.arange(outcomes.size)
    each = x.size <= MOST_BARS
    if each:
        width = 0.8 * (np.diff(x).min() if x.size > 1 else 1)
        ax.bar(x, probabilities, width=width, color=COLOURS["sky"], label="exact")
        if outcomes.dtype.kind in "iu":
            ax.locator_params(axis="x", integer=True)
    else:
        probabilities = _at_least(probabilities)
        ax.step(x, probabilities, where="pre", color=COLOURS["sky"], linewidth=3, label="exact")
    if not numeric:
        ax.set_xticks(x, [label(str(outcome), 20) for outcome in outcomes])
    if counts is not None:
        half = NormalDist().inv_cdf((1 + confidence) / 2) * np.sqrt(
            probabilities * np.maximum(1 - probabilities, 0) / rounds
        )
        low = np.minimum(half, probabilities)
        band = f"{confidence:.0%} of samples of {rounds:,}"
        frequencies = (observed if each else _at_least(observed)) / rounds
        style: dict[str, Any] = {"color": COLOURS["blue"], "label": band}
        if each:
            ax.errorbar(x, probabilities, yerr=[low, half], fmt="none", linewidth=2.5, alpha=0.7, **style)
            ax.plot(x, frequencies, ".", color="black", markersize=5, label="simulated")
        else:
            ax.fill_between(x, probabilities - low, probabilities + half, step="pre", alpha=0.3, **style)
            ax.plot(x, frequencies, color="black", linewidth=0.8, label="simulated")
        ax.legend(fontsize=8)
        if each:
            # Room for the legend above the bars, without fixing the limits.
            ax.margins(y=0.4)
    ax.set_xlabel("outcome")
    ax.set_ylabel("probability" if each else "probability of at least this")
    return ax


def survival(outcomes: ArrayLike | Tally, law: Any = None, *, ax: Axes | None = None) -> Axes:
    """Draw how often outcomes are at least x, on logarithmic axes: for Crash and Overgo.

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
        raise ValueError("outcomes must be at least one number above 0")
    ax = _axes(ax, 6, 3.8)
    at_least = _at_least(counts) / counts.sum()
    if law is not None:
        known, probabilities = _law(law)
        ax.plot(known, _at_least(probabilities), color=COLOURS["sky"], linewidth=5, label="exact")
    ax.plot(values, at_least, color="black", linewidth=1.2, label=f"{int(counts.sum()):,} simulated rounds")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("multiplier x")
    ax.set_ylabel("probability of at least x")
    ax.grid(alpha=0.3)
    ax.legend(fontsize=8)
    return ax


def gallery(rounds: int = 20_000, *, axes: Any = None) -> np.ndarray:
    """Draw the exact laws of the ten games, and simulated rounds beside them.

    Games of several values show one thing about them: mines in the top row, rows climbed, the stop of
    the fifth reel, the bucket of a ball.

    Parameters
    ----------
    rounds : int
        How many rounds of each game to simulate.
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
    if axes is None:
        figure = _axes(None, 13, 5.2).figure
        figure.clear()
        axes = figure.subplots(2, 5)
    axes = np.asarray(axes, dtype=object).ravel()
    if axes.size != len(_GALLERY):
        raise ValueError(f"axes must be {len(_GALLERY)}, got {axes.size}")
    for ax, (title, game, subject) in zip(axes, _GALLERY, strict=True):
        exact = game.distribution(**subject)
        outcomes = game.observe(game.simulate(rounds), **subject)
        if isinstance(game, Crash | Overgo):
            survival(outcomes, exact, ax=ax)
        else:
            values, counts = np.unique(outcomes, return_counts=True)
            law(exact, dict(zip(values.tolist(), counts.tolist(), strict=True)), ax=ax)
        if ax.get_legend():
            ax.get_legend().remove()
            ax.margins(y=0.05)
        ax.set_title(title, fontsize=10)
        ax.set_xlabel("")
        ax.set_ylabel("")
        ax.tick_params(labelsize=8)
    for ax in axes[:: len(axes) // 2]:
        ax.set_ylabel("probability")
    return axes


_GALLERY: tuple[tuple[str, Any, dict[str, Any]], ...] = (
    ("Mines: in the top row", Mines(mines=5), {"cells": range(5)}),
    ("Tower: rows climbed", Tower(), {}),
    ("Slot: fifth reel", Slot(), {"reel": 4}),
    ("Plinko: bucket", Plinko(), {}),
    ("Double", Double(), {}),
    ("X50", X50(), {}),
    ("Jackpot: 20 tickets", Jackpot(tickets=20), {}),
    ("Dice: at least x", Dice(), {}),
    ("Crash: at least x", Crash(), {}),
    ("Overgo: at least x", Overgo(), {}),
)


def holds(game: VideoPoker, hand: ArrayLike | str, *, most: int = 32, ax: Axes | None = None) -> Axes:
    """Draw what the holds of a video poker hand are worth, the best one at the top.

    Parameters
    ----------
    game : crypto_games.VideoPoker
        The game, which has the paytable.
    hand : array-like of int, or str
        Five cards, as numbers or as names separated by spaces.
    most : int
        How many holds to show, 1 to 32.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> import provably_fair as pf
    >>> ax = pf.plot.holds(pf.crypto_games.VideoPoker(), "J♣ 5♥ 8♣ A♣ 2♣")
    >>> ax.get_yticklabels()[0].get_text()
    'J♣ 8♣ A♣ 2♣'
    """
    most = integer("most", most, 1, 32)
    values = np.asarray(game.hold_values(hand))
    if values.shape != (32,):
        raise ValueError(f"hand must be five cards, got hands of the shape {values.shape[:-1]}")
    names = str(cards.Hand(hand if isinstance(hand, str) else np.asarray(hand).tolist())).split()
    order = np.argsort(-values, kind="stable")[:most]
    ax = _axes(ax, 5, 0.6 + 0.2 * most)
    best = values[order] == values.max()
    ax.barh(
        range(most), values[order], color=[COLOURS["vermilion"] if top else COLOURS["sky"] for top in best]
    )
    held = [" ".join(name for i, name in enumerate(names) if hold >> i & 1) for hold in order.tolist()]
    ax.set_yticks(range(most), [text or "nothing" for text in held], fontsize=8)
    for place, value in enumerate(values[order].tolist()):
        ax.text(value, place, f" {value:.4f}", va="center", fontsize=7)
    ax.set_xlim(0, values.max() * 1.15)
    ax.set_ylim(most - 0.4, -0.6)
    ax.set_xlabel("worth in bets")
    ax.set_ylabel("cards held")
    return ax


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    if ax is not None:
        return ax
    pyplot = optional("matplotlib.pyplot", "plot", "plot")
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def _tile(
    ax: Axes, at: tuple[float, float], colour: str, text: str, text_colour: str, size: float = 9
) -> None:
    from matplotlib.patches import Rectangle

    x, y = at
    ax.add_patch(Rectangle((x - 0.46, y - 0.46), 0.92, 0.92, facecolor=colour, linewidth=0))
    ax.text(x, y, text, ha="center", va="center", fontsize=size, color=text_colour)


def _board(ax: Axes, columns: int, rows: int) -> None:
    ax.set_xlim(-0.6, columns - 0.4)
    ax.set_ylim(-0.6, rows - 0.4)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _of(walk: Walkthrough, game: type) -> Walkthrough:
    """Check that a walk-through is one of a game."""
    if not isinstance(walk, Walkthrough):
        raise TypeError(f"walk must be a Walkthrough, got {type(walk).__name__}")
    if not isinstance(walk.game, game):
        raise TypeError(f"walk must be of {game.__name__}, got one of {type(walk.game).__name__}")
    return walk


def _integers(name: str, values: Any, below: int) -> np.ndarray:
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, got an array of {array.dtype}")
    if array.size and (array.min() < 0 or array.max() >= below):
        raise ValueError(f"{name} must be from 0 to {below - 1}")
    return array


def _law(law: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return a law's outcomes and their probabilities."""
    if isinstance(law, Distribution):
        return law.outcomes, law._pmf()
    if isinstance(law, tuple) and len(law) == 2:
        outcomes, weights = law
    else:
        raise TypeError(f"law must be a Distribution or (outcomes, weights), got {type(law).__name__}")
    weights = [int(weight) for weight in weights]
    total = sum(weights)
    # Python divides integers of any size with one rounding.
    return np.asarray(outcomes), np.array([weight / total for weight in weights])


def _observed(law: Any, counts: Any, outcomes: np.ndarray) -> tuple[np.ndarray, int]:
    """Return counts in the order of the outcomes, and the number of rounds."""
    if isinstance(law, Distribution):
        observed, outside = law._aligned(counts)
    else:
        observed, outside = np.asarray(counts.counts if isinstance(counts, Tally) else counts), 0
        if observed.shape != outcomes.shape:
            raise ValueError(f"counts must have the shape {outcomes.shape}, got {observed.shape}")
    rounds = int(observed.sum()) + outside
    if rounds <= 0:
        raise ValueError(f"counts must have a sum above 0, got {rounds}")
    return observed, rounds


def _at_least(values: np.ndarray) -> np.ndarray:
    """Return for each place the sum of the values from there on."""
    return values[::-1].cumsum()[::-1]
