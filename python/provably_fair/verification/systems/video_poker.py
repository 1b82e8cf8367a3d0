"""Video poker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provably_fair._core.types import JsonDict
from provably_fair._engine import verify_video_poker
from provably_fair.crypto_games import VideoPoker
from provably_fair.crypto_games.video_poker.paytable import engine_of, unit_of

from ..foreign import is_empty
from .system import COMMITMENT, FIELD, Field, Found, Rows, System, json_list


class VideoPokerHands(System):
    """Video poker: the outcome is the ten cards, the final hand of five, or what it pays."""

    fields: tuple[Field, ...] = (
        Field("server_seed", text=True),
        Field("client_seed", text=True),
        Field("nonce", False, text=True),
        Field("hold", False),
        Field(FIELD, number=True),
        Field(COMMITMENT, False),
    )

    def __init__(self, game: VideoPoker) -> None:
        self.game = game
        self.name: str = game.name

    def parameters(self) -> JsonDict:
        return {"game": "video poker", "paytable": repr(self.game.paytable)}

    def verify(self, rows: Rows) -> Found:
        paytable = self.game.paytable
        return Found.of(verify_video_poker(engine_of(paytable), unit_of(paytable), rows))

    def explain(self, row: Mapping[str, Any]) -> Any:
        seeds = {name: row[name] for name in ("server_seed", "client_seed", "nonce") if name in row}
        hold = row.get("hold")
        if is_empty(hold):
            hold = None
        elif isinstance(hold, (str, bytes)):
            hold = json_list("hold", hold)
        return self.game.explain(**seeds, hold=hold)

    def notes(self, checked: int, assumed: int, committed: Mapping[str, int]) -> list[str]:
        return [f"in {assumed:,} rows without a hold the best one was assumed"] if assumed else []
