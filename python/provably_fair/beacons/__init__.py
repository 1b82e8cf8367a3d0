"""Public randomness with proofs: drand, signatures and block headers."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
