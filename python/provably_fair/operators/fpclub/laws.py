"""Exact laws of several dice or throws, and of two players' faces combined. Those of one throw: `Dice`."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadValue, integer
from provably_fair.distribution import Distribution

from .combined import combine
from .throw import Dice

__all__ = ["combined_law", "doubles_law", "sum_law"]

# Laws of more dice would take minutes.
_MAX_DICE = 10_000


def doubles_law(throws: int = 1) -> Distribution:
    """Return the law of the number of doubles among throws.

    Parameters
    ----------
    throws : int
        The number of throws, 0 or more.

    Returns
    -------
    Distribution
        The law of 0 to `throws`; weights out of ``6 ** throws``.

    Examples
    --------
    >>> from provably_fair.operators.fpclub import doubles_law
    >>> doubles_law().outcomes, doubles_law().weights
    (array([0, 1]), (5, 1))
    """
    throws = integer("throws", throws, 0, _MAX_DICE)
    counts = range(throws + 1)
    return Distribution(counts, [comb(throws, count) * 5 ** (throws - count) for count in counts])


def sum_law(dice: int = 2) -> Distribution:
    """Return the law of the sum of several dice.

    Parameters
    ----------
    dice : int
        The number of dice, 1 or more.

    Returns
    -------
    Distribution
        The law of `dice` to ``6 * dice``; weights out of ``6 ** dice``.

    Examples
    --------
    >>> from provably_fair.operators.fpclub import sum_law
    >>> sum_law().weights
    (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    """
    return Dice().distribution(of="face").sum(integer("dice", dice, 1, _MAX_DICE))


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

    >>> from provably_fair.operators.fpclub import combined_law
    >>> combined_law([0, 0, 0, 0, 0, 1], [1, 2, 3, 4, 5, 6]).weights
    (1, 2, 3, 4, 5, 6)
    >>> combined_law([0, 0, 0, 0, 5, 1]).weights
    (6, 6, 6, 6, 6, 6)

    The same on data: 300,000 throws against a player who always brings 66.

    >>> import numpy as np
    >>> from provably_fair.operators.fpclub import combine
    >>> throws = combine(np.random.default_rng(1).integers(1, 7, (150_000, 2)), 6)
    >>> counts = np.bincount(throws.ravel())[1:]
    >>> bool(((counts - 50_000) ** 2 / 50_000).sum() < 20.515)  # chi-square, p = 0.001
    True
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
