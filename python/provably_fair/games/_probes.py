"""Draws of trial rounds, which show the number and the ranges of a game's draws."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .draws import MAX_DRAWS_TRIED, Draws, Each

Range = int | tuple[int, ...] | None
"""The range of one draw: its number of answers, their cumulative weights, or None for all numbers."""


class Again(NamedTuple):
    """The range of a draw below n that is repeated until the answer is one of some that are left."""

    n: int
    left: int


class ProbedDraws(Draws):
    """Answers each draw with a share of its range, one for each round, and records the ranges.

    `shares` are from 0 to below 1, by the place of a draw among those of the round.
    """

    _most = MAX_DRAWS_TRIED

    def __init__(self, rounds: int, shares: Callable[[int], np.ndarray]) -> None:
        self.rounds = rounds
        self.ranges: list[Range | Again] = []
        self.numbers: int = 0  # the number of numbers that a round uses, skipped ones included
        # Whether it draws until values differ, so that the number of draws is open
        self.draws_again: bool = False
        self.by_round: bool = False  # whether it asks for ranges that may differ by round
        self._shares = shares

    def _number(self) -> np.ndarray:
        found = self._shares(len(self.ranges))
        self.ranges.append(None)
        self.numbers += 1
        return found

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        self.by_round |= isinstance(n, np.ndarray)
        answers: np.ndarray = np.minimum((self._number() * n).astype(np.int64), np.asarray(n) - 1)
        self.ranges[-1] = int(np.max(n))
        return answers

    def _weighted(self, weights: np.ndarray) -> np.ndarray:
        found = super()._weighted(weights)
        self.ranges[-1] = tuple(np.cumsum(weights).tolist())
        return found

    def _skip(self, count: int) -> None:
        self.numbers += count

    def _distinct(self, n: int, k: int) -> np.ndarray:
        self.draws_again = True
        found = super()._distinct(n, k)
        self.ranges[len(self.ranges) - k :] = [Again(n, n - taken) for taken in range(k)]
        return found


class EndDraws(ProbedDraws):
    """Answers draws with the least (in even rounds) and the largest value, for the range of outcomes."""

    def __init__(self, rounds: int, first: int = 0) -> None:
        ends = np.where((first + np.arange(rounds)) % 2, np.nextafter(1.0, 0.0), 0.0)
        super().__init__(rounds, lambda _: ends.copy())

    def _take(self, n: int, k: int, skipped: int) -> np.ndarray:
        # Equivalent to taking them one by one, but in one step, since shuffles are long.
        places, largest = np.arange(k, dtype=np.int64), self._shares(0)[:, np.newaxis] > 0
        self.ranges += range(n, n - k, -1)
        self.numbers += k + skipped
        return np.where(largest, n - 1 - places, places)


class RandomDraws(ProbedDraws):
    """Answers draws at random, the same for equal seeds."""

    def __init__(self, rounds: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        super().__init__(rounds, lambda _: rng.random(rounds))


class TrialDraws(ProbedDraws):
    """Answers draws at random, and in the first two of many rounds with the least and the largest value.

    The answers of `each` are drawn at once: `size` of them for each round.
    """

    def __init__(self, rounds: int, seed: int, size: int = 1) -> None:
        self.seed = seed
        rng = np.random.default_rng(seed)
        ends = np.repeat([0.0, np.nextafter(1.0, 0.0)], size if rounds > 2 else 0)

        def shares(_: int) -> np.ndarray:
            return np.concatenate([ends, rng.random(rounds * size - len(ends))])

        super().__init__(rounds * size, shares)

    def each(self, k: int, part: str | None = None, times: int | None = None) -> Each:
        self.seed += 1
        return _TrialEach(self, k, part, times)


class _TrialEach(Each):
    def _each(self, name: str, **asked: Any) -> Any:
        if np.ndim(asked.get("n", 0)):
            return super()._each(name, **asked)
        draws: Any = self._draws
        shape = (draws.rounds, *(size for size in self.asked[::2] if size is not None))
        at_once = TrialDraws(draws.rounds, draws.seed, math.prod(shape[1:]))
        return getattr(at_once, name)(**asked).reshape(shape)
