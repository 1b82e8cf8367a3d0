"""Games that are known, with the parameters that rows may be of."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import lru_cache

from provably_fair import operators
from provably_fair.games import Game
from provably_fair.games.parameters import changed, choices_of, parameters_of
from provably_fair.names import named_games
from provably_fair.operators import bustabit
from provably_fair.operators.salted import GAMES

__all__ = ["derivations", "era_of", "known_games", "size_of", "variants"]

_MOST = 64
"""Values of a parameter that are tried, where the length of an outcome doesn't say which it has."""
_USUAL = (10, 20, 30, 40, 50, 100, 1000)


@lru_cache(1)
def known_games() -> tuple[Game, ...]:
    """Return the games of the package and of operators, as they are without parameters."""
    # What others are derived from goes before them.
    return tuple(sorted(_listed(), key=lambda game: derivations(type(game))))


def derivations(kind: type[Game]) -> int:
    """Return how many classes of known games one is or is derived from."""
    return len({type(game) for game in _listed()}.intersection(kind.__mro__))


@lru_cache(1)
def _listed() -> tuple[Game, ...]:
    rooms = (name for name in operators.NAMED if name not in operators.FAMILIES)
    others = [game for room in rooms for game in named_games(room).values()]
    return (*(game() for game in GAMES.values()), *others)


@lru_cache(4096)
def size_of(game: Game) -> int:
    """Return how many values an outcome has."""
    return math.prod(game.shape)


def variants(game: Game, size: int, every: bool = False) -> Iterator[Game]:
    """Give a game with all of its texts, and with the parameters that make outcomes of a size.

    Parameters that don't decide it stay as they are, unless `every` says that they may be others, too.
    """
    texts = choices_of(game)
    for values in itertools.product(*texts.values()):
        yield from _sized(
            changed(game, **dict(zip(texts, values, strict=True))) if texts else game, size, every
        )


@lru_cache(4096)
def _sized(game: Game, size: int, every: bool) -> tuple[Game, ...]:
    games = [game]
    for name, limits in parameters_of(game).items():
        games = [other for one in games for other in _with(one, name, limits.least, limits.most, size, every)]
    return tuple(one for one in dict.fromkeys(games) if size_of(one) == size)


def _with(game: Game, name: str, least: int, most: int, size: int, every: bool) -> list[Game]:
    """Return a game with the values of a parameter that may make outcomes of a size."""
    own = getattr(game, name)
    low, high = (_try(game, name, value) for value in (least, min(least + 1, most)))
    step = size_of(high) - size_of(low) if low is not None and high is not None else 0
    if low is not None and step:  # it decides how long an outcome is
        values = {own, least + (size - size_of(low)) // step}
    elif every:
        values = {own, *range(least, min(most, least + _MOST) + 1), *_USUAL}
    else:
        values = {own}
    ordered = [own, *sorted(values - {own})]
    return [
        made for value in ordered if least <= value <= most and (made := _try(game, name, value)) is not None
    ]


def _try(game: Game, name: str, value: int) -> Game | None:
    try:
        return changed(game, **{name: value})
    except (TypeError, ValueError):
        return None


def era_of(game: Game) -> str | None:
    """Return the name of the era of an operator that a game is the rule of."""
    return next((era.name for era in bustabit.ERAS if era.game == game), None)
