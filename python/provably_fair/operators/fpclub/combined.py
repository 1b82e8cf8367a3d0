"""The rule that combines two players' faces into throws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from provably_fair._core.errors import BadValue
from provably_fair._core.table import html_table
from provably_fair._core.types import JsonDict
from provably_fair.walkthrough import Mark, Step, Walkthrough
from provably_fair.walkthrough.lines import Line
from provably_fair.walkthrough.sections import Entries, LabeledRows, Steps

from .dice import Pair, digits, faces, faces_of, in_pairs, pairs_of

__all__ = ["TABLE", "Combined", "combine", "complete"]


def combine(first: ArrayLike, second: ArrayLike) -> Any:
    """Combine two players' faces into throws: ``(first + second - 1) mod 6 + 1``.

    Parameters
    ----------
    first, second : array_like of int, or str
        Faces 1 to 6, of any shapes that broadcast; or digits 1 to 6, with any white space, one per face.

    Returns
    -------
    int or ndarray
        The throws: an int for two single numbers, else an array of the broadcast shape and of the
        integer type numpy gives a sum of both.

    Raises
    ------
    ValueError
        If a value is not a face (the message has its index), or the shapes do not broadcast.
    TypeError
        If the values are not integers.

    Notes
    -----
    The document gives three examples. The first, 31 and 45, gives 16 by its formula and its table.
    The other two contradict both: for 46 and 21 it prints 51, but 4 and 2 give 6, so the throw is
    61 (46 and 11 would give 51); for 23 and 56 it prints 55, but 2 and 5 give 1 and 3 and 6 give 3,
    so the throw is 13 (the print adds the digits within each pair: 25 and 36 would give 55). We
    follow the formula and the table.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.operators.fpclub.combine([3, 1], [4, 5])
    array([1, 6])
    >>> pf.operators.fpclub.combine([4, 6], [2, 1]), pf.operators.fpclub.combine([2, 3], [5, 6])
    (array([6, 1]), array([1, 3]))
    >>> pf.operators.fpclub.combine("31 46", "45 21")
    array([1, 6, 6, 1])
    >>> pf.operators.fpclub.combine(6, 6)
    6
    """
    one, two = _broadcast("first", first, "second", second)
    return _as_given((one + two - 1) % 6 + 1)


def complete(known: ArrayLike, throws: ArrayLike) -> Any:
    """Return the faces that, combined with the known ones, give the throws.

    There is exactly one for each throw: combining is addition modulo six, and this is subtraction. That is
    why one uniform player is enough, and why a player who sees the other's faces before choosing can force
    any throw.

    Parameters
    ----------
    known, throws : array_like of int, or str
        Faces 1 to 6, of any shapes that broadcast, or digits; see `combine`.

    Returns
    -------
    int or ndarray
        The other player's faces, as `combine` returns throws.

    Raises
    ------
    ValueError, TypeError
        See `combine`.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.operators.fpclub.complete([3, 1], [1, 6])
    array([4, 5])
    """
    one, two = _broadcast("known", known, "throws", throws)
    return _as_given((two + 5 - one) % 6 + 1)  # never below 0, which unsigned types don't have


def _broadcast(name: str, one: ArrayLike, other_name: str, two: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the faces of two players, of one type and of shapes that broadcast."""
    first, second = faces(name, one), faces(other_name, two)
    try:
        np.broadcast_shapes(first.shape, second.shape)
    except ValueError:
        raise BadValue(other_name, f"must broadcast with {name} {first.shape}, got {second.shape}") from None
    # Plain ints take the other side's type, as in numpy's own arithmetic.
    sides = [one if type(one) is int else first.dtype, two if type(two) is int else second.dtype]
    dtype = np.result_type(*sides)
    if dtype.kind == "f":  # numpy's answer to int64 with uint64
        dtype = np.dtype(np.int64)
    return first.astype(dtype, copy=False), second.astype(dtype, copy=False)


def _as_given(faces: np.ndarray) -> Any:
    """Return faces as an array, or the single one of single numbers as an int."""
    return faces if np.ndim(faces) else int(faces)


_FACES = tuple("123456")


