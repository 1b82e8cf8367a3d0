"""Plinko: the buckets that balls fall into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from provably_fair._core.drawing import COLORS, axes
from provably_fair._core.errors import BadType
from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.engine_laws import engine_law
from provably_fair.games.fairness import alike_material
from provably_fair.games.kind import kind_property
from provably_fair.games.kinds.pegs import Pegs, PegsGame
from provably_fair.games.laws import mapped
from provably_fair.games.looks import Example, Of

from ._boards import walk_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from provably_fair.distribution import Distribution
    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.walkthrough import Step, Walkthrough
    from provably_fair.walkthrough.lines import Line

_PATHS = ("blue", "vermilion", "green", "orange", "sky")


def _ball_law(game: Any, drawn: bool, of: Of | None) -> Distribution:
    """Return the law of one ball's bucket, or of a function of it."""
    return mapped(engine_law(game, drawn), of)


class _Plinko(Pegs):
    each: ClassVar[tuple[int, ...] | None] = ()

    def material(self, values: np.ndarray) -> FairnessMaterial:
        """Return the buckets of all balls, and of each."""
        return alike_material(self.game, values, self.game.distribution(), "ball", "balls")

    def picture(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        """Describe how each ball fell."""
        from provably_fair.walkthrough.steps import results_by_part

        for ball, turns in enumerate(results_by_part(steps)):
            path = " ".join("right" if turn else "left" for turn in turns)
            yield [f"the path of ball {ball + 1}: {path}"]
            yield [f"  {sum(turns)} times right: bucket {outcome[ball]}"]


class Plinko(PegsGame, EngineGame, catalog="plinko"):
    """Plinko: the buckets that balls fall into.

    Outcome: shape (balls,), the bucket of each ball from 0 to pins: the number of pins that sent it to
    the right. Each ball begins at a new cursor, so what is left of a digest after its last pin isn't used.

    Parameters
    ----------
    pins : int
        The number of rows of pins, 8 to 16.
    balls : int
        The number of balls in the round, 1 to 100.

    Examples
    --------
    >>> pf.Plinko(pins=16).play("", "", "")
    array([8])
    """

    pins: int = 16
    balls: int = 1

    path, laws = False, (_ball_law,)
    pictured = Example("bucket")

    @property
    def rows(self) -> int:
        """The number of rows of pins."""
        return self.pins

    kind = kind_property(_Plinko)

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return each ball's sum of ``draws.coin()`` at all pins, before ``draws.skip(16 - self.pins)``."""
        buckets = []
        for _ in range(self.balls):
            buckets.append(sum(draws.coin() for _ in range(self.pins)))
            draws.skip(16 - self.pins)  # the next ball has digests of its own
        return np.stack(buckets, axis=1)

    def plot(self, outcome: Walkthrough, *, ax: Axes | None = None) -> Axes:
        """Draw the pins, the paths of the balls, and the buckets they fall into; see `Game.plot`.

        It takes the round's walk-through, which has the paths.

        Examples
        --------
        >>> game = pf.Plinko(pins=8)
        >>> game.plot(game.explain("", "", "")).get_xlabel()
        'bucket'
        """
        from provably_fair.walkthrough.steps import results_by_part

        walk = walk_of(outcome, type(self))
        if walk is None:
            raise BadType("outcome", f"must be a round's Walkthrough, got {type(outcome).__name__}")
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
