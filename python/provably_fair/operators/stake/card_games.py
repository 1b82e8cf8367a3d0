"""Stake's games of cards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair import distribution
from provably_fair._core.arguments import choice
from provably_fair.games import Deal, Pack, Range, asking
from provably_fair.games.draws import Draws
from provably_fair.games.kind import kind_property, uniform
from provably_fair.games.kinds.cards import Cards
from provably_fair.games.kinds.parts import Parts, PartsGame, part_looks
from provably_fair.games.looks import Look, Of, OfPart, View
from provably_fair.games.part_laws import combined

from .._names import DECK, NUMBERS, WORDS
from .schemes import StakeGame

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


class Hilo(PartsGame, StakeGame):
    """Stake's hilo: cards of an unlimited deck, ``floor(f * 52)`` each; `cards` names them.

    Parameters
    ----------
    cards : int
        The number of cards, 1 to 1000.

    Notes
    -----
    Checked on 5 published rounds: 4 bets of 2019, 1 of the calculator.

    Examples
    --------
    >>> seeds = "412780c6e08859f955318b5c7c75e288", "54560a34f054ad0c19edac66cf6b8e45"
    >>> stake = pf.operators.stake
    >>> stake.cards(stake.Hilo(cards=4).play(*seeds, 0))
    ['8♦', '6♠', '5♠', '5♣']
    """

    cards: int = Range(1, 1000, default=20)
    part_name, words = "card", WORDS

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(self.cards, "card").below(DECK)


def _blackjack() -> Any:
    """Return the operator's table of blackjack."""
    from provably_fair.cards import Blackjack

    return Blackjack(
        soft_17="stand",
        hole_card="peek",
        blackjack_pays=Fraction(3, 2),
        split_aces="one_card",
        ten_ace_after_split="21",
        surrender="none",
        insurance=True,
    )


class _Shoe(Cards):
    """Cards of an unlimited deck, each with a law of its own."""

    quick = True

    def looks(self, *, bias: bool = False) -> tuple[Look, ...]:
        return part_looks(self.game, "card")

    def whole_looks(self) -> tuple[Look, ...]:
        return self.looks()

    def material(self, values: np.ndarray) -> None:
        return None


class Blackjack(Deal, StakeGame):
    """Stake's blackjack: cards of an unlimited deck, ``floor(f * 52)`` each; `cards` names them.

    The first two cards are the player's, the next two the dealer's, the first of them showing; the others are
    drawn as needed. At its table, the dealer peeks for blackjack and stands on soft 17; blackjack pays 3:2;
    double on any two cards, also after a split; one split, one card on each split ace, and no blackjack after
    a split; insurance; no surrender. The house edge of these rules is 0.57 %, as the operator states.

    Outcomes and replayed rounds have Stake's numbers, which `provably_fair.cards.Hand` would take for other
    cards: give it their names.

    Parameters
    ----------
    cards : int
        The number of cards, 1 to 1000.

    Notes
    -----
    Checked on 7 published rounds: bets of 2019, each with the cards that were dealt.

    Examples
    --------
    >>> seeds = "abf5e01d286b951bf4ef72b87720aeed3889b467660deeec3a0b1df677282ad6", "oTmxwsdI"
    >>> pf.operators.stake.Blackjack(cards=5).play(*seeds, 1)
    array([42, 37, 30, 11, 45])
    >>> pf.cards.Hand(pf.operators.stake.cards([42, 37, 30, 11, 45]))
    Hand('Q♠ J♥ 9♠ 4♣ K♥')
    >>> print(pf.operators.stake.Blackjack().replay(*seeds, 1, actions=["stand"]))
    player   Q♠ J♥ (20): win, +1 bet
    dealer   9♠ 4♣ K♥ (23)
    actions  stand
    net      +1 bet
    >>> print(f"{pf.operators.stake.Blackjack().table.analyze().house_edge:.2%}")
    0.57%
    """

    cards: int = Range(1, 1000, default=20)
    choice, pack, house_table = "actions", Pack(math.inf, NUMBERS), _blackjack

    kind = kind_property(_Shoe)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(self.cards, "card").below(DECK)


