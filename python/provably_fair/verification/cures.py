"""The smallest change of a field that explains a block: found by trying it on rows that were kept."""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from provably_fair._core.printable import plain
from provably_fair._core.progress import Progress, progress_bar
from provably_fair.readings.search import is_sure, tail, upper_rate
from provably_fair.sources import LogError
from provably_fair.sources.foreign import as_written, cells_of

from .changes import Change, changes_of, digits_of
from .columns import Columns
from .rows import arguments_of
from .spread import codes_of, evenly
from .systems import FIELD, Rows
from .systems.rounds import GameRounds
from .systems.system import whole
from .values import Part, Values, shown

if TYPE_CHECKING:
    from .again import Again
    from .counts import ReadColumns

_BOUND = 1e-9
"""Limit on the probability that a wrong change makes the rows agree, times the changes tried."""
_MOST = 200
_AT_ONCE = 5_000
_DECOYS = 20_000
_SECONDS = 30.0
"""The most rows of a block that are tried, rows verified at once, those with wrong values, and seconds."""
_NEAR = 200
Cells = Mapping[str, Any]


class Cure(NamedTuple):
    """A change with which a block's rows agree: the values by field, and a sentence."""

    values: dict[str, str]
    text: str


class Cures:
    """The search for changes that explain blocks."""

    def __init__(self, again: Again, read: ReadColumns, values: Values, progress: Progress) -> None:
        self._again, self._plan = again, again.plan
        self._read, self._values, self._progress = read, values, progress
        self._end = time.monotonic() + _SECONDS

    def of(self, part: Part) -> Cure | None:
        """Return the smallest change with which all of a block's rows agree; None if there is none."""
        failed, right = self._values.kept(part), self._values.agreeing(part)
        failed = [failed[i] for i in evenly(len(failed), _MOST - min(len(right), _MOST // 3))]
        rows = [*failed, *(right[i] for i in evenly(len(right), _MOST - len(failed)))]
        thin = self._values.spread.thin
        readable = thin * np.count_nonzero(self._values.of(part))
        columns = {name: [cells[name] for cells in rows] for name in self._names(rows)}
        # Lines that can't be read stay so, and rows may fail for what their seeds don't tell.
        if not columns or readable <= part.failed - thin or self._verified(columns)[: len(failed)].all():
            return None
        numbers = {name: self._plan.fields[name].number for name in self._changed(columns)}
        near = sorted(self._values.spread.right.items(), key=lambda item: _distance(item[0], part))
        added = {name: self._column(name) for name in numbers}
        changes = list(changes_of(columns, numbers, added, [cells for _, (_, cells) in near[:_NEAR]]))
        with progress_bar(len(changes), self._progress) as report:
            left = changes
            done, size = 0, 1
            while left and done < len(rows):
                some = {name: cells[done : done + size] for name, cells in columns.items()}
                left = self._agreeing(left, some, report if not done else None)
                done += size
                size = max(1, min(_AT_ONCE // max(len(left), 1), len(rows)))
        for change in left:
            if self._is_sure(change, columns, len(changes)):
                return self._confirmed(part, change, columns)
        return None

    def _column(self, name: str) -> tuple[str, int]:
        """Return the column that a field is read from, and the number that is added to it."""
        return self._read.added.get(name) or (self._read.called.get(name) or name, 0)

    def _names(self, rows: Sequence[Cells]) -> list[str]:
        """Return the fields that outcomes follow from, and the outcome, of those that all rows have."""
        system = self._plan.system
        names = set.intersection(*map(set, rows)) if rows else set()
        if isinstance(system, GameRounds):  # commitments and proofs take long, and tell nothing of rounds
            names -= {*system.published, *([] if system.beacon is None else system.beacon.names)}
        return [name for name in self._plan.fields if name in names]

    def _changed(self, names: Collection[str]) -> list[str]:
        """Return the fields that may be changed: seeds and counters, neither parameters nor outcomes."""
        system = self._plan.system
        if isinstance(system, GameRounds):
            return [name for name in system.scheme.fields if name in names]
        return [name for name in names if name != FIELD and (self._plan.fields[name].text or name == "nonce")]

    def _agreeing(self, changes: list[Change], columns: Mapping[str, list[Any]], report: Any) -> list[Change]:
        """Return the changes with which rows agree."""
        count, found = len(columns[FIELD]), []
        at_once = max(1, _AT_ONCE // count)
        for begin in range(0, len(changes), at_once):
            if time.monotonic() > self._end:
                return []
            some = changes[begin : begin + at_once]
            agree = self._verified(
                {
                    name: [cell for change in some for cell in change.of(columns, name)]
                    if any(name in change.made for change in some)
                    else cells * len(some)
                    for name, cells in columns.items()
                }
            )
            fits = agree.reshape(len(some), count).all(axis=1)
            found += [change for change, fit in zip(some, np.atleast_1d(fits), strict=True) if fit]
            if report is not None:
                report(begin + len(some))
        return found

    def _is_sure(self, change: Change, columns: Mapping[str, list[Any]], tries: int) -> bool:
        """Whether wrong values would hardly make so many rows agree.

        How often each row agrees with a wrong value is measured with random ones. Rows that are one round
        after the change count once, and those that it leaves as they are not at all.
        """
        hashed = [name for name in columns if name != FIELD]
        before = zip(*(columns[name] for name in hashed), strict=True)
        after = zip(*(change.of(columns, name) for name in hashed), strict=True)
        pairs = [(repr(old), repr(new)) for old, new in zip(before, after, strict=True)]
        which = list({new: i for i, (old, new) in enumerate(pairs) if old != new}.values())
        if not which:
            return False
        some = {name: [cells[i] for i in which] for name, cells in columns.items()}
        decoys = max(100, _DECOYS // len(which))
        wrong = {name: cells * decoys for name, cells in some.items()}
        source = random.Random("decoys")
        for name in change.made:
            wrong[name] = [
                value
                for _ in range(decoys)
                for value in _decoys(some[name], self._plan.fields[name].number, source)
            ]
        hits = self._verified(wrong).reshape(decoys, -1).sum(axis=0)
        return is_sure(tail(upper_rate(hits, decoys), len(which)), tries, _BOUND)

    def _confirmed(self, part: Part, change: Change, columns: Mapping[str, list[Any]]) -> Cure | None:
        """Return a change that fits, if all rows agree from the first to the last that can be read."""
        size, looked = part.last - part.first + 1, len(columns[FIELD])
        with suppress(OSError, LogError):  # the log may have changed
            if self._again.is_readable and (not part.name or (part.code and part.name in self._plan.fields)):
                looked = 0
                for which, log in self._again.columns(part.first, part.last):
                    if part.name:
                        which = which[codes_of(log.cells[part.name], which) == np.uint64(part.code)]
                    if not self._agree(change, which, log):
                        return None
                    looked += len(which)
                    if time.monotonic() > self._end:
                        break
        said = []
        for name, value in change.said.items():
            column = self._read.called.get(name) or name
            is_added = not change.one and value.startswith(self._column(name)[0])
            words = plain(value) if is_added else f"{plain(column)} {shown(value)}"
            said.append(f"{words} in place of {shown(as_written(columns[name][0]))}" if change.one else words)
        seen = (
            f"all {looked:,} rows" if looked == size else f"the {looked:,} of these rows that were looked at"
        )
        return Cure(dict(change.said), f"with {' and '.join(said)} {seen} agree")

    def _verified(self, columns: Mapping[str, list[Any]]) -> np.ndarray:
        """Return a mask of the rows with these cells that agree."""
        plan, count = self._plan, len(columns[FIELD])
        mask = np.ones(count, bool)
        rows = Rows(
            dict(columns), count, 0, threads=plan.threads, chain_steps=plan.chain_steps, ordered=plan.ordered
        )
        try:
            found = plan.system.verify(rows)
        except (TypeError, ValueError):  # a value that the system refuses
            return ~mask
        for wrong in (found.rows, *found.unchecked.values()):
            mask[wrong] = False
        return mask

    def _agree(self, change: Change, which: np.ndarray, log: Columns) -> bool:
        """Whether rows of the log agree after a change."""
        rows = Rows(arguments_of(self._plan, log), log.batch.rows, 0).some(which)
        cells = {name: cells_of(column, len(which)) for name, column in rows.columns.items()}
        return bool(self._verified({name: change.of(cells, name) for name in cells}).all())


def _decoys(cells: Sequence[Any], number: bool, source: random.Random) -> list[Any]:
    """Return wrong cells of the same form: one for all rows, if they share one."""
    if number:
        by = source.randrange(10**4, 10**6)
        return [int(whole(cell)) + by for cell in cells]
    known: dict[str, str] = {}
    for cell in map(as_written, cells):
        letters = digits_of(cell) or cell
        known.setdefault(cell, "".join(source.choices(letters, k=max(len(cell), 12))))
    return [known[cell] for cell in map(as_written, cells)]


def _distance(row: int, part: Part) -> int:
    return part.first - row if row < part.first else max(row - part.last, 0)
