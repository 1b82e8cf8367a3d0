"""The exact law of a game in Python: its outcome for every combination of draws, each with its weight.

`outcome` is called with one row, and interrupted at its first draw; called again with a row for each answer
of that draw, and interrupted at the second; and so on. The last call has a row for every combination. So
any Python that takes arrays has a law, and what it computes needn't be known; calls are as few as draws.
Rows are gone through in pieces, depth first, so that memory stays bounded.

Weights are exact integers, and far too large for arrays: 2**64 for each draw of eight bytes. But a draw has
few different weights, mostly two. So a row keeps only a code, which of the products of weights it has; equal
products share one, and rows are counted by outcome and code. Python's integers are multiplied once for each
code, not once for each row.

A monotone game of one draw is bisected over its words instead (`bisect_outcomes`): outcomes between two equal
ones are equal. All intervals whose ends differ are halved at once, in one call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair.distribution.outcomes import as_tuple

from ._weights import Weighted, Weights
from .draws import Draws, EndlessRoundError

MAX_STATES = 10**8
"""The most combinations of draws that are tried."""

MAX_STEPS = 1 << 22
"""The most different outcomes that bisection lists."""

MAX_TUPLES = 10**5
"""The most different outcomes of several values that are listed."""

MAX_DRAWS = 256
"""The most draws of a round that are enumerated."""

_ROWS_FOLLOWED, _ANSWERS_FOLLOWED = 8, 4
_RANDOM_ROUNDS, _LARGE_ROUNDS, _TIMES_LARGER = 32, 8, 1 << 10
_SAMPLES = 1 << 12
_TOO_MANY = f"more than {MAX_STATES:,} combinations of draws, and no more are tried"


class _NextDraw(Exception):  # noqa: N818 (no error: it ends a run at the first draw that isn't decided)
    def __init__(self, n: int | np.ndarray) -> None:
        self.n = n


class _ContinuousDraw(Exception):  # noqa: N818
    pass


class _Decided(Draws):
    """Answers the first draws with given columns, and interrupts the call at the next one."""

    def __init__(self, answers: np.ndarray, weights: Weights | None = None) -> None:
        self.rounds = len(answers)
        self._answers = answers
        self._weights = weights
        self._next = 0

    def _number(self) -> np.ndarray:
        raise _ContinuousDraw

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        if self._next == self._answers.shape[1]:
            raise _NextDraw(n)
        self._next += 1
        return self._answers[:, self._next - 1].copy()

    def _weighted(self, weights: np.ndarray) -> np.ndarray:
        return self._below(Weighted(weights))

    def _distinct(self, n: int, k: int) -> np.ndarray:
        if self._weights is not None:
            self._weights.check(again=True)
        return super()._distinct(n, k)


class _Combinations(NamedTuple):
    """Combinations of the first draws, one per row, with the index of each one's weight in `chances`."""

    answers: np.ndarray
    code: np.ndarray
    chances: list[tuple[int, int]]  # pairs of weight and total, multiplied over the draws

    def take(self, rows: Any) -> _Combinations:
        """Return some of the rows."""
        return _Combinations(self.answers[rows], self.code[rows], self.chances)


Outcome = Callable[[Draws], Any]


class TooManyStatesError(ValueError):
    """There are more combinations of draws than can be enumerated."""


class TooManyOutcomesError(TooManyStatesError):
    """There are more outcomes of several values than can be listed."""


class NoFiniteLawError(ValueError):
    """The game draws a number, of which there are too many to enumerate."""


def states_of(outcome: Outcome) -> int:
    """Return the number of combinations of draws, with the ranges that follow answers of 0."""
    count, least, again = 1, 0, 0
    answers = np.zeros((1, 0), dtype=np.int64)
    while (n := _next_range(outcome, answers)) is not None:
        # Falling ranges, as in a shuffle, are bound to end.
        again += n >= least
        least = min(least, n) if answers.shape[1] else n
        if again > MAX_DRAWS:
            raise EndlessRoundError("outcome", sentence=f"after {answers.shape[1]} draws some aren't over")
        if answers.shape[1] > 2 * MAX_DRAWS:  # falling ranges, too many all the same
            raise TooManyStatesError(_TOO_MANY)
        count *= n
        answers = np.append(answers, [[0]], axis=1)
    return count


