"""The ten games of the salted rounds: HMAC-SHA512, keyed with the hash of server seed and salt."""

from collections.abc import Mapping
from typing import Any

from provably_fair._core.lazy import Lazily, attach
from provably_fair._engine import catalog

__getattr__, __dir__, __all__ = attach(__name__)
__all__ += ["GAMES"]

GAMES: Mapping[str, Any] = Lazily(
    [line.name for line in catalog()], lambda name: __getattr__(name.capitalize())
)
"""The classes of the games by name, in the order of the document."""
