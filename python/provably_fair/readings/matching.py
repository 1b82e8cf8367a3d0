"""Rows that a reading reproduces, and the probability that a wrong reading would."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from provably_fair._core.printable import decoded
from provably_fair.games import Deal, Game
from provably_fair.games.deals import dealing

from .reread import Reread

__all__ = ["BOUND", "chance", "deal_of", "matches", "values_in"]

BOUND = 1e-6
"""Limit on the probability that a wrong reading matches as many rows, times the readings tried."""

_SIMULATED = 2000
_SETTLED = 100
"""The number of simulated rounds that are settled at a table, one by one."""


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


def deal_of(game: Game) -> Deal | None:
    """Return the deal of cards that a game is, or reads otherwise; None of another game."""
    while isinstance(game, Reread):
        game = game.game
    return game if isinstance(game, Deal) and game.table is not None else None


def _chosen(game: Game, fields: Mapping[str, Sequence[Any]], rows: int) -> Sequence[Any]:
    """Return the player's decisions at a table, by row; None where there are none."""
    deal = deal_of(game)
    return [None] * rows if deal is None else fields.get(deal.kind.choice, [None] * rows)


def matches(
    game: Game,
    fields: Mapping[str, Sequence[Any]],
    outcomes: Sequence[tuple[float, ...]],
    *,
    first: bool = False,
    ordered: bool | None = None,
) -> np.ndarray:
    """Return which rows a game reproduces, a few aside that it can't play; none if those are more.

    Fields that its scheme lacks are ignored, but for a player's decisions at a table, where outcomes may be
    what came of these. With `first`, outcomes may be the game's first values only; `ordered` says whether
    values must be in the order drawn, by default as the game's class has it.
    """
    given: dict[str, Any] = {name: list(fields[name]) for name in game.scheme.fields if name in fields}
    deal, chosen = deal_of(game), _chosen(game, fields, len(outcomes))
    left, matched = list(range(len(outcomes))), np.zeros(len(outcomes), bool)
    for _ in range(2 + len(left) // 50):
        try:
            with np.errstate(all="ignore"):
                # A hand may need more cards than the log has.
                dealt = np.asarray((dealing(game, likely=True) if game is deal else game).play(**given))
                played = dealt.astype(np.float64).reshape(len(left), -1)
        except Exception as error:  # an altered rule, or a user's own code, may fail in any way
            row = getattr(error, "row", None)
            if not isinstance(row, int) or not 0 <= row < len(left) > 1:
                break
            for cells in (left, *given.values()):
                del cells[row]
        else:
            own, logged = game.ordered if ordered is None else ordered, [outcomes[row] for row in left]
            if deal is not None:
                from provably_fair.cards.held import agreeing

                matched[left] = agreeing(deal, dealt, logged, [chosen[row] for row in left])
            else:
                matched[left] = _alike(played, logged, first, own)
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


def chance(
    game: Game,
    outcomes: Sequence[tuple[float, ...]],
    matched: int,
    *,
    first: bool = False,
    fields: Mapping[str, Sequence[Any]] = MappingProxyType({}),
) -> float:
    """Return an upper bound on the probability that a wrong game reproduces as many distinct outcomes.

    A wrong game's outcomes are independent of the logged ones, so each row matches with the probability that
    the game's law gives its outcome: estimated by the share among simulated rounds, plus one. The number of
    matching rows is then a sum of independent trials (Poisson binomial). At a table a wrong game's cards are
    played by the decisions of the row, which `fields` have.
    """
    try:
        with np.errstate(all="ignore"):
            played = _simulated(game)
    except Exception:  # as in `matches`
        return 1.0
    rows = [*zip(outcomes, _chosen(game, fields, len(outcomes)), strict=True)]
    each: dict[str, float] = {}
    for row in rows:
        if repr(row) not in each:
            each[repr(row)] = _share(game, played, *row, first)
    tail = np.zeros(len(outcomes) + 1)
    tail[0] = 1.0
    for row in rows:
        hit = each[repr(row)]
        tail[1:] = tail[1:] * (1 - hit) + tail[:-1] * hit
        tail[0] *= 1 - hit
    return float(min(1.0, tail[matched:].sum()))


def _share(game: Game, played: np.ndarray, logged: tuple[float, ...], chosen: Any, first: bool) -> float:
    size, rounds = len(logged), _SIMULATED
    if (deal := deal_of(game)) is not None:
        from provably_fair.cards.held import agreeing

        rounds = _SETTLED
        cards = played[:rounds].astype(np.int64)
        hits = int(agreeing(deal, cards, [logged] * rounds, [chosen] * rounds).sum())
    elif size > played.shape[1] or (size < played.shape[1] and not first):
        return 1 / (_SIMULATED + 1)
    else:
        hits = int(_is_near(played[:, :size], logged, game.ordered).sum())
    # About the upper end of a 95 % interval: two standard deviations above the observed share.
    return min(1.0, (hits + 1 + 2 * math.sqrt(hits)) / (rounds + 1))