class CombinationTable:
    """The table of all 36 combinations: row and column are the two players' faces."""

    __slots__ = ()

    def __getitem__(self, faces: Pair) -> int:
        """Return the throw of the two faces."""
        first, second = faces
        return int(combine(first, second))

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        """Return the (6, 6) throws; face 1 is index 0."""
        sides = np.arange(1, 7)
        return np.asarray(combine(sides[:, None], sides), dtype=dtype)

    def __str__(self) -> str:
        head, *rows = ("  ".join(cells) for cells in (_FACES, *(throws for _, *throws in self._rows())))
        lines = [f"{label:<4}{line}" for label, line in zip(("", *_FACES), (head, *rows), strict=True)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return "TABLE"

    def __reduce__(self) -> str:
        return "TABLE"

    def _repr_html_(self) -> str:
        return html_table(("", *_FACES), self._rows(), labels=True)

    def _rows(self) -> list[tuple[str, ...]]:
        return [(face, *map(str, row)) for face, row in zip(_FACES, np.asarray(self).tolist(), strict=True)]


TABLE = CombinationTable()
"""The 6 x 6 table, to print, to index with two faces, or to pass to numpy."""


@dataclass(frozen=True)
class CombinedDie(Step):
    """A die combined from the faces of two players.

    Attributes
    ----------
    index : int
        Its place, from 0.
    first, second : int
        The players' faces.
    result : int
        The die.
    logged : int or None
        The die in the log; None without a log to compare with.
    """

    index: int
    first: int
    second: int
    result: int
    logged: int | None = None

    @property
    def differs(self) -> bool:
        """Whether the log has another die."""
        return self.logged not in (None, self.result)

    def lines(self) -> Iterator[Line]:
        """Show how it follows from the faces, with a mark on a wrong die of the log."""
        total = self.first + self.second - 1
        made = f"({self.first} + {self.second} - 1) mod 6 + 1 = {total} mod 6 + 1 = {self.result}"
        yield [made, "   the log has ", Mark(self.logged)] if self.differs else [made]

    def to_dict(self) -> JsonDict:
        """Return the die as plain values, for JSON."""
        return {"kind": "combined", **asdict(self)}


@dataclass(frozen=True, slots=True)
class Combined:
    """The throws from two players' faces, to compare with a log.

    Parameters
    ----------
    first, second : str or array_like of int
        The same number of dice for each player: digits 1 to 6, with any white space, or faces.

    Attributes
    ----------
    first, second : str
        The players' digits.
    digits : str
        The throws' digits.
    rolls : ndarray of int64, shape (n, 2)
        The throws in pairs, read-only. An odd last die is left out.

    Raises
    ------
    ValueError
        If one player has more dice than the other, or a value is not a face.

    Examples
    --------
    >>> import provably_fair as pf
    >>> dice = pf.operators.fpclub.Combined("31 46", "45 21")
    >>> dice.digits
    '1661'
    >>> dice.differences("16 51")
    array([2])
    """

    first: str
    second: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", digits("first", self.first))
        object.__setattr__(self, "second", digits("second", self.second, len(self.first)))

    @property
    def digits(self) -> str:
        """The throws' digits."""
        return digits("throws", combine(faces_of(self.first), faces_of(self.second)))

    @property
    def rolls(self) -> NDArray[np.int64]:
        """The throws, shape (n, 2), read-only."""
        return pairs_of(self.digits)

    def differences(self, throws: str | ArrayLike) -> NDArray[np.int64]:
        """Return the positions where a log's throws differ from the players' dice.

        Parameters
        ----------
        throws : str or array_like of int
            The log's throws, as many dice as each player has.

        Returns
        -------
        ndarray of int64, shape (m,)
            The indices of the dice that differ; none if the log is right.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.fpclub.Combined("31 23", "45 56").differences("16 55")  # 16 and 13 are right
        array([2, 3])
        """
        logged = digits("throws", throws, len(self.first))
        return np.flatnonzero(faces_of(self.digits) != faces_of(logged)).astype(np.int64)

    def explain(self, throws: str | ArrayLike | None = None) -> Walkthrough:
        """Show how each throw follows from the two players' faces.

        Parameters
        ----------
        throws : str or array_like of int, optional
            The log's throws, as many dice as each player has; wrong ones are marked.

        Returns
        -------
        Walkthrough
            Print it, show it in a notebook, or take its `~Walkthrough.to_dict`. Its outcome is `digits`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> print(pf.operators.fpclub.Combined("31 23", "45 56").explain("16 15"))
        FPClub's combined dice: 1613
        <BLANKLINE>
        1. Faces
           first   3123
           second  4556
        <BLANKLINE>
        2. Dice = (first + second - 1) mod 6 + 1, read on a table of 6 x 6
           die 0: (3 + 4 - 1) mod 6 + 1 = 6 mod 6 + 1 = 1
           die 1: (1 + 5 - 1) mod 6 + 1 = 5 mod 6 + 1 = 6
           die 2: (2 + 5 - 1) mod 6 + 1 = 6 mod 6 + 1 = 1
           die 3: (3 + 6 - 1) mod 6 + 1 = 8 mod 6 + 1 = 3   the log has [5]
        <BLANKLINE>
        3. From the dice to the throws
           throws  16 13
           log     16 15, wrong in 1 of 4 dice
        """
        made = self.digits
        logged = None if throws is None else digits("throws", throws, len(made))
        dice = zip(self.first, self.second, made, logged or [None] * len(made), strict=True)
        steps = tuple(
            CombinedDie(index, int(first), int(second), int(die), None if log is None else int(log))
            for index, (first, second, die, log) in enumerate(dice)
        )
        title = "FPClub's combined dice"
        wrong = sum(step.differs for step in steps)
        results = [("throws", in_pairs(made))]
        if logged is not None:
            verdict = f"wrong in {wrong} of {len(made)} dice" if wrong else "right"
            results.append(("log", f"{in_pairs(logged)}, {verdict}"))
        faces = (("first", self.first), ("second", self.second))
        return Walkthrough(
            self,
            title,
            (*faces, ("digits", made)),
            steps,
            made,
            (
                Entries(entries=(("title", title),)),
                LabeledRows("Faces", "facts", faces),
                Steps("Dice = (first + second - 1) mod 6 + 1, read on a table of 6 x 6", "die", "dice"),
                LabeledRows("From the dice to the throws", "results", tuple(results)),
            ),
            made if len(made) <= 16 else f"{made[:16]}... ({len(made)} dice)",
        )
