"""Verification of logs: their systems, and whether outcomes are what their seeds give."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
