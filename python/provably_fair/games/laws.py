"""The exact laws of games in Python.

A game is played on draws that try every answer with its exact weight (`_enumeration`). Two kinds of law need
not try them all: hits of a sample without replacement are counted, and a monotone game of one draw is
bisected over its words. Where all draws together are too many, a single value may still depend on few of them
(`_marginals`). What can't be listed raises an error that names what can. How far draws are from uniform
bounds the error of the ideal law in its place.
"""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from provably_fair import distribution
from provably_fair._core.errors import BadValue
from provably_fair.seeds.schemes import Scheme, engine_scheme, weights_below

from . import _enumeration as enumeration
from ._marginals import marginal_law
from ._probes import Again, EndDraws, ProbedDraws, RandomDraws, Range
from ._weights import AsDrawn, DrawnAgainError, Ideal, SharedDigestError, Weights, draws_whole_digests
from .draws import EndlessRoundError
from .kind import AnyGame
from .looks import Of
from .program import Untraced, program_of
from .reads import Reads, while_read_alike
from .rounds import rounds_of
from .samples import Cell, Hits, Sample, hits_law, sample_of, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from provably_fair.distribution import Distribution

_ROWS_AT_A_TIME = 1 << 17
_FEW_STATES = 1 << 16
MANY_ANSWERS = 1 << 20
"""The most answers of one draw that are tried, where bisection would do as well."""
_DRAWS_AT_ONCE = 1 << 22
"""The draws of all combinations that are tried with a class that is called for many rounds at once."""


class UnlistedLawError(BadValue):
    """The law of a game exists, but can't be listed; the message says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__("game", sentence=sentence)


class FarLawError(UnlistedLawError):
    """The law as drawn can't be listed, and the ideal one may be far from it."""


def shared_digests_error(name: str) -> FarLawError:
    """Return the error of a law of draws that share digests."""
    return FarLawError(
        f"{name} has no law as drawn that can be listed where each draw is made of a whole digest, which "
        'others share: ask for law="ideal", or give the scheme words=1'
    )


def _drawn_again_error(game: AnyGame, name: str) -> UnlistedLawError:
    # One digest may be used up before values differ, which uniform draws never are.
    error = UnlistedLawError if engine_scheme(game.scheme).words_of_round is None else FarLawError
    return error(
        f'the law of {name} as drawn can\'t be listed: it draws until values differ; ask for law="ideal"'
    )


def tried_law(game: AnyGame, drawn: bool, of: Of | None, asked: Any = None) -> Distribution:
    """Return the exact law of a game's outcome, or of a function of it, by trying draws.

    Errors speak of the game that was asked, if another one is tried for it.
    """
    asked = game if asked is None else asked
    name = type(asked).__name__
    if drawn and draws_again(game):
        raise _drawn_again_error(game, name)
    rounds = rounds_of(game)
    run = rounds.rule
    # Schemes that reject words draw without bias.
    scheme = game.scheme if drawn and not engine_scheme(game.scheme).passes_over else None
    if isinstance(of, Hits | Cell) and (game.kind.is_sample or not _is_small(game)):
        found = hits_law(sample_in(game), of, game.shape, scheme)
        if found is not None:
            return distribution.Distribution(*found)
    keys = partial(values_of, of)
    weights = AsDrawn(game.scheme) if drawn else Ideal(game.scheme.digits)
    rows = _ROWS_AT_A_TIME if rounds.vectorized else 1
    try:
        found = _bisected_or_tried(game, run, keys, weights, rows)
    except enumeration.NotMonotoneError as error:
        raise BadValue(name, f"must not be `monotone = True`: {error}") from None
    except enumeration.TooManyStatesError as error:
        found = marginal_law(run, weights, keys, of.place, rows) if isinstance(of, Cell) else None
        if found is None:
            raise _unlisted(asked, of, error) from None
    except (enumeration.NoFiniteLawError, EndlessRoundError) as error:
        raise _unlisted(asked, of, error) from None
    except DrawnAgainError:  # after some answers only
        raise _drawn_again_error(game, name) from None
    except SharedDigestError:
        raise shared_digests_error(name) from None
    outcomes, counts = found
    if of is not None:
        return _of_finite(outcomes, counts)
    if (wrong := not_finite(outcomes)) is not None:
        why = f"its outcome may be infinite. {_of_something_else(asked)}"
        if math.isnan(wrong):
            why = "its outcome may be NaN. Give such rounds a number, by np.where"
        raise UnlistedLawError(f"{name} has no law that can be listed: {why}")
    return distribution.Distribution(outcomes, counts)


