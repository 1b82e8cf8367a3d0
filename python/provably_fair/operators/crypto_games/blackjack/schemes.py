"""Shoes that are dealt by a scheme."""

from __future__ import annotations

from typing import Any

import numpy as np

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.types import Text, Texts
from provably_fair.seeds.schemes import Scheme, bind_fields, draws

from ..deal import rounds_made

_FIELDS = {"server_seed", "client_seed", "nonce"}
_DECK = 52


def check_scheme(scheme: object) -> Scheme:
    """Refuse what no rounds with seeds and a nonce can be dealt by."""
    if not isinstance(scheme, Scheme):
        raise BadType("scheme", f"must be a Scheme, got {type(scheme).__name__}")
    if set(scheme.fields) != _FIELDS:
        raise BadValue("scheme", f"must have server_seed, client_seed and nonce, got {scheme.fields}")
    return scheme


def dealt(
    scheme: Scheme,
    decks: int | None,
    cards: int,
    server_seed: Texts | None,
    client_seed: Texts | None,
    nonce: object,
    threads: int | None,
) -> np.ndarray:
    """Deal cards of rounds: by removal from the decks; with replacement where there are infinitely many."""
    seeds = {"server_seed": server_seed, "client_seed": client_seed, "nonce": nonce}
    streams = draws(scheme, bind_fields(scheme, (), seeds), threads=threads)
    if decks is None:
        return np.stack([streams.below(_DECK) for _ in range(cards)], axis=1)
    return streams.sample(_DECK * decks, min(cards, _DECK * decks))


def columns_of(
    scheme: Scheme | None, seeds: tuple[Text | None, Text | None], series: tuple[int, int]
) -> dict[str, Any]:
    """Return the columns of the seeds of simulated rounds, as a log has them and `shoe` takes them."""
    made = rounds_made(*seeds, series)
    if scheme is not None:
        made["nonce"] = np.arange(series[0], sum(series), dtype=np.uint64)
    return made
