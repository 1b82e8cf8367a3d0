"""Blocks: failures that aren't spread as chance would have them, and the change that explains a block."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from provably_fair._core.printable import plain
from provably_fair._core.progress import Progress
from provably_fair._core.tails import log_bound
from provably_fair._core.types import JsonDict
from provably_fair.readings.search import BOUND

from .cures import Cure, Cures
from .systems import FIELD
from .values import Part, Values, shown

if TYPE_CHECKING:
    from .again import Again
    from .counts import Counts

_MOST = 20
_DENSITIES = (0.95, 0.5, 0.1, 0.02)
"""Shares of failing rows in a block from which the search begins."""
_UNREAD = 20
_UNSEEN = 20.7
"""Of rows that were missed by a sample, so many times its interval are less likely than one in 10**9."""
_PARTS, _LEAST = 8, 3
"""The most parts of a block that values tell apart, and the least failing rows of each."""


@dataclass(frozen=True)
class Block:
    """Failing rows that belong together. One of `VerificationReport.blocks`."""

    first: int  # the first failing row of the log, from 0
    last: int
    failed: int  # the number of failing rows
    # Values that all of these have, as far as they were looked at, and at most 1 % of the other rows
    shared: Mapping[str, str]
    # The values by which all rows from the first to the last agree, if a small change was found
    cure: Mapping[str, str] | None
    # The probability that chance puts as many failures together, for any of the descriptions tried
    pvalue: float
    text: str

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> JsonDict:
        """Return the block as JSON's types."""
        cure = None if self.cure is None else dict(self.cure)
        return {**vars(self), "shared": dict(self.shared), "cure": cure}


def blocks_of(counts: Counts, again: Again, progress: Progress) -> tuple[Block, ...]:
    """Return the blocks of a log's failures, by the first row."""
    rows, runs = counts.tally.rows, counts.spread.runs
    failed = int(runs[:, 2].sum())
    if failed < _LEAST or failed == rows:
        return ()
    time = counts.columns.called.get("time")  # which audits read
    others = [*list(counts.columns.unread)[:_UNREAD], *([] if time is None else [time])]
    search = _Search(Values(counts, again, others), runs, rows, failed)
    parts = search.parts()
    if not parts:
        return ()
    cures = Cures(again, counts.columns, search.values, progress)
    found: list[tuple[Part, Cure | None]] = []
    for part in parts:
        cure = cures.of(part)
        smaller = [] if cure or search.values.shared(part) else search.split(part)
        found += [(one, cures.of(one)) for one in smaller] if smaller else [(part, cure)]
    found.sort(key=lambda one: one[0].first)
    # Rows that fail because they repeat a round are in no block.
    whole = sum(part.failed for part, _ in found) == counts.tally.failed and not counts.tally.unchecked
    return tuple(_told(search.values, part, cure, counts, whole and len(found) == 1) for part, cure in found)


def _told(values: Values, part: Part, cure: Cure | None, counts: Counts, only: bool) -> Block:
    """Return a block with its sentence."""
    called = counts.columns.called
    shared = values.shared(part)
    own = {} if not part.name or part.times else {part.name: values.text(part.name, part) or ""}
    having = [f"{plain(called.get(name) or name)} {shown(text)}" for name, text in (own | shared).items()]
    size = part.last - part.first + 1
    rows = f"rows {part.first:,} to {part.last:,}"
    count = f"{part.failed:,} of " if part.failed < size else "all "
    looked = np.count_nonzero(values.of(part))
    having_it = "all" if looked >= part.failed else f"the {looked:,} that were looked at"
    said = [f"{count}{rows} fail" + (f", {having_it} with {' and '.join(having)}" if having else "")]
    if part.times:
        having = [f"{plain(part.name)} from {' to '.join(values.span(part))}", *having]
    if part.name:
        said = [
            f"{part.failed:,} rows from {part.first:,} to {part.last:,} fail, all with {' and '.join(having)}"
        ]
    elif (agreed := size - part.failed) and not counts.tally.unchecked:
        said.append(f"{agreed:,} of these {size:,} agree{_by_chance(values, agreed, size)}")
    if cure is not None:
        said.append(f"{cure.text}: that explains them, and they fail as the log stands")
    if only:
        said.append("all other rows are right")
    pvalue = max(math.exp(part.log_pvalue), 1e-300)
    bound = float(Context(prec=1, rounding=ROUND_CEILING).create_decimal(str(pvalue)))
    said.append(f"by chance with a probability below {bound:.0e}")
    return Block(
        part.first,
        part.last,
        part.failed,
        shared,
        None if cure is None else cure.values,
        pvalue,
        "; ".join(said),
    )


