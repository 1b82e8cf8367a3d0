"""A bankroll as a random walk: the integer steps of bets of 1, and the height above ruin."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, unbox
from provably_fair._core.numbers import exactly, over_one_denominator
from provably_fair.distribution import Distribution

# Probability that may be dropped at both ends of a law together, per round.
_TRIMMED = 1e-30
# Limit on the heights of a bankroll after a round: they take a gigabyte.
_MAX_CELLS = 1 << 25
# From here on, heights of bets in fine units are Python's integers: in int64 they would wrap.
_WIDE = 1 << 62


def amount(name: str, value: object) -> Fraction:
    """Return an amount of money as a Fraction; a float stands for its shortest decimal."""
    value = unbox(value)
    if isinstance(value, bool | np.bool_):
        raise BadType(name, f"must be a number, got {value!r}")
    return exactly(value, name)


@dataclass(frozen=True)
class Walk:
    """The random walk of a bankroll that bets 1 each round.

    The changes, `steps`, are in increasing order, in a `unit` that leaves no common divisor; their `weights`
    are above 0.
    """

    steps: tuple[int, ...]
    weights: tuple[int, ...]
    unit: Fraction

    @classmethod
    def of(cls, law: Distribution) -> Walk:
        """Return the walk of a bankroll that bets 1 under a law of the return."""
        likely = [(x, w) for x, w in zip(law.outcomes.tolist(), law.weights, strict=True) if w]
        parts, denominator = over_one_denominator([x for x, _ in likely], "law")
        nets = [part - denominator for part in parts]
        common = math.gcd(*nets) or 1
        divisor = math.gcd(*(w for _, w in likely))
        return cls(
            tuple(net // common for net in nets),
            tuple(w // divisor for _, w in likely),
            Fraction(common, denominator),
        )

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    @cached_property
    def shares(self) -> np.ndarray:
        """The probabilities of the steps."""
        return np.array([weight / self.total for weight in self.weights])

    @cached_property
    def drift(self) -> Fraction:
        """The mean step, in units."""
        return Fraction(sum(s * w for s, w in zip(self.steps, self.weights, strict=True)), self.total)

    @cached_property
    def stride(self) -> int:
        """The greatest common divisor of the differences between steps: the spacing of possible bankrolls."""
        return math.gcd(*(step - self.steps[0] for step in self.steps)) or 1

    def height(self, bankroll: Fraction) -> int:
        """Return the units that a bankroll can lose before ruin; negative if it is already ruined."""
        return math.floor((bankroll - 1) / self.unit)

    def climb(self, bankroll: Fraction, target: Fraction | None) -> int | None:
        """Return the units that a bankroll must win to reach its target."""
        return None if target is None else math.ceil((target - bankroll) / self.unit)


class AfterRound(NamedTuple):
    """The heights and masses after a round: ruined, at the target, and still going."""

    ruined: np.ndarray
    ruined_masses: np.ndarray
    reached: np.ndarray
    reached_masses: np.ndarray
    going: np.ndarray
    going_masses: np.ndarray


def rounds_played(
    walk: Walk,
    height: int,
    climb: int | None,
    rounds: int | None,
    *,
    exact: bool = False,
    whole: bool = False,
) -> Iterator[AfterRound]:
    """Yield the law of a bankroll after each round, until ruin or its target."""
    # After t rounds the bankroll is at height + t * least + stride * cell for some cell.
    least, stride = walk.steps[0], walk.stride
    places = [(step - least) // stride for step in walk.steps]
    shares: list[Any] = list(walk.weights) if exact else walk.shares.tolist()
    top = None if climb is None else height + climb
    # From this cell on, the remaining rounds can't ruin.
    safe = None if whole or rounds is None else max(-((height + rounds * least) // stride), 0)
    masses = np.array([1], dtype=object if exact else np.float64)
    first = played = 0
    while len(masses) and played != rounds:
        size = len(masses) + places[-1]
        if safe is not None:
            size = max(min(size, safe - first), 0)
        if size > _MAX_CELLS:
            apart = f"{float(stride * walk.unit):g} apart"
            raise BadValue("rounds", f"must be fewer for this bet, whose amounts lie {apart}")
        after = np.zeros(size, dtype=masses.dtype)
        for place, share in zip(places, shares, strict=True):
            part = masses[: max(size - place, 0)]
            after[place : place + len(part)] += share * part
        played += 1
        base = height + played * least
        alive = min(max(-(base // stride) - first, 0), size)
        past = size if top is None else min(max(-((base - top) // stride) - first, alive), size)
        cells = np.arange(first, first + size)
        if abs(base) + stride * (first + size) >= _WIDE:
            cells = cells.astype(object)
        heights = base + stride * cells
        masses = after[alive:past]
        yield AfterRound(
            heights[:alive], after[:alive], heights[past:], after[past:], heights[alive:past], masses
        )
        first += alive
        if not exact and len(masses):
            begin, end = _likely(masses)
            masses = masses[begin:end]
            first += begin


def _likely(masses: np.ndarray) -> tuple[int, int]:
    """Return the range outside of which masses are negligible."""
    if masses[0] > _TRIMMED and masses[-1] > _TRIMMED:
        return 0, len(masses)
    kept = np.flatnonzero(masses > _TRIMMED / len(masses))
    return (int(kept[0]), int(kept[-1]) + 1) if len(kept) else (0, 0)
