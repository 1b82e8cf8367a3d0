"""Statistical tests of outcomes and raw numbers, external test batteries, and the calibration of both."""

from provably_fair._core.lazy import lister_of

from . import calibration, dieharder
from .avalanches import Avalanche, avalanche
from .bias import Bias, bias_table
from .planning import Power, power, rounds_needed
from .report import FairnessReport, FairnessTest, holm
from .report import fairness_report as fairness_report

__all__ = [
    "Avalanche",
    "Bias",
    "FairnessReport",
    "FairnessTest",
    "Power",
    "avalanche",
    "bias_table",
    "calibration",
    "dieharder",
    "holm",
    "power",
    "rounds_needed",
]
__dir__ = lister_of(__all__)
