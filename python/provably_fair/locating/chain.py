"""The games below a hash, with their outcomes as symbols; walked only as far as the search needs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair._core.progress import Report
from provably_fair.games import Game

_PIECE = 1 << 16
"""The number of games whose hashes are in memory at once."""
_IMPOSSIBLE = 1e-30
"""The largest probability of an outcome that no chain shows, such as an odd one of a rounded digest."""


class Symbols:
    """The outcomes of a record, encoded as symbols with their exact probabilities in a game."""

    def __init__(self, game: Game, outcomes: np.ndarray) -> None:
        known = ~np.isnan(outcomes)
        # Outcomes of a record in 32-bit floats are those that round to them.
        values, which, counts = np.unique(outcomes[known], return_inverse=True, return_counts=True)
        self.values: np.ndarray = values
        self.counts: np.ndarray = counts
        probabilities = _probabilities(game, self.values)
        self.possible: np.ndarray = probabilities > _IMPOSSIBLE
        self.rows: np.ndarray = np.full(len(outcomes), -1, np.int32)
        self.rows[known] = np.where(self.possible[which], which, -1)
        # An impossible outcome says nothing about the place.
        self.probabilities: np.ndarray = np.where(self.possible, probabilities, 1.0)
        self.ratios: np.ndarray = 1.0 / self.probabilities

    def of(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the symbols of a chain's outcomes, -1 for outcomes that aren't in the record."""
        outcomes = outcomes.astype(self.values.dtype)
        places = np.searchsorted(self.values, outcomes).clip(max=len(self.values) - 1)
        found = np.where(self.values[places] == outcomes, places, -1)
        return found.astype(np.int32)


def _probabilities(game: Game, values: np.ndarray) -> np.ndarray:
    """Return the exact probabilities of sorted outcomes as they are drawn, each rounded once."""

    def ranges(outcomes: np.ndarray) -> np.ndarray:
        # Odd numbers stand for the values, even ones for the gaps between them.
        outcomes = outcomes.astype(values.dtype)
        below = np.searchsorted(values, outcomes, "left")
        return below + np.searchsorted(values, outcomes, "right")

    try:
        law = game.distribution("as_drawn", of=ranges)
    except ValueError as error:
        problem = f"must have a distribution as drawn, by which a place is significant: {error}"
        raise BadValue("game", f"{problem:.400}") from error
    found = np.zeros(2 * len(values) + 1)
    found[law.outcomes.astype(np.int64)] = [weight / law.total for weight in law.weights]
    return found[1::2]


class ChainWalk:
    """The games from an anchor down, `games` of them at most."""

    def __init__(self, game: Game, anchor: str, symbols: Symbols, games: int, threads: int | None) -> None:
        self._game, self._of, self._threads = game, symbols, threads
        self._chain = game.kind.chain
        self._starts = [anchor]
        self._symbols = np.empty(min(games, _PIECE), np.int32)
        self.games: int = games
        self.walked: int = 0
        self._piece = lru_cache(2)(self._read_piece)

    @property
    def symbols(self) -> np.ndarray:
        """The symbols of the games walked so far, the anchor's first."""
        return self._symbols[: self.walked]

    def reach(self, games: int, report: Report | None) -> None:
        """Walk on to this number of games, or to the last one."""
        while self.walked < min(games, self.games):
            _, outcomes = self._read_piece(self.walked // _PIECE)
            if self.walked + len(outcomes) > len(self._symbols):
                more = np.empty(min(self.games, 2 * len(self._symbols)), np.int32)
                more[: self.walked] = self.symbols
                self._symbols = more
            self._symbols[self.walked : self.walked + len(outcomes)] = self._of.of(outcomes)
            self.walked += len(outcomes)
            if report is not None:
                report(self.walked)

    def at(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the hashes and outcomes of games that have been walked."""
        hashes, outcomes = np.empty(len(places), "S128"), np.empty(len(places))
        for piece in np.unique(places // _PIECE).tolist():
            here = places // _PIECE == piece
            found = self._piece(piece)
            hashes[here], outcomes[here] = (one[places[here] % _PIECE] for one in found)
        return hashes, outcomes

    def _read_piece(self, piece: int) -> tuple[np.ndarray, np.ndarray]:
        count = min(_PIECE, self.games - piece * _PIECE)
        before = self._chain.previous(self._starts[piece], count)
        hashes = np.concatenate([np.array([self._starts[piece]], before.dtype), before[:-1]])
        if piece + 1 == len(self._starts):
            self._starts.append(before[-1].decode())
        outcomes = np.asarray(self._game.play(game_hash=hashes, threads=self._threads), np.float64)
        if outcomes.ndim != 1:
            raise BadValue("game", f"must have one number per outcome, got {self._game!r:.80}")
        return hashes, outcomes