def not_finite(values: list[Any]) -> float | None:
    """Return the first value that is infinite or NaN, or None; values of several trials aren't sorted."""
    return next((one for one in values if isinstance(one, float) and not math.isfinite(one)), None)


def _of_finite(values: list[Any], weights: Sequence[int]) -> Distribution:
    """Return the law of a function's values, which must be finite."""
    if (wrong := not_finite(values)) is not None:
        raise BadValue("of", f"must return finite values, got {wrong}")
    return distribution.Distribution(values, weights)


def _bisected_or_tried(
    game: AnyGame, run: Any, keys: Callable[[Any], np.ndarray], weights: Weights, rows: int
) -> tuple[list[Any], list[int]]:
    if is_bisected(game):
        try:
            return enumeration.bisect_outcomes(run, keys, weights)
        except enumeration.NotMonotoneError:
            if game.monotone:
                raise
            # The outcome rises with its draw, but the function of it doesn't: all outcomes are listed.
    return enumeration.enumerate_outcomes(run, weights, keys, rows)


def _unlisted(game: AnyGame, of: Of | None, error: ValueError) -> UnlistedLawError:
    """Return the error of a law that can't be listed, with the cure that fits the game and the question."""
    name = type(game).__name__
    if isinstance(error, enumeration.NoFiniteLawError):
        asked = None if of is not None else _asked_about(game)
        cure = "ask for below(n), or set `monotone = True` if the outcome rises or falls with its one draw"
        cure = f"ask for the law of something about it: {asked}" if asked else cure
        why = "whose values are too many to try"
        return UnlistedLawError(f"{name} asks for number(), {why}: {cure}{_unrecorded(game)}")
    if isinstance(error, EndlessRoundError):
        return UnlistedLawError(
            f"{name} has no law that can be listed: rounds may go on without end, {error}. End them after "
            "some draws, as by `for _ in range(...)`, or simulate"
        )
    if isinstance(error, enumeration.TooManyOutcomesError):
        cure = (
            "Ask for the law of a feature instead: of a single value, "
            "**pf.games.fairness.looks_of(game)[0].subject, or of a function of an array of outcomes, "
            "of=lambda outcomes: outcomes.max(axis=1)"
        )
    elif isinstance(of, Hits):
        cure = (
            "As drawn, hits depend on the chosen numbers, so that all combinations are tried; "
            'law="ideal" counts those of a sample'
        )
    elif is_bisected(game):
        cure = _of_something_else(game)
    elif of is None and (asked := _asked_about(game)):
        cure = f"Ask for the law of something about it: {asked}{_in_steps(game)}"
    else:
        cure = (
            "Hits of a sample are counted, of=pf.hits(...), and `monotone = True` says that the outcome "
            "rises or falls with its one draw; else ask for a smaller game, or simulate"
        )
    why = f"there are {error}. {cure}{_unrecorded(game)}"
    return UnlistedLawError(f"{name} has no law that can be listed: {why}")


def _unrecorded(game: AnyGame) -> str:
    """Return why a rule can't be recorded, which would show more laws; "" if it was, or is the engine's."""
    found = None if rounds_of(game).engine is not None else program_of(game)
    return f". A rule that is recorded has more laws; this one {found}" if isinstance(found, Untraced) else ""


def is_bisected(game: AnyGame) -> bool:
    """Return whether an outcome rises or falls with its one draw, of more answers than are tried."""
    if game.monotone:
        return True
    program = rounds_of(game).program
    if program is None or program.direction is None or not program.draws:
        return False
    (n,) = program.draws
    return n is None or n > MANY_ANSWERS


