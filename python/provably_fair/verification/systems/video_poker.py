"""Video poker."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair.crypto_games import VideoPoker
from provably_fair.crypto_games.video_poker.holds import hold_bits
from provably_fair.crypto_games.video_poker.rounds import settle

from ..columns import blank
from .cards import CardRounds, cards_or_pay, json_list, plain_pay
from .system import BadCellsError


class VideoPokerHands(CardRounds):
    """Video poker: the outcome is the ten cards, the final hand of five, or what it pays."""

    others = ("hold",)

    def __init__(self, game: VideoPoker) -> None:
        super().__init__(game)
        self.game = game

    def parameters(self) -> dict[str, Any]:
        return {"game": "video poker", "paytable": repr(self.game.paytable)}

    def right(self, row: dict[str, Any]) -> Any:
        return self.game.deal(**self.seeds(row)), _hold(row.get("hold"))

    def _of(self, right: Any, read: Any) -> Any:
        """Return the ten cards, the final five or the pay, whichever was logged."""
        dealt, hold = right
        if isinstance(read, list) and len(read) == 10:
            return dealt.tolist()
        if isinstance(read, list) and len(read) != 5:
            raise ValueError("ten cards, or the final five")
        played = settle(self.game.paytable, dealt[np.newaxis], hold)[0]
        if isinstance(read, list):
            return list(played.final)
        return Fraction(played.pay) if isinstance(read, Fraction) else float(played.pay)

    def agrees(self, right: Any, found: Any) -> bool:
        read = cards_or_pay(found)
        return bool(self._of(right, read) == read)

    def in_form(self, right: Any, found: Any) -> Any:
        try:
            return plain_pay(self._of(right, cards_or_pay(found)))
        except (ValueError, TypeError, RecursionError):
            return right[0].tolist()

    def explain(self, row: Mapping[str, Any]) -> Any:
        return self.game.explain(**self.seeds(row), hold=_hold(row.get("hold")))


def _hold(value: Any) -> Any:
    """Read a hold: five booleans or positions, as a list or as JSON; None for the best one."""
    if blank(value):
        return None
    try:
        hold = json_list("hold", value) if isinstance(value, (str, bytes)) else value
        hold_bits(hold)
    except (ValueError, TypeError) as error:
        raise BadCellsError(str(error), hold=value) from None
    return hold
