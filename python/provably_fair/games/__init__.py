"""The interface of games: draws, outcomes, rounds and exact laws. The games themselves are in `operators`."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
