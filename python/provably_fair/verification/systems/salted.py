"""Games of the salted rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from provably_fair._core.types import JsonDict
from provably_fair._engine import Verdicts, verify_rounds
from provably_fair.games import EngineGame

from .system import COMMITMENT, FIELD, SALT_COMMITMENT, Field, Rows, System, whole

_SEEDS = ("server_seed", "client_seed", "salt")


class SaltedGame(System):
    """A game of the salted-round scheme."""

    def __init__(self, game: EngineGame) -> None:
        self.game = game
        self.name = repr(game)
        constant = dict(zip(_SEEDS, game.constant_seeds or (), strict=False))
        self.fields = (
            *(Field(name, name not in constant, default=constant.get(name), text=True) for name in _SEEDS),
            *(Field(name, False, number=True) for name in game.PARAMETERS),
            Field(FIELD, number=not game.shape),
            Field(COMMITMENT, False),
            Field(SALT_COMMITMENT, False),
        )

    def parameters(self) -> JsonDict:
        return {"game": self.game.name, **self.game.parameters}

    def verify(self, rows: Rows) -> Verdicts:
        verdicts = verify_rounds(
            self.game.engine, rows.columns, rows.count, of_salts=rows.of_salts, **rows.options
        )
        if verdicts.narrow is not None:
            self.game.check_dtype(FIELD, np.dtype(f"float{verdicts.narrow}"))
        return verdicts

    def explain(self, row: Mapping[str, object]) -> Any:
        parameters = {name: whole(row[name]) for name in self.game.PARAMETERS if name in row}
        seeds: dict[str, Any] = {name: row[name] for name in _SEEDS if name in row}
        return self.game.changed(**parameters).explain(**seeds)
