"""Rounds of digests that are made by hand, where a rule's outcome is about to change.

Rules that differ in one round of 10**8 can't be told apart by hashes, since nobody finds seeds of such a
round. But the rule from digests to outcomes can be tested with any digests: zeros, ones, and words one below
and one above the place where the outcome changes, which bisection finds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np

from provably_fair.games import Game
from provably_fair.seeds import Hash, Scheme

__all__ = ["Constructed"]

_BASES = 24
"""Random rounds in which the places where an outcome changes are looked for."""
_MOST_WORDS = 64


class Constructed:
    """The rounds of a game whose digests are given instead of hashed."""

    def __init__(self, game: Game, digests: Sequence[bytes]) -> None:
        self.scheme: Scheme = game.scheme
        self.count: int = len(digests)
        self.size: int = 2 * len(digests[0])

    @property
    def _width(self) -> int:
        assert isinstance(self.scheme.bits, int)
        return self.scheme.bits // 4

    @property
    def _of_each(self) -> int:
        return self.scheme.words or self.size // self._width

    def game(self, game: Game) -> Game | None:
        """Return a game that begins at digests; None if its own are others, or several are cut otherwise."""
        own, scheme = self.scheme, game.scheme
        if scheme.function is not None or scheme.bits == "range" or scheme.hash.name == "none":
            return None
        if (scheme.hash, scheme.first_cursor, scheme.words) != (own.hash, own.first_cursor, own.words):
            return None
        # Of several digests the words are joined: none may be rejected, since another digest would be read.
        if self.count > 1 and (
            scheme.bits != own.bits or scheme.below not in ("scale", "modulo", "multiply")
        ):
            return None
        if self.count > 1 and (self._of_each * self._width) % 2:
            return None
        begun: Game = game.with_scheme(
            Scheme(Hash("none", "{digest:bytes}"), bits=scheme.bits, below=scheme.below, digits=scheme.digits)
        )
        return begun

    def joined(self, digests: Sequence[str]) -> str:
        """Return what a game reads of a round's digests."""
        return (
            "".join(one[: self._of_each * self._width] for one in digests) if self.count > 1 else digests[0]
        )

    def played(self, game: Game, rounds: Sequence[Sequence[str]]) -> tuple[np.ndarray, np.ndarray]:
        """Return outcomes of rounds of digests, (N, size of an outcome), and which of them can be played."""
        streams = [self.joined(one) for one in rounds]
        try:
            with np.errstate(all="ignore"):
                found = np.asarray(game.play(streams)).reshape(len(streams), -1)
        except Exception:  # a digest is used up, or whatever a rule that is read otherwise runs into
            if len(streams) == 1:
                return np.zeros((1, 1)), np.zeros(1, bool)
            each = [self.played(game, [one]) for one in rounds]
            shown = next((values for values, right in each if right[0]), np.zeros((1, 1)))
            found = np.concatenate([values if right[0] else shown for values, right in each])
            return found, np.concatenate([right for _, right in each])
        return found, np.ones(len(streams), bool)

    def _digests(self, words: Sequence[int], rest: str) -> tuple[str, ...]:
        """Return digests of words; digits that aren't words are those of `rest`, which is as long as all."""
        found = []
        for place in range(self.count):
            some = words[place * self._of_each : (place + 1) * self._of_each]
            begin = "".join(f"{word:0{self._width}x}" for word in some)
            found.append(begin + rest[place * self.size + len(begin) : (place + 1) * self.size])
        return tuple(found)

    def rounds(self, game: Game, ranges: Sequence[int]) -> Iterator[tuple[str, ...]]:
        """Give rounds of digests for a game whose first draws have these ranges; the first matter most."""
        seat = self.game(game)
        if seat is None:
            return
        most, size = (1 << 4 * self._width) - 1, self.count * self.size
        words = self.count * self._of_each
        yield self._digests([0] * words, "0" * size)
        yield self._digests([most] * words, "f" * size)
        longer = []
        for base in range(_BASES):
            rest = _digits(f"base {base}", size)
            drawn = [int(_digits(f"{base} {place}", self._width), 16) for place in range(words)]
            other = [int(_digits(f"{base} {place} too", self._width), 16) for place in range(words)]
            # Nearest to the ends of what may be drawn; then anywhere.
            low, high, from_low = (
                ([0] * words, drawn, True),
                (drawn, [most] * words, False),
                (list(map(min, drawn, other)), list(map(max, drawn, other)), True),
            )[min(base, 2)]
            below, above = self._edges(seat, drawn, low, high, from_low, rest)
            yield self._digests(above, "0" * size)
            yield self._digests(below, "f" * size)
            longer.append(self._digests([below[0], *[most] * (words - 1)], "f" * size))
            longer.append(self._digests([above[0], *[0] * (words - 1)], "0" * size))
        # Words that the largest ones follow, or zeros: they are part of longer ones.
        yield from longer
        for n in dict.fromkeys(ranges):
            limit = (most + 1) // n * n
            for word in (limit - 1, limit, limit + 1, limit - n, most):
                if 0 <= word <= most:
                    rest = _digits(f"limit {n} {word}", size)
                    yield (
                        self._digests([word], rest)
                        if self.count == 1
                        else self._digests([word] * words, rest)
                    )

    def _edges(
        self, seat: Game, drawn: list[int], low: list[int], high: list[int], from_low: bool, rest: str
    ) -> tuple[list[int], list[int]]:
        """Return words of which the next ones change the outcome, and these, where there are such."""
        low, high = list(low), list(high)

        def outcomes(places: Sequence[int], words: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
            rows = []
            for place in places:
                row = list(drawn)
                row[place] = words[place]
                rows.append(self._digests(row, rest))
            return self.played(seat, rows)

        places = list(range(min(len(drawn), _MOST_WORDS)))
        (least, right), (largest, other) = outcomes(places, low), outcomes(places, high)
        apart = (least != largest).any(axis=1) & right & other
        end = least if from_low else largest
        places = [place for place in places if apart[place]]
        found = set(places)
        while places:
            middle = [(a + b) // 2 for a, b in zip(low, high, strict=True)]
            made, right = outcomes(places, middle)
            same = right & (made == end[places]).all(axis=1)
            for place, alike in zip(places, same.tolist(), strict=True):
                (low if alike == from_low else high)[place] = middle[place]
            places = [place for place in places if high[place] - low[place] > 1]
        below = [low[place] if place in found else word for place, word in enumerate(drawn)]
        above = [high[place] if place in found else word for place, word in enumerate(drawn)]
        return below, above


def _digits(what: str, count: int) -> str:
    digits = ""
    while len(digits) < count:
        digits += hashlib.sha256(f"{what} {len(digits)}".encode()).hexdigest()
    return digits[:count]
