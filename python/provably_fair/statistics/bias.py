"""The bias of games: laws as drawn compared with ideal laws."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.printable import plain
from provably_fair._core.table import Sheet, Tabular, displayed
from provably_fair._core.types import Columns
from provably_fair.distribution import Distribution
from provably_fair.games import Game
from provably_fair.games.fairness import looks_of
from provably_fair.names import given_game
from provably_fair.operators.salted import GAMES


@displayed
class Bias(NamedTuple):
    """The outcome of a game whose probability as drawn differs most from the ideal one, relatively.

    `relative` is (as drawn - ideal) / ideal, an exact fraction.
    """

    game: Game
    subject: str
    outcome: Any
    relative: Fraction


class BiasTable(Tabular, tuple[Bias, ...]):
    """A tuple of `Bias`, displayed as a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self:
            return "<BiasTable of no games>"
        largest = max(self, key=lambda bias: abs(bias.relative))
        return (
            f"<BiasTable of {len(self)} games: largest {float(largest.relative):.1e}, {largest.game!r:.60}>"
        )

    def _sheet(self) -> Sheet:
        rows = [(plain(repr(b.game), 48), b.subject, b.outcome, f"{float(b.relative):.1e}") for b in self]
        return Sheet("Largest relative bias: as drawn against ideal", Bias._fields, rows, "llr")

    def _columns(self) -> Columns:
        return {
            "game": [repr(bias.game) for bias in self],
            "subject": [bias.subject for bias in self],
            "outcome": [bias.outcome for bias in self],
            "relative": [float(bias.relative) for bias in self],
        }


def bias_table(games: Any = None) -> BiasTable:
    """Return the largest relative bias of each game: how far as-drawn probabilities are from ideal ones.

    For Mines it is the bias of a single cell, for Tower of a position in a row, for Slot of a reel's stop,
    for Plinko of a bucket, and for the others of an outcome. Outcomes that the ideal law doesn't have, such
    as -1 for a card that is missing, aren't compared.

    Parameters
    ----------
    games : iterable of Game or str, optional
        The games, or their names; by default the ten salted games with their default parameters.

    Returns
    -------
    BiasTable
        A tuple of `Bias`, which notebooks show as a table: ``.game``, ``.subject``, ``.outcome`` and
        ``.relative``, an exact fraction, for each game.

    Examples
    --------
    >>> for bias in pf.statistics.bias_table([pf.Dice(), pf.Double()]):
    ...     print(bias.game.name, bias.outcome, f"{float(bias.relative):.1e}")
    dice 50.11 -1.1e-12
    double 11 1.2e-15
    """
    if games is None:
        games = [kind() for kind in GAMES.values()]
    try:
        chosen = list(games)
    except TypeError:
        raise BadType("games", f"must be games, got {type(games).__name__}") from None
    return BiasTable(_largest(given_game("games", game)) for game in chosen)


def _largest(game: Game) -> Bias:
    rows = []
    for look in looks_of(game, bias=True):
        ideal = game.distribution("ideal", **look.subject)
        place, relative = _worst(ideal, game.distribution("as_drawn", **look.subject))
        named = ", ".join(f"{name}={value!r}" for name, value in look.subject.items())
        rows.append(Bias(game, named or "outcome", ideal.outcomes[place].item(), relative))
    if not rows:
        raise BadValue("games", f"must have outcomes with values, got {game!r:.60} of shape {game.shape}")
    return max(rows, key=lambda bias: abs(bias.relative))


def _worst(ideal: Distribution, drawn: Distribution) -> tuple[int, Fraction]:
    """Return the index and the size of the largest relative difference, of the ideal law's outcomes."""
    # A law as drawn may lack some, or have others: -1 for a card that a used up digest doesn't give.
    weights = dict(zip(drawn.outcomes.tolist(), drawn.weights, strict=True))
    best, place = (0, 1), 0
    for i, (value, w) in enumerate(zip(ideal.outcomes.tolist(), ideal.weights, strict=True)):
        apart, out_of = weights.get(value, 0) * ideal.total - w * drawn.total, w * drawn.total
        if abs(apart) * best[1] > abs(best[0]) * out_of:
            best, place = (apart, out_of), i
    return place, Fraction(*best)
