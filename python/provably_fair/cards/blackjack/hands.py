"""Rounds of blackjack, settled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from provably_fair._core.table import displayed, html_table

from ..names import DealtHand, Hand


@displayed
@dataclass(frozen=True)
class BlackjackHand:
    """One of the player's hands, settled.

    Attributes
    ----------
    cards : Hand
        Its cards, in the order they came.
    total : int
        Their total.
    soft : bool
        Whether an ace counts eleven in it.
    split : bool
        Whether the hand was made by a split.
    bets : int
        The number of bets on it: 2 if it was doubled.
    outcome : str
        "blackjack", "win", "push", "loss", "bust", "surrender", "even_money", or "returned" (a dealer's
        blackjack took its one bet from another hand).
    exact_net : Fraction
        The exact net win, in bets.
    """

    cards: Hand
    total: int
    soft: bool
    split: bool
    bets: int
    outcome: str
    exact_net: Fraction

    @property
    def net(self) -> float:
        """The net win, in bets."""
        return float(self.exact_net)

    def __str__(self) -> str:
        return f"{self.cards} {_result(self)}"


@displayed
@dataclass(frozen=True)
class BlackjackRound:
    """A round of blackjack, settled.

    Attributes
    ----------
    hands : tuple of BlackjackHand
        The player's hands, from the left; one unless it was split.
    dealer : Hand
        The dealer's cards: upcard, hole card, and those he drew.
    dealer_total : int
        Their total; below 17 if there was nothing left to draw for.
    dealer_soft : bool
        Whether an ace counts eleven in it.
    actions : tuple of str
        The player's actions, in order.
    cards : Hand
        All cards dealt, in order: player, player, upcard, hole card, then as needed.
    insurance : Fraction or None
        The net win of insurance, in bets; None if none was taken.
    """

    hands: tuple[BlackjackHand, ...]
    dealer: Hand
    dealer_total: int
    dealer_soft: bool
    actions: tuple[str, ...]
    cards: Hand
    insurance: Fraction | None = None

    @property
    def exact_net(self) -> Fraction:
        """The player's exact net win in all, in bets."""
        return sum((hand.exact_net for hand in self.hands), self.insurance or Fraction(0))

    @property
    def net(self) -> float:
        """The player's net win in all, in bets."""
        return float(self.exact_net)

    @property
    def headline(self) -> str:
        """The result in a few words: "loss, -2 bets"."""
        if len(self.hands) == 1:
            return f"{self.hands[0].outcome.replace('_', ' ')}, {_net(self.net)}"
        return f"{len(self.hands)} hands, {_net(self.net)}"

    @property
    def dealer_blackjack(self) -> bool:
        """Whether the dealer had a blackjack."""
        return len(self.dealer) == 2 and self.dealer_total == 21

    def _dealer_result(self) -> str:
        total = f"({_total(self.dealer_total, self.dealer_soft)})"
        return total + (", blackjack" if self.dealer_blackjack else "")

    def rows(self) -> list[tuple[str, str]]:
        """Return the round by label: hands, dealer, actions, net."""
        many = len(self.hands) > 1
        rows = [(f"hand {i}" if many else "player", str(hand)) for i, hand in enumerate(self.hands, 1)]
        rows.append(("dealer", f"{self.dealer} {self._dealer_result()}"))
        if self.insurance is not None:
            rows.append(("insurance", _net(float(self.insurance))))
        if self.actions:
            rows.append(("actions", ", ".join(self.actions)))
        rows.append(("net", _net(self.net)))
        return rows

    def __str__(self) -> str:
        rows = self.rows()
        wide = max(8, *(len(label) for label, _ in rows))
        return "\n".join(f"{label:<{wide}} {text}" for label, text in rows)

    def _repr_html_(self) -> str:
        shown = [*((hand.cards, _result(hand)) for hand in self.hands), (self.dealer, self._dealer_result())]
        rows = self.rows()
        cells: list[tuple[object, ...]] = [
            (label, *cells) for (label, _), cells in zip(rows, shown, strict=False)
        ]
        cells += [(label, text, "") for label, text in rows[len(shown) :]]
        return html_table(("", "", ""), cells, "l", labels=True)


def numbered(settled: BlackjackRound, numbers: Iterable[int]) -> BlackjackRound:
    """Return a round with other numbers of the cards that were dealt, of which there may be more."""
    dealt = [*zip(settled.cards, map(int, numbers), strict=False)]
    left: dict[int, list[int]] = {}
    for card, number in dealt:
        left.setdefault(card, []).append(number)

    def of(hand: Hand) -> DealtHand:
        return DealtHand((left[card].pop(0) for card in hand), hand)

    return replace(
        settled,
        hands=tuple(replace(hand, cards=of(hand.cards)) for hand in settled.hands),
        dealer=of(settled.dealer),
        cards=DealtHand((number for _, number in dealt), settled.cards),
    )


def _result(hand: BlackjackHand) -> str:
    doubled = ", doubled" if hand.bets > 1 else ""
    outcome = hand.outcome.replace("_", " ")
    return f"({_total(hand.total, hand.soft)}{doubled}): {outcome}, {_net(hand.net)}"


def _total(total: int, soft: bool) -> str:
    return f"soft {total}" if soft else str(total)


def _net(net: float) -> str:
    return f"{net:+g} bet{'' if abs(net) == 1 else 's'}" if net else "0 bets"
