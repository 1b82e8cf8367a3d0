"""Rows that are there twice, as exports have them that overlap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from provably_fair._core.printable import counted
from provably_fair._engine import Replays, joined_fingerprints
from provably_fair.verification import VerificationReport

from ..check import Check, Context
from ..finding import Finding
from ..records import Records
from .wording import fact, hex_names

_WORDS = ("player", "status", "currency")
_IN_A_BLOCK = 4
"""Fingerprints that are hashed together: blocks before the last one cost nothing where they stay the same."""
_NUMBERS = ("stake", "payout")
_UNTIMED = 1 << 20
"""Rows without a time that are kept, at most."""


class Overlaps(Check):
    """Rows with all that an audit reads of an earlier one, its time among it: the same bet, exported again.

    Where a row has no time, nothing tells a bet that was exported again from seeds that were used again: in
    a log whose exports overlap elsewhere, it is taken for the former if all else is the same.
    """

    def __init__(self, context: Context) -> None:
        self._fields = context.fields
        self._folded = hex_names(context)
        self._threads = context.plan.threads
        self._rows = Replays()
        self._but_times = Replays()
        """The same rows, and those without a time, by all but their times."""
        self._untimed = np.zeros(0, np.int64)
        """Rows without a time, up to as many as are kept."""
        # A chain's games are told by their hashes.
        self._timed = "game_hash" not in self._fields and bool({"nonce", "server_seed"} & {*self._fields})
        self._pairs: tuple[tuple[int, int], ...] | None = None

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        self._pairs = None
        self._timed &= records.has("time")
        if not self._timed:
            return
        times, there = records.time("time")
        self._keep(records.places[~there])
        # What rarely changes from row to row goes first, in blocks of its own.
        steady: list[np.ndarray] = []
        often: list[np.ndarray] = []
        words: list[np.ndarray] = []
        for name in self._fields:
            if name in ("nonce", "round") and records.has(name):
                words.append(records.whole(name)[0])
            elif records.has(name):
                seeds = often if name == "salt" else steady
                seeds.append(records.fingerprints(name, hexadecimal=name in self._folded))
        steady += [records.fingerprints(name) for name in _WORDS if records.has(name)]
        words += [records.number(name) for name in _NUMBERS if records.has(name)]
        there_are = sum(1 << bit for bit, name in enumerate(_WORDS + _NUMBERS) if records.has(name))
        which = np.broadcast_to(np.array([there_are, 0], np.uint64), (records.count, 2))
        steady += [which] * (_IN_A_BLOCK - len(steady) % _IN_A_BLOCK)
        words += [np.zeros(records.count)] * (len(words) % 2)
        for one, other in zip(words[::2], words[1::2], strict=True):
            both = (np.ascontiguousarray(word).view(np.uint64) for word in (one, other))
            often.append(np.stack(list(both), axis=1))
        but_times = joined_fingerprints([*steady, *often], records.count)
        self._but_times.extend([but_times], records.places, np.ones(records.count, bool))
        at = np.stack([times.view(np.uint64), np.zeros(records.count, np.uint64)], axis=1)
        self._rows.extend([but_times, at], records.places, there)

    def _keep(self, untimed: np.ndarray) -> None:
        self._untimed = np.concatenate([self._untimed, untimed])[:_UNTIMED]

    def merge(self, later: Overlaps, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        self._pairs = None
        self._timed &= later._timed
        self._rows.append(later._rows, rows)
        self._but_times.append(later._but_times, rows)
        self._keep(later._untimed + rows)

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_pairs": None}

    def pairs(self, verified: VerificationReport) -> tuple[tuple[int, int], ...]:
        """Return the rows that are there once more, each behind the first that has all the same."""
        if not (verified.repeats.count and self._timed):
            return ()
        if self._pairs is None:
            timed = self._rows.find(0, True, self._threads)[3]
            self._pairs = tuple(self._with_untimed(timed) if timed and len(self._untimed) else timed)
        return self._pairs

    def _with_untimed(self, timed: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the rows that are there once more, with those that lack the time, or whose first one does.

        A first row without a time may have had any, but only one.
        """
        untimed, again = set(self._untimed.tolist()), {row for _, row in timed}
        found = []
        for first, row in sorted(self._but_times.find(0, True, self._threads)[3]):
            if row in again or row in untimed:
                found.append((first, row))
            elif first in untimed:
                untimed.remove(first)
                found.append((first, row))
        return found

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return the finding of rows that are there once more."""
        rows = {row for _, row in self.pairs(verified)}
        if not rows:
            return []
        text = (
            "{n} row[|s] [repeats an earlier one|repeat earlier ones] entirely, the time included{but} "
            "(first: row {first}): exports overlap, or a bet is listed twice."
        )
        untimed = {*self._untimed.tolist()} & {row for pair in self.pairs(verified) for row in pair}
        but = f" where there is one (it lacks in {counted(len(untimed), 'row')})" if untimed else ""
        return [fact("rows_overlap", "note", text, rows, len(rows), "time", but=but)]
