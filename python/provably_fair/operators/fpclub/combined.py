"""The rule that combines two players' faces into throws, its table, and its exact law."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from provably_fair._core.arguments import BadValue, integer
from provably_fair._core.table import html_table
from provably_fair._core.types import JsonDict
from provably_fair.distribution import Distribution
from provably_fair.walkthrough import Mark, Step, Walkthrough
from provably_fair.walkthrough.lines import Line
from provably_fair.walkthrough.sections import Entries, LabeledRows, Steps

from .dice import Pair, digits, faces, faces_of, in_pairs, pairs_of


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
    >>> pf.operators.fpclub.combine([3, 1], [4, 5])
    array([1, 6])
    >>> pf.operators.fpclub.combine([4, 6], [2, 1]), pf.operators.fpclub.combine([2, 3], [5, 6])
    (array([6, 1]), array([1, 3]))
    >>> pf.operators.fpclub.combine("31 46", "45 21")
    array([1, 6, 6, 1])
    >>> pf.operators.fpclub.combine(6, 6)
    6
    """
    one, two = faces("first", first), faces("second", second)
    try:
        np.broadcast_shapes(one.shape, two.shape)
    except ValueError:
        raise BadValue("second", f"must broadcast with first {one.shape}, got {two.shape}") from None
    # Plain ints take the other side's type, as in numpy's own arithmetic.
    dtype = np.result_type(
        *(x if type(x) is int else side.dtype for x, side in ((first, one), (second, two)))
    )
    if dtype.kind == "f":  # numpy's answer to int64 with uint64
        dtype = np.dtype(np.int64)
    throws = (one.astype(dtype, copy=False) + two.astype(dtype, copy=False) - 1) % 6 + 1
    return throws if np.ndim(throws) else int(throws)


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
    """The die at a place, from 0, combined from the faces of two players.

    `logged` is the die in the log; None without a log to compare with.
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

    Raises
    ------
    ValueError
        If one player has more dice than the other, or a value is not a face.

    Examples
    --------
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
        """The throws in pairs, int64 of shape (n, 2), read-only. An odd last die is left out."""
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


def combined_law(first: Sequence[Any], second: Sequence[Any] | None = None) -> Distribution:
    """Return the exact law of combined dice from the laws of two independent players.

    If either player is uniform, so is the throw, whatever the other does: for each face of the
    other, the throw is a permutation of the uniform face.

    Parameters
    ----------
    first, second : array_like of int, shape (6,) or (6, 6)
        Weights, 0 or more, of a player's face 1 to 6, or of the player's ordered pairs. The second
        player is uniform by default.

    Returns
    -------
    Distribution
        Of faces, or of pairs written as numbers of two digits; weights out of the product of both
        players' sums.

    Raises
    ------
    ValueError
        If a shape is another one, the shapes differ, a weight is negative, or all are zero.
    TypeError
        If a weight is no integer.

    Examples
    --------
    A player who always brings a 6 leaves the throw to the other player. If the other is uniform, no choice
    of faces can bend it.

    >>> pf.operators.fpclub.combined_law([0, 0, 0, 0, 0, 1], [1, 2, 3, 4, 5, 6]).weights
    (1, 2, 3, 4, 5, 6)
    >>> pf.operators.fpclub.combined_law([0, 0, 0, 0, 5, 1]).weights
    (6, 6, 6, 6, 6, 6)
    """
    one = _weights("first", first)
    two = np.full(one.shape, 1, object) if second is None else _weights("second", second)
    if one.shape != two.shape:
        raise BadValue("second", f"must have the shape of first, {one.shape}, got {two.shape}")
    faces = np.argwhere(np.ones(one.shape)) + 1
    throws = combine(faces[:, None], faces) @ [10, 1][-one.ndim :]
    return Distribution(throws.ravel(), np.multiply.outer(one.ravel(), two.ravel()).ravel())


def _weights(argument: str, weights: ArrayLike) -> np.ndarray:
    array = np.array(weights, dtype=object)
    if array.shape not in ((6,), (6, 6)):
        raise BadValue(argument, f"must have the shape (6,) or (6, 6), got {array.shape}")
    for index in np.ndindex(array.shape):
        array[index] = integer(argument, array[index], 0, index=index)
    if not array.any():
        raise BadValue(argument, "must have a weight above 0, got only zeros")
    return array
