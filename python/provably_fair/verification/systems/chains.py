"""Hash chains: whether games are on the announced chain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from provably_fair._engine import GameNumbers, column_wholes
from provably_fair.seeds import HashChain
from provably_fair.seeds.schemes import engine_hash

GAME_HASH, TERMINATING, GAME_NUMBER = "game_hash", "terminating", "game_number"
"""Fields with the hash of a round's game, the terminating hash, which is published before the first game, and
the game's number, which is the number of steps from its hash to the terminating one."""

CHAIN_STEPS = 5_000_000
"""The default maximum number of steps from the hash of a game whose number isn't logged."""
MOST_STEPS = 2**53
_BUDGET, _BUDGET_OF_WALKS = 100_000_000, 5
"""The budget of steps for all rows of a log: the first number, which is the length of the longest chain, plus
the second number times the maximum for one row."""

_ELSEWHERE = b"the end of another chain"
_UNWALKED = -2


@dataclass(frozen=True)
class Seen:
    """Counts of the games of one chain."""

    rows: int = 0  # the number of rows whose hash leads to the chain's end
    least: int = 0  # the numbers of the first and the last of these games
    most: int = 0
    lost: int = 0  # the number of rows from which the end isn't reached in the allowed steps
    first_lost: int = 0  # the position of the first of these rows
    unwalked: int = 0  # the number of these rows that got fewer steps because the budget was used up
    unnumbered: int = 0  # the number of rows that lead to the end and don't say which game they are of
    first_unnumbered: int = 0  # the position of the first of these rows

    def with_later(self, later: Seen, rows_before: int = 0) -> Seen:
        """Return the counts with those of later rows."""
        return Seen(
            self.rows + later.rows,
            min((seen.least for seen in (self, later) if seen.rows), default=0),
            max(self.most, later.most),
            self.lost + later.lost,
            self.first_lost if self.lost or not later.lost else later.first_lost + rows_before,
            self.unwalked + later.unwalked,
            self.unnumbered + later.unnumbered,
            self.first_unnumbered
            if self.unnumbered or not later.unnumbered
            else later.first_unnumbered + rows_before,
        )


@dataclass(frozen=True)
class OnChains:
    """Positions of rows' games on their chains."""

    places: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))  # positions of rows in the log
    # The numbers of their games: 0 if a game isn't on the chain; if that isn't known, -1 after the maximum
    # number of steps for a row, and `_UNWALKED` after fewer
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    chains: Mapping[str, Seen] = field(default_factory=dict)  # the counts of each chain, by its end

    @classmethod
    def of(
        cls,
        places: np.ndarray,
        numbers: np.ndarray,
        which: np.ndarray,
        ends: list[str],
        numbered: np.ndarray,
    ) -> OnChains:
        """Return the positions of rows; `which` has the index into `ends` of each game's chain.

        `numbered` is a mask of the rows that say which game they are of.
        """
        order = np.argsort(which, kind="stable")
        cuts = np.searchsorted(which[order], np.arange(len(ends) + 1))
        chains: dict[str, Seen] = {}
        for number, end in enumerate(ends):
            rows = order[cuts[number] : cuts[number + 1]]
            games, lost = numbers[rows][numbers[rows] > 0], places[rows][numbers[rows] < 0]
            unnumbered = places[rows][(numbers[rows] > 0) & ~numbered[rows]]
            seen = Seen(
                len(games),
                *((int(games.min()), int(games.max())) if len(games) else (0, 0)),
                len(lost),
                int(lost[0]) if len(lost) else 0,
                int((numbers[rows] == _UNWALKED).sum()),
                len(unnumbered),
                int(unnumbered[0]) if len(unnumbered) else 0,
            )
            chains = merged(chains, {end: seen}) or {}
        return cls(places, numbers, chains)

    def beside(self, other: OnChains) -> OnChains:
        """Return the positions of these rows and of other rows of the same batch."""
        return OnChains(
            np.concatenate([self.places, other.places]),
            np.concatenate([self.numbers, other.numbers]),
            merged(self.chains, other.chains) or {},
        )


