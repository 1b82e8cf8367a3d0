"""Is it fair? Tests of outcomes and of raw numbers, Dieharder, and how well the tests keep their level."""

from .avalanches import Avalanche, avalanche
from .report import FairnessReport, FairnessTest, fairness_report, holm

__all__ = ["Avalanche", "FairnessReport", "FairnessTest", "avalanche", "fairness_report", "holm"]
