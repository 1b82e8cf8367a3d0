"""Simulated rounds of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provably_fair.seeds import HashChain
from provably_fair.seeds.rounds import SimulatedRounds


class Series(SimulatedRounds):
    """Simulated rounds: their fields, and the parameters that differ by round."""

    def __init__(
        self,
        game: Any,
        rounds: object,
        seed: object,
        start: object,
        fields: Mapping[str, Any],
        parameters: Mapping[str, object],
    ) -> None:
        super().__init__(game.scheme, rounds, seed, start, fields)
        if "game_hash" in game.scheme.fields:
            # One of its own, since it keeps hashes
            self._chain = HashChain(game.kind.chain.hash)
        self.parameters: dict[str, object] = {
            name: value for name, value in parameters.items() if value is not None
        }

    def columns(self) -> dict[str, Any]:
        """Return the columns of a log of these rounds, without outcomes."""
        return self.values() | self.parameters