class Chains:
    """The chains that a log's games are on, by their terminating hashes."""

    def __init__(self, chain: HashChain, before: int = 0) -> None:
        self.chain: HashChain = chain
        self.before: int = before
        self._numbers: GameNumbers | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return Chains, (self.chain, self.before)  # the numbers are computed again when needed

    def ends(
        self, hashes: Any, terminating: Any, numbers: Any, good: np.ndarray, rows: Any
    ) -> tuple[np.ndarray, OnChains]:
        """Return each row's terminating hash, if its game leads to it, and the positions of the games."""
        found, which, ends = self.numbers(
            hashes, terminating, numbers, len(good), rows.chain_steps, rows.progress
        )
        places = rows.places + good if isinstance(rows.places, int) else rows.places[good]
        numbered = np.zeros(len(good), bool)
        if numbers is not None:
            numbered = column_wholes(GAME_NUMBER, numbers, len(good))[1]
        published: np.ndarray = np.array([*(end.encode() for end in ends), _ELSEWHERE], "S128")
        return published[np.where(found == 0, -1, which)], OnChains.of(places, found, which, ends, numbered)

    def numbers(
        self, hashes: Any, terminating: Any, said: Any, count: int, steps: int, progress: Any = None
    ) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """Return the number of each game, the index of its chain's end, and the ends."""
        if self._numbers is None:
            self._numbers = GameNumbers(engine_hash(self.chain.hash), steps, budget(steps))
        values, there = np.zeros(count, np.int64), np.zeros(count, bool)
        if said is not None:
            values, there = column_wholes(GAME_NUMBER, said, count)
        wanted = np.where(there, np.maximum(values - self.before, 1), 0)
        found, which, ends = self._numbers.of(hashes, terminating, wanted, count, progress=progress)
        found = np.where(there & (values <= self.before), 0, found)  # not a game of the chain
        return np.where(found > 0, found + self.before, found), which, ends


def budget(steps: int) -> int:
    """Return the budget of steps for all rows of a log, from the limit for one row."""
    return _BUDGET + _BUDGET_OF_WALKS * steps


def merged(
    first: Mapping[str, Seen] | None, later: Mapping[str, Seen] | None, rows_before: int = 0
) -> dict[str, Seen] | None:
    """Return the counts of chains with those of later rows; None without chains."""
    if later is None:
        return None if first is None else dict(first)
    found = dict(first or {})
    for end, seen in later.items():
        found[end] = found.get(end, Seen()).with_later(seen, rows_before)
    return found


def notes(chains: Mapping[str, Seen] | None, told: bool) -> list[str]:
    """Return notes on chains for the report; `told` is whether the log has terminating hashes."""
    if chains is None:
        return []
    found = [
        f"{seen.rows:,} rows are of games {seen.least:,} to {seen.most:,} of the chain to {end[:16]}..."
        for end, seen in chains.items()
        if seen.rows
    ]
    if not chains and not told:
        found.append("no terminating hash was given: nothing shows that the games were fixed beforehand")
    return found


def not_shown(chains: Mapping[str, Seen], limit: int) -> Iterable[str]:
    """Yield sentences on games that don't lead to the ends of their chains."""
    for end, seen in chains.items():
        if seen.lost:
            rows = "1 row isn't" if seen.lost == 1 else f"{seen.lost:,} rows aren't"
            text = (
                f"{rows} shown to be on the announced chain, the first is row {seen.first_lost}: the "
                f"terminating hash {end[:16]}... isn't reached within {limit:,} steps"
            )
            if seen.unwalked:
                were = "was" if seen.unwalked == 1 else "were"
                text += (
                    f" ({seen.unwalked:,} of them {were} followed for fewer: all rows together may take "
                    f"{budget(limit):,})"
                )
            yield f"{text}; chain_steps= allows more, and a column {GAME_NUMBER} says how many it takes"
        if 0 < seen.unnumbered < seen.rows:  # others say which game they are of
            rows = "1 row has" if seen.unnumbered == 1 else f"{seen.unnumbered:,} rows have"
            yield (
                f"{rows} no {GAME_NUMBER}, the first is row {seen.first_unnumbered}: on the chain to "
                f"{end[:16]}..., but not shown to be the game that was due"
            )
