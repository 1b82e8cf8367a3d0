"""Times of two fields, compared as precisely as both of them and the clocks are; and rows without a time.

The writer of a log may leave out just the times that prove something. A row without a time isn't compared
with anything, so it is looked at in other ways: `Untimed` counts such rows by field, and `Around` asks when
they were played by the rows around them, in a log in the order of time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from provably_fair._core.printable import counted
from provably_fair.sources.times import TIMES, Masked
from provably_fair.verification import VerificationReport

from ..check import Check
from ..finding import Finding
from ..records import Records
from ..sums import Counted, FirstRows
from .wording import facts, in_parts

_STEPS = (1, 1000, 1_000_000, 60_000_000, 86_400_000_000)
_NAMES = ("microsecond", "millisecond", "second", "minute", "day")
_CLOCKS = 1_000_000
"""By how much the clocks of an operator's machines may differ. It never matters at midnight."""
_MOST = 1 << 16
"""Rows without a time between two with one that each of these is held against, at most."""


class Precision:
    """The precision of a field's times: the coarsest unit that fits all rows so far."""

    def __init__(self, step: int = len(_STEPS) - 1) -> None:
        self.step: int = step

    def note(self, times: np.ndarray, there: np.ndarray) -> None:
        """Narrow the precision to that of further times, where these are."""
        known = times if there.all() else times[there]
        while self.step and not _are_whole(known, _STEPS[self.step]):
            self.step -= 1

    def merge(self, later: Precision, rows: int) -> None:
        """Narrow the precision to that of later rows."""
        self.step = min(self.step, later.step)

    @property
    def apart(self) -> int:
        """The difference between two such times, in microseconds, from which one surely came first."""
        return _apart(self.step)


