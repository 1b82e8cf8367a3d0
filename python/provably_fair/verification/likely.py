"""Which column of a log from elsewhere is likely which field."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from difflib import SequenceMatcher
from functools import lru_cache

# What others call a field, in words: "server seed hash" stands for ServerSeedHash and server_seed_hash, too.
_SYNONYMS = {
    "server_seed": (
        "secret", "server", "server secret", "revealed server seed", "unhashed server seed",
        "server seed revealed", "server seed plain", "seed server", "house seed", "operator seed",
        "srv", "srv seed",
    ),
    "client_seed": ("client", "player seed", "user seed", "seed client", "public seed", "player",
        "cli", "cli seed"),
    "salt": ("round salt", "game salt", "round id", "round"),
    "nonce": ("bet nonce", "nonce number", "bet number", "round number", "counter", "bet index",
        "n"),
    "outcome": (
        "result", "roll", "rolled", "game result", "roll result", "number", "value", "winning number",
        "crash", "crash point", "bust", "crashed at", "multiplier", "drawn", "draw", "results",
        "rolled number", "cards", "hand", "throw", "board",
        "res", "flips", "path", "mines",
    ),
    "commitment": (
        "server seed hash", "hashed server seed", "server hash", "hash", "seed hash", "hashed seed",
        "server seed hashed", "server seed commitment", "committed hash", "commit",
    ),
    "salt_commitment": ("salt hash", "hashed salt"),
    "game_hash": ("hash", "round hash", "seed"),
    "terminating": ("terminating hash", "chain end"),
    "digits": ("dice", "faces", "sequence"),
    "hold": ("held", "holds", "held cards"),
    "actions": ("moves", "decisions", "player actions"),
    "first": ("player 1", "player one", "first player"),
    "second": ("player 2", "player two", "second player"),
    "mines": ("mines count", "mine count", "bombs"),
}  # fmt: skip

_LEAST_ALIKE = 0.75
_NAMES = {"id", "ids", "number", "index", "key"}
"""What the last word of a column is that names something kept elsewhere."""


def words(name: str) -> list[str]:
    """Return the words of a name, however they are joined: camel case, blanks, any marks."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return [word for word in re.split(r"[\W_]+", apart.casefold()) if word]


def names_seed(column: str) -> bool:
    """Whether a column names a seed that is kept elsewhere, as ``seed_id`` does."""
    spelled = words(column)
    return "seed" in spelled and spelled[-1] in _NAMES


def likely_columns(
    needed: Collection[str], optional: Iterable[str], columns: Collection[str]
) -> dict[str, str]:
    """Return the column that is likely meant for each field; none for a field that nothing looks like.

    The closest pairs are taken first: the same words, a synonym, and of fields that a log needs what is
    spelled much like them. No column is given to two fields.
    """
    fields = [*needed, *optional]
    pairs = sorted(
        (-_closeness(field, column), order, place, field, column)
        for order, field in enumerate(fields)
        for place, column in enumerate(columns)
    )
    found: dict[str, str] = {}
    for closeness, _, _, field, column in pairs:
        least = _LEAST_ALIKE if field in needed else 2
        if -closeness >= least and field not in found and column not in found.values():
            found[field] = column
    return {field: found[field] for field in fields if field in found}


def by_likeness(names: Collection[str], columns: Iterable[str]) -> list[str]:
    """Return columns, those first that have a word of some names, or are spelled most like one of them."""
    known = {word for name in names for word in words(name)}

    def unlike(column: str) -> tuple[bool, float]:
        closest = max(_closeness(name, column) for name in names)
        return not known & {*words(column)}, -closest if closest >= _LEAST_ALIKE else 0.0

    return sorted(columns, key=unlike)


def likely_name(name: str, columns: Collection[str]) -> str | None:
    """Return the column that is likely meant by a name that no column has."""
    best = max(columns, key=lambda column: _alike(name, column), default=None)
    return best if best is not None and _alike(name, best) >= _LEAST_ALIKE else None


@lru_cache(1 << 16)
def _closeness(field: str, column: str) -> float:
    """Return 3 for the same words in any order, above 2 for a synonym, else how much alike they are."""
    within, _, last = column.rpartition(".")
    if within:  # a value of an object in each row
        return max(_closeness(field, last) - 0.005, _closeness(field, column.replace(".", " ")))
    if field.endswith("seed") and names_seed(column):
        return 0
    for place, known in enumerate((field, *_SYNONYMS.get(field, ()))):
        if _letters(column) == _letters(known) or sorted(words(column)) == sorted(words(known)):
            return 3 - place / 100
    return _alike(field, column)


def _letters(name: str) -> str:
    return "".join(words(name))


def _alike(name: str, column: str) -> float:
    """Return how much alike two names are spelled, below 1 unless they have the same letters."""
    return SequenceMatcher(None, _letters(name), _letters(column), autojunk=False).ratio()
