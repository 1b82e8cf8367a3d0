"""Rows that a reading reproduces, and the probability that a wrong reading would."""

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
"""Limit on the probability that a wrong reading matches as many rows, times the readings tried."""

_SIMULATED = 2000


def values_in(cell: Any) -> tuple[float, ...] | None:
    """Return the numbers of a logged outcome, 32-bit floats as such; None if it isn't numeric."""
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
        values = np.asarray(cell)
        values = values.astype(np.float32 if values.dtype.char == "f" else np.float64).reshape(-1)
    except (TypeError, ValueError, OverflowError):
        return None
    if not values.size or not np.isfinite(values).all():
        return None
    return tuple(values if values.dtype == np.float32 else values.tolist())


def matches(
    game: Game,
    fields: Mapping[str, Sequence[Any]],
    outcomes: Sequence[tuple[float, ...]],
    *,
    first: bool = False,
    ordered: bool | None = None,
) -> np.ndarray:
    """Return which rows a game reproduces, a few aside that it can't play; none if those are more.

    Fields that its scheme lacks are ignored. With `first`, outcomes may be the game's first values only;
    `ordered` says whether values must be in the order drawn, by default as the game's class has it.
    """
    given: dict[str, Any] = {name: list(fields[name]) for name in game.scheme.fields if name in fields}
    left, matched = list(range(len(outcomes))), np.zeros(len(outcomes), bool)
    for _ in range(2 + len(left) // 50):
        try:
            with np.errstate(all="ignore"):
                played = np.asarray(game.play(**given), np.float64).reshape(len(left), -1)
        except Exception as error:  # an altered rule, or a user's own code, may fail in any way
            row = getattr(error, "row", None)
            if not isinstance(row, int) or not 0 <= row < len(left) > 1:
                break
            for cells in (left, *given.values()):
                del cells[row]
        else:
            own = game.ordered if ordered is None else ordered
            matched[left] = _alike(played, [outcomes[row] for row in left], first, own)
            break
    return matched


def _alike(
    played: np.ndarray, outcomes: Sequence[tuple[float, ...]], first: bool, ordered: bool
) -> np.ndarray:
    matched = np.zeros(len(outcomes), bool)
    for row, logged in enumerate(outcomes):
        size = len(logged)
        if size != played.shape[1] and not (first and size < played.shape[1]):
            continue
        matched[row] = _is_near(played[row, :size], logged, ordered)
    return matched


def _is_near(played: np.ndarray, logged: tuple[float, ...], ordered: bool) -> Any:
    """Return whether outcomes, one or one a row, equal a logged one up to rounding."""
    values = np.array(logged)
    if values.dtype == np.float32:
        played = played.astype(np.float32)
    if not ordered:
        played, values = np.sort(played), np.sort(values)
    return (np.abs(played - values) <= 1e-9 * np.maximum(1, np.abs(values))).all(axis=-1)


@lru_cache(256)
def _simulated(game: Game) -> np.ndarray:
    """Return outcomes of rounds that are independent of any log."""
    outcomes: np.ndarray = np.asarray(game.simulate(_SIMULATED, seed="readings"), np.float64)
    return outcomes.reshape(_SIMULATED, -1)


def chance(game: Game, outcomes: Sequence[tuple[float, ...]], matched: int, *, first: bool = False) -> float:
    """Return an upper bound on the probability that a wrong game reproduces as many distinct outcomes.

    A wrong game's outcomes are independent of the logged ones, so each row matches with the probability that
    the game's law gives its outcome: estimated by the share among simulated rounds, plus one. The number of
    matching rows is then a sum of independent trials (Poisson binomial).
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
    # About the upper end of a 95 % interval: two standard deviations above the observed share.
    return min(1.0, (hits + 1 + 2 * math.sqrt(hits)) / (_SIMULATED + 1))
