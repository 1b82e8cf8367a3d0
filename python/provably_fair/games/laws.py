"""The exact laws of games in Python.

A game is played on draws that try every answer with its exact weight (`_enumeration`). Two kinds of law need
not try them all: hits of a sample without replacement are counted, and a monotone game of one draw is
bisected over its words. Where all draws together are too many, a single value may still depend on few of them
(`_marginals`). What can't be listed raises an error that names what can. How far draws are from uniform
bounds the error of the ideal law in its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from provably_fair import distribution
from provably_fair._core.errors import BadValue
from provably_fair._engine import to_precision
from provably_fair.seeds.schemes import (
    Scheme,
    distance_bound,
    number_bits,
    numbers_of,
    passes_over,
    weights_below,
)

from . import _enumeration as enumeration
from ._marginals import marginal_law
from ._streams import CountedDraws, RandomDraws
from .draws import EndlessRoundError
from .looks import Of
from .rounds import rounds_of
from .samples import Cell, Hits, drawn_hits_law, hits_law, values_of

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution

# The words of a number in the ideal law: all doubles of this spacing.
_IDEAL_WORDS = 1 << 53
_ROWS_AT_A_TIME = 1 << 17
_FEW_STATES = 1 << 16


class UnlistedLawError(BadValue):
    """A game has a law, but one that can't be listed: the message says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__("game", sentence=sentence)


def tried_law(game: Any, drawn: bool, of: Of | None, asked: Any = None) -> Distribution:
    """Return the exact law of a game's outcome, or of a function of it, by trying draws.

    Errors speak of the game that was asked, if another one is tried for it.
    """
    asked = game if asked is None else asked
    name = type(asked).__name__
    if drawn and _draws_again(game):
        raise UnlistedLawError(
            f'the law of {name} as drawn can\'t be listed: it draws until values differ; ask for law="ideal"'
        )
    # Of draws that pass words over every answer weighs the same.
    uniform = not drawn or passes_over(game.scheme)
    if isinstance(of, Hits | Cell) and (game.kind.sample or not _is_small(game)):
        counted = hits_law if uniform else partial(drawn_hits_law, game.scheme)
        found = counted(rounds_of(game).run, of, game.shape)
        if found is not None:
            return distribution.Distribution(*found)

    def keys(outcomes: np.ndarray) -> np.ndarray:
        return outcomes if of is None else values_of(of, outcomes)

    weigh = _SchemeWeights(game.scheme) if drawn else enumeration.Ideal()
    rows = _ROWS_AT_A_TIME if game.vectorized else 1
    try:
        if game.monotone:
            below = partial(weights_below, game.scheme) if drawn else _ideal_below
            outcomes, weights = enumeration.bisect_outcomes(
                rounds_of(game).run, keys, _words(game.scheme, drawn), below
            )
        else:
            outcomes, weights = enumeration.enumerate_outcomes(rounds_of(game).run, weigh, keys, rows)
    except enumeration.TooManyStatesError as error:
        found = (
            marginal_law(rounds_of(game).run, weigh, keys, of.place, rows) if isinstance(of, Cell) else None
        )
        if found is not None:
            return distribution.Distribution(*found)
        cure = (
            "Hits of a sample are counted, of=pf.hits(...), and `monotone = True` says that the outcome "
            "rises or falls with its one draw; else ask for a smaller game, or simulate"
        )
        if game.monotone:
            cure = _of_something_else(asked)
        if isinstance(error, enumeration.TooManyOutcomesError):
            cure = (
                "Ask for the law of something about them: of a single value, "
                "**pf.games.fairness.looks_of(game)[0].subject, or of what a function makes of an array of "
                "them, of=lambda outcomes: outcomes.max(axis=1)"
            )
        elif isinstance(of, Hits):
            cure = (
                "As drawn, hits depend on which numbers are chosen, so that all are tried; "
                'law="ideal" counts those of a sample'
            )
        raise UnlistedLawError(f"{name} has no law that can be listed: there are {error}. {cure}") from None
    except enumeration.NoFiniteLawError:
        raise UnlistedLawError(
            f"{name} asks for number(), whose values are too many to try: ask for below(n), or set "
            "`monotone = True` if the outcome rises or falls with its one draw"
        ) from None
    except enumeration.EndlessRoundError as error:
        raise UnlistedLawError(
            f"{name} has no law that can be listed: rounds may go on without end, {error}. End them after "
            "some draws, as by `for _ in range(...)`, or simulate"
        ) from None
    except enumeration.NotMonotoneError as error:
        raise BadValue(name, f"must not be `monotone = True`: {error}") from None
    if of is None and outcomes[-1] == np.inf:
        why = "its outcome may be infinite"
        raise UnlistedLawError(f"{name} has no law that can be listed: {why}. {_of_something_else(asked)}")
    return distribution.Distribution(outcomes, weights)


