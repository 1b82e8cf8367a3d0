"""Named series of simulated rounds, and their seeds."""

from __future__ import annotations

import hashlib
import operator

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer, utf8

SERIES_OPTIONS = ("seed", "start", "threads", "progress", "dtype", "out", "bins", "as_frame")
"""Names of options of simulations, for a question about a misspelled one."""


def seed_text(seed: object) -> str:
    """Return the name of a series: an integer's digits, or the text itself."""
    if isinstance(seed, str):
        utf8("seed", seed)
        return str(seed)
    try:
        if isinstance(seed, (bool, np.bool_)):
            raise TypeError
        return str(operator.index(seed))  # type: ignore[arg-type]
    except TypeError:
        raise BadType("seed", f"must be an integer or str, got {type(seed).__name__}") from None


def series(rounds: object, seed: object, start: object, count: str = "rounds") -> tuple[int, str, int]:
    """Return the number of rounds, the name of their series, and the index of the first, checked."""
    rounds = integer(count, rounds, 0, 2**63 - 1)
    start = integer("start", start, 0, 2**64 - 1)
    if start + rounds > 2**64:
        raise BadValue("start", f"must be at most 2**64 - {count}, got {start}")
    return rounds, seed_text(seed), start


def simulated_seed(name: str, field: str) -> str:
    """Return the seed of a simulation for a field."""
    return hashlib.sha256(f"{name}:{field.removesuffix('_seed')}".encode()).hexdigest()
