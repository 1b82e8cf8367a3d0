"""Draws answered by the engine: for many rounds at once, and for one round that is recorded."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import BadValue, integer
from provably_fair._engine import Streams

from .draws import MAX_DRAWS_ASKED, MAX_SHUFFLE, Draws

if TYPE_CHECKING:
    from provably_fair.walkthrough.steps import Step

_LARGEST_TABLE = 64
"""The most elements of a shuffle shown with what is left at each step, which grows quadratically."""


class StreamDraws(Draws):
    """The draws of many rounds under a scheme, in lanes."""

    def __init__(self, streams: Streams, most: int = MAX_DRAWS_ASKED, into: np.ndarray | None = None) -> None:
        """`into` is where the outcomes will be: what is drawn there needs no copy."""
        self.rounds = len(streams)
        self._most = most
        self._into = into
        self._streams = streams
        self._labeled: dict[str | None, Streams] = {}

    def _number(self) -> np.ndarray:
        return self._streams.numbers()

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        return self._streams.below(n)

    def _skip(self, count: int) -> None:
        self._streams.skip(count)

    def _label(self, name: str) -> None:
        if not self._streams.has_label:
            return
        self._labeled.setdefault(self._streams.label, self._streams)
        if name not in self._labeled:
            self._labeled[name] = self._streams.labeled(name)
        self._streams = self._labeled[name]

    def _take(self, n: int, k: int, skipped: int) -> np.ndarray:
        taken = self._streams.sample(n, k)
        if skipped:
            self._streams.skip(skipped)
        return taken

    def _distinct(self, n: int, k: int) -> np.ndarray:
        # Only the first time: the game may still use what it drew before.
        into, self._into = self._into, None
        fits = into is not None and into.shape == (self.rounds, k) and into.dtype == np.int64
        return self._streams.distinct(n, k, into if fits else None)

    def _swap(self, n: int) -> np.ndarray:
        return self._streams.swaps(n)


class RecordedDraws(StreamDraws):
    """The draws of one round, kept as the steps of its walk-through."""

    def __init__(self, streams: Streams, step_of: Any, to_its_end: bool) -> None:
        """`step_of` makes a step from a word; shuffles are recorded to the end, or as far as taken."""
        super().__init__(streams)
        self.steps: list[Step] = []
        self._step_of = step_of
        self._to_its_end = to_its_end
        self._drawn = 0
        self._passed: tuple[int, ...] = ()

    def _number(self) -> np.ndarray:
        number = super()._number()
        self._record(None, float(number[0]))
        return number

    def note(self, name: str, value: object) -> None:
        from provably_fair.walkthrough import Note

        array = np.asarray(value)
        one = array[0] if array.ndim and len(array) == 1 else array
        is_number = one.ndim == 0 and one.dtype.kind in "biuf" and np.isfinite(one)
        shown = float(one) if is_number else str(one.tolist())
        self.steps.append(Note(str(name), shown))

    def part(self, name: str, index: int, draws: str = "draw") -> None:
        from provably_fair.walkthrough import Part

        self.steps.append(Part(str(name), integer("index", index, 0, place="draws.part: "), str(draws)))

    def shuffle(self, n: int, k: int | None = None) -> np.ndarray:
        from provably_fair.walkthrough import Pick, Shuffle
        from provably_fair.walkthrough.steps import Skip, numbers_of

        if integer("n", n, 1, MAX_SHUFFLE, place="draws.shuffle: ") > _LARGEST_TABLE:
            return super().shuffle(n, k)
        earlier, self.steps = self.steps, []
        permutation = super().shuffle(n, None if self._to_its_end else k)
        steps, self.steps = self.steps, earlier
        order: list[int] = permutation[0].tolist()
        left, picks = set(range(n)), []
        for element, draw in zip(order, numbers_of(steps), strict=False):
            picks.append(Pick(tuple(sorted(left)), draw))
            left.remove(element)
        taken = n if k is None else k
        # The last element needs no number.
        self.steps.append(Shuffle(n, taken, tuple(picks), tuple(order[: max(taken, n - 1)])))
        self.steps += [step for step in steps if isinstance(step, Skip)]
        return permutation[:, :taken]

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        answer = super()._below(n)
        self._record(int(np.max(n)), int(answer[0]))
        return answer

    def _skip(self, count: int) -> None:
        from provably_fair.walkthrough import Skip

        if count:
            self.steps.append(Skip(self._drawn, count))
            super()._skip(count)
            self._drawn += count

    def _distinct(self, n: int, k: int) -> np.ndarray:
        taken: list[int] = []
        while len(taken) < k:
            try:
                value = int(self._below(n)[0])
            except BadValue as error:
                if error.__cause__ is not None:
                    raise  # another error than a digest that is used up
                break
            if value in taken:
                self._pass_over(value)
            else:
                self._add_passed()
                taken.append(value)
        return np.array([[*taken, *([-1] * (k - len(taken)))]], dtype=np.int64)

    def _pass_over(self, value: int) -> None:
        """Count the last draw, a repeated value, among the words that were passed over."""
        from provably_fair.walkthrough.steps import WordDraw

        step = self.steps[-1]
        if isinstance(step, WordDraw):
            self._passed += (*step.passed, step.word)
            self.steps.pop()
            self._drawn -= 1
        else:
            self.note("passed over, as it came before", value)

    def _add_passed(self) -> None:
        """Add the words passed over to the draw that follows them."""
        if self._passed:
            step: Any = self.steps[-1]
            self.steps[-1] = dataclasses.replace(step, passed=(*self._passed, *step.passed))
            self._passed = ()

    # Draw by draw, so that each is recorded.
    _take = Draws._take
    _swap = Draws._swap

    def _record(self, n: int | None, answer: int | float) -> None:
        self.steps.append(self._step_of(self._drawn, self._streams, n, answer))
        self._drawn += 1
