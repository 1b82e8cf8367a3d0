"""Rounds from cards and decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from provably_fair._core.arguments import BadType, check_type, encode_text

from ..names import Hand
from .analysis import BlackjackAnalysis
from .decisions import Decision, decision_of
from .hands import BlackjackHand, BlackjackRound
from .rules import Rules, engine_of

Player = Callable[[Decision], str]
"""A function from a decision to "hit", "stand", "double", "split" or "surrender"."""


def settle(
    rules: Rules, argument: str, cards: list[int], actions: Sequence[str] | Player | None
) -> tuple[BlackjackRound, list[int | None]]:
    """Return a settled round, and the hand that each card went to: its number, or None for the dealer's."""
    engine = engine_of(rules)
    if callable(actions):
        player = actions
        own = player._core if isinstance(player, BlackjackAnalysis) else None
        played = engine.play(argument, cards, own or (lambda seen: player(decision_of(seen))))
    else:
        played = engine.replay(argument, cards, check_actions(actions))
    settled = BlackjackRound(
        hands=tuple(
            BlackjackHand(
                Hand.of_numbers(hand.cards.cards),
                hand.cards.total,
                hand.cards.soft,
                hand.split,
                hand.bets,
                hand.outcome,
                Fraction(hand.net, engine.units),
            )
            for hand in played.hands
        ),
        dealer=Hand.of_numbers(played.dealer.cards),
        dealer_total=played.dealer.total,
        dealer_soft=played.dealer.soft,
        actions=tuple(played.actions),
        cards=Hand.of_numbers(card for card, _ in played.dealt),
        insurance=None if played.insurance is None else Fraction(played.insurance, engine.units),
    )
    return settled, [hand for _, hand in played.dealt]


def check_actions(actions: Sequence[str] | None) -> list[str]:
    """Return a round's actions as a list; refuse what isn't a sequence of texts."""
    if isinstance(actions, str) or not isinstance(actions, (Sequence, np.ndarray)):
        got = repr(actions) if isinstance(actions, str) else type(actions).__name__
        raise BadType("actions", f"must be a sequence of str or a callable, got {got}")
    for index, action in enumerate(actions):
        check_type("actions", action, str, 'a str such as "hit"', index=index)
        if not action.isascii():
            encode_text("actions", action, index)
    return list(actions)
