"""Video poker and blackjack: what was dealt, and what the player did with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provably_fair._core.errors import BadValue
from provably_fair._core.types import JsonDict
from provably_fair._engine import verify_blackjack, verify_video_poker
from provably_fair.operators.crypto_games import Blackjack, VideoPoker
from provably_fair.operators.crypto_games.blackjack.rules import engine_of as engine_of_rules
from provably_fair.operators.crypto_games.video_poker.paytable import engine_of as engine_of_paytable
from provably_fair.operators.crypto_games.video_poker.paytable import unit_of

from ..foreign import is_empty
from .system import COMMITMENT, FIELD, Field, Found, Rows, System, json_list


def _fields(choice: str) -> tuple[Field, ...]:
    """Return the fields of a log, of which one has the player's choice."""
    return (
        Field("server_seed", text=True),
        Field("client_seed", text=True),
        Field("nonce", False, text=True),
        Field(choice, False),
        Field(FIELD, number=True),
        Field(COMMITMENT, False),
    )


def _seeds(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("server_seed", "client_seed", "nonce") if name in row}


class VideoPokerHands(System):
    """Video poker: the outcome is the ten cards, the final hand of five, or what it pays."""

    fields: tuple[Field, ...] = _fields("hold")

    def __init__(self, game: VideoPoker) -> None:
        self.game = game
        self.name: str = game.name

    def parameters(self) -> JsonDict:
        return {"game": "video poker", "paytable": repr(self.game.paytable)}

    def verify(self, rows: Rows) -> Found:
        paytable = self.game.paytable
        return Found.of(verify_video_poker(engine_of_paytable(paytable), unit_of(paytable), rows))

    def explain(self, row: Mapping[str, Any]) -> Any:
        hold = row.get("hold")
        if is_empty(hold):
            hold = None
        elif isinstance(hold, (str, bytes)):
            hold = json_list("hold", hold)
        return self.game.explain(**_seeds(row), hold=hold)

    def notes(self, checked: int, assumed: int, committed: Mapping[str, int]) -> list[str]:
        return [f"in {assumed:,} rows without a hold the best one was assumed"] if assumed else []


class BlackjackRounds(System):
    """Blackjack: the outcome is the first cards of the shoe, or with the actions the net win in bets."""

    fields: tuple[Field, ...] = _fields("actions")

    def __init__(self, game: Blackjack) -> None:
        game.check_hashed()
        if game.scheme is not None:
            raise BadValue("game", f"must be dealt from one SHA-512 to verify its log, got {game!r}")
        self.game = game
        self.name: str = game.name

    def parameters(self) -> JsonDict:
        return {"game": "blackjack", "rules": repr(self.game.rules)}

    def verify(self, rows: Rows) -> Found:
        return Found.of(verify_blackjack(engine_of_rules(self.game.rules), rows))

    def explain(self, row: Mapping[str, Any]) -> Any:
        return self.game.explain(**_seeds(row), actions=_actions(row.get("actions")))


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
