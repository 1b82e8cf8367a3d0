"""Alternative readings of a game's log, rounds that distinguish them, and how often two games differ."""

import sys
from types import ModuleType

from provably_fair._core.lazy import attach

# Files that are written for others, and the command, import these.
_INSIDE = ["JSON_SCHEMA", "check_rounds", "mistake_of", "play_round"]

__getattr__, __dir__, __all__ = attach(__name__, _INSIDE)


class _Room(ModuleType):
    """A callable module: the package exports the module and its function under one name."""

    def __call__(self, game: object) -> object:
        """Return the readings of a game; see `readings`."""
        from .reading import readings

        return readings(game)


sys.modules[__name__].__class__ = _Room
