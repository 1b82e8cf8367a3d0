"""Times of two fields, compared as precisely as both of them are."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from provably_fair._core.printable import counted
from provably_fair.verification import VerificationReport

from ..check import Check
from ..finding import KEPT_ROWS, Finding
from ..records import Masked, Records
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
        self._counts = [0] * len(_STEPS)
        self._rows: list[list[int]] = [[] for _ in _STEPS]

    def update(self, places: np.ndarray, times: Masked, others: Masked) -> None:
        """Look at rows whose first time shouldn't be after the other one."""
        for which, (values, there) in enumerate((times, others)):
            known = values[there]
            while self._precisions[which] and (known % _STEPS[self._precisions[which]]).any():
                self._precisions[which] -= 1
        rows = np.flatnonzero(times[1] & others[1] & (times[0] > others[0]))
        for precision, step in enumerate(_STEPS):
            rows = rows[times[0][rows] // step > others[0][rows] // step]
            self._add(precision, len(rows), places[rows[:KEPT_ROWS]].tolist())

    def _add(self, precision: int, count: int, rows: list[int]) -> None:
        self._counts[precision] += count
        self._rows[precision] += rows[: KEPT_ROWS - len(self._rows[precision])]

    def merge(self, later: Later, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        self._precisions = [min(both) for both in zip(self._precisions, later._precisions, strict=True)]
        for precision, (count, places) in enumerate(zip(later._counts, later._rows, strict=True)):
            self._add(precision, count, [place + rows for place in places])

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._counts[max(self._precisions)]

    @property
    def rows(self) -> list[int]:
        """The first of them."""
        return self._rows[max(self._precisions)]

    def unknown(self, what: str) -> list[str]:
        """Return how many rows can't be told, of which it is said what they are."""
        count = self._counts[0] - self.count
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
