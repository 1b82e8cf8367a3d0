"""The questions that may be asked of games of a class, and the four methods that answer them.

The methods of a kind's base have its questions as keyword arguments, and call these functions. What answers
them, `answering`, is loaded by the first question: playing needs none of it.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from provably_fair._core.errors import BadType
from provably_fair._core.signatures import signature_of

from .any_game import AnyGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally

__all__ = [
    "Option",
    "asked_of",
    "bet",
    "check_names",
    "distribution",
    "naming_options",
    "observe",
    "options_of_bet",
    "questions_of",
    "tally",
]


def check_names(game: AnyGame, named: Iterable[str], known: Iterable[str], also: Iterable[str] = ()) -> None:
    """Refuse unknown options, and suggest the nearest known one."""
    known, also = [*known], [*also]
    for name in named:
        if name in known or name in also:
            continue
        near = difflib.get_close_matches(name, [*known, *also], 1, 0.5)
        meant = f": did you mean {near[0]}?" if near else "."
        more = f", and a bet takes {' and '.join(also)}" if also else ""
        owner = type(game).__name__
        sentence = f"{owner} has no option {name!r}{meant} Its options are {', '.join(known)}{more}"
        raise BadType(name, sentence=sentence)


class Option(NamedTuple):
    """A question that may be asked of games of a class: a keyword argument of its `distribution`."""

    type: str
    default: Any


def questions_of(cls: Any) -> Mapping[str, Option]:
    """Return the questions that may be asked of games of a class, by name."""
    return _questions(cls.distribution)


@functools.lru_cache
def _questions(method: Callable[..., Any]) -> Mapping[str, Option]:
    return {
        name: Option(str(one.annotation), one.default)
        for name, one in signature_of(method).parameters.items()
        if one.kind is one.KEYWORD_ONLY
    }


def options_of_bet(cls: Any) -> dict[str, Option]:
    """Return the options of bets on games of a class: its questions, and what its own `pays` takes."""
    pays = getattr(cls, "pays", None)
    takes = signature_of(pays).parameters.values() if callable(pays) else ()
    own = {
        one.name: Option(str(one.annotation), one.default) for one in takes if one.kind is one.KEYWORD_ONLY
    }
    return {**questions_of(cls), **own}


def asked_of(game: AnyGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the questions among options that are asked: those that differ from their defaults."""
    known = questions_of(type(game))
    return {
        name: value
        for name, value in options.items()
        if name not in known or value is not known[name].default
    }


def naming_options(cls: Any) -> None:
    """Make the four methods that a class defines name their options where one is unknown."""
    for name in "distribution", "observe", "bet", "tally":
        if name in vars(cls):
            setattr(cls, name, _naming(name, vars(cls)[name]))


def _naming(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    parameters = signature_of(method).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return method
    known = frozenset(one.name for one in parameters)

    @functools.wraps(method)
    def asked(self: Any, *values: Any, **named: Any) -> Any:
        if named.keys() <= known:
            return method(self, *values, **named)
        if name != "bet":  # a class may pay by a rule with options of its own
            check_names(self, [one for one in named if one not in known], questions_of(type(self)))
        return bet(self, *values, **named)

    return asked


def distribution(game: AnyGame, law: str, **options: Any) -> Distribution:
    """Return the exact law of what is asked; see `Game.distribution`."""
    from . import answering

    return answering.distribution(game, law, **options)


def observe(game: AnyGame, outcomes: ArrayLike, **options: Any) -> np.ndarray:
    """Return the values of outcomes, as asked; see `Game.observe`."""
    from . import answering

    return answering.observe(game, outcomes, **options)


def bet(game: AnyGame, payout: Any = None, **options: Any) -> Bet:
    """Return a bet on what is asked; see `Game.bet`."""
    from . import answering

    return answering.bet(game, payout, **options)


def tally(game: AnyGame, rounds: int, asked: Mapping[str, Any], **options: Any) -> Tally:
    """Count the outcomes of simulated rounds, or the values of what is asked; see `Game.tally`."""
    from . import answering

    return answering.tally(game, rounds, asked, **options)
