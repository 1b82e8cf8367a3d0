"""The weights of the answers of a draw, for all laws of games in Python.

The ideal law and the law as drawn differ in nothing else: both are found by trying all answers of a draw
(`_enumeration`), or by bisecting the words of the one number that decides the outcome.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from provably_fair._engine import to_precision
from provably_fair.seeds.schemes import Scheme, engine_scheme, weights_below


class DrawnAgainError(ValueError):
    """A round draws until values differ, which has weights of its own."""


class SharedDigestError(ValueError):
    """Draws of a round are made of the same whole digest, so that they aren't independent."""


class Weighted(int):
    """The number of choices of a weighted draw, and where each begins among the sum of the weights."""

    begins: list[int]
    total: int

    def __new__(cls, weights: np.ndarray) -> Weighted:
        found = super().__new__(cls, len(weights))
        *begins, found.total = np.cumsum([0, *weights]).tolist()
        found.begins = begins
        return found


class Weights(ABC):
    """The weights of the answers of a draw, and of the words of a number."""

    @property
    @abstractmethod
    def words(self) -> int:
        """The number of equally likely words that a number is made from."""

    @abstractmethod
    def numbers(self, words: np.ndarray) -> np.ndarray:
        """Return the numbers of words, which never fall as words rise."""

    @abstractmethod
    def below(self, n: int, answers: Sequence[int]) -> tuple[list[int], int]:
        """Return the weight of the answers of ``below(n)`` smaller than each given one, and of all n."""

    def check(self, *, again: bool = False, drawn: int = 0) -> None:  # noqa: B027 (of uniform draws all do)
        """Refuse values drawn until they differ, or a draw after others, where weights don't tell its law."""

    def of(self, n: int) -> tuple[list[int], np.ndarray, int]:
        """Return the distinct weights of n answers, the index of each answer's weight, and the total."""
        begins, many = (n.begins, n.total) if isinstance(n, Weighted) else (range(n), n)
        below, total = self.below(many, begins)
        weights = [end - begin for begin, end in zip(below, [*below[1:], total], strict=True)]
        kinds = sorted(set(weights))
        places = {weight: place for place, weight in enumerate(kinds)}
        return kinds, np.array([places[weight] for weight in weights]), total


class Ideal(Weights):
    """Every answer weighs 1, and numbers are the doubles in [0, 1) that are 2**-53 apart."""

    words = 1 << 53

    def __init__(self, digits: int | None = None) -> None:
        self._digits = digits

    def numbers(self, words: np.ndarray) -> np.ndarray:
        numbers = words / float(self.words)
        return numbers if self._digits is None else to_precision(numbers, self._digits)

    def below(self, n: int, answers: Sequence[int]) -> tuple[list[int], int]:
        return list(answers), n

    def of(self, n: int) -> tuple[list[int], np.ndarray, int]:
        # Ranges of millions have one weight, which needs no lists.
        return super().of(n) if isinstance(n, Weighted) else ([1], np.zeros(n, dtype=np.int64), n)


class AsDrawn(Weights):
    """An answer weighs as many words as the scheme makes it of."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme

    def check(self, *, again: bool = False, drawn: int = 0) -> None:
        if again:
            raise DrawnAgainError
        if drawn and draws_whole_digests(self._scheme):
            raise SharedDigestError

    @property
    def words(self) -> int:
        bits = engine_scheme(self._scheme).number_bits
        assert bits is not None
        return 1 << bits

    def numbers(self, words: np.ndarray) -> np.ndarray:
        return engine_scheme(self._scheme).numbers_of(words)

    def below(self, n: int, answers: Sequence[int]) -> tuple[list[int], int]:
        return weights_below(self._scheme, n, answers)


def draws_whole_digests(scheme: Scheme) -> bool:
    """Return whether each draw is made of a whole digest, which others may share."""
    return scheme.below in ("digest", "double") and scheme.words != 1
