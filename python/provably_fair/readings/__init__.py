"""Alternative readings of a game's log, rounds that distinguish them, and how often two games differ."""

import sys
from types import ModuleType

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, ("JSON_SCHEMA", "check_rounds", "play_round"))


class _Room(ModuleType):
    """A callable module: the package exports the module and its function under one name."""

    def __call__(self, game: object) -> object:
        """Return the readings of a game; see `readings`."""
        from .reading import readings

        return readings(game)


sys.modules[__name__].__class__ = _Room
