"""Rounds from cards and decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from provably_fair._core.arguments import BadType, refuse_masked, unwrapped
from provably_fair._engine import read_actions

from ..names import Hand
from .analysis import BlackjackAnalysis
from .decisions import Decision, decision_of
from .hands import BlackjackHand, BlackjackRound
from .rules import Rules, engine_of

Player = Callable[[Decision], str]
"""A function from a decision to "hit", "stand", "double", "split" or "surrender"."""


def settle(
    rules: Rules, argument: str, cards: list[int], actions: str | Sequence[str] | Player | None
) -> tuple[BlackjackRound, list[int | None]]:
    """Return a settled round, and the hand that each card went to: its number, or None for the dealer's."""
    engine = engine_of(rules)
    if callable(actions):
        player = actions
        own = player._core if isinstance(player, BlackjackAnalysis) else None
        played = engine.play(argument, cards, own or (lambda seen: player(decision_of(seen))))
    else:
        played = engine.replay(argument, cards, actions_of(actions))
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


def actions_of(actions: object) -> list[str]:
    """Return a round's actions as words, in any of the forms that a log's cell may have."""
    refuse_masked("actions", actions)
    actions = unwrapped(actions)
    if not isinstance(actions, (str, bytes, Sequence)):
        got = type(actions).__name__
        raise BadType("actions", f"must be text, a sequence of str or a callable, got {got}")
    return read_actions([actions if isinstance(actions, (str, bytes)) else [*actions]], 1, False)[0]
