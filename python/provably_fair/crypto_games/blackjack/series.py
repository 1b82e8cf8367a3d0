"""Series of rounds, played by a strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.progress import Report
from provably_fair._core.types import Text
from provably_fair.seeds.series import seed_text

from ..deal import rounds_made, series_of
from .analysis import BlackjackAnalysis, policy_of
from .decisions import Decision, decision_of
from .rules import Rules, engine_of
from .settling import Player
from .tally import BlackjackTally, tally_of

# Rounds that a function plays between two reports.
_AT_A_TIME = 256


@dataclass(frozen=True)
class Series:
    """A number of rounds in a row: of hashed shoes, or, without seeds, of random ones."""

    rules: Rules
    name: str
    start: int
    rounds: int
    seeds: tuple[Text | None, Text | None]

    @classmethod
    def of(
        cls,
        rules: Rules,
        rounds: int,
        seed: int | str,
        start: int,
        shoes: str,
        server_seed: Text | None,
        client_seed: Text | None,
    ) -> Series:
        """Check the arguments of a simulation."""
        if shoes not in ("hashed", "random"):
            raise ValueError(f'shoes must be "hashed" or "random", got {shoes!r}')
        given = (server_seed, client_seed)
        *seeds, (start, rounds) = series_of(rounds, seed, start, *given)
        if shoes == "hashed":
            engine_of(rules).check_hashed()
            return cls(rules, seed_text(seed), start, rounds, (seeds[0], seeds[1]))
        if given != (None, None):
            raise ValueError("server_seed and client_seed must be left out: random shoes have no seeds")
        return cls(rules, seed_text(seed), start, rounds, (None, None))

    def nets(
        self, player: BlackjackAnalysis | Player, threads: int | None, report: Report | None
    ) -> np.ndarray:
        """Return what each round wins, in bets."""
        if isinstance(player, BlackjackAnalysis):
            return engine_of(self.rules).nets(
                policy_of(player),
                *self.seeds,
                self.name,
                series=(self.start, self.rounds),
                threads=threads,
                progress=report,
            )
        nets = np.empty(self.rounds)
        for first, played in self._pieces(player, report):
            nets[first : first + len(played)] = played
        return nets

    def log_columns(self, player: BlackjackAnalysis | Player, report: Report | None) -> dict[str, Any]:
        """Return the columns that a log has of the rounds: seeds, what the player does, what it wins."""
        done: list[str] = []

        def act(decision: Decision) -> str:
            done.append(player(decision))
            return done[-1]

        nets, actions = np.empty(self.rounds), []
        for place, net in self._pieces(act, report, 1):
            nets[place] = net[0]
            actions.append(" ".join(done))
            done.clear()
        hashed = self.seeds != (None, None)
        made = rounds_made(*self.seeds, (self.start, self.rounds)) if hashed else {}
        return made | {"actions": actions, "outcome": nets}

    def tally(
        self, player: BlackjackAnalysis | Player, threads: int | None, report: Report | None
    ) -> BlackjackTally:
        """Count what the rounds win."""
        engine = engine_of(self.rules)
        if isinstance(player, BlackjackAnalysis):
            counted = engine.tally(
                policy_of(player),
                *self.seeds,
                self.name,
                series=(self.start, self.rounds),
                threads=threads,
                progress=report,
            )
            counts = Counter(dict(zip(counted.nets, counted.counts, strict=True)))
            exhausted = counted.exhausted
        else:
            counts, exhausted = Counter(), 0
            for _, played in self._pieces(player, report):
                dealt = played[~np.isnan(played)]
                # Whole numbers of units, which the bets were divided into.
                counts.update(np.rint(dealt * engine.bet).astype(np.int64).tolist())
                exhausted += len(played) - len(dealt)
        nets = {Fraction(units, engine.bet): count for units, count in counts.items()}
        return tally_of(nets, self.rounds, exhausted)

    def _pieces(
        self, player: Player, report: Report | None, size: int = _AT_A_TIME
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Play by a function, a piece at a time; return the place of each piece and what it wins."""
        engine = engine_of(self.rules)
        for first in range(0, self.rounds, size):
            count = min(size, self.rounds - first)
            played = engine.nets_by(
                lambda seen: player(decision_of(seen)),
                *self.seeds,
                self.name,
                series=(self.start + first, count),
            )
            yield first, np.array(played)
            if report is not None:
                report(first + count)
