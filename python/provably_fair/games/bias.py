"""How far the laws of games as drawn are from the ideal ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from provably_fair.distribution import Distribution

from ._engine_game import catalog_classes
from ._game import Game, game_of

__all__ = ["Bias", "bias_table"]


class Bias(NamedTuple):
    """The outcome of a game whose probability as drawn is farthest from the ideal one, relatively.

    `relative` is (as drawn - ideal) / ideal, an exact fraction.
    """

    game: Game
    subject: str
    outcome: Any
    relative: Fraction


def bias_table(games: Any = None) -> tuple[Bias, ...]:
    """Return the largest relative bias of each game: how far as-drawn probabilities are from ideal ones.

    Of Mines it is that of a single cell, of Tower of a position of a row, of Slot of a reel's stop, of
    Plinko of a bucket, of the others of an outcome.

    Parameters
    ----------
    games : iterable of Game, optional
        The games to look at; all ten with their default parameters otherwise.

    Returns
    -------
    tuple of Bias
        For each game, ``.game``, ``.subject``, ``.outcome`` and ``.relative``, an exact fraction.

    Examples
    --------
    >>> import provably_fair as pf
    >>> for bias in pf.bias_table([pf.Dice(), pf.Double()]):
    ...     print(bias.game.name, bias.outcome, f"{float(bias.relative):.1e}")
    dice 50.11 -1.1e-12
    double 11 1.2e-15
    """
    if games is None:
        games = [make() for make in catalog_classes().values()]
    try:
        chosen = list(games)
    except TypeError:
        raise TypeError(f"games must be games, got {type(games).__name__}") from None
    return tuple(_largest(game_of("games", game)) for game in chosen)


def _largest(game: Game) -> Bias:
    found = []
    for look in game.bias_looks():
        ideal = game.distribution("ideal", **look.subject)
        place, relative = _worst(ideal, game.distribution("as_drawn", **look.subject))
        named = ", ".join(f"{name}={value!r}" for name, value in look.subject.items())
        found.append(Bias(game, named or "outcome", ideal.outcomes[place].item(), relative))
    return max(found, key=lambda bias: abs(bias.relative))


def _worst(ideal: Distribution, drawn: Distribution) -> tuple[int, Fraction]:
    """Return the place and the size of the largest relative difference."""
    best, place = (0, 1), 0
    for i, (w, v) in enumerate(zip(ideal.weights, drawn.weights, strict=True)):
        apart, out_of = v * ideal.total - w * drawn.total, w * drawn.total
        if abs(apart) * best[1] > abs(best[0]) * out_of:
            best, place = (apart, out_of), i
    return place, Fraction(*best)
