"""Series of rounds, played by a strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, choice
from provably_fair._core.progress import Report
from provably_fair._core.types import Text
from provably_fair.seeds.schemes import Scheme
from provably_fair.seeds.series import seed_text

from ..deal import series_of
from .analysis import BlackjackAnalysis, policy_of
from .decisions import Decision, decision_of
from .rules import Rules, engine_of
from .schemes import columns_of, dealt
from .settling import Player
from .tally import BlackjackTally, tally_of

# Rounds that a function, or a policy of the engine, plays between two reports.
_AT_A_TIME, _POLICY_AT_A_TIME = 256, 1 << 14

MAX_CARDS = 64
"""The most cards that are dealt for a round: a hash has no more."""


@dataclass(frozen=True)
class Series:
    """A number of rounds in a row: of hashed shoes, or, without seeds, of random ones."""

    rules: Rules
    name: str
    start: int
    rounds: int
    seeds: tuple[Text | None, Text | None]
    scheme: Scheme | None = None

    @classmethod
    def of(
        cls,
        rules: Rules,
        scheme: Scheme | None,
        rounds: int,
        shoes: str,
        seed: int | str = 0,
        start: int = 0,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
    ) -> Series:
        """Check the arguments of a simulation."""
        choice("shoes", shoes, ("hashed", "random"))
        given = (server_seed, client_seed)
        *seeds, (start, rounds) = series_of(rounds, seed, start, *given)
        if shoes == "hashed":
            if scheme is None:
                engine_of(rules).check_hashed()
            return cls(rules, seed_text(seed), start, rounds, (seeds[0], seeds[1]), scheme)
        if given != (None, None):
            raise BadValue("server_seed", "and client_seed aren't supported with random shoes")
        return cls(rules, seed_text(seed), start, rounds, (None, None))

    def nets(
        self, player: BlackjackAnalysis | Player, threads: int | None, report: Report | None
    ) -> np.ndarray:
        """Return what each round wins, in bets."""
        if isinstance(player, BlackjackAnalysis) and self.scheme is None:
            series = self._asked((self.start, self.rounds))
            return engine_of(self.rules).nets(policy_of(player), series, threads=threads, progress=report)
        nets = np.empty(self.rounds)
        for first, played in self._pieces(player, report, threads=threads):
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
        made = columns_of(self.scheme, self.seeds, (self.start, self.rounds)) if hashed else {}
        return made | {"actions": actions, "outcome": nets}

    def tally(
        self, player: BlackjackAnalysis | Player, threads: int | None, report: Report | None
    ) -> BlackjackTally:
        """Count what the rounds win."""
        engine = engine_of(self.rules)
        if isinstance(player, BlackjackAnalysis) and self.scheme is None:
            series = self._asked((self.start, self.rounds))
            counted = engine.tally(policy_of(player), series, threads=threads, progress=report)
            counts = Counter(dict(zip(counted.nets, counted.counts, strict=True)))
            exhausted = counted.exhausted
        else:
            counts, exhausted = Counter(), 0
            for _, played in self._pieces(player, report, threads=threads):
                known = played[~np.isnan(played)]
                # Whole numbers of units, which the bets were divided into.
                counts.update(np.rint(known * engine.units).astype(np.int64).tolist())
                exhausted += len(played) - len(known)
        nets = {Fraction(units, engine.units): count for units, count in counts.items()}
        return tally_of(nets, self.rounds, exhausted)

    def _pieces(
        self,
        player: BlackjackAnalysis | Player,
        report: Report | None,
        size: int | None = None,
        *,
        threads: int | None = 1,
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Play a piece at a time; return the place of each piece and what it wins."""
        engine = engine_of(self.rules)
        # Not the length of a log's row, but a policy of the engine plays many at once.
        policy = policy_of(player) if isinstance(player, BlackjackAnalysis) and size is None else None
        step = size or (_AT_A_TIME if policy is None else _POLICY_AT_A_TIME)
        for first in range(0, self.rounds, step):
            part = (self.start + first, min(step, self.rounds - first))
            series = self._asked(part, self._cards(part, threads))
            if policy is not None:
                played = engine.nets(policy, series, threads=threads)
            else:
                played = np.array(engine.nets_by(lambda seen: player(decision_of(seen)), series))
            yield first, played
            if report is not None:
                report(first + part[1])

    def _asked(self, part: tuple[int, int], cards: np.ndarray | None = None) -> tuple[Any, ...]:
        """Return what the engine is asked to play: some rounds, with cards where a scheme deals them."""
        return (*self.seeds, self.name, part, cards)

    def _cards(self, part: tuple[int, int], threads: int | None) -> np.ndarray | None:
        """Deal the cards of a piece, where a scheme does."""
        if self.scheme is None:
            return None
        made = columns_of(self.scheme, self.seeds, part)
        cards = dealt(self.scheme, self.rules.decks, MAX_CARDS, **made, threads=threads)
        return (cards % 52).astype(np.int16, order="C")