def _by_chance(values: Values, agreed: int, size: int) -> str:
    """Return whether so many rows agree as the log's outcomes are equal by chance, in words."""
    kept = (cells.get(FIELD) for cells in (*values.spread.failed.values(), *values.others))
    counts = np.array(list(Counter(map(repr, kept)).values()), float)
    rate = (counts * (counts - 1)).sum() / max(counts.sum() * (counts.sum() - 1), 1)
    near = abs(agreed - rate * size) <= 4 * math.sqrt(size * rate * (1 - rate))
    return f", as chance would have it (1 in {round(1 / rate)})" if rate and near else ""


class _Search:
    """The search for parts of a log in which rows fail."""

    def __init__(self, values: Values, runs: np.ndarray, rows: int, failed: int) -> None:
        self.values = values
        self._runs, self._all, self._failed = runs, rows, failed
        self._left = np.ones(len(values.rows), bool)
        self._exact = len(values.rows) == failed

    @cached_property
    def _columns(self) -> list[str]:
        """The columns by whose values rows may fail: those that several failing rows share."""
        if not self._exact:
            return []
        codes = self.values.failed.items()
        return [name for name, each in codes if 0 < len(np.unique(each[each != 0])) < len(each)]

    @cached_property
    def _tries(self) -> float:
        """The number of descriptions: pairs of failing rows, of all rows or of those with one value."""
        values = sum(len(np.unique(self.values.failed[name])) for name in self._columns)
        return self._failed**2 / 2 * (1 + values + bool(self.values.time))

    def parts(self) -> list[Part]:
        """Return the parts, each description the one that tells most about the failures left."""
        found: list[Part] = []
        while len(found) < _MOST:
            best = self._by_row()
            told = sum(-part.log_pvalue for part in best)
            for parts in (*map(self._by_value, self._columns), self._by_time()):
                tells = sum(-part.log_pvalue for part in parts)
                if tells > 1.1 * told + 20:
                    best, told = parts, tells
            if not best:
                break
            found += best
            if not self._exact:
                break
            for part in best:
                self._left &= ~self.values.of(part)
            left = self.values.rows[self._left]
            self._runs = np.stack([left, left, np.ones(len(left), np.int64)], axis=1)
        return found[:_MOST]

    def _by_row(self) -> list[Part]:
        firsts, lasts, counts = self._runs.T
        if not len(firsts):
            return []
        gaps = np.concatenate([[np.inf], firsts[1:] - lasts[:-1] - 1])
        return [
            Part(int(firsts[one]), int(lasts[end]), failed, pvalue)
            for one, end, failed, pvalue in self._segments(
                counts, gaps, lasts - firsts + 1 - counts, lambda _one, _end: 0.0
            )
        ]

    def _by_value(self, name: str) -> list[Part]:
        """Return parts of rows that have one value."""
        values, left = self.values, self._left
        codes = np.concatenate([values.failed[name][left], values.passed[name]])
        fails = np.arange(len(codes)) < np.count_nonzero(left)
        places = np.concatenate([values.rows[left], values.right])
        weights = np.concatenate([np.zeros(np.count_nonzero(left)), values.weights])
        several, counts = np.unique(codes[fails], return_counts=True)
        used = np.isin(codes, several[(counts >= _LEAST) & (several != 0)])
        codes, fails, places, weights = codes[used], fails[used], places[used], weights[used]
        order = np.lexsort((places, codes))
        codes, fails, places, weights = codes[order], fails[order], places[order], weights[order]
        at = np.flatnonzero(fails)
        if not len(at):
            return []
        gaps = np.diff(np.cumsum(weights)[at], prepend=0.0)
        gaps[np.concatenate([[True], codes[at][1:] != codes[at][:-1]])] = np.inf
        weight = self._weight_of(values.right, places[at])
        return [
            Part(int(places[at[one]]), int(places[at[end]]), failed, pvalue, name, int(codes[at[one]]))
            for one, end, failed, pvalue in self._segments(
                np.ones(len(at), np.int64), gaps, np.zeros(len(at), np.int64), weight
            )
        ]

    def _by_time(self) -> list[Part]:
        """Return parts of rows that lie together in time, wherever they stand in the log."""
        values = self.values
        if not self._exact or not values.time or not self._left.any():
            return []
        rows, weights = values.rows[self._left], values.weights
        times, of, counts = np.unique(values.when_failed[self._left], return_inverse=True, return_counts=True)
        order = np.argsort(values.when_right, kind="stable")
        sums = np.concatenate([[0.0], np.cumsum(weights[order])])
        before, until = (
            sums[np.searchsorted(values.when_right[order], times, side)] for side in ("left", "right")
        )
        gaps = np.concatenate([[np.inf], before[1:] - until[:-1]])
        weight = self._weight_of(values.when_right, times)
        found = []
        for one, end, failed, pvalue in self._segments(counts, gaps, until - before, weight):
            own = rows[(of >= one) & (of <= end)]
            span = int(times[one]), int(times[end])
            found.append(Part(int(own.min()), int(own.max()), failed, pvalue, values.time, 0, span))
        return found

    def _weight_of(self, right: np.ndarray, places: np.ndarray) -> Callable[[int, int], float]:
        """Return how many rows a kept right one stands for at most, from one of some places to another."""
        weights = self.values.weights

        def weight(one: int, end: int) -> float:
            among = (right >= places[one]) & (right <= places[end])
            return float(weights[among].max(initial=0.0) or weights.max(initial=0.0))

        return weight

    def _segments(
        self, counts: np.ndarray, gaps: np.ndarray, inner: np.ndarray, weight: Callable[[int, int], float]
    ) -> list[tuple[int, int, int, float]]:
        """Return the likeliest segments of failing rows that chance doesn't explain.

        `gaps` are the right rows before each item, `inner` those in it. Each segment is its first and last
        item, its failing rows, and the logarithm of its p-value.
        """
        best: list[tuple[int, int, int, float]] = []
        for density in _DENSITIES:
            inside, outside = density, self._failed / self._all
            for _ in range(3):
                if inside <= outside:
                    break
                segments = _likeliest(counts, gaps, inner, inside, outside, 2 * math.log(self._all))
                within = sum(int(counts[one : end + 1].sum()) for one, end in segments)
                right = sum(_right(gaps, inner, one, end) for one, end in segments)
                others = max(self._all - within - right, 1)
                outside = max(int(counts.sum()) - within, 0.01) / (others + 1)
                inside = within / (within + right + 0.5) if within else 0.0
            else:
                found = []
                for one, end in segments:
                    failed = int(counts[one : end + 1].sum())
                    right = _right(gaps, inner, one, end)
                    # There may be more right rows than the kept ones stand for, by Poisson's law.
                    unseen = weight(one, end) - 1
                    more = unseen * (_UNSEEN + math.sqrt(2 * _UNSEEN * right / unseen)) if unseen > 0 else 0
                    size = min(failed + right + more, self._all)
                    pvalue = self._log_pvalue(failed, size)
                    if pvalue < math.log(BOUND):
                        found.append((one, end, failed, pvalue))
                if sum(one[-1] for one in found) < sum(one[-1] for one in best):
                    best = found
        return best

    def _log_pvalue(self, failed: int, size: float) -> float:
        """Return the logarithm of the probability that chance puts as many failures in so few rows.

        Of failures in random rows, those behind any one and within a distance are hypergeometric, whose tail
        Hoeffding bounds by the binomial's relative entropy; each pair of failing rows is a try.
        """
        share = min((failed - 1) / max(size - 1, 1), 1.0)
        usual = (self._failed - 1) / (self._all - 1)
        return min(0.0, math.log(self._tries) + log_bound(share, size - 1, usual))

    def split(self, part: Part) -> list[Part]:
        """Return the parts of a block that one column's values tell apart, one after the other."""
        if part.name or not self._exact:
            return []
        mask = self.values.of(part)
        rows = self.values.rows[mask]
        choices = []
        for name in self._columns:
            codes = self.values.failed[name][mask]
            begins = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
            several = len(np.unique(codes)) == len(begins) and codes.all()
            if not (several and 1 < len(begins) <= _PARTS):
                continue
            parts = [
                part._replace(first=int(some[0]), last=int(some[-1]), failed=len(some))
                for some in np.split(rows, begins[1:])
            ]
            if all(one.failed >= _LEAST and name in self.values.shared(one) for one in parts):
                choices.append(parts)
        return min(choices, key=len, default=[])


