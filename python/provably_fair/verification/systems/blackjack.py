"""Blackjack."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from provably_fair.crypto_games import Blackjack

from ..columns import is_missing
from .cards import CardRounds, cards_or_pay, json_list, plain_pay
from .system import BadCellsError


class BlackjackRounds(CardRounds):
    """Blackjack: the outcome is the first cards of the shoe, or with the actions the net win in bets."""

    others = ("actions",)

    def __init__(self, game: Blackjack) -> None:
        super().__init__(game)
        game.check_hashed()
        self.game = game

    def parameters(self) -> dict[str, Any]:
        return {"game": "blackjack", "rules": repr(self.game.rules)}

    def right(self, row: dict[str, Any]) -> Any:
        return row

    def _of(self, row: dict[str, Any], read: Any, named: bool) -> Any:
        """Return the cards of the shoe or what was won, whichever was logged."""
        if not isinstance(read, list):
            net = self._net(row)
            return net if isinstance(read, Fraction) else float(net)
        dealt = self.game.shoe(**self.seeds(row), cards=len(read)).tolist()
        return [card % 52 if card >= 0 else card for card in dealt] if named else dealt

    def _net(self, row: dict[str, Any]) -> Fraction:
        actions = row.get("actions")
        try:
            return self.game.replay(**self.seeds(row), actions=_actions(actions)).exact_net
        except (ValueError, TypeError) as error:
            raise BadCellsError(str(error), actions=actions) from None

    def agrees(self, right: Any, found: Any) -> bool:
        read = cards_or_pay(found)
        return bool(self._of(right, read, _named(found)) == read)

    def in_form(self, right: Any, found: Any) -> Any:
        try:
            return plain_pay(self._of(right, cards_or_pay(found), _named(found)))
        except BadCellsError:
            return None
        except (ValueError, TypeError, RecursionError):
            pass
        try:
            if "actions" in right:
                return float(self._net(right))
            return self.game.shoe(**self.seeds(right)).tolist()
        except BadCellsError:
            return None

    def explain(self, row: Mapping[str, Any]) -> Any:
        actions = row.get("actions")
        given = None if is_missing(actions) else _actions(actions)
        return self.game.explain(**self.seeds(row), actions=given)


def _actions(value: Any) -> list[str]:
    """Read what a player did: a list, a JSON list, or words with commas or spaces between them."""
    if is_missing(value):
        return []
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, str):
        listed = value.lstrip().startswith("[")
        return json_list("actions", value) if listed else value.replace(",", " ").split()
    return list(value)


def _named(value: Any) -> bool:
    """Whether logged cards are names, which don't tell the decks of a shoe apart."""
    if isinstance(value, (str, bytes)):
        return value.lstrip()[:1] not in ("[", b"[") or '"' in str(value)
    return isinstance(value, (list, tuple)) and any(isinstance(card, str) for card in value)
