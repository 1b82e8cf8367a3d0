"""The questions that may be asked of games of a class, and the four methods that answer them.

The methods of a kind's base have its questions as keyword arguments, and call these functions. What answers
them, `answering`, is loaded by the first question: playing needs none of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from provably_fair._core.arguments import BadType, did_you_mean
from provably_fair._core.signatures import signature_of
from provably_fair.seeds.series import SERIES_OPTIONS

from .kind import AnyGame, check_names, questions_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


def naming_options(cls: Any) -> None:
    """Make the methods with questions that a class defines name their options where one is unknown."""
    for name in "distribution", "observe", "bet", "tally", "survival":
        if name in vars(cls):
            setattr(cls, name, _naming(name, vars(cls)[name]))


def _naming(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    parameters = signature_of(method).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return method
    known = tuple(one.name for one in parameters)

    @functools.wraps(method)
    def asked(self: Any, *values: Any, **named: Any) -> Any:
        if named.keys() <= {*known}:
            return method(self, *values, **named)
        if name != "bet":  # a class may pay by a rule with options of its own
            questions = known[1:] if name == "survival" else questions_of(type(self))
            check_names(self, [one for one in named if one not in known], questions)
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

    for name in options.keys() - {*game.scheme.fields, *game.parameters, *SERIES_OPTIONS}:
        if meant := did_you_mean(name, asked):
            raise BadType(name, sentence=f"{type(game).__name__} has no option {name!r}{meant}")

    return answering.tally(game, rounds, asked, **options)
