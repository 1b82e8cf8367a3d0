"""Games of the salted rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from provably_fair._core.types import JsonDict
from provably_fair._engine import Verdicts, verify_rounds
from provably_fair.games import EngineGame, changed, check_dtype, constant_seeds, engine_of, parameters_of

from .system import COMMITMENT, FIELD, SALT_COMMITMENT, Field, Rows, System, whole

_SEEDS = ("server_seed", "client_seed", "salt")


class SaltedGame(System):
    """A game of the salted-round scheme."""

    def __init__(self, game: EngineGame) -> None:
        self.game = game
        self.name = repr(game)
        constant = dict(zip(_SEEDS, constant_seeds(game) or (), strict=False))
        self.fields = (
            *(Field(name, name not in constant, default=constant.get(name), text=True) for name in _SEEDS),
            *(Field(name, False, number=True) for name in parameters_of(game)),
            Field(FIELD, number=not game.shape),
            Field(COMMITMENT, False),
            Field(SALT_COMMITMENT, False),
        )

    def parameters(self) -> JsonDict:
        return {"game": self.game.name, **self.game.parameters}

    def verify(self, rows: Rows) -> Verdicts:
        verdicts = verify_rounds(
            engine_of(self.game), rows.columns, rows.count, of_salts=rows.of_salts, **rows.options
        )
        if verdicts.narrow is not None:
            check_dtype(self.game, FIELD, np.dtype(f"float{verdicts.narrow}"))
        return verdicts

    def explain(self, row: Mapping[str, object]) -> Any:
        parameters = {name: whole(row[name]) for name in parameters_of(self.game) if name in row}
        seeds: dict[str, Any] = {name: row[name] for name in _SEEDS if name in row}
        return changed(self.game, **parameters).explain(**seeds)
