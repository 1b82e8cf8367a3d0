"""Random outcomes of a law."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

import numpy as np

from provably_fair._core.arguments import integer

__all__ = ["Rng", "Size", "below", "generator", "places_by_probability", "places_by_weight", "shape_of"]

Rng = int | np.random.Generator | np.random.BitGenerator | np.random.SeedSequence | None
"""Where randomness comes from: what numpy's `default_rng` takes, None for the operating system's."""

Size = int | tuple[int, ...] | None
"""The shape of what is drawn; None for one value."""

_BITS = 62


def generator(rng: Rng | np.random.RandomState, name: str = "rng") -> np.random.Generator:
    """Return numpy's generator; of a `RandomState`, one that its next words seed."""
    if isinstance(rng, np.random.RandomState):
        return np.random.default_rng(rng.randint(1 << 32, size=8, dtype=np.uint32))
    if rng is None or isinstance(rng, np.random.Generator | np.random.BitGenerator | np.random.SeedSequence):
        return np.random.default_rng(rng)
    return np.random.default_rng(integer(name, rng, 0))


def shape_of(size: Size) -> tuple[int, ...]:
    """Return the shape that is asked for."""
    if size is None:
        return ()
    if isinstance(size, tuple | list):
        return tuple(integer("size", n, 0, 2**62) for n in size)
    return (integer("size", size, 0, 2**62),)


def places_by_weight(cumulative: Sequence[int], count: int, rng: np.random.Generator) -> np.ndarray:
    """Return places, each with exactly the probability of its weight.

    A place is where a number of 62 random bits falls. One that falls where two places meet is drawn further.
    """
    total = cumulative[-1]
    scaled = [divmod(weight << _BITS, total) for weight in cumulative]
    # A number falls below a boundary that is not whole if more bits of it do.
    edges = np.array([whole for whole, _ in scaled], dtype=np.int64)
    drawn = rng.integers(1 << _BITS, size=count, dtype=np.int64)
    places = np.searchsorted(edges, drawn, side="right") - 1
    parted = edges[[place for place, (_, rest) in enumerate(scaled) if rest]]
    for at in np.flatnonzero(np.isin(drawn, parted)).tolist():
        number, bits = int(drawn[at]), _BITS
        while True:
            # All numbers that begin with these bits: do they lie in one place?
            first = _place(cumulative, number * total, bits)
            last = _place(cumulative, (number + 1) * total - 1, bits)
            if first == last:
                break
            number, bits = number << _BITS | int(rng.integers(1 << _BITS)), bits + _BITS
        places[at] = first
    return places


def _place(cumulative: Sequence[int], weight: int, bits: int) -> int:
    """Return the place whose range holds a weight that is given times a power of two."""
    return bisect.bisect_right(cumulative, weight >> bits) - 1


def below(total: int, rng: np.random.Generator) -> int:
    """Return a whole number from 0 to below `total`, each with the same probability."""
    bits = (total - 1).bit_length()
    while True:
        number = int.from_bytes(rng.bytes(-(-bits // 8)), "little") >> -bits % 8
        if number < total:
            return number


def places_by_probability(up_to: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return places with probabilities that are doubles."""
    found = np.searchsorted(up_to, rng.random(count) * up_to[-1], side="right") - 1
    return np.asarray(np.minimum(found, len(up_to) - 2))
