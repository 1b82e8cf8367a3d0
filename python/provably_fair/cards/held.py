"""What the outcome of a round at a table holds, in a row of a log: cards, the final hand, or a result.

Verification, audits, identification and suggestions compare the outcome by this meaning. The engine counts
the rows of each (`Held` in `src/logs/findings.rs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provably_fair.games import Deal, Pack


@dataclass(frozen=True)
class Cards:
    """The first cards of the round, or all."""

    count: int

    def of(self, pack: Pack, table: Any, dealt: np.ndarray, chosen: Any) -> np.ndarray:
        """Return what the outcome is of a round with these cards."""
        return dealt[: self.count]


@dataclass(frozen=True)
class Final:
    """The five cards of video poker after the draw."""

    def of(self, pack: Pack, table: Any, dealt: np.ndarray, chosen: Any) -> np.ndarray:
        """Return what the outcome is of a round that was played so."""
        return pack.outcomes(np.array(_settled(pack, table, dealt, chosen).final))


@dataclass(frozen=True)
class Net:
    """What a bet of 1 won at blackjack, or was paid at video poker."""

    def of(self, pack: Pack, table: Any, dealt: np.ndarray, chosen: Any) -> np.ndarray:
        """Return what the outcome is of a round that was played so."""
        played = _settled(pack, table, dealt, chosen)
        return np.array([played.net if table.choice == "actions" else float(played.pay)])


Held = Cards | Final | Net


def held_in(table: Any, outcome: Sequence[float]) -> Held:
    """Return what the outcome of a row at a table holds, by the number of its values."""
    count = len(outcome)
    if count == 1:
        return Net()
    return Final() if count == 5 and table.choice == "hold" else Cards(count)


def agreeing(
    deal: Deal, dealt: np.ndarray, outcomes: Sequence[Sequence[float]], chosen: Sequence[Any]
) -> np.ndarray:
    """Return which outcomes are of rounds with these cards and decisions; copies of a card are equal."""
    pack, table, alike = deal.kind.pack, deal.table, np.zeros(len(outcomes), bool)
    for row, logged in enumerate(outcomes if dealt.dtype.kind in "iu" else ()):
        held, values = held_in(table, logged), np.asarray(logged, np.float64)
        try:
            right = held.of(pack, table, dealt[row], chosen[row])
        except (TypeError, ValueError):  # these decisions aren't possible with these cards
            continue
        if not isinstance(held, Net):
            right, values = _faces(pack, right), _faces(pack, values)
        alike[row] = len(right) == len(values) and np.allclose(right, values, rtol=0, atol=1e-9)
    return alike


def _settled(pack: Pack, table: Any, dealt: np.ndarray, chosen: Any) -> Any:
    return table.settled(pack.at_table(dealt), table.player(None, chosen))


def _faces(pack: Pack, numbers: np.ndarray) -> np.ndarray:
    """Return the cards of one deck that numbers of outcomes are; -1 for no card, -2 for what isn't any."""
    ranks = np.frombuffer(pack.ranks, np.uint8).astype(np.int64)
    known = np.isin(numbers, np.arange(len(ranks)))
    cards = ranks[np.where(known, numbers, 0).astype(np.int64)]
    return np.where(known, cards, np.where(numbers == -1, -1, -2))
