"""How others play a game: in the engine, or by fields that the engine holds."""

from __future__ import annotations

import numpy as np

from provably_fair._engine import Fields
from provably_fair._engine import Game as Engine

from ._engine_game import EngineGame
from .python_game import Game

__all__ = ["engine_of", "play_fields"]


def engine_of(game: Game) -> Engine | None:
    """Return the engine's game; None of a game in Python."""
    return game.engine if isinstance(game, EngineGame) else None


def play_fields(game: Game, fields: Fields, threads: int | None) -> np.ndarray:
    """Return the outcomes of rounds whose fields the engine holds."""
    outcomes: np.ndarray = game._many(fields, None, None, threads, None)
    return outcomes