def combinations_of(game: AnyGame) -> int | None:
    """Return the number of combinations of draws; None if they can't be counted."""
    try:
        return enumeration.states_of(rounds_of(game).rule)
    except (enumeration.NoFiniteLawError, EndlessRoundError, enumeration.TooManyStatesError):
        return None


def knows_law(game: AnyGame, most: int) -> bool:
    """Return whether laws are quick to find: by the game's own method, or with this many combinations."""
    if rounds_of(game).engine is not None or game.kind.quick or is_bisected(game):
        return True
    combinations = combinations_of(game)
    return combinations is not None and combinations <= most


_OF_SAMPLES = {
    *("sample", "shuffle", "swaps", "distinct", "move", "sort", "add", "subtract", "constant", "astype"),
}
"""The operations of a rule whose outcome is a sample, moved about and counted from another number."""


def sample_in(game: AnyGame) -> Sample | None:
    """Return the sample that a game's outcome is; None if it isn't one, or nothing tells.

    A recorded rule has no operation that might treat some samples otherwise. Of any other, only trials say
    so, which can miss cells that it changes together: where all draws are few, these are tried instead.
    """
    rounds = rounds_of(game)
    program = rounds.program
    if program is not None:
        operations = program.value(program.result).operations
        return sample_of(rounds.rule) if _OF_SAMPLES.issuperset(one.name for one in operations) else None
    if rounds.engine is not None:
        return sample_of(rounds.rule)
    return None if _is_small(game) else sample_of(rounds.rule, recorded=False)


def _is_small(game: AnyGame) -> bool:
    """Return whether there are so few combinations of draws that trying them beats recognizing a sample."""
    if is_bisected(game):
        return False
    count = combinations_of(game)
    return count is not None and count <= _FEW_STATES


def _asked_about(game: AnyGame) -> str:
    """Return the questions about an outcome, as they are typed; "" if there is only `of`."""
    return " or ".join(f"{name}=..." for name in game.kind.asked_alone)


def _of_something_else(game: AnyGame) -> str:
    """Return the question about a part of the outcome, for an outcome whose law can't be listed."""
    bets = ", or of a bet: cash_out=2" if game.kind.needs == "cash_out" else ""
    return (
        "Ask for the law of something about it, of=lambda outcomes: np.minimum(outcomes, 1000), by which "
        f"np.minimum(sample, 1000) can be tested{bets}{_in_steps(game)}"
    )


def _in_steps(game: AnyGame) -> str:
    """Return how the law of the largest of many multipliers is found; "" for other outcomes."""
    if game.kind.needs != "cash_out":
        return ""
    return (
        "; in steps of 2 %, of=lambda outcomes: 10 ** (np.floor(100 * np.log10(np.maximum(outcomes, 1))) "
        "/ 100), it is listed, and its maximum(n) is the law of the largest of n"
    )


def remembered_law(game: Any, drawn: bool, of: Of | None) -> Distribution:
    """Return `tried_law`, remembered; as 1 == True, and 0.0 == -0.0, the text of parameters decides, too."""
    found: Distribution = _remembered(game, repr(game._field_values()), drawn, of)
    return found


@while_read_alike(lambda game, written, drawn, of: Reads(game, of), 64)  # noqa: ARG005
def _remembered(game: Any, written: str, drawn: bool, of: Of | None) -> Distribution:  # noqa: ARG001
    return tried_law(game, drawn, of)


def mapped(law: Distribution, of: Of | None) -> Distribution:
    """Return the law of a function of a law's outcomes, called once with all of them."""
    if of is None:
        return law
    return _of_finite(values_of(of, law.outcomes).tolist(), law.weights)


def is_hashable(*values: object) -> bool:
    """Return whether values can be hashed; a game with a list as a parameter can't."""
    try:
        hash(values)
    except TypeError:
        return False
    return True


