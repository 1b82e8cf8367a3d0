"""Guesses of the fields of columns with other names.

A field's names are those of operators' histories, and synonyms.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import islice

from provably_fair._core.currencies import CURRENCIES
from provably_fair.operators.registry import EVERYWHERE, spellings, words_of

_LONGEST = 200
"""The number of characters of a name that are compared."""
# Synonyms of fields, in words: "server seed hash" covers ServerSeedHash and server_seed_hash.
_SYNONYMS = {
    "server_seed": (
        "secret", "server", "server secret", "server seed revealed", "revealed seed", "seed server",
        "house seed", "operator seed", "srv", "srv seed",
    ),
    "client_seed": ("client", "player seed", "user seed", "seed client", "public seed", "player",
        "cli", "cli seed"),
    "salt": ("round salt", "game salt", "round id", "round"),
    "nonce": ("bet nonce", "nonce number", "bet number", "round number", "counter", "bet index",
        "n"),
    "outcome": (
        "roll", "rolled", "game result", "roll result", "crash", "crash point", "bust", "crashed at",
        "multiplier", "number", "value", "winning number", "drawn", "draw", "results", "rolled number",
        "cards", "hand", "final hand", "final cards", "dealt cards", "throw", "board", "res",
        "flips", "path", "mines",
    ),
    "commitment": ("hash", "commitments", "committed hash", "commit", "house seed hash",
        "operator seed hash", "sha256", "server seed sha256"),
    "game_hash": ("hash", "round hash", "seed"),
    "terminating": ("chain end",),
    "digits": ("dice", "faces", "sequence"),
    "hold": ("held", "holds", "held cards"),
    "actions": ("moves", "decisions", "player actions"),
    "first": ("player 1", "player one", "first player"),
    "second": ("player 2", "player two", "second player"),
    "mines": ("mines count", "mine count", "number of mines", "bombs"),
    "pins": ("rows", "pin count", "number of pins", "lines"),
    "rows": ("pins", "row count", "number of rows", "lines"),
    "stake": ("amount", "wager", "bet", "bet amount", "stakes", "staked", "wagered", "bet size", "bet value",
        "stake amount", "wager amount", "amount wagered", "amount bet", "amount staked", "total bet",
        "total stake", "buy in"),
    "payout": ("payouts", "paid", "paid out", "win", "wins", "won", "winnings", "win amount", "amount won",
        "amount paid", "payout amount", "total payout", "total win", "return", "returned", "returns",
        "credit", "profit", "net", "net win"),
    "currency": ("coin", "asset", "currency code", "token"),
    "display_currency": ("shown currency", "fiat currency", "converted currency"),
    "status": ("state", "bet status", "bet state"),
    "player": ("user", "username", "user name", "user id", "player id", "player name", "account",
        "account id", "customer", "customer id", "member"),
    "time": ("date", "timestamp", "datetime", "date time", "created", "created at", "placed at", "bet at",
        "bet time", "time of bet", "played at"),
    "commitment_time": ("committed at", "commitment at", "committed time", "published at", "hashed at",
        "hash time", "commit time"),
    "reveal_time": ("revealed at", "reveal at", "revealed time", "time revealed", "reveal date", "rotated at",
        "unhashed at"),
    "cash_out": ("cashout", "cash out at", "cashed out at", "auto cash out", "auto cashout", "cashout at",
        "cashed at", "target", "target multiplier", "payout target"),
    "under": ("roll under", "bet under", "below", "target"),
    "over": ("roll over", "bet over", "above", "target"),
    "sectors": ("sector", "selection", "selected", "choice", "bet on", "color"),
    "hits": ("picks", "picked", "selection", "selected numbers", "numbers"),
    "cells": ("tiles", "picks", "selected tiles", "opened", "selection"),
    "reveals": ("revealed tiles", "gems", "diamonds", "opened", "picks"),
    "risk": ("risk level", "volatility"),
    "odds": ("payout multiplier", "multiplier", "pays"),
}  # fmt: skip

_LEAST_ALIKE = 0.75
_MOST_COLUMNS = 1000
"""Columns that are compared with fields: of a log with more only the first."""
_NAMES = {"id", "ids", "number", "index", "key"}
"""Last words of columns that refer to something kept elsewhere."""


def words(name: str) -> list[str]:
    """Split a name into words, at camel case, blanks and punctuation."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name[:_LONGEST])
    return [word for word in re.split(r"[\W_]+", apart.casefold()) if word]


