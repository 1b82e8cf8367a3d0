"""Exact probability distributions (laws), and counts of simulated outcomes."""

from .chisquare import ChiSquare
from .distribution import Distribution
from .tally import Tally

__all__ = ["ChiSquare", "Distribution", "Tally"]
