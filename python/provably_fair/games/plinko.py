"""Plinko: the buckets that balls fall into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.drawing import COLORS, axes
from provably_fair.distribution import Distribution
from provably_fair.distribution.payouts import Payout, payouts
from provably_fair.distribution.sequences import FairnessMaterial, law_sequence

from ._boards import walk_of
from ._engine_game import EngineGame, engine_law
from ._game import Example

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from provably_fair.walkthrough import Step, Walkthrough
    from provably_fair.walkthrough.lines import Line

__all__ = ["Plinko"]

_PATHS = ("blue", "vermilion", "green", "orange", "sky")


class Plinko(EngineGame, catalog="plinko"):
    """Plinko: the buckets that balls fall into.

    Outcome: shape (balls,), the bucket of each ball from 0 to pins: the number of pins that sent it to
    the right.

    Parameters
    ----------
    pins : int
        The number of rows of pins, 8 to 16.
    balls : int
        The number of balls in the round, 1 to 100.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.Plinko(pins=16).play("", "", "")
    array([8])
    """

    pins: int = 16
    balls: int = 1

    # Its law

    def distribution(self, law: str = "ideal", *, payout: Payout | None = None) -> Distribution:
        """Return the exact law of one ball's bucket, or of what it pays.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        payout : callable, mapping or sequence, optional
            What a bucket pays: values in the order of the buckets, a table by bucket (0 where it has
            none), or a function of a bucket.

        Returns
        -------
        Distribution
            Of the bucket, or of the pay.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Plinko(pins=8).distribution().weights
        (1, 8, 28, 56, 70, 56, 28, 8, 1)
        >>> pf.Plinko(pins=8).distribution(payout=[9, 2, 1, 0, 0, 0, 1, 2, 9]).mean()
        0.4140625
        """
        bucket = engine_law(self, law)
        return bucket if payout is None else bucket.map(self._pays(payout))

    def observe(self, outcomes: ArrayLike, *, payout: Payout | None = None) -> np.ndarray:
        """Return, for simulated outcomes, the bucket of each ball, or what it pays.

        Parameters
        ----------
        outcomes : array-like of int, shape (N, balls)
            As `simulate` returns them.
        payout
            As in `distribution`.

        Returns
        -------
        numpy.ndarray
            Shape (N * balls,), ball by ball.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Plinko(pins=8, balls=2).observe([[3, 8], [4, 5]], payout={8: 9})
        array([0, 9, 0, 0])
        """
        buckets = self.check_outcomes(outcomes).reshape(-1)
        return buckets if payout is None else np.array(self._pays(payout))[buckets]

    def _is_paid(self, subject: Mapping[str, object]) -> bool:
        return subject.get("payout") is not None

    def _pays(self, payout: Payout) -> list[Any]:
        """Return what each bucket pays."""
        return payouts(list(range(self.pins + 1)), payout)

    # Its looks and its sequences

    @classmethod
    def example(cls) -> Example:
        return Example(cls(), f"{cls.__name__}: bucket")

    def _material(self, values: np.ndarray) -> FairnessMaterial:
        law = self.distribution()
        balls = [law_sequence(f"ball {i + 1}", values[:, i], law) for i in range(self.balls)]
        return FairnessMaterial(repr(self), len(values), [law_sequence("balls", values.ravel(), law)], balls)

    # Its pictures

    def picture_lines(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        from provably_fair.walkthrough.steps import results_by_part

        for ball, turns in enumerate(results_by_part(steps)):
            path = " ".join("right" if turn else "left" for turn in turns)
            yield [f"the path of ball {ball + 1}: {path}"]
            yield [f"  {sum(turns)} times right: bucket {outcome[ball]}"]

    def plot(self, outcome: Walkthrough, *, ax: Axes | None = None) -> Axes:
        """Draw the pins, the paths of the balls, and the buckets they fall into (needs matplotlib).

        Parameters
        ----------
        outcome : Walkthrough
            The round's walk-through, which has the paths.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.Plinko(pins=8)
        >>> game.plot(game.explain("", "", "")).get_xlabel()
        'bucket'
        """
        from provably_fair.walkthrough.steps import results_by_part

        walk = walk_of(outcome, type(self))
        if walk is None:
            raise TypeError(f"outcome must be a round's Walkthrough, got {type(outcome).__name__}")
        pins, balls = walk.game.pins, walk.outcome.size
        ax = axes(ax, 5, 4.2)
        # A ball that went right r times of k hangs at 2 r - k; the buckets are numbered by r.
        heights = np.concatenate([np.full(row + 1, pins - row) for row in range(pins)])
        sides = np.concatenate([2 * np.arange(row + 1) - row for row in range(pins)])
        ax.plot(sides, heights, "o", color=COLORS["grey"], markersize=4, zorder=1)
        kinds = len(_PATHS)
        for ball, turns in enumerate(results_by_part(walk.steps)):
            path = np.concatenate([[0], np.cumsum(2 * np.array(turns) - 1)])
            ax.plot(
                # A little to the side of the pins, and each ball a little apart from the others.
                path + 0.12 * (ball % kinds - min(kinds // 2, (balls - 1) / 2)),
                np.arange(pins + 1, 0, -1) - 0.45,
                color=COLORS[_PATHS[ball % kinds]],
                linewidth=2,
                alpha=1 if balls <= kinds else 0.4,
                zorder=2,
            )
        buckets, counts = np.unique(walk.outcome, return_counts=True)
        for bucket, count in zip(buckets.tolist(), counts.tolist(), strict=True):
            text = "ball" if balls == 1 else str(count)
            ax.text(2 * bucket - pins, 0.05, text, ha="center", va="center", fontsize=8, fontweight="bold")
        ax.set_xticks(2 * np.arange(pins + 1) - pins, [str(bucket) for bucket in range(pins + 1)])
        ax.set_xlim(-pins - 1, pins + 1)
        ax.set_ylim(-0.4, pins + 1)
        ax.set_yticks([])
        ax.set_xlabel("bucket")
        most = int(counts.argmax())
        ax.set_title(
            f"the ball falls into bucket {buckets[0]}"
            if balls == 1
            else f"{counts[most]} of {balls} balls fall into bucket {buckets[most]}",
            fontsize=10,
        )
        for side in "left", "right", "top":
            ax.spines[side].set_visible(False)
        return ax
