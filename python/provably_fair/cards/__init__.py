"""Cards, and tables where they are played: rules without seeds. Operators deal the cards.

A card's rank is ``number % 13`` (0 is the ace, 12 the king), its suit ``number // 13 % 4`` (spades, hearts,
diamonds, clubs). One deck is 0 to 51, four decks are 0 to 207, and copies of a card share its name. -1, "--",
means that there is no card: the digest is used up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of

if TYPE_CHECKING:
    from .blackjack.analysis import *  # noqa: F403
    from .blackjack.charts import *  # noqa: F403
    from .blackjack.counting import *  # noqa: F403
    from .blackjack.decisions import *  # noqa: F403
    from .blackjack.hands import *  # noqa: F403
    from .blackjack.removal import *  # noqa: F403
    from .blackjack.rule_values import *  # noqa: F403
    from .blackjack.rules import *  # noqa: F403
    from .blackjack.table import *  # noqa: F403
    from .blackjack.tally import *  # noqa: F403
    from .names import *  # noqa: F403
    from .shoe import *  # noqa: F403
    from .video_poker.analysis import *  # noqa: F403
    from .video_poker.paytable import *  # noqa: F403
    from .video_poker.rounds import *  # noqa: F403
    from .video_poker.rule_list import *  # noqa: F403
    from .video_poker.table import *  # noqa: F403
    from .video_poker.tally import *  # noqa: F403

_FILES = {
    "blackjack.table": "Blackjack",
    "blackjack.analysis": "BlackjackAnalysis FirstHand UpcardValue",
    "blackjack.charts": "Chart ChartChange ChartChanges HandChart",
    "blackjack.counting": "ShoeRounds",
    "blackjack.decisions": "Decision",
    "blackjack.hands": "BlackjackHand BlackjackRound",
    "blackjack.removal": "RemovalEffect RemovalEffects",
    "blackjack.rule_values": "RuleValue RuleValues",
    "blackjack.rules": "Rules",
    "blackjack.tally": "BlackjackTally",
    "video_poker.table": "VideoPoker",
    "video_poker.analysis": "Analysis AnalysisRow Mistake",
    "video_poker.paytable": "PAYTABLES Paytable",
    "video_poker.rounds": "PokerRound PokerRounds",
    "video_poker.rule_list": "PokerRules",
    "video_poker.tally": "PokerTally",
    "shoe": "Shoe",
    "names": "NO_CARD Hand name parse rank suit",
}

__all__ = " ".join(_FILES.values()).split()
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
