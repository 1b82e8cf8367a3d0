"""Exact laws, and counts of simulated outcomes to hold against them."""

from .distribution import ChiSquare, Distribution
from .tally import Tally

__all__ = ["ChiSquare", "Distribution", "Tally"]
