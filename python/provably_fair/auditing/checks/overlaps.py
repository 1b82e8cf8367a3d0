"""Rows that are listed twice, as in overlapping exports."""

from __future__ import annotations

import numpy as np

from provably_fair._core.printable import counted
from provably_fair._engine import Listings
from provably_fair.verification import VerificationReport
from provably_fair.verification.systems.chains import GAME_HASH

from ..check import Check, Context
from ..finding import Finding
from ..records import IDENTIFYING, NEVER, Records
from ..sums import RowNumbers
from .wording import facts, hex_names

_WORDS = ("player", "status", "currency")
_COUNTED = ("nonce", "round")
_NUMBERS = ("stake", "payout")


class Overlaps(Check):
    """Rows that equal an earlier one in every field an audit reads, the time included: a bet exported twice.

    Without a time, a bet that was exported twice looks like seeds that were used twice: it is taken for the
    former if all else is equal and exports overlap elsewhere in the log.
    """

    def __init__(self, context: Context) -> None:
        self._fields = context.fields
        hashes = {GAME_HASH} - {*self._fields}  # of games among several
        self._names = (*self._fields, *hashes, *_WORDS, *_NUMBERS)
        self._folded = hex_names(context)
        self._threads = context.plan.threads
        self._rows = Listings()
        # A chain's games are identified by their hashes.
        self._timed = "game_hash" not in self._fields and bool({"nonce", "server_seed"} & {*self._fields})
        self._pairs: tuple[tuple[int, int], ...] | None = None
        self.again: np.ndarray = np.zeros(0, np.int64)  # rows that repeat the round of an earlier row
        self._untimed = 0  # the number of these rows that lack a time
        games = context.system.games.items()
        self._shared_games = [name for name, one in games if one.shared or one.chains]
        self._shared = RowNumbers()  # rows of these games among others

    def update(self, records: Records) -> None:
        self._pairs = None
        shared = np.flatnonzero(records.of_games(self._shared_games))
        self._shared.put(records.places[shared], np.ones(len(shared), np.uint8))
        self._timed &= records.has("time")
        if not self._timed:
            return
        there = [name for name in self._names if records.has(name)]
        alike = [name for name in there if name in IDENTIFYING]
        sets = records.sets(*alike)
        steady = [sets.spread(records.joined(sets, alike, self._folded))] if alike else []
        # Salts and numbers change from row to row.
        often: list[np.ndarray] = []
        numbers: list[np.ndarray] = []
        for name in there:
            if name in _COUNTED:
                numbers.append(records.whole(name)[0])
            elif name in _NUMBERS:
                numbers.append(records.number(name) + 0.0)  # -0.0 is 0.0 in other bits
            elif name not in alike:
                texts = often if name == "salt" else steady
                texts.append(records.fingerprints(name, hexadecimal=name in self._folded))
        there_are = sum(1 << bit for bit, name in enumerate(self._names) if name in there)
        steady.append(np.broadcast_to(np.array([there_are, 0], np.uint64), (records.count, 2)))
        times, timed = records.times["time"]
        if not timed.all():
            times = np.where(timed, times, NEVER)
        words = [column.view(np.uint64) for column in numbers]
        self._rows.extend(steady, often, words, records.places, times)

    def merge(self, later: Overlaps, rows: int) -> None:
        self._pairs = None
        self._timed &= later._timed
        self._shared.merge(later._shared, rows)
        self._rows.append(later._rows, rows)

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_pairs": None}

    def pairs(self, verified: VerificationReport) -> tuple[tuple[int, int], ...]:
        """Return pairs of rows: each row that is listed again, after the first equal one."""
        if not (verified.repeats.count and self._timed):
            return ()
        if self._pairs is None:
            pairs, timed, untimed = self._rows.twice(self._threads)
            self._pairs, self._untimed = (tuple(pairs), untimed) if timed else ((), 0)
        return self._pairs

    def leave_out(self, rows: np.ndarray) -> None:
        self.again = rows

    def shared(self, rows: np.ndarray) -> np.ndarray:
        """Return a mask of those rows whose round may have others, as one of a game that players share."""
        known = np.append(self._shared.values[:, 0] == 1, False)
        return np.asarray(known[np.minimum(rows, len(known) - 1)] | (rows >= RowNumbers.MOST))

    def findings(self, verified: VerificationReport) -> list[Finding]:
        rows = {row for _, row in self.pairs(verified)}
        text = (
            "{n} row[|s] [repeats an earlier one|repeat earlier ones] entirely, the time included{but} "
            "(first: row {first}): exports overlap, or a bet is listed twice."
        )
        untimed = counted(self._untimed, "row")
        but = f" where there is one (it lacks in {untimed})" if self._untimed else ""
        return facts("rows_overlap", "note", text, rows, "time", but=but)
