"""Segments of a watch, a game or its rows with one value in a column, and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as column
from typing import NamedTuple

import numpy as np

from .parts import SegmentPart
from .rules import Clock

__all__ = ["Bets", "Bucket", "Series", "Tally", "WatchedSegment", "numbers", "packed"]

_MOST_STAKES = 64


class Bets(NamedTuple):
    """Bets of a segment by their stakes: how many, what they returned, and what wagers against it gain."""

    stakes: np.ndarray
    counts: np.ndarray
    returned: float
    steps: np.ndarray
    """What the logarithm of each wager's wealth grows by."""


@dataclass(kw_only=True)
class Tally:
    """Bets that are added up: different stakes (packed), how often each was bet, and what came back."""

    steps: np.ndarray
    stakes: bytes = b""
    counts: bytes = b""
    returned: float = 0.0
    changed: bool = False
    """Whether bets were added since it was written down."""

    def add(self, bets: Bets) -> None:
        """Add bets; where there are many different stakes, some are put together."""
        self.changed = True
        self.steps = self.steps + bets.steps
        self.returned += bets.returned
        different, many = bets.stakes, bets.counts
        if self.stakes:
            known = numbers(self.stakes), numbers(self.counts, np.int64)
            different, which = np.unique(np.concatenate([known[0], different]), return_inverse=True)
            many = np.bincount(which, np.concatenate([known[1], many]), len(different))
        if len(different) > _MOST_STAKES:  # neighbors become their quadratic mean, which keeps the variance
            group = np.arange(len(different)) * _MOST_STAKES // len(different)
            together = np.bincount(group, many)
            different, many = np.sqrt(np.bincount(group, many * different**2) / together), together
        self.stakes, self.counts = packed(different), packed(np.rint(many).astype(np.int64))


@dataclass(kw_only=True)
class Bucket(Tally):
    """Bets of an hour, a day or a number of rounds: a row of the state's table."""

    bucket: int
    """Hours or days since 1970, or how many buckets of rounds came before."""
    begun: int
    """The number, from 1, of the bettors who begin with it."""


@dataclass
class Series:
    """The buckets of a segment that windows of one clock still need; the last one is open."""

    clock: Clock
    buckets: list[Bucket]

    def window(self, length: int) -> list[Bucket]:
        """Return the buckets of a window that has this many."""
        return [one for one in self.buckets if one.bucket > self.buckets[-1].bucket - length]


@dataclass(kw_only=True)
class WatchedSegment(Tally):
    """All that is known of a segment: a row of the state's table, and the buckets of its windows."""

    segment: int | None = None
    """Its number in the state, once it is written down."""
    game: str
    field: str
    value: str
    weight: float
    """Its share of the level."""
    largest: float
    """The largest stake of earlier batches; in the first one, the first stake."""
    frozen: np.ndarray
    """The logarithm of what those bettors have who stopped at the end of their window, by window."""
    begun: np.ndarray
    """How many bettors have begun, by clock."""
    best: float = 0.0
    """The logarithm of the most that the evidence ever was."""
    bets: int = 0
    staked: float = 0.0
    impossible: int = 0
    refunded: int = 0
    series: list[Series] = column(default_factory=list)
    """By clock."""

    def take(self, part: SegmentPart, bets: Bets | None) -> None:
        """Take in a batch's rows, whose possible bets are added up."""
        self.impossible += part.impossible
        self.refunded += part.refunded
        if bets is not None:
            self.bets += int(bets.counts.sum())
            self.staked += float(bets.stakes @ bets.counts)
            self.add(bets)
        self.largest = max(self.largest, part.largest)


def packed(array: np.ndarray) -> bytes:
    """Return numbers as bytes, little-endian whatever the machine."""
    return array.astype(array.dtype.newbyteorder("<")).tobytes()


def numbers(data: bytes, dtype: type = np.float64) -> np.ndarray:
    """Return the numbers of `packed`."""
    return np.frombuffer(data, np.dtype(dtype).newbyteorder("<")).astype(dtype)
