"""What every log gives: batches of rows, and evidence of the files that were read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np


class LogError(ValueError):
    """A log that can't be read: the message names the file and, where it is known, the row."""


@dataclass
class Batch:
    """Some rows of a log."""

    columns: dict[str, Any]
    rows: np.ndarray
    """The position of each row in its file (or in the log, in memory), from 0."""
    file: str | None = None
    unreadable: dict[int, str] = field(default_factory=dict)
    """Rows that have no columns, because their line can't be read: position -> the line."""


@dataclass
class Evidence:
    """One file that was read."""

    file: str
    bytes: int
    sha256: str


class Source:
    """A log: gives batches, and remembers the files it read."""

    def __init__(self, batches: Callable[[Source], Iterator[Batch]], rows: int | None, again: bool) -> None:
        self._batches = batches
        self.rows = rows
        """The number of rows, where it is known beforehand."""
        self.again = again
        """Whether it can be read a second time."""
        self.files: list[Evidence] = []

    def batches(self) -> Iterator[Batch]:
        """Read the log from its beginning."""
        self.files = []
        return self._batches(self)


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    text = str(error).strip().splitlines()
    return (text[0] if text else type(error).__name__)[:500]
