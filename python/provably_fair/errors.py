"""Errors about arguments, which say what they are about: ``error.argument``, ``error.row``."""

from provably_fair._core.errors import ArgumentError, BadType, BadValue
from provably_fair._core.lazy import lister_of

__all__ = ["ArgumentError", "BadType", "BadValue"]
__dir__ = lister_of(__all__)
