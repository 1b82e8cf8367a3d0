"""Times of two fields, compared as precisely as both of them are."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from provably_fair._core.printable import counted
from provably_fair.verification import VerificationReport

from ..check import Check
from ..finding import Finding
from ..records import Masked, Records
from ..sums import FirstRows
from .wording import fact

_STEPS = (1, 1000, 1_000_000, 60_000_000, 86_400_000_000)
_NAMES = ("microsecond", "millisecond", "second", "minute", "day")


class Later:
    """Rows with a time after another one of theirs.

    One field may have seconds where the other has parts of them: within what the coarser one tells, neither
    comes first. How coarse a field is shows when all of it is known, so rows are counted by each precision.
    Where the others are `exact`, whatever they look like, the first field's precision alone counts.
    """

    def __init__(self, *, exact: bool = False) -> None:
        self._precisions = [len(_STEPS) - 1, 0 if exact else len(_STEPS) - 1]
        self._found = [FirstRows() for _ in _STEPS]

    def update(self, places: np.ndarray, times: Masked, others: Masked) -> None:
        """Look at rows whose first time shouldn't be after the other one."""
        for which, (values, there) in enumerate((times, others)):
            known = values[there]
            while self._precisions[which] and (known % _STEPS[self._precisions[which]]).any():
                self._precisions[which] -= 1
        rows = np.flatnonzero(times[1] & others[1] & (times[0] > others[0]))
        for step, found in zip(_STEPS, self._found, strict=True):
            rows = rows[times[0][rows] // step > others[0][rows] // step]
            found.add(places[rows])

    def merge(self, later: Later, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        self._precisions = [min(both) for both in zip(self._precisions, later._precisions, strict=True)]
        for mine, other in zip(self._found, later._found, strict=True):
            mine.merge(other, rows)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._found[max(self._precisions)].count

    @property
    def rows(self) -> list[int]:
        """The first of them."""
        return self._found[max(self._precisions)].rows

    def unknown(self, what: str) -> list[str]:
        """Return how many rows can't be told, of which it is said what they are."""
        count = self._found[0].count - self.count
        name = _NAMES[max(self._precisions)]
        return (
            [f"times to the {name} alone: {counted(count, 'row')} {what} in the same {name}"] if count else []
        )


class Untimely(Check):
    """Rows of which one time lies after another, which proves something."""

    names: ClassVar[dict[str, str]]
    """The fields that have these times, and what they are."""
    kind: ClassVar[str]
    text: ClassVar[str]
    what: ClassVar[str]
    """What is said of rows of which it can't be told; and of a log without these times."""
    whether: ClassVar[str]

    def __init__(self) -> None:
        self._late = Later()
        self._lacking = set(self.names)

    def update(self, records: Records) -> None:
        self._lacking -= {name for name in self.names if records.has(name)}

    def merge(self, later: Any, rows: int) -> None:
        self._late.merge(later._late, rows)
        self._lacking &= later._lacking

    def findings(self, verified: VerificationReport) -> list[Finding]:
        count, rows = self._late.count, self._late.rows
        return [fact(self.kind, "proof", self.text, rows, count, *self.names)] if count else []

    def unknown(self) -> list[str]:
        if not self._lacking:
            return self._late.unknown(self.what)
        lacking = " and ".join(self.names[name] for name in sorted(self._lacking))
        return [f"no {lacking}: {self.whether}"]
