"""Exact laws, and counts of simulated outcomes to hold against them."""

from .chisquare import ChiSquare
from .distribution import Distribution
from .tally import Tally

__all__ = ["ChiSquare", "Distribution", "Tally"]
