"""Rounds of constructed digests, next to where a rule's outcome changes.

Rules that differ in one round of 10**8 can't be told apart by hashes, since nobody finds the seeds of such a
round. But the rule from digests to outcomes can be tested on any digests: zeros, ones, and the words on both
sides of a change of outcome, which bisection finds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from provably_fair.games import Game
from provably_fair.seeds import Hash, Scheme

from .search import played

_BASES = 24
"""Number of random rounds near which changes of outcome are sought."""
_MOST_WORDS = 64


class Constructed:
    """Rounds of a game from given digests instead of hashes."""

    def __init__(self, game: Game, digests: Sequence[bytes]) -> None:
        self.scheme: Scheme = game.scheme
        self.count: int = len(digests)
        self.size: int = 2 * len(digests[0])
        self.own: Any = self.game(game)  # the game itself; None if it can't start from digests

    @property
    def _width(self) -> int:
        assert isinstance(self.scheme.bits, int)
        return self.scheme.bits // 4

    @property
    def _of_each(self) -> int:
        return self.scheme.words or self.size // self._width

    def game(self, game: Game) -> Game | None:
        """Return a game that starts from digests; None if its own differ, or several are cut otherwise."""
        own, scheme = self.scheme, game.scheme
        if scheme.function is not None or scheme.bits == "range" or scheme.hash.name == "none":
            return None
        if (scheme.hash, scheme.first_cursor, scheme.words) != (own.hash, own.first_cursor, own.words):
            return None
        # With several digests their words are concatenated, so none may be rejected: that would shift the
        # rest.
        rejects = scheme.below not in ("scale", "modulo", "multiply")
        if self.count > 1 and (rejects or scheme.bits != own.bits or self._of_each * self._width % 2):
            return None
        begun: Game = game.with_scheme(
            Scheme(Hash("none", "{digest:bytes}"), bits=scheme.bits, below=scheme.below, digits=scheme.digits)
        )
        return begun

    def joined(self, digests: Sequence[str]) -> str:
        """Return the input of a game from a round's digests: the words of all of them, concatenated."""
        if self.count == 1:
            return digests[0]
        return "".join(one[: self._of_each * self._width] for one in digests)

    def played(self, game: Game, rounds: Sequence[Sequence[str]]) -> tuple[np.ndarray, np.ndarray]:
        """Return the outcomes of rounds of digests, and which rounds could be played."""
        return played(game, {"digest": [self.joined(one) for one in rounds]}, len(rounds))

    def _digests(self, words: Sequence[int], rest: str) -> tuple[str, ...]:
        """Return digests that begin with these words; `rest` has all digits, and fills up the others."""
        digests = []
        for place in range(self.count):
            some = words[place * self._of_each : (place + 1) * self._of_each]
            begin = "".join(f"{word:0{self._width}x}" for word in some)
            digests.append(begin + rest[place * self.size + len(begin) : (place + 1) * self.size])
        return tuple(digests)

    def rounds(self, ranges: Sequence[int]) -> Iterator[tuple[str, ...]]:
        """Yield rounds of digests for the ranges of a game's first draws, the most important rounds first."""
        most, size = (1 << 4 * self._width) - 1, self.count * self.size
        words = self.count * self._of_each
        yield self._digests([0] * words, "0" * size)
        yield self._digests([most] * words, "f" * size)
        longer = []
        for base in range(_BASES):
            rest = _digits(f"base {base}", size)
            drawn = [int(_digits(f"{base} {place}", self._width), 16) for place in range(words)]
            other = [int(_digits(f"{base} {place} too", self._width), 16) for place in range(words)]
            # First next to both ends of the range, then anywhere.
            low, high, from_low = (
                ([0] * words, drawn, True),
                (drawn, [most] * words, False),
                (list(map(min, drawn, other)), list(map(max, drawn, other)), True),
            )[min(base, 2)]
            below, above = self._edges(drawn, low, high, from_low, rest)
            yield self._digests(above, "0" * size)
            yield self._digests(below, "f" * size)
            longer.append(self._digests([below[0], *[most] * (words - 1)], "f" * size))
            longer.append(self._digests([above[0], *[0] * (words - 1)], "0" * size))
        # Longer digests that begin with the same word, continued with the largest words or zeros.
        yield from longer
        for n in dict.fromkeys(ranges):
            limit = (most + 1) // n * n
            for word in (limit - 1, limit, limit + 1, limit - n, most):
                if 0 <= word <= most:
                    rest = _digits(f"limit {n} {word}", size)
                    yield self._digests([word] * (1 if self.count == 1 else words), rest)

    def _edges(
        self, drawn: list[int], low: list[int], high: list[int], from_low: bool, rest: str
    ) -> tuple[list[int], list[int]]:
        """Return the words just below and just above a change of outcome, or the ends without one."""
        low, high = list(low), list(high)

        def outcomes(places: Sequence[int], words: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
            rows = []
            for place in places:
                row = list(drawn)
                row[place] = words[place]
                rows.append(self._digests(row, rest))
            found, right = self.played(self.own, rows)
            return found.reshape(len(rows), -1), right

        places = list(range(min(len(drawn), _MOST_WORDS)))
        (least, right), (largest, other) = outcomes(places, low), outcomes(places, high)
        apart = (least != largest).any(axis=1) & right & other
        end = least if from_low else largest
        places = [place for place in places if apart[place]]
        seen = set(places)
        while places:
            middle = [(a + b) // 2 for a, b in zip(low, high, strict=True)]
            results, right = outcomes(places, middle)
            same = right & (results == end[places]).all(axis=1)
            for place, alike in zip(places, same.tolist(), strict=True):
                (low if alike == from_low else high)[place] = middle[place]
            places = [place for place in places if high[place] - low[place] > 1]
        below = [low[place] if place in seen else word for place, word in enumerate(drawn)]
        above = [high[place] if place in seen else word for place, word in enumerate(drawn)]
        return below, above


def _digits(what: str, count: int) -> str:
    digits = ""
    while len(digits) < count:
        digits += hashlib.sha256(f"{what} {len(digits)}".encode()).hexdigest()
    return digits[:count]
