"""Blackjack: rounds dealt from a hashed shoe, their settlement, and the exact house edge of any rules."""

from .analysis import BlackjackAnalysis, FirstHand, UpcardValue
from .charts import Chart, ChartChange, ChartChanges, HandChart
from .counting import ShoeRounds
from .decisions import Decision
from .game import Blackjack
from .hands import BlackjackHand, BlackjackRound
from .removal import RemovalEffect, RemovalEffects
from .rule_values import RuleValue, RuleValues
from .rules import Rules
from .tally import BlackjackTally

__all__ = [
    "Blackjack",
    "BlackjackAnalysis",
    "BlackjackHand",
    "BlackjackRound",
    "BlackjackTally",
    "Chart",
    "ChartChange",
    "ChartChanges",
    "Decision",
    "FirstHand",
    "HandChart",
    "RemovalEffect",
    "RemovalEffects",
    "RuleValue",
    "RuleValues",
    "Rules",
    "ShoeRounds",
    "UpcardValue",
]
