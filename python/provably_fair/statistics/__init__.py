"""Statistical tests of outcomes and raw numbers, external test batteries, and the calibration of both."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import lister_of, loader_of

if TYPE_CHECKING:
    from . import calibration, dieharder
    from .avalanches import Avalanche, avalanche
    from .bias import Bias, bias_table
    from .corrections import holm
    from .planning import Power, power, rounds_needed
    from .report import FairnessReport, FairnessTest
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

_FILES = {
    "avalanches": "Avalanche avalanche",
    "bias": "Bias bias_table",
    "calibration": "",
    "corrections": "holm",
    "dieharder": "",
    "planning": "Power power rounds_needed",
    "report": "FairnessReport FairnessTest fairness_report",
}
if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
