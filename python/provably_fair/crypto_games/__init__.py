"""The games of Crypto.Games: cards drawn from one SHA-512 of the seeds."""

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
    "ByteStep",
    "Explanation",
    "Mistake",
    "Paytable",
    "PokerRound",
    "PokerRounds",
    "PokerTally",
    "VideoPoker",
]
