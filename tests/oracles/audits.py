"""The facts that single rows of a log prove, in plain Python: each kind of finding by its definition.

It is independent of the package. A log is a list of rows, and the answer is the rows of each kind. Times are
ISO text in a single format, so that their order is that of the text.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from oracles.salted import sha256_hex as sha256

Row = dict[str, Any]


def again(rows: list[Row], key: Callable[[Row], object]) -> list[int]:
    """Rows whose key occurs in an earlier row."""
    met: set[object] = set()
    found = []
    for place, row in enumerate(rows):
        if key(row) in met:
            found.append(place)
        met.add(key(row))
    return found


def unlike_the_first(rows: list[Row], key: str, value: str) -> list[int]:
    """Rows whose value differs from the first row with the same key; rows without either don't count."""
    first: dict[object, object] = {}
    found = []
    for place, row in enumerate(rows):
        if row[key] is None or row[value] is None:
            continue
        if first.setdefault(row[key], row[value]) != row[value]:
            found.append(place)
    return found


def pair(row: Row) -> tuple[str, str]:
    return row["server_seed"], row["client_seed"]


def gaps(rows: list[Row]) -> list[int]:
    """The first row of the nonce after each gap in a pair of seeds."""
    found = []
    for seeds in {pair(row) for row in rows}:
        places: dict[int, int] = {}
        for place, row in enumerate(rows):
            if pair(row) == seeds:
                places.setdefault(row["nonce"], place)
        nonces = sorted(places)
        found += [places[b] for a, b in itertools.pairwise(nonces) if b - a > 1]
    return sorted(found)


def missing_games(rows: list[Row], numbers: dict[str, int]) -> list[int]:
    """The first row of the game after each gap; hashes determine the game numbers."""
    places: dict[int, int] = {}
    for place, row in enumerate(rows):
        places.setdefault(numbers[row["game_hash"]], place)
    played = sorted(places)
    return sorted(places[b] for a, b in itertools.pairwise(played) if b - a > 1)


def facts_of_nonces(rows: list[Row], payout: str = "1.98") -> Iterator[tuple[str, list[int]]]:
    """The facts in a log of dice with nonces, commitments and times."""
    yield "nonce_gap", gaps(rows)
    yield "nonce_repeated", again(rows, lambda row: (*pair(row), row["nonce"]))
    committed = [place for place, row in enumerate(rows) if row["commitment"] is not None]
    lacking = [place for place, row in enumerate(rows) if row["commitment"] is None]
    yield "commitment_missing", lacking if committed else []
    wrong = [place for place in committed if rows[place]["commitment"] != sha256(rows[place]["server_seed"])]
    yield "commitment_mismatch", wrong
    yield "commitment_replaced", unlike_the_first(rows, "server_seed", "commitment")
    yield "commitment_of_several_seeds", unlike_the_first(rows, "commitment", "server_seed")
    yield (
        "commitment_late",
        [
            place
            for place, row in enumerate(rows)
            if row["commitment_time"] is not None and row["time"] < row["commitment_time"]
        ],
    )
    yield (
        "seed_used_after_reveal",
        [place for place, row in enumerate(rows) if row["reveal_time"] and row["time"] > row["reveal_time"]],
    )
    yield "client_seed_empty", [place for place, row in enumerate(rows) if row["client_seed"] == ""]
    yield (
        "payout_mismatch",
        [
            place
            for place, row in enumerate(rows)
            if Fraction(str(row["payout"]))
            != (Fraction(str(row["stake"])) * Fraction(payout) if row["outcome"] < 50 else 0)
        ],
    )