def _right(gaps: np.ndarray, inner: np.ndarray, one: int, end: int) -> float:
    """Return the right rows in a segment."""
    return float(gaps[one + 1 : end + 1].sum() + inner[one : end + 1].sum())


def _likeliest(
    counts: np.ndarray, gaps: np.ndarray, inner: np.ndarray, inside: float, outside: float, begin: float
) -> list[tuple[int, int]]:
    """Return the likeliest segments, by Viterbi's algorithm: rows fail at one rate inside, another outside.

    Beginning a segment costs `begin`, ending one nothing.
    """
    cost_of_one = math.log((1 - outside) / (1 - min(inside, 1 - 1e-6)))
    gains = (counts * math.log(inside / outside) - inner * cost_of_one).tolist()
    costs = np.where(np.isinf(gaps), np.inf, gaps * cost_of_one).tolist()
    within, beyond = -math.inf, 0.0
    begun: list[bool] = []
    left: list[bool] = []
    for gain, cost in zip(gains, costs, strict=True):
        ends = within > beyond  # a segment ends before this item, if the item isn't in it
        before = max(within, beyond)
        stays, enters = within - cost, before - begin
        begun.append(enters > stays)
        left.append(ends)
        beyond, within = before, max(stays, enters) + gain
    segments = []
    place, is_in = len(gains) - 1, within > beyond
    while place >= 0:
        if not is_in:
            is_in = left[place]
            place -= 1
            continue
        end = place
        while not begun[place]:
            place -= 1
        segments.append((place, end))
        is_in = left[place]
        place -= 1
    return segments[::-1]
