"""Times at which server seeds were revealed: those of a column, and `reveal_times`."""

from __future__ import annotations

import numpy as np

from provably_fair._core.printable import bare_hex
from provably_fair._engine import column_fingerprints
from provably_fair.sources.times import Masked

from ..check import Context
from ..records import Records, whole

NOT_YET = np.iinfo(np.int64).max
"""The time of a reveal that isn't known."""


class RevealTimes:
    """The time at which each row's seed was revealed, the earliest if several are given."""

    def __init__(self, context: Context) -> None:
        self._times: dict[str, int] = {}
        # Of several spellings of one seed the earliest comes first, and stays.
        for seed, time in sorted(context.reveal_times.items(), key=lambda one: one[1]):
            digits = bare_hex(seed)
            for spelled in (digits, f"0x{digits}"):
                self._times.setdefault(spelled, time)

    def of(self, records: Records) -> Masked | None:
        """Return the time of each row's reveal, and whether it is known; None if no source has any."""
        told = [records.order("reveal_time")] if records.has("reveal_time") else []
        told += [
            self._told(records, name)
            for name in ("server_seed", "commitment", "game_hash")
            if self._times and records.has(name)
        ]
        if not told:
            return None
        earliest = np.min([np.where(there, times, NOT_YET) for times, there in told], axis=0)
        return earliest, earliest != NOT_YET

    def _told(self, records: Records, name: str) -> Masked:
        """Return the time of each row's reveal by the value of a field, and whether it was given."""
        keys = whole(column_fingerprints(name, list(self._times), len(self._times), hexadecimal=True))
        order = np.argsort(keys, kind="stable")
        fingerprints = whole(records.fingerprints(name, hexadecimal=True))
        at = np.minimum(np.searchsorted(keys[order], fingerprints), len(keys) - 1)
        there = keys[order][at] == fingerprints
        return np.array(list(self._times.values()), np.int64)[order][at], there
