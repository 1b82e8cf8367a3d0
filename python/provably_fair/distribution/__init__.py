"""Exact probability distributions (laws), and tallies of simulated outcomes."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from .chisquare import ChiSquare as ChiSquare
    from .comparing import LawDifference as LawDifference
    from .distribution import Distribution as Distribution
    from .kolmogorov import KolmogorovSmirnov as KolmogorovSmirnov
    from .tally import Tally as Tally

_FILES = {
    "chisquare": "ChiSquare",
    "comparing": "LawDifference",
    "distribution": "Distribution",
    "kolmogorov": "KolmogorovSmirnov",
    "tally": "Tally",
}

__all__ = names_in(_FILES, "Distribution")
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name otherwise
    __getattr__ = loader_of(__name__, _FILES)
