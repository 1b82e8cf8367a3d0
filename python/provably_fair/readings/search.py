"""The search for what explains rows: the rows that a hypothesis reproduces, and whether a wrong one would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.arguments import is_single
from provably_fair._core.errors import BadType
from provably_fair._core.printable import decoded
from provably_fair.games import Deal, Game
from provably_fair.games.deals import dealing

from .reread import EDITS, Reread

BOUND = 1e-6
"""Limit on the probability that a wrong hypothesis fits as many rows, times the hypotheses tried."""

_SIMULATED = 2000
_SETTLED = 100
"""The number of simulated rounds that are settled at a table, one by one."""
_ONE_BY_ONE = 256
"""The most rounds that are played one by one if a game can't play all of them."""


class Cells(NamedTuple):
    """Rows to be explained: their cells by field, and their outcomes as numbers."""

    fields: Mapping[str, Sequence[Any]]
    outcomes: Sequence[tuple[float, ...]]

    def some(self, rows: Sequence[int]) -> Cells:
        """Return some rows."""
        fields = {name: [cells[row] for row in rows] for name, cells in self.fields.items()}
        return Cells(fields, [self.outcomes[row] for row in rows])

    def first(self, count: int) -> Cells:
        """Return the first rows."""
        return self.some(range(min(count, len(self.outcomes))))


@dataclass(frozen=True)
class Evidence:
    """The rows that a game reproduces, among those on which it was tried."""

    game: Game
    cells: Cells
    which: np.ndarray
    first: bool = False  # whether the outcomes may be the game's first values only

    @property
    def matched(self) -> int:
        """The number of rows that the game reproduces."""
        return int(self.which.sum())

    @property
    def tried(self) -> int:
        """The number of rows."""
        return len(self.which)

    @cached_property
    def pvalue(self) -> float:
        """An upper bound on the probability that a wrong game reproduces as many distinct outcomes.

        A wrong game's outcomes are independent of the logged ones, so each row matches with the probability
        that the game's law gives its outcome: estimated by the share among simulated rounds. At a table these
        are played by the decisions of the row. Rows that are one round to the game count once. Paths of one
        row more or less begin alike, so half of their buckets are the same, or those beside.
        """
        try:
            with np.errstate(all="ignore"):
                played = _simulated(self.game)
        except Exception:  # as in `matches`
            return 1.0
        if deal_of(self.game) is not None:
            played = played[:_SETTLED].astype(np.int64)
        each: dict[str, float] = {}
        rounds: dict[str, list[int]] = {}
        for place, key in enumerate(_rounds(self.game, self.cells)):
            rounds.setdefault(key, []).append(place)
        logged = [*zip(self.cells.outcomes, _chosen(self.game, self.cells), strict=True)]
        rows = [logged[places[0]] for places in rounds.values()]
        for row in rows:
            if repr(row) not in each:
                hits = _are_alike(self.game, played, *row, self.first).sum()
                rate = float(upper_rate(hits, len(played)))
                each[repr(row)] = max(rate, 0.5) if _is_bucket(self.game, row[0]) else rate
        matched = sum(bool(self.which[places].all()) for places in rounds.values())
        return tail([each[repr(row)] for row in rows], matched)


def evidence(game: Game, parts: Iterable[Cells], *, first: bool = False) -> Evidence | None:
    """Return which rows a game reproduces; None unless it does most of the first few, and so on to all."""
    seen = None
    for cells in parts:
        seen = Evidence(game, cells, matches(game, cells, first=first), first)
        if 2 * seen.matched <= seen.tried:
            return None
    return seen


def upper_rate(hits: Any, tried: int) -> Any:
    """Return about the upper end of a 95 % interval of a rate: two standard deviations above the observed."""
    return np.minimum(1.0, (hits + 1 + 2 * np.sqrt(hits)) / (tried + 1))


def tail(rates: Sequence[float] | np.ndarray, matched: int) -> float:
    """Return the probability that as many rows match by chance, each at its own rate (Poisson binomial)."""
    law = np.zeros(len(rates) + 1)
    law[0] = 1.0
    for rate in rates:
        law[1:] = law[1:] * (1 - rate) + law[:-1] * rate
        law[0] *= 1 - rate
    return float(min(1.0, law[matched:].sum()))


def is_sure(pvalue: float, tried: int, bound: float = BOUND) -> bool:
    """Return whether any of the hypotheses tried would hardly fit as well by chance."""
    return pvalue * max(tried, 1) < bound


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


