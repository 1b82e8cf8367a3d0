"""Proofs that scaling keeps the generator's quality, for whole outcomes of any law.

The total variation distance between a game's outcomes and those of uniform draws is at most the sum of the
distances of its draws, or of its independent parts: distances of independent values add up at most, and a
function of them can't increase the distance. So only the answers of single draws have to be enumerated.
Conversely, the outcome is off by at least as much as any of its parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from provably_fair.distribution import Distribution
from provably_fair.games import Game
from provably_fair.games.answering import law_of
from provably_fair.games.fairness import independent_looks, looks_of
from provably_fair.games.laws import outcome_distance

MOST = Fraction(1, 10**5)
"""The largest acceptable error of the probability of any set of outcomes: no test of a billion rounds can
detect it.
"""


class ScaledPart(NamedTuple):
    """The distance between drawn and ideal law of some part of an outcome; exact fractions.

    `deviation` is that of the single value whose probability differs most, `value`, and `distance` the total
    variation distance.
    """

    subject: str
    value: object
    deviation: Fraction
    distance: Fraction


class Scaled(NamedTuple):
    """The distance between a game's drawn and ideal outcomes.

    `distance` bounds the error of the probability of any set of outcomes, or is None if no bound is known;
    `how` describes the bound, or says why there is none. `farthest` is the part of an outcome with the
    largest known distance.
    """

    distance: Fraction | None
    how: str
    farthest: ScaledPart | None


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
        by_part = [_part(game, look.subject) for look in looks]
        farthest = max(by_part, key=lambda one: one.distance)
        if not bounds or bounds[0][0] > MOST:
            whole = independent_looks(game)
            parts = by_part if whole == looks else [_part(game, look.subject) for look in whole]
            how = "that of the exact law" if len(parts) == 1 else "the sum of those of independent parts"
            bounds += [(sum((one.distance for one in parts), Fraction(0)), how)] if parts else []
    except (TypeError, ValueError) as error:
        reason = reason or str(error)
    return Scaled(*min(bounds), farthest) if bounds else Scaled(None, reason, farthest)


def _part(game: Game, subject: Mapping[str, Any]) -> ScaledPart:
    ideal, of = game.distribution("ideal", **subject), game.kind.view(**subject).of
    # A kind that doesn't say how far its own laws are from uniform draws proves nothing by them.
    drawn = law_of(game, True, of, general=game.kind.distance() is None)
    named = ", ".join(f"{name}={value!r}" for name, value in subject.items())
    return ScaledPart(named or "outcome", *_farthest(ideal, drawn))


def _farthest(ideal: Distribution, drawn: Distribution) -> tuple[object, Fraction, Fraction]:
    one, other = (dict(zip(law.outcomes.tolist(), law.weights, strict=True)) for law in (ideal, drawn))
    apart = {
        value: abs(other.get(value, 0) * ideal.total - one.get(value, 0) * drawn.total)
        for value in one | other
    }
    where = max(apart, key=apart.__getitem__)
    out_of = ideal.total * drawn.total
    shown = where.item() if isinstance(where, np.generic) else where
    return shown, Fraction(apart[where], out_of), Fraction(sum(apart.values()), 2 * out_of)