def _points(cards: np.ndarray) -> np.ndarray:
    """Return the values of cards at baccarat: an ace 1, tens and pictures 0."""
    counts: np.ndarray = np.array([*range(2, 10), 0, 0, 0, 0, 1])[np.asarray(cards) // 4]
    return counts


# For each total of the banker: the values of the player's third card on which the banker draws, too.
_BANKER_DRAWS = [*[range(10)] * 3, [*range(8), 9], range(2, 8), range(4, 8), (6, 7), (), (), ()]
_DRAWS = np.array([[value in drawn for value in range(10)] for drawn in _BANKER_DRAWS])


def _winners(points: np.ndarray) -> np.ndarray:
    """Return the winners of rounds, from the values of their six cards, (N, 6)."""
    player, banker = points[:, :2].sum(axis=1) % 10, points[:, 2:4].sum(axis=1) % 10
    natural = np.maximum(player, banker) >= 8
    third = ~natural & (player <= 5)
    # The banker's third card is the next: the fifth, if the player stands.
    after = np.where(third, _DRAWS[banker, points[:, 4]], banker <= 5) & ~natural
    player = (player + third * points[:, 4]) % 10
    banker = (banker + after * np.where(third, points[:, 5], points[:, 4])) % 10
    winners: np.ndarray = np.array(["banker", "tie", "player"])[np.sign(player - banker) + 1]
    return winners


@dataclass(frozen=True, repr=False)
class Winner:
    """The winner at baccarat: "player", "banker" or "tie"."""

    def __repr__(self) -> str:
        return "winner"

    def __call__(self, cards: np.ndarray) -> np.ndarray:
        return _winners(_points(cards))


def _winner_law(game: Any, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of the winner, from both totals of two cards and both third cards."""
    if not isinstance(of, Winner):
        return None
    which = "as_drawn" if drawn else "ideal"
    one, two, *_, third, last = (game.distribution(which, of=OfPart(place, _points)) for place in range(6))
    pair = (one + two).map(lambda total: total % 10)
    points, weights = combined([pair, pair, third, last])
    # Each pair stands for two cards, the second of which has no points.
    return distribution.Distribution(_winners(np.insert(points, [1, 2], 0, axis=1)), weights)


class _Baccarat(Parts):
    name: ClassVar[str] = "baccarat"

    def view(self, *, of: str | Of | None = None) -> View:
        if isinstance(of, str):
            choice("of", of, ("winner",))
            return View(Winner())
        return View(of)


class Baccarat(PartsGame, StakeGame):
    """Stake's baccarat: six cards of an unlimited deck, ``floor(f * 52)`` each; `cards` names them.

    The first two cards are the player's, the next two the banker's; the third cards follow, by the usual
    rules, the player's first. ``of="winner"`` says who wins.

    Notes
    -----
    Checked on 4 published rounds: bets of 2019, each with the cards that were dealt. Their numbers of cards
    confirm whose cards these are.

    Examples
    --------
    >>> seeds = "ae5baafb37cfd372fcf07cc85d3b924af4ad1691dd451529b13bf8f272926525", "7pwXtJ6R"
    >>> baccarat = pf.operators.stake.Baccarat()
    >>> baccarat.play(*seeds, 14)
    array([ 3, 47, 22, 14, 25, 22])
    >>> baccarat.observe(baccarat.play(*seeds, range(12, 16)), of="winner").tolist()
    ['player', 'player', 'banker', 'player']
    """

    part_name, words, laws, distance = "card", WORDS, (_winner_law,), uniform

    kind = kind_property(_Baccarat)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(6, "card").below(DECK)

    def distribution(self, law: str = "ideal", *, of: str | Of | None = None) -> Distribution:
        """Return the exact law of the winner, or of a function of the cards.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        of : str or callable, optional
            "winner": "player", "banker" or "tie". Or a function from cards, an array (N, 6), to values,
            (N,).

        Returns
        -------
        Distribution
            Of the winner, or of what is asked.

        Examples
        --------
        >>> pf.operators.stake.Baccarat().distribution(of="winner").pmf(["player", "banker", "tie"]).round(5)
        array([0.44615, 0.45843, 0.09543])
        """
        return asking.distribution(self, law, of=of)

    def observe(self, outcomes: ArrayLike, *, of: str | Of | None = None) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.operators.stake.Baccarat().observe([[3, 47, 22, 14, 25, 22]], of="winner")
        array(['banker'], dtype='<U6')
        """
        return asking.observe(self, outcomes, of=of)

    def bet(self, payout: Any = None, *, law: str | None = "best", of: str | Of | None = None) -> Bet:
        """Return a bet of 1 on the winner; see `Game.bet` and `distribution`.

        Examples
        --------
        A bet on the player that pays 2, and is returned after a tie:

        >>> round(pf.operators.stake.Baccarat().bet({"player": 2, "tie": 1}, of="winner").rtp, 5)
        0.98772
        """
        return asking.bet(self, payout, law=law, of=of)

    def tally(self, rounds: int, *, of: str | Of | None = None, **options: Any) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.operators.stake.Baccarat().tally(1000, of="winner").outcomes.tolist()
        ['banker', 'player', 'tie']
        """
        return asking.tally(self, rounds, {"of": of}, **options)


class VideoPoker(Deal, StakeGame):
    """Stake's video poker: ten cards of one deck, by removal; `cards` names them.

    The first five are dealt; the others replace, in order, the cards that the player doesn't hold. Outcomes
    and replayed rounds have Stake's numbers, which `provably_fair.cards.Hand` would take for other cards:
    give it their names.

    Notes
    -----
    Checked on 4 published rounds: bets of 2019.

    Examples
    --------
    >>> seeds = "ae5baafb37cfd372fcf07cc85d3b924af4ad1691dd451529b13bf8f272926525", "7pwXtJ6R"
    >>> pf.operators.stake.VideoPoker().play(*seeds, 1)
    array([36, 38, 47, 39,  1, 35, 25, 29, 30, 15])
    >>> pf.cards.Hand(pf.operators.stake.cards([36, 38, 47, 39, 1]))
    Hand('J♦ J♠ K♣ J♣ 2♥')
    """

    choice, pack = "hold", Pack(1, NUMBERS)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(DECK, 10)
