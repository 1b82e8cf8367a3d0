"""Errors about arguments: what they are about is data, their sentence is made last."""

from __future__ import annotations

from typing import Any


class ArgumentError(Exception):
    """An argument that was refused. Its subclasses are a ``ValueError`` and a ``TypeError``.

    Parameters
    ----------
    argument : str
        The argument's name, as the caller wrote it.
    problem : str, optional
        What was wrong, and what is allowed, as it follows the name: ``"must be from 1 to 24, got 25"``.
    index : int, str or tuple of int, optional
        Which element of the argument: a row of an array, a key of a mapping.
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
    >>> import provably_fair as pf
    >>> try:
    ...     pf.Mines(mines=25)
    ... except ValueError as error:
    ...     print(error.argument, error.row, error, sep=" | ")
    mines | None | mines must be from 1 to 24, got 25
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
        self.index = index
        self.place = place
        self.sentence = sentence
        super().__init__(self.named(argument + _subscript(index)))

    @property
    def row(self) -> int | None:
        """The row of an array that the error is about, None if it isn't about one."""
        first = self.index[0] if isinstance(self.index, tuple) else self.index
        return first if isinstance(first, int) else None

    def named(self, name: str) -> str:
        """Return the sentence with another name for the argument, such as a command's option."""
        return f"{self.place}{f'{name} {self.problem}' if self.sentence is None else self.sentence}"

    def __reduce__(self) -> tuple[Any, ...]:
        # `args` holds the sentence alone, which isn't what the class is called with.
        return _restored, (type(self), self.args, vars(self))


class BadValue(ArgumentError, ValueError):  # noqa: N818 (short, as what follows it is long)
    """An argument whose value isn't allowed."""

    __module__ = "provably_fair.errors"


class BadType(ArgumentError, TypeError):  # noqa: N818
    """An argument of a type that isn't taken."""

    __module__ = "provably_fair.errors"


def argument_of(error: BaseException) -> str:
    """Return the name of the argument that an error is about, "" if it doesn't say."""
    return getattr(error, "argument", None) or ""


def placed(error: Exception, place: str, argument: str = "", index: object = None) -> Exception:
    """Return an error with its place in front of its sentence, to be raised again.

    It keeps its argument and its row, unless those of the caller are given.
    """
    kind = BadType if isinstance(error, TypeError) else BadValue
    if not isinstance(error, ArgumentError):
        made: ArgumentError = kind(argument, index=index, place=place, sentence=str(error))
    elif argument:
        made = kind(argument, index=index, place=place, sentence=str(error))
    else:
        made = kind(
            error.argument,
            error.problem,
            index=error.index,
            place=place + error.place,
            sentence=error.sentence,
        )
    return made


def _subscript(index: object) -> str:
    """Return an index as it is written behind a name: "[7]", "[1, 2]", "['A']"."""
    if index is None:
        return ""
    inside = ", ".join(map(str, index)) if isinstance(index, tuple) else repr(index)
    return f"[{inside}]"


def _restored(kind: type[ArgumentError], args: tuple[Any, ...], state: dict[str, Any]) -> ArgumentError:
    """Return a pickled error."""
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(state)
    return error
