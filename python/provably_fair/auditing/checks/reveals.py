"""When server seeds were revealed: by a column, or by what was told beside the log."""

from __future__ import annotations

import numpy as np

from provably_fair._engine import column_fingerprints
from provably_fair.verification.times import Masked

from ..check import Context
from ..records import Records, whole

_NOT_YET = np.iinfo(np.int64).max


class RevealTimes:
    """When the seed of a row was revealed: the earliest time that is told.

    Attributes
    ----------
    beside : bool
        Whether times are told beside the log.
    """

    def __init__(self, context: Context) -> None:
        self._times = dict(context.reveal_times)
        self.beside = bool(self._times)

    def of(self, records: Records) -> Masked | None:
        """Return when the seed of each row was revealed, and whether that is told; None without any."""
        told = [records.order("reveal_time")] if records.has("reveal_time") else []
        told += [
            self._told(records, name)
            for name in ("server_seed", "commitment", "game_hash")
            if self._times and records.has(name)
        ]
        if not told:
            return None
        earliest = np.min([np.where(there, times, _NOT_YET) for times, there in told], axis=0)
        return earliest, earliest != _NOT_YET

    def _told(self, records: Records, name: str) -> Masked:
        """Return when the seed of each row was revealed, by a field, and whether that was told."""
        keys = whole(column_fingerprints(name, list(self._times), len(self._times), hexadecimal=True))
        order = np.argsort(keys)
        fingerprints = whole(records.fingerprints(name, hexadecimal=True))
        at = np.minimum(np.searchsorted(keys[order], fingerprints), len(keys) - 1)
        there = keys[order][at] == fingerprints
        return np.array(list(self._times.values()), np.int64)[order][at], there
