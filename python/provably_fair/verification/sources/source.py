"""What every log gives: batches of rows, file by file, and evidence of what was read."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from provably_fair._core.errors import BadValue


@dataclass(frozen=True)
class Option:
    """An option that an error speaks of, with a value to copy: Python, the command and pytest spell it."""

    name: str
    value: Any
    """A mapping, text, or `...` where the reader knows it better."""

    def __str__(self) -> str:
        return f"{self.name}={_python(self.value)}"


def _python(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name!r}: {_python(value)}" for name, value in value.items()) + "}"
    return "..." if value is ... else repr(value)


class LogError(BadValue):
    """A log that can't be read: the message names the file and, where it is known, the row.

    Attributes
    ----------
    argument : str
        What can't be read: ``"log"``, ``"seeds"``, or the field whose column it is.
    row : int or None
        The row, from 0, if the error is about one.
    report : VerificationReport or None
        The verdict on what could be read before, if that is anything.
    """

    __module__ = "provably_fair"
    report: Any = None

    def __init__(self, *parts: object, subject: str = "", argument: str = "", row: int | None = None) -> None:
        # Options among the parts are spelled as whoever reads them writes options.
        super().__init__(argument or subject or "log", sentence="", index=row)
        self.parts = parts
        self.args = (f"{subject}: ", *parts) if subject else parts

    def __str__(self) -> str:
        return spelled(self, str)


class MissingColumnError(LogError):
    """A log that lacks a column for a field that its game needs.

    Attributes
    ----------
    columns : tuple of str
        The fields that are missing, by their names.
    """

    __module__ = "provably_fair.verification"

    def __init__(self, *parts: object, columns: tuple[str, ...] = (), **about: Any) -> None:
        super().__init__(*parts, **about)
        self.columns: tuple[str, ...] = columns


def spelled(error: LogError, spell: Callable[[Option], str], show: Callable[[str], str] = str) -> str:
    """Return a message, which is made of text and options, with the options as a caller writes them."""
    return "".join(spell(part) if isinstance(part, Option) else show(str(part)) for part in error.args)


@dataclass
class Batch:
    """Some rows of a log."""

    columns: dict[str, Any]
    rows: int
    places: int | np.ndarray
    """The position of the first row in its file (or in the log, in memory), or of each row, from 0."""
    unreadable: dict[int, str] = field(default_factory=dict)
    """Rows that have no columns, because their line can't be read: position -> the line."""
    names: tuple[str, ...] = ()
    """All columns that the log has, also those that aren't read."""

    def holds_objects(self, column: str) -> bool:
        """Whether the cells of a column are objects, whose values are columns of their own."""
        return any(name.startswith(f"{column}.") for name in self.names)

    def place(self, row: int) -> int:
        """Return the position of a row in its file."""
        return self.places + row if isinstance(self.places, int) else int(self.places[row])


@dataclass
class Evidence:
    """One file, or the rows of one query, and what was read of it.

    Attributes
    ----------
    file : str
        Its name, without passwords.
    bytes : int
        How many bytes were read; 0 of a query.
    sha256 : str or None
        The SHA-256 of the very bytes that were read; None where not all were, and of a query.
    rows : int
        How many rows it has, those that can't be read among them.
    lines : int or None
        How many lines a file of text has, its header among them.
    failed : int
        How many rows failed.
    columns : dict
        The column that each field was read from; None for a field that has none.
    error : str or None
        Why not all of it was read.
    """

    file: str
    bytes: int = 0
    sha256: str | None = None
    rows: int = 0
    lines: int | None = None
    failed: int = 0
    columns: dict[str, str | None] = field(default_factory=dict)
    error: str | None = None


class Piece:
    """A file of a log, or the whole of a log in memory."""

    def __init__(self, batches: Callable[[], Iterator[Batch]], evidence: Evidence | None = None) -> None:
        self.batches = batches
        self.evidence = evidence
        """What is known of the file; the rest follows when it is read. None in memory."""


class Source:
    """A log."""

    def __init__(
        self,
        pieces: Callable[[], Generator[Piece]],
        rows: int | None = None,
        again: bool = True,
        passed_over: dict[str, str] | None = None,
        masked: bool = False,
    ) -> None:
        self.pieces = pieces
        """Gives the pieces in order; the batches of each are to be asked for before the next."""
        self.rows = rows
        """The number of rows, where it is known beforehand."""
        self.again = again
        """Whether it can be read a second time."""
        self.passed_over: dict[str, str] = {} if passed_over is None else passed_over
        """Files that aren't read, and why."""
        self.masked = masked
        """Whether its rows are looked up by a mask."""
        self.inputs: Callable[[], list[Path]] = list
        """Gives the files on disk that it reads."""
        self.other: Callable[[Iterable[str]], Source] | None = None
        """Gives the source of other columns of the same log."""


def in_memory(
    batches: Callable[[], Iterator[Batch]],
    rows: int | None,
    again: bool = True,
    close: Callable[[], None] = lambda: None,
    evidence: Evidence | None = None,
    masked: bool = False,
) -> Source:
    """Return the source of a log that isn't in files; what gives it is closed at its end."""

    def pieces() -> Generator[Piece]:
        try:
            yield Piece(batches, evidence)
        finally:
            close()

    return Source(pieces, rows, again, masked=masked or rows is not None)


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    text = str(error).strip().splitlines()
    return (text[0] if text else type(error).__name__)[:500]


def check_once(names: Any, wanted: set[str], where: str) -> None:
    """Refuse two columns of one name: which of them is meant, nobody knows."""
    seen: set[str] = set()
    for name in names:
        if name in seen and name in wanted:
            count = sum(other == name for other in names)
            raise LogError(f"{where}: the column {name!r} occurs {count} times")
        seen.add(name)
