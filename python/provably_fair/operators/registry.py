"""Operators by name: their games, and what else an operator is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import chain
from sys import modules
from typing import Any

__all__ = [
    "EVERYWHERE",
    "LISTED",
    "NAMED",
    "TYPED",
    "Operator",
    "all_games",
    "column_names",
    "operator_named",
    "spellings",
    "words_of",
]

EVERYWHERE: Mapping[str, tuple[str, ...]] = {
    "server_seed": ("server seed", "server seed plain", "unhashed server seed", "revealed server seed"),
    "client_seed": ("client seed",),
    "nonce": ("nonce",),
    "outcome": ("outcome", "result"),
    "commitment": ("server seed hash", "server seed hashed", "hashed server seed", "server seed commitment",
        "commitment hash", "server hash", "seed hash", "hashed seed"),
    "salt_commitment": ("salt hash", "hashed salt"),
    "game_hash": ("game hash",),
    "terminating": ("terminating hash",),
}  # fmt: skip
"""The words for each field; files spell and join them in any of the usual ways."""


@dataclass(frozen=True)
class Operator:
    """The facts of an operator besides its games, ``OPERATOR`` of its module, unless it is nothing else."""

    # The words for a field in its histories, besides the usual ones
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    eras: tuple[Any, ...] = ()  # the changes of its rules
    era: Callable[..., Any] | None = None  # the function from a game's number to its era
    first_nonces: tuple[int, ...] = ()  # the nonces of the first bet of a pair of seeds, if they are known
    is_family: bool = False  # whether these are games of several operators, each with its own numbers

    @cached_property
    def column_names(self) -> dict[str, tuple[str, ...]]:
        """The names of the columns of its histories, by field."""
        return {
            name: tuple(one for one in dict.fromkeys(chain(*map(spellings, words))) if one != name)
            for name in {**EVERYWHERE, **self.columns}
            for words in [(*EVERYWHERE.get(name, ()), *self.columns.get(name, ()))]
        }


_PACKAGE = __name__.rpartition(".")[0]
_OTHERS = Operator()
"""Operators of whom nothing else is known."""

_BARE = ("salted", "crypto_games")  # their games are typed without them: "dice", "video-poker"
TYPED = [name for name in modules[_PACKAGE].__all__ if name not in _BARE]
"""The operators whose games are typed with their name: "stake.dice"."""

# FPClub's dice can be named, but they aren't rounds that logs are tried for.
NAMED = [name for name in TYPED if name != "fpclub"]
"""Those whose logs can be of any of their games."""

LISTED = (*_BARE, *NAMED, "fpclub")
"""All operators, in the order in which games are listed; "salted" has the ten games of the document."""


def operator_named(name: Any) -> Operator:
    """Return the facts about the operator of this name, if any."""
    package = modules[_PACKAGE]
    module = getattr(package, name) if name in package.__all__ else None
    found: Operator = getattr(module, "OPERATOR", _OTHERS)
    return found


def all_games() -> dict[str, type[Any]]:
    """Return the classes of operators' games by the names that are typed."""
    from provably_fair.games import Game  # loads numpy

    rooms = [getattr(modules[_PACKAGE], name) for name in (*NAMED, "crypto_games")]
    offered = [getattr(room, name) for room in rooms for name in room.__all__]
    return {one.name: one for one in offered if isinstance(one, type) and issubclass(one, Game)}


def column_names(game: Any) -> dict[str, tuple[str, ...]]:
    """Return the names of columns of an operator's histories, by field; none for other games."""
    from provably_fair.games.naming import operator_of

    operator = operator_of(type(game))
    # The others aren't an operator's, or have logs of their own.
    return {} if operator in ("", "salted", "fpclub") else operator_named(operator).column_names


@cache
def words_of(field: str) -> tuple[str, ...]:
    """Return the words for a field in the histories of any operator."""
    own = [operator_named(name).columns.get(field, ()) for name in NAMED]
    return tuple(dict.fromkeys([*EVERYWHERE.get(field, ()), *chain(*own)]))


@lru_cache(1 << 12)
def spellings(words: str) -> tuple[str, ...]:
    """Return the usual ways to spell some words as the name of a column."""
    parts = words.split()
    titles = [part.capitalize() for part in parts]
    known = ["ID" if part == "id" else title for part, title in zip(parts, titles, strict=True)]
    return (
        "_".join(parts),
        "".join([parts[0], *titles[1:]]),
        "".join(titles),
        " ".join(parts),
        " ".join(titles),
        " ".join(known),
        "".join(known),
        "".join([parts[0], *known[1:]]),
        " ".join([titles[0], *parts[1:]]),
        "-".join(parts),
        "_".join(titles),
        "_".join(parts).upper(),
        " ".join(parts).upper(),
        "".join(parts),
    )