def names_seed(column: str) -> bool:
    """Whether a column refers to a seed that is kept elsewhere, like ``seed_id``."""
    spelled = words(column)
    return "seed" in spelled and spelled[-1] in _NAMES


def is_called(field: str, column: str) -> bool:
    """Whether a column is called as the field is in an operator's histories."""
    return any(_are_same(known, column) for known in (field, *words_of(field)))


def usual_names(field: str) -> list[str]:
    """Return all usual spellings of a field's names."""
    return [field, *(one for words in _names(field) for one in spellings(words))]


@cache
def _names(field: str) -> list[str]:
    """Return a field's names in words, the most usual ones first."""
    return [*dict.fromkeys((field, *EVERYWHERE.get(field, ()), *_SYNONYMS.get(field, ()), *words_of(field)))]


def likely_columns(
    needed: Collection[str], optional: Iterable[str], columns: Collection[str]
) -> dict[str, str]:
    """Return the likely column of each field, the closest pairs first; no column is given to two fields."""
    fields = [*needed, *optional]
    pairs = sorted(
        (-_closeness(field, column), order, place, field, column)
        for order, field in enumerate(fields)
        for place, column in enumerate(islice(columns, _MOST_COLUMNS))
    )
    found: dict[str, str] = {}
    for closeness, _, _, field, column in pairs:
        least = _LEAST_ALIKE if field in needed else 2
        if -closeness >= least and field not in found and column not in found.values():
            found[field] = column
    return {field: found[field] for field in fields if field in found}


def likely_fields(columns: Mapping[str, str | None], unread: Iterable[str]) -> dict[str, str]:
    """Return the fields that unread columns may be, even of those that were read by the same name."""
    lacking = [field for field, column in columns.items() if column is None]
    unread = [*unread]
    found = likely_columns((), lacking, unread)
    left = [column for column in unread[:_MOST_COLUMNS] if column not in found.values()]
    return found | {
        field: column
        for field in columns
        if field not in lacking
        for column in left
        if _closeness(field, column) == 3
    }


def by_likeness(names: Collection[str], columns: Iterable[str]) -> list[str]:
    """Sort columns by resemblance to some names: a shared word, or similar spelling."""
    known = {word for name in names for word in words(name)}

    def unlike(column: str) -> tuple[bool, float]:
        closest = max(_closeness(name, column) for name in names)
        return not known & {*words(column)}, -closest if closest >= _LEAST_ALIKE else 0.0

    names_in_order = [*columns]
    return sorted(names_in_order[:_MOST_COLUMNS], key=unlike) + names_in_order[_MOST_COLUMNS:]


def likely_name(name: str, columns: Collection[str]) -> str | None:
    """Return the column that a misspelled name likely means."""
    best = max(columns, key=lambda column: _alike(name, column), default=None)
    return best if best is not None and _alike(name, best) >= _LEAST_ALIKE else None


@lru_cache(1 << 16)
def _closeness(field: str, column: str) -> float:
    """Return 3 for the same words in any order, above 2 for a synonym, else the similarity of spelling."""
    within, _, last = column.rpartition(".")
    if within:  # a key of objects in the rows
        return max(_closeness(field, last) - 0.005, _closeness(field, column.replace(".", " ")))
    if field.endswith("seed") and names_seed(column):
        return 0
    if field in ("stake", "payout"):  # amounts of a currency
        column = " ".join(word for word in words(column) if word not in CURRENCIES) or column
    for place, known in enumerate(_names(field)):
        if _are_same(known, column):
            return 3 - place / 100
    return _alike(field, column)


def _are_same(known: str, column: str) -> bool:
    """Whether two names have the same letters, or the same words."""
    return any(one == other for one, other in zip(_spelled(known), _spelled(column), strict=True))


@lru_cache(1 << 14)
def _spelled(name: str) -> tuple[str, list[str]]:
    """Return the letters of a name, and its words in one order."""
    found = words(name)
    return "".join(found), sorted(found)


def _alike(name: str, column: str) -> float:
    """Return the similarity of two names, below 1 unless they have the same letters."""
    return SequenceMatcher(None, _spelled(name)[0], _spelled(column)[0], autojunk=False).ratio()
