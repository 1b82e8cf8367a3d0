"""Where a series of outcomes without hashes lies on a hash chain."""

from provably_fair._core.lazy import Lister, lister_of

from .location import Location
from .search import is_on_chain as is_on_chain, locate as locate

__all__ = ["Location"]
__dir__: Lister = lister_of(__all__)
