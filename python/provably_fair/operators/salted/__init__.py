"""The ten games of the salted rounds: HMAC-SHA512, keyed with the hash of server seed and salt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from provably_fair._core.lazy import lister_of, loader_of
from provably_fair._engine import catalog
from provably_fair.games.constant_seeds import BLOCK_HASHES

if TYPE_CHECKING:
    from provably_fair.games.engine_game import EngineGame

    from .crash import Crash as Crash
    from .dice import Dice as Dice
    from .double import Double as Double
    from .jackpot import Jackpot as Jackpot
    from .mines import Mines as Mines
    from .overgo import Overgo as Overgo
    from .plinko import Plinko as Plinko
    from .slot import Slot as Slot
    from .tower import Tower as Tower
    from .x50 import X50 as X50

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

# The file and the class of each game, in the order of the document.
_FILES = {line.name: line.name.capitalize() for line in catalog()}
_load = loader_of(__name__, _FILES)
if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = _load


class _Games(Mapping[str, "type[EngineGame]"]):
    """The classes of the games by name, in the order of the document; each is loaded when asked for."""

    def __getitem__(self, name: str) -> type[EngineGame]:
        found: type[EngineGame] = _load(_FILES[name])
        return found

    def __contains__(self, name: object) -> bool:
        return name in _FILES

    def __iter__(self) -> Iterator[str]:
        return iter(_FILES)

    def __len__(self) -> int:
        return len(_FILES)


GAMES: Mapping[str, type[EngineGame]] = _Games()
"""The classes of the games by name, in the order of the document."""
