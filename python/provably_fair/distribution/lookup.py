"""Exact lookup of values among the sorted outcomes of a law."""

from __future__ import annotations

import bisect
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.numbers import comparable, exactly
from provably_fair._engine import places_among

from .outcomes import are_numbers, number_array

# Up to here numpy compares integers with doubles exactly; beyond, compare one by one in Python.
_SAFE = 10**15
# Decimal outcomes are found in a table by their multiples of 1, 0.1, 0.01, ..., up to this size.
_DECIMALS = 8
_STEPS, _STEPS_EACH = 1 << 16, 4
# For fewer values, building the table wouldn't pay.
_WORTH = 1 << 10


class Lookup:
    """Lookup of values among the outcomes of a law."""

    def __init__(self, outcomes: np.ndarray) -> None:
        self.outcomes = outcomes
        self._numbers = outcomes.dtype != object or are_numbers(outcomes.tolist())

    @cached_property
    def by_value(self) -> dict[Any, int]:
        """The index of each outcome, by value."""
        return {outcome: place for place, outcome in enumerate(self.outcomes.tolist())}

    def place(self, value: object) -> int:
        """Return the index of a value, or -1 if it isn't an outcome."""
        index = self._place_of_object(value)
        return self._place_of_number(value) if index < 0 and self._numbers else index

    def nearest(self, number: Any) -> int:
        """Return the index of the outcome nearest to a number."""
        place = bisect.bisect_left(self.outcomes, number, key=exactly)
        around = [i for i in (place - 1, place) if 0 <= i < len(self.outcomes)]
        return min(around, key=lambda i: abs(exactly(self.outcomes[i]) - number))

    def places(self, x: Any) -> np.ndarray:
        """Return the index of each value in the shape of `x`, which it may be; -1 where there is none."""
        asked = number_array(x) if self._numbers else self._objects(x)
        plain = self._plain(asked)
        if plain is None:
            place = self._place_of_number if self._numbers else self._place_of_object
            indices = [place(value) for value in asked.ravel().tolist()]
            return np.array(indices, dtype=np.intp).reshape(asked.shape)
        exact = plain.dtype.kind == "f" or asked.dtype.kind != "f"  # otherwise 1.5 became 1
        if exact and self._are_places and plain.size and plain.view(np.uint64).max() < len(self.outcomes):
            return plain
        kind = np.float64 if plain.dtype.kind == "f" else np.int64
        steps = self._steps if plain.size >= _WORTH else None
        places = places_among(
            plain.astype(kind, copy=False).ravel(), self.outcomes.astype(kind, copy=False), steps
        )
        places = places.reshape(plain.shape)
        if not exact:
            places[plain != asked] = -1
        return places

    @cached_property
    def _are_places(self) -> bool:
        """Whether the outcomes are the whole numbers from 0 on, and so their own indices."""
        outcomes = self.outcomes
        return outcomes.dtype.kind == "i" and bool((outcomes == np.arange(len(outcomes))).all())

    @cached_property
    def _steps(self) -> tuple[int, int, np.ndarray] | None:
        """The number of steps in 1, the first outcome in steps, and the outcome index at each later step.

        If outcomes lie far apart, the table covers the first ones only; None if they aren't decimals.
        """
        outcomes = self.outcomes
        most = max(_STEPS, _STEPS_EACH * len(outcomes))
        for decimals in range(_DECIMALS + 1 if outcomes.dtype.kind == "f" else 1):
            each = 10**decimals
            near = outcomes[: np.searchsorted(outcomes, float(outcomes[0]) + most / each)]
            if max(map(abs, (float(near[0]), float(near[-1])))) * each > _SAFE:
                return None
            steps = np.rint(near * each).astype(np.int64)
            if (steps / each == near).all() and 2 * len(near) > len(outcomes):
                table = np.zeros(int(steps[-1] - steps[0]) + 1, np.int32)
                table[steps - steps[0]] = np.arange(len(near))
                return each, int(steps[0]), table
        return None

    def below(self, x: ArrayLike, name: str, *, or_equal: bool = True) -> np.ndarray:
        """Return the number of outcomes below each value, or with `or_equal` up to it."""
        side: Literal["left", "right"] = "right" if or_equal else "left"
        if not self._numbers:
            try:
                return np.asarray(np.searchsorted(self.outcomes, self._objects(x), side=side))
            except TypeError:
                raise BadType(name, f"must be comparable with the outcomes, got {x!r:.50}") from None
        asked = number_array(x, name)
        if asked.dtype.kind == "f" and np.isnan(asked).any():
            raise BadValue(name, "must be numbers, got nan")
        plain = self._plain(asked, up=not or_equal)
        if plain is not None:
            return np.asarray(np.searchsorted(self.outcomes, plain, side=side))
        find = bisect.bisect_right if or_equal else bisect.bisect_left
        numbers = []
        for value in asked.ravel().tolist():
            number = comparable(value)
            if number is None:
                raise BadType(name, f"must be numbers, as the outcomes are, got {x!r:.50}")
            numbers.append(find(self.outcomes, number, key=exactly))
        return np.array(numbers, dtype=np.intp).reshape(asked.shape)

    def _plain(self, asked: np.ndarray, up: bool = False) -> np.ndarray | None:
        """Return values in the outcomes' type, rounded for integers; None if that may lose precision.

        Rounding down preserves which integers are at most a value, rounding up which are below it.
        """
        kind = self.outcomes.dtype.kind
        if kind == "O" or asked.dtype.kind not in "biuf":
            return None
        if kind == "i" and asked.dtype.kind in "biu":
            if asked.dtype == np.uint64 and asked.size and int(asked.max()) >= 2**63:
                return None
            return asked.astype(np.int64, copy=False)
        if kind == "f" and asked.dtype.kind == "f":
            return asked
        if asked.size and not (np.abs(asked.astype(np.float64)) <= _SAFE).all():
            return None
        if kind == "f":
            return asked.astype(np.float64)
        return np.asarray((np.ceil(asked) if up else np.floor(asked)).astype(np.int64))

    def _objects(self, x: ArrayLike) -> np.ndarray:
        """Return values as an object array, in which a tuple is one value if the outcomes are tuples."""
        if not isinstance(self.outcomes[0], tuple) or not isinstance(x, (tuple, list)):
            return np.asarray(x, dtype=object)
        array = np.empty(len(x) if isinstance(x, list) else (), dtype=object)
        if isinstance(x, tuple):
            array[()] = x
        else:
            for place, value in enumerate(x):
                array[place] = value
        return array

    def _place_of_object(self, value: object) -> int:
        try:
            return self.by_value.get(value, -1)
        except TypeError:  # unhashable
            return -1

    def _place_of_number(self, value: object) -> int:
        number = comparable(value)
        if number is None:
            return -1
        place = bisect.bisect_left(self.outcomes, number, key=exactly)
        return place if place < len(self.outcomes) and exactly(self.outcomes[place]) == number else -1
