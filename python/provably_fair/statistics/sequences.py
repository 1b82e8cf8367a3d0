"""The input of fairness tests: sequences of data, and their laws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, doubles, rectangular, refuse_nan
from provably_fair._core.counts import length
from provably_fair.distribution import Distribution
from provably_fair.distribution.sequences import (
    FairnessMaterial,
    LawSequence,
    law_sequence,
    numbers_material,
    probabilities,
    quantile_sequence,
)
from provably_fair.games import Game
from provably_fair.games.fairness import fairness_material
from provably_fair.games.game import refuse_unmade
from provably_fair.names import given_game


def material_of(data: Any, game: object = None, **parameters: object) -> FairnessMaterial:
    """Return the material for tests of a game's outcomes, of laws, of dice, or of numbers."""
    refuse_unmade("game", game)
    if isinstance(game, Game):
        return fairness_material(game, data, **parameters)
    for name in parameters:
        raise BadType(name, "is for games that have such a parameter")
    values = rectangular("data", data)
    if game is None:
        return _numbers(values)
    if isinstance(game, Distribution):
        return _of_law(values, game)
    if isinstance(game, (list, tuple)) and game:
        laws = [_law_of(law) for law in game]
        if None not in laws:
            return _of_laws(values, [law for law in laws if law is not None])
    kinds = "a game such as Dice(), a Distribution, or one for each row"
    raise BadType("game", f"must be {kinds}, or None, got {type(game).__name__}")


def _law_of(game: Any) -> Distribution | None:
    """Return a law itself, or that of a game's outcome if it is a single value."""
    game = given_game("game", game) if isinstance(game, str) else game
    if isinstance(game, Distribution):
        return game
    if isinstance(game, type) or getattr(game, "shape", None) != () or not hasattr(game, "distribution"):
        return None
    law: Distribution = game.distribution()
    return law


def _of_law(values: np.ndarray, law: Distribution) -> FairnessMaterial:
    """Return outcomes of one law as material, one or several a row."""
    values = _numeric(values)
    subject = f"a distribution of {length(law):,} outcomes"
    columns = [law_sequence(name, column, law) for name, column in _columns(values)]
    sequence = law_sequence("outcomes", values.ravel(), law)
    if values.size and not (sequence.values >= 0).any():
        raise BadValue("data", f"must be outcomes of the distribution {law!r}, got none of them")
    return FairnessMaterial(subject, len(values), [sequence], columns)


def _of_laws(values: np.ndarray, laws: Sequence[Distribution]) -> FairnessMaterial:
    """Return outcomes with a law per row as material."""
    values = _numeric(values)
    if len(laws) != len(values):
        raise BadValue("game", f"must be {len(values)} distributions, one for each row, got {len(laws)}")
    rows: dict[Distribution, list[int]] = {}
    for row, law in enumerate(laws):
        rows.setdefault(law, []).append(row)
    parts = [(np.array(places), law) for law, places in rows.items()]
    sequence = quantile_sequence("quantiles", values, *probabilities(values, parts))
    assert sequence.uniform is not None
    columns = _uniform_columns(sequence.uniform.reshape(values.shape))
    return FairnessMaterial("distributions by row", len(values), [sequence], columns)


def _numeric(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind not in "iuf" or values.ndim not in (1, 2):
        raise BadType("data", f"must be numbers, (N,) or (N, k), got {values.dtype} of shape {values.shape}")
    refuse_nan("data", values)
    return doubles(values) if values.dtype.kind == "f" else values


def _columns(values: np.ndarray) -> list[tuple[str, np.ndarray]]:
    several = values.ndim == 2 and values.shape[1] > 1
    return [(f"column {i}", column) for i, column in enumerate(values.T)] if several else []


def _uniform_columns(values: np.ndarray) -> list[LawSequence]:
    return [LawSequence(name, None, None, column) for name, column in _columns(values)]


def _numbers(values: np.ndarray) -> FairnessMaterial:
    # Numbers of fewer bits repeat, and rounding makes 1 of some.
    if values.dtype.kind != "f" or values.itemsize < 8 or values.ndim not in (1, 2):
        wanted = "float64 numbers, (N,) or (N, k), or outcomes of a game, which `game=` names"
        raise BadType("data", f"must be {wanted}, got {values.dtype} {values.shape}")
    if not np.isfinite(values).all():
        raise BadValue("data", "must be finite")
    values = values.astype(np.float64, copy=False)
    sequence = LawSequence("numbers", None, None, values.ravel())
    return numbers_material(sequence, _uniform_columns(values), len(values))
