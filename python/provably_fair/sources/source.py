"""Sources of logs: batches of rows, file by file, with evidence of what was read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair._core.printable import shortened

from .wanted import Wanted


@dataclass(frozen=True)
class Option:
    """An option in an error's text, with a value to copy, spelled for Python, the command or pytest."""

    name: str
    value: Any  # a mapping, text, or `...` for the reader to fill in

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _shortened(self.value))

    def __str__(self) -> str:
        return f"{self.name}={_python(self.value)}"


def _shortened(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _shortened(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [*map(_shortened, value)]
    return shortened(value) if isinstance(value, str) else value


def _python(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name!r}: {_python(value)}" for name, value in value.items()) + "}"
    return "..." if value is ... else repr(value)


class LogError(BadValue):
    """A log that can't be read: the message names the file and, where it is known, the row.

    Attributes
    ----------
    argument : str
        The source that can't be read: ``"log"``, ``"seeds"``, or the field of a column.
    row : int or None
        The row, from 0, if the error is about one.
    report : VerificationReport or None
        The verdict on what could be read before, if that is anything.
    kind : str
        What is wrong: "not found" (no file, folder or matching name), "unknown format", "columns" (one lacks,
        or comes twice), "undecided" (the message names the option that says how to read it), "changed" while
        it was read, or "unreadable".
    """

    __module__ = "provably_fair"
    report: Any = None

    def __init__(
        self, *parts: object, subject: str = "", argument: str = "", row: int | None = None, kind: str = ""
    ) -> None:
        # Options among the parts are spelled for the caller: Python, the command or pytest.
        super().__init__(argument or subject or "log", sentence="", index=row)
        self.parts = parts
        undecided = any(isinstance(part, Option) for part in parts)
        self.kind: str = kind or ("undecided" if undecided else "unreadable")
        self.args: tuple[Any, ...] = (f"{subject}: ", *parts) if subject else parts

    def __str__(self) -> str:
        return spelled(self, str)


class MissingColumnError(LogError):
    """A log that lacks a column for a field that its game needs.

    Attributes
    ----------
    columns : tuple of str
        The fields that are missing, by their names.
    """

    __module__ = "provably_fair.errors"

    def __init__(self, *parts: object, columns: tuple[str, ...] = (), **about: Any) -> None:
        super().__init__(*parts, kind="columns", **about)
        self.columns: tuple[str, ...] = columns


def spelled(error: LogError, spell: Callable[[Option], str], show: Callable[[str], str] = str) -> str:
    """Return an error's message with options in the caller's spelling."""
    return "".join(spell(part) if isinstance(part, Option) else show(str(part)) for part in error.args)


class Described:
    """A log with the options for reading it; see `Log`."""

    source: Any
    options: Mapping[str, Any]


@dataclass
class Batch:
    """Some rows of a log."""

    columns: dict[str, Any]
    rows: int
    # The position of the first row in its file (or in the log, in memory), or of each row, from 0
    places: int | np.ndarray
    # Unreadable lines by position, which have no columns
    unreadable: dict[int, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()  # all columns of the log, unread ones included
    folders: tuple[str, ...] = ()  # the columns that names of the file's folders state, and not the file

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.names)

    def holds_objects(self, column: str) -> bool:
        """Whether a column's cells are objects, whose values are separate columns: all but empty ones."""
        within = f"{column}."
        at = bisect_left(self._sorted, within)
        if not any(name.startswith(within) for name in self._sorted[at : at + 1]):
            return False
        cells = self.columns.get(column)
        if cells is None:
            return True
        return isinstance(cells, list) and all(cell is None or isinstance(cell, Mapping) for cell in cells)

    def refuse_unreadable(self, where: str, first: int) -> None:
        """Raise `LogError` for the first row that can't be read; rows are numbered from `first` on."""
        if self.unreadable:
            place, line = min(self.unreadable.items())
            row = first + place
            raise LogError(f"{where}: row {row} can't be read: {line!r:.80}", row=row)

    def place(self, row: int) -> int:
        """Return the position of a row in its file."""
        return self.places + row if isinstance(self.places, int) else int(self.places[row])


@dataclass
class Evidence:
    """One file, or the rows of one query, with the extent to which it was read."""

    file: str  # its name, without passwords
    bytes: int = 0
    # The SHA-256 of the very bytes that were read; None where not all were, and of a query
    sha256: str | None = None
    rows: int = 0
    lines: int | None = None  # number of lines of a text file, header included
    failed: int = 0
    # The column that each field was read from; None for a field that has none
    columns: dict[str, str | None] = field(default_factory=dict)
    error: str | None = None  # why not all of it was read


@dataclass(eq=False)
class Piece:
    """A file of a log, or the whole of a log in memory."""

    batches: Callable[[], Iterator[Batch]]
    evidence: Evidence | None = None  # the evidence of the file, completed by reading it; None in memory


@dataclass(eq=False)
class Source:
    """A log."""

    # Yields the pieces in order; read the batches of each before the next
    pieces: Callable[[], Generator[Piece]]
    rows: int | None = None  # the number of rows, if known beforehand
    again: bool = True  # whether it can be read a second time
    passed_over: dict[str, str] = field(default_factory=dict)  # skipped files, and why
    masked: bool = False  # whether the report has a mask of failed rows
    inputs: Callable[[], list[Path]] = list  # returns the files on disk that it reads
    # Returns a source of other columns of the same log
    other: Callable[[Iterable[str]], Source] | None = None

    def batches(self) -> Generator[Batch]:
        """Yield the batches of all pieces."""
        with closing(self.pieces()) as pieces:
            for piece in pieces:
                yield from piece.batches()


def in_memory(
    batches: Callable[[], Iterator[Batch]],
    rows: int | None,
    again: bool = True,
    close: Callable[[], None] = lambda: None,
    evidence: Evidence | None = None,
    masked: bool = False,
) -> Source:
    """Return the source of a log that isn't in files; `close` is called at its end."""

    def pieces() -> Generator[Piece]:
        try:
            yield Piece(batches, evidence)
        finally:
            close()

    return Source(pieces, rows, again, masked=masked or rows is not None)


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message."""
    text = str(error).strip().splitlines()
    return (text[0] if text else type(error).__name__)[:500]


def check_once(names: Any, wanted: Wanted, where: str) -> None:
    """Refuse duplicate columns, since either could be meant."""
    seen: set[str] = set()
    for name in names:
        if name in seen and name in wanted:
            count = sum(other == name for other in names)
            raise LogError(f"{where}: the column {name!r:.80} occurs {count} times", kind="columns")
        seen.add(name)
