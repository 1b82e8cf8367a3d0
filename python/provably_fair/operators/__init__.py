"""Games of single operators, checked on published rounds. No operator has confirmed or approved any of it.

Each module holds one operator's scheme and games. Each game reproduces rounds that the operator published, or
that were captured during play. Its page gives their number, source and date. The rule may have changed since.
"""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