def combinations_of(game: Any) -> int | None:
    """Return how many combinations of draws a game has; None where they can't be counted."""
    try:
        return enumeration.states_of(rounds_of(game).run)
    except (enumeration.NoFiniteLawError, enumeration.EndlessRoundError, enumeration.TooManyStatesError):
        return None


def knows_law(game: Any, most: int) -> bool:
    """Tell whether laws are found soon: by the game itself, or by trying at most this many combinations."""
    if rounds_of(game).engine is not None or game.kind.quick or game.monotone:
        return True
    combinations = combinations_of(game)
    return combinations is not None and combinations <= most


def _is_small(game: Any) -> bool:
    """Whether every combination of draws is tried at once, so that nothing need be known of the outcome."""
    if game.monotone:
        return False
    count = combinations_of(game)
    return count is not None and count <= _FEW_STATES


def _of_something_else(game: Any) -> str:
    """Return what to ask of a single outcome whose law can't be listed."""
    bets = ", or of a bet: cash_out=2" if game.kind.needs == "cash_out" else ""
    return f"Ask for the law of something about it, of=lambda outcomes: np.minimum(outcomes, 1000){bets}"


remembered_law = lru_cache(maxsize=64)(tried_law)


def is_hashable(*values: object) -> bool:
    """Tell whether values can be hashed: a game with a list as a parameter can't."""
    try:
        hash(values)
    except TypeError:
        return False
    return True


def _words(scheme: Scheme, drawn: bool) -> tuple[int, Callable[[np.ndarray], np.ndarray]]:
    if drawn:
        return 1 << number_bits(scheme), partial(numbers_of, scheme)
    return _IDEAL_WORDS, partial(_ideal_numbers, scheme.digits)


def _ideal_numbers(digits: int | None, words: np.ndarray) -> np.ndarray:
    numbers = words / float(_IDEAL_WORDS)
    return numbers if digits is None else to_precision(numbers, digits)


def _ideal_below(n: int, answers: list[int]) -> tuple[list[int], int]:
    return list(answers), n


