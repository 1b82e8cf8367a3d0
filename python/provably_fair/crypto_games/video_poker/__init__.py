"""Video poker: deals, holds, paytables, and their exact analysis."""

from .game import Analysis, AnalysisRow, Mistake, PokerRound, PokerRounds, PokerTally, VideoPoker
from .paytable import PAYTABLES, Paytable

__all__ = [
    "PAYTABLES",
    "Analysis",
    "AnalysisRow",
    "Mistake",
    "Paytable",
    "PokerRound",
    "PokerRounds",
    "PokerTally",
    "VideoPoker",
]
