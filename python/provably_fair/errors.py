"""Every exception that a user may catch; those about arguments have ``argument`` and ``row``."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
