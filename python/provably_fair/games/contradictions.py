"""What the class of a game states, beside what its program gives.

Ranges of a program may be wider than its outcomes are, so that rounds alone can contradict a class.
"""

from __future__ import annotations

import numpy as np

from provably_fair._core.errors import BadValue

from ._probes import ProbedDraws
from .kind import AnyGame
from .program import Program


def refuse_contradictions(game: AnyGame, program: Program) -> None:
    """Refuse facts that don't hold in some rounds, and `monotone = True` of an outcome that does both."""
    outcomes = program.play(_draws(program.tried))
    owner = type(game).__name__
    for name, agrees in game.kind.agreed(outcomes).items():
        wrong = np.argwhere(~np.broadcast_to(agrees, outcomes.shape))
        if wrong.size:
            problem = f"must hold in every round, got {getattr(game.kind, name)!r:.50}, and an outcome is "
            raise BadValue(name, f"{problem}{outcomes[wrong[0, 0]].tolist()!s:.80}", place=f"{owner}.")
    one_draw = program.draws is not None and len(program.draws) == 1 and not program.shape
    rises, falls = outcomes[1:] > outcomes[:-1], outcomes[1:] < outcomes[:-1]
    if game.monotone and one_draw and rises.any() and falls.any():
        raise BadValue(owner, "must not be `monotone = True`: it both rises and falls")


def _draws(rounds: int) -> ProbedDraws:
    """Return draws of which the first rises from the least answer to the largest; others are random."""
    rng = np.random.default_rng(5)

    def shares(draw: int) -> np.ndarray:
        found = rng.random(rounds)
        found[0], found[-1] = 0.0, np.nextafter(1.0, 0.0)
        return found if draw else np.sort(found)

    return ProbedDraws(rounds, shares)
