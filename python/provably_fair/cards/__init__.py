"""Cards, and tables where they are played: rules without seeds. Operators deal the cards.

A card's rank is ``number % 13`` (0 is the ace, 12 the king), its suit ``number // 13 % 4`` (spades, hearts,
diamonds, clubs). One deck is 0 to 51, four decks are 0 to 207, and copies of a card share its name. -1, "--",
means that there is no card: the digest is used up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from provably_fair._core.lazy import lister_of, loader_of

if TYPE_CHECKING:
    from provably_fair.cards.names import NO_CARD as NO_CARD
    from provably_fair.cards.names import Hand as Hand
    from provably_fair.cards.names import name as name
    from provably_fair.cards.names import parse as parse
    from provably_fair.cards.names import rank as rank
    from provably_fair.cards.names import suit as suit

    from .blackjack import *  # noqa: F403
    from .shoe import Shoe as Shoe
    from .video_poker import *  # noqa: F403

_FILES = {
    "blackjack": (
        "Blackjack BlackjackAnalysis BlackjackHand BlackjackRound BlackjackTally Chart ChartChange "
        "ChartChanges Decision FirstHand HandChart RemovalEffect RemovalEffects RuleValue RuleValues Rules "
        "ShoeRounds UpcardValue"
    ),
    "names": "NO_CARD Hand name parse rank suit",
    "shoe": "Shoe",
    "video_poker": (
        "PAYTABLES Analysis AnalysisRow Mistake Paytable PokerRound PokerRounds PokerRules PokerTally "
        "VideoPoker"
    ),
}

__all__ = " ".join(_FILES.values()).split()
__dir__ = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
