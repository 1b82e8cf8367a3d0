"""What is known of some of a log's keys: of those with the smallest fingerprints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

MOST = 4096
_SPAN = float(2**64)


class Sample:
    """States of keys, of which those with the smallest fingerprints are kept.

    Which keys are kept depends on neither the order of rows nor how they are cut, and what is known of a key
    that is kept is all that there is to know: no part of a log can have dropped it.

    Parameters
    ----------
    join : callable
        Makes one state of two, the second of later rows.
    """

    def __init__(self, join: Callable[[Any, Any], Any]) -> None:
        self._join = join
        self.states: dict[int, Any] = {}
        self._limit = 2**64 - 1

    def wanted(self, prints: np.ndarray) -> np.ndarray:
        """Return the rows whose keys may be kept."""
        return np.flatnonzero((prints <= np.uint64(self._limit)) & (prints != 0))

    def add(self, states: Iterator[tuple[int, Any]]) -> None:
        """Add states of later rows."""
        for key, state in states:
            known = self.states.get(key)
            self.states[key] = state if known is None else self._join(known, state)
            if len(self.states) > 2 * MOST:
                self._trim()
        self._trim()

    def _trim(self) -> None:
        if len(self.states) > MOST:
            kept = sorted(self.states)[:MOST]
            self.states = {key: self.states[key] for key in kept}
            self._limit = kept[-1]

    def merge(self, later: Sample, moved: Callable[[Any], Any]) -> None:
        """Add the states of another sample, of later rows."""
        self.add((key, moved(state)) for key, state in later.states.items())
        self._limit = min(self._limit, later._limit)
        self.states = {key: state for key, state in self.states.items() if key <= self._limit}

    @property
    def different(self) -> float:
        """How many different keys there are, about: exactly, where all are kept."""
        if self._limit == 2**64 - 1:
            return float(len(self.states))
        return (MOST - 1) / ((max(self.states) + 1) / _SPAN)
