"""Blackjack: rounds dealt from a hashed shoe, their settlement, and the exact house edge of any rules."""

from .analysis import BlackjackAnalysis, FirstHand, RuleValue, RuleValues, UpcardValue
from .charts import Chart, Decision, HandChart
from .game import Blackjack, BlackjackHand, BlackjackRound, BlackjackTally, Rules

__all__ = [
    "Blackjack",
    "BlackjackAnalysis",
    "BlackjackHand",
    "BlackjackRound",
    "BlackjackTally",
    "Chart",
    "Decision",
    "FirstHand",
    "HandChart",
    "RuleValue",
    "RuleValues",
    "Rules",
    "UpcardValue",
]
