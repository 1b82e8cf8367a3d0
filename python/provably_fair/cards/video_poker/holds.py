"""Hands and holds as arguments."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    check_type,
    rectangular,
    refuse_masked,
    unwrapped,
)
from provably_fair._engine import read_holds

from ..names import DealtHand, Hand, name, numbers

JOKER = 52
"""The number of the first joker; the second is 53."""

Hold = str | Sequence[bool] | Sequence[int] | Sequence[str] | Sequence[Sequence[bool]] | np.ndarray
"""Five flags, the positions of the held cards, 1 to 5 from the left, or their names."""


class JokerHand(Hand):
    """Cards of a deck with jokers, which are 52 and 53, and print as "joker"."""

    __slots__ = ()

    def __new__(cls, cards: str | Iterable[int | str] = ()) -> JokerHand:
        """Make a hand of numbers or names."""
        return super().__new__(cls, _numbers("cards", cards, 2))  # type: ignore[return-value]

    @staticmethod
    def _name(card: int, *, ascii: bool = False) -> str:
        return "joker" if card >= JOKER else name(card, ascii=ascii)

    def __repr__(self) -> str:
        return f"JokerHand({str(self)!r})"

    def _repr_html_(self) -> str:
        return str(self)


def card_names(cards: Iterable[int], jokers: int) -> list[str]:
    """Return the names of cards, one by one."""
    return [(JokerHand if jokers else Hand)._name(card) for card in cards]


def hand_of(cards: Iterable[int], jokers: int) -> Hand:
    """Return cards that are known to be of a deck with `jokers` jokers."""
    return (JokerHand if jokers else Hand).of_numbers(map(int, cards))


def _numbers(argument: str, cards: str | Iterable[int | str], jokers: int) -> list[int]:
    """Return the numbers of cards given as numbers, as names, or as a text of names, of jokers too."""
    if isinstance(cards, str):
        cards = cards.split()
    if not jokers or isinstance(cards, (bytes, bytearray, memoryview)):
        return numbers(argument, cards)
    count = itertools.count(JOKER)
    named = [next(count) if isinstance(card, str) and card.lower() == "joker" else card for card in cards]
    return numbers(argument, named)


def hands_of(
    cards: ArrayLike | str, argument: str = "hand", size: int = 5, jokers: int = 0
) -> tuple[np.ndarray, bool]:
    """Return hands of `size` cards as (N, size) int64, and whether several were given."""
    last = JOKER + jokers - 1
    if isinstance(cards, DealtHand):
        cards = cards.named
    elif isinstance(cards, (list, tuple)):  # an array of such hands has the deal's numbers
        cards = [one.named if isinstance(one, DealtHand) else one for one in cards]
    shapes = f"({size},) or (N, {size})"
    if isinstance(cards, (str, bytes)):
        cards = _numbers(argument, cards, jokers)
    array = rectangular(argument, cards)
    if array.dtype.kind in "iu" and not hasattr(cards, "dtype"):
        # numpy takes a boolean among integers for 0 or 1.
        for card in np.asarray(cards, dtype=object).flat:
            if isinstance(card, (bool, np.bool_)):
                raise BadType(argument, f"must be cards as integers or names, got {card}")
    if array.dtype.kind == "U":
        named = [_numbers(argument, row, jokers) for row in np.atleast_2d(array).tolist()]
        array = np.array(named).reshape(array.shape)
    if array.ndim not in (1, 2) or array.shape[-1] != size:
        raise BadValue(argument, f"must have the shape {shapes}, got {array.shape}")
    if array.dtype.kind not in "iu" and array.size:
        raise BadType(argument, f"must be cards as integers or names, got an array of {array.dtype}")
    rows, many = np.atleast_2d(array), array.ndim == 2
    if rows.dtype.kind == "u":
        # The largest would be negative as int64.
        for row, place in np.argwhere(rows > last)[:1]:
            at = int(row) if many else None
            raise BadValue(argument, f"must be cards from 0 to {last}, got {rows[row, place]}", index=at)
    return np.ascontiguousarray(rows, dtype=np.int64), many


def check_different(cards: np.ndarray, many: bool, jokers: int = 0) -> None:
    """Refuse numbers that aren't cards, and duplicate cards; -1 means no card."""
    last = JOKER + jokers - 1
    for row in np.flatnonzero(((cards < -1) | (cards > last)).any(axis=1))[:1]:
        problem = f"must be cards from 0 to {last}, or -1, got {cards[row].tolist()}"
        raise BadValue("cards", problem, index=int(row) if many else None)
    ordered = np.sort(cards, axis=1)
    twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1)
    for row in np.flatnonzero(twice)[:1]:
        problem = f"must be different cards, got {cards[row].tolist()}"
        raise BadValue("cards", problem, index=int(row) if many else None)


def holds_of(hold: Hold, hands: np.ndarray, *, many: bool = True) -> np.ndarray:
    """Return holds of hands, (N, 5), as (N, 5) bool: one for all, or one for each."""
    if isinstance(hold, np.ndarray) and hold.dtype == bool and hold.shape == hands.shape:
        refuse_masked("hold", hold)
        return np.ascontiguousarray(hold)
    if by_row(hold) if many else has_rows(hold):
        rows = rows_of(hold, len(hands))
        bits = read_holds(rows, len(rows), True, np.ascontiguousarray(hands).ravel())[:, np.newaxis]
    else:
        bits = np.array(hold_bits(hold, None if many else hands[0]))
    return np.ascontiguousarray(np.broadcast_to(bits >> np.arange(5) & 1 == 1, (len(hands), 5)))


def rows_of(hold: Any, rounds: int) -> Any:
    """Return holds of many rounds as rows, one for each."""
    refuse_masked("hold", hold)
    if len(hold) != rounds:
        raise BadValue("hold", f"must be one hold, or one for each of {rounds} rounds, got {len(hold)}")
    return hold if isinstance(hold, np.ndarray) and hold.dtype == bool else [*map(_written, unwrapped(hold))]


def by_row(hold: Any) -> bool:
    """Return whether these are holds of many rounds, one for each: rows, or several texts."""
    if has_rows(hold):
        return True
    hold = unwrapped(hold)
    return isinstance(hold, (list, tuple)) and any(isinstance(row, (str, bytes)) for row in hold)


def has_rows(hold: object) -> bool:
    """Return whether holds are given by row, one for each round."""
    if len(getattr(hold, "shape", ())) > 1:
        return True
    hold = unwrapped(hold)
    return isinstance(hold, (list, tuple)) and any(isinstance(unwrapped(row), (list, tuple)) for row in hold)


def hold_bits(hold: Any, hand: np.ndarray | None = None) -> int:
    """Return one hold, in any form that a log's cell may have, as the sum of 2**i over the held cards i.

    Without a hand, cards can't be named.
    """
    if has_rows(hold):
        raise BadValue("hold", "must be one hold: five booleans or positions 1 to 5, got several rows")
    refuse_masked("hold", hold)
    hold = _written(hold)
    check_type("hold", hold, (list, tuple, str, bytes, int), "five booleans or positions 1 to 5")
    return int(read_holds([hold], 1, False, None if hand is None else np.ascontiguousarray(hand))[0])


def _written(hold: Any) -> Any:
    """Return one hold as the engine reads it: cards by their names, as their numbers might be positions."""
    return str(hold) or "nothing" if isinstance(hold, Hand) else unwrapped(hold)
