"""Random sampling from a law."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

import numpy as np

from provably_fair._core.arguments import integer

Rng = int | np.random.Generator | np.random.BitGenerator | np.random.SeedSequence | None
"""A source of randomness: anything `numpy.random.default_rng` takes; None for fresh entropy."""

Size = int | tuple[int, ...] | None
"""The shape of the sample; None for a single value."""

_BITS = 62


def generator(rng: Rng | np.random.RandomState, name: str = "rng") -> np.random.Generator:
    """Return a numpy Generator; a `RandomState` seeds a new one with its next words."""
    if isinstance(rng, np.random.RandomState):
        return np.random.default_rng(rng.randint(1 << 32, size=8, dtype=np.uint32))
    if rng is None or isinstance(rng, np.random.Generator | np.random.BitGenerator | np.random.SeedSequence):
        return np.random.default_rng(rng)
    return np.random.default_rng(integer(name, rng, 0))


def shape_of(size: Size) -> tuple[int, ...]:
    """Return the shape for `size`."""
    listed = () if size is None else size if isinstance(size, tuple | list) else (size,)
    return tuple(integer("size", n, 0, 2**62) for n in listed)


def places_by_weight(cumulative: Sequence[int], count: int, rng: np.random.Generator) -> np.ndarray:
    """Return indices with probabilities exactly proportional to the weights.

    Inverse transform on lazily drawn bits: 62 random bits give a dyadic interval; if it straddles a boundary
    between two indices, more bits are drawn.
    """
    total = cumulative[-1]
    scaled = [divmod(weight << _BITS, total) for weight in cumulative]
    # Compare in 62-bit fixed point; a boundary that isn't dyadic needs more bits.
    edges = np.array([whole for whole, _ in scaled], dtype=np.int64)
    drawn = rng.integers(1 << _BITS, size=count, dtype=np.int64)
    places = np.searchsorted(edges, drawn, side="right") - 1
    parted = edges[[place for place, (_, rest) in enumerate(scaled) if rest]]
    for at in np.flatnonzero(np.isin(drawn, parted)).tolist():
        number, bits = int(drawn[at]), _BITS
        while True:
            # Does the whole dyadic interval belong to one index?
            ends = number * total, (number + 1) * total - 1
            first, last = (bisect.bisect_right(cumulative, end >> bits) - 1 for end in ends)
            if first == last:
                break
            number, bits = number << _BITS | int(rng.integers(1 << _BITS)), bits + _BITS
        places[at] = first
    return places


def below(total: int, rng: np.random.Generator) -> int:
    """Return a uniform integer in [0, total)."""
    bits = (total - 1).bit_length()
    while True:
        number = int.from_bytes(rng.bytes(-(-bits // 8)), "little") >> -bits % 8
        if number < total:
            return number


def places_by_probability(up_to: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return indices with floating-point probabilities, by inverse transform."""
    places = np.searchsorted(up_to, rng.random(count) * up_to[-1], side="right") - 1
    return np.asarray(np.minimum(places, len(up_to) - 2))
