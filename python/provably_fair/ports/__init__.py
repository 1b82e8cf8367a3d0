"""Ports: games in JavaScript, made of the rule that Python has."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
