"""The data under test: simulated outcomes and raw numbers, or the outcomes of a log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair.distribution.sequences import (
    FairnessMaterial,
    LawSequence,
    numbers_material,
    uniform_sequence,
)
from provably_fair.games import Game
from provably_fair.games.draws import Draws
from provably_fair.games.fairness import fairness_material
from provably_fair.verification.amounts import read_outcomes

_RAW = 4
"""The number of raw numbers of each round that are tested."""
_FEWEST = 10
_FEW_BITS = 20
"""The most bits of words whose values are counted; those of more are as good as real numbers."""


class Data(NamedTuple):
    """The material under test, with descriptions."""

    parts: dict[str, tuple[FairnessMaterial, str]]  # outcomes and raw numbers, by their names in `Asked`
    without_raw: str  # the reason that there are no raw numbers


class _Numbers(Game):
    """A game whose outcome is the first raw numbers of a round, before any scaling."""

    def outcome(self, draws: Draws) -> Any:
        """Return the numbers."""
        return np.stack([draws.number() for _ in range(_RAW)], axis=-1)


def _material(flat: np.ndarray, numbers: np.ndarray, rounds: int, bits: int | str) -> FairnessMaterial:
    """Return numbers, as one sequence and by their places in rounds; those of few bits as whole numbers."""
    named = [("raw numbers", flat), *((f"number {i + 1}", column) for i, column in enumerate(numbers.T))]
    bits = 32 if isinstance(bits, str) else min(bits, 32)
    if bits > _FEW_BITS:
        first, *columns = [LawSequence(name, None, None, values) for name, values in named]
        return numbers_material(first, columns, rounds, bits)
    kinds = 1 << bits
    first, *columns = [
        uniform_sequence(name, (values * kinds).astype(np.int64), kinds) for name, values in named
    ]
    return FairnessMaterial("numbers", rounds, [first], columns, (first.values, 1 / kinds))


def data_of(game: Game, log: object, rounds: int, seed: int | str) -> Data:
    """Return the data of a game: simulated rounds, or those of a log."""
    if log is not None:
        batches = list(read_outcomes(log, game.shape, game.dtype))
        outcomes = np.concatenate(batches) if batches else np.empty((0, *game.shape), game.dtype)
        material = fairness_material(game, outcomes)
        if material.rounds < _FEWEST:
            raise BadValue("log", f"must have at least {_FEWEST} rounds, got {material.rounds}")
        about = f"outcomes of {len(outcomes):,} rows of a log of {game!r}"
        return Data({"outcomes": (material, about)}, "raw numbers: a log holds outcomes alone")
    material = fairness_material(game, game.simulate(rounds, seed=seed))
    series = f"{rounds:,} simulated rounds of {game!r}, series {str(seed)!r}"
    parts = {"outcomes": (material, f"outcomes of {series}")}
    try:
        # Keeping few digits is a scaling as well: raw numbers are those before it.
        numbers = _Numbers().with_scheme(replace(game.scheme, digits=None)).simulate(rounds, seed=seed)
    except (TypeError, ValueError) as error:
        return Data(parts, f"raw numbers: {error}")
    # In the order of generation, round after round.
    flat = numbers.ravel()[:rounds]
    raw = _material(flat, numbers, rounds, game.scheme.bits)
    about = f"the first {_RAW} raw numbers of rounds, the first {flat.size:,} as one sequence, of {series}"
    return Data(parts | {"raw": (raw, about)}, "")
