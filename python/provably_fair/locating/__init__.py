"""Where a series of outcomes without hashes lies on a hash chain."""

from .location import Location
from .search import locate as locate

__all__ = ["Location"]
