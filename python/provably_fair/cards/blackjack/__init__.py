"""Blackjack: rules of tables, rounds settled by them, and their exact house edge."""

from .analysis import BlackjackAnalysis, FirstHand, UpcardValue
from .charts import Chart, ChartChange, ChartChanges, HandChart
from .counting import ShoeRounds
from .decisions import Decision
from .hands import BlackjackHand, BlackjackRound
from .removal import RemovalEffect, RemovalEffects
from .rule_values import RuleValue, RuleValues
from .rules import Rules
from .table import Blackjack
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
