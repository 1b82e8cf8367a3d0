"""Errors about arguments, with the attributes ``argument`` and ``row``."""

from provably_fair._core.errors import ArgumentError, BadType, BadValue
from provably_fair._core.lazy import Lister, lister_of

__all__ = ["ArgumentError", "BadType", "BadValue"]
__dir__: Lister = lister_of(__all__)
