"""Rounds of video poker, settled."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from provably_fair._core.arguments import BadValue
from provably_fair._core.table import displayed, html_table
from provably_fair.games.tables import Pack

from ..many import ManyRounds
from ..names import DealtHand, Hand, name
from .holds import Hold, card_names, hand_of, holds_of
from .paytable import Pay, Paytable, engine_of


@displayed
@dataclass(frozen=True)
class PokerRound:
    """One round of video poker.

    Attributes
    ----------
    cards : Hand
        The ten cards dealt: the hand, then the cards to draw from; -1 for no card.
    hold : tuple of bool
        The positions that were held, from the left.
    final : Hand
        The five cards after the draw.
    category : str
        The hand's name in the paytable: "two pair", "jacks or better", "nothing" ...
    pay : int or Fraction
        The payout, in bets.
    """

    cards: Hand
    hold: tuple[bool, ...]
    final: Hand
    category: str
    pay: Pay

    @property
    def hand(self) -> Hand:
        """The five cards dealt first."""
        return self.cards.some(range(5))

    @property
    def headline(self) -> str:
        """The result in a few words: "J♣ 3♦ 5♦ A♣ J♦, jacks or better, pays 1"."""
        return f"{self.final}, {self.category}, pays {self.pay}"

    @property
    def held(self) -> Hand:
        """The cards that were held."""
        return self.cards.some(place for place, held in enumerate(self.hold) if held)

    def __str__(self) -> str:
        return f"{self.hand}, hold {self.held or 'nothing'}: {self.headline}"

    def _repr_html_(self) -> str:
        rows = [
            ("dealt", self.hand),
            ("held", self.held or "nothing"),
            ("final", self.final),
            ("result", f"{self.category}, pays {self.pay}"),
        ]
        return html_table(("", ""), rows, "l", labels=True)


@dataclass(frozen=True, eq=False)
class PokerRounds(ManyRounds[PokerRound]):
    """Many rounds of video poker: arrays with a row for each, or `PokerRound` by index.

    Where the hash ran out before a card that was needed (less than one round in 77,000,000,000), the
    final hand has a -1, the row is -1, the category "--" and the pay NaN.

    Attributes
    ----------
    cards : numpy.ndarray
        The cards dealt, (N, 10) int64: the hand, then those to draw from.
    hold : numpy.ndarray
        The cards held, (N, 5) bool.
    final : numpy.ndarray
        The cards after the draw, (N, 5) int64.
    row : numpy.ndarray
        The paytable's row, (N,) int64: 0 is the royal flush.
    paytable : Paytable
        The paytable that the rows are of.
    pack : Pack or None
        The pack of the deal, whose outcomes number cards as these arrays do; None if they are the numbers of
        `provably_fair.cards`.
    """

    cards: np.ndarray
    hold: np.ndarray
    final: np.ndarray
    row: np.ndarray
    paytable: Paytable
    pack: Pack | None = None

    _arrays: ClassVar[tuple[str, ...]] = ("cards", "hold", "final", "row")
    _align: ClassVar[str] = "llllr"

    @property
    def hand(self) -> np.ndarray:
        """The five cards dealt first, (N, 5) int64."""
        return self.cards[:, :5]

    @property
    def category(self) -> np.ndarray:
        """The names of the final hands, (N,) of str."""
        names = [*(hand for hand, _ in self.paytable.rows), name(-1)]
        return np.asarray(np.array(names, dtype=object)[self.row])

    @property
    def pay(self) -> np.ndarray:
        """The payouts, in bets, (N,) float64."""
        return np.asarray(np.array([*(float(pay) for _, pay in self.paytable.rows), np.nan])[self.row])

    @property
    def net(self) -> np.ndarray:
        """The net wins, in bets, (N,) float64."""
        return self.pay - 1

    def _one(self, index: int) -> PokerRound:
        row = int(self.row[index])
        category, pay = self.paytable.rows[row] if row >= 0 else (name(-1), float("nan"))
        held = tuple(self.hold[index].tolist())
        dealt, final = (self._hand(cards[index]) for cards in (self.cards, self.final))
        return PokerRound(dealt, held, final, category, pay)  # type: ignore[arg-type]

    def numbered(self, pack: Pack) -> PokerRounds:
        """Return the rounds with cards as the outcomes of a deal from a pack number them.

        Examples
        --------
        >>> deal = pf.operators.stake.VideoPoker()
        >>> rounds = deal.with_table(pf.cards.VideoPoker()).replay("server", ["a", "b"], 1)
        >>> bool((rounds.cards == deal.play("server", ["a", "b"], 1)).all())
        True
        """
        cards, final = (pack.outcomes(hands) for hands in (self.cards, self.final))
        return replace(self, cards=cards, final=final, pack=pack)

    def _hand(self, cards: np.ndarray) -> Hand:
        named = hand_of(self._named(cards), self.paytable.jokers)
        return named if self.pack is None else DealtHand(cards.tolist(), named)

    def _named(self, cards: np.ndarray) -> np.ndarray:
        return cards if self.pack is None else self.pack.cards(cards)

    def __repr__(self) -> str:
        paid = self.pay[~np.isnan(self.pay)]  # the others' hashes ran out
        mean = paid.mean() if len(paid) else math.nan if len(self) else 0
        return f"<{len(self)} rounds of video poker, mean pay {mean:.4f}>"

    def log_columns(self) -> dict[str, Any]:
        """Return the rounds as the columns of a log, with the final hand as the outcome."""
        positions = [(np.flatnonzero(held) + 1).tolist() for held in self.hold]
        names = ("dealt", "hold", "outcome", "result", "pays")
        return dict(zip(names, (self._columns() | {"held": positions}).values(), strict=True))

    def _columns(self) -> dict[str, Any]:
        def names(hand: np.ndarray) -> list[str]:
            return card_names(self._named(hand).tolist(), self.paytable.jokers)

        held = [
            " ".join(card for card, kept in zip(names(h), k, strict=True) if kept)
            for h, k in zip(self.hand, self.hold, strict=True)
        ]
        return {
            "dealt": [" ".join(names(hand)) for hand in self.hand],
            "held": held,
            "final": [" ".join(names(hand)) for hand in self.final],
            "result": self.category.tolist(),
            "pays": self.pay,
        }


def settle(
    paytable: Paytable,
    cards: np.ndarray,
    hold: Hold | None,
    threads: int | None = None,
    *,
    many: bool = True,
) -> PokerRounds:
    """Hold and draw in rounds, (N, 10), with the best holds by default; errors of `many` have their row."""
    given = None if hold is None else holds_of(hold, cards[:, :5], many=many).ravel()
    dealt = np.ascontiguousarray(cards).ravel()
    held, final, row = engine_of(paytable).settle(dealt, many, given, threads)
    return PokerRounds(cards, held.reshape(-1, 5), final.reshape(-1, 5), row, paytable)


def joined(parts: Iterable[PokerRounds], rounds: int) -> PokerRounds:
    """Return the rounds of several calls, so many in all, as one."""
    columns: list[np.ndarray] = []
    first = 0
    for part in parts:
        found = [getattr(part, name) for name in PokerRounds._arrays]
        # Parts are copied as they come, so that they don't fill the memory a second time.
        columns = columns or [np.empty((rounds, *column.shape[1:]), column.dtype) for column in found]
        for column, these in zip(columns, found, strict=True):
            column[first : first + len(part)] = these
        first += len(part)
    return part._with(columns)


def settle_one(paytable: Paytable, cards: np.ndarray, hold: Hold | None) -> PokerRound:
    """Hold and draw in one round of ten cards; refuse a round that lacks a card it needs."""
    rounds = settle(paytable, cards[np.newaxis], hold, 1, many=False)
    if rounds.row[0] < 0:
        found = int((cards >= 0).sum())
        needed = 5 if found < 5 else 10 - int(rounds.hold[0].sum())
        raise BadValue("cards", f"ran out after {found}: this hand needs {needed}")
    played: PokerRound = rounds[0]
    return played