def matches(game: Game, cells: Cells, *, first: bool = False) -> np.ndarray:
    """Return which rows a game reproduces, a few aside that it can't play; none if those are more.

    Fields that its scheme lacks are ignored, but for a player's decisions at a table, where outcomes may be
    what came of these. With `first`, outcomes may be the game's first values only.
    """
    deal, chosen = deal_of(game), _chosen(game, cells)
    given: dict[str, Any] = {
        name: list(cells.fields[name]) for name in game.scheme.fields if name in cells.fields
    }
    left, matched = list(range(len(cells.outcomes))), np.zeros(len(cells.outcomes), bool)
    for _ in range(2 + len(left) // 50):
        try:
            with np.errstate(all="ignore"):
                # A hand may need more cards than the log has.
                dealt = (dealing(game, likely=True) if game is deal else game).play(**given)
                played = np.asarray(dealt, None if deal else np.float64).reshape(len(left), -1)
        except Exception as error:  # an altered rule, or a user's own code, may fail in any way
            row = getattr(error, "row", None)
            if not isinstance(row, int) or not 0 <= row < len(left) > 1:
                break
            for column in (left, *given.values()):
                del column[row]
        else:
            pairs = zip(played, left, strict=True)
            matched[left] = [
                _are_alike(game, values, cells.outcomes[row], chosen[row], first) for values, row in pairs
            ]
            break
    return matched


def deal_of(game: Game) -> Deal | None:
    """Return the deal of cards that a game is, or reads otherwise; None of another game."""
    game = _as_it_is(game)
    return game if isinstance(game, Deal) and game.table is not None else None


def _as_it_is(game: Game) -> Game:
    """Return the game that a game reads otherwise, or the game itself."""
    while isinstance(game, Reread):
        game = game.game
    return game


def choice_of(game: Game) -> str | None:
    """Return the field of the player's decisions at a table."""
    deal = deal_of(game)
    return None if deal is None else deal.kind.choice


def _chosen(game: Game, cells: Cells) -> Sequence[Any]:
    """Return the player's decisions at a table, by row; None where there are none."""
    return cells.fields.get(choice_of(game) or "", [None] * len(cells.outcomes))


def _is_bucket(game: Game, logged: tuple[float, ...]) -> bool:
    """Return whether an outcome among pegs is the number of a bucket."""
    return len(logged) == 1 and "bucket" in game.kind.notations


def _are_alike(game: Game, played: np.ndarray, logged: tuple[float, ...], chosen: Any, first: bool) -> Any:
    """Return whether outcomes, one or one a row, equal a logged one up to rounding, or begin with it.

    At a table they are cards, and may be played by the decisions that were chosen.
    """
    if (deal := deal_of(game)) is not None:
        from provably_fair.cards.held import agreeing

        dealt = np.atleast_2d(played)
        alike = agreeing(deal, dealt, [logged] * len(dealt), [chosen] * len(dealt))
        return alike.reshape(played.shape[:-1])
    size, values = len(logged), np.array(logged)
    if _is_bucket(game, logged):  # how often a ball went to the right
        played = played.sum(axis=-1, keepdims=True)
    if size > played.shape[-1] or (size < played.shape[-1] and not first):
        return np.zeros(played.shape[:-1], bool)
    played = played[..., :size]
    if values.dtype == np.float32:
        played = played.astype(np.float32)
    if not _as_it_is(game).ordered:
        played, values = np.sort(played), np.sort(values)
    return (np.abs(played - values) <= 1e-9 * np.maximum(1, np.abs(values))).all(axis=-1)


def _rounds(game: Game, cells: Cells) -> list[str]:
    """Return what tells rounds apart, by row: the fields that the game hashes, as it reads them."""
    edits = dict(game.edits) if isinstance(game, Reread) else {}
    columns: list[list[Any]] = []
    for name in game.scheme.fields:
        column = list(cells.fields.get(name, ()))
        for row, cell in enumerate(column if name in edits else ()):
            with suppress(Exception):  # a cell that doesn't fit can't be played either
                column[row] = EDITS[edits[name]][1](decoded(cell))
        columns += [column] if column else []
    return [repr([column[row] for column in columns]) for row in range(len(cells.outcomes))]


def played(game: Game, fields: Mapping[str, Any], rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the outcomes of rounds, and which of them a game can play, of many rounds all or none."""
    try:
        with np.errstate(all="ignore"):
            return np.asarray(game.play(**fields)), np.ones(rounds, bool)
    except Exception:  # as in `matches`
        if rounds <= 1 or rounds > _ONE_BY_ONE:
            return np.zeros((rounds, 1)), np.zeros(rounds, bool)
    several = {name: value for name, value in fields.items() if not is_single(value)}
    each = [
        played(game, {**fields, **{name: value[row : row + 1] for name, value in several.items()}}, 1)
        for row in range(rounds)
    ]
    right = np.concatenate([could for _, could in each])
    shown = next((outcomes for outcomes, could in each if could[0]), np.zeros((1, 1)))
    return np.concatenate([outcomes if could[0] else shown for outcomes, could in each]), right


@lru_cache(256)
def _simulated(game: Game) -> np.ndarray:
    """Return outcomes of rounds that are independent of any log."""
    try:
        outcomes = game.simulate(_SIMULATED, seed="readings")
    except BadType:  # a field that can't be made, such as a beacon's; any other text is as good
        scheme = game.scheme
        hash = replace(scheme.hash, message="{nonce}:{cursor}", key=None)
        scheme = replace(scheme, hash=hash, fields=("nonce",), defaults={}, commitment=None, beacon=None)
        outcomes = game.with_scheme(scheme).simulate(_SIMULATED, seed="readings")
    return np.asarray(outcomes, np.float64).reshape(_SIMULATED, -1)
