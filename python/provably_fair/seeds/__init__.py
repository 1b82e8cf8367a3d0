"""The sources of random numbers: seeds, commitments to them, schemes and hash chains."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
