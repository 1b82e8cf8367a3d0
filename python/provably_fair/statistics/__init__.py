"""Tests of outcomes and of raw numbers, Dieharder, and measurements of the tests' own false alarms."""

from .avalanches import Avalanche, avalanche
from .bias import Bias, bias_table
from .planning import Power, power, rounds_needed
from .report import FairnessReport, FairnessTest, fairness_report, holm

__all__ = [
    "Avalanche",
    "Bias",
    "FairnessReport",
    "FairnessTest",
    "Power",
    "avalanche",
    "bias_table",
    "fairness_report",
    "holm",
    "power",
    "rounds_needed",
]
