"""Names of the columns of operators' histories."""

from __future__ import annotations

from itertools import chain
from sys import modules
from typing import Any

__all__ = ["column_names", "spellings"]

# The words for each field; files spell and join them in any of the usual ways.
_EVERYWHERE = {
    "server_seed": ("server seed", "server seed plain", "unhashed server seed", "revealed server seed"),
    "client_seed": ("client seed",),
    "nonce": ("nonce",),
    "outcome": ("outcome", "result"),
    "commitment": ("server seed hash", "server seed hashed", "hashed server seed"),
    "game_hash": ("game hash",),
    "terminating": ("terminating hash",),
}


def column_names(game: Any) -> dict[str, tuple[str, ...]]:
    """Return the names of columns of an operator's histories, by field; none for other games."""
    from provably_fair.games.naming import operator_of  # loads numpy

    operator = operator_of(type(game))
    if operator in ("", "salted", "fpclub"):  # not an operator's, or with logs of their own
        return {}
    # Other operators name their columns in their own modules.
    own: dict[str, tuple[str, ...]] = getattr(modules[f"{__package__}.{operator}"], "_COLUMNS", {})
    return {
        field: tuple(
            name
            for name in dict.fromkeys(
                chain(*map(spellings, (*_EVERYWHERE.get(field, ()), *own.get(field, ()))))
            )
            if name != field
        )
        for field in {**_EVERYWHERE, **own}
    }


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