def _next_range(outcome: Outcome, answers: np.ndarray) -> int | None:
    """Return the range of the draw that follows one row of answers; None if the round is over."""
    try:
        outcome(_Decided(answers))
    except _NextDraw as draw:
        return int(np.max(draw.n))
    except _ContinuousDraw:
        raise NoFiniteLawError from None
    return None


def ranges_tried(outcome: Outcome, rows_at_a_time: int) -> set[tuple[int, ...]]:
    """Return the ranges of draws that rounds have, by trying all answers; two if there are more."""
    found: set[tuple[int, ...]] = set()
    left: list[tuple[np.ndarray, tuple[int, ...]]] = [(np.zeros((1, 0), dtype=np.int64), ())]
    while left and len(found) < 2:
        answers, ranges = left.pop()
        try:
            outcome(_Decided(answers))
        except _NextDraw as draw:
            _refuse_draws(answers)
            n = int(np.max(draw.n))
            if np.min(draw.n) < n:
                return {(*ranges, n), (*ranges, int(np.min(draw.n)))}
            answers = np.repeat(answers, n, axis=0)
            answers = np.column_stack([answers, np.arange(len(answers)) % n])
            pieces = range(0, len(answers), rows_at_a_time)
            left += [(answers[first : first + rows_at_a_time], (*ranges, n)) for first in pieces]
        else:
            found.add(ranges)
    return found


def _refuse_endless(outcome: Outcome) -> None:
    """Refuse endless rounds: follow a few of them to the end, before enumerating all fills the memory."""
    rng = np.random.default_rng(0)
    rows = [np.zeros((1, 0), dtype=np.int64)]
    while rows:
        followed = []
        for answers in rows:
            n = _next_range(outcome, answers)
            if n is None:
                continue
            _refuse_draws(answers)
            some = sorted({*np.linspace(0, n - 1, _ANSWERS_FOLLOWED).astype(np.int64).tolist()})
            followed += [np.append(answers, [[answer]], axis=1) for answer in some]
            if len(followed) > _ROWS_FOLLOWED:
                break
        rng.shuffle(followed)
        rows = followed


def _refuse_draws(answers: np.ndarray) -> None:
    if answers.shape[1] >= MAX_DRAWS:
        raise EndlessRoundError("outcome", sentence=f"after {MAX_DRAWS} draws some aren't over")


def _refuse_many(outcome: Outcome) -> None:
    """Refuse far too many combinations, estimated from random rounds, before years of enumerating.

    The product of a random round's ranges is, on average, how many combinations there are. So it is 1,024
    times as large with a probability of at most 2**-10, and that in 8 of 32 rounds with one below 2**-56.
    """
    rng = np.random.default_rng(0)
    large = 0
    for _ in range(_RANDOM_ROUNDS):
        answers, count = np.zeros((1, 0), dtype=np.int64), 1
        while count <= _TIMES_LARGER * MAX_STATES:
            n = _next_range(outcome, answers)
            if n is None:
                break
            _refuse_draws(answers)
            count *= n
            answers = np.append(answers, [[rng.integers(n)]], axis=1)
        large += count > _TIMES_LARGER * MAX_STATES
    if large >= _LARGE_ROUNDS:
        raise TooManyStatesError(_TOO_MANY)


