"""The interface of deals and tables: the pack that is dealt, and the questions to a table's rules."""

from __future__ import annotations

import math
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from provably_fair._core.errors import BadValue

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution, Tally

_CARDS = 52


@dataclass(frozen=True)
class Pack:
    """The pack from which cards are dealt.

    Attributes
    ----------
    decks : float
        The number of decks; infinity if every card is drawn from a whole deck.
    numbers : tuple of int
        The card's number in `provably_fair.cards` for each number of an outcome.
    jokers : int
        The number of jokers in the deck; their numbers are the last ones.
    order : tuple of int
        The places, among the first cards dealt, of the cards that a table takes first: (0, 2, 1, 3) if player
        and dealer are dealt in turns.
    """

    decks: float
    numbers: tuple[int, ...]
    jokers: int = 0
    order: tuple[int, ...] = ()

    @classmethod
    def of(cls, decks: float, *, jokers: int = 0) -> Pack:
        """Return the pack of some decks and jokers whose outcomes are numbered as cards are.

        Examples
        --------
        >>> len(pf.games.Pack.of(4).numbers), len(pf.games.Pack.of(1, jokers=2).numbers)
        (208, 54)
        """
        count = _CARDS * (1 if math.isinf(decks) else int(decks)) + jokers
        # Cards of later decks have the names of the first four's.
        return cls(decks, tuple(n if n < 4 * _CARDS else n % _CARDS for n in range(count)), jokers)

    @cached_property
    def ranks(self) -> bytes:
        """The card of one deck for each number of an outcome; 52 for jokers."""
        return bytes(_CARDS if self.jokers and card >= _CARDS else card % _CARDS for card in self.numbers)

    def cards(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the cards of outcomes, as `provably_fair.cards` numbers them; -1 if the cards ran out.

        Examples
        --------
        >>> pf.games.Pack.of(6).cards(np.array([207, 208, -1]))
        array([207,   0,  -1])
        """
        last = len(self.numbers) - 1
        if outcomes.min(initial=0) < -1 or outcomes.max(initial=0) > last:
            place = np.argwhere((outcomes < -1) | (outcomes > last))[0]
            problem = f"must be cards from 0 to {last}, or -1 where they ran out, got {outcomes[*place]}"
            raise BadValue("outcome", problem, index=place[0] if outcomes.ndim > 1 else None)
        return outcomes if self._by_number is None else self._by_number[outcomes]

    def outcomes(self, cards: np.ndarray) -> np.ndarray:
        """Return the first number in outcomes of each card; -1 if the cards ran out.

        Examples
        --------
        >>> pf.games.Pack(1, tuple(range(51, -1, -1))).outcomes(np.array([0, 51, -1]))
        array([51,  0, -1])
        """
        if self._firsts is None:
            return cards
        found: np.ndarray = self._firsts[cards]
        return found

    @cached_property
    def _firsts(self) -> np.ndarray | None:
        """The first number of an outcome for each card, the last one for -1; None if they are the same."""
        if self.is_plain:
            return None
        return np.array([*np.unique(self.numbers, return_index=True)[1], -1], np.int64)

    @property
    def is_plain(self) -> bool:
        """Whether outcomes number cards as `provably_fair.cards` does."""
        return self._by_number is None

    @cached_property
    def _by_number(self) -> np.ndarray | None:
        """The card for each number of an outcome, the last one for -1; None if they are the same."""
        if self.numbers == (*range(len(self.numbers)),):
            return None
        return np.array([*self.numbers, -1], np.int64)

    def at_table(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the cards of outcomes, (k,) or (N, k), in the order in which a table takes them.

        Examples
        --------
        >>> pf.games.Pack(1, tuple(range(52)), order=(0, 2, 1, 3)).at_table(np.array([5, 6, 7, 8, 9]))
        array([5, 7, 6, 8, 9])
        """
        return self.in_order(self.cards(outcomes))

    def in_order(self, cards: np.ndarray) -> np.ndarray:
        """Return cards dealt, by any numbers, (k,) or (N, k), in the order in which a table takes them.

        Examples
        --------
        >>> pf.games.Pack(1, tuple(range(52)), order=(0, 2, 1, 3)).in_order(np.array([5, 6, 7, 8, 9]))
        array([5, 7, 6, 8, 9])
        """
        if not self.order or cards.shape[-1] < len(self.order):
            return cards
        order = [*self.order, *range(len(self.order), cards.shape[-1])]
        return np.ascontiguousarray(cards[..., order])

    def dealt(self, roles: Sequence[str]) -> tuple[str, ...]:
        """Return the owners of cards in the order dealt, from that in which a table takes them.

        Examples
        --------
        >>> pf.games.Pack(1, tuple(range(52)), order=(0, 2, 1, 3)).dealt(["player"] * 2 + ["dealer"] * 2)
        ('player', 'dealer', 'player', 'dealer')
        """
        there = {place: role for role, place in zip(roles, self.order, strict=False)}
        return tuple(there.get(place, role) for place, role in enumerate(roles))


class _TableClass(ABCMeta):
    """The class of tables: like tables, they list what a reader of the game knows, also in `help`."""

    def __dir__(cls) -> list[str]:
        return [*super().__dir__()] if cls.__abstractmethods__ else _known(super().__dir__())


def _known(names: Iterable[str]) -> list[str]:
    """Return the names of members without those that only deals ask a table for."""
    return sorted({*names} - Table.__abstractmethods__ - {*Table.__annotations__})


class Table(metaclass=_TableClass):
    """Rules by which dealt cards are played. A table has no seeds."""

    choice: ClassVar[str]
    """A log's field for the player's decisions: "actions" or "hold"."""
    title: ClassVar[str]
    """The name of the game that is played."""
    usual: ClassVar[str]
    """The default strategy of bets."""
    most: ClassVar[int]
    """The most cards that a round needs."""
    likely: ClassVar[int]
    """The most cards that nearly all rounds need."""
    jokers: int = 0
    """The number of jokers that are dealt."""

    def __dir__(self) -> list[str]:
        return _known(super().__dir__())

    @abstractmethod
    def at(self, pack: Pack, deal: str) -> Self:
        """Return the table with the decks of a pack; refuse a table with another number of decks."""

    @abstractmethod
    def player(self, strategy: Any, chosen: Any) -> Any:
        """Return the player: a strategy, or the decisions that were made; the best play by default."""

    @abstractmethod
    def by_round(self, player: Any, rounds: int) -> Callable[[int, int], Any]:
        """Return a function from the first and the number of some rounds to their player."""

    @abstractmethod
    def steps(self, player: Any) -> tuple[int, ...]:
        """Return the numbers of cards to deal, one after the other, until they suffice for a round."""

    @abstractmethod
    def play(self, cards: Any, player: Any) -> Any:
        """Return the results of rounds; NaN or -1 for those whose cards ran out."""

    @abstractmethod
    def settled(self, cards: np.ndarray, player: Any) -> Any:
        """Return a settled round; raise an error if its cards ran out."""

    @abstractmethod
    def in_engine(self, player: Any) -> bool:
        """Return whether the engine plays this player's rounds without calling Python."""

    @abstractmethod
    def joined(self, parts: Iterable[Any], rounds: int) -> Any:
        """Return the results of several calls of `play`, of so many rounds in all, as one."""

    @abstractmethod
    def tally(self, cards: Any, player: Any) -> Tally:
        """Return the counts of results."""

    @abstractmethod
    def law(self, player: Any) -> tuple[Distribution | None, int]:
        """Return the law of the return of a bet of 1, if known, and the number of parts of a bet."""

    @abstractmethod
    def returns(self, cards: Any, player: Any) -> np.ndarray:
        """Return the returns in parts of a bet, (N, 1); the stake if the cards ran out."""

    @abstractmethod
    def told(self, cards: np.ndarray, chosen: Any) -> tuple[Any, Sequence[str], list[tuple[str, str]]]:
        """Return the settled round if any, the role of each card, and the results by label."""

    @abstractmethod
    def names(self, cards: np.ndarray) -> tuple[str, ...]:
        """Return the names of cards."""

    @abstractmethod
    def random_shoes(self, pack: Pack, seed: int | str, start: int, rounds: int) -> Any:
        """Return the cards of rounds that are shuffled at random, numbered as outcomes from a pack."""

    @abstractmethod
    def engine(self) -> tuple[Any, int]:
        """Return the engine's rules, and the number of units of a bet in them."""

    @abstractmethod
    def numbered(self, settled: Any, numbers: np.ndarray) -> Any:
        """Return a settled round with these numbers of the cards dealt."""

    @abstractmethod
    def possible(self) -> list[int]:
        """Return the units that a bet of 1 may return, in rising order."""

    @abstractmethod
    def shared(self) -> set[Fraction]:
        """Return the shares of all bets of a round that they may return, if there may be several."""
