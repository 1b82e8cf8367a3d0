"""Blackjack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provably_fair._core.types import JsonDict
from provably_fair._engine import verify_blackjack
from provably_fair.crypto_games import Blackjack
from provably_fair.crypto_games.blackjack.rules import engine_of

from ..foreign import is_empty
from .system import COMMITMENT, FIELD, Field, Found, Rows, System, json_list


class BlackjackRounds(System):
    """Blackjack: the outcome is the first cards of the shoe, or with the actions the net win in bets."""

    fields: tuple[Field, ...] = (
        Field("server_seed", text=True),
        Field("client_seed", text=True),
        Field("nonce", False, text=True),
        Field("actions", False),
        Field(FIELD, number=True),
        Field(COMMITMENT, False),
    )

    def __init__(self, game: Blackjack) -> None:
        game.check_hashed()
        if game.scheme is not None:
            raise ValueError(f"game must be dealt from one SHA-512 to verify its log, got {game!r}")
        self.game = game
        self.name: str = game.name

    def parameters(self) -> JsonDict:
        return {"game": "blackjack", "rules": repr(self.game.rules)}

    def verify(self, rows: Rows) -> Found:
        return Found.of(verify_blackjack(engine_of(self.game.rules), rows))

    def explain(self, row: Mapping[str, Any]) -> Any:
        seeds = {name: row[name] for name in ("server_seed", "client_seed", "nonce") if name in row}
        return self.game.explain(**seeds, actions=_actions(row.get("actions")))


def _actions(value: Any) -> list[str] | None:
    """Read what a player did: a list, a JSON list, or words with commas or spaces between them."""
    if value is None or (not isinstance(value, (str, bytes)) and is_empty(value)):
        return None
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, str):
        listed = value.lstrip().startswith("[")
        return json_list("actions", value) if listed else value.replace(",", " ").split()
    return list(value)
