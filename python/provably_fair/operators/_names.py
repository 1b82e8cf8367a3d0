"""Names of the numbers of outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from provably_fair._core.arguments import numbers_below, rectangular
from provably_fair.cards.names import numbers

__all__ = ["DECK", "NUMBERS", "WORDS", "cards", "names_of"]

DECK = 52
_CARDS = [rank + suit for rank in [*"23456789", "10", *"JQKA"] for suit in "♦♥♠♣"]

WORDS: Mapping[str, int] = MappingProxyType({name: number for number, name in enumerate(_CARDS)})
"""The number of each card by its name."""

NUMBERS = tuple(numbers("cards", _CARDS))
"""For each of these numbers, the card's number in `provably_fair.cards`."""


def names_of(names: Sequence[str], outcome: object) -> Any:
    """Return the names of an outcome's numbers, in lists of its shape."""
    numbers = rectangular("outcome", outcome)
    if numbers.size:
        numbers_below("outcome", numbers, len(names))
    return np.array(names)[numbers.astype(np.int64)].tolist()


def cards(outcome: object) -> Any:
    """Return the names of cards from their numbers in an outcome.

    Parameters
    ----------
    outcome : int or array-like of int
        Numbers from 0, the two of diamonds, to 51, the ace of clubs: 2 to A, in each rank diamond, heart,
        spade, club.

    Returns
    -------
    str or list
        A name, such as "10♥", or lists of names in the outcome's shape.

    Raises
    ------
    TypeError, ValueError
        When a number isn't a card's.

    Examples
    --------
    >>> pf.operators.stake.cards([0, 33, 51])
    ['2♦', '10♥', 'A♣']
    """
    return names_of(_CARDS, outcome)
