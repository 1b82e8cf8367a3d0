"""Whether scaling keeps the generator's qualities: proved for whole outcomes, whatever their law.

The distance in total variation of a game's outcomes from those of uniform draws is at most the sum of the
distances of its draws, or of its independent parts: of independent values together it is at most the sum,
and no function of them makes it larger. So nothing has to be listed but the answers of single draws. What is
off by more in a part that can be listed is off by at least as much in the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from provably_fair.distribution import Distribution
from provably_fair.games import Game
from provably_fair.games.fairness import independent_looks, looks_of
from provably_fair.games.laws import outcome_distance

__all__ = ["MOST", "Part", "Scaled", "scaled"]

MOST = Fraction(1, 10**5)
"""By how much the probability of any set of outcomes may be off: no test of a billion rounds sees less."""


class Part(NamedTuple):
    """How far the law as drawn of something about an outcome is from the ideal one; exact fractions.

    `deviation` is that of the value whose probability is off the most, `value`, and `distance` that of any
    set of values (the total variation).
    """

    subject: str
    value: object
    deviation: Fraction
    distance: Fraction


class Scaled(NamedTuple):
    """How far a game's outcomes as drawn are from the ideal ones.

    No set of outcomes is off by more than `distance`; where no such bound is known, that is None, and `how`
    says why, else what the bound is. `farthest` is the part of an outcome that is known to be off the most.
    """

    distance: Fraction | None
    how: str
    farthest: Part | None


def scaled(game: Game) -> Scaled:
    """Return how far a game's outcomes as drawn are from the ideal ones."""
    bounds: list[tuple[Fraction, str]] = []
    reason, farthest = "", None
    try:
        bounds.append((outcome_distance(game), "the sum of the distances of the draws of a round"))
    except (TypeError, ValueError) as error:
        reason = str(error)
    try:
        looks = looks_of(game, bias=True)
        found = [_part(game, look.subject) for look in looks]
        farthest = max(found, key=lambda one: one.distance)
        if not bounds or bounds[0][0] > MOST:
            whole = independent_looks(game)
            parts = found if whole == looks else [_part(game, look.subject) for look in whole]
            how = "that of the exact law" if len(parts) == 1 else "the sum of those of independent parts"
            bounds += [(sum((one.distance for one in parts), Fraction(0)), how)] if parts else []
    except (TypeError, ValueError) as error:
        reason = reason or str(error)
    return Scaled(*min(bounds), farthest) if bounds else Scaled(None, reason, farthest)


def _part(game: Game, subject: Mapping[str, Any]) -> Part:
    ideal, drawn = (game.distribution(law, **subject) for law in ("ideal", "as_drawn"))
    named = ", ".join(f"{name}={value!r}" for name, value in subject.items())
    return Part(named or "outcome", *_farthest(ideal, drawn))


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
