"""Games on chains of hashes: whether a log's games are on the chain that was announced."""

from __future__ import annotations

from typing import Any

import numpy as np

from provably_fair.seeds import HashChain
from provably_fair.seeds.chains import GameNumbers

from ..foreign import cell

GAME_HASH, TERMINATING = "game_hash", "terminating"
"""Fields with the hash of a round's game, and with the hash before the first game's, published beforehand."""

_WIDTH = "S65"
_ELSEWHERE = b"the end of another chain"


class Chains:
    """The chains that a log's games are on, by their terminating hashes."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, GameNumbers] = {}
        self._games: dict[bytes, tuple[int, int, int]] = {}
        self.begin()

    def begin(self) -> None:
        """Begin with another batch of rows."""
        self.places = self.numbers = np.zeros(0, np.int64)
        """Of its rows that can be read: their positions in the log, and the numbers of their games."""

    def ends(self, hashes: Any, terminating: Any, places: np.ndarray) -> np.ndarray:
        """Return, for each row, the terminating hash that is published with it where its game leads there."""
        count = len(places)
        self.places, self.numbers = places, np.zeros(count, np.int64)
        found = np.full(count, _ELSEWHERE, "S128")
        texts, published = hash_texts(hashes, count), hash_texts(terminating, count)
        both = _are_hashes(texts) & _are_hashes(published)
        for end in np.unique(published[both]).tolist():
            here = np.flatnonzero(both & (published == end))
            if end not in self._numbers:
                self._numbers[end] = GameNumbers(HashChain(), end)
            numbers = self._numbers[end].of(texts[here])
            found[here[numbers > 0]] = end
            self.numbers[here] = numbers
            self._note(end, numbers[numbers > 0])
        return found

    def _note(self, end: bytes, numbers: np.ndarray) -> None:
        if numbers.size:
            count, least, most = self._games.get(end, (0, int(numbers[0]), 0))
            self._games[end] = (
                count + len(numbers),
                min(least, int(numbers.min())),
                max(most, int(numbers.max())),
            )

    def notes(self) -> list[str]:
        """Return what a report should say."""
        notes = [
            f"{count:,} rows are of games {least:,} to {most:,} of the chain to {end.decode()[:16]}..."
            for end, (count, least, most) in self._games.items()
        ]
        if not self._numbers:
            notes.append("no terminating hash was given: nothing shows that the games were fixed beforehand")
        if any(numbers.given_up for numbers in self._numbers.values()):
            notes.append("too many games lead nowhere to follow each: others were taken to lead nowhere, too")
        return notes


def hash_texts(column: Any, count: int) -> np.ndarray:
    """Return texts in lowercase: as many characters as a hash has, and one more."""
    if isinstance(column, (str, bytes)):
        column = np.broadcast_to(np.array(_encoded(column), _WIDTH), count)
    elif not isinstance(column, np.ndarray) or column.dtype.kind != "S":
        column = np.array([_encoded(cell(column, row)) for row in range(count)], _WIDTH)
    found: np.ndarray = np.char.lower(np.char.strip(column.astype(_WIDTH)))
    return found


def _encoded(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else text if isinstance(text, bytes) else b""


def _are_hashes(texts: np.ndarray) -> np.ndarray:
    """Tell which texts have as many characters as a hash, all of them hex digits."""
    wide = texts.astype(_WIDTH)
    digits = np.isin(wide.view(np.uint8).reshape(len(wide), wide.itemsize), list(b"0123456789abcdef"))
    found: np.ndarray = digits[:, :-1].all(axis=1) & ~digits[:, -1]
    return found
