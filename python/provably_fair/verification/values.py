"""The values that failing rows have in the columns of a log, and some right ones beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from provably_fair._core.printable import plain
from provably_fair.sources import LogError
from provably_fair.sources.foreign import as_text
from provably_fair.sources.times import Times

from .likely import likely_columns
from .spread import codes_of

if TYPE_CHECKING:
    from .again import Again
    from .counts import Counts

FILE = "file"
"""The name under which a row's file is a value that rows share."""
_RARE = 0.01
"""The largest share of other rows that have a value which a block's rows share."""
_REREAD = 5_000_000
"""The largest number of rows of a log that is read again for columns that weren't read."""


class Part(NamedTuple):
    """Failing rows of a log: from where to where, how many, and if not of all rows, of which."""

    first: int
    last: int
    failed: int
    log_pvalue: float
    name: str = ""
    code: int = 0
    times: tuple[int, int] | None = None
    """The first and the last time, in microseconds since 1970, in the column `name`."""


class Values:
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
        self.time = ""
        """The column of times, if the log has one that isn't read and all of its cells are times."""
        self.when_failed = self.when_right = np.zeros(0, np.int64)
        both = np.unique(np.concatenate([self.rows, self.right]))
        if counts.tally.rows <= _REREAD and unread:
            cells = again.others(both, unread)
            for name in dict.fromkeys(name for row in cells[:1] for name in row):
                self._add(name, both, [row.get(name) for row in cells])
            self._add_times(both, cells)
        if len(files.files) > 1:
            self._add(FILE, both, [files.file_of(int(row))[0] for row in both])

    def _add(self, name: str, rows: np.ndarray, cells: list[Any]) -> None:
        codes = _codes(cells)
        self.texts[name] = dict(zip(codes.tolist(), map(as_text, cells), strict=True))
        self.failed[name] = codes[np.searchsorted(rows, self.rows)]
        self.passed[name] = codes[np.searchsorted(rows, self.right)]

    def _add_times(self, rows: np.ndarray, cells: Sequence[Mapping[str, Any]]) -> None:
        for name in likely_columns((), ["time"], [*cells[0]]).values() if cells else ():
            with suppress(LogError):  # times that may be read in several ways tell nothing
                times, there = Times({}).read("time", [row.get(name) for row in cells], len(cells), name)
                if there.all():
                    self.time = name
                    self.when_failed = times[np.searchsorted(rows, self.rows)]
                    self.when_right = times[np.searchsorted(rows, self.right)]

    def span(self, part: Part) -> tuple[str, str]:
        """Return a part's first and last time as the log has them; in UTC if they are numbers."""
        rows, texts = np.flatnonzero(self.of(part)), self.texts[part.name]
        ends = (rows[getattr(self.when_failed[rows], which)()] for which in ("argmin", "argmax"))
        first, last = (
            f"{np.datetime64(int(self.when_failed[row]), 'us').astype('M8[s]')} UTC"
            if text.isdigit()
            else shown(text)
            for row in ends
            for text in [texts[int(self.failed[part.name][row])]]
        )
        return first, last

    def of(self, part: Part) -> np.ndarray:
        """Return a mask of a part's failing rows, among those with codes."""
        return _inside(part, self.rows, self.failed, self.when_failed)

    def shared(self, part: Part) -> dict[str, str]:
        """Return the values that a part's failing rows share, and few others have."""
        mask, found = self.of(part), {}
        outside = (
            ~self._among(part) if part.times is not None or not part.name else np.ones(len(self.right), bool)
        )
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
        return as_text(kept[0][name]) if kept and name in kept[0] else None

    def kept(self, part: Part) -> list[dict[str, Any]]:
        """Return the cells kept of a part's failing rows."""
        rows = set(self.rows[self.of(part)].tolist()) if part.name else self.spread.failed
        kept = self.spread.failed
        return [kept[row] for row in sorted(kept) if part.first <= row <= part.last and row in rows]

    def agreeing(self, part: Part) -> list[dict[str, Any]]:
        """Return the cells kept of right rows among a part's."""
        return [self.spread.right[row][1] for row in self.right[self._among(part)].tolist()]

    def _among(self, part: Part) -> np.ndarray:
        """Return a mask of the right rows among a part's."""
        return _inside(part, self.right, self.passed, self.when_right)


def shown(text: str) -> str:
    """Return a value as text, in quotes if blanks or nothing else would be overlooked."""
    return plain(text) if text == text.strip() != "" else f"'{plain(text)}'"


def _inside(part: Part, rows: np.ndarray, codes: Mapping[str, np.ndarray], when: np.ndarray) -> np.ndarray:
    """Return a mask of the rows that lie in a part, by their codes and times."""
    if part.times is not None:
        return (when >= part.times[0]) & (when <= part.times[1])
    inside = (rows >= part.first) & (rows <= part.last)
    return inside & (codes[part.name] == np.uint64(part.code)) if part.name else inside


def _codes(cells: list[Any]) -> np.ndarray:
    """Return codes of cells; 0 for those that aren't texts or numbers."""
    try:
        return codes_of(cells, np.arange(len(cells)))
    except (TypeError, ValueError):
        return codes_of([as_text(cell) for cell in cells], np.arange(len(cells)))
