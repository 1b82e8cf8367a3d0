"""Names of cards, and hands that print."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

from provably_fair._core.arguments import BadType, check_type, encode_text, integer
from provably_fair._core.errors import within
from provably_fair._engine import card_name, parse_card

NO_CARD = -1
"""The number that means no card."""


def name(card: int, *, ascii: bool = False) -> str:
    """Return the name of a card.

    Parameters
    ----------
    card : int
        A card, 0 to 207, or -1.
    ascii : bool
        Whether to write two ASCII characters: suits as s, h, d, c, and ten as T.

    Returns
    -------
    str
        "J♣", "10♥" or "Jc", "Th"; "--" for -1.

    Examples
    --------
    >>> pf.cards.name(49), pf.cards.name(49, ascii=True)
    ('J♣', 'Jc')
    >>> pf.cards.name(-1)
    '--'
    """
    return card_name(_card(card), bool(ascii))


def parse(name: str) -> int:
    """Return the card of a name, in any of the usual spellings.

    Parameters
    ----------
    name : str
        A rank (A, 2 to 10 or T, J, Q, K) and a suit (♠ ♥ ♦ ♣ or s h d c), in upper or lower case;
        "--" is no card.

    Returns
    -------
    int
        0 to 51, or -1.

    Examples
    --------
    >>> pf.cards.parse("J♣"), pf.cards.parse("10h"), pf.cards.parse("Th"), pf.cards.parse("--")
    (49, 22, 22, -1)
    """
    check_type("name", name, str)
    encode_text("name", name)
    return parse_card(name)


def rank(card: int) -> int:
    """Return a card's rank: 0 for an ace, 1 for a two, ..., 12 for a king.

    Examples
    --------
    >>> pf.cards.rank(49)
    10
    """
    return _real_card(card) % 13


def suit(card: int) -> int:
    """Return a card's suit: 0 spades, 1 hearts, 2 diamonds, 3 clubs.

    Examples
    --------
    >>> pf.cards.suit(49)
    3
    """
    return _real_card(card) // 13 % 4


class Hand(tuple[int, ...]):
    """Cards in a row: a tuple of their numbers, which prints as their names.

    Parameters
    ----------
    cards : iterable of int or str, or str
        Numbers or names of cards, or a text of names separated by spaces. Outcomes of operators that number
        cards in an order of their own are other cards here: translate them with the deal's pack.

    Examples
    --------
    >>> hand = pf.cards.Hand([49, 17, 46, 39, 40])
    >>> hand
    Hand('J♣ 5♥ 8♣ A♣ 2♣')
    >>> hand[0], hand == pf.cards.Hand("Jc 5h 8c Ac 2c")
    (49, True)

    The cards of a deal, however its operator numbers them:

    >>> game = pf.operators.stake.VideoPoker()
    >>> pf.cards.Hand(game.kind.pack.cards(game.play("server", "client", 1)[:5]))
    Hand('8♣ 6♥ A♣ 5♦ 6♣')
    """

    __slots__ = ()
    _name = staticmethod(name)

    def __new__(cls, cards: str | Iterable[int | str] = ()) -> Hand:
        """Make a hand of numbers or names."""
        return super().__new__(cls, numbers("cards", cards))

    @classmethod
    def of_numbers(cls, cards: Iterable[int]) -> Hand:
        """Return the hand of numbers that are known to be cards, which aren't checked.

        Examples
        --------
        >>> pf.cards.Hand.of_numbers([49, 17])
        Hand('J♣ 5♥')
        """
        return super().__new__(cls, cards)

    def some(self, places: Iterable[int]) -> Hand:
        """Return the cards at some places, from 0.

        Examples
        --------
        >>> pf.cards.Hand("Jc 5h 8c").some([0, 2])
        Hand('J♣ 8♣')
        """
        return self.of_numbers(self[place] for place in places)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (tuple(self),)

    @property
    def ascii(self) -> str:
        """The names in ASCII, separated by spaces."""
        return " ".join(self._name(card, ascii=True) for card in self)

    def __str__(self) -> str:
        return " ".join(map(self._name, self))

    def __repr__(self) -> str:
        # Names don't tell copies of a card apart.
        content = str(self) if max(self, default=0) < 52 else list(self)
        return f"{type(self).__name__}({content!r})"

    def _repr_html_(self) -> str:
        return "".join(map(card_html, self))


class DealtHand(Hand):
    """Cards of a deal with numbers of its own, those of its outcomes.

    It prints as their names, and equals a hand of the same cards by other numbers.
    """

    named: Hand
    """The same cards, as the package numbers them."""

    def __new__(cls, cards: Iterable[int], named: Hand) -> DealtHand:
        """Make a hand of numbers of outcomes, and of the cards that they are."""
        hand: DealtHand = tuple.__new__(cls, cards)
        hand.named = named
        return hand

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Hand):
            return self.named == getattr(other, "named", other)
        return tuple(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.named)

    def __getitem__(self, index: Any) -> Any:
        """Return the number of a card, or the hand of a slice, which keeps its names."""
        return self.some(range(len(self))[index]) if isinstance(index, slice) else super().__getitem__(index)

    def some(self, places: Iterable[int]) -> DealtHand:
        """Return the cards at these places."""
        places = list(places)
        return DealtHand((self[place] for place in places), self.named.some(places))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.named

    @property
    def ascii(self) -> str:
        """The names in ASCII."""
        return self.named.ascii

    def __str__(self) -> str:
        return str(self.named)

    def __repr__(self) -> str:
        return f"DealtHand({str(self)!r})"

    def _repr_html_(self) -> str:
        return self.named._repr_html_()


def numbers(argument: str, cards: str | Iterable[int | str]) -> list[int]:
    """Return the numbers of cards given as numbers, as names, or as a text of names."""
    if isinstance(cards, str):
        cards = cards.split()
    if isinstance(cards, DealtHand):
        return list(cards.named)
    if isinstance(cards, (bytes, bytearray, memoryview)):  # their characters would be numbers
        raise BadType(argument, f"must be cards as numbers or names, got {type(cards).__name__}")
    try:
        listed = list(cards)
    except TypeError:
        raise BadType(argument, f"must be cards, got {type(cards).__name__}") from None
    found = []
    for index, card in enumerate(listed):
        with within(f"{argument}[{index}]: ", argument, index):
            found.append(parse(card) if isinstance(card, str) else _card(card))
    return found


def card_html(card: int) -> str:
    """Return a card for a notebook: a small white box, red for hearts and diamonds."""
    red = card >= 0 and suit(card) in (1, 2)
    return (
        '<span style="display:inline-block;min-width:1.9em;margin:1px;padding:2px 4px;text-align:center;'
        f'border:1px solid #999;border-radius:4px;background:#fff;color:{"#c00" if red else "#000"}">'
        f"{html.escape(name(card))}</span>"
    )


def _card(card: object) -> int:
    return integer("card", card, -1, 207)


def _real_card(card: object) -> int:
    return integer("card", card, 0, 207)