def enumerate_outcomes(
    outcome: Outcome, weights: Weights, keys: Callable[[Any], np.ndarray], rows_at_a_time: int = 1 << 18
) -> tuple[list[Any], list[int]]:
    """Return the values of the keys of outcomes, and their weights over one total."""
    if (count := states_of(outcome)) > MAX_STATES:
        raise TooManyStatesError(
            f"{count:,} combinations of draws, of which at most {MAX_STATES:,} are tried"
        )
    _refuse_endless(outcome)
    _refuse_many(outcome)
    # The number of combinations with each chance, by value; one dictionary per value would be many.
    found: dict[tuple[int, int], dict[Any, int]] = {}
    listed: dict[Any, int] = {}
    tried = 0
    start = _Combinations(np.zeros((1, 0), dtype=np.int64), np.zeros(1, dtype=np.int64), [(1, 1)])
    for states, outcomes in _complete(outcome, weights, start, rows_at_a_time):
        tried += len(states.code)
        if tried > MAX_STATES:  # after other answers than 0 there may be more
            raise TooManyStatesError(_TOO_MANY)
        values, which = _distinct(keys(outcomes), len(states.code))
        joint = bincount(
            which * len(states.chances) + states.code, minlength=len(values) * len(states.chances)
        ).reshape(len(values), -1)
        listed |= dict.fromkeys(values, 0)
        for code in np.flatnonzero(joint.any(axis=0)).tolist():
            counts, rows = found.setdefault(states.chances[code], {}), np.flatnonzero(joint[:, code])
            for row, count in zip(rows.tolist(), joint[rows, code].tolist(), strict=True):
                counts[values[row]] = counts.get(values[row], 0) + count
        if isinstance(values[0], tuple):
            _check_listed(len(listed))
    total = math.lcm(*(total for _, total in found))
    for (weight, out_of), counts in found.items():
        each = weight * (total // out_of)
        for value, count in counts.items():
            listed[value] += count * each
    return list(listed), list(listed.values())


def _complete(
    outcome: Outcome, weights: Weights, states: _Combinations, rows_at_a_time: int
) -> Iterator[tuple[_Combinations, Any]]:
    """Yield all combinations of draws that begin with these states, in pieces, with their outcomes."""
    rows = len(states.code)
    if rows > rows_at_a_time:
        for first in range(0, rows, rows_at_a_time):
            some = states.take(slice(first, first + rows_at_a_time))
            yield from _complete(outcome, weights, some, rows_at_a_time)
        return
    try:
        outcomes = outcome(_Decided(states.answers, weights))
    except _NextDraw as draw:
        _refuse_draws(states.answers)
        weights.check(drawn=states.answers.shape[1])
        for some, n in _by_range(states, draw.n):
            # Piece by piece to the end, so that no piece waits in memory for the others.
            parents = max(1, rows_at_a_time // n)
            for first in range(0, len(some.code), parents):
                piece = some.take(slice(first, first + parents))
                yield from _complete(outcome, weights, _expand(piece, n, weights), rows_at_a_time)
    else:
        yield states, outcomes


def _by_range(states: _Combinations, n: int | np.ndarray) -> Iterator[tuple[_Combinations, int]]:
    """Split rows by the range of their next draw."""
    if isinstance(n, int):
        yield states, n
        return
    for each in np.unique(n).tolist():
        rows = n == each
        yield states.take(rows), each


def _expand(states: _Combinations, n: int, weights: Weights) -> _Combinations:
    """Return a row for each answer of the next draw, in place of each row."""
    kinds, kind_of, total = weights.of(n)
    answers = np.empty((len(states.code) * n, states.answers.shape[1] + 1), dtype=np.int64)
    answers[:, :-1] = np.repeat(states.answers, n, axis=0)
    answers[:, -1] = np.tile(np.arange(n), len(states.code))
    code = (states.code[:, np.newaxis] * len(kinds) + kind_of).ravel()
    # Keep equal products once, and drop those that no row has.
    places: dict[tuple[int, int], int] = {}
    used, code = np.unique(code, return_inverse=True)
    renamed = []
    for place in used.tolist():
        before, kind = divmod(place, len(kinds))
        weight, out_of = states.chances[before]
        renamed.append(places.setdefault((weight * kinds[kind], out_of * total), len(places)))
    return _Combinations(answers, np.array(renamed)[code.reshape(-1)], list(places))


def _distinct(keys: object, rows: int) -> tuple[list[Any], np.ndarray]:
    """Return the distinct keys, tuples if a row has several values, and the index of each row's key."""
    keys = np.asarray(keys)
    if keys.ndim == 1:
        values, which = np.unique(keys, return_inverse=True)
        return values.tolist(), which.reshape(-1)
    flat = keys.reshape(rows, -1)
    if flat.dtype.kind in "biu" and flat.size:
        least = flat.min(axis=0).astype(np.int64)
        most = flat.max(axis=0).tolist()  # Python's integers, as differences may be beyond int64
        widths = [high - low + 1 for low, high in zip(least.tolist(), most, strict=True)]
        if math.prod(widths) < 1 << 62:  # one integer per row sorts faster than the row
            packed = np.ravel_multi_index(tuple((flat - least).T), tuple(widths))
            _, first, which = np.unique(packed, return_index=True, return_inverse=True)
            _check_listed(len(first))
            return [as_tuple(keys[row].tolist()) for row in first.tolist()], which.reshape(-1)
    values, which = np.unique(flat, axis=0, return_inverse=True)
    return [as_tuple(row.reshape(keys.shape[1:]).tolist()) for row in values], which.reshape(-1)


def _check_listed(count: int) -> None:
    """Refuse too many outcomes of several values, each of which is a tuple in memory."""
    if count > MAX_TUPLES:
        raise TooManyOutcomesError(f"more than {MAX_TUPLES:,} different outcomes of several values")


class _OneDraw(Draws):
    """Answers a game's only draw with given words or answers, and keeps its range."""

    def __init__(self, values: np.ndarray, numbers: Callable[[np.ndarray], np.ndarray]) -> None:
        self.rounds = len(values)
        self._values = values
        self._numbers = numbers
        self.asked: list[int | None] = []

    def _number(self) -> np.ndarray:
        self._ask(None)
        return self._numbers(self._values)

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        if not isinstance(n, int):
            raise _SecondDraw
        self._ask(n)
        return self._values.astype(np.int64)

    def _ask(self, n: int | None) -> None:
        if self.asked:
            raise _SecondDraw
        self.asked.append(n)


class Answered(Draws):
    """Answers draws of some ranges with one value each, and passes those without one on."""

    def __init__(self, draws: Draws, answers: Sequence[int | None]) -> None:
        self.rounds = draws.rounds
        self._draws = draws
        self._answers = iter(answers)

    def _number(self) -> np.ndarray:
        next(self._answers)
        return self._draws._number()

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        answer = next(self._answers)
        return self._draws._below(n) if answer is None else np.full(self.rounds, answer)


class _SecondDraw(Exception):  # noqa: N818
    pass


class NotMonotoneError(ValueError):
    """The outcome doesn't rise or fall with one draw."""


def bisect_outcomes(
    outcome: Outcome,
    keys: Callable[[Any], np.ndarray],
    weights: Weights,
    most: int = MAX_STEPS,
    proved: bool = False,
) -> tuple[list[Any], list[int]]:
    """Return the values of an outcome that rises or falls with its only draw, and their weights.

    That it does is looked at in many words, unless it is proved.
    """
    probe = _OneDraw(np.zeros(1, dtype=np.uint64), weights.numbers)

    def run(values: np.ndarray) -> np.ndarray:
        return np.asarray(keys(outcome(_OneDraw(values, weights.numbers))))

    try:
        outcome(probe)
        if not probe.asked:
            raise NotMonotoneError("it makes no draw")
        n = probe.asked[0]
        firsts, values = _steps(run, (weights.words if n is None else n) - 1, most, proved)
    except _SecondDraw:
        raise NotMonotoneError("it makes more than one draw, or one whose range varies") from None
    below, total = (firsts, weights.words) if n is None else weights.below(n, firsts)
    return values, [end - begin for begin, end in zip(below, [*below[1:], total], strict=True)]


def _as_doubles(words: np.ndarray) -> np.ndarray:
    return words.astype(np.float64)


def only_range(outcome: Outcome) -> int | None:
    """Return the range of a game's only draw; None if it is a number, or if there are more draws."""
    probe = _OneDraw(np.zeros(1, dtype=np.uint64), _as_doubles)
    try:
        outcome(probe)
    except _SecondDraw:
        return None
    return probe.asked[0] if probe.asked else None


def outcomes_of_answers(
    outcome: Outcome,
    answers: np.ndarray,
    vectorized: bool,
    numbers: Callable[[np.ndarray], np.ndarray] = _as_doubles,
) -> np.ndarray | None:
    """Return the outcomes for some answers of a game's only draw, or for words of its number.

    None where some of them are followed by another draw.
    """
    pieces = [answers] if vectorized else np.split(answers, len(answers))
    try:
        return np.concatenate([outcome(_OneDraw(piece, numbers)) for piece in pieces])
    except _SecondDraw:
        return None


def _steps(
    run: Callable[[np.ndarray], np.ndarray], last: int, most: int, proved: bool
) -> tuple[list[int], list[Any]]:
    """Return where a monotone function of 0 ... last takes each of its values first, and the values."""
    ends = run(np.array([0, last], dtype=np.uint64))
    if ends.ndim != 1:
        raise NotMonotoneError(f"its outcomes have the shape {ends.shape[1:]}, and only single values rise")
    rises = bool(ends[0] <= ends[1])
    first, end = np.array([0], dtype=np.uint64), np.array([last], dtype=np.uint64)
    spans = _Spans(first, end, ends[:1], ends[1:])
    spans = spans.take(spans.at_low != spans.at_high)
    found_at, found, listed = [first], [ends[:1]], 1
    while True:
        if (beside := spans.beside).any():
            found_at.append(spans.high[beside])
            found.append(spans.at_high[beside])
            listed += len(found[-1])
            spans = spans.take(~beside)
        if not len(spans.low):
            break
        if listed + len(spans.low) > most:
            raise TooManyStatesError(f"more than {most:,} different outcomes")
        spans = spans.halved(run, rises)
    starts, values = np.concatenate(found_at), np.concatenate(found)
    order = np.argsort(starts)
    starts, values = starts[order], values[order]
    if not proved:
        _check_steps(run, starts, values, last)
    return starts.tolist(), values.tolist()


class _Spans(NamedTuple):
    """Ranges of words whose ends have different values, and these values."""

    low: np.ndarray
    high: np.ndarray
    at_low: np.ndarray
    at_high: np.ndarray

    @property
    def beside(self) -> np.ndarray:
        """Which of them are of two words."""
        found: np.ndarray = self.high - self.low == np.uint64(1)
        return found

    def take(self, rows: np.ndarray) -> _Spans:
        """Return some of them."""
        return _Spans(*(column[rows] for column in self))

    def halved(self, run: Callable[[np.ndarray], np.ndarray], rises: bool) -> _Spans:
        """Return the halves whose ends differ: one of each, then the others."""
        low, high, at_low, at_high = self
        middle = low + (high - low) // np.uint64(2)
        at_middle = run(middle)
        between = (at_low <= at_middle) & (at_middle <= at_high)
        if not rises:
            between = (at_low >= at_middle) & (at_middle >= at_high)
        if not between.all():
            raise NotMonotoneError("it both rises and falls")
        first = at_low != at_middle
        both = first & (at_middle != at_high)
        halves = _Spans(
            np.where(first, low, middle),
            np.where(first, middle, high),
            at_low,
            np.where(first, at_middle, at_high),
        )
        if both.any():
            others = middle[both], high[both], at_middle[both], at_high[both]
            halves = _Spans(*map(np.concatenate, zip(halves, others, strict=True)))
        return halves


def _check_steps(
    run: Callable[[np.ndarray], np.ndarray], starts: np.ndarray, values: np.ndarray, last: int
) -> None:
    """Refuse a function that isn't monotone after all: between equal ends bisection didn't look.

    Looked at are words from all over the range, one by chance in each part, and some in each step.
    """
    rng = np.random.default_rng(0)
    edges = np.array([last * part // _SAMPLES for part in range(_SAMPLES + 1)], dtype=np.uint64)
    anywhere = rng.integers(edges[:-1], edges[1:], endpoint=True, dtype=np.uint64)
    some = np.unique(np.linspace(0, len(starts) - 1, _SAMPLES).astype(np.int64))
    low = starts[some]
    high = np.append(starts[1:] - np.uint64(1), np.uint64(last))[some]
    asked = np.concatenate([anywhere, low + (high - low) // np.uint64(2), high])
    expected = values[np.searchsorted(starts, asked, side="right") - 1]
    if not np.array_equal(run(asked), expected):
        raise NotMonotoneError("it both rises and falls")
