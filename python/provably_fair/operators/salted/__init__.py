"""The ten games of the salted rounds: HMAC-SHA512, keyed with the hash of server seed and salt."""

from collections.abc import Mapping
from typing import Any

from provably_fair._core.lazy import Lazily, attach, listed, lister_of
from provably_fair._engine import catalog

__getattr__, *_ = attach(__name__)
__all__ = sorted([*listed(__name__), "GAMES"])  # the top has the games, too
__dir__ = lister_of(__all__)

GAMES: Mapping[str, Any] = Lazily(
    [line.name for line in catalog()], lambda name: __getattr__(name.capitalize())
)
"""The classes of the games by name, in the order of the document."""
