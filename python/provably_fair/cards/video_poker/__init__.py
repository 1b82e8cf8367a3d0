"""Video poker: holds, paytables, and their exact analysis."""

from .analysis import Analysis, AnalysisRow, Mistake
from .paytable import PAYTABLES, Paytable
from .rounds import PokerRound, PokerRounds
from .rule_list import PokerRules
from .table import VideoPoker
from .tally import PokerTally

__all__ = [
    "PAYTABLES",
    "Analysis",
    "AnalysisRow",
    "Mistake",
    "Paytable",
    "PokerRound",
    "PokerRounds",
    "PokerRules",
    "PokerTally",
    "VideoPoker",
]
