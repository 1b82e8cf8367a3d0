"""Code shared by the two games: from seeds or hashes to cards."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any, TypedDict

import numpy as np
from numpy.typing import DTypeLike

from provably_fair._core.arguments import BadType, BadValue, threads_of
from provably_fair._core.progress import Progress
from provably_fair._core.types import Text, Texts
from provably_fair._engine import deal_cards
from provably_fair.seeds.series import series, simulation_seeds


class SeriesSeeds(TypedDict, total=False):
    """What makes a series of rounds of either game, for type checkers."""

    seed: int | str
    start: int
    server_seed: Text | None
    client_seed: Text | None


class SeriesOptions(SeriesSeeds, total=False):
    """What `simulate` of either game takes by name."""

    threads: int | None
    progress: Progress


def deal(
    deck: str,
    cards: int,
    server_seed: Texts | None,
    client_seed: Texts | None,
    nonce: Texts,
    hash: Texts | None,
    dtype: DTypeLike | None,
    threads: int | None,
) -> np.ndarray:
    """Deal from the deck of a game, "video poker" or "blackjack"."""
    need_seeds(server_seed, client_seed, hash)
    dealt = deal_cards(
        deck,
        cards,
        server_seed,
        client_seed,
        nonce,
        hash=hash,
        dtype=np.dtype(np.int64 if dtype is None else dtype).newbyteorder("="),
        threads=threads_of(threads),
    )
    if hash is not None:
        check_beside_hash(len(dealt) if dealt.ndim == 2 else None, server_seed, client_seed, nonce)
    return dealt


def check_beside_hash(hashes: int | None, server_seed: object, client_seed: object, nonce: object) -> None:
    """Refuse seeds that aren't those of as many rounds as there are hashes; None is a single hash.

    Nothing else is asked of them: the hash is replayed instead.
    """
    seeds = (("server_seed", server_seed), ("client_seed", client_seed), ("nonce", nonce))
    for argument, seed in seeds:
        if seed is None or isinstance(seed, (str, bytes)) or getattr(seed, "ndim", None) == 0:
            continue
        if not isinstance(seed, Sized):
            raise BadType(argument, f"must be str, bytes or an array of them, got {type(seed).__name__}")
        if hashes is None or len(seed) not in (1, hashes):
            allowed = "one text" if hashes is None else f"one text or {hashes}"
            raise BadValue(argument, f"must be {allowed}, as many as hash, got {len(seed)} of them")


def need_seeds(server_seed: object, client_seed: object, hash: object) -> None:
    """Refuse seeds that are missing."""
    if hash is None:
        for argument, value in (("server_seed", server_seed), ("client_seed", client_seed)):
            if value is None:
                raise BadType(argument, "must be given, unless a hash is")


def series_of(
    rounds: object,
    seed: object = 0,
    start: object = 0,
    server_seed: Text | None = None,
    client_seed: Text | None = None,
) -> tuple[Text, Text, tuple[int, int]]:
    """Check the arguments of a simulation: seeds, and the first nonce and the number of rounds."""
    rounds, name, start = series(rounds, seed, start)
    return *simulation_seeds(name, server_seed, client_seed), (start, rounds)


def rounds_made(
    server_seed: Text | None, client_seed: Text | None, series: tuple[int, int]
) -> dict[str, Any]:
    """Return the columns of the seeds of simulated rounds, as a log has them."""
    start, rounds = series
    return {
        "server_seed": server_seed,
        "client_seed": client_seed,
        "nonce": [str(nonce) for nonce in range(start, start + rounds)],
    }
