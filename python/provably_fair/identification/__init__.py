"""The game that a log follows, found by trying known games and families of games on its rows."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
