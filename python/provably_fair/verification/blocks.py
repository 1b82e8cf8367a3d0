"""Blocks: failures that aren't spread as chance would have them, and the change that explains a block."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from provably_fair._core.printable import plain
from provably_fair._core.progress import Progress
from provably_fair._core.types import JsonDict
from provably_fair.readings.matching import BOUND
from provably_fair.sources.foreign import as_text

from .spread import codes_of
from .systems import FIELD

if TYPE_CHECKING:
    from .again import Again
    from .counts import Counts
    from .cures import Cure

__all__ = ["MEANING", "Block", "blocks_of"]

FILE = "file"
"""The name under which a row's file is a value that rows share."""
MEANING = "An explanation is no pardon: the rows fail as the log stands."
_RARE = 0.01
"""The largest share of other rows that have a value which a block's rows share."""
_MOST = 20
_DENSITIES = (0.95, 0.5, 0.1, 0.02)
"""Shares of failing rows in a block from which the search begins."""
_REREAD = 5_000_000
"""The largest number of rows of a log that is read again for columns that weren't read."""
_UNREAD = 20
_PARTS, _LEAST = 8, 3
"""The most parts of a block that values tell apart, and the least failing rows of each."""


@dataclass(frozen=True)
class Block:
    """Failing rows that belong together. One of `VerificationReport.blocks`."""

    first: int  # the first failing row of the log, from 0
    last: int
    failed: int  # the number of failing rows
    shared: Mapping[str, str]  # values that all of these have, and at most 1 % of the other rows
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


class Part(NamedTuple):
    """Failing rows of a log: from where to where, how many, and of all rows or those with one value."""

    first: int
    last: int
    failed: int
    log_pvalue: float
    name: str = ""
    code: int = 0


class _Values:
    """The values of failing rows and of some right ones, by column."""

    def __init__(self, counts: Counts, again: Again, unread: Sequence[str]) -> None:
        spread, files = counts.spread, counts.files
        self.spread = spread
        self.rows: np.ndarray = spread.rows
        self.right: np.ndarray = np.array(sorted(spread.right), np.int64)
        kept = [spread.right[row] for row in self.right.tolist()]
        self.others: list[Mapping[str, Any]] = [cells for _, cells in kept]
        self.weights: np.ndarray = np.array([weight for weight, _ in kept])
        self.failed: dict[str, np.ndarray] = dict(spread.codes)
        self.passed: dict[str, np.ndarray] = {
            name: _codes([cells.get(name) for _, cells in kept]) for name in self.failed
        }
        self.texts: dict[str, dict[int, str]] = {}
        """The texts of codes, by column, if rows that are kept don't have them."""
        if counts.tally.rows <= _REREAD and unread:
            both = np.unique(np.concatenate([self.rows, self.right]))
            cells = again.others(both, unread)
            for name in dict.fromkeys(name for row in cells[:1] for name in row):
                self._add(name, both, [row.get(name) for row in cells])
        if len(files.files) > 1:
            both = np.unique(np.concatenate([self.rows, self.right]))
            self._add(FILE, both, [files.file_of(int(row))[0] for row in both])

    def _add(self, name: str, rows: np.ndarray, cells: list[Any]) -> None:
        codes = _codes(cells)
        self.texts[name] = dict(zip(codes.tolist(), map(as_text, cells), strict=True))
        self.failed[name] = codes[np.searchsorted(rows, self.rows)]
        self.passed[name] = codes[np.searchsorted(rows, self.right)]

    def of(self, part: Part) -> np.ndarray:
        """Return a mask of a part's failing rows, among those with codes."""
        inside = (self.rows >= part.first) & (self.rows <= part.last)
        return inside & (self.failed[part.name] == np.uint64(part.code)) if part.name else inside

    def shared(self, part: Part) -> dict[str, str]:
        """Return the values that a part's failing rows share, and few others have."""
        mask, found = self.of(part), {}
        outside = ~((self.right >= part.first) & (self.right <= part.last)) | bool(part.name)
        others = self.weights[outside].sum() + self.spread.thin * np.count_nonzero(~mask)
        for name, codes in self.failed.items():
            own = codes[mask]
            if not len(own) or not own[0] or (own != own[0]).any():
                continue
            having = self.weights[outside & (self.passed[name] == own[0])].sum()
            having += self.spread.thin * np.count_nonzero(codes[~mask] == own[0])
            if having <= _RARE * others:
                text = self.text(name, part)
                if text is not None:
                    found[name] = text
        return dict(sorted(found.items(), key=lambda item: (item[0] != part.name, len(item[1]))))

    def text(self, name: str, part: Part) -> str | None:
        """Return the text that a part's failing rows have in a column; None if no such row was kept."""
        if name in self.texts:
            return self.texts[name][int(self.failed[name][self.of(part)][0])]
        kept = self.kept(part)
        return as_text(kept[0][1][name]) if kept and name in kept[0][1] else None

    def kept(self, part: Part) -> list[tuple[int, dict[str, Any]]]:
        """Return the cells kept of a part's failing rows."""
        rows = set(self.rows[self.of(part)].tolist()) if part.name else None
        kept = self.spread.failed
        inside = sorted(row for row in kept if part.first <= row <= part.last)
        return [(row, kept[row]) for row in inside if rows is None or row in rows]

    def agreeing(self, part: Part) -> list[tuple[int, dict[str, Any]]]:
        """Return the cells kept of right rows among a part's."""
        same = self.passed[part.name] == np.uint64(part.code) if part.name else True
        inside = (self.right >= part.first) & (self.right <= part.last) & same
        return [(row, self.spread.right[row][1]) for row in self.right[inside].tolist()]


