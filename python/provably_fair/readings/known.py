"""The known games, and the parameters that a log's rows may have."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import lru_cache

from provably_fair.games import Game
from provably_fair.games.parameters import changed, choices_of, parameters_of
from provably_fair.names import named_games
from provably_fair.operators import bustabit
from provably_fair.operators.registry import NAMED, operator_named
from provably_fair.operators.salted import GAMES

_MOST = 64
"""Limit on the values tried for a parameter that the length of an outcome doesn't determine."""
_USUAL = (10, 20, 30, 40, 50, 100, 1000)


@lru_cache(1)
def known_games() -> tuple[Game, ...]:
    """Return the package's and operators' games with default parameters."""
    # Base classes precede the classes derived from them.
    return tuple(sorted(_listed(), key=lambda game: derivations(type(game))))


@lru_cache(1)
def searched_games() -> tuple[Game, ...]:
    """Return the games that a log is searched for: those and the cards of Crypto.Games."""
    return (*known_games(), *named_games("crypto_games").values())


def derivations(kind: type[Game]) -> int:
    """Return the number of known games that a class is or derives from."""
    return len({type(game) for game in _listed()}.intersection(kind.__mro__))


@lru_cache(1)
def _listed() -> tuple[Game, ...]:
    rooms = (name for name in NAMED if not operator_named(name).is_family)
    others = [game for module in rooms for game in named_games(module).values()]
    return (*(game() for game in GAMES.values()), *others)


@lru_cache(4096)
def size_of(game: Game) -> int:
    """Return the number of values of an outcome."""
    return math.prod(game.shape)


def variants(game: Game, size: int, every: bool = False) -> Iterator[Game]:
    """Yield a game with each text option and the parameters for this size; with `every`, others vary too."""
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
    """Return a game with each value of a parameter that could give outcomes of this size."""
    own = getattr(game, name)
    low, high = (_try(game, name, value) for value in (least, min(least + 1, most)))
    step = size_of(high) - size_of(low) if low is not None and high is not None else 0
    if low is not None and step:  # this parameter determines the length of an outcome
        values = {own, least + (size - size_of(low)) // step}
    elif every:
        values = {own, *range(least, min(most, least + _MOST) + 1), *_USUAL}
    else:
        values = {own}
    ordered = [own, *sorted(values - {own})]
    return [
        one for value in ordered if least <= value <= most and (one := _try(game, name, value)) is not None
    ]


def _try(game: Game, name: str, value: int) -> Game | None:
    try:
        return changed(game, **{name: value})
    except (TypeError, ValueError):
        return None


def era_of(game: Game) -> str | None:
    """Return the name of the operator's era whose rule a game is; None if there is none."""
    return next((era.name for era in bustabit.ERAS if era.game == game), None)
