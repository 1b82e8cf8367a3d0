"""Decisions: the state of a round at a player's turn."""

from __future__ import annotations

from dataclasses import dataclass

from provably_fair._core.table import displayed
from provably_fair._engine import BlackjackDecision

from ..names import Hand, name

UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
"""The upcards in the order of a chart's columns."""

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""The ranks of cards, in the order of their numbers."""

VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""The card values in the engine's order."""


@displayed
@dataclass(frozen=True)
class Decision:
    """The state of a round at a player's turn; strategies are functions of it.

    Attributes
    ----------
    hands : tuple of Hand
        All of the player's hands so far, from the left.
    turn : int
        The index of the hand to play, from 0.
    upcard : int
        The dealer's upcard.
    legal : tuple of str
        The legal actions: "hit", "stand", "double", "split", "surrender", "insure", "even_money".
    total : int
        The hand's total; an ace counts eleven if the hand allows it.
    soft : bool
        Whether an ace counts eleven.
    pair : str or None
        The value of the pair the hand is: "A", "2", ..., "10", which any two cards that count ten are.
    split_from : str or None
        The value of the pair the hand was split from.
    upcard_value : str
        The value of the upcard: "A", "2", ..., "10".
    """

    hands: tuple[Hand, ...]
    turn: int
    upcard: int
    legal: tuple[str, ...]
    total: int
    soft: bool
    pair: str | None
    split_from: str | None
    upcard_value: str

    @property
    def hand(self) -> Hand:
        """The hand to play."""
        return self.hands[self.turn]

    def __str__(self) -> str:
        soft = "soft " if self.soft else ""
        return f"{self.hand} ({soft}{self.total}) against {name(self.upcard)}: {', '.join(self.legal)}"


def decision_of(seen: BlackjackDecision) -> Decision:
    """Return the decision that the engine asks for."""
    played = seen.hands[seen.turn]
    return Decision(
        hands=tuple(Hand.of_numbers(hand.cards) for hand in seen.hands),
        turn=seen.turn,
        upcard=seen.upcard,
        legal=seen.legal,
        total=played.total,
        soft=played.soft,
        pair=None if seen.pair is None else VALUES[seen.pair],
        split_from=None if seen.split_from is None else VALUES[seen.split_from],
        upcard_value=VALUES[seen.upcard_value],
    )