def _codes(cells: list[Any]) -> np.ndarray:
    """Return codes of cells; 0 for those that aren't texts or numbers."""
    try:
        return codes_of(cells, np.arange(len(cells)))
    except (TypeError, ValueError):
        return codes_of([as_text(cell) for cell in cells], np.arange(len(cells)))


def blocks_of(
    counts: Counts, again: Again, unread: Iterable[str], called: Mapping[str, str | None], progress: Progress
) -> tuple[Block, ...]:
    """Return the blocks of a log's failures, by the first row."""
    rows, runs = counts.tally.rows, counts.spread.runs
    failed = int(runs[:, 2].sum())
    if failed < _LEAST or failed == rows:
        return ()
    search = _Search(_Values(counts, again, list(unread)[:_UNREAD]), runs, rows, failed)
    parts = search.parts()
    if not parts:
        return ()
    from .cures import Cures

    cures = Cures(again, called, search.values, progress)
    found: list[tuple[Part, Cure | None]] = []
    for part in parts:
        cure = cures.of(part)
        smaller = [] if cure or search.values.shared(part) else search.split(part)
        found += [(one, cures.of(one)) for one in smaller] if smaller else [(part, cure)]
    found.sort(key=lambda one: one[0].first)
    whole = sum(part.failed for part, _ in found) == failed and not counts.tally.unchecked
    return tuple(
        _told(search.values, part, cure, called, counts, whole and len(found) == 1) for part, cure in found
    )


def _told(
    values: _Values,
    part: Part,
    cure: Cure | None,
    called: Mapping[str, str | None],
    counts: Counts,
    only: bool,
) -> Block:
    """Return a block with its sentence."""
    shared = values.shared(part)
    own = {} if not part.name else {part.name: values.text(part.name, part) or ""}
    having = [f"{plain(called.get(name) or name)} {plain(text)}" for name, text in (own | shared).items()]
    size = part.last - part.first + 1
    rows = f"rows {part.first:,} to {part.last:,}"
    count = f"{part.failed:,} of " if part.failed < size else "all "
    said = [f"{count}{rows} fail" + (f", all with {' and '.join(having)}" if having else "")]
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
    pvalue = math.exp(max(part.log_pvalue, math.log(1e-300)))
    said.append(f"by chance with a probability below {pvalue:.0e}")
    return Block(
        part.first,
        part.last,
        part.failed,
        shared,
        None if cure is None else cure.values,
        pvalue,
        "; ".join(said),
    )


def _by_chance(values: _Values, agreed: int, size: int) -> str:
    """Return whether so many rows agree as the log's outcomes are equal by chance, in words."""
    kept = (cells.get(FIELD) for cells in (*values.spread.failed.values(), *values.others))
    counts = np.array(list(Counter(map(repr, kept)).values()), float)
    rate = (counts * (counts - 1)).sum() / max(counts.sum() * (counts.sum() - 1), 1)
    near = abs(agreed - rate * size) <= 4 * math.sqrt(size * rate * (1 - rate))
    return f", as chance would have it (1 in {round(1 / rate)})" if rate and near else ""


class _Search:
    """The search for parts of a log in which rows fail."""

    def __init__(self, values: _Values, runs: np.ndarray, rows: int, failed: int) -> None:
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
        return self._failed**2 / 2 * (1 + values)

    def parts(self) -> list[Part]:
        """Return the parts, each description the one that tells most about the failures left."""
        found: list[Part] = []
        while len(found) < _MOST:
            best = self._by_row()
            told = sum(-part.log_pvalue for part in best)
            for name in self._columns:
                parts = self._by_value(name)
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
            for one, end, failed, pvalue in self._segments(counts, gaps, lasts - firsts + 1 - counts, 0)
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
        unseen = float(values.weights[values.weights > 0].mean()) if values.weights.any() else 0.0
        return [
            Part(int(places[at[one]]), int(places[at[end]]), failed, pvalue, name, int(codes[at[one]]))
            for one, end, failed, pvalue in self._segments(
                np.ones(len(at), np.int64), gaps, np.zeros(len(at), np.int64), unseen
            )
        ]

    def _segments(
        self, counts: np.ndarray, gaps: np.ndarray, inner: np.ndarray, unseen: float
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
                    size = failed + _right(gaps, inner, one, end) + unseen
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
        if share <= usual:
            return 0.0
        entropy = share * math.log(share / usual)
        if share < 1:
            entropy += (1 - share) * math.log((1 - share) / (1 - usual))
        return min(0.0, math.log(self._tries) - (size - 1) * entropy)

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
