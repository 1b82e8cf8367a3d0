"""The ten games of the salted rounds: HMAC-SHA512, keyed with the hash of server seed and salt."""

from collections.abc import Mapping
from types import MappingProxyType

from provably_fair._core.lazy import lister_of
from provably_fair._engine import catalog
from provably_fair.games.engine_game import BLOCK_HASHES, EngineGame

from .crash import Crash
from .dice import Dice
from .double import Double
from .jackpot import Jackpot
from .mines import Mines
from .overgo import Overgo
from .plinko import Plinko
from .slot import Slot
from .tower import Tower
from .x50 import X50

__all__ = [
    "BLOCK_HASHES",
    "GAMES",
    "X50",
    "Crash",
    "Dice",
    "Double",
    "Jackpot",
    "Mines",
    "Overgo",
    "Plinko",
    "Slot",
    "Tower",
]
__dir__ = lister_of(__all__)

_CLASSES = (Crash, Dice, Double, Jackpot, Mines, Overgo, Plinko, Slot, Tower, X50)
_BY_NAME: dict[str, type[EngineGame]] = {kind.name: kind for kind in _CLASSES}
_ORDER = [line.name for line in catalog()]

GAMES: Mapping[str, type[EngineGame]] = MappingProxyType(
    {line.name: _BY_NAME[line.name] for line in catalog()}
)
"""The classes of the games by name, in the order of the document."""
