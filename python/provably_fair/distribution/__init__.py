"""Exact probability distributions (laws), and tallies of simulated outcomes."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
