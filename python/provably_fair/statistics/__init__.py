"""Statistical tests of outcomes and raw numbers, and Dieharder."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
