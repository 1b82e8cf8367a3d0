"""How many rows a reading gives, and the chance that a wrong one would."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from provably_fair._core.printable import decoded
from provably_fair.games import Game

__all__ = ["BOUND", "chance", "matches", "values_in"]

BOUND = 1e-6
"""The chance that a wrong reading matches as many rows, times the readings tried: above it none is named."""

_SIMULATED = 2000


def values_in(cell: Any) -> tuple[float, ...] | None:
    """Return the numbers of an outcome that a log has; None where it isn't numbers."""
    cell = decoded(cell)
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except (ValueError, RecursionError):
            parts = re.split(r"[\s,;|]+", cell.strip(" \t\n[](){}"))
            try:
                cell = [float(part) for part in parts]
            except ValueError:
                return None
    try:
        values = np.asarray(cell, np.float64).reshape(-1)
    except (TypeError, ValueError, OverflowError):
        return None
    return tuple(values.tolist()) if values.size and np.isfinite(values).all() else None


def matches(
    game: Game,
    fields: Mapping[str, Sequence[Any]],
    outcomes: Sequence[tuple[float, ...]],
    *,
    first: bool = False,
    ordered: bool | None = None,
) -> np.ndarray:
    """Return which rows a game gives; none where it can't play them.

    Fields that its scheme hasn't got are passed over. With `first`, outcomes may be the first values of the
    game's; `ordered` says whether values must stand in the order drawn, by default as the class has it.
    """
    given: dict[str, Any] = {name: list(fields[name]) for name in game.scheme.fields if name in fields}
    try:
        with np.errstate(all="ignore"):
            played = np.asarray(game.play(**given), np.float64).reshape(len(outcomes), -1)
    except Exception:  # whatever a rule that is read otherwise runs into, code of the user's own among it
        return np.zeros(len(outcomes), bool)
    return _alike(played, outcomes, first, game.ordered if ordered is None else ordered)


def _alike(
    played: np.ndarray, outcomes: Sequence[tuple[float, ...]], first: bool, ordered: bool
) -> np.ndarray:
    found = np.zeros(len(outcomes), bool)
    for row, logged in enumerate(outcomes):
        size = len(logged)
        if size != played.shape[1] and not (first and size < played.shape[1]):
            continue
        found[row] = _is_near(played[row, :size], logged, ordered)
    return found


def _is_near(made: np.ndarray, logged: tuple[float, ...], ordered: bool) -> Any:
    """Return whether outcomes, one or one a row, are a logged one up to rounding."""
    told = np.array(logged)
    if not ordered:
        made, told = np.sort(made), np.sort(told)
    return (np.abs(made - told) <= 1e-9 * np.maximum(1, np.abs(told))).all(axis=-1)


@lru_cache(256)
def _simulated(game: Game) -> np.ndarray:
    """Return outcomes of rounds whose seeds have nothing to do with a log's."""
    found: np.ndarray = np.asarray(game.simulate(_SIMULATED, seed="readings"), np.float64)
    return found.reshape(_SIMULATED, -1)


def chance(game: Game, outcomes: Sequence[tuple[float, ...]], matched: int, *, first: bool = False) -> float:
    """Return an upper bound on the chance that a wrong game gives as many of some different rounds' outcomes.

    A wrong game's outcomes have nothing to do with the logged ones, so each row is matched with the
    probability that the game's law gives its outcome: at most about the share among simulated rounds, plus
    one. The number of rows matched is then a sum of independent trials.
    """
    try:
        with np.errstate(all="ignore"):
            played = _simulated(game)
    except Exception:  # as in `matches`
        return 1.0
    each: dict[tuple[float, ...], float] = {}
    for logged in outcomes:
        if logged not in each:
            each[logged] = _share(played, logged, first, game.ordered)
    tail = np.zeros(len(outcomes) + 1)
    tail[0] = 1.0
    for logged in outcomes:
        hit = each[logged]
        tail[1:] = tail[1:] * (1 - hit) + tail[:-1] * hit
        tail[0] *= 1 - hit
    return float(min(1.0, tail[matched:].sum()))


def _share(played: np.ndarray, logged: tuple[float, ...], first: bool, ordered: bool) -> float:
    size = len(logged)
    if size > played.shape[1] or (size < played.shape[1] and not first):
        return 1 / (_SIMULATED + 1)
    hits = int(_is_near(played[:, :size], logged, ordered).sum())
    # An upper limit of a probability that gave as many of the simulated rounds, with room for chance.
    return min(1.0, (hits + 1 + 2 * math.sqrt(hits)) / (_SIMULATED + 1))
