"""The games of Crypto.Games: cards drawn from one SHA-512 of the seeds."""

from .blackjack import (
    Blackjack,
    BlackjackAnalysis,
    BlackjackHand,
    BlackjackRound,
    BlackjackTally,
    Chart,
    Decision,
    FirstHand,
    HandChart,
    Rules,
    RuleValue,
    RuleValues,
    UpcardValue,
)
from .explaining import ByteStep
from .explaining import Explanation as Explanation
from .video_poker import (
    PAYTABLES,
    Analysis,
    AnalysisRow,
    Mistake,
    Paytable,
    PokerRound,
    PokerRounds,
    PokerTally,
    VideoPoker,
)

__all__ = [
    "PAYTABLES",
    "Analysis",
    "AnalysisRow",
    "Blackjack",
    "BlackjackAnalysis",
    "BlackjackHand",
    "BlackjackRound",
    "BlackjackTally",
    "ByteStep",
    "Chart",
    "Decision",
    "FirstHand",
    "HandChart",
    "Mistake",
    "Paytable",
    "PokerRound",
    "PokerRounds",
    "PokerTally",
    "RuleValue",
    "RuleValues",
    "Rules",
    "UpcardValue",
    "VideoPoker",
]