def _are_whole(times: np.ndarray, step: int) -> bool:
    """Whether all times are multiples of a step; numpy takes quotients faster than remainders."""
    return not len(times) or (not times[0] % step and bool((times // step * step == times).all()))


def _distance(times: np.ndarray, others: np.ndarray, step: int) -> np.ndarray:
    """Return by how much times are later than others, to a precision."""
    length = _STEPS[step]
    found: np.ndarray = (times // length - others // length) * length
    return found


def _apart(step: int) -> int:
    return _STEPS[step] + (_CLOCKS if _NAMES[step] != "day" else 0)


class Later(Counted):
    """Rows in which a time is later than another one, although it shouldn't be.

    One field may have whole seconds and the other fractions: times closer than the coarser precision, or than
    clocks may differ, have no order. The precision is only known after the last row, so rows are counted for
    every precision. If the other times are `exact`, as public times are, only the first field's precision
    counts.
    """

    state = ("_precisions", "_all", "_found")

    def __init__(self, *, exact: bool = False) -> None:
        self._exact = exact
        self._precisions = Precision(), Precision(0) if exact else Precision()
        self._found = [FirstRows() for _ in _STEPS]
        self._all = 0  # the number of rows if clocks are right, and times as precise as they look

    def update(self, places: np.ndarray, times: Masked, others: Masked) -> None:
        """Compare the times of rows: the first shouldn't be later than the other."""
        for precision, (values, there) in zip(self._precisions, (times, others), strict=True):
            precision.note(values, there)
        rows = np.flatnonzero(times[1] & others[1] & (times[0] > others[0]))
        self._all += len(rows)
        for step, (length, found) in enumerate(zip(_STEPS, self._found, strict=True)):
            apart = length if self._exact else _apart(step)
            rows = rows[_distance(times[0][rows], others[0][rows], step) >= apart]
            found.add(places[rows])

    @property
    def apart(self) -> int:
        """The difference, in microseconds, from which a time is surely later than another one."""
        return _apart(self._step)

    def surely(self, times: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return which times are later than others of the same two fields."""
        found: np.ndarray = _distance(times, others, self._step) >= self.apart
        return found

    @property
    def _step(self) -> int:
        return max(precision.step for precision in self._precisions)

    @property
    def found(self) -> FirstRows:
        """The rows."""
        return self._found[self._step]

    def unknown(self, what: str) -> list[str]:
        """Return how many rows are undecided; `what` describes them."""
        count = self._all - self.found.count
        if not count:
            return []
        clocks = "" if self._exact else ", by clocks that may differ by a second"
        told = f"times to the {_NAMES[self._step]}{clocks}"
        return [f"{told}: {counted(count, 'row')} {what}, too close to tell which came first"]


def lacking(records: Records) -> np.ndarray:
    """Return a mask of the rows without a time in a field that the log has.

    When the seed is revealed isn't known of one that isn't.
    """
    found = np.zeros(records.count, bool)
    for name in TIMES:
        if records.has(name):
            found |= ~_told(records, name)
    return found


def _told(records: Records, name: str) -> np.ndarray:
    """Return a mask of the rows that have a time or don't need one."""
    there = records.times[name][1]
    if name == "reveal_time" and len(records.unrevealed):
        there = there.copy()
        there[records.unrevealed] = True
    return there


class Untimed(Check):
    """Rows without a time, by field of times: checks that need that time skip them."""

    state = ("_all", "_rows", "_turned_back", "_found", "_local", "_zoned")

    def __init__(self) -> None:
        self._all = 0
        self._local: set[str] = set()  # the fields with times without a zone, and those with others
        self._zoned: set[str] = set()
        self._rows = dict.fromkeys(TIMES, 0)  # the number of rows with each field
        self._turned_back = dict.fromkeys(TIMES, 0)  # rows of a night in which clocks may be turned back
        self._found = {name: FirstRows() for name in TIMES}
        self._texts: dict[str, tuple[int, str]] = {}  # the first row without a time, and its cell

    def update(self, records: Records) -> None:
        self._all += records.count
        for name in TIMES:
            if not records.has(name):
                continue
            self._rows[name] += records.count
            if name in records.local:
                turned_back = records.order(name)[0] != records.times[name][0]
                self._turned_back[name] += int(np.count_nonzero(turned_back))
            if records.has_times(name):
                (self._local if name in records.local else self._zoned).add(name)
            there = _told(records, name)
            if not there.all():
                rows = np.flatnonzero(~there)
                self._found[name].add(records.places[rows])
                self._note(name, int(records.places[rows[0]]), records.text(name, int(rows[0])))

    def _note(self, name: str, place: int, text: str) -> None:
        self._texts[name] = min(self._texts.get(name, (place, text)), (place, text))

    def merge(self, later: Any, rows: int) -> None:
        super().merge(later, rows)
        for name, (place, text) in later._texts.items():
            self._note(name, place + rows, text)

    def unknown(self) -> list[str]:
        told = []
        for name, (first, text) in self._texts.items():
            cell, found = repr(text[:40]) if text else "empty", self._found[name]
            told.append(
                f"{counted(found.count, 'row')} of {self._rows[name]:,} without a {name} that can "
                f"be read (first: row {first}, {cell}): what times show isn't known of them"
            )
        told += in_parts(self._rows, self._all, "what times show isn't known of them")
        told += [
            f"{counted(count, 'row')} with a {name} without a zone, in a night in which clocks may be turned "
            "back: which of them came first"
            for name, count in self._turned_back.items()
            if count
        ]
        if self._local and self._zoned:
            local, zoned = (" and ".join(sorted(names)) for names in (self._local, self._zoned))
            told.append(
                f"{local} without a zone, {zoned} with one: whether the former is in UTC, as it is read"
            )
        return sorted(told)


_Side = Literal["before", "behind"]


class _Rows(NamedTuple):
    """Rows without a time: their positions, and the times that they are compared with."""

    places: np.ndarray
    others: np.ndarray

    def some(self, which: slice | np.ndarray) -> _Rows:
        """Return some of the rows."""
        return _Rows(self.places[which], self.others[which])

    def joined(self, more: _Rows) -> _Rows:
        """Return these rows and others."""
        return _Rows(np.concatenate([self.places, more.places]), np.concatenate([self.others, more.others]))


_NO_ROWS = _Rows(np.zeros(0, np.int64), np.zeros(0, np.int64))


@dataclass
class _Stretch:
    """Consecutive rows, of which those at both ends wait for their neighbors."""

    first: int | None = None  # the first and the last time; None where no row has any
    last: int | None = None
    rises: bool = True  # no time is below the one before
    falls: bool = True  # nor above
    head: _Rows = _NO_ROWS  # rows without a time before the first time
    tail: _Rows = _NO_ROWS  # and behind the last
    heads: int = 0  # their numbers, including those that aren't kept
    tails: int = 0


class Around:
    """Rows without a time, compared with another time by the times of the rows around them.

    In a log whose times rise, a row was played no earlier than the last time before it, and no later than the
    first one behind it; where they fall, the other way round.
    """

    def __init__(self, *, after: bool, exact: bool = False) -> None:
        self._after = after  # whether rows shouldn't be after what they are held against, rather than before
        self._sides: dict[_Side, Later] = {"before": Later(exact=exact), "behind": Later(exact=exact)}
        self._whole = _Stretch()

    def update(self, places: np.ndarray, times: Masked, others: Masked) -> None:
        """Add rows: their times, and the times to compare them with."""
        values, there = times
        if there.all():
            self._join(self._stretch(values, np.zeros(0, np.int64), _NO_ROWS))
            return
        timed = np.flatnonzero(there)
        rows = np.flatnonzero(~there & others[1])
        held = _Rows(places[rows], others[0][rows])
        self._join(self._stretch(values[timed], np.searchsorted(timed, rows), held))

    def _stretch(self, times: np.ndarray, at: np.ndarray, held: _Rows) -> _Stretch:
        """Return a stretch; `at` counts the times before each row of `held`, which has none."""
        if not len(times):
            head, tail = held.some(slice(_MOST)), held.some(slice(-_MOST, None))
            return _Stretch(head=head, tail=tail, heads=len(at), tails=len(at))
        starts, ends = np.searchsorted(at, at), np.searchsorted(at, at, "right")
        near = {"before": np.arange(len(at)) - starts < _MOST, "behind": ends - np.arange(len(at)) <= _MOST}
        between = {"before": near["before"] & (at > 0), "behind": near["behind"] & (at < len(times))}
        self._hold("before", held.some(between["before"]), times[at[between["before"]] - 1])
        self._hold("behind", held.some(between["behind"]), times[at[between["behind"]]])
        before, behind = at == 0, at == len(times)
        steps = np.diff(times)
        return _Stretch(
            int(times[0]),
            int(times[-1]),
            bool((steps >= 0).all()),
            bool((steps <= 0).all()),
            held.some(before & near["before"]),
            held.some(behind & near["behind"]),
            int(before.sum()),
            int(behind.sum()),
        )

    def _join(self, later: _Stretch) -> None:
        """Append later rows."""
        mine = self._whole
        head = later.head.some(slice(max(_MOST - mine.tails, 0)))
        tail = mine.tail.some(slice(max(len(mine.tail.places) - max(_MOST - later.heads, 0), 0), None))
        if mine.last is None:
            mine.head, mine.heads = mine.head.joined(head), mine.heads + later.heads
        else:
            self._hold("before", head, np.full(len(head.places), mine.last))
        if later.first is None or later.last is None:
            mine.tail, mine.tails = tail.joined(later.tail), mine.tails + later.tails
            return
        self._hold("behind", tail, np.full(len(tail.places), later.first))
        mine.rises &= later.rises and (mine.last is None or mine.last <= later.first)
        mine.falls &= later.falls and (mine.last is None or mine.last >= later.first)
        mine.first = later.first if mine.first is None else mine.first
        mine.last, mine.tail, mine.tails = later.last, later.tail, later.tails

    def _hold(self, side: _Side, held: _Rows, times: np.ndarray) -> None:
        """Compare rows without a time, by the times before or after them."""
        if not len(times):
            return
        all_there = np.ones(len(times), bool)
        pair = (times, all_there), (held.others, all_there)
        self._sides[side].update(held.places, *(pair if self._after else pair[::-1]))

    def merge(self, later: Around, rows: int) -> None:
        """Append later rows, whose positions count from 0: `rows` come before them."""
        for side, found in later._sides.items():
            self._sides[side].merge(found, rows)
        its = later._whole
        head, tail = (rest._replace(places=rest.places + rows) for rest in (its.head, its.tail))
        self._join(replace(its, head=head, tail=tail))

    @property
    def found(self) -> FirstRows:
        """The rows that were too late, or too early; none if the log isn't ordered by time."""
        whole = self._whole
        if whole.rises == whole.falls:  # in no order, or all of one time
            return FirstRows()
        return self._sides["before" if whole.rises == self._after else "behind"].found


class Untimely(Check):
    """Rows whose times are in an order that proves something, such as a bet after the reveal of its seed."""

    names: ClassVar[dict[str, str]]  # the fields that have these times, and what they are
    kind: ClassVar[str]
    text: ClassVar[str]  # the sentence about such rows
    untimed: ClassVar[str]  # the sentence about bets without a time among such rows
    after: ClassVar[bool]  # whether it is the bet that lies after the other time
    what: ClassVar[str]  # describes rows whose order can't be determined
    whether: ClassVar[str]  # describes a log without these times

    state: ClassVar[tuple[str, ...]] = ("_late", "_around", "_there")

    def __init__(self) -> None:
        self._late = Later()
        self._around = Around(after=self.after)
        self._there: set[str] = set()  # the fields of `names` that the log has

    def update(self, records: Records) -> None:
        self._there |= {name for name in self.names if records.has_times(name)}

    def compare(self, places: np.ndarray, bets: Masked, others: Masked) -> None:
        """Compare the times of bets with others."""
        self._late.update(places, *((bets, others) if self.after else (others, bets)))
        self._around.update(places, bets, others)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        late = facts(self.kind, "proof", self.text, self._late.found, *self.names)
        return late + facts("untimed_late", "evidence", self.untimed, self._around.found, *self.names)

    def unknown(self) -> list[str]:
        lacking = [self.names[name] for name in sorted(self.names.keys() - self._there)]
        return [f"no {' and '.join(lacking)}: {self.whether}"] if lacking else self._late.unknown(self.what)
