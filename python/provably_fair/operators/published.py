"""Rounds that operators published, or that were captured during play, with their sources.

No operator has confirmed or approved them. Each game of `provably_fair.operators` reproduces all of its
rounds.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import numpy as np

from provably_fair._core.arguments import check_type
from provably_fair.games import Game

from .registry import all_games

__all__ = ["PublishedRound", "rounds"]

# The published part of an outcome, by its name: a function of the whole outcome and of the part.
_KNOWN: Mapping[str, Any] = MappingProxyType(
    {
        "all": lambda outcome, _known: outcome,
        "the first values": lambda outcome, known: outcome[: len(known)],
        "in any order": lambda outcome, _known: np.sort(outcome),
        "the sum": lambda outcome, _known: outcome.sum(),
        "three decimals": lambda outcome, _known: np.array([float(f"{value:.3f}") for value in outcome]),
    }
)


@dataclass(frozen=True)
class PublishedRound:
    """A round whose outcome was published.

    Attributes
    ----------
    game : Game
        The game, with its parameters.
    fields : dict
        Its fields, as `play` takes them.
    outcome : number or list
        The published part of the outcome, as numbers.
    known : str
        Description of that part: "all", "the first values", "in any order", "the sum" or "three decimals".
    date : str
        The date of the round, as far as it is known: "2019", "November 2019", "unknown".
    source : str
        The place of publication.
    """

    game: Game
    fields: Mapping[str, Any]
    outcome: Any
    known: str
    date: str
    source: str

    def agrees(self, game: Game | None = None) -> bool:
        """Return whether a game, by default the round's own, reproduces the published part of the round.

        Examples
        --------
        >>> from provably_fair.operators import published, stake
        >>> tail = max(published.rounds(stake.Limbo()), key=lambda one: one.outcome)
        >>> tail.outcome, tail.agrees(), tail.agrees(stake.Limbo(reading="2026"))
        (3807692.3, True, False)
        """
        outcome = np.asarray((self.game if game is None else game).play(**self.fields))
        return bool(np.array_equal(_KNOWN[self.known](outcome, self.outcome), self.outcome))


def rounds(game: Game | None = None) -> tuple[PublishedRound, ...]:
    """Return the published rounds of all operators, or of a game's class, as a tuple.

    Examples
    --------
    >>> from provably_fair.operators import duel, published
    >>> len(published.rounds()), len(published.rounds(duel.Dice()))
    (552, 4)
    >>> all(one.agrees() for one in published.rounds(duel.Dice()))
    True
    """
    check_type("game", game, Game | None, "a Game, or None for all")
    return tuple(one for one in _read() if game is None or type(one.game) is type(game))


@cache
def _read() -> tuple[PublishedRound, ...]:
    text = files(__package__).joinpath("published.json.gz").read_bytes()
    classes = all_games()
    return tuple(
        PublishedRound(
            classes[group["game"]](**group["parameters"]),
            MappingProxyType(group["fields"] | own),
            outcome,
            group["known"],
            group["date"],
            group["source"],
        )
        for group in json.loads(gzip.decompress(text))
        for own, outcome in group["rounds"]
    )
