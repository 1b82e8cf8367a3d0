"""Tests of outcomes and of raw numbers, Dieharder, and measurements of the tests' own false alarms."""

from .avalanches import Avalanche, avalanche
from .report import FairnessReport, FairnessTest, fairness_report, holm

__all__ = ["Avalanche", "FairnessReport", "FairnessTest", "avalanche", "fairness_report", "holm"]