def law_of_ranges(game: AnyGame, ranges: int) -> tuple[Distribution, np.ndarray] | None:
    """Return the law of the range in which a monotone game's outcome lies, and where the ranges begin.

    None if there are so few values that ranges aren't needed.
    """
    rounds, weights = rounds_of(game), Ideal(game.scheme.digits)
    run = rounds.rule
    try:
        enumeration.bisect_outcomes(run, np.asarray, weights, _FEW_STATES)
        return None
    except enumeration.TooManyStatesError:
        n = enumeration.only_range(run)
    last = (weights.words if n is None else n) - 1
    answers = np.array([last * step // ranges for step in range(ranges)], dtype=np.uint64)
    values = enumeration.outcomes_of_answers(run, answers, rounds.vectorized, weights.numbers)
    assert values is not None  # bisection found a single draw
    edges = np.unique(values)
    return tried_law(game, False, Ranges(edges)), edges


class Ranges:
    """The index of the range in which an outcome lies: a function for ``of=``."""

    def __init__(self, edges: np.ndarray) -> None:
        self.edges = edges

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return np.searchsorted(self.edges, outcomes, side="right") - 1


class OneDraw(NamedTuple):
    """A game of one draw: the first word of each outcome, and the number of words."""

    firsts: np.ndarray
    outcomes: np.ndarray
    total: int

    def at(self, words: np.ndarray) -> np.ndarray:
        """Return the outcomes of words."""
        return self.outcomes[np.searchsorted(self.firsts, words, side="right") - 1]


def one_draw(game: AnyGame) -> OneDraw | None:
    """Return the outcomes of a game of one draw by word; None if it draws more, or not in order of words."""
    rounds = rounds_of(game)
    run = rounds.rule
    try:
        if is_bisected(game):
            values, weights = enumeration.bisect_outcomes(run, np.asarray, AsDrawn(game.scheme))
            ends = np.cumsum(np.array([0, *weights], dtype=object))
            return OneDraw(ends[:-1].astype(np.uint64), np.array(values), int(ends[-1]))
        n = enumeration.only_range(run)
    except ValueError:
        return None
    if n is None or n > enumeration.MAX_STEPS or game.shape or game.scheme.below != "scale":
        return None
    below, total = weights_below(game.scheme, n, range(n))
    answers = np.arange(n, dtype=np.uint64)
    outcomes = enumeration.outcomes_of_answers(run, answers, rounds.vectorized)
    if outcomes is None:
        return None
    return OneDraw(np.array(below, dtype=np.uint64), outcomes, total)


_FEW_ANSWERS = 1 << 14
_TRIED_ROUNDS = 256


def _least_draws(game: AnyGame) -> ProbedDraws:
    """Return the draws of a round whose answers are the least, as far as its rule goes with them."""
    draws = EndDraws(1)
    with suppress(Exception):  # a rule may refuse such draws in any way
        rounds_of(game).rule(draws)
    return draws


def draws_again(game: AnyGame) -> bool:
    """Return whether a game draws until values differ."""
    return _least_draws(game).draws_again


def shares_digests(game: AnyGame) -> bool:
    """Return whether draws of a round are made of the same whole digest, so that they aren't independent."""
    return draws_whole_digests(game.scheme) and len(_least_draws(game).ranges) > 1


class DrawsError(NamedTuple):
    """The distances of a round's draws from uniform ones, summed."""

    of_answers: Fraction
    """Of draws of one of n, in total variation; with the distance of the ideal law from uniform draws."""
    of_numbers: Fraction
    """Of numbers, in Kolmogorov's distance: the largest difference of the probabilities up to any number."""


def draws_error(game: AnyGame) -> DrawsError:
    """Return the distances of a round's draws from uniform ones.

    Refuse rounds whose draws aren't the same whatever the answers, or aren't independent, and laws that may
    be of other draws than uniform ones, by an unknown distance.
    """
    kind, scheme, ranges = game.kind, game.scheme, _fixed_ranges(game)
    if shares_digests(game):
        raise UnlistedLawError("draws of a round share a digest, the whole of which makes each of them")
    distance = kind.distance()
    if distance is None and kind.laws:
        if not (is_bisected(game) or _is_small(game)):
            raise UnlistedLawError("nothing says how far the kind's own laws are from those of uniform draws")
        drawn = rounds_of(game).law(True, None)
        return DrawsError(game.distribution().total_variation(drawn, exact=True), Fraction(0))
    if distance is None and engine_scheme(scheme).words_of_round is not None and draws_again(game):
        raise UnlistedLawError("a digest may be used up before its values differ")
    answers = sum((_distance(scheme, of) for of in ranges if of is not None), Fraction(0))
    numbers = ranges.count(None) * Fraction(engine_scheme(scheme).distance_bound())
    return DrawsError((distance or 0) + answers, numbers)


def outcome_distance(game: AnyGame) -> Fraction:
    """Return a bound on the distance of a game's outcomes from those of uniform draws, in total variation.

    It is the sum over the draws of a round, since the distance of independent values together is at most the
    sum of theirs, and no function of them makes it larger. If the ideal law isn't that of uniform draws, its
    distance from this one is added.
    """
    error = draws_error(game)
    if error.of_numbers:
        raise UnlistedLawError("rounds draw numbers, whose steps differ from those of the ideal law")
    return error.of_answers


def _fixed_ranges(game: AnyGame) -> list[Range | Again]:
    """Return the ranges of a round's draws; refuse those that may depend on answers.

    All answers are tried if they are few. If they are many, the engine's rules are known to draw alike in all
    rounds, and so does a class that is called for many rounds at once, if its ranges aren't arrays.
    """
    rounds = rounds_of(game)
    if (program := rounds.program) is not None:
        if program.ranges is None:
            raise UnlistedLawError("the range of a draw depends on earlier draws")
        return program.ranges
    tried: list[ProbedDraws] = [EndDraws(1, 0), EndDraws(1, 1)]
    if rounds.vectorized:
        tried.append(RandomDraws(_TRIED_ROUNDS, 0))
    try:
        for draws in tried:
            rounds.run(draws)
    except EndlessRoundError:
        raise UnlistedLawError("rounds may go on without end") from None
    ranges = tried[0].ranges
    fixed = not any(draws.ranges != ranges or draws.by_round for draws in tried)
    if fixed and rounds.engine is None:
        many = combinations_of(game)
        at_once = game.vectorized and many is not None and many * len(ranges) <= _DRAWS_AT_ONCE
        if at_once or (many is not None and many <= _FEW_STATES):
            fixed = len(enumeration.ranges_tried(rounds.run, _ROWS_AT_A_TIME if game.vectorized else 1)) == 1
        elif not (game.vectorized or game.monotone):
            raise UnlistedLawError("there are too many answers to try whether draws depend on them")
    if not fixed:
        raise UnlistedLawError("the range of a draw depends on earlier draws")
    return ranges


@lru_cache(maxsize=1024)
def _distance(scheme: Scheme, of: int | tuple[int, ...] | Again) -> Fraction:
    """Return the distance of one draw from uniform in total variation, or a bound if it has many answers."""
    if engine_scheme(scheme).passes_over:
        return Fraction(0)
    if isinstance(of, Again):
        # Given an event, distributions are apart by at most their distance over its larger probability.
        return min(Fraction(1), _distance(scheme, of.n) * of.n / of.left)
    ends = range(1, of + 1) if isinstance(of, int) else of
    n = ends[-1]
    if (of if isinstance(of, int) else len(of)) > _FEW_ANSWERS:
        (first,), total = weights_below(scheme, n, [1])
        # For a power of two, the answer is made of the first bits, or the last ones, which are uniform.
        whole = n & (n - 1) == 0 and first * n == total
        return Fraction(0) if whole else min(Fraction(1), Fraction(engine_scheme(scheme).distance_bound(n)))
    below, total = weights_below(scheme, n, [0, *ends[:-1]])
    apart = (
        abs((after - before) * n - (end - begin) * total)
        for (before, after), (begin, end) in zip(pairwise([*below, total]), pairwise([0, *ends]), strict=True)
    )
    return Fraction(sum(apart), 2 * total * n)
