"""The law of a value that depends on few of a game's draws, if all draws together are too many to try.

Trials find these draws: all draws are answered at random, and one of them is changed. The others are then
held fixed; the law of the value is the same wherever they are fixed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ._enumeration import Outcome, TooManyStatesError, enumerate_outcomes, states_of
from ._probes import ProbedDraws
from ._weights import Weights
from .draws import Draws

_MAX_STATES = 1 << 20
_MAX_DRAWS = 1 << 10
_TRIALS = 256
_MAX_CALLS = 1 << 20  # calls for a draw, in all trials


def _given(shares: np.ndarray) -> ProbedDraws:
    """Return draws answered with given shares, a column per draw and a row per round."""

    def column(draw: int) -> np.ndarray:
        if draw == shares.shape[1]:
            raise TooManyStatesError("too many draws")
        return shares[:, draw].copy()

    return ProbedDraws(len(shares), column)


class _FixedDraws(Draws):
    """Passes on the deciding draws, and answers the others with fixed shares of their ranges."""

    def __init__(self, draws: Draws, deciding: frozenset[int], shares: np.ndarray) -> None:
        self.rounds = draws.rounds
        self._draws = draws
        self._deciding = deciding
        self._fixed = _given(np.broadcast_to(shares, (self.rounds, len(shares))))

    def _number(self) -> np.ndarray:
        fixed = self._fixed.number()
        return self._draws.number() if len(self._fixed.ranges) - 1 in self._deciding else fixed

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        fixed = self._fixed.below(n)
        return self._draws.below(n) if len(self._fixed.ranges) - 1 in self._deciding else fixed


def marginal_law(
    outcome: Outcome, weights: Weights, keys: Callable[[Any], np.ndarray], place: int, rows_at_a_time: int
) -> tuple[list[Any], list[int]] | None:
    """Return a value's law if few draws decide it: values and weights; else None."""
    try:
        changes = decided_by(outcome, rows_at_a_time > 1)
        draws = len(changes)
        deciding = frozenset(np.flatnonzero(changes[:, place]).tolist())
        some = np.random.default_rng(1).random((2, draws))
        bases = np.concatenate([np.zeros((1, draws)), np.full((1, draws), 1 - 2**-53), some])
        laws = []
        for base in bases:

            def held(draws: Draws, base: np.ndarray = base) -> Any:
                return outcome(_FixedDraws(draws, deciding, base))

            if states_of(held) > _MAX_STATES:
                return None
            found = enumerate_outcomes(held, weights, keys, rows_at_a_time)
            laws.append(dict(zip(*found, strict=True)))
    except TooManyStatesError:
        return None
    if any(law != laws[0] for law in laws):
        return None
    return list(laws[0]), list(laws[0].values())


@lru_cache(maxsize=16)
def decided_by(outcome: Outcome, vectorized: bool) -> np.ndarray:
    """Return which draws change which values of an outcome if they alone change: (draws, values)."""
    rng = np.random.default_rng(0)

    def values(shares: np.ndarray) -> tuple[np.ndarray, int]:
        rows = [shares] if vectorized else np.split(shares, len(shares))
        answered = [_given(some) for some in rows]
        found = np.concatenate([outcome(draws) for draws in answered])
        return found.reshape(len(shares), -1), max(len(draws.ranges) for draws in answered)

    shares = rng.random((_TRIALS, _MAX_DRAWS))
    before, draws = values(shares)
    if draws**2 * (1 if vectorized else _TRIALS) > _MAX_CALLS:
        raise TooManyStatesError("too many draws")
    found = []
    for draw in range(draws):
        changed = shares[:, :draws].copy()
        changed[:, draw] = rng.random(_TRIALS)
        found.append((values(changed)[0] != before).any(axis=0))
    return np.array(found).reshape(draws, -1)
