"""Video poker with an operator's ten cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, numbers_below
from provably_fair.cards import numbers
from provably_fair.games import Game
from provably_fair.games.kinds import plain

from ._names import DECK, WORDS
from ._names import cards as names_of

if TYPE_CHECKING:
    from provably_fair.bets import Bet

    from .crypto_games import Paytable, PokerRound, PokerRounds
    from .crypto_games.video_poker.analysis import HoldStrategy
    from .crypto_games.video_poker.holds import Hold

# Of each card by the operators' number its number in `provably_fair.cards`.
_NUMBERS = np.array(numbers("cards", names_of(range(DECK))))


@dataclass(frozen=True)
class _Dealer:
    """Deals the cards of a game by their numbers in `provably_fair.cards`."""

    game: Game

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        drawn = self.game.simulate(rounds, seed=seed, start=start, threads=threads)
        dealt: np.ndarray = _NUMBERS[drawn]
        return dealt


POKER = plain(WORDS, shape=(10,), dtype=int)
"""The kind of ten cards of one deck."""


class PokerCards(Game):
    """A game of ten cards of one deck: five are dealt, the others replace, in their order, those not held."""

    def settle(
        self,
        cards: ArrayLike,
        hold: Hold | None = None,
        *,
        paytable: str | Paytable | Mapping[str, object] = "jacks_or_better",
    ) -> PokerRound | PokerRounds:
        """Hold and draw with cards of this game, and pay by a paytable.

        Parameters
        ----------
        cards : array-like of int
            Ten cards of a round, (10,), or of many, (N, 10), as `play` returns them.
        hold : five bool, or positions, optional
            The cards to hold; see `crypto_games.VideoPoker.play`. None holds the best ones.
        paytable : str, Paytable or mapping
            See `crypto_games.VideoPoker`; without jokers.

        Returns
        -------
        PokerRound or PokerRounds
            As `crypto_games.VideoPoker.settle` returns them, with the numbers of `provably_fair.cards`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.stake.VideoPoker()
        >>> seeds = "ae5baafb37cfd372fcf07cc85d3b924af4ad1691dd451529b13bf8f272926525", "7pwXtJ6R"
        >>> print(game.settle(game.play(*seeds, 1), paytable="deuces_wild"))
        J♦ J♠ K♣ J♣ 2♥, hold J♦ J♠ J♣ 2♥: J♦ J♠ 10♣ J♣ 2♥, four of a kind, pays 5
        """
        drawn = numbers_below("cards", cards, DECK)
        settled: PokerRound | PokerRounds = _poker(paytable).settle(_NUMBERS[drawn.astype(np.int64)], hold)
        return settled

    def bet(
        self,
        payout: Any = None,
        *,
        paytable: str | Paytable | Mapping[str, object] | None = None,
        strategy: HoldStrategy | Literal["optimal"] | None = "optimal",
        law: str | None = None,
        **subject: Any,
    ) -> Bet:
        """Return a bet of 1 on a hand, or on a function of the cards.

        Parameters
        ----------
        payout : callable, mapping, sequence or number, optional
            Without a paytable, see `Game.bet`.
        paytable : str, Paytable or mapping, optional
            The payouts of hands; see `crypto_games.VideoPoker`; without jokers.
        strategy : "optimal", callable, or sequence of str and callables
            The strategy for holding; see `crypto_games.VideoPoker.bet`.
        law : str, optional
            With a paytable, "ideal": all cards left are equally likely, as in
            `crypto_games.VideoPoker.analyze`. Simulated rounds use this game's scheme.
        **subject
            Without a paytable, see `Game.bet`.

        Returns
        -------
        Bet
            The bet, with its law, its return and simulations.

        Examples
        --------
        >>> import provably_fair as pf
        >>> bet = pf.operators.stake.VideoPoker().bet(paytable="deuces_wild")
        >>> round(bet.rtp, 6), bet.simulate(1000).shape
        (1.00762, (1000,))
        """
        if paytable is None:
            return super().bet(payout, law="best" if law is None else law, **subject)
        for name in (*(["payout"] if payout is not None else []), *subject):
            raise BadType(name, "isn't supported with video poker: the paytable has the payouts")
        if law not in (None, "ideal"):
            raise BadValue("law", f'must be "ideal" with a paytable, got {law!r}')
        from .crypto_games.video_poker.betting import bet_on_hands

        return bet_on_hands(_poker(paytable).paytable, strategy, _Dealer(self), repr(self))


def _poker(paytable: str | Paytable | Mapping[str, object]) -> Any:
    """Return video poker of one deck without jokers."""
    from .crypto_games import VideoPoker

    poker = VideoPoker(paytable)
    if poker.paytable.jokers:
        raise BadValue("paytable", f"must have no jokers, as the deck has none, got {poker.paytable!r:.60}")
    return poker
