"""Errors about arguments, with the argument and row as attributes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, SupportsIndex


class ArgumentError(Exception):
    """A refused argument; the subclasses derive from ``ValueError`` and ``TypeError`` too.

    Parameters
    ----------
    argument : str
        The argument's name, as the caller wrote it.
    problem : str, optional
        The problem and the allowed values, phrased to follow the name: ``"must be from 1 to 24, got 25"``.
    index : int, str or tuple of int, optional
        Index of the element of the argument: a row of an array, a key of a mapping.
    place : str, optional
        Where the argument stands, as it precedes the name: ``"Scheme."``, ``"config's key 'x': "``.
    sentence : str, optional
        The whole sentence, if it doesn't begin with the argument's name.

    Attributes
    ----------
    argument : str
        As given.
    row : int or None
        The row of an array, if the error is about one.

    Examples
    --------
    >>> try:
    ...     pf.seeds.random_bytes("server seed", ["a", 5], "salt")
    ... except TypeError as error:
    ...     print(error.argument, error.row, error, sep=" | ")
    client_seed | 1 | client_seed[1] must be text or bytes, got int
    """

    __module__ = "provably_fair.errors"

    def __init__(
        self,
        argument: str,
        problem: str = "",
        *,
        index: object = None,
        place: str = "",
        sentence: str | None = None,
    ) -> None:
        self.argument = argument
        self.problem = problem
        index = int(index) if isinstance(index, SupportsIndex) else index
        self.index: object = index
        self.place = place
        self.sentence = sentence
        super().__init__(sentence_of(self, argument + _subscript(index)))

    @property
    def row(self) -> int | None:
        """The row of an array that the error is about; None if there is none."""
        first = self.index[0] if isinstance(self.index, tuple) else self.index
        return first if isinstance(first, int) else None

    def __reduce__(self) -> tuple[Any, ...]:
        # `args` is the sentence alone, but the class takes other arguments.
        return _restored, (type(self), self.args), vars(self)


class BadValue(ArgumentError, ValueError):  # noqa: N818 (short, because it is written so often)
    """An argument whose value isn't allowed."""

    __module__ = "provably_fair.errors"


class BadType(ArgumentError, TypeError):  # noqa: N818
    """An argument of a type that isn't taken."""

    __module__ = "provably_fair.errors"


def argument_of(error: BaseException) -> str:
    """Return the name of the argument that an error is about, "" if it doesn't say."""
    return error.argument if isinstance(error, ArgumentError) else ""


def sentence_of(error: ArgumentError, name: str) -> str:
    """Return an error's sentence with another name for its argument, such as a command-line option."""
    space = "" if error.problem.startswith((":", ",")) else " "
    return error.place + (f"{name}{space}{error.problem}" if error.sentence is None else error.sentence)


def placed(error: Exception, place: str = "", argument: str = "", index: object = None) -> Exception:
    """Return a copy of an error, a place in front; its argument and row stay unless others are given."""
    if not isinstance(error, ArgumentError) or argument:
        kind = BadType if isinstance(error, TypeError) else BadValue
        return kind(argument, index=index, place=place, sentence=str(error))
    copied = copy(error)
    vars(copied).pop("mistakes", None)  # this sentence includes theirs
    copied.place = place + error.place
    if index is None:
        copied.args = (f"{place}{error.args[0]}", *error.args[1:])
    else:
        copied.index = index
        copied.args = (sentence_of(copied, copied.argument + _subscript(index)),)
    return copied


@contextmanager
def within(place: str = "", argument: str = "", index: object = None) -> Iterator[None]:
    """Put a place in front of errors raised inside, or an index behind their argument."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise placed(error, place, argument, index) from None


@contextmanager
def from_row(first: int) -> Iterator[None]:
    """Count the rows of errors raised inside from the first one of a piece."""
    try:
        yield
    except ArgumentError as error:
        if error.row is None:
            raise
        beyond = error.index[1:] if isinstance(error.index, tuple) else ()
        raise placed(error, index=(first + error.row, *beyond) if beyond else first + error.row) from None


def _subscript(index: object) -> str:
    """Format an index as a subscript: "[7]", "[1, 2]", "['A']"."""
    if index is None:
        return ""
    inside = ", ".join(map(str, index)) if isinstance(index, tuple) else repr(index)
    return f"[{inside}]"


def _restored(kind: type[ArgumentError], args: tuple[Any, ...]) -> ArgumentError:
    """Return an unpickled error, before its attributes are set."""
    error = kind.__new__(kind)
    error.args = args
    return error
