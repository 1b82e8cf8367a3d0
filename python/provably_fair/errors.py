"""Errors about arguments, which say what they are about: ``error.argument``, ``error.row``."""

from provably_fair._core.errors import ArgumentError, BadType, BadValue

__all__ = ["ArgumentError", "BadType", "BadValue"]
