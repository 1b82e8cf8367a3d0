"""The questions that may be asked of games of a class: the keyword arguments of its methods."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from provably_fair._core.errors import BadType
from provably_fair._core.signatures import signature_of

if TYPE_CHECKING:
    from .any_game import AnyGame

__all__ = ["Question", "asked_of", "check_names", "options_of_bet", "questions_of"]


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


class Question(NamedTuple):
    """A question that may be asked of games of a class: a keyword argument of its `distribution`."""

    type: str
    default: Any


def questions_of(cls: Any) -> Mapping[str, Question]:
    """Return the questions that may be asked of games of a class, by name."""
    return _questions(cls.distribution)


@functools.lru_cache
def _questions(method: Callable[..., Any]) -> Mapping[str, Question]:
    return {
        name: Question(str(one.annotation), one.default)
        for name, one in signature_of(method).parameters.items()
        if one.kind is one.KEYWORD_ONLY
    }


def options_of_bet(cls: Any) -> dict[str, Question]:
    """Return the options of bets on games of a class: its questions, and what its own `pays` takes."""
    pays = getattr(cls, "pays", None)
    takes = signature_of(pays).parameters.values() if callable(pays) else ()
    own = {
        one.name: Question(str(one.annotation), one.default) for one in takes if one.kind is one.KEYWORD_ONLY
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
