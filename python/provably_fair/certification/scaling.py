"""Whether scaling keeps the generator's qualities: proved by the exact law as it is drawn."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from provably_fair.distribution import Distribution
from provably_fair.games import Game
from provably_fair.games.inside import looks_of

__all__ = ["MOST", "Scaled", "scaled"]

MOST = Fraction(1, 10**5)
"""By how much the probability of any set of outcomes may be off: no test of a billion rounds sees less."""


class Scaled(NamedTuple):
    """How far the law as drawn is from the ideal one.

    `deviation` is that of the outcome whose probability is off the most, `outcome`, and `distance` that of
    any set of outcomes (the total variation); exact fractions.
    """

    subject: str
    outcome: object
    deviation: Fraction
    distance: Fraction


def scaled(game: Game) -> Scaled:
    """Return how far a game's law as drawn is from the ideal one, of what is farthest."""
    found = []
    for look in looks_of(game, bias=True):
        ideal, drawn = (game.distribution(law, **look.subject) for law in ("ideal", "as_drawn"))
        named = ", ".join(f"{name}={value!r}" for name, value in look.subject.items())
        found.append(Scaled(named or "outcome", *_farthest(ideal, drawn)))
    return max(found, key=lambda one: one.distance)


def _farthest(ideal: Distribution, drawn: Distribution) -> tuple[object, Fraction, Fraction]:
    chances = [dict(zip(law.outcomes.tolist(), law.weights, strict=True)) for law in (ideal, drawn)]
    apart = {
        value: abs(chances[1].get(value, 0) * ideal.total - chances[0].get(value, 0) * drawn.total)
        for value in [*chances[0], *chances[1]]
    }
    where = max(apart, key=apart.__getitem__)
    out_of = ideal.total * drawn.total
    shown = where.item() if isinstance(where, np.generic) else where
    return shown, Fraction(apart[where], out_of), Fraction(sum(apart.values()), 2 * out_of)
