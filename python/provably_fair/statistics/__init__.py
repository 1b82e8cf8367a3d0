"""Statistical tests of outcomes and raw numbers, and Dieharder."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from . import dieharder as dieharder
    from .avalanches import Avalanche as Avalanche
    from .avalanches import avalanche as avalanche
    from .bias import Bias as Bias
    from .bias import bias_table as bias_table
    from .corrections import holm as holm
    from .planning import Power as Power
    from .planning import power as power
    from .planning import rounds_needed as rounds_needed
    from .report import FairnessReport as FairnessReport
    from .report import FairnessTest as FairnessTest
    from .report import fairness_report as fairness_report

_FILES = {
    "avalanches": "Avalanche avalanche",
    "bias": "Bias bias_table",
    "corrections": "holm",
    "dieharder": "",
    "planning": "Power power rounds_needed",
    "report": "FairnessReport FairnessTest fairness_report",
}

__all__ = names_in(_FILES, "fairness_report")
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
