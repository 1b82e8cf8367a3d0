"""Laws of the engine's games, which it computes from their one definition."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from provably_fair import distribution
from provably_fair._engine import Scheme as EngineScheme
from provably_fair.seeds.schemes import engine_scheme

from .kind import AnyGame
from .laws import UnlistedLawError, mapped
from .looks import Of, OfPart
from .rounds import rounds_of
from .samples import Hits

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution


def general_law(game: AnyGame, drawn: bool, of: Of | None) -> Distribution:
    """Return the law of a single value or of a function of it, or of the hits in one part of an outcome."""
    engine = rounds_of(game).engine
    part, asked = (of.place, of.of) if isinstance(of, OfPart) else (0, of)
    if isinstance(asked, Hits) and game.shape:
        most = engine.bounds[1]
        among = sum(1 << value for value in asked.chosen if value <= most)
        return engine_law(game, drawn, part=part, among=among)
    if game.shape:
        raise TypeError(
            f"{type(game).__name__} must state a kind, which says what its laws are of: its outcomes are "
            f"arrays of shape {game.shape}"
        )
    return mapped(engine_law(game, drawn), of)


def compute_law(game: AnyGame, drawn: bool, **subject: Any) -> Distribution:
    """Return a law that the engine computes, without caching it.

    `subject` names the value: ``part`` and ``cell`` of the outcome, the one ``draw`` that decides it, or the
    number of cells of a part ``among`` the values whose bits are set.
    """
    values, digits = rounds_of(game).engine.law(_weigher(game, drawn), **subject)
    weights = [int.from_bytes(weight, "little") for weight in digits]
    return distribution.Distribution(values if game.dtype.kind != "f" else values / 100, weights)


engine_law: Callable[..., Distribution] = lru_cache(maxsize=128)(compute_law)


def _weigher(game: AnyGame, drawn: bool) -> EngineScheme | None:
    """Return the scheme that weighs draws; None for the ideal law. Refuse draws from whole digests."""
    if not drawn:
        return None
    if game.scheme.below in ("digest", "double"):
        raise UnlistedLawError(
            f"{type(game).__name__} has no law as drawn that can be listed where whole digests are drawn: "
            'ask for law="ideal"; law_error of a bet on it says how far it may be off'
        )
    return engine_scheme(game.scheme)


def weight_up_to(game: AnyGame, drawn: bool, value: int) -> tuple[int, int]:
    """Return the weight of the outcomes up to a value, and of all, of a game that grows with its one draw."""
    found: tuple[int, int] = rounds_of(game).engine.up_to(_weigher(game, drawn), value)
    return found
