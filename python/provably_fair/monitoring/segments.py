"""Segments of a watch (a game, or its rows with one value in a column): totals, wealth and windows."""

from __future__ import annotations

from dataclasses import dataclass, field as column
from typing import NamedTuple

import numpy as np

from provably_fair._core.counts import bincount

from .parts import SegmentPart
from .rules import Clock

_MOST_STAKES = 64


class SegmentBets(NamedTuple):
    """Bets of a segment: numbers by stake, the total return, and the gain of each wager against the law."""

    stakes: np.ndarray
    counts: np.ndarray
    returned: float
    steps: np.ndarray  # the growth of each wager's wealth, as a logarithm


@dataclass(kw_only=True)
class StakeTally:
    """Totals of bets: distinct stakes and their counts (both packed), and the total return."""

    steps: np.ndarray
    stakes: bytes = b""
    counts: bytes = b""
    returned: float = 0.0
    changed: bool = False  # whether bets were added since the last write

    def add(self, bets: SegmentBets) -> None:
        """Add bets; merge neighboring stakes if there are too many."""
        self.changed = True
        self.steps = self.steps + bets.steps
        self.returned += bets.returned
        different, many = bets.stakes, bets.counts
        if self.stakes:
            known = numbers(self.stakes), numbers(self.counts, np.int64)
            different, which = np.unique(np.concatenate([known[0], different]), return_inverse=True)
            many = bincount(which, np.concatenate([known[1], many]), len(different))
        if len(different) > _MOST_STAKES:  # the quadratic mean of neighbors keeps the variance
            group = np.arange(len(different)) * _MOST_STAKES // len(different)
            together = bincount(group, many)
            different, many = np.sqrt(bincount(group, many * different**2) / together), together
        self.stakes, self.counts = packed(different), packed(np.rint(many).astype(np.int64))


@dataclass(kw_only=True)
class Bucket(StakeTally):
    """The bets of an hour, a day or a number of rounds: a row of the table ``buckets``."""

    bucket: int  # hours or days since 1970, or the number of earlier buckets of rounds
    begun: int  # the ordinal, from 1, of the group of bettors that begins with it


@dataclass
class Buckets:
    """The buckets that a clock's windows still need, of one segment; the last one is open."""

    clock: Clock
    buckets: list[Bucket]

    def window(self, length: int) -> list[Bucket]:
        """Return the last `length` buckets' worth of time or rounds."""
        before = self.buckets[-1].bucket - length if self.buckets else 0
        return [one for one in self.buckets if one.bucket > before]


@dataclass(kw_only=True)
class WatchedSegment(StakeTally):
    """A segment: a row of the table ``segments``, and the buckets of its windows."""

    segment: int | None = None  # its key in the state; None before the first write
    game: str
    field: str
    value: str
    weight: float  # its share of the level
    largest: float  # the largest stake of earlier batches; in the first one, the first stake
    frozen: np.ndarray  # the logarithm of the wealth of bettors whose windows have ended, by window
    begun: np.ndarray  # the number of groups of bettors that have begun, by clock
    best: float = 0.0  # the logarithm of the largest e-value so far
    bets: int = 0
    staked: float = 0.0
    impossible: int = 0
    refunded: int = 0
    series: list[Buckets] = column(default_factory=list)  # by clock

    def take(self, part: SegmentPart, bets: SegmentBets | None) -> None:
        """Add a batch's rows, whose possible bets are summed in `bets`."""
        self.impossible += part.impossible
        self.refunded += part.refunded
        if bets is not None:
            self.bets += int(bets.counts.sum())
            self.staked += float(bets.stakes @ bets.counts)
            self.add(bets)
        self.largest = max(self.largest, part.largest)


def packed(array: np.ndarray) -> bytes:
    """Return numbers as little-endian bytes."""
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def numbers(data: bytes, dtype: type = np.float64) -> np.ndarray:
    """Return the numbers that `packed` made bytes of."""
    return np.frombuffer(data, np.dtype(dtype).newbyteorder("<")).astype(dtype)
