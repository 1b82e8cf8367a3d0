"""The kinds of games: a base class each, with the questions that may be asked of its games."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
