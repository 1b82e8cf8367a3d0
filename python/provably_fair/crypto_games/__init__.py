"""The games of Crypto.Games: cards drawn from one SHA-512 of the seeds."""

from .blackjack import Blackjack, BlackjackHand, BlackjackRound, BlackjackTally, Rules
from .blackjack_analysis import BlackjackAnalysis, FirstHand, RuleValue, RuleValues, UpcardValue
from .blackjack_charts import Chart, Decision, HandChart
from .explanation import ByteStep, Explanation
from .paytable import PAYTABLES, Paytable
from .video_poker import (
    Analysis,
    AnalysisRow,
    Mistake,
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
    "Explanation",
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