class _SchemeWeights:
    """How many words of a scheme give each answer of a draw."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme

    def of(self, n: int) -> tuple[list[int], np.ndarray, int]:
        """Return the different weights, which of them each answer has, and the total."""
        if isinstance(n, enumeration.Weighted):
            begins = [0, *n.ends[:-1].tolist()]
            below, total = weights_below(self._scheme, int(n.ends[-1]), begins)
        else:
            below, total = weights_below(self._scheme, n, range(n))
        weights = [end - begin for begin, end in zip(below, [*below[1:], total], strict=True)]
        kinds = sorted(set(weights))
        places = {weight: place for place, weight in enumerate(kinds)}
        return kinds, np.array([places[weight] for weight in weights]), total


def law_of_ranges(game: Any, ranges: int) -> tuple[Distribution, np.ndarray] | None:
    """Return the law of which range of values a monotone game's outcome is in, and where they begin.

    None where there are so few values that each can stand for itself.
    """
    words, numbers = _words(game.scheme, False)
    try:
        enumeration.bisect_outcomes(
            rounds_of(game).run, np.asarray, (words, numbers), _ideal_below, _FEW_STATES
        )
        return None
    except enumeration.TooManyStatesError:
        n = enumeration.only_range(rounds_of(game).run)
    last = (words if n is None else n) - 1
    answers = np.array([last * step // ranges for step in range(ranges)], dtype=np.uint64)
    values = enumeration.outcomes_of_answers(rounds_of(game).run, answers, game.vectorized, numbers)
    assert values is not None  # bisection has seen that there is one draw
    edges = np.unique(values)
    return tried_law(game, False, Ranges(edges)), edges


class Ranges:
    """In which range of values a single outcome lies: a function for ``of=``."""

    def __init__(self, edges: np.ndarray) -> None:
        self.edges = edges

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return np.searchsorted(self.edges, outcomes, side="right") - 1


class OneDraw(NamedTuple):
    """A game of one draw: the words from which each of its outcomes begins, and all words."""

    firsts: np.ndarray
    outcomes: np.ndarray
    total: int

    def at(self, words: np.ndarray) -> np.ndarray:
        """Return the outcomes of words."""
        return self.outcomes[np.searchsorted(self.firsts, words, side="right") - 1]


def one_draw(game: Any) -> OneDraw | None:
    """Return what a game of one draw makes of each word; None where it draws more, or words have no order."""
    try:
        if game.monotone:
            values, weights = enumeration.bisect_outcomes(
                rounds_of(game).run,
                lambda found: found,
                _words(game.scheme, True),
                partial(weights_below, game.scheme),
            )
            ends = np.cumsum(np.array([0, *weights], dtype=object))
            return OneDraw(ends[:-1].astype(np.uint64), np.array(values), int(ends[-1]))
        n = enumeration.only_range(rounds_of(game).run)
    except ValueError:
        return None
    if n is None or n > enumeration.MAX_STEPS or game.shape or game.scheme.below != "scale":
        return None
    below, total = weights_below(game.scheme, n, range(n))
    answers = np.arange(n, dtype=np.uint64)
    outcomes = enumeration.outcomes_of_answers(rounds_of(game).run, answers, game.vectorized)
    if outcomes is None:
        return None
    return OneDraw(np.array(below, dtype=np.uint64), outcomes, total)


_FEW_ANSWERS = 1 << 14
_TRIED_ROUNDS = 64

Range = int | tuple[int, ...] | None
"""What a draw is of: as many answers, the ends of weighted ones, or all numbers."""


def _draws_again(game: Any) -> bool:
    """Tell whether a game passes over what it has drawn before."""
    draws = CountedDraws(0, 1)
    try:
        rounds_of(game).run(draws)
    except Exception:  # whatever its rule says of such draws
        return False
    return draws.draws_again


class _Ranges(RandomDraws):
    """Answers draws at random, or with the least or the largest, and keeps what they are of."""

    def __init__(self, seed: int, end: int | None = None) -> None:
        super().__init__(seed, 1)
        self._end = end
        self.ranges: list[Range] = []

    def _number(self) -> np.ndarray:
        self.ranges.append(None)
        return super()._number() if self._end is None else CountedDraws(self._end, 1)._number()

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        self.ranges.append(int(np.max(n)))
        return super()._below(n) if self._end is None else CountedDraws(self._end, 1)._below(n)

    def _weighted(self, weights: np.ndarray) -> np.ndarray:
        found = super()._weighted(weights)
        self.ranges[-1] = tuple(np.cumsum(weights).tolist())
        return found


def draws_error(game: Any) -> float:
    """Return how far the draws of a round are from uniform ones: in total variation, all together.

    Of draws whose ranges depend on earlier answers those count that the ends of the ranges lead to.
    """
    found = []
    for end in (0, 1):
        draws = _Ranges(0, end)
        try:
            rounds_of(game).run(draws)
        except EndlessRoundError:
            return 1.0  # no distance is larger
        found.append(
            math.fsum(
                distance_bound(game.scheme, None) if of is None else float(_distance(game.scheme, of))
                for of in draws.ranges
            )
        )
    return max(found)


def outcome_distance(game: Any) -> Fraction:
    """Return a bound on the distance of a game's outcomes from those of uniform draws, in total variation.

    It is the sum over the draws of a round, since the distance of independent values together is at most the
    sum of theirs, and no function of them makes it larger.
    """
    tried = []
    for draws in (_Ranges(0, 0), _Ranges(0, 1), *map(_Ranges, range(_TRIED_ROUNDS))):
        try:
            rounds_of(game).run(draws)
        except EndlessRoundError:
            raise UnlistedLawError("rounds may go on without end") from None
        tried.append(draws.ranges)
    if any(ranges != tried[0] for ranges in tried):
        raise UnlistedLawError("what is drawn from depends on earlier draws")
    if None in tried[0]:
        raise UnlistedLawError("rounds draw numbers, which have other steps than those of the ideal law")
    return sum((_distance(game.scheme, of) for of in tried[0] if of is not None), Fraction(0))


@lru_cache(maxsize=1024)
def _distance(scheme: Scheme, of: int | tuple[int, ...]) -> Fraction:
    """Return the distance in total variation of one draw, or a bound where it has many answers."""
    if passes_over(scheme):
        return Fraction(0)
    ends = range(1, of + 1) if isinstance(of, int) else of
    n = ends[-1]
    if len(ends) > _FEW_ANSWERS:
        (first,), total = weights_below(scheme, n, [1])
        # Of a power of two, answers are the leading bits, or the last ones.
        whole = n & (n - 1) == 0 and first * n == total
        return Fraction(0) if whole else min(Fraction(1), Fraction(distance_bound(scheme, n)))
    below, total = weights_below(scheme, n, [0, *ends[:-1]])
    apart = (
        abs((after - before) * n - (end - begin) * total)
        for (before, after), (begin, end) in zip(pairwise([*below, total]), pairwise([0, *ends]), strict=True)
    )
    return Fraction(sum(apart), 2 * total * n)
