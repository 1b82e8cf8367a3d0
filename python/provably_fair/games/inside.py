"""What other rooms ask of a game that users don't: each is a private method, or an attribute, of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._engine import Fields
from provably_fair._engine import Game as Engine
from provably_fair.distribution import Distribution
from provably_fair.seeds import HashChain

from ._engine_rounds import EngineRounds
from ._laws import combinations_of, outcome_distance
from ._rounds import Series
from .engine_game import EngineGame
from .game import Game
from .looks import Example, Look

if TYPE_CHECKING:
    from provably_fair.bets import Bet

G = TypeVar("G", bound=Game)


def looks_of(game: Game, *, bias: bool = False) -> tuple[Look, ...]:
    """Return what tests of outcomes look at, one after the other; or where the largest bias is looked for."""
    return game._bias_looks() if bias else game._looks()


def independent_looks(game: Game) -> tuple[Look, ...]:
    """Return looks at independent parts that are the whole outcome together; none where there are none."""
    return game._independent_looks()


def distance_of_outcomes(game: Game) -> Fraction:
    """Return a bound on the distance of outcomes from those of uniform draws: the sum of the draws' own.

    It is in total variation. Where it isn't known, an error says why.
    """
    return outcome_distance(game)


def look_law(game: Game, look: Look, outcomes: np.ndarray) -> tuple[Distribution, np.ndarray]:
    """Return the law of one of a game's looks, and its values in outcomes, for a chi-square test.

    The law is of a number of values that can be listed, ranges of them where there are more; where what is
    looked at is the outcome itself, the values hold impossible ones too.
    """
    return game._look_law(look, outcomes)


def example_of(kind: type[Game]) -> Example:
    """Return what a picture of all games shows of a kind."""
    return kind._example()


def check_outcomes(game: Game, outcomes: ArrayLike, name: str = "outcomes") -> np.ndarray:
    """Return outcomes as an array; what the game can't give is refused, with its row."""
    return game._checked(outcomes, name)


def check_dtype(game: Game, argument: str, dtype: np.dtype) -> None:
    """Refuse a type that doesn't hold all outcomes or doesn't tell them apart."""
    game._rounds.check_dtype(argument, dtype)


def check_values(game: Game) -> None:
    """Refuse a game whose outcomes have no values, of which there is nothing to compare."""
    game._rounds.check_values()


def changed(game: G, **values: object) -> G:
    """Return the game with other values of some of its parameters, under the same scheme."""
    return game._changed(**values)


def widest(game: G, **parameters: object) -> G:
    """Return the game whose outcomes hold those of all rounds of a call, with their largest parameters."""
    return game._widest(**parameters)


def constant_seeds(game: Game) -> tuple[str, str] | None:
    """Return server seed and client seed of every round, where they are constant; else None."""
    return game._constant_seeds


def simulated_rounds(
    game: Game, rounds: int, seed: int | str = 0, start: int = 0, **fields: object
) -> Series:
    """Return what makes the fields of simulated rounds, in pieces: its `values` are as `play` takes them."""
    return game._rounds.series(rounds, seed, start, fields)


def rounds_of(game: EngineGame) -> EngineRounds:
    """Return how a game's rounds are played."""
    return game._rounds


def bet_under(game: Game, bet: Bet, kind: Literal["ideal", "as_drawn"]) -> Bet:
    """Return a bet that says which law it has, and how far its return can be off."""
    return game._known(bet, kind)


def law_of_bet(
    game: Game, law: str, questions: Mapping[str, object]
) -> tuple[Distribution, Literal["ideal", "as_drawn"]]:
    """Return the law of what a bet is on, and which it is; "best" is ideal only where that is as good."""
    return game._bet_law(law, questions)


def engine_of(game: EngineGame) -> Engine:
    """Return the engine's game."""
    return game._engine


def catalog_engine(game: Game) -> Engine | None:
    """Return the engine's game; None of a game in Python."""
    return getattr(game, "_engine", None)


def play_fields(game: Game, fields: Fields, threads: int | None) -> np.ndarray:
    """Return the outcomes of rounds whose fields the engine holds."""
    return game._rounds.outcomes(fields, threads, None)


def typed_name(game: Game) -> str:
    """Return a game as it can be typed: stake.dice, mines:mines=5, package.module:Keno:picks=5.

    A scheme that isn't its class's own stands behind it: that is typed by itself.
    """
    kind = type(game)
    ours = kind.__module__.partition(".")[0] == __name__.partition(".")[0]
    name = game.name if ours else f"{kind.__module__}:{kind.__qualname__}"
    shown = {one.name: getattr(game, one.name) for one in fields(game)}
    usual = {one.name: one.default for one in fields(game)}
    values = ",".join(f"{name}={value}" for name, value in shown.items() if value != usual[name])
    under = "" if game.scheme == kind.scheme else f" under {game.scheme!r}"
    return f"{name}{':' if values else ''}{values}{under}"


def title_of(game: Game) -> str:
    """Return what a game is called in words, such as Stake's dice; nothing where its class doesn't say it."""
    title, colon, _ = (type(game).__doc__ or "").partition("\n")[0].partition(":")
    return title if colon else ""


def chain_of(game: Game) -> tuple[HashChain, int]:
    """Return the chain of a game's hashes, and the number before that of its first game."""
    return game._chain, game._terminating_game


def words_of(game: Game) -> Mapping[str, int | None]:
    """Return what values of outcomes are called in logs; None of words that may mean either value."""
    return game._words


def notations_of(game: Game) -> frozenset[str]:
    """Return how else outcomes are written in logs: "percent", "path", "bucket"."""
    return game._notations


def knows_law(game: Game, most: int) -> bool:
    """Tell whether laws are found soon: by the game itself, or by trying at most this many combinations."""
    if isinstance(game._rounds, EngineRounds) or game._knows_law or game.monotone:
        return True
    combinations = combinations_of(game)
    return combinations is not None and combinations <= most
