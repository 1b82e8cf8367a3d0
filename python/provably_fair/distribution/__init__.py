"""Exact probability distributions (laws), counts of simulated outcomes, and how often two games differ."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import lister_of, loader_of

from .chisquare import ChiSquare
from .comparing import LawDifference
from .distribution import Distribution as Distribution
from .kolmogorov import KolmogorovSmirnov
from .tally import Tally

if TYPE_CHECKING:
    from . import differences

__all__ = ["ChiSquare", "KolmogorovSmirnov", "LawDifference", "Tally", "differences"]
__dir__ = lister_of(__all__)

if not TYPE_CHECKING:  # it compares games, which stand on laws: loaded on first use
    __getattr__ = loader_of(__name__, ["differences"])
